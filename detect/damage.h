/* detect/damage.h: what bytes cost as UTF-8 that lost or changed bytes.
**
** Sums over values, like those of detect/bigrams.h. Costs are in the unit of detect/model.h.
*/
#ifndef UTF8_DETECT_DAMAGE_H
#define UTF8_DETECT_DAMAGE_H

#include "detect/bigrams.h"
#include "detect/trigrams.h"

/* The code point before, in the terms of the model. */
typedef struct Utf8CodeState {
  uint8_t kind;
  uint8_t script;
  uint8_t letter;  /* its number in the script */
  uint8_t is_high; /* beyond ASCII */
  uint8_t is_error;
} Utf8CodeState;

/* The scripts of the model, from 1 on, then others. */
enum {
  UTF8_SCRIPT_LATIN = 1,
  UTF8_SCRIPT_OTHER = 7,
  UTF8_SCRIPT_HAN,
  UTF8_SCRIPT_KANA,
  UTF8_SCRIPT_HANGUL,
  UTF8_SCRIPT_RARE
};

/* What code points beyond ASCII occurred: bits for scripts and Latin letters of the model. */
typedef struct Utf8CodesSeen {
  uint64_t scripts;
  uint64_t letters[4];
} Utf8CodesSeen;

/* The sums; all zero at the start. */
typedef struct Utf8Damage {
  uint64_t text; /* the cost of code points beyond ASCII, each after the one before */
  uint64_t sequences;  /* how many there are */
  uint64_t errors;     /* bytes in ill-formed subparts */
  uint64_t runs;       /* adjacent ill-formed subparts, once for each four bytes */
  uint64_t further;    /* sequences that these were, beyond one for each */
  uint64_t cuts;       /* runs at an end of a value that its limits may have cut */
  uint64_t trails;     /* continuation bytes in runs */
  uint64_t low_trails; /* those below A0 */
  uint64_t beside;     /* places where a run and a whole sequence meet */
  uint64_t torn;       /* words with a run and a whole sequence */
  uint64_t lead_bits;  /* bit n: leads[n] is not 0 */
  uint32_t leads[64];  /* lead bytes C0..FF in runs */
  uint32_t lone[64];   /* those of them that are a run of one byte */
  uint64_t seen;       /* bit n: the lead byte C0 + n starts a whole sequence */
  Utf8CodesSeen codes;
  int is_hopeless; /* nearly all bytes are errors: the sums are not complete */
  /* The value that is being added: */
  size_t at;
  uint64_t value_sequences;
  uint64_t value_errors;
  size_t run; /* bytes of the run that ends at `at` */
  size_t run_leads;
  uint8_t run_is_headless; /* it starts with a continuation byte */
  uint8_t run_lead;        /* its last lead byte */
  uint8_t word_has_run;
  uint8_t word_has_sequence;
  uint8_t is_cut; /* it is a sequence that the end of the value cuts off */
  Utf8CodeState state;
} Utf8Damage;

/* The bytes of ill-formed subparts, which may be pasted text; a space stands for a whole sequence beside them. */
typedef struct Utf8IllFormed {
  Utf8BigramCounts bigrams;
  Utf8Trigrams trigrams;
} Utf8IllFormed;

/* Adds bytes[at..until) of a value, bytes[0..size), like utf8detect_add(). Unless pasted is
** NULL, counts the bytes of ill-formed subparts in it. Unless is_exact, stops in a
** value that is not UTF-8 at all, and sets is_hopeless. */
void utf8detect_damage_add(Utf8Damage *damage, Utf8IllFormed *pasted,
                           const uint8_t *bytes, size_t size, size_t at, size_t until,
                           int is_exact);

/* Returns the price of the ill-formed subparts. */
uint64_t utf8detect_damage_price(const Utf8Damage *damage);

/* Returns how many lead bytes of three or more bytes stand alone inside of values, and start no
** whole sequence elsewhere. One lost or changed byte leaves more of a sequence. */
uint64_t utf8detect_damage_isolated(const Utf8Damage *damage);

#endif
