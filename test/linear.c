/* linear.c: checks that the work and the memory for a value with many errors are proportional to its
** length.
**
**     make check-linear
**     build/linear list     # also prints the steps and bytes of each statement
**
** Counts steps instead of seconds, so the result is the same on every machine and in every
** run. A step is a basic block of utf8ext that is executed, or a byte that is allocated: the
** sources are compiled with -fsanitize-coverage=trace-pc, and SQLite's allocator is wrapped.
** A statement on eight times as many errors may take at most nine times as many steps; if
** the work were quadratic, it would take 64 times as many. The sources are compiled with a
** UTF8_CHUNK of 64 KB: the longer value has 12 of them.
*/
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "utf8ext.h"

enum { ERRORS = 32768, TIMES_ERRORS = 8, TIMES_STEPS = 9, STEPS_PER_ERROR = 60000 };

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

/* A statement, and what ?1 repeats: a BLOB. */
typedef struct Row {
  const char *sql, *unit;
} Row;

/* What a run has taken: no steps if the statement failed without a message of utf8ext. */
typedef struct Taken {
  uint64_t steps, bytes;
} Taken;

static char *repeated(const char *unit, size_t times) {
  const size_t size = strlen(unit);
  char *bytes = malloc(size * times);
  if (!bytes) exit(2);
  for (size_t i = 0; i < times; i++) memcpy(bytes + size * i, unit, size);
  return bytes;
}

/* Messages quote names, but not whole. */
static int isShortMessage(void) {
  enum { MESSAGE_MAX = 400 };
  const char *message = sqlite3_errmsg(db);
  return strncmp(message, "utf8_", 5) == 0 && strlen(message) <= MESSAGE_MAX;
}

static sqlite3_stmt *prepared(const char *sql, const char *unit, size_t times) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (sqlite3_bind_parameter_count(stmt) > 0)
    sqlite3_bind_blob64(stmt, 1, repeated(unit, times), strlen(unit) * times, free);
  return stmt;
}

static const char *fill; /* fills the table t(c) from ?1, or NULL */

static void fillTable(const char *unit, size_t times) {
  sqlite3_exec(db, "DELETE FROM t", NULL, NULL, NULL);
  sqlite3_stmt *stmt = prepared(fill, unit, times);
  check(sqlite3_step(stmt) == SQLITE_DONE, fill);
  sqlite3_finalize(stmt);
}

static Taken run(const Row *row, size_t times, uint64_t max) {
  Taken taken = {0, 0};
  if (fill) fillTable(row->unit, times);
  sqlite3_stmt *stmt = prepared(row->sql, row->unit, times);
  const int64_t before = sqlite3_memory_used();
  sqlite3_memory_highwater(1);
  statement = row->sql, steps = 0, steps_max = max;
  const int rc = sqlite3_step(stmt);
  if (rc == SQLITE_ROW || (rc == SQLITE_ERROR && isShortMessage())) {
    taken.steps = steps;
    taken.bytes = (uint64_t)(sqlite3_memory_highwater(0) - before);
  }
  steps_max = UINT64_MAX;
  sqlite3_finalize(stmt);
  return taken;
}

static int prints;

static void checkLinear(const Row *row) {
  const Taken few = run(row, ERRORS, (uint64_t)STEPS_PER_ERROR * ERRORS);
  const Taken many = run(row, TIMES_ERRORS * ERRORS, TIMES_STEPS * few.steps + 4096);
  if (prints)
    printf("%10llu %11llu steps %9llu %9llu bytes %s\n", (unsigned long long)few.steps,
           (unsigned long long)many.steps, (unsigned long long)few.bytes,
           (unsigned long long)many.bytes, row->sql);
  check(few.steps > 0 && many.steps > 0, row->sql);
  check(many.bytes <= TIMES_STEPS * few.bytes + 4096, row->sql);
}

#define ERROR "a\xE2\x82"

/* Puts ?1 into one row, or a short value into many. */
#define ONE "INSERT INTO t VALUES(CAST(?1 AS TEXT))"
#define MANY                                                                           \
  "WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n"                    \
  " WHERE i < length(?1) / 64) INSERT INTO t SELECT CAST('b' || x'ff' AS TEXT) FROM n"

