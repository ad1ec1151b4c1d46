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

/* Returns how many pairs have a byte above 7F and another one, or an ASCII letter. */
size_t utf8detect_usage_beside_letters(const Utf8PairList *pairs);

/* Does hardly anyone use the charset, and do the pairs not show otherwise? They do if there are
** several different ones, or a letter that no commoner charset has. */
int utf8detect_usage_is_unlikely(const Utf8PairList *pairs, Utf8Charset charset);

/* Returns the bits that speak against the charset, of this script, as a cause. */
unsigned utf8detect_usage_bits(const Utf8Surroundings *around, Utf8Charset charset,
                               unsigned script);

/* Returns the bits that ’s in a long text speaks for a charset of Windows: the counted text has too little
** of it. 0 if around is NULL. */
unsigned utf8detect_usage_apostrophe_bits(const Utf8Surroundings *around);

/* Is the text in a language that the model does not have? cost is that of its ASCII letters in the
** language that they fit best. Returns 0 if around is NULL. */
int utf8detect_usage_is_strange(const Utf8Surroundings *around, uint64_t cost);

/* Is the charset one of Western Europe? */
int utf8detect_usage_is_western(Utf8Charset charset);

#endif
