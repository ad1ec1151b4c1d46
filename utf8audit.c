/* utf8audit.c: the table utf8_audit: a row for each ill-formed TEXT value of a database.
**
**     SELECT table_name, column_name, key, offset, error FROM utf8_audit;
**     -- people|name|17|3|truncated
**     SELECT repair_sql FROM utf8_audit('main') WHERE table_name = 'people';
**     -- UPDATE "main"."people" SET "name" = utf8_repair("name") WHERE rowid = 17;
**
** The scan is an odometer of five wheels: the schemas, the tables of a schema, the chunks
** of a table's columns (most tables have one), the rows with ill-formed text, the values
** of a row. The second and the fourth are statements on the same connection that run
** while the scan does, so SQLite itself sees to snapshots, locks, interrupts and
** authorizers, and memory does not grow. Values are judged where SQLite has them; key,
** errors and repair_sql are made when they are asked for.
**
** What cannot be read becomes a row 'unreadable: ...', and the wheel that stuck is put on
** to its next place. Where a column is at fault (a function that is missing, a right that
** is denied) the table's other columns are read without it.
**
** Virtual tables and views are not read. One ill-formed value is held at a time, as long
** as SQLite holds it.
*/
#include "utf8audit.h"
#include <string.h>

enum Column {
  COLUMN_SCHEMA,
  COLUMN_TABLE,
  COLUMN_COLUMN,
  COLUMN_KEY,
  COLUMN_OFFSET,
  COLUMN_ERROR,
  COLUMN_ERRORS,
  COLUMN_REPAIR,
  COLUMN_ONLY
};

static const char declaration[] =
    "CREATE TABLE utf8_audit(schema TEXT, table_name TEXT, column_name TEXT, \"key\","
    " \"offset\" INTEGER, error TEXT, errors INTEGER, repair_sql TEXT,"
    " only TEXT HIDDEN)";

/* What xFilter may be given, in this order; idxNum has bit 1 << i for each. */
enum Wanted { WANTED_ONLY, WANTED_SCHEMA, WANTED_TABLE, WANTED };

/* SQLite's own limit on the results of a SELECT is 2,000, or less if set so. */
#define CHUNK_COLUMNS 1900

typedef struct Table {
  sqlite3_vtab base;
  sqlite3 *db;
} Table;

typedef struct Cursor {
  sqlite3_vtab_cursor base;
  sqlite3 *db;
  int utf16;                     /* as utf8value_db_utf16() has it */
  sqlite3_value *wanted[WANTED]; /* copies of the arguments, in UTF-8, or NULL */
  sqlite3_int64 row;             /* the row's number within its table, from 1 */
  int done;                      /* there are no more rows */

  sqlite3_stmt *schemas; /* at table.schema; NULL when through, as the next two */
  sqlite3_stmt *tables;  /* at table.name */
  sqlite3_stmt *rows;    /* at a row of the chunk */
  AuditTable table;
  int next;  /* the first column of the next chunk */
  int whole; /* the table's last chunk has begun */
  AuditChunk chunk;
  int visit; /* the row's next value: of the chunk's columns, then of its key's */

  int column;       /* what was found: index in table.columns, */
  sqlite3_value *x; /* the value where SQLite has it, */
  Utf8Value value;  /* the same, open, */
  size_t offset;    /* its first error; */
  char *unreadable; /* or else the whole column `error` */
} Cursor;

/* ---- the table --------------------------------------------------------------------- */

static int auditConnect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **table, char **message) {
  (void)aux, (void)argc, (void)argv, (void)message;
  int rc = sqlite3_declare_vtab(db, declaration);
  if (rc != SQLITE_OK) return rc;
  sqlite3_vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  Table *t = sqlite3_malloc64(sizeof *t);
  if (!t) return SQLITE_NOMEM;
  *t = (Table){.db = db};
  *table = &t->base;
  return SQLITE_OK;
}

static int auditDisconnect(sqlite3_vtab *table) {
  sqlite3_free(table);
  return SQLITE_OK;
}

/* ---- the plan ---------------------------------------------------------------------- */

