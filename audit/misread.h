/* audit/misread.h: well-formed values that only their column shows to be other text: text in a legacy charset that was
** read as Latin-1 (detect/misread.h) or is well-formed by accident (detect/accident.h), and misread UTF-8 that may be
** meant elsewhere (mojibake/column.h). */
#ifndef UTF8_AUDIT_MISREAD_H
#define UTF8_AUDIT_MISREAD_H

#include "audit/finding.h"
#include "audit/select.h"

/* Reads the values of the selection, whose neighbours are known. Sets `misread`, `mojibake` and `has_accidents` of
** columns that have such text, and the evidence of the table; stores whether there are any. Stops at a corrupt page, or
** a row that is too long. Returns SQLITE_OK or an error code; after an error, there are none. */
int utf8audit_read_misread(const AuditContext *context, AuditTable *table,
                           AuditSelection selection, int *any);

/* Like utf8audit_check_value(), for a value that is such text, as its column shows. */
int utf8audit_check_misread(AuditFinding *found, const AuditContext *context,
                            const AuditTable *table, int column, sqlite3_value *x);

/* Likewise, for misread UTF-8 of which utf8audit_check_value() finds nothing. */
int utf8audit_check_mojibake(AuditFinding *found, const AuditContext *context,
                             const AuditTable *table, int column, sqlite3_value *x);

#endif
