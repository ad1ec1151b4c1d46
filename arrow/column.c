/* arrow/column.c: results for several consumers.
**
** A consumer releases what it got when it likes, in any thread. So each array that is shared, with its
** dictionary, counts as an owner of the column.
*/
#include "arrow/call.h"
#include <stdatomic.h>
#include <errno.h>
#include <stdlib.h>

struct Utf8ArrowColumn {
  atomic_size_t owners;
  struct ArrowSchema schema;
  size_t count;
  struct ArrowArray chunks[];
};

int utf8arrow_column(Utf8ArrowColumn **column, struct ArrowSchema *schema,
                     struct ArrowArray *chunks, size_t count, Utf8ArrowError *error) {
  const size_t size = sizeof **column + count * sizeof *chunks;
  *column = utf8arrow_allocate(size, 1);
  if (!*column) return utf8arrow_no_memory(error);
  atomic_init(&(*column)->owners, 1);
  (*column)->schema = *schema;
  (*column)->count = count;
  schema->release = NULL;
  for (size_t i = 0; i < count; i++) utf8arrow_move(&chunks[i], &(*column)->chunks[i]);
  return 0;
}

void utf8arrow_release_column(Utf8ArrowColumn *column) {
  if (atomic_fetch_sub(&column->owners, 1) > 1) return;
  column->schema.release(&column->schema);
  for (size_t i = 0; i < column->count; i++) utf8arrow_release(&column->chunks[i]);
  free(column);
}

/* ---- schemas ------------------------------------------------------------------------------------------------ */

/* What a schema owns: its strings are constants, or after it in the same memory. */
typedef struct ArrowOwnedSchema {
  struct ArrowSchema dictionary;
  char name[];
} ArrowOwnedSchema;

static void releaseSchema(struct ArrowSchema *schema) {
  ArrowOwnedSchema *owned = schema->private_data;
  if (owned->dictionary.release) owned->dictionary.release(&owned->dictionary);
  free(owned);
  schema->release = NULL;
}

int utf8arrow_make_schema(struct ArrowSchema *schema, const char *format,
                          const char *name) {
  const size_t size = name ? strlen(name) : 0;
  ArrowOwnedSchema *owned = utf8arrow_allocate(sizeof *owned + size + 1, 1);
  if (!owned) return 0;
  owned->dictionary.release = NULL;
  memcpy(owned->name, name ? name : "", size + 1);
  *schema = (struct ArrowSchema){.format = format,
                                 .name = owned->name,
                                 .flags = ARROW_FLAG_NULLABLE,
                                 .release = releaseSchema,
                                 .private_data = owned};
  return 1;
}

int utf8arrow_make_dictionary_schema(struct ArrowSchema *schema, const char *index,
                                     const char *format, const char *name) {
  if (!utf8arrow_make_schema(schema, index, name)) return 0;
  ArrowOwnedSchema *owned = schema->private_data;
  if (utf8arrow_make_schema(&owned->dictionary, format, "")) {
    schema->dictionary = &owned->dictionary;
    return 1;
  }
  schema->release(schema);
  return 0;
}

int utf8arrow_share_schema(const Utf8ArrowColumn *column, struct ArrowSchema *result) {
  const struct ArrowSchema *schema = &column->schema;
  const int is_made =
      schema->dictionary
          ? utf8arrow_make_dictionary_schema(result, schema->format,
                                             schema->dictionary->format, schema->name)
          : utf8arrow_make_schema(result, schema->format, schema->name);
  return is_made ? 0 : UTF8_ARROW_NO_MEMORY;
}

/* ---- chunks ------------------------------------------------------------------------------------------------- */

/* What a shared array owns: a part of the column. */
typedef struct ArrowShared {
  Utf8ArrowColumn *column;
  struct ArrowArray dictionary;
} ArrowShared;

static void releaseShared(struct ArrowArray *array) {
  ArrowShared *shared = array->private_data;
  utf8arrow_release(&shared->dictionary);
  utf8arrow_release_column(shared->column);
  free(shared);
  array->release = NULL;
}

/* Shares an array, but not its dictionary. */
static ArrowShared *shareArray(Utf8ArrowColumn *column, const struct ArrowArray *array,
                               struct ArrowArray *result) {
  ArrowShared *shared = malloc(sizeof *shared);
  if (!shared) return NULL;
  shared->column = column;
  shared->dictionary.release = NULL;
  atomic_fetch_add(&column->owners, 1);
  *result = *array;
  result->release = releaseShared;
  result->private_data = shared;
  return shared;
}

int utf8arrow_share_chunk(Utf8ArrowColumn *column, size_t number,
                          struct ArrowArray *result) {
  result->release = NULL;
  if (number >= column->count) return 0;
  const struct ArrowArray *chunk = &column->chunks[number];
  ArrowShared *shared = shareArray(column, chunk, result);
  if (!shared) return UTF8_ARROW_NO_MEMORY;
  if (!chunk->dictionary) return 0;
  result->dictionary = &shared->dictionary;
  if (shareArray(column, chunk->dictionary, &shared->dictionary)) return 0;
  utf8arrow_release(result);
  return UTF8_ARROW_NO_MEMORY;
}

/* ---- streams -------------------------------------------------------------------------------------------------- */

typedef struct ArrowSharedStream {
  Utf8ArrowColumn *column;
  size_t next;
} ArrowSharedStream;

static int streamSchema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
  const ArrowSharedStream *shared = stream->private_data;
  return utf8arrow_share_schema(shared->column, out) ? ENOMEM : 0;
}

static int streamNext(struct ArrowArrayStream *stream, struct ArrowArray *out) {
  ArrowSharedStream *shared = stream->private_data;
  if (utf8arrow_share_chunk(shared->column, shared->next, out)) return ENOMEM;
  shared->next++;
  return 0;
}

static const char *streamError(struct ArrowArrayStream *stream) {
  (void)stream;
  return "out of memory";
}

static void releaseStream(struct ArrowArrayStream *stream) {
  ArrowSharedStream *shared = stream->private_data;
  utf8arrow_release_column(shared->column);
  free(shared);
  stream->release = NULL;
}

int utf8arrow_share_stream(Utf8ArrowColumn *column, struct ArrowArrayStream *result) {
  ArrowSharedStream *shared = malloc(sizeof *shared);
  if (!shared) return UTF8_ARROW_NO_MEMORY;
  atomic_fetch_add(&column->owners, 1);
  *shared = (ArrowSharedStream){column, 0};
  *result = (struct ArrowArrayStream){streamSchema, streamNext, streamError,
                                      releaseStream, shared};
  return 0;
}
