/** commonview.js: a common damage, before and after the repair. */
import { h } from "./dom.js";
import { verdict } from "./textview.js";
import { visible } from "./visible.js";

/**
 * @param {Uint8Array} bytes
 * @param {{scan: import("./text.js").Scan, repair: import("./text.js").Repair}} preview
 * @param {() => void} look shows the whole result
 */
export function commonCard(bytes, { scan, repair }, look) {
  const { sentence, term } = verdict(scan);
  return h(
    "article",
    { class: "card" },
    h("h3", {}, sentence),
    h("p", {}, h("code", { class: "term" }, term)),
    h(
      "dl",
      { class: "change" },
      h("dt", {}, "before"),
      h("dd", {}, visible(new TextDecoder().decode(bytes))),
      h("dt", {}, "after"),
      h("dd", {}, visible(repair.text)),
    ),
    h(
      "p",
      { class: "buttons" },
      h(
        "button",
        { type: "button", class: "small", "aria-label": `Look closer: ${sentence}`, click: look },
        "Look closer",
      ),
    ),
  );
}
