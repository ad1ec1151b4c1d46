/* sql/charsets.c: the table utf8_charsets, a row for each charset; and utf8_charset_name.
**
**     SELECT name FROM utf8_charsets WHERE kind = 'multi-byte';
**
** The rows are those of utf8core_charset(), in its order. SQLite checks all conditions itself.
*/
#include "charset/unicode.h"
#include "sql/functions.h"
#include "sql/option.h"

static const char charsetsDeclaration[] =
    "CREATE TABLE utf8_charsets(name TEXT, aliases TEXT, kind TEXT, source TEXT)";

typedef struct CharsetsCursor {
  sqlite3_vtab_cursor base;
  Utf8Charset charset; /* of the row; UTF8_CHARSETS_BUILT at the end */
} CharsetsCursor;

static int charsetsBestIndex(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  info->estimatedCost = UTF8_CHARSETS_BUILT;
  info->estimatedRows = UTF8_CHARSETS_BUILT;
  return SQLITE_OK;
}

static int charsetsFilter(sqlite3_vtab_cursor *cursor, int number, const char *string,
                          int argc, sqlite3_value **argv) {
  (void)number, (void)string, (void)argc, (void)argv;
  ((CharsetsCursor *)cursor)->charset = 0;
  return SQLITE_OK;
}

static int charsetsNext(sqlite3_vtab_cursor *cursor) {
  ((CharsetsCursor *)cursor)->charset++;
  return SQLITE_OK;
}

static int charsetsEof(sqlite3_vtab_cursor *cursor) {
  return ((const CharsetsCursor *)cursor)->charset == UTF8_CHARSETS_BUILT;
}

static const char *nameOfKind(Utf8CharsetKind kind) {
  switch (kind) {
  case UTF8_KIND_UNICODE:
    return "unicode";
  case UTF8_KIND_DIALECT:
    return "utf-8 dialect";
  case UTF8_KIND_MULTI_BYTE:
    return "multi-byte";
  default:
    return "single-byte";
  }
}

static int charsetsColumn(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx, int i) {
  const Utf8CharsetRow *row =
      utf8core_charset(((const CharsetsCursor *)cursor)->charset);
  const char *const columns[] = {row->name, row->aliases, nameOfKind(row->kind),
                                 row->source};
  sqlite3_result_text(ctx, columns[i], -1, SQLITE_STATIC);
  return SQLITE_OK;
}

static int charsetsRowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  *rowid = ((const CharsetsCursor *)cursor)->charset + 1;
  return SQLITE_OK;
}

const Utf8Module utf8sql_charsets = {
    .declaration = charsetsDeclaration,
    .risk = SQLITE_VTAB_INNOCUOUS,
    .cursor_size = sizeof(CharsetsCursor),
    .module = {.xConnect = utf8vtab_connect,
               .xBestIndex = charsetsBestIndex,
               .xDisconnect = utf8vtab_disconnect,
               .xOpen = utf8vtab_open,
               .xClose = utf8vtab_close,
               .xFilter = charsetsFilter,
               .xNext = charsetsNext,
               .xEof = charsetsEof,
               .xColumn = charsetsColumn,
               .xRowid = charsetsRowid},
};

/* ---- utf8_charset_name ----------------------------------------------------------------------- */

void utf8sql_charset_name(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  const Utf8Charset charset = utf8option_find_charset(ctx, argv, 0);
  if (charset == UTF8_CHARSET_UNKNOWN) return;
  sqlite3_result_text(ctx, utf8core_charset_name(charset), -1, SQLITE_STATIC);
}
