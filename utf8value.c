/* utf8value.c: the doorway between SQLite's values and the core's bytes.
**
** In a UTF-8 database TEXT is passed as it is stored, without a copy. In a UTF-16 one its
** 16-bit units are what is judged; SQLite's own conversion would already have turned
** D83D 0061 into some other character. So units become WTF-8 here, lone surrogates and all,
** and results become units again, handed over as UTF-16 with one byte order mark in
** front, which SQLite takes off: its conversion from UTF-8 turns U+FFFE and U+FFFF into
** U+FFFD, and sqlite3_result_text16() would eat a U+FEFF that is text.
**
** sqlite3_value_encoding() works since SQLite 3.40.1. Before that, functions are registered
** twice, and the copy that SQLite calls in UTF-16 databases has a non-NULL user data.
*/
#include "utf8sql.h"
#include <string.h>

/* ---- values in ------------------------------------------------------------------- */

atomic_int utf8value_encoding_known;

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
  atomic_store(&utf8value_encoding_known, works);
  return rc;
}

int utf8value_ctx_utf16(sqlite3_context *ctx) {
  return !utf8value_has_encoding() && sqlite3_user_data(ctx) != NULL;
}

static int encodingNamed(const char *name) {
  if (strcmp(name, "UTF-8") == 0) return 0;
  return strcmp(name, "UTF-16be") == 0 ? SQLITE_UTF16BE : SQLITE_UTF16LE;
}

int utf8value_db_utf16(sqlite3 *db, int *utf16) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, "PRAGMA encoding", -1, &stmt, NULL);
  if (rc == SQLITE_OK && sqlite3_step(stmt) == SQLITE_ROW) {
    const char *name = (const char *)sqlite3_column_text(stmt, 0);
    if (name) *utf16 = encodingNamed(name);
  }
  int final = sqlite3_finalize(stmt);
  return rc == SQLITE_OK ? final : rc;
}

/* The 16-bit units of a UTF-16 text, whatever its byte order. */
typedef struct Units {
  const uint8_t *bytes;
  size_t size;   /* in bytes; may be odd */
  unsigned high; /* which byte of a unit is the high one */
} Units;

static unsigned nativeHigh(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one; /* 1 if the low byte comes first */
}

static uint16_t unitAt(const Units *u, size_t at) {
  return (uint16_t)(u->bytes[at + u->high] << 8 | u->bytes[at + 1 - u->high]);
}

/* The code point at `at`: a pair, or a single unit. *length becomes 4 or 2. */
static uint32_t codepointAt(const Units *u, size_t at, size_t *length) {
  uint32_t first = unitAt(u, at);
  *length = 2;
  if ((first & 0xFC00) != 0xD800 || u->size - at < 4) return first;
  uint32_t last = unitAt(u, at + 2);
  if ((last & 0xFC00) != 0xDC00) return first;
  *length = 4;
  return 0x10000 + ((first & 0x3FF) << 10 | (last & 0x3FF));
}

/* Writes the WTF-8 form, at most three bytes a unit and three for an odd byte. */
static size_t writeWtf8(const Units *u, uint8_t *out) {
  size_t used = 0, at = 0;
  while (u->size - at >= 2) {
    size_t length;
    uint32_t codepoint = codepointAt(u, at, &length);
    used += utf8core_put(out + used, codepoint);
    at += length;
  }
  if (at < u->size) {
    const uint8_t odd[3] = {UTF8_ODD_BYTES(u->bytes[at])};
    memcpy(out + used, odd, 3);
    used += 3;
  }
  return used;
}

static int openUtf16(Utf8Value *value, sqlite3_value *x, int encoding) {
  Units u = {NULL, 0, nativeHigh()};
  if (encoding == SQLITE_UTF16LE) {
    u.high = 1;
    u.bytes = sqlite3_value_text16le(x);
  } else if (encoding == SQLITE_UTF16BE) {
    u.high = 0;
    u.bytes = sqlite3_value_text16be(x);
  } else {
    u.bytes = sqlite3_value_text16(x);
  }
  u.size = (size_t)sqlite3_value_bytes16(x);
  if (!u.bytes) return SQLITE_NOMEM;
  value->owned = sqlite3_malloc64(3 * ((uint64_t)u.size / 2 + 1) + UTF8_OCTETS_MAX);
  if (!value->owned) return SQLITE_NOMEM;
  value->bytes = value->owned;
  value->size = writeWtf8(&u, value->owned);
  value->utf16 = 1;
  return SQLITE_OK;
}

