/* charset/unicode.c: decodes other charsets to UTF-8, and encodes UTF-8 in them.
**
**     const uint8_t cafe[] = {'c', 'a', 'f', 0xE9};
**     uint8_t out[UTF8_CHARSET_ROOM];
**     Utf8Conversion c = {.charset = UTF8_CHARSET_LATIN1};
**     size_t n = utf8core_decode(&c, cafe, 4, out, sizeof out);
**     // n is 5, c.at is 4, out starts with 63 61 66 C3 A9
**
** Decoding: each charset has a reader, which returns the code point at one place, or U+FFFD
** for an error. The kernel's converter for the charset and the reader take turns: the reader
** handles what the converter stops at.
**
** Encoding: utf8core_find_error() checks the text, a stretch at a time. A well-formed
** stretch goes to the kernel's converter and to the charset's writer, which may trust it. An
** ill-formed subpart is written as U+FFFD would be.
**
** Most text in a dialect of UTF-8 (CESU-8, Java's, WTF-8, RFC 2044) is also UTF-8. That is
** copied, and the step decodes the remainder.
**
** The other charsets have codecs in files of their own (charset/legacy/codec.h).
**
** Sources: RFC 2781 (UTF-16), Unicode D90-D99 (encoding forms and schemes), WHATWG Encoding
** §14.2 (incomplete UTF-16), UTR 26, RFC 2044, and the Java virtual machine specification,
** §4.4.7.
*/
#include "charset/legacy/legacy.h"
#include "charset/unicode.h"
#include "core/find.h"
#include "core/step.h"
#include "core/bytes.h"
#include "core/simd/kernel.h"
#include <string.h>

/* The most bytes that one code point takes in any charset: a surrogate pair in CESU-8. */
#define CHARACTER_MAX 6

/* After a converter stops, the reader converts this many code points before it runs again. */
#define SINGLE_COUNT 8

/* Text is checked, then converted, in stretches of this size, which stay in the first cache. */
#define STRETCH 8192

/* After the kernel stops, the step decodes at least this many bytes of a dialect. */
#define DIALECT_STRIDE 64

/* ---- code units ---------------------------------------------------------------------- */

static inline size_t putUnit16(uint8_t *p, uint32_t unit, int big) {
  p[big ? 0 : 1] = (uint8_t)(unit >> 8);
  p[big ? 1 : 0] = (uint8_t)unit;
  return 2;
}

static inline size_t putUnit32(uint8_t *p, uint32_t unit, int big) {
  putUnit16(p, big ? unit >> 16 : unit, big);
  putUnit16(p + 2, big ? unit : unit >> 16, big);
  return 4;
}

static inline int isSurrogate(uint32_t unit) {
  return unit >> 11 == 0xD800 >> 11;
}

/* ---- readers --------------------------------------------------------------------------- */

/* Returns the code point at *at, or U+FFFD for an error, and moves *at past it. */
typedef uint32_t Reader(const uint8_t *in, size_t size, size_t *at);

/* Returns the code point of the surrogate pair or single unit at *at, which may be a lone
** surrogate. At least two bytes are left. */
ALWAYS_INLINE uint32_t readUtf16Code(const uint8_t *in, size_t size, size_t *at,
                                     int big) {
  uint32_t high = bytes_unit16(in + *at, big);
  *at += 2;
  if (!bytes_is_high_surrogate(high) || size - *at < 2) return high;
  uint32_t low = bytes_unit16(in + *at, big);
  if (!bytes_is_low_surrogate(low)) return high;
  *at += 2;
  return bytes_join_surrogates(high, low);
}

