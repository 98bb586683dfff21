// What a question asked of the graph between its calls, and what was taken as answers. Null stands for what this page
// leaves out: how much was found, a relation or an entity that no prompt on it shows.

import { count, el, plural } from "./dom.js";

const GROUPED = 4; // lines from which the reads before one call are folded

/** The reads before each call, and those after the last: as many entries as calls, and one more. */
export function readsBetween(queries, calls, marker) {
  const rows = queries?.rows ?? [];
  let from = 0;
  const parts = [...calls, { number: Infinity }].map((call) => {
    const start = from;
    while (from < rows.length && rows[from][0] < call.number) from += 1;
    return readGroup(rows.slice(start, from), marker);
  });
  if (queries?.left_out) parts.push(el("p", { class: "read-lines muted" }, leftOut(queries)));
  return parts;
}

function leftOut(queries) {
  const shown = queries.rows[0]?.[5] !== null;
  return shown ? `… and ${plural(queries.left_out, "further graph query", "further graph queries")}, which the record only counts` : "… and further graph queries, which the record only counts";
}

function readGroup(rows, marker) {
  if (!rows.length) return null;
  const list = el("ul", { class: "read-lines" }, rows.map((row) => el("li", {}, readLine(row, marker))));
  if (rows.length < GROUPED) return list;
  return el("details", { class: "read-group" }, el("summary", {}, `${rows.length} lines of graph queries: ${kindsOf(rows)}`), list);
}

function kindsOf(rows) {
  return [...new Set(rows.map(([, kind]) => kind))].join(", ");
}

function readLine([, kind, of, relation, direction, found, cut], marker) {
  const way = direction ? ` (${direction})` : "";
  const told = found === null ? "" : `: ${count(found)} found${cut ? ", cut at the row limit" : ""}`;
  if (kind === "select") return ["a SPARQL query", told];
  if (kind !== "neighbours") return [kind === "mediators" ? "which are mediators: " : `${kind} of `, asked(of, marker), way, told];
  return ["neighbours of ", asked(of, marker), " along ", relation === null ? "a relation that no prompt shows" : marker.segment(relation), way, told];
}

function asked(of, marker) {
  if (of === null) return "another entity";
  if (typeof of === "number") return of ? plural(of, "entity", "entities") : "several entities";
  return marker.segment(of);
}

/** The line that says what the method took as answers; null where a record does not tell. */
export function answeredLine(answered, marker) {
  if (!answered) return null;
  const parts = answered.flatMap(([segments, evident], place) => [place ? ", " : "", segments.map((segment) => marker.segment(segment)), evident ? el("small", {}, " (in the evidence)") : ""]);
  return el("p", { class: "answered" }, "Taken as answers: ", parts.length ? parts : el("span", { class: "muted" }, "none"));
}
