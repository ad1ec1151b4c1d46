/* abnf.h: a second definition of UTF-8 and its dialects. The tests compare the core with it.
**
**     Utf8Step s = abnf_step(&abnf_dialects[0], text, size, 0);
**
** The core decodes with shifts and masks, byte by byte. Here a dialect is a list of rules, as
** in RFC 3629 §4. A rule is a list of byte ranges; its sequences, in order, encode the code
** points from `first` upwards. Text is matched against the rules literally. An ill-formed
** subpart is defined by Unicode's D93b: the longest prefix of any rule, or one byte. The
** kinds of error follow the table in docs/functions.md.
**
** Slow: for tests only. Calls no function of the core; utf8core.h provides the types.
*/
#ifndef UTF8_ABNF_H
#define UTF8_ABNF_H

#include <string.h>
#include "core/utf8core.h"
#include "core/step.h"

/* ---- the rules ------------------------------------------------------------------- */

enum { /* one bit per dialect: a rule has the bits of the dialects that contain it */
       ABNF_UTF8 = 1,
       ABNF_RFC2044 = 2,
       ABNF_CESU8 = 4,
       ABNF_MUTF8 = 8,
       ABNF_WTF8 = 16,
       ABNF_UTF8B = 32,
       ABNF_UTF16 = 64, /* utf-8, wtf-8 and utf-8b in a UTF-16 database */
       ABNF_UTF16_WTF8 = 128,
       ABNF_UTF16_UTF8B = 256,
       ABNF_C080 = 512,
       ABNF_ALL = 1023,
       ABNF_PAIRS = ABNF_CESU8 | ABNF_MUTF8,
       ABNF_NO_NUL = ABNF_MUTF8 | ABNF_C080, /* write U+0000 as C0 80 */
       ABNF_BYTES = ABNF_UTF8B | ABNF_UTF16_UTF8B,
       ABNF_LONE =
           ABNF_WTF8 | ABNF_UTF16_WTF8 | ABNF_UTF16_UTF8B /* accept lone surrogates */
};

typedef struct AbnfDialect {
  const char *name;
  unsigned flags; /* UTF8_... of the core */
  unsigned bit;   /* ABNF_... */
} AbnfDialect;

static const AbnfDialect abnf_dialects[] = {
    {"utf-8", UTF8_STRICT, ABNF_UTF8},
    {"rfc2044", UTF8_LONG, ABNF_RFC2044},
    {"cesu-8", UTF8_PAIRS, ABNF_CESU8},
    {"mutf-8", UTF8_PAIRS | UTF8_C080, ABNF_MUTF8},
    {"wtf-8", UTF8_SURROGATES, ABNF_WTF8},
    {"utf-8b", UTF8_BYTES, ABNF_UTF8B},
    {"utf-8 from UTF-16", UTF8_FROM_UTF16, ABNF_UTF16},
    {"wtf-8 from UTF-16", UTF8_FROM_UTF16 | UTF8_SURROGATES, ABNF_UTF16_WTF8},
    {"utf-8b from UTF-16", UTF8_FROM_UTF16 | UTF8_SURROGATES | UTF8_BYTES,
     ABNF_UTF16_UTF8B},
    {"utf-8 with C0 80", UTF8_C080, ABNF_C080}};
#define ABNF_DIALECTS (sizeof(abnf_dialects) / sizeof(abnf_dialects[0]))

typedef struct AbnfRule {
  unsigned dialects; /* ABNF_... bits */
  uint32_t first;    /* the code point of its first sequence */
  uint8_t length;    /* bytes */
  uint8_t range[6][2];
} AbnfRule;

#define CONT                                                                           \
  { 0x80, 0xBF }
