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

#include "detect/likelihood.h"

/* Different ill-formed values and well-formed ones that are read, of the first ones. */
#define UTF8_MIXTURE_VALUES 96
#define UTF8_MIXTURE_CLEAN  64

/* How many values have a history, are in a language, or both: sums of Utf8MixtureShares. */
typedef struct Utf8MixtureCounts {
  uint32_t histories[UTF8_HISTORIES];
  uint32_t languages[UTF8_LANGUAGES];
  uint32_t together[UTF8_LIKELIHOODS];
} Utf8MixtureCounts;

/* For how much of a value each history and each language accounts, of 2^16. For a charset in a language it is of
** 2^8, and multiplied by the share of the charset: a reading that is not sure hardly counts. */
typedef struct Utf8MixtureShares {
  uint16_t histories[UTF8_HISTORIES];
  uint16_t languages[UTF8_LANGUAGES];
  uint8_t together[UTF8_LIKELIHOODS];
} Utf8MixtureShares;

/* A value that was added: its likelihood, and after the estimate its shares. */
typedef union Utf8MixtureValue {
  Utf8Likelihood likelihood;
  Utf8MixtureShares shares;
} Utf8MixtureValue;

/* Places for different letters of well-formed values, a power of two. */
#define UTF8_MIXTURE_LETTERS 512

/* A letter without case, or a sign, and how often it occurs. */
typedef struct Utf8MixtureLetter {
  uint32_t letter;
  uint32_t count;
} Utf8MixtureLetter;

/* The values of a column, or of a table. Zeroed before its first use. About 110 KB. */
typedef struct Utf8Mixture {
  Utf8MixtureCounts counts;
  size_t count; /* ill-formed values */
  size_t clean_count;
  /* How many of the first rows have values beyond ASCII, each as often as it occurs: */
  uint32_t rows_ill_formed, rows_well_formed;
  /* Hashes of the ill-formed values: each counts once, whatever its digits. */
  uint64_t seen[UTF8_MIXTURE_VALUES];
  Utf8MixtureValue values[UTF8_MIXTURE_VALUES];
  /* Signs beside letters show no charset: values that read as signs do not count if others read as letters. */
  uint8_t is_signs[UTF8_MIXTURE_VALUES];
  size_t signs;
  uint8_t clean[UTF8_MIXTURE_CLEAN][UTF8_LANGUAGES];
  /* Of well-formed values: */
  uint64_t leads;      /* bit n: the lead byte C0 + n occurs */
  uint32_t trails[64]; /* how often the continuation byte 80 + n does */
  Utf8MixtureLetter letters[UTF8_MIXTURE_LETTERS];
  uint32_t letter_count; /* different letters */
  uint32_t letter_sum;   /* of their counts */
} Utf8Mixture;

/* Returns a hash of the value, its digits apart. */
uint64_t utf8detect_mixture_hash(const uint8_t *bytes, size_t size);

/* Returns how many ill-formed values count. */
size_t utf8detect_mixture_counted(const Utf8Mixture *mixture);

/* Returns the history of most values of an estimated mixture, the first of several. */
size_t utf8detect_mixture_commonest(const Utf8Mixture *mixture);

/* Returns what the ill-formed value with this hash adds to an estimated mixture, or NULL if it does not count. */
const Utf8MixtureShares *utf8detect_mixture_own(const Utf8Mixture *mixture,
                                                uint64_t hash);

/* Returns how often the letter is in well-formed values. */
uint32_t utf8detect_mixture_letter(const Utf8Mixture *mixture, uint32_t letter);

/* Does an ill-formed value with this hash add nothing? */
int utf8detect_mixture_is_known(const Utf8Mixture *mixture, uint64_t hash);

/* Adds an ill-formed value whose evidence is complete. */
void utf8detect_mixture_add(Utf8Mixture *mixture, uint64_t hash,
                            Utf8CauseEvidence *evidence);

/* Adds a well-formed value; only its first bytes are read. Of a column whose histories matter, also count the values:
** utf8detect_mixture_count(). */
void utf8detect_mixture_add_clean(Utf8Mixture *mixture, const uint8_t *bytes,
                                  size_t size);

/* Counts a value of one of the first rows, well-formed or not. */
void utf8detect_mixture_count(Utf8Mixture *mixture, const uint8_t *bytes, size_t size);

/* Estimates the mixture when all values were added: of a table, whose parent is NULL, and then of its
** columns. */
void utf8detect_mixture_estimate(Utf8Mixture *mixture, const Utf8Mixture *table);

#endif
