/* charset/legacy/jis2004.c: JIS X 0213:2004 in euc-jis-2004, shift_jis-2004 and iso-2022-jp-2004.
**
** Its plane 1 extends JIS X 0208, and its plane 2 takes rows that JIS X 0212 leaves empty: euc-jis-2004
** has the latter, too. The first use of a charset fills jisCells from their indexes and from
** charset/legacy/tables/jis2004.h, in 0.2 milliseconds.
**
** 25 codes stand for two code points, such as U+304B U+309A.
**
** Source: Python's codecs. In shift_jis-2004, 5C and 7E are yen sign and overline, as there and in glibc.
*/
#include "charset/legacy/double.h"
#include "charset/legacy/states.h"
#include "charset/legacy/tables/jis2004.h"

#define JIS_CELLS (94 * 94)

/* ---- all cells ------------------------------------------------------------------------------- */

/* The place of a code point: bytes 21..7E of its row and cell, and flags. */
enum { JIS_PLANE_2 = 0x8000, JIS_BASE = 0x80 /* it may be the first of two */ };

/* The code points of both planes, and the place of each code point of Unicode's planes 0 and 2. */
static _Atomic(uint32_t) jisCells[2 * JIS_CELLS];
static LegacyMap jisMaps[2];

/* Is the place in a row of plane 2 that belongs to JIS X 0212? */
static int isJis0212(uint32_t place) {
  const uint32_t row = (place >> 8 & 0x7F) - 0x20;
  return place & JIS_PLANE_2 && row != 1 && (row < 3 || row > 5) && row != 8 &&
         (row < 12 || row > 15) && row < 78;
}

/* Does JIS X 0208 itself have the place? The index also has the extensions of WHATWG's euc-jp, in row 13
** and from row 89 on. */
static int isJis0208(uint32_t place) {
  const uint32_t row = (place >> 8) - 0x21, cell = (place & 0x7F) - 0x21;
  return row < 88 && row != 12 && utf8charset_jis0208[row * 94 + cell] != 0;
}

static int isJisBase(uint32_t code) {
  size_t i = 0;
  while (i < LEGACY_COUNT(jis2004_combined) && jis2004_combined[i][0] != code) i++;
  return i < LEGACY_COUNT(jis2004_combined);
}

static uint32_t placeOfJisCell(uint32_t cell) {
  const uint32_t plane = cell < JIS_CELLS ? 0 : JIS_PLANE_2, at = cell % JIS_CELLS;
  return plane | (at / 94 + 0x21) << 8 | (at % 94 + 0x21);
}

static void setJisCell(uint32_t cell, uint32_t code) {
  atomic_store_explicit(&jisCells[cell], code, memory_order_relaxed);
}

static uint32_t codeOfJis2004(uint32_t unit) {
  if (unit >> 10 == 0xD800 >> 10) return 0x20000u + jis2004_astral[unit - 0xD800];
  if (unit >> 10 != 0xDC00 >> 10) return unit;
  const uint16_t *combined = jis2004_combined[unit - 0xDC00];
  return LEGACY_BOTH(combined[0], combined[1]);
}

/* Returns the number of the run that has the cell, or that comes next. */
static size_t jisRunAt(uint32_t cell, size_t run) {
  while (run < LEGACY_COUNT(jis2004_runs) &&
         cell >= (uint32_t)jis2004_runs[run][0] + jis2004_runs[run][1])
    run++;
  return run;
}

static void fillJisCells(void) {
  const uint16_t *next = jis2004_codes;
  size_t run = 0;
  for (uint32_t cell = 0; cell < 2 * JIS_CELLS; cell++) {
    run = jisRunAt(cell, run);
    const int isOwn = run < LEGACY_COUNT(jis2004_runs) && cell >= jis2004_runs[run][0];
    const uint32_t code = cell < JIS_CELLS ? utf8charset_jis0208[cell]
                                           : utf8charset_jis0212[cell - JIS_CELLS];
    setJisCell(cell, isOwn ? codeOfJis2004(*next++) : code);
  }
}

/* The first place of a code point is written: plane 1, then plane 2 without the rows of JIS X 0212. */
static void mapJisCells(int are0212) {
  for (uint32_t cell = 0; cell < 2 * JIS_CELLS; cell++) {
    const uint32_t code = atomic_load_explicit(&jisCells[cell], memory_order_relaxed);
    const uint32_t place = placeOfJisCell(cell);
    if (code < 0x80 || code > 0x2FFFF || isJis0212(place) != are0212) continue;
    addToMap(&jisMaps[code > 0xFFFF], code & 0xFFFF,
             place | (isJisBase(code) ? JIS_BASE : 0u));
  }
}

