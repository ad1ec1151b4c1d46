/* mojibake/runs.h: the runs of a segment that are UTF-8 in a charset. */
#ifndef UTF8_MOJIBAKE_RUNS_H
#define UTF8_MOJIBAKE_RUNS_H

#include "mojibake/codes.h"

#define RUNS_MAX (CODES_MAX / 2)

typedef struct Runs {
  unsigned charset;
  size_t count;
  size_t codes;    /* how many code points they are when decoded */
  size_t covered;  /* how many high code points are in them now */
  size_t spaces;   /* how many bytes became a space */
  size_t lost;     /* and how many were lost */
  size_t credible; /* how many are not mostly lost: without one, there is no run */
  int is_more_than_signs; /* a code point is decoded that is no sign below U+0800 */
  int is_cut;             /* the last run touches a sequence that the end cuts off */
  uint16_t start[RUNS_MAX];
  uint16_t end[RUNS_MAX];
  uint16_t letters[RUNS_MAX]; /* how many code points it is when decoded */
  uint32_t code[CODES_MAX];   /* of all runs, decoded */
} Runs;

/* Reads all runs of a segment in a charset; in the only one of the segment, if it has one. Runs that touch other
** high code points, but for punctuation, are left out: text that was misread has none there. */
void utf8mojibake_read_runs(const Segment *s, unsigned charset, Runs *runs);

/* Is the word of run r misread in part? Text is misread word by word at least. */
int utf8mojibake_is_torn(const Segment *s, const Runs *runs, size_t r);

/* May the runs be misread: one is not mostly lost, and no word is misread in part? */
int utf8mojibake_are_credible(const Segment *s, const Runs *runs);

/* Keeps the runs r whose keep[r] is not 0. */
void utf8mojibake_keep_runs(const Segment *s, Runs *runs, const uint8_t *keep);

#endif
