/**
 * cells.js: the ill-formed cells of a CSV file, each repaired as utf8_audit decides it among its
 * column and table. Runs in the worker.
 *
 * @typedef {{from: number, to: number, text: string}} Patch the bytes of a field, and what
 *   replaces them
 */
import { dialect, quoted, records, unquoted } from "./csv.js";
import { audit, findings } from "./database.js";

/** As many rows as utf8_audit reads for their well-formed values. */
const CLEAN_ROWS = 2000;
const COLUMNS_MAX = 2000;
const OPTIONS = { policy: "auto", suspects: false };

/**
 * Decides about all ill-formed cells. Returns null if the file is not a table.
 * @param {import("./utf8ext.js").Database} db empty
 * @param {Uint8Array} bytes
 * @param {string} name of the file
 * @param {(done: number) => void} progress
 */
export function repairCells(db, bytes, name, progress) {
  const form = dialect(bytes, name);
  db.run("BEGIN; CREATE TABLE cells(c0 TEXT)");
  const rows = stage(db, bytes, form);
  db.run("COMMIT");
  if (rows === null) return null;
  const summary = audit(db, OPTIONS, progress);
  const patches = readPatches(db, bytes, rows, form.delimiter);
  return {
    patches,
    rows: rows.size,
    columns: columnNames(bytes, form, patches),
    groups: summary.groups,
    found: summary.found,
    findings: findings(db),
  };
}

/** Fills the table `cells`, whose rowid is the number of the row, from 1.
 * Returns the fields of ill-formed rows; null if there are more columns than SQLite has. */
function stage(db, bytes, form) {
  const illFormed = new Map();
  const isIllFormedBefore = errorsIn(db, bytes);
  let [number, width] = [0, 1];
  for (const fields of records(bytes, form)) {
    number++;
    if (isIllFormedBefore(fields.at(-1).to)) illFormed.set(number, fields);
    else if (number > CLEAN_ROWS) continue;
    if (fields.length > COLUMNS_MAX) return null;
    for (; width < fields.length; width++) db.run(`ALTER TABLE cells ADD COLUMN c${width} TEXT`);
    insert(
      db,
      number,
      fields.map(({ from, to }) => unquoted(bytes.subarray(from, to))),
    );
  }
  return illFormed;
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

/** @returns {Patch[]} in the order of the file; binary cells are kept */
function readPatches(db, bytes, rows, delimiter) {
  const sql = `SELECT key, CAST(substr(column_name, 2) AS INTEGER), repaired
    FROM temp.utf8_audit('main', 'auto')
    WHERE table_name = 'cells' AND repaired IS NOT NULL`;
  const patches = Array.from(db.rows(sql), ([key, place, text]) => {
    const { from, to } = rows.get(Number(key))[place];
    return { from, to, text: quoted(text, delimiter, bytes[from] === 0x22) };
  });
  return patches.sort((a, b) => a.from - b.from);
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