static void buildJis2004(LegacyMap *map) {
  (void)map;
  fillJisCells();
  mapJisCells(0);
  mapJisCells(1);
}

/* Returns the code point or LEGACY_BOTH() of a cell, which counts from 0 in both planes; or 0. */
ALWAYS_INLINE uint32_t codeOfJisCell(uint32_t cell) {
  builtMap(&jisMaps[0], buildJis2004);
  return atomic_load_explicit(&jisCells[cell], memory_order_relaxed);
}

/* Returns the place of two code points, or 0. */
static NOINLINE uint32_t placeOfJisCombined(uint32_t first, uint32_t second) {
  for (size_t i = 0; i < LEGACY_COUNT(jis2004_combined); i++) {
    const uint16_t *combined = jis2004_combined[i];
    if (combined[0] == first && combined[1] == second) return combined[2];
  }
  return 0;
}

/* Returns the place of a code point or of LEGACY_BOTH(), or 0. */
ALWAYS_INLINE uint32_t placeOfJis(uint32_t code) {
  builtMap(&jisMaps[0], buildJis2004);
  if (code < 0x10000) return mapped(&jisMaps[0], code);
  if (code > 0x10FFFF) return placeOfJisCombined(code & 0xFFFF, code >> 16);
  return code >> 16 == 2 ? mapped(&jisMaps[1], code & 0xFFFF) : 0;
}

static int mayJoinInJis(uint32_t first) {
  return first < 0x10000 && (placeOfJis(first) & JIS_BASE) != 0;
}

static int joinsInJis(uint32_t first, uint32_t second) {
  return placeOfJisCombined(first, second) != 0;
}

/* ---- euc-jis-2004 -------------------------------------------------------------------------- */

