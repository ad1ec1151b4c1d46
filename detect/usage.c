/* detect/usage.c: prior knowledge of signs and charsets that the counted text does not show. */
#include "detect/usage.h"
#include "charset/legacy.h"
#include <string.h>

#define USAGE_COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- signs -------------------------------------------------------------------------------- */

/* Fewer pairs show nothing: a single sign could be a short word. */
#define SIGN_PAIRS 6

/* The letters beside which signs stand. */
typedef enum SignBeside {
  BESIDE_M,
  BESIDE_C_OR_F,
  BESIDE_S_OR_T,
  BESIDE_WORD, /* any letter, where nothing else is usual */
  BESIDE_ANY   /* any letter, which may also be one of a word with the sign's byte */
} SignBeside;

/* Signs of windows-1252 that may stand directly after an ASCII letter, and before one. */
typedef struct UsualSign {
  uint16_t code;
  uint8_t beside;
} UsualSign;
static const UsualSign signsAfter[] = {{0xB2, BESIDE_M},     {0xB3, BESIDE_M},
                                       {0xB4, BESIDE_ANY},   {0x2019, BESIDE_ANY},
                                       {0x201D, BESIDE_ANY}, {0x2122, BESIDE_WORD},
                                       {0xAE, BESIDE_WORD}};
static const UsualSign signsBefore[] = {
    {0xB5, BESIDE_M},     {0x2019, BESIDE_S_OR_T}, {0x20AC, BESIDE_ANY},
    {0x201E, BESIDE_ANY}, {0x2039, BESIDE_ANY},    {0x2018, BESIDE_ANY},
    {0x201C, BESIDE_ANY}, {0xAB, BESIDE_ANY},      {0xB0, BESIDE_C_OR_F},
    {0xA1, BESIDE_WORD},  {0xBF, BESIDE_WORD},     {0xB4, BESIDE_ANY}};

static int isBeside(SignBeside beside, unsigned letter) {
  const uint8_t *class = utf8detect_pairs_class;
  if (beside == BESIDE_M) return letter == class['m'];
  if (beside == BESIDE_C_OR_F) return letter == class['C'] || letter == class['F'];
  return beside >= BESIDE_WORD || letter == class['s'] || letter == class['t'];
}

static int isUsualBeside(const UsualSign *signs, size_t count, unsigned code,
                         unsigned letter) {
  for (size_t i = 0; i < count; i++) {
    if (signs[i].code == code) return isBeside((SignBeside)signs[i].beside, letter);
  }
  return 0;
}

/* Is it a sign of windows-1252 that people use, unlike ¤ ¦ ¨ ¬ ¯ ¸? */
static int isUsualSign(unsigned code) {
  const uint16_t *high = utf8charset_high(UTF8_CHARSET_WINDOWS1252);
  if (!utf8detect_is_sign(code)) return 0;
  if (code >= 0xA0 && code <= 0xFF)
    return memchr("\xA4\xA6\xA8\xAC\xAF\xB8", (int)code, 6) == NULL;
  for (int i = 0; i < 0x20; i++) {
    if (high[i] == code) return 1;
  }
  return 0;
}

/* Does the sign stand after something: ’ ” † ‡? */
static int isNeverFirst(unsigned code) {
  return code == 0x2019 || code == 0x201D || (code | 1) == 0x2021;
}

/* Can the pair be a usual sign and a byte that it may stand beside? */
static int isSignPair(const Utf8Pair *pair, const uint16_t *high) {
  const unsigned first = pair->first, second = pair->second;
  const unsigned sign = first < 128 ? first : second;
  const unsigned code = high[sign];
  if (!isUsualSign(code)) return 0;
  if (first < 128 && second < 128) return code == 0xA7 && second == first; /* §§ */
  if (first == UTF8_CLASS_SPACE && isNeverFirst(code)) return 0;
  if (code == 0xA0 && (first == UTF8_CLASS_SPACE || second == UTF8_CLASS_SPACE))
    return 0;
  if (code == 0xB4 && (first >= UTF8_CLASS_SPACE || second >= UTF8_CLASS_SPACE))
    return 0;
  const unsigned other = first < 128 ? second : first;
  if (other >= UTF8_CLASS_SPACE) return other != utf8detect_pairs_class['~'];
  return first < 128 ? isUsualBeside(signsBefore, USAGE_COUNT(signsBefore), code, other)
                     : isUsualBeside(signsAfter, USAGE_COUNT(signsAfter), code, other);
}

int utf8detect_usage_are_signs_in(const Utf8PairList *pairs, Utf8Charset charset) {
  const uint16_t *high = utf8detect_high(charset);
  for (size_t i = 0; i < pairs->high; i++) {
    if (!isSignPair(&pairs->list[i], high)) return 0;
  }
  return pairs->high > 0;
}

/* Returns how usual the sign of the pair is beside the other byte, if that is a letter. */
static SignBeside usageBeside(const Utf8Pair *pair, const uint16_t *high) {
  const int isBefore = pair->first < 128;
  const unsigned code = high[isBefore ? pair->first : pair->second];
  const UsualSign *signs = isBefore ? signsBefore : signsAfter;
  const size_t count = isBefore ? USAGE_COUNT(signsBefore) : USAGE_COUNT(signsAfter);
  for (size_t i = 0; i < count; i++)
    if (signs[i].code == code) return (SignBeside)signs[i].beside;
  return BESIDE_ANY;
}

