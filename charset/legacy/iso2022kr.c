/* charset/legacy/iso2022kr.c: iso-2022-kr. After the header ESC $ ) C, the shift SO starts double-byte codes of
** KS X 1001, and SI returns to ASCII.
**
** The decoder also accepts text whose header is lost, and returns to ASCII at the end of a line.
** Space, DEL and controls are themselves between double-byte codes. The encoder writes the header at the start
** of a text that is not empty.
**
** Source: RFC 1557.
*/
#include "charset/legacy/states.h"

/* The decoder's states; the encoder adds KR_BEGUN once the header is written. */
enum { KR_ASCII, KR_DOUBLE, KR_BEGUN };

static const uint8_t krHeader[4] = {0x1B, '$', ')', 'C'};

/* ---- decoding -------------------------------------------------------------------------- */

static uint32_t readKrHeader(const uint8_t *in, size_t size, size_t *at) {
  int isHeader =
      size - *at >= sizeof krHeader && memcmp(in + *at, krHeader, sizeof krHeader) == 0;
  if (!isHeader) return legacyError(at);
  *at += sizeof krHeader;
  return LEGACY_NOTHING;
}

/* Reads a double-byte code. A byte that cannot be part of one is not swallowed. */
static uint32_t readKrDouble(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  if (size - *at < 2 || !legacyIsDoubleByte(p[1])) return legacyError(at);
  uint32_t code = legacyCodeOfDouble(UTF8_CHARSET_EUC_KR, p[0], p[1]);
  *at += 2;
  return code ? code : BYTES_FFFD;
}

static uint32_t readKr(const uint8_t *in, size_t size, size_t *at, unsigned *state) {
  const uint8_t byte = in[*at];
  if (byte == 0x1B) return readKrHeader(in, size, at);
  if (*state == KR_DOUBLE && legacyIsDoubleByte(byte))
    return readKrDouble(in, size, at);
  *at += 1;
  if (byte == 0x0E || byte == 0x0F) {
    *state = byte == 0x0E ? KR_DOUBLE : KR_ASCII;
    return LEGACY_NOTHING;
  }
  if (byte == '\n') *state = KR_ASCII;
  return byte < 0x80 ? byte : BYTES_FFFD;
}

LEGACY_STATE_DECODER(decodeKr, readKr, legacyIsInitial, legacyStopsAtShifts)

/* ---- encoding -------------------------------------------------------------------------- */

static int isKrBegun(unsigned state) {
  return state == (KR_BEGUN | KR_ASCII);
}

/* Writes what must stand before a code point: the header, a shift. */
static size_t putKrShift(unsigned *state, uint8_t *out, unsigned needed) {
  size_t n = 0;
  if (!(*state & KR_BEGUN)) {
    memcpy(out, krHeader, sizeof krHeader);
    n = sizeof krHeader;
  }
  if ((*state & KR_DOUBLE) != needed) out[n++] = needed ? 0x0E : 0x0F;
  *state = KR_BEGUN | needed;
  return n;
}

static size_t writeKr(unsigned *state, uint8_t *out, uint32_t code) {
  const int isAscii = code < 0x80;
  const uint32_t bytes = isAscii ? code : legacyDoubleOfCode(UTF8_CHARSET_EUC_KR, code);
  if (isAscii ? legacyIsShift(code) : bytes == 0) return 0;
  const size_t n = putKrShift(state, out, isAscii ? KR_ASCII : KR_DOUBLE);
  return n + legacyPutBytes(out + n, bytes);
}

LEGACY_STATE_ENCODER(encodeKr, writeKr, isKrBegun, legacyStopsAtShifts)

static size_t finishKr(unsigned *state, uint8_t *out) {
  const size_t size = *state & KR_DOUBLE ? 1 : 0;
  out[0] = 0x0F;
  *state = KR_ASCII;
  return size;
}

const LegacyCodec utf8charset_iso2022_kr = {decodeKr, encodeKr, finishKr};
