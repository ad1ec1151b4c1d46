/* detect/likelihood.c: reads a value in each charset and each of its languages. */
#include "detect/likelihood.h"
#include "charset/legacy/legacy.h"
#include "detect/alphabet.h"
#include "detect/lost.h"
#include "detect/signs.h"
#include "detect/weight.h"
#include "detect/words.h"
#include "core/bytes.h"
#include <string.h>

#define LIKELIHOOD_BITS(n) ((uint64_t)(n)*DETECT_UNIT)

/* ---- ASCII letters ---------------------------------------------------------------------------- */

/* ASCII letters count with one bit of ASCII_SHARE, since words are borrowed. They speak against a Latin language with at most
** ASCII_BIGRAM bits for each bigram that has a byte above 7F; against another script with at most OTHER_SCRIPT bits: a long
** text of any language may have a word of another. */
#define LIKELIHOOD_ASCII_SHARE  2
#define LIKELIHOOD_ASCII_BIGRAM 6
#define LIKELIHOOD_OTHER_SCRIPT 16
/* Each FOREIGN_SHARE bigrams of ASCII letters are one more bit against another script, of at most FOREIGN_MAX
** bigrams. */
#define LIKELIHOOD_FOREIGN_SHARE 3
#define LIKELIHOOD_FOREIGN_MAX   24

/* The letters that some charsets make of the text, and what they cost in each language. */
typedef struct LikelihoodLetters {
  const Utf8Alphabet *alphabet; /* of one of these charsets */
  unsigned script;
  /* In the languages of the script. */
  uint32_t cost[UTF8_MODEL_LANGUAGES];
  int known;             /* words of the lexicon; below 0: not looked up yet */
  uint64_t has_trigrams; /* bit n: trigrams[n] is known */
  int32_t trigrams[UTF8_MODEL_LANGUAGES];
} LikelihoodLetters;

/* A single-byte charset in which the text is read. */
typedef struct LikelihoodCharset {
  const Utf8Alphabet *alphabet;
  LikelihoodLetters *letters;
  uint64_t signs; /* what the text costs at most, without ASCII letters */
  uint64_t kinds; /* what it costs whatever the language */
  uint64_t least; /* what it costs at least */
  uint64_t *cost; /* in each of its languages; also of a charset that is not read */
} LikelihoodCharset;

typedef struct LikelihoodText {
  const Utf8Alphabets *alphabets;
  const Utf8BigramList *bigrams;
  const Utf8Trigrams *trigrams; /* NULL: they are not known */
  LikelihoodCharset charsets[UTF8_HISTORY_ASIAN];
  LikelihoodLetters letters[UTF8_HISTORY_ASIAN];
  uint32_t letters_key[UTF8_HISTORY_ASIAN]; /* see keyOf() */
  size_t letters_count;
  uint64_t ascii[UTF8_LANGUAGES]; /* what ASCII letters speak against each language */
  uint64_t far; /* readings that cost this much more than the likeliest are alike */
  uint64_t contractions; /* what they speak for English in charsets that have ’ */
  int is_named; /* only charsets that may be named are read, the rarer ones at a cost */
  /* The charsets that lack a byte of the text, or must be named and never are. */
  uint32_t lacking[UTF8_CHARSETS_WORDS];
  uint32_t capitals[UTF8_CHARSETS_WORDS]; /* those that read it as capitals */
  uint32_t near[UTF8_CHARSETS_WORDS];     /* those that may be the likeliest */
  int may_be_capitals;
  Utf8SignsText signs;
  uint32_t sign_charsets[UTF8_CHARSETS_WORDS]; /* those that may read it as signs */
  uint64_t among_words;                        /* what signs cost more among words */
  int has_signs_among; /* the places of its bytes may show which are signs */
  uint64_t signs_most; /* what they cost less at most, by their places */
} LikelihoodText;

/* Readings that cost this much more than the likeliest one are not refined by trigrams and known words. */
#define LIKELIHOOD_NEAR LIKELIHOOD_BITS(16)

/* Above what any text costs. */
#define LIKELIHOOD_MAX (UINT64_MAX / 2)

/* No two readings are told apart that cost this much more than the likeliest one. */
#define LIKELIHOOD_FAR                                                                 \
  ((uint64_t)(UTF8_LIKELIHOOD_NEVER - 1) * (DETECT_UNIT / UTF8_LIKELIHOOD_UNIT))

/* Returns the cost less another one, at least 0. */
static uint64_t lessBy(uint64_t cost, uint64_t less) {
  return cost - utf8detect_lesser(cost, less);
}

static uint64_t addCost(uint64_t a, uint64_t b) {
  return a == UINT64_MAX ? a : a + b;
}

/* Returns what the ASCII letters speak against other scripts than Latin at least. */
static uint64_t foreignCost(const Utf8BigramList *bigrams) {
  return LIKELIHOOD_BITS(utf8detect_bigrams_ascii(bigrams, LIKELIHOOD_FOREIGN_MAX)) /
         LIKELIHOOD_FOREIGN_SHARE;
}

/* Stores what the ASCII letters of a value speak against each language. */
static void readAsciiLetters(LikelihoodText *text, const Utf8BigramList *bigrams) {
  uint32_t of[DETECT_LATIN];
  uint64_t least = UINT64_MAX;
  const uint64_t max = LIKELIHOOD_BITS(bigrams->high_sum * LIKELIHOOD_ASCII_BIGRAM);
  utf8detect_latin_costs(of, bigrams->ascii, bigrams->size - bigrams->high);
  for (size_t i = 0; i < DETECT_LATIN; i++) {
    of[i] /= LIKELIHOOD_ASCII_SHARE;
    least = utf8detect_lesser(least, of[i]);
  }
  const uint64_t other =
      foreignCost(bigrams) +
      utf8detect_lesser(of[0] - least, LIKELIHOOD_BITS(LIKELIHOOD_OTHER_SCRIPT));
  for (size_t i = 0; i < UTF8_LANGUAGES; i++)
    text->ascii[i] = i < DETECT_LATIN ? utf8detect_lesser(of[i] - least, max) : other;
}

