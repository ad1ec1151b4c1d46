/* mojibake/segment.c: reads one segment of text as code points, decodes runs of it, and writes what is left
** (mojibake/codes.h).
**
** C1 controls are undone too: Windows-1252 that was read as iso-8859-1.
*/
#include "mojibake/segment.h"
#include "charset/legacy/legacy.h"
#include "mojibake/codes.h"
#include "mojibake/runs.h"

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

void utf8mojibake_read_segment(Segment *s, const Utf8MojibakeCharset *only, int isEnd,
                               const uint8_t *text, size_t size) {
  size_t n = 0;
  s->only = only;
  s->is_end = isEnd;
  s->highs = 0;
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
  endSegment(s, n);
}

void utf8mojibake_copy_segment(Segment *to, const Segment *from) {
  const size_t n = from->count;
  memcpy(to, from, offsetof(Segment, kind));
  memcpy(to->kind, from->kind, (n + PADDING) * sizeof *to->kind);
  memcpy(to->code, from->code, n * sizeof *to->code);
  memcpy(to->is_decoded, from->is_decoded, n);
  memcpy(to->high, from->high, from->highs * sizeof *to->high);
}

/* Returns the charsets, as bits, that explain the pair at a high code point. Rivals are among them. */
ALWAYS_INLINE uint32_t charsetsOfPair(const Segment *s, size_t at) {
  const unsigned kind = s->kind[at], next = s->kind[at + 1];
  if (next == ' ')
    return utf8mojibake_before_space[utf8mojibake_before_space_from[kind]];
  return utf8mojibake_lead[kind] & utf8mojibake_continuation[next];
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
    if (at + 1 == s->count && s->is_end) continue;
    if (next == ' ')
      charsets &= trail | charsetsOfPair(s, at);
    else if (next < 0x80)
      charsets &= trail;
  }
  return charsets;
}

/* Returns the charsets, as bits, in which a scan stops at the high code point at `at`. */
static uint32_t scanCharsets(const Segment *s, size_t at) {
  const Utf8MojibakeScan *lead = &utf8mojibake_scan[s->kind[at]];
  const uint32_t next = utf8mojibake_scan[s->kind[at + 1]].next;
  const uint32_t last = utf8mojibake_scan[s->kind[at + 2]].last;
  const uint32_t found = (lead->two & next) | (lead->more & next & last);
  return found >> MOJIBAKE_CHARSETS ? found | MOJIBAKE_SCAN_FURTHER : found;
}

uint32_t utf8mojibake_partial_charsets(const Segment *s) {
  uint32_t pairs = 0, scan = 0;
  for (size_t h = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    const uint32_t pair = charsetsOfPair(s, at);
    pairs |= pair;
    scan |= s->kind[at + 1] == ' ' ? pair : scanCharsets(s, at);
  }
  return pairs & scan;
}

uint32_t utf8mojibake_alike_charsets(const Segment *s, unsigned charset) {
  uint32_t charsets = MOJIBAKE_ALL;
  for (size_t h = 0; h < s->highs; h++) {
    const unsigned kind = s->kind[s->high[h]];
    const uint32_t *mask = utf8mojibake_agreeing + utf8mojibake_agreeing_from[kind];
    while (!(*mask >> charset & 1)) mask++;
    charsets &= *mask;
  }
  return charsets;
}

/* ---- decoding ---------------------------------------------------------------------------- */

/* How far a segment is copied. */
typedef struct Copied {
  size_t from; /* the next code point */
  size_t high; /* the next high one, by its number */
  size_t to;   /* where the next one goes */
} Copied;

/* Copies the code points up to `end`. */
static void copyCodes(Segment *to, const Segment *s, Copied *done, size_t end) {
  const size_t back = done->from - done->to;
  memcpy(to->kind + done->to, s->kind + done->from,
         (end - done->from) * sizeof *to->kind);
  for (; done->high < s->highs && s->high[done->high] < end; done->high++) {
    const size_t at = s->high[done->high];
    to->code[at - back] = s->code[at];
    to->is_decoded[at - back] = s->is_decoded[at];
    to->high[to->highs++] = (uint16_t)(at - back);
  }
  done->to = end - back;
  done->from = end;
}

/* Stores the decoded code points of a run in its place, up to `end`. */
static void copyDecoded(Segment *to, const Segment *s, Copied *done,
                        const uint32_t *code, size_t letters, size_t end) {
  while (done->high < s->highs && s->high[done->high] < end) done->high++;
  for (size_t i = 0; i < letters; i++)
    addHigh(to, done->to++, code[i], kindOf(to, code[i]), 1);
  done->from = end;
}

