/* utf8mojibake.c: finds and undoes mojibake (utf8mojibake.h).
**
** A scan looks for two neighbours that can be, in one of the charsets, a lead byte and a
** continuation byte. Plain text has few of them. Around such a pair, a segment is examined:
** the rest of the line, at most UTF8_MOJIBAKE_LINE bytes.
**
** Usually all code points above 7F of a segment are misread, in one charset. Then the segment
** is encoded in it as a whole. Otherwise utf8mojibakesegment.c finds the misread runs and
** their charsets.
**
** Source of what is undone, such as a no-break space that became a space, a byte lost as
** U+FFFD, CESU-8 and C1 controls: ftfy 6.3.1 (Apache 2.0, by Robyn Speer), its charsets,
** heuristics and test cases.
*/
#include "utf8mojibake.h"
#include "utf8mojibakesegment.h"
#include "utf8mojibakescan.h"
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
  for (size_t i = at; i > near; i--) {
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

/* ---- segments that are misread as a whole ------------------------------------------------- */

/* A segment is read as a whole only if it then has at least this many sequences: fewer could be
** there by accident. */
#define SEQUENCES_MIN 2

/* A segment in the charset that it was misread in. */
typedef struct Whole {
  uint8_t bytes[UTF8_MOJIBAKE_LINE];
  size_t size;
  size_t runs;
} Whole;

/* Returns the most common charset in which a pair starts at `at`. Returns -1 if there is none,
** or if it is one of those that must be compared with others. */
static int charsetAt(const uint8_t *text, size_t size, size_t at) {
  const Utf8Step first = utf8mojibake_decode(text + at);
  if (size - at <= first.length) return -1;
  const Utf8Step second = utf8mojibake_decode(text + at + first.length);
  const uint32_t charsets =
      utf8mojibake_lead[utf8mojibake_kind_of(first.codepoint)] &
      utf8mojibake_continuation[utf8mojibake_kind_of(second.codepoint)];
  if (!charsets) return -1;
  const int charset = (int)mask_lowest(charsets);
  return utf8mojibake_prior[charset] == 0 ? charset : -1;
}

/* Encodes text in a charset. Returns 0 if it has a code point that the charset lacks. */
static int encodeWhole(const uint8_t *text, size_t size, int charset, Whole *whole) {
  const uint8_t *row = utf8mojibake_byte[charset];
  size_t at = 0, n = 0;
  whole->runs = 0;
  while (at < size) {
    const size_t ascii = bytes_copy_ascii(whole->bytes + n, text + at, size - at);
    at += ascii;
    n += ascii;
    whole->runs += at < size;
    for (; at < size && text[at] >= 0x80; n++) {
      const Utf8Step one = utf8mojibake_decode(text + at);
      const uint8_t byte = row[utf8mojibake_kind_of(one.codepoint)];
      if (byte < 0x80) return 0;
      whole->bytes[n] = byte;
      at += one.length;
    }
  }
  whole->size = n;
  return 1;
}

/* Returns the byte at `at`, or a space outside the text. */
static uint8_t byteOrSpace(const Whole *whole, size_t at) {
  return at < whole->size ? whole->bytes[at] : ' ';
}

/* Is what stands between two bytes a word of its own? */
static int isWord(uint8_t before, uint8_t after) {
  return before <= ' ' && after <= ' ';
}

/* Is the code point at `at` uncommon after one of the class *before? An uncommon one shows that
** the charset may be wrong. Sets *before to its class. */
static int isUncommon(const Whole *whole, size_t at, Utf8Step one, unsigned *before) {
  const Utf8MojibakeTraits traits =
      utf8mojibake_traits[utf8mojibake_kind_of(one.codepoint)];
  const int cost = utf8mojibake_pair[*before][traits.class] + traits.cost;
  const unsigned far = utf8mojibake_far[traits.class];
  *before = traits.class;
  if (!far) return cost > UTF8_MOJIBAKE_COMMON && traits.class != MOJIBAKE_CJK_SIGN;
  const uint8_t last = byteOrSpace(whole, at - 1),
                next = byteOrSpace(whole, at + one.length);
  return last < 0x80 && next < 0x80 && (far > 1 || !isWord(last, next));
}

/* Returns how many sequences there are, or 0 if one of them is uncommon. */
static size_t countCommon(const Whole *whole) {
  unsigned before = MOJIBAKE_SPACE;
  size_t count = 0;
  for (size_t at = 0; at < whole->size; count++) {
    const size_t from = at;
    while (at < whole->size && whole->bytes[at] < 0x80) at++;
    if (at == whole->size) break;
    if (at > from) before = utf8mojibake_traits[whole->bytes[at - 1]].class;
    const Utf8Step one = utf8mojibake_decode(whole->bytes + at);
    if (isUncommon(whole, at, one, &before)) return 0;
    at += one.length;
  }
  return count;
}

/* Do the sequences show that the text is misread? A single one in each run does not, if it starts
** with a letter of Greek, Cyrillic or another far script: "380 В±5%, 220 В±5%". */
static int isEnough(const Whole *whole, size_t sequences, uint32_t lead) {
  return sequences >= SEQUENCES_MIN && (lead < 0x370 || sequences > whole->runs);
}

/* Reads a segment in the most common charset of its first pair. Returns that charset; or -1
** unless this makes all of the segment well-formed UTF-8, with enough sequences that are all
** common, and no second layer. */
static int readWhole(const uint8_t *text, const Place *place, Whole *whole) {
  const int charset = charsetAt(text, place->end, place->pair);
  if (charset < 0 ||
      !encodeWhole(text + place->start, place->end - place->start, charset, whole))
    return -1;
  if (!utf8core_valid(whole->bytes, whole->size)) return -1;
  const uint32_t lead = utf8mojibake_decode(text + place->pair).codepoint;
  if (!isEnough(whole, countCommon(whole), lead)) return -1;
  return scan(NULL, whole->bytes, whole->size, 0, whole->size) < whole->size ? -1
                                                                             : charset;
}

/* Repairs the segment at a place as utf8mojibake_repair_segment() does. Optimised for a
** segment in which all code points above 7F are misread in one charset. */
static Utf8MojibakeSegment repairSegment(const Utf8MojibakeCharset *only,
                                         const uint8_t *text, const Place *place,
                                         uint8_t *out) {
  Whole whole;
  const int charset = only ? -1 : readWhole(text, place, &whole);
  if (charset < 0)
    return utf8mojibake_repair_segment(only, text + place->start,
                                       place->end - place->start, out);
  size_t start = 0;
  while (whole.bytes[start] < 0x80) start++;
  if (out) memcpy(out, whole.bytes, whole.size);
  return (Utf8MojibakeSegment){whole.runs, charset, start, whole.size};
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
