/* detect/usage.c: prior knowledge of signs and charsets that the counted text does not show. */
#include "detect/usage.h"
#include "charset/legacy.h"
#include <string.h>

/* ---- signs -------------------------------------------------------------------------------- */

/* Fewer pairs show nothing: a single sign could be a short word. */
#define SIGN_PAIRS 6

/* May windows-1252 have the sign directly after an ASCII letter, or before one? Where its byte is
** also the second one of common letters in UTF-8, it may not. */
static int isSignAfter(unsigned byte, unsigned letter) {
  const int isMetre =
      (byte == 0xB2 || byte == 0xB3) && letter == utf8detect_pairs_class['m'];
  return isMetre || memchr("\x92\x94\x99\xAE", (int)byte, 4) != NULL;
}

static int isSignBefore(unsigned byte, unsigned letter) {
  const unsigned m = utf8detect_pairs_class['m'], s = utf8detect_pairs_class['s'];
  const unsigned t = utf8detect_pairs_class['t'];
  if (byte == 0xB5) return letter == m;                /* µm */
  if (byte == 0x92) return letter == s || letter == t; /* it’s */
  return memchr("\x80\x84\x8B\x91\x93\xAB\xB0", (int)byte, 7) != NULL;
}

/* Can the pair be a sign of windows-1252 and a byte that it may stand beside? */
static int isSignPair(const Utf8Pair *pair, const uint16_t *high) {
  const unsigned first = pair->first, second = pair->second;
  if (first < 128 && second < 128)
    return first + 128 == 0xA7 && second == first; /* §§ */
  const unsigned sign = first < 128 ? first : second;
  if (!utf8detect_is_sign(high[sign]) ||
      memchr("\xA6\xA8\xAC\xAF\xB4\xB8", (int)sign + 128, 6))
    return 0; /* ¦ ¨ ¬ ¯ ´ ¸ are hardly ever used */
  const unsigned other = first < 128 ? second : first;
  if (other >= UTF8_CLASS_SPACE) return 1;
  return first < 128 ? isSignBefore(sign + 128, other) : isSignAfter(sign + 128, other);
}

int utf8detect_usage_are_signs(const Utf8PairList *pairs) {
  const uint16_t *high = utf8charset_high(UTF8_CHARSET_WINDOWS1252);
  for (size_t i = 0; i < pairs->high; i++) {
    if (!isSignPair(&pairs->list[i], high)) return 0;
  }
  return pairs->high > 0;
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

/* Returns the bits that speak against a charset because few texts are in it. */
static unsigned fewBits(Utf8Charset charset) {
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

unsigned utf8detect_usage_bits(const Utf8Surroundings *around, Utf8Charset charset,
                               unsigned script) {
  unsigned bits = fewBits(charset);
  if (!around->damage) return bits;
  uint64_t scripts = around->damage->codes.scripts;
  if (around->whole->size > around->whole->high) scripts |= 1u << UTF8_SCRIPT_LATIN;
  if (!(scripts >> script & 1)) bits += OTHER_SCRIPT_BITS;
  return bits + (isOfWindows(charset) ? 0 : OTHER_SYSTEM_BITS);
}

/* Bits of each ’s, and how many pairs a text must have: in a word, í could stand there in another
** charset. */
#define APOSTROPHE_BITS  2
#define APOSTROPHE_PAIRS 32

unsigned utf8detect_usage_apostrophe_bits(const Utf8Surroundings *around) {
  unsigned count = 0;
  if (!around || around->damage || around->whole->size < APOSTROPHE_PAIRS) return 0;
  for (size_t i = 0; i < around->whole->high; i++) {
    const Utf8Pair *pair = &around->whole->list[i];
    if (pair->first == 0x92 - 0x80 && pair->second == utf8detect_pairs_class['s'])
      count += pair->count;
  }
  return count * APOSTROPHE_BITS;
}

/* A pair of ASCII letters costs at most this many tenths of a bit in the text's language, if the model
** has that. Fewer pairs show nothing. */
#define STRANGE_TENTHS 37
#define STRANGE_PAIRS  12

int utf8detect_usage_is_strange(const Utf8Surroundings *around, uint64_t cost) {
  uint64_t count = 0;
  if (!around) return 0;
  const Utf8PairList *pairs = around->whole;
  for (size_t i = 0; i < pairs->size - pairs->high; i++) count += pairs->ascii[i].count;
  return count >= STRANGE_PAIRS && cost * 10 > count * STRANGE_TENTHS * UTF8_MODEL_UNIT;
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
