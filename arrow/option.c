/* arrow/option.c: arguments that must be one of a few names, and messages about others.
**
** sql/option.c does this for SQL. The names are those of charset/names.h, form/names.h and clean/unescape.h, and the
** messages are the same, word for word.
*/
#include "arrow/call.h"
#include "charset/legacy/legacy.h"
#include "charset/stream.h"
#include "form/names.h"
#include "simd/bytes.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- messages -------------------------------------------------------------------------------------- */

/* How many bytes of an argument a message shows. */
enum { ARROW_SHOWN = 40, ARROW_SHOWN_MAX = 512 };

/* Writes text in quotes, with ill-formed bytes and control characters escaped. */
static void showArrowText(const Utf8ArrowArgument *text, char *out) {
  const Utf8Repair how = {.policy = UTF8_POLICY_ESCAPE};
  const uint8_t *bytes = (const uint8_t *)text->text;
  const size_t shown = utf8core_boundary(bytes, text->size, ARROW_SHOWN, UTF8_STRICT);
  uint8_t escaped[4 * ARROW_SHOWN + 64];
  size_t at = 0;
  const size_t used = utf8core_repair(&how, bytes, shown, &at, escaped, sizeof escaped);
  *out++ = '\'';
  for (size_t i = 0; i < used; i++) {
    if (escaped[i] < 0x20 || escaped[i] == 0x7F) {
      out += sprintf(out, "\\x%02x", escaped[i]);
    } else {
      if (escaped[i] == '\'') *out++ = '\'';
      *out++ = (char)escaped[i];
    }
  }
  strcpy(out, shown < text->size ? "'..." : "'");
}

static void showBytes(const Utf8ArrowArgument *bytes, char *out) {
  const size_t shown = bytes_min(bytes->size, ARROW_SHOWN);
  out += sprintf(out, "x'");
  for (size_t i = 0; i < shown; i++)
    out += sprintf(out, "%02x", (unsigned char)bytes->text[i]);
  strcpy(out, shown < bytes->size ? "'..." : "'");
}

static void showArgument(const Utf8ArrowArgument *x, char out[ARROW_SHOWN_MAX]) {
  switch (x->type) {
  case UTF8_ARROW_NULL:
    strcpy(out, "NULL");
    break;
  case UTF8_ARROW_TEXT:
    showArrowText(x, out);
    break;
  case UTF8_ARROW_BLOB:
    showBytes(x, out);
    break;
  default:
    snprintf(out, ARROW_SHOWN_MAX, "%.*s", (int)bytes_min(x->size, ARROW_SHOWN),
             x->text);
  }
}

/* Stores that x, argument `number` of the SQL function, is not accepted. */
static int refuseArgument(Utf8Arrow *call, int number, const char *argument,
                          const Utf8ArrowArgument *x, const char *accepted) {
  char shown[ARROW_SHOWN_MAX];
  showArgument(x, shown);
  return utf8arrow_fail(call->error, UTF8_ARROW_ARGUMENT,
                        "utf8_%s: argument %d (%s) is %s; accepted: %s",
                        call->function->name, number, argument, shown, accepted);
}

/* ---- names ------------------------------------------------------------------------------------------- */

/* A name that an argument accepts. */
typedef struct ArrowOption {
  int id;
  const char *name; /* NULL after the last row */
  const char *aliases;
} ArrowOption;

#define ARROW_NAMED_ROW(id, name, aliases, meaning, source) {id, name, aliases},
#define ARROW_ROW(id, name, aliases)                        {id, name, aliases},
static const ArrowOption arrowDialects[] = {UTF8_DIALECT_LIST(ARROW_NAMED_ROW){0}};
static const ArrowOption arrowPolicies[] = {UTF8_POLICY_LIST(ARROW_NAMED_ROW){0}};
static const ArrowOption arrowSuspects[] = {UTF8_SUSPECT_LIST(ARROW_ROW){0}};
static const ArrowOption arrowLosses[] = {UTF8_LOSS_LIST(ARROW_ROW){0}};
static const ArrowOption arrowEscapes[] = {UTF8_ESCAPE_LIST(ARROW_ROW){0}};
static const ArrowOption arrowForms[] = {UTF8_NORMAL_FORM_LIST(ARROW_ROW){0}};

