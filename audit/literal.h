/* audit/literal.h: SQL literals of values, for utf8_audit's columns key, repair_sql and
** undo_sql.
**
** Functions that return int return SQLITE_OK or an error code.
*/
#ifndef UTF8_AUDIT_LITERAL_H
#define UTF8_AUDIT_LITERAL_H

#include "audit/context.h"

/* Where literals are written. */
typedef struct AuditWriter {
  sqlite3 *db;
  sqlite3_str *out;
  Utf8Encoding encoding; /* of the databases */
} AuditWriter;

/* Appends an SQL expression with the type and value of x. */
int utf8audit_append_literal(const AuditWriter *w, sqlite3_value *x);

/* Like utf8audit_append_literal(), for TEXT of these databases, or NULL, that is open. */
int utf8audit_append_text(const AuditWriter *w, const Utf8Value *text);

/* Appends TEXT that is open as CAST(x'..' AS TEXT). */
int utf8audit_append_cast(const AuditWriter *w, const Utf8Value *text);

/* No SQL expression returns UTF-16 text with an odd number of bytes: SQLite's CAST drops the last
** byte. Is x such a text? */
int utf8audit_has_odd_byte(sqlite3_value *x, Utf8Encoding encoding);

#endif
