/* statements.h: SQL that calls each function and table of utf8ext, for programs that change SQLite's
** functions or memory.
**
**     init = entryPoint("./utf8ext.so");
**     makeTable();
**     table.api.malloc64 = ...;
**     init(db, NULL, &table.api);
*/
#ifndef UTF8_STATEMENTS_H
#define UTF8_STATEMENTS_H

#include <ctype.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test/sqliteapi.h"

static int passed, failed;

static void check(int ok, const char *what, const char *sql) {
  if (ok) {
    passed++;
  } else {
    failed++;
    printf("FAILED: %s: %s\n", what, sql);
  }
}

/* ---- SQLite's table of functions ------------------------------------------------------- */

static int sleepsNot(int ms) {
  return ms;
}

/* Makes the table that of an SQLite that utf8ext has not tested since: one with another function, which
** utf8ext does not call. */
static inline void makeUntested(void) {
  table.api.sleep = table.api.sleep == sqlite3_sleep ? sleepsNot : sqlite3_sleep;
}

static Init *entryPoint(const char *file) {
  Init *function = NULL;
  void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (library) *(void **)&function = dlsym(library, "sqlite3_extension_init");
  if (function) return function;
  fprintf(stderr, "%s\n", dlerror());
  exit(1);
}

/* ---- statements -------------------------------------------------------------------------- */

/* Samples: a start, what is repeated after it, and the end. A sample has SAMPLE_SIZE bytes, more than
** utf8_demojibake() can repair in one call. */
enum { SAMPLE_SIZE = 9000 };
typedef struct Sample {
  const char *start, *repeated, *end;
} Sample;

static const Sample plain = {"a", "b\xc3\xa9 ", ""};
static const Sample broken = {"\xff", "b\xc3\xa9 ", ""};
static const Sample full = {"\xff", "\xe2\x82 ", ""};
static const Sample surrogates = {"a", "\xed\xa0\xbd\xed\xb8\x80\xc0\x80z", ""};
static const Sample misread = {"caf\xc3\x83\xc2\xa9 ", "caf\xc3\x83\xc2\xa9\n", ""};
/* "é" as Python escapes its bytes */
static const Sample escapes = {"Caf\xed\xb3\x83\xed\xb2\xa9 ",
                               "b\xed\xb3\x83\xed\xb2\xa9 ", ""};
static const Sample cyrillic = {"\xcf\xf0\xe8\xe2\xe5\xf2 ", "\xec\xe8\xf0 ", ""};
/* "еще", with the bytes of a sequence, and more errors than UTF-8 has */
static const Sample mixed = {"\xe5\xf9\xb8 ", "\xec\xe8\xf0 ", ""};
static const Sample accent = {"\xc3\xa9", "b", ""};
static const Sample pasted = {"", "f\xc3\xbcr m\xc3\xb6gliche K\xc3\xb6nige, ",
                              "gr\xf6\xdfte \xc4nderungen"};
static const Sample invisible = {"\xe2\x80\x8b", "b\xe2\x80\x8b ", ""};
static const Sample marks = {"e", "e\xcc\x81 \xc3\x89", "\xff"};
static const Sample escaped = {"&lt;", "caf&eacute; ", "&gt"};
static const Sample coded = {"%41\\n", "caf%C3%A9\\ud83d\\ude00 ", "%C3\\u"};
static const Sample mail = {"=?x", "=?utf-8?Q?caf=C3=A9?= ", "=?a"};
static const Sample decomposed = {" ", "e\xcc\x81\r\n\xe2\x80\x9c", " "};
static const Sample wide = {"a", "b", ""};
static const Sample late = {"a", "b\xc3\xa9 ", "\xff"};
static const Sample twice = {"caf\xc3\x83\xc6\x92\xc3\x82\xc2\xa9 ",
                             "caf\xc3\x83\xc6\x92\xc3\x82\xc2\xa9\n", ""};
static const Sample noncharacters = {"a", "b\xef\xbf\xbf\xef\xbf\xbe", ""};
static const Sample stray = {"\xff", "\x80", ""};
static const Sample marked = {"\xef\xbb\xbf", "b\xc3\xa9 ", ""};
/* what each step of utf8_clean changes */
static const Sample dirty = {" \xff&eacute; \x1b[1m\r\n",
                             "caf\xc3\x83\xc2\xa9 \xef\xac\x81 ",
                             "\xef\xbc\xa1\xe2\x80\x9c\x07\xe2\x80\x8b"
                             "e\xcc\x81 "};

/* The SQL of bytes that bindBytes() bound, as TEXT. CAST(?1 AS TEXT) takes the bytes of a bound BLOB for
** UTF-8, whatever the encoding of the database. */
#define TEXT "?2"

