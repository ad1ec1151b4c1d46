/* utf8charset.c: other charsets to UTF-8, and UTF-8 to other charsets.
**
**     const uint8_t cafe[] = {'c', 'a', 'f', 0xE9};
**     uint8_t out[UTF8_CHARSET_ROOM];
**     size_t at = 0;
**     size_t n = utf8core_decode(UTF8_CHARSET_LATIN1, UTF8_STRICT, cafe, 4, &at, out,
**                                sizeof out);
**     // n is 5, at is 4, out starts with 63 61 66 C3 A9
**
** Decoding: each charset has a reader, which turns what stands at one place into a code
** point, or into an error, which becomes U+FFFD. Before it is asked, a bulk function, if
** the charset has one, converts as much as is plain.
**
** Encoding: the text is judged first, a stretch at a time, by utf8core_valid_prefix(). A
** well-formed stretch goes to the charset's writer, which may trust it; an ill-formed
** subpart is written as U+FFFD would be.
**
** The relatives of UTF-8 (CESU-8, Java's, WTF-8, RFC 2044) are mostly UTF-8: what is the
** same in both is copied. Surrogate pairs have bulk functions too, which are given stretches
** of well-formed text.
**
** Sources: RFC 2781 (UTF-16), Unicode D90-D99 (forms and byte orders), WHATWG Encoding
** §14.2 (incomplete UTF-16), UTR 26, RFC 2044, and the Java virtual machine
** specification, §4.4.7. On x86 with AVX2 the bulk functions are those of
** simd/charset.h.
*/
#include "utf8private.h"
#include "utf8step.h"
#include "simd/bytes.h"
#include "simd/kernel.h"
#include "simd/charset.h"
#include <string.h>

#define REPLACEMENT 0xFFFD

/* Between two questions to the kernel, where it finds little. */
#define STRIDE_LEAST 64

/* The most bytes that one character takes, in any charset: a pair in CESU-8. */
#define CHARACTER_MOST 6

const char *utf8core_charset_name(Utf8Charset charset) {
  static const char *const names[UTF8_CHARSETS] = {
      [UTF8_CHARSET_UTF8] = "utf-8",        [UTF8_CHARSET_UTF8BOM] = "utf-8-bom",
      [UTF8_CHARSET_UTF16] = "utf-16",      [UTF8_CHARSET_UTF16LE] = "utf-16le",
      [UTF8_CHARSET_UTF16BE] = "utf-16be",  [UTF8_CHARSET_UTF32] = "utf-32",
      [UTF8_CHARSET_UTF32LE] = "utf-32le",  [UTF8_CHARSET_UTF32BE] = "utf-32be",
      [UTF8_CHARSET_LATIN1] = "iso-8859-1", [UTF8_CHARSET_WINDOWS1252] = "windows-1252",
      [UTF8_CHARSET_ASCII] = "ascii",       [UTF8_CHARSET_RFC2044] = "rfc2044",
      [UTF8_CHARSET_CESU8] = "cesu-8",      [UTF8_CHARSET_MUTF8] = "mutf-8",
      [UTF8_CHARSET_WTF8] = "wtf-8",
  };
  return charset == UTF8_CHARSET_BINARY ? "binary" : names[charset];
}

/* ---- units ------------------------------------------------------------------------ */

static inline size_t store16(uint8_t *p, uint32_t unit, int big) {
  p[big ? 0 : 1] = (uint8_t)(unit >> 8);
  p[big ? 1 : 0] = (uint8_t)unit;
  return 2;
}

static inline size_t store32(uint8_t *p, uint32_t unit, int big) {
  store16(p, big ? unit >> 16 : unit, big);
  store16(p + 2, big ? unit : unit >> 16, big);
  return 4;
}

static inline int isHighSurrogate(uint32_t unit) {
  return unit >> 10 == 0xD800 >> 10;
}

static inline int isLowSurrogate(uint32_t unit) {
  return unit >> 10 == 0xDC00 >> 10;
}

static inline int isSurrogate(uint32_t unit) {
  return unit >> 11 == 0xD800 >> 11;
}

