/* utf8option.c: arguments that must be one of a few names, and messages about others. */
#include "utf8option.h"

/* ---- names -------------------------------------------------------------------------- */

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
    {"utf8", UTF8_POLICY_SUBPART}, /* these three as utf8_detect() names them */
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

/* Does text match name, ignoring case, '-' and '_'? */
static int matchesName(const uint8_t *text, size_t size, const char *name) {
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
    if (matchesName(text, size, row->name)) return row;
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

/* ---- messages ----------------------------------------------------------------------- */

/* How many bytes of the value a message quotes. */
#define SHOWN_BYTES 40

/* Appends text in quotes, with ill-formed bytes and control characters escaped. */
static void appendShownText(sqlite3_str *message, const Utf8Value *text) {
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

static void appendShownBlob(sqlite3_str *message, const Utf8Value *blob) {
  size_t shown = blob->size < SHOWN_BYTES ? blob->size : SHOWN_BYTES;
  sqlite3_str_appendall(message, "x'");
  for (size_t i = 0; i < shown; i++)
    sqlite3_str_appendf(message, "%02x", blob->bytes[i]);
  sqlite3_str_appendall(message, shown < blob->size ? "'..." : "'");
}

static void appendShownValue(sqlite3_str *message, const Utf8Value *value) {
  switch (value->type) {
  case SQLITE_NULL:
    sqlite3_str_appendall(message, "NULL");
    break;
  case SQLITE_BLOB:
    appendShownBlob(message, value);
    break;
  case SQLITE_TEXT:
    appendShownText(message, value);
    break;
  default:
    sqlite3_str_append(message, (const char *)value->bytes, (int)value->size);
    break;
  }
}

char *utf8option_message(const char *function, int number, const char *argument,
                         const char *accepted, sqlite3_value *x,
                         Utf8Encoding encoding) {
  Utf8Value given;
  if (utf8value_open(&given, x, encoding) != SQLITE_OK) return NULL;
  sqlite3_str *message = sqlite3_str_new(NULL);
  sqlite3_str_appendf(message, "%s: argument %d (%s) is ", function, number, argument);
  appendShownValue(message, &given);
  sqlite3_str_appendf(message, "; accepted: %s", accepted);
  utf8value_close(&given);
  return sqlite3_str_finish(message);
}

void utf8option_error(sqlite3_context *ctx, const char *function, int number,
                      const char *argument, const char *accepted, sqlite3_value *x) {
  char *message = utf8option_message(function, number, argument, accepted, x,
                                     utf8value_ctx_encoding(ctx));
  if (message) {
    sqlite3_result_error(ctx, message, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(message);
}
