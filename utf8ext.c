/* utf8ext.c: the entry point of the SQLite extension utf8ext.
**
**     .load ./utf8ext
**     CREATE TABLE people(name TEXT CHECK (utf8_valid(name)));
**
** Checks the running SQLite's version, registers the functions and tables, and tests them
** with a statement: an SQLite whose table of functions for extensions differs from its header
** (as in 3.40.0) could make every answer wrong. The functions at the end are
** the only symbols that this library exports.
*/
#include "utf8ext.h"
#include "arrow/capsule.h"
#include "audit/audit.h"
#include "core/omit.h"
#include "sql/functions.h"
#include <string.h>

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

/* ---- what SQL sees ------------------------------------------------------------------ */

#ifndef SQLITE_RESULT_SUBTYPE /* since 3.45; older versions ignore the bit */
#define SQLITE_RESULT_SUBTYPE 0x001000000
#endif

/* GUESS is for functions whose answers a minor version may improve. SQLite refuses them in indexes and
** generated columns, as it does any function that is not deterministic. The number of arguments
** decides: with an argument that may make it exact, a function is PURE. */
#define VARYING SQLITE_INNOCUOUS
#define GUESS   SQLITE_INNOCUOUS
#define PURE    (SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS)
/* SAME_X and GUESS_X may return X, without its subtype. */
#define SAME_X  (PURE | SQLITE_RESULT_SUBTYPE)
#define GUESS_X (GUESS | SQLITE_RESULT_SUBTYPE)

/* A function, a table or a collation of SQL. */
typedef struct Entry {
  const char *name;
  int arguments;
  int flags;
  Utf8Function *call; /* of a scalar function; of an aggregate, the step */
  void (*final)(sqlite3_context *ctx);                          /* of an aggregate */
  const Utf8Module *module;                                     /* of a table */
  int (*compare)(void *, int, const void *, int, const void *); /* of a collation */
} Entry;

#define SCALAR(name, arguments, flags, call)                                           \
  { name, arguments, flags, call, NULL, NULL, NULL }
#define AGGREGATE(name, arguments, flags, step, final)                                 \
  { name, arguments, flags, step, final, NULL, NULL }
#define TABLE(name, module)                                                            \
  { name, 0, 0, NULL, NULL, module, NULL }
#define COLLATION(name, compare)                                                       \
  { name, 0, 0, NULL, NULL, NULL, compare }

