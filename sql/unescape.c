/* sql/unescape.c: escaped text decoded.
**
**     SELECT utf8_unescape('caf&eacute;', 'html');
**     -- café
*/
#include "form/unescape.h"
#include "sql/functions.h"
#include "sql/option.h"
#include <string.h>

/* Copies the value up to `at`, and decodes the remainder. Returns an SQLite code; out->bytes must be
** freed in every case. */
static int unescapeFrom(sqlite3 *db, const Utf8Value *value, size_t at,
                        Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, at, value->size);
  int rc = utf8value_copy_start(out, value, at, UTF8_UNESCAPE_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_UNESCAPE_ROOM)) {
    out->used += utf8form_unescape_html(value->bytes, value->size, &c.at,
                                        out->bytes + out->used, c.room);
  }
  return c.rc;
}

static void unescapeOpened(sqlite3_context *ctx, const Utf8Value *value,
                           sqlite3_value *x) {
  const uint8_t *first = value->size ? memchr(value->bytes, '&', value->size) : NULL;
  if (!first) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const int rc = unescapeFrom(db, value, (size_t)(first - value->bytes), &out);
  utf8value_result_output(ctx, rc, &out, value);
}

void utf8sql_unescape(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  if (!utf8option_escape_kind(ctx, "utf8_unescape", argv, 1)) return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  unescapeOpened(ctx, &value, argv[0]);
  utf8value_close(&value);
}
