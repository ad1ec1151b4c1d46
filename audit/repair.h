/* audit/repair.h: decides how a value that utf8_audit found is repaired: by which function of
** SQL, or not at all. audit/update.h writes the UPDATE that does it.
**
** The argument `policy` decides for ill-formed text, its kind for suspicious text. Under the policy
** auto, detect/cause.h decides.
*/
#ifndef UTF8_AUDIT_REPAIR_H
#define UTF8_AUDIT_REPAIR_H

#include "audit/finding.h"
#include "audit/select.h"

/* Returns what the policy subpart makes of an ill-formed value. */
AuditRepair utf8audit_default_repair(void);

/* Sets *repair to what a policy makes of an ill-formed value: utf8_repair for a policy that it
** accepts, utf8_from for any other charset, with `name` as the option. Returns 0 if name is
** neither. */
int utf8audit_repair_from_name(AuditRepair *repair, const char *name);

/* Sets found->readings, repair and update, for a value in this row of the selection's SELECT. There is no UPDATE in a
** generated column, in a table without a key, or where SQL cannot write a name. Call it once for
** each finding. Returns SQLITE_OK or an error code. */
int utf8audit_decide_repair(const AuditContext *context, const AuditTable *table,
                            AuditSelection selection, const AuditRow *row,
                            AuditFinding *found);

#endif
