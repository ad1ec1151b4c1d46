/* utf8option.h: arguments that must be one of a few names (dialect, policy, charset), and
** the messages about arguments that are not accepted.
**
**     utf8_valid: argument 2 (dialect) is 'utf-9'; accepted: utf-8, rfc2044, ...
*/
#ifndef UTF8OPTION_H
#define UTF8OPTION_H

#include "utf8value.h"

#ifdef __GNUC__
#pragma GCC visibility push(hidden)
#endif

/* A row of utf8names.h. */
typedef struct Utf8Name {
  int id;
  const char *name;
  const char *aliases; /* separated by ", "; "" if there are none */
} Utf8Name;

typedef struct Utf8Option {
  const char *argument;  /* "dialect" */
  const Utf8Name *names; /* up to one whose name is NULL */
  const char *note;      /* follows the accepted names in a message; may be "" */
} Utf8Option;

extern const Utf8Option utf8option_dialect; /* ids are sums of the core's flags */
extern const Utf8Option utf8option_policy;  /* ids are Utf8PolicyId */
extern const Utf8Option utf8option_charset; /* ids are Utf8Charset */

/* Returns the row of option->names that x names, ignoring case, '-' and '_'; NULL if none
** does, or x is not TEXT. */
const Utf8Name *utf8option_find(const Utf8Option *option, sqlite3_value *x);

/* Like utf8option_find() for a function's argument argv[i], but looks up a constant once per
** statement. If no row fits, sets the function's error and returns NULL. */
const Utf8Name *utf8option_argument(sqlite3_context *ctx, const char *function,
                                    const Utf8Option *option, sqlite3_value **argv,
                                    int i);

/* Returns the message that x is not accepted as argument `number`, which counts from 1, to
** be freed with sqlite3_free(); NULL if memory ran out. Shortens and escapes x, so that the
** message is well-formed. encoding is as for utf8value_open(); UTF8_ENCODING_UTF8 if SQLite
** was asked for x in UTF-8 before. */
char *utf8option_message(const char *function, int number, const char *argument,
                         const char *accepted, sqlite3_value *x, Utf8Encoding encoding);

/* Like utf8option_message(), with the option's names as what is accepted. */
char *utf8option_name_message(const char *function, int number,
                              const Utf8Option *option, sqlite3_value *x,
                              Utf8Encoding encoding);

/* Sets the message of utf8option_message(), or SQLITE_NOMEM, as the function's error. */
void utf8option_error(sqlite3_context *ctx, const char *function, int number,
                      const char *argument, const char *accepted, sqlite3_value *x);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
