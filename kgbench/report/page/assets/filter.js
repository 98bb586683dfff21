// Which questions are listed. Pure functions over the index; a cell is one run's result of a question.

import { searchText } from "./segments.js";

/** How a cell ended: right, wrong, partly right over trials, or not scored. */
export function outcome(cell) {
  if (!cell || cell.hit === null || cell.hit === undefined) return "unscored";
  if (cell.hit >= 1) return "right";
  return cell.hit > 0 ? "mixed" : "wrong";
}

/** True where two runs, or any two of all, score a question differently: "any", or "A>B" where A does better. */
export function flips(row, which, labels) {
  const known = row.runs.filter((cell) => cell && typeof cell.hit === "number");
  if (which === "any") return known.some((cell) => cell.hit !== known[0].hit);
  const [better, worse] = which.split(">").map((label) => row.runs[labels.indexOf(label)]);
  return Boolean(better && worse) && typeof better.hit === "number" && typeof worse.hit === "number" && better.hit > worse.hit;
}

function cellMatches(cell, run, wanted) {
  return (
    (!wanted.run || run.label === wanted.run) &&
    (!wanted.scenario || run.scenario === wanted.scenario) &&
    (!wanted.status || (cell.status ?? []).includes(wanted.status)) &&
    (!wanted.source || (cell.source ?? []).includes(wanted.source)) &&
    (!wanted.outcome || outcome(cell) === wanted.outcome) &&
    (!wanted.findings || cell.findings > 0)
  );
}

/** True where one result of a question meets every wish, its text holds the words, and it flips as wished. */
export function matches(row, wanted, runs) {
  if (wanted.flip && !flips(row, wanted.flip, runs.map((run) => run.label))) return false;
  return row.runs.some((cell, place) => cell && cellMatches(cell, runs[place], wanted));
}

/** What the list can be searched for without opening a trace. */
export function rowText(row) {
  return `#${row.number} ${row.text ?? ""} ${row.id ?? ""}`.toLowerCase();
}

/** Everything that a trace says: prompts as sent, without what a template repeats, replies, and what only an owner sees. */
export function traceText(question) {
  const found = [];
  for (const run of question.runs) {
    for (const trial of run?.trials ?? []) {
      for (const call of trial.calls) {
        found.push(call.stage, searchText(call.turn ?? []));
        for (const reply of call.replies ?? []) found.push(searchText(reply ?? []));
      }
      if (trial.owner) found.push(JSON.stringify(trial.owner.items), JSON.stringify(trial.owner.terms));
    }
  }
  if (question.owner) found.push(JSON.stringify(question.owner.gold));
  return found.join(" ").toLowerCase();
}

/** Values that occur in the cells, sorted. */
export function choices(rows, key) {
  const found = new Set();
  for (const row of rows) for (const cell of row.runs) for (const value of cell?.[key] ?? []) found.add(value);
  return [...found].sort();
}
