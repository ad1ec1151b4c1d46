/* bench.h: what the measuring programs share: texts, a clock, and a fair race.
**
**     uint8_t *text = bench_corpus("arabic", 65536);
**     BenchEntrant entrant[] = {{"ours", runOurs, NULL, 0}, {"theirs", runTheirs, NULL, 0}};
**     bench_start();
**     bench_race(entrant, 2, bench_whole(text, 65536));
**     printf("%.2f times as fast\n", entrant[1].ns / entrant[0].ns);
**
** How it works: the entrants of a race take turns, a short sample each, round after
** round, so that a machine that slows down slows all of them; the median over the rounds
** is an entrant's figure. Believe the ratios within a race, not times across races.
**
** Limits: Linux, one thread. Whatever fails (memory, clock) ends the program.
*/
#ifndef BENCH_H
#define BENCH_H

#include <stddef.h>
#include <stdint.h>

/* ---- texts: corpus.c -------------------------------------------------------------- */

/* The names that bench_corpus() knows, up to a NULL: bench_scripts are well-formed
** ("mix": all lengths at random; "all": a sentence of each script in turn), bench_damaged
** are not; bench_westerns are well-formed and of characters that Windows-1252 has, those
** of "western" in ISO-8859-1 too. */
extern const char *const bench_scripts[];
extern const char *const bench_westerns[];
extern const char *const bench_damaged[];

/* Writes size bytes of the corpus to out: the same ones for every call and machine, and
** the first of a longer text. The well-formed ones end on a boundary (the last few bytes
** are spaces where no character fits). */
void bench_corpus_write(const char *name, uint8_t *out, size_t size);

/* The same in memory of its own, aligned to a page; free() it. */
uint8_t *bench_corpus(const char *name, size_t size);

/* A generator of the same numbers everywhere (splitmix64): a number below limit. */
uint64_t bench_random(uint64_t *state, uint64_t limit);

/* ---- time: bench.c ---------------------------------------------------------------- */

/* Pins the program to the last processor it may use. Call it once, first. */
void bench_start(void);

/* Non-zero if BENCH_QUICK is set in the environment: fewer rounds, rougher figures. */
int bench_quick(void);

/* Nanoseconds of the monotonic clock; with BENCH_BUSY in the environment, of the time that
** this thread had a processor: for a first look while the machine does other work. */
uint64_t bench_now(void);

/* The median; sorts the values. */
double bench_median(double *value, size_t count);

/* What a sample works on: text cut into count pieces, piece i being at[i]..at[i+1]. */
typedef struct BenchInput {
  const uint8_t *text;
  const uint32_t *at; /* count + 1 offsets, or NULL for one piece of size bytes */
  size_t count;
  size_t size; /* of all pieces */
} BenchInput;

BenchInput bench_whole(const uint8_t *text, size_t size);

/* Cuts text into pieces of shortest..longest bytes, at random where these differ. A
** character that a cut would split is overwritten with spaces. input.at is to be freed. */
BenchInput bench_pieces(uint8_t *text, size_t size, size_t shortest, size_t longest);

/* One call of what is measured. What it returns is kept alive. */
typedef uint64_t (*BenchRun)(const void *arg, const uint8_t *text, size_t size);

typedef struct BenchEntrant {
  const char *name;
  BenchRun run;
  const void *arg;
  double ns; /* out: median time of one pass over the input */
} BenchEntrant;

/* Measures all entrants on the input, interleaved. */
void bench_race(BenchEntrant *entrant, size_t count, BenchInput input);

/* The same for work that has no text: run is called with (arg, NULL, 0). */
void bench_race_calls(BenchEntrant *entrant, size_t count);

/* ---- results ---------------------------------------------------------------------- */

/* Prints a line of build/bench/NAME.tsv: work, corpus, size in bytes, who, value, unit
** ("GB/s", "ns"; 10^9 bytes). */
void bench_print(const char *work, const char *corpus, size_t size, const char *who,
                 double value, const char *unit);

/* The same as GB/s for each entrant of a race. */
void bench_print_rates(const char *work, const char *corpus,
                       const BenchEntrant *entrant, size_t count, size_t size);

/* Prints "bench: WHAT" and ends the program. */
_Noreturn void bench_fail(const char *what);

#endif
