/* sql/value.c: SQL values as bytes, and bytes as SQL results.
**
** TEXT of a UTF-8 database is used where SQLite has it, without a copy. TEXT of a UTF-16
** database is read as WTF-8, lone surrogates included: SQLite's own conversion would turn
** D83D 0061 into one other character. Results are written as UTF-16 after a byte order
** mark, which SQLite removes: its conversion from UTF-8 turns U+FFFE and U+FFFF into U+FFFD,
** and sqlite3_result_text16() would remove a U+FEFF that belongs to the text.
**
** sqlite3_value_encoding() works since SQLite 3.40.1. Before that, functions are registered
** twice, with the encoding of their TEXT arguments as user data.
*/
#include "sql/value.h"
#include "core/step.h"
#include <string.h>

/* ---- encodings ---------------------------------------------------------------------- */

atomic_int utf8value_encoding_works;

#if SQLITE_VERSION_NUMBER >= 3040000
/* A BLOB's encoding is one of the three that SQLite has, and its type is none of them. */
static int encodingIsType(sqlite3_value *blob) {
  return sqlite3_value_encoding(blob) == SQLITE_BLOB;
}

/* Stores in *works whether sqlite3_value_encoding() returns an encoding. If the statement
** cannot run, as where an authorizer forbids SELECT, it is taken not to work. */
static int probeEncoding(sqlite3 *db, int *works) {
  sqlite3_stmt *stmt = NULL;
  *works = 0;
  int rc = sqlite3_prepare_v2(db, "SELECT x'41'", -1, &stmt, NULL);
  if (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
    *works = !encodingIsType(sqlite3_column_value(stmt, 0));
  }
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_NOMEM || final == SQLITE_NOMEM ? SQLITE_NOMEM : SQLITE_OK;
}
#endif

int utf8value_setup(sqlite3 *db) {
  int works = 0, rc = SQLITE_OK;
#if SQLITE_VERSION_NUMBER >= 3040000
  if (sqlite3_libversion_number() >= 3040000) rc = probeEncoding(db, &works);
#endif
  (void)db;
  atomic_store(&utf8value_encoding_works, works);
  return rc;
}

void *utf8value_user_data(Utf8Encoding encoding) {
  return (void *)(intptr_t)encoding;
}

Utf8Encoding utf8value_ctx_encoding(sqlite3_context *ctx) {
  if (utf8value_has_encoding()) return UTF8_ENCODING_UTF8;
  return (Utf8Encoding)(intptr_t)sqlite3_user_data(ctx);
}

static Utf8Encoding encodingNamed(const char *name) {
  if (strcmp(name, "UTF-8") == 0) return UTF8_ENCODING_UTF8;
  return strcmp(name, "UTF-16be") == 0 ? UTF8_ENCODING_UTF16BE : UTF8_ENCODING_UTF16LE;
}

int utf8value_db_encoding(sqlite3 *db, Utf8Encoding *encoding) {
  sqlite3_stmt *stmt = NULL;
  *encoding = UTF8_ENCODING_UTF8;
  int rc = sqlite3_prepare_v2(db, "PRAGMA encoding", -1, &stmt, NULL);
  if (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(stmt, 0);
    if (name) *encoding = encodingNamed(name);
  }
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}

/* ---- values ------------------------------------------------------------------------- */

static Utf8Charset nativeUtf16(void) { /* unreachable: big-endian, see check-wordsize */
  return bytes_is_little_endian() ? UTF8_CHARSET_UTF16LE : UTF8_CHARSET_UTF16BE;
}

static Utf8Charset orderOf(Utf8Encoding encoding) {
  if (encoding == UTF8_ENCODING_UTF16LE) return UTF8_CHARSET_UTF16LE;
  return encoding == UTF8_ENCODING_UTF16BE ? UTF8_CHARSET_UTF16BE : nativeUtf16();
}

/* Returns x as UTF-16, and stores its byte order. NULL if memory ran out. */
static const uint8_t *utf16Of(sqlite3_value *x, Utf8Encoding encoding,
                              Utf8Charset *order) {
  *order = orderOf(encoding);
  if (encoding == UTF8_ENCODING_UTF16LE) return sqlite3_value_text16le(x);
  if (encoding == UTF8_ENCODING_UTF16BE) return sqlite3_value_text16be(x);
  return sqlite3_value_text16(x);
}

