/* fuzz_each.c: compares random queries on utf8_each with the same queries on a table.
**
**     make fuzz-sql
**
** Each case puts a few values in a table `vals`, and utf8_each's rows for each value and
** dialect in a table `each_rows`. These rows are compared with the second definition of the
** dialects (test/abnf.h). Then each query is generated in two forms: on utf8_each, and on
** each_rows, which runs without SQLite's optimizations. The forms differ only in the source:
**
**     utf8_each(v.v, 'wtf-8') AS e          each_rows AS e ON e.input = v.v AND e.dialect IS 'wtf-8'
**
** Without an argument for it, the column `dialect` is NULL. It is hidden and optional, so
** `dialect = ...` is the argument only if SQLite can pass it as one: at the top level of WHERE
** or ON, or in each branch of an OR whose branches all have an input.
*/
#include "fuzz/sql.h"
#include <ctype.h>

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
  run(db,
      "INSERT INTO each_rows SELECT offset, length, codepoint, notation, char, bytes, "
      "error, input, dialect, %s FROM %s",
      has_rowid ? "rowid" : "NULL", text_of(&call));
  text_clear(&sql);
  text_clear(&call);
}

static void fill_tables(sqlite3 *db) {
  run(db, "PRAGMA encoding = '%s'", encoding_names[encoding]);
  run(db,
      "CREATE TABLE each_rows(offset INTEGER, length INTEGER, codepoint INTEGER, "
      "notation TEXT, char TEXT, bytes BLOB, error TEXT, input, dialect TEXT, rid)");
  run(db, "CREATE TABLE vals(id INTEGER PRIMARY KEY, v)");
  run(db, "CREATE TABLE k(n, kind TEXT)");
  run(db, "CREATE TABLE dialects(d TEXT)");
  run(db, "INSERT INTO dialects VALUES (%s), (%s)", dialects[1], dialects[2]);
  run(db, "INSERT INTO k VALUES (0, 'truncated'), (1, NULL), (NULL, 'incomplete'), "
          "(2, 'surrogate'), (2.5, 'a'), (4, 'stray continuation')");
  has_rowid = sqlite3_exec(db, "SELECT rowid FROM utf8_each('')", NULL, NULL, NULL) ==
              SQLITE_OK;
  for (int i = 0; i < value_count; i++) {
    run(db, "INSERT INTO vals(v) VALUES (%s)", values[i].literal);
    for (int d = 0; d < COUNT(dialects); d++) materialize(db, &values[i], dialects[d]);
  }
  if (chance(30)) run(db, "INSERT INTO vals(v) VALUES (NULL)");
}

/* ---- a query in two forms ----------------------------------------------------------- */

typedef enum SourceKind {
  SOURCE_EACH,
  SOURCE_VALS,
  SOURCE_K,
  SOURCE_DIALECTS
} SourceKind;

typedef struct Source {
  SourceKind kind;
  int number; /* of its alias: e0, v1, ... */
  int narrow; /* is it a subquery with only the columns offset, length, char, error? */
} Source;

#define SOURCES 12
typedef struct Query {
  Pair sql;
  Pair where;             /* terms for WHERE: " AND ..." */
  Source source[SOURCES]; /* those in scope */
  int sources, aliases;
  int may_be_refused; /* utf8_each may lack its argument in every plan */
  int depth;          /* of subqueries */
  int outer;          /* is there a RIGHT or FULL JOIN? It adds rows of NULL */
} Query;

static const char *literal(void) {
  return values[below(value_count)].literal;
}

static const Source *source_of(const Query *q, SourceKind kind) {
  const Source *found = NULL;
  int seen = 0;
  for (int i = 0; i < q->sources; i++) {
    if (q->source[i].kind != kind) continue;
    if (below(++seen) == 0) found = &q->source[i];
  }
  return found;
}

static Source *source_add(Query *q, SourceKind kind) {
  Source *s = &q->source[q->sources++];
  *s = (Source){kind, q->aliases++, 0};
  return s;
}

/* ---- expressions ------------------------------------------------------------------ */

static void predicate(Query *q, Pair *p, int depth);
static void subquery(Query *q, Pair *p, const char *result);