/* Returns the number of an encoding, as sqlite3_bind_text64() accepts it. */
static inline unsigned char encodingNamed(const char *name) {
  if (strcmp(name, "UTF-8") == 0) return SQLITE_UTF8;
  return strcmp(name, "UTF-16le") == 0 ? SQLITE_UTF16LE : SQLITE_UTF16BE;
}

/* Binds the bytes to ?1 as a BLOB, and to ?2 as TEXT in the encoding, if the statement has these.
** Returns SQLITE_OK or an error code. */
static inline int bindBytes(sqlite3_stmt *stmt, const char *bytes, size_t size,
                            unsigned char encoding) {
  const int count = sqlite3_bind_parameter_count(stmt);
  int rc = SQLITE_OK;
  if (count >= 1) rc = sqlite3_bind_blob(stmt, 1, bytes, (int)size, SQLITE_STATIC);
  if (rc == SQLITE_OK && count >= 2)
    rc = sqlite3_bind_text64(stmt, 2, bytes, size, SQLITE_STATIC, encoding);
  return rc;
}

/* Runs the statement with bytes for ?1 and ?2, and appends its rows: "A|B|" and a line feed for each.
** Returns SQLITE_DONE or an error code. */
static inline int appendRows(sqlite3_str *rows, sqlite3 *db, const char *sql,
                             const char *bytes, size_t size, unsigned char encoding) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (stmt) bindBytes(stmt, bytes, size, encoding);
  while (stmt && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    for (int i = 0; i < sqlite3_column_count(stmt); i++) {
      const char *column = (const char *)sqlite3_column_text(stmt, i);
      sqlite3_str_appendf(rows, "%s|", column ? column : "NULL");
    }
    sqlite3_str_appendall(rows, "\n");
  }
  sqlite3_finalize(stmt);
  return rc;
}

typedef struct Statement {
  const char *sql;
  const Sample *sample;
} Statement;

/* Those that read a long value in chunks. */
static const Statement statements[] = {
    {"SELECT utf8_valid(X)", &plain},
    {"SELECT utf8_valid(X, 'wtf-8')", &plain},
    {"SELECT utf8_valid(X, 'rfc2044')", &plain},
    {"SELECT utf8_valid(X, 'mutf-8')", &surrogates},
    {"SELECT utf8_error(X)", &plain},
    {"SELECT utf8_error(X, 'cesu-8')", &plain},
    {"SELECT utf8_error_offset(X)", &plain},
    {"SELECT utf8_error_offset(X, 'utf-8b')", &full},
    {"SELECT quote(utf8_validate(X))", &plain},
    {"SELECT quote(utf8_validate(X, 'label'))", &plain},
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
    {"SELECT hex(utf8_repair(X, 'auto')), utf8_cause(X)", &escapes},
    {"SELECT hex(utf8_repair(X, 'auto'))", &pasted},
    {"SELECT hex(utf8_repair(X, 'subpart', ''))", &full},
    {"SELECT hex(utf8_repair(X, 'byte', '<replacement>'))", &full},
    {"SELECT hex(utf8_from(X, 'utf-8'))", &broken},
    {"SELECT hex(utf8_from(X, 'utf-8'))", &noncharacters},
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
    {"SELECT quote(utf8_to(X, 'ascii', 'replace', '<lost>'))", &decomposed},
    {"SELECT hex(utf8_to(X, 'ascii', 'replace', hex(zeroblob(9999))))", &accent},
    {"SELECT utf8_detect(X)", &cyrillic},
    {"SELECT utf8_cause(X)", &broken},
    {"SELECT utf8_cause(X)", &cyrillic},
    {"SELECT utf8_cause(X)", &pasted},
    {"SELECT utf8_detect_column(X)", &cyrillic},
    {"SELECT utf8_detect_column(X)", &mixed},
    {"SELECT utf8_detect_score(X, 'windows-1251')", &cyrillic},
    {"SELECT utf8_detect_score(X, 'gbk')", &plain},
    {"SELECT utf8_detect_score(X, 'utf-8')", &plain},
    {"SELECT utf8_mojibake(X)", &plain},
    {"SELECT utf8_mojibake(X)", &wide},
    {"SELECT hex(utf8_demojibake(X))", &plain},
    {"SELECT hex(utf8_demojibake(X))", &misread},
    {"SELECT hex(utf8_demojibake(X))", &twice},
    {"SELECT hex(utf8_demojibake(X, 'windows-1252'))", &misread},
    {"SELECT hex(utf8_normalize(X))", &plain},
    {"SELECT hex(utf8_normalize(X))", &marks},
    {"SELECT hex(utf8_normalize(X, 'nfd'))", &marks},
    {"SELECT hex(utf8_normalize(X, 'nfkc_casefold'))", &marks},
    {"SELECT utf8_normalized(X)", &plain},
    {"SELECT utf8_normalized(X, 'nfkd')", &wide},
    {"SELECT hex(utf8_casefold(X))", &plain},
    {"SELECT hex(utf8_casefold(X))", &marks},
    {"SELECT hex(utf8_unaccent(X))", &plain},
    {"SELECT hex(utf8_unaccent(X))", &marks},
    {"SELECT hex(utf8_unaccent(X))", &wide},
    {"SELECT hex(utf8_unescape(X, 'html'))", &escaped},
    {"SELECT hex(utf8_unescape(X, 'quoted-printable'))", &mail},
    {"SELECT hex(utf8_unescape(X, 'url'))", &coded},
    {"SELECT hex(utf8_unescape(X, 'surrogateescape'))", &escapes},
    {"SELECT hex(utf8_unescape(X, 'json'))", &coded},
    {"SELECT hex(utf8_clean(X, 'url,json'))", &coded},
    {"SELECT hex(utf8_unescape(X, 'mime'))", &mail},
    {"SELECT hex(utf8_clean(X))", &plain},
    {"SELECT hex(utf8_clean(X))", &misread},
    {"SELECT hex(utf8_clean(X))", &cyrillic},
    {"SELECT hex(utf8_clean(X, 'nfkc,trim,quotes,lines'))", &decomposed},
    {"SELECT hex(utf8_clean(X, 'html,invisible,width'))", &escaped},
    {"SELECT hex(utf8_clean(X, 'ftfy'))", &dirty},
    {"SELECT hex(text), probability FROM utf8_readings(X)", &twice},
    {"SELECT hex(text), probability FROM utf8_readings(X)", &plain},
    {"SELECT utf8_suspect(X)", &plain},
    {"SELECT utf8_suspect_offset(X)", &plain},
    {"SELECT hex(utf8_strip(X, 'invisible'))", &plain},
    {"SELECT hex(utf8_strip(X, 'invisible'))", &invisible},
    {"SELECT hex(utf8_strip(X, 'control'))", &invisible},
    {"SELECT offset, error FROM utf8_each(X) WHERE error > ''", &plain},
    {"SELECT count(*), sum(offset) FROM utf8_each(X) WHERE error > ''", &broken},
    {"SELECT offset FROM utf8_each(X) WHERE error IS NULL", &stray},
};

