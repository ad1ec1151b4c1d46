/* arrow/call.c: opens a function, and applies it to the chunks of a column. */
#include "arrow/call.h"
#include <stdlib.h>

/* ---- opening -------------------------------------------------------------------------------------------------- */

void utf8arrow_close(Utf8Arrow *opened) {
  if (!opened) return;
  utf8arrow_clear(&opened->text);
  utf8arrow_clear(&opened->work[0]);
  utf8arrow_clear(&opened->work[1]);
  utf8arrow_clear(&opened->escaped);
  utf8arrow_free_detected(opened->detected);
  utf8arrow_free_misread(opened);
  free(opened->column);
  free(opened->table);
  free(opened->found);
  free(opened->texts);
  free(opened->evidence);
  free(opened);
}

static int readArguments(Utf8Arrow *call) {
  const ArrowFunction *function = call->function;
  if (call->argument_count < function->min || call->argument_count > function->max)
    return utf8arrow_fail(call->error, UTF8_ARROW_ARGUMENT,
                          "wrong number of arguments to function utf8_%s()",
                          function->name);
  return function->parse(call);
}

int utf8arrow_open(Utf8Arrow **opened, const char *function,
                   const Utf8ArrowArgument *arguments, size_t count,
                   Utf8ArrowError *error) {
  error->code = UTF8_ARROW_OK;
  *opened = calloc(1, sizeof **opened);
  if (!*opened) return utf8arrow_no_memory(error);
  (*opened)->error = error;
  (*opened)->function = utf8arrow_function(function);
  (*opened)->arguments = arguments;
  (*opened)->argument_count = count;
  const int rc =
      (*opened)->function
          ? readArguments(*opened)
          : utf8arrow_fail(error, UTF8_ARROW_ARGUMENT,
                           "there is no function %.100s of columns", function);
  (*opened)->arguments = NULL;
  (*opened)->argument_count = 0;
  if (!rc) return 0;
  utf8arrow_close(*opened);
  *opened = NULL;
  return rc;
}

/* ---- the column ----------------------------------------------------------------------------------------------- */

/* Does a function that changes text return binary data? */
static int isBinaryResult(const Utf8Arrow *call) {
  if (call->function->write == utf8arrow_write_encoded) return 1;
  if (call->function->write == utf8arrow_write_decoded) return 0;
  if (call->function->write == utf8arrow_write_unescaped &&
      (call->escape == UTF8_ESCAPE_QUOTED || call->escape == UTF8_ESCAPE_SURROGATES))
    return 1;
  return call->type.is_binary;
}

static const char *resultFormat(const Utf8Arrow *call) {
  static const char *const formats[2][3] = {{"u", "U", "vu"}, {"z", "Z", "vz"}};
  switch (call->function->kind) {
  case ARROW_TRUTH:
    return "b";
  case ARROW_COUNT:
    return "l";
  case ARROW_NAME:
    return formats[0][call->layout];
  default:
    return formats[isBinaryResult(call)][call->layout];
  }
}

/* Returns the format of a dictionary's indices as a constant. */
static const char *indexFormat(char index) {
  static const char formats[] = "c\0C\0s\0S\0i\0I\0l\0L";
  const char *format = formats;
  while (*format != index) format += 2;
  return format;
}

/* Makes the schema of the results. Returns 0 if memory runs out. */
static int makeResultSchema(const Utf8Arrow *call, const char *name,
                            struct ArrowSchema *result) {
  const ArrowKind kind = call->function->kind;
  if (kind == ARROW_READINGS)
    return utf8arrow_make_readings_schema(result, call->layout == ARROW_OFFSETS64,
                                          name);
  const char *format = resultFormat(call);
  if (kind == ARROW_CHANGE && call->type.index)
    return utf8arrow_make_dictionary_schema(result, indexFormat(call->type.index),
                                            format, name);
  return utf8arrow_make_schema(result, format, name, 0);
}

int utf8arrow_begin(Utf8Arrow *opened, const struct ArrowSchema *schema, int is_large,
                    struct ArrowSchema *result, Utf8ArrowError *error) {
  opened->error = error;
  error->code = UTF8_ARROW_OK;
  const int rc =
      utf8arrow_read_type(opened->function->name, schema, &opened->type, error);
  if (rc) return rc;
  opened->layout = opened->type.layout;
  if (opened->function->kind != ARROW_CHANGE) opened->layout = ARROW_OFFSETS32;
  if (is_large && opened->layout == ARROW_OFFSETS32) opened->layout = ARROW_OFFSETS64;
  return makeResultSchema(opened, schema->name, result) ? 0
                                                        : utf8arrow_no_memory(error);
}

/* Do the neighbours of an ill-formed value decide what the function answers? */
static int dependsOnIllFormed(const Utf8Arrow *call) {
  const ArrowFunction *function = call->function;
  if (function->write == utf8arrow_write_repair)
    return call->repair.policy == UTF8_POLICY_AUTO;
  if (function->write == utf8arrow_write_cleaned)
    return (call->steps & UTF8_CLEAN_BIT(UTF8_CLEAN_REPAIR)) != 0;
  return function->named == utf8arrow_name_cause || function->kind == ARROW_AUDIT ||
         function->kind == ARROW_READINGS;
}

