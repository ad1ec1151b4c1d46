/* sql/readings.h: the readings of a value with their texts, for utf8_readings and utf8_audit. */
#ifndef UTF8_SQL_READINGS_H
#define UTF8_SQL_READINGS_H

#include "detect/readings.h"
#include "sql/value.h"

typedef struct Utf8TextReading {
  uint8_t *text; /* well-formed UTF-8, owned by the list */
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
  Utf8TextReading *list;
  int count;
} Utf8TextReadings;

/* Stores the different texts that the value may have been; none if it is not text. The value is TEXT or a
** BLOB, of a column and a table that were estimated. column may be NULL, or both: then the value is alone.
** Returns SQLITE_OK or an error code. *readings must be cleared in every case. */
int utf8sql_read_texts(Utf8TextReadings *readings, sqlite3 *db, const Utf8Value *value,
                       const Utf8Mixture *column, const Utf8Mixture *table);

/* Frees the texts. */
void utf8sql_clear_texts(Utf8TextReadings *readings);

#endif
