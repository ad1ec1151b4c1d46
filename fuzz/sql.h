/* sql.h: what fuzz_each.c and fuzz_audit.c share: random numbers, the SQL to replay a
** case, the rows of a query as text, faults, and the loop over the cases.
**
** A case is determined by its seed alone. A failure prints the seed, every statement that
** the case ran and the rows that differ, and exits with status 1:
**
**     build/fuzz/3.31.1/each --seed 17 --cases 1
**
** A program defines run_case() and calls fuzz_main().
*/
#ifndef UTF8_FUZZ_SQL_H
#define UTF8_FUZZ_SQL_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "sqlite3.h"
#include "test/abnf.h"
#include "utf8ext.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

static void run_case(void);

/* ---- random numbers -------------------------------------------------------------- */

static uint64_t seed, random_state;

/* splitmix64 */
static inline uint64_t random_bits(void) {
  uint64_t z = (random_state += 0x9E3779B97F4A7C15u);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

static inline int below(int n) {
  return (int)(random_bits() % (uint64_t)n);
}

static inline int chance(int percent) {
  return below(100) < percent;
}

#define PICK(array) ((array)[below(COUNT(array))])

/* ---- text that grows; never allocated by SQLite, whose memory is counted ----------- */

typedef struct Text {
  char *bytes; /* ends in 00 */
  size_t size, room;
} Text;

static inline void text_bytes(Text *t, const void *bytes, size_t size) {
  if (t->size + size + 1 > t->room) {
    t->room = 2 * (t->size + size + 1);
    t->bytes = realloc(t->bytes, t->room);
    if (!t->bytes) exit((fputs("out of memory\n", stderr), 2));
  }
  if (size) memcpy(t->bytes + t->size, bytes, size);
  t->size += size;
  t->bytes[t->size] = 0;
}

static inline void text_string(Text *t, const char *string) {
  text_bytes(t, string, strlen(string));
}

#ifdef __GNUC__
#define FORMAT(n) __attribute__((format(printf, n, n + 1)))
#else
#define FORMAT(n)
#endif

static inline void text_vformat(Text *t, const char *format, va_list arguments) {
  va_list again;
  va_copy(again, arguments);
  int size = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *bytes = malloc((size_t)size + 1);
  if (!bytes) exit(2);
  vsnprintf(bytes, (size_t)size + 1, format, arguments);
  text_bytes(t, bytes, (size_t)size);
  free(bytes);
}

FORMAT(2) static inline void text_format(Text *t, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(t, format, arguments);
  va_end(arguments);
}

static inline void text_hex(Text *t, const void *bytes, size_t size) {
  text_string(t, "x'");
  for (size_t i = 0; i < size; i++) text_format(t, "%02x", ((const uint8_t *)bytes)[i]);
  text_string(t, "'");
}

/* An identifier in double quotes. */
static inline void text_name(Text *t, const char *name) {
  text_string(t, "\"");
  for (; *name; name++)
    text_bytes(t, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
  text_string(t, "\"");
}

static inline const char *text_of(const Text *t) {
  return t->bytes ? t->bytes : "";
}

static inline void text_clear(Text *t) {
  free(t->bytes);
  *t = (Text){NULL, 0, 0};
}

/* ---- failures ---------------------------------------------------------------------- */

static Text replay; /* the statements of the case so far */
static const char *program;

/* What the case had run when it failed, or when a sanitizer stopped it. */
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

static unsigned long long queries, refused, slow, faults, faulty;

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

FORMAT(2) static inline void run(sqlite3 *db, const char *format, ...) {
  Text sql = {NULL, 0, 0};
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&sql, format, arguments);
  va_end(arguments);
  run_text(db, &sql);
}

/* ---- encodings ------------------------------------------------------------------- */

typedef enum Encoding { UTF_8, UTF_16LE, UTF_16BE } Encoding;
static const char *const encoding_names[] = {"UTF-8", "UTF-16le", "UTF-16be"};
static Encoding encoding; /* of the case's databases */

static inline void text_unit(Text *t, uint32_t unit) {
  uint8_t pair[2] = {(uint8_t)(unit >> 8), (uint8_t)unit};
  uint8_t swapped[2] = {(uint8_t)unit, (uint8_t)(unit >> 8)};
  text_bytes(t, encoding == UTF_16BE ? pair : swapped, 2);
}

static inline uint32_t unit_at(const uint8_t *bytes) {
  int big = encoding == UTF_16BE;
  return (uint32_t)bytes[!big] << 8 | bytes[big];
}

static inline void text_wtf8_from_utf16(Text *t, const uint8_t *bytes, size_t size) {
  size_t at = 0;
  for (; at + 2 <= size; at += 2) {
    uint32_t c = unit_at(bytes + at);
    uint32_t next = at + 4 <= size ? unit_at(bytes + at + 2) : 0;
    if (c >> 10 == 0xD800 >> 10 && next >> 10 == 0xDC00 >> 10) {
      c = 0x10000 + ((c & 0x3FF) << 10 | (next & 0x3FF));
      at += 2;
    }
    uint8_t out[6];
    text_bytes(t, out, abnf_encode(ABNF_UTF8 | ABNF_WTF8, c, out));
  }
  if (at < size) text_bytes(t, (const uint8_t[]){UTF8_ODD_BYTES(bytes[at])}, 3);
}

/* Appends what TEXT with these bytes is to utf8ext: the bytes, or the WTF-8 form of UTF-16. */
static inline void text_wtf8(Text *t, const uint8_t *bytes, size_t size) {
  if (encoding == UTF_8) {
    text_bytes(t, bytes, size);
  } else {
    text_wtf8_from_utf16(t, bytes, size);
  }
}

/* Appends well-formed UTF-8 as TEXT of the case's encoding has it. */
static inline void text_stored(Text *t, const uint8_t *bytes, size_t size) {
  if (encoding == UTF_8) text_bytes(t, bytes, size);
  for (size_t at = 0; encoding != UTF_8 && at < size;) {
    Utf8Step step = abnf_step(&abnf_dialects[0], bytes, size, at);
    uint32_t c = step.codepoint;
    if (c >= 0x10000) {
      text_unit(t, 0xD800 + ((c - 0x10000) >> 10));
      c = 0xDC00 + (c & 0x3FF);
    }
    text_unit(t, c);
    at += step.length;
  }
}

/* Appends the bytes of a random TEXT in the case's encoding; `ill` of 100 pieces may be
** ill-formed. */
static inline void text_random(Text *t, int most, int ill) {
  static const char *const good[] = {"a",
                                     "b",
                                     "A",
                                     "a ",
                                     "\xC3\xA9",
                                     "'",
                                     "\xE2\x82\xAC",
                                     "\xF0\x9F\x98\x80",
                                     "%",
                                     "\x7F",
                                     "\xEF\xBF\xBD"};
  static const char *const bad[] = {"\xFF",
                                    "\x80",
                                    "\xC3",
                                    "\xE2\x82",
                                    "\xC0\xAF",
                                    "\xC0\x80",
                                    "\xED\xA0\x80",
                                    "\xED\xB0\x80",
                                    "\xED\xA0\xBD\xED\xB8\x80",
                                    "\xF0\x9F\x98",
                                    "\xF4\x90\x80\x80",
                                    "\xFD\xBF\xBF\xBF\xBF\xBF",
                                    "\xE9"};
  static const uint16_t units[] = {0x61,   0x62,   0xE9,   0x20AC, 0xFFFD,
                                   0xD83D, 0xDE00, 0xD800, 0xDC00};
  static const uint16_t noncharacters[] = {0xFFFE, 0xFFFF, 0xFEFF, 0};
  for (int n = below(most + 1); n > 0; n--) {
    if (chance(3)) {
      if (encoding == UTF_8) text_bytes(t, "", 1);
      if (encoding != UTF_8) text_unit(t, PICK(noncharacters));
    } else if (chance(2)) {
      for (int i = 60 + below(10); i > 0; i--) text_stored(t, (const uint8_t *)"x", 1);
    } else if (!chance(ill)) {
      const char *piece = PICK(good);
      text_stored(t, (const uint8_t *)piece, strlen(piece));
    } else if (encoding == UTF_8) {
      text_string(t, PICK(bad));
    } else {
      text_unit(t, PICK(units));
    }
  }
}

/* ---- rows -------------------------------------------------------------------------- */

typedef struct Row {
  char *text; /* the values, '|' between them */
  size_t
      prefix; /* where those of the first columns end, by which the rows are sorted */
} Row;

typedef struct Rows {
  Row *row;
  size_t count;
  int rc; /* SQLITE_DONE, or the error after the last row */
  char message[200];
} Rows;

static inline void rows_clear(Rows *rows) {
  for (size_t i = 0; i < rows->count; i++) free(rows->row[i].text);
  free(rows->row);
  memset(rows, 0, sizeof *rows);
}

static inline void rows_add(Rows *rows, Text *text, size_t prefix) {
  if ((rows->count & (rows->count - 1)) == 0) {
    size_t room = rows->count ? 2 * rows->count : 1;
    rows->row = realloc(rows->row, room * sizeof(Row));
    if (!rows->row) exit(2);
  }
  text_bytes(text, "", 0);
  rows->row[rows->count++] = (Row){text->bytes, prefix};
  *text = (Text){NULL, 0, 0};
}

/* Printable ASCII in quotes, other bytes in hex after t or b. */
static inline void text_shown(Text *t, char type, const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  size_t printable = 0;
  while (printable < size && p[printable] >= 0x20 && p[printable] < 0x7F) printable++;
  if (type == 't' && printable == size) {
    text_string(t, "'");
    text_bytes(t, bytes, size);
    text_string(t, "'");
  } else {
    text_format(t, "%c", type);
    text_hex(t, bytes, size);
  }
}

/* Appends a TEXT result: its bytes, or the WTF-8 form of its UTF-16. The size comes first:
** for the size, an old SQLite changes the byte order. */
static inline void text_result(Text *t, sqlite3_stmt *stmt, int i) {
  sqlite3_value *x = sqlite3_column_value(stmt, i);
  int size = encoding == UTF_8 ? sqlite3_value_bytes(x) : sqlite3_value_bytes16(x);
  const void *bytes = encoding == UTF_8      ? sqlite3_value_text(x)
                      : encoding == UTF_16LE ? sqlite3_value_text16le(x)
                                             : sqlite3_value_text16be(x);
  if (bytes) text_wtf8(t, bytes, (size_t)size);
}

static inline void text_column(Text *t, sqlite3_stmt *stmt, int i) {
  Text text = {NULL, 0, 0};
  const void *bytes;
  switch (sqlite3_column_type(stmt, i)) {
  case SQLITE_NULL:
    text_string(t, "NULL");
    break;
  case SQLITE_INTEGER:
    text_format(t, "%lld", (long long)sqlite3_column_int64(stmt, i));
    break;
  case SQLITE_FLOAT:
    text_format(t, "r%.17g", sqlite3_column_double(stmt, i));
    break;
  case SQLITE_TEXT:
    text_result(&text, stmt, i);
    text_shown(t, 't', text.bytes, text.size);
    text_clear(&text);
    break;
  default:
    bytes = sqlite3_column_blob(stmt, i);
    text_shown(t, 'b', bytes, (size_t)sqlite3_column_bytes(stmt, i));
    break;
  }
}

static inline void rows_step(Rows *rows, sqlite3_stmt *stmt, int sorted) {
  Text text = {NULL, 0, 0};
  size_t prefix = 0;
  for (int i = 0; i < sqlite3_column_count(stmt); i++) {
    if (i) text_string(&text, "|");
    text_column(&text, stmt, i);
    if (i + 1 == sorted) prefix = text.size;
  }
  rows_add(rows, &text, prefix);
}

static inline void rows_failed(Rows *rows, sqlite3 *db, int rc) {
  rows->rc = rc;
  snprintf(rows->message, sizeof rows->message, "%s", sqlite3_errmsg(db));
}

/* The rows of a query, of which the first `sorted` columns determine the order. */
static inline Rows rows_of(sqlite3 *db, const char *sql, int sorted) {
  Rows rows = {NULL, 0, SQLITE_OK, ""};
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, sql, -1, &stmt, NULL);
  if (rc == SQLITE_OK) {
    while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) rows_step(&rows, stmt, sorted);
  }
  rows_failed(&rows, db, rc);
  sqlite3_finalize(stmt);
  queries++;
  return rows;
}

