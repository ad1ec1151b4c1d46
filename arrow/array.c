/* arrow/array.c: checks arrays of text.
**
** An array comes from another library, over which nothing is known: one that contradicts the interface
** is an error. Where the sizes of its buffers are known, nothing outside of them is read.
*/
#include "arrow/array.h"
#include "core/bytes.h"
#include <stdarg.h>
#include <stdio.h>

int utf8arrow_fail(Utf8ArrowError *error, int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  error->code = code;
  vsnprintf(error->message, sizeof error->message, format, arguments);
  va_end(arguments);
  return code;
}

int utf8arrow_no_memory(Utf8ArrowError *error) {
  return utf8arrow_fail(error, UTF8_ARROW_NO_MEMORY, "out of memory");
}

/* ---- types -------------------------------------------------------------------------------------- */

/* Formats of Arrow's types, and their names. After ':' a format has parameters. */
typedef struct ArrowFormat {
  char format[5];
  char name[18];
} ArrowFormat;

static const ArrowFormat arrowTextFormats[] = {
    {"u", "string"}, {"U", "large_string"}, {"vu", "string_view"},
    {"z", "binary"}, {"Z", "large_binary"}, {"vz", "binary_view"}};
enum { ARROW_TEXT_FORMATS = sizeof arrowTextFormats / sizeof *arrowTextFormats };

static const ArrowFormat arrowOtherFormats[] = {{"n", "null"},
                                                {"b", "bool"},
                                                {"c", "int8"},
                                                {"C", "uint8"},
                                                {"s", "int16"},
                                                {"S", "uint16"},
                                                {"i", "int32"},
                                                {"I", "uint32"},
                                                {"l", "int64"},
                                                {"L", "uint64"},
                                                {"e", "float16"},
                                                {"f", "float32"},
                                                {"g", "float64"},
                                                {"+l", "list"},
                                                {"+L", "large_list"},
                                                {"+s", "struct"},
                                                {"+m", "map"},
                                                {"+r", "run_end_encoded"},
                                                {"+vl", "list_view"},
                                                {"+vL", "large_list_view"},
                                                {"w:", "fixed_size_binary"},
                                                {"+w:", "fixed_size_list"},
                                                {"+ud:", "dense_union"},
                                                {"+us:", "sparse_union"},
                                                {"d:", "decimal"}};
enum { ARROW_OTHER_FORMATS = sizeof arrowOtherFormats / sizeof *arrowOtherFormats };

/* Returns the name of a type that is not text; its format if it is not listed. */
static const char *arrowTypeName(const char *format) {
  const size_t size = strcspn(format, ":") + (strchr(format, ':') != NULL);
  for (size_t i = 0; i < ARROW_OTHER_FORMATS; i++)
    if (strlen(arrowOtherFormats[i].format) == size &&
        memcmp(format, arrowOtherFormats[i].format, size) == 0)
      return arrowOtherFormats[i].name;
  return format;
}

static int arrowWrongType(const char *function, const struct ArrowSchema *schema,
                          Utf8ArrowError *error) {
  return utf8arrow_fail(
      error, UTF8_ARROW_TYPE,
      "utf8_%s: argument 1 (X) has the Arrow type %s%.100s; accepted: string, "
      "large_string, "
      "string_view, binary, large_binary, binary_view, or a dictionary of one of these",
      function, schema->dictionary ? "dictionary of " : "",
      arrowTypeName(schema->dictionary && schema->dictionary->format
                        ? schema->dictionary->format
                        : schema->format));
}

/* Stores the type of a schema without a dictionary. Returns 0 if it is not text. */
static int arrowReadText(const struct ArrowSchema *schema, ArrowType *type) {
  static const ArrowLayout layouts[] = {ARROW_OFFSETS32, ARROW_OFFSETS64, ARROW_VIEWS};
  if (!schema->format || schema->n_children || schema->dictionary) return 0;
  for (size_t i = 0; i < ARROW_TEXT_FORMATS; i++) {
    if (strcmp(schema->format, arrowTextFormats[i].format) != 0) continue;
    type->layout = layouts[i % 3];
    type->is_binary = i >= 3;
    return 1;
  }
  return 0;
}

static int arrowIsIndex(const char *format) {
  return format[0] && !format[1] && strchr("cCsSiIlL", format[0]);
}

int utf8arrow_read_type(const char *function, const struct ArrowSchema *schema,
                        ArrowType *type, Utf8ArrowError *error) {
  *type = (ArrowType){.index = 0};
  if (!schema->release || !schema->format)
    return utf8arrow_fail(error, UTF8_ARROW_ARRAY,
                          "utf8_%s: the Arrow schema was released", function);
  type->is_null =
      !schema->dictionary && !schema->n_children && strcmp(schema->format, "n") == 0;
  if (type->is_null) return 0;
  if (!schema->dictionary)
    return arrowReadText(schema, type) ? 0 : arrowWrongType(function, schema, error);
  if (!arrowIsIndex(schema->format) || !arrowReadText(schema->dictionary, type))
    return arrowWrongType(function, schema, error);
  type->index = schema->format[0];
  return 0;
}