static inline int isAscii8(const uint8_t *p) {
  return (bytes_load64(p) & BYTES_HIGH_BITS) == 0;
}

/* ---- readers: the code point at *at, or U+FFFD; *at moves past it ------------------- */

typedef uint32_t Reader(const uint8_t *in, size_t size, size_t *at);

/* The code point at *at in UTF-16, of which two bytes or more are left: a pair, or the one
** unit, which may be a lone surrogate. */
ALWAYS_INLINE uint32_t readUtf16Code(const uint8_t *in, size_t size, size_t *at,
                                     int big) {
  uint32_t high = bytes_unit16(in + *at, big);
  *at += 2;
  if (!isHighSurrogate(high) || size - *at < 2) return high;
  uint32_t low = bytes_unit16(in + *at, big);
  if (!isLowSurrogate(low)) return high;
  *at += 2;
  return 0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF));
}

/* WHATWG Encoding §14.2.1: a high surrogate takes the next unit with it only if that is a
** low one; what is left incomplete at the end is one error. */
ALWAYS_INLINE uint32_t readUtf16(const uint8_t *in, size_t size, size_t *at, int big) {
  size_t left = size - *at;
  uint32_t unit = left < 2 ? 0xD800 : bytes_unit16(in + *at, big);
  if (isHighSurrogate(unit) && left < 4) {
    *at = size;
    return REPLACEMENT;
  }
  uint32_t code = readUtf16Code(in, size, at, big);
  return isSurrogate(code) ? REPLACEMENT : code;
}

ALWAYS_INLINE uint32_t readUtf16le(const uint8_t *in, size_t size, size_t *at) {
  return readUtf16(in, size, at, 0);
}

ALWAYS_INLINE uint32_t readUtf16be(const uint8_t *in, size_t size, size_t *at) {
  return readUtf16(in, size, at, 1);
}

/* Unicode D90: a unit is a character unless it is a surrogate or above 10FFFF. */
ALWAYS_INLINE uint32_t readUtf32(const uint8_t *in, size_t size, size_t *at, int big) {
  if (size - *at < 4) {
    *at = size;
    return REPLACEMENT;
  }
  uint32_t unit = bytes_unit32(in + *at, big);
  *at += 4;
  return unit > 0x10FFFF || isSurrogate(unit) ? REPLACEMENT : unit;
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
  return byte >= 0x80 && byte < 0xA0 ? utf8core_windows1252[byte - 0x80] : byte;
}

ALWAYS_INLINE uint32_t readAscii(const uint8_t *in, size_t size, size_t *at) {
  (void)size;
  uint8_t byte = in[(*at)++];
  return byte < 0x80 ? byte : REPLACEMENT;
}

/* ---- writers: a code point in the charset; how many bytes, 0 if it has no encoding -- */

typedef size_t Writer(uint8_t *out, uint32_t codepoint);

ALWAYS_INLINE size_t writeUtf16(uint8_t *out, uint32_t codepoint, int big) {
  if (codepoint < 0x10000) return store16(out, codepoint, big);
  store16(out, 0xD800 + ((codepoint - 0x10000) >> 10), big);
  store16(out + 2, 0xDC00 + (codepoint & 0x3FF), big);
  return 4;
}

ALWAYS_INLINE size_t writeUtf16le(uint8_t *out, uint32_t codepoint) {
  return writeUtf16(out, codepoint, 0);
}

ALWAYS_INLINE size_t writeUtf16be(uint8_t *out, uint32_t codepoint) {
  return writeUtf16(out, codepoint, 1);
}

ALWAYS_INLINE size_t writeUtf32le(uint8_t *out, uint32_t codepoint) {
  return store32(out, codepoint, 0);
}

ALWAYS_INLINE size_t writeUtf32be(uint8_t *out, uint32_t codepoint) {
  return store32(out, codepoint, 1);
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
  for (uint8_t i = 0; i < 32; i++) {
    if (utf8core_windows1252[i] == codepoint) {
      *out = (uint8_t)(0x80 + i);
      return 1;
    }
  }
  return 0;
}

