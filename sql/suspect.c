/* sql/suspect.c: suspicious code points of well-formed text.
**
**     SELECT utf8_suspect('a' || char(0x202E)), utf8_strip('a' || char(0), 'nul');
**     -- bidi control|a
*/
#include "sql/functions.h"
#include "sql/option.h"
#include "suspect/suspect.h"

/* Is the value well-formed TEXT or BLOB? Returns -1 if the result is set already. */
static int isWellFormed(sqlite3_context *ctx, const Utf8Value *value) {
  size_t at;
  if (value->type != SQLITE_TEXT && value->type != SQLITE_BLOB) return 0;
  if (!utf8sql_find_error(ctx, value, UTF8_STRICT, &at)) return -1;
  return at == value->size;
}

/* ---- utf8_suspect, utf8_suspect_offset ---------------------------------------------- */

/* Finds the first suspicious place of the value. Returns 0 if there is none, if the value is
** not well-formed text, or if the result is set already. */
static int findSuspect(sqlite3_context *ctx, const Utf8Value *value,
                       Utf8SuspectFound *found) {
  if (isWellFormed(ctx, value) != 1) return 0;
  Utf8Chunks c = utf8value_chunks_of(ctx, value);
  while (utf8value_next(&c))
    if (utf8suspect_find(value->bytes, value->size, &c.at, c.until, found)) return 1;
  if (c.rc != SQLITE_OK) sqlite3_result_error_code(ctx, c.rc);
  return 0;
}

void utf8sql_suspect(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8SuspectFound found;
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  if (findSuspect(ctx, &value, &found)) {
    const char *name = utf8suspect_kind_name(found.kind);
    sqlite3_result_text(ctx, name, -1, SQLITE_STATIC);
  }
  utf8value_close(&value);
}

void utf8sql_suspect_offset(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8SuspectFound found;
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  if (findSuspect(ctx, &value, &found))
    sqlite3_result_int64(ctx, (sqlite3_int64)found.offset);
  utf8value_close(&value);
}

/* ---- utf8_strip ----------------------------------------------------------------------- */

/* Stores the offset of the first code point of the kind in *at; the value's size if there is
** none, or if the value is not well-formed text. Returns 0 if the result is set already. */
static int findToStrip(sqlite3_context *ctx, Utf8SuspectKind kind,
                       const Utf8Value *value, size_t *at) {
  const int wellFormed = isWellFormed(ctx, value);
  *at = value->size;
  if (wellFormed != 1) return wellFormed == 0;
  Utf8Chunks c = utf8value_chunks_of(ctx, value);
  while (utf8value_next(&c)) {
    c.at = utf8suspect_find_kind(kind, value->bytes, value->size, c.at, c.until);
    if (c.at < c.until) break;
  }
  *at = c.at;
  if (c.rc != SQLITE_OK) sqlite3_result_error_code(ctx, c.rc);
  return c.rc == SQLITE_OK;
}

/* Copies the value up to `at`, and strips the remainder. Returns an SQLite code; out->bytes must
** be freed in every case. */
static int stripFrom(sqlite3 *db, Utf8SuspectKind kind, const Utf8Value *value,
                     size_t at, Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, at, value->size);
  int rc = utf8value_copy_start(out, value, at, UTF8_SUSPECT_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_SUSPECT_ROOM)) {
    out->used += utf8suspect_strip(kind, value->bytes, value->size, &c.at,
                                   out->bytes + out->used, c.room);
  }
  return c.rc;
}

int utf8sql_make_stripped(sqlite3 *db, Utf8SuspectKind kind, const Utf8Value *value,
                          size_t at, Utf8Value *made) {
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const int rc = stripFrom(db, kind, value, at, &out);
  return utf8value_make(made, rc, &out, value);
}

static void stripOpened(sqlite3_context *ctx, Utf8SuspectKind kind,
                        const Utf8Value *value, sqlite3_value *x) {
  size_t at;
  Utf8Value made;
  if (!findToStrip(ctx, kind, value, &at)) return;
  if (at == value->size) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  const int rc = utf8sql_make_stripped(db, kind, value, at, &made);
  utf8value_result_made(ctx, rc, &made, value, x);
}

void utf8sql_strip(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  int kind;
  Utf8Value value;
  if (!utf8option_accept(ctx, "utf8_strip", &utf8option_kind, argv, 1, &kind)) return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  stripOpened(ctx, (Utf8SuspectKind)kind, &value, argv[0]);
  utf8value_close(&value);
}
