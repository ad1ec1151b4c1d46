/* bench/arrow.c: the functions over columns of arrow/, beside the core called for each value.
**
**     make bench-arrow     # also bench/arrow.py: other libraries, two threads
**
** Both write what they make to memory: the core to one buffer for all values. They take turns. A line has the
** function, the text, the size of values, the speed over the column in GB/s, and its part of the core's.
*/
#include "arrow/utf8arrow.h"
#include "bench/bench.h"
#include "mojibake/mojibake.h"
#include "core/utf8core.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMN = 8 << 20, ROUNDS = 31 };

static uint8_t *out; /* for the core */
static size_t used;
static volatile size_t sink;

/* ---- the core, value by value ------------------------------------------------------------------------- */

static void valid_value(const uint8_t *text, size_t size) {
  used += (size_t)utf8core_valid(text, size);
}

static void repair_value(const uint8_t *text, size_t size) {
  const Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  for (size_t at = 0; at < size;)
    used += utf8core_repair(&how, text, size, &at, out + used, size + 64);
}

static void normalize_value(const uint8_t *text, size_t size) {
  size_t at = 0;
  while (at < size && utf8core_is_normalized(UTF8_NFC, text, size, &at, size)) continue;
  memcpy(out + used, text, at);
  used += at;
  while (at < size)
    used += utf8core_normalize(UTF8_NFC, text, size, &at, out + used, 2 * size + 1024);
}

static void demojibake_value(const uint8_t *text, size_t size) {
  if (!utf8core_valid(text, size)) return;
  for (size_t at = 0; at < size;)
    used += utf8mojibake_restore(NULL, text, size, &at, out + used,
                                 size + UTF8_MOJIBAKE_ROOM);
}

/* ---- both ------------------------------------------------------------------------------------------------ */

typedef struct Measured {
  const char *function;
  void (*run)(const uint8_t *text, size_t size);
} Measured;
static const Measured measured[] = {{"valid", valid_value},
                                    {"repair", repair_value},
                                    {"normalize", normalize_value},
                                    {"demojibake", demojibake_value}};

static uint64_t time_core(const Measured *m, const BenchInput *in) {
  const uint64_t start = bench_now();
  used = 0;
  for (size_t i = 0; i < in->count; i++)
    m->run(in->text + in->offsets[i], in->offsets[i + 1] - in->offsets[i]);
  sink = used;
  return bench_now() - start;
}

static void keep(struct ArrowArray *array) {
  array->release = NULL;
}
static void keep_schema(struct ArrowSchema *schema) {
  schema->release = NULL;
}

static void must(int code, const Utf8ArrowError *error) {
  if (code) exit((puts(error->message), 1));
}

static uint64_t time_column(const Measured *m, const BenchInput *in) {
  const void *buffers[] = {NULL, in->offsets, in->text};
  struct ArrowArray chunk = {.length = (int64_t)in->count,
                             .n_buffers = 3,
                             .buffers = buffers,
                             .release = keep};
  struct ArrowSchema schema = {.format = "u", .release = keep_schema}, result_schema;
  struct ArrowArray result;
  Utf8Arrow *opened;
  Utf8ArrowError error;
  const uint64_t start = bench_now();
  must(utf8arrow_open(&opened, m->function, NULL, 0, &error), &error);
  must(utf8arrow_begin(opened, &schema, 0, &result_schema, &error), &error);
  must(utf8arrow_learn(opened, &chunk, 1, &error), &error);
  must(utf8arrow_apply(opened, &chunk, &result, &error), &error);
  result.release(&result);
  result_schema.release(&result_schema);
  utf8arrow_close(opened);
  return bench_now() - start;
}

static void measure(const Measured *m, const char *text_name, const BenchInput *in,
                    size_t size) {
  double core[ROUNDS], column[ROUNDS], ratio[ROUNDS];
  const int rounds = bench_quick() ? 3 : ROUNDS;
  for (int i = -1; i < rounds; i++) { /* the first round warms up */
    const uint64_t by_value = time_core(m, in), by_column = time_column(m, in);
    if (i < 0) continue;
    core[i] = (double)by_value;
    column[i] = (double)by_column;
    ratio[i] = core[i] / column[i];
  }
  printf("arrow\t%s\t%s\t%zu\t%.3f\t%.2f\n", m->function, text_name, size,
         (double)in->size / bench_median(column, (size_t)rounds),
         bench_median(ratio, (size_t)rounds));
}

/* Puts an ill-formed byte, a decomposed letter and misread text into some values. */
static void damage(uint8_t *text, size_t size) {
  static const char *const parts[] = {"\xE9 ", "e\xCC\x81", "\xC3\x83\xC2\xA9 "};
  for (size_t at = 1000, i = 0; at + 64 < size; at += 1003, i++) {
    const char *part = parts[i % 3];
    memset(text + at, ' ', 24);
    memcpy(text + at + 8, part, strlen(part));
  }
}

int main(void) {
  static const char *const names[] = {"ascii", "latin", "cyrillic", "chinese"};
  static const size_t sizes[] = {100, 10000};
  out = malloc(4 * (size_t)COLUMN + 65536);
  if (!out) return 1;
  bench_start();
  for (size_t n = 0; n < 2 * sizeof names / sizeof *names; n++) {
    for (size_t s = 0; s < 2; s++) {
      const char *name = names[n / 2];
      char label[40];
      uint8_t *text = bench_corpus(name, COLUMN);
      BenchInput in = bench_split(text, COLUMN, sizes[s], sizes[s]);
      if (n % 2) damage(text, COLUMN);
      snprintf(label, sizeof label, "%s%s", name, n % 2 ? ", damaged" : "");
      for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
        measure(&measured[i], label, &in, sizes[s]);
      free((void *)in.offsets);
      free(text);
    }
  }
  free(out);
  return 0;
}