int utf8value_open_other(Utf8Value *value, sqlite3_value *x, int encoding) {
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

/* Lone surrogates are all that can be wrong with UTF-16; of the dialects, two accept them
** and the others have nothing to say there. */
unsigned utf8value_dialect(const Utf8Value *value, unsigned dialect) {
  if (!value->utf16) return dialect;
  if (dialect & UTF8_BYTES) return UTF8_FROM_UTF16 | UTF8_BYTES | UTF8_SURROGATES;
  return UTF8_FROM_UTF16 | (dialect & UTF8_SURROGATES);
}

int utf8value_interrupted(sqlite3 *db) {
#if SQLITE_VERSION_NUMBER >= 3041000
  return sqlite3_libversion_number() >= 3041000 && sqlite3_is_interrupted(db);
#else
  (void)db;
  return 0;
#endif
}

int utf8value_find_error(sqlite3 *db, const Utf8Value *value, size_t *at, size_t until,
                         unsigned dialect) {
  while (*at < until) {
    size_t piece = until - *at < UTF8_PIECE ? until : *at + UTF8_PIECE;
    *at = utf8core_valid_prefix(value->bytes, value->size, *at, piece, dialect);
    if (*at < piece) return SQLITE_OK;
    if (*at < until && utf8value_interrupted(db)) return SQLITE_INTERRUPT;
  }
  return SQLITE_OK;
}

/* Eight bytes at a time, mixed as MurmurHash3's finalizer does (Austin Appleby, public
** domain); the number of bytes is mixed in last. */
static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xFF51AFD7ED558CCDu;
  hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53u;
  return hash ^ hash >> 33;
}

uint64_t utf8value_hash(uint64_t hash, const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  uint64_t word = 0;
  size_t at = 0;
  for (; size - at >= sizeof word; at += sizeof word) {
    memcpy(&word, p + at, sizeof word);
    hash = mix(hash, word);
  }
  word = 0;
  if (size > at) memcpy(&word, p + at, size - at);
  return mix(mix(hash, word), size);
}

/* ---- options --------------------------------------------------------------------- */

static const Utf8Name dialectNames[] = {
    {"utf8", UTF8_STRICT},
    {"rfc2044", UTF8_LONG},
    {"cesu8", UTF8_PAIRS},
    {"mutf8", UTF8_PAIRS | UTF8_C080},
    {"wtf8", UTF8_SURROGATES},
    {"utf8b", UTF8_BYTES},
    {NULL, 0},
};
const Utf8Option utf8option_dialect = {
    "dialect", "utf-8, rfc2044, cesu-8, mutf-8, wtf-8, utf-8b", dialectNames};

static const Utf8Name policyNames[] = {
    {"subpart", UTF8_POLICY_SUBPART},
    {"utf8", UTF8_POLICY_SUBPART}, /* charsets, as utf8_detect() names them */
    {"ascii", UTF8_POLICY_SUBPART},
    {"usascii", UTF8_POLICY_SUBPART},
    {"byte", UTF8_POLICY_BYTE},
    {"run", UTF8_POLICY_RUN},
    {"cesu8", UTF8_POLICY_CESU8},
    {"latin1", UTF8_POLICY_LATIN1},
    {"iso88591", UTF8_POLICY_LATIN1},
    {"windows1252", UTF8_POLICY_WINDOWS1252},
    {"cp1252", UTF8_POLICY_WINDOWS1252},
    {"escape", UTF8_POLICY_ESCAPE},
    {NULL, 0},
};
const Utf8Option utf8option_policy = {
    "policy",
    "subpart, byte, run, cesu-8, latin1 (iso-8859-1), windows-1252 (cp1252), escape; "
    "for other charsets use utf8_from(X, charset)",
    policyNames};