static inline int row_order(const void *a, const void *b) {
  return strcmp(((const Row *)a)->text, ((const Row *)b)->text);
}

/* The rows in the order of their text, which stays theirs. */
static inline Rows rows_sorted(const Rows *rows) {
  Rows sorted = *rows;
  if (!rows->count) return sorted;
  sorted.row = malloc(rows->count * sizeof(Row));
  if (!sorted.row) exit(2);
  memcpy(sorted.row, rows->row, rows->count * sizeof(Row));
  qsort(sorted.row, sorted.count, sizeof(Row), row_order);
  return sorted;
}

/* Prints at most ten rows that one has and the other, also sorted, has not. */
static inline size_t rows_without(const Rows *rows, const Rows *other,
                                  const char *what) {
  size_t j = 0, count = 0;
  for (size_t i = 0; i < rows->count; i++) {
    while (j < other->count && row_order(&other->row[j], &rows->row[i]) < 0) j++;
    if (j < other->count && row_order(&other->row[j], &rows->row[i]) == 0) {
      j++;
    } else if (count++ < 10 && what) {
      printf("%s: %s\n", what, rows->row[i].text);
    }
  }
  return count;
}

/* What a query determines: all of its rows, or under LIMIT only the sorted columns. */
typedef struct Order {
  int sorted; /* so many columns */
  int limit;
} Order;

