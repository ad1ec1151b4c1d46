/* utf8auditsql.c: the SQL side of utf8_audit: which tables there are, which columns and
** which key they have, and the statements that read and repair them.
**
**     SELECT t.rowid, CASE typeof(t."c") WHEN 'text' THEN t."c" END FROM "main"."t" AS t
**       WHERE CASE WHEN typeof(t."c") = 'text' AND NOT utf8_valid(t."c") THEN 1 END
**     UPDATE "main"."t" SET "c" = utf8_repair("c") WHERE rowid = 5;
**     UPDATE "main"."w" SET "c" = utf8_repair("c") WHERE ("k") = (CAST(x'ff41' AS TEXT));
**
** Names are always quoted, and columns are read as t."c": an unknown "c" alone would
** silently be a string. What a table looks like is asked of PRAGMA table_xinfo and
** index_xinfo, which answer for every kind of table since long before SQLite 3.31.
*/
#include "utf8audit.h"
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names ----------------------------------------------------------------------- */

static void appendEscaped(sqlite3_str *out, const char *text, size_t size) {
  const Utf8Repair how = {UTF8_POLICY_ESCAPE, UTF8_STRICT, NULL, 0};
  uint8_t part[256];
  for (size_t at = 0; at < size;) {
    size_t used = utf8core_repair(&how, (const uint8_t *)text, size, &at, part, 256);
    sqlite3_str_append(out, (const char *)part, (int)used);
  }
}

char *utf8audit_escape(const char *text) {
  if (!*text) return sqlite3_mprintf(""); /* sqlite3_str_finish() would give NULL */
  sqlite3_str *out = sqlite3_str_new(NULL);
  appendEscaped(out, text, strlen(text));
  return sqlite3_str_finish(out);
}

void utf8audit_name_clear(AuditName *name) {
  sqlite3_free(name->raw);
  sqlite3_free(name->shown);
  memset(name, 0, sizeof *name);
}

int utf8audit_name_set(AuditName *name, const char *raw) {
  utf8audit_name_clear(name);
  if (!raw) return SQLITE_OK;
  name->raw = sqlite3_mprintf("%s", raw);
  name->shown = utf8audit_escape(raw);
  if (!name->raw || !name->shown) return SQLITE_NOMEM;
  name->ill_formed = strcmp(name->raw, name->shown) != 0;
  return SQLITE_OK;
}

static void appendTable(sqlite3_str *out, const AuditTable *table) {
  sqlite3_str_appendf(out, "\"%w\".\"%w\"", table->schema.raw, table->name.raw);
}

/* ---- statements ------------------------------------------------------------------ */

/* Prepares the text that was gathered in sql, and frees it. */
static int prepare(sqlite3 *db, sqlite3_str *sql, sqlite3_stmt **stmt) {
  *stmt = NULL;
  int rc = sqlite3_str_errcode(sql);
  char *text = sqlite3_str_finish(sql);
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, text, -1, stmt, NULL);
  sqlite3_free(text);
  return rc;
}

/* The tables T_... of a virtual table T hold what T makes of its content. An index with a
** table's name takes the place of the table's key in PRAGMA index_xinfo. */
static const char tablesOf[] =
    "SELECT 'sqlite_master', 1, 0 UNION ALL "
    "SELECT name, name COLLATE BINARY IN ("
    "SELECT s.name FROM \"%w\".sqlite_master AS v CROSS JOIN \"%w\".sqlite_master AS s "
    "WHERE v.type = 'table' AND ifnull(v.rootpage, 0) = 0 AND s.type = 'table' "
    "AND substr(s.name, 1, length(v.name) + 1) = v.name || '_' COLLATE NOCASE), "
    "name COLLATE NOCASE IN (SELECT name FROM \"%w\".sqlite_master WHERE type = "
    "'index') "
    "FROM \"%w\".sqlite_master "
    "WHERE type = 'table' AND rootpage > 0 AND typeof(name) = 'text'";

