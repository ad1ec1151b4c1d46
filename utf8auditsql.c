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

/* The tables T_... of a virtual table T hold what T makes of its content. */
static const char tablesOf[] =
    "SELECT 'sqlite_master', 1 UNION ALL "
    "SELECT name, name COLLATE BINARY IN ("
    "SELECT s.name FROM \"%w\".sqlite_master AS v CROSS JOIN \"%w\".sqlite_master AS s "
    "WHERE v.type = 'table' AND ifnull(v.rootpage, 0) = 0 AND s.type = 'table' "
    "AND substr(s.name, 1, length(v.name) + 1) = v.name || '_' COLLATE NOCASE) "
    "FROM \"%w\".sqlite_master "
    "WHERE type = 'table' AND rootpage > 0 AND typeof(name) = 'text'";

int utf8audit_prepare_tables(sqlite3 *db, const AuditName *schema,
                             sqlite3_stmt **stmt) {
  const char *s = schema->raw;
  sqlite3_str *sql = sqlite3_str_new(db);
  sqlite3_str_appendf(sql, tablesOf, s, s, s);
  return prepare(db, sql, stmt);
}

static void appendKeyResults(sqlite3_str *sql, const AuditTable *table) {
  switch (table->key) {
  case AUDIT_NO_KEY:
    sqlite3_str_appendall(sql, "NULL");
    break;
  case AUDIT_ROWID:
    sqlite3_str_appendf(sql, "t.%s", table->rowid);
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

/* *has_key: some column belongs to a PRIMARY KEY and is NOT NULL, as all columns of the key
** are in a table WITHOUT ROWID. */
static int loadColumns(AuditTable *table, sqlite3 *db, int *has_key) {
  sqlite3_stmt *info;
  int rc = preparePragma(db, table, "table_xinfo", &info);
  while (rc == SQLITE_OK && sqlite3_step(info) == SQLITE_ROW) {
    *has_key |= sqlite3_column_int(info, 3) && sqlite3_column_int(info, 5); /* pk */
    rc = addColumn(table, info);
  }
  int final = sqlite3_finalize(info);
  return rc == SQLITE_OK ? final : rc;
}

/* Key columns get a negative order, so that they are sorted before the others. */
static void addKeyColumn(AuditTable *table, sqlite3_stmt *info) {
  int column = sqlite3_column_int(info, 1);
  if (!sqlite3_column_int(info, 5)) return; /* in the index, but not of its key */
  if (column < 0 || column >= table->column_count) return;
  table->columns[column].order = table->key_count++ - table->column_count;
  table->key = AUDIT_PRIMARY_KEY;
}

/* Only of a table WITHOUT ROWID is there an index with the table's own name. */
static int loadKey(AuditTable *table, sqlite3 *db) {
  sqlite3_stmt *info;
  int rc = preparePragma(db, table, "index_xinfo", &info);
  while (rc == SQLITE_OK && sqlite3_step(info) == SQLITE_ROW) addKeyColumn(table, info);
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

static void findRowid(AuditTable *table) {
  static const char *const names[] = {"rowid", "oid", "_rowid_"};
  for (int i = 0; i < 3 && table->key == AUDIT_NO_KEY; i++) {
    if (hasColumn(table, names[i])) continue;
    table->rowid = names[i];
    table->key = AUDIT_ROWID;
  }
}

void utf8audit_drop_key(AuditTable *table) {
  table->key = AUDIT_NO_KEY;
  table->key_count = 0;
}

static void clearColumns(AuditTable *table) {
  for (int i = 0; i < table->column_count; i++)
    utf8audit_name_clear(&table->columns[i].name);
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
  int has_key = 0;
  clearColumns(table);
  int rc = loadColumns(table, db, &has_key);
  if (rc == SQLITE_OK && table->column_count == 0) {
    *why = "no such table, or its columns are hidden";
    return SQLITE_ERROR;
  }
  if (rc == SQLITE_OK && has_key) rc = loadKey(table, db);
  if (rc != SQLITE_OK) return rc;
  qsort(table->columns, (size_t)table->column_count, sizeof(AuditColumn), compareOrder);
  findRowid(table);
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

/* SQLite itself knows best with how many digits a number is read back unchanged; but of
** infinity older versions make 'Inf', a name. */
static int appendReal(sqlite3_str *out, sqlite3 *db, sqlite3_value *x) {
  double r = sqlite3_value_double(x);
  if (r - r != 0) {
    sqlite3_str_appendall(out, r < 0 ? "-9e999" : "9e999");
    return SQLITE_OK;
  }
  sqlite3_stmt *quote = NULL;
  int rc = sqlite3_prepare_v2(db, "SELECT quote(?1)", -1, &quote, NULL);
  if (rc == SQLITE_OK) rc = sqlite3_bind_value(quote, 1, x);
  if (rc == SQLITE_OK && sqlite3_step(quote) == SQLITE_ROW) {
    sqlite3_str_appendf(out, "%s", sqlite3_column_text(quote, 0));
  }
  int final = sqlite3_finalize(quote);
  return rc == SQLITE_OK ? final : rc;
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
    sqlite3_str_appendf(out, "%s\"%w\"", before, table->columns[i].name.raw);
  }
  sqlite3_str_appendall(out, ")");
}

/* rowid = 5, or ("k") = ('a') */
static int appendWhere(sqlite3_str *out, const AuditTable *table, int column,
                       sqlite3_stmt *rows, int utf16) {
  if (table->key == AUDIT_ROWID) {
    sqlite3_int64 rowid = sqlite3_column_int64(rows, 0);
    sqlite3_str_appendf(out, "%s = %lld", table->rowid, rowid);
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
    if (table->columns[i].name.ill_formed) return 1;
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
  if (table->fixed || c->generated || table->key == AUDIT_NO_KEY) return SQLITE_OK;
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
