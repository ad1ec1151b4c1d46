/* audit/key.h: SQL that identifies a row of a table by its key.
**
** Functions that return int return SQLITE_OK or an error code.
*/
#ifndef UTF8_AUDIT_KEY_H
#define UTF8_AUDIT_KEY_H

#include "audit/literal.h"
#include "audit/table.h"

/* A row of a SELECT by audit/select.h, whose first results are the key. */
typedef struct AuditRow {
  sqlite3_stmt *stmt; /* at the row */
  /* of the columns of AUDIT_PRIMARY_KEY; may be NULL if none is used */
  AuditRepair *repairs;
} AuditRow;

/* Each function below writes the first `repaired` columns of AUDIT_PRIMARY_KEY as their repair
** leaves them, the others as they are. */

/* Appends an AUDIT_PRIMARY_KEY as a row value: ('k''1', x'00ff', CAST(x'ff' AS TEXT)). */
int utf8audit_append_key(const AuditWriter *w, const AuditTable *table,
                         const AuditRow *row, int repaired);

/* Appends ("k" COLLATE "BINARY", "l") = (1, 'a'). */
int utf8audit_append_is_key(const AuditWriter *w, const AuditTable *table,
                            const AuditRow *row, int repaired);

/* Appends rowid = 5, "id" = 5, or what utf8audit_append_is_key() appends. */
int utf8audit_append_where(const AuditWriter *w, const AuditTable *table,
                           const AuditRow *row, int repaired);

#endif