/* UTR 26: a supplementary character is its two UTF-16 halves, three octets each. */
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

/* ---- bulk, in portable C ------------------------------------------------------------ */

/* How simd/charset.h does the same for long runs is what CharsetBulk there says. */

/* A byte is a character and below 80: to and from all charsets of bytes. */
static size_t copyAscii(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                        size_t room) {
  size_t n = 0;
  while (size - *at >= 8 && room - n >= 8 && isAscii8(in + *at)) {
    memcpy(out + n, in + *at, 8);
    *at += 8;
    n += 8;
  }
  return n;
}

static inline size_t widenAscii(const uint8_t *in, size_t size, size_t *at,
                                uint8_t *out, size_t room, size_t unit, size_t low) {
  size_t n = 0;
  while (size - *at >= 8 && room - n >= 8 * unit && isAscii8(in + *at)) {
    memset(out + n, 0, 8 * unit);
    for (size_t i = 0; i < 8; i++) out[n + i * unit + low] = in[*at + i];
    *at += 8;
    n += 8 * unit;
  }
  return n;
}

static size_t widenUtf16le(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                           size_t room) {
  return widenAscii(in, size, at, out, room, 2, 0);
}

static size_t widenUtf16be(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                           size_t room) {
  return widenAscii(in, size, at, out, room, 2, 1);
}

static size_t widenUtf32le(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                           size_t room) {
  return widenAscii(in, size, at, out, room, 4, 0);
}

static size_t widenUtf32be(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                           size_t room) {
  return widenAscii(in, size, at, out, room, 4, 3);
}

/* Four units of UTF-16, or two of UTF-32, that are ASCII: `mask` is zero in just the bits
** that ASCII may have, as the bytes lie in memory. */
static inline size_t narrowAscii(const uint8_t *in, size_t size, size_t *at,
                                 uint8_t *out, size_t room, size_t unit, size_t low) {
  uint8_t mask[8];
  memset(mask, 0xFF, 8);
  for (size_t i = low; i < 8; i += unit) mask[i] = 0x80;
  size_t n = 0;
  while (size - *at >= 8 && room - n >= 4 &&
         (bytes_load64(in + *at) & bytes_load64(mask)) == 0) {
    for (size_t i = 0; i < 8 / unit; i++) out[n++] = in[*at + i * unit + low];
    *at += 8;
  }
  return n;
}

static size_t narrowUtf16le(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                            size_t room) {
  return narrowAscii(in, size, at, out, room, 2, 0);
}

static size_t narrowUtf16be(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                            size_t room) {
  return narrowAscii(in, size, at, out, room, 2, 1);
}

static size_t narrowUtf32le(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                            size_t room) {
  return narrowAscii(in, size, at, out, room, 4, 0);
}

static size_t narrowUtf32be(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                            size_t room) {
  return narrowAscii(in, size, at, out, room, 4, 3);
}

/* What UTF-8 writes and CESU-8 or Java's form otherwise. */
static inline uint8_t isOnlyUtf8(uint8_t byte) {
  return (uint8_t)((byte == 0) | (byte >= 0xF0));
}

/* Well-formed text up to a lead that is, or the last character there is room for. */
static size_t copyCesu8(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                        size_t room) {
  size_t n = 0;
  for (; size - *at >= 16 && room - n >= 16; *at += 16, n += 16) {
    uint8_t any = 0;
    for (size_t i = 0; i < 16; i++) any |= isOnlyUtf8(in[*at + i]);
    if (any) break;
    memcpy(out + n, in + *at, 16);
  }
  while (*at < size && n < room && !isOnlyUtf8(in[*at])) out[n++] = in[(*at)++];
  for (; *at < size && bytes_is_continuation(in[*at]); n--) --*at;
  return n;
}

/* Eight bytes of well-formed CESU-8 or Java's form that are UTF-8 too: neither ED, which may
** be the lead of a surrogate, nor C0. */
static inline int isUtf8Too(uint64_t eight) {
  return !bytes_zeros(eight ^ BYTES_ONES * 0xED) &&
         !bytes_zeros(eight ^ BYTES_ONES * 0xC0);
}

