/* audit/tablescan.h: the scan of one table: a selection of its columns (audit/select.h) at a time. Most
** tables have one.
**
** See audit/context.h for what the functions return.
*/
#ifndef UTF8_AUDIT_TABLESCAN_H
#define UTF8_AUDIT_TABLESCAN_H

#include "audit/rows.h"

/* Zeroed before its first use. */
typedef struct AuditTableScan {
  AuditTable table;
  int next_column;   /* the first column of the next selection */
  int has_selection; /* there may be a next selection */
  AuditRows rows;    /* of the selection */
} AuditTableScan;

/* Frees all that *scan owns, and zeroes it. */
void utf8audit_clear_table_scan(AuditTableScan *scan);

/* Starts with scan->table, of which the names, not_repairable and tampered are set. Returns
** SQLITE_OK; SQLITE_ROW if the table is unreadable; else an error code. */
int utf8audit_start_table(AuditTableScan *scan, const AuditContext *context,
                          AuditFinding *found);

/* Moves to the next finding. If one column cannot be read (a missing function, a denied right),
** finds that, and reads the table's other columns without it. */
int utf8audit_next_in_table(AuditTableScan *scan, const AuditContext *context,
                            AuditFinding *found);

#endif
