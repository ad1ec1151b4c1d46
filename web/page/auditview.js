/** auditview.js: what an audit of a database found, and its repair. */
import { count, h, number, table } from "./dom.js";
import { toHex } from "./hex.js";
import { kindClass } from "./kinds.js";
import { visible } from "./visible.js";
import { causeShort, charsetName } from "./words.js";

/** One sentence about the database. */
export function auditVerdict({ found, tables, encoding }, { suspects }) {
  const where = `${count(tables, "table")} and the schema, in ${encoding}`;
  const what = suspects ? "broken or suspicious value" : "broken value";
  if (found.rows === 0) return `Nothing is wrong: no ${what} in ${where}.`;
  const repairable = `${number(found.repairable)} can be repaired`;
  return `${count(found.rows, what)}: ${repairable}. Searched: ${where}.`;
}

/** What was found, by table, column and cause. */
export function showGroups(root, groups) {
  const rows = groups.map(({ table, column, kind, cause, count, repairable }) => [
    visible(table),
    column === null ? "" : visible(column),
    what(kind, cause),
    number(count),
    number(repairable),
  ]);
  root.replaceChildren(
    table(
      "By table and column",
      ["table", "column", "what happened", "values", "repairable"],
      rows,
    ),
  );
}

/** The cause in words, and the exact terms: kind of error, and cause. */
function what(kind, cause) {
  const words = cause === null ? [] : [whatWords(kind, cause), h("br")];
  return h("span", {}, ...words, badge(kind, kind), " ", cause === null ? "" : term(cause));
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

/** The first findings, before and after. */
export function showFindings(root, findings, found) {
  const headers = ["table", "column", "key", "before", "after", "what happened", "SQL"];
  root.replaceChildren(
    table(shownOf(findings, found, "finding"), headers, findings.map(findingCells)),
  );
}

/** "All 7 cells", or "The first 500 of 1,000 cells" */
export function shownOf(list, { rows }, noun) {
  return list.length < rows
    ? `The first ${number(list.length)} of ${count(rows, noun)}`
    : `All ${count(rows, noun)}`;
}

function findingCells(finding) {
  const { table, column, key, kind, cause, repaired, sql } = finding;
  return [
    visible(table),
    visible(column ?? ""),
    h("span", { class: "key" }, visible(key ?? "")),
    before(finding),
    repaired === null ? "" : visible(repaired),
    what(kind, cause),
    sql === null
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
  const left =
    remaining > 0
      ? `A new audit finds ${count(remaining, "value")}.`
      : "A new audit finds nothing.";
  return `${count(repaired, "value")} repaired in a copy. ${left} Your file is unchanged.`;
}
