/* bench.h: what the benchmarks share: texts, a clock, and a fair comparison.
**
**     uint8_t *text = bench_corpus("arabic", 65536);
**     BenchCandidate candidate[] = {{"ours", runOurs, NULL, 0}, {"theirs", runTheirs, NULL, 0}};
**     bench_start();
**     bench_compare(candidate, 2, bench_whole(text, 65536));
**     printf("%.2f times as fast\n", candidate[1].ns / candidate[0].ns);
**
** How it works: The candidates take turns, one short sample each, for many rounds, so that a
** machine that slows down slows all of them. A candidate's figure is the median over the
** rounds. Trust the ratios within one comparison, not times of different comparisons.
**
** Limits: Linux, one thread. Any failure (memory, clock) ends the program.
*/
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

/* ---- texts: corpus.c -------------------------------------------------------------- */

/* The names that bench_corpus() accepts; each list ends with NULL. */

/* Well-formed. "mix" has code points of 1 to 4 bytes at random, "all" a sentence of each
** script in turn. */
extern const char *const bench_scripts[];

/* Well-formed, and every code point is in Windows-1252; those of "western" are in ISO-8859-1
** too. */
extern const char *const bench_westerns[];

/* Ill-formed. */
extern const char *const bench_damaged[];

/* Writes size bytes of the corpus to out. They are the same for every call and machine, and
** a shorter text is the start of a longer one. Well-formed text ends on a boundary: the last
** few bytes are spaces if no code point fits. */
void bench_corpus_write(const char *name, uint8_t *out, size_t size);

/* Like bench_corpus_write(), into a new page-aligned buffer, which the caller frees. */
uint8_t *bench_corpus(const char *name, size_t size);

/* Reads the first `size` bytes of a file into a new buffer, which the caller frees, and stores how many there are. */
uint8_t *bench_read(const char *path, size_t *size);

/* Stores the name of a file without its folder and what follows the first dot. */
void bench_name(const char *path, char name[64]);

/* ---- time: bench.c ---------------------------------------------------------------- */

/* Pins the program to the last processor it may use. Call it once, first. */
void bench_start(void);

/* Returns non-zero if BENCH_QUICK is set in the environment: fewer rounds, rougher figures. */
int bench_quick(void);

/* Returns nanoseconds of the monotonic clock. If BENCH_BUSY is set in the environment, returns
** this thread's processor time instead: for a first look while the machine does other work. */
uint64_t bench_now(void);

/* Returns the median; sorts the values. */
double bench_median(double *value, size_t count);

/* The input of a sample: `count` values, of which value i is text[offsets[i]..offsets[i+1]). */
typedef struct BenchInput {
  const uint8_t *text;
  const uint32_t *offsets; /* count + 1 of them, or NULL for one value of size bytes */
  size_t count;
  size_t size; /* of all values */
} BenchInput;

/* The text as one value. */
BenchInput bench_whole(const uint8_t *text, size_t size);

/* Splits text into values of min..max bytes, of random size if these differ. Overwrites a
** code point that a split would cut with spaces. The caller frees input.offsets. */
BenchInput bench_split(uint8_t *text, size_t size, size_t min, size_t max);

/* Processes one value. The result only keeps the compiler from removing the work. */
typedef uint64_t (*BenchRun)(const void *arg, const uint8_t *text, size_t size);

typedef struct BenchCandidate {
  const char *name;
  BenchRun run;
  const void *arg;
  double ns; /* out: median time of one pass over the input */
} BenchCandidate;

/* Measures all candidates on the input, interleaved. */
void bench_compare(BenchCandidate *candidate, size_t count, BenchInput input);

/* Like bench_compare(), for work that has no text: calls run(arg, NULL, 0). */
void bench_compare_calls(BenchCandidate *candidate, size_t count);

/* ---- random numbers --------------------------------------------------------------- */

/* Returns a pseudo-random number below limit (splitmix64): the same sequence for the same
** initial *state on every machine. */
uint64_t bench_random(uint64_t *state, uint64_t limit);

/* ---- results ---------------------------------------------------------------------- */

/* Prints a line of build/bench/NAME.tsv: task, corpus, size in bytes, candidate, value, unit
** ("GB/s" with 10^9 bytes, "ns", ...). */
void bench_print(const char *task, const char *corpus, size_t size,
                 const char *candidate, double value, const char *unit);

/* Prints the nanoseconds that each candidate takes for one of `units`, such as values. */
void bench_print_times(const char *task, const char *corpus, size_t size,
                       const BenchCandidate *candidate, size_t count, size_t units);

/* Prints the rate of each candidate in GB/s. */
void bench_print_rates(const char *task, const char *corpus,
                       const BenchCandidate *candidate, size_t count, size_t size);

/* Prints "bench: MESSAGE" and ends the program. */
_Noreturn void bench_fail(const char *message);

#endif
