/* audit/tablescan.c: the scan of one table. */
#include "audit/tablescan.h"
#include "audit/misread.h"
#include "audit/neighbours.h"
#include "core/omit.h"
#include <string.h>

/* SQLite allows 2,000 results in a SELECT, or less (SQLITE_LIMIT_COLUMN). */
#define CHUNK_COLUMNS 1900

void utf8audit_clear_table_scan(AuditTableScan *scan) {
  utf8audit_close_rows(&scan->rows);
  utf8audit_clear_table(&scan->table);
  memset(scan, 0, sizeof *scan);
}

static int columnLimit(sqlite3 *db) {
  return sqlite3_limit(db, SQLITE_LIMIT_COLUMN, -1);
}

int utf8audit_start_table(AuditTableScan *scan, const AuditContext *context,
                          AuditFinding *found) {
  const char *why = NULL;
  AuditTable *table = &scan->table;
  sqlite3 *db = context->db;
  scan->has_selection = 0;
  int rc = utf8audit_load_table(table, db, &why);
  if (rc != SQLITE_OK)
    return utf8audit_failed(found, db, rc, why ? why : utf8audit_why(db, rc));
  if (utf8audit_key_results(table) >= columnLimit(db)) utf8audit_drop_key(table);
  scan->next_column = table->key_count;
  scan->has_selection = 1;
  return SQLITE_OK;
}

/* ---- selections ------------------------------------------------------------------------- */

/* Prepares the next `count` columns; with the key's, if these are the table's last. */
static int openChunk(AuditTableScan *scan, const AuditContext *context, int count) {
  const AuditTable *table = &scan->table;
  int isLast = scan->next_column + count == table->column_count;
  const AuditSelection selection = {.first = scan->next_column,
                                    .count = count,
                                    .key = isLast ? table->key_count : 0,
                                    .suspects = context->policy.suspects};
  return utf8audit_open_rows(&scan->rows, context, table, selection);
}

/* Returns how many columns fit in one SELECT, apart from the key. */
static int selectionWidth(const AuditTableScan *scan, sqlite3 *db) {
  int left = scan->table.column_count - scan->next_column;
  int width = columnLimit(db) - utf8audit_key_results(&scan->table);
  if (width > CHUNK_COLUMNS) width = CHUNK_COLUMNS;
  if (width < 1) width = 1;
  return left < width ? left : width;
}

/* Halves a selection of `count` columns, which could not be prepared, until it can be. Fails if not
** even a selection without columns can be prepared: the table cannot be read. */
static int narrowChunk(AuditTableScan *scan, const AuditContext *context, int count) {
  int rc = openChunk(scan, context, 0);
  if (rc != SQLITE_OK) {
    scan->has_selection = 0;
    return rc;
  }
  do {
    if (count > 1) count /= 2;
    rc = openChunk(scan, context, count);
  } while (rc != SQLITE_OK && count > 1 && !utf8audit_is_fatal(rc));
  return rc;
}

/* Moves past the selection, which was opened with rc: if it cannot be read, past its one column. The
** selection of the last column is the last one, unless that column was skipped, since it had the key
** with it. */
static void passChunk(AuditTableScan *scan, int rc) {
  int key_left = rc != SQLITE_OK && scan->table.key_count > 0;
  scan->next_column += scan->rows.selection.count;
  if (scan->next_column == scan->table.column_count && !key_left)
    scan->has_selection = 0;
}

/* Under the policy auto, reads the neighbours of ill-formed values before the SELECT starts: no
** other statement reads a corrupt table while it runs. Closes the SELECT if there is nothing to
** find. A failure means that each value decides alone. */
static int readNeighbours(AuditTableScan *scan, const AuditContext *context) {
  const AuditPolicy *policy = &context->policy;
  const int isUtf8 = context->encoding == UTF8_ENCODING_UTF8;
  int any, rc = SQLITE_NOMEM;
  const int isRead = context->has_repairs || policy->suspects;
  if (!policy->is_auto || !isRead || !isUtf8) return SQLITE_OK;
  /* Tries again once if memory ran out, which may have been for a moment. If a corrupt page was the
  ** reason, it runs out again. */
  for (int tries = 0; tries < 2 && (rc & 0xFF) == SQLITE_NOMEM; tries++)
    rc = utf8audit_read_neighbours(context, &scan->table, scan->rows.selection, &any);
  if (!any && !policy->suspects) utf8audit_close_rows(&scan->rows);
  if (rc == AUDIT_NO_MEMORY) return SQLITE_NOMEM;
  return utf8audit_is_fatal(rc) && !utf8audit_is_corrupt(rc) ? rc : SQLITE_OK;
}

/* With suspects, looks for columns of text that was read as Latin-1. If there are any, opens the SELECT again, which
** then returns all rows with text in these. */
static int readMisread(AuditTableScan *scan, const AuditContext *context) {
  const AuditSelection selection = scan->rows.selection;
  int any;
  if (!UTF8_HAS_DETECT || !context->policy.suspects) return SQLITE_OK;
  const int rc = utf8audit_read_misread(context, &scan->table, selection, &any);
  if (rc == AUDIT_NO_MEMORY) return SQLITE_NOMEM;
  if (utf8audit_is_fatal(rc) && !utf8audit_is_corrupt(rc)) return rc;
  return any ? utf8audit_open_rows(&scan->rows, context, &scan->table, selection)
             : SQLITE_OK;
}

/* Opens the next selection. Returns SQLITE_OK, or SQLITE_DONE after the last one. */
static int nextChunk(AuditTableScan *scan, const AuditContext *context) {
  if (!scan->has_selection) return SQLITE_DONE;
  int count = selectionWidth(scan, context->db);
  int rc = openChunk(scan, context, count);
  if (rc != SQLITE_OK && !utf8audit_is_fatal(rc))
    rc = narrowChunk(scan, context, count);
  passChunk(scan, rc);
  if (rc == SQLITE_OK) rc = readNeighbours(scan, context);
  return rc == SQLITE_OK ? readMisread(scan, context) : rc;
}

int utf8audit_next_in_table(AuditTableScan *scan, const AuditContext *context,
                            AuditFinding *found) {
  int rc;
  do {
    rc = utf8audit_next_in_rows(&scan->rows, found);
    if (rc == SQLITE_DONE) rc = nextChunk(scan, context);
  } while (rc == SQLITE_OK);
  if (rc == SQLITE_ROW || rc == SQLITE_DONE) return rc;
  rc = utf8audit_failed(found, context->db, rc, utf8audit_why(context->db, rc));
  utf8audit_close_rows(&scan->rows);
  return rc;
}
