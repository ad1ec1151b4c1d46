/* audit/table.c: a table's columns, and the key that identifies a row.
**
** PRAGMA table_xinfo and index_xinfo report them, for every kind of table.
*/
#include "audit/table.h"
#include <stdlib.h>
#include <string.h>

/* ---- names -------------------------------------------------------------------------- */

static void appendEscaped(sqlite3_str *out, const char *text, size_t size) {
  const Utf8Repair how = {.policy = UTF8_POLICY_ESCAPE};
  uint8_t shown[256];
  for (size_t at = 0; at < size;) {
    size_t used = utf8core_repair(&how, (const uint8_t *)text, size, &at, shown, 256);
    sqlite3_str_append(out, (const char *)shown, (int)used);
  }
}

char *utf8audit_escape(const char *text) {
  if (!*text) return sqlite3_mprintf(""); /* sqlite3_str_finish() would return NULL */
  sqlite3_str *out = sqlite3_str_new(NULL);
  appendEscaped(out, text, strlen(text));
  return sqlite3_str_finish(out);
}

int utf8audit_quoted(const char *text) {
  enum { QUOTED_MAX = 300 };
  return (int)utf8core_boundary((const uint8_t *)text, strlen(text), QUOTED_MAX,
                                UTF8_STRICT);
}

/* Frees what *name owns, and zeroes it. */
static void clearName(AuditName *name) {
  sqlite3_free(name->raw);
  sqlite3_free(name->shown);
  memset(name, 0, sizeof *name);
}

int utf8audit_set_name(AuditName *name, const char *raw) {
  clearName(name);
  if (!raw) return SQLITE_OK;
  name->raw = sqlite3_mprintf("%s", raw);
  name->shown = utf8audit_escape(raw);
  if (!name->raw || !name->shown) return SQLITE_NOMEM;
  name->ill_formed = strcmp(name->raw, name->shown) != 0;
  return SQLITE_OK;
}

/* ---- the list of tables --------------------------------------------------------------- */

int utf8audit_prepare(sqlite3 *db, sqlite3_str *sql, sqlite3_stmt **stmt) {
  *stmt = NULL;
  int rc = sqlite3_str_errcode(sql);
  char *text = sqlite3_str_finish(sql);
  if (rc == SQLITE_OK) rc = sqlite3_prepare_v2(db, text, -1, stmt, NULL);
  sqlite3_free(text);
  return rc;
}

/* Selects the names of a schema's shadow tables. %w is the schema. %s is rows of VALUES: the shadow tables that SQLite
** lists.
**
** The shadow tables T_... of a virtual table T hold what T makes of its content. PRAGMA table_list
** (since SQLite 3.37) shows those that T's module names, if it is loaded. If it shows none of T, every
** table T_... is taken for one. The names lie between T_ and T`, the next string that does not start
** with T_. Of two such ranges one contains the other, or they have no name in common, so the largest
** end of those that start at or before a name decides.
**
** python/src/utf8ext/_repair/virtual.py has the same statement, for tables in which utf8_audit finds nothing. */
static const char shadowsOf[] =
    "SELECT n FROM (SELECT n, "
    "max(e COLLATE NOCASE) OVER (ORDER BY s COLLATE NOCASE) AS m, "
    "max(u COLLATE NOCASE) OVER (ORDER BY s COLLATE NOCASE) AS unlisted FROM ("
    "SELECT CAST(name AS TEXT) AS n, CAST(name AS TEXT) AS s, NULL AS e, NULL AS u "
    "FROM \"%w\".sqlite_master UNION ALL "
    "SELECT NULL, t || '_', t || '`', "
    "CASE WHEN (t || '_') COLLATE NOCASE NOT IN "
    "(SELECT rtrim(column1, replace(column1, '_', '')) FROM (VALUES('')%s)) "
    "THEN t || '`' END "
    "FROM (SELECT CAST(name AS TEXT) AS t FROM \"%w\".sqlite_master "
    "WHERE CAST(type AS TEXT) = 'table' COLLATE NOCASE AND ifnull(rootpage, 0) = 0))) "
    "WHERE n < unlisted COLLATE NOCASE OR (n < m COLLATE NOCASE "
    "AND n COLLATE NOCASE IN (SELECT column1 FROM (VALUES('')%s)))";

/* SQLite makes a table of any row that has a root page and SQL for a table: it reads a BLOB as
** text, compares the type without case, and under PRAGMA writable_schema not at all. So every row
** with a root page is listed, unless its SQL is that of an index, which SQLite begins in one of
** two ways, or none. If no table has the name of a listed row, it is unreadable.
**
** An index with a table's name takes the place of the table's key in PRAGMA index_xinfo. No WITH, for
** which SQLite would read all of the list before its first row. */
static const char tablesStart[] = "SELECT 'sqlite_master', 1, 0, 0 UNION ALL "
                                  "SELECT n, n COLLATE BINARY IN (";
