/* detect/signs.c: what signs and lone letters cost. */
#include "detect/signs.h"
#include "core/bytes.h"
#include <string.h>

/* ---- usages of signs --------------------------------------------------------------------------- */

#define AT(place)  (1u << (place))
#define AT_NUMBER  AT(PLACE_NUMBER)
#define AT_STOP    AT(PLACE_STOP)
#define AT_JOIN    AT(PLACE_JOIN)
#define AT_NUMBERS (AT_NUMBER | AT(PLACE_FAR_NUMBER))
#define AT_START   (AT(PLACE_EDGE) | AT(PLACE_FAR) | AT(PLACE_OTHER))
#define AT_END     (AT_START | AT_STOP)
#define AT_SPACES  (AT(PLACE_EDGE) | AT(PLACE_FAR) | AT(PLACE_FAR_NUMBER))
#define AT_ANY     (AT_NUMBERS | AT_START | AT_STOP)

/* A usage of a sign: what stands before it and after it, and how many bits it costs there. It may touch the letters in
** letters_before and letters_after; * is any letter. A sign that touches a letter costs more, since another charset has a
** letter at its byte. The bits are set by hand: the counted text has few signs, and not those of cells. */
typedef struct SignUsage {
  uint16_t code;
  uint8_t bits;
  uint8_t before, after; /* AT() of places */
  const char *letters_before, *letters_after;
} SignUsage;

