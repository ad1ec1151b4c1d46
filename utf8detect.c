/* utf8detect.c: which charset do these bytes show?
**
**     utf8core_detect((const uint8_t *)"H\0i\0", 4)      // UTF8_CHARSET_UTF16LE
**     utf8core_detect((const uint8_t *)"caf\xE9", 4)     // UTF8_CHARSET_LATIN1
**
** Rules in a fixed order; the first that fits decides: a byte order mark, UTF-32 and
** UTF-16 without one, binary, ASCII, UTF-8, its relatives, UTF-8 that was cut,
** Windows-1252, ISO-8859-1. There is no model of any language: between charsets of bytes only form is looked at, so of the
** ISO-8859 family nothing but Latin-1 is ever named, and a wrong guess between them cannot
** be seen. docs/detection.md gives each rule's source and what the rules get right.
**
** The rule for UTF-16 and UTF-32 is the one with judgement in it. It is asked only where a
** byte occurs that text in bytes does not have, so that "Bush hid the facts" stays ASCII.
** Then each byte order is tried as a reading. One that meets what is no character, or many
** rare ones, is out; one that stays needs a sign of text: characters of ASCII, lines and
** spaces among them, or one alphabet.
**
** UTF-16 and UTF-32 are judged by the first 64 KB; every other rule looks at all bytes. The
** time is linear in their number.
*/
#include "utf8core.h"
#include "simd/bytes.h"
#include <string.h>

/* ---- thresholds (docs/detection.md has what they were measured by) ------------------ */

#define CONTROLS_ASCII  8   /* one control byte in fewer bytes: binary, though UTF-8 */
#define CONTROLS_OTHERS 128 /* the same where the bytes are not UTF-8 */
#define RARE_FEW        16  /* one rare character in fewer than this: no reading */
#define ALPHABET_UNITS  2   /* so many letters of one alphabet are a sign of text */
#define UTF32_UNITS     2   /* so many units that are all characters are UTF-32 */
#define ALPHABET_SHARE  4   /* one letter in so many may be of another one */

#define UNITS_LOOK ((size_t)1 << 16) /* bytes in which UTF-16 and UTF-32 show */

/* ---- bytes -------------------------------------------------------------------------- */

/* WHATWG MIME Sniffing §3, "binary data byte"; 00 is one, and noted apart. For a byte, or
** each byte of a vector. */
#define IS_CONTROL(b)                                                                  \
  (((b) < 0x20) & ((b) != 0) & ((b) != '\t') & ((b) != '\n') & ((b) != '\f') &         \
   ((b) != '\r') & ((b) != 0x1B))

typedef struct Census {
  int nul;        /* whether it occurs */
  int high;       /* 80..FF */
  int c1;         /* 80..9F */
  int longForm;   /* F8..FF */
  size_t control; /* how many others there are that text does not have */
} Census;

/* A vector of whatever size the processor has for all: gcc's and clang's own. */
typedef uint8_t Lanes __attribute__((vector_size(16)));

#define LANES      sizeof(Lanes)
#define LANES_MOST (255 * LANES) /* bytes that are counted before a lane overflows */

static size_t sumOfLanes(Lanes v) {
  size_t sum = 0;
  for (size_t i = 0; i < LANES; i++) sum += v[i];
  return sum;
}

/* Size is a multiple of LANES, at most LANES_MOST. */
static void addToCensus(Census *c, const uint8_t *bytes, size_t size) {
  Lanes b, nul = {0}, high = {0}, c1 = {0}, longForm = {0}, control = {0};
  for (size_t i = 0; i < size; i += LANES) {
    memcpy(&b, bytes + i, LANES);
    nul |= (Lanes)(b == 0);
    high |= b;
    c1 |= (Lanes)((b & 0xE0) == 0x80);
    longForm |= (Lanes)(b >= 0xF8);
    control -= (Lanes)IS_CONTROL(b); /* which is FF for each that is one */
  }
  c->nul |= sumOfLanes(nul) > 0;
  c->high |= sumOfLanes(high & 0x80) > 0;
  c->c1 |= sumOfLanes(c1) > 0;
  c->longForm |= sumOfLanes(longForm) > 0;
  c->control += sumOfLanes(control);
}

static Census censusOf(const uint8_t *bytes, size_t size) {
  Census c = {0};
  uint8_t end[LANES];
  const size_t whole = size - size % LANES;
  for (size_t at = 0; at < whole; at += LANES_MOST)
    addToCensus(&c, bytes + at, whole - at < LANES_MOST ? whole - at : LANES_MOST);
  memset(end, ' ', LANES);
  if (whole < size) memcpy(end, bytes + whole, size - whole);
  addToCensus(&c, end, LANES);
  return c;
}

static int isValid(const uint8_t *bytes, size_t size, unsigned dialect) {
  return utf8core_valid_prefix(bytes, size, 0, size, dialect) == size;
}

