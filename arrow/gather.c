/* arrow/gather.c: rows of dictionaries: each entry is looked at once. */
#include "arrow/call.h"
#include <stdlib.h>

int utf8arrow_each_entry(Utf8Arrow *call, const ArrowText *text,
                         const ArrowIndices *indices, size_t rows, ArrowVisit *visit,
                         void *state) {
  int rc = 0, is_usual;
  call->first_error = NULL;
  for (size_t row = 0; row < indices->count && row < rows && !rc; row++) {
    if (arrowIsNullRow(indices, row)) continue;
    const size_t entry = utf8arrow_entry(indices, row);
    if (!arrowIsNull(text, entry))
      rc = visit(call, row, arrowValue(text, entry), &is_usual, state);
  }
  return rc;
}

/* Is the answer of a row null? Stores the entry if not. */
static int isNullAnswer(const ArrowIndices *indices, const struct ArrowArray *entries,
                        size_t row, size_t *entry) {
  if (arrowIsNullRow(indices, row)) return 1;
  *entry = utf8arrow_entry(indices, row);
  return entries->buffers[0] && !arrowBit(entries->buffers[0], *entry);
}

/* Rows in the making. */
typedef struct ArrowGathered {
  uint8_t *validity, *items;
  ArrowBuffer data; /* of names */
} ArrowGathered;

static void freeGathered(ArrowGathered *rows) {
  free(rows->validity);
  free(rows->items);
  utf8arrow_clear(&rows->data);
}

/* Copies the answer of an entry to a row. Returns 0 if memory runs out. */
static int gatherRow(ArrowKind kind, const struct ArrowArray *entries,
                     const ArrowText *names, size_t entry, ArrowGathered *rows,
                     size_t row) {
  arrowSetBit(rows->validity, row);
  if (kind == ARROW_TRUTH) {
    if (arrowBit(entries->buffers[1], entry)) arrowSetBit(rows->items, row);
    return 1;
  }
  if (kind == ARROW_COUNT) {
    arrowStore64(rows->items, row, arrowLoad64(entries->buffers[1], entry));
    return 1;
  }
  const ArrowValue name = arrowValue(names, entry);
  return utf8arrow_append(&rows->data, name.bytes, name.size);
}

static void endGathered(const Utf8Arrow *call, ArrowGathered *rows, size_t row) {
  if (call->function->kind != ARROW_NAME) return;
  if (call->layout == ARROW_OFFSETS64) {
    arrowStore64(rows->items, row, (int64_t)rows->data.used);
  } else {
    arrowStore32(rows->items, row, (int32_t)rows->data.used);
  }
}

static int gatherRows(Utf8Arrow *call, const ArrowIndices *indices,
                      const struct ArrowArray *entries, ArrowGathered *rows) {
  const ArrowKind kind = call->function->kind;
  const ArrowText names = {.layout = call->layout,
                           .items = entries->buffers[1],
                           .data = kind == ARROW_NAME ? entries->buffers[2] : NULL};
  size_t entry;
  for (size_t row = 0; row < indices->count; row++) {
    endGathered(call, rows, row);
    if (isNullAnswer(indices, entries, row, &entry)) continue;
    if (!gatherRow(kind, entries, &names, entry, rows, row))
      return utf8arrow_no_memory(call->error);
    if (call->layout == ARROW_OFFSETS32 && rows->data.used > INT32_MAX)
      return utf8arrow_too_big(call);
  }
  endGathered(call, rows, indices->count);
  return 0;
}

static int endGathering(Utf8Arrow *call, const ArrowIndices *indices,
                        ArrowGathered *rows, struct ArrowArray *result) {
  const int is_name = call->function->kind == ARROW_NAME;
  if (!utf8arrow_make_array(result, indices->count, is_name ? 3 : 2, 0))
    return utf8arrow_no_memory(call->error);
  result->null_count = -1;
  utf8arrow_own(result, 0, 0, rows->validity);
  utf8arrow_own(result, 1, 1, rows->items);
  if (is_name) utf8arrow_own(result, 2, 2, rows->data.bytes);
  return 0;
}

int utf8arrow_gather(Utf8Arrow *call, const ArrowIndices *indices,
                     struct ArrowArray *entries, struct ArrowArray *result) {
  ArrowGathered rows = {NULL, NULL, {NULL, 0, 0}};
  rows.validity = utf8arrow_bits(indices->count, 0);
  rows.items = utf8arrow_allocate(indices->count + 1, 8);
  int rc = rows.validity && rows.items ? 0 : utf8arrow_no_memory(call->error);
  if (!rc) memset(rows.items, 0, (indices->count + 1) * 8);
  if (!rc) rc = gatherRows(call, indices, entries, &rows);
  if (!rc) rc = endGathering(call, indices, &rows, result);
  if (rc) freeGathered(&rows);
  utf8arrow_release(entries);
  return rc;
}
