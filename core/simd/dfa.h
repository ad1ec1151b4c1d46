/* core/simd/dfa.h: a state machine that checks UTF-8 with one shift per byte.
**
** After Per Vognsen ("Shift-based DFAs", 2021); PostgreSQL validates UTF-8 in the same way. A
** state is a bit offset: 0, 6, 12, ... Each byte has a 64-bit row, which holds, at the offset
** of each state, the offset of the next state. So a step is
**
**     state = row[byte] >> state            (the low six bits count)
**
** The row is loaded before the state is known, and only a shift waits for the previous byte.
** Nothing branches on the bytes, so a mix of scripts is as fast as a single one. BROKEN is
** offset 0, and every row leads from BROKEN to BROKEN, so that a run of bytes needs one test,
** at its end.
*/
#ifndef UTF8_CORE_SIMD_DFA_H
#define UTF8_CORE_SIMD_DFA_H

#include <stddef.h>
#include <stdint.h>

/* The states, named after what may come next (Unicode Table 3-7). Four lead bytes have a state of
** their own, since not every continuation byte may follow them. */
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

/* Returns the state after n bytes. */
static inline uint64_t dfa_run(uint64_t state, const uint8_t *text, size_t n) {
  for (size_t i = 0; i < n; i++) state = dfa_rows[text[i]] >> (state & DFA_MASK);
  return state & DFA_MASK;
}

#endif
