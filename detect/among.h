/* detect/among.h: the cause of an ill-formed value by the other values of its column and table. */
#ifndef UTF8_DETECT_AMONG_H
#define UTF8_DETECT_AMONG_H

#include "detect/mixture.h"

/* Returns the cause of a value with this hash, of a column and a table that were estimated. column may
** be NULL. */
Utf8Cause utf8detect_cause_among(Utf8CauseEvidence *evidence, uint64_t hash,
                                 const Utf8Mixture *column, const Utf8Mixture *table);

#endif
