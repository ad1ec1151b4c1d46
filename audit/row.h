/* audit/row.h: what a scan found, as the columns of utf8_audit. */
#ifndef UTF8_AUDIT_ROW_H
#define UTF8_AUDIT_ROW_H

#include "audit/scan.h"

/* The columns of utf8_audit, in the order of its declaration. */
typedef enum AuditResult {
  AUDIT_SCHEMA,
  AUDIT_TABLE,
  AUDIT_COLUMN,
  AUDIT_KEY,
  AUDIT_OFFSET,
  AUDIT_ERROR,
  AUDIT_ERRORS,
  AUDIT_REPAIR,
  AUDIT_VALUE,
  AUDIT_UNDO,
  AUDIT_ONLY,    /* hidden: the argument schema */
  AUDIT_POLICY,  /* hidden */
  AUDIT_SUSPECTS /* hidden */
} AuditResult;

/* Sets the column of the current finding as the result of ctx. Computes key, errors,
** repair_sql, value and undo_sql only here, since most queries do not read them. */
void auditrow_result(sqlite3_context *ctx, AuditScan *scan, AuditResult column);

#endif
