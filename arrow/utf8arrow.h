/* arrow/utf8arrow.h: the functions of SQL over columns of text, by the Arrow C data interface.
**
**     Utf8Arrow *repair;
**     Utf8ArrowError error;
**     const Utf8ArrowArgument policy = {UTF8_ARROW_TEXT, "auto", 4};
**     if (utf8arrow_open(&repair, "repair", &policy, 1, &error) ||
**         utf8arrow_begin(repair, &schema, 0, &result_schema, &error) ||
**         utf8arrow_learn(repair, chunks, 2, &error) ||
**         utf8arrow_apply(repair, &chunks[0], &results[0], &error) ||
**         utf8arrow_apply(repair, &chunks[1], &results[1], &error))
**       puts(error.message);
**     utf8arrow_close(repair);
**
** The functions have the names, the arguments and the answers of docs/functions.md, without "utf8_".
** NULL gives NULL. The function "readings" gives the rows of the table utf8_readings as a list of structs. A column
** has the type string, large_string, string_view, binary, large_binary or binary_view, or is a dictionary of one of
** these. Its strings may be ill-formed UTF-8, which Arrow forbids: that is what these functions are for. Needs
** neither SQLite nor Python.
**
** For all functions:
**
**   Failure     Functions that return int return 0, or a Utf8ArrowCode after storing it with a message.
**               Then nothing that they should store is to be freed or released.
**   Memory      malloc() is called once for each buffer of a result, and again as it grows: never for
**               each value. What a result shares with its chunk is not copied.
**   Hostile     Offsets, indices, views, counts and pointers are checked before they are used. What the
**   arrays      interface does not say cannot be checked: how large a buffer is, except those of views.
**   Threads     A Utf8Arrow belongs to one thread at a time. Threads share nothing.
*/
#ifndef UTF8_ARROW_UTF8ARROW_H
#define UTF8_ARROW_UTF8ARROW_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The structures of https://arrow.apache.org/docs/format/CDataInterface.html, under the guards that it
** prescribes. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE           2
#define ARROW_FLAG_MAP_KEYS_SORTED    4

struct ArrowSchema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema **children;
  struct ArrowSchema *dictionary;
  void (*release)(struct ArrowSchema *);
  void *private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct ArrowArray **children;
  struct ArrowArray *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream *, struct ArrowSchema *out);
  int (*get_next)(struct ArrowArrayStream *, struct ArrowArray *out);
  const char *(*get_last_error)(struct ArrowArrayStream *);
  void (*release)(struct ArrowArrayStream *);
  void *private_data;
};

#endif

typedef enum Utf8ArrowCode {
  UTF8_ARROW_OK,
  UTF8_ARROW_ARGUMENT, /* an argument is not one of those accepted */
  UTF8_ARROW_TYPE,     /* the column has another type than those accepted */
  UTF8_ARROW_ARRAY,    /* the array contradicts the interface */
  UTF8_ARROW_INVALID,  /* validate: a value is ill-formed */
  UTF8_ARROW_TOO_BIG, /* the result has more bytes than its type can hold: begin with is_large */
  UTF8_ARROW_NO_MEMORY
} Utf8ArrowCode;

/* Of a failure. The message is that of the SQL function where that has one. */
#define UTF8_ARROW_MESSAGE 1024
typedef struct Utf8ArrowError {
  int code; /* a Utf8ArrowCode */
  char message[UTF8_ARROW_MESSAGE];
} Utf8ArrowError;

/* The type of an argument after the first, as SQL has it. */
typedef enum Utf8ArrowType {
  UTF8_ARROW_NULL,
  UTF8_ARROW_TEXT,
  UTF8_ARROW_BLOB,
  UTF8_ARROW_NUMBER
} Utf8ArrowType;

/* An argument: text[0..size) is its text, its bytes, or the number in decimal digits. */
typedef struct Utf8ArrowArgument {
  Utf8ArrowType type;
  const char *text;
  size_t size;
} Utf8ArrowArgument;

