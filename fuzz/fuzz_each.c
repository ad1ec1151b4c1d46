/* fuzz_each.c: compares random queries on utf8_each with the same queries on a table.
**
**     make fuzz-sql
**
** Each case puts a few values in a table `vals`, and utf8_each's rows for each value and
** dialect in a table `each_rows`. These rows are compared with the second definition of the
** dialects (test/abnf.h). Then each query is generated twice: on utf8_each, and on
** each_rows, which runs without SQLite's optimizations. The two differ only in the source:
**
**     utf8_each(v.v, 'wtf-8') AS e          each_rows AS e ON e.input = v.v AND e.dialect IS 'wtf-8'
**
** Without an argument for it, the column `dialect` is NULL. It is hidden and optional, so
** `dialect = ...` is the argument only if SQLite can pass it as one: at the top level of WHERE
** or ON, or in each branch of an OR whose branches all have an input.
**
** each_values.h   values, dialects, and the tables of a case
** each_query.h    FROM, WHERE and subqueries; this file: SELECT, ORDER BY and the cases
*/
#include <ctype.h>
#include "fuzz/each_query.h"

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
  SHAPE_SIMPLE,
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
  } else if (shape == SHAPE_SIMPLE && q->depth == 0 && chance(4)) {
    subquery(q, p, chance(50) ? "count" : "max");
  } else {
    column(q, p);
  }
}

/* Appends a SELECT with this number of columns. */
static void select_core(Query *q, int columns, Shape shape) {
  Pair tail = {{NULL, 0, 0}, {NULL, 0, 0}}, first = {{NULL, 0, 0}, {NULL, 0, 0}};
  q->sources = q->outer = 0;
  from_clause(q, &tail, 3);
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
  Shape shape = compound || chance(60) ? SHAPE_SIMPLE : (Shape)below(SHAPE_GROUP + 1);
  select_core(q, columns, shape);
  if (compound) {
    both(&q->sql, "%s", PICK(compounds));
    select_core(q, columns, SHAPE_SIMPLE);
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
  sqlite3 *db = open_fuzzed(":memory:");
  values_choose();
  dialects_choose();
  fill_tables(db);
  for (int i = 0; i < 20; i++) one_query(db);
  close_database(db);
}

int main(int argc, char **argv) {
  return fuzz_main(argc, argv);
}
