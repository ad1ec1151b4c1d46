/* callstest.c: each call of SQLite that can fail fails in turn.
**
**     build/callstest ./utf8ext.so
**
** The extension gets SQLite's table of functions with other ones, which count their calls, and fail at
** one of them: as if memory ran out, or, where a statement moves to its next row, as if a page were
** damaged or the disk failed. Then a statement returns what it returns otherwise, or an error, or
** reports that something is unreadable; and no memory is lost. This reaches calls that do not fail for
** each allocation (test/fault/), such as sqlite3_value_text() where SQLite has the text already.
*/
#include <limits.h>

#include "test/failcalls.h"

#define LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- a database ------------------------------------------------------------------------------ */

static sqlite3 *db;
static Init *init;

static const char schema[] =
    "CREATE TABLE t(c);"
    "CREATE TABLE w(v, k1, k2, k3 REAL, PRIMARY KEY(k1 DESC, k2, k3)) WITHOUT ROWID;"
    "CREATE TABLE hidden(rowid, oid, _rowid_);"
    "CREATE TABLE auto(id INTEGER PRIMARY KEY AUTOINCREMENT, v, g AS (v || '!'));"
    "CREATE TABLE odd(rowid, oid, _rowid_, \"i\"\"d\" INTEGER PRIMARY KEY);"
    "WITH n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 12)"
    "  INSERT INTO w SELECT x, CASE WHEN i % 2 THEN x ELSE i END, i, 1e300 / i FROM n, "
    "(SELECT ?1 AS x);"
    "INSERT INTO hidden SELECT v, v, v FROM w LIMIT 2;"
    "INSERT INTO auto(v) SELECT v FROM w;"
    "INSERT INTO odd SELECT v, v, v, k2 FROM w LIMIT 2;"
    "INSERT INTO sqlite_sequence SELECT v, 1 FROM w LIMIT 1;";

static unsigned char text_encoding; /* of the database */

/* Runs the statements of sql, with bytes for ?1: TEXT, which may be ill-formed. */
static int runAll(const char *sql, const char *bytes, size_t size) {
  int rc = SQLITE_OK;
  while (rc == SQLITE_OK && *sql) {
    sqlite3_stmt *stmt = NULL;
    rc = sqlite3_prepare_v2(db, sql, -1, &stmt, &sql);
    if (stmt) sqlite3_bind_text64(stmt, 1, bytes, size, SQLITE_STATIC, text_encoding);
    while (stmt && sqlite3_step(stmt) == SQLITE_ROW) {
    }
    rc = stmt ? sqlite3_finalize(stmt) : rc;
  }
  return rc;
}

static void makeTables(const char *sql, const char *bytes, size_t size) {
  check(runAll(sql, bytes, size) == SQLITE_OK, "the tables are made", sql);
}

static void openDatabase(const char *encoding) {
  fail_at = 0;
  text_encoding = encodingNamed(encoding);
  sqlite3_open(":memory:", &db);
  char *sql = sqlite3_mprintf("PRAGMA encoding = '%s'", encoding);
  check(runAll(sql, NULL, 0) == SQLITE_OK, sql, "");
  sqlite3_free(sql);
  check(init(db, NULL, &table.api) == SQLITE_OK, "it loads", encoding);
}

/* Binds bytes to ?1 and ?2, and runs the statement. Stores its rows in *rows, to be freed with
** sqlite3_free(). Returns SQLITE_DONE or an error code. */
static int run(const char *sql, const char *bytes, size_t size, char **rows) {
  sqlite3_str *text = sqlite3_str_new(NULL);
  sqlite3_str_appendall(text, "\n");
  calls = 0;
  lost = NULL;
  const int rc = appendRows(text, db, sql, bytes, size, text_encoding);
  *rows = sqlite3_str_finish(text);
  return rc;
}

/* ---- the property ------------------------------------------------------------------------------ */

static int countRows(const char *rows) {
  int count = 0;
  for (; *rows; rows++) count += *rows == '\n';
  return count;
}

/* A row keeps what could be read of it if a part of it could not, so that only rows are counted. */
static int isSame(const char *whole, const char *rows) {
  return step_fails ? countRows(whole) == countRows(rows) : strcmp(whole, rows) == 0;
}

/* Lets call number n of the statement fail, which returned `whole` and whole_rc without that. */
static void checkFailure(const char *sql, const char *bytes, size_t size, int n,
                         int whole_rc, const char *whole) {
  char *rows;
  fail_at = n;
  const int rc = run(sql, bytes, size, &rows);
  const int reports = rc != SQLITE_DONE || strstr(rows, "unreadable");
  const int is_right = reports || (whole_rc == rc && isSame(whole, rows));
  check(is_right, "it fails, or returns the same", sql);
  if (!is_right && failed < 5)
    printf("  call %d, each %d., %d in all, step %d: %.600s\n  whole: %.600s\n", n,
           failures.every, failures.count, step_fails, rows, whole);
  sqlite3_free(rows);
}

