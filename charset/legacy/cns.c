/* charset/legacy/cns.c: CNS 11643, the standard of Taiwan, and euc-tw, which encodes its planes.
**
** A plane has 94 rows of 94 cells. Planes 1 and 2 have big5's characters in nearly the same order, so
** that runs of big5's index give them. The first use of them fills cnsCells, in 0.1 milliseconds.
** Planes 3 to 7 and 15, 42,000 rare characters, are compressed: within a stroke count, their
** characters are nearly in Unicode's order, so that differences are short. Their first use takes 5
** milliseconds.
**
** Source: glibc's EUC-TW (tool/cns.py).
*/
#include "charset/legacy/double.h"
#include "charset/legacy/tables/cns.h"

/* ---- compressed planes ------------------------------------------------------------------- */

/* A range decoder like LZMA's. */
typedef struct CnsDecoder {
  const uint8_t *in;
  uint32_t range, code;
} CnsDecoder;

/* Returns a bit. In 2048 + *odds of 4096 cases it is 0. */
static uint32_t cnsBit(CnsDecoder *d, int16_t *odds) {
  const int zero = 2048 + *odds;
  const uint32_t bound = (d->range >> 12) * (uint32_t)zero, bit = d->code >= bound;
  if (bit) {
    d->code -= bound;
    d->range -= bound;
  } else {
    d->range = bound;
  }
  *odds = (int16_t)(*odds + (bit ? -(zero >> 5) : (4096 - zero) >> 5));
  if (d->range < 1u << 24) {
    d->range <<= 8;
    d->code = d->code << 8 | *d->in++;
  }
  return bit;
}

/* Returns a number of some bits, each of which has odds for each way to it. */
static uint32_t cnsNumber(CnsDecoder *d, int16_t *odds, unsigned bits) {
  uint32_t node = 1;
  while (node >> bits == 0) node = node * 2 + cnsBit(d, odds + node);
  return node - (1u << bits);
}

/* A cell's length that stands for no character; what its sign is for the next cell's odds. */
enum { CNS_NOTHING = 31, CNS_NO_SIGN = 2 };

/* What is known of the characters before: the next one of each block of Unicode, the block of the
** last one, and whether it was before the one that was due. */
typedef struct CnsModel {
  uint32_t next[4];
  uint32_t block, sign;
  int16_t blocks[4][4], lengths[4][3][2][32], signs[4][32][3], seconds[2][32];
} CnsModel;

static void beginCnsPlane(CnsModel *m) {
  static const uint32_t first[4] = {0x4E00, 0x3400, 0x20000, 0};
  memcpy(m->next, first, sizeof first);
  m->block = m->sign = 0;
}

/* Returns a number of `length` bits that starts with 1. */
static uint32_t cnsSize(CnsDecoder *d, CnsModel *m, uint32_t length) {
  uint32_t size = length > 0;
  for (uint32_t i = 1; i < length; i++) {
    int16_t even = 0;
    size = size * 2 + cnsBit(d, i == 1 ? &m->seconds[m->sign][length] : &even);
  }
  return size;
}

/* Returns the code point of the next cell, or 0. */
static uint32_t nextCnsCode(CnsDecoder *d, CnsModel *m) {
  const uint32_t block = cnsNumber(d, m->blocks[m->block], 2), sign = m->sign;
  int16_t *lengths = m->lengths[block][sign][block == m->block];
  const uint32_t length = cnsNumber(d, lengths, 5);
  m->block = block;
  m->sign = CNS_NO_SIGN;
  if (length == CNS_NOTHING) return 0;
  m->sign = length > 0 ? cnsBit(d, &m->signs[block][length][sign]) : 0;
  const uint32_t size = cnsSize(d, m, length);
  const uint32_t code = m->sign ? m->next[block] - size : m->next[block] + size;
  m->next[block] = code + 1;
  return code;
}

/* ---- all cells ------------------------------------------------------------------------------- */

/* The code points of the planes in cns_planes, one after the other, and each code point's place among
** them plus 1; of the planes 0 and 2 of Unicode. */
static _Atomic(uint32_t) cnsCells[CNS_CELLS];
static LegacyMap cnsMaps[2];

/* Planes 1 and 2, or the others. */
enum { CNS_COMMON, CNS_RARE, CNS_TABLES };
static _Atomic(int) cnsReady[CNS_TABLES];

static void setCnsCell(uint32_t cell, uint32_t code) {
  if (code == 0) return;
  atomic_store_explicit(&cnsCells[cell], code, memory_order_relaxed);
  addToMap(&cnsMaps[code > 0xFFFF], code & 0xFFFF, cell + 1);
}

/* Returns the i-th code point of a run. */
static uint32_t codeOfCnsRun(const uint16_t *run, uint32_t i) {
  if (run[1] & 0x8000) return run[0] ? run[0] + i : 0;
  return utf8charset_big5_index[run[0] + i];
}

static void buildCommonCns(void) {
  uint32_t cell = 0;
  for (size_t run = 0; run < LEGACY_COUNT(cns_runs); run++) {
    const uint32_t count = cns_runs[run][1] & 0x7FFF;
    for (uint32_t i = 0; i < count; i++)
      setCnsCell(cell++, codeOfCnsRun(cns_runs[run], i));
  }
}

