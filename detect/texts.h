/* detect/texts.h: the readings of a value by their text, as utf8_readings lists them. Nothing is allocated: the
** texts belong to the caller.
*/
#ifndef UTF8_DETECT_TEXTS_H
#define UTF8_DETECT_TEXTS_H

#include "detect/readings.h"

typedef struct Utf8TextReading {
  uint8_t *text; /* well-formed UTF-8 */
  size_t size;
  char cause[UTF8_CAUSE_NAME_MAX]; /* "": the text is the value itself */
  const char *charset;             /* NULL if none */
  const char *language;            /* NULL if none */
  double probability;
} Utf8TextReading;

/* Readings of at least this probability are listed, the likeliest first; at equal probability in the byte order
** of their texts. */
#define UTF8_TEXT_READINGS_MAX 20
#define UTF8_TEXT_READINGS_MIN 0.001

typedef struct Utf8TextReadings {
  Utf8TextReading *list; /* room for UTF8_READINGS_MAX */
  int count;
} Utf8TextReadings;

/* Stores the readings of an ill-formed value and returns 1 if rules decide them, as
** utf8detect_cause_by_rules() does: none of what is not text. */
int utf8detect_readings_by_rules(Utf8Readings *readings, const uint8_t *bytes,
                                 size_t size, unsigned dialect);

/* Adds a reading with its text. If the list has the text already, adds the probability to it and returns 0: the
** list does not keep this text. */
int utf8detect_add_text(Utf8TextReadings *readings, uint8_t *text, size_t size,
                        Utf8Reading of);

/* Likewise adds what a well-formed value may have been before it was misread in a charset, which is named, or itself if
** the name is NULL. */
int utf8detect_add_misread(Utf8TextReadings *readings, uint8_t *text, size_t size,
                           const char *charset, double probability);

/* Sorts the readings, and returns how many of them are listed: the first ones. */
int utf8detect_sort_texts(Utf8TextReadings *readings);

#endif
