/* audit/readings.c: finds the readings of an ill-formed value among its neighbours. */
#include "audit/readings.h"
#include "audit/neighbours.h"
#include "sql/functions.h"

/* ---- the row ----------------------------------------------------------------------------- */

/* The other ill-formed values of a row that are read: more take time, and show little more. */
#define ROW_VALUES 3

typedef struct RowReader {
  sqlite3 *db;
  const AuditTable *table;
  Utf8Row row;
  int count; /* of the values in it */
} RowReader;

/* Adds the TEXT x of a column, if it is ill-formed. Returns SQLITE_OK or an error code. */
static int addToRow(RowReader *reader, int column, sqlite3_value *x) {
  const Utf8Neighbours among = utf8audit_neighbours_of(reader->table, column);
  Utf8Value value;
  int rc = utf8value_open(&value, x, UTF8_ENCODING_UTF8);
  if (rc != SQLITE_OK) return rc;
  if (!utf8core_valid(value.bytes, value.size)) {
    rc = utf8sql_read_in_row(reader->db, &value, &among, &reader->row);
    reader->count++;
  }
  utf8value_close(&value);
  return rc;
}

/* Reads the row's values that are not in the column `found`. Returns SQLITE_OK or an error code. */
static int readRow(RowReader *reader, AuditSelection selection, sqlite3_stmt *stmt,
                   int found) {
  int column, rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && i < selection.count + selection.key; i++) {
    sqlite3_value *x =
        utf8audit_selected_value(reader->table, selection, stmt, i, &column);
    if (column == found || !reader->table->columns[column].neighbours) continue;
    if (reader->count < ROW_VALUES && sqlite3_value_type(x) == SQLITE_TEXT)
      rc = addToRow(reader, column, x);
  }
  return rc;
}

/* ---- the value ----------------------------------------------------------------------------- */

static int findAmong(sqlite3 *db, AuditFinding *found, const Utf8Neighbours *among) {
  return utf8sql_find_readings(db, &found->text, among, found->readings);
}

/* If its column and its table leave the value unclear, its row is read. */
int utf8audit_find_readings(const AuditContext *context, const AuditTable *table,
                            AuditSelection selection, const AuditRow *row,
                            AuditFinding *found) {
  Utf8Neighbours among = utf8audit_neighbours_of(table, found->column);
  RowReader reader = {.db = context->db, .table = table};
  if (!context->policy.is_auto && !context->has_causes) return SQLITE_OK;
  found->readings = sqlite3_malloc64(sizeof *found->readings);
  if (!found->readings) return AUDIT_NO_MEMORY;
  int rc = findAmong(context->db, found, &among);
  if (rc != SQLITE_OK || found->readings->cause.kind != UTF8_CAUSE_UNCLEAR) return rc;
  if (among.table) rc = readRow(&reader, selection, row->stmt, found->column);
  if (rc != SQLITE_OK || reader.count == 0) return rc;
  among.row = &reader.row;
  return findAmong(context->db, found, &among);
}
