/* audit/scan.h: a scan of utf8_audit, which moves from one finding to the next.
**
** audit/audit.c starts a scan, and audit/result.c returns what it found as the columns of a row.
*/
#ifndef UTF8_AUDIT_SCAN_H
#define UTF8_AUDIT_SCAN_H

#include "audit/tablescan.h"

/* The arguments of a scan: those of the hidden columns, in their order, then names that WHERE
** gives. Each may be absent. */
typedef enum AuditArgument {
  ARGUMENT_ONLY, /* the name of the only schema to read, in any case of letters */
  ARGUMENT_POLICY,
  ARGUMENT_SUSPECTS,
  ARGUMENT_SCHEMA,
  ARGUMENT_TABLE,
  ARGUMENT_COUNT
} AuditArgument;

typedef struct AuditScan {
  AuditContext context;
  sqlite3_value *argument[ARGUMENT_COUNT]; /* copies, in UTF-8, or NULL */
  sqlite3_stmt *schemas;                   /* at in.table.schema; NULL at the end */
  sqlite3_stmt *tables;                    /* at in.table.name; NULL at the end */
  sqlite3_int64 highest; /* rowid of sqlite_master when the list of tables started */
  AuditTableScan in;     /* the table */
  AuditFinding found;
  sqlite3_int64 row; /* the number of the finding within its table, from 1 */
  int done;          /* there are no more findings */
} AuditScan;

/* Frees all that the scan owns, and makes it one that has not started. */
void utf8audit_clear_scan(AuditScan *scan);

/* Moves to the next finding, or sets scan->done. Needs the context, the arguments, and schemas,
** which is before the first row that is to be read. Returns SQLITE_OK or an error code, whose
** message is the connection's. */
int utf8audit_next(AuditScan *scan);

/* Does the argument `only` name this schema, or is it absent? */
int utf8audit_is_only(const AuditScan *scan, const AuditName *schema);

/* Sets *name to the text of column i of a statement at a row. Returns SQLITE_OK or
** SQLITE_NOMEM. */
int utf8audit_name_from(AuditName *name, sqlite3_stmt *stmt, int i);

#endif
