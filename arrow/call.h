/* arrow/call.h: a function that is applied to columns, and how its steps are called.
**
** A function has one kind of answer. Each row has a usual answer: true, null, or the value
** itself; and most rows of most columns have it. `skip` finds them many at a time, so that only the
** others are a call each:
**
**     skip() -> rows with the usual answer -> find() -> the others -> write()
*/
#ifndef UTF8_ARROW_CALL_H
#define UTF8_ARROW_CALL_H

#include "arrow/result.h"
#include "charset/names.h"
#include "clean/unescape.h"
#include "detect/accident.h"
#include "detect/misread.h"
#include "detect/texts.h"
#include "mojibake/column.h"
#include "suspect/suspect.h"

typedef enum ArrowKind {
  ARROW_TRUTH,    /* bool; usually true */
  ARROW_COUNT,    /* int64; usually null */
  ARROW_NAME,     /* string; usually null */
  ARROW_CHANGE,   /* text; usually the value itself */
  ARROW_READINGS, /* list of structs; usually one with the value itself */
  /* The last ones have no answer for each row, but: */
  ARROW_AUDIT, /* groups of values, usually none */
  ARROW_COLUMN /* one answer for a column */
} ArrowKind;

/* What find() and skip() return for values with the usual answer. */
#define ARROW_USUAL SIZE_MAX

/* What write() returns if the answer is null; below 0, unlike a Utf8ArrowCode. */
#define ARROW_NULL_ANSWER (-1)

/* Returns where the first value that may have another answer starts or changes, in bytes that are several
** adjacent values; or ARROW_USUAL. Values that end at or before the place have the usual answer, if they
** start and end between code points; at place 0, nothing is known. */
typedef size_t ArrowSkip(Utf8Arrow *call, ArrowValue values);

/* Returns how many of the next rows, one after another, have the usual answer or are null: all `rows`, or those before
** the first one that has another. Faster than find(). */
typedef size_t ArrowPass(Utf8Arrow *call, const ArrowText *text, size_t row,
                         size_t rows);

/* Finds rows with the usual answer. */
typedef struct ArrowScan {
  ArrowSkip *skip; /* NULL if values are looked at one by one */
  ArrowPass *pass; /* NULL if find() is as fast */
} ArrowScan;

/* Returns a place in the value for write(), or ARROW_USUAL. Stores a failure in call->error->code. May also be used as
** skip() if it takes several values. */
typedef size_t ArrowFind(Utf8Arrow *call, ArrowValue value);

/* Appends the answer to out. Returns 0, ARROW_NULL_ANSWER or a Utf8ArrowCode. */
typedef int ArrowWrite(Utf8Arrow *call, ArrowValue value, size_t at, ArrowBuffer *out);

/* Stores the number. Returns 0 if it is null. */
typedef int ArrowNumber(Utf8Arrow *call, ArrowValue value, int64_t *number);

/* Returns the name, which the next call may overwrite; NULL if the answer is null, or after a failure. */
typedef const char *ArrowNamed(Utf8Arrow *call, ArrowValue value);

/* Reads call->arguments. Returns 0 or a Utf8ArrowCode. */
typedef int ArrowParse(Utf8Arrow *call);

typedef struct ArrowFunction {
  const char *name;
  ArrowKind kind;
  size_t min, max; /* arguments after X */
  ArrowParse *parse;
  ArrowScan scan;
  ArrowFind *find; /* of ARROW_TRUTH and ARROW_CHANGE */
  ArrowWrite *write;
  ArrowNumber *number;
  ArrowNamed *named;
} ArrowFunction;

/* What utf8_to() writes for a character that the charset lacks. */
typedef struct ArrowSubstitution {
  int is_given;
  Utf8Loss loss;
} ArrowSubstitution;

typedef struct ArrowDetected ArrowDetected; /* of detect_column: arrow/detect.c */

