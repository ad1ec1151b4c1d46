/* mojibaketablestest.c: the tables of mojibake/: each code point has the class of its letter, and the
** masks and bytes of a kind agree with each other and with the charsets; and its limits.
**
**     make check-mojibake
*/
#include "test/ctest.h"
#include "charset/legacy/legacy.h"
#include "mojibake/kind.h"
#include "mojibake/mojibake.h"
#include "mojibake/pairs.h"
#include "mojibake/segment.h"
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
    expect(traits.far == own.far, "far as the class is", NULL, 0);
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

/* Stores what the rules of mojibake/decide.h make of a text. mojibake/readings.h may know more. */
static size_t restore_by_rules(const uint8_t *text, size_t size, uint8_t *out) {
  const Utf8MojibakeSegment done = utf8mojibake_restore_segment(NULL, text, size, out);
  if (done.runs > 0) return done.written;
  memcpy(out, text, size);
  return size;
}

/* due is NULL if the text is left unchanged. The shortcut of mojibake/whole.h has limits of its own. */
static void expect_restored(const char *what, const char *text, const char *due) {
  static uint8_t out[UTF8_MOJIBAKE_ROOM];
  const uint8_t *bytes = (const uint8_t *)text;
  size_t at = 0, size = strlen(text), n = restore_by_rules(bytes, size, out);
  if (!due) due = text;
  if (n == strlen(due) && memcmp(out, due, n) == 0) return;
  n = utf8mojibake_restore(NULL, bytes, size, &at, out, sizeof out);
  expect(n == strlen(due) && memcmp(out, due, n) == 0, what, out, n);
}

