/* mojibaketablestest.c: the tables of mojibake/: each code point has the class of its letter, and the
** masks and bytes of a kind agree with each other and with the charsets.
**
**     make check-mojibake
*/
#include "test/ctest.h"
#include "charset/legacy.h"
#include "mojibake/kind.h"
#include "mojibake/mojibake.h"

static unsigned class_of(uint32_t code) {
  return utf8mojibake_traits[utf8mojibake_kind_of(code)].class;
}

static void has_classes_of_letters(void) {
  static const struct {
    const char *text;
    unsigned class;
  } cases[] = {
      {"az", MOJIBAKE_LOWER},
      {"AZ", MOJIBAKE_UPPER},
      {"09", MOJIBAKE_DIGIT},
      {"éßÿœšąžșőı", MOJIBAKE_LATIN_LOWER},
      {"ÉÀÞŒŠĄŽȘŐİ", MOJIBAKE_LATIN_UPPER},
      {"αωςη", MOJIBAKE_GREEK_LOWER},
      {"ΑΒΓ", MOJIBAKE_GREEK_UPPER},
      {"аяё", MOJIBAKE_CYRILLIC_LOWER},
      {"АЯЁ", MOJIBAKE_CYRILLIC_UPPER},
      {"את", MOJIBAKE_HEBREW},
      {"اي", MOJIBAKE_ARABIC},
      {"กข", MOJIBAKE_THAI},
      {"あア", MOJIBAKE_KANA},
      {"日語", MOJIBAKE_HAN},
      {"한글", MOJIBAKE_HANGUL},
      {"–—", MOJIBAKE_DASH},
      {"“”‘„", MOJIBAKE_QUOTE},
      {"€£¥", MOJIBAKE_CURRENCY},
      {"©®™", MOJIBAKE_MARK},
      {"±∞≈", MOJIBAKE_MATH},
      {"²³½", MOJIBAKE_FRACTION},
      {"─║╝", MOJIBAKE_BOX},
      {"\xCC\x80\xCC\xA3", MOJIBAKE_COMBINING},
      {"\xCC\xA2\xCC\xAC", MOJIBAKE_RARE},
      {"😀🎉", MOJIBAKE_EMOJI},
      {"\xC2\x80\xC2\x9F", MOJIBAKE_C1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint8_t *text = (const uint8_t *)cases[i].text;
    for (size_t at = 0, size = strlen(cases[i].text); at < size;) {
      const Utf8Step one = utf8core_step(text, size, at, UTF8_STRICT);
      expect(class_of(one.codepoint) == cases[i].class, cases[i].text, text, size);
      at += one.length;
    }
  }
}

/* What the decision takes for granted about traits and masks. */
static void has_consistent_tables(void) {
  for (unsigned kind = 0; kind < MOJIBAKE_KINDS; kind++) {
    const Utf8MojibakeTraits traits = utf8mojibake_traits[kind];
    const Utf8MojibakeTraits own = utf8mojibake_traits_of(traits.class);
    expect(traits.class < MOJIBAKE_CLASSES, "a class", NULL, 0);
    expect(own.class == traits.class, "the class of its own kind", NULL, 0);
    expect(traits.script == own.script, "the script of the class", NULL, 0);
    expect(traits.far == own.far, "far as the class is", NULL, 0);
    for (unsigned c = 0; c < MOJIBAKE_CHARSETS; c++) {
      const uint8_t byte = utf8mojibake_byte[c][kind];
      const int leads = utf8mojibake_lead[kind] >> c & 1;
      expect(leads == (byte >= 0xC2 && byte <= 0xF4), "the lead bytes", NULL, 0);
      if (byte >= 0x80)
        expect((utf8mojibake_continuation[kind] >> c & 1) == (byte < 0xC0),
               "the continuation bytes", NULL, 0);
    }
  }
}

/* Every byte of a charset is that of its code point's kind. */
static void has_the_bytes_of_each_charset(void) {
  for (int c = 0; utf8mojibake_charset_name(c); c++) {
    const char *name = utf8mojibake_charset_name(c);
    const uint16_t *high = utf8charset_high(utf8core_find_charset(name, strlen(name)));
    for (unsigned i = 0; i < 128; i++) {
      const uint32_t code = high[i];
      if (code == 0 || code == 0xFFFD) continue;
      const uint8_t byte = utf8mojibake_byte[c][utf8mojibake_kind_of(code)];
      expect(byte == 0x80 + i, name, NULL, 0);
    }
  }
}

static const Test tests[] = {
    {"has classes of letters", has_classes_of_letters},
    {"has consistent tables", has_consistent_tables},
    {"has the bytes of each charset", has_the_bytes_of_each_charset},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
