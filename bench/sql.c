/* sql.c: measures the extension through SQL, in one process with SQLite.
**
**     make bench          build/bench/sql.tsv
**
** How it works: Fills in-memory tables with short values, and binds long values to a parameter.
** Each candidate is a whole statement. "fetch" is a C function that only reads text and length,
** "numbers" a table that only counts: the lowest possible cost of a function and of a table.
** Times, and so ratios, include SQLite's scan of the table: they are what a user sees.
*/
#include "bench/bench.h"
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KB ((size_t)1 << 10)
#define MB ((size_t)1 << 20)

static sqlite3 *db;

static void check(int ok) {
  if (ok) return;
  fprintf(stderr, "bench: %s\n", sqlite3_errmsg(db));
  exit(1);
}

/* ---- the lowest possible cost ----------------------------------------------------- */

static void fetch(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  const unsigned char *text = sqlite3_value_text(argv[0]);
  sqlite3_result_int(ctx, text && sqlite3_value_bytes(argv[0]) >= 0);
}

static void empty(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc, (void)argv;
  sqlite3_result_int(ctx, 1);
}

/* numbers(N): the simplest virtual table: N rows, of which both columns are the row's number.
** All but a few instructions of its time are SQLite's. */
typedef struct Numbers {
  sqlite3_vtab_cursor base;
  sqlite3_int64 at, end;
} Numbers;

static int numbersConnect(sqlite3 *to, void *aux, int argc, const char *const *argv,
                          sqlite3_vtab **vtab, char **message) {
  (void)aux, (void)argc, (void)argv, (void)message;
  *vtab = sqlite3_malloc(sizeof **vtab);
  if (!*vtab) return SQLITE_NOMEM;
  memset(*vtab, 0, sizeof **vtab);
  return sqlite3_declare_vtab(to, "CREATE TABLE x(a, b, n HIDDEN)");
}

static int numbersDisconnect(sqlite3_vtab *vtab) {
  sqlite3_free(vtab);
  return SQLITE_OK;
}

static int numbersBest(sqlite3_vtab *vtab, sqlite3_index_info *info) {
  (void)vtab;
  if (info->nConstraint != 1 || !info->aConstraint[0].usable) return SQLITE_CONSTRAINT;
  info->aConstraintUsage[0].argvIndex = 1;
  info->aConstraintUsage[0].omit = 1;
  return SQLITE_OK;
}

static int numbersOpen(sqlite3_vtab *vtab, sqlite3_vtab_cursor **cursor) {
  (void)vtab;
  Numbers *c = sqlite3_malloc(sizeof *c);
  if (!c) return SQLITE_NOMEM;
  memset(c, 0, sizeof *c);
  *cursor = &c->base;
  return SQLITE_OK;
}

static int numbersClose(sqlite3_vtab_cursor *cursor) {
  sqlite3_free(cursor);
  return SQLITE_OK;
}

static int numbersFilter(sqlite3_vtab_cursor *cursor, int plan, const char *name,
                         int argc, sqlite3_value **argv) {
  Numbers *c = (Numbers *)cursor;
  (void)plan, (void)name, (void)argc;
  c->at = 1;
  c->end = sqlite3_value_int64(argv[0]);
  return SQLITE_OK;
}

static int numbersNext(sqlite3_vtab_cursor *cursor) {
  ((Numbers *)cursor)->at++;
  return SQLITE_OK;
}

static int numbersEof(sqlite3_vtab_cursor *cursor) {
  return ((Numbers *)cursor)->at > ((Numbers *)cursor)->end;
}

static int numbersColumn(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx,
                         int column) {
  (void)column;
  sqlite3_result_int64(ctx, ((Numbers *)cursor)->at);
  return SQLITE_OK;
}

static int numbersRowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  *rowid = ((Numbers *)cursor)->at;
  return SQLITE_OK;
}

static const sqlite3_module numbers = {.xConnect = numbersConnect,
                                       .xBestIndex = numbersBest,
                                       .xDisconnect = numbersDisconnect,
                                       .xOpen = numbersOpen,
                                       .xClose = numbersClose,
                                       .xFilter = numbersFilter,
                                       .xNext = numbersNext,
                                       .xEof = numbersEof,
                                       .xColumn = numbersColumn,
                                       .xRowid = numbersRowid};

