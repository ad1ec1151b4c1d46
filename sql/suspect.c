/* sql/suspect.c: the scalar functions that look for what is wrong with well-formed text:
** mojibake and suspicious code points; and utf8_validate, which fails for ill-formed text.
**
**     SELECT utf8_suspect('a' || char(0x202E)), utf8_demojibake('cafÃ©');
**     -- bidi control|café
**
** Like sql/check.c, each function checks its options first, then opens X.
*/
#include "sql/suspect.h"
#include "charset/legacy.h"
#include "mojibake/mojibake.h"
#include "sql/option.h"
#include "suspect/suspect.h"
#include <string.h>

/* ---- values --------------------------------------------------------------------------- */

/* Returns the result of a repair: out, whose bytes are freed here, or the error rc. */
static void resultOutput(sqlite3_context *ctx, int rc, Utf8Output *out,
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

/* ---- utf8_mojibake, utf8_demojibake ------------------------------------------------- */

/* Finds the first misread run in well-formed bytes. Returns 1, or 0 if there is none, or -1
** after an interrupt. */
static int findMojibake(sqlite3_context *ctx, const Utf8MojibakeCharset *charset,
                        const uint8_t *bytes, size_t size, Utf8MojibakeFound *found) {
  for (size_t at = 0; at < size;) {
    size_t until = size - at < UTF8_CHUNK ? size : at + UTF8_CHUNK;
    if (utf8mojibake_find(charset, bytes, size, &at, until, found)) return 1;
    if (at < size && utf8value_interrupted(sqlite3_context_db_handle(ctx))) {
      utf8func_result_interrupted(ctx);
      return -1;
    }
  }
  return 0;
}

/* Like findMojibake() for a value. Returns 0 for a value that is ill-formed. */
static int findMojibakeIn(sqlite3_context *ctx, const Utf8MojibakeCharset *charset,
                          const Utf8Value *value, Utf8MojibakeFound *found) {
  size_t at;
  if (!utf8func_find_error(ctx, value, utf8value_dialect(value, UTF8_STRICT), &at))
    return -1;
  if (at < value->size) return 0;
  return findMojibake(ctx, charset, value->bytes, value->size, found);
}

static void mojibakeFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8MojibakeFound found;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  if (findMojibakeIn(ctx, NULL, &value, &found) == 1) {
    const char *name = utf8mojibake_charset_name(found.charset);
    sqlite3_result_text(ctx, name, -1, SQLITE_STATIC);
  }
  utf8value_close(&value);
}

/* Repairs bytes once. Returns an SQLite code; out->bytes must be freed in every case. */
static int repairMojibake(sqlite3 *db, const Utf8MojibakeCharset *charset,
                          const uint8_t *bytes, size_t size, Utf8Output *out) {
  int rc = utf8value_grow(out, (uint64_t)size + UTF8_MOJIBAKE_ROOM);
  for (size_t at = 0; rc == SQLITE_OK && at < size;) {
    size_t room = out->room - out->used;
    if (room > UTF8_CHUNK) room = UTF8_CHUNK;
    out->used +=
        utf8mojibake_repair(charset, bytes, size, &at, out->bytes + out->used, room);
    if (at == size) break;
    rc = utf8value_interrupted(db) ? SQLITE_INTERRUPT
                                   : utf8value_grow(out, UTF8_MOJIBAKE_ROOM);
  }
  return rc;
}

/* A value is repaired at most this many times, so that the time stays proportional to its
** size. Only a value made for it needs more, such as a long chain of "Ã". */
#define PASSES_MAX 64

/* Repairs bytes, and then the result, until no run is found. Frees nothing but what it
** replaces: out->bytes must be freed in every case. Returns an SQLite code. */
static int repairToFixedPoint(sqlite3_context *ctx, const Utf8MojibakeCharset *charset,
                              const uint8_t *bytes, size_t size, Utf8Output *out) {
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8MojibakeFound found;
  for (int pass = 0;; pass++) {
    Utf8Output next = {NULL, 0, 0, out->limit};
    int rc = repairMojibake(db, charset, bytes, size, &next);
    sqlite3_free(out->bytes);
    *out = next;
    if (rc != SQLITE_OK || pass == PASSES_MAX) return rc;
    if (utf8value_interrupted(db)) return SQLITE_INTERRUPT;
    int more = findMojibake(ctx, charset, out->bytes, out->used, &found);
    if (more <= 0) return more == 0 ? SQLITE_OK : SQLITE_INTERRUPT;
    bytes = out->bytes;
    size = out->used;
  }
}

