/**
 * kinds.js: the kinds of error and of suspicious text, each with a mark and a sentence. The mark
 * shows the kind without colour.
 */

/** @type {Record<string, {mark: string, meaning: string}>} */
export const ERRORS = {
  "stray continuation": { mark: "‹", meaning: "80..BF where a sequence should start" },
  truncated: { mark: "…", meaning: "the text ends inside a sequence" },
  incomplete: { mark: "¦", meaning: "a sequence is broken off by the byte after it" },
  overlong: { mark: "↔", meaning: "more bytes than the code point needs" },
  surrogate: { mark: "½", meaning: "a UTF-16 surrogate, which is no character" },
  "out of range": { mark: "↑", meaning: "above U+10FFFF" },
  "invalid byte": { mark: "×", meaning: "FE or FF, used in no version of UTF-8" },
};

/** @type {Record<string, string>} */
export const SUSPECTS = {
  nul: "U+0000, at which C programs stop",
  control: "a control character",
  bom: "a byte order mark at the start",
  "replacement character": "U+FFFD: something was lost before",
  noncharacter: "a code point that is no character",
  "bidi control": "a character that changes the order in which text is shown, as in Trojan Source",
  invisible: "a character that nobody sees",
  mojibake: "UTF-8 that was read in another charset and encoded again",
};

/** The class that colours a kind: "kind-stray-continuation". */
export function kindClass(kind) {
  return `kind-${kind.replaceAll(" ", "-")}`;
}
