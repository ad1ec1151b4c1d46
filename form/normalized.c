/* form/normalized.c: is text normalized? Exact, without making the normalized text.
**
** A cluster is normalized if no code point of it changes on its own, its marks are in order, and, if one
** may compose with what is before it, none does.
*/
#include "form/codepoint.h"

/* A composed code point of the text, and what is left to come of its decomposition. */
typedef struct FormComposed {
  uint32_t code;                /* as composed so far, or NO_CODE before the first */
  unsigned last;                /* the class of the last mark after it, or 0 */
  unsigned at;                  /* of decomposed: the next to compose */
  FormDecomposition decomposed; /* its decomposition */
} FormComposed;

/* Composes those of the decomposition that come before a mark of this class. They do compose, since the code point does
** not change on its own, and no mark of the text before them has their class. */
static void composeBefore(FormComposed *c, unsigned class) {
  for (; c->at < c->decomposed.count; c->at++) {
    const uint32_t code = c->decomposed.codes[c->at];
    if (classOf(code) > class) break;
    c->code = compose(c->code, code);
  }
}

/* Adds the next starter of the text. Returns 0 if the text before it, with it, is not composed. */
static int checkStarter(FormComposed *c, const FormDecomposition *decomposed) {
  composeBefore(c, 0xFF);
  if (c->last == 0 && compose(c->code, decomposed->codes[0]) != NO_CODE) return 0;
  *c = (FormComposed){decomposed->codes[0], 0, 1, *decomposed};
  return 1;
}

/* Adds the next mark of the text, likewise. */
static int checkMark(FormComposed *c, uint32_t mark, unsigned class) {
  composeBefore(c, class);
  if (c->last < class && compose(c->code, mark) != NO_CODE) return 0;
  c->last = class;
  return 1;
}

/* Is the cluster composed? Its marks are in order, and no code point of it changes on its own. */
static int isComposed(FormPlace cluster) {
  FormComposed c = {NO_CODE, 0, 0, {0, {0}}};
  FormDecomposition decomposed;
  while (cluster.at < cluster.end) {
    const Utf8Step s = stepWellFormed(cluster.text + cluster.at);
    decomposed.count = 0;
    utf8form_add_decomposed(&decomposed, s.codepoint, 0);
    const unsigned class = classOf(decomposed.codes[0]);
    if (class ? !checkMark(&c, s.codepoint, class) : !checkStarter(&c, &decomposed))
      return 0;
    cluster.at += s.length;
  }
  return 1;
}

/* Is the cluster at the place normalized? If so, stores where it ends. */
static int isClusterNormalized(const Form *form, FormPlace place, size_t *end) {
  const size_t start = place.at;
  unsigned last = 0;
  int may_compose = 0;
  while (place.at < place.end) {
    const Utf8Step s = stepWellFormed(place.text + place.at);
    const unsigned value = valueOf(s.codepoint), class = classOf(s.codepoint);
    if (place.at > start && !joinsCluster(form, s.codepoint)) break;
    if (form->folds || value >= VALUE_RECORDS || !form->composes) {
      if (utf8form_changes(form, s.codepoint)) return 0;
    }
    if (class && last > class) return 0;
    last = class;
    may_compose |= form->composes && (value & VALUE_SECOND || value >= VALUE_RECORDS);
    place.at += s.length;
  }
  *end = place.at;
  return !may_compose || isComposed((FormPlace){place.text, start, place.at});
}

/* Moves s->at past what is normalized. Returns 0 at the start of a cluster that is not. */
static int checkStretch(const Form *form, FormStretch *s) {
  FormSearch search = {0, 0, 0};
  const size_t stop = lastStart(form, s);
  size_t place, start, end;
  while (nextPlace(form->changing, s, s->at, &search, &place) && place < stop) {
    if (!clusterAt(form, s, place, &start)) continue;
    s->at = start;
    if (!isClusterNormalized(form, (FormPlace){s->text, start, s->end}, &end)) return 0;
    s->at = end;
  }
  s->at = stop;
  return 1;
}

/* ---- any text ------------------------------------------------------------------------------------- */

/* Returns an offset about twice as far from `at` as `until`. */
static size_t fartherThan(size_t size, size_t at, size_t until) {
  const size_t more = until - at < 64 ? 64 : until - at;
  return size - until > more ? until + more : size;
}

/* After prefix_outside() stops, tables check this many bytes before it is called again. Doubles each
** time it then stops within as many. */
#define SLOW_MIN ((size_t)256)

/* Moves *at past what one call of the kernel checks, to the start of a cluster. Returns the end of the
** chunk after it, and updates *slow, its size. */
static size_t skipUnchanged(Utf8NormalForm form, const uint8_t *text, size_t *at,
                            size_t until, size_t *slow) {
  const Form *f = &utf8form_forms[form];
  if (until - *at <= KERNEL_SHORT) return until;
  const size_t prefix =
      utf8simd_kernel()->scans.prefix_outside(f->changing, text + *at, until - *at);
  *at = clusterBefore(f, text, *at, *at + prefix);
  if (prefix > *slow)
    *slow = SLOW_MIN;
  else if (*slow < FORM_CHUNK)
    *slow *= 2;
  return until - *at < *slow ? until : *at + *slow;
}

/* Like utf8core_is_normalized(), for every text. */
static NOINLINE int checkAny(Utf8NormalForm form, const uint8_t *text, size_t size,
                             size_t *at, size_t until) {
  size_t ill_formed, slow = SLOW_MIN;
  size_t end = skipUnchanged(form, text, at, until, &slow);
  while (*at < until) {
    FormStretch s =
        stretchOfForm(&utf8form_forms[form], text, size, *at, end, &ill_formed);
    const int is_normalized = checkStretch(&utf8form_forms[form], &s);
    if (s.at == *at && s.is_open && is_normalized) {
      end = fartherThan(size, *at, end);
      continue;
    }
    *at = s.at;
    if (!is_normalized) return 0;
    if (s.is_open && end >= until) break;
    *at += ill_formed;
    end = *at < until ? skipUnchanged(form, text, at, until, &slow) : until;
  }
  return 1;
}

/* Short text is usually well-formed, and has no code point that the form may change: then it costs one call of
** the kernel. */
int utf8core_is_normalized(Utf8NormalForm form, const uint8_t *text, size_t size,
                           size_t *at, size_t until) {
  const size_t left = size - *at;
  const Utf8CodeSet *changing = utf8form_forms[form].changing;
  if (until < size || left > KERNEL_SHORT ||
      utf8simd_kernel()->scans.prefix_outside(changing, text + *at, left) < left)
    return checkAny(form, text, size, at, until);
  *at = size;
  return 1;
}