/* WHATWG Encoding §14.2.1: the unit after a lone high surrogate is read on its own, and all that
** is incomplete at the end is one error. A single byte at the end is handled like a high
** surrogate there. */
ALWAYS_INLINE uint32_t readUtf16(const uint8_t *in, size_t size, size_t *at, int big) {
  size_t left = size - *at;
  uint32_t unit = left < 2 ? 0xD800 : bytes_unit16(in + *at, big);
  if (bytes_is_high_surrogate(unit) && left < 4) {
    *at = size;
    return BYTES_FFFD;
  }
  uint32_t code = readUtf16Code(in, size, at, big);
  return isSurrogate(code) ? BYTES_FFFD : code;
}

ALWAYS_INLINE uint32_t readUtf16le(const uint8_t *in, size_t size, size_t *at) {
  return readUtf16(in, size, at, 0);
}

ALWAYS_INLINE uint32_t readUtf16be(const uint8_t *in, size_t size, size_t *at) {
  return readUtf16(in, size, at, 1);
}

/* Unicode D90: surrogates and what is above 10FFFF are errors. */
ALWAYS_INLINE uint32_t readUtf32(const uint8_t *in, size_t size, size_t *at, int big) {
  if (size - *at < 4) {
    *at = size;
    return BYTES_FFFD;
  }
  uint32_t unit = bytes_unit32(in + *at, big);
  *at += 4;
  return unit > 0x10FFFF || isSurrogate(unit) ? BYTES_FFFD : unit;
}

ALWAYS_INLINE uint32_t readUtf32le(const uint8_t *in, size_t size, size_t *at) {
  return readUtf32(in, size, at, 0);
}

ALWAYS_INLINE uint32_t readUtf32be(const uint8_t *in, size_t size, size_t *at) {
  return readUtf32(in, size, at, 1);
}

ALWAYS_INLINE uint32_t readLatin1(const uint8_t *in, size_t size, size_t *at) {
  (void)size;
  return in[(*at)++];
}

ALWAYS_INLINE uint32_t readWindows1252(const uint8_t *in, size_t size, size_t *at) {
  (void)size;
  uint8_t byte = in[(*at)++];
  return byte < 0x80 ? byte : utf8charset_high(UTF8_CHARSET_WINDOWS1252)[byte - 0x80];
}

ALWAYS_INLINE uint32_t readAscii(const uint8_t *in, size_t size, size_t *at) {
  (void)size;
  uint8_t byte = in[(*at)++];
  return byte < 0x80 ? byte : BYTES_FFFD;
}

/* ---- writers --------------------------------------------------------------------------- */

/* Writes a code point in the charset, and returns how many bytes: 0 if the charset lacks it. */
typedef size_t Writer(uint8_t *out, uint32_t codepoint);

ALWAYS_INLINE size_t writeUtf16(uint8_t *out, uint32_t codepoint, int big) {
  if (codepoint < 0x10000) return putUnit16(out, codepoint, big);
  putUnit16(out, 0xD800 + ((codepoint - 0x10000) >> 10), big);
  putUnit16(out + 2, 0xDC00 + (codepoint & 0x3FF), big);
  return 4;
}

ALWAYS_INLINE size_t writeUtf16le(uint8_t *out, uint32_t codepoint) {
  return writeUtf16(out, codepoint, 0);
}

ALWAYS_INLINE size_t writeUtf16be(uint8_t *out, uint32_t codepoint) {
  return writeUtf16(out, codepoint, 1);
}

ALWAYS_INLINE size_t writeUtf32le(uint8_t *out, uint32_t codepoint) {
  return putUnit32(out, codepoint, 0);
}

ALWAYS_INLINE size_t writeUtf32be(uint8_t *out, uint32_t codepoint) {
  return putUnit32(out, codepoint, 1);
}

ALWAYS_INLINE size_t writeBelow(uint8_t *out, uint32_t codepoint, uint32_t limit) {
  *out = (uint8_t)codepoint;
  return codepoint < limit;
}

ALWAYS_INLINE size_t writeLatin1(uint8_t *out, uint32_t codepoint) {
  return writeBelow(out, codepoint, 0x100);
}

ALWAYS_INLINE size_t writeAscii(uint8_t *out, uint32_t codepoint) {
  return writeBelow(out, codepoint, 0x80);
}

