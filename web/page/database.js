/**
 * database.js: audits and repairs a database. Runs in the worker.
 *
 * @typedef {{policy: string, suspects: boolean}} AuditOptions
 * @typedef {"restored" | "lost" | "unclear" | "kept"} State what the repair does with a value: `lost`
 *   writes U+FFFD for a character, `unclear` waits for a choice
 * @typedef {{id: number, table: string, column: string | null, key: Value, offset: number | null, kind: string,
 *   errors: number | null, cause: string | null, piece: Uint8Array | null, pieceAt: number, repaired: string | null,
 *   sql: string | null, state: State, readings: import("./choices.js").Reading[], chosen: string | null}} Finding
 * @typedef {{rows: number} & Record<State, number>} Found how many values there are
 * @typedef {import("./utf8ext.js").Value} Value
 * @typedef {import("./utf8ext.js").Database} Database
 */
import { chosenUndo, chosenUpdate } from "./choices.js";

/** SQLite's memory for a database doubles as it grows; 1 GB is its limit. */
const DATABASE_MAX = 512 << 20;
const FINDINGS_SHOWN = 500;
const READINGS_SHOWN = 4;
const PIECE_BEFORE = 24;
const PIECE = 72;
const MAGIC = "SQLite format 3\0";

/** Does the file start as a database does? @param {Blob} blob */
export async function isDatabase(blob) {
  return (await blob.slice(0, MAGIC.length).text()) === MAGIC;
}

/**
 * Copies a file into memory and opens it.
 * @param {import("./utf8ext.js").SQLite} sqlite
 * @param {Blob} blob
 * @param {(done: number) => void} progress
 */
export async function openDatabase(sqlite, blob, progress) {
  if (blob.size > DATABASE_MAX)
    throw new RangeError("databases above 512 MB do not fit here: use the extension itself");
  return sqlite.openStream(blob.size, parts(blob, progress));
}

/** Yields the parts of a file, the first one without its sign of WAL mode, which needs files. */
async function* parts(blob, progress) {
  let at = 0;
  for await (const part of blob.stream()) {
    yield at === 0 ? withJournalMode(part, 1) : part;
    at += part.length;
    progress(at / blob.size);
  }
}

const WRITE_VERSION = 18;
const READ_VERSION = 19;

/** Returns a copy of the start of a database with these format versions: 1 is legacy, 2 is WAL. */
function withJournalMode(bytes, version) {
  const copy = bytes.slice();
  if (copy.length > READ_VERSION && copy[READ_VERSION] === 2)
    copy[WRITE_VERSION] = copy[READ_VERSION] = version;
  return copy;
}

/** Is the file in WAL mode? Changes may then be in another file beside it. @param {Blob} blob */
export async function isWal(blob) {
  return new Uint8Array(await blob.slice(READ_VERSION, READ_VERSION + 1).arrayBuffer())[0] === 2;
}

/**
 * Audits the database into the table temp.utf8_found, and returns a summary.
 * @param {Database} db
 * @param {AuditOptions} options
 * @param {(done: number) => void} progress
 */
export function audit(db, options, progress) {
  createFound(db);
  const tables = tableSizes(db);
  const total = tables.reduce((sum, table) => sum + table.size, 0) || 1;
  let done = 0;
  for (const { name, size } of tables) {
    auditTable(db, name, options);
    progress((done += size) / total);
  }
  return { ...describe(db), tables: tables.length - 1, ...summary(db) };
}

function createFound(db) {
  db.run(`DROP TABLE IF EXISTS temp.utf8_found;
    CREATE TEMP TABLE utf8_found(id INTEGER PRIMARY KEY, table_name, column_name, key, "offset",
      error, errors, cause, piece, after, sql, call, readings, state, chosen)`);
}

/** All tables in the order of the audit, with a weight for each. */
function tableSizes(db) {
  return [
    { name: "sqlite_master", size: 1 },
    ...tableNames(db).map((name) => ({ name, size: pages(db, name) })),
  ];
}

function tableNames(db) {
  const names = `SELECT DISTINCT utf8_repair(CAST(name AS TEXT), 'escape') FROM main.sqlite_master
    WHERE CAST(type AS TEXT) = 'table' COLLATE NOCASE AND rootpage > 0`;
  return Array.from(readable(db, names), ([name]) => name);
}

