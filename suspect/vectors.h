/* suspect/vectors.h: utf8suspect_skip() of suspect/scan.h, written once for vectors of any size.
**
**     #define S(name) narrow_##name     the prefix
**     #define S_SIZE 16                 bytes in a vector
**     #include "suspect/vectors.h"      defines narrow_skip()
**
** A code point is recognized by up to four bytes. Those after the first come from vectors that
** start one, two and three bytes later. The code uses only what GNU C does with vectors.
*/

typedef uint8_t S(lanes) __attribute__((vector_size(S_SIZE)));

ALWAYS_INLINE S(lanes) S(load)(const uint8_t *from) {
  S(lanes) lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/* Each function below returns FF in lanes where one of its code points may start, and 0 in others.
** b has the bytes; n1, n2 and n3 have the first, second and third byte after each. */

#define S_IS(condition)           ((S(lanes))(condition))
#define S_WITHIN(lanes, from, to) S_IS((lanes) - (from) <= (to) - (from))

/* C0 controls except TAB, LF and CR; DEL */
ALWAYS_INLINE S(lanes) S(controls)(S(lanes) b) {
  const S(lanes) line = S_IS(b == 9) | S_IS(b == 10) | S_IS(b == 13);
  return (S_IS(b < 0x20) & ~line) | S_IS(b == 0x7F);
}

/* U+0080..009F, U+00AD, U+115F, U+1160, U+17B4, U+17B5 */
ALWAYS_INLINE S(lanes) S(low)(S(lanes) b, S(lanes) n1, S(lanes) n2) {
  const S(lanes) c1 = S_IS(b == 0xC2) & (S_IS(n1 < 0xA0) | S_IS(n1 == 0xAD));
  const S(lanes) jamo = S_IS(n1 == 0x85) & S_WITHIN(n2, 0x9F, 0xA0);
  const S(lanes) khmer = S_IS(n1 == 0x9E) & S_WITHIN(n2, 0xB4, 0xB5);
  return c1 | (S_IS(b == 0xE1) & (jamo | khmer));
}

/* U+200B, U+202A..202E, U+2060, U+2065..206F, U+3164 */
ALWAYS_INLINE S(lanes) S(punctuation)(S(lanes) b, S(lanes) n1, S(lanes) n2) {
  const S(lanes) u20 = S_IS(n1 == 0x80) & (S_IS(n2 == 0x8B) | S_WITHIN(n2, 0xAA, 0xAE));
  const S(lanes) u206 = S_IS(n1 == 0x81) & (S_IS(n2 == 0xA0) | S_IS(n2 >= 0xA5));
  const S(lanes) u3164 = S_IS(b == 0xE3) & S_IS(n1 == 0x85) & S_IS(n2 == 0xA4);
  return (S_IS(b == 0xE2) & (u20 | u206)) | u3164;
}

/* U+FDD0..FDEF, U+FEFF, U+FFA0, U+FFF0..FFFF */
ALWAYS_INLINE S(lanes) S(high)(S(lanes) b, S(lanes) n1, S(lanes) n2) {
  const S(lanes) fdd0 = S_IS(n1 == 0xB7) & S_WITHIN(n2, 0x90, 0xAF);
  const S(lanes) feff = S_IS(n1 == 0xBB) & S_IS(n2 == 0xBF);
  const S(lanes) ffa0 = S_IS(n1 == 0xBE) & S_IS(n2 == 0xA0);
  const S(lanes) fff0 = S_IS(n1 == 0xBF) & S_IS(n2 >= 0xB0);
  return S_IS(b == 0xEF) & (fdd0 | feff | ffa0 | fff0);
}

/* U+1BC80..1BCBF, U+E0000..E0FFF, and the last two code points of a plane */
ALWAYS_INLINE S(lanes) S(plane)(S(lanes) b, S(lanes) n1, S(lanes) n2, S(lanes) n3) {
  const S(lanes) shorthand = S_IS(b == 0xF0) & S_IS(n1 == 0x9B) & S_IS(n2 == 0xB2);
  const S(lanes) tag = S_IS(b == 0xF3) & S_IS(n1 == 0xA0);
  const S(lanes) last = S_IS((n1 & 0x0F) == 0x0F) & S_IS(n2 == 0xBF) & S_IS(n3 >= 0xBE);
  return shorthand | tag | (S_IS(b >= 0xF0) & last);
}

ALWAYS_INLINE int S(any)(S(lanes) lanes) {
  uint64_t words[S_SIZE / 8], any = 0;
  memcpy(words, &lanes, sizeof words);
  UNROLL
  for (int i = 0; i < S_SIZE / 8; i++) any |= words[i];
  return any != 0;
}

/* Returns a bit for each of the eight lanes at p, which are FF or 00. The lanes are bytes of a
** number in the processor's order. The product adds up one bit of each in its top byte. */
ALWAYS_INLINE uint64_t S(bits_of_8)(const S(lanes) * p, int i) {
  const uint64_t places =
      bytes_is_little_endian() ? 0x0102040810204080u : 0x8040201008040201u;
  const uint64_t word = bytes_load64((const uint8_t *)p + 8 * i) & BYTES_ONES;
  return word * places >> 56 << 8 * i;
}

#define S_EACH  UNROLL for (int i = 0; i < 64; i += S_SIZE)
#define S_AT(n) S(load)(p + i + (n))

/* Like skip() for one block: returns 0 if no suspicious code point may start in it. Text of
** most scripts has none of these lead bytes, and other text usually those of one group. */
ALWAYS_INLINE int S(block)(const uint8_t *p, uint64_t *starts) {
  S(lanes) found[64 / S_SIZE], any = {0};
  S(lanes) low = {0}, punctuation = {0}, high = {0}, plane = {0};
  S_EACH {
    const S(lanes) b = S_AT(0);
    any |= found[i / S_SIZE] = S(controls)(b);
    low |= S_IS(b == 0xC2) | S_IS(b == 0xE1);
    punctuation |= S_WITHIN(b, 0xE2, 0xE3);
    high |= S_IS(b == 0xEF);
    plane |= S_IS(b >= 0xF0);
  }
  if (!S(any)(any | low | punctuation | high | plane)) return 0;
  if (S(any)(low)) S_EACH any |= found[i / S_SIZE] |= S(low)(S_AT(0), S_AT(1), S_AT(2));
  if (S(any)(punctuation))
    S_EACH any |= found[i / S_SIZE] |= S(punctuation)(S_AT(0), S_AT(1), S_AT(2));
  if (S(any)(high))
    S_EACH any |= found[i / S_SIZE] |= S(high)(S_AT(0), S_AT(1), S_AT(2));
  if (S(any)(plane))
    S_EACH any |= found[i / S_SIZE] |= S(plane)(S_AT(0), S_AT(1), S_AT(2), S_AT(3));
  if (!S(any)(any)) return 0;
  *starts = 0;
  UNROLL
  for (int i = 0; i < 8; i++) *starts |= S(bits_of_8)(found, i);
  return 1;
}

static size_t S(skip)(const uint8_t *text, size_t size, uint64_t *starts) {
  size_t at = 0;
  while (size - at >= SUSPECT_READ && !S(block)(text + at, starts)) at += SUSPECT_BLOCK;
  return at;
}

#undef S_AT
#undef S_EACH
#undef S_IS
#undef S_WITHIN
#undef S
#undef S_SIZE
