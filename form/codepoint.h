/* form/codepoint.h: what a form makes of one code point, and of two: for form/normalize.c and
** form/normalized.c.
**
** A value (utf8form_value[]) is
**   0                        a starter without a decomposition that composes with nothing before it
**   1..1FF                   the combining class, and VALUE_SECOND if it may compose with what is
**                            before it
**   VALUE_RECORDS + place    of a record in utf8form_records[]:
**     byte 0   the size of the canonical decomposition; RECORD_CHANGES if NFC changes the code
**              point; RECORD_JOINS if the decomposition starts with what has a value
**     byte 1   the size of the compatibility decomposition, if that is another one; RECORD_JOINS
**              likewise
**     then both decompositions in UTF-8
** Hangul is computed (Unicode 3.12); its syllables have the value 0.
*/
#ifndef UTF8_FORM_CODEPOINT_H
#define UTF8_FORM_CODEPOINT_H

#include "form/stretch.h"

/* ---- forms ---------------------------------------------------------------------------- */

typedef struct Form {
  const Utf8CodeSet *changing;
  int composes, is_compatible, folds;
} Form;

extern const Form utf8form_forms[UTF8_NORMAL_FORMS];

/* The tables of form/tables/normalize.h. */
#define FORM_END 0x2FA40 /* code points from here have no value */
enum { FORM_BLOCKS = 270, FORM_RECORDS = 22441 };
extern const uint16_t utf8form_block[FORM_END / 64];
extern const uint16_t utf8form_value[FORM_BLOCKS][64];
extern const uint8_t utf8form_records[FORM_RECORDS];
extern const uint16_t utf8form_moves[512];
extern const uint64_t utf8form_compositions[1024];

/* Does nfkc_casefold drop the code point? */
int utf8form_is_dropped(uint32_t code);

/* ---- code points ------------------------------------------------------------------------ */

enum {
  VALUE_CLASS = 0xFF,
  VALUE_SECOND = 0x100,
  VALUE_RECORDS = 0x200,
  RECORD_SIZE = 0x3F,
  RECORD_JOINS = 0x40,
  RECORD_CHANGES = 0x80
};

static inline unsigned valueOf(uint32_t code) {
  if (code >= FORM_END) return 0;
  return utf8form_value[utf8form_block[code >> 6]][code & 63];
}

static inline const uint8_t *recordOf(unsigned value) {
  return utf8form_records + (value - VALUE_RECORDS);
}

static inline unsigned classOf(uint32_t code) {
  const unsigned value = valueOf(code);
  return value < VALUE_RECORDS ? value & VALUE_CLASS : 0;
}

enum {
  HANGUL_FIRST = 0xAC00,
  HANGUL_COUNT = 11172,
  LEADING_FIRST = 0x1100,
  LEADING_COUNT = 19,
  VOWEL_FIRST = 0x1161,
  VOWEL_COUNT = 21,
  TRAILING_BEFORE = 0x11A7,
  TRAILING_COUNT = 28,
  OF_LEADING = VOWEL_COUNT * TRAILING_COUNT
};

static inline int isHangul(uint32_t code) {
  return code - HANGUL_FIRST < HANGUL_COUNT;
}

/* May the code point change because of what is before it, or change that? */
static inline int joinsCluster(const Form *form, uint32_t code) {
  const unsigned value = valueOf(code);
  if (form->folds && utf8form_is_dropped(code)) return 1;
  if (value < VALUE_RECORDS)
    return form->composes ? value != 0 : (value & VALUE_CLASS) != 0;
  return recordOf(value)[form->is_compatible && recordOf(value)[1]] & RECORD_JOINS;
}

/* ---- decomposition ----------------------------------------------------------------------- */

#define DECOMPOSED_MAX 32 /* code points; a test measures 18 */

typedef struct FormDecomposition {
  unsigned count;
  uint32_t codes[DECOMPOSED_MAX];
} FormDecomposition;

/* Appends the full decomposition of a code point. */
void utf8form_add_decomposed(FormDecomposition *to, uint32_t code, int is_compatible);