/* Bigrams of ASCII letters that show the language of a text, and so of its words of one letter, as in `non è`. */
#define LIKELIHOOD_TEXT 16

/* The bits that each different sign costs more in a text with at least WORDS bigrams of ASCII letters: it may be what damage
** has left of a letter. */
#define LIKELIHOOD_WORDS       6
#define LIKELIHOOD_AMONG_WORDS 3

/* Returns the charsets of a set's word that are never named. */
static uint32_t neverNamed(size_t word) {
  if (word < DETECT_NAMED / 32) return 0;
  return word > DETECT_NAMED / 32 ? UINT32_MAX : UINT32_MAX << DETECT_NAMED % 32;
}

/* Stores the charsets in which the text is not read, and of the others those that read it as capitals. None is near yet. */
static void readCharsets(LikelihoodText *text) {
  const Utf8BigramList *bigrams = text->bigrams;
  const Utf8Alphabets *alphabets = text->alphabets;
  uint32_t lower[UTF8_CHARSETS_WORDS] = {0};
  memset(text->near, 0, sizeof text->near);
  for (size_t k = 0; k < UTF8_CHARSETS_WORDS; k++)
    text->lacking[k] = text->is_named ? neverNamed(k) : 0;
  for (size_t i = 0; i < bigrams->bytes_count; i++) {
    for (size_t k = 0; k < UTF8_CHARSETS_WORDS; k++) {
      text->lacking[k] |= ALPHABET_LOAD(alphabets->lacking[bigrams->bytes[i]][k]);
      lower[k] |= ALPHABET_LOAD(alphabets->lower[bigrams->bytes[i]][k]);
    }
  }
  for (size_t k = 0; k < UTF8_CHARSETS_WORDS; k++)
    text->capitals[k] = text->may_be_capitals ? ~(lower[k] | text->lacking[k]) : 0;
}

/* Do other signs and lone letters count, too? */
static int areSignsApart(const LikelihoodText *text) {
  return text->signs == UTF8_SIGNS_NUMBERS ||
         (text->signs == UTF8_SIGNS_APART && !text->is_named);
}

/* Stores the charsets that may read the text as signs. */
static void readSignCharsets(LikelihoodText *text) {
  const int all = areSignsApart(text) ? 0xFF : 0;
  if (text->signs != UTF8_SIGNS_NONE && !all) {
    utf8detect_signs_charsets(text->sign_charsets, text->bigrams);
  } else {
    memset(text->sign_charsets, all, sizeof text->sign_charsets);
  }
}

/* Returns how many charsets are read. Those that may be named come first. */
static size_t countOfCharsets(const LikelihoodText *text) {
  return text->is_named ? DETECT_NAMED : UTF8_HISTORY_ASIAN;
}

/* Finds out whether the text may be signs and lone letters. */
static void readSigns(LikelihoodText *text, const Utf8BigramList *bigrams) {
  const uint64_t words = utf8detect_bigrams_ascii(bigrams, LIKELIHOOD_TEXT);
  text->signs = utf8detect_signs_text(&bigrams->places);
  if (text->signs > UTF8_SIGNS_MAY && words == LIKELIHOOD_TEXT)
    text->signs = UTF8_SIGNS_MAY;
  readSignCharsets(text);
  text->has_signs_among = utf8detect_signs_are_among_words(&bigrams->places);
  text->signs_most = LIKELIHOOD_BITS(utf8detect_signs_most(&bigrams->places));
  text->among_words =
      words < LIKELIHOOD_WORDS
          ? 0
          : LIKELIHOOD_BITS(LIKELIHOOD_AMONG_WORDS * bigrams->bytes_count);
}

/* The first language is English. */
#define LIKELIHOOD_ENGLISH 0

/* Prepares to read text with these bigrams in a value whose bigrams are `whole`. trigrams may be NULL. */
static void beginText(LikelihoodText *text, const Utf8BigramList *bigrams,
                      const Utf8Trigrams *trigrams, const Utf8BigramList *whole,
                      int is_named) {
  text->alphabets = utf8detect_alphabets();
  text->bigrams = bigrams;
  text->trigrams = trigrams;
  text->letters_count = 0;
  text->far = LIKELIHOOD_FAR;
  text->is_named = is_named;
  text->may_be_capitals = utf8detect_words_may_be_capitals(bigrams);
  readSigns(text, bigrams);
  readCharsets(text);
  readAsciiLetters(text, whole);
  text->contractions =
      LIKELIHOOD_BITS(utf8detect_words_contraction_bits(whole, trigrams));
}

/* ---- single-byte charsets ----------------------------------------------------------------------- */

/* Returns how much likelier it is that text is in some language of the charset than in one of them. */
static uint64_t bitsOfLanguages(const DetectCharset *charset) {
  return LIKELIHOOD_BITS(mask_highest(mask_count(charset->languages)));
}

