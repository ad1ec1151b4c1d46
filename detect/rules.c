/* detect/rules.c: names the charset of some bytes.
**
**     utf8core_detect((const uint8_t *)"H\0i\0", 4)      // UTF8_CHARSET_UTF16LE
**     utf8core_detect((const uint8_t *)"caf\xE9", 4)     // UTF8_CHARSET_LATIN1
**
** Rules in a fixed order; the first that matches decides: a byte order mark, UTF-32 and
** UTF-16 without one, binary, ASCII and what its bytes may stand for, UTF-8, its relatives.
** docs/detection.md lists the source of each rule and how often the rules are right.
**
** No rule uses a language. For what no rule knows, text of a legacy charset or damaged UTF-8,
** detect/likelihood.c compares the readings.
**
** The rule for UTF-16 and UTF-32 is a heuristic. It applies only if a byte occurs
** that text of single bytes lacks, so "Bush hid the facts" stays ASCII. It tries each byte
** order. An order is out if it decodes to a noncharacter, or to many rare code points. To be
** accepted it must show a sign of text: ASCII characters, such as newlines and spaces, or
** letters of one alphabet.
**
** The first 64 KB decide about UTF-16 and UTF-32, all bytes about everything else. The time
** is linear in their number.
*/
#include "detect/rules.h"
#include "detect/model.h"
#include "core/bytes.h"
#include <string.h>

/* ---- thresholds (tool/detect/rates.md: how they were measured) ---------------------- */

#define CONTROLS_UTF8   8 /* more than one control byte in this many: binary, if UTF-8 */
#define CONTROLS_OTHERS 128 /* likewise, if the bytes are not UTF-8 */
#define RARE_SHARE      16  /* more than one rare character in this many: not UTF-16 */
#define ALPHABET_MIN    2   /* letters of one alphabet that are a sign of text */
#define ANCIENT_MIN     4   /* letters of one alphabet of plane 1 that are not rare */
#define ALPHABET_SHARE  4   /* one letter in this many may be of another alphabet */
#define HZ_RARE_SHARE   4   /* one character of hz in this many may be rare */
#define UTF32_MIN       2   /* code units that are all characters are UTF-32 */

#define UNITS_MAX ((size_t)1 << 16) /* bytes examined for UTF-16 and UTF-32 */

/* ---- bytes -------------------------------------------------------------------------- */

/* Is b a control byte that text lacks (WHATWG MIME Sniffing §3, "binary data byte")? Not
** 00, which has its own field. b is one byte or a vector of bytes. */
#define IS_CONTROL(b)                                                                  \
  (((b) < 0x20) & ((b) != 0) & ((b) != '\t') & ((b) != '\n') & ((b) != '\f') &         \
   ((b) != '\r') & ((b) != 0x1B))

/* Which kinds of bytes occur: each field but the last is 0 or not. */
typedef struct ByteStats {
  int nul;         /* 00 */
  int high;        /* 80..FF */
  int c1;          /* 80..9F */
  int long_lead;   /* F8..FF */
  size_t controls; /* how many bytes are IS_CONTROL */
} ByteStats;

/* Bytes that are examined at once. In GNU C a vector, for which the compiler has
** instructions on every processor; else one byte, with the same operators. */
#if UTF8_GNU
typedef uint8_t Lanes __attribute__((vector_size(16)));
#else
typedef uint8_t Lanes;
#endif

#define LANES sizeof(Lanes)
/* With more, the count in a lane could overflow. */
#define LANES_BYTES_MAX (255 * LANES)

static size_t sumOfLanes(Lanes v) {
  uint8_t lane[LANES];
  size_t sum = 0;
  memcpy(lane, &v, LANES);
  for (size_t i = 0; i < LANES; i++) sum += lane[i];
  return sum;
}