/* A function with its arguments, the column that it is applied to, and memory that it needs. */
typedef struct Utf8Arrow Utf8Arrow;

/* Opens a function of docs/functions.md, by its name without "utf8_", with the arguments after X. */
int utf8arrow_open(Utf8Arrow **opened, const char *function,
                   const Utf8ArrowArgument *arguments, size_t count,
                   Utf8ArrowError *error);
void utf8arrow_close(Utf8Arrow *opened); /* may be NULL */

/* Begins a column of the schema's type, and stores the type of the results, to be released by the caller.
** The schema may be released afterwards. If is_large, string and binary become large_string and large_binary. */
int utf8arrow_begin(Utf8Arrow *opened, const struct ArrowSchema *schema, int is_large,
                    struct ArrowSchema *result, Utf8ArrowError *error);

/* Makes the column the neighbourhood of its values, as that of a table is in utf8_audit. Call it with all
** chunks, before applying the function to them. cause, readings, clean, demojibake without a charset, and repair under
** policy auto use it; without it, each value is alone, as in SQL. detect_column needs it. For other functions it does nothing. */
int utf8arrow_learn(Utf8Arrow *opened, const struct ArrowArray *chunks, size_t count,
                    Utf8ArrowError *error);

/* Applies the function, which is neither "audit" nor "detect_column", to a chunk. Moves the chunk to the result if it needs no change, or if the result
** shares its buffers: then chunk->release is NULL. The caller releases both. */
int utf8arrow_apply(Utf8Arrow *opened, struct ArrowArray *chunk,
                    struct ArrowArray *result, Utf8ArrowError *error);

/* Returns the answer of detect_column after utf8arrow_learn(), or NULL if there was no value. */
const char *utf8arrow_detected(const Utf8Arrow *opened);

/* ---- what utf8_audit finds: the function "audit" --------------------------------------------- */

/* Values of a column with the same kind of first error and the same cause. */
#define UTF8_ARROW_EXAMPLES 3
typedef struct Utf8ArrowFound {
  const char *error; /* a constant: "truncated"; "mojibake" for misread text */
  char
      cause[64]; /* "windows-1251"; for misread text, the charset that it was read in */
  int64_t values;
  size_t example_count;
  int64_t examples
      [UTF8_ARROW_EXAMPLES]; /* the first rows, counted from the first chunk on */
} Utf8ArrowFound;

/* Counts what is wrong with a chunk. The function is "audit", and utf8arrow_learn() was called with all of the column. */
int utf8arrow_audit(Utf8Arrow *opened, const struct ArrowArray *chunk,
                    Utf8ArrowError *error);

/* Returns the group with this number, in the order in which they were found, or NULL. */
const Utf8ArrowFound *utf8arrow_found(const Utf8Arrow *opened, size_t number);

/* ---- results for several consumers ------------------------------------------------------------- */

/* Chunks of one type, which live until the last consumer has released what it got. */
typedef struct Utf8ArrowColumn Utf8ArrowColumn;

/* Moves the schema and the chunks to a new column, whose owner is the caller. */
int utf8arrow_column(Utf8ArrowColumn **column, struct ArrowSchema *schema,
                     struct ArrowArray *chunks, size_t count, Utf8ArrowError *error);
void utf8arrow_release_column(Utf8ArrowColumn *column);

/* Stores the column's schema, or one of its chunks, without a copy of the buffers. The column may be
** released before the results. Chunk number `count` is the end: result->release is NULL. */
int utf8arrow_share_schema(const Utf8ArrowColumn *column, struct ArrowSchema *result);
int utf8arrow_share_chunk(Utf8ArrowColumn *column, size_t number,
                          struct ArrowArray *result);

/* Stores a stream of all chunks. */
int utf8arrow_share_stream(Utf8ArrowColumn *column, struct ArrowArrayStream *result);

#ifdef __cplusplus
}
#endif
#endif
