/* sql/check.c: the scalar functions.
**
**     SELECT utf8_valid(x'c080'), utf8_error(x'c080'), hex(utf8_repair(x'e28241'));
**     -- 0|overlong|EFBFBD41
**
** Each function checks its options first, whatever X is. Then it opens X, calls the core,
** and returns the result. The table at the end lists what SQL sees.
*/
#include "sql/functions.h"
#include "sql/detect.h"
#include "utf8ext.h"
#include "core/fast.h"
#include "sql/option.h"
#include <string.h>

/* ---- arguments ---------------------------------------------------------------------- */

void utf8func_result_interrupted(sqlite3_context *ctx) {
  sqlite3_result_error_code(ctx, SQLITE_INTERRUPT);
}

int utf8func_find_error(sqlite3_context *ctx, const Utf8Value *value, unsigned dialect,
                        size_t *at) {
  *at = 0;
  if (value->size <= UTF8_CHUNK) { /* usually; saves a call into SQLite */
    const size_t size = value->size;
    *at = utf8core_find_error(value->bytes, size, 0, size, dialect).offset;
    return 1;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  if (utf8value_find_error(db, value, at, value->size, dialect) == SQLITE_OK) return 1;
  utf8func_result_interrupted(ctx);
  return 0;
}

/* ---- utf8_valid, utf8_error, utf8_error_offset ------------------------------------- */

/* A search for the first error in X under a dialect. */
typedef struct Search {
  Utf8Value value; /* to be closed */
  unsigned dialect;
  size_t at; /* offset of the first error, or the value's size */
} Search;

/* Opens X if it is TEXT in UTF-8 and not long. Needs no check of X, nor a close. */
static inline int openPlainText(Utf8Value *value, sqlite3_value *x) {
  if (sqlite3_value_type(x) != SQLITE_TEXT) return 0;
  if (utf8value_encoding(x, UTF8_ENCODING_UTF16) != UTF8_ENCODING_UTF8) return 0;
  *value = (Utf8Value){.bytes = sqlite3_value_text(x), .type = SQLITE_TEXT};
  value->size = (size_t)sqlite3_value_bytes(x);
  return value->bytes && value->size <= UTF8_CHUNK;
}

/* Slow path of searchBegin(). */
static int searchAny(sqlite3_context *ctx, const char *function, int argc,
                     sqlite3_value **argv, Search *search) {
  search->dialect = UTF8_STRICT;
  if (argc > 1 && !utf8option_dialect(ctx, function, argv, 1, &search->dialect))
    return 0;
  if (!utf8value_open_argument(ctx, &search->value, argv[0])) return 0;
  search->dialect = utf8value_dialect(&search->value, search->dialect);
  if (utf8func_find_error(ctx, &search->value, search->dialect, &search->at)) return 1;
  utf8value_close(&search->value);
  return 0;
}

/* Returns 0 if the result is set already; there is nothing to close then. Nearly every value
** is well-formed TEXT in UTF-8: its row costs four calls into SQLite and one of the kernel. */
ALWAYS_INLINE int searchBegin(sqlite3_context *ctx, const char *function, int argc,
                              sqlite3_value **argv, Search *search) {
  if (argc > 1 || !openPlainText(&search->value, argv[0]))
    return searchAny(ctx, function, argc, argv, search);
  const uint8_t *text = search->value.bytes;
  const size_t size = search->value.size;
  search->dialect = UTF8_STRICT;
  search->at = utf8fast_valid(text, size);
  if (search->at < size)
    search->at = utf8core_find_error(text, size, search->at, size, UTF8_STRICT).offset;
  return 1;
}

static void validFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Search search;
  if (!searchBegin(ctx, "utf8_valid", argc, argv, &search)) return;
  sqlite3_result_int(ctx, search.at == search.value.size);
  utf8value_close(&search.value);
}

