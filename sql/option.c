/* sql/option.c: arguments that must be one of a few names, and messages about others. */
#include "sql/option.h"
#include "charset/accept.h"
#include "charset/legacy/legacy.h"
#include "clean/unescape.h"
#include "core/omit.h"
#include "form/names.h"
#include "suspect/suspect.h"
#include <stdint.h>

/* ---- messages ----------------------------------------------------------------------- */

static void appendShownValue(sqlite3_str *message, const Utf8Value *value) {
  char shown[UTF8_SHOWN_MAX] = "NULL";
  switch (value->type) {
  case SQLITE_NULL:
    break;
  case SQLITE_BLOB:
    utf8charset_show_bytes(shown, value->bytes, value->size);
    break;
  case SQLITE_TEXT:
    utf8charset_show_text(shown, value->bytes, value->size,
                          utf8value_dialect(value, UTF8_STRICT));
    break;
  default:
    sqlite3_str_append(message, (const char *)value->bytes, (int)value->size);
    return;
  }
  sqlite3_str_appendall(message, shown);
}

/* Appends x, shortened and escaped. Returns SQLITE_OK or SQLITE_NOMEM. */
static int appendShown(sqlite3_str *message, sqlite3_value *x, Utf8Encoding encoding) {
  Utf8Value given;
  const int rc = utf8value_open(&given, x, encoding);
  if (rc != SQLITE_OK) return rc;
  appendShownValue(message, &given);
  utf8value_close(&given);
  return SQLITE_OK;
}

/* Returns the message, or frees it and returns NULL if rc is an error. */
static char *finishMessage(sqlite3_str *message, int rc) {
  char *text = sqlite3_str_finish(message);
  if (rc == SQLITE_OK) return text;
  sqlite3_free(text);
  return NULL;
}

char *utf8option_message(const char *function, int number, const char *argument,
                         const char *accepted, sqlite3_value *x,
                         Utf8Encoding encoding) {
  sqlite3_str *message = sqlite3_str_new(NULL);
  sqlite3_str_appendf(message, "%s: argument %d (%s) is ", function, number, argument);
  const int rc = appendShown(message, x, encoding);
  sqlite3_str_appendf(message, "; accepted: %s" UTF8_OMITTED, accepted);
  return finishMessage(message, rc);
}

/* Sets message as the function's error, SQLITE_NOMEM if it is NULL, and frees it. */
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
  const Utf8Encoding encoding = utf8value_ctx_encoding(ctx);
  setError(ctx, utf8option_message(function, number, argument, accepted, x, encoding));
}

/* ---- names -------------------------------------------------------------------------- */

static const Utf8Name kinds[] = {UTF8_SUSPECT_LIST(UTF8_NAME_ROW) UTF8_LAST_NAME};

/* The names with ", " before each. */
#define LISTED(id, name, aliases, meaning, source) ", " name
static const char dialectNames[] = UTF8_DIALECT_LIST(LISTED);
static const char policyNames[] = UTF8_POLICY_LIST(LISTED);

const char *const utf8option_dialects = dialectNames + 2;
const char *const utf8option_policies = policyNames + 2;

#define UNKNOWN UTF8_CHARSET_UNKNOWN /* below all meanings */

static int findName(const Utf8Name *names, const char *text, size_t size) {
  const Utf8Name *row = utf8charset_find_name(names, text, size);
  return row ? row->id : UNKNOWN;
}

/* Returns the text of x and stores its size; NULL if x is not TEXT, or memory runs out. */
static const char *argumentText(sqlite3_value *x, size_t *size) {
  const int isText = sqlite3_value_type(x) == SQLITE_TEXT;
  const char *text = isText ? (const char *)sqlite3_value_text(x) : NULL;
  *size = text ? (size_t)sqlite3_value_bytes(x) : 0;
  return text;
}

static int meaningOf(const Utf8Option *option, sqlite3_value *x) {
  size_t size;
  const char *text = argumentText(x, &size);
  if (!text) return UNKNOWN;
  return option->find ? option->find(text, size) : findName(option->names, text, size);
}

