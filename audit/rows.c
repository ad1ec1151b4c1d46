/* audit/rows.c: the rows of one SELECT, and their values. */
#include "audit/rows.h"
#include "audit/corrupt.h"
#include "audit/misread.h"
#include "audit/repair.h"

int utf8audit_open_rows(AuditRows *rows, const AuditContext *context,
                        const AuditTable *table, AuditSelection selection) {
  utf8audit_close_rows(rows);
  rows->context = context;
  rows->table = table;
  rows->selection = selection;
  rows->from = INT64_MIN;
  rows->next_value = selection.count + selection.key; /* no row yet */
  if (selection.key) {
    const uint64_t size = sizeof(AuditRepair) * (uint64_t)selection.key;
    rows->row.repairs = sqlite3_malloc64(size);
    if (!rows->row.repairs) return SQLITE_NOMEM;
  }
  rows->is_at_once = table->key != AUDIT_ROWID;
  return utf8audit_select_rows(rows, rows->is_at_once ? AUDIT_ILL_FORMED_AT_ONCE
                                                      : AUDIT_ILL_FORMED);
}

/* ---- values --------------------------------------------------------------------------- */

/* In a corrupt tree, rowids can go down: that is not progress. */
static void passRowid(AuditRows *rows, sqlite3_int64 rowid) {
  if (rowid == INT64_MAX) {
    rows->is_full = 1;
  } else if (rowid >= rows->from) {
    rows->from = rowid + 1;
    rows->failures = 0;
  }
}

/* Is this the row at which a SELECT of utf8audit_prepare_to() ends? */
static int isMeeting(const AuditRows *rows) {
  int last = sqlite3_column_count(rows->row.stmt) - 1;
  return (rows->backwards || rows->gap.backwards) &&
         sqlite3_column_int(rows->row.stmt, last);
}

static void startRow(AuditRows *rows) {
  rows->next_value = 0;
  rows->count++;
  if (rows->table->key == AUDIT_ROWID) {
    passRowid(rows, sqlite3_column_int64(rows->row.stmt, 0));
    rows->gap.is_next = rows->gap.why && rows->from >= rows->gap.at.first;
  } else {
    rows->failures = 0;
    rows->gap.is_next = isMeeting(rows);
  }
  for (int i = 0; i < rows->selection.key; i++)
    rows->row.repairs[i] = (AuditRepair){.outer = {.function = AUDIT_NO_FUNCTION}};
}

/* Moves to the next value. Stores it and the index of its column, and returns 1; returns 0 after
** the row's last value. */
static int nextValue(AuditRows *rows, int *column, sqlite3_value **x) {
  if (rows->next_value == rows->selection.count + rows->selection.key) return 0;
  *x = utf8audit_selected_value(rows->table, rows->selection, rows->row.stmt,
                                rows->next_value++, column);
  return 1;
}

/* Decides how the finding is repaired. Key columns come last: their repairs are kept, since the
** UPDATEs of further key columns depend on them. */
static int decideRepair(AuditRows *rows, AuditFinding *found) {
  int rc = utf8audit_decide_repair(rows->context, rows->table, rows->selection,
                                   &rows->row, found);
  if (found->column < rows->selection.key)
    rows->row.repairs[found->column] = found->update;
  return rc == SQLITE_OK ? SQLITE_ROW : rc;
}

/* Checks a value, and if it has no error of its own, by its column: a control may be part of misread text. */
static int checkValue(AuditFinding *found, const AuditContext *context,
                      const AuditTable *table, int column, sqlite3_value *x) {
  AuditFinding misread;
  int rc = utf8audit_check_misread(found, context, table, column, x);
  if (rc != SQLITE_DONE) return rc;
  rc = utf8audit_check_value(found, context, column, x);
  const int isSuspect = rc == SQLITE_ROW && found->kind != UTF8_SUSPECT_NONE &&
                        found->kind != UTF8_SUSPECT_MOJIBAKE;
  if (rc != SQLITE_DONE && !isSuspect) return rc;
  const int by_column = utf8audit_check_mojibake(&misread, context, table, column, x);
  if (by_column == SQLITE_DONE) return rc;
  if (isSuspect) utf8audit_clear_finding(found);
  *found = misread;
  return by_column;
}

/* Moves to the row's next finding. Returns SQLITE_DONE after the last one. */
static int nextInRow(AuditRows *rows, AuditFinding *found) {
  int column;
  sqlite3_value *x;
  while (nextValue(rows, &column, &x)) {
    if (sqlite3_value_type(x) != SQLITE_TEXT) continue;
    const int rc = checkValue(found, rows->context, rows->table, column, x);
    if (rc == SQLITE_ROW) return decideRepair(rows, found);
    if (rc != SQLITE_DONE) return rc;
  }
  return SQLITE_DONE;
}

/* ---- rows ----------------------------------------------------------------------------- */

/* Returns SQLITE_DONE if the row was inserted after the first one was returned, SQLITE_OK if not,
** else an error code. */
static int checkIsOld(AuditRows *rows) {
  int rc = SQLITE_OK;
  if (rows->table->key != AUDIT_ROWID) return SQLITE_OK;
  if (rows->count == 0)
    rc = utf8audit_highest_rowid(rows->context->db, rows->table, &rows->highest);
  if (rc != SQLITE_OK) return rc;
  const sqlite3_int64 rowid = sqlite3_column_int64(rows->row.stmt, 0);
  return utf8audit_check_is_old(rows->context->db, rows->table, rowid, &rows->highest);
}

/* Replaces AUDIT_ILL_FORMED_AT_ONCE, which a corrupt page or a long row made fail, with a SELECT
** that returns the rows before that. */
static int readOneByOne(AuditRows *rows) {
  rows->is_at_once = 0;
  return utf8audit_select_rows(rows, AUDIT_ILL_FORMED);
}

/* The SELECT has ended, at its last row or at a gap. */
static int endRows(AuditRows *rows, AuditFinding *found) {
  if (rows->gap.why) return utf8audit_pass_gap(rows, found);
  utf8audit_finalize_rows(rows);
  return SQLITE_DONE;
}

/* Moves to the next row, and returns SQLITE_OK there, or to be called again. Returns SQLITE_ROW for a
** gap. */
static int nextRow(AuditRows *rows, AuditFinding *found) {
  if (rows->gap.is_next) return endRows(rows, found);
  int rc = sqlite3_step(rows->row.stmt);
  if (utf8audit_is_corrupt(rc) && rows->is_at_once && rows->count == 0)
    return readOneByOne(rows);
  if (utf8audit_is_corrupt(rc)) return utf8audit_skip_corrupt(rows, found);
  const int has_row = rc == SQLITE_ROW && !(rows->backwards && isMeeting(rows));
  if (has_row) {
    rc = checkIsOld(rows);
    if (rc == SQLITE_DONE) utf8audit_finalize_rows(rows);
    if (rc != SQLITE_OK) return rc;
    startRow(rows);
    return SQLITE_OK;
  }
  const int has_ended = rc == SQLITE_ROW || rc == SQLITE_DONE;
  return has_ended ? endRows(rows, found) : rc;
}

int utf8audit_next_in_rows(AuditRows *rows, AuditFinding *found) {
  int rc = nextInRow(rows, found);
  while (rc == SQLITE_DONE && rows->row.stmt) {
    rc = nextRow(rows, found);
    if (rc == SQLITE_OK) rc = nextInRow(rows, found);
  }
  return rc;
}