static void each_column(Pair *p, const Source *s) {
  static const char *const names[] = {"offset", "length",    "char",
                                      "error",  "codepoint", "notation",
                                      "bytes",  "input",     "dialect"};
  int i = below(s->narrow ? 4 : COUNT(names) + has_rowid);
  if (i < COUNT(names)) {
    both(p, "e%d.%s", s->number, names[i]);
  } else {
    subject(p, "e%d.rowid", s->number);
    reference(p, "e%d.rid", s->number);
  }
}

static void column(Query *q, Pair *p) {
  const Source *s = &q->source[below(q->sources)];
  switch (s->kind) {
  case SOURCE_EACH:
    each_column(p, s);
    break;
  case SOURCE_VALS:
    both(p, "v%d.%s", s->number, chance(50) ? "id" : "v");
    break;
  case SOURCE_K:
    both(p, "k%d.%s", s->number, chance(70) ? "n" : "kind");
    break;
  default:
    both(p, "d%d.d", s->number);
    break;
  }
}

static void number(Query *q, Pair *p) {
  static const char *const constants[] = {"0",
                                          "1",
                                          "1",
                                          "2",
                                          "3",
                                          "5",
                                          "9",
                                          "-1",
                                          "0.5",
                                          "2.0",
                                          "2.5",
                                          "-0.5",
                                          "1e300",
                                          "-1e300",
                                          "'2'",
                                          "'x'",
                                          "''",
                                          "' 1 '",
                                          "x'00'",
                                          "NULL",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "9.3e18",
                                          "1.0"};
  const Source *k = source_of(q, SOURCE_K), *e = source_of(q, SOURCE_EACH);
  int kind = below(20);
  if (kind < 3 && k) {
    both(p, "k%d.n", k->number);
  } else if (kind < 5 && e) {
    both(p, "e%d.offset", e->number);
  } else if (kind == 6) {
    both(p, "(SELECT max(n) FROM k WHERE kind > 'b')");
  } else {
    both(p, "%s", PICK(constants));
  }
}

static void numbers(Query *q, Pair *p) {
  if (chance(20)) {
    both(p, "(SELECT n FROM k%s)", chance(50) ? " WHERE n IS NOT NULL" : "");
    return;
  }
  both(p, "(");
  for (int n = 1 + below(3); n > 0; n--) {
    number(q, p);
    both(p, n > 1 ? ", " : ")");
  }
}

static void offset_term(Query *q, Pair *p, int e) {
  static const char *const compare[] = {
      "=", "<", ">", "<=", ">=", "<>", "IS", "IS NOT", "="};
  int kind = below(12);
  if (kind < 7) {
    int reversed = chance(20);
    if (!reversed) both(p, "e%d.offset %s ", e, PICK(compare));
    number(q, p);
    if (reversed) both(p, " %s e%d.offset", PICK(compare), e);
  } else if (kind < 9) {
    both(p, "e%d.offset %sBETWEEN ", e, chance(20) ? "NOT " : "");
    number(q, p);
    both(p, " AND ");
    number(q, p);
  } else if (kind < 11) {
    both(p, "e%d.offset %sIN ", e, chance(20) ? "NOT " : "");
    numbers(q, p);
  } else {
    both(p, "e%d.offset IS %sNULL", e, chance(50) ? "NOT " : "");
  }
}

/* Before SQLite 3.53.2, x = 'a' OR x = 'B' COLLATE NOCASE becomes x IN ('a', 'B'), which
** ignores the collation. */
static int or_ignores_collation(void) {
  return sqlite3_libversion_number() < 3053002;
}

