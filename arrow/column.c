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

/* What a schema owns: its strings are after it in the same memory. */
typedef struct ArrowOwnedSchema {
  struct ArrowSchema dictionary;
  struct ArrowSchema *children; /* with pointers to them after the last one; or NULL */
  char strings[];
} ArrowOwnedSchema;

static void releaseSchema(struct ArrowSchema *schema) {
  ArrowOwnedSchema *owned = schema->private_data;
  if (owned->dictionary.release) owned->dictionary.release(&owned->dictionary);
  for (int64_t i = 0; owned->children && i < schema->n_children; i++)
    if (owned->children[i].release) owned->children[i].release(&owned->children[i]);
  free(owned->children);
  free(owned);
  schema->release = NULL;
}

/* Makes the schema's children, all of them released. Returns 0 if memory runs out. */
static int makeChildSchemas(struct ArrowSchema *schema, size_t count) {
  ArrowOwnedSchema *owned = schema->private_data;
  owned->children = NULL;
  if (count == 0) return 1;
  owned->children =
      utf8arrow_allocate(count, sizeof *schema + sizeof(struct ArrowSchema *));
  if (!owned->children) return 0;
  schema->n_children = (int64_t)count;
  schema->children = (struct ArrowSchema **)(void *)(owned->children + count);
  for (size_t i = 0; i < count; i++) {
    owned->children[i].release = NULL;
    schema->children[i] = &owned->children[i];
  }
  return 1;
}

int utf8arrow_make_schema(struct ArrowSchema *schema, const char *format,
                          const char *name, size_t children) {
  const size_t format_size = strlen(format) + 1, name_size = name ? strlen(name) : 0;
  ArrowOwnedSchema *owned =
      utf8arrow_allocate(sizeof *owned + format_size + name_size + 1, 1);
  if (!owned) return 0;
  owned->dictionary.release = NULL;
  memcpy(owned->strings, format, format_size);
  memcpy(owned->strings + format_size, name ? name : "", name_size + 1);
  *schema = (struct ArrowSchema){.format = owned->strings,
                                 .name = owned->strings + format_size,
                                 .flags = ARROW_FLAG_NULLABLE,
                                 .release = releaseSchema,
                                 .private_data = owned};
  if (makeChildSchemas(schema, children)) return 1;
  schema->release(schema);
  return 0;
}

int utf8arrow_make_dictionary_schema(struct ArrowSchema *schema, const char *index,
                                     const char *format, const char *name) {
  if (!utf8arrow_make_schema(schema, index, name, 0)) return 0;
  ArrowOwnedSchema *owned = schema->private_data;
  if (utf8arrow_make_schema(&owned->dictionary, format, "", 0)) {
    schema->dictionary = &owned->dictionary;
    return 1;
  }
  schema->release(schema);
  return 0;
}

/* Makes a copy of a schema. Returns 0 if memory runs out. */
static int copySchema(const struct ArrowSchema *schema, struct ArrowSchema *result) {
  if (schema->dictionary)
    return utf8arrow_make_dictionary_schema(result, schema->format,
                                            schema->dictionary->format, schema->name);
  if (!utf8arrow_make_schema(result, schema->format, schema->name,
                             (size_t)schema->n_children))
    return 0;
  for (int64_t i = 0; i < schema->n_children; i++) {
    if (copySchema(schema->children[i], result->children[i])) continue;
    result->release(result);
    return 0;
  }
  return 1;
}

int utf8arrow_share_schema(const Utf8ArrowColumn *column, struct ArrowSchema *result) {
  return copySchema(&column->schema, result) ? 0 : UTF8_ARROW_NO_MEMORY;
}

/* ---- chunks ------------------------------------------------------------------------------------------------- */

/* What a shared array owns: a part of the column. */
typedef struct ArrowShared {
  Utf8ArrowColumn *column;
  struct ArrowArray dictionary;
} ArrowShared;

static void releaseShared(struct ArrowArray *array) {
  ArrowShared *shared = array->private_data;
  utf8arrow_free_children(array);
  utf8arrow_release(&shared->dictionary);
  utf8arrow_release_column(shared->column);
  free(shared);
  array->release = NULL;
}

/* Shares an array, but neither its dictionary nor its children, which are released. */
static ArrowShared *shareArray(Utf8ArrowColumn *column, const struct ArrowArray *array,
                               struct ArrowArray *result) {
  ArrowShared *shared = malloc(sizeof *shared);
  if (!shared) return NULL;
  shared->column = column;
  shared->dictionary.release = NULL;
  atomic_fetch_add(&column->owners, 1);
  *result = *array;
  result->dictionary = NULL;
  result->release = releaseShared;
  result->private_data = shared;
  if (utf8arrow_make_children(result, (size_t)array->n_children)) return shared;
  utf8arrow_release(result);
  return NULL;
}

/* Shares an array with all that belongs to it. Returns 0 if memory runs out. */
static int shareAll(Utf8ArrowColumn *column, const struct ArrowArray *array,
                    struct ArrowArray *result) {
  ArrowShared *shared = shareArray(column, array, result);
  int is_shared = shared != NULL;
  if (is_shared && array->dictionary) {
    result->dictionary = &shared->dictionary;
    is_shared = shareAll(column, array->dictionary, &shared->dictionary);
  }
  for (int64_t i = 0; i < array->n_children && is_shared; i++)
    is_shared = shareAll(column, array->children[i], result->children[i]);
  if (shared && !is_shared) utf8arrow_release(result);
  return is_shared;
}

int utf8arrow_share_chunk(Utf8ArrowColumn *column, size_t number,
                          struct ArrowArray *result) {
  result->release = NULL;
  if (number >= column->count) return 0;
  return shareAll(column, &column->chunks[number], result) ? 0 : UTF8_ARROW_NO_MEMORY;
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
