/* readstest.c: utf8_audit while reads fail, in every order: no row is left out without a word.
**
**     build/readstest ./utf8ext.so [quick]
**
** A read fails where the file system reports it (the system call pread() of SQLite's VFS), returns a page
** of zeros, as a disk that forgets, or is a step of a statement. Every k-th read fails, every pair, and
** every run. Then each ill-formed row of a table is found once, or is in a range that utf8_audit names as
** unreadable, or the statement fails; no statement goes on for ever, and none of utf8_audit's own is left. With
** `quick`, takes a sample of the patterns.
*/
#define _POSIX_C_SOURCE   200809L /* ssize_t, off_t */
#define _FILE_OFFSET_BITS 64

#include <errno.h>
#include <limits.h>
#include <unistd.h>

#include "test/statements.h"

/* ---- which reads fail --------------------------------------------------------------------- */

typedef enum Level {
  NOTHING_FAILS,
  READ_FAILS, /* SQLITE_IOERR */
  PAGE_IS_LOST /* SQLITE_CORRUPT, until SQLite reads the page again */,
  STEP_FAILS /* with step_error */
} Level;
static const char *const level_names[] = {"nothing", "reads", "pages", "steps"};

/* Of the reads from `first` on, counted from 0, fails each `every`-th, `run` of them in turn, `count`
** times. */
typedef struct Pattern {
  int first, every, run, count;
} Pattern;

static Level level;
static Pattern pattern;
static int step_error;
static int reads; /* since the statement started */
static sqlite3 *db;

/* More reads than any statement needs: it goes on for ever. */
enum { READS_MAX = 100000 };

static int isFailing(Level which) {
  if (level != which) return 0;
  const long long later = (long long)reads++ - pattern.first;
  if (reads > READS_MAX) sqlite3_interrupt(db);
  return later >= 0 && later % pattern.every < pattern.run &&
         later / pattern.every < pattern.count;
}

/* ---- reads of the file system ---------------------------------------------------------------- */

enum { PAGE_SIZE = 512 };

static ssize_t (*real_read)(int, void *, size_t);
static ssize_t (*real_pread)(int, void *, size_t, off_t);

/* A page of overflow that is lost would be text of zeros, which no reader can tell from what was there. */
static int isTreePage(const void *bytes, ssize_t size) {
  const unsigned char type = *(const unsigned char *)bytes;
  return size == PAGE_SIZE && (type == 2 || type == 5 || type == 10 || type == 13);
}

static ssize_t afterRead(void *bytes, ssize_t size) {
  if (isFailing(READ_FAILS)) {
    errno = EIO;
    return -1;
  }
  if (isTreePage(bytes, size) && isFailing(PAGE_IS_LOST)) memset(bytes, 0, PAGE_SIZE);
  return size;
}

static ssize_t failRead(int file, void *bytes, size_t size) {
  return afterRead(bytes, real_read(file, bytes, size));
}

static ssize_t failPread(int file, void *bytes, size_t size, off_t offset) {
  return afterRead(bytes, real_pread(file, bytes, size, offset));
}

/* SQLite calls one of the three, as it was built. */
static void changeReads(void) {
  sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
  real_read = (ssize_t(*)(int, void *, size_t))vfs->xGetSystemCall(vfs, "read");
  vfs->xSetSystemCall(vfs, "read", (sqlite3_syscall_ptr)failRead);
  static const char *const names[] = {"pread", "pread64"};
  for (int i = 0; i < 2; i++) {
    const sqlite3_syscall_ptr old = vfs->xGetSystemCall(vfs, names[i]);
    if (!old) continue;
    real_pread = (ssize_t(*)(int, void *, size_t, off_t))old;
    vfs->xSetSystemCall(vfs, names[i], (sqlite3_syscall_ptr)failPread);
  }
}

/* ---- steps of statements ------------------------------------------------------------------------ */

static const sqlite3_stmt *lost; /* the statement that has failed, until it is reset */

static int failStep(sqlite3_stmt *stmt) {
  if (stmt != lost && !isFailing(STEP_FAILS)) return sqlite3_step(stmt);
  lost = stmt;
  return step_error;
}

static int endStep(const sqlite3_stmt *stmt, int rc) {
  if (!stmt || stmt != lost) return rc;
  lost = NULL;
  return step_error;
}

static int failReset(sqlite3_stmt *stmt) {
  return endStep(stmt, sqlite3_reset(stmt));
}

static int failFinalize(sqlite3_stmt *stmt) {
  return endStep(stmt, sqlite3_finalize(stmt));
}

/* ---- tables ---------------------------------------------------------------------------------------- */

enum { ROWS = 60 };
#define FILE_NAME "build/reads.db"

/* A table t, whose row i is in place i. Its value starts with i, and is ill-formed unless 3 divides i. In sql,
** n is a table of i, of a value v, and of a value l with overflow pages. */
typedef struct Shape {
  const char *name, *sql;
  long long first,
      step; /* row 0 would have the key `first`, and row 1 that and `step` */
} Shape;

