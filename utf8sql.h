/* utf8sql.h: what the SQL side shares: the doorway (utf8value.c), and what each file
** registers.
**
** A value goes one way: sqlite3_value -> Utf8Value -> core -> utf8value_result_*().
** Only the doorway knows of UTF-16: there, TEXT becomes bytes as WTF-8 (a lone surrogate
** is ED A0..BF xx), judged with UTF8_FROM_UTF16, and goes out as UTF-16 again.
**
** Threads: as SQLite's: one connection, one thread at a time; nothing is shared between
** connections.
*/
#ifndef UTF8SQL_H
#define UTF8SQL_H

#include "sqlite3ext.h"
#include "utf8core.h"
#include <stdatomic.h>

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

#ifndef SQLITE_CORE
extern const sqlite3_api_routines *sqlite3_api;
#endif

/* ---- values in ------------------------------------------------------------------- */

typedef struct Utf8Value {
  const uint8_t *bytes; /* UTF-8, or the WTF-8 form of UTF-16; valid until closed */
  size_t size;
  int type;       /* SQLITE_NULL, SQLITE_TEXT, ... as SQLite stores it */
  int utf16;      /* the bytes were made from UTF-16 */
  uint8_t *owned; /* what utf8value_close() frees, or NULL */
} Utf8Value;

/* Opens x: TEXT and BLOB as their bytes, INTEGER and REAL as their text, NULL as none.
** utf16 is nonzero if TEXT of this connection is UTF-16; it counts only if
** utf8value_has_encoding() is 0. Returns SQLITE_OK, or SQLITE_NOMEM with nothing to close.
** The value is valid for as long as x is. */
static inline int utf8value_open(Utf8Value *value, sqlite3_value *x, int utf16);
static inline void utf8value_close(Utf8Value *value);

/* Is TEXT UTF-16 here, as utf8value_open() and results need to know? The first looks at
** the registration of the running function, the second reads PRAGMA encoding: *utf16
** becomes 0, SQLITE_UTF16LE or SQLITE_UTF16BE. Returns SQLITE_OK or an error code. */
int utf8value_ctx_utf16(sqlite3_context *ctx);
int utf8value_db_utf16(sqlite3 *db, int *utf16);

/* Does sqlite3_value_encoding() work? It came with SQLite 3.40, whose table of functions
** for extensions holds sqlite3_value_type() in its place; 3.40.1 is right.
** utf8value_setup() finds out by calling it for a known value, and comes before all other
** functions here. Reads no table, no schema and no PRAGMA. Returns SQLITE_OK or
** SQLITE_NOMEM. */
int utf8value_setup(sqlite3 *db);
static inline int utf8value_has_encoding(void);

/* The flags under which the value is judged: the dialect's, or what is left of the dialect
** for text that is UTF-16. */
unsigned utf8value_dialect(const Utf8Value *value, unsigned dialect);

/* *at becomes the offset of the first ill-formed subpart in *at..until-1, or else a
** boundary not below until. Asks between pieces of a long value whether to stop: returns
** SQLITE_OK or SQLITE_INTERRUPT. */
int utf8value_find_error(sqlite3 *db, const Utf8Value *value, size_t *at, size_t until,
                         unsigned dialect);

/* Long values are worked on in pieces of this many bytes, and between two of them this
** tells whether sqlite3_interrupt() was called (never, before SQLite 3.41). */
#define UTF8_PIECE ((size_t)1 << 22)
int utf8value_interrupted(sqlite3 *db);

/* Does SQLite's conversion to UTF-16 change this well-formed text? It makes U+FFFD of U+FFFE
** and U+FFFF. */
int utf8value_is_spoilt(const uint8_t *text, size_t size);

/* Continues a 64-bit hash, which starts as 0, with size bytes. Virtual tables make their
** rowids of it: SQLite may identify a row by its rowid across scans with other arguments.
** Not cryptographic. */
uint64_t utf8value_hash(uint64_t hash, const void *bytes, size_t size);

/* ---- options --------------------------------------------------------------------- */

/* An argument that must be one of a few names. */
typedef struct Utf8Name {
  const char *name; /* as documented, or an alias, without '-' and '_'; lower case */
  int id;           /* what it stands for */
} Utf8Name;

typedef struct Utf8Option {
  const char *argument;  /* "dialect" */
  const char *accepted;  /* for the message: "utf-8, rfc2044, ..." */
  const Utf8Name *names; /* up to one whose name is NULL */
} Utf8Option;

extern const Utf8Option
    utf8option_dialect; /* ids are sums of the core's dialect flags */
extern const Utf8Option utf8option_policy;  /* ids are Utf8PolicyId */
extern const Utf8Option utf8option_charset; /* ids are Utf8Charset */

