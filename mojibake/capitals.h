/* mojibake/capitals.h: clean text that looks misread: a capital letter and a sign beside it. */
#ifndef UTF8_MOJIBAKE_CAPITALS_H
#define UTF8_MOJIBAKE_CAPITALS_H

#include "mojibake/run.h"

/* May the run, whose only decoded code point is `code`, be clean: the end or the start of a word in
** capitals beside a dash, a quote or another sign, as in "KENTTÄ–ARVO" and "СССР–США"? Returns 0
** for a run of several sequences. */
int utf8mojibake_is_beside_capitals(const RunReader *r, const Run *run, uint32_t code);

#endif
