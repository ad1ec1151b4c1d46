/* mojibake/segment.h: what a segment of text was before it was misread. */
#ifndef UTF8_MOJIBAKE_SEGMENT_H
#define UTF8_MOJIBAKE_SEGMENT_H

#include "mojibake/kind.h"
#include "core/bytes.h"

/* What was restored in a segment. */
typedef struct Utf8MojibakeSegment {
  size_t runs;    /* 0: nothing was restored, and the other fields say nothing */
  int charset;    /* of the first run */
  size_t start;   /* the code point at which it starts */
  size_t written; /* bytes */
} Utf8MojibakeSegment;

/* Returns how many bytes the first code points of well-formed text take. */
static inline size_t utf8mojibake_bytes_of(const uint8_t *text, size_t codes) {
  size_t at = 0;
  for (; codes > 0; codes--) at += bytes_sequence_length(text[at]);
  return at;
}

/* Well-formed text of at most UTF8_MOJIBAKE_LINE bytes is to be cut near its end. Returns the size of its longest start that
** is whole sequences in some charset; its own size if that start is more than three code points shorter. */
size_t utf8mojibake_whole_sequences(const uint8_t *text, size_t size);

/* Decodes all runs of well-formed text of at most UTF8_MOJIBAKE_LINE bytes that are UTF-8 in a charset, layer by layer,
** and writes it to out if something was restored and out is not NULL: at most 3 bytes for 2. */
Utf8MojibakeSegment utf8mojibake_restore_only(const Utf8MojibakeCharset *only,
                                              const uint8_t *text, size_t size,
                                              uint8_t *out);

#endif
