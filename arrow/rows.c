/* arrow/rows.c: the answers for the rows of an array. */
#include "arrow/call.h"
#include "core/bytes.h"
#include <stdlib.h>

/* ---- each row that may not have the usual answer ----------------------------------------------------- */

/* skip() looks at ARROW_STREAK adjacent values, and at twice as many each time that all of them were usual. Where it
** stops earlier, its time was lost: it is called again after `patience` usual values, and after twice as many each time
** that it stops, up to patience_max. pass() costs less than find(), so it is left alone for longer. */
enum {
  ARROW_STREAK = 16,
  ARROW_STREAK_MAX = 4096,
  ARROW_PATIENCE = 8,
  ARROW_PATIENCE_MAX = 16,
  ARROW_PATIENCE_PASS = 64,
  ARROW_PATIENCE_PASS_MAX = 512
};

/* How many bytes it looks at, at most, so that they are in the cache when it is checked where values start. */
#define ARROW_STREAK_BYTES ((size_t)1 << 16)

/* Returns how many of the rows from `row` on are sure to have the usual answer. */
static size_t skipRows(Utf8Arrow *call, const ArrowText *text, ArrowSkip *skip,
                       size_t row, size_t count) {
  const size_t from = arrowOffset(text, row),
               size = arrowOffset(text, row + count) - from;
  const uint8_t *bytes = text->data + from;
  size_t place = skip(call, (ArrowValue){bytes, size}), done = 0;
  if (place == 0) return 0; /* utf-16 adds a mark even to the empty value */
  if (place > size) place = size;
  for (; done < count; done++) {
    const size_t end = arrowOffset(text, row + done + 1) - from;
    if (end > place || (end < size && (bytes[end] & 0xC0) == 0x80)) break;
  }
  return done;
}

typedef struct ArrowStreak {
  size_t next;     /* how many values skip() looks at next */
  size_t patience; /* after how many usual ones */
  size_t patience_min, patience_max;
  size_t usual; /* since it stopped, or since one that was not */
} ArrowStreak;

/* At first, skip() looks at as many values as it can. */
static ArrowStreak beginStreak(ArrowScan scan) {
  const size_t min = scan.pass ? ARROW_PATIENCE_PASS : ARROW_PATIENCE,
               max = scan.pass ? ARROW_PATIENCE_PASS_MAX : ARROW_PATIENCE_MAX;
  return (ArrowStreak){.next = ARROW_STREAK_MAX,
                       .patience = min,
                       .patience_min = min,
                       .patience_max = max,
                       .usual = min};
}

/* Chooses what is looked at next: after a streak of usual values, or after skip() has stopped. */
static void adapt(ArrowStreak *streak, int is_whole) {
  streak->next =
      is_whole ? bytes_min(2 * streak->next, ARROW_STREAK_MAX) : ARROW_STREAK;
  streak->patience = is_whole ? streak->patience_min
                              : bytes_min(2 * streak->patience, streak->patience_max);
  if (!is_whole) streak->usual = 0;
}

/* Returns how many of the rows [row..end) have the usual answer, up to where skip() stops. */
static size_t skipStreak(Utf8Arrow *call, const ArrowText *text, ArrowSkip *skip,
                         size_t row, size_t end, ArrowStreak *streak) {
  size_t count = bytes_min(streak->next, end - row);
  if (!skip || text->layout == ARROW_VIEWS || streak->usual < streak->patience)
    return 0;
  const size_t from = arrowOffset(text, row);
  while (count > 1 && arrowOffset(text, row + count) - from > ARROW_STREAK_BYTES)
    count /= 2;
  if (count < 2) return 0;
  const size_t skipped = skipRows(call, text, skip, row, count);
  adapt(streak, skipped == count);
  return skipped;
}

/* Returns how many of the rows [row..end) pass() finds to have the usual answer, before skip() is called again. */
static size_t passStreak(Utf8Arrow *call, const ArrowText *text, ArrowPass *pass,
                         size_t row, size_t end, ArrowStreak *streak) {
  size_t rows = end - row;
  if (!pass) return 0;
  if (text->layout != ARROW_VIEWS) {
    if (streak->usual >= streak->patience) return 0;
    rows = bytes_min(streak->patience - streak->usual, rows);
  }
  const size_t passed = pass(call, text, row, rows);
  streak->usual += passed;
  return passed;
}

/* Forgets what is known of a value. */
static void forgetValue(Utf8Arrow *call) {
  call->first_error = NULL;
  call->is_ill_formed = 0;
}

