/* kernels.c: measures the core and its kernels; with -DWITH_PEERS also other libraries, in the
** same comparisons. Prints a line for each figure (see bench_print()).
**
**     make bench          build/bench/kernels.tsv
**     make bench-peers    build/bench/peers.tsv
**     build/bench/kernels scripts repair random sizes growth    only these sections
**
** Tasks: valid, at and count on each script, repair on each kind of damage; valid by size,
** from 4 bytes to 1 GB; valid on short values, hot and cold.
**
** Candidates: "utf8ext" is the core as the SQL functions call it; "utf8ext avx2" and so on is
** one kernel alone. "read", a loop that only reads, and "memcpy" are the limits: no code that
** reads, or writes, all bytes can be faster.
*/
#include "bench/bench.h"
#include "bench/peers/peers.h"
#include "core/utf8core.h"
#include "core/simd/kernel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)

uint8_t *bench_out;
size_t bench_out_size;

/* ---- utf8ext ---------------------------------------------------------------------- */

static uint64_t coreValid(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  if (utf8simd_kernel()->valid(text, size) == size) return 1; /* as in sql/check.c */
  return !utf8core_find_error(text, size, 0, size, UTF8_STRICT).error;
}

static uint64_t coreAt(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return utf8core_find_error(text, size, 0, size, UTF8_STRICT).offset;
}

static uint64_t coreCount(const void *arg, const uint8_t *text, size_t size) {
  size_t at = 0;
  (void)arg;
  return utf8core_count(text, size, &at, size, UTF8_STRICT);
}

/* Repairs text[at..size) into bench_out, after the first `written` bytes. Returns how many
** bytes bench_out then holds. */
static uint64_t repairFrom(const uint8_t *text, size_t size, size_t at,
                           size_t written) {
  Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  while (at < size)
    written += utf8core_repair(&how, text, size, &at, bench_out + written,
                               bench_out_size - written);
  return written;
}

static uint64_t coreRepair(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return repairFrom(text, size, 0, 0);
}

static uint64_t kernelValid(const void *arg, const uint8_t *text, size_t size) {
  return ((const Utf8Kernel *)arg)->valid(text, size) == size;
}

static uint64_t kernelCount(const void *arg, const uint8_t *text, size_t size) {
  size_t codepoints;
  ((const Utf8Kernel *)arg)->count(text, size, &codepoints);
  return codepoints;
}

static uint64_t kernelRepair(const void *arg, const uint8_t *text, size_t size) {
  size_t written, at;
  at = ((const Utf8Kernel *)arg)->repair(text, size, bench_out, &written);
  return repairFrom(text, size, at, written); /* if the text ends inside a sequence */
}

/* ---- limits ----------------------------------------------------------------------- */

/* Unaligned reads of 8 and of n bytes. */
typedef uint64_t __attribute__((aligned(1), may_alias)) Word;
#define BLOCK(n) uint64_t __attribute__((vector_size(n), aligned(1), may_alias))

/* Reads all bytes, into four accumulators so that only the loads take time. */
#define READ_ALL(name, isa, n)                                                         \
  isa static uint64_t name(const void *arg, const uint8_t *text, size_t size) {        \
    typedef BLOCK(n) Block;                                                            \
    Block a = {0}, b = {0}, c = {0}, d = {0};                                          \
    uint64_t remainder = 0;                                                            \
    (void)arg;                                                                         \
    for (; size >= 4 * n; size -= 4 * n, text += 4 * n) {                              \
      a |= *(const Block *)text;                                                       \
      b |= *(const Block *)(text + n);                                                 \
      c |= *(const Block *)(text + 2 * n);                                             \
      d |= *(const Block *)(text + 3 * n);                                             \
    }                                                                                  \
    for (; size >= 8; size -= 8, text += 8) remainder |= *(const Word *)text;          \
    for (; size; size--) remainder |= *text++;                                         \
    a |= b | c | d;                                                                    \
    for (size_t i = 0; i < n / 8; i++) remainder |= a[i];                              \
    return remainder;                                                                  \
  }

#ifdef __x86_64__
READ_ALL(readAvx512, __attribute__((target("avx512f"))), 64)
READ_ALL(readAvx2, __attribute__((target("avx2"))), 32)
#endif
READ_ALL(readBytes, , 16)