/* Texts that come out differently if a number of mojibake/limits.h is one more (+1) or one less.
** They are chosen only because they are at the edge: if costs change, choose others. */
static void holds_each_limit(void) {
  static const struct {
    const char *limit, *text, *due; /* NULL: unchanged */
  } cases[] = {
      {"NATURAL+1", "x ц\302\240 a", "x Ú a"},
      {"NATURAL-1", "1ĂŞre", NULL},
      {"FAMILIAR+1", "¬ø", "¿"},
      {"FAMILIAR-1", "├¬", "ê"},
      {"SPACE+1", "Å Ã²", "Šò"},
      {"SPACE-1", "…Â A", NULL},
      {"A+1", "Ã”Ã ", "Ôà "},
      {"A-1", "Г€Г ", NULL},
      {"LONE+1", "Ř§نڈو", "انڈو"},
      {"LONE-1", "σêá除", NULL},
      {"RATIO+1", "aÃ”", NULL},
      {"RATIO-1", "Ã¿", "ÿ"},
      {"LIKELY+1", "Ĺľe", "že"},
      {"LIKELY-1", "Ä¯v", NULL},
      {"HOPELESS+1", "Tи≥rtib pи≥ncи≥rи≥sinin ц╤n qurд÷ulu hц╪ndürlüyü", NULL},
      {"HOPELESS-1", "╞Ålaq╔Öy╔Ö ismar─▒┼ƒ g├╢nd╔Ör", "Əlaqəyə ismarış göndər"},
      {"WEAK+1", "کاتی دەستپێکردنی کار ب█Ж █М█Х┌й╪┤█Х┘Е┘Е█Х", NULL},
      {"WEAK-1", "Ã‰ Å’ é", "É Å’ é"},
      {"DAMAGED+1", "à Ð — Ã©", NULL},
      {"DAMAGED-1", "РџСЂРёРІРµС‚ “н™ ”", "Привет “н™ ”"},
      {"WHOLE+1", "Ð² Ã¨s[Á∑®ÈõÜ]", NULL},
      {"WHOLE-1", "Ã– É†", "Ö É†"},
      {"CLEAR+1", "raд█ zruΕ΅ tamaÃ±os", NULL},
      {"CLEAR-1", "ktorĆ½ pĂĄgina", NULL},
      {"COMMON+1", "Å¡ Ä©", NULL},
      {"COMMON-1", "╤Ü╨╡ ╨╜╨░", "ње на"},
      {"2 COMMON after a far letter, +1", "×˘×§×Š", "עקש"},
      {"2 COMMON after a far letter, -1", "A×¤×˛×›a", NULL},
      {"GARBLED+1", "Р’Рё РјР°С”С‚Рµ Р±СѓС‚Рё СѓС", "Ви маєте бути СѓС"},
      {"GARBLED-1", "×ž×¡×¤×¨ ×ž×–×¢×¨×™ ×©×", NULL},
      {"SURE+1", "V├Ąlj", "Välj"},
      {"SURE-1", "dalÄ¯", NULL},
      {"RIVAL+1", "sĂĽ", "sü"},
      {"RIVAL-1", "aĆ©rodyne", NULL},
      {"ANSWER+1", "KopiĂŤren:", "Kopiëren:"},
      {"ANSWER-1", "cieÄž", NULL},
      {"CAPITALS+1", "IMMIGRĂ‰", "IMMIGRÉ"},
      {"CAPITALS-1", "PAKETÅ²", NULL},
      {"CAPITALS_A+1", "LLEGUÃ‰", "LLEGUÉ"},
      {"CAPITALS_A-1", "CENTRÃ‰", NULL},
      {"CAPITALS_A_SIGN+1", "PYSYVÃ„", "PYSYVÄ"},
      {"CAPITALS_A_SIGN-1", "MILJÃ–", NULL},
      {"CAPITALS_BETWEEN+1", "LEÃ‘NO", "LEÑNO"},
      {"CAPITALS_BETWEEN-1", "TÃ«ER", NULL},
      {"CAPITALS_SMALL+1", "OVLÃ¡", "OVLá"},
      {"CAPITALS_SMALL-1", "GARBÃ³", NULL},
      {"PLAUSIBLE+1", "lâ€™Ñ—tÑ—", NULL},
      {"PLAUSIBLE-1", "-a-╔¿e", "-a-ɨe"},
      {"FIRST+1", "Ζ”eαΉ›", NULL},
      {"FIRST-1", "Fuá¹›aá¹›", "Fuṛaṛ"},
      {"SIGN+1", "lâ€™Î”tÎ”", "l’ΔtΔ"},
      {"SIGN-1", "lâ€™Ń—tŃ—", NULL},
      {"TORN+1", "„ÛŒØ¨Ù„", NULL},
      {"TORN-1", "ðªðäðë", "ЦЄЉ"},
      {"JOINED+1", "書込πü┐", NULL},
      {"JOINED-1", "_Ó┤¬Ó┤òÓ┤░ÓÁìÔÇìത്തുക...", "_പകര്\342\200\215ത്തുക..."},
      {"TOUCHING+1", "¿·Ã«", NULL},
      {"TOUCHING-1", "?…Ã“", "?…Ó"},
      {"UNCOMMON+1", "Ú…Ů†Ú«ŮľŮĽŮ‡ Úšکاري", NULL},
      {"UNCOMMON-1", "seçim üçün işıqlandƒ±rƒ±lmƒ±≈ü", "seçim üçün işıqlandırılmış"},
      {"UNCOMMON_TWO+1", "©´ Ã³", NULL},
      {"UNCOMMON_TWO-1", "©¢ ├Å", "©¢ Ï"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_restored(cases[i].limit, cases[i].text, cases[i].due);
}

/* Texts that come out differently if a condition is left out or turned round. */
static void holds_each_condition(void) {
  static const struct {
    const char *condition, *text, *due;
  } cases[] = {
      {"capital and small letter: natural", "Äž", NULL},
      {"two capitals: natural", "ĹŚ", NULL},
      {"three capitals: natural", "ÔÇÖA", NULL},
      {"a small letter between capitals: not natural", "ÔťÉX", "✐X"},
      {"a sign after capitals: not natural", "XÔÇö", "X—"},
      {"two letters, each a word: natural", "ВљДџ", "šğ"},
      {"not all pairs are explained alike", "zĆ©ro ÄŒK", NULL},
      {"what is not decoded explains nothing", "Â•", "•"},
      {"no difference between rivals yet", "Å\302\221 Ä±", "ő ı"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_restored(cases[i].condition, cases[i].text, cases[i].due);
}

static const Test tests[] = {
    {"has classes of letters", has_classes_of_letters},
    {"has consistent tables", has_consistent_tables},
    {"has the bytes of each charset", has_the_bytes_of_each_charset},
    {"stops at each pair", stops_at_each_pair},
    {"holds each limit", holds_each_limit},
    {"holds each condition", holds_each_condition},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
