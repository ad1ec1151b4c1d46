/* detect/signs.h: text that has nothing beyond ASCII but signs, or letters in numbers. It shows no language, and the
** counted text has little of it.
*/
#ifndef UTF8_DETECT_SIGNS_H
#define UTF8_DETECT_SIGNS_H

#include "detect/model.h"

/* May some charset read the bigrams as signs, or as letters of numbers? */
int utf8detect_may_be_signs(const Utf8BigramList *bigrams);

/* Do the bigrams have nothing beyond ASCII but signs of the charset, where such signs stand? Prices, measures and quotes
** are: other charsets have rare letters at these bytes. */
int utf8detect_are_signs_in(const Utf8BigramList *bigrams, Utf8Charset charset);

/* Returns how many bigrams have a sign of the charset beside a letter: a sign of words, as in ¿Qué, or one that may
** be a letter of another charset. Measures, as in m², are neither. */
size_t utf8detect_signs_beside_letters(const Utf8BigramList *bigrams,
                                       Utf8Charset charset, int isOfWord);

/* Does each byte above 7F stand between a number and something that is neither a letter nor a number? */
int utf8detect_end_numbers(const Utf8BigramList *bigrams);

/* Is all that the text has beyond ASCII, as the charset reads it, signs such as ½ and ª? They stand after numbers,
** and at their bytes no common charset has a letter that does. */
int utf8detect_are_signs_of_numbers(const Utf8BigramList *bigrams, Utf8Charset charset);

/* Returns the bits of the text if all that it has beyond ASCII are letters of the charset after numbers, as in 14б;
** else 0. The counted text has hardly any of these. */
unsigned utf8detect_number_letters(const Utf8BigramList *bigrams, Utf8Charset charset);

#endif
