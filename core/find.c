/* core/find.c: finds errors and counts, by the kernel and the step in turn.
**
** Each function is a loop over steps (core/step.h). In long text a kernel (core/simd/) first skips what
** it finds well-formed, and the step continues where the kernel stops. So a kernel decides speed,
** never a result.
*/
#include "core/find.h"
#include "core/step.h"
#include "core/bytes.h"
#include "core/simd/kernel.h"

/* ---- the kernel and the step in turn ----------------------------------------------- */

/* After a kernel stops, decode this many bytes one step at a time before calling it again.
** Doubles each time the kernel stops at once: what it cannot skip is frequent there. */
#define STRIDE_MIN 64
#define STRIDE_MAX 4096

/* Returns the stride after one of size stride, after which the kernel skipped `skipped`. */
static inline size_t nextStride(size_t stride, size_t skipped) {
  if (skipped > stride) return STRIDE_MIN;
  return stride < STRIDE_MAX ? 2 * stride : stride;
}

/* Does the dialect reject some well-formed UTF-8: F0..F4, or 00? */
static inline int isNarrower(unsigned dialect) {
  return (dialect & (UTF8_PAIRS | UTF8_C080)) != 0;
}

/* Returns 0 only if the dialect accepts every byte of the word that UTF-8 accepts. */
static inline uint64_t rejectedBytes(uint64_t word, unsigned dialect) {
  uint64_t rejected = 0;
  if (dialect & UTF8_PAIRS) rejected |= word & word << 1 & word << 2 & word << 3;
  if (dialect & UTF8_C080) rejected |= bytes_zeros(word);
  return rejected & BYTES_HIGH_BITS;
}

/* Returns the end of a range from `at` in which the dialect accepts all well-formed UTF-8. In
** a narrower dialect the range is at most SHARED_MAX bytes, which the kernel then finds in the
** cache. */
static size_t sharedUntil(const uint8_t *text, size_t at, size_t until,
                          unsigned dialect) {
  enum { SHARED_MAX = 4096 };
  if (!isNarrower(dialect)) return until;
  size_t end = at + bytes_min(until - at, SHARED_MAX);
  while (end - at >= 8 && !rejectedBytes(bytes_load64(text + at), dialect)) at += 8;
  while (at < end && !rejectedBytes(text[at] * BYTES_ONES, dialect)) at++;
  return at;
}

/* ---- boundaries ------------------------------------------------------------------- */

/* Every lead byte starts a step, except that of a pair's low surrogate. So a step that
** contains limit starts at the nearest lead byte before it, or three bytes earlier. If there
** is none, limit is at a stray continuation byte, which is a step. */
size_t utf8core_boundary(const uint8_t *text, size_t size, size_t limit,
                         unsigned dialect) {
  if (limit >= size) return size;
  size_t start = limit;
  while (start > 0 && limit - start < UTF8_OCTETS_MAX - 1 &&
         bytes_is_continuation(text[start])) {
    start--;
  }
  if (bytes_is_continuation(text[start])) return limit;
  if ((dialect & UTF8_PAIRS) && start >= 3 && isPair(text, size, start - 3)) start -= 3;
  return start + step(text, size, start, dialect).length > limit ? start : limit;
}

/* What starts this many bytes before the end of a text, or earlier, ends in the text. */
#define LONGEST_STEP 8

size_t utf8find_whole_steps(const uint8_t *text, size_t size, size_t at,
                            unsigned dialect) {
  size_t left = size - at, limit = left < LONGEST_STEP ? 0 : left - LONGEST_STEP;
  size_t p = at + utf8core_boundary(text + at, left, limit, dialect);
  while (p < size) {
    const Utf8Step s = step(text, size, p, dialect);
    if (s.error) break;
    p += s.length;
  }
  return p;
}

/* ---- validation -------------------------------------------------------------------- */

/* Returns 8 if the text starts with eight ASCII characters of the dialect, else 0. */
ALWAYS_INLINE size_t asciiLength(const uint8_t *text, size_t size, unsigned dialect) {
  if (size < 8) return 0;
  uint64_t eight = bytes_load64(text);
  if (eight & BYTES_HIGH_BITS) return 0;
  return (dialect & UTF8_C080) && bytes_zeros(eight) ? 0 : 8;
}

/* Like utf8core_find_error(). The step, which decides, and the kernel, which skips well-formed
** text, take turns. */
static NOINLINE Utf8FirstError findWithStep(const uint8_t *text, size_t size, size_t at,
                                            size_t until, unsigned dialect) {
  size_t stride = STRIDE_MIN, shared = at;
  while (at < until) {
    size_t pause = at + bytes_min(until - at, stride);
    while (at < pause) {
      at += asciiLength(text + at, until - at, dialect);
      if (at >= pause) break;
      Utf8Step s = step(text, size, at, dialect);
      if (s.error) return (Utf8FirstError){at, s.length, s.error};
      at += s.length;
    }
    if (at >= until) break;
    if (shared <= at) shared = sharedUntil(text, at, until, dialect);
    size_t skipped = utf8simd_kernel()->valid(text + at, shared - at);
    at += skipped;
    stride = nextStride(stride, skipped);
  }
  return (Utf8FirstError){at, 0, UTF8_WELL_FORMED};
}

