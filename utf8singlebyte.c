/* utf8singlebyte.c: the single-byte charsets: ISO 8859, Windows, DOS, Macintosh, KOI8, EBCDIC.
**
** The extension stores one small table per charset, of code points (charset/singlebyte.h).
** From it, the first use of a charset builds two tables that are faster: for decoding, the
** UTF-8 of each byte; for encoding, pages of 64 code points, which the bytes of UTF-8 address
** directly.
**
** Neither loop branches on what the bytes are, as long as the text is not all ASCII: letters
** and spaces follow each other too irregularly for a processor to predict.
**
** Sources: WHATWG Encoding Standard §9, Python's codecs for the code pages that it lacks.
*/
#include "utf8legacy.h"
#include "charset/singlebyte.h"

#define LEGACY_ROWS  (sizeof singlebyte_high / sizeof *singlebyte_high)
#define LEGACY_OTHER (sizeof singlebyte_whole / sizeof *singlebyte_whole)

/* The most pages that a charset needs, the one of what it lacks included. */
#define LEGACY_PAGES 20

#define LEGACY_BLOCK 64

/* ---- code points ----------------------------------------------------------------------- */

/* Rows from this number on are in singlebyte_whole. */
#define LEGACY_WHOLE 0x80
#define LEGACY_NONE  0xFF

static uint32_t codeOfByte(unsigned row, uint8_t byte) {
  if (row >= LEGACY_WHOLE) return singlebyte_whole[row - LEGACY_WHOLE][byte];
  return byte < 0x80 ? byte : singlebyte_high[row][byte - 0x80];
}

uint32_t utf8legacy_byte(int charset, uint8_t byte) {
  return codeOfByte(singlebyte_rows[charset], byte);
}

int utf8legacy_is_single_byte(int charset) {
  return charset >= 0 && singlebyte_rows[charset] != LEGACY_NONE;
}

/* ---- tables ---------------------------------------------------------------------------- */

/* What one charset is converted with. All zero until it is built.
**
** A slot is a place in `bytes`: 64 times a page's number, plus the low six bits of a code
** point. Page 0 is that of code points which the charset lacks. */
typedef struct LegacyTables {
  _Atomic(int) ready;
  _Atomic(uint32_t) utf8[256];       /* up to three bytes, the first lowest; their number */
  _Atomic(uint16_t) lead_slot[0xE0]; /* by lead byte of one or two: the page's first slot */
  _Atomic(uint8_t) page[0x400];      /* by code point / 64 */
  _Atomic(uint8_t) bytes[64 * LEGACY_PAGES]; /* by slot; 0 if the charset lacks it */
} LegacyTables;

static LegacyTables legacyTables[LEGACY_ROWS + LEGACY_OTHER];

#define LOAD(from)        atomic_load_explicit(&(from), memory_order_relaxed)
#define STORE(to, number) atomic_store_explicit(&(to), (number), memory_order_relaxed)

static uint32_t packedUtf8(uint32_t code) {
  if (code < 0x80) return code | 1u << 24;
  uint32_t last = 0x80 | (code & 0x3F);
  if (code < 0x800) return (0xC0 | code >> 6) | last << 8 | 2u << 24;
  return (0xE0 | code >> 12) | (0x80 | (code >> 6 & 0x3F)) << 8 | last << 16 | 3u << 24;
}

/* The tables of pages, while they are made. */
typedef struct LegacyPages {
  unsigned count;
  uint8_t page[0x400];
  uint8_t bytes[64 * LEGACY_PAGES];
} LegacyPages;

/* Makes a code point's byte known, unless a lower byte has it. */
static void addToPages(LegacyPages *pages, uint32_t code, uint8_t byte) {
  uint8_t *page = &pages->page[code >> 6];
  if (*page == 0) *page = (uint8_t)++pages->count;
  uint8_t *slot = &pages->bytes[64u * *page + (code & 0x3F)];
  if (*slot == 0) *slot = byte;
}

static void storePages(LegacyTables *t, const LegacyPages *pages) {
  for (unsigned i = 0; i < sizeof pages->page; i++) STORE(t->page[i], pages->page[i]);
  for (unsigned i = 0; i < sizeof pages->bytes; i++) {
    STORE(t->bytes[i], pages->bytes[i]);
  }
  for (unsigned lead = 0; lead < 0xE0; lead++) {
    unsigned page = pages->page[lead < 0x80 ? lead >> 6 : lead & 0x1F];
    STORE(t->lead_slot[lead], (uint16_t)(64 * page));
  }
}

/* Builds a charset's tables. Any number of threads may do so at once, since all of them store
** the same values. */
static NOINLINE void buildTables(LegacyTables *t, unsigned row) {
  LegacyPages pages = {0, {0}, {0}};
  for (unsigned byte = 0; byte < 256; byte++) {
    uint32_t code = codeOfByte(row, (uint8_t)byte);
    STORE(t->utf8[byte], packedUtf8(code));
    if (code != LEGACY_FFFD) addToPages(&pages, code, (uint8_t)byte);
  }
  storePages(t, &pages);
  atomic_store_explicit(&t->ready, 1, memory_order_release);
}

static inline const LegacyTables *tablesOf(unsigned row) {
  size_t number = row < LEGACY_WHOLE ? row : LEGACY_ROWS + (row - LEGACY_WHOLE);
  LegacyTables *t = &legacyTables[number];
  if (UNLIKELY(!atomic_load_explicit(&t->ready, memory_order_acquire))) {
    buildTables(t, row);
  }
  return t;
}

