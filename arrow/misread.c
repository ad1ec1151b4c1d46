/* arrow/misread.c: misread text, by the values of its column.
**
** The column is what a table of one column is in utf8_audit (audit/misread.c). Its values show misread UTF-8
** (mojibake/column.h), and text in a legacy charset that was read as Latin-1 (detect/misread.h). Hardly any column has the
** latter. So a column is searched for long words that may be such text, many values at a time, and read value by value
** only if it has some.
*/
#include "arrow/call.h"
#include "mojibake/codes.h"
#include "core/bytes.h"
#include <stdlib.h>

/* ---- the search ------------------------------------------------------------------------------------------- */

/* A word that makes a value strong has at least four code points of two bytes or more. So it has a lane, which is four
** bytes beyond ASCII at a multiple of four. */
#define MISREAD_LANE  ((size_t)4)
#define MISREAD_SOON  ((size_t)16)
#define MISREAD_BLOCK ((size_t)128)

static uint32_t isHighLane(const uint8_t *bytes) {
  uint32_t lane;
  memcpy(&lane, bytes, sizeof lane);
  return (lane & 0x80808080) == 0x80808080;
}

static uint32_t hasHighLane(const uint8_t *block) {
  uint32_t found = 0;
  for (size_t i = 0; i < MISREAD_BLOCK; i += MISREAD_LANE)
    found |= isHighLane(block + i);
  return found;
}

/* Returns where the first lane in text[at..end) is, counted from `at`; or end. Checks some lanes before whole blocks: text
** of another script has one soon. */
static size_t findHighLane(const uint8_t *text, size_t at, size_t end) {
  const size_t soon = at + bytes_min(end - at, MISREAD_SOON);
  for (; soon - at >= MISREAD_LANE; at += MISREAD_LANE)
    if (isHighLane(text + at)) return at;
  while (end - at >= MISREAD_BLOCK && !hasHighLane(text + at)) at += MISREAD_BLOCK;
  for (; end - at >= MISREAD_LANE; at += MISREAD_LANE)
    if (isHighLane(text + at)) return at;
  return end;
}

/* Does Windows-1252 have the code point of value[at]? Its lead bytes are C2, C3, C5, C6, CB and E2. */
static int isInMisread(const uint8_t *value, size_t at) {
  const uint64_t leads = (uint64_t)1 << 2 | (uint64_t)1 << 3 | (uint64_t)1 << 5 |
                         (uint64_t)1 << 6 | (uint64_t)1 << 0xB | (uint64_t)1 << 0x22;
  for (size_t back = 0; back < 3 && back <= at; back++) {
    const uint8_t byte = value[at - back];
    if (byte >= 0xC0) return leads >> (byte & 0x3F) & 1;
  }
  return 0;
}

/* Counts a value if it is strong. Its first lane is at `at`. A value with a character of another script is not. */
static void countStrong(Utf8Arrow *call, ArrowValue value, size_t at) {
  Utf8MisreadValue read;
  if (call->misread_strong == UTF8_MISREAD_ENOUGH || !isInMisread(value.bytes, at))
    return;
  utf8detect_misread_read(&read, value.bytes, value.size);
  call->misread_strong += read.kind == UTF8_MISREAD_STRONG;
}

static int strongVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                       void *state) {
  const size_t at = findHighLane(value.bytes, 0, value.size);
  (void)row, (void)is_usual, (void)state;
  if (at < value.size) countStrong(call, value, at);
  return 0;
}

/* Searches values that are adjacent. */
static void searchAdjacent(Utf8Arrow *call, const ArrowText *text) {
  const size_t end = arrowOffset(text, text->count);
  size_t row = 0, at = arrowOffset(text, 0);
  while ((at = findHighLane(text->data, at, end)) < end) {
    while (arrowOffset(text, row + 1) <= at) row++;
    const size_t start = arrowOffset(text, row);
    if (!arrowIsNull(text, row)) countStrong(call, arrowValue(text, row), at - start);
    at = arrowOffset(text, ++row);
  }
}

static int searchMisread(Utf8Arrow *call, const ArrowText *text,
                         const ArrowIndices *indices) {
  if (indices || text->layout == ARROW_VIEWS)
    return utf8arrow_each_row(call, text, indices, SIZE_MAX, (ArrowScan){NULL, NULL},
                              strongVisit);
  searchAdjacent(call, text);
  return 0;
}

