/* peers.h: other libraries that do what utf8ext's core does, for kernels.c to measure. */
#ifndef PEERS_H
#define PEERS_H

#include "../bench.h"

/* The works that are measured, and what a BenchRun of each returns. */
typedef enum BenchWork {
  BENCH_VALID, /* is it well-formed? 1 or 0 */
  BENCH_AT,    /* the offset of the first error, or the size */
  BENCH_COUNT, /* the number of code points of text that is well-formed, and is checked */
  BENCH_REPAIR /* the bytes of the text with U+FFFD for each maximal subpart that is wrong */
} BenchWork;

typedef struct Peer {
  BenchWork work;
  BenchEntrant entrant;
  int everywhere; /* fast enough to run at all sizes, not only at 64 KB */
} Peer;

/* Sets up the libraries and returns their number; *peers becomes the list. */
size_t peers_open(const Peer **peers);

/* Where a BENCH_REPAIR may write: 3 times the text and 64 bytes. */
extern uint8_t *bench_room;
extern size_t bench_room_size;

#endif
