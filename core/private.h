/* core/private.h: what the core's files share with each other and with the SQL value layer,
** and no caller of utf8core.h sees.
*/
#ifndef UTF8_CORE_PRIVATE_H
#define UTF8_CORE_PRIVATE_H

#include "utf8core.h"

/* UTF-16 of an odd size, converted to WTF-8, ends in these three bytes for its last byte b.
** They are a sequence without its fourth byte: one UTF8_TRUNCATED subpart, from which
** UTF8_ODD_BYTE() reads b. */
#define UTF8_ODD_LEAD 0xF1
#define UTF8_ODD_BYTES(b)                                                              \
  UTF8_ODD_LEAD, (uint8_t)(0x80 | (b) >> 6), (uint8_t)(0x80 | ((b)&0x3F))
#define UTF8_ODD_BYTE(p) ((uint8_t)((p)[1] << 6 | ((p)[2] & 0x3F)))

#endif
