/* threadstest.c: threads load the extension into connections of their own, call its functions and audit
** a database at once, and all get the same results. ThreadSanitizer reports a data race.
**
**     build/threadstest build/threads/utf8ext.so
**
** What is built at the first use, such as the tables of a charset, is used for the first time in all
** threads at the same moment: each subject runs in a process of its own, whose threads wait for each
** other before they load, and before they run the subject's statement. Then each thread runs all the
** statements, from another one on.
*/
#define _POSIX_C_SOURCE 200809L /* barriers, fork() */

#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 2 };

/* Of a table t(c). */
static const char *const statements[] = {
    "SELECT "
    "sum(length(utf8_to('a\xc3\xa9\xd0\xb6\xe6\x97\xa5\xe4\xbd\xa0\xf0\xa0\x83\x8c', "
    "name, 'xml')))"
    " FROM utf8_charsets",
    "SELECT sum(length(utf8_from(x'61e9e6a5bdf0a0838c1b2442', name))) FROM "
    "utf8_charsets",
    "SELECT sum(length(utf8_to('e\xcc\x81\xe2\x80\x9c\xe1\xba\xbf', name, 'closest'))) "
    "FROM utf8_charsets",
    "SELECT group_concat(utf8_valid(c) || ifnull(utf8_error(c), '') || "
    "utf8_codepoints(c)) FROM t",
    "SELECT group_concat(hex(utf8_repair(c)) || hex(utf8_repair(c, 'cp437'))) FROM t",
    "SELECT group_concat(hex(utf8_repair(c, 'auto'))) FROM t",
    "SELECT group_concat(utf8_detect(c)), utf8_detect_column(c) FROM t",
    "SELECT group_concat(utf8_detect_score(c, 'gbk')) FROM t",
    "SELECT group_concat(ifnull(utf8_cause(c), '-')) FROM t",
    "SELECT group_concat(ifnull(utf8_mojibake(c), '-')), "
    "group_concat(hex(utf8_demojibake(c))) FROM t",
    "SELECT group_concat(hex(utf8_normalize(c, 'nfkc_casefold'))), "
    "sum(utf8_normalized(c, 'nfd')) FROM t",
    "SELECT group_concat(hex(utf8_casefold(c))) FROM t",
    "SELECT group_concat(hex(utf8_clean(c, 'ftfy'))) FROM t",
    "SELECT group_concat(hex(utf8_unescape(c, 'html')) || hex(utf8_unescape(c, "
    "'mime'))) FROM t",
    "SELECT group_concat(ifnull(utf8_suspect(c), '-')), group_concat(hex(utf8_strip(c, "
    "'invisible'))) FROM t",
    "SELECT group_concat(e.notation) FROM t, utf8_each(t.c) AS e",
    "SELECT group_concat(repair_sql), group_concat(undo_sql) FROM utf8_audit('main', "
    "'auto', 1)",
    "SELECT count(*) > 0, utf8_charset_name('win-1252') FROM utf8_charsets WHERE "
    "utf8_debug() > ''",
};
enum { STATEMENTS = sizeof statements / sizeof *statements };

static const char values[] = "CREATE TABLE t(c); INSERT INTO t VALUES('caf\xc3\xa9'), "
                             "(CAST(x'cff0e8e2e5f2' AS TEXT)),"
                             " (CAST(x'c4e3bac3cac0bde7' AS TEXT)), "
                             "('caf\xc3\x83\xc2\xa9'), (CAST(x'6162ff' AS TEXT)),"
                             " ('&eacute; =?utf-8?q?=C3=A9?='), ('a\xe2\x80\x8b' || "
                             "'e\xcc\x81'), (x'93fa967b8cea'),"
                             " (CAST(x'64c3a96ae0' AS TEXT)), (5), (NULL)";

static const char *library;
static pthread_barrier_t barrier;

static void die(sqlite3 *db, const char *what) {
  printf("FAILED: %s: %s\n", what, db ? sqlite3_errmsg(db) : "");
  fflush(stdout);
  _exit(2);
}

static sqlite3 *openLoaded(void) {
  sqlite3 *db = NULL;
  char *message = NULL;
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) die(db, "open");
  sqlite3_enable_load_extension(db, 1);
  if (sqlite3_load_extension(db, library, NULL, &message) != SQLITE_OK)
    die(db, library);
  if (sqlite3_exec(db, values, NULL, NULL, NULL) != SQLITE_OK) die(db, values);
  return db;
}

/* Adds the first row to a checksum. */
static sqlite3_uint64 run(sqlite3 *db, const char *sql, sqlite3_uint64 sum) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (sqlite3_step(stmt) != SQLITE_ROW) die(db, sql);
  for (int i = 0; i < sqlite3_column_count(stmt); i++) {
    const char *text = (const char *)sqlite3_column_text(stmt, i);
    for (; text && *text; text++) sum = sum * 31 + (unsigned char)*text;
  }
  sqlite3_finalize(stmt);
  return sum;
}

/* What a thread does, and the checksums of its results. */
typedef struct Work {
  int subject, first; /* statements */
  sqlite3_uint64 sums[STATEMENTS];
} Work;

static void *work(void *argument) {
  Work *w = argument;
  pthread_barrier_wait(&barrier);
  sqlite3 *db = openLoaded();
  pthread_barrier_wait(&barrier);
  w->sums[w->subject] = run(db, statements[w->subject], 0);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < STATEMENTS; i++) {
      const int n = (w->first + i) % STATEMENTS;
      w->sums[n] = run(db, statements[n], 0);
    }
    sqlite3_close(db);
    db = openLoaded();
  }
  sqlite3_close(db);
  return NULL;
}

/* Returns the status of the process: how many threads had other results than the first one. */
static int runSubject(int subject) {
  static Work works[THREADS];
  pthread_t threads[THREADS];
  int other = 0;
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) {
    works[i] = (Work){.subject = subject, .first = i * STATEMENTS / THREADS};
    if (pthread_create(&threads[i], NULL, work, &works[i])) die(NULL, "pthread_create");
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 1; i < THREADS; i++)
    other += memcmp(works[i].sums, works[0].sums, sizeof works[0].sums) != 0;
  return other;
}

/* Runs the subject in a process of its own, which ThreadSanitizer ends with a status too. */
static int passes(int subject) {
  int status = 1;
  fflush(stdout);
  const pid_t child = fork();
  if (child < 0) return 0;
  if (child == 0) exit(runSubject(subject));
  waitpid(child, &status, 0);
  return status == 0;
}

int main(int argc, char **argv) {
  int passed = 0, failed = 0;
  if (argc != 2) {
    fprintf(stderr, "threadstest: which extension?\n");
    return 1;
  }
  library = argv[1];
  for (int subject = 0; subject < STATEMENTS; subject++) {
    const int is_same = passes(subject);
    if (!is_same) printf("FAILED: %.60s\n", statements[subject]);
    passed += is_same, failed += !is_same;
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
