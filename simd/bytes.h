/* bytes.h: what the kernels share on bytes and words. */
#ifndef UTF8_BYTES_H
#define UTF8_BYTES_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* For what is fast only as one piece of code with the loop, or the constants, around it. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define COMPILED_IN   ALWAYS_INLINE

/* The next loop is written out as a whole. */
#if defined __clang__
#define UNROLL _Pragma("clang loop unroll(full)")
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

#define BYTES_HIGH_BITS 0x8080808080808080u
#define BYTES_ONES      0x0101010101010101u

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

/* The unit of UTF-16, and of UTF-32, at p. */
static inline uint32_t bytes_unit16(const uint8_t *p, int big) {
  return big ? (uint32_t)p[0] << 8 | p[1] : (uint32_t)p[1] << 8 | p[0];
}

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

/* Not zero just where one of the word's bytes is 00; only top bits of bytes are set. */
static inline uint64_t bytes_zeros(uint64_t word) {
  return (word - BYTES_ONES) & ~word & BYTES_HIGH_BITS;
}

static inline int bytes_is_continuation(uint8_t byte) {
  return (byte & 0xC0) == 0x80;
}

/* How many of the word's eight bytes are continuation bytes: bit 7 set, bit 6 not. */
static inline size_t bytes_continuations(uint64_t word) {
  return (size_t)(((word >> 7 & ~(word >> 6) & BYTES_ONES) * BYTES_ONES) >> 56);
}

/* How many of n bytes are not continuation bytes. */
static inline size_t bytes_count_starts(const uint8_t *text, size_t n) {
  size_t tails = 0, i = 0;
  for (; n - i >= 8; i += 8) tails += bytes_continuations(bytes_load64(text + i));
  for (; i < n; i++) tails += bytes_is_continuation(text[i]) ? 1u : 0u;
  return n - tails;
}

/* text[0..size) is well-formed but for a sequence that may be unfinished at its end.
** Returns where that sequence starts, or size. */
static inline size_t bytes_boundary(const uint8_t *text, size_t size) {
  if (size >= 1 && text[size - 1] >= 0xC0) return size - 1;
  if (size >= 2 && text[size - 2] >= 0xE0) return size - 2;
  if (size >= 3 && text[size - 3] >= 0xF0) return size - 3;
  return size;
}

/* Writes U+FFFD, and returns where the next byte goes. */
static inline uint8_t *bytes_put_fffd(uint8_t *out) {
  out[0] = 0xEF;
  out[1] = 0xBF;
  out[2] = 0xBD;
  return out + 3;
}

#endif