/* ---- values of the column --------------------------------------------------------------------------------- */

/* Adds a value: other than strong ones, only those after the first strong one. */
static int misreadVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                        void *state) {
  Utf8MisreadColumn *column = &call->misread_text->column;
  Utf8MisreadValue read;
  (void)row, (void)is_usual, (void)state;
  utf8detect_misread_read(&read, value.bytes, value.size);
  column->has_latin |= read.kind == UTF8_MISREAD_LATIN;
  if (column->strong == 0 && read.kind != UTF8_MISREAD_STRONG) return 0;
  if (read.kind == UTF8_MISREAD_NOTHING) {
    utf8detect_misread_add_clean(column, value.bytes, value.size);
  } else {
    utf8detect_misread_add(column, call->evidence, &read);
  }
  return 0;
}

static int addMisreadValues(Utf8Arrow *call, const ArrowText *text,
                            const ArrowIndices *indices) {
  return utf8arrow_each_row(call, text, indices, SIZE_MAX, (ArrowScan){NULL, NULL},
                            misreadVisit);
}

static int mojibakeVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                         void *state) {
  (void)row, (void)is_usual, (void)state;
  if (utf8core_valid(value.bytes, value.size))
    utf8mojibake_column_add(&call->mojibake->column, value.bytes, value.size);
  return 0;
}

static int addMojibakeValues(Utf8Arrow *call, const ArrowText *text,
                             const ArrowIndices *indices) {
  return utf8arrow_each_row(call, text, indices, SIZE_MAX,
                            (ArrowScan){.skip = utf8arrow_skip_ascii}, mojibakeVisit);
}

/* ---- which rows are read ---------------------------------------------------------------------------------- */

/* Reads adjacent rows; of a dictionary, those of the indices, which otherwise are NULL. */
typedef int MisreadReader(Utf8Arrow *call, const ArrowText *text,
                          const ArrowIndices *indices);

/* An array of the column that was checked, and which rows of the column it has. */
typedef struct MisreadChunk {
  ArrowText text;
  ArrowIndices indices;
  size_t from, end;
} MisreadChunk;

/* Reads those of the column's rows [from..end) that are in the chunk. */
static int readMisreadRange(Utf8Arrow *call, MisreadReader *read,
                            const MisreadChunk *chunk, size_t from, size_t end) {
  if (from < chunk->from) from = chunk->from;
  end = bytes_min(end, chunk->end);
  if (from >= end) return 0;
  const size_t first = from - chunk->from, count = end - from;
  if (call->type.index) {
    const ArrowIndices slice = utf8arrow_slice_indices(&chunk->indices, first, count);
    return read(call, &chunk->text, &slice);
  }
  const ArrowText slice = arrowSliceText(&chunk->text, first, count);
  return read(call, &slice, NULL);
}

/* Reads what the chunk has of the column's first rows and of the samples of the others. */
static int readMisreadSamples(Utf8Arrow *call, MisreadReader *read,
                              const MisreadChunk *chunk, size_t rows) {
  const size_t first = bytes_min(rows, UTF8_MISREAD_ROWS);
  const size_t step = (rows - first) / UTF8_MISREAD_SAMPLES;
  if (step <= UTF8_MISREAD_SAMPLE_ROWS)
    return readMisreadRange(call, read, chunk, 0, rows);
  int rc = readMisreadRange(call, read, chunk, 0, first);
  for (size_t i = 0; i < UTF8_MISREAD_SAMPLES && !rc; i++) {
    const size_t from = first + step * i;
    rc = readMisreadRange(call, read, chunk, from, from + UTF8_MISREAD_SAMPLE_ROWS);
  }
  return rc;
}

static size_t countMisreadRows(const Utf8Arrow *call) {
  size_t rows = 0;
  for (size_t i = 0; i < call->chunk_count; i++) rows += (size_t)call->chunks[i].length;
  return rows;
}

/* Reads the rows that utf8_audit reads. */
static int readMisreadColumn(Utf8Arrow *call, MisreadReader *read) {
  const size_t rows = countMisreadRows(call);
  MisreadChunk chunk = {.end = 0};
  for (size_t i = 0; i < call->chunk_count; i++) {
    int rc = utf8arrow_read_array(&call->type, &call->chunks[i], &chunk.text,
                                  &chunk.indices, call->error);
    if (rc) return rc;
    chunk.from = chunk.end;
    chunk.end += (size_t)call->chunks[i].length;
    rc = readMisreadSamples(call, read, &chunk, rows);
    if (rc) return rc;
  }
  return 0;
}