/** The rows of a query, up to the first that a damaged page hides. The audit reports that page. */
function* readable(db, sql) {
  try {
    yield* db.rows(sql);
  } catch (error) {
    if (error.code % 256 !== SQLITE_CORRUPT) throw error;
  }
}

const SQLITE_CORRUPT = 11;

function pages(db, name) {
  try {
    return (
      db.value("SELECT pageno FROM temp.dbstat WHERE schema = 'main' AND aggregate AND name = ?", [
        name,
      ]) ?? 1
    );
  } catch {
    return 1;
  }
}

/** The bytes around the first error, before and after the repair; after a repair that changes what
 * is before them, the start. */
const PIECES = `utf8_truncate(substr(value, start + 1, ${PIECE + 4}), ${PIECE}),
  utf8_truncate(substr(after, 1 + CASE WHEN substr(value, 1, start) = substr(after, 1, start)
    THEN start ELSE 0 END, ${PIECE + 4}), ${PIECE})`;

/** Has `repaired` more U+FFFD than the value? @param {string} value "0" if it may have some before */
const moreLost = (value) => `${lost("repaired")} > ${value}`;
const lost = (text) =>
  `coalesce(length(CAST(${text} AS BLOB)) - length(CAST(replace(${text}, char(0xFFFD), '') AS BLOB)), 0)`;

function isUtf8(db) {
  return db.value("PRAGMA encoding") === "UTF-8";
}

/** Stores the findings of a table. In a UTF-16 database a value has no bytes at `offset`, which
 * refers to its UTF-8 form, so no piece of it is kept. LIMIT and WHERE keep SQLite from computing
 * `repaired` for each of its uses. */
function auditTable(db, name, { policy, suspects }) {
  const isUnclear = policy === "auto" ? "cause IS 'unclear'" : "0";
  const sql = `INSERT INTO temp.utf8_found(table_name, column_name, key, "offset", error, errors, cause,
      piece, after, sql, call, readings, state)
    SELECT table_name, column_name, key, "offset", error, errors, cause,
      ${isUtf8(db) ? PIECES : "NULL, NULL"}, repair_sql, repair_call,
      CASE WHEN ${isUnclear} THEN readings END,
      CASE WHEN repair_sql IS NULL THEN 'kept' WHEN ${isUnclear} THEN 'unclear'
           WHEN ${moreLost(isUtf8(db) ? lost("CAST(value AS TEXT)") : "0")} THEN 'lost' ELSE 'restored' END
    FROM (SELECT table_name, column_name, key, "offset", error, errors, cause, repair_sql, repair_call, readings,
        value, repaired, CAST(repaired AS BLOB) AS after, max("offset" - ${PIECE_BEFORE}, 0) AS start
      FROM temp.utf8_audit('main', ?1, ?2) WHERE table_name = ?3 ${restriction(policy, suspects)} LIMIT -1)
    WHERE error > ''`;
  for (const _ of db.rows(sql, [policy, looksForMisread(policy, suspects), name]));
}

/**
 * Adds a value that was misread to what was found.
 * @param {Database} db
 * @param {{table: string, key: number, column: string, cause: string, bytes: Uint8Array, text: string}} value
 *   and the text that it becomes
 */
export function addMisread(db, { table, key, column, cause, bytes, text }) {
  const offset = bytes.findIndex((byte) => byte >= 0x80);
  const sql = `INSERT INTO temp.utf8_found(table_name, column_name, key, cause, "offset", error, piece, after, state)
    SELECT ?1, ?2, ?3, ?4, "offset", 'mojibake', ${PIECES}, 'restored'
    FROM (SELECT ?5 AS "offset", max(?5 - ${PIECE_BEFORE}, 0) AS start, ?6 AS value, CAST(?7 AS BLOB) AS after)`;
  db.value(sql, [table, column, key, cause, offset, bytes, text]);
}

/** The argument suspects of utf8_audit: under auto, text that was misread is always found. */
function looksForMisread(policy, suspects) {
  return Number(suspects || policy === "auto");
}

