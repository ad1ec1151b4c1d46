/* sql/option.h: arguments that must be one of a few names (dialect, policy, charset, kind), and
** the messages about arguments that are not accepted.
**
**     utf8_valid: argument 2 (dialect) is 'utf-9'; accepted: utf-8, rfc2044, ...
*/
#ifndef UTF8_SQL_OPTION_H
#define UTF8_SQL_OPTION_H

#include "charset/names.h"
#include "clean/unescape.h"
#include "suspect/suspect.h"
#include "sql/value.h"

/* Each function below finds what argument argv[i] of a function names, ignoring case, '-'
** and '_', and stores it. Returns 0 after setting the function's error if the argument names
** nothing that is accepted. A constant is looked up once per statement. */

/* Stores the sum of the core's flags. */
int utf8option_dialect(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                       int i, unsigned *dialect);

/* Stores the policy, and the charset if it is one. */
int utf8option_policy(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                      int i, Utf8Repair *how);

/* Sets the error that `policy`, an argument that utf8option_policy() accepted, takes no
** replacement, and lists those that do. */
void utf8option_no_replacement(sqlite3_context *ctx, const char *function,
                               sqlite3_value *policy);

/* Stores the charset, which may be UTF8_CHARSET_BINARY. */
int utf8option_charset(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                       int i, Utf8Charset *charset);

/* Stores the charset, which is of the kind UTF8_KIND_SINGLE_BYTE. */
int utf8option_single_byte(sqlite3_context *ctx, const char *function,
                           sqlite3_value **argv, int i, Utf8Charset *charset);

/* Stores the kind, which is one that utf8_strip() removes. */
int utf8option_kind(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, Utf8SuspectKind *kind);

/* Stores the normalization form. */
int utf8option_form(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, Utf8NormalForm *form);

/* Is argument argv[i] well-formed text? Sets an error and returns 0 if it is not. */
int utf8option_text(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, const char *argument);

/* Stores the steps of utf8_clean that argv[i] names in *steps. Returns 0 after an error. */
int utf8option_steps(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                     int i, unsigned *steps);

/* Stores the steps of utf8_clean without an argument. Returns 0 after an error: this build lacks one. */
int utf8option_default_steps(sqlite3_context *ctx, const char *function,
                             unsigned *steps);

/* Stores the loss that argv[i] names. */
int utf8option_loss(sqlite3_context *ctx, const char *function, sqlite3_value **argv,
                    int i, Utf8Loss *loss);

/* Stores the kind of escape that argv[i] names. */
int utf8option_escape_kind(sqlite3_context *ctx, const char *function,
                           sqlite3_value **argv, int i, Utf8EscapeKind *kind);

/* Returns the charset that argv[i] names, or UTF8_CHARSET_UNKNOWN, without an error. */
Utf8Charset utf8option_find_charset(sqlite3_context *ctx, sqlite3_value **argv, int i);

/* Stores the dialect that x names, without an error. Returns 0 if it names none. */
int utf8option_find_dialect(sqlite3_value *x, unsigned *dialect);

/* Stores the policy that text[0..size) names. Returns 0 if it names none. */
int utf8option_find_policy(const char *text, size_t size, Utf8Repair *how);

/* The dialects, and the policies that are not charsets, for messages: "utf-8, rfc2044, ..." */
extern const char *const utf8option_dialects;
extern const char *const utf8option_policies;

/* Returns the charsets that x may mean, for messages: "utf-8, utf-7, utf-16, ...; all names: SELECT ...";
** to be freed with sqlite3_free(), NULL if memory ran out. */
char *utf8option_list_charsets(sqlite3_value *x);

/* Returns the message that x is not accepted as argument `number`, which counts from 1, to
** be freed with sqlite3_free(); NULL if memory ran out. Shortens and escapes x, so that the
** message is well-formed. encoding is as for utf8value_open(); UTF8_ENCODING_UTF8 if
** sqlite3_value_text() was called for x before. */
char *utf8option_message(const char *function, int number, const char *argument,
                         const char *accepted, sqlite3_value *x, Utf8Encoding encoding);

/* Sets the message of utf8option_message(), or SQLITE_NOMEM, as the function's error. accepted is NULL if
** there was no memory for it. */
void utf8option_error(sqlite3_context *ctx, const char *function, int number,
                      const char *argument, const char *accepted, sqlite3_value *x);

#endif