/* ---- the column ------------------------------------------------------------------------------------------- */

static int beginMisreadText(Utf8Arrow *call) {
  if (!call->evidence) call->evidence = malloc(sizeof *call->evidence);
  if (!call->misread_text) call->misread_text = calloc(1, sizeof *call->misread_text);
  return call->evidence && call->misread_text ? 0 : utf8arrow_no_memory(call->error);
}

static void freeMisreadText(Utf8Arrow *call) {
  if (call->misread_text) utf8arrow_clear(&call->misread_text->bytes);
  free(call->misread_text);
  call->misread_text = NULL;
}

static void forgetMojibake(Utf8Arrow *call) {
  free(call->mojibake);
  call->mojibake = NULL;
}

void utf8arrow_free_misread(Utf8Arrow *call) {
  freeMisreadText(call);
  forgetMojibake(call);
}

static int addMisreadText(Utf8Arrow *call) {
  call->misread_strong = 0;
  int rc = readMisreadColumn(call, searchMisread);
  if (rc || call->misread_strong < UTF8_MISREAD_ENOUGH) return rc;
  rc = beginMisreadText(call);
  if (!rc) rc = readMisreadColumn(call, addMisreadValues);
  if (rc || !utf8detect_misread_estimate(&call->misread_text->column))
    freeMisreadText(call);
  return rc;
}

/* The column is all that its table has. */
static int learnMojibake(Utf8Arrow *call) {
  call->mojibake = calloc(1, sizeof *call->mojibake);
  if (!call->mojibake) return utf8arrow_no_memory(call->error);
  const int rc = readMisreadColumn(call, addMojibakeValues);
  ArrowMojibake *m = call->mojibake;
  utf8mojibake_column_merge(&m->table, &m->column);
  if (rc || !utf8mojibake_column_estimate(&m->table) ||
      !utf8mojibake_column_estimate(&m->column))
    forgetMojibake(call);
  return rc;
}

int utf8arrow_add_misread(Utf8Arrow *call) {
  utf8arrow_free_misread(call);
  const int rc = addMisreadText(call);
  return rc ? rc : learnMojibake(call);
}

/* ---- one value ----------------------------------------------------------------------------------------------- */

int utf8arrow_is_misread(Utf8Arrow *call, ArrowValue value) {
  ArrowMisread *misread = call->misread_text;
  Utf8MisreadValue read;
  if (!misread) return 0;
  utf8detect_misread_read(&read, value.bytes, value.size);
  misread->through = read.through;
  return utf8detect_misread_decide(&misread->column, call->evidence, &read,
                                   &misread->reading);
}

/* Stores the bytes that the value was misread from. Returns 0 or UTF8_ARROW_NO_MEMORY. */
static int findMisreadBytes(Utf8Arrow *call, ArrowValue value) {
  ArrowBuffer *out = &call->misread_text->bytes;
  Utf8Conversion c = {.charset = call->misread_text->through, .dialect = UTF8_STRICT};
  out->used = 0;
  if (!utf8arrow_grow(out, value.size + UTF8_CHARSET_ROOM))
    return utf8arrow_no_memory(call->error);
  out->used = utf8core_encode(&c, value.bytes, value.size, out->bytes, out->room);
  return 0;
}

int utf8arrow_restore_misread(Utf8Arrow *call, ArrowValue value, ArrowBuffer *out) {
  const ArrowMisread *misread = call->misread_text;
  if (findMisreadBytes(call, value)) return call->error->code;
  const ArrowValue bytes = {misread->bytes.bytes, misread->bytes.used};
  return utf8arrow_decode(call, misread->reading.cause.charset, bytes, out);
}

int utf8arrow_is_mojibake(Utf8Arrow *call, ArrowValue value) {
  ArrowMojibake *m = call->mojibake;
  Utf8MojibakeFound found;
  if (!m || !utf8mojibake_column_find(&m->column, &m->table, value.bytes, value.size,
                                      &found, &m->probability))
    return 0;
  m->charset = (Utf8Charset)utf8mojibake_charset[found.charset];
  return 1;
}
