/* sql/option.c: arguments that must be one of a few names, and messages about others. */
#include "sql/option.h"
#include "charset/legacy/legacy.h"
#include "core/omit.h"
#include "form/names.h"
#include "simd/bytes.h"
#include <stdint.h>
#include <string.h>

/* ---- messages ----------------------------------------------------------------------- */

/* How many bytes of the value a message quotes. */
#define SHOWN_BYTES 40

/* Appends text in quotes, with ill-formed bytes and control characters escaped. */
static void appendShownText(sqlite3_str *message, const Utf8Value *text) {
  const unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  const Utf8Repair how = {.policy = UTF8_POLICY_ESCAPE, .dialect = dialect};
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
  size_t shown = bytes_min(blob->size, SHOWN_BYTES);
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
  setError(ctx, accepted ? utf8option_message(function, number, argument, accepted, x,
                                              encoding)
                         : NULL);
}

/* ---- names -------------------------------------------------------------------------- */

/* A row of charset/names.h. Arrays need no relocations, as pointers would. */
typedef struct Name {
  int id;
  char name[24]; /* empty after the last row */
  char aliases[24];
} Name;

#define NAME_ROW(id, name, aliases, meaning, source) {id, name, aliases},
#define LAST_ROW                                                                       \
  { 0, "", "" }
static const Name dialects[] = {UTF8_DIALECT_LIST(NAME_ROW) LAST_ROW};
static const Name policies[] = {UTF8_POLICY_LIST(NAME_ROW) LAST_ROW};

#define KIND_ROW(id, name, aliases) {id, name, aliases},
static const Name kinds[] = {UTF8_SUSPECT_LIST(KIND_ROW) LAST_ROW};

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

/* Returns what an argument accepts, to be freed with sqlite3_free(); NULL if memory ran out. x is
** what was given instead. */
typedef char *Lister(sqlite3_value *x);

/* A kind of argument. */
typedef struct Option {
  const char *argument; /* what messages call it */
  const Name *names;    /* what it accepts; NULL: */
  Finder *find;
  Lister *list;
} Option;

static Meaning findName(const Name *names, const char *text, size_t size) {
  for (const Name *row = names; *row->name; row++) {
    if (utf8charset_match(text, size, row->name)) return row->id;
    if (utf8charset_match_any(text, size, row->aliases)) return row->id;
  }
  return UNKNOWN;
}

static char *listNames(const Name *names) {
  sqlite3_str *list = sqlite3_str_new(NULL);
  for (const Name *row = names; *row->name; row++)
    sqlite3_str_appendf(list, "%s%s", row > names ? ", " : "", row->name);
  return sqlite3_str_finish(list);
}

static Meaning meaningOf(const Option *option, sqlite3_value *x) {
  if (sqlite3_value_type(x) != SQLITE_TEXT) return UNKNOWN;
  const char *text = (const char *)sqlite3_value_text(x);
  if (!text) return UNKNOWN;
  const size_t size = (size_t)sqlite3_value_bytes(x);
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
  char *accepted = option->names ? listNames(option->names) : option->list(argv[i]);
  utf8option_error(ctx, function, i + 1, option->argument, accepted, argv[i]);
  sqlite3_free(accepted);
  return UNKNOWN;
}

/* ---- dialects ------------------------------------------------------------------------- */

static const Option dialectOption = {.argument = "dialect", .names = dialects};

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

