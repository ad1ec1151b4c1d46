/* audit/scan.h: a scan of utf8_audit, which moves from one finding to the next: a value to
** be repaired, or something that cannot be read.
**
** audit/audit.c starts a scan, and returns what it found as the columns of a row.
**
** Functions that return int return SQLITE_OK or an error code, whose message is the
** connection's, unless their comment says otherwise.
*/
#ifndef UTF8_AUDIT_SCAN_H
#define UTF8_AUDIT_SCAN_H

#include "audit/statement.h"

/* The arguments of a scan: those of the hidden columns, in their order, then names that WHERE
** gives. Each may be absent. */
typedef enum AuditArgument {
  ARGUMENT_ONLY, /* the name of the only schema to read, in any case of letters */
  ARGUMENT_POLICY,
  ARGUMENT_SUSPECTS,
  ARGUMENT_SCHEMA,
  ARGUMENT_TABLE,
  ARGUMENT_COUNT
} AuditArgument;

typedef struct AuditScan {
  sqlite3 *db;
  Utf8Encoding encoding;                   /* of the databases */
  sqlite3_value *argument[ARGUMENT_COUNT]; /* copies, in UTF-8, or NULL */
  AuditPolicy policy;

  sqlite3_stmt *schemas; /* at table.schema; these three are NULL at their end */
  sqlite3_stmt *tables;  /* at table.name */
  sqlite3_stmt *rows;    /* at a row of the chunk */
  AuditTable table;
  int next_column; /* the first column of the next chunk */
  int last_chunk;  /* the table's last chunk has begun */
  AuditChunk chunk;
  sqlite3_int64 from; /* rows has the rowids from here on */
  int backwards;      /* rows is of auditsql_prepare_backwards() */
  int next_value;     /* of the row: first the chunk's columns, then its key's */

  sqlite3_int64 row;    /* number of the finding within its table, from 1 */
  int done;             /* there are no more findings */
  int column;           /* what was found: index in table.columns, */
  sqlite3_value *x;     /* the value where SQLite has it, */
  Utf8Value value;      /* the value, open, */
  size_t offset;        /* and its first error, */
  Utf8SuspectKind kind; /* or what is suspicious in well-formed text; */
  char *unreadable;     /* or else the whole column `error` */
} AuditScan;

/* Frees all that the scan owns, and makes it one that has not started. */
void auditscan_clear(AuditScan *scan);

/* Moves to the next finding, or sets scan->done. Needs schemas, which is at a row before the
** first one that is to be read, and db, encoding,
** argument and policy. */
int auditscan_next(AuditScan *scan);

/* Does the argument `only` name this schema, or is it absent? */
int auditscan_is_only(const AuditScan *scan, const AuditName *schema);

/* Sets *name to the text of column i of a statement at a row. */
int auditscan_name_from(AuditName *name, sqlite3_stmt *stmt, int i);

#endif
