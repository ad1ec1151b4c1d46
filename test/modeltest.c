/* modeltest.c: the contract of detect/model.h: sums that depend neither on the order of values
** nor on how they are cut into calls; a charset that agrees with the scores. Also
** names a few causes (detect/cause.h) on every machine; test/cause.test has more of them.
*/
#include "test/ctest.h"
#include "detect/alphabet.h"
#include "detect/cause.h"
#include "detect/likelihood.h"
#include "detect/words.h"
#include "core/bytes.h"

#define VALUES    12
#define VALUE_MAX 1400

typedef struct Value {
  uint8_t bytes[VALUE_MAX];
  size_t size;
} Value;

static uint32_t model_seed = 3629;

static uint32_t below(uint32_t limit) {
  model_seed = model_seed * 1664525 + 1013904223;
  return (model_seed >> 8) % limit;
}

/* Random bytes, of one of three kinds: any, letters of windows-1251 with spaces, pairs of gbk. */
static void make_value(Value *value) {
  const uint32_t kind = below(3);
  value->size = 1 + below(below(8) ? 40 : VALUE_MAX - 1);
  for (size_t i = 0; i < value->size; i++) {
    if (kind == 0) value->bytes[i] = (uint8_t)below(256);
    if (kind == 1) value->bytes[i] = (uint8_t)(below(6) ? 0xE0 + below(32) : ' ');
    if (kind == 2) value->bytes[i] = (uint8_t)(0xB0 + below(0x40));
  }
}

/* Adds the value in pieces of random sizes, or in one if whole. */
static void add_value(Utf8Evidence *evidence, const Value *value, int whole) {
  uint8_t *bytes = exact(value->size);
  memcpy(bytes, value->bytes, value->size);
  for (size_t at = 0; at < value->size;) {
    size_t until = whole ? value->size : at + 1 + below(7);
    if (until > value->size) until = value->size;
    utf8detect_add(evidence, bytes, value->size, at, until);
    at = until;
  }
  exact_free(bytes, value->size);
}

static Utf8Evidence one, other;

static void shuffle(Value *values, size_t count) {
  for (size_t i = count - 1; i > 0; i--) {
    const size_t k = below((uint32_t)i + 1);
    const Value swapped = values[i];
    values[i] = values[k];
    values[k] = swapped;
  }
}

static void any_order_and_pieces(void) {
  static Value values[VALUES];
  for (int round = 0; round < 400; round++) {
    const size_t count = 1 + below(VALUES);
    utf8detect_begin(&one);
    utf8detect_begin(&other);
    for (size_t i = 0; i < count; i++) {
      make_value(&values[i]);
      add_value(&one, &values[i], 1);
    }
    shuffle(values, count);
    for (size_t i = 0; i < count; i++) add_value(&other, &values[i], 0);
    expect(utf8detect_charset(&one) == utf8detect_charset(&other), "order",
           values[0].bytes, values[0].size);
    expect(memcmp(one.bigrams.counts, other.bigrams.counts,
                  sizeof one.bigrams.counts) == 0,
           "counts", values[0].bytes, values[0].size);
  }
}

/* The charset of a short value, of a long one, and of its evidence are the same. */
static void value_is_evidence(void) {
  static Value value;
  for (int round = 0; round < 2000; round++) {
    make_value(&value);
    utf8detect_begin(&one);
    add_value(&one, &value, 1);
    const Utf8Charset charset = utf8detect_charset(&one);
    expect(charset == utf8detect_of_value(value.bytes, value.size), "value",
           value.bytes, value.size);
    expect(charset == utf8detect_charset(&one), "again", value.bytes, value.size);
  }
}

/* Nor do the ways differ by an eighth of a bit, where one is enough: of a sequence of UTF-8 and a byte. */
static void sequence_is_evidence(void) {
  for (unsigned i = 0; i < 0x20 * 0x80; i++) {
    const Value value = {{0xC3, (uint8_t)(0xA0 + i / 0x80), (uint8_t)(0x80 + i % 0x80)},
                         3};
    utf8detect_begin(&one);
    add_value(&one, &value, 1);
    expect(utf8detect_charset(&one) == utf8detect_of_value(value.bytes, value.size),
           "value", value.bytes, value.size);
  }
}

/* Evidence can be asked before all values are added: what is added later counts as if it had not been. */
static void more_can_be_added(void) {
  static Value value;
  for (int round = 0; round < 200; round++) {
    Utf8Charset charset = UTF8_CHARSET_UTF8;
    utf8detect_begin(&one);
    utf8detect_begin(&other);
    for (size_t i = 0; i < VALUES; i++) {
      make_value(&value);
      add_value(&one, &value, 1);
      add_value(&other, &value, 1);
      charset = utf8detect_charset(&one);
    }
    expect(charset == utf8detect_charset(&other), "charset", value.bytes, value.size);
    expect(utf8detect_score(&one, UTF8_CHARSET_WINDOWS1251, charset) ==
               utf8detect_score(&other, UTF8_CHARSET_WINDOWS1251, charset),
           "score", value.bytes, value.size);
  }
}