static void error_term(Query *q, Pair *p, int e) {
  static const char *const terms[] = {"IS NULL",
                                      "IS NOT NULL",
                                      "ISNULL",
                                      "NOTNULL",
                                      "= 'truncated'",
                                      "= 'incomplete'",
                                      "= 'stray continuation'",
                                      "<> 'truncated'",
                                      "= NULL",
                                      "IS 'truncated'",
                                      "IS NOT 'overlong'",
                                      "> 'o'",
                                      "< 'o'",
                                      "LIKE 's%'",
                                      "GLOB 't*'",
                                      "IN ('truncated', 'invalid byte')",
                                      "IN ('overlong', NULL)",
                                      "NOT IN ('truncated', 'surrogate')",
                                      "= 'TRUNCATED' COLLATE NOCASE",
                                      "BETWEEN 'a' AND 'p'",
                                      "= (SELECT min(kind) FROM k WHERE n > 3)",
                                      "IN (SELECT kind FROM k)",
                                      "COLLATE NOCASE = 'Incomplete'",
                                      "IS TRUE"};
  const Source *k = source_of(q, SOURCE_K);
  if (k && chance(25)) {
    both(p, "e%d.error %s k%d.kind", e,
         chance(60)   ? "="
         : chance(50) ? "IS"
                      : "<",
         k->number);
  } else {
    const char *term;
    do term = PICK(terms);
    while (or_ignores_collation() && strstr(term, "NOCASE"));
    both(p, "e%d.error %s", e, term);
  }
}

/* Appends a term that SQLite never passes as an argument. */
static void other_term(Query *q, Pair *p, const Source *s) {
  int e = s->number;
  switch (below(s->narrow ? 4 : 9)) {
  case 0:
    both(p, "e%d.char %s", e, chance(50) ? "LIKE 'a%'" : "IS NOT NULL");
    break;
  case 1:
    both(p, "e%d.length %s %d", e, chance(50) ? "=" : ">", 1 + below(3));
    break;
  case 2:
    both(p, "+e%d.offset < ", e);
    number(q, p);
    break;
  case 3:
    both(p, "e%d.offset %% 2 = %d", e, below(2));
    break;
  case 4:
    both(p, "e%d.codepoint %s", e, chance(50) ? "> 127" : "IS NULL");
    break;
  case 5:
    both(p, "e%d.input IS %s%s", e, chance(50) ? "NOT " : "", literal());
    break;
  case 6:
    both(p, "e%d.dialect IS %s%s", e, chance(50) ? "NOT " : "",
         chance(50) ? "NULL" : dialects[1]);
    break;
  case 7:
    both(p, "e%d.bytes = x'%02x'", e, chance(50) ? 0x61 : 0xff);
    break;
  default:
    both(p, "typeof(e%d.input) = 'text'", e);
    break;
  }
}

static void plain_term(Query *q, Pair *p) {
  const Source *v = source_of(q, SOURCE_VALS), *k = source_of(q, SOURCE_K);
  if (v && chance(50)) {
    both(p, "v%d.id %s %d", v->number, chance(50) ? "<" : "=", 1 + below(4));
  } else if (k) {
    both(p, "k%d.n %s ", k->number, chance(50) ? "<" : "=");
    number(q, p);
  } else {
    both(p, "%s", chance(80) ? "1" : chance(50) ? "0.0" : "NULL");
  }
}

static void term(Query *q, Pair *p) {
  const Source *e = source_of(q, SOURCE_EACH);
  if (!e || chance(10)) {
    plain_term(q, p);
  } else if (q->depth < 2 && chance(8)) {
    subquery(q, p, NULL);
  } else if (chance(42)) {
    offset_term(q, p, e->number);
  } else if (chance(70)) {
    error_term(q, p, e->number);
  } else {
    other_term(q, p, e);
  }
}

static void predicate(Query *q, Pair *p, int depth) {
  int kind = depth > 0 ? below(10) : 9;
  if (kind < 2) {
    both(p, "(");
    predicate(q, p, depth - 1);
    both(p, kind == 0 ? " OR " : " AND ");
    predicate(q, p, depth - 1);
    both(p, ")");
  } else if (kind == 2) {
    both(p, "NOT (");
    predicate(q, p, depth - 1);
    both(p, ")");
  } else if (kind == 3) {
    both(p, "(CASE WHEN ");
    predicate(q, p, depth - 1);
    both(p, " THEN ");
    predicate(q, p, depth - 1);
    both(p, " ELSE %s END)", chance(50) ? "1" : "NULL");
  } else {
    term(q, p);
  }
}