/* ---- arrays ---------------------------------------------------------------------------------------- */

static int arrowBroken(Utf8ArrowError *error, const char *what) {
  return utf8arrow_fail(error, UTF8_ARROW_ARRAY, "the Arrow array is broken: %s", what);
}

/* Returns how many of the bits are 0. */
static size_t arrowCountNulls(const uint8_t *bits, size_t first, size_t count) {
  size_t nulls = 0, i = 0;
  for (; i < count && (first + i) % 8; i++) nulls += !arrowBit(bits, first + i);
  const uint8_t *bytes = bits + (first + i) / 8;
  for (; count - i >= 64; i += 64, bytes += 8)
    nulls += 64 - mask_count(bytes_load64(bytes));
  for (; i < count; i++) nulls += !arrowBit(bits, first + i);
  return nulls;
}

/* No item of a buffer has more bytes than a view. */
#define ARROW_LENGTH_MAX                                                               \
  ((int64_t)(SIZE_MAX / 64 < INT64_MAX / 64 ? SIZE_MAX / 64 : INT64_MAX / 64))

static int arrowCheckRows(const struct ArrowArray *array, Utf8ArrowError *error) {
  if (!array->release) return arrowBroken(error, "it was released");
  if (array->length < 0 || array->offset < 0 || array->length > ARROW_LENGTH_MAX ||
      array->offset > ARROW_LENGTH_MAX - array->length)
    return arrowBroken(error, "its length or its offset is out of range");
  return array->n_children ? arrowBroken(error, "it has children") : 0;
}

/* Checks what arrays with values have: counts and the bitmap of nulls. */
static int arrowCheckArray(const struct ArrowArray *array, int64_t buffers,
                           int is_exact, Utf8ArrowError *error) {
  const int rc = arrowCheckRows(array, error);
  if (rc) return rc;
  if (array->n_buffers < buffers || (is_exact && array->n_buffers > buffers) ||
      !array->buffers)
    return arrowBroken(error, "it has another number of buffers than its type");
  if (array->null_count < -1 || array->null_count > array->length)
    return arrowBroken(error, "its null count is out of range");
  if (array->null_count > 0 && !array->buffers[0])
    return arrowBroken(error, "it has nulls, and no bitmap of them");
  if (array->null_count >= 0 && array->buffers[0] &&
      (size_t)array->null_count != arrowCountNulls(array->buffers[0],
                                                   (size_t)array->offset,
                                                   (size_t)array->length))
    return arrowBroken(error, "its null count differs from its bitmap");
  if (array->length > 0 && !array->buffers[1])
    return arrowBroken(error, "a buffer is missing");
  return 0;
}

/* Do the offsets start at 0 or above, and do they never fall? */
static int arrowOffsetsRise(const ArrowText *text) {
  int64_t before = 0, falls = 0;
  for (size_t i = 0; i <= text->count; i++) {
    const int64_t next = text->layout == ARROW_OFFSETS32 ? arrowLoad32(text->items, i)
                                                         : arrowLoad64(text->items, i);
    falls |= (next < before) | (next < 0);
    before = next;
  }
  return !falls && (uint64_t)before <= SIZE_MAX;
}

static int arrowReadOffsets(const struct ArrowArray *array, ArrowText *text,
                            Utf8ArrowError *error) {
  static const uint8_t none[16];
  const size_t width = text->layout == ARROW_OFFSETS32 ? 4 : 8;
  /* An array without rows may have no offsets at all. */
  text->items = none;
  if (text->count > 0)
    text->items = (const uint8_t *)array->buffers[1] + text->first * width;
  if (!arrowOffsetsRise(text)) return arrowBroken(error, "its offsets fall");
  text->data = array->buffers[2];
  if (!text->data && arrowOffset(text, text->count) > arrowOffset(text, 0))
    return arrowBroken(error, "a buffer is missing");
  if (!text->data) text->data = none;
  return 0;
}

/* Does the view of a value lie in the buffers? `sizes` has their sizes. */
static int arrowIsViewInside(const struct ArrowArray *array, const uint8_t *view,
                             const uint8_t *sizes) {
  const int64_t size = arrowLoad32(view, 0);
  const int64_t buffer = arrowLoad32(view, 2), offset = arrowLoad32(view, 3);
  if (size < 0) return 0;
  if (size <= ARROW_VIEW_INLINE) return 1;
  if (buffer < 0 || buffer >= array->n_buffers - 3 || offset < 0 || !sizes) return 0;
  return array->buffers[ARROW_VIEW_FIRST + buffer] &&
         offset + size <= arrowLoad64(sizes, (size_t)buffer);
}

