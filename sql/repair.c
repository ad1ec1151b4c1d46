/* sql/repair.c: X made well-formed, or shorter.
**
**     SELECT hex(utf8_repair(x'e28241')), utf8_truncate('café', 4);
**     -- EFBFBD41|caf
*/
#include "sql/functions.h"
#include "sql/option.h"

/* ---- utf8_repair ------------------------------------------------------------------- */

/* Copies the value up to its first error, at `at`, and repairs the remainder. Returns an SQLite
** code; out->bytes must be freed in every case. */
static int repairFrom(sqlite3 *db, const Utf8Repair *how, const Utf8Value *value,
                      size_t at, Utf8Output *out) {
  const size_t needed = UTF8_REPAIR_ROOM(how);
  Utf8Chunks c = utf8value_chunks(db, at, value->size);
  int rc = utf8value_copy_start(out, value, at, needed);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, needed)) {
    out->used += utf8core_repair(how, value->bytes, value->size, &c.at,
                                 out->bytes + out->used, c.room);
  }
  return c.rc;
}

/* Like utf8sql_repair_by_cause(), for a value, or what it is unescaped. */
static int repairByCause(sqlite3 *db, Utf8Cause cause, const Utf8Value *value,
                         size_t at, Utf8Output *out, int *is_kept) {
  Utf8Repair how = {.dialect = utf8value_dialect(value, UTF8_STRICT)};
  *is_kept = 0;
  switch (utf8detect_cause_repair(cause, &how)) {
  case UTF8_CAUSE_REPAIR:
    return repairFrom(db, &how, value, at, out);
  case UTF8_CAUSE_DECODE:
    return utf8sql_decode(db, cause.charset, value, out);
  default:
    *is_kept = 1;
    return SQLITE_OK;
  }
}

int utf8sql_repair_by_cause(sqlite3 *db, Utf8Cause cause, const Utf8Value *value,
                            size_t at, Utf8Output *out, int *is_kept) {
  Utf8Value escaped;
  if (!cause.is_escaped) return repairByCause(db, cause, value, at, out, is_kept);
  int rc = utf8sql_open_escaped(db, value, &escaped);
  if (rc == SQLITE_OK) rc = repairByCause(db, cause, &escaped, 0, out, is_kept);
  utf8value_close(&escaped);
  return rc;
}

/* Like repairFrom(), but under policy auto. Stores in *is_kept whether the value is the result. */
static int repairAuto(sqlite3 *db, const Utf8Value *value, size_t at, Utf8Output *out,
                      int *is_kept) {
  Utf8Readings readings;
  const int rc = utf8sql_find_readings(db, value, NULL, &readings);
  if (rc != SQLITE_OK) return rc;
  return utf8sql_repair_by_cause(db, readings.cause, value, at, out, is_kept);
}

int utf8sql_repair_from(sqlite3 *db, Utf8Repair *how, const Utf8Value *value, size_t at,
                        Utf8Output *out, int *is_kept) {
  how->dialect = utf8value_dialect(value, UTF8_STRICT);
  *is_kept = 0;
  if (how->policy == UTF8_POLICY_AUTO) return repairAuto(db, value, at, out, is_kept);
  return repairFrom(db, how, value, at, out);
}

int utf8sql_make_repaired(sqlite3 *db, Utf8Repair how, const Utf8Value *value,
                          size_t at, Utf8Value *made) {
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  int is_kept;
  const int rc = utf8sql_repair_from(db, &how, value, at, &out, &is_kept);
  if (!is_kept) return utf8value_make(made, rc, &out, value);
  *made = utf8value_same(value);
  return rc;
}

/* Repairs the open value of x and returns the result. */
static void repairOpened(sqlite3_context *ctx, Utf8Repair how, const Utf8Value *value,
                         sqlite3_value *x) {
  size_t at;
  Utf8Value made;
  if (!utf8sql_find_error(ctx, value, UTF8_STRICT, &at)) return;
  if (at == value->size) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  const int rc = utf8sql_make_repaired(db, how, value, at, &made);
  utf8value_result_made(ctx, rc, &made, value, x);
}

/* Opens argv[2] as the replacement. Returns 0 after an error. */
static int replacementArgument(sqlite3_context *ctx, sqlite3_value **argv,
                               Utf8Repair *how, Utf8Value *replacement) {
  if (!utf8charset_takes_replacement((int)how->policy)) {
    utf8option_no_replacement(ctx, "utf8_repair", argv[1]);
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

void utf8sql_repair(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  Utf8Value value, replacement = {.owned = NULL};
  if (argc > 1 && !utf8option_policy(ctx, "utf8_repair", argv, 1, &how)) return;
  if (argc > 2 && !replacementArgument(ctx, argv, &how, &replacement)) return;
  if (utf8value_open_argument(ctx, &value, argv[0])) {
    repairOpened(ctx, how, &value, argv[0]);
    utf8value_close(&value);
  }
  utf8value_close(&replacement);
}

/* ---- utf8_strip_bom, utf8_truncate ------------------------------------------------- */

void utf8sql_strip_bom(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
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

void utf8sql_truncate(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
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
