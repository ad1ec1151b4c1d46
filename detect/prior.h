/* detect/prior.h: what is likely before a value is read, and what it weighs with its likelihood.
**
** A prior says how common histories and languages are: in the world, in a table, in a column. Costs are in
** eighths of a bit, weights are integers, so that results are the same on every machine.
*/
#ifndef UTF8_DETECT_PRIOR_H
#define UTF8_DETECT_PRIOR_H

#include "detect/likelihood.h"
#include "detect/weight.h"

typedef struct Utf8Mixture Utf8Mixture; /* detect/counts.h */
typedef struct Utf8MixtureShares Utf8MixtureShares;

/* The costs of histories, of languages, and of a history with a language: the dearer, the rarer. */
typedef struct Utf8Prior {
  uint32_t history[UTF8_HISTORIES];
  uint32_t language[UTF8_LANGUAGES];
  uint32_t
      together[UTF8_LIKELIHOODS]; /* by how often a column and its table have both */
  uint32_t against
      [UTF8_HISTORIES]; /* what letters of neighbours, and the row, speak against it */
} Utf8Prior;

/* Stores how common charsets and languages are in the world. */
void utf8detect_world_prior(Utf8Prior *prior);

/* Forgets which languages a column and its table have in which charset. */
void utf8detect_prior_apart(Utf8Prior *prior);

/* Stores in prior->together what values cost that came from elsewhere: in any language, and in a charset of that language,
** as common as the charset is in the world. prior is that of the world. */
void utf8detect_suppose_strangers(Utf8Prior *prior);

/* Replaces the prior by what the mixture says, whose own prior it is. own has what the value itself adds to
** the mixture, which is left out; NULL if the mixture does not have the value. */
void utf8detect_apply_mixture(Utf8Prior *prior, const Utf8Mixture *m,
                              const Utf8MixtureShares *own);

/* Likewise for the languages alone: of a well-formed value. */
void utf8detect_apply_languages(Utf8Prior *prior, const Utf8Mixture *m,
                                const Utf8MixtureShares *own);

/* Makes the histories rarer that the other values of an estimated mixture do not show: the rarer, the more of them agree. */
void utf8detect_make_unshown_rarer(Utf8Prior *prior, const Utf8Mixture *m,
                                   const Utf8MixtureShares *own);

/* What each history weighs in each of its languages, in all, and each language after all histories. */
typedef struct Utf8Weights {
  uint64_t together[UTF8_LIKELIHOODS];
  uint64_t histories[UTF8_HISTORIES];
  uint64_t languages[UTF8_LANGUAGES];
  uint64_t sum;
} Utf8Weights;

/* Stores what a value with this likelihood weighs under the prior. */
void utf8detect_weigh(Utf8Weights *w, const Utf8Likelihood *of, const Utf8Prior *prior);

#endif
