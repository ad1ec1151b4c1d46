/** auditview.js: what an audit of a database found, and its repair. */
import { count, h, number, table } from "./dom.js";
import { toHex } from "./hex.js";
import { kindClass } from "./kinds.js";
import { readingButtons } from "./readingsview.js";
import { visible } from "./visible.js";
import { causeShort, charsetName } from "./words.js";

/** One sentence about the database. */
export function auditVerdict({ found, tables, encoding }, { suspects }) {
  const where = `${count(tables, "table")} and the schema, in ${encoding}`;
  const what = suspects ? "broken, misread or suspicious value" : "broken or misread value";
  if (found.rows === 0) return `Nothing is wrong: no ${what} in ${where}.`;
  return `${count(found.rows, what)}: ${outcome(found)}. Searched: ${where}.`;
}

/** "11 restored, 6 lose a character, 1 is unclear", where each is counted once */
export function outcome({ restored, lost, unclear, kept }) {
  const parts = [
    [restored, "restored"],
    [lost, lost === 1 ? "loses a character" : "lose a character"],
    [unclear, unclear === 1 ? "is unclear" : "are unclear"],
    [kept, kept === 1 ? "stays as it is" : "stay as they are"],
  ];
  return parts
    .filter(([times]) => times > 0)
    .map(([times, words]) => `${number(times)} ${words}`)
    .join(", ");
}

/** What was found, by table, column and cause. */
export function showGroups(root, groups) {
  const rows = groups.map(({ table, column, kind, cause, kinds, count, restored, lost }) => [
    visible(table),
    column === null ? "" : visible(column),
    what(kind, cause, kinds),
    number(count),
    number(restored),
    number(lost),
  ]);
  root.replaceChildren(
    table(
      "By table and column",
      ["table", "column", "what happened", "values", "restored", "lose a character"],
      rows,
    ),
  );
}

/** The cause in words, and the exact terms: kinds of error, and cause. */
function what(kind, cause, kinds = [kind]) {
  const words = cause === null ? [] : [whatWords(kind, cause), h("br")];
  const badges = kinds.flatMap((kind) => [badge(kind, kind), " "]);
  return h("span", {}, ...words, ...badges, cause === null ? "" : term(cause));
}

function whatWords(kind, cause) {
  return kind === "mojibake" ? `misread as ${charsetName(cause)}` : causeShort(cause);
}

function badge(kind, text) {
  return h("span", { class: `badge ${kindClass(kind)}` }, visible(text));
}

function term(cause) {
  return h("code", { class: "term" }, cause);
}

/** The first findings, before and after. choose(choice) takes a reading of an unclear one. */
export function showFindings(root, findings, found, choose) {
  const headers = ["table", "column", "key", "before", "after", "what happened", "SQL"];
  const rows = findings.map((finding) => findingCells(finding, choose));
  root.replaceChildren(table(shownOf(findings, found, "finding"), headers, rows));
}

/** What becomes of a value: its repaired text, or its readings. */
export function after(finding, choose) {
  if (finding.readings.length > 0) return readingButtons(finding, choose);
  return finding.repaired === null ? "kept" : visible(finding.repaired);
}

/** Moves the focus to the readings of a finding, which were made anew. */
export function focusReadings(id) {
  document.querySelector(`#readings-${id} button`)?.focus();
}

/** "All 7 cells", or "The first 500 of 1,000 cells" */
export function shownOf(list, { rows }, noun) {
  return list.length < rows
    ? `The first ${number(list.length)} of ${count(rows, noun)}`
    : `All ${count(rows, noun)}`;
}

function findingCells(finding, choose) {
  const { table, column, key, kind, cause, state, sql } = finding;
  return [
    visible(table),
    visible(column ?? ""),
    h("span", { class: "key" }, visible(key ?? "")),
    before(finding),
    after(finding, choose),
    what(kind, cause),
    state === "kept" || state === "unclear" || finding.chosen !== null
      ? "none"
      : h("details", {}, h("summary", {}, "UPDATE"), h("code", {}, visible(sql))),
  ];
}

/** The bytes around the first error: ASCII as text, other bytes in hexadecimal. */
export function before({ piece, pieceAt, offset }) {
  if (!piece) return "";
  const at = offset - pieceAt;
  return h(
    "span",
    { class: "bytes" },
    pieceAt > 0 ? "…" : "",
    ...runs(piece.subarray(0, at)),
    h("mark", {}, ...runs(piece.subarray(at, at + 1))),
    ...runs(piece.subarray(at + 1)),
  );
}

function runs(bytes) {
  const list = [];
  for (let at = 0; at < bytes.length;) {
    const printable = isPrintable(bytes[at]);
    let end = at + 1;
    while (end < bytes.length && isPrintable(bytes[end]) === printable) end++;
    list.push(
      printable
        ? String.fromCharCode(...bytes.subarray(at, end))
        : h("b", {}, toHex(bytes.subarray(at, end), " ").toUpperCase()),
    );
    at = end;
  }
  return list;
}

function isPrintable(byte) {
  return byte >= 0x20 && byte < 0x7f;
}

/** What a repair did. */
export function repairSentence({ repaired, remaining }) {
  const values = repaired.restored + repaired.lost;
  const losses = repaired.lost > 0 ? `, ${number(repaired.lost)} with a lost character` : "";
  const left =
    remaining > 0
      ? `A new audit finds ${count(remaining, "value")}.`
      : "A new audit finds nothing.";
  return `${count(values, "value")} repaired in a copy${losses}. ${left} Your file is unchanged.`;
}
