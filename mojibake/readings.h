/* mojibake/readings.h: the texts that a segment may have been before it was misread, and how likely each is.
**
**     Utf8MojibakeReadings r;
**     utf8mojibake_readings(&r, NULL, text, size);
**     // of "Å»ywiec": "Żywiec" in windows-1252, and itself
**
** A reading costs what its characters cost after one another, what its letters cost in the language that they
** fit best (detect/model.h), and what must have happened to it. Bayes' rule makes probabilities of these costs.
*/
#ifndef UTF8_MOJIBAKE_READINGS_H
#define UTF8_MOJIBAKE_READINGS_H

#include "mojibake/mojibake.h"
#include "mojibake/segment.h"
#include <string.h>

#define UTF8_MOJIBAKE_READINGS 12

/* The bytes of a segment once it is restored, at most. */
#define UTF8_MOJIBAKE_TEXT (UTF8_MOJIBAKE_LINE / 2 * 3)

/* The probabilities of 1 and of what is written. */
#define UTF8_MOJIBAKE_ONE  ((uint64_t)1 << 32)
#define UTF8_MOJIBAKE_SURE ((UTF8_MOJIBAKE_ONE * 999 + 999) / 1000)

/* The least probability of what utf8mojibake_restore() makes. */
#define UTF8_MOJIBAKE_SURELY ((double)UTF8_MOJIBAKE_SURE / (double)UTF8_MOJIBAKE_ONE)

/* What is likely before a value is read, in quarters of a bit. */
typedef struct Utf8MojibakePrior {
  int32_t itself;                        /* it is text as it is */
  int32_t misread[MOJIBAKE_WITH_RIVALS]; /* it was misread in a charset */
  uint32_t known; /* charsets, as bits, in which values around it surely were */
  /* What speaks against each language of detect/model.h, in its unit; NULL: they are alike. */
  const uint32_t *languages;
} Utf8MojibakePrior;

/* Stores what is likely for a value alone. */
void utf8mojibake_alone(Utf8MojibakePrior *prior);

typedef struct Utf8MojibakeReading {
  Utf8MojibakeSegment
      of;         /* of the layer that is undone first; no run: the text as it is */
  size_t covered; /* how many high code points were restored */
  int32_t before; /* the cost of what must have happened, in quarters of a bit */
  int32_t cost;   /* that, and what the text costs */
  uint64_t probability;
  uint8_t text[UTF8_MOJIBAKE_TEXT];
} Utf8MojibakeReading;

typedef struct Utf8MojibakeReadings {
  size_t count;
  size_t before,
      after; /* ASCII characters at the start and at the end that say little of what is between */
  Utf8MojibakeReading list[UTF8_MOJIBAKE_READINGS];
} Utf8MojibakeReadings;

/* Is well-formed text one short line, whose readings can be listed? */
static inline int utf8mojibake_is_line(const uint8_t *text, size_t size) {
  return size <= UTF8_MOJIBAKE_WHOLE && (size == 0 || !memchr(text, '\n', size));
}

/* Lists the readings of well-formed text of at most UTF8_MOJIBAKE_LINE bytes, the likeliest first, at least one. The text
** as it is is among them unless another reading is far likelier. prior is NULL for a value alone. The probabilities add
** up to at most UTF8_MOJIBAKE_ONE. Uses about 64 KB of the stack. */
void utf8mojibake_readings(Utf8MojibakeReadings *r, const Utf8MojibakePrior *prior,
                           const uint8_t *text, size_t size);

/* Restores such text if one reading is sure, layer by layer, and writes it to out if something was restored and out is
** not NULL: at most 3 bytes for 2. */
Utf8MojibakeSegment utf8mojibake_restore_segment(const uint8_t *text, size_t size,
                                                 int isEnd, uint8_t *out);

#endif
