/* sql/convert.c: text from and to other charsets.
**
**     SELECT utf8_from(x'e9', 'latin1'), hex(utf8_to('é', 'cp437'));
**     -- é|82
**     SELECT utf8_to('“ñ” 5 €', 'ascii', 'closest');
**     -- "n" 5 EUR
*/
#include "charset/stream.h"
#include "form/loss.h"
#include "core/compiler.h"
#include "sql/functions.h"
#include "sql/option.h"

/* utf8core_decode() or utf8core_encode(). */
typedef size_t Converter(Utf8Conversion *c, const uint8_t *in, size_t size,
                         uint8_t *out, size_t room);

/* Starts a conversion from or to the charset in argv[1]. Returns 0 if the result is set already: an
** error, or NULL for the charset binary. */
static int startConversion(sqlite3_context *ctx, const char *function,
                           sqlite3_value **argv, Utf8Conversion *c) {
  int charset;
  if (!utf8option_accept(ctx, function, &utf8option_charset, argv, 1, &charset))
    return 0;
  *c = (Utf8Conversion){.charset = (Utf8Charset)charset, .dialect = UTF8_STRICT};
  return charset != UTF8_CHARSET_BINARY;
}

/* ---- characters that a charset lacks --------------------------------------------------- */

/* What utf8_to() writes for them. */
typedef struct Substitution {
  Utf8Loss loss;
  const uint8_t *replacement; /* UTF-8 */
  size_t size;
} Substitution;

/* Encodes text in the middle of a conversion, and ends it if is_last. */
static int encodeInstead(Utf8Conversion *conversion, const uint8_t *text, size_t size,
                         int isLast, Utf8Output *out) {
  Utf8Conversion c = *conversion;
  if (size == 0 && !isLast) return SQLITE_OK;
  c.at = 0;
  c.dialect = UTF8_STRICT;
  c.continues = !isLast;
  do {
    const int rc = utf8value_grow(out, UTF8_CHARSET_ROOM);
    if (rc != SQLITE_OK) return rc;
    const size_t used =
        utf8core_encode(&c, text, size, out->bytes + out->used, UTF8_CHARSET_ROOM);
    out->used += used;
    if (used == 0 && c.at < size) return SQLITE_MISMATCH;
  } while (c.at < size);
  conversion->state = c.state;
  return SQLITE_OK;
}

/* Encodes what stands for the code point or ill-formed subpart at conversion->at, and moves past
** it. */
static int encodeSubstitute(const Substitution *s, Utf8Conversion *conversion,
                            const Utf8Value *value, Utf8Output *out) {
  Utf8Closest text;
  const int has_stand_in =
      utf8form_stand_in(s->loss, conversion, value->bytes, value->size, &text);
  const int isLast = conversion->at == value->size;
  return has_stand_in ? encodeInstead(conversion, text.bytes, text.size, isLast, out)
                      : encodeInstead(conversion, s->replacement, s->size, isLast, out);
}

/* ---- conversion -------------------------------------------------------------------------- */

/* Converts the value. Returns an SQLite code: SQLITE_MISMATCH if a code point cannot be
** encoded, and nothing stands for it. out->bytes must be freed in every case. */
static int convert(sqlite3 *db, Converter *converter, Utf8Conversion *conversion,
                   const Substitution *s, const Utf8Value *value, Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  int rc = utf8value_copy_start(out, value, 0, UTF8_CHARSET_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_CHARSET_ROOM)) {
    const size_t used = converter(conversion, value->bytes, value->size,
                                  out->bytes + out->used, c.room);
    out->used += used;
    if (used == 0 && conversion->at < c.size) {
      rc = s ? encodeSubstitute(s, conversion, value, out) : SQLITE_MISMATCH;
      if (rc != SQLITE_OK) return rc;
    }
    c.at = conversion->at;
  }
  return c.rc;
}

int utf8sql_decode(sqlite3 *db, Utf8Charset charset, const Utf8Value *value,
                   Utf8Output *out) {
  Utf8Conversion c = {.charset = charset, .dialect = UTF8_STRICT};
  return convert(db, utf8core_decode, &c, NULL, value, out);
}

/* Makes *made a value of this type of what a conversion has written; NULL if the charset lacks a code point. */
static int makeConverted(Utf8Value *made, int rc, const Utf8Output *out, int type) {
  const Utf8Value like = {.type = type};
  rc = utf8value_make(made, rc, out, &like);
  return rc == SQLITE_MISMATCH ? SQLITE_OK : rc;
}

int utf8sql_make_decoded(sqlite3 *db, Utf8Charset charset, const Utf8Value *value,
                         Utf8Value *made) {
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, 1)};
  const int rc = utf8sql_decode(db, charset, value, &out);
  return makeConverted(made, rc, &out, SQLITE_TEXT);
}

int utf8sql_make_encoded(sqlite3 *db, Utf8Charset charset, const Utf8Value *value,
                         Utf8Value *made) {
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, 0)};
  Utf8Conversion c = {.charset = charset,
                      .dialect = utf8value_dialect(value, UTF8_STRICT)};
  const int rc = convert(db, utf8core_encode, &c, NULL, value, &out);
  return makeConverted(made, rc, &out, SQLITE_BLOB);
}

