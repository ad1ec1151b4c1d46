/* audit/select.c: the SELECTs of utf8_audit.
**
**     SELECT t."rowid", CASE typeof(t."c") WHEN 'text' THEN t."c" END FROM "main"."t" AS t
**       NOT INDEXED WHERE CASE WHEN typeof(t."c") = 'text' AND NOT utf8_valid(t."c") THEN 1 END
**
** Names are always quoted, and columns are read as t."c": SQLite takes an unknown "c" alone
** for a string.
*/
#include "audit/select.h"
#include "audit/finding.h"
#include "core/compiler.h"
#include <string.h>

void utf8audit_append_table(sqlite3_str *out, const AuditTable *table) {
  sqlite3_str_appendf(out, "\"%w\".\"%w\"", table->schema.raw, table->name.raw);
}

/* ---- clauses ---------------------------------------------------------------------------- */

static void appendKeyResults(sqlite3_str *sql, const AuditTable *table) {
  switch (table->key) {
  case AUDIT_NO_KEY:
    sqlite3_str_appendall(sql, "NULL");
    break;
  case AUDIT_ROWID:
    sqlite3_str_appendf(sql, "t.\"%w\"", table->rowid);
    break;
  default: /* AUDIT_PRIMARY_KEY */
    for (int i = 0; i < table->key_count; i++) {
      const char *comma = i ? ", " : "";
      sqlite3_str_appendf(sql, "%st.\"%w\"", comma, table->columns[i].name.raw);
    }
    break;
  }
}

static const char textOnly[] = ", CASE typeof(t.\"%w\") WHEN 'text' THEN t.\"%w\" END";
static const char ifIllFormed[] =
    " WHEN typeof(t.\"%w\") = 'text' AND NOT utf8_valid(t.\"%w\") THEN 1";
static const char ifSuspect[] =
    " WHEN typeof(t.\"%w\") = 'text' AND utf8_suspect(t.\"%w\") IS NOT NULL THEN 1";

static const char ifText[] = " WHEN typeof(t.\"%w\") = 'text' THEN 1";

/* Appends the format for each column of the selection, whose arguments are the column's name. */
static NOINLINE void appendColumns(sqlite3_str *sql, const char *format,
                                   const AuditTable *table, AuditSelection selection) {
  for (int i = selection.first; i < selection.first + selection.count; i++) {
    const AuditColumn *c = &table->columns[i];
    const char *name = c->name.raw;
    const int is_any =
        format == ifSuspect && (c->misread || c->mojibake || c->has_accidents);
    sqlite3_str_appendf(sql, is_any ? ifText : format, name, name, name);
  }
}

/* Like appendColumns(), also for the key's columns of the selection. */
static void appendWithKey(sqlite3_str *sql, const char *format, const AuditTable *table,
                          AuditSelection selection) {
  appendColumns(sql, format, table, selection);
  appendColumns(sql, format, table, (AuditSelection){.count = selection.key});
}

/* SQLite calls utf8_valid() itself, which is faster than returning every row. A CASE instead
** of a chain of ORs, which would be as deep as there are columns. */
static void appendIsIllFormed(sqlite3_str *sql, const AuditTable *table,
                              AuditSelection selection) {
  sqlite3_str_appendall(sql, "CASE WHEN 0 THEN 0");
  appendWithKey(sql, ifIllFormed, table, selection);
  if (selection.suspects) appendWithKey(sql, ifSuspect, table, selection);
  sqlite3_str_appendall(sql, " END");
}

static void appendRange(sqlite3_str *sql, const AuditTable *table,
                        AuditSelection selection, AuditRange range) {
  const int is_every = range == AUDIT_EVERY || range == AUDIT_EVERY_FROM;
  const int is_to = range == AUDIT_ILL_FORMED_TO;
  sqlite3_str_appendall(sql, " WHERE ");
  if (is_to || range == AUDIT_ILL_FORMED_FROM || range == AUDIT_EVERY_FROM)
    sqlite3_str_appendf(sql, "t.\"%w\" >= ?1 AND ", table->rowid);
  if (is_to)
    sqlite3_str_appendf(sql, "CASE WHEN t.\"%w\" = ?2 THEN 1 ELSE ", table->rowid);
  if (is_every) {
    sqlite3_str_appendall(sql, "1");
  } else {
    appendIsIllFormed(sql, table, selection);
  }
  if (is_to) sqlite3_str_appendall(sql, " END");
}

/* Appends SELECT and its results. */
static void appendSelect(sqlite3_str *sql, const AuditTable *table,
                         AuditSelection selection) {
  sqlite3_str_appendall(sql, "SELECT ");
  appendKeyResults(sql, table);
  appendColumns(sql, textOnly, table, selection);
}

/* Reads the table itself: an index may lack rows. For SQLite, a table WITHOUT ROWID is an index
** among others, which NOT INDEXED does not exclude. */
static void appendFrom(sqlite3_str *sql, const AuditTable *table) {
  sqlite3_str_appendall(sql, " FROM ");
  utf8audit_append_table(sql, table);
  sqlite3_str_appendall(sql, " AS t ");
  if (table->key_index) {
    sqlite3_str_appendf(sql, "INDEXED BY \"%w\"", table->key_index);
  } else {
    sqlite3_str_appendall(sql, "NOT INDEXED");
  }
}

