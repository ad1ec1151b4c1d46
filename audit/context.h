/* audit/context.h: what every level of an audit shares.
**
** The levels of an audit, from the outside in. Each is a struct in a file of its own:
**
**     AuditScan        scan.h       the schemas and their tables
**     AuditTableScan   tablescan.h  the columns of one table, as many at a time as a SELECT takes
**     AuditRows        rows.h       the rows of one SELECT; corrupt.h: after corrupt pages
**     AuditFinding     finding.h    what was found: a value, or something unreadable
**
** A level moves to its next finding and returns
**     SQLITE_ROW   with the finding stored,
**     SQLITE_DONE  at its end,
**     SQLITE_OK    if it has advanced, to be called again (where its comment says so),
**     else an error code that ends the audit; its message is the connection's.
*/
#ifndef UTF8_AUDIT_CONTEXT_H
#define UTF8_AUDIT_CONTEXT_H

#include "sql/value.h"
#include "suspect/suspect.h"

/* The functions of SQL that repair; audit/call.c writes and calls them. */
typedef enum AuditFunction {
  AUDIT_NO_FUNCTION,
  AUDIT_UTF8_REPAIR,
  AUDIT_UTF8_FROM,
  AUDIT_UTF8_TO,
  AUDIT_UTF8_UNESCAPE, /* with the option surrogateescape */
  AUDIT_UTF8_STRIP,
  AUDIT_UTF8_STRIP_BOM,
  AUDIT_UTF8_DEMOJIBAKE
} AuditFunction;

/* A call function(X), or function(X, 'option'). */
typedef struct AuditCall {
  AuditFunction function;
  const char *option;   /* NULL: there is none. Not owned; needs no escapes */
  Utf8Repair how;       /* what it means: the policy, or the charset */
  Utf8SuspectKind kind; /* the kind of utf8_strip */
} AuditCall;

/* How a value is repaired: by outer(X), or outer(inner(X)). */
typedef struct AuditRepair {
  AuditCall outer; /* no function: the value is not repaired */
  AuditCall inner; /* or no function */
} AuditRepair;

/* How an audit repairs values. */
typedef struct AuditPolicy {
  AuditRepair ill_formed; /* ill-formed values, unless is_auto */
  int is_auto;            /* ill-formed values by their cause */
  int suspects;           /* also look for suspicious text */
} AuditPolicy;

typedef struct AuditContext {
  sqlite3 *db;
  Utf8Encoding encoding; /* of the databases */
  AuditPolicy policy;
  int has_repairs; /* a column that depends on the repair may be read */
  int has_causes;  /* the column `cause` may be read */
} AuditContext;

#endif
