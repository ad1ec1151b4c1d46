/* sql/unescape.c: escaped text decoded.
**
**     SELECT utf8_unescape('caf&eacute;', 'html'), utf8_unescape('=?utf-8?Q?caf=C3=A9?=', 'mime');
**     -- café|café
*/
#include "form/mime.h"
#include "form/unescape.h"
#include "sql/functions.h"
#include "sql/option.h"
#include <string.h>

/* utf8form_unescape_html() or utf8form_decode_quoted(). */
typedef size_t Unescape(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                        size_t room);

/* Copies the value up to `at`, and decodes the remainder. Returns an SQLite code; out->bytes must be
** freed in every case. */
static int unescapeFrom(sqlite3 *db, Unescape *unescape, const Utf8Value *value,
                        size_t at, Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, at, value->size);
  int rc = utf8value_copy_start(out, value, at, UTF8_UNESCAPE_ROOM);
  if (rc != SQLITE_OK) return rc;
  while (utf8value_next_into(&c, out, UTF8_UNESCAPE_ROOM)) {
    out->used +=
        unescape(value->bytes, value->size, &c.at, out->bytes + out->used, c.room);
  }
  return c.rc;
}

/* ---- encoded words --------------------------------------------------------------------- */

/* A text whose words are decoded: text[0..at) is. */
typedef struct Words {
  const uint8_t *text;
  size_t size, at;
  size_t end;                /* for utf8form_read_word() */
  int is_open;               /* the last word may continue in the next one: */
  Utf8Conversion conversion; /* of its charset */
  Utf8Chunks *chunks;        /* of the text */
} Words;

static int appendBytes(Utf8Output *out, const uint8_t *bytes, size_t size) {
  if (size == 0) return SQLITE_OK;
  const int rc = utf8value_grow(out, size);
  if (rc != SQLITE_OK) return rc;
  memcpy(out->bytes + out->used, bytes, size);
  out->used += size;
  return SQLITE_OK;
}

/* Decodes the bytes of a word; the last ones if the charset's conversion does not continue. */
static int appendDecoded(Utf8Conversion *c, const uint8_t *bytes, size_t size,
                         Utf8Output *out) {
  c->at = 0;
  do {
    const int rc = utf8value_grow(out, UTF8_CHARSET_ROOM);
    if (rc != SQLITE_OK) return rc;
    out->used +=
        utf8core_decode(c, bytes, size, out->bytes + out->used, UTF8_CHARSET_ROOM);
  } while (c->at < size);
  return SQLITE_OK;
}

/* Ends the run of words. */
static int closeWords(Words *w, Utf8Output *out) {
  const uint8_t none = 0;
  if (!w->is_open) return SQLITE_OK;
  w->is_open = 0;
  w->conversion.continues = 0;
  return appendDecoded(&w->conversion, &none, 0, out);
}

static int isBlank(const uint8_t *bytes, size_t size) {
  size_t i = 0;
  while (i < size && (bytes[i] == ' ' || (bytes[i] >= '\t' && bytes[i] <= '\r'))) i++;
  return i == size;
}

/* Prepares for a word that starts at `at`: drops blanks between words, copies other text. Words of
** one charset are decoded as one text, since some mailers cut characters; but not if `isWhole`. */
static int startWord(Words *w, size_t at, Utf8Charset charset, int isWhole,
                     Utf8Output *out) {
  const int isNext = w->is_open && isBlank(w->text + w->at, at - w->at);
  if (isNext && w->conversion.charset == charset && !isWhole) return SQLITE_OK;
  int rc = closeWords(w, out);
  if (rc == SQLITE_OK && !isNext) rc = appendBytes(out, w->text + w->at, at - w->at);
  w->is_open = 1;
  w->conversion =
      (Utf8Conversion){.charset = charset, .dialect = UTF8_STRICT, .continues = 1};
  return rc;
}

/* A word that starts with an escape sequence, as most in iso-2022-jp do, needs no other before it:
** after the return to ASCII there, the escape would be an error. */
#define MIME_ESC 0x1B

static int appendWord(Words *w, size_t at, Utf8MimeWord *word, Utf8Output *out) {
  uint8_t bytes[256];
  size_t n = utf8form_word_bytes(w->text, word, bytes, sizeof bytes);
  size_t pause = at + UTF8_CHUNK;
  int rc = startWord(w, at, word->charset, n > 0 && bytes[0] == MIME_ESC, out);
  while (rc == SQLITE_OK && n > 0) {
    rc = appendDecoded(&w->conversion, bytes, n, out);
    if (rc == SQLITE_OK && word->at >= pause) {
      pause = word->at + UTF8_CHUNK;
      if (!utf8value_continues(w->chunks)) return w->chunks->rc;
    }
    n = utf8form_word_bytes(w->text, word, bytes, sizeof bytes);
  }
  w->at = word->next;
  return rc;
}

