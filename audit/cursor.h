/* audit/cursor.h: where a scan is in the rows of one SELECT: audit/rows.c reads them, and audit/corrupt.c
** continues after a page that cannot be read.
*/
#ifndef UTF8_AUDIT_CURSOR_H
#define UTF8_AUDIT_CURSOR_H

#include "audit/gap.h"

/* A gap that was found before all rows in front of it were read: row.stmt returns those, and the gap's
** last readable row, then the gap is a finding. */
typedef struct AuditNextGap {
  char *why; /* why it cannot be read; NULL if there is no gap ahead */
  AuditGap
      at; /* in a table with AUDIT_ROWID; empty, with `last` before `first`, if it can be read now */
  /* in a table with AUDIT_PRIMARY_KEY: */
  char *where;             /* "after key (...)" */
  sqlite3_stmt *backwards; /* the rows after it */
  int is_next;             /* the last readable row was returned */
} AuditNextGap;

/* Zeroed before its first use. */
typedef struct AuditRows {
  const AuditContext *context;
  const AuditTable *table;
  AuditSelection selection;
  AuditRow row;        /* row.stmt is NULL at the end */
  int next_value;      /* of the row: first the selection's columns, then its key's */
  sqlite3_int64 from;  /* rows with lower rowids were read or skipped */
  int is_full;         /* so was the row with the highest rowid of all */
  sqlite3_int64 count; /* of the rows that were read */
  /* For AUDIT_ROWID, once count > 0: the highest rowid before the first row was returned */
  sqlite3_int64 highest;
  int is_at_once; /* row.stmt is of AUDIT_ILL_FORMED_AT_ONCE */
  int backwards;  /* row.stmt is of utf8audit_prepare_to(), in the reverse order */
  int failures;   /* of row.stmt, since a row was read */
  AuditNextGap gap;
} AuditRows;

/* Finalizes row.stmt, and sets it to NULL. */
static inline void utf8audit_finalize_rows(AuditRows *rows) {
  sqlite3_finalize(rows->row.stmt);
  rows->row.stmt = NULL;
}

/* Replaces row.stmt with a SELECT of the range. Returns SQLITE_OK or an error code. */
static inline int utf8audit_select_rows(AuditRows *rows, AuditRange range) {
  utf8audit_finalize_rows(rows);
  return utf8audit_prepare_rows(rows->context->db, rows->table, rows->selection, range,
                                &rows->row.stmt);
}

/* Frees what rows->gap owns, and zeroes it. */
static inline void utf8audit_clear_gap(AuditRows *rows) {
  sqlite3_free(rows->gap.why);
  sqlite3_free(rows->gap.where);
  sqlite3_finalize(rows->gap.backwards);
  rows->gap = (AuditNextGap){.why = NULL};
}

/* Frees what *rows owns, and zeroes it. */
static inline void utf8audit_close_rows(AuditRows *rows) {
  utf8audit_finalize_rows(rows);
  utf8audit_clear_gap(rows);
  sqlite3_free(rows->row.repairs);
  *rows = (AuditRows){.backwards = 0};
}

#endif
