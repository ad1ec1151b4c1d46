/* sql/restore.c: UTF-8 that was misread in another charset, found and restored.
**
**     SELECT utf8_mojibake('cafÃ©'), utf8_demojibake('cafÃ©');
**     -- windows-1252|café
*/
#include "sql/functions.h"
#include "charset/legacy/legacy.h"
#include "mojibake/mojibake.h"
#include "sql/option.h"
#include "core/utf8form.h"
#include <string.h>

/* Finds the first misread run in well-formed bytes, of which c has all chunks; found->runs is 0 if
** there is none. Returns SQLITE_OK or SQLITE_INTERRUPT. */
static int findMojibake(Utf8Chunks c, const Utf8MojibakeCharset *charset,
                        const uint8_t *bytes, Utf8MojibakeFound *found) {
  while (utf8value_next(&c)) {
    if (utf8mojibake_find(charset, bytes, c.size, &c.at, c.until, found))
      return SQLITE_OK;
  }
  found->runs = 0;
  return c.rc;
}

/* Does one pass restore the value? It does if the value is well-formed and short. */
static int takesOnePass(const Utf8Value *value) {
  return value->size <= UTF8_MOJIBAKE_WHOLE &&
         utf8core_valid(value->bytes, value->size);
}

/* Like findMojibake() for a value, which has none if it is ill-formed. Returns 1 if there is one.
** Returns 0 if not, and -1 if the result is set already. */
static int hasMojibake(sqlite3_context *ctx, const Utf8MojibakeCharset *charset,
                       const Utf8Value *value, Utf8MojibakeFound *found) {
  size_t at = 0;
  if (takesOnePass(value))
    return utf8mojibake_find(charset, value->bytes, value->size, &at, value->size,
                             found);
  if (!utf8sql_find_error(ctx, value, UTF8_STRICT, &at)) return -1;
  if (at < value->size) return 0;
  const Utf8Chunks c = utf8value_chunks_of(ctx, value);
  const int rc = findMojibake(c, charset, value->bytes, found);
  if (rc == SQLITE_OK) return found->runs > 0;
  sqlite3_result_error_code(ctx, rc);
  return -1;
}

void utf8sql_mojibake(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8MojibakeFound found;
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  if (hasMojibake(ctx, NULL, &value, &found) == 1) {
    const char *name = utf8mojibake_charset_name(found.charset);
    sqlite3_result_text(ctx, name, -1, SQLITE_STATIC);
  }
  utf8value_close(&value);
}

/* Restores bytes once. Returns an SQLite code; out->bytes must be freed in every case. */
static int restoreMojibake(sqlite3 *db, const Utf8MojibakeCharset *charset,
                           const uint8_t *bytes, size_t size, Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, 0, size);
  int rc = utf8value_grow(out, (uint64_t)size + UTF8_MOJIBAKE_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_MOJIBAKE_ROOM)) {
    out->used += utf8mojibake_restore(charset, bytes, size, &c.at,
                                      out->bytes + out->used, c.room);
  }
  return c.rc;
}

/* A value is restored at most this many times, so that the time stays proportional to its
** size: once, and then its results as often as utf8_clean repeats its steps. Only a value made for it
** needs more, such as a long chain of "Ã". */
#define PASSES_MAX (1 + UTF8_CLEAN_PASSES)

/* Restores bytes, and then the result, until no run is found. Frees nothing but what it
** replaces: out->bytes must be freed in every case. Returns an SQLite code. */
static int restoreToFixedPoint(sqlite3 *db, const Utf8MojibakeCharset *charset,
                               const uint8_t *bytes, size_t size, Utf8Output *out) {
  Utf8MojibakeFound found;
  Utf8Chunks passes = utf8value_chunks(db, 0, PASSES_MAX); /* a pass is a chunk */
  for (; utf8value_next(&passes); passes.at++) {
    Utf8Output next = {NULL, 0, 0, out->limit};
    int rc = restoreMojibake(db, charset, bytes, size, &next);
    sqlite3_free(out->bytes);
    *out = next;
    if (rc != SQLITE_OK) return rc;
    rc = findMojibake(utf8value_chunks(db, 0, out->used), charset, out->bytes, &found);
    if (rc != SQLITE_OK || found.runs == 0) return rc;
    bytes = out->bytes;
    size = out->used;
  }
  return passes.rc;
}

int utf8sql_undo_mojibake(sqlite3 *db, const uint8_t *bytes, size_t size, int *charset,
                          Utf8Output *out) {
  Utf8MojibakeFound found;
  const int rc = findMojibake(utf8value_chunks(db, 0, size), NULL, bytes, &found);
  if (rc != SQLITE_OK || found.runs == 0) return rc;
  *charset = found.charset;
  return restoreToFixedPoint(db, NULL, bytes, size, out);
}

int utf8sql_make_demojibaked(sqlite3 *db, const Utf8MojibakeCharset *charset,
                             const Utf8Value *value, Utf8Value *made) {
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const uint8_t *bytes = value->bytes;
  const int rc = takesOnePass(value)
                     ? restoreMojibake(db, charset, bytes, value->size, &out)
                     : restoreToFixedPoint(db, charset, bytes, value->size, &out);
  return utf8value_make(made, rc, &out, value);
}

/* Like utf8sql_make_demojibaked() for a short well-formed value, on the stack. */
static void demojibakeShort(sqlite3_context *ctx, const Utf8MojibakeCharset *charset,
                            const Utf8Value *value, sqlite3_value *x) {
  uint8_t out[UTF8_MOJIBAKE_ROOM];
  Utf8Value restored = *value;
  size_t at = 0;
  restored.bytes = out;
  restored.size =
      utf8mojibake_restore(charset, value->bytes, value->size, &at, out, sizeof out);
  if (restored.size == value->size &&
      (value->size == 0 || memcmp(out, value->bytes, value->size) == 0)) {
    utf8value_result_same(ctx, value, x);
  } else {
    utf8value_result_part(ctx, &restored, 0, restored.size);
  }
}

static void demojibakeOpened(sqlite3_context *ctx, const Utf8MojibakeCharset *charset,
                             const Utf8Value *value, sqlite3_value *x) {
  Utf8MojibakeFound found;
  Utf8Value made;
  if (takesOnePass(value)) {
    demojibakeShort(ctx, charset, value, x);
    return;
  }
  const int has = hasMojibake(ctx, charset, value, &found);
  if (has == 0) utf8value_result_same(ctx, value, x);
  if (has != 1) return;
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  const int rc = utf8sql_make_demojibaked(db, charset, value, &made);
  utf8value_result_made(ctx, rc, &made, value, x);
}

void utf8sql_demojibake(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Utf8MojibakeCharset charset;
  int named;
  Utf8Value value;
  if (argc > 1) {
    if (!utf8option_accept(ctx, "utf8_demojibake", &utf8option_single_byte, argv, 1,
                           &named))
      return;
    utf8mojibake_set_charset(&charset, utf8charset_high((Utf8Charset)named));
  }
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  demojibakeOpened(ctx, argc > 1 ? &charset : NULL, &value, argv[0]);
  utf8value_close(&value);
}
