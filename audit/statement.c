/* audit/statement.c: the SQL of utf8_audit.
**
**     SELECT t."rowid", CASE typeof(t."c") WHEN 'text' THEN t."c" END FROM "main"."t" AS t
**       NOT INDEXED WHERE CASE WHEN typeof(t."c") = 'text' AND NOT utf8_valid(t."c") THEN 1 END
**     UPDATE "main"."t" SET "c" = utf8_repair("c") WHERE rowid = 5;
**     UPDATE "main"."w" SET "c" = utf8_repair("c") WHERE ("k") = (CAST(x'ff41' AS TEXT));
**     UPDATE "main"."t" SET "c" = CAST(x'61ff' AS TEXT)
**       WHERE rowid = 5 AND "c" COLLATE "BINARY" = 'a�';
**
** Names are always quoted, and columns are read as t."c": SQLite takes an unknown "c" alone
** for a string.
*/
#include "audit/statement.h"
#include <string.h>

static void appendTable(sqlite3_str *out, const AuditTable *table) {
  sqlite3_str_appendf(out, "\"%w\".\"%w\"", table->schema.raw, table->name.raw);
}

/* ---- the SELECT ----------------------------------------------------------------------- */

static void appendKeyResults(sqlite3_str *sql, const AuditTable *table) {
  switch (table->key) {
  case AUDIT_NO_KEY:
    sqlite3_str_appendall(sql, "NULL");
    break;
  case AUDIT_ROWID:
    sqlite3_str_appendf(sql, "t.\"%w\"", table->rowid);
    break;
  case AUDIT_PRIMARY_KEY:
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

static void appendEach(sqlite3_str *sql, const char *format, const AuditTable *table,
                       AuditChunk chunk) {
  for (int i = chunk.first; i < chunk.first + chunk.count; i++) {
    const char *name = table->columns[i].name.raw;
    sqlite3_str_appendf(sql, format, name, name);
  }
}

static const char ifSuspect[] =
    " WHEN typeof(t.\"%w\") = 'text' AND utf8_suspect(t.\"%w\") IS NOT NULL THEN 1";

/* SQLite calls utf8_valid() itself, which is faster than returning every row. A CASE instead
** of a chain of ORs, which would be as deep as there are columns. */
static void appendIsIllFormed(sqlite3_str *sql, const AuditTable *table,
                              AuditChunk chunk) {
  AuditChunk key = {.count = chunk.key};
  sqlite3_str_appendall(sql, "CASE WHEN 0 THEN 0");
  appendEach(sql, ifIllFormed, table, chunk);
  appendEach(sql, ifIllFormed, table, key);
  if (chunk.suspects) {
    appendEach(sql, ifSuspect, table, chunk);
    appendEach(sql, ifSuspect, table, key);
  }
  sqlite3_str_appendall(sql, " END");
}

/* Appends ("k" COLLATE "BINARY", "l"). */
static void appendKeyColumns(sqlite3_str *out, const AuditTable *table) {
  for (int i = 0; i < table->key_count; i++) {
    const AuditColumn *c = &table->columns[i];
    sqlite3_str_appendf(out, "%s\"%w\"", i ? ", " : "(", c->name.raw);
    if (c->collation.raw) sqlite3_str_appendf(out, " COLLATE \"%w\"", c->collation.raw);
  }
  sqlite3_str_appendall(out, ")");
}

static void appendRange(sqlite3_str *sql, const AuditTable *table, AuditChunk chunk,
                        AuditRange range) {
  sqlite3_str_appendall(sql, " WHERE ");
  if (range == AUDIT_ILL_FORMED_FROM || range == AUDIT_EVERY_FROM)
    sqlite3_str_appendf(sql, "t.\"%w\" >= ?1 AND ", table->rowid);
  if (range == AUDIT_EVERY || range == AUDIT_EVERY_FROM) {
    sqlite3_str_appendall(sql, "1");
  } else {
    appendIsIllFormed(sql, table, chunk);
  }
}

/* Appends SELECT and its results. */
static void appendSelect(sqlite3_str *sql, const AuditTable *table, AuditChunk chunk) {
  sqlite3_str_appendall(sql, "SELECT ");
  appendKeyResults(sql, table);
  appendEach(sql, textOnly, table, chunk);
}

/* Reads the table itself: an index may lack rows. For SQLite, a table WITHOUT ROWID is an index
** among others, which NOT INDEXED does not exclude. */
static void appendFrom(sqlite3_str *sql, const AuditTable *table) {
  sqlite3_str_appendall(sql, " FROM ");
  appendTable(sql, table);
  sqlite3_str_appendall(sql, " AS t ");
  if (table->key_index) {
    sqlite3_str_appendf(sql, "INDEXED BY \"%w\"", table->key_index);
  } else {
    sqlite3_str_appendall(sql, "NOT INDEXED");
  }
}

int auditsql_prepare_rows(sqlite3 *db, const AuditTable *table, AuditChunk chunk,
                          AuditRange range, sqlite3_stmt **stmt) {
  sqlite3_str *sql = sqlite3_str_new(db);
  appendSelect(sql, table, chunk);
  appendFrom(sql, table);
  appendRange(sql, table, chunk, range);
  return audittable_prepare(db, sql, stmt);
}

/* Stores the constant name of the charset that a statement returns. */
static int readDetected(sqlite3_stmt *stmt, const char **charset) {
  int rc = sqlite3_step(stmt);
  if (rc != SQLITE_ROW) return rc;
  const char *name = (const char *)sqlite3_column_text(stmt, 0);
  Utf8Charset found = UTF8_CHARSET_BINARY;
  if (name) found = utf8core_find_charset(name, strlen(name));
  *charset = utf8core_charset_name(found);
  return SQLITE_OK;
}

int auditsql_detect_charset(sqlite3 *db, AuditTable *table, int i) {
  AuditColumn *c = &table->columns[i];
  sqlite3_stmt *stmt = NULL;
  if (c->charset) return SQLITE_OK;
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendf(sql, "SELECT utf8_detect_column(t.\"%w\")", c->name.raw);
  appendFrom(sql, table);
  appendRange(sql, table, (AuditChunk){.first = i, .count = 1}, AUDIT_ILL_FORMED);
  int rc = audittable_prepare(db, sql, &stmt);
  if (rc == SQLITE_OK) rc = readDetected(stmt, &c->charset);
  sqlite3_finalize(stmt);
  return (rc & 0xFF) == SQLITE_CORRUPT ? SQLITE_OK : rc;
}

/* ---- the key ------------------------------------------------------------------------ */

/* Appends x as its own UPDATE leaves columns[column]. */
static int appendRepaired(const AuditRow *row, int column, sqlite3_value *x) {
  AuditRepair repair;
  const AuditColumn *c = &row->table->columns[column];
  int rc = auditrepair_choose(&row->writer, row->policy, c, x, &repair);
  if (rc != SQLITE_OK) return rc;
  if (!repair.function) return auditliteral_append(&row->writer, x);
  return auditrepair_append_repaired(&row->writer, repair, x);
}

/* Appends (1, 'k'), with the first `repaired` of the key's columns as repaired. */
static int appendRowValue(const AuditRow *row, int repaired) {
  sqlite3_str *out = row->writer.out;
  int rc = SQLITE_OK;
  for (int i = 0; i < row->table->key_count && rc == SQLITE_OK; i++) {
    sqlite3_value *x = sqlite3_column_value(row->rows, i);
    sqlite3_str_appendall(out, i ? ", " : "(");
    rc =
        i < repaired ? appendRepaired(row, i, x) : auditliteral_append(&row->writer, x);
  }
  sqlite3_str_appendall(out, ")");
  return rc;
}

int auditsql_append_key(const AuditRow *row) {
  return appendRowValue(row, 0);
}

/* Appends the reverse of the key's own order, which SQLite reads without sorting. */
static void appendBackwards(sqlite3_str *sql, const AuditTable *table) {
  for (int i = 0; i < table->key_count; i++) {
    const AuditColumn *c = &table->columns[i];
    sqlite3_str_appendf(sql, "%st.\"%w\"", i ? ", " : " ORDER BY ", c->name.raw);
    if (c->collation.raw) sqlite3_str_appendf(sql, " COLLATE \"%w\"", c->collation.raw);
    sqlite3_str_appendall(sql, c->descending ? " ASC" : " DESC");
  }
}

/* Appends ("k", "l") = (1, 'a'), or 0 without a row. */
static int appendIsRow(const AuditRow *row) {
  sqlite3_str *out = row->writer.out;
  if (!row->rows) {
    sqlite3_str_appendall(out, "0");
    return SQLITE_OK;
  }
  appendKeyColumns(out, row->table);
  sqlite3_str_appendall(out, " = ");
  return appendRowValue(row, 0);
}

int auditsql_prepare_backwards(const AuditRow *row, AuditChunk chunk,
                               sqlite3_stmt **stmt) {
  AuditRow to = *row;
  sqlite3_str *sql = to.writer.out = sqlite3_str_new(row->writer.db);
  appendSelect(sql, row->table, chunk);
  sqlite3_str_appendall(sql, ", ");
  int rc = appendIsRow(&to);
  appendFrom(sql, row->table);
  appendRange(sql, row->table, chunk, AUDIT_ILL_FORMED);
  sqlite3_str_appendall(sql, " OR ");
  if (rc == SQLITE_OK) rc = appendIsRow(&to);
  appendBackwards(sql, row->table);
  int prepared = audittable_prepare(row->writer.db, sql, stmt);
  return rc == SQLITE_OK ? prepared : rc;
}

/* Appends rowid = 5, "id" = 5, or ("k") = ('a') with the first `repaired` of the key's columns
** as repaired. */
static int appendWhere(const AuditRow *row, int repaired) {
  const AuditTable *table = row->table;
  sqlite3_str *out = row->writer.out;
  if (table->key == AUDIT_ROWID) {
    const char *format = table->rowid_column < 0 ? "%w = %lld" : "\"%w\" = %lld";
    sqlite3_int64 rowid = sqlite3_column_int64(row->rows, 0);
    sqlite3_str_appendf(out, format, table->rowid, rowid);
    return SQLITE_OK;
  }
  appendKeyColumns(out, table);
  sqlite3_str_appendall(out, " = ");
  return appendRowValue(row, repaired);
}

/* ---- which values have an UPDATE ---------------------------------------------------- */

/* No SQL expression returns UTF-16 text with an odd number of bytes: SQLite's CAST drops the
** last byte. */
static int hasOddByte(const AuditRow *row, sqlite3_value *x) {
  return row->writer.encoding != UTF8_ENCODING_UTF8 &&
         sqlite3_value_type(x) == SQLITE_TEXT && sqlite3_value_bytes16(x) % 2;
}

static int keyHasOddByte(const AuditRow *row) {
  for (int i = 0; i < row->table->key_count; i++) {
    if (hasOddByte(row, sqlite3_column_value(row->rows, i))) return 1;
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

/* sqlite_sequence and sqlite_stat1 hold names of tables. Repaired there, a name would no
** longer be that of its table. Stores in *is whether x is a name in the schema. */
static int isNameInUse(const AuditRow *row, sqlite3_value *x, int *is) {
  *is = 0;
  if (sqlite3_strnicmp(row->table->name.raw, "sqlite_", 7) != 0) return SQLITE_OK;
  sqlite3 *db = row->writer.db;
  sqlite3_stmt *stmt;
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendf(sql, "SELECT 1 FROM \"%w\".sqlite_master WHERE name = ?1",
                      row->table->schema.raw);
  int rc = audittable_prepare(db, sql, &stmt);
  if (rc == SQLITE_OK) rc = sqlite3_bind_value(stmt, 1, x);
  if (rc == SQLITE_OK) *is = sqlite3_step(stmt) == SQLITE_ROW;
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}

static int hasUpdate(const AuditRow *row, int column) {
  const AuditTable *table = row->table;
  return !table->not_repairable && !table->columns[column].generated &&
         table->key != AUDIT_NO_KEY && !hasIllFormedName(table, column) &&
         !keyHasOddByte(row);
}

/* Stores in *repair how an UPDATE repairs x in columns[column]; no function if none can or
** should. */
static int chooseRepair(const AuditRow *row, int column, sqlite3_value *x,
                        AuditRepair *repair) {
  int in_use;
  *repair = (AuditRepair){NULL, NULL};
  if (!hasUpdate(row, column)) return SQLITE_OK;
  int rc = isNameInUse(row, x, &in_use);
  if (rc != SQLITE_OK || in_use) return rc;
  const AuditColumn *c = &row->table->columns[column];
  return auditrepair_choose(&row->writer, row->policy, c, x, repair);
}

/* ---- the UPDATEs -------------------------------------------------------------------- */

/* Appends UPDATE "main"."t" SET "c" = */
static void appendUpdate(const AuditRow *row, int column) {
  sqlite3_str *out = row->writer.out;
  sqlite3_str_appendall(out, "UPDATE ");
  appendTable(out, row->table);
  sqlite3_str_appendf(out, " SET \"%w\" = ", row->table->columns[column].name.raw);
}

/* Returns how many key columns are repaired before columns[column] is. */
static int repairedBefore(const AuditRow *row, int column) {
  return column < row->table->key_count ? column : 0;
}

/* Appends utf8_repair("c") */
static void appendCall(sqlite3_str *out, AuditRepair repair, const char *name) {
  auditrepair_append_start(out, repair);
  sqlite3_str_appendf(out, "\"%w\"", name);
  auditrepair_append_end(out, repair);
}

/* utf8_from would decode a second time what it has decoded. */
static void appendGuard(sqlite3_str *out, AuditRepair repair, const char *name) {
  if (strcmp(repair.function, "utf8_from") == 0)
    sqlite3_str_appendf(out, " AND NOT utf8_valid(\"%w\")", name);
}

int auditsql_append_repair(const AuditRow *row, int column, sqlite3_value *x) {
  const char *name = row->table->columns[column].name.raw;
  sqlite3_str *out = row->writer.out;
  AuditRepair repair;
  int rc = chooseRepair(row, column, x, &repair);
  if (rc != SQLITE_OK || !repair.function) return rc;
  appendUpdate(row, column);
  appendCall(out, repair, name);
  sqlite3_str_appendall(out, " WHERE ");
  rc = appendWhere(row, repairedBefore(row, column));
  appendGuard(out, repair, name);
  sqlite3_str_appendall(out, ";");
  return rc;
}

/* Appends the UPDATE. Writes the bytes of x, since a quoted text could hide what was wrong. The
** column may have a collating sequence that equates more. */
static int appendUndo(const AuditRow *row, int column, sqlite3_value *x) {
  int key = column < row->table->key_count ? column + 1 : 0;
  sqlite3_str *out = row->writer.out;
  appendUpdate(row, column);
  int rc = auditliteral_append_cast(&row->writer, x);
  sqlite3_str_appendall(out, " WHERE ");
  if (rc == SQLITE_OK) rc = appendWhere(row, key);
  sqlite3_str_appendf(
      out, " AND \"%w\" COLLATE \"BINARY\" = ", row->table->columns[column].name.raw);
  if (rc == SQLITE_OK) rc = appendRepaired(row, column, x);
  sqlite3_str_appendall(out, ";");
  return rc;
}

/* Two digits are written for each byte. */
static int isTooLong(const AuditRow *row, sqlite3_value *x) {
  const int is_utf8 = row->writer.encoding == UTF8_ENCODING_UTF8;
  uint64_t size =
      (uint64_t)(is_utf8 ? sqlite3_value_bytes(x) : sqlite3_value_bytes16(x));
  int limit = sqlite3_limit(row->writer.db, SQLITE_LIMIT_SQL_LENGTH, -1);
  return 2 * size > (uint64_t)limit;
}

int auditsql_append_undo(const AuditRow *row, int column, sqlite3_value *x) {
  AuditRepair repair;
  int rc = chooseRepair(row, column, x, &repair);
  if (rc != SQLITE_OK || !repair.function) return rc;
  return hasOddByte(row, x) || isTooLong(row, x) ? SQLITE_OK
                                                 : appendUndo(row, column, x);
}
