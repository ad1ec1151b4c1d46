/* audit/call.c: SQL calls that repair a value. */
#include "audit/call.h"
#include "audit/table.h"

static void appendStart(sqlite3_str *out, AuditRepair repair) {
  sqlite3_str_appendf(out, "%s(", repair.function);
}

static void appendEnd(sqlite3_str *out, AuditRepair repair) {
  if (repair.option) sqlite3_str_appendf(out, ", '%s'", repair.option);
  sqlite3_str_appendall(out, ")");
}

void utf8audit_append_call(sqlite3_str *out, AuditRepair repair, const char *column) {
  appendStart(out, repair);
  sqlite3_str_appendf(out, "\"%w\"", column);
  appendEnd(out, repair);
}

/* Prepares SELECT utf8_repair(CAST(x'61ff' AS TEXT)). Does not bind x: sqlite3_bind_value()
** removes U+FEFF from the start of UTF-16, and a BLOB that is bound is cast as UTF-8. */
static int prepareCall(const AuditWriter *w, AuditRepair repair, sqlite3_value *x,
                       sqlite3_stmt **stmt) {
  const AuditWriter sql = {w->db, sqlite3_str_new(w->db), w->encoding};
  sqlite3_str_appendall(sql.out, "SELECT ");
  appendStart(sql.out, repair);
  int rc = utf8audit_append_cast(&sql, x);
  appendEnd(sql.out, repair);
  int prepared = utf8audit_prepare(w->db, sql.out, stmt);
  return rc == SQLITE_OK ? prepared : rc;
}

int utf8audit_append_repaired(const AuditWriter *w, AuditRepair repair,
                              sqlite3_value *x) {
  sqlite3_stmt *stmt = NULL;
  if (!repair.function) return utf8audit_append_literal(w, x);
  int rc = prepareCall(w, repair, x, &stmt);
  if (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
    rc = utf8audit_append_literal(w, sqlite3_column_value(stmt, 0));
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}