static const Utf8Name charsetNames[] = {
    {"utf8", UTF8_CHARSET_UTF8},
    {"utf8bom", UTF8_CHARSET_UTF8BOM},
    {"utf16", UTF8_CHARSET_UTF16},
    {"utf16le", UTF8_CHARSET_UTF16LE},
    {"utf16be", UTF8_CHARSET_UTF16BE},
    {"utf32", UTF8_CHARSET_UTF32},
    {"utf32le", UTF8_CHARSET_UTF32LE},
    {"utf32be", UTF8_CHARSET_UTF32BE},
    {"iso88591", UTF8_CHARSET_LATIN1},
    {"latin1", UTF8_CHARSET_LATIN1},
    {"windows1252", UTF8_CHARSET_WINDOWS1252},
    {"cp1252", UTF8_CHARSET_WINDOWS1252},
    {"usascii", UTF8_CHARSET_ASCII},
    {"ascii", UTF8_CHARSET_ASCII},
    {"rfc2044", UTF8_CHARSET_RFC2044},
    {"cesu8", UTF8_CHARSET_CESU8},
    {"mutf8", UTF8_CHARSET_MUTF8},
    {"wtf8", UTF8_CHARSET_WTF8},
    {NULL, 0},
};
const Utf8Option utf8option_charset = {
    "charset",
    "utf-8, utf-8-bom, utf-16, utf-16le, utf-16be, utf-32, utf-32le, utf-32be, "
    "iso-8859-1 (latin1), windows-1252 (cp1252), us-ascii (ascii), rfc2044, cesu-8, "
    "mutf-8, wtf-8",
    charsetNames};

/* Does the text say `name`, ignoring case, '-' and '_'? */
static int says(const uint8_t *text, size_t size, const char *name) {
  for (size_t i = 0; i < size; i++) {
    uint8_t c = text[i];
    if (c == '-' || c == '_') continue;
    if (c >= 'A' && c <= 'Z') c = (uint8_t)(c + ('a' - 'A'));
    if (*name == 0 || c != (uint8_t)*name++) return 0;
  }
  return *name == 0;
}

const Utf8Name *utf8option_find(const Utf8Option *option, sqlite3_value *x) {
  if (sqlite3_value_type(x) != SQLITE_TEXT) return NULL;
  const uint8_t *text = sqlite3_value_text(x);
  size_t size = (size_t)sqlite3_value_bytes(x);
  for (const Utf8Name *row = option->names; text && row->name; row++) {
    if (says(text, size, row->name)) return row;
  }
  return NULL;
}

const Utf8Name *utf8option_argument(sqlite3_context *ctx, const char *function,
                                    const Utf8Option *option, sqlite3_value **argv,
                                    int i) {
  const Utf8Name *row = sqlite3_get_auxdata(ctx, i);
  if (row) return row;
  row = utf8option_find(option, argv[i]);
  if (row) {
    sqlite3_set_auxdata(ctx, i, (void *)row, NULL);
  } else {
    utf8option_error(ctx, function, i + 1, option->argument, option->accepted, argv[i]);
  }
  return row;
}

/* What of a given value a message shows. */
#define SHOWN_BYTES 40

/* Text in quotes, what is ill-formed escaped, control characters and quotes made visible. */
static void showText(sqlite3_str *message, const Utf8Value *text) {
  const unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  const Utf8Repair how = {UTF8_POLICY_ESCAPE, dialect, NULL, 0};
  size_t shown = utf8core_boundary(text->bytes, text->size, SHOWN_BYTES, dialect);
  uint8_t out[4 * SHOWN_BYTES + 64];
  size_t at = 0;
  size_t used = utf8core_repair(&how, text->bytes, shown, &at, out, sizeof out);
  sqlite3_str_appendchar(message, 1, '\'');
  for (size_t i = 0; i < used; i++) {
    if (out[i] < 0x20 || out[i] == 0x7F) {
      sqlite3_str_appendf(message, "\\x%02x", out[i]);
    } else {
      sqlite3_str_appendchar(message, out[i] == '\'' ? 2 : 1, (char)out[i]);
    }
  }
  sqlite3_str_appendall(message, shown < text->size ? "'..." : "'");
}

static void showBlob(sqlite3_str *message, const Utf8Value *blob) {
  size_t shown = blob->size < SHOWN_BYTES ? blob->size : SHOWN_BYTES;
  sqlite3_str_appendall(message, "x'");
  for (size_t i = 0; i < shown; i++)
    sqlite3_str_appendf(message, "%02x", blob->bytes[i]);
  sqlite3_str_appendall(message, shown < blob->size ? "'..." : "'");
}

static void showValue(sqlite3_str *message, const Utf8Value *value) {
  switch (value->type) {
  case SQLITE_NULL:
    sqlite3_str_appendall(message, "NULL");
    break;
  case SQLITE_BLOB:
    showBlob(message, value);
    break;
  case SQLITE_TEXT:
    showText(message, value);
    break;
  default:
    sqlite3_str_append(message, (const char *)value->bytes, (int)value->size);
    break;
  }
}

