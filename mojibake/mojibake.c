/* mojibake/mojibake.c: finds and undoes mojibake (mojibake/mojibake.h).
**
** A scan looks for two neighbours that can be, in one of the charsets, a lead byte and a
** continuation byte. Plain text has few of them. Around such a pair, a segment is examined:
** the rest of the line, at most UTF8_MOJIBAKE_LINE bytes.
**
** Usually all code points above 7F of a segment are misread, in one charset. Then the segment
** is encoded in it as a whole. Otherwise mojibake/segment.c finds the misread runs and
** their charsets.
**
** Source of what is undone, such as a no-break space that became a space, a byte lost as
** U+FFFD, CESU-8 and C1 controls: ftfy 6.3.1 (Apache 2.0, by Robyn Speer), its charsets,
** heuristics and test cases.
*/
#include "mojibake/mojibake.h"
#include "mojibake/segment.h"
#include "mojibake/whole.h"
#include "mojibake/tables/tables.h"
#include <string.h>

/* ---- charsets ---------------------------------------------------------------------------- */

const char *utf8mojibake_charset_name(int charset) {
  return charset < 0 || charset >= MOJIBAKE_CHARSETS ? NULL
                                                     : utf8mojibake_names[charset];
}

/* Sorts by insertion: 128 entries. */
void utf8mojibake_set_charset(Utf8MojibakeCharset *charset, const uint16_t high[128]) {
  unsigned controls = 0;
  for (unsigned i = 0; i < 128; i++) {
    unsigned to = i;
    controls += i < 32 && high[i] == 0x80 + i;
    for (; to > 0 && charset->code[to - 1] > high[i]; to--) {
      charset->code[to] = charset->code[to - 1];
      charset->byte[to] = charset->byte[to - 1];
    }
    charset->code[to] = high[i];
    charset->byte[to] = (uint8_t)(0x80 + i);
  }
  charset->is_lossy = (controls > 0 && controls < 32) || charset->code[0] == 0 ||
                      charset->code[127] == 0xFFFD;
}

/* ---- where segments are -------------------------------------------------------------------- */

/* A segment starts with its line if that starts at most UTF8_MOJIBAKE_WHOLE bytes before the
** first pair, so that a line of that size is examined as a whole; else this many bytes before
** the pair. */
#define BEFORE 64

/* Text that was scanned is done up to this many bytes before the end of the scan: a segment
** that starts at a later pair needs it. */
#define MARGIN UTF8_MOJIBAKE_LINE

/* Where the segment of the pair at `at` starts. */
static size_t segmentStart(const uint8_t *text, size_t size, size_t from, size_t at) {
  const size_t near = at - from > UTF8_MOJIBAKE_WHOLE ? at - UTF8_MOJIBAKE_WHOLE : from;
  size_t i = at;
  while (i - near >= 8 && !bytes_zeros(bytes_load64(text + i - 8) ^ '\n' * BYTES_ONES))
    i -= 8;
  for (; i > near; i--) {
    if (text[i - 1] == '\n') return i;
  }
  return near == from ? from : characterAt(text, size, at - BEFORE, from);
}

/* Where it ends: after the line, or between two ASCII characters. */
static size_t segmentEnd(const uint8_t *text, size_t size, size_t start) {
  const size_t limit =
      size - start > UTF8_MOJIBAKE_LINE ? start + UTF8_MOJIBAKE_LINE : size;
  const uint8_t *newline = memchr(text + start, '\n', limit - start);
  if (newline) return (size_t)(newline - text) + 1;
  if (limit == size) return size;
  for (size_t i = limit; i > limit - UTF8_MOJIBAKE_LINE / 2; i--) {
    if (text[i - 1] < 0x80 && text[i] < 0x80) return i;
  }
  return characterAt(text, size, limit, start);
}

typedef struct Place {
  size_t start, end; /* of a segment; equal if there is none */
  size_t pair;       /* where it may be misread */
} Place;

/* Finds the first segment of text[from..end) that may be misread; without one, start is
** where to scan next. */
static Place nextSegment(const Utf8MojibakeCharset *only, const uint8_t *text,
                         size_t size, size_t from, size_t end) {
  const size_t pair = scan(only, text, size, from, end);
  if (pair >= end) {
    const size_t next =
        end == size ? size : characterAt(text, size, end - MARGIN, from);
    return (Place){next, next, next};
  }
  const size_t start = segmentStart(text, size, from, pair);
  return (Place){start, segmentEnd(text, size, start), pair};
}

/* ---- repairing a segment ------------------------------------------------------------------- */

/* Repairs the segment at a place as utf8mojibake_repair_segment() does. Optimised for a
** segment in which all code points above 7F are misread in one charset. */
static Utf8MojibakeSegment repairSegment(const Utf8MojibakeCharset *only,
                                         const uint8_t *text, const Place *place,
                                         uint8_t *out) {
  Whole whole;
  const uint8_t *start = text + place->start;
  const size_t size = place->end - place->start;
  const int charset =
      only ? -1 : readWhole(start, size, place->pair - place->start, &whole);
  if (charset < 0) return utf8mojibake_repair_segment(only, start, size, out);
  if (out) memcpy(out, whole.bytes, whole.size);
  return (Utf8MojibakeSegment){whole.runs, charset, whole.run[0], whole.size};
}

/* ---- the API ---------------------------------------------------------------------------------- */

/* Returns how many bytes the first code points of well-formed text take. */
static size_t bytesOf(const uint8_t *text, size_t codes) {
  size_t at = 0;
  for (; codes > 0; codes--) {
    const uint8_t lead = text[at];
    at += lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  }
  return at;
}

int utf8mojibake_find(const Utf8MojibakeCharset *charset, const uint8_t *text,
                      size_t size, size_t *at, size_t until, Utf8MojibakeFound *found) {
  const size_t end = size - until > 2 * MARGIN ? until + 2 * MARGIN : size;
  while (*at < until) {
    const Place place = nextSegment(charset, text, size, *at, end);
    *at = place.end;
    if (place.start == place.end) return 0;
    const Utf8MojibakeSegment segment = repairSegment(charset, text, &place, NULL);
    if (!segment.runs) continue;
    found->charset = segment.charset;
    found->offset = place.start + bytesOf(text + place.start, segment.start);
    found->runs = segment.runs;
    return 1;
  }
  return 0;
}

/* Writes a segment, repaired or not, and returns the number of bytes. */
static size_t repairPlace(const Utf8MojibakeCharset *charset, const uint8_t *text,
                          const Place *place, uint8_t *out) {
  const Utf8MojibakeSegment segment = repairSegment(charset, text, place, out);
  if (segment.runs) return segment.written;
  memcpy(out, text + place->start, place->end - place->start);
  return place->end - place->start;
}

size_t utf8mojibake_repair(const Utf8MojibakeCharset *charset, const uint8_t *text,
                           size_t size, size_t *at, uint8_t *out, size_t room) {
  size_t used = 0;
  while (*at < size && room - used >= 2 * UTF8_MOJIBAKE_LINE) {
    const size_t left = room - used, rest = size - *at;
    const Place place =
        nextSegment(charset, text, size, *at, left < rest ? *at + left : size);
    memcpy(out + used, text + *at, place.start - *at);
    used += place.start - *at;
    *at = place.start;
    if (place.start == place.end) continue;
    if (room - used < 2 * UTF8_MOJIBAKE_LINE) break;
    used += repairPlace(charset, text, &place, out + used);
    *at = place.end;
  }
  return used;
}