/* Those that read a few bytes only, and errors. */
static const Statement brief[] = {
    {"SELECT hex(utf8_strip_bom(X))", &marked},
    {"SELECT hex(utf8_truncate(X, 200))", &plain},
    {"SELECT hex(utf8_truncate(12345, '3'))", &plain},
    {"SELECT X = upper(X) COLLATE utf8_nocase, X < 'x' COLLATE utf8_noaccent", &marks},
    {"SELECT utf8_charset_name(X)", &plain},
    {"SELECT utf8_charset_name(' \"win-1252\" ')", &plain},
    {"SELECT name, aliases, kind, source FROM utf8_charsets", &plain},
    {"SELECT kind, name, aliases, meaning, only FROM utf8_names('policy')", &plain},
    {"SELECT count(*), max(rowid) FROM utf8_names WHERE only = X", &plain},
    {"SELECT count(*), max(rowid) FROM utf8_names", &plain},
    {"SELECT text, cause, charset, language, probability, input FROM utf8_readings(X)",
     &plain},
    {"SELECT count(*), max(rowid) FROM utf8_readings", &plain},
    {"SELECT rowid, kind FROM utf8_charsets WHERE name = 'big5'", &plain},
    {"SELECT utf8_version(), utf8_unicode_version(), utf8_debug()", &plain},
    {"SELECT offset, length, codepoint, notation, hex(CAST(char AS BLOB)), hex(bytes), "
     "error, rowid"
     " FROM utf8_each(X)",
     &marks},
    {"SELECT e.offset FROM (SELECT 'a' AS x UNION ALL SELECT X) AS v, utf8_each(v.x, "
     "'wtf-8') AS e"
     " WHERE e.offset > 2 ORDER BY e.offset DESC",
     &broken},
    {"SELECT offset FROM utf8_each WHERE input = (X) AND dialect IN ('utf-8', 'cesu-8')"
     " AND offset BETWEEN 5 AND 9",
     &surrogates},
    {"SELECT utf8_detect_column(x) FROM (SELECT (X) AS x UNION ALL SELECT "
     "x'ede5e4e5ebff'"
     " UNION ALL SELECT NULL UNION ALL SELECT 5) GROUP BY length(x) > 99",
     &cyrillic},
    {"SELECT utf8_valid(X, 'utf-9')", &plain},
    {"SELECT utf8_error(X, NULL)", &plain},
    {"SELECT utf8_error_offset('x', X)", &plain},
    {"SELECT utf8_validate(X)", &broken},
    {"SELECT utf8_validate(X, 'label')", &broken},
    {"SELECT utf8_validate('x', X)", &broken},
    {"SELECT utf8_repair('x', X)", &broken},
    {"SELECT utf8_repair(X, 'run', NULL)", &plain},
    {"SELECT utf8_repair(X, 'latin1', '?')", &broken},
    {"SELECT utf8_repair('x', 'byte', X)", &broken},
    {"SELECT utf8_truncate(X, -1)", &plain},
    {"SELECT utf8_truncate('x', X)", &plain},
    {"SELECT utf8_from(X, 'nope')", &plain},
    {"SELECT utf8_to('x', X)", &broken},
    {"SELECT utf8_to(X, 'latin1', 'maybe')", &plain},
    {"SELECT utf8_to(X, 'ascii', 'replace', X)", &plain},
    {"SELECT utf8_detect_score(X, 'nope')", &plain},
    {"SELECT utf8_demojibake(X, 'utf-8')", &misread},
    {"SELECT utf8_normalize(X, 'nfx')", &plain},
    {"SELECT utf8_normalized('x', X)", &plain},
    {"SELECT utf8_unescape(X, 'url')", &plain},
    {"SELECT utf8_clean(X, 'nfc,nfkc')", &plain},
    {"SELECT utf8_strip(X, 'bom')", &plain},
    {"SELECT * FROM utf8_each", &plain},
    {"SELECT * FROM utf8_each(X, 'utf-9')", &plain},
    {"SELECT * FROM utf8_audit WHERE only = 'temp' AND policy = 'gbk' AND suspects = 0",
     &plain},
    {"SELECT * FROM utf8_audit('nowhere')", &plain},
    {"SELECT * FROM utf8_audit('main', X)", &broken},
    {"SELECT * FROM utf8_audit('main', 'auto', 'maybe')", &plain},
};
enum {
  STATEMENTS = sizeof statements / sizeof *statements,
  BRIEF = sizeof brief / sizeof *brief
};

