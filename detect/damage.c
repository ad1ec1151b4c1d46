/* detect/damage.c: reads bytes as UTF-8 in which some are lost or changed.
**
** Such a text costs what its code points do, and a price for each place with a damaged sequence:
** damage is rare, but what it leaves of a sequence is not arbitrary. A lead byte that the text
** has elsewhere, or a continuation byte, is likely; a byte that no sequence of the language
** contains is not.
*/
#include "detect/damage.h"
#include "detect/model.h"
#include "core/step.h"
#include "core/bytes.h"

/* ---- prices, in bits -------------------------------------------------------------------- */

#define RUN_BITS       12 /* a damaged sequence */
#define FURTHER_BITS   8  /* one more in the same place */
#define CUT_BITS       7  /* one at an end of a value */
#define TRAIL_BITS     5  /* a continuation byte */
#define LOW_TRAIL_BITS 4  /* one below A0, in a value without whole sequences */
#define SEEN_BITS      1  /* a lead byte that starts a whole sequence elsewhere */
#define UNSEEN_BITS    4 /* a lead byte, in a value that has whole sequences with others */
#define ISOLATED_BITS  9 /* an unlikely lead byte alone: damage would leave more */
#define INSERTED_BITS                                                                  \
  16 /* at most, if it is all that is ill-formed beside whole sequences: a byte was added */
#define NONE_BITS 2 /* no whole sequence beyond ASCII: nothing speaks for UTF-8 */

/* The bits of lead bytes C0..FF, in a value without whole sequences. */
static const uint8_t damageLeads[64] = {
    12, 12, 3, 1, 3, 3, 8, 8, 10, 10, 10, 10, 9, 9, 5, 5, /* C0..CF */
    5,  5,  9, 9, 9, 9, 9, 6, 6,  6,  8,  9,  9, 9, 9, 9, /* D0..DF */
    5,  9,  4, 5, 5, 5, 5, 5, 5,  5,  6,  5,  5, 6, 9, 7, /* E0..EF */
    5,  9,  9, 9, 9, 9, 9, 9, 9,  9,  9,  9,  9, 9, 9, 9, /* F0..FF */
};

/* ---- runs of ill-formed bytes ------------------------------------------------------------ */

#define SEQUENCE_MAX 4 /* bytes of a damaged sequence */

static void addRunByte(Utf8Damage *d, uint8_t byte) {
  if (d->run == 0) d->run_is_headless = (uint8_t)bytes_is_continuation(byte);
  if (d->run % SEQUENCE_MAX == 0) d->runs++;
  d->run++;
  d->errors++;
  d->value_errors++;
  if (bytes_is_continuation(byte)) {
    d->trails++;
    if (byte < 0xA0) d->low_trails++;
  } else {
    d->lead_bits |= (uint64_t)1 << (byte - 0xC0);
    d->leads[byte - 0xC0]++;
    d->run_lead = byte;
    d->run_leads++;
  }
}

/* Does the run that ends at `at` consist of continuation bytes whose lead byte may have been cut
** off? */
static int isCutStart(const Utf8Damage *d) {
  return d->run == d->at && d->run <= 3 && d->run_leads == 0;
}

/* Adds the sequences that the run must have been parts of: each lead byte starts one. */
static void countFurther(Utf8Damage *d) {
  const size_t places = (d->run + SEQUENCE_MAX - 1) / SEQUENCE_MAX;
  const size_t sequences = d->run_leads + d->run_is_headless;
  d->further += sequences > places ? sequences - places : 0;
}

/* Is the run a lead byte, and all that it leads question marks and continuation bytes? Programs write a question mark for a
** byte that they do not know. */
static int isOverwritten(const Utf8Damage *d, const uint8_t *bytes, size_t size) {
  const size_t length = bytes_sequence_length(d->run_lead), start = d->at - 1;
  if (d->run != 1 || d->run_leads != 1 || size - start < length) return 0;
  for (size_t i = 1; i < length; i++)
    if (bytes[start + i] != '?' && !bytes_is_continuation(bytes[start + i])) return 0;
  return 1;
}

