/* charsettest.c: compares charset/unicode.c with a second definition of every charset
** (charsets.h). Also checks that encoded text decodes to the original, and that the result
** does not depend on the room of the output buffer.
**
**     make check-charset
*/
#include "test/ctest.h"
#include "test/charsets.h"

#define INPUT_MAX 4096
#define BYTES_MAX (6 * (INPUT_MAX + 8))

/* ---- the conversion under test ---------------------------------------------------------- */

static Utf8Charset charset;
static unsigned dialect; /* of the UTF-8 text */
static int encoding;     /* 1: encode, 0: decode */
static size_t room;      /* of the output buffer */

static size_t call(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out) {
  return encoding ? utf8core_encode(c, in, size, out, room)
                  : utf8core_decode(c, in, size, out, room);
}

static uint8_t got[BYTES_MAX];
static size_t got_size;

static int got_is(const uint8_t *expected, size_t size) {
  return got_size == size && (size == 0 || memcmp(got, expected, size) == 0);
}

/* Converts in as many calls as the room requires. Stores the result in got[], and the offset
** at which the conversion stopped in *at. */
static void convert(const uint8_t *in, size_t size, size_t *at) {
  uint8_t *out = exact_again(room);
  Utf8Conversion c = {.charset = charset, .dialect = dialect};
  size_t n = 0, written;
  do {
    size_t before = c.at;
    written = call(&c, in, size, out);
    *at = c.at;
    expect(written <= room, "stays within its room", in, size);
    expect(*at >= before && *at <= size, "stays within the input", in, size);
    expect(*at > before || size == 0 || written == 0, "makes progress", in, size);
    if (written > room || *at < before || n + written > BYTES_MAX) break;
    memcpy(got + n, out, written);
    n += written;
  } while (*at < size && written > 0);
  got_size = n;
}

static void expect_decoded(const uint8_t *in, size_t size) {
  static Codes codes;
  static uint8_t expected[BYTES_MAX];
  size_t n = 0, at;
  encoding = 0;
  read_charset(&codes, charset, in, size);
  for (size_t i = 0; i < codes.count; i++)
    n += utf8core_put(expected + n, codes.code[i]);
  convert(in, size, &at);
  expect(at == size, "decodes to the end", in, size);
  expect(got_is(expected, n), utf8core_charset_name(charset), in, size);
}

/* Expects `in` to be encoded as charsets.h encodes it, up to the first code point that the
** charset lacks. */
static void expect_encoded(const uint8_t *in, size_t size) {
  static uint8_t expected[BYTES_MAX];
  const AbnfDialect *utf8 = &abnf_dialects[dialect == UTF8_FROM_UTF16 ? 6 : 0];
  size_t stop = 0, at, n = write_mark(charset, expected);
  while (stop < size) {
    Utf8Step s = abnf_step(utf8, in, size, stop);
    uint32_t code = s.error ? REPLACEMENT_CHARACTER : s.codepoint;
    size_t length = write_code(charset, code, expected + n);
    if (length == 0) break;
    n += length;
    stop += s.length;
  }
  encoding = 1;
  convert(in, size, &at);
  expect(at == stop, "stops at a code point without an encoding", in, size);
  expect(got_is(expected, n), utf8core_charset_name(charset), in, size);
}

static void for_all_charsets(void (*run)(void)) {
  dialect = UTF8_STRICT;
  room = 512;
  for (charset = 0; charset < CHARSETS_DEFINED; charset++) run();
}

/* ---- all short inputs ---------------------------------------------------------------------- */

static size_t unit_of(Utf8Charset c) {
  if (c >= UTF8_CHARSET_UTF16 && c <= UTF8_CHARSET_UTF16BE) return 2;
  return c >= UTF8_CHARSET_UTF32 && c <= UTF8_CHARSET_UTF32BE ? 4 : 1;
}

static void decode_short_strings(void) {
  static const uint8_t utf16[] = {0x00, 0x20, 0x41, 0xD8, 0xDB, 0xDC, 0xDF, 0xFE, 0xFF};
  static const uint8_t utf32[] = {0x00, 0x10, 0x11, 0xD8, 0xFE, 0xFF};
  size_t unit = unit_of(charset);
  for (size_t size = 0; size <= 2; size++) with_each_byte_string(size, expect_decoded);
  for (size_t size = 3; unit == 2 && size <= 5; size++) {
    with_each(utf16, sizeof utf16, size, expect_decoded);
  }
  for (size_t size = 3; unit == 4 && size <= 6; size++) {
    with_each(utf32, sizeof utf32, size, expect_decoded);
  }
  if (unit == 1) with_each(edges, sizeof edges, 3, expect_decoded);
}
TEST_OF(decodes_every_short_string, for_all_charsets(decode_short_strings))

