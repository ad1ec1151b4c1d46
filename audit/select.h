/* audit/select.h: the SELECTs of utf8_audit, which find the rows with ill-formed values.
**
** Functions that return int return SQLITE_OK or an error code, whose message is the
** connection's.
*/
#ifndef UTF8_AUDIT_SELECT_H
#define UTF8_AUDIT_SELECT_H

#include "audit/key.h"

/* The columns in which one SELECT looks for ill-formed text: columns[first..first+count), and
** the first `key` columns, which are those of the key (all of them, or 0). */
typedef struct AuditSelection {
  int first, count, key;
  int suspects; /* also look for suspicious text */
} AuditSelection;

/* Returns value i of the selection in a row of such a SELECT, from 0 to below count + key, and stores its column. */
sqlite3_value *utf8audit_selected_value(const AuditTable *table,
                                        AuditSelection selection, sqlite3_stmt *stmt,
                                        int i, int *column);

/* Which rows a SELECT returns, in the order of the key. */
typedef enum AuditRange {
  AUDIT_ILL_FORMED,         /* those with ill-formed text in the selection */
  AUDIT_ILL_FORMED_AT_ONCE, /* of these the ones that exist at the first step */
  AUDIT_ILL_FORMED_FROM,    /* of these the ones with a rowid of ?1 or more */
  AUDIT_ILL_FORMED_TO,      /* of these the ones before rowid ?2, and that row itself */
  AUDIT_EVERY,              /* every row */
  AUDIT_EVERY_FROM          /* every row with a rowid of ?1 or more */
} AuditRange;

/* Prepares a SELECT. Results: the key (AUDIT_PRIMARY_KEY's columns, the rowid, or NULL), then
** columns[first..first+count), each NULL unless it is TEXT. Values of other types are not
** read, however large. AUDIT_..._FROM needs a table with AUDIT_ROWID. A row that cannot be
** read under AUDIT_EVERY is one where the others fail. */
int utf8audit_prepare_rows(sqlite3 *db, const AuditTable *table,
                           AuditSelection selection, AuditRange range,
                           sqlite3_stmt **stmt);

/* Prepares the SELECT of AUDIT_ILL_FORMED, or that in the reverse order, for a table with
** AUDIT_PRIMARY_KEY. It also returns the row `last`, unless its stmt is NULL; one more result
** is 1 for that row, and else 0. */
int utf8audit_prepare_to(const AuditContext *context, const AuditTable *table,
                         AuditSelection selection, const AuditRow *last, int is_reverse,
                         sqlite3_stmt **stmt);

/* Stores the highest rowid of a table with AUDIT_ROWID; INT64_MAX if it cannot be read. Returns an
** error code only if that ends the audit. */
int utf8audit_highest_rowid(sqlite3 *db, const AuditTable *table, sqlite3_int64 *rowid);

/* Returns SQLITE_OK if a row of the table was there when its highest rowid was *highest, SQLITE_DONE
** if it has come since, else an error code. In a corrupt tree, rowids are not in order: then any
** row may be old, and *highest becomes INT64_MAX. */
int utf8audit_check_is_old(sqlite3 *db, const AuditTable *table, sqlite3_int64 rowid,
                           sqlite3_int64 *highest);

/* Appends "main"."t". */
void utf8audit_append_table(sqlite3_str *out, const AuditTable *table);

#endif