/* Appends at most `max` terms: " AND ...". */
static void conjunction(Query *q, Pair *p, int max) {
  for (int n = below(max + 1); n > 0; n--) {
    both(p, " AND ");
    predicate(q, p, 2);
  }
}

/* ---- sources ------------------------------------------------------------------------ */

/* How a source joins what precedes it. */
typedef enum Join { JOIN_FIRST, JOIN_INNER, JOIN_LEFT, JOIN_OTHER } Join;

/* Appends the dialect's term to the reference. */
static void reference_dialect(Pair *p, int e, const char *dialect) {
  reference(p, " AND e%d.dialect IS %s", e, dialect ? dialect : "NULL");
}

/* Appends utf8_each(constant, dialect); in the reference, a subquery. */
static void source_call(Query *q, Pair *p) {
  const char *x = literal(), *d = PICK(dialects);
  int narrow = chance(15), e = source_add(q, SOURCE_EACH)->number;
  Pair query = {{NULL, 0, 0}, {NULL, 0, 0}};
  q->source[q->sources - 1].narrow = narrow;
  subject(&query, "utf8_each(%s%s%s)", x, d ? ", " : "", d ? d : "");
  reference(&query, "(SELECT * FROM each_rows WHERE input = %s AND dialect IS %s)", x,
            d ? d : "NULL");
  if (narrow) both(p, "(SELECT offset, length, char, error FROM ");
  pair_append(p, &query);
  if (narrow && chance(50)) both(p, " WHERE error IS %sNULL", chance(50) ? "NOT " : "");
  if (narrow && chance(50)) both(p, " ORDER BY offset LIMIT %d", 1 + below(4));
  both(p, "%s AS e%d", narrow ? ")" : "", e);
  pair_clear(&query);
}

/* Appends a column of an earlier source, for the argument. Returns 0 if there is none. */
static int lateral(Query *q, Text *x) {
  const Source *v = source_of(q, SOURCE_VALS), *e = source_of(q, SOURCE_EACH);
  if (v && chance(80)) {
    text_format(x, "v%d.v", v->number);
  } else if (e && !e->narrow && chance(50)) {
    text_format(x, "e%d.input", e->number);
  } else {
    return 0;
  }
  return 1;
}

/* Appends utf8_each(v.v, dialect). */
static void source_lateral(Query *q, Pair *p, Pair *on, const char *x) {
  const Source *names = source_of(q, SOURCE_DIALECTS);
  char column_d[20] = "";
  const char *d = PICK(dialects);
  if (names && chance(50)) {
    snprintf(column_d, sizeof column_d, "d%d.d", names->number);
    d = column_d;
  }
  int e = source_add(q, SOURCE_EACH)->number;
  subject(p, "utf8_each(%s%s%s) AS e%d", x, d ? ", " : "", d ? d : "", e);
  reference(p, "each_rows AS e%d", e);
  reference(on, " AND e%d.input = %s", e, x);
  reference_dialect(on, e, d);
}

/* Appends input = ..., reversed, or IN. With IN, SQLite may not try the only plan that has the
** argument: if an OR, or the ON of a later LEFT JOIN, has offset in it. */
static void input_terms(Query *q, Pair *on, int e, const char *x) {
  int kind = below(10);
  if (kind >= 7) q->may_be_refused = 1;
  both(on, " AND ");
  if (kind < 6) {
    both(on, "e%d.input = %s", e, x);
  } else if (kind < 7) {
    both(on, "%s = e%d.input", x, e);
  } else if (kind < 8) {
    both(on, "e%d.input IN (SELECT v FROM vals WHERE id < 4)", e);
  } else {
    both(on, "e%d.input IN (%s, %s)", e, x, literal());
  }
}

static void dialect_terms(Query *q, Pair *on, int e) {
  if (chance(15)) {
    q->may_be_refused = 1;
    if (chance(50))
      both(on, " AND e%d.dialect IN (SELECT d FROM dialects)", e);
    else
      both(on, " AND e%d.dialect IN (%s, %s)", e, dialects[1], dialects[2]);
    return;
  }
  const char *d = PICK(dialects);
  if (d) subject(on, " AND e%d.dialect = %s", e, d);
  reference_dialect(on, e, d);
}