/* May utf8detect_charset() return it? */
static int is_fallback(Utf8Charset charset) {
  const Utf8CharsetRow *row = utf8core_charset(charset);
  return strncmp(row->source, "WHATWG", 6) == 0 || charset == UTF8_CHARSET_LATIN1 ||
         charset == UTF8_CHARSET_CP437 || charset == UTF8_CHARSET_CP850 ||
         charset == UTF8_CHARSET_CP852 || charset == UTF8_CHARSET_CP855;
}

static void named_scores_highest(void) {
  static Value value;
  for (int round = 0; round < 300; round++) {
    make_value(&value);
    utf8detect_begin(&one);
    add_value(&one, &value, 1);
    const Utf8Charset named = utf8detect_charset(&one);
    if (named == UTF8_CHARSET_UTF8) continue;
    const double highest = utf8detect_score(&one, named, named);
    expect(highest > 0.0 && highest <= 1.0, "range", value.bytes, value.size);
    for (int c = 0; c < UTF8_CHARSETS; c++) {
      const double score = utf8detect_score(&one, (Utf8Charset)c, named);
      expect(score >= 0.0 && score <= 1.0, "range", value.bytes, value.size);
      expect(!is_fallback((Utf8Charset)c) || score <= highest, "highest", value.bytes,
             value.size);
    }
  }
}

/* What is not a legacy charset that extends ASCII has no score. */
static void others_score_zero(void) {
  utf8detect_begin(&one);
  utf8detect_add(&one, (const uint8_t *)"caf\xE9", 4, 0, 4);
  const Utf8Charset named = utf8detect_charset(&one);
  expect_that(utf8detect_score(&one, UTF8_CHARSET_UTF8, named) == 0.0, "utf-8");
  expect_that(utf8detect_score(&one, UTF8_CHARSET_CP037, named) == 0.0, "cp037");
  expect_that(utf8detect_score(&one, UTF8_CHARSET_BINARY, named) == 0.0, "binary");
}

/* Not even if the bytes are text in every multi-byte charset. */
static void others_score_zero_in_asian_text(void) {
  static const Utf8Charset others[] = {UTF8_CHARSET_UTF8, UTF8_CHARSET_CP037,
                                       UTF8_CHARSET_BINARY};
  static const uint8_t text[] = {0xB1, 0xB1, 0xBE, 0xA9, 0xCA, 0xD0};
  utf8detect_begin(&one);
  utf8detect_add(&one, text, sizeof text, 0, sizeof text);
  expect_that(utf8detect_plausibility(&one, UTF8_CHARSET_GBK) > 0.0, "gbk");
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    expect_that(utf8detect_plausibility(&one, others[i]) == 0.0, "others");
}

/* The bits of a score that a value with this cost has: 0.5 for 8 bits for each bigram, of which there is one more than
** are counted. */
static int is_score_of(double score, uint64_t cost, const Utf8BigramList *bigrams) {
  const double bits =
      (double)cost / UTF8_MODEL_UNIT / (double)(bigrams->high_sum + 1) / 8;
  const double difference = score * (1 + bits * bits * bits * bits) - 1;
  return difference < 1e-9 && difference > -1e-9;
}

/* Scores are what the text costs in the charset, and for being rare in the world; a plausibility is that of the text
** alone. */
static void scores_are_costs(void) {
  static Value value;
  for (int round = 0; round < 200; round++) {
    Utf8BigramList list;
    make_value(&value);
    utf8detect_begin(&one);
    add_value(&one, &value, 1);
    utf8detect_bigrams_list(&list, &one.bigrams);
    for (size_t i = 0; i < UTF8_HISTORY_DAMAGED; i++) {
      const Utf8Charset charset = utf8detect_history_charset(i);
      const uint64_t cost =
          utf8detect_cost_in(charset, &one.asian, &one.trigrams, &list);
      const double score = utf8detect_plausibility(&one, charset);
      const double rare = utf8detect_score(&one, charset, UTF8_CHARSET_UTF8);
      expect(cost == UINT64_MAX ? score == 0.0 : is_score_of(score, cost, &list),
             "plausibility", value.bytes, value.size);
      expect(cost == UINT64_MAX
                 ? rare == 0.0
                 : is_score_of(rare, cost + utf8detect_world_cost(i), &list),
             "score", value.bytes, value.size);
    }
  }
}

static const uint8_t japanese[] = {0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x82, 0xCC,
                                   0x95, 0xB6, 0x8F, 0xCD, 0x82, 0xC5, 0x82, 0xB7};

