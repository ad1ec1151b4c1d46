/* detect/accident.h: values in a legacy charset that are well-formed UTF-8 by accident: the bytes of 谭萍 in gbk are
** those of `̷Ƽ` in UTF-8. A value alone does not show it, its column does.
**
** Nothing is allocated, and nothing is shared between threads.
*/
#ifndef UTF8_DETECT_ACCIDENT_H
#define UTF8_DETECT_ACCIDENT_H

#include "detect/readings.h"

/* What an audit calls the error of such a value. */
#define UTF8_ACCIDENT_NAME "accident"

/* Longer values are never well-formed by accident, and are not to be asked about. In bytes. */
#define UTF8_ACCIDENT_LONGEST 64

/* Can a value of the column, which was estimated, be well-formed by accident? Nearly all of its ill-formed values must
** have been text in one legacy charset, and there must be more of them than of well-formed ones beyond ASCII. */
int utf8detect_has_accidents(const Utf8Mixture *column);

/* Decides whether a well-formed value of such a column is text in a legacy charset, with a probability of at least
** 0.999. If so, stores the reading. Overwrites the evidence. */
int utf8detect_is_accident(const uint8_t *text, size_t size,
                           Utf8CauseEvidence *evidence, const Utf8Neighbours *among,
                           Utf8Reading *reading);

#endif
