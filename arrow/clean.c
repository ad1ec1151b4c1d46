/* arrow/clean.c: values cleaned by the steps of utf8_clean, as sql/clean.c does it.
**
** The value is cleaned to find whether that changes it. Two buffers serve all values: a step reads the text
** in one, and writes it to the other.
*/
#include "arrow/call.h"

/* A text that is being cleaned: the value's bytes, or those of call->work[turn]. */
typedef struct ArrowCleaning {
  Utf8Arrow *call;
  ArrowValue text;
  int turn;      /* -1: the value's own bytes */
  unsigned last; /* the last step that changed the text; all, before the first */
} ArrowCleaning;

/* Returns the buffer to which the next text is written, empty. */
static ArrowBuffer *nextWork(ArrowCleaning *c) {
  ArrowBuffer *out = &c->call->work[c->turn == 0];
  out->used = 0;
  return out;
}

/* The text becomes what was written, unless rc is an error. Returns rc. */
static int takeText(ArrowCleaning *c, int rc) {
  if (rc) return rc;
  c->turn = c->turn == 0;
  const ArrowBuffer *out = &c->call->work[c->turn];
  c->text = (ArrowValue){out->bytes ? out->bytes : (const uint8_t *)"", out->used};
  return 0;
}

/* Repairs the value: by its cause if the steps say so, otherwise as subpart. Binary data, which policy auto
** keeps, is always repaired as subpart. */
static int repairValue(ArrowCleaning *c) {
  Utf8Arrow *call = c->call;
  Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  size_t at = utf8arrow_first_error(call, c->text);
  if (at == ARROW_USUAL) return 0;
  ArrowValue bytes = c->text;
  ArrowBuffer *out = nextWork(c);
  if (call->steps & UTF8_CLEAN_BIT(UTF8_CLEAN_REPAIR)) {
    if (utf8arrow_find_cause(call, &bytes)) return call->error->code;
    if (call->cause.is_escaped) at = 0;
    switch (utf8detect_cause_repair(call->cause, &how)) {
    case UTF8_CAUSE_DECODE:
      return takeText(c, utf8arrow_decode(call, call->cause.charset, bytes, out));
    case UTF8_CAUSE_KEEP:
      how.policy = UTF8_POLICY_SUBPART;
      break;
    default:
      break;
    }
  }
  return takeText(c, utf8arrow_repair_from(call, &how, bytes, at, out));
}

static int applyCleanStep(ArrowCleaning *c, Utf8CleanStep step) {
  const ArrowValue text = c->text;
  size_t at = utf8form_clean_find(step, text.bytes, text.size, 0, text.size);
  if (at == text.size) return 0;
  ArrowBuffer *out = nextWork(c);
  if (utf8arrow_copy_start(c->call, text, at, out)) return c->call->error->code;
  while (at < text.size) {
    if (!utf8arrow_grow(out, text.size - at + UTF8_FORM_ROOM))
      return utf8arrow_no_memory(c->call->error);
    out->used += utf8form_clean(step, text.bytes, text.size, &at,
                                out->bytes + out->used, out->room - out->used);
  }
  return takeText(c, 0);
}

static int restoreText(ArrowCleaning *c) {
  Utf8MojibakeFound found;
  size_t at = 0;
  if (!utf8mojibake_find(NULL, c->text.bytes, c->text.size, &at, c->text.size, &found))
    return 0;
  return takeText(c, utf8arrow_restore(c->call, NULL, c->text, nextWork(c)));
}

static int trimEnds(ArrowCleaning *c) {
  size_t from, end;
  utf8form_trim(c->text.bytes, c->text.size, &from, &end);
  c->text = (ArrowValue){c->text.bytes + from, end - from};
  return 0;
}

static int normalizeIn(ArrowCleaning *c, Utf8NormalForm form) {
  size_t at = 0;
  while (at < c->text.size)
    if (!utf8core_is_normalized(form, c->text.bytes, c->text.size, &at, c->text.size))
      return takeText(
          c, utf8arrow_normalize_from(c->call, form, c->text, at, nextWork(c)));
  return 0;
}

static int runCleanStep(ArrowCleaning *c, Utf8CleanStep step) {
  switch (step) {
  case UTF8_CLEAN_NFC:
    return normalizeIn(c, UTF8_NFC);
  case UTF8_CLEAN_NFKC:
    return normalizeIn(c, UTF8_NFKC);
  case UTF8_CLEAN_MOJIBAKE:
    return restoreText(c);
  case UTF8_CLEAN_TRIM:
    return trimEnds(c);
  default:
    return applyCleanStep(c, step);
  }
}

static unsigned neededSteps(const ArrowCleaning *c, unsigned steps) {
  return utf8form_clean_needed(steps, c->text.bytes, c->text.size);
}

/* Applies those of the steps that are needed, in their order; but none after the last one that changed the
** text, which they have seen already. Stores in *needed the steps that may change the result, 0 if the text
** did not change. */
static int runCleanSteps(ArrowCleaning *c, unsigned steps, unsigned *needed) {
  int has_changed = 0, rc = 0;
  for (unsigned step = 0; *needed >> step && !rc; step++) {
    if (step > c->last && !has_changed) break;
    if (!(steps & *needed & UTF8_CLEAN_BIT(step))) continue;
    const ArrowValue before = c->text;
    rc = runCleanStep(c, (Utf8CleanStep)step);
    if (rc || (before.bytes == c->text.bytes && before.size == c->text.size)) continue;
    has_changed = 1;
    c->last = step;
    *needed = neededSteps(c, steps);
  }
  if (!has_changed) *needed = 0;
  return rc;
}

static int cleanValue(ArrowCleaning *c) {
  unsigned steps = c->call->steps;
  int rc = repairValue(c);
  if (rc) return rc;
  unsigned needed = neededSteps(c, steps);
  if (needed & UTF8_CLEAN_HAS_TAG) steps &= ~UTF8_CLEAN_BIT(UTF8_CLEAN_HTML);
  for (int i = 0; i < UTF8_CLEAN_PASSES && !rc && needed; i++)
    rc = runCleanSteps(c, steps, &needed);
  return rc;
}

/* None of these steps changes ASCII. */
size_t utf8arrow_skip_clean(Utf8Arrow *call, ArrowValue values) {
  const unsigned none = UTF8_CLEAN_DEFAULT | UTF8_CLEAN_BIT(UTF8_CLEAN_NFKC);
  return call->steps & ~none ? 0 : utf8arrow_skip_ascii(call, values);
}

size_t utf8arrow_find_cleaned(Utf8Arrow *call, ArrowValue value) {
  ArrowCleaning c = {call, value, -1, UTF8_CLEAN_STEPS};
  if (cleanValue(&c)) return ARROW_USUAL;
  call->cleaned = c.text;
  return c.text.size == value.size &&
                 (value.size == 0 || memcmp(c.text.bytes, value.bytes, value.size) == 0)
             ? ARROW_USUAL
             : 0;
}

int utf8arrow_write_cleaned(Utf8Arrow *call, ArrowValue value, size_t at,
                            ArrowBuffer *out) {
  (void)value, (void)at;
  return utf8arrow_copy_start(call, call->cleaned, call->cleaned.size, out);
}
