/* suspect/suspect.c: finds, counts and removes suspicious code points (suspect/suspect.h).
**
** Most text has no byte sequence that even starts like a suspicious code point. A quick scan
** looks for those that do, 64 bytes at a time. kindOfSpot() then decides, by the table in
** suspect/table.h and the neighbours.
**
** Sources: Unicode Character Database 17.0.0 for the table; Unicode 17.0 §3.12 for what a jamo
** syllable is; UTS #51 C.1 for flag sequences.
*/
#include "suspect/suspect.h"
#include "suspect/scan.h"
#include "mojibake/mojibake.h"
#include "suspect/table.h"
#include "core/step.h"
#include "core/bytes.h"
#include <string.h>

#define SUSPECT_NAME(kind, name, aliases) [kind] = name,

const char *utf8suspect_kind_name(Utf8SuspectKind kind) {
  static const char *const names[UTF8_SUSPECT_KINDS] = {
      UTF8_SUSPECT_LIST(SUSPECT_NAME)};
  return names[kind];
}

/* ---- one code point ----------------------------------------------------------------------- */

#define SUSPECT_RANGES (sizeof suspect_ranges / sizeof *suspect_ranges)

/* Returns the class of a code point above the BMP. */
static SuspectClass classInRanges(uint32_t code) {
  size_t low = 0, high = SUSPECT_RANGES;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (code > suspect_ranges[middle].last) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const int isIn = low < SUSPECT_RANGES && code >= suspect_ranges[low].first;
  return isIn ? suspect_ranges[low].class : SUSPECT_NONE;
}

static SuspectClass suspectClassOf(uint32_t code) {
  if (code >= 0x10000) return classInRanges(code);
  return (SuspectClass)suspect_class[suspect_block[code >> 6]][code & 63];
}

/* A spot in well-formed text: a code point, or one of the two ends, where code is NO_CODE. */
typedef struct Spot {
  const uint8_t *text;
  size_t size, at;
  uint32_t code;
  unsigned length; /* bytes of the code point; 0 at an end */
} Spot;

#define NO_CODE 0xFFFFFFFFu /* is in no class */

static Spot spotAt(const uint8_t *text, size_t size, size_t at) {
  Spot spot = {text, size, at, NO_CODE, 0};
  if (at < size) {
    const Utf8Step one = stepWellFormed(text + at);
    spot.code = one.codepoint, spot.length = one.length;
  }
  return spot;
}

static Spot spotAfter(Spot spot) {
  return spotAt(spot.text, spot.size, spot.at + spot.length);
}

static Spot spotBefore(Spot spot) {
  if (spot.at == 0) return (Spot){spot.text, spot.size, 0, NO_CODE, 0};
  size_t at = spot.at - 1;
  while (at > 0 && bytes_is_continuation(spot.text[at])) at--;
  return spotAt(spot.text, spot.size, at);
}

static SuspectClass classOfNext(Spot spot) {
  return suspectClassOf(spotAfter(spot).code);
}

static SuspectClass classOfPrevious(Spot spot) {
  return suspectClassOf(spotBefore(spot).code);
}

/* ---- code points whose neighbours decide ---------------------------------------------------- */

