/* portable_plain.h: skip_stable() of kernel.h for any processor: one code point at a time, ASCII
** eight bytes at a time. */
#ifndef UTF8_SIMD_PORTABLE_PLAIN_H
#define UTF8_SIMD_PORTABLE_PLAIN_H

#include "simd/bytes.h"
#include "simd/kernel.h"
#include "simd/plain.h"
#include "simd/scalar.h"

/* Is the code point of three bytes at p plain? */
static int portable_plain_three(const Utf8Plain *plain, const uint8_t *p) {
  const uint32_t n = (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
  if (!plain_bit(plain->three, n >> 6)) return 1;
  const unsigned group = plain_group_of[n >> 9];
  return group && !plain_bit(plain->groups[group - 1], n & 511);
}

/* Is the code point of four bytes at p plain? */
static int portable_plain_four(const Utf8Plain *plain, const uint8_t *p) {
  const uint32_t n = (p[0] & 0x07u) << 6 | (p[1] & 0x3Fu);
  if (!plain_bit(plain->four, n)) return 1;
  return n == 0x1F && !plain_bit(plain->emoji, p[2] & 0x3F);
}

/* Is the code point at p, of which text has all bytes, plain? Stores its length. */
ALWAYS_INLINE int portable_plain_at(const Utf8Plain *plain, const uint8_t *p,
                                    unsigned *length) {
  *length = 1;
  if (p[0] < 0x80) return !plain->letters || (uint8_t)(p[0] - 'A') > 'Z' - 'A';
  *length = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
  if (p[0] < 0xE0) return !plain_bit(plain->two, (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu));
  return p[0] < 0xF0 ? portable_plain_three(plain, p) : portable_plain_four(plain, p);
}

/* Returns the first code point of text[at..size) that is not plain, or size. */
static size_t portable_plain_first(const Utf8Plain *plain, const uint8_t *text,
                                   size_t size, size_t at) {
  for (unsigned length; at < size; at += length) {
    length = 8;
    if (!plain->letters && size - at >= 8 &&
        !(bytes_load64(text + at) & BYTES_HIGH_BITS))
      continue;
    if (!portable_plain_at(plain, text + at, &length)) break;
  }
  return at;
}

static size_t portable_skip_stable(const Utf8Plain *plain, const uint8_t *text,
                                   size_t size, uint64_t *places) {
  const size_t start = bytes_next_start(text, size, 0);
  const size_t first = portable_plain_first(plain, text, size, start);
  *places = 0;
  for (size_t at = first; at < size && at - first < 64;) {
    unsigned length;
    if (!portable_plain_at(plain, text + at, &length))
      *places |= (uint64_t)1 << (at - first);
    at += length;
  }
  return first;
}

static int portable_is_stable(const Utf8Plain *plain, const uint8_t *text,
                              size_t size) {
  uint64_t places;
  if (scalar_valid(text, size) < size) return 0;
  portable_skip_stable(plain, text, size, &places);
  return !places;
}

#endif
