/* rows.h: runs a query, keeps its rows as text, and compares the rows of two queries. */
#ifndef UTF8_FUZZ_ROWS_H
#define UTF8_FUZZ_ROWS_H

#include "fuzz/replay.h"

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
  if (bytes && size > 0) text_wtf8(t, bytes, (size_t)size);
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

#endif