/* In the order of docs/functions.md, which a test compares. */
static const Entry entries[] = {
    SCALAR("utf8_valid", 1, PURE, utf8sql_valid),
    SCALAR("utf8_valid", 2, PURE, utf8sql_valid),
    SCALAR("utf8_error", 1, PURE, utf8sql_error),
    SCALAR("utf8_error", 2, PURE, utf8sql_error),
    SCALAR("utf8_error_offset", 1, PURE, utf8sql_error_offset),
    SCALAR("utf8_error_offset", 2, PURE, utf8sql_error_offset),
    SCALAR("utf8_validate", 1, SAME_X, utf8sql_validate),
    SCALAR("utf8_validate", 2, SAME_X, utf8sql_validate),
    SCALAR("utf8_codepoints", 1, PURE, utf8sql_codepoints),
    SCALAR("utf8_repair", 1, SAME_X, utf8sql_repair),
    SCALAR("utf8_repair", 2, SAME_X, utf8sql_repair),
    SCALAR("utf8_repair", 3, SAME_X, utf8sql_repair),
    SCALAR("utf8_strip_bom", 1, SAME_X, utf8sql_strip_bom),
    SCALAR("utf8_truncate", 2, SAME_X, utf8sql_truncate),
    TABLE("utf8_each", &utf8sql_each),
    TABLE("utf8_audit", &utf8audit_module),
    TABLE("utf8_names", &utf8sql_names),
    TABLE("utf8_charsets", &utf8sql_charsets),
    SCALAR("utf8_charset_name", 1, PURE, utf8sql_charset_name),
    SCALAR("utf8_from", 2, PURE, utf8sql_from),
    SCALAR("utf8_to", 2, PURE, utf8sql_to),
    SCALAR("utf8_to", 3, PURE, utf8sql_to),
    SCALAR("utf8_to", 4, PURE, utf8sql_to),
#ifndef UTF8EXT_OMIT_DETECT
    SCALAR("utf8_detect", 1, GUESS, utf8sql_detect),
    AGGREGATE("utf8_detect_column", 1, PURE, utf8sql_detect_column,
              utf8sql_detect_column_final),
    SCALAR("utf8_detect_score", 2, GUESS, utf8sql_detect_score),
    SCALAR("utf8_cause", 1, GUESS, utf8sql_cause),
    TABLE("utf8_readings", &utf8sql_readings),
#endif
#ifndef UTF8EXT_OMIT_MOJIBAKE
    SCALAR("utf8_mojibake", 1, GUESS, utf8sql_mojibake),
    SCALAR("utf8_demojibake", 1, GUESS_X, utf8sql_demojibake),
    SCALAR("utf8_demojibake", 2, SAME_X, utf8sql_demojibake),
#endif
    SCALAR("utf8_suspect", 1, PURE, utf8sql_suspect),
    SCALAR("utf8_suspect_offset", 1, PURE, utf8sql_suspect_offset),
    SCALAR("utf8_strip", 2, SAME_X, utf8sql_strip),
#ifndef UTF8EXT_OMIT_FORM
    SCALAR("utf8_normalize", 1, SAME_X, utf8sql_normalize),
    SCALAR("utf8_normalize", 2, SAME_X, utf8sql_normalize),
    SCALAR("utf8_normalized", 1, PURE, utf8sql_normalized),
    SCALAR("utf8_normalized", 2, PURE, utf8sql_normalized),
    SCALAR("utf8_casefold", 1, SAME_X, utf8sql_casefold),
    SCALAR("utf8_unaccent", 1, SAME_X, utf8sql_unaccent),
    COLLATION("utf8_nocase", utf8sql_nocase),
    COLLATION("utf8_noaccent", utf8sql_noaccent),
    SCALAR("utf8_unescape", 2, SAME_X, utf8sql_unescape),
    SCALAR("utf8_clean", 1, GUESS_X, utf8sql_clean),
    SCALAR("utf8_clean", 2, SAME_X, utf8sql_clean),
    SCALAR("utf8_unicode_version", 0, PURE, utf8sql_unicode_version),
#endif
    SCALAR("utf8_version", 0, PURE, utf8sql_version),
    SCALAR("utf8_debug", 0, VARYING, utf8sql_debug),
};
enum {
  ENTRIES = sizeof entries / sizeof *entries,
  VERSION_ROW = ENTRIES - 2 /* utf8_version */
};

/* ---- registration ------------------------------------------------------------------- */

/* Does db have functions of this version? */
static int hasThisVersion(sqlite3 *db) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_prepare_v2(db, "SELECT utf8_version() = '" UTF8EXT_VERSION "'", -1, &stmt,
                     NULL);
  int has = stmt && sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int(stmt, 0);
  sqlite3_finalize(stmt);
  return has;
}

/* Loading again replaces a function or a collation, except while a statement runs, such as SELECT
** load_extension(): SQLite refuses then, and that of this version stays. */
static int resultOf(sqlite3 *db, int rc) {
  return rc == SQLITE_BUSY && hasThisVersion(db) ? SQLITE_OK : rc;
}

/* Registers what SQLite calls for the entry, a function, where TEXT has the encoding. */
static int registerFunction(sqlite3 *db, const Entry *e, Utf8Encoding encoding) {
  int rc = sqlite3_create_function_v2(
      db, e->name, e->arguments, (int)encoding | e->flags,
      utf8value_user_data(encoding), e->final ? NULL : e->call,
      e->final ? e->call : NULL, e->final, NULL);
  return resultOf(db, rc);
}

