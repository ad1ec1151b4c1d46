/* utf8audit.c: the virtual table utf8_audit: a row for each ill-formed TEXT value.
**
**     SELECT table_name, column_name, key, offset, error FROM utf8_audit;
**     -- people|name|17|3|truncated
**     SELECT repair_sql FROM utf8_audit('main') WHERE table_name = 'people';
**     -- UPDATE "main"."people" SET "name" = utf8_repair("name") WHERE rowid = 17;
**
** The scan has five nested levels: the schemas, the tables of a schema, the chunks of a
** table's columns (most tables have one), the rows with ill-formed text, the values of a
** row. Three levels are statements on the same connection that run while the scan does, so
** SQLite itself handles snapshots, locks, interrupts and authorizers, and memory does not
** grow. key, errors and repair_sql are computed only if the query reads them.
**
** What cannot be read becomes a row 'unreadable: ...', and the level that failed advances.
** If one column is the reason (a missing function, a denied right), the table's other
** columns are read without it.
**
** Virtual tables and views are not read. One ill-formed value is held at a time, where
** SQLite has it.
*/
#include "utf8auditsql.h"
#include "utf8option.h"
#include "utf8vtab.h"
#include <string.h>

enum AuditResult {
  AUDIT_SCHEMA,
  AUDIT_TABLE,
  AUDIT_COLUMN,
  AUDIT_KEY,
  AUDIT_OFFSET,
  AUDIT_ERROR,
  AUDIT_ERRORS,
  AUDIT_REPAIR,
  AUDIT_ONLY
};

static const char auditDeclaration[] =
    "CREATE TABLE utf8_audit(schema TEXT, table_name TEXT, column_name TEXT, \"key\","
    " \"offset\" INTEGER, error TEXT, errors INTEGER, repair_sql TEXT,"
    " only TEXT HIDDEN)";

/* The arguments of xFilter, in this order; idxNum has bit 1 << i for each that is given. */
enum Wanted { WANTED_ONLY, WANTED_SCHEMA, WANTED_TABLE, WANTED_COUNT };

/* SQLite allows 2,000 results in a SELECT, or less (SQLITE_LIMIT_COLUMN). */
#define CHUNK_COLUMNS 1900

typedef struct AuditCursor {
  sqlite3_vtab_cursor base;
  sqlite3 *db;
  Utf8Encoding encoding;               /* of the databases */
  sqlite3_value *wanted[WANTED_COUNT]; /* copies of the arguments, in UTF-8, or NULL */
  sqlite3_int64 row;                   /* number of the row within its table, from 1 */
  int done;                            /* there are no more rows */

  sqlite3_stmt *schemas; /* at table.schema; these three are NULL at their end */
  sqlite3_stmt *tables;  /* at table.name */
  sqlite3_stmt *rows;    /* at a row of the chunk */
  AuditTable table;
  int next_column; /* the first column of the next chunk */
  int last_chunk;  /* the table's last chunk has begun */
  AuditChunk chunk;
  int next_value; /* of the row: first the chunk's columns, then its key's */

  int column;       /* what was found: index in table.columns, */
  sqlite3_value *x; /* the value where SQLite has it, */
  Utf8Value value;  /* the value, open, */
  size_t offset;    /* and its first error; */
  char *unreadable; /* or else the whole column `error` */
} AuditCursor;

/* ---- the table --------------------------------------------------------------------- */

static int auditConnect(sqlite3 *db, void *aux, int argc, const char *const *argv,
                        sqlite3_vtab **table, char **message) {
  (void)aux, (void)argc, (void)argv, (void)message;
  return utf8vtab_connect(db, auditDeclaration, SQLITE_VTAB_DIRECTONLY, table);
}

/* ---- the plan ---------------------------------------------------------------------- */