/* ---- a byte order mark ---------------------------------------------------------------- */

static int startsWith(const uint8_t *bytes, size_t size, const char *mark,
                      size_t length) {
  return size >= length && memcmp(bytes, mark, length) == 0;
}

/* Unicode D95-D98 and RFC 3629 §6. FF FE 00 00 is read as UTF-32's. */
static Utf8Charset byMark(const uint8_t *bytes, size_t size) {
  if (startsWith(bytes, size, "\xEF\xBB\xBF", 3)) return UTF8_CHARSET_UTF8BOM;
  if (startsWith(bytes, size, "\xFF\xFE\0\0", 4)) return UTF8_CHARSET_UTF32;
  if (startsWith(bytes, size, "\0\0\xFE\xFF", 4)) return UTF8_CHARSET_UTF32;
  if (startsWith(bytes, size, "\xFF\xFE", 2)) return UTF8_CHARSET_UTF16;
  if (startsWith(bytes, size, "\xFE\xFF", 2)) return UTF8_CHARSET_UTF16;
  return UTF8_CHARSET_BINARY;
}

/* ---- a reading as UTF-16 or UTF-32 ----------------------------------------------------- */

#define ALPHABETS 0x20 /* the alphabets that are not Latin are below U+2000 */

/* What the bytes are if they are read in one form and byte order. */
typedef struct Reading {
  size_t units;
  size_t plain; /* ASCII, and the comma and the stops of Chinese and Japanese */
  size_t rare;  /* in no block that much text is written in */
  size_t ascii; /* not plain, but its bytes could be ASCII, a letter and any */
  size_t alphabet[ALPHABETS]; /* by high byte */
} Reading;

static inline int isPrintable(uint32_t byte) {
  return byte >= 0x20 && byte < 0x7F;
}

/* Characters that text has: no control but lines, tab and escape, no surrogate, no
** noncharacter (Unicode D14), none of the planes without characters. */
static int isText(uint32_t c) {
  if (c < 0x20) return c != 0 && !IS_CONTROL(c);
  if (c < 0xA0) return c < 0x7F || c == 0x85;
  if (c >= 0xD800 && c <= 0xDFFF) return 0;
  if ((c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF)) return 0;
  return c < 0x40000 || (c >= 0xE0000 && c <= 0x10FFFF);
}

static int isPlain(uint32_t c) {
  return c < 0x80 || c == 0x3001 || c == 0x3002 || c == 0xFF0C;
}

/* By the blocks of the Unicode character database (Blocks.txt), 256 code points at a time:
** not Han Extension A, Yi, private use and the like, which bytes read in a wrong order
** fall into as often as anywhere. */
static int isRare(uint32_t c) {
  uint32_t high = c >> 8;
  if (c >= 0x10000) return high < 0x1D0 || high > 0x1FF;
  if (high < 0x28)
    return (high >= 0x14 && high <= 0x16) || high == 0x1A || high == 0x1B;
  if (high < 0x4E) return high != 0x30 && high != 0x31;
  return (high > 0x9F && high < 0xAC) || (high > 0xD7 && high < 0xFB);
}

static inline void readUnit(Reading *r, uint32_t c) {
  r->units++;
  if (isPlain(c)) {
    r->plain++;
    return;
  }
  r->rare += (size_t)isRare(c);
  r->ascii += isPrintable(c & 0xFF) && c >> 8 >= 'A' && c >> 8 <= 'z';
  if (c >> 8 < ALPHABETS) r->alphabet[c >> 8]++;
}

/* Both return 0 at the first unit that is no text. */
static int readAsUtf16(Reading *r, const uint8_t *bytes, size_t size, int big) {
  for (size_t at = 0; at < size && at < UNITS_LOOK; at += 2) {
    uint32_t c = bytes_unit16(bytes + at, big);
    if (c >> 10 == 0xD800 >> 10 && size - at >= 4) {
      uint32_t last = bytes_unit16(bytes + at + 2, big);
      if (last >> 10 != 0xDC00 >> 10) return 0;
      c = 0x10000 + ((c & 0x3FF) << 10 | (last & 0x3FF));
      at += 2;
    }
    if (!isText(c)) return 0;
    readUnit(r, c);
  }
  return 1;
}

static int readAsUtf32(Reading *r, const uint8_t *bytes, size_t size, int big) {
  for (size_t at = 0; at < size && at < UNITS_LOOK; at += 4) {
    uint32_t c = bytes_unit32(bytes + at, big);
    if (!isText(c)) return 0;
    readUnit(r, c);
  }
  return 1;
}

/* Are nearly all units letters of one alphabet other than Latin? */
static int hasAlphabet(const Reading *r) {
  size_t most = 0;
  for (size_t i = 3; i < ALPHABETS; i++) { /* 01 and 02 are Latin letters */
    if (r->alphabet[i] > most) most = r->alphabet[i];
  }
  return r->units >= ALPHABET_UNITS && r->units - most <= r->units / ALPHABET_SHARE;
}

