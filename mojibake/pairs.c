/* mojibake/pairs.c: where two code points end that may be misread (mojibake/pairs.h), byte by byte.
**
** This is the definition. tool/mojibake/pairs.py writes the same rules for the kernels, and
** test/kerneltest.c compares both with a definition by code points.
*/
#include "mojibake/pairs.h"
#include "core/bytes.h"

/* How many bytes before the one where it ends decide about a pair. */
#define MOJIBAKE_PAIR_BACK ((size_t)3)

static int isSymbolLead(uint8_t byte) {
  return byte == 0xE2 || byte == 0xEF;
}

/* Of a lead byte from C2. */
static int isLatinLead(uint8_t byte) {
  return byte < 0xCC;
}

static int isLeadOfTwo(uint8_t byte) {
  return byte >= 0xC2 && byte < 0xDC;
}

/* Does a pair of Cyrillic letters end after the bytes a, b, c, d? a is D0..D2. */
static int isCyrillicPair(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  if (a == 0xD0 && b >= 0x92 && b < 0x96 &&
      (c == 0xD0   ? d < 0x90
       : c == 0xD1 ? d >= 0x90
                   : c == 0xD2))
    return 1;
  if (((a == 0xD0 && b == 0xB1) || (a == 0xD1 && b == 0x86)) && c == 0xD1 && d == 0x91)
    return 1;
  if (c != 0xD0 || d >= 0xB0) return 0;
  if (a == 0xD0) return b >= 0xB0 || b == 0x81;
  return a == 0xD1 ? b < 0xA0 : b == 0x91;
}

/* Does a pair end with the last of four bytes, which is the lowest one of `four`? */
ALWAYS_INLINE int pairEndsWith(uint32_t four) {
  const uint8_t d = (uint8_t)four, c = (uint8_t)(four >> 8);
  const uint8_t b = (uint8_t)(four >> 16), a = (uint8_t)(four >> 24);
  if (d < 0x80) return b == 0xC3 && (c | 1) == 0x83;
  if (d < 0xC0)
    return (c == 0xC2 && d < 0xA0) ||
           (a >= 0xD0 && a <= 0xD2 && isCyrillicPair(a, b, c, d));
  if (!isLeadOfTwo(d) && !isSymbolLead(d)) return 0;
  return isSymbolLead(a) ||
         (isLeadOfTwo(b) && (isLatinLead(d) || isLatinLead(b) || isSymbolLead(d)));
}

size_t utf8mojibake_skip_unpaired(const uint8_t *text, size_t at, size_t end,
                                  uint64_t *places) {
  uint32_t four = 0;
  size_t first = end;
  *places = 0;
  for (size_t i = at < MOJIBAKE_PAIR_BACK ? 0 : at - MOJIBAKE_PAIR_BACK; i < at; i++)
    four = four << 8 | text[i];
  for (; at < end && (!*places || at - first < 64); at++) {
    four = four << 8 | text[at];
    if (!(four & 0x808080) && end - at >= 8 &&
        !(bytes_load64(text + at) & BYTES_HIGH_BITS)) {
      four = 0;
      at += 7;
    }
    if (!pairEndsWith(four)) continue;
    if (!*places) first = at;
    *places |= (uint64_t)1 << (at - first);
  }
  return first;
}
