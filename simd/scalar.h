/* scalar.h: the kernel for any processor: a state machine that takes one shift per byte.
**
** After Per Vognsen ("Shift-based DFAs", 2021); PostgreSQL validates UTF-8 in the same way. A
** state is a bit offset: 0, 6, 12, ... Each byte has a 64-bit row, which holds, at the offset
** of each state, the offset of the next state. So a step is
**
**     state = row[byte] >> state            (the low six bits count)
**
** The row is loaded before the state is known, and only a shift waits for the previous byte.
** Nothing branches on the bytes, so a mix of scripts is as fast as a single one. BROKEN is
** offset 0 and every row leads from there to there, so that a run of bytes needs one test,
** at its end.
**
** ASCII is skipped, only between sequences: 16 bytes, then 32 at a time.
*/
#ifndef UTF8_SCALAR_H
#define UTF8_SCALAR_H

#include "kernel.h"
#include "bytes.h"
#include <string.h>

/* The states, named after what may come next (Unicode Table 3-7). After four lead bytes not
** every continuation byte may follow. */
enum {
  DFA_BROKEN = 0,
  DFA_START = 6,       /* a sequence */
  DFA_LAST = 12,       /* 80..BF, which ends it */
  DFA_TWO_MORE = 18,   /* 80..BF, then LAST */
  DFA_THREE_MORE = 24, /* 80..BF, then TWO_MORE */
  DFA_AFTER_E0 = 30,   /* A0..BF (others are overlong), then LAST */
  DFA_AFTER_ED = 36,   /* 80..9F (others are surrogates), then LAST */
  DFA_AFTER_F0 = 42,   /* 90..BF (others are overlong), then TWO_MORE */
  DFA_AFTER_F4 = 48,   /* 80..8F (others are above 10FFFF), then TWO_MORE */
  DFA_MASK = 63
};

#define DFA_GO(from, to) ((uint64_t)(to) << (from))

#define DFA_ANY_CONTINUATION                                                           \
  (DFA_GO(DFA_LAST, DFA_START) | DFA_GO(DFA_TWO_MORE, DFA_LAST) |                      \
   DFA_GO(DFA_THREE_MORE, DFA_TWO_MORE))
#define DFA_AFTER_3(lead) DFA_GO(lead, DFA_LAST)
#define DFA_AFTER_4(lead) DFA_GO(lead, DFA_TWO_MORE)

#define DFA_80_8F                                                                      \
  (DFA_ANY_CONTINUATION | DFA_AFTER_3(DFA_AFTER_ED) | DFA_AFTER_4(DFA_AFTER_F4))
#define DFA_90_9F                                                                      \
  (DFA_ANY_CONTINUATION | DFA_AFTER_3(DFA_AFTER_ED) | DFA_AFTER_4(DFA_AFTER_F0))
#define DFA_A0_BF                                                                      \
  (DFA_ANY_CONTINUATION | DFA_AFTER_3(DFA_AFTER_E0) | DFA_AFTER_4(DFA_AFTER_F0))
#define DFA_LEAD(next) DFA_GO(DFA_START, next)

#define DFA_4(row)  row, row, row, row
#define DFA_16(row) DFA_4(row), DFA_4(row), DFA_4(row), DFA_4(row)
#define DFA_64(row) DFA_16(row), DFA_16(row), DFA_16(row), DFA_16(row)

/* clang-format off */
static const uint64_t dfa_rows[256] = {
    /* 00..7F */ DFA_64(DFA_LEAD(DFA_START)), DFA_64(DFA_LEAD(DFA_START)),
    /* 80..9F */ DFA_16(DFA_80_8F), DFA_16(DFA_90_9F),
    /* A0..BF */ DFA_16(DFA_A0_BF), DFA_16(DFA_A0_BF),
    /* C0, C1 */ DFA_BROKEN, DFA_BROKEN,
    /* C2, C3 */ DFA_LEAD(DFA_LAST), DFA_LEAD(DFA_LAST),
    /* C4..CF */ DFA_4(DFA_LEAD(DFA_LAST)), DFA_4(DFA_LEAD(DFA_LAST)), DFA_4(DFA_LEAD(DFA_LAST)),
    /* D0..DF */ DFA_16(DFA_LEAD(DFA_LAST)),
    /* E0     */ DFA_LEAD(DFA_AFTER_E0),
    /* E1..EC */ DFA_4(DFA_LEAD(DFA_TWO_MORE)), DFA_4(DFA_LEAD(DFA_TWO_MORE)), DFA_4(DFA_LEAD(DFA_TWO_MORE)),
    /* ED     */ DFA_LEAD(DFA_AFTER_ED),
    /* EE, EF */ DFA_LEAD(DFA_TWO_MORE), DFA_LEAD(DFA_TWO_MORE),
    /* F0     */ DFA_LEAD(DFA_AFTER_F0),
    /* F1..F3 */ DFA_LEAD(DFA_THREE_MORE), DFA_LEAD(DFA_THREE_MORE), DFA_LEAD(DFA_THREE_MORE),
    /* F4     */ DFA_LEAD(DFA_AFTER_F4),
    /* F5..FF are DFA_BROKEN. */
};
/* clang-format on */

/* Returns the state that the byte leads to. */
static inline uint64_t dfa_step(uint64_t state, uint8_t byte) {
  return dfa_rows[byte] >> (state & DFA_MASK) & DFA_MASK;
}

/* Returns the state after n bytes. */
static inline uint64_t dfa_run(uint64_t state, const uint8_t *text, size_t n) {
  for (size_t i = 0; i < n; i++) state = dfa_step(state, text[i]);
  return state;
}

enum { DFA_CHUNK = 16 };

static inline uint64_t dfa_run_chunk(uint64_t state, const uint8_t *text) {
  UNROLL for (size_t i = 0; i < DFA_CHUNK; i++) state = dfa_step(state, text[i]);
  return state;
}

/* Are the n bytes, 16 or 32, all ASCII? */
static inline int dfa_is_ascii(const uint8_t *text, size_t n) {
  uint64_t all = 0;
  UNROLL for (size_t i = 0; i < n; i += 8) all |= bytes_load64(text + i);
  return (all & BYTES_HIGH_BITS) == 0;
}

/* Returns how much of the text is ASCII, of which the first chunk is known to be. */
static inline size_t dfa_skip_ascii(const uint8_t *text, size_t size) {
  size_t n = DFA_CHUNK;
  while (size - n >= 2 * DFA_CHUNK && dfa_is_ascii(text + n, 2 * DFA_CHUNK))
    n += 2 * DFA_CHUNK;
  return n;
}

/* valid(), and count() if codepoints is not NULL. */
ALWAYS_INLINE size_t dfa_scan(const uint8_t *text, size_t size, size_t *codepoints) {
  uint64_t state = DFA_START;
  size_t at = 0, starts = 0; /* in text[0..at) */
  while (size - at >= DFA_CHUNK) {
    /* One branch for two conditions: in text that is not ASCII it always goes one way. */
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
** for which U+FFFD is written. Returns 0 and does nothing if the text ends before. */
static inline int scalar_repair_one(const uint8_t **text, const uint8_t *end,
                                    uint8_t **out) {
  const uint8_t *at = *text;
  uint8_t *to = *out;
  uint64_t state = DFA_START;
  do {
    if (at == end) return 0;
    state = dfa_step(state, *at);
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
      state = dfa_step(state, text[at++]);
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

static const Utf8Kernel scalar_kernel = {"scalar", scalar_valid, scalar_count,
                                         scalar_repair, scalar_classify_block};

#endif
