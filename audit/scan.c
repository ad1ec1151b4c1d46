/* audit/scan.c: the scan of utf8_audit.
**
** It has five nested levels: the schemas, the tables of a schema, the chunks of a table's
** columns (most tables have one), the rows with ill-formed text, the values of a row. Three
** levels are statements on the same connection that run while the scan does, so SQLite itself
** handles snapshots, locks, interrupts and authorizers, and memory does not grow.
**
** What cannot be read becomes a row 'unreadable: ...', and the level that failed advances.
** If one column is the reason (a missing function, a denied right), the table's other
** columns are read without it.
**
** Virtual tables and views are not read. One ill-formed value is held at a time, where
** SQLite has it.
*/
#include "audit/scan.h"
#include "audit/gap.h"
#include <string.h>

/* SQLite allows 2,000 results in a SELECT, or less (SQLITE_LIMIT_COLUMN). */
#define CHUNK_COLUMNS 1900

static void finalizeLevel(sqlite3_stmt **stmt) {
  sqlite3_finalize(*stmt);
  *stmt = NULL;
}

static void forgetFound(AuditScan *scan) {
  utf8value_close(&scan->value);
  sqlite3_free(scan->unreadable);
  scan->unreadable = NULL;
}

void auditscan_clear(AuditScan *scan) {
  forgetFound(scan);
  finalizeLevel(&scan->rows);
  finalizeLevel(&scan->tables);
  finalizeLevel(&scan->schemas);
  audittable_clear(&scan->table);
  for (int i = 0; i < ARGUMENT_COUNT; i++) sqlite3_value_free(scan->argument[i]);
  *scan = (AuditScan){.db = scan->db, .last_chunk = 1}; /* no table yet */
}

/* ---- what cannot be read ----------------------------------------------------------- */

/* What a level returns, besides error codes. */
enum { MOVED = SQLITE_OK, FOUND = SQLITE_ROW, AT_END = SQLITE_DONE };

/* Does the error end the scan, rather than make a table unreadable? SQLite returns ABORT
** after a ROLLBACK. */
static int isFatal(int rc) {
  int code = rc & 0xFF;
  return code == SQLITE_INTERRUPT || code == SQLITE_NOMEM || code == SQLITE_ABORT;
}

/* Handles the error rc, described by why: returns its code if it ends the scan, otherwise
** makes it a row. Copies why, which may be sqlite3_errmsg()'s. */
static int failed(AuditScan *scan, int rc, const char *why) {
  int extended = sqlite3_extended_errcode(scan->db);
  if (isFatal(rc)) return (extended & 0xFF) == rc ? extended : rc;
  char *message = audittable_escape(why);
  if (message) scan->unreadable = sqlite3_mprintf("unreadable: %s", message);
  sqlite3_free(message);
  return scan->unreadable ? FOUND : SQLITE_NOMEM;
}

/* Like failed(), for a statement that failed or could not be prepared; finalizes it. */
static int failedStatement(AuditScan *scan, int rc, sqlite3_stmt **stmt) {
  rc = failed(scan, rc, sqlite3_errmsg(scan->db));
  finalizeLevel(stmt);
  return rc;
}

/* ---- the levels, the outermost first ------------------------------------------------ */

static int isWanted(const AuditScan *scan, AuditArgument which, const AuditName *name) {
  sqlite3_value *wanted = scan->argument[which];
  if (!wanted) return 1;
  const char *text = (const char *)sqlite3_value_text(wanted);
  size_t size = text ? (size_t)sqlite3_value_bytes(wanted) : 0;
  return text && strlen(name->shown) == size && memcmp(name->shown, text, size) == 0;
}

int auditscan_is_only(const AuditScan *scan, const AuditName *schema) {
  sqlite3_value *only = scan->argument[ARGUMENT_ONLY];
  if (!only) return 1;
  if (sqlite3_value_type(only) != SQLITE_TEXT) return 0;
  const char *text = (const char *)sqlite3_value_text(only);
  size_t size = text ? (size_t)sqlite3_value_bytes(only) : 0;
  return text && strlen(text) == size &&
         (sqlite3_stricmp(text, schema->raw) == 0 ||
          sqlite3_stricmp(text, schema->shown) == 0);
}

