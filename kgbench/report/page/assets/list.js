// The list of questions. Only the rows in sight exist, however many there are.

import { count, el } from "./dom.js";
import { outcome } from "./filter.js";

const HEIGHT = 58; // of a row, as in the style sheet
const BESIDE = 6; // rows kept above and below those in sight
const SIGN = { right: "✓", wrong: "✗", mixed: "◐", unscored: "–" };

/** A list of rows in a scrolling box. */
export class QuestionList {
  constructor(box, runs, onChoose) {
    this.box = box;
    this.runs = runs;
    this.onChoose = onChoose;
    this.rows = [];
    this.current = -1;
    this.inner = el("div", { class: "inner", role: "presentation" });
    box.append(this.inner);
    box.addEventListener("scroll", () => this.draw(), { passive: true });
    box.addEventListener("click", (event) => {
      const row = event.target.closest("[data-place]");
      if (row) this.go(Number(row.dataset.place), true);
    });
    new ResizeObserver(() => this.draw()).observe(box);
  }

  /** List other rows; the current question stays current where it is among them. */
  show(rows) {
    const kept = this.rows[this.current];
    this.rows = rows;
    this.current = kept ? rows.indexOf(kept) : -1;
    this.inner.style.height = `${rows.length * HEIGHT}px`;
    this.box.scrollTop = this.current >= 0 ? Math.max(0, this.current * HEIGHT - this.box.clientHeight / 2) : 0;
    this.draw(true);
  }

  draw(anew = false) {
    const first = Math.max(0, Math.floor(this.box.scrollTop / HEIGHT) - BESIDE);
    const last = Math.min(this.rows.length, Math.ceil((this.box.scrollTop + this.box.clientHeight) / HEIGHT) + BESIDE);
    if (!anew && first === this.first && last === this.last) return;
    this.first = first;
    this.last = last;
    this.inner.replaceChildren(...this.rows.slice(first, last).map((row, number) => this.row(row, first + number)));
    this.mark();
  }

  row(row, place) {
    const node = el(
      "div",
      { class: "row", id: `row-${place}`, role: "option", "data-place": place, "aria-setsize": this.rows.length, "aria-posinset": place + 1, "aria-selected": String(place === this.current) },
      el("span", { class: "number" }, row.number ? String(row.number) : "–"),
      el("span", { class: "text", dir: "auto" }, row.text ?? (row.number ? "(no prompt left)" : "before the first question")),
      el("span", { class: "cells" }, row.runs.map((cell, run) => (cell ? this.cell(cell, run) : null))),
    );
    node.style.top = `${place * HEIGHT}px`;
    return node;
  }

  cell(cell, run) {
    if (!cell.status) return null;
    const kind = outcome(cell);
    const status = cell.status.filter((one) => one !== "ok").join(", ");
    return el(
      "span",
      { class: "cell" },
      this.runs.length > 1 ? el("span", { class: "letter" }, this.runs[run].label) : null,
      el("span", { class: `sign ${kind}`, role: "img", "aria-label": kind, title: kind }, SIGN[kind]),
      status ? el("span", { class: "badge bad" }, status) : null,
      cell.findings ? el("span", { class: "badge", title: "findings of the audit" }, `audit ${cell.findings}`) : null,
      this.runs.length === 1 ? el("span", { class: "muted" }, `${cell.calls} calls · ${count(cell.tokens)} tokens${cell.source.length ? ` · ${cell.source.join(", ")}` : ""}`) : null,
    );
  }

  /** Make a row current, bring it into sight, and open its question where wished. */
  go(place, open) {
    if (!this.rows.length) return;
    this.current = Math.min(this.rows.length - 1, Math.max(0, place));
    const top = this.current * HEIGHT;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top + HEIGHT > this.box.scrollTop + this.box.clientHeight) this.box.scrollTop = top + HEIGHT - this.box.clientHeight;
    this.draw();
    this.mark();
    if (open) this.onChoose(this.rows[this.current]);
  }

  mark() {
    for (const node of this.inner.children) node.setAttribute("aria-selected", String(Number(node.dataset.place) === this.current));
    if (this.current >= 0) this.box.setAttribute("aria-activedescendant", `row-${this.current}`);
    else this.box.removeAttribute("aria-activedescendant");
  }
}