/** Leaves out other suspicious text, which has no cause. What cannot be read has no column. */
function restriction(policy, suspects) {
  return policy === "auto" && !suspects ? "AND (cause IS NOT NULL OR column_name IS NULL)" : "";
}

function describe(db) {
  const encoding = db.value("PRAGMA encoding");
  return { encoding, bytes: db.value("PRAGMA page_count") * db.value("PRAGMA page_size") };
}

/** What was found, after what a person has chosen. */
export function summary(db) {
  return { groups: groups(db), found: countFound(db) };
}

/** @returns {Found} */
function countFound(db) {
  const sql = "SELECT state, count(*) FROM temp.utf8_found GROUP BY state";
  const found = { rows: 0, restored: 0, lost: 0, unclear: 0, kept: 0 };
  for (const [state, count] of db.rows(sql)) {
    found[state] = count;
    found.rows += count;
  }
  return found;
}

/** Findings by table, column and cause. */
function groups(db) {
  const sql = `SELECT table_name, column_name, min(error), max(error = 'mojibake'), cause,
      group_concat(DISTINCT error), count(*), sum(state = 'restored'), sum(state = 'lost')
    FROM temp.utf8_found GROUP BY 1, 2, error = 'mojibake', cause, CASE WHEN cause IS NULL THEN error END
    ORDER BY min(id)`;
  return Array.from(
    db.rows(sql),
    ([table, column, kind, isMisread, cause, kinds, count, restored, lost]) => {
      const what = isMisread ? "mojibake" : kind;
      return { table, column, kind: what, cause, kinds: kinds.split(","), count, restored, lost };
    },
  );
}

/**
 * The first findings, each with what the policy makes of it.
 * @param {Database} db
 * @returns {Finding[]}
 */
export function findings(db) {
  const sql = `SELECT table_name, column_name, CAST(key AS TEXT), "offset", error, errors, cause, piece, after, sql,
      id, state, readings, chosen
    FROM temp.utf8_found ORDER BY id LIMIT ?`;
  return Array.from(
    db.rows(sql, [FINDINGS_SHOWN]),
    ([
      table,
      column,
      key,
      offset,
      kind,
      errors,
      cause,
      bytes,
      after,
      repair,
      id,
      state,
      all,
      chosen,
    ]) => {
      const piece = bytes && withoutCutStart(bytes, offset);
      const pieceAt = piece ? Math.max(offset - PIECE_BEFORE, 0) + bytes.length - piece.length : 0;
      const repaired = after && new TextDecoder().decode(withoutCutStart(after, offset));
      const readings = JSON.parse(all ?? "[]").slice(0, READINGS_SHOWN);
      const place = { id, table, column, key, offset, kind, errors, cause };
      return { ...place, piece, pieceAt, repaired, sql: repair, state, readings, chosen };
    },
  );
}

/** Drops the end of a sequence that the start of a piece cuts: up to the first error, the value is
 * well-formed, so only that is a continuation byte there. */
function withoutCutStart(bytes, offset) {
  if (offset <= PIECE_BEFORE) return bytes;
  return bytes.subarray(bytes.findIndex((byte) => (byte & 0xc0) !== 0x80));
}

/**
 * Runs each finding's repair in one transaction. If one fails, the error names the value, and the
 * caller drops this copy of the database.
 * @param {Database} db
 * @param {(done: number) => void} progress
 * @returns {Found} what was found before
 */
export function repairDatabase(db, progress) {
  const found = countFound(db);
  db.run("PRAGMA foreign_keys = OFF; BEGIN");
  const before = violations(db);
  runRepairs(db, progress);
  checkForeignKeys(before, violations(db));
  commit(db);
  return found;
}

/** The UPDATE of each value that is repaired, with its place. */
function repairs(db) {
  const sql = `SELECT table_name, column_name, CAST(key AS TEXT), sql, call, chosen FROM temp.utf8_found
    WHERE state IN ('restored', 'lost') ORDER BY id`;
  return Array.from(db.rows(sql), ([table, column, key, sql, call, chosen]) => {
    const update = chosen === null ? sql : chosenUpdate(table, column, sql, call, chosen);
    return { place: `${table}.${column}, key ${key}`, update };
  });
}