/* Room for a list of names. */
enum { ARROW_ACCEPTED_MAX = 512 };

/* Appends to a list in a message. */
static void appendAccepted(char list[ARROW_ACCEPTED_MAX], const char *format, ...) {
  const size_t used = strlen(list);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(list + used, ARROW_ACCEPTED_MAX - used, format, arguments);
  va_end(arguments);
}

static const ArrowOption *findOption(const ArrowOption *options,
                                     const Utf8ArrowArgument *x) {
  if (x->type != UTF8_ARROW_TEXT) return NULL;
  for (; options->name; options++)
    if (utf8charset_match(x->text, x->size, options->name) ||
        utf8charset_match_any(x->text, x->size, options->aliases))
      return options;
  return NULL;
}

/* Stores what x means. Returns 0, or refuses it with a list of the options. */
static int oneOf(Utf8Arrow *call, int number, const char *argument,
                 const ArrowOption *options, const Utf8ArrowArgument *x, int *id) {
  char accepted[ARROW_ACCEPTED_MAX] = "";
  const ArrowOption *option = findOption(options, x);
  if (option) {
    *id = option->id;
    return 0;
  }
  for (const ArrowOption *row = options; row->name; row++)
    appendAccepted(accepted, "%s%s", row > options ? ", " : "", row->name);
  return refuseArgument(call, number, argument, x, accepted);
}

/* ---- charsets ---------------------------------------------------------------------------------------- */

static Utf8Charset charsetOf(const Utf8ArrowArgument *x) {
  return x->type == UTF8_ARROW_TEXT ? utf8core_find_charset(x->text, x->size)
                                    : UTF8_CHARSET_UNKNOWN;
}

static int refuseCharset(Utf8Arrow *call, const Utf8ArrowArgument *x) {
  const char *nearest[UTF8_NEAREST] = {"utf-8", "utf-16le", "windows-1252"};
  const char *found[UTF8_NEAREST];
  char accepted[ARROW_ACCEPTED_MAX] = "";
  if (x->type == UTF8_ARROW_TEXT && utf8charset_nearest(x->text, x->size, found))
    memcpy(nearest, found, sizeof found);
  for (int i = 0; i < UTF8_NEAREST; i++)
    appendAccepted(accepted, "%.*s, ", (int)strcspn(nearest[i], ","), nearest[i]);
  appendAccepted(accepted, "...; all names: SELECT name FROM utf8_charsets");
  return refuseArgument(call, 2, "charset", x, accepted);
}

int utf8arrow_parse_charset(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                            size_t count) {
  (void)count;
  call->charset = charsetOf(arguments);
  return call->charset == UTF8_CHARSET_UNKNOWN ? refuseCharset(call, arguments) : 0;
}

int utf8arrow_parse_misread(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                            size_t count) {
  if (count == 0) return 0;
  const Utf8Charset charset = charsetOf(arguments);
  if (!utf8charset_extends_ascii(charset))
    return refuseArgument(call, 2, "charset", arguments, UTF8_SINGLE_BYTE_ACCEPTED);
  utf8mojibake_set_charset(&call->misread, utf8charset_high(charset));
  call->is_misread_given = 1;
  return 0;
}

/* ---- any text ----------------------------------------------------------------------------------------- */

/* Keeps a copy of x, which must be well-formed text. */
static int keepText(Utf8Arrow *call, int number, const char *argument,
                    const Utf8ArrowArgument *x) {
  if (x->type != UTF8_ARROW_TEXT || !utf8core_valid((const uint8_t *)x->text, x->size))
    return refuseArgument(call, number, argument, x, "well-formed text");
  if (!utf8arrow_append(&call->text, x->text, x->size) ||
      !utf8arrow_append(&call->text, "", 1))
    return utf8arrow_no_memory(call->error);
  call->text.used--;
  return 0;
}

