/* audit_scan.h: a brute-force scan that predicts the rows of utf8_audit, and their comparison.
**
** The scan reads every value of every table and classifies it by the second definition
** (test/abnf.h). check_audit() also stores the statements of repair_sql in repairs[].
*/
#ifndef UTF8_FUZZ_AUDIT_SCAN_H
#define UTF8_FUZZ_AUDIT_SCAN_H

#include "fuzz/audit_schema.h"

/* ---- the values, read by this program ------------------------------------------------------ */

/* All rows of a table. Each row has the tag, the rowid or NULL, and then the columns. TEXT is
** 't' and its bytes, or its UTF-16 in WTF-8. */
typedef struct Snapshot {
  int rows, columns;
  Text *cell;
} Snapshot;

static void snapshot_clear(Snapshot *s) {
  for (int i = 0; i < s->rows * s->columns; i++) text_clear(&s->cell[i]);
  free(s->cell);
  *s = (Snapshot){0, 0, NULL};
}

static void text_cell(Text *t, sqlite3_stmt *stmt, int i) {
  if (sqlite3_column_type(stmt, i) == SQLITE_TEXT) {
    text_string(t, "t");
    text_result(t, stmt, i);
  } else {
    text_column(t, stmt, i);
  }
}

static void snapshot_step(Snapshot *s, sqlite3_stmt *stmt) {
  size_t cells = (size_t)(s->rows + 1) * (size_t)s->columns;
  s->cell = realloc(s->cell, cells * sizeof(Text));
  if (!s->cell) exit(2);
  for (int i = 0; i < s->columns; i++) {
    Text *cell = &s->cell[s->rows * s->columns + i];
    *cell = (Text){NULL, 0, 0};
    text_cell(cell, stmt, i);
  }
  s->rows++;
}

static sqlite3_stmt *prepared(sqlite3 *db, Text *sql) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, text_of(sql), -1, &stmt, NULL);
  if (rc != SQLITE_OK) {
    replay_statement(text_of(sql));
    fail("%s", sqlite3_errmsg(db));
  }
  text_clear(sql);
  return stmt;
}

/* Appends the table's name for SELECT. In temp, sqlite_master has another name. */
static void table_to_read(Text *sql, const Table *t) {
  int master = strcmp(t->name, "sqlite_master") == 0;
  if (master && sqlite3_stricmp(t->schema, "temp") == 0) {
    text_string(sql, "sqlite_temp_master");
  } else {
    table_name(sql, t);
  }
}

static sqlite3_stmt *table_rows(sqlite3 *db, const Table *t) {
  Text sql = {NULL, 0, 0};
  const char *rowid = t->rowid ? t->rowid : "NULL";
  text_format(&sql, "SELECT %s, %s, * FROM ", t->made ? "tag" : rowid, rowid);
  table_to_read(&sql, t);
  if (t->made) text_string(&sql, " ORDER BY tag");
  return prepared(db, &sql);
}

static Snapshot snapshot(sqlite3 *db, const Table *t) {
  sqlite3_stmt *stmt = table_rows(db, t);
  Snapshot s = {0, sqlite3_column_count(stmt), NULL};
  watch(db);
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) snapshot_step(&s, stmt);
  if (rc != SQLITE_DONE) fail("reading %s: %s", t->name, sqlite3_errmsg(db));
  sqlite3_finalize(stmt);
  return s;
}

static int is_known(const char *schema, const char *name) {
  for (int i = 0; i < table_count; i++) {
    int same =
        strcmp(tables[i].schema, schema) == 0 && strcmp(tables[i].name, name) == 0;
    if (same) return 1;
  }
  return 0;
}

static void add_columns(sqlite3 *db, Table *t) {
  sqlite3_stmt *stmt = table_rows(db, t);
  for (int i = 2; i < sqlite3_column_count(stmt); i++) {
    column_add(t, sqlite3_column_name(stmt, i));
  }
  sqlite3_finalize(stmt);
}