/* Repairs a short well-formed value, which takes one pass. */
static void demojibakeShort(sqlite3_context *ctx, const Utf8MojibakeCharset *charset,
                            const Utf8Value *value, sqlite3_value *x) {
  uint8_t out[UTF8_MOJIBAKE_ROOM];
  size_t at = 0;
  const size_t n =
      utf8mojibake_repair(charset, value->bytes, value->size, &at, out, sizeof out);
  if (n == value->size && memcmp(out, value->bytes, n) == 0) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  Utf8Output copy = {NULL, 0, 0, sizeof out};
  const int rc = utf8value_grow(&copy, n);
  if (rc == SQLITE_OK) memcpy(copy.bytes, out, copy.used = n);
  resultOutput(ctx, rc, &copy, value);
}

static void demojibakeOpened(sqlite3_context *ctx, const Utf8MojibakeCharset *charset,
                             const Utf8Value *value, sqlite3_value *x) {
  Utf8MojibakeFound found;
  if (value->size <= UTF8_MOJIBAKE_WHOLE && utf8core_valid(value->bytes, value->size)) {
    demojibakeShort(ctx, charset, value, x);
    return;
  }
  int has = findMojibakeIn(ctx, charset, value, &found);
  if (has == 0) utf8value_result_same(ctx, value, x);
  if (has != 1) return;
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const int rc = repairToFixedPoint(ctx, charset, value->bytes, value->size, &out);
  resultOutput(ctx, rc, &out, value);
}

static void demojibakeFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Utf8MojibakeCharset charset;
  Utf8Charset named;
  Utf8Value value;
  if (argc > 1) {
    if (!utf8option_single_byte(ctx, "utf8_demojibake", argv, 1, &named)) return;
    utf8mojibake_set_charset(&charset, utf8legacy_high(named));
  }
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  demojibakeOpened(ctx, argc > 1 ? &charset : NULL, &value, argv[0]);
  utf8value_close(&value);
}

/* ---- utf8_suspect, utf8_suspect_offset ---------------------------------------------- */

static int isBytes(const Utf8Value *value) {
  return value->type == SQLITE_TEXT || value->type == SQLITE_BLOB;
}

/* Is the value well-formed TEXT or BLOB? Returns -1 after an interrupt. */
static int isWellFormed(sqlite3_context *ctx, const Utf8Value *value) {
  size_t at;
  if (!isBytes(value)) return 0;
  if (!utf8func_find_error(ctx, value, utf8value_dialect(value, UTF8_STRICT), &at))
    return -1;
  return at == value->size;
}

/* Returns the end of the chunk that starts at `at`. */
static size_t chunkEnd(const Utf8Value *value, size_t at) {
  return value->size - at > UTF8_CHUNK ? at + UTF8_CHUNK : value->size;
}

/* Returns 1, and sets SQLITE_INTERRUPT as the result, if the value goes on after `at` and
** sqlite3_interrupt() was called. */
static int isInterruptedAt(sqlite3_context *ctx, const Utf8Value *value, size_t at) {
  if (at >= value->size || !utf8value_interrupted(sqlite3_context_db_handle(ctx)))
    return 0;
  utf8func_result_interrupted(ctx);
  return 1;
}

/* Finds the first suspicious place of the value. Returns 0 if there is none, if the value is
** not well-formed text, or after an interrupt. */
static int findSuspectIn(sqlite3_context *ctx, const Utf8Value *value,
                         Utf8SuspectFound *found) {
  if (isWellFormed(ctx, value) != 1) return 0;
  for (size_t at = 0; at < value->size;) {
    const size_t until = chunkEnd(value, at);
    if (utf8suspect_find(value->bytes, value->size, &at, until, found)) return 1;
    if (isInterruptedAt(ctx, value, at)) return 0;
  }
  return 0;
}

static void suspectFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8SuspectFound found;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  if (findSuspectIn(ctx, &value, &found)) {
    const char *name = utf8suspect_kind_name(found.kind);
    sqlite3_result_text(ctx, name, -1, SQLITE_STATIC);
  }
  utf8value_close(&value);
}

static void suspectOffsetFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8SuspectFound found;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  if (findSuspectIn(ctx, &value, &found))
    sqlite3_result_int64(ctx, (sqlite3_int64)found.offset);
  utf8value_close(&value);
}

/* ---- utf8_strip ----------------------------------------------------------------------- */

