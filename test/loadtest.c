/* loadtest.c: checks which versions of SQLite load utf8ext, and how it rejects the others.
**
**     build/loadtest ./utf8ext.so
**
** An extension calls SQLite through a table of functions. This program calls the entry points
** with tables of versions that are not installed: one that is too old, one with the bug of
** 3.40.0, and some with a function that returns a wrong result.
*/
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "core/utf8core.h"
#include "arrow/utf8arrow.h"
#include "test/sqliteapi.h"

static int passed, failed;

static void check(int ok, const char *what) {
  if (ok) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s\n", what);
  }
}

/* ---- an SQLite that is too old ------------------------------------------------------ */

static const char *version;
static int version_number;
static const char *versionText(void) {
  return version;
}
static int versionNumber(void) {
  return version_number;
}

/* Returns a table with only the functions for the version and the message. The others are
** NULL, so a call of them crashes. */
static sqlite3_api_routines oldApi(const char *text, int number) {
  sqlite3_api_routines api;
  memset(&api, 0, sizeof api);
  version = text;
  version_number = number;
  api.libversion = versionText;
  api.libversion_number = versionNumber;
  api.mprintf = sqlite3_mprintf;
  api.vmprintf = sqlite3_vmprintf;
  api.free = sqlite3_free;
  return api;
}

static void checkTooOld(Init *init, const char *text, int number) {
  sqlite3_api_routines api = oldApi(text, number);
  char *message = NULL;
  int rc = init(NULL, &message, &api);
  check(rc == SQLITE_ERROR, "loading fails with SQLITE_ERROR");
  check(message != NULL, "there is a message");
  check(message && strstr(message, "utf8ext"), "the message names utf8ext");
  check(message && strstr(message, "3.31.0"), "the message names the version needed");
  check(message && strstr(message, text), "the message names the version found");
  printf("%s: %s\n", text, message ? message : "(no message)");
  sqlite3_free(message);
  check(init(NULL, NULL, &api) == SQLITE_ERROR, "the message pointer may be NULL");
}

/* ---- an SQLite with a wrong function ---------------------------------------------------- */

/* Returns the first result of the statement as a number, or -1 if it does not run. */
static int numberFrom(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  int number = -1;
  sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (stmt && sqlite3_step(stmt) == SQLITE_ROW) number = sqlite3_column_int(stmt, 0);
  sqlite3_finalize(stmt);
  return number;
}

static const char validOfIllFormed[] = "SELECT utf8_valid(CAST(x'ff' AS TEXT))";

/* In the table of SQLite 3.40.0, value_encoding points to value_type(). */
static void checkTypeForEncoding(Init *init, const char *set_encoding) {
  sqlite3_api_routines api = table.api;
  api.value_encoding = table.api.value_type;
  sqlite3 *db = NULL;
  sqlite3_open(":memory:", &db);
  numberFrom(db, set_encoding);
  check(init(db, NULL, &api) == SQLITE_OK, "3.40.0: it loads");
  check(numberFrom(db, "SELECT utf8_valid(CAST(x'd8d8' AS TEXT))") == 0,
        "3.40.0: ill-formed TEXT is found");
  check(numberFrom(db, "SELECT utf8_valid('a')") == 1, "3.40.0: 'a' is valid");
  check(numberFrom(db, "SELECT max(error IN ('incomplete', 'surrogate'))"
                       " FROM utf8_each(CAST(x'd8d8' AS TEXT))") == 1,
        "3.40.0: utf8_each finds it");
  sqlite3_close(db);
}

static int noBytes(sqlite3_value *x) {
  (void)x;
  return 0;
}
static const unsigned char *otherText(sqlite3_value *x) {
  (void)x;
  return (const unsigned char *)"other";
}
static void resultZero(sqlite3_context *ctx, int n) {
  (void)n;
  table.api.result_int(ctx, 0);
}

