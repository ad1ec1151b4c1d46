/* arrow/option.c: arguments that must be one of a few names, and messages about others.
**
** sql/option.c does this for SQL. The names and the messages are those of charset/accept.h.
*/
#include "arrow/call.h"
#include "charset/accept.h"
#include "charset/legacy/legacy.h"
#include "charset/stream.h"
#include "form/names.h"
#include "core/bytes.h"
#include <stdio.h>
#include <stdlib.h>

/* ---- messages -------------------------------------------------------------------------------------- */

static void showArgument(const Utf8ArrowArgument *x, char out[UTF8_SHOWN_MAX]) {
  switch (x->type) {
  case UTF8_ARROW_NULL:
    strcpy(out, "NULL");
    break;
  case UTF8_ARROW_TEXT:
    utf8charset_show_text(out, (const uint8_t *)x->text, x->size, UTF8_STRICT);
    break;
  case UTF8_ARROW_BLOB:
    utf8charset_show_bytes(out, (const uint8_t *)x->text, x->size);
    break;
  default:
    snprintf(out, UTF8_SHOWN_MAX, "%.*s", (int)bytes_min(x->size, 40), x->text);
  }
}

/* Stores that argument `number` of the SQL function is not accepted. X is number 1. */
static int refuseArgument(Utf8Arrow *call, int number, const char *argument,
                          const char *accepted) {
  char shown[UTF8_SHOWN_MAX];
  showArgument(&call->arguments[number - 2], shown);
  return utf8arrow_fail(call->error, UTF8_ARROW_ARGUMENT,
                        "utf8_%s: argument %d (%s) is %s; accepted: %s",
                        call->function->name, number, argument, shown, accepted);
}

/* ---- names ------------------------------------------------------------------------------------------- */

static const Utf8Name arrowSuspects[] = {UTF8_SUSPECT_LIST(UTF8_NAME_ROW)
                                             UTF8_LAST_NAME};
static const Utf8Name arrowEscapes[] = {UTF8_ESCAPE_LIST(UTF8_NAME_ROW) UTF8_LAST_NAME};
static const Utf8Name arrowForms[] = {UTF8_NORMAL_FORM_LIST(UTF8_NAME_ROW)
                                          UTF8_LAST_NAME};

/* Returns the text of x, or NULL. */
static const char *givenText(const Utf8ArrowArgument *x) {
  return x->type == UTF8_ARROW_TEXT ? x->text : NULL;
}

static const Utf8Name *findOption(const Utf8Name *options, const Utf8ArrowArgument *x) {
  return givenText(x) ? utf8charset_find_name(options, x->text, x->size) : NULL;
}

/* Stores what an argument means, if it is given. Returns 0, or refuses it with a list of the options. */
static int oneOf(Utf8Arrow *call, int number, const char *argument,
                 const Utf8Name *options, int *id) {
  const size_t i = (size_t)number - 2;
  char accepted[UTF8_ACCEPTED_MAX] = "";
  if (i >= call->argument_count) return 0;
  const Utf8Name *option = findOption(options, &call->arguments[i]);
  if (option) {
    *id = option->id;
    return 0;
  }
  utf8charset_append_names(accepted, options, NULL);
  return refuseArgument(call, number, argument, accepted);
}

/* ---- charsets ---------------------------------------------------------------------------------------- */

static Utf8Charset charsetOf(const Utf8ArrowArgument *x) {
  return x->type == UTF8_ARROW_TEXT ? utf8core_find_charset(x->text, x->size)
                                    : UTF8_CHARSET_UNKNOWN;
}

int utf8arrow_parse_charset(Utf8Arrow *call) {
  char accepted[UTF8_ACCEPTED_MAX] = "";
  call->charset = charsetOf(call->arguments);
  if (call->charset != UTF8_CHARSET_UNKNOWN) return 0;
  utf8charset_append_charsets(accepted, givenText(call->arguments),
                              call->arguments->size);
  return refuseArgument(call, 2, "charset", accepted);
}

int utf8arrow_parse_misread(Utf8Arrow *call) {
  if (call->argument_count == 0) return 0;
  const Utf8Charset charset = charsetOf(call->arguments);
  if (!utf8charset_extends_ascii(charset))
    return refuseArgument(call, 2, "charset", UTF8_SINGLE_BYTE_ACCEPTED);
  utf8mojibake_set_charset(&call->misread, utf8charset_high(charset));
  call->is_misread_given = 1;
  return 0;
}

/* ---- any text ----------------------------------------------------------------------------------------- */

/* Keeps a copy of x, an argument or its default, which must be well-formed text. */
static int keepText(Utf8Arrow *call, int number, const char *argument,
                    const Utf8ArrowArgument *x) {
  if (x->type != UTF8_ARROW_TEXT || !utf8core_valid((const uint8_t *)x->text, x->size))
    return refuseArgument(call, number, argument, "well-formed text");
  if (!utf8arrow_append(&call->text, x->text, x->size) ||
      !utf8arrow_append(&call->text, "", 1))
    return utf8arrow_no_memory(call->error);
  call->text.used--;
  return 0;
}

int utf8arrow_parse_label(Utf8Arrow *call) {
  static const Utf8ArrowArgument label = {UTF8_ARROW_TEXT, "utf8_validate", 13};
  return keepText(call, 2, "label", call->argument_count ? call->arguments : &label);
}

