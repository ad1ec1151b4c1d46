/** textview.js: the repairs, charsets and SQL of a text. */
import { copyButton, count, derivedName, h, number, save, sqlBlock } from "./dom.js";
import { toHex } from "./hex.js";
import { SUSPECTS } from "./kinds.js";
import { visible } from "./visible.js";
import { causeEffect, causeSentence, charsetName, mojibakeSentence, policyWords } from "./words.js";

/** @param {import("./text.js").Scan} scan */
function countErrors({ kinds }) {
  return Object.values(kinds).reduce((sum, times) => sum + times, 0);
}

/** What utf8_detect answers about UTF-8, which needs no conversion. */
const UTF8 = ["ascii", "utf-8", "utf-8-bom"];

/**
 * One sentence about the whole text, and the exact term for it.
 * @param {import("./text.js").Scan} scan
 * @returns {{sentence: string, term: string}}
 */
export function verdict({ kinds, suspect, decided, size, sections }) {
  const { cause } = decided;
  if (countErrors({ kinds }) > 0 || !UTF8.includes(cause))
    return { sentence: causeSentence(cause, countErrors({ kinds })), term: cause };
  if (suspect?.kind === "mojibake")
    return { sentence: mojibakeSentence(suspect.cause), term: `mojibake, ${suspect.cause}` };
  if (suspect && !sections) return { sentence: suspectSentence(suspect), term: suspect.kind };
  if (sections) return { sentence: "This file is in more than one encoding", term: sections };
  return { sentence: `Nothing is wrong with this text: ${count(size, "byte")}`, term: cause };
}

function suspectSentence({ kind, offset }) {
  return `This text hides something. At byte ${number(offset)} is ${SUSPECTS[kind].meaning}`;
}

/** What the first repair does. @param {import("./text.js").Scan} scan */
function effect({ kinds, suspect, decided, sections }) {
  if (countErrors({ kinds }) > 0 || !UTF8.includes(decided.cause))
    return causeEffect(decided.cause);
  if (suspect?.kind === "mojibake") return "The misreading is undone. Text that was right is kept.";
  if (sections) return "Each section was read as what it is, and all are UTF-8 now.";
  return "Without what is hidden. Everything else is kept.";
}

/**
 * The likely repair.
 * @param {HTMLElement} root
 * @param {import("./text.js").Repair} repair
 * @param {import("./text.js").Scan} scan
 * @param {(policy: string) => void} download saves the whole file, repaired
 */
export function showBest(root, repair, scan, download) {
  root.replaceChildren(
    h(
      "article",
      { class: "card best" },
      h("p", { class: "sample", tabindex: 0 }, visible(repair.text)),
      h("p", {}, effect(scan)),
      buttons(repair, "the repaired text", true, download),
      h("code", {}, callOf(repair.call, "X")),
    ),
  );
}

/** The other results, each with how it differs. */
export function showOthers(root, repairs, download) {
  root.replaceChildren(
    ...repairs.map((repair) =>
      h(
        "article",
        { class: "card" },
        h("h3", {}, differences(repair)),
        h("p", { class: "note" }, repair.policies.join(", ")),
        h("p", { class: "sample", tabindex: 0 }, visible(repair.text)),
        h("code", {}, callOf(repair.call, "X")),
        buttons(repair, `the text repaired with ${repair.policies[0]}`, false, download),
      ),
    ),
  );
}

/** How a result differs: of its policies, the first one's words. */
export function differences({ policies }) {
  return policyWords(policies[0]);
}

function buttons({ policies, text }, label, isMain, download) {
  return h(
    "p",
    { class: "buttons" },
    h(
      "button",
      {
        type: "button",
        class: isMain ? "main" : "small",
        "aria-label": `Download ${label}`,
        click: () => download(policies[0]),
      },
      isMain ? "Download the repaired text" : "Download",
    ),
    copyButton(label, text),
  );
}

/** What the page says about the bytes in one line. @param {import("./text.js").Scan} scan */
export function bytesWords(scan) {
  const errors = countErrors(scan);
  if (errors === 0)
    return `${count(scan.size, "byte")}, ${count(scan.codepoints, "code point")}, well-formed UTF-8`;
  const [{ kind, offset, line }] = scan.errors;
  return `${count(errors, "error")}: the first is ${kind} at byte ${number(offset)}, line ${number(line)}`;
}

/** The charset in one line. @param {import("./text.js").Scan} scan */
export function charsetWords({ kinds, decided }, candidates) {
  const what = countErrors({ kinds }) > 0 ? "utf8_cause" : "utf8_detect";
  const readings = candidates.length > 1 ? `; ${count(candidates.length, "reading")}` : "";
  return `${what}: ${decided.cause}${readings}`;
}

/** How plausible the text is in each charset. */
export function showCharsets(root, candidates, note) {
  root.replaceChildren(
    ...(note ? [h("p", { class: "note" }, note)] : []),
    h("ul", { class: "candidates" }, ...candidates.map(candidate)),
  );
}

function candidate({ name, score, text }) {
  return h(
    "li",
    {},
    h("span", { class: "name" }, name),
    h("meter", { min: 0, max: 1, value: score, "aria-label": `Plausibility as ${name}` }),
    h("span", { class: "score" }, score.toFixed(2)),
    h("span", { class: "sample" }, visible(text)),
  );
}

/**
 * The SQL that does with utf8ext what the page did.
 * @param {HTMLElement} root
 * @param {string} literal the text as SQL
 * @param {string | null} repair a call with ?1
 * @param {boolean} isIllFormed
 */
export function showSql(root, literal, repair, isIllFormed) {
  const x = literal;
  const cause = isIllFormed ? "utf8_cause" : "utf8_suspect";
  const lines = [
    `SELECT utf8_valid(${x}), utf8_error(${x}), utf8_error_offset(${x});`,
    `SELECT offset, bytes, notation, char, error FROM utf8_each(${x});`,
    `SELECT ${cause}(${x}), utf8_detect(${x})${repair ? `, ${callOf(repair, x)}` : ""};`,
  ];
  if (repair) lines.push("", "-- a whole column:", updateSql(repair, isIllFormed));
  root.replaceChildren(sqlBlock("SQL for this text", lines.join("\n")));
}

/** A call with an expression for ?1. */
function callOf(call, expression) {
  return call.replace("?1", () => expression);
}

function updateSql(repair, isIllFormed) {
  const c = callOf(repair, "c");
  return `UPDATE t SET c = ${c} WHERE ${isIllFormed ? "NOT utf8_valid(c)" : `c <> ${c}`};`;
}

const LITERAL_MAX = 200;

/** A text as SQL: its bytes, or the function of the sqlite3 shell that reads its file. */
export async function literalOf(blob, name) {
  if (blob.size > LITERAL_MAX) return `readfile('${(name ?? "text.txt").replaceAll("'", "''")}')`;
  return `x'${toHex(new Uint8Array(await blob.arrayBuffer()))}'`;
}

/** Saves a repaired file: "orders.repaired.csv" */
export function saveRepaired(blob, name, mark) {
  save(blob, derivedName(name ?? "text.txt", mark));
}