/* Returns which argument a constraint can be, or -1. SQLite checks names again. Here they are
** compared byte by byte, so a collating sequence that equates more cannot be used. */
static int wantedBy(sqlite3_index_info *info, int i) {
  const struct sqlite3_index_constraint *c = &info->aConstraint[i];
  int equal = c->op == SQLITE_INDEX_CONSTRAINT_EQ;
  if (c->iColumn == AUDIT_ONLY) return equal ? WANTED_ONLY : -1;
  if (!equal && c->op != SQLITE_INDEX_CONSTRAINT_IS) return -1;
  if (c->iColumn != AUDIT_SCHEMA && c->iColumn != AUDIT_TABLE) return -1;
  if (sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0) return -1;
  return c->iColumn == AUDIT_SCHEMA ? WANTED_SCHEMA : WANTED_TABLE;
}

/* Makes the chosen constraints arguments of xFilter, in the order of enum Wanted. */
static void auditPlanArguments(sqlite3_index_info *info,
                               const int chosen[WANTED_COUNT]) {
  int used = 0;
  for (int w = 0; w < WANTED_COUNT; w++) {
    if (chosen[w] < 0) continue;
    info->idxNum |= 1 << w;
    info->aConstraintUsage[chosen[w]].argvIndex = ++used;
    info->aConstraintUsage[chosen[w]].omit = w == WANTED_ONLY;
  }
}

/* SQLite runs a branch of an OR without the conditions that hold a subquery, and plans it in
** older versions without those that name other tables: it would lose the hidden argument, and
** rows with it. So OR never pays, and a scan without the argument costs more than any other. */
static void auditPlanCost(sqlite3_index_info *info) {
  info->estimatedCost = info->idxNum & 1 << WANTED_ONLY ? 1e6 : 1e20;
  info->estimatedRows = 1000;
}

/* The hidden argument must be known before the scan starts. */
static int auditBestIndex(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  int chosen[WANTED_COUNT] = {-1, -1, -1};
  const int onlyHidden = utf8vtab_has_in(info, AUDIT_ONLY);
  for (int i = 0; i < info->nConstraint; i++) {
    int w = wantedBy(info, i);
    if (w < 0 || (onlyHidden && w != WANTED_ONLY)) continue;
    if (info->aConstraint[i].usable) {
      if (chosen[w] < 0) chosen[w] = i;
    } else if (w == WANTED_ONLY) {
      return SQLITE_CONSTRAINT;
    }
  }
  auditPlanArguments(info, chosen);
  auditPlanCost(info);
  return SQLITE_OK;
}

/* ---- the cursor -------------------------------------------------------------------- */

static int auditOpen(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  AuditCursor *c = sqlite3_malloc64(sizeof *c);
  if (!c) return SQLITE_NOMEM;
  *c = (AuditCursor){.db = ((Utf8Table *)table)->db};
  *cursor = &c->base;
  return SQLITE_OK;
}

static void finalizeLevel(sqlite3_stmt **stmt) {
  sqlite3_finalize(*stmt);
  *stmt = NULL;
}

static void forgetFound(AuditCursor *c) {
  utf8value_close(&c->value);
  sqlite3_free(c->unreadable);
  c->unreadable = NULL;
}

static void resetCursor(AuditCursor *c) {
  forgetFound(c);
  finalizeLevel(&c->rows);
  finalizeLevel(&c->tables);
  finalizeLevel(&c->schemas);
  audittable_clear(&c->table);
  for (int w = 0; w < WANTED_COUNT; w++) sqlite3_value_free(c->wanted[w]);
  *c = (AuditCursor){.base = c->base, .db = c->db};
}

static int auditClose(sqlite3_vtab_cursor *cursor) {
  resetCursor((AuditCursor *)cursor);
  sqlite3_free(cursor);
  return SQLITE_OK;
}

/* ---- what cannot be read ----------------------------------------------------------- */

/* What a level returns, besides error codes. */
enum { MOVED = SQLITE_OK, FOUND = SQLITE_ROW, AT_END = SQLITE_DONE };

/* Does the error end the scan, rather than make a table unreadable? SQLite returns ABORT
** after a ROLLBACK. */
static int isFatal(int rc) {
  int code = rc & 0xFF;
  return code == SQLITE_INTERRUPT || code == SQLITE_NOMEM || code == SQLITE_ABORT;
}

