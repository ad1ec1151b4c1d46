/* audit_change.h: scans during which the schema changes, and scans of damaged files. Only a
** crash or a leak is a failure.
*/
#ifndef UTF8_FUZZ_AUDIT_CHANGE_H
#define UTF8_FUZZ_AUDIT_CHANGE_H

#include "fuzz/audit_scan.h"

/* ---- changes during a scan ------------------------------------------------------------------ */

enum { TABLE_CHANGES = 5 };

static void table_change(Text *sql, const Table *t, int kind) {
  static const char *const starts[TABLE_CHANGES] = {
      "DROP TABLE ", "DELETE FROM ", "UPDATE ", "ALTER TABLE ", "ALTER TABLE "};
  text_string(sql, starts[kind]);
  table_name(sql, t);
  if (kind == 1 && chance(70)) text_format(sql, " WHERE tag < %d", below(8));
  if (kind == 2) text_string(sql, " SET tag = tag + 100");
  if (kind == 3) text_format(sql, " ADD COLUMN added%d", below(3));
  if (kind == 4) text_format(sql, " RENAME TO renamed%d", below(3));
}

static void random_change(sqlite3 *db) {
  static const char *const others[] = {
      "VACUUM",      "REINDEX",  "ATTACH ':memory:' AS later",
      "SAVEPOINT s", "BEGIN",    "BEGIN",
      "COMMIT",      "ROLLBACK", "ROLLBACK"};
  Text sql = {NULL, 0, 0};
  int kind = below(TABLE_CHANGES + 2 + COUNT(others));
  if (kind < TABLE_CHANGES) {
    table_change(&sql, &tables[below(table_count)], kind);
  } else if (kind == TABLE_CHANGES) {
    text_format(&sql, "CREATE TABLE new%d AS SELECT CAST(x'ffd8' AS TEXT) AS x",
                below(3));
  } else if (kind == TABLE_CHANGES + 1) {
    text_string(&sql, "DETACH ");
    text_name(&sql, schemas[below(schema_count)]);
  } else {
    text_string(&sql, others[kind - TABLE_CHANGES - 2]);
  }
  watch(db);
  try_text(db, &sql);
}

static void read_row(sqlite3 *db, sqlite3_stmt *stmt) {
  Text row = {NULL, 0, 0};
  for (int i = 0; i < sqlite3_column_count(stmt); i++) text_column(&row, stmt, i);
  text_clear(&row);
  const char *repair = (const char *)sqlite3_column_text(stmt, 7);
  if (repair && chance(30)) {
    Text sql = {NULL, 0, 0};
    text_string(&sql, repair);
    try_text(db, &sql);
  }
}

static void change_under_scan(sqlite3 *db) {
  sqlite3_stmt *scans[3] = {NULL, NULL, NULL};
  for (int i = 0; i < COUNT(scans); i++) {
    replay_comment("scan %d: %s", i, audit);
    sqlite3_prepare_v2(db, audit, -1, &scans[i], NULL);
  }
  for (int n = 40; n > 0; n--) {
    int i = below(COUNT(scans));
    watch(db);
    if (chance(25)) {
      random_change(db);
    } else if (chance(3)) {
      sqlite3_interrupt(db);
    } else if (scans[i]) {
      replay_comment("step %d", i);
      if (sqlite3_step(scans[i]) == SQLITE_ROW) read_row(db, scans[i]);
    }
  }
  for (int i = 0; i < COUNT(scans); i++) sqlite3_finalize(scans[i]);
  if (!sqlite3_get_autocommit(db)) run_sql(db, "ROLLBACK");
}

/* Forgets the tables, and lists the schemas that still exist. */
static void forget_tables(sqlite3 *db) {
  sqlite3_stmt *stmt = NULL;
  tables_clear();
  sqlite3_prepare_v2(db, "PRAGMA database_list", -1, &stmt, NULL);
  while (sqlite3_step(stmt) == SQLITE_ROW) {
    schema_add((const char *)sqlite3_column_text(stmt, 1));
  }
  sqlite3_finalize(stmt);
}

/* ---- damaged files ---------------------------------------------------------------------------- */

static void damage_file(const char *name) {
  FILE *f = fopen(name, "r+b");
  if (!f) fail("%s cannot be opened", name);
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  for (int n = 1 + below(30); n > 0 && size > 100; n--) {
    long at = chance(3) ? below(100) : 100 + below((int)size - 100);
    int byte = chance(30) ? 255 : below(256);
    replay_comment("byte %ld = %d", at, byte);
    fseek(f, at, SEEK_SET);
    fputc(byte, f);
  }
  fclose(f);
}

static void audit_damaged(void) {
  sqlite3 *db = open_fuzzed(main_file);
  sqlite3_stmt *stmt = NULL;
  watch(db);
  sqlite3_prepare_v2(db, audit, -1, &stmt, NULL);
  for (int n = 0; n < 1000 && sqlite3_step(stmt) == SQLITE_ROW; n++) read_row(db, stmt);
  sqlite3_finalize(stmt);
  close_database(db);
}

#endif
