/* form/normalize.c: the normalization forms of UAX 15, and NFKC_Casefold.
**
** The form leaves most code points of most text alone wherever they stand. A kernel
** passes over them (skip_outside() of core/simd/kernel.h) and reports the others. The cluster around each
** of these is normalized on its own: usually in a few steps (quick...()), else as a run of code
** points (FormRun), or, with more marks than a run holds, by counting how many bytes the marks of
** each class have (writeLongRun()): in linear time, and without memory.
*/
#include "form/codepoint.h"

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
static int addDecomposed(FormRun *run, const FormDecomposition *decomposed) {
  for (unsigned i = 0; i < decomposed->count; i++) {
    const unsigned class = classOf(decomposed->codes[i]);
    if (class) {
      run->marks[run->count++] = decomposed->codes[i] | class << 24;
    } else if (!addStarter(run, decomposed->codes[i])) {
      return 0;
    }
  }
  return 1;
}

/* ---- long runs ------------------------------------------------------------------------------ */

/* Decomposes the code point at the place. Returns its length in bytes. */
static unsigned decomposeAt(const Form *form, FormPlace place,
                            FormDecomposition *decomposed) {
  const Utf8Step s = stepWellFormed(place.text + place.at);
  utf8form_decompose(form, s.codepoint, decomposed);
  return s.length;
}

