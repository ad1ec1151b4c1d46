/* form/unescape.h: the character references of HTML.
**
**     size_t at = 0, n = utf8form_unescape_html(text, size, &at, out, room);
**     // "caf&eacute; &#8364;" gives "café €"; at is size
**
** As in utf8core.h, nothing is allocated, and all functions are thread-safe.
*/
#ifndef UTF8_FORM_UNESCAPE_H
#define UTF8_FORM_UNESCAPE_H

#include "form/edit.h"

/* Returns what replaces the character reference at p[0..size), which starts with '&'; length is 0
** if there is none. Follows WHATWG HTML §13.2.5.72 ff. for text: the longest name wins, 106 names
** need no semicolon, and a number that is not a scalar value is U+FFFD. A number of 80..9F means
** a byte of windows-1252. With `closed`, only a reference that ends in a semicolon counts. */
Utf8Edit utf8form_html_reference(const uint8_t *p, size_t size, int closed);

/* Copies text[*at..size) to out[0..room) with its references replaced, until the text ends or out
** is full. Returns the number of bytes written, and sets *at to where it stopped: size once all is
** done. A replacement is not read again: "&amp;lt;" gives "&lt;". Ill-formed bytes are copied.
**
** Start with *at = 0, call until *at is size, and append what each call wrote. room is at least
** UTF8_UNESCAPE_ROOM: each call then makes progress, and how the text is cut into calls does not
** change the result. */
#define UTF8_UNESCAPE_ROOM 64
size_t utf8form_unescape_html(const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room);

#endif
