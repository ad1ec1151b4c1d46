/* detect/readings.h: the texts that an ill-formed value may have been, and how probable each is.
**
** A reading is a text with what must have happened to it. The probability follows from the likelihood of the
** value (detect/likelihood.h) and from what is likely before it is read (detect/prior.h): in the world, or
** in its column and table (detect/mixture.h). Nothing is allocated, and nothing is shared between threads.
*/
#ifndef UTF8_DETECT_READINGS_H
#define UTF8_DETECT_READINGS_H

#include "detect/among.h"
#include "detect/mixture.h"

/* Probabilities are integers: this one is 1. */
#define UTF8_PROBABILITY_ONE ((uint64_t)1 << 32)

/* A reading is written if its probability is at least this: 0.999. */
#define UTF8_PROBABILITY_SURE (UTF8_PROBABILITY_ONE / 1000 * 999)

typedef struct Utf8Reading {
  Utf8Cause cause;
  unsigned language; /* UTF8_LANGUAGES if none is likelier than all others together */
  uint64_t probability;
} Utf8Reading;

/* Readings of less than one in 4,096 are left out. */
#define UTF8_READINGS_MAX 64
#define UTF8_READINGS_MIN (UTF8_PROBABILITY_ONE / 4096)

typedef struct Utf8Readings {
  Utf8Reading list[UTF8_READINGS_MAX]; /* the most probable one first */
  size_t count;
  /* The cause of the value: that of the first reading, or UTF8_CAUSE_UNCLEAR if no reading is sure. */
  Utf8Cause cause;
} Utf8Readings;

/* Stores the readings of a value with this hash, whose evidence is complete. If among is NULL, the value is alone, and
** the hash is not used. Readings in single-byte charsets that are the same text are one. */
void utf8detect_readings(Utf8Readings *readings, Utf8CauseEvidence *evidence,
                         uint64_t hash, const Utf8Neighbours *among);

/* Adds such a value to what is known of its row. */
void utf8detect_read_in_row(Utf8Row *row, Utf8CauseEvidence *evidence, uint64_t hash,
                            const Utf8Neighbours *among);

#endif
