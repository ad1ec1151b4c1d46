/* sql.h: shared by fuzz_each.c and fuzz_audit.c: random numbers, the SQL that replays a case,
** the rows of a query as text, faults, and the loop over the cases.
**
** The seed alone determines a case. A failure prints the seed, every statement that the case
** ran, and the rows that differ, and exits with status 1. To run the case again:
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

/* ---- growing text; not allocated by SQLite, whose memory is checked for leaks -------- */

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

/* Appends an identifier in double quotes. */
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

/* Appends TEXT with these bytes as utf8ext reads it: the bytes, or UTF-16 in WTF-8. */
static inline void text_wtf8(Text *t, const uint8_t *bytes, size_t size) {
  if (encoding == UTF_8) {
    text_bytes(t, bytes, size);
  } else {
    text_wtf8_from_utf16(t, bytes, size);
  }
}

/* Appends well-formed UTF-8, converted to the case's encoding. */
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

/* Appends a random TEXT of at most `max` sequences in the case's encoding, of which about
** `percent` in 100 may be ill-formed. */
static inline void text_random(Text *t, int max, int percent) {
  static const char *const well_formed[] = {"a",
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
  static const char *const ill_formed[] = {"\xFF",
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
  for (int n = below(max + 1); n > 0; n--) {
    if (chance(3)) {
      if (encoding == UTF_8) text_bytes(t, "", 1);
      if (encoding != UTF_8) text_unit(t, PICK(noncharacters));
    } else if (chance(2)) {
      for (int i = 60 + below(10); i > 0; i--) text_stored(t, (const uint8_t *)"x", 1);
    } else if (!chance(percent)) {
      const char *sequence = PICK(well_formed);
      text_stored(t, (const uint8_t *)sequence, strlen(sequence));
    } else if (encoding == UTF_8) {
      text_string(t, PICK(ill_formed));
    } else {
      text_unit(t, PICK(units));
    }
  }
}

/* ---- rows -------------------------------------------------------------------------- */

typedef struct Row {
  char *text;    /* the values, separated by '|' */
  size_t prefix; /* bytes of the values in the columns of ORDER BY, which come first */
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

/* Appends printable ASCII TEXT in quotes, other values in hex after their type, t or b. */
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

/* Appends a TEXT result: its bytes, or its UTF-16 in WTF-8. Reads the size first: reading it
** changes the byte order in older versions of SQLite. Returns 0 if memory ran out. */
static inline int text_result(Text *t, sqlite3_stmt *stmt, int i) {
  sqlite3_value *x = sqlite3_column_value(stmt, i);
  int size = encoding == UTF_8 ? sqlite3_value_bytes(x) : sqlite3_value_bytes16(x);
  const void *bytes = encoding == UTF_8      ? sqlite3_value_text(x)
                      : encoding == UTF_16LE ? sqlite3_value_text16le(x)
                                             : sqlite3_value_text16be(x);
  if (bytes) text_wtf8(t, bytes, (size_t)size);
  return bytes != NULL;
}

/* Appends a column of the row. Returns 0 if memory ran out. */
static inline int text_column(Text *t, sqlite3_stmt *stmt, int i) {
  Text text = {NULL, 0, 0};
  const void *bytes;
  int complete = 1;
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
    complete = text_result(&text, stmt, i);
    text_shown(t, 't', text.bytes, text.size);
    text_clear(&text);
    break;
  default:
    bytes = sqlite3_column_blob(stmt, i);
    text_shown(t, 'b', bytes, (size_t)sqlite3_column_bytes(stmt, i));
    break;
  }
  return complete;
}

/* Adds the row, unless memory ran out: the next step then returns an error. */
static inline void rows_step(Rows *rows, sqlite3_stmt *stmt, int sorted) {
  Text text = {NULL, 0, 0};
  size_t prefix = 0;
  int complete = 1;
  for (int i = 0; i < sqlite3_column_count(stmt); i++) {
    if (i) text_string(&text, "|");
    complete &= text_column(&text, stmt, i);
    if (i + 1 == sorted) prefix = text.size;
  }
  if (complete) {
    rows_add(rows, &text, prefix);
  } else {
    text_clear(&text);
  }
}

static inline void rows_failed(Rows *rows, sqlite3 *db, int rc) {
  rows->rc = rc;
  snprintf(rows->message, sizeof rows->message, "%s", sqlite3_errmsg(db));
}

/* Returns the rows of a query that is ordered by its first `sorted` columns. */
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

/* Returns the rows sorted by their text, which `rows` still owns. */
static inline Rows rows_sorted(const Rows *rows) {
  Rows sorted = *rows;
  if (!rows->count) return sorted;
  sorted.row = malloc(rows->count * sizeof(Row));
  if (!sorted.row) exit(2);
  memcpy(sorted.row, rows->row, rows->count * sizeof(Row));
  qsort(sorted.row, sorted.count, sizeof(Row), row_order);
  return sorted;
}

/* Returns how many of the rows are not in `other`, and prints the first ten of them unless
** label is NULL. Both are sorted by their text. */
static inline size_t rows_missing_from(const Rows *other, const Rows *rows,
                                       const char *label) {
  size_t j = 0, count = 0;
  for (size_t i = 0; i < rows->count; i++) {
    while (j < other->count && row_order(&other->row[j], &rows->row[i]) < 0) j++;
    if (j < other->count && row_order(&other->row[j], &rows->row[i]) == 0) {
      j++;
    } else if (count++ < 10 && label) {
      printf("%s: %s\n", label, rows->row[i].text);
    }
  }
  return count;
}

/* How far a query determines its rows. With LIMIT, only the sorted columns are compared. */
typedef struct Order {
  int sorted; /* number of columns in ORDER BY */
  int limit;  /* is there a LIMIT? */
} Order;

static inline void rows_same_order(const Rows *got, const Rows *expected) {
  for (size_t i = 0; i < got->count && i < expected->count; i++) {
    const Row *g = &got->row[i], *d = &expected->row[i];
    int same = g->prefix == d->prefix && memcmp(g->text, d->text, g->prefix) == 0;
    if (!same) fail("row %zu: %s; expected: %s", i + 1, g->text, d->text);
  }
}

/* Compares the rows in any order; does not change them. */
static inline void rows_same_set(const Rows *got, const Rows *expected) {
  Rows g = rows_sorted(got), d = rows_sorted(expected);
  size_t more = rows_missing_from(&d, &g, "unexpected");
  size_t less = rows_missing_from(&g, &d, "missing");
  if (more || less) fail("%zu rows, expected: %zu", got->count, expected->count);
  free(g.row);
  free(d.row);
}

static inline void rows_same(const Rows *got, const Rows *expected, Order order) {
  if (got->rc != expected->rc) {
    fail("error %d, %s; expected: %d, %s", got->rc, got->message, expected->rc,
         expected->message);
  }
  if (order.limit && got->count == expected->count) {
    rows_same_order(got, expected);
    return;
  }
  rows_same_set(got, expected);
  rows_same_order(got, expected);
}

/* ---- faults ---------------------------------------------------------------------- */

static long allocations_left = -1; /* until one fails; -1: none fails */
static int allocations_fail;       /* number of failures in a row */
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

static int ticks_left; /* calls of the progress handler until it interrupts */

static int progress_tick(void *unused) {
  (void)unused;
  return --ticks_left < 0;
}

#define TICK       100   /* instructions of SQLite's virtual machine */
#define TICKS_SLOW 20000 /* a query that takes more is interrupted and not compared */

/* Interrupts a query that takes too long. */
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

/* Starts a random fault: until fault_stop() statements may fail. */
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

/* Checks that the rows before an error are among those expected. */
static inline void rows_are_among(const Rows *got, const Rows *expected) {
  Rows g = rows_sorted(got), d = rows_sorted(expected);
  if (rows_missing_from(&d, &g, "unexpected")) {
    fail("rows before the error %d, %s", got->rc, got->message);
  }
  free(g.row);
  free(d.row);
}

/* Runs the query under a fault: it returns all its rows, or some of them and an error. Under
** lower limits the rows are not compared, since limits change them: SQLite reads a literal
** above SQLITE_LIMIT_LENGTH as NULL, and utf8_audit returns a row for a value above a limit. */
static inline void rows_under_fault(sqlite3 *db, const char *sql, const Rows *expected,
                                    Order order) {
  static const char *const names[] = {"failing allocations", "a heap limit",
                                      "an interrupt", "limits"};
  Fault fault = fault_start(db);
  replay_comment("the same under %s", names[fault]);
  Rows got = rows_of(db, sql, order.sorted);
  fault_stop(db, fault);
  if (fault == FAULT_LIMIT) {
    fault_errors++;
  } else if (got.rc == SQLITE_DONE) {
    rows_same(&got, expected, order);
  } else if (!order.limit) {
    fault_errors++;
    rows_are_among(&got, expected);
  }
  rows_clear(&got);
}

/* ---- a query in two forms: on the virtual table under test, and on an ordinary table -- */

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

/* Runs the reference query without the optimizations that move or drop terms of WHERE. */
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
  Rows expected = rows_of(db, sql, sorted);
  sqlite3_test_control(SQLITE_TESTCTRL_OPTIMIZATIONS, db, 0);
  return expected;
}

/* Do the two have the same rows, in any order? Under LIMIT, as many rows? */
static inline int rows_agree(const Rows *a, const Rows *b, Order order) {
  if (a->rc != b->rc || a->count != b->count) return 0;
  if (order.limit) return 1;
  Rows x = rows_sorted(a), y = rows_sorted(b);
  size_t different = rows_missing_from(&x, &y, NULL);
  free(x.row);
  free(y.row);
  return different == 0;
}

/* Does SQLite's optimizer give the reference other rows? Then the query shows a defect of
** SQLite: 3.31.1 finds rows too many for some `k1.n = (SELECT ...)` in a LEFT JOIN. */
static inline int is_wrong_in_sqlite(sqlite3 *db, const char *sql, const Rows *expected,
                                     Order order) {
  watch(db);
  Rows optimized = rows_of(db, sql, order.sorted);
  int wrong = !rows_agree(&optimized, expected, order);
  rows_clear(&optimized);
  return wrong;
}

/* Runs both forms of the query and compares their rows. may_refuse, unless NULL, returns 1 for
** an error of the subject that is allowed. */
static inline void compare(sqlite3 *db, const Pair *sql, Order order,
                           int (*may_refuse)(const Rows *)) {
  size_t before = replay.size;
  replay_statement(text_of(&sql->reference));
  replay_statement(text_of(&sql->subject));
  Rows expected = reference_rows(db, text_of(&sql->reference), order.sorted);
  watch(db);
  Rows got = rows_of(db, text_of(&sql->subject), order.sorted);
  if (expected.rc == SQLITE_INTERRUPT || got.rc == SQLITE_INTERRUPT) {
    slow++;
  } else if (may_refuse && may_refuse(&got)) {
    refused++;
  } else if (!rows_agree(&got, &expected, order) &&
             is_wrong_in_sqlite(db, text_of(&sql->reference), &expected, order)) {
    wrong_in_sqlite++;
  } else {
    rows_same(&got, &expected, order);
    if (chance(20)) rows_under_fault(db, text_of(&sql->subject), &expected, order);
  }
  rows_clear(&got);
  rows_clear(&expected);
  replay.size = before; /* a later failure does not show this query */
}

/* ---- the loop -------------------------------------------------------------------- */

/* Opens a connection with utf8ext, without lookaside memory, so that ASan sees each allocation. */
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

/* Returns the number after the option `name`, or `otherwise`. */
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
  printf("%llu cases, %llu queries (%llu refused, %llu slow, %llu wrong in SQLite "
         "itself), "
         "%llu faults (%llu errors)\n",
         (unsigned long long)done, queries, refused, slow, wrong_in_sqlite, faults,
         fault_errors);
  return 0;
}

#endif
