/** cellsview.js: the repaired cells of a CSV file. */
import { before, shownOf } from "./auditview.js";
import { count, h, number, table } from "./dom.js";
import { visible } from "./visible.js";
import { causeShort } from "./words.js";

/** One sentence about the file, and its causes. */
export function cellsVerdict({ found, rows, groups }) {
  const causes = new Set(groups.map(({ cause }) => cause));
  const sentence =
    `${count(found.rows, "cell")} in ${count(rows, "row")} ${found.rows === 1 ? "is" : "are"} ` +
    "broken. Each is repaired by its own cause";
  return { sentence, term: [...causes].join(", ") };
}

/**
 * The cells before and after, and the repaired file as the first download.
 * @param {HTMLElement} root
 * @param {any} cells what the worker has found
 * @param {() => void} download
 */
export function showCells(root, cells, download) {
  const button = h(
    "button",
    { type: "button", class: "main", click: download },
    "Download the repaired CSV",
  );
  const kept = cells.found.rows - cells.patches;
  const rows = cells.findings.map((finding) => cellRow(finding, cells.columns));
  root.replaceChildren(
    h("p", { class: "buttons" }, button),
    h("ul", { class: "legend" }, ...byCause(cells.groups)),
    ...(kept > 0 ? [h("p", { class: "note" }, `${count(kept, "cell")} kept.`)] : []),
    table(
      shownOf(cells.findings, cells.found, "cell"),
      ["row", "column", "before", "after", "what happened"],
      rows,
    ),
  );
}

/** "3 cells: letters lost" for each cause */
function byCause(groups) {
  const counts = new Map();
  for (const { cause, count } of groups) counts.set(cause, (counts.get(cause) ?? 0) + count);
  return Array.from(counts, ([cause, times]) =>
    h("li", {}, `${count(times, "cell")}: ${causeShort(cause)} `, term(cause)),
  );
}

function term(cause) {
  return h("code", { class: "term" }, cause);
}

/** The number of a row counts from 1, with the header. */
function cellRow(finding, columns) {
  const place = Number(finding.column.slice(1));
  return [
    number(Number(finding.key)),
    visible(columns[place] ?? `column ${place + 1}`),
    before(finding),
    finding.repaired === null ? "kept" : visible(finding.repaired),
    h("span", {}, `${causeShort(finding.cause)} `, term(finding.cause)),
  ];
}
