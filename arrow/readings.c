/* arrow/readings.c: the texts that each value may have been, as lists of structs.
**
** A list has the rows of utf8_readings, and a struct its columns. Strings and probabilities grow in buffers of the
** whole column. The texts of one value are in memory that the next value uses again.
*/
#include "arrow/call.h"
#include "detect/texts.h"
#include "mojibake/readings.h"
#include <stdlib.h>

/* The children of the struct, as the columns of utf8_readings: strings, and then the probability. */
enum { READ_TEXT, READ_CAUSE, READ_CHARSET, READ_LANGUAGE, READ_STRINGS };
enum { READ_CHILDREN = READ_STRINGS + 1 };

int utf8arrow_make_readings_schema(struct ArrowSchema *schema, int is_large,
                                   const char *name) {
  static const char *const names[READ_CHILDREN] = {"text", "cause", "charset",
                                                   "language", "probability"};
  int is_made = utf8arrow_make_schema(schema, is_large ? "+L" : "+l", name, 1);
  if (!is_made) return 0;
  struct ArrowSchema *item = schema->children[0];
  is_made = utf8arrow_make_schema(item, "+s", "item", READ_CHILDREN);
  for (int i = 0; i < READ_CHILDREN && is_made; i++) {
    const char *format = i == READ_STRINGS ? "g" : is_large ? "U" : "u";
    is_made = utf8arrow_make_schema(item->children[i], format, names[i], 0);
  }
  if (!is_made) schema->release(schema);
  return is_made;
}

/* ---- lists in the making ---------------------------------------------------------------------------- */

typedef struct ReadStrings {
  ArrowBuffer validity, ends, data;
} ReadStrings;

typedef struct ReadLists {
  size_t rows;       /* whose lists are whole */
  uint8_t *validity; /* of the lists; NULL if none is null */
  ArrowBuffer ends;
  size_t count; /* readings in all lists */
  ReadStrings strings[READ_STRINGS];
  ArrowBuffer probabilities;
} ReadLists;

static void freeLists(ReadLists *lists) {
  free(lists->validity);
  utf8arrow_clear(&lists->ends);
  for (int i = 0; i < READ_STRINGS; i++) {
    utf8arrow_clear(&lists->strings[i].validity);
    utf8arrow_clear(&lists->strings[i].ends);
    utf8arrow_clear(&lists->strings[i].data);
  }
  utf8arrow_clear(&lists->probabilities);
}

/* Appends where a list or a string ends. Returns 0 or a Utf8ArrowCode. */
static int appendListEnd(Utf8Arrow *call, ArrowBuffer *ends, size_t end) {
  const int64_t wide = (int64_t)end;
  const int32_t narrow = (int32_t)end;
  const int is_large = call->layout == ARROW_OFFSETS64;
  if (!is_large && end > INT32_MAX) return utf8arrow_too_big(call);
  if (utf8arrow_append(ends, is_large ? (const void *)&wide : &narrow,
                       is_large ? sizeof wide : sizeof narrow))
    return 0;
  return utf8arrow_no_memory(call->error);
}

/* Stores the first offsets, and which rows are null. */
static int beginLists(Utf8Arrow *call, ReadLists *lists, const uint8_t *validity,
                      size_t first, size_t rows) {
  int rc = appendListEnd(call, &lists->ends, 0);
  for (int i = 0; i < READ_STRINGS && !rc; i++)
    rc = appendListEnd(call, &lists->strings[i].ends, 0);
  if (!rc && validity) {
    lists->validity = utf8arrow_copy_bits(validity, first, rows);
    if (!lists->validity) rc = utf8arrow_no_memory(call->error);
  }
  return rc;
}

/* Appends the string of reading `number`, null if bytes is NULL. */
static int appendString(Utf8Arrow *call, ReadStrings *strings, size_t number,
                        const void *bytes, size_t size) {
  static const uint8_t none = 0;
  if ((number % 8 == 0 && !utf8arrow_append(&strings->validity, &none, 1)) ||
      (bytes && !utf8arrow_append(&strings->data, bytes, size)))
    return utf8arrow_no_memory(call->error);
  if (bytes) arrowSetBit(strings->validity.bytes, number);
  return appendListEnd(call, &strings->ends, strings->data.used);
}

static int appendReadName(Utf8Arrow *call, ReadStrings *strings, size_t number,
                          const char *name) {
  return appendString(call, strings, number, name, name ? strlen(name) : 0);
}

