/* charsettest.c: compares utf8charset.c with a second definition of every charset
** (charsets.h), and checks what holds for any conversion: decoded text is well-formed,
** encoded text decodes to itself, and the room of the output buffer does not matter.
**
**     make check-charset
**
** Input and output are heap buffers of exactly their size, so that a sanitizer sees every
** byte read or written beyond them.
*/
#include "ctest.h"
#include "charsets.h"

#define INPUT_MAX 4096
#define BYTES_MAX (6 * (INPUT_MAX + 8))

/* ---- what is under test ---------------------------------------------------------------- */

static Utf8Charset charset;
static unsigned dialect; /* of the text to be encoded */
static int encoding;     /* or decoding */
static size_t room;

static size_t call(const uint8_t *in, size_t size, size_t *at, uint8_t *out) {
  return encoding ? utf8core_encode(charset, dialect, in, size, at, out, room)
                  : utf8core_decode(charset, dialect, in, size, at, out, room);
}

/* A buffer of exactly so much room; the last one is kept, as the next is often equal. */
static uint8_t *room_of(size_t wanted) {
  static uint8_t *out;
  static size_t size;
  if (out && size == wanted) return out;
  if (out) exact_free(out, size);
  return out = exact(size = wanted);
}

static uint8_t got[BYTES_MAX];

/* Converts in as many calls as it takes; *at becomes where it stopped. */
static size_t convert(const uint8_t *in, size_t size, size_t *at) {
  uint8_t *out = room_of(room);
  size_t n = 0, written;
  *at = 0;
  do {
    size_t before = *at;
    written = call(in, size, at, out);
    expect(written <= room, "stays within its room", in, size);
    expect(*at >= before && *at <= size, "moves on, and not too far", in, size);
    expect(*at > before || size == 0 || written == 0, "makes progress", in, size);
    if (written > room || *at < before || n + written > BYTES_MAX) break;
    memcpy(got + n, out, written);
    n += written;
  } while (*at < size && written > 0);
  return n;
}

static void expect_decoded(const uint8_t *in, size_t size) {
  static Codes due;
  static uint8_t utf8[BYTES_MAX];
  size_t n = 0, at;
  encoding = 0;
  read_charset(&due, charset, in, size);
  for (size_t i = 0; i < due.count; i++) n += utf8core_put(utf8 + n, due.code[i]);
  size_t written = convert(in, size, &at);
  expect(at == size, "decodes to the end", in, size);
  expect(written == n && memcmp(got, utf8, n) == 0, utf8core_charset_name(charset), in,
         size);
}

/* Encoded up to the first character that has no encoding, and no further. */
static void expect_encoded(const uint8_t *in, size_t size) {
  static uint8_t due[BYTES_MAX];
  const AbnfDialect *judge = &abnf_dialects[dialect == UTF8_FROM_UTF16 ? 6 : 0];
  size_t stop = 0, at, n = write_mark(charset, due);
  while (stop < size) {
    Utf8Step s = abnf_step(judge, in, size, stop);
    size_t length = write_code(charset, s.error ? BAD : s.codepoint, due + n);
    if (length == 0) break;
    n += length;
    stop += s.length;
  }
  encoding = 1;
  size_t written = convert(in, size, &at);
  expect(at == stop, "encodes as far as can be", in, size);
  expect(written == n && memcmp(got, due, n) == 0, utf8core_charset_name(charset), in,
         size);
}

static void for_all_charsets(void (*run)(void)) {
  dialect = UTF8_STRICT;
  room = 512;
  for (charset = 0; charset < UTF8_CHARSETS; charset++) run();
}

/* ---- short inputs, all of them ------------------------------------------------------------ */

/* How many bytes a unit has, and so what bytes short strings are made of. */
static size_t unit_of(Utf8Charset c) {
  if (c >= UTF8_CHARSET_UTF16 && c <= UTF8_CHARSET_UTF16BE) return 2;
  return c >= UTF8_CHARSET_UTF32 && c <= UTF8_CHARSET_UTF32BE ? 4 : 1;
}

