/* audit_query.h: random queries on utf8_audit, compared with the same queries on a copy of its
** rows.
*/
#ifndef UTF8_FUZZ_AUDIT_QUERY_H
#define UTF8_FUZZ_AUDIT_QUERY_H

#include "fuzz/audit_scan.h"

static int has_audit_rowid; /* does utf8_audit have a rowid? */

/* The copy has text that is suspicious, so suspects = 1 is for main only. */
static void make_copy(sqlite3 *db) {
  run_sql(
      db,
      "CREATE TEMP TABLE audit_rows(schema TEXT, table_name TEXT, column_name TEXT, "
      "key, "
      "offset INTEGER, error TEXT, errors INTEGER, repair_sql TEXT, value BLOB, "
      "undo_sql TEXT, cause TEXT, repaired TEXT, probability REAL, readings TEXT, "
      "repair_call TEXT, only TEXT, policy TEXT, suspects "
      "INTEGER, rid)");
  run_sql(db, "CREATE TEMP TABLE names(n TEXT, i)");
  for (int s = 0; s < schema_count; s++) {
    Text sql = {NULL, 0, 0};
    if (!is_well_formed(schemas[s])) continue;
    char *quoted =
        sqlite3_mprintf("INSERT INTO temp.names VALUES (%Q, %d)", schemas[s], s);
    text_string(&sql, quoted);
    sqlite3_free(quoted);
    run_text(db, &sql);
  }
  has_audit_rowid =
      sqlite3_exec(db, "SELECT rowid FROM utf8_audit", NULL, NULL, NULL) == SQLITE_OK;
  for (int i = 0; i < 4; i++) {
    run_sql(db,
            "INSERT INTO temp.audit_rows SELECT *, NULL, policy, suspects, %s "
            "FROM utf8_audit WHERE policy = '%s' AND suspects = %d%s",
            has_audit_rowid ? "rowid" : "NULL", i & 1 ? "escape" : "subpart", i >> 1,
            i >> 1 ? " AND schema = 'main'" : "");
  }
}

/* Returns 1 if the source is utf8_audit without the schema: its rowids are those of the
** copy. */
static int audit_source(Pair *p) {
  const int suspects = chance(30);
  const char *schema = suspects || chance(80) ? "main" : "temp";
  const char *given = chance(30) ? "escape" : "subpart";
  reference(p, "(SELECT * FROM temp.audit_rows WHERE policy = '%s' AND suspects = %d",
            given, suspects);
  const int kind = suspects ? 1 + below(3) : below(4);
  switch (kind) {
  case 0:
    subject(p,
            "(SELECT *, rowid AS rid FROM utf8_audit WHERE policy = '%s' AND suspects "
            "= %d) AS a",
            given, suspects);
    break;
  case 1:
    subject(p, "utf8_audit('%s', '%s', %d) AS a", schema, given, suspects);
    break;
  case 2:
    subject(p, "(SELECT * FROM utf8_audit('%s', '%s') WHERE suspects = %d) AS a",
            schema, given, suspects);
    break;
  default:
    subject(p,
            "(SELECT * FROM utf8_audit WHERE suspects = %d AND only = '%s' AND policy "
            "= '%s') AS a",
            suspects, schema, given);
    break;
  }
  if (kind > 0) reference(p, " AND schema = '%s'", schema);
  reference(p, ") AS a");
  return kind == 0;
}

static void audit_value(Pair *p, int which) {
  const Table *t = &tables[below(table_count)];
  const char *names[] = {t->schema, t->name, t->column[below(t->columns)].name};
  Text shown = {NULL, 0, 0};
  text_escaped(&shown, names[which]);
  char *quoted = sqlite3_mprintf("%Q", text_of(&shown));
  both(p, "%s", quoted);
  sqlite3_free(quoted);
  text_clear(&shown);
}

static void audit_name_term(Pair *p) {
  static const char *const columns[] = {"schema", "table_name", "column_name"};
  static const char *const operators[] = {"=", "=",  "IS",     "<>",
                                          "<", ">=", "IS NOT", "LIKE"};
  int which = below(3);
  both(p, "a.%s ", columns[which]);
  if (chance(25)) {
    both(p, "%sIN (", chance(20) ? "NOT " : "");
    audit_value(p, which);
    both(p, ", ");
    audit_value(p, which);
    both(p, ")");
  } else if (chance(8)) {
    both(p, "IN (SELECT n FROM temp.names)");
  } else {
    both(p, "%s ", PICK(operators));
    audit_value(p, which);
    if (chance(15)) both(p, " COLLATE NOCASE");
  }
}