/* Opens db. Loads the extension unless it is NULL, and returns how many nanoseconds that took. */
static uint64_t openAndLoad(const char *extension) {
  check(sqlite3_open(":memory:", &db) == SQLITE_OK);
  sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 1, (int *)NULL);
  const uint64_t start = bench_now();
  if (extension) check(sqlite3_load_extension(db, extension, NULL, NULL) == SQLITE_OK);
  return bench_now() - start;
}

static uint64_t runOpen(const void *arg, const uint8_t *text, size_t size) {
  (void)text, (void)size;
  openAndLoad(arg);
  sqlite3_close(db);
  return 1;
}

/* Measures the first load of the process, and later ones in connections of their own. */
static void measureLoad(const char *extension) {
  const uint64_t first = openAndLoad(extension);
  BenchCandidate candidate[] = {{"open, close", runOpen, NULL, 0},
                                {"open, load, close", runOpen, extension, 0}};
  sqlite3_close(db);
  bench_compare_calls(candidate, 2);
  bench_print("load", "none", 0, "first load", (double)first, "ns");
  bench_print_times("load", "none", 0, candidate, 2, 1);
}

static void openDatabase(const char *extension) {
  int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
  openAndLoad(extension);
  sqlite3_create_function(db, "fetch", 1, flags, NULL, fetch, NULL, NULL);
  sqlite3_create_function(db, "empty", 1, flags, NULL, empty, NULL, NULL);
  check(sqlite3_create_module(db, "numbers", &numbers, NULL) == SQLITE_OK);
}

/* ---- statements as candidates ----------------------------------------------------- */

static sqlite3_stmt *prepare(const char *sql) {
  sqlite3_stmt *stmt;
  check(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK);
  return stmt;
}

static uint64_t runStatement(const void *arg, const uint8_t *text, size_t size) {
  sqlite3_stmt *stmt = (sqlite3_stmt *)(uintptr_t)arg;
  uint64_t rows = 0;
  (void)text, (void)size;
  while (sqlite3_step(stmt) == SQLITE_ROW) rows++;
  check(sqlite3_reset(stmt) == SQLITE_OK && rows > 0);
  return rows;
}

typedef struct Query {
  const char *name; /* in the results */
  const char *sql;
  const char *text; /* for ?1, ends in NUL; or NULL */
} Query;

static sqlite3_stmt *prepareQuery(const Query *query) {
  sqlite3_stmt *stmt = prepare(query->sql);
  /* -1 promises a NUL at the end; with a size SQLite would copy the text to add one. */
  if (query->text) sqlite3_bind_text(stmt, 1, query->text, -1, SQLITE_STATIC);
  return stmt;
}

enum { QUERIES_MAX = 12 };

/* Compares the statements, of which the last has no name. Prints the nanoseconds that each
** takes for one of `units` rows or bytes. */
static void compareQueries(const char *task, const char *corpus, size_t size,
                           const Query *query, size_t units) {
  BenchCandidate candidate[QUERIES_MAX];
  size_t count = 0;
  for (; query[count].name; count++)
    candidate[count] = (BenchCandidate){query[count].name, runStatement,
                                        prepareQuery(&query[count]), 0};
  bench_compare_calls(candidate, count);
  bench_print_times(task, corpus, size, candidate, count, units);
  for (size_t i = 0; i < count; i++)
    sqlite3_finalize((sqlite3_stmt *)(uintptr_t)candidate[i].arg);
}

/* Returns text that ends in NUL and has no other NUL. */
static char *newText(const char *corpus, size_t size) {
  char *text = (char *)bench_corpus(corpus, size + 1);
  for (size_t i = 0; i < size; i++)
    if (!text[i]) text[i] = ' ';
  text[size] = 0;
  return text;
}

/* ---- rows of a table -------------------------------------------------------------- */