static int appendProbability(Utf8Arrow *call, ReadLists *lists, double probability) {
  if (!utf8arrow_append(&lists->probabilities, &probability, sizeof probability))
    return utf8arrow_no_memory(call->error);
  lists->count++;
  return 0;
}

static int appendReading(Utf8Arrow *call, ReadLists *lists,
                         const Utf8TextReading *reading) {
  const size_t number = lists->count;
  ReadStrings *strings = lists->strings;
  const char *cause = reading->cause[0] ? reading->cause : NULL;
  int rc =
      appendString(call, &strings[READ_TEXT], number, reading->text, reading->size);
  if (!rc) rc = appendReadName(call, &strings[READ_CAUSE], number, cause);
  if (!rc) rc = appendReadName(call, &strings[READ_CHARSET], number, reading->charset);
  if (!rc)
    rc = appendReadName(call, &strings[READ_LANGUAGE], number, reading->language);
  return rc ? rc : appendProbability(call, lists, reading->probability);
}

static int endList(Utf8Arrow *call, ReadLists *lists) {
  lists->rows++;
  return appendListEnd(call, &lists->ends, lists->count);
}

/* ---- the readings of a value -------------------------------------------------------------------------- */

/* Texts of one value, in call->work[0]: as that grows, it may move. */
typedef struct ReadTexts {
  ArrowValue value;
  size_t at; /* its first error */
  Utf8TextReadings readings;
  size_t starts[UTF8_READINGS_MAX];
} ReadTexts;

static void moveTexts(ReadTexts *texts, uint8_t *bytes) {
  for (int i = 0; i < texts->readings.count; i++)
    texts->readings.list[i].text = bytes + texts->starts[i];
}

/* Adds the text of a reading, unless that is not text. */
static int addTextOfCause(Utf8Arrow *call, ReadTexts *texts, Utf8Reading of) {
  ArrowBuffer *out = &call->work[0];
  const size_t start = out->used;
  const int rc =
      utf8arrow_repair_by_cause(call, of.cause, texts->value, texts->at, out);
  if (rc) return rc == ARROW_NULL_ANSWER ? 0 : rc;
  moveTexts(texts, out->bytes);
  texts->starts[texts->readings.count] = start;
  if (!utf8detect_add_text(&texts->readings, out->bytes + start, out->used - start, of))
    out->used = start;
  return 0;
}

/* Appends the list of an ill-formed value, whose first error is at `at`. */
static int appendList(Utf8Arrow *call, ReadLists *lists, ArrowValue value, size_t at) {
  ReadTexts texts = {value, at, {call->texts, 0}, {0}};
  call->work[0].used = 0;
  int rc = utf8arrow_find_readings(call, value);
  for (size_t i = 0; i < call->readings.count && !rc; i++)
    rc = addTextOfCause(call, &texts, call->readings.list[i]);
  const int listed = rc ? 0 : utf8detect_sort_texts(&texts.readings);
  for (int i = 0; i < listed && !rc; i++)
    rc = appendReading(call, lists, &texts.readings.list[i]);
  return rc ? rc : endList(call, lists);
}

/* Lists the readings of a well-formed value that is one short line. */
static void listShortLine(Utf8TextReadings *readings, Utf8MojibakeReadings *misread,
                          ArrowValue value) {
  utf8mojibake_readings(misread, NULL, value.bytes, value.size);
  for (size_t i = 0; i < misread->count; i++) {
    Utf8MojibakeReading *of = &misread->list[i];
    utf8detect_add_misread(readings, of->text, of->of.written,
                           utf8mojibake_charset_name(of->of.charset),
                           (double)of->probability / (double)UTF8_MOJIBAKE_ONE);
  }
}

/* Lists the reading of a longer one: it is what demojibake makes of it. */
static int listOtherText(Utf8Arrow *call, Utf8TextReadings *readings,
                         ArrowValue value) {
  Utf8MojibakeFound found;
  ArrowBuffer *out = &call->work[0];
  size_t at = 0;
  uint8_t *bytes = (uint8_t *)(uintptr_t)value.bytes;
  if (!utf8mojibake_find(NULL, bytes, value.size, &at, value.size, &found)) {
    utf8detect_add_misread(readings, bytes, value.size, NULL, 1);
    return 0;
  }
  out->used = 0;
  const int rc = utf8arrow_restore(call, NULL, value, out);
  if (rc) return rc;
  utf8detect_add_misread(readings, out->bytes, out->used,
                         utf8mojibake_charset_name(found.charset),
                         UTF8_MOJIBAKE_SURELY);
  return 0;
}

