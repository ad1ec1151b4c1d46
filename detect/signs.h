/* detect/signs.h: what signs and lone letters cost by what stands beside them: prices, measures, quotes, initials. They show
** no language, and the counted text has little of them.
*/
#ifndef UTF8_DETECT_SIGNS_H
#define UTF8_DETECT_SIGNS_H

#include "detect/alphabet.h"

/* What the places of the bytes above 7F show of a text. */
typedef enum Utf8SignsText {
  UTF8_SIGNS_NONE,   /* it has words with them */
  UTF8_SIGNS_MAY,    /* some touch letters, as signs may */
  UTF8_SIGNS_APART,  /* none touches a letter or another of them */
  UTF8_SIGNS_NUMBERS /* likewise, beside numbers */
} Utf8SignsText;
Utf8SignsText utf8detect_signs_text(const Utf8Places *places);

/* Returns the bits of the text in a charset that reads each byte above 7F as a sign that is used there; if is_apart, also as
** another sign or a lone letter. Returns UTF8_SIGNS_NEVER if it reads a byte as anything else. */
#define UTF8_SIGNS_NEVER UINT32_MAX
unsigned utf8detect_signs_bits(const Utf8BigramList *bigrams, Utf8Charset charset,
                               int is_apart);

/* May the places of a text show whether its bytes are signs: is one beside a number, after the m of m² or the n of n°, or
** directly after a word, where some signs are not written? */
int utf8detect_signs_are_among_words(const Utf8Places *places);

/* Returns how many bits less the signs of a text with words may cost in any charset where they stand as signs do: ½ after a
** number, ² after an m. */
unsigned utf8detect_signs_most(const Utf8Places *places);

/* Returns how many bits more they cost in a charset; below 0 if less. Only for a text with
** utf8detect_signs_are_among_words(). */
int utf8detect_signs_more(const Utf8BigramList *bigrams, Utf8Charset charset);

/* Stores the charsets in which each byte above 7F is a sign that has a usage: in the others, utf8detect_signs_bits() is
** UTF8_SIGNS_NEVER unless is_apart. */
void utf8detect_signs_charsets(uint32_t charsets[UTF8_CHARSETS_WORDS],
                               const Utf8BigramList *bigrams);

/* Does each byte above 7F stand between a number and something that is neither a letter nor a number? */
int utf8detect_end_numbers(const Utf8Places *places);

#endif
