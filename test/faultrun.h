/* faultrun.h: runs a statement while something fails: an allocation, or the statement is interrupted.
**
** Replaces SQLite's allocator, and counts what is allocated.
*/
#ifndef FAULTRUN_H
#define FAULTRUN_H

#include "test/statements.h"
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- faults ------------------------------------------------------------------------------- */

typedef enum FaultKind {
  NO_FAULT,
  FAIL_ONCE, /* an allocation */
  FAIL_ON,   /* an allocation and all that follow */
  INTERRUPT_ALLOCATION,
  INTERRUPT_STEP,
  STOP_STEP, /* the progress handler returns 1 */
  FAULT_KINDS
} FaultKind;

static const char *const kind_names[] = {"no fault",
                                         "an allocation fails",
                                         "allocations fail",
                                         "an interrupt at an allocation",
                                         "an interrupt at a step",
                                         "a progress handler that stops"};

/* The fault is what happens at the place `at`, counted from 1. */
static struct {
  FaultKind kind;
  long at, count;
  sqlite3 *db;
} fault;
static long faults[FAULT_KINDS], live_allocations;

/* Returns 1 if the fault is now. */
static int isNow(int is_allocation) {
  const int is_step = fault.kind >= INTERRUPT_STEP;
  if (fault.kind == NO_FAULT || is_step == is_allocation) return 0;
  fault.count++;
  const int is_now =
      fault.count == fault.at || (fault.kind == FAIL_ON && fault.count > fault.at);
  faults[fault.kind] += is_now;
  return is_now;
}

/* Returns 0 if the allocation fails. */
static int mayAllocate(void) {
  if (!isNow(1)) return 1;
  if (fault.kind == INTERRUPT_ALLOCATION) sqlite3_interrupt(fault.db);
  return fault.kind == INTERRUPT_ALLOCATION;
}

static int onStep(void *unused) {
  (void)unused;
  if (!isNow(0)) return 0;
  if (fault.kind == INTERRUPT_STEP) sqlite3_interrupt(fault.db);
  return fault.kind == STOP_STEP;
}

static sqlite3_mem_methods allocator; /* SQLite's own */

static void *faultyMalloc(int size) {
  void *memory = mayAllocate() ? allocator.xMalloc(size) : NULL;
  live_allocations += memory != NULL;
  return memory;
}

static void *faultyRealloc(void *memory, int size) {
  return mayAllocate() ? allocator.xRealloc(memory, size) : NULL;
}

static void countedFree(void *memory) {
  live_allocations--;
  allocator.xFree(memory);
}

/* Without lookaside memory, every allocation can fail. */
static void replaceAllocator(void) {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &allocator);
  sqlite3_mem_methods faulty = allocator;
  faulty.xMalloc = faultyMalloc;
  faulty.xRealloc = faultyRealloc;
  faulty.xFree = countedFree;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &faulty);
  sqlite3_config(SQLITE_CONFIG_LOOKASIDE, 0, 0);
}

/* ---- one run of a statement ----------------------------------------------------------------- */

static const char *encoding; /* of the databases */

/* A statement with its bytes for ?1 and ?2 (bindBytes()), in a database that `setup` makes. */
typedef struct Case {
  const char *sql, *setup;
  const char *bytes;
  size_t size;
  int is_audit; /* it names what it cannot read, and continues */
} Case;

/* The rows of a run as text, then its error. */
typedef struct Result {
  int rc;
  char *text; /* to be freed */
  size_t size, rows_size;
  size_t longest; /* bytes of a value */
} Result;

static void append(Result *r, const char *text) {
  const size_t size = strlen(text);
  r->text = realloc(r->text, r->size + size + 1);
  if (!r->text) exit(2);
  memcpy(r->text + r->size, text, size + 1);
  r->size += size;
}

static int prepare(sqlite3 *db, const Case *c, const char *sql, sqlite3_stmt **stmt) {
  const int rc = sqlite3_prepare_v2(db, sql, -1, stmt, NULL);
  if (rc != SQLITE_OK) return rc;
  return bindBytes(*stmt, c->bytes, c->size, encodingNamed(encoding));
}

/* Runs the statements of the setup, which may use ?1 and ?2, and lets SQLite read the schema again. */
static void setUp(sqlite3 *db, const Case *c) {
  const char *rest = c->setup;
  while (rest && *rest) {
    sqlite3_stmt *stmt = NULL;
    int rc = sqlite3_prepare_v2(db, rest, -1, &stmt, &rest);
    if (stmt) bindBytes(stmt, c->bytes, c->size, encodingNamed(encoding));
    while (stmt && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    }
    if (sqlite3_finalize(stmt) != SQLITE_OK) {
      printf("FAILED: %s: %s\n", c->setup, sqlite3_errmsg(db));
      exit(2);
    }
  }
  sqlite3_exec(db, "PRAGMA writable_schema = RESET", NULL, NULL, NULL);
}

static sqlite3 *openCase(const Case *c) {
  sqlite3 *db = NULL;
  sqlite3_open(":memory:", &db);
  char *sql = sqlite3_mprintf("PRAGMA encoding = '%s'", encoding);
  sqlite3_exec(db, sql, NULL, NULL, NULL);
  sqlite3_free(sql);
  setUp(db, c);
  return db;
}

/* Without faults, since a conversion of the results from UTF-16 needs memory. */
static void addRow(Result *r, sqlite3_stmt *stmt) {
  const FaultKind kind = fault.kind;
  const int64_t limit = sqlite3_hard_heap_limit64(0);
  fault.kind = NO_FAULT;
  for (int i = 0; i < sqlite3_column_count(stmt); i++) {
    const char *column = (const char *)sqlite3_column_text(stmt, i);
    const size_t size = (size_t)sqlite3_column_bytes(stmt, i);
    append(r, column ? column : "NULL");
    append(r, "|");
    if (size > r->longest) r->longest = size;
  }
  append(r, "\n");
  sqlite3_hard_heap_limit64(limit);
  fault.kind = kind;
}

static void addRows(Result *r, sqlite3 *db, const Case *c) {
  sqlite3_stmt *stmt = NULL;
  r->rc = prepare(db, c, c->sql, &stmt);
  if (r->rc == SQLITE_OK) {
    while ((r->rc = sqlite3_step(stmt)) == SQLITE_ROW) addRow(r, stmt);
  }
  r->rows_size = r->size;
  fault.kind = NO_FAULT;
  if (r->rc != SQLITE_DONE) {
    append(r, "Error: ");
    append(r, sqlite3_errmsg(db));
  }
  sqlite3_finalize(stmt);
}

static Result runOn(sqlite3 *db, const Case *c, FaultKind kind, long at) {
  Result r = {SQLITE_OK, NULL, 0, 0, 0};
  append(&r, "");
  sqlite3_progress_handler(db, kind >= INTERRUPT_STEP ? 1 : 0, onStep, NULL);
  fault.kind = kind, fault.at = at, fault.count = 0, fault.db = db;
  addRows(&r, db, c);
  sqlite3_progress_handler(db, 0, NULL, NULL);
  return r;
}

#endif