static NOINLINE uint64_t costOfSigns(const LikelihoodText *text, size_t index) {
  const DetectCharset *of = &utf8detect_charsets[index];
  const unsigned bits =
      utf8detect_signs_bits(text->bigrams, of->charset, areSignsApart(text));
  if (bits == UTF8_SIGNS_NEVER) return LIKELIHOOD_MAX;
  const uint64_t cost = LIKELIHOOD_BITS(bits) + text->among_words;
  if (!text->is_named) return cost;
  const uint64_t all = cost + utf8detect_rare_cost(index);
  return lessBy(all, bitsOfLanguages(of));
}

/* Returns what the text costs at most, without its ASCII letters: as signs and lone letters. */
ALWAYS_INLINE uint64_t costAtMost(const LikelihoodText *text, size_t index) {
  return utf8detect_is_in(text->sign_charsets, index) ? costOfSigns(text, index)
                                                      : LIKELIHOOD_MAX;
}

/* The bits of words that are usual, unusual, odd: see detect/words.h. */
static const uint8_t oddnessBits[] = {0, 7, 10};

/* Returns what bigrams cost in the alphabet of a charset, whatever the language, with usual words. */
static uint64_t costOfKinds(const Utf8Alphabet *alphabet, Utf8Charset charset,
                            const Utf8BigramList *bigrams) {
  const uint64_t cost = utf8detect_kinds_cost(alphabet, bigrams->list, bigrams->high);
  return charset == UTF8_CHARSET_VISCII
             ? cost + utf8detect_tones_cost(alphabet, bigrams->list, bigrams->high)
             : cost;
}

/* Returns the cost in a charset, less what contractions speak for it. */
ALWAYS_INLINE uint64_t lessContractions(const LikelihoodText *text, size_t index,
                                        uint64_t cost) {
  if (text->contractions == 0) return cost;
  const uint16_t *high = utf8detect_high(utf8detect_charsets[index].charset);
  return high[0x92 - 0x80] == 0x2019 ? lessBy(cost, text->contractions) : cost;
}

/* Returns what the text costs at least, if it costs this much as signs, and that much as words. */
ALWAYS_INLINE uint64_t leastWith(const LikelihoodText *text, size_t index,
                                 uint64_t signs, uint64_t words) {
  return utf8detect_lesser(signs, lessContractions(text, index, words));
}

/* What a bigram of Vietnamese in viscii costs at most, and the text more. Text in TCVN, which is not compared, reads
** best in viscii, but costs more. Of random words of tool/detect/rates.py, 10 to 400 characters long, 2,011 texts of
** 2,027 in viscii stay, and 11 of 1,298 in TCVN. */
#define LIKELIHOOD_VISCII_BIGRAM ((uint64_t)25 * DETECT_UNIT / 4)
#define LIKELIHOOD_VISCII        10

/* Do two alphabets make the same letters of the text? */
static int haveSameLetters(const Utf8Alphabet *a, const Utf8Alphabet *b,
                           const Utf8BigramList *bigrams) {
  for (size_t i = 0; i < bigrams->bytes_count; i++) {
    const unsigned byte = bigrams->bytes[i];
    if (ALPHABET_LOAD(a->last[byte]) != ALPHABET_LOAD(b->last[byte])) return 0;
    if (ALPHABET_LOAD(a->letter[byte]) != ALPHABET_LOAD(b->letter[byte])) return 0;
  }
  return 1;
}

/* Returns a number for the script and the letters of the first three bytes above 7F. */
static uint32_t keyOf(const Utf8Alphabet *alphabet, unsigned script,
                      const Utf8BigramList *bigrams) {
  uint32_t key = script;
  for (size_t i = 0; i < bigrams->bytes_count && i < 3; i++)
    key = key << 8 | ALPHABET_LOAD(alphabet->letter[bigrams->bytes[i]]);
  return key;
}

/* Returns the letters that an alphabet of a script makes of the text. Many make the same of a short one: é is E9 in a
** dozen charsets. */
static LikelihoodLetters *lettersIn(LikelihoodText *text, const Utf8Alphabet *alphabet,
                                    unsigned script) {
  const DetectScript *is = &detect_scripts[script];
  const uint32_t key = keyOf(alphabet, script, text->bigrams);
  for (size_t i = 0; i < text->letters_count; i++)
    if (text->letters_key[i] == key &&
        haveSameLetters(alphabet, text->letters[i].alphabet, text->bigrams))
      return &text->letters[i];
  text->letters_key[text->letters_count] = key;
  LikelihoodLetters *letters = &text->letters[text->letters_count++];
  letters->alphabet = alphabet;
  letters->script = script;
  letters->known = -1;
  letters->has_trigrams = 0;
  memset(letters->cost + is->language, 0, is->languages * sizeof *letters->cost);
  utf8detect_add_names(letters->cost, alphabet, script, text->bigrams->list,
                       text->bigrams->high);
  return letters;
}

/* Returns what the letters that are read cost in the best of the languages. */
static uint64_t leastOfLetters(const LikelihoodText *text,
                               const LikelihoodLetters *letters, uint64_t languages) {
  uint64_t least = UINT64_MAX;
  for (; languages > 0; languages &= languages - 1) {
    const unsigned language = (unsigned)mask_lowest(languages);
    least = utf8detect_lesser(least, text->ascii[language] + letters->cost[language]);
  }
  return least;
}

static int isLacking(const LikelihoodText *text, size_t index) {
  return utf8detect_is_in(text->lacking, index);
}

static int isNear(const LikelihoodText *text, size_t index) {
  return utf8detect_is_in(text->near, index);
}

/* Returns how a charset reads the text. */
static int wayIn(const LikelihoodText *text, size_t index) {
  return utf8detect_is_in(text->capitals, index) ? ALPHABET_CAPITALS : ALPHABET_AS_IS;
}

