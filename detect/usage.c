/* detect/usage.c: prior knowledge of charsets that the counted text does not show. */
#include "detect/usage.h"
#include "charset/legacy/legacy.h"

/* ---- rare charsets -------------------------------------------------------------------------- */

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
  case UTF8_CHARSET_CP1124:
  case UTF8_CHARSET_MAC_LATIN2:
  case UTF8_CHARSET_MAC_CROATIAN:
  case UTF8_CHARSET_MAC_ARABIC:
  case UTF8_CHARSET_MAC_FARSI:
  case UTF8_CHARSET_VISCII:
    return 1;
  default:
    return 0;
  }
}

unsigned utf8detect_usage_few_bits(Utf8Charset charset) {
  switch (charset) {
  case UTF8_CHARSET_X_MAC_CYRILLIC:
    return 2;
  case UTF8_CHARSET_MACINTOSH:
  case UTF8_CHARSET_CP855:
  case UTF8_CHARSET_WINDOWS1258:
    return 1;
  case UTF8_CHARSET_HP_ROMAN8:
    return 6;
  case UTF8_CHARSET_ISOIR_111: /* its letters are those of koi8-r */
    return 12;
  default:
    return isRareCharset(charset) ? 3 : 0;
  }
}

/* ---- pasted text --------------------------------------------------------------------------- */

/* Bits that speak against pasted text in another script than the text around it. */
#define OTHER_SCRIPT_BITS 12

/* Bits that speak against pasted text of other systems than Windows. */
#define OTHER_SYSTEM_BITS 6

/* Is the charset one of Windows, or the same as one but for controls? */
static int isOfWindows(Utf8Charset charset) {
  return (charset >= UTF8_CHARSET_WINDOWS874 && charset <= UTF8_CHARSET_WINDOWS1258) ||
         charset == UTF8_CHARSET_WINDOWS1252 || charset == UTF8_CHARSET_LATIN1;
}

unsigned utf8detect_usage_pasted_bits(uint64_t scripts, Utf8Charset charset,
                                      unsigned script) {
  const unsigned bits = scripts >> script & 1 ? 0 : OTHER_SCRIPT_BITS;
  return isOfWindows(charset) ? bits : bits + OTHER_SYSTEM_BITS;
}

/* ---- what charsets are of -------------------------------------------------------------------- */

/* Bits of each ’s, which the counted text has too little of, and how many bigrams a text must have: in a word, í
** could stand there in another charset. */
#define APOSTROPHE_BITS    4
#define APOSTROPHE_BIGRAMS 32

unsigned utf8detect_usage_apostrophe_bits(const Utf8BigramList *bigrams) {
  unsigned count = 0;
  if (bigrams->size < APOSTROPHE_BIGRAMS) return 0;
  for (size_t i = 0; i < bigrams->high; i++) {
    const Utf8Bigram *bigram = &bigrams->list[i];
    if (bigram->first == 0x92 - 0x80 && bigram->second == utf8detect_bigrams_class['s'])
      count += bigram->count;
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