static int registerCollation(sqlite3 *db, const Entry *e) {
  return resultOf(db, sqlite3_create_collation_v2(db, e->name, SQLITE_UTF8, NULL,
                                                  e->compare, NULL));
}

/* Where values do not report their encoding, registers functions once more for UTF-16. */
static int registerEntry(sqlite3 *db, const Entry *e) {
  if (e->module)
    return sqlite3_create_module_v2(db, e->name, &e->module->module, (void *)e->module,
                                    NULL);
  if (e->compare) return registerCollation(db, e);
  int rc = registerFunction(db, e, UTF8_ENCODING_UTF8);
  if (rc != SQLITE_OK || utf8value_has_encoding()) return rc;
  return registerFunction(db, e, UTF8_ENCODING_UTF16);
}

/* Starts with utf8_version: after a load that failed halfway and whose functions remain,
** hasThisVersion() needs it. */
static int registerAll(sqlite3 *db) {
  int rc = registerEntry(db, &entries[VERSION_ROW]);
  for (int i = 0; rc == SQLITE_OK && i < ENTRIES; i++)
    if (i != VERSION_ROW) rc = registerEntry(db, &entries[i]);
  return rc;
}

static void removeFunction(sqlite3 *db, const Entry *e, Utf8Encoding encoding) {
  sqlite3_create_function_v2(db, e->name, e->arguments, (int)encoding, NULL, NULL, NULL,
                             NULL, NULL);
}

/* A failed load must not leave pointers into a library that SQLite is about to unload. While a
** statement runs, SQLite refuses to remove functions and collations. For that case the Makefile links with
** -z nodelete, which keeps the library in memory. */
static void unregisterAll(sqlite3 *db) {
  for (const Entry *e = entries; e < entries + ENTRIES; e++) {
    if (e->module) {
      sqlite3_create_module_v2(db, e->name, NULL, NULL, NULL);
    } else if (e->compare) {
      sqlite3_create_collation_v2(db, e->name, SQLITE_UTF8, NULL, NULL, NULL);
    } else {
      removeFunction(db, e, UTF8_ENCODING_UTF8);
      if (!utf8value_has_encoding()) removeFunction(db, e, UTF8_ENCODING_UTF16);
    }
  }
}

/* ---- the self-test ------------------------------------------------------------------- */

/* D8D8 is ill-formed in UTF-8 and in both byte orders of UTF-16, 4141 well-formed in all
** three. The statement names no table, so that SQLite does not read the schema. */
static const char selfTestSql[] =
    "SELECT utf8_valid(valid) = 1 AND utf8_valid(invalid) = 0"
    " AND utf8_error(valid) IS NULL"
    " AND utf8_error(invalid) IN ('incomplete', 'surrogate')"
    " AND utf8_error_offset(invalid) = 0 AND utf8_repair(valid) = valid"
    " AND utf8_repair(invalid) IN (char(0xFFFD), char(0xFFFD, 0xFFFD))"
    " FROM (SELECT CAST(x'4141' AS TEXT) AS valid, CAST(x'D8D8' AS TEXT) AS invalid)";

/* Sets the message, unless message is NULL, and returns SQLITE_ERROR. */
static int wrongAnswers(char **message) {
  if (message) {
    *message =
        sqlite3_mprintf("utf8ext: its functions give wrong answers with this SQLite "
                        "(%s), so they are not loaded; use another version of "
                        "SQLite",
                        sqlite3_libversion());
  }
  return SQLITE_ERROR;
}

/* Runs selfTestSql. Stores in *passed whether all answers are right. Returns SQLITE_ERROR, and a message if
** message is not NULL, if one is wrong; SQLITE_NOMEM if memory ran out; else SQLITE_OK: a statement that
** cannot run proves nothing, as an authorizer or a limit may forbid it. */
static int selfTest(sqlite3 *db, int *passed, char **message) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, selfTestSql, -1, &stmt, NULL);
  const int has_answer = rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW &&
                         sqlite3_column_type(stmt, 0) == SQLITE_INTEGER;
  *passed = has_answer && sqlite3_column_int(stmt, 0);
  int final = sqlite3_finalize(stmt);
  if (rc == SQLITE_NOMEM || final == SQLITE_NOMEM) return SQLITE_NOMEM;
  return has_answer && !*passed ? wrongAnswers(message) : SQLITE_OK;
}

