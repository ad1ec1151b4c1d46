/* mojibake/run.h: runs of a segment that are UTF-8 in a charset, and what they cost.
**
** The cost of a text is the number of bits that it takes in a model of text: for each code
** point, its class after the class of the code point before, and the code point within its
** class (tool/mojibake/model.py).
*/
#ifndef UTF8_MOJIBAKE_RUN_H
#define UTF8_MOJIBAKE_RUN_H

#include "mojibake/codes.h"
#include "mojibake/limits.h"

/* ---- the cost of code points ---------------------------------------------------------------- */

/* What decides the cost of the next code point. */
typedef struct Context {
  unsigned class;  /* of the last code point */
  unsigned own;    /* its script, 0 if it is not a letter */
  unsigned script; /* of the last letter, 0 if there is none near */
} Context;

/* Returns the script of the last letter before `at`, or of the first one from there on; 0 if
** there is none near. */
unsigned utf8mojibake_script_before(const Segment *s, size_t at);
unsigned utf8mojibake_script_after(const Segment *s, size_t at);

Context utf8mojibake_context_before(const Segment *s, size_t at);

/* Returns the cost of a code point, and moves the context past it. */
ALWAYS_INLINE int32_t addKind(Context *before, unsigned kind) {
  const Utf8MojibakeTraits traits = utf8mojibake_traits[kind];
  int32_t cost = utf8mojibake_pair[before->class][traits.class] + traits.cost;
  if (!before->own) cost += utf8mojibake_switch[before->script][traits.script];
  before->class = traits.class;
  before->own = traits.script;
  if (traits.script) before->script = traits.script;
  return cost;
}

/* ---- runs ----------------------------------------------------------------------------------- */

/* A segment as bytes of a charset. */
typedef struct RunReader {
  const Segment *segment;
  const uint8_t *row; /* the byte of each kind; NULL: kinds are bytes */
  const uint16_t *kind;
} RunReader;

static inline RunReader runReaderOf(const Segment *s, unsigned charset) {
  return (RunReader){s, s->only ? NULL : utf8mojibake_byte[charset], s->kind};
}

/* Returns the byte; 0 if the charset lacks the code point, 20 for a space and 1A for U+FFFD
** where these may stand for a byte. */
ALWAYS_INLINE uint8_t byteAt(const RunReader *r, size_t at) {
  const unsigned kind = r->kind[at];
  return r->row ? r->row[kind] : kind < NO_BYTE ? (uint8_t)kind : 0;
}

typedef struct Run {
  size_t start, end; /* equal: there is none */
  size_t letters;    /* how many sequences it has */
  size_t lost;       /* how many of them lost a byte */
  int32_t gain;      /* how much decoding it saves */
  int32_t fee;       /* what it must save in addition, to be evidence */
  int is_damaged;    /* a byte was lost or became a space */
  int is_clear;      /* it saves a lot, and becomes common text */
  unsigned last;     /* the class of the last decoded */
} Run;

/* Reads the run at `start`, and stores the decoded code points. */
Run utf8mojibake_read_run(const RunReader *r, size_t start, uint32_t *codes);

/* Does another likely one of the charsets, which are bits, make another Latin letter of a run of
** one sequence? */
int utf8mojibake_is_ambiguous(const Segment *s, const Run *run, unsigned charset,
                              uint32_t charsets);

/* Returns the charsets, as bits, that have the same byte as `charset` for a kind. */
uint32_t utf8mojibake_agreeing_on(unsigned kind, unsigned charset);

/* Returns the charsets, as bits, that have the same bytes as `charset` for the sequence at a
** pair. */
uint32_t utf8mojibake_agreeing_at(const Segment *s, size_t at, unsigned charset);

#endif