char *utf8option_list_charsets(sqlite3_value *x) {
  const char *nearest[UTF8_NEAREST] = {"utf-8", "utf-16le", "windows-1252"};
  const char *found[UTF8_NEAREST];
  const int isText = sqlite3_value_type(x) == SQLITE_TEXT;
  const char *text = isText ? (const char *)sqlite3_value_text(x) : NULL;
  const size_t size = text ? (size_t)sqlite3_value_bytes(x) : 0;
  if (text && findCharset(text, size) == UNKNOWN &&
      utf8charset_nearest(text, size, found))
    memcpy(nearest, found, sizeof found);
  sqlite3_str *list = sqlite3_str_new(NULL);
  for (int i = 0; i < UTF8_NEAREST; i++)
    sqlite3_str_appendf(list, "%.*s, ", (int)strcspn(nearest[i], ","), nearest[i]);
  sqlite3_str_appendall(list, "...; all names: SELECT name FROM utf8_charsets");
  return sqlite3_str_finish(list);
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

static char *listSingleByte(sqlite3_value *x) {
  (void)x;
  return sqlite3_mprintf(UTF8_SINGLE_BYTE_ACCEPTED);
}

int utf8option_single_byte(sqlite3_context *ctx, const char *function,
                           sqlite3_value **argv, int i, Utf8Charset *charset) {
  static const Option option = {
      .argument = "charset", .find = findSingleByte, .list = listSingleByte};
  *charset = (Utf8Charset)acceptedMeaning(ctx, function, &option, argv, i);
  return *charset != UTF8_CHARSET_UNKNOWN;
}

/* ---- policies ------------------------------------------------------------------------- */

/* A single-byte charset is a policy under all its names. utf-8 and ascii mean subpart, since
** neither has a character for an ill-formed byte. */
static Meaning findPolicy(const char *text, size_t size) {
  Meaning policy = findName(policies, text, size);
  if (policy == UTF8_POLICY_AUTO && !UTF8_HAS_DETECT) return UNKNOWN;
  if (policy != UNKNOWN) return policy;
  const Utf8Charset charset = utf8core_find_charset(text, size);
  if (charset == UTF8_CHARSET_UTF8 || charset == UTF8_CHARSET_ASCII)
    return UTF8_POLICY_SUBPART;
  if (!utf8charset_extends_ascii(charset)) return UNKNOWN;
  return UTF8_POLICY_CHARSET | (Meaning)charset << 8;
}

static char *listPolicies(sqlite3_value *x) {
  const int isCharset = meaningOf(&charsetOption, x) >= 0;
  return sqlite3_mprintf("%s, or a single-byte charset%s", utf8option_policies,
                         isCharset ? "; for other charsets use utf8_from(X, charset)"
                                   : "");
}

static void setPolicy(Utf8Repair *how, Meaning meaning) {
  how->policy = (Utf8PolicyId)(meaning & 0xFF);
  how->charset = (Utf8Charset)(meaning >> 8);
}

int utf8option_find_policy(const char *text, size_t size, Utf8Repair *how) {
  const Meaning meaning = findPolicy(text, size);
  if (meaning != UNKNOWN) setPolicy(how, meaning);
  return meaning != UNKNOWN;
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
  sqlite3_str_appendall(message, " takes no replacement; policies that do: ");
  for (const Name *row = policies; *row->name; row++)
    if (utf8charset_takes_replacement((Utf8PolicyId)row->id))
      sqlite3_str_appendf(message, "%s%s", row > policies ? ", " : "", row->name);
  setError(ctx, finishMessage(message, rc));
}

/* ---- kinds of suspicious text ----------------------------------------------------------- */

/* Returns the function that removes this kind if utf8_strip() does not; else NULL. */
static const char *otherStrip(Meaning kind) {
  if (kind == UTF8_SUSPECT_BOM) return "utf8_strip_bom(X)";
  return kind == UTF8_SUSPECT_MOJIBAKE ? "utf8_demojibake(X)" : NULL;
}

static Meaning findStripped(const char *text, size_t size) {
  const Meaning kind = findName(kinds, text, size);
  return otherStrip(kind) ? UNKNOWN : kind;
}

/* Lists the kinds that utf8_strip() accepts, and which other function to use for that of x. */
static char *listStripped(sqlite3_value *x) {
  static const Option any = {.names = kinds};
  const char *other = otherStrip(meaningOf(&any, x));
  sqlite3_str *accepted = sqlite3_str_new(NULL);
  for (const Name *row = kinds; *row->name; row++) {
    if (otherStrip(row->id)) continue;
    if (row > kinds) sqlite3_str_appendall(accepted, ", ");
    sqlite3_str_appendall(accepted, row->name);
  }
  if (other) sqlite3_str_appendf(accepted, "; use %s", other);
  return sqlite3_str_finish(accepted);
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

static char *listSteps(sqlite3_value *x) {
  (void)x;
  return sqlite3_mprintf(
      "a list, separated by commas, of %s; each once, and nfc or nfkc",
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
  static const Name names[] = {UTF8_ESCAPE_LIST(KIND_ROW) LAST_ROW};
  static const Option option = {.argument = "kind", .names = names};
  const Meaning meaning = acceptedMeaning(ctx, function, &option, argv, i);
  if (meaning != UNKNOWN) *kind = (Utf8EscapeKind)meaning;
  return meaning != UNKNOWN;
}

static const Name losses[] = {UTF8_LOSS_LIST(KIND_ROW) LAST_ROW};

static Meaning findLoss(const char *text, size_t size) {
  const Meaning loss = findName(losses, text, size);
  return loss == UTF8_LOSS_CLOSEST && !UTF8_HAS_FORM ? UNKNOWN : loss;
}

static char *listLosses(sqlite3_value *x) {
  (void)x;
  return listNames(losses);
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
  static const Name names[] = {UTF8_NORMAL_FORM_LIST(KIND_ROW) LAST_ROW};
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
