/* utf8ext.h: for programs that link utf8ext in rather than load it.
**
** Compile build/amalgamation/utf8ext.c (make amalgamation) with -DSQLITE_CORE, link it with SQLite, and
** then either
**
**     sqlite3_auto_extension((void (*)(void))sqlite3_utf8ext_init);  // every connection
**     sqlite3_utf8ext_init(db, &message, NULL);                       // this one
*/
#ifndef UTF8EXT_H
#define UTF8EXT_H

#include "sqlite3.h"

#define UTF8EXT_VERSION "3.0.0" /* as in the file VERSION; a test compares them */

#ifdef __cplusplus
extern "C" {
#endif

/* Registers utf8ext's functions and tables with db. Returns SQLITE_OK or an error code. An
** error stores in *message, unless message is NULL, a text to be freed with sqlite3_free();
** but leaves it alone if memory ran out, so set it to NULL before the call. May be called
** again for the same connection. The last argument is what SQLite passes to a loaded
** extension; linked in, it is ignored.
**
** The name is what SQLite makes of the file name utf8ext.so: letters only. */
int sqlite3_utfext_init(sqlite3 *db, char **message,
                        const struct sqlite3_api_routines *);
#define sqlite3_utf8ext_init sqlite3_utfext_init

#ifdef __cplusplus
}
#endif
#endif