int utf8arrow_each(Utf8Arrow *call, const ArrowText *text, size_t rows, ArrowScan scan,
                   ArrowVisit *visit, void *state) {
  const size_t end = bytes_min(rows, text->count);
  ArrowStreak streak = beginStreak(scan);
  forgetValue(call); /* the memory may be that of an array before */
  for (size_t row = 0; row < end;) {
    row += skipStreak(call, text, scan.skip, row, end, &streak);
    row += passStreak(call, text, scan.pass, row, end, &streak);
    if (row == end) break;
    int is_usual = 1;
    if (!arrowIsNull(text, row)) {
      const int rc = visit(call, row, arrowValue(text, row), &is_usual, state);
      if (rc) return rc;
    }
    forgetValue(call); /* the next one may start inside of a sequence */
    streak.usual = is_usual ? streak.usual + 1 : 0;
    row++;
  }
  return 0;
}

int utf8arrow_each_row(Utf8Arrow *call, const ArrowText *text,
                       const ArrowIndices *indices, size_t rows, ArrowScan scan,
                       ArrowVisit *visit) {
  int rc = 0, is_usual;
  if (!indices) return utf8arrow_each(call, text, rows, scan, visit, NULL);
  forgetValue(call);
  for (size_t row = 0; row < indices->count && row < rows && !rc; row++) {
    if (arrowIsNullRow(indices, row)) continue;
    const size_t entry = utf8arrow_entry(indices, row);
    if (!arrowIsNull(text, entry))
      rc = visit(call, row, arrowValue(text, entry), &is_usual, NULL);
  }
  return rc;
}

int utf8arrow_too_big(Utf8Arrow *call) {
  return utf8arrow_fail(
      call->error, UTF8_ARROW_TOO_BIG,
      "utf8_%s: the result has more than 2147483647 bytes; cast the column "
      "to large_string or large_binary",
      call->function->name);
}

/* ---- text that is changed -------------------------------------------------------------------------------- */

/* The changed text in the making: rows [0..done) are whole. */
typedef struct ArrowChanges {
  const ArrowText *text;
  size_t buffer; /* of views: which one data will be */
  size_t done;
  uint8_t *items;    /* offsets or views; NULL until the first change */
  uint8_t *validity; /* NULL until an answer is null */
  ArrowBuffer data;
} ArrowChanges;

static void freeChanges(ArrowChanges *changes) {
  free(changes->items);
  free(changes->validity);
  utf8arrow_clear(&changes->data);
}

static int beginChanges(Utf8Arrow *call, ArrowChanges *changes) {
  if (changes->items) return 0;
  const size_t width = call->layout == ARROW_VIEWS ? ARROW_VIEW_SIZE : 8;
  changes->items = utf8arrow_allocate(changes->text->count + 1, width);
  if (!changes->items) return utf8arrow_no_memory(call->error);
  if (call->layout != ARROW_VIEWS) arrowStore64(changes->items, 0, 0);
  return 0;
}

/* Stores where a row ends. Returns 0 or UTF8_ARROW_TOO_BIG. */
static int endRow(Utf8Arrow *call, ArrowChanges *changes, size_t row, size_t end) {
  if (call->layout == ARROW_OFFSETS64) {
    arrowStore64(changes->items, row + 1, (int64_t)end);
  } else {
    if (end > INT32_MAX) return utf8arrow_too_big(call);
    arrowStore32(changes->items, row + 1, (int32_t)end);
  }
  return 0;
}

/* Copies unchanged rows up to `row`. */
static int copyOffsets(Utf8Arrow *call, ArrowChanges *changes, size_t row) {
  const ArrowText *text = changes->text;
  const size_t from = arrowOffset(text, changes->done), to = arrowOffset(text, row);
  const size_t start = changes->data.used;
  if (!utf8arrow_append(&changes->data, text->data + from, to - from))
    return utf8arrow_no_memory(call->error);
  if (call->layout == ARROW_OFFSETS32 && changes->data.used > INT32_MAX)
    return utf8arrow_too_big(call);
  for (; changes->done < row; changes->done++)
    if (endRow(call, changes, changes->done,
               start + (arrowOffset(text, changes->done + 1) - from)))
      return call->error->code;
  return 0;
}

static void copyViews(ArrowChanges *changes, size_t row) {
  const ArrowText *text = changes->text;
  for (; changes->done < row; changes->done++) {
    uint8_t *view = changes->items + changes->done * ARROW_VIEW_SIZE;
    if (arrowIsNull(text, changes->done)) {
      memset(view, 0, ARROW_VIEW_SIZE);
    } else {
      memcpy(view, text->items + changes->done * ARROW_VIEW_SIZE, ARROW_VIEW_SIZE);
    }
  }
}

static int copyRows(Utf8Arrow *call, ArrowChanges *changes, size_t row) {
  const int rc = beginChanges(call, changes);
  if (rc || changes->text->layout != ARROW_VIEWS)
    return rc ? rc : copyOffsets(call, changes, row);
  copyViews(changes, row);
  return 0;
}

