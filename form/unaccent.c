/* form/unaccent.c: text without accents (utf8form.h).
**
** An accent is a combining mark of the classes that stand for marks at a letter (ACCENTS). Of a letter
** that Unicode encodes as one outside of Latin and Greek, such as й, the mark is not an accent: it makes
** another letter of the alphabet.
**
** Sources: Unicode's decompositions and combining classes; CLDR's Latin-ASCII for Latin letters
** without a decomposition (tool/closest.py); PostgreSQL's unaccent.rules for ё.
*/
#include "form/closest.h"
#include "form/codepoint.h"
#include "form/unaccent.h"
#include "core/utf8form.h"

/* ---- accents -------------------------------------------------------------------------------- */

/* Is the combining class that of accents? Those of viramas, nuktas, kana's voicing marks, and of vowel and
** tone signs of Thai, Lao, Telugu and Tibetan are not: 6 to 9, and 36 to 199. Class 1 is strokes, 10 to 35
** points of Hebrew and Arabic, and from 200 on marks at a side. */
static int isAccentClass(unsigned class) {
  return class == 1 || (class >= 10 && class <= 35) || class >= 200;
}

/* From here on marks are parts of signs, such as the stems of notes. */
#define SIGN_MARKS 0x1D000

static int isLatinOrGreek(uint32_t code) {
  return (code | 0x20) - 'a' < 26 || (code >= 0xC0 && code < 0x2B0) ||
         (code >= 0x370 && code < 0x400);
}

/* Ѐ, Ё and Ѝ, capital and small: the only Cyrillic letters of one code point with an accent. */
static int isAccentedCyrillic(uint32_t code) {
  return (code & ~0x50u) == 0x400 || (code & ~0x50u) == 0x401 ||
         (code & ~0x50u) == 0x40D;
}

/* Negates the sign before it. */
#define STROKE_MARK 0x338

/* Is the mark an accent of the letter? Never where there is none: letter is 0. */
static int isAccent(uint32_t letter, uint32_t mark) {
  if (letter == 0 || mark >= SIGN_MARKS || !isAccentClass(classOf(mark))) return 0;
  if (isLatinOrGreek(letter)) return 1;
  if (mark == STROKE_MARK) return 0;
  const uint32_t both = compose(letter, mark);
  return both == NO_CODE || isAccentedCyrillic(both);
}

/* Drops those of the decomposition that are accents of the letter. Returns whether there are any. */
static int dropAccents(uint32_t letter, FormDecomposition *decomposed, unsigned first) {
  unsigned kept = first;
  for (unsigned i = first; i < decomposed->count; i++) {
    if (!isAccent(letter, decomposed->codes[i]))
      decomposed->codes[kept++] = decomposed->codes[i];
  }
  const int hasDropped = kept < decomposed->count;
  decomposed->count = kept;
  return hasDropped;
}

/* ---- a code point ------------------------------------------------------------------------------ */

/* Where a code point loses an accent, at most one code point of its decomposition is left. */
size_t utf8form_unaccent_code(uint32_t *letter, uint32_t code, uint8_t *out) {
  FormDecomposition decomposed;
  size_t size;
  decomposed.count = 0;
  if (valueOf(code) < VALUE_RECORDS) {
    decomposed.codes[decomposed.count++] = code;
  } else {
    utf8form_add_decomposed(&decomposed, code, 0);
  }
  if (classOf(decomposed.codes[0])) {
    if (!dropAccents(*letter, &decomposed, 0)) return UTF8_UNACCENT_SAME;
    return decomposed.count ? stepPut(out, decomposed.codes[0]) : 0;
  }
  *letter = decomposed.codes[0];
  const int hasDropped = dropAccents(*letter, &decomposed, 1);
  const char *text = utf8form_latin_text(*letter, &size);
  if (text) {
    memcpy(out, text, size);
    return size;
  }
  return hasDropped ? stepPut(out, *letter) : UTF8_UNACCENT_SAME;
}

