/* detect/among.h: what the other values of its column and table say of an ill-formed value. */
#ifndef UTF8_DETECT_AMONG_H
#define UTF8_DETECT_AMONG_H

#include "detect/prior.h"

/* Returns the damage of a value in a table with these well-formed values; table may be NULL. */
Utf8Damage utf8detect_damage_among(const Utf8Damage *damage, const Utf8Mixture *table);

/* Stores the prior of a value with this hash, of a column and a table that were estimated. column may be NULL, or
** both: then the value is alone. */
void utf8detect_prior_among(Utf8Prior *prior, const Utf8AsUtf8 *as, uint64_t hash,
                            const Utf8Mixture *column, const Utf8Mixture *table);

#endif
