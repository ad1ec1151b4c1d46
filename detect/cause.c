/* detect/cause.c: decides what happened to ill-formed bytes.
**
** Rules decide what is not a matter of likelihood: binary data, the dialects of UTF-8, overlong
** forms, UTF-16. For the others, readings are compared in bits (detect/model.h):
**
**   a legacy charset     the whole value is text in it
**   UTF-8, pasted text   ill-formed subparts are text in a single-byte charset
**   UTF-8, damaged       ill-formed subparts are what is left of sequences
**
** The cheapest reading is the cause if it beats every reading with other text by a margin. decideAlone()
** chooses that of a value alone, detect/among.c that of a value in a column.
*/
#include "detect/cause.h"
#include "charset/legacy.h"
#include "detect/readings.h"
#include "detect/rules.h"
#include "detect/usage.h"
#include "simd/bytes.h"
#include <string.h>

/* Bits that speak against text of two charsets in one value. */
#define PASTED_BITS 3

/* ---- rules --------------------------------------------------------------------------------- */

static Utf8Cause plainCause(Utf8CauseKind kind) {
  return (Utf8Cause){kind, UTF8_CHARSET_UNKNOWN};
}

/* Returns the length of the overlong form at bytes[0..size) of an ASCII character or another one
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

/* Does the overlong form hide a character that means something in paths, markup or SQL? The forms of
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
    return plainCause(UTF8_CAUSE_BINARY);
  case UTF8_CHARSET_CESU8:
    return plainCause(UTF8_CAUSE_CESU8);
  case UTF8_CHARSET_MUTF8:
    return plainCause(UTF8_CAUSE_MUTF8);
  default:
    return (Utf8Cause){UTF8_CAUSE_CHARSET, charset};
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
  *cause = plainCause(UTF8_CAUSE_NONE);
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

/* ---- readings -------------------------------------------------------------------------------- */

static void readPasted(Utf8Readings *r, const Utf8Damage *damage, uint64_t margin) {
  const Utf8Surroundings around = {&r->whole_pairs, damage};
  const uint64_t base =
      utf8detect_text_cost(damage, &r->whole_pairs) + PASTED_BITS * UTF8_MODEL_UNIT;
  const uint64_t limit = r->least + margin;
  if (damage->sequences == 0 || damage->beside > 0 || damage->torn > 0) return;
  r->pasted_count = utf8detect_rank(r->pasted, &r->pasted_pairs, NULL, &around,
                                    limit - utf8detect_lesser(base, limit), margin);
  for (size_t i = 0; i < r->pasted_count; i++) r->pasted[i].cost += base;
  if (r->pasted_count > 0) r->least = utf8detect_lesser(r->least, r->pasted[0].cost);
}

/* Bits that speak against damage for each lead byte that it would not leave alone. */
#define ISOLATED_MORE_BITS 12

/* Bits that speak for damage that left no whole sequence: no price of detect/damage.c is sure then. And
** bits against it for each further place that is ill-formed: something would be left. */
#define NONE_LESS_BITS    4
#define NONE_FURTHER_BITS 10

static uint64_t costOfDamage(const Utf8Damage *damage, const Utf8PairList *pairs) {
  uint64_t cost = utf8detect_damage_cost(damage, pairs);
  const uint64_t isolated = utf8detect_damage_isolated(damage) * ISOLATED_MORE_BITS;
  const uint64_t less = utf8detect_lesser(NONE_LESS_BITS * UTF8_MODEL_UNIT, cost);
  cost += utf8detect_pairs_share(pairs, isolated * UTF8_MODEL_UNIT);
  if (damage->sequences > 0) return cost;
  return cost - less + (damage->runs - 1) * NONE_FURTHER_BITS * UTF8_MODEL_UNIT;
}

static void beginReadings(Utf8Readings *r, Utf8CauseEvidence *e) {
  utf8detect_pairs_list(&r->whole_pairs, &e->whole.pairs);
  utf8detect_pairs_list(&r->pasted_pairs, &e->pasted);
  r->whole_count = r->pasted_count = 0;
}

