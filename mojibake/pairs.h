/* mojibake/pairs.h: the pairs at which a quick scan for misread text stops. */
#ifndef UTF8_MOJIBAKE_PAIRS_H
#define UTF8_MOJIBAKE_PAIRS_H

#include <stddef.h>
#include <stdint.h>

/* Returns the offset of a block of 64 bytes with the first place at or after `at` where a pair ends, and
** stores in *places where pairs end: bit i for byte i. Returns end and stores 0 if there is none
** before `end`. Reads text[0..end) only.
**
** A pair is two code points above 7F that UTF-8 becomes when it is misread and that no language writes
** side by side, a C1 control, or "Ã" or "Â" before ASCII. It ends with the lead byte of its second code
** point, or with the last byte if both are Cyrillic, and of a C1 control. */
size_t utf8mojibake_skip_unpaired(const uint8_t *text, size_t at, size_t end,
                                  uint64_t *places);

#endif