static void encode_short_strings(void) {
  for (size_t size = 0; size <= 2; size++) with_each_byte_string(size, expect_encoded);
  with_each(edges, sizeof edges, 3, expect_encoded);
}
TEST_OF(encodes_every_short_string, for_all_charsets(encode_short_strings))

/* ---- every code point ---------------------------------------------------------------------- */

/* Expects every scalar value that the charset has to decode to itself. */
static void round_trip_each(void) {
  size_t count = 0;
  for (uint32_t code = 0; code <= 0x10FFFF; code += (uint32_t)test_stride()) {
    if (is_surrogate(code)) continue;
    uint8_t utf8[UTF8_OCTETS_MAX], out[UTF8_CHARSET_ROOM], back[UTF8_CHARSET_ROOM];
    size_t size = utf8core_put(utf8, code);
    Utf8Conversion to = {.charset = charset}, from = to;
    size_t n = utf8core_encode(&to, utf8, size, out, sizeof out);
    if (to.at == 0) continue;
    count++;
    size_t m = utf8core_decode(&from, out, n, back, sizeof back);
    expect(from.at == n && m == size && memcmp(back, utf8, size) == 0,
           utf8core_charset_name(charset), utf8, size);
  }
  int isByte = charset == UTF8_CHARSET_LATIN1 || charset == UTF8_CHARSET_WINDOWS1252;
  size_t expected = isByte                          ? 256
                    : charset == UTF8_CHARSET_ASCII ? 128
                                                    : 0x110000 - 0x800;
  expect_that(count == expected || test_stride() > 1, "number of code points");
}
TEST_OF(round_trips_every_code_point, for_all_charsets(round_trip_each))

/* ---- long inputs ---------------------------------------------------------------------------- */

static const size_t rooms[] = {
    UTF8_CHARSET_ROOM, UTF8_CHARSET_ROOM + 1, UTF8_CHARSET_ROOM + 9, 200, 1000,
    BYTES_MAX};
#define ROOMS (sizeof rooms / sizeof *rooms)

static void expect_encoded_and_decoded(const uint8_t *in, size_t size) {
  for (size_t i = 0; i < ROOMS; i++) {
    room = rooms[i];
    expect_encoded(in, size);
    expect_decoded(in, size);
  }
}

static void random_pieces(void) {
  uint8_t text[INPUT_MAX];
  for (uint32_t i = 0; i < 200; i += (uint32_t)test_stride()) {
    size_t size =
        random_text(text, 1 + random_below(i < 180 ? 400 : INPUT_MAX), i % 11);
    with_copy(text, size, expect_encoded_and_decoded);
  }
}
TEST_OF(converts_random_pieces, for_all_charsets(random_pieces))

/* Fills text with code points of one range, and a few of another: kernels convert the first
** in bulk, and stop at the others. Returns the size. */
static size_t random_script(uint8_t *text, size_t size) {
  static const uint32_t first[] = {0x20, 0xA0, 0x80, 0x410, 0x4E00, 0xD000, 0x1F600};
  uint32_t usual = first[random_below(7)], often = 2 + random_below(60);
  size_t n = 0;
  while (size - n >= UTF8_OCTETS_MAX) {
    uint32_t from = random_below(often) ? usual : first[random_below(7)];
    n += utf8core_put(text + n, from + random_below(from == 0x80 ? 32 : 64));
  }
  return n;
}

/* Encodes `in` and expects the result to decode to `in`. Does nothing if `in` is ill-formed
** or has a code point that the charset lacks. */
static void expect_round_trip(const uint8_t *in, size_t size) {
  static uint8_t encoded[BYTES_MAX];
  size_t at;
  encoding = 1;
  convert(in, size, &at);
  if (at < size || !abnf_valid(in, size)) return;
  memcpy(encoded, got, got_size);
  with_copy(encoded, got_size, expect_decoded);
  expect(got_is(in, size), "round trip", in, size);
}

