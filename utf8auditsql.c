/* utf8auditsql.c: the SQL of utf8_audit.
**
**     SELECT t."rowid", CASE typeof(t."c") WHEN 'text' THEN t."c" END FROM "main"."t" AS t
**       NOT INDEXED WHERE CASE WHEN typeof(t."c") = 'text' AND NOT utf8_valid(t."c") THEN 1 END
**     UPDATE "main"."t" SET "c" = utf8_repair("c") WHERE rowid = 5;
**     UPDATE "main"."w" SET "c" = utf8_repair("c") WHERE ("k") = (CAST(x'ff41' AS TEXT));
**
** Names are always quoted, and columns are read as t."c": SQLite takes an unknown "c" alone
** for a string.
*/
#include "utf8auditsql.h"
#include <limits.h>
#include <math.h>
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

/* SQLite calls utf8_valid() itself, which is faster than returning every row. A CASE instead
** of a chain of ORs, which would be as deep as there are columns. */
static void appendCondition(sqlite3_str *sql, const AuditTable *table,
                            AuditChunk chunk) {
  AuditChunk key = {0, chunk.key, 0};
  sqlite3_str_appendall(sql, " WHERE CASE WHEN 0 THEN 0");
  appendEach(sql, ifIllFormed, table, chunk);
  appendEach(sql, ifIllFormed, table, key);
  sqlite3_str_appendall(sql, " END");
}

int auditsql_prepare_rows(sqlite3 *db, const AuditTable *table, AuditChunk chunk,
                          sqlite3_stmt **stmt) {
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendall(sql, "SELECT ");
  appendKeyResults(sql, table);
  appendEach(sql, textOnly, table, chunk);
  sqlite3_str_appendall(sql, " FROM ");
  appendTable(sql, table);
  sqlite3_str_appendall(sql, " AS t NOT INDEXED"); /* an index may lack rows */
  appendCondition(sql, table, chunk);
  return audittable_prepare(db, sql, stmt);
}

/* ---- literals -------------------------------------------------------------------- */

/* Appends the bytes as a BLOB literal: x'00ff'. */
static void appendBlob(sqlite3_str *out, const uint8_t *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  sqlite3_str_appendall(out, "x'");
  for (size_t i = 0; i < size; i++) {
    char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
    sqlite3_str_append(out, pair, 2);
  }
  sqlite3_str_appendall(out, "'");
}

/* Stores in *is whether SQLite reads the literal as the number x. Older versions read some
** decimals a bit too large or too small. */
static int readsAs(sqlite3 *db, const char *literal, double x, int *is) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendf(sql, "SELECT %s", literal);
  int rc = audittable_prepare(db, sql, &stmt);
  *is = rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW &&
        sqlite3_column_double(stmt, 0) == x;
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}

/* Appends x, which is finite, as an expression that every version reads exactly: an integer
** below 2^53, multiplied or divided by 2^52 and smaller powers of 2. Only the last division
** may leave the range of normal numbers, and its result is x, so nothing is rounded. */
static void appendExactReal(sqlite3_str *out, double x) {
  int exponent;
  double fraction = frexp(x, &exponent);
  sqlite3_int64 integer = (sqlite3_int64)ldexp(fraction, 53);
  exponent -= 53;
  while (integer % 2 == 0 && integer != 0) integer /= 2, exponent++;
  sqlite3_str_appendf(out, "(%lld.0", integer);
  for (int sign = exponent < 0 ? -1 : 1; exponent != 0;) {
    int part = exponent * sign < 52 ? exponent * sign : 52;
    sqlite3_str_appendf(out, sign < 0 ? " / %lld.0" : " * %lld.0",
                        (sqlite3_int64)1 << part);
    exponent -= sign * part;
  }
  sqlite3_str_appendall(out, ")");
}

