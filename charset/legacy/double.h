/* charset/legacy/double.h: what the codecs of multi-byte charsets share: the loops over readers and
** writers, and the maps with which writers find the bytes of a code point.
*/
#ifndef UTF8_CHARSET_LEGACY_DOUBLE_H
#define UTF8_CHARSET_LEGACY_DOUBLE_H

#include "charset/legacy/codec.h"

#define LEGACY_COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- readers --------------------------------------------------------------------------- */

/* Returns the code point at *at, which is not ASCII, or U+FFFD for an error, and moves *at past
** it. */
typedef uint32_t LegacyReader(const uint8_t *in, size_t size, size_t *at);

/* Skips an error at a lead byte. The second byte is part of the error unless it is ASCII or
** missing. */
static inline uint32_t skipDouble(const uint8_t *in, size_t size, size_t *at) {
  *at += size - *at < 2 || in[*at + 1] < 0x80 ? 1 : 2;
  return BYTES_FFFD;
}

ALWAYS_INLINE size_t decodeLegacy(LegacyReader *read, const uint8_t *in, size_t size,
                                  size_t until, size_t *at, uint8_t *out, size_t room) {
  size_t n = 0, p = *at;
  while (p < until && room - n > LEGACY_STEP) {
    if (in[p] < 0x80) out[n++] = in[p++]; /* ASCII between words is usually one space */
    if (p == until) break;
    if (in[p] < 0x80) {
      n += legacyCopyAscii(in, until, &p, out + n, room - n);
    } else {
      n += legacyPut(out + n, read(in, size, &p));
    }
  }
  *at = p;
  return n;
}

/* Where a kernel stops, the reader decodes this many bytes before the kernel is called again. Doubles
** each time the kernel stops early. */
enum { LEGACY_APART = 16, LEGACY_EARLY = 256, LEGACY_DOUBLE_ROOM = 128 };

/* Like decodeLegacy(), for text most of which is in double-byte codes. */
ALWAYS_INLINE size_t decodeDouble(LegacyReader *read, const Utf8DoubleByte *doubles,
                                  const uint8_t *in, size_t size, size_t until,
                                  size_t *at, uint8_t *out, size_t room) {
  Utf8DecodeDouble *decode = utf8simd_kernel()->converters->decode_double;
  size_t n = 0, apart = LEGACY_APART;
  while (decode && *at < until && until - *at > LEGACY_APART &&
         room - n > LEGACY_DOUBLE_ROOM) {
    const size_t before = *at;
    n += decode(doubles, in, size, until, at, out + n, room - n);
    if (*at >= until) return n;
    apart = *at - before >= LEGACY_EARLY ? LEGACY_APART : 2 * apart;
    const size_t end = until - *at < apart ? until : *at + apart;
    n += decodeLegacy(read, in, size, end, at, out + n, room - n);
  }
  return n + decodeLegacy(read, in, size, until, at, out + n, room - n);
}

/* Like decodeLegacy(), but stores code points, as utf8charset_read_codes() does. */
ALWAYS_INLINE size_t readLegacy(LegacyReader *read, const uint8_t *in, size_t size,
                                size_t *at, size_t until, uint32_t *codes,
                                size_t room) {
  size_t n = 0, p = *at;
  while (n < room && p < until) {
    const size_t before = p;
    if (in[p] < 0x80) {
      codes[n++] = in[p++];
      continue;
    }
    const uint32_t code = read(in, size, &p);
    codes[n++] = code;
    if (UNLIKELY(code == BYTES_FFFD)) break;
    if (UNLIKELY(p - before == 4)) codes[n - 1] |= UTF8_LEGACY_FOUR;
  }
  *at = p;
  return n;
}

/* A decoder with the loop for a reader, which is inlined. */
#define LEGACY_DECODER(name, read)                                                     \
  static size_t name(unsigned *state, const uint8_t *in, size_t size, size_t until,    \
                     size_t *at, uint8_t *out, size_t room) {                          \
    (void)state;                                                                       \
    return decodeLegacy(read, in, size, until, at, out, room);                         \
  }

