/* form/casefold.c: full case folding (Unicode §3.13; CaseFolding.txt, status C and F).
**
** A kernel finds the code points beyond ASCII that fold. ASCII is folded while it is copied.
*/
#include "form/stretch.h"
#include "form/tables/casefold.h"
#include "form/tables/changing.h"

size_t utf8form_fold(uint32_t codepoint, uint8_t out[UTF8_FOLD_MAX]) {
  if (codepoint >= CASEFOLD_END) return 0;
  const unsigned value = casefold_value[casefold_block[codepoint >> 6]][codepoint & 63];
  if (value == 0) return 0;
  if (value < CASEFOLD_LONG)
    return stepPut(out, codepoint + (uint32_t)casefold_delta[value - 1]);
  const uint8_t *folded = casefold_long[value - CASEFOLD_LONG];
  memcpy(out, folded + 1, UTF8_FOLD_MAX - 1);
  return folded[0];
}

size_t utf8core_find_unfolded(const uint8_t *text, size_t size, size_t at,
                              size_t until) {
  while (at < until) {
    size_t ill_formed, place;
    uint8_t folded[UTF8_FOLD_MAX];
    const FormStretch s = stretchAt(text, size, at, chunkEnd(at, until), &ill_formed);
    FormSearch search = {0, 0, 0};
    while (nextPlace(&changing_casefold, &s, at, &search, &place)) {
      if (utf8form_fold(stepWellFormed(text + place).codepoint, folded)) return place;
    }
    at = s.end + ill_formed;
  }
  return at;
}

/* Copies FOLD_BLOCK bytes, and folds ASCII. */
#if UTF8_GNU
#define FOLD_BLOCK 16
typedef uint8_t FoldVector __attribute__((vector_size(FOLD_BLOCK)));

static inline void foldBlock(uint8_t *to, const uint8_t *from) {
  FoldVector v;
  memcpy(&v, from, sizeof v);
  v += (FoldVector)(v - 'A' < 26) & 32;
  memcpy(to, &v, sizeof v);
}
#else
#define FOLD_BLOCK 8

static inline void foldBlock(uint8_t *to, const uint8_t *from) {
  for (int i = 0; i < FOLD_BLOCK; i++) {
    const uint8_t b = from[i];
    to[i] = (uint8_t)(b + ((uint8_t)(b - 'A') < 26 ? 32 : 0));
  }
}
#endif

/* Copies what fits of text[*at..until), of which ASCII alone may fold, up to a boundary. Returns 0 if
** not all of it fits. */
static inline int foldAscii(const FormStretch *s, size_t *at, size_t until,
                            FormSink *sink) {
  const size_t room = (size_t)(sink->end - sink->to), from = *at;
  size_t size = until - from, n = 0;
  if (size > room) size = bytes_boundary(s->text + from, room);
  const size_t left = bytes_min(s->end - from, room);
  for (; n < size && left - n >= FOLD_BLOCK; n += FOLD_BLOCK)
    foldBlock(sink->to + n, s->text + from + n);
  for (; n < size; n++) {
    const uint8_t b = s->text[from + n];
    sink->to[n] = (uint8_t)(b - 'A') < 26 ? b + 32 : b;
  }
  sink->to += size;
  *at += size;
  return *at == until;
}

/* Writes the stretch, folded, and moves s->at past what it has written. Returns 0 if the output is
** full. */
static int foldStretch(FormStretch *s, FormSink *sink) {
  size_t place;
  FormSearch search = {0, 0, 0};
  while (nextPlace(&changing_casefold_high, s, s->at, &search, &place)) {
    const Utf8Step step = stepWellFormed(s->text + place);
    uint8_t folded[UTF8_FOLD_MAX];
    const size_t size = utf8form_fold(step.codepoint, folded);
    if (size == 0) continue;
    if (!foldAscii(s, &s->at, place, sink)) return 0;
    if (sink->end - sink->to < UTF8_FOLD_MAX) return 0;
    memcpy(sink->to, folded, sizeof folded);
    sink->to += size;
    s->at += step.length;
  }
  return foldAscii(s, &s->at, s->end, sink);
}

size_t utf8core_casefold(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                         size_t room) {
  FormSink sink = {out, out + room};
  while (*at < size) {
    size_t ill_formed;
    const size_t left = (size_t)(sink.end - sink.to);
    if (left < UTF8_CASEFOLD_ROOM / 2) break;
    FormStretch s =
        stretchAt(text, size, *at, chunkEnd(*at, size - *at > left ? *at + left : size),
                  &ill_formed);
    const int fits = foldStretch(&s, &sink);
    *at = s.at;
    if (!fits || (size_t)(sink.end - sink.to) < ill_formed) break;
    memcpy(sink.to, text + *at, ill_formed);
    sink.to += ill_formed;
    *at += ill_formed;
  }
  return (size_t)(sink.to - out);
}
