/* faulttest.c: whatever fails while a statement runs, it ends with that error or with its whole
** result; the database is as before or as after, and no memory is lost.
**
**     build/faulttest ./utf8ext.so [quick]
**
** What fails: each allocation, once and from then on; sqlite3_interrupt() at each allocation and at each
** step of SQLite's machine; a progress handler; a limited heap; a limited length of values. The
** statements are those of statements.h, and one for each name that a function accepts: it lists them in
** the message about a name that it does not accept. Each function with each number of arguments and
** each column of each table must have a statement. quick leaves out the charsets and UTF-16be.
*/
#include "core/step.h"

#include "test/faultrun.h"
#include "test/statements.h"

/* ---- what a database holds ------------------------------------------------------------------ */

/* Returns the content, and SQLite's opinion of it, to be freed. */
static char *contentOf(sqlite3 *db) {
  static const char *const queries[] = {
      "SELECT count(*), group_concat(name) FROM sqlite_master",
      "SELECT rowid, hex(c), n, s FROM t", "SELECT rowid, hex(v) FROM raw",
      "PRAGMA integrity_check"};
  Result content = {SQLITE_OK, NULL, 0, 0, 0};
  for (size_t i = 0; i < sizeof queries / sizeof *queries; i++) {
    const Case query = {queries[i], NULL, NULL, 0, 0};
    addRows(&content, db, &query);
  }
  return content.text;
}

static char *contentAfter(const Case *c, int runs) {
  sqlite3 *db = openCase(c);
  if (runs) free(runOn(db, c, NO_FAULT, 0).text);
  char *content = contentOf(db);
  sqlite3_close(db);
  return content;
}

/* ---- each fault at each place --------------------------------------------------------------- */

/* What a statement does without faults. before is NULL for a query. */
typedef struct Expected {
  Result whole;
  char *before, *after;
} Expected;

static Expected expect(const Case *c, int changes) {
  sqlite3 *db = openCase(c);
  Expected e = {runOn(db, c, NO_FAULT, 0), NULL, NULL};
  sqlite3_close(db);
  if (changes) e.before = contentAfter(c, 0), e.after = contentAfter(c, 1);
  return e;
}

static void forget(Expected *e) {
  free(e->whole.text);
  free(e->before);
  free(e->after);
}

static int codeOf(FaultKind kind) {
  return kind <= FAIL_ON ? SQLITE_NOMEM : SQLITE_INTERRUPT;
}

/* Errors that SQLite itself cannot explain: it could not copy a message; xConnect failed, whatever the
** reason (the second line before 3.32); 3.31 was interrupted while it read its own schema. */
static int isWithoutReason(const Result *r, const Expected *e) {
  static const char *const starts[] = {"vtable constructor failed: utf8_",
                                       "no such table: utf8_"};
  const char *error = r->text + r->rows_size + strlen("Error: ");
  for (int i = 0; i < 2; i++) {
    if (strncmp(error, starts[i], strlen(starts[i])) == 0) return 1;
  }
  return strcmp(error, sqlite3_errstr(r->rc)) == 0 &&
         (r->rc == SQLITE_ERROR || r->rc == e->whole.rc ||
          (r->rc == SQLITE_CORRUPT && sqlite3_libversion_number() < 3032000));
}

/* Is the result whole, or its first rows and the error? */
static int isAcceptable(const Result *r, const Expected *e, int code) {
  if (strcmp(r->text, e->whole.text) == 0) return 1;
  if (strncmp(r->text, e->whole.text, r->rows_size) != 0) return 0;
  return r->rc == code || (r->rc != SQLITE_DONE && isWithoutReason(r, e));
}

/* A progress handler can stop a statement that SQLite has just committed. */
static int contentIsWhole(sqlite3 *db, const Result *r, const Expected *e) {
  if (!e->before) return 1;
  char *content = contentOf(db);
  const int is_whole = strcmp(content, e->after) == 0 ||
                       (r->rc != SQLITE_DONE && strcmp(content, e->before) == 0);
  free(content);
  return is_whole;
}

