/* statements.h: SQL that calls each function and table of utf8ext, for programs that change SQLite's
** functions.
**
**     init = entryPoint("./utf8ext.so");
**     makeTable();
**     table.api.malloc64 = ...;
**     init(db, NULL, &table.api);
*/
#ifndef UTF8_STATEMENTS_H
#define UTF8_STATEMENTS_H

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQLITE_CORE /* calls SQLite itself, not through a table */
#include "sqlite3ext.h"

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

/* ---- SQLite's table of functions ------------------------------------------------------- */

enum { SLOTS = 400 };
typedef void Function(void);
static union {
  sqlite3_api_routines api;
  Function *slots[SLOTS];
} table;

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
static const Sample twice = {"caf\xc3\x83\xc6\x92\xc3\x82\xc2\xa9 ",
                             "caf\xc3\x83\xc6\x92\xc3\x82\xc2\xa9\n", ""};
static const Sample noncharacters = {"a", "b\xef\xbf\xbf\xef\xbf\xbe", ""};
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
    {"SELECT hex(utf8_demojibake(X))", &twice},
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

#endif