/* Lists what a value was that the column has decided: it was misread in this charset. */
static int listDecided(Utf8Arrow *call, Utf8TextReadings *readings, ArrowValue value,
                       ArrowRestore *restore, Utf8Charset through,
                       uint64_t probability) {
  ArrowBuffer *out = &call->work[0];
  out->used = 0;
  const int rc = restore(call, value, out);
  if (rc) return rc;
  utf8detect_add_misread(readings, out->bytes, out->used,
                         utf8core_charset_name(through),
                         (double)probability / (double)UTF8_PROBABILITY_ONE);
  return 0;
}

static int listMisreadText(Utf8Arrow *call, Utf8TextReadings *readings,
                           ArrowValue value) {
  const ArrowMisread *misread = call->misread_text;
  return listDecided(call, readings, value, utf8arrow_restore_misread, misread->through,
                     misread->reading.probability);
}

/* Is a value misread UTF-8 that only its column shows? */
static int isDecidedMojibake(Utf8Arrow *call, ArrowValue value) {
  return call->mojibake && !utf8arrow_name_misread(call, value) &&
         utf8arrow_is_mojibake(call, value);
}

/* Appends the list of a well-formed value. */
static int appendWellFormed(Utf8Arrow *call, ReadLists *lists, ArrowValue value) {
  Utf8MojibakeReadings misread;
  Utf8TextReadings readings = {call->texts, 0};
  int rc = 0;
  if (utf8arrow_is_misread(call, value)) {
    rc = listMisreadText(call, &readings, value);
  } else if (isDecidedMojibake(call, value)) {
    const ArrowMojibake *m = call->mojibake;
    rc = listDecided(call, &readings, value, utf8arrow_restore_mojibake, m->charset,
                     m->probability);
  } else if (utf8mojibake_is_line(value.bytes, value.size)) {
    listShortLine(&readings, &misread, value);
  } else {
    rc = listOtherText(call, &readings, value);
  }
  const int listed = rc ? 0 : utf8detect_sort_texts(&readings);
  for (int i = 0; i < listed && !rc; i++)
    rc = appendReading(call, lists, &readings.list[i]);
  return rc ? rc : endList(call, lists);
}

/* ---- the lists of an array ------------------------------------------------------------------------------ */

typedef struct ReadState {
  const ArrowText *text;
  ReadLists *lists;
} ReadState;

/* Appends the lists of the rows before this one: they are well-formed or null. */
static int appendUsual(Utf8Arrow *call, const ReadState *state, size_t row) {
  int rc = 0;
  while (state->lists->rows < row && !rc) {
    const size_t next = state->lists->rows;
    rc = arrowIsNull(state->text, next)
             ? endList(call, state->lists)
             : appendWellFormed(call, state->lists, arrowValue(state->text, next));
  }
  return rc;
}

static int readVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                     void *visited) {
  const ReadState *state = visited;
  const size_t at = utf8arrow_first_error(call, value);
  if (at == ARROW_USUAL) return 0;
  *is_usual = 0;
  const int rc = appendUsual(call, state, row);
  return rc ? rc : appendList(call, state->lists, value, at);
}

static int readValues(Utf8Arrow *call, const ArrowText *text, ReadLists *lists) {
  ReadState state = {text, lists};
  if (!call->texts) call->texts = malloc(UTF8_READINGS_MAX * sizeof *call->texts);
  if (!call->texts) return utf8arrow_no_memory(call->error);
  int rc = beginLists(call, lists, text->validity, text->first, text->count);
  if (!rc)
    rc = utf8arrow_each(call, text, SIZE_MAX, call->function->scan, readVisit, &state);
  return rc ? rc : appendUsual(call, &state, text->count);
}

/* ---- rows of a dictionary -------------------------------------------------------------------------------- */

/* Returns the strings of the entries as an array. */
static ArrowText stringsOf(const Utf8Arrow *call, const ReadStrings *strings) {
  const uint8_t *data = strings->data.bytes;
  return (ArrowText){.layout = call->layout,
                     .validity = strings->validity.bytes,
                     .items = strings->ends.bytes,
                     .data = data ? data : (const uint8_t *)""};
}