static int hasFewRare(const Reading *r) {
  return r->rare <= r->units / RARE_FEW;
}

/* ASCII with a NUL after it, read two bytes at a time, is one plain unit behind Chinese
** characters of which each is two letters. */
static int isAsciiInPairs(const Reading *r) {
  return 2 * r->ascii > r->units - r->plain;
}

static int isUtf16(Reading *r, const uint8_t *bytes, size_t size, int big) {
  return readAsUtf16(r, bytes, size, big) && hasFewRare(r) && !isAsciiInPairs(r) &&
         (r->plain > 0 || hasAlphabet(r));
}

static int isUtf32(Reading *r, const uint8_t *bytes, size_t size, int big) {
  return readAsUtf32(r, bytes, size, big) && hasFewRare(r) &&
         (r->plain > 0 || hasAlphabet(r) || r->units >= UTF32_UNITS);
}

/* Both byte orders make sense: the one in which more is plain does so more. */
static int isPlainer(const Reading *a, const Reading *b) {
  return a->plain > b->plain;
}

static Utf8Charset byUnits(const uint8_t *bytes, size_t size) {
  Reading little = {0}, big = {0};
  if (size % 4 == 0) {
    int isLittle = isUtf32(&little, bytes, size, 0);
    int isBig = isUtf32(&big, bytes, size, 1);
    if (isLittle && (!isBig || isPlainer(&little, &big))) return UTF8_CHARSET_UTF32LE;
    if (isBig && (!isLittle || isPlainer(&big, &little))) return UTF8_CHARSET_UTF32BE;
  }
  if (size % 2 == 0) {
    memset(&little, 0, sizeof little);
    memset(&big, 0, sizeof big);
    int isLittle = isUtf16(&little, bytes, size, 0);
    int isBig = isUtf16(&big, bytes, size, 1);
    if (isLittle && (!isBig || isPlainer(&little, &big))) return UTF8_CHARSET_UTF16LE;
    if (isBig && (!isLittle || isPlainer(&big, &little))) return UTF8_CHARSET_UTF16BE;
  }
  return UTF8_CHARSET_BINARY;
}

/* ---- UTF-8 and its relatives ------------------------------------------------------------ */

/* What UTF-8 is not but a relative is, has what makes the relative differ: a pair, C0 80,
** or, which must be looked for, a form of five or six octets, which F8..FD start. */
static Utf8Charset byDialect(const uint8_t *bytes, size_t size, int longForm) {
  if (isValid(bytes, size, UTF8_PAIRS)) return UTF8_CHARSET_CESU8;
  if (isValid(bytes, size, UTF8_PAIRS | UTF8_C080)) return UTF8_CHARSET_MUTF8;
  if (longForm && isValid(bytes, size, UTF8_LONG)) return UTF8_CHARSET_RFC2044;
  return UTF8_CHARSET_BINARY;
}

/* Is this UTF-8 that was cut: by a limit in bytes at its end, or at its start when it was
** taken out of a longer text? A whole sequence of two or more bytes must show that it is
** UTF-8: 63 61 66 E9 alone is Latin-1. */
static int isCutUtf8(const uint8_t *bytes, size_t size) {
  size_t start = 0;
  while (start < 3 && start < size && bytes_is_continuation(bytes[start])) start++;
  size_t end = utf8core_valid_prefix(bytes, size, start, size, UTF8_STRICT);
  if (end < size &&
      utf8core_step(bytes, size, end, UTF8_STRICT).error != UTF8_TRUNCATED) {
    return 0;
  }
  return censusOf(bytes + start, end - start).high;
}

/* ---- in order ----------------------------------------------------------------------------- */

Utf8Charset utf8core_detect(const uint8_t *bytes, size_t size) {
  Utf8Charset charset = byMark(bytes, size);
  if (charset != UTF8_CHARSET_BINARY) return charset;
  Census c = censusOf(bytes, size);
  int oddForBytes = c.nul || c.control > 0;
  int isUtf8 = c.high && isValid(bytes, size, UTF8_STRICT);
  if (oddForBytes && !isUtf8) charset = byUnits(bytes, size);
  if (charset != UTF8_CHARSET_BINARY) return charset;
  size_t many = !c.high || isUtf8 ? CONTROLS_ASCII : CONTROLS_OTHERS;
  if (c.nul || c.control > size / many) return UTF8_CHARSET_BINARY;
  if (!c.high) return UTF8_CHARSET_ASCII;
  if (isUtf8) return UTF8_CHARSET_UTF8;
  charset = byDialect(bytes, size, c.longForm);
  if (charset != UTF8_CHARSET_BINARY) return charset;
  if (isCutUtf8(bytes, size)) return UTF8_CHARSET_UTF8;
  return c.c1 ? UTF8_CHARSET_WINDOWS1252 : UTF8_CHARSET_LATIN1;
}