static void audit_term(Pair *p, int has_names) {
  static const char *const terms[] = {"a.key > 1",
                                      "a.key = 3",
                                      "typeof(a.key) = 'text'",
                                      "a.key IS NULL",
                                      "a.offset = 0",
                                      "a.offset > 1",
                                      "a.error IS NULL",
                                      "a.error IS NOT NULL",
                                      "a.error = 'truncated'",
                                      "a.errors > 1",
                                      "a.schema IS NULL",
                                      "a.repair_sql LIKE 'U%'",
                                      "a.schema = 'main'",
                                      "a.repair_sql IS NULL",
                                      "a.table_name IS NOT NULL"};
  if (has_names && chance(20)) {
    both(p, "a.%s %s names.n", chance(70) ? "schema" : "table_name",
         chance(70) ? "=" : "IS");
  } else if (chance(55)) {
    audit_name_term(p);
  } else {
    both(p, "%s", PICK(terms));
  }
}

static void audit_predicate(Pair *p, int has_names, int depth) {
  if (depth == 0 || chance(50)) {
    audit_term(p, has_names);
    return;
  }
  both(p, chance(15) ? "NOT (" : "(");
  audit_predicate(p, has_names, depth - 1);
  both(p, chance(60) ? " OR " : " AND ");
  audit_predicate(p, has_names, depth - 1);
  both(p, ")");
}

static void audit_results(Pair *p, int has_names, int has_rowid) {
  static const char *const columns[] = {
      "schema", "table_name", "column_name", "key",      "offset",
      "error",  "errors",     "repair_sql",  "value",    "undo_sql",
      "cause",  "repaired",   "probability", "readings", "repair_call"};
  both(p, chance(15) ? "SELECT DISTINCT " : "SELECT ");
  both(p, "%s", has_names ? "names.n" : "1");
  for (int n = below(4); n > 0; n--) both(p, ", a.%s", PICK(columns));
  if (!has_rowid || chance(70)) return;
  subject(p, ", a.rid");
  reference(p, ", a.rid");
}

/* Appends utf8_audit(names.n), whose argument changes with each row of names. */
static void audit_lateral(Pair *p, const char *join) {
  both(p, " FROM temp.names%s", join);
  subject(p, "utf8_audit(names.n) AS a ON ");
  reference(p, "temp.audit_rows AS a ON a.policy = 'subpart' AND NOT a.suspects AND "
               "a.schema = names.n AND ");
  audit_predicate(p, 1, 1);
}

/* Appends the source alone, or joined with the names of schemas on either side. */
static void audit_from(Pair *p, const Pair *source, const char *join) {
  int after = chance(50);
  both(p, " FROM ");
  if (join && !after) both(p, "temp.names%s", join);
  pair_append(p, source);
  if (join && after) both(p, "%stemp.names", join);
  if (!join) return;
  both(p, " ON ");
  audit_predicate(p, 1, 1);
}

static void audit_query(sqlite3 *db) {
  static const char *const joins[] = {" JOIN ", " LEFT JOIN ", " RIGHT JOIN ",
                                      " FULL JOIN "};
  int joins_known = sqlite3_libversion_number() >= 3044000
                        ? 4
                        : 2; /* see from_clause() in each_query.h */
  int lateral = chance(20);
  const char *join = lateral      ? joins[below(2)]
                     : chance(40) ? joins[below(joins_known)]
                                  : NULL;
  Pair p = {{NULL, 0, 0}, {NULL, 0, 0}}, source = {{NULL, 0, 0}, {NULL, 0, 0}};
  int whole = audit_source(&source);
  audit_results(&p, join != NULL, whole && has_audit_rowid && !lateral);
  if (lateral) {
    audit_lateral(&p, join);
  } else {
    audit_from(&p, &source, join);
  }
  both(&p, " WHERE ");
  audit_predicate(&p, join != NULL, 2);
  if (chance(20)) both(&p, " AND a.schema = 'main'");
  Order order = {chance(40), 0};
  if (order.sorted) both(&p, " ORDER BY 1");
  compare(db, &p, order, NULL);
  pair_clear(&p);
  pair_clear(&source);
}

#endif