/* Adds bytes[0..size), a multiple of LANES and at most LANES_BYTES_MAX. */
static void addBytes(ByteStats *stats, const uint8_t *bytes, size_t size) {
  Lanes b, nul = {0}, high = {0}, c1 = {0}, longLead = {0}, controls = {0};
  for (size_t i = 0; i < size; i += LANES) {
    memcpy(&b, bytes + i, LANES);
    nul |= (Lanes)(b == 0);
    high |= b;
    c1 |= (Lanes)((b & 0xE0) == 0x80);
    longLead |= (Lanes)(b >= 0xF8);
    controls += (Lanes)(IS_CONTROL(b) & 1); /* a comparison of vectors yields FF */
  }
  stats->nul |= sumOfLanes(nul) > 0;
  stats->high |= sumOfLanes(high & 0x80) > 0;
  stats->c1 |= sumOfLanes(c1) > 0;
  stats->long_lead |= sumOfLanes(longLead) > 0;
  stats->controls += sumOfLanes(controls);
}

/* Pads the last bytes, fewer than LANES, with spaces. */
static ByteStats statsOf(const uint8_t *bytes, size_t size) {
  ByteStats stats = {0, 0, 0, 0, 0};
  uint8_t end[LANES];
  const size_t whole = size - size % LANES;
  for (size_t at = 0; at < whole; at += LANES_BYTES_MAX)
    addBytes(&stats, bytes + at,
             whole - at < LANES_BYTES_MAX ? whole - at : LANES_BYTES_MAX);
  memset(end, ' ', LANES);
  if (whole < size) memcpy(end, bytes + whole, size - whole);
  addBytes(&stats, end, LANES);
  return stats;
}

static int isValidIn(unsigned dialect, const uint8_t *bytes, size_t size) {
  return !utf8core_find_error(bytes, size, 0, size, dialect).error;
}

/* ---- a byte order mark ---------------------------------------------------------------- */

static int hasMark(const uint8_t *bytes, size_t size, const char *mark, size_t length) {
  return size >= length && memcmp(bytes, mark, length) == 0;
}

/* Unicode D95-D98 and RFC 3629 §6. FF FE 00 00 is read as UTF-32's. */
static Utf8Charset byMark(const uint8_t *bytes, size_t size) {
  if (hasMark(bytes, size, "\xEF\xBB\xBF", 3)) return UTF8_CHARSET_UTF8BOM;
  if (hasMark(bytes, size, "\xFF\xFE\0\0", 4)) return UTF8_CHARSET_UTF32;
  if (hasMark(bytes, size, "\0\0\xFE\xFF", 4)) return UTF8_CHARSET_UTF32;
  if (hasMark(bytes, size, "\xFF\xFE", 2)) return UTF8_CHARSET_UTF16;
  if (hasMark(bytes, size, "\xFE\xFF", 2)) return UTF8_CHARSET_UTF16;
  return UTF8_CHARSET_BINARY;
}

/* ---- decoded as UTF-16 or UTF-32 ------------------------------------------------------- */

/* Blocks of 256 code points that alphabets are in: below U+2000, and in plane 1. */
#define ALPHABETS   0x120
#define ALPHABETS_0 0x20

/* What the code points are if the bytes are decoded as UTF-16 or UTF-32 of one byte order. */
typedef struct UnitStats {
  size_t count;
  size_t common; /* ASCII, and the comma and the stops of Chinese and Japanese */
  size_t rare;   /* in no block in which much text is written */
  size_t ascii; /* not common, but its bytes may be ASCII: a letter and any character */
  /* by the code point's second byte; those of plane 1 last */
  size_t alphabet[ALPHABETS];
} UnitStats;

static inline int isPrintableAscii(uint32_t byte) {
  return byte >= 0x20 && byte < 0x7F;
}

/* Can text contain c? Not controls other than newlines, tab and escape, not surrogates, not
** noncharacters (Unicode D14), not planes without characters. */
static int isText(uint32_t c) {
  if (c < 0x20) return c != 0 && !IS_CONTROL(c);
  if (c < 0xA0) return c < 0x7F || c == 0x85;
  if (c >= 0xD800 && c <= 0xDFFF) return 0;
  if ((c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF)) return 0;
  return c < 0x40000 || (c >= 0xE0000 && c <= 0x10FFFF);
}

static int isCommon(uint32_t c) {
  return c < 0x80 || c == 0x3001 || c == 0x3002 || c == 0xFF0C;
}

