/* mojibake/whole.h: reads a segment that is misread as a whole, in one charset.
**
** A shortcut: it restores only what mojibake/decide.c would restore in the same way, which
** test/mojibaketest.c compares.
*/
#ifndef UTF8_MOJIBAKE_WHOLE_H
#define UTF8_MOJIBAKE_WHOLE_H

#include "mojibake/kind.h"

/* A run is a stretch of bytes above 7F. */
#define WHOLE_RUNS (UTF8_MOJIBAKE_LINE / 2)

/* A segment in the charset that it was misread in. */
typedef struct Whole {
  uint8_t bytes[UTF8_MOJIBAKE_LINE];
  size_t size;
  uint16_t kind[UTF8_MOJIBAKE_LINE]; /* of what each byte was: ASCII, or a kind */
  uint16_t run[WHOLE_RUNS];          /* where the runs start */
  size_t runs;
  uint32_t rivals; /* the charsets, as bits, that may read the runs otherwise */
} Whole;

/* Reads text[0..size) in the likeliest charset of the pair at `pair`. Returns that charset; or
** -1 unless this makes all of it well-formed UTF-8, with sequences that are clear evidence,
** and no second layer. */
int utf8mojibake_read_whole(const uint8_t *text, size_t size, size_t pair,
                            Whole *whole);

#endif