int utf8arrow_parse_label(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                          size_t count) {
  static const Utf8ArrowArgument label = {UTF8_ARROW_TEXT, "utf8_validate", 13};
  return keepText(call, 2, "label", count ? arguments : &label);
}

/* ---- utf8_repair -------------------------------------------------------------------------------------- */

/* Stores what policy x names in call->repair. Returns 0 if it is not accepted. */
static int findRepair(Utf8Arrow *call, const Utf8ArrowArgument *x) {
  const ArrowOption *option = findOption(arrowPolicies, x);
  const Utf8Charset charset = charsetOf(x);
  if (option) {
    call->repair.policy = (Utf8PolicyId)option->id;
  } else if (charset == UTF8_CHARSET_UTF8 || charset == UTF8_CHARSET_ASCII) {
    call->repair.policy = UTF8_POLICY_SUBPART;
  } else if (utf8charset_extends_ascii(charset)) {
    call->repair.policy = UTF8_POLICY_CHARSET;
    call->repair.charset = charset;
  } else {
    return 0;
  }
  return 1;
}

static int refuseArrowPolicy(Utf8Arrow *call, const Utf8ArrowArgument *x) {
  char accepted[ARROW_ACCEPTED_MAX] = "";
  for (const ArrowOption *row = arrowPolicies; row->name; row++)
    appendAccepted(accepted, "%s, ", row->name);
  appendAccepted(accepted, "or a single-byte charset%s",
                 charsetOf(x) >= 0 ? "; for other charsets use utf8_from(X, charset)"
                                   : "");
  return refuseArgument(call, 2, "policy", x, accepted);
}

static int refuseReplacement(Utf8Arrow *call, const Utf8ArrowArgument *policy) {
  char accepted[ARROW_ACCEPTED_MAX] = "", shown[ARROW_SHOWN_MAX];
  for (const ArrowOption *row = arrowPolicies; row->name; row++)
    if (utf8charset_takes_replacement((Utf8PolicyId)row->id))
      appendAccepted(accepted, "%s%s", row > arrowPolicies ? ", " : "", row->name);
  showArgument(policy, shown);
  return utf8arrow_fail(
      call->error, UTF8_ARROW_ARGUMENT,
      "utf8_repair: policy %s takes no replacement; policies that do: %s", shown,
      accepted);
}

int utf8arrow_parse_repair(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                           size_t count) {
  call->repair = (Utf8Repair){.policy = UTF8_POLICY_SUBPART};
  if (count > 0 && !findRepair(call, &arguments[0]))
    return refuseArrowPolicy(call, &arguments[0]);
  if (count < 2) return 0;
  if (!utf8charset_takes_replacement(call->repair.policy))
    return refuseReplacement(call, &arguments[0]);
  const int rc = keepText(call, 3, "replacement", &arguments[1]);
  call->repair.replacement = call->text.bytes;
  call->repair.replacement_size = call->text.used;
  return rc;
}

/* ---- utf8_to ------------------------------------------------------------------------------------------ */

static int parseReplacement(Utf8Arrow *call, const Utf8ArrowArgument *x) {
  char accepted[ARROW_ACCEPTED_MAX] = "";
  const int rc = keepText(call, 4, "replacement", x);
  if (rc || call->charset == UTF8_CHARSET_BINARY ||
      utf8charset_encodes(call->charset, call->text.bytes, call->text.used))
    return rc;
  appendAccepted(accepted, "text that %s can encode",
                 utf8core_charset_name(call->charset));
  return refuseArgument(call, 4, "replacement", x, accepted);
}

int utf8arrow_parse_to(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                       size_t count) {
  static const Utf8ArrowArgument mark = {UTF8_ARROW_TEXT, "?", 1};
  int loss, rc = utf8arrow_parse_charset(call, arguments, count);
  if (rc || count < 2 || call->charset == UTF8_CHARSET_BINARY) return rc;
  rc = oneOf(call, 3, "loss", arrowLosses, &arguments[1], &loss);
  if (rc) return rc;
  call->substitution = (ArrowSubstitution){1, (Utf8Loss)loss};
  return count > 2 ? parseReplacement(call, &arguments[2])
                   : keepText(call, 4, "replacement", &mark);
}