/* Handles the error rc, described by why: returns its code if it ends the scan, otherwise
** makes it a row. Copies why, which may be sqlite3_errmsg()'s. */
static int failed(AuditCursor *c, int rc, const char *why) {
  int extended = sqlite3_extended_errcode(c->db);
  if (isFatal(rc)) return (extended & 0xFF) == rc ? extended : rc;
  char *message = audittable_escape(why);
  if (message) c->unreadable = sqlite3_mprintf("unreadable: %s", message);
  sqlite3_free(message);
  return c->unreadable ? FOUND : SQLITE_NOMEM;
}

/* Like failed(), for a statement that failed or could not be prepared; finalizes it. */
static int failedStatement(AuditCursor *c, int rc, sqlite3_stmt **stmt) {
  rc = failed(c, rc, sqlite3_errmsg(c->db));
  finalizeLevel(stmt);
  return rc;
}

/* ---- the levels, the outermost first ------------------------------------------------ */

static int isWanted(const AuditCursor *c, enum Wanted which, const AuditName *name) {
  sqlite3_value *wanted = c->wanted[which];
  if (!wanted) return 1;
  const char *text = (const char *)sqlite3_value_text(wanted);
  size_t size = text ? (size_t)sqlite3_value_bytes(wanted) : 0;
  return text && strlen(name->shown) == size && memcmp(name->shown, text, size) == 0;
}

/* Does the hidden argument name this schema? Names of schemas ignore case. */
static int isOnly(const AuditCursor *c, const AuditName *schema) {
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
  return text ? audittable_set_name(name, text) : SQLITE_NOMEM;
}

/* Handles the error rc in the list of a schema's tables: a row of sqlite_master with the
** number 0. */
static int failedTables(AuditCursor *c, int rc) {
  rc = failedStatement(c, rc, &c->tables);
  c->row = -1;
  int named = audittable_set_name(&c->table.name, "sqlite_master");
  return named == SQLITE_OK ? rc : named;
}

static int nextSchema(AuditCursor *c) {
  if (!c->schemas) return AT_END;
  int rc = sqlite3_step(c->schemas);
  if (rc != SQLITE_ROW) {
    finalizeLevel(&c->schemas);
    return rc;
  }
  rc = nameFrom(&c->table.schema, c->schemas, 1);
  if (rc != SQLITE_OK) return rc;
  if (!isOnly(c, &c->table.schema)) return MOVED;
  if (!isWanted(c, WANTED_SCHEMA, &c->table.schema)) return MOVED;
  rc = audittable_prepare_list(c->db, &c->table.schema, &c->tables);
  return rc == SQLITE_OK ? MOVED : failedTables(c, rc);
}

static int columnLimit(const AuditCursor *c) {
  return sqlite3_limit(c->db, SQLITE_LIMIT_COLUMN, -1);
}

static int openTable(AuditCursor *c) {
  const char *why = NULL;
  c->row = 0;
  c->table.tampered = sqlite3_column_int(c->tables, 2);
  c->table.not_repairable = sqlite3_column_int(c->tables, 1) || c->table.tampered;
  int rc = audittable_load(&c->table, c->db, &why);
  if (rc != SQLITE_OK) return failed(c, rc, why ? why : sqlite3_errmsg(c->db));
  if (audittable_key_results(&c->table) >= columnLimit(c))
    audittable_drop_key(&c->table);
  c->next_column = c->table.key_count;
  c->last_chunk = 0;
  return MOVED;
}

static int nextTable(AuditCursor *c) {
  if (!c->tables) return AT_END;
  int rc = sqlite3_step(c->tables);
  if (rc == SQLITE_DONE) {
    finalizeLevel(&c->tables);
    return AT_END;
  }
  if (rc != SQLITE_ROW) return failedTables(c, rc);
  rc = nameFrom(&c->table.name, c->tables, 0);
  if (rc != SQLITE_OK) return rc;
  return isWanted(c, WANTED_TABLE, &c->table.name) ? openTable(c) : MOVED;
}

/* Prepares the next `count` columns; with the key's, if these are the table's last. */
static int prepareChunk(AuditCursor *c, int count) {
  int last = c->next_column + count == c->table.column_count;
  c->chunk = (AuditChunk){c->next_column, count, last ? c->table.key_count : 0};
  finalizeLevel(&c->rows);
  return auditsql_prepare_rows(c->db, &c->table, c->chunk, &c->rows);
}

