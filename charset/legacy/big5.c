/* charset/legacy/big5.c: big5, and big5-hkscs.
**
** The two decode alike: the standard's index has the characters of the Hong Kong Supplementary Character
** Set. The standard's encoder does not write those below A140; big5-hkscs writes all that it decodes.
** Where several double-byte codes stand for a code point, it writes the one that Python and glibc write.
**
** Sources: WHATWG Encoding Standard §12; HKSCS-2008.
*/
#include "charset/legacy/double.h"
#include "charset/legacy/states.h"
#include "charset/legacy/tables/big5.h"

const uint16_t *const utf8charset_big5_index = big5_index;

/* ---- decoding -------------------------------------------------------------------------- */

/* The pointers that stand for two code points. The index has 0 there. */
static const struct {
  uint16_t pointer;
  uint16_t first, second;
} big5Joined[] = {
    {1133, 0xCA, 0x304}, {1135, 0xCA, 0x30C}, {1164, 0xEA, 0x304}, {1166, 0xEA, 0x30C}};

static uint32_t bothInBig5(size_t i) {
  return LEGACY_BOTH(big5Joined[i].first, big5Joined[i].second);
}

/* Does an element of the index stand for a code point above FFFF? */
static inline int isAbove(uint32_t unit) {
  return unit >> 11 == 0xD800 >> 11;
}

/* Reads a double-byte code for which the index has no code point up to FFFF: one above, two, or an error. */
static NOINLINE uint32_t readRareBig5(uint32_t pointer, const uint8_t *in, size_t size,
                                      size_t *at) {
  const uint32_t unit = big5_index[pointer];
  uint32_t code = unit ? 0x20000u + big5_beyond[unit - 0xD800] : 0;
  for (size_t i = 0; i < LEGACY_COUNT(big5Joined); i++) {
    if (big5Joined[i].pointer == pointer) code = bothInBig5(i);
  }
  if (code == 0) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

ALWAYS_INLINE uint32_t readBig5(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  uint32_t row = p[0] - 0x81u;
  if (UNLIKELY(row > 0xFE - 0x81)) return legacyError(at);
  if (UNLIKELY(size - *at < 2)) return legacyError(at);
  uint32_t trail = p[1], isHigh = (0x7E - trail) >> 31; /* trail > 0x7E, no branch */
  uint32_t cell = trail - 0x40 - 0x22 * isHigh;
  if (UNLIKELY(cell >= 157 || trail - 0x7F < 0xA1 - 0x7F)) {
    return skipDouble(in, size, at);
  }
  uint32_t code = big5_index[row * 157 + cell];
  if (UNLIKELY(code == 0 || isAbove(code))) {
    return readRareBig5(row * 157 + cell, in, size, at);
  }
  *at += 2;
  return code;
}

static const Utf8DoubleByte big5Doubles = {big5_index, 0, 0x81, 126, 0x40, 0x22, 157};

LEGACY_DOUBLE_DECODER(decodeBig5, readBig5, &big5Doubles)

size_t utf8charset_big5_codes(const uint8_t *in, size_t size, size_t *at, size_t until,
                              uint32_t *codes, size_t room) {
  return readLegacy(readBig5, in, size, at, until, codes, room);
}

/* ---- maps ------------------------------------------------------------------------------ */

/* The pointer of a double-byte code whose trail byte is below 7F, and of one above. */
#define BIG5_LOW(bytes)  ((((bytes) >> 8) - 0x81) * 157 + ((bytes)&0xFF) - 0x40)
#define BIG5_HIGH(bytes) ((((bytes) >> 8) - 0x81) * 157 + ((bytes)&0xFF) - 0x62)
#define BIG5_END         LEGACY_COUNT(big5_index)

/* The pointers that are written, in order of preference. In big5-hkscs, Big5's own come first, and those
** come last that HKSCS has only for compatibility. */
static const uint16_t big5Written[][2] = {{BIG5_LOW(0xA140), BIG5_END}};
static const uint16_t hkscsWritten[][2] = {{BIG5_LOW(0xA140), BIG5_HIGH(0xC6A1)},
                                           {BIG5_LOW(0xC940), BIG5_LOW(0xFA40)},
                                           {0, BIG5_LOW(0xA140)},
                                           {BIG5_LOW(0xFA40), BIG5_END},
                                           {BIG5_HIGH(0xC6A1), BIG5_LOW(0xC940)}};

/* The code points of which not the first pointer is written but the last. The standard has the first
** BIG5_LASTS of them. */
#define BIG5_LASTS 6
static const uint16_t big5Lasts[] = {0x2550, 0x255E, 0x2561, 0x256A, 0x5341,
                                     0x5345, 0x256D, 0x256E, 0x256F, 0x2570,
                                     0x60DE, 0x701E, 0x89A9, 0x936E, 0x975D};

static uint32_t bytesInBig5(size_t pointer) {
  return bytesOfPointer((uint32_t)pointer, 157, 0x81, 0x40, 0x3F, 0x22);
}

static void addLasts(LegacyMap *map, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t pointer = BIG5_END - 1;
    while (big5_index[pointer] != big5Lasts[i]) pointer--;
    addToMap(map, big5Lasts[i], bytesInBig5(pointer));
  }
}

