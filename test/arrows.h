/* arrows.h: arrays of the Arrow C data interface for tests, in buffers of exactly their size, so that a
** sanitizer detects every access outside of them.
*/
#ifndef UTF8_TEST_ARROWS_H
#define UTF8_TEST_ARROWS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "arrow/utf8arrow.h"
#include "test/words.h"

/* A value; bytes is NULL if it is null. */
typedef struct ArrowTestValue {
  const uint8_t *bytes;
  size_t size;
} ArrowTestValue;

/* The value of a string literal. */
#define BYTES(literal)                                                                 \
  { (const uint8_t *)(literal), sizeof(literal) - 1 }

/* What a test array owns. */
#define ARROW_TEST_BUFFERS 5
typedef struct ArrowTestOwned {
  void *buffers[ARROW_TEST_BUFFERS];
  struct ArrowArray dictionary;
} ArrowTestOwned;

static int arrow_live; /* arrays that are not released */

static inline void *arrow_alloc(size_t size) {
  void *memory = calloc(1, size ? size : 1);
  if (!memory) exit(2);
  return memory;
}

static inline void arrow_release_test(struct ArrowArray *array) {
  ArrowTestOwned *owned = array->private_data;
  for (int i = 0; i < ARROW_TEST_BUFFERS; i++) free(owned->buffers[i]);
  if (owned->dictionary.release) owned->dictionary.release(&owned->dictionary);
  free(owned);
  array->release = NULL;
  arrow_live--;
}

/* Makes an array without values. */
static inline ArrowTestOwned *arrow_begin(struct ArrowArray *array, size_t count,
                                          int buffers) {
  ArrowTestOwned *owned = arrow_alloc(sizeof *owned);
  *array = (struct ArrowArray){.length = (int64_t)count,
                               .n_buffers = buffers,
                               .buffers = (const void **)owned->buffers,
                               .release = arrow_release_test,
                               .private_data = owned};
  arrow_live++;
  return owned;
}

/* Stores the bitmap of nulls, if there are any. */
static inline void arrow_store_nulls(struct ArrowArray *array, ArrowTestOwned *owned,
                                     const ArrowTestValue *values, size_t count) {
  uint8_t *bits = arrow_alloc((count + 7) / 8);
  for (size_t i = 0; i < count; i++) {
    if (values[i].bytes) bits[i / 8] |= (uint8_t)(1 << i % 8);
    array->null_count += !values[i].bytes;
  }
  if (array->null_count) {
    owned->buffers[0] = bits;
  } else {
    free(bits);
  }
}

static inline void arrow_build_offsets(struct ArrowArray *array, int is_large,
                                       const ArrowTestValue *values, size_t count) {
  ArrowTestOwned *owned = arrow_begin(array, count, 3);
  arrow_store_nulls(array, owned, values, count);
  size_t size = 0, at = 0;
  for (size_t i = 0; i < count; i++) size += values[i].bytes ? values[i].size : 0;
  uint8_t *data = owned->buffers[2] = arrow_alloc(size);
  uint8_t *offsets = owned->buffers[1] = arrow_alloc((count + 1) * (is_large ? 8 : 4));
  for (size_t i = 0; i <= count; i++) {
    const int64_t wide = (int64_t)at;
    const int32_t narrow = (int32_t)at;
    memcpy(offsets + i * (is_large ? 8 : 4), is_large ? (const void *)&wide : &narrow,
           is_large ? 8 : 4);
    if (i == count || !values[i].bytes) continue;
    if (values[i].size) memcpy(data + at, values[i].bytes, values[i].size);
    at += values[i].size;
  }
}