static const int steps[] = {0, SQLITE_CORRUPT, SQLITE_IOERR, SQLITE_INTERRUPT,
                            SQLITE_TOOBIG};

/* Lets calls of the statement fail: each of the first, and `some` after them, in each of these ways. */
static void checkFailures(const char *sql, const char *bytes, size_t size, int some,
                          const Failures *ways, int count) {
  for (size_t i = 0; i < LENGTH(steps); i++) {
    char *whole;
    step_fails = steps[i];
    fail_at = 0;
    const int rc = run(sql, bytes, size, &whole), all = calls;
    for (int n = 1; n <= all; n += n < some ? 1 : 1 + all / some) {
      for (int j = 0; j < count; j++) {
        failures = ways[j];
        checkFailure(sql, bytes, size, n, rc, whole);
      }
    }
    sqlite3_free(whole);
  }
  step_fails = fail_at = 0;
}

/* Lets each call fail, or some, if there are many: once, and from then on. */
static void checkMany(const char *sql, const char *bytes, size_t size) {
  static const Failures ways[] = {{1, 1}, {1, INT_MAX}};
  checkFailures(sql, bytes, size, 60, ways, 2);
}

/* Lets each call fail: once, from then on, a few times, or as often as a search takes. */
static void checkEach(const char *sql) {
  static const Failures ways[] = {{1, 1}, {1, INT_MAX}, {1, 2},
                                  {1, 3}, {3, 2},       {1, 3000}};
  char *rows;
  checkFailures(sql, NULL, 0, INT_MAX, ways, 6);
  const int rc = run(sql, NULL, 0, &rows);
  check(rc == SQLITE_DONE && countRows(rows) > 2, "it has rows", sql);
  sqlite3_free(rows);
}

/* ---- statements ----------------------------------------------------------------------------------- */

/* Statements with other columns, or with errors whose messages need memory. */
static const struct Statement more[] = {
    {"SELECT * FROM utf8_each(X)", &pasted},
    {"SELECT count(*) FROM utf8_charsets", &plain},
    {"SELECT utf8_codepoints(length(X)), utf8_valid(length(X) / 2.0)", &plain},
    {"SELECT utf8_valid(X, 'utf-9'), 1", &plain},
    {"SELECT utf8_valid('x', X)", &plain},
    {"SELECT utf8_repair(X, 'trim', '?')", &plain},
    {"SELECT utf8_repair('x', 'run', X)", &broken},
    {"SELECT utf8_to(X, 'ascii', 'replacement', X)", &plain},
    {"SELECT utf8_to(X, 'ascii', 'replace', 'x')", &plain},
    {"SELECT utf8_to('x', 'ascii', 'closest', X)", &plain},
    {"SELECT hex(utf8_truncate(X, 5000))", &plain},
    {"SELECT hex(utf8_strip_bom(X))", &plain},
    {"SELECT utf8_truncate(X, -1)", &plain},
    {"SELECT utf8_validate(X, 'label')", &broken},
    {"SELECT utf8_strip(X, 'bom')", &plain},
    {"SELECT utf8_clean(X, 'x')", &plain},
    {"SELECT utf8_unescape(X, 'x')", &plain},
    {"SELECT utf8_normalize(X, 'x')", &plain},
    {"SELECT utf8_demojibake(X, 'x')", &plain},
    {"SELECT utf8_detect_column(X), utf8_version(), utf8_debug() > ''", &plain},
    {"SELECT * FROM utf8_each(X, 'utf-9')", &plain},
    {"SELECT utf8_charset_name(X)", &plain},
    {"SELECT utf8_detect_column(X || X || X || X || X)", &broken},
    {"SELECT * FROM utf8_audit('nowhere')", &plain},
    {"SELECT * FROM utf8_audit('main', 'nothing')", &plain},
    {"SELECT * FROM utf8_audit('main', 'auto', 2)", &plain},
};

/* Without probability and readings, since a value that decides without its neighbours has others. */
#define WITH_REPAIRS                                                                   \
  "SELECT schema, table_name, column_name, key, offset, error, errors, repair_sql, "   \
  "value, undo_sql, cause, repaired, repair_call FROM utf8_audit('main', 'auto', 1)"

static const char *const audited[] = {
    "SELECT * FROM utf8_audit",
    "SELECT key, error FROM utf8_audit WHERE schema = 'main'",
    WITH_REPAIRS,
    "SELECT error, repair_sql, undo_sql, repaired FROM utf8_audit('main', 'gbk')",
};

/* Few values, so that each call can fail: a row with the highest rowid, a key of text, names in use. */
static const char few_schema[] =
    "CREATE TABLE t(v);"
    "INSERT INTO t(rowid, v) SELECT column1, x FROM"
    " (VALUES (1), (9), (9223372036854775807)), (SELECT ?1 AS x);"
    "CREATE TABLE w(k PRIMARY KEY, v) WITHOUT ROWID;"
    "INSERT INTO w SELECT column1, x FROM"
    " (VALUES ('a'), ('b'), ('c')), (SELECT ?1 AS x);"
    "CREATE TABLE a(id INTEGER PRIMARY KEY AUTOINCREMENT);"
    "INSERT INTO sqlite_sequence SELECT ?1, 1;";

