/* charset/accept.c: names that arguments accept, and lists of them for messages (charset/accept.h). */
#include "charset/accept.h"
#include "charset/legacy/legacy.h"
#include "core/omit.h"
#include "core/bytes.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- names ------------------------------------------------------------------------------------ */

#define NAMED_ROW(id, name, aliases, meaning, source) {id, name, aliases},
const Utf8Name utf8charset_dialects[] = {UTF8_DIALECT_LIST(NAMED_ROW) UTF8_LAST_NAME};
const Utf8Name utf8charset_policies[] = {UTF8_POLICY_LIST(NAMED_ROW) UTF8_LAST_NAME};
const Utf8Name utf8charset_losses[] = {UTF8_LOSS_LIST(UTF8_NAME_ROW) UTF8_LAST_NAME};

const Utf8Name *utf8charset_find_name(const Utf8Name *names, const char *text,
                                      size_t size) {
  for (; *names->name; names++)
    if (utf8charset_match(text, size, names->name) ||
        utf8charset_match_any(text, size, names->aliases))
      return names;
  return NULL;
}

/* A single-byte charset is a policy under all its names. utf-8 and ascii mean subpart, since
** neither has a character for an ill-formed byte. */
int utf8charset_find_policy(const char *text, size_t size, Utf8Repair *how) {
  const Utf8Name *row = utf8charset_find_name(utf8charset_policies, text, size);
  const Utf8Charset charset = utf8core_find_charset(text, size);
  const int isUtf8 = charset == UTF8_CHARSET_UTF8 || charset == UTF8_CHARSET_ASCII;
  if (row && row->id == UTF8_POLICY_AUTO && !UTF8_HAS_DETECT) return 0;
  if (!row && !isUtf8 && !utf8charset_extends_ascii(charset)) return 0;
  how->policy = row      ? (Utf8PolicyId)row->id
                : isUtf8 ? UTF8_POLICY_SUBPART
                         : UTF8_POLICY_CHARSET;
  how->charset = how->policy == UTF8_POLICY_CHARSET ? charset : UTF8_CHARSET_UTF8;
  return 1;
}

/* ---- lists ------------------------------------------------------------------------------------ */

void utf8charset_append_accepted(char list[UTF8_ACCEPTED_MAX], const char *format,
                                 ...) {
  const size_t used = strlen(list);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(list + used, UTF8_ACCEPTED_MAX - used, format, arguments);
  va_end(arguments);
}

void utf8charset_append_names(char list[UTF8_ACCEPTED_MAX], const Utf8Name *names,
                              int (*is_listed)(int id)) {
  const char *comma = "";
  for (; *names->name; names++) {
    if (is_listed && !is_listed(names->id)) continue;
    utf8charset_append_accepted(list, "%s%s", comma, names->name);
    comma = ", ";
  }
}

void utf8charset_append_charsets(char list[UTF8_ACCEPTED_MAX], const char *text,
                                 size_t size) {
  const char *nearest[UTF8_NEAREST] = {"utf-8", "utf-16le", "windows-1252"};
  const char *found[UTF8_NEAREST];
  if (text && utf8core_find_charset(text, size) == UTF8_CHARSET_UNKNOWN &&
      utf8charset_nearest(text, size, found))
    memcpy(nearest, found, sizeof found);
  for (int i = 0; i < UTF8_NEAREST; i++)
    utf8charset_append_accepted(list, "%.*s, ", (int)strcspn(nearest[i], ","),
                                nearest[i]);
  utf8charset_append_accepted(list, "...; all names: SELECT name FROM utf8_charsets");
}

void utf8charset_append_policies(char list[UTF8_ACCEPTED_MAX], const char *text,
                                 size_t size) {
  const int is_charset = text && utf8core_find_charset(text, size) >= 0;
  utf8charset_append_names(list, utf8charset_policies, NULL);
  utf8charset_append_accepted(
      list, ", or a single-byte charset%s",
      is_charset ? "; for other charsets use utf8_from(X, charset)" : "");
}

/* ---- what was given ---------------------------------------------------------------------------- */

enum { SHOWN_BYTES = 40 };

void utf8charset_show_text(char out[UTF8_SHOWN_MAX], const uint8_t *text, size_t size,
                           unsigned dialect) {
  const Utf8Repair how = {.policy = UTF8_POLICY_ESCAPE, .dialect = dialect};
  const size_t shown = utf8core_boundary(text, size, SHOWN_BYTES, dialect);
  uint8_t escaped[4 * SHOWN_BYTES + 64];
  size_t at = 0;
  const size_t used = utf8core_repair(&how, text, shown, &at, escaped, sizeof escaped);
  *out++ = '\'';
  for (size_t i = 0; i < used; i++) {
    if (escaped[i] < 0x20 || escaped[i] == 0x7F) {
      out += sprintf(out, "\\x%02x", escaped[i]);
    } else {
      if (escaped[i] == '\'') *out++ = '\'';
      *out++ = (char)escaped[i];
    }
  }
  strcpy(out, shown < size ? "'..." : "'");
}

void utf8charset_show_bytes(char out[UTF8_SHOWN_MAX], const uint8_t *bytes,
                            size_t size) {
  const size_t shown = bytes_min(size, SHOWN_BYTES);
  out += sprintf(out, "x'");
  for (size_t i = 0; i < shown; i++) out += sprintf(out, "%02x", bytes[i]);
  strcpy(out, shown < size ? "'..." : "'");
}