/* Ends the run, if there is one. A lead byte at the end of the value is not alone after whole sequences: a cut left it. */
static void endRun(Utf8Damage *d) {
  if (d->run == 0) return;
  countFurther(d);
  if (isCutStart(d) || d->is_cut) d->cuts++;
  const int isCutEnd = d->is_cut && d->value_sequences > 0;
  if (d->run == 1 && d->run_leads == 1 && !isCutEnd) d->lone[d->run_lead - 0xC0]++;
  d->run = d->run_leads = 0;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* Returns the class of a byte beside an ill-formed one; a space stands for a whole sequence, and for what is outside of
** the value. */
static unsigned classBeside(const uint8_t *bytes, size_t size, size_t at) {
  return at < size && bytes[at] < 0x80 ? utf8detect_bigrams_class[bytes[at]]
                                       : UTF8_CLASS_SPACE;
}

/* Counts the bigrams and trigrams that end with the ill-formed byte at `at`, and after the last of its run those that
** end behind it. */
static void countPasted(Utf8IllFormed *pasted, const Utf8Damage *d,
                        const uint8_t *bytes, size_t size, size_t at, int isLast) {
  const uint8_t *class = utf8detect_bigrams_class;
  const unsigned first =
      d->run > 1 ? class[bytes[at - 2]] : classBeside(bytes, size, at - 2);
  const unsigned second =
      d->run > 0 ? class[bytes[at - 1]] : classBeside(bytes, size, at - 1);
  const unsigned third = class[bytes[at]];
  utf8detect_bigrams_count(&pasted->bigrams, second, third);
  utf8detect_trigrams_count(&pasted->trigrams, at, first, second, third);
  if (!isLast) return;
  const unsigned after = classBeside(bytes, size, at + 1);
  const unsigned last =
      after == UTF8_CLASS_SPACE ? UTF8_CLASS_SPACE : classBeside(bytes, size, at + 2);
  utf8detect_bigrams_count(&pasted->bigrams, third, after);
  utf8detect_trigrams_count(&pasted->trigrams, at + 1, second, third, after);
  utf8detect_trigrams_count(&pasted->trigrams, at + 2, third, after, last);
}

static void addToWord(Utf8Damage *d, int isRun) {
  const int wasTorn = d->word_has_run && d->word_has_sequence;
  if (isRun) {
    d->word_has_run = 1;
  } else {
    d->word_has_sequence = 1;
  }
  d->torn += !wasTorn && d->word_has_run && d->word_has_sequence;
}

/* Ends the word, unless bytes[at..until) are ASCII letters. */
static void endWord(Utf8Damage *d, const uint8_t *bytes, size_t at, size_t until) {
  while (at < until && bytes_is_ascii_letter(bytes[at])) at++;
  if (at < until) d->word_has_run = d->word_has_sequence = 0;
}

static void addError(Utf8Damage *d, Utf8IllFormed *pasted, const uint8_t *bytes,
                     size_t size, Utf8Step s) {
  const size_t end = d->at + s.length;
  d->beside += d->state.is_high;
  addToWord(d, 1);
  if (pasted) utf8detect_lexicon_add(&pasted->trigrams.words, bytes, size, d->at, end);
  for (size_t at = d->at; at < end; at++) {
    /* the last of its run, unless the next subpart is ill-formed too */
    if (pasted) {
      const int isLast =
          at + 1 == end &&
          (end == size || !utf8core_step(bytes, size, end, UTF8_STRICT).error);
      countPasted(pasted, d, bytes, size, at, isLast);
    }
    addRunByte(d, bytes[at]);
  }
  d->state = (Utf8CodeState){.is_error = 1};
  d->at = end;
  d->is_cut = end == size && s.error == UTF8_TRUNCATED && d->run == s.length;
}

static void addSequence(Utf8Damage *d, const uint8_t *bytes, Utf8Step s) {
  const unsigned isAfterError = d->state.is_error;
  d->text += utf8detect_code_cost(&d->state, s.codepoint, &d->codes);
  d->beside += isAfterError;
  addToWord(d, 0);
  d->sequences++;
  d->value_sequences++;
  d->seen |= (uint64_t)1 << (bytes[d->at] - 0xC0);
  d->at += s.length;
}

/* After this many ill-formed bytes, a value with few whole sequences is not UTF-8: with a quarter as many, later up to
** half as many, as Thai and Japanese have by accident. */
#define DAMAGE_HOPELESS 48

static int isHopeless(const Utf8Damage *d) {
  return d->value_errors >= DAMAGE_HOPELESS &&
         d->value_sequences < (d->value_errors - DAMAGE_HOPELESS / 2) / 2;
}

/* Like utf8core_step() in strict UTF-8 at a byte above 7F, but quicker where no sequence starts, as at most
** bytes of legacy text. */
static Utf8Step stepBeyondAscii(const uint8_t *bytes, size_t size, size_t at) {
  const int isAlone =
      at + 1 < size && (bytes[at] < 0xC2 || !bytes_is_continuation(bytes[at + 1]));
  return isAlone ? (Utf8Step){.length = 1, .error = UTF8_INCOMPLETE}
                 : utf8core_step(bytes, size, at, UTF8_STRICT);
}

static void addBeyondAscii(Utf8Damage *d, Utf8IllFormed *pasted, const uint8_t *bytes,
                           size_t size, int isExact) {
  const Utf8Step s = stepBeyondAscii(bytes, size, d->at);
  if (s.error) {
    addError(d, pasted, bytes, size, s);
    d->is_hopeless = !isExact && isHopeless(d);
  } else {
    endRun(d);
    addSequence(d, bytes, s);
  }
}

/* Moves past ASCII; only its last byte, and one that follows a code point beyond ASCII, count. */
static void addAscii(Utf8Damage *d, const uint8_t *bytes, size_t size, size_t until) {
  /* Then it is not alone, and at the start of a value it costs what a cut does. */
  if (isOverwritten(d, bytes, size)) d->run_leads = 0;
  endRun(d);
  if (d->state.is_high || d->state.is_error)
    d->text += utf8detect_code_cost(&d->state, bytes[d->at], &d->codes);
  const size_t from = d->at;
  d->at = bytes_skip_ascii(bytes, from, until);
  endWord(d, bytes, from, d->at);
  utf8detect_code_cost(&d->state, bytes[d->at - 1], &d->codes);
}

static void endValue(Utf8Damage *d) {
  endRun(d);
  if (d->state.is_high) d->text += utf8detect_code_cost(&d->state, ' ', &d->codes);
}

/* Starts a value. */
static void beginValue(Utf8Damage *d) {
  d->at = 0;
  d->value_sequences = d->value_errors = 0;
  d->run = d->run_leads = 0;
  d->is_cut = 0;
  d->word_has_run = d->word_has_sequence = 0;
  d->state = (Utf8CodeState){.kind = 0};
}

void utf8detect_damage_add(Utf8Damage *d, Utf8IllFormed *pasted, const uint8_t *bytes,
                           size_t size, size_t at, size_t until, int isExact) {
  if (at == 0) beginValue(d);
  while (d->at < until && !d->is_hopeless) {
    if (bytes[d->at] < 0x80) {
      addAscii(d, bytes, size, until);
    } else {
      addBeyondAscii(d, pasted, bytes, size, isExact);
    }
  }
  if (until == size && !d->is_hopeless) endValue(d);
}

/* ---- the price ------------------------------------------------------------------------------- */

static unsigned leadBits(const Utf8Damage *d, unsigned lead) {
  if (d->seen >> lead & 1) return SEEN_BITS;
  return damageLeads[lead] + (d->seen ? UNSEEN_BITS : 0u);
}

static int isLikelyAlone(const Utf8Damage *d, unsigned lead) {
  return (d->seen >> lead & 1) || damageLeads[lead] <= 3;
}

/* Returns the bits of a lead byte that is not followed by what it leads. */
static unsigned loneBits(const Utf8Damage *d, unsigned lead) {
  const unsigned bits =
      leadBits(d, lead) + (isLikelyAlone(d, lead) ? 0 : ISOLATED_BITS);
  return d->sequences > 0 && d->runs == 1 && bits > INSERTED_BITS ? INSERTED_BITS
                                                                  : bits;
}

uint64_t utf8detect_damage_price(const Utf8Damage *d) {
  uint64_t bits = (d->runs - d->cuts) * RUN_BITS + d->cuts * CUT_BITS;
  bits += d->further * FURTHER_BITS + d->trails * TRAIL_BITS;
  for (uint64_t left = d->lead_bits; left > 0; left &= left - 1) {
    const unsigned lead = (unsigned)mask_lowest(left);
    bits += (uint64_t)(d->leads[lead] - d->lone[lead]) * leadBits(d, lead) +
            (uint64_t)d->lone[lead] * loneBits(d, lead);
  }
  if (d->sequences == 0) bits += NONE_BITS + d->low_trails * LOW_TRAIL_BITS;
  return bits * UTF8_MODEL_UNIT;
}

uint64_t utf8detect_damage_isolated(const Utf8Damage *d) {
  uint64_t count = 0;
  for (uint64_t left = d->lead_bits >> 32 << 32; left > 0; left &= left - 1) {
    const unsigned lead = (unsigned)mask_lowest(left); /* E0 to FF */
    if (!isLikelyAlone(d, lead)) count += d->lone[lead];
  }
  return count > d->cuts ? count - d->cuts : 0;
}

uint64_t utf8detect_text_cost(const Utf8Damage *damage, const Utf8BigramList *bigrams) {
  return utf8detect_bigrams_share(bigrams, damage->text);
}

uint64_t utf8detect_damage_cost(const Utf8Damage *damage,
                                const Utf8BigramList *bigrams) {
  if (damage->is_hopeless) return UINT64_MAX;
  return utf8detect_bigrams_share(bigrams,
                                  damage->text + utf8detect_damage_price(damage));
}
