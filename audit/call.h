/* audit/call.h: SQL calls that repair a value, and what they return. */
#ifndef UTF8_AUDIT_CALL_H
#define UTF8_AUDIT_CALL_H

#include "audit/literal.h"

/* Appends a call for a column: utf8_repair("c", 'escape'). The repair has a function. */
void utf8audit_append_call(sqlite3_str *out, AuditRepair repair, const char *column);

/* Appends a call of which ?1 is the value: utf8_repair(?1, 'escape'). The repair has a function. */
void utf8audit_append_call_of_value(sqlite3_str *out, AuditRepair repair);

/* Calls the repair, which has a function, for the TEXT x. Returns SQLITE_ROW with the result as
** the only column of *stmt, or an error code. *stmt is to be finalized in every case, while x is
** still there. */
int utf8audit_call(const AuditContext *context, AuditRepair repair, sqlite3_value *x,
                   sqlite3_stmt **stmt);

/* Appends the literal of what the call returns for x; of x itself if the repair has no
** function. Returns SQLITE_OK or an error code, whose message is the connection's. */
int utf8audit_append_repaired(const AuditWriter *w, AuditRepair repair,
                              sqlite3_value *x);

#endif
