/* form/normalize.c: the normalization forms of UAX 15, and NFKC_Casefold.
**
** Most code points of most text are plain: a form leaves them alone wherever they stand. A kernel
** passes over them (skip_stable() of simd/kernel.h) and reports the others. The part around each
** of these is normalized on its own: usually in a few steps (quick...()), else as a run of code
** points (FormRun), or, with more marks than a run holds, by counting how many bytes the marks of each
** class have (long...()): in linear time, and without memory.
**
** A value (normalize_value[]) is
**   0                        a starter without a decomposition that composes with nothing before it
**   1..1FF                   the combining class, and VALUE_SECOND if it may compose with what is
**                            before it
**   VALUE_RECORDS + place    of a record in normalize_records[]:
**     byte 0   the size of the canonical decomposition; RECORD_CHANGES if NFC changes the code
**              point; RECORD_JOINS if the decomposition starts with what has a value
**     byte 1   the size of the compatibility decomposition, if that is another one; RECORD_JOINS
**              likewise
**     then both decompositions in UTF-8
** Hangul is computed (Unicode 3.12); its syllables have the value 0.
*/
#include "form/stretch.h"
#include "form/tables/normalize.h"
#include "form/tables/plain.h"

const char *utf8core_unicode_version(void) {
  return NORMALIZE_VERSION;
}

/* ---- forms ---------------------------------------------------------------------------- */

typedef struct Form {
  const Utf8Plain *plain;
  int composes, is_compatible, folds;
} Form;

static const Form forms[UTF8_NORMAL_FORMS] = {
    [UTF8_NFC] = {&plain_nfc, 1, 0, 0},
    [UTF8_NFD] = {&plain_nfd, 0, 0, 0},
    [UTF8_NFKC] = {&plain_nfkc, 1, 1, 0},
    [UTF8_NFKD] = {&plain_nfkd, 0, 1, 0},
    [UTF8_NFKC_CASEFOLD] = {&plain_nfkc_casefold, 1, 1, 1},
};

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
  if (code >= NORMALIZE_END) return 0;
  return normalize_value[normalize_block[code >> 6]][code & 63];
}

