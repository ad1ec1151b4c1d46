/* charset/legacy/singlebyte.c: the single-byte charsets: ISO 8859, Windows, DOS, Macintosh, KOI8, EBCDIC.
**
** The extension stores one small table per charset, of code points (charset/legacy/tables/singlebyte.h).
** From it, the first use of a charset builds two tables that are faster: for decoding, the
** UTF-8 of each byte; for encoding, pages of 64 code points, which the bytes of UTF-8 address
** directly.
**
** Loops branch on ASCII only for 8 or 64 bytes at once: a processor cannot predict where words
** end.
**
** Sources: WHATWG Encoding Standard §9; Python's codecs and glibc's iconv for what it lacks.
*/
#include "charset/legacy/codec.h"
#include "charset/legacy/tables/singlebyte.h"

#define LEGACY_ROWS  (sizeof singlebyte_high / sizeof *singlebyte_high)
#define LEGACY_OTHER (sizeof singlebyte_whole / sizeof *singlebyte_whole - 1)

#define LEGACY_BLOCK 64

/* The size of a text from which a kernel converts it. */
#define LEGACY_KERNEL 32

/* A code point may start in a block and end up to three bytes after it. */
#define LEGACY_SLACK (LEGACY_STEP + 3)

/* ---- code points ----------------------------------------------------------------------- */

/* Rows from this number on are in singlebyte_whole. */
#define LEGACY_WHOLE 0x80
#define LEGACY_NONE  0xFF

/* Stores the code points of a row's 256 bytes: for a row of singlebyte_whole, those of the page that
** it is like, then its differences. */
static void readPage(unsigned row, uint16_t page[256]) {
  if (row < LEGACY_WHOLE) {
    for (unsigned i = 0; i < 128; i++) page[i] = (uint16_t)i;
    memcpy(page + 128, singlebyte_high[row], sizeof singlebyte_high[row]);
    return;
  }
  const unsigned whole = row - LEGACY_WHOLE;
  readPage(singlebyte_whole[whole].like, page);
  for (unsigned i = singlebyte_whole[whole].first;
       i < singlebyte_whole[whole + 1].first; i++)
    page[singlebyte_bytes[i]] = singlebyte_codes[i];
}

uint32_t utf8charset_code_of_byte(Utf8Charset charset, uint8_t byte) {
  uint16_t page[256];
  readPage(singlebyte_rows[charset], page);
  return page[byte];
}

int utf8charset_extends_ascii(Utf8Charset charset) {
  return charset >= 0 && singlebyte_rows[charset] < LEGACY_WHOLE;
}

const uint16_t *utf8charset_high(Utf8Charset charset) {
  return singlebyte_high[singlebyte_rows[charset]];
}

int utf8charset_is_single_byte(Utf8Charset charset) {
  return singlebyte_rows[charset] != LEGACY_NONE;
}

/* ---- tables ---------------------------------------------------------------------------- */

/* The tables of one charset; all zero until they are built. Code points that the charset lacks
** have byte 0.
**
** sequences[lead | (second & 63) << 8] is the charset's byte for a two-byte sequence. For an ASCII lead
** every entry holds that byte, so the lookup needs no branch. */
typedef struct LegacyTables {
  _Atomic(int) ready;
  _Atomic(uint32_t) utf8[256]; /* by byte: up to three bytes, then their number */
  _Atomic(uint8_t) sequences[0x4000];
  _Atomic(uint8_t) page[0x400]; /* by code point / 64; page 0 is empty */
  _Atomic(uint8_t) bytes[64 * SINGLEBYTE_PAGES]; /* by page and code point % 64 */
} LegacyTables;

static LegacyTables legacyTables[LEGACY_ROWS + LEGACY_OTHER];

#define LEGACY_LOAD(from) atomic_load_explicit(&(from), memory_order_relaxed)
#define LEGACY_STORE(to, number)                                                       \
  atomic_store_explicit(&(to), (number), memory_order_relaxed)

/* Returns four bytes of memory as a number: the UTF-8 of a code point, and its length last. */
static uint32_t packedUtf8(uint32_t code) {
  uint8_t bytes[UTF8_OCTETS_MAX] = {0};
  uint32_t packed;
  bytes[3] = (uint8_t)stepPut(bytes, code);
  memcpy(&packed, bytes, sizeof packed);
  return packed;
}

/* Pages being built. */
typedef struct LegacyPages {
  unsigned count;
  uint8_t page[0x400];
  uint8_t bytes[64 * SINGLEBYTE_PAGES];
} LegacyPages;

/* Adds a byte's code point, unless a lower byte has the same one. */
static void addToPages(LegacyPages *pages, uint32_t code, uint8_t byte) {
  uint8_t *page = &pages->page[code >> 6];
  if (*page == 0) *page = (uint8_t)++pages->count;
  uint8_t *slot = &pages->bytes[64u * *page + (code & 0x3F)];
  if (*slot == 0) *slot = byte;
}

