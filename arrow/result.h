/* arrow/result.h: arrays that are returned, and the memory that they own. */
#ifndef UTF8_ARROW_RESULT_H
#define UTF8_ARROW_RESULT_H

#include "arrow/array.h"

/* Memory that grows, from malloc(). Starts as {NULL, 0, 0}. */
typedef struct ArrowBuffer {
  uint8_t *bytes;
  size_t used;
  size_t room;
} ArrowBuffer;

/* Makes room for at least `more` further bytes. Returns 0 if memory runs out; the old bytes stay. */
int utf8arrow_grow(ArrowBuffer *buffer, size_t more);
int utf8arrow_append(ArrowBuffer *buffer, const void *bytes, size_t size);
void utf8arrow_clear(ArrowBuffer *buffer);

/* What an array that is returned owns. */
#define ARROW_OWNED 4
typedef struct ArrowOwned {
  struct ArrowArray source; /* whose buffers it shares; released if it shares none */
  struct ArrowArray dictionary;
  void *memory[ARROW_OWNED]; /* for free() */
  const void *buffers[];
} ArrowOwned;

/* Makes an array without nulls whose buffers are NULL, and whose children are released. Returns what it owns; NULL if
** memory runs out. */
ArrowOwned *utf8arrow_make_array(struct ArrowArray *array, size_t length,
                                 size_t buffer_count, size_t child_count);

/* Makes an array's children, all of them released. Returns 0 if memory runs out. */
int utf8arrow_make_children(struct ArrowArray *array, size_t count);

/* Releases them, and frees their memory. */
void utf8arrow_free_children(struct ArrowArray *array);

/* Makes memory[i] of the array its buffer `number`. */
void utf8arrow_own(struct ArrowArray *array, size_t i, size_t number, void *memory);

/* Makes an array of strings that are null. Returns 0 if memory runs out. */
int utf8arrow_make_nulls(struct ArrowArray *array, size_t length);

/* Moves an array: the source is released afterwards. */
void utf8arrow_move(struct ArrowArray *from, struct ArrowArray *to);
void utf8arrow_release(struct ArrowArray *array); /* unless it is released */

/* Returns a bitmap of count bits, all of them `bit`; NULL if memory runs out. */
uint8_t *utf8arrow_bits(size_t count, int bit);

/* Returns a copy of count bits from `first` on; NULL if memory runs out. */
uint8_t *utf8arrow_copy_bits(const uint8_t *bits, size_t first, size_t count);

static inline void arrowSetBit(uint8_t *bits, size_t i) {
  bits[i / 8] |= (uint8_t)(1 << i % 8);
}

static inline void arrowClearBit(uint8_t *bits, size_t i) {
  bits[i / 8] &= (uint8_t) ~(1 << i % 8);
}

static inline void arrowStore32(uint8_t *items, size_t i, int32_t number) {
  memcpy(items + i * sizeof number, &number, sizeof number);
}

static inline void arrowStore64(uint8_t *items, size_t i, int64_t number) {
  memcpy(items + i * sizeof number, &number, sizeof number);
}

/* Returns memory for count items of `size` bytes; NULL if memory runs out. Never requests 0 bytes. */
void *utf8arrow_allocate(size_t count, size_t size);

#endif
