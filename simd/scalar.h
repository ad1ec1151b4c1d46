/* scalar.h: the kernel for any processor: a state machine that is one shift per byte.
**
** It is Per Vognsen's shift-based DFA ("Shift-based DFAs", 2021; PostgreSQL validates
** UTF-8 with the same device). A state is a bit offset: 0, 6, 12, ... Each byte has one
** 64-bit row, which holds at each state's offset the offset of the state that follows.
** So a step is
**
**     state = row[byte] >> state            (the low six bits count)
**
** and nothing in it depends on what the byte is: the row is loaded before the state is
** known, and only a shift waits for the previous byte. No branch means that a mix of
** scripts costs what plain text costs. BROKEN is offset 0 and every row leads from
** there to there, so a whole run of bytes needs one look at its end.
**
** ASCII is skipped, between characters only: 16 bytes, and 32 at a time while it goes on.
*/
#ifndef UTF8_SCALAR_H
#define UTF8_SCALAR_H

#include "kernel.h"
#include "bytes.h"
#include <string.h>

/* The states: what may come next. Unicode Table 3-7 reads off them: after most leads any
** continuation byte may follow, after four of them only some. */
enum {
  DFA_BROKEN = 0,
  DFA_START = 6,     /* between characters */
  DFA_LAST = 12,     /* one more: 80..BF */
  DFA_TWO_MORE = 18, /* 80..BF, then one more */
  DFA_THREE_MORE = 24,
  DFA_AFTER_E0 = 30, /* A0..BF, else overlong; then one more */
  DFA_AFTER_ED = 36, /* 80..9F, else a surrogate; then one more */
  DFA_AFTER_F0 = 42, /* 90..BF, else overlong; then two more */
  DFA_AFTER_F4 = 48, /* 80..8F, else above 10FFFF; then two more */
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

#define DFA_2(row)  row, row
#define DFA_4(row)  DFA_2(row), DFA_2(row)
#define DFA_8(row)  DFA_4(row), DFA_4(row)
#define DFA_16(row) DFA_8(row), DFA_8(row)
#define DFA_32(row) DFA_16(row), DFA_16(row)

static const uint64_t dfa_utf8[256] = {
    DFA_32(DFA_LEAD(DFA_START)),
    DFA_32(DFA_LEAD(DFA_START)),
    DFA_32(DFA_LEAD(DFA_START)),
    DFA_32(DFA_LEAD(DFA_START)), /* 00..7F */
    DFA_16(DFA_80_8F),
    DFA_16(DFA_90_9F),
    DFA_32(DFA_A0_BF), /* 80..BF */
    DFA_2(DFA_BROKEN),
    DFA_2(DFA_LEAD(DFA_LAST)),
    DFA_4(DFA_LEAD(DFA_LAST)),
    DFA_8(DFA_LEAD(DFA_LAST)),
    DFA_16(DFA_LEAD(DFA_LAST)), /* C0..DF */
    DFA_LEAD(DFA_AFTER_E0),
    DFA_4(DFA_LEAD(DFA_TWO_MORE)),
    DFA_8(DFA_LEAD(DFA_TWO_MORE)),
    DFA_LEAD(DFA_AFTER_ED),
    DFA_2(DFA_LEAD(DFA_TWO_MORE)), /* E0..EF */
    DFA_LEAD(DFA_AFTER_F0),
    DFA_2(DFA_LEAD(DFA_THREE_MORE)),
    DFA_LEAD(DFA_THREE_MORE),
    DFA_LEAD(DFA_AFTER_F4), /* F0..F4, and F5..FF are DFA_BROKEN */
};

/* The state after n bytes. */
static inline uint64_t dfa_run(uint64_t state, const uint8_t *text, size_t n) {
  for (size_t i = 0; i < n; i++) state = dfa_utf8[text[i]] >> (state & DFA_MASK);
  return state & DFA_MASK;
}

/* The state after 16. */
static inline uint64_t dfa_run_chunk(uint64_t state, const uint8_t *text) {
  UNROLL for (size_t i = 0; i < 16; i++) state =
      dfa_utf8[text[i]] >> (state & DFA_MASK);
  return state & DFA_MASK;
}

/* Whether the n bytes, 16 or 32, are ASCII. */
static inline int dfa_skips(const uint8_t *text, size_t n) {
  uint64_t all = 0;
  UNROLL for (size_t i = 0; i < n; i += 8) all |= bytes_load64(text + i);
  return (all & BYTES_HIGH_BITS) == 0;
}

/* How many bytes in front are such, of which 16 are known to be. */
static inline size_t dfa_plain(const uint8_t *text, size_t size) {
  size_t n = 16;
  while (size - n >= 32 && dfa_skips(text + n, 32)) n += 32;
  return n;
}

/* The boundary that rows' grammar vouches for, and the characters before it. */
COMPILED_IN size_t dfa_scan(const uint8_t *text, size_t size, size_t *codepoints) {
  enum { CHUNK = 16 };
  uint64_t state = DFA_START;
  size_t at = 0, starts = 0; /* in text[0..at) */
  while (size - at >= CHUNK) {
    /* One branch: in text that is not ASCII it is always the same. */
    if ((state == DFA_START) & dfa_skips(text + at, CHUNK)) {
      size_t plain = dfa_plain(text + at, size - at);
      at += plain, starts += plain;
      continue;
    }
    uint64_t next = dfa_run_chunk(state, text + at);
    if (next == DFA_BROKEN) break;
    state = next;
    if (codepoints) starts += bytes_count_starts(text + at, CHUNK);
    at += CHUNK;
  }
  if (size - at < CHUNK && dfa_run(state, text + at, size - at) == DFA_START) {
    if (codepoints) starts += bytes_count_starts(text + at, size - at);
    at = size;
  }
  size_t rest = bytes_boundary(text, at);
  if (codepoints) *codepoints = starts - (rest < at);
  return rest;
}

static size_t scalar_valid(const uint8_t *text, size_t size) {
  return dfa_scan(text, size, NULL);
}

static size_t scalar_count(const uint8_t *text, size_t size, size_t *codepoints) {
  return dfa_scan(text, size, codepoints);
}

/* Copies the character at *text, or writes U+FFFD for the maximal subpart there, and
** moves *text and *out past it. Returns 0 and does nothing if the text ends before it. */
static inline int scalar_repair_one(const uint8_t **text, const uint8_t *end,
                                    uint8_t **out) {
  const uint8_t *at = *text;
  uint8_t *to = *out;
  uint64_t state = DFA_START;
  do {
    if (at == end) return 0;
    uint64_t next = dfa_utf8[*at] >> state & DFA_MASK;
    if (next == DFA_BROKEN) {
      to = bytes_put_fffd(*out);
      at += at == *text;
      break;
    }
    state = next;
    *to++ = *at++;
  } while (state != DFA_START);
  *text = at;
  *out = to;
  return 1;
}

/* Repairs text[at..size), and returns where it ends or the end cuts a sequence short. */
static inline size_t scalar_repair_rest(const uint8_t *text, size_t size, size_t at,
                                        uint8_t **out) {
  const uint8_t *from = text + at;
  while (scalar_repair_one(&from, text + size, out)) {
  }
  return (size_t)(from - text);
}

static size_t scalar_repair(const uint8_t *text, size_t size, uint8_t *out,
                            size_t *written) {
  enum { CHUNK = 16 };
  const uint8_t *at = text, *end = text + size;
  uint8_t *to = out;
  while (end - at >= CHUNK) {
    if (dfa_run_chunk(DFA_START, at) != DFA_BROKEN) {
      size_t whole = bytes_boundary(at, CHUNK);
      memcpy(to, at, CHUNK);
      at += whole, to += whole;
      continue;
    }
    const uint8_t *stop = at + CHUNK;
    while (at < stop && scalar_repair_one(&at, end, &to)) {
    }
    if (at < stop) break;
  }
  size_t rest = scalar_repair_rest(text, size, (size_t)(at - text), &to);
  *written = (size_t)(to - out);
  return rest;
}

static unsigned scalar_classify_block(const uint8_t *text, uint64_t *kept,
                                      uint64_t *starts) {
  unsigned start = 0;
  *kept = *starts = 0;
  while (start < 64) {
    uint64_t state = DFA_START;
    unsigned at = start;
    do {
      if (at == 64) return start;
      state = dfa_utf8[text[at++]] >> state & DFA_MASK;
    } while (state != DFA_START && state != DFA_BROKEN);
    *starts |= (uint64_t)1 << start;
    if (state == DFA_START) {
      *kept |= (((uint64_t)1 << (at - start)) - 1) << start;
    } else if (at - start > 1) {
      at--; /* what breaks a sequence off may start another */
    }
    start = at;
  }
  return start;
}

static const Utf8Kernel scalar_kernel = {"scalar", scalar_valid, scalar_count,
                                         scalar_repair, scalar_classify_block};

#endif
