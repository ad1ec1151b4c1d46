/* arrow/array.h: arrays of text as a consumer of the Arrow C data interface meets them: checked, and then
** read value by value.
**
** Buffers need no alignment. What belongs to null values is not read, except offsets, which must not
** fall there either.
*/
#ifndef UTF8_ARROW_ARRAY_H
#define UTF8_ARROW_ARRAY_H

#include "arrow/utf8arrow.h"
#include "core/compiler.h"
#include <string.h>

/* How an array stores its values. */
typedef enum ArrowLayout { ARROW_OFFSETS32, ARROW_OFFSETS64, ARROW_VIEWS } ArrowLayout;

/* A type of text. */
typedef struct ArrowType {
  ArrowLayout layout;
  int is_binary;
  int is_null; /* the type null, whose rows have no values: read as text without rows */
  char index;  /* of a dictionary: the format of its indices, such as 'i'; else 0 */
} ArrowType;

/* The bytes of a value. */
typedef struct ArrowValue {
  const uint8_t *bytes; /* not NULL */
  size_t size;
} ArrowValue;

/* Some values of an array, which was checked: all of it, or the entries of a dictionary. */
typedef struct ArrowText {
  ArrowLayout layout;
  size_t count;
  const uint8_t *validity;    /* NULL if no value is null */
  size_t first;               /* the bit of the first value */
  const uint8_t *items;       /* the offsets or views, from the first value on */
  const uint8_t *data;        /* of layouts with offsets */
  const void *const *buffers; /* of views */
} ArrowText;

/* The rows of an array whose values are entries of a dictionary. */
typedef struct ArrowIndices {
  char format;
  size_t count;
  const uint8_t *validity;
  size_t first;
  const uint8_t *items; /* from the first row on */
} ArrowIndices;

/* Reads a schema. `function` is for the message, without "utf8_". Returns a Utf8ArrowCode. */
int utf8arrow_read_type(const char *function, const struct ArrowSchema *schema,
                        ArrowType *type, Utf8ArrowError *error);

/* Checks an array of this type. Stores the values of one without a dictionary in *text; else the rows in *indices,
** and the entries in *text. Returns a Utf8ArrowCode. */
int utf8arrow_read_array(const ArrowType *type, const struct ArrowArray *array,
                         ArrowText *text, ArrowIndices *indices, Utf8ArrowError *error);

/* Stores a message, as printf() does, and returns the code. */
int utf8arrow_fail(Utf8ArrowError *error, int code, const char *format, ...)
#if UTF8_GNU
    __attribute__((format(printf, 3, 4)))
#endif
    ;
int utf8arrow_no_memory(Utf8ArrowError *error);

/* ---- values ------------------------------------------------------------------------------------ */

static inline int arrowBit(const uint8_t *bits, size_t i) {
  return bits[i / 8] >> i % 8 & 1;
}

static inline int32_t arrowLoad32(const uint8_t *items, size_t i) {
  int32_t number;
  memcpy(&number, items + i * sizeof number, sizeof number);
  return number;
}

static inline int64_t arrowLoad64(const uint8_t *items, size_t i) {
  int64_t number;
  memcpy(&number, items + i * sizeof number, sizeof number);
  return number;
}

static inline int arrowIsNull(const ArrowText *text, size_t row) {
  return text->validity && !arrowBit(text->validity, text->first + row);
}

/* Returns where the value of a row starts in data; of row `count`, where the last one ends. Not for views. */
static inline size_t arrowOffset(const ArrowText *text, size_t row) {
  return text->layout == ARROW_OFFSETS32 ? (size_t)arrowLoad32(text->items, row)
                                         : (size_t)arrowLoad64(text->items, row);
}

/* A view of at most 12 bytes has them after its size; else it has a prefix, a buffer, and an offset. */
#define ARROW_VIEW_SIZE   ((size_t)16)
#define ARROW_VIEW_INLINE 12
#define ARROW_VIEW_FIRST  2 /* buffers[2] is the first buffer of data */

static inline ArrowValue arrowViewed(const ArrowText *text, size_t row) {
  const uint8_t *view = text->items + row * ARROW_VIEW_SIZE;
  const size_t size = (size_t)arrowLoad32(view, 0);
  if (size <= ARROW_VIEW_INLINE) return (ArrowValue){view + 4, size};
  const uint8_t *data = text->buffers[ARROW_VIEW_FIRST + arrowLoad32(view, 2)];
  return (ArrowValue){data + arrowLoad32(view, 3), size};
}

/* Returns the value of a row. Of a null, it has any bytes; of a null view, none. */
static inline ArrowValue arrowValue(const ArrowText *text, size_t row) {
  if (text->layout == ARROW_VIEWS)
    return arrowIsNull(text, row) ? (ArrowValue){(const uint8_t *)"", 0}
                                  : arrowViewed(text, row);
  const size_t from = arrowOffset(text, row);
  return (ArrowValue){text->data + from, arrowOffset(text, row + 1) - from};
}

/* Returns rows [from, from + count) of the array. */
static inline ArrowText arrowSliceText(const ArrowText *text, size_t from,
                                       size_t count) {
  static const size_t widths[] = {
      [ARROW_OFFSETS32] = 4, [ARROW_OFFSETS64] = 8, [ARROW_VIEWS] = ARROW_VIEW_SIZE};
  ArrowText slice = *text;
  slice.first += from;
  slice.items += from * widths[text->layout];
  slice.count = count;
  return slice;
}

static inline int arrowIsNullRow(const ArrowIndices *indices, size_t row) {
  return indices->validity && !arrowBit(indices->validity, indices->first + row);
}

/* Returns the entry of a row that is not null. */
size_t utf8arrow_entry(const ArrowIndices *indices, size_t row);

/* Returns rows [from, from + count). */
ArrowIndices utf8arrow_slice_indices(const ArrowIndices *indices, size_t from,
                                     size_t count);

#endif