/* ---- decoding -------------------------------------------------------------------------- */

/* Writes the UTF-8 of a byte. Overwrites four bytes of out; returns how many of them count. */
ALWAYS_INLINE size_t putByte(const LegacyTables *t, uint8_t byte, uint8_t *out) {
  uint32_t packed = LOAD(t->utf8[byte]);
  for (unsigned i = 0; i < 4; i++) out[i] = (uint8_t)(packed >> 8 * i);
  return packed >> 24;
}

size_t utf8legacy_decode_bytes(int charset, const uint8_t *in, size_t size, size_t *at,
                               uint8_t *out, size_t room) {
  unsigned row = singlebyte_rows[charset];
  const LegacyTables *t = tablesOf(row);
  uint64_t not_ascii = row < LEGACY_WHOLE ? BYTES_HIGH_BITS : ~(uint64_t)0;
  size_t n = 0, p = *at;
  while (size - p >= 8 && room - n >= 3 * 8 + 1) {
    if (!(bytes_load64(in + p) & not_ascii) && not_ascii == BYTES_HIGH_BITS) {
      n += legacyCopyAscii(in, size, &p, out + n, room - n);
      continue;
    }
    UNROLL for (unsigned i = 0; i < 8; i++) n += putByte(t, in[p + i], out + n);
    p += 8;
  }
  for (; p < size && room - n >= 4; p++) n += putByte(t, in[p], out + n);
  *at = p;
  return n;
}

/* ---- encoding -------------------------------------------------------------------------- */

/* Returns the slot of the character at c, well-formed UTF-8. An ASCII byte is its own second
** byte, so that no branch tells it from a character of two bytes. */
ALWAYS_INLINE unsigned slotAt(const LegacyTables *t, const uint8_t *c) {
  unsigned lead = c[0];
  if (lead < 0xE0) return LOAD(t->lead_slot[lead]) + (c[lead >> 7] & 0x3Fu);
  if (lead >= 0xF0) return 0;
  return 64u * LOAD(t->page[(lead & 0x0F) << 6 | (c[1] & 0x3Fu)]) + (c[2] & 0x3Fu);
}

/* Encodes the character at c, and returns 1, or 0 if the charset lacks it. U+0000 is 00 in
** every charset. */
ALWAYS_INLINE int putCharacter(const LegacyTables *t, const uint8_t *c, uint8_t *out) {
  *out = LOAD(t->bytes[slotAt(t, c)]);
  return *out != 0 || *c == 0;
}

/* Returns a mask of the bytes that start a character, out of 64. */
static inline uint64_t startsInBlock(const uint8_t *text) {
  uint64_t starts = 0;
  for (unsigned i = 0; i < LEGACY_BLOCK; i += 8) {
    uint64_t word = legacyLoadLittle64(text + i);
    uint64_t bits = (word >> 6 | ~word >> 7) & BYTES_ONES;
    starts |= (bits * 0x0102040810204080u) >> 56 << i; /* moves bit 8k to bit 56 + k */
  }
  return starts;
}

/* Encodes the characters that start in the block at in + *at, and moves *at past them. Stops
** before one that the charset lacks. Returns the number of bytes written. */
ALWAYS_INLINE size_t encodeBlock(const LegacyTables *t, const uint8_t *in, size_t *at,
                                 uint8_t *out) {
  size_t n = 0;
  const uint8_t *c = in + *at;
  for (uint64_t starts = startsInBlock(c), offset; starts; starts &= starts - 1) {
    offset = mask_lowest(starts);
    c = in + *at + offset;
    if (UNLIKELY(!putCharacter(t, c, out + n))) {
      *at = (size_t)(c - in);
      return n;
    }
    n++;
  }
  *at = (size_t)(c - in) + legacyLength(*c);
  return n;
}

static inline int isAsciiBlock(const uint8_t *text) {
  uint64_t all = 0;
  for (unsigned i = 0; i < LEGACY_BLOCK; i += 8) all |= bytes_load64(text + i);
  return !(all & BYTES_HIGH_BITS);
}

/* Encodes whole blocks, until one has a character that the charset lacks. */
static size_t encodeBlocks(const LegacyTables *t, int isAscii, const uint8_t *in,
                           size_t size, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0;
  while (size - *at >= LEGACY_BLOCK && room - n >= LEGACY_BLOCK) {
    if (isAscii && isAsciiBlock(in + *at)) {
      n += legacyCopyAscii(in, size, at, out + n, room - n);
      continue;
    }
    size_t before = n;
    n += encodeBlock(t, in, at, out + n);
    if (n == before) break;
  }
  return n;
}

size_t utf8legacy_encode_bytes(int charset, const uint8_t *in, size_t size, size_t *at,
                               uint8_t *out, size_t room) {
  unsigned row = singlebyte_rows[charset];
  const LegacyTables *t = tablesOf(row);
  size_t p = *at;
  size_t n = encodeBlocks(t, row < LEGACY_WHOLE, in, size, &p, out, room);
  while (p < size && n < room && putCharacter(t, in + p, out + n)) {
    p += legacyLength(in[p]);
    n++;
  }
  *at = p;
  return n;
}

int utf8legacy_encode_one(int charset, uint32_t codepoint) {
  if (codepoint == 0) return 0;
  if (codepoint > 0xFFFF) return -1;
  const LegacyTables *t = tablesOf(singlebyte_rows[charset]);
  int byte = LOAD(t->bytes[64u * LOAD(t->page[codepoint >> 6]) + (codepoint & 0x3F)]);
  return byte ? byte : -1;
}
