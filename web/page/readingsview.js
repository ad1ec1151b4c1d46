/** readingsview.js: the readings of an unclear value, as buttons. */
import { h } from "./dom.js";
import { visible } from "./visible.js";
import { causeShort } from "./words.js";

/**
 * @param {import("./database.js").Finding} finding
 * @param {(choice: import("./choices.js").Choice) => void} choose
 */
export function readingButtons({ id, readings, chosen }, choose) {
  const start = Math.max(commonStart(readings) - BEFORE, 0);
  const buttons = readings.map(({ text, cause }, reading) =>
    h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "small",
          "aria-pressed": String(text === chosen),
          click: () => choose({ id, reading, all: false }),
        },
        start > 0 ? "…" : "",
        visible(
          Array.from(text)
            .slice(start, start + SHOWN)
            .join(""),
        ),
      ),
      " ",
      causeShort(cause),
      " ",
      h(
        "button",
        {
          type: "button",
          class: "link",
          "aria-label": `${causeShort(cause)}: for all like it`,
          click: () => choose({ id, reading, all: true }),
        },
        "for all like it",
      ),
    ),
  );
  return h("ul", { class: "readings", id: `readings-${id}` }, ...buttons);
}

const BEFORE = 24;
const SHOWN = 72;

/** How many characters all readings start with. */
function commonStart(readings) {
  const texts = readings.map(({ text }) => Array.from(text.slice(0, 10_000)));
  let at = 0;
  while (at < texts[0].length && texts.every((text) => text[at] === texts[0][at])) at++;
  return texts.length > 1 ? at : 0;
}
