/* sql/check.c: is X well-formed, where and what is its first error, how many code points?
**
**     SELECT utf8_valid(x'c080'), utf8_error(x'c080'), utf8_codepoints('café');
**     -- 0|overlong|4
**
** As in the other files of SQL functions, each function checks its options first, whatever X
** is. Then it opens X, calls the core, and returns the result.
*/
#include "sql/functions.h"
#include "core/find.h"
#include "core/compiler.h"
#include "sql/option.h"
#include <string.h>

int utf8sql_find_error(sqlite3_context *ctx, const Utf8Value *value, unsigned dialect,
                       size_t *at) {
  const unsigned actual = utf8value_dialect(value, dialect);
  const size_t size = value->size;
  *at = 0;
  if (size <= UTF8_CHUNK) { /* usually; saves a call into SQLite */
    *at = utf8core_find_error(value->bytes, size, 0, size, actual).offset;
    return 1;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  const int rc = utf8value_find_error(db, value, at, size, actual);
  if (rc != SQLITE_OK) sqlite3_result_error_code(ctx, rc);
  return rc == SQLITE_OK;
}

/* ---- utf8_valid, utf8_error, utf8_error_offset ------------------------------------- */

/* A search for the first error in X under a dialect. */
typedef struct Search {
  Utf8Value value; /* to be closed */
  unsigned dialect;
  size_t at; /* offset of the first error, or the value's size */
} Search;

/* Slow path of searchBegin(), for every X. */
static int searchAny(sqlite3_context *ctx, const char *function, int argc,
                     sqlite3_value **argv, Search *search) {
  int dialect = UTF8_STRICT;
  if (argc > 1 &&
      !utf8option_accept(ctx, function, &utf8option_dialect, argv, 1, &dialect))
    return 0;
  search->dialect = (unsigned)dialect;
  if (!utf8value_read_argument(ctx, &search->value, argv[0])) return 0;
  if (utf8sql_find_error(ctx, &search->value, search->dialect, &search->at)) return 1;
  utf8value_close(&search->value);
  return 0;
}

/* Opens X and finds its first error. Returns 0 if the result is set already; there is nothing to
** close then. Nearly every value is well-formed TEXT in UTF-8: its row costs four calls into
** SQLite and one of the kernel. */
ALWAYS_INLINE int searchBegin(sqlite3_context *ctx, const char *function, int argc,
                              sqlite3_value **argv, Search *search) {
  if (argc > 1 || !utf8value_read_short(&search->value, argv[0]))
    return searchAny(ctx, function, argc, argv, search);
  const uint8_t *text = search->value.bytes;
  const size_t size = search->value.size;
  search->dialect = UTF8_STRICT;
  search->at = utf8find_skip_valid(text, size);
  if (search->at < size)
    search->at = utf8core_find_error(text, size, search->at, size, UTF8_STRICT).offset;
  return 1;
}

void utf8sql_valid(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Search search;
  if (!searchBegin(ctx, "utf8_valid", argc, argv, &search)) return;
  sqlite3_result_int(ctx, search.at == search.value.size);
  utf8value_close(&search.value);
}

void utf8sql_error(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Search search;
  if (!searchBegin(ctx, "utf8_error", argc, argv, &search)) return;
  const Utf8Value *value = &search.value;
  if (search.at < value->size) {
    const unsigned dialect = utf8value_dialect(value, search.dialect);
    Utf8Step s = utf8core_step(value->bytes, value->size, search.at, dialect);
    sqlite3_result_text(ctx, utf8core_error_name(s.error), -1, SQLITE_STATIC);
  }
  utf8value_close(&search.value);
}

void utf8sql_error_offset(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Search search;
  if (!searchBegin(ctx, "utf8_error_offset", argc, argv, &search)) return;
  if (search.at < search.value.size)
    sqlite3_result_int64(ctx, (sqlite3_int64)search.at);
  utf8value_close(&search.value);
}

/* ---- utf8_validate -------------------------------------------------------------------- */

/* Sets the error "label: truncated at byte 3". label is NULL or an argument that is
** well-formed text. */
static void validateError(sqlite3_context *ctx, sqlite3_value *label,
                          const Utf8Value *value, size_t at) {
  const unsigned dialect = utf8value_dialect(value, UTF8_STRICT);
  const Utf8Step s = utf8core_step(value->bytes, value->size, at, dialect);
  const char *name = label ? (const char *)sqlite3_value_text(label) : "utf8_validate";
  char *message = name ? sqlite3_mprintf("%s: %s at byte %lld", name,
                                         utf8core_error_name(s.error), (long long)at)
                       : NULL;
  if (message) {
    sqlite3_result_error(ctx, message, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(message);
}

void utf8sql_validate(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Utf8Value value;
  size_t at;
  if (argc > 1 && !utf8option_text(ctx, "utf8_validate", argv, 1, "label")) return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  if (utf8sql_find_error(ctx, &value, UTF8_STRICT, &at)) {
    if (at == value.size) {
      utf8value_result_same(ctx, &value, argv[0]);
    } else {
      validateError(ctx, argc > 1 ? argv[1] : NULL, &value, at);
    }
  }
  utf8value_close(&value);
}

/* ---- utf8_codepoints --------------------------------------------------------------- */

void utf8sql_codepoints(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  uint64_t count = 0;
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  const unsigned dialect = utf8value_dialect(&value, UTF8_STRICT);
  Utf8Chunks c = utf8value_chunks_of(ctx, &value);
  while (utf8value_next(&c))
    count += utf8core_count(value.bytes, value.size, &c.at, c.until, dialect);
  if (c.rc == SQLITE_OK) {
    sqlite3_result_int64(ctx, (sqlite3_int64)count);
  } else {
    sqlite3_result_error_code(ctx, c.rc);
  }
  utf8value_close(&value);
}
