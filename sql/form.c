/* sql/form.c: text that compares equal: normalization, case folding, accents.
**
**     SELECT utf8_normalize('e' || char(0x301)) = 'é', utf8_casefold('STRASSE') = utf8_casefold('Straße');
**     -- 1|1
*/
#include "sql/functions.h"
#include "core/utf8form.h"
#include "sql/option.h"

static int hasText(const Utf8Value *value) {
  return value->type == SQLITE_TEXT || value->type == SQLITE_BLOB;
}

/* ---- utf8_normalized, utf8_normalize ---------------------------------------------------- */

/* Finds the first cluster of the value that the form changes. Returns 1 and stores where it starts, 0
** if there is none, -1 if the result is set already. */
static int findUnnormalized(sqlite3_context *ctx, Utf8NormalForm form,
                            const Utf8Value *value, size_t *at) {
  if (!hasText(value)) return 0;
  Utf8Chunks c = utf8value_chunks_of(ctx, value);
  while (utf8value_next(&c)) {
    if (utf8core_is_normalized(form, value->bytes, value->size, &c.at, c.until))
      continue;
    *at = c.at;
    return 1;
  }
  if (c.rc == SQLITE_OK) return 0;
  sqlite3_result_error_code(ctx, c.rc);
  return -1;
}

/* Returns the room for a cluster that did not fit in `room`: that of all the text left, which its marks may
** be, or twice the room. */
static size_t roomAfter(size_t room, size_t left) {
  return room < left ? left + UTF8_NORMALIZE_ROOM : 2 * room;
}

int utf8sql_normalize_from(sqlite3 *db, Utf8NormalForm form, const Utf8Value *value,
                           size_t at, Utf8Output *out) {
  size_t needed = UTF8_NORMALIZE_ROOM;
  Utf8Chunks c = utf8value_chunks(db, at, value->size);
  int rc = utf8value_copy_start(out, value, at, needed);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, needed)) {
    const size_t before = c.at;
    out->used += utf8core_normalize(form, value->bytes, value->size, &c.at,
                                    out->bytes + out->used, c.room);
    const int fits = c.at > before;
    needed = fits ? UTF8_NORMALIZE_ROOM : roomAfter(c.room, value->size - c.at);
  }
  return c.rc;
}

static void normalizeOpened(sqlite3_context *ctx, Utf8NormalForm form,
                            const Utf8Value *value, sqlite3_value *x) {
  size_t at;
  const int found = findUnnormalized(ctx, form, value, &at);
  if (found == 0) utf8value_result_same(ctx, value, x);
  if (found != 1) return;
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const int rc = utf8sql_normalize_from(db, form, value, at, &out);
  utf8value_result_output(ctx, rc, &out, value);
}

void utf8sql_normalize(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  int form = UTF8_NFC;
  Utf8Value value;
  if (argc > 1 &&
      !utf8option_accept(ctx, "utf8_normalize", &utf8option_form, argv, 1, &form))
    return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  normalizeOpened(ctx, (Utf8NormalForm)form, &value, argv[0]);
  utf8value_close(&value);
}

/* Slow path of utf8sql_normalized(), for every X. */
static void normalizedAny(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  int form = UTF8_NFC;
  Utf8Value value;
  size_t at;
  if (argc > 1 &&
      !utf8option_accept(ctx, "utf8_normalized", &utf8option_form, argv, 1, &form))
    return;
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  const int found = findUnnormalized(ctx, (Utf8NormalForm)form, &value, &at);
  if (found >= 0) sqlite3_result_int(ctx, !found);
  utf8value_close(&value);
}

void utf8sql_normalized(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Utf8Value value;
  size_t at = 0;
  if (argc > 1 || !utf8value_read_short(&value, argv[0])) {
    normalizedAny(ctx, argc, argv);
    return;
  }
  const size_t size = value.size;
  sqlite3_result_int(ctx,
                     utf8core_is_normalized(UTF8_NFC, value.bytes, size, &at, size));
}