static const char tablesEnd[] =
    "), "
    "n COLLATE NOCASE IN (SELECT CAST(name AS TEXT) FROM \"%w\".sqlite_master "
    "WHERE CAST(type AS TEXT) = 'index' COLLATE NOCASE), r "
    "FROM (SELECT CAST(ifnull(name, '') AS TEXT) AS n, rowid AS r FROM "
    "\"%w\".sqlite_master "
    "WHERE rootpage > 0 AND (CAST(type AS TEXT) = 'table' COLLATE NOCASE "
    "OR NOT (ifnull(length(sql), 0) = 0 "
    "OR substr(CAST(sql AS TEXT), 1, 12) = 'CREATE INDEX' COLLATE NOCASE "
    "OR substr(CAST(sql AS TEXT), 1, 19) = 'CREATE UNIQUE INDEX' COLLATE NOCASE)))";

/* Stores whether the schema has a virtual table. */
static int findVirtual(sqlite3 *db, const AuditName *schema, int *has) {
  sqlite3_stmt *tables;
  sqlite3_str *sql = sqlite3_str_new(NULL);
  sqlite3_str_appendf(sql,
                      "SELECT 1 FROM \"%w\".sqlite_master WHERE CAST(type AS TEXT) = "
                      "'table' COLLATE NOCASE AND ifnull(rootpage, 0) = 0",
                      schema->raw);
  int rc = utf8audit_prepare(db, sql, &tables);
  *has = rc == SQLITE_OK && sqlite3_step(tables) == SQLITE_ROW;
  int final = sqlite3_finalize(tables);
  return rc == SQLITE_OK ? final : rc;
}

static int listShadows(sqlite3 *db, const AuditName *schema, sqlite3_str *rows) {
  sqlite3_stmt *list;
  sqlite3_str *sql = sqlite3_str_new(NULL);
  sqlite3_str_appendf(sql, "PRAGMA \"%w\".table_list", schema->raw);
  int rc = utf8audit_prepare(db, sql, &list);
  while (rc == SQLITE_OK && sqlite3_step(list) == SQLITE_ROW) {
    const char *type = (const char *)sqlite3_column_text(list, 2);
    if (!type || strcmp(type, "shadow") != 0) continue;
    sqlite3_str_appendf(rows, ",(%Q)", sqlite3_column_text(list, 1));
  }
  int final = sqlite3_finalize(list);
  return rc == SQLITE_OK ? final : rc;
}

/* Appends a row of VALUES for each shadow table that SQLite knows: none before SQLite 3.37. Appends none
** if SQLite refuses to list them, as under an authorizer. To list them, SQLite compiles all views and
** connects all virtual tables, so they are only listed if there is a virtual table. */
static int appendShadows(sqlite3 *db, const AuditName *schema, sqlite3_str *rows) {
  int has_virtual;
  int rc = findVirtual(db, schema, &has_virtual);
  if (rc == SQLITE_OK && has_virtual) rc = listShadows(db, schema, rows);
  if (rc == SQLITE_NOMEM || rc == SQLITE_INTERRUPT) return rc;
  if (rc != SQLITE_OK) sqlite3_str_reset(rows);
  return SQLITE_OK;
}

int utf8audit_prepare_tables(sqlite3 *db, const AuditName *schema,
                             sqlite3_stmt **stmt) {
  const char *s = schema->raw;
  *stmt = NULL;
  sqlite3_str *rows = sqlite3_str_new(NULL);
  int rc = appendShadows(db, schema, rows);
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(rows);
  char *shadows = sqlite3_str_finish(rows);
  if (rc == SQLITE_OK) {
    const char *values = shadows ? shadows : "";
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendall(sql, tablesStart);
    sqlite3_str_appendf(sql, shadowsOf, s, values, s, values);
    sqlite3_str_appendf(sql, tablesEnd, s, s);
    rc = utf8audit_prepare(db, sql, stmt);
  }
  sqlite3_free(shadows);
  return rc;
}

/* ---- one table ------------------------------------------------------------------------ */

/* Prepares PRAGMA "schema".pragma("name"). */
static int preparePragma(sqlite3 *db, const AuditName *schema, const char *pragma,
                         const char *name, sqlite3_stmt **stmt) {
  sqlite3_str *sql = sqlite3_str_new(NULL);
  sqlite3_str_appendf(sql, "PRAGMA \"%w\".%s(\"%w\")", schema->raw, pragma, name);
  return utf8audit_prepare(db, sql, stmt);
}