/* Does any charset read the text as capitals? */
static int hasCapitals(const LikelihoodText *text) {
  uint32_t any = 0;
  for (size_t k = 0; k < UTF8_CHARSETS_WORDS; k++) any |= text->capitals[k];
  return any != 0;
}

/* Returns what speaks against a charset before the text is read. */
static uint64_t costBefore(const LikelihoodText *text, size_t index, int way) {
  return (text->is_named ? utf8detect_rare_cost(index) : 0) +
         (way == ALPHABET_CAPITALS ? LIKELIHOOD_BITS(UTF8_CAPITALS_BITS) : 0);
}

/* Returns the cost with these bits, which may be below 0. */
static uint64_t withBits(uint64_t cost, int bits) {
  if (bits >= 0) return cost + LIKELIHOOD_BITS(bits);
  return lessBy(cost, LIKELIHOOD_BITS(-bits));
}

/* Reads the text in a charset that has all its bytes; whether its words are usual, only if the charset is near. */
static void readCharset(LikelihoodText *text, size_t index, uint64_t bound) {
  const DetectCharset *charset = &utf8detect_charsets[index];
  const int way = wayIn(text, index);
  LikelihoodCharset *in = &text->charsets[index];
  in->alphabet = &text->alphabets->of[index + (size_t)way * UTF8_ALPHABET_CHARSETS];
  in->signs = costAtMost(text, index);
  in->kinds = costBefore(text, index, way) +
              costOfKinds(in->alphabet, charset->charset, text->bigrams);
  in->letters = lettersIn(text, in->alphabet, charset->script);
  const uint64_t letters = leastOfLetters(text, in->letters, charset->languages);
  in->least = leastWith(text, index, in->signs, in->kinds + letters);
  if (lessBy(in->least, text->signs_most) > bound) return;
  in->kinds +=
      LIKELIHOOD_BITS(oddnessBits[utf8detect_words_oddness(text->bigrams, index)]);
  if (text->has_signs_among)
    in->kinds =
        withBits(in->kinds, utf8detect_signs_more(text->bigrams, charset->charset));
  in->least = leastWith(text, index, in->signs, in->kinds + letters);
  if (in->least <= bound) utf8detect_put_in(text->near, index);
}

/* Returns what the text costs in a language, without its ASCII letters. Letters beside numbers show no language. */
static uint64_t costWithoutAscii(const LikelihoodText *text,
                                 const LikelihoodCharset *in, size_t index,
                                 unsigned language) {
  uint64_t cost = in->kinds + in->letters->cost[language];
  if (language == LIKELIHOOD_ENGLISH) cost = lessContractions(text, index, cost);
  if (text->signs == UTF8_SIGNS_NUMBERS && !text->is_named) return in->signs;
  return utf8detect_lesser(in->signs, cost);
}

/* Stores what the text costs in each language of a charset that is near. Returns the least. */
static uint64_t storeCosts(LikelihoodText *text, size_t index, uint64_t *cost) {
  LikelihoodCharset *in = &text->charsets[index];
  const uint64_t away = text->is_named ? utf8detect_away_languages(index) : 0;
  uint64_t least = UINT64_MAX;
  in->cost = cost;
  for (uint64_t left = utf8detect_charsets[index].languages; left > 0;
       left &= left - 1, cost++) {
    const unsigned language = (unsigned)mask_lowest(left);
    *cost = text->ascii[language] + (away >> language & 1 ? UTF8_AWAY_COST : 0) +
            costWithoutAscii(text, in, index, language);
    least = utf8detect_lesser(least, *cost);
  }
  return least;
}

/* Likewise of any charset. What is far may cost any number that is far. */
static void storeCharset(LikelihoodText *text, size_t index, uint64_t *cost) {
  LikelihoodCharset *in = &text->charsets[index];
  const size_t count = mask_count(utf8detect_charsets[index].languages);
  if (isNear(text, index)) {
    storeCosts(text, index, cost);
    return;
  }
  in->cost = cost;
  for (size_t i = 0; i < count; i++)
    cost[i] = isLacking(text, index) ? UINT64_MAX : LIKELIHOOD_MAX;
}

/* Returns what known words speak for a charset. */
static int64_t bitsOfKnown(const LikelihoodText *text, LikelihoodLetters *letters) {
  if (letters->known < 0)
    letters->known = (int)utf8detect_lexicon_known(&text->trigrams->words,
                                                   letters->alphabet, letters->script);
  return (int64_t)letters->known * (UTF8_KNOWN_BITS * DETECT_UNIT);
}

/* Returns what trigrams cost more than bigrams in a language; 0 if it is not of Latin script, for which none are counted. */
static int64_t costOfTrigrams(const LikelihoodText *text, const LikelihoodCharset *in,
                              unsigned language) {
  LikelihoodLetters *letters = in->letters;
  if (letters->script != DETECT_SCRIPT_LATIN) return 0;
  if (!(letters->has_trigrams >> language & 1)) {
    letters->has_trigrams |= (uint64_t)1 << language;
    letters->trigrams[language] =
        (int32_t)utf8detect_trigrams_cost(in->alphabet, language, text->trigrams);
  }
  return letters->trigrams[language];
}

/* Adds what trigrams cost to what a charset costs in its languages that cost at most `near`, and subtracts the bits of known
** words. */
static void refineCharset(const LikelihoodText *text, size_t index, uint64_t near) {
  const LikelihoodCharset *in = &text->charsets[index];
  uint64_t *cost = in->cost;
  for (uint64_t left = utf8detect_charsets[index].languages; left > 0;
       left &= left - 1, cost++) {
    const unsigned language = (unsigned)mask_lowest(left);
    const uint64_t signs = text->ascii[language] + in->signs;
    if (*cost >= signs || *cost > near) continue;
    const int64_t all = (int64_t)*cost + costOfTrigrams(text, in, language) -
                        bitsOfKnown(text, in->letters);
    *cost = all < 0 ? 0 : utf8detect_lesser((uint64_t)all, signs);
  }
}