/* Stores the view of data[start..used). */
static int storeView(Utf8Arrow *call, ArrowChanges *changes, size_t row, size_t start) {
  uint8_t *view = changes->items + row * ARROW_VIEW_SIZE;
  const size_t size = changes->data.used - start;
  if (changes->data.used > INT32_MAX) return utf8arrow_too_big(call);
  memset(view, 0, ARROW_VIEW_SIZE);
  arrowStore32(view, 0, (int32_t)size);
  if (size) memcpy(view + 4, changes->data.bytes + start, bytes_min(size, 12));
  if (size <= ARROW_VIEW_INLINE) {
    changes->data.used = start;
  } else {
    arrowStore32(view, 2, (int32_t)changes->buffer);
    arrowStore32(view, 3, (int32_t)start);
  }
  return 0;
}

/* Makes the answer for a row null, whose bytes were dropped. */
static int setNull(Utf8Arrow *call, ArrowChanges *changes, size_t row) {
  const ArrowText *text = changes->text;
  if (!changes->validity)
    changes->validity =
        text->validity ? utf8arrow_copy_bits(text->validity, text->first, text->count)
                       : utf8arrow_bits(text->count, 1);
  if (!changes->validity) return utf8arrow_no_memory(call->error);
  arrowClearBit(changes->validity, row);
  return 0;
}

static int writeRow(Utf8Arrow *call, ArrowChanges *changes, size_t row,
                    ArrowValue value, size_t at) {
  const size_t start = changes->data.used;
  int rc = call->function->write(call, value, at, &changes->data);
  if (rc > 0) return rc;
  if (rc == ARROW_NULL_ANSWER) {
    changes->data.used = start;
    rc = setNull(call, changes, row);
    if (rc) return rc;
  }
  changes->done = row + 1;
  return call->layout == ARROW_VIEWS ? storeView(call, changes, row, start)
                                     : endRow(call, changes, row, changes->data.used);
}

static int changeVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                       void *state) {
  const size_t at = call->function->find(call, value);
  if (at == ARROW_USUAL) return call->error->code;
  *is_usual = 0;
  const int rc = copyRows(call, state, row);
  return rc ? rc : writeRow(call, state, row, value, at);
}

/* Makes buffers of views: those of the chunk, which is moved to the array, and then those that are new. */
static void shareViews(ArrowChanges *changes, int64_t *sizes, struct ArrowArray *chunk,
                       struct ArrowArray *result) {
  ArrowOwned *owned = result->private_data;
  const size_t count = changes->buffer;
  for (size_t i = 0; i < count; i++)
    owned->buffers[ARROW_VIEW_FIRST + i] = chunk->buffers[ARROW_VIEW_FIRST + i];
  if (count) memcpy(sizes, chunk->buffers[chunk->n_buffers - 1], count * sizeof *sizes);
  sizes[count] = (int64_t)changes->data.used;
  utf8arrow_own(result, 2, ARROW_VIEW_FIRST + count, changes->data.bytes);
  utf8arrow_own(result, 3, ARROW_VIEW_FIRST + count + 1, sizes);
  utf8arrow_move(chunk, &owned->source);
}

/* Makes the array of changed text. */
static int endChanges(Utf8Arrow *call, ArrowChanges *changes, struct ArrowArray *chunk,
                      struct ArrowArray *result) {
  const ArrowText *text = changes->text;
  const int has_views = call->layout == ARROW_VIEWS;
  int rc = copyRows(call, changes, text->count);
  if (!rc && text->validity && !changes->validity) {
    changes->validity = utf8arrow_copy_bits(text->validity, text->first, text->count);
    if (!changes->validity) rc = utf8arrow_no_memory(call->error);
  }
  if (rc) return rc;
  int64_t *sizes =
      has_views ? utf8arrow_allocate(changes->buffer + 1, sizeof *sizes) : NULL;
  if ((has_views && !sizes) ||
      !utf8arrow_make_array(result, text->count, has_views ? changes->buffer + 4 : 3,
                            0)) {
    free(sizes);
    return utf8arrow_no_memory(call->error);
  }
  result->null_count = changes->validity ? -1 : 0;
  utf8arrow_own(result, 0, 0, changes->validity);
  utf8arrow_own(result, 1, 1, changes->items);
  if (has_views) {
    shareViews(changes, sizes, chunk, result);
  } else {
    utf8arrow_own(result, 2, 2, changes->data.bytes);
  }
  return 0;
}

int utf8arrow_change(Utf8Arrow *call, const ArrowText *text, struct ArrowArray *chunk,
                     struct ArrowArray *result) {
  ArrowChanges changes = {.text = text};
  if (text->layout == ARROW_VIEWS) changes.buffer = (size_t)chunk->n_buffers - 3;
  result->release = NULL;
  int rc =
      utf8arrow_each(call, text, SIZE_MAX, call->function->scan, changeVisit, &changes);
  const int is_same = !changes.items && text->layout == call->layout;
  if (!rc && !is_same) rc = endChanges(call, &changes, chunk, result);
  if (rc) freeChanges(&changes);
  return rc;
}
