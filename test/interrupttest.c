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
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3ext.h"
#undef sqlite3_auto_extension
#undef sqlite3_bind_blob
#undef sqlite3_close
#undef sqlite3_column_count
#undef sqlite3_column_text
#undef sqlite3_errmsg
#undef sqlite3_exec
#undef sqlite3_finalize
#undef sqlite3_free
#undef sqlite3_libversion_number
#undef sqlite3_mprintf
#undef sqlite3_open
#undef sqlite3_prepare_v2
#undef sqlite3_reset
#undef sqlite3_reset_auto_extension
#undef sqlite3_step
#undef sqlite3_str_appendall
#undef sqlite3_str_appendf
#undef sqlite3_str_finish
#undef sqlite3_str_new

typedef int Init(sqlite3 *, char **, const sqlite3_api_routines *);

static int passed, failed;

static void check(int ok, const char *what, const char *sql) {
  if (ok) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s: %s\n", what, sql);
  }
}

/* ---- SQLite's table of functions, with another sqlite3_is_interrupted() ----------------- */

enum { IS_INTERRUPTED = 266, SLOTS = 400 }; /* since 3.41.0 */

typedef void Function(void);
static union {
  sqlite3_api_routines api;
  Function *slots[SLOTS];
} table;

static int asked;        /* how often */
static int interrupt_at; /* the call that returns 1, or 0 */

static int isInterrupted(sqlite3 *db) {
  (void)db;
  return ++asked == interrupt_at;
}

static int versionNumber(void) {
  const int actual = sqlite3_libversion_number();
  return actual < 3041000 ? 3041000 : actual;
}

static int copyTable(sqlite3 *db, char **message, const sqlite3_api_routines *api) {
  (void)db, (void)message;
  table.api = *api;
  return SQLITE_OK;
}

static void makeTable(void) {
  sqlite3 *db = NULL;
  sqlite3_auto_extension((void (*)(void))copyTable);
  sqlite3_open(":memory:", &db);
  sqlite3_close(db);
  sqlite3_reset_auto_extension();
}

static void changeTable(void) {
  table.api.libversion_number = versionNumber;
  table.slots[IS_INTERRUPTED] = (Function *)isInterrupted;
}

/* ---- databases --------------------------------------------------------------------------- */

enum { WHOLE, CHUNKED, LIBRARIES };
static Init *init[LIBRARIES];
static sqlite3 *databases[LIBRARIES];

static Init *entryPoint(const char *file) {
  Init *function = NULL;
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library) *(void **)&function = dlsym(library, "sqlite3_extension_init");
  if (function) return function;
  fprintf(stderr, "interrupttest: %s\n", dlerror());
  exit(1);
}

static void openDatabases(const char *encoding) {
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

/* Binds bytes to ?1, if there is one, and runs the statement. Stores all rows as text in *text, to
** be freed with sqlite3_free(). Returns SQLITE_DONE or an error code. */
static int run(int library, const char *sql, const char *bytes, size_t size,
               char **text) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_str *rows = sqlite3_str_new(NULL);
  asked = 0;
  int rc = sqlite3_prepare_v2(databases[library], sql, -1, &stmt, NULL);
  if (stmt) sqlite3_bind_blob(stmt, 1, bytes, (int)size, SQLITE_STATIC);
  while (stmt && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
      const char *column = (const char *)sqlite3_column_text(stmt, i);
      sqlite3_str_appendf(rows, "%s|", column ? column : "NULL");
    }
    sqlite3_str_appendall(rows, "\n");
  }
  const char *error = rc == SQLITE_DONE ? "none" : sqlite3_errmsg(databases[library]);
  sqlite3_str_appendf(rows, "Error: %s", error);
  sqlite3_finalize(stmt);
  *text = sqlite3_str_finish(rows);
  return rc;
}

/* ---- statements -------------------------------------------------------------------------- */