static void storePages(LegacyTables *t, const LegacyPages *pages) {
  for (unsigned i = 0; i < sizeof pages->page; i++)
    LEGACY_STORE(t->page[i], pages->page[i]);
  for (unsigned i = 0; i < sizeof pages->bytes; i++) {
    LEGACY_STORE(t->bytes[i], pages->bytes[i]);
  }
}

static uint8_t byteOnPage(const LegacyPages *pages, uint32_t code) {
  return pages->bytes[64u * pages->page[code >> 6] + (code & 0x3F)];
}

static void storeSequences(LegacyTables *t, const LegacyPages *pages) {
  for (unsigned i = 0; i < 0x4000; i++) {
    unsigned lead = i & 0xFF, low = i >> 8;
    int isUsed = lead < 0x80 || (lead >= 0xC2 && lead < 0xE0);
    if (!isUsed) continue;
    unsigned code = lead < 0x80 ? lead : (lead & 0x1F) << 6 | low;
    LEGACY_STORE(t->sequences[i], byteOnPage(pages, code));
  }
}

/* Builds a charset's tables. Several threads may do so at once: all of them store the same
** values, and a thread that reads `ready` as 1 sees all values of one of them. */
static NOINLINE void buildTables(LegacyTables *t, unsigned row) {
  LegacyPages pages = {0, {0}, {0}};
  uint16_t page[256];
  readPage(row, page);
  for (unsigned byte = 0; byte < 256; byte++) {
    const uint32_t code = page[byte];
    LEGACY_STORE(t->utf8[byte], packedUtf8(code));
    if (code != BYTES_FFFD) addToPages(&pages, code, (uint8_t)byte);
  }
  storePages(t, &pages);
  storeSequences(t, &pages);
  atomic_store_explicit(&t->ready, 1, memory_order_release);
}

static inline const LegacyTables *legacyTablesOf(unsigned row) {
  size_t number = row < LEGACY_WHOLE ? row : LEGACY_ROWS + (row - LEGACY_WHOLE);
  LegacyTables *t = &legacyTables[number];
  if (UNLIKELY(!atomic_load_explicit(&t->ready, memory_order_acquire))) {
    buildTables(t, row);
  }
  return t;
}

/* ---- decoding -------------------------------------------------------------------------- */

/* Writes the UTF-8 of a byte and returns its length. Overwrites out[0..4). */
ALWAYS_INLINE size_t putByte(const LegacyTables *t, uint8_t byte, uint8_t *out) {
  uint32_t packed = LEGACY_LOAD(t->utf8[byte]);
  memcpy(out, &packed, sizeof packed);
  const int isLittle = bytes_is_little_endian();
  return isLittle ? packed >> 24 : packed & 0xFF; /* unreachable: big-endian */
}

/* Decodes a charset that extends ASCII, up to where the kernel stops. */
static size_t decodeByKernel(unsigned row, const uint8_t *in, size_t size, size_t *at,
                             uint8_t *out, size_t room) {
  Utf8DecodeHigh *decode = utf8simd_kernel()->converters->decode_high;
  return decode ? decode(singlebyte_high[row], in, size, at, out, room) : 0;
}