/* Appends one branch of an OR. */
static void or_branch(Query *q, Pair *p, int e, const char *x, int has_dialect) {
  both(p, "(e%d.input = %s", e, x);
  if (has_dialect) {
    dialect_terms(q, p, e);
  } else {
    reference_dialect(p, e, NULL);
  }
  if (chance(70)) conjunction(q, p, 2);
  both(p, ")");
}

/* Appends (input = ... AND ...) OR (input = ... AND ...). If branches have dialects, their
** inputs differ: SQLite moves a common input out of the OR, and then does not pass the dialects
** as arguments. */
static void or_terms(Query *q, Pair *on, int e) {
  int has_dialect = value_count > 2 && chance(40), first = below(value_count);
  q->may_be_refused = 1;
  both(on, " AND (");
  for (int n = 2 + below(2); n > 0; n--) {
    Text x = {NULL, 0, 0};
    if (has_dialect || chance(70) || !lateral(q, &x)) {
      int i = has_dialect ? first + n : below(value_count);
      text_string(&x, values[i % value_count].literal);
    }
    or_branch(q, on, e, text_of(&x), has_dialect);
    both(on, n > 1 ? " OR " : ")");
    text_clear(&x);
  }
}

/* Appends utf8_each, with its arguments as terms: input = ... AND dialect = ... */
static void source_where(Query *q, Pair *p, Pair *on, const char *x) {
  int e = source_add(q, SOURCE_EACH)->number;
  subject(p, "utf8_each AS e%d", e);
  reference(p, "each_rows AS e%d", e);
  if (chance(35)) {
    or_terms(q, on, e);
  } else {
    input_terms(q, on, e, x);
    dialect_terms(q, on, e);
  }
}

static void source_each(Query *q, Pair *p, Pair *on, Join join) {
  Text x = {NULL, 0, 0};
  int is_lateral = join != JOIN_OTHER && lateral(q, &x);
  if (!is_lateral) text_string(&x, literal());
  if (join == JOIN_OTHER || chance(is_lateral ? 15 : 50)) {
    source_call(q, p);
  } else if (is_lateral && chance(60)) {
    source_lateral(q, p, on, text_of(&x));
  } else {
    source_where(q, p, on, text_of(&x));
  }
  text_clear(&x);
}

static void source_table(Query *q, Pair *p, Join join) {
  int kind = below(10);
  if (kind < 5) {
    both(p, "vals AS v%d", source_add(q, SOURCE_VALS)->number);
  } else if (kind < 9 || join == JOIN_LEFT || q->outer) {
    both(p, "k AS k%d", source_add(q, SOURCE_K)->number);
  } else {
    both(p, "dialects AS d%d", source_add(q, SOURCE_DIALECTS)->number);
  }
}

/* Appends one source and its ON. The terms of the first source, and some of an inner join, go to
** WHERE instead. */
static void source(Query *q, Pair *p, Join join, const char *words, int is_each,
                   int first) {
  Pair on = {{NULL, 0, 0}, {NULL, 0, 0}};
  both(p, "%s", words);
  if (is_each) {
    source_each(q, p, &on, join);
  } else {
    source_table(q, p, join);
  }
  if (first || (join == JOIN_INNER && chance(30))) {
    pair_append(&q->where, &on);
  } else {
    both(p, " ON 1");
    pair_append(p, &on);
    conjunction(q, p, join == JOIN_INNER ? 1 : 2);
  }
  pair_clear(&on);
}

static Join random_join(int i, int last, int outer, const char **words) {
  static const char *const inner[] = {" JOIN ", ", ", " CROSS JOIN "};
  static const char *const other[] = {" RIGHT JOIN ", " FULL JOIN "};
  *words = "";
  if (i == 0) return JOIN_FIRST;
  if (outer && (last || chance(50))) {
    *words = PICK(other);
    return JOIN_OTHER;
  }
  int left = chance(45);
  *words = left ? " LEFT JOIN " : PICK(inner);
  return left ? JOIN_LEFT : JOIN_INNER;
}