static void buildRareCns(void) {
  CnsDecoder d = {cns_packed + 4, 0xFFFFFFFF, 0};
  CnsModel m = {.sign = 0}; /* all odds are even */
  for (int i = 0; i < 4; i++) d.code = d.code << 8 | cns_packed[i];
  for (size_t plane = 2; plane < LEGACY_COUNT(cns_planes); plane++) {
    beginCnsPlane(&m);
    for (uint32_t i = cns_starts[plane]; i < cns_starts[plane + 1]; i++)
      setCnsCell(i, nextCnsCode(&d, &m));
  }
}

static NOINLINE void buildCns(int table) {
  if (table == CNS_RARE) {
    buildRareCns();
  } else {
    buildCommonCns();
  }
  atomic_store_explicit(&cnsReady[table], 1, memory_order_release);
}

static inline void needCns(int table) {
  if (UNLIKELY(!atomic_load_explicit(&cnsReady[table], memory_order_acquire)))
    buildCns(table);
}

/* Returns the code point of a cell, or 0. Rows and cells count from 0. */
ALWAYS_INLINE uint32_t codeOfCns(size_t plane, uint32_t row, uint32_t cell) {
  const uint32_t at = cns_starts[plane] + row * 94 + cell;
  if (row >= 94 || cell >= 94 || at >= cns_starts[plane + 1]) return 0;
  needCns(plane < 2 ? CNS_COMMON : CNS_RARE);
  return atomic_load_explicit(&cnsCells[at], memory_order_relaxed);
}

static size_t numberOfCnsPlane(uint32_t plane) {
  size_t number = 0;
  while (number < LEGACY_COUNT(cns_planes) && cns_planes[number] != plane) number++;
  return number;
}

uint32_t utf8charset_code_in_cns(uint32_t plane, uint32_t row, uint32_t cell) {
  const size_t number = numberOfCnsPlane(plane);
  return number < LEGACY_COUNT(cns_planes) ? codeOfCns(number, row, cell) : 0;
}

/* Returns a code point's place in cnsCells plus 1, or 0. */
static uint32_t cnsCellOf(uint32_t code) {
  if (code > 0xFFFF && code >> 16 != 2) return 0;
  const LegacyMap *map = &cnsMaps[code > 0xFFFF];
  needCns(CNS_COMMON);
  const uint32_t cell = mapped(map, code & 0xFFFF);
  if (cell) return cell;
  needCns(CNS_RARE);
  return mapped(map, code & 0xFFFF);
}

uint32_t utf8charset_bytes_in_cns(uint32_t code) {
  const uint32_t cell = cnsCellOf(code);
  if (cell == 0) return 0;
  size_t plane = 0;
  while (cns_starts[plane + 1] < cell) plane++;
  const uint32_t place = cell - 1 - cns_starts[plane];
  return (uint32_t)cns_planes[plane] << 16 | (place / 94 + 0x21) << 8 |
         (place % 94 + 0x21);
}

/* ---- euc-tw ------------------------------------------------------------------------------- */

/* Reads 8E, a plane and a double-byte code. What follows the plane is read as if it stood alone, and what the
** end of the text cuts off is one error. */
static NOINLINE uint32_t readCnsPlane(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  const size_t left = size - *at;
  if (left < 2 || p[0] != 0x8E) return legacyError(at);
  if (p[1] < 0xA1 || p[1] > 0xB0) return skipDouble(in, size, at);
  *at += 2;
  if (left < 3 || p[2] < 0x80) return BYTES_FFFD;
  const uint32_t cell = left < 4 ? 94 : p[3] - 0xA1u;
  const uint32_t code = utf8charset_code_in_cns(p[1] - 0xA0u, p[2] - 0xA1u, cell);
  if (code == 0) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

ALWAYS_INLINE uint32_t readEucTw(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  const uint32_t row = p[0] - 0xA1u;
  if (row >= 94 || UNLIKELY(size - *at < 2)) return readCnsPlane(in, size, at);
  const uint32_t code = codeOfCns(0, row, p[1] - 0xA1u);
  if (UNLIKELY(code == 0)) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

static size_t writeEucTw(const LegacyMap *map, uint8_t *out, uint32_t code) {
  (void)map;
  const uint32_t bytes = utf8charset_bytes_in_cns(code) | 0x8080;
  if (bytes == 0x8080) return 0;
  if (bytes >> 16 == 1) return legacyPutBytes(out, bytes & 0xFFFF);
  out[0] = 0x8E;
  out[1] = (uint8_t)(0xA0 + (bytes >> 16));
  return 2 + legacyPutBytes(out + 2, bytes & 0xFFFF);
}

LEGACY_DECODER(decodeEucTw, readEucTw)
LEGACY_ENCODER(encodeEucTw, writeEucTw, NULL)

const LegacyCodec utf8charset_euc_tw = {decodeEucTw, encodeEucTw, NULL};

size_t utf8charset_euc_tw_codes(const uint8_t *in, size_t size, size_t *at,
                                size_t until, uint32_t *codes, size_t room) {
  return readLegacy(readEucTw, in, size, at, until, codes, room);
}
