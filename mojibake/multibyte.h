/* mojibake/multibyte.h: undoes UTF-8 that was read in a multi-byte charset: "浣犲ソ" for "你好", in gbk.
**
** Its bytes became characters in pairs, and a pair may have bytes of two letters. A byte that had no partner, or a pair that
** the charset does not define, became U+FFFD or a question mark: then a letter was lost.
*/
#ifndef UTF8_MOJIBAKE_MULTIBYTE_H
#define UTF8_MOJIBAKE_MULTIBYTE_H

#include "mojibake/mojibake.h"

/* Longer text is left. */
#define UTF8_MULTIBYTE_MAX UTF8_MOJIBAKE_ROOM

typedef struct Utf8Multibyte {
  int charset;  /* of the first field; for utf8mojibake_charset_name() */
  size_t start; /* its first character beyond ASCII, which all stand for bytes */
  size_t written;
  uint64_t probability; /* of the least probable field, of 2^32 */
} Utf8Multibyte;

/* Finds out what well-formed text was before all of it was misread in a multi-byte charset, or else all of some fields of it.
** Commas, semicolons, tabs, quotes and line ends separate fields. Returns 1
** if that is sure, and writes the text to out, which has room for `size` bytes and may be NULL. Returns -1 if it is, but too
** much was lost: then the text is to stay. Returns 0 if not. Clean text usually costs the look-up of the first characters
** beyond ASCII of its fields. */
int utf8mojibake_read_multibyte(Utf8Multibyte *found, const uint8_t *text, size_t size,
                                uint8_t *out);

/* Returns the first place in well-formed text, which may be several values, where one may be so misread; or size. */
size_t utf8mojibake_scan_multibyte(const uint8_t *text, size_t size);

/* Returns the charset of a number from MOJIBAKE_WITH_RIVALS on, or UTF8_CHARSET_UNKNOWN. */
Utf8Charset utf8mojibake_multibyte_charset(int charset);

#endif