static size_t copyUtf8(const uint8_t *in, size_t size, size_t *at, uint8_t *out,
                       size_t room) {
  size_t n = 0;
  for (; size - *at >= 8 && room - n >= 8; *at += 8, n += 8) {
    if (!isUtf8Too(bytes_load64(in + *at))) break;
    memcpy(out + n, in + *at, 8);
  }
  for (; *at < size && n > 0 && bytes_is_continuation(in[*at]); n--) --*at;
  return n;
}

/* ---- from one form of UTF-8 to another ---------------------------------------------- */

/* U+FFFD for each ill-formed subpart is repair. */
static size_t repair(unsigned dialect, const uint8_t *in, size_t size, size_t *at,
                     uint8_t *out, size_t room) {
  const Utf8Repair how = {UTF8_POLICY_SUBPART, dialect, NULL, 0};
  return utf8core_repair(&how, in, size, at, out, room);
}

/* What a dialect knows and Unicode does not, lone surrogates and numbers above 10FFFF, is
** U+FFFD, as what is ill-formed is. */
ALWAYS_INLINE uint32_t scalarOf(Utf8Step s) {
  int isScalar = !s.error && s.codepoint <= 0x10FFFF && !isSurrogate(s.codepoint);
  return isScalar ? s.codepoint : REPLACEMENT;
}

/* Text of a dialect to UTF-8: what is the same in both is found by the kernel and copied,
** the rest goes step by step, longer each time that the kernel finds nothing. */
static size_t decodeDialect(unsigned dialect, const uint8_t *in, size_t size,
                            size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at, stride = 0;
  while (p < size && room - n >= CHARACTER_MOST) {
    size_t most = size - p < room - n ? size - p : room - n;
    size_t same = utf8kernel()->valid(in + p, most);
    memcpy(out + n, in + p, same);
    n += same, p += same;
    stride = same > stride ? STRIDE_LEAST : stride + STRIDE_LEAST;
    size_t pause = size - p < stride ? size : p + stride;
    while (p < pause && room - n >= CHARACTER_MOST) {
      Utf8Step s = step(in, size, p, dialect);
      n += stepPut(out + n, scalarOf(s));
      p += s.length;
    }
  }
  *at = p;
  return n;
}

/* Text is judged, then converted, in stretches that stay in the processor's first cache. */
#define STRETCH 8192

/* Decodes a dialect with pairs. The bulk function converts what is well-formed, a stretch at
** a time; the steps convert what it leaves. */
static size_t decodePairs(CharsetBulk *bulk, unsigned dialect, const uint8_t *in,
                          size_t size, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  while (p < size && room - n >= CHARACTER_MOST) {
    size_t until = size - p < STRETCH ? size : p + STRETCH;
    size_t end = utf8core_valid_prefix(in, size, p, until, dialect);
    n += bulk(in, end, &p, out + n, room - n);
    size_t pause = size - p < STRIDE_LEAST ? size : p + STRIDE_LEAST;
    while (p < pause && room - n >= CHARACTER_MOST) {
      Utf8Step s = step(in, size, p, dialect);
      n += stepPut(out + n, scalarOf(s));
      p += s.length;
    }
  }
  *at = p;
  return n;
}

