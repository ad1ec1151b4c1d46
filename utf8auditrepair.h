/* utf8auditrepair.h: which function repairs a value that utf8_audit found.
**
** The argument `policy` decides for ill-formed text. Functions that return int return
** SQLITE_OK or an error code, unless their comment says otherwise.
*/
#ifndef UTF8AUDITREPAIR_H
#define UTF8AUDITREPAIR_H

#include "utf8auditliteral.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* A call in SQL: function(value), or function(value, 'option'). */
typedef struct AuditRepair {
  const char *function; /* NULL: the value is not repaired */
  const char *option;   /* needs no escapes; not owned; or NULL */
} AuditRepair;

/* Sets *repair to what the policy makes of an ill-formed value: utf8_repair for a policy that it
** accepts, utf8_from for any other charset. The option is the text of `policy`. Returns 0 if
** it names neither. Call sqlite3_value_text() for it before. */
int auditrepair_from_policy(AuditRepair *repair, sqlite3_value *policy);

/* How a scan repairs values. */
typedef struct AuditPolicy {
  AuditRepair ill_formed;
} AuditPolicy;

/* Stores in *repair how x is repaired: not at all if it is well-formed, or no TEXT. */
int auditrepair_choose(const AuditWriter *w, const AuditPolicy *policy,
                       sqlite3_value *x, AuditRepair *repair);

/* Append what comes before the value in the call, and after it. */
void auditrepair_append_start(sqlite3_str *out, AuditRepair repair);
void auditrepair_append_end(sqlite3_str *out, AuditRepair repair);

/* Appends the literal of what the call makes of the TEXT x. The message of an error is the
** connection's. */
int auditrepair_append_repaired(const AuditWriter *w, AuditRepair repair,
                                sqlite3_value *x);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
