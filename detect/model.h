/* detect/model.h: how plausible bytes are as text in a legacy charset.
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

#include "utf8core.h"

/* The classes of bytes that are told apart: 80..FF, ASCII letters, six kinds of others. */
#define UTF8_BYTE_CLASSES 186

/* gbk, big5, euc-jp, shift_jis, euc-kr */
#define UTF8_ASIAN_CHARSETS 5

/* What reading in a multi-byte charset has cost. */
typedef struct Utf8AsianSum {
  uint64_t cost;   /* of the values without an error, in the model's unit */
  uint64_t broken; /* how many values have an error */
  size_t at; /* in the value that is being added: where its next code point starts */
  uint64_t value_cost;
  uint8_t previous; /* the class of the code point before */
  uint8_t is_broken;
} Utf8AsianSum;

/* Evidence about the multi-byte charsets. */
typedef struct Utf8AsianEvidence {
  uint64_t values;     /* how many were added */
  uint64_t four_bytes; /* four-byte codes of gb18030 */
  Utf8AsianSum sum[UTF8_ASIAN_CHARSETS];
} Utf8AsianEvidence;

/* About 210 KB. */
typedef struct Utf8Evidence {
  Utf8AsianEvidence asian;
  uint8_t previous; /* the class of the last byte of the value that is being added */
  /* How often a byte of one class follows one of another; at most UINT32_MAX. */
  uint32_t pairs[UTF8_BYTE_CLASSES][UTF8_BYTE_CLASSES];
  size_t listed;
  uint8_t list[UTF8_BYTE_CLASSES * UTF8_BYTE_CLASSES]
              [2]; /* the pairs that have a count */
} Utf8Evidence;

void utf8detect_begin(Utf8Evidence *evidence);

/* Adds bytes[at..until) of a value, bytes[0..size). Call with at = 0 first and until = size
** last; each call resumes where the one before ended. A value has at least one byte. How it is
** cut into calls does not change the sums, nor does the order of values. */
void utf8detect_add(Utf8Evidence *evidence, const uint8_t *bytes, size_t size,
                    size_t at, size_t until);

/* Returns the most plausible charset of values with bytes above 7F: a legacy charset of the
** WHATWG Encoding Standard, iso-8859-1, cp437, cp850, cp852 or cp855. */
Utf8Charset utf8detect_charset(Utf8Evidence *evidence);

/* Returns how plausible the values are in the charset, above 0.0 to 1.0, or 0.0 if they have
** an error in it or if it is no legacy charset that extends ASCII. No charset has a higher
** score than utf8detect_charset(). */
double utf8detect_score(Utf8Evidence *evidence, Utf8Charset charset);

/* Like utf8detect_charset() for the evidence of one value. A value of more than
** UTF8_PLAUSIBLE_SHORT bytes takes about 210 KB of the stack. */
#define UTF8_PLAUSIBLE_SHORT 1024
Utf8Charset utf8detect_of_value(const uint8_t *bytes, size_t size);

#endif
