/* utf8fast.h: the core's way to the kernel, inline, for callers whose time a function call
** would show in: in SQL a row with a short value takes some 40 ns in all.
*/
#ifndef UTF8FAST_H
#define UTF8FAST_H

#include "utf8core.h"
#include "simd/kernel.h"

/* Returns size if text[0..size) is well-formed UTF-8; otherwise a boundary at or before the
** first error, from which utf8core_find_error() finds it. text may be NULL if size is 0.
*/
static inline size_t utf8fast_valid(const uint8_t *text, size_t size) {
  return utf8kernel()->valid(text, size);
}

#endif