/* A column with text that was read as Latin-1, and the last value that utf8arrow_is_misread() found. */
typedef struct ArrowMisread {
  Utf8MisreadColumn column;
  Utf8Charset through; /* in which the value was misread */
  Utf8Reading reading; /* what it was */
  ArrowBuffer bytes;   /* the bytes before they were misread */
} ArrowMisread;

/* A column with misread UTF-8, and the last value that utf8arrow_is_mojibake() found. */
typedef struct ArrowMojibake {
  Utf8MojibakeColumn column, table;
  Utf8Charset charset; /* in which the value was misread */
  uint64_t probability;
} ArrowMojibake;

struct Utf8Arrow {
  const ArrowFunction *function;
  Utf8ArrowError *error; /* of the running call */

  /* the arguments after X */
  const Utf8ArrowArgument *arguments; /* while utf8arrow_open() runs */
  size_t argument_count;
  unsigned dialect, steps;
  Utf8Repair repair;
  Utf8Charset charset;
  Utf8MojibakeCharset misread;
  int is_misread_given;
  Utf8NormalForm form;
  Utf8SuspectKind kind;
  Utf8EscapeKind escape;
  ArrowSubstitution substitution;
  size_t limit;
  ArrowBuffer text; /* the replacement or the label */

  /* the column */
  ArrowType type;
  ArrowLayout layout;              /* of the result */
  const struct ArrowArray *chunks; /* while utf8arrow_learn() runs */
  size_t chunk_count;
  Utf8Mixture *column, *table; /* NULL if each value is alone */
  int has_accidents;           /* well-formed values may be text in a legacy charset */
  ArrowDetected *detected;
  ArrowMisread *misread_text; /* NULL if the column has none */
  size_t misread_strong;      /* values that may show it */
  ArrowMojibake *mojibake;    /* NULL if the column shows none */
  Utf8ArrowFound *found;
  size_t found_count, found_room;
  int64_t rows; /* that were audited */

  /* the value */
  const uint8_t
      *first_error;      /* that utf8arrow_skip_valid() found the last time, or NULL */
  int is_ill_formed;     /* utf8arrow_pass_valid() has stopped at it */
  Utf8Readings readings; /* what utf8arrow_find_readings() stored, also the cause */
  Utf8Reading accident;  /* of the last value that utf8arrow_is_accident() found */
  ArrowBuffer escaped;   /* what the value is unescaped, if the cause is escaped */
  uint32_t letter;       /* state of unaccent */
  char name[UTF8_CAUSE_NAME_MAX];
  Utf8CauseEvidence *evidence;
  Utf8TextReading *texts;
  ArrowBuffer work[2];
  ArrowValue
      cleaned; /* the answer that find() made, if it made one: in work or in the value */
};

/* Returns the function, or NULL. (arrow/functions.c) */
const ArrowFunction *utf8arrow_function(const char *name);

/* ---- arguments: arrow/option.c ---------------------------------------------------------------------- */

ArrowParse utf8arrow_parse_none, utf8arrow_parse_dialect, utf8arrow_parse_label,
    utf8arrow_parse_repair, utf8arrow_parse_length, utf8arrow_parse_charset,
    utf8arrow_parse_to, utf8arrow_parse_misread, utf8arrow_parse_kind,
    utf8arrow_parse_form, utf8arrow_parse_escape, utf8arrow_parse_steps;

/* ---- rows: arrow/rows.c ------------------------------------------------------------------------------ */

/* Called with a row that is not null and may have another answer than the usual one. Returns 0 or a
** Utf8ArrowCode, and stores whether it has the usual one. */
typedef int ArrowVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                       void *state);

/* Calls visit for the first rows, except those that the scan finds to have the usual answer. */
int utf8arrow_each(Utf8Arrow *call, const ArrowText *text, size_t rows, ArrowScan scan,
                   ArrowVisit *visit, void *state);

