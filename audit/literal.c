/* audit/literal.c: SQL literals of values.
**
** Text is quoted, unless it is ill-formed or has a NUL or a CR: then it is cast from its bytes, in
** the database's encoding. (The sqlite3 shell drops a CR before LF from the SQL that it reads.) A
** REAL is written so that this version of SQLite reads it back.
*/
#include "audit/literal.h"
#include "audit/table.h"
#include "simd/bytes.h"
#include <limits.h>
#include <math.h>
#include <string.h>

#define HEX_BYTES 512 /* bytes that are written at a time */

static void appendHex(sqlite3_str *out, const uint8_t *bytes, size_t count) {
  static const char digits[] = "0123456789abcdef";
  char hex[2 * HEX_BYTES];
  for (size_t i = 0; i < count; i++) {
    hex[2 * i] = digits[bytes[i] >> 4];
    hex[2 * i + 1] = digits[bytes[i] & 15];
  }
  sqlite3_str_append(out, hex, 2 * (int)count);
}

/* Appends the bytes as a BLOB literal: x'00ff'. */
static int appendBlob(const AuditWriter *w, const uint8_t *bytes, size_t size) {
  Utf8Chunks c = utf8value_chunks(w->db, 0, size);
  sqlite3_str_appendall(w->out, "x'");
  while (utf8value_next(&c) && !sqlite3_str_errcode(w->out)) {
    for (size_t n; c.at < c.until; c.at += n) {
      n = bytes_min(c.until - c.at, HEX_BYTES);
      appendHex(w->out, bytes + c.at, n);
    }
  }
  sqlite3_str_appendall(w->out, "'");
  return c.rc;
}

/* Stores in *is whether SQLite reads the literal as the number x. Older versions read some
** decimals a bit too large or too small. */
static int readsAs(sqlite3 *db, const char *literal, double x, int *is) {
  sqlite3_stmt *stmt = NULL;
  sqlite3_str *sql = sqlite3_str_new(NULL);
  sqlite3_str_appendf(sql, "SELECT %s", literal);
  int rc = utf8audit_prepare(db, sql, &stmt);
  *is = rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW &&
        sqlite3_column_double(stmt, 0) == x;
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}

/* Appends x, which is finite and not 0, as an expression that every version reads exactly: an integer
** below 2^53, multiplied or divided by 2^52 and smaller powers of 2. Only the last division
** may leave the range of normal numbers, and its result is x, so nothing is rounded. */
static void appendExactReal(sqlite3_str *out, double x) {
  int exponent;
  double fraction = frexp(x, &exponent);
  sqlite3_int64 integer = (sqlite3_int64)ldexp(fraction, 53);
  exponent -= 53;
  while (integer % 2 == 0) integer /= 2, exponent++;
  sqlite3_str_appendf(out, "(%lld.0", integer);
  for (int sign = exponent < 0 ? -1 : 1; exponent != 0;) {
    int part = exponent * sign < 52 ? exponent * sign : 52;
    sqlite3_str_appendf(out, sign < 0 ? " / %lld.0" : " * %lld.0",
                        (sqlite3_int64)1 << part);
    exponent -= sign * part;
  }
  sqlite3_str_appendall(out, ")");
}

/* The shortest of these that SQLite reads as x: 15 digits, 17 digits, an exact expression.
** Infinity is 9e999; older versions quote() it as Inf, a name. */
static int appendReal(const AuditWriter *w, sqlite3_value *x) {
  static const char *const formats[] = {"%!.15g", "%!.17g"};
  double r = sqlite3_value_double(x);
  if (r - r != 0) {
    sqlite3_str_appendall(w->out, r < 0 ? "-9e999" : "9e999");
    return SQLITE_OK;
  }
  for (int i = 0; i < 2; i++) {
    char literal[64];
    int is;
    sqlite3_snprintf(sizeof literal, literal, formats[i], r);
    int rc = readsAs(w->db, literal, r, &is);
    if (rc != SQLITE_OK) return rc;
    if (is) {
      sqlite3_str_appendall(w->out, literal);
      return SQLITE_OK;
    }
  }
  appendExactReal(w->out, r);
  return SQLITE_OK;
}

