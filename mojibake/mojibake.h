/* mojibake/mojibake.h: finds and undoes mojibake, UTF-8 that was read in another charset and
** encoded again: "cafÃ©" for "café". docs/detection.md is the manual.
**
** Text is well-formed UTF-8. A misread run is a stretch of code points that are, in a charset,
** the bytes of one or more UTF-8 sequences; in a multi-byte charset, it is all of a short text
** (mojibake/multibyte.h). As in utf8core.h, nothing is allocated, nothing outside the text is
** read, and all functions are thread-safe.
**
**     size_t at = 0, n = utf8mojibake_restore(NULL, text, size, &at, out, room);
**     // "cafÃ© crÃ¨me" gives "café crème"; at is size
*/
#ifndef UTF8_MOJIBAKE_MOJIBAKE_H
#define UTF8_MOJIBAKE_MOJIBAKE_H

#include "mojibake/kind.h"
#include <stddef.h>
#include <stdint.h>

/* Returns the name of a charset as in utf8_from: "windows-1252". charset is the result of
** utf8mojibake_find(); returns NULL for a negative number or one that is too large, so
** the names can be listed. */
const char *utf8mojibake_charset_name(int charset);

/* Fills in the charset whose bytes 80..FF are the code points high[0..128). 0 or U+FFFD for
** a byte without a code point; 80..9F that stand for themselves, as in WHATWG's tables,
** count as undefined for other decoders. */
void utf8mojibake_set_charset(Utf8MojibakeCharset *charset, const uint16_t high[128]);

/* A place with misread runs: one line, or a part of a long one. */
typedef struct Utf8MojibakeFound {
  int charset; /* that the first run was misread in; of several layers the one undone first */
  size_t offset; /* of the first run */
  size_t runs; /* how many runs are there; C1 controls of Windows-1252 count one each */
} Utf8MojibakeFound;

/* Finds the first misread runs at or after *at, and returns 1; or returns 0 if there are none
** before `until`. Sets *at to where to resume: the next call finds the next ones.
**
** Start with *at = 0. To find the first in the whole text, pass until = size. Pass until <
** size only to process a long text in chunks; the results are the same. charset is NULL to
** find plausible runs in any charset; else every run that decodes in this one is found. */
int utf8mojibake_find(const Utf8MojibakeCharset *charset, const uint8_t *text,
                      size_t size, size_t *at, size_t until, Utf8MojibakeFound *found);

/* Returns where the first run starts that may be misread in a single-byte charset, or size if there is none. Decides nothing
** else, so it is fast. The part of the text up to there has no run of its own: unless all of the text was misread in a
** multi-byte charset (mojibake/multibyte.h), no function here changes or finds anything in it. */
size_t utf8mojibake_scan_runs(const Utf8MojibakeCharset *charset, const uint8_t *text,
                              size_t size);

/* Copies text[*at..size) to out[0..room), with misread runs decoded again until none is
** left in what was decoded. Returns the number of bytes written, and sets *at to where it
** stopped: size once all is done. charset is as above.
**
** Start with *at = 0, call until *at is size, and append what each call wrote. room is at
** least UTF8_MOJIBAKE_ROOM: each call then makes progress, and how the text is cut into
** calls does not change the result.
**
** A line is restored to its fixed point. A line of more than UTF8_MOJIBAKE_WHOLE bytes may be
** restored in segments, so runs may remain where these meet: restore the result again
** while utf8mojibake_find() finds something in it. Each pass leaves fewer code points or
** fewer C1 controls, so this ends; a second pass that changes something is rare. */
#define UTF8_MOJIBAKE_ROOM  ((size_t)4 * UTF8_MOJIBAKE_LINE)
#define UTF8_MOJIBAKE_WHOLE (UTF8_MOJIBAKE_LINE / 2)
size_t utf8mojibake_restore(const Utf8MojibakeCharset *charset, const uint8_t *text,
                            size_t size, size_t *at, uint8_t *out, size_t room);

#endif