ALWAYS_INLINE size_t writeWindows1252(uint8_t *out, uint32_t codepoint) {
  if (codepoint < 0x80 || (codepoint >= 0xA0 && codepoint <= 0xFF)) {
    return writeLatin1(out, codepoint);
  }
  int byte = utf8charset_byte_of_code(UTF8_CHARSET_WINDOWS1252, codepoint);
  *out = (uint8_t)byte;
  return byte >= 0;
}

/* UTR 26: a supplementary code point is its two surrogates, three bytes each. */
ALWAYS_INLINE size_t writeCesu8(uint8_t *out, uint32_t codepoint) {
  if (codepoint < 0x10000) return stepPut(out, codepoint);
  size_t n = stepPut(out, 0xD800 + ((codepoint - 0x10000) >> 10));
  return n + stepPut(out + n, 0xDC00 + (codepoint & 0x3FF));
}

ALWAYS_INLINE size_t writeMutf8(uint8_t *out, uint32_t codepoint) {
  if (codepoint != 0) return writeCesu8(out, codepoint);
  out[0] = 0xC0;
  out[1] = 0x80;
  return 2;
}

/* ---- decoding charsets ----------------------------------------------------------------- */

/* Decodes in[*at..size) to UTF-8, as much as fits, with the kernel's converter. */
typedef size_t Decoder(Utf8Convert *convert, const uint8_t *in, size_t size, size_t *at,
                       uint8_t *out, size_t room);

ALWAYS_INLINE size_t decodeWith(Reader *read, Utf8Convert *convert, const uint8_t *in,
                                size_t size, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  while (p < size && room - n >= CHARACTER_MAX) {
    n += convert(in, size, &p, out + n, room - n);
    for (int i = 0; i < SINGLE_COUNT && p < size && room - n >= CHARACTER_MAX; i++) {
      n += stepPut(out + n, read(in, size, &p));
    }
  }
  *at = p;
  return n;
}

/* A loop for each reader, which is inlined. */
#define DECODER(name, read)                                                            \
  static size_t name(Utf8Convert *convert, const uint8_t *in, size_t size, size_t *at, \
                     uint8_t *out, size_t room) {                                      \
    return decodeWith(read, convert, in, size, at, out, room);                         \
  }
DECODER(decodeUtf16le, readUtf16le)
DECODER(decodeUtf16be, readUtf16be)
DECODER(decodeUtf32le, readUtf32le)
DECODER(decodeUtf32be, readUtf32be)
DECODER(decodeLatin1, readLatin1)
DECODER(decodeWindows1252, readWindows1252)
DECODER(decodeAscii, readAscii)

/* The readers of whole code units of UTF-16, lone surrogates included. */
ALWAYS_INLINE uint32_t readWtf16le(const uint8_t *in, size_t size, size_t *at) {
  return readUtf16Code(in, size, at, 0);
}

ALWAYS_INLINE uint32_t readWtf16be(const uint8_t *in, size_t size, size_t *at) {
  return readUtf16Code(in, size, at, 1);
}

DECODER(decodeWtf16le, readWtf16le)
DECODER(decodeWtf16be, readWtf16be)

/* Decodes UTF-16 to WTF-8. An odd last byte becomes UTF8_ODD_BYTES. */
static size_t decodeToWtf8(Decoder *decodeUnits, Utf8Convert *convert,
                           const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                           size_t room) {
  size_t even = size - (size - *at) % 2;
  size_t n = *at < even ? decodeUnits(convert, in, even, at, out, room) : 0;
  if (*at == even && even < size && room - n >= CHARACTER_MAX) {
    const uint8_t odd[] = {UTF8_ODD_BYTES(in[even])};
    memcpy(out + n, odd, sizeof odd);
    n += sizeof odd;
    *at = size;
  }
  return n;
}

/* ---- decoding dialects of UTF-8 -------------------------------------------------------- */

