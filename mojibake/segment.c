/* mojibake/segment.c: restores one segment of text (mojibake/segment.h): reads it as code points,
** decodes the runs that mojibake/decide.c finds, layer by layer, and writes what is left.
**
** C1 controls are undone too: Windows-1252 that was read as iso-8859-1.
*/
#include "mojibake/segment.h"
#include "charset/legacy/legacy.h"
#include "mojibake/codes.h"
#include "mojibake/decide.h"
#include "mojibake/rival.h"

#define SMALL_TILDE 0x98 /* in Windows-1252; undefined in windows-1251 */

/* ---- reading ------------------------------------------------------------------------------- */

/* Returns the unit of a high code point. */
static uint16_t unitOf(const Utf8MojibakeCharset *only, uint32_t code) {
  if (code == 0xFFFD && only->is_lossy) return 0x1A;
  const uint8_t byte = utf8mojibake_byte_in(only, code);
  return byte ? byte : NO_BYTE;
}

/* Stores a high code point, at or before the place of those that it replaces. */
ALWAYS_INLINE void addHigh(Segment *s, size_t at, uint32_t code, uint16_t kind,
                           int isDecoded) {
  s->code[at] = code;
  s->kind[at] = kind;
  s->is_decoded[at] = (uint8_t)isDecoded;
  s->high[s->highs++] = (uint16_t)at;
  if (UNLIKELY(code < 0xA0)) s->c1 |= (uint32_t)1 << (code & 31);
}

/* Returns the kind or the unit of a high code point. */
ALWAYS_INLINE uint16_t kindOf(const Segment *s, uint32_t code) {
  return (uint16_t)(UNLIKELY(s->only != NULL) ? unitOf(s->only, code)
                                              : utf8mojibake_kind_of(code));
}

static void endSegment(Segment *s, size_t count) {
  s->count = count;
  for (size_t i = 0; i < PADDING; i++) s->kind[count + i] = 0;
}

/* Stores ASCII as kinds, up to a high byte or the end. Returns how many bytes there were. */
ALWAYS_INLINE size_t readAsciiKinds(const Segment *s, const uint8_t *text, size_t size,
                                    uint16_t *kind) {
  const uint16_t add = s->only ? NO_BYTE : 0;
  size_t n = 0;
  for (; size - n >= 8 && !(bytes_load64(text + n) & BYTES_HIGH_BITS); n += 8)
    bytes_widen(kind + n, text + n, add);
  for (; n < size && text[n] < 0x80; n++) kind[n] = (uint16_t)(text[n] + add);
  return n;
}

void utf8mojibake_read_segment(Segment *s, const uint8_t *text, size_t size) {
  size_t n = 0;
  s->highs = s->pairs = 0;
  s->c1 = 0;
  for (size_t at = 0; at < size;) {
    const size_t ascii = readAsciiKinds(s, text + at, size - at, s->kind + n);
    at += ascii;
    n += ascii;
    for (; at < size && text[at] >= 0x80; n++) {
      const Utf8Step one = stepWellFormed(text + at);
      addHigh(s, n, one.codepoint, kindOf(s, one.codepoint), 0);
      at += one.length;
    }
  }
  s->original_c1 = s->c1;
  s->is_contested = 0;
  endSegment(s, n);
}

ALWAYS_INLINE void addPair(Segment *s, size_t at, uint32_t charsets) {
  s->pair[s->pairs] = (uint16_t)at;
  s->charsets[s->pairs++] = charsets;
}

/* Is there, at a high code point, what a scan stops at? */
ALWAYS_INLINE int isSuspicious(const Segment *s, size_t at) {
  const unsigned next = s->kind[at + 1], third = s->kind[at + 2];
  if (next == ' ') return s->code[at] == 0xC2 || s->code[at] == 0xC3;
  const Utf8MojibakeScan *lead = &utf8mojibake_scan[s->kind[at]];
  if (lead->two & utf8mojibake_scan[next].next) return 1;
  return (lead->more & utf8mojibake_scan[next].next & utf8mojibake_scan[third].last) !=
         0;
}

static int isAnySuspicious(const Segment *s) {
  for (size_t h = 0; h < s->highs; h++) {
    if (isSuspicious(s, s->high[h])) return 1;
  }
  return 0;
}

void utf8mojibake_copy_segment(Segment *to, const Segment *from) {
  const size_t n = from->count;
  memcpy(to, from, offsetof(Segment, kind));
  memcpy(to->kind, from->kind, (n + PADDING) * sizeof *to->kind);
  memcpy(to->code, from->code, n * sizeof *to->code);
  memcpy(to->is_decoded, from->is_decoded, n);
  memcpy(to->high, from->high, from->highs * sizeof *to->high);
  memcpy(to->pair, from->pair, from->pairs * sizeof *to->pair);
  memcpy(to->charsets, from->charsets, from->pairs * sizeof *to->charsets);
}

