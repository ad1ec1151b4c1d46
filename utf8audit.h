/* utf8audit.h: what the table utf8_audit (utf8audit.c) needs to know of a table, and the
** SQL that reads, names and repairs it (utf8auditsql.c).
**
** Any name may be ill-formed. SQLite is given its bytes as they are, people get them
** escaped.
**
** Functions that return int give SQLITE_OK or an error code, whose message is the
** connection's.
*/
#ifndef UTF8AUDIT_H
#define UTF8AUDIT_H

#include "utf8sql.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* ---- names ----------------------------------------------------------------------- */

typedef struct AuditName {
  char *raw;      /* as SQLite has it; ends in 00 */
  char *shown;    /* well-formed: raw under the policy escape */
  int ill_formed; /* shown is not raw's bytes */
} AuditName;

/* Makes *name a copy of raw, in place of what it was before. raw may be NULL: no name. */
int utf8audit_name_set(AuditName *name, const char *raw);
void utf8audit_name_clear(AuditName *name);

/* A copy of a text of any bytes, ill-formed ones escaped, to be freed with sqlite3_free();
** NULL if memory ran out. */
char *utf8audit_escape(const char *text);

/* ---- tables ---------------------------------------------------------------------- */

typedef struct AuditColumn {
  AuditName name;
  AuditName
      collation; /* of a column of the key: the key's, if it is not the column's */
  int generated; /* cannot be updated */
  int order;     /* columns are sorted by it */
} AuditColumn;

typedef enum AuditKey {
  AUDIT_NO_KEY, /* none that identifies a row */
  AUDIT_ROWID,
  AUDIT_PRIMARY_KEY /* of a table WITHOUT ROWID */
} AuditKey;

typedef struct AuditTable {
  AuditName schema, name;
  int fixed;    /* not to be repaired: sqlite_master, tables of a virtual table, ... */
  int tampered; /* the schema has an index of the table's name, as SQLite never makes */
  AuditColumn *columns; /* those of AUDIT_PRIMARY_KEY first, in its order */
  int column_count;
  AuditKey key;
  int key_count; /* columns of AUDIT_PRIMARY_KEY; else 0 */
  const char
      *rowid; /* for AUDIT_ROWID: a name that reaches the rowid; not owned. If it */
  int rowid_column; /* is a column's, that column's index; else -1 */
} AuditTable;

/* Reads columns and key of the table that schema and name say. *why stays as it is, or is
** set to a text of its own where the error is not SQLite's. */
int utf8audit_load(AuditTable *table, sqlite3 *db, const char **why);
void utf8audit_clear(AuditTable *table);

/* The key has too many columns to be read: the table is to be read without it. */
void utf8audit_drop_key(AuditTable *table);

/* The rows of a schema's tables: name, and whether the table is fixed and tampered.
** sqlite_master comes first. */
int utf8audit_prepare_tables(sqlite3 *db, const AuditName *schema, sqlite3_stmt **stmt);

/* How many results precede the columns in utf8audit_prepare_rows(). */
int utf8audit_key_results(const AuditTable *table);

/* The columns of a table that one SELECT reads: columns[first..first+count), and of the
** key's columns the first `key` (all, or none). */
typedef struct AuditChunk {
  int first, count, key;
} AuditChunk;

/* The rows with ill-formed text in the chunk: the key (AUDIT_PRIMARY_KEY's columns, the
** rowid, or NULL), then columns[first..first+count), each NULL where it is no TEXT. What
** is no TEXT is not read, however large. */
int utf8audit_prepare_rows(sqlite3 *db, const AuditTable *table, AuditChunk chunk,
                           sqlite3_stmt **stmt);

/* ---- one value of a row ---------------------------------------------------------- */

/* The row's AUDIT_PRIMARY_KEY as a row value of literals: ('k''1', x'00ff'). rows is the
** statement of utf8audit_prepare_rows() at that row, and utf16 what utf8value_db_utf16() says. */
int utf8audit_append_key(sqlite3_str *out, const AuditTable *table, sqlite3_stmt *rows,
                         int utf16);

/* The UPDATE that repairs the ill-formed text x in columns[column], or nothing where there
** is none. That of a key column finds the row as it is when the UPDATEs of the key
** columns before it have run. */
int utf8audit_append_repair(sqlite3_str *out, const AuditTable *table, int column,
                            sqlite3_value *x, sqlite3_stmt *rows, int utf16);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
