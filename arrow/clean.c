/* arrow/clean.c: values cleaned by the steps of utf8_clean, as sql/clean.c does it.
**
** The value is cleaned to find whether that changes it. Two buffers serve all values: a step reads the text
** in one, and writes it to the other.
*/
#include "arrow/call.h"
#include "clean/cleaning.h"

/* A text that is being cleaned: the value's bytes, or those of call->work[turn]. */
typedef struct ArrowCleaning {
  Utf8Cleaning base;
  Utf8Arrow *call;
  int turn; /* -1: the value's own bytes */
} ArrowCleaning;

static ArrowValue cleanedText(const Utf8Cleaning *base) {
  return (ArrowValue){base->bytes, base->size};
}

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
  c->base.bytes = out->bytes ? out->bytes : (const uint8_t *)"";
  c->base.size = out->used;
  return 0;
}

/* Repairs the value: by its cause if the steps say so, otherwise as subpart. Binary data, which policy auto
** keeps, is always repaired as subpart. */
static int repairValue(ArrowCleaning *c) {
  Utf8Arrow *call = c->call;
  const Utf8Repair subpart = {.policy = UTF8_POLICY_SUBPART};
  const ArrowValue value = cleanedText(&c->base);
  const size_t at = utf8arrow_first_error(call, value);
  if (at == ARROW_USUAL) return 0;
  ArrowBuffer *out = nextWork(c);
  if (call->steps & UTF8_CLEAN_BIT(UTF8_CLEAN_REPAIR)) {
    if (utf8arrow_find_readings(call, value)) return call->error->code;
    const int rc =
        utf8arrow_repair_by_cause(call, call->readings.cause, value, at, out);
    if (rc != ARROW_NULL_ANSWER) return takeText(c, rc);
  }
  return takeText(c, utf8arrow_repair_from(call, &subpart, value, at, out));
}

static int applyCleanStep(Utf8Cleaning *base, Utf8CleanStep step) {
  ArrowCleaning *c = (ArrowCleaning *)base;
  const ArrowValue text = cleanedText(base);
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

static int restoreText(Utf8Cleaning *base) {
  ArrowCleaning *c = (ArrowCleaning *)base;
  const ArrowValue text = cleanedText(base);
  Utf8MojibakeFound found;
  size_t at = 0;
  if (utf8arrow_is_misread(c->call, text))
    return takeText(c, utf8arrow_restore_misread(c->call, text, nextWork(c)));
  if (c->turn < 0 && utf8arrow_is_accident(c->call, text)) {
    const Utf8Charset charset = c->call->accident.cause.charset;
    return takeText(c, utf8arrow_decode(c->call, charset, text, nextWork(c)));
  }
  if (utf8mojibake_find(NULL, text.bytes, text.size, &at, text.size, &found))
    return takeText(c, utf8arrow_restore(c->call, NULL, text, nextWork(c)));
  if (!utf8arrow_is_mojibake(c->call, text)) return 0;
  return takeText(c, utf8arrow_restore_mojibake(c->call, text, nextWork(c)));
}

static int normalizeIn(Utf8Cleaning *base, Utf8NormalForm form) {
  ArrowCleaning *c = (ArrowCleaning *)base;
  const ArrowValue text = cleanedText(base);
  size_t at = 0;
  while (at < text.size)
    if (!utf8core_is_normalized(form, text.bytes, text.size, &at, text.size))
      return takeText(c,
                      utf8arrow_normalize_from(c->call, form, text, at, nextWork(c)));
  return 0;
}

static int neededSteps(const Utf8Cleaning *base, unsigned steps, unsigned *needed) {
  const ArrowCleaning *c = (const ArrowCleaning *)base;
  *needed = utf8form_clean_needed(steps, base->bytes, base->size);
  if (c->call->misread_text || c->call->has_accidents || c->call->mojibake)
    *needed |= steps & UTF8_CLEAN_BIT(UTF8_CLEAN_MOJIBAKE);
  return 0;
}

static const Utf8CleaningMethods arrowCleaningMethods = {neededSteps, restoreText,
                                                         normalizeIn, applyCleanStep};

/* None of these steps changes ASCII. */
size_t utf8arrow_skip_clean(Utf8Arrow *call, ArrowValue values) {
  const unsigned none = UTF8_CLEAN_DEFAULT | UTF8_CLEAN_BIT(UTF8_CLEAN_NFKC);
  return call->steps & ~none ? 0 : utf8arrow_skip_ascii(call, values);
}

size_t utf8arrow_find_cleaned(Utf8Arrow *call, ArrowValue value) {
  if (utf8arrow_skip_clean(call, value) == ARROW_USUAL) return ARROW_USUAL;
  ArrowCleaning c = {{&arrowCleaningMethods, value.bytes, value.size}, call, -1};
  if (repairValue(&c) || utf8clean_text(&c.base, call->steps)) return ARROW_USUAL;
  call->cleaned = cleanedText(&c.base);
  return c.base.size == value.size &&
                 (value.size == 0 || memcmp(c.base.bytes, value.bytes, value.size) == 0)
             ? ARROW_USUAL
             : 0;
}

int utf8arrow_write_cleaned(Utf8Arrow *call, ArrowValue value, size_t at,
                            ArrowBuffer *out) {
  (void)value, (void)at;
  return utf8arrow_copy_start(call, call->cleaned, call->cleaned.size, out);
}
