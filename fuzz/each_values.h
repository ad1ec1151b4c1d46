/* each_values.h: the values and dialects of a case of fuzz_each.c, and its tables.
**
** The table `each_rows` has utf8_each's rows for each value and dialect. They are compared with
** the second definition of the dialects (test/abnf.h).
*/
#ifndef UTF8_FUZZ_EACH_VALUES_H
#define UTF8_FUZZ_EACH_VALUES_H

#include "fuzz/sql.h"

/* ---- the values ------------------------------------------------------------------ */

typedef struct Value {
  char *literal;
  Text bytes; /* as utf8_each reads them */
  int utf16;  /* are the bytes UTF-16 in WTF-8? */
} Value;

#define VALUES 4
static Value values[VALUES];
static int value_count;
static const char *dialects[3]; /* NULL: none */

static void value_clear(Value *v) {
  free(v->literal);
  text_clear(&v->bytes);
  *v = (Value){NULL, {NULL, 0, 0}, 0};
}

static Value value_text(void) {
  Text stored = {NULL, 0, 0}, literal = {NULL, 0, 0}, bytes = {NULL, 0, 0};
  text_random(&stored, 5, 50);
  text_string(&literal, "CAST(");
  text_hex(&literal, stored.bytes, stored.size);
  text_string(&literal, " AS TEXT)");
  text_wtf8(&bytes, (uint8_t *)stored.bytes, stored.size);
  text_clear(&stored);
  return (Value){literal.bytes, bytes, encoding != UTF_8};
}

static Value value_blob(void) {
  Encoding real = encoding;
  Text literal = {NULL, 0, 0}, bytes = {NULL, 0, 0};
  encoding = UTF_8;
  text_random(&bytes, 5, 50);
  encoding = real;
  text_hex(&literal, bytes.bytes, bytes.size);
  return (Value){literal.bytes, bytes, 0};
}

/* Returns a number whose text is not equal to another value. */
static Value value_number(void) {
  static const char *const numbers[] = {"-12", "7001", "12.5", "-0.25"};
  Text literal = {NULL, 0, 0}, bytes = {NULL, 0, 0};
  const char *number = PICK(numbers);
  text_string(&literal, number);
  text_string(&bytes, number);
  return (Value){literal.bytes, bytes, 0};
}

static int value_is_new(const Value *v) {
  for (int i = 0; i < value_count; i++) {
    if (strcmp(values[i].literal, v->literal) == 0) return 0;
  }
  return 1;
}

static void values_choose(void) {
  int count = 2 + below(VALUES - 1);
  for (int i = 0; i < value_count; i++) value_clear(&values[i]);
  value_count = 0;
  for (int tries = 0; tries < 20 && value_count < count; tries++) {
    int kind = below(10);
    Value v = kind < 5 ? value_text() : kind < 9 ? value_blob() : value_number();
    if (value_is_new(&v)) {
      values[value_count++] = v;
    } else {
      value_clear(&v);
    }
  }
}

static void dialects_choose(void) {
  static const char *const names[] = {"'utf-8'", "'rfc2044'", "'cesu-8'", "'mutf-8'",
                                      "'wtf-8'", "'utf-8b'",  "'WTF_8'"};
  dialects[0] = NULL;
  dialects[1] = PICK(names);
  do dialects[2] = PICK(names);
  while (dialects[2] == dialects[1]);
}

/* ---- the rows, by the second definition --------------------------------------------- */

static const AbnfDialect *dialect_of(const Value *v, const char *name) {
  int d = 0;
  if (!name) return &abnf_dialects[v->utf16 ? 6 : 0];
  for (int i = 0; i < 6; i++) {
    if (strncmp(name + 1, abnf_dialects[i].name, strlen(abnf_dialects[i].name)) == 0) {
      d = i; /* utf-8b comes after utf-8 */
    }
  }
  if (strcmp(name, "'WTF_8'") == 0) d = 4;
  if (v->utf16) d = d == 4 ? 7 : d == 5 ? 8 : 6;
  return &abnf_dialects[d];
}

