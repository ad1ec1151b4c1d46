/* core/fast.h: a call of the kernel that can be inlined, for sql/check.c: a row with a short
** value takes some 40 ns in SQL, so a function call more would show.
*/
#ifndef UTF8_CORE_FAST_H
#define UTF8_CORE_FAST_H

#include "utf8core.h"
#include "simd/kernel.h"

/* Returns size if text[0..size) is well-formed UTF-8; otherwise a boundary at or before the
** first error, from which utf8core_find_error() finds it. text may be NULL if size is 0.
*/
static inline size_t utf8fast_valid(const uint8_t *text, size_t size) {
  return utf8kernel()->valid(text, size);
}

#endif
