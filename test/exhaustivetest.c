/* exhaustivetest.c: what is small enough to be tried whole.
**
**     build/exhaustivetest 0        strings whose last byte is even; 1: odd (minutes each)
**     build/exhaustivetest pairs    pairs of combining marks
**
** All strings of four bytes: the decoder step and every kernel that runs here, against the ABNF walk.
** All pairs of code points of different combining classes: every normalization form, and folded, against
** uax15.h.
*/
#include "core/simd/kernel.h"
#include "test/ctest.h"
#include "test/uax15.h"

/* ---- strings of four bytes --------------------------------------------------------------------- */

/* What the ABNF walk makes of a string of at most four bytes. */
typedef struct Walk {
  uint8_t first; /* offset of the first error, or the string's size */
  uint8_t kept,
      starts;   /* bit i: byte i is part of a well-formed sequence; starts a step */
  uint8_t size; /* of the repaired text */
  uint8_t text[12];
} Walk;

/* Returns the walk over a string that begins with a step and goes on with `rest`. */
static Walk walk_from(Utf8Step step, const uint8_t *bytes, const Walk *rest) {
  const unsigned n = step.length;
  Walk walk = {step.error ? 0 : (uint8_t)(n + rest->first),
               (uint8_t)(rest->kept << n | (step.error ? 0 : (1 << n) - 1)),
               (uint8_t)(rest->starts << n | 1),
               (uint8_t)((step.error ? 3 : n) + rest->size),
               {0xEF, 0xBF, 0xBD}};
  if (!step.error) memcpy(walk.text, bytes, n);
  memcpy(walk.text + walk.size - rest->size, rest->text, rest->size);
  return walk;
}

enum { STRIDE = 5, BATCH = 256 * STRIDE, PADDED = 128 };

/* The 256 strings with the same last three bytes, an A after each; and what the walk makes of them. */
typedef struct Batch {
  uint8_t text[BATCH], repaired[256 * 13];
  size_t size; /* of the repaired text */
  Walk walks[256];
  uint64_t kept[BATCH / 64 + 1], starts[BATCH / 64 + 1];
} Batch;

/* Sets five bits from `at` on; they are clear. */
static void set_bits(uint64_t *bits, size_t at, uint64_t five) {
  bits[at / 64] |= five << at % 64;
  if (at % 64 > 64 - STRIDE) bits[at / 64 + 1] |= five >> (64 - at % 64);
}

/* Returns n <= 64 bits from `at` on. */
static uint64_t get_bits(const uint64_t *bits, size_t at, unsigned n) {
  uint64_t found = bits[at / 64] >> at % 64;
  if (at % 64) found |= bits[at / 64 + 1] << (64 - at % 64);
  return n < 64 ? found & (((uint64_t)1 << n) - 1) : found;
}

static void add_string(Batch *batch, const uint8_t *string, const Walk *walk) {
  const size_t at = (size_t)string[0] * STRIDE;
  memcpy(batch->text + at, string, 4);
  batch->text[at + 4] = 'A';
  memcpy(batch->repaired + batch->size, walk->text, walk->size);
  batch->size += walk->size;
  batch->repaired[batch->size++] = 'A';
  set_bits(batch->kept, at, walk->kept | 0x10u);
  set_bits(batch->starts, at, walk->starts | 0x10u);
}

/* Walks over the 256 strings, and compares the decoder step at their start. */
static void fill_batch(Batch *batch, uint32_t last_three) {
  uint8_t string[4] = {0, (uint8_t)(last_three >> 16), (uint8_t)(last_three >> 8),
                       (uint8_t)last_three};
  Walk rest[5] = {[4] = {0}};
  for (size_t at = 3; at > 0; at--) {
    const Utf8Step step = abnf_step(&abnf_dialects[0], string, 4, at);
    rest[at] = walk_from(step, string + at, &rest[at + step.length]);
  }
  batch->size = 0;
  memset(batch->kept, 0, sizeof batch->kept);
  memset(batch->starts, 0, sizeof batch->starts);
  for (unsigned byte = 0; byte < 256; byte++) {
    string[0] = (uint8_t)byte;
    const Utf8Step wanted = abnf_step(&abnf_dialects[0], string, 4, 0);
    const Utf8Step step = utf8core_step(string, 4, 0, UTF8_STRICT);
    expect(step.codepoint == wanted.codepoint && step.length == wanted.length &&
               step.error == wanted.error,
           "the step", string, 4);
    batch->walks[byte] = walk_from(wanted, string, &rest[wanted.length]);
    add_string(batch, string, &batch->walks[byte]);
  }
}

