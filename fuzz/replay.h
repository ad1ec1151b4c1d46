/* replay.h: the statements that a case ran, which a failure prints.
**
** fail() prints every statement of the case, the seed and a message, and exits with status 1.
*/
#ifndef UTF8_FUZZ_REPLAY_H
#define UTF8_FUZZ_REPLAY_H

#include "sqlite3.h"
#include "fuzz/text.h"

/* ---- failures ---------------------------------------------------------------------- */

static Text replay; /* the statements of the case so far */
static const char *program;

/* Prints what the case ran. Also called if a sanitizer ends the program. */
static void print_replay(void) {
  printf("%s\n-- seed %llu: %s --seed %llu --cases 1\n", text_of(&replay),
         (unsigned long long)seed, program, (unsigned long long)seed);
  fflush(stdout);
}

FORMAT(1) static void fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  print_replay();
  printf("FAILED: ");
  vprintf(format, arguments);
  va_end(arguments);
  printf("\n");
  fflush(stdout);
  _Exit(1);
}

static inline void replay_statement(const char *sql) {
  text_format(&replay, "%s;\n", sql);
}

FORMAT(1) static inline void replay_comment(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_string(&replay, "-- ");
  text_vformat(&replay, format, arguments);
  text_string(&replay, "\n");
  va_end(arguments);
}

/* ---- statements ------------------------------------------------------------------ */

static unsigned long long queries, refused, slow, wrong_in_sqlite, faults,
    fault_errors; /* counts */

/* Runs the statement and clears the text; returns SQLite's code. */
static inline int try_text(sqlite3 *db, Text *sql) {
  replay_statement(text_of(sql));
  int rc = sqlite3_exec(db, text_of(sql), NULL, NULL, NULL);
  if (rc != SQLITE_OK) replay_comment("error %d: %s", rc, sqlite3_errmsg(db));
  text_clear(sql);
  return rc;
}

static inline void run_text(sqlite3 *db, Text *sql) {
  if (try_text(db, sql) != SQLITE_OK) fail("the last statement failed");
}

FORMAT(2) static inline void run_sql(sqlite3 *db, const char *format, ...) {
  Text sql = {NULL, 0, 0};
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&sql, format, arguments);
  va_end(arguments);
  run_text(db, &sql);
}

#endif
