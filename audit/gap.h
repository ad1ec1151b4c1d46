/* audit/gap.h: where a scan resumes after rows that cannot be read.
**
** A corrupt page makes a SELECT fail. In a table with rowids, a SELECT from a later rowid can
** succeed; in one WITHOUT ROWID, a SELECT from the other end.
**
** Functions that return int return SQLITE_OK or an error code, whose message is the
** connection's, unless their comment says otherwise.
*/
#ifndef UTF8_AUDIT_GAP_H
#define UTF8_AUDIT_GAP_H

#include "audit/finding.h"
#include "audit/select.h"

/* Rowids whose rows cannot be read. */
typedef struct AuditGap {
  sqlite3_int64 first, last;
  int is_end; /* there are no rows after it */
} AuditGap;

/* A SELECT of AUDIT_ILL_FORMED_FROM the rowid `from` has met a corrupt page. Stores the first and the
** last rowid that cannot be read there. The search may miss rows between them: a readable stretch
** shorter than a sixteenth of its distance to each end.
** Returns SQLITE_ROW if the row at gap->first, the first that failed, can be read at a second
** attempt; SQLITE_DONE if all rows from `from` on can now be read. */
int utf8audit_find_gap(sqlite3 *db, const AuditTable *table, AuditSelection selection,
                       sqlite3_int64 from, AuditGap *gap);

/* A SELECT of AUDIT_ILL_FORMED in a table with AUDIT_PRIMARY_KEY has met a corrupt page. Sets
** *last to a statement at the last row before that, whose first results are its key; NULL if
** it is the table's first row that cannot be read. */
int utf8audit_last_row(sqlite3 *db, const AuditTable *table, AuditSelection selection,
                       sqlite3_stmt **last);

#endif