static void report(const Case *c, const char *what, long at, const Result *r,
                   const Expected *e) {
  if (failed < 20)
    printf("%s, %s at %ld: %s\n  got: %.300s\n  expected: %.300s\n", encoding, what, at,
           c->sql, r->text, e->whole.text);
}

/* A corrupt page can ask for too much memory, so an audit may report one failed allocation as such a page. */
static int isUnreadable(const Case *c, FaultKind kind, const Result *r) {
  return c->is_audit && kind == FAIL_ONCE && r->rc == SQLITE_DONE &&
         strstr(r->text, "unreadable: ") && strstr(r->text, "out of memory");
}

/* Returns 0 after the last place, 1 if all is well, -1 if not. */
static int runAt(const Case *c, FaultKind kind, long at, const Expected *e) {
  const long live = live_allocations;
  sqlite3 *db = openCase(c);
  Result r = runOn(db, c, kind, at);
  const int was = fault.count >= at;
  int ok = (isAcceptable(&r, e, codeOf(kind)) || isUnreadable(c, kind, &r)) &&
           contentIsWhole(db, &r, e);
  if (sqlite3_close(db) != SQLITE_OK) ok = 0;
  if (!ok) report(c, kind_names[kind], at, &r, e);
  free(r.text);
  if (live_allocations != live) {
    printf("%ld allocations are lost\n", live_allocations - live);
    ok = 0;
  }
  return !ok ? -1 : was;
}

/* Tries all of the first places; of those after them, fewer the farther they are. */
static long nextPlace(FaultKind kind, long at) {
  const long each = kind <= FAIL_ON ? 200 : 20;
  return at < each ? at + 1 : at + at / 16 + 1;
}

static void checkFaults(const Case *c, int changes) {
  Expected e = expect(c, changes);
  for (int kind = FAIL_ONCE; kind < FAULT_KINDS; kind++) {
    int ok = 1;
    for (long at = 1; ok == 1; at = nextPlace((FaultKind)kind, at))
      ok = runAt(c, (FaultKind)kind, at, &e);
    check(ok >= 0, kind_names[kind], c->sql);
  }
  forget(&e);
}

/* ---- a limited heap -------------------------------------------------------------------------- */

enum { HEAP_STEPS = 20 };
static long heap_limits, length_limits;

static int64_t peakOf(const Case *c) {
  sqlite3 *db = openCase(c);
  const int64_t before = sqlite3_memory_used();
  sqlite3_memory_highwater(1);
  free(runOn(db, c, NO_FAULT, 0).text);
  sqlite3_close(db);
  return sqlite3_memory_highwater(0) - before;
}

static void checkHeap(const Case *c, int changes) {
  Expected e = expect(c, changes);
  const int64_t peak = peakOf(c);
  int ok = 1;
  for (int i = 0; ok && i <= HEAP_STEPS; i++) {
    sqlite3 *db = openCase(c);
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + 1 + peak * i / HEAP_STEPS);
    Result r = runOn(db, c, NO_FAULT, 0);
    sqlite3_hard_heap_limit64(0);
    ok = isAcceptable(&r, &e, SQLITE_NOMEM) && contentIsWhole(db, &r, &e);
    if (!ok) report(c, "a limited heap", i, &r, &e);
    heap_limits++;
    free(r.text);
    sqlite3_close(db);
  }
  check(ok, "a limited heap", c->sql);
  forget(&e);
}

/* ---- a limited length of values -------------------------------------------------------------- */

/* Is the result whole, or SQLITE_TOOBIG, within the limit? */
static int isWithin(const Case *c, const Result *r, const Expected *e, size_t limit) {
  if (r->longest > limit) return 0;
  return isAcceptable(r, e, SQLITE_TOOBIG) || (c->is_audit && r->rc != SQLITE_NOMEM);
}