static inline void rows_same_order(const Rows *got, const Rows *due) {
  for (size_t i = 0; i < got->count && i < due->count; i++) {
    const Row *g = &got->row[i], *d = &due->row[i];
    int same = g->prefix == d->prefix && memcmp(g->text, d->text, g->prefix) == 0;
    if (!same) fail("row %zu: %s; due: %s", i + 1, g->text, d->text);
  }
}

/* Leaves the two as they are. */
static inline void rows_same_set(const Rows *got, const Rows *due) {
  Rows g = rows_sorted(got), d = rows_sorted(due);
  size_t more = rows_without(&g, &d, "not due"), less = rows_without(&d, &g, "missing");
  if (more || less) fail("%zu rows, due: %zu", got->count, due->count);
  free(g.row);
  free(d.row);
}

static inline void rows_same(const Rows *got, const Rows *due, Order order) {
  if (got->rc != due->rc) {
    fail("gives error %d, %s; due: %d, %s", got->rc, got->message, due->rc,
         due->message);
  }
  if (order.limit && got->count == due->count) {
    rows_same_order(got, due);
    return;
  }
  rows_same_set(got, due);
  rows_same_order(got, due);
}

/* ---- faults ---------------------------------------------------------------------- */

static long allocations_left = -1; /* -1: any number */
static int allocations_fail;       /* how many fail then */
static sqlite3_mem_methods memory;