/* Returns the charsets, as bits, that explain the pair at a high code point. Rivals are among them. */
ALWAYS_INLINE uint32_t charsetsOfPair(const Segment *s, size_t at) {
  const unsigned kind = s->kind[at], next = s->kind[at + 1];
  if (next == ' ')
    return utf8mojibake_before_space[utf8mojibake_before_space_from[kind]];
  return utf8mojibake_lead[kind] & utf8mojibake_continuation[next];
}

/* Finds the pairs, and the charsets that explain all of them, or else any. */
static void findPairs(Segment *s) {
  uint32_t all = ~(uint32_t)0, spaced = all, any = 0;
  s->pairs = 0;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t i = s->high[h];
    const uint32_t charsets = charsetsOfPair(s, i) & MOJIBAKE_CANDIDATES;
    if (!charsets) continue;
    addPair(s, i, charsets);
    any |= charsets;
    *(s->kind[i + 1] == ' ' ? &spaced : &all) &= charsets;
  }
  s->candidates = any & all ? any & all : any;
  s->is_uniform = !(s->candidates & ~(all & spaced));
}

uint32_t utf8mojibake_whole_charsets(const Segment *s) {
  uint32_t charsets = MOJIBAKE_ALL;
  for (size_t h = 0; h < s->highs && charsets; h++) {
    const size_t at = s->high[h];
    const int isFirst = at == 0 || s->kind[at - 1] < 0x80;
    const unsigned next = s->kind[at + 1];
    const uint32_t lead = utf8mojibake_lead[s->kind[at]],
                   trail = utf8mojibake_continuation[s->kind[at]];
    charsets &= isFirst ? lead : lead | trail;
    if (next == ' ')
      charsets &= trail | charsetsOfPair(s, at);
    else if (next < 0x80)
      charsets &= trail;
  }
  return charsets;
}

uint32_t utf8mojibake_partial_charsets(const Segment *s) {
  uint32_t any = 0;
  for (size_t h = 0; h < s->highs; h++) any |= charsetsOfPair(s, s->high[h]);
  return any;
}

/* Finds the pairs of the only charset. */
static void findPairsOfOne(Segment *s) {
  s->pairs = 0;
  s->candidates = 1;
  s->is_uniform = 1;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t i = s->high[h];
    const unsigned lead = s->kind[i], next = s->kind[i + 1];
    if (lead >= 0xC2 && lead <= 0xF4 && (next == 0x1A || (next & ~0x3Fu) == 0x80))
      addPair(s, i, 1);
  }
}

/* ---- decoding ---------------------------------------------------------------------------- */

/* Where decoded code points go: the segment is rewritten in place, from its start. */
typedef struct Rewriter {
  size_t from, to; /* the next code point to be moved, and where it goes */
  size_t high;     /* the next of the old high ones */
  size_t highs;    /* how many there were */
} Rewriter;

/* Like memmove() for to < from, without a call: most moves are short. */
static void moveKinds(uint16_t *to, const uint16_t *from, size_t count) {
  size_t i = 0;
  for (; count - i >= 4; i += 4) {
    uint64_t four;
    memcpy(&four, from + i, sizeof four);
    memcpy(to + i, &four, sizeof four);
  }
  for (; i < count; i++) to[i] = from[i];
}

/* Moves the code points up to `end`. */
static void moveCodes(Segment *s, Rewriter *w, size_t end) {
  const size_t back = w->from - w->to;
  for (; w->high < w->highs && s->high[w->high] < end; w->high++) {
    const size_t at = s->high[w->high];
    s->code[at - back] = s->code[at];
    s->is_decoded[at - back] = s->is_decoded[at];
    s->high[s->highs++] = (uint16_t)(at - back);
  }
  if (back > 0) moveKinds(s->kind + w->to, s->kind + w->from, end - w->from);
  w->to = end - back;
  w->from = end;
}

/* Puts the decoded code points of a run in its place. */
static void replaceRun(Segment *s, Rewriter *w, const uint32_t *code, size_t letters,
                       size_t end) {
  while (w->high < w->highs && s->high[w->high] < end) w->high++;
  for (size_t i = 0; i < letters; i++)
    addHigh(s, w->to++, code[i], kindOf(s, code[i]), 1);
  w->from = end;
}