function runRepairs(db, progress) {
  const all = repairs(db);
  all.forEach(({ place, update }, i) => {
    try {
      db.run(update);
    } catch ({ message }) {
      throw new Error(`${place}: ${message}; nothing was repaired`);
    }
    if (i % 1000 === 0) progress(i / all.length);
  });
}

/** How many rows of each table violate a foreign key. @returns {Map<string, number>} */
function violations(db) {
  return new Map(tableNames(db).map((name) => [name, violationsOf(db, name)]));
}

/** Returns 0 if SQLite cannot check: then it does not enforce the foreign key either. */
function violationsOf(db, name) {
  try {
    return db.value("SELECT count(*) FROM temp.pragma_foreign_key_check(?, 'main')", [name]);
  } catch {
    return 0;
  }
}

function checkForeignKeys(before, after) {
  for (const [table, count] of after) {
    const more = count - before.get(table);
    if (more > 0)
      throw new Error(
        `${table}: ${more} row${more === 1 ? "" : "s"} would no longer match a foreign key; ` +
          "nothing was repaired",
      );
  }
}

function commit(db) {
  try {
    db.run("COMMIT");
  } catch (error) {
    throw new Error(
      `SQLite cannot write this damaged database (${error.message}). ` +
        "Rebuild it with .recover in the sqlite3 shell, then audit the result.",
    );
  }
}

/** Returns the database as a file, in WAL mode if it was. @param {Database} db @param {boolean} wal */
export function databaseFile(db, wal) {
  const bytes = db.bytes();
  if (wal) bytes[WRITE_VERSION] = bytes[READ_VERSION] = 2;
  return new Blob([bytes], { type: "application/vnd.sqlite3" });
}

/**
 * A script of the repairs, or of what undoes them, which runs in reverse order.
 * @param {Database} db
 * @param {AuditOptions} options
 * @param {"repair" | "undo"} what
 */
export function script(db, options, what) {
  const statements =
    what === "undo" ? undos(db, options).reverse() : repairs(db).map(({ update }) => update);
  const lines = statements.map((statement) => statement + "\n");
  return new Blob(["BEGIN;\n", ...lines, "COMMIT;\n"], { type: "application/sql" });
}

/** The SQL that undoes each repair, in the order of the repairs. */
function undos(db, { policy, suspects }) {
  const decided = chosenPlaces(db);
  const sql = `SELECT table_name, column_name, CAST(key AS TEXT), repaired, undo_sql
    FROM temp.utf8_audit('main', ?, ?) WHERE undo_sql IS NOT NULL ${restriction(policy, suspects)}`;
  const undos = [];
  for (const [table, column, key, repaired, undo] of db.rows(sql, [
    policy,
    looksForMisread(policy, suspects),
  ])) {
    const chosen = decided.get(JSON.stringify([table, column, key]));
    if (chosen !== null)
      undos.push(chosen === undefined ? undo : chosenUndo(undo, repaired, chosen));
  }
  return undos;
}

/** The text that each repaired value becomes. */
export function repairedValues(db, { policy, suspects }) {
  const decided = chosenPlaces(db);
  const sql = `SELECT table_name, column_name, CAST(key AS TEXT), repaired
    FROM temp.utf8_audit('main', ?, ?) WHERE repaired IS NOT NULL ${restriction(policy, suspects)}`;
  const values = [];
  for (const [table, column, key, repaired] of db.rows(sql, [
    policy,
    looksForMisread(policy, suspects),
  ])) {
    const chosen = decided.get(JSON.stringify([table, column, key]));
    if (chosen !== null) values.push({ table, column, key, text: chosen ?? repaired });
  }
  return values;
}

/** The texts that were chosen, by place; null for what is unclear. @returns {Map<string, string | null>} */
function chosenPlaces(db) {
  const sql = `SELECT table_name, column_name, CAST(key AS TEXT), chosen FROM temp.utf8_found
    WHERE readings IS NOT NULL`;
  return new Map(
    Array.from(db.rows(sql), ([table, column, key, text]) => [
      JSON.stringify([table, column, key]),
      text,
    ]),
  );
}