static inline int allocation_fails(void) {
  if (allocations_left < 0) return 0;
  if (allocations_left > 0) {
    allocations_left--;
    return 0;
  }
  if (--allocations_fail <= 0) allocations_left = -1;
  return 1;
}

static void *memory_malloc(int size) {
  return allocation_fails() ? NULL : memory.xMalloc(size);
}

static void *memory_realloc(void *old, int size) {
  return allocation_fails() ? NULL : memory.xRealloc(old, size);
}

static inline void faults_install(void) {
  sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory);
  sqlite3_mem_methods methods = memory;
  methods.xMalloc = memory_malloc;
  methods.xRealloc = memory_realloc;
  sqlite3_config(SQLITE_CONFIG_MALLOC, &methods);
}

typedef enum Fault {
  FAULT_MEMORY,
  FAULT_HEAP,
  FAULT_INTERRUPT,
  FAULT_LIMIT,
  FAULTS
} Fault;

static int ticks_left; /* of the progress handler, until it interrupts */

static int progress_tick(void *unused) {
  (void)unused;
  return --ticks_left < 0;
}

#define TICK       100   /* instructions of SQLite's virtual machine */
#define TICKS_SLOW 20000 /* a query that takes more is given up */

/* Interrupts what takes too long, so that a case is always short. */
static inline void watch(sqlite3 *db) {
  ticks_left = TICKS_SLOW;
  sqlite3_progress_handler(db, TICK, progress_tick, NULL);
}