static int has_rowid(sqlite3 *db, const Table *t) {
  Text sql = {NULL, 0, 0};
  text_string(&sql, "SELECT rowid FROM ");
  table_to_read(&sql, t);
  int rc = sqlite3_exec(db, text_of(&sql), NULL, NULL, NULL);
  text_clear(&sql);
  return rc == SQLITE_OK;
}

static void add_table(sqlite3 *db, const char *schema, const char *name) {
  if (is_known(schema, name)) return;
  Table *t = table_add(schema, name);
  int is_shadow = strncmp(name, "v1_", 3) == 0; /* of make_virtual()'s table */
  t->not_repairable = is_shadow || strcmp(name, "sqlite_master") == 0;
  if (has_rowid(db, t)) {
    t->rowid = copy_of("rowid");
  } else {
    t->kind = KIND_WITHOUT_ROWID;
  }
  add_columns(db, t);
}

/* Adds the tables that this program did not make: sqlite_master, sqlite_..., those of FTS5. */
static void find_tables(sqlite3 *db) {
  for (int s = 0; s < schema_count; s++) {
    Text sql = {NULL, 0, 0};
    text_string(&sql, "SELECT name FROM ");
    text_name(&sql, schemas[s]);
    text_string(&sql, ".sqlite_master WHERE type = 'table' AND rootpage > 0");
    sqlite3_stmt *stmt = prepared(db, &sql);
    add_table(db, schemas[s], "sqlite_master");
    while (sqlite3_step(stmt) == SQLITE_ROW) {
      add_table(db, schemas[s], (const char *)sqlite3_column_text(stmt, 0));
    }
    sqlite3_finalize(stmt);
  }
}

/* How the case repairs. The charset is read by this program as by utf8ext: only whether the
** result is well-formed is checked. */
typedef struct Policy {
  const char *name;
  Utf8PolicyId id; /* UTF8_POLICY_CHARSET: not compared */
} Policy;
static const Policy policies[] = {
    {"subpart", UTF8_POLICY_SUBPART}, {"byte", UTF8_POLICY_BYTE},
    {"escape", UTF8_POLICY_ESCAPE},   {"windows-1252", UTF8_POLICY_CHARSET},
    {"gbk", UTF8_POLICY_CHARSET},     {"auto", UTF8_POLICY_CHARSET}};
static const Policy *policy = policies;

/* ---- the rows that utf8_audit must return ---------------------------------------------- */

typedef struct Errors {
  int count;
  size_t offset; /* of the first */
  const char *kind;
} Errors;

static Errors errors_of(const Text *cell) {
  Errors e = {0, 0, NULL};
  const uint8_t *bytes = (const uint8_t *)text_of(cell) + 1;
  if (*text_of(cell) != 't') return e;
  for (size_t at = 0, size = cell->size - 1; at < size;) {
    const AbnfDialect *dialect = &abnf_dialects[encoding == UTF_8 ? 0 : 6];
    Utf8Step step = abnf_step(dialect, bytes, size, at);
    if (step.error && e.count++ == 0) {
      e.offset = at;
      e.kind = utf8core_error_name((Utf8Error)step.error);
    }
    at += step.length;
  }
  return e;
}

static void text_escaped(Text *t, const char *name) {
  const Utf8Repair how = {.policy = UTF8_POLICY_ESCAPE, .dialect = UTF8_STRICT};
  uint8_t out[2000];
  text_bytes(t, out, abnf_repair(&how, (const uint8_t *)name, strlen(name), out));
}

/* Is t sqlite_sequence or sqlite_stat1, and the cell the name of a table or index? */
static int is_name_in_use(sqlite3 *db, const Table *t, const Text *cell) {
  int found = 0;
  if (strncmp(t->name, "sqlite_", 7) != 0) return 0;
  for (int i = 0; i < table_count; i++) {
    if (strcmp(tables[i].schema, t->schema) ||
        strcmp(tables[i].name, "sqlite_master")) {
      continue;
    }
    Snapshot s = snapshot(db, &tables[i]);
    for (int r = 0; r < s.rows; r++) {
      found |= strcmp(text_of(&s.cell[r * s.columns + 3]), text_of(cell)) == 0;
    }
    snapshot_clear(&s);
  }
  return found;
}

