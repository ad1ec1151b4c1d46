/* core/simd/codeset.h: a set of code points, as tables for skip_outside() of kernel.h. Who calls it chooses the set:
** form/tables/changing.h has the code points that a normal form may change.
**
** A bit is set if a code point, or one of several, is in the set. The bits of the table that has
** the last part of a code point's number n are indexed by it: bit n & 7 of byte n >> 3. leads[] has
** the least detail: if its bit is not set, no other one is looked at.
*/
#ifndef UTF8_CORE_SIMD_CODESET_H
#define UTF8_CORE_SIMD_CODESET_H

#include <stdint.h>

#define CODESET_GROUPS 8 /* of 512 code points each */

/* Single code points: those of a set that count only after another one of it. Bits as in Utf8CodeSet. Several
** sets may have the same. */
typedef struct Utf8Singles {
  /* By n >> 9: the index in groups[], here and in the sets, plus 1; 0 if it is not there. Those that text uses most
  ** are. */
  uint8_t group_of[128];
  uint8_t two[256];
  uint8_t groups[CODESET_GROUPS][64];
} Utf8Singles;

/* A bit of groups[] is set only if that of its code point in three[] is. */
typedef struct Utf8CodeSet {
  const Utf8Singles *singles;
  uint8_t leads[64]; /* all but ASCII by the lead byte & 63, then the second >> 3 & 7 */
  uint8_t two[256];  /* U+0000..07FF */
  uint8_t three[128];                 /* U+0000..FFFF by n >> 6: 64 code points a bit */
  uint8_t groups[CODESET_GROUPS][64]; /* by n & 511 */
  uint8_t four[64];                   /* all by n >> 12: 4096 code points a bit */
  uint8_t
      fine[8]; /* those with n >> 12 == fine_of by n >> 6 & 63: 64 code points a bit */
  uint8_t fine_of; /* from 10 hexadecimal: code points of four bytes */
  uint8_t letters; /* 1 if A..Z are in the set. The rest of ASCII is not. */
} Utf8CodeSet;

/* Returns bit n of a table. */
static inline int codeset_bit(const uint8_t *table, uint32_t n) {
  return table[n >> 3] >> (n & 7) & 1;
}

/* Returns where the places of a block are: the code points of `members`, which are in the set, but of
** `single`, the singles among them, only those after another of `members`. *after is 1 if the code point
** before the block may be in the set; stores the same for the next block. */
static inline uint64_t codeset_places(uint64_t members, uint64_t single,
                                      uint64_t continuations, uint64_t *after) {
  const uint64_t from = members << 1 | *after;
  const uint64_t next = from + continuations; /* carries to the next starts */
  *after = members >> 63 | (next < from);
  return members & (~single | (next & ~continuations));
}

/* Returns the number of the group that the code point at p, of three bytes, is in: its n >> 9. */
static inline unsigned codeset_number(const uint8_t *p) {
  return (p[0] & 15u) << 3 | (p[1] >> 3 & 7u);
}

#endif
