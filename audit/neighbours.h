/* audit/neighbours.h: the values of a table among which the policy auto decides what an ill-formed
** one is: see detect/mixture.h.
*/
#ifndef UTF8_AUDIT_NEIGHBOURS_H
#define UTF8_AUDIT_NEIGHBOURS_H

#include "audit/select.h"
#include "detect/among.h"

/* Reads the ill-formed values of the selection, and if there are any, the first rows of the table. Sets
** the neighbours of the table and of columns with ill-formed values. Stores in *any whether there
** may be ill-formed values. Returns SQLITE_OK or an error code; after an error, there are no
** neighbours. */
int utf8audit_read_neighbours(const AuditContext *context, AuditTable *table,
                              AuditSelection selection, int *any);

/* Returns the neighbours that utf8audit_read_neighbours() has set for the values of a column, without their rows. */
Utf8Neighbours utf8audit_neighbours_of(const AuditTable *table, int column);

#endif
