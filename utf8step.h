/* utf8step.h: the decoder step: the grammar of UTF-8 and of its dialects, and the only
** place that knows it.
**
** step() looks at one position and says: a character, or what is wrong and how many bytes
** of it belong together. utf8core_step() is the same as a function; this header is for the
** core's own files, in whose loops it is compiled in.
**
** The grammar is RFC 3629 §4, which equals Unicode Table 3-7: the lead gives the length
** and the range of the second octet; the others are 80..BF. The dialects change a few
** leads: 00 and C0 (mutf-8), ED (surrogates) and F0..FD (long forms), and nothing else.
*/
#ifndef UTF8STEP_H
#define UTF8STEP_H

#include "utf8core.h"
#include "simd/bytes.h"

#define UNLIKELY(x) __builtin_expect(!!(x), 0)

COMPILED_IN Utf8Step good(uint32_t codepoint, unsigned length) {
  return (Utf8Step){codepoint, (uint8_t)length, UTF8_WELL_FORMED};
}

COMPILED_IN Utf8Step bad(Utf8Error error, unsigned length) {
  return (Utf8Step){0, (uint8_t)length, (uint8_t)error};
}

COMPILED_IN int isContinuation(uint8_t byte) {
  return (byte & 0xC0) == 0x80;
}

/* A sequence of `length` octets of which the second lies in low..high. A second octet that
** is a continuation outside that range makes the lead alone a subpart of kind `outside`. */
COMPILED_IN Utf8Step sequence(const uint8_t *p, size_t n, unsigned length, uint8_t low,
                              uint8_t high, Utf8Error outside) {
  uint32_t codepoint = p[0] & (0x7Fu >> length);
  for (unsigned i = 1; i < length; i++) {
    if (i == n) return bad(UTF8_TRUNCATED, i);
    if (!isContinuation(p[i])) return bad(UTF8_INCOMPLETE, i);
    if (i == 1 && (p[1] < low || p[1] > high)) return bad(outside, 1);
    codepoint = codepoint << 6 | (p[i] & 0x3F);
  }
  return good(codepoint, length);
}

COMPILED_IN Utf8Step stepTwo(const uint8_t *p, size_t n, unsigned dialect) {
  if (p[0] < 0xC0) return bad(UTF8_STRAY_CONTINUATION, 1);
  if (p[0] >= 0xC2) return sequence(p, n, 2, 0x80, 0xBF, UTF8_OVERLONG);
  if (p[0] == 0xC0 && (dialect & UTF8_C080)) {
    if (n == 1) return bad(UTF8_TRUNCATED, 1);
    if (p[1] == 0x80) return good(0, 2);
  }
  return bad(UTF8_OVERLONG, 1);
}

COMPILED_IN Utf8Step stepThree(const uint8_t *p, size_t n) {
  switch (p[0]) {
  case 0xE0:
    return sequence(p, n, 3, 0xA0, 0xBF, UTF8_OVERLONG);
  case 0xED:
    return sequence(p, n, 3, 0x80, 0x9F, UTF8_SURROGATE);
  default:
    return sequence(p, n, 3, 0x80, 0xBF, UTF8_OVERLONG);
  }
}

/* F0..FF. RFC 3629 ends within F4; RFC 2044 §2 goes on to FD. */
COMPILED_IN Utf8Step stepLong(const uint8_t *p, size_t n, unsigned dialect) {
  if (p[0] >= 0xFE) return bad(UTF8_INVALID_BYTE, 1);
  if (dialect & UTF8_PAIRS) return bad(UTF8_OUT_OF_RANGE, 1);
  if (p[0] == 0xF0) return sequence(p, n, 4, 0x90, 0xBF, UTF8_OVERLONG);
  if (p[0] <= 0xF3) return sequence(p, n, 4, 0x80, 0xBF, UTF8_OVERLONG);
  if (!(dialect & UTF8_LONG)) {
    if (p[0] > 0xF4) return bad(UTF8_OUT_OF_RANGE, 1);
    return sequence(p, n, 4, 0x80, 0x8F, UTF8_OUT_OF_RANGE);
  }
  if (p[0] <= 0xF7) return sequence(p, n, 4, 0x80, 0xBF, UTF8_OVERLONG);
  if (p[0] == 0xF8) return sequence(p, n, 5, 0x88, 0xBF, UTF8_OVERLONG);
  if (p[0] <= 0xFB) return sequence(p, n, 5, 0x80, 0xBF, UTF8_OVERLONG);
  if (p[0] == 0xFC) return sequence(p, n, 6, 0x84, 0xBF, UTF8_OVERLONG);
  return sequence(p, n, 6, 0x80, 0xBF, UTF8_OVERLONG);
}

