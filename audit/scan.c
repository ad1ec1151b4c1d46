/* audit/scan.c: the schemas and tables of a scan.
**
** Schemas, tables and rows are statements on the same connection that run while the scan does,
** so SQLite itself handles snapshots, locks, interrupts and authorizers, and memory does not
** grow. Virtual tables and views are not read. One ill-formed value is held at a time, where
** SQLite has it. What the connection inserts during a scan is not found: audit/rows.h.
**
** What cannot be read becomes a finding, and the scan continues after it.
*/
#include "audit/scan.h"
#include <string.h>

static void finalize(sqlite3_stmt **stmt) {
  sqlite3_finalize(*stmt);
  *stmt = NULL;
}

void utf8audit_clear_scan(AuditScan *scan) {
  utf8audit_clear_finding(&scan->found);
  utf8audit_clear_table_scan(&scan->in);
  finalize(&scan->tables);
  finalize(&scan->schemas);
  for (int i = 0; i < ARGUMENT_COUNT; i++) sqlite3_value_free(scan->argument[i]);
  *scan = (AuditScan){.context = {.db = scan->context.db}};
}

/* ---- names -------------------------------------------------------------------------- */

static int isWanted(const AuditScan *scan, AuditArgument which, const AuditName *name) {
  sqlite3_value *wanted = scan->argument[which];
  if (!wanted) return 1;
  const char *text = (const char *)sqlite3_value_text(wanted);
  size_t size = text ? (size_t)sqlite3_value_bytes(wanted) : 0;
  return text && strlen(name->shown) == size && memcmp(name->shown, text, size) == 0;
}

int utf8audit_is_only(const AuditScan *scan, const AuditName *schema) {
  sqlite3_value *only = scan->argument[ARGUMENT_ONLY];
  if (!only) return 1;
  if (sqlite3_value_type(only) != SQLITE_TEXT) return 0;
  const char *text = (const char *)sqlite3_value_text(only);
  return strlen(text) == (size_t)sqlite3_value_bytes(only) &&
         (sqlite3_stricmp(text, schema->raw) == 0 ||
          sqlite3_stricmp(text, schema->shown) == 0);
}

int utf8audit_name_from(AuditName *name, sqlite3_stmt *stmt, int i) {
  const char *text = (const char *)sqlite3_column_text(stmt, i);
  return text ? utf8audit_set_name(name, text) : SQLITE_NOMEM;
}

/* ---- schemas and tables ----------------------------------------------------------------- */

/* Handles the error rc in the list of a schema's tables: a row of sqlite_master with the
** number 0. */
static int failedTables(AuditScan *scan, int rc) {
  rc = utf8audit_failed(&scan->found, scan->context.db, rc,
                        utf8audit_why(scan->context.db, rc));
  finalize(&scan->tables);
  scan->row = -1;
  int named = utf8audit_set_name(&scan->in.table.name, "sqlite_master");
  return named == SQLITE_OK ? rc : named;
}

/* Returns sqlite_master as a table, whose names belong to others. */
static AuditTable listOf(const AuditName *schema) {
  static char name[] = "sqlite_master";
  return (AuditTable){
      .schema = *schema, .name = {.raw = name}, .key = AUDIT_ROWID, .rowid = "rowid"};
}

/* Like sqlite3_step(), but ends the list before tables that were created after it started. */
static int stepTables(AuditScan *scan) {
  const AuditTable list = listOf(&scan->in.table.schema);
  int rc = sqlite3_step(scan->tables);
  if (rc != SQLITE_ROW) return rc;
  const sqlite3_int64 rowid = sqlite3_column_int64(scan->tables, 3);
  rc = rowid == 0
           ? utf8audit_highest_rowid(scan->context.db, &list, &scan->highest)
           : utf8audit_check_is_old(scan->context.db, &list, rowid, &scan->highest);
  return rc == SQLITE_OK ? SQLITE_ROW : rc;
}

/* Lists the tables of the next schema. Returns SQLITE_OK, also if the schema is not wanted. */
static int nextSchema(AuditScan *scan) {
  AuditName *name = &scan->in.table.schema;
  int rc = sqlite3_step(scan->schemas);
  if (rc != SQLITE_ROW) {
    finalize(&scan->schemas);
    return rc;
  }
  rc = utf8audit_name_from(name, scan->schemas, 1);
  if (rc != SQLITE_OK) return rc;
  if (!utf8audit_is_only(scan, name)) return SQLITE_OK;
  if (!isWanted(scan, ARGUMENT_SCHEMA, name)) return SQLITE_OK;
  rc = utf8audit_prepare_tables(scan->context.db, name, &scan->tables);
  return rc == SQLITE_OK ? SQLITE_OK : failedTables(scan, rc);
}

/* Starts with the next table. Returns SQLITE_OK, also if the table is not wanted. */
static int nextTable(AuditScan *scan) {
  AuditTable *table = &scan->in.table;
  if (!scan->tables) return SQLITE_DONE;
  int rc = stepTables(scan);
  if (rc == SQLITE_DONE) finalize(&scan->tables);
  if (rc == SQLITE_DONE) return rc;
  if (rc != SQLITE_ROW) return failedTables(scan, rc);
  rc = utf8audit_name_from(&table->name, scan->tables, 0);
  if (rc != SQLITE_OK) return rc;
  if (!isWanted(scan, ARGUMENT_TABLE, &table->name)) return SQLITE_OK;
  table->tampered = sqlite3_column_int(scan->tables, 2);
  table->not_repairable = sqlite3_column_int(scan->tables, 1) || table->tampered;
  scan->row = 0;
  return utf8audit_start_table(&scan->in, &scan->context, &scan->found);
}

int utf8audit_next(AuditScan *scan) {
  int rc;
  utf8audit_clear_finding(&scan->found);
  do {
    rc = utf8audit_next_in_table(&scan->in, &scan->context, &scan->found);
    if (rc == SQLITE_DONE) rc = nextTable(scan);
    if (rc == SQLITE_DONE) rc = nextSchema(scan);
  } while (rc == SQLITE_OK);
  scan->row++;
  scan->done = rc == SQLITE_DONE;
  return rc == SQLITE_ROW || rc == SQLITE_DONE ? SQLITE_OK : rc;
}