/* Which argument a constraint can be, or -1. SQLite checks those on names again; here they
** are compared byte by byte, so a collating sequence that equates more must not come in. */
static int wantedBy(sqlite3_index_info *info, int i) {
  const struct sqlite3_index_constraint *c = &info->aConstraint[i];
  int equal = c->op == SQLITE_INDEX_CONSTRAINT_EQ;
  if (c->iColumn == COLUMN_ONLY) return equal ? WANTED_ONLY : -1;
  if (!equal && c->op != SQLITE_INDEX_CONSTRAINT_IS) return -1;
  if (c->iColumn != COLUMN_SCHEMA && c->iColumn != COLUMN_TABLE) return -1;
  if (sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0) return -1;
  return c->iColumn == COLUMN_SCHEMA ? WANTED_SCHEMA : WANTED_TABLE;
}

/* Numbers the constraints that were chosen as xFilter expects them. */
static void planArguments(sqlite3_index_info *info, const int chosen[WANTED]) {
  int used = 0;
  for (int w = 0; w < WANTED; w++) {
    if (chosen[w] < 0) continue;
    info->idxNum |= 1 << w;
    info->aConstraintUsage[chosen[w]].argvIndex = ++used;
    info->aConstraintUsage[chosen[w]].omit = w == WANTED_ONLY;
  }
}

static void planCost(sqlite3_index_info *info) {
  info->estimatedCost = 1e9;
  info->estimatedRows = 1000;
  for (int w = 0; w < WANTED; w++) {
    if (info->idxNum & 1 << w) info->estimatedCost /= 10;
  }
}

/* The argument has to be there before the scan starts. */
static int auditBestIndex(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  int chosen[WANTED] = {-1, -1, -1};
  for (int i = 0; i < info->nConstraint; i++) {
    int w = wantedBy(info, i);
    if (w < 0) continue;
    if (info->aConstraint[i].usable) {
      if (chosen[w] < 0) chosen[w] = i;
    } else if (w == WANTED_ONLY) {
      return SQLITE_CONSTRAINT;
    }
  }
  planArguments(info, chosen);
  planCost(info);
  return SQLITE_OK;
}

/* ---- the cursor -------------------------------------------------------------------- */

static int auditOpen(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  Cursor *c = sqlite3_malloc64(sizeof *c);
  if (!c) return SQLITE_NOMEM;
  *c = (Cursor){.db = ((Table *)table)->db};
  *cursor = &c->base;
  return SQLITE_OK;
}

static void finalize(sqlite3_stmt **stmt) {
  sqlite3_finalize(*stmt);
  *stmt = NULL;
}

/* Lets go of what was found. */
static void forgetFound(Cursor *c) {
  utf8value_close(&c->value);
  sqlite3_free(c->unreadable);
  c->unreadable = NULL;
}

static void rewindCursor(Cursor *c) {
  forgetFound(c);
  finalize(&c->rows);
  finalize(&c->tables);
  finalize(&c->schemas);
  utf8audit_clear(&c->table);
  for (int w = 0; w < WANTED; w++) sqlite3_value_free(c->wanted[w]);
  *c = (Cursor){.base = c->base, .db = c->db};
}

static int auditClose(sqlite3_vtab_cursor *cursor) {
  rewindCursor((Cursor *)cursor);
  sqlite3_free(cursor);
  return SQLITE_OK;
}

/* ---- what cannot be read ----------------------------------------------------------- */

/* What the wheels of the odometer return, besides error codes. */
enum { MOVED = SQLITE_OK, FOUND = SQLITE_ROW, THROUGH = SQLITE_DONE };

/* Errors that are the scan's own, not a table's. ABORT is a ROLLBACK under it. */
static int isFatal(int rc) {
  int code = rc & 0xFF;
  return code == SQLITE_INTERRUPT || code == SQLITE_NOMEM || code == SQLITE_ABORT;
}

/* The error rc, which is `why`: it ends the scan, in SQLite's own words for it, or becomes
** a row. Copies `why`, which may be sqlite3_errmsg()'s. */
static int failed(Cursor *c, int rc, const char *why) {
  int extended = sqlite3_extended_errcode(c->db);
  if (isFatal(rc)) return (extended & 0xFF) == rc ? extended : rc;
  char *message = utf8audit_escape(why);
  if (message) c->unreadable = sqlite3_mprintf("unreadable: %s", message);
  sqlite3_free(message);
  return c->unreadable ? FOUND : SQLITE_NOMEM;
}

/* The same for a statement that failed or could not be prepared: it is given up. */
static int failedStatement(Cursor *c, int rc, sqlite3_stmt **stmt) {
  rc = failed(c, rc, sqlite3_errmsg(c->db));
  finalize(stmt);
  return rc;
}

