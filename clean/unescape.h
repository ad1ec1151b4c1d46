/* clean/unescape.h: the kinds of escapes that utf8_unescape decodes.
**
**     X(id, "name", "aliases")
*/
#ifndef UTF8_CLEAN_UNESCAPE_H
#define UTF8_CLEAN_UNESCAPE_H

#include "core/utf8form.h"

typedef enum Utf8EscapeKind {
  UTF8_ESCAPE_HTML,
  UTF8_ESCAPE_MIME,
  UTF8_ESCAPE_QUOTED,
  UTF8_ESCAPE_URL,
  UTF8_ESCAPE_JSON,
  UTF8_ESCAPE_SURROGATES
} Utf8EscapeKind;

#define UTF8_ESCAPE_LIST(X)                                                            \
  X(UTF8_ESCAPE_HTML, "html", "")                                                      \
  X(UTF8_ESCAPE_MIME, "mime", "")                                                      \
  X(UTF8_ESCAPE_QUOTED, "quoted-printable", "")                                        \
  X(UTF8_ESCAPE_URL, "url", "")                                                        \
  X(UTF8_ESCAPE_JSON, "json", "")                                                      \
  X(UTF8_ESCAPE_SURROGATES, "surrogateescape", "")

/* Returns the offset of the first byte of text[0..size) that may start an escape of the kind, or size. */
size_t utf8clean_find_escape(Utf8EscapeKind kind, const uint8_t *text, size_t size);

/* Calls the function of utf8form.h that decodes the kind. *mime is its state, 0 before the first call; only
** UTF8_ESCAPE_MIME reads it. */
size_t utf8clean_unescape(Utf8EscapeKind kind, Utf8Mime *mime, const uint8_t *text,
                          size_t size, size_t *at, uint8_t *out, size_t room);

#endif
