/* utf8mojibake.c: finds and undoes mojibake (utf8mojibake.h).
**
** A scan looks for two neighbours that can be, in one of the charsets, a lead byte and a
** continuation byte. Plain text has few of them. Around such a pair, a segment is examined:
** the rest of the line, at most UTF8_MOJIBAKE_LINE bytes.
**
** In a segment, each charset that could explain the pairs is tried. Runs of code points that
** are UTF-8 in it are decoded, and the text before is compared with the text after. The
** cost of a text is the number of bits that it takes in a model of text: for each
** code point, its class after the class of the code point before, and the code point within
** its class (tool/mojibake_model.py). A run is decoded if that saves enough bits. The
** charset that saves the most is undone first; then the segment is examined again, until
** nothing is left.
**
** Source of what is undone, such as a no-break space that became a space, a byte lost as
** U+FFFD, CESU-8 and C1 controls: ftfy 6.3.1 (Apache 2.0, by Robyn Speer), its charsets,
** heuristics and test cases.
*/
#include "utf8mojibake.h"
#include "utf8mojibakesegment.h"
#include "utf8mojibakekind.h"
#include "utf8step.h"
#include "charset/mojibaketable.h"
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

/* A segment starts at most this many bytes before its first pair. */
#define BEFORE 64

/* Text that was scanned is done up to this many bytes before the end of the scan: a segment
** that starts at a later pair needs it. */
#define MARGIN 80