/* ---- the wheels, the slowest first ------------------------------------------------- */

static int isWanted(const Cursor *c, enum Wanted which, const AuditName *name) {
  sqlite3_value *wanted = c->wanted[which];
  if (!wanted) return 1;
  const char *text = (const char *)sqlite3_value_text(wanted);
  size_t size = text ? (size_t)sqlite3_value_bytes(wanted) : 0;
  return text && strlen(name->shown) == size && memcmp(name->shown, text, size) == 0;
}

/* The argument names a schema as SQL does, whatever its case. */
static int isOnly(const Cursor *c, const AuditName *schema) {
  sqlite3_value *only = c->wanted[WANTED_ONLY];
  if (!only) return 1;
  if (sqlite3_value_type(only) != SQLITE_TEXT) return 0;
  const char *text = (const char *)sqlite3_value_text(only);
  size_t size = text ? (size_t)sqlite3_value_bytes(only) : 0;
  return text && strlen(text) == size &&
         (sqlite3_stricmp(text, schema->raw) == 0 ||
          sqlite3_stricmp(text, schema->shown) == 0);
}

static int nameFrom(AuditName *name, sqlite3_stmt *stmt, int i) {
  const char *text = (const char *)sqlite3_column_text(stmt, i);
  return text ? utf8audit_name_set(name, text) : SQLITE_NOMEM;
}

/* The list of a schema's tables cannot be read, or not to its end. This is row 0 of
** sqlite_master. */
static int failedTables(Cursor *c, int rc) {
  rc = failedStatement(c, rc, &c->tables);
  c->row = -1;
  int named = utf8audit_name_set(&c->table.name, "sqlite_master");
  return named == SQLITE_OK ? rc : named;
}

static int nextSchema(Cursor *c) {
  if (!c->schemas) return THROUGH;
  int rc = sqlite3_step(c->schemas);
  if (rc != SQLITE_ROW) {
    finalize(&c->schemas);
    return rc;
  }
  rc = nameFrom(&c->table.schema, c->schemas, 1);
  if (rc != SQLITE_OK) return rc;
  if (!isOnly(c, &c->table.schema)) return MOVED;
  if (!isWanted(c, WANTED_SCHEMA, &c->table.schema)) return MOVED;
  rc = utf8audit_prepare_tables(c->db, &c->table.schema, &c->tables);
  return rc == SQLITE_OK ? MOVED : failedTables(c, rc);
}

/* How many results a SELECT may have. */
static int columnLimit(const Cursor *c) {
  return sqlite3_limit(c->db, SQLITE_LIMIT_COLUMN, -1);
}

static int openTable(Cursor *c) {
  const char *why = NULL;
  c->row = 0;
  c->table.fixed = sqlite3_column_int(c->tables, 1);
  c->table.tampered = sqlite3_column_int(c->tables, 2);
  int rc = utf8audit_load(&c->table, c->db, &why);
  if (rc != SQLITE_OK) return failed(c, rc, why ? why : sqlite3_errmsg(c->db));
  if (utf8audit_key_results(&c->table) >= columnLimit(c)) utf8audit_drop_key(&c->table);
  c->next = c->table.key_count;
  c->whole = 0;
  return MOVED;
}

static int nextTable(Cursor *c) {
  if (!c->tables) return THROUGH;
  int rc = sqlite3_step(c->tables);
  if (rc == SQLITE_DONE) {
    finalize(&c->tables);
    return THROUGH;
  }
  if (rc != SQLITE_ROW) return failedTables(c, rc);
  rc = nameFrom(&c->table.name, c->tables, 0);
  if (rc != SQLITE_OK) return rc;
  return isWanted(c, WANTED_TABLE, &c->table.name) ? openTable(c) : MOVED;
}

/* Prepares the next `count` columns, with the key's after the table's last. */
static int prepareChunk(Cursor *c, int count) {
  int last = c->next + count == c->table.column_count;
  c->chunk = (AuditChunk){c->next, count, last ? c->table.key_count : 0};
  finalize(&c->rows);
  return utf8audit_prepare_rows(c->db, &c->table, c->chunk, &c->rows);
}