/* By code. */
static const SignUsage usages[] = {
    {0xA0, 2, AT_NUMBER, AT_NUMBER, "", ""}, /* no-break space */
    {0xA0, 5, AT_NUMBER | AT_STOP | AT(PLACE_OTHER),
     AT_NUMBER | AT_STOP | AT(PLACE_OTHER), "", ""},
    {0xA1, 11, AT_START, 0, "", "*"},               /* ¡ */
    {0xA2, 7, AT_NUMBER, AT_END | AT_JOIN, "", ""}, /* ¢ */
    {0xA2, 9, AT(PLACE_FAR_NUMBER), AT_END, "", ""},
    {0xA3, 3, AT_START | AT_JOIN | AT(PLACE_FAR_NUMBER), AT_NUMBER, "", ""}, /* £ */
    {0xA3, 6, AT_START | AT_JOIN, AT(PLACE_FAR_NUMBER), "", ""},
    {0xA5, 3, AT_START | AT_JOIN | AT(PLACE_FAR_NUMBER), AT_NUMBER, "", ""}, /* ¥ */
    {0xA5, 6, AT_START | AT_JOIN, AT(PLACE_FAR_NUMBER), "", ""},
    {0xA5, 6, AT_NUMBERS, AT_END, "", ""},
    {0xA7, 3, AT_START | AT_NUMBERS | AT_STOP, AT_NUMBERS, "", ""}, /* § */
    {0xA7, 9, AT_NUMBERS, AT_END, "", ""},
    {0xA9, 4, AT_START, AT_NUMBERS | AT(PLACE_FAR), "", ""},                   /* © */
    {0xAA, 4, AT_NUMBER | AT_STOP, AT_ANY, "", ""},                            /* ª */
    {0xAB, 4, AT_START, AT_NUMBERS | AT(PLACE_FAR) | AT(PLACE_OTHER), "", ""}, /* « */
    {0xAB, 17, AT_START, 0, "", "*"},
    {0xAE, 11, AT_NUMBER | AT_STOP, AT_END | AT_JOIN, "*", ""}, /* ® */
    {0xB0, 0, AT_NUMBERS, AT_ANY | AT_JOIN, "", "CFKNSWE"},     /* ° */
    {0xB0, 4, AT_START, 0, "", "CF"},
    {0xB0, 4, 0, AT_NUMBERS | AT_SPACES, "nN", ""},
    {0xB1, 3, AT_START | AT_NUMBERS, AT_NUMBERS, "", ""}, /* ± */
    {0xB2, 3, 0, AT_END | AT(PLACE_FAR_NUMBER), "m", ""}, /* ² */
    {0xB2, 6, AT_NUMBER | AT_STOP, AT_END | AT_SPACES, "", ""},
    {0xB3, 4, 0, AT_END | AT(PLACE_FAR_NUMBER), "m", ""}, /* ³ */
    {0xB3, 7, AT_NUMBER | AT_STOP, AT_END | AT_SPACES, "", ""},
    {0xB4, 31, 0, 0, "*", "*"},                                          /* ´ */
    {0xB5, 3, AT_START | AT_NUMBERS | AT_JOIN, 0, "", "mgsFAVWHlJkNKP"}, /* µ */
    {0xB6, 6, AT_START, AT_NUMBERS, "", ""},                             /* ¶ */
    {0xB7, 4, AT(PLACE_FAR) | AT(PLACE_FAR_NUMBER),
     AT(PLACE_FAR) | AT(PLACE_FAR_NUMBER), "", ""},             /* · */
    {0xB9, 7, AT_NUMBER | AT_STOP, AT_END | AT_SPACES, "", ""}, /* ¹ */
    {0xB9, 13, 0, AT_END | AT_SPACES, "*", ""},
    {0xBA, 4, AT_NUMBER | AT_STOP, AT_ANY | AT_JOIN, "nN", "CF"}, /* º */
    {0xBA, 5, AT(PLACE_FAR_NUMBER), 0, "", "CF"},
    {0xBB, 4, AT_NUMBER | AT_STOP | AT(PLACE_FAR), AT_END, "", ""},    /* » */
    {0xBC, 4, AT_START, AT(PLACE_FAR) | AT(PLACE_FAR_NUMBER), "", ""}, /* ¼ */
    {0xBC, 4, AT_NUMBER, AT_END | AT_JOIN | AT_SPACES, "", ""},
    {0xBC, 7, AT(PLACE_FAR_NUMBER), AT_END | AT_SPACES, "", ""},
    {0xBD, 3, AT_START, AT(PLACE_FAR) | AT(PLACE_FAR_NUMBER), "", ""}, /* ½ */
    {0xBD, 2, AT_NUMBER, AT_END | AT_JOIN | AT_SPACES, "", ""},
    {0xBD, 7, AT(PLACE_FAR_NUMBER), AT_END | AT_SPACES, "", ""},
    {0xBD, 5, AT(PLACE_FAR), AT(PLACE_EDGE), "", ""},
    {0xBE, 4, AT_START, AT(PLACE_FAR) | AT(PLACE_FAR_NUMBER), "", ""}, /* ¾ */
    {0xBE, 4, AT_NUMBER, AT_END | AT_JOIN | AT_SPACES, "", ""},
    {0xBE, 7, AT(PLACE_FAR_NUMBER), AT_END | AT_SPACES, "", ""},
    {0xBF, 11, AT_START, 0, "", "*"},                              /* ¿ */
    {0xD7, 3, AT_START | AT_NUMBERS, AT_NUMBERS, "", ""},          /* × */
    {0xD8, 5, AT_START, AT(PLACE_FAR_NUMBER), "", ""},             /* Ø */
    {0xF7, 6, AT_NUMBERS, AT_NUMBERS, "", ""},                     /* ÷ */
    {0x2013, 3, AT_NUMBER | AT_STOP, AT_NUMBER | AT_STOP, "", ""}, /* – */
    {0x2013, 3, AT_START | AT(PLACE_FAR_NUMBER), AT_SPACES, "", ""},
    {0x2014, 4, AT_START, AT_SPACES, "", ""}, /* — */
    {0x2014, 11, AT_NUMBERS, AT_NUMBERS, "", ""},
    {0x2018, 17, AT_START, 0, "", "*"},               /* ‘ */
    {0x2019, 8, AT_NUMBER | AT_STOP, AT_END, "", ""}, /* ’ */
    {0x2019, 17, AT_NUMBER, AT_END | AT_JOIN, "*", "st"},
    {0x201C, 4, AT_START, AT_NUMBER | AT(PLACE_OTHER), "", ""}, /* “ */
    {0x201C, 17, AT_START, 0, "", "*"},
    {0x201D, 8, AT_NUMBER | AT_STOP, AT_END, "", ""}, /* ” */
    {0x201D, 17, 0, AT_END, "*", ""},
    {0x201E, 4, AT_START, AT_NUMBER | AT(PLACE_OTHER), "", ""}, /* „ */
    {0x201E, 17, AT_START, 0, "", "*"},
    {0x2020, 9, AT_NUMBER | AT_STOP, AT_START, "", ""},                        /* † */
    {0x2021, 9, AT_NUMBER | AT_STOP, AT_START, "", ""},                        /* ‡ */
    {0x2022, 2, AT(PLACE_EDGE), AT(PLACE_FAR) | AT(PLACE_FAR_NUMBER), "", ""}, /* • */
    {0x2022, 4, AT(PLACE_FAR), AT(PLACE_FAR), "", ""},
    {0x2026, 4, AT_NUMBERS | AT_STOP | AT(PLACE_FAR), AT_START, "", ""}, /* … */
    {0x2026, 12, 0, AT_JOIN, "*", ""},
    {0x2030, 6, AT_NUMBERS, AT_END, "", ""},                          /* ‰ */
    {0x2039, 17, AT_START, 0, "", "*"},                               /* ‹ */
    {0x20AA, 10, AT_START | AT_NUMBERS, AT_NUMBERS | AT_END, "", ""}, /* ₪ */
    {0x20AB, 4, AT_NUMBERS, AT_END, "", ""},                          /* ₫ */
    {0x20AC, 3, AT_START | AT_JOIN | AT(PLACE_FAR_NUMBER), AT_NUMBERS, "", ""}, /* € */
    {0x20AC, 3, AT_NUMBERS | AT_STOP, AT_END | AT_JOIN | AT(PLACE_FAR_NUMBER), "", ""},
    {0x2116, 3, AT_START, AT_NUMBERS, "", ""},                    /* № */
    {0x2122, 11, AT_NUMBER | AT_STOP, AT_END | AT_JOIN, "*", ""}, /* ™ */
    {0x2264, 6, AT_START | AT_NUMBERS, AT_NUMBERS, "", ""},       /* ≤ */
    {0x2265, 6, AT_START | AT_NUMBERS, AT_NUMBERS, "", ""},       /* ≥ */
};