size_t utf8mojibake_decode_runs(Segment *to, const Segment *s, const Runs *runs) {
  Copied done = {0, 0, 0};
  size_t originals = 0;
  const uint32_t *code = runs->code;
  to->only = s->only;
  to->is_end = s->is_end;
  to->c1 = s->c1;
  to->highs = 0;
  for (size_t r = 0; r < runs->count; code += runs->letters[r++]) {
    copyCodes(to, s, &done, runs->start[r]);
    originals += !s->is_decoded[runs->start[r]];
    copyDecoded(to, s, &done, code, runs->letters[r], runs->end[r]);
  }
  copyCodes(to, s, &done, s->count);
  endSegment(to, done.to);
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
  int has = 0, isNelOnly = !(s->c1 & ~((uint32_t)1 << (NEL & 31)));
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

size_t utf8mojibake_restore_c1(Segment *s, size_t *first) {
  size_t count = 0;
  const size_t highs = s->highs;
  if (!isWindowsC1(s)) return 0;
  s->highs = 0;
  for (size_t h = 0; h < highs; h++) {
    const size_t at = s->high[h];
    const uint32_t code = fromC1(s->code[at]);
    if (code != s->code[at] && count++ == 0) *first = at;
    addHigh(s, at, code, kindOf(s, code), code != s->code[at] || s->is_decoded[at]);
  }
  return count;
}

/* ---- writing ---------------------------------------------------------------------------------- */

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

/* A word: letters and other high code points. */
typedef struct Word {
  size_t start, end;
} Word;

static int isOfWord(const Segment *s, size_t at) {
  return s->kind[at] >= 0x80 || traitsAt(s, at).script;
}

/* Returns the word of the high code point at `at`. */
static Word wordOfCode(const Segment *s, size_t at) {
  Word word = {at, at};
  while (word.start > 0 && isOfWord(s, word.start - 1)) word.start--;
  while (word.end < s->count && isOfWord(s, word.end)) word.end++;
  return word;
}

/* Does the word fill a quoted string? */
static int isQuoted(const Segment *s, Word word) {
  const unsigned quote = word.start > 0 ? s->kind[word.start - 1] : 0;
  return (quote == '"' || quote == '\'') && s->kind[word.end] == quote;
}

/* Is it the same as a quoted word that is not decoded? */
static int isQuotedElsewhere(const Segment *s, Word word) {
  const size_t length = word.end - word.start;
  for (size_t h = 0; h < s->highs; h++) {
    if (s->is_decoded[s->high[h]]) continue;
    const Word other = wordOfCode(s, s->high[h]);
    size_t n = 0;
    if (other.end - other.start != length || !isQuoted(s, other)) continue;
    while (n < length && codeAt(s, word.start + n) == codeAt(s, other.start + n)) n++;
    if (n == length) return 1;
  }
  return 0;
}

int utf8mojibake_is_table(const Segment *s) {
  Word word = {0, 0};
  for (size_t h = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    if (!s->is_decoded[at] || at < word.end) continue;
    word = wordOfCode(s, at);
    if (!isQuoted(s, word)) continue;
    if (word.end == word.start + 1 && s->code[at] == 0xFEFF) return 1;
    if (isQuotedElsewhere(s, word)) return 1;
  }
  return 0;
}

/* ---- where a long text may be cut ---------------------------------------------------------- */

/* Removes the last code point. */
static void shorten(Segment *s) {
  if (s->kind[s->count - 1] >= 0x80) s->highs--;
  endSegment(s, s->count - 1);
}

/* Are all high code points whole sequences in some charset? */
static int isWhole(const Segment *s) {
  Runs runs;
  for (uint32_t left = utf8mojibake_whole_charsets(s); left; left &= left - 1) {
    utf8mojibake_read_runs(s, (unsigned)mask_lowest(left), &runs);
    if (runs.covered == s->highs) return 1;
  }
  return 0;
}

size_t utf8mojibake_whole_sequences(const uint8_t *text, size_t size) {
  Segment s;
  utf8mojibake_read_segment(&s, NULL, 0, text, size);
  for (int more = 0; more < 4 && s.count > 0; more++) {
    if (isWhole(&s)) return utf8mojibake_bytes_of(text, s.count);
    shorten(&s);
  }
  return size;
}

/* ---- one charset ------------------------------------------------------------------------------ */

Utf8MojibakeSegment utf8mojibake_restore_only(const Utf8MojibakeCharset *only,
                                              const uint8_t *text, size_t size,
                                              uint8_t *out) {
  Utf8MojibakeSegment all = {0, 0, 0, 0};
  Segment segments[2], *s = segments, *next = segments + 1;
  Runs runs;
  utf8mojibake_read_segment(s, only, 0, text, size);
  for (utf8mojibake_read_runs(s, 0, &runs); runs.count > 0;
       utf8mojibake_read_runs(s, 0, &runs)) {
    if (!all.runs) all.start = runs.start[0];
    all.runs += utf8mojibake_decode_runs(next, s, &runs);
    s = next;
    next = s == segments ? segments + 1 : segments;
  }
  if (out && all.runs) all.written = utf8mojibake_write_segment(s, out);
  return all;
}