static const Row rows[] = {
    {"SELECT utf8_valid(?1, 'utf-8b'), utf8_codepoints(?1)", ERROR},
    {"SELECT length(utf8_repair(?1))", ERROR},
    {"SELECT length(utf8_repair(?1, 'run'))", ERROR},
    {"SELECT length(utf8_repair(?1, 'escape'))", ERROR},
    {"SELECT length(utf8_repair(?1, 'cesu-8'))", "\xed\xa0\xbd"},
    {"SELECT length(utf8_repair(?1, 'trim'))", "\xf1\x80\x80"},
    {"SELECT length(utf8_repair(?1, 'auto')), utf8_cause(?1)", ERROR},
    {"SELECT length(utf8_repair(?1, 'auto')), utf8_cause(?1)",
     "\xcf\xf0\xe8\xe2\xe5\xf2 "},
    {"SELECT length(utf8_repair(?1, 'auto')), utf8_cause(?1)",
     "f\xc3\xbcr gr\xf6\xdf te "},
    {"SELECT length(utf8_repair(?1, 'auto')), utf8_cause(?1)", "\xc0\x80z"},
    {"SELECT count(*), sum(offset), max(error) FROM utf8_each(?1)", ERROR},
    {"SELECT count(*), sum(offset) FROM utf8_each(?1) WHERE error IS NOT NULL", ERROR},
    {"SELECT count(*) FROM utf8_each(?1) WHERE error = 'truncated'", ERROR},
    {"SELECT count(*) FROM utf8_each(?1) WHERE error = 'truncated'", "ab\xC3\xA9"},
    {"SELECT utf8_detect(?1)", ERROR},
    {"SELECT utf8_detect(?1), utf8_detect_column(?1)", "\xcf\xf0\xe8\xe2\xe5\xf2 "},
    {"SELECT utf8_detect(?1)", "\x93\xfa\x96\x7b\x8c\xea"},
    {"SELECT utf8_detect(?1)", "\x1b$B%3%s\x1b(B"},
    {"SELECT utf8_detect_score(?1, 'gb18030')", "\x81\x30\x81\x30\xff"},
    /* charsets with states, pairs and marks */
    {"SELECT length(utf8_from(?1, 'utf-8')), length(utf8_to(?1, 'utf-16le'))", ERROR},
    {"SELECT length(utf8_from(?1, 'utf-16')), length(utf8_from(?1, 'utf-32'))",
     "\xd8\x3d"},
    {"SELECT length(utf8_from(?1, 'iso-2022-jp'))", "\x1b$B%3\x1b(B"},
    {"SELECT length(utf8_from(?1, 'iso-2022-jp')), length(utf8_from(?1, "
     "'iso-2022-cn'))",
     "\x1b"},
    {"SELECT length(utf8_from(?1, 'hz'))", "~{<:~}~"},
    {"SELECT length(utf8_from(?1, 'utf-7'))", "+AGE-+"},
    {"SELECT length(utf8_from(?1, 'marc-8'))", "\xe1\xe2"},
    {"SELECT length(utf8_from(?1, 'gb18030'))", "\x81\x30\x81"},
    {"SELECT length(utf8_from(?1, 'euc-jis-2004'))", "\xa4\xab\xa4"},
    {"SELECT length(utf8_from(?1, 'tcvn5712-1'))", "a\xb2\xb0"},
    {"SELECT length(utf8_to(?1, 'iso-2022-jp', 'xml')), length(utf8_to(?1, 'utf-7'))",
     "a\xe3\x82\xab"},
    {"SELECT length(utf8_to(?1, 'ascii', 'closest'))", "e\xcc\x81\xe2\x80\x9c"},
    {"SELECT length(utf8_to(?1, 'windows-1258', 'closest'))", "\xe1\xba\xbf\xcc\x81"},
    {"SELECT length(utf8_to(?1, 'shift_jis-2004', 'replace', '(?)'))",
     "\xe3\x81\x8b\xe3\x82\x9a"},
    /* misread text, once and many times */
    {"SELECT utf8_mojibake(?1), length(utf8_demojibake(?1))", "caf\xc3\x83\xc2\xa9 "},
    {"SELECT utf8_mojibake(?1), length(utf8_demojibake(?1))",
     "\xc3\x83\xc2\x83\xc3\x82\xc2\xa9"},
    {"SELECT utf8_mojibake(?1), length(utf8_demojibake(?1, 'windows-1252'))",
     "\xc3\x83"},
    {"SELECT length(utf8_demojibake(?1))", "\xc3\xa2\xe2\x82\xac\n"},
    {"SELECT utf8_suspect(?1), length(utf8_strip(?1, 'invisible'))", "a\xe2\x80\x8b"},
    {"SELECT utf8_suspect(?1), length(utf8_strip(?1, 'bidi control'))",
     "\xf0\x9f\x91\xa9\xe2\x80\x8d"},
    {"SELECT length(utf8_strip(?1, 'nul'))", "a\xe2\x80\xae\x07"},
    /* normalization: marks alone, one letter with a run longer than UTF8_CHUNK, Hangul, expansions */
    {"SELECT utf8_normalized(?1, 'nfkc')", ERROR},
    {"SELECT length(utf8_normalize(?1))", "a\xcc\x81"},
    {"SELECT length(utf8_normalize(?1, 'nfd'))", "a\xcc\x81\xcc\xa8"},
    {"SELECT length(utf8_normalize(?1, 'nfkc_casefold')), length(utf8_casefold(?1))",
     "A\xE2\x82"},
    {"SELECT length(utf8_unaccent(?1))", "a\xcc\x81"},
    {"SELECT ?1 = 'A' || ?1 COLLATE utf8_nocase", "a\xcc\x81"},
    {"SELECT CAST(?1 AS TEXT) < ?1 || 'x' COLLATE utf8_noaccent", "\xcc\xa8"},
    {"SELECT 'a' || ?1 < 'A' || ?1 || 'x' COLLATE utf8_noaccent", "\xcc\xa8"},
    {"SELECT length(utf8_unaccent('a' || ?1))", "\xcc\x81"},
    {"SELECT length(utf8_unaccent(?1))", "\xef\xac\x83\xe2"},
    {"SELECT utf8_normalized(?1, 'nfd')", "\xcc\xa8"},
    {"SELECT utf8_normalize('a' || CAST(?1 AS TEXT))",
     "\xcc\x81\xcc\xa8\xcc\xa8\xcc\xa8\xcc\xa8"},
    {"SELECT length(utf8_normalize(?1)), length(utf8_normalize(?1, 'nfkd'))",
     "\xe1\x84\x80\xe1\x85\xa1"},
    {"SELECT length(utf8_normalize(?1, 'nfkc'))", "\xef\xb7\xba"},
    /* what never ends */
    {"SELECT length(utf8_unescape(?1, 'html'))", "&lt"},
    {"SELECT length(utf8_unescape(?1, 'html'))", "&"},
    {"SELECT length(utf8_unescape(?1, 'html'))", "&#"},
    {"SELECT length(utf8_unescape('&#' || CAST(?1 AS TEXT), 'html'))", "9"},
    {"SELECT length(utf8_unescape(?1, 'html'))", "&CounterClockwiseContourIntegra"},
    {"SELECT length(utf8_unescape(?1, 'mime'))", "=?utf8?q?=e2?="},
    {"SELECT length(utf8_unescape(?1, 'mime'))", "=?"},
    {"SELECT length(utf8_unescape(?1, 'mime'))", "=?utf-8?b?"},
    {"SELECT length(utf8_unescape(?1, 'mime'))", "=?a?q?b?= \r\n\t"},
    {"SELECT length(utf8_unescape('=?a?q?b?=' || CAST(?1 AS TEXT), 'mime'))", " "},
    {"SELECT length(utf8_unescape(?1, 'quoted-printable'))", "= \t"},
    {"SELECT length(utf8_unescape(?1, 'url'))", "%f0%9f"},
    {"SELECT length(utf8_unescape(?1, 'json'))", "\\ud83d"},
    {"SELECT length(utf8_unescape(?1, 'quoted-printable'))", " "},
    {"SELECT length(utf8_clean(?1, 'ftfy'))", ERROR},
    {"SELECT length(utf8_clean(?1))", "\xcf\xf0\xe8\xe2\xe5\xf2 "},
    {"SELECT length(utf8_clean(?1, 'html'))", "&amp;"},
    {"SELECT length(utf8_clean('&' || CAST(?1 AS TEXT), 'html'))", "amp;"},
    {"SELECT length(utf8_clean(?1, 'html,escapes'))", "\x1b["},
    {"SELECT length(utf8_clean(?1, 'escapes'))", "\x1b]"},
    {"SELECT length(utf8_clean(?1, 'escapes'))", "\x1b[1;"},
    {"SELECT length(utf8_clean(?1, 'escapes'))", "\x1b"},
    {"SELECT length(utf8_clean(?1, 'lines,trim'))", "\r\n\xc2\x85"},
    {"SELECT length(utf8_clean('a' || CAST(?1 AS TEXT) || 'b', 'trim'))", " \xc2\xa0"},
    {"SELECT length(utf8_clean(?1, 'quotes,width,ligatures'))",
     "\xef\xac\x81\xe2\x80\x9c\xef\xbc\xa1"},
    {"SELECT length(utf8_clean(?1, 'nfkc,controls,invisible'))",
     "e\xe2\x80\x8b\xcc\x81\x07"},
    /* names, and replacements */
    {"SELECT utf8_valid('x', CAST(?1 AS TEXT))", "-"},
    {"SELECT utf8_valid('x', CAST(?1 AS TEXT))", "wtf-8"},
    {"SELECT utf8_repair('x', CAST(?1 AS TEXT))", "_"},
    {"SELECT utf8_repair('x', CAST(?1 AS TEXT))", "subpart"},
    {"SELECT utf8_from('x', CAST(?1 AS TEXT))", "-"},
    {"SELECT utf8_from('x', CAST(?1 AS TEXT))", "utf-8//translit"},
    {"SELECT utf8_to('x', 'ascii', CAST(?1 AS TEXT))", "-"},
    {"SELECT utf8_normalize('x', CAST(?1 AS TEXT))", "nfc-"},
    {"SELECT utf8_strip('x', CAST(?1 AS TEXT))", "-"},
    {"SELECT utf8_clean('x', CAST(?1 AS TEXT))", ","},
    {"SELECT utf8_clean('x', CAST(?1 AS TEXT))", "nfc,"},
    {"SELECT utf8_clean('x', CAST(?1 AS TEXT))", " "},
    {"SELECT utf8_clean('x', 'nfc' || CAST(?1 AS TEXT))", " "},
    {"SELECT utf8_unescape('x', CAST(?1 AS TEXT))", "html\xff"},
    {"SELECT utf8_validate(CAST(?1 AS TEXT))", ERROR},
    {"SELECT count(*), utf8_charset_name(CAST(?1 AS TEXT)) FROM utf8_audit('main', "
     "CAST(?1 AS TEXT))",
     "-"},
    {"SELECT count(*) FROM utf8_audit(CAST(?1 AS TEXT))", "main"},
    {"SELECT count(*) FROM utf8_each('x', CAST(?1 AS TEXT))", "utf-8"},
    {"SELECT length(utf8_repair(x'ff61ff', 'byte', CAST(?1 AS TEXT)))", "<lost>"},
    {"SELECT utf8_repair(x'ff61ff', 'byte', CAST(?1 AS TEXT))", "lost\xff"},
    {"SELECT length(utf8_to('\xe2\x98\xba', 'ascii', 'replace', CAST(?1 AS TEXT)))",
     "<lost>"},
    {"SELECT length(utf8_to('\xe2\x98\xba', 'ascii', 'replace', CAST(?1 AS TEXT)))",
     "\xc3\xa9"},
    {"SELECT length(utf8_truncate(?1, 1000))", ERROR},
    {"SELECT length(utf8_strip_bom(?1))", "\xef\xbb\xbf"},
};

