/* audit/call.h: the functions that repair a value, in SQL and as C. */
#ifndef UTF8_AUDIT_CALL_H
#define UTF8_AUDIT_CALL_H

#include "audit/literal.h"

/* Appends the call, of a column, or of ?1 if column is NULL: utf8_repair("c", 'escape'). The repair has a function. */
void utf8audit_append_call(sqlite3_str *out, const AuditRepair *repair,
                           const char *column);

/* Makes what the call returns for TEXT that is open. The repair has a function. Returns SQLITE_OK or an
** error code; *made must be closed in every case. */
int utf8audit_make_repaired(sqlite3 *db, const AuditRepair *repair,
                            const Utf8Value *text, Utf8Value *made);

/* Appends the literal of what the call returns for TEXT that is open. The repair has a function. Returns
** SQLITE_OK or an error code. */
int utf8audit_append_repaired(const AuditWriter *w, const AuditRepair *repair,
                              const Utf8Value *text);

#endif