/* The shortest of these that SQLite reads as x: 15 digits, 17 digits, an exact expression.
** Infinity is 9e999; older versions quote() it as Inf, a name. */
static int appendReal(const AuditWriter *w, sqlite3_value *x) {
  static const char *const formats[] = {"%!.15g", "%!.17g"};
  double r = sqlite3_value_double(x);
  if (r - r != 0) {
    sqlite3_str_appendall(w->out, r < 0 ? "-9e999" : "9e999");
    return SQLITE_OK;
  }
  for (int i = 0; i < 2; i++) {
    char literal[64];
    int is;
    sqlite3_snprintf(sizeof literal, literal, formats[i], r);
    int rc = readsAs(sqlite3_db_handle(w->rows), literal, r, &is);
    if (rc != SQLITE_OK) return rc;
    if (is) {
      sqlite3_str_appendall(w->out, literal);
      return SQLITE_OK;
    }
  }
  appendExactReal(w->out, r);
  return SQLITE_OK;
}

/* Appends the UTF-16 text x as a BLOB literal in the byte order of the database. Calls
** sqlite3_value_bytes16() first, since that may change the byte order of x. */
static int appendUtf16(const AuditWriter *w, sqlite3_value *x) {
  int size = sqlite3_value_bytes16(x);
  const void *bytes = w->encoding == UTF8_ENCODING_UTF16BE ? sqlite3_value_text16be(x)
                                                           : sqlite3_value_text16le(x);
  if (!bytes) return SQLITE_NOMEM;
  appendBlob(w->out, bytes, (size_t)size);
  return SQLITE_OK;
}

/* Can a quoted literal hold the text? */
static int isQuotable(const Utf8Value *text, int ill_formed) {
  if (ill_formed || (text->size && memchr(text->bytes, 0, text->size))) return 0;
  return !text->from_utf16 || !utf8value_sqlite_would_alter(text->bytes, text->size);
}

static int appendQuoted(const AuditWriter *w, const Utf8Value *text) {
  if (text->size > INT_MAX) return SQLITE_TOOBIG; /* a precision is an int */
  sqlite3_str_appendf(w->out, "'%.*q'", (int)text->size, text->bytes);
  return SQLITE_OK;
}

/* Appends the text of x, which is open, as CAST(x'..' AS TEXT). */
static int appendCast(const AuditWriter *w, sqlite3_value *x, const Utf8Value *text) {
  int rc = SQLITE_OK;
  sqlite3_str_appendall(w->out, "CAST(");
  if (text->from_utf16) {
    rc = appendUtf16(w, x);
  } else {
    appendBlob(w->out, text->bytes, text->size);
  }
  sqlite3_str_appendall(w->out, " AS TEXT)");
  return rc;
}

/* appendText() for x that is open as text. */
static int appendOpenText(const AuditWriter *w, sqlite3_value *x, const Utf8Value *text,
                          int repaired) {
  size_t at = 0;
  unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  int rc =
      utf8value_find_error(sqlite3_db_handle(w->rows), text, &at, text->size, dialect);
  if (rc != SQLITE_OK) return rc;
  int ill_formed = at < text->size;
  if (isQuotable(text, ill_formed)) return appendQuoted(w, text);
  if (!ill_formed || !repaired) return appendCast(w, x, text);
  sqlite3_str_appendall(w->out, "utf8_repair(");
  rc = appendCast(w, x, text);
  sqlite3_str_appendall(w->out, ")");
  return rc;
}