/* How many columns fit in one SELECT, besides the key. */
static int chunkWidth(const AuditCursor *c) {
  int left = c->table.column_count - c->next_column;
  int width = columnLimit(c) - audittable_key_results(&c->table);
  if (width > CHUNK_COLUMNS) width = CHUNK_COLUMNS;
  if (width < 1) width = 1;
  return left < width ? left : width;
}

/* Halves a chunk of `count` columns, which could not be prepared, until it can be. Fails if not
** even a chunk without columns can be prepared: the table cannot be read. */
static int narrowChunk(AuditCursor *c, int count) {
  int rc = prepareChunk(c, 0);
  if (rc != SQLITE_OK) {
    c->last_chunk = 1;
    return rc;
  }
  do {
    if (count > 1) count /= 2;
    rc = prepareChunk(c, count);
  } while (rc != SQLITE_OK && count > 1 && !isFatal(rc));
  return rc;
}

/* Prepares the next chunk, or skips one column that cannot be read. The chunk of the last
** column is the last one, unless that column was skipped, since it had the key with it. */
static int nextChunk(AuditCursor *c) {
  if (c->last_chunk) return AT_END;
  int count = chunkWidth(c);
  int rc = prepareChunk(c, count);
  if (rc != SQLITE_OK && !isFatal(rc)) rc = narrowChunk(c, count);
  c->next_value = c->chunk.count + c->chunk.key; /* no row yet */
  c->next_column += c->chunk.count;
  int key_left = rc != SQLITE_OK && c->table.key_count > 0;
  if (c->next_column == c->table.column_count && !key_left) c->last_chunk = 1;
  return rc == SQLITE_OK ? MOVED : failedStatement(c, rc, &c->rows);
}

static int nextRow(AuditCursor *c) {
  if (!c->rows) return AT_END;
  int rc = sqlite3_step(c->rows);
  if (rc == SQLITE_ROW) {
    c->next_value = 0;
    return MOVED;
  }
  if (rc != SQLITE_DONE) return failedStatement(c, rc, &c->rows);
  finalizeLevel(&c->rows);
  return AT_END;
}

/* Opens the text c->x and finds its first error. Returns FOUND, with c->value open and
** c->offset set; MOVED, with nothing open, if the text is well-formed; or an error code. */
static int checkValue(AuditCursor *c) {
  int rc = utf8value_open(&c->value, c->x, c->encoding);
  if (rc != SQLITE_OK) return rc;
  c->offset = 0;
  unsigned dialect = utf8value_dialect(&c->value, UTF8_STRICT);
  rc = utf8value_find_error(c->db, &c->value, &c->offset, c->value.size, dialect);
  if (rc == SQLITE_OK && c->offset < c->value.size) return FOUND;
  utf8value_close(&c->value);
  return rc;
}

static int nextValue(AuditCursor *c) {
  const AuditChunk *chunk = &c->chunk;
  while (c->next_value < chunk->count + chunk->key) {
    int i = c->next_value++;
    int key = i - chunk->count; /* the key's column, or negative */
    int result = key < 0 ? i + audittable_key_results(&c->table) : key;
    c->x = sqlite3_column_value(c->rows, result);
    if (sqlite3_value_type(c->x) != SQLITE_TEXT) continue;
    c->column = key < 0 ? chunk->first + i : key;
    int rc = checkValue(c);
    if (rc != MOVED) return rc;
  }
  return AT_END;
}

/* Advances the innermost level. At its end advances the next outer one, and after any that
** moved starts again with the innermost. */
static int auditNext(sqlite3_vtab_cursor *cursor) {
  static int (*const levels[])(AuditCursor *) = {nextValue, nextRow, nextChunk,
                                                 nextTable, nextSchema};
  const int count = sizeof levels / sizeof levels[0];
  AuditCursor *c = (AuditCursor *)cursor;
  forgetFound(c);
  int rc = MOVED;
  for (int i = 0; i < count; i = rc == AT_END ? i + 1 : 0) {
    rc = levels[i](c);
    if (rc != MOVED && rc != AT_END) break;
  }
  c->row++;
  c->done = rc == AT_END;
  return rc == FOUND || rc == AT_END ? SQLITE_OK : rc;
}