/* Returns what argument i means, or UNKNOWN. Looks up a constant once per statement: the
** auxiliary data is the meaning itself, as a pointer that is not NULL. */
static int meaningOfArgument(sqlite3_context *ctx, const Utf8Option *option,
                             sqlite3_value **argv, int i) {
  const intptr_t known = (intptr_t)sqlite3_get_auxdata(ctx, i);
  if (known) return (int)(known + UNKNOWN);
  const int meaning = meaningOf(option, argv[i]);
  if (meaning != UNKNOWN)
    sqlite3_set_auxdata(ctx, i, (void *)((intptr_t)meaning - UNKNOWN), NULL);
  return meaning;
}

int utf8option_accept(sqlite3_context *ctx, const char *function,
                      const Utf8Option *option, sqlite3_value **argv, int i,
                      int *meaning) {
  *meaning = meaningOfArgument(ctx, option, argv, i);
  if (*meaning != UNKNOWN) return 1;
  char accepted[UTF8_ACCEPTED_MAX] = "";
  if (option->list) {
    option->list(accepted, argv[i]);
  } else {
    utf8charset_append_names(accepted, option->names, NULL);
  }
  utf8option_error(ctx, function, i + 1, option->argument, accepted, argv[i]);
  return 0;
}

const Utf8Option utf8option_dialect = {.argument = "dialect",
                                       .names = utf8charset_dialects};

int utf8option_find_dialect(sqlite3_value *x, unsigned *dialect) {
  const int meaning = meaningOf(&utf8option_dialect, x);
  if (meaning != UNKNOWN) *dialect = (unsigned)meaning;
  return meaning != UNKNOWN;
}

/* ---- charsets ------------------------------------------------------------------------- */

static int findCharset(const char *text, size_t size) {
  return utf8core_find_charset(text, size);
}

void utf8option_list_charsets(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  size_t size;
  const char *text = argumentText(x, &size);
  utf8charset_append_charsets(accepted, text, size);
}

const Utf8Option utf8option_charset = {
    .argument = "charset", .find = findCharset, .list = utf8option_list_charsets};

Utf8Charset utf8option_find_charset(sqlite3_context *ctx, sqlite3_value **argv, int i) {
  return (Utf8Charset)meaningOfArgument(ctx, &utf8option_charset, argv, i);
}

static int findSingleByte(const char *text, size_t size) {
  const Utf8Charset charset = utf8core_find_charset(text, size);
  return utf8charset_extends_ascii(charset) ? (int)charset : UNKNOWN;
}

static void listSingleByte(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  (void)x;
  utf8charset_append_accepted(accepted, UTF8_SINGLE_BYTE_ACCEPTED);
}

const Utf8Option utf8option_single_byte = {
    .argument = "charset", .find = findSingleByte, .list = listSingleByte};

/* ---- policies ------------------------------------------------------------------------- */

static int findPolicy(const char *text, size_t size) {
  Utf8Repair how;
  if (!utf8charset_find_policy(text, size, &how)) return UNKNOWN;
  return (int)how.policy | (int)how.charset << 8;
}

static void listPolicies(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  size_t size;
  const char *text = argumentText(x, &size);
  utf8charset_append_policies(accepted, text, size);
}

int utf8option_policy(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                      int i, Utf8Repair *how) {
  static const Utf8Option option = {
      .argument = "policy", .find = findPolicy, .list = listPolicies};
  int meaning;
  if (!utf8option_accept(ctx, function, &option, argv, i, &meaning)) return 0;
  how->policy = (Utf8PolicyId)(meaning & 0xFF);
  how->charset = (Utf8Charset)(meaning >> 8);
  return 1;
}

void utf8option_no_replacement(sqlite3_context *ctx, const char *function,
                               sqlite3_value *policy) {
  sqlite3_str *message = sqlite3_str_new(NULL);
  sqlite3_str_appendf(message, "%s: policy ", function);
  const int rc = appendShown(message, policy, utf8value_ctx_encoding(ctx));
  char accepted[UTF8_ACCEPTED_MAX] = "";
  utf8charset_append_names(accepted, utf8charset_policies,
                           utf8charset_takes_replacement);
  sqlite3_str_appendf(message, " takes no replacement; policies that do: %s", accepted);
  setError(ctx, finishMessage(message, rc));
}

/* ---- kinds of suspicious text ----------------------------------------------------------- */