static void errorFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Search search;
  if (!searchBegin(ctx, "utf8_error", argc, argv, &search)) return;
  const Utf8Value *value = &search.value;
  if (search.at < value->size) {
    Utf8Step s = utf8core_step(value->bytes, value->size, search.at, search.dialect);
    sqlite3_result_text(ctx, utf8core_error_name(s.error), -1, SQLITE_STATIC);
  }
  utf8value_close(&search.value);
}

static void errorOffsetFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Search search;
  if (!searchBegin(ctx, "utf8_error_offset", argc, argv, &search)) return;
  if (search.at < search.value.size)
    sqlite3_result_int64(ctx, (sqlite3_int64)search.at);
  utf8value_close(&search.value);
}

/* ---- utf8_codepoints --------------------------------------------------------------- */

/* Returns 0 after an interrupt. */
static int countCodepoints(sqlite3_context *ctx, const Utf8Value *value,
                           uint64_t *total) {
  unsigned dialect = utf8value_dialect(value, UTF8_STRICT);
  size_t at = 0;
  *total = 0;
  while (at < value->size) {
    size_t until = value->size - at < UTF8_CHUNK ? value->size : at + UTF8_CHUNK;
    *total += utf8core_count(value->bytes, value->size, &at, until, dialect);
    if (at < value->size && utf8value_interrupted(sqlite3_context_db_handle(ctx))) {
      utf8func_result_interrupted(ctx);
      return 0;
    }
  }
  return 1;
}

static void codepointsFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  uint64_t total;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  if (countCodepoints(ctx, &value, &total))
    sqlite3_result_int64(ctx, (sqlite3_int64)total);
  utf8value_close(&value);
}

/* ---- utf8_repair ------------------------------------------------------------------- */

/* Copies the value up to its first error, at `at`, and repairs the remainder. Returns an SQLite
** code; out->bytes must be freed in every case. */
static int repairFrom(sqlite3 *db, const Utf8Repair *how, const Utf8Value *value,
                      size_t at, Utf8Output *out) {
  const size_t needed = UTF8_REPAIR_ROOM(how);
  out->limit = utf8value_longest(db, value->from_utf16);
  int rc = utf8value_grow(out, (uint64_t)value->size + value->size / 16 + needed);
  if (rc != SQLITE_OK) return rc;
  memcpy(out->bytes, value->bytes, at);
  out->used = at;
  while (at < value->size) {
    rc = utf8value_grow(out, needed);
    if (rc != SQLITE_OK) return rc;
    size_t room = out->room - out->used;
    if (room > UTF8_CHUNK + needed) room = UTF8_CHUNK + needed;
    out->used += utf8core_repair(how, value->bytes, value->size, &at,
                                 out->bytes + out->used, room);
    if (at < value->size && utf8value_interrupted(db)) return SQLITE_INTERRUPT;
  }
  return SQLITE_OK;
}

/* Repairs the open value of x and returns the result. */
static void repairOpened(sqlite3_context *ctx, Utf8Repair *how, const Utf8Value *value,
                         sqlite3_value *x) {
  how->dialect = utf8value_dialect(value, UTF8_STRICT);
  size_t at;
  if (!utf8func_find_error(ctx, value, how->dialect, &at)) return;
  if (at == value->size) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  Utf8Output out = {NULL, 0, 0, 0};
  int rc = repairFrom(sqlite3_context_db_handle(ctx), how, value, at, &out);
  if (rc != SQLITE_OK) {
    sqlite3_free(out.bytes);
    sqlite3_result_error_code(ctx, rc);
  } else if (value->type == SQLITE_BLOB) {
    utf8value_result_blob(ctx, out.bytes, out.used);
  } else {
    utf8value_result_text(ctx, out.bytes, out.used, value->from_utf16);
  }
}

#define REPLACEMENT_POLICIES "subpart, byte, run, cesu-8, trim"

