/* sql/value.h: SQL values as bytes, and bytes as SQL results.
**
** A value goes one way: sqlite3_value -> Utf8Value -> core -> utf8value_result_*(). Only
** this layer handles UTF-16: it reads TEXT of a UTF-16 database as WTF-8, in which a lone
** surrogate is ED A0..BF xx, checks it with UTF8_FROM_UTF16, and writes results as UTF-16.
**
** Threads: as in SQLite, one thread at a time uses a connection. Connections share nothing but
** a flag that utf8value_setup() sets to the same value each time.
*/
#ifndef UTF8_SQL_VALUE_H
#define UTF8_SQL_VALUE_H

#include "sqlite3ext.h"
#include "core/utf8core.h"
#include <stdatomic.h>

#ifndef SQLITE_CORE
extern const sqlite3_api_routines *sqlite3_api;
#endif

/* ---- encodings ---------------------------------------------------------------------- */

/* How SQLite stores TEXT. Native UTF-16 stands for either byte order where SQLite cannot
** report which; SQLite converts then. */
typedef enum Utf8Encoding {
  UTF8_ENCODING_NONE = 0, /* not TEXT */
  UTF8_ENCODING_UTF8 = SQLITE_UTF8,
  UTF8_ENCODING_UTF16LE = SQLITE_UTF16LE,
  UTF8_ENCODING_UTF16BE = SQLITE_UTF16BE,
  UTF8_ENCODING_UTF16 = SQLITE_UTF16
} Utf8Encoding;

/* Finds out whether sqlite3_value_encoding() works, by calling it for a known value: in the
** table of functions that SQLite 3.40.0 passes to extensions, sqlite3_value_type() is in its
** place. Call before any other function of this file. Reads no table, no schema and no
** PRAGMA. Returns SQLITE_OK or SQLITE_NOMEM. */
int utf8value_setup(sqlite3 *db);

/* Does sqlite3_value_encoding() work? If not, functions are registered twice, for UTF-8 and for
** UTF-16, and the functions below report the encoding of TEXT. */
static inline int utf8value_has_encoding(void);

/* Returns the user data of a function that is registered for this encoding. */
void *utf8value_user_data(Utf8Encoding encoding);

/* Returns the encoding of the running function's TEXT arguments, for utf8value_open():
** UTF8_ENCODING_UTF8 or UTF8_ENCODING_UTF16. If utf8value_has_encoding(), each value reports
** its own, and the result has no meaning. */
Utf8Encoding utf8value_ctx_encoding(sqlite3_context *ctx);

/* Stores the encoding of the connection's databases in *encoding: never UTF8_ENCODING_UTF16,
** and UTF8_ENCODING_UTF8 if PRAGMA encoding, which it reads, fails or returns no row. Returns
** SQLITE_OK or an error code. */
int utf8value_db_encoding(sqlite3 *db, Utf8Encoding *encoding);

/* ---- values ------------------------------------------------------------------------- */

typedef struct Utf8Value {
  const uint8_t *bytes; /* UTF-8, or UTF-16 as WTF-8; valid until closed */
  size_t size;
  int type;       /* SQLITE_NULL, SQLITE_TEXT, ... as SQLite stores it */
  int from_utf16; /* the bytes were made from UTF-16 */
  uint8_t *owned; /* what utf8value_close() frees, or NULL */
} Utf8Value;

/* Opens x: TEXT and BLOB as their bytes, INTEGER and REAL as their text, NULL as no bytes.
** encoding matters only if !utf8value_has_encoding(). Returns SQLITE_OK, or SQLITE_NOMEM
** with nothing to close. The value is valid for as long as x is. */
static inline int utf8value_open(Utf8Value *value, sqlite3_value *x,
                                 Utf8Encoding encoding);
static inline void utf8value_close(Utf8Value *value);

/* Opens x, an argument of the running function. Returns 0 if the result is set already: NULL
** for NULL, or an error. */
static inline int utf8value_open_argument(sqlite3_context *ctx, Utf8Value *value,
                                          sqlite3_value *x);

