/* audit/misread.h: columns of text in a legacy charset that is well-formed, since it was read as Latin-1
** (detect/misread.h) or by accident (detect/accident.h). */
#ifndef UTF8_AUDIT_MISREAD_H
#define UTF8_AUDIT_MISREAD_H

#include "audit/finding.h"
#include "audit/select.h"

/* Reads the values of the chunk, whose neighbours are known. Sets `misread` and `has_accidents` of columns that have
** such text, and the evidence of the table; stores whether there are any. Stops at a damaged page, or a row that is too long. Returns SQLITE_OK or an error code; after an
** error, there are none. */
int utf8audit_read_misread(const AuditContext *context, AuditTable *table,
                           AuditChunk chunk, int *any);

/* Like utf8audit_check_value(), for a value that is such text, as its column shows. */
int utf8audit_check_misread(AuditFinding *found, const AuditContext *context,
                            const AuditTable *table, int column, sqlite3_value *x);

#endif
