/* detect/among.h: what the other values of its column and table say of an ill-formed value. */
#ifndef UTF8_DETECT_AMONG_H
#define UTF8_DETECT_AMONG_H

#include "detect/prior.h"

/* Returns the damage of a value in a table with these well-formed values; table may be NULL. */
Utf8Damage utf8detect_damage_among(const Utf8Damage *damage, const Utf8Mixture *table);

/* What the other ill-formed values of a row speak against each history of a value, in eighths of a bit. Zeroed
** before its first use. */
typedef struct Utf8Row {
  uint32_t against[UTF8_HISTORIES];
} Utf8Row;

/* The values around one: its column and its table, which were estimated, and its row. Each may be NULL; without a table,
** all are. */
typedef struct Utf8Neighbours {
  const Utf8Mixture *column, *table;
  const Utf8Row *row;
} Utf8Neighbours;

/* Stores the prior of a value with this hash. */
void utf8detect_prior_among(Utf8Prior *prior, const Utf8AsUtf8 *as, uint64_t hash,
                            const Utf8Neighbours *among);

/* Adds a value with this likelihood and this prior, whose languages alone count. */
void utf8detect_row_add(Utf8Row *row, const Utf8Likelihood *likelihood,
                        const Utf8Prior *prior);

#endif