/* Stores what the form makes of a code point, before reordering and composition. */
void utf8form_decompose(const Form *form, uint32_t code, FormDecomposition *to);

/* Does the form change the code point, which does not join, on its own? */
int utf8form_changes(const Form *form, uint32_t code);

/* ---- composition ------------------------------------------------------------------------- */

#define NO_CODE 0xFFFFFFFFu

/* Returns the composition of two jamo, or of a syllable and one, or NO_CODE. */
uint32_t utf8form_compose_hangul(uint32_t first, uint32_t second);

/* Returns the composition of the two, or NO_CODE. first may be NO_CODE. */
static inline uint32_t compose(uint32_t first, uint32_t second) {
  const uint32_t mix = first * 0x9E3779B1u + second * 0x85EBCA6Bu;
  const size_t slot = (mix >> 8 ^ utf8form_moves[mix >> 23]) & 1023;
  const uint64_t found = utf8form_compositions[slot];
  if (found >> 21 == ((uint64_t)first << 21 | second)) return found & 0x1FFFFF;
  if (second - LEADING_FIRST < 0x100) return utf8form_compose_hangul(first, second);
  return NO_CODE;
}

/* ---- clusters: a code point, and those that join it -------------------------------------------------------------------------------- */

/* A position in well-formed text[at..end). */
typedef struct FormPlace {
  const uint8_t *text;
  size_t at, end;
} FormPlace;

/* Does a cluster start at the place, which is before the end? May miss one. */
static inline int startsCluster(const Form *form, FormPlace place) {
  const uint8_t lead = place.text[place.at];
  if (lead < 0x80 || (lead < 0xCC && !form->folds)) return 1;
  return !joinsCluster(form, stepWellFormed(place.text + place.at).codepoint);
}

/* Could the ill-formed bytes at the place complete others? A stray continuation completes a
** subpart, and a low surrogate a pair. */
static inline int completes(FormPlace place) {
  const uint8_t *p = place.text + place.at;
  return bytes_is_continuation(p[0]) ||
         (p[0] == 0xED && place.end - place.at > 1 && p[1] >> 4 == 0xB);
}

/* Like stretchAt(). A code point that the form drops stays before ill-formed bytes that could
** complete others before it. It then counts as ill-formed; at the end of an open stretch it is left
** for the next one. */
static inline FormStretch stretchOfForm(const Form *form, const uint8_t *text,
                                        size_t size, size_t at, size_t until,
                                        size_t *ill_formed) {
  FormStretch s = stretchAt(text, size, at, until, ill_formed);
  if (!form->folds || s.end == at || s.end == size) return s;
  if (!s.is_open && !completes((FormPlace){text, s.end, size})) return s;
  const size_t last = bytes_start_before(text, s.end);
  if (!utf8form_is_dropped(stepWellFormed(text + last).codepoint)) return s;
  if (!s.is_open) *ill_formed += s.end - last;
  s.end = last;
  return s;
}

/* Returns where the cluster starts that ends at or after `end`: at or after `first`, where one starts. */
static inline size_t clusterBefore(const Form *form, const uint8_t *text, size_t first,
                                   size_t end) {
  while (end > first) {
    end = bytes_start_before(text, end);
    if (startsCluster(form, (FormPlace){text, end, end})) break;
  }
  return end;
}

/* Returns where the last cluster may start that is not known to be whole. */
static inline size_t lastStart(const Form *form, const FormStretch *s) {
  return s->is_open ? clusterBefore(form, s->text, s->at, s->end) : s->end;
}

/* Is the code point at the place in a cluster that the form may change? Then stores where that starts: at
** or after s->at, where one starts. */
static inline int clusterAt(const Form *form, const FormStretch *s, size_t place,
                            size_t *start) {
  const uint32_t code = stepWellFormed(s->text + place).codepoint;
  const int is_joined = joinsCluster(form, code);
  *start = is_joined ? clusterBefore(form, s->text, s->at, place) : place;
  return is_joined || utf8form_changes(form, code);
}

#endif
