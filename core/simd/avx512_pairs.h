/* core/simd/avx512_pairs.h: avx512_pairs_in(), part of avx512.h, which tables/pairs.h defines for smaller
** vectors. tables/pair_rows.h says when a pair ends. vpermi2b looks up the rows of 64 bytes.
*/

/* Returns the rules that the bytes of v allow. */
ALWAYS_INLINE __m512i avx512_pair_rules(const uint8_t row[128], __m512i v) {
  return _mm512_permutex2var_epi8(avx512_load(row), v, avx512_load(row + 64));
}

/* Returns the rules that all four bytes allow. */
ALWAYS_INLINE __m512i avx512_pair_shared(const uint8_t rows[4][128], __m512i a,
                                         __m512i b, __m512i c, __m512i d) {
  return avx512_and(
      avx512_and(avx512_pair_rules(rows[0], a), avx512_pair_rules(rows[1], b)),
      avx512_and(avx512_pair_rules(rows[2], c), avx512_pair_rules(rows[3], d)));
}

/* Where does a pair end? */
ALWAYS_INLINE uint64_t avx512_pairs_in(const __m512i block[1]) {
  const __m512i ascii = avx512_fill(0xFF);
  const uint64_t high = _mm512_movepi8_mask(block[0]);
  if (!high) return 0;
  const __m512i d = _mm512_mask_mov_epi8(ascii, high, block[0]);
  const __m512i c = avx512_shifted_1(ascii, d), b = avx512_shifted_2(ascii, d);
  const __m512i a = avx512_shifted_3(ascii, d);
  const __m512i shared = avx512_or(avx512_pair_shared(pair_rows[0], a, b, c, d),
                                   avx512_pair_shared(pair_rows[1], a, b, c, d));
  return _mm512_test_epi8_mask(shared, shared);
}