/* Values of up to this many bytes are converted in a buffer on the stack, which SQLite copies. That
** takes less time than memory of their own. */
enum { SHORT_INPUT = 1024, SHORT_OUTPUT = 4096 };

/* Converts a short value, and stores the number of bytes in *used. Returns 0 if the value is long, if
** its result is, or if the charset lacks a character. */
static int convertShort(Converter *converter, Utf8Conversion c, const Utf8Value *value,
                        uint8_t out[SHORT_OUTPUT], size_t *used) {
  if (value->size > SHORT_INPUT || value->size > UTF8_CHUNK) return 0;
  *used = converter(&c, value->bytes, value->size, out, SHORT_OUTPUT);
  return c.at == value->size;
}

/* Frees the bytes and sets the error rc; for SQLITE_MISMATCH the result is NULL. */
static void resultUnconverted(sqlite3_context *ctx, int rc, const Utf8Output *out) {
  sqlite3_free(out->bytes);
  if (rc != SQLITE_MISMATCH) sqlite3_result_error_code(ctx, rc);
}

static NOINLINE void resultLongDecoded(sqlite3_context *ctx, Utf8Conversion *c,
                                       const Utf8Value *value) {
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, 1)};
  const int rc = convert(db, utf8core_decode, c, NULL, value, &out);
  if (rc == SQLITE_OK) {
    utf8value_result_utf8(ctx, out.bytes, out.used, sqlite3_free);
  } else {
    resultUnconverted(ctx, rc, &out);
  }
}

void utf8sql_from(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Conversion c;
  Utf8Value value;
  uint8_t out[SHORT_OUTPUT];
  size_t used;
  if (!startConversion(ctx, "utf8_from", argv, &c)) return;
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  if (convertShort(utf8core_decode, c, &value, out, &used)) {
    utf8value_result_utf8(ctx, out, used, SQLITE_TRANSIENT);
  } else {
    resultLongDecoded(ctx, &c, &value);
  }
  utf8value_close(&value);
}

/* Encodes the value. s is NULL if nothing stands for what the charset lacks. */
static NOINLINE void resultLongEncoded(sqlite3_context *ctx, Utf8Conversion *c,
                                       const Substitution *s, const Utf8Value *value) {
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, 0)};
  const int rc = convert(db, utf8core_encode, c, s, value, &out);
  if (rc == SQLITE_OK) {
    utf8value_result_blob(ctx, out.bytes, out.used);
  } else {
    resultUnconverted(ctx, rc, &out);
  }
}

/* Sets the result to x, encoded. s is as in resultLongEncoded(). */
static void resultEncoded(sqlite3_context *ctx, Utf8Conversion *c,
                          const Substitution *s, sqlite3_value *x) {
  Utf8Value value;
  uint8_t out[SHORT_OUTPUT];
  size_t used;
  if (!utf8value_read_argument(ctx, &value, x)) return;
  c->dialect = utf8value_dialect(&value, UTF8_STRICT);
  if (convertShort(utf8core_encode, *c, &value, out, &used)) {
    sqlite3_result_blob64(ctx, out, used, SQLITE_TRANSIENT);
  } else {
    resultLongEncoded(ctx, c, s, &value);
  }
  utf8value_close(&value);
}

static void replacementError(sqlite3_context *ctx, Utf8Charset charset,
                             sqlite3_value *replacement) {
  char accepted[UTF8_ACCEPTED_MAX] = "";
  utf8charset_append_accepted(accepted, "text that %s can encode",
                              utf8core_charset_name(charset));
  utf8option_error(ctx, "utf8_to", 4, "replacement", accepted, replacement);
}

/* Like resultEncoded() for argv[0], with the replacement in argv[3]. */
static void resultReplaced(sqlite3_context *ctx, Utf8Conversion *c, Substitution *s,
                           sqlite3_value **argv) {
  Utf8Value text;
  if (!utf8option_text(ctx, "utf8_to", argv, 3, "replacement")) return;
  if (!utf8value_read_argument(ctx, &text, argv[3])) return;
  s->replacement = text.bytes;
  s->size = text.size;
  if (utf8charset_encodes(c->charset, text.bytes, text.size)) {
    resultEncoded(ctx, c, s, argv[0]);
  } else {
    replacementError(ctx, c->charset, argv[3]);
  }
  utf8value_close(&text);
}

void utf8sql_to(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Utf8Conversion c;
  Substitution s = {.replacement = (const uint8_t *)"?", .size = 1};
  int loss = UTF8_LOSS_REPLACE;
  if (!startConversion(ctx, "utf8_to", argv, &c)) return;
  if (argc > 2 && !utf8option_accept(ctx, "utf8_to", &utf8option_loss, argv, 2, &loss))
    return;
  s.loss = (Utf8Loss)loss;
  if (argc > 3) {
    resultReplaced(ctx, &c, &s, argv);
  } else {
    resultEncoded(ctx, &c, argc > 2 ? &s : NULL, argv[0]);
  }
}