static void random_scripts(void) {
  uint8_t text[INPUT_MAX];
  for (uint32_t i = 0; i < 150; i++) {
    size_t size = random_script(text, 8 + random_below(400));
    with_copy(text, size, expect_encoded_and_decoded);
    for (size_t k = 0; k < ROOMS; k++) {
      room = rooms[k];
      with_copy(text, size, expect_round_trip);
    }
  }
}
TEST_OF(converts_random_scripts, for_all_charsets(random_scripts))

enum { COPIES = 140 }; /* more than two blocks of a kernel */

static void exceptions(void) {
  static const char usual[] =
      "a|\xC3\xA9|\xC2\x80|\xD0\x96|\xE4\xB8\xAD|\xF0\x9F\x98\x80|";
  static const char exception[] =
      "a|\xC3\xA9|\xC2\x80|\xE2\x82\xAC|\xEF\xBB\xBF|\xF0\x9F\x98\x80||\xED\x9F\xBF|"
      "\xED\xA0\x80|\xFF|\xE2\x82";
  uint8_t text[4 * COPIES];
  char usually[WORD_MAX], once[WORD_MAX];
  for (uint32_t u = 0; word_of(usual, u, usually); u++) {
    for (uint32_t e = 0; word_of(exception, e, once); e++) {
      for (size_t position = 0; position < COPIES; position += test_stride()) {
        size_t size = 0;
        for (size_t i = 0; i < COPIES; i++) {
          const char *p = i == position ? once : usually;
          size_t length = *p ? strlen(p) : 1;
          memcpy(text + size, p, length);
          size += length;
        }
        room = position % 4 ? BYTES_MAX : UTF8_CHARSET_ROOM;
        with_copy(text, size, expect_encoded);
        with_copy(text, size, expect_round_trip);
      }
    }
  }
}
TEST_OF(handles_exceptions, for_all_charsets(exceptions))

/* Puts a surrogate at every position among code points below it in UTF-32. */
static void utf32_with_a_surrogate(void) {
  static const uint16_t usual[] = {0x41, 0xE9, 0x416, 0x4E2D};
  uint8_t bytes[4 * COPIES];
  const int big = charset == UTF8_CHARSET_UTF32BE;
  for (size_t u = 0; u < 4; u++)
    for (size_t position = 0; position < COPIES; position += test_stride()) {
      memset(bytes, 0, sizeof bytes);
      for (size_t i = 0; i < COPIES; i++) {
        const uint16_t code = i == position ? 0xD900 : usual[u];
        bytes[4 * i + (big ? 2 : 1)] = (uint8_t)(code >> 8);
        bytes[4 * i + (big ? 3 : 0)] = (uint8_t)code;
      }
      with_copy(bytes, sizeof bytes, expect_decoded);
    }
}

static void finds_surrogates_in_utf32(void) {
  room = BYTES_MAX;
  dialect = UTF8_STRICT;
  for (charset = UTF8_CHARSET_UTF32LE; charset <= UTF8_CHARSET_UTF32BE; charset++)
    utf32_with_a_surrogate();
}

static void random_bytes(void) {
  uint8_t bytes[INPUT_MAX];
  for (uint32_t i = 0; i < 300; i += (uint32_t)test_stride()) {
    size_t size = random_below(i < 290 ? 200 : INPUT_MAX);
    uint32_t range = i % 3 ? 256 : 32; /* small bytes: valid code units of UTF-32 */
    for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)random_below(range);
    with_copy(bytes, size, expect_encoded_and_decoded);
  }
}
TEST_OF(converts_random_bytes, for_all_charsets(random_bytes))

/* ---- text from UTF-16, and promises of the header ---------------------------------------------- */

static void from_utf16(void) {
  dialect = UTF8_FROM_UTF16;
  uint8_t text[INPUT_MAX];
  for (uint32_t i = 0; i < 100; i += (uint32_t)test_stride()) {
    size_t size = random_text(text, 1 + random_below(400), i % 11);
    with_copy(text, size, expect_encoded);
  }
  dialect = UTF8_STRICT;
}

static void encodes_lone_surrogates_as_one_error(void) {
  for_all_charsets(from_utf16);
  static const uint8_t high[] = {0xED, 0xA0, 0x80};
  uint8_t out[UTF8_CHARSET_ROOM];
  Utf8Conversion c = {.charset = UTF8_CHARSET_UTF16BE, .dialect = UTF8_FROM_UTF16};
  size_t n = utf8core_encode(&c, high, 3, out, sizeof out);
  expect(n == 2 && out[0] == 0xFF && out[1] == 0xFD, "one U+FFFD", high, 3);
}

