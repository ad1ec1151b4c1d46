/* sqlite3ext.h: SQLite's own, but it says that it is 3.31's. What later versions brought is
** then left out of what is compiled with -Itest/old, as it is where that header is old. */
#include_next <sqlite3ext.h>
#undef SQLITE_VERSION_NUMBER
#define SQLITE_VERSION_NUMBER 3031000
