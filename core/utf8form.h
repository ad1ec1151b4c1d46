/* core/utf8form.h: escaped text decoded, text without accents, and the steps of utf8_clean, as C functions.
**
**     size_t at = 0, n = utf8form_unescape_html(text, size, &at, out, room);
**     // "caf&eacute; &#8364;" gives "café €"; at is size
**
** What utf8core.h says of text, units, NULL, memory and threads holds here too. docs/form.md has
** the code points of each step.
**
** Most functions copy text[*at..size) to out[0..room), changed, until the text ends or out is full.
** They return the number of bytes written, and set *at to where they stopped. Start with *at = 0,
** call until *at is size, and append what each call wrote. room is at least UTF8_FORM_ROOM: each
** call then makes progress. How the text is cut into calls does not change the result. A call may
** overwrite all of out[0..room). No function fails.
*/
#ifndef UTF8FORM_H
#define UTF8FORM_H

#include "utf8core.h"

#ifdef __cplusplus
extern "C" {
#endif

#define UTF8_FORM_ROOM 128

/* ---- escaped text: clean/unescape.c, clean/mime.c ----------------------------------------- */

/* Replaces the character references of HTML, once: "&amp;lt;" gives "&lt;". Follows WHATWG HTML
** §13.2.5.72 to 80 for text: the longest name wins, 106 names need no semicolon, and a number that
** is not a scalar value is U+FFFD. A number of 80..9F means a byte of windows-1252. The text may be
** ill-formed. The result is not longer than the text. */
size_t utf8form_unescape_html(const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room);

/* Decodes %XX (RFC 3986 §2.1) where the bytes are well-formed UTF-8. Other escapes are kept, and so is '+'. The
** result is not longer than the text. */
size_t utf8form_unescape_url(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                             size_t room);

/* Decodes the escapes of a JSON string (RFC 8259 §7), without its quotes. A lone surrogate is kept, and so
** is a backslash that starts no escape. The result is not longer than the text. */
size_t utf8form_unescape_json(const uint8_t *text, size_t size, size_t *at,
                              uint8_t *out, size_t room);

/* Writes the byte XX for each U+DCXX from U+DC80 to U+DCFF, three bytes from ED B2 80 to ED B3 BF, which is how
** Python's surrogateescape (PEP 383) reads a byte that is not UTF-8. A surrogate of a pair is kept. The result is
** not longer than the text. */
size_t utf8form_unescape_surrogates(const uint8_t *text, size_t size, size_t *at,
                                    uint8_t *out, size_t room);

/* Decodes quoted-printable (RFC 2045 §6.7). The result is bytes in the charset that the mail names.
** An '=' that starts no code is kept, as by Python's quopri. The result is not longer than the text. */
size_t utf8form_unescape_quoted(const uint8_t *text, size_t size, size_t *at,
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

/* A text whose words are being decoded. Set it to 0 before the first call; all of it is private. */
#define UTF8_MIME_BYTES 256
typedef struct Utf8Mime {
  Utf8MimeWord word; /* next is 0 outside of a word */
  size_t searched;   /* where the search for the end of a word stopped */
  size_t unknown;    /* where the last name of an unknown charset is */
  size_t unknown_size;
  size_t count; /* of bytes[] */
  int is_open;  /* the last word may continue in the next one */
  Utf8Conversion conversion;
  uint8_t bytes[UTF8_MIME_BYTES]; /* of the word, in its charset */
} Utf8Mime;

/* Decodes the encoded words of a mail's header (RFC 2047, RFC 2231 §5) from their charsets, and
** copies everything else. A word of an unknown charset is kept. Blanks between two words are dropped, and
** words of one charset are decoded as one text, since some mailers cut characters. What is encoded
** becomes well-formed UTF-8, as by utf8core_decode(). */
size_t utf8form_unescape_mime(Utf8Mime *mime, const uint8_t *text, size_t size,
                              size_t *at, uint8_t *out, size_t room);

/* ---- text without accents: form/unaccent.c ------------------------------------------------ */

/* Drops accents, and replaces Latin letters without a decomposition: "Ørsted, Łódź" gives "Orsted,
** Lodz" (docs/functions.md#utf8_unaccent). The text may be ill-formed; such bytes are copied. *letter is the
** state: 0 before the first call. The result may be longer than the text. */
size_t utf8form_unaccent(uint32_t *letter, const uint8_t *text, size_t size, size_t *at,
                         uint8_t *out, size_t room);

/* Returns the first place of text[at..until) that utf8form_unaccent() changes, or else the first
** boundary at or after until. *letter is the state at the place, for either function. */
size_t utf8form_find_accent(uint32_t *letter, const uint8_t *text, size_t size,
                            size_t at, size_t until);

/* ---- comparing: form/collate.c ------------------------------------------------------------- */

typedef enum Utf8Collation { UTF8_NOCASE, UTF8_NOACCENT } Utf8Collation;

/* Compares two texts by their keys, byte by byte: below 0, 0 or above 0. The key of UTF8_NOCASE is NFC of the
** text's NFD with case folded; under UTF8_NOACCENT, accents are dropped before that. Ill-formed bytes
** belong to the key. So this is a total order of all texts. Of a letter with more than 512 bytes of marks,
** the marks after these are compared apart. */
int utf8form_compare(Utf8Collation collation, const uint8_t *a, size_t a_size,
                     const uint8_t *b, size_t b_size);

/* ---- the steps of utf8_clean: clean/clean.c ----------------------------------------------- */

/* In the order in which they are applied, with their names. */
#define UTF8_CLEAN_LIST(X)                                                             \
  X(REPAIR, "repair")                                                                  \
  X(JSON, "json")                                                                      \
  X(HTML, "html")                                                                      \
  X(URL, "url")                                                                        \
  X(MOJIBAKE, "mojibake")                                                              \
  X(ESCAPES, "escapes")                                                                \
  X(LINES, "lines")                                                                    \
  X(LIGATURES, "ligatures")                                                            \
  X(WIDTH, "width")                                                                    \
  X(QUOTES, "quotes")                                                                  \
  X(CONTROLS, "controls")                                                              \
  X(INVISIBLE, "invisible")                                                            \
  X(NFC, "nfc")                                                                        \
  X(NFKC, "nfkc")                                                                      \
  X(TRIM, "trim")

#define UTF8_CLEAN_ENUMERATOR(id, name) UTF8_CLEAN_##id,

typedef enum Utf8CleanStep {
  UTF8_CLEAN_LIST(UTF8_CLEAN_ENUMERATOR)
  /* part of "ftfy": the code points that ftfy removes in addition to those of CONTROLS */
  UTF8_CLEAN_FTFY,
  UTF8_CLEAN_STEPS
} Utf8CleanStep;

/* A set of steps: the sum of their UTF8_CLEAN_BIT(). */
#define UTF8_CLEAN_BIT(step) (1u << (step))
#define UTF8_CLEAN_DEFAULT                                                             \
  (UTF8_CLEAN_BIT(UTF8_CLEAN_REPAIR) | UTF8_CLEAN_BIT(UTF8_CLEAN_MOJIBAKE) |           \
   UTF8_CLEAN_BIT(UTF8_CLEAN_NFC))

/* How often utf8_clean applies the steps at most: again while they change the text. */
#define UTF8_CLEAN_PASSES 64

/* Returns the set of steps that a list names, such as "repair, NFC"; "ftfy" stands for several.
** Returns 0 for an empty list, an unknown name, a step that is named twice, and nfc with nfkc.
** Case is ignored, and spaces around a name. */
unsigned utf8form_clean_steps(const char *list, size_t size);

/* The names with ", " between them, for messages. */
extern const char *const utf8form_clean_names;

/* For all that follows, text is well-formed UTF-8: repair it first, with utf8core_repair(). NFC and
** NFKC are utf8core_normalize(). */

/* Returns those of the steps that may change the text; all others leave it as it is. With HTML, the
** result has the bit UTF8_CLEAN_HAS_TAG if there is a '<': utf8_clean then leaves HTML out. The text
** may be a part of a longer one: the results for the parts of a text, combined by |, have the steps
** that it needs. */
#define UTF8_CLEAN_HAS_TAG UTF8_CLEAN_BIT(UTF8_CLEAN_STEPS)
unsigned utf8form_clean_needed(unsigned steps, const uint8_t *text, size_t size);

/* The next two functions are for JSON and the steps after it, except MOJIBAKE, NFC, NFKC and TRIM. */

/* Returns the first place of text[at..until) that the step changes, or until. at <= until <= size. */
size_t utf8form_clean_find(Utf8CleanStep step, const uint8_t *text, size_t size,
                           size_t at, size_t until);

/* Copies the text, changed by the step. *at may also start as the result of utf8form_clean_find(), if
** you have copied what is before. */
size_t utf8form_clean(Utf8CleanStep step, const uint8_t *text, size_t size, size_t *at,
                      uint8_t *out, size_t room);

/* Copies the text with misread text in it restored: MOJIBAKE (docs/detection.md). room is at least
** UTF8_CLEAN_MOJIBAKE_ROOM. Of lines of more than 512 bytes, some may need a second call for the
** result: repeat while it changes. */
#define UTF8_CLEAN_MOJIBAKE_ROOM 4096
size_t utf8form_clean_mojibake(const uint8_t *text, size_t size, size_t *at,
                               uint8_t *out, size_t room);

/* Stores in *from and *end what is left of the text without the white space at both ends: TRIM. */
void utf8form_trim(const uint8_t *text, size_t size, size_t *from, size_t *end);

#ifdef __cplusplus
}
#endif

#endif