#define SIGN_USAGES (sizeof usages / sizeof *usages)

/* Returns the first usage of the sign, or of the next one. */
static const SignUsage *firstUsage(unsigned code) {
  size_t from = 0, to = SIGN_USAGES;
  while (from < to) {
    const size_t middle = (from + to) / 2;
    if (usages[middle].code < code)
      from = middle + 1;
    else
      to = middle;
  }
  return usages + from;
}

static int hasUsage(unsigned code) {
  const SignUsage *first = firstUsage(code);
  return first < usages + SIGN_USAGES && first->code == code;
}

static int isAmong(const char *letters, uint8_t letter) {
  return letters[0] == '*' || (letters[0] && strchr(letters, letter));
}

static int isBeside(unsigned places, const char *letters, uint8_t beside) {
  return beside >= 'A' ? isAmong(letters, beside) : (int)(places >> beside & 1);
}

/* ---- letters ------------------------------------------------------------------------------------ */

/* The bits of a letter that directly follows a number, as in 14б: letters count houses, classes and paragraphs, and the first
** ones of an alphabet are more common. Latin ones are in ASCII. */
#define NUMBER_LETTER 3

/* The bits of a Latin letter beside a number; of a letter of another script there, which may be a unit or a code (`5 м`,
** `А3`); of a letter without a number. */
#define LETTER_BY_NUMBER 22
#define LETTER_UNIT      14
#define LETTER_ALONE     14

static unsigned numberLetterBits(unsigned code) {
  static const uint16_t firsts[] = {0x3B1, 0x430, 0x5D0, 0x627, 0xE01};
  const uint32_t letter = utf8detect_letter_of(code);
  for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++) {
    const uint32_t rank = letter - utf8detect_letter_of(firsts[i]);
    if (rank < LETTER_UNIT - NUMBER_LETTER) return NUMBER_LETTER + rank;
  }
  return LETTER_UNIT;
}

static unsigned bitsOfLetter(const Utf8Place *place, unsigned code) {
  if (!utf8detect_place_is_by_number(place)) return LETTER_ALONE;
  if (place->before == PLACE_NUMBER && place->after != PLACE_NUMBER)
    return numberLetterBits(code);
  return utf8detect_entry(code) >> 12 == UTF8_SCRIPT_LATIN ? LETTER_BY_NUMBER
                                                           : LETTER_UNIT;
}

/* ---- text --------------------------------------------------------------------------------------- */

/* The bits of a sign that stands where it does not by its usages, and of one that has none, or a control character. */
#define SIGN_ELSEWHERE 15
#define SIGN_ODD       22