static NOINLINE uint32_t readRareEucJis(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  const size_t left = size - *at;
  if (left < 2 || (p[0] != 0x8E && p[0] != 0x8F)) return legacyError(at);
  if (p[0] == 0x8E && p[1] >= 0xA1 && p[1] <= 0xDF) {
    *at += 2;
    return 0xFF61 - 0xA1 + p[1];
  }
  if (p[0] == 0x8E || p[1] < 0xA1 || p[1] == 0xFF) return skipDouble(in, size, at);
  *at += 1; /* past 8F; the rest is skipped like a double-byte code if in error */
  const uint32_t cell = left < 3 ? 94 : p[2] - 0xA1u;
  const uint32_t code =
      cell < 94 ? codeOfJisCell(JIS_CELLS + (p[1] - 0xA1u) * 94 + cell) : 0;
  if (code == 0) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

ALWAYS_INLINE uint32_t readEucJis(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  const uint32_t row = p[0] - 0xA1u;
  if (row >= 94 || UNLIKELY(size - *at < 2)) return readRareEucJis(in, size, at);
  const uint32_t cell = p[1] - 0xA1u;
  const uint32_t code = cell < 94 ? codeOfJisCell(row * 94 + cell) : 0;
  if (UNLIKELY(code == 0)) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

ALWAYS_INLINE size_t writeEucJis(unsigned *state, uint8_t *out, uint32_t code) {
  const uint32_t place = placeOfJis(code), bytes = (place & 0x7F7F) | 0x8080;
  (void)state;
  if (code < 0x80) return legacyPutBytes(out, code);
  if (code - 0xFF61 < LEGACY_KATAKANA)
    return legacyPutBytes(out, 0x8EA1 + code - 0xFF61);
  if (place == 0) return 0;
  if (!(place & JIS_PLANE_2)) return legacyPutBytes(out, bytes);
  out[0] = 0x8F;
  return 1 + legacyPutBytes(out + 1, bytes);
}

LEGACY_DECODER(decodeEucJis, readEucJis)

LEGACY_JOINING_ENCODER(encodeEucJis, writeEucJis, mayJoinInJis, joinsInJis,
                       legacyIsInitial, legacyStopsAtHigh)

static size_t finishEucJis(unsigned *state, uint8_t *out) {
  return legacyFinishPending(writeEucJis, state, out);
}

const LegacyCodec utf8charset_euc_jis_2004 = {decodeEucJis, encodeEucJis, finishEucJis};

/* ---- shift_jis-2004 ------------------------------------------------------------------------ */

/* The rows of plane 2, counted from 0, of the lead bytes F0 to FC: two for each. */
static const uint8_t sjisRows[26] = {0,  7,  2,  3,  4,  11, 12, 13, 14,
                                     77, 78, 79, 80, 81, 82, 83, 84, 85,
                                     86, 87, 88, 89, 90, 91, 92, 93};

/* Returns the cell of a double-byte code, counted from 0 in both planes. */
static uint32_t cellOfSjis(uint32_t lead, uint32_t trail) {
  const uint32_t place = trail - 0x40 - (trail > 0x7F), second = place >= 94;
  if (lead >= 0xF0)
    return JIS_CELLS + sjisRows[(lead - 0xF0) * 2 + second] * 94u + place % 94;
  return ((lead ^ 0xA0u) - 0x21) * 188 + place;
}

/* Backslash and tilde have two bytes, since their bytes are yen sign and overline. */
static uint32_t readSjisDouble(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  if (size - *at < 2) return legacyError(at);
  if (p[1] < 0x40 || p[1] == 0x7F || p[1] > 0xFC) return skipDouble(in, size, at);
  const uint32_t code = codeOfJisCell(cellOfSjis(p[0], p[1]));
  if (code == 0) return skipDouble(in, size, at);
  *at += 2;
  return code == 0xFF3C ? '\\' : code == 0xFF5E ? '~' : code;
}

static uint32_t readSjis2004(const uint8_t *in, size_t size, size_t *at,
                             unsigned *state) {
  const uint8_t byte = in[*at];
  (void)state;
  if ((byte ^ 0xA0u) - 0x21 < 60) return readSjisDouble(in, size, at);
  *at += 1;
  if (byte < 0x80) return byte == 0x5C ? 0xA5 : byte == 0x7E ? 0x203E : byte;
  return byte >= 0xA1 && byte <= 0xDF ? 0xFF61u - 0xA1 + byte : BYTES_FFFD;
}

/* Returns the two bytes of a place, or 0 if it is in a row of JIS X 0212. */
static uint32_t sjisOfPlace(uint32_t place) {
  const uint32_t row = (place >> 8 & 0x7F) - 0x21, cell = (place & 0x7F) - 0x21;
  uint32_t lead = row / 2 + (row < 62 ? 0x81 : 0xC1), second = row % 2;
  if (isJis0212(place)) return 0;
  if (place & JIS_PLANE_2) {
    uint32_t i = 0;
    while (sjisRows[i] != row) i++;
    lead = 0xF0 + i / 2;
    second = i % 2;
  }
  const uint32_t trail = second * 94 + cell;
  return lead << 8 | (trail + 0x40 + (trail >= 0x3F));
}

ALWAYS_INLINE size_t writeSjis2004(unsigned *state, uint8_t *out, uint32_t code) {
  const uint32_t place = placeOfJis(code);
  (void)state;
  if (code == 0xA5 || code == 0x203E)
    return legacyPutBytes(out, code == 0xA5 ? 0x5C : 0x7E);
  if (code == '\\' || code == '~')
    return legacyPutBytes(out, code == '~' ? 0x81B0 : 0x815F);
  if (code < 0x80) return legacyPutBytes(out, code);
  if (code - 0xFF61 < LEGACY_KATAKANA) return legacyPutBytes(out, 0xA1 + code - 0xFF61);
  if (place == 0 || code == 0xFF3C || code == 0xFF5E) return 0;
  const uint32_t bytes = sjisOfPlace(place);
  return bytes ? legacyPutBytes(out, bytes) : 0;
}

static uint64_t stopsSjis2004(uint64_t word) {
  return (word & BYTES_HIGH_BITS) | bytes_zeros(word ^ 0x5C * BYTES_ONES) |
         bytes_zeros(word ^ 0x7E * BYTES_ONES);
}

LEGACY_STATE_DECODER(decodeSjis2004, readSjis2004, legacyIsInitial, stopsSjis2004)

LEGACY_JOINING_ENCODER(encodeSjis2004, writeSjis2004, mayJoinInJis, joinsInJis,
                       legacyIsInitial, stopsSjis2004)

static size_t finishSjis2004(unsigned *state, uint8_t *out) {
  return legacyFinishPending(writeSjis2004, state, out);
}

const LegacyCodec utf8charset_shift_jis_2004 = {decodeSjis2004, encodeSjis2004,
                                                finishSjis2004};

/* ---- iso-2022-jp-2004 ------------------------------------------------------------------------ */

/* The state: what a designation has chosen; as in iso-2022-jp, JISO_DESIGNATED until something has
** been decoded. */
enum { JISO_ASCII, JISO_0208, JISO_PLANE_1, JISO_PLANE_2, JISO_DESIGNATED };

static const char *const jisoEscapes[] = {"\x1B(B", "\x1B$B", "\x1B$(Q", "\x1B$(P"};

static uint32_t readJisoEscape(const uint8_t *in, size_t size, size_t *at,
                               unsigned *state) {
  for (unsigned i = 0; i < LEGACY_COUNT(jisoEscapes); i++) {
    const size_t length = strlen(jisoEscapes[i]);
    if (size - *at < length || memcmp(in + *at, jisoEscapes[i], length) != 0) continue;
    const uint32_t result = *state & JISO_DESIGNATED ? BYTES_FFFD : LEGACY_NOTHING;
    *state = i | JISO_DESIGNATED;
    *at += length;
    return result;
  }
  *state &= ~(unsigned)JISO_DESIGNATED;
  return legacyError(at);
}

static uint32_t readJisoDouble(const uint8_t *in, size_t size, size_t *at,
                               unsigned state) {
  const uint8_t *p = in + *at;
  if (!legacyIsDoubleByte(p[0]) || size - *at < 2 || p[1] == 0x1B)
    return legacyError(at);
  *at += 2;
  if (!legacyIsDoubleByte(p[1])) return BYTES_FFFD;
  const uint32_t place = (uint32_t)p[0] << 8 | p[1], plane = state == JISO_PLANE_2;
  if (state == JISO_0208 && !isJis0208(place)) return BYTES_FFFD;
  if (plane && isJis0212(place | JIS_PLANE_2)) return BYTES_FFFD;
  const uint32_t code =
      codeOfJisCell(plane * JIS_CELLS + (p[0] - 0x21u) * 94 + p[1] - 0x21u);
  return code ? code : BYTES_FFFD;
}

static uint32_t readJiso(const uint8_t *in, size_t size, size_t *at, unsigned *state) {
  if (in[*at] == 0x1B) return readJisoEscape(in, size, at, state);
  *state &= ~(unsigned)JISO_DESIGNATED;
  if (*state != JISO_ASCII) return readJisoDouble(in, size, at, *state);
  const uint8_t byte = in[(*at)++];
  return byte >= 0x80 || legacyIsShift(byte) ? BYTES_FFFD : byte;
}

static size_t chooseJiso(unsigned *state, uint8_t *out, unsigned chosen) {
  if (*state == chosen) return 0;
  const size_t length = strlen(jisoEscapes[chosen]);
  memcpy(out, jisoEscapes[chosen], length);
  *state = chosen;
  return length;
}

ALWAYS_INLINE size_t writeJiso(unsigned *state, uint8_t *out, uint32_t code) {
  const uint32_t place = placeOfJis(code), bytes = place & 0x7F7F;
  if (code < 0x80) {
    if (legacyIsShift(code)) return 0;
    const size_t n = chooseJiso(state, out, JISO_ASCII);
    out[n] = (uint8_t)code;
    return n + 1;
  }
  if (place == 0 || isJis0212(place)) return 0;
  const size_t n = chooseJiso(state, out,
                              place & JIS_PLANE_2 ? JISO_PLANE_2
                              : isJis0208(bytes)  ? JISO_0208
                                                  : JISO_PLANE_1);
  return n + legacyPutBytes(out + n, bytes);
}

LEGACY_STATE_DECODER(decodeJiso, readJiso, legacyIsInitial, legacyStopsAtShifts)

LEGACY_JOINING_ENCODER(encodeJiso, writeJiso, mayJoinInJis, joinsInJis, legacyIsInitial,
                       legacyStopsAtShifts)

static size_t finishJiso(unsigned *state, uint8_t *out) {
  const size_t n = legacyFinishPending(writeJiso, state, out);
  return n + chooseJiso(state, out + n, JISO_ASCII);
}

const LegacyCodec utf8charset_iso2022_jp_2004 = {decodeJiso, encodeJiso, finishJiso};