/* May trigrams and known words change what the charset costs? */
static int canRefine(const LikelihoodText *text, size_t index) {
  return text->trigrams && isNear(text, index);
}

static void refineCharsets(const LikelihoodText *text, uint64_t near) {
  for (size_t i = 0; i < UTF8_HISTORY_ASIAN; i++)
    if (canRefine(text, i)) refineCharset(text, i, near);
}

/* Is it text in TCVN, if it is best read in viscii? */
static int isTcvn(const LikelihoodText *text) {
  const uint64_t max = text->bigrams->high_sum * LIKELIHOOD_VISCII_BIGRAM +
                       LIKELIHOOD_BITS(LIKELIHOOD_VISCII);
  const size_t index = utf8detect_history_of(UTF8_CHARSET_VISCII);
  return !isLacking(text, index) && text->charsets[index].cost[0] > max;
}

/* Does the cheapest reading have signs only, or no word with a byte above 7F? */
static int isSigns(const LikelihoodText *text, uint64_t least) {
  if (text->signs >= UTF8_SIGNS_APART) return 1;
  for (size_t i = 0; i < UTF8_HISTORY_ASIAN; i++) {
    const LikelihoodCharset *in = &text->charsets[i];
    const uint64_t *cost = in->cost;
    if (!isNear(text, i) || in->signs == LIKELIHOOD_MAX) continue;
    for (uint64_t left = utf8detect_charsets[i].languages; left > 0; left &= left - 1)
      if (*cost++ == least && least == text->ascii[mask_lowest(left)] + in->signs)
        return 1;
  }
  return 0;
}

/* Are all bytes beyond ASCII lone letters, away from numbers? No charset has signs there, as they are used. */
static int isLone(const LikelihoodText *text) {
  if (text->signs != UTF8_SIGNS_APART) return 0;
  for (size_t i = 0; i < UTF8_HISTORY_ASIAN; i++)
    if (!isLacking(text, i) &&
        utf8detect_signs_bits(text->bigrams, utf8detect_charsets[i].charset, 0) !=
            UTF8_SIGNS_NEVER)
      return 0;
  return 1;
}

/* Bits that speak against another language in a text with letters of East Asia, and against one in another script. */
#define LIKELIHOOD_SCRIPT 30

/* ---- charsets that make the same text ------------------------------------------------------------- */

int utf8detect_is_same_text(const Utf8BigramList *bigrams, Utf8Charset a,
                            Utf8Charset b) {
  if (a == b) return 1;
  if (!utf8charset_extends_ascii(a) || !utf8charset_extends_ascii(b)) return 0;
  const uint16_t *one = utf8charset_high(a), *other = utf8charset_high(b);
  for (size_t i = 0; i < bigrams->bytes_count; i++)
    if (one[bigrams->bytes[i]] != other[bigrams->bytes[i]]) return 0;
  return 1;
}

/* Returns a number for the text that a charset makes. */
static uint32_t keyOfText(const Utf8BigramList *bigrams, Utf8Charset charset) {
  const uint16_t *high = utf8detect_high(charset);
  uint32_t key = 0;
  for (size_t i = 0; i < bigrams->bytes_count; i++)
    key = key * 0x01000193 + high[bigrams->bytes[i]];
  return key;
}

static int isSameTextIn(const Utf8BigramList *bigrams, size_t a, size_t b) {
  return utf8detect_is_same_text(bigrams, utf8detect_history_charset(a),
                                 utf8detect_history_charset(b));
}

/* Stores which charsets make the same text, as in Utf8Likelihood. */
static void readSameTexts(uint8_t same[UTF8_HISTORY_ASIAN],
                          const LikelihoodText *text) {
  uint32_t keys[UTF8_HISTORY_ASIAN];
  uint8_t firsts[UTF8_HISTORY_ASIAN];
  size_t count = 0;
  for (size_t i = 0; i < UTF8_HISTORY_ASIAN; i++) {
    size_t k = 0;
    same[i] = UTF8_HISTORIES;
    if (isLacking(text, i)) continue;
    keys[count] = keyOfText(text->bigrams, utf8detect_history_charset(i));
    firsts[count] = (uint8_t)i;
    while (keys[k] != keys[count] || !isSameTextIn(text->bigrams, firsts[k], i)) k++;
    if (k == count) count++;
    same[i] = firsts[k];
  }
}

/* ---- all histories ----------------------------------------------------------------------------- */

static uint64_t leastCost(const uint64_t *cost, size_t count) {
  uint64_t least = UINT64_MAX;
  for (size_t i = 0; i < count; i++) least = utf8detect_lesser(least, cost[i]);
  return least;
}

/* Returns what the text costs as UTF-8 with damage or pasted text, without its ASCII letters. */
static uint64_t costOfUtf8(const Utf8AsUtf8 *as, size_t history) {
  if (history == UTF8_HISTORY_DAMAGED) return as->damaged;
  return as->pasted_count > 0 ? as->pasted[0].cost : UINT64_MAX;
}

/* Returns a bit for each script that the language is written in. */
static uint64_t scriptsOf(unsigned language) {
  static const unsigned asian[] = {0, 0, UTF8_SCRIPT_KANA, UTF8_SCRIPT_HANGUL};
  if (language < UTF8_MODEL_LANGUAGES)
    return (uint64_t)1 << detect_languages[language].script;
  return 1 << UTF8_SCRIPT_HAN | 1 << asian[language - UTF8_MODEL_LANGUAGES];
}