/* ---- utf8_repair -------------------------------------------------------------------------------------- */

static int refuseArrowPolicy(Utf8Arrow *call) {
  const Utf8ArrowArgument *x = call->arguments;
  char accepted[UTF8_ACCEPTED_MAX] = "";
  utf8charset_append_policies(accepted, givenText(x), x->size);
  return refuseArgument(call, 2, "policy", accepted);
}

static int refuseReplacement(Utf8Arrow *call) {
  char accepted[UTF8_ACCEPTED_MAX] = "", shown[UTF8_SHOWN_MAX];
  utf8charset_append_names(accepted, utf8charset_policies,
                           utf8charset_takes_replacement);
  showArgument(call->arguments, shown);
  return utf8arrow_fail(
      call->error, UTF8_ARROW_ARGUMENT,
      "utf8_repair: policy %s takes no replacement; policies that do: %s", shown,
      accepted);
}

int utf8arrow_parse_repair(Utf8Arrow *call) {
  const Utf8ArrowArgument *x = call->arguments;
  call->repair = (Utf8Repair){.policy = UTF8_POLICY_SUBPART};
  if (call->argument_count == 0) return 0;
  if (!givenText(x) || !utf8charset_find_policy(x->text, x->size, &call->repair))
    return refuseArrowPolicy(call);
  if (call->argument_count == 1) return 0;
  if (!utf8charset_takes_replacement((int)call->repair.policy))
    return refuseReplacement(call);
  const int rc = keepText(call, 3, "replacement", &x[1]);
  call->repair.replacement = call->text.bytes;
  call->repair.replacement_size = call->text.used;
  return rc;
}

/* ---- utf8_to ------------------------------------------------------------------------------------------ */

static int parseReplacement(Utf8Arrow *call) {
  static const Utf8ArrowArgument mark = {UTF8_ARROW_TEXT, "?", 1};
  char accepted[UTF8_ACCEPTED_MAX] = "";
  if (call->argument_count < 3) return keepText(call, 4, "replacement", &mark);
  const int rc = keepText(call, 4, "replacement", &call->arguments[2]);
  if (rc || utf8charset_encodes(call->charset, call->text.bytes, call->text.used))
    return rc;
  utf8charset_append_accepted(accepted, "text that %s can encode",
                              utf8core_charset_name(call->charset));
  return refuseArgument(call, 4, "replacement", accepted);
}

int utf8arrow_parse_to(Utf8Arrow *call) {
  int loss, rc = utf8arrow_parse_charset(call);
  if (rc || call->argument_count < 2 || call->charset == UTF8_CHARSET_BINARY) return rc;
  rc = oneOf(call, 3, "loss", utf8charset_losses, &loss);
  if (rc) return rc;
  call->substitution = (ArrowSubstitution){1, (Utf8Loss)loss};
  return parseReplacement(call);
}

/* ---- other functions ----------------------------------------------------------------------------------- */

int utf8arrow_parse_none(Utf8Arrow *call) {
  (void)call;
  return 0;
}

int utf8arrow_parse_dialect(Utf8Arrow *call) {
  int dialect = UTF8_STRICT;
  const int rc = oneOf(call, 2, "dialect", utf8charset_dialects, &dialect);
  call->dialect = (unsigned)dialect;
  return rc;
}

int utf8arrow_parse_form(Utf8Arrow *call) {
  int form = UTF8_NFC;
  const int rc = oneOf(call, 2, "form", arrowForms, &form);
  call->form = (Utf8NormalForm)form;
  return rc;
}

int utf8arrow_parse_escape(Utf8Arrow *call) {
  int kind = UTF8_ESCAPE_HTML;
  const int rc = oneOf(call, 2, "kind", arrowEscapes, &kind);
  call->escape = (Utf8EscapeKind)kind;
  return rc;
}

int utf8arrow_parse_kind(Utf8Arrow *call) {
  char accepted[UTF8_ACCEPTED_MAX] = "";
  const Utf8Name *option = findOption(arrowSuspects, call->arguments);
  if (option && utf8suspect_is_stripped(option->id)) {
    call->kind = (Utf8SuspectKind)option->id;
    return 0;
  }
  utf8charset_append_names(accepted, arrowSuspects, utf8suspect_is_stripped);
  if (option)
    utf8charset_append_accepted(accepted, "; use %s",
                                utf8suspect_other_strip(option->id));
  return refuseArgument(call, 2, "kind", accepted);
}

int utf8arrow_parse_steps(Utf8Arrow *call) {
  const Utf8ArrowArgument *x = call->arguments;
  char accepted[UTF8_ACCEPTED_MAX] = "";
  call->steps = UTF8_CLEAN_DEFAULT;
  if (call->argument_count == 0) return 0;
  call->steps = x->type == UTF8_ARROW_TEXT ? utf8form_clean_steps(x->text, x->size) : 0;
  if (call->steps) return 0;
  utf8charset_append_accepted(
      accepted, "a list, separated by commas, of %s; each once, and nfc or nfkc",
      utf8form_clean_names);
  return refuseArgument(call, 2, "steps", accepted);
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

int utf8arrow_parse_length(Utf8Arrow *call) {
  return isArrowLength(call->arguments, &call->limit)
             ? 0
             : refuseArgument(call, 2, "N", "an integer of 0 or more");
}