char *utf8option_message(const char *function, int number, const char *argument,
                         const char *accepted, sqlite3_value *x, int utf16) {
  Utf8Value given;
  if (utf8value_open(&given, x, utf16) != SQLITE_OK) return NULL;
  sqlite3_str *message = sqlite3_str_new(NULL);
  sqlite3_str_appendf(message, "%s: argument %d (%s) is ", function, number, argument);
  showValue(message, &given);
  sqlite3_str_appendf(message, "; accepted: %s", accepted);
  utf8value_close(&given);
  return sqlite3_str_finish(message);
}

void utf8option_error(sqlite3_context *ctx, const char *function, int number,
                      const char *argument, const char *accepted, sqlite3_value *x) {
  int utf16 = utf8value_ctx_utf16(ctx);
  char *message = utf8option_message(function, number, argument, accepted, x, utf16);
  if (message) {
    sqlite3_result_error(ctx, message, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(message);
}

/* ---- results --------------------------------------------------------------------- */

/* sqlite3_result_value() allocates memory for every row; the copies below go where the
** last row's result was. Long values are worth the one allocation. */
#define SHORT_VALUE 4096

void utf8value_result_same(sqlite3_context *ctx, const Utf8Value *value,
                           sqlite3_value *x) {
  int isBytes = value->type == SQLITE_TEXT || value->type == SQLITE_BLOB;
  if (isBytes && !value->utf16 && value->size <= SHORT_VALUE) {
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

/* Is the end of the text what an odd byte became? Else F1 is the lead of four bytes. */
static int endsInOddByte(const uint8_t *text, size_t size) {
  return size >= 3 && text[size - 3] == UTF8_ODD_LEAD;
}

/* Hands text over as UTF-16 behind a byte order mark. The bytes stay the caller's. */
static void resultUnits(sqlite3_context *ctx, const uint8_t *text, size_t size) {
  const Utf8Charset native = nativeHigh() ? UTF8_CHARSET_UTF16LE : UTF8_CHARSET_UTF16BE;
  const unsigned dialect = UTF8_FROM_UTF16 | UTF8_SURROGATES;
  const size_t end = endsInOddByte(text, size) ? size - 3 : size;
  const uint64_t room = 2 * (uint64_t)size + UTF8_CHARSET_ROOM;
  uint8_t *units = sqlite3_malloc64(room);
  if (!units) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  size_t used = sizeof byteOrderMark;
  memcpy(units, &byteOrderMark, used);
  for (size_t at = 0; at < end;) {
    used += utf8core_encode(native, dialect, text, end, &at, units + used,
                            (size_t)room - used);
  }
  if (end < size) units[used++] = UTF8_ODD_BYTE(text + end);
  sqlite3_result_text64(ctx, (char *)units, used, sqlite3_free, SQLITE_UTF16);
}

void utf8value_result_text(sqlite3_context *ctx, uint8_t *bytes, size_t size,
                           int utf16) {
  if (utf16) {
    resultUnits(ctx, bytes, size);
    sqlite3_free(bytes);
  } else {
    sqlite3_result_text64(ctx, (char *)bytes, size, sqlite3_free, SQLITE_UTF8);
  }
}

/* They are EF BF BE and EF BF BF. */
int utf8value_is_spoilt(const uint8_t *text, size_t size) {
  const uint8_t *end = text + size;
  while (size > 2 && (text = memchr(text, 0xEF, size - 2)) != NULL) {
    if (text[1] == 0xBF && text[2] >= 0xBE) return 1;
    text++;
    size = (size_t)(end - text);
  }
  return 0;
}

/* A function knows the database's encoding only from TEXT that it is given; asking takes a
** statement. Where that fails, UTF-16 is right in any database. */
void utf8value_result_decoded(sqlite3_context *ctx, uint8_t *bytes, size_t size) {
  int utf16 = 0;
  if (utf8value_is_spoilt(bytes, size)) {
    utf16 = 1;
    (void)utf8value_db_utf16(sqlite3_context_db_handle(ctx), &utf16);
  }
  utf8value_result_text(ctx, bytes, size, utf16);
}

void utf8value_result_part(sqlite3_context *ctx, const Utf8Value *value, size_t from,
                           size_t size) {
  const uint8_t *part = size ? value->bytes + from : (const uint8_t *)"";
  if (value->type == SQLITE_BLOB) {
    sqlite3_result_blob64(ctx, part, size, SQLITE_TRANSIENT);
  } else if (value->utf16) {
    resultUnits(ctx, part, size);
  } else {
    sqlite3_result_text64(ctx, (const char *)part, size, SQLITE_TRANSIENT, SQLITE_UTF8);
  }
}

/* SQLite's conversion from UTF-16 to UTF-8 spoils nothing. */
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