/* Repairs UTF-8 with U+FFFD for each ill-formed subpart. */
static size_t replaceErrors(unsigned dialect, const uint8_t *in, size_t size,
                            size_t *at, uint8_t *out, size_t room) {
  const Utf8Repair how = {.policy = UTF8_POLICY_SUBPART, .dialect = dialect};
  return utf8core_repair(&how, in, size, at, out, room);
}

/* Decodes in[*at..until) by the step, as much as fits. U+FFFD stands for errors, and for code
** points that UTF-8 lacks: lone surrogates, and those above 10FFFF. */
static size_t decodeBySteps(unsigned dialect, const uint8_t *in, size_t size,
                            size_t until, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  while (p < until && room - n >= CHARACTER_MAX) {
    Utf8Step s = step(in, size, p, dialect);
    int isScalar = !s.error && s.codepoint <= 0x10FFFF && !isSurrogate(s.codepoint);
    n += stepPut(out + n, isScalar ? s.codepoint : BYTES_FFFD);
    p += s.length;
  }
  *at = p;
  return n;
}

/* Decodes a dialect that contains all of UTF-8. Copies what the kernel finds well-formed; the
** step decodes the remainder, more bytes each time that the kernel finds little. */
static size_t decodeDialect(unsigned dialect, const uint8_t *in, size_t size,
                            size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, stride = 0;
  while (*at < size && room - n >= CHARACTER_MAX) {
    size_t max = bytes_min(size - *at, room - n);
    size_t same = utf8simd_kernel()->valid(in + *at, max);
    memcpy(out + n, in + *at, same);
    n += same, *at += same;
    stride = same > stride ? DIALECT_STRIDE : stride + DIALECT_STRIDE;
    size_t until = size - *at < stride ? size : *at + stride;
    n += decodeBySteps(dialect, in, size, until, at, out + n, room - n);
  }
  return n;
}

/* Decodes in[*at..end), which is well-formed in a dialect with surrogate pairs. The step decodes what the
** kernel's converter leaves. */
static size_t decodeWellFormedCesu8(Utf8Convert *convert, unsigned dialect,
                                    const uint8_t *in, size_t end, size_t *at,
                                    uint8_t *out, size_t room) {
  size_t n = 0;
  while (*at < end && room - n >= CHARACTER_MAX) {
    n += convert(in, end, at, out + n, room - n);
    size_t until = end - *at < DIALECT_STRIDE ? end : *at + DIALECT_STRIDE;
    n += decodeBySteps(dialect, in, end, until, at, out + n, room - n);
  }
  return n;
}

/* Decodes a dialect with surrogate pairs, one stretch after the other. The step decodes an error and some
** bytes after it. */
static size_t decodeCesu8(Utf8Convert *convert, unsigned dialect, const uint8_t *in,
                          size_t size, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0;
  while (*at < size && room - n >= CHARACTER_MAX) {
    size_t until = size - *at < STRETCH ? size : *at + STRETCH;
    size_t end = utf8core_find_error(in, size, *at, until, dialect).offset;
    n += decodeWellFormedCesu8(convert, dialect, in, end, at, out + n, room - n);
    if (*at < end || end >= until) continue;
    until = size - *at < DIALECT_STRIDE ? size : *at + DIALECT_STRIDE;
    n += decodeBySteps(dialect, in, size, until, at, out + n, room - n);
  }
  return n;
}

/* ---- encoding ---------------------------------------------------------------------------- */

/* Encodes in[*at..end), which is well-formed, with the kernel's converter. Stops early if
** out is full, or before a code point that the charset lacks. */
typedef size_t Encoder(Utf8Convert *convert, const uint8_t *in, size_t end, size_t *at,
                       uint8_t *out, size_t room);

