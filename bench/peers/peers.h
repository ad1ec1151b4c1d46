/* peers.h: other libraries with the functions of utf8ext's core, for kernels.c to measure. */
#ifndef PEERS_H
#define PEERS_H

#include "bench/bench.h"

/* What is measured, and what a BenchRun of each returns. */
typedef enum BenchTask {
  BENCH_VALID, /* 1 if the text is well-formed, else 0 */
  BENCH_AT,    /* the offset of the first error, or size */
  BENCH_COUNT, /* the number of code points; also checks that the text is well-formed */
  BENCH_REPAIR /* the size of the text with U+FFFD for each ill-formed maximal subpart */
} BenchTask;

typedef struct Peer {
  BenchTask task;
  BenchCandidate candidate;
  int all_sizes; /* fast enough for all sizes, not only for 64 KB */
} Peer;

/* Sets up the libraries, stores the list in *peers, and returns its length. */
size_t peers_open(const Peer **peers);

/* Where BENCH_REPAIR writes: at least 3 times the size of the text, and 64 bytes. */
extern uint8_t *bench_out;
extern size_t bench_out_size;

#endif