static void decode_short_strings(void) {
  static const uint8_t halves[] = {0x00, 0x20, 0x41, 0xD8, 0xDB,
                                   0xDC, 0xDF, 0xFE, 0xFF};
  static const uint8_t quarters[] = {0x00, 0x10, 0x11, 0xD8, 0xFE, 0xFF};
  size_t unit = unit_of(charset);
  for (size_t size = 0; size <= 2; size++) with_each_byte_string(size, expect_decoded);
  for (size_t size = 3; unit == 2 && size <= 5; size++) {
    with_each(halves, sizeof halves, size, expect_decoded);
  }
  for (size_t size = 3; unit == 4 && size <= 6; size++) {
    with_each(quarters, sizeof quarters, size, expect_decoded);
  }
  if (unit == 1) with_each(edges, sizeof edges, 3, expect_decoded);
}

static void decodes_every_short_string(void) {
  for_all_charsets(decode_short_strings);
}

static void encode_short_strings(void) {
  for (size_t size = 0; size <= 2; size++) with_each_byte_string(size, expect_encoded);
  with_each(edges, sizeof edges, 3, expect_encoded);
}

static void encodes_every_short_string(void) {
  for_all_charsets(encode_short_strings);
}

/* ---- every code point ---------------------------------------------------------------------- */

/* A lone surrogate in UTF-8 is an error in every charset; the rest comes back. */
static void round_trip_each(void) {
  size_t has = 0;
  for (uint32_t code = 0; code <= 0x10FFFF; code += (uint32_t)test_stride()) {
    if (is_surrogate(code)) continue;
    uint8_t utf8[UTF8_OCTETS_MAX], out[UTF8_CHARSET_ROOM], back[UTF8_CHARSET_ROOM];
    size_t size = utf8core_put(utf8, code), at = 0;
    size_t n = utf8core_encode(charset, UTF8_STRICT, utf8, size, &at, out, sizeof out);
    if (at == 0) continue;
    has++;
    at = 0;
    size_t m = utf8core_decode(charset, UTF8_STRICT, out, n, &at, back, sizeof back);
    expect(at == n && m == size && memcmp(back, utf8, size) == 0,
           utf8core_charset_name(charset), utf8, size);
  }
  int isByte = charset == UTF8_CHARSET_LATIN1 || charset == UTF8_CHARSET_WINDOWS1252;
  size_t due = isByte ? 256 : charset == UTF8_CHARSET_ASCII ? 128 : 0x110000 - 0x800;
  expect(has == due || test_stride() > 1, "has so many characters", NULL, 0);
}

static void brings_every_code_point_back(void) {
  for_all_charsets(round_trip_each);
}

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

static void converts_random_pieces(void) {
  for_all_charsets(random_pieces);
}

/* Characters of one kind, and now and then of another: what bulk functions are made for
** and what stops them. */
static size_t random_script(uint8_t *text, size_t size) {
  static const uint32_t first[] = {0x20, 0xA0, 0x80, 0x410, 0x4E00, 0xD000, 0x1F600};
  uint32_t mostly = first[random_below(7)], often = 2 + random_below(60);
  size_t n = 0;
  while (size - n >= UTF8_OCTETS_MAX) {
    uint32_t from = random_below(often) ? mostly : first[random_below(7)];
    n += utf8core_put(text + n, from + random_below(from == 0x80 ? 32 : 64));
  }
  return n;
}

/* What it is encoded as is decoded as the second definition has it, to the same text. */
static void expect_comes_back(const uint8_t *in, size_t size) {
  uint8_t encoded[BYTES_MAX];
  size_t at;
  encoding = 1;
  size_t n = convert(in, size, &at);
  if (at < size || !abnf_valid(in, size)) return;
  memcpy(encoded, got, n);
  with_copy(encoded, n, expect_decoded);
  expect(memcmp(got, in, size) == 0, "comes back", in, size);
}

static void random_scripts(void) {
  uint8_t text[INPUT_MAX];
  for (uint32_t i = 0; i < 150; i++) {
    size_t size = random_script(text, 8 + random_below(400));
    with_copy(text, size, expect_encoded_and_decoded);
    for (size_t k = 0; k < ROOMS; k++) {
      room = rooms[k];
      with_copy(text, size, expect_comes_back);
    }
  }
}

static void converts_random_scripts(void) {
  for_all_charsets(random_scripts);
}

