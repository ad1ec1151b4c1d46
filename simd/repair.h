/* repair.h: which of 64 bytes are kept and which become U+FFFD, all at once.
**
** A block is described by 64-bit masks, bit i for byte i. Then "the byte after" is a
** shift left by one, and the sequences of a whole block are followed with a few dozen
** plain operations:
**
**     second = tails & leads << 1             a continuation byte right after a lead
**     third  = tails & second << 1 & ...      and so on
**
** Whoever has no successor where it needs one is an ill-formed subpart that starts at
** its lead; a tail that follows nothing is one by itself. What follows the lead of a
** broken sequence and belongs to it (Unicode D93b) vanishes with it.
**
** The bytes then move, four at a time: a shuffle takes each byte, or EF BF BD, or
** nothing, as a table says for each of the combinations.
*/
#ifndef UTF8_REPAIR_H
#define UTF8_REPAIR_H

#include "bytes.h"

/* What a kernel finds in a block that starts at a boundary. */
typedef struct BlockMasks {
  uint64_t ascii; /* 00..7F */
  uint64_t tails; /* 80..BF */
  uint64_t lead3; /* E0..FF */
  uint64_t lead4; /* F0..FF */
  uint64_t bad;   /* tails that may not stand right after the byte before them, among
                  ** them all after C0, C1, F5..FF */
} BlockMasks;

/* What is to be done with it. */
typedef struct BlockPlan {
  unsigned size;    /* how many bytes are decided, 61..64; the rest starts with a lead
                    ** that asks for more than the block has left */
  uint64_t decided; /* these bytes */
  uint64_t keep;    /* bytes of well-formed characters */
  uint64_t replace; /* first bytes of ill-formed subparts */
  uint64_t starts;  /* these, and first bytes of well-formed characters */
} BlockPlan;

static inline uint64_t block_first(unsigned n) {
  return n < 64 ? ((uint64_t)1 << n) - 1 : ~(uint64_t)0;
}

static inline BlockPlan block_plan(BlockMasks m) {
  uint64_t leads = ~(m.ascii | m.tails);
  uint64_t lead2 = leads & ~m.lead3, lead3 = m.lead3 & ~m.lead4, lead4 = m.lead4;

  uint64_t second = m.tails & leads << 1 & ~m.bad;
  uint64_t third = m.tails & second << 1 & m.lead3 << 2;
  uint64_t fourth = m.tails & third << 1 & lead4 << 3;

  uint64_t whole2 = lead2 & second >> 1;
  uint64_t whole3 = lead3 & third >> 2;
  uint64_t whole4 = lead4 & fourth >> 3;
  uint64_t whole = whole2 | whole3 | whole4;

  /* By the leads alone, whatever follows them: the next block waits for this. */
  uint64_t cut = (leads & (uint64_t)1 << 63) | (m.lead3 & (uint64_t)1 << 62) |
                 (lead4 & (uint64_t)1 << 61);
  uint64_t decided = (cut - 1) & ~cut; /* what is below the lowest bit */
  unsigned size = 64 - (unsigned)__builtin_clzll(decided);

  uint64_t characters =
      m.ascii | whole | whole << 1 | (whole3 | whole4) << 2 | whole4 << 3;
  uint64_t strays = m.tails & ~(second | third | fourth);
  BlockPlan plan = {size, decided, characters & decided,
                    ((leads & ~whole) | strays) & decided,
                    (~m.tails | strays) & decided};
  return plan;
}

static inline int block_is_clean(BlockPlan plan) {
  return plan.keep == plan.decided;
}

/* ---- moving four bytes ------------------------------------------------------------- */

/* Row m is for keep == (m & 15) and replace == m >> 4: for each of up to 12 bytes of
** output the index it comes from, where 0..3 are the four bytes and 4..6 are EF BF BD;
** and in its last byte how many bytes of output there are. */
#define MOVE_FFFD 4
#define MOVE_SIZE 15

#define MOVE_KEEP(m, i)    ((m) >> (i)&1)
#define MOVE_REPLACE(m, i) ((m) >> ((i) + 4) & 1)
#define MOVE_WIDTH(m, i)   (MOVE_REPLACE(m, i) ? 3 : MOVE_KEEP(m, i))
#define MOVE_TO_1(m)       MOVE_WIDTH(m, 0) /* where the output of byte 1 starts */
#define MOVE_TO_2(m)       (MOVE_TO_1(m) + MOVE_WIDTH(m, 1))
#define MOVE_TO_3(m)       (MOVE_TO_2(m) + MOVE_WIDTH(m, 2))
#define MOVE_END(m)        (MOVE_TO_3(m) + MOVE_WIDTH(m, 3))

/* Output byte j, if byte i, whose output starts at `to`, is where it comes from. */
#define MOVE_IF(m, i, to, j)                                                           \
  (j) >= (to) && (j) < (to) + MOVE_WIDTH(m, i)                                         \
      ? (MOVE_REPLACE(m, i) ? MOVE_FFFD + (j) - (to) : (i))                            \
      :
#define MOVE_FROM(m, j)                                                                \
  (uint8_t)(MOVE_IF(m, 0, 0, j) MOVE_IF(m, 1, MOVE_TO_1(m), j)                         \
                MOVE_IF(m, 2, MOVE_TO_2(m), j) MOVE_IF(m, 3, MOVE_TO_3(m), j) 0x80)
#define MOVE_ROW(m)                                                                    \
  {                                                                                    \
    MOVE_FROM(m, 0), MOVE_FROM(m, 1), MOVE_FROM(m, 2), MOVE_FROM(m, 3),                \
        MOVE_FROM(m, 4), MOVE_FROM(m, 5), MOVE_FROM(m, 6), MOVE_FROM(m, 7),            \
        MOVE_FROM(m, 8), MOVE_FROM(m, 9), MOVE_FROM(m, 10), MOVE_FROM(m, 11), 0x80,    \
        0x80, 0x80, MOVE_END(m)                                                        \
  }
#define MOVE_ROWS_4(m) MOVE_ROW(m), MOVE_ROW(m + 1), MOVE_ROW(m + 2), MOVE_ROW(m + 3)
#define MOVE_ROWS_16(m)                                                                \
  MOVE_ROWS_4(m), MOVE_ROWS_4(m + 4), MOVE_ROWS_4(m + 8), MOVE_ROWS_4(m + 12)
#define MOVE_ROWS_64(m)                                                                \
  MOVE_ROWS_16(m), MOVE_ROWS_16(m + 16), MOVE_ROWS_16(m + 32), MOVE_ROWS_16(m + 48)

static const uint8_t move_rows[256][16] = {MOVE_ROWS_64(0), MOVE_ROWS_64(64),
                                           MOVE_ROWS_64(128), MOVE_ROWS_64(192)};

/* The numbers of the rows for a block, byte i for its bytes 8i.. and 8i + 4.. */
typedef struct MoveNumbers {
  uint64_t even, odd;
} MoveNumbers;

static inline MoveNumbers move_numbers(BlockPlan plan) {
  const uint64_t low = 0x0F0F0F0F0F0F0F0F;
  MoveNumbers numbers = {(plan.keep & low) | (plan.replace & low) << 4,
                         (plan.keep >> 4 & low) | (plan.replace & ~low)};
  return numbers;
}

#endif
