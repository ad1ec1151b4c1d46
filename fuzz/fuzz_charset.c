/* fuzz_charset.c: compares utf8core_decode() and utf8core_encode() with test/charsets.h. See
** fuzz.h.
**
** Every other charset is tested by what holds for all: a text in pieces is converted like a whole
** one, decoding gives well-formed text, and what was encoded comes back.
**
** a selects the charset, b the dialect of the text to encode and the size of pieces, c the size of
** the output buffer; a and b together one of all charsets.
*/
#include "fuzz/fuzz.h"

/* No charset needs more than 6 bytes per code point. */
#define OUT_MAX ((size_t)6 * CODES_MAX)

/* No charset needs more than 8 bytes for a byte, in either direction. */
#define WHOLE_MAX ((size_t)8 * CODES_MAX)

typedef struct Expected {
  uint8_t bytes[OUT_MAX];
  size_t size;
  size_t at; /* where the conversion stops in the input */
} Expected;

static Utf8Charset charset;
static const AbnfDialect *dialect; /* of the text to encode */
static size_t room;
static Expected decoded, encoded;

/* ---- the expected results ------------------------------------------------------------ */

static void expect_decoded(const FuzzInput *in) {
  static Codes codes;
  read_charset(&codes, charset, in->text, in->size);
  decoded.size = 0;
  decoded.at = in->size;
  for (size_t i = 0; i < codes.count; i++) {
    decoded.size += abnf_encode(ABNF_UTF8, codes.code[i], decoded.bytes + decoded.size);
  }
}

static void expect_encoded(const FuzzInput *in) {
  encoded.size = write_mark(charset, encoded.bytes);
  encoded.at = 0;
  while (encoded.at < in->size) {
    Utf8Step s = abnf_step(dialect, in->text, in->size, encoded.at);
    uint8_t *end = encoded.bytes + encoded.size;
    size_t written =
        write_code(charset, s.error ? REPLACEMENT_CHARACTER : s.codepoint, end);
    if (written == 0) return;
    encoded.size += written;
    encoded.at += s.length;
  }
}

/* UTF-16 is also encoded from text whose lone surrogates were code units of UTF-16. */
static const AbnfDialect *choose_dialect(const FuzzInput *in) {
  const int is_utf16 = charset >= UTF8_CHARSET_UTF16 && charset <= UTF8_CHARSET_UTF16BE;
  if (in->b % 3 == 0 || !abnf_is_from_utf16(in->text, in->size)) {
    return &abnf_dialects[0];
  }
  return &abnf_dialects[in->b % 3 == 2 && is_utf16 ? 7 : 6];
}

/* ---- the comparison ------------------------------------------------------------------ */

/* utf8core_decode() or utf8core_encode(). */
typedef size_t Convert(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                       size_t room);

static void check_conversion(Convert *convert, const uint8_t *text, size_t size,
                             const Expected *expected) {
  static uint8_t got[OUT_MAX];
  uint8_t *out = fuzz_alloc(room);
  Utf8Conversion c = {.charset = charset};
  if (convert == utf8core_encode) c.dialect = dialect->flags;
  size_t at = 0, n = 0, written;
  do {
    const size_t before = at;
    written = convert(&c, text, size, out, room);
    at = c.at;
    HOLDS(written <= room && n + written <= OUT_MAX);
    HOLDS(at >= before && at <= size);
    HOLDS(at > before || size == 0 || written == 0);
    memcpy(got + n, out, written);
    n += written;
  } while (at < size && written > 0);
  free(out);
  HOLDS(at == expected->at);
  HOLDS(n == expected->size && memcmp(got, expected->bytes, n) == 0);
}

/* Returns the size of the next piece of a text: fuzz bits choose small ones, or many of a size. */
static size_t next_piece(const FuzzInput *in, size_t left, unsigned *bits) {
  *bits = *bits * 1103515245u + 12345u;
  const size_t n = in->b < 64 ? *bits >> 16 & 3 : *bits >> 16 & in->b;
  return n < left ? n : left;
}

