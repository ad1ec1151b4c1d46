/* utf8names.h: one row for each name that SQL accepts: dialects, policies and charsets.
**
** utf8option.c and utf8charset.c make their tables of these rows, and tool/names.py the
** tables of docs/functions.md. A row is
**
**     X(id, "name", "aliases", "what it is", "source")
**
** Names are matched without regard to case, '-' and '_'. Aliases are separated by ", ".
** The last two columns are Markdown, for the documentation only.
*/
#ifndef UTF8NAMES_H
#define UTF8NAMES_H

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
  X(UTF8_POLICY_SUBPART, "subpart", "utf-8, us-ascii, ascii", \
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
  X(UTF8_POLICY_LATIN1, "latin1", "iso-8859-1", \
    "each byte read as ISO-8859-1: U+0080..U+00FF", \
    "programs that fall back to Latin-1") \
  X(UTF8_POLICY_WINDOWS1252, "windows-1252", "cp1252", \
    "each byte read as Windows-1252, by WHATWG's table", \
    "WHATWG's encoding index") \
  X(UTF8_POLICY_ESCAPE, "escape", "", \
    "each byte as \\xhh", \
    "Python's `backslashreplace`")

/* The id is UTF8_CHARSET_id, in the order of Utf8Charset. */
#define UTF8_CHARSET_LIST(X) \
  X(UTF8, "utf-8", "", \
    "utf8_from: repair with the policy subpart; utf8_to: the same, as BLOB", \
    "RFC 3629") \
  X(UTF8BOM, "utf-8-bom", "", \
    "UTF-8 after the signature EF BB BF: utf8_to writes it, utf8_from removes one", \
    "RFC 3629 §6") \
  X(UTF16, "utf-16", "", \
    "a byte order mark decides and is removed; without one, big-endian. utf8_to writes FE FF first", \
    "RFC 2781") \
  X(UTF16LE, "utf-16le", "", \
    "UTF-16 code units, the low byte first; no mark is written or removed", \
    "RFC 2781") \
  X(UTF16BE, "utf-16be", "", \
    "UTF-16 code units, the high byte first; no mark is written or removed", \
    "RFC 2781") \
  X(UTF32, "utf-32", "", \
    "as utf-16; the mark is 00 00 FE FF or FF FE 00 00", \
    "Unicode D101") \
  X(UTF32LE, "utf-32le", "", \
    "32-bit code units, the low byte first; no mark is written or removed", \
    "Unicode D100") \
  X(UTF32BE, "utf-32be", "", \
    "32-bit code units, the high byte first; no mark is written or removed", \
    "Unicode D99") \
  X(LATIN1, "iso-8859-1", "latin1", \
    "bytes are U+0000 to U+00FF", \
    "ISO/IEC 8859-1") \
  X(WINDOWS1252, "windows-1252", "cp1252", \
    "81, 8D, 8F, 90, 9D are U+0081, U+008D, U+008F, U+0090, U+009D", \
    "WHATWG Encoding") \
  X(ASCII, "ascii", "us-ascii", \
    "bytes up to 7F", \
    "RFC 20") \
  X(RFC2044, "rfc2044", "", "as the [dialect](#dialects)", "RFC 2044 §2") \
  X(CESU8, "cesu-8", "", "as the [dialect](#dialects)", "Unicode UTR 26") \
  X(MUTF8, "mutf-8", "", "as the [dialect](#dialects)", "java.io.DataInput") \
  X(WTF8, "wtf-8", "", "as the [dialect](#dialects)", "the WTF-8 encoding")

/* clang-format on */

#endif