static const AbnfRule abnf_rules[] = {
    /* RFC 3629 §4: UTF8-1, UTF8-2, the four cases of UTF8-3 and the three of UTF8-4 */
    {ABNF_ALL & ~ABNF_NO_NUL, 0x00, 1, {{0x00, 0x7F}}},
    {ABNF_ALL, 0x80, 2, {{0xC2, 0xDF}, CONT}},
    {ABNF_ALL, 0x800, 3, {{0xE0, 0xE0}, {0xA0, 0xBF}, CONT}},
    {ABNF_ALL, 0x1000, 3, {{0xE1, 0xEC}, CONT, CONT}},
    {ABNF_ALL, 0xD000, 3, {{0xED, 0xED}, {0x80, 0x9F}, CONT}},
    {ABNF_ALL, 0xE000, 3, {{0xEE, 0xEF}, CONT, CONT}},
    {ABNF_ALL & ~ABNF_PAIRS, 0x10000, 4, {{0xF0, 0xF0}, {0x90, 0xBF}, CONT, CONT}},
    {ABNF_ALL & ~ABNF_PAIRS, 0x40000, 4, {{0xF1, 0xF3}, CONT, CONT, CONT}},
    {ABNF_ALL & ~ABNF_PAIRS, 0x100000, 4, {{0xF4, 0xF4}, {0x80, 0x8F}, CONT, CONT}},
    /* RFC 2044 §2: the remaining sequences of four octets, and five and six */
    {ABNF_RFC2044, 0x110000, 4, {{0xF4, 0xF4}, {0x90, 0xBF}, CONT, CONT}},
    {ABNF_RFC2044, 0x140000, 4, {{0xF5, 0xF7}, CONT, CONT, CONT}},
    {ABNF_RFC2044, 0x200000, 5, {{0xF8, 0xF8}, {0x88, 0xBF}, CONT, CONT, CONT}},
    {ABNF_RFC2044, 0x1000000, 5, {{0xF9, 0xFB}, CONT, CONT, CONT, CONT}},
    {ABNF_RFC2044, 0x4000000, 6, {{0xFC, 0xFC}, {0x84, 0xBF}, CONT, CONT, CONT, CONT}},
    {ABNF_RFC2044, 0x40000000, 6, {{0xFD, 0xFD}, CONT, CONT, CONT, CONT, CONT}},
    /* UTR 26 §2: a surrogate pair, three octets per surrogate */
    {ABNF_PAIRS,
     0x10000,
     6,
     {{0xED, 0xED}, {0xA0, 0xAF}, CONT, {0xED, 0xED}, {0xB0, 0xBF}, CONT}},
    /* Java, DataInput: U+0000 only in two octets */
    {ABNF_NO_NUL, 0x01, 1, {{0x01, 0x7F}}},
    {ABNF_NO_NUL, 0x00, 2, {{0xC0, 0xC0}, {0x80, 0x80}}},
    /* WTF-8 §3.2, generalized UTF-8: surrogates, in three octets */
    {ABNF_LONE, 0xD800, 3, {{0xED, 0xED}, {0xA0, 0xBF}, CONT}}};
#undef CONT
#define ABNF_RULES (sizeof(abnf_rules) / sizeof(abnf_rules[0]))

/* Returns the number of bytes at the start of text that match the rule. */
static inline size_t abnf_match(const AbnfRule *rule, const uint8_t *text,
                                size_t size) {
  size_t n = 0;
  while (n < rule->length && n < size && text[n] >= rule->range[n][0] &&
         text[n] <= rule->range[n][1]) {
    n++;
  }
  return n;
}

/* Returns the code point of a sequence that matches the rule. */
static inline uint32_t abnf_codepoint(const AbnfRule *rule, const uint8_t *text) {
  uint32_t rank = 0;
  for (size_t i = 0; i < rule->length; i++) {
    uint32_t choices = rule->range[i][1] - rule->range[i][0] + 1u;
    rank = rank * choices + (text[i] - rule->range[i][0]);
  }
  return rule->first + rank;
}

/* Writes the rule's sequence for a code point, and returns its length; 0 if there is none. */
static inline size_t abnf_sequence(const AbnfRule *rule, uint32_t codepoint,
                                   uint8_t *out) {
  if (codepoint < rule->first) return 0;
  uint32_t rank = codepoint - rule->first;
  for (size_t i = rule->length; i-- > 0;) {
    uint32_t choices = rule->range[i][1] - rule->range[i][0] + 1u;
    out[i] = (uint8_t)(rule->range[i][0] + rank % choices);
    rank /= choices;
  }
  return rank ? 0 : rule->length;
}

/* Encodes a code point in one of the dialects, a set of ABNF_ bits. Returns the length, or 0
** if none of the dialects contains the code point. */
static inline size_t abnf_encode(unsigned dialects, uint32_t codepoint,
                                 uint8_t out[6]) {
  for (size_t i = 0; i < ABNF_RULES; i++) {
    if ((abnf_rules[i].dialects & dialects) == 0) continue;
    size_t n = abnf_sequence(&abnf_rules[i], codepoint, out);
    if (n) return n;
  }
  return 0;
}

/* ---- one step -------------------------------------------------------------------- */

static inline int abnf_is_continuation(uint8_t byte) {
  return byte >= 0x80 && byte <= 0xBF;
}

/* Is there an encoded surrogate at `at`, with its second byte in lo..hi? */
static inline int abnf_is_surrogate(const uint8_t *text, size_t size, size_t at, int lo,
                                    int hi) {
  return size - at >= 3 && text[at] == 0xED && text[at + 1] >= lo &&
         text[at + 1] <= hi && abnf_is_continuation(text[at + 2]);
}

static inline int abnf_is_pair(const uint8_t *text, size_t size, size_t at) {
  return abnf_is_surrogate(text, size, at, 0xA0, 0xAF) &&
         abnf_is_surrogate(text, size, at + 3, 0xB0, 0xBF);
}

