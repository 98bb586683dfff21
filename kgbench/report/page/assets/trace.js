// One question: how it ended in each run, the facts that its prompts stated, and every call and graph query in order.

import { count, el, fill, plural, visible } from "./dom.js";
import { outcome } from "./filter.js";
import { drawFacts } from "./graph.js";
import { Marker, preview, termText } from "./segments.js";
import { answeredLine, readsBetween } from "./steps.js";

const STATUS_TEXT = {
  ok: "answered",
  no_answer: "the reply held no answer",
  parse_error: "a reply broke the method's form",
  refused: "the model declined",
  truncated: "a reply was cut off",
  prompt_too_long: "a prompt did not fit the model",
  llm_error: "the model did not answer",
  kg_error: "the graph could not be read",
  kg_partial: "the graph gave an incomplete answer",
  no_topic_entity: "the question has no topic entity",
  privacy_blocked: "a request held protected text and was stopped before it left",
  skipped_budget: "left out: the budget was spent",
  missing: "no record yet: the run is not finished",
  setup: "calls before the first question",
};

const OUTCOME_TEXT = { right: "✓ right", wrong: "✗ wrong", mixed: "◐ partly right", unscored: "not scored" };

/** A small word with a colour: how a result ended. */
export function outcomeMark(cell) {
  const kind = outcome(cell);
  return el("span", { class: `outcome ${kind}` }, OUTCOME_TEXT[kind]);
}

/** Fill the pane with a question. `chosen` holds the places of the runs to show. */
export function drawTrace(place, question, row, meta, chosen, choose) {
  const several = meta.runs.length > 1;
  fill(
    place,
    el("div", { class: "trace-head" }, el("h2", { id: "trace-title" }, row.number === 0 ? "Before the first question" : `Question ${row.number}`, row.id ? el("span", { class: "scenario" }, row.id) : null), el("p", { class: "question", dir: "auto" }, row.text ?? noText(row, question)), question.owner ? ownerFacts(question.owner) : null),
    several ? runChoice(question, meta, chosen, choose) : null,
    el("div", { class: "columns" }, question.runs.flatMap((run, number) => (run && chosen.has(number) ? [runColumn(run, row.runs[number], question, meta, number)] : []))),
  );
}

function noText(row, question) {
  if (row.number === 0) return "A method may ask its model once before all questions. Such prompts hold nothing of the graph.";
  const asked = question.runs.some((run) => run?.trials.some((trial) => trial.calls.some((call) => !call.stopped)));
  return asked ? "(its prompts do not state the question as a whole)" : "(no prompt left, so this page does not know its words)";
}

function ownerFacts(owner) {
  const gold = owner.gold.map((answer) => answer.name ?? answer.value ?? answer.id);
  const tags = Object.entries(owner.tags).map(([name, value]) => `${name}=${value}`);
  return el(
    "dl",
    { class: "facts owner" },
    el("dt", {}, "gold"),
    el("dd", {}, gold.length ? gold.join("; ") : "(none)"),
    owner.flags.length ? [el("dt", {}, "flags"), el("dd", {}, owner.flags.join(", "))] : [],
    tags.length ? [el("dt", {}, "tags"), el("dd", {}, tags.join(", "))] : [],
  );
}

function runChoice(question, meta, chosen, choose) {
  const buttons = question.runs.map((run, number) =>
    run === null
      ? null
      : el("button", { type: "button", "aria-pressed": String(chosen.has(number)), onclick: () => choose(number) }, el("span", { class: "letter" }, meta.runs[number].label), `${meta.runs[number].method} ${meta.runs[number].scenario}`),
  );
  return el("div", { class: "choice", role: "group", "aria-label": "Runs shown" }, buttons);
}

function runColumn(run, cell, question, meta, number) {
  const told = meta.runs[number];
  const body = el("div");
  const show = (trial) => fill(body, ...trialParts(run.trials[trial], question, meta, told));
  show(0);
  return el(
    "section",
    { class: "column", "aria-label": `Run ${told.label}` },
    meta.runs.length > 1 ? el("h3", {}, el("span", { class: "letter" }, told.label), told.method, el("span", { class: "scenario" }, told.settings)) : null,
    run.trials.length > 1 ? trialChoice(run.trials, show) : null,
    body,
  );
}