/* Like preparePragma(), with the table's name. */
static int prepareTablePragma(sqlite3 *db, const AuditTable *table, const char *pragma,
                              sqlite3_stmt **stmt) {
  return preparePragma(db, &table->schema, pragma, table->name.raw, stmt);
}

int utf8audit_find_name(sqlite3 *db, const AuditName *schema, const char *name) {
  sqlite3_stmt *index;
  int rc = sqlite3_table_column_metadata(db, schema->raw, name, NULL, NULL, NULL, NULL,
                                         NULL, NULL);
  if (rc == SQLITE_OK) return SQLITE_ROW;
  if (rc != SQLITE_ERROR) return rc;
  rc = preparePragma(db, schema, "index_info", name, &index);
  if (rc == SQLITE_OK) rc = sqlite3_step(index);
  sqlite3_finalize(index);
  return rc;
}

static int addColumn(AuditTable *table, sqlite3_stmt *info) {
  uint64_t size = sizeof(AuditColumn) * ((uint64_t)table->column_count + 1);
  AuditColumn *columns = sqlite3_realloc64(table->columns, size);
  if (!columns) return SQLITE_NOMEM;
  table->columns = columns;
  AuditColumn *column = &columns[table->column_count];
  *column = (AuditColumn){.neighbours = NULL};
  column->order = table->column_count++;
  column->generated = sqlite3_column_int(info, 6) != 0; /* hidden: 2 or 3 */
  const char *name = (const char *)sqlite3_column_text(info, 1);
  return name ? utf8audit_set_name(&column->name, name) : SQLITE_NOMEM;
}

/* What PRAGMA table_xinfo shows of a PRIMARY KEY. */
typedef struct PrimaryKey {
  int count;    /* its columns */
  int not_null; /* one of them is NOT NULL, as all are in a table WITHOUT ROWID */
  int integer;  /* the index of the last that was declared as INTEGER, or -1 */
} PrimaryKey;

/* Adds a row of PRAGMA table_xinfo, which describes columns[column], to *pk. */
static void notePrimaryKey(PrimaryKey *pk, sqlite3_stmt *info, int column) {
  const char *type = (const char *)sqlite3_column_text(info, 2);
  if (!sqlite3_column_int(info, 5)) return;
  pk->count++;
  pk->not_null |= sqlite3_column_int(info, 3);
  if (type && sqlite3_stricmp(type, "INTEGER") == 0) pk->integer = column;
}

/* Reads the table's columns, none if there is no such table, and stores in *pk which of them
** are its PRIMARY KEY. */
static int loadColumns(AuditTable *table, sqlite3 *db, PrimaryKey *pk) {
  sqlite3_stmt *info;
  int rc = prepareTablePragma(db, table, "table_xinfo", &info);
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
  if (rc != SQLITE_OK) return rc;
  int isSame = of_index && sqlite3_stricmp(of_index, of_column) == 0;
  return isSame ? SQLITE_OK : utf8audit_set_name(&column->collation, of_index);
}

/* Makes the column that a row of PRAGMA index_xinfo describes the next column of the key. Does
** nothing for a column that the index holds outside of its key. Key columns get a negative
** order, so that they are sorted before the others. */
static int addKeyColumn(AuditTable *table, sqlite3 *db, sqlite3_stmt *info) {
  int column = sqlite3_column_int(info, 1);
  if (!sqlite3_column_int(info, 5)) return SQLITE_OK;
  if (column < 0 || column >= table->column_count) return SQLITE_OK;
  AuditColumn *c = &table->columns[column];
  c->order = table->key_count++ - table->column_count;
  c->descending = sqlite3_column_int(info, 3);
  table->key = AUDIT_PRIMARY_KEY;
  return setCollation(table, db, c, (const char *)sqlite3_column_text(info, 4));
}

/* For the name of a table WITHOUT ROWID, PRAGMA index_xinfo shows the index that is the
** table. Otherwise there is none of that name; or where the schema was tampered with, one
** of a table with a rowid, which ends in a column of the number -1. */
static int loadKey(AuditTable *table, sqlite3 *db, int *without_rowid) {
  sqlite3_stmt *info;
  int has_rowid = 0, any = 0;
  int rc = prepareTablePragma(db, table, "index_xinfo", &info);
  while (rc == SQLITE_OK && sqlite3_step(info) == SQLITE_ROW) {
    any = 1;
    has_rowid |= sqlite3_column_int(info, 1) == -1;
    if (!table->tampered) rc = addKeyColumn(table, db, info);
  }
  *without_rowid = any && !has_rowid;
  int final = sqlite3_finalize(info);
  return rc == SQLITE_OK ? final : rc;
}

