/**
 * choices.js: what a person decides about values that can be read in more than one way. Runs in the
 * worker, on the table temp.utf8_found of the last audit.
 *
 * @typedef {{text: string, cause: string, charset: string | null, language: string | null,
 *   probability: number}} Reading as utf8_audit lists them in the column readings
 * @typedef {{id: number, reading: number, all: boolean}} Choice a finding, the number of its
 *   reading, and whether the other unclear values of its column are read alike
 * @typedef {import("./utf8ext.js").Database} Database
 */

/**
 * Takes a reading of a finding.
 * @param {Database} db
 * @param {Choice} choice
 */
export function choose(db, { id, reading, all }) {
  const place = db.row(
    "SELECT table_name, column_name, readings FROM temp.utf8_found WHERE id = ?",
    [id],
  );
  const [table, column, readings] = place;
  const { text, cause } = JSON.parse(readings)[reading];
  take(db, id, text);
  if (all) takeLike(db, table, column, cause);
}

function take(db, id, text) {
  const state = text.includes("\uFFFD") ? "lost" : "restored";
  const sql = "UPDATE temp.utf8_found SET chosen = ?, state = ? WHERE id = ?";
  for (const _ of db.rows(sql, [text, state, id]));
}

/** Takes the reading with this cause of each value of a column that is still unclear and has one. */
function takeLike(db, table, column, cause) {
  const sql = `SELECT id, readings FROM temp.utf8_found
    WHERE table_name = ? AND column_name = ? AND state = 'unclear'`;
  for (const [id, readings] of Array.from(db.rows(sql, [table, column]))) {
    const like = JSON.parse(readings).find((reading) => reading.cause === cause);
    if (like) take(db, id, like.text);
  }
}

/**
 * The UPDATE of utf8_audit with the chosen text in the place of its call.
 * @param {string} sql repair_sql
 * @param {string} call repair_call
 */
export function chosenUpdate(table, column, sql, call, text) {
  const start = `UPDATE "main".${quoted(table)} SET ${quoted(column)} = `;
  const called = start + call.replace("?1", () => quoted(column));
  if (!sql.startsWith(called)) throw new Error(`${table}.${column}: an UPDATE of another form`);
  return start + literal(text) + sql.slice(called.length);
}

/** undo_sql for the chosen text, where it is for the repaired one. */
export function chosenUndo(sql, repaired, text) {
  return sql.replace(literal(repaired), () => literal(text));
}

function quoted(name) {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Text as utf8_audit writes it. */
function literal(text) {
  if (!/[\0\r]/.test(text)) return `'${text.replaceAll("'", "''")}'`;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) =>
    byte.toString(16).padStart(2, "0"),
  );
  return `CAST(x'${bytes.join("").toUpperCase()}' AS TEXT)`;
}
