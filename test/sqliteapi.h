/* sqliteapi.h: SQLite's table of functions, for programs that hand utf8ext a changed one.
**
**     makeTable();
**     table.api.malloc64 = ...;
**     init(db, NULL, &table.api);
*/
#ifndef UTF8_SQLITEAPI_H
#define UTF8_SQLITEAPI_H

#define SQLITE_CORE /* calls SQLite itself, not through a table */
#include "sqlite3ext.h"

typedef int Init(sqlite3 *, char **, const sqlite3_api_routines *);

enum { SLOTS = 400 };
typedef void Function(void);
static union {
  sqlite3_api_routines api;
  Function *slots[SLOTS];
} table;

static int copyTable(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
  (void)db, (void)message;
  table.api = *api;
  return SQLITE_OK;
}

static void makeTable(void) {
  sqlite3 *db = NULL;
  sqlite3_auto_extension((void (*)(void))copyTable);
  sqlite3_open(":memory:", &db);
  sqlite3_close(db);
  sqlite3_reset_auto_extension();
}

#endif
