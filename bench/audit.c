/* audit.c: measures utf8_audit on whole databases.
**
**     make bench-audit          build/bench/audit.tsv (minutes; BENCH_QUICK=1: a tenth)
**
** How it works: makes databases of 1 GB under build/bench, one after the other: many tables of
** short values, fewer tables of long ones, and tables that hold only BLOBs. On each, compares
** utf8_audit with SELECTs over the same tables:
**
**   fetch        fetch(c) around each TEXT, a C function that only reads text and length: the
**                lowest cost of looking at every value
**   fetch all    fetch(c) around every value, which reads BLOBs too
**
** "pages" are those that a new connection read. utf8_audit reads almost none of the BLOBs'.
**
** Limits: The database is in the operating system's cache, so the disk is not measured.
*/
#include "bench/bench.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 4 };

/* A database. Every table has a key and COLUMNS columns with values of min_size..max_size
** bytes. */
typedef struct Shape {
  const char *name;
  int tables;
  size_t min_size, max_size;
  int is_blob;
} Shape;

static const Shape shapes[] = {
    {"short", 200, 4, 40, 0},
    {"long", 50, 1000, 60000, 0},
    {"blob", 50, 10000, 60000, 1},
};

#define GB        ((size_t)1 << 30)
#define TEXT_SIZE ((size_t)1 << 24)

static const char *extension;
static char path[256];

static void check(int ok, sqlite3 *db) {
  if (ok) return;
  fprintf(stderr, "bench: %s\n", sqlite3_errmsg(db));
  exit(1);
}

static void run(sqlite3 *db, const char *sql) {
  check(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK, db);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt;
  check(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK, db);
  return stmt;
}

/* ---- the databases ------------------------------------------------------------------ */

static size_t databaseSize(void) {
  return bench_quick() ? GB / 10 : GB;
}

/* Binds a random part of the text between two boundaries. Returns its size. */
static size_t bindValue(sqlite3_stmt *insert, int i, const Shape *shape,
                        const uint8_t *text, uint64_t *random) {
  size_t size = shape->min_size;
  size += (size_t)bench_random(random, shape->max_size - shape->min_size + 1);
  const uint8_t *from = text + bench_random(random, TEXT_SIZE - 2 * shape->max_size);
  const uint8_t *to = from + size;
  while ((*from & 0xC0) == 0x80) from++;
  while ((*to & 0xC0) == 0x80) to++;
  size = (size_t)(to - from);
  if (shape->is_blob) {
    sqlite3_bind_blob(insert, i, from, (int)size, SQLITE_STATIC);
  } else {
    sqlite3_bind_text(insert, i, (const char *)from, (int)size, SQLITE_STATIC);
  }
  return size;
}

static void fillTable(sqlite3 *db, const Shape *shape, int t, const uint8_t *text) {
  char sql[200];
  uint64_t random = (uint64_t)t;
  snprintf(sql, sizeof sql, "CREATE TABLE t%d(id INTEGER PRIMARY KEY, a, b, c, d)", t);
  run(db, sql);
  snprintf(sql, sizeof sql, "INSERT INTO t%d(a, b, c, d) VALUES(?, ?, ?, ?)", t);
  sqlite3_stmt *insert = prepare(db, sql);
  size_t size = databaseSize() / (size_t)shape->tables;
  for (size_t used = 0; used < size;) {
    for (int i = 1; i <= COLUMNS; i++)
      used += bindValue(insert, i, shape, text, &random);
    check(sqlite3_step(insert) == SQLITE_DONE && !sqlite3_reset(insert), db);
  }
  sqlite3_finalize(insert);
}

/* Replaces the database in the file `path`. */
static void makeDatabase(const Shape *shape) {
  sqlite3 *db;
  uint8_t *text = bench_corpus("all", TEXT_SIZE);
  remove(path);
  check(sqlite3_open(path, &db) == SQLITE_OK, db);
  run(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN");
  for (int t = 0; t < shape->tables; t++) fillTable(db, shape, t, text);
  run(db, "COMMIT");
  sqlite3_close(db);
  free(text);
}

/* ---- the candidates ----------------------------------------------------------------- */

static void fetch(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  const unsigned char *text = sqlite3_value_text(argv[0]);
  sqlite3_result_int(ctx, text && sqlite3_value_bytes(argv[0]) >= 0);
}

static sqlite3 *openDatabase(void) {
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  sqlite3 *db;
  check(sqlite3_open(path, &db) == SQLITE_OK, db);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int *)NULL);
  check(sqlite3_load_extension(db, extension, NULL, NULL) == SQLITE_OK, db);
  sqlite3_create_function(db, "fetch", 1, flags, NULL, fetch, NULL, NULL);
  return db;
}

