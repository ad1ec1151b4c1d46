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
  size_t changed;  /* how many of their bytes became a space, or were lost */
  size_t credible; /* how many runs lost fewer bytes than half of their letters */
  int is_cut;      /* the end of the text cuts the last sequence */
  int is_more_than_signs; /* they decode to a letter, or to a code point from U+0800 on */
  uint16_t start[RUNS_MAX];
  uint16_t end[RUNS_MAX];
  uint16_t letters[RUNS_MAX]; /* how many code points it is when decoded */
  uint32_t code[CODES_MAX];   /* of all runs, decoded */
} Runs;

/* Reads all runs of a segment in a charset; in the only one of the segment, if it has one. In any charset, a run is left
** out if it touches a high code point other than punctuation and C1 controls, as misread text does not; and what the end
** of the text left of a sequence is one U+FFFD. */
void utf8mojibake_read_runs(const Segment *s, unsigned charset, Runs *runs);

/* Is only a part of the word in runs that has run r? Misreading changes whole words. */
int utf8mojibake_is_torn(const Segment *s, const Runs *runs, size_t r);

/* Can the runs have been misread? Then one of them is credible, and they have whole words. */
int utf8mojibake_are_credible(const Segment *s, const Runs *runs);

/* Keeps the runs r whose keep[r] is not 0. */
void utf8mojibake_keep_runs(const Segment *s, Runs *runs, const uint8_t *keep);

#endif
