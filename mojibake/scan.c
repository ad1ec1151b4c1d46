/* mojibake/scan.c: finds where well-formed text may be misread, and restores it segment by
** segment (mojibake/mojibake.h).
**
** A quick scan, skip_unpaired() of the kernel or of mojibake/pairs.h, looks at 64 bytes at once, and stops at two
** neighbours that no language writes side by side. From there, a slow scan reads code points until
** it finds two or three that can be the bytes of a sequence in some charset, or resumes the quick
** scan. Plain text has few of them. Around such a pair, a segment is examined: the rest of the line, at most
** UTF8_MOJIBAKE_LINE bytes. mojibake/readings.c says what it was.
**
** Source of what is undone, such as a no-break space that became a space, a byte lost as
** U+FFFD, CESU-8 and C1 controls: ftfy 6.3.1 (Apache 2.0, by Robyn Speer), its charsets,
** heuristics and test cases.
*/
#include "mojibake/mojibake.h"
#include "core/step.h"
#include "mojibake/multibyte.h"
#include "mojibake/pairs.h"
#include "mojibake/readings.h"
#include "mojibake/segment.h"
#include "mojibake/tables/tables.h"
#include "core/bytes.h"
#include "core/simd/kernel.h"
#include <string.h>

/* ---- charsets ---------------------------------------------------------------------------- */

const char *utf8mojibake_charset_name(int charset) {
  if (charset < 0) return NULL;
  const Utf8Charset of = charset < MOJIBAKE_WITH_RIVALS
                             ? (Utf8Charset)utf8mojibake_charset[charset]
                             : utf8mojibake_multibyte_charset(charset);
  return of == UTF8_CHARSET_UNKNOWN ? NULL : utf8core_charset_name(of);
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
  charset->is_lossy = (controls > 0 && controls < 32) || charset->code[127] == 0xFFFD;
}

/* ---- where text may be misread --------------------------------------------------------------- */

/* Returns the last place at or before `at`, and after `after`, where a code point starts. `at` is in the
** text, not its end. */
static size_t characterAt(const uint8_t *text, size_t at, size_t after) {
  while (at > after && bytes_is_continuation(text[at])) at--;
  return at;
}

/* The last two code points of a scan, as masks. */
typedef struct Trail {
  uint32_t two;        /* what the last one leads, in sequences of two bytes */
  uint32_t more;       /* what the last one leads, in longer ones */
  uint32_t next;       /* what the one before leads, and the last one continues */
  size_t last, before; /* where they start */
} Trail;

static const Trail noTrail = {0, 0, 0, 0, 0};

/* Moves past the code point at `at`, of kind `kind`. Returns 1 if it ends a pair or a triple
** that is not natural, or if it is a C1 control, which may be the second of a triple. */
static int addToTrail(Trail *trail, size_t at, unsigned kind) {
  const Utf8MojibakeScan *scan = &utf8mojibake_scan[kind];
  if (trail->next & scan->last) return 1;
  const int isC1 = utf8mojibake_traits[kind].class == MOJIBAKE_C1;
  const uint32_t leads = isC1 ? trail->two | trail->more : trail->two;
  const int isPair = (leads & scan->next) != 0;
  trail->before = isC1 && !isPair ? at : trail->last;
  trail->next = trail->more & scan->next;
  trail->two = scan->two;
  trail->more = scan->more;
  trail->last = at;
  return isPair || isC1;
}

/* Returns the first place in text[from..end) that may be misread: two or three code points
** that can be the bytes of a sequence, or a C1 control. Returns end if there is none. */
static size_t scanSlowly(const uint8_t *text, size_t from, size_t end) {
  Trail trail = noTrail;
  for (size_t at = from; at < end;) {
    if (text[at] < 0x80) {
      if (utf8mojibake_is_space_after(text, at) && at - from >= 2) return at - 2;
      trail = noTrail;
      at++;
      continue;
    }
    const Utf8Step one = stepWellFormed(text + at);
    if (addToTrail(&trail, at, utf8mojibake_kind_of(one.codepoint)))
      return trail.before;
    at += one.length;
  }
  return end;
}

static int isLead(uint8_t byte) {
  return byte >= 0xC2 && byte <= 0xF4;
}

/* Like scanSlowly(), for any pair in one charset. */
static size_t scanFor(const Utf8MojibakeCharset *only, const uint8_t *text, size_t from,
                      size_t end) {
  for (size_t at = from; at < end;) {
    const Utf8Step one = stepWellFormed(text + at);
    if (one.codepoint >= 0x80 && isLead(utf8mojibake_byte_in(only, one.codepoint)))
      return at;
    at += one.length;
  }
  return end;
}