/* ---- utf8_casefold ------------------------------------------------------------------------ */

/* Stores the offset of the first code point that folding changes, or the value's size. Returns 0 if
** the result is set already. */
static int findUnfolded(sqlite3_context *ctx, const Utf8Value *value, size_t *at) {
  *at = value->size;
  if (!hasText(value)) return 1;
  Utf8Chunks c = utf8value_chunks_of(ctx, value);
  while (utf8value_next(&c)) {
    c.at = utf8core_find_unfolded(value->bytes, value->size, c.at, c.until);
    if (c.at < c.until) break;
  }
  *at = c.at;
  if (c.rc != SQLITE_OK) sqlite3_result_error_code(ctx, c.rc);
  return c.rc == SQLITE_OK;
}

/* Copies the value up to `at`, and folds the remainder. Returns an SQLite code; out->bytes must be
** freed in every case. */
static int foldFrom(sqlite3 *db, const Utf8Value *value, size_t at, Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, at, value->size);
  int rc = utf8value_copy_start(out, value, at, UTF8_CASEFOLD_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_CASEFOLD_ROOM)) {
    out->used += utf8core_casefold(value->bytes, value->size, &c.at,
                                   out->bytes + out->used, c.room);
  }
  return c.rc;
}

static void foldOpened(sqlite3_context *ctx, const Utf8Value *value, sqlite3_value *x) {
  size_t at;
  if (!findUnfolded(ctx, value, &at)) return;
  if (at == value->size) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const int rc = foldFrom(db, value, at, &out);
  utf8value_result_output(ctx, rc, &out, value);
}

void utf8sql_casefold(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  foldOpened(ctx, &value, argv[0]);
  utf8value_close(&value);
}

/* ---- utf8_unaccent ------------------------------------------------------------------------ */

/* Stores the offset of the first code point that changes, or the value's size, and the state there.
** Returns 0 if the result is set already. */
static int findAccent(sqlite3_context *ctx, const Utf8Value *value, size_t *at,
                      uint32_t *letter) {
  *at = value->size;
  *letter = 0;
  if (!hasText(value)) return 1;
  Utf8Chunks c = utf8value_chunks_of(ctx, value);
  while (utf8value_next(&c)) {
    c.at = utf8form_find_accent(letter, value->bytes, value->size, c.at, c.until);
    if (c.at < c.until) break;
  }
  *at = c.at;
  if (c.rc != SQLITE_OK) sqlite3_result_error_code(ctx, c.rc);
  return c.rc == SQLITE_OK;
}

/* Copies the value up to `at`, and the remainder without accents. Returns an SQLite code; out->bytes
** must be freed in every case. */
static int unaccentFrom(sqlite3 *db, const Utf8Value *value, size_t at, uint32_t letter,
                        Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, at, value->size);
  int rc = utf8value_copy_start(out, value, at, UTF8_FORM_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_FORM_ROOM)) {
    out->used += utf8form_unaccent(&letter, value->bytes, value->size, &c.at,
                                   out->bytes + out->used, c.room);
  }
  return c.rc;
}

static void unaccentOpened(sqlite3_context *ctx, const Utf8Value *value,
                           sqlite3_value *x) {
  size_t at;
  uint32_t letter;
  if (!findAccent(ctx, value, &at, &letter)) return;
  if (at == value->size) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const int rc = unaccentFrom(db, value, at, letter, &out);
  utf8value_result_output(ctx, rc, &out, value);
}

void utf8sql_unaccent(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  unaccentOpened(ctx, &value, argv[0]);
  utf8value_close(&value);
}

/* ---- utf8_unicode_version ------------------------------------------------------------------- */

void utf8sql_unicode_version(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  (void)argv;
  sqlite3_result_text(ctx, utf8core_unicode_version(), -1, SQLITE_STATIC);
}
