/* audit/update.c: the UPDATEs that repair a value and undo that.
**
**     UPDATE "main"."t" SET "c" = utf8_repair("c") WHERE rowid = 5;
**     UPDATE "main"."w" SET "c" = utf8_repair("c") WHERE ("k") = (CAST(x'ff41' AS TEXT));
**     UPDATE "main"."t" SET "c" = CAST(x'61ff' AS TEXT)
**       WHERE rowid = 5 AND "c" COLLATE "BINARY" = 'a�';
*/
#include "audit/update.h"
#include "audit/call.h"
#include "audit/select.h"

/* Appends UPDATE "main"."t" SET "c" = */
static void appendUpdate(sqlite3_str *out, const AuditTable *table, int column) {
  sqlite3_str_appendall(out, "UPDATE ");
  utf8audit_append_table(out, table);
  sqlite3_str_appendf(out, " SET \"%w\" = ", table->columns[column].name.raw);
}

/* Without it, utf8_from would decode a value twice if the UPDATE ran twice. What utf8_to encodes is well-formed; once
** it is decoded, it has characters that the charset of utf8_to lacks. What is well-formed by accident is compared. */
static int appendGuard(const AuditWriter *w, const AuditFinding *found,
                       const char *name) {
  const AuditRepair *repair = &found->update;
  sqlite3_str *out = w->out;
  if (repair->outer.function != AUDIT_UTF8_FROM) return SQLITE_OK;
  if (found->shown == AUDIT_ACCIDENT) {
    sqlite3_str_appendf(out, " AND \"%w\" COLLATE \"BINARY\" = ", name);
    return utf8audit_append_cast(w, &found->text);
  }
  if (repair->inner.function == AUDIT_UTF8_TO) {
    sqlite3_str_appendf(out, " AND utf8_from(utf8_to(\"%w\", '%s'), '%s') = \"%w\"",
                        name, repair->inner.option, repair->inner.option, name);
  } else {
    sqlite3_str_appendf(out, " AND NOT utf8_valid(\"%w\")", name);
  }
  return SQLITE_OK;
}

/* Returns how many key columns are repaired before the column is. */
static int repairedBefore(const AuditTable *table, int column) {
  return column < table->key_count ? column : 0;
}

int utf8audit_append_repair(const AuditWriter *w, const AuditTable *table,
                            const AuditRow *row, const AuditFinding *found) {
  const char *name = table->columns[found->column].name.raw;
  if (!found->update.outer.function) return SQLITE_OK;
  appendUpdate(w->out, table, found->column);
  utf8audit_append_call(w->out, &found->update, name);
  sqlite3_str_appendall(w->out, " WHERE ");
  int rc = utf8audit_append_where(w, table, row, repairedBefore(table, found->column));
  if (rc == SQLITE_OK) rc = appendGuard(w, found, name);
  sqlite3_str_appendall(w->out, ";");
  return rc;
}

/* Returns how many key columns are repaired after the column is. */
static int repairedAfter(const AuditTable *table, int column) {
  return column < table->key_count ? column + 1 : 0;
}

/* Appends the UPDATE. Writes the bytes of the value, since a quoted text could hide what was
** wrong. The column may have a collating sequence that equates more. The repaired value shows that
** the row is the same one: VACUUM renumbers the rows of a table without INTEGER PRIMARY KEY. */
static int appendUndo(const AuditWriter *w, const AuditTable *table,
                      const AuditRow *row, const AuditFinding *found) {
  const char *name = table->columns[found->column].name.raw;
  appendUpdate(w->out, table, found->column);
  int rc = utf8audit_append_cast(w, &found->text);
  sqlite3_str_appendall(w->out, " WHERE ");
  if (rc == SQLITE_OK)
    rc = utf8audit_append_where(w, table, row, repairedAfter(table, found->column));
  sqlite3_str_appendf(w->out, " AND \"%w\" COLLATE \"BINARY\" = ", name);
  if (rc == SQLITE_OK) rc = utf8audit_append_repaired(w, &found->update, &found->text);
  sqlite3_str_appendall(w->out, ";");
  return rc;
}

/* An UPDATE has two digits for each byte. */
static int isTooLong(const AuditWriter *w, sqlite3_value *x) {
  const int isUtf8 = w->encoding == UTF8_ENCODING_UTF8;
  const int size = isUtf8 ? sqlite3_value_bytes(x) : sqlite3_value_bytes16(x);
  const int limit = sqlite3_limit(w->db, SQLITE_LIMIT_SQL_LENGTH, -1);
  return 2 * (uint64_t)size > (uint64_t)limit;
}

int utf8audit_append_undo(const AuditWriter *w, const AuditTable *table,
                          const AuditRow *row, const AuditFinding *found) {
  if (!found->update.outer.function) return SQLITE_OK;
  if (utf8audit_has_odd_byte(found->x, w->encoding)) return SQLITE_OK;
  return isTooLong(w, found->x) ? SQLITE_OK : appendUndo(w, table, row, found);
}
