/* detect/readings.h: what a value costs in each way of reading it, and which cause that shows. Shared
** by detect/cause.c, detect/mixture.c and detect/among.c.
*/
#ifndef UTF8_DETECT_READINGS_H
#define UTF8_DETECT_READINGS_H

#include "detect/cause.h"

/* The cheapest readings of a value. */
typedef struct Utf8Readings {
  Utf8PairList whole_pairs;
  Utf8PairList pasted_pairs;
  Utf8Ranked whole[UTF8_RANKED_MAX];
  Utf8Ranked pasted[UTF8_RANKED_MAX];
  size_t whole_count;
  size_t pasted_count;
  uint64_t damaged; /* the cost of damaged UTF-8 */
  uint64_t least;   /* of all readings */
} Utf8Readings;

/* Reads a value, whose evidence is complete, as UTF-8 with damage or with pasted text; not as text in a charset.
** damage is the evidence's, or what neighbours make of it. Leaves out pasted text that costs more than the
** damage and the margin. */
void utf8detect_read_utf8(Utf8Readings *readings, Utf8CauseEvidence *evidence,
                          const Utf8Damage *damage, uint64_t margin);

/* Is every error of the value an overlong form, and does something show that they are not characters of a
** multi-byte charset, such as C1 B7 of GBK? */
int utf8detect_is_overlong(const Utf8CauseEvidence *evidence);

/* Returns the cause of what is likeliest UTF-8 with damage: cut, damaged, or unclear. */
Utf8Cause utf8detect_cause_of_damage(const Utf8Damage *damage);

/* Do the charsets read bytes[0..count), each less 80, as the same text? */
int utf8detect_is_same_text(const uint8_t *bytes, size_t count, Utf8Charset a,
                            Utf8Charset b);

#endif