/* Opens argv[2] as the replacement. Returns 0 after an error. */
static int replacementArgument(sqlite3_context *ctx, sqlite3_value **argv,
                               Utf8Repair *how, Utf8Value *replacement) {
  if (how->policy > UTF8_POLICY_TRIM) {
    utf8option_error(ctx, "utf8_repair", 2, "policy",
                     "with a replacement, only " REPLACEMENT_POLICIES, argv[1]);
    return 0;
  }
  if (utf8value_open(replacement, argv[2], utf8value_ctx_encoding(ctx)) != SQLITE_OK) {
    sqlite3_result_error_nomem(ctx);
    return 0;
  }
  const size_t size = replacement->size;
  const unsigned dialect = utf8value_dialect(replacement, UTF8_STRICT);
  if (replacement->type == SQLITE_TEXT &&
      !utf8core_find_error(replacement->bytes, size, 0, size, dialect).error) {
    how->replacement = size ? replacement->bytes : (const uint8_t *)"";
    how->replacement_size = size;
    return 1;
  }
  utf8value_close(replacement);
  utf8option_error(ctx, "utf8_repair", 3, "replacement", "well-formed text", argv[2]);
  return 0;
}

static void repairFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  Utf8Value value, replacement = {.owned = NULL};
  if (argc > 1 && !utf8option_policy(ctx, "utf8_repair", argv, 1, &how)) return;
  if (argc > 2 && !replacementArgument(ctx, argv, &how, &replacement)) return;
  if (utf8value_open_argument(ctx, &value, argv[0])) {
    repairOpened(ctx, &how, &value, argv[0]);
    utf8value_close(&value);
  }
  utf8value_close(&replacement);
}

/* ---- utf8_strip_bom, utf8_truncate ------------------------------------------------- */

static void stripBomFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  size_t bom = utf8core_bom_length(value.bytes, value.size);
  if (bom) {
    utf8value_result_part(ctx, &value, bom, value.size - bom);
  } else {
    utf8value_result_same(ctx, &value, argv[0]);
  }
  utf8value_close(&value);
}

/* Is x a non-negative integer: 5, '5' or 5.0? Stores it in *n if so. Text that is a number
** becomes that number, in x itself. */
static int isLength(sqlite3_value *x, sqlite3_int64 *n) {
  int type = sqlite3_value_numeric_type(x);
  if (type == SQLITE_FLOAT) {
    double real = sqlite3_value_double(x);
    if (!(real >= 0 && real < 9223372036854775808.0) ||
        real != (double)(sqlite3_int64)real) {
      return 0;
    }
  } else if (type != SQLITE_INTEGER) {
    return 0;
  }
  *n = sqlite3_value_int64(x);
  return *n >= 0;
}

/* Stores the length in argv[1] in *n. Returns 0 after an error, whose message shows the
** original text: from a copy, since isLength() changes argv[1]. isLength() cannot take the
** copy: sqlite3_value_numeric_type() of a copy crashes SQLite 3.53.2. */
static int lengthArgument(sqlite3_context *ctx, sqlite3_value **argv,
                          sqlite3_int64 *n) {
  int isText = sqlite3_value_type(argv[1]) == SQLITE_TEXT;
  sqlite3_value *given = isText ? sqlite3_value_dup(argv[1]) : argv[1];
  int accepted = given && isLength(argv[1], n);
  if (!given) {
    sqlite3_result_error_nomem(ctx);
  } else if (!accepted) {
    utf8option_error(ctx, "utf8_truncate", 2, "N", "an integer of 0 or more", given);
  }
  if (isText) sqlite3_value_free(given);
  return accepted;
}

static void truncateFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  sqlite3_int64 n;
  if (!lengthArgument(ctx, argv, &n)) return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  size_t limit = (uint64_t)n < value.size ? (size_t)n : value.size;
  unsigned dialect = utf8value_dialect(&value, UTF8_STRICT);
  size_t end = utf8core_boundary(value.bytes, value.size, limit, dialect);
  if (end == value.size && (value.type == SQLITE_TEXT || value.type == SQLITE_BLOB)) {
    utf8value_result_same(ctx, &value, argv[0]);
  } else {
    utf8value_result_part(ctx, &value, 0, end);
  }
  utf8value_close(&value);
}

