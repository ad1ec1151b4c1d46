/* utf8ext.c: the entry point of the SQLite extension utf8ext.
**
**     .load ./utf8ext
**     CREATE TABLE people(name TEXT CHECK (utf8_valid(name)));
**
** Checks the running SQLite's version, registers the functions and tables, and tests them
** with a statement: an SQLite whose table of functions for extensions differs from its header
** (as in 3.40.0) could make every answer wrong. The two functions at the end
** are the only symbols that this library exports.
*/
#include "utf8ext.h"
#include "sql/suspect.h"
#include "sql/vtab.h"

#if defined(_WIN32)
#define PUBLIC __declspec(dllexport)
#ifdef __clang__ /* utf8ext.h declares the entry point without it, for programs that link it in */
#pragma clang diagnostic ignored "-Wdll-attribute-on-redeclaration"
#endif
#elif defined(__GNUC__)
#define PUBLIC __attribute__((visibility("default")))
#else
#define PUBLIC
#endif

#ifndef SQLITE_CORE
SQLITE_EXTENSION_INIT1
#endif

/* SQLITE_INNOCUOUS and SQLITE_VTAB_INNOCUOUS came with 3.31. */
#define MIN_SQLITE      3031000
#define MIN_SQLITE_NAME "3.31.0"

static int checkVersion(char **message) {
  if (sqlite3_libversion_number() >= MIN_SQLITE) return SQLITE_OK;
  if (message) {
    *message =
        sqlite3_mprintf("utf8ext needs SQLite " MIN_SQLITE_NAME " or newer; this is %s",
                        sqlite3_libversion());
  }
  return SQLITE_ERROR;
}

static const struct Table {
  const char *name;
  const sqlite3_module *module;
} tables[] = {
    {"utf8_each", &utf8each_module},
    {"utf8_audit", &utf8audit_module},
    {"utf8_charsets", &utf8charsets_module},
};
enum { TABLES = sizeof tables / sizeof *tables };

static int registerAll(sqlite3 *db) {
  int rc = utf8func_register(db);
  if (rc == SQLITE_OK) rc = utf8func_add(db, utf8suspectfunc_list);
  for (int i = 0; rc == SQLITE_OK && i < TABLES; i++)
    rc = sqlite3_create_module_v2(db, tables[i].name, tables[i].module, NULL, NULL);
  return rc;
}

/* A failed load must not leave pointers into a library that SQLite is about to unload. While a
** statement runs, SQLite refuses to remove functions. For that case the Makefile links with
** -z nodelete, which keeps the library in memory. */
static void unregisterAll(sqlite3 *db) {
  utf8func_remove(db, utf8suspectfunc_list);
  utf8func_unregister(db);
  for (int i = 0; i < TABLES; i++)
    sqlite3_create_module_v2(db, tables[i].name, NULL, NULL, NULL);
}

/* D8D8 is ill-formed in UTF-8 and in both byte orders of UTF-16, 4141 well-formed in all
** three. The statement names no table, so that SQLite does not read the schema. */
static const char selfTestSql[] =
    "SELECT utf8_valid(valid) = 1 AND utf8_valid(invalid) = 0"
    " AND utf8_error(valid) IS NULL"
    " AND utf8_error(invalid) IN ('incomplete', 'surrogate')"
    " AND utf8_error_offset(invalid) = 0 AND utf8_repair(valid) = valid"
    " AND utf8_repair(invalid) IN (char(0xFFFD), char(0xFFFD, 0xFFFD))"
    " FROM (SELECT CAST(x'4141' AS TEXT) AS valid, CAST(x'D8D8' AS TEXT) AS invalid)";

/* Runs selfTestSql. Returns SQLITE_ERROR, and a message if message is not NULL, if an answer is
** wrong; SQLITE_NOMEM if memory ran out; else SQLITE_OK. A statement that cannot run proves
** nothing: an authorizer or a limit may forbid it. */
static int selfTest(sqlite3 *db, char **message) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, selfTestSql, -1, &stmt, NULL);
  int isWrong = rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW &&
                sqlite3_column_type(stmt, 0) == SQLITE_INTEGER &&
                sqlite3_column_int(stmt, 0) == 0;
  int final = sqlite3_finalize(stmt);
  if (rc == SQLITE_NOMEM || final == SQLITE_NOMEM) return SQLITE_NOMEM;
  if (!isWrong) return SQLITE_OK;
  if (message) {
    *message =
        sqlite3_mprintf("utf8ext: its functions give wrong answers with this SQLite "
                        "(%s), so they are not loaded; use another version of "
                        "SQLite",
                        sqlite3_libversion());
  }
  return SQLITE_ERROR;
}

static int registerTested(sqlite3 *db, char **message) {
  int rc = registerAll(db);
  if (rc != SQLITE_OK && message) *message = sqlite3_mprintf("%s", sqlite3_errmsg(db));
  if (rc == SQLITE_OK) rc = selfTest(db, message);
  if (rc != SQLITE_OK) unregisterAll(db);
  return rc;
}

/* Implements sqlite3_utf8ext_init(), which utf8ext.h describes. Each of the two entry points
** calls load(): if one called the other, a process that holds two builds of this library could
** run the other build's. */
static int load(sqlite3 *db, char **message, const struct sqlite3_api_routines *api) {
#ifdef SQLITE_CORE
  (void)api;
#else
  if (sqlite3_api != api)
    SQLITE_EXTENSION_INIT2(api); /* other threads may be reading */
#endif
  int rc = checkVersion(message);
  if (rc == SQLITE_OK) rc = utf8value_setup(db);
  if (rc == SQLITE_OK) rc = registerTested(db, message);
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