/* For qsort(). */
static int compareOrder(const void *a, const void *b) {
  return ((const AuditColumn *)a)->order - ((const AuditColumn *)b)->order;
}

static int hasColumn(const AuditTable *table, const char *name) {
  for (int i = 0; i < table->column_count; i++) {
    if (sqlite3_stricmp(table->columns[i].name.raw, name) == 0) return 1;
  }
  return 0;
}

/* Sets *index to a copy of the name of the PRIMARY KEY's index, or to NULL if it has none of
** its own: it is the rowid then. */
static int findKeyIndex(const AuditTable *table, sqlite3 *db, char **index) {
  sqlite3_stmt *list;
  int rc = prepareTablePragma(db, table, "index_list", &list);
  *index = NULL;
  while (rc == SQLITE_OK && sqlite3_step(list) == SQLITE_ROW) {
    const char *origin = (const char *)sqlite3_column_text(list, 3);
    if (!origin || strcmp(origin, "pk") != 0) continue;
    *index = sqlite3_mprintf("%s", sqlite3_column_text(list, 1));
    if (!*index) rc = SQLITE_NOMEM;
  }
  int final = sqlite3_finalize(list);
  return rc == SQLITE_OK ? final : rc;
}

static void setRowid(AuditTable *table, const char *name, int column) {
  table->key = AUDIT_ROWID;
  table->rowid = name;
  table->rowid_column = column;
}

/* Stores whether the PRIMARY KEY is the rowid: an INTEGER, unless it was declared DESC. */
static int findAlias(AuditTable *table, sqlite3 *db, const PrimaryKey *pk, int *is) {
  char *index;
  *is = 0;
  if (pk->count != 1 || pk->integer < 0) return SQLITE_OK;
  int rc = findKeyIndex(table, db, &index);
  *is = rc == SQLITE_OK && !index;
  sqlite3_free(index);
  return rc;
}

/* Finds a name for the rowid that no column has, or else the INTEGER PRIMARY KEY. */
static int findRowid(AuditTable *table, sqlite3 *db, const PrimaryKey *pk) {
  static const char *const names[] = {"rowid", "oid", "_rowid_"};
  int is_alias;
  for (int i = 0; i < 3; i++) {
    if (hasColumn(table, names[i])) continue;
    setRowid(table, names[i], -1);
    return SQLITE_OK;
  }
  int rc = findAlias(table, db, pk, &is_alias);
  if (is_alias) setRowid(table, table->columns[pk->integer].name.raw, pk->integer);
  return rc;
}

void utf8audit_drop_key(AuditTable *table) {
  table->key = AUDIT_NO_KEY;
  table->key_count = 0;
}

void utf8audit_forget_neighbours(AuditTable *table) {
  for (int i = 0; i < table->column_count; i++) {
    sqlite3_free(table->columns[i].neighbours);
    table->columns[i].neighbours = NULL;
  }
  sqlite3_free(table->neighbours);
  table->neighbours = NULL;
}

void utf8audit_forget_misread(AuditTable *table) {
  for (int i = 0; i < table->column_count; i++) {
    sqlite3_free(table->columns[i].misread);
    table->columns[i].misread = NULL;
    sqlite3_free(table->columns[i].mojibake);
    table->columns[i].mojibake = NULL;
    table->columns[i].has_latin = table->columns[i].has_accidents = 0;
  }
  sqlite3_free(table->mojibake);
  table->mojibake = NULL;
  sqlite3_free(table->evidence);
  table->evidence = NULL;
}

static void clearColumns(AuditTable *table) {
  utf8audit_forget_neighbours(table);
  utf8audit_forget_misread(table);
  for (int i = 0; i < table->column_count; i++) {
    clearName(&table->columns[i].name);
    clearName(&table->columns[i].collation);
  }
  sqlite3_free(table->columns);
  sqlite3_free(table->key_index);
  table->key_index = NULL;
  table->columns = NULL;
  table->column_count = 0;
  utf8audit_drop_key(table);
}

void utf8audit_clear_table(AuditTable *table) {
  clearColumns(table);
  clearName(&table->schema);
  clearName(&table->name);
}

int utf8audit_load_table(AuditTable *table, sqlite3 *db, const char **why) {
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
  if (rc == SQLITE_OK && without_rowid) rc = findKeyIndex(table, db, &table->key_index);
  if (rc != SQLITE_OK) return rc;
  qsort(table->columns, (size_t)table->column_count, sizeof(AuditColumn), compareOrder);
  return SQLITE_OK;
}

int utf8audit_key_results(const AuditTable *table) {
  return table->key == AUDIT_PRIMARY_KEY ? table->key_count : 1;
}
