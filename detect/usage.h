/* detect/usage.h: what people use: some charsets hardly ever. */
#ifndef UTF8_DETECT_USAGE_H
#define UTF8_DETECT_USAGE_H

#include "detect/model.h"

/* Does hardly anyone use the charset, and do the bigrams not show otherwise? They do if there are
** several different ones, or a letter that no commoner charset has. */
int utf8detect_usage_is_unlikely(const Utf8BigramList *bigrams, Utf8Charset charset);

/* Returns the bits that speak against a charset because few texts are in it. */
unsigned utf8detect_usage_few_bits(Utf8Charset charset);

/* Returns the bits that speak against the charset, of this script, as that of pasted text. */
unsigned utf8detect_usage_pasted_bits(const Utf8Surroundings *around,
                                      Utf8Charset charset, unsigned script);

/* Returns the bits that ’s in a long text speaks for a charset of Windows, which has U+2019 at 92. */
unsigned utf8detect_usage_apostrophe_bits(const Utf8BigramList *bigrams);

/* Is the charset one of Western Europe? */
int utf8detect_usage_is_western(Utf8Charset charset);

#endif