static void checkLength(const Case *c, int changes) {
  Expected e = expect(c, changes);
  int ok = 1;
  for (size_t limit = 30; ok && limit < 12 * c->size; limit += limit / 8 + 1) {
    sqlite3 *db = openCase(c);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, (int)limit);
    Result r = runOn(db, c, NO_FAULT, 0);
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, INT32_MAX);
    ok = isWithin(c, &r, &e, limit) && contentIsWhole(db, &r, &e);
    if (!ok) report(c, "a limited length", (long)limit, &r, &e);
    length_limits++;
    free(r.text);
    sqlite3_close(db);
  }
  check(ok, "a limited length", c->sql);
  forget(&e);
}

/* ---- a statement on its sample ---------------------------------------------------------------- */

enum { SIZE = 400, UNITS_SIZE = 2 * SIZE };

/* Writes the bytes as UTF-16 of the databases, each byte of an ill-formed subpart as a lone surrogate.
** Returns the number of bytes. */
static size_t toUtf16(const char *bytes, char *units) {
  const int is_big = strcmp(encoding, "UTF-16be") == 0;
  const uint8_t *text = (const uint8_t *)bytes;
  size_t used = 0;
  for (size_t at = 0; at < SIZE;) {
    const Utf8Step s = step(text, SIZE, at, UTF8_STRICT);
    const uint32_t unit =
        s.error || s.codepoint > 0xFFFF ? 0xD800u + text[at] : s.codepoint;
    units[used + (size_t)is_big] = (char)(unit & 0xFF);
    units[used + (size_t)!is_big] = (char)(unit >> 8);
    used += 2;
    at += s.error ? 1 : s.length;
  }
  return used;
}

/* ---- the statements --------------------------------------------------------------------------- */

/* With ? for a name. The message about the name ? lists those that are accepted. */
static const Statement named[] = {
    {"SELECT utf8_valid(X, '?')", &surrogates},
    {"SELECT utf8_error(X, '?'), utf8_error_offset(X, '?')", &broken},
    {"SELECT count(*), sum(codepoint) FROM utf8_each(X, '?')", &surrogates},
    {"SELECT hex(utf8_repair(X, '?'))", &full},
    {"SELECT hex(utf8_repair(X, '?'))", &pasted},
    {"SELECT hex(utf8_repair(X, '?', '<lost>'))", &surrogates},
    {"SELECT hex(utf8_to(X, 'ascii', '?'))", &decomposed},
    {"SELECT hex(utf8_to(X, 'iso-2022-jp', '?', '!'))", &marks},
    {"SELECT hex(utf8_normalize(X, '?')), utf8_normalized(X, '?')", &marks},
    {"SELECT hex(utf8_unescape(X, '?'))", &escaped},
    {"SELECT hex(utf8_unescape(X, '?'))", &mail},
    {"SELECT hex(utf8_clean(X, '?'))", &dirty},
    {"SELECT hex(utf8_strip(X, '?'))", &invisible},
};
static const Statement named_audits[] = {
    {"SELECT error, cause, repair_sql, undo_sql FROM utf8_audit('main', '?')", &pasted},
};

/* With ? for each charset. */
static const Statement of_charsets[] = {
    {"SELECT hex(utf8_from(X, '?')), hex(utf8_to(X, '?')), hex(utf8_to(X, '?', 'xml')),"
     " utf8_detect_score(X, '?')",
     &plain},
    {"SELECT hex(utf8_demojibake(X, '?')), hex(utf8_repair(X, '?'))", &misread},
};

/* Of a column that was windows-1251, and read as Latin-1. */
static const Statement misread_audits[] = {
    {"SELECT error, errors, cause, hex(repaired), probability, repair_sql, undo_sql"
     " FROM utf8_audit('main', 'auto', 1)",
     &plain},
};
static const char misread_setup[] =
    "CREATE TABLE t(c); INSERT INTO t VALUES('Èâàíîâ'), ('Ïåòðîâ'), ('Ñèäîðîâ'),"
    " ('Êóçíåöîâ'), ('Ïîïîâà'), ('x'), (?2)";

/* Of a value that is unclear, so that the others of its row are read. */
static const Statement row_audits[] = {
    {"SELECT cause, hex(repaired), probability, readings FROM utf8_audit('main', "
     "'auto')",
     &pasted},
};
static const char row_setup[] =
    "CREATE TABLE t(name, city, note); INSERT INTO t VALUES("
    "CAST(x'47f66465' AS TEXT), CAST(x'd6' AS TEXT), ?2)";

