/**
 * database.js: audits and repairs a database. Runs in the worker.
 *
 * @typedef {{policy: string, suspects: boolean}} AuditOptions
 * @typedef {{table: string, column: string | null, key: Value, offset: number | null, kind: string,
 *   errors: number | null, cause: string | null, piece: Uint8Array | null, pieceAt: number, repaired: string | null,
 *   sql: string | null}} Finding
 * @typedef {import("./utf8ext.js").Value} Value
 * @typedef {import("./utf8ext.js").Database} Database
 */
/** SQLite's memory for a database doubles as it grows; 1 GB is its limit. */
const DATABASE_MAX = 512 << 20;
const FINDINGS_SHOWN = 500;
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
  return { ...describe(db), tables: tables.length - 1, groups: groups(db), found: countFound(db) };
}

function createFound(db) {
  db.run(`DROP TABLE IF EXISTS temp.utf8_found;
    CREATE TEMP TABLE utf8_found(id INTEGER PRIMARY KEY, table_name, column_name, key, "offset",
      error, errors, cause, piece, after, sql)`);
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

function isUtf8(db) {
  return db.value("PRAGMA encoding") === "UTF-8";
}

/** Stores the findings of a table. In a UTF-16 database a value has no bytes at `offset`, which
 * refers to its UTF-8 form, so no piece of it is kept. LIMIT and WHERE keep SQLite from computing
 * `repaired` for each of its uses. */
function auditTable(db, name, { policy, suspects }) {
  const sql = `INSERT INTO temp.utf8_found(table_name, column_name, key, "offset", error, errors, cause,
      piece, after, sql)
    SELECT table_name, column_name, key, "offset", error, errors, cause,
      ${isUtf8(db) ? PIECES : "NULL, NULL"}, repair_sql
    FROM (SELECT table_name, column_name, key, "offset", error, errors, cause, repair_sql, value,
        CAST(repaired AS BLOB) AS after, max("offset" - ${PIECE_BEFORE}, 0) AS start
      FROM temp.utf8_audit('main', ?1, ?2) WHERE table_name = ?3 LIMIT -1)
    WHERE error > ''`;
  for (const _ of db.rows(sql, [policy, Number(suspects), name]));
}

function describe(db) {
  const encoding = db.value("PRAGMA encoding");
  return { encoding, bytes: db.value("PRAGMA page_count") * db.value("PRAGMA page_size") };
}

function countFound(db) {
  const [rows, repairable] = db.row("SELECT count(*), count(sql) FROM temp.utf8_found");
  return { rows, repairable };
}

/** Findings by table, column, kind and cause. */
function groups(db) {
  const sql = `SELECT table_name, column_name, error, cause, count(*), count(sql)
    FROM temp.utf8_found GROUP BY 1, 2, 3, 4 ORDER BY min(id)`;
  return Array.from(db.rows(sql), ([table, column, kind, cause, count, repairable]) => {
    return { table, column, kind, cause, count, repairable };
  });
}

/**
 * The first findings, each with what the policy makes of it.
 * @param {Database} db
 * @returns {Finding[]}
 */
export function findings(db) {
  const sql = `SELECT table_name, column_name, CAST(key AS TEXT), "offset", error, errors, cause, piece, after, sql
    FROM temp.utf8_found ORDER BY id LIMIT ?`;
  return Array.from(
    db.rows(sql, [FINDINGS_SHOWN]),
    ([table, column, key, offset, kind, errors, cause, bytes, after, repair]) => {
      const piece = bytes && withoutCutStart(bytes, offset);
      const pieceAt = piece ? Math.max(offset - PIECE_BEFORE, 0) + bytes.length - piece.length : 0;
      const repaired = after && new TextDecoder().decode(withoutCutStart(after, offset));
      const place = { table, column, key, offset, kind, errors, cause };
      return { ...place, piece, pieceAt, repaired, sql: repair };
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
 * @returns {{repaired: number}}
 */
export function repairDatabase(db, progress) {
  db.run("PRAGMA foreign_keys = OFF; BEGIN");
  const before = violations(db);
  const repaired = runRepairs(db, progress);
  checkForeignKeys(before, violations(db));
  commit(db);
  return { repaired };
}

function runRepairs(db, progress) {
  const sql = `SELECT table_name, column_name, CAST(key AS TEXT), sql FROM temp.utf8_found
    WHERE sql IS NOT NULL ORDER BY id`;
  const repairs = Array.from(db.rows(sql));
  repairs.forEach(([table, column, key, sql], i) => {
    try {
      db.run(sql);
    } catch ({ message }) {
      throw new Error(`${table}.${column}, key ${key}: ${message}; nothing was repaired`);
    }
    if (i % 1000 === 0) progress(i / repairs.length);
  });
  return repairs.length;
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
export function script(db, { policy, suspects }, what) {
  const sql = `SELECT ${what}_sql FROM temp.utf8_audit('main', ?, ?) WHERE ${what}_sql IS NOT NULL`;
  const statements = Array.from(
    db.rows(sql, [policy, Number(suspects)]),
    ([statement]) => statement + "\n",
  );
  if (what === "undo") statements.reverse();
  return new Blob(["BEGIN;\n", ...statements, "COMMIT;\n"], { type: "application/sql" });
}
