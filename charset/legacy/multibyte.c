/* charset/legacy/multibyte.c: multi-byte charsets without states: gb18030 and gbk, euc-jp, shift_jis,
** euc-kr.
**
** Decoding looks two bytes up in the standard's indexes (charset/legacy/tables/). The standard calls the
** place of a code point in an index its pointer: row * cells + cell, where the lead byte gives
** the row, and the trail byte the cell. Each charset has a reader, which returns the code point
** at one place, or U+FFFD for an error.
**
** Encoding needs the opposite, which is not stored: the first use of a charset builds a map
** from each code point of the BMP to its one or two bytes.
**
** Sources: WHATWG Encoding Standard §10 to §13.
*/
#include "charset/legacy/double.h"
#include "charset/legacy/tables/euckr.h"
#include "charset/legacy/tables/gb18030.h"
#include "charset/legacy/tables/jis.h"

const uint16_t *const utf8charset_jis0208 = jis0208_index;
const uint16_t *const utf8charset_jis0212 = jis0212_index;
const uint16_t *const utf8charset_euckr = euckr_index;

/* ---- readers --------------------------------------------------------------------------- */

/* Returns the code point of a pointer of four-byte codes (column 0), or the pointer of a code point (column 1).
** gb18030_ranges has the first pointer and the first code point of each range. Both rise. */
static uint32_t otherInRanges(uint32_t number, int column) {
  size_t low = 0, high = LEGACY_COUNT(gb18030_ranges);
  while (high - low > 1) {
    size_t middle = (low + high) / 2;
    if (gb18030_ranges[middle][column] <= number) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return gb18030_ranges[low][1 - column] + (number - gb18030_ranges[low][column]);
}

/* Returns the code point of a pointer of four-byte codes, or U+FFFD. The numbers are the
** standard's: 189000 and above are U+10000..10FFFF, 39419 is the last of the BMP, and 7457 is
** outside of the ranges, since GB 18030-2005 exchanged U+E7C7 and U+1E3F. */
static uint32_t codeOfRange(uint32_t pointer) {
  if (pointer >= 189000 && pointer <= 1237575) return pointer - 189000 + 0x10000;
  if (pointer > 39419) return BYTES_FFFD;
  if (pointer == 7457) return 0xE7C7;
  return otherInRanges(pointer, 0);
}

/* Reads the four-byte code at *at, which starts with 81..FE 30..39. A third and a fourth byte
** that are missing pass as right, so that what the end of the text cuts off is one error. */
static NOINLINE uint32_t readFourBytes(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  size_t left = size - *at;
  int isThird = left < 3 || (p[2] >= 0x81 && p[2] <= 0xFE);
  int isFourth = left < 4 || (p[3] >= 0x30 && p[3] <= 0x39);
  if (!isThird || !isFourth) return legacyError(at);
  *at += bytes_min(left, 4);
  if (left < 4) return BYTES_FFFD;
  uint32_t high = (p[0] - 0x81u) * 10 + (p[1] - 0x30u);
  return codeOfRange((high * 126 + (p[2] - 0x81u)) * 10 + (p[3] - 0x30u));
}

ALWAYS_INLINE uint32_t readGb18030(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  uint32_t row = p[0] - 0x81u;
  if (UNLIKELY(row > 0xFE - 0x81)) { /* 80, the euro sign of Windows' GBK, or FF */
    *at += 1;
    return p[0] == 0x80 ? 0x20AC : BYTES_FFFD;
  }
  if (UNLIKELY(size - *at < 2)) return legacyError(at);
  uint32_t trail = p[1];
  if (UNLIKELY(trail < 0x40 || trail == 0x7F || trail == 0xFF)) {
    return trail - 0x30 < 10 ? readFourBytes(in, size, at) : skipDouble(in, size, at);
  }
  *at += 2; /* every double-byte code has a code point, unlike in the other charsets */
  return gb18030_index[row * 190 + trail - 0x40 - (trail > 0x7F)];
}

ALWAYS_INLINE uint32_t readEucKr(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  uint32_t row = p[0] - 0x81u;
  if (UNLIKELY(row > 0xFE - 0x81)) return legacyError(at);
  if (UNLIKELY(size - *at < 2)) return legacyError(at);
  uint32_t cell = p[1] - 0x41u;
  uint32_t code = cell < 190 ? euckr_index[row * 190 + cell] : 0;
  if (UNLIKELY(code == 0)) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

/* Reads half-width katakana, JIS X 0212, and errors. */
static NOINLINE uint32_t readRareEucJp(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  size_t left = size - *at;
  int isLead = p[0] == 0x8E || p[0] == 0x8F || (p[0] >= 0xA1 && p[0] <= 0xFE);
  if (left < 2 || !isLead) return legacyError(at);
  if (p[0] == 0x8E && p[1] >= 0xA1 && p[1] <= 0xDF) {
    *at += 2;
    return 0xFF61 - 0xA1 + p[1];
  }
  if (p[0] != 0x8F || p[1] < 0xA1 || p[1] == 0xFF) return skipDouble(in, size, at);
  *at += 1; /* past 8F; the rest is skipped like a double-byte code if in error */
  uint32_t cell = left < 3 ? 94 : p[2] - 0xA1u;
  uint32_t code = cell < 94 ? jis0212_index[(p[1] - 0xA1u) * 94 + cell] : 0;
  if (code == 0) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

ALWAYS_INLINE uint32_t readEucJp(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  uint32_t row = p[0] - 0xA1u;
  if (row >= 94 || UNLIKELY(size - *at < 2)) return readRareEucJp(in, size, at);
  uint32_t cell = p[1] - 0xA1u;
  uint32_t code = cell < 94 ? jis0208_index[row * 94 + cell] : 0;
  if (UNLIKELY(code == 0)) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

/* Shift_JIS' user-defined characters, by pointer. */
#define LEGACY_USER_FIRST 8836
#define LEGACY_USER_COUNT (10716 - LEGACY_USER_FIRST)

/* Reads a double-byte code that is not in the index: a user-defined character, or an error. */
static NOINLINE uint32_t readRareShiftJis(uint32_t pointer, const uint8_t *in,
                                          size_t size, size_t *at) {
  uint32_t user = pointer - LEGACY_USER_FIRST;
  if (user >= LEGACY_USER_COUNT) return skipDouble(in, size, at);
  *at += 2;
  return 0xE000 + user;
}

/* Reads a byte that starts no double-byte code: half-width katakana, U+0080, an error. */
ALWAYS_INLINE uint32_t readShiftJisByte(uint8_t byte, size_t *at) {
  *at += 1;
  if (byte >= 0xA1 && byte <= 0xDF) return 0xFF61 - 0xA1 + byte;
  return byte == 0x80 ? 0x80 : BYTES_FFFD;
}

ALWAYS_INLINE uint32_t readShiftJis(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  uint32_t row = (p[0] ^ 0xA0u) - 0x21; /* 81..9F are 0..30, E0..FC are 31..59 */
  if (row >= 60) return readShiftJisByte(p[0], at);
  if (UNLIKELY(size - *at < 2)) return legacyError(at);
  uint32_t trail = p[1], cell = trail - 0x40 - (trail > 0x7F);
  if (UNLIKELY(trail < 0x40 || trail == 0x7F || trail > 0xFC)) {
    return skipDouble(in, size, at);
  }
  uint32_t code = jis0208_index[row * 188 + cell];
  if (UNLIKELY(code == 0)) return readRareShiftJis(row * 188 + cell, in, size, at);
  *at += 2;
  return code;
}

/* ---- decoding -------------------------------------------------------------------------- */

/* For kernels: flip, first, rows, second, gap, cells. */
static const Utf8DoubleByte gb18030Doubles = {gb18030_index, 0, 0x81, 126,
                                              0x40,          1, 190};
static const Utf8DoubleByte eucKrDoubles = {euckr_index, 0, 0x81, 126, 0x41, 0, 190};
static const Utf8DoubleByte eucJpDoubles = {jis0208_index, 0, 0xA1, 94, 0xA1, 0, 94};
static const Utf8DoubleByte shiftJisDoubles = {jis0208_index, 0xA0, 0x21, 60,
                                               0x40,          1,    188};

LEGACY_DOUBLE_DECODER(decodeGb18030, readGb18030, &gb18030Doubles)
LEGACY_DOUBLE_DECODER(decodeEucKr, readEucKr, &eucKrDoubles)
LEGACY_DOUBLE_DECODER(decodeEucJp, readEucJp, &eucJpDoubles)
LEGACY_DOUBLE_DECODER(decodeShiftJis, readShiftJis, &shiftJisDoubles)

size_t utf8charset_read_codes(Utf8Charset charset, const uint8_t *in, size_t size,
                              size_t *at, size_t until, uint32_t *codes, size_t room) {
  switch ((int)charset) {
  case UTF8_CHARSET_BIG5:
    return utf8charset_big5_codes(in, size, at, until, codes, room);
  case UTF8_CHARSET_EUC_KR:
    return readLegacy(readEucKr, in, size, at, until, codes, room);
  case UTF8_CHARSET_EUC_JP:
    return readLegacy(readEucJp, in, size, at, until, codes, room);
  case UTF8_CHARSET_SHIFT_JIS:
    return readLegacy(readShiftJis, in, size, at, until, codes, room);
  case UTF8_CHARSET_JOHAB:
    return utf8charset_johab_codes(in, size, at, until, codes, room);
  case UTF8_CHARSET_EUC_TW:
    return utf8charset_euc_tw_codes(in, size, at, until, codes, room);
  default: /* gbk and gb18030, which are decoded alike */
    return readLegacy(readGb18030, in, size, at, until, codes, room);
  }
}

/* ---- maps ------------------------------------------------------------------------------ */

/* iso-2022-jp uses MAP_EUC_JP. */
enum { MAP_GB18030, MAP_EUC_JP, MAP_SHIFT_JIS, MAP_EUC_KR, MAPS };
static LegacyMap legacyMaps[MAPS];

static void buildGb18030(LegacyMap *map) {
  for (size_t i = 0; i < LEGACY_COUNT(gb18030_private); i++) {
    addToMap(map, gb18030_private[i][0], gb18030_private[i][1]);
  }
  for (uint32_t i = 0; i < LEGACY_COUNT(gb18030_index); i++) {
    addToMap(map, gb18030_index[i], bytesOfPointer(i, 190, 0x81, 0x40, 0x3F, 1));
  }
}

/* Adds what the Japanese encoders write in addition to the index: yen sign and overline as
** ASCII, half-width katakana, which start at `halves`, and the minus sign as U+FF0D. */
static void addJapanese(LegacyMap *map, uint32_t halves) {
  addToMap(map, 0xA5, 0x5C);
  addToMap(map, 0x203E, 0x7E);
  for (uint32_t i = 0; i < LEGACY_KATAKANA; i++) {
    addToMap(map, 0xFF61 + i, halves + i);
  }
  addToMap(map, 0x2212, mapped(map, 0xFF0D));
}

static void buildEucJp(LegacyMap *map) {
  for (uint32_t i = 0; i < 94 * 94; i++) {
    uint32_t code = jis0208_index[i];
    if (code) addToMap(map, code, bytesOfPointer(i, 94, 0xA1, 0xA1, 94, 0));
  }
  addJapanese(map, 0x8EA1);
}

static void buildShiftJis(LegacyMap *map) {
  addToMap(map, 0x80, 0x80);
  for (uint32_t i = 0; i < LEGACY_COUNT(jis0208_index); i++) {
    uint32_t code = jis0208_index[i], lead = i < 0x1F * 188 ? 0x81 : 0xC1;
    int isCopy = i >= 8272 && i <= 8835; /* NEC's selection of IBM's extensions */
    if (code && !isCopy)
      addToMap(map, code, bytesOfPointer(i, 188, lead, 0x40, 0x3F, 1));
  }
  addJapanese(map, 0xA1);
}

static void buildEucKr(LegacyMap *map) {
  for (uint32_t i = 0; i < LEGACY_COUNT(euckr_index); i++) {
    uint32_t code = euckr_index[i];
    if (code) addToMap(map, code, bytesOfPointer(i, 190, 0x81, 0x41, 190, 0));
  }
}

static const LegacyMap *mapOf(unsigned number) {
  static void (*const builders[MAPS])(LegacyMap *) = {buildGb18030, buildEucJp,
                                                      buildShiftJis, buildEucKr};
  return builtMap(&legacyMaps[number], builders[number]);
}

/* ---- encoding -------------------------------------------------------------------------- */

uint32_t utf8charset_bytes_in_euc_jp(uint32_t code) {
  return code < 0x10000 ? mapped(mapOf(MAP_EUC_JP), code) : 0;
}

ALWAYS_INLINE size_t writeGbk(const LegacyMap *map, uint8_t *out, uint32_t code) {
  return code == 0x20AC ? legacyPutBytes(out, 0x80) : writeMapped(map, out, code);
}

/* Returns the pointer of the four-byte code of a code point that has no shorter one. */
static uint32_t rangeOfCode(uint32_t code) {
  if (code >= 0x10000) return code - 0x10000 + 189000;
  if (code == 0xE7C7) return 7457;
  return otherInRanges(code, 1);
}

/* U+E5E5 has no code, so that A3 A0 decodes to U+3000 as the web needs it. */
static NOINLINE size_t writeFourBytes(uint8_t *out, uint32_t code) {
  if (code == 0xE5E5) return 0;
  uint32_t pointer = rangeOfCode(code);
  out[0] = (uint8_t)(0x81 + pointer / (10 * 126 * 10));
  out[1] = (uint8_t)(0x30 + pointer / (126 * 10) % 10);
  out[2] = (uint8_t)(0x81 + pointer / 10 % 126);
  out[3] = (uint8_t)(0x30 + pointer % 10);
  return 4;
}

ALWAYS_INLINE size_t writeGb18030(const LegacyMap *map, uint8_t *out, uint32_t code) {
  size_t length = writeMapped(map, out, code);
  return length ? length : writeFourBytes(out, code);
}

LEGACY_ENCODER(encodeGbk, writeGbk, mapOf(MAP_GB18030))
LEGACY_ENCODER(encodeGb18030, writeGb18030, mapOf(MAP_GB18030))
LEGACY_ENCODER(encodeEucJp, writeMapped, mapOf(MAP_EUC_JP))
LEGACY_ENCODER(encodeShiftJis, writeMapped, mapOf(MAP_SHIFT_JIS))
LEGACY_ENCODER(encodeEucKr, writeMapped, mapOf(MAP_EUC_KR))

const LegacyCodec utf8charset_gbk = {decodeGb18030, encodeGbk, NULL};
const LegacyCodec utf8charset_gb18030 = {decodeGb18030, encodeGb18030, NULL};
const LegacyCodec utf8charset_euc_jp = {decodeEucJp, encodeEucJp, NULL};
const LegacyCodec utf8charset_shift_jis = {decodeShiftJis, encodeShiftJis, NULL};
const LegacyCodec utf8charset_euc_kr = {decodeEucKr, encodeEucKr, NULL};