/* Returns the kind of error for a byte that starts no rule. */
static inline Utf8Error abnf_start_error(uint8_t byte) {
  if (byte == 0x00) return UTF8_BARE_NUL;
  if (byte <= 0xBF) return UTF8_STRAY_CONTINUATION;
  if (byte <= 0xC1) return UTF8_OVERLONG;
  if (byte <= 0xFD) return UTF8_OUT_OF_RANGE;
  return UTF8_INVALID_BYTE;
}

/* Returns the kind of error if the first `length` bytes match a rule and the next one does
** not, or is missing. */
static inline Utf8Error abnf_end_error(const uint8_t *text, size_t size,
                                       size_t length) {
  if (length == size) return UTF8_TRUNCATED;
  if (text[0] == 0xC0) return UTF8_OVERLONG;
  if (!abnf_is_continuation(text[length])) return UTF8_INCOMPLETE;
  if (text[0] == 0xED) return UTF8_SURROGATE;
  if (text[0] == 0xF4) return UTF8_OUT_OF_RANGE;
  return UTF8_OVERLONG; /* E0, F0, F8, FC */
}

/* Returns the rules of a dialect that can start with a byte, followed by NULL. The first call
** makes the table for all dialects and bytes. */
static inline const AbnfRule *const *abnf_rules_of(size_t dialect, uint8_t byte) {
  static const AbnfRule *found[ABNF_DIALECTS][256][4];
  static int ready;
  if (!ready) {
    for (size_t d = 0; d < ABNF_DIALECTS; d++) {
      for (int b = 0; b < 256; b++) {
        size_t n = 0;
        for (size_t i = 0; i < ABNF_RULES; i++) {
          const AbnfRule *f = &abnf_rules[i];
          int fits = b >= f->range[0][0] && b <= f->range[0][1];
          if (fits && (f->dialects & abnf_dialects[d].bit)) found[d][b][n++] = f;
        }
      }
    }
    ready = 1;
  }
  return found[dialect][byte];
}

static inline Utf8Step abnf_result(uint32_t codepoint, size_t length, Utf8Error error) {
  Utf8Step step = {codepoint, (uint8_t)length, error};
  return step;
}

/* Returns what utf8core_step() must return. */
static inline Utf8Step abnf_step(const AbnfDialect *dialect, const uint8_t *text,
                                 size_t size, size_t at) {
  const uint8_t *p = text + at;
  size_t left = size - at, longest = 0;
  const AbnfRule *const *rule = abnf_rules_of((size_t)(dialect - abnf_dialects), *p);
  for (; *rule; rule++) {
    size_t n = abnf_match(*rule, p, left);
    if (n == (*rule)->length) {
      int paired = dialect->bit == ABNF_WTF8 && n == 3 &&
                   (abnf_is_pair(text, size, at) ||
                    (at >= 3 && abnf_is_pair(text, size, at - 3)));
      if (paired) return abnf_result(0, 3, UTF8_SURROGATE);
      return abnf_result(abnf_codepoint(*rule, p), n, UTF8_WELL_FORMED);
    }
    if (n > longest) longest = n;
  }
  if (dialect->bit & ABNF_BYTES) return abnf_result(0xDC00u + *p, 1, UTF8_WELL_FORMED);
  int is_subpart = (dialect->bit & (ABNF_PAIRS | ABNF_UTF16)) != 0;
  if (is_subpart && abnf_is_surrogate(text, size, at, 0xA0, 0xBF)) {
    return abnf_result(0, 3, UTF8_SURROGATE);
  }
  if (longest == 0) return abnf_result(0, 1, abnf_start_error(*p));
  return abnf_result(0, longest, abnf_end_error(p, left, longest));
}

/* Does the whole text match *( UTF8-char )? */
static inline int abnf_valid(const uint8_t *text, size_t size) {
  size_t at = 0;
  while (at < size) {
    Utf8Step step = abnf_step(&abnf_dialects[0], text, size, at);
    if (step.error) return 0;
    at += step.length;
  }
  return 1;
}

/* Can the text be the result of a conversion from UTF-16, so that UTF8_FROM_UTF16 applies?
** Such text has only two kinds of error: lone surrogates, and an odd last byte
** (UTF8_ODD_BYTES). */
static inline int abnf_is_from_utf16(const uint8_t *text, size_t size) {
  for (size_t at = 0; at < size;) {
    Utf8Step step = abnf_step(&abnf_dialects[6], text, size, at);
    int lone = step.error == UTF8_SURROGATE && step.length == 3;
    int odd = step.error == UTF8_TRUNCATED && step.length == 3 && text[at] == 0xF1;
    if (step.error && !odd && (!lone || abnf_is_pair(text, size, at))) return 0;
    at += step.length;
  }
  return 1;
}

