/* audit/repair.h: which function repairs a value that utf8_audit found.
**
** The argument `policy` decides for ill-formed text, its kind for suspicious text. Functions that return int return
** SQLITE_OK or an error code, unless their comment says otherwise.
*/
#ifndef UTF8_AUDIT_REPAIR_H
#define UTF8_AUDIT_REPAIR_H

#include "audit/literal.h"
#include "audit/table.h"
#include "suspect/suspect.h"

/* A call in SQL: function(value), or function(value, 'option'). */
typedef struct AuditRepair {
  const char *function; /* NULL: the value is not repaired */
  const char *option;   /* needs no escapes; not owned; or NULL */
} AuditRepair;

/* Sets *repair to what a policy makes of an ill-formed value: utf8_repair for a policy that it
** accepts, utf8_from for any other charset, with `name` as the option. Returns 0 if name is
** neither. */
int auditrepair_from_name(AuditRepair *repair, const char *name);

/* How a scan repairs values. */
typedef struct AuditPolicy {
  AuditRepair ill_formed; /* unless it is_auto */
  int is_auto;  /* ill-formed values by what audittable.h's columns[].charset says */
  int suspects; /* well-formed values that are suspicious, too */
} AuditPolicy;

/* Stores in *repair how x in the column is repaired; no function if it is not. */
int auditrepair_choose(const AuditWriter *w, const AuditPolicy *policy,
                       const AuditColumn *column, sqlite3_value *x,
                       AuditRepair *repair);

/* Finds what is suspicious in well-formed text. Stores UTF8_SUSPECT_NONE if nothing is. */
int auditrepair_find_suspect(sqlite3 *db, const Utf8Value *text,
                             Utf8SuspectFound *found);

/* Append what comes before the value in the call, and after it. */
void auditrepair_append_start(sqlite3_str *out, AuditRepair repair);
void auditrepair_append_end(sqlite3_str *out, AuditRepair repair);

/* Appends the literal of what the call makes of the TEXT x. The message of an error is the
** connection's. */
int auditrepair_append_repaired(const AuditWriter *w, AuditRepair repair,
                                sqlite3_value *x);

#endif