/* Like utf8arrow_each() without a state; with indices, for rows of a dictionary, all of which it visits. */
int utf8arrow_each_row(Utf8Arrow *call, const ArrowText *text,
                       const ArrowIndices *indices, size_t rows, ArrowScan scan,
                       ArrowVisit *visit);

/* Stores that the result is too large for its type, and returns UTF8_ARROW_TOO_BIG. */
int utf8arrow_too_big(Utf8Arrow *call);

/* Stores the array of answers. Both return 0 or a Utf8ArrowCode. utf8arrow_change() returns the answers in
** call->layout; it leaves *result released if all answers are the usual ones and the layout is the array's. */
int utf8arrow_answer(Utf8Arrow *call, const ArrowText *text, struct ArrowArray *result);
int utf8arrow_change(Utf8Arrow *call, const ArrowText *text, struct ArrowArray *chunk,
                     struct ArrowArray *result);

/* Stores the array of readings of each value; with indices, of each row of a dictionary. (arrow/readings.c) */
int utf8arrow_list_readings(Utf8Arrow *call, const ArrowText *text,
                            const ArrowIndices *indices, struct ArrowArray *result);

/* Stores for each row of a dictionary's indices the answer for its entry. The entries are released.
** (arrow/answer.c) */
int utf8arrow_gather(Utf8Arrow *call, const ArrowIndices *indices,
                     struct ArrowArray *entries, struct ArrowArray *result);

/* ---- context: arrow/neighbours.c, arrow/detect.c, arrow/audit.c ---------------------------------------- */

/* Stores the readings of the value and its cause in call->readings, among its neighbours if there are any; and if the
** value is escaped, its bytes in call->escaped, of which it is repaired. Returns 0 or UTF8_ARROW_NO_MEMORY. */
int utf8arrow_find_readings(Utf8Arrow *call, ArrowValue value);

/* Decides by the column whether a well-formed value is text in a legacy charset: detect/accident.h.
** If so, call->accident has the reading. */
int utf8arrow_is_accident(Utf8Arrow *call, ArrowValue value);

/* Adds the values of call->chunks. Returns 0 or a Utf8ArrowCode. */
int utf8arrow_add_neighbours(Utf8Arrow *call);
int utf8arrow_add_detected(Utf8Arrow *call);
void utf8arrow_free_detected(ArrowDetected *detected);

/* Finds whether the column has text that was read as Latin-1, and whether it shows misread UTF-8, as utf8_audit does:
** then call->misread_text and call->mojibake are set. Returns 0 or a Utf8ArrowCode. (arrow/misread.c) */
int utf8arrow_add_misread(Utf8Arrow *call);
void utf8arrow_free_misread(Utf8Arrow *call);

/* Decides by the column whether the value was read as Latin-1. If so, call->misread_text has what it was. */
int utf8arrow_is_misread(Utf8Arrow *call, ArrowValue value);

/* Decides by the column whether a well-formed value is misread UTF-8, which alone is unclear. If so, call->mojibake has
** the charset. */
int utf8arrow_is_mojibake(Utf8Arrow *call, ArrowValue value);

/* Appends what the value was, which utf8arrow_is_misread() or utf8arrow_is_mojibake() has just found. Returns 0 or
** UTF8_ARROW_NO_MEMORY. */
typedef int ArrowRestore(Utf8Arrow *call, ArrowValue value, ArrowBuffer *out);
ArrowRestore utf8arrow_restore_misread, utf8arrow_restore_mojibake;

/* Calls visit for every value of call->chunks. (arrow/neighbours.c) */
int utf8arrow_each_value(Utf8Arrow *call, ArrowVisit *visit);

/* Make a schema with copies of the strings; name may be NULL. The children are released: the caller makes them.
** Return 0 if memory runs out. (arrow/column.c) */
int utf8arrow_make_schema(struct ArrowSchema *schema, const char *format,
                          const char *name, size_t children);