static int arrowReadViews(const struct ArrowArray *array, ArrowText *text,
                          Utf8ArrowError *error) {
  const uint8_t *sizes = array->buffers[array->n_buffers - 1];
  text->items = array->buffers[1];
  if (text->count > 0) text->items += text->first * ARROW_VIEW_SIZE;
  text->buffers = array->buffers;
  for (size_t row = 0; row < text->count; row++) {
    if (arrowIsNull(text, row)) continue;
    if (!arrowIsViewInside(array, text->items + row * ARROW_VIEW_SIZE, sizes))
      return arrowBroken(error, "a view is outside of the buffers");
  }
  return 0;
}

static int arrowReadValues(ArrowLayout layout, const struct ArrowArray *array,
                           ArrowText *text, Utf8ArrowError *error) {
  const int rc = arrowCheckArray(array, 3, layout != ARROW_VIEWS, error);
  if (rc) return rc;
  if (array->dictionary) return arrowBroken(error, "it has a dictionary");
  *text = (ArrowText){.layout = layout,
                      .count = (size_t)array->length,
                      .first = (size_t)array->offset,
                      .validity = array->buffers[0]};
  return layout == ARROW_VIEWS ? arrowReadViews(array, text, error)
                               : arrowReadOffsets(array, text, error);
}

/* ---- dictionaries ---------------------------------------------------------------------------------- */

static size_t arrowIndexSize(char format) {
  switch (format) {
  case 'c':
  case 'C':
    return 1;
  case 's':
  case 'S':
    return 2;
  case 'i':
  case 'I':
    return 4;
  default:
    return 8;
  }
}

/* Returns the index of a row; a negative one, or one of 2^63 or more, is UINT64_MAX. */
static uint64_t arrowIndex(const ArrowIndices *indices, size_t row) {
  const uint8_t *item = indices->items + row * arrowIndexSize(indices->format);
  int16_t two = 0;
  int64_t number;
  if (arrowIndexSize(indices->format) == 2) memcpy(&two, item, 2);
  switch (indices->format) {
  case 'c':
    number = (int8_t)*item;
    break;
  case 'C':
    number = *item;
    break;
  case 's':
    number = two;
    break;
  case 'S':
    number = (uint16_t)two;
    break;
  case 'i':
    number = arrowLoad32(item, 0);
    break;
  case 'I':
    number = (uint32_t)arrowLoad32(item, 0);
    break;
  default:
    number = arrowLoad64(item, 0);
  }
  return number < 0 ? UINT64_MAX : (uint64_t)number;
}

size_t utf8arrow_entry(const ArrowIndices *indices, size_t row) {
  return (size_t)arrowIndex(indices, row);
}

ArrowIndices utf8arrow_slice_indices(const ArrowIndices *indices, size_t from,
                                     size_t count) {
  ArrowIndices slice = *indices;
  slice.first += from;
  slice.items += from * arrowIndexSize(indices->format);
  slice.count = count;
  return slice;
}

static int arrowReadIndices(char format, const struct ArrowArray *array,
                            ArrowIndices *indices, size_t entries,
                            Utf8ArrowError *error) {
  *indices = (ArrowIndices){.format = format,
                            .count = (size_t)array->length,
                            .validity = array->buffers[0],
                            .first = (size_t)array->offset,
                            .items = array->buffers[1]};
  if (indices->count > 0) indices->items += indices->first * arrowIndexSize(format);
  for (size_t row = 0; row < indices->count; row++)
    if (!arrowIsNullRow(indices, row) && arrowIndex(indices, row) >= entries)
      return arrowBroken(error, "an index is outside of the dictionary");
  return 0;
}

int utf8arrow_read_array(const ArrowType *type, const struct ArrowArray *array,
                         ArrowText *text, ArrowIndices *indices,
                         Utf8ArrowError *error) {
  static const uint8_t none[16];
  if (type->is_null) {
    *text = (ArrowText){.layout = ARROW_OFFSETS32, .items = none, .data = none};
    return arrowCheckRows(array, error);
  }
  if (!type->index) return arrowReadValues(type->layout, array, text, error);
  int rc = arrowCheckArray(array, 2, 1, error);
  if (rc) return rc;
  if (!array->dictionary) return arrowBroken(error, "its dictionary is missing");
  rc = arrowReadValues(type->layout, array->dictionary, text, error);
  if (rc) return rc;
  return arrowReadIndices(type->index, array, indices, text->count, error);
}
