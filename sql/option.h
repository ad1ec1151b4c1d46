/* sql/option.h: arguments that must be one of a few names (dialect, policy, charset, kind), and
** the messages about arguments that are not accepted.
**
**     utf8_valid: argument 2 (dialect) is 'utf-9'; accepted: utf-8, rfc2044, ...
*/
#ifndef UTF8_SQL_OPTION_H
#define UTF8_SQL_OPTION_H

#include "charset/accept.h"
#include "sql/value.h"

/* A kind of argument. It means a number: the sum of a dialect's flags or of steps, a charset, which may be
** UTF8_CHARSET_BINARY, or an enumerator. */
typedef struct Utf8Option {
  const char *argument;  /* what messages call it */
  const Utf8Name *names; /* what it accepts; NULL if find and list are set */
  int (*find)(const char *text, size_t size); /* NULL: among the names */
  /* Appends what it accepts; x was given instead. NULL: the names. */
  void (*list)(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x);
} Utf8Option;

extern const Utf8Option utf8option_dialect;
extern const Utf8Option utf8option_charset;
extern const Utf8Option utf8option_single_byte; /* of the kind UTF8_KIND_SINGLE_BYTE */
extern const Utf8Option utf8option_kind;        /* what utf8_strip() removes */
extern const Utf8Option utf8option_form;
extern const Utf8Option utf8option_steps;
extern const Utf8Option utf8option_loss;
extern const Utf8Option utf8option_escape;

/* Stores what argument argv[i] of a function means, as the option's `find` does; if that is NULL, ignoring case, '-'
** and '_'. Returns 0 after setting the function's error if the argument names nothing that is accepted. A constant is
** looked up once per statement. */
int utf8option_accept(sqlite3_context *ctx, const char *function,
                      const Utf8Option *option, sqlite3_value **argv, int i,
                      int *meaning);

/* Like utf8option_accept(), for the policy, and the charset if it is one. */
int utf8option_policy(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                      int i, Utf8Repair *how);

/* Sets the error that `policy`, an argument that utf8option_policy() accepted, takes no
** replacement, and lists those that do. */
void utf8option_no_replacement(sqlite3_context *ctx, const char *function,
                               sqlite3_value *policy);

/* Is argument argv[i] well-formed text? Sets an error and returns 0 if it is not. */
int utf8option_text(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, const char *argument);

/* Stores the steps of utf8_clean without an argument. Returns 0 after an error: this build lacks one. */
int utf8option_default_steps(sqlite3_context *ctx, const char *function, int *steps);

/* Returns the charset that argv[i] names, or UTF8_CHARSET_UNKNOWN, without an error. */
Utf8Charset utf8option_find_charset(sqlite3_context *ctx, sqlite3_value **argv, int i);

/* Stores the dialect that x names, without an error. Returns 0 if it names none. */
int utf8option_find_dialect(sqlite3_value *x, unsigned *dialect);

/* The dialects, and the policies that are not charsets, for messages: "utf-8, rfc2044, ..." */
extern const char *const utf8option_dialects;
extern const char *const utf8option_policies;

/* Appends the charsets that x may mean, for messages: "utf-8, utf-7, utf-16, ...; all names: SELECT ...". */
void utf8option_list_charsets(char accepted[UTF8_ACCEPTED_MAX], sqlite3_value *x);

/* Returns the message that x is not accepted as argument `number`, which counts from 1, to
** be freed with sqlite3_free(); NULL if memory ran out. Shortens and escapes x, so that the
** message is well-formed. encoding is as for utf8value_open(); UTF8_ENCODING_UTF8 if
** sqlite3_value_text() was called for x before. */
char *utf8option_message(const char *function, int number, const char *argument,
                         const char *accepted, sqlite3_value *x, Utf8Encoding encoding);

/* Sets the message of utf8option_message(), or SQLITE_NOMEM, as the function's error. */
void utf8option_error(sqlite3_context *ctx, const char *function, int number,
                      const char *argument, const char *accepted, sqlite3_value *x);

#endif