/* Can literals identify a row? Not if a column of the key has an ill-formed name, which may be the only name
** of the rowid. */
static int has_key(const Table *t) {
  if (t->kind != KIND_WITHOUT_ROWID) return t->rowid && is_well_formed(t->rowid);
  for (int i = 0; i < t->columns; i++) {
    if (t->column[i].key && t->column[i].ill_formed_name) return 0;
  }
  return 1;
}

/* Is it UTF-16 with an odd last byte? */
static int is_odd(const Text *cell) {
  const char *bytes = text_of(cell);
  return encoding != UTF_8 && *bytes == 't' && cell->size > 3 &&
         (uint8_t)bytes[cell->size - 3] == UTF8_ODD_LEAD;
}

/* Does the key have a value that may have no literal: a REAL, or TEXT with an odd last byte? */
static int has_hard_key(const Table *t, const Snapshot *s, int row) {
  for (int i = 0; i < t->columns && t->kind == KIND_WITHOUT_ROWID; i++) {
    const Text *cell = &s->cell[row * s->columns + 2 + i];
    if (t->column[i].key && (*text_of(cell) == 'r' || is_odd(cell))) return 1;
  }
  return 0;
}

static void expect_repair(sqlite3 *db, Table *t, const Snapshot *s, int row, int i) {
  Column *c = &t->column[i];
  c->errors++;
  if (t->not_repairable || t->ill_formed_name || c->ill_formed_name || c->generated ||
      !has_key(t))
    return;
  if (is_name_in_use(db, t, &s->cell[row * s->columns + 2 + i])) return;
  c->max_repairs++;
  int may_be_binary = strcmp(policy->name, "auto") == 0;
  if (!has_hard_key(t, s, row) && !may_be_binary) c->min_repairs++;
}

/* Appends the bytes of a value, which only a UTF-8 database stores as this program has them. */
static void text_bytes_shown(Text *t, const void *bytes, size_t size) {
  text_string(t, "|");
  if (encoding == UTF_8) text_hex(t, bytes, size);
}

static void expected_row(Text *t, const Table *table, const Column *c, const char *key,
                         Errors e) {
  text_escaped(t, table->schema);
  text_string(t, "|");
  text_escaped(t, table->name);
  text_string(t, "|");
  text_escaped(t, c->name);
  text_format(t, "|%s|%zu|%s|%d", key, e.offset, e.kind, e.count);
}

/* Adds the rows expected for a table, without repair_sql and without the text of a key. */
static void expected_table(sqlite3 *db, Table *t, Rows *expected) {
  Snapshot s = snapshot(db, t);
  for (int i = 0; i < t->columns; i++) {
    Column *c = &t->column[i];
    c->errors = c->repairs = c->min_repairs = c->max_repairs = 0;
  }
  for (int r = 0; r < s.rows; r++) {
    for (int i = 0; i < t->columns; i++) {
      Errors e = errors_of(&s.cell[r * s.columns + 2 + i]);
      Text row = {NULL, 0, 0};
      if (!e.count) continue;
      int is_text = t->kind == KIND_WITHOUT_ROWID;
      expected_row(&row, t, &t->column[i],
                   is_text ? "key" : text_of(&s.cell[r * s.columns + 1]), e);
      const Text *cell = &s.cell[r * s.columns + 2 + i];
      text_bytes_shown(&row, text_of(cell) + 1, cell->size - 1);
      rows_add(expected, &row, 0);
      expect_repair(db, t, &s, r, i);
    }
  }
  snapshot_clear(&s);
}

static Rows expected_rows(sqlite3 *db) {
  Rows expected = {NULL, 0, SQLITE_DONE, ""};
  for (int i = 0; i < table_count; i++) expected_table(db, &tables[i], &expected);
  return expected;
}

/* ---- the rows that it returns ----------------------------------------------------------- */

typedef struct Repair {
  Table *table;
  int column;
  char *key, *sql, *undo; /* sql and undo may be NULL */
  int done;               /* sql has changed a value */
} Repair;

#define REPAIRS 2000
static Repair repairs[REPAIRS];
static int repair_count;