int utf8audit_prepare_tables(sqlite3 *db, const AuditName *schema,
                             sqlite3_stmt **stmt) {
  const char *s = schema->raw;
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendf(sql, tablesOf, s, s, s, s);
  return prepare(db, sql, stmt);
}

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

int utf8audit_key_results(const AuditTable *table) {
  return table->key == AUDIT_PRIMARY_KEY ? table->key_count : 1;
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

/* Most rows are to be passed over at once, so it is SQLite that calls utf8_valid(), rather
** than this side that steps through all rows. A CASE, since a chain of ORs would be as
** deep as there are columns. */
static void appendCondition(sqlite3_str *sql, const AuditTable *table,
                            AuditChunk chunk) {
  AuditChunk key = {0, chunk.key, 0};
  sqlite3_str_appendall(sql, " WHERE CASE WHEN 0 THEN 0");
  appendEach(sql, ifIllFormed, table, chunk);
  appendEach(sql, ifIllFormed, table, key);
  sqlite3_str_appendall(sql, " END");
}

int utf8audit_prepare_rows(sqlite3 *db, const AuditTable *table, AuditChunk chunk,
                           sqlite3_stmt **stmt) {
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendall(sql, "SELECT ");
  appendKeyResults(sql, table);
  appendEach(sql, textOnly, table, chunk);
  sqlite3_str_appendall(sql, " FROM ");
  appendTable(sql, table);
  sqlite3_str_appendall(sql, " AS t");
  appendCondition(sql, table, chunk);
  return prepare(db, sql, stmt);
}

/* ---- tables ---------------------------------------------------------------------- */

/* PRAGMA "schema".pragma("table") */
static int preparePragma(sqlite3 *db, const AuditTable *table, const char *pragma,
                         sqlite3_stmt **stmt) {
  sqlite3_str *sql = sqlite3_str_new(db);
  const char *schema = table->schema.raw;
  sqlite3_str_appendf(sql, "PRAGMA \"%w\".%s(\"%w\")", schema, pragma, table->name.raw);
  return prepare(db, sql, stmt);
}

static int addColumn(AuditTable *table, sqlite3_stmt *info) {
  uint64_t size = sizeof(AuditColumn) * ((uint64_t)table->column_count + 1);
  AuditColumn *columns = sqlite3_realloc64(table->columns, size);
  if (!columns) return SQLITE_NOMEM;
  table->columns = columns;
  AuditColumn *column = &columns[table->column_count];
  memset(column, 0, sizeof *column);
  column->order = table->column_count++;
  column->generated = sqlite3_column_int(info, 6) != 0; /* hidden: 2 or 3 */
  const char *name = (const char *)sqlite3_column_text(info, 1);
  return name ? utf8audit_name_set(&column->name, name) : SQLITE_NOMEM;
}

/* What PRAGMA table_xinfo shows of a PRIMARY KEY. */
typedef struct PrimaryKey {
  int count;    /* its columns */
  int not_null; /* one of them is NOT NULL, as all are in a table WITHOUT ROWID */
  int integer;  /* the index of the last that was declared as INTEGER, or -1 */
} PrimaryKey;

static void notePrimaryKey(PrimaryKey *pk, sqlite3_stmt *info, int column) {
  const char *type = (const char *)sqlite3_column_text(info, 2);
  if (!sqlite3_column_int(info, 5)) return;
  pk->count++;
  pk->not_null |= sqlite3_column_int(info, 3);
  if (type && sqlite3_stricmp(type, "INTEGER") == 0) pk->integer = column;
}

static int loadColumns(AuditTable *table, sqlite3 *db, PrimaryKey *pk) {
  sqlite3_stmt *info;
  int rc = preparePragma(db, table, "table_xinfo", &info);
  while (rc == SQLITE_OK && sqlite3_step(info) == SQLITE_ROW) {
    notePrimaryKey(pk, info, table->column_count);
    rc = addColumn(table, info);
  }
  int final = sqlite3_finalize(info);
  return rc == SQLITE_OK ? final : rc;
}

/* An index compares by its own collating sequence, and so must a WHERE that is to find one
** row and to use the index. */
static int setCollation(const AuditTable *table, sqlite3 *db, AuditColumn *column,
                        const char *of_index) {
  const char *of_column = NULL;
  int rc = sqlite3_table_column_metadata(db, table->schema.raw, table->name.raw,
                                         column->name.raw, NULL, &of_column, NULL, NULL,
                                         NULL);
  if (rc == SQLITE_NOMEM) return rc;
  int isSame = rc == SQLITE_OK && of_index && sqlite3_stricmp(of_index, of_column) == 0;
  return isSame ? SQLITE_OK : utf8audit_name_set(&column->collation, of_index);
}

/* Key columns get a negative order, so that they are sorted before the others. */
static int addKeyColumn(AuditTable *table, sqlite3 *db, sqlite3_stmt *info) {
  int column = sqlite3_column_int(info, 1);
  if (!sqlite3_column_int(info, 5)) return SQLITE_OK; /* in the index, not in its key */
  if (column < 0 || column >= table->column_count) return SQLITE_OK;
  AuditColumn *c = &table->columns[column];
  c->order = table->key_count++ - table->column_count;
  table->key = AUDIT_PRIMARY_KEY;
  return setCollation(table, db, c, (const char *)sqlite3_column_text(info, 4));
}

/* For the name of a table WITHOUT ROWID, PRAGMA index_xinfo shows the index that is the
** table. Otherwise there is none of that name; or where the schema was tampered with, one
** of a table with a rowid, which ends in a column of the number -1. */
static int loadKey(AuditTable *table, sqlite3 *db, int *without_rowid) {
  sqlite3_stmt *info;
  int rc = preparePragma(db, table, "index_xinfo", &info), has_rowid = 0, any = 0;
  while (rc == SQLITE_OK && sqlite3_step(info) == SQLITE_ROW) {
    any = 1;
    has_rowid |= sqlite3_column_int(info, 1) == -1;
    if (!table->tampered) rc = addKeyColumn(table, db, info);
  }
  *without_rowid = any && !has_rowid;
  int final = sqlite3_finalize(info);
  return rc == SQLITE_OK ? final : rc;
}

static int compareOrder(const void *a, const void *b) {
  return ((const AuditColumn *)a)->order - ((const AuditColumn *)b)->order;
}

static int hasColumn(const AuditTable *table, const char *name) {
  for (int i = 0; i < table->column_count; i++) {
    if (sqlite3_stricmp(table->columns[i].name.raw, name) == 0) return 1;
  }
  return 0;
}

/* *has: an index of its own keeps the PRIMARY KEY; so it is not the rowid. */
static int hasPrimaryKeyIndex(const AuditTable *table, sqlite3 *db, int *has) {
  sqlite3_stmt *list;
  int rc = preparePragma(db, table, "index_list", &list);
  while (rc == SQLITE_OK && sqlite3_step(list) == SQLITE_ROW) {
    const char *origin = (const char *)sqlite3_column_text(list, 3);
    *has |= origin && strcmp(origin, "pk") == 0;
  }
  int final = sqlite3_finalize(list);
  return rc == SQLITE_OK ? final : rc;
}

static void setRowid(AuditTable *table, const char *name, int column) {
  table->key = AUDIT_ROWID;
  table->rowid = name;
  table->rowid_column = column;
}

/* Finds a name for the rowid that no column has, or else the INTEGER PRIMARY KEY, which is
** the rowid, unless it was declared DESC. */
static int findRowid(AuditTable *table, sqlite3 *db, const PrimaryKey *pk) {
  static const char *const names[] = {"rowid", "oid", "_rowid_"};
  for (int i = 0; i < 3; i++) {
    if (hasColumn(table, names[i])) continue;
    setRowid(table, names[i], -1);
    return SQLITE_OK;
  }
  if (pk->count != 1 || pk->integer < 0) return SQLITE_OK;
  int has_index = 0;
  int rc = hasPrimaryKeyIndex(table, db, &has_index);
  if (rc == SQLITE_OK && !has_index)
    setRowid(table, table->columns[pk->integer].name.raw, pk->integer);
  return rc;
}

void utf8audit_drop_key(AuditTable *table) {
  table->key = AUDIT_NO_KEY;
  table->key_count = 0;
}

static void clearColumns(AuditTable *table) {
  for (int i = 0; i < table->column_count; i++) {
    utf8audit_name_clear(&table->columns[i].name);
    utf8audit_name_clear(&table->columns[i].collation);
  }
  sqlite3_free(table->columns);
  table->columns = NULL;
  table->column_count = 0;
  utf8audit_drop_key(table);
}

void utf8audit_clear(AuditTable *table) {
  clearColumns(table);
  utf8audit_name_clear(&table->schema);
  utf8audit_name_clear(&table->name);
}

int utf8audit_load(AuditTable *table, sqlite3 *db, const char **why) {
  PrimaryKey pk = {0, 0, -1};
  int without_rowid = 0;
  clearColumns(table);
  int rc = loadColumns(table, db, &pk);
  if (rc == SQLITE_OK && table->column_count == 0) {
    *why = "no such table, or its columns are hidden";
    return SQLITE_ERROR;
  }
  if (rc == SQLITE_OK && pk.not_null) rc = loadKey(table, db, &without_rowid);
  if (rc == SQLITE_OK && !without_rowid) rc = findRowid(table, db, &pk);
  if (rc != SQLITE_OK) return rc;
  qsort(table->columns, (size_t)table->column_count, sizeof(AuditColumn), compareOrder);
  return SQLITE_OK;
}

/* ---- literals -------------------------------------------------------------------- */

static void appendHex(sqlite3_str *out, const uint8_t *bytes, size_t size) {
  static const char digits[] = "0123456789abcdef";
  sqlite3_str_appendall(out, "x'");
  for (size_t i = 0; i < size; i++) {
    char pair[2] = {digits[bytes[i] >> 4], digits[bytes[i] & 15]};
    sqlite3_str_append(out, pair, 2);
  }
  sqlite3_str_appendall(out, "'");
}

/* *is: SQLite reads the literal as the number x. Older versions read some decimals a bit
** too large or too small. */
static int readsAs(sqlite3 *db, const char *literal, double x, int *is) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendf(sql, "SELECT %s", literal);
  int rc = prepare(db, sql, &stmt);
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
static int appendReal(sqlite3_str *out, sqlite3 *db, sqlite3_value *x) {
  static const char *const formats[] = {"%!.15g", "%!.17g"};
  double r = sqlite3_value_double(x);
  if (r - r != 0) {
    sqlite3_str_appendall(out, r < 0 ? "-9e999" : "9e999");
    return SQLITE_OK;
  }
  for (int i = 0; i < 2; i++) {
    char literal[64];
    int is;
    sqlite3_snprintf(sizeof literal, literal, formats[i], r);
    int rc = readsAs(db, literal, r, &is);
    if (rc != SQLITE_OK) return rc;
    if (is) {
      sqlite3_str_appendall(out, literal);
      return SQLITE_OK;
    }
  }
  appendExactReal(out, r);
  return SQLITE_OK;
}

/* The bytes of a UTF-16 text as the database has them. The length is asked first: asking
** it may change the byte order. */
static int appendUnits(sqlite3_str *out, sqlite3_value *x, int utf16) {
  int size = sqlite3_value_bytes16(x);
  const void *units =
      utf16 == SQLITE_UTF16BE ? sqlite3_value_text16be(x) : sqlite3_value_text16le(x);
  if (!units) return SQLITE_NOMEM;
  appendHex(out, units, (size_t)size);
  return SQLITE_OK;
}

static int isPlain(const Utf8Value *text, int ill_formed) {
  if (ill_formed || (text->size && memchr(text->bytes, 0, text->size))) return 0;
  return !text->utf16 || !utf8value_is_spoilt(text->bytes, text->size);
}

/* A quoted literal, or CAST(x'..' AS TEXT) for what such a literal cannot hold; repaired
** says that the text has been repaired since it was read. */
static int appendOpenText(sqlite3_str *out, sqlite3 *db, sqlite3_value *x,
                          const Utf8Value *text, int utf16, int repaired) {
  size_t at = 0;
  unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  int rc = utf8value_find_error(db, text, &at, text->size, dialect);
  if (rc != SQLITE_OK) return rc;
  int ill_formed = at < text->size;
  if (isPlain(text, ill_formed)) {
    if (text->size > INT_MAX) return SQLITE_TOOBIG; /* a precision is an int */
    sqlite3_str_appendf(out, "'%.*q'", (int)text->size, text->bytes);
    return SQLITE_OK;
  }
  if (!ill_formed) repaired = 0;
  sqlite3_str_appendall(out, repaired ? "utf8_repair(CAST(" : "CAST(");
  if (text->utf16) {
    rc = appendUnits(out, x, utf16);
  } else {
    appendHex(out, text->bytes, text->size);
  }
  sqlite3_str_appendall(out, repaired ? " AS TEXT))" : " AS TEXT)");
  return rc;
}

static int appendText(sqlite3_str *out, sqlite3 *db, sqlite3_value *x, int utf16,
                      int repaired) {
  Utf8Value text;
  int rc = utf8value_open(&text, x, utf16);
  if (rc != SQLITE_OK) return rc;
  rc = appendOpenText(out, db, x, &text, utf16, repaired);
  utf8value_close(&text);
  return rc;
}

static int appendLiteral(sqlite3_str *out, sqlite3 *db, sqlite3_value *x, int utf16,
                         int repaired) {
  switch (sqlite3_value_type(x)) {
  case SQLITE_INTEGER:
    sqlite3_str_appendf(out, "%lld", sqlite3_value_int64(x));
    return SQLITE_OK;
  case SQLITE_FLOAT:
    return appendReal(out, db, x);
  case SQLITE_BLOB: {
    const uint8_t *bytes = sqlite3_value_blob(x);
    appendHex(out, bytes, (size_t)sqlite3_value_bytes(x));
    return SQLITE_OK;
  }
  case SQLITE_TEXT:
    return appendText(out, db, x, utf16, repaired);
  default: /* no PRIMARY KEY of a table WITHOUT ROWID */
    sqlite3_str_appendall(out, "NULL");
    return SQLITE_OK;
  }
}

/* ---- one value of a row ---------------------------------------------------------- */

/* (1, 'k'): the first `repaired` of the key's columns as they are after their repair. */
static int appendRowValue(sqlite3_str *out, const AuditTable *table, sqlite3_stmt *rows,
                          int utf16, int repaired) {
  sqlite3 *db = sqlite3_db_handle(rows);
  int rc = SQLITE_OK;
  for (int i = 0; i < table->key_count && rc == SQLITE_OK; i++) {
    sqlite3_str_appendall(out, i ? ", " : "(");
    rc = appendLiteral(out, db, sqlite3_column_value(rows, i), utf16, i < repaired);
  }
  sqlite3_str_appendall(out, ")");
  return rc;
}

int utf8audit_append_key(sqlite3_str *out, const AuditTable *table, sqlite3_stmt *rows,
                         int utf16) {
  return appendRowValue(out, table, rows, utf16, 0);
}

static void appendKeyColumns(sqlite3_str *out, const AuditTable *table) {
  for (int i = 0; i < table->key_count; i++) {
    const char *before = i ? ", " : "(";
    const AuditColumn *c = &table->columns[i];
    sqlite3_str_appendf(out, "%s\"%w\"", before, c->name.raw);
    if (c->collation.raw) sqlite3_str_appendf(out, " COLLATE \"%w\"", c->collation.raw);
  }
  sqlite3_str_appendall(out, ")");
}

/* rowid = 5, "id" = 5, or ("k") = ('a') */
static int appendWhere(sqlite3_str *out, const AuditTable *table, int column,
                       sqlite3_stmt *rows, int utf16) {
  if (table->key == AUDIT_ROWID) {
    sqlite3_int64 rowid = sqlite3_column_int64(rows, 0);
    const char *format = table->rowid_column < 0 ? "%w = %lld" : "\"%w\" = %lld";
    sqlite3_str_appendf(out, format, table->rowid, rowid);
    return SQLITE_OK;
  }
  int repaired = column < table->key_count ? column : 0;
  appendKeyColumns(out, table);
  sqlite3_str_appendall(out, " = ");
  return appendRowValue(out, table, rows, utf16, repaired);
}

/* No literal is a UTF-16 text with an odd byte at its end: SQLite's CAST drops it. */
static int isKeyBeyondLiterals(const AuditTable *table, sqlite3_stmt *rows, int utf16) {
  for (int i = 0; utf16 && i < table->key_count; i++) {
    sqlite3_value *x = sqlite3_column_value(rows, i);
    if (sqlite3_value_type(x) == SQLITE_TEXT && sqlite3_value_bytes16(x) % 2) return 1;
  }
  return 0;
}

static int hasIllFormedName(const AuditTable *table, int column) {
  if (table->schema.ill_formed || table->name.ill_formed) return 1;
  for (int i = 0; i < table->key_count; i++) {
    const AuditColumn *c = &table->columns[i];
    if (c->name.ill_formed || c->collation.ill_formed) return 1;
  }
  if (table->key == AUDIT_ROWID && table->rowid_column >= 0 &&
      table->columns[table->rowid_column].name.ill_formed) {
    return 1;
  }
  return table->columns[column].name.ill_formed;
}

/* sqlite_sequence and sqlite_stat1 hold names of tables. To repair one there, and not the
** table's own, would cut the two apart. *is: x is the name of something in the schema. */
static int isNameInUse(sqlite3 *db, const AuditTable *table, sqlite3_value *x,
                       int *is) {
  *is = 0;
  if (sqlite3_strnicmp(table->name.raw, "sqlite_", 7) != 0) return SQLITE_OK;
  sqlite3_stmt *stmt;
  sqlite3_str *sql = sqlite3_str_new(db);
  const char *schema = table->schema.raw;
  sqlite3_str_appendf(sql, "SELECT 1 FROM \"%w\".sqlite_master WHERE name = ?1",
                      schema);
  int rc = prepare(db, sql, &stmt);
  if (rc == SQLITE_OK) rc = sqlite3_bind_value(stmt, 1, x);
  if (rc == SQLITE_OK) *is = sqlite3_step(stmt) == SQLITE_ROW;
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}

int utf8audit_append_repair(sqlite3_str *out, const AuditTable *table, int column,
                            sqlite3_value *x, sqlite3_stmt *rows, int utf16) {
  const AuditColumn *c = &table->columns[column];
  if (table->fixed || table->tampered || c->generated) return SQLITE_OK;
  if (table->key == AUDIT_NO_KEY) return SQLITE_OK;
  if (hasIllFormedName(table, column)) return SQLITE_OK;
  if (isKeyBeyondLiterals(table, rows, utf16)) return SQLITE_OK;
  int in_use;
  int rc = isNameInUse(sqlite3_db_handle(rows), table, x, &in_use);
  if (rc != SQLITE_OK || in_use) return rc;
  const char *name = c->name.raw;
  sqlite3_str_appendall(out, "UPDATE ");
  appendTable(out, table);
  sqlite3_str_appendf(out, " SET \"%w\" = utf8_repair(\"%w\") WHERE ", name, name);
  rc = appendWhere(out, table, column, rows, utf16);
  sqlite3_str_appendall(out, ";");
  return rc;
}
