/* fuzz_core.c: compares utf8core_step(), _find_error(), _count() and _boundary() with
** test/abnf.h. See fuzz.h.
**
** a selects the dialect and, together with c, a range of the text.
*/
#include "fuzz/fuzz.h"

/* The expected results, from a walk with abnf_step(). */
static const AbnfDialect *dialect;
static Utf8Step steps[FUZZ_TEXT_MAX]; /* the step at each boundary */
static uint8_t is_boundary[FUZZ_TEXT_MAX + 1];

static void walk(const uint8_t *text, size_t size) {
  memset(is_boundary, 0, size + 1);
  is_boundary[0] = 1;
  for (size_t at = 0; at < size; is_boundary[at] = 1) {
    steps[at] = abnf_step(dialect, text, size, at);
    at += steps[at].length;
  }
}

static size_t boundary_before(size_t limit) {
  while (!is_boundary[limit]) limit--;
  return limit;
}

static void check_steps(const FuzzInput *in) {
  for (size_t at = 0; at < in->size;) {
    Utf8Step step = utf8core_step(in->text, in->size, at, dialect->flags);
    HOLDS(step.codepoint == steps[at].codepoint);
    HOLDS(step.length == steps[at].length);
    HOLDS(step.error == steps[at].error);
    at += step.length;
  }
}

/* Compares the first error and the count of the steps that start in text[from..until). */
static void check_range(const FuzzInput *in, size_t from, size_t until) {
  size_t at = from, end = from;
  Utf8FirstError expected = {0, 0, UTF8_WELL_FORMED};
  uint64_t count = 0;
  for (; at < until; count++) {
    if (steps[at].error && !expected.error)
      expected = (Utf8FirstError){at, steps[at].length, steps[at].error};
    at += steps[at].length;
  }
  if (!expected.error) expected.offset = at;
  const unsigned flags = dialect->flags;
  Utf8FirstError first = utf8core_find_error(in->text, in->size, from, until, flags);
  HOLDS(first.offset == expected.offset);
  HOLDS(first.length == expected.length);
  HOLDS(first.error == expected.error);
  HOLDS(utf8core_count(in->text, in->size, &end, until, flags) == count);
  HOLDS(end == at);
}

static void check_boundaries(const FuzzInput *in, size_t limit) {
  for (size_t last = limit + 8; limit <= in->size && limit <= last; limit++) {
    HOLDS(utf8core_boundary(in->text, in->size, limit, dialect->flags) ==
          boundary_before(limit));
  }
  HOLDS(utf8core_boundary(in->text, in->size, in->size + 1, dialect->flags) ==
        in->size);
}

static void check(const FuzzInput *in) {
  const size_t limit = in->size * (in->a / 16) / 16, from = boundary_before(limit);
  check_boundaries(in, limit);
  check_range(in, 0, in->size);
  check_range(in, from, from + (in->size - from) * (in->c % 17) / 16);
}

static void fuzz_input(const FuzzInput *in) {
  int from_utf16 = abnf_is_from_utf16(in->text, in->size);
  dialect = &abnf_dialects[in->a % (from_utf16 ? ABNF_DIALECTS : 6)];
  walk(in->text, in->size);
  check_steps(in);
  const int has_bom = in->size >= 3 && memcmp(in->text, "\xEF\xBB\xBF", 3) == 0;
  HOLDS(utf8core_bom_length(in->text, in->size) == (has_bom ? 3 : 0));
  fuzz_each_kernel(check, in);
}