/* Like utf8value_open_argument(), but faster, for functions that never return x. sqlite3_value_text()
** copies TEXT that a program has bound with its size, to end it with NUL. sqlite3_value_blob() does
** not, but marks x as TEXT and BLOB: if x were the result, a STRICT table would accept it in a column
** of type BLOB. */
static inline int utf8value_read_argument(sqlite3_context *ctx, Utf8Value *value,
                                          sqlite3_value *x);

/* Opens x, to be read only, if it is TEXT in UTF-8, not empty and not longer than a chunk: what nearly
** all values are. Returns 0 if it is not, or if memory ran out. There is nothing to close in either
** case. */
static inline int utf8value_read_short(Utf8Value *value, sqlite3_value *x);

/* The flags under which the core reads the value: the dialect's, or those of the dialect
** that apply to text from UTF-16. */
unsigned utf8value_dialect(const Utf8Value *value, unsigned dialect);

/* Moves *at to the first ill-formed subpart that starts in bytes[*at..until), or else to the
** first boundary at or after until. Returns SQLITE_OK, or SQLITE_INTERRUPT if it stopped
** between two chunks of a long value. */
int utf8value_find_error(sqlite3 *db, const Utf8Value *value, size_t *at, size_t until,
                         unsigned dialect);

/* Writes bytes that a database stores for TEXT which is open as value, to out[0..room), until that is full.
** Moves *at, an offset in value->bytes that starts at 0, to where the next call resumes; it is value->size at
** the end. room is at least UTF8_CHARSET_ROOM. encoding is never UTF8_ENCODING_UTF16. Returns how many bytes
** were written. */
size_t utf8value_stored(const Utf8Value *value, Utf8Encoding encoding, size_t *at,
                        uint8_t *out, size_t room);

/* ---- long values ------------------------------------------------------------------- */

/* Every long loop is a loop over chunks, between which sqlite3_interrupt() takes effect:
**
**     Utf8Chunks c = utf8value_chunks(db, 0, value->size);
**     while (utf8value_next(&c))
**       count += utf8core_count(value->bytes, value->size, &c.at, c.until, dialect);
**     return c.rc;
**
** An empty value has one chunk, which is empty. */
typedef struct Utf8Chunks {
  sqlite3 *db; /* NULL: no interrupt takes effect */
  size_t size; /* of the value */
  /* where the chunk starts; the loop's body moves it to where it stopped, maybe after until */
  size_t at;
  size_t until; /* where the chunk ends */
  size_t room;  /* how many bytes the body may write; set by utf8value_next_into() */
  int has_begun;
  int rc; /* SQLITE_OK, or why the loop ended before at reached size */
} Utf8Chunks;

/* Bytes of a chunk. A test build has a smaller one. */
#ifndef UTF8_CHUNK
#define UTF8_CHUNK ((size_t)1 << 22)
#endif

static inline Utf8Chunks utf8value_chunks(sqlite3 *db, size_t at, size_t size);

/* Like utf8value_chunks() for a whole value of the running function. */
static inline Utf8Chunks utf8value_chunks_of(sqlite3_context *ctx,
                                             const Utf8Value *value);

/* Returns 1 if there is a chunk, and sets c->until. Returns 0 after the last chunk; or with
** c->rc set to SQLITE_INTERRUPT if sqlite3_interrupt() was called, which only SQLite 3.41.0 or
** newer reports. */
static inline int utf8value_next(Utf8Chunks *c);

/* Does SQLite's conversion to UTF-16 change this well-formed text? It turns U+FFFE and
** U+FFFF into U+FFFD. */
int utf8value_sqlite_would_alter(const uint8_t *text, size_t size);

/* ---- results ------------------------------------------------------------------------ */

/* Each function sets the result of ctx, or SQLITE_NOMEM or SQLITE_TOOBIG as its error. */

/* The result is x unchanged, but without its subtype. The second function is faster if x is
** open as value. */
void utf8value_result_copy(sqlite3_context *ctx, sqlite3_value *x);
void utf8value_result_same(sqlite3_context *ctx, const Utf8Value *value,
                           sqlite3_value *x);

/* The result is value->bytes[from..from+size): a BLOB if the value is one, else TEXT. */
void utf8value_result_part(sqlite3_context *ctx, const Utf8Value *value, size_t from,
                           size_t size);