/* Is c in a block where little text is written: Han Extension A, Yi, private use and the
** like? Bytes in a wrong order fall into these as often as into others. By the Unicode
** character database (Blocks.txt), 256 code points at a time. */
static int isRare(uint32_t c) {
  uint32_t high = c >> 8;
  if (c >= 0x10000) return high < 0x1D0 || high > 0x1FF;
  if (high < 0x28)
    return (high >= 0x14 && high <= 0x16) || high == 0x1A || high == 0x1B;
  if (high < 0x4E) return high != 0x30 && high != 0x31;
  return (high > 0x9F && high < 0xAC) || (high > 0xD7 && high < 0xFB);
}

static inline void addCodepoint(UnitStats *stats, uint32_t c) {
  stats->count++;
  if (isCommon(c)) {
    stats->common++;
    return;
  }
  stats->rare += (size_t)isRare(c);
  stats->ascii += isPrintableAscii(c & 0xFF) && c >> 8 >= 'A' && c >> 8 <= 'z';
  if (c >> 8 < ALPHABETS_0) stats->alphabet[c >> 8]++;
  if (c >> 16 == 1) stats->alphabet[ALPHABETS_0 + (c >> 8 & 0xFF)]++;
}

/* Stores the statistics of bytes as UTF-16, of even size. Returns 0, with the work
** unfinished, at the first code point that is not text. */
static int addUtf16(UnitStats *stats, const uint8_t *bytes, size_t size, int big) {
  for (size_t at = 0; at < size && at < UNITS_MAX; at += 2) {
    uint32_t c = bytes_unit16(bytes + at, big);
    if (bytes_is_high_surrogate(c) && size - at >= 4) {
      uint32_t low = bytes_unit16(bytes + at + 2, big);
      if (!bytes_is_low_surrogate(low)) return 0;
      c = bytes_join_surrogates(c, low);
      at += 2;
    }
    if (!isText(c)) return 0;
    addCodepoint(stats, c);
  }
  return 1;
}

/* Like addUtf16(), for UTF-32; size is a multiple of 4. */
static int addUtf32(UnitStats *stats, const uint8_t *bytes, size_t size, int big) {
  for (size_t at = 0; at < size && at < UNITS_MAX; at += 4) {
    uint32_t c = bytes_unit32(bytes + at, big);
    if (!isText(c)) return 0;
    addCodepoint(stats, c);
  }
  return 1;
}

static size_t maxAlphabet(const UnitStats *stats, size_t from, size_t to) {
  size_t max = 0;
  for (size_t i = from; i < to; i++) {
    if (stats->alphabet[i] > max) max = stats->alphabet[i];
  }
  return max;
}

/* Are nearly all code points letters of one alphabet other than Latin? */
static int hasAlphabet(const UnitStats *stats) {
  size_t max = maxAlphabet(stats, 3, ALPHABETS); /* 01 and 02 are Latin letters */
  return stats->count >= ALPHABET_MIN &&
         stats->count - max <= stats->count / ALPHABET_SHARE;
}

/* An ancient alphabet is rare, but a text in it is not: it has many letters of one block. */
static int hasFewRare(const UnitStats *stats) {
  size_t ancient = maxAlphabet(stats, ALPHABETS_0, ALPHABETS_0 + 0xD0);
  if (ancient < ANCIENT_MIN) ancient = 0;
  return stats->rare - ancient <= stats->count / RARE_SHARE;
}

/* Could this be ASCII that ends in NUL? Two bytes at a time, that is a row of Chinese
** characters, each two letters, and one ASCII character. */
static int isAsciiByTwos(const UnitStats *stats) {
  return 2 * stats->ascii > stats->count - stats->common;
}

static int isUtf16(UnitStats *stats, const uint8_t *bytes, size_t size, int big) {
  return addUtf16(stats, bytes, size, big) && hasFewRare(stats) &&
         !isAsciiByTwos(stats) && (stats->common > 0 || hasAlphabet(stats));
}

static int isUtf32(UnitStats *stats, const uint8_t *bytes, size_t size, int big) {
  return addUtf32(stats, bytes, size, big) && hasFewRare(stats) &&
         (stats->common > 0 || hasAlphabet(stats) || stats->count >= UTF32_MIN);
}