/* Do the neighbours of a well-formed value decide? */
static int dependsOnMisread(const Utf8Arrow *call) {
  const ArrowFunction *function = call->function;
  if (function->write == utf8arrow_write_misread) return !call->is_misread_given;
  if (function->write == utf8arrow_write_cleaned)
    return (call->steps & UTF8_CLEAN_BIT(UTF8_CLEAN_MOJIBAKE)) != 0;
  return function->kind == ARROW_AUDIT || function->kind == ARROW_READINGS;
}

static int learnChunks(Utf8Arrow *call) {
  if (call->function->kind == ARROW_COLUMN) return utf8arrow_add_detected(call);
  int rc = 0;
  if (dependsOnIllFormed(call)) rc = utf8arrow_add_neighbours(call);
  if (!rc && dependsOnMisread(call)) rc = utf8arrow_add_misread(call);
  return rc;
}

int utf8arrow_learn(Utf8Arrow *opened, const struct ArrowArray *chunks, size_t count,
                    Utf8ArrowError *error) {
  opened->error = error;
  error->code = UTF8_ARROW_OK;
  opened->chunks = chunks;
  opened->chunk_count = opened->type.is_null ? 0 : count;
  const int rc = learnChunks(opened);
  opened->chunks = NULL;
  opened->chunk_count = 0;
  return rc;
}

/* ---- chunks ---------------------------------------------------------------------------------------------------- */

static int answerChunk(Utf8Arrow *call, const ArrowText *text,
                       const ArrowIndices *indices, struct ArrowArray *result) {
  struct ArrowArray entries;
  if (call->function->kind == ARROW_READINGS)
    return utf8arrow_list_readings(call, text, call->type.index ? indices : NULL,
                                   result);
  if (!call->type.index) return utf8arrow_answer(call, text, result);
  const int rc = utf8arrow_answer(call, text, &entries);
  return rc ? rc : utf8arrow_gather(call, indices, &entries, result);
}

/* Makes an array of the chunk's indices, which the chunk is moved to, and changed entries. */
static int shareIndices(Utf8Arrow *call, struct ArrowArray *chunk,
                        struct ArrowArray *entries, struct ArrowArray *result) {
  ArrowOwned *owned = utf8arrow_make_array(result, (size_t)chunk->length, 2, 0);
  if (!owned) {
    utf8arrow_release(entries);
    return utf8arrow_no_memory(call->error);
  }
  result->offset = chunk->offset;
  result->null_count = chunk->null_count;
  owned->buffers[0] = chunk->buffers[0];
  owned->buffers[1] = chunk->buffers[1];
  utf8arrow_move(entries, &owned->dictionary);
  utf8arrow_move(chunk, &owned->source);
  result->dictionary = &owned->dictionary;
  return 0;
}

static int changeChunk(Utf8Arrow *call, const ArrowText *text, struct ArrowArray *chunk,
                       struct ArrowArray *result) {
  struct ArrowArray entries;
  const int is_dictionary = call->type.index != 0;
  int rc = utf8arrow_change(call, text, is_dictionary ? chunk->dictionary : chunk,
                            is_dictionary ? &entries : result);
  if (rc) return rc;
  if (!(is_dictionary ? entries.release : result->release)) {
    utf8arrow_move(chunk, result);
    return 0;
  }
  return is_dictionary ? shareIndices(call, chunk, &entries, result) : 0;
}

static int applyToText(Utf8Arrow *call, const ArrowType *type, struct ArrowArray *chunk,
                       struct ArrowArray *result) {
  ArrowText text;
  ArrowIndices indices;
  const int rc = utf8arrow_read_array(type, chunk, &text, &indices, call->error);
  if (rc) return rc;
  return call->function->kind == ARROW_CHANGE
             ? changeChunk(call, &text, chunk, result)
             : answerChunk(call, &text, &indices, result);
}

/* Answers for a chunk of the type null, as for strings. */
static int applyToNulls(Utf8Arrow *call, const struct ArrowArray *chunk,
                        struct ArrowArray *result) {
  const ArrowType strings = {.layout = ARROW_OFFSETS32};
  struct ArrowArray nulls;
  ArrowText text;
  int rc = utf8arrow_read_array(&call->type, chunk, &text, NULL, call->error);
  if (rc) return rc;
  if (!utf8arrow_make_nulls(&nulls, (size_t)chunk->length))
    return utf8arrow_no_memory(call->error);
  rc = applyToText(call, &strings, &nulls, result);
  utf8arrow_release(&nulls);
  return rc;
}

int utf8arrow_apply(Utf8Arrow *opened, struct ArrowArray *chunk,
                    struct ArrowArray *result, Utf8ArrowError *error) {
  opened->error = error;
  error->code = UTF8_ARROW_OK;
  result->release = NULL;
  if (opened->function->kind >= ARROW_AUDIT)
    return utf8arrow_fail(error, UTF8_ARROW_ARGUMENT,
                          "utf8_%s has no answer for each value: learn its column",
                          opened->function->name);
  return opened->type.is_null ? applyToNulls(opened, chunk, result)
                              : applyToText(opened, &opened->type, chunk, result);
}