/* Like utf8form_unaccent_code(), but faster for most code points. */
static inline size_t unaccent(uint32_t *letter, uint32_t code,
                              uint8_t out[UTF8_FORM_ROOM]) {
  const unsigned value = valueOf(code);
  if (value >= VALUE_RECORDS || (value & VALUE_CLASS) || utf8form_is_latin(code))
    return utf8form_unaccent_code(letter, code, out);
  *letter = code;
  return UTF8_UNACCENT_SAME;
}

/* ---- text ----------------------------------------------------------------------------------------- */

/* Returns the end of the ASCII at text[at..end), and updates *letter. */
static inline size_t skipAsciiLetters(const uint8_t *text, size_t at, size_t end,
                                      uint32_t *letter) {
  const size_t first = at;
  while (end - at >= 8 && !(bytes_load64(text + at) & BYTES_HIGH_BITS)) at += 8;
  while (at < end && text[at] < 0x80) at++;
  if (at > first) *letter = text[at - 1];
  return at;
}

/* Returns the first place of the stretch that changes, or its end. */
static size_t findInStretch(const FormStretch *s, uint32_t *letter) {
  uint8_t out[UTF8_FORM_ROOM];
  for (size_t at = s->at;;) {
    at = skipAsciiLetters(s->text, at, s->end, letter);
    if (at == s->end) return at;
    const uint32_t before = *letter;
    const Utf8Step step = stepWellFormed(s->text + at);
    if (unaccent(letter, step.codepoint, out) != UTF8_UNACCENT_SAME) {
      *letter = before;
      return at;
    }
    at += step.length;
  }
}

size_t utf8form_find_accent(uint32_t *letter, const uint8_t *text, size_t size,
                            size_t at, size_t until) {
  while (at < until) {
    size_t ill_formed;
    const FormStretch s = stretchAt(text, size, at, chunkEnd(at, until), &ill_formed);
    const size_t place = findInStretch(&s, letter);
    if (place < s.end) return place;
    if (ill_formed) *letter = 0;
    at = s.end + ill_formed;
  }
  return at;
}

/* Copies ASCII as much as fits, and then one code point without its accents, if there is room for
** any. Returns 0 if there is not. */
static int unaccentSome(FormStretch *s, FormSink *sink, uint32_t *letter) {
  const size_t room = (size_t)(sink->end - sink->to);
  const size_t end = s->end - s->at < room ? s->end : s->at + room;
  const size_t stop = skipAsciiLetters(s->text, s->at, end, letter);
  memcpy(sink->to, s->text + s->at, stop - s->at);
  sink->to += stop - s->at;
  s->at = stop;
  if (s->at == s->end) return 1;
  if (sink->end - sink->to < UTF8_FORM_ROOM) return 0;
  const Utf8Step step = stepWellFormed(s->text + s->at);
  size_t used = unaccent(letter, step.codepoint, sink->to);
  if (used == UTF8_UNACCENT_SAME) {
    used = step.length;
    memcpy(sink->to, s->text + s->at, used);
  }
  sink->to += used;
  s->at += step.length;
  return 1;
}

size_t utf8form_unaccent(uint32_t *letter, const uint8_t *text, size_t size, size_t *at,
                         uint8_t *out, size_t room) {
  FormSink sink = {out, out + room};
  int fits = 1;
  while (fits && *at < size) {
    size_t ill_formed;
    FormStretch s = stretchAt(text, size, *at, chunkEnd(*at, size), &ill_formed);
    while (fits && s.at < s.end) fits = unaccentSome(&s, &sink, letter);
    *at = s.at;
    if (s.at < s.end || ill_formed == 0) continue;
    if ((size_t)(sink.end - sink.to) < ill_formed) break;
    memcpy(sink.to, text + *at, ill_formed);
    sink.to += ill_formed;
    *at += ill_formed;
    *letter = 0;
  }
  return (size_t)(sink.to - out);
}