static int findStripped(const char *text, size_t size) {
  const int kind = findName(kinds, text, size);
  return utf8suspect_is_stripped(kind) ? kind : UNKNOWN;
}

/* Lists the kinds that utf8_strip() accepts, and which other function to use for that of x. */
static void listStripped(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  static const Utf8Option any = {.names = kinds};
  const char *other = utf8suspect_other_strip(meaningOf(&any, x));
  utf8charset_append_names(accepted, kinds, utf8suspect_is_stripped);
  if (other) utf8charset_append_accepted(accepted, "; use %s", other);
}

const Utf8Option utf8option_kind = {
    .argument = "kind", .find = findStripped, .list = listStripped};

/* ---- steps of utf8_clean ---------------------------------------------------------------- */

/* The steps that this build lacks. */
#define OMITTED_STEPS                                                                  \
  ((UTF8_HAS_DETECT ? 0u : UTF8_CLEAN_BIT(UTF8_CLEAN_REPAIR)) |                        \
   (UTF8_HAS_MOJIBAKE ? 0u : UTF8_CLEAN_BIT(UTF8_CLEAN_MOJIBAKE)))

static int findSteps(const char *text, size_t size) {
  const unsigned steps = utf8form_clean_steps(text, size);
  return steps && !(steps & OMITTED_STEPS) ? (int)steps : UNKNOWN;
}

static void listSteps(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  (void)x;
  utf8charset_append_accepted(
      accepted, "a list, separated by commas, of %s; each once, and nfc or nfkc",
      utf8form_clean_names);
}

int utf8option_default_steps(sqlite3_context *ctx, const char *function, int *steps) {
  *steps = UTF8_CLEAN_DEFAULT;
  if (!(UTF8_CLEAN_DEFAULT & OMITTED_STEPS)) return 1;
  setError(ctx, sqlite3_mprintf("%s: name the steps" UTF8_OMITTED, function));
  return 0;
}

const Utf8Option utf8option_steps = {
    .argument = "steps", .find = findSteps, .list = listSteps};

/* ---- escapes, losses, forms ------------------------------------------------------------- */

static const Utf8Name escapes[] = {UTF8_ESCAPE_LIST(UTF8_NAME_ROW) UTF8_LAST_NAME};
static const Utf8Name forms[] = {UTF8_NORMAL_FORM_LIST(UTF8_NAME_ROW) UTF8_LAST_NAME};

const Utf8Option utf8option_escape = {.argument = "kind", .names = escapes};
const Utf8Option utf8option_form = {.argument = "form", .names = forms};

static int findLoss(const char *text, size_t size) {
  const int loss = findName(utf8charset_losses, text, size);
  return loss == UTF8_LOSS_CLOSEST && !UTF8_HAS_FORM ? UNKNOWN : loss;
}

const Utf8Option utf8option_loss = {
    .argument = "loss", .names = utf8charset_losses, .find = findLoss};

/* ---- any text ---------------------------------------------------------------------------- */

/* Returns 1 if x is well-formed text, 0 if not, -1 if memory ran out. */
static int isWellFormedText(sqlite3_context *ctx, sqlite3_value *x) {
  Utf8Value text;
  if (sqlite3_value_type(x) != SQLITE_TEXT) return 0;
  if (utf8value_open(&text, x, utf8value_ctx_encoding(ctx)) != SQLITE_OK) return -1;
  const unsigned dialect = utf8value_dialect(&text, UTF8_STRICT);
  const size_t size = text.size;
  const int isValid = !utf8core_find_error(text.bytes, size, 0, size, dialect).error;
  utf8value_close(&text);
  return isValid;
}

/* Checks a constant once per statement: its auxiliary data is not NULL once it is accepted. */
int utf8option_text(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, const char *argument) {
  if (sqlite3_get_auxdata(ctx, i)) return 1;
  const int isAccepted = isWellFormedText(ctx, argv[i]);
  if (isAccepted == 1) {
    sqlite3_set_auxdata(ctx, i, (void *)(intptr_t)1, NULL);
  } else if (isAccepted == 0) {
    utf8option_error(ctx, function, i + 1, argument, "well-formed text", argv[i]);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
  return isAccepted == 1;
}
