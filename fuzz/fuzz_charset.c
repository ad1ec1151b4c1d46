/* fuzz_charset.c: compares utf8core_decode() and utf8core_encode() with test/charsets.h. See
** fuzz.h.
**
** a selects the charset, b the dialect of the text to encode, c the size of the output buffer.
*/
#include "fuzz/fuzz.h"

/* No charset needs more than 6 bytes per code point. */
#define OUT_MAX ((size_t)6 * CODES_MAX)

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

static void check(const FuzzInput *in) {
  check_conversion(utf8core_decode, in->text, in->size, &decoded);
  check_conversion(utf8core_encode, in->text, in->size, &encoded);
  check_round_trip(in);
}

static void fuzz_input(const FuzzInput *in) {
  charset = (Utf8Charset)(in->a % CHARSETS_DEFINED);
  dialect = choose_dialect(in);
  room = fuzz_room(in, UTF8_CHARSET_ROOM);
  expect_decoded(in);
  expect_encoded(in);
  fuzz_each_kernel(check, in);
}