/* The widest of these loops that this processor runs. */
static BenchRun readAll(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return readAvx512;
  if (__builtin_cpu_supports("avx2")) return readAvx2;
#endif
  return readBytes;
}

static uint64_t copyAll(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  memcpy(bench_out, text, size);
  return bench_out[size / 2];
}

static uint64_t emptyCall(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return (uint64_t)(uintptr_t)text + size;
}

/* ---- candidates ------------------------------------------------------------------- */

enum { CANDIDATES_MAX = 48 };

/* First the implementations, then the limits, which do not do the task. */
typedef struct Candidates {
  BenchCandidate candidate[CANDIDATES_MAX];
  size_t count, implementations;
} Candidates;

static void add(Candidates *c, const char *name, BenchRun run, const void *arg) {
  if (c->count == CANDIDATES_MAX) bench_fail("too many candidates");
  c->candidate[c->count++] = (BenchCandidate){name, run, arg, 0};
}

static const char *kernelName(const Utf8Kernel *kernel) {
  static char name[16][32];
  static size_t used;
  char *p = name[used++ % 16];
  snprintf(p, sizeof name[0], "utf8ext %s", kernel->name);
  return p;
}

static void addOurs(Candidates *c, BenchTask task) {
  static const BenchRun core[] = {coreValid, coreAt, coreCount, coreRepair};
  static const BenchRun kernel[] = {kernelValid, NULL, kernelCount, kernelRepair};
  add(c, "utf8ext", core[task], NULL);
  for (const Utf8Kernel *const *k = utf8simd_kernels(); kernel[task] && *k; k++)
    add(c, kernelName(*k), kernel[task], *k);
}

static void addPeers(Candidates *c, BenchTask task, int all_sizes) {
#ifdef WITH_PEERS
  static const Peer *peers;
  static size_t count;
  if (!peers) count = peers_open(&peers);
  for (size_t i = 0; i < count; i++)
    if (peers[i].task == task && peers[i].all_sizes >= all_sizes)
      add(c, peers[i].candidate.name, peers[i].candidate.run, peers[i].candidate.arg);
#else
  (void)c, (void)task, (void)all_sizes;
#endif
}

static Candidates candidatesFor(BenchTask task, int all_sizes) {
  Candidates c = {.count = 0};
  addOurs(&c, task);
  addPeers(&c, task, all_sizes);
  c.implementations = c.count;
  if (task != BENCH_REPAIR) add(&c, "read", readAll(), NULL);
  add(&c, "memcpy", copyAll, NULL);
  return c;
}

/* Ends the program unless all implementations return the same result as the first. */
static void requireAgreement(const Candidates *c, const uint8_t *text, size_t size) {
  uint64_t expected = c->candidate[0].run(c->candidate[0].arg, text, size);
  for (size_t i = 1; i < c->implementations; i++) {
    const BenchCandidate *e = &c->candidate[i];
    uint64_t got = e->run(e->arg, text, size);
    if (got == expected) continue;
    fprintf(stderr, "bench: %s returns %llu, %s %llu\n", c->candidate[0].name,
            (unsigned long long)expected, e->name, (unsigned long long)got);
    exit(1);
  }
}

/* ---- by script -------------------------------------------------------------------- */

static void measureText(const char *label, BenchTask task, const char *corpus,
                        size_t size) {
  Candidates c = candidatesFor(task, 0);
  uint8_t *text = bench_corpus(corpus, size);
  requireAgreement(&c, text, size);
  bench_compare(c.candidate, c.count, bench_whole(text, size));
  bench_print_rates(label, corpus, c.candidate, c.count, size);
  free(text);
}

static void measureScripts(void) {
  for (size_t i = 0; bench_scripts[i]; i++) {
    measureText("valid", BENCH_VALID, bench_scripts[i], 64 * KB);
    measureText("at", BENCH_AT, bench_scripts[i], 64 * KB);
    measureText("count", BENCH_COUNT, bench_scripts[i], 64 * KB);
  }
}

static void measureRepair(void) {
  for (size_t i = 0; bench_damaged[i]; i++)
    measureText("repair", BENCH_REPAIR, bench_damaged[i], MB);
}

/* ---- by size ---------------------------------------------------------------------- */

/* Sizes below 1 KB are measured on 8 KB of such values, which stay in the L1 cache. */
static BenchInput hotInput(uint8_t *text, size_t size) {
  return size < KB ? bench_split(text, 8 * KB, size, size) : bench_whole(text, size);
}

