/* detect/likelihood.h: how likely a value is after each history, in each language.
**
** The likelihood of a value after a history (detect/history.h), for a text in a language, comes from the costs of
** detect/model.h. What is likely before the value is read is not part of it: detect/mixture.h estimates that from other
** values.
*/
#ifndef UTF8_DETECT_LIKELIHOOD_H
#define UTF8_DETECT_LIKELIHOOD_H

#include "detect/asutf8.h"
#include "detect/history.h"

/* A likelihood is a cost: bits more than the likeliest of these, in quarters. */
#define UTF8_LIKELIHOOD_UNIT  4
#define UTF8_LIKELIHOOD_NEVER 255 /* also of what is less likely */

/* For each history and each of its languages, the lowest bit first. */
typedef struct Utf8Likelihood {
  uint8_t cost[UTF8_LIKELIHOODS];
  /* For each single-byte charset the first one that makes the same text of the value; UTF8_HISTORIES if it lacks a
  ** byte. */
  uint8_t same[UTF8_HISTORY_ASIAN];
  uint8_t
      is_tcvn; /* in viscii it costs what text in TCVN does, which is not compared */
  uint8_t is_signs; /* the likeliest of these reads it as signs */
  uint8_t is_lone; /* it has nothing beyond ASCII but lone letters, away from numbers */
} Utf8Likelihood;

/* Do two charsets make the same text of the bytes above 7F? */
int utf8detect_is_same_text(const Utf8BigramList *bigrams, Utf8Charset a,
                            Utf8Charset b);

/* Stores the likelihood of a value, whose evidence is complete; trigrams may be NULL. */
void utf8detect_likelihood(Utf8Likelihood *likelihood, const Utf8AsianEvidence *asian,
                           const Utf8Trigrams *trigrams, const Utf8AsUtf8 *as);

/* Returns the likeliest history of a text alone, of those whose charset is named; trigrams may be NULL. */
size_t utf8detect_likeliest(const Utf8AsianEvidence *asian,
                            const Utf8Trigrams *trigrams, const Utf8AsUtf8 *as);

/* Returns what the text costs in a legacy charset, in its best language; UINT64_MAX if it has an error there. trigrams
** may be NULL. */
uint64_t utf8detect_cost_in(Utf8Charset charset, const Utf8AsianEvidence *asian,
                            const Utf8Trigrams *trigrams,
                            const Utf8BigramList *bigrams);

/* Stores what the ill-formed bytes of a value cost in each single-byte charset and each of its languages, at
** utf8detect_history_first(); UINT64_MAX if they have an error there. seen has the letters of the whole sequences. */
void utf8detect_pasted_costs(uint64_t cost[UTF8_LIKELIHOODS], const Utf8AsUtf8 *as,
                             const Utf8CodesSeen *seen);

/* Stores how many quarters of a bit more the code points of a well-formed value cost in each language
** than in the best one. */
void utf8detect_language_likelihood(uint8_t cost[UTF8_LANGUAGES], const uint32_t *codes,
                                    size_t count);

/* Returns the language of the start of well-formed text if that is likelier than all others together, or
** UTF8_LANGUAGES. */
unsigned utf8detect_language_of(const uint8_t *text, size_t size);

#endif