static void checkRefused(Init *init, sqlite3_api_routines api, const char *what) {
  sqlite3 *db = NULL;
  char *message = NULL;
  sqlite3_open(":memory:", &db);
  int rc = init(db, &message, &api);
  check(rc == SQLITE_ERROR, what);
  check(message && strstr(message, "utf8ext") && strstr(message, sqlite3_libversion()),
        "the message names utf8ext and the version");
  printf("%s: %s\n", what, message ? message : "(no message)");
  sqlite3_free(message);
  check(numberFrom(db, validOfIllFormed) == -1, "no function stays registered");
  check(numberFrom(db, "SELECT count(*) FROM utf8_each('a')") == -1,
        "no table stays registered");
  check(init(db, NULL, &api) == SQLITE_ERROR, "the message pointer may be NULL");
  check(init(db, NULL, &table.api) == SQLITE_OK, "it loads with the real functions");
  check(numberFrom(db, validOfIllFormed) == 0, "it works after that");
  sqlite3_close(db);
}

static void checkWrongFunctions(Init *init) {
  sqlite3_api_routines api = table.api;
  api.value_bytes = noBytes;
  checkRefused(init, api, "value_bytes() returns 0");
  api = table.api;
  api.value_text = otherText;
  checkRefused(init, api, "value_text() returns another text");
  api = table.api;
  api.result_int = resultZero;
  checkRefused(init, api, "result_int() returns 0");
}

/* ---- effects of loading on the connection ---------------------------------------------- */

typedef int Authorizer(void *, int, const char *, const char *, const char *,
                       const char *);

static int reads; /* of tables and PRAGMAs, counted by the authorizer */

static int countReads(void *unused, int action, const char *a, const char *b,
                      const char *c, const char *d) {
  (void)unused, (void)a, (void)b, (void)c, (void)d;
  reads += action == SQLITE_READ || action == SQLITE_PRAGMA;
  return SQLITE_OK;
}

static int forbidSelect(void *unused, int action, const char *a, const char *b,
                        const char *c, const char *d) {
  (void)unused, (void)a, (void)b, (void)c, (void)d;
  return action == SQLITE_SELECT ? SQLITE_DENY : SQLITE_OK;
}

/* Loads utf8ext for a file that is not a database. Loading would fail if it read the schema. */
static void checkReadsNothing(Init *init, const char *path) {
  FILE *file = fopen(path, "w");
  for (int i = 0; file && i < 1000; i++) fputs("This is not a database. ", file);
  if (file) fclose(file);
  sqlite3 *db = NULL;
  sqlite3_open(path, &db);
  sqlite3_set_authorizer(db, countReads, NULL);
  check(init(db, NULL, &table.api) == SQLITE_OK, "it loads without reading the file");
  check(reads == 0, "it reads no table and no PRAGMA");
  sqlite3_set_authorizer(db, NULL, NULL);
  check(numberFrom(db, "SELECT count(*) FROM sqlite_master") == -1,
        "the file is not a database");
  sqlite3_close(db);
  remove(path);
}

/* SQLite takes NULL for the functions. */
static int ignoreFunctions(void *unused, int action, const char *a, const char *b,
                           const char *c, const char *d) {
  (void)unused, (void)a, (void)b, (void)c, (void)d;
  return action == SQLITE_FUNCTION ? SQLITE_IGNORE : SQLITE_OK;
}

/* ---- once for each SQLite --------------------------------------------------------------- */

static int prepared; /* statements, counted by countPrepare() */

static int countPrepare(sqlite3 *db, const char *sql, int size, sqlite3_stmt **stmt,
                        const char **tail) {
  prepared++;
  return table.api.prepare_v2(db, sql, size, stmt, tail);
}

static int neverSleep(int ms) {
  return ms;
}

