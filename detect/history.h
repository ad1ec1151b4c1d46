/* detect/history.h: histories, which are what may have happened to a text: it was encoded in a legacy charset and never
** converted, or it was UTF-8 and lost bytes, or text of another charset was pasted into UTF-8.
*/
#ifndef UTF8_DETECT_HISTORY_H
#define UTF8_DETECT_HISTORY_H

#include "detect/model.h"

/* The histories: the single-byte charsets of detect_charsets, the multi-byte ones, UTF-8 with damage,
** UTF-8 with pasted text. */
enum {
  UTF8_HISTORY_ASIAN = UTF8_ALPHABET_CHARSETS,
  UTF8_HISTORY_DAMAGED = UTF8_HISTORY_ASIAN + UTF8_ASIAN_CHARSETS,
  UTF8_HISTORY_PASTED,
  UTF8_HISTORIES
};

/* The languages of the model, then Chinese, simplified and traditional, Japanese and Korean. */
#define UTF8_LANGUAGES (UTF8_MODEL_LANGUAGES + 4)

/* Returns the tag of a language by BCP 47, or NULL for UTF8_LANGUAGES. */
const char *utf8detect_language_tag(unsigned language);

/* The histories with each of their languages. */
#define UTF8_LIKELIHOODS 777

/* Returns a bit for each language in which text can be that has the history. */
uint64_t utf8detect_history_languages(size_t history);

/* Returns the index in Utf8Likelihood.cost of a history in its first language; UTF8_LIKELIHOODS for UTF8_HISTORIES. */
size_t utf8detect_history_first(size_t history);

/* Returns the charset of a history: UTF8_CHARSET_UTF8 for UTF-8 with damage or pasted text. */
Utf8Charset utf8detect_history_charset(size_t history);

/* Returns the history of text in a charset; UTF8_HISTORY_DAMAGED if that is not one of the legacy charsets. */
size_t utf8detect_history_of(Utf8Charset charset);

/* Returns how many bits speak against a multi-byte charset, at this place of Utf8AsianEvidence, since it is rare. */
unsigned utf8detect_asian_bits(size_t place);

/* May utf8_detect name the charset of the history? Other charsets are compared too, so that text in them is not taken
** for text in one that may be named. */
int utf8detect_history_is_named(size_t history);

/* Returns the cost of a history for being rare in the world; 0 for multi-byte charsets, whose likelihood has
** utf8detect_asian_bits(). */
uint32_t utf8detect_world_cost(size_t history);

/* Returns a bit for each language that is of Western Europe, if the charset of the history is of another region; and
** what that costs. */
uint64_t utf8detect_away_languages(size_t history);
#define UTF8_AWAY_COST (4 * UTF8_MODEL_UNIT)

#endif
