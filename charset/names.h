/* charset/names.h: one row for each dialect, policy and loss, and how names are matched.
** utf8charsets.h has the charsets.
**
** sql/option.c makes its tables of these rows, and tool/names.py the tables of
** docs/functions.md. A row is
**
**     X(id, "name", "aliases", "what it is", "source")
**
** Names are matched without regard to case, '-' and '_'. Aliases are separated by ", ".
** The last two columns are Markdown, for the documentation only.
*/
#ifndef UTF8_CHARSET_NAMES_H
#define UTF8_CHARSET_NAMES_H

#include "core/utf8core.h"

/* clang-format off */

/* The id is a sum of the core's flags. */
#define UTF8_DIALECT_LIST(X) \
  X(UTF8_STRICT, "utf-8", "", \
    "1 to 4 octets, U+0000..U+10FFFF without surrogates, shortest form", \
    "RFC 3629 §4, Unicode Table 3-7") \
  X(UTF8_LONG, "rfc2044", "", \
    "UTF-8 of 1996: 1 to 6 octets, up to 7FFFFFFF, shortest form; surrogates are errors", \
    "RFC 2044 §2") \
  X(UTF8_PAIRS, "cesu-8", "", \
    "supplementary code points as a pair of surrogates, three octets each; never as four octets", \
    "Unicode UTR 26") \
  X(UTF8_PAIRS | UTF8_C080, "mutf-8", "", \
    "Java's Modified UTF-8: cesu-8, with U+0000 as C0 80 only", \
    "java.io.DataInput") \
  X(UTF8_SURROGATES, "wtf-8", "", \
    "for Windows file names and JavaScript strings: a lone surrogate is allowed, a pair is not", \
    "the WTF-8 encoding") \
  X(UTF8_BYTES, "utf-8b", "", \
    "each ill-formed byte is a code point, U+DC80..U+DCFF, so everything is valid", \
    "UTF-8B; Python's surrogateescape (PEP 383)")

/* The id is a Utf8PolicyId. utf-8 and ascii are policies because utf8_detect() returns them. */
#define UTF8_POLICY_LIST(X) \
  X(UTF8_POLICY_SUBPART, "subpart", "utf-8,ascii", \
    "one replacement per maximal subpart", \
    "Unicode §3.9, WHATWG, Python's `replace`, Rust, ICU, Node") \
  X(UTF8_POLICY_BYTE, "byte", "", \
    "one replacement per byte", \
    "older converters; Go's range loop") \
  X(UTF8_POLICY_RUN, "run", "", \
    "one replacement per run of ill-formed bytes", \
    "Go's strings.ToValidUTF8, ClickHouse") \
  X(UTF8_POLICY_CESU8, "cesu-8", "", \
    "a surrogate pair becomes its code point, C0 80 becomes U+0000, anything else as under subpart", \
    "readers of Java's and Oracle's output") \
  X(UTF8_POLICY_TRIM, "trim", "", \
    "nothing for a sequence that the end of the value cuts off; anything else as under subpart", \
    "for values cut by a limit in bytes") \
  X(UTF8_POLICY_ESCAPE, "escape", "", \
    "each byte as \\xhh", \
    "Python's `backslashreplace`") \
  X(UTF8_POLICY_AUTO, "auto", "", \
    "what `utf8_cause(X)` says: X decoded in a charset, its ill-formed bytes read in one, or subpart; binary data is returned unchanged", \
    "[utf8_cause](#utf8_cause)")

/* What utf8_to() writes for a character that the charset lacks. */
typedef enum Utf8Loss {
  UTF8_LOSS_CLOSEST,
  UTF8_LOSS_XML,
  UTF8_LOSS_IGNORE,
  UTF8_LOSS_REPLACE
} Utf8Loss;

#define UTF8_LOSS_LIST(X) \
  X(UTF8_LOSS_CLOSEST, "closest", "") \
  X(UTF8_LOSS_XML, "xml", "") \
  X(UTF8_LOSS_IGNORE, "ignore", "") \
  X(UTF8_LOSS_REPLACE, "replace", "")

/* clang-format on */

/* Does the policy of utf8_repair write a replacement? */
static inline int utf8charset_takes_replacement(int policy) {
  return policy <= UTF8_POLICY_TRIM;
}

/* Do text[0..size) and name match, ignoring case, '-' and '_'? name ends at a comma or a
** NUL. */
int utf8charset_match(const char *text, size_t size, const char *name);

/* Does text[0..size) match one of the names in a list with commas? */
int utf8charset_match_any(const char *text, size_t size, const char *list);

/* Stores the names of charsets that text[0..size) may mean: those of a family, such as ebcdic, or
** those that are spelled most like it, the nearest first. They are names or aliases of different
** charsets, each up to a comma or a NUL. Returns 0 if none is like the text at all. */
#define UTF8_NEAREST 3
int utf8charset_nearest(const char *text, size_t size,
                        const char *nearest[UTF8_NEAREST]);

#endif
