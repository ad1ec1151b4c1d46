/* utf8core.c: what stands on the decoder step: valid prefix, count and boundary.
**
** They are loops over steps (utf8step.h). Where the text is long, a kernel (simd/) runs
** ahead over what it knows to be well-formed, and the step goes on where it rests. So a
** kernel decides speed and never an answer.
*/
#include "utf8core.h"
#include "utf8step.h"
#include "simd/bytes.h"
#include "simd/kernel.h"

const char *utf8core_error_name(Utf8Error error) {
  static const char *const names[UTF8_ERRORS] = {
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
  return utf8kernel()->name;
}

int utf8core_kernel_is_unknown(void) {
  return utf8kernel_unknown() != NULL;
}

/* ---- the step -------------------------------------------------------------------- */

Utf8Step utf8core_step(const uint8_t *text, size_t size, size_t at, unsigned dialect) {
  return step(text, size, at, dialect);
}

/* ---- over many steps ------------------------------------------------------------- */

/* Where a kernel has rested, so many bytes are stepped over before it is asked again; and
** twice as many each time that it rests at once, since there the forms that it does not
** know stand close together. */
#define STRIDE_LEAST 64
#define STRIDE_MOST  4096

static inline size_t nextStride(size_t stride, size_t ahead) {
  if (ahead > stride) return STRIDE_LEAST;
  return stride < STRIDE_MOST ? 2 * stride : stride;
}

static inline size_t lesser(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Does the dialect read 00 or F0..F4 differently from UTF-8, so that only valid_common()
** can be used? */
static inline int isCommonOnly(unsigned dialect) {
  return (dialect & (UTF8_PAIRS | UTF8_C080)) != 0;
}

/* Eight bytes, if they are eight ASCII characters of the dialect, else 0. */
COMPILED_IN size_t asciiLength(const uint8_t *text, size_t size, unsigned dialect) {
  if (size < 8) return 0;
  uint64_t eight = bytes_load64(text);
  if (eight & BYTES_HIGH_BITS) return 0;
  return (dialect & UTF8_C080) && bytes_zeros(eight) ? 0 : 8;
}

/* Where the kernel has rested below until: steps, and kernel and steps in turn. */
static __attribute__((noinline)) size_t
validByStepsToo(const uint8_t *text, size_t size, size_t at, size_t until,
                unsigned dialect, size_t (*valid)(const uint8_t *, size_t)) {
  size_t stride = STRIDE_LEAST;
  while (at < until) {
    size_t pause = at + lesser(until - at, stride);
    while (at < pause) {
      at += asciiLength(text + at, until - at, dialect);
      if (at >= pause) break;
      Utf8Step s = step(text, size, at, dialect);
      if (s.error) return at;
      at += s.length;
    }
    if (at >= until) break;
    size_t ahead = valid(text + at, until - at);
    at += ahead;
    stride = nextStride(stride, ahead);
  }
  return at;
}

/* The first boundary that is not below until, where nothing can be ill-formed. */
static size_t boundaryFrom(const uint8_t *text, size_t size, size_t until,
                           unsigned dialect) {
  size_t at = utf8core_boundary(text, size, until, dialect);
  return at < until ? at + step(text, size, at, dialect).length : at;
}

static __attribute__((noinline)) size_t validInDialect(const uint8_t *text, size_t size,
                                                       size_t at, size_t until,
                                                       unsigned dialect) {
  if (dialect & UTF8_BYTES) return boundaryFrom(text, size, until, dialect);
  const Utf8Kernel *kernel = utf8kernel();
  size_t (*valid)(const uint8_t *, size_t) =
      isCommonOnly(dialect) ? kernel->valid_common : kernel->valid;
  at += valid(text + at, until - at);
  return validByStepsToo(text, size, at, until, dialect, valid);
}

#define BLOCK_SIZE 64 /* of Utf8Kernel.judge */

/* To the first error, or to where less than a block is left. */
static size_t validByBlocks(const uint8_t *text, size_t at, size_t until) {
  while (until - at >= BLOCK_SIZE) {
    uint64_t kept, starts;
    size_t judged = utf8kernel()->judge(text + at, &kept, &starts);
    uint64_t bad = kept ^ ~(uint64_t)0 >> (BLOCK_SIZE - judged);
    if (bad) return at + (size_t)__builtin_ctzll(bad);
    at += judged;
  }
  return at;
}

/* Mostly the text is well-formed and short: all that is not for that is kept apart. */
size_t utf8core_valid_prefix(const uint8_t *text, size_t size, size_t at, size_t until,
                             unsigned dialect) {
  if (UNLIKELY(dialect != UTF8_STRICT))
    return validInDialect(text, size, at, until, dialect);
  size_t rest = at + utf8kernel()->valid(text + at, until - at);
  if (rest == until) return rest;
  rest = validByBlocks(text, rest, until);
  return validByStepsToo(text, size, rest, until, dialect, utf8kernel()->valid);
}

/* A text in the making of its count: text[0..at) has been counted. */
typedef struct Counting {
  const uint8_t *text;
  size_t size, at;
  uint64_t count;
} Counting;

/* Counts the steps that start in the next 64 bytes, and below until. Behind the text's end
** zeros are thought, which break a sequence off just there. Returns whether it met an error. */
static int countBlock(Counting *c, size_t until) {
  uint8_t copy[BLOCK_SIZE] = {0};
  const uint8_t *block = c->text + c->at;
  size_t left = c->size - c->at;
  if (left < BLOCK_SIZE) block = memcpy(copy, block, left);
  uint64_t kept, starts, all = ~(uint64_t)0;
  size_t judged = utf8kernel()->judge(block, &kept, &starts);
  size_t wanted = lesser(judged, until - c->at);
  uint64_t behind = wanted < BLOCK_SIZE ? starts & all << wanted : 0;
  c->count += (uint64_t)__builtin_popcountll(starts ^ behind);
  c->at += behind ? (size_t)__builtin_ctzll(behind) : judged;
  return kept != all >> (BLOCK_SIZE - judged);
}

/* In blocks from where the kernel rests, which may be a little before an error, until it is
** passed and a block has none. */
static uint64_t countStrict(const uint8_t *text, size_t size, size_t *at,
                            size_t until) {
  Counting c = {text, size, *at, 0};
  while (c.at < until) {
    size_t codepoints = 0;
    c.at += utf8kernel()->count(text + c.at, until - c.at, &codepoints);
    c.count += codepoints;
    size_t passed = c.at + UTF8_KERNEL_LAG;
    while (c.at < until && (countBlock(&c, until) || c.at < passed)) {
    }
  }
  *at = c.at;
  return c.count;
}

uint64_t utf8core_count(const uint8_t *text, size_t size, size_t *at, size_t until,
                        unsigned dialect) {
  if (dialect == UTF8_STRICT) return countStrict(text, size, at, until);
  const Utf8Kernel *kernel = utf8kernel();
  uint64_t count = 0;
  size_t p = *at, stride = STRIDE_LEAST / 2;
  while (p < until) {
    size_t ahead = 0, codepoints = 0;
    if (!isCommonOnly(dialect)) ahead = kernel->count(text + p, until - p, &codepoints);
    p += ahead;
    count += codepoints;
    stride = nextStride(stride, ahead);
    size_t pause = p + lesser(until - p, stride);
    for (; p < pause; count++) p += step(text, size, p, dialect).length;
  }
  *at = p;
  return count;
}

/* Every lead starts a step, except the second half of a pair. So the step that covers
** limit, if one does, starts at the nearest lead before it, or three bytes earlier. */
size_t utf8core_boundary(const uint8_t *text, size_t size, size_t limit,
                         unsigned dialect) {
  if (limit >= size) return size;
  size_t start = limit;
  while (start > 0 && limit - start < UTF8_OCTETS_MAX - 1 &&
         isContinuation(text[start])) {
    start--;
  }
  if (isContinuation(text[start])) return limit;
  if ((dialect & UTF8_PAIRS) && start >= 3 && isPair(text, size, start - 3)) start -= 3;
  return start + step(text, size, start, dialect).length > limit ? start : limit;
}

size_t utf8core_bom_length(const uint8_t *text, size_t size) {
  return size >= 3 && text[0] == 0xEF && text[1] == 0xBB && text[2] == 0xBF ? 3 : 0;
}

size_t utf8core_put(uint8_t out[UTF8_OCTETS_MAX], uint32_t codepoint) {
  return stepPut(out, codepoint);
}