/* One stranger at every place among characters of one kind. */
static void strangers(void) {
  static const char *const kinds[] = {"a",        "\xC3\xA9",     "\xC2\x80",
                                      "\xD0\x96", "\xE4\xB8\xAD", "\xF0\x9F\x98\x80",
                                      "\0"};
  static const char *const odd[] = {"a",
                                    "\xC3\xA9",
                                    "\xC2\x80",
                                    "\xE2\x82\xAC",
                                    "\xEF\xBB\xBF",
                                    "\xF0\x9F\x98\x80",
                                    "\0",
                                    "\xED\x9F\xBF",
                                    "\xED\xA0\x80",
                                    "\xFF",
                                    "\xE2\x82"};
  uint8_t text[256];
  for (size_t kind = 0; kind < 7; kind++) {
    for (size_t stranger = 0; stranger < 11; stranger++) {
      for (size_t before = 0; before < 36; before++) {
        size_t size = 0;
        for (size_t i = 0; i < 36; i++) {
          const char *p = i == before ? odd[stranger] : kinds[kind];
          size_t length = *p ? strlen(p) : 1;
          memcpy(text + size, p, length);
          size += length;
        }
        room = UTF8_CHARSET_ROOM;
        with_copy(text, size, expect_encoded);
        with_copy(text, size, expect_comes_back);
      }
    }
  }
}

static void finds_a_stranger_at_every_place(void) {
  for_all_charsets(strangers);
}

static void random_bytes(void) {
  uint8_t bytes[INPUT_MAX];
  for (uint32_t i = 0; i < 300; i += (uint32_t)test_stride()) {
    size_t size = random_below(i < 290 ? 200 : INPUT_MAX);
    uint32_t range =
        i % 3 ? 256 : 32; /* few different: many whole characters of UTF-32 */
    for (size_t k = 0; k < size; k++) bytes[k] = (uint8_t)random_below(range);
    with_copy(bytes, size, expect_encoded_and_decoded);
  }
}

static void converts_random_bytes(void) {
  for_all_charsets(random_bytes);
}

/* ---- text from UTF-16, and what the header says ------------------------------------------------ */

static void from_utf16(void) {
  dialect = UTF8_FROM_UTF16;
  uint8_t text[INPUT_MAX];
  for (uint32_t i = 0; i < 100; i += (uint32_t)test_stride()) {
    size_t size = random_text(text, 1 + random_below(400), i % 11);
    with_copy(text, size, expect_encoded);
  }
  dialect = UTF8_STRICT;
}

static void counts_a_lone_surrogate_as_one_character(void) {
  for_all_charsets(from_utf16);
  static const uint8_t half[] = {0xED, 0xA0, 0x80};
  uint8_t out[UTF8_CHARSET_ROOM];
  size_t at = 0;
  size_t n = utf8core_encode(UTF8_CHARSET_UTF16BE, UTF8_FROM_UTF16, half, 3, &at, out,
                             sizeof out);
  expect(n == 2 && out[0] == 0xFF && out[1] == 0xFD, "one U+FFFD", half, 3);
}

/* UTF-16 of mostly one kind of character, surrogates of both halves among them, in pairs
** and alone; and its WTF-8. Returns the size of that, and of the units in *units_size. */
static size_t random_units(uint8_t *wtf8, uint8_t *units, size_t *units_size) {
  static const uint32_t kinds[] = {0x41, 0xE9, 0x4E00, 0xD800, 0xDC00, 0x1F600};
  uint32_t mostly = kinds[random_below(6)], before = 0;
  size_t n = 0, m = 0;
  for (size_t i = random_below(300); i > 0; i--) {
    uint32_t code = random_below(8) ? mostly : kinds[random_below(6)];
    if (code >> 10 == 0xDC00 >> 10 && before >> 10 == 0xD800 >> 10) code = 0x42;
    n += utf8core_put(wtf8 + n, code);
    m += write_utf16(units + m, code, charset != UTF8_CHARSET_UTF16LE);
    before = code;
  }
  *units_size = m;
  return n;
}

static void expect_units_back(void) {
  uint8_t wtf8[300 * 4], units[300 * 4], out[300 * 4 + UTF8_CHARSET_ROOM];
  size_t units_size, at = 0, size = random_units(wtf8, units, &units_size);
  size_t n = utf8core_encode(charset, UTF8_FROM_UTF16 | UTF8_SURROGATES, wtf8, size,
                             &at, out, sizeof out);
  expect(at == size && n == units_size && memcmp(out, units, n) == 0, "the same units",
         wtf8, size);
}

static void gives_lone_surrogates_back(void) {
  for (int i = 0; i < 2000; i++) {
    charset = i % 2 ? UTF8_CHARSET_UTF16LE : UTF8_CHARSET_UTF16BE;
    expect_units_back();
  }
}

