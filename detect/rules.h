/* detect/rules.h: the rules of utf8core_detect() alone, for callers that gather evidence. */
#ifndef UTF8_DETECT_RULES_H
#define UTF8_DETECT_RULES_H

#include "core/utf8core.h"

/* Returns what utf8core_detect() does, but UTF8_CHARSET_UNKNOWN for text of a legacy charset,
** about which the rules say nothing: then detect/model.h decides. */
Utf8Charset utf8detect_by_rules(const uint8_t *bytes, size_t size);

#endif