/* Visits the marks from the place to the next starter: writes each where its class is, or, if text
** is NULL, adds up sizes. Returns where the marks end. (A decomposition that starts with a mark
** has nothing else; a test proves it.) */
static size_t eachMark(const Form *form, FormPlace place, uint8_t *text,
                       size_t at[256]) {
  FormDecomposition decomposed;
  while (place.at < place.end) {
    const unsigned length = decomposeAt(form, place, &decomposed);
    if (decomposed.count > 0 && classOf(decomposed.codes[0]) == 0) break;
    for (unsigned i = 0; i < decomposed.count; i++) {
      size_t *const to = &at[classOf(decomposed.codes[i])];
      uint8_t octets[UTF8_OCTETS_MAX];
      const size_t size = stepPut(octets, decomposed.codes[i]);
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

/* ---- a cluster --------------------------------------------------------------------------------- */

/* Adds the code point at the place, and moves the place past it. A run that has too many marks is
** written at once. `own` and `marks` are as writeLongRun() needs them. Returns 0 if the output is
** full. */
static int addPlace(FormRun *run, FormPlace *place, unsigned *own, size_t *marks) {
  FormDecomposition decomposed;
  const unsigned length = decomposeAt(run->form, *place, &decomposed);
  const int is_starter = decomposed.count > 0 && classOf(decomposed.codes[0]) == 0;
  if (!is_starter && run->count + decomposed.count > RUN_MARKS) {
    const FormPlace from = {place->text, *marks, place->end};
    place->at = writeLongRun(run, *own, from);
    *own = 0, *marks = place->at;
    return place->at != 0;
  }
  if (!addDecomposed(run, &decomposed)) return 0;
  place->at += length;
  if (is_starter) *own = run->count, *marks = place->at;
  return 1;
}

/* Normalizes the cluster at the place, up to the next code point that does not join. Returns where it
** ends: the end of the place if no such code point follows; 0 if the cluster does not fit. */
static size_t writeCluster(const Form *form, FormPlace place, FormSink *sink) {
  FormRun run;
  run.form = form, run.sink = sink, run.starter = NO_CODE, run.count = 0;
  unsigned own = 0;
  size_t marks = place.at;
  do {
    if (!addPlace(&run, &place, &own, &marks)) return 0;
  } while (place.at < place.end &&
           joinsCluster(form, stepWellFormed(place.text + place.at).codepoint));
  settleRun(&run);
  return writeRun(&run) ? place.at : 0;
}

/* ---- clusters of usual text: a few steps --------------------------------------------------------- */

/* Output that a quick cluster may overwrite, and input that it may read. */
#define QUICK_ROOM 64

/* Writes U+1100 + l, U+1161 + v, and U+11A7 + t unless t is 0. May write 9 bytes in every case. */
static inline uint8_t *putJamo(uint8_t *to, uint32_t l, uint32_t v, uint32_t t) {
  memcpy(to, "\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA7", 9);
  to[2] += (uint8_t)l;
  to[5] += (uint8_t)v;
  to[7] = t >= 25 ? 0x87 : 0x86;
  to[8] = (uint8_t)(t >= 25 ? 0x80 + t - 25 : 0xA7 + t);
  return to + (t ? 9 : 6);
}

/* Decomposes Hangul syllables as long as they, or ASCII, follow each other. Returns where they end. */
static size_t quickHangul(FormPlace place, FormSink *sink) {
  uint8_t *to = sink->to;
  while (place.end - place.at >= 3 && sink->end - to >= QUICK_ROOM) {
    const uint8_t *p = place.text + place.at;
    if (p[0] < 0x80) {
      *to++ = p[0];
      place.at++;
      continue;
    }
    const uint32_t n =
        ((p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu)) - HANGUL_FIRST;
    if ((p[0] & 0xF8) != 0xE8 || n >= HANGUL_COUNT) break;
    to = putJamo(to, n / OF_LEADING, n / TRAILING_COUNT % VOWEL_COUNT,
                 n % TRAILING_COUNT);
    place.at += 3;
  }
  sink->to = to;
  return place.at;
}

/* Is there a leading jamo at p? It starts a cluster. */
static inline int isLeading(const uint8_t *p) {
  return p[0] == 0xE1 && p[1] == 0x84 && p[2] - 0x80 < LEADING_COUNT;
}

/* Is there a leading and then a vowel jamo at p? */
static inline int isJamoPair(const uint8_t *p) {
  return isLeading(p) && p[3] == 0xE1 && p[4] == 0x85 &&
         (uint8_t)(p[5] - 0xA1) < VOWEL_COUNT;
}

/* Returns the trailing jamo at p, as 1..27; 0 if there is none. */
static inline uint32_t trailingAt(const uint8_t *p) {
  const uint32_t code = (p[0] & 0x0Fu) << 12 | (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
  return p[0] == 0xE1 && code - TRAILING_BEFORE < TRAILING_COUNT
             ? code - TRAILING_BEFORE
             : 0;
}

/* Composes Hangul syllables, each a cluster, as long as they, or ASCII before one, follow each other. Returns
** where they end, or 0 if there is none. */
static size_t quickJamo(const Form *form, FormPlace place, FormSink *sink) {
  size_t done = 0;
  while (place.end - place.at >= 12 && sink->end - sink->to >= QUICK_ROOM) {
    const uint8_t *p = place.text + place.at;
    if (!isJamoPair(p)) {
      if (p[0] >= 0x80 || !isJamoPair(p + 1)) break;
      *sink->to++ = p[0];
      done = ++place.at;
      continue;
    }
    const uint32_t trailing = trailingAt(p + 6);
    place.at += trailing ? 9 : 6;
    if (!isLeading(place.text + place.at) && !startsCluster(form, place)) break;
    sink->to += stepPut(sink->to, HANGUL_FIRST + (p[2] - 0x80u) * OF_LEADING +
                                      (p[5] - 0xA1u) * TRAILING_COUNT + trailing);
    done = place.at;
  }
  return done;
}

/* Composes the starter at the place with the marks after it, if it composes with all of them in
** their order. They are sorted then, as the decomposition of what they compose is. Returns where the
** cluster ends, or 0 if it takes writeCluster(). */
static size_t quickCompose(FormPlace place, FormSink *sink) {
  const Utf8Step s = stepWellFormed(place.text + place.at);
  uint32_t code = s.codepoint;
  size_t at = place.at + s.length;
  if (valueOf(code) != 0) return 0;
  for (;;) {
    if (at == place.end) return 0;
    const Utf8Step next = stepWellFormed(place.text + at);
    const unsigned value = valueOf(next.codepoint);
    if (value == 0) break;
    const uint32_t both =
        value < VALUE_RECORDS ? compose(code, next.codepoint) : NO_CODE;
    if (both == NO_CODE) return 0;
    code = both;
    at += next.length;
  }
  sink->to += stepPut(sink->to, code);
  return at;
}

/* Normalizes the cluster at the place. Returns where it ends, or 0 if it does not fit. */
static size_t normalizeCluster(const Form *form, FormPlace place, FormSink *sink) {
  size_t end = 0;
  if (sink->end - sink->to >= QUICK_ROOM && !form->folds) {
    if (form->composes) {
      end = quickJamo(form, place, sink);
      if (!end) end = quickCompose(place, sink);
    }
  }
  return end ? end : writeCluster(form, place, sink);
}

/* ---- well-formed text -------------------------------------------------------------------------- */

/* Copies the stretch up to `until`, which needs no change, or what fits of it: up to the start of a cluster.
** Moves s->at past that. Returns 0 if not all of it fits. */
static inline int copyUnchanged(const Form *form, FormStretch *s, size_t until,
                                FormSink *sink) {
  const size_t room = (size_t)(sink->end - sink->to);
  size_t size = until - s->at;
  if (size <= 16 && room >= 16 && s->end - s->at >= 16) {
    memcpy(sink->to, s->text + s->at, 16); /* a known size is faster */
  } else if (size <= 64 && room >= 64 && s->end - s->at >= 64) {
    memcpy(sink->to, s->text + s->at, 64);
  } else {
    if (size > room) size = clusterBefore(form, s->text, s->at, s->at + room) - s->at;
    memcpy(sink->to, s->text + s->at, size);
  }
  sink->to += size;
  s->at += size;
  return s->at == until;
}

/* Returns the decomposition of the record, and stores its size. */
static inline const uint8_t *decompositionOf(const Form *form, const uint8_t *record,
                                             size_t *size) {
  const size_t first = record[0] & RECORD_SIZE, second = record[1] & RECORD_SIZE;
  const int is_second = form->is_compatible && second;
  *size = is_second ? second : first;
  return record + 2 + (is_second ? first : 0);
}

/* Is the decomposition one code point that composes with nothing before it? */
static inline int isOneStarter(const uint8_t *text, size_t size) {
  const Utf8Step s = stepWellFormed(text);
  return s.length == size && valueOf(s.codepoint) == 0;
}

/* Copies the text before the place, and decomposes the code point there, if that is a cluster: no mark
** follows. Returns 0 if it takes writeCluster(). */
static inline int quickDecompose(const Form *form, FormStretch *s, size_t place,
                                 FormSink *sink) {
  const Utf8Step step = stepWellFormed(s->text + place);
  const unsigned value = valueOf(step.codepoint);
  const size_t end = place + step.length;
  size_t size;
  if (value < VALUE_RECORDS) {
    if (form->composes || !isHangul(step.codepoint) ||
        !copyUnchanged(form, s, place, sink))
      return 0;
    s->at = quickHangul((FormPlace){s->text, place, s->end}, sink);
    return s->at > place;
  }
  const uint8_t *record = recordOf(value);
  const uint8_t *from = decompositionOf(form, record, &size);
  if (size == 0 || record[form->is_compatible && record[1]] & RECORD_JOINS) return 0;
  if (form->composes && !isOneStarter(from, size)) return 0;
  if (end == s->end || !startsCluster(form, (FormPlace){s->text, end, s->end}))
    return 0;
  if (!copyUnchanged(form, s, place, sink)) return 0;
  if (sink->end - sink->to < QUICK_ROOM) return 0;
  memcpy(sink->to, from, RECORD_SIZE + 1);
  sink->to += size;
  s->at = end;
  return 1;
}

/* Writes the stretch, normalized, and moves s->at past what it has written. Returns 0 if the next
** cluster does not fit. */
static int normalizeStretch(const Form *form, FormStretch *s, FormSink *sink) {
  const size_t stop = lastStart(form, s);
  size_t place, start;
  FormSearch search = {0, 0, 0};
  while (nextPlace(form->changing, s, s->at, &search, &place) && place < stop) {
    if (!form->folds && quickDecompose(form, s, place, sink)) continue;
    if (!clusterAt(form, s, place, &start)) continue;
    if (!copyUnchanged(form, s, start, sink)) return 0;
    uint8_t *const to = sink->to;
    const size_t end =
        normalizeCluster(form, (FormPlace){s->text, start, s->end}, sink);
    if (end == 0) {
      sink->to = to;
      return 0;
    }
    s->at = end;
  }
  return s->at >= stop || copyUnchanged(form, s, stop, sink);
}

/* ---- any text ------------------------------------------------------------------------------------- */

/* Copies the ill-formed subpart at text[*at..), of `size` bytes. Returns 0 if it does not fit. */
static int copyIllFormed(const uint8_t *text, size_t size, size_t *at, FormSink *sink) {
  if ((size_t)(sink->end - sink->to) < size) return 0;
  memcpy(sink->to, text + *at, size);
  sink->to += size;
  *at += size;
  return 1;
}

/* Returns how many bytes to look at next. Unless has_advanced, a cluster was longer than `window`. Of the
** output's room, `left` is left. */
static size_t nextWindow(size_t window, size_t room, size_t left, int has_advanced) {
  const size_t longer = window < room ? room : 2 * window;
  const size_t next = has_advanced ? chunkEnd(0, left) : longer;
  return next < UTF8_NORMALIZE_ROOM ? UTF8_NORMALIZE_ROOM : next;
}

size_t utf8core_normalize(Utf8NormalForm form, const uint8_t *text, size_t size,
                          size_t *at, uint8_t *out, size_t room) {
  FormSink sink = {out, out + room};
  size_t ill_formed, window = chunkEnd(0, room);
  while (*at < size) {
    const size_t end = size - *at > window ? *at + window : size;
    FormStretch s =
        stretchOfForm(&utf8form_forms[form], text, size, *at, end, &ill_formed);
    const int fits = normalizeStretch(&utf8form_forms[form], &s, &sink);
    const int has_advanced = s.at > *at;
    *at = s.at;
    if (!fits) break;
    if (!s.is_open && !copyIllFormed(text, ill_formed, at, &sink)) break;
    if (s.is_open && !has_advanced && window / 4 >= room)
      break; /* a very long cluster */
    window = nextWindow(window, room, (size_t)(sink.end - sink.to),
                        has_advanced || !s.is_open);
  }
  return (size_t)(sink.to - out);
}
