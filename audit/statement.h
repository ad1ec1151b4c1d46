/* audit/statement.h: the SQL of utf8_audit: the SELECT that finds ill-formed values, and the
** UPDATEs that repair one and undo that.
**
** Input is a table as audit/table.h describes it, and a row of the SELECT; output goes to
** utf8_audit's columns key, repair_sql and undo_sql.
**
** Functions that return int return SQLITE_OK or an error code, whose message is the
** connection's.
*/
#ifndef UTF8_AUDIT_STATEMENT_H
#define UTF8_AUDIT_STATEMENT_H

#include "audit/literal.h"
#include "audit/repair.h"
#include "audit/table.h"

/* The columns in which one SELECT looks for ill-formed text: columns[first..first+count), and
** the first `key` columns, which are those of the key (all of them, or 0). */
typedef struct AuditChunk {
  int first, count, key;
  int suspects; /* also look for suspicious text */
} AuditChunk;

/* Which rows a SELECT returns, in the order of the key. */
typedef enum AuditRange {
  AUDIT_ILL_FORMED,      /* those with ill-formed text in the chunk */
  AUDIT_ILL_FORMED_FROM, /* of these the ones with a rowid of ?1 or more */
  AUDIT_EVERY,           /* every row */
  AUDIT_EVERY_FROM       /* every row with a rowid of ?1 or more */
} AuditRange;

/* Sets columns[i].charset by what utf8_detect_column() says of its ill-formed values, unless it
** is set. A damaged page leaves it NULL. */
int auditsql_detect_charset(sqlite3 *db, AuditTable *table, int i);

/* Prepares a SELECT. Results: the key (AUDIT_PRIMARY_KEY's columns, the rowid, or NULL), then
** columns[first..first+count), each NULL unless it is TEXT. Values of other types are not
** read, however large. AUDIT_..._FROM needs a table with AUDIT_ROWID. A row that cannot be
** read under AUDIT_EVERY is one where the others fail. */
int auditsql_prepare_rows(sqlite3 *db, const AuditTable *table, AuditChunk chunk,
                          AuditRange range, sqlite3_stmt **stmt);

/* A row of auditsql_prepare_rows(), about which SQL is written. */
typedef struct AuditRow {
  AuditWriter writer;
  const AuditTable *table;
  const AuditPolicy *policy;
  sqlite3_stmt *rows; /* at the row */
} AuditRow;

/* Prepares the SELECT of AUDIT_ILL_FORMED in the reverse order, for a table with
** AUDIT_PRIMARY_KEY. It also returns `row`, unless row->rows is NULL; a last result is 1 for
** this row, and else 0. */
int auditsql_prepare_backwards(const AuditRow *row, AuditChunk chunk,
                               sqlite3_stmt **stmt);

/* Appends the row's AUDIT_PRIMARY_KEY as a row value: ('k''1', x'00ff', CAST(x'ff' AS TEXT)). */
int auditsql_append_key(const AuditRow *row);

/* Appends the UPDATE that repairs the text x in columns[column]; nothing if no UPDATE can or
** should, as in a generated column or a table without a key. The UPDATE of a key column
** expects those of the key columns before it to have run. */
int auditsql_append_repair(const AuditRow *row, int column, sqlite3_value *x);

/* Appends the UPDATE that puts x back if columns[column] still holds what the UPDATE of
** auditsql_append_repair() made of it. It expects the UPDATEs to be undone in reverse order.
** Appends nothing where there is no repair, where no SQL expression returns x, and where it
** would certainly be longer than the connection allows; check the length too. */
int auditsql_append_undo(const AuditRow *row, int column, sqlite3_value *x);

#endif
