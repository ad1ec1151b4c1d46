/* detect/misread.c: finds text in a legacy charset that was read as Latin-1, by its column. */
#include "detect/misread.h"
#include "charset/legacy/legacy.h"
#include "core/step.h"
#include "detect/column.h"
#include "core/bytes.h"
#include <string.h>

/* ---- one value -------------------------------------------------------------------------------- */

/* A word of this many bytes beyond ASCII, of which this many are different, makes a value strong. */
#define STRONG_WORD      4
#define STRONG_DIFFERENT 3

/* A value in progress. */
typedef struct MisreadWords {
  size_t high, ascii;    /* letters of the word so far */
  size_t longest;        /* bytes beyond ASCII of a word */
  int has_c1, has_signs; /* of windows-1252 alone */
  int is_latin;
} MisreadWords;

static void endMisreadWord(Utf8MisreadValue *value, MisreadWords *w) {
  value->words += w->high > 0;
  w->is_latin |= w->high > 0 && w->ascii > 0;
  if (w->high > w->longest) w->longest = w->high;
  w->high = w->ascii = 0;
}

/* Returns the byte of a code point beyond ASCII in Latin-1 or Windows-1252, or 0. */
static uint8_t byteOfMisread(uint32_t code, MisreadWords *w) {
  const uint16_t *high = utf8charset_high(UTF8_CHARSET_WINDOWS1252);
  if (code < 0x100) {
    w->has_c1 |= code < 0xA0 && high[code - 0x80] != code;
    return (uint8_t)code;
  }
  w->has_signs = 1;
  for (unsigned i = 0; i < 32; i++)
    if (high[i] == code) return (uint8_t)(0x80 + i);
  return 0;
}

/* Adds a code point that has this byte. */
static void addMisreadByte(Utf8MisreadValue *value, MisreadWords *w, uint8_t byte,
                           size_t at) {
  const int isLetter = byte >= 0x80 || bytes_is_ascii_letter(byte);
  if (value->size < UTF8_MISREAD_BYTES) value->bytes[value->size++] = byte;
  if (!isLetter) {
    endMisreadWord(value, w);
  } else if (byte < 0x80) {
    w->ascii++;
  } else {
    if (value->seen[0] == 0 && value->seen[1] == 0) value->first = at;
    value->seen[byte >> 6 & 1] |= (uint64_t)1 << (byte & 63);
    w->high++;
  }
}

static Utf8MisreadKind kindOfWords(const Utf8MisreadValue *value,
                                   const MisreadWords *w) {
  const unsigned different =
      (unsigned)(mask_count(value->seen[0]) + mask_count(value->seen[1]));
  if (w->is_latin || (w->has_c1 && w->has_signs)) return UTF8_MISREAD_LATIN;
  if (utf8core_valid(value->bytes, value->size)) return UTF8_MISREAD_LATIN;
  return w->longest >= STRONG_WORD && different >= STRONG_DIFFERENT
             ? UTF8_MISREAD_STRONG
             : UTF8_MISREAD_WEAK;
}

void utf8detect_misread_read(Utf8MisreadValue *value, const uint8_t *text,
                             size_t size) {
  MisreadWords w = {.high = 0};
  value->size = value->words = value->first = 0;
  value->seen[0] = value->seen[1] = 0;
  value->kind = UTF8_MISREAD_NOTHING;
  if (bytes_skip_ascii(text, 0, size) == size) return;
  value->kind = UTF8_MISREAD_LATIN;
  if (size > UTF8_MISREAD_LONGEST) return;
  for (size_t at = 0; at < size;) {
    const Utf8Step s = utf8core_step(text, size, at, UTF8_STRICT);
    if (s.error) return;
    const uint8_t byte =
        s.length == 1 ? (uint8_t)s.codepoint : byteOfMisread(s.codepoint, &w);
    if (byte == 0 && s.length > 1) {
      value->kind = UTF8_MISREAD_NOTHING;
      return;
    }
    addMisreadByte(value, &w, byte, at);
    if (w.is_latin) return;
    at += s.length;
  }
  endMisreadWord(value, &w);
  value->through = w.has_signs ? UTF8_CHARSET_WINDOWS1252 : UTF8_CHARSET_LATIN1;
  value->kind = kindOfWords(value, &w);
}

/* ---- the column ------------------------------------------------------------------------------- */

/* A column is suspicious with this many letters in its strong values. */
#define COLUMN_LETTERS 20

static void gatherMisread(Utf8CauseEvidence *evidence, const Utf8MisreadValue *value) {
  utf8detect_cause_begin(evidence);
  utf8detect_cause_add(evidence, value->bytes, value->size, 0, value->size);
}

static size_t countHighBytes(const Utf8MisreadValue *value) {
  size_t count = 0;
  for (size_t i = 0; i < value->size; i++) count += value->bytes[i] >= 0x80;
  return count;
}

