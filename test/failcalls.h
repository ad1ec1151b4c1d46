/* failcalls.h: SQLite's functions, of which chosen calls fail, for callstest.c.
**
**     makeTable();
**     changeTable();
**     fail_at = 3, calls = 0; // the third call fails
*/
#ifndef FAILCALLS_H
#define FAILCALLS_H

#include "test/statements.h"

/* ---- failures ------------------------------------------------------------------------------ */

/* Of the calls that fail, the first is fail_at. */
typedef struct Failures {
  int every; /* 1: the calls are in turn; n: each n-th of them */
  int count;
} Failures;

static int calls;   /* how often one of the functions below was called that can fail */
static int fail_at; /* the first call that fails, or 0 */
static Failures failures = {1, 1};
static int step_fails;   /* what sqlite3_step() then returns; 0: only memory fails */
static const void *lost; /* the statement, string or value that has failed */

static int isFailing(void) {
  const int later = ++calls - fail_at;
  return fail_at && later >= 0 && later % failures.every == 0 &&
         later / failures.every < failures.count;
}

/* ---- SQLite's functions, which can fail ----------------------------------------------------- */

static int memoryFails(void) {
  return !step_fails && isFailing();
}

typedef void (*SqlFunction)(sqlite3_context *, int, sqlite3_value **);

/* Functions that return NULL or SQLITE_NOMEM if memory fails, and when they can. */
#define FAILING(X)                                                                     \
  X(void *, NULL, malloc, 1, (int size), (size))                                       \
  X(void *, NULL, malloc64, 1, (sqlite3_uint64 size), (size))                          \
  X(void *, NULL, realloc64, 1, (void *old, sqlite3_uint64 size), (old, size))         \
  X(void *, NULL, aggregate_context, size, (sqlite3_context * ctx, int size),          \
    (ctx, size))                                                                       \
  X(const void *, NULL, value_text16, 1, (sqlite3_value * x), (x))                     \
  X(const void *, NULL, value_text16le, 1, (sqlite3_value * x), (x))                   \
  X(const void *, NULL, value_text16be, 1, (sqlite3_value * x), (x))                   \
  X(const void *, NULL, value_blob, 1, (sqlite3_value * x), (x))                       \
  X(int, SQLITE_NOMEM, bind_int64, 1, (sqlite3_stmt * s, int i, sqlite3_int64 x),      \
    (s, i, x))                                                                         \
  X(int, SQLITE_NOMEM, bind_value, 1,                                                  \
    (sqlite3_stmt * s, int i, const sqlite3_value *x), (s, i, x))                      \
  X(int, SQLITE_NOMEM, bind_text64, 1,                                                 \
    (sqlite3_stmt * s, int i, const char *text, sqlite3_uint64 size,                   \
     void (*destroy)(void *), unsigned char encoding),                                 \
    (s, i, text, size, destroy, encoding))                                             \
  X(int, SQLITE_NOMEM, table_column_metadata, 1,                                       \
    (sqlite3 * of, const char *schema, const char *name, const char *column,           \
     const char **type, const char **collation, int *not_null, int *key, int *counts), \
    (of, schema, name, column, type, collation, not_null, key, counts))                \
  X(int, SQLITE_NOMEM, declare_vtab, 1, (sqlite3 * of, const char *sql), (of, sql))    \
  X(int, SQLITE_NOMEM, create_module_v2, module,                                       \
    (sqlite3 * of, const char *name, const sqlite3_module *module, void *data,         \
     void (*destroy)(void *)),                                                         \
    (of, name, module, data, destroy))                                                 \
  X(int, SQLITE_NOMEM, create_function_v2, call || step,                               \
    (sqlite3 * of, const char *name, int arguments, int flags, void *data,             \
     SqlFunction call, SqlFunction step, void (*final)(sqlite3_context *),             \
     void (*destroy)(void *)),                                                         \
    (of, name, arguments, flags, data, call, step, final, destroy))
#define DEFINE_FAILING(type, failure, name, can, parameters, arguments)                \
  static type fail_##name parameters {                                                 \
    return (can) && memoryFails() ? failure : sqlite3_##name arguments;                \
  }
FAILING(DEFINE_FAILING)

/* A copy of a value. One that is UTF-8 already needs no memory to be read as that. */
typedef struct Copy {
  sqlite3_value *x;
  int is_utf8;
} Copy;

