/* mojibake/codes.h: a segment of text as code points, and what is known of each. */
#ifndef UTF8_MOJIBAKE_CODES_H
#define UTF8_MOJIBAKE_CODES_H

#include "mojibake/kind.h"
#include "mojibake/segment.h"
#include "core/bytes.h"

/* How many code points on either side of a run decide about it. */
#define UTF8_MOJIBAKE_NEAR 32

#define CODES_MAX UTF8_MOJIBAKE_LINE
#define NEL       0x85

/* After the segment, this many code points that are not bytes can be read. */
#define PADDING 4

/* A segment as code points, and what is known of each. A code point above 7F is called high. */
typedef struct Segment {
  const Utf8MojibakeCharset *only; /* NULL: any charset */
  uint32_t original_c1;            /* C1 controls of the original, as bits */
  uint32_t c1;                     /* those that were there at any time */
  size_t count;
  size_t highs;
  size_t pairs;
  uint32_t candidates; /* charsets to be tried, as bits */
  int is_uniform;      /* each of them explains all pairs */
  int is_contested;    /* another charset reads it otherwise: nothing is restored */
  /* kinds or ASCII; if there is one charset, units */
  uint16_t kind[CODES_MAX + PADDING];
  uint32_t code[CODES_MAX];      /* of high code points */
  uint8_t is_decoded[CODES_MAX]; /* of high ones: not in the original */
  uint16_t high[CODES_MAX];      /* where they are */
  uint16_t pair[CODES_MAX];      /* where pairs start */
  uint32_t charsets[CODES_MAX];  /* of each pair */
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

/* ---- mojibake/segment.c ----------------------------------------------------------------------- */

/* Reads well-formed text of at most UTF8_MOJIBAKE_LINE bytes; s->only is set. */
void utf8mojibake_read_segment(Segment *s, const uint8_t *text, size_t size);

/* Copies a segment, whose pairs need not be known. */
void utf8mojibake_copy_segment(Segment *to, const Segment *from);

/* Writes the segment, and returns the number of bytes: of restored text at most 3 for 2. */
size_t utf8mojibake_write_segment(const Segment *s, uint8_t *out);

/* Returns the charsets, as bits, in which all high code points may be bytes of sequences; and those in which some
** may. Rivals are among them. */
uint32_t utf8mojibake_whole_charsets(const Segment *s);
uint32_t utf8mojibake_partial_charsets(const Segment *s);

/* Is it code about mojibake: a decoded string beside the same one, or a byte order mark in quotes? */
int utf8mojibake_is_table(const Segment *s);

/* Like utf8mojibake_restore_segment() for a segment that was read, which it rewrites. */
Utf8MojibakeSegment utf8mojibake_restore_read(Segment *s, uint8_t *out);

#endif