/* Returns the masks of the code point at `at`, which is above 7F. */
static const Utf8MojibakeScan *scanAt(const uint8_t *text, size_t at) {
  return &utf8mojibake_scan[utf8mojibake_kind_of(stepWellFormed(text + at).codepoint)];
}

/* May scanSlowly() stop at the pair that ends with text[place] (mojibake/pairs.h), or at the code point
** after it? */
static int isMisreadPair(const uint8_t *text, size_t size, size_t place) {
  if (text[place] < 0x80) return text[place] == ' ';
  const size_t second = characterAt(text, place, 0);
  const Utf8Step one = stepWellFormed(text + second);
  const unsigned kind = utf8mojibake_kind_of(one.codepoint);
  if (utf8mojibake_traits[kind].class == MOJIBAKE_C1) return 1;
  const Utf8MojibakeScan *lead = scanAt(text, characterAt(text, second - 1, 0));
  const uint32_t next = utf8mojibake_scan[kind].next, three = lead->more & next;
  if (lead->two & next) return 1;
  const size_t third = second + one.length;
  return three && third < size && text[third] >= 0x80 &&
         (three & scanAt(text, third)->last);
}

#define BLOCK 64 /* bytes that are looked at together */

/* Returns the first place in text[at..end) where a pair ends that needs a slow scan, or end. */
static size_t scanQuickly(const uint8_t *text, size_t size, size_t at, size_t end) {
  Utf8SkipUnpaired *kernel = utf8simd_kernel()->scans.skip_unpaired;
  Utf8SkipUnpaired *skip = kernel ? kernel : utf8mojibake_skip_unpaired;
  while (at < end) {
    uint64_t places;
    const size_t block = skip(text, at, end, &places);
    for (; places; places &= places - 1) {
      const size_t place = block + mask_lowest(places);
      if (isMisreadPair(text, size, place)) return place;
    }
    at = end - block > BLOCK ? block + BLOCK : end;
  }
  return end;
}

/* After a quick scan stops, a slow scan starts this many bytes before, where the pair and what
** leads to it have started, and scans this many bytes, where it has ended. */
#define SLOW_BEFORE 16
#define SLOW        32

/* Returns the first place in text[from..end) that may be misread, or end. */
static size_t scan(const Utf8MojibakeCharset *only, const uint8_t *text, size_t size,
                   size_t from, size_t end) {
  if (only) return scanFor(only, text, from, end);
  for (size_t at = from; (at = scanQuickly(text, size, at, end)) < end;) {
    const size_t start =
        at - from > SLOW_BEFORE ? characterAt(text, at - SLOW_BEFORE, from) : from;
    const size_t stop = end - at > SLOW ? characterAt(text, at + SLOW, at) : end;
    const size_t found = scanSlowly(text, start, stop);
    if (found < stop) return found;
    if (stop == end) return end;
    at = stop - SLOW_BEFORE;
  }
  return end;
}

