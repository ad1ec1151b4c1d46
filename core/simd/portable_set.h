/* core/simd/portable_set.h: skip_outside() of kernel.h for any processor: one code point at a time, ASCII
** eight bytes at a time. */
#ifndef UTF8_CORE_SIMD_PORTABLE_SET_H
#define UTF8_CORE_SIMD_PORTABLE_SET_H

#include "core/bytes.h"
#include "core/simd/kernel.h"
#include "core/simd/codeset.h"
#include "core/simd/scalar.h"

/* Is the code point of three bytes at p outside of the set? */
static int portable_outside_three(const Utf8CodeSet *set, const uint8_t *p) {
  const uint32_t n = (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
  if (!codeset_bit(set->three, n >> 6)) return 1;
  const unsigned group = set->singles->group_of[n >> 9];
  return group && !codeset_bit(set->groups[group - 1], n & 511);
}

/* Is the code point of four bytes at p outside of the set? */
static int portable_outside_four(const Utf8CodeSet *set, const uint8_t *p) {
  const uint32_t n = (p[0] & 0x07u) << 6 | (p[1] & 0x3Fu);
  if (!codeset_bit(set->four, n)) return 1;
  return n == set->fine_of && !codeset_bit(set->fine, p[2] & 0x3F);
}

/* Is the code point at p, of which text has all bytes, outside of the set? Stores its length. */
ALWAYS_INLINE int portable_is_outside(const Utf8CodeSet *set, const uint8_t *p,
                                      unsigned *length) {
  *length = 1;
  if (p[0] < 0x80) return !set->letters || (uint8_t)(p[0] - 'A') > 'Z' - 'A';
  *length = bytes_sequence_length(p[0]);
  if (p[0] < 0xE0) return !codeset_bit(set->two, (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu));
  return p[0] < 0xF0 ? portable_outside_three(set, p) : portable_outside_four(set, p);
}

/* Is the code point at p, which is in the set, a single? */
static int portable_is_single(const Utf8CodeSet *set, const uint8_t *p) {
  if (p[0] < 0xE0)
    return codeset_bit(set->singles->two, (p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu));
  const unsigned group = p[0] < 0xF0 ? set->singles->group_of[codeset_number(p)] : 0;
  return group && codeset_bit(set->singles->groups[group - 1],
                              (p[1] & 7u) << 6 | (p[2] & 0x3Fu));
}

/* Is there a place at p? *after is 1 if the code point before it may be in the set; stores the same
** for the next one, and the length. */
ALWAYS_INLINE int portable_is_place(const Utf8CodeSet *set, const uint8_t *p,
                                    int *after, unsigned *length) {
  const int follows = *after;
  if (portable_is_outside(set, p, length)) return *after = 0;
  *after = p[0] >= 0x80;
  return !*after || follows || !portable_is_single(set, p);
}

/* Returns the first place of text[at..size), or size. *after is that of the first code point, and becomes
** that of the code point after the place. */
static size_t portable_first_place(const Utf8CodeSet *set, const uint8_t *text,
                                   size_t size, size_t at, int *after) {
  for (unsigned length; at < size; at += length) {
    length = 8;
    if (!set->letters && size - at >= 8 &&
        !(bytes_load64(text + at) & BYTES_HIGH_BITS)) {
      *after = 0;
    } else if (portable_is_place(set, text + at, after, &length)) {
      break;
    }
  }
  return at;
}

/* Like skip_outside(). `after` is as in portable_is_place(). */
static size_t portable_skip_from(const Utf8CodeSet *set, const uint8_t *text,
                                 size_t size, int after, uint64_t *places) {
  const size_t start = bytes_next_start(text, size, 0);
  const size_t first = portable_first_place(set, text, size, start, &after);
  *places = first < size;
  for (size_t at = first; at < size && at - first < 64;) {
    unsigned length;
    if (portable_is_place(set, text + at, &after, &length))
      *places |= (uint64_t)1 << (at - first);
    at += length;
  }
  return first;
}

static size_t portable_skip_outside(const Utf8CodeSet *set, const uint8_t *text,
                                    size_t size, uint64_t *places) {
  return portable_skip_from(set, text, size, 1, places);
}

static size_t portable_prefix_outside(const Utf8CodeSet *set, const uint8_t *text,
                                      size_t size) {
  uint64_t places;
  if (size > KERNEL_SHORT || scalar_valid(text, size) < size) return 0;
  portable_skip_from(set, text, size, 0, &places);
  return places ? 0 : size;
}

#endif