/* Returns little or big, whichever accepts the bytes; if both do, the one with more
** common characters; UTF8_CHARSET_BINARY if none does or both have as many. */
static Utf8Charset byOrder(const uint8_t *bytes, size_t size,
                           int (*accepts)(UnitStats *, const uint8_t *, size_t, int),
                           Utf8Charset little, Utf8Charset big) {
  UnitStats asLittle = {0}, asBig = {0};
  int isLittle = accepts(&asLittle, bytes, size, 0);
  int isBig = accepts(&asBig, bytes, size, 1);
  if (isLittle && (!isBig || asLittle.common > asBig.common)) return little;
  if (isBig && (!isLittle || asBig.common > asLittle.common)) return big;
  return UTF8_CHARSET_BINARY;
}

static Utf8Charset byUnits(const uint8_t *bytes, size_t size) {
  Utf8Charset charset = UTF8_CHARSET_BINARY;
  if (size % 4 == 0)
    charset = byOrder(bytes, size, isUtf32, UTF8_CHARSET_UTF32LE, UTF8_CHARSET_UTF32BE);
  if (size % 2 == 0 && charset == UTF8_CHARSET_BINARY)
    charset = byOrder(bytes, size, isUtf16, UTF8_CHARSET_UTF16LE, UTF8_CHARSET_UTF16BE);
  return charset;
}

/* ---- UTF-8 and its relatives ------------------------------------------------------------ */

/* Does the byte, at which UTF-8 has an error, start a sequence of a relative: a surrogate, C0 80
** or one that starts with F4 or above? */
static int startsInDialect(uint8_t byte) {
  return byte == 0xED || byte == 0xC0 || byte >= 0xF4;
}

/* Returns the relative of UTF-8 in which the bytes are well-formed, or UTF8_CHARSET_BINARY if
** there is none. The bytes are not UTF-8. So if they are CESU-8 or MUTF-8, they contain a
** surrogate pair or C0 80. RFC 2044 also needs a sequence of five or six bytes (hasLongLead):
** F5..F7 alone do not indicate it. */
static Utf8Charset byDialect(const uint8_t *bytes, size_t size, int hasLongLead) {
  if (!startsInDialect(bytes[utf8core_find_error(bytes, size, 0, size, 0).offset]))
    return UTF8_CHARSET_BINARY;
  if (isValidIn(UTF8_PAIRS, bytes, size)) return UTF8_CHARSET_CESU8;
  if (isValidIn(UTF8_PAIRS | UTF8_C080, bytes, size)) return UTF8_CHARSET_MUTF8;
  if (hasLongLead && isValidIn(UTF8_LONG, bytes, size)) return UTF8_CHARSET_RFC2044;
  return UTF8_CHARSET_BINARY;
}

/* ---- charsets with states --------------------------------------------------------------- */

/* A designation, and the charset that has it. */
typedef struct Designation {
  char bytes[5];
  Utf8Charset charset;
} Designation;

static const Designation designations[] = {{"\x1B(J", UTF8_CHARSET_ISO2022_JP},
                                           {"\x1B(I", UTF8_CHARSET_ISO2022_JP},
                                           {"\x1B$@", UTF8_CHARSET_ISO2022_JP},
                                           {"\x1B$B", UTF8_CHARSET_ISO2022_JP},
                                           {"\x1B$)C", UTF8_CHARSET_ISO2022_KR}};

/* Returns the charset of the designation at an ESC, or ASCII if it is unknown. */
static Utf8Charset designationAt(const uint8_t *p, size_t left) {
  for (size_t i = 0; i < sizeof designations / sizeof *designations; i++) {
    const size_t length = strlen(designations[i].bytes);
    if (left >= length && memcmp(p, designations[i].bytes, length) == 0)
      return designations[i].charset;
  }
  return UTF8_CHARSET_ASCII;
}

/* Returns the charset of the first known designation, or ASCII if there is none. */
static Utf8Charset designated(const uint8_t *bytes, size_t size) {
  Utf8Charset charset = UTF8_CHARSET_ASCII;
  const uint8_t *end = bytes + size, *p = size ? memchr(bytes, 0x1B, size) : NULL;
  while (p && charset == UTF8_CHARSET_ASCII) {
    charset = designationAt(p, (size_t)(end - p));
    p = ++p < end ? memchr(p, 0x1B, (size_t)(end - p)) : NULL;
  }
  return charset;
}