void utf8detect_read_utf8(Utf8Readings *r, Utf8CauseEvidence *e,
                          const Utf8Damage *damage, uint64_t margin) {
  beginReadings(r, e);
  r->least = r->damaged = utf8detect_damage_cost(damage, &r->whole_pairs);
  readPasted(r, &e->whole.damage, margin);
}

/* Reads a value alone, whose evidence is complete, in all ways. The language of the value and what people
** use weigh more then: nothing else is known. */
static void readAlone(Utf8Readings *r, Utf8CauseEvidence *e, uint64_t margin) {
  const Utf8Surroundings around = {&r->whole_pairs, NULL};
  const Utf8Damage *damage = &e->whole.damage;
  beginReadings(r, e);
  r->least = r->damaged = costOfDamage(damage, &r->whole_pairs);
  r->whole_count = utf8detect_rank(r->whole, &r->whole_pairs, &e->whole.asian, &around,
                                   r->damaged + margin, margin);
  if (r->whole_count > 0) r->least = utf8detect_lesser(r->least, r->whole[0].cost);
  readPasted(r, damage, margin);
}

int utf8detect_is_same_text(const uint8_t *bytes, size_t count, Utf8Charset a,
                            Utf8Charset b) {
  if (a == b) return 1;
  if (!utf8charset_extends_ascii(a) || !utf8charset_extends_ascii(b)) return 0;
  const uint16_t *one = utf8charset_high(a), *other = utf8charset_high(b);
  for (size_t i = 0; i < count; i++) {
    if (one[bytes[i]] != other[bytes[i]]) return 0;
  }
  return 1;
}

/* Does iso-8859-16 differ from the charset in nothing but Romanian's ș and ț for ş and ţ? */
static int hasComma(const Utf8PairList *pairs, Utf8Charset charset) {
  const Utf8Charset romanian = UTF8_CHARSET_ISO8859_16;
  return utf8charset_extends_ascii(charset) &&
         utf8detect_is_alike(charset, romanian, pairs->bytes, pairs->bytes_count) &&
         !utf8detect_is_same_text(pairs->bytes, pairs->bytes_count, charset, romanian);
}

/* Returns the cost of the cheapest reading in the list with other text than the first one. */
static uint64_t costOfOther(const Utf8Ranked *list, size_t count,
                            const Utf8PairList *pairs) {
  for (size_t i = 1; i < count; i++) {
    if (!utf8detect_is_same_text(pairs->bytes, pairs->bytes_count, list[0].charset,
                                 list[i].charset))
      return list[i].cost;
  }
  return UINT64_MAX;
}

static uint64_t costOfFirst(const Utf8Ranked *list, size_t count) {
  return count > 0 ? list[0].cost : UINT64_MAX;
}

/* ---- the decision ------------------------------------------------------------------------------ */

static int beats(uint64_t cost, uint64_t other, uint64_t margin) {
  return other > cost && other - cost >= margin;
}

/* Returns the cause of what is likeliest UTF-8 with damage. It is unclear if several places are
** ill-formed and fewer whole sequences speak for UTF-8: the charset may be one that is not compared,
** and repairing damage would lose its bytes. */
Utf8Cause utf8detect_cause_of_damage(const Utf8Damage *damage) {
  if (damage->runs > 1 && damage->runs > damage->sequences)
    return plainCause(UTF8_CAUSE_UNCLEAR);
  return plainCause(damage->cuts == damage->runs ? UTF8_CAUSE_CUT : UTF8_CAUSE_DAMAGED);
}

/* What Vietnamese in viscii costs at most, and a pair of it. Text in TCVN, which is not compared, reads
** best in viscii, but costs more. Of random words of tool/detect/rates.py, 10 to 400 characters long,
** 2,011 texts of 2,027 in viscii stay, and 11 of 1,298 in TCVN. */
#define VISCII_BITS ((uint64_t)10 * UTF8_MODEL_UNIT)
#define VISCII_PAIR ((uint64_t)25 * UTF8_MODEL_UNIT / 4)

/* Is the best reading in viscii, although it is hardly Vietnamese? */
static int isOtherVietnamese(const Utf8Readings *r) {
  return r->whole[0].charset == UTF8_CHARSET_VISCII &&
         r->whole[0].cost > r->whole_pairs.high_sum * VISCII_PAIR + VISCII_BITS;
}