/* Adds the code points up to FFFF of a range of pointers, or those above, less 20000. */
static void addRange(LegacyMap *map, const uint16_t range[2], int areAbove) {
  for (size_t i = range[0]; i < range[1]; i++) {
    const uint32_t unit = big5_index[i];
    if (unit == 0 || isAbove(unit) != areAbove) continue;
    addToMap(map, areAbove ? big5_beyond[unit - 0xD800] : unit, bytesInBig5(i));
  }
}

static void buildBig5(LegacyMap *map) {
  addLasts(map, BIG5_LASTS);
  addRange(map, big5Written[0], 0);
}

static void buildBig5Above(LegacyMap *map) {
  addRange(map, big5Written[0], 1);
}

static void addHkscs(LegacyMap *map, int areAbove) {
  for (size_t i = 0; i < LEGACY_COUNT(hkscsWritten); i++)
    addRange(map, hkscsWritten[i], areAbove);
}

static void buildHkscs(LegacyMap *map) {
  addLasts(map, LEGACY_COUNT(big5Lasts));
  addHkscs(map, 0);
}

static void buildHkscsAbove(LegacyMap *map) {
  addHkscs(map, 1);
}

static LegacyMap big5Map, big5MapAbove, hkscsMap, hkscsMapAbove;

/* ---- encoding -------------------------------------------------------------------------- */

ALWAYS_INLINE size_t writeBig5(const LegacyMap *map, uint8_t *out, uint32_t code) {
  if (UNLIKELY(code >> 16 == 2)) {
    return writeMapped(builtMap(&big5MapAbove, buildBig5Above), out, code & 0xFFFF);
  }
  return writeMapped(map, out, code);
}

LEGACY_ENCODER(encodeBig5, writeBig5, builtMap(&big5Map, buildBig5))

const LegacyCodec utf8charset_big5 = {decodeBig5, encodeBig5, NULL};

static int mayJoinInHkscs(uint32_t first) {
  return first == 0xCA || first == 0xEA;
}

/* Returns the bytes of two code points in LEGACY_BOTH(), or 0. */
static uint32_t bytesOfBoth(uint32_t both) {
  for (size_t i = 0; i < LEGACY_COUNT(big5Joined); i++) {
    if (bothInBig5(i) == both) return bytesInBig5(big5Joined[i].pointer);
  }
  return 0;
}

static int joinsInHkscs(uint32_t first, uint32_t second) {
  return second < 0x10000 && bytesOfBoth(LEGACY_BOTH(first, second)) != 0;
}

static size_t writeHkscs(unsigned *state, uint8_t *out, uint32_t code) {
  (void)state;
  if (code < 0x80) return legacyPutBytes(out, code);
  if (code > 0x10FFFF) return legacyPutBytes(out, bytesOfBoth(code));
  if (code >> 16 == 2)
    return writeMapped(builtMap(&hkscsMapAbove, buildHkscsAbove), out, code & 0xFFFF);
  return writeMapped(builtMap(&hkscsMap, buildHkscs), out, code);
}

LEGACY_JOINING_ENCODER(encodeHkscs, writeHkscs, mayJoinInHkscs, joinsInHkscs,
                       legacyIsInitial, legacyStopsAtHigh)

static size_t finishHkscs(unsigned *state, uint8_t *out) {
  return legacyFinishPending(writeHkscs, state, out);
}

const LegacyCodec utf8charset_big5_hkscs = {decodeBig5, encodeHkscs, finishHkscs};
