/* mojibake/decide.h: the decision about what is misread in a segment.
*/
#ifndef UTF8_MOJIBAKE_DECIDE_H
#define UTF8_MOJIBAKE_DECIDE_H

#include "mojibake/codes.h"
#include "mojibake/limits.h"

/* The runs of a segment in one charset. */
#define RUNS_MAX (CODES_MAX / 2)

typedef struct Runs {
  unsigned charset;
  size_t count;
  size_t codes;   /* how many code points they are when decoded */
  size_t covered; /* and how many they are now */
  size_t ragged;  /* how many others touch bytes that are not UTF-8 */
  int32_t saved;  /* by all runs that save something */
  int32_t most;   /* by the best evidence */
  int32_t lone;   /* by the best single letter, which is evidence beside others */
  int32_t least;  /* by any run, at most 0 */
  int is_clear;   /* each pair is part of a clear run */
  int has_sign;   /* "Â" and a sign, which is evidence if there is nothing else */
  uint16_t start[RUNS_MAX];
  uint16_t end[RUNS_MAX];
  uint16_t letters[RUNS_MAX];   /* how many code points it is when decoded */
  uint8_t is_decoded[RUNS_MAX]; /* if the segment is misread */
  uint32_t code[CODES_MAX];     /* of all runs, decoded */
} Runs;

/* Finds the charset whose runs save the most, in one of two buffers. Returns NULL if the
** segment, whose pairs are known, is not misread. */
const Runs *utf8mojibake_find_runs(const Segment *s, Runs buffer[2]);

/* Reads all runs in a charset, also in one that is not among the candidates. */
void utf8mojibake_read_all_runs(const Segment *s, unsigned charset, Runs *runs);

/* Is a restored segment common text? Text in a legacy charset has sequences by accident, and
** is not. */
int utf8mojibake_is_plausible(const Segment *s);

static inline int utf8mojibake_is_mark(unsigned class) {
  return class == MOJIBAKE_HEBREW_MARK || class == MOJIBAKE_COMBINING;
}

/* Do two neighbours not stand side by side in a word? `pair` is the cost of their classes. */
ALWAYS_INLINE int utf8mojibake_is_torn(Utf8MojibakeTraits before,
                                       Utf8MojibakeTraits after, int32_t pair) {
  if (before.script && after.script && before.script != after.script) return 1;
  if (utf8mojibake_is_mark(after.class))
    return pair > MISREAD_TORN ||
           (!before.script && !utf8mojibake_is_mark(before.class));
  return after.script && pair > MISREAD_TORN;
}

/* Returns where the first decoded run starts; there is one. */
static inline size_t utf8mojibake_first_decoded(const Runs *runs) {
  size_t i = 0;
  while (!runs->is_decoded[i]) i++;
  return runs->start[i];
}

/* Decodes the runs in the segment. Returns how many of them consist of code points of the original. */
size_t utf8mojibake_decode_runs(Segment *s, const Runs *runs);

#endif
