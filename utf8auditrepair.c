/* utf8auditrepair.c: which function repairs a value that utf8_audit found.
**
**     utf8_repair("name")                   policy subpart
**     utf8_repair("name", 'windows-1252')   other policies of utf8_repair
**     utf8_from("name", 'gbk')              other charsets, for the whole value
*/
#include "utf8auditrepair.h"
#include "utf8audittable.h"
#include "utf8option.h"

int auditrepair_from_policy(AuditRepair *repair, sqlite3_value *policy) {
  Utf8Repair how;
  if (sqlite3_value_type(policy) != SQLITE_TEXT) return 0;
  const char *text = (const char *)sqlite3_value_text(policy);
  size_t size = text ? (size_t)sqlite3_value_bytes(policy) : 0;
  if (!text) return 0;
  *repair = (AuditRepair){"utf8_repair", text};
  if (utf8option_find_policy(policy, &how)) {
    if (how.policy == UTF8_POLICY_SUBPART) repair->option = NULL;
    return 1;
  }
  repair->function = "utf8_from";
  return utf8core_find_charset(text, size) >= 0;
}

/* auditrepair_choose() for TEXT that is open. */
static int chooseForText(const AuditWriter *w, const AuditPolicy *policy,
                         const Utf8Value *text, AuditRepair *repair) {
  size_t at = 0;
  unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  int rc = utf8value_find_error(w->db, text, &at, text->size, dialect);
  if (rc == SQLITE_OK && at < text->size) *repair = policy->ill_formed;
  return rc;
}

int auditrepair_choose(const AuditWriter *w, const AuditPolicy *policy,
                       sqlite3_value *x, AuditRepair *repair) {
  Utf8Value text;
  *repair = (AuditRepair){NULL, NULL};
  if (sqlite3_value_type(x) != SQLITE_TEXT) return SQLITE_OK;
  int rc = utf8value_open(&text, x, w->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = chooseForText(w, policy, &text, repair);
  utf8value_close(&text);
  return rc;
}

void auditrepair_append_start(sqlite3_str *out, AuditRepair repair) {
  sqlite3_str_appendf(out, "%s(", repair.function);
}

void auditrepair_append_end(sqlite3_str *out, AuditRepair repair) {
  if (repair.option) sqlite3_str_appendf(out, ", '%s'", repair.option);
  sqlite3_str_appendall(out, ")");
}

/* Prepares SELECT utf8_repair(CAST(x'61ff' AS TEXT)). Does not bind x: sqlite3_bind_value()
** removes U+FEFF from the start of UTF-16, and a BLOB that is bound is cast as UTF-8. */
static int prepareCall(const AuditWriter *w, AuditRepair repair, sqlite3_value *x,
                       sqlite3_stmt **stmt) {
  AuditWriter sql = {w->db, sqlite3_str_new(w->db), w->encoding};
  sqlite3_str_appendall(sql.out, "SELECT ");
  auditrepair_append_start(sql.out, repair);
  int rc = auditliteral_append_cast(&sql, x);
  auditrepair_append_end(sql.out, repair);
  int prepared = audittable_prepare(w->db, sql.out, stmt);
  return rc == SQLITE_OK ? prepared : rc;
}

int auditrepair_append_repaired(const AuditWriter *w, AuditRepair repair,
                                sqlite3_value *x) {
  sqlite3_stmt *stmt = NULL;
  int rc = prepareCall(w, repair, x, &stmt);
  if (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW)
    rc = auditliteral_append(w, sqlite3_column_value(stmt, 0));
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}
