/* core/step.h: the decoder step, the only definition of the grammar of UTF-8 and its
** dialects.
**
** step() decodes one position of a text: a code point, or the kind and the length of an
** ill-formed subpart. It is inlined into the core's loops; other callers use
** utf8core_step().
**
** The grammar is RFC 3629 §4, which equals Unicode Table 3-7. The lead byte determines the
** length and the range of the second byte; all others are 80..BF. The dialects change a
** few lead bytes and nothing else: 00 and C0 (mutf-8), ED (surrogates) and F0..FD (long
** sequences). Only utf-8b is different: step() turns each ill-formed byte into a code point.
*/
#ifndef UTF8_CORE_STEP_H
#define UTF8_CORE_STEP_H

#include "core/utf8core.h"
#include "core/bytes.h"

ALWAYS_INLINE Utf8Step wellFormed(uint32_t codepoint, unsigned length) {
  return (Utf8Step){codepoint, (uint8_t)length, UTF8_WELL_FORMED};
}

ALWAYS_INLINE Utf8Step illFormed(Utf8Error error, unsigned length) {
  return (Utf8Step){0, (uint8_t)length, error};
}

/* Decodes a sequence of `length` bytes from p[0..n), whose second byte lies in low..high. A
** continuation byte outside that range makes the lead byte an error of kind `outside`. */
ALWAYS_INLINE Utf8Step stepSequence(const uint8_t *p, size_t n, unsigned length,
                                    uint8_t low, uint8_t high, Utf8Error outside) {
  uint32_t codepoint = p[0] & (0x7Fu >> length);
  for (unsigned i = 1; i < length; i++) {
    if (i == n) return illFormed(UTF8_TRUNCATED, i);
    if (!bytes_is_continuation(p[i])) return illFormed(UTF8_INCOMPLETE, i);
    if (i == 1 && (p[1] < low || p[1] > high)) return illFormed(outside, 1);
    codepoint = codepoint << 6 | (p[i] & 0x3F);
  }
  return wellFormed(codepoint, length);
}

/* Decodes the step at p[0..n), which starts with 80..DF. */
ALWAYS_INLINE Utf8Step stepTwo(const uint8_t *p, size_t n, unsigned dialect) {
  if (p[0] < 0xC0) return illFormed(UTF8_STRAY_CONTINUATION, 1);
  if (p[0] >= 0xC2) return stepSequence(p, n, 2, 0x80, 0xBF, UTF8_OVERLONG);
  if (p[0] == 0xC0 && (dialect & UTF8_C080)) {
    if (n == 1) return illFormed(UTF8_TRUNCATED, 1);
    if (p[1] == 0x80) return wellFormed(0, 2);
  }
  return illFormed(UTF8_OVERLONG, 1);
}

/* Decodes the step at p[0..n), which starts with E0..EF. */
ALWAYS_INLINE Utf8Step stepThree(const uint8_t *p, size_t n) {
  switch (p[0]) {
  case 0xE0:
    return stepSequence(p, n, 3, 0xA0, 0xBF, UTF8_OVERLONG);
  case 0xED:
    return stepSequence(p, n, 3, 0x80, 0x9F, UTF8_SURROGATE);
  default:
    return stepSequence(p, n, 3, 0x80, 0xBF, UTF8_OVERLONG);
  }
}

/* Decodes the step at p[0..n), which starts with F0..FF. RFC 3629 ends within F4, RFC 2044 §2
** continues to FD, and CESU-8 (UTF8_PAIRS) has none of these lead bytes. */
ALWAYS_INLINE Utf8Step stepLong(const uint8_t *p, size_t n, unsigned dialect) {
  if (p[0] >= 0xFE) return illFormed(UTF8_INVALID_BYTE, 1);
  if (dialect & UTF8_PAIRS) return illFormed(UTF8_OUT_OF_RANGE, 1);
  if (p[0] == 0xF0) return stepSequence(p, n, 4, 0x90, 0xBF, UTF8_OVERLONG);
  if (p[0] <= 0xF3) return stepSequence(p, n, 4, 0x80, 0xBF, UTF8_OVERLONG);
  if (!(dialect & UTF8_LONG)) {
    if (p[0] > 0xF4) return illFormed(UTF8_OUT_OF_RANGE, 1);
    return stepSequence(p, n, 4, 0x80, 0x8F, UTF8_OUT_OF_RANGE);
  }
  if (p[0] <= 0xF7) return stepSequence(p, n, 4, 0x80, 0xBF, UTF8_OVERLONG);
  if (p[0] == 0xF8) return stepSequence(p, n, 5, 0x88, 0xBF, UTF8_OVERLONG);
  if (p[0] <= 0xFB) return stepSequence(p, n, 5, 0x80, 0xBF, UTF8_OVERLONG);
  if (p[0] == 0xFC) return stepSequence(p, n, 6, 0x84, 0xBF, UTF8_OVERLONG);
  return stepSequence(p, n, 6, 0x80, 0xBF, UTF8_OVERLONG);
}

/* Is there a whole surrogate at `at`: a high one (second is A0) or a low one (B0)? */
ALWAYS_INLINE int isSurrogateAt(const uint8_t *text, size_t size, size_t at,
                                uint8_t second) {
  return size - at >= 3 && text[at] == 0xED && (text[at + 1] & 0xF0) == second &&
         bytes_is_continuation(text[at + 2]);
}