static void fillTable(const char *corpus, size_t length, size_t total) {
  uint8_t *text = bench_corpus(corpus, total);
  BenchInput input = bench_split(text, total, length, length);
  sqlite3_exec(db, "DROP TABLE IF EXISTS t; CREATE TABLE t(x TEXT); BEGIN", NULL, NULL,
               NULL);
  sqlite3_stmt *insert = prepare("INSERT INTO t VALUES (?1)");
  for (size_t i = 0; i < input.count; i++) {
    sqlite3_bind_text(insert, 1, (const char *)text + input.offsets[i], (int)length,
                      SQLITE_STATIC);
    check(sqlite3_step(insert) == SQLITE_DONE);
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  sqlite3_exec(db, "COMMIT", NULL, NULL, NULL);
  free((void *)(uintptr_t)input.offsets);
  free(text);
}

static void measureRows(const char *corpus, size_t length) {
  static const Query query[] = {
      {"scan", "SELECT count(x) FROM t", NULL},
      {"empty function", "SELECT count(empty(x)) FROM t", NULL},
      {"fetch", "SELECT count(fetch(x)) FROM t", NULL},
      {"utf8_valid", "SELECT count(utf8_valid(x)) FROM t", NULL},
      {"utf8_error", "SELECT count(utf8_error(x) IS NULL) FROM t", NULL},
      {"length", "SELECT count(length(x)) FROM t", NULL},
      {"utf8_codepoints", "SELECT count(utf8_codepoints(x)) FROM t", NULL},
      {"utf8_repair", "SELECT count(utf8_repair(x)) FROM t", NULL},
      {NULL, NULL, NULL}};
  size_t total = length < KB ? MB : 4 * MB;
  fillTable(corpus, length, total);
  compareQueries("rows", corpus, length, query, total / length);
}

/* ---- inserts into tables with a CHECK ------------------------------------------------ */

static const struct {
  const char *name; /* in the results */
  const char *check;
} checks[] = {{"no CHECK", ""},
              {"utf8_valid", " CHECK (utf8_valid(x))"},
              {"empty function", " CHECK (empty(x))"},
              {"fetch", " CHECK (fetch(x))"},
              {"typeof", " CHECK (typeof(x) = 'text')"},
              {"length", " CHECK (length(x) > 0)"},
              {"GLOB", " CHECK (x GLOB '*')"}};
enum { CHECKS = sizeof checks / sizeof *checks };

typedef struct Inserts {
  sqlite3_stmt *begin, *insert, *rollback;
  BenchInput values;
} Inserts;

/* Binds each value with its size, as drivers do, and inserts it. The rollback leaves the table
** empty for the next call. */
static uint64_t runInserts(const void *arg, const uint8_t *text, size_t size) {
  const Inserts *inserts = arg;
  const BenchInput *values = &inserts->values;
  (void)text, (void)size;
  sqlite3_step(inserts->begin);
  for (size_t i = 0; i < values->count; i++) {
    const uint32_t at = values->offsets[i];
    sqlite3_bind_text(inserts->insert, 1, (const char *)values->text + at,
                      (int)(values->offsets[i + 1] - at), SQLITE_STATIC);
    check(sqlite3_step(inserts->insert) == SQLITE_DONE);
    sqlite3_reset(inserts->insert);
  }
  sqlite3_step(inserts->rollback);
  sqlite3_reset(inserts->begin);
  check(sqlite3_reset(inserts->rollback) == SQLITE_OK);
  return values->count;
}

static Inserts newInserts(size_t i, BenchInput values) {
  char sql[100];
  snprintf(sql, sizeof sql, "DROP TABLE IF EXISTS t%zu; CREATE TABLE t%zu(x TEXT%s)", i,
           i, checks[i].check);
  check(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
  snprintf(sql, sizeof sql, "INSERT INTO t%zu VALUES (?1)", i);
  return (Inserts){prepare("BEGIN"), prepare(sql), prepare("ROLLBACK"), values};
}

static void endInserts(Inserts *inserts) {
  sqlite3_finalize(inserts->begin);
  sqlite3_finalize(inserts->insert);
  sqlite3_finalize(inserts->rollback);
}

static void measureChecks(const char *corpus, size_t length) {
  const size_t total = length < KB ? MB / 4 : 2 * MB;
  uint8_t *text = bench_corpus(corpus, total);
  const BenchInput values = bench_split(text, total, length, length);
  BenchCandidate candidate[CHECKS];
  Inserts inserts[CHECKS];
  for (size_t i = 0; i < CHECKS; i++) {
    inserts[i] = newInserts(i, values);
    candidate[i] = (BenchCandidate){checks[i].name, runInserts, &inserts[i], 0};
  }
  bench_compare_calls(candidate, CHECKS);
  bench_print_times("insert", corpus, length, candidate, CHECKS, values.count);
  for (size_t i = 0; i < CHECKS; i++) endInserts(&inserts[i]);
  free((void *)(uintptr_t)values.offsets);
  free(text);
}

/* ---- long values ------------------------------------------------------------------ */

/* Returns the statement's only result. Free it with sqlite3_free(). */
static char *newResult(const char *sql, const char *text) {
  Query query = {NULL, sql, text};
  sqlite3_stmt *stmt = prepareQuery(&query);
  check(sqlite3_step(stmt) == SQLITE_ROW);
  char *result = sqlite3_mprintf("%s", sqlite3_column_text(stmt, 0));
  if (!result) bench_fail("no memory");
  sqlite3_finalize(stmt);
  return result;
}

static size_t countResult(const char *sql, const char *text) {
  char *result = newResult(sql, text);
  size_t count = strtoull(result, NULL, 10);
  sqlite3_free(result);
  return count;
}

/* Compares utf8_each with json_each of an array of the code points, and with `numbers`. */
static void measureEach(const char *corpus) {
  char *text = newText(corpus, 100 * KB);
  char *json = newResult("SELECT json_group_array(codepoint) FROM utf8_each(?1)", text);
  size_t rows = countResult("SELECT count(*) FROM utf8_each(?1)", text);
  char rowsText[32];
  snprintf(rowsText, sizeof rowsText, "%zu", rows);
  const Query query[] = {
      {"utf8_each: count", "SELECT count(*) FROM utf8_each(?1)", text},
      {"numbers: count", "SELECT count(*) FROM numbers(?1)", rowsText},
      {"json_each: count", "SELECT count(*) FROM json_each(?1)", json},
      {"utf8_each: two columns", "SELECT offset, codepoint FROM utf8_each(?1)", text},
      {"numbers: two columns", "SELECT a, b FROM numbers(?1)", rowsText},
      {"json_each: two columns", "SELECT key, value FROM json_each(?1)", json},
      {"utf8_each: two sums", "SELECT sum(offset), sum(codepoint) FROM utf8_each(?1)",
       text},
      {"numbers: two sums", "SELECT sum(a), sum(b) FROM numbers(?1)", rowsText},
      {"json_each: two sums", "SELECT sum(key), sum(value) FROM json_each(?1)", json},
      {NULL, NULL, NULL}};
  check(rows == countResult("SELECT count(*) FROM json_each(?1)", json));
  compareQueries("each", corpus, 100 * KB, query, rows);
  sqlite3_free(json);
  free(text);
}

static void measureLong(const char *corpus, size_t size) {
  char *text = newText(corpus, size);
  const Query query[] = {
      {"utf8_valid", "SELECT utf8_valid(?1)", text},
      {"errors only", "SELECT count(*) FROM utf8_each(?1) WHERE error > ''", text},
      {"utf8_codepoints", "SELECT utf8_codepoints(?1)", text},
      {"length", "SELECT length(?1)", text},
      {"utf8_repair", "SELECT utf8_repair(?1)", text},
      {NULL, NULL, NULL}};
  compareQueries("long", corpus, size, query, size);
  free(text);
}

int main(int argc, char **argv) {
  static const char *const corpus[] = {"ascii", "all", NULL};
  const char *extension = argc > 1 ? argv[1] : "./utf8ext";
  bench_start();
  measureLoad(extension);
  openDatabase(extension);
  for (size_t i = 0; corpus[i]; i++) {
    measureRows(corpus[i], 24);
    measureRows(corpus[i], 100);
    measureRows(corpus[i], 1000);
    measureChecks(corpus[i], 24);
    measureChecks(corpus[i], 100);
    measureChecks(corpus[i], 500);
    measureChecks(corpus[i], 2000);
    measureEach(corpus[i]);
    measureLong(corpus[i], MB);
    measureLong(corpus[i], bench_quick() ? 10 * MB : 100 * MB);
  }
  for (size_t i = 0; bench_damaged[i]; i++) measureLong(bench_damaged[i], MB);
  sqlite3_close(db);
  return 0;
}
