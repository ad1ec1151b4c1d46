/* audit/key.c: SQL that identifies a row by its key. */
#include "audit/key.h"
#include "audit/call.h"

/* Appends what the repair makes of the TEXT x. */
static int appendRepaired(const AuditWriter *w, const AuditRepair *repair,
                          sqlite3_value *x) {
  Utf8Value text;
  int rc = utf8value_open(&text, x, w->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = utf8audit_append_repaired(w, repair, &text);
  utf8value_close(&text);
  return rc;
}

int utf8audit_append_key(const AuditWriter *w, const AuditTable *table,
                         const AuditRow *row, int repaired) {
  int rc = SQLITE_OK;
  for (int i = 0; i < table->key_count && rc == SQLITE_OK; i++) {
    sqlite3_value *x = sqlite3_column_value(row->stmt, i);
    sqlite3_str_appendall(w->out, i ? ", " : "(");
    rc = i < repaired && row->repairs[i].outer.function
             ? appendRepaired(w, &row->repairs[i], x)
             : utf8audit_append_literal(w, x);
  }
  sqlite3_str_appendall(w->out, ")");
  return rc;
}

static void appendKeyColumns(sqlite3_str *out, const AuditTable *table) {
  for (int i = 0; i < table->key_count; i++) {
    const AuditColumn *c = &table->columns[i];
    sqlite3_str_appendf(out, "%s\"%w\"", i ? ", " : "(", c->name.raw);
    if (c->collation.raw) sqlite3_str_appendf(out, " COLLATE \"%w\"", c->collation.raw);
  }
  sqlite3_str_appendall(out, ")");
}

int utf8audit_append_is_key(const AuditWriter *w, const AuditTable *table,
                            const AuditRow *row, int repaired) {
  appendKeyColumns(w->out, table);
  sqlite3_str_appendall(w->out, " = ");
  return utf8audit_append_key(w, table, row, repaired);
}

int utf8audit_append_where(const AuditWriter *w, const AuditTable *table,
                           const AuditRow *row, int repaired) {
  if (table->key != AUDIT_ROWID)
    return utf8audit_append_is_key(w, table, row, repaired);
  const char *format = table->rowid_column < 0 ? "%w = %lld" : "\"%w\" = %lld";
  sqlite3_int64 rowid = sqlite3_column_int64(row->stmt, 0);
  sqlite3_str_appendf(w->out, format, table->rowid, rowid);
  return SQLITE_OK;
}
