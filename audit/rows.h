/* audit/rows.h: the rows of one SELECT in which ill-formed text was found, and their values.
**
** Returns no row that was appended to the table after the first one was returned. Otherwise INSERT
** INTO t SELECT value FROM utf8_audit would find what it has just inserted, and not end.
**
** See audit/context.h for what the functions return.
*/
#ifndef UTF8_AUDIT_ROWS_H
#define UTF8_AUDIT_ROWS_H

#include "audit/cursor.h"

/* Prepares the SELECT of a selection, after closing *rows. Reads nothing yet. The context and the table must live
** until *rows is closed. */
int utf8audit_open_rows(AuditRows *rows, const AuditContext *context,
                        const AuditTable *table, AuditSelection selection);

/* Moves to the next finding. */
int utf8audit_next_in_rows(AuditRows *rows, AuditFinding *found);

#endif