static void compare_repair(const Utf8Kernel *kernel, const Batch *batch) {
  static uint8_t out[3 * BATCH + 64];
  size_t written = 0;
  const size_t end = kernel->repair(batch->text, BATCH, out, &written);
  expect(end == BATCH && written == batch->size &&
             memcmp(out, batch->repaired, written) == 0,
         kernel->name, batch->text, 4);
}

static void compare_classes(const Utf8Kernel *kernel, const Batch *batch) {
  for (size_t at = 0; at + 64 <= BATCH;) {
    uint64_t kept = 0, starts = 0;
    const unsigned n = kernel->classify_block(batch->text + at, &kept, &starts);
    expect(n > 60 && kept == get_bits(batch->kept, at, n) &&
               starts == get_bits(batch->starts, at, n),
           kernel->name, batch->text + at, 64);
    at += n;
  }
}

/* Each string alone, at some place among A. */
static void compare_valid(const Utf8Kernel *kernel, const Batch *batch, size_t place) {
  uint8_t text[PADDED];
  memset(text, 'A', PADDED);
  for (size_t i = 0; i < 256; i++) {
    const Walk *walk = &batch->walks[i];
    memcpy(text + place, batch->text + i * STRIDE, 4);
    const size_t end = kernel->valid(text, PADDED);
    const int is_right = walk->first == 4 ? end == PADDED
                         : end <= place   ? 1
                                          : end <= place + walk->first &&
                                              walk->starts >> (end - place) & 1;
    expect(is_right, kernel->name, text + place, 4);
  }
}

static uint32_t last_byte; /* 0: all strings whose last byte is even; 1: odd */

static void strings_of_four(void) {
  static Batch batch;
  for (uint32_t last_three = last_byte; last_three < 1u << 24; last_three += 2) {
    fill_batch(&batch, last_three);
    for (const Utf8Kernel *const *k = utf8simd_kernels(); *k; k++) {
      compare_repair(*k, &batch);
      compare_classes(*k, &batch);
      compare_valid(*k, &batch, last_three % 1009 % (PADDED - 4));
    }
  }
}

/* ---- pairs of combining marks ------------------------------------------------------------------- */

static size_t encode(const Codes *codes, uint8_t *out) {
  size_t size = 0;
  for (size_t i = 0; i < codes->count; i++)
    size += utf8core_put(out + size, codes->at[i]);
  return size;
}

static void expect_codes(const char *what, const Codes *codes, const uint8_t *out,
                         size_t size) {
  uint8_t wanted[4 * 64];
  expect(size == encode(codes, wanted) && memcmp(out, wanted, size) == 0, what, out,
         size);
}

static void expect_forms(const Codes *codes) {
  static Codes wanted;
  uint8_t text[16], out[UTF8_NORMALIZE_MAX(UTF8_NFKD, 16)];
  const size_t size = encode(codes, text);
  size_t at = 0;
  uax15_fold(codes, &wanted);
  expect_codes("folded", &wanted, out,
               utf8core_casefold(text, size, &at, out, sizeof out));
  for (int form = 0; form < UTF8_NORMAL_FORMS; form++) {
    at = 0;
    uax15_normalize(form, codes, &wanted);
    expect_codes(
        "the form", &wanted, out,
        utf8core_normalize((Utf8NormalForm)form, text, size, &at, out, sizeof out));
    expect(at == size, "all of it", text, size);
  }
}

static void pairs_of_marks(void) {
  static const uint32_t bases[] = {'a', 0x3B1, 0x915};
  for (uint32_t a = 0; a < UAX15_END; a++) {
    for (uint32_t b = 0; uax15_class[a] && b < UAX15_END; b++) {
      if (!uax15_class[b] || uax15_class[a] == uax15_class[b]) continue;
      for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        expect_forms(&(Codes){3, {bases[i], a, b}});
    }
  }
}

int main(int argc, char **argv) {
  static const Test strings[] = {
      {"every string of four bytes: the step, every kernel", strings_of_four}};
  static const Test pairs[] = {
      {"every pair of combining marks of different classes", pairs_of_marks}};
  if (argc > 1 && strcmp(argv[1], "pairs") != 0) {
    last_byte = argv[1][0] == '1';
    return run_tests(strings, 1);
  }
  if (uax15_read()) return run_tests(pairs, 1);
  puts("SKIPPED: pairs of marks: tool/form.py --tests has not written build/form/");
  puts("0 passed, 0 failed");
  return 0;
}
