/* core/simd/block.h: which of 64 bytes are kept and which become U+FFFD, decided for all at once.
**
** A block is described by 64-bit masks, bit i for byte i. "The byte after" is a shift left
** by one, so that the sequences of a whole block are followed with a few dozen operations:
**
**     second = continuations & leads << 1         a continuation byte right after a lead
**     third  = continuations & second << 1 & ...  and so on
**
** A lead byte that lacks a continuation is an ill-formed subpart that starts there. A
** continuation byte that follows nothing is a subpart on its own. The bytes that follow the
** lead of an unfinished sequence and belong to its subpart (Unicode D93b) are dropped.
*/
#ifndef UTF8_CORE_SIMD_BLOCK_H
#define UTF8_CORE_SIMD_BLOCK_H

#include "core/bytes.h"

enum { BLOCK = 64 }; /* bytes in a block */

/* The bytes of a block that starts at a boundary. */
typedef struct BlockMasks {
  uint64_t ascii;         /* 00..7F */
  uint64_t continuations; /* 80..BF */
  uint64_t lead3;         /* E0..FF */
  uint64_t lead4;         /* F0..FF */
  /* continuation bytes that may not follow the byte before them; after C0, C1, F5..FF, all */
  uint64_t errors;
} BlockMasks;

/* What becomes of the bytes of a block. */
typedef struct BlockPlan {
  /* how many bytes are decided, 61..64; the remainder starts with a lead byte that needs more
  ** bytes than the block has left */
  unsigned size;
  uint64_t decided; /* the first `size` bytes */
  uint64_t keep;    /* bytes of well-formed sequences */
  uint64_t replace; /* first bytes of ill-formed subparts */
  uint64_t starts;  /* first bytes of either */
} BlockPlan;

/* Returns the plan for the block with these masks. */
static inline BlockPlan block_plan(BlockMasks m) {
  uint64_t leads = ~(m.ascii | m.continuations);
  uint64_t lead2 = leads & ~m.lead3, lead3 = m.lead3 & ~m.lead4, lead4 = m.lead4;

  uint64_t second = m.continuations & leads << 1 & ~m.errors;
  uint64_t third = m.continuations & second << 1 & m.lead3 << 2;
  uint64_t fourth = m.continuations & third << 1 & lead4 << 3;

  uint64_t whole2 = lead2 & second >> 1;
  uint64_t whole3 = lead3 & third >> 2;
  uint64_t whole4 = lead4 & fourth >> 3;
  uint64_t whole = whole2 | whole3 | whole4;

  /* The size depends on lead bytes only, since the plan of the next block waits for it. */
  uint64_t cut = (leads & (uint64_t)1 << 63) | (m.lead3 & (uint64_t)1 << 62) |
                 (lead4 & (uint64_t)1 << 61);
  uint64_t decided = (cut - 1) & ~cut; /* the bytes below the lowest bit */
  unsigned size = 64 - (unsigned)__builtin_clzll(decided);

  uint64_t sequences =
      m.ascii | whole | whole << 1 | (whole3 | whole4) << 2 | whole4 << 3;
  uint64_t strays = m.continuations & ~(second | third | fourth);
  BlockPlan plan = {size, decided, sequences & decided,
                    ((leads & ~whole) | strays) & decided,
                    (~m.continuations | strays) & decided};
  return plan;
}

/* Are all decided bytes to be kept? */
static inline int block_is_clean(BlockPlan plan) {
  return plan.keep == plan.decided;
}

#endif
