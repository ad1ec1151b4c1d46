/* charset/legacy/iso2022cn.c: iso-2022-cn. ESC $ ) A and ESC $ ) G say what the shift SO starts: double-byte codes of
** GB 2312 or of CNS 11643, plane 1; SI returns to ASCII. After ESC $ * H, a double-byte code after ESC N is of
** plane 2. The end of a line ends all of that.
**
** SO and ESC N are errors before what they need. Space, DEL and controls are themselves between
** double-byte codes. Characters that several sets have are written in the present one, else in the first.
**
** Double-byte codes of GB 2312 are those of hz. Source: RFC 1922.
*/
#include "charset/legacy/states.h"

/* The state: is it shifted, which set does SO choose, may ESC N follow? */
#define CN_SHIFTED   1u
#define CN_GB        2u
#define CN_CNS1      4u
#define CN_SETS      (CN_GB | CN_CNS1)
#define CN_CNS2      8u
#define CN_SET_COUNT 3

/* The designations of the sets CN_GB << i. */
static const uint8_t cnDesignations[CN_SET_COUNT][4] = {
    {0x1B, '$', ')', 'A'}, {0x1B, '$', ')', 'G'}, {0x1B, '$', '*', 'H'}};

/* ---- decoding -------------------------------------------------------------------------- */

/* Returns the code point of a double-byte code in a set, or U+FFFD. */
static uint32_t cnCode(unsigned set, const uint8_t *p) {
  const uint32_t code =
      set == CN_GB
          ? utf8charset_code_in_gb2312(p[0], p[1])
          : utf8charset_code_in_cns(set == CN_CNS1 ? 1 : 2, p[0] - 0x21u, p[1] - 0x21u);
  return code ? code : BYTES_FFFD;
}

static int isCnDouble(const uint8_t *in, size_t size, size_t at) {
  return size - at >= 2 && legacyIsDoubleByte(in[at]) && legacyIsDoubleByte(in[at + 1]);
}

/* Reads ESC N and its double-byte code. */
static uint32_t readCnSingle(const uint8_t *in, size_t size, size_t *at) {
  *at += 2;
  if (!isCnDouble(in, size, *at)) return BYTES_FFFD;
  *at += 2;
  return cnCode(CN_CNS2, in + *at - 2);
}

/* Reads an escape sequence. If it is unknown, ESC alone is an error. */
static uint32_t readCnEscape(const uint8_t *in, size_t size, size_t *at,
                             unsigned *state) {
  const size_t left = size - *at;
  if ((*state & CN_CNS2) && left >= 2 && in[*at + 1] == 'N')
    return readCnSingle(in, size, at);
  for (unsigned i = 0; i < CN_SET_COUNT && left >= 4; i++) {
    if (memcmp(in + *at, cnDesignations[i], 4) != 0) continue;
    const unsigned set = CN_GB << i;
    *state = (*state & ~(set == CN_CNS2 ? 0 : CN_SETS)) | set;
    *at += 4;
    return LEGACY_NOTHING;
  }
  return legacyError(at);
}

static uint32_t readCnShift(uint8_t byte, unsigned *state) {
  if (byte == 0x0E && !(*state & CN_SETS)) return BYTES_FFFD;
  *state = byte == 0x0E ? *state | CN_SHIFTED : *state & ~CN_SHIFTED;
  return LEGACY_NOTHING;
}

static uint32_t readCn(const uint8_t *in, size_t size, size_t *at, unsigned *state) {
  const uint8_t byte = in[*at];
  if (byte == 0x1B) return readCnEscape(in, size, at, state);
  const int isDouble = (*state & CN_SHIFTED) && legacyIsDoubleByte(byte);
  if (isDouble && !isCnDouble(in, size, *at)) return legacyError(at);
  *at += isDouble ? 2 : 1;
  if (isDouble) return cnCode(*state & CN_SETS, in + *at - 2);
  if (byte == 0x0E || byte == 0x0F) return readCnShift(byte, state);
  if (byte == '\n') *state = 0;
  return byte < 0x80 ? byte : BYTES_FFFD;
}

LEGACY_STATE_DECODER(decodeCn, readCn, legacyIsInitial, legacyStopsAtShifts)

/* ---- encoding -------------------------------------------------------------------------- */

/* Returns a code point's double-byte code, and stores its set; 0 if no set has it. */
static uint32_t cnDouble(unsigned present, uint32_t code, unsigned *set) {
  const uint32_t cns = utf8charset_bytes_in_cns(code), plane = cns >> 16;
  const uint32_t gb =
      plane == 1 && (present & CN_CNS1) ? 0 : utf8charset_double_in_gb2312(code);
  *set = gb ? CN_GB : plane == 1 ? CN_CNS1 : CN_CNS2;
  return gb ? gb : plane == 1 || plane == 2 ? cns & 0xFFFF : 0;
}

/* Writes what must stand before a double-byte code of a set. */
static size_t putCnShift(unsigned *state, uint8_t *out, unsigned set) {
  size_t n = 0;
  if (!(*state & set)) {
    memcpy(out, cnDesignations[set == CN_GB ? 0 : set == CN_CNS1 ? 1 : 2], 4);
    *state = (*state & ~(set == CN_CNS2 ? 0 : CN_SETS)) | set;
    n = 4;
  }
  if (set == CN_CNS2) {
    out[n++] = 0x1B;
    out[n++] = 'N';
  } else if (!(*state & CN_SHIFTED)) {
    out[n++] = 0x0E;
    *state |= CN_SHIFTED;
  }
  return n;
}

static size_t finishCn(unsigned *state, uint8_t *out) {
  const size_t n = *state & CN_SHIFTED;
  out[0] = 0x0F;
  *state = 0;
  return n;
}

static size_t writeCnAscii(unsigned *state, uint8_t *out, uint8_t byte) {
  const unsigned sets = *state & ~CN_SHIFTED;
  if (legacyIsShift(byte)) return 0;
  const size_t n = finishCn(state, out);
  if (byte != '\n') *state = sets;
  out[n] = byte;
  return n + 1;
}

static size_t writeCn(unsigned *state, uint8_t *out, uint32_t code) {
  unsigned set;
  if (code < 0x80) return writeCnAscii(state, out, (uint8_t)code);
  const uint32_t bytes = cnDouble(*state, code, &set);
  if (bytes == 0) return 0;
  const size_t n = putCnShift(state, out, set);
  return n + legacyPutBytes(out + n, bytes);
}

LEGACY_STATE_ENCODER(encodeCn, writeCn, legacyIsInitial, legacyStopsAtShifts)

const LegacyCodec utf8charset_iso2022_cn = {decodeCn, encodeCn, finishCn};
