// The facts that prompts stated, as a small drawing: columns by distance from the topic, rows in the order of the facts.
// Nothing is random and nothing is measured, so the same facts give the same drawing.

import { el, svg, written } from "./dom.js";
import { maskName, termText } from "./segments.js";

const NODE = { width: 150, height: 34 };
const COLUMN = 350; // from one column to the next: a node and room for a label
const LABEL = { line: 13, letters: 32 };
const MARGIN = 16;
const MOST = 40; // facts drawn at once

const TOPICS = new Set(["mention", "topic_label"]);

/** The facts of a trace: a drawing, and the same as a list. */
export function drawFacts(trial, origins, terms) {
  const names = trial.nodes.map((node) => nodeText(node, origins, terms));
  const box = el("div", { class: "graph" });
  const show = (most) => {
    const facts = trial.facts.slice(0, most);
    const canvas = el("div", { class: "canvas", tabindex: "0", role: "group", "aria-label": "Drawing of the facts" }, drawing(trial, facts, names, origins));
    box.replaceChildren(canvas);
    requestAnimationFrame(() => (canvas.scrollTop = (canvas.scrollHeight - canvas.clientHeight) / 2)); // columns are centred
    if (facts.length < trial.facts.length) {
      const all = el("button", { type: "button", class: "more" }, `draw all ${trial.facts.length} facts`);
      all.addEventListener("click", () => show(trial.facts.length));
      box.append(all);
    }
  };
  show(MOST);
  return [box, factList(trial, names)];
}

function nodeText([origin, text, number], origins, terms) {
  if (text === null) return maskName([origin, null, number], origins);
  return written(Object.hasOwn(terms, text) ? termText(terms[text]) : text);
}

function factList(trial, names) {
  const rows = trial.facts.map(([subject, relation, target, calls]) =>
    el("li", {}, el("code", {}, names[subject]), " ", el("em", {}, relation), " ", el("code", {}, names[target]), el("small", {}, ` in call ${calls.map((call) => trial.calls[call].number).join(", ")}`)),
  );
  return el("details", { class: "fact-list" }, el("summary", {}, "The same as a list"), el("ol", {}, rows));
}

/** The column of each node: its distance from a topic, whichever way the facts point. */
export function columns(nodeCount, facts, starts) {
  const beside = Array.from({ length: nodeCount }, () => []);
  for (const [subject, , target] of facts) {
    beside[subject].push(target);
    beside[target].push(subject);
  }
  const depth = new Array(nodeCount).fill(-1);
  const walk = (first) => {
    const queue = [...first];
    for (const node of first) depth[node] = 0;
    for (const node of queue) {
      for (const next of beside[node]) {
        if (depth[next] < 0) {
          depth[next] = depth[node] + 1;
          queue.push(next);
        }
      }
    }
  };
  walk(starts);
  for (let node = 0; node < nodeCount; node += 1) if (depth[node] < 0 && beside[node].length) walk([node]);
  return depth;
}

function drawing(trial, facts, names, origins) {
  const starts = trial.nodes.flatMap((node, place) => (TOPICS.has(origins[node[0]].key) ? [place] : []));
  const used = new Set(facts.flatMap(([subject, , target]) => [subject, target]));
  const depth = columns(trial.nodes.length, facts, starts.filter((place) => used.has(place)));
  const labels = labelsByNode(facts, depth);
  const places = positions(depth, used, labels);
  const width = Math.max(...[...places.values()].map(({ x }) => x)) + NODE.width + MARGIN;
  const height = Math.max(...[...places.values()].map(({ y }) => y)) + NODE.height + MARGIN;
  const answers = answerKeys(trial);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": `${facts.length} facts between ${used.size} nodes; a list of them follows` });
  picture.append(arrowHead());
  const drawn = [...labels].map(([key, group]) => edge(key, group, places, depth));
  picture.append(...drawn.map(([line]) => line), ...drawn.flatMap(([, texts]) => texts));
  for (const [node, place] of places) picture.append(box(trial.nodes[node], names[node], place, { topic: starts.includes(node), answer: answers.has(keyOf(trial.nodes[node])), origin: origins[trial.nodes[node][0]].key }));
  return picture;
}