/* Opens UTF-16 as WTF-8: at most three bytes for each unit, and three for an odd
** byte. */
static int openUtf16(Utf8Value *value, sqlite3_value *x, Utf8Encoding encoding) {
  Utf8Conversion c = {.dialect = UTF8_FROM_UTF16 | UTF8_SURROGATES};
  const uint8_t *units = utf16Of(x, encoding, &c.charset);
  const size_t size = (size_t)sqlite3_value_bytes16(x);
  const uint64_t room = 3 * ((uint64_t)size / 2 + 1) + UTF8_CHARSET_ROOM;
  value->owned = units ? sqlite3_malloc64(room) : NULL;
  if (!value->owned) return SQLITE_NOMEM;
  while (c.at < size) {
    value->size += utf8core_decode(&c, units, size, value->owned + value->size,
                                   (size_t)room - value->size);
  }
  value->bytes = value->owned;
  value->from_utf16 = 1;
  return SQLITE_OK;
}

int utf8value_open_other(Utf8Value *value, sqlite3_value *x, Utf8Encoding encoding) {
  if (value->type == SQLITE_NULL) return SQLITE_OK;
  if (value->type == SQLITE_TEXT) return openUtf16(value, x, encoding);
  if (value->type == SQLITE_BLOB) {
    value->bytes = sqlite3_value_blob(x);
  } else {
    value->bytes = sqlite3_value_text(x);
  }
  value->size = (size_t)sqlite3_value_bytes(x);
  int lost = !value->bytes && (value->size > 0 || value->type != SQLITE_BLOB);
  return lost ? SQLITE_NOMEM : SQLITE_OK;
}

/* Lone surrogates and an odd last byte are all that can be ill-formed in UTF-16. Two dialects
** accept lone surrogates: wtf-8 and utf-8b. */
unsigned utf8value_dialect(const Utf8Value *value, unsigned dialect) {
  if (!value->from_utf16) return dialect;
  if (dialect & UTF8_BYTES) return UTF8_FROM_UTF16 | UTF8_BYTES | UTF8_SURROGATES;
  return UTF8_FROM_UTF16 | (dialect & UTF8_SURROGATES);
}

int utf8value_find_error(sqlite3 *db, const Utf8Value *value, size_t *at, size_t until,
                         unsigned dialect) {
  if (*at >= until) return SQLITE_OK;
  Utf8Chunks c = utf8value_chunks(db, *at, until);
  while (utf8value_next(&c)) {
    c.at =
        utf8core_find_error(value->bytes, value->size, c.at, c.until, dialect).offset;
    if (c.at < c.until) break;
  }
  *at = c.at;
  return c.rc;
}

/* ---- long values ------------------------------------------------------------------- */

#define HAS_IS_INTERRUPTED 3041000

#if !defined(SQLITE_CORE)
/* Reads sqlite3_is_interrupted() from the table that SQLite passes to extensions, by its place:
** the header may be older than the SQLite that runs. All members of the table are pointers to
** functions, and new versions add theirs at the end. */
#define PLACE_OF_IS_INTERRUPTED (266 * sizeof(void (*)(void)))
#if SQLITE_VERSION_NUMBER >= HAS_IS_INTERRUPTED
_Static_assert(offsetof(sqlite3_api_routines, is_interrupted) ==
                   PLACE_OF_IS_INTERRUPTED,
               "the place of sqlite3_is_interrupted()");
#endif
static int isInterrupted(sqlite3 *db) {
  int (*function)(sqlite3 *);
  memcpy(&function, (const char *)sqlite3_api + PLACE_OF_IS_INTERRUPTED,
         sizeof function);
  return function(db);
}
#elif SQLITE_VERSION_NUMBER >= HAS_IS_INTERRUPTED
#define isInterrupted sqlite3_is_interrupted
#else
#define isInterrupted(db) ((void)(db), 0)
#endif

int utf8value_continues(Utf8Chunks *c) {
  if (c->at >= c->size) return 0; /* so ends a value of one chunk, without c->db */
  if (sqlite3_libversion_number() >= HAS_IS_INTERRUPTED && isInterrupted(c->db)) {
    c->rc = SQLITE_INTERRUPT;
  }
  return c->rc == SQLITE_OK;
}

/* ---- results --------------------------------------------------------------------- */

/* sqlite3_result_value() allocates memory for every row, whereas a copy reuses that of the
** last row's result. For longer values the copy costs more than the allocation. */
#define SHORT_VALUE 4096

void utf8value_result_same(sqlite3_context *ctx, const Utf8Value *value,
                           sqlite3_value *x) {
  int isBytes = value->type == SQLITE_TEXT || value->type == SQLITE_BLOB;
  if (isBytes && !value->from_utf16 && value->size <= SHORT_VALUE) {
    utf8value_result_part(ctx, value, 0, value->size);
  } else {
    utf8value_result_copy(ctx, x);
  }
}