int auditscan_name_from(AuditName *name, sqlite3_stmt *stmt, int i) {
  const char *text = (const char *)sqlite3_column_text(stmt, i);
  return text ? audittable_set_name(name, text) : SQLITE_NOMEM;
}

/* Handles the error rc in the list of a schema's tables: a row of sqlite_master with the
** number 0. */
static int failedTables(AuditScan *scan, int rc) {
  rc = failedStatement(scan, rc, &scan->tables);
  scan->row = -1;
  int named = audittable_set_name(&scan->table.name, "sqlite_master");
  return named == SQLITE_OK ? rc : named;
}

static int nextSchema(AuditScan *scan) {
  if (!scan->schemas) return AT_END;
  int rc = sqlite3_step(scan->schemas);
  if (rc != SQLITE_ROW) {
    finalizeLevel(&scan->schemas);
    return rc;
  }
  rc = auditscan_name_from(&scan->table.schema, scan->schemas, 1);
  if (rc != SQLITE_OK) return rc;
  if (!auditscan_is_only(scan, &scan->table.schema)) return MOVED;
  if (!isWanted(scan, ARGUMENT_SCHEMA, &scan->table.schema)) return MOVED;
  rc = audittable_prepare_list(scan->db, &scan->table.schema, &scan->tables);
  return rc == SQLITE_OK ? MOVED : failedTables(scan, rc);
}

static int columnLimit(const AuditScan *scan) {
  return sqlite3_limit(scan->db, SQLITE_LIMIT_COLUMN, -1);
}

static int openTable(AuditScan *scan) {
  const char *why = NULL;
  scan->row = 0;
  scan->table.tampered = sqlite3_column_int(scan->tables, 2);
  scan->table.not_repairable =
      sqlite3_column_int(scan->tables, 1) || scan->table.tampered;
  int rc = audittable_load(&scan->table, scan->db, &why);
  if (rc != SQLITE_OK) return failed(scan, rc, why ? why : sqlite3_errmsg(scan->db));
  if (audittable_key_results(&scan->table) >= columnLimit(scan))
    audittable_drop_key(&scan->table);
  scan->next_column = scan->table.key_count;
  scan->last_chunk = 0;
  return MOVED;
}

static int nextTable(AuditScan *scan) {
  if (!scan->tables) return AT_END;
  int rc = sqlite3_step(scan->tables);
  if (rc == SQLITE_DONE) {
    finalizeLevel(&scan->tables);
    return AT_END;
  }
  if (rc != SQLITE_ROW) return failedTables(scan, rc);
  rc = auditscan_name_from(&scan->table.name, scan->tables, 0);
  if (rc != SQLITE_OK) return rc;
  return isWanted(scan, ARGUMENT_TABLE, &scan->table.name) ? openTable(scan) : MOVED;
}

/* Prepares the next `count` columns; with the key's, if these are the table's last. */
static int prepareChunk(AuditScan *scan, int count) {
  int last = scan->next_column + count == scan->table.column_count;
  scan->chunk = (AuditChunk){scan->next_column, count, last ? scan->table.key_count : 0,
                             scan->policy.suspects};
  finalizeLevel(&scan->rows);
  scan->from = INT64_MIN;
  scan->backwards = 0;
  return auditsql_prepare_rows(scan->db, &scan->table, scan->chunk, AUDIT_ILL_FORMED,
                               &scan->rows);
}

/* How many columns fit in one SELECT, besides the key. */
static int chunkWidth(const AuditScan *scan) {
  int left = scan->table.column_count - scan->next_column;
  int width = columnLimit(scan) - audittable_key_results(&scan->table);
  if (width > CHUNK_COLUMNS) width = CHUNK_COLUMNS;
  if (width < 1) width = 1;
  return left < width ? left : width;
}

/* Halves a chunk of `count` columns, which could not be prepared, until it can be. Fails if not
** even a chunk without columns can be prepared: the table cannot be read. */
static int narrowChunk(AuditScan *scan, int count) {
  int rc = prepareChunk(scan, 0);
  if (rc != SQLITE_OK) {
    scan->last_chunk = 1;
    return rc;
  }
  do {
    if (count > 1) count /= 2;
    rc = prepareChunk(scan, count);
  } while (rc != SQLITE_OK && count > 1 && !isFatal(rc));
  return rc;
}

