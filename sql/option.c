/* sql/option.c: arguments that must be one of a few names, and messages about others. */
#include "sql/option.h"
#include "charset/accept.h"
#include "charset/legacy/legacy.h"
#include "core/omit.h"
#include "form/names.h"
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

/* What an argument stands for: the sum of a dialect's flags, a charset, a kind of suspicious
** code point, or a policy plus 256 times its charset. */
typedef int Meaning;
#define UNKNOWN UTF8_CHARSET_UNKNOWN /* below all others */

/* Returns what text[0..size) means, or UNKNOWN. */
typedef Meaning Finder(const char *text, size_t size);

/* Appends what an argument accepts. x was given instead. */
typedef void Lister(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x);

/* A kind of argument. */
typedef struct Option {
  const char *argument;  /* what messages call it */
  const Utf8Name *names; /* what it accepts; NULL: */
  Finder *find;
  Lister *list;
} Option;

static Meaning findName(const Utf8Name *names, const char *text, size_t size) {
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

static Meaning meaningOf(const Option *option, sqlite3_value *x) {
  size_t size;
  const char *text = argumentText(x, &size);
  if (!text) return UNKNOWN;
  return option->names ? findName(option->names, text, size) : option->find(text, size);
}

/* Returns what argument i means, or UNKNOWN. Looks up a constant once per statement: the
** auxiliary data is the meaning itself, as a pointer that is not NULL. */
static Meaning meaningOfArgument(sqlite3_context *ctx, const Option *option,
                                 sqlite3_value **argv, int i) {
  const intptr_t known = (intptr_t)sqlite3_get_auxdata(ctx, i);
  if (known) return (Meaning)(known + UNKNOWN);
  const Meaning meaning = meaningOf(option, argv[i]);
  if (meaning != UNKNOWN)
    sqlite3_set_auxdata(ctx, i, (void *)((intptr_t)meaning - UNKNOWN), NULL);
  return meaning;
}

/* Like meaningOfArgument(), but also sets the function's error if it returns UNKNOWN. */
static Meaning acceptedMeaning(sqlite3_context *ctx, const char *function,
                               const Option *option, sqlite3_value **argv, int i) {
  const Meaning meaning = meaningOfArgument(ctx, option, argv, i);
  if (meaning != UNKNOWN) return meaning;
  char accepted[UTF8_ACCEPTED_MAX] = "";
  if (option->names) {
    utf8charset_append_names(accepted, option->names, NULL);
  } else {
    option->list(accepted, argv[i]);
  }
  utf8option_error(ctx, function, i + 1, option->argument, accepted, argv[i]);
  return UNKNOWN;
}

/* ---- dialects ------------------------------------------------------------------------- */

static const Option dialectOption = {.argument = "dialect",
                                     .names = utf8charset_dialects};

int utf8option_find_dialect(sqlite3_value *x, unsigned *dialect) {
  const Meaning meaning = meaningOf(&dialectOption, x);
  if (meaning != UNKNOWN) *dialect = (unsigned)meaning;
  return meaning != UNKNOWN;
}

int utf8option_dialect(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                       int i, unsigned *dialect) {
  const Meaning meaning = acceptedMeaning(ctx, function, &dialectOption, argv, i);
  if (meaning != UNKNOWN) *dialect = (unsigned)meaning;
  return meaning != UNKNOWN;
}

/* ---- charsets ------------------------------------------------------------------------- */

static Meaning findCharset(const char *text, size_t size) {
  return utf8core_find_charset(text, size);
}

void utf8option_list_charsets(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  size_t size;
  const char *text = argumentText(x, &size);
  utf8charset_append_charsets(accepted, text, size);
}

static const Option charsetOption = {
    .argument = "charset", .find = findCharset, .list = utf8option_list_charsets};

Utf8Charset utf8option_find_charset(sqlite3_context *ctx, sqlite3_value **argv, int i) {
  return (Utf8Charset)meaningOfArgument(ctx, &charsetOption, argv, i);
}

int utf8option_charset(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                       int i, Utf8Charset *charset) {
  *charset = (Utf8Charset)acceptedMeaning(ctx, function, &charsetOption, argv, i);
  return *charset != UTF8_CHARSET_UNKNOWN;
}

static Meaning findSingleByte(const char *text, size_t size) {
  const Utf8Charset charset = utf8core_find_charset(text, size);
  return utf8charset_extends_ascii(charset) ? (Meaning)charset : UNKNOWN;
}

static void listSingleByte(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  (void)x;
  utf8charset_append_accepted(accepted, UTF8_SINGLE_BYTE_ACCEPTED);
}

int utf8option_single_byte(sqlite3_context *ctx, const char *function,
                           sqlite3_value **argv, int i, Utf8Charset *charset) {
  static const Option option = {
      .argument = "charset", .find = findSingleByte, .list = listSingleByte};
  *charset = (Utf8Charset)acceptedMeaning(ctx, function, &option, argv, i);
  return *charset != UTF8_CHARSET_UNKNOWN;
}

/* ---- policies ------------------------------------------------------------------------- */

static Meaning findPolicy(const char *text, size_t size) {
  Utf8Repair how;
  if (!utf8charset_find_policy(text, size, &how)) return UNKNOWN;
  return (Meaning)how.policy | (Meaning)how.charset << 8;
}

static void listPolicies(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  size_t size;
  const char *text = argumentText(x, &size);
  utf8charset_append_policies(accepted, text, size);
}

static void setPolicy(Utf8Repair *how, Meaning meaning) {
  how->policy = (Utf8PolicyId)(meaning & 0xFF);
  how->charset = (Utf8Charset)(meaning >> 8);
}

int utf8option_policy(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                      int i, Utf8Repair *how) {
  static const Option option = {
      .argument = "policy", .find = findPolicy, .list = listPolicies};
  const Meaning meaning = acceptedMeaning(ctx, function, &option, argv, i);
  if (meaning != UNKNOWN) setPolicy(how, meaning);
  return meaning != UNKNOWN;
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

static Meaning findStripped(const char *text, size_t size) {
  const Meaning kind = findName(kinds, text, size);
  return utf8suspect_is_stripped(kind) ? kind : UNKNOWN;
}

/* Lists the kinds that utf8_strip() accepts, and which other function to use for that of x. */
static void listStripped(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  static const Option any = {.names = kinds};
  const char *other = utf8suspect_other_strip(meaningOf(&any, x));
  utf8charset_append_names(accepted, kinds, utf8suspect_is_stripped);
  if (other) utf8charset_append_accepted(accepted, "; use %s", other);
}

int utf8option_kind(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, Utf8SuspectKind *kind) {
  static const Option option = {
      .argument = "kind", .find = findStripped, .list = listStripped};
  const Meaning meaning = acceptedMeaning(ctx, function, &option, argv, i);
  if (meaning != UNKNOWN) *kind = (Utf8SuspectKind)meaning;
  return meaning != UNKNOWN;
}

/* ---- steps of utf8_clean ---------------------------------------------------------------- */

/* The steps that this build lacks. */
#define OMITTED_STEPS                                                                  \
  ((UTF8_HAS_DETECT ? 0u : UTF8_CLEAN_BIT(UTF8_CLEAN_REPAIR)) |                        \
   (UTF8_HAS_MOJIBAKE ? 0u : UTF8_CLEAN_BIT(UTF8_CLEAN_MOJIBAKE)))

static Meaning findSteps(const char *text, size_t size) {
  const unsigned steps = utf8form_clean_steps(text, size);
  return steps && !(steps & OMITTED_STEPS) ? (Meaning)steps : UNKNOWN;
}

static void listSteps(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  (void)x;
  utf8charset_append_accepted(
      accepted, "a list, separated by commas, of %s; each once, and nfc or nfkc",
      utf8form_clean_names);
}

int utf8option_default_steps(sqlite3_context *ctx, const char *function,
                             unsigned *steps) {
  *steps = UTF8_CLEAN_DEFAULT;
  if (!(*steps & OMITTED_STEPS)) return 1;
  setError(ctx, sqlite3_mprintf("%s: name the steps" UTF8_OMITTED, function));
  return 0;
}

int utf8option_steps(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                     int i, unsigned *steps) {
  static const Option option = {
      .argument = "steps", .find = findSteps, .list = listSteps};
  const Meaning meaning = acceptedMeaning(ctx, function, &option, argv, i);
  if (meaning != UNKNOWN) *steps = (unsigned)meaning;
  return meaning != UNKNOWN;
}

/* ---- escapes, losses, forms ------------------------------------------------------------- */

int utf8option_escape_kind(sqlite3_context *ctx, const char *function,
                           sqlite3_value **argv, int i, Utf8EscapeKind *kind) {
  static const Utf8Name names[] = {UTF8_ESCAPE_LIST(UTF8_NAME_ROW) UTF8_LAST_NAME};
  static const Option option = {.argument = "kind", .names = names};
  const Meaning meaning = acceptedMeaning(ctx, function, &option, argv, i);
  if (meaning != UNKNOWN) *kind = (Utf8EscapeKind)meaning;
  return meaning != UNKNOWN;
}

static Meaning findLoss(const char *text, size_t size) {
  const Meaning loss = findName(utf8charset_losses, text, size);
  return loss == UTF8_LOSS_CLOSEST && !UTF8_HAS_FORM ? UNKNOWN : loss;
}

static void listLosses(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x) {
  (void)x;
  utf8charset_append_names(accepted, utf8charset_losses, NULL);
}

int utf8option_loss(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, Utf8Loss *loss) {
  static const Option option = {
      .argument = "loss", .find = findLoss, .list = listLosses};
  const Meaning meaning = acceptedMeaning(ctx, function, &option, argv, i);
  if (meaning != UNKNOWN) *loss = (Utf8Loss)meaning;
  return meaning != UNKNOWN;
}

int utf8option_form(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, Utf8NormalForm *form) {
  static const Utf8Name names[] = {UTF8_NORMAL_FORM_LIST(UTF8_NAME_ROW) UTF8_LAST_NAME};
  static const Option option = {.argument = "form", .names = names};
  const Meaning meaning = acceptedMeaning(ctx, function, &option, argv, i);
  if (meaning != UNKNOWN) *form = (Utf8NormalForm)meaning;
  return meaning != UNKNOWN;
}

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
