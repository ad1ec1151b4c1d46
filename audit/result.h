/* audit/result.h: what a scan found, as the columns of utf8_audit. */
#ifndef UTF8_AUDIT_RESULT_H
#define UTF8_AUDIT_RESULT_H

#include "audit/scan.h"

/* The columns of utf8_audit, in the order of its declaration in audit/audit.c. A new column also
** needs a function in audit/result.c; if it depends on the repair, a bit in AUDIT_REPAIR_COLUMNS. */
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
  AUDIT_CAUSE,
  AUDIT_REPAIRED,
  AUDIT_PROBABILITY,
  AUDIT_READINGS,
  AUDIT_CALL,
  AUDIT_ONLY,    /* hidden: the argument schema */
  AUDIT_POLICY,  /* hidden */
  AUDIT_SUSPECTS /* hidden */
} AuditResult;

/* A mask of the columns for which a scan decides how values are repaired. */
#define AUDIT_REPAIR_COLUMNS                                                           \
  (1 << AUDIT_REPAIR | 1 << AUDIT_UNDO | 1 << AUDIT_CAUSE | 1 << AUDIT_REPAIRED |      \
   1 << AUDIT_PROBABILITY | 1 << AUDIT_READINGS | 1 << AUDIT_CALL)

/* Sets the column of the current finding as the result of ctx. Computes key, errors, repair_sql, value, undo_sql,
** cause, repaired, probability, readings and repair_call only here, since most queries do not read them. */
void utf8audit_result(sqlite3_context *ctx, const AuditScan *scan, AuditResult column);

#endif
