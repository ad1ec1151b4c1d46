/* charsettest.c: utf8charset.c against a second definition of every charset, and against
** what holds for any conversion: decoded text is well-formed, what was encoded decodes to
** itself, and it makes no difference how little room there is.
**
**     make check-charset
**
** The second definition is slow and literal. UTF-16 is the WHATWG Encoding Standard's
** handler (§14.2.1), a byte at a time; the dialects of UTF-8 are the forms of abnf.h; the
** charsets of bytes are tables. Input and output stand in heap buffers of exactly their
** size, for a sanitizer to see every byte read or written beyond.
*/
#include "ctest.h"

#define INPUT_MAX 4096
#define CODES_MAX (INPUT_MAX + 8)
#define BYTES_MAX (6 * CODES_MAX)

/* ---- the second definition ------------------------------------------------------------ */

typedef struct Codes {
  uint32_t code[CODES_MAX];
  size_t count;
} Codes;

static void push(Codes *codes, uint32_t code) {
  codes->code[codes->count++] = code;
}

#define BAD 0xFFFD

static int is_surrogate(uint32_t code) {
  return code >= 0xD800 && code <= 0xDFFF;
}

/* WHATWG's shared UTF-16 decoder: a lead byte and a lead surrogate are kept. */
static void read_utf16(Codes *codes, const uint8_t *in, size_t size, int big) {
  int32_t byte = -1, half = -1;
  for (size_t i = 0; i < size; i++) {
    if (byte < 0) {
      byte = in[i];
      continue;
    }
    uint32_t unit = big ? (uint32_t)byte * 256 + in[i] : in[i] * 256u + (uint32_t)byte;
    byte = -1;
    if (half >= 0) {
      uint32_t lead = (uint32_t)half;
      half = -1;
      if (unit >= 0xDC00 && unit <= 0xDFFF) {
        push(codes, 0x10000 + (lead - 0xD800) * 0x400 + (unit - 0xDC00));
        continue;
      }
      push(codes, BAD);
    }
    if (unit >= 0xD800 && unit <= 0xDBFF) {
      half = (int32_t)unit;
    } else {
      push(codes, is_surrogate(unit) ? BAD : unit);
    }
  }
  if (byte >= 0 || half >= 0) push(codes, BAD);
}

static void read_utf32(Codes *codes, const uint8_t *in, size_t size, int big) {
  for (size_t i = 0; i < size; i += 4) {
    uint32_t unit = 0;
    for (size_t k = 0; k < 4 && i + k < size; k++) {
      unit |= (uint32_t)in[i + k] << (big ? 24 - 8 * k : 8 * k);
    }
    int bad = size - i < 4 || unit > 0x10FFFF || is_surrogate(unit);
    push(codes, bad ? BAD : unit);
  }
}

static uint32_t byte_means(Utf8Charset charset, uint8_t byte) {
  if (charset == UTF8_CHARSET_ASCII && byte >= 0x80) return BAD;
  if (charset == UTF8_CHARSET_WINDOWS1252 && byte >= 0x80 && byte < 0xA0) {
    return abnf_windows1252[byte - 0x80];
  }
  return byte;
}

static void read_bytes(Codes *codes, const uint8_t *in, size_t size,
                       Utf8Charset charset) {
  for (size_t i = 0; i < size; i++) push(codes, byte_means(charset, in[i]));
}

static const AbnfDialect *dialect_of(Utf8Charset charset) {
  switch (charset) {
  case UTF8_CHARSET_RFC2044:
    return &abnf_dialects[1];
  case UTF8_CHARSET_CESU8:
    return &abnf_dialects[2];
  case UTF8_CHARSET_MUTF8:
    return &abnf_dialects[3];
  case UTF8_CHARSET_WTF8:
    return &abnf_dialects[4];
  default:
    return &abnf_dialects[0];
  }
}

static void read_dialect(Codes *codes, const uint8_t *in, size_t size,
                         const AbnfDialect *dialect) {
  for (size_t at = 0; at < size;) {
    Utf8Step s = abnf_step(dialect, in, size, at);
    int bad = s.error || s.codepoint > 0x10FFFF || is_surrogate(s.codepoint);
    push(codes, bad ? BAD : s.codepoint);
    at += s.length;
  }
}

static int starts(const uint8_t *in, size_t size, const char *mark, size_t n) {
  return size >= n && memcmp(in, mark, n) == 0;
}

