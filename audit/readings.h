/* audit/readings.h: what an ill-formed value may have been, by its column, its table and its row: see detect/among.h.
*/
#ifndef UTF8_AUDIT_READINGS_H
#define UTF8_AUDIT_READINGS_H

#include "audit/finding.h"
#include "audit/select.h"

/* Sets found->readings for a value in this row of the selection's SELECT, if a column that depends on them may be read.
** Returns SQLITE_OK or an error code. */
int utf8audit_find_readings(const AuditContext *context, const AuditTable *table,
                            AuditSelection selection, const AuditRow *row,
                            AuditFinding *found);

#endif