static inline const uint8_t *recordOf(unsigned value) {
  return normalize_records + (value - VALUE_RECORDS);
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

/* Does nfkc_casefold drop the code point? */
static int isDropped(uint32_t code) {
  size_t low = 0, high = sizeof normalize_ignored / sizeof *normalize_ignored;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (code > normalize_ignored[middle].last) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < sizeof normalize_ignored / sizeof *normalize_ignored &&
         code >= normalize_ignored[low].first;
}

/* May the code point change because of what is before it, or change that? */
static int joins(const Form *form, uint32_t code) {
  const unsigned value = valueOf(code);
  if (form->folds && isDropped(code)) return 1;
  if (value < VALUE_RECORDS) return form->composes ? value != 0 : value & VALUE_CLASS;
  return recordOf(value)[form->is_compatible && recordOf(value)[1]] & RECORD_JOINS;
}

/* ---- decomposition ----------------------------------------------------------------------- */

#define DECOMPOSED_MAX 32 /* code points; a test measures 18 */

typedef struct FormParts {
  unsigned count;
  uint32_t codes[DECOMPOSED_MAX];
} FormParts;

static void addText(FormParts *to, const uint8_t *text, size_t size) {
  for (size_t at = 0; at < size;) {
    const Utf8Step s = stepWellFormed(text + at);
    to->codes[to->count++] = s.codepoint;
    at += s.length;
  }
}

static void addHangul(FormParts *to, uint32_t code) {
  const uint32_t n = code - HANGUL_FIRST;
  to->codes[to->count++] = LEADING_FIRST + n / OF_LEADING;
  to->codes[to->count++] = VOWEL_FIRST + n % OF_LEADING / TRAILING_COUNT;
  if (n % TRAILING_COUNT) to->codes[to->count++] = TRAILING_BEFORE + n % TRAILING_COUNT;
}

/* Appends the full decomposition of a code point. */
static void addDecomposed(FormParts *to, uint32_t code, int is_compatible) {
  const unsigned value = valueOf(code);
  if (value >= VALUE_RECORDS) {
    const uint8_t *record = recordOf(value);
    const size_t first = record[0] & RECORD_SIZE, second = record[1] & RECORD_SIZE;
    if (is_compatible && second) {
      addText(to, record + 2 + first, second);
      return;
    }
    if (first) {
      addText(to, record + 2, first);
      return;
    }
  } else if (isHangul(code)) {
    addHangul(to, code);
    return;
  }
  to->codes[to->count++] = code;
}

/* Appends what folding makes of a code point that is decomposed, decomposed. */
static void addFolded(FormParts *to, uint32_t code) {
  uint8_t folded[UTF8_FOLD_MAX];
  FormParts parts = {0, {0}};
  if (isDropped(code)) return;
  addText(&parts, folded, utf8form_fold(code, folded));
  if (!parts.count) parts.codes[parts.count++] = code;
  for (unsigned i = 0; i < parts.count; i++)
    if (!isDropped(parts.codes[i])) addDecomposed(to, parts.codes[i], 1);
}

/* Stores what the form makes of a code point, before reordering and composition. */
static void decompose(const Form *form, uint32_t code, FormParts *to) {
  to->count = 0;
  if (!form->folds) {
    addDecomposed(to, code, form->is_compatible);
    return;
  }
  FormParts whole = {0, {0}};
  if (isDropped(code)) return;
  addDecomposed(&whole, code, 1);
  for (unsigned i = 0; i < whole.count; i++) addFolded(to, whole.codes[i]);
}

/* ---- composition ------------------------------------------------------------------------- */

#define NO_CODE 0xFFFFFFFFu

static uint32_t composeHangul(uint32_t first, uint32_t second) {
  if (first - LEADING_FIRST < LEADING_COUNT && second - VOWEL_FIRST < VOWEL_COUNT)
    return HANGUL_FIRST + (first - LEADING_FIRST) * OF_LEADING +
           (second - VOWEL_FIRST) * TRAILING_COUNT;
  if (isHangul(first) && (first - HANGUL_FIRST) % TRAILING_COUNT == 0 &&
      second - TRAILING_BEFORE - 1 < TRAILING_COUNT - 1)
    return first + (second - TRAILING_BEFORE);
  return NO_CODE;
}

/* Returns the composition of the two, or NO_CODE. first may be NO_CODE. */
static inline uint32_t compose(uint32_t first, uint32_t second) {
  const uint32_t mix = first * 0x9E3779B1u + second * 0x85EBCA6Bu;
  const uint64_t pair = normalize_pairs[(mix >> 8 ^ normalize_moves[mix >> 23]) & 1023];
  if (pair >> 21 == ((uint64_t)first << 21 | second)) return (uint32_t)pair & 0x1FFFFF;
  if (second - LEADING_FIRST < 0x100) return composeHangul(first, second);
  return NO_CODE;
}

/* ---- output ------------------------------------------------------------------------------ */

static int putCode(FormSink *sink, uint32_t code) {
  if (sink->end - sink->to < UTF8_OCTETS_MAX) return 0;
  sink->to += stepPut(sink->to, code);
  return 1;
}

/* ---- a run: a starter and its marks -------------------------------------------------------- */

#define RUN_MARKS 64

/* A run in the making. Marks are decomposed: code | class << 24. */
typedef struct FormRun {
  const Form *form;
  FormSink *sink;
  uint32_t starter; /* or NO_CODE; composed as far as possible */
  unsigned count;
  uint32_t marks[RUN_MARKS];
} FormRun;

/* Sorts the marks by class. Marks of one class keep their order. */
static void sortMarks(FormRun *run) {
  for (unsigned i = 1; i < run->count; i++) {
    const uint32_t mark = run->marks[i];
    unsigned j = i;
    for (; j > 0 && run->marks[j - 1] >> 24 > mark >> 24; j--)
      run->marks[j] = run->marks[j - 1];
    run->marks[j] = mark;
  }
}

/* Composes the starter with each mark that no other one blocks, and keeps the others. */
static void composeMarks(FormRun *run) {
  unsigned kept = 0;
  for (unsigned i = 0; i < run->count; i++) {
    const uint32_t mark = run->marks[i];
    const int is_blocked = kept > 0 && run->marks[kept - 1] >> 24 >= mark >> 24;
    const uint32_t both = is_blocked ? NO_CODE : compose(run->starter, mark & 0x1FFFFF);
    if (both == NO_CODE) {
      run->marks[kept++] = mark;
    } else {
      run->starter = both;
    }
  }
  run->count = kept;
}

static void settleRun(FormRun *run) {
  sortMarks(run);
  if (run->form->composes && run->starter != NO_CODE) composeMarks(run);
}

/* Writes the settled run. Returns 0 if it does not fit. */
static int writeRun(FormRun *run) {
  if (run->starter != NO_CODE && !putCode(run->sink, run->starter)) return 0;
  for (unsigned i = 0; i < run->count; i++)
    if (!putCode(run->sink, run->marks[i] & 0x1FFFFF)) return 0;
  run->starter = NO_CODE;
  run->count = 0;
  return 1;
}

/* Adds a starter: composes it with the one before, or starts the next run with it. */
static int addStarter(FormRun *run, uint32_t code) {
  settleRun(run);
  if (run->form->composes && run->count == 0) {
    const uint32_t both = compose(run->starter, code);
    if (both != NO_CODE) {
      run->starter = both;
      return 1;
    }
  }
  if (!writeRun(run)) return 0;
  run->starter = code;
  return 1;
}

/* Adds decomposed code points, of which the marks fit. Returns 0 if the output is full. */
static int addParts(FormRun *run, const FormParts *parts) {
  for (unsigned i = 0; i < parts->count; i++) {
    const unsigned class = classOf(parts->codes[i]);
    if (class) {
      run->marks[run->count++] = parts->codes[i] | class << 24;
    } else if (!addStarter(run, parts->codes[i])) {
      return 0;
    }
  }
  return 1;
}

/* ---- long runs ------------------------------------------------------------------------------ */

/* A position in well-formed text[at..end). */
typedef struct FormPlace {
  const uint8_t *text;
  size_t at, end;
} FormPlace;

/* Decomposes the code point at the place. Returns its length in bytes. */
static unsigned decomposeAt(const Form *form, FormPlace place, FormParts *parts) {
  const Utf8Step s = stepWellFormed(place.text + place.at);
  decompose(form, s.codepoint, parts);
  return s.length;
}

/* Visits the marks from the place to the next starter: writes each where its class is, or, if text
** is NULL, adds up sizes. Returns where the marks end. (A decomposition that starts with a mark
** has nothing else; a test proves it.) */
static size_t eachMark(const Form *form, FormPlace place, uint8_t *text,
                       size_t at[256]) {
  FormParts parts;
  while (place.at < place.end) {
    const unsigned length = decomposeAt(form, place, &parts);
    if (parts.count > 0 && classOf(parts.codes[0]) == 0) break;
    for (unsigned i = 0; i < parts.count; i++) {
      size_t *const to = &at[classOf(parts.codes[i])];
      uint8_t octets[UTF8_OCTETS_MAX];
      const size_t size = stepPut(octets, parts.codes[i]);
      if (text) memcpy(text + *to, octets, size);
      *to += size;
    }
    place.at += length;
  }
  return place.at;
}

/* Turns sizes into the places where each begins. Returns the sum. */
static size_t placesOfSizes(size_t at[256]) {
  size_t sum = 0;
  for (int i = 0; i < 256; i++) {
    const size_t size = at[i];
    at[i] = sum;
    sum += size;
  }
  return sum;
}

/* Composes the starter with the sorted marks text[0..size). Returns the size of those it keeps. */
static size_t composeText(uint32_t *starter, uint8_t *text, size_t size) {
  size_t kept = 0;
  unsigned last = 0;
  for (size_t at = 0; at < size;) {
    const Utf8Step s = stepWellFormed(text + at);
    const unsigned class = classOf(s.codepoint);
    const uint32_t both = last >= class ? NO_CODE : compose(*starter, s.codepoint);
    if (both != NO_CODE) {
      *starter = both;
    } else {
      memmove(text + kept, text + at, s.length);
      kept += s.length;
      last = class;
    }
    at += s.length;
  }
  return kept;
}

/* Writes the run's starter, whose first `own` marks come from its own decomposition, and the marks
** from the place. Returns where they end, or 0 if they do not fit. */
static size_t writeLongRun(FormRun *run, unsigned own, FormPlace place) {
  size_t at[256] = {0};
  FormSink *sink = run->sink;
  const size_t room = (size_t)(sink->end - sink->to);
  for (unsigned i = 0; i < own; i++) {
    uint8_t octets[UTF8_OCTETS_MAX];
    at[run->marks[i] >> 24] += stepPut(octets, run->marks[i] & 0x1FFFFF);
  }
  eachMark(run->form, place, NULL, at);
  const size_t size = placesOfSizes(at);
  if (room < UTF8_OCTETS_MAX || room - UTF8_OCTETS_MAX < size) return 0;
  uint8_t *const marks = sink->to + UTF8_OCTETS_MAX;
  for (unsigned i = 0; i < own; i++)
    at[run->marks[i] >> 24] +=
        stepPut(marks + at[run->marks[i] >> 24], run->marks[i] & 0x1FFFFF);
  const size_t end = eachMark(run->form, place, marks, at);
  size_t kept = size;
  if (run->form->composes && run->starter != NO_CODE)
    kept = composeText(&run->starter, marks, size);
  if (run->starter != NO_CODE) sink->to += stepPut(sink->to, run->starter);
  memmove(sink->to, marks, kept);
  sink->to += kept;
  run->starter = NO_CODE;
  run->count = 0;
  return end;
}

/* ---- a part --------------------------------------------------------------------------------- */

/* Adds the code point at the place, and moves the place past it. A run that has too many marks is
** written at once. `own` and `marks` are as writeLongRun() needs them. Returns 0 if the output is
** full. */
static int addPlace(FormRun *run, FormPlace *place, unsigned *own, size_t *marks) {
  FormParts parts;
  const unsigned length = decomposeAt(run->form, *place, &parts);
  const int is_starter = parts.count > 0 && classOf(parts.codes[0]) == 0;
  if (!is_starter && run->count + parts.count > RUN_MARKS) {
    const FormPlace from = {place->text, *marks, place->end};
    place->at = writeLongRun(run, *own, from);
    *own = 0, *marks = place->at;
    return place->at != 0;
  }
  if (!addParts(run, &parts)) return 0;
  place->at += length;
  if (is_starter) *own = run->count, *marks = place->at;
  return 1;
}

/* Normalizes the part at the place, up to the next code point that does not join. Returns where it
** ends: the end of the place if no such code point follows; 0 if the part does not fit. */
static size_t writePart(const Form *form, FormPlace place, FormSink *sink) {
  FormRun run;
  run.form = form, run.sink = sink, run.starter = NO_CODE, run.count = 0;
  unsigned own = 0;
  size_t marks = place.at;
  do {
    if (!addPlace(&run, &place, &own, &marks)) return 0;
  } while (place.at < place.end &&
           joins(form, stepWellFormed(place.text + place.at).codepoint));
  settleRun(&run);
  return writeRun(&run) ? place.at : 0;
}

/* ---- parts of usual text: a few steps --------------------------------------------------------- */

/* Output that a quick part may overwrite, and input that it may read. */
#define QUICK_ROOM 64

/* Does a part start at the place, which is before the end? May miss one. */
static inline int startsPart(const Form *form, FormPlace place) {
  const uint8_t lead = place.text[place.at];
  if (lead < 0x80 || (lead < 0xCC && !form->folds)) return 1;
  return !joins(form, stepWellFormed(place.text + place.at).codepoint);
}

/* Writes U+1100 + l, U+1161 + v, and U+11A7 + t unless t is 0. */
static inline uint8_t *putJamo(uint8_t *to, uint32_t l, uint32_t v, uint32_t t) {
  to[0] = 0xE1, to[1] = 0x84, to[2] = (uint8_t)(0x80 + l);
  to[3] = 0xE1, to[4] = 0x85, to[5] = (uint8_t)(0xA1 + v);
  to[6] = 0xE1, to[7] = (uint8_t)(t < 25 ? 0x86 : 0x87);
  to[8] = (uint8_t)(t < 25 ? 0xA7 + t : 0x80 + t - 25);
  return to + (t ? 9 : 6);
}

/* Decomposes Hangul syllables as long as they follow each other. Returns where they end. */
static size_t quickHangul(FormPlace place, FormSink *sink) {
  while (place.end - place.at >= 3 && sink->end - sink->to >= QUICK_ROOM) {
    const uint8_t *p = place.text + place.at;
    if ((p[0] & 0xF8) != 0xE8) break;
    const uint32_t n =
        ((p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu)) - HANGUL_FIRST;
    if (n >= HANGUL_COUNT) break;
    sink->to = putJamo(sink->to, n / OF_LEADING, n / TRAILING_COUNT % VOWEL_COUNT,
                       n % TRAILING_COUNT);
    place.at += 3;
  }
  return place.at;
}

/* Decomposes the code point at the place. Returns where the part ends, or 0 if it takes writePart():
** a mark may follow. */
static size_t quickDecompose(const Form *form, FormPlace place, FormSink *sink) {
  const Utf8Step s = stepWellFormed(place.text + place.at);
  const unsigned value = valueOf(s.codepoint);
  const size_t end = place.at + s.length;
  if (value < VALUE_RECORDS || end == place.end) return 0;
  if (!startsPart(form, (FormPlace){place.text, end, place.end})) return 0;
  const uint8_t *record = recordOf(value);
  const size_t first = record[0] & RECORD_SIZE, second = record[1] & RECORD_SIZE;
  const int is_second = form->is_compatible && second;
  const uint8_t *from = record + 2 + (is_second ? first : 0);
  const size_t size = is_second ? second : first;
  memcpy(sink->to, from,
         RECORD_SIZE + 1); /* a size that the compiler knows is faster */
  sink->to += size;
  return end;
}

/* Composes the starter at the place with the marks after it, if it composes with all of them in
** their order. Returns where the part ends, or 0 if it takes writePart(). */
static size_t quickCompose(FormPlace place, FormSink *sink) {
  const Utf8Step s = stepWellFormed(place.text + place.at);
  uint32_t code = s.codepoint;
  unsigned last = 0;
  size_t at = place.at + s.length;
  if (valueOf(code) != 0) return 0;
  for (;;) {
    if (at == place.end) return 0;
    const Utf8Step next = stepWellFormed(place.text + at);
    const unsigned value = valueOf(next.codepoint);
    if (value == 0) break;
    const uint32_t both =
        value < VALUE_RECORDS ? compose(code, next.codepoint) : NO_CODE;
    if (both == NO_CODE || (value & VALUE_CLASS) < last) return 0;
    code = both, last = value & VALUE_CLASS;
    at += next.length;
  }
  sink->to += stepPut(sink->to, code);
  return at;
}

/* Normalizes the part at the place. Returns where it ends, or 0 if it does not fit. */
static size_t normalizePart(const Form *form, FormPlace place, FormSink *sink) {
  size_t end = 0;
  if (sink->end - sink->to >= QUICK_ROOM && !form->folds) {
    if (form->composes) {
      end = quickCompose(place, sink);
    } else if (isHangul(stepWellFormed(place.text + place.at).codepoint)) {
      end = quickHangul(place, sink);
    } else {
      end = quickDecompose(form, place, sink);
    }
  }
  return end ? end : writePart(form, place, sink);
}

/* ---- well-formed text -------------------------------------------------------------------------- */

static size_t startBefore(const uint8_t *text, size_t at) {
  do at--;
  while (bytes_is_continuation(text[at]));
  return at;
}

/* Returns where the last part may start that is not known to be whole. */
static size_t lastStart(const FormStretch *s) {
  return s->is_open && s->end > s->at ? startBefore(s->text, s->end) : s->end;
}

/* Does the form change the code point, which does not join, on its own? */
static int changesAlone(const Form *form, uint32_t code) {
  FormParts parts, canonical = {0, {0}};
  const unsigned value = valueOf(code);
  if (form->folds) {
    if (value >= VALUE_RECORDS && recordOf(value)[0] & RECORD_CHANGES) return 1;
    decompose(form, code, &parts);
    addDecomposed(&canonical, code, 0);
    return parts.count != canonical.count ||
           memcmp(parts.codes, canonical.codes, parts.count * sizeof *parts.codes) != 0;
  }
  if (value < VALUE_RECORDS) return !form->composes && isHangul(code);
  const uint8_t *record = recordOf(value);
  if (form->is_compatible && (record[1] & RECORD_SIZE)) return 1;
  return form->composes ? record[0] & RECORD_CHANGES : record[0] & RECORD_SIZE;
}

/* Finds the next part at or after `from`, where one starts, that the form may change: it starts at
** *start, and *place is in it. Returns 0 if there is none. */
static inline int nextPart(const Form *form, const FormStretch *s, size_t from,
                           FormSearch *search, size_t *start, size_t *place) {
  while (nextPlace(form->plain, s, from, search, place)) {
    const uint32_t code = stepWellFormed(s->text + *place).codepoint;
    const int is_joined = joins(form, code);
    if (!is_joined && !changesAlone(form, code)) continue;
    *start = is_joined && *place > from ? startBefore(s->text, *place) : *place;
    return 1;
  }
  return 0;
}

/* ---- is it normalized? -------------------------------------------------------------------------- */

/* A composed code point of the text, and what is left to come of its decomposition. */
typedef struct FormComposed {
  uint32_t code;   /* as composed so far, or NO_CODE before the first */
  uint32_t wanted; /* the code point */
  unsigned last;   /* the class of the last mark after it, or 0 */
  unsigned at;     /* of the parts: the next that is to be composed */
  FormParts parts; /* its decomposition */
} FormComposed;

/* Composes the parts that come before a mark of this class. Returns 0 if one of them would not
** compose: then the text is not normalized. */
static int composeParts(FormComposed *c, unsigned class) {
  for (; c->at < c->parts.count; c->at++) {
    const uint32_t part = c->parts.codes[c->at];
    const unsigned mine = classOf(part);
    if (mine > class) break;
    const int is_blocked = c->last > 0 && c->last >= mine;
    c->code = is_blocked ? NO_CODE : compose(c->code, part);
    if (c->code == NO_CODE) return 0;
  }
  return 1;
}

/* Adds the next starter of the text. Returns 0 if the text before it, with it, is not composed. */
static int checkStarter(FormComposed *c, uint32_t code, const FormParts *parts) {
  if (!composeParts(c, 0xFF) || c->code != c->wanted) return 0;
  if (c->last == 0 && compose(c->code, parts->codes[0]) != NO_CODE) return 0;
  *c = (FormComposed){parts->codes[0], code, 0, 1, *parts};
  return 1;
}

/* Adds the next mark of the text, likewise. */
static int checkMark(FormComposed *c, uint32_t mark, unsigned class) {
  if (!composeParts(c, class)) return 0;
  if (c->last < class && compose(c->code, mark) != NO_CODE) return 0;
  c->last = class;
  return 1;
}

/* Is the part composed? Its marks are in order, and no code point of it changes on its own. */
static int isComposed(FormPlace part) {
  FormComposed c = {NO_CODE, NO_CODE, 0, 0, {0, {0}}};
  FormParts parts;
  while (part.at < part.end) {
    const Utf8Step s = stepWellFormed(part.text + part.at);
    parts.count = 0;
    addDecomposed(&parts, s.codepoint, 0);
    const unsigned class = classOf(parts.codes[0]);
    if (class ? !checkMark(&c, s.codepoint, class)
              : !checkStarter(&c, s.codepoint, &parts))
      return 0;
    part.at += s.length;
  }
  return composeParts(&c, 0xFF) && c.code == c.wanted;
}

/* Is the part at the place normalized? Stores where it ends, unless it is not. */
static int isPartNormalized(const Form *form, FormPlace place, size_t *end) {
  const size_t start = place.at;
  unsigned last = 0;
  int may_compose = 0;
  while (place.at < place.end) {
    const Utf8Step s = stepWellFormed(place.text + place.at);
    const unsigned value = valueOf(s.codepoint), class = classOf(s.codepoint);
    if (place.at > start && !joins(form, s.codepoint)) break;
    if (form->folds || value >= VALUE_RECORDS || !form->composes) {
      if (changesAlone(form, s.codepoint)) return 0;
    }
    if (class && last > class) return 0;
    last = class;
    may_compose |= form->composes && (value & VALUE_SECOND || value >= VALUE_RECORDS);
    place.at += s.length;
  }
  *end = place.at;
  return !may_compose || isComposed((FormPlace){place.text, start, place.at});
}

/* Moves s->at past what is normalized. Returns 0 at the start of a part that is not. */
static int checkStretch(const Form *form, FormStretch *s) {
  const size_t stop = lastStart(s);
  size_t start, place;
  FormSearch search = {0, 0, 0};
  while (nextPart(form, s, s->at, &search, &start, &place)) {
    if (place >= stop) {
      s->at = start < stop ? start : stop;
      return 1;
    }
    size_t end = 0;
    const int is_normalized =
        isPartNormalized(form, (FormPlace){s->text, start, s->end}, &end);
    s->at = start;
    if (!is_normalized) return 0;
    if (s->is_open && end == s->end) return 1;
    s->at = end;
  }
  s->at = s->at > stop ? s->at : stop;
  return 1;
}

/* ---- normalizing ---------------------------------------------------------------------------------- */

/* Copies text[*at..until) as far as it fits, to a boundary. Returns 0 if not all of it does. */
static inline int copyPlain(const FormStretch *s, size_t *at, size_t until,
                            FormSink *sink) {
  const size_t room = (size_t)(sink->end - sink->to);
  size_t size = until - *at;
  if (size <= 16 && room >= 16 && s->end - *at >= 16) {
    memcpy(sink->to, s->text + *at, 16);
  } else {
    if (size > room) size = bytes_boundary(s->text + *at, room);
    memcpy(sink->to, s->text + *at, size);
  }
  sink->to += size;
  *at += size;
  return *at == until;
}

/* Writes the stretch, normalized, and moves s->at past what it has written. Returns 0 if the next
** part does not fit. */
static int normalizeStretch(const Form *form, FormStretch *s, FormSink *sink) {
  const size_t stop = lastStart(s);
  size_t start, place;
  FormSearch search = {0, 0, 0};
  while (nextPart(form, s, s->at, &search, &start, &place)) {
    if (place >= stop) return copyPlain(s, &s->at, start < stop ? start : stop, sink);
    if (!copyPlain(s, &s->at, start, sink)) return 0;
    uint8_t *const to = sink->to;
    const size_t end = normalizePart(form, (FormPlace){s->text, start, s->end}, sink);
    if (end == 0 || (s->is_open && end == s->end)) {
      sink->to = to;
      return end != 0;
    }
    s->at = end;
  }
  return s->at >= stop || copyPlain(s, &s->at, stop, sink);
}

/* ---- any text ------------------------------------------------------------------------------------- */

/* Returns an offset about twice as far from `at` as `until`. */
static size_t fartherThan(size_t size, size_t at, size_t until) {
  const size_t more = until - at < 64 ? 64 : until - at;
  return size - until > more ? until + more : size;
}

int utf8core_is_normalized(Utf8NormalForm form, const uint8_t *text, size_t size,
                           size_t *at, size_t until) {
  size_t ill_formed, end = until;
  while (*at < until) {
    FormStretch s = stretchAt(text, size, *at, end, &ill_formed);
    const int is_normalized = checkStretch(&forms[form], &s);
    if (s.at == *at && s.is_open && is_normalized) {
      end = fartherThan(size, *at, end);
      continue;
    }
    *at = s.at;
    if (!is_normalized) return 0;
    if (s.is_open) break;
    *at += ill_formed;
  }
  return 1;
}

size_t utf8core_normalize(Utf8NormalForm form, const uint8_t *text, size_t size,
                          size_t *at, uint8_t *out, size_t room) {
  FormSink sink = {out, out + room};
  size_t ill_formed, window = room;
  while (*at < size) {
    const size_t end = size - *at > window ? *at + window : size;
    FormStretch s = stretchAt(text, size, *at, end, &ill_formed);
    const int fits = normalizeStretch(&forms[form], &s, &sink);
    const int has_advanced = s.at > *at;
    *at = s.at;
    if (!fits) break;
    if (!s.is_open) {
      if ((size_t)(sink.end - sink.to) < ill_formed) break;
      memcpy(sink.to, text + *at, ill_formed);
      sink.to += ill_formed;
      *at += ill_formed;
    }
    if (s.is_open && !has_advanced && window / 4 >= room) break; /* a very long part */
    window = has_advanced || !s.is_open ? (size_t)(sink.end - sink.to) : 2 * window;
    if (window < UTF8_NORMALIZE_ROOM) window = UTF8_NORMALIZE_ROOM;
  }
  return (size_t)(sink.to - out);
}
