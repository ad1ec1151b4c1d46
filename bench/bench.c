/* bench.c: all of bench.h except the texts, which are in corpus.c. */
#define _GNU_SOURCE
#include "bench/bench.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rounds of a comparison, and of one whose passes are long. */
enum { ROUNDS = 31, ROUNDS_LONG = 9, ROUNDS_QUICK = 7, ROUNDS_LONG_QUICK = 3 };

/* A sample is long compared with the 20-30 ns of reading the clock, and short compared with a
** time slice of the scheduler. */
#define SAMPLE_NS 100000
#define LONG_NS   5000000.0

void bench_fail(const char *message) {
  fprintf(stderr, "bench: %s\n", message);
  exit(1);
}

void bench_start(void) {
  cpu_set_t allowed, one;
  size_t cpu = CPU_SETSIZE - 1;
  if (sched_getaffinity(0, sizeof allowed, &allowed)) bench_fail("sched_getaffinity");
  while (cpu > 0 && !CPU_ISSET(cpu, &allowed)) cpu--;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  if (sched_setaffinity(0, sizeof one, &one)) bench_fail("sched_setaffinity");
}

int bench_quick(void) {
  return getenv("BENCH_QUICK") != NULL;
}

uint64_t bench_now(void) {
  static clockid_t clock = -1;
  struct timespec t;
  if (clock == -1)
    clock = getenv("BENCH_BUSY") ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC;
  if (clock_gettime(clock, &t)) bench_fail("clock_gettime");
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t bench_random(uint64_t *state, uint64_t limit) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (z ^ z >> 31) % limit;
}

static int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *value, size_t count) {
  qsort(value, count, sizeof *value, compareDoubles);
  return count % 2 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2;
}

uint8_t *bench_read(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  uint8_t *text = malloc(*size);
  if (!file || !text) bench_fail(path);
  *size = fread(text, 1, *size, file);
  fclose(file);
  return text;
}

void bench_name(const char *path, char name[64]) {
  const char *slash = strrchr(path, '/');
  snprintf(name, 64, "%s", slash ? slash + 1 : path);
  name[strcspn(name, ".")] = 0;
}

BenchInput bench_whole(const uint8_t *text, size_t size) {
  BenchInput input = {text, NULL, 1, size};
  return input;
}

/* Makes `at` a boundary: overwrites the code point around it, if any, with spaces. */
static void makeBoundary(uint8_t *text, size_t size, size_t at) {
  size_t from = at, to = at;
  while (from > 0 && at - from < 3 && (text[from] & 0xC0) == 0x80) from--;
  while (to < size && to - at < 3 && (text[to] & 0xC0) == 0x80) to++;
  if (to > at && text[from] >= 0xC0) memset(text + from, ' ', to - from);
}

BenchInput bench_split(uint8_t *text, size_t size, size_t min, size_t max) {
  uint32_t *offsets = malloc((size / min + 2) * sizeof *offsets);
  uint64_t random = 1;
  size_t count = 0, p = 0;
  if (!offsets || size > UINT32_MAX) bench_fail("no memory");
  offsets[0] = 0;
  while (size - p >= max) {
    p += min + bench_random(&random, max - min + 1);
    makeBoundary(text, size, p);
    offsets[++count] = (uint32_t)p;
  }
  BenchInput input = {text, offsets, count, p};
  return input;
}

/* The compiler must assume that the results are read. */
static volatile uint64_t results;

static void passOnce(const BenchCandidate *candidate, const BenchInput *input) {
  uint64_t sum = 0;
  if (!input->offsets) {
    sum = candidate->run(candidate->arg, input->text, input->size);
  } else {
    for (size_t i = 0; i < input->count; i++)
      sum += candidate->run(candidate->arg, input->text + input->offsets[i],
                            input->offsets[i + 1] - input->offsets[i]);
  }
  results = sum;
}

static double passTime(const BenchCandidate *candidate, const BenchInput *input,
                       size_t passes) {
  uint64_t start = bench_now();
  for (size_t i = 0; i < passes; i++) passOnce(candidate, input);
  return (double)(bench_now() - start) / (double)passes;
}

/* Returns how many passes fill a sample, and raises *longest to the longest pass seen. The
** passes also warm up the caches and the processor's clock. */
static size_t calibrate(const BenchCandidate *candidate, const BenchInput *input,
                        double *longest) {
  for (size_t passes = 1;; passes *= 2) {
    double ns = passTime(candidate, input, passes);
    if (ns > *longest) *longest = ns;
    if (ns * (double)passes >= SAMPLE_NS / 2) return passes;
  }
}

static size_t roundsFor(double longest) {
  if (longest > LONG_NS) return bench_quick() ? ROUNDS_LONG_QUICK : ROUNDS_LONG;
  return bench_quick() ? ROUNDS_QUICK : ROUNDS;
}

void bench_compare(BenchCandidate *candidate, size_t count, BenchInput input) {
  double *sample = calloc(count * ROUNDS, sizeof *sample), longest = 0;
  size_t *passes = calloc(count, sizeof *passes);
  if (!sample || !passes) bench_fail("no memory");
  for (size_t i = 0; i < count; i++)
    passes[i] = calibrate(&candidate[i], &input, &longest);
  size_t rounds = roundsFor(longest);
  for (size_t r = 0; r < rounds; r++)
    for (size_t i = 0; i < count; i++)
      sample[i * rounds + r] = passTime(&candidate[i], &input, passes[i]);
  for (size_t i = 0; i < count; i++)
    candidate[i].ns = bench_median(sample + i * rounds, rounds);
  free(passes);
  free(sample);
}

void bench_compare_calls(BenchCandidate *candidate, size_t count) {
  bench_compare(candidate, count, bench_whole(NULL, 0));
}

void bench_print(const char *task, const char *corpus, size_t size,
                 const char *candidate, double value, const char *unit) {
  printf("%s\t%s\t%zu\t%s\t%.4g\t%s\n", task, corpus, size, candidate, value, unit);
  fflush(stdout);
}

void bench_print_times(const char *task, const char *corpus, size_t size,
                       const BenchCandidate *candidate, size_t count, size_t units) {
  for (size_t i = 0; i < count; i++)
    bench_print(task, corpus, size, candidate[i].name, candidate[i].ns / (double)units,
                "ns");
}

void bench_print_rates(const char *task, const char *corpus,
                       const BenchCandidate *candidate, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++)
    bench_print(task, corpus, size, candidate[i].name, (double)size / candidate[i].ns,
                "GB/s");
}