/* As many columns as fit in one SELECT beside the key. */
static int chunkWidth(const Cursor *c) {
  int left = c->table.column_count - c->next;
  int width = columnLimit(c) - utf8audit_key_results(&c->table);
  if (width > CHUNK_COLUMNS) width = CHUNK_COLUMNS;
  if (width < 1) width = 1;
  return left < width ? left : width;
}

/* A chunk of `count` columns could not be prepared. If even one without columns cannot be,
** it is the table that cannot be read; else halves the chunk until it works. */
static int narrowChunk(Cursor *c, int count) {
  int rc = prepareChunk(c, 0);
  if (rc != SQLITE_OK) {
    c->whole = 1;
    return rc;
  }
  do {
    if (count > 1) count /= 2;
    rc = prepareChunk(c, count);
  } while (rc != SQLITE_OK && count > 1 && !isFatal(rc));
  return rc;
}

/* A chunk, or a column that is given up. After the last of the columns the table has been
** read as a whole, unless its key was to be read with one that is given up. */
static int nextChunk(Cursor *c) {
  if (c->whole) return THROUGH;
  int count = chunkWidth(c);
  int rc = prepareChunk(c, count);
  if (rc != SQLITE_OK && !isFatal(rc)) rc = narrowChunk(c, count);
  c->visit = c->chunk.count + c->chunk.key; /* there is no row yet */
  c->next += c->chunk.count;
  int key_left = rc != SQLITE_OK && c->table.key_count > 0;
  if (c->next == c->table.column_count && !key_left) c->whole = 1;
  return rc == SQLITE_OK ? MOVED : failedStatement(c, rc, &c->rows);
}

static int nextRow(Cursor *c) {
  if (!c->rows) return THROUGH;
  int rc = sqlite3_step(c->rows);
  if (rc == SQLITE_ROW) {
    c->visit = 0;
    return MOVED;
  }
  if (rc != SQLITE_DONE) return failedStatement(c, rc, &c->rows);
  finalize(&c->rows);
  return THROUGH;
}

/* Judges the text c->x. */
static int judge(Cursor *c) {
  int rc = utf8value_open(&c->value, c->x, c->utf16);
  if (rc != SQLITE_OK) return rc;
  c->offset = 0;
  unsigned dialect = utf8value_dialect(&c->value, UTF8_STRICT);
  rc = utf8value_find_error(c->db, &c->value, &c->offset, c->value.size, dialect);
  if (rc == SQLITE_OK && c->offset < c->value.size) return FOUND;
  utf8value_close(&c->value);
  return rc;
}

static int nextValue(Cursor *c) {
  const AuditChunk *chunk = &c->chunk;
  while (c->visit < chunk->count + chunk->key) {
    int i = c->visit++;
    int key = i - chunk->count; /* the key's column, or negative */
    int result = key < 0 ? i + utf8audit_key_results(&c->table) : key;
    c->x = sqlite3_column_value(c->rows, result);
    if (sqlite3_value_type(c->x) != SQLITE_TEXT) continue;
    c->column = key < 0 ? chunk->first + i : key;
    int rc = judge(c);
    if (rc != MOVED) return rc;
  }
  return THROUGH;
}

/* A wheel that is through hands over to the next slower one; after any that moved it is
** the fastest one's turn again. */
static int auditNext(sqlite3_vtab_cursor *cursor) {
  static int (*const wheels[])(Cursor *) = {nextValue, nextRow, nextChunk, nextTable,
                                            nextSchema};
  const int count = sizeof wheels / sizeof wheels[0];
  Cursor *c = (Cursor *)cursor;
  forgetFound(c);
  int rc = MOVED;
  for (int i = 0; i < count; i = rc == THROUGH ? i + 1 : 0) {
    rc = wheels[i](c);
    if (rc != MOVED && rc != THROUGH) break;
  }
  c->row++;
  c->done = rc == THROUGH;
  return rc == FOUND || rc == THROUGH ? SQLITE_OK : rc;
}

/* ---- the start --------------------------------------------------------------------- */

