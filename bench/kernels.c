/* kernels.c: measures the core and its kernels, and with -DWITH_PEERS other libraries in
** the same races. Prints a line for each figure, as bench_print() says.
**
**     make bench          build/bench/kernels.tsv
**     make bench-peers    build/bench/peers.tsv
**     build/bench/kernels scripts repair random sizes growth    only some of it
**
** Works: valid, at, count and repair on each script and each kind of damage; valid by
** size, from 4 bytes to 1 GB; valid on short values, hot and cold.
**
** Who: "utf8ext" is the core as the SQL functions call it; "utf8ext avx2" and so on one
** kernel alone; "read" a loop that only reads, "memcpy" the copy: no code can be faster.
*/
#include "bench.h"
#include "peers/peers.h"
#include "../utf8core.h"
#include "../simd/kernel.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)

uint8_t *bench_room;
size_t bench_room_size;

/* ---- utf8ext ---------------------------------------------------------------------- */

/* As validFunc() does in utf8func.c: the kernel first, and the core where that rests. */
static uint64_t coreValid(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return utf8kernel()->valid(text, size) == size ||
         !utf8core_find_error(text, size, 0, size, UTF8_STRICT).error;
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

/* Repairs text[at..size) to what lies behind bench_room + written; returns the end. */
static uint64_t repairFrom(const uint8_t *text, size_t size, size_t at,
                           size_t written) {
  Utf8Repair how = {UTF8_POLICY_SUBPART, UTF8_STRICT, NULL, 0};
  while (at < size)
    written += utf8core_repair(&how, text, size, &at, bench_room + written,
                               bench_room_size - written);
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
  at = ((const Utf8Kernel *)arg)->repair(text, size, bench_room, &written);
  return repairFrom(text, size, at, written); /* a kernel may leave the end */
}

/* ---- limits ----------------------------------------------------------------------- */

/* Reads of 8 and of n bytes, wherever they lie. */
typedef uint64_t __attribute__((aligned(1), may_alias)) Word;
#define BLOCK(n) uint64_t __attribute__((vector_size(n), aligned(1), may_alias))

#define READ_ALL(name, isa, n)                                                         \
  isa static uint64_t name(const void *arg, const uint8_t *text, size_t size) {        \
    typedef BLOCK(n) Block;                                                            \
    Block a = {0}, b = {0}, c = {0}, d = {0};                                          \
    uint64_t rest = 0;                                                                 \
    (void)arg;                                                                         \
    for (; size >= 4 * n; size -= 4 * n, text += 4 * n) {                              \
      a |= *(const Block *)text;                                                       \
      b |= *(const Block *)(text + n);                                                 \
      c |= *(const Block *)(text + 2 * n);                                             \
      d |= *(const Block *)(text + 3 * n);                                             \
    }                                                                                  \
    for (; size >= 8; size -= 8, text += 8) rest |= *(const Word *)text;               \
    for (; size; size--) rest |= *text++;                                              \
    a |= b | c | d;                                                                    \
    for (size_t i = 0; i < n / 8; i++) rest |= a[i];                                   \
    return rest;                                                                       \
  }

/* Four sums, so that nothing but the loads takes time. */
#ifdef __x86_64__
READ_ALL(readAvx512, __attribute__((target("avx512f"))), 64)
READ_ALL(readAvx2, __attribute__((target("avx2"))), 32)
#endif
READ_ALL(readPlain, , 16)

/* The widest loop that this processor runs. */
static BenchRun readAll(void) {
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f")) return readAvx512;
  if (__builtin_cpu_supports("avx2")) return readAvx2;
#endif
  return readPlain;
}

static uint64_t copyAll(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  memcpy(bench_room, text, size);
  return bench_room[size / 2];
}

static uint64_t emptyCall(const void *arg, const uint8_t *text, size_t size) {
  (void)arg;
  return (uint64_t)(uintptr_t)text + size;
}

/* ---- who runs --------------------------------------------------------------------- */

enum { ENTRANTS = 48 };

/* The entrants of a race: first those that do the work, then the limits. */
typedef struct Field {
  BenchEntrant entrant[ENTRANTS];
  size_t count, workers;
} Field;

static void add(Field *f, const char *name, BenchRun run, const void *arg) {
  if (f->count == ENTRANTS) bench_fail("too many entrants");
  f->entrant[f->count++] = (BenchEntrant){name, run, arg, 0};
}

static const char *kernelName(const Utf8Kernel *kernel) {
  static char name[16][32];
  static size_t used;
  char *p = name[used++ % 16];
  snprintf(p, sizeof name[0], "utf8ext %s", kernel->name);
  return p;
}

static void addOurs(Field *f, BenchWork work) {
  static const BenchRun core[] = {coreValid, coreAt, coreCount, coreRepair};
  static const BenchRun kernel[] = {kernelValid, NULL, kernelCount, kernelRepair};
  add(f, "utf8ext", core[work], NULL);
  for (const Utf8Kernel *const *k = utf8kernel_all(); kernel[work] && *k; k++)
    add(f, kernelName(*k), kernel[work], *k);
}

static void addPeers(Field *f, BenchWork work, int everywhere) {
#ifdef WITH_PEERS
  static const Peer *peers;
  static size_t count;
  if (!peers) count = peers_open(&peers);
  for (size_t i = 0; i < count; i++)
    if (peers[i].work == work && peers[i].everywhere >= everywhere)
      add(f, peers[i].entrant.name, peers[i].entrant.run, peers[i].entrant.arg);
#else
  (void)f, (void)work, (void)everywhere;
#endif
}

static Field fieldFor(BenchWork work, int everywhere) {
  Field f = {.count = 0};
  addOurs(&f, work);
  addPeers(&f, work, everywhere);
  f.workers = f.count;
  if (work != BENCH_REPAIR) add(&f, "read", readAll(), NULL);
  add(&f, "memcpy", copyAll, NULL);
  return f;
}

/* A figure of code that gives a wrong answer is worth nothing. */
static void checkAgreement(const Field *f, const uint8_t *text, size_t size) {
  uint64_t right = f->entrant[0].run(f->entrant[0].arg, text, size);
  for (size_t i = 1; i < f->workers; i++) {
    const BenchEntrant *e = &f->entrant[i];
    uint64_t answer = e->run(e->arg, text, size);
    if (answer == right) continue;
    fprintf(stderr, "bench: %s says %llu, %s %llu\n", f->entrant[0].name,
            (unsigned long long)right, e->name, (unsigned long long)answer);
    exit(1);
  }
}

/* ---- by script -------------------------------------------------------------------- */

static void measureText(const char *label, BenchWork work, const char *corpus,
                        size_t size) {
  Field f = fieldFor(work, 0);
  uint8_t *text = bench_corpus(corpus, size);
  checkAgreement(&f, text, size);
  bench_race(f.entrant, f.count, bench_whole(text, size));
  bench_print_rates(label, corpus, f.entrant, f.count, size);
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

/* Values below 1 KB come as many in 8 KB, which stay in the first cache. */
static BenchInput hotInput(uint8_t *text, size_t size) {
  return size < KB ? bench_pieces(text, 8 * KB, size, size) : bench_whole(text, size);
}

static void measureSize(const char *corpus, size_t size) {
  Field f = fieldFor(BENCH_VALID, 1);
  uint8_t *text = bench_corpus(corpus, size < KB ? 8 * KB : size);
  BenchInput input = hotInput(text, size);
  add(&f, "empty call", emptyCall, NULL);
  bench_race(f.entrant, f.count, input);
  for (size_t i = 0; i + 1 < f.count; i++)
    bench_print("size", corpus, size, f.entrant[i].name,
                (double)input.size / f.entrant[i].ns, "GB/s");
  for (size_t i = 0; size < KB && i < f.count; i++)
    bench_print("short", corpus, size, f.entrant[i].name,
                f.entrant[i].ns / (double)input.count, "ns");
  free((void *)(uintptr_t)input.at);
  free(text);
}

static void measureSizes(void) {
  static const char *const corpus[] = {"ascii", "latin", "chinese", "mix", NULL};
  static const size_t odd[] = {48, 100, 200, 0};
  size_t largest = bench_quick() ? 16 * MB : 256 * MB;
  for (size_t i = 0; corpus[i]; i++) {
    for (size_t size = 4; size <= largest; size *= size < MB ? 2 : 4)
      measureSize(corpus[i], size);
    for (size_t k = 0; odd[k]; k++) measureSize(corpus[i], odd[k]);
  }
}

/* Values of random length, each met once a pass, in text that no cache holds: neither
** their bytes nor the branches that they take can be known beforehand. */
static void measureCold(const char *corpus, size_t shortest, size_t longest) {
  Field f = fieldFor(BENCH_VALID, 1);
  size_t size = bench_quick() ? 8 * MB : 64 * MB;
  uint8_t *text = bench_corpus(corpus, size);
  BenchInput input = bench_pieces(text, size, shortest, longest);
  char label[32];
  add(&f, "empty call", emptyCall, NULL);
  bench_race(f.entrant, f.count, input);
  snprintf(label, sizeof label, "random %zu-%zu", shortest, longest);
  for (size_t i = 0; i < f.count; i++)
    bench_print(label, corpus, input.size / input.count, f.entrant[i].name,
                f.entrant[i].ns / (double)input.count, "ns");
  free((void *)(uintptr_t)input.at);
  free(text);
}

/* Time per byte far beyond all caches: utf8ext alone, beside the loop that only reads. */
static void measureGrowth(void) {
  size_t largest = bench_quick() ? 64 * MB : 1024 * MB;
  uint8_t *text = bench_corpus("chinese", largest);
  for (size_t size = KB; size <= largest; size *= 4) {
    BenchEntrant e[] = {{"utf8ext", coreValid, NULL, 0}, {"read", readAll(), NULL, 0}};
    size_t whole = utf8core_boundary(text, largest, size, UTF8_STRICT);
    bench_race(e, 2, bench_whole(text, whole));
    bench_print_rates("growth", "chinese", e, 2, whole);
  }
  free(text);
}

static void measureColds(void) {
  static const char *const corpus[] = {"ascii", "mix", "all", NULL};
  for (size_t i = 0; corpus[i]; i++) {
    measureCold(corpus[i], 1, 64);
    measureCold(corpus[i], 65, 256);
  }
}

/* ---- main -------------------------------------------------------------------------- */

static const struct Section {
  const char *name;
  void (*measure)(void);
} sections[] = {{"scripts", measureScripts},
                {"repair", measureRepair},
                {"random", measureColds},
                {"sizes", measureSizes},
                {"growth", measureGrowth}};

/* Is it named on the command line, or nothing is? */
static int isWanted(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (!strcmp(argv[i], name)) return 1;
  return argc < 2;
}

/* Not at the same offset in its page as the texts: copies of that kind are several times
** slower on some processors (glibc bug 30994), and that is not what is measured. */
static uint8_t *newRoom(size_t size) {
  uint8_t *room = aligned_alloc(4096, (size + 2048 + 4095) / 4096 * 4096);
  if (!room) bench_fail("no memory");
  memset(room, 1, size + 2048);
  return room + 2048;
}

int main(int argc, char **argv) {
  bench_start();
  bench_room_size = 256 * MB + 64;
  bench_room = newRoom(bench_room_size);
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++)
    if (isWanted(sections[i].name, argc, argv)) sections[i].measure();
  return 0;
}
