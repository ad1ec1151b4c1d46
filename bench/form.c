/* form.c: measures normalization and case folding, and with -DWITH_PEERS other libraries. Prints a
** line for each figure (see bench_print()).
**
**     make bench-form                                   build/bench/form.tsv
**     make bench-form FORM_TEXTS=article.txt     another text
**
** The arguments are files of UTF-8, of which the first megabyte counts, as NFC. A peer whose result has
** another size than ours is named on standard error and not measured on that text: it may have another
** version of Unicode.
*/
#include "bench/bench.h"
#include "bench/peers/form.h"
#include "core/utf8core.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_SIZE  ((size_t)1 << 20)
#define TEXT_MAX   (2 * TEXT_SIZE) /* as NFD */
#define RESULT_MAX (18 * TEXT_MAX) /* StringZilla's bound; ours and ICU's are smaller */

static uint8_t *result;

/* ---- ours ------------------------------------------------------------------------------ */

static const Utf8NormalForm forms[] = {
    [FORM_NFC] = UTF8_NFC, [FORM_NFD] = UTF8_NFD, [FORM_NFKC] = UTF8_NFKC};

static uint64_t runIsNfc(const void *arg, const uint8_t *text, size_t size) {
  size_t at = 0;
  (void)arg;
  while (at < size)
    if (!utf8core_is_normalized(UTF8_NFC, text, size, &at, size)) return 0;
  return 1;
}

/* Like utf8_normalize() of SQL: text that is normalized is not copied. */
static uint64_t runNormalize(const void *arg, const uint8_t *text, size_t size) {
  const Utf8NormalForm form = forms[*(const FormId *)arg];
  size_t at = 0, used;
  while (at < size && utf8core_is_normalized(form, text, size, &at, size)) {
  }
  if (at == size) return size;
  memcpy(result, text, at);
  for (used = at; at < size;)
    used += utf8core_normalize(form, text, size, &at, result + used, RESULT_MAX - used);
  return used;
}

static uint64_t runFold(const void *arg, const uint8_t *text, size_t size) {
  size_t at = 0, used = 0;
  (void)arg;
  while (at < size)
    used += utf8core_casefold(text, size, &at, result + used, RESULT_MAX - used);
  return used;
}

/* ---- candidates ------------------------------------------------------------------------- */

typedef struct Task {
  const char *name;
  FormId form; /* what to make */
  int from_nfd;
  BenchCandidate candidates[8]; /* ours is the first; up to one without a name */
} Task;

#ifdef WITH_PEERS
#define PEERS_NORMALIZE                                                                \
  {"ICU4C", peer_icu_normalize, NULL, 0}, {"ICU4X", peer_icu4x_normalize, NULL, 0},    \
      {"StringZilla", peer_stringzilla_normalize, NULL, 0},                            \
      {"simd-normalizer", peer_simd_normalizer, NULL, 0}, {                            \
    "utf8proc", peer_utf8proc_normalize, NULL, 0                                       \
  }
#define PEERS_IS_NFC                                                                   \
  {"ICU4C", peer_icu_is_nfc, NULL, 0}, {"ICU4X", peer_icu4x_is_nfc, NULL, 0},          \
      {"StringZilla", peer_stringzilla_is_nfc, NULL, 0}, {                             \
    "simd-normalizer", peer_simd_normalizer_is_nfc, NULL, 0                            \
  }
#define PEERS_FOLD                                                                     \
  {"ICU4C", peer_icu_fold, NULL, 0}, {"StringZilla", peer_stringzilla_fold, NULL, 0},  \
  {                                                                                    \
    "utf8proc", peer_utf8proc_fold, NULL, 0                                            \
  }
#else
#define PEERS_NORMALIZE                                                                \
  { NULL, NULL, NULL, 0 }
#define PEERS_IS_NFC                                                                   \
  { NULL, NULL, NULL, 0 }
#define PEERS_FOLD                                                                     \
  { NULL, NULL, NULL, 0 }
#endif