void utf8detect_misread_add(Utf8MisreadColumn *c, Utf8CauseEvidence *evidence,
                            const Utf8MisreadValue *value) {
  c->has_latin |= value->kind == UTF8_MISREAD_LATIN;
  if (value->kind < UTF8_MISREAD_WEAK) return;
  const uint64_t hash = utf8detect_mixture_hash(value->bytes, value->size);
  if (utf8detect_mixture_is_known(&c->column, hash)) return;
  gatherMisread(evidence, value);
  utf8detect_mixture_add(&c->column, hash, evidence);
  if (value->kind < UTF8_MISREAD_STRONG) return;
  if (c->strong == 0) utf8detect_column_begin(&c->joined);
  utf8detect_column_add(&c->joined, value->bytes, value->size, 0, value->size);
  c->strong++;
  c->letters += countHighBytes(value);
}

void utf8detect_misread_add_clean(Utf8MisreadColumn *c, const uint8_t *text,
                                  size_t size) {
  if (c->column.clean_count < UTF8_MIXTURE_CLEAN)
    utf8detect_mixture_add_clean(&c->column, text, size);
}

/* How plausible the values together are, at least, in the charset that most of them are in. Accented letters in any
** order have up to 0.783 in Cyrillic, and 0.70 in gbk. */
#define COLUMN_SCORE       0.80
#define COLUMN_SCORE_ASIAN 0.75

static int isPlausibleColumn(Utf8MisreadColumn *c) {
  const size_t history = utf8detect_mixture_commonest(&c->column);
  const double score =
      utf8detect_plausibility(&c->joined, utf8detect_history_charset(history));
  return score >= (history < UTF8_HISTORY_ASIAN ? COLUMN_SCORE : COLUMN_SCORE_ASIAN);
}

int utf8detect_misread_estimate(Utf8MisreadColumn *c) {
  if (c->strong < UTF8_MISREAD_ENOUGH || c->letters < COLUMN_LETTERS) return 0;
  c->table = c->column;
  utf8detect_mixture_estimate(&c->table, NULL);
  utf8detect_mixture_estimate(&c->column, &c->table);
  return isPlausibleColumn(c);
}

/* ---- the decision ----------------------------------------------------------------------------- */

/* The first letter that is not Latin: Greek. */
#define FIRST_OF_SCRIPTS 0x370

/* Do at least half of the values have the history of this multi-byte charset, in which any value is some text? */
static int isOfMost(const Utf8Mixture *m, Utf8Charset charset) {
  const int place = utf8detect_asian_of(charset);
  if (place < 0) return 0; /* unreachable: no other charset is a history */
  return m->counts.histories[UTF8_HISTORY_ASIAN + place] / UINT16_MAX * 2 >= m->count;
}

/* Does the single-byte charset define all bytes of the value? */
static int hasAllBytes(const Utf8MisreadValue *value, const uint16_t *high) {
  for (unsigned i = 0; i < 128; i++)
    if ((value->seen[i / 64] >> i % 64 & 1) && (high[i] == 0 || high[i] == 0xFFFD))
      return 0;
  return 1;
}

/* Does the charset read the value, nearly all of it as another script than Latin? */
static int isOtherScript(const Utf8MisreadColumn *c, const Utf8MisreadValue *value,
                         Utf8Charset charset) {
  if (!utf8charset_extends_ascii(charset))
    return value->size < UTF8_MISREAD_BYTES && isOfMost(&c->column, charset);
  const uint16_t *high = utf8charset_high(charset);
  if (!hasAllBytes(value, high)) return 0;
  size_t other = 0, all = 0;
  for (size_t i = 0; i < value->size; i++) {
    if (value->bytes[i] < 0x80) continue;
    const uint32_t code = high[value->bytes[i] - 0x80];
    all++;
    other += code >= FIRST_OF_SCRIPTS && code < 0x2000;
  }
  return other * 4 >= all * 3;
}

int utf8detect_misread_decide(const Utf8MisreadColumn *c, Utf8CauseEvidence *evidence,
                              const Utf8MisreadValue *value, Utf8Reading *reading) {
  Utf8Readings r;
  const Utf8MisreadKind least = c->has_latin ? UTF8_MISREAD_STRONG : UTF8_MISREAD_WEAK;
  if (value->kind < least) return 0;
  const uint64_t hash = utf8detect_mixture_hash(value->bytes, value->size);
  gatherMisread(evidence, value);
  const Utf8Neighbours among = {&c->column, &c->table, NULL};
  utf8detect_readings(&r, evidence, hash, &among);
  if (r.count == 0 || r.list[0].probability < UTF8_PROBABILITY_SURE) return 0;
  *reading = r.list[0];
  return reading->cause.kind == UTF8_CAUSE_CHARSET &&
         isOtherScript(c, value, reading->cause.charset);
}
