/* detect/cause.c: decides what happened to ill-formed bytes.
**
** Rules decide what is not a matter of likelihood: binary data, the dialects of UTF-8, overlong
** sequences, UTF-16. For the others, detect/readings.c has the probability of each reading.
*/
#include "detect/cause.h"
#include "charset/legacy/legacy.h"
#include "core/step.h"
#include "detect/readings.h"
#include "detect/rules.h"
#include "core/bytes.h"
#include <string.h>

/* ---- rules --------------------------------------------------------------------------------- */

static Utf8Cause causeOfKind(Utf8CauseKind kind) {
  return (Utf8Cause){.kind = kind, .charset = UTF8_CHARSET_UNKNOWN};
}

/* Returns the length of the overlong sequence at bytes[0..size) of an ASCII character or another one
** that is whole, or 0. */
static size_t overlongLength(const uint8_t *bytes, size_t size) {
  const size_t length = bytes_sequence_length(bytes[0]);
  const int isLead =
      bytes[0] == 0xC0 || bytes[0] == 0xC1 || bytes[0] == 0xE0 || bytes[0] == 0xF0;
  if (!isLead || length > size) return 0;
  if (bytes[0] == 0xE0 && bytes[1] >= 0xA0) return 0;
  if (bytes[0] == 0xF0 && bytes[1] >= 0x90) return 0;
  for (size_t i = 1; i < length; i++) {
    if (!bytes_is_continuation(bytes[i])) return 0;
  }
  return length;
}

/* Does the overlong sequence hide a character that means something in paths, markup or SQL? The sequences of
** letters and digits are just as likely characters of GBK. */
static int isAttack(const uint8_t *bytes, size_t length) {
  const unsigned code = (bytes[0] & 1u) << 6 | (bytes[1] & 63u);
  return length > 2 || code < ' ' || memchr("./\\<>\"'%;", (int)code, 9) != NULL;
}

/* Are the errors only at the start and at the end? */
static int isCutUtf16(const uint8_t *bytes, size_t size) {
  size_t at = 0;
  Utf8FirstError error = utf8core_find_error(bytes, size, 0, size, UTF8_FROM_UTF16);
  if (error.offset == 0) at = error.length;
  error = utf8core_find_error(bytes, size, at, size, UTF8_FROM_UTF16);
  return !error.error || error.offset + error.length == size;
}

static Utf8Cause causeOfCharset(Utf8Charset charset) {
  switch (charset) {
  case UTF8_CHARSET_BINARY:
    return causeOfKind(UTF8_CAUSE_BINARY);
  case UTF8_CHARSET_CESU8:
    return causeOfKind(UTF8_CAUSE_CESU8);
  case UTF8_CHARSET_MUTF8:
    return causeOfKind(UTF8_CAUSE_MUTF8);
  default:
    return (Utf8Cause){.kind = UTF8_CAUSE_CHARSET, .charset = charset};
  }
}

/* Does a short value end inside a code unit of UTF-16 or UTF-32? Then a mark at its start may be an
** accident. A long one was probably cut. */
static int isBrokenUnits(Utf8Charset charset, size_t size) {
  switch (charset) {
  case UTF8_CHARSET_UTF16:
  case UTF8_CHARSET_UTF16LE:
  case UTF8_CHARSET_UTF16BE:
    return size < 64 && size % 2 != 0;
  case UTF8_CHARSET_UTF32:
  case UTF8_CHARSET_UTF32LE:
  case UTF8_CHARSET_UTF32BE:
    return size < 128 && size % 4 != 0;
  default:
    return 0;
  }
}

int utf8detect_cause_by_rules(const uint8_t *bytes, size_t size, unsigned dialect,
                              Utf8Cause *cause) {
  *cause = causeOfKind(UTF8_CAUSE_NONE);
  if (!utf8core_find_error(bytes, size, 0, size, dialect).error) return 1;
  if (dialect & UTF8_FROM_UTF16) {
    cause->kind = isCutUtf16(bytes, size) ? UTF8_CAUSE_CUT : UTF8_CAUSE_DAMAGED;
    return 1;
  }
  const Utf8Charset charset = utf8detect_by_rules(bytes, size);
  const int isOpen = charset == UTF8_CHARSET_UNKNOWN || charset == UTF8_CHARSET_UTF8BOM;
  if (!isOpen) *cause = causeOfCharset(charset);
  if (isBrokenUnits(charset, size)) cause->kind = UTF8_CAUSE_UNCLEAR;
  return cause->kind != UTF8_CAUSE_NONE;
}

/* ---- escaped bytes ------------------------------------------------------------------------------ */

/* In a legacy charset, one of them may be an accident. */
#define ESCAPES_BEFORE_CUT 2

int utf8detect_is_escaped(const uint8_t *bytes, size_t size) {
  size_t at = 0, escapes = 0;
  for (;;) {
    const Utf8FirstError error =
        utf8core_find_error(bytes, size, at, size, UTF8_STRICT);
    at = error.offset;
    if (!error.error) return escapes > 0;
    if (isPair(bytes, size, at)) {
      at += 6;
    } else if (isSurrogateAt(bytes, size, at, 0xA0) ||
               isSurrogateAt(bytes, size, at, 0xB0)) {
      escapes += (size_t)isEscapeAt(bytes, size, at);
      at += 3;
    } else {
      return escapes >= ESCAPES_BEFORE_CUT && size - at <= 3;
    }
  }
}

/* ---- overlong sequences ---------------------------------------------------------------------------- */

/* Beside ASCII, this many overlong sequences are not text in a multi-byte charset: all of its characters
** would start with C0 or C1. */
#define OVERLONG_SEQUENCES 3

