/* sql/readings.h: the readings of a value with their texts, for utf8_readings and utf8_audit. */
#ifndef UTF8_SQL_READINGS_H
#define UTF8_SQL_READINGS_H

#include "detect/texts.h"
#include "sql/value.h"

/* Stores the different texts that the value may have been; none if it is not text. The value is TEXT or a
** BLOB, of a column and a table that were estimated. column may be NULL, or both: then the value is alone.
** Returns SQLITE_OK or an error code. *readings must be cleared in every case. */
int utf8sql_read_texts(Utf8TextReadings *readings, sqlite3 *db, const Utf8Value *value,
                       const Utf8Mixture *column, const Utf8Mixture *table);

/* Frees the texts. */
void utf8sql_clear_texts(Utf8TextReadings *readings);

#endif