/* Stores random UTF-16 in units, with pairs and lone surrogates, and its WTF-8. Returns the
** size of the WTF-8; *units_size becomes that of the units, in bytes. */
static size_t random_units(uint8_t *wtf8, uint8_t *units, size_t *units_size) {
  static const uint32_t codes[] = {0x41, 0xE9, 0x4E00, 0xD800, 0xDC00, 0x1F600};
  uint32_t usual = codes[random_below(6)], before = 0;
  size_t n = 0, m = 0;
  for (size_t i = random_below(300); i > 0; i--) {
    uint32_t code = random_below(8) ? usual : codes[random_below(6)];
    if (code >> 10 == 0xDC00 >> 10 && before >> 10 == 0xD800 >> 10) code = 0x42;
    n += utf8core_put(wtf8 + n, code);
    m += write_utf16(units + m, code, charset != UTF8_CHARSET_UTF16LE);
    before = code;
  }
  *units_size = m;
  return n;
}

static void expect_same_units(void) {
  uint8_t wtf8[300 * 4], units[300 * 4], out[300 * 4 + UTF8_CHARSET_ROOM];
  size_t units_size, size = random_units(wtf8, units, &units_size);
  Utf8Conversion c = {.charset = charset, .dialect = UTF8_FROM_UTF16 | UTF8_SURROGATES};
  size_t n = utf8core_encode(&c, wtf8, size, out, sizeof out);
  expect(c.at == size && n == units_size && memcmp(out, units, n) == 0,
         "the same units", wtf8, size);
}

static void encodes_lone_surrogates(void) {
  for (int i = 0; i < 2000; i++) {
    charset = i % 2 ? UTF8_CHARSET_UTF16LE : UTF8_CHARSET_UTF16BE;
    expect_same_units();
  }
}

/* Converts UTF-16 to WTF-8 one code unit at a time. An odd last byte becomes the three bytes
** of UTF8_ODD_BYTES. Returns the length. */
static size_t write_wtf8(uint8_t *out, const uint8_t *in, size_t size, int big) {
  size_t n = 0, at = 0;
  while (size - at >= 2) {
    uint32_t unit[2] = {0, 0};
    for (size_t k = 0; k < 2 && size - at >= 2 * k + 2; k++) {
      const uint8_t *p = in + at + 2 * k;
      unit[k] = big ? p[0] * 256u + p[1] : p[1] * 256u + p[0];
    }
    int pair = unit[0] >> 10 == 0xD800 >> 10 && unit[1] >> 10 == 0xDC00 >> 10;
    uint32_t joined = 0x10000 + (unit[0] & 0x3FF) * 0x400 + (unit[1] & 0x3FF);
    n += utf8core_put(out + n, pair ? joined : unit[0]);
    at += pair ? 4 : 2;
  }
  if (at == size) return n;
  out[n] = 0xF1, out[n + 1] = 0x80 | in[at] >> 6, out[n + 2] = 0x80 | (in[at] & 0x3F);
  return n + 3;
}

static void expect_wtf8(const uint8_t *in, size_t size) {
  uint8_t expected[2 * INPUT_MAX];
  size_t at, n = write_wtf8(expected, in, size, charset != UTF8_CHARSET_UTF16LE);
  encoding = 0;
  dialect = UTF8_FROM_UTF16 | UTF8_SURROGATES;
  for (size_t i = 0; i < ROOMS; i++) {
    room = rooms[i];
    convert(in, size, &at);
    expect(at == size, "decodes to the end", in, size);
    expect(got_is(expected, n), "the same WTF-8", in, size);
  }
  dialect = UTF8_STRICT;
}

static void decodes_any_units_to_wtf8(void) {
  static const uint8_t bytes[] = {0x00, 0x41, 0xD8, 0xDB, 0xDC, 0xDF, 0xFF};
  uint8_t wtf8[300 * 4], units[300 * 4 + 1];
  for (size_t i = 0; i < 2; i++) {
    charset = i ? UTF8_CHARSET_UTF16LE : UTF8_CHARSET_UTF16BE;
    for (size_t size = 0; size <= 2; size++) with_each_byte_string(size, expect_wtf8);
    for (size_t size = 3; size <= 5; size++) with_each(bytes, 7, size, expect_wtf8);
    for (size_t k = 0; k < 1000; k++) {
      size_t size;
      random_units(wtf8, units, &size);
      units[size] = (uint8_t)random_below(256);
      with_copy(units, size + k % 2, expect_wtf8);
      for (size_t n = 0; n < size; n += 1 + random_below(9)) units[n] = 0xDA;
      with_copy(units, size + k % 2, expect_wtf8);
    }
  }
}