/* Returns the first boundary at or after until, in a dialect without errors. */
static size_t boundaryFrom(const uint8_t *text, size_t size, size_t until,
                           unsigned dialect) {
  size_t at = utf8core_boundary(text, size, until, dialect);
  return at < until ? at + step(text, size, at, dialect).length : at;
}

NOINLINE Utf8FirstError utf8find_in_dialect(const uint8_t *text, size_t size, size_t at,
                                            size_t until, unsigned dialect) {
  if (dialect & UTF8_BYTES) { /* has no errors */
    at = boundaryFrom(text, size, until, dialect);
    return (Utf8FirstError){at, 0, UTF8_WELL_FORMED};
  }
  size_t shared = sharedUntil(text, at, until, dialect);
  at += utf8simd_kernel()->valid(text + at, shared - at);
  return findWithStep(text, size, at, until, dialect);
}

#define BLOCK_SIZE 64 /* of Utf8Kernel.classify_block */

/* Returns the offset of the first error in the whole blocks of text[at..until), or, if they
** have none, a boundary fewer than BLOCK_SIZE bytes before until. `at` is a boundary. */
static size_t skipBlocks(const uint8_t *text, size_t at, size_t until) {
  while (until - at >= BLOCK_SIZE) {
    uint64_t kept, starts;
    size_t classified = utf8simd_kernel()->classify_block(text + at, &kept, &starts);
    uint64_t errors = kept ^ ~(uint64_t)0 >> (BLOCK_SIZE - classified);
    if (errors) return at + mask_lowest(errors);
    at += classified;
  }
  return at;
}

NOINLINE Utf8FirstError utf8find_from_stop(const uint8_t *text, size_t size,
                                           size_t stoppedAt, size_t until) {
  size_t at = skipBlocks(text, stoppedAt, until);
  return findWithStep(text, size, at, until, UTF8_STRICT);
}

/* ---- counting ---------------------------------------------------------------------- */

/* State of a count in progress: text[0..at) has been counted. */
typedef struct CountState {
  const uint8_t *text;
  size_t size, at;
  uint64_t count;
} CountState;

/* Counts the steps that start in the next 64 bytes and before until. The block is padded
** with zeros after the end of the text, so an unfinished sequence ends there. Returns
** whether the block has an error. */
static int countBlock(CountState *c, size_t until) {
  uint8_t padded[BLOCK_SIZE] = {0};
  const uint8_t *block = c->text + c->at;
  size_t left = c->size - c->at;
  if (left < BLOCK_SIZE) block = memcpy(padded, block, left);
  uint64_t kept, starts, all = ~(uint64_t)0;
  size_t classified = utf8simd_kernel()->classify_block(block, &kept, &starts);
  size_t wanted = bytes_min(classified, until - c->at);
  uint64_t beyond = wanted < BLOCK_SIZE ? starts & all << wanted : 0;
  c->count += mask_count(starts ^ beyond);
  c->at += beyond ? mask_lowest(beyond) : classified;
  return kept != all >> (BLOCK_SIZE - classified);
}

/* Alternates between the kernel's count, which stops at an error or a little before it, and
** blocks, which continue until the error is passed and a block has none. */
uint64_t utf8find_count_strict(const uint8_t *text, size_t size, size_t *at,
                               size_t until) {
  CountState c = {text, size, *at, 0};
  while (c.at < until) {
    size_t codepoints = 0;
    c.at += utf8simd_kernel()->count(text + c.at, until - c.at, &codepoints);
    c.count += codepoints;
    size_t passed = c.at + UTF8_KERNEL_LAG;
    while (c.at < until && (countBlock(&c, until) || c.at < passed)) {
    }
  }
  *at = c.at;
  return c.count;
}

/* Alternates between the kernel's count, where the dialect accepts all of UTF-8, and the step. */
uint64_t utf8find_count_in_dialect(const uint8_t *text, size_t size, size_t *at,
                                   size_t until, unsigned dialect) {
  const Utf8Kernel *kernel = utf8simd_kernel();
  uint64_t count = 0;
  size_t p = *at, stride = STRIDE_MIN / 2;
  while (p < until) {
    size_t skipped = 0, codepoints = 0;
    if (!isNarrower(dialect)) skipped = kernel->count(text + p, until - p, &codepoints);
    p += skipped;
    count += codepoints;
    stride = nextStride(stride, skipped);
    size_t pause = p + bytes_min(until - p, stride);
    for (; p < pause; count++) p += step(text, size, p, dialect).length;
  }
  *at = p;
  return count;
}
