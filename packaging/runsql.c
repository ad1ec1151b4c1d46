/* packaging/runsql.c: runs SQL statements with the extension, for packaging/test-release.sh.
**
**     runsql ./utf8ext.so UTF-16le < packaging/core.sql
**
** Loads the library into an empty database of that encoding, runs the statements of standard
** input one after the other, and prints each row: its columns are joined by '|', TEXT is printed
** as it is stored, BLOB as x'..'. An error is printed and does not end the run, since messages
** are compared as well. The output depends on no system: its lines end with LF everywhere.
**
** Returns 0, or 2 with a message if the library cannot be loaded.
*/
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef _WIN32
#include <fcntl.h>
#include <io.h>
#endif

enum { MAX_SQL = 1 << 16 };

static void set_binary(void) {
#ifdef _WIN32
  _setmode(_fileno(stdin), _O_BINARY);
  _setmode(_fileno(stdout), _O_BINARY);
#endif
}

static void die(const char *what, const char *why) {
  printf("%s: %s\n", what, why);
  exit(2);
}

static void print_blob(const unsigned char *bytes, int size) {
  printf("x'");
  for (int i = 0; i < size; i++) printf("%02x", bytes[i]);
  printf("'");
}

static void print_column(sqlite3_stmt *stmt, int i) {
  int type = sqlite3_column_type(stmt, i);
  if (type == SQLITE_NULL) {
    printf("NULL");
  } else if (type == SQLITE_BLOB) {
    const unsigned char *bytes = sqlite3_column_blob(stmt, i);
    print_blob(bytes, sqlite3_column_bytes(stmt, i));
  } else {
    const unsigned char *text = sqlite3_column_text(stmt, i);
    fwrite(text, 1, (size_t)sqlite3_column_bytes(stmt, i), stdout);
  }
}

static void print_row(sqlite3_stmt *stmt) {
  for (int i = 0; i < sqlite3_column_count(stmt); i++) {
    if (i > 0) printf("|");
    print_column(stmt, i);
  }
  printf("\n");
}

/* Runs the first statement of sql. Returns what follows it, or NULL after a syntax error. */
static const char *run_one(sqlite3 *db, const char *sql) {
  sqlite3_stmt *stmt;
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, &sql) != SQLITE_OK) {
    printf("Error: %s\n", sqlite3_errmsg(db));
    return NULL;
  }
  while (stmt && sqlite3_step(stmt) == SQLITE_ROW) print_row(stmt);
  if (sqlite3_finalize(stmt) != SQLITE_OK) printf("Error: %s\n", sqlite3_errmsg(db));
  return sql;
}

static sqlite3 *open_database(const char *library, const char *encoding) {
  sqlite3 *db;
  char *message = NULL;
  char pragma[64];
  if (sqlite3_open(":memory:", &db) != SQLITE_OK) die("open", sqlite3_errmsg(db));
  snprintf(pragma, sizeof pragma, "PRAGMA encoding = '%s'", encoding);
  run_one(db, pragma);
  sqlite3_enable_load_extension(db, 1);
  if (sqlite3_load_extension(db, library, NULL, &message) != SQLITE_OK)
    die(library, message);
  return db;
}

int main(int argc, char **argv) {
  static char sql[MAX_SQL];
  if (argc != 3) die("usage", "runsql LIBRARY ENCODING < STATEMENTS");
  set_binary();
  sql[fread(sql, 1, sizeof sql - 1, stdin)] = 0;
  sqlite3 *db = open_database(argv[1], argv[2]);
  for (const char *at = sql; at && *at;) at = run_one(db, at);
  sqlite3_close(db);
  return 0;
}