size_t utf8detect_usage_beside_letters(const Utf8PairList *pairs, Utf8Charset charset,
                                       int isOfWord) {
  const uint16_t *high = utf8detect_high(charset);
  const SignBeside wanted = isOfWord ? BESIDE_WORD : BESIDE_ANY;
  size_t count = 0;
  for (size_t i = 0; i < pairs->high; i++) {
    const Utf8Pair *pair = &pairs->list[i];
    const unsigned other = pair->first < 128 ? pair->second : pair->first;
    const int isLetter =
        other < UTF8_CLASS_SPACE && pair->first != pair->second; /* §§ */
    count += isLetter && usageBeside(pair, high) == wanted;
  }
  return count;
}

int utf8detect_usage_are_signs(const Utf8PairList *pairs) {
  return utf8detect_usage_are_signs_in(pairs, UTF8_CHARSET_WINDOWS1252);
}

int utf8detect_usage_has_signs_only(const Utf8PairList *pairs) {
  return pairs->high_sum >= SIGN_PAIRS && utf8detect_usage_are_signs(pairs);
}

/* ---- rare charsets -------------------------------------------------------------------------- */

/* This many different pairs with a byte above 7F show even a rare charset. */
#define RARE_PAIRS 5

/* Is it a charset that hardly anyone uses? */
static int isRareCharset(Utf8Charset charset) {
  switch (charset) {
  case UTF8_CHARSET_ISO8859_3:
  case UTF8_CHARSET_ISO8859_10:
  case UTF8_CHARSET_ISO8859_13:
  case UTF8_CHARSET_ISO8859_14:
  case UTF8_CHARSET_ISO8859_16:
  case UTF8_CHARSET_PTCP154:
  case UTF8_CHARSET_KOI8_T:
  case UTF8_CHARSET_HP_ROMAN8:
  case UTF8_CHARSET_MAC_ARABIC:
  case UTF8_CHARSET_MAC_FARSI:
  case UTF8_CHARSET_VISCII:
    return 1;
  default:
    return 0;
  }
}

/* Is it a letter that only rare charsets have? */
static int isRareLetter(uint32_t code) {
  static const uint16_t ranges[][2] = {
      {0x108, 0x10B}, {0x11C, 0x11D}, {0x120, 0x121}, {0x124, 0x129},
      {0x134, 0x135}, {0x138, 0x138}, {0x14A, 0x14B}, {0x15C, 0x15D},
      {0x166, 0x169}, {0x16C, 0x16D}, {0x174, 0x177}, {0x1E00, 0x1E9F}};
  for (size_t i = 0; code >= ranges[0][0] && i < sizeof ranges / sizeof *ranges; i++) {
    if (code >= ranges[i][0] && code <= ranges[i][1]) return 1;
  }
  return 0;
}

int utf8detect_usage_is_unlikely(const Utf8PairList *pairs, Utf8Charset charset) {
  if (pairs->high > RARE_PAIRS || !isRareCharset(charset)) return 0;
  const uint16_t *high = utf8detect_high(charset);
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    if (isRareLetter(high[pairs->bytes[i]])) return 0;
  }
  return 1;
}

/* ---- causes -------------------------------------------------------------------------------- */

/* Bits that speak against pasted text in another script than the text around it. */
#define OTHER_SCRIPT_BITS 12

/* Bits that speak against pasted text of other systems than Windows. */
#define OTHER_SYSTEM_BITS 6

/* Is the charset one of Windows, or the same as one but for controls? */
static int isOfWindows(Utf8Charset charset) {
  return (charset >= UTF8_CHARSET_WINDOWS874 && charset <= UTF8_CHARSET_WINDOWS1258) ||
         charset == UTF8_CHARSET_WINDOWS1252 || charset == UTF8_CHARSET_LATIN1;
}

unsigned utf8detect_usage_few_bits(Utf8Charset charset) {
  switch (charset) {
  case UTF8_CHARSET_X_MAC_CYRILLIC:
    return 2;
  case UTF8_CHARSET_MACINTOSH:
  case UTF8_CHARSET_CP855:
  case UTF8_CHARSET_WINDOWS1258:
    return 1;
  default:
    return isRareCharset(charset) ? 3 : 0;
  }
}

unsigned utf8detect_usage_pasted_bits(const Utf8Surroundings *around,
                                      Utf8Charset charset, unsigned script) {
  unsigned bits = utf8detect_usage_few_bits(charset);
  uint64_t scripts = around->damage->codes.scripts;
  if (around->whole->size > around->whole->high) scripts |= 1u << UTF8_SCRIPT_LATIN;
  if (!(scripts >> script & 1)) bits += OTHER_SCRIPT_BITS;
  return bits + (isOfWindows(charset) ? 0 : OTHER_SYSTEM_BITS);
}

/* Bits of each ’s, which the counted text has too little of, and how many pairs a text must have: in a word, í could
** stand there in another charset. */
#define APOSTROPHE_BITS  4
#define APOSTROPHE_PAIRS 32

unsigned utf8detect_usage_apostrophe_bits(const Utf8PairList *pairs) {
  unsigned count = 0;
  if (pairs->size < APOSTROPHE_PAIRS) return 0;
  for (size_t i = 0; i < pairs->high; i++) {
    const Utf8Pair *pair = &pairs->list[i];
    if (pair->first == 0x92 - 0x80 && pair->second == utf8detect_pairs_class['s'])
      count += pair->count;
  }
  return count * APOSTROPHE_BITS;
}

int utf8detect_usage_is_western(Utf8Charset charset) {
  switch (charset) {
  case UTF8_CHARSET_WINDOWS1252:
  case UTF8_CHARSET_LATIN1:
  case UTF8_CHARSET_ISO8859_15:
  case UTF8_CHARSET_MACINTOSH:
  case UTF8_CHARSET_CP437:
  case UTF8_CHARSET_CP850:
    return 1;
  default:
    return 0;
  }
}
