/* charset/legacy/johab.c: johab, the combining code of KS X 1001, annex 3; code page 1361.
**
** A double-byte code below D8 is a bit and three numbers of five bits: an initial consonant, a vowel and a
** final consonant of Hangul, each of which may be missing. The double-byte codes from D9 are the signs and
** the hanja of KS X 1001, two of its rows under each lead byte.
*/
#include "charset/legacy/double.h"

/* ---- Hangul ---------------------------------------------------------------------------- */

/* In place of the index of a letter: there is none, or the number means nothing. */
enum { JOHAB_FILLER = -1, JOHAB_NONE = -2 };

static int johabVowel(uint32_t number) {
  if ((number & 7) < 2 || number > 29) return JOHAB_NONE;
  return (int)(number / 8 * 6 + number % 8) - 3;
}

static int johabFinal(uint32_t number) {
  if (number == 0 || number == 18 || number > 29) return JOHAB_NONE;
  return (int)number - 2 - (number > 18);
}

/* Returns the code points of single letters, U+3131..3163. */
static uint32_t johabInitialAlone(int initial) {
  static const uint8_t low[] = {0x31, 0x32, 0x34, 0x37, 0x38, 0x39, 0x41,
                                0x42, 0x43, 0x45, 0x46, 0x47, 0x48, 0x49,
                                0x4A, 0x4B, 0x4C, 0x4D, 0x4E};
  return 0x3100u + low[initial];
}

static uint32_t johabFinalAlone(int final) {
  return 0x3131u + (uint32_t)(final + (final > 6) + (final > 16) + (final > 21));
}

/* Returns the code point of a double-byte code below D400, or 0. Its initial is 1, the filler, to 20. */
static uint32_t codeOfJohabHangul(uint32_t bytes) {
  int initial = (int)(bytes >> 10 & 31) - 2;
  int vowel = johabVowel(bytes >> 5 & 31), final = johabFinal(bytes & 31);
  if (vowel == JOHAB_NONE || final == JOHAB_NONE) return 0;
  if (initial >= 0 && vowel >= 0)
    return 0xAC00u + (uint32_t)((initial * 21 + vowel) * 28 + final + 1);
  if ((initial >= 0) + (vowel >= 0) + (final >= 0) > 1) return 0;
  if (initial >= 0) return johabInitialAlone(initial);
  if (vowel >= 0) return 0x314Fu + (uint32_t)vowel;
  return final >= 0 ? johabFinalAlone(final) : 0x3000;
}

/* ---- KS X 1001 ------------------------------------------------------------------------- */

/* The letters U+3131..3163 are at cells 0 to 50 of row 3, counted from 0. They are Hangul here. */
#define JOHAB_LETTERS (3 * 94)

/* Returns the code point of a double-byte code whose lead byte is D9..DE or E0..F9, or 0. */
static uint32_t codeOfJohabSign(uint32_t lead, uint32_t trail) {
  uint32_t cell = trail < 0x91 ? trail - 0x31 : trail - 0x43;
  uint32_t row = lead < 0xE0 ? 2 * (lead - 0xD9) : 2 * (lead - 0xE0) + 41;
  if (cell >= 188 || trail - 0x7F < 0x91 - 0x7F) return 0;
  uint32_t pointer = row * 94 + cell;
  if (pointer - JOHAB_LETTERS < 51) return 0;
  return utf8charset_euckr[(pointer / 94 + 0x20) * 190 + pointer % 94 + 0x60];
}

/* ---- both -------------------------------------------------------------------------------- */

static int isJohabLead(uint8_t byte) {
  return byte >= 0x84 && byte <= 0xF9 && byte != 0xDF && (byte < 0xD4 || byte > 0xD7);
}

ALWAYS_INLINE uint32_t readJohab(const uint8_t *in, size_t size, size_t *at) {
  const uint8_t *p = in + *at;
  if (UNLIKELY(size - *at < 2 || !isJohabLead(p[0]))) return legacyError(at);
  uint32_t code = p[0] < 0xD8   ? codeOfJohabHangul(p[0] * 256u + p[1])
                  : p[0] > 0xD8 ? codeOfJohabSign(p[0], p[1])
                                : 0;
  if (UNLIKELY(code == 0)) return skipDouble(in, size, at);
  *at += 2;
  return code;
}

static void addJohabLead(LegacyMap *map, uint8_t lead) {
  for (unsigned trail = 0x31; trail < 0xFF; trail++) {
    const uint8_t bytes[] = {lead, (uint8_t)trail};
    size_t at = 0;
    uint32_t code = readJohab(bytes, 2, &at);
    if (code != BYTES_FFFD) addToMap(map, code, lead * 256u + trail);
  }
}

/* Lead byte 84, of final consonants, comes last: a consonant alone is written as an initial. */
static void buildJohab(LegacyMap *map) {
  for (unsigned lead = 0x85; lead <= 0xF9; lead++) addJohabLead(map, (uint8_t)lead);
  addJohabLead(map, 0x84);
}

static LegacyMap johabMap;

LEGACY_DECODER(decodeJohab, readJohab)
LEGACY_ENCODER(encodeJohab, writeMapped, builtMap(&johabMap, buildJohab))

const LegacyCodec utf8charset_johab = {decodeJohab, encodeJohab, NULL};

size_t utf8charset_johab_codes(const uint8_t *in, size_t size, size_t *at, size_t until,
                               uint32_t *codes, size_t room) {
  return readLegacy(readJohab, in, size, at, until, codes, room);
}