/* Converts a text in pieces, and expects the bytes, the errors and the end of a whole call. Every
** charset has its turn, not only those of test/charsets.h. */
static void check_pieces(const FuzzInput *in, Convert *convert, Utf8Charset which) {
  static uint8_t got[WHOLE_MAX], due[WHOLE_MAX];
  const unsigned flags = convert == utf8core_encode ? dialect->flags : UTF8_STRICT;
  Utf8Conversion whole = {.charset = which, .dialect = flags, .counts_errors = 1};
  Utf8Conversion c = whole;
  const size_t due_size = convert(&whole, in->text, in->size, due, sizeof due);
  uint8_t *out = fuzz_alloc(room);
  size_t n = 0, start = 0, written = 0;
  unsigned bits = (unsigned)in->c;
  do {
    const size_t size = next_piece(in, in->size - start, &bits);
    c.continues = start + size < in->size;
    c.at = 0;
    do {
      const size_t before = c.at;
      written = convert(&c, in->text + start, size, out, room);
      HOLDS(written <= room && c.at >= before && c.at <= size &&
            c.held < sizeof c.bytes);
      HOLDS(n + written <= due_size);
      memcpy(got + n, out, written);
      n += written;
    } while (c.at < size && written > 0);
    if (c.at < size) break;
    start += size;
    c.at = 0;
  } while (c.continues);
  free(out);
  HOLDS(n == due_size && memcmp(got, due, n) == 0);
  HOLDS(start + c.at - c.held == whole.at && c.errors == whole.errors);
}

/* If all of a well-formed text was encoded, decoding the result gives the text again. */
static void check_round_trip(const FuzzInput *in) {
  if (encoded.at < in->size || !abnf_valid(in->text, in->size)) return;
  static Expected original;
  memcpy(original.bytes, in->text, in->size);
  original.size = in->size;
  original.at = encoded.size;
  uint8_t *copy = fuzz_alloc(encoded.size);
  memcpy(copy, encoded.bytes, encoded.size);
  check_conversion(utf8core_decode, copy, encoded.size, &original);
  free(copy);
}

/* Converts a whole text in one call. Returns the number of errors, or -1 if it stopped early. */
static int64_t convert_at_once(Convert *convert, Utf8Charset which, const uint8_t *text,
                               size_t size, uint8_t *out, size_t *n) {
  Utf8Conversion c = {.charset = which, .counts_errors = 1};
  *n = convert(&c, text, size, out, WHOLE_MAX);
  return c.at == size ? (int64_t)c.errors : -1;
}

/* Removes U+FFFD and what the charset lacks from a well-formed text. Returns its size. */
static size_t keep_encodable(Utf8Charset which, uint8_t *text, size_t size) {
  static uint8_t out[UTF8_CHARSET_ROOM];
  size_t n = 0;
  for (size_t at = 0, length; at < size; at += length) {
    const Utf8Step s = abnf_step(&abnf_dialects[0], text, size, at);
    Utf8Conversion c = {.charset = which};
    length = s.length;
    HOLDS(!s.error);
    utf8core_encode(&c, text + at, length, out, sizeof out);
    if (s.codepoint == REPLACEMENT_CHARACTER || c.at < length) continue;
    memmove(text + n, text + at, length);
    n += length;
  }
  return n;
}

/* What is decoded is well-formed. What can be encoded of it comes back without errors, and is
** encoded in the same bytes again: encoders may fold characters, as iso-2022-jp does katakana. */
static void check_any(const FuzzInput *in, Utf8Charset which) {
  static uint8_t text[WHOLE_MAX], bytes[WHOLE_MAX], back[WHOLE_MAX], again[WHOLE_MAX];
  size_t n, size, back_size, again_size;
  HOLDS(convert_at_once(utf8core_decode, which, in->text, in->size, text, &n) >= 0);
  n = keep_encodable(which, text, n);
  if (convert_at_once(utf8core_encode, which, text, n, bytes, &size) < 0) return;
  HOLDS(convert_at_once(utf8core_decode, which, bytes, size, back, &back_size) == 0);
  HOLDS(convert_at_once(utf8core_encode, which, back, back_size, again, &again_size) ==
        0);
  HOLDS(again_size == size && memcmp(again, bytes, size) == 0);
}

static void check(const FuzzInput *in) {
  check_conversion(utf8core_decode, in->text, in->size, &decoded);
  check_conversion(utf8core_encode, in->text, in->size, &encoded);
  check_round_trip(in);
  const Utf8Charset any = (Utf8Charset)((in->a + in->b * 7) % UTF8_CHARSETS);
  check_any(in, any);
  check_pieces(in, utf8core_decode, any);
  check_pieces(in, utf8core_encode, any);
  check_pieces(in, utf8core_decode, charset);
  check_pieces(in, utf8core_encode, charset);
}

static void fuzz_input(const FuzzInput *in) {
  charset = (Utf8Charset)(in->a % CHARSETS_DEFINED);
  dialect = choose_dialect(in);
  room = fuzz_room(in, UTF8_CHARSET_ROOM);
  expect_decoded(in);
  expect_encoded(in);
  fuzz_each_kernel(check, in);
}
