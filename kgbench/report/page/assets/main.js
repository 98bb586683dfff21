// Puts the page together: reads the data, draws the parts, and listens.

import { count, el, fill } from "./dom.js";
import { Traces, readBlock } from "./data.js";
import { choices, matches, rowText, traceText } from "./filter.js";
import { fillHelp, listenForKeys } from "./keys.js";
import { QuestionList } from "./list.js";
import { drawOverview } from "./overview.js";
import { drawTrace } from "./trace.js";

const WIDE = "(min-width: 1180px)";
const byId = (id) => document.getElementById(id);

class Page {
  constructor() {
    this.meta = readBlock("meta");
    this.rows = readBlock("index");
    this.places = new Map(this.rows.map((row, place) => [row, place]));
    this.texts = this.rows.map(rowText);
    this.traces = new Traces(this.meta.chunks, this.meta.packed);
    this.opened = null;
    this.chosen = null;
    this.search = 0;
    this.list = new QuestionList(byId("list"), this.meta.runs, (row) => this.visit(row));
  }

  start() {
    followTheme();
    drawBanner(this.meta);
    byId("subject").append(el("span", {}, this.meta.runs.map((run) => `${run.method} ${run.scenario}`).join(" · ")));
    drawOverview(byId("part-overview"), this.meta);
    this.drawFilters();
    fillHelp(byId("help-dialog"), this.meta.origins);
    byId("help").addEventListener("click", () => byId("help-dialog").showModal());
    byId("theme").addEventListener("click", changeTheme);
    byId("skip").addEventListener("click", () => setTimeout(() => byId("list").focus()));
    window.addEventListener("hashchange", () => this.route());
    this.listen();
    this.list.show(this.rows);
    this.tellCount(this.rows.length);
    this.route();
    document.documentElement.dataset.ready = "yes";
  }

  // --- where we are ------------------------------------------------------------------------------------------------------

  route() {
    const number = /^#q(\d+)$/.exec(location.hash)?.[1];
    const questions = number !== undefined || location.hash === "#questions";
    byId("part-overview").hidden = questions;
    byId("part-questions").hidden = !questions;
    byId("to-overview").toggleAttribute("aria-current", !questions);
    byId("to-questions").toggleAttribute("aria-current", questions);
    document.body.classList.toggle("reading", number !== undefined);
    if (!questions) return;
    this.list.draw(true);
    if (number === undefined) return;
    const row = this.rows.find((one) => one.number === Number(number));
    if (!row) return;
    const place = this.list.rows.indexOf(row);
    if (place >= 0 && place !== this.list.current) this.list.go(place, false);
    this.open(row);
  }

  visit(row) {
    if (location.hash === `#q${row.number}`) this.open(row);
    else location.hash = `#q${row.number}`;
  }

  async open(row) {
    if (this.opened === row) return;
    this.opened = row;
    const trace = byId("trace");
    try {
      const question = await this.traces.read(this.places.get(row));
      if (this.opened === row) this.draw(question, row);
    } catch (error) {
      fill(trace, el("p", { class: "note bad" }, error.message));
    }
    trace.scrollTop = 0;
  }

  draw(question, row) {
    this.chosen ??= new Set(this.meta.runs.slice(0, matchMedia(WIDE).matches ? 2 : 1).keys());
    const known = question.runs.flatMap((run, number) => (run ? [number] : []));
    const chosen = new Set(known.filter((number) => this.chosen.has(number)));
    if (!chosen.size) chosen.add(known[0]);
    const choose = (number) => {
      this.chosen = chosen.has(number) && chosen.size > 1 ? new Set([...chosen].filter((one) => one !== number)) : new Set([...chosen, number]);
      this.draw(question, row);
    };
    drawTrace(byId("trace"), question, row, this.meta, chosen, choose);
    byId("trace").prepend(this.steps());
  }

  /** Buttons to go on without the list; on a narrow screen it is out of sight. */
  steps() {
    const step = (text, name, by) => el("button", { type: "button", "aria-label": name, onclick: () => this.list.go(this.list.current + by, true) }, text);
    return el("div", { class: "steps" }, el("a", { href: "#questions", class: "back" }, "← all questions"), step("↑", "Question before", -1), step("↓", "Next question", 1));
  }

  // --- search and filters ------------------------------------------------------------------------------------------------