/* The row of option->names that x names, ignoring case, '-' and '_'; NULL if none does. */
const Utf8Name *utf8option_find(const Utf8Option *option, sqlite3_value *x);

/* The same for a function's argument argv[i], looked up once per statement where it is
** constant. If no row fits, the context has its error and NULL is returned. */
const Utf8Name *utf8option_argument(sqlite3_context *ctx, const char *function,
                                    const Utf8Option *option, sqlite3_value **argv,
                                    int i);

/* "utf8_valid: argument 2 (dialect) is 'utf-9'; accepted: utf-8, ...", to be freed with
** sqlite3_free(); NULL if memory ran out. number counts from 1; utf16 is as for
** utf8value_open(), or 0 where SQLite has been asked for x in UTF-8 before. What was given
** is shortened and escaped: the message is well-formed whatever x is. */
char *utf8option_message(const char *function, int number, const char *argument,
                         const char *accepted, sqlite3_value *x, int utf16);

/* Sets that message, or SQLITE_NOMEM, as the context's error. */
void utf8option_error(sqlite3_context *ctx, const char *function, int number,
                      const char *argument, const char *accepted, sqlite3_value *x);

/* ---- results --------------------------------------------------------------------- */

/* X itself is the result, without a subtype; where it is open at hand, in less time. */
void utf8value_result_copy(sqlite3_context *ctx, sqlite3_value *x);
void utf8value_result_same(sqlite3_context *ctx, const Utf8Value *value,
                           sqlite3_value *x);

/* size bytes from `from` on of an open value are the result: BLOB of a BLOB, else TEXT. */
void utf8value_result_part(sqlite3_context *ctx, const Utf8Value *value, size_t from,
                           size_t size);

/* size bytes, from sqlite3_malloc64() and now the doorway's to free, are the result. TEXT
** is UTF-8, or where utf16 is set the WTF-8 form of what goes out as UTF-16, unit for
** unit. Too long a result is SQLITE_TOOBIG. */
void utf8value_result_blob(sqlite3_context *ctx, uint8_t *bytes, size_t size);
void utf8value_result_text(sqlite3_context *ctx, uint8_t *bytes, size_t size,
                           int utf16);

/* The same for well-formed UTF-8 that was made from something else than TEXT. */
void utf8value_result_decoded(sqlite3_context *ctx, uint8_t *bytes, size_t size);

/* One code point as TEXT, in whatever encoding the database has. */
void utf8value_result_char(sqlite3_context *ctx, uint32_t codepoint);

/* ---- the way in, as far as it is compiled into each function ----------------------- */

/* Nearly every value is TEXT in UTF-8, and nearly every function's time is calls. */

extern atomic_int utf8value_encoding_known; /* set once, by utf8value_setup() */

static inline int utf8value_has_encoding(void) {
  return atomic_load_explicit(&utf8value_encoding_known, memory_order_relaxed);
}

/* The encoding of a TEXT value: SQLITE_UTF8, SQLITE_UTF16LE or BE; SQLITE_UTF16 where it
** is only known not to be UTF-8. */
static inline int utf8value_encoding(sqlite3_value *x, int utf16) {
#if SQLITE_VERSION_NUMBER >= 3040000
  if (utf8value_has_encoding()) return sqlite3_value_encoding(x);
#endif
  (void)x;
  return utf16 ? SQLITE_UTF16 : SQLITE_UTF8;
}

/* utf8value_open() for what is not TEXT in UTF-8; *value has its type. */
int utf8value_open_other(Utf8Value *value, sqlite3_value *x, int encoding);

static inline int utf8value_open(Utf8Value *value, sqlite3_value *x, int utf16) {
  *value = (Utf8Value){.type = sqlite3_value_type(x)};
  int encoding = value->type == SQLITE_TEXT ? utf8value_encoding(x, utf16) : 0;
  if (encoding != SQLITE_UTF8) return utf8value_open_other(value, x, encoding);
  value->bytes = sqlite3_value_text(x);
  value->size = (size_t)sqlite3_value_bytes(x);
  return value->bytes ? SQLITE_OK : SQLITE_NOMEM;
}

static inline void utf8value_close(Utf8Value *value) {
  if (value->owned) sqlite3_free(value->owned);
  value->owned = NULL;
}

/* ---- registration ---------------------------------------------------------------- */

/* Return SQLITE_OK or an error code. */
int utf8func_register(sqlite3 *db);
int utf8each_register(sqlite3 *db);
int utf8audit_register(sqlite3 *db);

/* Removes all scalar functions from db, except while a statement of db runs: SQLite does
** not allow it then. */
void utf8func_unregister(sqlite3 *db);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