/* ---- once for each SQLite -------------------------------------------------------------- */

/* utf8value_setup() and the self-test take two thirds of a load, and prove something about the running
** SQLite, not about a connection. A process repeats them only for another SQLite: a program can have two,
** or unload one and load another at the same address. The same SQLite has the same functions at the same
** addresses, and nothing in it can change. UTF-16 is tested only if the first connection that loads
** utf8ext has chosen it before. */
#ifdef SQLITE_CORE

static atomic_int tested;
static int wasTested(void) {
  return atomic_load(&tested);
}
static void keepTested(void) {
  atomic_store(&tested, 1);
}

#else

/* Of SQLite's table of functions, what every version that utf8ext loads into has. */
#define MIN_TABLE_SIZE                                                                 \
  (offsetof(sqlite3_api_routines, filename_wal) + sizeof(void (*)(void)))

/* The functions of the SQLite that was tested last; before that, zeros. */
static struct {
  unsigned char table[MIN_TABLE_SIZE];
  void (*value_encoding)(void);
} tested;

/* Guards `tested`, and the first store to sqlite3_api: threads may load at once, into connections of
** their own. No thread keeps it for longer than it takes to copy the table. */
static atomic_flag lock = ATOMIC_FLAG_INIT;

static void enter(void) {
  while (atomic_flag_test_and_set(&lock)) { /* unreachable: beside another thread */
  }
}
static void leave(void) {
  atomic_flag_clear(&lock);
}

/* Returns SQLite's value_encoding(), which setup tests, or NULL if this version or the header lacks it. */
static void (*valueEncoding(void))(void) {
#if SQLITE_VERSION_NUMBER >= 3040000
  if (sqlite3_libversion_number() >= 3040000)
    return (void (*)(void))sqlite3_api->value_encoding;
#endif
  return NULL;
}

static int wasTested(void) {
  enter();
  const int was = memcmp(tested.table, sqlite3_api, MIN_TABLE_SIZE) == 0 &&
                  tested.value_encoding == valueEncoding();
  leave();
  return was;
}

static void keepTested(void) {
  enter();
  memcpy(tested.table, sqlite3_api, MIN_TABLE_SIZE);
  tested.value_encoding = valueEncoding();
  leave();
}

/* Stores SQLite's table of functions. Another table is that of another SQLite. */
static void keepApi(const struct sqlite3_api_routines *api) {
  enter();
  if (sqlite3_api != api) SQLITE_EXTENSION_INIT2(api);
  leave();
}
#endif

/* `passed`: the running SQLite was tested before. */
static int registerAndTest(sqlite3 *db, int passed, char **message) {
  int rc = registerAll(db);
  if (rc != SQLITE_OK && message) {
    *message = sqlite3_mprintf("%s", rc == SQLITE_BUSY
                                         ? "utf8ext: another version is loaded; SQLite "
                                           "replaces it only while no statement runs"
                                         : sqlite3_errmsg(db));
  }
  if (rc == SQLITE_OK && !passed) {
    rc = selfTest(db, &passed, message);
    if (passed) keepTested();
  }
  if (rc != SQLITE_OK) unregisterAll(db);
  return rc;
}

/* ---- the entry points ---------------------------------------------------------------- */

