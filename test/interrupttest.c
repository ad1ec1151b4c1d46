/* interrupttest.c: checks that an interrupt inside a long value ends each function, and that how
** a value is cut into chunks changes no result.
**
**     build/interrupttest ./utf8ext.so build/chunks/utf8ext.so
**
** The second library is compiled with a small UTF8_CHUNK, so that a value of 200 bytes is long.
** It gets SQLite's table of functions with another sqlite3_is_interrupted(), which counts its
** calls and returns 1 at one of them. Each statement must then fail with SQLITE_INTERRUPT,
** whichever call that is; and without an interrupt return what the first library returns.
*/
#include "test/statements.h"
#include "test/words.h"

/* ---- SQLite's table of functions, with another sqlite3_is_interrupted() ----------------- */

enum { IS_INTERRUPTED = 266 }; /* since 3.41.0 */
static int asked;              /* how often */
static int interrupt_at;       /* the call that returns 1, or 0 */

static int isInterrupted(sqlite3 *db) {
  (void)db;
  return ++asked == interrupt_at;
}

static int versionNumber(void) {
  const int actual = sqlite3_libversion_number();
  return actual < 3041000 ? 3041000 : actual;
}

static void changeTable(void) {
  table.api.libversion_number = versionNumber;
  table.slots[IS_INTERRUPTED] = (Function *)isInterrupted;
}

/* ---- databases --------------------------------------------------------------------------- */

enum { WHOLE, CHUNKED, LIBRARIES };
static Init *init[LIBRARIES];
static sqlite3 *databases[LIBRARIES];

static unsigned char text_encoding; /* of the databases */

static void openDatabases(const char *encoding) {
  text_encoding = encodingNamed(encoding);
  for (int i = 0; i < LIBRARIES; i++) {
    sqlite3_open(":memory:", &databases[i]);
    char *sql = sqlite3_mprintf("PRAGMA encoding = '%s'; CREATE TABLE t(c)", encoding);
    check(sqlite3_exec(databases[i], sql, NULL, NULL, NULL) == SQLITE_OK, sql, "");
    check(init[i](databases[i], NULL, &table.api) == SQLITE_OK, "it loads", encoding);
    sqlite3_free(sql);
  }
}

static void closeDatabases(void) {
  for (int i = 0; i < LIBRARIES; i++) sqlite3_close(databases[i]);
}

/* Binds bytes to ?1 and ?2, and runs the statement. Stores all rows as text in *text, to
** be freed with sqlite3_free(). Returns SQLITE_DONE or an error code. */
static int run(int library, const char *sql, const char *bytes, size_t size,
               char **text) {
  sqlite3_str *rows = sqlite3_str_new(NULL);
  asked = 0;
  sqlite3 *db = databases[library];
  const int rc = appendRows(rows, db, sql, bytes, size, text_encoding);
  const char *error = rc == SQLITE_DONE ? "none" : sqlite3_errmsg(db);
  sqlite3_str_appendf(rows, "Error: %s", error);
  *text = sqlite3_str_finish(rows);
  return rc;
}

/* ---- the two properties --------------------------------------------------------------------- */

enum { CALLS_MIN = 2 };

/* Interrupts the statement at its first calls, at the last ones and at some between. */
static void checkInterrupts(const char *sql, const char *bytes, size_t size) {
  char *whole, *text;
  interrupt_at = 0;
  const int done = run(CHUNKED, sql, bytes, size, &whole) == SQLITE_DONE;
  check(done, "it runs", sql);
  const int calls = asked;
  check(calls >= CALLS_MIN, "it asks for interrupts", sql);
  for (int n = 1; n <= calls; n += n < 30 || n > calls - 5 ? 1 : 1 + calls / 20) {
    interrupt_at = n;
    const int rc = run(CHUNKED, sql, bytes, size, &text);
    check(rc == SQLITE_INTERRUPT, "an interrupt ends it", sql);
    char *error = strstr(text, "Error: interrupted");
    check(error && strncmp(whole, text, (size_t)(error - text)) == 0,
          "it returns whole rows only", sql);
    sqlite3_free(text);
  }
  interrupt_at = 0;
  sqlite3_free(whole);
}