ALWAYS_INLINE size_t encodeWith(Writer *write, Utf8Convert *convert, const uint8_t *in,
                                size_t end, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  for (int ready = 1; ready && p < end;) {
    n += convert(in, end, &p, out + n, room - n);
    for (int i = 0; ready && i < SINGLE_COUNT && p < end; i++) {
      ready = room - n >= CHARACTER_MAX;
      if (!ready) break;
      const Utf8Step one = stepWellFormed(in + p);
      const size_t length = write(out + n, one.codepoint);
      ready = length > 0;
      if (ready) p += one.length;
      n += length;
    }
  }
  *at = p;
  return n;
}

/* A loop for each writer, which is inlined. */
#define ENCODER(name, write)                                                           \
  static size_t name(Utf8Convert *convert, const uint8_t *in, size_t end, size_t *at,  \
                     uint8_t *out, size_t room) {                                      \
    return encodeWith(write, convert, in, end, at, out, room);                         \
  }
ENCODER(encodeUtf16le, writeUtf16le)
ENCODER(encodeUtf16be, writeUtf16be)
ENCODER(encodeUtf32le, writeUtf32le)
ENCODER(encodeUtf32be, writeUtf32be)
ENCODER(encodeLatin1, writeLatin1)
ENCODER(encodeWindows1252, writeWindows1252)
ENCODER(encodeAscii, writeAscii)
ENCODER(encodeCesu8, writeCesu8)
ENCODER(encodeMutf8, writeMutf8)

/* ---- the charsets ------------------------------------------------------------------------ */

/* A charset that this file converts. Without `decode`, its text is decoded as a dialect of
** UTF-8. Without `encode`, UTF-8 is encoded in it unchanged, except for errors. */
typedef struct Charset {
  size_t bom_length; /* 0 where no byte order mark is written or removed */
  uint8_t bom[4];
  unsigned dialect;
  Utf8ConverterId converter; /* the kernel's, if there is decode or encode */
  Decoder *decode;
  Decoder *decode_units; /* of UTF-16, lone surrogates included */
  Encoder *encode;
} Charset;

#define BOM(length, ...) .bom_length = (length), .bom = {__VA_ARGS__}
#define CODEC(ID, Name)                                                                \
  .converter = UTF8_CONVERTER_##ID, .decode = decode##Name, .encode = encode##Name
#define UTF16LE CODEC(UTF16LE, Utf16le), .decode_units = decodeWtf16le
#define UTF16BE CODEC(UTF16BE, Utf16be), .decode_units = decodeWtf16be

/* clang-format off */
static const Charset charsets[UTF8_CHARSETS_UNICODE] = {
    [UTF8_CHARSET_UTF8] = {0},
    [UTF8_CHARSET_UTF8BOM] = {BOM(3, 0xEF, 0xBB, 0xBF)},
    [UTF8_CHARSET_UTF16] = {BOM(2, 0xFE, 0xFF), UTF16BE},
    [UTF8_CHARSET_UTF16LE] = {UTF16LE},
    [UTF8_CHARSET_UTF16BE] = {UTF16BE},
    [UTF8_CHARSET_UTF32] = {BOM(4, 0, 0, 0xFE, 0xFF),
                            CODEC(UTF32BE, Utf32be)},
    [UTF8_CHARSET_UTF32LE] = {CODEC(UTF32LE, Utf32le)},
    [UTF8_CHARSET_UTF32BE] = {CODEC(UTF32BE, Utf32be)},
    [UTF8_CHARSET_LATIN1] = {CODEC(LATIN1, Latin1)},
    [UTF8_CHARSET_WINDOWS1252] = {CODEC(WINDOWS1252, Windows1252)},
    [UTF8_CHARSET_ASCII] = {CODEC(ASCII, Ascii)},
    [UTF8_CHARSET_RFC2044] = {.dialect = UTF8_LONG},
    [UTF8_CHARSET_CESU8] = {.dialect = UTF8_PAIRS,
                            .converter = UTF8_CONVERTER_CESU8, .encode = encodeCesu8},
    [UTF8_CHARSET_MUTF8] = {.dialect = UTF8_PAIRS | UTF8_C080,
                            .converter = UTF8_CONVERTER_MUTF8, .encode = encodeMutf8},
    [UTF8_CHARSET_WTF8] = {.dialect = UTF8_SURROGATES},
};
/* clang-format on */

