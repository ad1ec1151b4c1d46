/* simd/plain.h: which code points a form of text, such as NFC, leaves alone wherever they stand. For
** skip_stable() of kernel.h. The tables of form/tables/plain.h have this type.
**
** A bit is set if a code point, or one of several, is not plain. The bits of the table that has
** the last part of a code point's number n are indexed by it: bit n & 7 of byte n >> 3. leads[] has
** the least detail: if its bit is not set, no other one is looked at.
*/
#ifndef UTF8_SIMD_PLAIN_H
#define UTF8_SIMD_PLAIN_H

#include <stdint.h>

#define PLAIN_GROUPS 8 /* of 512 code points each */

/* Single marks: those that every form leaves alone between plain code points. They have a combining
** class, but no decomposition and no folding, and compose with nothing. Bits as in Utf8Plain. */
typedef struct Utf8SingleMarks {
  uint8_t two[256];
  uint8_t groups[PLAIN_GROUPS][64];
} Utf8SingleMarks;

/* A bit of groups[] is set only if that of its code point in three[] is. */
typedef struct Utf8Plain {
  const Utf8SingleMarks *marks;
  uint8_t leads[64]; /* all but ASCII by the lead byte & 63, then the second >> 3 & 7 */
  uint8_t two[256];  /* U+0000..07FF */
  uint8_t three[128]; /* U+0000..FFFF by n >> 6: 64 code points a bit */
  uint8_t groups[PLAIN_GROUPS]
                [64]; /* n - plain_group[i] * 512, for groups that text uses most */
  uint8_t four[64];   /* all by n >> 12: 4096 code points a bit */
  uint8_t emoji[8];   /* U+1F000..1FFFF by n >> 6 & 63 */
  uint8_t letters;    /* 1 if A..Z are not plain. The rest of ASCII is. */
} Utf8Plain;

/* By the number of a group: the index in groups[], plus 1; 0 if it is not there. Those are U+0800..0FFF,
** U+2000, U+3000, U+1E00 and U+1000, each with the 511 after it. */
static const uint8_t plain_group_of[128] = {
    [4] = 1, [5] = 2, [6] = 3, [7] = 4, [16] = 5, [24] = 6, [15] = 7, [8] = 8};

/* Is the bit of number n set? */
static inline int plain_bit(const uint8_t *table, uint32_t n) {
  return table[n >> 3] >> (n & 7) & 1;
}

/* Returns where the places of a block are: the code points of `changing`, which are not plain, but of
** `single`, the single marks among them, only those after another of `changing`. *after is 1 if the
** code point before the block may not be plain; stores the same for the next block. */
static inline uint64_t plain_places(uint64_t changing, uint64_t single,
                                    uint64_t continuations, uint64_t *after) {
  const uint64_t from = changing << 1 | *after;
  const uint64_t next = from + continuations; /* carries to the next starts */
  *after = changing >> 63 | (next < from);
  return changing & (~single | (next & ~continuations));
}

/* Returns the number of the group that the code point at p, of three bytes, is in: its n >> 9. */
static inline unsigned plain_number(const uint8_t *p) {
  return (p[0] & 15u) << 3 | (p[1] >> 3 & 7u);
}

#endif