/* Implements sqlite3_utf8ext_init(), which utf8ext.h describes. Each of the two entry points
** calls load(): if one called the other, a process that holds two builds of this library could
** run the other build's. */
static int load(sqlite3 *db, char **message, const struct sqlite3_api_routines *api) {
#ifdef SQLITE_CORE
  (void)api;
#else
  keepApi(api);
#endif
  int rc = checkVersion(message);
  const int passed = rc == SQLITE_OK && wasTested();
  if (rc == SQLITE_OK && !passed) rc = utf8value_setup(db);
  if (rc == SQLITE_OK) rc = registerAndTest(db, passed, message);
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

/* ---- conversion without SQL ------------------------------------------------------------- */

/* What a program that has loaded this library may call for files that are in no database. SQL has no
** functions with a state, which text in pieces needs. A table of functions, since functions that
** are exported could be replaced by those of another library in the process. */
typedef struct Utf8Calls {
  size_t conversion_size; /* of Utf8Conversion: the caller compares it with its own */
  Utf8Charset (*find_charset)(const char *name, size_t size);
  size_t (*decode)(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                   size_t room);
  size_t (*encode)(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                   size_t room);
} Utf8Calls;

/* For the Python package (python/src/utf8ext/_stream.py). */
PUBLIC const Utf8Calls *utf8ext_calls(void);
PUBLIC const Utf8Calls *utf8ext_calls(void) {
  static const Utf8Calls calls = {sizeof(Utf8Conversion), utf8core_find_charset,
                                  utf8core_decode, utf8core_encode};
  return &calls;
}

/* ---- columns in Arrow ------------------------------------------------------------------- */

#if UTF8_HAS_ARROW
/* The functions of arrow/utf8arrow.h and arrow/capsule.h, as a table for the same reason. */
typedef struct Utf8ArrowCalls {
  size_t error_size; /* of Utf8ArrowError: the caller compares it with its own */
  int (*open)(Utf8Arrow **opened, const char *function,
              const Utf8ArrowArgument *arguments, size_t count, Utf8ArrowError *error);
  void (*close)(Utf8Arrow *opened);
  int (*begin)(Utf8Arrow *opened, const struct ArrowSchema *schema, int is_large,
               struct ArrowSchema *result, Utf8ArrowError *error);
  int (*learn)(Utf8Arrow *opened, const struct ArrowArray *chunks, size_t count,
               Utf8ArrowError *error);
  int (*apply)(Utf8Arrow *opened, struct ArrowArray *chunk, struct ArrowArray *result,
               Utf8ArrowError *error);
  const char *(*detected)(const Utf8Arrow *opened);
  int (*audit)(Utf8Arrow *opened, const struct ArrowArray *chunk,
               Utf8ArrowError *error);
  const Utf8ArrowFound *(*found)(const Utf8Arrow *opened, size_t number);
  int (*column)(Utf8ArrowColumn **column, struct ArrowSchema *schema,
                struct ArrowArray *chunks, size_t count, Utf8ArrowError *error);
  void (*release_column)(Utf8ArrowColumn *column);
  void (*use_capsules)(Utf8ArrowGetPointer *get_pointer);
  struct ArrowSchema *(*new_schema)(const Utf8ArrowColumn *column);
  struct ArrowArray *(*new_chunk)(Utf8ArrowColumn *column, size_t number);
  struct ArrowArrayStream *(*new_stream)(Utf8ArrowColumn *column);
  void (*free_schema)(void *capsule);
  void (*free_chunk)(void *capsule);
  void (*free_stream)(void *capsule);
} Utf8ArrowCalls;

/* For the Python package (python/src/utf8ext/arrow/_library.py). */
PUBLIC const Utf8ArrowCalls *utf8ext_arrow(void);
PUBLIC const Utf8ArrowCalls *utf8ext_arrow(void) {
  static const Utf8ArrowCalls calls = {
      sizeof(Utf8ArrowError), utf8arrow_open,           utf8arrow_close,
      utf8arrow_begin,        utf8arrow_learn,          utf8arrow_apply,
      utf8arrow_detected,     utf8arrow_audit,          utf8arrow_found,
      utf8arrow_column,       utf8arrow_release_column, utf8arrow_use_capsules,
      utf8arrow_new_schema,   utf8arrow_new_chunk,      utf8arrow_new_stream,
      utf8arrow_free_schema,  utf8arrow_free_chunk,     utf8arrow_free_stream};
  return &calls;
}
#endif
#endif