static void text_char(Text *t, uint32_t codepoint) {
  uint8_t utf8[6];
  size_t size = abnf_encode(ABNF_UTF8, codepoint, utf8);
  if (size) text_shown(t, 't', utf8, size);
  if (!size) text_string(t, "NULL");
}

static void text_step(Text *t, const uint8_t *bytes, size_t at, Utf8Step step) {
  text_format(t, "%zu|%d|", at, step.length);
  if (step.error) {
    text_string(t, "NULL|NULL|NULL|");
  } else {
    text_format(t, "%u|'U+%04X'|", (unsigned)step.codepoint, (unsigned)step.codepoint);
    text_char(t, step.codepoint);
    text_string(t, "|");
  }
  text_shown(t, 'b', bytes + at, step.length);
  if (step.error) {
    text_format(t, "|'%s'", utf8core_error_name((Utf8Error)step.error));
  } else {
    text_string(t, "|NULL");
  }
}

static Rows expected_rows(const Value *v, const char *dialect) {
  Rows expected = {NULL, 0, SQLITE_DONE, ""};
  const AbnfDialect *d = dialect_of(v, dialect);
  const uint8_t *bytes = (const uint8_t *)v->bytes.bytes;
  for (size_t at = 0; at < v->bytes.size;) {
    Utf8Step step = abnf_step(d, bytes, v->bytes.size, at);
    Text row = {NULL, 0, 0};
    text_step(&row, bytes, at, step);
    rows_add(&expected, &row, 0);
    at += step.length;
  }
  return expected;
}

static int has_rowid; /* does utf8_each have a rowid? */

static void materialize(sqlite3 *db, const Value *v, const char *dialect) {
  Text call = {NULL, 0, 0}, sql = {NULL, 0, 0};
  text_format(&call, "utf8_each(%s%s%s)", v->literal, dialect ? ", " : "",
              dialect ? dialect : "");
  text_format(&sql,
              "SELECT offset, length, codepoint, notation, char, bytes, error FROM %s",
              text_of(&call));
  size_t before = replay.size;
  replay_statement(text_of(&sql));
  Rows got = rows_of(db, text_of(&sql), 0), expected = expected_rows(v, dialect);
  rows_same(&got, &expected, (Order){0, 0});
  replay.size = before; /* a later failure does not show this query */
  rows_clear(&got);
  rows_clear(&expected);
  run_sql(
      db,
      "INSERT INTO each_rows SELECT offset, length, codepoint, notation, char, bytes, "
      "error, input, dialect, %s FROM %s",
      has_rowid ? "rowid" : "NULL", text_of(&call));
  text_clear(&sql);
  text_clear(&call);
}

static void fill_tables(sqlite3 *db) {
  run_sql(db, "PRAGMA encoding = '%s'", encoding_names[encoding]);
  run_sql(
      db,
      "CREATE TABLE each_rows(offset INTEGER, length INTEGER, codepoint INTEGER, "
      "notation TEXT, char TEXT, bytes BLOB, error TEXT, input, dialect TEXT, rid)");
  run_sql(db, "CREATE TABLE vals(id INTEGER PRIMARY KEY, v)");
  run_sql(db, "CREATE TABLE k(n, kind TEXT)");
  run_sql(db, "CREATE TABLE dialects(d TEXT)");
  run_sql(db, "INSERT INTO dialects VALUES (%s), (%s)", dialects[1], dialects[2]);
  run_sql(db, "INSERT INTO k VALUES (0, 'truncated'), (1, NULL), (NULL, 'incomplete'), "
              "(2, 'surrogate'), (2.5, 'a'), (4, 'stray continuation')");
  has_rowid = sqlite3_exec(db, "SELECT rowid FROM utf8_each('')", NULL, NULL, NULL) ==
              SQLITE_OK;
  for (int i = 0; i < value_count; i++) {
    run_sql(db, "INSERT INTO vals(v) VALUES (%s)", values[i].literal);
    for (int d = 0; d < COUNT(dialects); d++) materialize(db, &values[i], dialects[d]);
  }
  if (chance(30)) run_sql(db, "INSERT INTO vals(v) VALUES (NULL)");
}

#endif
