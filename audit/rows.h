/* audit/rows.h: the rows of one SELECT in which ill-formed text was found, and their values.
**
** See audit/context.h for what the functions return.
*/
#ifndef UTF8_AUDIT_ROWS_H
#define UTF8_AUDIT_ROWS_H

#include "audit/finding.h"
#include "audit/select.h"

/* Zeroed before its first use. */
typedef struct AuditRows {
  AuditChunk chunk;
  AuditRow row;        /* row.stmt is NULL at the end */
  int next_value;      /* of the row: first the chunk's columns, then its key's */
  sqlite3_int64 from;  /* rows with lower rowids were read or skipped */
  int is_full;         /* so was the row with the highest rowid of all */
  sqlite3_int64 count; /* of the rows that were read */
  int backwards;       /* row.stmt is of utf8audit_prepare_backwards() */
} AuditRows;

/* Frees what *rows owns, and zeroes it. */
void utf8audit_close_rows(AuditRows *rows);

/* Finalizes row.stmt, and sets it to NULL. */
void utf8audit_finalize_rows(AuditRows *rows);

/* Prepares the SELECT of a chunk, after closing *rows. Reads nothing yet. */
int utf8audit_open_rows(AuditRows *rows, sqlite3 *db, const AuditTable *table,
                        AuditChunk chunk);

/* Moves to the next finding. */
int utf8audit_next_in_rows(AuditRows *rows, const AuditContext *context,
                           const AuditTable *table, AuditFinding *found);

#endif
