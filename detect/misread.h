/* detect/misread.h: well-formed values that are text in a legacy charset, read as Latin-1 or Windows-1252 and stored
** as UTF-8: "Èâàíîâ" for "Иванов". One such value shows little, a column shows it.
**
**     Utf8MisreadValue value;
**     utf8detect_misread_read(&value, text, size);          // of each value of the column
**     utf8detect_misread_add(&column, evidence, &value);
**     utf8detect_misread_estimate(&column);
**     if (utf8detect_misread_decide(&column, evidence, &value, &reading)) ...
**
** Only text of another script than Latin is found. Its words, as they were misread, have no ASCII letter, while nearly
** every word of Latin text has one. So Latin text is left without asking the model.
**
** Nothing is allocated, and nothing is shared between threads.
*/
#ifndef UTF8_DETECT_MISREAD_H
#define UTF8_DETECT_MISREAD_H

#include "detect/readings.h"

/* A column has such text only if it has this many different strong values. */
#define UTF8_MISREAD_ENOUGH 3

/* The first rows of a column are all read. Of a longer one, some rows from each of several places are: a second pass
** over all would double the time of an audit. */
#define UTF8_MISREAD_ROWS        20000
#define UTF8_MISREAD_SAMPLES     64
#define UTF8_MISREAD_SAMPLE_ROWS 250

/* The bytes of a value that the model reads. A value of more than UTF8_MISREAD_LONGEST is never one. */
#define UTF8_MISREAD_BYTES   512
#define UTF8_MISREAD_LONGEST ((size_t)1 << 20)

typedef enum Utf8MisreadKind {
  UTF8_MISREAD_NOTHING, /* it shows nothing: ASCII, or with characters of other scripts */
  UTF8_MISREAD_LATIN,   /* it is Latin text, or ill-formed, or misread UTF-8 */
  UTF8_MISREAD_WEAK,    /* it has no word with ASCII letters and others */
  UTF8_MISREAD_STRONG   /* likewise, and a long word of others */
} Utf8MisreadKind;

typedef struct Utf8MisreadValue {
  Utf8MisreadKind kind;
  Utf8Charset
      through;      /* in which it may have been misread: iso-8859-1 or windows-1252 */
  size_t first;     /* offset of the first code point beyond ASCII */
  size_t words;     /* how many words have such code points */
  uint64_t seen[2]; /* bits of the bytes 80..FF of the whole value */
  size_t
      size; /* of the bytes that it was misread from, the first ones of a long value */
  uint8_t bytes[UTF8_MISREAD_BYTES];
} Utf8MisreadValue;

/* Zeroed before its first use. About 320 KB. */
typedef struct Utf8MisreadColumn {
  Utf8Mixture column, table; /* equal until they are estimated */
  Utf8Evidence joined;       /* of the strong values together */
  size_t strong;             /* how many different strong values there are */
  size_t letters;            /* how many bytes beyond ASCII these have */
  int has_latin;             /* a value is Latin text */
} Utf8MisreadColumn;

/* Stores what a well-formed or ill-formed value shows, without its column. */
void utf8detect_misread_read(Utf8MisreadValue *value, const uint8_t *text, size_t size);

/* Adds a value. Overwrites the evidence. */
void utf8detect_misread_add(Utf8MisreadColumn *column, Utf8CauseEvidence *evidence,
                            const Utf8MisreadValue *value);

/* Adds a well-formed value that shows nothing: it may show the language. */
void utf8detect_misread_add_clean(Utf8MisreadColumn *column, const uint8_t *text,
                                  size_t size);

/* Estimates the column when all values were added. Returns 0 if it has none that was misread. */
int utf8detect_misread_estimate(Utf8MisreadColumn *column);

/* Was the value surely misread, in a column that was estimated? Then stores the likeliest reading of its bytes.
** Overwrites the evidence. */
int utf8detect_misread_decide(const Utf8MisreadColumn *column,
                              Utf8CauseEvidence *evidence,
                              const Utf8MisreadValue *value, Utf8Reading *reading);

#endif
