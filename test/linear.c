/* linear.c: checks that the work for a value with many errors is proportional to its length.
**
**     make check-linear
**
** Counts steps instead of seconds, so the result is the same on every machine and in every
** run. A step is a basic block of utf8ext that is executed, or a byte that is allocated: the
** sources are compiled with -fsanitize-coverage=trace-pc, and SQLite's allocator is wrapped.
** A statement on eight times as many errors may take at most nine times as many steps; if
** the work were quadratic, it would take 64 times as many. The longer value is 12 MB, three
** times UTF8_CHUNK.
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8ext.h"

enum { ERRORS = 500000, TIMES_ERRORS = 8, TIMES_STEPS = 9, STEPS_PER_ERROR = 5000 };

static int passed, failed;

/* ---- steps --------------------------------------------------------------------------- */

static uint64_t steps, steps_max;
static const char *statement; /* that is running */

static int finish(void) {
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}

/* Ends the program if the statement takes too many steps: quadratic work takes hours. */
static void countSteps(uint64_t more) {
  steps += more;
  if (steps <= steps_max) return;
  failed++;
  printf("FAILED: %s: more than %llu steps\n", statement,
         (unsigned long long)steps_max);
  exit(finish());
}

/* The compiler calls this in each basic block of utf8ext. */
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) {
  countSteps(1);
}

static sqlite3_mem_methods allocator; /* SQLite's own */

static void *countedMalloc(int size) {
  countSteps((uint64_t)size);
  return allocator.xMalloc(size);
}

static void *countedRealloc(void *memory, int size) {
  countSteps((uint64_t)size);
  return allocator.xRealloc(memory, size);
}

static void countAllocations(void) {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &allocator);
  sqlite3_mem_methods counted = allocator;
  counted.xMalloc = countedMalloc;
  counted.xRealloc = countedRealloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &counted);
}

/* ---- statements ------------------------------------------------------------------------ */

static sqlite3 *db;

static void check(int ok, const char *what) {
  if (ok) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s: %s\n", what, sqlite3_errmsg(db));
  }
}

/* Runs the statement on ?1, a BLOB of the given number of errors, each after an 'a'. Returns
** the number of steps, or 0 if the statement fails. */
static uint64_t stepsFor(const char *sql, size_t errors, uint64_t max) {
  sqlite3_stmt *stmt = NULL;
  char *bytes = malloc(3 * errors);
  if (!bytes) return 0;
  for (size_t i = 0; i < errors; i++) memcpy(bytes + 3 * i, "a\xE2\x82", 3);
  steps_max = UINT64_MAX;
  sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  sqlite3_bind_blob64(stmt, 1, bytes, 3 * errors, free);
  statement = sql, steps = 0, steps_max = max;
  int rc = sqlite3_step(stmt);
  uint64_t taken = steps;
  steps_max = UINT64_MAX;
  sqlite3_finalize(stmt);
  return rc == SQLITE_ROW ? taken : 0;
}

static void checkLinear(const char *sql) {
  uint64_t few = stepsFor(sql, ERRORS, (uint64_t)STEPS_PER_ERROR * ERRORS);
  uint64_t many = stepsFor(sql, TIMES_ERRORS * ERRORS, TIMES_STEPS * few);
  check(few > ERRORS / 64 && many > few, sql); /* at least a step for each 64 bytes */
}

static const char *const statements[] = {
    "SELECT length(utf8_repair(?1))",
    "SELECT length(utf8_repair(?1, 'run'))",
    "SELECT length(utf8_repair(?1, 'escape'))",
    "SELECT count(*), sum(offset), max(error) FROM utf8_each(?1)",
    "SELECT count(*), sum(offset) FROM utf8_each(?1) WHERE error IS NOT NULL",
    "SELECT count(*) FROM utf8_each(?1) WHERE error = 'truncated'",
    "SELECT utf8_codepoints(?1)",
    "SELECT length(utf8_from(?1, 'utf-8'))",
    "SELECT length(utf8_to(?1, 'utf-16le'))",
    "SELECT utf8_normalized(?1, 'nfkc')",
    "SELECT length(utf8_normalize(replace(?1, x'e282', x'cc81')))",
    "SELECT length(utf8_normalize(replace(?1, x'e282', x'cc81cca8'), 'nfd'))",
    "SELECT length(utf8_normalize(?1, 'nfkc_casefold'))",
    /* marks alone */
    "SELECT utf8_normalized(replace(replace(?1, 'a', ''), x'e282', x'cca8'), 'nfd')",
    /* a run longer than UTF8_CHUNK on one letter */
    "SELECT utf8_normalize('a' || replace(?1, x'61e282', x'cc81cca8cca8cca8cca8'))",
    "SELECT length(utf8_unescape(replace(?1, x'61e282', '=?utf8?q?=e2?='), 'mime'))",
    "SELECT length(utf8_casefold(upper(?1)))",
    "SELECT length(utf8_clean(?1, 'ftfy'))",
    "SELECT length(utf8_unescape(replace(?1, x'61e282', '&lt'), 'html'))",
};

int main(void) {
  steps_max = UINT64_MAX;
  countAllocations();
  sqlite3_open(":memory:", &db);
  check(sqlite3_utf8ext_init(db, NULL, NULL) == SQLITE_OK, "init");
  for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
    checkLinear(statements[i]);
  sqlite3_close(db);
  return finish();
}
