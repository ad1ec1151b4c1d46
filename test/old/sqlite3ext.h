/* sqlite3ext.h: SQLite's header, but with the version number of 3.31. Code compiled with
** -Itest/old leaves out the calls that need a later version. */
#include_next <sqlite3ext.h>
#undef SQLITE_VERSION_NUMBER
#define SQLITE_VERSION_NUMBER 3031000
#undef SQLITE_VERSION
#define SQLITE_VERSION "3.31.0"