/* ---- other functions ----------------------------------------------------------------------------------- */

int utf8arrow_parse_none(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                         size_t count) {
  (void)call, (void)arguments, (void)count;
  return 0;
}

int utf8arrow_parse_dialect(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                            size_t count) {
  int dialect = UTF8_STRICT;
  const int rc =
      count ? oneOf(call, 2, "dialect", arrowDialects, arguments, &dialect) : 0;
  call->dialect = (unsigned)dialect;
  return rc;
}

int utf8arrow_parse_form(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                         size_t count) {
  int form = UTF8_NFC;
  const int rc = count ? oneOf(call, 2, "form", arrowForms, arguments, &form) : 0;
  call->form = (Utf8NormalForm)form;
  return rc;
}

int utf8arrow_parse_escape(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                           size_t count) {
  (void)count;
  int kind = UTF8_ESCAPE_HTML;
  const int rc = oneOf(call, 2, "kind", arrowEscapes, arguments, &kind);
  call->escape = (Utf8EscapeKind)kind;
  return rc;
}

/* Returns the function that removes this kind if utf8_strip() does not; else NULL. */
static const char *otherStripper(int kind) {
  if (kind == UTF8_SUSPECT_BOM) return "utf8_strip_bom(X)";
  return kind == UTF8_SUSPECT_MOJIBAKE ? "utf8_demojibake(X)" : NULL;
}

int utf8arrow_parse_kind(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                         size_t count) {
  (void)count;
  char accepted[ARROW_ACCEPTED_MAX] = "";
  const ArrowOption *option = findOption(arrowSuspects, arguments);
  if (option && !otherStripper(option->id)) {
    call->kind = (Utf8SuspectKind)option->id;
    return 0;
  }
  for (const ArrowOption *row = arrowSuspects; row->name; row++)
    if (!otherStripper(row->id))
      appendAccepted(accepted, "%s%s", row > arrowSuspects ? ", " : "", row->name);
  if (option) appendAccepted(accepted, "; use %s", otherStripper(option->id));
  return refuseArgument(call, 2, "kind", arguments, accepted);
}

int utf8arrow_parse_steps(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                          size_t count) {
  char accepted[ARROW_ACCEPTED_MAX] = "";
  call->steps = UTF8_CLEAN_DEFAULT;
  if (count == 0) return 0;
  call->steps = arguments->type == UTF8_ARROW_TEXT
                    ? utf8form_clean_steps(arguments->text, arguments->size)
                    : 0;
  if (call->steps) return 0;
  appendAccepted(accepted,
                 "a list, separated by commas, of %s; each once, and nfc or nfkc",
                 utf8form_clean_names);
  return refuseArgument(call, 2, "steps", arguments, accepted);
}

/* Is x an integer of 0 or more: 5, '5' or 5.0? Stores it, or SIZE_MAX if it is more. */
static int isArrowLength(const Utf8ArrowArgument *x, size_t *length) {
  char number[64], *end;
  if (x->type != UTF8_ARROW_TEXT && x->type != UTF8_ARROW_NUMBER) return 0;
  if (x->size >= sizeof number || x->size == 0) return 0;
  memcpy(number, x->text, x->size);
  number[x->size] = 0;
  if (strspn(number, "0123456789+-.eE \t\n\v\f\r") != x->size) return 0;
  const double real = strtod(number, &end);
  if (end == number || end[strspn(end, " \t\n\v\f\r")]) return 0;
  if (!(real >= 0 && real < 9223372036854775808.0)) return 0;
  if (real != (double)(int64_t)real) return 0;
  *length = (uint64_t)real < SIZE_MAX ? (size_t)real : SIZE_MAX;
  return 1;
}

int utf8arrow_parse_length(Utf8Arrow *call, const Utf8ArrowArgument *arguments,
                           size_t count) {
  (void)count;
  return isArrowLength(arguments, &call->limit)
             ? 0
             : refuseArgument(call, 2, "N", arguments, "an integer of 0 or more");
}