/* Appends an SQL expression for the TEXT x: 'a', CAST(x'ff' AS TEXT), or, if x has been
** repaired in the table since it was read (`repaired`), utf8_repair(CAST(x'ff' AS TEXT)). */
static int appendText(const AuditWriter *w, sqlite3_value *x, int repaired) {
  Utf8Value text;
  int rc = utf8value_open(&text, x, w->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = appendOpenText(w, x, &text, repaired);
  utf8value_close(&text);
  return rc;
}

/* Appends an SQL expression with the type and value of x. repaired is as for appendText(). */
static int appendLiteral(const AuditWriter *w, sqlite3_value *x, int repaired) {
  switch (sqlite3_value_type(x)) {
  case SQLITE_INTEGER:
    sqlite3_str_appendf(w->out, "%lld", sqlite3_value_int64(x));
    return SQLITE_OK;
  case SQLITE_FLOAT:
    return appendReal(w, x);
  case SQLITE_BLOB: {
    const uint8_t *bytes = sqlite3_value_blob(x);
    appendBlob(w->out, bytes, (size_t)sqlite3_value_bytes(x));
    return SQLITE_OK;
  }
  case SQLITE_TEXT:
    return appendText(w, x, repaired);
  default: /* not in a PRIMARY KEY of a table WITHOUT ROWID */
    sqlite3_str_appendall(w->out, "NULL");
    return SQLITE_OK;
  }
}

/* ---- one value of a row ------------------------------------------------------------- */

/* Appends (1, 'k'), with the first `repaired` of the key's columns as repaired. */
static int appendRowValue(const AuditWriter *w, int repaired) {
  int rc = SQLITE_OK;
  for (int i = 0; i < w->table->key_count && rc == SQLITE_OK; i++) {
    sqlite3_str_appendall(w->out, i ? ", " : "(");
    rc = appendLiteral(w, sqlite3_column_value(w->rows, i), i < repaired);
  }
  sqlite3_str_appendall(w->out, ")");
  return rc;
}

int auditsql_append_key(const AuditWriter *w) {
  return appendRowValue(w, 0);
}

/* Appends ("k" COLLATE "BINARY", "l"). */
static void appendKeyColumns(const AuditWriter *w) {
  for (int i = 0; i < w->table->key_count; i++) {
    const AuditColumn *c = &w->table->columns[i];
    sqlite3_str_appendf(w->out, "%s\"%w\"", i ? ", " : "(", c->name.raw);
    if (c->collation.raw)
      sqlite3_str_appendf(w->out, " COLLATE \"%w\"", c->collation.raw);
  }
  sqlite3_str_appendall(w->out, ")");
}

/* Appends rowid = 5, "id" = 5, or ("k") = ('a'). */
static int appendWhere(const AuditWriter *w, int column) {
  const AuditTable *table = w->table;
  if (table->key == AUDIT_ROWID) {
    const char *format = table->rowid_column < 0 ? "%w = %lld" : "\"%w\" = %lld";
    sqlite3_int64 rowid = sqlite3_column_int64(w->rows, 0);
    sqlite3_str_appendf(w->out, format, table->rowid, rowid);
    return SQLITE_OK;
  }
  appendKeyColumns(w);
  sqlite3_str_appendall(w->out, " = ");
  return appendRowValue(w, column < table->key_count ? column : 0);
}

/* Does the key have a UTF-16 text with an odd number of bytes? No SQL expression returns such
** a text: SQLite's CAST drops the last byte. */
static int keyHasOddByte(const AuditWriter *w) {
  if (w->encoding == UTF8_ENCODING_UTF8) return 0;
  for (int i = 0; i < w->table->key_count; i++) {
    sqlite3_value *x = sqlite3_column_value(w->rows, i);
    if (sqlite3_value_type(x) == SQLITE_TEXT && sqlite3_value_bytes16(x) % 2) return 1;
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
static int isNameInUse(const AuditWriter *w, sqlite3_value *x, int *is) {
  *is = 0;
  if (sqlite3_strnicmp(w->table->name.raw, "sqlite_", 7) != 0) return SQLITE_OK;
  sqlite3 *db = sqlite3_db_handle(w->rows);
  sqlite3_stmt *stmt;
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendf(sql, "SELECT 1 FROM \"%w\".sqlite_master WHERE name = ?1",
                      w->table->schema.raw);
  int rc = audittable_prepare(db, sql, &stmt);
  if (rc == SQLITE_OK) rc = sqlite3_bind_value(stmt, 1, x);
  if (rc == SQLITE_OK) *is = sqlite3_step(stmt) == SQLITE_ROW;
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}

static int isRepairable(const AuditWriter *w, int column) {
  const AuditTable *table = w->table;
  return !table->not_repairable && !table->columns[column].generated &&
         table->key != AUDIT_NO_KEY && !hasIllFormedName(table, column) &&
         !keyHasOddByte(w);
}

int auditsql_append_repair(const AuditWriter *w, int column, sqlite3_value *x) {
  if (!isRepairable(w, column)) return SQLITE_OK;
  int in_use;
  int rc = isNameInUse(w, x, &in_use);
  if (rc != SQLITE_OK || in_use) return rc;
  const char *name = w->table->columns[column].name.raw;
  sqlite3_str_appendall(w->out, "UPDATE ");
  appendTable(w->out, w->table);
  sqlite3_str_appendf(w->out, " SET \"%w\" = utf8_repair(\"%w\") WHERE ", name, name);
  rc = appendWhere(w, column);
  sqlite3_str_appendall(w->out, ";");
  return rc;
}
