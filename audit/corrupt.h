/* audit/corrupt.h: how a scan continues after a page that cannot be read. */
#ifndef UTF8_AUDIT_CORRUPT_H
#define UTF8_AUDIT_CORRUPT_H

#include "audit/cursor.h"

/* rows->row.stmt has met a corrupt page, whose message is the connection's. Replaces it with a SELECT of the rows
** after the page, of those before it that were not checked, or with NULL if there are none. Returns
** SQLITE_ROW with the rows that cannot be read as the finding; SQLITE_OK if there are none so far;
** SQLITE_DONE if no finding is left; else an error code. */
int utf8audit_skip_corrupt(AuditRows *rows, AuditFinding *found);

/* The SELECT has returned the row before rows->gap. Passes that gap, like utf8audit_skip_corrupt(). */
int utf8audit_pass_gap(AuditRows *rows, AuditFinding *found);

#endif