/* The old definition of WTF-8: a unit at a time, and an odd last byte in three. */
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
  uint8_t due[2 * INPUT_MAX];
  size_t at, n = write_wtf8(due, in, size, charset != UTF8_CHARSET_UTF16LE);
  encoding = 0;
  dialect = UTF8_FROM_UTF16 | UTF8_SURROGATES;
  for (size_t i = 0; i < ROOMS; i++) {
    room = rooms[i];
    size_t written = convert(in, size, &at);
    expect(at == size, "decodes to the end", in, size);
    expect(written == n && memcmp(got, due, n) == 0, "the same WTF-8", in, size);
  }
  dialect = UTF8_STRICT;
}

static void decodes_any_units_to_wtf8(void) {
  static const uint8_t halves[] = {0x00, 0x41, 0xD8, 0xDB, 0xDC, 0xDF, 0xFF};
  uint8_t wtf8[300 * 4], units[300 * 4 + 1];
  for (size_t i = 0; i < 2; i++) {
    charset = i ? UTF8_CHARSET_UTF16LE : UTF8_CHARSET_UTF16BE;
    for (size_t size = 0; size <= 2; size++) with_each_byte_string(size, expect_wtf8);
    for (size_t size = 3; size <= 5; size++) with_each(halves, 7, size, expect_wtf8);
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

static void stops_at_what_has_no_encoding(void) {
  static const uint8_t text[] = {'1', '0', ' ', 0xE2, 0x82, 0xAC, '!'};
  uint8_t out[UTF8_CHARSET_ROOM];
  size_t at = 0;
  size_t n =
      utf8core_encode(UTF8_CHARSET_LATIN1, UTF8_STRICT, text, 7, &at, out, sizeof out);
  expect(n == 3 && at == 3, "writes what is before it", text, 7);
  n = utf8core_encode(UTF8_CHARSET_LATIN1, UTF8_STRICT, text, 7, &at, out, sizeof out);
  expect(n == 0 && at == 3, "then writes nothing", text, 7);
}

static void writes_a_mark_before_nothing(void) {
  uint8_t out[UTF8_CHARSET_ROOM];
  for (charset = 0; charset < UTF8_CHARSETS; charset++) {
    uint8_t mark[4];
    size_t at = 0, due = write_mark(charset, mark);
    size_t n = utf8core_encode(charset, UTF8_STRICT, NULL, 0, &at, out, sizeof out);
    expect(n == due && memcmp(out, mark, due) == 0, "the mark alone", out, n);
    expect(utf8core_decode(charset, UTF8_STRICT, NULL, 0, &at, out, sizeof out) == 0,
           "nothing", NULL, 0);
  }
}

/* ---- detection --------------------------------------------------------------------------------- */

/* Any bytes have an answer, and a charset that is named decodes them; the texts that it
** gets right are in detect.test and docs/detection.md. */
static void expect_detected(const uint8_t *bytes, size_t size) {
  Utf8Charset named = utf8core_detect(bytes, size);
  expect(named >= UTF8_CHARSET_BINARY && named < UTF8_CHARSETS, "an answer", bytes,
         size);
  if (named == UTF8_CHARSET_BINARY) return;
  charset = named;
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
    for (size_t k = 0; k < size; k++) {
      bytes[k] =
          (uint8_t)(k % step ? 0 : random_below(256)); /* zeros as in UTF-16, -32 */
    }
    with_copy(bytes, size, expect_detected);
  }
}

static const Test tests[] = {
    {"decodes every short string", decodes_every_short_string},
    {"encodes every short string", encodes_every_short_string},
    {"brings every code point back", brings_every_code_point_back},
    {"converts random pieces", converts_random_pieces},
    {"converts random scripts", converts_random_scripts},
    {"finds a stranger at every place", finds_a_stranger_at_every_place},
    {"converts random bytes", converts_random_bytes},
    {"counts a lone surrogate as one character",
     counts_a_lone_surrogate_as_one_character},
    {"gives lone surrogates back", gives_lone_surrogates_back},
    {"decodes any units to WTF-8", decodes_any_units_to_wtf8},
    {"stops at what has no encoding", stops_at_what_has_no_encoding},
    {"writes a mark before nothing", writes_a_mark_before_nothing},
    {"detects within the bytes", detects_within_the_bytes},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