function trialChoice(trials, show) {
  const buttons = trials.map((trial, number) => el("button", { type: "button", "aria-pressed": String(number === 0) }, `trial ${number + 1}`, " ", outcomeMark(trial)));
  buttons.forEach((button, number) =>
    button.addEventListener("click", () => {
      buttons.forEach((other) => other.setAttribute("aria-pressed", String(other === button)));
      show(number);
    }),
  );
  return el("div", { class: "choice", role: "group", "aria-label": "Trials" }, buttons);
}

function trialParts(trial, question, meta, told) {
  const terms = trial.owner?.terms ?? {};
  const marker = new Marker(meta.origins, question.texts, terms);
  return [
    ending(trial, meta),
    trial.owner ? answers(trial.owner) : null,
    trial.usage?.length ? stages(trial.usage) : null,
    trial.facts.length ? el("section", { class: "drawn" }, el("h4", {}, "Facts that the prompts stated"), drawFacts(trial, meta.origins, terms)) : null,
    told.calls ? callList(trial, marker, meta) : el("p", { class: "note" }, "This run has no calls.jsonl: there is no trace."),
  ];
}

function ending(trial, meta) {
  const facts = [
    trial.source && trial.source !== "none" ? ["source", trial.source] : null,
    trial.answers !== undefined ? ["answers", String(trial.answers)] : null,
    trial.reads !== undefined ? ["graph reads", count(trial.reads)] : null,
    trial.retries ? ["retries", count(trial.retries)] : null,
    trial.seconds ? ["seconds", trial.seconds.toFixed(2)] : null,
    ["audit", counted(trial.audit, meta.findings) || "nothing found"],
    trial.notes && Object.keys(trial.notes).length ? ["events", counted(trial.notes, {})] : null,
    trial.other_notes ? ["further events", count(trial.other_notes)] : null,
    trial.flags?.length ? ["flags", trial.flags.join(", ")] : null,
  ].filter(Boolean);
  return el(
    "div",
    { class: "ending" },
    el("p", { class: "status" }, trial.hit !== undefined ? outcomeMark(trial) : null, el("span", { class: `badge status-${trial.status}` }, trial.status), el("span", { class: "muted" }, STATUS_TEXT[trial.status] ?? "")),
    trial.error ? el("pre", { class: "error" }, trial.error) : null,
    trial.status === "setup" ? null : el("dl", { class: "facts" }, facts.map(([name, value]) => el("div", {}, el("dt", {}, name), el("dd", {}, value)))),
  );
}

function counted(counts, names) {
  return Object.entries(counts ?? {})
    .map(([key, number]) => `${names[key] ?? key} ${count(number)}`)
    .join(", ");
}

function answers(owner) {
  const items = owner.items.map((item) => el("li", {}, item.text, item.ids.length ? el("small", {}, ` ${item.ids.join(", ")}`) : null));
  const terms = Object.entries(owner.terms).map(([handle, term]) => el("li", {}, el("code", {}, handle), " ", termText(term), el("small", {}, term[0] === "entity" && term[2] ? ` ${term[1]}` : ` ${term[0]}`)));
  return el(
    "section",
    { class: "owner" },
    el("h4", {}, "Restored answers"),
    items.length ? el("ol", {}, items) : el("p", { class: "muted" }, "none"),
    terms.length ? el("details", {}, el("summary", {}, `What ${plural(terms.length, "handle")} stood for`), el("ul", { class: "terms" }, terms)) : null,
  );
}

function stages(usage) {
  const total = usage.reduce((sum, [, calls, read, written]) => [sum[0] + calls, sum[1] + read, sum[2] + written], [0, 0, 0]);
  const most = Math.max(1, ...usage.map(([, , read, written]) => read + written));
  const line = ([stage, calls, read, written]) => {
    const bar = el("i", { class: "tokens", "aria-hidden": "true" });
    bar.style.width = `${(100 * (read + written)) / most}%`;
    return el("tr", {}, el("th", { scope: "row" }, stage), el("td", { class: "number" }, count(calls)), el("td", { class: "number" }, count(read)), el("td", { class: "number" }, count(written)), el("td", { class: "share" }, bar));
  };
  return el(
    "details",
    { class: "stages" },
    el("summary", {}, `${plural(total[0], "call")}, ${count(total[1])} tokens in, ${count(total[2])} out, by stage`),
    el("table", {}, el("thead", {}, el("tr", {}, ["stage", "calls", "in", "out", ""].map((name, place) => el("th", { scope: "col", class: place ? "number" : null }, name)))), el("tbody", {}, usage.map(line))),
  );
}

