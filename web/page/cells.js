/**
 * cells.js: the ill-formed and misread cells of a CSV file, or lines of a text file, each repaired as
 * utf8_audit decides it among its column and table. Runs in the worker.
 *
 * @typedef {{from: number, to: number, text: string}} Patch the bytes of a field, and what
 *   replaces them
 * @typedef {{db: import("./utf8ext.js").Database, bytes: Uint8Array, form: {from: number, delimiter: number | null},
 *   rows: Map<number, import("./csv.js").Field[]>, restored: import("./restored.js").Value[]}} Staged a table, or
 *   lines, after their audit. restored: cells that their lines have shown to be misread
 */
import { dialect, lineEnd, lines, quoted, records, unquoted } from "./csv.js";
import { audit, findings, repairedValues, summary } from "./database.js";
import { addRestored, hasOpenCells } from "./restored.js";
import rules from "./rules.js";
import { isMisread } from "./text.js";

const COLUMNS_MAX = 2000;
const BLOCK = 64 << 10;
const OPTIONS = { policy: "auto", suspects: false };

/**
 * Audits the cells of a table, or else the lines. Returns null if nothing is found, or if there are more
 * columns than SQLite has.
 * @param {import("./utf8ext.js").SQLite} sqlite
 * @param {Uint8Array} bytes
 * @param {string} name of the file
 * @param {string} cause of the file as a value
 * @param {(done: number) => void} progress
 */
export function stageCells(sqlite, bytes, name, cause, progress) {
  const stagedLines = (progress) =>
    bytes.length > rules.longest ? null : stageIn(sqlite.open(), bytes, lines(bytes), progress);
  const table = () => {
    const byLines = (staged) => restoreByLines(staged, stagedLines);
    return stageIn(sqlite.open(), bytes, dialect(bytes, name), progress, byLines);
  };
  if (/\.(csv|tsv|tab)$/i.test(name)) return table();
  const staged = stagedLines(progress);
  if (staged && cause === "cut") cutLastLine(staged);
  return staged && isUnclear(staged) ? clearer(staged, table()) : staged;
}

/** complete(staged) adds to what the audit has found. @returns {Staged | null} null if that is nothing */
function stageIn(db, bytes, form, progress, complete = (_) => {}) {
  let isUsed = false;
  try {
    db.run("BEGIN");
    const rows = stage(db, bytes, form);
    db.run("COMMIT");
    if (!rows) return null;
    audit(db, OPTIONS, progress);
    const staged = { db, bytes, form, rows, restored: [] };
    complete(staged);
    isUsed = summary(db).found.rows > 0;
    return isUsed ? staged : null;
  } finally {
    if (!isUsed) db.close();
  }
}

/** Adds the cells of a table that its lines show to be misread. stagedLines: stages them */
function restoreByLines(table, stagedLines) {
  const { db, bytes } = table;
  if (!hasOpenCells(table)) return;
  if (db.value("SELECT utf8_valid(?)", [bytes]) === 1 && !isMisread(db, bytes)) return;
  const lines = stagedLines(() => {});
  if (!lines) return;
  try {
    table.restored = addRestored(table, lines, OPTIONS);
  } finally {
    lines.db.close();
  }
}

/** Where the end of a file is cut, its last line alone may not show it. */
function cutLastLine({ db }) {
  db.run(`UPDATE temp.utf8_found SET cause = 'cut', state = 'lost',
      chosen = (SELECT utf8_repair(c0) FROM cells WHERE cells.rowid = CAST(key AS INTEGER))
    WHERE state = 'unclear' AND errors = 1 AND CAST(key AS INTEGER) = (SELECT max(rowid) FROM cells)`);
}

function isUnclear({ db }) {
  return summary(db).found.unclear > 0;
}

/** The cells of a table, each beside its column, if they show what the lines do not. */
function clearer(lines, table) {
  const isBetter = table !== null && table.form.delimiter !== null && !isUnclear(table);
  (isBetter ? lines : table)?.db.close();
  return isBetter ? table : lines;
}

/** What was found, after what a person has chosen. charset: of the file if it is UTF-16 or UTF-32, else "" */
export function cellsFound({ charset, ...staged }) {
  const { db, bytes, form } = staged;
  const first = patches(staged);
  return {
    ...summary(db),
    charset,
    isLines: form.delimiter === null,
    rows: db.value("SELECT count(DISTINCT key) FROM temp.utf8_found"),
    columns: columnNames(bytes, form, first),
    findings: findings(db),
  };
}

/** Fills the table `cells`, whose rowid is the number of the row, from 1, with rows that may be ill-formed or
 * misread and with the first others. Returns their fields; null if there are more columns than SQLite has. */
function stage(db, bytes, form) {
  db.run("CREATE TABLE cells(c0 TEXT)");
  const rows = new Map();
  const isIllFormedBefore = errorsIn(db, bytes);
  const isMisreadBefore = misreadIn(db, bytes);
  let [number, width] = [0, 1];
  for (const fields of records(bytes, form)) {
    const row = bytes.subarray(fields[0].from, fields.at(-1).to);
    number++;
    const isIllFormed = isIllFormedBefore(fields.at(-1).to);
    const mayBeMisread = isMisreadBefore(fields.at(-1).to);
    const isNeighbour = number <= rules.clean;
    if (!isNeighbour && !isIllFormed && !(mayBeMisread && isMisread(db, row))) continue;
    rows.set(number, fields);
    if (fields.length > COLUMNS_MAX) return null;
    for (; width < fields.length; width++) db.run(`ALTER TABLE cells ADD COLUMN c${width} TEXT`);
    insert(
      db,
      number,
      fields.map((field) => textOf(bytes, field, form)),
    );
  }
  return rows;
}

/** The bytes of a field's text: of a line, all. */
function textOf(bytes, { from, to }, { delimiter }) {
  const raw = bytes.subarray(from, to);
  return delimiter === null ? raw : unquoted(raw);
}

/** Returns a function for the ends of rows in their order: may the row that ends there be misread? It
 * looks at a block of lines as one. */
function misreadIn(db, bytes) {
  let [blockEnd, mayBe] = [0, false];
  return (end) => {
    if (end <= blockEnd) return mayBe;
    const [start, before] = [blockEnd, mayBe];
    blockEnd = Math.min(Math.max(end, lineEnd(bytes, start + BLOCK)), bytes.length);
    const block = bytes.subarray(start, blockEnd);
    mayBe = db.value("SELECT utf8_valid(?)", [block]) === 0 || isMisread(db, block);
    return mayBe || before; // where the row has started
  };
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
export function patches({ db, bytes, form, rows, restored }) {
  const list = [...repairedValues(db, OPTIONS), ...restored].map(({ key, column, text }) => {
    const { from, to } = rows.get(Number(key))[Number(column.slice(1))];
    const isLine = form.delimiter === null;
    return { from, to, text: isLine ? text : quoted(text, form.delimiter, bytes[from] === 0x22) };
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