/* Prepares the next chunk, or skips one column that cannot be read. The chunk of the last
** column is the last one, unless that column was skipped, since it had the key with it. */
static int nextChunk(AuditScan *scan) {
  if (scan->last_chunk) return AT_END;
  int count = chunkWidth(scan);
  int rc = prepareChunk(scan, count);
  if (rc != SQLITE_OK && !isFatal(rc)) rc = narrowChunk(scan, count);
  scan->next_value = scan->chunk.count + scan->chunk.key; /* no row yet */
  scan->next_column += scan->chunk.count;
  int key_left = rc != SQLITE_OK && scan->table.key_count > 0;
  if (scan->next_column == scan->table.column_count && !key_left) scan->last_chunk = 1;
  return rc == SQLITE_OK ? MOVED : failedStatement(scan, rc, &scan->rows);
}

/* Makes the next row one about rows that cannot be read: after `where`, "unreadable" has a
** colon and why. */
static int foundGap(AuditScan *scan, char *where, const char *why) {
  char *message = audittable_escape(why);
  if (where && message)
    scan->unreadable = sqlite3_mprintf("unreadable: %s: %s", where, message);
  sqlite3_free(where);
  sqlite3_free(message);
  return scan->unreadable ? FOUND : SQLITE_NOMEM;
}

/* Replaces scan->rows, in a table with rowids, with a statement after the damage that it met. */
static int skipRowids(AuditScan *scan, const char *why) {
  AuditGap gap;
  int rc = auditgap_find(scan->db, &scan->table, scan->chunk, scan->from, &gap);
  if (rc != SQLITE_OK) return rc;
  if (gap.is_end && gap.first == INT64_MIN) return SQLITE_DONE;
  finalizeLevel(&scan->rows);
  if (!gap.is_end) {
    scan->from = gap.last + 1;
    rc = auditsql_prepare_rows(scan->db, &scan->table, scan->chunk,
                               AUDIT_ILL_FORMED_FROM, &scan->rows);
    if (rc == SQLITE_OK) rc = sqlite3_bind_int64(scan->rows, 1, scan->from);
  }
  if (rc != SQLITE_OK) return rc;
  if (gap.first > gap.last) return MOVED;
  char *where = sqlite3_mprintf("rowids %lld to %lld", gap.first, gap.last);
  return foundGap(scan, where, why);
}

/* Returns "after key (...)", where last is at the last row before the damage, or NULL. */
static char *whereAfter(const AuditRow *row, int *rc) {
  sqlite3_str *where = row->writer.out;
  if (row->rows) {
    sqlite3_str_appendall(where, "after key ");
    *rc = auditsql_append_key(row);
  } else {
    sqlite3_str_appendall(where, "from the first key on");
  }
  return sqlite3_str_finish(where);
}

/* Does the statement fail at its first row? Leaves it before that row. */
static int failsAtOnce(sqlite3_stmt *rows) {
  int rc = sqlite3_step(rows);
  sqlite3_reset(rows);
  return auditgap_is_damage(rc);
}

/* Replaces scan->rows, in a table WITHOUT ROWID, with a statement from its other end. */
static int skipKeys(AuditScan *scan, const char *why) {
  AuditRow row = {.writer = {scan->db, NULL, scan->encoding}, .table = &scan->table};
  int rc = auditgap_last_row(scan->db, &scan->table, scan->chunk, &row.rows);
  if (rc != SQLITE_OK) return rc;
  finalizeLevel(&scan->rows);
  scan->backwards = 1;
  rc = auditsql_prepare_backwards(&row, scan->chunk, &scan->rows);
  if (rc == SQLITE_OK && !row.rows && failsAtOnce(scan->rows)) return SQLITE_DONE;
  row.writer.out = sqlite3_str_new(NULL);
  char *where = whereAfter(&row, &rc);
  sqlite3_finalize(row.rows);
  if (rc == SQLITE_OK) return foundGap(scan, where, why);
  sqlite3_free(where);
  return rc;
}

static int skipGap(AuditScan *scan, const char *why) {
  if (scan->table.key == AUDIT_ROWID) return skipRowids(scan, why);
  if (scan->table.key == AUDIT_PRIMARY_KEY) return skipKeys(scan, why);
  return SQLITE_DONE;
}

