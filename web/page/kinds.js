/**
 * kinds.js: the kinds of error and of suspicious text, each with a sentence, as kinds.json has them.
 * The mark of an error shows its kind without colour.
 */

const response = await fetch(new URL("kinds.json", import.meta.url));
const kinds = await response.json();

/** @type {Record<string, {mark: string, meaning: string}>} */
export const ERRORS = kinds["ill-formed"];

/** @type {Record<string, {meaning: string}>} */
export const SUSPECTS = { ...kinds.suspicious, ...kinds.mojibake };

/** The class that colours a kind: "kind-stray-continuation". */
export function kindClass(kind) {
  return `kind-${kind.replaceAll(" ", "-")}`;
}
