/** visible.js: text with its invisible characters and U+FFFD made visible. */
import { h } from "./dom.js";

const SHOWN_MAX = 4000;
/** Controls, format characters, separators, unassigned and private ones; not the spaces and the ends
 * of lines that a text is laid out with. U+3000 is the space of Chinese and Japanese. */
const INVISIBLE = /(?![ \t\n\u3000]|\r\n)[\p{C}\p{Z}\uFFFD]/gu;

/** @param {string} char @returns {string} "U+200B" */
export function notation(char) {
  return `U+${char.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Can a reader see this character on its own? */
export function isVisible(char) {
  return char === " " || !/[\p{C}\p{Z}\uFFFD]/u.test(char);
}

/**
 * The text, as an element in which each invisible character is a labelled box.
 * @param {string} text
 */
export function visible(text) {
  const shown = text.length > SHOWN_MAX ? text.slice(0, SHOWN_MAX) : text;
  const element = h("span", { class: "text", dir: "auto" });
  let at = 0;
  for (const match of shown.matchAll(INVISIBLE)) {
    element.append(shown.slice(at, match.index), box(match[0]));
    at = match.index + match[0].length;
  }
  element.append(shown.slice(at));
  if (shown.length < text.length)
    element.append(h("em", {}, ` … ${text.length - shown.length} more`));
  return element;
}

function box(char) {
  return char === "\uFFFD"
    ? h("span", { class: "lost", title: "U+FFFD: replacement character" }, char)
    : h("span", { class: "invisible" }, notation(char));
}
