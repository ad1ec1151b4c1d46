/* mojibaketest.c: what mojibake/scan.c restores, what it leaves, and what holds for any text:
** a text is reported exactly if what it is restored to differs, which is well-formed and a fixed
** point, and how the text is cut into calls does not matter.
**
**     make check-mojibake
**
** The kinds of text in the lists of positives and negatives are facts from the test cases
** of ftfy 6.3.1 (Apache License 2.0, by Robyn Speer), in other words.
*/
#include "test/ctest.h"
#include "charset/legacy/legacy.h"
#include "mojibake/mojibake.h"

#define TEXT_MAX 20000

/* ---- what is under test ---------------------------------------------------------------- */

static uint8_t once[2 * TEXT_MAX + UTF8_MOJIBAKE_ROOM];
static uint8_t again[2 * TEXT_MAX + UTF8_MOJIBAKE_ROOM];

/* Restores in calls of `room` bytes, into a buffer of exactly that size. */
static size_t restore(const Utf8MojibakeCharset *charset, const uint8_t *text,
                      size_t size, uint8_t *to, size_t room) {
  uint8_t *out = exact(room);
  size_t at = 0, n = 0;
  while (at < size) {
    const size_t before = at;
    size_t written = utf8mojibake_restore(charset, text, size, &at, out, room);
    expect(written <= room && at <= size, "stays within its room", text, size);
    expect(at > before, "makes progress", text, size);
    if (written > room || at <= before || n + written > 2 * TEXT_MAX) break;
    memcpy(to + n, out, written);
    n += written;
  }
  exact_free(out, room);
  return n;
}

static int find(const uint8_t *text, size_t size, Utf8MojibakeFound *found) {
  size_t at = 0;
  return utf8mojibake_find(NULL, text, size, &at, size, found);
}

static int is_same(const uint8_t *a, size_t size, const uint8_t *b, size_t size_of_b) {
  return size == size_of_b && memcmp(a, b, size) == 0;
}

/* What holds for any well-formed text. */
static void expect_consistent(const uint8_t *text, size_t size) {
  Utf8MojibakeFound found;
  const size_t n = restore(NULL, text, size, once, sizeof once);
  const int changes = !is_same(text, size, once, n);
  expect(find(text, size, &found) == changes, "is reported exactly if it changes", text,
         size);
  expect(utf8core_valid(once, n), "what is restored is well-formed", text, size);
  const size_t cut =
      restore(NULL, text, size, again, UTF8_MOJIBAKE_ROOM + random_below(99));
  expect(is_same(once, n, again, cut), "does not depend on the calls", text, size);
  if (size > UTF8_MOJIBAKE_LINE / 2) return;
  const size_t m = restore(NULL, once, n, again, sizeof again);
  expect(is_same(once, n, again, m), "what is restored is a fixed point", text, size);
}

static void expect_restored(const char *text, const char *due) {
  char what[200]; /* the start of a long text */
  const size_t size = strlen(text);
  if (size > 0) with_copy((const uint8_t *)text, size, expect_consistent);
  const size_t n = restore(NULL, (const uint8_t *)text, size, once, sizeof once);
  snprintf(what, sizeof what, "%.90s becomes %.90s", text, due);
  expect(is_same(once, n, (const uint8_t *)due, strlen(due)), what, once, n);
}

static void expect_unchanged(const char *text) {
  expect_restored(text, text);
}

/* ---- misreading ------------------------------------------------------------------------ */

static uint16_t high[128]; /* the code points of a charset */

static void choose(const char *name) {
  memcpy(high, utf8charset_high(utf8core_find_charset(name, strlen(name))),
         sizeof high);
}

/* Reads text as if it were in the chosen charset. Returns the new size. */
static size_t misread(const uint8_t *text, size_t size, uint8_t *out) {
  size_t n = 0;
  for (size_t i = 0; i < size; i++) {
    n += utf8core_put(out + n, text[i] < 0x80 ? text[i] : high[text[i] - 0x80]);
  }
  return n;
}

static void expect_back(const char *name, const char *text, unsigned layers) {
  static uint8_t layer[2][TEXT_MAX];
  size_t n = strlen(text);
  choose(name);
  memcpy(layer[0], text, n);
  for (unsigned i = 0; i < layers; i++)
    n = misread(layer[i % 2], n, layer[(i + 1) % 2]);
  layer[layers % 2][n] = 0;
  expect_restored((const char *)layer[layers % 2], text);
}

