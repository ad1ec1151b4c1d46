/* bench.c: the clock, the race and the output of bench.h. */
#define _GNU_SOURCE
#include "bench.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Rounds of a race, and of one whose passes are long. */
enum { ROUNDS = 31, ROUNDS_LONG = 9, ROUNDS_QUICK = 7, ROUNDS_LONG_QUICK = 3 };

/* A sample is long beside the clock's own 20-30 ns, and short beside the time slice after
** which another process may come in between. */
#define SAMPLE_NS 100000
#define LONG_NS   5000000.0

void bench_fail(const char *what) {
  fprintf(stderr, "bench: %s\n", what);
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

static int compareDoubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

double bench_median(double *value, size_t count) {
  qsort(value, count, sizeof *value, compareDoubles);
  return count % 2 ? value[count / 2] : (value[count / 2 - 1] + value[count / 2]) / 2;
}

BenchInput bench_whole(const uint8_t *text, size_t size) {
  BenchInput input = {text, NULL, 1, size};
  return input;
}

/* Makes a cut at `at` a boundary: what it splits becomes spaces. */
static void cutBetween(uint8_t *text, size_t size, size_t at) {
  size_t from = at, to = at;
  while (from > 0 && at - from < 3 && (text[from] & 0xC0) == 0x80) from--;
  while (to < size && to - at < 3 && (text[to] & 0xC0) == 0x80) to++;
  if (to > at && text[from] >= 0xC0) memset(text + from, ' ', to - from);
}

BenchInput bench_pieces(uint8_t *text, size_t size, size_t shortest, size_t longest) {
  uint32_t *at = malloc((size / shortest + 2) * sizeof *at);
  uint64_t random = 1;
  size_t count = 0, p = 0;
  if (!at || size > UINT32_MAX) bench_fail("no memory");
  at[0] = 0;
  while (size - p >= longest) {
    p += shortest + bench_random(&random, longest - shortest + 1);
    cutBetween(text, size, p);
    at[++count] = (uint32_t)p;
  }
  BenchInput input = {text, at, count, p};
  return input;
}

/* The compiler must believe that somebody reads what the entrants return. */
static volatile uint64_t kept;

static void passOnce(const BenchEntrant *entrant, const BenchInput *input) {
  uint64_t sum = 0;
  if (!input->at) {
    sum = entrant->run(entrant->arg, input->text, input->size);
  } else {
    for (size_t i = 0; i < input->count; i++)
      sum += entrant->run(entrant->arg, input->text + input->at[i],
                          input->at[i + 1] - input->at[i]);
  }
  kept = sum;
}

static double passTime(const BenchEntrant *entrant, const BenchInput *input,
                       size_t passes) {
  uint64_t start = bench_now();
  for (size_t i = 0; i < passes; i++) passOnce(entrant, input);
  return (double)(bench_now() - start) / (double)passes;
}

/* How many passes fill a sample. The calls also warm up caches and clocks. The longest
** pass seen goes to *longest. */
static size_t calibrate(const BenchEntrant *entrant, const BenchInput *input,
                        double *longest) {
  for (size_t passes = 1;; passes *= 2) {
    double ns = passTime(entrant, input, passes);
    if (ns > *longest) *longest = ns;
    if (ns * (double)passes >= SAMPLE_NS / 2) return passes;
  }
}

static size_t roundsFor(double longest) {
  if (longest > LONG_NS) return bench_quick() ? ROUNDS_LONG_QUICK : ROUNDS_LONG;
  return bench_quick() ? ROUNDS_QUICK : ROUNDS;
}

void bench_race(BenchEntrant *entrant, size_t count, BenchInput input) {
  double *sample = calloc(count * ROUNDS, sizeof *sample), longest = 0;
  size_t *passes = calloc(count, sizeof *passes);
  if (!sample || !passes) bench_fail("no memory");
  for (size_t i = 0; i < count; i++)
    passes[i] = calibrate(&entrant[i], &input, &longest);
  size_t rounds = roundsFor(longest);
  for (size_t r = 0; r < rounds; r++)
    for (size_t i = 0; i < count; i++)
      sample[i * rounds + r] = passTime(&entrant[i], &input, passes[i]);
  for (size_t i = 0; i < count; i++)
    entrant[i].ns = bench_median(sample + i * rounds, rounds);
  free(passes);
  free(sample);
}

void bench_race_calls(BenchEntrant *entrant, size_t count) {
  bench_race(entrant, count, bench_whole(NULL, 0));
}

void bench_print(const char *work, const char *corpus, size_t size, const char *who,
                 double value, const char *unit) {
  printf("%s\t%s\t%zu\t%s\t%.4g\t%s\n", work, corpus, size, who, value, unit);
  fflush(stdout);
}

void bench_print_rates(const char *work, const char *corpus,
                       const BenchEntrant *entrant, size_t count, size_t size) {
  for (size_t i = 0; i < count; i++)
    bench_print(work, corpus, size, entrant[i].name, (double)size / entrant[i].ns,
                "GB/s");
}
