/* detect/usage.h: what people use: signs of windows-1252 in other text, and rare charsets hardly
** ever.
*/
#ifndef UTF8_DETECT_USAGE_H
#define UTF8_DETECT_USAGE_H

#include "detect/model.h"

/* Do the pairs have nothing beyond ASCII but signs of windows-1252, where such signs stand? Prices,
** measures and quotes are: other charsets have rare letters at these bytes. */
int utf8detect_usage_has_signs_only(const Utf8PairList *pairs);

/* Like utf8detect_usage_has_signs_only(), also for few pairs, which show nothing on their own. */
int utf8detect_usage_are_signs(const Utf8PairList *pairs);

/* Like utf8detect_usage_are_signs(), but as the charset has these signs. */
int utf8detect_usage_are_signs_in(const Utf8PairList *pairs, Utf8Charset charset);

/* Returns how many pairs have a sign of the charset beside a letter: a sign of words, as in ¿Qué, or one that may be
** a letter of another charset. Measures, as in m², are neither. */
size_t utf8detect_usage_beside_letters(const Utf8PairList *pairs, Utf8Charset charset,
                                       int isOfWord);

/* Does hardly anyone use the charset, and do the pairs not show otherwise? They do if there are
** several different ones, or a letter that no commoner charset has. */
int utf8detect_usage_is_unlikely(const Utf8PairList *pairs, Utf8Charset charset);

/* Returns the bits that speak against a charset because few texts are in it. */
unsigned utf8detect_usage_few_bits(Utf8Charset charset);

/* Returns the bits that speak against the charset, of this script, as that of pasted text. */
unsigned utf8detect_usage_pasted_bits(const Utf8Surroundings *around,
                                      Utf8Charset charset, unsigned script);

/* Returns the bits that ’s in a long text speaks for a charset of Windows, which has U+2019 at 92. */
unsigned utf8detect_usage_apostrophe_bits(const Utf8PairList *pairs);

/* Is the charset one of Western Europe? */
int utf8detect_usage_is_western(Utf8Charset charset);

#endif
