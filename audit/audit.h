/* audit/audit.h: the table utf8_audit, which utf8ext.c registers. */
#ifndef UTF8_AUDIT_AUDIT_H
#define UTF8_AUDIT_AUDIT_H

#include "sql/vtab.h"

extern const Utf8Module utf8audit_module;

#endif
