/* charset/legacy/hz.c: hz, in which ~{ starts double-byte codes of GB 2312 and ~} returns to ASCII; ~~ is one
** tilde, and a tilde at the end of a line joins it with the next.
**
** A line that ends between ~{ and ~} is an error: U+FFFD, then ASCII from the line feed on. Other
** bytes below 21 and DEL are errors between them, too.
**
** Double-byte codes are decoded and encoded as in gbk: A1A4 is U+00B7, A1AA U+2014. Source: RFC 1843.
*/
#include "charset/legacy/states.h"

enum { HZ_ASCII, HZ_DOUBLE };

/* Stops at tildes and at what is not ASCII. */
static uint64_t stopsAtTildes(uint64_t word) {
  return (word & BYTES_HIGH_BITS) | bytes_zeros(word ^ '~' * BYTES_ONES);
}

/* ---- GB 2312 ----------------------------------------------------------------------------- */

/* The double-byte codes that GB 2312 defines, from first to last: gbk has more. */
static const uint16_t gb2312_ranges[][2] = {
    {0x2121, 0x217E}, {0x2231, 0x2262}, {0x2265, 0x226E}, {0x2271, 0x227C},
    {0x2321, 0x237E}, {0x2421, 0x2473}, {0x2521, 0x2576}, {0x2621, 0x2638},
    {0x2641, 0x2658}, {0x2721, 0x2741}, {0x2751, 0x2771}, {0x2821, 0x283A},
    {0x2845, 0x2869}, {0x2924, 0x296F}, {0x3021, 0x5779}, {0x5821, 0x777E}};

static int isInGb2312(uint32_t bytes) {
  for (size_t i = 0; i < sizeof gb2312_ranges / sizeof *gb2312_ranges; i++) {
    if (bytes >= gb2312_ranges[i][0] && bytes <= gb2312_ranges[i][1]) return 1;
  }
  return 0;
}

uint32_t utf8charset_code_in_gb2312(uint8_t lead, uint8_t trail) {
  return isInGb2312((uint32_t)lead << 8 | trail)
             ? legacyCodeOfDouble(UTF8_CHARSET_GBK, lead, trail)
             : 0;
}

uint32_t utf8charset_double_in_gb2312(uint32_t code) {
  const uint32_t bytes = legacyDoubleOfCode(UTF8_CHARSET_GBK, code);
  return isInGb2312(bytes) ? bytes : 0;
}

/* ---- decoding -------------------------------------------------------------------------- */

/* Reads what starts with a tilde. If it is unknown, or nothing in this state, the tilde alone is an
** error. */
static uint32_t readTilde(const uint8_t *in, size_t size, size_t *at, unsigned *state) {
  const uint8_t next = size - *at < 2 ? 0 : in[*at + 1];
  const int isKnown =
      *state == HZ_DOUBLE ? next == '}' : next == '~' || next == '{' || next == '\n';
  if (!isKnown) return legacyError(at);
  *at += 2;
  if (next == '{' || next == '}') *state = next == '{' ? HZ_DOUBLE : HZ_ASCII;
  return next == '~' ? '~' : LEGACY_NOTHING;
}

/* Reads a double-byte code. A byte that cannot be part of one is not swallowed. */
static uint32_t readHzDouble(const uint8_t *in, size_t size, size_t *at,
                             unsigned *state) {
  const uint8_t *p = in + *at;
  if (p[0] == '\n') {
    *state = HZ_ASCII;
    return BYTES_FFFD;
  }
  int isDouble =
      size - *at >= 2 && legacyIsDoubleByte(p[0]) && legacyIsDoubleByte(p[1]);
  if (!isDouble) return legacyError(at);
  uint32_t code = utf8charset_code_in_gb2312(p[0], p[1]);
  *at += 2;
  return code ? code : BYTES_FFFD;
}

static uint32_t readHz(const uint8_t *in, size_t size, size_t *at, unsigned *state) {
  const uint8_t byte = in[*at];
  if (byte == '~') return readTilde(in, size, at, state);
  if (*state == HZ_DOUBLE) return readHzDouble(in, size, at, state);
  *at += 1;
  return byte < 0x80 ? byte : BYTES_FFFD;
}

LEGACY_STATE_DECODER(decodeHz, readHz, legacyIsInitial, stopsAtTildes)

/* ---- encoding -------------------------------------------------------------------------- */

static size_t putHzShift(unsigned *state, uint8_t *out, unsigned needed) {
  if (*state == needed) return 0;
  *state = needed;
  out[0] = '~';
  out[1] = needed == HZ_DOUBLE ? '{' : '}';
  return 2;
}

static size_t writeHz(unsigned *state, uint8_t *out, uint32_t code) {
  const int isAscii = code < 0x80;
  const uint32_t bytes = isAscii ? code : utf8charset_double_in_gb2312(code);
  if (!isAscii && bytes == 0) return 0;
  size_t n = putHzShift(state, out, isAscii ? HZ_ASCII : HZ_DOUBLE);
  if (code == '~') out[n++] = '~';
  return n + legacyPutBytes(out + n, bytes);
}

LEGACY_STATE_ENCODER(encodeHz, writeHz, legacyIsInitial, stopsAtTildes)

static size_t finishHz(unsigned *state, uint8_t *out) {
  return putHzShift(state, out, HZ_ASCII);
}

const LegacyCodec utf8charset_hz = {decodeHz, encodeHz, finishHz};
