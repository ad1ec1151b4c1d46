/* utf8audittable.h: what utf8_audit needs to know of a table: its columns, and the key that
** identifies a row.
**
** Any name may be ill-formed. SQLite is given its bytes unchanged, people see them escaped.
**
** Functions that return int return SQLITE_OK or an error code, whose message is the
** connection's.
*/
#ifndef UTF8AUDITTABLE_H
#define UTF8AUDITTABLE_H

#include "utf8value.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* ---- names -------------------------------------------------------------------------- */

typedef struct AuditName {
  char *raw;      /* as SQLite has it; ends in 00 */
  char *shown;    /* well-formed: raw under the policy escape */
  int ill_formed; /* shown differs from raw */
} AuditName;

/* Replaces *name by a copy of raw. raw may be NULL: no name. */
int audittable_set_name(AuditName *name, const char *raw);
void audittable_clear_name(AuditName *name);

/* Returns a copy of text with its ill-formed bytes escaped, to be freed with
** sqlite3_free(); NULL if memory ran out. */
char *audittable_escape(const char *text);

/* ---- tables ------------------------------------------------------------------------- */

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
  int not_repairable; /* sqlite_master, a table of a virtual table, a tampered schema */
  int tampered; /* the schema has an index of the table's name, as SQLite never makes */
  AuditColumn *columns; /* those of AUDIT_PRIMARY_KEY first, in its order */
  int column_count;
  AuditKey key;
  int key_count;     /* columns of AUDIT_PRIMARY_KEY; else 0 */
  const char *rowid; /* for AUDIT_ROWID: a name that reaches the rowid; not owned */
  int rowid_column;  /* the index of the column that has that name, or -1 */
} AuditTable;

/* Prepares the list of a schema's tables, sqlite_master first: name, not_repairable,
** tampered. */
int audittable_prepare_list(sqlite3 *db, const AuditName *schema, sqlite3_stmt **stmt);

/* Reads the columns and the key of table->schema and table->name. If the error is not
** SQLite's, sets *why to its message. */
int audittable_load(AuditTable *table, sqlite3 *db, const char **why);
void audittable_clear(AuditTable *table);

/* Makes the table one without a key: the key has too many columns to be read. */
void audittable_drop_key(AuditTable *table);

/* How many results the key has in a SELECT. */
int audittable_key_results(const AuditTable *table);

/* Prepares the text gathered in sql, and frees it. */
int audittable_prepare(sqlite3 *db, sqlite3_str *sql, sqlite3_stmt **stmt);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
