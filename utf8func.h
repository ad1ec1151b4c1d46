/* utf8func.h: the scalar functions, for a connection. */
#ifndef UTF8FUNC_H
#define UTF8FUNC_H

#include "utf8value.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* Registers all scalar functions. Returns SQLITE_OK or an error code. */
int utf8func_register(sqlite3 *db);

/* Removes them, except while a statement of db runs: SQLite does not allow it then. */
void utf8func_unregister(sqlite3 *db);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
