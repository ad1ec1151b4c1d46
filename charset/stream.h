/* charset/stream.h: what a charset can encode. charset/stream.c also has utf8core_decode() and utf8core_encode(). */
#ifndef UTF8_CHARSET_STREAM_H
#define UTF8_CHARSET_STREAM_H

#include "core/utf8core.h"

/* Can the charset encode this well-formed text? */
int utf8charset_encodes(Utf8Charset charset, const uint8_t *text, size_t size);

#endif