/* Samples: a start, what is repeated after it, and the end. A sample has SAMPLE_SIZE bytes, more than
** utf8_demojibake() can repair in one call. */
enum { SAMPLE_SIZE = 9000, CALLS_MIN = 2 };
typedef struct Sample {
  const char *start, *repeated, *end;
} Sample;

static const Sample plain = {"a", "b\xc3\xa9 ", ""};
static const Sample broken = {"\xff", "b\xc3\xa9 ", ""};
static const Sample full = {"\xff", "\xe2\x82 ", ""};
static const Sample surrogates = {"a", "\xed\xa0\xbd\xed\xb8\x80\xc0\x80z", ""};
static const Sample misread = {"caf\xc3\x83\xc2\xa9 ", "caf\xc3\x83\xc2\xa9\n", ""};
static const Sample cyrillic = {"\xcf\xf0\xe8\xe2\xe5\xf2 ", "\xec\xe8\xf0 ", ""};
static const Sample pasted = {"", "f\xc3\xbcr m\xc3\xb6gliche K\xc3\xb6nige, ",
                              "gr\xf6\xdfte \xc4nderungen"};
static const Sample invisible = {"\xe2\x80\x8b", "b\xe2\x80\x8b ", ""};
static const Sample marks = {"e", "e\xcc\x81 \xc3\x89", "\xff"};
static const Sample escaped = {"&lt;", "caf&eacute; ", "&gt"};
static const Sample mail = {"=?x", "=?utf-8?Q?caf=C3=A9?= ", "=?a"};
static const Sample decomposed = {" ", "e\xcc\x81\r\n\xe2\x80\x9c", " "};
static const Sample wide = {"a", "b", ""};
static const Sample late = {"a", "b\xc3\xa9 ", "\xff"};
static const Sample stray = {"\xff", "\x80", ""};

#define TEXT "CAST(?1 AS TEXT)"