/* Of the table t. */
static const Row of_one[] = {
    {"SELECT errors, length(repair_sql), length(undo_sql), length(value) FROM "
     "utf8_audit",
     ERROR},
    {"SELECT cause, length(repaired) FROM utf8_audit('main', 'auto', 1)", ERROR},
    {"SELECT cause, length(repaired), length(undo_sql) FROM utf8_audit('main', 'auto', "
     "1)",
     "f\xc3\xbcr gr\xf6\xdf te "},
    {"SELECT cause, length(repaired), errors FROM utf8_audit('main', 'auto', 1)",
     "caf\xc3\x83\xc2\xa9 "},
};
static const Row of_many[] = {
    {"SELECT sum(errors), sum(length(undo_sql)) FROM utf8_audit", ERROR},
    {"SELECT sum(errors), sum(length(repaired)) FROM utf8_audit('main', 'auto', 1)",
     ERROR},
};

#define CHECK(rows)                                                                    \
  for (size_t i = 0; i < sizeof(rows) / sizeof *(rows); i++) checkLinear(&(rows)[i])

int main(int argc, char **argv) {
  (void)argv;
  prints = argc > 1;
  steps_max = UINT64_MAX;
  countAllocations();
  sqlite3_open(":memory:", &db);
  check(sqlite3_utf8ext_init(db, NULL, NULL) == SQLITE_OK, "init");
  sqlite3_exec(db, "CREATE TABLE t(c)", NULL, NULL, NULL);
  CHECK(rows);
  fill = ONE;
  CHECK(of_one);
  fill = MANY;
  CHECK(of_many);
  sqlite3_close(db);
  return finish();
}
