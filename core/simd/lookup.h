/* core/simd/lookup.h: the tables by which a vector of bytes is checked in three shuffles.
**
** After John Keiser and Daniel Lemire, "Validating UTF-8 in less than one instruction per
** byte" (2020, doi 10.1002/spe.2920). Nearly every error shows in a byte and the one before
** it. Each of the three tables takes half a byte of the two and returns the errors that it
** does not rule out, one bit for each. A pair has the errors that all three leave:
**
**     after_high[first >> 4] & after_low[first & 15] & at_high[second >> 4]
**
** A shuffle instruction is 16, 32 or 64 lookups in a table of 16 bytes. A pair does not show
** where third and fourth bytes belong. TWO_CONTINUATIONS, one continuation byte after
** another, is valid in exactly these places: two bytes after a lead of E0 or more, and three
** bytes after one of F0 or more. The kernels compare it with that.
*/
#ifndef UTF8_CORE_SIMD_LOOKUP_H
#define UTF8_CORE_SIMD_LOOKUP_H

#include <stdint.h>

enum {
  TOO_SHORT = 1,           /* a lead byte, then no continuation byte */
  TOO_LONG = 2,            /* an ASCII character, then a continuation byte */
  OVERLONG_3 = 4,          /* E0 80..9F */
  TOO_LARGE = 8,           /* F4 90..BF, F5..FF 90..BF */
  SURROGATE = 16,          /* ED A0..BF */
  OVERLONG_2 = 32,         /* C0, C1 */
  AFTER_F_80 = 64,         /* F0 80..8F, which is overlong, and F5..FF 80..8F */
  TWO_CONTINUATIONS = 128, /* an error or not: the bytes before them decide */

  /* Never ruled out by the low half of the first byte. */
  ANY_LOW = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS,
  /* The second byte is a continuation byte that may not follow the first byte. */
  SECOND_ERRORS = OVERLONG_2 | OVERLONG_3 | SURROGATE | TOO_LARGE | AFTER_F_80,
  /* Never ruled out by the high half of the second byte, a continuation byte. */
  ANY_HIGH = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS
};

#define LOOKUP_8(x)  x, x, x, x, x, x, x, x
#define LOOKUP_16(x) LOOKUP_8(x), LOOKUP_8(x)

/* The tables and the constants that go with them, together in memory. Computing the constants
** would take longer than checking a short text. */
typedef struct Lookup {
  uint8_t after_high[16]; /* by the high half of the first byte */
  uint8_t after_low[16];  /* by the low half of the first byte */
  uint8_t at_high[16];    /* by the high half of the second byte */
  uint8_t low_half[16];   /* 0F */
  uint8_t lead3[16];      /* subtracted, saturating: only E0..FF keep the top bit */
  uint8_t lead4[16];      /* likewise for F0..FF */
  uint8_t two_continuations[16];
} Lookup;

/* Unicode Table 3-7. */
static const Lookup lookup = {
    {LOOKUP_8(TOO_LONG), /* 8. */ TWO_CONTINUATIONS, TWO_CONTINUATIONS,
     TWO_CONTINUATIONS, TWO_CONTINUATIONS,
     /* C. */ TOO_SHORT | OVERLONG_2, TOO_SHORT,
     /* E. */ TOO_SHORT | OVERLONG_3 | SURROGATE,
     /* F. */ TOO_SHORT | TOO_LARGE | AFTER_F_80},
    {/* C0 E0 F0 */ ANY_LOW | OVERLONG_2 | OVERLONG_3 | AFTER_F_80,
     /* C1 */ ANY_LOW | OVERLONG_2, ANY_LOW, ANY_LOW,
     /* F4 */ ANY_LOW | TOO_LARGE,
     /* F5.. */ LOOKUP_8(ANY_LOW | TOO_LARGE | AFTER_F_80),
     /* ED */ ANY_LOW | TOO_LARGE | AFTER_F_80 | SURROGATE,
     ANY_LOW | TOO_LARGE | AFTER_F_80, ANY_LOW | TOO_LARGE | AFTER_F_80},
    {LOOKUP_8(TOO_SHORT),
     /* 80..8F */ ANY_HIGH | OVERLONG_3 | AFTER_F_80,
     /* 90..9F */ ANY_HIGH | OVERLONG_3 | TOO_LARGE,
     /* A0..BF */ ANY_HIGH | SURROGATE | TOO_LARGE, ANY_HIGH | SURROGATE | TOO_LARGE,
     TOO_SHORT, TOO_SHORT, TOO_SHORT, TOO_SHORT},
    {LOOKUP_16(15)},
    {LOOKUP_16(0xE0 - 0x80)},
    {LOOKUP_16(0xF0 - 0x80)},
    {LOOKUP_16(TWO_CONTINUATIONS)}};

/* 1 << index, for generic_set.h. */
static const uint8_t bit_of_8[16] = {1, 2, 4, 8, 16, 32, 64, 128};

#endif
