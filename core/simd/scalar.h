/* core/simd/scalar.h: the kernel for any processor, on the state machine of dfa.h. kernel.h has the
** contracts of scalar_valid() and the others.
**
** Chunks of ASCII that start between sequences are skipped: 16 bytes, then 32 at a time.
*/
#ifndef UTF8_CORE_SIMD_SCALAR_H
#define UTF8_CORE_SIMD_SCALAR_H

#include "core/bytes.h"
#include "core/simd/dfa.h"
#include "core/simd/kernel.h"

enum { DFA_CHUNK = 16 }; /* bytes between two tests of the state */

/* dfa_run() for a chunk. */
static inline uint64_t dfa_run_chunk(uint64_t state, const uint8_t *text) {
  UNROLL for (size_t i = 0; i < DFA_CHUNK; i++) {
    state = dfa_rows[text[i]] >> (state & DFA_MASK);
  }
  return state & DFA_MASK;
}

/* Are the n bytes, 16 or 32, all ASCII? */
static inline int dfa_is_ascii(const uint8_t *text, size_t n) {
  uint64_t all = 0;
  UNROLL for (size_t i = 0; i < n; i += 8) all |= bytes_load64(text + i);
  return (all & BYTES_HIGH_BITS) == 0;
}

/* Returns how many bytes of ASCII the text starts with, of which the first chunk is known. */
static inline size_t dfa_skip_ascii(const uint8_t *text, size_t size) {
  size_t n = DFA_CHUNK;
  while (size - n >= 2 * DFA_CHUNK && dfa_is_ascii(text + n, 2 * DFA_CHUNK))
    n += 2 * DFA_CHUNK;
  return n;
}

/* Implements valid(), and count() if codepoints is not NULL. */
ALWAYS_INLINE size_t dfa_scan(const uint8_t *text, size_t size, size_t *codepoints) {
  uint64_t state = DFA_START;
  size_t at = 0, starts = 0; /* in text[0..at) */
  while (size - at >= DFA_CHUNK) {
    /* `&`, so that two conditions are one branch: never taken if no chunk is all ASCII. */
    if ((state == DFA_START) & dfa_is_ascii(text + at, DFA_CHUNK)) {
      size_t ascii = dfa_skip_ascii(text + at, size - at);
      at += ascii, starts += ascii;
      continue;
    }
    uint64_t next = dfa_run_chunk(state, text + at);
    if (next == DFA_BROKEN) break;
    state = next;
    if (codepoints) starts += bytes_count_starts(text + at, DFA_CHUNK);
    at += DFA_CHUNK;
  }
  if (size - at < DFA_CHUNK && dfa_run(state, text + at, size - at) == DFA_START) {
    if (codepoints) starts += bytes_count_starts(text + at, size - at);
    at = size;
  }
  size_t stop = bytes_boundary(text, at);
  if (codepoints) *codepoints = starts - (stop < at);
  return stop;
}

static size_t scalar_valid(const uint8_t *text, size_t size) {
  return dfa_scan(text, size, NULL);
}

static size_t scalar_count(const uint8_t *text, size_t size, size_t *codepoints) {
  return dfa_scan(text, size, codepoints);
}

/* ---- repair ------------------------------------------------------------------------- */

/* Moves *text past a well-formed sequence, which is copied to *out, or past a maximal subpart,
** for which U+FFFD is written, and *out past that. Returns 1; or 0, without moving either, if
** the text ends inside the sequence. */
static inline int scalar_repair_one(const uint8_t **text, const uint8_t *end,
                                    uint8_t **out) {
  const uint8_t *at = *text;
  uint8_t *to = *out;
  uint64_t state = DFA_START;
  do {
    if (at == end) return 0;
    state = dfa_rows[*at] >> state & DFA_MASK;
    if (state == DFA_BROKEN) {
      to = bytes_put_fffd(*out);
      at += at == *text;
      break;
    }
    *to++ = *at++;
  } while (state != DFA_START);
  *text = at;
  *out = to;
  return 1;
}

/* Repairs text[at..size) one sequence at a time. Returns size, or the start of the sequence
** that the end cuts short. */
static inline size_t scalar_repair_remainder(const uint8_t *text, size_t size,
                                             size_t at, uint8_t **out) {
  const uint8_t *from = text + at;
  while (scalar_repair_one(&from, text + size, out)) {
  }
  return (size_t)(from - text);
}

static size_t scalar_repair(const uint8_t *text, size_t size, uint8_t *out,
                            size_t *written) {
  const uint8_t *at = text, *end = text + size;
  uint8_t *to = out;
  while (end - at >= DFA_CHUNK) {
    if (dfa_run_chunk(DFA_START, at) != DFA_BROKEN) {
      size_t whole = bytes_boundary(at, DFA_CHUNK);
      memcpy(to, at, DFA_CHUNK);
      at += whole, to += whole;
      continue;
    }
    const uint8_t *chunk_end = at + DFA_CHUNK;
    while (at < chunk_end && scalar_repair_one(&at, end, &to)) {
    }
    if (at < chunk_end) break;
  }
  size_t stop = scalar_repair_remainder(text, size, (size_t)(at - text), &to);
  *written = (size_t)(to - out);
  return stop;
}

/* Classifies the bytes of a block one sequence at a time. */
static unsigned scalar_classify_block(const uint8_t *text, uint64_t *kept,
                                      uint64_t *starts) {
  unsigned start = 0;
  *kept = *starts = 0;
  while (start < 64) {
    uint64_t state = DFA_START;
    unsigned at = start;
    do {
      if (at == 64) return start;
      state = dfa_rows[text[at++]] >> state & DFA_MASK;
    } while (state != DFA_START && state != DFA_BROKEN);
    *starts |= (uint64_t)1 << start;
    if (state == DFA_START) {
      *kept |= mask_first(at - start) << start;
    } else if (at - start > 1) {
      at--; /* the byte that ends an unfinished sequence may start another */
    }
    start = at;
  }
  return start;
}

#endif
