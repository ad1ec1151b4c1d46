/* audit/table.h: what utf8_audit reads of a table's schema: its columns, and the key that
** identifies a row. audit/select.h writes SQL with them.
**
** Any name may be ill-formed. SQLite gets its bytes unchanged, people see them escaped.
**
** Functions that return int return SQLITE_OK or an error code, whose message is the
** connection's, unless their comment says otherwise.
*/
#ifndef UTF8_AUDIT_TABLE_H
#define UTF8_AUDIT_TABLE_H

#include "detect/accident.h"
#include "detect/misread.h"
#include "mojibake/column.h"
#include "sql/value.h"

/* ---- names -------------------------------------------------------------------------- */

typedef struct AuditName {
  char *raw;      /* as SQLite has it; ends in 00 */
  char *shown;    /* well-formed: raw under the policy escape */
  int ill_formed; /* shown differs from raw */
} AuditName;

/* Replaces *name, which is zeroed before its first use, with a copy of raw. raw may be NULL:
** no name. */
int utf8audit_set_name(AuditName *name, const char *raw);

/* Returns a copy of text with its ill-formed bytes escaped, to be freed with
** sqlite3_free(); NULL if memory ran out. */
char *utf8audit_escape(const char *text);

/* Returns how many bytes of a well-formed name or message another message quotes. */
int utf8audit_quoted(const char *text);

/* ---- tables ------------------------------------------------------------------------- */

typedef struct AuditColumn {
  AuditName name;
  /* The collating sequence by which the key compares this column, where the column has
  ** another one; else no name. */
  AuditName collation;
  /* its values, under the policy auto; NULL unless it has ill-formed ones */
  Utf8Mixture *neighbours;
  /* its values, if text in a legacy charset may have been read as Latin-1 there; else NULL */
  Utf8MisreadColumn *misread;
  /* its values, if misread UTF-8 may be there that only they show; else NULL */
  Utf8MojibakeColumn *mojibake;
  int has_accidents; /* text in a legacy charset may be well-formed there: see detect/accident.h */
  int has_latin;  /* one of them is Latin text */
  int descending; /* the key is sorted so by this column */
  int generated;  /* cannot be updated */
  int order;      /* columns are sorted by it: the key's have negative ones */
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
  Utf8Mixture *neighbours; /* like AuditColumn.neighbours, of all columns together */
  Utf8CauseEvidence
      *evidence; /* for the columns with `misread` or accidents; else NULL */
  Utf8MojibakeColumn *mojibake; /* like AuditColumn.mojibake, of all columns together */
  AuditKey key;
  int key_count;   /* columns of AUDIT_PRIMARY_KEY; else 0 */
  char *key_index; /* of a table WITHOUT ROWID: the index that is the table; or NULL */
  const char *rowid; /* for AUDIT_ROWID: a name that reaches the rowid; not owned */
  int rowid_column;  /* the index of the column that has that name, or -1 */
} AuditTable;

/* Prepares a SELECT of a schema's tables, sqlite_master first, without virtual tables and views.
** Results: name, the values of not_repairable and tampered in AuditTable, and the rowid in
** sqlite_master, which is 0 for sqlite_master itself. */
int utf8audit_prepare_tables(sqlite3 *db, const AuditName *schema, sqlite3_stmt **stmt);

/* Replaces the columns and the key by those of table->schema and table->name. Trusts no index
** if table->tampered. If the error is not SQLite's, sets *why to its message. */
int utf8audit_load_table(AuditTable *table, sqlite3 *db, const char **why);

/* Looks for a table or an index of the schema. Returns SQLITE_ROW if it has that name, SQLITE_DONE if
** none has, else an error code. */
int utf8audit_find_name(sqlite3 *db, const AuditName *schema, const char *name);

/* Frees the neighbours of the table and its columns. */
void utf8audit_forget_neighbours(AuditTable *table);

/* Frees what its columns may have misread. */
void utf8audit_forget_misread(AuditTable *table);

/* Frees all that *table owns. */
void utf8audit_clear_table(AuditTable *table);

/* Makes the table one without a key: the key has too many columns to be read. */
void utf8audit_drop_key(AuditTable *table);

/* Returns how many results the key has in a SELECT: 1 for the rowid, and for the NULL that
** stands for no key. */
int utf8audit_key_results(const AuditTable *table);

/* Prepares the text gathered in sql, and frees it. */
int utf8audit_prepare(sqlite3 *db, sqlite3_str *sql, sqlite3_stmt **stmt);

#endif