/* The code point at *at in well-formed UTF-8. */
ALWAYS_INLINE uint32_t next(const uint8_t *in, size_t *at) {
  const uint8_t *p = in + *at;
  if (p[0] < 0x80) {
    *at += 1;
    return p[0];
  }
  if (p[0] < 0xE0) {
    *at += 2;
    return (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu);
  }
  if (p[0] < 0xF0) {
    *at += 3;
    return (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
  }
  *at += 4;
  return (p[0] & 0x07u) << 18 | (p[1] & 0x3Fu) << 12 | (p[2] & 0x3Fu) << 6 |
         (p[3] & 0x3Fu);
}

typedef struct Transcoder Transcoder;

/* Writes in[*at..end), which is well-formed, to the charset. Stops early for want of room
** or of an encoding. */
typedef size_t Encoder(const Transcoder *t, const uint8_t *in, size_t end, size_t *at,
                       uint8_t *out, size_t room);

/* UTF-8 on its way to a charset. */
struct Transcoder {
  unsigned dialect; /* as utf8core_encode() is given it */
  CharsetBulk *bulk;
  Writer *write;
  Encoder *encode; /* bulk and write in one loop */
};

/* After the bulk function has stopped, so many characters go one by one. */
#define BETWEEN_BULK 8

ALWAYS_INLINE size_t encodeWith(Writer *write, const Transcoder *t, const uint8_t *in,
                                size_t end, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  for (int ready = 1; ready && p < end;) {
    n += t->bulk(in, end, &p, out + n, room - n);
    for (int i = 0; ready && i < BETWEEN_BULK && p < end; i++) {
      size_t past = p, length = 0;
      if (room - n >= CHARACTER_MOST) length = write(out + n, next(in, &past));
      ready = length > 0;
      if (ready) p = past;
      n += length;
    }
  }
  *at = p;
  return n;
}

/* A loop for each writer, which is compiled in. */
#define ENCODER(name, write)                                                           \
  static size_t name(const Transcoder *t, const uint8_t *in, size_t end, size_t *at,   \
                     uint8_t *out, size_t room) {                                      \
    return encodeWith(write, t, in, end, at, out, room);                               \
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

static size_t transcode(const Transcoder *t, const uint8_t *in, size_t size, size_t *at,
                        uint8_t *out, size_t room) {
  size_t n = 0;
  while (*at < size && room - n >= CHARACTER_MOST) {
    size_t most = room - n < STRETCH ? room - n : STRETCH;
    size_t until = size - *at < most ? size : *at + most;
    size_t end = utf8core_valid_prefix(in, size, *at, until, t->dialect);
    n += t->encode(t, in, end, at, out + n, room - n);
    if (*at < end || room - n < CHARACTER_MOST) break;
    if (end >= until) continue;
    size_t length = t->write(out + n, REPLACEMENT);
    if (length == 0) break;
    n += length;
    *at += utf8core_step(in, size, *at, t->dialect).length;
  }
  return n;
}

/* ---- from units ---------------------------------------------------------------------- */

/* Turns in[*at..size) into UTF-8, as far as there is room. */
typedef size_t Decoder(CharsetBulk *bulk, const uint8_t *in, size_t size, size_t *at,
                       uint8_t *out, size_t room);

ALWAYS_INLINE size_t decodeWith(Reader *read, CharsetBulk *bulk, const uint8_t *in,
                                size_t size, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  while (p < size && room - n >= CHARACTER_MOST) {
    n += bulk(in, size, &p, out + n, room - n);
    for (int i = 0; i < BETWEEN_BULK && p < size && room - n >= CHARACTER_MOST; i++) {
      n += stepPut(out + n, read(in, size, &p));
    }
  }
  *at = p;
  return n;
}

/* UTF-16 to WTF-8: lone surrogates are kept, and an odd last byte as UTF8_ODD_BYTES. */
ALWAYS_INLINE size_t decodeToWtf8(CharsetBulk *bulk, const uint8_t *in, size_t size,
                                  size_t *at, uint8_t *out, size_t room, int big) {
  size_t n = 0, p = *at, even = size - size % 2;
  while (p < even && room - n >= CHARACTER_MOST) {
    n += bulk(in, even, &p, out + n, room - n);
    for (int i = 0; i < BETWEEN_BULK && p < even && room - n >= CHARACTER_MOST; i++) {
      n += stepPut(out + n, readUtf16Code(in, even, &p, big));
    }
  }
  if (p == even && even < size && room - n >= CHARACTER_MOST) {
    const uint8_t odd[] = {UTF8_ODD_BYTES(in[p])};
    p++;
    memcpy(out + n, odd, sizeof odd);
    n += sizeof odd;
  }
  *at = p;
  return n;
}

static size_t decodeUtf16leToWtf8(CharsetBulk *bulk, const uint8_t *in, size_t size,
                                  size_t *at, uint8_t *out, size_t room) {
  return decodeToWtf8(bulk, in, size, at, out, room, 0);
}

static size_t decodeUtf16beToWtf8(CharsetBulk *bulk, const uint8_t *in, size_t size,
                                  size_t *at, uint8_t *out, size_t room) {
  return decodeToWtf8(bulk, in, size, at, out, room, 1);
}

/* A loop for each reader, which is compiled in. */
#define DECODER(name, read)                                                            \
  static size_t name(CharsetBulk *bulk, const uint8_t *in, size_t size, size_t *at,    \
                     uint8_t *out, size_t room) {                                      \
    return decodeWith(read, bulk, in, size, at, out, room);                            \
  }
DECODER(decodeUtf16le, readUtf16le)
DECODER(decodeUtf16be, readUtf16be)
DECODER(decodeUtf32le, readUtf32le)
DECODER(decodeUtf32be, readUtf32be)
DECODER(decodeLatin1, readLatin1)
DECODER(decodeWindows1252, readWindows1252)
DECODER(decodeAscii, readAscii)

/* ---- the table ---------------------------------------------------------------------- */

/* Decoding goes by units, or by steps of a dialect of UTF-8. Where the charset is UTF-8
** itself, both ways are repair. */
typedef struct Charset {
  Decoder *decode;         /* units to UTF-8 */
  Decoder *decodeToWtf8;   /* UTF-16 to WTF-8 */
  CharsetBulk *decodeBulk; /* what is plain; of dialects, what is well-formed */
  Encoder *encode;         /* well-formed UTF-8 to the charset, with the help of */
  CharsetBulk *encodeBulk; /* plain characters, and */
  Writer *write;           /* one character */
  unsigned dialect;
  size_t bom_length; /* 0 where no byte order mark is written or taken off */
  uint8_t bom[4];
} Charset;

static const Charset charsets[UTF8_CHARSETS] = {
    [UTF8_CHARSET_UTF8] = {.dialect = UTF8_STRICT},
    [UTF8_CHARSET_UTF8BOM] = {.bom_length = 3, .bom = {0xEF, 0xBB, 0xBF}},
    [UTF8_CHARSET_UTF16] = {.decode = decodeUtf16be,
                            .decodeToWtf8 = decodeUtf16beToWtf8,
                            .decodeBulk = narrowUtf16be,
                            .encode = encodeUtf16be,
                            .write = writeUtf16be,
                            .encodeBulk = widenUtf16be,
                            .bom_length = 2,
                            .bom = {0xFE, 0xFF}},
    [UTF8_CHARSET_UTF16LE] = {.decode = decodeUtf16le,
                              .decodeToWtf8 = decodeUtf16leToWtf8,
                              .decodeBulk = narrowUtf16le,
                              .encode = encodeUtf16le,
                              .write = writeUtf16le,
                              .encodeBulk = widenUtf16le},
    [UTF8_CHARSET_UTF16BE] = {.decode = decodeUtf16be,
                              .decodeToWtf8 = decodeUtf16beToWtf8,
                              .decodeBulk = narrowUtf16be,
                              .encode = encodeUtf16be,
                              .write = writeUtf16be,
                              .encodeBulk = widenUtf16be},
    [UTF8_CHARSET_UTF32] = {.decode = decodeUtf32be,
                            .decodeBulk = narrowUtf32be,
                            .encode = encodeUtf32be,
                            .write = writeUtf32be,
                            .encodeBulk = widenUtf32be,
                            .bom_length = 4,
                            .bom = {0, 0, 0xFE, 0xFF}},
    [UTF8_CHARSET_UTF32LE] = {.decode = decodeUtf32le,
                              .decodeBulk = narrowUtf32le,
                              .encode = encodeUtf32le,
                              .write = writeUtf32le,
                              .encodeBulk = widenUtf32le},
    [UTF8_CHARSET_UTF32BE] = {.decode = decodeUtf32be,
                              .decodeBulk = narrowUtf32be,
                              .encode = encodeUtf32be,
                              .write = writeUtf32be,
                              .encodeBulk = widenUtf32be},
    [UTF8_CHARSET_LATIN1] = {.decode = decodeLatin1,
                             .decodeBulk = copyAscii,
                             .encode = encodeLatin1,
                             .write = writeLatin1,
                             .encodeBulk = copyAscii},
    [UTF8_CHARSET_WINDOWS1252] = {.decode = decodeWindows1252,
                                  .decodeBulk = copyAscii,
                                  .encode = encodeWindows1252,
                                  .write = writeWindows1252,
                                  .encodeBulk = copyAscii},
    [UTF8_CHARSET_ASCII] = {.decode = decodeAscii,
                            .decodeBulk = copyAscii,
                            .encode = encodeAscii,
                            .write = writeAscii,
                            .encodeBulk = copyAscii},
    [UTF8_CHARSET_RFC2044] = {.dialect = UTF8_LONG},
    [UTF8_CHARSET_CESU8] = {.encode = encodeCesu8,
                            .write = writeCesu8,
                            .encodeBulk = copyCesu8,
                            .decodeBulk = copyUtf8,
                            .dialect = UTF8_PAIRS},
    [UTF8_CHARSET_MUTF8] = {.encode = encodeMutf8,
                            .write = writeMutf8,
                            .encodeBulk = copyCesu8,
                            .decodeBulk = copyUtf8,
                            .dialect = UTF8_PAIRS | UTF8_C080},
    [UTF8_CHARSET_WTF8] = {.dialect = UTF8_SURROGATES},
};

/* ---- both ways ----------------------------------------------------------------------- */

static int startsWith(const uint8_t *in, size_t size, const uint8_t *start,
                      size_t length) {
  return length > 0 && size >= length && memcmp(in, start, length) == 0;
}

/* The unmarked forms are little-endian behind the mark that says so. */
static Utf8Charset ordered(Utf8Charset charset, const uint8_t *in, size_t size) {
  const uint8_t little[4] = {0xFF, 0xFE, 0, 0};
  if (charset == UTF8_CHARSET_UTF16 && startsWith(in, size, little, 2)) {
    return UTF8_CHARSET_UTF16LE;
  }
  if (charset == UTF8_CHARSET_UTF32 && startsWith(in, size, little, 4)) {
    return UTF8_CHARSET_UTF32LE;
  }
  return charset;
}

size_t utf8core_decode(Utf8Charset charset, unsigned dialect, const uint8_t *in,
                       size_t size, size_t *at, uint8_t *out, size_t room) {
  Utf8Charset order = ordered(charset, in, size);
  const Charset *c = &charsets[order];
  if (*at == 0) {
    int marked = order != charset || startsWith(in, size, c->bom, c->bom_length);
    if (marked) *at = charsets[charset].bom_length;
  }
  if (c->decode) {
    Decoder *decode =
        c->decodeToWtf8 && (dialect & UTF8_SURROGATES) ? c->decodeToWtf8 : c->decode;
    return decode(charset_decoder(order, c->decodeBulk), in, size, at, out, room);
  }
  if (c->dialect == UTF8_STRICT) return repair(c->dialect, in, size, at, out, room);
  if (c->decodeBulk) {
    CharsetBulk *bulk = charset_decoder(order, c->decodeBulk);
    return decodePairs(bulk, c->dialect, in, size, at, out, room);
  }
  return decodeDialect(c->dialect, in, size, at, out, room);
}

size_t utf8core_encode(Utf8Charset charset, unsigned dialect, const uint8_t *in,
                       size_t size, size_t *at, uint8_t *out, size_t room) {
  const Charset *c = &charsets[charset];
  size_t n = *at == 0 ? c->bom_length : 0;
  memcpy(out, c->bom, n);
  if (!c->encode) return n + repair(dialect, in, size, at, out + n, room - n);
  const Transcoder t = {dialect, charset_encoder(charset, c->encodeBulk), c->write,
                        c->encode};
  return n + transcode(&t, in, size, at, out + n, room - n);
}
