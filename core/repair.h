/* core/repair.h: repair under a policy, which utf8core_repair() calls. */
#ifndef UTF8_CORE_REPAIR_H
#define UTF8_CORE_REPAIR_H

#include "core/utf8core.h"

/* Like utf8core_repair(). high has the code points of 80..FF in how->charset; only
** UTF8_POLICY_CHARSET reads it. */
size_t utf8repair_with(const Utf8Repair *how, const uint16_t *high, const uint8_t *text,
                       size_t size, size_t *at, uint8_t *out, size_t room);

#endif