const keyOf = ([origin, text, number]) => `${text === null ? origin : "shown"}|${text ?? ""}|${number ?? 0}`;

/** Nodes that the last reply names. */
function answerKeys(trial) {
  const last = trial.calls.findLast((call) => call.replies?.length);
  const segments = (last?.replies ?? []).flatMap((reply) => reply ?? []);
  return new Set(segments.filter(Array.isArray).map(([origin, text, number]) => keyOf([origin, text, number])));
}

/** "left>right" -> the labels between two nodes, with the direction of each. The node further right carries them. */
function labelsByNode(facts, depth) {
  const groups = new Map();
  for (const [subject, relation, target] of facts) {
    const turned = depth[subject] > depth[target];
    const key = turned ? `${target}>${subject}` : `${subject}>${target}`;
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({ relation, turned });
  }
  return groups;
}

function positions(depth, used, labels) {
  const lines = new Map();
  for (const [key, group] of labels) {
    const right = Number(key.split(">")[1]);
    lines.set(right, (lines.get(right) ?? 0) + group.length);
  }
  const bottoms = [];
  const places = new Map();
  for (const node of [...used].sort((a, b) => depth[a] - depth[b] || a - b)) {
    const column = depth[node];
    const room = Math.max(0, (lines.get(node) ?? 0) * LABEL.line - NODE.height / 2);
    const y = (bottoms[column] ?? MARGIN) + room;
    places.set(node, { x: MARGIN + column * COLUMN, y, taken: 0 });
    bottoms[column] = y + NODE.height + 14;
  }
  const tallest = Math.max(...bottoms.map((bottom) => bottom ?? 0));
  for (const [node, place] of places) place.y += (tallest - bottoms[depth[node]]) / 2;
  return places;
}

function edge(key, group, places, depth) {
  const [left, right] = key.split(">").map(Number);
  const from = places.get(left);
  const to = places.get(right);
  const start = { x: from.x + NODE.width, y: from.y + NODE.height / 2 };
  const end = depth[left] === depth[right] ? { x: to.x + NODE.width, y: to.y + NODE.height / 2 } : { x: to.x, y: to.y + NODE.height / 2 };
  const same = depth[left] === depth[right];
  const bend = same ? 60 : 90;
  const path = `M ${start.x} ${start.y} C ${start.x + bend} ${start.y}, ${same ? end.x + bend : end.x - 160} ${end.y}, ${end.x} ${end.y}`;
  const forth = group.some(({ turned }) => !turned);
  const back = group.some(({ turned }) => turned);
  const line = svg("path", { d: path, class: "edge", "marker-end": forth ? "url(#arrow)" : null, "marker-start": back ? "url(#arrow)" : null });
  const texts = group.map(({ relation, turned }) => {
    const y = end.y - 5 - to.taken * LABEL.line;
    to.taken += 1;
    const anchor = same ? { x: end.x + 8, "text-anchor": "start" } : { x: end.x - 12, "text-anchor": "end" };
    return svg("text", { class: "label", y, ...anchor }, svg("title", {}, relation), `${turned ? "← " : ""}${tail(relation)}`);
  });
  return [line, texts];
}

function tail(text) {
  const line = written(text);
  return line.length > LABEL.letters ? `…${line.slice(-LABEL.letters)}` : line;
}

function box([, , , concept], name, { x, y }, { topic, answer, origin }) {
  const kind = ["node", topic && "topic", answer && "answer"].filter(Boolean).join(" ");
  const short = name.length > 20 ? `${name.slice(0, 19)}…` : name;
  const told = concept.length > 26 ? `${concept.slice(0, 25)}…` : concept;
  return svg(
    "g",
    { class: kind, "data-origin": origin, transform: `translate(${x} ${y})` },
    svg("title", {}, concept ? `${name} (${concept})` : name),
    svg("rect", { width: NODE.width, height: NODE.height, rx: 5 }),
    svg("text", { x: NODE.width / 2, y: told ? 14 : 21, "text-anchor": "middle", class: "name" }, short),
    told ? svg("text", { x: NODE.width / 2, y: 27, "text-anchor": "middle", class: "concept" }, told) : null,
  );
}

function arrowHead() {
  return svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" }, svg("path", { d: "M0 0 L8 4 L0 8 z" })));
}