/* Does a multi-byte charset read the value, and better than UTF-8 does? */
static int isLikelierAsian(const Utf8Evidence *e) {
  const uint64_t cost = e->damage.text + utf8detect_damage_price(&e->damage);
  for (size_t i = 0; i < UTF8_ASIAN_CAUSES; i++) {
    if (e->asian.sum[i].broken == 0 && e->asian.sum[i].cost < cost) return 1;
  }
  return 0;
}

int utf8detect_cause_is_overlong(const Utf8CauseEvidence *e) {
  const Utf8Overlongs *o = &e->overlongs;
  if (o->sequences == 0 || o->is_other) return 0;
  if (o->bytes == o->size && o->size % 2 == 0) return 0;
  if (e->whole.damage.sequences > 0) return !isLikelierAsian(&e->whole);
  return o->has_attack || o->sequences >= OVERLONG_SEQUENCES;
}

/* ---- evidence --------------------------------------------------------------------------------- */

static void addOverlongs(Utf8Overlongs *o, const uint8_t *bytes, size_t size,
                         size_t until) {
  while (o->at < until && !o->is_other) {
    const Utf8FirstError error =
        utf8core_find_error(bytes, size, o->at, until, UTF8_STRICT);
    o->at = error.offset;
    if (!error.error) return;
    const size_t length = overlongLength(bytes + o->at, size - o->at);
    o->is_other = length == 0;
    if (length == 0) return;
    o->has_attack |= isAttack(bytes + o->at, length);
    o->sequences++;
    o->bytes += length;
    o->at += length;
  }
}

void utf8detect_cause_begin(Utf8CauseEvidence *e) {
  utf8detect_begin(&e->whole);
  utf8detect_bigrams_begin(&e->pasted.bigrams);
  utf8detect_trigrams_begin(&e->pasted.trigrams);
}

void utf8detect_cause_add(Utf8CauseEvidence *e, const uint8_t *bytes, size_t size,
                          size_t at, size_t until) {
  if (at == 0) e->overlongs = (Utf8Overlongs){.size = size};
  addOverlongs(&e->overlongs, bytes, size, until);
  utf8detect_bigrams_add(&e->whole.bigrams, bytes, size, at, until);
  utf8detect_trigrams_add(&e->whole.trigrams, bytes, size, at, until);
  utf8detect_add_asian(&e->whole.asian, bytes, size, at, until);
  utf8detect_damage_add(&e->whole.damage, &e->pasted, bytes, size, at, until, 1);
}

Utf8Cause utf8detect_cause(const uint8_t *bytes, size_t size) {
  Utf8CauseEvidence evidence;
  Utf8Readings readings;
  Utf8Cause cause;
  if (utf8detect_cause_by_rules(bytes, size, UTF8_STRICT, &cause)) return cause;
  utf8detect_cause_begin(&evidence);
  utf8detect_cause_add(&evidence, bytes, size, 0, size);
  utf8detect_readings(&readings, &evidence, 0, NULL);
  return readings.cause;
}

/* ---- what follows ------------------------------------------------------------------------------ */

/* The names of the kinds; NULL for those named after a charset. */
static const char *const causeNames[] = {
    [UTF8_CAUSE_NONE] = "",
    [UTF8_CAUSE_BINARY] = "binary",
    [UTF8_CAUSE_CESU8] = "cesu-8",
    [UTF8_CAUSE_MUTF8] = "mutf-8",
    [UTF8_CAUSE_OVERLONG] = "overlong",
    [UTF8_CAUSE_CUT] = "cut",
    [UTF8_CAUSE_DAMAGED] = "damaged",
    [UTF8_CAUSE_UNCLEAR] = "unclear",
};

static size_t appendName(char *name, size_t at, const char *text) {
  const size_t length = bytes_min(strlen(text), UTF8_CAUSE_NAME_MAX - 1 - at);
  memcpy(name + at, text, length);
  name[at + length] = '\0';
  return at + length;
}

/* Is the value, once unescaped, text in which nothing is lost? */
static int isRestored(Utf8Cause cause) {
  return cause.is_escaped &&
         (cause.kind == UTF8_CAUSE_NONE || cause.kind == UTF8_CAUSE_CHARSET ||
          cause.kind == UTF8_CAUSE_PASTED);
}

void utf8detect_cause_name(Utf8Cause cause, char name[UTF8_CAUSE_NAME_MAX]) {
  size_t at = 0;
  if (isRestored(cause)) {
    appendName(name, 0, "surrogateescape");
    return;
  }
  if (cause.kind == UTF8_CAUSE_PASTED) at = appendName(name, 0, "utf-8+");
  appendName(name, at,
             causeNames[cause.kind] ? causeNames[cause.kind]
                                    : utf8core_charset_name(cause.charset));
}

Utf8CauseAction utf8detect_cause_repair(Utf8Cause cause, Utf8Repair *how) {
  if (cause.is_escaped && cause.kind == UTF8_CAUSE_NONE) {
    how->policy = UTF8_POLICY_SUBPART;
    return UTF8_CAUSE_REPAIR;
  }
  switch (cause.kind) {
  case UTF8_CAUSE_NONE:
  case UTF8_CAUSE_BINARY:
    return UTF8_CAUSE_KEEP;
  case UTF8_CAUSE_CHARSET:
    return UTF8_CAUSE_DECODE;
  case UTF8_CAUSE_CESU8:
  case UTF8_CAUSE_MUTF8:
    how->policy = UTF8_POLICY_CESU8;
    return UTF8_CAUSE_REPAIR;
  case UTF8_CAUSE_PASTED:
    how->policy = UTF8_POLICY_CHARSET;
    how->charset = cause.charset;
    return UTF8_CAUSE_REPAIR;
  default:
    how->policy = UTF8_POLICY_SUBPART;
    return UTF8_CAUSE_REPAIR;
  }
}
