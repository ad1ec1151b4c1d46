/* audit/literal.c: SQL literals of values.
**
** Text is quoted, unless it is ill-formed or has a NUL or a CR: then it is cast from its bytes, in
** the database's encoding. (The sqlite3 shell drops a CR before LF from the SQL that it reads.) A
** REAL is written so that this version of SQLite reads it back.
*/
#include "audit/literal.h"
#include "audit/table.h"
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

/* Appends the value, as a database in this encoding stores it, as a BLOB literal: x'00ff'. */
static int appendStored(const AuditWriter *w, const Utf8Value *value,
                        Utf8Encoding encoding) {
  uint8_t block[HEX_BYTES];
  Utf8Chunks c = utf8value_chunks(w->db, 0, value->size);
  sqlite3_str_appendall(w->out, "x'");
  while (utf8value_next(&c) && !sqlite3_str_errcode(w->out)) {
    while (c.at < c.until) {
      const size_t n = utf8value_stored(value, encoding, &c.at, block, sizeof block);
      appendHex(w->out, block, n);
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
    int bits = exponent * sign < 52 ? exponent * sign : 52;
    sqlite3_str_appendf(out, sign < 0 ? " / %lld.0" : " * %lld.0",
                        (sqlite3_int64)1 << bits);
    exponent -= sign * bits;
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

int utf8audit_append_cast(const AuditWriter *w, const Utf8Value *text) {
  sqlite3_str_appendall(w->out, "CAST(");
  const int rc = appendStored(w, text, w->encoding);
  sqlite3_str_appendall(w->out, " AS TEXT)");
  return rc;
}

int utf8audit_has_odd_byte(sqlite3_value *x, Utf8Encoding encoding) {
  return encoding != UTF8_ENCODING_UTF8 && sqlite3_value_type(x) == SQLITE_TEXT &&
         sqlite3_value_bytes16(x) % 2;
}

int utf8audit_append_text(const AuditWriter *w, const Utf8Value *text) {
  size_t at = 0;
  if (text->type == SQLITE_NULL) {
    sqlite3_str_appendall(w->out, "NULL");
    return SQLITE_OK;
  }
  unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  int rc = utf8value_find_error(w->db, text, &at, text->size, dialect);
  if (rc != SQLITE_OK) return rc;
  if (isQuotable(text, at < text->size)) return appendQuoted(w, text);
  return utf8audit_append_cast(w, text);
}

/* Appends TEXT, BLOB or NULL. */
static int appendValue(const AuditWriter *w, sqlite3_value *x) {
  Utf8Value value;
  int rc = utf8value_open(&value, x, w->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = value.type == SQLITE_BLOB ? appendStored(w, &value, UTF8_ENCODING_UTF8)
                                 : utf8audit_append_text(w, &value);
  utf8value_close(&value);
  return rc;
}

int utf8audit_append_literal(const AuditWriter *w, sqlite3_value *x) {
  switch (sqlite3_value_type(x)) {
  case SQLITE_INTEGER:
    sqlite3_str_appendf(w->out, "%lld", sqlite3_value_int64(x));
    return SQLITE_OK;
  case SQLITE_FLOAT:
    return appendReal(w, x);
  default: /* NULL is not in a PRIMARY KEY of a table WITHOUT ROWID */
    return appendValue(w, x);
  }
}