static void read_charset(Codes *codes, Utf8Charset charset, const uint8_t *in,
                         size_t size) {
  codes->count = 0;
  switch (charset) {
  case UTF8_CHARSET_UTF8BOM:
    if (starts(in, size, "\xEF\xBB\xBF", 3)) in += 3, size -= 3;
    read_dialect(codes, in, size, dialect_of(charset));
    break;
  case UTF8_CHARSET_UTF16:
    if (starts(in, size, "\xFF\xFE", 2)) {
      read_utf16(codes, in + 2, size - 2, 0);
    } else {
      int mark = starts(in, size, "\xFE\xFF", 2);
      read_utf16(codes, in + 2 * mark, size - (size_t)(2 * mark), 1);
    }
    break;
  case UTF8_CHARSET_UTF16LE:
  case UTF8_CHARSET_UTF16BE:
    read_utf16(codes, in, size, charset == UTF8_CHARSET_UTF16BE);
    break;
  case UTF8_CHARSET_UTF32:
    if (starts(in, size, "\xFF\xFE\0\0", 4)) {
      read_utf32(codes, in + 4, size - 4, 0);
    } else {
      int mark = starts(in, size, "\0\0\xFE\xFF", 4);
      read_utf32(codes, in + 4 * mark, size - (size_t)(4 * mark), 1);
    }
    break;
  case UTF8_CHARSET_UTF32LE:
  case UTF8_CHARSET_UTF32BE:
    read_utf32(codes, in, size, charset == UTF8_CHARSET_UTF32BE);
    break;
  case UTF8_CHARSET_LATIN1:
  case UTF8_CHARSET_WINDOWS1252:
  case UTF8_CHARSET_ASCII:
    read_bytes(codes, in, size, charset);
    break;
  default:
    read_dialect(codes, in, size, dialect_of(charset));
  }
}

static size_t write_unit(uint8_t *out, uint32_t unit, size_t width, int big) {
  for (size_t i = 0; i < width; i++) {
    out[i] = (uint8_t)(unit >> 8 * (big ? width - 1 - i : i));
  }
  return width;
}

static size_t write_utf16(uint8_t *out, uint32_t code, int big) {
  if (code < 0x10000) return write_unit(out, code, 2, big);
  write_unit(out, 0xD800 + (code - 0x10000) / 0x400, 2, big);
  write_unit(out + 2, 0xDC00 + (code - 0x10000) % 0x400, 2, big);
  return 4;
}

/* The bytes of a code point; 0 if the charset does not have it. */
static size_t write_code(Utf8Charset charset, uint32_t code, uint8_t *out) {
  switch (charset) {
  case UTF8_CHARSET_UTF16LE:
    return write_utf16(out, code, 0);
  case UTF8_CHARSET_UTF16:
  case UTF8_CHARSET_UTF16BE:
    return write_utf16(out, code, 1);
  case UTF8_CHARSET_UTF32LE:
    return write_unit(out, code, 4, 0);
  case UTF8_CHARSET_UTF32:
  case UTF8_CHARSET_UTF32BE:
    return write_unit(out, code, 4, 1);
  case UTF8_CHARSET_LATIN1:
  case UTF8_CHARSET_WINDOWS1252:
  case UTF8_CHARSET_ASCII:
    for (unsigned byte = 0; byte < 256; byte++) {
      int unused = charset == UTF8_CHARSET_ASCII && byte >= 0x80;
      out[0] = (uint8_t)byte;
      if (!unused && byte_means(charset, (uint8_t)byte) == code) return 1;
    }
    return 0;
  default:
    return abnf_encode(dialect_of(charset)->bit, code, out);
  }
}

static size_t write_mark(Utf8Charset charset, uint8_t *out) {
  if (charset == UTF8_CHARSET_UTF16 || charset == UTF8_CHARSET_UTF32) {
    return write_code(charset, 0xFEFF, out);
  }
  if (charset != UTF8_CHARSET_UTF8BOM) return 0;
  memcpy(out, "\xEF\xBB\xBF", 3);
  return 3;
}

/* ---- what is under test ---------------------------------------------------------------- */

static Utf8Charset charset;
static unsigned dialect; /* of the text to be encoded */
static int encoding;     /* or decoding */
static size_t room;

static size_t call(const uint8_t *in, size_t size, size_t *at, uint8_t *out) {
  return encoding ? utf8core_encode(charset, dialect, in, size, at, out, room)
                  : utf8core_decode(charset, in, size, at, out, room);
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
  for (uint32_t code = 0; code <= 0x10FFFF; code++) {
    if (is_surrogate(code)) continue;
    uint8_t utf8[UTF8_OCTETS_MAX], out[UTF8_CHARSET_ROOM], back[UTF8_CHARSET_ROOM];
    size_t size = utf8core_put(utf8, code), at = 0;
    size_t n = utf8core_encode(charset, UTF8_STRICT, utf8, size, &at, out, sizeof out);
    if (at == 0) continue;
    has++;
    at = 0;
    size_t m = utf8core_decode(charset, out, n, &at, back, sizeof back);
    expect(at == n && m == size && memcmp(back, utf8, size) == 0,
           utf8core_charset_name(charset), utf8, size);
  }
  int isByte = charset == UTF8_CHARSET_LATIN1 || charset == UTF8_CHARSET_WINDOWS1252;
  size_t due = isByte ? 256 : charset == UTF8_CHARSET_ASCII ? 128 : 0x110000 - 0x800;
  expect(has == due, "has so many characters", NULL, 0);
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
  for (uint32_t i = 0; i < 200; i++) {
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
  for (uint32_t i = 0; i < 300; i++) {
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
  for (uint32_t i = 0; i < 100; i++) {
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
    expect(utf8core_decode(charset, NULL, 0, &at, out, sizeof out) == 0, "nothing",
           NULL, 0);
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
    {"stops at what has no encoding", stops_at_what_has_no_encoding},
    {"writes a mark before nothing", writes_a_mark_before_nothing},
    {"detects within the bytes", detects_within_the_bytes},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
