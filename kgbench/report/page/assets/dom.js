// Making elements. Foreign text enters the page here, and only as text.

const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\u{e0001}|[\u{e0020}-\u{e007f}]/gu;

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes and children; a child is a node, a text, or nothing. */
export function el(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for SVG. */
export function svg(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === "") continue;
    node.append(child instanceof Node ? child : visible(String(child)));
  }
  return node;
}

/** Text in which characters that nobody could see, or that would turn the line around, are written out. */
export function visible(text) {
  const found = [...text.matchAll(INVISIBLE)];
  if (!found.length) return document.createTextNode(text);
  const fragment = document.createDocumentFragment();
  let end = 0;
  for (const match of found) {
    if (match.index > end) fragment.append(text.slice(end, match.index));
    const code = `U+${match[0].codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    const mark = document.createElement("span");
    mark.className = "invisible";
    mark.title = "a character that does not show";
    mark.textContent = code;
    fragment.append(mark);
    end = match.index + match[0].length;
  }
  if (end < text.length) fragment.append(text.slice(end));
  return fragment;
}

/** The same for places that hold text alone, such as a title. */
export function written(text) {
  return text.replace(INVISIBLE, (char) => `[U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}]`);
}

/** Replace all children of a node. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

/** A whole number with thin spaces between thousands. */
export function count(number) {
  return Math.round(number).toString().replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** "1 call", "2 calls". */
export function plural(number, one, many = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : many}`;
}