/* Returns what the scripts of a value speak against a language that is written in none of them: nothing if damage left only
** signs, or letters of scripts that no language has. */
static uint64_t costOfScripts(const Utf8AsUtf8 *as, unsigned language) {
  const uint64_t scripts = as->damage.codes.scripts;
  const uint64_t none = 1 | 1u << UTF8_SCRIPT_OTHER | 1u << UTF8_SCRIPT_RARE;
  if (as->damage.runs > 0 && (scripts & ~none) == 0) return 0;
  return scripts & scriptsOf(language) ? 0 : LIKELIHOOD_BITS(LIKELIHOOD_SCRIPT);
}

/* Bits that speak against East Asia if all that is beyond ASCII is two bytes inside of a word in ASCII, as in Qu面bec. Without
** them 3 in 100 words of Latin script that have two such letters, and are read, would be unclear. */
#define LIKELIHOOD_INSIDE 12

static int isAsciiLetter(unsigned class) {
  return class >= 128 && class < UTF8_CLASS_SPACE;
}

static uint64_t insideCost(const Utf8BigramList *bigrams) {
  int isAfter = 0, isBefore = 0;
  if (bigrams->high_sum != 3) return 0;
  for (size_t i = 0; i < bigrams->high; i++) {
    isAfter |= isAsciiLetter(bigrams->list[i].first);
    isBefore |= isAsciiLetter(bigrams->list[i].second);
  }
  return isAfter && isBefore ? LIKELIHOOD_BITS(LIKELIHOOD_INSIDE) : 0;
}

/* Returns what the text costs in the multi-byte charset at this place of Utf8AsianEvidence. */
static uint64_t costInAsian(const Utf8AsianEvidence *asian, size_t place,
                            const Utf8BigramList *bigrams) {
  const uint64_t cost = utf8detect_asian_cost(asian, place, bigrams);
  if (cost == UINT64_MAX) return cost;
  return cost + foreignCost(bigrams) + insideCost(bigrams) +
         LIKELIHOOD_BITS(utf8detect_asian_bits(place));
}

/* Stores what the text costs as UTF-8 in each language: with damage or pasted text. */
static void readUtf8(uint64_t cost[UTF8_LANGUAGES], const LikelihoodText *text,
                     const Utf8AsUtf8 *as, size_t history) {
  const uint64_t all = costOfUtf8(as, history);
  for (unsigned i = 0; i < UTF8_LANGUAGES; i++)
    cost[i] = addCost(all, text->ascii[i] + costOfScripts(as, i));
}

/* Adds to what damage costs what lost bytes show of the language. */
static void readLost(uint64_t cost[UTF8_LANGUAGES], const LikelihoodText *text,
                     const Utf8AsUtf8 *as) {
  int64_t more[DETECT_LATIN];
  if (as->damaged == UINT64_MAX) return;
  utf8detect_lost_costs(more, as, text->may_be_capitals);
  for (unsigned i = 0; i < DETECT_LATIN; i++)
    cost[i] = (uint64_t)((int64_t)cost[i] + more[i]);
}

/* Stores the costs of the histories that are not single-byte charsets, each in its languages. */
static void readOtherHistories(uint64_t *cost, const LikelihoodText *text,
                               const Utf8AsianEvidence *asian, const Utf8AsUtf8 *as) {
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    *cost++ = costInAsian(asian, i, text->bigrams);
  readUtf8(cost, text, as, UTF8_HISTORY_DAMAGED);
  readLost(cost, text, as);
  readUtf8(cost + UTF8_LANGUAGES, text, as, UTF8_HISTORY_PASTED);
}

/* Returns what the ASCII letters speak against a charset at least. */
static uint64_t asciiCost(const LikelihoodText *text, size_t index) {
  const DetectCharset *charset = &utf8detect_charsets[index];
  return charset->script == DETECT_SCRIPT_LATIN
             ? 0
             : text->ascii[mask_lowest(charset->languages)];
}

/* Stores the near charsets, the cheapest so far first. Returns how many. */
static size_t sortCharsets(uint8_t order[UTF8_HISTORY_ASIAN],
                           const LikelihoodText *text) {
  uint64_t keys[UTF8_HISTORY_ASIAN];
  size_t count = 0;
  for (size_t i = 0; i < countOfCharsets(text); i++) {
    if (!isNear(text, i)) continue;
    const uint64_t key = text->charsets[i].least * 256 + i;
    size_t at = count++;
    for (; at > 0 && keys[at - 1] > key; at--) keys[at] = keys[at - 1];
    keys[at] = key;
  }
  for (size_t i = 0; i < count; i++) order[i] = (uint8_t)keys[i];
  return count;
}

/* What the text costs at least in each charset in which it is not read yet, << 7 | the charset. */
typedef struct LikelihoodQueue {
  uint64_t key[UTF8_HISTORY_ASIAN];
  size_t count;
} LikelihoodQueue;

_Static_assert(UTF8_HISTORY_ASIAN <= 1 << 7, "a charset in a key");