/* ---- utf8_from, utf8_to -------------------------------------------------------------- */

/* utf8core_decode() or utf8core_encode(). */
typedef size_t Converter(Utf8Conversion *c, const uint8_t *in, size_t size,
                         uint8_t *out, size_t room);

/* Converts the value. Returns an SQLite code: SQLITE_MISMATCH if a code point cannot be
** encoded. out->bytes must be freed in every case. */
static int convert(sqlite3 *db, Converter *converter, Utf8Conversion *c,
                   const Utf8Value *value, Utf8Output *out) {
  int rc =
      utf8value_grow(out, (uint64_t)value->size + value->size / 16 + UTF8_CHARSET_ROOM);
  while (rc == SQLITE_OK) {
    size_t room = out->room - out->used;
    if (room > UTF8_CHUNK) room = UTF8_CHUNK;
    size_t used = converter(c, value->bytes, value->size, out->bytes + out->used, room);
    out->used += used;
    if (c->at == value->size) return SQLITE_OK;
    if (used == 0) return SQLITE_MISMATCH;
    rc = utf8value_interrupted(db) ? SQLITE_INTERRUPT
                                   : utf8value_grow(out, UTF8_CHARSET_ROOM);
  }
  return rc;
}

/* Converts argv[0] from or to the charset in argv[1], into out, whose bytes must be freed in
** every case. Returns 0 if the result is set already. */
static int convertArgument(sqlite3_context *ctx, const char *function,
                           Converter *converter, sqlite3_value **argv,
                           Utf8Output *out) {
  Utf8Conversion c = {.dialect = UTF8_STRICT};
  Utf8Value value;
  if (!utf8option_charset(ctx, function, argv, 1, &c.charset)) return 0;
  if (c.charset == UTF8_CHARSET_BINARY ||
      !utf8value_open_argument(ctx, &value, argv[0]))
    return 0;
  const int encodes = converter == utf8core_encode;
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  if (encodes) c.dialect = utf8value_dialect(&value, UTF8_STRICT);
  out->limit = utf8value_longest(db, !encodes);
  int rc = convert(db, converter, &c, &value, out);
  utf8value_close(&value);
  if (rc != SQLITE_OK && rc != SQLITE_MISMATCH) sqlite3_result_error_code(ctx, rc);
  return rc == SQLITE_OK;
}

static void fromFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Output out = {NULL, 0, 0, 0};
  if (convertArgument(ctx, "utf8_from", utf8core_decode, argv, &out)) {
    utf8value_result_utf8(ctx, out.bytes, out.used);
  } else {
    sqlite3_free(out.bytes);
  }
}

static void toFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Output out = {NULL, 0, 0, 0};
  if (convertArgument(ctx, "utf8_to", utf8core_encode, argv, &out)) {
    utf8value_result_blob(ctx, out.bytes, out.used);
  } else {
    sqlite3_free(out.bytes);
  }
}

/* ---- utf8_version, utf8_debug ------------------------------------------------------ */

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "an unknown compiler"
#endif

static void versionFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  sqlite3_result_text(ctx, UTF8EXT_VERSION, -1, SQLITE_STATIC);
}

static void debugFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  sqlite3_str *out = sqlite3_str_new(NULL);
  sqlite3_str_appendf(out, "utf8ext %s, kernel %s, %s, SQLite %s (built against %s)",
                      UTF8EXT_VERSION, utf8core_kernel_name(), COMPILER,
                      sqlite3_libversion(), SQLITE_VERSION);
  if (utf8core_kernel_is_unknown()) {
    sqlite3_str_appendall(out, ", no such kernel as UTF8EXT_KERNEL names");
  }
  char *text = sqlite3_str_finish(out);
  if (text) {
    sqlite3_result_text(ctx, text, -1, sqlite3_free);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
}

/* ---- registration ------------------------------------------------------------------ */