/* Is there a whole surrogate at `at`: a first half (second = A0) or a last (B0)? */
COMPILED_IN int isHalf(const uint8_t *text, size_t size, size_t at, uint8_t second) {
  return size - at >= 3 && text[at] == 0xED && (text[at + 1] & 0xF0) == second &&
         isContinuation(text[at + 2]);
}

COMPILED_IN int isPair(const uint8_t *text, size_t size, size_t at) {
  return isHalf(text, size, at, 0xA0) && isHalf(text, size, at + 3, 0xB0);
}

/* U+10000 + the ten payload bits of each half (Unicode D91, UTR 26). */
COMPILED_IN uint32_t joinPair(const uint8_t *p) {
  uint32_t first = (p[1] & 0x0Fu) << 6 | (p[2] & 0x3Fu);
  uint32_t last = (p[4] & 0x0Fu) << 6 | (p[5] & 0x3Fu);
  return 0x10000 + (first << 10 | last);
}

/* ED in the dialects that know surrogates as more than a bad second octet. */
static inline Utf8Step stepSurrogate(const uint8_t *text, size_t size, size_t at,
                                     unsigned dialect) {
  const uint8_t *p = text + at;
  if ((dialect & UTF8_PAIRS) && isPair(text, size, at)) return good(joinPair(p), 6);
  Utf8Step any = sequence(p, size - at, 3, 0x80, 0xBF, UTF8_SURROGATE);
  int cutInHalf = any.error && any.length == 2 && p[1] >= 0xA0;
  if (cutInHalf) {
    int goodStart =
        (dialect & UTF8_SURROGATES) || ((dialect & UTF8_PAIRS) && p[1] < 0xB0);
    return goodStart ? any : bad(UTF8_SURROGATE, 1);
  }
  if (any.error || any.codepoint < 0xD800) return any;
  if (dialect & UTF8_SURROGATES) {
    int paired = isPair(text, size, at) || (at >= 3 && isPair(text, size, at - 3));
    return paired ? bad(UTF8_SURROGATE, 3) : any;
  }
  return bad(UTF8_SURROGATE, 3);
}

#define KNOWS_SURROGATES (UTF8_PAIRS | UTF8_SURROGATES | UTF8_FROM_UTF16)

COMPILED_IN Utf8Step stepMultiple(const uint8_t *text, size_t size, size_t at,
                                  unsigned dialect) {
  const uint8_t *p = text + at;
  if (p[0] < 0xE0) return stepTwo(p, size - at, dialect);
  if (p[0] >= 0xF0) return stepLong(p, size - at, dialect);
  if (UNLIKELY(p[0] == 0xED) && (dialect & KNOWS_SURROGATES)) {
    return stepSurrogate(text, size, at, dialect);
  }
  return stepThree(p, size - at);
}

COMPILED_IN Utf8Step step(const uint8_t *text, size_t size, size_t at,
                          unsigned dialect) {
  uint8_t lead = text[at];
  if (lead < 0x80) {
    if (UNLIKELY(lead == 0) && (dialect & UTF8_C080)) return bad(UTF8_BARE_NUL, 1);
    return good(lead, 1);
  }
  Utf8Step s = stepMultiple(text, size, at, dialect);
  if (UNLIKELY(s.error) && (dialect & UTF8_BYTES)) return good(0xDC00u | lead, 1);
  return s;
}

/* utf8core_put(), likewise. */
COMPILED_IN size_t stepPut(uint8_t out[UTF8_OCTETS_MAX], uint32_t codepoint) {
  if (codepoint < 0x80) {
    out[0] = (uint8_t)codepoint;
    return 1;
  }
  if (codepoint < 0x800) {
    out[0] = (uint8_t)(0xC0 | codepoint >> 6);
    out[1] = (uint8_t)(0x80 | (codepoint & 0x3F));
    return 2;
  }
  unsigned length = 3; /* n octets hold 5n + 1 bits, for n of 2..6 */
  while (codepoint >> (5 * length + 1)) length++;
  for (unsigned i = length - 1; i > 0; i--, codepoint >>= 6) {
    out[i] = (uint8_t)(0x80 | (codepoint & 0x3F));
  }
  out[0] = (uint8_t)(0xFF00u >> length | codepoint);
  return length;
}

#endif