/* The result is bytes[0..size), which come from sqlite3_malloc64() and are freed here. Text is
** UTF-8; with to_utf16 it is UTF-16 as WTF-8, and the result is that UTF-16, code
** unit for code unit. */
void utf8value_result_blob(sqlite3_context *ctx, uint8_t *bytes, size_t size);
void utf8value_result_text(sqlite3_context *ctx, uint8_t *bytes, size_t size,
                           int to_utf16);

/* Like utf8value_result_text() for well-formed UTF-8, in a database of any encoding. `destroy` is
** sqlite3_free(), or SQLITE_TRANSIENT if the caller keeps the bytes. */
void utf8value_result_utf8(sqlite3_context *ctx, uint8_t *bytes, size_t size,
                           sqlite3_destructor_type destroy);

/* The result is one code point as TEXT. */
void utf8value_result_char(sqlite3_context *ctx, uint32_t codepoint);

/* ---- results of unknown size --------------------------------------------------------- */

/* A growing buffer. Starts as {NULL, 0, 0, limit}. */
typedef struct Utf8Output {
  uint8_t *bytes; /* to be freed with sqlite3_free(), or returned */
  size_t used;
  size_t room;
  size_t limit; /* the longest value that the connection allows: utf8value_longest() */
} Utf8Output;

/* Makes room for at least `more` further bytes. Returns SQLITE_OK, or SQLITE_TOOBIG or
** SQLITE_NOMEM with the old bytes in place. */
int utf8value_grow(Utf8Output *out, uint64_t more);

/* Copies bytes[0..at) of the value to out, which is empty, and makes room for a result of about
** the value's size and `needed` bytes. Returns SQLITE_OK, SQLITE_TOOBIG or SQLITE_NOMEM. */
int utf8value_copy_start(Utf8Output *out, const Utf8Value *value, size_t at,
                         size_t needed);

/* Like utf8value_next(), for a loop whose body appends up to c->room bytes to out. c->room is at
** least `needed`, or c->rc is set to SQLITE_TOOBIG or SQLITE_NOMEM. */
int utf8value_next_into(Utf8Chunks *c, Utf8Output *out, size_t needed);

/* The result is out, whose bytes are freed here: a BLOB if the value is one, else TEXT. Or it is
** the error rc, unless that is SQLITE_OK. */
void utf8value_result_output(sqlite3_context *ctx, int rc, const Utf8Output *out,
                             const Utf8Value *value);

/* Returns the longest value that the connection allows, in bytes as UTF-8: three
** of these may stand for the two bytes of a UTF-16 code unit. */
size_t utf8value_longest(sqlite3 *db, int may_be_utf16);

/* ---- values that functions make ------------------------------------------------------- */

/* What a function makes of a value is another Utf8Value. Close that one first: if it is the value or a part of
** it, its bytes belong to the value. */

/* Returns the value, to which its bytes still belong. */
static inline Utf8Value utf8value_same(const Utf8Value *value);

/* Makes *made a value of the bytes in *out, with the type and origin of `value`. If rc is an error, frees the
** bytes and makes *made NULL. Returns rc. */
int utf8value_make(Utf8Value *made, int rc, const Utf8Output *out,
                   const Utf8Value *value);

/* Sets the result to what was made of x, which is open as value; to the error rc, unless that is SQLITE_OK.
** Closes *made. */
void utf8value_result_made(sqlite3_context *ctx, int rc, Utf8Value *made,
                           const Utf8Value *value, sqlite3_value *x);

/* ---- inline fast path: TEXT in a UTF-8 database needs no copy ------------------------ */

extern atomic_int utf8value_encoding_works; /* set by utf8value_setup() */

static inline int utf8value_has_encoding(void) {
  return atomic_load_explicit(&utf8value_encoding_works, memory_order_relaxed);
}

/* Returns the encoding of a TEXT value. If SQLite does not report it, returns UTF-8 or UTF-16
** by `otherwise`; the byte order is then native, since sqlite3_value_bytes16() of older
** versions converts the value to it. */
static inline Utf8Encoding utf8value_encoding(sqlite3_value *x,
                                              Utf8Encoding otherwise) {
#if SQLITE_VERSION_NUMBER >= 3040000
  if (utf8value_has_encoding()) return (Utf8Encoding)sqlite3_value_encoding(x);
#endif
  (void)x;
  return otherwise == UTF8_ENCODING_UTF8 ? UTF8_ENCODING_UTF8 : UTF8_ENCODING_UTF16;
}