/* ---- the start --------------------------------------------------------------------- */

/* Copies the arguments, and converts names to UTF-8 now, since later a failure could not be
** reported. A hidden argument that is not TEXT names no schema, and is kept as it is. */
static int keepWanted(AuditCursor *c, int plan, sqlite3_value **argv) {
  for (int w = 0; w < WANTED_COUNT; w++) {
    if (!(plan & 1 << w)) continue;
    sqlite3_value *copy = c->wanted[w] = sqlite3_value_dup(*argv++);
    if (!copy) return SQLITE_NOMEM;
    int type = sqlite3_value_type(copy);
    if (type == SQLITE_NULL || (w == WANTED_ONLY && type != SQLITE_TEXT)) continue;
    if (!sqlite3_value_text(copy)) return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

static int refuseOnly(AuditCursor *c, const char *accepted) {
  sqlite3_value *only = c->wanted[WANTED_ONLY];
  return utf8vtab_error(&c->base,
                        utf8option_message("utf8_audit", 1, "schema", accepted, only,
                                           UTF8_ENCODING_UTF8));
}

/* Appends the names of the listed schemas except temp: "main, aux". Sets *found if the
** hidden argument is one of them. */
static int listSchemas(AuditCursor *c, sqlite3_str *names, int *found) {
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

/* Returns an error unless the hidden argument names a schema. temp always exists, but is
** listed only after its first use. If not even main is listed, an authorizer hides PRAGMA,
** and the scan would find nothing. */
static int checkSchemas(AuditCursor *c) {
  int found = c->wanted[WANTED_ONLY] && isOnly(c, &(AuditName){"temp", "temp", 0});
  sqlite3_str *names = sqlite3_str_new(NULL);
  int rc = listSchemas(c, names, &found);
  int listed = sqlite3_str_length(names);
  sqlite3_str_appendall(names, ", temp");
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(names);
  char *accepted = sqlite3_str_finish(names);
  if (rc == SQLITE_OK && !found) {
    rc = listed ? refuseOnly(c, accepted)
                : utf8vtab_error(
                      &c->base,
                      sqlite3_mprintf("utf8_audit: PRAGMA database_list is hidden"));
  }
  sqlite3_free(accepted);
  return rc;
}

/* xFilter: starts a scan and moves to its first row. plan is idxNum, whose bits say which
** arguments argv has (enum Wanted). */
static int auditFilter(sqlite3_vtab_cursor *cursor, int plan, const char *unused,
                       int argc, sqlite3_value **argv) {
  (void)unused, (void)argc;
  AuditCursor *c = (AuditCursor *)cursor;
  resetCursor(c);
  c->last_chunk = 1; /* no table yet */
  int rc = keepWanted(c, plan, argv);
  if (rc == SQLITE_OK) rc = utf8value_db_encoding(c->db, &c->encoding);
  if (rc == SQLITE_OK) {
    rc = sqlite3_prepare_v2(c->db, "PRAGMA database_list", -1, &c->schemas, NULL);
  }
  if (rc == SQLITE_OK) rc = checkSchemas(c);
  return rc == SQLITE_OK ? auditNext(cursor) : rc;
}

/* ---- the columns ------------------------------------------------------------------- */

static int auditEof(sqlite3_vtab_cursor *cursor) {
  return ((AuditCursor *)cursor)->done;
}

static uint64_t hashText(uint64_t hash, const char *text) {
  return text ? utf8vtab_hash(hash, text, strlen(text)) : hash;
}

/* The rows of one table come in the same order in every scan, whatever its constraints. */
static int auditRowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  const AuditCursor *c = (AuditCursor *)cursor;
  sqlite3_value *only = c->wanted[WANTED_ONLY];
  uint64_t hash = hashText(0, only ? (const char *)sqlite3_value_text(only) : NULL);
  hash = hashText(hash, c->table.schema.raw);
  hash = hashText(hash, c->table.name.raw);
  *rowid = (sqlite3_int64)utf8vtab_hash(hash, &c->row, sizeof c->row);
  return SQLITE_OK;
}

static void resultName(sqlite3_context *ctx, const AuditName *name) {
  sqlite3_result_text(ctx, name->shown, -1, SQLITE_TRANSIENT);
}

/* Sets the result to what was written, NULL if nothing was; or, if rc is an error, to that
** error. Frees w->out. */
static void resultWritten(sqlite3_context *ctx, const AuditWriter *w, int rc) {
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(w->out);
  int size = sqlite3_str_length(w->out);
  char *text = sqlite3_str_finish(w->out);
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(ctx, rc);
    sqlite3_free(text);
  } else if (text) {
    utf8value_result_text(ctx, (uint8_t *)text, (size_t)size,
                          w->encoding != UTF8_ENCODING_UTF8);
  }
}

/* Returns a writer of SQL about the cursor's row. resultWritten() frees its `out`. */
static AuditWriter writerFor(const AuditCursor *c) {
  return (AuditWriter){sqlite3_str_new(c->db), &c->table, c->rows, c->encoding};
}

static void resultKey(sqlite3_context *ctx, const AuditCursor *c) {
  if (c->table.key == AUDIT_ROWID) {
    sqlite3_result_value(ctx, sqlite3_column_value(c->rows, 0));
  } else if (c->table.key == AUDIT_PRIMARY_KEY) {
    AuditWriter w = writerFor(c);
    resultWritten(ctx, &w, auditsql_append_key(&w));
  }
}

static void resultError(sqlite3_context *ctx, const AuditCursor *c) {
  unsigned dialect = utf8value_dialect(&c->value, UTF8_STRICT);
  Utf8Step s = utf8core_step(c->value.bytes, c->value.size, c->offset, dialect);
  sqlite3_result_text(ctx, utf8core_error_name(s.error), -1, SQLITE_STATIC);
}

static void resultErrors(sqlite3_context *ctx, const AuditCursor *c) {
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

static void resultRepair(sqlite3_context *ctx, const AuditCursor *c) {
  AuditWriter w = writerFor(c);
  resultWritten(ctx, &w, auditsql_append_repair(&w, c->column, c->x));
}

/* The columns of a row about a value, without those that every row has. */
static void resultOfValue(sqlite3_context *ctx, const AuditCursor *c, int column) {
  switch ((enum AuditResult)column) {
  case AUDIT_COLUMN:
    resultName(ctx, &c->table.columns[c->column].name);
    break;
  case AUDIT_KEY:
    resultKey(ctx, c);
    break;
  case AUDIT_OFFSET:
    sqlite3_result_int64(ctx, (sqlite3_int64)c->offset);
    break;
  case AUDIT_ERROR:
    resultError(ctx, c);
    break;
  case AUDIT_ERRORS:
    resultErrors(ctx, c);
    break;
  case AUDIT_REPAIR:
    resultRepair(ctx, c);
    break;
  default:
    break;
  }
}

static int auditColumn(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx, int column) {
  const AuditCursor *c = (const AuditCursor *)cursor;
  if (column == AUDIT_SCHEMA) {
    resultName(ctx, &c->table.schema);
  } else if (column == AUDIT_TABLE) {
    resultName(ctx, &c->table.name);
  } else if (column == AUDIT_ONLY) {
    if (c->wanted[WANTED_ONLY]) sqlite3_result_value(ctx, c->wanted[WANTED_ONLY]);
  } else if (!c->unreadable) {
    resultOfValue(ctx, c, column);
  } else if (column == AUDIT_ERROR) {
    sqlite3_result_text(ctx, c->unreadable, -1, SQLITE_TRANSIENT);
  }
  return SQLITE_OK;
}

const sqlite3_module utf8audit_module = {
    .xConnect = auditConnect, /* without xCreate: eponymous only */
    .xBestIndex = auditBestIndex,
    .xDisconnect = utf8vtab_disconnect,
    .xOpen = auditOpen,
    .xClose = auditClose,
    .xFilter = auditFilter,
    .xNext = auditNext,
    .xEof = auditEof,
    .xColumn = auditColumn,
    .xRowid = auditRowid,
};
