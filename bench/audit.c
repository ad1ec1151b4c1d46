/* audit.c: measures utf8_audit over whole databases.
**
**     make bench-audit          build/bench/audit.tsv (minutes; BENCH_QUICK=1: a tenth)
**
** How it works: databases of 1 GB each are made under build/bench: many tables of short
** values, tables of long ones, and one of nothing but BLOBs. On each, utf8_audit races
** the same SELECTs over the same tables with "fetch" around each value, a C function that
** only asks for text and length: the least that looking at every value costs. "plain" is
** fetch(c) without the CASE that keeps BLOBs unread. "pages" are those that a connection
** of its own read: nearly none of the BLOBs'.
**
** Limits: the databases are in the operating system's cache, so the disk is not measured.
** One database is there at a time.
*/
#include "bench.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 4 };

/* A database: every table has COLUMNS columns beside its key, values of shortest..longest
** bytes each. */
typedef struct Shape {
  const char *name;
  int tables;
  size_t shortest, longest;
  int blob;
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

/* Binds a piece of the text, cut on boundaries. Returns its size. */
static size_t bindPiece(sqlite3_stmt *insert, int i, const Shape *shape,
                        const uint8_t *text, uint64_t *random) {
  size_t size = shape->shortest;
  size += (size_t)bench_random(random, shape->longest - shape->shortest + 1);
  const uint8_t *from = text + bench_random(random, TEXT_SIZE - 2 * shape->longest);
  const uint8_t *to = from + size;
  while ((*from & 0xC0) == 0x80) from++;
  while ((*to & 0xC0) == 0x80) to++;
  size = (size_t)(to - from);
  if (shape->blob) {
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
      used += bindPiece(insert, i, shape, text, &random);
    check(sqlite3_step(insert) == SQLITE_DONE && !sqlite3_reset(insert), db);
  }
  sqlite3_finalize(insert);
}

/* Makes the database `path` anew. */
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

/* ---- the entrants ------------------------------------------------------------------- */

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

/* Runs a statement to its end; every value in these databases is well-formed. */
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

/* value holds %1$c for the column's name. */
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

static uint64_t runPlain(const void *arg, const uint8_t *text, size_t size) {
  (void)text, (void)size;
  return runSelects((sqlite3 *)(uintptr_t)arg, ", fetch(t.%1$c)");
}

/* ---- the race ----------------------------------------------------------------------- */

static int64_t fileSize(sqlite3 *db) {
  sqlite3_stmt *stmt = prepare(
      db, "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size");
  check(sqlite3_step(stmt) == SQLITE_ROW, db);
  int64_t size = sqlite3_column_int64(stmt, 0);
  sqlite3_finalize(stmt);
  return size;
}

/* The pages that one pass of an entrant reads, on a connection of its own. */
static double pagesOf(BenchRun entrant) {
  sqlite3 *db = openDatabase();
  int pages, highest;
  entrant(db, NULL, 0);
  sqlite3_db_status(db, SQLITE_DBSTATUS_CACHE_MISS, &pages, &highest, 0);
  sqlite3_close(db);
  return pages;
}

static void measure(const Shape *shape) {
  makeDatabase(shape);
  sqlite3 *db = openDatabase();
  BenchEntrant entrant[] = {{"utf8_audit", runAudit, db, 0},
                            {"fetch", runFetch, db, 0},
                            {"plain", runPlain, db, 0}};
  size_t size = (size_t)fileSize(db);
  bench_race_calls(entrant, 3);
  for (int i = 0; i < 3; i++) {
    bench_print("audit", shape->name, size, entrant[i].name, entrant[i].ns / 1e9, "s");
  }
  bench_print("audit", shape->name, size, "utf8_audit/fetch",
              entrant[0].ns / entrant[1].ns, "ratio");
  bench_print("audit", shape->name, size, "utf8_audit", pagesOf(runAudit), "pages");
  bench_print("audit", shape->name, size, "plain", pagesOf(runPlain), "pages");
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
