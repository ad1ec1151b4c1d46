/* sql/unescape.c: escaped text decoded.
**
**     SELECT utf8_unescape('caf&eacute;', 'html'), utf8_unescape('=?utf-8?Q?caf=C3=A9?=', 'mime');
**     -- café|café
*/
#include "sql/functions.h"
#include "clean/unescape.h"
#include "sql/option.h"

/* Copies the value up to `at`, and decodes the remainder. Returns an SQLite code; out->bytes must be
** freed in every case. */
static int unescapeFrom(sqlite3 *db, Utf8EscapeKind kind, const Utf8Value *value,
                        size_t at, Utf8Output *out) {
  Utf8Mime mime = {0};
  Utf8Chunks c = utf8value_chunks(db, at, value->size);
  int rc = utf8value_copy_start(out, value, at, UTF8_FORM_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_FORM_ROOM)) {
    out->used += utf8clean_unescape(kind, &mime, value->bytes, value->size, &c.at,
                                    out->bytes + out->used, c.room);
  }
  return c.rc;
}

/* Quoted-printable is of bytes in any charset, so its result is a BLOB. */
static void resultUnescaped(sqlite3_context *ctx, Utf8EscapeKind kind, int rc,
                            const Utf8Output *out, const Utf8Value *value) {
  if (kind == UTF8_ESCAPE_QUOTED && rc == SQLITE_OK) {
    utf8value_result_blob(ctx, out->bytes, out->used);
  } else {
    utf8value_result_output(ctx, rc, out, value);
  }
}

static void unescapeOpened(sqlite3_context *ctx, Utf8EscapeKind kind,
                           const Utf8Value *value, sqlite3_value *x) {
  const size_t at = utf8clean_find_escape(kind, value->bytes, value->size);
  if (at == value->size && kind != UTF8_ESCAPE_QUOTED) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  const int to_utf16 = kind != UTF8_ESCAPE_QUOTED && value->from_utf16;
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, to_utf16)};
  const int rc = unescapeFrom(db, kind, value, at, &out);
  if (rc == SQLITE_OK && kind == UTF8_ESCAPE_SURROGATES && value->from_utf16 &&
      !utf8core_valid(out.bytes, out.used)) {
    sqlite3_free(out.bytes);
    utf8value_result_same(ctx, value, x);
    return;
  }
  resultUnescaped(ctx, kind, rc, &out, value);
}

void utf8sql_unescape(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  int kind;
  if (!utf8option_accept(ctx, "utf8_unescape", &utf8option_escape, argv, 1, &kind))
    return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  unescapeOpened(ctx, (Utf8EscapeKind)kind, &value, argv[0]);
  utf8value_close(&value);
}