static const Shape shapes[] = {
    {"rowids", "CREATE TABLE t(v); INSERT INTO t(rowid, v) SELECT i * 50, v FROM n", 0,
     50},
    {"negative rowids",
     "CREATE TABLE t(v); INSERT INTO t(rowid, v) SELECT i * 50 - 1500, v FROM n", -1500,
     50},
    {"rowids, overflow pages",
     "CREATE TABLE t(k INTEGER PRIMARY KEY, v); INSERT INTO t SELECT i * 7, l FROM n",
     0, 7},
    {"rowids and an index",
     "CREATE TABLE t(v, w); CREATE INDEX x ON t(v, w);"
     "INSERT INTO t(rowid, v) SELECT i, v FROM n",
     0, 1},
    {"WITHOUT ROWID",
     "CREATE TABLE t(k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t SELECT i, v FROM n",
     0, 1},
    {"WITHOUT ROWID, overflow pages",
     "CREATE TABLE t(k PRIMARY KEY, v) WITHOUT ROWID; INSERT INTO t SELECT i, l FROM n",
     0, 1},
    {"WITHOUT ROWID, downwards",
     "CREATE TABLE t(v, k, PRIMARY KEY(k DESC)) WITHOUT ROWID;"
     "INSERT INTO t SELECT v, 100 - i FROM n",
     100, -1},
    {"hidden rowids",
     "CREATE TABLE t(rowid, oid, _rowid_); INSERT INTO t SELECT v, 1, 2 FROM n", 0, 0},
    {"one row", "CREATE TABLE t(v); INSERT INTO t(rowid, v) SELECT i, v FROM n LIMIT 1",
     0, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void runAll(const char *sql) {
  char *message = NULL;
  check(sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK, sql,
        message ? message : "");
  sqlite3_free(message);
}

static void losePage(int page) {
  static const char zeros[PAGE_SIZE];
  FILE *file = fopen(FILE_NAME, "r+b");
  if (!file) return;
  fseek(file, (page - 1L) * PAGE_SIZE, SEEK_SET);
  check(fwrite(zeros, sizeof zeros, 1, file) == 1, "a page is lost", "");
  fclose(file);
}

/* Makes the file, with its page number `lost_page` lost unless that is 0, and opens db. */
static void openTable(Init *init, const Shape *shape, int lost_page) {
  remove(FILE_NAME);
  sqlite3_open(FILE_NAME, &db);
  runAll(
      "PRAGMA page_size = 512; PRAGMA synchronous = OFF;"
      "CREATE TEMP TABLE n AS WITH r(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM r"
      " WHERE i < 60) SELECT i, i || ' value' || hex(zeroblob(i % 9 * 5)) || "
      "CASE i % 3 WHEN 0 THEN '' ELSE CAST(x'ff' AS TEXT) END AS v, NULL AS l FROM r;"
      "UPDATE n SET l = CASE i % 9 WHEN 4 THEN replace(v, ' ', ' ' || "
      "hex(zeroblob(600))) ELSE v END");
  runAll(shape->sql);
  sqlite3_close(db);
  if (lost_page) losePage(lost_page);
  sqlite3_open(FILE_NAME, &db);
  check(init(db, NULL, &table.api) == SQLITE_OK, "it loads", "");
  runAll("PRAGMA cache_size = 1; SELECT * FROM sqlite_master");
}

/* ---- what utf8_audit returns ------------------------------------------------------------------------ */

/* What is named: rows as found, and as those that cannot be read. */
typedef struct Named {
  int found[ROWS + 1];
  int unreadable[ROWS + 1];
  int after; /* rows after this one cannot be read, up to the next that is found; ROWS: none */
  int all;      /* a range without an end: all rows */
  int findings; /* rows of the result */
  int rc;
  char text[6000];
} Named;

static long long keyOf(const Shape *shape, int row) {
  return shape->first + row * shape->step;
}

static int rowOf(const Shape *shape, long long key) {
  for (int row = 1; row <= ROWS; row++)
    if (keyOf(shape, row) == key) return row;
  return 0;
}

static void addUnreadable(Named *named, const Shape *shape, const char *error) {
  long long from, to;
  if (sscanf(error, "unreadable: rowids %lld to %lld", &from, &to) == 2) {
    for (int row = 1; row <= ROWS; row++)
      named->unreadable[row] += from <= keyOf(shape, row) && keyOf(shape, row) <= to;
  } else if (sscanf(error, "unreadable: after key (%lld)", &from) == 1) {
    named->after = rowOf(shape, from);
  } else if (strncmp(error, "unreadable: from the first key on", 33) == 0) {
    named->after = 0;
  } else {
    named->all = 1;
  }
}

static void addRow(Named *named, const Shape *shape, int row, const char *error) {
  const size_t used = strlen(named->text);
  snprintf(named->text + used, sizeof named->text - used, "%d %s\n", row, error);
  named->findings++;
  if (strncmp(error, "unreadable", 10) == 0) {
    addUnreadable(named, shape, error);
  } else if (1 <= row && row <= ROWS) {
    named->found[row]++;
  }
}

/* More results than any failure explains. */
enum { FINDINGS_MAX = 3 * ROWS };

static void audit(Named *named, const Shape *shape, const char *sql) {
  sqlite3_stmt *stmt = NULL;
  *named = (Named){.after = ROWS};
  lost = NULL;
  named->rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  sqlite3_db_release_memory(db);
  reads = 0;
  while (stmt && named->findings < FINDINGS_MAX &&
         (named->rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    const char *error = (const char *)sqlite3_column_text(stmt, 1);
    addRow(named, shape, sqlite3_column_int(stmt, 0), error ? error : "no memory");
  }
  sqlite3_finalize(stmt);
  check(!sqlite3_next_stmt(db, NULL), "no statement of utf8_audit is left", sql);
}

/* Is each ill-formed row of those that a statement without failures names found once, or in a range that
** cannot be read? After `after` come rows that cannot be read, then rows that are found. */
static int namesAll(const Named *named, const Named *whole) {
  int has_resumed = 0;
  if (named->findings == FINDINGS_MAX || reads > READS_MAX) return 0;
  if (named->rc != SQLITE_DONE) return 1;
  for (int row = 1; row <= ROWS; row++) {
    const int due = whole->found[row] && !whole->unreadable[row];
    has_resumed |= row > named->after && named->found[row];
    const int unreadable =
        named->unreadable[row] || named->all || (row > named->after && !has_resumed);
    if (named->found[row] > 1 || (due && !named->found[row] && !unreadable)) return 0;
  }
  return 1;
}

/* ---- the property ----------------------------------------------------------------------------------------- */

static long executed, failing;
static int is_quick;
enum {
  SAMPLE = 29
}; /* of so many patterns one is taken; no divisor of a count of patterns */

static void checkPattern(const Shape *shape, const char *sql, const Named *whole,
                         Pattern p) {
  static int due;
  Named named;
  if (is_quick && ++due % SAMPLE) return;
  pattern = p;
  audit(&named, shape, sql);
  executed++;
  failing += named.findings != whole->findings || named.rc != whole->rc;
  const int is_right = namesAll(&named, whole);
  check(is_right, shape->name, sql);
  if (!is_right && failed < 4)
    printf("  %s from %d, %d of each %d, %d times, step_error %d: rc %d\n%s",
           level_names[level], p.first, p.run, p.every, p.count, step_error, named.rc,
           named.text);
}

static void checkStatement(const Shape *shape, const char *sql) {
  static const int runs[] = {1, 2, 3, 5, 8, INT_MAX};
  Named whole;
  pattern = (Pattern){INT_MAX, 1, 1, 1};
  audit(&whole, shape, sql);
  const int count = reads;
  check(whole.rc == SQLITE_DONE && whole.findings > 0 && count > 0, "it finds rows",
        sql);
  /* Of many reads, some are the first to fail. */
  const int stride = 1 + count / 40, most = count < 40 ? count : 40;
  for (int first = 0; first < count; first += stride) {
    for (int i = 0; i < 6; i++)
      checkPattern(shape, sql, &whole, (Pattern){first, INT_MAX, runs[i], 1});
    for (int distance = 2; distance < 14; distance++)
      checkPattern(shape, sql, &whole, (Pattern){first, distance, 1, 2});
  }
  for (int every = 2; every <= most; every++)
    for (int first = 0; first < every && first < 4; first++) {
      checkPattern(shape, sql, &whole, (Pattern){first, every, 1, INT_MAX});
      checkPattern(shape, sql, &whole, (Pattern){first, every, every - 1, INT_MAX});
    }
}

static const char *const statements_of[] = {
    "SELECT CAST(value AS INTEGER), error FROM utf8_audit",
    "SELECT CAST(value AS INTEGER), error, repaired FROM utf8_audit('main', 'auto', 1)",
};

static void checkShape(Init *init, const Shape *shape, int lost_page) {
  static const int errors[] = {SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_IOERR,
                               SQLITE_NOMEM};
  level = NOTHING_FAILS;
  openTable(init, shape, lost_page);
  for (int i = 0; i < 2; i++) {
    level = READ_FAILS;
    checkStatement(shape, statements_of[i]);
    level = PAGE_IS_LOST;
    checkStatement(shape, statements_of[i]);
    for (int j = 0; j < 4; j++) {
      level = STEP_FAILS;
      step_error = errors[j];
      checkStatement(shape, statements_of[i]);
    }
  }
  level = NOTHING_FAILS;
  sqlite3_close(db);
}

int main(int argc, char **argv) {
  if (argc < 2) {
    fprintf(stderr, "readstest: which extension?\n");
    return 1;
  }
  is_quick = argc > 2 && strcmp(argv[2], "quick") == 0;
  Init *init = entryPoint(argv[1]);
  makeTable();
  table.api.step = failStep;
  table.api.reset = failReset;
  table.api.finalize = failFinalize;
  changeReads();
  for (int i = 0; i < SHAPES; i++) {
    checkShape(init, &shapes[i], 0);
    if (i < SHAPES - 1) checkShape(init, &shapes[i], 5);
  }
  printf("SQLite %s: %ld statements, of which %ld met a failure\n",
         sqlite3_libversion(), executed, failing);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
