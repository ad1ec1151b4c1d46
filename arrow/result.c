/* arrow/result.c: arrays that are returned, and the memory that they own. */
#include "arrow/result.h"
#include "core/bytes.h"
#include <stdlib.h>

/* ---- memory -------------------------------------------------------------------------------------- */

void *utf8arrow_allocate(size_t count, size_t size) {
  if (count > SIZE_MAX / 2 / size) return NULL;
  return malloc(count ? count * size : 1);
}

int utf8arrow_grow(ArrowBuffer *buffer, size_t more) {
  if (buffer->room - buffer->used >= more) return 1;
  if (more > SIZE_MAX / 4 || buffer->room > SIZE_MAX / 4) return 0;
  const size_t room = buffer->room + buffer->room / 2 + more;
  uint8_t *bytes = realloc(buffer->bytes, room);
  if (!bytes) return 0;
  buffer->bytes = bytes;
  buffer->room = room;
  return 1;
}

int utf8arrow_append(ArrowBuffer *buffer, const void *bytes, size_t size) {
  if (!utf8arrow_grow(buffer, size)) return 0;
  if (size) memcpy(buffer->bytes + buffer->used, bytes, size);
  buffer->used += size;
  return 1;
}

void utf8arrow_clear(ArrowBuffer *buffer) {
  free(buffer->bytes);
  *buffer = (ArrowBuffer){NULL, 0, 0};
}

/* ---- bitmaps -------------------------------------------------------------------------------------- */

uint8_t *utf8arrow_bits(size_t count, int bit) {
  uint8_t *bits = utf8arrow_allocate(count / 8 + 1, 1);
  if (!bits) return NULL;
  memset(bits, bit ? 0xFF : 0, count / 8 + 1);
  bits[count / 8] &= (uint8_t)mask_first(count % 8);
  return bits;
}

uint8_t *utf8arrow_copy_bits(const uint8_t *bits, size_t first, size_t count) {
  uint8_t *copy = utf8arrow_bits(count, 0);
  if (!copy) return NULL;
  if (first % 8 == 0) {
    memcpy(copy, bits + first / 8, count / 8);
    for (size_t i = count / 8 * 8; i < count; i++)
      if (arrowBit(bits, first + i)) arrowSetBit(copy, i);
    return copy;
  }
  for (size_t i = 0; i < count; i++)
    if (arrowBit(bits, first + i)) arrowSetBit(copy, i);
  return copy;
}

/* ---- arrays ---------------------------------------------------------------------------------------- */

void utf8arrow_release(struct ArrowArray *array) {
  if (array->release) array->release(array);
}

void utf8arrow_move(struct ArrowArray *from, struct ArrowArray *to) {
  *to = *from;
  from->release = NULL;
}

int utf8arrow_make_children(struct ArrowArray *array, size_t count) {
  array->n_children = (int64_t)count;
  array->children = NULL;
  if (count == 0) return 1;
  struct ArrowArray *children =
      utf8arrow_allocate(count, sizeof *children + sizeof(struct ArrowArray *));
  if (!children) return 0;
  array->children = (struct ArrowArray **)(void *)(children + count);
  for (size_t i = 0; i < count; i++) {
    children[i].release = NULL;
    array->children[i] = &children[i];
  }
  return 1;
}

void utf8arrow_free_children(struct ArrowArray *array) {
  if (!array->children) return;
  for (int64_t i = 0; i < array->n_children; i++) utf8arrow_release(array->children[i]);
  free(array->children[0]);
}

static void arrowReleaseOwned(struct ArrowArray *array) {
  ArrowOwned *owned = array->private_data;
  utf8arrow_free_children(array);
  utf8arrow_release(&owned->source);
  utf8arrow_release(&owned->dictionary);
  for (int i = 0; i < ARROW_OWNED; i++) free(owned->memory[i]);
  free(owned);
  array->release = NULL;
}

ArrowOwned *utf8arrow_make_array(struct ArrowArray *array, size_t length,
                                 size_t buffer_count, size_t child_count) {
  const size_t size = sizeof(ArrowOwned) + buffer_count * sizeof(void *);
  ArrowOwned *owned = utf8arrow_allocate(size, 1);
  if (!owned) return NULL;
  memset(owned, 0, size);
  *array = (struct ArrowArray){.length = (int64_t)length,
                               .n_buffers = (int64_t)buffer_count,
                               .buffers = owned->buffers,
                               .release = arrowReleaseOwned,
                               .private_data = owned};
  if (utf8arrow_make_children(array, child_count)) return owned;
  utf8arrow_release(array);
  return NULL;
}

void utf8arrow_own(struct ArrowArray *array, size_t i, size_t number, void *memory) {
  ArrowOwned *owned = array->private_data;
  owned->memory[i] = memory;
  owned->buffers[number] = memory;
}

int utf8arrow_make_nulls(struct ArrowArray *array, size_t length) {
  const size_t width = sizeof(int32_t);
  if (!utf8arrow_make_array(array, length, 3, 0)) return 0;
  uint8_t *bits = utf8arrow_bits(length, 0);
  uint8_t *offsets = utf8arrow_allocate(length + 1, width);
  utf8arrow_own(array, 0, 0, bits);
  utf8arrow_own(array, 1, 1, offsets);
  array->null_count = (int64_t)length;
  if (bits && offsets) {
    memset(offsets, 0, (length + 1) * width);
    return 1;
  }
  utf8arrow_release(array);
  return 0;
}
