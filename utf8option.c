/* utf8option.c: arguments that must be one of a few names, and messages about others. */
#include "utf8option.h"
#include "utf8names.h"
#include <string.h>

/* ---- names -------------------------------------------------------------------------- */

#define ROW(id, name, aliases, meaning, source) {id, name, aliases},
#define CHARSET_ROW(id, name, aliases, meaning, source)                                \
  {UTF8_CHARSET_##id, name, aliases},
#define LAST_ROW                                                                       \
  { 0, NULL, NULL }

static const Utf8Name dialectNames[] = {UTF8_DIALECT_LIST(ROW) LAST_ROW};
static const Utf8Name policyNames[] = {UTF8_POLICY_LIST(ROW) LAST_ROW};
static const Utf8Name charsetNames[] = {UTF8_CHARSET_LIST(CHARSET_ROW) LAST_ROW};

const Utf8Option utf8option_dialect = {"dialect", dialectNames, ""};
const Utf8Option utf8option_policy = {"policy", policyNames,
                                      "; for other charsets use utf8_from(X, charset)"};
const Utf8Option utf8option_charset = {"charset", charsetNames, ""};

static char lowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static int isIgnored(char c) {
  return c == '-' || c == '_';
}

/* Do the two match, ignoring case, '-' and '_'? name ends at a comma or NUL. */
static int matchesName(const char *text, size_t size, const char *name) {
  for (size_t i = 0; i < size; i++) {
    if (isIgnored(text[i])) continue;
    while (isIgnored(*name)) name++;
    if (*name == 0 || *name == ',' || lowerCase(text[i]) != *name++) return 0;
  }
  while (isIgnored(*name)) name++;
  return *name == 0 || *name == ',';
}

/* Does text match one of the names in a list with commas? */
static int matchesAlias(const char *text, size_t size, const char *list) {
  while (*list) {
    if (matchesName(text, size, list)) return 1;
    list = strchr(list, ',');
    if (!list) return 0;
    list += 2; /* ", " */
  }
  return 0;
}

const Utf8Name *utf8option_find(const Utf8Option *option, sqlite3_value *x) {
  if (sqlite3_value_type(x) != SQLITE_TEXT) return NULL;
  const char *text = (const char *)sqlite3_value_text(x);
  size_t size = (size_t)sqlite3_value_bytes(x);
  if (!text) return NULL;
  for (const Utf8Name *row = option->names; row->name; row++) {
    if (matchesName(text, size, row->name) || matchesAlias(text, size, row->aliases))
      return row;
  }
  return NULL;
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

/* Starts a message that ends before what is accepted. Returns NULL if memory ran out. */
static sqlite3_str *startMessage(const char *function, int number, const char *argument,
                                 sqlite3_value *x, Utf8Encoding encoding) {
  Utf8Value given;
  if (utf8value_open(&given, x, encoding) != SQLITE_OK) return NULL;
  sqlite3_str *message = sqlite3_str_new(NULL);
  sqlite3_str_appendf(message, "%s: argument %d (%s) is ", function, number, argument);
  appendShownValue(message, &given);
  sqlite3_str_appendall(message, "; accepted: ");
  utf8value_close(&given);
  return message;
}

char *utf8option_message(const char *function, int number, const char *argument,
                         const char *accepted, sqlite3_value *x,
                         Utf8Encoding encoding) {
  sqlite3_str *message = startMessage(function, number, argument, x, encoding);
  if (message) sqlite3_str_appendall(message, accepted);
  return sqlite3_str_finish(message);
}

char *utf8option_name_message(const char *function, int number,
                              const Utf8Option *option, sqlite3_value *x,
                              Utf8Encoding encoding) {
  sqlite3_str *message = startMessage(function, number, option->argument, x, encoding);
  if (!message) return NULL;
  for (const Utf8Name *row = option->names; row->name; row++) {
    if (row != option->names) sqlite3_str_appendall(message, ", ");
    sqlite3_str_appendall(message, row->name);
    if (*row->aliases) sqlite3_str_appendf(message, " (%s)", row->aliases);
  }
  sqlite3_str_appendall(message, option->note);
  return sqlite3_str_finish(message);
}

/* Sets the message, which is freed, as the function's error; SQLITE_NOMEM if it is NULL. */
static void setError(sqlite3_context *ctx, char *message) {
  if (message) {
    sqlite3_result_error(ctx, message, -1);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  sqlite3_free(message);
}

void utf8option_error(sqlite3_context *ctx, const char *function, int number,
                      const char *argument, const char *accepted, sqlite3_value *x) {
  setError(ctx, utf8option_message(function, number, argument, accepted, x,
                                   utf8value_ctx_encoding(ctx)));
}

/* ---- a function's argument ------------------------------------------------------------- */

const Utf8Name *utf8option_argument(sqlite3_context *ctx, const char *function,
                                    const Utf8Option *option, sqlite3_value **argv,
                                    int i) {
  const Utf8Name *row = sqlite3_get_auxdata(ctx, i);
  if (row) return row;
  row = utf8option_find(option, argv[i]);
  if (row) {
    sqlite3_set_auxdata(ctx, i, (void *)row, NULL);
  } else {
    setError(ctx, utf8option_name_message(function, i + 1, option, argv[i],
                                          utf8value_ctx_encoding(ctx)));
  }
  return row;
}