static void repair_free(Repair *r) {
  free(r->key);
  free(r->sql);
  free(r->undo);
}

static void repairs_clear(void) {
  for (int i = 0; i < repair_count; i++) repair_free(&repairs[i]);
  repair_count = 0;
}

static int is_shown_as(const char *name, const char *shown) {
  Text t = {NULL, 0, 0};
  text_escaped(&t, name);
  int same = shown && strcmp(text_of(&t), shown) == 0;
  text_clear(&t);
  return same;
}

static char *column_copy(sqlite3_stmt *stmt, int i) {
  const char *text = (const char *)sqlite3_column_text(stmt, i);
  return text ? copy_of(text) : NULL;
}

static void repair_add(sqlite3_stmt *stmt) {
  const char *schema = (const char *)sqlite3_column_text(stmt, 0);
  const char *name = (const char *)sqlite3_column_text(stmt, 1);
  const char *column = (const char *)sqlite3_column_text(stmt, 2);
  for (int i = 0; i < table_count; i++) {
    Table *t = &tables[i];
    if (!is_shown_as(t->schema, schema) || !is_shown_as(t->name, name)) continue;
    for (int j = 0; j < t->columns; j++) {
      if (!is_shown_as(t->column[j].name, column)) continue;
      if (repair_count == REPAIRS) fail("too many rows");
      repairs[repair_count++] = (Repair){
          t, j, column_copy(stmt, 3), column_copy(stmt, 7), column_copy(stmt, 9), 0};
      t->column[j].repairs += sqlite3_column_type(stmt, 7) != SQLITE_NULL;
      return;
    }
  }
}

/* The query of a case. */
static char audit[300];

static void choose_policy(void) {
  policy = &policies[chance(50) ? 0 : below(COUNT(policies))];
  snprintf(audit, sizeof audit,
           "SELECT schema, table_name, column_name, key, offset, error, errors, "
           "repair_sql, value, undo_sql FROM utf8_audit%s%s%s",
           policy == policies ? "" : " WHERE policy = '",
           policy == policies ? "" : policy->name, policy == policies ? "" : "'");
}

static void got_row(Text *t, sqlite3_stmt *stmt) {
  for (int i = 0; i < 7; i++) {
    const char *text = (const char *)sqlite3_column_text(stmt, i);
    int is_key = i == 3 && sqlite3_column_type(stmt, i) == SQLITE_TEXT;
    text_format(t, "%s%s", i ? "|" : "", is_key ? "key" : text ? text : "NULL");
  }
  const void *bytes = sqlite3_column_blob(stmt, 8);
  text_bytes_shown(t, bytes, (size_t)sqlite3_column_bytes(stmt, 8));
}

static Rows got_rows(sqlite3 *db) {
  Rows got = {NULL, 0, SQLITE_OK, ""};
  sqlite3_stmt *stmt = NULL;
  replay_statement(audit);
  repairs_clear();
  watch(db);
  int rc = sqlite3_prepare_v2(db, audit, -1, &stmt, NULL);
  while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    Text row = {NULL, 0, 0};
    got_row(&row, stmt);
    rows_add(&got, &row, 0);
    repair_add(stmt);
    rc = SQLITE_OK;
  }
  rows_failed(&got, db, rc);
  sqlite3_finalize(stmt);
  queries++;
  return got;
}

static void check_repair_counts(const Table *t) {
  for (int i = 0; i < t->columns; i++) {
    const Column *c = &t->column[i];
    if (c->repairs < c->min_repairs || c->repairs > c->max_repairs) {
      fail("%d of %d values of %s.%s.%s have a repair_sql; expected: %d to %d",
           c->repairs, c->errors, t->schema, t->name, c->name, c->min_repairs,
           c->max_repairs);
    }
  }
}

static void check_audit(sqlite3 *db) {
  Rows expected = expected_rows(db), got = got_rows(db);
  rows_same_set(&got, &expected);
  if (got.rc != SQLITE_DONE) fail("error %d, %s", got.rc, got.message);
  for (int i = 0; i < table_count; i++) check_repair_counts(&tables[i]);
  rows_clear(&expected);
  rows_clear(&got);
}

#endif