static const char audit_setup[] =
    "CREATE TABLE t(c); INSERT INTO t VALUES(?2), ('x'), (x'ff');"
    "CREATE TABLE w(k PRIMARY KEY, v, g AS (v || '!')) WITHOUT ROWID;"
    "INSERT INTO w(k, v) SELECT c, c FROM t";

/* The trigger calls itself until the text is short. */
static const char change_setup[] =
    "CREATE TABLE raw(v); INSERT INTO raw VALUES(?2), ('x'), (?1), (5);"
    "CREATE TABLE t(c CHECK (utf8_valid(c)), n AS (utf8_codepoints(c)) STORED,"
    " s AS (utf8_suspect(c)));"
    "CREATE INDEX i ON t(utf8_casefold(c));"
    "CREATE INDEX j ON t(utf8_normalize(c, 'nfkc')) WHERE utf8_error(c) IS NULL;"
    "PRAGMA recursive_triggers = ON;"
    "CREATE TRIGGER g AFTER INSERT ON t WHEN length(new.c) > 100 BEGIN"
    " INSERT INTO t(c) VALUES (utf8_truncate(new.c, length(new.c) * 2 / 3)); END;"
    "INSERT INTO t(c) SELECT utf8_repair(v) FROM raw";

static const Statement changes[] = {
    {"INSERT INTO t(c) SELECT utf8_repair(v) FROM raw", &broken},
    {"INSERT INTO t(c) SELECT v FROM raw", &broken},
    {"UPDATE t SET c = utf8_strip(c, 'invisible')", &invisible},
    {"UPDATE raw SET v = utf8_clean(v)", &misread},
    {"DELETE FROM raw WHERE NOT utf8_valid(v)", &broken},
    {"CREATE INDEX k ON raw(utf8_repair(v, 'escape'), utf8_unaccent(v))", &cyrillic},
    {"REINDEX", &misread},
    {"CREATE TABLE found AS SELECT * FROM utf8_audit('main', 'auto', 1)", &pasted},
};

typedef enum Names { NO_NAMES, ACCEPTED_NAMES, CHARSET_NAMES } Names;

typedef struct List {
  const Statement *statements;
  size_t count;
  const char *setup; /* of tables, whose values are TEXT; or NULL */
  Names names;       /* what ? stands for */
} List;

#define LIST(statements, setup, names)                                                 \
  { statements, sizeof statements / sizeof *statements, setup, names }

static const List lists[] = {
    LIST(statements, NULL, NO_NAMES),
    LIST(brief, NULL, NO_NAMES),
    LIST(named, NULL, ACCEPTED_NAMES),
    LIST(audits, audit_setup, NO_NAMES),
    LIST(named_audits, audit_setup, ACCEPTED_NAMES),
    LIST(misread_audits, misread_setup, NO_NAMES),
    LIST(row_audits, row_setup, NO_NAMES),
    LIST(changes, change_setup, NO_NAMES),
    LIST(of_charsets, NULL, CHARSET_NAMES),
};
enum { LISTS = sizeof lists / sizeof *lists };

static long cases;

static void checkOn(const List *list, const Statement *statement, int is_text) {
  char sql[SQL_SIZE], sample[SIZE];
  _Alignas(2) char units[UNITS_SIZE];
  const int is_audit = list->setup == audit_setup || list->setup == misread_setup ||
                       list->setup == row_setup;
  Case c = {sql, list->setup, sample, SIZE, is_audit};
  const int is_change = list->setup == change_setup;
  putStatement(sql, statement->sql, is_text ? TEXT : "?1");
  fillSample(statement->sample, sample, SIZE);
  if (is_text && strcmp(encoding, "UTF-8") != 0) {
    c.bytes = units;
    c.size = toUtf16(sample, units);
  }
  cases++;
  checkFaults(&c, is_change);
  if (list->names == CHARSET_NAMES) return;
  checkHeap(&c, is_change);
  checkLength(&c, is_change);
}

