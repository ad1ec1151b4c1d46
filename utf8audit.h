/* utf8audit.h: the virtual table utf8_audit, for a connection. */
#ifndef UTF8AUDIT_H
#define UTF8AUDIT_H

#include "utf8value.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* Registers the table. Returns SQLITE_OK or an error code. */
int utf8audit_register(sqlite3 *db);

/* Removes the table. Statements that were prepared with it keep it. */
void utf8audit_unregister(sqlite3 *db);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
