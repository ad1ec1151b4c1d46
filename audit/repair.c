/* audit/repair.c: decides how a value that utf8_audit found is repaired.
**
**     utf8_repair("name")                   policy subpart
**     utf8_repair("name", 'windows-1252')   other policies of utf8_repair
**     utf8_from("name", 'gbk')              other charsets, for the whole value
**     utf8_unescape("name", 'surrogateescape')   bytes that Python has escaped
**     utf8_from(utf8_to("name", 'iso-8859-1'), 'windows-1251')   text that was read as Latin-1
**     utf8_strip("name", 'invisible')       suspicious text; utf8_strip_bom, utf8_demojibake
*/
#include "audit/repair.h"
#include "audit/readings.h"
#include "mojibake/mojibake.h"
#include "sql/functions.h"
#include "sql/option.h"
#include "core/bytes.h"
#include <string.h>

static const AuditRepair notRepaired = {.outer = {.function = AUDIT_NO_FUNCTION}};

static AuditRepair repairBy(AuditCall call) {
  return (AuditRepair){.outer = call};
}

/* A call of utf8_from or utf8_to. name is a name of the charset. */
static AuditCall callOfCharset(AuditFunction function, Utf8Charset charset,
                               const char *name) {
  return (AuditCall){function, name, .how = {.charset = charset}};
}

/* utf8_from(X, charset). */
static AuditRepair decodeFrom(Utf8Charset charset) {
  return repairBy(
      callOfCharset(AUDIT_UTF8_FROM, charset, utf8core_charset_name(charset)));
}

AuditRepair utf8audit_default_repair(void) {
  return repairBy((AuditCall){.function = AUDIT_UTF8_REPAIR,
                              .how = {.policy = UTF8_POLICY_SUBPART}});
}

int utf8audit_repair_from_name(AuditRepair *repair, const char *name) {
  Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  const size_t size = strlen(name);
  if (utf8charset_find_policy(name, size, &how)) {
    const int is_default = how.policy == UTF8_POLICY_SUBPART;
    *repair =
        repairBy((AuditCall){AUDIT_UTF8_REPAIR, is_default ? NULL : name, .how = how});
    return 1;
  }
  const Utf8Charset charset = utf8core_find_charset(name, size);
  *repair = repairBy(callOfCharset(AUDIT_UTF8_FROM, charset, name));
  return charset >= 0;
}

/* ---- the function that repairs a value ------------------------------------------------ */

/* Without a decision of the user, nothing is lost: a replacement character shows where
** something was. */
static AuditRepair repairOfKind(Utf8SuspectKind kind) {
  switch (kind) {
  case UTF8_SUSPECT_NONE:
  case UTF8_SUSPECT_REPLACEMENT:
  case UTF8_SUSPECT_NONCHARACTER:
    return notRepaired;
  case UTF8_SUSPECT_BOM:
    return repairBy((AuditCall){.function = AUDIT_UTF8_STRIP_BOM});
  case UTF8_SUSPECT_MOJIBAKE:
    return repairBy((AuditCall){.function = AUDIT_UTF8_DEMOJIBAKE});
  default:
    return repairBy(
        (AuditCall){AUDIT_UTF8_STRIP, utf8suspect_kind_name(kind), .kind = kind});
  }
}

/* Writes what detect/cause.h decides as a call, without regard to escaped bytes. */
static AuditRepair repairOfBytes(Utf8Cause cause) {
  Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  switch (utf8detect_cause_repair(cause, &how)) {
  case UTF8_CAUSE_KEEP:
    return notRepaired;
  case UTF8_CAUSE_DECODE:
    return decodeFrom(cause.charset);
  default:
    break;
  }
  const char *option = NULL;
  if (how.policy == UTF8_POLICY_CHARSET) option = utf8core_charset_name(how.charset);
  if (how.policy == UTF8_POLICY_CESU8) option = "cesu-8";
  return repairBy((AuditCall){AUDIT_UTF8_REPAIR, option, .how = how});
}

/* Writes what detect/cause.h decides as a call. */
static AuditRepair repairOfCause(Utf8Cause cause) {
  const AuditCall unescape = {.function = AUDIT_UTF8_UNESCAPE,
                              .option = "surrogateescape"};
  if (cause.is_escaped && cause.kind == UTF8_CAUSE_NONE) return repairBy(unescape);
  AuditRepair repair = repairOfBytes(cause);
  if (cause.is_escaped && repair.outer.function) repair.inner = unescape;
  return repair;
}

/* Ill-formed UTF-16 has lone surrogates, not bytes of another charset: only a policy can repair
** it. */
static AuditRepair repairOfIllFormed(const AuditContext *context,
                                     const AuditFinding *found) {
  const AuditPolicy *policy = &context->policy;
  if (policy->is_auto) return repairOfCause(found->readings->cause);
  if (context->encoding != UTF8_ENCODING_UTF8 &&
      policy->ill_formed.outer.function != AUDIT_UTF8_REPAIR)
    return utf8audit_default_repair();
  return policy->ill_formed;
}

/* ---- which values have an UPDATE ---------------------------------------------------- */

static int keyHasOddByte(const AuditContext *context, const AuditTable *table,
                         const AuditRow *row) {
  for (int i = 0; i < table->key_count; i++) {
    sqlite3_value *x = sqlite3_column_value(row->stmt, i);
    if (utf8audit_has_odd_byte(x, context->encoding)) return 1;
  }
  return 0;
}