static void stops_without_an_encoding(void) {
  static const uint8_t text[] = {'1', '0', ' ', 0xE2, 0x82, 0xAC, '!'};
  uint8_t out[UTF8_CHARSET_ROOM];
  Utf8Conversion c = {.charset = UTF8_CHARSET_LATIN1};
  size_t n = utf8core_encode(&c, text, 7, out, sizeof out);
  expect(n == 3 && c.at == 3, "writes the text before it", text, 7);
  n = utf8core_encode(&c, text, 7, out, sizeof out);
  expect(n == 0 && c.at == 3, "then writes nothing", text, 7);
}

static void converts_empty_text(void) {
  uint8_t out[UTF8_CHARSET_ROOM];
  for (charset = 0; charset < CHARSETS_DEFINED; charset++) {
    uint8_t mark[4];
    size_t expected = write_mark(charset, mark);
    Utf8Conversion to = {.charset = charset}, from = to;
    size_t n = utf8core_encode(&to, NULL, 0, out, sizeof out);
    expect(n == expected && memcmp(out, mark, n) == 0, "the mark alone", out, n);
    expect_that(utf8core_decode(&from, NULL, 0, out, sizeof out) == 0, "nothing");
  }
}

static void describes_charsets_only(void) {
  expect_that(!utf8core_charset(UTF8_CHARSET_BINARY), "binary has no row");
  for (charset = 0; charset < UTF8_CHARSETS; charset++)
    expect_that(utf8core_charset(charset)->name[0] != 0, "a row has a name");
}

/* ---- detection --------------------------------------------------------------------------------- */

/* Expects utf8core_detect() to return a charset or UTF8_CHARSET_BINARY. detect.test checks
** which one. */
static void expect_detected(const uint8_t *bytes, size_t size) {
  Utf8Charset detected = utf8core_detect(bytes, size);
  expect(detected >= UTF8_CHARSET_BINARY && detected < UTF8_CHARSETS, "a charset",
         bytes, size);
  if (detected == UTF8_CHARSET_BINARY || detected >= CHARSETS_DEFINED) return;
  charset = detected;
  expect_decoded(bytes, size);
}

static void detects_within_the_bytes(void) {
  static const uint8_t units[] = {0x00, 0x20, 0x41, 0x4E, 0xD8, 0xDC, 0xFE, 0xFF};
  uint8_t bytes[600];
  room = BYTES_MAX;
  for (size_t size = 0; size <= 6; size++) with_each(units, 8, size, expect_detected);
  for (size_t size = 1; size <= 2; size++) with_each_byte_string(size, expect_detected);
  for (uint32_t i = 0; i < 2000; i++) {
    size_t size = random_below(sizeof bytes), step = 1 + i % 4;
    for (size_t k = 0; k < size; k++) { /* zeros as in UTF-16 and UTF-32 */
      bytes[k] = (uint8_t)(k % step ? 0 : random_below(256));
    }
    with_copy(bytes, size, expect_detected);
  }
}

static const Test tests[] = {
    {"decodes every short string", decodes_every_short_string},
    {"encodes every short string", encodes_every_short_string},
    {"round-trips every code point", round_trips_every_code_point},
    {"converts random pieces", converts_random_pieces},
    {"converts random scripts", converts_random_scripts},
    {"handles one exception at every position", handles_exceptions},
    {"converts random bytes", converts_random_bytes},
    {"encodes a lone surrogate as one U+FFFD", encodes_lone_surrogates_as_one_error},
    {"encodes lone surrogates from WTF-8", encodes_lone_surrogates},
    {"decodes any UTF-16 to WTF-8", decodes_any_units_to_wtf8},
    {"stops at a code point without an encoding", stops_without_an_encoding},
    {"converts empty text", converts_empty_text},
    {"finds surrogates in UTF-32", finds_surrogates_in_utf32},
    {"describes charsets only", describes_charsets_only},
    {"detects a charset without an over-read", detects_within_the_bytes},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