static inline void arrow_build_views(struct ArrowArray *array,
                                     const ArrowTestValue *values, size_t count) {
  ArrowTestOwned *owned = arrow_begin(array, count, 4);
  arrow_store_nulls(array, owned, values, count);
  size_t size = 0, at = 0;
  for (size_t i = 0; i < count; i++)
    if (values[i].bytes && values[i].size > 12) size += values[i].size;
  uint8_t *views = owned->buffers[1] = arrow_alloc(16 * count);
  uint8_t *data = owned->buffers[2] = arrow_alloc(size);
  int64_t *sizes = owned->buffers[3] = arrow_alloc(8);
  sizes[0] = (int64_t)size;
  for (size_t i = 0; i < count; i++) {
    if (!values[i].bytes) continue;
    const int32_t view[] = {(int32_t)values[i].size, 0, 0, (int32_t)at};
    if (values[i].size > 12) {
      memcpy(views + 16 * i, view, 16);
      memcpy(views + 16 * i + 4, values[i].bytes, 4);
      memcpy(data + at, values[i].bytes, values[i].size);
      at += values[i].size;
    } else {
      memcpy(views + 16 * i, view, 4);
      if (values[i].size) memcpy(views + 16 * i + 4, values[i].bytes, values[i].size);
    }
  }
}

/* Builds an array of the format u, U, vu, z, Z or vz; after "i:", one with a dictionary, in which each value
** is an entry, and each null a null row. Of the format n, all values are null. */
static inline void arrow_build(struct ArrowArray *array, const char *format,
                               const ArrowTestValue *values, size_t count) {
  if (format[0] == 'i') {
    ArrowTestOwned *owned = arrow_begin(array, count, 2);
    arrow_store_nulls(array, owned, values, count);
    int32_t *indices = owned->buffers[1] = arrow_alloc(4 * count);
    for (size_t i = 0; i < count; i++) indices[i] = (int32_t)i;
    arrow_build(&owned->dictionary, format + 2, values, count);
    array->dictionary = &owned->dictionary;
  } else if (format[0] == 'n') {
    arrow_begin(array, count, 0);
    array->null_count = array->length;
  } else if (format[0] == 'v') {
    arrow_build_views(array, values, count);
  } else {
    arrow_build_offsets(array, format[0] == 'U' || format[0] == 'Z', values, count);
  }
}

static inline void arrow_release_schema(struct ArrowSchema *schema) {
  schema->release = NULL;
}

/* Stores the schema of a format as above; `dictionary` is used for one with a dictionary. */
static inline void arrow_schema(struct ArrowSchema *schema,
                                struct ArrowSchema *dictionary, const char *format) {
  *schema = (struct ArrowSchema){
      .format = format, .name = "x", .release = arrow_release_schema};
  if (format[0] != 'i') return;
  arrow_schema(dictionary, NULL, format + 2);
  schema->format = "i";
  schema->dictionary = dictionary;
}

/* ---- random values --------------------------------------------------------------------------------------- */

/* Parts of values; those after the first four are ill-formed, or become so. The next value may continue them. */
static const char arrow_parts[] =
    "plain |caf\xC3\xA9 |\xD0\xBF\xD1\x80\xD0\xB8|\xC3\x83\xC2\xA9|\xC3\x83|\xC2\xA9 |"
    "\xC3|\xA9|\xE2\x82|\xAC|\xFF";

/* Stores `count` values of a few parts, of which one in `rarity` may be ill-formed, in bytes; some are null. */
#define ARROW_RANDOM_MAX 40
static inline void arrow_random_values(ArrowTestValue *values, size_t count,
                                       uint8_t *bytes, uint32_t below(uint32_t n),
                                       uint32_t rarity) {
  char word[WORD_MAX];
  for (ArrowTestValue *value = values; value < values + count; value++) {
    *value = (ArrowTestValue){below(50) ? bytes : NULL, 0};
    for (uint32_t n = below(6); n > 0 && value->bytes; n--) {
      const uint32_t parts = below(rarity) ? 4 : word_count(arrow_parts);
      const char *part = word_of(arrow_parts, below(parts), word);
      memcpy(bytes, part, strlen(part));
      bytes += strlen(part);
      value->size += strlen(part);
    }
  }
}

/* ---- results ------------------------------------------------------------------------------------------ */

static inline int arrow_has(const struct ArrowArray *array, size_t row) {
  const uint8_t *bits = array->buffers[0];
  const size_t bit = (size_t)array->offset + row;
  return !bits || (bits[bit / 8] >> bit % 8 & 1);
}

