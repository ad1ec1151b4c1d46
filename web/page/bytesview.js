/** bytesview.js: the bytes of a text, one box for each code point and each ill-formed subpart. */
import { h, number } from "./dom.js";
import { toHex } from "./hex.js";
import { ERRORS, kindClass } from "./kinds.js";
import { isVisible, notation } from "./visible.js";

/**
 * @param {HTMLElement} root
 * @param {{units: import("./text.js").Unit[]}} window
 */
export function showBytes(root, { units }) {
  root.replaceChildren(h("ol", { class: "units" }, ...units.map(unitBox)));
}

function unitBox(unit) {
  const hex = h("span", { class: "hex" }, toHex(unit.bytes, " ").toUpperCase());
  return unit.error
    ? errorBox(unit, hex)
    : h("li", { class: "unit", title: title(unit) }, hex, charBox(unit));
}

function title(unit) {
  return `byte ${number(unit.offset)}: ${unit.notation}`;
}

function charBox({ char, notation: name }) {
  if (char !== null && isVisible(char))
    return h("span", { class: "char" }, char === " " ? "␣" : char);
  return h("span", { class: "char invisible" }, char === null ? name : notation(char));
}

function errorBox(unit, hex) {
  return h(
    "li",
    {
      class: `unit error ${kindClass(unit.error)}`,
      title: `byte ${number(unit.offset)}: ${ERRORS[unit.error].meaning}`,
    },
    hex,
    h("span", { class: "char", "aria-hidden": "true" }, ERRORS[unit.error].mark),
    h("span", { class: "kind" }, unit.error),
    h("span", { class: "hidden" }, ` at byte ${unit.offset}`),
  );
}

/** The kinds of error that occur, with their marks, meanings and numbers. */
export function showLegend(root, kinds) {
  const entries = Object.entries(kinds).sort(([, a], [, b]) => b - a);
  root.replaceChildren(
    ...entries.map(([kind, times]) =>
      h(
        "li",
        {},
        h(
          "span",
          { class: `badge ${kindClass(kind)}` },
          h("span", { "aria-hidden": "true" }, `${ERRORS[kind].mark} `),
          kind,
        ),
        ` × ${number(times)}: ${ERRORS[kind].meaning}`,
      ),
    ),
  );
}