/* Returns where the next "=?" is in text[at..size), or size. */
static size_t findWord(const uint8_t *text, size_t size, size_t at) {
  while (at + 1 < size) {
    const uint8_t *p = memchr(text + at, '=', size - at - 1);
    if (!p) return size;
    at = (size_t)(p - text);
    if (text[at + 1] == '?') return at;
    at++;
  }
  return size;
}

/* Decodes the words that start in text[*search..until), and moves *search there or after. */
static int appendWords(Words *w, size_t *search, size_t until, Utf8Output *out) {
  const size_t limit =
      until < w->size ? until + 1 : until; /* "=?" may start at the end */
  Utf8MimeWord word;
  while (*search < until) {
    const size_t at = findWord(w->text, limit, *search);
    *search = at == limit ? until : at + 1;
    if (at == limit || !utf8form_read_word(w->text, w->size, at, &w->end, &word))
      continue;
    const int rc = appendWord(w, at, &word, out);
    if (rc != SQLITE_OK) return rc;
    *search = w->at;
  }
  return SQLITE_OK;
}

/* Decodes all words of the value. Returns an SQLite code; out->bytes must be freed in every case. */
static int unescapeWords(sqlite3 *db, const Utf8Value *value, Utf8Output *out) {
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  Words w = {.text = value->bytes, .size = value->size, .chunks = &c};
  int rc = utf8value_copy_start(out, value, 0, UTF8_CHARSET_ROOM);
  while (rc == SQLITE_OK && utf8value_next(&c))
    rc = appendWords(&w, &c.at, c.until, out);
  if (rc == SQLITE_OK) rc = c.rc;
  if (rc == SQLITE_OK) rc = closeWords(&w, out);
  return rc == SQLITE_OK ? appendBytes(out, w.text + w.at, w.size - w.at) : rc;
}

/* ---- utf8_unescape ---------------------------------------------------------------------- */

/* Returns where what is escaped may start, or the value's size. */
static size_t findEscape(Utf8EscapeKind kind, const Utf8Value *value) {
  if (value->size == 0) return 0;
  if (kind == UTF8_ESCAPE_MIME) return findWord(value->bytes, value->size, 0);
  const uint8_t *first =
      memchr(value->bytes, kind == UTF8_ESCAPE_HTML ? '&' : '=', value->size);
  return first ? (size_t)(first - value->bytes) : value->size;
}

static int unescape(sqlite3 *db, Utf8EscapeKind kind, const Utf8Value *value, size_t at,
                    Utf8Output *out) {
  if (kind == UTF8_ESCAPE_MIME) return unescapeWords(db, value, out);
  return unescapeFrom(
      db, kind == UTF8_ESCAPE_HTML ? utf8form_unescape_html : utf8form_decode_quoted,
      value, at, out);
}

/* Quoted-printable is of bytes in any charset, so its result is a BLOB. */
static void resultUnescaped(sqlite3_context *ctx, Utf8EscapeKind kind, int rc,
                            const Utf8Output *out, const Utf8Value *value) {
  if (kind == UTF8_ESCAPE_QUOTED && rc == SQLITE_OK) {
    utf8value_result_blob(ctx, out->bytes, out->used);
  } else {
    utf8value_result_output(ctx, rc, out, value);
  }
}

static void unescapeOpened(sqlite3_context *ctx, Utf8EscapeKind kind,
                           const Utf8Value *value, sqlite3_value *x) {
  const size_t at = findEscape(kind, value);
  if (at == value->size && kind != UTF8_ESCAPE_QUOTED) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  const int to_utf16 = kind != UTF8_ESCAPE_QUOTED && value->from_utf16;
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, to_utf16)};
  const int rc = unescape(db, kind, value, at, &out);
  resultUnescaped(ctx, kind, rc, &out, value);
}

void utf8sql_unescape(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8EscapeKind kind;
  if (!utf8option_escape_kind(ctx, "utf8_unescape", argv, 1, &kind)) return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  unescapeOpened(ctx, kind, &value, argv[0]);
  utf8value_close(&value);
}