static int copyReading(Utf8Arrow *call, const ReadLists *entries, size_t number,
                       ReadLists *lists) {
  int rc = 0;
  for (int i = 0; i < READ_STRINGS && !rc; i++) {
    const ArrowText strings = stringsOf(call, &entries->strings[i]);
    const ArrowValue value = arrowIsNull(&strings, number)
                                 ? (ArrowValue){NULL, 0}
                                 : arrowValue(&strings, number);
    rc = appendString(call, &lists->strings[i], lists->count, value.bytes, value.size);
  }
  const double *probabilities =
      (const double *)(const void *)entries->probabilities.bytes;
  return rc ? rc : appendProbability(call, lists, probabilities[number]);
}

static int copyList(Utf8Arrow *call, const ReadLists *entries, size_t entry,
                    ReadLists *lists) {
  const ArrowText ends = {.layout = call->layout, .items = entries->ends.bytes};
  int rc = 0;
  for (size_t i = arrowOffset(&ends, entry); i < arrowOffset(&ends, entry + 1) && !rc;
       i++)
    rc = copyReading(call, entries, i, lists);
  return rc;
}

static int copyLists(Utf8Arrow *call, const ArrowIndices *indices,
                     const ReadLists *entries, ReadLists *lists) {
  int rc = beginLists(call, lists, indices->validity, indices->first, indices->count);
  if (!rc && entries->validity && !lists->validity) {
    lists->validity = utf8arrow_bits(indices->count, 1);
    if (!lists->validity) rc = utf8arrow_no_memory(call->error);
  }
  for (size_t row = 0; row < indices->count && !rc; row++) {
    const int is_null = arrowIsNullRow(indices, row);
    const size_t entry = is_null ? 0 : utf8arrow_entry(indices, row);
    if (!is_null && entries->validity && !arrowBit(entries->validity, entry))
      arrowClearBit(lists->validity, row);
    if (!is_null) rc = copyList(call, entries, entry, lists);
    if (!rc) rc = endList(call, lists);
  }
  return rc;
}

/* ---- the array -------------------------------------------------------------------------------------------- */

/* Makes the arrays, without buffers. */
static int makeListArrays(const ReadLists *lists, struct ArrowArray *result) {
  int is_made = utf8arrow_make_array(result, lists->rows, 2, 1) != NULL;
  if (!is_made) return 0;
  struct ArrowArray *item = result->children[0];
  is_made = utf8arrow_make_array(item, lists->count, 1, READ_CHILDREN) != NULL;
  for (int i = 0; i < READ_CHILDREN && is_made; i++)
    is_made = utf8arrow_make_array(item->children[i], lists->count,
                                   i == READ_STRINGS ? 2 : 3, 0) != NULL;
  if (!is_made) utf8arrow_release(result);
  return is_made;
}

/* Moves the lists to an array. */
static int endLists(Utf8Arrow *call, ReadLists *lists, struct ArrowArray *result) {
  if (!makeListArrays(lists, result)) return utf8arrow_no_memory(call->error);
  struct ArrowArray **children = result->children[0]->children;
  utf8arrow_own(result, 0, 0, lists->validity);
  utf8arrow_own(result, 1, 1, lists->ends.bytes);
  result->null_count = lists->validity ? -1 : 0;
  for (int i = 0; i < READ_STRINGS; i++) {
    utf8arrow_own(children[i], 0, 0, lists->strings[i].validity.bytes);
    utf8arrow_own(children[i], 1, 1, lists->strings[i].ends.bytes);
    utf8arrow_own(children[i], 2, 2, lists->strings[i].data.bytes);
    children[i]->null_count = -1;
  }
  utf8arrow_own(children[READ_STRINGS], 1, 1, lists->probabilities.bytes);
  return 0;
}

int utf8arrow_list_readings(Utf8Arrow *call, const ArrowText *text,
                            const ArrowIndices *indices, struct ArrowArray *result) {
  ReadLists values = {.rows = 0}, rows = {.rows = 0};
  ReadLists *lists = indices ? &rows : &values;
  int rc = readValues(call, text, &values);
  if (!rc && indices) rc = copyLists(call, indices, &values, &rows);
  if (!rc) rc = endLists(call, lists, result);
  if (rc || indices) freeLists(&values);
  if (rc && indices) freeLists(&rows);
  return rc;
}