/* Returns the last place at or before `at`, and after `after`, where a code point starts. */
static size_t characterAt(const uint8_t *text, size_t size, size_t at, size_t after) {
  while (at > after && at < size && bytes_is_continuation(text[at])) at--;
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

/* Returns the kind of a space that may have been the byte A0. */
static int isSpaceAfter(const uint8_t *text, size_t at) {
  return text[at] == ' ' && at >= 2 && text[at - 2] == 0xC3 &&
         (text[at - 1] | 1) == 0x83;
}

/* Moves past the code point at `at`, of kind `kind`. Returns 1 if it ends a pair or a triple
** that is not natural. */
static int addToTrail(Trail *trail, size_t at, unsigned kind) {
  const uint32_t next = utf8mojibake_scan_next[kind];
  if (trail->two & next) {
    trail->before = trail->last;
    return 1;
  }
  if (trail->next & (next | utf8mojibake_continuation[kind])) return 1;
  trail->next = trail->more & next;
  trail->two = utf8mojibake_scan_two[kind];
  trail->more = utf8mojibake_scan_more[kind];
  trail->before = trail->last;
  trail->last = at;
  return utf8mojibake_class[kind] == MOJIBAKE_C1 ? (trail->before = at, 1) : 0;
}

/* Returns the first place in text[from..end) that may be misread: two or three code points
** that can be the bytes of a sequence, or a C1 control. Returns end if there is none. */
static size_t scanSlowly(const uint8_t *text, size_t size, size_t from, size_t end) {
  Trail trail = noTrail;
  for (size_t at = from; at < end;) {
    if (text[at] < 0x80) {
      if (isSpaceAfter(text, at) && at - from >= 2) return at - 2;
      trail = noTrail;
      at++;
      continue;
    }
    Utf8Step one = step(text, size, at, UTF8_STRICT);
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
static size_t scanFor(const Utf8MojibakeCharset *only, const uint8_t *text, size_t size,
                      size_t from, size_t end) {
  for (size_t at = from; at < end;) {
    Utf8Step one = step(text, size, at, UTF8_STRICT);
    if (one.codepoint >= 0x80 && isLead(utf8mojibake_byte_in(only, one.codepoint)))
      return at;
    at += one.length;
  }
  return end;
}

#if UTF8_GNU
typedef uint8_t ScanBytes __attribute__((vector_size(16)));

static inline ScanBytes loadScanBytes(const uint8_t *from) {
  ScanBytes lanes;
  memcpy(&lanes, from, sizeof lanes);
  return lanes;
}

/* E2 or EF: a lead byte of symbols. */
static inline ScanBytes isSymbol(ScanBytes b) {
  return (ScanBytes)(b == 0xE2) | (ScanBytes)(b == 0xEF);
}

/* Returns lanes that are not 0 where scanSlowly() may stop, or near there: two code points
** above 7F of which one is a Latin letter or a symbol (lead byte C2..CB, E2, EF) and the
** other in a charset too (C2..DB); a C1 control; "Ã" before a space; a small and then a
** capital Cyrillic letter. Reads 3 bytes before p and 3 bytes after its 16. */
static inline ScanBytes suspects(const uint8_t *p) {
  const ScanBytes b = loadScanBytes(p), two = loadScanBytes(p - 2),
                  three = loadScanBytes(p - 3), next = loadScanBytes(p + 1),
                  third = loadScanBytes(p + 2), fourth = loadScanBytes(p + 3);
  const ScanBytes symbol = isSymbol(b);
  const ScanBytes latin =
      (ScanBytes)((b - 0xC2) < 0x0A) | (ScanBytes)((two - 0xC2) < 0x0A) | symbol;
  const ScanBytes short_ = (ScanBytes)((two - 0xC2) < 0x1A);
  ScanBytes found =
      ((ScanBytes)((b - 0xC2) < 0x1A) | symbol) & ((short_ & latin) | isSymbol(three));
  found |= (ScanBytes)(b == 0xC2) & (ScanBytes)(next < 0xA0);
  found |= (ScanBytes)(b == 0xC3) & (ScanBytes)((next | 1) == 0x83) &
           (ScanBytes)(third == ' ');
  ScanBytes small = ((ScanBytes)(b == 0xD0) &
                     ((ScanBytes)(next >= 0xB0) | (ScanBytes)(next == 0x81))) |
                    ((ScanBytes)(b == 0xD1) & (ScanBytes)(next < 0xA0));
  /* windows-1251: "В".."Е", the lead bytes C2..C5, and a letter that is a continuation byte */
  ScanBytes eastern = ((ScanBytes)(third == 0xD0) & (ScanBytes)(fourth < 0x90)) |
                      ((ScanBytes)(third == 0xD1) & (ScanBytes)(fourth >= 0x90)) |
                      (ScanBytes)(third == 0xD2);
  found |= (ScanBytes)(b == 0xD0) & (ScanBytes)((next - 0x92) < 4) & eastern;
  /* koi8-r: "б" or "ц", the lead bytes C2 and C3, and "ё" */
  ScanBytes latinLead = ((ScanBytes)(b == 0xD0) & (ScanBytes)(next == 0xB1)) |
                        ((ScanBytes)(b == 0xD1) & (ScanBytes)(next == 0x86));
  found |= latinLead & (ScanBytes)(third == 0xD1) & (ScanBytes)(fourth == 0x91);
  return found | (small & (ScanBytes)(third == 0xD0) & (ScanBytes)(fourth < 0xB0));
}

/* Returns how many bytes from `at` on need no slow scan: a multiple of 64. */
static size_t scanQuickly(const uint8_t *text, size_t at, size_t end) {
  const size_t from = at;
  for (; end - at >= 64 + 3 && at >= 3; at += 64) {
    ScanBytes all = suspects(text + at) | suspects(text + at + 16) |
                    suspects(text + at + 32) | suspects(text + at + 48);
    uint64_t halves[2];
    memcpy(halves, &all, sizeof halves);
    if (halves[0] | halves[1]) break;
  }
  return at - from;
}
#else
static size_t scanQuickly(const uint8_t *text, size_t at, size_t end) {
  const size_t from = at;
  while (end - at >= 8 && !(bytes_load64(text + at) & BYTES_HIGH_BITS)) at += 8;
  return at - from;
}
#endif

/* After a quick scan stops, this many bytes are scanned slowly. */
#define SLOW 64

static size_t scan(const Utf8MojibakeCharset *only, const uint8_t *text, size_t size,
                   size_t from, size_t end) {
  if (only) return scanFor(only, text, size, from, end);
  for (size_t at = from; at < end;) {
    const size_t start = at;
    at += scanQuickly(text, at, end);
    /* From a few code points before, which may belong to a pair with one here. */
    size_t slow = at - start > SLOW ? characterAt(text, size, at - 16, from) : start;
    const size_t stop = end - at > SLOW ? characterAt(text, size, at + SLOW, at) : end;
    const size_t found = scanSlowly(text, size, slow, stop);
    if (found < stop) return found;
    at = stop == end ? end : characterAt(text, size, stop - 16, start);
    if (at <= start) at = stop;
  }
  return end;
}

/* Where the segment of the pair at `at` starts. */
static size_t segmentStart(const uint8_t *text, size_t size, size_t from, size_t at) {
  size_t start = at - from > BEFORE ? at - BEFORE : from;
  for (size_t i = at; i > start; i--) {
    if (text[i - 1] == '\n') return i;
  }
  return start == from ? from : characterAt(text, size, start, from);
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
} Place;

/* Finds the first segment of text[from..end) that may be misread; without one, start is
** where to scan next. */
static Place nextSegment(const Utf8MojibakeCharset *only, const uint8_t *text,
                         size_t size, size_t from, size_t end) {
  const size_t pair = scan(only, text, size, from, end);
  if (pair >= end) {
    const size_t next =
        end == size ? size : characterAt(text, size, end - MARGIN, from);
    return (Place){next, next};
  }
  const size_t start = segmentStart(text, size, from, pair);
  return (Place){start, segmentEnd(text, size, start)};
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
    const Utf8MojibakeSegment segment = utf8mojibake_repair_segment(
        charset, text + place.start, place.end - place.start, NULL);
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
                          size_t size, uint8_t *out) {
  const Utf8MojibakeSegment segment =
      utf8mojibake_repair_segment(charset, text, size, out);
  if (segment.runs) return segment.written;
  memcpy(out, text, size);
  return size;
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
    used +=
        repairPlace(charset, text + place.start, place.end - place.start, out + used);
    *at = place.end;
  }
  return used;
}