static void measureSize(const char *corpus, size_t size) {
  Candidates c = candidatesFor(BENCH_VALID, 1);
  uint8_t *text = bench_corpus(corpus, size < KB ? 8 * KB : size);
  BenchInput input = hotInput(text, size);
  requireAgreement(&c, text, input.size);
  add(&c, "empty call", emptyCall, NULL);
  bench_compare(c.candidate, c.count, input);
  for (size_t i = 0; i + 1 < c.count; i++)
    bench_print("size", corpus, size, c.candidate[i].name,
                (double)input.size / c.candidate[i].ns, "GB/s");
  if (size < KB)
    bench_print_times("short", corpus, size, c.candidate, c.count, input.count);
  free((void *)(uintptr_t)input.offsets);
  free(text);
}

static void measureSizes(void) {
  static const char *const corpus[] = {"ascii", "latin", "chinese", "mix", NULL};
  static const size_t between[] = {48, 100, 200, 0};
  size_t largest = bench_quick() ? 16 * MB : 256 * MB;
  for (size_t i = 0; corpus[i]; i++) {
    for (size_t size = 4; size <= largest; size *= size < MB ? 2 : 4)
      measureSize(corpus[i], size);
    for (size_t k = 0; between[k]; k++) measureSize(corpus[i], between[k]);
  }
}

/* Values of random size, each processed once per pass, in text larger than any cache: neither
** their bytes nor the branches that they take can be predicted. */
static void measureRandomSizes(const char *corpus, size_t min, size_t max) {
  Candidates c = candidatesFor(BENCH_VALID, 1);
  size_t size = bench_quick() ? 8 * MB : 64 * MB;
  uint8_t *text = bench_corpus(corpus, size);
  BenchInput input = bench_split(text, size, min, max);
  char label[32];
  requireAgreement(&c, text, input.size);
  add(&c, "empty call", emptyCall, NULL);
  bench_compare(c.candidate, c.count, input);
  snprintf(label, sizeof label, "random %zu-%zu", min, max);
  bench_print_times(label, corpus, input.size / input.count, c.candidate, c.count,
                    input.count);
  free((void *)(uintptr_t)input.offsets);
  free(text);
}

/* Shows that the time per byte stays the same for text far larger than the caches. */
static void measureGrowth(void) {
  size_t largest = bench_quick() ? 64 * MB : 1024 * MB;
  uint8_t *text = bench_corpus("chinese", largest);
  for (size_t size = KB; size <= largest; size *= 4) {
    BenchCandidate e[] = {{"utf8ext", coreValid, NULL, 0},
                          {"read", readAll(), NULL, 0}};
    size_t whole = utf8core_boundary(text, largest, size, UTF8_STRICT);
    bench_compare(e, 2, bench_whole(text, whole));
    bench_print_rates("growth", "chinese", e, 2, whole);
  }
  free(text);
}

static void measureRandom(void) {
  static const char *const corpus[] = {"ascii", "mix", "all", NULL};
  for (size_t i = 0; corpus[i]; i++) {
    measureRandomSizes(corpus[i], 1, 64);
    measureRandomSizes(corpus[i], 65, 256);
  }
}

/* ---- main -------------------------------------------------------------------------- */

static const struct Section {
  const char *name;
  void (*measure)(void);
} sections[] = {{"scripts", measureScripts},
                {"repair", measureRepair},
                {"random", measureRandom},
                {"sizes", measureSizes},
                {"growth", measureGrowth}};

/* Does the command line name this section, or none? */
static int isWanted(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], name)) return 1;
  return argc < 2;
}

/* Returns a buffer at another page offset than the texts. With equal offsets a copy is several
** times slower on some processors (glibc bug 30994). */
static uint8_t *newOutput(size_t size) {
  uint8_t *out = aligned_alloc(4096, (size + 2048 + 4095) / 4096 * 4096);
  if (!out) bench_fail("no memory");
  memset(out, 1, size + 2048);
  return out + 2048;
}

int main(int argc, char **argv) {
  bench_start();
  bench_out_size = 256 * MB + 64;
  bench_out = newOutput(bench_out_size);
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (isWanted(sections[i].name, argc, argv)) sections[i].measure();
  return 0;
}