/* Does a letter of three bytes start at p? All of SUSPECT_LETTER have three. */
ALWAYS_INLINE int isLetterAt(const uint8_t *p) {
  const unsigned code = (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
  const int isThree = p[0] >= 0xE0 && p[0] < 0xF0;
  return isThree &&
         suspect_class[suspect_block[code >> 6]][code & 63] == SUSPECT_LETTER;
}

/* Is there U+200B at `at`, between letters of scripts that put it between words? */
ALWAYS_INLINE int separatesWords(const uint8_t *text, size_t size, size_t at) {
  const uint8_t *p = text + at;
  if (at < 3 || size - at < 6) return 0;
  if (p[0] != 0xE2 || p[1] != 0x80 || p[2] != 0x8B) return 0;
  return isLetterAt(p - 3) && isLetterAt(p + 3);
}

/* Does U+115F stand for a missing choseong: before a jungseong, or before its filler and a
** jongseong? */
static int fillsChoseong(Spot filler) {
  const Spot next = spotAfter(filler);
  const SuspectClass after = suspectClassOf(next.code);
  return after == SUSPECT_JUNGSEONG ||
         (after == SUSPECT_JUNGSEONG_FILLER && classOfNext(next) == SUSPECT_JONGSEONG);
}

/* Does U+1160 stand for a missing jungseong: after a choseong, or between its filler and a
** jongseong? */
static int fillsJungseong(Spot filler) {
  const SuspectClass before = classOfPrevious(filler);
  return before == SUSPECT_CHOSEONG || (before == SUSPECT_CHOSEONG_FILLER &&
                                        classOfNext(filler) == SUSPECT_JONGSEONG);
}

/* A flag is U+1F3F4, the tags of a subdivision such as gbeng, and U+E007F. Its name has 3 to 7
** small letters and digits (UTS #51 C.1, UTS #35 unicode_subdivision_id). */
#define BLACK_FLAG    0x1F3F4u
#define CANCEL_TAG    0xE007Fu
#define FLAG_TAGS_MIN 3
#define FLAG_TAGS_MAX 7

static int isFlagTag(uint32_t code) {
  return (code >= 0xE0030 && code <= 0xE0039) || (code >= 0xE0061 && code <= 0xE007A);
}

/* Returns how many tags follow the spot, at most FLAG_TAGS_MAX + 1, and moves it to the last. */
static unsigned skipFlagTags(Spot *spot, Spot (*next)(Spot)) {
  unsigned tags = 0;
  for (Spot p = next(*spot); tags <= FLAG_TAGS_MAX && isFlagTag(p.code); p = next(p)) {
    *spot = p;
    tags++;
  }
  return tags;
}

/* Is the tag or cancel tag part of a flag? */
static int isInFlag(Spot tag) {
  if (!isFlagTag(tag.code) && tag.code != CANCEL_TAG) return 0;
  Spot first = tag, last = tag;
  const unsigned before = skipFlagTags(&first, spotBefore);
  const unsigned after = tag.code == CANCEL_TAG ? 0 : skipFlagTags(&last, spotAfter);
  const unsigned tags = before + after + (tag.code != CANCEL_TAG);
  if (tags < FLAG_TAGS_MIN || tags > FLAG_TAGS_MAX) return 0;
  if (spotBefore(first).code != BLACK_FLAG) return 0;
  return tag.code == CANCEL_TAG || spotAfter(last).code == CANCEL_TAG;
}

static Utf8SuspectKind invisibleUnless(int isNeeded) {
  return isNeeded ? UTF8_SUSPECT_NONE : UTF8_SUSPECT_INVISIBLE;
}

static Utf8SuspectKind kindOfSpot(Spot spot) {
  switch (suspectClassOf(spot.code)) {
  case SUSPECT_NUL:
    return UTF8_SUSPECT_NUL;
  case SUSPECT_CONTROL:
    return UTF8_SUSPECT_CONTROL;
  case SUSPECT_REPLACEMENT:
    return UTF8_SUSPECT_REPLACEMENT;
  case SUSPECT_NONCHARACTER:
    return UTF8_SUSPECT_NONCHARACTER;
  case SUSPECT_BIDI:
    return UTF8_SUSPECT_BIDI;
  case SUSPECT_INVISIBLE:
    return UTF8_SUSPECT_INVISIBLE;
  case SUSPECT_FEFF:
    return spot.at == 0 ? UTF8_SUSPECT_BOM : UTF8_SUSPECT_INVISIBLE;
  case SUSPECT_ZWSP:
    return invisibleUnless(separatesWords(spot.text, spot.size, spot.at));
  case SUSPECT_CHOSEONG_FILLER:
    return invisibleUnless(fillsChoseong(spot));
  case SUSPECT_JUNGSEONG_FILLER:
    return invisibleUnless(fillsJungseong(spot));
  case SUSPECT_TAG:
    return invisibleUnless(isInFlag(spot));
  default:
    return UTF8_SUSPECT_NONE;
  }
}

Utf8SuspectKind utf8suspect_kind_at(const uint8_t *text, size_t size, size_t at) {
  return kindOfSpot(spotAt(text, size, at));
}

/* ---- scanning -------------------------------------------------------------------------- */

/* Like utf8suspect_skip() for the last block of the text, with spaces after it: returns
** 1 if a suspicious code point may start in it, else 0. */
static NOINLINE int scanLast(const uint8_t *text, size_t size, uint64_t *starts) {
  uint8_t block[SUSPECT_READ];
  memset(block, ' ', sizeof block);
  memcpy(block, text, size);
  return utf8suspect_skip(block, sizeof block, starts) == 0;
}

/* A suspicious code point. */
typedef struct Suspect {
  size_t at;            /* the end of the search if there is none */
  unsigned length;      /* bytes */
  Utf8SuspectKind kind; /* UTF8_SUSPECT_NONE if there is none */
} Suspect;

/* A scan of text[..end): the next suspicious code point starts in the block at `at`, at a byte
** that has a bit in `starts`, or after the block. `at` is at or after end if none is left. */
typedef struct SuspectScan {
  const uint8_t *text;
  size_t size, end, at;
  uint64_t starts;
} SuspectScan;

/* Moves the scan to the first block at or after `at` in which a suspicious code point may start.
** Returns 0 if there is none before the end. */
static int scanOn(SuspectScan *scan, size_t at) {
  const size_t needed = SUSPECT_READ, end = scan->end;
  const size_t seen = scan->size - end > needed ? end + needed : scan->size;
  for (; at < end; at += SUSPECT_BLOCK) {
    at += utf8suspect_skip(scan->text + at, seen - at, &scan->starts);
    if (at >= end) break;
    scan->at = at;
    if (seen - at >= needed) return 1;
    if (scanLast(scan->text + at, seen - at, &scan->starts)) return 1;
  }
  scan->at = end;
  scan->starts = 0;
  return 0;
}

/* Starts a scan of text[from..end). from need not be a boundary: bytes that start no code point
** are skipped. */
static SuspectScan scanFrom(const uint8_t *text, size_t size, size_t from, size_t end) {
  SuspectScan scan = {text, size, end, from, 0};
  scanOn(&scan, from);
  return scan;
}

/* Returns the next suspicious code point of the block, and removes its bit. The kind is
** UTF8_SUSPECT_NONE if there is none. */
static Suspect nextOfBlock(SuspectScan *scan) {
  while (scan->starts) {
    const size_t at = scan->at + mask_lowest(scan->starts);
    scan->starts &= scan->starts - 1;
    /* U+200B between words is the only frequent one that is not suspicious. */
    if (separatesWords(scan->text, scan->size, at)) continue;
    const Spot spot = spotAt(scan->text, scan->size, at);
    const Utf8SuspectKind kind = kindOfSpot(spot);
    if (kind) return (Suspect){at, spot.length, kind};
  }
  return (Suspect){scan->end, 0, UTF8_SUSPECT_NONE};
}

/* Returns the next suspicious code point, and moves past it. */
static Suspect nextSuspect(SuspectScan *scan) {
  do {
    const Suspect found = nextOfBlock(scan);
    if (found.kind && found.at < scan->end) return found;
  } while (scanOn(scan, scan->at + SUSPECT_BLOCK));
  return (Suspect){scan->end, 0, UTF8_SUSPECT_NONE};
}

/* Like nextSuspect(), for one kind. */
static Suspect nextOfKind(SuspectScan *scan, Utf8SuspectKind kind) {
  Suspect found = nextSuspect(scan);
  while (found.kind && found.kind != kind) found = nextSuspect(scan);
  return found;
}

/* ---- the API ------------------------------------------------------------------------------ */

/* Text is scanned for mojibake and for code points in turn, this many bytes at a time: they stay
** in the first-level cache. */
#define SUSPECT_STRIDE ((size_t)16384)

int utf8suspect_find(const uint8_t *text, size_t size, size_t *at, size_t until,
                     Utf8SuspectFound *found) {
  while (*at < until) {
    size_t next = *at;
    Utf8MojibakeFound misread;
    const int isMisread = utf8mojibake_find(
        NULL, text, size, &next,
        until - *at > SUSPECT_STRIDE ? *at + SUSPECT_STRIDE : until, &misread);
    const size_t end = isMisread ? misread.offset + 1 : next;
    SuspectScan scan = scanFrom(text, size, *at, end);
    const Suspect suspect = nextSuspect(&scan);
    if (suspect.kind || isMisread) {
      found->kind = suspect.kind ? suspect.kind : UTF8_SUSPECT_MOJIBAKE;
      found->offset = suspect.kind ? suspect.at : misread.offset;
      found->charset = suspect.kind ? -1 : misread.charset;
      return 1;
    }
    *at = next;
  }
  return 0;
}

size_t utf8suspect_find_kind(Utf8SuspectKind kind, const uint8_t *text, size_t size,
                             size_t at, size_t until) {
  SuspectScan scan = scanFrom(text, size, at, until);
  return nextOfKind(&scan, kind).at;
}

static uint64_t countMojibake(const uint8_t *text, size_t size, size_t *at,
                              size_t until) {
  Utf8MojibakeFound misread;
  uint64_t runs = 0;
  while (utf8mojibake_find(NULL, text, size, at, until, &misread)) runs += misread.runs;
  return runs;
}

uint64_t utf8suspect_count(Utf8SuspectKind kind, const uint8_t *text, size_t size,
                           size_t *at, size_t until) {
  if (kind == UTF8_SUSPECT_MOJIBAKE) return countMojibake(text, size, at, until);
  SuspectScan scan = scanFrom(text, size, *at, until);
  uint64_t count = 0;
  while (nextOfKind(&scan, kind).kind) count++;
  *at = until;
  return count;
}

/* The result is at most as long as the text that is read, which so fits in out. */
size_t utf8suspect_strip(Utf8SuspectKind kind, const uint8_t *text, size_t size,
                         size_t *at, uint8_t *out, size_t room) {
  const size_t end = size - *at > room ? *at + bytes_boundary(text + *at, room) : size;
  SuspectScan scan = scanFrom(text, size, *at, end);
  size_t used = 0, from = *at;
  for (;;) {
    const Suspect found = nextOfKind(&scan, kind);
    memcpy(out + used, text + from, found.at - from);
    used += found.at - from;
    from = found.at + found.length;
    if (!found.kind) break;
  }
  *at = end;
  return used;
}
