/* mojibake/codes.h: a segment of text as code points, and what is known of each. */
#ifndef UTF8_MOJIBAKE_CODES_H
#define UTF8_MOJIBAKE_CODES_H

#include "mojibake/kind.h"
#include "mojibake/segment.h"
#include "core/bytes.h"

#define CODES_MAX UTF8_MOJIBAKE_LINE
#define NEL       0x85

/* After the segment, this many code points that are not bytes can be read. */
#define PADDING 4

typedef struct Runs Runs;

/* A segment as code points, and what is known of each. A code point above 7F is called high. */
typedef struct Segment {
  const Utf8MojibakeCharset *only; /* NULL: any charset */
  int is_end;                      /* it ends the text, and so may be cut */
  uint32_t c1;                     /* its C1 controls, as bits */
  size_t count;
  size_t highs;
  /* kinds or ASCII; if there is one charset, units */
  uint16_t kind[CODES_MAX + PADDING];
  uint32_t code[CODES_MAX];      /* of high code points */
  uint8_t is_decoded[CODES_MAX]; /* of high ones: not in the original */
  uint16_t high[CODES_MAX];      /* where they are */
} Segment;

/* Units of the only charset: 80..FF are bytes, 1A is a lost byte, and NO_BYTE is added to what
** has none, such as ASCII. */
#define NO_BYTE 0x100

/* Is a high code point a C1 control? */
static inline int isC1(uint32_t code) {
  return code < 0xA0;
}

/* Returns a code point of a segment that may be in any charset. */
ALWAYS_INLINE uint32_t codeAt(const Segment *s, size_t at) {
  return s->kind[at] < 0x80 ? s->kind[at] : s->code[at];
}

/* Returns the traits of a code point; before the first and after the last one, of a space. */
ALWAYS_INLINE Utf8MojibakeTraits traitsAt(const Segment *s, size_t at) {
  return utf8mojibake_traits[at < s->count ? s->kind[at] : ' '];
}

ALWAYS_INLINE unsigned classAt(const Segment *s, size_t at) {
  return traitsAt(s, at).class;
}

ALWAYS_INLINE unsigned classBefore(const Segment *s, size_t at) {
  return at > 0 ? classAt(s, at - 1) : MOJIBAKE_SPACE;
}

ALWAYS_INLINE int isUpper(unsigned class) {
  return utf8mojibake_is_upper[class];
}

/* Is it a dash, a quote, an ellipsis or a no-break space? Programs put them into any text. */
static inline int isPunctuation(unsigned class) {
  return (class >= MOJIBAKE_DASH && class <= MOJIBAKE_ELLIPSIS) ||
         class == MOJIBAKE_NBSP;
}

/* ---- mojibake/segment.c ----------------------------------------------------------------------- */

/* Reads well-formed text of at most UTF8_MOJIBAKE_LINE bytes, in one charset or any (NULL). */
void utf8mojibake_read_segment(Segment *s, const Utf8MojibakeCharset *only, int isEnd,
                               const uint8_t *text, size_t size);

void utf8mojibake_copy_segment(Segment *to, const Segment *from);

/* Writes the segment, and returns the number of bytes: of restored text at most 3 for 2. */
size_t utf8mojibake_write_segment(const Segment *s, uint8_t *out);

/* Returns the charsets, as bits, in which all high code points may be bytes of sequences; and those in which some
** are, where a scan stops. Rivals are among the first. */
uint32_t utf8mojibake_whole_charsets(const Segment *s);
uint32_t utf8mojibake_partial_charsets(const Segment *s);

/* Returns the charsets, as bits, that have the same bytes as one of them for all high code points. */
uint32_t utf8mojibake_alike_charsets(const Segment *s, unsigned charset);

/* Stores in *to the segment with its runs decoded. Returns how many of them consist of code points of the original. */
size_t utf8mojibake_decode_runs(Segment *to, const Segment *s, const Runs *runs);

/* Replaces C1 controls by the characters that their bytes are in Windows-1252, and stores where the first one is.
** Returns how many there are, or 0 if they may stand for something else. */
size_t utf8mojibake_restore_c1(Segment *s, size_t *first);

/* Is it code about mojibake: a decoded string beside the same one, or a byte order mark in quotes? */
int utf8mojibake_is_table(const Segment *s);

#endif