/* Decodes one byte at a time. */
static size_t decodeByTable(unsigned row, const uint8_t *in, size_t size, size_t *at,
                            uint8_t *out, size_t room) {
  const LegacyTables *t = legacyTablesOf(row);
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

size_t utf8charset_decode_bytes(Utf8Charset charset, const uint8_t *in, size_t size,
                                size_t *at, uint8_t *out, size_t room) {
  const unsigned row = singlebyte_rows[charset];
  size_t n = 0;
  if (row < LEGACY_WHOLE && size - *at >= LEGACY_KERNEL)
    n = decodeByKernel(row, in, size, at, out, room);
  if (*at == size) return n;
  return n + decodeByTable(row, in, size, at, out + n, room - n);
}

/* ---- encoding -------------------------------------------------------------------------- */

/* Returns the byte of the code point of three or four bytes at c, or 0. */
ALWAYS_INLINE uint8_t byteOfLong(const LegacyTables *t, const uint8_t *c) {
  if (c[0] >= 0xF0) return 0;
  unsigned page = LEGACY_LOAD(t->page[(c[0] & 0x0F) << 6 | (c[1] & 0x3F)]);
  return LEGACY_LOAD(t->bytes[64 * page + (c[2] & 0x3F)]);
}

/* Returns the byte of the code point of one or two bytes at c, or 0. Reads two bytes. */
ALWAYS_INLINE uint8_t byteOfSequence(const LegacyTables *t, const uint8_t *c) {
  return LEGACY_LOAD(t->sequences[(c[0] | c[1] << 8) & 0x3FFF]);
}

/* Does the charset lack the code point at c, for which the tables have `byte`? They have 0 for
** what it lacks; in every charset, 0 is the byte of U+0000 only. */
#define LEGACY_LACKS(byte, c) ((byte) == 0 && *(c) != 0)

/* Encodes the code point at c, and returns 1, or 0 if the charset lacks it. */
ALWAYS_INLINE int putCharacter(const LegacyTables *t, const uint8_t *c, uint8_t *out) {
  if (*c >= 0xE0) {
    *out = byteOfLong(t, c);
  } else {
    /* For ASCII, `second` is taken from the byte itself: any value finds the same entry. */
    unsigned second = c[*c >> 7] & 0x3F;
    *out = LEGACY_LOAD(t->sequences[second << 8 | *c]);
  }
  return !LEGACY_LACKS(*out, c);
}

/* Bit i of a mask is for byte i of a block. */
typedef struct LegacyBlock {
  uint64_t starts;        /* a code point starts */
  uint64_t leads;         /* a code point that is not ASCII starts */
  uint64_t has_long;      /* 0 if no code point has more than two bytes */
  uint64_t continuations; /* the number of continuation bytes */
} LegacyBlock;

/* Moves bit 8k to bit 56 + k, for each k. */
#define LEGACY_GATHER 0x0102040810204080u

static inline LegacyBlock examineBlock(const uint8_t *text) {
  LegacyBlock block = {0, 0, 0, 0};
  for (unsigned i = 0; i < LEGACY_BLOCK; i += 8) {
    uint64_t word = bytes_load_little64(text + i);
    uint64_t continuation = word >> 7 & ~word >> 6 & BYTES_ONES;
    block.starts |= ((continuation ^ BYTES_ONES) * LEGACY_GATHER) >> 56 << i;
    block.has_long |= word & word << 1 & word << 2 & BYTES_HIGH_BITS;
    block.continuations += continuation;
  }
  block.continuations = block.continuations * BYTES_ONES >> 56;
  uint64_t isLastAscii = text[LEGACY_BLOCK - 1] < 0x80;
  block.leads = block.starts & ~(block.starts >> 1 | isLastAscii << 63);
  return block;
}

/* State of an encoding in progress. The functions below encode the block at `in`. They may read
** LEGACY_SLACK bytes after it, and write as many bytes more to `out`. */
typedef struct LegacyEncoding {
  const LegacyTables *t;
  int is_ascii;            /* 00..7F are ASCII */
  const uint8_t *in, *end; /* the next code point, the end of the text */
  uint8_t *out, *out_end;  /* where its byte goes */
} LegacyEncoding;

/* Encodes the code points of a block. Returns 0, and stops, at one that the charset lacks. */
ALWAYS_INLINE int encodeStarts(LegacyEncoding *e, uint64_t starts, int hasLong) {
  const uint8_t *block = e->in, *c = block;
  uint8_t *to = e->out;
  for (; starts; starts &= starts - 1) {
    c = block + mask_lowest(starts);
    uint8_t byte =
        hasLong && *c >= 0xE0 ? byteOfLong(e->t, c) : byteOfSequence(e->t, c);
    if (UNLIKELY(LEGACY_LACKS(byte, c))) {
      e->in = c, e->out = to;
      return 0;
    }
    *to++ = byte;
  }
  e->in = c + stepWellFormed(c).length;
  e->out = to;
  return 1;
}

/* Copies `size` bytes, or LEGACY_STEP if that is more. */
ALWAYS_INLINE void copyRoughly(uint8_t *to, const uint8_t *from, size_t size) {
  memcpy(to, from, LEGACY_STEP);
  if (UNLIKELY(size > LEGACY_STEP)) {
    memcpy(to + LEGACY_STEP, from + LEGACY_STEP, size - LEGACY_STEP);
  }
}

/* Like encodeStarts(), but copies the ASCII between the code points at `leads`. */
ALWAYS_INLINE int encodeLeads(LegacyEncoding *e, uint64_t leads) {
  const uint8_t *block = e->in, *c = block;
  uint8_t *to = e->out;
  for (; leads; leads &= leads - 1) {
    const uint8_t *lead = block + mask_lowest(leads);
    copyRoughly(to, c, (size_t)(lead - c));
    to += lead - c;
    c = lead;
    if (UNLIKELY(!putCharacter(e->t, c, to))) {
      e->in = c, e->out = to;
      return 0;
    }
    to++;
    c += stepWellFormed(c).length;
  }
  size_t last = c - block < LEGACY_BLOCK ? LEGACY_BLOCK - (size_t)(c - block) : 0;
  copyRoughly(to, c, last);
  e->in = c + last;
  e->out = to + last;
  return 1;
}

/* Encodes a run of three-byte code points, up to the end of the block, with single ASCII bytes
** between them. A predicted branch gives the address of the next, which so waits for no load. */
ALWAYS_INLINE int encodeThrees(LegacyEncoding *e) {
  const uint8_t *end = e->in + LEGACY_BLOCK;
  for (; e->in < end; e->out++) {
    const int isLong = *e->in >= 0xE0;
    if (!isLong && (*e->in >= 0x80 || e->in[1] < 0xE0)) return 1;
    *e->out = isLong ? byteOfLong(e->t, e->in) : byteOfSequence(e->t, e->in);
    if (UNLIKELY(LEGACY_LACKS(*e->out, e->in))) return 0;
    e->in += isLong ? 3 : 1;
  }
  return 1;
}

/* In a block with more continuation bytes than this, every code point is looked up. */
#define LEGACY_SPARSE 12

/* Encodes a block of ASCII. In a charset that extends ASCII, also the ASCII that follows. Others may
** lack some of ASCII: returns 0, and stops, there. */
static int encodeAsciiRun(LegacyEncoding *e) {
  if (e->is_ascii) {
    size_t at = 0;
    e->out += legacyCopyAscii(e->in, (size_t)(e->end - e->in), &at, e->out,
                              (size_t)(e->out_end - e->out));
    e->in += at;
    return 1;
  }
  for (unsigned i = 0; i < LEGACY_BLOCK; i++, e->in++, e->out++) {
    *e->out = LEGACY_LOAD(e->t->sequences[*e->in]);
    if (UNLIKELY(LEGACY_LACKS(*e->out, e->in))) return 0;
  }
  return 1;
}

/* Encodes a block. Returns 0, and stops, at a code point that the charset lacks. */
ALWAYS_INLINE int encodeBlock(LegacyEncoding *e) {
  if (*e->in >= 0xE0) return encodeThrees(e);
  LegacyBlock block = examineBlock(e->in);
  if (block.leads == 0) return encodeAsciiRun(e);
  if (e->is_ascii && block.continuations <= LEGACY_SPARSE) {
    return encodeLeads(e, block.leads);
  }
  if (block.has_long) return encodeStarts(e, block.starts, 1);
  return encodeStarts(e, block.starts, 0);
}

/* Encodes blocks, until one has a code point that the charset lacks. */
static size_t encodeBlocks(const LegacyTables *t, int isAscii, const uint8_t *in,
                           size_t size, size_t *at, uint8_t *out, size_t room) {
  const ptrdiff_t needed = LEGACY_BLOCK + LEGACY_SLACK;
  LegacyEncoding e = {t, isAscii, in + *at, in + size, out, out + room};
  while (e.end - e.in >= needed && e.out_end - e.out >= needed && encodeBlock(&e)) {
  }
  *at = (size_t)(e.in - in);
  return (size_t)(e.out - out);
}

/* Encodes in a charset that extends ASCII, up to where the kernel stops. Its loads are not atomic: a
** thread that still builds the tables stores the bytes that they have. */
static size_t encodeByKernel(const LegacyTables *t, const uint8_t *in, size_t size,
                             size_t *at, uint8_t *out, size_t room) {
  Utf8EncodeHigh *encode = utf8simd_kernel()->converters->encode_high;
  const Utf8Pages pages = {(const uint8_t *)t->page, (const uint8_t *)t->bytes};
  return encode ? encode(&pages, in, size, at, out, room) : 0;
}

size_t utf8charset_encode_bytes(Utf8Charset charset, const uint8_t *in, size_t size,
                                size_t *at, uint8_t *out, size_t room) {
  unsigned row = singlebyte_rows[charset];
  const LegacyTables *t = legacyTablesOf(row);
  size_t p = *at, n = 0;
  if (row < LEGACY_WHOLE && size - p >= LEGACY_KERNEL)
    n = encodeByKernel(t, in, size, &p, out, room);
  if (size - p >= LEGACY_BLOCK) {
    n += encodeBlocks(t, row < LEGACY_WHOLE, in, size, &p, out + n, room - n);
  }
  while (p < size && n < room && putCharacter(t, in + p, out + n)) {
    p += stepWellFormed(in + p).length;
    n++;
  }
  *at = p;
  return n;
}

int utf8charset_byte_of_code(Utf8Charset charset, uint32_t codepoint) {
  if (codepoint == 0) return 0;
  if (codepoint > 0xFFFF) return -1;
  const LegacyTables *t = legacyTablesOf(singlebyte_rows[charset]);
  int byte = LEGACY_LOAD(
      t->bytes[64u * LEGACY_LOAD(t->page[codepoint >> 6]) + (codepoint & 0x3F)]);
  return byte ? byte : -1;
}
