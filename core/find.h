/* core/find.h: finds errors and counts, by the kernel and the step in turn, for core/utf8core.c
** and sql/check.c. */
#ifndef UTF8_CORE_FIND_H
#define UTF8_CORE_FIND_H

#include "core/simd/kernel.h"
#include "core/utf8core.h"

/* Returns where the errors start with which text[at..size) ends, or size: if more text follows, they may
** be parts of sequences. */
size_t utf8find_whole_steps(const uint8_t *text, size_t size, size_t at,
                            unsigned dialect);

/* Returns a boundary p <= size such that text[0..p) is well-formed under UTF8_STRICT: size if all of
** it is; else p may be before the first error, which utf8core_find_error() finds from there. Inline:
** for short values, a call takes a fiftieth of the time of a row of SQL. */
static inline size_t utf8find_skip_valid(const uint8_t *text, size_t size) {
  return utf8simd_kernel()->valid(text, size);
}

/* Continues utf8core_find_error() in UTF8_STRICT at stoppedAt, the boundary where the kernel stopped. */
Utf8FirstError utf8find_from_stop(const uint8_t *text, size_t size, size_t stoppedAt,
                                  size_t until);

/* Like utf8core_find_error(), in a dialect other than UTF8_STRICT. */
Utf8FirstError utf8find_in_dialect(const uint8_t *text, size_t size, size_t at,
                                   size_t until, unsigned dialect);

/* Like utf8core_count(), in UTF8_STRICT. */
uint64_t utf8find_count_strict(const uint8_t *text, size_t size, size_t *at,
                               size_t until);

/* Like utf8core_count(), in other dialects. */
uint64_t utf8find_count_in_dialect(const uint8_t *text, size_t size, size_t *at,
                                   size_t until, unsigned dialect);

#endif
