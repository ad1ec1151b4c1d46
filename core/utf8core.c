/* core/utf8core.c: validation and counting.
**
** A kernel (core/simd/) first skips what it finds well-formed. Where it stops, core/find.c continues.
*/
#include "core/utf8core.h"
#include "core/find.h"
#include "core/step.h"
#include "core/bytes.h"
#include "core/simd/kernel.h"

const char *utf8core_error_name(Utf8Error error) {
  static const char *const names[UTF8_ERROR_COUNT] = {
      [UTF8_STRAY_CONTINUATION] = "stray continuation",
      [UTF8_TRUNCATED] = "truncated",
      [UTF8_INCOMPLETE] = "incomplete",
      [UTF8_OVERLONG] = "overlong",
      [UTF8_SURROGATE] = "surrogate",
      [UTF8_OUT_OF_RANGE] = "out of range",
      [UTF8_INVALID_BYTE] = "invalid byte",
      [UTF8_BARE_NUL] = "bare nul",
  };
  return names[error];
}

const char *utf8core_kernel_name(void) {
  return utf8simd_kernel()->name;
}

int utf8core_kernel_is_unknown(void) {
  return utf8simd_unknown() != NULL;
}

/* ---- one step -------------------------------------------------------------------- */

Utf8Step utf8core_step(const uint8_t *text, size_t size, size_t at, unsigned dialect) {
  return step(text, size, at, dialect);
}

size_t utf8core_put(uint8_t out[UTF8_OCTETS_MAX], uint32_t codepoint) {
  return stepPut(out, codepoint);
}

size_t utf8core_bom_length(const uint8_t *text, size_t size) {
  return size >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0;
}

/* ---- validation -------------------------------------------------------------------- */

/* Optimised for short, well-formed text: the slow paths are functions of their own. */
Utf8FirstError utf8core_find_error(const uint8_t *text, size_t size, size_t at,
                                   size_t until, unsigned dialect) {
  if (UNLIKELY(dialect != UTF8_STRICT))
    return utf8find_in_dialect(text, size, at, until, dialect);
  size_t stoppedAt = at + utf8simd_kernel()->valid(text + at, until - at);
  if (UNLIKELY(stoppedAt < until))
    return utf8find_from_stop(text, size, stoppedAt, until);
  return (Utf8FirstError){until, 0, UTF8_WELL_FORMED};
}

/* A kernel's valid() returns size if and only if the whole text is well-formed. */
int utf8core_valid(const uint8_t *text, size_t size) {
  return utf8simd_kernel()->valid(text, size) == size;
}

/* ---- counting ---------------------------------------------------------------------- */

uint64_t utf8core_count(const uint8_t *text, size_t size, size_t *at, size_t until,
                        unsigned dialect) {
  if (dialect == UTF8_STRICT) return utf8find_count_strict(text, size, at, until);
  return utf8find_count_in_dialect(text, size, at, until, dialect);
}