/* Returns the least bits of a sign that stands here by one of its usages, or UTF8_SIGNS_NEVER. */
static unsigned bitsOfUsage(const Utf8Place *place, unsigned code) {
  unsigned least = UTF8_SIGNS_NEVER;
  const SignUsage *u = firstUsage(code), *end = usages + SIGN_USAGES;
  for (; u < end && u->code == code; u++) {
    if (u->bits < least && isBeside(u->before, u->letters_before, place->before) &&
        isBeside(u->after, u->letters_after, place->after))
      least = u->bits;
  }
  return least;
}

static unsigned bitsOfPlace(const Utf8Place *place, unsigned code, int is_apart) {
  const unsigned bits = bitsOfUsage(place, code);
  if (bits != UTF8_SIGNS_NEVER || !is_apart) return bits;
  if (utf8detect_entry(code) >> 12 != 0) return bitsOfLetter(place, code);
  return hasUsage(code) ? SIGN_ELSEWHERE : SIGN_ODD;
}

/* Are there no places, or more than are kept? */
static int hasNoPlaces(const Utf8Places *places) {
  return places->count == 0 || places->count > UTF8_PLACES_MAX;
}

Utf8SignsText utf8detect_signs_text(const Utf8Places *places) {
  Utf8SignsText is = UTF8_SIGNS_APART;
  int has_numbers = 0;
  if (hasNoPlaces(places) || places->touches > 0) return UTF8_SIGNS_NONE;
  for (size_t i = 0; i < places->count; i++) {
    const Utf8Place *place = &places->list[i];
    if (utf8detect_place_is_in_word(place)) is = UTF8_SIGNS_MAY;
    has_numbers |= utf8detect_place_is_by_number(place);
  }
  return is == UTF8_SIGNS_APART && has_numbers ? UTF8_SIGNS_NUMBERS : is;
}

unsigned utf8detect_signs_bits(const Utf8BigramList *bigrams, Utf8Charset charset,
                               int is_apart) {
  const uint16_t *high = utf8detect_high(charset);
  const Utf8Places *places = &bigrams->places;
  uint8_t most[128] = {0};
  unsigned bits = 0;
  for (size_t i = 0; i < places->count; i++) {
    const Utf8Place *place = &places->list[i];
    const unsigned of = bitsOfPlace(place, high[place->byte], is_apart);
    if (of == UTF8_SIGNS_NEVER) return of;
    if (of > most[place->byte]) most[place->byte] = (uint8_t)of;
  }
  for (size_t i = 0; i < bigrams->bytes_count; i++) bits += most[bigrams->bytes[i]];
  return bits;
}

/* ---- signs among words ---------------------------------------------------------------------------- */

/* What a sign costs among words, wherever it stands; and how much more directly after a word, if it is a sign that is not
** written there. */
#define SIGN_AMONG_WORDS 10
#define SIGN_AFTER_WORD  7

/* Does the place tell a sign from a letter? It is beside a number, or after the m of m² and km³, or the lone n of n°. */
static int isTelling(const Utf8Place *place) {
  if (place->before == 'a' || place->after == 'a') return 0;
  return utf8detect_place_is_by_number(place) || isBeside(0, "mnN", place->before);
}

/* Does the byte end a word of more than one letter? */
static int isAfterWord(const Utf8Place *place) {
  return place->before == 'a' && place->after < 'A';
}

/* Is it a sign that is not written directly after a word, such as º? ² and ³ are, after units (feet³), and ´ is, for an
** accent. Currencies are left to detect/words.h. */
static int isNeverAfterWord(unsigned code, unsigned entry) {
  return (entry == DETECT_MARK || entry == DETECT_SYMBOL) && hasUsage(code) &&
         code - 0xB2 > 2;
}

/* Is it a mark that any text has, so that its cost is known? */
static int isOfText(unsigned entry) {
  return entry == DETECT_DASH || entry == DETECT_OPEN || entry == DETECT_CLOSE;
}

