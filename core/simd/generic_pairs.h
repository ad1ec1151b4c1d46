/* core/simd/generic_pairs.h: K(skip_unpaired), part of generic.h: avx512_skip_unpaired() and so on, which
** kernel.h specifies. tables/pairs.h and tables/pair_rows.h say where pairs end.
**
** A block is described by masks, as in block.h. All of them look back: << n is what the byte n
** before is. Blocks overlap by PAIRS_BACK bytes, so none depends on the one before.
*/

#define K_VECTORS  (64 / K_SIZE)
#define PAIRS_BACK ((size_t)3) /* how many bytes before decide about one */

#if K_SIZE < 64
/* Which bytes of the block are at least `least`, which is above 7F? */
ALWAYS_INLINE uint64_t K(pairs_from)(const K(vector) block[K_VECTORS], int least) {
  K(vector) tops[K_VECTORS];
  UNROLL for (int i = 0; i < K_VECTORS; i++) {
    tops[i] = K(subs)(block[i], K(fill)(least - 0x80));
  }
  return K(mask)(tops);
}

/* Sets the top bit of the bytes that are at least `first` and below `end`, which is at most first + 0x80. */
ALWAYS_INLINE K(vector) K(within)(K(vector) v, int first, int end) {
  return K(subs)(K(fill)(end - first + 0x7F), K(add)(v, K(fill)(0x100 - first)));
}

/* Which bytes are at least `first` and below `end`? */
ALWAYS_INLINE uint64_t K(pairs_within)(const K(vector) block[K_VECTORS], int first,
                                       int end) {
  K(vector) tops[K_VECTORS];
  UNROLL for (int i = 0; i < K_VECTORS; i++) tops[i] = K(within)(block[i], first, end);
  return K(mask)(tops);
}

/* Which bytes are one or the other? */
ALWAYS_INLINE uint64_t K(pairs_either)(const K(vector) block[K_VECTORS], int one,
                                       int other) {
  K(vector) tops[K_VECTORS];
  UNROLL for (int i = 0; i < K_VECTORS; i++) {
    tops[i] =
        K(or)(K(equal)(block[i], K(fill)(one)), K(equal)(block[i], K(fill)(other)));
  }
  return K(mask)(tops);
}

#include "core/simd/tables/pairs.h"
#endif

/* Loads text[0..size), padded with zeros to a block. */
ALWAYS_INLINE void K(pairs_load)(K(vector) block[K_VECTORS], const uint8_t *text,
                                 size_t size) {
  UNROLL for (size_t i = 0; i < K_VECTORS; i++) {
    const size_t at = i * K_SIZE;
    block[i] = K(fill)(0);
    if (size >= at + K_SIZE) {
      block[i] = K(load)(text + at);
    } else if (size > at) {
      block[i] = K(load_short)(text + at, size - at);
    }
  }
}

static size_t K(skip_unpaired)(const uint8_t *text, size_t at, size_t end,
                               uint64_t *places) {
  size_t skipped = at < PAIRS_BACK ? at : PAIRS_BACK;
  *places = 0;
  for (at -= skipped; at + skipped < end; at += 64 - PAIRS_BACK) {
    K(vector) block[K_VECTORS];
    const size_t size = end - at < 64 ? end - at : 64;
    K(pairs_load)(block, text + at, size);
    *places = K(pairs_in)(block) & mask_first(size) & ~mask_first(skipped);
    if (*places) return at;
    skipped = PAIRS_BACK;
  }
  return end;
}

#undef K_VECTORS
#undef PAIRS_BACK
