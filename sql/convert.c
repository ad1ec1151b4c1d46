/* sql/convert.c: text from and to other charsets.
**
**     SELECT utf8_from(x'e9', 'latin1'), hex(utf8_to('é', 'cp437'));
**     -- é|82
*/
#include "sql/functions.h"
#include "sql/option.h"

/* utf8core_decode() or utf8core_encode(). */
typedef size_t Converter(Utf8Conversion *c, const uint8_t *in, size_t size,
                         uint8_t *out, size_t room);

/* Opens argv[0] for a conversion from or to the charset in argv[1]. Returns 0 if the result is
** set already: an error, or NULL for NULL and for the charset binary. */
static int openConversion(sqlite3_context *ctx, const char *function,
                          sqlite3_value **argv, Utf8Conversion *c, Utf8Value *value) {
  *c = (Utf8Conversion){.dialect = UTF8_STRICT};
  return utf8option_charset(ctx, function, argv, 1, &c->charset) &&
         c->charset != UTF8_CHARSET_BINARY &&
         utf8value_open_argument(ctx, value, argv[0]);
}

/* Converts the value. Returns an SQLite code: SQLITE_MISMATCH if a code point cannot be
** encoded. out->bytes must be freed in every case. */
static int convert(sqlite3 *db, Converter *converter, Utf8Conversion *conversion,
                   const Utf8Value *value, Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  int rc = utf8value_copy_start(out, value, 0, UTF8_CHARSET_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_CHARSET_ROOM)) {
    const size_t used = converter(conversion, value->bytes, value->size,
                                  out->bytes + out->used, c.room);
    out->used += used;
    c.at = conversion->at;
    if (used == 0 && c.at < c.size) return SQLITE_MISMATCH;
  }
  return c.rc;
}

int utf8sql_decode(sqlite3 *db, Utf8Charset charset, const Utf8Value *value,
                   Utf8Output *out) {
  Utf8Conversion c = {.charset = charset, .dialect = UTF8_STRICT};
  return convert(db, utf8core_decode, &c, value, out);
}

/* Frees the bytes and sets the error rc; for SQLITE_MISMATCH the result is NULL. */
static void resultUnconverted(sqlite3_context *ctx, int rc, const Utf8Output *out) {
  sqlite3_free(out->bytes);
  if (rc != SQLITE_MISMATCH) sqlite3_result_error_code(ctx, rc);
}

void utf8sql_from(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Conversion c;
  Utf8Value value;
  if (!openConversion(ctx, "utf8_from", argv, &c, &value)) return;
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, 1)};
  const int rc = convert(db, utf8core_decode, &c, &value, &out);
  utf8value_close(&value);
  if (rc == SQLITE_OK) {
    utf8value_result_utf8(ctx, out.bytes, out.used);
  } else {
    resultUnconverted(ctx, rc, &out);
  }
}

void utf8sql_to(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Conversion c;
  Utf8Value value;
  if (!openConversion(ctx, "utf8_to", argv, &c, &value)) return;
  c.dialect = utf8value_dialect(&value, UTF8_STRICT);
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, 0)};
  const int rc = convert(db, utf8core_encode, &c, &value, &out);
  utf8value_close(&value);
  if (rc == SQLITE_OK) {
    utf8value_result_blob(ctx, out.bytes, out.used);
  } else {
    resultUnconverted(ctx, rc, &out);
  }
}
