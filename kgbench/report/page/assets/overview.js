// The head of the page: what was run, what came out, what the provider saw.

import { count, el, fill, plural } from "./dom.js";

/** Fill the overview. */
export function drawOverview(place, meta) {
  const boards = meta.runs.length > 1 ? 1 : 0; // the first table of several runs puts them side by side
  fill(
    place,
    meta.tables.slice(0, boards).map(table),
    meta.runs.map((run) => runSummary(run, meta)),
    meta.tables.slice(boards).map(table),
    aboutPage(meta),
  );
}

function runSummary(run, meta) {
  const several = meta.runs.length > 1;
  const [headline, ...others] = run.scores;
  return el(
    "section",
    { class: "run", "aria-label": `Run ${run.label}` },
    el("h2", {}, several ? el("span", { class: "letter" }, run.label) : null, run.method, el("span", { class: "scenario" }, run.settings)),
    run.name ? el("p", { class: "muted" }, run.name) : null,
    el("div", { class: "figures" }, score(headline, true), others.map((one) => score(one, false))),
    el(
      "dl",
      { class: "facts" },
      fact("model", [run.model, run.lm ? null : el("span", { class: "badge" }, "LM: no")]),
      fact("data", `${run.dataset}, ${plural(run.questions, "question")}${run.trials > 1 ? `, ${run.trials} trials` : ""}`),
      fact("graph", run.graph),
      run.usage.map(([name, value]) => fact(name.replace(/ a question$/, ""), [value || "unknown", el("span", { class: "unit" }, " a question")])),
      run.audit.map(([name, value]) => fact(name, value)),
      fact("statuses", Object.entries(run.statuses).map(([status, number]) => `${status} ${number}`).join(", ")),
      fact("made", [run.began, run.ended && run.state === "finished" ? `to ${run.ended}` : null, `by kgbench ${run.kgbench}`].filter(Boolean).join(" ")),
      fact("signature", el("code", { class: "signature" }, run.signature)),
    ),
    run.notes.map((note) => el("p", { class: "note" }, note)),
    (run.warnings ?? []).map((note) => el("p", { class: "note" }, note)),
    run.exposure ? exposure(run.exposure, !several) : null,
  );
}

function score({ title, value, low, high }, large) {
  const shown = value === null ? "–" : value.toFixed(large ? 3 : 4);
  const parts = [el("div", { class: "value" }, shown), el("div", { class: "name" }, title)];
  if (low !== null && high !== null) {
    parts.push(el("div", { class: "interval" }, `95 % ${low.toFixed(3)} to ${high.toFixed(3)}`));
    if (large) parts.push(intervalBar(value, low, high));
  }
  return el("div", { class: large ? "figure large" : "figure" }, parts);
}

function intervalBar(value, low, high) {
  const bar = el("div", { class: "bar", "aria-hidden": "true" }, el("i"), el("b"));
  bar.firstChild.style.left = `${low * 100}%`;
  bar.firstChild.style.width = `${(high - low) * 100}%`;
  bar.lastChild.style.left = `${value * 100}%`;
  return bar;
}

function fact(name, value) {
  return [el("dt", {}, name), el("dd", {}, value)];
}

function exposure(seen, open) {
  const [handles, most] = seen.handles;
  return el(
    "div",
    { class: "exposure" },
    el("h3", {}, "What the provider saw"),
    el("p", { class: "verdict" }, seen.verdict),
    el("p", { class: "muted" }, `${plural(seen.prompts, "prompt")}, ${count(seen.cached)} answered from the cache, ${count(seen.failed)} without a reply; ${handles} handles a question, at most ${most}; ${seen.relations[0]} relation labels a question, at most ${seen.relations[1]}.`),
    el(
      "details",
      { open },
      el("summary", { class: "muted" }, "By phase and origin"),
      tableOf(
        [["phase", false], ["names", false], ["what the prompts held", false], ["prompts", true], ["stretches", true], ["distinct", true]],
        seen.rows.map((row) => row.map((cell) => (typeof cell === "number" ? count(cell) : cell))),
      ),
    ),
  );
}

function table({ title, columns, sections, notes }) {
  return el(
    "section",
    { class: "board", "aria-label": title },
    el("h2", {}, title),
    sections.map((section) => [section.title ? el("p", { class: "muted" }, section.title) : null, tableOf(columns, section.rows)]).flat(),
    notes.map((note) => el("p", { class: "note" }, note)),
  );
}

function tableOf(columns, rows) {
  const kind = (place) => (columns[place][1] ? "number" : null);
  return el(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": "Table" },
    el(
      "table",
      {},
      el("thead", {}, el("tr", {}, columns.map(([title], place) => el("th", { scope: "col", class: kind(place) }, title)))),
      el("tbody", {}, rows.map((row) => el("tr", {}, row.map((cell, place) => el("td", { class: kind(place) }, cell === "" ? "–" : cell))))),
    ),
  );
}

function aboutPage(meta) {
  const scrubbed = [
    "It holds what the model provider saw, and scores and statuses. It holds no restored answer, no gold, no question id, no tag, no call of the trusted zone and no path.",
    "Where a scenario showed names, literals or ids of the graph to the provider, they are masked here, with a number that tells one from another within its question. Words of the model are hidden where it had seen names, unless the question, a prompt's fixed text or the schema says them too.",
    "Questions stand as they were asked, with their own words for their topics.",
  ];
  const revealed = ["It holds restored answers, gold, question ids and what each handle stood for. Keep it where the run folder is kept."];
  return el(
    "section",
    { class: "about", "aria-label": "About this page" },
    el("h2", {}, "About this page"),
    (meta.revealed ? revealed : scrubbed).map((text) => el("p", {}, text)),
    meta.notes.map((note) => el("p", { class: "note" }, note)),
    el("p", { class: "muted" }, `${plural(meta.shown, "question")}${meta.shown < meta.total ? ` of ${count(meta.total)}; the scores are those of all` : ""}. Nothing in this file loads or sends anything. Made by kgbench ${meta.kgbench}.`),
  );
}