/* Returns the number of rows. */
static uint64_t runToEnd(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt = prepare(db, sql);
  uint64_t rows = 0;
  while (sqlite3_step(stmt) == SQLITE_ROW) rows++;
  check(sqlite3_finalize(stmt) == SQLITE_OK, db);
  return rows;
}

static uint64_t runAudit(const void *arg, const uint8_t *text, size_t size) {
  (void)text, (void)size;
  uint64_t rows = runToEnd((sqlite3 *)(uintptr_t)arg, "SELECT * FROM utf8_audit");
  if (rows) bench_fail("utf8_audit found errors in well-formed text");
  return rows;
}

/* Selects `value` for each column of each table; %1$c in it is the name of the column. */
static uint64_t runSelects(sqlite3 *db, const char *value) {
  uint64_t rows = 0;
  sqlite3_stmt *tables = prepare(db, "SELECT name FROM sqlite_master");
  while (sqlite3_step(tables) == SQLITE_ROW) {
    char sql[1000];
    int used = snprintf(sql, sizeof sql, "SELECT rowid");
    for (int c = 0; c < COLUMNS; c++) {
      used += snprintf(sql + used, sizeof sql - (size_t)used, value, 'a' + c);
    }
    snprintf(sql + used, sizeof sql - (size_t)used, " FROM %s AS t",
             sqlite3_column_text(tables, 0));
    rows += runToEnd(db, sql);
  }
  check(sqlite3_finalize(tables) == SQLITE_OK, db);
  return rows;
}

static uint64_t runFetch(const void *arg, const uint8_t *text, size_t size) {
  (void)text, (void)size;
  return runSelects((sqlite3 *)(uintptr_t)arg,
                    ", fetch(CASE typeof(t.%1$c) WHEN 'text' THEN t.%1$c END)");
}

static uint64_t runFetchAll(const void *arg, const uint8_t *text, size_t size) {
  (void)text, (void)size;
  return runSelects((sqlite3 *)(uintptr_t)arg, ", fetch(t.%1$c)");
}

/* ---- the comparison ----------------------------------------------------------------- */

static int64_t fileSize(sqlite3 *db) {
  sqlite3_stmt *stmt = prepare(
      db, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
  check(sqlite3_step(stmt) == SQLITE_ROW, db);
  int64_t size = sqlite3_column_int64(stmt, 0);
  sqlite3_finalize(stmt);
  return size;
}

/* Returns how many pages one run of a candidate reads on a new connection. */
static double pagesRead(BenchRun candidate) {
  sqlite3 *db = openDatabase();
  int pages, highest;
  candidate(db, NULL, 0);
  sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_MISS, &pages, &highest, 0);
  sqlite3_close(db);
  return pages;
}

static void measure(const Shape *shape) {
  makeDatabase(shape);
  sqlite3 *db = openDatabase();
  BenchCandidate candidate[] = {{"utf8_audit", runAudit, db, 0},
                                {"fetch", runFetch, db, 0},
                                {"fetch all", runFetchAll, db, 0}};
  size_t size = (size_t)fileSize(db);
  bench_compare_calls(candidate, 3);
  for (int i = 0; i < 3; i++) {
    bench_print("audit", shape->name, size, candidate[i].name, candidate[i].ns / 1e9,
                "s");
  }
  bench_print("audit", shape->name, size, "utf8_audit/fetch",
              candidate[0].ns / candidate[1].ns, "ratio");
  bench_print("audit", shape->name, size, "utf8_audit", pagesRead(runAudit), "pages");
  bench_print("audit", shape->name, size, "fetch all", pagesRead(runFetchAll), "pages");
  sqlite3_close(db);
  remove(path);
}

int main(int argc, char **argv) {
  if (argc < 3) bench_fail("usage: audit EXTENSION DIRECTORY [SHAPE]");
  extension = argv[1];
  snprintf(path, sizeof path, "%s/audit.db", argv[2]);
  bench_start();
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    if (argc == 3 || strcmp(argv[3], shapes[i].name) == 0) measure(&shapes[i]);
  }
  return 0;
}