// --- calls ---------------------------------------------------------------------------------------------------------------

function callList(trial, marker, meta) {
  const calls = trial.calls;
  if (!calls.length && !trial.queries?.rows.length) return el("p", { class: "muted" }, "No prompt left.");
  const reads = readsBetween(trial.queries, calls, marker);
  const items = calls.map((call, place) => callItem(call, marker, meta, place === calls.length - 1));
  const all = el("button", { type: "button", class: "more open-all" }, "open all");
  all.addEventListener("click", () => {
    const open = all.textContent === "open all";
    for (const item of items) item.open = open;
    all.textContent = open ? "close all" : "open all";
  });
  const unrecorded = trial.reads && !trial.queries ? el("p", { class: "muted" }, "Graph queries and parsed answers: not recorded in this run.") : null;
  return el("section", { class: "calls" }, el("div", { class: "calls-head" }, el("h4", {}, plural(calls.length, "call")), all), unrecorded, items.flatMap((item, place) => [reads[place], item]), reads.slice(items.length), answeredLine(trial.answered, marker));
}

function callItem(call, marker, meta, open) {
  const body = el("div", { class: "call-body" });
  const item = el(
    "details",
    { class: call.stopped ? "call stopped" : "call" },
    el(
      "summary",
      {},
      el("span", { class: "call-number" }, String(call.number)),
      el("strong", {}, call.stage),
      el("span", { class: "phase" }, call.phase),
      "exposed" in call ? el("span", { class: call.exposed ? "names shown" : "names" }, call.exposed ? "names shown" : "names hidden") : null,
      call.error ? el("span", { class: "badge bad" }, call.error) : null,
      el("span", { class: "tokens-in-out" }, call.tokens ? `${count(call.tokens[0])} → ${count(call.tokens[1])}` : ""),
      el("span", { class: "preview" }, call.replies ? preview(call.replies[0] ?? [], marker.texts, meta.origins) : ""),
    ),
    body,
  );
  const draw = () => {
    if (!body.hasChildNodes()) body.append(...callParts(call, marker, meta));
  };
  item.addEventListener("toggle", () => item.open && draw());
  if (open) {
    draw();
    item.open = true;
  }
  return item;
}

function callParts(call, marker, meta) {
  const audit = counted(call.audit, meta.findings);
  const found = [el("p", { class: "muted call-facts" }, [`template ${call.template}`, "zone remote", ...callFacts(call)].join(" · "))];
  if (audit) found.push(el("p", { class: "note" }, `audit: ${audit}`));
  if (call.stopped) return [...found, el("p", { class: "note bad" }, "The audit stopped this request before it left. Its text was not recorded.")];
  if (call.withheld) return [...found, el("p", { class: "note bad" }, "The record of this call does not say where its words come from, so this page withholds them.")];
  if (call.fixed?.length) found.push(fixedMessages(call.fixed, marker));
  found.push(message(call.role ?? "user", marker.block(call.turn)));
  for (const [place, reply] of (call.replies ?? []).entries()) {
    const name = call.replies.length > 1 ? `reply ${place + 1}` : "reply";
    found.push(message(name, reply === null ? el("p", { class: "muted" }, "(null)") : reply.length ? marker.block(reply) : el("p", { class: "muted" }, "(empty)"), "reply"));
  }
  return found;
}

function callFacts(call) {
  if (!call.tokens) return [];
  return [
    `${count(call.tokens[0])} tokens in, ${count(call.tokens[1])} out${call.estimated ? " (estimated)" : ""}`,
    call.cache === "hit" ? "answered from the cache" : plural(call.requests, "request"),
    `${call.seconds.toFixed(2)} s`,
    call.finish && call.finish !== "stop" ? `finish ${call.finish}` : null,
    call.shortened ? "the server cut the prompt" : null,
    ...Object.entries(call.sampling).map(([name, value]) => `${name} ${value}`),
  ].filter(Boolean);
}

function fixedMessages(fixed, marker) {
  const body = el("div");
  const item = el("details", { class: "fixed" }, el("summary", {}, `${plural(fixed.length, "fixed message")} of the template`), body);
  item.addEventListener("toggle", () => {
    if (item.open && !body.hasChildNodes()) body.append(...fixed.map(([role, segments]) => message(role, marker.block(segments))));
  });
  return item;
}

function message(role, block, kind = "") {
  return el("div", { class: `message ${kind}`.trim() }, el("div", { class: "role" }, visible(role)), block);
}
