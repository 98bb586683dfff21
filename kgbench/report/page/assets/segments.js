// Recorded text with the marks of its origins. A segment is a text, a number that points into the table of texts,
// [origin, text], or [origin, null, number] where this page masks it.

import { el, visible, written } from "./dom.js";

const CUT = 4000; // characters of a message that are shown at once

/** What a masked stretch is called: its origin, and a number that tells it from others of its question. */
export function maskName(segment, origins) {
  const name = origins[segment[0]].key.replace("_", " ");
  return segment[2] ? `${name} ${segment[2]}` : "…";
}

function lengthOf(segment, texts) {
  if (typeof segment === "number") return texts[segment].length;
  return typeof segment === "string" ? segment.length : (segment[1]?.length ?? 8);
}

/** The text of segments for a search; what a template repeats is left out. */
export function searchText(segments) {
  return segments
    .map((segment) => (typeof segment === "string" ? segment : Array.isArray(segment) ? (segment[1] ?? "") : ""))
    .join("");
}

/** The text of segments on one line, cut after some characters. */
export function preview(segments, texts, origins, most = 140) {
  let text = "";
  for (const segment of segments) {
    if (typeof segment === "number") text += texts[segment];
    else if (typeof segment === "string") text += segment;
    else text += segment[1] ?? `[${maskName(segment, origins)}]`;
    if (text.length > most) break;
  }
  const line = written(text.replace(/\s+/g, " ").trim());
  return line.length > most ? `${line.slice(0, most)}…` : line;
}

/** Draws the segments of one question. `terms` says what handles stood for, on a revealed page. */
export class Marker {
  constructor(origins, texts, terms = {}) {
    this.origins = origins;
    this.texts = texts;
    this.terms = terms;
  }

  /** A block of recorded text; a very long one is cut, with a button for the rest. */
  block(segments) {
    const block = el("div", { class: "wire", dir: "auto" });
    const total = segments.reduce((sum, segment) => sum + lengthOf(segment, this.texts), 0);
    if (total <= CUT * 1.25) {
      block.append(...segments.map((segment) => this.segment(segment)));
      return block;
    }
    block.append(...this.upTo(segments, CUT));
    const more = el("button", { type: "button", class: "more" }, `show all (${total.toLocaleString("en")} characters)`);
    more.addEventListener("click", () => block.replaceChildren(...segments.map((segment) => this.segment(segment))));
    block.append("… ", more);
    return block;
  }

  upTo(segments, most) {
    const nodes = [];
    let left = most;
    for (const segment of segments) {
      const length = lengthOf(segment, this.texts);
      if (length > left && !Array.isArray(segment)) {
        nodes.push(visible((typeof segment === "number" ? this.texts[segment] : segment).slice(0, left)));
        break;
      }
      nodes.push(this.segment(segment));
      left -= length;
      if (left <= 0) break;
    }
    return nodes;
  }

  segment(segment) {
    if (typeof segment === "number") return visible(this.texts[segment]);
    if (typeof segment === "string") return visible(segment);
    const origin = this.origins[segment[0]];
    if (segment[1] === null) {
      const what = segment[2] ? `masked on this page: ${origin.text}` : "words hidden on this page";
      return el("span", { class: "mark masked", "data-origin": origin.key, title: what }, maskName(segment, this.origins));
    }
    const mark = el("span", { class: "mark", "data-origin": origin.key, title: origin.text }, segment[1]);
    const term = Object.hasOwn(this.terms, segment[1]) ? this.terms[segment[1]] : null;
    if (term) mark.append(el("span", { class: "stands-for", title: "what the handle stood for" }, termText(term)));
    return mark;
  }
}

/** A term of a revealed page in words: its name, else its id; a literal's value. */
export function termText([kind, id, name]) {
  if (kind === "literal") return id;
  return name || id;
}
