/**
 * restored.js: cells that were misread as their line shows, where utf8_audit is sure of the line and not
 * of the cell, as in `utf8ext import` (python/tests/doors.py). Runs in the worker.
 *
 * @typedef {import("./cells.js").Staged} Staged
 * @typedef {{key: number, column: string, text: string}} Value a cell, and what it was before
 */
import { records, unquoted } from "./csv.js";
import { addMisread, repairedValues } from "./database.js";
import rules from "./rules.js";

const MISREAD =
  "SELECT key, cause, repaired FROM temp.utf8_audit('main', 'auto', 1) WHERE error = 'mojibake'";

/** Misread text has two code points side by side that are not ASCII. */
const PAIR = /[^\0-\x7f]{2}/;

/** Has a table cells that may be misread, and that its audit has not found? @param {Staged} table */
export function hasOpenCells({ db, bytes, rows }) {
  const places = db.rows("SELECT key, column_name FROM temp.utf8_found");
  const found = new Set(Array.from(places, ([key, column]) => `${key} ${column}`));
  for (const [key, fields] of rows) {
    const isOpen = (field, place) =>
      !found.has(`${key} c${place}`) && PAIR.test(decoded(fieldOf(bytes, field)));
    if (fields.some(isOpen)) return true;
  }
  return false;
}

/**
 * Adds cells of lines that were restored to what was found in a table, and returns them. Each cell of such
 * a line must be the same there, or have been misread as a whole and be there what it was before.
 * @param {Staged} table
 * @param {Staged} lines of the same file
 * @param {{policy: string, suspects: boolean}} options of both audits
 * @returns {Value[]}
 */
export function addRestored(table, lines, options) {
  const found = new Map(
    repairedValues(table.db, options).map(({ key, column, text }) => [`${key} ${column}`, text]),
  );
  const keys = new Map(Array.from(table.rows, ([key, fields]) => [fields[0].from, key]));
  const added = [];
  for (const [number, cause, line] of lines.db.rows(MISREAD)) {
    const [{ from, to }] = lines.rows.get(number);
    const key = keys.get(from);
    const fields = table.rows.get(key);
    if (fields?.at(-1).to !== to) continue;
    const cells = restoredCells(table, fields, new TextEncoder().encode(line), cause);
    const known = ({ column }) => found.get(`${key} ${column}`);
    if (cells.some((cell) => (known(cell) ?? cell.text) !== cell.text)) continue;
    const unknown = cells.filter((cell) => cell.text !== cell.before && known(cell) === undefined);
    added.push(...unknown.map((cell) => ({ key, ...cell })));
  }
  for (const value of added) addMisread(table.db, { table: "cells", ...value });
  return added;
}

/** The cells of a row, each as it is and as it is in its restored line; none if one of them is another there,
 * but was not misread as a whole. */
function restoredCells({ db, bytes, form }, fields, line, cause) {
  const [restored = []] = records(line, { from: 0, delimiter: form.delimiter });
  if (restored.length !== fields.length) return [];
  const cells = fields.map((field, place) => {
    const raw = fieldOf(bytes, field);
    const text = decoded(fieldOf(line, restored[place]));
    return { column: `c${place}`, cause, bytes: raw, before: decoded(raw), text };
  });
  /** Is a cell what it was before, or was it misread once or several times? */
  const was = ({ before, text }) =>
    before === text || db.value(rules.was, [before, text, cause]) === 1;
  return cells.every(was) ? cells : [];
}

function fieldOf(bytes, { from, to }) {
  return unquoted(bytes.subarray(from, to));
}

function decoded(bytes) {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}
