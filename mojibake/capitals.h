/* mojibake/capitals.h: a capital letter and a sign or a lost byte beside it, clean or misread. */
#ifndef UTF8_MOJIBAKE_CAPITALS_H
#define UTF8_MOJIBAKE_CAPITALS_H

#include "mojibake/run.h"

/* May the run, whose first decoded code point is `code`, be clean: the end or the start of a word in
** capitals beside a dash, a quote or another sign, as in "KENTTÄ–ARVO", "СССР–США" and "КОЛЬОРІВ»"? Returns 0
** for a run of more than two sequences. */
int utf8mojibake_is_beside_capitals(const RunReader *r, const Run *run, uint32_t code);

/* Is the run, which lost a byte, a capital letter inside a word of small ones, as in "SlovenÄ" U+FFFD "ina"?
** Returns 1 if a byte that the charset leaves undefined makes it a letter with which the word is likelier. */
int utf8mojibake_is_lost_letter(const RunReader *r, const Run *run, unsigned charset);

#endif