/* ---- rows ----------------------------------------------------------------------------- */

/* Appends ORDER BY with the key's columns, each after `before`, in the key's own order or in
** its reverse. */
static void appendOrder(sqlite3_str *sql, const AuditTable *table, const char *before,
                        int is_reverse) {
  for (int i = 0; i < table->key_count; i++) {
    const AuditColumn *c = &table->columns[i];
    sqlite3_str_appendf(sql, "%s%st.\"%w\"", i ? ", " : " ORDER BY ", before,
                        c->name.raw);
    if (c->collation.raw) sqlite3_str_appendf(sql, " COLLATE \"%w\"", c->collation.raw);
    sqlite3_str_appendall(sql, c->descending != is_reverse ? " DESC" : " ASC");
  }
}

/* Makes SQLite sort the rows, so that it reads them all before it returns the first one. A + keeps
** it from reading them in the order of the key; without a key, all are equal. */
static void appendSorted(sqlite3_str *sql, const AuditTable *table,
                         AuditSelection selection) {
  if (table->key == AUDIT_PRIMARY_KEY) {
    appendOrder(sql, table, "+", 0);
  } else {
    sqlite3_str_appendall(sql, " ORDER BY ");
    appendIsIllFormed(sql, table, selection);
  }
}

sqlite3_value *utf8audit_selected_value(const AuditTable *table,
                                        AuditSelection selection, sqlite3_stmt *stmt,
                                        int i, int *column) {
  const int is_key = i >= selection.count;
  *column = is_key ? i - selection.count : selection.first + i;
  return sqlite3_column_value(stmt,
                              is_key ? *column : utf8audit_key_results(table) + i);
}

int utf8audit_prepare_rows(sqlite3 *db, const AuditTable *table,
                           AuditSelection selection, AuditRange range,
                           sqlite3_stmt **stmt) {
  sqlite3_str *sql = sqlite3_str_new(NULL);
  appendSelect(sql, table, selection);
  appendFrom(sql, table);
  appendRange(sql, table, selection, range);
  if (range == AUDIT_ILL_FORMED_AT_ONCE) appendSorted(sql, table, selection);
  return utf8audit_prepare(db, sql, stmt);
}

int utf8audit_highest_rowid(sqlite3 *db, const AuditTable *table,
                            sqlite3_int64 *rowid) {
  sqlite3_stmt *stmt;
  sqlite3_str *sql = sqlite3_str_new(NULL);
  *rowid = INT64_MAX;
  appendSelect(sql, table, (AuditSelection){.count = 0});
  appendFrom(sql, table);
  sqlite3_str_appendf(sql, " ORDER BY t.\"%w\" DESC LIMIT 1", table->rowid);
  int rc = utf8audit_prepare(db, sql, &stmt);
  if (rc == SQLITE_OK) rc = sqlite3_step(stmt);
  if (rc == SQLITE_ROW) *rowid = sqlite3_column_int64(stmt, 0);
  sqlite3_finalize(stmt);
  return utf8audit_is_fatal(rc) && !utf8audit_is_corrupt(rc) ? rc : SQLITE_OK;
}

int utf8audit_check_is_old(sqlite3 *db, const AuditTable *table, sqlite3_int64 rowid,
                           sqlite3_int64 *highest) {
  sqlite3_int64 now;
  if (rowid <= *highest) return SQLITE_OK;
  int rc = utf8audit_highest_rowid(db, table, &now);
  if (rc != SQLITE_OK) return rc;
  if (now != INT64_MAX && now >= rowid) return SQLITE_DONE;
  *highest = INT64_MAX;
  return SQLITE_OK;
}

/* Appends ("k", "l") = (1, 'a'), or 0 without a row. */
static int appendIsRow(const AuditWriter *w, const AuditTable *table,
                       const AuditRow *row) {
  if (row->stmt) return utf8audit_append_is_key(w, table, row, 0);
  sqlite3_str_appendall(w->out, "0");
  return SQLITE_OK;
}

int utf8audit_prepare_to(const AuditContext *context, const AuditTable *table,
                         AuditSelection selection, const AuditRow *last, int is_reverse,
                         sqlite3_stmt **stmt) {
  sqlite3_str *sql = sqlite3_str_new(NULL);
  const AuditWriter w = {context->db, sql, context->encoding};
  appendSelect(sql, table, selection);
  sqlite3_str_appendall(sql, ", ");
  int rc = appendIsRow(&w, table, last);
  appendFrom(sql, table);
  appendRange(sql, table, selection, AUDIT_ILL_FORMED);
  sqlite3_str_appendall(sql, " OR ");
  if (rc == SQLITE_OK) rc = appendIsRow(&w, table, last);
  if (is_reverse) appendOrder(sql, table, "", 1); /* without sorting */
  int prepared = utf8audit_prepare(context->db, sql, stmt);
  return rc == SQLITE_OK ? prepared : rc;
}
