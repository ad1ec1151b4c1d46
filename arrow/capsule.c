/* arrow/capsule.c: columns in Python's capsules. */
#include "arrow/capsule.h"
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(Utf8ArrowGetPointer *) getPointer;

void utf8arrow_use_capsules(Utf8ArrowGetPointer *get_pointer) {
  atomic_store(&getPointer, get_pointer);
}

struct ArrowSchema *utf8arrow_new_schema(const Utf8ArrowColumn *column) {
  struct ArrowSchema *schema = malloc(sizeof *schema);
  if (!schema || !utf8arrow_share_schema(column, schema)) return schema;
  free(schema);
  return NULL;
}

struct ArrowArray *utf8arrow_new_chunk(Utf8ArrowColumn *column, size_t number) {
  struct ArrowArray *chunk = malloc(sizeof *chunk);
  if (!chunk || !utf8arrow_share_chunk(column, number, chunk)) return chunk;
  free(chunk);
  return NULL;
}

struct ArrowArrayStream *utf8arrow_new_stream(Utf8ArrowColumn *column) {
  struct ArrowArrayStream *stream = malloc(sizeof *stream);
  if (!stream || !utf8arrow_share_stream(column, stream)) return stream;
  free(stream);
  return NULL;
}

/* A consumer has moved what is released. */
void utf8arrow_free_schema(void *capsule) {
  struct ArrowSchema *schema = atomic_load(&getPointer)(capsule, "arrow_schema");
  if (schema && schema->release) schema->release(schema);
  free(schema);
}

void utf8arrow_free_chunk(void *capsule) {
  struct ArrowArray *chunk = atomic_load(&getPointer)(capsule, "arrow_array");
  if (chunk && chunk->release) chunk->release(chunk);
  free(chunk);
}

void utf8arrow_free_stream(void *capsule) {
  struct ArrowArrayStream *stream =
      atomic_load(&getPointer)(capsule, "arrow_array_stream");
  if (stream && stream->release) stream->release(stream);
  free(stream);
}
