/* charset/unicode.h: converts a text, or a piece of it, for charset/stream.c. */
#ifndef UTF8_CHARSET_UNICODE_H
#define UTF8_CHARSET_UNICODE_H

#include "core/omit.h"
#include "core/utf8core.h"

/* A bit of c->state: a byte order mark has shown that UTF-16 or UTF-32 is little-endian. */
#define UTF8_CONVERSION_LITTLE 2u

/* charset/unicode.c decodes the charsets below this one. */
#define UTF8_CHARSETS_UNICODE (UTF8_CHARSET_WTF8 + 1)

/* The charsets below this one exist: all, or those of charset/unicode.c. */
#define UTF8_CHARSETS_BUILT (UTF8_HAS_LEGACY ? UTF8_CHARSETS : UTF8_CHARSETS_UNICODE)

/* Decodes in[c->at..size) like utf8core_decode(), without the bytes that c holds. If c->continues, leaves an
** unfinished sequence at the end of in, fewer than UTF8_CONVERSION_HELD bytes. Sets *end to where it
** stops if out has room. The charset is one of this file's. */
size_t utf8charset_decode_piece(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room, size_t *end);

/* Like utf8core_decode() and utf8core_encode(), if in[c->at..size) is the end of the text and c holds
** nothing. decode has a charset of this file, encode any. */
size_t utf8charset_decode_whole(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room);
size_t utf8charset_encode_whole(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room);

#endif