/* Appends FROM with at most `max` sources, of which at least one is utf8_each. With RIGHT and
** FULL JOIN, the arguments are constants, since SQLite does not pass terms of WHERE to the
** sources. Up to some version between 3.40.1 and 3.44.2, SQLite reads the right side of such a
** join without its arguments, so it is not utf8_each there. */
static void from(Query *q, Pair *p, int max) {
  int version = sqlite3_libversion_number(), before = q->outer;
  int count = 1 + below(max), each = below(count);
  int outer = count > 1 && version >= 3039000 && chance(25);
  if (outer && version < 3044000) each = 0;
  q->outer |= outer;
  both(p, " FROM ");
  for (int i = 0; i < count; i++) {
    const char *words;
    Join join = random_join(i, i == count - 1, outer, &words);
    int is_each = i == each || chance(30);
    if (i > 0 && outer && version < 3044000) is_each = 0;
    source(q, p, outer && is_each ? JOIN_OTHER : join, words, is_each, i == 0);
  }
  q->outer = before || (outer && q->depth == 0);
}

static void where(Query *q, Pair *p, int max) {
  Pair terms = q->where;
  q->where = (Pair){{NULL, 0, 0}, {NULL, 0, 0}};
  both(p, " WHERE 1");
  pair_append(p, &terms);
  pair_clear(&terms);
  conjunction(q, p, max);
}

/* Appends EXISTS (...), IN (...) or a comparison with a scalar subquery; given `result`, an
** aggregate function, appends (SELECT result(...)). */
static void subquery(Query *q, Pair *p, const char *result) {
  int outer = q->sources, kind = result ? 3 : below(4);
  Pair outer_where = q->where, inner = {{NULL, 0, 0}, {NULL, 0, 0}};
  if (outer + 3 > SOURCES) {
    both(p, "1");
    return;
  }
  q->where = (Pair){{NULL, 0, 0}, {NULL, 0, 0}};
  q->depth++;
  from(q, &inner, 2);
  where(q, &inner, 2);
  int e = 0;
  for (int i = outer; i < q->sources; i++) {
    if (q->source[i].kind == SOURCE_EACH) e = q->source[i].number;
  }
  q->sources = outer;
  q->where = outer_where;
  q->depth--;
  if (kind == 0) both(p, "%sEXISTS (SELECT 1", chance(50) ? "NOT " : "");
  if (kind == 1) both(p, "%d IN (SELECT e%d.offset", below(4), e);
  if (kind == 2) both(p, "%d < (SELECT max(e%d.offset)", below(3), e);
  if (kind == 3)
    both(p, "(SELECT %s(e%d.%s)", result ? result : "count", e,
         chance(50) ? "offset" : "error");
  pair_append(p, &inner);
  both(p, ")");
  pair_clear(&inner);
}

/* ---- SELECT --------------------------------------------------------------------------- */

static void result_window(Query *q, Pair *p) {
  static const char *const functions[] = {"count(*)", "rank()", "dense_rank()",
                                          "sum(",     "max(",   "min("};
  const Source *e = source_of(q, SOURCE_EACH);
  const char *function = PICK(functions);
  both(p, "%s", function);
  if (!strchr(function, ')')) both(p, "e%d.offset)", e ? e->number : 0);
  both(p, " OVER (");
  if (chance(50)) {
    both(p, "PARTITION BY ");
    column(q, p);
  }
  both(p, " ORDER BY ");
  column(q, p);
  both(p, "%s)", chance(30) ? " DESC" : "");
}

static void result_aggregate(Query *q, Pair *p) {
  static const char *const functions[] = {"count", "min", "max", "count", "typeof(max"};
  const char *function = PICK(functions);
  both(p, "%s(%s", function, chance(10) && !strchr(function, '(') ? "DISTINCT " : "");
  column(q, p);
  both(p, "%s", strchr(function, '(') ? "))" : ")");
}

typedef enum Shape {
  SHAPE_PLAIN,
  SHAPE_DISTINCT,
  SHAPE_WINDOW,
  SHAPE_AGGREGATE,
  SHAPE_GROUP
} Shape;

