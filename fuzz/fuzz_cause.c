/* fuzz_cause.c: detect/cause.h, by what holds for any bytes: what policy auto of utf8_repair writes
** is well-formed, or the bytes themselves if they are binary; it has every well-formed sequence
** unless the bytes are text in another charset; a second repair changes nothing; and neither how a
** value is cut into calls nor the kernel changes the cause; the probabilities of its readings fall and
** add up to at most 1; bytes that Python escapes come back. See fuzz.h.
**
** a and b are where the neighbours of the value are cut from its text, c the size of the calls.
*/
#include "fuzz/fuzz.h"
#include "detect/readings.h"
#include "core/utf8form.h"

/* More than any charset's text grows by. */
#define OUT_MAX ((size_t)8 * FUZZ_TEXT_MAX)

static Utf8Cause alone, in_column; /* under the first kernel */

static int is_same_cause(Utf8Cause a, Utf8Cause b) {
  return a.kind == b.kind && a.charset == b.charset;
}

/* ---- neighbours --------------------------------------------------------------------------- */

static Utf8Mixture column, table;
static const Utf8Neighbours among = {&column, &table, NULL};
static Utf8CauseEvidence evidence;

static void add_neighbour(Utf8Mixture *n, const uint8_t *bytes, size_t size) {
  Utf8Cause cause;
  if (abnf_valid(bytes, size)) utf8detect_mixture_add_clean(n, bytes, size);
  if (utf8detect_cause_by_rules(bytes, size, UTF8_STRICT, &cause)) return;
  utf8detect_cause_begin(&evidence);
  utf8detect_cause_add(&evidence, bytes, size, 0, size);
  utf8detect_mixture_add(n, utf8detect_mixture_hash(bytes, size), &evidence);
}

/* The value and parts of it are the column; the table has parts only. */
static void make_neighbours(const FuzzInput *in) {
  const size_t a = in->a % (in->size + 1), b = in->b % (in->size + 1);
  memset(&column, 0, sizeof column);
  memset(&table, 0, sizeof table);
  add_neighbour(&column, in->text, in->size);
  add_neighbour(&column, in->text, a);
  add_neighbour(&table, in->text + a, in->size - a);
  add_neighbour(&table, in->text, b);
  utf8detect_mixture_estimate(&table, NULL);
  utf8detect_mixture_estimate(&column, &table);
}

/* ---- what policy auto writes ------------------------------------------------------------ */

static size_t repair(Utf8Repair *how, const FuzzInput *in, uint8_t *out) {
  size_t at = 0, n = 0;
  while (at < in->size)
    n += utf8core_repair(how, in->text, in->size, &at, out + n, OUT_MAX - n);
  return n;
}

static size_t decode(Utf8Charset charset, const FuzzInput *in, uint8_t *out) {
  Utf8Conversion c = {.charset = charset, .dialect = UTF8_STRICT};
  size_t n = 0;
  do {
    n += utf8core_decode(&c, in->text, in->size, out + n, OUT_MAX - n);
  } while (c.at < in->size);
  return n;
}

/* Does out have the well-formed sequences of the text, in their order? */
static int has_sequences(const FuzzInput *in, const uint8_t *out, size_t size) {
  size_t found = 0;
  for (size_t at = 0; at < in->size;) {
    const Utf8Step s = abnf_step(&abnf_dialects[0], in->text, in->size, at);
    for (int is_found = s.error != 0; !is_found; found++) {
      if (size - found < s.length) return 0;
      is_found = memcmp(out + found, in->text + at, s.length) == 0;
      if (is_found) found += s.length - 1;
    }
    at += s.length;
  }
  return 1;
}

static void check_written(const FuzzInput *in, Utf8Cause cause) {
  static uint8_t out[OUT_MAX];
  Utf8Repair how = {.dialect = UTF8_STRICT};
  size_t n;
  switch (utf8detect_cause_repair(cause, &how)) {
  case UTF8_CAUSE_KEEP:
    HOLDS(cause.kind == UTF8_CAUSE_BINARY || abnf_valid(in->text, in->size));
    return;
  case UTF8_CAUSE_REPAIR:
    n = repair(&how, in, out);
    HOLDS(has_sequences(in, out, n));
    break;
  default:
    HOLDS(cause.kind == UTF8_CAUSE_CHARSET);
    n = decode(cause.charset, in, out);
  }
  HOLDS(abnf_valid(out, n));
  HOLDS(utf8detect_cause(out, n).kind == UTF8_CAUSE_NONE);
}

/* ---- the cause ----------------------------------------------------------------------------- */