/* Puts the charsets that have all bytes of the text into the queue. */
static void beginQueue(LikelihoodQueue *queue, const LikelihoodText *text) {
  uint32_t least[ALPHABET_WAYS][UTF8_ALPHABET_CHARSETS];
  const Utf8BigramList *bigrams = text->bigrams;
  const int ways = hasCapitals(text) ? ALPHABET_WAYS : 1;
  const size_t count = countOfCharsets(text);
  queue->count = 0;
  for (int way = 0; way < ways; way++)
    utf8detect_least_costs(least[way], way, bigrams->list, bigrams->high, count);
  for (size_t i = 0; i < count; i++) {
    if (isLacking(text, i)) continue;
    const int way = wayIn(text, i);
    const uint64_t words =
        costBefore(text, i, way) + least[way][i] + asciiCost(text, i);
    const uint64_t all = leastWith(text, i, costAtMost(text, i), words);
    queue->key[queue->count++] = lessBy(all, text->signs_most) << 7 | i;
  }
}

/* Takes the charset out of the queue in which the text may cost least, and those in which it costs more than bound. Returns
** UTF8_HISTORY_ASIAN if there is none. */
static size_t nextCharset(LikelihoodQueue *queue, uint64_t bound) {
  uint64_t least = UINT64_MAX;
  size_t count = 0, at = 0;
  for (size_t i = 0; i < queue->count; i++) {
    const uint64_t key = queue->key[count] = queue->key[i];
    if (key < least) at = count;
    least = utf8detect_lesser(least, key);
    count += key >> 7 <= bound;
  }
  queue->count = count;
  if (at >= count) return UTF8_HISTORY_ASIAN;
  queue->key[at] = queue->key[--queue->count];
  return least & 127;
}

/* Reads the text in all single-byte charsets that are near: in which it costs neither more than bound, nor more by text->far
** than in another one. */
static void readSingleBytes(LikelihoodText *text, uint64_t bound) {
  LikelihoodQueue queue;
  beginQueue(&queue, text);
  for (size_t i; (i = nextCharset(&queue, bound)) < UTF8_HISTORY_ASIAN;) {
    readCharset(text, i, bound);
    bound = utf8detect_lesser(bound, text->charsets[i].least + text->far);
  }
}

/* Stores what the text costs in each single-byte charset and each of its languages. */
static void storeSingleBytes(uint64_t *cost, LikelihoodText *text, uint64_t bound) {
  readSingleBytes(text, bound);
  for (size_t i = 0; i < UTF8_HISTORY_ASIAN; i++)
    storeCharset(text, i, cost + utf8detect_history_first(i));
}

static uint8_t quartersMore(uint64_t cost, uint64_t least) {
  if (cost == UINT64_MAX) return UTF8_LIKELIHOOD_NEVER;
  const uint64_t quarters = (cost - least) / (DETECT_UNIT / UTF8_LIKELIHOOD_UNIT);
  return (uint8_t)utf8detect_lesser(quarters, UTF8_LIKELIHOOD_NEVER - 1);
}

void utf8detect_likelihood(Utf8Likelihood *likelihood, const Utf8AsianEvidence *asian,
                           const Utf8Trigrams *trigrams, const Utf8AsUtf8 *as) {
  const size_t others = utf8detect_history_first(UTF8_HISTORY_ASIAN);
  /* Its cost is less what known words speak for it, which do not count yet in those of charsets. */
  const size_t pasted = utf8detect_history_first(UTF8_HISTORY_PASTED);
  uint64_t cost[UTF8_LIKELIHOODS];
  LikelihoodText text; /* what reads the histories stores the rest */
  beginText(&text, &as->whole_bigrams, trigrams, &as->whole_bigrams, 0);
  readOtherHistories(cost + others, &text, asian, as);
  storeSingleBytes(cost, &text,
                   addCost(leastCost(cost + others, pasted - others), LIKELIHOOD_FAR));
  refineCharsets(&text, addCost(leastCost(cost, pasted), LIKELIHOOD_NEAR));
  const uint64_t least = leastCost(cost, UTF8_LIKELIHOODS);
  for (size_t i = 0; i < UTF8_LIKELIHOODS; i++)
    likelihood->cost[i] = quartersMore(cost[i], least);
  readSameTexts(likelihood->same, &text);
  likelihood->is_tcvn = (uint8_t)isTcvn(&text);
  likelihood->is_signs = (uint8_t)isSigns(&text, least);
  likelihood->is_lone = (uint8_t)isLone(&text);
}

/* ---- the likeliest charset ------------------------------------------------------------------------ */

/* Readings that cost this much more than the likeliest one are not named, whatever their trigrams and words. */
#define LIKELIHOOD_NAMED LIKELIHOOD_BITS(8)

/* The likeliest history so far, and the bound above which no other one is named, before it is refined. */
typedef struct LikelihoodBest {
  size_t history;
  uint64_t cost;
  uint64_t bound;
} LikelihoodBest;

static void offerHistory(LikelihoodBest *best, size_t history, uint64_t cost) {
  if (cost > best->cost || (cost == best->cost && history > best->history)) return;
  best->history = history;
  best->cost = cost;
}

static void offerCharset(LikelihoodBest *best, LikelihoodText *text, size_t index) {
  uint64_t cost[UTF8_MODEL_LANGUAGES];
  if (text->charsets[index].least > best->bound) return;
  best->bound =
      utf8detect_lesser(best->bound, storeCosts(text, index, cost) + text->far);
  if (canRefine(text, index)) refineCharset(text, index, best->bound);
  offerHistory(best, index,
               leastCost(cost, mask_count(utf8detect_charsets[index].languages)));
}

