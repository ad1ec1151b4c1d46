/* utf8auditsql.h: the SQL of utf8_audit: the SELECT that finds ill-formed values, and the
** UPDATE that repairs one.
**
** Input is a table as utf8audittable.h describes it, and a row of the SELECT; output goes to
** utf8_audit's columns key and repair_sql.
**
** Functions that return int return SQLITE_OK or an error code, whose message is the
** connection's.
*/
#ifndef UTF8AUDITSQL_H
#define UTF8AUDITSQL_H

#include "utf8audittable.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* The columns in which one SELECT looks for ill-formed text: columns[first..first+count), and
** the first `key` columns, which are those of the key (all of them, or 0). */
typedef struct AuditChunk {
  int first, count, key;
} AuditChunk;

/* Prepares a SELECT of the rows with ill-formed text in the chunk. Results: the key
** (AUDIT_PRIMARY_KEY's columns, the rowid, or NULL), then columns[first..first+count), each
** NULL unless it is TEXT. Values of other types are not read, however large. */
int auditsql_prepare_rows(sqlite3 *db, const AuditTable *table, AuditChunk chunk,
                          sqlite3_stmt **stmt);

/* Writes SQL about the row at which a statement of auditsql_prepare_rows() is. */
typedef struct AuditWriter {
  sqlite3_str *out;
  const AuditTable *table;
  sqlite3_stmt *rows;
  Utf8Encoding encoding; /* the databases' */
} AuditWriter;

/* Appends the row's AUDIT_PRIMARY_KEY as a row value: ('k''1', x'00ff', CAST(x'ff' AS TEXT)). */
int auditsql_append_key(const AuditWriter *w);

/* Appends the UPDATE that repairs the ill-formed text x in columns[column]; nothing if no
** UPDATE can or should, as in a generated column or a table without a key. The UPDATE of a
** key column expects those of the key columns before it to have run. */
int auditsql_append_repair(const AuditWriter *w, int column, sqlite3_value *x);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
