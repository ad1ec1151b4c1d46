/* sql/functions.h: the scalar functions, for a connection; and what the files that define them
** share. */
#ifndef UTF8_SQL_FUNCTIONS_H
#define UTF8_SQL_FUNCTIONS_H

#include "sql/value.h"

/* Registers the scalar functions of sql/check.c. Returns SQLITE_OK or an error code. */
int utf8func_register(sqlite3 *db);

/* Removes them, except while a statement of db runs: SQLite does not allow it then. */
void utf8func_unregister(sqlite3 *db);

/* ---- lists of functions ---------------------------------------------------------------- */

#ifndef SQLITE_RESULT_SUBTYPE /* since 3.45; older versions ignore the bit */
#define SQLITE_RESULT_SUBTYPE 0x001000000
#endif

#define UTF8_PURE (SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS)
#define UTF8_SAME_X                                                                    \
  (UTF8_PURE | SQLITE_RESULT_SUBTYPE) /* may return X, without its subtype */

/* A scalar function as SQL sees it. A name of NULL ends a list. */
typedef struct Utf8Function {
  const char *name;
  int arguments;
  int flags;
  void (*call)(sqlite3_context *, int, sqlite3_value **);
} Utf8Function;

/* Registers the functions of a list, which must stay in memory. Returns SQLITE_OK or an error
** code. Call utf8func_register() first: it registers utf8_version(). */
int utf8func_add(sqlite3 *db, const Utf8Function *list);

/* Removes them, under the condition of utf8func_unregister(). */
void utf8func_remove(sqlite3 *db, const Utf8Function *list);

/* ---- arguments ------------------------------------------------------------------------- */

/* Stores the offset of the first error in *at, or the value's size. Returns 0 after an
** interrupt, which is then the result. */
int utf8func_find_error(sqlite3_context *ctx, const Utf8Value *value, unsigned dialect,
                        size_t *at);

void utf8func_result_interrupted(sqlite3_context *ctx);

#endif