/* Is there a high and then a low surrogate at `at`? */
ALWAYS_INLINE int isPair(const uint8_t *text, size_t size, size_t at) {
  return isSurrogateAt(text, size, at, 0xA0) && isSurrogateAt(text, size, at + 3, 0xB0);
}

/* Is there, at `at`, U+DC80..U+DCFF, which Python's surrogateescape reads a byte 80..FF as? The low surrogate
** of a pair is not one: callers step over pairs. */
ALWAYS_INLINE int isEscapeAt(const uint8_t *text, size_t size, size_t at) {
  return isSurrogateAt(text, size, at, 0xB0) && text[at + 1] >= 0xB2 &&
         text[at + 1] <= 0xB3;
}

/* Returns U+10000 + the ten payload bits of each surrogate (Unicode D91, UTR 26). */
ALWAYS_INLINE uint32_t joinPair(const uint8_t *p) {
  uint32_t high = (p[1] & 0x0Fu) << 6 | (p[2] & 0x3Fu);
  uint32_t low = (p[4] & 0x0Fu) << 6 | (p[5] & 0x3Fu);
  return 0x10000 + (high << 10 | low);
}

/* Decodes the step at `at`, which starts with ED, in SURROGATE_DIALECTS. UTF8_FROM_UTF16 alone
** makes a surrogate one error of three bytes. */
static inline Utf8Step stepSurrogate(const uint8_t *text, size_t size, size_t at,
                                     unsigned dialect) {
  const uint8_t *p = text + at;
  if ((dialect & UTF8_PAIRS) && isPair(text, size, at))
    return wellFormed(joinPair(p), 6);
  Utf8Step any = stepSequence(p, size - at, 3, 0x80, 0xBF, UTF8_SURROGATE);
  /* ED A0..BF without a third byte is a subpart of two bytes where the dialect has a sequence
  ** that starts so; elsewhere ED alone is one. */
  int isCut = any.error && any.length == 2 && p[1] >= 0xA0;
  if (isCut) {
    int startsSequence =
        (dialect & UTF8_SURROGATES) || ((dialect & UTF8_PAIRS) && p[1] < 0xB0);
    return startsSequence ? any : illFormed(UTF8_SURROGATE, 1);
  }
  if (any.error || any.codepoint < 0xD800) return any;
  if (dialect & UTF8_SURROGATES) {
    int isPaired = isPair(text, size, at) || (at >= 3 && isPair(text, size, at - 3));
    return isPaired ? illFormed(UTF8_SURROGATE, 3) : any;
  }
  return illFormed(UTF8_SURROGATE, 3);
}

/* The dialects in which a surrogate is a sequence of three bytes, well-formed or not. In others
** ED A0..BF is a lead byte with a second byte out of range. */
#define SURROGATE_DIALECTS (UTF8_PAIRS | UTF8_SURROGATES | UTF8_FROM_UTF16)

/* Decodes the step at `at`, which starts with 80..FF. */
ALWAYS_INLINE Utf8Step stepMultiple(const uint8_t *text, size_t size, size_t at,
                                    unsigned dialect) {
  const uint8_t *p = text + at;
  if (p[0] < 0xE0) return stepTwo(p, size - at, dialect);
  if (p[0] >= 0xF0) return stepLong(p, size - at, dialect);
  if (UNLIKELY(p[0] == 0xED) && (dialect & SURROGATE_DIALECTS)) {
    return stepSurrogate(text, size, at, dialect);
  }
  return stepThree(p, size - at);
}

/* Inline utf8core_step(). */
ALWAYS_INLINE Utf8Step step(const uint8_t *text, size_t size, size_t at,
                            unsigned dialect) {
  uint8_t lead = text[at];
  if (lead < 0x80) {
    if (UNLIKELY(lead == 0) && (dialect & UTF8_C080))
      return illFormed(UTF8_BARE_NUL, 1);
    return wellFormed(lead, 1);
  }
  Utf8Step s = stepMultiple(text, size, at, dialect);
  if (UNLIKELY(s.error) && (dialect & UTF8_BYTES)) return wellFormed(0xDC00u | lead, 1);
  return s;
}

/* Decodes the code point at p of well-formed text. */
ALWAYS_INLINE Utf8Step stepWellFormed(const uint8_t *p) {
  if (p[0] < 0x80) return wellFormed(p[0], 1);
  if (p[0] < 0xE0) return wellFormed((p[0] & 0x1Fu) << 6 | (p[1] & 0x3Fu), 2);
  const uint32_t middle = (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
  if (p[0] < 0xF0) return wellFormed((p[0] & 0x0Fu) << 12 | middle, 3);
  return wellFormed((p[0] & 0x07u) << 18 | middle << 6 | (p[3] & 0x3Fu), 4);
}

/* Inline utf8core_put(). */
ALWAYS_INLINE size_t stepPut(uint8_t out[UTF8_OCTETS_MAX], uint32_t codepoint) {
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

/* UTF-16 of an odd size, converted to WTF-8, ends in these three bytes for its last byte b.
** They are a sequence without its fourth byte: one UTF8_TRUNCATED subpart, from which
** UTF8_ODD_BYTE() reads b. */
#define UTF8_ODD_LEAD 0xF1
#define UTF8_ODD_BYTES(b)                                                              \
  UTF8_ODD_LEAD, (uint8_t)(0x80 | (b) >> 6), (uint8_t)(0x80 | ((b)&0x3F))
#define UTF8_ODD_BYTE(p) ((uint8_t)((p)[1] << 6 | ((p)[2] & 0x3F)))

#endif