/* Calls sqlite3_value_bytes16() first, since that may change the byte order of x. */
const uint8_t *utf8audit_stored_bytes(sqlite3_value *x, Utf8Encoding encoding,
                                      size_t *size) {
  if (encoding == UTF8_ENCODING_UTF8) {
    const uint8_t *text = sqlite3_value_text(x);
    *size = (size_t)sqlite3_value_bytes(x);
    return text;
  }
  *size = (size_t)sqlite3_value_bytes16(x);
  return encoding == UTF8_ENCODING_UTF16BE ? sqlite3_value_text16be(x)
                                           : sqlite3_value_text16le(x);
}

static int hasByte(const Utf8Value *text, int byte) {
  return text->size && memchr(text->bytes, byte, text->size);
}

/* Can a quoted literal hold the text, also in a script for the sqlite3 shell? */
static int isQuotable(const Utf8Value *text, int ill_formed) {
  if (ill_formed || hasByte(text, 0) || hasByte(text, '\r')) return 0;
  return !text->from_utf16 || !utf8value_sqlite_would_alter(text->bytes, text->size);
}

static int appendQuoted(const AuditWriter *w, const Utf8Value *text) {
  /* A precision is an int. */
  if (text->size > INT_MAX) return SQLITE_TOOBIG; /* unreachable: a text of 2 GB */
  sqlite3_str_appendf(w->out, "'%.*q'", (int)text->size, text->bytes);
  return SQLITE_OK;
}

int utf8audit_append_cast(const AuditWriter *w, sqlite3_value *x) {
  size_t size;
  const uint8_t *bytes = utf8audit_stored_bytes(x, w->encoding, &size);
  if (!bytes) return SQLITE_NOMEM;
  sqlite3_str_appendall(w->out, "CAST(");
  int rc = appendBlob(w, bytes, size);
  sqlite3_str_appendall(w->out, " AS TEXT)");
  return rc;
}

int utf8audit_has_odd_byte(sqlite3_value *x, Utf8Encoding encoding) {
  return encoding != UTF8_ENCODING_UTF8 && sqlite3_value_type(x) == SQLITE_TEXT &&
         sqlite3_value_bytes16(x) % 2;
}

static int appendOpenText(const AuditWriter *w, sqlite3_value *x,
                          const Utf8Value *text) {
  size_t at = 0;
  unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  int rc = utf8value_find_error(w->db, text, &at, text->size, dialect);
  if (rc != SQLITE_OK) return rc;
  if (isQuotable(text, at < text->size)) return appendQuoted(w, text);
  return utf8audit_append_cast(w, x);
}

static int appendText(const AuditWriter *w, sqlite3_value *x) {
  Utf8Value text;
  int rc = utf8value_open(&text, x, w->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = appendOpenText(w, x, &text);
  utf8value_close(&text);
  return rc;
}

int utf8audit_append_literal(const AuditWriter *w, sqlite3_value *x) {
  switch (sqlite3_value_type(x)) {
  case SQLITE_INTEGER:
    sqlite3_str_appendf(w->out, "%lld", sqlite3_value_int64(x));
    return SQLITE_OK;
  case SQLITE_FLOAT:
    return appendReal(w, x);
  case SQLITE_BLOB: {
    const uint8_t *bytes = sqlite3_value_blob(x);
    return appendBlob(w, bytes, (size_t)sqlite3_value_bytes(x));
  }
  case SQLITE_TEXT:
    return appendText(w, x);
  default: /* not in a PRIMARY KEY of a table WITHOUT ROWID */
    sqlite3_str_appendall(w->out, "NULL");
    return SQLITE_OK;
  }
}
