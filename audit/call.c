/* audit/call.c: SQL calls that repair a value. */
#include "audit/call.h"
#include "audit/table.h"

static void appendStart(sqlite3_str *out, AuditRepair repair) {
  sqlite3_str_appendf(out, "%s(", repair.function);
  if (repair.inner) sqlite3_str_appendf(out, "%s(", repair.inner);
}

static void appendEnd(sqlite3_str *out, AuditRepair repair) {
  if (repair.inner) sqlite3_str_appendf(out, ", '%s')", repair.inner_option);
  if (repair.option) sqlite3_str_appendf(out, ", '%s'", repair.option);
  sqlite3_str_appendall(out, ")");
}

void utf8audit_append_call(sqlite3_str *out, AuditRepair repair, const char *column) {
  appendStart(out, repair);
  sqlite3_str_appendf(out, "\"%w\"", column);
  appendEnd(out, repair);
}

void utf8audit_append_call_of_value(sqlite3_str *out, AuditRepair repair) {
  appendStart(out, repair);
  sqlite3_str_appendall(out, "?1");
  appendEnd(out, repair);
}

/* Appends the argument x of a call: ?1 in a UTF-8 database, which bindArgument() sets. UTF-16 is
** written as CAST(x'00d8' AS TEXT), since binding removes U+FEFF from its start. */
static int appendArgument(const AuditWriter *sql, sqlite3_value *x) {
  if (sql->encoding != UTF8_ENCODING_UTF8) return utf8audit_append_cast(sql, x);
  sqlite3_str_appendall(sql->out, "?1");
  return SQLITE_OK;
}

static int bindArgument(const AuditContext *context, sqlite3_stmt *stmt,
                        sqlite3_value *x) {
  if (context->encoding != UTF8_ENCODING_UTF8) return SQLITE_OK;
  const char *text = (const char *)sqlite3_value_text(x);
  if (!text) return SQLITE_NOMEM;
  const sqlite3_uint64 size = (sqlite3_uint64)sqlite3_value_bytes(x);
  return sqlite3_bind_text64(stmt, 1, text, size, SQLITE_STATIC, SQLITE_UTF8);
}

int utf8audit_call(const AuditContext *context, AuditRepair repair, sqlite3_value *x,
                   sqlite3_stmt **stmt) {
  const AuditWriter sql = {context->db, sqlite3_str_new(NULL), context->encoding};
  sqlite3_str_appendall(sql.out, "SELECT ");
  appendStart(sql.out, repair);
  int rc = appendArgument(&sql, x);
  appendEnd(sql.out, repair);
  int prepared = utf8audit_prepare(context->db, sql.out, stmt);
  if (rc == SQLITE_OK) rc = prepared;
  if (rc == SQLITE_OK) rc = bindArgument(context, *stmt, x);
  return rc == SQLITE_OK ? sqlite3_step(*stmt) : rc;
}

int utf8audit_append_repaired(const AuditWriter *w, AuditRepair repair,
                              sqlite3_value *x) {
  sqlite3_stmt *stmt = NULL;
  if (!repair.function) return utf8audit_append_literal(w, x);
  const AuditContext context = {.db = w->db, .encoding = w->encoding};
  int rc = utf8audit_call(&context, repair, x, &stmt);
  if (rc == SQLITE_ROW) rc = utf8audit_append_literal(w, sqlite3_column_value(stmt, 0));
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}
