/* fault.h: runs a query under failing allocations, a heap limit, an interrupt or low limits.
**
** watch() stops queries that take too long.
*/
#ifndef UTF8_FUZZ_FAULT_H
#define UTF8_FUZZ_FAULT_H

#include "fuzz/rows.h"

static long allocations_left = -1; /* until one fails; -1: none fails */
static int allocations_fail;       /* number of failures in a row */
static sqlite3_mem_methods memory;

static inline int allocation_fails(void) {
  if (allocations_left < 0) return 0;
  if (allocations_left > 0) {
    allocations_left--;
    return 0;
  }
  if (--allocations_fail <= 0) allocations_left = -1;
  return 1;
}

static void *memory_malloc(int size) {
  return allocation_fails() ? NULL : memory.xMalloc(size);
}

static void *memory_realloc(void *old, int size) {
  return allocation_fails() ? NULL : memory.xRealloc(old, size);
}

static inline void faults_install(void) {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory);
  sqlite3_mem_methods methods = memory;
  methods.xMalloc = memory_malloc;
  methods.xRealloc = memory_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

typedef enum Fault {
  FAULT_MEMORY,
  FAULT_HEAP,
  FAULT_INTERRUPT,
  FAULT_LIMIT,
  FAULTS
} Fault;

static int ticks_left; /* calls of the progress handler until it interrupts */

static int progress_tick(void *unused) {
  (void)unused;
  return --ticks_left < 0;
}

#define TICK       100   /* instructions of SQLite's virtual machine */
#define TICKS_SLOW 20000 /* a query that takes more is interrupted and not compared */

/* Interrupts a query that takes too long. */
static inline void watch(sqlite3 *db) {
  ticks_left = TICKS_SLOW;
  sqlite3_progress_handler(db, TICK, progress_tick, NULL);
}

/* SQLITE_LIMIT_ATTACHED and the like have no effect on a query. */
static const int limits[] = {
    SQLITE_LIMIT_LENGTH,       SQLITE_LIMIT_SQL_LENGTH,      SQLITE_LIMIT_COLUMN,
    SQLITE_LIMIT_EXPR_DEPTH,   SQLITE_LIMIT_COMPOUND_SELECT, SQLITE_LIMIT_VDBE_OP,
    SQLITE_LIMIT_FUNCTION_ARG, SQLITE_LIMIT_VARIABLE_NUMBER};
static int limits_before[COUNT(limits)];

static inline void limits_start(sqlite3 *db) {
  for (int i = 0; i < COUNT(limits); i++) {
    limits_before[i] = sqlite3_limit(db, limits[i], -1);
    if (!chance(30)) continue;
    int limit = 1 + below(1 << below(12));
    sqlite3_limit(db, limits[i], limit);
    replay_comment("limit %d: %d", limits[i], limit);
  }
}

static inline void limits_stop(sqlite3 *db) {
  for (int i = 0; i < COUNT(limits); i++)
    sqlite3_limit(db, limits[i], limits_before[i]);
}

/* Starts a random fault: until fault_stop() statements may fail. */
static inline Fault fault_start(sqlite3 *db) {
  Fault fault = (Fault)below(FAULTS);
  faults++;
  switch (fault) {
  case FAULT_MEMORY:
    allocations_left = below(1 << below(11));
    allocations_fail = chance(50) ? 1 : 1000000;
    break;
  case FAULT_HEAP:
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + below(1 << below(17)) + 1);
    break;
  case FAULT_INTERRUPT:
    ticks_left = below(1 << below(9));
    sqlite3_progress_handler(db, 1 + below(3), progress_tick, NULL);
    break;
  default:
    limits_start(db);
    break;
  }
  return fault;
}

static inline void fault_stop(sqlite3 *db, Fault fault) {
  allocations_left = -1;
  sqlite3_hard_heap_limit64(0);
  watch(db);
  if (fault == FAULT_LIMIT) limits_stop(db);
}

/* Checks that the rows before an error are among those expected. */
static inline void rows_are_among(const Rows *got, const Rows *expected) {
  Rows g = rows_sorted(got), d = rows_sorted(expected);
  if (rows_missing_from(&d, &g, "unexpected")) {
    fail("rows before the error %d, %s", got->rc, got->message);
  }
  free(g.row);
  free(d.row);
}

/* Runs the query under a fault: it returns all its rows, or some of them and an error. Under
** lower limits the rows are not compared, since limits change them: SQLite reads a literal
** above SQLITE_LIMIT_LENGTH as NULL, and utf8_audit returns a row for a value above a limit. */
static inline void rows_under_fault(sqlite3 *db, const char *sql, const Rows *expected,
                                    Order order) {
  static const char *const names[] = {"failing allocations", "a heap limit",
                                      "an interrupt", "limits"};
  Fault fault = fault_start(db);
  replay_comment("the same under %s", names[fault]);
  Rows got = rows_of(db, sql, order.sorted);
  fault_stop(db, fault);
  if (fault == FAULT_LIMIT) {
    fault_errors++;
  } else if (got.rc == SQLITE_DONE) {
    rows_same(&got, expected, order);
  } else if (!order.limit) {
    fault_errors++;
    rows_are_among(&got, expected);
  }
  rows_clear(&got);
}

#endif