size_t utf8mojibake_decode_runs(Segment *s, const Runs *runs) {
  Rewriter w = {0, 0, 0, s->highs};
  size_t originals = 0;
  const uint32_t *code = runs->code;
  s->highs = 0;
  for (size_t r = 0; r < runs->count; code += runs->letters[r++]) {
    if (!runs->is_decoded[r]) continue;
    moveCodes(s, &w, runs->start[r]);
    originals += !s->is_decoded[runs->start[r]];
    replaceRun(s, &w, code, runs->letters[r], runs->end[r]);
  }
  moveCodes(s, &w, s->count);
  endSegment(s, w.to);
  return originals;
}

/* ---- C1 controls ----------------------------------------------------------------------- */

static uint32_t fromC1(uint32_t code) {
  return isC1(code) ? utf8charset_high(UTF8_CHARSET_WINDOWS1252)[code - 0x80] : code;
}

/* Returns the byte of the code point at `at` in a charset, or 0. */
static uint32_t highByteAt(const Segment *s, size_t at, unsigned charset) {
  return at < s->count && s->kind[at] >= 0x80 ? utf8mojibake_byte[charset][s->kind[at]]
                                              : 0;
}

/* Is the C1 control at `at` part of a sequence in the charset that a Latin letter leads? */
static int isInSequenceOf(const Segment *s, size_t at, unsigned charset) {
  for (size_t back = 1; back < 4 && back <= at; back++) {
    const int isFar = traitsAt(s, at - back).script > MOJIBAKE_SCRIPT_LATIN;
    const uint32_t lead = isFar ? 0 : highByteAt(s, at - back, charset);
    const size_t length = lead < 0xC2 ? 0 : bytes_sequence_length((uint8_t)lead);
    size_t n = 1;
    while (n < length && highByteAt(s, at - back + n, charset) >> 6 == 2) n++;
    if (length > back && n == length) return 1;
  }
  return 0;
}

/* Is the C1 control at `at` part of a sequence in a charset that has C1 controls, such as "É" U+0099?
** Then it is not Windows-1252. */
static int isInSequence(const Segment *s, size_t at) {
  uint32_t charsets = utf8mojibake_continuation[utf8mojibake_kind_of(0x80)];
  for (; charsets; charsets &= charsets - 1) {
    if (isInSequenceOf(s, at, (unsigned)mask_lowest(charsets))) return 1;
  }
  return 0;
}

/* Is there, at `at`, a letter that no charset has? Beside it, a C1 control is what is left of
** another one: U+0097 U+00AC after "하". */
static int isForeign(const Segment *s, size_t at) {
  return at < s->count && s->kind[at] >= MOJIBAKE_KIND_OF_CLASS &&
         traitsAt(s, at).script;
}

/* Has it C0 controls? Then it is data of a terminal, or not text. */
static int hasC0(const Segment *s) {
  for (size_t i = 0; i < s->count; i++) {
    if (utf8mojibake_traits[s->kind[i]].class == MOJIBAKE_CONTROL) return 1;
  }
  return 0;
}

/* Are the C1 controls code points of Windows-1252? Not if one of them has none or is a small tilde,
** which nobody writes, nor beside C0 controls, nor if all are NEL where a line may end: before
** anything but a space. */
static int isWindowsC1(const Segment *s) {
  int has = 0, isNelOnly = !(s->original_c1 & ~((uint32_t)1 << (NEL & 31)));
  if (!s->c1 || hasC0(s)) return 0;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t i = s->high[h];
    if (!isC1(s->code[i])) continue;
    if (isInSequence(s, i) || fromC1(s->code[i]) == s->code[i] ||
        s->code[i] == SMALL_TILDE || isForeign(s, i + 1) ||
        (i > 0 && isForeign(s, i - 1)))
      return 0;
    if (s->code[i] != NEL || s->kind[i + 1] == ' ') isNelOnly = 0;
    has = 1;
  }
  return has && !isNelOnly;
}

/* Replaces the C1 controls. Returns their number, and stores where the first one is. */
static size_t restoreC1(Segment *s, size_t *first) {
  size_t count = 0;
  const size_t highs = s->highs;
  s->highs = 0;
  for (size_t h = 0; h < highs; h++) {
    const size_t at = s->high[h];
    const uint32_t code = fromC1(s->code[at]);
    if (code != s->code[at] && count++ == 0) *first = at;
    addHigh(s, at, code, kindOf(s, code), code != s->code[at] || s->is_decoded[at]);
  }
  return count;
}

/* ---- restoring a segment ------------------------------------------------------------------ */