static const Utf8Function functions[] = {
    {"utf8_version", 0, UTF8_PURE, versionFunc}, /* first: see hasThisVersion() */
    {"utf8_valid", 1, UTF8_PURE, validFunc},
    {"utf8_valid", 2, UTF8_PURE, validFunc},
    {"utf8_error", 1, UTF8_PURE, errorFunc},
    {"utf8_error", 2, UTF8_PURE, errorFunc},
    {"utf8_error_offset", 1, UTF8_PURE, errorOffsetFunc},
    {"utf8_error_offset", 2, UTF8_PURE, errorOffsetFunc},
    {"utf8_codepoints", 1, UTF8_PURE, codepointsFunc},
    {"utf8_repair", 1, UTF8_SAME_X, repairFunc},
    {"utf8_repair", 2, UTF8_SAME_X, repairFunc},
    {"utf8_repair", 3, UTF8_SAME_X, repairFunc},
    {"utf8_strip_bom", 1, UTF8_SAME_X, stripBomFunc},
    {"utf8_truncate", 2, UTF8_SAME_X, truncateFunc},
    {"utf8_from", 2, UTF8_PURE, fromFunc},
    {"utf8_to", 2, UTF8_PURE, toFunc},
    {"utf8_detect", 1, UTF8_PURE, utf8detectfunc_detect},
    {"utf8_detect_score", 2, UTF8_PURE, utf8detectfunc_score},
    {"utf8_detect_column", 1, UTF8_PURE, utf8detectfunc_step},
    {"utf8_debug", 0, SQLITE_INNOCUOUS, debugFunc},
    {NULL, 0, 0, NULL},
};

/* Does db have functions of this version? */
static int hasThisVersion(sqlite3 *db) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_prepare_v2(db, "SELECT utf8_version() = '" UTF8EXT_VERSION "'", -1, &stmt,
                     NULL);
  int has = stmt && sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int(stmt, 0);
  sqlite3_finalize(stmt);
  return has;
}

/* Loading again replaces the function, except while a statement runs, such as
** SELECT load_extension(): SQLite refuses then, and the function of this version stays. */
static int createFunction(sqlite3 *db, const Utf8Function *f, int encoding,
                          void *mark) {
  const int isAggregate = f->call == utf8detectfunc_step;
  int rc = sqlite3_create_function_v2(db, f->name, f->arguments, encoding | f->flags,
                                      mark, isAggregate ? NULL : f->call,
                                      isAggregate ? f->call : NULL,
                                      isAggregate ? utf8detectfunc_final : NULL, NULL);
  return rc == SQLITE_BUSY && hasThisVersion(db) ? SQLITE_OK : rc;
}

/* Registers one function; and where values do not report their encoding, once more for
** UTF-16 databases, with user data as the mark of that copy. */
static int registerFunction(sqlite3 *db, const Utf8Function *f) {
  int rc = createFunction(db, f, SQLITE_UTF8, NULL);
  if (rc != SQLITE_OK || utf8value_has_encoding()) return rc;
  return createFunction(db, f, SQLITE_UTF16, (void *)f);
}

int utf8func_add(sqlite3 *db, const Utf8Function *list) {
  int rc = SQLITE_OK;
  for (; rc == SQLITE_OK && list->name; list++) rc = registerFunction(db, list);
  return rc;
}

static void deleteFunction(sqlite3 *db, const Utf8Function *f, int encoding) {
  sqlite3_create_function_v2(db, f->name, f->arguments, encoding, NULL, NULL, NULL,
                             NULL, NULL);
}

void utf8func_remove(sqlite3 *db, const Utf8Function *list) {
  for (; list->name; list++) {
    deleteFunction(db, list, SQLITE_UTF8);
    if (!utf8value_has_encoding()) deleteFunction(db, list, SQLITE_UTF16);
  }
}

int utf8func_register(sqlite3 *db) {
  return utf8func_add(db, functions);
}

void utf8func_unregister(sqlite3 *db) {
  utf8func_remove(db, functions);
}
