/* charset/legacy/utf7.c: utf-7, in which + starts UTF-16 in base64, which ends at - or at another character
** that is not of base64.
**
** The decoder is as strict as RFC 2152. These are errors: a character that may not stand for itself,
** which are \ and ~ and controls other than TAB, LF and CR; a + before another character than one of
** base64 or -; a lone surrogate; base64 that ends within a code unit; and bits other than 0 after the
** last one, which is then lost.
**
** The encoder writes all other ASCII characters as they are, as Python does.
*/
#include "charset/legacy/states.h"

/* The state: UTF7_BASE64, and 0, 2 or 4 bits of base64 that the next code unit starts with: their
** number, and they themselves from UTF7_BITS on. */
#define UTF7_BASE64 1u
#define UTF7_COUNT  6u
#define UTF7_BITS   3

static unsigned utf7State(uint32_t bits, unsigned count) {
  return UTF7_BASE64 | count | (bits & ((1u << count) - 1)) << UTF7_BITS;
}

/* May the character stand for itself? */
static int isDirect(uint32_t code) {
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return code < '~' && code != '\\' && code != '+';
}

/* Stops at what does not stand for itself, and at all controls. */
static uint64_t stopsAtIndirect(uint64_t word) {
  uint64_t low = word & ~BYTES_HIGH_BITS;
  uint64_t controls = ~(low + 0x60 * BYTES_ONES), tilde = low + 2 * BYTES_ONES;
  return ((word | controls | tilde) & BYTES_HIGH_BITS) |
         bytes_zeros(word ^ '+' * BYTES_ONES) | bytes_zeros(word ^ '\\' * BYTES_ONES);
}

/* ---- decoding -------------------------------------------------------------------------- */

/* In place of a code point. */
#define UTF7_ERROR 0xFFFFFFFEu

/* Returns the value of the digit of base64 at in[at], or -1, also at the end. */
static int base64At(const uint8_t *in, size_t size, size_t at) {
  return at < size ? bytes_base64_digit(in[at]) : -1;
}

/* Reads a code unit. Returns UTF7_ERROR if base64 ends within it, or after it with another bit than
** 0. */
static uint32_t readUtf7Unit(const uint8_t *in, size_t size, size_t *at,
                             unsigned *state) {
  uint32_t bits = *state >> UTF7_BITS;
  unsigned count = *state & UTF7_COUNT;
  *state = UTF7_BASE64;
  for (; count < 16; count += 6, *at += 1) {
    const int six = base64At(in, size, *at);
    if (six < 0) return UTF7_ERROR;
    bits = bits << 6 | (uint32_t)six;
  }
  const unsigned next = utf7State(bits, count - 16);
  if (next >> UTF7_BITS && base64At(in, size, *at) < 0) return UTF7_ERROR;
  *state = next;
  return bits >> (count - 16) & 0xFFFF;
}

/* Reads a code point of base64, or its end. */
static uint32_t readUtf7Base64(const uint8_t *in, size_t size, size_t *at,
                               unsigned *state) {
  if (base64At(in, size, *at) < 0) {
    *at += in[*at] == '-' ? 1 : 0;
    *state = 0;
    return LEGACY_NOTHING;
  }
  const uint32_t unit = readUtf7Unit(in, size, at, state);
  if (unit >> 11 != 0xD800 >> 11) return unit;
  size_t after = *at;
  unsigned next = *state;
  const int isHigh = bytes_is_high_surrogate(unit);
  const uint32_t low = isHigh ? readUtf7Unit(in, size, &after, &next) : UTF7_ERROR;
  if (low >> 10 != 0xDC00 >> 10) return UTF7_ERROR;
  *at = after;
  *state = next;
  return bytes_join_surrogates(unit, low);
}

/* Like a LegacyStateReader, but returns UTF7_ERROR for an error. */
static uint32_t readUtf7Any(const uint8_t *in, size_t size, size_t *at,
                            unsigned *state) {
  if (*state) return readUtf7Base64(in, size, at, state);
  const uint8_t byte = in[*at];
  *at += 1;
  if (isDirect(byte)) return byte;
  if (byte != '+') return UTF7_ERROR;
  if (base64At(in, size, *at) >= 0) {
    *state = UTF7_BASE64;
    return LEGACY_NOTHING;
  }
  if (*at == size || in[*at] != '-') return UTF7_ERROR;
  *at += 1;
  return '+';
}

static uint32_t readUtf7(const uint8_t *in, size_t size, size_t *at, unsigned *state) {
  const uint32_t code = readUtf7Any(in, size, at, state);
  return code == UTF7_ERROR ? BYTES_FFFD : code;
}

LEGACY_STATE_DECODER(decodeUtf7, readUtf7, legacyIsInitial, stopsAtIndirect)

uint64_t utf8charset_own_in_utf7(unsigned state, const uint8_t *in, size_t size,
                                 size_t at, size_t end) {
  uint64_t count = 0;
  while (at < end) count += readUtf7Any(in, size, &at, &state) == BYTES_FFFD ? 1 : 0;
  return count;
}

/* ---- encoding -------------------------------------------------------------------------- */

static uint8_t base64Of(uint32_t six) {
  static const char characters[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  return (uint8_t)characters[six & 63];
}

/* Writes a code unit, except the bits that the next one starts with. */
static size_t putUtf7Unit(unsigned *state, uint8_t *out, uint32_t unit) {
  const uint32_t bits = *state >> UTF7_BITS << 16 | unit;
  unsigned count = (*state & UTF7_COUNT) + 16;
  size_t n = 0;
  for (; count >= 6; count -= 6) out[n++] = base64Of(bits >> (count - 6));
  *state = utf7State(bits, count);
  return n;
}

/* Writes the bits that are left. */
static size_t putUtf7Rest(unsigned *state, uint8_t *out) {
  const unsigned count = *state & UTF7_COUNT;
  if (count > 0) out[0] = base64Of(*state >> UTF7_BITS << (6 - count));
  *state = 0;
  return count > 0 ? 1 : 0;
}

static size_t putUtf7Direct(unsigned *state, uint8_t *out, uint8_t byte) {
  const int isBase64 = *state != 0;
  size_t n = putUtf7Rest(state, out);
  if (isBase64 && (byte == '-' || bytes_base64_digit(byte) >= 0)) out[n++] = '-';
  out[n++] = byte;
  return n;
}

static size_t writeUtf7(unsigned *state, uint8_t *out, uint32_t code) {
  if (isDirect(code)) return putUtf7Direct(state, out, (uint8_t)code);
  size_t n = 0;
  if (*state == 0) {
    out[n++] = '+';
    if (code == '+') out[n++] = '-';
    if (code == '+') return n;
  }
  if (code < 0x10000) return n + putUtf7Unit(state, out + n, code);
  n += putUtf7Unit(state, out + n, 0xD7C0 + (code >> 10));
  return n + putUtf7Unit(state, out + n, 0xDC00 | (code & 0x3FF));
}

LEGACY_STATE_ENCODER(encodeUtf7, writeUtf7, legacyIsInitial, stopsAtIndirect)

static size_t finishUtf7(unsigned *state, uint8_t *out) {
  if (*state == 0) return 0;
  const size_t n = putUtf7Rest(state, out);
  out[n] = '-';
  return n + 1;
}

const LegacyCodec utf8charset_utf7 = {decodeUtf7, encodeUtf7, finishUtf7};
