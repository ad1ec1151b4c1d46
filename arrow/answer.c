/* arrow/answer.c: answers other than text of the column. */
#include "arrow/call.h"
#include <stdlib.h>

/* ---- each row -------------------------------------------------------------------------------------------- */

/* Answers so far. The layout of names is with offsets. */
typedef struct ArrowAnswers {
  uint8_t *validity, *items;
  size_t next; /* row after the last one with an answer */
  int is_large;
  ArrowBuffer data;
  int64_t answers; /* how many are not null */
} ArrowAnswers;

static int truthVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                      void *state) {
  ArrowAnswers *answers = state;
  if (call->function->find(call, value) == ARROW_USUAL) return call->error->code;
  *is_usual = 0;
  arrowClearBit(answers->items, row);
  return 0;
}

static int countVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                      void *state) {
  ArrowAnswers *answers = state;
  int64_t number;
  if (!call->function->number(call, value, &number)) return call->error->code;
  *is_usual = 0;
  arrowStore64(answers->items, row, number);
  arrowSetBit(answers->validity, row);
  answers->answers++;
  return 0;
}

/* Stores where the names of the rows before this one end. */
static void endNames(ArrowAnswers *answers, size_t row) {
  for (; answers->next <= row; answers->next++) {
    if (answers->is_large) {
      arrowStore64(answers->items, answers->next, (int64_t)answers->data.used);
    } else {
      arrowStore32(answers->items, answers->next, (int32_t)answers->data.used);
    }
  }
}

static int nameVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                     void *state) {
  ArrowAnswers *answers = state;
  const char *name = call->function->named(call, value);
  if (!name) return call->error->code;
  *is_usual = 0;
  endNames(answers, row);
  if (!utf8arrow_append(&answers->data, name, strlen(name)))
    return utf8arrow_no_memory(call->error);
  if (!answers->is_large && answers->data.used > INT32_MAX)
    return utf8arrow_too_big(call);
  arrowSetBit(answers->validity, row);
  answers->answers++;
  return 0;
}

static void freeAnswers(ArrowAnswers *answers) {
  free(answers->validity);
  free(answers->items);
  utf8arrow_clear(&answers->data);
}

/* Allocates what the answers are stored in. Returns 0 if memory runs out. */
static int beginAnswers(Utf8Arrow *call, const ArrowText *text, ArrowAnswers *answers) {
  const ArrowKind kind = call->function->kind;
  *answers = (ArrowAnswers){.is_large = call->layout == ARROW_OFFSETS64};
  if (kind == ARROW_TRUTH) {
    answers->items = utf8arrow_bits(text->count, 1);
    if (text->validity)
      answers->validity = utf8arrow_copy_bits(text->validity, text->first, text->count);
    return answers->items && (answers->validity || !text->validity);
  }
  answers->items = utf8arrow_allocate(text->count + 1, 8);
  answers->validity = utf8arrow_bits(text->count, 0);
  if (answers->items && kind == ARROW_COUNT)
    memset(answers->items, 0, (text->count + 1) * 8);
  return answers->items && answers->validity;
}

/* Moves the answers for `count` rows to an array. */
static int endAnswers(Utf8Arrow *call, ArrowAnswers *answers, size_t count,
                      struct ArrowArray *result) {
  const int is_name = call->function->kind == ARROW_NAME;
  if (is_name) endNames(answers, count);
  if (!utf8arrow_make_array(result, count, is_name ? 3 : 2, 0))
    return utf8arrow_no_memory(call->error);
  utf8arrow_own(result, 0, 0, answers->validity);
  utf8arrow_own(result, 1, 1, answers->items);
  if (is_name) utf8arrow_own(result, 2, 2, answers->data.bytes);
  return 0;
}

int utf8arrow_answer(Utf8Arrow *call, const ArrowText *text,
                     struct ArrowArray *result) {
  static ArrowVisit *const visits[] = {
      [ARROW_TRUTH] = truthVisit, [ARROW_COUNT] = countVisit, [ARROW_NAME] = nameVisit};
  ArrowAnswers answers;
  if (!beginAnswers(call, text, &answers)) {
    freeAnswers(&answers);
    return utf8arrow_no_memory(call->error);
  }
  int rc = utf8arrow_each(call, text, SIZE_MAX, call->function->scan,
                          visits[call->function->kind], &answers);
  if (!rc) rc = endAnswers(call, &answers, text->count, result);
  if (rc) {
    freeAnswers(&answers);
  } else if (call->function->kind == ARROW_TRUTH) {
    result->null_count = text->validity ? -1 : 0;
  } else {
    result->null_count = (int64_t)text->count - answers.answers;
  }
  return rc;
}

/* ---- rows of a dictionary: each entry is answered once ---------------------------------------------------- */

/* Is the answer of a row null? If not, stores the row's entry. */
static int isNullAnswer(const ArrowIndices *indices, const struct ArrowArray *entries,
                        size_t row, size_t *entry) {
  if (arrowIsNullRow(indices, row)) return 1;
  *entry = utf8arrow_entry(indices, row);
  return entries->buffers[0] && !arrowBit(entries->buffers[0], *entry);
}

/* Copies the answer of an entry to a row. Returns 0 if memory runs out. */
static int gatherRow(ArrowKind kind, const struct ArrowArray *entries,
                     const ArrowText *names, size_t entry, ArrowAnswers *rows,
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
  endNames(rows, row);
  const ArrowValue name = arrowValue(names, entry);
  return utf8arrow_append(&rows->data, name.bytes, name.size);
}

static int gatherRows(Utf8Arrow *call, const ArrowIndices *indices,
                      const struct ArrowArray *entries, ArrowAnswers *rows) {
  const ArrowKind kind = call->function->kind;
  const ArrowText names = {.layout = call->layout,
                           .items = entries->buffers[1],
                           .data = kind == ARROW_NAME ? entries->buffers[2] : NULL};
  size_t entry;
  for (size_t row = 0; row < indices->count; row++) {
    if (isNullAnswer(indices, entries, row, &entry)) continue;
    if (!gatherRow(kind, entries, &names, entry, rows, row))
      return utf8arrow_no_memory(call->error);
    if (call->layout == ARROW_OFFSETS32 && rows->data.used > INT32_MAX)
      return utf8arrow_too_big(call);
  }
  return 0;
}

int utf8arrow_gather(Utf8Arrow *call, const ArrowIndices *indices,
                     struct ArrowArray *entries, struct ArrowArray *result) {
  ArrowAnswers rows = {.is_large = call->layout == ARROW_OFFSETS64};
  rows.validity = utf8arrow_bits(indices->count, 0);
  rows.items = utf8arrow_allocate(indices->count + 1, 8);
  int rc = rows.validity && rows.items ? 0 : utf8arrow_no_memory(call->error);
  if (!rc) memset(rows.items, 0, (indices->count + 1) * 8);
  if (!rc) rc = gatherRows(call, indices, entries, &rows);
  if (!rc) rc = endAnswers(call, &rows, indices->count, result);
  if (rc) {
    freeAnswers(&rows);
  } else {
    result->null_count = -1;
  }
  utf8arrow_release(entries);
  return rc;
}
