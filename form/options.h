/* form/options.h: names that arguments of functions accept, one row for each, and what they mean.
** charset/names.h has the dialects and the policies.
**
**     X(id, "name", "aliases")
*/
#ifndef UTF8_FORM_OPTIONS_H
#define UTF8_FORM_OPTIONS_H

#include "utf8core.h"

/* What utf8_to() writes for a character that the charset lacks. */
typedef enum Utf8Loss {
  UTF8_LOSS_CLOSEST,
  UTF8_LOSS_XML,
  UTF8_LOSS_IGNORE,
  UTF8_LOSS_REPLACE
} Utf8Loss;

#define UTF8_LOSS_LIST(X)                                                              \
  X(UTF8_LOSS_CLOSEST, "closest", "")                                                  \
  X(UTF8_LOSS_XML, "xml", "")                                                          \
  X(UTF8_LOSS_IGNORE, "ignore", "")                                                    \
  X(UTF8_LOSS_REPLACE, "replace", "")

/* What utf8_unescape decodes. */
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

/* Normalization forms. */
#define UTF8_NORMAL_FORM_LIST(X)                                                       \
  X(UTF8_NFC, "nfc", "")                                                               \
  X(UTF8_NFD, "nfd", "")                                                               \
  X(UTF8_NFKC, "nfkc", "")                                                             \
  X(UTF8_NFKD, "nfkd", "")                                                             \
  X(UTF8_NFKC_CASEFOLD, "nfkc_casefold", "")

/* What a list of the function's accepted names calls some arguments. */
#define UTF8_SINGLE_BYTE_ACCEPTED                                                      \
  "a single-byte charset that extends ASCII: windows-1252, iso-8859-1, cp437, ..."

/* Does the policy of utf8_repair write a replacement? */
static inline int utf8form_takes_replacement(Utf8PolicyId policy) {
  return policy <= UTF8_POLICY_TRIM;
}

#endif