static void checkStatement(const List *list, const Statement *statement) {
  const int is_utf8 = strcmp(encoding, "UTF-8") == 0;
  if (is_utf8 && !list->setup) checkOn(list, statement, 0);
  if (is_utf8 || list->names != CHARSET_NAMES) checkOn(list, statement, 1);
}

/* ---- a statement for each name --------------------------------------------------------------- */

/* Writes sql with the name in place of each ?. */
static void putName(char out[SQL_SIZE], const char *sql, const char *name,
                    size_t size) {
  for (const char *at = sql; *at; at++) {
    const int is_name = *at == '?' && at[1] == '\'';
    memcpy(out, is_name ? name : at, is_name ? size : 1);
    out += is_name ? size : 1;
  }
  *out = 0;
}

static Result query(const char *sql) {
  const Case c = {sql, NULL, NULL, 0, 0};
  sqlite3 *db = openCase(&c);
  Result r = runOn(db, &c, NO_FAULT, 0);
  sqlite3_close(db);
  return r;
}

/* Returns the message about the name ?, or a row for each charset; to be freed. */
static char *namesFor(const List *list, const Statement *statement) {
  static const char start[] = "accepted: ",
                    steps[] = "a list, separated by commas, of ";
  char sql[SQL_SIZE];
  putStatement(sql, statement->sql, "'x'");
  if (list->names == CHARSET_NAMES) return query("SELECT name FROM utf8_charsets").text;
  char *text = query(sql).text, *names = strstr(text, start);
  names = names ? names + strlen(start) : text + strlen(text);
  if (strncmp(names, steps, strlen(steps)) == 0) names += strlen(steps);
  memmove(text, names, strlen(names) + 1);
  return text;
}

/* Runs the statement for each name of "a, b, or c; d" or "a|\nb|\n". */
static void checkNames(const List *list, const Statement *statement) {
  char sql[SQL_SIZE], *names = namesFor(list, statement);
  const Statement with_name = {sql, statement->sample};
  int count = 0;
  for (const char *name = names; *name && *name != ';';) {
    const size_t size = strcspn(name, ",;|");
    putName(sql, statement->sql, name, size);
    if (strncmp(name, "or ", 3) != 0) {
      checkStatement(list, &with_name);
      count++;
    }
    name += size + strspn(name + size, ", |\n");
  }
  check(count > 1, "it accepts several names", statement->sql);
  free(names);
}

static void checkList(const List *list) {
  for (size_t i = 0; i < list->count; i++) {
    if (list->names == NO_NAMES) {
      checkStatement(list, &list->statements[i]);
    } else {
      checkNames(list, &list->statements[i]);
    }
  }
}

/* ---- every function and column has a statement ----------------------------------------------- */

/* The functions that the statements call, as "|name(arguments)|", and the columns that they read, as
** "|table.column|". */
static Result used;

static int noteColumn(void *unused, int action, const char *of, const char *column,
                      const char *database, const char *trigger) {
  (void)unused, (void)database, (void)trigger;
  if (action != SQLITE_READ) return SQLITE_OK;
  append(&used, "|"), append(&used, of);
  append(&used, "."), append(&used, column), append(&used, "|");
  return SQLITE_OK;
}

/* EXPLAIN names the functions in the column p4. */
static void noteUse(const List *list, const Statement *statement) {
  enum { P4 = 5 };
  char sql[SQL_SIZE] = "EXPLAIN ";
  sqlite3_stmt *stmt = NULL;
  const Case c = {NULL, list->setup, "y", 1, 0};
  putStatement(sql + strlen(sql), statement->sql, "'x'");
  sqlite3 *db = openCase(&c);
  sqlite3_set_authorizer(db, noteColumn, NULL);
  sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  while (sqlite3_step(stmt) == SQLITE_ROW) {
    const char *p4 = (const char *)sqlite3_column_text(stmt, P4);
    append(&used, "|"), append(&used, p4 ? p4 : ""), append(&used, "|");
  }
  sqlite3_finalize(stmt);
  sqlite3_close(db);
}

