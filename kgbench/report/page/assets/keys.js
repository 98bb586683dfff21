// The keyboard, and the dialog that tells of it and of the marks.

import { el, fill } from "./dom.js";

const KEYS = [
  ["/", "search"],
  ["j, ↓", "next question"],
  ["k, ↑", "question before"],
  ["Enter", "go to the trace"],
  ["Esc", "back to the list; leave the search"],
  ["o", "open or close all calls"],
  ["1, 2", "overview, questions"],
  ["d", "light or dark"],
  ["?", "this help"],
];

/** Listen for keys. `actions` maps a key to what it does. */
export function listenForKeys(actions) {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (document.querySelector("dialog[open]")) return;
    const typing = event.target.closest("input, select, textarea");
    if (typing && !(event.key === "Escape" || (event.key === "Enter" && typing.type === "search"))) return;
    if (event.key === "Enter" && event.target.closest("button, a, summary")) return;
    if (event.key.startsWith("Arrow") && event.target.closest("#trace, .scroll, .canvas")) return;
    const action = actions[event.key];
    if (action && action(event) !== false) event.preventDefault();
  });
}

/** Fill the help dialog. */
export function fillHelp(dialog, origins) {
  const close = el("button", { type: "button", class: "more" }, "close");
  close.addEventListener("click", () => dialog.close());
  fill(
    dialog,
    el("h2", { id: "help-title" }, "Keys"),
    el("dl", { class: "keys" }, KEYS.map(([key, text]) => [el("dt", {}, el("kbd", {}, key)), el("dd", {}, text)])),
    el("h2", {}, "Marks in prompts"),
    legend(origins),
    close,
  );
}

/** What the marks of recorded text mean. */
export function legend(origins) {
  const shown = origins.filter((origin) => origin.key !== "hidden");
  return el(
    "ul",
    { class: "legend" },
    shown.map((origin) => el("li", {}, el("span", { class: "mark", "data-origin": origin.key }, origin.key.replace("_", " ")), " ", origin.text)),
    el("li", {}, el("span", { class: "mark masked" }, "name 1"), " masked on this page"),
    el("li", {}, "no mark: the template's own words, and the model's in a reply"),
  );
}
