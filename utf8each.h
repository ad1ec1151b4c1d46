/* utf8each.h: the virtual table utf8_each, for a connection. */
#ifndef UTF8EACH_H
#define UTF8EACH_H

#include "utf8value.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* Registers the table. Returns SQLITE_OK or an error code. */
int utf8each_register(sqlite3 *db);

/* Removes the table. Statements that were prepared with it keep it. */
void utf8each_unregister(sqlite3 *db);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