static void checkUses(void) {
  append(&used, "");
  for (int i = 0; i < LISTS; i++) {
    for (size_t j = 0; j < lists[i].count; j++)
      noteUse(&lists[i], &lists[i].statements[j]);
  }
  Result due = query(
      "SELECT DISTINCT '|' || name || '(' || narg || ')' FROM pragma_function_list"
      " WHERE name LIKE 'utf8%' UNION ALL SELECT '|' || m.name || '.' || c.name"
      " FROM pragma_module_list AS m, pragma_table_xinfo(m.name) AS c"
      " WHERE m.name LIKE 'utf8%'");
  for (char *row = strtok(due.text, "\n"); row; row = strtok(NULL, "\n"))
    check(strstr(used.text, row) != NULL, "a statement uses it", row);
  free(due.text);
  free(used.text);
}

/* ---- loading ----------------------------------------------------------------------------------- */

static Init *init;

static int countFunctions(sqlite3 *db) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_prepare_v2(
      db, "SELECT count(*) FROM pragma_function_list WHERE name LIKE 'utf8%'", -1,
      &stmt, NULL);
  const int count = sqlite3_step(stmt) == SQLITE_ROW ? sqlite3_column_int(stmt, 0) : -1;
  sqlite3_finalize(stmt);
  return count;
}

/* Loads while allocations fail, then without: then all functions are there. Returns 0 after the last
** place, 1 if all is well, -1 if not. */
static int loadAt(FaultKind kind, long at, int functions) {
  const long live = live_allocations;
  sqlite3 *db = NULL;
  char *message = NULL;
  sqlite3_open(":memory:", &db);
  makeUntested();
  fault.kind = kind, fault.at = at, fault.count = 0, fault.db = db;
  const int rc = init(db, &message, &table.api);
  fault.kind = NO_FAULT;
  sqlite3_free(message);
  int ok = countFunctions(db) == (rc == SQLITE_OK ? functions : 0) &&
           init(db, NULL, &table.api) == SQLITE_OK && countFunctions(db) == functions;
  if (sqlite3_close(db) != SQLITE_OK || live_allocations != live) ok = 0;
  if (!ok) printf("%s at %ld while it loads: %d\n", kind_names[kind], at, rc);
  return !ok ? -1 : fault.count >= at;
}

static void checkLoading(void) {
  sqlite3 *db = NULL;
  makeTable();
  sqlite3_open(":memory:", &db);
  const int functions =
      init(db, NULL, &table.api) == SQLITE_OK ? countFunctions(db) : 0;
  sqlite3_close(db);
  check(functions > 30, "it loads", "");
  for (int kind = FAIL_ONCE; kind <= FAIL_ON; kind++) {
    int ok = 1;
    for (long at = 1; ok == 1; at++) ok = loadAt((FaultKind)kind, at, functions);
    check(ok >= 0, kind_names[kind], "loading");
  }
}

/* ---- main -------------------------------------------------------------------------------------- */

static void printFigures(void) {
  printf("SQLite %s, %ld cases:", sqlite3_libversion(), cases);
  for (int kind = FAIL_ONCE; kind < FAULT_KINDS; kind++)
    printf(" %ld times %s,", faults[kind], kind_names[kind]);
  printf(" %ld heaps, %ld lengths\n", heap_limits, length_limits);
}

int main(int argc, char **argv) {
  static const char *const encodings[] = {"UTF-8", "UTF-16le", "UTF-16be"};
  const int is_quick = argc > 2 && strcmp(argv[2], "quick") == 0;
  if (argc < 2) {
    fprintf(stderr, "faulttest: which extension?\n");
    return 1;
  }
  replaceAllocator();
  init = entryPoint(argv[1]);
  checkLoading();
  sqlite3_auto_extension((void (*)(void))init);
  encoding = encodings[0];
  checkUses();
  for (int i = 0; i < (is_quick ? 2 : 3); i++) {
    encoding = encodings[i];
    for (int j = 0; j < LISTS - is_quick; j++) checkList(&lists[j]);
  }
  printFigures();
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
