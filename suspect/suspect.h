/* suspect/suspect.h: finds, counts and removes code points that are well-formed but suspicious:
** NUL, control characters, invisible characters, mojibake. docs/functions.md lists them.
**
** Text is well-formed UTF-8. As in utf8core.h, nothing is allocated, nothing outside of the
** text is read, and all functions are thread-safe. Some code points are suspicious only
** beside certain others, so `text` is always the whole text, and *at is where to resume.
**
**     size_t at = 0;
**     Utf8SuspectFound found;
**     if (utf8suspect_find(text, size, &at, size, &found))
**       puts(utf8suspect_kind_name(found.kind));
*/
#ifndef UTF8_SUSPECT_SUSPECT_H
#define UTF8_SUSPECT_SUSPECT_H

#include <stddef.h>
#include <stdint.h>

/* The kind of a code point, or of a place. */
typedef enum Utf8SuspectKind {
  UTF8_SUSPECT_NONE, /* not suspicious; 0 */
  UTF8_SUSPECT_NUL,
  UTF8_SUSPECT_CONTROL, /* C0 except NUL, TAB, LF and CR; DEL; C1 */
  UTF8_SUSPECT_BOM,     /* U+FEFF at the start */
  UTF8_SUSPECT_REPLACEMENT,
  UTF8_SUSPECT_NONCHARACTER,
  UTF8_SUSPECT_BIDI,      /* U+202A..202E and U+2066..2069 */
  UTF8_SUSPECT_INVISIBLE, /* tool/suspect.py lists them; four depend on their neighbours */
  UTF8_SUSPECT_MOJIBAKE, /* mojibake/mojibake.h */
  UTF8_SUSPECT_KINDS
} Utf8SuspectKind;

/* The names of the kinds, and spellings without a space. */
#define UTF8_SUSPECT_LIST(X)                                                           \
  X(UTF8_SUSPECT_NUL, "nul", "")                                                       \
  X(UTF8_SUSPECT_CONTROL, "control", "")                                               \
  X(UTF8_SUSPECT_BOM, "bom", "")                                                       \
  X(UTF8_SUSPECT_REPLACEMENT, "replacement character", "replacementcharacter")         \
  X(UTF8_SUSPECT_NONCHARACTER, "noncharacter", "")                                     \
  X(UTF8_SUSPECT_BIDI, "bidi control", "bidicontrol")                                  \
  X(UTF8_SUSPECT_INVISIBLE, "invisible", "")                                           \
  X(UTF8_SUSPECT_MOJIBAKE, "mojibake", "")

/* Returns the function of SQL that removes this kind if utf8_strip() does not; else NULL. */
static inline const char *utf8suspect_other_strip(int kind) {
  if (kind == UTF8_SUSPECT_BOM) return "utf8_strip_bom(X)";
  return kind == UTF8_SUSPECT_MOJIBAKE ? "utf8_demojibake(X)" : NULL;
}

static inline int utf8suspect_is_stripped(int kind) {
  return utf8suspect_other_strip(kind) == NULL;
}

/* Returns the kind's name, a constant that is never freed. NULL for UTF8_SUSPECT_NONE. `kind` is
** below UTF8_SUSPECT_KINDS. */
const char *utf8suspect_kind_name(Utf8SuspectKind kind);

/* Returns the kind of the code point at `at`, a boundary below size. Reads its neighbours,
** at most 40 bytes on each side. Never returns UTF8_SUSPECT_MOJIBAKE. */
Utf8SuspectKind utf8suspect_kind_at(const uint8_t *text, size_t size, size_t at);

/* The first suspicious place of a text. */
typedef struct Utf8SuspectFound {
  Utf8SuspectKind kind;
  size_t offset;
  int charset; /* of UTF8_SUSPECT_MOJIBAKE: see utf8mojibake_charset_name(); else -1 */
} Utf8SuspectFound;

/* Finds the first suspicious code point or misread run, and returns 1. At equal offsets, the
** code point's kind wins. Returns 0 if there is none before `until`, and sets *at to where
** to resume, which may be after `until`.
**
** Start with *at = 0, and pass until = size to search the whole text. Pass until < size only
** to process a long text in chunks: the result is the same. After the result 1 the search
** is over: *at means nothing. */
int utf8suspect_find(const uint8_t *text, size_t size, size_t *at, size_t until,
                     Utf8SuspectFound *found);

/* Returns where the first code point of the kind starts in text[at..until), or until if there is
** none. Never finds UTF8_SUSPECT_NONE and UTF8_SUSPECT_MOJIBAKE. */
size_t utf8suspect_find_kind(Utf8SuspectKind kind, const uint8_t *text, size_t size,
                             size_t at, size_t until);

/* Returns how many code points of the kind, or how many misread runs, start in
** text[*at..until), and sets *at to where to resume, which may be after `until`: what lies
** between is counted too. Start with *at = 0; the sum over all calls is the number in the whole
** text, however it is cut into calls. The sum is more than 0 for the kind that
** utf8suspect_find() reports. */
uint64_t utf8suspect_count(Utf8SuspectKind kind, const uint8_t *text, size_t size,
                           size_t *at, size_t until);

/* Copies text[*at..size) to out[0..room) without the code points of the kind, until the text
** ends or out is full. Returns the number of bytes written, and sets *at to the boundary where
** it stopped: size once all is done. A code point's neighbours in `text` decide its kind. No
** code point of the result has this kind, except that a second U+FEFF at the start becomes the
** first. Copies all for UTF8_SUSPECT_NONE and UTF8_SUSPECT_MOJIBAKE.
**
** Start with *at = 0, or with the result of utf8suspect_find_kind() if you have copied what is
** before; call until *at is size, and append what each call wrote. room is at least
** UTF8_SUSPECT_ROOM: each call then makes progress. How the text is cut into calls does not
** change the result. */
#define UTF8_SUSPECT_ROOM 64
size_t utf8suspect_strip(Utf8SuspectKind kind, const uint8_t *text, size_t size,
                         size_t *at, uint8_t *out, size_t room);

#endif