size_t utf8detect_likeliest(const Utf8AsianEvidence *asian,
                            const Utf8Trigrams *trigrams, const Utf8AsUtf8 *as) {
  LikelihoodBest best = {UTF8_HISTORY_DAMAGED, as->damaged, UINT64_MAX};
  uint8_t order[UTF8_HISTORY_ASIAN];
  LikelihoodText text;
  beginText(&text, &as->whole_bigrams, trigrams, &as->whole_bigrams, 1);
  text.far = LIKELIHOOD_NAMED;
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    offerHistory(&best, UTF8_HISTORY_ASIAN + i, costInAsian(asian, i, text.bigrams));
  best.bound = addCost(best.cost, LIKELIHOOD_NAMED);
  readSingleBytes(&text, best.bound);
  const size_t count = sortCharsets(order, &text);
  for (size_t i = 0; i < count; i++) offerCharset(&best, &text, order[i]);
  return best.history;
}

/* ---- one charset --------------------------------------------------------------------------------- */

static uint64_t costInSingleByte(size_t index, const Utf8Trigrams *trigrams,
                                 const Utf8BigramList *bigrams) {
  uint64_t cost[UTF8_MODEL_LANGUAGES];
  LikelihoodText text;
  beginText(&text, bigrams, trigrams, bigrams, 0);
  if (!isLacking(&text, index)) readCharset(&text, index, UINT64_MAX);
  storeCharset(&text, index, cost);
  if (canRefine(&text, index)) refineCharset(&text, index, LIKELIHOOD_MAX);
  return leastCost(cost, mask_count(utf8detect_charsets[index].languages));
}

uint64_t utf8detect_cost_in(Utf8Charset charset, const Utf8AsianEvidence *asian,
                            const Utf8Trigrams *trigrams,
                            const Utf8BigramList *bigrams) {
  const size_t history = utf8detect_history_of(charset);
  if (history >= UTF8_HISTORY_DAMAGED) return UINT64_MAX;
  return history < UTF8_HISTORY_ASIAN
             ? costInSingleByte(history, trigrams, bigrams)
             : costInAsian(asian, history - UTF8_HISTORY_ASIAN, bigrams);
}

/* ---- pasted text ---------------------------------------------------------------------------------- */

/* Bits that speak against a language for each letter around that it does not have. */
#define LIKELIHOOD_UNKNOWN 8

/* Returns what the letters around speak against a Latin language. */
static uint64_t costOfUnknown(const Utf8CodesSeen *seen, unsigned language) {
  uint64_t count = 0;
  for (unsigned i = 0; i <= UTF8_SCRIPT_LETTERS; i++) {
    const int is_seen = seen->letters[i / 64] >> i % 64 & 1;
    count += is_seen && utf8detect_is_unknown(language, i);
  }
  return LIKELIHOOD_BITS(count * LIKELIHOOD_UNKNOWN);
}

void utf8detect_pasted_costs(uint64_t cost[UTF8_LIKELIHOODS], const Utf8AsUtf8 *as,
                             const Utf8CodesSeen *seen) {
  LikelihoodText text;
  beginText(&text, &as->pasted_bigrams, as->pasted_trigrams, &as->whole_bigrams, 0);
  text.signs = UTF8_SIGNS_NONE; /* a sign alone is what damage leaves, too */
  readSignCharsets(&text);
  for (unsigned i = 0; i < DETECT_LATIN; i++) text.ascii[i] += costOfUnknown(seen, i);
  const uint64_t least = leastCost(text.ascii, DETECT_LATIN);
  for (unsigned i = 0; i < DETECT_LATIN; i++) text.ascii[i] -= least;
  storeSingleBytes(cost, &text, UINT64_MAX);
  refineCharsets(&text, LIKELIHOOD_MAX - 1);
}

/* ---- well-formed values ------------------------------------------------------------------------ */

/* Returns the language of a multi-byte charset, at this place of Utf8AsianEvidence. */
static size_t asianLanguage(size_t place) {
  return mask_lowest(utf8detect_history_languages(UTF8_HISTORY_ASIAN + place));
}

void utf8detect_language_likelihood(uint8_t cost[UTF8_LANGUAGES], const uint32_t *codes,
                                    size_t count) {
  uint64_t costs[UTF8_LANGUAGES] = {0}, asian[UTF8_ASIAN_CHARSETS] = {0};
  utf8detect_languages_cost(costs, codes, count);
  for (size_t i = 0; i < count; i++) utf8detect_asian_costs(asian, codes[i]);
  for (size_t i = 0; i < UTF8_MODEL_LANGUAGES; i++)
    costs[i] += asian[0] > 0 ? LIKELIHOOD_BITS(LIKELIHOOD_SCRIPT) + asian[0] : 0;
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    costs[asianLanguage(i)] =
        asian[i] > 0 ? asian[i]
                     : costs[0] + LIKELIHOOD_BITS(LIKELIHOOD_FOREIGN_MAX /
                                                  LIKELIHOOD_FOREIGN_SHARE);
  const uint64_t least = leastCost(costs, UTF8_LANGUAGES);
  for (size_t i = 0; i < UTF8_LANGUAGES; i++)
    cost[i] = quartersMore(least + (costs[i] - least) / LIKELIHOOD_ASCII_SHARE, least);
}

static uint64_t languageWeight(uint8_t cost) {
  return utf8detect_weight(cost * (DETECT_UNIT / UTF8_LIKELIHOOD_UNIT));
}

unsigned utf8detect_language_of(const uint8_t *text, size_t size) {
  uint32_t codes[UTF8_MODEL_CODES];
  uint8_t cost[UTF8_LANGUAGES];
  uint64_t sum = 0;
  utf8detect_language_likelihood(cost, codes, utf8detect_read_codes(codes, text, size));
  for (size_t i = 0; i < UTF8_LANGUAGES; i++) sum += languageWeight(cost[i]);
  for (unsigned i = 0; i < UTF8_LANGUAGES; i++)
    if (languageWeight(cost[i]) > sum / 2) return i;
  return UTF8_LANGUAGES;
}
