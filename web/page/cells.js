/**
 * cells.js: the ill-formed and misread cells of a CSV file, each repaired as utf8_audit decides it
 * among its column and table. Runs in the worker.
 *
 * @typedef {{from: number, to: number, text: string}} Patch the bytes of a field, and what
 *   replaces them
 */
import { dialect, quoted, records, unquoted } from "./csv.js";
import { audit, findings, repairedValues, summary } from "./database.js";

/** As many rows as utf8_audit reads for their well-formed values. */
const CLEAN_ROWS = 2000;
const COLUMNS_MAX = 2000;
const OPTIONS = { policy: "auto", suspects: false };

/**
 * Audits the cells. Returns null if the file is not a table.
 * @param {import("./utf8ext.js").Database} db empty
 * @param {Uint8Array} bytes
 * @param {string} name of the file
 * @param {(done: number) => void} progress
 */
export function stageCells(db, bytes, name, progress) {
  const form = dialect(bytes, name);
  db.run("BEGIN; CREATE TABLE cells(c0 TEXT)");
  const rows = stage(db, bytes, form);
  db.run("COMMIT");
  if (rows === null) return null;
  audit(db, OPTIONS, progress);
  return { db, bytes, form, rows };
}

/** What was found, after what a person has chosen. */
export function cellsFound({ db, bytes, form, rows }) {
  const first = patches({ db, bytes, form, rows });
  return {
    ...summary(db),
    rows: rows.size,
    columns: columnNames(bytes, form, first),
    findings: findings(db),
  };
}

/** Fills the table `cells`, whose rowid is the number of the row, from 1. Returns the fields of rows
 * that are ill-formed or misread; null if there are more columns than SQLite has. */
function stage(db, bytes, form) {
  const broken = new Map();
  const isIllFormedBefore = errorsIn(db, bytes);
  let [number, width] = [0, 1];
  for (const fields of records(bytes, form)) {
    const row = bytes.subarray(fields[0].from, fields.at(-1).to);
    number++;
    if (isIllFormedBefore(fields.at(-1).to) || isMisread(db, row)) broken.set(number, fields);
    else if (number > CLEAN_ROWS) continue;
    if (fields.length > COLUMNS_MAX) return null;
    for (; width < fields.length; width++) db.run(`ALTER TABLE cells ADD COLUMN c${width} TEXT`);
    insert(
      db,
      number,
      fields.map(({ from, to }) => unquoted(bytes.subarray(from, to))),
    );
  }
  return broken;
}

function isMisread(db, row) {
  return (
    row.some((byte) => byte > 0x7f) &&
    db.value("SELECT utf8_mojibake(CAST(? AS TEXT)) IS NOT NULL", [row]) === 1
  );
}

/** Returns a function: is there an error before `end`, after that of the call before? */
function errorsIn(db, bytes) {
  const sql = "SELECT offset FROM utf8_each(?) WHERE error > '' ORDER BY offset";
  const offsets = db.rows(sql, [bytes]);
  let next = offsets.next();
  return (end) => {
    const isBefore = !next.done && next.value[0] < end;
    while (!next.done && next.value[0] < end) next = offsets.next();
    return isBefore;
  };
}

function insert(db, number, cells) {
  const columns = cells.map((_, i) => `, c${i}`).join("");
  const values = ", CAST(? AS TEXT)".repeat(cells.length);
  db.value(`INSERT INTO cells(rowid${columns}) VALUES (?${values})`, [number, ...cells]);
}

/** @returns {Patch[]} in the order of the file; unclear and binary cells are kept */
export function patches({ db, bytes, form, rows }) {
  const list = repairedValues(db, OPTIONS).map(({ key, column, text }) => {
    const { from, to } = rows.get(Number(key))[Number(column.slice(1))];
    return { from, to, text: quoted(text, form.delimiter, bytes[from] === 0x22) };
  });
  return list.sort((a, b) => a.from - b.from);
}

/** The names in the first row, repaired. */
function columnNames(bytes, form, patches) {
  const [fields = []] = records(bytes, form);
  return fields.map(({ from, to }) => {
    const patch = patches.find((patch) => patch.from === from);
    const raw = patch ? new TextEncoder().encode(patch.text) : bytes.subarray(from, to);
    return new TextDecoder().decode(unquoted(raw));
  });
}

/** The file with its cells repaired. All other bytes stay. @param {Patch[]} patches */
export function patched(blob, patches) {
  const parts = [];
  let at = 0;
  for (const { from, to, text } of patches) {
    parts.push(blob.slice(at, from), text);
    at = to;
  }
  return new Blob([...parts, blob.slice(at)], { type: "text/csv" });
}
