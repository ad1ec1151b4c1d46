/* core/rows.h: rows of a table, sorted by code point. */
#ifndef UTF8_CORE_ROWS_H
#define UTF8_CORE_ROWS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the index of the first row whose code point is at least `code`, or n. codes is that of the
** first of n rows, of `width` uint16_t each. */
static inline size_t utf8rows_from(const uint16_t *codes, size_t width, size_t n,
                                   uint32_t code) {
  size_t low = 0;
  while (n > 0) {
    const size_t half = n / 2;
    const int is_after = codes[(low + half) * width] < code;
    low += is_after ? half + 1 : 0;
    n = is_after ? n - half - 1 : half;
  }
  return low;
}

#endif
