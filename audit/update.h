/* audit/update.h: the UPDATEs of utf8_audit, for its columns repair_sql and undo_sql.
** audit/repair.h has decided which function an UPDATE calls.
**
** Functions that return int return SQLITE_OK or an error code, whose message is the
** connection's.
*/
#ifndef UTF8_AUDIT_UPDATE_H
#define UTF8_AUDIT_UPDATE_H

#include "audit/finding.h"
#include "audit/key.h"

/* Appends the UPDATE that repairs what was found in the row; nothing if it has no repair. The
** UPDATE of a key column expects those of the key columns before it to have run. */
int utf8audit_append_repair(const AuditWriter *w, const AuditTable *table,
                            const AuditRow *row, const AuditFinding *found);

/* Appends the UPDATE that puts the value back if its column still holds what the UPDATE of
** utf8audit_append_repair() made of it. Expects the UPDATEs to be undone in reverse order.
** Appends nothing where there is no repair, where no SQL expression returns the value, and
** where the UPDATE would certainly be longer than the connection allows; check the length
** too. */
int utf8audit_append_undo(const AuditWriter *w, const AuditTable *table,
                          const AuditRow *row, const AuditFinding *found);

#endif