/* Returns the value of a row of text, whose type is the schema's; bytes is NULL if it is null. */
static inline ArrowTestValue arrow_value(const struct ArrowSchema *schema,
                                         const struct ArrowArray *array, size_t row) {
  const size_t at = (size_t)array->offset + row;
  if (!arrow_has(array, row)) return (ArrowTestValue){NULL, 0};
  if (schema->dictionary)
    return arrow_value(schema->dictionary, array->dictionary,
                       (size_t)((const int32_t *)array->buffers[1])[at]);
  if (schema->format[0] == 'v') {
    const uint8_t *view = (const uint8_t *)array->buffers[1] + 16 * at;
    int32_t words[4];
    memcpy(words, view, 16);
    if (words[0] <= 12) return (ArrowTestValue){view + 4, (size_t)words[0]};
    return (ArrowTestValue){(const uint8_t *)array->buffers[2 + words[2]] + words[3],
                            (size_t)words[0]};
  }
  int64_t from, to;
  if (schema->format[0] == 'U' || schema->format[0] == 'Z') {
    from = ((const int64_t *)array->buffers[1])[at];
    to = ((const int64_t *)array->buffers[1])[at + 1];
  } else {
    from = ((const int32_t *)array->buffers[1])[at];
    to = ((const int32_t *)array->buffers[1])[at + 1];
  }
  const uint8_t *data = array->buffers[2];
  return (ArrowTestValue){data ? data + from : (const uint8_t *)"",
                          (size_t)(to - from)};
}

/* Writes the structs of a row's list to out: strings, each after its size, and numbers. Stops where out is full.
** Returns the size. */
static inline size_t arrow_write_list(const struct ArrowSchema *schema,
                                      const struct ArrowArray *array, size_t row,
                                      uint8_t *out, size_t room) {
  const struct ArrowSchema *const *fields =
      (const struct ArrowSchema *const *)schema->children[0]->children;
  const struct ArrowArray *item = array->children[0];
  const size_t at = (size_t)array->offset + row;
  const int is_large = schema->format[1] == 'L';
  const int64_t *wide = array->buffers[1];
  const int32_t *narrow = array->buffers[1];
  const int64_t end = is_large ? wide[at + 1] : narrow[at + 1];
  size_t used = 0;
  for (int64_t i = is_large ? wide[at] : narrow[at]; i < end; i++) {
    for (int64_t c = 0; c < item->n_children; c++) {
      const ArrowTestValue value =
          fields[c]->format[0] == 'g'
              ? (ArrowTestValue){(const uint8_t *)item->children[c]->buffers[1] + 8 * i,
                                 8}
              : arrow_value(fields[c], item->children[c], (size_t)i);
      if (room - used < value.size + 1) return used;
      out[used++] = (uint8_t)(value.bytes ? value.size : 255);
      if (value.size) memcpy(out + used, value.bytes, value.size);
      used += value.size;
    }
  }
  return used;
}

static inline int arrow_same(ArrowTestValue a, ArrowTestValue b) {
  if (!a.bytes || !b.bytes) return !a.bytes && !b.bytes;
  return a.size == b.size && (a.size == 0 || memcmp(a.bytes, b.bytes, a.size) == 0);
}

enum { ANSWER_MAX = 4096 };

/* Returns the answer for a row as text: of a bool or a number, its digits; of a list, what arrow_write_list() writes. */
static inline ArrowTestValue arrow_answer(const struct ArrowSchema *schema,
                                          const struct ArrowArray *result, size_t row,
                                          char digits[ANSWER_MAX]) {
  const size_t at = (size_t)result->offset + row;
  const char format = schema->format[0];
  if (format != 'b' && format != 'l' && format != '+')
    return arrow_value(schema, result, row);
  if (!arrow_has(result, row)) return (ArrowTestValue){NULL, 0};
  if (format == '+') {
    uint8_t *out = (uint8_t *)digits;
    const size_t size = arrow_write_list(schema, result, row, out, ANSWER_MAX);
    return (ArrowTestValue){out, size};
  }
  const long long number =
      format == 'b' ? ((const uint8_t *)result->buffers[1])[at / 8] >> at % 8 & 1
                    : ((const int64_t *)result->buffers[1])[at];
  snprintf(digits, ANSWER_MAX, "%lld", number);
  return (ArrowTestValue){(const uint8_t *)digits, strlen(digits)};
}

#endif