/* SQLITE_LIMIT_ATTACHED and the like have no effect on a query. */
static const int limits[] = {
    SQLITE_LIMIT_LENGTH,       SQLITE_LIMIT_SQL_LENGTH,      SQLITE_LIMIT_COLUMN,
    SQLITE_LIMIT_EXPR_DEPTH,   SQLITE_LIMIT_COMPOUND_SELECT, SQLITE_LIMIT_VDBE_OP,
    SQLITE_LIMIT_FUNCTION_ARG, SQLITE_LIMIT_VARIABLE_NUMBER};
static int limits_before[COUNT(limits)];

static inline void limits_start(sqlite3 *db) {
  for (int i = 0; i < COUNT(limits); i++) {
    limits_before[i] = sqlite3_limit(db, limits[i], -1);
    if (!chance(30)) continue;
    int limit = 1 + below(1 << below(12));
    sqlite3_limit(db, limits[i], limit);
    replay_comment("limit %d: %d", limits[i], limit);
  }
}

static inline void limits_stop(sqlite3 *db) {
  for (int i = 0; i < COUNT(limits); i++)
    sqlite3_limit(db, limits[i], limits_before[i]);
}

/* From here to fault_stop() statements may fail; returns which way. */
static inline Fault fault_start(sqlite3 *db) {
  Fault fault = (Fault)below(FAULTS);
  faults++;
  switch (fault) {
  case FAULT_MEMORY:
    allocations_left = below(1 << below(11));
    allocations_fail = chance(50) ? 1 : 1000000;
    break;
  case FAULT_HEAP:
    sqlite3_hard_heap_limit64(sqlite3_memory_used() + below(1 << below(17)) + 1);
    break;
  case FAULT_INTERRUPT:
    ticks_left = below(1 << below(9));
    sqlite3_progress_handler(db, 1 + below(3), progress_tick, NULL);
    break;
  default:
    limits_start(db);
    break;
  }
  return fault;
}

static inline void fault_stop(sqlite3 *db, Fault fault) {
  allocations_left = -1;
  sqlite3_hard_heap_limit64(0);
  watch(db);
  if (fault == FAULT_LIMIT) limits_stop(db);
}

/* The rows before an error are some of those that are due. */
static inline void rows_are_among(const Rows *got, const Rows *due) {
  Rows g = rows_sorted(got), d = rows_sorted(due);
  if (rows_without(&g, &d, "not due")) {
    fail("rows before the error %d, %s", got->rc, got->message);
  }
  free(g.row);
  free(d.row);
}

/* Under a fault a query gives its rows, or some of them and an error. Limits may change the
** rows: SQLite reads a literal above SQLITE_LIMIT_LENGTH as NULL, and utf8_audit reports
** what exceeds a limit as a row. */
static inline void rows_under_fault(sqlite3 *db, const char *sql, const Rows *due,
                                    Order order) {
  static const char *const names[] = {"failing allocations", "a heap limit",
                                      "an interrupt", "limits"};
  Fault fault = fault_start(db);
  replay_comment("the same under %s", names[fault]);
  Rows got = rows_of(db, sql, order.sorted);
  fault_stop(db, fault);
  if (fault == FAULT_LIMIT) {
    faulty++;
  } else if (got.rc == SQLITE_DONE) {
    rows_same(&got, due, order);
  } else if (!order.limit) {
    faulty++;
    rows_are_among(&got, due);
  }
  rows_clear(&got);
}

/* ---- a query, written twice: over the subject of the test, and over a table --------- */

typedef struct Pair {
  Text subject, reference;
} Pair;

FORMAT(2) static inline void subject(Pair *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&p->subject, format, arguments);
  va_end(arguments);
}

FORMAT(2) static inline void reference(Pair *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&p->reference, format, arguments);
  va_end(arguments);
}

FORMAT(2) static inline void both(Pair *p, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_vformat(&p->subject, format, arguments);
  va_end(arguments);
  va_start(arguments, format);
  text_vformat(&p->reference, format, arguments);
  va_end(arguments);
}

static inline void pair_append(Pair *p, const Pair *more) {
  text_string(&p->subject, text_of(&more->subject));
  text_string(&p->reference, text_of(&more->reference));
}

static inline void pair_clear(Pair *p) {
  text_clear(&p->subject);
  text_clear(&p->reference);
}

