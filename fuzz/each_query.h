/* each_query.h: random FROM and WHERE clauses on utf8_each, for two sources (see fuzz_each.c).
**
** predicate() appends a condition, one_source() one table of FROM, subquery() a whole query.
*/
#ifndef UTF8_FUZZ_EACH_QUERY_H
#define UTF8_FUZZ_EACH_QUERY_H

#include "fuzz/each_values.h"

/* ---- a query for two sources ----------------------------------------------------------- */

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

static void any_number(Query *q, Pair *p) {
  static const char constants[] =
      "0|1|1|2|3|5|9|-1|0.5|2.0|2.5|-0.5|1e300|-1e300|'2'|'x'|''|' 1 '|x'00'|NULL|"
      "9223372036854775807|-9223372036854775808|9.3e18|1.0";
  const Source *k = source_of(q, SOURCE_K), *e = source_of(q, SOURCE_EACH);
  int kind = below(20);
  if (kind < 3 && k) {
    both(p, "k%d.n", k->number);
  } else if (kind < 5 && e) {
    both(p, "e%d.offset", e->number);
  } else if (kind == 6) {
    both(p, "(SELECT max(n) FROM k WHERE kind > 'b')");
  } else {
    both(p, "%s", pick_word(constants));
  }
}

static void numbers(Query *q, Pair *p) {
  if (chance(20)) {
    both(p, "(SELECT n FROM k%s)", chance(50) ? " WHERE n IS NOT NULL" : "");
    return;
  }
  both(p, "(");
  for (int n = 1 + below(3); n > 0; n--) {
    any_number(q, p);
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
    any_number(q, p);
    if (reversed) both(p, " %s e%d.offset", PICK(compare), e);
  } else if (kind < 9) {
    both(p, "e%d.offset %sBETWEEN ", e, chance(20) ? "NOT " : "");
    any_number(q, p);
    both(p, " AND ");
    any_number(q, p);
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
  static const char terms[] =
      "IS NULL|IS NOT NULL|ISNULL|NOTNULL|= 'truncated'|= 'incomplete'|"
      "= 'stray continuation'|<> 'truncated'|= NULL|IS 'truncated'|IS NOT 'overlong'|"
      "> 'o'|< 'o'|LIKE 's%'|GLOB 't*'|IN ('truncated', 'invalid byte')|"
      "IN ('overlong', NULL)|NOT IN ('truncated', 'surrogate')|"
      "= 'TRUNCATED' COLLATE NOCASE|BETWEEN 'a' AND 'p'|"
      "= (SELECT min(kind) FROM k WHERE n > 3)|IN (SELECT kind FROM k)|"
      "COLLATE NOCASE = 'Incomplete'|IS TRUE";
  const Source *k = source_of(q, SOURCE_K);
  if (k && chance(25)) {
    both(p, "e%d.error %s k%d.kind", e,
         chance(60)   ? "="
         : chance(50) ? "IS"
                      : "<",
         k->number);
  } else {
    const char *term;
    do term = pick_word(terms);
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
    any_number(q, p);
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

static void simple_term(Query *q, Pair *p) {
  const Source *v = source_of(q, SOURCE_VALS), *k = source_of(q, SOURCE_K);
  if (v && chance(50)) {
    both(p, "v%d.id %s %d", v->number, chance(50) ? "<" : "=", 1 + below(4));
  } else if (k) {
    both(p, "k%d.n %s ", k->number, chance(50) ? "<" : "=");
    any_number(q, p);
  } else {
    both(p, "%s", chance(80) ? "1" : chance(50) ? "0.0" : "NULL");
  }
}

static void term(Query *q, Pair *p) {
  const Source *e = source_of(q, SOURCE_EACH);
  if (!e || chance(10)) {
    simple_term(q, p);
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
static void one_source(Query *q, Pair *p, Join join, const char *words, int is_each,
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
static void from_clause(Query *q, Pair *p, int max) {
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
    one_source(q, p, outer && is_each ? JOIN_OTHER : join, words, is_each, i == 0);
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
  from_clause(q, &inner, 2);
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

#endif