/* ---- where a piece of text can be cut ----------------------------------------------------- */

/* Returns where UTF-16 ends without an odd last byte and a high surrogate before it. */
static size_t wholeUnits16(const uint8_t *in, size_t size, size_t at, int big) {
  size_t end = size - (size - at) % 2;
  int endsInHigh =
      end - at >= 2 && bytes_is_high_surrogate(bytes_unit16(in + end - 2, big));
  return endsInHigh ? end - 2 : end;
}

/* Returns where what can be decoded ends if more text follows. */
static size_t wholeEnd(const Charset *how, const uint8_t *in, size_t size, size_t at) {
  if (!how->decode) return utf8find_whole_steps(in, size, at, how->dialect);
  switch (how->converter) {
  case UTF8_CONVERTER_UTF16LE:
  case UTF8_CONVERTER_UTF16BE:
    return wholeUnits16(in, size, at, how->converter == UTF8_CONVERTER_UTF16BE);
  case UTF8_CONVERTER_UTF32LE:
  case UTF8_CONVERTER_UTF32BE:
    return size - (size - at) % 4;
  default:
    return size;
  }
}

/* ---- decoding ------------------------------------------------------------------------------ */

/* The state of a conversion: UTF8_CONVERSION_LITTLE, and whether the byte order mark has been read
** or written. */
#define UNICODE_BEGUN 1u

static int startsWithBytes(const uint8_t *in, size_t size, const uint8_t *start,
                           size_t length) {
  return size >= length && memcmp(in, start, length) == 0;
}

/* Returns the charset, with the byte order that its mark has shown. */
static const Charset *orderedCharset(const Utf8Conversion *c) {
  if (!(c->state & UTF8_CONVERSION_LITTLE)) return &charsets[c->charset];
  return &charsets[c->charset == UTF8_CHARSET_UTF16 ? UTF8_CHARSET_UTF16LE
                                                    : UTF8_CHARSET_UTF32LE];
}

/* Moves c->at past a byte order mark, and stores its byte order. */
static NOINLINE void skipMark(Utf8Conversion *c, const uint8_t *in, size_t size) {
  static const uint8_t little[4] = {0xFF, 0xFE, 0, 0};
  const size_t length = charsets[c->charset].bom_length;
  int isOrdered = charsets[c->charset].decode != NULL;
  int isLittle = isOrdered && startsWithBytes(in, size, little, length);
  int isMarked =
      isLittle || startsWithBytes(in, size, charsets[c->charset].bom, length);
  if (isMarked) c->at = length;
  c->state = UNICODE_BEGUN | (isLittle ? UTF8_CONVERSION_LITTLE : 0u);
}

/* Decodes in[c->at..size), which is not cut, in a charset of this file. */
static size_t decodeHere(Utf8Conversion *c, const Charset *how, const uint8_t *in,
                         size_t size, uint8_t *out, size_t room) {
  Utf8Convert *convert = utf8simd_kernel()->converters->decode[how->converter];
  if (how->decode_units && (c->dialect & UTF8_SURROGATES))
    return decodeToWtf8(how->decode_units, convert, in, size, &c->at, out, room);
  if (how->decode) return how->decode(convert, in, size, &c->at, out, room);
  if (how->dialect == UTF8_STRICT)
    return replaceErrors(how->dialect, in, size, &c->at, out, room);
  if (how->dialect & UTF8_PAIRS)
    return decodeCesu8(convert, how->dialect, in, size, &c->at, out, room);
  return decodeDialect(how->dialect, in, size, &c->at, out, room);
}

