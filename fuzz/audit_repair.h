/* audit_repair.h: runs every repair_sql in order and compares the tables before and after:
** exactly one value changed, from ill-formed to its repair by the policy. Then runs every
** undo_sql in reverse order, after which the tables are as they were.
*/
#ifndef UTF8_FUZZ_AUDIT_REPAIR_H
#define UTF8_FUZZ_AUDIT_REPAIR_H

#include "fuzz/audit_scan.h"

/* Checks that the key of a table WITHOUT ROWID matches one row. */
static void check_key(sqlite3 *db, const Repair *r) {
  const Table *t = r->table;
  Text sql = {NULL, 0, 0};
  int keys = 0;
  if (t->kind != KIND_WITHOUT_ROWID || !r->sql || !t->made) return;
  text_string(&sql, "SELECT count(*) FROM ");
  table_name(&sql, t);
  text_string(&sql, " WHERE (");
  for (int k = 1; k <= t->columns; k++) {
    for (int i = 0; i < t->columns; i++) {
      if (t->column[i].key != k) continue;
      text_string(&sql, keys++ ? ", " : "");
      text_name(&sql, t->column[i].name);
      text_string(&sql, " COLLATE BINARY");
    }
  }
  text_format(&sql, ") = %s", r->key);
  size_t before = replay.size;
  replay_statement(text_of(&sql));
  sqlite3_stmt *stmt = prepared(db, &sql);
  sqlite3_step(stmt);
  int count = sqlite3_column_int(stmt, 0);
  if (count != 1) fail("%d rows have the key", count);
  sqlite3_finalize(stmt);
  replay.size = before;
}

static int cells_same(const Text *a, const Text *b) {
  return a->size == b->size && memcmp(text_of(a), text_of(b), a->size) == 0;
}

/* Is a ill-formed, and b its repair by the policy? */
static int is_repaired(const Text *a, const Text *b) {
  if (policy->id == UTF8_POLICY_CHARSET)
    return errors_of(a).count > 0 && errors_of(b).count == 0;
  const Utf8Repair how = {.policy = policy->id,
                          .dialect = encoding == UTF_8 ? UTF8_STRICT : UTF8_FROM_UTF16};
  uint8_t *out = malloc(20 * a->size + 20);
  if (!out) exit(2);
  size_t size = abnf_repair(&how, (const uint8_t *)a->bytes + 1, a->size - 1, out);
  int same = size == b->size - 1 && memcmp(out, text_of(b) + 1, size) == 0;
  free(out);
  return same && errors_of(a).count > 0;
}

/* Returns how many values differ, apart from generated columns. Each must be in the repair's
** column, ill-formed before and repaired after. */
static int differences(const Repair *r, const Snapshot *old, const Snapshot *new) {
  int count = 0;
  if (old->rows != new->rows) fail("%d rows, before: %d", new->rows, old->rows);
  for (int i = 0; i < old->rows * old->columns; i++) {
    int column = i % old->columns - 2;
    if (column >= 0 && r->table->column[column].generated) continue;
    if (cells_same(&old->cell[i], &new->cell[i])) continue;
    count++;
    if (column != r->column || !is_repaired(&old->cell[i], &new->cell[i])) {
      fail("column %d of row %d became %s from %s", column, i / old->columns,
           text_of(&new->cell[i]), text_of(&old->cell[i]));
    }
  }
  return count;
}

static void check_update(const Repair *r, int rc, const Snapshot *old,
                         const Snapshot *new) {
  int count = differences(r, old, new);
  if ((rc & 0xFF) == SQLITE_CONSTRAINT) {
    if (count) fail("a failed UPDATE changed %d values", count);
    r->table->constraint_failed = 1;
  } else if (rc != SQLITE_OK) {
    fail("repair_sql fails");
  } else if (count > 1 || (count == 0 && !r->table->constraint_failed)) {
    fail("repair_sql changed %d values", count);
  }
}

