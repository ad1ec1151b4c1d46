/* static.c: a program with utf8ext linked in (-DSQLITE_CORE) instead of loaded.
**
** Built with all *.c of the extension and the system's SQLite. See utf8ext.h.
*/
#include <stdio.h>
#include <string.h>

#include "utf8ext.h"

static int passed, failed;

static void check(int ok, const char *what) {
  if (ok) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s\n", what);
  }
}

/* Does sql return `expected` in the first column of the first row? */
static int returns(sqlite3 *db, const char *sql, const char *expected) {
  sqlite3_stmt *stmt = NULL;
  int same = 0;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
      sqlite3_step(stmt) == SQLITE_ROW) {
    const char *text = (const char *)sqlite3_column_text(stmt, 0);
    same = text && strcmp(text, expected) == 0;
  }
  if (!same) printf("%s: %s\n", sql, sqlite3_errmsg(db));
  sqlite3_finalize(stmt);
  return same;
}

static sqlite3 *openMemory(void) {
  sqlite3 *db = NULL;
  check(sqlite3_open(":memory:", &db) == SQLITE_OK, "a connection opens");
  return db;
}

static void checkWorks(sqlite3 *db) {
  check(returns(db, "SELECT utf8_version()", UTF8EXT_VERSION), "utf8_version");
  check(returns(db, "SELECT utf8_valid(x'c080') || utf8_valid('ok')", "01"),
        "utf8_valid");
  check(returns(db, "SELECT hex(utf8_repair(x'e28241'))", "EFBFBD41"), "utf8_repair");
  check(returns(db, "SELECT count(*) FROM utf8_each(x'41ff')", "2"), "utf8_each");
  check(returns(db, "SELECT count(*) FROM utf8_audit", "0"), "utf8_audit");
}

/* Registers utf8ext for one connection, twice. Another connection must not have it. */
static void checkOne(void) {
  sqlite3 *db = openMemory(), *other = openMemory();
  char *message = NULL;
  check(sqlite3_utf8ext_init(db, &message, NULL) == SQLITE_OK, "init");
  check(sqlite3_utf8ext_init(db, NULL, NULL) == SQLITE_OK, "init once more");
  check(message == NULL, "no message without an error");
  checkWorks(db);
  check(sqlite3_exec(other, "SELECT utf8_valid('x')", NULL, NULL, NULL) != SQLITE_OK,
        "the other connection has no utf8_valid");
  sqlite3_close(db);
  sqlite3_close(other);
}

/* Registers utf8ext for every connection that is opened later. */
static void checkEvery(void) {
  check(sqlite3_auto_extension((void (*)(void))sqlite3_utf8ext_init) == SQLITE_OK,
        "sqlite3_auto_extension");
  for (int i = 0; i < 2; i++) {
    sqlite3 *db = openMemory();
    checkWorks(db);
    sqlite3_close(db);
  }
  sqlite3_reset_auto_extension();
}

int main(void) {
  checkOne();
  checkEvery();
  check(sqlite3_memory_used() == 0, "all memory is freed");
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
