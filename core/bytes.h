/* core/bytes.h: bytes, words of eight bytes, and 64-bit masks with one bit for each of 64 bytes. */
#ifndef UTF8_CORE_BYTES_H
#define UTF8_CORE_BYTES_H

#include "core/compiler.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BYTES_HIGH_BITS 0x8080808080808080u
#define BYTES_ONES      0x0101010101010101u

static inline size_t bytes_min(size_t a, size_t b) {
  return a < b ? a : b;
}

static inline int bytes_is_ascii_letter(uint8_t byte) {
  return (uint8_t)((byte | 0x20) - 'a') < 26;
}

/* The FNV-1a hash of 64 bits: BYTES_FNV_START, to which bytes or small numbers are added. */
#define BYTES_FNV_START 0xCBF29CE484222325u
static inline uint64_t bytes_fnv_add(uint64_t hash, unsigned number) {
  return (hash ^ number) * 0x100000001B3u;
}

/* A mask with bits 0 to n - 1 set, n <= 64. */
static inline uint64_t mask_first(size_t n) {
  return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

#if UTF8_GNU
static inline size_t mask_count(uint64_t mask) {
  return (size_t)__builtin_popcountll(mask);
}

/* Returns the index of the lowest bit that is set in mask, which is not 0. */
static inline size_t mask_lowest(uint64_t mask) {
  return (size_t)__builtin_ctzll(mask);
}

/* Returns the index of the highest bit that is set in mask, which is not 0. */
static inline size_t mask_highest(uint64_t mask) {
  return 63 - (size_t)__builtin_clzll(mask);
}
#else
static inline size_t mask_count(uint64_t mask) {
  mask -= mask >> 1 & 0x5555555555555555u;
  mask = (mask & 0x3333333333333333u) + (mask >> 2 & 0x3333333333333333u);
  mask = (mask + (mask >> 4)) & 0x0F0F0F0F0F0F0F0Fu;
  return (size_t)(mask * BYTES_ONES >> 56);
}

static inline size_t mask_lowest(uint64_t mask) {
  return mask_count((mask & (~mask + 1)) - 1);
}

static inline size_t mask_highest(uint64_t mask) {
  for (unsigned step = 1; step < 64; step *= 2) mask |= mask >> step;
  return mask_count(mask) - 1;
}
#endif

static inline uint64_t bytes_load64(const uint8_t *from) {
  uint64_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

static inline uint32_t bytes_load32(const uint8_t *from) {
  uint32_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

/* Is the first byte of a number in memory its lowest one? A constant to the compiler. */
static inline int bytes_is_little_endian(void) {
  const uint16_t one = 1;
  uint8_t first;
  memcpy(&first, &one, 1);
  return first;
}

/* Like bytes_load64(), with the first byte as the lowest on any processor. */
static inline uint64_t bytes_load_little64(const uint8_t *from) {
  uint64_t word = bytes_load64(from);
  if (!bytes_is_little_endian()) { /* unreachable: big-endian, see check-wordsize */
    word = (word & 0x00FF00FF00FF00FFu) << 8 | (word >> 8 & 0x00FF00FF00FF00FFu);
    word = (word & 0x0000FFFF0000FFFFu) << 16 | (word >> 16 & 0x0000FFFF0000FFFFu);
    word = word << 32 | word >> 32;
  }
  return word;
}

/* Returns n bytes, n <= 8, as the low bytes of a word on a little-endian processor; the others
** are 00. Reads text[0..n) only. */
static inline uint64_t bytes_load_short(const uint8_t *text, size_t n) {
  uint64_t word = 0;
  if (n >= 4) {
    uint64_t last = bytes_load32(text + n - 4); /* overlaps the first four */
    return bytes_load32(text) | last << 8 * (n - 4);
  }
  if (n > 0) {
    word = text[0];
    word |= (uint64_t)text[n / 2] << 8 * (n / 2);
    word |= (uint64_t)text[n - 1] << 8 * (n - 1);
  }
  return word;
}

/* Sixteen bytes: low has the first eight. */
typedef struct BytesShort {
  uint64_t low, high;
} BytesShort;

/* Like bytes_load_short(), for n <= 16. */
static inline BytesShort bytes_load_short16(const uint8_t *text, size_t n) {
  BytesShort both = {0, 0};
  if (n <= 8) {
    both.low = bytes_load_short(text, n);
  } else {
    both.low = bytes_load64(text);
    both.high = bytes_load64(text + n - 8) >> 8 * (16 - n); /* overlaps them */
  }
  return both;
}

/* Returns the UTF-16 code unit at p, which is big-endian if `big`, else little-endian. */
static inline uint32_t bytes_unit16(const uint8_t *p, int big) {
  return big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

/* Returns the UTF-32 code unit at p, which is big-endian if `big`, else little-endian. */
static inline uint32_t bytes_unit32(const uint8_t *p, int big) {
  return bytes_unit16(p + (big ? 0 : 2), big) << 16 |
         bytes_unit16(p + (big ? 2 : 0), big);
}

static inline int bytes_is_high_surrogate(uint32_t unit) {
  return unit >> 10 == 0xD800 >> 10;
}

static inline int bytes_is_low_surrogate(uint32_t unit) {
  return unit >> 10 == 0xDC00 >> 10;
}

/* Returns the code point of a surrogate pair. */
static inline uint32_t bytes_join_surrogates(uint32_t high, uint32_t low) {
  return 0x10000 + ((high & 0x3FF) << 10 | (low & 0x3FF));
}

/* Returns 0 unless one of the word's bytes is 00. Only top bits of bytes are set. */
static inline uint64_t bytes_zeros(uint64_t word) {
  return (word - BYTES_ONES) & ~word & BYTES_HIGH_BITS;
}

static inline int bytes_is_continuation(uint8_t byte) {
  return (byte & 0xC0) == 0x80;
}

/* Returns the length of the sequence that a byte of well-formed text starts. */
static inline unsigned bytes_sequence_length(uint8_t first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

/* Returns the value of a digit of base64, or -1. */
static inline int bytes_base64_digit(uint8_t byte) {
  const uint8_t lower = byte | 0x20;
  if (lower >= 'a' && lower <= 'z') return lower - 'a' + (byte == lower ? 26 : 0);
  if (byte >= '0' && byte <= '9') return byte - '0' + 52;
  return byte == '+' ? 62 : byte == '/' ? 63 : -1;
}

#if UTF8_GNU
typedef uint8_t BytesEight __attribute__((vector_size(8)));
typedef uint16_t BytesEightWide __attribute__((vector_size(16)));

/* Stores each of eight bytes in 16 bits, with `add` added. */
static inline void bytes_widen(uint16_t *to, const uint8_t *from, uint16_t add) {
  BytesEight eight;
  memcpy(&eight, from, sizeof eight);
  const BytesEightWide wide = __builtin_convertvector(eight, BytesEightWide) + add;
  memcpy(to, &wide, sizeof wide);
}

/* Stores the low bytes of eight 16-bit values. */
static inline void bytes_narrow(uint8_t *to, const uint16_t *from) {
  BytesEightWide wide;
  memcpy(&wide, from, sizeof wide);
  const BytesEight eight = __builtin_convertvector(wide, BytesEight);
  memcpy(to, &eight, sizeof eight);
}
#else
static inline void bytes_widen(uint16_t *to, const uint8_t *from, uint16_t add) {
  for (size_t i = 0; i < 8; i++) to[i] = (uint16_t)(from[i] + add);
}

static inline void bytes_narrow(uint8_t *to, const uint16_t *from) {
  for (size_t i = 0; i < 8; i++) to[i] = (uint8_t)from[i];
}
#endif

/* Returns the offset of the first byte above 7F in text[at..until), or until. */
static inline size_t bytes_skip_ascii(const uint8_t *text, size_t at, size_t until) {
  for (; until - at >= 8; at += 8) {
    const uint64_t high = bytes_load_little64(text + at) & BYTES_HIGH_BITS;
    if (high) return at + mask_lowest(high) / 8;
  }
  while (at < until && text[at] < 0x80) at++;
  return at;
}

/* Copies the ASCII at the start of from[0..size), and returns how many bytes. May overwrite all
** of to[0..size). */
ALWAYS_INLINE size_t bytes_copy_ascii(uint8_t *to, const uint8_t *from, size_t size) {
  size_t n = 0;
  for (; size - n >= 8; n += 8) {
    const uint64_t high = bytes_load_little64(from + n) & BYTES_HIGH_BITS;
    memcpy(to + n, from + n, 8);
    if (high) return n + mask_lowest(high) / 8;
  }
  for (; n < size && from[n] < 0x80; n++) to[n] = from[n];
  return n;
}

/* Copies eight bytes at a time from in[*at..size) to out, as long as stops() returns 0 for them,
** and input and room have eight more. Moves *at past what was copied, and returns its size. */
ALWAYS_INLINE size_t bytes_copy_until(const uint8_t *in, size_t size, size_t *at,
                                      uint8_t *out, size_t room,
                                      uint64_t (*stops)(uint64_t eight)) {
  size_t n = 0, p = *at;
  for (; size - p >= 8 && room - n >= 8; p += 8, n += 8) {
    if (stops(bytes_load64(in + p))) break;
    memcpy(out + n, in + p, 8);
  }
  *at = p;
  return n;
}

/* Returns how many of the word's eight bytes are continuation bytes: bit 7 set, bit 6 not. */
static inline size_t bytes_continuations(uint64_t word) {
  return (size_t)(((word >> 7 & ~(word >> 6) & BYTES_ONES) * BYTES_ONES) >> 56);
}

/* Returns how many of n bytes are not continuation bytes. */
static inline size_t bytes_count_starts(const uint8_t *text, size_t n) {
  size_t continuations = 0, i = 0;
  for (; n - i >= 8; i += 8)
    continuations += bytes_continuations(bytes_load64(text + i));
  for (; i < n; i++) continuations += bytes_is_continuation(text[i]) ? 1u : 0u;
  return n - continuations;
}

/* Returns the start of the sequence that the end of text[0..size) cuts short, or size. The
** text before that is well-formed. */
static inline size_t bytes_boundary(const uint8_t *text, size_t size) {
  if (size >= 1 && text[size - 1] >= 0xC0) return size - 1;
  if (size >= 2 && text[size - 2] >= 0xE0) return size - 2;
  if (size >= 3 && text[size - 3] >= 0xF0) return size - 3;
  return size;
}

/* Returns the offset of the first byte at or after `at` that is not a continuation byte, or
** size. */
static inline size_t bytes_next_start(const uint8_t *text, size_t size, size_t at) {
  while (at < size && bytes_is_continuation(text[at])) at++;
  return at;
}

/* Returns where the sequence starts that ends before `at`, in well-formed text. */
static inline size_t bytes_start_before(const uint8_t *text, size_t at) {
  do at--;
  while (bytes_is_continuation(text[at]));
  return at;
}

/* U+FFFD, the replacement character, and its UTF-8. */
#define BYTES_FFFD 0xFFFDu
static const uint8_t bytes_fffd[3] = {0xEF, 0xBF, 0xBD};

/* Writes U+FFFD, and returns where the next byte goes. */
static inline uint8_t *bytes_put_fffd(uint8_t *out) {
  memcpy(out, bytes_fffd, sizeof bytes_fffd);
  return out + sizeof bytes_fffd;
}

#if UTF8_GNU
typedef uint8_t BytesSixteen __attribute__((vector_size(16)));

/* Counts like bytes_count_of(), at 16 places at a time from *at on. Moves *at past them. */
ALWAYS_INLINE size_t bytes_count_fast(const uint8_t *text, size_t size,
                                      const uint8_t *sought, size_t length,
                                      size_t *at) {
  enum { VECTORS = 31 }; /* the sums of eight bytes fit in a byte */
  size_t count = 0, i = *at;
  while (size - i >= 16 + length) {
    const size_t vectors = (size - i - length) / 16;
    BytesSixteen sums = {0};
    for (const size_t end = i + 16 * (vectors < VECTORS ? vectors : VECTORS); i < end;
         i += 16) {
      BytesSixteen equal = {0}, v;
      equal = ~equal;
      UNROLL for (size_t k = 0; k < length; k++) {
        memcpy(&v, text + i + k, sizeof v);
        equal &= (BytesSixteen)(v == sought[k]);
      }
      sums -= equal;
    }
    uint64_t half[2];
    memcpy(half, &sums, sizeof half);
    count += (size_t)((half[0] * BYTES_ONES >> 56) + (half[1] * BYTES_ONES >> 56));
  }
  *at = i;
  return count;
}
#endif

/* Returns how often text[0..size) has the `length` bytes at sought. They are constants, and cannot
** overlap. */
ALWAYS_INLINE size_t bytes_count_of(const uint8_t *text, size_t size,
                                    const uint8_t *sought, size_t length) {
  const uint8_t *first = size > 0 ? memchr(text, sought[0], size) : NULL;
  size_t count = 0, i = first ? (size_t)(first - text) : size;
#if UTF8_GNU
  count = bytes_count_fast(text, size, sought, length, &i);
#endif
  for (; size - i >= length; i++) count += memcmp(text + i, sought, length) == 0;
  return count;
}

/* Returns how many U+FFFD the text has. */
static inline size_t bytes_count_fffd(const uint8_t *text, size_t size) {
  return bytes_count_of(text, size, bytes_fffd, sizeof bytes_fffd);
}

#endif
