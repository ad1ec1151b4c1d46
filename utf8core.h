/* utf8core.h: UTF-8 and its dialects on plain bytes, without SQLite.
**
**     const uint8_t text[] = {'c', 'a', 'f', 0xE9};
**     size_t p = utf8core_valid_prefix(text, 4, 0, 4, UTF8_STRICT);   // 3
**     Utf8Step s = utf8core_step(text, 4, p, UTF8_STRICT);            // truncated, 1
**
** utf8core_step() is the only place that knows the grammar; everything else here
** stands on it. A dialect is a set of flags that the step takes.
**
** All functions: lengths and offsets count bytes and are size_t. A pointer may be NULL
** where its size is 0. Nothing is allocated, nothing is kept, no input byte sequence
** is refused, and bytes outside the given range are never touched; so every function
** may run in any number of threads at once.
*/
#ifndef UTF8CORE_H
#define UTF8CORE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __GNUC__
#pragma GCC visibility push(hidden) /* two extensions in one process must not meet */
#endif

/* ---- the grammar: utf8core.c ---------------------------------------------------- */

/* What is wrong with an ill-formed subpart; the names are utf8core_error_name()'s. */
typedef enum Utf8Error {
  UTF8_WELL_FORMED,
  UTF8_STRAY_CONTINUATION, /* 80..BF where a character should start */
  UTF8_TRUNCATED,          /* the text ends inside a sequence that was good so far */
  UTF8_INCOMPLETE,   /* a good start, broken off by a byte that is no continuation */
  UTF8_OVERLONG,     /* a longer form than the character needs */
  UTF8_SURROGATE,    /* a UTF-16 surrogate, U+D800..U+DFFF */
  UTF8_OUT_OF_RANGE, /* above U+10FFFF, or a form the dialect does not have */
  UTF8_INVALID_BYTE, /* FE, FF */
  UTF8_BARE_NUL,     /* 00 where the dialect writes C0 80 */
  UTF8_ERRORS        /* how many kinds there are, UTF8_WELL_FORMED included */
} Utf8Error;

/* The kind's name as SQL shows it, "stray continuation"; NULL for UTF8_WELL_FORMED. */
const char *utf8core_error_name(Utf8Error error);

/* A dialect is a sum of these; none of them is RFC 3629 §4, Unicode Table 3-7. */
enum {
  UTF8_STRICT = 0,
  UTF8_LONG = 1,  /* rfc2044: forms of up to 6 octets, up to 7FFFFFFF */
  UTF8_PAIRS = 2, /* cesu-8: surrogate pairs stand for what has 4 octets elsewhere */
  UTF8_C080 = 4,  /* mutf-8: U+0000 is C0 80, a bare 00 is an error */
  UTF8_SURROGATES = 8,  /* wtf-8: a lone one is a code point, a pair is two errors */
  UTF8_BYTES = 16,      /* utf-8b: an ill-formed byte is a code point, DC80..DCFF */
  UTF8_FROM_UTF16 = 32, /* the text was UTF-16: a lone surrogate is one subpart of three
                        ** bytes. Goes with UTF8_SURROGATES, UTF8_BYTES or nothing */
};

/* UTF-16 with an odd byte b left at its end has at the end of its WTF-8 form these three
** bytes, a sequence that lacks its fourth: one `truncated`, from which b can be read. */
#define UTF8_ODD_LEAD 0xF1
#define UTF8_ODD_BYTES(b)                                                              \
  UTF8_ODD_LEAD, (uint8_t)(0x80 | (b) >> 6), (uint8_t)(0x80 | ((b)&0x3F))
#define UTF8_ODD_BYTE(p) ((uint8_t)((p)[1] << 6 | ((p)[2] & 0x3F)))

/* One character or one ill-formed subpart (Unicode D93b: the longest start of a
** well-formed sequence, or one byte). */
typedef struct Utf8Step {
  uint32_t codepoint; /* 0 where error is set */
  uint8_t length;     /* bytes, 1..6 */
  uint8_t error;      /* Utf8Error */
} Utf8Step;

/* The step at `at`, which is below size and a boundary: 0, or where a step ended. Bytes
** before `at` are looked at in UTF8_SURROGATES only, to find the partner of a half. */
Utf8Step utf8core_step(const uint8_t *text, size_t size, size_t at, unsigned dialect);

/* The offset of the first ill-formed subpart that starts in at..until-1; else the first
** boundary that is not below until. `at` is a boundary, at <= until <= size. To read a
** long text in pieces is the only use of an until below size. */
size_t utf8core_valid_prefix(const uint8_t *text, size_t size, size_t at, size_t until,
                             unsigned dialect);

/* How many steps text[*at..until) takes: characters and ill-formed subparts. *at becomes
** the first boundary that is not below until. */
uint64_t utf8core_count(const uint8_t *text, size_t size, size_t *at, size_t until,
                        unsigned dialect);

/* The largest boundary that is at most limit (or size, if that is less). Looks at no
** more than the few bytes around it. In UTF8_SURROGATES the halves of a pair count as two. */
size_t utf8core_boundary(const uint8_t *text, size_t size, size_t limit,
                         unsigned dialect);

/* 3 if the text starts with the signature EF BB BF (RFC 3629 §6), else 0. */
size_t utf8core_bom_length(const uint8_t *text, size_t size);