/* Loads into a new connection with the authorizer, and returns how many statements that takes. */
static int statementsOfLoad(Init *init, const sqlite3_api_routines *api,
                            Authorizer *authorizer) {
  sqlite3 *db = NULL;
  sqlite3_open(":memory:", &db);
  sqlite3_set_authorizer(db, authorizer, NULL);
  prepared = 0;
  check(init(db, NULL, api) == SQLITE_OK, "it loads");
  const int count = prepared;
  sqlite3_set_authorizer(db, NULL, NULL);
  check(numberFrom(db, validOfIllFormed) == 0, "it works");
  sqlite3_close(db);
  return count;
}

static void checkTestedOnce(Init *init) {
  sqlite3_api_routines api = table.api;
  api.prepare_v2 = countPrepare;
  check(statementsOfLoad(init, &api, NULL) > 0, "the first load tests SQLite");
  check(statementsOfLoad(init, &api, NULL) == 0, "the second runs no statement");
  api.sleep = neverSleep; /* which utf8ext does not call */
  check(statementsOfLoad(init, &api, NULL) > 0,
        "another SQLite at the same address is tested");
  api.value_encoding = NULL;
  version_number = 3039000;
  api.libversion_number = versionNumber;
  check(statementsOfLoad(init, &api, NULL) > 0, "and one of another version");
  api = table.api;
  api.prepare_v2 = countPrepare;
  check(statementsOfLoad(init, &api, forbidSelect) > 0, "a test that is forbidden");
  check(statementsOfLoad(init, &api, ignoreFunctions) > 0, "or without functions");
  check(statementsOfLoad(init, &api, NULL) > 0, "proves nothing");
  check(statementsOfLoad(init, &api, forbidSelect) == 0, "the next one does");
}

/* ---- conversion without SQL ------------------------------------------------------------ */

/* As in utf8ext.c. */
typedef struct Calls {
  size_t conversion_size;
  Utf8Charset (*find_charset)(const char *name, size_t size);
  size_t (*decode)(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                   size_t room);
} Calls;

static void checkCalls(void *library) {
  const Calls *(*function)(void);
  uint8_t out[64];
  *(void **)&function = dlsym(library, "utf8ext_calls");
  check(function != NULL, "utf8ext_calls is exported");
  if (!function) return;
  const Calls *calls = function();
  check(calls->conversion_size == sizeof(Utf8Conversion), "the conversion's size");
  Utf8Conversion c = {.charset = calls->find_charset("latin1", 6)};
  const size_t size = calls->decode(&c, (const uint8_t *)"caf\xe9", 4, out, sizeof out);
  check(size == 5 && memcmp(out, "caf\xc3\xa9", 5) == 0,
        "a program decodes without SQL");
}

/* Of what it returns, the size of an error comes first. */
static void checkArrow(void *library) {
  const size_t *(*function)(void);
  *(void **)&function = dlsym(library, "utf8ext_arrow");
  check(function != NULL, "utf8ext_arrow is exported");
  if (function) check(*function() == sizeof(Utf8ArrowError), "the error's size");
}

int main(int argc, char **argv) {
  void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
  if (!library) {
    fprintf(stderr, "loadtest: %s\n", argc == 2 ? dlerror() : "which extension?");
    return 1;
  }
  makeTable();
  static const char *const names[] = {"sqlite3_extension_init", "sqlite3_utfext_init"};
  for (int i = 0; i < 2; i++) {
    Init *init;
    *(void **)&init = dlsym(library, names[i]);
    check(init != NULL, names[i]);
    if (!init) continue;
    checkTooOld(init, "3.8.0", 3008000);
    checkTooOld(init, "3.30.1", 3030001);
    checkTypeForEncoding(init, "PRAGMA encoding = 'UTF-8'");
    checkTypeForEncoding(init, "PRAGMA encoding = 'UTF-16le'");
    checkTypeForEncoding(init, "PRAGMA encoding = 'UTF-16be'");
    checkWrongFunctions(init);
    checkReadsNothing(init, "build/loadtest.db");
    checkTestedOnce(init);
  }
  checkCalls(library);
  checkArrow(library);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
