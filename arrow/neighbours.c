/* arrow/neighbours.c: the cause of a value among the values of its column.
**
** The column is what a table of one column is in utf8_audit (audit/neighbours.c): its ill-formed values
** and the first well-formed ones are a mixture of histories and languages (detect/mixture.h).
*/
#include "arrow/call.h"
#include <stdlib.h>

/* Rows that are read for their well-formed values. */
#define ARROW_CLEAN_ROWS 2000

/* Allocates the evidence about one value, which all values use. */
static int beginEvidence(Utf8Arrow *call) {
  if (!call->evidence) call->evidence = malloc(sizeof *call->evidence);
  return call->evidence ? 0 : utf8arrow_no_memory(call->error);
}

static void gatherEvidence(Utf8Arrow *call, ArrowValue value) {
  utf8detect_cause_begin(call->evidence);
  utf8detect_cause_add(call->evidence, value.bytes, value.size, 0, value.size);
}

/* Replaces a value in which bytes are escaped by these bytes, and stores whether it is one. Returns 0 or
** UTF8_ARROW_NO_MEMORY. */
static int openEscaped(Utf8Arrow *call, ArrowValue *value, int *is_escaped) {
  ArrowBuffer *out = &call->escaped;
  *is_escaped = utf8detect_is_escaped(value->bytes, value->size);
  if (!*is_escaped) return 0;
  out->used = 0;
  if (!utf8arrow_grow(out, value->size + UTF8_FORM_ROOM))
    return utf8arrow_no_memory(call->error);
  size_t at = 0;
  out->used = utf8form_unescape_surrogates(value->bytes, value->size, &at, out->bytes,
                                           out->room);
  *value = (ArrowValue){out->bytes, out->used};
  return 0;
}

static Utf8Neighbours neighboursIn(const Utf8Arrow *call) {
  return (Utf8Neighbours){call->column, call->table, NULL};
}

static int findReadingsOfBytes(Utf8Arrow *call, ArrowValue value) {
  if (utf8detect_readings_by_rules(&call->readings, value.bytes, value.size,
                                   UTF8_STRICT))
    return 0;
  if (beginEvidence(call)) return call->error->code;
  gatherEvidence(call, value);
  const uint64_t hash = utf8detect_mixture_hash(value.bytes, value.size);
  const Utf8Neighbours among = neighboursIn(call);
  utf8detect_readings(&call->readings, call->evidence, hash, &among);
  return 0;
}

int utf8arrow_find_readings(Utf8Arrow *call, ArrowValue value) {
  Utf8Readings *readings = &call->readings;
  int is_escaped;
  readings->count = 0;
  if (openEscaped(call, &value, &is_escaped)) return call->error->code;
  const int rc = findReadingsOfBytes(call, value);
  for (size_t i = 0; i < readings->count; i++)
    readings->list[i].cause.is_escaped = is_escaped;
  readings->cause.is_escaped = is_escaped;
  return rc;
}

const char *utf8arrow_name_cause(Utf8Arrow *call, ArrowValue value) {
  if (utf8arrow_first_error(call, value) == ARROW_USUAL) return NULL;
  if (utf8arrow_find_readings(call, value)) return NULL;
  utf8detect_cause_name(call->readings.cause, call->name);
  return call->name;
}

int utf8arrow_is_accident(Utf8Arrow *call, ArrowValue value) {
  const Utf8Neighbours among = neighboursIn(call);
  if (!call->has_accidents || value.size > UTF8_ACCIDENT_LONGEST) return 0;
  return utf8core_valid(value.bytes, value.size) &&
         utf8detect_is_accident(value.bytes, value.size, call->evidence, &among,
                                &call->accident);
}

/* ---- the column ------------------------------------------------------------------------------------------- */

/* Allocates the mixtures, empty. */
static int beginMixtures(Utf8Arrow *call) {
  if (!call->column) call->column = calloc(1, sizeof *call->column);
  if (!call->table) call->table = calloc(1, sizeof *call->table);
  return call->column && call->table ? 0 : utf8arrow_no_memory(call->error);
}

/* Adds the bytes of an ill-formed value, unless rules decide their cause. */
static int addIllFormedValue(Utf8Arrow *call, ArrowValue value) {
  int is_escaped;
  Utf8Cause cause;
  if (beginMixtures(call) || beginEvidence(call)) return call->error->code;
  if (openEscaped(call, &value, &is_escaped)) return call->error->code;
  const uint64_t hash = utf8detect_mixture_hash(value.bytes, value.size);
  if (utf8detect_mixture_is_known(call->column, hash)) return 0;
  if (utf8detect_cause_by_rules(value.bytes, value.size, UTF8_STRICT, &cause)) return 0;
  gatherEvidence(call, value);
  utf8detect_mixture_add(call->column, hash, call->evidence);
  return 0;
}

static int neighbourVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                          void *state) {
  (void)row, (void)state;
  if (utf8core_valid(value.bytes, value.size)) return 0;
  *is_usual = 0;
  return addIllFormedValue(call, value);
}

static int cleanVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                      void *state) {
  (void)row, (void)state;
  *is_usual = 0;
  utf8detect_mixture_add_first(call->column, value.bytes, value.size);
  return 0;
}

/* Calls visit for the first rows of call->chunks. */
static int eachOf(Utf8Arrow *call, size_t rows, ArrowScan scan, ArrowVisit *visit) {
  for (size_t i = 0; i < call->chunk_count && rows > 0; i++) {
    const struct ArrowArray *chunk = &call->chunks[i];
    ArrowText text;
    ArrowIndices indices;
    int rc = utf8arrow_read_array(&call->type, chunk, &text, &indices, call->error);
    if (!rc)
      rc = utf8arrow_each_row(call, &text, call->type.index ? &indices : NULL, rows,
                              scan, visit);
    if (rc) return rc;
    const size_t length = (size_t)chunk->length;
    rows -= length < rows ? length : rows;
  }
  return 0;
}

int utf8arrow_add_neighbours(Utf8Arrow *call) {
  const ArrowScan scan = {utf8arrow_skip_valid, utf8arrow_pass_valid};
  int rc = eachOf(call, SIZE_MAX, scan, neighbourVisit);
  if (rc || !call->column) return rc;
  rc = eachOf(call, ARROW_CLEAN_ROWS, (ArrowScan){NULL, NULL}, cleanVisit);
  if (rc) return rc;
  memcpy(call->table, call->column, sizeof *call->table);
  utf8detect_mixture_estimate(call->table, NULL);
  utf8detect_mixture_estimate(call->column, call->table);
  call->has_accidents = utf8detect_has_accidents(call->column);
  return 0;
}

int utf8arrow_each_value(Utf8Arrow *call, ArrowVisit *visit) {
  return eachOf(call, SIZE_MAX, (ArrowScan){NULL, NULL}, visit);
}
