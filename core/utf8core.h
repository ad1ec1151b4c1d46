/* core/utf8core.h: UTF-8 and its dialects on plain bytes. No SQLite, no allocation.
**
**     const uint8_t text[] = {'c', 'a', 'f', 0xE9};
**     if (!utf8core_valid(text, 4)) {
**       Utf8FirstError first = utf8core_find_error(text, 4, 0, 4, UTF8_STRICT);
**       // first.offset is 3, first.length is 1, first.error is UTF8_TRUNCATED
**     }
**
** Link with libutf8core.a (`make lib`), or compile the core's sources with your own.
** docs/core.md is the manual.
**
** For all functions:
**
**   Text        Any bytes, at any alignment: no NUL ends a text, and none is refused.
**   Units       Sizes, offsets and limits count bytes.
**   NULL        A pointer to bytes may be NULL if its size is 0. No other pointer may be
**               NULL, unless its comment says so.
**   Memory      Nothing is allocated. A function writes to its out buffer and its results
**               only; out must not overlap the input. No byte outside of the given range is
**               read, on any processor.
**   Failure     No function fails, except that utf8core_encode() stops at a code point
**               that the charset does not have.
**   Threads     All functions may run in any number of threads at once. The global state is
**               tables of charsets, and the code chosen for this processor by CPUID and the
**               environment variable UTF8EXT_KERNEL. The first use of each stores it,
**               atomically.
**
** A step is one code point, or one ill-formed subpart. A boundary is an offset at which a
** step starts or the text ends. A dialect is a set of flags, UTF8_STRICT and so on.
*/
#ifndef UTF8CORE_H
#define UTF8CORE_H

#include "utf8charsets.h"
#include <stddef.h>
#include <stdint.h>

#define UTF8CORE_VERSION "3.0.0" /* as in the file VERSION; a test compares them */