/* Copies the arguments. Names are made UTF-8 now, since later on nothing may fail; what is
** no TEXT does not name a schema, and stays what it is. */
static int keepWanted(Cursor *c, int plan, sqlite3_value **argv) {
  for (int w = 0; w < WANTED; w++) {
    if (!(plan & 1 << w)) continue;
    sqlite3_value *copy = c->wanted[w] = sqlite3_value_dup(*argv++);
    if (!copy) return SQLITE_NOMEM;
    int type = sqlite3_value_type(copy);
    if (type == SQLITE_NULL || (w == WANTED_ONLY && type != SQLITE_TEXT)) continue;
    if (!sqlite3_value_text(copy)) return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

static int refuse(Cursor *c, char *message) {
  sqlite3_free(c->base.pVtab->zErrMsg);
  c->base.pVtab->zErrMsg = message;
  return message ? SQLITE_ERROR : SQLITE_NOMEM;
}

static int refuseOnly(Cursor *c, const char *accepted) {
  sqlite3_value *only = c->wanted[WANTED_ONLY];
  return refuse(c, utf8option_message("utf8_audit", 1, "schema", accepted, only, 0));
}

/* Appends the names of the listed schemas but temp, "main, aux". *found: the argument is one
** of them. */
static int listSchemas(Cursor *c, sqlite3_str *names, int *found) {
  AuditName *name = &c->table.schema;
  while (sqlite3_step(c->schemas) == SQLITE_ROW) {
    int rc = nameFrom(name, c->schemas, 1);
    if (rc != SQLITE_OK) return rc;
    if (strcmp(name->raw, "temp") == 0) continue;
    if (sqlite3_str_length(names)) sqlite3_str_appendall(names, ", ");
    sqlite3_str_appendall(names, name->shown);
    *found |= isOnly(c, name);
  }
  return sqlite3_reset(c->schemas);
}

/* The schema temp always exists, but is listed only from its first use on. And main is
** always there, unless an authorizer ignores PRAGMA: then nothing would be read. */
static int checkSchemas(Cursor *c) {
  int found = c->wanted[WANTED_ONLY] && isOnly(c, &(AuditName){"temp", "temp", 0});
  sqlite3_str *names = sqlite3_str_new(NULL);
  int rc = listSchemas(c, names, &found);
  int listed = sqlite3_str_length(names);
  sqlite3_str_appendall(names, ", temp");
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(names);
  char *accepted = sqlite3_str_finish(names);
  if (rc == SQLITE_OK && !found) {
    rc = listed
             ? refuseOnly(c, accepted)
             : refuse(c, sqlite3_mprintf("utf8_audit: PRAGMA database_list is hidden"));
  }
  sqlite3_free(accepted);
  return rc;
}

static int auditFilter(sqlite3_vtab_cursor *cursor, int plan, const char *unused,
                       int argc, sqlite3_value **argv) {
  (void)unused, (void)argc;
  Cursor *c = (Cursor *)cursor;
  rewindCursor(c);
  c->whole = 1; /* no table yet */
  int rc = keepWanted(c, plan, argv);
  if (rc == SQLITE_OK) rc = utf8value_db_utf16(c->db, &c->utf16);
  if (rc == SQLITE_OK) {
    rc = sqlite3_prepare_v2(c->db, "PRAGMA database_list", -1, &c->schemas, NULL);
  }
  if (rc == SQLITE_OK) rc = checkSchemas(c);
  return rc == SQLITE_OK ? auditNext(cursor) : rc;
}

/* ---- the columns ------------------------------------------------------------------- */

static int auditEof(sqlite3_vtab_cursor *cursor) {
  return ((Cursor *)cursor)->done;
}

static uint64_t hashText(uint64_t hash, const char *text) {
  return text ? utf8value_hash(hash, text, strlen(text)) : hash;
}

/* SQLite takes rows with one rowid for one row, also from scans with other arguments or
** constraints: for OR it scans once for each branch. So the rowid is a hash of all that
** identifies the row; rows of one table come in the same order in every scan. */
static int auditRowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  const Cursor *c = (Cursor *)cursor;
  sqlite3_value *only = c->wanted[WANTED_ONLY];
  uint64_t hash = hashText(0, only ? (const char *)sqlite3_value_text(only) : NULL);
  hash = hashText(hash, c->table.schema.raw);
  hash = hashText(hash, c->table.name.raw);
  *rowid = (sqlite3_int64)utf8value_hash(hash, &c->row, sizeof c->row);
  return SQLITE_OK;
}

static void resultName(sqlite3_context *ctx, const AuditName *name) {
  sqlite3_result_text(ctx, name->shown, -1, SQLITE_TRANSIENT);
}

/* What was composed is the result, NULL if that is nothing. rc says how it went. */
static void resultComposed(sqlite3_context *ctx, const Cursor *c, sqlite3_str *composed,
                           int rc) {
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(composed);
  int size = sqlite3_str_length(composed);
  char *text = sqlite3_str_finish(composed);
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(ctx, rc);
    sqlite3_free(text);
  } else if (text) {
    utf8value_result_text(ctx, (uint8_t *)text, (size_t)size, c->utf16);
  }
}

