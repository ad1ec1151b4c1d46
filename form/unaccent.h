/* form/unaccent.h: a code point without accents, for form/collate.c. */
#ifndef UTF8_FORM_UNACCENT_H
#define UTF8_FORM_UNACCENT_H

#include <stddef.h>
#include <stdint.h>

#define UTF8_UNACCENT_SAME SIZE_MAX

/* Writes a code point beyond ASCII without its accents to out, which has UTF8_FORM_ROOM bytes. Returns the
** number of bytes, or UTF8_UNACCENT_SAME if it does not change. Updates *letter, the letter that a mark
** belongs to; 0 if there is none. */
size_t utf8form_unaccent_code(uint32_t *letter, uint32_t code, uint8_t *out);

#endif
