/* charset/accept.h: arguments that must be one of a few names, and what messages say of them. sql/option.c and
** arrow/option.c read arguments by it.
**
**     utf8_valid: argument 2 (dialect) is 'utf-9'; accepted: utf-8, rfc2044, ...
*/
#ifndef UTF8_CHARSET_ACCEPT_H
#define UTF8_CHARSET_ACCEPT_H

#include "charset/names.h"

/* A name that an argument accepts. Arrays need no relocations, as pointers would. */
typedef struct Utf8Name {
  int id;
  char name[24]; /* empty after the last row */
  char aliases[24];
} Utf8Name;

#define UTF8_NAME_ROW(id, name, aliases) {id, name, aliases},
#define UTF8_LAST_NAME                                                                 \
  { 0, "", "" }

extern const Utf8Name utf8charset_dialects[], utf8charset_policies[],
    utf8charset_losses[];

/* Returns the row that text[0..size) names, or NULL. */
const Utf8Name *utf8charset_find_name(const Utf8Name *names, const char *text,
                                      size_t size);

/* Stores the policy that text[0..size) names, and the charset if it is one. Returns 0 if it names none. */
int utf8charset_find_policy(const char *text, size_t size, Utf8Repair *how);

/* ---- lists of what is accepted: each function appends, and leaves out what does not fit ---------- */

#define UTF8_ACCEPTED_MAX 512

void utf8charset_append_accepted(char list[UTF8_ACCEPTED_MAX], const char *format, ...);

/* Those names whose id is listed, separated by commas; all if is_listed is NULL. */
void utf8charset_append_names(char list[UTF8_ACCEPTED_MAX], const Utf8Name *names,
                              int (*is_listed)(int id));

/* The charsets that text[0..size) may mean, or usual ones. text is NULL if it is not text. */
void utf8charset_append_charsets(char list[UTF8_ACCEPTED_MAX], const char *text,
                                 size_t size);

/* The policies of utf8_repair, and what serves instead if text[0..size) is another charset. */
void utf8charset_append_policies(char list[UTF8_ACCEPTED_MAX], const char *text,
                                 size_t size);

/* What a list calls some charsets. */
#define UTF8_SINGLE_BYTE_ACCEPTED                                                      \
  "a single-byte charset that extends ASCII: windows-1252, iso-8859-1, cp437, ..."

/* ---- what was given: at most its first 40 bytes -------------------------------------------------- */

#define UTF8_SHOWN_MAX 512

/* Writes text in quotes, with ill-formed bytes and control characters escaped. */
void utf8charset_show_text(char out[UTF8_SHOWN_MAX], const uint8_t *text, size_t size,
                           unsigned dialect);

/* Writes bytes as a blob: x'00ff'. */
void utf8charset_show_bytes(char out[UTF8_SHOWN_MAX], const uint8_t *bytes,
                            size_t size);

#endif