/* Does the charset decode the bytes without U+FFFD? */
static int decodesIn(Utf8Charset charset, const uint8_t *bytes, size_t size) {
  Utf8Conversion c = {.charset = charset, .dialect = UTF8_STRICT};
  uint8_t out[1024];
  do {
    const size_t n = utf8core_decode(&c, bytes, size, out, sizeof out);
    if (bytes_count_fffd(out, n) > 0) return 0;
  } while (c.at < size);
  return 1;
}

/* Characters of hz: all, and those of the rows of signs and of common characters, 21..57. */
typedef struct HzCounts {
  size_t all, common;
} HzCounts;

/* Counts the characters of in[at..size), which follows ~{. Returns where ~} is; size if a line or the text
** ends first. */
static size_t countHzCharacters(HzCounts *found, const uint8_t *in, size_t size,
                                size_t at) {
  for (; size - at >= 2 && in[at] != '\n'; at += 2) {
    if (in[at] == '~' && in[at + 1] == '}') return at;
    found->all++;
    if (in[at] <= 0x57) found->common++;
  }
  return size;
}

/* Does the ASCII text have characters of hz between ~{ and ~}, most of them common? */
static int hasHzCharacters(const uint8_t *in, size_t size) {
  HzCounts found = {0, 0};
  const uint8_t *p = size ? memchr(in, '~', size) : NULL;
  while (p) {
    size_t at = (size_t)(p - in) + 1;
    if (at < size && in[at] == '{') {
      at = countHzCharacters(&found, in, size, at + 1);
      if (at == size) return 0;
    }
    at += at < size;
    p = at < size ? memchr(in + at, '~', size - at) : NULL;
  }
  return found.all > 0 && found.all - found.common <= found.all / HZ_RARE_SHARE;
}

/* ASCII bytes; with a designation (RFC 1468, JIS X 0201, RFC 1557), or with characters of hz (RFC 1843), they
** may be of a charset with states. */
static Utf8Charset byEscapes(const uint8_t *bytes, size_t size) {
  const Utf8Charset charset = designated(bytes, size);
  if (charset != UTF8_CHARSET_ASCII && decodesIn(charset, bytes, size)) return charset;
  return hasHzCharacters(bytes, size) && decodesIn(UTF8_CHARSET_HZ, bytes, size)
             ? UTF8_CHARSET_HZ
             : UTF8_CHARSET_ASCII;
}

/* Like byEscapes(), for iso-2022-kr alone, whose shifts are control bytes. */
static int isKorean(const ByteStats *stats, const uint8_t *bytes, size_t size) {
  return stats->controls > 0 && !stats->nul && !stats->high &&
         designated(bytes, size) == UTF8_CHARSET_ISO2022_KR &&
         decodesIn(UTF8_CHARSET_ISO2022_KR, bytes, size);
}

/* ---- the rules in order ------------------------------------------------------------------- */

Utf8Charset utf8detect_by_rules(const uint8_t *bytes, size_t size) {
  Utf8Charset charset = byMark(bytes, size);
  if (charset != UTF8_CHARSET_BINARY) return charset;
  ByteStats stats = statsOf(bytes, size);
  if (isKorean(&stats, bytes, size)) return UTF8_CHARSET_ISO2022_KR;
  int isUtf8 = stats.high && utf8core_valid(bytes, size);
  if ((stats.nul || stats.controls > 0) && !isUtf8) charset = byUnits(bytes, size);
  if (charset != UTF8_CHARSET_BINARY) return charset;
  size_t share = !stats.high || isUtf8 ? CONTROLS_UTF8 : CONTROLS_OTHERS;
  if (stats.nul || stats.controls > size / share) return UTF8_CHARSET_BINARY;
  if (!stats.high) return byEscapes(bytes, size);
  if (isUtf8) return UTF8_CHARSET_UTF8;
  charset = byDialect(bytes, size, stats.long_lead);
  return charset == UTF8_CHARSET_BINARY ? UTF8_CHARSET_UNKNOWN : charset;
}

Utf8Charset utf8core_detect(const uint8_t *bytes, size_t size) {
  Utf8Charset charset = utf8detect_by_rules(bytes, size);
  return charset == UTF8_CHARSET_UNKNOWN ? utf8detect_of_value(bytes, size) : charset;
}
