/* fuzz_core.c: libFuzzer looks for a text on which the core and its second definition
** (test/abnf.h) differ, or on which what holds for every text does not hold.
**
**     make fuzz                 # one minute; FUZZ_TIME=600 make fuzz: ten
**
** The first three bytes of an input choose the dialect and a range of the text, the policy
** and the replacement, and the room for a repair. The rest is the text, in a heap buffer of
** exactly its size. What differs stops the fuzzer, which leaves the input in build/fuzz/.
*/
#include <stdio.h>
#include <stdlib.h>
#include "test/abnf.h"

#define TEXT_MAX 4096
#define OUT_MAX  ((size_t)TEXT_MAX * 64)

#define HOLDS(what)                                                                    \
  do {                                                                                 \
    if (!(what)) fail(#what, __LINE__);                                                \
  } while (0)
static void fail(const char *what, int line) {
  fprintf(stderr, "fuzz_core.c:%d: does not hold: %s\n", line, what);
  abort();
}

/* ---- steps ----------------------------------------------------------------------- */

/* From the boundary `at` on, step by step: steps, prefix and count, as they are defined. */
static void check_range(const AbnfDialect *dialect, const uint8_t *text, size_t size,
                        size_t at, size_t until) {
  size_t from = at, prefix = size, end = from;
  uint64_t count = 0;
  int found = 0;
  for (; at < until; count++) {
    Utf8Step due = abnf_step(dialect, text, size, at);
    Utf8Step step = utf8core_step(text, size, at, dialect->flags);
    HOLDS(step.codepoint == due.codepoint);
    HOLDS(step.length == due.length);
    HOLDS(step.error == due.error);
    if (due.error && !found) {
      found = 1;
      prefix = at;
    }
    at += due.length;
  }
  if (!found) prefix = at;
  HOLDS(utf8core_valid_prefix(text, size, from, until, dialect->flags) == prefix);
  HOLDS(utf8core_count(text, size, &end, until, dialect->flags) == count);
  HOLDS(end == at);
}

/* The boundary at or before limit, found by walking; checked, and returned. */
static size_t check_boundary(const AbnfDialect *dialect, const uint8_t *text,
                             size_t size, size_t limit) {
  size_t at = 0;
  while (at < size) {
    size_t next = at + abnf_step(dialect, text, size, at).length;
    if (next > limit) break;
    at = next;
  }
  HOLDS(utf8core_boundary(text, size, limit, dialect->flags) == at);
  return at;
}

/* ---- repair ---------------------------------------------------------------------- */

static uint8_t due[OUT_MAX], got[OUT_MAX], again[OUT_MAX];

static size_t repair_in(const Utf8Repair *how, size_t room, const uint8_t *text,
                        size_t size, uint8_t *to) {
  size_t at = 0, n = 0;
  uint8_t *out = malloc(room);
  if (out == NULL) exit(2);
  while (at < size) {
    size_t before = at, written = utf8core_repair(how, text, size, &at, out, room);
    HOLDS(at > before && at <= size);
    HOLDS(written <= room && n + written <= OUT_MAX);
    memcpy(to + n, out, written);
    n += written;
  }
  free(out);
  return n;
}

static void check_repair(const Utf8Repair *how, size_t room, const uint8_t *text,
                         size_t size) {
  size_t n_due = abnf_repair(how, text, size, due);
  size_t n = repair_in(how, room, text, size, got);
  HOLDS(n == n_due && memcmp(got, due, n) == 0);
  HOLDS(abnf_valid(got, n));
  HOLDS(!abnf_valid(text, size) || (n == size && memcmp(got, text, n) == 0));
  HOLDS(repair_in(how, UTF8_REPAIR_ROOM(how), got, n, again) == n);
  HOLDS(memcmp(again, got, n) == 0);
}

/* ---- one input ------------------------------------------------------------------- */

/* On an exact copy, with a range, policy, replacement and room out of the three numbers. */
static void check(const uint8_t *text, size_t size, size_t a, size_t b, size_t c) {
  static const char *const with[] = {NULL, "", "?", "\xE2\x82\xAC",
                                     "a replacement of some length, \xF0\x9F\x98\x80"};
  int utf16 = abnf_is_from_utf16(text, size);
  const AbnfDialect *dialect = &abnf_dialects[a % (utf16 ? ABNF_DIALECTS : 6)];
  check_range(dialect, text, size, 0, size);
  size_t at = check_boundary(dialect, text, size, size * (a / 16) / 16);
  check_range(dialect, text, size, at, at + (size - at) * (c % 17) / 16);

  Utf8PolicyId policy = (Utf8PolicyId)(b % 7);
  const char *replacement = policy <= UTF8_POLICY_CESU8 ? with[b / 7 % 5] : NULL;
  size_t replacement_size = replacement ? strlen(replacement) : 0;
  Utf8Repair how = {policy, UTF8_STRICT, (const uint8_t *)replacement,
                    replacement_size};
  size_t room = UTF8_REPAIR_ROOM(&how) + c * c;
  check_repair(&how, room, text, size);
  how.dialect = UTF8_FROM_UTF16;
  if (utf16) check_repair(&how, room, text, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 3 || size > TEXT_MAX) return 0;
  uint8_t *text = malloc(size - 3);
  if (text == NULL) return 0;
  memcpy(text, data + 3, size - 3);
  check(text, size - 3, data[0], data[1], data[2]);
  free(text);
  return 0;
}
