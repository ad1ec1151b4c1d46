/* sql/vtab.h: what the eponymous virtual tables share: connecting, cursors, errors, rowids. */
#ifndef UTF8_SQL_VTAB_H
#define UTF8_SQL_VTAB_H

#include "sql/value.h"

/* What a table keeps for its cursors. */
typedef struct Utf8Table {
  sqlite3_vtab base;
  sqlite3 *db;
  size_t cursor_size;
} Utf8Table;

/* A table. SQLite passes it to xConnect. */
typedef struct Utf8Module {
  sqlite3_module module;   /* without xCreate: eponymous only */
  const char *declaration; /* a CREATE TABLE statement */
  int risk;                /* SQLITE_VTAB_INNOCUOUS or SQLITE_VTAB_DIRECTONLY */
  size_t cursor_size;
} Utf8Module;

/* The xConnect, xDisconnect and xOpen of each table, and the xClose of one whose cursors own nothing. A new cursor
** is zeros. */
int utf8vtab_connect(sqlite3 *db, void *module, int argc, const char *const *argv,
                     sqlite3_vtab **table, char **message);
int utf8vtab_disconnect(sqlite3_vtab *table);
int utf8vtab_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor);
int utf8vtab_close(sqlite3_vtab_cursor *cursor);

/* For xBestIndex: does the hidden argument in this column come only from tables that are not yet read at this place in the
** join? Then the plan must be refused with SQLITE_CONSTRAINT. If one of several values is known, that one is the argument,
** and SQLite compares the others with it. */
int utf8vtab_is_unusable(sqlite3_index_info *info, int column);

/* For the xBestIndex of a table with one hidden argument, in this column: makes it the argument of xFilter, and sets idxNum
** to 1, if the query gives it. Returns SQLITE_OK, or SQLITE_CONSTRAINT if it is not yet known. */
int utf8vtab_plan_argument(sqlite3_index_info *info, int column);

/* For xBestIndex: is there a constraint `column IN (...)`? Then a table with hidden arguments in
** `column` must use its hidden arguments only: SQLite marks a constraint from the ON clause of an
** outer join as usable although it is not. If xBestIndex then refuses the plan, SQLite does not
** ask again without it, and the query fails, or finds too few rows by an OR. Before SQLite 3.38
** the answer is always no. */
int utf8vtab_has_in(sqlite3_index_info *info, int column);

/* Makes message the error of the cursor's table, which frees it with sqlite3_free(). Returns
** SQLITE_ERROR, or SQLITE_NOMEM if message is NULL. */
int utf8vtab_error(sqlite3_vtab_cursor *cursor, char *message);

/* The error of a scan of the table `name` without its first argument. Returns as utf8vtab_error(). */
int utf8vtab_no_input(sqlite3_vtab_cursor *cursor, const char *name);

/* Continues a 64-bit hash, which starts as 0, with size bytes, for rowids: SQLite takes
** rows with the same rowid for one row, even from scans with other arguments, so a rowid
** must depend on everything that identifies the row. Not cryptographic. */
uint64_t utf8vtab_hash(uint64_t hash, const void *bytes, size_t size);

#endif
