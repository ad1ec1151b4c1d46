/* mojibaketablestest.c: the tables of mojibake/: each code point has the class of its letter, and the
** masks and bytes of a kind agree with each other and with the charsets; and the numbers that decide.
**
**     make check-mojibake
*/
#include "test/ctest.h"
#include "charset/legacy/legacy.h"
#include "mojibake/kind.h"
#include "mojibake/mojibake.h"
#include "mojibake/pairs.h"
#include "core/simd/kernel.h"

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
    for (unsigned c = 0; c < MOJIBAKE_WITH_RIVALS; c++) {
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
  for (int c = 0; c < MOJIBAKE_WITH_RIVALS; c++) {
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

/* The code points that some charset has. */
static uint32_t charset_codes[MOJIBAKE_KINDS];

static size_t find_charset_codes(void) {
  size_t count = 0;
  for (uint32_t code = 0x80; code < 0x10000; code++) {
    if (utf8mojibake_kind_of(code) < MOJIBAKE_KIND_OF_CLASS)
      charset_codes[count++] = code;
  }
  return count;
}

/* The kernels stop at each pair that the tables make a scan stop at. */
static void stops_at_each_pair(void) {
  const size_t count = find_charset_codes();
  const Utf8MojibakeScan *scan = utf8mojibake_scan;
  Utf8SkipUnpaired *kernel = utf8simd_kernel()->scans.skip_unpaired;
  Utf8SkipUnpaired *skip = kernel ? kernel : utf8mojibake_skip_unpaired;
  for (size_t i = 0; i < count * count; i++) {
    const uint32_t lead = charset_codes[i / count], next = charset_codes[i % count];
    const Utf8MojibakeScan first = scan[utf8mojibake_kind_of(lead)];
    uint8_t text[2 * UTF8_OCTETS_MAX];
    uint64_t places;
    if (!((first.two | first.more) & scan[utf8mojibake_kind_of(next)].next)) continue;
    size_t size = utf8core_put(text, lead);
    size += utf8core_put(text + size, next);
    expect(skip(text, 0, size, &places) < size, "is a pair of the kernel", text, size);
  }
}

/* due is NULL if the text is left unchanged. */
static void expect_restored(const char *what, const char *text, const char *due) {
  static uint8_t out[UTF8_MOJIBAKE_ROOM];
  const uint8_t *bytes = (const uint8_t *)text;
  size_t at = 0;
  const size_t n =
      utf8mojibake_restore(NULL, bytes, strlen(text), &at, out, sizeof out);
  if (!due) due = text;
  expect(n == strlen(due) && memcmp(out, due, n) == 0, what, out, n);
}

/* Texts that come out differently if a number of mojibake/readings.c or mojibake/cost.c is one more (+1) or one less.
** They are chosen only because they are at the edge: if costs change, choose others. */
static void holds_each_limit(void) {
  static const struct {
    const char *limit, *text, *due; /* NULL: unchanged */
  } cases[] = {
      {"READING_MISREAD+1", "ГЋ", "Î"},
      {"READING_MISREAD-1", "·º∏ŒëŒù", NULL},
      {"READING_AGAIN+1", "POGiÄš\302\240mA", "POGiŠmA"},
      {"READING_AGAIN-1", "Ã…Â\302\240Ibran", NULL},
      {"READING_OTHER+1", "TÐ“–G", "TÖG"},
      {"READING_OTHER-1", "PUGlÄšÅ\302\240kKA", "PUGlĚŠkKA"},
      {"READING_PARTIAL+1", "–¢–ï–ì–s–ïГ†", "ТЕГ–s–ïГ†"},
      {"READING_PARTIAL-1", "b├æa 你", NULL},
      {"READING_CLEAN+1", "–¢–ï–ì–K–ï–\302\232", "ТЕГ–KŖ\302\232"},
      {"READING_CLEAN-1", "b├æa 你", NULL},
      {"READING_PUNCTUATION+1", "oГ„�„RГ„TEhh", "oГ„�„RÄTEhh"},
      {"READING_PUNCTUATION-1", "MГ„�„SГ„TEN", NULL},
      {"READING_SIGNS+1", "\"ÂĄcp", "\"¥cp"},
      {"READING_SIGNS-1", "(ÂĄg", NULL},
      {"READING_SIGN+1", "IÂ\302\232b", "Išb"},
      {"READING_SIGN-1", "\"ÂĄg", NULL},
      {"READING_MAC+1", "em\302\232n", NULL},
      {"READING_MAC-1", "iSr\302\221", "iSr‘"},
      {"READING_CHANGED+1", "RГЃNб�ўбєё", "RÁN�Ẹ"},
      {"READING_CHANGED-1", "Ð“Ð ", NULL},
      {"READING_CUT+1", "┼₧U┼", "ŞU�"},
      {"READING_CUT-1", "f┼₧B┼", NULL},
      {"READING_GARBLE+1", "as\302\202e", NULL},
      {"READING_GARBLE-1", "m\302\225aA", "m•aA"},
      {"READING_BYTE+1", "as\302\202e", NULL},
      {"READING_BYTE-1", "b\302\225au", "b•au"},
      {"READING_MARGIN+1", "iSr\302\221", "iSr‘"},
      {"READING_MARGIN-1", "iInĂŠ", NULL},
      {"COST_INSIDE+1", "Ú©ŰŚz", NULL},
      {"COST_INSIDE-1", "Å™bZZ", "řbZZ"},
      {"COST_DRAWING+1", "UMUT╞ÅMm", NULL},
      {"COST_DRAWING-1", "2√èmu", "2Ïmu"},
      {"COST_CAPITALS+1", "SÃ–l", NULL},
      {"COST_CAPITALS-1", "TÃ–", "TÖ"},
      {"COST_QUOTE+1", "FCFÃ“", NULL},
      {"COST_QUOTE-1", "ZД’", "ZĒ"},
      {"COST_UNUSUAL+1", "·±û·±Æg", "ᱞᱮg"},
      {"COST_UNUSUAL-1", "·º∏ŒëŒù", NULL},
      {"COST_LONE+1", "ÿ®Ÿπk›®", "بٹkݨ"},
      {"COST_LONE-1", "·º∏ŒëŒù", NULL},
      {"COST_SYMBOL+1", "BÎº", "Bκ"},
      {"COST_SYMBOL-1", "DNÎºv", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_restored(cases[i].limit, cases[i].text, cases[i].due);
}

static const Test tests[] = {
    {"has classes of letters", has_classes_of_letters},
    {"has consistent tables", has_consistent_tables},
    {"has the bytes of each charset", has_the_bytes_of_each_charset},
    {"stops at each pair", stops_at_each_pair},
    {"holds each limit", holds_each_limit},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
