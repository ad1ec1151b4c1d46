/* core/simd/generic.h: builds a kernel from the operations of an instruction set. The code is written once
** for vectors of any size; K(name) stands for avx512_name, avx2_name, ssse3_name, neon_name and
** simd128_name.
**
** The header of an instruction set, such as avx2.h, defines the types and the operations below,
** and then includes this file:
**
**     #define K(name) avx2_##name
**     #define K_SIZE 32                  bytes in a vector
**     ...
**     #include "core/simd/generic.h"
**
** The parts, and what they define for kernel.c, which kernel.h specifies:
**
**     generic_valid.h    K(valid), K(count)
**     generic_block.h    for vectors smaller than a block: K(block_masks), K(move_block)
**     generic_set.h      for vectors smaller than a block: K(skip_outside), K(prefix_outside)
**     generic_repair.h   K(repair), K(classify_block)
**     generic_pairs.h    K(skip_unpaired)
**
** Types: K(vector) holds K_SIZE bytes. K(errors) collects errors. K(counter) counts starts of
** code points, up to 255 in each byte; K(sum) adds up counters. K(tables) has the rows that
** checking needs.
*/

/* ---- vectors -------------------------------------------------------------------------- */

ALWAYS_INLINE K(vector) K(load)(const uint8_t *from);

/* Like load(), but the value is not loaded again for a second use. */
ALWAYS_INLINE K(vector) K(load_once)(const uint8_t *from);

/* Loads text[0..size), size <= K_SIZE, padded with zeros. Reads nothing else. */
ALWAYS_INLINE K(vector) K(load_short)(const uint8_t *text, size_t size);

/* Like load_short(), where a vector precedes text, which may be read too. */
ALWAYS_INLINE K(vector) K(load_end)(const uint8_t *text, size_t size);

ALWAYS_INLINE void K(store)(uint8_t *to, K(vector) v);
ALWAYS_INLINE K(vector) K(fill)(int byte);
ALWAYS_INLINE K(vector) K (and)(K(vector) a, K(vector) b);
ALWAYS_INLINE K(vector) K(or)(K(vector) a, K(vector) b);

/* In each byte a - b, or 0 where b is greater. */
ALWAYS_INLINE K(vector) K(subs)(K(vector) a, K(vector) b);

/* Is every byte below 80? */
ALWAYS_INLINE int K(ascii)(K(vector) v);

/* shifted_n() moves v up by n bytes, and the last n bytes of `before` in below them: byte i is
** the one n bytes before byte i of v in the text. */
ALWAYS_INLINE K(vector) K(shifted_1)(K(vector) before, K(vector) v);
ALWAYS_INLINE K(vector) K(shifted_2)(K(vector) before, K(vector) v);
ALWAYS_INLINE K(vector) K(shifted_3)(K(vector) before, K(vector) v);

/* ---- errors --------------------------------------------------------------------------- */

ALWAYS_INLINE K(tables) K(load_tables)(void);
ALWAYS_INLINE K(errors) K(no_errors)(void);

/* Adds the errors of v. back1, back2, back3 have the bytes one, two and three before each. */
ALWAYS_INLINE K(errors) K(check)(const K(tables) *t, K(errors) errors, K(vector) v,
                                 K(vector) back1, K(vector) back2, K(vector) back3);

/* Like check() for v at text, which follows `before`. far: the text is not in the caches. */
ALWAYS_INLINE K(errors)
    K(check_next)(const K(tables) *t, K(errors) errors, K(vector) before, K(vector) v,
                  const uint8_t *text, int far);

/* Adds an error unless wrong is zero. */
ALWAYS_INLINE K(errors) K(note)(K(errors) errors, K(vector) wrong);
ALWAYS_INLINE int K(any)(K(errors) errors);

/* ---- counting ------------------------------------------------------------------------- */

ALWAYS_INLINE K(counter) K(no_starts)(void);

/* Counts the bytes that are not 80..BF. */
ALWAYS_INLINE K(counter) K(count_starts)(K(counter) counter, K(vector) v);
ALWAYS_INLINE K(sum) K(no_sum)(void);
ALWAYS_INLINE K(sum) K(add_up)(K(sum) sum, K(counter) counter);
ALWAYS_INLINE size_t K(total)(K(sum) sum);

/* ---- vectors smaller than a block ----------------------------------------------------- */

#if K_SIZE < 64
ALWAYS_INLINE K(vector) K(add)(K(vector) a, K(vector) b);

/* Sets the top bit where the byte is 80..BF. */
ALWAYS_INLINE K(vector) K(continuations)(K(vector) v);

/* Returns the top bits of a block's 64 bytes. */
ALWAYS_INLINE uint64_t K(mask)(const K(vector) block[64 / K_SIZE]);

/* Returns the errors of lookup.h for each byte of v. `first` has the byte before each. */
ALWAYS_INLINE K(vector) K(pairs)(const K(tables) *t, K(vector) v, K(vector) first);

/* Writes 16 bytes to `to`: what a row of repair_rows.h makes of the four bytes at from. */
ALWAYS_INLINE void K(move)(uint8_t *to, const uint8_t *from, const uint8_t row[16]);

/* Returns a vector with the row in each 16 bytes. */
ALWAYS_INLINE K(vector) K(row)(const uint8_t row[16]);

/* Returns the row's byte at each index, or 0 where the index is above 15. */
ALWAYS_INLINE K(vector) K(pick)(K(vector) row, K(vector) index);

/* Sets the bytes to FF where a and b are equal, the others to 0. */
ALWAYS_INLINE K(vector) K(equal)(K(vector) a, K(vector) b);

/* Returns byte << 3 for each byte, which is below 32. */
ALWAYS_INLINE K(vector) K(up_3)(K(vector) v);

/* Returns byte >> 3 in the low five bits of each byte; the others have no meaning. */
ALWAYS_INLINE K(vector) K(down_3)(K(vector) v);
#endif

/* ---- vectors of a block ---------------------------------------------------------------- */

#if K_SIZE == 64
/* Where does a pair end? tables/pairs.h has it for smaller vectors. */
ALWAYS_INLINE uint64_t K(pairs_in)(const K(vector) block[1]);
#endif

/* ---- the kernel ----------------------------------------------------------------------- */

#include "core/simd/generic_valid.h"
#if K_SIZE < 64
#include "core/simd/generic_block.h"
#include "core/simd/generic_set.h"
#endif
#include "core/simd/generic_repair.h"
#include "core/simd/generic_pairs.h"

#undef K
#undef K_SIZE
#undef K_TESTS_SHORT
#undef K_GROUP
#undef K_LOOK
#undef K_LONG
#undef K_FAR
