/* mojibake/rival.h: charsets that read the same misread text as other characters.
*/
#ifndef UTF8_MOJIBAKE_RIVAL_H
#define UTF8_MOJIBAKE_RIVAL_H

#include "mojibake/decide.h"

/* How runs differ in a rival. */
typedef struct RivalRuns {
  int32_t saved; /* by the charset, in comparison with the rival */
  int differs;   /* the rival reads one otherwise */
} RivalRuns;

/* Compares the sequences of a charset in kind[start..end) with what a rival makes of them: by each
** character, and the two ASCII letters on either side of it. Adds the result. kind has `count`
** kinds; those of the run are bytes in both. */
void utf8mojibake_compare_run(const uint16_t *kind, size_t count, size_t start,
                              size_t end, unsigned charset, unsigned rival,
                              RivalRuns *all);

/* Compares the runs with what rivals of their charset make of the segment. Returns the runs of the
** likeliest reading, in `runs` or in buffer; or NULL if another one is nearly as likely. */
const Runs *utf8mojibake_settle(const Segment *s, const Runs *runs, Runs *buffer);

/* Returns what the code points of the segment cost, in quarters of a bit, apart from what the language of its letters
** says. */
int32_t utf8mojibake_segment_cost(const Segment *s);

#endif