/* One value of sixteen may have an error; of fewer, none. */
static void broken_values_are_tolerated(void) {
  uint8_t broken[sizeof japanese];
  memcpy(broken, japanese, sizeof broken);
  broken[4] = 0xFF;
  for (size_t count = 1; count <= 40; count++) {
    utf8detect_begin(&one);
    for (size_t i = 0; i + 1 < count; i++)
      utf8detect_add(&one, japanese, sizeof japanese, 0, sizeof japanese);
    utf8detect_add(&one, broken, sizeof broken, 0, sizeof broken);
    expect((utf8detect_charset(&one) == UTF8_CHARSET_SHIFT_JIS) == (count >= 16),
           "shift_jis", broken, count);
  }
}

/* The end of any value may have cut a character. */
static void cut_values_are_tolerated(void) {
  for (size_t count = 1; count <= 40; count++) {
    utf8detect_begin(&one);
    for (size_t i = 0; i < count; i++) {
      const size_t size = sizeof japanese - i % 2;
      utf8detect_add(&one, japanese, size, 0, size);
    }
    expect(utf8detect_charset(&one) == UTF8_CHARSET_SHIFT_JIS, "shift_jis", japanese,
           count);
  }
}

/* Does each multi-byte charset cost the same, and have as many values too many errors? */
static int is_same_asian(const Utf8AsianEvidence *a, const Utf8AsianEvidence *b) {
  for (size_t i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    if (a->sum[i].cost != b->sum[i].cost || a->sum[i].broken != b->sum[i].broken)
      return 0;
  return 1;
}

/* How often a document may have an error does not depend on the pieces in which it is added, or on its ASCII. */
static void errors_are_tolerated_in_pieces(void) {
  static uint8_t text[4096];
  for (size_t before = 60; before < 320; before++) {
    size_t size = 0;
    for (; size < 2 * before; size += 2) memcpy(text + size, japanese, 2);
    memset(text + size, ';', before);
    size += before;
    text[size++] = 0xFF;
    utf8detect_begin(&one);
    utf8detect_add(&one, text, size, 0, size);
    const int is_read = utf8detect_charset(&one) == UTF8_CHARSET_SHIFT_JIS;
    expect(is_read == (before >= 128), "one error of 128 characters", text, size);
    for (size_t piece = 1; piece < size; piece += piece + before % 3) {
      utf8detect_begin(&other);
      for (size_t at = 0; at < size; at += piece)
        utf8detect_add(&other, text, size, at, size - at < piece ? size : at + piece);
      expect(is_same_asian(&one.asian, &other.asian), "in pieces", text, piece);
    }
  }
}

static void names_causes(void) {
  static const struct {
    const char *bytes, *cause;
  } cases[] = {
      {"caf\xC3\xA9", ""},
      {"\x61\x01\x02\x03\xFF", "binary"},
      {"a\xED\xA0\xBD\xED\xB8\x80", "cesu-8"},
      {"a\xC0\x80z", "mutf-8"},
      {"..\xC0\xAF..", "overlong"},
      {"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0", "windows-1251"},
      {"d\xC3\xA9j\xC3\xA0 pay\xC3\xA9, th\xC3\xA9 / d\xE9j\xE0 pay\xE9",
       "utf-8+iso-8859-1"},
      {"\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5\xD1\x82\xD1", "cut"},
      {"\xD0\x9F\xD1\x80\xD0\xB8\xD0 \xD0\xB2\xD0\xB5\xD1\x82", "damaged"},
      {"\xE8", "unclear"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint8_t *bytes = (const uint8_t *)cases[i].bytes;
    const size_t size = strlen(cases[i].bytes);
    char name[UTF8_CAUSE_NAME_MAX];
    utf8detect_cause_name(utf8detect_cause(bytes, size), name);
    expect(strcmp(name, cases[i].cause) == 0, cases[i].cause, bytes, size);
  }
}

/* Contractions speak for a charset of Windows, ’s only in a text, and nothing else does. */
static void contractions_speak_for_windows(void) {
  static const struct {
    const char *text;
    int count, in_text;
  } cases[] = {
      {"don\x92t", 1, 1},
      {"DON\x92T I\x92m he\x92"
       "d",
       3, 3},
      {"we\x92re I\x92VE", 2, 2},
      {"you\x92ll", 1, 1},
      {"it\x92s", 0, 1},
      {"MEN\x92S WEAR", 0, 1},
      {"pa\x92t", 0, 0},
      {"den\x92tico", 0, 0},
      {"am\x92m", 0, 0},
      {"l\x92homme", 0, 0},
      {"O\x92"
       "Brien",
       0, 0},
      {"\x92tis", 0, 0},
      {"Anna\x93s", 0, 0},
      {"Anna's", 0, 0},
      {"rock \x92n\x92 roll", 0, 0},
  };
  const Utf8BigramList few = {.size = 31}, many = {.size = 32};
  unsigned bits = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const size_t size = strlen(cases[i].text);
    Utf8Trigrams t;
    utf8detect_trigrams_begin(&t);
    utf8detect_trigrams_add(&t, (const uint8_t *)cases[i].text, size, 0, size);
    const unsigned found = utf8detect_words_contraction_bits(&few, &t);
    const unsigned in_text = utf8detect_words_contraction_bits(&many, &t);
    if (i == 0) bits = found;
    expect_that(found == bits * (unsigned)cases[i].count, cases[i].text);
    expect_that(in_text == bits * (unsigned)cases[i].in_text, cases[i].text);
  }
  expect_that(bits > 0, "bits of a contraction");
  expect_that(utf8detect_words_contraction_bits(&many, NULL) == 0, "no trigrams");
}

/* ---- trigrams ---------------------------------------------------------------------------------- */

static Utf8Trigrams trigrams_of(const uint8_t *bytes, size_t size) {
  Utf8Trigrams trigrams;
  uint8_t *copy = exact(size);
  memcpy(copy, bytes, size);
  utf8detect_trigrams_begin(&trigrams);
  utf8detect_trigrams_add(&trigrams, copy, size, 0, size);
  exact_free(copy, size);
  return trigrams;
}

static int is_trigram(Utf8Trigram t, unsigned first, unsigned second, unsigned third) {
  return t.first == first && t.second == second && t.third == third;
}

static int same_trigrams(const Utf8Trigrams *a, const Utf8Trigrams *b) {
  return a->count == b->count && a->words.size == b->words.size &&
         memcmp(a->list, b->list, a->count * sizeof *a->list) == 0 &&
         memcmp(a->words.classes, b->words.classes, a->words.size) == 0;
}

static void trigrams_of_pieces(void) {
  static Value value;
  for (int round = 0; round < 2000; round++) {
    make_value(&value);
    const Utf8Trigrams whole = trigrams_of(value.bytes, value.size);
    Utf8Trigrams added;
    utf8detect_trigrams_begin(&added);
    for (size_t at = 0, until; at < value.size; at = until) {
      until = at + 1 + below(3);
      if (until > value.size) until = value.size;
      utf8detect_trigrams_add(&added, value.bytes, value.size, at, until);
    }
    expect(same_trigrams(&whole, &added), "pieces", value.bytes, value.size);
  }
}

/* A value has spaces before and after it. Each trigram has a letter in the middle and a byte above 7F. */
static void trigrams_of_short_values(void) {
  const unsigned space = UTF8_CLASS_SPACE, a = utf8detect_bigrams_class['a'];
  const Utf8Trigrams none = trigrams_of((const uint8_t *)"", 0),
                     single = trigrams_of((const uint8_t *)"\xE9", 1),
                     two = trigrams_of((const uint8_t *)"a\xE9", 2),
                     sign = trigrams_of((const uint8_t *)"\xE9 \xE9", 3),
                     ascii = trigrams_of((const uint8_t *)"aaaa", 4);
  expect_that(none.count == 0, "no byte");
  expect_that(single.count == 1 && is_trigram(single.list[0], space, 0x69, space),
              "one");
  expect_that(two.count == 2 && is_trigram(two.list[0], space, a, 0x69) &&
                  is_trigram(two.list[1], a, 0x69, space),
              "two");
  expect_that(sign.count == 2, "none around a sign");
  expect_that(ascii.count == 0, "none of ASCII");
}

/* Trigrams that end in the first 256 bytes are read, and of these at most 24. */
static void trigrams_of_long_values(void) {
  static const size_t counts[] = {2, 2, 1, 0, 0}; /* for the sizes 254 to 258 */
  uint8_t bytes[258];
  memset(bytes, 'a', sizeof bytes);
  for (size_t size = 254; size <= 258; size++) {
    bytes[size - 1] = 0xE9;
    expect(trigrams_of(bytes, size).count == counts[size - 254], "size", bytes, size);
    bytes[size - 1] = 'a';
  }
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(0x80 + i % 128);
  expect(trigrams_of(bytes, 23).count == 23, "23", bytes, 23);
  expect(trigrams_of(bytes, 25).count == UTF8_TRIGRAMS, "24", bytes, 25);
}

static void trigrams_that_repeat(void) {
  const Utf8Trigrams twice = trigrams_of((const uint8_t *)"\xE9 \xE9", 3),
                     often = trigrams_of((const uint8_t *)"\xE9 \xE9 \xE9", 5);
  static const uint8_t others[] = {'a', 0xE9, 'a', ' ',  'a', 0xE9,
                                   'b', ' ',  'a', 0xE9, 'c'};
  const Utf8Trigrams alike = trigrams_of(others, sizeof others);
  expect_that(alike.count == 2 + 3 + 3, "a letter of three that is another one");
  expect_that(twice.count == 2, "twice");
  expect_that(often.count == UTF8_TRIGRAM_MAX, "often");
}

/* ---- known words -------------------------------------------------------------------------------- */

/* Returns how many words of a value in a charset are known. */
static unsigned known_in(Utf8Charset charset, const char *text) {
  const size_t index = utf8detect_history_of(charset);
  const Utf8Trigrams of = trigrams_of((const uint8_t *)text, strlen(text));
  return utf8detect_lexicon_known(&of.words, &utf8detect_alphabets()->of[index],
                                  utf8detect_charsets[index].script);
}

static void words_are_known(void) {
  static const struct {
    Utf8Charset charset;
    const char *text;
    unsigned known;
  } cases[] = {
      {UTF8_CHARSET_WINDOWS1252, "M\xFCller", 1},
      {UTF8_CHARSET_WINDOWS1252, "M\xDCLLER", 1},
      {UTF8_CHARSET_WINDOWS1250, "M\xFCller", 1},
      {UTF8_CHARSET_MACINTOSH, "M\xFCller", 0},
      {UTF8_CHARSET_MACINTOSH, "M\x9Fller", 1},
      {UTF8_CHARSET_WINDOWS1251, "\xCC\xEE\xF1\xEA\xE2\xE0", 1},
      {UTF8_CHARSET_KOI8_R, "\xCC\xEE\xF1\xEA\xE2\xE0", 0},
      {UTF8_CHARSET_WINDOWS1252, "", 0},
      {UTF8_CHARSET_WINDOWS1252, "Mueller", 0},             /* has no other letter */
      {UTF8_CHARSET_WINDOWS1252, "\xE9t", 0},               /* is too short */
      {UTF8_CHARSET_WINDOWS1252, "M\xFCller M\xFCller", 1}, /* once */
      {UTF8_CHARSET_WINDOWS1252, "caf\xE9, M\xFCller-(\xE9t\xE9)", 3},
      {UTF8_CHARSET_WINDOWS1252, "l\x92\xE9t\xE9", 1},
      {UTF8_CHARSET_WINDOWS1252, "caf\xE9\xA9", 0}, /* touches a sign */
      {UTF8_CHARSET_WINDOWS1252,
       "\x93"
       "caf\xE9\x94",
       0},
      {UTF8_CHARSET_WINDOWS1252,
       "caf\xE9 aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xE9\xE9\xE9\xE9 M\xFCller", 2},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_that(known_in(cases[i].charset, cases[i].text) == cases[i].known,
                cases[i].text);
}

/* The words for which there is room are kept, and as a whole. */
static void words_of_long_values(void) {
  char text[256] = "";
  for (char c = 'a'; c <= 'z'; c++) {
    const char word[] = {c, c, c, c, c, c, (char)0xE9, ' ', 0};
    strcat(text, word);
  }
  const Utf8Trigrams of = trigrams_of((const uint8_t *)text, strlen(text));
  expect_that(of.words.size == UTF8_LEXICON_ROOM / 8 * 8, "room");
  expect_that(of.words.classes[of.words.size - 1] == UTF8_CLASS_SPACE, "the end");
}

/* One word of 256 that are none is taken for known. */
static void other_words_are_rarely_known(void) {
  unsigned known = 0;
  for (int round = 0; round < 20000; round++) {
    char word[] = "qqqqq\xFCqq";
    for (size_t i = 0; i < sizeof word - 1; i++)
      if (word[i] == 'q') word[i] = "bcdfghjklmnpqrstvwxz"[below(20)];
    known += known_in(UTF8_CHARSET_WINDOWS1252, word);
  }
  expect_that(known > 20000 / 256 / 2 && known < 20000 / 256 * 3 / 2, "of 20,000");
}

static void words_that_both_have(void) {
  Utf8Trigrams some = trigrams_of((const uint8_t *)"caf\xE9 caf\xE9s \xE9t\xE9", 14);
  const Utf8Trigrams others =
      trigrams_of((const uint8_t *)"caf\xE9s \xE9t\xE9 \xE9", 11);
  const Utf8Trigrams both = trigrams_of((const uint8_t *)"caf\xE9s \xE9t\xE9", 9);
  utf8detect_lexicon_keep(&some.words, &others.words);
  expect_that(some.words.size == both.words.size, "their size");
  expect_that(memcmp(some.words.classes, both.words.classes, both.words.size) == 0,
              "these");
  utf8detect_lexicon_keep(&some.words, &(Utf8LexiconWords){.size = 0});
  expect_that(some.words.size == 0, "none");
}

static void known_code_points(void) {
  static const uint32_t two[] = {'c', 'a', 'f', 0xE9, ' ', 0xE9, 't', 0xE9},
                        torn[] = {0x20AC, 0xE9, 't', 0xE9},
                        mixed[] = {0x41C, 'c', 'a', 'f', 0xE9};
  expect_that(utf8detect_lexicon_known_codes(two, 8) == 2, "café été");
  expect_that(utf8detect_lexicon_known_codes(two, 7) == 1, "café ét");
  expect_that(utf8detect_lexicon_known_codes(torn, 4) == 0, "beside a sign");
  expect_that(utf8detect_lexicon_known_codes(mixed, 5) == 0, "of two scripts");
  expect_that(utf8detect_lexicon_known_codes(NULL, 0) == 0, "none");
}

/* ---- trigrams of the tables ------------------------------------------------------------------------ */

/* Returns the class of a letter in the alphabet, without a tone; or UTF8_BYTE_CLASSES if it has none. */
static unsigned class_of_letter(const Utf8Alphabet *alphabet, unsigned letter) {
  for (unsigned i = 0; i < UTF8_BYTE_CLASSES; i++) {
    if (ALPHABET_LOAD(alphabet->letter[i]) != letter) continue;
    if (ALPHABET_LOAD(alphabet->last[i]) == letter) return i;
  }
  return UTF8_BYTE_CLASSES;
}

/* Returns the class of a symbol of the language in the alphabet; of the symbol 1, which is any other letter,
** UTF8_BYTE_CLASSES. */
static unsigned class_of_symbol(const Utf8Alphabet *alphabet,
                                const DetectLanguage *language, unsigned symbol) {
  if (symbol == 0) return UTF8_CLASS_SPACE;
  if (symbol == 1) return UTF8_BYTE_CLASSES;
  return class_of_letter(alphabet, detect_letters[language->letter + symbol - 2]);
}

/* Expects the cost that the tables have for a trigram. Skips it if the alphabet lacks one of its letters, or if one of
** the last two is beyond ASCII: what a name costs limits that. Returns 1 if it was not skipped. */
static int expect_trigram(const Utf8Alphabet *alphabet, unsigned language,
                          unsigned second, unsigned trigram) {
  const DetectLanguage *of = &detect_languages[language];
  const unsigned classes[] = {class_of_symbol(alphabet, of, trigram >> 10),
                              class_of_symbol(alphabet, of, second),
                              class_of_symbol(alphabet, of, trigram >> 4 & 63)};
  if (classes[0] >= UTF8_BYTE_CLASSES || classes[1] < 128 || classes[2] < 128) return 0;
  if (classes[1] >= UTF8_BYTE_CLASSES || classes[2] >= UTF8_BYTE_CLASSES) return 0;
  const Utf8Trigrams listed = {
      .list = {{(uint8_t)classes[0], (uint8_t)classes[1], (uint8_t)classes[2]}},
      .count = 1};
  expect_that(utf8detect_trigrams_cost(alphabet, language, &listed) ==
                  detect_trigram_level[trigram & 15],
              of->tag);
  return 1;
}

/* Expects the costs of all trigrams of a language. Returns how many of them the alphabet has. */
static unsigned long expect_trigrams(const Utf8Alphabet *alphabet, unsigned language) {
  unsigned long found = 0;
  for (unsigned second = 0; second < detect_languages[language].symbols; second++) {
    const size_t end = detect_trigram_starts[language][second + 1];
    for (size_t at = detect_trigram_starts[language][second]; at < end; at++)
      found +=
          (unsigned)expect_trigram(alphabet, language, second, detect_trigrams[at]);
  }
  return found;
}

static void trigrams_are_found(void) {
  const Utf8Alphabets *alphabets = utf8detect_alphabets();
  for (size_t i = 0; i < UTF8_ALPHABET_CHARSETS; i++) {
    unsigned long found = 0;
    const uint64_t languages = utf8detect_charsets[i].languages;
    for (unsigned language = 0; language < DETECT_LATIN; language++)
      if (languages >> language & 1)
        found += expect_trigrams(&alphabets->of[i], language);
    expect_that(found > 0 || !(languages & 1), "trigrams");
  }
}

/* Returns the index of a language. */
static unsigned language_of(const char *tag) {
  unsigned language = 0;
  while (strcmp(detect_languages[language].tag, tag) != 0) language++;
  return language;
}

/* A trigram that is not listed costs nothing more: here with a letter that the language lacks. */
static void others_cost_nothing(void) {
  const uint8_t a = utf8detect_bigrams_class['a'], umlaut = 0xF6 - 0x80;
  const Utf8Trigrams unlisted = {.list = {{a, a, umlaut}, {umlaut, a, a}}, .count = 2};
  const Utf8Alphabet *alphabet = utf8detect_alphabets()->of;
  const unsigned english = language_of("en");
  while (utf8detect_charsets[alphabet - utf8detect_alphabets()->of].charset !=
         UTF8_CHARSET_WINDOWS1252)
    alphabet++;
  expect_that(utf8detect_trigrams_cost(alphabet, english, &unlisted) == 0, "\xF6");
}

/* ---- what is left out while a text is read ------------------------------------------------------- */

/* What many bigrams cost in each language of a script is the sum of what each of them costs, once. */
static void names_add_up(void) {
  static Value value;
  const Utf8Alphabets *alphabets = utf8detect_alphabets();
  for (int round = 0; round < 100; round++) {
    Utf8BigramList list;
    make_value(&value);
    utf8detect_begin(&one);
    add_value(&one, &value, 1);
    utf8detect_bigrams_list(&list, &one.bigrams);
    for (size_t i = 0; i < UTF8_ALPHABET_CHARSETS; i++) {
      const DetectCharset *charset = &utf8detect_charsets[i];
      uint32_t all[UTF8_MODEL_LANGUAGES] = {0}, sum[UTF8_MODEL_LANGUAGES] = {0};
      utf8detect_add_names(all, &alphabets->of[i], charset->script, list.list,
                           list.high);
      for (size_t k = 0; k < list.high; k++) {
        const Utf8Bigram once = {list.list[k].first, list.list[k].second, 1};
        for (unsigned times = list.list[k].count; times > 0; times--)
          utf8detect_add_names(sum, &alphabets->of[i], charset->script, &once, 1);
      }
      expect(memcmp(all, sum, sizeof all) == 0, "names", value.bytes, value.size);
    }
  }
}

/* Returns what bigrams cost in a charset that is read in one way, in the language in which they cost least. */
static uint64_t cost_in_way(size_t index, int way, const Utf8BigramList *list) {
  const DetectCharset *charset = &utf8detect_charsets[index];
  const Utf8Alphabet *alphabet =
      &utf8detect_alphabets()->of[index + (size_t)way * UTF8_ALPHABET_CHARSETS];
  uint32_t names[UTF8_MODEL_LANGUAGES] = {0}, least = UINT32_MAX;
  utf8detect_add_names(names, alphabet, charset->script, list->list, list->high);
  for (unsigned i = 0; i < UTF8_MODEL_LANGUAGES; i++)
    if (charset->languages >> i & 1 && names[i] < least) least = names[i];
  return utf8detect_kinds_cost(alphabet, list->list, list->high) + least;
}

/* What bigrams cost at least is not more than what they cost, and not 0; the charsets that may be named have the same costs
** with the others and without them. */
static void bounds_hold(void) {
  static Value value;
  uint32_t all[UTF8_ALPHABET_CHARSETS], named[UTF8_ALPHABET_CHARSETS];
  for (int round = 0; round < 300; round++) {
    const int way = round % ALPHABET_WAYS;
    Utf8BigramList list;
    make_value(&value);
    utf8detect_begin(&one);
    add_value(&one, &value, 1);
    utf8detect_bigrams_list(&list, &one.bigrams);
    if (list.high == 0) continue;
    utf8detect_least_costs(all, way, list.list, list.high, UTF8_ALPHABET_CHARSETS);
    utf8detect_least_costs(named, way, list.list, list.high, DETECT_NAMED);
    expect(memcmp(all, named, DETECT_NAMED * sizeof *all) == 0, "named", value.bytes,
           value.size);
    for (size_t i = 0; i < UTF8_ALPHABET_CHARSETS; i++)
      expect(all[i] > 0 && all[i] <= cost_in_way(i, way, &list), "least", value.bytes,
             value.size);
  }
}

/* Returns the least likelihood of a history in any language. */
static unsigned likelihood_of(const Utf8Likelihood *l, size_t history) {
  unsigned least = UTF8_LIKELIHOOD_NEVER;
  for (size_t at = utf8detect_history_first(history);
       at < utf8detect_history_first(history + 1); at++)
    if (l->cost[at] < least) least = l->cost[at];
  return least;
}

/* Likelihoods are what the text costs in each charset more than in the cheapest one, which reading in one charset alone
** says, too: nothing is left out then. */
static void likelihoods_are_costs(void) {
  static Value value;
  for (int round = 0; round < 300; round++) {
    uint64_t cost[UTF8_HISTORY_DAMAGED], least = UINT64_MAX;
    Utf8AsUtf8 as = {.damaged = UINT64_MAX};
    Utf8Likelihood likelihood;
    make_value(&value);
    utf8detect_begin(&one);
    add_value(&one, &value, 1);
    utf8detect_bigrams_list(&as.whole_bigrams, &one.bigrams);
    for (size_t i = 0; i < UTF8_HISTORY_DAMAGED; i++) {
      cost[i] = utf8detect_cost_in(utf8detect_history_charset(i), &one.asian, NULL,
                                   &as.whole_bigrams);
      if (cost[i] < least) least = cost[i];
    }
    utf8detect_likelihood(&likelihood, &one.asian, NULL, &as);
    for (size_t i = 0; i < UTF8_HISTORY_DAMAGED; i++) {
      const uint64_t more =
          (cost[i] - least) / (UTF8_MODEL_UNIT / UTF8_LIKELIHOOD_UNIT);
      const unsigned most = UTF8_LIKELIHOOD_NEVER - 1;
      const unsigned expected = cost[i] == UINT64_MAX ? UTF8_LIKELIHOOD_NEVER
                                : more < most         ? (unsigned)more
                                                      : most;
      expect(likelihood_of(&likelihood, i) == expected, "likelihood", value.bytes,
             value.size);
    }
  }
}

/* ---- histories ------------------------------------------------------------------------------- */

/* Is the language written in the script? */
static int is_written_in(unsigned language, unsigned script) {
  const unsigned asian = language - UTF8_MODEL_LANGUAGES;
  if (language < UTF8_MODEL_LANGUAGES)
    return detect_languages[language].script == script;
  return script == UTF8_SCRIPT_HAN || (script == UTF8_SCRIPT_KANA && asian == 2) ||
         (script == UTF8_SCRIPT_HANGUL && asian == 3);
}

/* 30 bits speak against a value in each language that is not written in its script; but none against an ill-formed one if no
** language has the script. */
static void scripts_speak_for_languages(void) {
  const Utf8AsianEvidence asian = {.values = 0};
  const size_t first = utf8detect_history_first(UTF8_HISTORY_DAMAGED);
  Utf8Likelihood likelihood;
  for (unsigned script = UTF8_SCRIPT_LATIN; script < UTF8_SCRIPT_RARE; script++) {
    for (unsigned runs = 0; runs < 2; runs++) {
      const Utf8AsUtf8 as = {.damage = {.runs = runs, .codes.scripts = 1u << script}};
      utf8detect_likelihood(&likelihood, &asian, NULL, &as);
      for (unsigned i = 0; i < UTF8_LANGUAGES; i++) {
        const int may_be_left = runs > 0 && script == UTF8_SCRIPT_OTHER;
        const unsigned more = may_be_left || is_written_in(i, script) ? 0 : 30;
        expect_that(likelihood.cost[first + i] == more * UTF8_LIKELIHOOD_UNIT,
                    utf8detect_language_tag(i));
      }
    }
  }
}

/* Multi-byte charsets and UTF-8 may be named. Two bits speak against damage or pasted text, and ten against a charset
** that is never named. */
static void costs_of_histories(void) {
  for (size_t i = 0; i < UTF8_HISTORIES; i++) {
    const uint32_t cost = utf8detect_world_cost(i);
    const int is_named = utf8detect_history_is_named(i);
    expect_that(is_named || i < UTF8_HISTORY_ASIAN, "named");
    expect_that(is_named || cost >= 10 * UTF8_MODEL_UNIT, "never named");
    if (i >= UTF8_HISTORY_ASIAN)
      expect_that(cost == (i < UTF8_HISTORY_DAMAGED ? 0 : 2 * UTF8_MODEL_UNIT), "cost");
  }
}

static int is_away(size_t history, const char *tag) {
  return (int)(utf8detect_away_languages(history) >> language_of(tag) & 1);
}

/* Only a language of Western Europe is away, and only in a charset of another region. */
static void languages_away(void) {
  const size_t western = utf8detect_history_of(UTF8_CHARSET_WINDOWS1252),
               cyrillic = utf8detect_history_of(UTF8_CHARSET_WINDOWS1251);
  expect_that(utf8detect_away_languages(western) == 0, "in windows-1252");
  for (size_t at = UTF8_HISTORY_ASIAN; at < UTF8_HISTORIES; at++)
    expect_that(utf8detect_away_languages(at) == 0, "in others");
  expect_that(is_away(cyrillic, "en"), "English");
  expect_that(is_away(cyrillic, "fr"), "French");
  expect_that(!is_away(cyrillic, "pl"), "Polish");
  expect_that(!is_away(cyrillic, "ru"), "Russian");
}

static const Test tests[] = {
    {"evidence depends on neither order nor pieces", any_order_and_pieces},
    {"a value's charset is that of its evidence", value_is_evidence},
    {"the charset of a sequence and a byte is that of its evidence",
     sequence_is_evidence},
    {"more can be added", more_can_be_added},
    {"the charset named has the highest score", named_scores_highest},
    {"other charsets score zero", others_score_zero},
    {"other charsets score zero in text of East Asia", others_score_zero_in_asian_text},
    {"scores are costs", scores_are_costs},
    {"one value of sixteen may have an error", broken_values_are_tolerated},
    {"the end of any value may have cut a character", cut_values_are_tolerated},
    {"one error of 128 characters, in any pieces", errors_are_tolerated_in_pieces},
    {"names causes", names_causes},
    {"contractions speak for Windows", contractions_speak_for_windows},
    {"trigrams depend on no pieces", trigrams_of_pieces},
    {"trigrams of short values", trigrams_of_short_values},
    {"trigrams of the first bytes", trigrams_of_long_values},
    {"trigrams that repeat", trigrams_that_repeat},
    {"words are known where they are read right", words_are_known},
    {"words of long values", words_of_long_values},
    {"other words are rarely known", other_words_are_rarely_known},
    {"words that two values have", words_that_both_have},
    {"known words of code points", known_code_points},
    {"the trigrams of the tables are found", trigrams_are_found},
    {"trigrams that are not listed cost nothing", others_cost_nothing},
    {"letters of bigrams add up", names_add_up},
    {"no charset costs less than its bound", bounds_hold},
    {"likelihoods are costs", likelihoods_are_costs},
    {"scripts speak for languages", scripts_speak_for_languages},
    {"the costs of histories", costs_of_histories},
    {"languages away from their region", languages_away},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof tests[0]);
}