/* Stores the place of the first code point of the kind in *at, or the value's size: also for
** what is not well-formed text. Returns 0 after an interrupt. */
static int findToStrip(sqlite3_context *ctx, Utf8SuspectKind kind,
                       const Utf8Value *value, size_t *at) {
  const int wellFormed = isWellFormed(ctx, value);
  *at = wellFormed == 1 ? 0 : value->size;
  while (*at < value->size) {
    const size_t until = chunkEnd(value, *at);
    *at = utf8suspect_find_kind(kind, value->bytes, value->size, *at, until);
    if (*at < until) return 1;
    if (isInterruptedAt(ctx, value, *at)) return 0;
  }
  return wellFormed >= 0;
}

/* Copies the value up to `at`, and strips the remainder. Returns an SQLite code; out->bytes must
** be freed in every case. */
static int stripFrom(sqlite3 *db, Utf8SuspectKind kind, const Utf8Value *value,
                     size_t at, Utf8Output *out) {
  const int rc = utf8value_grow(out, (uint64_t)value->size + UTF8_SUSPECT_ROOM);
  if (rc != SQLITE_OK) return rc;
  memcpy(out->bytes, value->bytes, at);
  out->used = at;
  while (at < value->size) {
    size_t room = out->room - out->used;
    if (room > UTF8_CHUNK) room = UTF8_CHUNK;
    out->used += utf8suspect_strip(kind, value->bytes, value->size, &at,
                                   out->bytes + out->used, room);
    if (at < value->size && utf8value_interrupted(db)) return SQLITE_INTERRUPT;
  }
  return SQLITE_OK;
}

static void stripOpened(sqlite3_context *ctx, Utf8SuspectKind kind,
                        const Utf8Value *value, sqlite3_value *x) {
  size_t at;
  if (!findToStrip(ctx, kind, value, &at)) return;
  if (at == value->size) {
    utf8value_result_same(ctx, value, x);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const int rc = stripFrom(db, kind, value, at, &out);
  resultOutput(ctx, rc, &out, value);
}

static void stripFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8SuspectKind kind;
  Utf8Value value;
  if (!utf8option_kind(ctx, "utf8_strip", argv, 1, &kind)) return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  stripOpened(ctx, kind, &value, argv[0]);
  utf8value_close(&value);
}

/* ---- utf8_validate -------------------------------------------------------------------- */

/* Sets the error "label: truncated at byte 3". label is NULL or an argument that is
** well-formed text. */
static void validateError(sqlite3_context *ctx, sqlite3_value *label,
                          const Utf8Value *value, size_t at) {
  const unsigned dialect = utf8value_dialect(value, UTF8_STRICT);
  const Utf8Step s = utf8core_step(value->bytes, value->size, at, dialect);
  const char *name = label ? (const char *)sqlite3_value_text(label) : "utf8_validate";
  char *message = name ? sqlite3_mprintf("%s: %s at byte %lld", name,
                                         utf8core_error_name(s.error), (long long)at)
                       : NULL;
  if (message) {
    sqlite3_result_error(ctx, message, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(message);
}

static void validateFunc(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  Utf8Value value;
  size_t at;
  if (argc > 1 && !utf8option_text(ctx, "utf8_validate", argv, 1, "label")) return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  if (utf8func_find_error(ctx, &value, utf8value_dialect(&value, UTF8_STRICT), &at)) {
    if (at == value.size) {
      utf8value_result_same(ctx, &value, argv[0]);
    } else {
      validateError(ctx, argc > 1 ? argv[1] : NULL, &value, at);
    }
  }
  utf8value_close(&value);
}

/* ---- registration ------------------------------------------------------------------ */

const Utf8Function utf8suspectfunc_list[] = {
    {"utf8_mojibake", 1, UTF8_PURE, mojibakeFunc},
    {"utf8_demojibake", 1, UTF8_SAME_X, demojibakeFunc},
    {"utf8_demojibake", 2, UTF8_SAME_X, demojibakeFunc},
    {"utf8_suspect", 1, UTF8_PURE, suspectFunc},
    {"utf8_suspect_offset", 1, UTF8_PURE, suspectOffsetFunc},
    {"utf8_strip", 2, UTF8_SAME_X, stripFunc},
    {"utf8_validate", 1, UTF8_SAME_X, validateFunc},
    {"utf8_validate", 2, UTF8_SAME_X, validateFunc},
    {NULL, 0, 0, NULL},
};