/* Returns the copy, or NULL; of NULL, a place for a copy. */
static Copy *copyOf(const sqlite3_value *x) {
  static Copy copies[8];
  for (int i = 0; i < 8; i++)
    if (copies[i].x == x) return &copies[i];
  return NULL;
}

static sqlite3_value *failValueDup(const sqlite3_value *x) {
  if (memoryFails()) return NULL;
  Copy *copy = copyOf(NULL);
  *copy = (Copy){sqlite3_value_dup(x), 0};
  return copy->x;
}

static void forgetValue(sqlite3_value *x) {
  Copy *copy = copyOf(x);
  if (copy) copy->x = NULL;
  sqlite3_value_free(x);
}

static const unsigned char *failValueText(sqlite3_value *x) {
  Copy *copy = copyOf(x);
  const int can = sqlite3_value_type(x) != SQLITE_NULL && !(copy && copy->is_utf8);
  if (can && memoryFails()) {
    lost = x;
    return NULL;
  }
  if (copy) copy->is_utf8 = 1;
  return sqlite3_value_text(x);
}

static int failValueBytes(sqlite3_value *x) {
  if (x != lost) return sqlite3_value_bytes(x);
  lost = NULL;
  return 0;
}

/* The statement then fails, too. */
static const unsigned char *failColumnText(sqlite3_stmt *stmt, int column) {
  const int can = sqlite3_column_type(stmt, column) != SQLITE_NULL;
  if (!can || !memoryFails()) return sqlite3_column_text(stmt, column);
  lost = stmt;
  return NULL;
}

static char *failMprintf(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char *text = memoryFails() ? NULL : sqlite3_vmprintf(format, arguments);
  va_end(arguments);
  return text;
}

/* A string that has failed is empty, and stays so. */
static sqlite3_str *failStrNew(sqlite3 *db) {
  sqlite3_str *str = sqlite3_str_new(db);
  if (memoryFails()) lost = str;
  return str;
}

static int failStrErrcode(sqlite3_str *str) {
  return str == lost ? SQLITE_NOMEM : sqlite3_str_errcode(str);
}

static int failStrLength(sqlite3_str *str) {
  return str == lost ? 0 : sqlite3_str_length(str);
}

static char *failStrFinish(sqlite3_str *str) {
  char *text = sqlite3_str_finish(str);
  if (str != lost) return text;
  lost = NULL;
  sqlite3_free(text);
  return NULL;
}

/* A statement that has failed reports that once more when it is reset or finalized. */
static int failPrepare(sqlite3 *db, const char *sql, int size, sqlite3_stmt **stmt,
                       const char **tail) {
  if (!memoryFails()) return sqlite3_prepare_v2(db, sql, size, stmt, tail);
  *stmt = NULL;
  return SQLITE_NOMEM;
}

static int failStep(sqlite3_stmt *stmt) {
  if (stmt != lost && !isFailing()) return sqlite3_step(stmt);
  lost = stmt;
  return step_fails ? step_fails : SQLITE_NOMEM;
}

static int failedBefore(const sqlite3_stmt *stmt, int rc) {
  if (!stmt || stmt != lost) return rc;
  lost = NULL;
  return step_fails ? step_fails : SQLITE_NOMEM;
}

static int failReset(sqlite3_stmt *stmt) {
  return failedBefore(stmt, sqlite3_reset(stmt));
}

static int failFinalize(sqlite3_stmt *stmt) {
  return failedBefore(stmt, sqlite3_finalize(stmt));
}

static void changeTable(void) {
  sqlite3_api_routines *api = &table.api;
#define STORE_FAILING(type, failure, name, can, parameters, arguments)                 \
  api->name = fail_##name;
  FAILING(STORE_FAILING)
  api->value_dup = failValueDup;
  api->value_free = forgetValue;
  api->value_text = failValueText;
  api->value_bytes = failValueBytes;
  api->column_text = failColumnText;
  api->mprintf = failMprintf;
  api->str_new = failStrNew;
  api->str_errcode = failStrErrcode;
  api->str_length = failStrLength;
  api->str_finish = failStrFinish;
  api->prepare_v2 = failPrepare;
  api->step = failStep;
  api->reset = failReset;
  api->finalize = failFinalize;
}

#endif
