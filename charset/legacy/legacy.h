/* charset/legacy/legacy.h: decodes and encodes the legacy charsets, those whose kind is SINGLE_BYTE,
** SINGLE_BYTE_OTHER or MULTI_BYTE in utf8charsets.h. charset/legacy/codec.h has what their codecs share.
**
**     const uint8_t bytes[] = {0xCF, 0xF0, 0xE8}; // При in windows-1251
**     uint8_t out[64];
**     unsigned state = 0;
**     size_t at = 0;
**     size_t n = utf8charset_decode_legacy(UTF8_CHARSET_WINDOWS1251, &state, bytes, 3, &at, out, 64);
**     // n is 6, at is 3, out starts with D0 9F D1 80 D0 B8
**
** For all functions: nothing is allocated, and no byte outside of the given ranges is read or
** written. They may run in any number of threads at once. The first use of a charset builds
** its tables in static memory, which takes about 30 microseconds, or 0.1 milliseconds
** for a multi-byte charset; every thread that builds them stores the same values, atomically.
*/
#ifndef UTF8_CHARSET_LEGACY_H
#define UTF8_CHARSET_LEGACY_H

#include "core/utf8core.h"

/* The two functions below convert in[*at..size) to out, as much as fits, and return the number of
** bytes written. They set *at to the boundary where they stopped: size once all is converted. Start
** with *at = 0 and *state = 0; pass both unchanged to the next call, with the same in and size.
** room is at least UTF8_LEGACY_ROOM: each call then makes progress, and how the text is cut into
** calls does not change the result. A call may overwrite all of out[0..room). */
#define UTF8_LEGACY_ROOM 64

/* Decodes a legacy charset to well-formed UTF-8, as the WHATWG Encoding Standard's decoders do:
** each error becomes one U+FFFD, an ASCII byte that breaks a sequence off is decoded on its own,
** and a sequence that the end cuts short is one error. In single-byte charsets, undefined bytes
** become U+FFFD. */
size_t utf8charset_decode_legacy(Utf8Charset charset, unsigned *state,
                                 const uint8_t *in, size_t size, size_t *at,
                                 uint8_t *out, size_t room);

/* Like utf8charset_decode_legacy(), but stops at the first boundary at or after until, which is at
** most size. What starts before until is read to its end, up to size. */
size_t utf8charset_decode_until(Utf8Charset charset, unsigned *state, const uint8_t *in,
                                size_t size, size_t until, size_t *at, uint8_t *out,
                                size_t room);

/* The most bytes that what starts before until can take. */
#define UTF8_LEGACY_LOOKAHEAD 16

/* Encodes well-formed UTF-8 in a legacy charset, as the standard's encoders do. Stops before a
** code point that the charset lacks: then a call writes nothing and leaves *at, below size,
** at it. Where two bytes of a single-byte charset share a code point, writes the lower one.
** Once *at is size, utf8charset_finish_legacy() writes what may be missing at the end. */
size_t utf8charset_encode_legacy(Utf8Charset charset, unsigned *state,
                                 const uint8_t *in, size_t size, size_t *at,
                                 uint8_t *out, size_t room);

/* Ends an encoded text: writes the return to ASCII if *state is not ASCII, such as iso-2022-jp's
** ESC ( B, and sets *state to 0. Returns the number of bytes written, at most UTF8_LEGACY_FINISH;
** 0 for charsets without states. */
#define UTF8_LEGACY_FINISH 16
size_t utf8charset_finish_legacy(Utf8Charset charset, unsigned *state, uint8_t *out);

/* Returns how often in[at..end) of utf-7, which has been decoded from this state, has U+FFFD itself. */
uint64_t utf8charset_own_in_utf7(unsigned state, const uint8_t *in, size_t size,
                                 size_t at, size_t end);

/* ---- code points of legacy charsets ----------------------------------------------------- */

/* Returns the code point of a byte in a single-byte charset, or U+FFFD if it is undefined. */
uint32_t utf8charset_code_of_byte(Utf8Charset charset, uint8_t byte);

/* Returns the byte of a code point in a single-byte charset, or -1 if the charset lacks it. */
int utf8charset_byte_of_code(Utf8Charset charset, uint32_t codepoint);

/* Is the charset of the kind UTF8_KIND_SINGLE_BYTE, ASCII with 128 code points above it? */
int utf8charset_extends_ascii(Utf8Charset charset);

/* Returns the code points of 80..FF, U+FFFD where undefined, in a charset that extends ASCII. */
const uint16_t *utf8charset_high(Utf8Charset charset);

/* Is the charset of the kind SINGLE_BYTE or SINGLE_BYTE_OTHER? */
int utf8charset_is_single_byte(Utf8Charset charset);

/* Stores the code points that start in in[*at..until), at most room of them, and returns their
** number. Stops after the first error, which it stores as BYTES_FFFD. Moves *at past what it
** read. The charset is a multi-byte one without states.
**
** UTF8_LEGACY_FOUR is added to a code point that took four bytes. Four double-byte codes of big5 stand for
** two code points each, which are stored as one number above 10FFFF. */
#define UTF8_LEGACY_FOUR 0x80000000u
size_t utf8charset_read_codes(Utf8Charset charset, const uint8_t *in, size_t size,
                              size_t *at, size_t until, uint32_t *codes, size_t room);

#endif