/* Writes a code point of at most 7FFFFFFF in the 1 to 6 octets of RFC 2044 §2, surrogates
** included (the caller knows what it wants), and returns how many. */
#define UTF8_OCTETS_MAX 6
size_t utf8core_put(uint8_t out[UTF8_OCTETS_MAX], uint32_t codepoint);

/* What Windows-1252 has at 80..9F, by the WHATWG Encoding Standard. (utf8repair.c) */
extern const uint16_t utf8core_windows1252[32];

/* ---- the policies: utf8repair.c ------------------------------------------------- */

typedef enum Utf8PolicyId {
  UTF8_POLICY_SUBPART,
  UTF8_POLICY_BYTE,
  UTF8_POLICY_RUN,
  UTF8_POLICY_CESU8,
  UTF8_POLICY_LATIN1,
  UTF8_POLICY_WINDOWS1252,
  UTF8_POLICY_ESCAPE
} Utf8PolicyId;

typedef struct Utf8Repair {
  Utf8PolicyId policy;
  unsigned dialect;           /* UTF8_STRICT or UTF8_FROM_UTF16 */
  const uint8_t *replacement; /* well-formed; NULL stands for U+FFFD; may be empty */
  size_t replacement_size;
} Utf8Repair;

/* Repairs text[*at..size) into out, as much as fits, and returns how many bytes it wrote;
** *at becomes the boundary where it stopped: size when all is done. out holds at least
** UTF8_REPAIR_ROOM(how) bytes, with which some progress is certain. How the text is cut
** into calls makes no difference to the result. */
#define UTF8_REPAIR_ROOM(how) ((how)->replacement_size + 64)
size_t utf8core_repair(const Utf8Repair *how, const uint8_t *text, size_t size,
                       size_t *at, uint8_t *out, size_t room);

/* ---- the charsets: utf8charset.c ------------------------------------------------- */

typedef enum Utf8Charset {
  UTF8_CHARSET_BINARY = -1, /* utf8core_detect() only: no charset */
  UTF8_CHARSET_UTF8,
  UTF8_CHARSET_UTF8BOM, /* EF BB BF in front */
  UTF8_CHARSET_UTF16,   /* a byte order mark decides; without one, big-endian */
  UTF8_CHARSET_UTF16LE,
  UTF8_CHARSET_UTF16BE,
  UTF8_CHARSET_UTF32, /* as UTF8_CHARSET_UTF16 */
  UTF8_CHARSET_UTF32LE,
  UTF8_CHARSET_UTF32BE,
  UTF8_CHARSET_LATIN1,
  UTF8_CHARSET_WINDOWS1252, /* WHATWG's table: every byte is a character */
  UTF8_CHARSET_ASCII,
  UTF8_CHARSET_RFC2044,
  UTF8_CHARSET_CESU8,
  UTF8_CHARSET_MUTF8,
  UTF8_CHARSET_WTF8,
  UTF8_CHARSETS /* how many there are */
} Utf8Charset;

/* The name as SQL shows it, "utf-16le"; "binary" for UTF8_CHARSET_BINARY. */
const char *utf8core_charset_name(Utf8Charset charset);

/* Both convert in[*at..size) to out, as much as fits, and return how many bytes they
** wrote; *at becomes the offset where they stopped: size when all is done. *at starts as
** 0, where a byte order mark is read or written, so the first call is due even if size
** is 0; the later ones start where the one before stopped. out holds at least
** UTF8_CHARSET_ROOM bytes, all of which may be scribbled on. How the input is cut into
** calls makes no difference to the result. */
#define UTF8_CHARSET_ROOM 128

/* From the charset to well-formed UTF-8. What cannot be decoded becomes one U+FFFD: an
** ill-formed subpart, a byte above 7F in ASCII, a lone surrogate, a unit of UTF-32 that
** is no character, and what is left incomplete at the end (WHATWG Encoding §14.2). */
size_t utf8core_decode(Utf8Charset charset, const uint8_t *in, size_t size, size_t *at,
                       uint8_t *out, size_t room);

/* From UTF-8 to the charset. Each ill-formed subpart under dialect (UTF8_STRICT or
** UTF8_FROM_UTF16) counts as U+FFFD; with UTF8_FROM_UTF16 | UTF8_SURROGATES, which is for
** UTF-16 only, a lone surrogate becomes the unit that it was. Stops where a character has
** no encoding there: a call that writes nothing and leaves *at below size says so of the
** character at *at. */
size_t utf8core_encode(Utf8Charset charset, unsigned dialect, const uint8_t *in,
                       size_t size, size_t *at, uint8_t *out, size_t room);

/* ---- kernels: utf8core.c -------------------------------------------------------- */

/* The name of the kernel in use: "avx2". A kernel decides speed, never a result. */
const char *utf8core_kernel_name(void);

/* Does UTF8EXT_KERNEL in the environment name a kernel that does not exist here? */
int utf8core_kernel_is_unknown(void);

/* ---- detection: utf8detect.c ----------------------------------------------------- */

/* The charset under which utf8core_decode() reads these bytes right, as far as they show
** (docs/detection.md); UTF8_CHARSET_BINARY for what seems to be no text. Reads the bytes
** a few times at most. */
Utf8Charset utf8core_detect(const uint8_t *bytes, size_t size);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#endif
