/* form/mime.h: text as mail writes it: encoded words (RFC 2047) and quoted-printable (RFC 2045). */
#ifndef UTF8_FORM_MIME_H
#define UTF8_FORM_MIME_H

#include "form/edit.h"
#include "utf8core.h"

/* Copies text[*at..size) to out[0..room) with quoted-printable decoded, like
** utf8form_unescape_html(). An '=' that starts no code is kept, as by Python's quopri. */
size_t utf8form_decode_quoted(const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room);

/* An encoded word, =?charset?B?text?= or =?charset?Q?text?=. */
typedef struct Utf8MimeWord {
  Utf8Charset charset;
  int is_base64;
  size_t at, end;     /* of what is encoded */
  size_t next;        /* after the word */
  uint32_t bits;      /* of base64, not written yet */
  unsigned bit_count; /* how many */
} Utf8MimeWord;

/* Reads the encoded word that starts at text[at..), which are "=?". Returns 0 if it is none, or if
** its charset is unknown. *end is kept between calls with rising `at`, and starts as 0: it is where
** the search for the end of a word stopped. */
int utf8form_read_word(const uint8_t *text, size_t size, size_t at, size_t *end,
                       Utf8MimeWord *word);

/* Stores the next bytes of the word in its charset, at most room, and moves word->at. Returns their
** number, 0 at the end. */
size_t utf8form_word_bytes(const uint8_t *text, Utf8MimeWord *word, uint8_t *out,
                           size_t room);

#endif