/* Returns the cause that the readings show: what beats all others by the margin, and the same way of
** reading in other charsets by the margin `among`. The readings were made for the greater one,
** or more. */
static Utf8Cause decideByMargins(const Utf8Readings *r, const Utf8Damage *damage,
                                 uint64_t margin, uint64_t among) {
  const uint64_t whole = costOfFirst(r->whole, r->whole_count);
  const uint64_t pasted = costOfFirst(r->pasted, r->pasted_count);
  const uint64_t whole_other = costOfOther(r->whole, r->whole_count, &r->whole_pairs);
  const uint64_t pasted_other =
      costOfOther(r->pasted, r->pasted_count, &r->pasted_pairs);
  if (beats(whole, utf8detect_lesser(pasted, r->damaged), margin) &&
      beats(whole, whole_other, among))
    return isOtherVietnamese(r) ? plainCause(UTF8_CAUSE_UNCLEAR)
                                : (Utf8Cause){UTF8_CAUSE_CHARSET, r->whole[0].charset};
  if (beats(pasted, utf8detect_lesser(whole, r->damaged), margin) &&
      beats(pasted, pasted_other, among) &&
      utf8charset_extends_ascii(r->pasted[0].charset)) /* else no policy writes it */
    return (Utf8Cause){UTF8_CAUSE_PASTED, r->pasted[0].charset};
  if (beats(r->damaged, utf8detect_lesser(whole, pasted), margin))
    return utf8detect_cause_of_damage(damage);
  return plainCause(UTF8_CAUSE_UNCLEAR);
}

/* Beside ASCII, this many overlong forms are not text in a multi-byte charset: all of its characters
** would start with C0 or C1. */
#define OVERLONG_FORMS 3

/* Does a multi-byte charset read the value, and better than UTF-8 does? */
static int isLikelierAsian(const Utf8Evidence *e) {
  const uint64_t cost = e->damage.text + utf8detect_damage_price(&e->damage);
  for (size_t i = 0; i < UTF8_ASIAN_CAUSES; i++) {
    if (e->asian.sum[i].broken == 0 && e->asian.sum[i].cost < cost) return 1;
  }
  return 0;
}

int utf8detect_is_overlong(const Utf8CauseEvidence *e) {
  const Utf8Overlongs *o = &e->overlongs;
  if (o->is_other || (o->bytes == o->size && o->size % 2 == 0)) return 0;
  if (e->whole.damage.sequences > 0) return !isLikelierAsian(&e->whole);
  return o->has_attack || o->forms >= OVERLONG_FORMS;
}

/* The margin by which the best reading of a value alone must beat the best one with other text. It is
** smaller in a sentence, which shows its language: from SENTENCE_PAIRS different pairs of bytes on. */
#define ALONE_MARGIN    ((uint64_t)13 * UTF8_MODEL_UNIT)
#define SENTENCE_MARGIN ((uint64_t)10 * UTF8_MODEL_UNIT)
#define SENTENCE_PAIRS  32

/* The margin over other charsets in a sentence with CHARSET_PAIRS pairs beyond ASCII. English may
** have a foreign name in it; if the ASCII letters are not English, CHARSET_PAIRS_FOREIGN are enough. */
#define CHARSET_MARGIN        ((uint64_t)7 * UTF8_MODEL_UNIT)
#define CHARSET_PAIRS         8
#define CHARSET_PAIRS_FOREIGN 3

/* Does the sentence show its charset? */
static int showsCharset(const Utf8Readings *r) {
  const int isForeign = r->whole_count > 0 && r->whole[0].is_foreign;
  return r->whole_pairs.high >= (isForeign ? CHARSET_PAIRS_FOREIGN : CHARSET_PAIRS);
}

static Utf8Cause decideAlone(const Utf8Readings *r, const Utf8Damage *damage) {
  if (r->whole_pairs.size < SENTENCE_PAIRS)
    return decideByMargins(r, damage, ALONE_MARGIN, ALONE_MARGIN);
  return decideByMargins(r, damage, SENTENCE_MARGIN,
                         showsCharset(r) ? CHARSET_MARGIN : SENTENCE_MARGIN);
}