static void checkSame(const char *sql, const char *bytes, size_t size) {
  char *whole, *chunked;
  run(WHOLE, sql, bytes, size, &whole);
  run(CHUNKED, sql, bytes, size, &chunked);
  const int same = strcmp(whole, chunked) == 0;
  check(same, "chunks do not change the result", sql);
  if (!same && failed < 5)
    printf("  whole:   %.400s\n  chunked: %.400s\n", whole, chunked);
  sqlite3_free(whole);
  sqlite3_free(chunked);
}

static void checkSameOn(const Statement *statement, const char *x, const char *bytes,
                        size_t size) {
  char *sql = statementOn(statement->sql, x);
  checkSame(sql, bytes, size);
  sqlite3_free(sql);
}

static void fillTable(const char *bytes, size_t size) {
  char *none;
  for (int i = 0; i < LIBRARIES; i++) {
    run(i, "DELETE FROM t", NULL, 0, &none);
    sqlite3_free(none);
    run(i, "INSERT INTO t VALUES (" TEXT "), ('x'), (x'ff')", bytes, size, &none);
    sqlite3_free(none);
  }
}

static void checkSamples(void) {
  for (int i = 0; i < STATEMENTS; i++) {
    const char *bytes = makeSample(statements[i].sample);
    for (int is_text = 0; is_text < 2; is_text++) {
      char *sql = statementOn(statements[i].sql, is_text ? TEXT : "?1");
      checkInterrupts(sql, bytes, SAMPLE_SIZE);
      checkSame(sql, bytes, SAMPLE_SIZE);
      sqlite3_free(sql);
    }
  }
  for (int i = 0; i < AUDITS; i++) {
    fillTable(makeSample(audits[i].sample), SAMPLE_SIZE);
    checkInterrupts(audits[i].sql, NULL, 0);
    checkSame(audits[i].sql, NULL, 0);
  }
}

/* ---- random values ---------------------------------------------------------------------------- */

static uint32_t seed = 1;
static uint32_t below(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % n;
}

/* Fills bytes with pieces that are long, ill-formed, misread or invisible, at random places. */
static size_t randomValue(char *bytes, size_t size_max) {
  static const char pieces[] =
      "a|bcdefgh| |\n|\xc3\xa9|\xe2\x82\xac|\xf0\x9f\x98\x80|\xff|\xe2\x82|\xc0\x80|"
      "\xed\xa0\xbd\xed\xb8\x80|\xed\xa0\xbd|\xc3\x83\xc2\xa9|\xe2\x80\x8b|"
      "\xef\xbb\xbf|\x07|\xcf\xf0\xe8\xe2\xe5\xf2|\x1b$B|\xef\xbf\xbf|"
      "\xc3\xa2\xe2\x82\xac\xe2\x84\xa2|\xf1\x80\x80";
  const int is_well_formed = below(2) == 0;
  const uint32_t kinds = is_well_formed ? 7 : word_count(pieces);
  char word[WORD_MAX];
  size_t size = 0;
  const size_t end = below((uint32_t)size_max - 16);
  while (size < end) {
    const char *piece = word_of(pieces, below(kinds), word);
    const size_t length = strlen(piece);
    memcpy(bytes + size, piece, length);
    size += length;
  }
  return size;
}

static void checkRandom(int rounds) {
  _Alignas(2) char bytes[600];
  for (int round = 0; round < rounds; round++) {
    const size_t size = randomValue(bytes, sizeof bytes);
    const char *x = round % 2 ? TEXT : "?1";
    for (int i = 0; i < STATEMENTS; i++) checkSameOn(&statements[i], x, bytes, size);
    for (int i = 0; i < BRIEF; i++) checkSameOn(&brief[i], x, bytes, size);
    if (round % 4) continue;
    fillTable(bytes, size);
    for (int i = 0; i < AUDITS; i++) checkSame(audits[i].sql, NULL, 0);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "interrupttest: which two extensions?\n");
    return 1;
  }
  if (sqlite3_libversion_number() < 3040001) {
    printf(
        "SKIPPED: interrupts: SQLite's table of functions is complete since 3.40.1\n");
    printf("0 passed, 0 failed\n");
    return 0;
  }
  init[WHOLE] = entryPoint(argv[1]);
  init[CHUNKED] = entryPoint(argv[2]);
  makeTable();
  changeTable();
  openDatabases("UTF-8");
  checkSamples();
  checkRandom(100);
  closeDatabases();
  static const char *const utf16[] = {"UTF-16le", "UTF-16be"};
  for (int i = 0; i < 2; i++) {
    openDatabases(utf16[i]);
    checkRandom(50);
    closeDatabases();
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
