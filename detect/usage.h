/* detect/usage.h: what people use: some charsets hardly ever. */
#ifndef UTF8_DETECT_USAGE_H
#define UTF8_DETECT_USAGE_H

#include "detect/model.h"

/* Returns the bits that speak against a charset because few texts are in it. */
unsigned utf8detect_usage_few_bits(Utf8Charset charset);

/* Returns the bits that speak against the charset, of this script, as that of text that was pasted into text of these
** scripts: bit n is the script n. */
unsigned utf8detect_usage_pasted_bits(uint64_t scripts, Utf8Charset charset,
                                      unsigned script);

/* Returns the bits that ’s in a long text speaks for a charset of Windows, which has U+2019 at 92. */
unsigned utf8detect_usage_apostrophe_bits(const Utf8BigramList *bigrams);

/* Is the charset one of Western Europe? */
int utf8detect_usage_is_western(Utf8Charset charset);

#endif