/* ---- repair ---------------------------------------------------------------------- */

/* WHATWG's index-windows-1252, bytes 80..9F. */
static const uint16_t abnf_windows1252[32] = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x008D, 0x017D, 0x008F,
    0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

/* Writes a backslash, a letter, and the value as lower-case hexadecimal digits. Returns the
** length. */
static inline size_t abnf_escape(uint8_t *out, char letter, unsigned value,
                                 int digits) {
  out[0] = '\\';
  out[1] = (uint8_t)letter;
  for (int i = 0; i < digits; i++) {
    out[2 + i] = (uint8_t) "0123456789abcdef"[value >> 4 * (digits - 1 - i) & 15];
  }
  return 2 + (size_t)digits;
}

/* Is text[at..size) a sequence that the end of the text cuts off? In UTF-16, a high surrogate is
** one, also with an odd byte after it. */
static inline int abnf_is_cut_off(const AbnfDialect *dialect, const uint8_t *text,
                                  size_t size, size_t at, int utf16) {
  Utf8Step step = abnf_step(dialect, text, size, at);
  if (step.error == UTF8_TRUNCATED) return at + step.length == size;
  if (!utf16 || step.error != UTF8_SURROGATE || text[at + 1] >= 0xB0) return 0;
  at += step.length;
  return at == size || abnf_step(dialect, text, size, at).error == UTF8_TRUNCATED;
}

/* Writes what replaces one byte in latin1 or windows-1252, or under escape. Returns the
** length. */
static inline size_t abnf_repair_byte(const Utf8Repair *how, uint8_t byte,
                                      uint8_t *out) {
  if (how->policy == UTF8_POLICY_ESCAPE) return abnf_escape(out, 'x', byte, 2);
  uint32_t c = byte;
  if (how->charset == UTF8_CHARSET_WINDOWS1252 && byte < 0xA0)
    c = abnf_windows1252[byte - 0x80];
  return abnf_encode(ABNF_UTF8, c, out);
}

/* Writes what utf8core_repair() must write for the same arguments. Returns the length. For
** each byte of text, out has room for 6 bytes or the replacement, whichever is longer. */
static inline size_t abnf_repair(const Utf8Repair *how, const uint8_t *text,
                                 size_t size, uint8_t *out) {
  static const uint8_t fffd[3] = {0xEF, 0xBF, 0xBD};
  int utf16 = how->dialect == UTF8_FROM_UTF16, in_run = 0;
  const AbnfDialect *dialect = &abnf_dialects[utf16 ? 6 : 0];
  const uint8_t *with = how->replacement ? how->replacement : fffd;
  size_t with_size = how->replacement ? how->replacement_size : 3, n = 0;
  for (size_t at = 0; at < size;) {
    const uint8_t *p = text + at;
    Utf8Step step = abnf_step(dialect, text, size, at);
    size_t length = step.length, times = 1;
    int joins_run = in_run;
    in_run = step.error != UTF8_WELL_FORMED;
    if (!step.error) {
      memcpy(out + n, p, length);
      n += length;
    } else if (how->policy == UTF8_POLICY_CESU8 && abnf_is_pair(text, size, at)) {
      step = abnf_step(&abnf_dialects[2], text, size, at); /* cesu-8 */
      n += abnf_encode(ABNF_UTF8, step.codepoint, out + n);
      length = 6;
    } else if (how->policy == UTF8_POLICY_CESU8 && size - at >= 2 && p[0] == 0xC0 &&
               p[1] == 0x80) {
      out[n++] = 0;
      length = 2;
    } else if (how->policy == UTF8_POLICY_TRIM &&
               abnf_is_cut_off(dialect, text, size, at, utf16)) {
      return n;
    } else if (how->policy >= UTF8_POLICY_ESCAPE && !utf16) {
      for (size_t i = 0; i < length; i++) n += abnf_repair_byte(how, p[i], out + n);
    } else if (how->policy == UTF8_POLICY_ESCAPE && step.error == UTF8_SURROGATE) {
      unsigned low = (p[1] & 0x3Fu) << 6 | (p[2] & 0x3Fu);
      n += abnf_escape(out + n, 'u', 0xD000u + low, 4);
    } else if (how->policy == UTF8_POLICY_ESCAPE) {
      n += abnf_escape(out + n, 'x', UTF8_ODD_BYTE(p), 2);
    } else {
      if (how->policy == UTF8_POLICY_BYTE && !utf16) times = length;
      if (how->policy == UTF8_POLICY_RUN && joins_run) times = 0;
      for (; times > 0; times--, n += with_size) {
        if (with_size) memcpy(out + n, with, with_size);
      }
    }
    at += length;
  }
  return n;
}

#endif