int utf8arrow_make_dictionary_schema(struct ArrowSchema *schema, const char *index,
                                     const char *format, const char *name);

/* Makes the schema of readings. Returns 0 if memory runs out. (arrow/readings.c) */
int utf8arrow_make_readings_schema(struct ArrowSchema *schema, int is_large,
                                   const char *name);

ArrowNamed utf8arrow_name_charset; /* as utf8_detect does */

/* ---- functions: arrow/check.c, change.c, restore.c, convert.c, clean.c ------------------------------------- */

ArrowSkip utf8arrow_skip_misread, utf8arrow_skip_valid, utf8arrow_skip_ascii,
    utf8arrow_skip_dialect, utf8arrow_skip_decoded, utf8arrow_skip_clean;
ArrowPass utf8arrow_pass_valid, utf8arrow_pass_dialect;
ArrowFind utf8arrow_find_ill_formed, utf8arrow_find_invalid, utf8arrow_find_repair,
    utf8arrow_find_bom, utf8arrow_find_end, utf8arrow_find_misread,
    utf8arrow_find_stripped, utf8arrow_find_unnormalized, utf8arrow_find_unfolded,
    utf8arrow_find_accent, utf8arrow_find_escape, utf8arrow_find_decoded,
    utf8arrow_find_encoded, utf8arrow_find_cleaned;
ArrowWrite utf8arrow_write_repair, utf8arrow_write_after, utf8arrow_write_before,
    utf8arrow_write_misread, utf8arrow_write_stripped, utf8arrow_write_normalized,
    utf8arrow_write_folded, utf8arrow_write_unaccented, utf8arrow_write_unescaped,
    utf8arrow_write_decoded, utf8arrow_write_encoded, utf8arrow_write_cleaned;
ArrowNumber utf8arrow_error_offset, utf8arrow_codepoints, utf8arrow_suspect_offset;
ArrowNamed utf8arrow_name_error, utf8arrow_name_cause, utf8arrow_name_misread,
    utf8arrow_name_suspect;

/* Returns the offset of the value's first error, or ARROW_USUAL. utf8arrow_skip_valid() does the same for
** many values, and remembers the place for the value that is visited next: all before it is well-formed. */
size_t utf8arrow_first_error(const Utf8Arrow *call, ArrowValue value);

/* Appends the value up to `at`, and makes room for about the rest. Returns 0 or UTF8_ARROW_NO_MEMORY. */
int utf8arrow_copy_start(Utf8Arrow *call, ArrowValue value, size_t at,
                         ArrowBuffer *out);

/* Makes room for what the core makes of the value from `at` on, and at least for `needed` bytes. Returns 0 if memory
** runs out, which it reports. */
int utf8arrow_make_room(Utf8Arrow *call, ArrowValue value, size_t at, size_t needed,
                        ArrowBuffer *out);

/* Appends the text decoded from a charset, or restored from being misread in `charset`, or in any if NULL.
** Return 0 or UTF8_ARROW_NO_MEMORY. */
int utf8arrow_decode(Utf8Arrow *call, Utf8Charset charset, ArrowValue value,
                     ArrowBuffer *out);
int utf8arrow_restore(Utf8Arrow *call, const Utf8MojibakeCharset *charset,
                      ArrowValue value, ArrowBuffer *out);
int utf8arrow_normalize_from(Utf8Arrow *call, Utf8NormalForm form, ArrowValue value,
                             size_t at, ArrowBuffer *out);

/* Appends what repairs a value with this cause, whose first error is at `at`. Returns ARROW_NULL_ANSWER if the
** value is kept. */
int utf8arrow_repair_by_cause(Utf8Arrow *call, Utf8Cause cause, ArrowValue value,
                              size_t at, ArrowBuffer *out);
int utf8arrow_repair_from(Utf8Arrow *call, const Utf8Repair *how, ArrowValue value,
                          size_t at, ArrowBuffer *out);

#endif
