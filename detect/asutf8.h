/* detect/asutf8.h: how a value reads as UTF-8 that something happened to: it lost bytes, or text in a charset was pasted
** into it.
*/
#ifndef UTF8_DETECT_ASUTF8_H
#define UTF8_DETECT_ASUTF8_H

#include "detect/cause.h"

/* A charset of pasted text, and the cost of the value. */
typedef struct Utf8Pasted {
  Utf8Charset charset;
  uint64_t cost;
} Utf8Pasted;

typedef struct Utf8AsUtf8 {
  Utf8BigramList whole_bigrams;  /* of all bytes */
  Utf8BigramList pasted_bigrams; /* of the bytes of ill-formed subparts */
  const Utf8Trigrams *pasted_trigrams;
  Utf8Damage damage;
  uint64_t damaged;                          /* the cost of UTF-8 with damage */
  Utf8Pasted pasted[UTF8_ALPHABET_CHARSETS]; /* with pasted text, the cheapest first */
  size_t pasted_count;
} Utf8AsUtf8;

/* Reads a value, whose evidence is complete, as UTF-8. damage is the evidence's, or what neighbours make of it. */
void utf8detect_read_as_utf8(Utf8AsUtf8 *as, Utf8CauseEvidence *evidence,
                             const Utf8Damage *damage);

/* Reads text with these bigrams as UTF-8 with damage alone. */
void utf8detect_read_as_damaged(Utf8AsUtf8 *as, const Utf8BigramList *bigrams,
                                const Utf8Damage *damage);

#endif
