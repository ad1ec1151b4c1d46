/* utf8ext.c: the entry point of the SQLite extension utf8ext.
**
**     .load ./utf8ext
**     CREATE TABLE people(name TEXT CHECK (utf8_valid(name)));
**
** Checks the running SQLite's version and registers what the SQL files offer. Of all the
** symbols of this library, only the two below can be seen from outside.
*/
#include "utf8sql.h"
#include "utf8ext.h"

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
#elif defined(__GNUC__)
#define PUBLIC __attribute__((visibility("default")))
#else
#define PUBLIC
#endif

#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT1
#endif

/* SQLITE_INNOCUOUS and SQLITE_VTAB_INNOCUOUS came with 3.31. */
#define OLDEST_SQLITE      3031000
#define OLDEST_SQLITE_NAME "3.31.0"

static int checkVersion(char **message) {
  if (sqlite3_libversion_number() >= OLDEST_SQLITE) return SQLITE_OK;
  if (message) {
    *message = sqlite3_mprintf("utf8ext needs SQLite " OLDEST_SQLITE_NAME
                               " or newer; this is %s",
                               sqlite3_libversion());
  }
  return SQLITE_ERROR;
}

static int registerAll(sqlite3 *db) {
  int rc = utf8func_register(db);
  if (rc == SQLITE_OK) rc = utf8each_register(db);
  if (rc == SQLITE_OK) rc = utf8audit_register(db);
  return rc;
}

/* Both entry points come here, and not one through the other: a process that holds two
** builds of this library would take the other build's. */
static int load(sqlite3 *db, char **message, const struct sqlite3_api_routines *api) {
#ifdef SQLITE_CORE
  (void)api;
#else
  SQLITE_EXTENSION_INIT2(api);
#endif
  utf8value_setup();
  int rc = checkVersion(message);
  if (rc != SQLITE_OK) return rc;
  rc = registerAll(db);
  if (rc != SQLITE_OK && message) *message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
  return rc;
}

PUBLIC int sqlite3_utfext_init(sqlite3 *db, char **message,
                               const struct sqlite3_api_routines *api) {
  return load(db, message, api);
}

#ifndef SQLITE_CORE
/* The name that SQLite tries first: it works whatever the file is called. */
PUBLIC int sqlite3_extension_init(sqlite3 *db, char **message,
                                  const struct sqlite3_api_routines *api);
PUBLIC int sqlite3_extension_init(sqlite3 *db, char **message,
                                  const struct sqlite3_api_routines *api) {
  return load(db, message, api);
}
#endif