void utf8value_result_copy(sqlite3_context *ctx, sqlite3_value *x) {
  sqlite3_result_value(ctx, x);
  sqlite3_result_subtype(ctx, 0);
}

void utf8value_result_blob(sqlite3_context *ctx, uint8_t *bytes, size_t size) {
  sqlite3_result_blob64(ctx, bytes, size, sqlite3_free);
}

static const uint16_t byteOrderMark = 0xFEFF;

/* Does text end with an encoded odd byte? Otherwise F1 is the lead of four bytes. */
static int endsInOddByte(const uint8_t *text, size_t size) {
  return size >= 3 && text[size - 3] == UTF8_ODD_LEAD;
}

/* Like utf8value_stored(), for WTF-8 in a database of UTF-16. */
static size_t storedUtf16(const uint8_t *text, size_t size, Utf8Charset order,
                          size_t *at, uint8_t *out, size_t room) {
  const size_t end = endsInOddByte(text, size) ? size - 3 : size;
  Utf8Conversion c = {
      .charset = order, .dialect = UTF8_FROM_UTF16 | UTF8_SURROGATES, .at = *at};
  if (*at < end) {
    const size_t used = utf8core_encode(&c, text, end, out, room);
    *at = c.at;
    return used;
  }
  *at = size;
  if (end < size) out[0] = UTF8_ODD_BYTE(text + end);
  return end < size;
}

size_t utf8value_stored(const Utf8Value *value, Utf8Encoding encoding, size_t *at,
                        uint8_t *out, size_t room) {
  const size_t size = bytes_min(value->size - *at, room);
  if (encoding != UTF8_ENCODING_UTF8)
    return storedUtf16(value->bytes, value->size, orderOf(encoding), at, out, room);
  if (size > 0) memcpy(out, value->bytes + *at, size);
  *at += size;
  return size;
}

/* Sets the result of ctx to WTF-8, converted to UTF-16 after a byte order mark, which SQLite
** removes; or to SQLITE_NOMEM or SQLITE_TOOBIG. Does not free text. */
static void resultUtf16(sqlite3_context *ctx, const uint8_t *text, size_t size) {
  const uint64_t room = 2 * (uint64_t)size + sizeof byteOrderMark + UTF8_CHARSET_ROOM;
  uint8_t *units = sqlite3_malloc64(room);
  if (!units) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  size_t used = sizeof byteOrderMark;
  memcpy(units, &byteOrderMark, used);
  for (size_t at = 0; at < size;)
    used +=
        storedUtf16(text, size, nativeUtf16(), &at, units + used, (size_t)room - used);
  sqlite3_result_text64(ctx, (char *)units, used, sqlite3_free, SQLITE_UTF16);
}

/* Like utf8value_result_text(). `destroy` is sqlite3_free() or SQLITE_TRANSIENT. */
static void resultText(sqlite3_context *ctx, const uint8_t *bytes, size_t size,
                       int toUtf16, sqlite3_destructor_type destroy) {
  if (toUtf16) {
    resultUtf16(ctx, bytes, size);
    if (destroy != SQLITE_TRANSIENT) destroy((void *)bytes);
  } else {
    sqlite3_result_text64(ctx, (const char *)bytes, size, destroy, SQLITE_UTF8);
  }
}

void utf8value_result_text(sqlite3_context *ctx, uint8_t *bytes, size_t size,
                           int to_utf16) {
  resultText(ctx, bytes, size, to_utf16, sqlite3_free);
}

/* U+FFFE is EF BF BE, U+FFFF EF BF BF. Few texts have EF BF at all. */
int utf8value_sqlite_would_alter(const uint8_t *text, size_t size) {
  static const uint8_t nonCharacters[2][3] = {{0xEF, 0xBF, 0xBE}, {0xEF, 0xBF, 0xBF}};
  if (!bytes_count_of(text, size, nonCharacters[0], 2)) return 0;
  return bytes_count_of(text, size, nonCharacters[0], 3) ||
         bytes_count_of(text, size, nonCharacters[1], 3);
}

/* In a UTF-16 database, SQLite converts the result. Only if that would alter the text, a statement
** reads the database's encoding. If the statement fails, the result is UTF-16, which is right in
** every database. */
void utf8value_result_utf8(sqlite3_context *ctx, uint8_t *bytes, size_t size,
                           sqlite3_destructor_type destroy) {
  int to_utf16 = 0;
  if (utf8value_sqlite_would_alter(bytes, size)) {
    Utf8Encoding encoding;
    int rc = utf8value_db_encoding(sqlite3_context_db_handle(ctx), &encoding);
    to_utf16 = rc != SQLITE_OK || encoding != UTF8_ENCODING_UTF8;
  }
  resultText(ctx, bytes, size, to_utf16, destroy);
}

