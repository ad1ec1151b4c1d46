/* audit/repair.c: which function repairs a value that utf8_audit found.
**
**     utf8_repair("name")                   policy subpart
**     utf8_repair("name", 'windows-1252')   other policies of utf8_repair
**     utf8_from("name", 'gbk')              other charsets, for the whole value
**     utf8_strip("name", 'invisible')       suspicious text; utf8_strip_bom, utf8_demojibake
*/
#include "audit/repair.h"
#include "sql/option.h"
#include <string.h>

int auditrepair_from_name(AuditRepair *repair, const char *name) {
  Utf8Repair how;
  const size_t size = strlen(name);
  *repair = (AuditRepair){"utf8_repair", name};
  if (utf8option_find_policy(name, size, &how)) {
    if (how.policy == UTF8_POLICY_SUBPART) repair->option = NULL;
    return 1;
  }
  repair->function = "utf8_from";
  return utf8core_find_charset(name, size) >= 0;
}

int auditrepair_find_suspect(sqlite3 *db, const Utf8Value *text,
                             Utf8SuspectFound *found) {
  Utf8Chunks c = utf8value_chunks(db, 0, text->size);
  while (utf8value_next(&c))
    if (utf8suspect_find(text->bytes, text->size, &c.at, c.until, found))
      return SQLITE_OK;
  found->kind = UTF8_SUSPECT_NONE;
  return c.rc;
}

/* Without a decision of the user, nothing is lost: a replacement character shows where
** something was. */
static AuditRepair repairOfKind(Utf8SuspectKind kind) {
  switch (kind) {
  case UTF8_SUSPECT_NONE:
  case UTF8_SUSPECT_REPLACEMENT:
  case UTF8_SUSPECT_NONCHARACTER:
    return (AuditRepair){NULL, NULL};
  case UTF8_SUSPECT_BOM:
    return (AuditRepair){"utf8_strip_bom", NULL};
  case UTF8_SUSPECT_MOJIBAKE:
    return (AuditRepair){"utf8_demojibake", NULL};
  default:
    return (AuditRepair){"utf8_strip", utf8suspect_kind_name(kind)};
  }
}

/* In UTF-16, what is ill-formed is a lone surrogate, and no text in another charset: only a
** policy can repair it. */
static AuditRepair repairOfUtf16(const AuditPolicy *policy) {
  const AuditRepair subpart = {"utf8_repair", NULL};
  const int isPolicy =
      !policy->is_auto && strcmp(policy->ill_formed.function, "utf8_repair") == 0;
  return isPolicy ? policy->ill_formed : subpart;
}

/* What is no text in any charset is not repaired. */
static AuditRepair repairOfIllFormed(const AuditWriter *w, const AuditPolicy *policy,
                                     const AuditColumn *column) {
  AuditRepair repair = policy->ill_formed;
  if (w->encoding != SQLITE_UTF8) return repairOfUtf16(policy);
  if (!policy->is_auto) return repair;
  if (column->charset && auditrepair_from_name(&repair, column->charset)) return repair;
  return (AuditRepair){NULL, NULL};
}

/* auditrepair_choose() for TEXT that is open. */
static int chooseForText(const AuditWriter *w, const AuditPolicy *policy,
                         const AuditColumn *column, const Utf8Value *text,
                         AuditRepair *repair) {
  size_t at = 0;
  Utf8SuspectFound found = {.kind = UTF8_SUSPECT_NONE};
  unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  int rc = utf8value_find_error(w->db, text, &at, text->size, dialect);
  if (rc == SQLITE_OK && at < text->size) {
    *repair = repairOfIllFormed(w, policy, column);
    return rc;
  }
  if (rc == SQLITE_OK && policy->suspects)
    rc = auditrepair_find_suspect(w->db, text, &found);
  *repair = repairOfKind(found.kind);
  return rc;
}

int auditrepair_choose(const AuditWriter *w, const AuditPolicy *policy,
                       const AuditColumn *column, sqlite3_value *x,
                       AuditRepair *repair) {
  Utf8Value text;
  *repair = (AuditRepair){NULL, NULL};
  if (sqlite3_value_type(x) != SQLITE_TEXT) return SQLITE_OK;
  int rc = utf8value_open(&text, x, w->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = chooseForText(w, policy, column, &text, repair);
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