#ifdef __cplusplus
extern "C" {
#endif

/* ---- validation: core/utf8core.c -------------------------------------------------- */

/* Returns 1 if text[0..size) is well-formed UTF-8 (RFC 3629 §4, Unicode Table 3-7), else
** 0. Empty text is well-formed. */
int utf8core_valid(const uint8_t *text, size_t size);

/* The kind of an error. A new one also needs a name in core/utf8core.c, a step in core/step.h, a meaning in sql/names.c
** and a mark in python/src/utf8ext/command/page/kinds.json. */
typedef enum Utf8Error {
  UTF8_WELL_FORMED,        /* no error; 0 */
  UTF8_STRAY_CONTINUATION, /* 80..BF where a sequence should start */
  UTF8_TRUNCATED,          /* the text ends inside a sequence */
  UTF8_INCOMPLETE,         /* another byte than 80..BF cuts the sequence short */
  UTF8_OVERLONG,           /* a longer sequence than the code point needs */
  UTF8_SURROGATE,          /* a UTF-16 surrogate, U+D800..U+DFFF */
  UTF8_OUT_OF_RANGE,       /* above U+10FFFF, or a sequence that the dialect lacks */
  UTF8_INVALID_BYTE,       /* FE or FF */
  UTF8_BARE_NUL,           /* 00 in a dialect that writes C0 80 for it */
  UTF8_ERROR_COUNT
} Utf8Error;

/* Returns the kind's English name, "stray continuation": a constant that is never freed.
** NULL for UTF8_WELL_FORMED. `error` is below UTF8_ERROR_COUNT. */
const char *utf8core_error_name(Utf8Error error);

/* A dialect is a sum of these flags. */
enum {
  UTF8_STRICT = 0,      /* utf-8: RFC 3629 §4, Unicode Table 3-7 */
  UTF8_LONG = 1,        /* rfc2044: up to 6 octets, up to 7FFFFFFF */
  UTF8_PAIRS = 2,       /* cesu-8 (UTR 26): surrogate pairs replace 4-octet sequences */
  UTF8_C080 = 4,        /* with UTF8_PAIRS mutf-8 (Java): U+0000 is C0 80, never 00 */
  UTF8_SURROGATES = 8,  /* wtf-8: a lone surrogate is a code point, a pair two errors */
  UTF8_BYTES = 16,      /* utf-8b: an ill-formed byte is a code point, U+DC80..U+DCFF */
  UTF8_FROM_UTF16 = 32, /* the text was UTF-16: a lone surrogate is one subpart of three
                        ** bytes. Combines with UTF8_SURROGATES and UTF8_BYTES only */
};

/* The first error of a text, or the end of a search that found none. */
typedef struct Utf8FirstError {
  size_t offset;   /* where the ill-formed subpart starts; no error: where to resume */
  uint32_t length; /* bytes of the subpart, 1..5; 0 if there is no error */
  Utf8Error error; /* UTF8_WELL_FORMED if there is none */
} Utf8FirstError;

/* Finds the first ill-formed subpart that starts in text[at..until). `at` is a boundary,
** at <= until <= size. Without an error, offset is the first boundary at or after until.
**
** To search the whole text, pass 0 and size. Pass until < size only to process a long text
** in chunks: the offset of one result is the `at` of the next call, and the result is the
** same. To find the next error, resume at offset + length. */
Utf8FirstError utf8core_find_error(const uint8_t *text, size_t size, size_t at,
                                   size_t until, unsigned dialect);

/* ---- decoding: core/ -------------------------------------------------------------- */

/* One code point or one ill-formed subpart. An ill-formed subpart is Unicode's maximal
** subpart (D93b): the longest start of a well-formed sequence, or one byte. In UTF8_PAIRS,
** UTF8_SURROGATES and UTF8_FROM_UTF16 an ill-formed surrogate is one subpart of three bytes. */
typedef struct Utf8Step {
  uint32_t codepoint; /* 0 if error is set */
  uint8_t length;     /* bytes, 1..6 */
  Utf8Error error;    /* UTF8_WELL_FORMED for a code point */
} Utf8Step;

/* Decodes the step at `at`, a boundary below size. Reads at most 6 bytes from there, and
** in UTF8_SURROGATES the 3 bytes before, to distinguish a pair from a lone surrogate. */
Utf8Step utf8core_step(const uint8_t *text, size_t size, size_t at, unsigned dialect);

/* Returns the number of steps that start in text[*at..until), and sets *at to the first
** boundary at or after `until`. *at is a boundary, *at <= until <= size. */
uint64_t utf8core_count(const uint8_t *text, size_t size, size_t *at, size_t until,
                        unsigned dialect);

/* Returns the largest boundary that is at most limit and at most size. Reads only the few
** bytes around limit. In UTF8_SURROGATES each surrogate of a pair is its own step. */
size_t utf8core_boundary(const uint8_t *text, size_t size, size_t limit,
                         unsigned dialect);

/* Returns 3 if the text starts with the signature EF BB BF (RFC 3629 §6), else 0. */
size_t utf8core_bom_length(const uint8_t *text, size_t size);

/* Encodes a code point of at most 7FFFFFFF in 1 to 6 octets (RFC 2044 §2), and returns
** their number. Surrogates and code points above 10FFFF are encoded like any other. */
#define UTF8_OCTETS_MAX 6
size_t utf8core_put(uint8_t out[UTF8_OCTETS_MAX], uint32_t codepoint);

/* ---- names of charsets: charset/names.c -------------------------------------------------- */

#define UTF8_CHARSET_ENUMERATOR(id, name, aliases, kind, source) UTF8_CHARSET_##id,

/* UTF8_CHARSET_UTF16LE and so on, one for each row of utf8charsets.h. */
typedef enum Utf8Charset {
  UTF8_CHARSET_UNKNOWN = -2, /* utf8core_find_charset() only: no such name */
  UTF8_CHARSET_BINARY = -1,  /* not text; for utf8core_detect() */
  UTF8_CHARSET_LIST(UTF8_CHARSET_ENUMERATOR) UTF8_CHARSETS /* how many there are */
} Utf8Charset;

typedef enum Utf8CharsetKind {
  UTF8_KIND_UNICODE,           /* UTF-8, UTF-16, UTF-32 */
  UTF8_KIND_DIALECT,           /* of UTF-8 */
  UTF8_KIND_SINGLE_BYTE,       /* 00..7F are ASCII */
  UTF8_KIND_SINGLE_BYTE_OTHER, /* EBCDIC, and cp864, which changes some of ASCII */
  UTF8_KIND_MULTI_BYTE
} Utf8CharsetKind;

typedef struct Utf8CharsetRow {
  const char *name;    /* as SQL shows it, "utf-16le" */
  const char *aliases; /* other names, separated by commas; "" if there are none */
  const char *source;  /* the specification, or the codec that defines it */
  Utf8CharsetKind kind;
} Utf8CharsetRow;

/* Returns the charset's row of utf8charsets.h; NULL for the two that are below 0, and for a legacy
** charset in a build without them. */
const Utf8CharsetRow *utf8core_charset(Utf8Charset charset);

/* Returns the charset's name; "binary" if it has no row. */
const char *utf8core_charset_name(Utf8Charset charset);

/* Returns the charset that has this name or alias, ignoring case, '-' and '_' (WHATWG Encoding
** §4.2 ignores case only), white space, quotes around it, and iconv's //TRANSLIT and //IGNORE after
** it. "x-" or "cs" may precede a name, and "windows", "win", "ibm" and the like the number of a code
** page. "binary" is UTF8_CHARSET_BINARY. A name of more than 256 bytes is unknown. */
Utf8Charset utf8core_find_charset(const char *name, size_t size);

/* ---- repair: core/repair.c ---------------------------------------------------------------- */

/* What becomes of an ill-formed subpart. */
typedef enum Utf8PolicyId {
  UTF8_POLICY_SUBPART, /* one replacement (Unicode §3.9, WHATWG) */
  UTF8_POLICY_BYTE,    /* one replacement for each byte */
  UTF8_POLICY_RUN,     /* one replacement for adjacent subparts together */
  UTF8_POLICY_CESU8,   /* decode surrogate pairs and C0 80; else as SUBPART */
  UTF8_POLICY_TRIM,    /* nothing if the end of the text cuts it off; else as SUBPART */
  UTF8_POLICY_ESCAPE,  /* write its bytes as \xhh, surrogates of UTF-16 as \uhhhh */
  UTF8_POLICY_CHARSET, /* read its bytes in a charset of the kind UTF8_KIND_SINGLE_BYTE */
  UTF8_POLICY_AUTO /* for SQL: by cause (detect/cause.h); utf8core_repair() does as SUBPART */
} Utf8PolicyId;

typedef struct Utf8Repair {
  Utf8PolicyId policy;
  unsigned dialect;           /* UTF8_STRICT or UTF8_FROM_UTF16 */
  const uint8_t *replacement; /* well-formed UTF-8, may be empty; NULL means U+FFFD */
  size_t replacement_size;    /* 0 if replacement is NULL */
  Utf8Charset charset;        /* of UTF8_POLICY_CHARSET */
} Utf8Repair;

/* Copies text[*at..size) to out[0..room), repaired to well-formed UTF-8, until the text
** ends or out is full. Returns the number of bytes written, and sets *at to the boundary
** where it stopped: size once all is done. Well-formed sequences are copied unchanged.
**
** Start with *at = 0, call until *at is size, and append what each call wrote. room is at
** least UTF8_REPAIR_ROOM(how): each call then makes progress, and how the text is cut
** into calls does not change the result. A call may overwrite all of out[0..room). */
#define UTF8_REPAIR_ROOM(how) ((how)->replacement_size + 64)
size_t utf8core_repair(const Utf8Repair *how, const uint8_t *text, size_t size,
                       size_t *at, uint8_t *out, size_t room);

/* ---- converting charsets: charset/stream.c ----------------------------------------------- */

/* A conversion of one text, or of a text that comes in pieces. Set charset and dialect, and the
** other fields to 0. */
#define UTF8_CONVERSION_HELD 16
typedef struct Utf8Conversion {
  Utf8Charset charset; /* 0 or more */
  unsigned dialect;
  size_t at;     /* where the last call stopped; the size of the input at the end */
  int continues; /* set to 1 while more text follows after in[0..size) */
  int counts_errors; /* set to 1 to count errors, which takes time where U+FFFD is written */
  uint64_t errors; /* of utf8core_decode(): how many U+FFFD stand for errors */
  unsigned held;   /* bytes at the end of the last piece, not converted yet */
  unsigned state;  /* private */
  uint8_t bytes[UTF8_CONVERSION_HELD]; /* private */
} Utf8Conversion;

/* utf8core_decode() and utf8core_encode() convert in[c->at..size) to out, as much as fits. They
** return the number of bytes written, and move c->at to where they stopped. Call until c->at
** is size, with the same in and size, and append what each call wrote. Call at least once,
** even if size is 0: the first call reads or writes the byte order mark, the last one what
** ends the text. room is at least UTF8_CHARSET_ROOM: each call then makes progress, and how the
** text is cut into calls does not change the result. A call may overwrite all of out[0..room).
**
** To convert a text in pieces, set c->continues for all but the last, set c->at to 0 for each,
** and do the same. A piece may end anywhere; an unfinished sequence at its end is held for
** the next one. The last piece may be empty. The result is that of the whole text. */
#define UTF8_CHARSET_ROOM 128

/* Decodes the charset to well-formed UTF-8, and writes U+FFFD for each error: an ill-formed
** subpart, an undefined byte, a lone surrogate, a UTF-32 code unit that is not a scalar value,
** and an incomplete sequence at the end (WHATWG Encoding). c->dialect is UTF8_STRICT; or, for
** UTF-16 only, UTF8_FROM_UTF16 | UTF8_SURROGATES, which decodes to WTF-8 without loss: a lone
** surrogate becomes its three bytes ED A0..BF xx, and an odd last byte a sequence of its
** own. */
size_t utf8core_decode(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                       size_t room);

/* Encodes UTF-8 in the charset, and U+FFFD for each ill-formed subpart under c->dialect
** (UTF8_STRICT or UTF8_FROM_UTF16). With UTF8_FROM_UTF16 | UTF8_SURROGATES, for UTF-16
** only, a lone surrogate becomes the code unit that it was. Stops before a code point that
** the charset lacks: then a call writes nothing and leaves c->at, below size, at it; or at 0 with
** c->held above 0 if it started in an earlier piece, which may also be so at the end of the text. */
size_t utf8core_encode(Utf8Conversion *c, const uint8_t *in, size_t size, uint8_t *out,
                       size_t room);

/* ---- normalization and case folding: form/ ------------------------------------------------ */

/* The version of Unicode that forms and folding follow, "17.0.0". */
const char *utf8core_unicode_version(void);

/* The normalization forms of UAX 15; and NFKC_Casefold of Unicode D146, which also folds case and
** removes ignorable code points. */
typedef enum Utf8NormalForm {
  UTF8_NFC,
  UTF8_NFD,
  UTF8_NFKC,
  UTF8_NFKD,
  UTF8_NFKC_CASEFOLD,
  UTF8_NORMAL_FORMS
} Utf8NormalForm;

/* Normalization changes a text in clusters: a cluster is a starter with the marks after it, more
** exactly all up to a code point that nothing before it can affect. An ill-formed subpart is kept
** as it is, and separates what is around it.
**
** Are the clusters of text[*at..) that start before until normalized? If so, returns 1 and moves
** *at to the start of a cluster, or to size; it advances unless it is size. Else returns 0 and
** sets *at to the start of the first cluster that normalization changes. *at is 0 or where an
** earlier call stopped, *at <= until <= size. To test the whole text, pass until = size and call
** until *at is size. */
int utf8core_is_normalized(Utf8NormalForm form, const uint8_t *text, size_t size,
                           size_t *at, size_t until);

/* Writes text[*at..size), normalized, to out[0..room), until the text ends or the next cluster does
** not fit. Returns the number of bytes written, and moves *at to where it stopped: the start
** of a cluster, or size. How the text is cut into calls does not change the result. A call may
** overwrite all of out[0..room).
**
** *at is 0 or where an earlier call, or utf8core_is_normalized(), stopped. room is at least
** UTF8_NORMALIZE_ROOM; then a call makes progress, unless the next cluster has many marks: it
** returns 0 and leaves *at. Call again with twice the room then. UTF8_NORMALIZE_MAX(form, n) is
** always enough for n bytes of text. */
#define UTF8_NORMALIZE_ROOM 512
#define UTF8_NORMALIZE_MAX(form, n)                                                    \
  ((uint64_t)(n) * ((form) >= UTF8_NFKC ? 11 : 3) + UTF8_NORMALIZE_ROOM)
size_t utf8core_normalize(Utf8NormalForm form, const uint8_t *text, size_t size,
                          size_t *at, uint8_t *out, size_t room);

/* Returns the offset of the first code point of text[at..until) that full case folding changes
** (CaseFolding.txt, status C and F), or else the first boundary at or after until. at is a
** boundary, at <= until <= size. */
size_t utf8core_find_unfolded(const uint8_t *text, size_t size, size_t at,
                              size_t until);

/* Writes text[*at..size) to out[0..room) with full case folding, until the text ends or out is
** full. Returns the number of bytes written, and moves *at to the boundary where it stopped.
** The result is not normalized in general. Ill-formed subparts are kept. room is at least
** UTF8_CASEFOLD_ROOM: each call then makes progress; 3 * (size - *at) + UTF8_CASEFOLD_ROOM is
** always enough. A call may overwrite all of out[0..room). */
#define UTF8_CASEFOLD_ROOM 128
size_t utf8core_casefold(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                         size_t room);

/* ---- kernels: core/simd/ ------------------------------------------------------------ */

/* The name of the kernel in use: "avx2". A kernel decides speed, never a result. */
const char *utf8core_kernel_name(void);

/* Does UTF8EXT_KERNEL in the environment name a kernel that does not exist here? */
int utf8core_kernel_is_unknown(void);

/* ---- detection: detect/rules.c ----------------------------------------------------- */

/* Returns the charset that the bytes seem to be in (docs/detection.md), or UTF8_CHARSET_BINARY
** if they do not look like text. Empty input is UTF8_CHARSET_ASCII. Reads the bytes a few times:
** its time is linear in size. Text of a legacy charset takes about 200 KB of the stack
** (make check-stack). */
Utf8Charset utf8core_detect(const uint8_t *bytes, size_t size);

#ifdef __cplusplus
}
#endif
#endif