#define LEGACY_DOUBLE_DECODER(name, read, doubles)                                     \
  static size_t name(unsigned *state, const uint8_t *in, size_t size, size_t until,    \
                     size_t *at, uint8_t *out, size_t room) {                          \
    (void)state;                                                                       \
    return decodeDouble(read, doubles, in, size, until, at, out, room);                \
  }

/* ---- maps ------------------------------------------------------------------------------ */

/* By code point: its one or two bytes as a number, or 0. Empty until it is built. */
typedef struct LegacyMap {
  _Atomic(int) ready;
  _Atomic(uint16_t) bytes[0x10000];
} LegacyMap;

static inline uint32_t mapped(const LegacyMap *map, uint32_t code) {
  return atomic_load_explicit(&map->bytes[code], memory_order_relaxed);
}

/* Stores a code point's bytes, unless it has some: the callers add the pointer that is to be
** written first. So each element only ever gets one value, even if several threads build the
** map at once. */
static inline void addToMap(LegacyMap *map, uint32_t code, uint32_t bytes) {
  if (mapped(map, code) == 0) {
    atomic_store_explicit(&map->bytes[code], (uint16_t)bytes, memory_order_relaxed);
  }
}

static NOINLINE void buildLegacyMap(LegacyMap *map, void (*build)(LegacyMap *)) {
  build(map);
  atomic_store_explicit(&map->ready, 1, memory_order_release);
}

/* Returns the map, which the first call builds. */
static inline const LegacyMap *builtMap(LegacyMap *map, void (*build)(LegacyMap *)) {
  if (UNLIKELY(!atomic_load_explicit(&map->ready, memory_order_acquire))) {
    buildLegacyMap(map, build);
  }
  return map;
}

/* Returns the bytes of a pointer. Rows have `cells` cells; row 0 has the lead byte `lead`, cell
** 0 the trail byte `trail`; from cell `gap` on, trail bytes are higher by `skip`. */
ALWAYS_INLINE uint32_t bytesOfPointer(uint32_t pointer, uint32_t cells, uint32_t lead,
                                      uint32_t trail, uint32_t gap, uint32_t skip) {
  uint32_t cell = pointer % cells;
  return (pointer / cells + lead) << 8 | (cell + trail + (cell < gap ? 0 : skip));
}

/* ---- writers --------------------------------------------------------------------------- */

/* Writes a code point that is not ASCII, or returns 0 if the charset lacks it. */
typedef size_t LegacyWriter(const LegacyMap *map, uint8_t *out, uint32_t code);

ALWAYS_INLINE size_t writeMapped(const LegacyMap *map, uint8_t *out, uint32_t code) {
  uint32_t bytes = code < 0x10000 ? mapped(map, code) : 0;
  return bytes ? legacyPutBytes(out, bytes) : 0;
}

ALWAYS_INLINE size_t encodeLegacy(LegacyWriter *write, const LegacyMap *map,
                                  const uint8_t *in, size_t size, size_t *at,
                                  uint8_t *out, size_t room) {
  size_t n = 0, p = *at, length = 1;
  while (length && p < size && room - n >= LEGACY_STEP) {
    if (in[p] < 0x80) {
      n += legacyCopyAscii(in, size, &p, out + n, room - n);
      continue;
    }
    const Utf8Step one = stepWellFormed(in + p);
    length = write(map, out + n, one.codepoint);
    n += length;
    if (length) p += one.length;
  }
  *at = p;
  return n;
}

/* An encoder with the loop for a writer, which is inlined. */
#define LEGACY_ENCODER(name, write, map)                                               \
  static size_t name(unsigned *state, const uint8_t *in, size_t size, size_t *at,      \
                     uint8_t *out, size_t room) {                                      \
    (void)state;                                                                       \
    return encodeLegacy(write, map, in, size, at, out, room);                          \
  }

#endif
