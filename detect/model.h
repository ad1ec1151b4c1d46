/* detect/model.h: how plausible bytes are as text in a legacy charset, and as damaged UTF-8.
**
**     Utf8Evidence *e = malloc(sizeof *e);
**     utf8detect_begin(e);
**     utf8detect_add(e, (const uint8_t *)"\xcf\xf0\xe8\xe2\xe5\xf2", 6, 0, 6);
**     utf8detect_charset(e); // UTF8_CHARSET_WINDOWS1251
**
** Evidence is gathered from any number of values, in any order: it consists of sums. Nothing is
** allocated, and nothing is shared between threads.
*/
#ifndef UTF8_DETECT_MODEL_H
#define UTF8_DETECT_MODEL_H

#include "detect/damage.h"
#include "detect/trigrams.h"

/* Costs are in bits of information, times UTF8_MODEL_UNIT. */
#define UTF8_MODEL_UNIT 8

/* Returns the lesser of two costs. */
static inline uint64_t utf8detect_lesser(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* The languages that are written in letters. */
#define UTF8_MODEL_LANGUAGES 41

/* The single-byte charsets that are compared. */
#define UTF8_ALPHABET_CHARSETS 76

/* gbk, big5, euc-jp, shift_jis, euc-kr; johab and euc-tw, which are rare: they may be an answer, but
** not a cause */
#define UTF8_ASIAN_CHARSETS 7
#define UTF8_ASIAN_CAUSES   5

/* What reading in a multi-byte charset has cost. */
typedef struct Utf8AsianSum {
  uint64_t cost;   /* of all values but the broken ones, in the model's unit */
  uint64_t broken; /* how many values have too many errors */
  size_t at; /* in the value that is being added: where its next code point starts */
  uint64_t value_cost;
  uint8_t previous;  /* the class of the code point before */
  uint8_t half;      /* its number, if it is a half-width kana */
  uint8_t is_broken; /* the value has too many errors */
  size_t codes;      /* its characters beyond ASCII */
  size_t errors;     /* a character that was cut is none */
} Utf8AsianSum;

/* Evidence about the multi-byte charsets. */
typedef struct Utf8AsianEvidence {
  uint64_t values;     /* how many were added */
  uint64_t four_bytes; /* four-byte codes of gb18030 */
  Utf8AsianSum sum[UTF8_ASIAN_CHARSETS];
} Utf8AsianEvidence;

/* About 150 KB. */
typedef struct Utf8Evidence {
  Utf8AsianEvidence asian;
  Utf8Damage damage;
  Utf8BigramCounts bigrams;
  Utf8Trigrams trigrams; /* of a single value */
} Utf8Evidence;

void utf8detect_begin(Utf8Evidence *evidence);

/* Adds bytes[at..until) of a value, bytes[0..size). Call with at = 0 first and until = size
** last; each call resumes where the one before ended. A value has at least one byte. How it is
** cut into calls does not change the sums, nor does the order of values. */
void utf8detect_add(Utf8Evidence *evidence, const uint8_t *bytes, size_t size,
                    size_t at, size_t until);

/* Returns the most plausible charset of values with bytes above 7F: a legacy charset of the
** WHATWG Encoding Standard, iso-8859-1, cp437, cp850, cp852 or cp855; or UTF8_CHARSET_UTF8, with
** damage. */
Utf8Charset utf8detect_charset(Utf8Evidence *evidence);

/* Returns how plausible the values are in the charset, above 0.0 to 1.0, or 0.0 if they have an error in it or if it
** is not a legacy charset that extends ASCII. */
double utf8detect_plausibility(Utf8Evidence *evidence, Utf8Charset charset);

/* Likewise, but less in a rare charset, and at most what the values have in `named`, which utf8detect_charset()
** returns for them, if that is a legacy charset. */
double utf8detect_score(Utf8Evidence *evidence, Utf8Charset charset, Utf8Charset named);

/* Like utf8detect_charset() for the evidence of one value. A value of more than UTF8_BIGRAMS_SHORT bytes
** takes about 200 KB of the stack. */
Utf8Charset utf8detect_of_value(const uint8_t *bytes, size_t size);

/* ---- steps, for detect/cause.c ------------------------------------------------------------- */

/* Returns what the text costs as UTF-8 with damage; bigrams are those of all bytes. */
uint64_t utf8detect_damage_cost(const Utf8Damage *damage,
                                const Utf8BigramList *bigrams);

/* Returns what its code points beyond ASCII cost, without the price of the damage. */
uint64_t utf8detect_text_cost(const Utf8Damage *damage, const Utf8BigramList *bigrams);

/* Returns what the code point costs after the one before it, which *state describes, and stores
** its own description there. *seen has what occurred so far. ASCII after ASCII costs
** nothing, and the byte after an ill-formed one costs only what it is. */
unsigned utf8detect_code_cost(Utf8CodeState *state, uint32_t code, Utf8CodesSeen *seen);

/* Stores the first code points of well-formed text, and returns how many: at most UTF8_MODEL_CODES. */
#define UTF8_MODEL_CODES 1024
size_t utf8detect_read_codes(uint32_t codes[UTF8_MODEL_CODES], const uint8_t *text,
                             size_t size);

/* Returns what the letters of at most UTF8_MODEL_CODES code points cost: those of each script in
** the language in which they cost least, with what speaks against that before: prior, or nothing if it is NULL. Returns
** any number above bound if they cost more than bound. */
uint64_t utf8detect_letters_cost(const uint32_t *codes, size_t count,
                                 const uint32_t *prior, uint64_t bound);

/* Adds to costs what the letters of at most UTF8_MODEL_CODES code points cost in each language. */
void utf8detect_languages_cost(uint64_t *costs, const uint32_t *codes, size_t count);

/* Do single-byte charsets read the bytes, each less 80, alike? They do if all that differs is one
** letter or sign to the model: ş and ș are. */
int utf8detect_is_alike(Utf8Charset a, Utf8Charset b, const uint8_t *bytes,
                        size_t count);

/* Returns the code points of 80..FF in a charset that is compared: of viscii, without its tones. */
const uint16_t *utf8detect_high(Utf8Charset charset);

/* Returns what the model knows of a code point: script << 12 | 0x800 for capitals | the letter's number in the
** script, from 1; or the kind. */
unsigned utf8detect_entry(uint32_t code);

/* Is the code point neither a letter nor a control character? */
int utf8detect_is_sign(uint32_t code);

/* Returns a number for a letter without case, or for a sign; one for all Han, kana or Hangul. */
uint32_t utf8detect_letter_of(uint32_t code);

/* Returns the place of a multi-byte charset among UTF8_ASIAN_CHARSETS, or -1. */
int utf8detect_asian_of(Utf8Charset charset);

/* Is it a Han character or a Hangul syllable that is common in no language? */
int utf8detect_is_rare_asian(uint32_t code);

/* Adds what a letter of East Asia costs in each of these charsets at the start of a word. */
void utf8detect_asian_costs(uint64_t costs[UTF8_ASIAN_CHARSETS], uint32_t code);

/* Returns what the text costs in the multi-byte charset at this place, UINT64_MAX if too many values have an error in
** it; bigrams are those of all bytes. */
uint64_t utf8detect_asian_cost(const Utf8AsianEvidence *evidence, size_t place,
                               const Utf8BigramList *bigrams);

/* Adds bytes[at..until) like utf8detect_add(). */
void utf8detect_add_asian(Utf8AsianEvidence *evidence, const uint8_t *bytes,
                          size_t size, size_t at, size_t until);

#endif