/* Without the optimizations that move or drop terms of WHERE. */
static inline Rows reference_rows(sqlite3 *db, const char *sql, int sorted) {
  enum {
    FLATTENER = 0x1,
    FACTOR_OUT_CONSTANTS = 0x8,
    TRANSITIVE = 0x80,
    OMIT_NOOP_JOIN = 0x100,
    PUSH_DOWN = 0x1000,
    SIMPLIFY_JOIN = 0x2000,
    PROPAGATE_CONSTANTS = 0x8000
  };
  const int off = FLATTENER | FACTOR_OUT_CONSTANTS | TRANSITIVE | OMIT_NOOP_JOIN |
                  PUSH_DOWN | SIMPLIFY_JOIN | PROPAGATE_CONSTANTS;
  watch(db);
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, off);
  Rows due = rows_of(db, sql, sorted);
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, 0);
  return due;
}

/* Runs the query both ways. may_refuse, if any, says which errors of the subject are
** none of its own. */
static inline void compare(sqlite3 *db, const Pair *sql, Order order,
                           int (*may_refuse)(const Rows *)) {
  size_t before = replay.size;
  replay_statement(text_of(&sql->reference));
  replay_statement(text_of(&sql->subject));
  Rows due = reference_rows(db, text_of(&sql->reference), order.sorted);
  watch(db);
  Rows got = rows_of(db, text_of(&sql->subject), order.sorted);
  if (due.rc == SQLITE_INTERRUPT || got.rc == SQLITE_INTERRUPT) {
    slow++;
  } else if (may_refuse && may_refuse(&got)) {
    refused++;
  } else {
    rows_same(&got, &due, order);
    if (chance(20)) rows_under_fault(db, text_of(&sql->subject), &due, order);
  }
  rows_clear(&got);
  rows_clear(&due);
  replay.size = before; /* shows only what fails */
}

/* ---- the loop -------------------------------------------------------------------- */

/* A connection with utf8ext, without lookaside memory, so that ASan sees each allocation. */
static inline sqlite3 *open_database(const char *name) {
  sqlite3 *db = NULL;
  if (sqlite3_open(name, &db) != SQLITE_OK) fail("open: %s", sqlite3_errmsg(db));
  sqlite3_db_config(db, SQLITE_DBCONFIG_LOOKASIDE, NULL, 0, 0);
  if (sqlite3_utf8ext_init(db, NULL, NULL) != SQLITE_OK) fail("utf8ext does not load");
  watch(db);
  return db;
}

static inline void close_database(sqlite3 *db) {
  if (sqlite3_close(db) != SQLITE_OK) fail("close: %s", sqlite3_errmsg(db));
}

static inline void run_seed(void) {
  random_state = seed;
  text_clear(&replay);
  run_case();
  text_clear(&replay);
  sqlite3_int64 used = sqlite3_memory_used();
  if (used) fail("%lld bytes of memory are not freed", (long long)used);
}

/* The number after a name, or `otherwise`. */
static inline uint64_t option(int argc, char **argv, const char *name,
                              uint64_t otherwise) {
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], name) == 0) return strtoull(argv[i + 1], NULL, 10);
  }
  return otherwise;
}

#ifdef __GNUC__
extern void __sanitizer_set_death_callback(void (*)(void)) __attribute__((weak));
#else
static void (*const __sanitizer_set_death_callback)(void (*)(void));
#endif

static inline int fuzz_main(int argc, char **argv) {
  program = argv[0];
  seed = option(argc, argv, "--seed", (uint64_t)time(NULL) * 1000000);
  uint64_t cases = option(argc, argv, "--cases", UINT64_MAX), done = 0;
  time_t end = time(NULL) + (time_t)option(argc, argv, "--seconds", 3600 * 24);
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(print_replay);
  faults_install();
  printf("%s: SQLite %s, seed %llu\n", program, sqlite3_libversion(),
         (unsigned long long)seed);
  fflush(stdout);
  for (; done < cases && time(NULL) < end; done++, seed++) run_seed();
  printf(
      "%llu cases, %llu queries (%llu refused, %llu slow), %llu faults (%llu errors)\n",
      (unsigned long long)done, queries, refused, slow, faults, faulty);
  return 0;
}

#endif