/* Columns of which one cannot be read. */
static const char wide_schema[] =
    "CREATE TABLE t(a, b, c, d, e AS (a COLLATE gone < b));"
    "INSERT INTO t SELECT 1, 2, 3, ?1;";

static void checkOn(const struct Statement *statement, size_t size) {
  const char *bytes = makeSample(statement->sample);
  for (int is_text = 0; is_text < 2; is_text++) {
    char *sql = statementOn(statement->sql, is_text ? TEXT : "?1");
    checkMany(sql, bytes, size);
    sqlite3_free(sql);
  }
}

static int compareNothing(void *unused, int size, const void *a, int other,
                          const void *b) {
  (void)unused, (void)size, (void)a, (void)other, (void)b;
  return 0;
}

/* Opens a database with these tables. The collating sequence of a column is removed afterwards. */
static void openFew(const char *encoding, const char *tables, const char *bytes,
                    size_t size) {
  openDatabase(encoding);
  sqlite3_create_collation(db, "gone", SQLITE_UTF8, NULL, compareNothing);
  makeTables(tables, bytes, size);
  sqlite3_create_collation(db, "gone", SQLITE_UTF8, NULL, NULL);
}

static void checkFew(const char *encoding, const char *bytes, size_t size) {
  openFew(encoding, few_schema, bytes, size);
  checkEach(WITH_REPAIRS);
  checkEach("SELECT key, error, repair_sql, undo_sql, repaired FROM utf8_audit");
  sqlite3_close(db);
  openFew(encoding, wide_schema, bytes, size);
  checkEach("SELECT column_name, error FROM utf8_audit");
  sqlite3_close(db);
}

static void checkEncoding(const char *encoding) {
  static const char name[] = "Pr\xd8\xd8\xd8\xd8"; /* ill-formed in each encoding */
  openDatabase(encoding);
  for (size_t i = 0; i < STATEMENTS; i++) checkOn(&statements[i], SAMPLE_SIZE);
  for (size_t i = 0; i < LENGTH(more); i++) checkOn(&more[i], 100);
  makeTables(schema, name, sizeof name - 1);
  for (size_t i = 0; i < LENGTH(audited); i++) checkMany(audited[i], NULL, 0);
  sqlite3_close(db);
  checkFew(encoding, name, sizeof name - 1);
}

/* ---- loading ---------------------------------------------------------------------------------- */

/* Loads the extension, and lets call number n fail. */
static int loadFailing(int n, char **message) {
  makeUntested();
  calls = 0;
  fail_at = n;
  const int rc = init(db, message, &table.api);
  fail_at = 0;
  return rc;
}

/* A load that fails leaves nothing behind, and the next one succeeds. */
static void checkLoading(void) {
  int rc = SQLITE_ERROR;
  for (int n = 1; rc != SQLITE_OK; n++) {
    char *message = NULL, *rows;
    sqlite3_open(":memory:", &db);
    rc = loadFailing(n, &message);
    const int has = run("SELECT utf8_valid('x')", NULL, 0, &rows) == SQLITE_DONE;
    check(has == (rc == SQLITE_OK), "a load that fails leaves nothing behind", "");
    sqlite3_free(rows);
    sqlite3_free(message);
    check(init(db, NULL, &table.api) == SQLITE_OK, "the next load succeeds", "");
    sqlite3_close(db);
  }
}

/* While a statement runs, SQLite keeps the functions: a load that fails leaves them as they are, and
** the next one succeeds. */
static void checkReloading(void) {
  static const char sql[] = "VALUES (utf8_valid('x')), (utf8_valid('y'))";
  int rc = SQLITE_ERROR;
  for (int n = 1; rc != SQLITE_OK; n++) {
    sqlite3_stmt *stmt = NULL;
    openDatabase("UTF-8");
    sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
    check(sqlite3_step(stmt) == SQLITE_ROW, "a statement runs", "");
    rc = loadFailing(n, NULL);
    check(sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_int(stmt, 0) == 1,
          "the statement goes on", "");
    check(init(db, NULL, &table.api) == SQLITE_OK, "the next load succeeds", "");
    sqlite3_finalize(stmt);
    sqlite3_close(db);
  }
}

int main(int argc, char **argv) {
  if (argc != 2) {
    fprintf(stderr, "callstest: which extension?\n");
    return 1;
  }
  init = entryPoint(argv[1]);
  makeTable();
  changeTable();
  checkLoading();
  checkReloading();
  static const char *const encodings[] = {"UTF-8", "UTF-16le", "UTF-16be"};
  for (int i = 0; i < 3; i++) checkEncoding(encodings[i]);
  check(sqlite3_memory_used() == 0, "all memory is freed", "");
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