static int hasIllFormedName(const AuditTable *table, int column) {
  const AuditColumn *columns = table->columns;
  if (table->schema.ill_formed || table->name.ill_formed) return 1;
  for (int i = 0; i < table->key_count; i++) {
    if (columns[i].name.ill_formed || columns[i].collation.ill_formed) return 1;
  }
  int by_column = table->key == AUDIT_ROWID && table->rowid_column >= 0;
  if (by_column && columns[table->rowid_column].name.ill_formed) return 1;
  return columns[column].name.ill_formed;
}

/* Like utf8audit_find_name(), for the text x. Leaves x as it is, which may be UTF-16. */
static int findInSchema(sqlite3 *db, const AuditName *schema, const sqlite3_value *x) {
  sqlite3_value *copy = sqlite3_value_dup(x);
  const char *name = copy ? (const char *)sqlite3_value_text(copy) : NULL;
  int rc = name ? utf8audit_find_name(db, schema, name) : SQLITE_NOMEM;
  sqlite3_value_free(copy);
  return rc;
}

/* sqlite_sequence and sqlite_stat1 hold names of tables. Repaired there, a name would no longer
** be that of its table. If the schema cannot be read, x may be a name in use. */
static int isNameInUse(sqlite3 *db, const AuditTable *table, sqlite3_value *x,
                       int *is) {
  *is = 0;
  if (sqlite3_strnicmp(table->name.raw, "sqlite_", 7) != 0) return SQLITE_OK;
  int rc = findInSchema(db, &table->schema, x);
  *is = rc != SQLITE_DONE;
  int isAnswer = rc == SQLITE_ROW || rc == SQLITE_DONE || (rc & 0xFF) == SQLITE_CORRUPT;
  return isAnswer ? SQLITE_OK : rc;
}

static int hasUpdate(const AuditContext *context, const AuditTable *table,
                     const AuditRow *row, int column) {
  return !table->not_repairable && !table->columns[column].generated &&
         table->key != AUDIT_NO_KEY && !hasIllFormedName(table, column) &&
         !keyHasOddByte(context, table, row);
}

static int decideForIllFormed(const AuditContext *context, const AuditTable *table,
                              AuditSelection selection, const AuditRow *row,
                              AuditFinding *found) {
  const int rc = utf8audit_find_readings(context, table, selection, row, found);
  if (rc == SQLITE_OK) found->repair = repairOfIllFormed(context, found);
  return rc;
}

static AuditRepair repairOfShown(const AuditFinding *found) {
  if (found->shown == AUDIT_ACCIDENT) return decodeFrom(found->misread.cause.charset);
  const Utf8Charset through =
      utf8core_find_charset(found->through, strlen(found->through));
  if (found->shown == AUDIT_MOJIBAKE)
    return repairBy(callOfCharset(AUDIT_UTF8_DEMOJIBAKE, through, found->through));
  AuditRepair repair = decodeFrom(found->misread.cause.charset);
  repair.inner = callOfCharset(AUDIT_UTF8_TO, through, found->through);
  return repair;
}

/* Is there a soft hyphen or a C1 control in the four code points at text[at]? No misread letter has more. */
static int hasControlNear(const Utf8Value *text, size_t at) {
  for (int n = 0; n < 4 && at < text->size; n++) {
    const uint8_t *code = text->bytes + at;
    if (code[0] == 0xC2 && (code[1] < 0xA0 || code[1] == 0xAD)) return 1;
    at += bytes_sequence_length(code[0]);
  }
  return 0;
}

/* Stores in *is whether a control or invisible code point of the value may be a byte of a misread letter, which nobody knows
** yet. Then these are not removed. */
static int findMisreadControl(sqlite3 *db, const AuditFinding *found, int *is) {
  const Utf8Value *text = &found->text;
  Utf8Chunks c = utf8value_chunks(db, 0, text->size);
  *is = 0;
  if (found->kind != UTF8_SUSPECT_CONTROL && found->kind != UTF8_SUSPECT_INVISIBLE)
    return SQLITE_OK;
  while (!*is && utf8value_next(&c)) {
    while (!*is && c.at < c.until) {
      c.at += utf8mojibake_scan_runs(NULL, text->bytes + c.at, text->size - c.at);
      if (c.at == text->size) break;
      *is = hasControlNear(text, c.at);
      c.at += bytes_sequence_length(text->bytes[c.at]);
    }
  }
  return c.rc;
}

static int decideForSuspect(const AuditContext *context, AuditFinding *found) {
  int is_misread;
  const int rc = findMisreadControl(context->db, found, &is_misread);
  if (rc == SQLITE_OK && !is_misread) found->repair = repairOfKind(found->kind);
  return rc;
}

int utf8audit_decide_repair(const AuditContext *context, const AuditTable *table,
                            AuditSelection selection, const AuditRow *row,
                            AuditFinding *found) {
  int in_use, rc = SQLITE_OK;
  found->repair = found->update = notRepaired;
  if (!context->has_repairs) return SQLITE_OK;
  if (found->shown) {
    found->repair = repairOfShown(found);
  } else if (found->kind == UTF8_SUSPECT_NONE) {
    rc = decideForIllFormed(context, table, selection, row, found);
  } else {
    rc = decideForSuspect(context, found);
  }
  if (rc != SQLITE_OK || !hasUpdate(context, table, row, found->column)) return rc;
  rc = isNameInUse(context->db, table, found->x, &in_use);
  if (rc == SQLITE_OK && !in_use) found->update = found->repair;
  return rc;
}