static void result(Query *q, Pair *p, Shape shape, int i) {
  if (shape == SHAPE_AGGREGATE || (shape == SHAPE_GROUP && i > 0)) {
    result_aggregate(q, p);
  } else if (shape == SHAPE_WINDOW && i > 0) {
    result_window(q, p);
  } else if (shape == SHAPE_PLAIN && q->depth == 0 && chance(4)) {
    subquery(q, p, chance(50) ? "count" : "max");
  } else {
    column(q, p);
  }
}

/* Appends a SELECT with this number of columns. */
static void select_core(Query *q, int columns, Shape shape) {
  Pair tail = {{NULL, 0, 0}, {NULL, 0, 0}}, first = {{NULL, 0, 0}, {NULL, 0, 0}};
  q->sources = q->outer = 0;
  from(q, &tail, 3);
  where(q, &tail, 2);
  both(&q->sql, shape == SHAPE_DISTINCT ? "SELECT DISTINCT " : "SELECT ");
  result(q, &first, shape, 0);
  pair_append(&q->sql, &first);
  for (int i = 1; i < columns; i++) {
    both(&q->sql, ", ");
    result(q, &q->sql, shape, i);
  }
  pair_append(&q->sql, &tail);
  if (shape == SHAPE_GROUP) {
    both(&q->sql, " GROUP BY ");
    pair_append(&q->sql, &first);
    if (chance(30)) both(&q->sql, " HAVING count(*) > 1");
  }
  pair_clear(&tail);
  pair_clear(&first);
}

static Order order_by(Query *q, int columns) {
  Order order = {0, 0};
  if (chance(40)) return order;
  both(&q->sql, " ORDER BY ");
  order.sorted = 1 + below(columns);
  for (int i = 1; i <= order.sorted; i++) {
    both(&q->sql, "%s%d%s", i > 1 ? ", " : "", i, chance(30) ? " DESC" : "");
  }
  if (chance(40)) {
    order.limit = 1;
    both(&q->sql, " LIMIT %d", below(6));
    if (chance(50)) both(&q->sql, " OFFSET %d", below(4));
  }
  return order;
}

static Order query(Query *q) {
  static const char *const compounds[] = {" UNION ", " UNION ALL ", " INTERSECT ",
                                          " EXCEPT "};
  int columns = 1 + below(4), compound = chance(12);
  Shape shape = compound || chance(60) ? SHAPE_PLAIN : (Shape)below(SHAPE_GROUP + 1);
  select_core(q, columns, shape);
  if (compound) {
    both(&q->sql, "%s", PICK(compounds));
    select_core(q, columns, SHAPE_PLAIN);
  }
  return order_by(q, columns);
}

/* ---- the cases ------------------------------------------------------------------------ */

/* Did SQLite find no plan with the argument? */
static int is_refused(const Rows *rows) {
  return rows->rc == SQLITE_ERROR && (strstr(rows->message, "(input) is missing") ||
                                      strstr(rows->message, "no query solution"));
}

/* Does it compare a column with itself? With a second condition on that column, SQLite 3.31.1
** then ignores the ON of a LEFT JOIN; json_each shows it too. */
static int compares_itself(const char *sql) {
  for (const char *equals = strstr(sql, " = "); equals;
       equals = strstr(equals + 1, " = ")) {
    const char *start = equals;
    while (start > sql && (isalnum((unsigned char)start[-1]) || start[-1] == '.'))
      start--;
    const size_t size = (size_t)(equals - start);
    if (size && strncmp(start, equals + 3, size) == 0) return 1;
  }
  return 0;
}

static void one_query(sqlite3 *db) {
  Query q = {.depth = 0};
  Order order = query(&q);
  int skipped =
      sqlite3_libversion_number() < 3034000 && compares_itself(text_of(&q.sql.subject));
  if (!skipped) compare(db, &q.sql, order, q.may_be_refused ? is_refused : NULL);
  pair_clear(&q.sql);
  pair_clear(&q.where);
}

static void run_case(void) {
  encoding = (Encoding)(chance(60) ? 0 : 1 + below(2));
  sqlite3 *db = open_database(":memory:");
  values_choose();
  dialects_choose();
  fill_tables(db);
  for (int i = 0; i < 20; i++) one_query(db);
  close_database(db);
}

int main(int argc, char **argv) {
  return fuzz_main(argc, argv);
}