/* Slow path of utf8value_open(): opens everything but TEXT in UTF-8. value->type is set, all
** other fields are 0. encoding is that of x, UTF8_ENCODING_NONE if x is not TEXT. */
int utf8value_open_other(Utf8Value *value, sqlite3_value *x, Utf8Encoding encoding);

/* Opens x. With read_only, x is as in utf8value_read_argument(): the bytes of empty TEXT may be NULL
** then. */
static inline int utf8value_open_as(Utf8Value *value, sqlite3_value *x,
                                    Utf8Encoding encoding, int read_only) {
  *value = (Utf8Value){.type = sqlite3_value_type(x)};
  Utf8Encoding actual = UTF8_ENCODING_NONE;
  if (value->type == SQLITE_TEXT) actual = utf8value_encoding(x, encoding);
  if (actual != UTF8_ENCODING_UTF8) return utf8value_open_other(value, x, actual);
  value->bytes = read_only ? sqlite3_value_blob(x) : sqlite3_value_text(x);
  value->size = (size_t)sqlite3_value_bytes(x);
  return value->bytes || (read_only && !value->size) ? SQLITE_OK : SQLITE_NOMEM;
}

static inline int utf8value_open(Utf8Value *value, sqlite3_value *x,
                                 Utf8Encoding encoding) {
  return utf8value_open_as(value, x, encoding, 0);
}

static inline int utf8value_argument_as(sqlite3_context *ctx, Utf8Value *value,
                                        sqlite3_value *x, int read_only) {
  const Utf8Encoding encoding = utf8value_ctx_encoding(ctx);
  if (utf8value_open_as(value, x, encoding, read_only) != SQLITE_OK) {
    sqlite3_result_error_nomem(ctx);
    return 0;
  }
  return value->type != SQLITE_NULL;
}

static inline int utf8value_open_argument(sqlite3_context *ctx, Utf8Value *value,
                                          sqlite3_value *x) {
  return utf8value_argument_as(ctx, value, x, 0);
}

static inline int utf8value_read_argument(sqlite3_context *ctx, Utf8Value *value,
                                          sqlite3_value *x) {
  return utf8value_argument_as(ctx, value, x, 1);
}

static inline int utf8value_read_short(Utf8Value *value, sqlite3_value *x) {
  if (sqlite3_value_type(x) != SQLITE_TEXT) return 0;
  if (utf8value_encoding(x, UTF8_ENCODING_UTF16) != UTF8_ENCODING_UTF8) return 0;
  *value = (Utf8Value){.bytes = sqlite3_value_blob(x), .type = SQLITE_TEXT};
  value->size = (size_t)sqlite3_value_bytes(x);
  return value->bytes && value->size <= UTF8_CHUNK;
}

static inline void utf8value_close(Utf8Value *value) {
  if (value->owned) sqlite3_free(value->owned);
  value->owned = NULL;
}

static inline Utf8Value utf8value_same(const Utf8Value *value) {
  return (Utf8Value){value->bytes, value->size, value->type, value->from_utf16, NULL};
}

static inline Utf8Chunks utf8value_chunks(sqlite3 *db, size_t at, size_t size) {
  return (Utf8Chunks){.db = db, .at = at, .size = size};
}

/* A short value has one chunk and needs no connection, which saves a call into SQLite. */
static inline Utf8Chunks utf8value_chunks_of(sqlite3_context *ctx,
                                             const Utf8Value *value) {
  const int isLong = value->size > UTF8_CHUNK;
  return utf8value_chunks(isLong ? sqlite3_context_db_handle(ctx) : NULL, 0,
                          value->size);
}

/* Returns 1 if there are more chunks and sqlite3_interrupt() was not called. Sets c->rc if it
** was. */
int utf8value_continues(Utf8Chunks *c);

static inline int utf8value_next(Utf8Chunks *c) {
  if (c->has_begun && !utf8value_continues(c)) return 0;
  c->has_begun = 1;
  c->until = c->size - c->at < UTF8_CHUNK ? c->size : c->at + UTF8_CHUNK;
  return 1;
}

#endif
