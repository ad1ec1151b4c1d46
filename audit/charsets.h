/* audit/charsets.h: what the ill-formed values of a table are in, for the policy auto. A value whose
** own bytes do not say it is read like its neighbours.
*/
#ifndef UTF8_AUDIT_CHARSETS_H
#define UTF8_AUDIT_CHARSETS_H

#include "audit/select.h"

/* Sets table->charset and the charsets of the chunk's columns, UTF8_CHARSET_UNKNOWN where the
** values do not decide it by the margin of detect/cause.h. Reads the table once. Stores in *any
** whether there may be ill-formed values. Returns SQLITE_OK or an error code; after an error, no
** column has a charset. */
int utf8audit_find_charsets(const AuditContext *context, AuditTable *table,
                            AuditChunk chunk, int *any);

#endif