/* ---- what is restored ---------------------------------------------------------------------- */

static void names_the_charset(void) {
  static const struct {
    const char *text, *charset;
    size_t offset, runs;
  } cases[] = {
      {"cafÃ© crÃ¨me", "windows-1252", 3, 2},
      {"ça et lÃ\xC2\xA0, lÃ\xC2\xA0 aussi", "windows-1252", 8, 2},
      {"РџСЂРёРІРµС‚", "windows-1251", 0, 1},
      {"f├╝r", "cp437", 1, 1},
      {"caf√©", "macintosh", 3, 1},
      {"caf\xC3\xA2\xC2\x80\xC2\x99", "iso-8859-1", 3, 1},
      {"Ok \xC2\x93quoted\xC2\x94", "iso-8859-1", 3, 2},
      {"Re: 浣犲ソ锛屼笘鐣�", "gbk", 4, 1},
      {"縺薙ｓ縺ｫ縺｡縺ｯ", "shift_jis", 0, 1},
      {"챕t챕 횪 la cr챔me", "euc-kr", 0, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const uint8_t *text = (const uint8_t *)cases[i].text;
    const size_t size = strlen(cases[i].text);
    Utf8MojibakeFound found = {-1, 0, 0};
    expect(find(text, size, &found), "is found", text, size);
    const char *name = utf8mojibake_charset_name(found.charset);
    expect(name && strcmp(name, cases[i].charset) == 0, cases[i].charset, text, size);
    expect(found.offset == cases[i].offset, "where it starts", text, size);
    expect(found.runs == cases[i].runs, "how many runs", text, size);
  }
  expect(utf8mojibake_charset_name(-1) == NULL, "no charset", NULL, 0);
  expect(utf8mojibake_charset_name(999) == NULL, "no charset", NULL, 0);
}

static const char *const languages[] = {
    "Où est passée la clé de l’armoire à côté ?",
    "Größere Änderungen müssen wir prüfen.",
    "¿Cuándo llegará el niño? Mañana.",
    "Zażółć gęślą jaźń, proszę bardzo.",
    "Příliš žluťoučký kůň úpěl ďábelské ódy.",
    "Bugün hava çok güzel, değil mi? İyi günler.",
    "Мы все очень рады видеть вас здесь.",
    "Η ζωή είναι ωραία και μεγάλη.",
    "שלום לכולם ותודה רבה",
    "اللغة العربية جميلة جدا",
    "सभी मनुष्य समान हैं",
    "今日はとても良い天気です。",
    "我们今天去学校学习中文。",
    "오늘은 날씨가 아주 좋습니다.",
    "Price: 20 € – “cheap”…",
};
#define LANGUAGES (sizeof languages / sizeof *languages)

static void restores_every_language(void) {
  static const char *const charsets[] = {
      "windows-1252", "iso-8859-1", "windows-1250", "windows-1251", "windows-1254",
      "macintosh",    "cp437",      "cp850",        "koi8-r",       "ibm866"};
  for (size_t c = 0; c < sizeof charsets / sizeof *charsets; c++) {
    for (size_t i = 0; i < LANGUAGES; i++) {
      expect_unchanged(languages[i]);
      expect_back(charsets[c], languages[i], 1);
      expect_back(charsets[c], languages[i], 2);
    }
  }
  expect_back("windows-1252", languages[0], 3);
  expect_back("macintosh", "Téléchargez le fichier", 3);
  expect_back("koi8-r", "São João não é", 1);
  expect_back("iso-8859-2", "Příliš žluťoučký kůň", 1);
  expect_back("windows-1257", "Rīgas iedzīvotāji", 1);
}

/* due is NULL if the text stays as it is. */
static void restores_or_leaves(void) {
  static const struct {
    const char *text, *due;
  } cases[] = {
      /* several layers, and text that is not misread, in one value */
      {"l’Ã©tÃ© café", "l’été café"},
      {"déjà vu, dÃ©jÃ\xC2\xA0 vu", "déjà vu, déjà vu"},
      {"ISÄ±KÜRENÄÇÄK", NULL}, /* no word is misread in part */
      {"ÃƒÂ©tÃƒÂ© Ã©tÃ©\nété", "été été\nété"},
      {"costs Г‚ВЈ5.80 today", "costs £5.80 today"},
      /* what was damaged since */
      {"Ã la carte", "à la carte"},
      {"voilÃ le dessert", "voilà le dessert"},
      {"j'en viens 'Ã la fin'", "j'en viens 'à la fin'"},
      {"Ă la carte, Ă©tĂ© dĂ©jĂ ", "à la carte, été déjà "},
      {"semelhante Ã quele, atenÃ§Ã£o Ã s crianÃ§as",
       "semelhante àquele, atenção às crianças"},
      {"â€œ so it goes â€\xEF\xBF\xBD", "“ so it goes \xEF\xBF\xBD"},
      {"so nice í\xC2\xA0½í¸\xC2\x8D", "so nice 😍"},
      {"\xC2\x84 Haus \xC2\x93, na ja\xC2\x85 gut", "„ Haus “, na ja… gut"},
      /* undefined bytes, as controls */
      {"â€œ so it goes â€\xC2\x9D", "“ so it goes ”"},
      /* A misread value is restored or left, never a third thing. */
      {"2Ã¨me", "2ème"},
      {"1Ã¨re", "1ère"},
      {"(Ãªtre)", "(être)"},
      {"16Ã¨me Arr", "16ème Arr"},
      {"El┼¥uti", NULL}, /* "ŝ" in cp437, "ž" in cp850 */
      {"5─▒ giri┼ş yapt─▒", "5ı giriş yaptı"},
      {"-Ã‰cole", "-École"},
      {"┬╗├╢ffnen┬½ Gr├╝├ƒe", "»öffnen« Grüße"},
      {"一 'Ã©Ã¨'", "一 'éè'"},
      {"一 'éè': 'Ã©Ã¨'", NULL}, /* code about mojibake */
      {"x Ãƒ x", NULL},
      {"Г\xC2\x98", NULL},
      {"É\xC2\x99", NULL},
      /* A sign that no charset has is not a letter of a word, but what is left of one. */
      {"beï¿œindiging", NULL},
      {"gecreâš´erde", NULL},
      {"Officiâš´le gecreâš´erde patatten", NULL},
      {"foâ˜ƒo", NULL},
      {"foï½¢o", NULL},
      {"foo â˜ƒ", "foo ☃"},
      {"donâ€™t, xâ†’y, Fooâ„¢", "don’t, x→y, Foo™"},
      {"fooâ‡’bar", "foo⇒bar"},
      /* "Â" and a sign, with nothing else above 7F in the line. */
      {"Temp (Â°C)", "Temp (°C)"},
      {"Temperature Â°C", "Temperature °C"},
      {"Temperature Ã‚Â°C", "Temperature °C"},
      {"Copyright Â© 2015 Foo Â® bar", "Copyright © 2015 Foo ® bar"},
      {"(Âµg), see Â§ 5, or Â½", "(µg), see § 5, or ½"},
      {"«Â», ÂÃ, À Â Ä", NULL},
      {"é Â° é", NULL},
      /* A C1 control that is left of a sequence of another letter is not Windows-1252. */
      {"사용하\xC2\x97¬ 서식", NULL},
      {"\xC2\x96ហុកោណ", NULL},
      {"\xC2\x93так\xC2\x94", "“так”"},
      /* A single letter of a far script is evidence only beside others of it. */
      {"å¥³", NULL},
      {"å¥³ï¼Œç”·", "女，男"},
      {"% 年 - æœˆ", "% 年 - 月"},
      {"TNFÎ±, 5 Î¼m", "TNFα, 5 μm"},
      {"TNFÎ±", "TNFα"}, /* but a Greek letter may be a symbol */
      {"Î±", NULL},
      /* Box drawing beside letters is misread; beside other lines, it is drawn. */
      {"2├üme, 1├ére", "2Áme, 1Âre"},
      {"2√Åme", "2Áme"},
      {"├│ ├─a", NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_restored(cases[i].text, cases[i].due ? cases[i].due : cases[i].text);
}

/* Text that is read in a charset, and back. */
static void restores_what_it_was(void) {
  static const struct {
    const char *charset, *text;
  } cases[] = {
      {"windows-1252", "Ein Á, ein Í, ein Ý"},
      {"windows-1252", "été \xC2\x81"},
      /* A code point that is uncommon where it stands. */
      {"windows-1252", "أ_ضف لون من الخلفية"},
      {"windows-1251", "키 파일에 있는 “%s” 키와"},
      {"windows-1251", "<원본>을 <대상>으로 복사합니다"},
      {"windows-1252", "与System V 的命令大部分兼容.本版本能"},
      {"windows-1252", "Aquí pone \"Formatting\". ¿Eso es bueno o malo?"},
      {"windows-1252", "これは次のとおりです。はい"},
      {"windows-1252", "Die Größe muß außerdem stimmen"},
      {"cp437", "Dejte dobrý nápoj příchozímu, ať má špatnou"},
      {"cp437", "שלוֹם לכולם"},
      {"windows-1252", "ુજ"},
      {"cp850", "Žodį, pažymėtą sąraše, perkelia žemyn"},
      {"windows-1250", "Questo rilascio è nuovo"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    expect_back(cases[i].charset, cases[i].text, 1);
}

/* ---- what is not --------------------------------------------------------------------------- */

static void leaves_text_alone(void) {
  static const char *const texts[] = {
      "", "plain ASCII?", "L’Évêque dit : «\xC2\xA0À l’été\xC2\xA0!\xC2\xA0»",
      "VOCÊ… SÓ… MARQUÉ… É’S NESTLÉ® CAFÉ™ ¿QUÉ?", "HÅØYA ÄÖÜ ŠČŘŽ ĂȘȚ",
      "Рівень, Сіль, Він і Вона; «РОССИЯ», МОСКВА…", "шаг за шаг, цена, щенок, так",
      "( o¬ô ) `¬´ ¯\\_(ツ)_/¯ (╯°□°)╯", "┌──┬──┐\n│é │ü │\n└──┴──┘ ═╗ ─┐",
      "5×£35, 4288×…, √π, ∆°, 20°C, 3º, x²", "¨quoted¨ ´´quoted´´ »öffnen« „Ö“",
      "It is Ã’s turn", "10 Å—", "line one\xC2\x85line two\xC2\x85",
      "undefined \xC2\x81 control", "What?? Ã? no", "Tiếng Việt đó đây, được",
      "380 В±10%; 220 В±5%", "В±5, В±10, В·3, В°", "ВІКІ, КІВІ and wiki",
      "Āø, İstanbul, Ελλάδα «κή»", "0\xC2\xA0mijë\xC2\xA0¤", "ASDFGHJKLç°§",
      "бё → ビョ", "ПравилаЗаЛозинке",
      /* Dashes, signs and units that are meant, alphabets, and controls of a terminal. */
      "a profit of –£5m", "from –∞ to +∞", "error of ≈±5%", "(x–µ)/σ", "V = 1234 Å³",
      "V/Å³, 5 Å², Ä±", "abcčćdđĐž", "Ö–, Ä–Ö", "kΩ®", "─│┌┐", "\x01\xC2\x93so\xC2\x94",
      "\x1B\302\23331m red", /* CSI 31 m */
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) expect_unchanged(texts[i]);
}

/* Names in a legacy charset that was read as windows-1252 or another. */
static void leaves_legacy_text_alone(void) {
  static const char *const names[] = {
      "Ïóëè Õóìðè",                /* windows-1251 */
      "Àêóëèíà Þðüåâíà Ìîë÷àíîâà", /* windows-1251 */
      "çÏÒÏÄÏ×ÉËÏ×ÓË",             /* koi8-r */
      "ÌÚÂ¼",                      /* euc-jp */
      "–Ø‘º",                      /* shift_jis */
      "ICÑéÖ¤¹¤³ÌÊ¦",              /* gbk */
      "°²È«Ô±",                    /* gbk */
      "(À¯) °¡¶÷½Å¹®",             /* cp949 */
      "¶¹¹µÃÐ¡ÙÅäÁéàÃÕÂ§",         /* windows-874 */
      "ÇáÎáÝÇæí",                  /* windows-1256 */
      "ф. 517 ъ. ─хърсЁшёЄют",     /* windows-1251 read as ibm866 */
      "IC╤Θ╓ñ╣ñ│╠╩ª",              /* gbk read as cp437 */
      "ÀöÀö",                      /* gbk; UTF-8 read as macintosh would be accents */
      "ÐÁ Ñ©Ó¨",                   /* gbk */
      "ŽRŒû", /* shift_jis; UTF-8 read as macintosh would be Greek */
      "»ç³²", /* cp949; UTF-8 would be one ideograph */
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) expect_unchanged(names[i]);
}

/* ---- a given charset ----------------------------------------------------------------------- */

static void expect_in(const char *name, const char *text, const char *due) {
  Utf8MojibakeCharset charset;
  const size_t size = strlen(text);
  choose(name);
  utf8mojibake_set_charset(&charset, high);
  const size_t n = restore(&charset, (const uint8_t *)text, size, once, sizeof once);
  expect(is_same(once, n, (const uint8_t *)due, strlen(due)), due, once, n);
}

static void decodes_every_run_of_a_given_charset(void) {
  Utf8MojibakeCharset charset;
  Utf8MojibakeFound found;
  const char *text = "É… f├╝r cafÃ© ÃƒÂ© Â\xEF\xBF\xBD",
             *due = "\xC9\x85 f├╝r café é \xEF\xBF\xBD";
  const size_t n = strlen(text);
  size_t at = 0;
  expect_in("windows-1252", text, due);
  utf8mojibake_set_charset(&charset, high);
  expect(utf8mojibake_find(&charset, (const uint8_t *)text, n, &at, n, &found),
         "every run is found", NULL, 0);
  expect(found.offset == 0 && found.runs == 4, "the first of four runs", NULL, 0);
  at = 0;
  expect(!utf8mojibake_find(&charset, (const uint8_t *)due, strlen(due), &at,
                            strlen(due), &found),
         "a fixed point", NULL, 0);
}

/* U+FFFD is a lost byte only where the charset has undefined ones; F5..FF lead no sequence. */
static void leaves_what_is_not_a_byte(void) {
  expect_in("iso-8859-1", "Ã©Ã\xEF\xBF\xBD", "éÃ\xEF\xBF\xBD");
  expect_in("windows-1253", "\xEF\xBF\xBD\xEF\xBF\xBD", "\xEF\xBF\xBD\xEF\xBF\xBD");
  expect_in("windows-1252", "õ© ÿ\xC2\xA0 Ã©", "õ© ÿ\xC2\xA0 é");
}

/* A pair of which `at` is the middle is not found, whatever follows it. */
static void finds_nothing_before_its_start(void) {
  static const char text[] =
      "caf\xC3\x83\xC2\xA9 abcdefghijklmnopqrstuvwxyz abcdefghijklmnop";
  Utf8MojibakeFound found;
  for (size_t size = 7; size < sizeof text; size++) {
    size_t at = 0;
    expect(utf8mojibake_find(NULL, (const uint8_t *)text, size, &at, size, &found),
           "from its start", (const uint8_t *)text, size);
    at = 5;
    expect(!utf8mojibake_find(NULL, (const uint8_t *)text, size, &at, size, &found),
           "from its middle", (const uint8_t *)text, size);
  }
  static const char spaced[] = "\xC3\x83 la carte";
  size_t at = 2;
  expect(!utf8mojibake_find(NULL, (const uint8_t *)spaced, 11, &at, 11, &found),
         "from a space", (const uint8_t *)spaced, 11);
}

/* Every code point survives being misread in a charset that has all bytes. */
static void brings_every_code_point_back(void) {
  static const char *const charsets[] = {"iso-8859-1", "macintosh", "cp437", "koi8-r",
                                         "ibm866"};
  Utf8MojibakeCharset charset;
  uint8_t text[8], layer[64];
  for (size_t c = 0; c < sizeof charsets / sizeof *charsets; c++) {
    choose(charsets[c]);
    utf8mojibake_set_charset(&charset, high);
    for (uint32_t code = 0x80; code < 0x110000; code += code < 0x3000 ? 1 : 97) {
      if (code >> 11 == 0xD800 >> 11) continue;
      const size_t size = utf8core_put(text, code), n = misread(text, size, layer);
      size_t m = restore(&charset, layer, n, once, UTF8_MOJIBAKE_ROOM);
      /* The code point may itself be the start of a lower layer, but it is alone. */
      expect(is_same(once, m, text, size), charsets[c], text, size);
    }
  }
}

/* ---- any text ------------------------------------------------------------------------------ */

/* Pieces that misread text consists of, and others. */
static const char scraps[] =
    "Ã|Â|©|¨|\xC2\xA0| |â€|™|œ|\xC2\x9D|é|É|…|Р|С|ї|‚|Ђ|а|└|─|╝|\xC2\x85|í|½|¸|√|ü|ç|a|"
    "Z|\n|ã|ƒ|’|日|의|ô|Ç|ö|\xEF\xBF\xBD|?|п|я|т|А|щ|α|Ü|\xF0\x9F\x98\x80";

static const char chains[] =
    "пњљ|Ћ|А|οΏ½|\xC2\x80|Δ|τ|@|a|©|Ã|Ãƒ|ƒ| |¬|Â|é|Ρ€|â€™|Ð°|°";

static size_t random_words(const char *words, uint8_t *text, size_t room) {
  char word[WORD_MAX];
  size_t size = 0;
  for (;;) {
    const size_t length = strlen(random_word(words, word));
    if (length > room - size) return size;
    memcpy(text + size, word, length);
    size += length;
  }
}

/* A line in which a few scraps are repeated, so that runs are far from where a scan stops. */
static size_t random_chain(uint8_t *text, size_t room) {
  char a[WORD_MAX], b[WORD_MAX], c[WORD_MAX], words[8 * WORD_MAX];
  random_word(chains, a), random_word(chains, b), random_word(chains, c);
  snprintf(words, sizeof words, "%s|%s|%s|%s|%s|%s|%s|%s", a, b, c, a, b, c, a, b);
  return random_words(words, text, room);
}

static void is_consistent_for_any_text(void) {
  static uint8_t text[TEXT_MAX / 2], layer[TEXT_MAX];
  for (uint32_t i = 0; i < 3000; i++) {
    with_copy(text, random_chain(text, UTF8_MOJIBAKE_LINE / 2), expect_consistent);
  }
  for (uint32_t i = 0; i < 3000; i++) {
    const size_t size =
        random_words(scraps, text, 1 + random_below(i % 10 ? 80 : 5000));
    with_copy(text, size, expect_consistent);
  }
  for (uint32_t i = 0; i < 200; i++) {
    choose(utf8mojibake_charset_name((int)random_below(9)));
    const size_t size = random_text(text, 3000, 10); /* well-formed pieces only */
    if (!utf8core_valid(text, size)) continue;
    with_copy(layer, misread(text, size, layer), expect_consistent);
  }
}

/* Clean text of all lengths around misread text: every alignment of the scan. */
static void finds_a_run_at_every_place(void) {
  static uint8_t text[700];
  for (size_t before = 0; before < 400; before++) {
    memset(text, 'a', sizeof text);
    memcpy(text + before, "Ã©", 4);
    Utf8MojibakeFound found = {0, 0, 0};
    expect(find(text, sizeof text, &found) && found.offset == before, "a run", text,
           before);
    with_copy(text, before + 4, expect_consistent);
  }
}

static void finds_the_same_in_chunks(void) {
  static uint8_t text[TEXT_MAX / 2];
  for (int i = 0; i < 100; i++) {
    const size_t size = random_words(scraps, text, sizeof text);
    size_t at = 0, whole = 0, chunks = 0;
    Utf8MojibakeFound found;
    while (utf8mojibake_find(NULL, text, size, &at, size, &found)) whole += found.runs;
    for (at = 0; at < size;) {
      size_t until = at + 1 + random_below(3000);
      if (until > size) until = size;
      while (utf8mojibake_find(NULL, text, size, &at, until, &found))
        chunks += found.runs;
    }
    expect(whole == chunks, "the same runs", text, 0);
  }
}

static const Test tests[] = {
    {"names the charset", names_the_charset},
    {"restores every language", restores_every_language},
    {"restores or leaves", restores_or_leaves},
    {"restores what it was", restores_what_it_was},
    {"leaves text alone", leaves_text_alone},
    {"leaves legacy text alone", leaves_legacy_text_alone},
    {"decodes every run of a given charset", decodes_every_run_of_a_given_charset},
    {"leaves what is not a byte", leaves_what_is_not_a_byte},
    {"finds nothing before its start", finds_nothing_before_its_start},
    {"brings every code point back", brings_every_code_point_back},
    {"is consistent for any text", is_consistent_for_any_text},
    {"finds a run at every place", finds_a_run_at_every_place},
    {"finds the same in chunks", finds_the_same_in_chunks},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
