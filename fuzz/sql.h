/* sql.h: shared by fuzz_each.c, fuzz_audit.c and fuzz_functions.c: the comparison of a query in two forms, and
** the loop over the cases.
**
** text.h     random numbers, growing text, random TEXT
** replay.h   the statements of a case; failures
** rows.h     the rows of a query and their comparison
** fault.h    queries under failing allocations, interrupts and limits
**
** The seed alone determines a case. A failure prints the seed, every statement that the case
** ran, and the rows that differ, and exits with status 1. To run the case again:
**
**     build/fuzz/3.31.1/each --seed 17 --cases 1
**
** A program defines run_case() and calls fuzz_main().
*/
#ifndef UTF8_FUZZ_SQL_H
#define UTF8_FUZZ_SQL_H

#include <time.h>
#include "fuzz/fault.h"

static void run_case(void);

/* ---- a query in two forms: on the virtual table under test, and on an ordinary table -- */

typedef struct Pair {
  Text subject, reference;
} Pair;

FORMAT(2) static inline void subject(Pair *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&p->subject, format, arguments);
  va_end(arguments);
}

FORMAT(2) static inline void reference(Pair *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&p->reference, format, arguments);
  va_end(arguments);
}

FORMAT(2) static inline void both(Pair *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&p->subject, format, arguments);
  va_end(arguments);
  va_start(arguments, format);
  text_vformat(&p->reference, format, arguments);
  va_end(arguments);
}

static inline void pair_append(Pair *p, const Pair *more) {
  text_string(&p->subject, text_of(&more->subject));
  text_string(&p->reference, text_of(&more->reference));
}

static inline void pair_clear(Pair *p) {
  text_clear(&p->subject);
  text_clear(&p->reference);
}

/* Runs the reference query without the optimizations that move or drop terms of WHERE. */
static inline Rows reference_rows(sqlite3 *db, const char *sql, int sorted) {
  enum {
    FLATTENER = 0x1,
    FACTOR_OUT_CONSTANTS = 0x8,
    TRANSITIVE = 0x80,
    OMIT_NOOP_JOIN = 0x100,
    PUSH_DOWN = 0x1000,
    SIMPLIFY_JOIN = 0x2000,
    PROPAGATE_CONSTANTS = 0x8000
  };
  const int off = FLATTENER | FACTOR_OUT_CONSTANTS | TRANSITIVE | OMIT_NOOP_JOIN |
                  PUSH_DOWN | SIMPLIFY_JOIN | PROPAGATE_CONSTANTS;
  watch(db);
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, off);
  Rows expected = rows_of(db, sql, sorted);
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, 0);
  return expected;
}

/* Do the two have the same rows, in any order? Under LIMIT, as many rows? */
static inline int rows_agree(const Rows *a, const Rows *b, Order order) {
  if (a->rc != b->rc || a->count != b->count) return 0;
  if (order.limit) return 1;
  Rows x = rows_sorted(a), y = rows_sorted(b);
  size_t different = rows_missing_from(&x, &y, NULL);
  free(x.row);
  free(y.row);
  return different == 0;
}

/* Does SQLite's optimizer give the reference other rows? Then the query shows a defect of
** SQLite: 3.31.1 finds rows too many for some `k1.n = (SELECT ...)` in a LEFT JOIN. */
static inline int is_wrong_in_sqlite(sqlite3 *db, const char *sql, const Rows *expected,
                                     Order order) {
  watch(db);
  Rows optimized = rows_of(db, sql, order.sorted);
  int wrong = !rows_agree(&optimized, expected, order);
  rows_clear(&optimized);
  return wrong;
}

/* Runs both forms of the query and compares their rows. may_refuse, unless NULL, returns 1 for
** an error of the subject that is allowed. */
static inline void compare(sqlite3 *db, const Pair *sql, Order order,
                           int (*may_refuse)(const Rows *)) {
  size_t before = replay.size;
  replay_statement(text_of(&sql->reference));
  replay_statement(text_of(&sql->subject));
  Rows expected = reference_rows(db, text_of(&sql->reference), order.sorted);
  watch(db);
  Rows got = rows_of(db, text_of(&sql->subject), order.sorted);
  if (expected.rc == SQLITE_INTERRUPT || got.rc == SQLITE_INTERRUPT) {
    slow++;
  } else if (may_refuse && may_refuse(&got)) {
    refused++;
  } else if (!rows_agree(&got, &expected, order) &&
             is_wrong_in_sqlite(db, text_of(&sql->reference), &expected, order)) {
    wrong_in_sqlite++;
  } else {
    rows_same(&got, &expected, order);
    if (chance(20)) rows_under_fault(db, text_of(&sql->subject), &expected, order);
  }
  rows_clear(&got);
  rows_clear(&expected);
  replay.size = before; /* a later failure does not show this query */
}

/* ---- the loop -------------------------------------------------------------------- */

/* Opens a connection with utf8ext, without lookaside memory, so that ASan sees each allocation. */
static inline sqlite3 *open_fuzzed(const char *name) {
  sqlite3 *db = NULL;
  if (sqlite3_open(name, &db) != SQLITE_OK) fail("open: %s", sqlite3_errmsg(db));
  sqlite3_db_config(db, SQLITE_DBCONFIG_LOOKASIDE, NULL, 0, 0);
  if (sqlite3_utf8ext_init(db, NULL, NULL) != SQLITE_OK) fail("utf8ext does not load");
  watch(db);
  return db;
}

static inline void close_database(sqlite3 *db) {
  if (sqlite3_close(db) != SQLITE_OK) fail("close: %s", sqlite3_errmsg(db));
}

static inline void run_seed(void) {
  random_state = seed;
  text_clear(&replay);
  run_case();
  text_clear(&replay);
  sqlite3_int64 used = sqlite3_memory_used();
  if (used) fail("%lld bytes of memory are not freed", (long long)used);
}

/* Returns the number after the option `name`, or `otherwise`. */
static inline uint64_t option(int argc, char **argv, const char *name,
                              uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], name) == 0) return strtoull(argv[i + 1], NULL, 10);
  }
  return otherwise;
}

#ifdef __GNUC__
extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
#else
static void (*const __sanitizer_set_death_callback)(void (*)(void));
#endif

static inline int fuzz_main(int argc, char **argv) {
  program = argv[0];
  seed = option(argc, argv, "--seed", (uint64_t)time(NULL) * 1000000);
  uint64_t cases = option(argc, argv, "--cases", UINT64_MAX), done = 0;
  time_t end = time(NULL) + (time_t)option(argc, argv, "--seconds", 3600 * 24);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(print_replay);
  faults_install();
  printf("%s: SQLite %s, seed %llu\n", program, sqlite3_libversion(),
         (unsigned long long)seed);
  fflush(stdout);
  for (; done < cases && time(NULL) < end; done++, seed++) run_seed();
  printf("%llu cases, %llu queries (%llu refused, %llu slow, %llu wrong in SQLite "
         "itself), "
         "%llu faults (%llu errors)\n",
         (unsigned long long)done, queries, refused, slow, wrong_in_sqlite, faults,
         fault_errors);
  return 0;
}

#endif
