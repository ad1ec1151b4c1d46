/* charset/legacy/iso2022jp.c: iso-2022-jp, in which escape sequences choose what the bytes mean.
**
** A call may end between any two code points; the state holds what has been chosen so far.
**
** Sources: WHATWG Encoding Standard §12.2, RFC 1468.
*/
#include "charset/legacy/states.h"
#include "charset/legacy/tables/katakana.h"

/* The state: what a designation has chosen. */
enum { JP_ASCII, JP_ROMAN, JP_KATAKANA, JP_KANJI };

#define JP_ESC 0x1B

/* ---- decoding -------------------------------------------------------------------------- */

/* Added to the decoder's state after a designation, until something is decoded: a second
** designation is an error then. */
#define JP_DESIGNATED 4u

/* Returns the state that a designation of three bytes chooses, or -1. */
static int jpDesignation(const uint8_t *p) {
  if (p[1] == '(' && p[2] == 'B') return JP_ASCII;
  if (p[1] == '(' && p[2] == 'J') return JP_ROMAN;
  if (p[1] == '(' && p[2] == 'I') return JP_KATAKANA;
  if (p[1] == '$' && (p[2] == '@' || p[2] == 'B')) return JP_KANJI;
  return -1;
}

/* Reads an escape sequence. If it is unknown, ESC alone is an error. */
static uint32_t readJpEscape(const uint8_t *in, size_t size, size_t *at,
                             unsigned *state) {
  int chosen = size - *at < 3 ? -1 : jpDesignation(in + *at);
  if (chosen < 0) {
    *state &= ~JP_DESIGNATED;
    return legacyError(at);
  }
  uint32_t result = *state & JP_DESIGNATED ? BYTES_FFFD : LEGACY_NOTHING;
  *state = (unsigned)chosen | JP_DESIGNATED;
  *at += 3;
  return result;
}

static uint32_t readJpByte(uint8_t byte, unsigned state) {
  if (state == JP_KATAKANA) {
    return byte >= 0x21 && byte <= 0x5F ? 0xFF61u - 0x21 + byte : BYTES_FFFD;
  }
  if (byte >= 0x80 || legacyIsShift(byte)) return BYTES_FFFD;
  if (state == JP_ROMAN && byte == 0x5C) return 0xA5;
  if (state == JP_ROMAN && byte == 0x7E) return 0x203E;
  return byte;
}

ALWAYS_INLINE uint32_t readJpKanji(const uint8_t *in, size_t size, size_t *at) {
  uint32_t row = in[*at] - 0x21u;
  if (row >= 94 || size - *at < 2 || in[*at + 1] == JP_ESC) return legacyError(at);
  uint32_t cell = in[*at + 1] - 0x21u;
  uint32_t code = cell < 94 ? utf8charset_jis0208[row * 94 + cell] : 0;
  *at += 2;
  return code ? code : BYTES_FFFD;
}

/* Reads what is at *at, and updates the state. */
ALWAYS_INLINE uint32_t readJp(const uint8_t *in, size_t size, size_t *at,
                              unsigned *state) {
  if (in[*at] == JP_ESC) return readJpEscape(in, size, at, state);
  *state &= ~JP_DESIGNATED;
  if (*state == JP_KANJI) return readJpKanji(in, size, at);
  return readJpByte(in[(*at)++], *state);
}

LEGACY_STATE_DECODER(decodeJp, readJp, legacyIsInitial, legacyStopsAtShifts)

/* ---- encoding -------------------------------------------------------------------------- */

/* Returns the two bytes of a code point in JIS X 0208, or 0. Half-width katakana becomes
** full-width. */
static uint32_t jpKanji(uint32_t code) {
  if (code - 0xFF61 < LEGACY_KATAKANA) code = jis_katakana[code - 0xFF61];
  uint32_t bytes = utf8charset_bytes_in_euc_jp(code);
  return bytes < 0x100 ? 0 : bytes & 0x7F7F;
}

/* Returns the state in which a code point is written, the present one if that has it; -1 if
** none has. */
static int jpStateFor(unsigned state, uint32_t code) {
  if (code < 0x80) {
    if (legacyIsShift(code)) return -1;
    int isRoman = state == JP_ROMAN && code != 0x5C && code != 0x7E;
    return isRoman ? JP_ROMAN : JP_ASCII;
  }
  if (code == 0xA5 || code == 0x203E) return JP_ROMAN;
  return jpKanji(code) ? JP_KANJI : -1;
}

/* Writes the designation of a state. */
static size_t putJpDesignation(uint8_t *out, int state) {
  static const uint8_t last[][2] = {{'(', 'B'}, {'(', 'J'}, {'(', 'I'}, {'$', 'B'}};
  out[0] = JP_ESC;
  memcpy(out + 1, last[state], 2);
  return 3;
}

/* Writes a code point, after a designation if it needs one. Returns the number of bytes, 0 if
** the charset lacks it. */
static size_t writeJp(unsigned *state, uint8_t *out, uint32_t code) {
  int needed = jpStateFor(*state, code);
  if (needed < 0) return 0;
  size_t n = (unsigned)needed == *state ? 0 : putJpDesignation(out, needed);
  *state = (unsigned)needed;
  if (needed == JP_KANJI) return n + legacyPutBytes(out + n, jpKanji(code));
  out[n] = (uint8_t)(code == 0xA5 ? 0x5C : code == 0x203E ? 0x7E : code);
  return n + 1;
}

LEGACY_STATE_ENCODER(encodeJp, writeJp, legacyIsInitial, legacyStopsAtShifts)

static size_t finishJp(unsigned *state, uint8_t *out) {
  if (*state == JP_ASCII) return 0;
  *state = JP_ASCII;
  return putJpDesignation(out, JP_ASCII);
}

const LegacyCodec utf8charset_iso2022_jp = {decodeJp, encodeJp, finishJp};