size_t utf8charset_decode_piece(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room, size_t *end) {
  *end = c->at;
  if (charsets[c->charset].bom_length && !(c->state & UNICODE_BEGUN)) {
    if (c->continues && size < charsets[c->charset].bom_length) return 0;
    skipMark(c, in, size);
  }
  const Charset *how = orderedCharset(c);
  *end = c->continues ? wholeEnd(how, in, size, c->at) : size;
  return decodeHere(c, how, in, *end, out, room);
}

size_t utf8charset_decode_whole(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room) {
  if (charsets[c->charset].bom_length && !(c->state & UNICODE_BEGUN))
    skipMark(c, in, size);
  return decodeHere(c, orderedCharset(c), in, size, out, room);
}

/* ---- encoding text that may be ill-formed ------------------------------------------------- */

/* Encodes in[*at..end), which is well-formed, like an Encoder. */
ALWAYS_INLINE size_t encodeWellFormed(Utf8Conversion *c, const uint8_t *in, size_t end,
                                      size_t *at, uint8_t *out, size_t room) {
  if (c->charset >= UTF8_CHARSETS_UNICODE)
    return utf8charset_encode_legacy(c->charset, &c->state, in, end, at, out, room);
  const Charset *how = &charsets[c->charset];
  Utf8Convert *convert = utf8simd_kernel()->converters->encode[how->converter];
  return how->encode(convert, in, end, at, out, room);
}

/* Encodes text that the kernel checks and converts at once. */
static size_t encodeUnchecked(Utf8Conversion *c, const uint8_t *in, size_t size,
                              uint8_t *out, size_t room) {
  if (c->charset >= UTF8_CHARSETS_UNICODE) return 0;
  Utf8ConverterId id = charsets[c->charset].converter;
  Utf8Convert *convert = utf8simd_kernel()->converters->checked[id];
  return convert ? convert(in, size, &c->at, out, room) : 0;
}

/* Encodes one stretch after the other, and U+FFFD for each ill-formed subpart. Stops when less
** than UTF8_LEGACY_ROOM is left, which the next call for a legacy charset would need. */
static size_t encodeText(Utf8Conversion *c, const uint8_t *in, size_t size,
                         uint8_t *out, size_t room) {
  size_t n = 0;
  while (c->at < size && room - n >= UTF8_LEGACY_ROOM) {
    n += encodeUnchecked(c, in, size, out + n, room - n);
    if (room - n < UTF8_LEGACY_ROOM) break;
    size_t max = bytes_min(room - n, STRETCH);
    size_t until = size - c->at < max ? size : c->at + max;
    size_t end = utf8core_find_error(in, size, c->at, until, c->dialect).offset;
    n += encodeWellFormed(c, in, end, &c->at, out + n, room - n);
    if (c->at < end || room - n < UTF8_LEGACY_ROOM) break;
    if (end >= until) continue;
    size_t done = 0;
    n += encodeWellFormed(c, bytes_fffd, sizeof bytes_fffd, &done, out + n, room - n);
    if (done == 0) break;
    c->at += step(in, size, c->at, c->dialect).length;
  }
  return n;
}

static size_t encodeLegacyText(Utf8Conversion *c, const uint8_t *in, size_t size,
                               uint8_t *out, size_t room) {
  size_t n = encodeText(c, in, size, out, room - UTF8_LEGACY_FINISH);
  if (c->at < size || c->continues) return n;
  return n + utf8charset_finish_legacy(c->charset, &c->state, out + n);
}

size_t utf8charset_encode_whole(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room) {
  if (c->charset >= UTF8_CHARSETS_UNICODE)
    return encodeLegacyText(c, in, size, out, room);
  const Charset *how = &charsets[c->charset];
  size_t n = c->state & UNICODE_BEGUN ? 0 : how->bom_length;
  memcpy(out, how->bom, n);
  c->state |= UNICODE_BEGUN;
  if (how->encode) return n + encodeText(c, in, size, out + n, room - n);
  return n + replaceErrors(c->dialect, in, size, &c->at, out + n, room - n);
}