static void resultKey(sqlite3_context *ctx, const Cursor *c) {
  if (c->table.key == AUDIT_ROWID) {
    sqlite3_result_value(ctx, sqlite3_column_value(c->rows, 0));
  } else if (c->table.key == AUDIT_PRIMARY_KEY) {
    sqlite3_str *key = sqlite3_str_new(c->db);
    int rc = utf8audit_append_key(key, &c->table, c->rows, c->utf16);
    resultComposed(ctx, c, key, rc);
  }
}

static void resultError(sqlite3_context *ctx, const Cursor *c) {
  unsigned dialect = utf8value_dialect(&c->value, UTF8_STRICT);
  Utf8Step s = utf8core_step(c->value.bytes, c->value.size, c->offset, dialect);
  sqlite3_result_text(ctx, utf8core_error_name(s.error), -1, SQLITE_STATIC);
}

static void resultErrors(sqlite3_context *ctx, const Cursor *c) {
  const Utf8Value *v = &c->value;
  unsigned dialect = utf8value_dialect(v, UTF8_STRICT);
  sqlite3_int64 errors = 0;
  int rc = SQLITE_OK;
  for (size_t at = c->offset; rc == SQLITE_OK && at < v->size; errors++) {
    at += utf8core_step(v->bytes, v->size, at, dialect).length;
    rc = utf8value_find_error(c->db, v, &at, v->size, dialect);
  }
  if (rc == SQLITE_OK) {
    sqlite3_result_int64(ctx, errors);
  } else {
    sqlite3_result_error_code(ctx, rc);
  }
}

static void resultRepair(sqlite3_context *ctx, const Cursor *c) {
  sqlite3_str *repair = sqlite3_str_new(c->db);
  int rc =
      utf8audit_append_repair(repair, &c->table, c->column, c->x, c->rows, c->utf16);
  resultComposed(ctx, c, repair, rc);
}

/* Of a value; the columns not listed are those of every row. */
static void resultOfValue(sqlite3_context *ctx, const Cursor *c, int column) {
  switch ((enum Column)column) {
  case COLUMN_COLUMN:
    resultName(ctx, &c->table.columns[c->column].name);
    break;
  case COLUMN_KEY:
    resultKey(ctx, c);
    break;
  case COLUMN_OFFSET:
    sqlite3_result_int64(ctx, (sqlite3_int64)c->offset);
    break;
  case COLUMN_ERROR:
    resultError(ctx, c);
    break;
  case COLUMN_ERRORS:
    resultErrors(ctx, c);
    break;
  case COLUMN_REPAIR:
    resultRepair(ctx, c);
    break;
  default:
    break;
  }
}

static int auditColumn(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx, int column) {
  const Cursor *c = (const Cursor *)cursor;
  if (column == COLUMN_SCHEMA) {
    resultName(ctx, &c->table.schema);
  } else if (column == COLUMN_TABLE) {
    resultName(ctx, &c->table.name);
  } else if (column == COLUMN_ONLY) {
    if (c->wanted[WANTED_ONLY]) sqlite3_result_value(ctx, c->wanted[WANTED_ONLY]);
  } else if (!c->unreadable) {
    resultOfValue(ctx, c, column);
  } else if (column == COLUMN_ERROR) {
    sqlite3_result_text(ctx, c->unreadable, -1, SQLITE_TRANSIENT);
  }
  return SQLITE_OK;
}

static const sqlite3_module auditModule = {
    .xConnect = auditConnect, /* and no xCreate: eponymous only */
    .xBestIndex = auditBestIndex,
    .xDisconnect = auditDisconnect,
    .xOpen = auditOpen,
    .xClose = auditClose,
    .xFilter = auditFilter,
    .xNext = auditNext,
    .xEof = auditEof,
    .xColumn = auditColumn,
    .xRowid = auditRowid,
};

int utf8audit_register(sqlite3 *db) {
  return sqlite3_create_module_v2(db, "utf8_audit", &auditModule, NULL, NULL);
}
