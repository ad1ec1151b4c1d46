/** cellsview.js: the repaired cells of a CSV file, or lines of a text file. */
import { after, before, outcome, shownOf } from "./auditview.js";
import { count, h, number, table } from "./dom.js";
import { visible } from "./visible.js";
import { causeShort } from "./words.js";

/** One sentence about the file, and its causes after what its sections or all of it were in. */
export function cellsVerdict({ found, rows, groups, isLines, charset }, sections = "") {
  const causes = new Set(groups.map(({ kind, cause }) => causeTerm(kind, cause)));
  const places = isLines
    ? count(found.rows, "line")
    : `${count(found.rows, "cell")} in ${count(rows, "row")}`;
  const sentence = `${places} ${found.rows === 1 ? "is" : "are"} broken or misread: ${outcome(found)}`;
  return { sentence, term: [sections || charset, ...causes].filter(Boolean).join(", ") };
}

/**
 * The cells before and after, and the repaired file as the first download.
 * @param {HTMLElement} root
 * @param {any} cells what the worker has found
 * @param {() => void} download
 * @param {(choice: import("./choices.js").Choice) => void} choose takes a reading of an unclear cell
 */
export function showCells(root, cells, download, choose) {
  const button = h(
    "button",
    { type: "button", class: "main", click: download },
    cells.isLines ? "Download the repaired text" : "Download the repaired CSV",
  );
  const noun = cells.isLines ? "line" : "cell";
  const rows = cells.findings.map((finding) => cellRow(finding, cells, choose));
  root.replaceChildren(
    h("p", { class: "buttons" }, button),
    h("ul", { class: "legend" }, ...byCause(cells.groups, noun)),
    table(
      shownOf(cells.findings, cells.found, noun),
      [...(cells.isLines ? ["line"] : ["row", "column"]), "before", "after", "what happened"],
      rows,
    ),
  );
}

/** "3 cells: letters lost" for each cause */
function byCause(groups, noun) {
  const counts = new Map();
  for (const { kind, cause, count } of groups) {
    const name = causeTerm(kind, cause);
    counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return Array.from(counts, ([cause, times]) =>
    h("li", {}, `${count(times, noun)}: ${causeShort(cause)} `, term(cause)),
  );
}

/** The cause, and what tells misread text from text in the charset: "mojibake windows-1252" */
function causeTerm(kind, cause) {
  return kind === "mojibake" ? `mojibake ${cause}` : cause;
}

function term(cause) {
  return h("code", { class: "term" }, cause);
}

/** The number of a row counts from 1, with the header. */
function cellRow(finding, { columns, isLines }, choose) {
  const place = Number(finding.column.slice(1));
  const cause = causeTerm(finding.kind, finding.cause);
  return [
    number(Number(finding.key)),
    ...(isLines ? [] : [visible(columns[place] ?? `column ${place + 1}`)]),
    before(finding),
    after(finding, choose),
    h("span", {}, `${causeShort(cause)} `, term(cause)),
  ];
}