void utf8value_result_part(sqlite3_context *ctx, const Utf8Value *value, size_t from,
                           size_t size) {
  const uint8_t *part = size ? value->bytes + from : (const uint8_t *)"";
  if (value->type == SQLITE_BLOB) {
    sqlite3_result_blob64(ctx, part, size, SQLITE_TRANSIENT);
  } else {
    resultText(ctx, part, size, value->from_utf16, SQLITE_TRANSIENT);
  }
}

/* SQLite's conversion to UTF-16 alters U+FFFE and U+FFFF; that to UTF-8 is lossless. */
void utf8value_result_char(sqlite3_context *ctx, uint32_t codepoint) {
  if (codepoint == 0xFFFE || codepoint == 0xFFFF) {
    const uint16_t units[] = {byteOrderMark, (uint16_t)codepoint};
    sqlite3_result_text64(ctx, (const char *)units, sizeof units, SQLITE_TRANSIENT,
                          SQLITE_UTF16);
  } else {
    uint8_t out[UTF8_OCTETS_MAX];
    size_t size = utf8core_put(out, codepoint);
    sqlite3_result_text64(ctx, (char *)out, size, SQLITE_TRANSIENT, SQLITE_UTF8);
  }
}

/* ---- results of unknown size --------------------------------------------------------- */

/* The sums need 64 bits: size_t may have 32. */
int utf8value_grow(Utf8Output *out, uint64_t more) {
  if (out->room - out->used >= more) return SQLITE_OK;
  if (out->used > out->limit) return SQLITE_TOOBIG;
  uint64_t room = (uint64_t)out->room + out->room / 2 + more;
  if (room > out->limit + more) room = out->limit + more;
  uint8_t *bytes = sqlite3_realloc64(out->bytes, room);
  if (!bytes) return SQLITE_NOMEM;
  out->bytes = bytes;
  out->room = (size_t)room;
  return SQLITE_OK;
}

/* A repair makes most values a little longer. */
int utf8value_copy_start(Utf8Output *out, const Utf8Value *value, size_t at,
                         size_t needed) {
  int rc = utf8value_grow(out, (uint64_t)value->size + value->size / 16 + needed);
  if (rc != SQLITE_OK || at == 0) return rc;
  memcpy(out->bytes, value->bytes, at);
  out->used = at;
  return rc;
}

int utf8value_next_into(Utf8Chunks *c, Utf8Output *out, size_t needed) {
  if (!utf8value_next(c)) return 0;
  c->rc = utf8value_grow(out, needed);
  c->room = out->room - out->used;
  if (c->room > UTF8_CHUNK + needed) c->room = UTF8_CHUNK + needed;
  return c->rc == SQLITE_OK;
}

void utf8value_result_output(sqlite3_context *ctx, int rc, const Utf8Output *out,
                             const Utf8Value *value) {
  if (rc != SQLITE_OK) {
    sqlite3_free(out->bytes);
    sqlite3_result_error_code(ctx, rc);
  } else if (value->type == SQLITE_BLOB) {
    utf8value_result_blob(ctx, out->bytes, out->used);
  } else {
    utf8value_result_text(ctx, out->bytes, out->used, value->from_utf16);
  }
}

size_t utf8value_longest(sqlite3 *db, int may_be_utf16) {
  size_t limit = (size_t)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, -1);
  return may_be_utf16 ? limit + limit / 2 : limit;
}

/* ---- values that functions make ------------------------------------------------------- */

int utf8value_make(Utf8Value *made, int rc, const Utf8Output *out,
                   const Utf8Value *value) {
  *made = (Utf8Value){.type = SQLITE_NULL};
  if (rc == SQLITE_OK) {
    *made =
        (Utf8Value){out->bytes, out->used, value->type, value->from_utf16, out->bytes};
  } else {
    sqlite3_free(out->bytes);
  }
  return rc;
}

void utf8value_result_made(sqlite3_context *ctx, int rc, Utf8Value *made,
                           const Utf8Value *value, sqlite3_value *x) {
  const Utf8Output out = {made->owned, made->size, made->size, 0};
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(ctx, rc);
  } else if (made->type == value->type && made->bytes == value->bytes &&
             made->size == value->size) {
    utf8value_result_same(ctx, value, x);
  } else if (made->owned && made->bytes == made->owned) {
    utf8value_result_output(ctx, rc, &out, made);
    made->owned = NULL;
  } else if (made->type != SQLITE_NULL) {
    utf8value_result_part(ctx, made, 0, made->size);
  }
  utf8value_close(made);
}