size_t utf8mojibake_scan_runs(const Utf8MojibakeCharset *charset, const uint8_t *text,
                              size_t size) {
  return scan(charset, text, size, 0, size);
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
static size_t segmentStart(const uint8_t *text, size_t from, size_t at) {
  const size_t near = at - from > UTF8_MOJIBAKE_WHOLE ? at - UTF8_MOJIBAKE_WHOLE : from;
  size_t i = at;
  while (i - near >= 8 && !bytes_zeros(bytes_load64(text + i - 8) ^ '\n' * BYTES_ONES))
    i -= 8;
  for (; i > near; i--) {
    if (text[i - 1] == '\n') return i;
  }
  return near == from ? from : characterAt(text, at - BEFORE, from);
}

/* Where it ends: after the line; or else between two ASCII characters, after one, or where a sequence may start. */
static size_t segmentEnd(const uint8_t *text, size_t size, size_t start) {
  const size_t limit =
      size - start > UTF8_MOJIBAKE_LINE ? start + UTF8_MOJIBAKE_LINE : size;
  const uint8_t *newline = memchr(text + start, '\n', limit - start);
  if (newline) return (size_t)(newline - text) + 1;
  if (limit == size) return size;
  const size_t half = limit - UTF8_MOJIBAKE_LINE / 2;
  for (size_t i = limit; i > half; i--)
    if (text[i - 1] < 0x80 && text[i] < 0x80) return i;
  for (size_t i = limit; i > half; i--)
    if (text[i - 1] < 0x80) return i;
  const size_t end = characterAt(text, limit, start);
  return start + utf8mojibake_whole_sequences(text + start, end - start);
}

typedef struct Place {
  size_t start, end; /* of a segment; equal if there is none */
} Place;

/* Finds the first segment of text[from..end) that may be misread; without one, start is
** where to scan next. */
static Place nextSegment(const Utf8MojibakeCharset *only, const uint8_t *text,
                         size_t size, size_t from, size_t end) {
  const size_t pair = scan(only, text, size, from, end);
  if (pair >= end) {
    const size_t next = end == size ? size : characterAt(text, end - MARGIN, from);
    return (Place){next, next};
  }
  const size_t start = segmentStart(text, from, pair);
  return (Place){start, segmentEnd(text, size, start)};
}

/* ---- restoring a segment ------------------------------------------------------------------- */

static Utf8MojibakeSegment restoreSegment(const Utf8MojibakeCharset *only,
                                          const uint8_t *text, size_t size,
                                          const Place *place, uint8_t *out) {
  const uint8_t *start = text + place->start;
  const size_t length = place->end - place->start;
  return only ? utf8mojibake_restore_only(only, start, length, out)
              : utf8mojibake_restore_segment(start, length, place->end == size, out);
}

/* ---- all of a text ------------------------------------------------------------------------- */

/* Like utf8mojibake_read_multibyte(), at the start of text that may have been misread in any charset. */
static int readAll(Utf8Multibyte *all, const Utf8MojibakeCharset *only,
                   const uint8_t *text, size_t size, size_t at, uint8_t *out) {
  return only || at > 0 ? 0 : utf8mojibake_read_multibyte(all, text, size, out);
}

/* Restores further layers of restored text in out. Returns its size. */
static size_t restoreFurther(uint8_t *out, size_t size) {
  uint8_t text[UTF8_MOJIBAKE_WHOLE];
  size_t at = 0;
  if (size > sizeof text) return size;
  memcpy(text, out, size);
  return utf8mojibake_restore(NULL, text, size, &at, out, UTF8_MOJIBAKE_ROOM);
}

/* ---- the API ---------------------------------------------------------------------------------- */

int utf8mojibake_find(const Utf8MojibakeCharset *charset, const uint8_t *text,
                      size_t size, size_t *at, size_t until, Utf8MojibakeFound *found) {
  const size_t end = size - until > 2 * MARGIN ? until + 2 * MARGIN : size;
  Utf8Multibyte all;
  const int is = readAll(&all, charset, text, size, *at, NULL);
  if (is != 0) {
    if (is > 0) *found = (Utf8MojibakeFound){all.charset, all.start, 1};
    *at = size;
    return is > 0;
  }
  while (*at < until) {
    const Place place = nextSegment(charset, text, size, *at, end);
    *at = place.end;
    if (place.start == place.end) return 0;
    const Utf8MojibakeSegment segment =
        restoreSegment(charset, text, size, &place, NULL);
    if (!segment.runs) continue;
    found->charset = segment.charset;
    found->offset =
        place.start + utf8mojibake_bytes_of(text + place.start, segment.start);
    found->runs = segment.runs;
    return 1;
  }
  return 0;
}

/* Writes a segment, restored or not, and returns the number of bytes. */
static size_t restorePlace(const Utf8MojibakeCharset *charset, const uint8_t *text,
                           size_t size, const Place *place, uint8_t *out) {
  const Utf8MojibakeSegment segment = restoreSegment(charset, text, size, place, out);
  if (segment.runs) return segment.written;
  memcpy(out, text + place->start, place->end - place->start);
  return place->end - place->start;
}

size_t utf8mojibake_restore(const Utf8MojibakeCharset *charset, const uint8_t *text,
                            size_t size, size_t *at, uint8_t *out, size_t room) {
  size_t used = 0;
  Utf8Multibyte all;
  const int is = readAll(&all, charset, text, size, *at, out);
  if (is != 0) {
    if (is < 0) memcpy(out, text, size);
    *at = size;
    return is < 0 ? size : restoreFurther(out, all.written);
  }
  while (*at < size && room - used >= 2 * UTF8_MOJIBAKE_LINE) {
    const size_t left = room - used, rest = size - *at;
    const Place place =
        nextSegment(charset, text, size, *at, left < rest ? *at + left : size);
    memcpy(out + used, text + *at, place.start - *at);
    used += place.start - *at;
    *at = place.start;
    if (place.start == place.end) continue;
    if (room - used < 2 * UTF8_MOJIBAKE_LINE) break;
    used += restorePlace(charset, text, size, &place, out + used);
    *at = place.end;
  }
  return used;
}