/* The margin over other charsets in a language that the model does not have, such as Kurdish or
** Breton. The letters beyond ASCII show that too: a pair costs more than STRANGE_PAIR. */
#define STRANGE_MARGIN ((uint64_t)14 * UTF8_MODEL_UNIT)
#define STRANGE_PAIR   ((uint64_t)6 * UTF8_MODEL_UNIT)

/* Does windows-1252 read all bytes beyond ASCII as signs, where they stand or from A0 on? Those belong to
** no language. */
static int hasSignsOnly(const Utf8PairList *pairs) {
  const uint16_t *high = utf8charset_high(UTF8_CHARSET_WINDOWS1252);
  if (utf8detect_usage_are_signs(pairs)) return 1;
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    const unsigned byte = pairs->bytes[i];
    if (byte < 0xA0 - 0x80 || !utf8detect_is_sign(high[byte])) return 0;
  }
  return 1;
}

/* Is the best reading in a language that the model does not have? */
static int isStrange(const Utf8Readings *r) {
  return r->whole[0].is_strange &&
         r->whole[0].cost > r->whole_pairs.high_sum * STRANGE_PAIR &&
         !hasSignsOnly(&r->whole_pairs);
}

/* Returns the cause of a strange text. Reads it again for the greater margin. */
static Utf8Cause decideStrange(Utf8Readings *r, Utf8CauseEvidence *e) {
  readAlone(r, e, STRANGE_MARGIN);
  return decideByMargins(r, &e->whole.damage, SENTENCE_MARGIN, STRANGE_MARGIN);
}

Utf8Cause utf8detect_cause_decide(Utf8CauseEvidence *e) {
  Utf8Readings r;
  if (utf8detect_is_overlong(e)) return plainCause(UTF8_CAUSE_OVERLONG);
  readAlone(&r, e, ALONE_MARGIN);
  Utf8Cause cause = decideAlone(&r, &e->whole.damage);
  if (cause.kind == UTF8_CAUSE_CHARSET && isStrange(&r)) cause = decideStrange(&r, e);
  const int isUnclear =
      cause.kind == UTF8_CAUSE_CHARSET && hasComma(&r.whole_pairs, cause.charset);
  return isUnclear ? plainCause(UTF8_CAUSE_UNCLEAR) : cause;
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
    o->forms++;
    o->bytes += length;
    o->at += length;
  }
}

void utf8detect_cause_begin(Utf8CauseEvidence *e) {
  utf8detect_begin(&e->whole);
  utf8detect_pairs_begin(&e->pasted);
}

void utf8detect_cause_add(Utf8CauseEvidence *e, const uint8_t *bytes, size_t size,
                          size_t at, size_t until) {
  if (at == 0) e->overlongs = (Utf8Overlongs){.size = size};
  addOverlongs(&e->overlongs, bytes, size, until);
  utf8detect_pairs_add(&e->whole.pairs, bytes, at, until);
  utf8detect_add_asian(&e->whole.asian, bytes, size, at, until);
  utf8detect_damage_add(&e->whole.damage, &e->pasted, bytes, size, at, until, 1);
  if (until == size) utf8detect_pairs_end(&e->whole.pairs);
}

Utf8Cause utf8detect_cause(const uint8_t *bytes, size_t size) {
  Utf8CauseEvidence evidence;
  Utf8Cause cause;
  if (utf8detect_cause_by_rules(bytes, size, UTF8_STRICT, &cause)) return cause;
  utf8detect_cause_begin(&evidence);
  utf8detect_cause_add(&evidence, bytes, size, 0, size);
  return utf8detect_cause_decide(&evidence);
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

void utf8detect_cause_name(Utf8Cause cause, char name[UTF8_CAUSE_NAME_MAX]) {
  size_t at = 0;
  if (cause.kind == UTF8_CAUSE_PASTED) at = appendName(name, 0, "utf-8+");
  appendName(name, at,
             causeNames[cause.kind] ? causeNames[cause.kind]
                                    : utf8core_charset_name(cause.charset));
}

Utf8CauseAction utf8detect_cause_repair(Utf8Cause cause, Utf8Repair *how) {
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
