/* simd/avx512_pairs.h: avx512_pairs_in(), part of avx512.h, which generic_pairs.h defines for smaller
** vectors.
**
** Whether a pair ends with byte d depends on d and on the three bytes a, b, c before it. Each rule
** below has a bit, and a row for each of the four has the rules that its byte allows. vpermi2b looks
** up the rows of 64 bytes; a pair ends where all four allow the same rule. In the rows, bytes from 80
** on have their place, and FF, which no text has, stands for ASCII.
*/

enum {
  PAIR_SYMBOL = 1,  /* a: a symbol; d: two or a symbol */
  PAIR_TWO = 2,     /* b: two; d: Latin or a symbol */
  PAIR_LATIN = 4,   /* b: Latin; d: two */
  PAIR_C1 = 8,      /* c: C2; d: 80..9F */
  PAIR_SPACE = 16,  /* b: C3; c: 82, 83; d: ASCII */
  PAIR_OF_ALL = 31, /* of these rules; the others are of Cyrillic letters */
  PAIR_1251_80 = 1, /* D0 92..95 D0 80..8F */
  PAIR_1251_90 = 2, /* D0 92..95 D1 90..BF */
  PAIR_1251_D2 = 4, /* D0 92..95 D2 */
  PAIR_1251 = 7,
  PAIR_KOI8_D0 = 8,     /* D0 B1 D1 91 */
  PAIR_KOI8_D1 = 16,    /* D1 86 D1 91 */
  PAIR_SMALL_D0 = 32,   /* D0 B0..BF D0 80..AF, D0 81 D0 80..AF */
  PAIR_SMALL_D1 = 64,   /* D1 80..9F D0 80..AF */
  PAIR_SMALL_D2 = 128,  /* D2 91 D0 80..AF */
  PAIR_SMALL = 128 + 96 /* all three */
};

/* The rules if byte x is in first..last, else 0. */
#define PAIR_IF(x, first, last, rules) ((x) >= (first) && (x) <= (last) ? (rules) : 0)
#define PAIR_IF_SYMBOL(x, rules)                                                       \
  (PAIR_IF(x, 0xE2, 0xE2, rules) | PAIR_IF(x, 0xEF, 0xEF, rules))
#define PAIR_IF_TWO(x, rules)   PAIR_IF(x, 0xC2, 0xDB, rules)
#define PAIR_IF_LATIN(x, rules) PAIR_IF(x, 0xC2, 0xCB, rules)

#define PAIR_A(x) (PAIR_IF_SYMBOL(x, PAIR_SYMBOL) | (PAIR_OF_ALL & ~PAIR_SYMBOL))
#define PAIR_B(x)                                                                      \
  (PAIR_IF_TWO(x, PAIR_TWO) | PAIR_IF_LATIN(x, PAIR_LATIN) |                           \
   PAIR_IF(x, 0xC3, 0xC3, PAIR_SPACE) | PAIR_SYMBOL | PAIR_C1)
#define PAIR_C(x)                                                                      \
  (PAIR_IF(x, 0xC2, 0xC2, PAIR_C1) | PAIR_IF(x, 0x82, 0x83, PAIR_SPACE) |              \
   PAIR_SYMBOL | PAIR_TWO | PAIR_LATIN)
#define PAIR_D(x)                                                                      \
  (PAIR_IF_SYMBOL(x, PAIR_SYMBOL | PAIR_TWO) |                                         \
   PAIR_IF_TWO(x, PAIR_SYMBOL | PAIR_LATIN) | PAIR_IF_LATIN(x, PAIR_TWO) |             \
   PAIR_IF(x, 0x80, 0x9F, PAIR_C1) | PAIR_IF(x, 0xFF, 0xFF, PAIR_SPACE))

#define PAIR_CYRILLIC_A(x)                                                             \
  (PAIR_IF(x, 0xD0, 0xD0, PAIR_1251 | PAIR_KOI8_D0 | PAIR_SMALL_D0) |                  \
   PAIR_IF(x, 0xD1, 0xD1, PAIR_KOI8_D1 | PAIR_SMALL_D1) |                              \
   PAIR_IF(x, 0xD2, 0xD2, PAIR_SMALL_D2))
#define PAIR_CYRILLIC_B(x)                                                             \
  (PAIR_IF(x, 0x92, 0x95, PAIR_1251) | PAIR_IF(x, 0xB1, 0xB1, PAIR_KOI8_D0) |          \
   PAIR_IF(x, 0x86, 0x86, PAIR_KOI8_D1) | PAIR_IF(x, 0xB0, 0xBF, PAIR_SMALL_D0) |      \
   PAIR_IF(x, 0x81, 0x81, PAIR_SMALL_D0) | PAIR_IF(x, 0x80, 0x9F, PAIR_SMALL_D1) |     \
   PAIR_IF(x, 0x91, 0x91, PAIR_SMALL_D2))
#define PAIR_CYRILLIC_C(x)                                                             \
  (PAIR_IF(x, 0xD0, 0xD0, PAIR_1251_80 | PAIR_SMALL) |                                 \
   PAIR_IF(x, 0xD1, 0xD1, PAIR_1251_90 | PAIR_KOI8_D0 | PAIR_KOI8_D1) |                \
   PAIR_IF(x, 0xD2, 0xD2, PAIR_1251_D2))
#define PAIR_CYRILLIC_D(x)                                                             \
  (PAIR_IF(x, 0x80, 0x8F, PAIR_1251_80) | PAIR_IF(x, 0x90, 0xBF, PAIR_1251_90) |       \
   PAIR_IF(x, 0x80, 0xBF, PAIR_1251_D2) |                                              \
   PAIR_IF(x, 0x91, 0x91, PAIR_KOI8_D0 | PAIR_KOI8_D1) |                               \
   PAIR_IF(x, 0x80, 0xAF, PAIR_SMALL))

#define PAIR_ROW(rules)                                                                \
  { AVX512_OF_64(rules, 0x80), AVX512_OF_64(rules, 0xC0) }

/* The rows of a, b, c and d. */
static const uint8_t avx512_pair_rows[2][4][128] = {
    {PAIR_ROW(PAIR_A), PAIR_ROW(PAIR_B), PAIR_ROW(PAIR_C), PAIR_ROW(PAIR_D)},
    {PAIR_ROW(PAIR_CYRILLIC_A), PAIR_ROW(PAIR_CYRILLIC_B), PAIR_ROW(PAIR_CYRILLIC_C),
     PAIR_ROW(PAIR_CYRILLIC_D)}};

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
  const __m512i shared = avx512_or(avx512_pair_shared(avx512_pair_rows[0], a, b, c, d),
                                   avx512_pair_shared(avx512_pair_rows[1], a, b, c, d));
  return _mm512_test_epi8_mask(shared, shared);
}
