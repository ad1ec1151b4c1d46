/* clean/cleaning.c: the loop of utf8_clean over its steps. */
#include "clean/cleaning.h"

static int trimText(Utf8Cleaning *c) {
  size_t from, end;
  utf8form_trim(c->bytes, c->size, &from, &end);
  c->bytes += from;
  c->size = end - from;
  return 0;
}

static int runStep(Utf8Cleaning *c, Utf8CleanStep step) {
  switch (step) {
  case UTF8_CLEAN_NFC:
    return c->methods->normalize(c, UTF8_NFC);
  case UTF8_CLEAN_NFKC:
    return c->methods->normalize(c, UTF8_NFKC);
  case UTF8_CLEAN_MOJIBAKE:
    return c->methods->restore(c);
  case UTF8_CLEAN_TRIM:
    return trimText(c);
  default:
    return c->methods->apply(c, step);
  }
}

/* The steps of one cleaning. */
typedef struct CleaningSteps {
  unsigned all;
  unsigned
      needed;    /* those that may change the text; 0 once a pass has changed nothing */
  unsigned last; /* the last one that changed the text; all, before the first */
} CleaningSteps;

/* Applies the steps that are needed, in their order; but none after the last one that changed the text, which
** they have seen already. */
static int runSteps(Utf8Cleaning *c, CleaningSteps *steps) {
  int has_changed = 0, rc = 0;
  for (unsigned step = 0; steps->needed >> step && !rc; step++) {
    if (step > steps->last && !has_changed) break;
    if (!(steps->all & steps->needed & UTF8_CLEAN_BIT(step))) continue;
    const uint8_t *bytes = c->bytes;
    const size_t size = c->size;
    rc = runStep(c, (Utf8CleanStep)step);
    if (rc || (bytes == c->bytes && size == c->size)) continue;
    has_changed = 1;
    steps->last = step;
    rc = c->methods->find_needed(c, steps->all, &steps->needed);
  }
  if (!has_changed) steps->needed = 0;
  return rc;
}

int utf8clean_text(Utf8Cleaning *c, unsigned steps) {
  CleaningSteps s = {steps, 0, UTF8_CLEAN_STEPS};
  int rc = c->methods->find_needed(c, steps, &s.needed);
  if (s.needed & UTF8_CLEAN_HAS_TAG) s.all &= ~UTF8_CLEAN_BIT(UTF8_CLEAN_HTML);
  for (int i = 0; i < UTF8_CLEAN_PASSES && !rc && s.needed; i++) rc = runSteps(c, &s);
  return rc;
}
