/* sql/readings.h: the readings of a value with their texts, for utf8_readings and utf8_audit. */
#ifndef UTF8_SQL_READINGS_H
#define UTF8_SQL_READINGS_H

#include "detect/texts.h"
#include "sql/value.h"

/* Stores the different texts that the value may have been; none if it is not text. The value is TEXT or a
** BLOB. `known` has the readings of an ill-formed one; or is NULL, and the value is read alone.
** Returns SQLITE_OK or an error code. *readings must be cleared in every case. */
int utf8sql_read_texts(Utf8TextReadings *readings, sqlite3 *db, const Utf8Value *value,
                       const Utf8Readings *known);

/* Frees the texts. */
void utf8sql_clear_texts(Utf8TextReadings *readings);

#endif