/* Returns the cause of the value, added in several calls, alone or among its neighbours. */
static Utf8Cause cause_in_chunks(const FuzzInput *in, size_t chunk, int is_alone) {
  static Utf8Readings r;
  Utf8Cause cause;
  if (utf8detect_cause_by_rules(in->text, in->size, UTF8_STRICT, &cause)) return cause;
  utf8detect_cause_begin(&evidence);
  for (size_t at = 0; at < in->size;) {
    const size_t until = in->size - at > chunk ? at + chunk : in->size;
    utf8detect_cause_add(&evidence, in->text, in->size, at, until);
    at = until;
  }
  utf8detect_readings(&r, &evidence, utf8detect_mixture_hash(in->text, in->size),
                      is_alone ? NULL : &among);
  return r.cause;
}

/* Readings that are written, of each value. */
#define READINGS_WRITTEN 4

/* The probabilities fall and add up to at most 1, and the first reading is the cause if it is sure. The evidence is
** that of cause_in_chunks(). */
static void check_readings(const FuzzInput *in, Utf8Cause cause, int is_alone) {
  static Utf8Readings r;
  uint64_t sum = 0;
  Utf8Cause by_rules;
  if (utf8detect_cause_by_rules(in->text, in->size, UTF8_STRICT, &by_rules)) return;
  utf8detect_readings(&r, &evidence, utf8detect_mixture_hash(in->text, in->size),
                      is_alone ? NULL : &among);
  for (size_t i = 0; i < r.count; i++) {
    HOLDS(r.list[i].probability > 0);
    HOLDS(i == 0 || r.list[i].probability <= r.list[i - 1].probability);
    HOLDS(r.list[i].language <= UTF8_LANGUAGES);
    sum += r.list[i].probability;
    if (i < READINGS_WRITTEN) check_written(in, r.list[i].cause);
  }
  HOLDS(sum <= UTF8_PROBABILITY_ONE);
  const int is_sure = r.count > 0 && r.list[0].probability >= UTF8_PROBABILITY_SURE;
  HOLDS(is_sure ? is_same_cause(cause, r.list[0].cause)
                : cause.kind == UTF8_CAUSE_UNCLEAR);
}

/* Bytes that are from UTF-16 can only have lone surrogates. */
static void check_utf16(const FuzzInput *in) {
  Utf8Cause cause;
  if (!abnf_is_from_utf16(in->text, in->size)) return;
  HOLDS(utf8detect_cause_by_rules(in->text, in->size, UTF8_FROM_UTF16, &cause));
  HOLDS(cause.kind == UTF8_CAUSE_NONE || cause.kind == UTF8_CAUSE_CUT ||
        cause.kind == UTF8_CAUSE_DAMAGED);
}

/* Writes the bytes as Python does that reads them with surrogateescape. Returns the size. */
static size_t escape(const FuzzInput *in, uint8_t *out) {
  size_t n = 0;
  for (size_t at = 0; at < in->size;) {
    const Utf8Step s = utf8core_step(in->text, in->size, at, UTF8_STRICT);
    for (unsigned i = 0; i < s.length; i++, at++) {
      const uint8_t byte = in->text[at];
      if (s.error) out[n++] = 0xED;
      if (s.error) out[n++] = (uint8_t)(0xB0 | byte >> 6);
      out[n++] = s.error ? (uint8_t)(0x80 | (byte & 0x3F)) : byte;
    }
  }
  return n;
}

/* Bytes that were escaped come back, however the text is cut into calls. */
static void check_escapes(const FuzzInput *in) {
  static uint8_t escaped[3 * FUZZ_TEXT_MAX], out[3 * FUZZ_TEXT_MAX + UTF8_FORM_ROOM];
  const size_t room = fuzz_room(in, UTF8_FORM_ROOM), size = escape(in, escaped);
  size_t at = 0, n = 0;
  HOLDS(utf8detect_is_escaped(escaped, size) == !abnf_valid(in->text, in->size));
  while (at < size)
    n += utf8form_unescape_surrogates(escaped, size, &at, out + n, room);
  HOLDS(n == in->size && memcmp(out, in->text, n) == 0);
}

static void check_name(Utf8Cause cause) {
  char name[UTF8_CAUSE_NAME_MAX];
  utf8detect_cause_name(cause, name);
  HOLDS((cause.kind == UTF8_CAUSE_NONE) == (name[0] == '\0'));
}

static void check(const FuzzInput *in) {
  HOLDS(is_same_cause(cause_in_chunks(in, 1 + in->c, 1), alone));
  check_readings(in, alone, 1);
  HOLDS(is_same_cause(cause_in_chunks(in, 1 + 16 * in->c, 0), in_column));
  check_readings(in, in_column, 0);
  check_utf16(in);
  check_written(in, alone);
  if (!is_same_cause(alone, in_column)) check_written(in, in_column);
}

static void fuzz_input(const FuzzInput *in) {
  alone = utf8detect_cause(in->text, in->size);
  make_neighbours(in);
  in_column = cause_in_chunks(in, FUZZ_TEXT_MAX, 0);
  HOLDS((alone.kind == UTF8_CAUSE_NONE) == abnf_valid(in->text, in->size));
  check_escapes(in);
  check_name(alone);
  check_name(in_column);
  fuzz_each_kernel(check, in);
}