static void run_repairs(sqlite3 *db, Snapshot *now) {
  for (int i = 0; i < repair_count; i++) {
    Repair *r = &repairs[i];
    Text sql = {NULL, 0, 0};
    if (!r->sql) continue;
    text_string(&sql, r->sql);
    if (sql.size) sql.size--; /* try_text() writes the semicolon */
    sql.bytes[sql.size] = 0;
    watch(db);
    int rc = try_text(db, &sql);
    Snapshot new = snapshot(db, r->table), *old = &now[r->table - tables];
    r->done = rc == SQLITE_OK && sqlite3_changes(db) > 0;
    check_update(r, rc, old, &new);
    snapshot_clear(old);
    *old = new;
  }
}

/* Checks that no table differs from the snapshots taken after its own UPDATEs. */
static void check_unchanged(sqlite3 *db, const Snapshot *expected) {
  for (int i = 0; i < table_count; i++) {
    Snapshot s = snapshot(db, &tables[i]);
    int same = s.rows == expected[i].rows && s.columns == expected[i].columns;
    for (int j = 0; same && j < s.rows * s.columns; j++) {
      same = cells_same(&s.cell[j], &expected[i].cell[j]);
    }
    if (!same) fail("%s.%s has changed", tables[i].schema, tables[i].name);
    snapshot_clear(&s);
  }
}

/* Checks that the values with a repair_sql are now well-formed. */
static void check_repaired(const Table *before, const Table *after) {
  for (int i = 0; i < after->columns && !after->constraint_failed; i++) {
    int remaining = before->column[i].errors - before->column[i].repairs;
    int generated = after->column[i].generated;
    if (generated ? after->column[i].errors > remaining
                  : after->column[i].errors != remaining) {
      fail("%d values of %s.%s.%s are ill-formed; expected: %d",
           after->column[i].errors, after->schema, after->name, after->column[i].name,
           remaining);
    }
  }
}

/* Runs an undo_sql. Returns 0 if there is none. */
static int run_undo(sqlite3 *db, const Repair *r, int must_change) {
  Text sql = {NULL, 0, 0};
  if (!r->undo) return 0;
  text_string(&sql, r->undo);
  sql.bytes[--sql.size] = 0; /* try_text() writes the semicolon */
  watch(db);
  int rc = try_text(db, &sql);
  if (must_change && (rc != SQLITE_OK || sqlite3_changes(db) != 1))
    fail("undo_sql: error %d, %d changes", rc, sqlite3_changes(db));
  return 1;
}

/* Undoes the UPDATEs that changed something, the last one first, and checks that the tables
** are again as they were. Not where an UPDATE has no undo_sql: UTF-16 with an odd byte. */
static void check_undo(sqlite3 *db, Repair *done, int count, const Snapshot *original) {
  int all = 1;
  while (count-- > 0) {
    if (done[count].done && !run_undo(db, &done[count], all)) all = 0;
    repair_free(&done[count]);
  }
  if (all) check_unchanged(db, original);
}

static void check_repair(sqlite3 *db) {
  static Snapshot now[TABLES], original[TABLES];
  static Table before[TABLES];
  static Repair done[REPAIRS];
  for (int i = 0; i < repair_count; i++) check_key(db, &repairs[i]);
  for (int i = 0; i < table_count; i++) now[i] = snapshot(db, &tables[i]);
  for (int i = 0; i < table_count; i++) original[i] = snapshot(db, &tables[i]);
  memcpy(before, tables, sizeof before);
  run_repairs(db, now);
  check_unchanged(db, now);
  int count = repair_count;
  memcpy(done, repairs, sizeof done);
  repair_count = 0; /* check_audit() fills repairs[] again */
  check_audit(db);
  for (int i = 0; i < table_count; i++) check_repaired(&before[i], &tables[i]);
  check_undo(db, done, count, original);
  for (int i = 0; i < table_count; i++) snapshot_clear(&now[i]);
  for (int i = 0; i < table_count; i++) snapshot_clear(&original[i]);
}

#endif
