/* detect/counts.h: what is counted of the values of a column, or of a table. detect/mixture.h adds values and
** estimates; detect/prior.h reads what is common.
*/
#ifndef UTF8_DETECT_COUNTS_H
#define UTF8_DETECT_COUNTS_H

#include "detect/prior.h"

/* Different ill-formed values and well-formed ones that are read, of the first ones. */
#define UTF8_MIXTURE_VALUES 192
#define UTF8_MIXTURE_CLEAN  64

/* How many values have a history, are in a language, or both: sums of Utf8MixtureShares. */
typedef struct Utf8MixtureCounts {
  uint32_t histories[UTF8_HISTORIES];
  uint32_t agreed;
  uint32_t languages[UTF8_LANGUAGES];
  uint32_t together[UTF8_LIKELIHOODS];
} Utf8MixtureCounts;

/* For how much of a value each history and each language accounts, of 2^16. For a charset in a language it is of
** 2^8, and multiplied by the share of the charset: a reading that is not sure hardly counts. `agreed` is for how much the
** commonest history of the column accounts, or one with the same text, of 2^16: 0 before the mixture is estimated. */
typedef struct Utf8MixtureShares {
  uint16_t histories[UTF8_HISTORIES];
  uint16_t agreed;
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

/* The values of a column, or of a table. Zeroed before its first use. About 218 KB. */
typedef struct Utf8Mixture {
  Utf8Prior world; /* of an estimated table: its prior, with strangers */
  Utf8MixtureCounts counts;
  size_t count; /* ill-formed values */
  size_t clean_count;
  /* How many of the first rows have values beyond ASCII, each as often as it occurs: */
  uint32_t rows_ill_formed, rows_well_formed;
  /* Hashes of the ill-formed values: each counts once, whatever its digits. */
  uint64_t seen[UTF8_MIXTURE_VALUES];
  Utf8MixtureValue values[UTF8_MIXTURE_VALUES];
  uint64_t with_trails[UTF8_MIXTURE_VALUES]; /* bit n: it has the byte 80 + n */
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

/* Returns how many ill-formed values count. */
static inline size_t utf8detect_mixture_counted(const Utf8Mixture *m) {
  return m->signs == m->count ? m->count : m->count - m->signs;
}

#endif