/* Handles the damage rc that scan->rows met. One backwards ends there, since what lies between
** the first and the last damage is one gap. If no other row can be read, all of the table is
** unreadable. */
static int skipDamage(AuditScan *scan, int rc) {
  if (scan->backwards) {
    finalizeLevel(&scan->rows);
    return AT_END;
  }
  char *why = sqlite3_mprintf("%s", sqlite3_errmsg(scan->db));
  int skipped = why ? skipGap(scan, why) : SQLITE_NOMEM;
  if (skipped != MOVED && skipped != FOUND && !isFatal(skipped)) {
    skipped = failed(scan, rc, why);
    finalizeLevel(&scan->rows);
  }
  sqlite3_free(why);
  return skipped;
}

/* At the row where a scan backwards meets the one forwards. */
static int isMeeting(AuditScan *scan) {
  int last = sqlite3_column_count(scan->rows) - 1;
  return scan->backwards && sqlite3_column_int(scan->rows, last);
}

static int nextRow(AuditScan *scan) {
  if (!scan->rows) return AT_END;
  int rc = sqlite3_step(scan->rows);
  if (rc == SQLITE_ROW && !isMeeting(scan)) {
    scan->next_value = 0;
    return MOVED;
  }
  if (auditgap_is_damage(rc)) return skipDamage(scan, rc);
  if (rc != SQLITE_DONE && rc != SQLITE_ROW)
    return failedStatement(scan, rc, &scan->rows);
  finalizeLevel(&scan->rows);
  return AT_END;
}

/* Finds the first error of the open value, or what is suspicious in it. Returns FOUND with
** offset and kind set, MOVED if there is nothing, or an error code. */
static int checkOpened(AuditScan *scan) {
  Utf8SuspectFound found = {.kind = UTF8_SUSPECT_NONE};
  unsigned dialect = utf8value_dialect(&scan->value, UTF8_STRICT);
  scan->offset = 0;
  scan->kind = UTF8_SUSPECT_NONE;
  int rc = utf8value_find_error(scan->db, &scan->value, &scan->offset, scan->value.size,
                                dialect);
  if (rc == SQLITE_OK && scan->offset < scan->value.size) return FOUND;
  if (rc == SQLITE_OK && scan->policy.suspects)
    rc = auditrepair_find_suspect(scan->db, &scan->value, &found);
  scan->kind = found.kind;
  scan->offset = found.offset;
  return rc == SQLITE_OK && found.kind ? FOUND : rc;
}

/* Opens the text scan->x and checks it, like checkOpened(). Leaves it open only if it returns
** FOUND. */
static int checkValue(AuditScan *scan) {
  int rc = utf8value_open(&scan->value, scan->x, scan->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = checkOpened(scan);
  if (rc != FOUND) utf8value_close(&scan->value);
  return rc;
}

static int nextValue(AuditScan *scan) {
  const AuditChunk *chunk = &scan->chunk;
  while (scan->next_value < chunk->count + chunk->key) {
    int i = scan->next_value++;
    int key = i - chunk->count; /* the key's column, or negative */
    int result = key < 0 ? i + audittable_key_results(&scan->table) : key;
    scan->x = sqlite3_column_value(scan->rows, result);
    if (sqlite3_value_type(scan->x) != SQLITE_TEXT) continue;
    scan->column = key < 0 ? chunk->first + i : key;
    int rc = checkValue(scan);
    if (rc != MOVED) return rc;
  }
  return AT_END;
}

/* Advances the innermost level. At its end advances the next outer one, and after any that
** moved starts again with the innermost. */
int auditscan_next(AuditScan *scan) {
  static int (*const levels[])(AuditScan *) = {nextValue, nextRow, nextChunk, nextTable,
                                               nextSchema};
  const int count = sizeof levels / sizeof levels[0];
  forgetFound(scan);
  int rc = MOVED;
  for (int i = 0; i < count; i = rc == AT_END ? i + 1 : 0) {
    rc = levels[i](scan);
    if (rc != MOVED && rc != AT_END) break;
  }
  scan->row++;
  scan->done = rc == AT_END;
  return rc == FOUND || rc == AT_END ? SQLITE_OK : rc;
}