static void setFirst(Utf8MojibakeSegment *all, unsigned charset, size_t start) {
  if (all->runs) return;
  all->charset = (int)charset;
  all->start = start;
}

/* Finds the runs of one layer. Returns NULL if there are none. */
static const Runs *findLayer(Segment *s, Runs buffer[2]) {
  if (s->only) {
    findPairsOfOne(s);
  } else if (!isAnySuspicious(s)) {
    return NULL; /* a scan would not stop here */
  } else {
    findPairs(s);
  }
  return s->pairs ? utf8mojibake_find_runs(s, buffer) : NULL;
}

/* Restores one layer. Returns 0 if there is none. */
static int restoreLayer(Segment *s, Utf8MojibakeSegment *all) {
  Runs buffer[2];
  const Runs *runs = findLayer(s, buffer);
  if (!runs) return 0;
  runs = utf8mojibake_settle(s, runs, runs == buffer ? buffer + 1 : buffer);
  s->is_contested = !runs;
  if (!runs) return 0;
  setFirst(all, runs->charset, utf8mojibake_first_decoded(runs));
  all->runs += utf8mojibake_decode_runs(s, runs);
  return 1;
}

/* Restores the C1 controls. Returns 0 if none stands for something else. */
static int restoreControls(Segment *s, Utf8MojibakeSegment *all) {
  if (s->only || !isWindowsC1(s)) return 0;
  size_t first = 0;
  const size_t count = restoreC1(s, &first);
  setFirst(all, MOJIBAKE_LATIN1, first);
  all->runs += count;
  return 1;
}

/* Writes the ASCII characters of kinds. Returns where to write next. */
ALWAYS_INLINE uint8_t *writeAsciiKinds(const uint16_t *kind, size_t count,
                                       uint8_t *out) {
  size_t i = 0;
  for (; count - i >= 8; i += 8) bytes_narrow(out + i, kind + i);
  for (; i < count; i++) out[i] = (uint8_t)kind[i];
  return out + count;
}

size_t utf8mojibake_write_segment(const Segment *s, uint8_t *out) {
  uint8_t *p = out;
  size_t at = 0;
  for (size_t h = 0; h < s->highs; h++) {
    p = writeAsciiKinds(s->kind + at, s->high[h] - at, p);
    at = s->high[h];
    p += stepPut(p, s->code[at++]);
  }
  return (size_t)(writeAsciiKinds(s->kind + at, s->count - at, p) - out);
}

/* ---- tables of mojibake ------------------------------------------------------------------- */

/* Returns the end of the high code points at `at` if they fill a quoted string, or 0. */
static size_t quotedEnd(const Segment *s, size_t at) {
  const unsigned quote = at > 0 ? s->kind[at - 1] : 0;
  size_t end = at;
  if (quote != '"' && quote != '\'') return 0;
  while (end < s->count && s->kind[end] >= 0x80) end++;
  return s->kind[end] == quote ? end : 0;
}

/* Is there the same quoted string, not decoded? */
static int isQuotedElsewhere(const Segment *s, size_t start, size_t end) {
  for (size_t h = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    if (!s->is_decoded[at] && quotedEnd(s, at) == at + (end - start) &&
        memcmp(s->code + at, s->code + start, (end - start) * sizeof *s->code) == 0)
      return 1;
  }
  return 0;
}

int utf8mojibake_is_table(const Segment *s) {
  for (size_t h = 0; h < s->highs; h++) {
    const size_t at = s->high[h], end = s->is_decoded[at] ? quotedEnd(s, at) : 0;
    if (!end) continue;
    if (end == at + 1 && s->code[at] == 0xFEFF) return 1;
    if (isQuotedElsewhere(s, at, end)) return 1;
  }
  return 0;
}

/* ---- a segment ------------------------------------------------------------------------------ */

Utf8MojibakeSegment utf8mojibake_restore_read(Segment *s, uint8_t *out) {
  Utf8MojibakeSegment all = {0, -1, 0, 0};
  while (restoreLayer(s, &all) || (!s->is_contested && restoreControls(s, &all))) {
  }
  if (all.runs && !s->only &&
      (s->is_contested || !utf8mojibake_is_plausible(s) || utf8mojibake_is_table(s)))
    all.runs = 0;
  if (out && all.runs) all.written = utf8mojibake_write_segment(s, out);
  return all;
}

Utf8MojibakeSegment utf8mojibake_restore_segment(const Utf8MojibakeCharset *only,
                                                 const uint8_t *text, size_t size,
                                                 uint8_t *out) {
  Segment s;
  s.only = only;
  utf8mojibake_read_segment(&s, text, size);
  return utf8mojibake_restore_read(&s, out);
}