/* Returns how many bits more than anywhere among words a character costs here. A small letter of Latin is hardly a word
** beside a number. */
static int bitsOfPlaceMore(const Utf8Place *place, unsigned code) {
  const unsigned entry = utf8detect_entry(code);
  const int is_after_word = isAfterWord(place);
  if (isOfText(entry) || !(is_after_word || isTelling(place))) return 0;
  const unsigned usage = bitsOfUsage(place, code);
  if (is_after_word)
    return usage == UTF8_SIGNS_NEVER && isNeverAfterWord(code, entry) ? SIGN_AFTER_WORD
                                                                      : 0;
  if (usage < SIGN_AMONG_WORDS) return (int)usage - SIGN_AMONG_WORDS;
  const int isLone = !utf8detect_place_is_in_word(place) &&
                     entry >> 12 == UTF8_SCRIPT_LATIN && !(entry & 0x800);
  return isLone ? LETTER_BY_NUMBER - LETTER_UNIT : 0;
}

int utf8detect_signs_are_among_words(const Utf8Places *places) {
  if (hasNoPlaces(places)) return 0;
  for (size_t i = 0; i < places->count; i++)
    if (isTelling(&places->list[i]) || isAfterWord(&places->list[i])) return 1;
  return 0;
}

unsigned utf8detect_signs_most(const Utf8Places *places) {
  uint64_t telling[2] = {0, 0}; /* bytes */
  if (hasNoPlaces(places)) return 0;
  for (size_t i = 0; i < places->count; i++) {
    const Utf8Place *place = &places->list[i];
    if (isTelling(place)) telling[place->byte / 64] |= (uint64_t)1 << place->byte % 64;
  }
  return SIGN_AMONG_WORDS * (unsigned)(mask_count(telling[0]) + mask_count(telling[1]));
}

int utf8detect_signs_more(const Utf8BigramList *bigrams, Utf8Charset charset) {
  const uint16_t *high = utf8detect_high(charset);
  const Utf8Places *places = &bigrams->places;
  int8_t most[128];
  int bits = 0;
  memset(most, -SIGN_AMONG_WORDS, sizeof most);
  for (size_t i = 0; i < places->count; i++) {
    const Utf8Place *place = &places->list[i];
    const int of = bitsOfPlaceMore(place, high[place->byte]);
    if (of > most[place->byte]) most[place->byte] = (int8_t)of;
  }
  for (size_t i = 0; i < bigrams->bytes_count; i++)
    if (!utf8detect_places_is_touching(places, bigrams->bytes[i]))
      bits += most[bigrams->bytes[i]];
  return bits;
}

/* ---- charsets that have a sign at a byte ------------------------------------------------------------ */

/* The charsets in which each byte above 7F, less 80, is a sign that has a usage. Built at the first use. */
typedef struct SignCharsets {
  _Atomic(int) ready;
  _Atomic(uint32_t) of[128][UTF8_CHARSETS_WORDS];
} SignCharsets;
static SignCharsets signCharsets;

static NOINLINE void buildSignCharsets(void) {
  for (unsigned byte = 0; byte < 128; byte++) {
    uint32_t charsets[UTF8_CHARSETS_WORDS] = {0};
    for (size_t i = 0; i < UTF8_ALPHABET_CHARSETS; i++)
      if (hasUsage(utf8detect_high(utf8detect_charsets[i].charset)[byte]))
        utf8detect_put_in(charsets, i);
    for (size_t i = 0; i < UTF8_CHARSETS_WORDS; i++)
      ALPHABET_STORE(signCharsets.of[byte][i], charsets[i]);
  }
  atomic_store_explicit(&signCharsets.ready, 1, memory_order_release);
}

void utf8detect_signs_charsets(uint32_t charsets[UTF8_CHARSETS_WORDS],
                               const Utf8BigramList *bigrams) {
  if (UNLIKELY(!atomic_load_explicit(&signCharsets.ready, memory_order_acquire)))
    buildSignCharsets();
  memset(charsets, 0xFF, UTF8_CHARSETS_WORDS * sizeof *charsets);
  for (size_t i = 0; i < bigrams->bytes_count; i++)
    for (size_t k = 0; k < UTF8_CHARSETS_WORDS; k++)
      charsets[k] &= ALPHABET_LOAD(signCharsets.of[bigrams->bytes[i]][k]);
}

int utf8detect_end_numbers(const Utf8Places *places) {
  if (hasNoPlaces(places) || places->touches > 0) return 0;
  for (size_t i = 0; i < places->count; i++) {
    const Utf8Place *place = &places->list[i];
    if (place->before != PLACE_NUMBER || utf8detect_place_is_in_word(place) ||
        place->after == PLACE_NUMBER)
      return 0;
  }
  return 1;
}
