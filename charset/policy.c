/* charset/policy.c: finds the charset of a policy. core/repair.c repairs. */
#include "charset/legacy/legacy.h"
#include "core/repair.h"

size_t utf8core_repair(const Utf8Repair *how, const uint8_t *text, size_t size,
                       size_t *at, uint8_t *out, size_t room) {
  const int reads = how->policy == UTF8_POLICY_CHARSET;
  const uint16_t *high = reads ? utf8charset_high(how->charset) : NULL;
  return utf8repair_with(how, high, text, size, at, out, room);
}