static const struct Statement {
  const char *sql; /* starts with what ?1 is compared as */
  const Sample *sample;
} statements[] = {
    {"SELECT utf8_valid(X)", &plain},
    {"SELECT utf8_valid(X, 'wtf-8')", &plain},
    {"SELECT utf8_valid(X, 'rfc2044')", &plain},
    {"SELECT utf8_valid(X, 'mutf-8')", &surrogates},
    {"SELECT utf8_error(X)", &plain},
    {"SELECT utf8_error(X, 'cesu-8')", &plain},
    {"SELECT utf8_error_offset(X)", &plain},
    {"SELECT utf8_error_offset(X, 'utf-8b')", &full},
    {"SELECT quote(utf8_validate(X))", &plain},
    {"SELECT utf8_codepoints(X)", &broken},
    {"SELECT hex(utf8_repair(X))", &plain},
    {"SELECT hex(utf8_repair(X))", &broken},
    {"SELECT hex(utf8_repair(X, 'byte'))", &full},
    {"SELECT hex(utf8_repair(X, 'run'))", &full},
    {"SELECT hex(utf8_repair(X, 'cesu-8'))", &surrogates},
    {"SELECT hex(utf8_repair(X, 'trim'))", &full},
    {"SELECT hex(utf8_repair(X, 'escape'))", &full},
    {"SELECT hex(utf8_repair(X, 'cp437'))", &cyrillic},
    {"SELECT hex(utf8_repair(X, 'auto'))", &plain},
    {"SELECT hex(utf8_repair(X, 'auto'))", &broken},
    {"SELECT hex(utf8_repair(X, 'auto'))", &surrogates},
    {"SELECT hex(utf8_repair(X, 'auto'))", &cyrillic},
    {"SELECT hex(utf8_repair(X, 'auto'))", &pasted},
    {"SELECT hex(utf8_repair(X, 'subpart', ''))", &full},
    {"SELECT hex(utf8_repair(X, 'byte', '<replacement>'))", &full},
    {"SELECT hex(utf8_from(X, 'utf-8'))", &broken},
    {"SELECT hex(utf8_from(X, 'windows-1251'))", &cyrillic},
    {"SELECT hex(utf8_from(X, 'utf-16le'))", &wide},
    {"SELECT hex(utf8_from(X, 'utf-32be'))", &wide},
    {"SELECT hex(utf8_from(X, 'gb18030'))", &cyrillic},
    {"SELECT hex(utf8_from(X, 'iso-2022-jp'))", &plain},
    {"SELECT hex(utf8_from(X, 'cesu-8'))", &surrogates},
    {"SELECT quote(utf8_to(X, 'utf-8'))", &broken},
    {"SELECT quote(utf8_to(X, 'utf-16'))", &broken},
    {"SELECT quote(utf8_to(X, 'latin1'))", &plain},
    {"SELECT quote(utf8_to(X, 'gbk'))", &plain},
    {"SELECT quote(utf8_to(X, 'ascii', 'closest'))", &decomposed},
    {"SELECT utf8_detect(X)", &cyrillic},
    {"SELECT utf8_cause(X)", &broken},
    {"SELECT utf8_cause(X)", &cyrillic},
    {"SELECT utf8_cause(X)", &pasted},
    {"SELECT utf8_detect_column(X)", &cyrillic},
    {"SELECT utf8_detect_score(X, 'windows-1251')", &cyrillic},
    {"SELECT utf8_detect_score(X, 'gbk')", &plain},
    {"SELECT utf8_detect_score(X, 'utf-8')", &plain},
    {"SELECT utf8_mojibake(X)", &plain},
    {"SELECT utf8_mojibake(X)", &wide},
    {"SELECT hex(utf8_demojibake(X))", &plain},
    {"SELECT hex(utf8_demojibake(X))", &misread},
    {"SELECT hex(utf8_demojibake(X, 'windows-1252'))", &misread},
    {"SELECT hex(utf8_normalize(X))", &plain},
    {"SELECT hex(utf8_normalize(X))", &marks},
    {"SELECT hex(utf8_normalize(X, 'nfd'))", &marks},
    {"SELECT hex(utf8_normalize(X, 'nfkc_casefold'))", &marks},
    {"SELECT utf8_normalized(X)", &plain},
    {"SELECT hex(utf8_casefold(X))", &plain},
    {"SELECT hex(utf8_casefold(X))", &marks},
    {"SELECT hex(utf8_unescape(X, 'html'))", &escaped},
    {"SELECT hex(utf8_unescape(X, 'quoted-printable'))", &mail},
    {"SELECT hex(utf8_unescape(X, 'mime'))", &mail},
    {"SELECT hex(utf8_clean(X))", &plain},
    {"SELECT hex(utf8_clean(X))", &misread},
    {"SELECT hex(utf8_clean(X))", &cyrillic},
    {"SELECT hex(utf8_clean(X, 'nfkc,trim,quotes,lines'))", &decomposed},
    {"SELECT hex(utf8_clean(X, 'html,invisible,width'))", &escaped},
    {"SELECT utf8_suspect(X)", &plain},
    {"SELECT utf8_suspect_offset(X)", &plain},
    {"SELECT hex(utf8_strip(X, 'invisible'))", &plain},
    {"SELECT hex(utf8_strip(X, 'invisible'))", &invisible},
    {"SELECT hex(utf8_strip(X, 'control'))", &invisible},
    {"SELECT offset, error FROM utf8_each(X) WHERE error > ''", &plain},
    {"SELECT count(*), sum(offset) FROM utf8_each(X) WHERE error > ''", &broken},
    {"SELECT offset FROM utf8_each(X) WHERE error IS NULL", &stray},
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

/* The columns of utf8_audit for table t. */
static const struct Statement audits[] = {
    {"SELECT column_name, key, offset, error FROM utf8_audit", &late},
    {"SELECT errors FROM utf8_audit", &full},
    {"SELECT repair_sql FROM utf8_audit", &late},
    {"SELECT hex(value) FROM utf8_audit", &late},
    {"SELECT undo_sql FROM utf8_audit", &full},
    {"SELECT repair_sql, undo_sql FROM utf8_audit('main', 'auto')", &cyrillic},
    {"SELECT errors, repair_sql, undo_sql FROM utf8_audit('main', 'gbk')", &cyrillic},
    {"SELECT error FROM utf8_audit('main', 'subpart', 1)", &plain},
    {"SELECT error, errors FROM utf8_audit('main', 'subpart', 1)", &invisible},
    {"SELECT repair_sql, undo_sql FROM utf8_audit('main', 'subpart', 1)", &misread},
};
enum { AUDITS = sizeof audits / sizeof *audits };

/* Returns sql with x in place of X, to be freed with sqlite3_free(). */
static char *statementOn(const char *sql, const char *x) {
  const char *at = strstr(sql, "(X");
  if (!at) return sqlite3_mprintf("%s", sql);
  return sqlite3_mprintf("%.*s%s%s", (int)(at + 1 - sql), sql, x, at + 2);
}

static char *makeSample(const Sample *sample) {
  static char bytes[SAMPLE_SIZE];
  const size_t start = strlen(sample->start), repeated = strlen(sample->repeated);
  const size_t end = strlen(sample->end);
  memcpy(bytes, sample->start, start);
  for (size_t i = start; i < SAMPLE_SIZE; i++)
    bytes[i] = sample->repeated[(i - start) % repeated];
  memcpy(bytes + SAMPLE_SIZE - end, sample->end, end);
  return bytes;
}

/* ---- the two properties --------------------------------------------------------------------- */

/* Interrupts the statement at its first calls, at the last ones and at some between. */
static void checkInterrupts(const char *sql, const char *bytes, size_t size) {
  char *whole, *text;
  interrupt_at = 0;
  const int done = run(CHUNKED, sql, bytes, size, &whole) == SQLITE_DONE;
  check(done, "it runs", sql);
  const int calls = asked;
  check(calls >= CALLS_MIN, "it asks for interrupts", sql);
  for (int n = 1; n <= calls; n += n < 5 || n > calls - 5 ? 1 : 1 + calls / 20) {
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

static void fillTable(const char *bytes, size_t size) {
  char *none;
  for (int i = 0; i < LIBRARIES; i++) {
    run(i, "DELETE FROM t", NULL, 0, &none);
    sqlite3_free(none);
    run(i, "INSERT INTO t VALUES (CAST(?1 AS TEXT)), ('x'), (x'ff')", bytes, size,
        &none);
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
  static const char *const pieces[] = {
      "a",
      "bcdefgh",
      " ",
      "\n",
      "\xc3\xa9",
      "\xe2\x82\xac",
      "\xf0\x9f\x98\x80",
      "\xff",
      "\xe2\x82",
      "\xc0\x80",
      "\xed\xa0\xbd\xed\xb8\x80",
      "\xed\xa0\xbd",
      "\xc3\x83\xc2\xa9",
      "\xe2\x80\x8b",
      "\xef\xbb\xbf",
      "\x07",
      "\xcf\xf0\xe8\xe2\xe5\xf2",
      "\x1b$B",
      "\xef\xbf\xbf",
      "\xc3\xa2\xe2\x82\xac\xe2\x84\xa2",
      "\xf1\x80\x80",
  };
  const int is_well_formed = below(2) == 0;
  const uint32_t kinds = is_well_formed ? 7 : sizeof pieces / sizeof *pieces;
  size_t size = 0;
  const size_t end = below((uint32_t)size_max - 16);
  while (size < end) {
    const char *piece = pieces[below(kinds)];
    const size_t length = strlen(piece);
    memcpy(bytes + size, piece, length);
    size += length;
  }
  return size;
}

static void checkRandom(int rounds) {
  char bytes[600];
  for (int round = 0; round < rounds; round++) {
    const size_t size = randomValue(bytes, sizeof bytes);
    for (int i = 0; i < STATEMENTS; i++) {
      char *sql = statementOn(statements[i].sql, round % 2 ? TEXT : "?1");
      checkSame(sql, bytes, size);
      sqlite3_free(sql);
    }
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
