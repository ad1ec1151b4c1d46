/** auditview.js: what an audit of a database found, and its repair. */
import { count, h, number, table } from "./dom.js";
import { toHex } from "./hex.js";
import { kindClass } from "./kinds.js";
import { visible } from "./visible.js";

/** One sentence about the database. */
export function auditVerdict({ found, tables, encoding }) {
  const where = `${count(tables, "table")} and the schema, in ${encoding}`;
  if (found.rows === 0) return `No ill-formed value in ${where}.`;
  return `${count(found.rows, "finding")} in ${where}. ${number(found.repairable)} can be repaired.`;
}

/** Findings by table, column, kind and cause. */
export function showGroups(root, groups) {
  const rows = groups.map(({ table, column, kind, cause, count, repairable }) => [
    visible(table),
    column === null ? "" : visible(column),
    kindBadge(kind),
    number(count),
    number(repairable),
    cause ?? "",
  ]);
  root.replaceChildren(
    table(
      "By table and column",
      ["table", "column", "kind", "values", "repairable", "cause"],
      rows,
    ),
  );
}

function kindBadge(kind) {
  return h("span", { class: `badge ${kindClass(kind)}` }, visible(kind));
}

/** The first findings, before and after. */
export function showFindings(root, findings, found) {
  const shown =
    findings.length < found.rows
      ? `The first ${number(findings.length)} of ${count(found.rows, "finding")}`
      : "All findings";
  const headers = ["table", "column", "key", "byte", "kind", "before", "after", "SQL"];
  root.replaceChildren(table(shown, headers, findings.map(findingCells)));
}

function findingCells(finding) {
  const { table, column, key, offset, kind, repaired, sql } = finding;
  return [
    visible(table),
    visible(column ?? ""),
    h("span", { class: "key" }, visible(key ?? "")),
    offset === null ? "" : number(offset),
    kindBadge(kind),
    before(finding),
    repaired === null ? "" : visible(repaired),
    sql === null
      ? "none"
      : h("details", {}, h("summary", {}, "UPDATE"), h("code", {}, visible(sql))),
  ];
}

/** The bytes around the first error: ASCII as text, other bytes in hexadecimal. */
function before({ piece, pieceAt, offset }) {
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
export function repairSentence({ repaired, failed, remaining }) {
  const failures = failed > 0 ? ` ${count(failed, "statement")} failed.` : "";
  const left =
    remaining > 0
      ? ` A new audit has ${count(remaining, "finding")}.`
      : " A new audit finds nothing.";
  return `${count(repaired, "value")} repaired in a copy.${failures}${left} Your file is unchanged.`;
}

export function showFailures(root, failures) {
  root.replaceChildren();
  if (failures.length > 0) {
    root.append(
      table(
        "Statements that failed and changed nothing",
        ["message", "SQL"],
        failures.map(({ message, sql }) => [visible(message), visible(sql)]),
      ),
    );
  }
}
