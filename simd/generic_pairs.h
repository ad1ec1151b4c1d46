/* simd/generic_pairs.h: K(skip_unpaired), part of generic.h: avx512_skip_unpaired() and so on, which
** kernel.h specifies. portable_pairs.h defines the same byte by byte.
**
** A block is described by masks, as in block.h. All of them look back: << n is what the byte n
** before is. Blocks overlap by PAIRS_BACK bytes, so none depends on the one before.
*/

#define K_VECTORS (64 / K_SIZE)

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

/* Which bytes are E2 or EF? */
ALWAYS_INLINE uint64_t K(pairs_symbols)(const K(vector) block[K_VECTORS]) {
  K(vector) tops[K_VECTORS];
  UNROLL for (int i = 0; i < K_VECTORS; i++) {
    tops[i] =
        K(or)(K(equal)(block[i], K(fill)(0xE2)), K(equal)(block[i], K(fill)(0xEF)));
  }
  return K(mask)(tops);
}

/* Where does a pair of Cyrillic letters end? d0 and d1 are the bytes D0 and D1. */
ALWAYS_INLINE uint64_t K(cyrillic_pairs)(const K(vector) block[K_VECTORS], uint64_t d0,
                                         uint64_t d1) {
  const uint64_t d2 = K(pairs_within)(block, 0xD2, 0xD3),
                 from_b0 = K(pairs_from)(block, 0xB0);
  const uint64_t from_90 = K(pairs_from)(block, 0x90);
  const uint64_t is_91 = K(pairs_within)(block, 0x91, 0x92);
  const uint64_t small = (d0 << 1 & (from_b0 | K(pairs_within)(block, 0x81, 0x82))) |
                         (d1 << 1 & ~K(pairs_from)(block, 0xA0)) | (d2 << 1 & is_91);
  const uint64_t lead1251 = d0 << 1 & K(pairs_within)(block, 0x92, 0x96);
  const uint64_t next1251 = (d0 << 1 & ~from_90) | (d1 << 1 & from_90) | d2 << 1;
  const uint64_t lead_koi8 = (d0 << 1 & K(pairs_within)(block, 0xB1, 0xB2)) |
                             (d1 << 1 & K(pairs_within)(block, 0x86, 0x87));
  const uint64_t next_koi8 = d1 << 1 & is_91;
  return (small << 2 & d0 << 1 & ~from_b0) | (lead1251 << 2 & next1251) |
         (lead_koi8 << 2 & next_koi8);
}

/* Where does a pair end? */
ALWAYS_INLINE uint64_t K(pairs_in)(const K(vector) block[K_VECTORS]) {
  const uint64_t high = K(pairs_from)(block, 0x80);
  if (!high) return 0;
  const uint64_t two = K(pairs_within)(block, 0xC2, 0xDC),
                 symbol = K(pairs_symbols)(block);
  if (!two) return symbol & symbol << 3;
  const uint64_t latin = K(pairs_within)(block, 0xC2, 0xCC);
  uint64_t ends =
      (two | symbol) & ((two << 2 & (latin | latin << 2 | symbol)) | symbol << 3);
  ends |= K(pairs_within)(block, 0xC2, 0xC3) << 1 & K(pairs_within)(block, 0x80, 0xA0);
  ends |= K(pairs_within)(block, 0xC3, 0xC4) << 2 &
          K(pairs_within)(block, 0x82, 0x84) << 1 & ~high;
  const uint64_t d0 = K(pairs_within)(block, 0xD0, 0xD1);
  const uint64_t d1 = K(pairs_within)(block, 0xD1, 0xD2);
  return d0 | d1 ? ends | K(cyrillic_pairs)(block, d0, d1) : ends;
}
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
