/* charset/stream.h: shared by charset/stream.c, which converts text in pieces, and charset/unicode.c,
** which converts one piece or a whole text.
*/
#ifndef UTF8_CHARSET_STREAM_H
#define UTF8_CHARSET_STREAM_H

#include "core/omit.h"
#include "utf8core.h"

/* A bit of c->state in charset/unicode.c: a byte order mark has shown that UTF-16 or UTF-32 is
** little-endian. */
#define UTF8_CONVERSION_LITTLE 2u

/* Returns where the errors start with which UTF-8 ends, or size: if more text follows, they may
** be parts of sequences. (charset/stream.c) */
size_t utf8charset_whole_steps(unsigned dialect, const uint8_t *in, size_t size,
                               size_t at);

/* charset/unicode.c decodes the charsets below this one. */
#define UTF8_CHARSETS_UNICODE (UTF8_CHARSET_WTF8 + 1)

/* The charsets below this one exist: all, or those of charset/unicode.c. */
#define UTF8_CHARSETS_BUILT (UTF8_HAS_LEGACY ? UTF8_CHARSETS : UTF8_CHARSETS_UNICODE)

/* These convert in[c->at..size) like utf8core_decode() and utf8core_encode(), without the bytes that
** c holds. If c->continues, they leave an unfinished sequence at the end of in, fewer than
** UTF8_CONVERSION_HELD bytes. They set *end to where they stop if out has room. (charset/unicode.c) */
size_t utf8charset_decode_piece(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room, size_t *end);
size_t utf8charset_encode_piece(Utf8Conversion *c, const uint8_t *in, size_t size,
                                uint8_t *out, size_t room, size_t *end);

/* utf8core_decode() and utf8core_encode() where text comes in pieces or errors are counted.
** (charset/stream.c) */
size_t utf8charset_decode_stream(Utf8Conversion *c, const uint8_t *in, size_t size,
                                 uint8_t *out, size_t room);
size_t utf8charset_encode_stream(Utf8Conversion *c, const uint8_t *in, size_t size,
                                 uint8_t *out, size_t room);

/* Can the charset encode this well-formed text? (charset/stream.c) */
int utf8charset_encodes(Utf8Charset charset, const uint8_t *text, size_t size);

#endif
