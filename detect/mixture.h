/* detect/mixture.h: what happened to the values of a column, estimated from all of them.
**
** A column is a mixture of histories, nearly always few, and of languages, often several: Estonian in
** windows-1257 with some English. It also counts which languages occur in which charset: Turkish among
** French text mostly comes from another program, in the charset of that program. The mixture is
** estimated by expectation maximization from the likelihoods of its values (detect/likelihood.h), and
** what it says of a value is its prior: Bayes' rule then gives the probability of each reading. The
** prior of the column is the mixture of its table, and the prior of that is how common charsets and
** languages are in the world.
**
** All numbers are integers, so that results are the same on every machine. Nothing is allocated, and
** nothing is shared between threads.
*/
#ifndef UTF8_DETECT_MIXTURE_H
#define UTF8_DETECT_MIXTURE_H

#include "detect/counts.h"

/* Returns a hash of the value, its digits apart. */
uint64_t utf8detect_mixture_hash(const uint8_t *bytes, size_t size);

/* Returns the history of most values of an estimated mixture, the first of several. */
size_t utf8detect_mixture_commonest(const Utf8Mixture *mixture);

/* Returns what the ill-formed value with this hash adds to an estimated mixture, or NULL if it does not count. */
const Utf8MixtureShares *utf8detect_mixture_own(const Utf8Mixture *mixture,
                                                uint64_t hash);

/* Does an ill-formed value with this hash add nothing? */
int utf8detect_mixture_is_known(const Utf8Mixture *mixture, uint64_t hash);

/* Adds an ill-formed value whose evidence is complete. */
void utf8detect_mixture_add(Utf8Mixture *mixture, uint64_t hash,
                            Utf8CauseEvidence *evidence);

/* Adds a well-formed value; only its first bytes are read. */
void utf8detect_mixture_add_clean(Utf8Mixture *mixture, const uint8_t *bytes,
                                  size_t size);

/* Counts a value of one of the first rows, and adds it if it is well-formed. */
void utf8detect_mixture_add_first(Utf8Mixture *mixture, const uint8_t *bytes,
                                  size_t size);

/* Estimates the mixture when all values were added: of a table, whose parent is NULL, and then of its
** columns. */
void utf8detect_mixture_estimate(Utf8Mixture *mixture, const Utf8Mixture *table);

#endif