  drawFilters() {
    const { runs } = this.meta;
    const labels = runs.map((run) => run.label);
    const flips = labels.flatMap((better) => labels.flatMap((worse) => (better === worse ? [] : [[`${better}>${worse}`, `${better} better than ${worse}`]])));
    const plain = (values) => values.map((value) => [value, value]);
    const scenarios = [...new Set(runs.map((run) => run.scenario))];
    fill(
      byId("filters"),
      el("input", { type: "search", id: "search", placeholder: "Search questions", "aria-label": "Search", autocomplete: "off", spellcheck: "false" }),
      el("label", { class: "check" }, el("input", { type: "checkbox", id: "deep" }), "in prompts and replies"),
      choice("outcome", "result", [["right", "right"], ["wrong", "wrong"], ["mixed", "partly right"], ["unscored", "not scored"]]),
      choice("status", "status", plain(choices(this.rows, "status"))),
      choice("source", "source", plain(choices(this.rows, "source"))),
      scenarios.length > 1 ? choice("scenario", "scenario", plain(scenarios)) : null,
      runs.length > 1 ? choice("run", "run", plain(labels)) : null,
      runs.length > 1 ? choice("flip", "flip", [["any", "runs differ"], ...(runs.length <= 4 ? flips : [])]) : null,
      el("label", { class: "check" }, el("input", { type: "checkbox", id: "findings" }), "audit findings"),
      el("button", { type: "reset", class: "more" }, "clear"),
    );
    byId("filters").addEventListener("input", () => this.filter());
    byId("filters").addEventListener("reset", () => setTimeout(() => this.filter()));
    byId("filters").addEventListener("submit", (event) => event.preventDefault());
  }

  wanted() {
    const value = (id) => byId(`filter-${id}`)?.value ?? "";
    const keys = ["outcome", "status", "source", "scenario", "run", "flip"];
    return { ...Object.fromEntries(keys.map((key) => [key, value(key)])), findings: byId("findings").checked };
  }

  filter() {
    this.search += 1;
    const wanted = this.wanted();
    const plain = Object.values(wanted).every((value) => !value);
    const words = byId("search").value.toLowerCase().trim();
    const kept = this.rows.filter((row) => plain || matches(row, wanted, this.meta.runs));
    const found = words ? kept.filter((row) => this.texts[this.places.get(row)].includes(words)) : kept;
    this.list.show(found);
    this.tellCount(found.length);
    if (words && byId("deep").checked) this.filterDeep(words, kept, this.search);
  }

  /** Look into the traces too, chunk by chunk; a newer search stops an older one. */
  async filterDeep(words, kept, search) {
    const open = new Set(kept);
    const found = [];
    await this.traces.each((place, question) => {
      if (this.search !== search) return false;
      if (place % 200 === 0) byId("count").textContent = `searching traces: ${count(place)} of ${count(this.rows.length)}`;
      const row = this.rows[place];
      if (open.has(row) && (this.texts[place].includes(words) || traceText(question).includes(words))) found.push(row);
      return true;
    });
    if (this.search !== search) return;
    this.list.show(found);
    this.tellCount(found.length);
  }

  tellCount(number) {
    const all = this.rows.length;
    byId("count").textContent = number === all ? `${count(all)} questions` : `${count(number)} of ${count(all)} questions`;
  }

  // --- keys --------------------------------------------------------------------------------------------------------------

  listen() {
    const step = (by) => () => {
      if (byId("part-questions").hidden) location.hash = "#questions";
      this.list.go(this.list.current + by, true);
    };
    listenForKeys({
      "/": () => {
        if (byId("part-questions").hidden) location.hash = "#questions";
        setTimeout(() => byId("search").focus());
      },
      j: step(1),
      k: step(-1),
      ArrowDown: step(1),
      ArrowUp: step(-1),
      Enter: () => this.enter(),
      Escape: () => this.leave(),
      o: () => document.querySelector("#trace .open-all")?.click(),
      1: () => (location.hash = "#overview"),
      2: () => (location.hash = "#questions"),
      d: changeTheme,
      "?": () => byId("help-dialog").showModal(),
    });
  }

  enter() {
    if (byId("part-questions").hidden || !this.list.rows.length) return false;
    this.list.go(Math.max(0, this.list.current), true);
    byId("trace").focus();
    return true;
  }

  leave() {
    if (document.body.classList.contains("reading") && !matchMedia("(min-width: 860px)").matches) location.hash = "#questions";
    byId("list").focus();
  }
}

function choice(id, name, options) {
  return el("select", { id: `filter-${id}`, "aria-label": name }, el("option", { value: "" }, `any ${name}`), options.map(([value, text]) => el("option", { value }, text)));
}

function drawBanner(meta) {
  byId("banner").append(
    meta.revealed
      ? "REVEALED: this page holds names, answers and ids of the graph. For the owner's eyes; do not hand it on."
      : "Scrubbed: what the model provider saw, questions included, with scores and statuses. No answers, gold or ids; other names masked.",
  );
}

/** Follow the system until the reader chooses. */
function followTheme() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const { dataset } = document.documentElement;
  dataset.theme = dark.matches ? "dark" : "light";
  dark.addEventListener("change", () => (dataset.theme = dark.matches ? "dark" : "light"));
}

function changeTheme() {
  const { dataset } = document.documentElement;
  dataset.theme = dataset.theme === "dark" ? "light" : "dark";
}

new Page().start();