static Task tasks[] = {
    {"is NFC", FORM_NFC, 0, {{"utf8ext", runIsNfc, NULL, 0}, PEERS_IS_NFC}},
    {"NFC of NFC", FORM_NFC, 0, {{"utf8ext", runNormalize, NULL, 0}, PEERS_NORMALIZE}},
    {"NFC of NFD", FORM_NFC, 1, {{"utf8ext", runNormalize, NULL, 0}, PEERS_NORMALIZE}},
    {"NFD of NFC", FORM_NFD, 0, {{"utf8ext", runNormalize, NULL, 0}, PEERS_NORMALIZE}},
    {"NFKC of NFC",
     FORM_NFKC,
     0,
     {{"utf8ext", runNormalize, NULL, 0}, PEERS_NORMALIZE}},
    {"fold", FORM_NFC, 0, {{"utf8ext", runFold, NULL, 0}, PEERS_FOLD}},
};
enum { TASKS = sizeof tasks / sizeof *tasks, IS_NFC = 0 };

/* Passes the form and the room for the result to all candidates. */
static void setArguments(Task *task, const FormArgument *argument) {
  for (BenchCandidate *c = task->candidates; c->name; c++) c->arg = argument;
}

/* Stores the candidates whose result on the text is ours, and returns how many. */
static size_t agreeing(const Task *task, const char *corpus, BenchInput input,
                       BenchCandidate *to) {
  const BenchCandidate *c = task->candidates;
  const uint64_t wanted = c->run(c->arg, input.text, input.size);
  size_t count = 0;
  for (; c->name; c++) {
    if (c->run(c->arg, input.text, input.size) == wanted) {
      to[count++] = *c;
    } else {
      fprintf(stderr, "bench: %s, %s: %s has another result\n", task->name, corpus,
              c->name);
    }
  }
  return count;
}

/* ---- measuring --------------------------------------------------------------------------- */

static void measureWhole(Task *task, const char *corpus, BenchInput input) {
  const FormArgument argument = {task->form, result, RESULT_MAX};
  BenchCandidate candidates[8];
  setArguments(task, &argument);
  const size_t count = agreeing(task, corpus, input, candidates);
  bench_compare(candidates, count, input);
  bench_print_rates(task->name, corpus, candidates, count, input.size);
}

/* Measures the first task on values of `length` bytes. */
static void measureValues(const char *corpus, uint8_t *text, size_t size,
                          size_t length) {
  const FormArgument argument = {FORM_NFC, result, RESULT_MAX};
  BenchCandidate candidates[8];
  BenchInput values = bench_split(text, size, length, length);
  setArguments(&tasks[IS_NFC], &argument);
  const size_t count =
      agreeing(&tasks[IS_NFC], corpus, bench_whole(text, size), candidates);
  bench_compare(candidates, count, values);
  bench_print_times(tasks[IS_NFC].name, corpus, length, candidates, count,
                    values.count);
  free((void *)(uintptr_t)values.offsets);
}

/* ---- texts --------------------------------------------------------------------------------- */

static uint8_t *normalized(Utf8NormalForm form, const uint8_t *text, size_t size,
                           size_t *length) {
  const size_t room = (size_t)UTF8_NORMALIZE_MAX(form, size);
  uint8_t *out = malloc(room);
  size_t at = 0;
  if (!out) bench_fail("no memory");
  *length = utf8core_normalize(form, text, size, &at, out, room);
  return out;
}

/* Reads the start of the file, as NFC. */
static uint8_t *readText(const char *path, size_t *size) {
  size_t read = TEXT_SIZE;
  uint8_t *text = bench_read(path, &read);
  if (read == 0) bench_fail("the text is empty");
  const size_t end = utf8core_boundary(text, read, read - 1, UTF8_STRICT);
  uint8_t *nfc = normalized(UTF8_NFC, text, end, size);
  free(text);
  return nfc;
}

static void measureText(const char *path) {
  size_t size, length;
  char corpus[64];
  uint8_t *text = readText(path, &size),
          *nfd = normalized(UTF8_NFD, text, size, &length);
  bench_name(path, corpus);
  for (int i = 0; i < TASKS; i++)
    measureWhole(&tasks[i], corpus,
                 tasks[i].from_nfd ? bench_whole(nfd, length)
                                   : bench_whole(text, size));
  measureValues(corpus, text, size, 24);
  measureValues(corpus, text, size, 100);
  free(nfd);
  free(text);
}

int main(int argc, char **argv) {
  bench_start();
  result = malloc(RESULT_MAX);
  if (!result) bench_fail("no memory");
  for (int i = 1; i < argc; i++) measureText(argv[i]);
  return 0;
}