/* Of a table t(c). error names what could not be read. */
static const Statement audits[] = {
    {"SELECT column_name, key, offset, error FROM utf8_audit", &late},
    {"SELECT error, errors FROM utf8_audit", &full},
    {"SELECT error, repair_sql FROM utf8_audit", &late},
    {"SELECT error, hex(value) FROM utf8_audit", &late},
    {"SELECT error, undo_sql FROM utf8_audit", &full},
    {"SELECT error, repair_sql, undo_sql FROM utf8_audit('main', 'auto')", &cyrillic},
    {"SELECT error, errors, repair_sql, undo_sql FROM utf8_audit('main', 'gbk')",
     &cyrillic},
    {"SELECT cause, readings, repair_sql, undo_sql FROM utf8_audit('main', 'auto')",
     &escapes},
    {"SELECT error FROM utf8_audit('main', 'subpart', 1)", &plain},
    {"SELECT error, errors FROM utf8_audit('main', 'subpart', 1)", &invisible},
    {"SELECT error, repair_sql, undo_sql FROM utf8_audit('main', 'subpart', 1)",
     &misread},
    {"SELECT schema, table_name, column_name, key, offset, error, errors, hex(value), "
     "repair_sql,"
     " undo_sql, cause, hex(repaired) FROM utf8_audit('main', 'auto', 1)",
     &pasted},
};
enum { AUDITS = sizeof audits / sizeof *audits };

enum { SQL_SIZE = 1000 };

/* Writes sql with x in place of each X. sql_on has SQL_SIZE bytes, or nearly so. */
static void putStatement(char *sql_on, const char *sql, const char *x) {
  size_t used = 0;
  for (const char *at = sql; *at; at++) {
    const int is_x =
        *at == 'X' && !isalnum((unsigned char)at[-1]) && !isalnum((unsigned char)at[1]);
    const char *put = is_x ? x : at;
    const size_t size = is_x ? strlen(x) : 1;
    memcpy(sql_on + used, put, size);
    used += size;
  }
  sql_on[used] = 0;
}

/* Returns sql with x in place of each X, to be freed with sqlite3_free(). */
static inline char *statementOn(const char *sql, const char *x) {
  char sql_on[SQL_SIZE];
  putStatement(sql_on, sql, x);
  return sqlite3_mprintf("%s", sql_on);
}

static void fillSample(const Sample *sample, char *bytes, size_t size) {
  const size_t start = strlen(sample->start), repeated = strlen(sample->repeated);
  const size_t end = strlen(sample->end);
  memcpy(bytes, sample->start, start);
  for (size_t i = start; i < size; i++)
    bytes[i] = sample->repeated[(i - start) % repeated];
  memcpy(bytes + size - end, sample->end, end);
}

static inline char *makeSample(const Sample *sample) {
  static char bytes[SAMPLE_SIZE];
  fillSample(sample, bytes, SAMPLE_SIZE);
  return bytes;
}

#endif
