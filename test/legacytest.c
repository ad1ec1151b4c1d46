/* legacytest.c: what charset/legacy/legacy.h promises, by examples of every encoding, and by what holds
** for all of them: calls of any size give the same result, nothing outside of the buffers is
** touched, encoded text decodes to itself. test/judges/legacy.sh compares every code with
** independent decoders.
**
**     make check-legacy
*/
#include "test/ctest.h"
#include "charset/legacy/legacy.h"
#include "core/simd/kernel.h"

#define INPUT_MAX 1200
#define BYTES_MAX (4 * INPUT_MAX + UTF8_LEGACY_ROOM)

/* ---- what is under test ---------------------------------------------------------------- */

#define NAME(id, name, aliases, kind, source) name,
static const char *const names[] = {UTF8_CHARSET_LIST(NAME)};

/* Is charset number i of this kind? */
enum { UNICODE, DIALECT, SINGLE_BYTE, SINGLE_BYTE_OTHER, MULTI_BYTE };
#define KIND(id, name, aliases, kind, source) kind,
static const uint8_t kinds[] = {UTF8_CHARSET_LIST(KIND)};

static int charset;
static uint8_t got[BYTES_MAX];

static void for_all(void (*run)(void)) {
  for (charset = 0; charset < UTF8_CHARSETS; charset++) {
    if (kinds[charset] >= SINGLE_BYTE) run();
  }
}

typedef size_t NextRoom(void);

static size_t much_room(void) {
  return BYTES_MAX;
}

static size_t little_room(void) {
  return UTF8_LEGACY_ROOM;
}

static size_t random_room(void) {
  return UTF8_LEGACY_ROOM + random_below(random_below(2) ? 4 : 200);
}

/* utf8charset_decode_legacy() or utf8charset_encode_legacy(). */
typedef size_t Utf8LegacyCodec(Utf8Charset charset, unsigned *state, const uint8_t *in,
                               size_t size, size_t *at, uint8_t *out, size_t room);

/* Converts a text in as many calls as it takes. Returns the size; *at is where it stopped. */
static size_t convert(Utf8LegacyCodec *codec, NextRoom *next_room, const uint8_t *in,
                      size_t size, size_t *at) {
  unsigned state = 0;
  size_t n = 0, before, written;
  *at = 0;
  do {
    size_t room = next_room();
    uint8_t *out = exact(room);
    before = *at;
    written = codec(charset, &state, in, size, at, out, room);
    expect(written <= room && n + written <= BYTES_MAX, "stays within its room", in,
           size);
    expect(*at >= before && *at <= size, "moves on, and not too far", in, size);
    expect(*at > before || written == 0, "writes nothing where it stops", in, size);
    memcpy(got + n, out, written);
    n += written;
    exact_free(out, room);
  } while (*at > before && *at < size);
  if (codec == utf8charset_encode_legacy && *at == size) {
    n += utf8charset_finish_legacy(charset, &state, got + n);
  }
  return n;
}

static void expect_result(Utf8LegacyCodec *codec, const char *in, size_t size,
                          const char *due, size_t due_size) {
  uint8_t *copy = exact(size);
  size_t at;
  memcpy(copy, in, size);
  size_t n = convert(codec, much_room, copy, size, &at);
  expect(at == size, names[charset], copy, size);
  expect(n == due_size && memcmp(got, due, n) == 0, names[charset], got, n);
  exact_free(copy, size);
}

/* ---- examples ---------------------------------------------------------------------------- */

typedef struct Example {
  int charset;
  const char *bytes, *text;
} Example;

#define LEGACY(id) UTF8_CHARSET_##id

#define BAD "\xEF\xBF\xBD"

static const Example both_ways[] = {
    {LEGACY(WINDOWS1251), "\xCF\xF0\xE8\xE2\xE5\xF2, 1", "Привет, 1"},
    {LEGACY(KOI8_R), "\xF0\xD2\xC9\xD7\xC5\xD4", "Привет"},
    {LEGACY(KOI8_U), "\xAD\xAE\xBE", "ґўЎ"},
    {LEGACY(IBM866), "\x8F\xE0\xA8\xA2\xA5\xE2 \xB0\xDB", "Привет ░█"},
    {LEGACY(X_MAC_CYRILLIC), "\xA2\xB6\xFF", "Ґґ€"},
    {LEGACY(ISO8859_2), "\xA3\xF3\x64\xBC", "Łódź"},
    {LEGACY(WINDOWS1250), "\xA3\xF3\x64\x9F \x80", "Łódź €"},
    {LEGACY(ISO8859_15), "\xA4\xBD", "€œ"},
    {LEGACY(ISO8859_16), "\xAA\xBA", "Șș"},
    {LEGACY(WINDOWS1253), "\xC3\xE5\xE9\xE1 \xA2", "Γεια Ά"},
    {LEGACY(WINDOWS1254), "\xDD\xFD\xF0", "İığ"},
    {LEGACY(WINDOWS1255), "\xF9\xEC\xE5\xED", "שלום"},
    {LEGACY(WINDOWS1256), "\xE3\xD1\xCD\xC8\xC7", "مرحبا"},
    {LEGACY(WINDOWS874), "\xCA\xC7\xD1\xCA\xB4\xD5", "สวัสดี"},
    {LEGACY(MACINTOSH), "caf\x8E \xF0", "café \xEF\xA3\xBF"},
    {LEGACY(WINDOWS1252), "\x80\x81", "€\xC2\x81"},
    {LEGACY(LATIN1), "\x80\xE9", "\xC2\x80é"},
    {LEGACY(ASCII), "plain", "plain"},
    {LEGACY(CP437), "\x81\x9B\xE1\xC9", "ü¢ß╔"},
    {LEGACY(CP858), "\xD5", "€"},
    {LEGACY(HP_ROMAN8), "\xC5", "é"},
    {LEGACY(CP037), "\xC8\x85\x93\x93\x96\x6B\x40\x4F\x25", "Hello, |\n"},
    {LEGACY(CP500), "\xC8\x4F\xBB", "H!|"},
    {LEGACY(CP864), "\x25", "٪"},
    {LEGACY(GBK), "\xC4\xE3\xBA\xC3 \x80", "你好 €"},
    {LEGACY(GB18030), "\xC4\xE3\xBA\xC3 \xA2\xE3 \x94\x39\xFC\x36", "你好 € 😀"},
    {LEGACY(GB18030), "\xA6\xD9\xFE\x59\x81\x30\x81\x30", "︐龴\xC2\x80"},
    {LEGACY(BIG5), "\xA7\x41\xA6\x6E\xA4\x51\xF9\xF9", "你好十═"},
    {LEGACY(BIG5), "\xC8\x7A", "\xF0\xA0\x83\x8C"},
    {LEGACY(BIG5_HKSCS),
     "\x87\x40\xA7\x41\xF9\xF9\xF9\xFA\xC8\x7A\x87\xBE\xFB\xFD\xFD\x64",
     "䏰你═╭\xF0\xA0\x83\x8C㓦廴惞"},
    {LEGACY(BIG5_HKSCS),
     "\x88\x62\x88\x64\x88\x66 \x88\xA3\x88\xA5\x88\xA7\x88\xA7\x88\x66", "Ê̄Ê̌Ê ê̄ê̌êêÊ"},
    {LEGACY(EUC_JP), "\xC6\xFC\xCB\xDC \x8E\xB1\xAD\xA1", "日本 ｱ①"},
    {LEGACY(ISO2022_JP), "a\x1B$BF|K\\\x1B(J\\~\x1B(B\\", "a日本¥‾\\"},
    {LEGACY(EUC_KR), "\xBE\xC8\xB3\xE7 \x8C\x63\xC6\x52", "안녕 똠힣"},
    {LEGACY(EUC_JIS_2004), "\xA4\xAB\xA4\xF7z\xA4\xAB\x8E\xB1\x8F\xA1\xA1\\\xAB\xC4",
     "かか゚zかｱ\xF0\xA0\x82\x89\\æ̀"},
    {LEGACY(SHIFT_JIS_2004), "\x82\xA9\x82\xF5z\x82\xA9\xB1\xF0\x40\x5C\x81\x5F~",
     "かか゚zかｱ\xF0\xA0\x82\x89¥\\‾"},
    {LEGACY(ISO2022_JP_2004), "a\x1B$B$+\x1B$(Q$w$w\x1B$B$+\x1B$(P!!\x1B(B~",
     "aかか゚か゚か\xF0\xA0\x82\x89~"},
    {LEGACY(EUC_TW), "\xC4\xE3\xA1\xA1\x8E\xA2\xA1\xA1\x8E\xA7\xA1\xA1\x8E\xAF\xA1\xA1",
     "中\xE3\x80\x80乂\xF0\xA0\x81\x95\xF0\xA0\x80\x82"},
    {LEGACY(JOHAB), "\xB4\x65\x91w\\ \x88\x41\xF9\xFE\xDA\xD4",
     "안녕\\ ㄱ詰\xE3\x85\xA4"},
    {LEGACY(ISO2022_KR), "\x1B$)Ca\x0E>H3g\x0F b\n\x0E>H\x0F", "a안녕 b\n안"},
    {LEGACY(ISO2022_CN),
     "a\x1B$)A\x0EVP\x0F b\n\x1B$)A\x0EVP\x1B$)G!\\\x1B$*H\x1BN!!\x0F c",
     "a中 b\n中﹃乂 c"},
    {LEGACY(HZ), "a~~ ~{VPND!$~}\n", "a~ 中文·\n"},
    {LEGACY(UTF7), "a+- +ZeVnLA-b+2D3eAA-", "a+ 日本b😀"},
    {LEGACY(UTF7), "+AFwAfgAb +MKI-- <\t+//0-", "\\~\x1B ア- <\t" BAD},
};

static void expect_decoded(const Example *e) {
  charset = e->charset;
  expect_result(utf8charset_decode_legacy, e->bytes, strlen(e->bytes), e->text,
                strlen(e->text));
}

static void expect_encoded(const Example *e) {
  charset = e->charset;
  expect_result(utf8charset_encode_legacy, e->text, strlen(e->text), e->bytes,
                strlen(e->bytes));
}

static void converts_examples_both_ways(void) {
  for (size_t i = 0; i < sizeof both_ways / sizeof *both_ways; i++) {
    expect_decoded(&both_ways[i]);
    expect_encoded(&both_ways[i]);
  }
}

static const Example decoded[] = {
    {LEGACY(ISO8859_7), "\xAE\xD2\xFF", BAD BAD BAD},
    {LEGACY(CP1006), "\xB1\xB2",
     "\xEF\xBA\x8E\xEF\xBA\x8E"},                  /* two bytes, one letter */
    {LEGACY(GBK), "\x81\x30\x81\x30", "\xC2\x80"}, /* gbk decodes as gb18030 does */
    {LEGACY(GBK), "\xA2\xE3\xA6\xD9", "€︐"},
    {LEGACY(GB18030), "\xFF\x80", BAD "€"},
    {LEGACY(GB18030), "\x81\x7F\x81 \x81\xFFz", BAD "\x7F" BAD " " BAD "z"},
    {LEGACY(GB18030), "\x81\x30\x81", BAD}, /* cut short: one error */
    {LEGACY(GB18030), "\x81\x30zz", BAD "0zz"},
    {LEGACY(GB18030), "\x81\x30\x81 ", BAD "0" BAD " "},
    {LEGACY(GB18030), "\x84\x31\xA5\x30z", BAD "z"}, /* no code point: all four bytes */
    {LEGACY(GB18030), "\xE3\x32\x9A\x35\xE3\x32\x9A\x36", "\xF4\x8F\xBF\xBF" BAD},
    {LEGACY(BIG5), "\x88\x62\x88\x64\x88\xA3\x88\xA5", "Ê̄Ê̌ê̄ê̌"},
    {LEGACY(BIG5), "\x87\x40\x80\xFF\xA7", "䏰" BAD BAD BAD},
    {LEGACY(BIG5), "\x81\x40\x81\xA1z\xA7\x7F", BAD "@" BAD "z" BAD "\x7F"},
    {LEGACY(EUC_JP), "\x8F\xB0\xA1\x8F\xA1\xA1\x8F\xB0z\x8F\xB0", "丂" BAD BAD "z" BAD},
    {LEGACY(EUC_JP), "\x8E\xE0\x8Ez\x80\xC6z", BAD BAD "z" BAD BAD "z"},
    {LEGACY(SHIFT_JIS), "\x93\xFA\x96{ \xB1\x87\x40\x80\xFA\x4A", "日本 ｱ①\xC2\x80Ⅰ"},
    {LEGACY(SHIFT_JIS), "\xF0\x40\xF9\xFC\x5C\x7E", "\xEE\x80\x80\xEE\x9D\x97\\~"},
    {LEGACY(SHIFT_JIS), "\xED\x40\xFA\x5C", "纊纊"}, /* NEC's and IBM's codes */
    {LEGACY(SHIFT_JIS), "\xA0\xFD\x81\x93\x81 \x81\xFDz\x85\x40",
     BAD BAD "％" BAD " " BAD "z" BAD "@"},
    {LEGACY(EUC_KR), "\x80\xFF\xC9\xA1\xC9z\xBE", BAD BAD BAD BAD "z" BAD},
    {LEGACY(JOHAB), "\x84\x44\x84\x43\x84\x4E\x84\x5D\x84\x42", "ㄳㄲㄾㅎㄱ"},
    {LEGACY(JOHAB), "\x84\x52z\xDA\xA1\xD8\x31\xFF\xDF\x88",
     BAD "Rz" BAD BAD "1" BAD BAD BAD},
    {LEGACY(EUC_TW), "\x8E\xA1\xC4\xE3\x8E\xA9\xC4\xE3z\x8E\xB1z\x8E\xA2",
     "中" BAD "z" BAD "z" BAD},
    {LEGACY(EUC_TW), "\x8E\xA2z\x8E\xA2\xA1z\x8E\xA2\xA1", BAD "z" BAD "z" BAD},
    {LEGACY(ISO2022_JP), "\x1B(I1\x1B(J\\~\x1B(B\\", "ｱ¥‾\\"},
    {LEGACY(ISO2022_JP), "\x1B$B\x1B(B", BAD}, /* nothing between two designations */
    {LEGACY(ISO2022_JP), "\x1B$BF\x1B(Bz", BAD "z"},
    {LEGACY(ISO2022_JP), "\x1B$BF|F", "日" BAD},
    {LEGACY(ISO2022_JP), "\x0E\x0F\x1B$z\x80", BAD BAD BAD "$z" BAD},
    {LEGACY(ISO2022_JP), "\x1B$B!\x80!!\x7F", BAD "\xE3\x80\x80" BAD},
    {LEGACY(ISO2022_KR), "\x0E>H3g z\x7F\x0F<", "안녕 " BAD "\x7F<"}, /* no header */
    {LEGACY(ISO2022_KR), "\x0E>H\n\"<", "안\n\"<"}, /* a line ends in ASCII */
    {LEGACY(ISO2022_KR), "\x0E>H>\x0F\"<", "안" BAD "\"<"},
    {LEGACY(ISO2022_KR), "\x0E>HIzI!\x80\x0F\x0F", "안" BAD BAD BAD},
    {LEGACY(ISO2022_KR), "\x1B$)A\x1B\x0F\x1B$)C\xBE", BAD "$)A" BAD BAD},
    {LEGACY(HZ), "~{VP~}~\n~}~!~", "中" BAD "}" BAD "!" BAD},
    {LEGACY(HZ), "~{VP\n<\"", "中" BAD "\n<\""}, /* a line ends in ASCII */
    {LEGACY(HZ), "~{V\nz", BAD BAD "\nz"},
    {LEGACY(HZ), "~{VP V\tVP~~WzV\xD0", "中" BAD BAD BAD "中" BAD BAD BAD BAD BAD},
    {LEGACY(UTF7), "+ZeVnLA<+AGE", "日本<a"}, /* base64 ends without a hyphen */
    {LEGACY(UTF7), "+!+\"+", BAD "!" BAD "\"" BAD},
    {LEGACY(UTF7), "\\~\x1B\x80\x7F", BAD BAD BAD BAD BAD},
    {LEGACY(UTF7), "+A<+AG<+AGF<+AGEA<", BAD "<" BAD "<" BAD "<a" BAD "<"},
    {LEGACY(UTF7), "+2AA-+3AA-+2ADYAGE-", BAD BAD BAD BAD BAD},
    {LEGACY(MARC8), "caf\xE2\x65 \xE8\xF2u \xA1", "cafe\xCC\x81 u\xCC\x88\xCC\xA3 Ł"},
    {LEGACY(MARC8), "\x1B(NpRI\x1B(B <\x1Bp2\x1Bs>", "При <²>"},
    {LEGACY(MARC8), "\x1B)Q\xC0\x1B-!E\xC0\x1B,!EC", "ґ°©"},
    {LEGACY(MARC8), "\xE2\x1B(NA", "а\xCC\x81"},
    {LEGACY(MARC8), "\xE2\n\xE2", BAD "\n" BAD}, /* marks of nothing */
    {LEGACY(MARC8), "\xE2\xE2\xE2\xE2\xE2\xE2\xE2\xE2\xE2\xE2\xE2\xE2\xE2\xE2z",
     BAD "z\xCC\x81"},
    {LEGACY(MARC8), "\x1B$1!0!\"<\x1B(B<", BAD BAD "<"}, /* EACC */
    {LEGACY(MARC8), "\x1B(Z\x1B$B\x1B\x80\x88\xFF",
     BAD "(Z" BAD "$B" BAD BAD "\xC2\x98" BAD},
    {LEGACY(ISO2022_CN), "\x0EVP\x1BN!!", BAD "VP" BAD "N!!"}, /* nothing designated */
    {LEGACY(ISO2022_CN), "\x1B$)A\x0EVP\n\"<\x0E<", "中\n\"<" BAD "<"},
    {LEGACY(ISO2022_CN), "\x1B$*H\x1BN!\"\x1BN!\n\x1BN",
     "\xE4\xB9\x9C" BAD "!\n" BAD "N"},
    {LEGACY(HZ), "\xD6\xD0~{\"!", BAD BAD BAD}, /* pairs that only gbk has */
};

static void decodes_errors_as_the_standard_does(void) {
  for (size_t i = 0; i < sizeof decoded / sizeof *decoded; i++)
    expect_decoded(&decoded[i]);
}

static const Example folded[] = {
    {LEGACY(SHIFT_JIS), "\x93\xFA\\~\x81\x7C\xB1\xFA\x5C\x87\x54", "日¥‾−ｱ纊Ⅰ"},
    {LEGACY(EUC_JP), "\\~\xA1\xDD", "¥‾−"},
    {LEGACY(ISO2022_JP), "\x1B$B%\"%,!+!]\x1B(B", "ｱガ゛−"},
    {LEGACY(GB18030), "\xA6\xD9\xFE\xA0", "\xEE\x9E\x8D\xEE\xA1\xA4"},
    {LEGACY(CP1006), "\xB1", "\xEF\xBA\x8E"}, /* the lower of two bytes */
};

static void encodes_what_the_standard_folds(void) {
  for (size_t i = 0; i < sizeof folded / sizeof *folded; i++)
    expect_encoded(&folded[i]);
}

/* Encodes; expects to stop after these bytes, at this offset. */
static void expect_stop(int number, const char *text, size_t due_at, const char *due) {
  size_t at, size = strlen(text);
  charset = number;
  size_t n =
      convert(utf8charset_encode_legacy, much_room, (const uint8_t *)text, size, &at);
  expect(at == due_at, "stops at the code point", (const uint8_t *)text, size);
  expect(n == strlen(due) && memcmp(got, due, n) == 0, names[charset], got, n);
}

static void stops_at_what_has_no_encoding(void) {
  expect_stop(LEGACY(WINDOWS1251), "\xD0\xB0日", 2, "\xE0");
  expect_stop(LEGACY(ASCII), "caf\xC3\xA9", 3, "caf");
  expect_stop(LEGACY(GBK), "a\xC2\x80", 1, "a"); /* gbk has no four-byte codes */
  expect_stop(LEGACY(GB18030), "\xEE\x97\xA5", 0, "");
  expect_stop(LEGACY(BIG5), "䏰", 0, ""); /* Hong Kong's codes are not written */
  expect_stop(LEGACY(BIG5_HKSCS), "ê😀", 2, "\x88\xA7");
  expect_stop(LEGACY(BIG5_HKSCS), "ê\xCC\x81", 2, "\x88\xA7");
  expect_stop(LEGACY(EUC_JP), "日丂", 3, "\xC6\xFC"); /* JIS X 0212 neither */
  expect_stop(LEGACY(EUC_KR), "😀", 0, "");
  expect_stop(LEGACY(EUC_JIS_2004), "か😀", 3, "\xA4\xAB");
  expect_stop(LEGACY(ISO2022_JP_2004), "か\x0E", 3, "\x1B$B$+");
  expect_stop(LEGACY(ISO2022_JP), "a\x1B", 1, "a");
  expect_stop(LEGACY(ISO2022_JP), "日\x0E", 3, "\x1B$BF|");
  expect_stop(LEGACY(SHIFT_JIS), "\xEE\x80\x80", 0, "");
  expect_stop(LEGACY(ISO2022_KR), "안\x0F", 3, "\x1B$)C\x0E>H");
  expect_stop(LEGACY(ISO2022_KR), "똠", 0, ""); /* windows-949 has it */
  expect_stop(LEGACY(MARC8), "aé", 1, "a");     /* it is only decoded */
  expect_stop(LEGACY(HZ), "中ⅰ", 3, "~{VP");
}

/* Charsets that do not extend ASCII may lack some of it, in the middle of a block too. */
static void stops_at_ascii_that_it_lacks(void) {
  char text[200];
  for (size_t before = 0; before < sizeof text - 1; before++) {
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = 0;
    char expected[200] = "";
    memset(expected, 'a', before);
    text[before] = '%';
    expect_stop(LEGACY(CP864), text, before, expected);
    text[before] = '[';
    expect_stop(LEGACY(ISO646_DE), text, before, expected);
  }
}

/* ---- every byte and code point ------------------------------------------------------------- */

static void bytes_agree(void) {
  if (kinds[charset] == MULTI_BYTE) return;
  for (unsigned i = 0; i < 256; i++) {
    uint8_t byte = (uint8_t)i, utf8[UTF8_OCTETS_MAX];
    uint32_t code = utf8charset_code_of_byte(charset, byte);
    size_t n = utf8core_put(utf8, code);
    expect_result(utf8charset_decode_legacy, (const char *)&byte, 1, (const char *)utf8,
                  n);
    int back = utf8charset_byte_of_code(charset, code);
    if (code == 0xFFFD) {
      expect(back == -1, "an undefined byte", &byte, 1);
    } else {
      expect(back >= 0 && back <= byte, "the lower byte", &byte, 1);
      expect(utf8charset_code_of_byte(charset, (uint8_t)back) == code, "comes back",
             &byte, 1);
    }
    if (kinds[charset] == SINGLE_BYTE && byte < 0x80) {
      expect(code == byte, "ASCII", &byte, 1);
    }
  }
  expect_that(utf8charset_byte_of_code(charset, 0x1F600) == -1, "astral");
}
TEST_OF(knows_every_byte, for_all(bytes_agree))

/* Does the standard's encoder write another character? */
static int is_folded(uint32_t code) {
  int isJapanese = code == 0xA5 || code == 0x203E || code == 0x2212 ||
                   (charset == LEGACY(ISO2022_JP) && code >= 0xFF61 && code <= 0xFF9F);
  int isGb = charset == LEGACY(GBK) || charset == LEGACY(GB18030);
  return (isJapanese && charset != LEGACY(GB18030)) ||
         (isGb && code >= 0xE000 && code < 0xF900);
}

static void code_points_come_back(void) {
  size_t has = 0, at;
  uint32_t max = kinds[charset] == MULTI_BYTE ? 0x10FFFF : 0x10FFF;
  for (uint32_t code = 0; code <= max; code += (uint32_t)test_stride()) {
    if (code >> 11 == 0xD800 >> 11) continue;
    uint8_t utf8[UTF8_OCTETS_MAX], bytes[16];
    size_t size = utf8core_put(utf8, code);
    size_t n = convert(utf8charset_encode_legacy, little_room, utf8, size, &at);
    if (kinds[charset] != MULTI_BYTE) {
      int one = utf8charset_byte_of_code(charset, code);
      expect(at == size ? n == 1 && one == got[0] : one == -1, "one byte", utf8, size);
    }
    if (at < size) continue;
    has++;
    memcpy(bytes, got, n);
    size_t m = convert(utf8charset_decode_legacy, little_room, bytes, n, &at);
    int same = m == size && memcmp(got, utf8, m) == 0;
    expect(same || is_folded(code), names[charset], utf8, size);
  }
  expect_that(has > 0 && (has <= 256 || kinds[charset] == MULTI_BYTE),
              "a plausible number");
  if (charset == LEGACY(GB18030) && test_stride() == 1) {
    expect_that(has == 0x110000 - 0x800 - 1, "all but one");
  }
}
TEST_OF(brings_every_code_point_back, for_all(code_points_come_back))

/* ---- calls, buffers and places ------------------------------------------------------------- */

/* Random bytes: ASCII, all, or such as form many codes. */
static size_t random_legacy(uint8_t *bytes, size_t max) {
  static const uint8_t common[] = {0x1B, '$',  '(',  'B',  'J',  'I',  0x30, 0x39, 0x40,
                                   0x81, 0x8E, 0x8F, 0xB0, 0xC1, 0xFE, 0xFF, 0x80, '!'};
  size_t size = random_below((uint32_t)max);
  for (size_t at = 0; at < size;) {
    uint32_t kind = random_below(4);
    for (size_t run = random_below(60); run > 0 && at < size; run--) {
      uint32_t byte = kind == 0   ? 0x20 + random_below(0x5F)
                      : kind == 1 ? random_below(256)
                      : kind == 2 ? common[random_below(sizeof common)]
                                  : 0xB0 + random_below(0x20);
      bytes[at++] = (uint8_t)byte;
    }
  }
  return size;
}

/* Converts in one call and in several; returns the size. */
static size_t expect_same(Utf8LegacyCodec *codec, const uint8_t *in, size_t size) {
  static uint8_t whole[BYTES_MAX];
  size_t at, again;
  size_t n = convert(codec, much_room, in, size, &at);
  memcpy(whole, got, n);
  size_t m = convert(codec, random_room, in, size, &again);
  expect(again == at && m == n && memcmp(got, whole, n) == 0, names[charset], in, size);
  return n;
}

static void decode_and_encode(const uint8_t *bytes, size_t size) {
  static uint8_t text[BYTES_MAX];
  size_t n = expect_same(utf8charset_decode_legacy, bytes, size);
  expect(utf8core_valid(got, n), "well-formed", bytes, size);
  memcpy(text, got, n);
  uint8_t *copy =
      exact(n); /* of the text, with U+FFFD left out, to be encoded further */
  size_t m = 0;
  for (size_t i = 0; i < n; i++) {
    int isBad = n - i >= 3 && memcmp(text + i, BAD, 3) == 0;
    if (isBad) i += 2;
    if (!isBad) copy[m++] = text[i];
  }
  uint8_t *exactly = exact(m);
  memcpy(exactly, copy, m);
  exact_free(copy, n);
  expect_same(utf8charset_encode_legacy, exactly, m);
  exact_free(exactly, m);
}

static void convert_random_bytes(void) {
  uint8_t bytes[INPUT_MAX];
  for (uint32_t i = 0; i < 120; i += (uint32_t)test_stride()) {
    size_t size = random_legacy(bytes, i % 4 ? 300 : INPUT_MAX);
    with_copy(bytes, size, decode_and_encode);
  }
}
TEST_OF(gives_the_same_in_calls_of_any_size, for_all(convert_random_bytes))

/* Compares a text decoded with every kernel with what the scalar one, the last, makes of it. */
static void expect_alike(const uint8_t *bytes, size_t size) {
  const Utf8Kernel *const *k = utf8simd_kernels();
  static uint8_t one[BYTES_MAX];
  size_t due = 0, at;
  for (int i = 0; k[i]; i++) {
    atomic_store(&utf8simd_chosen, k[i]);
    const size_t n =
        convert(utf8charset_decode_legacy, random_below(2) ? much_room : random_room,
                bytes, size, &at);
    expect(i == 0 || (n == due && memcmp(got, one, n) == 0), k[i]->name, bytes, size);
    memcpy(one, got, due = n);
  }
}

/* Random text, with an ASCII byte or any other at a random place of some. */
static void decode_alike(void) {
  uint8_t bytes[INPUT_MAX];
  for (uint32_t i = 0; i < 200; i += (uint32_t)test_stride()) {
    const size_t size = random_legacy(bytes, i % 8 ? 200 : INPUT_MAX);
    for (uint32_t k = random_below(4) * random_below(8); k > 0 && size > 0; k--)
      bytes[random_below((uint32_t)size)] = (uint8_t)random_below(256);
    with_copy(bytes, size, expect_alike);
  }
}

static void decodes_alike_with_every_kernel(void) {
  const Utf8Kernel *usual = atomic_load(&utf8simd_chosen);
  for_all(decode_alike);
  atomic_store(&utf8simd_chosen, usual);
}

static void strangers_at_every_place(void) {
  static const char *const usual[] = {"a", "\xD0\xB6", "\xE0\xB8\x81", "\xE2\x80\x94"};
  static const char *const odd[] = {"a", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                                    "\xEF\xBF\xBF"};
  for (size_t kind = 0; kind < 4; kind++) {
    for (size_t stranger = 0; stranger < 5; stranger++) {
      for (size_t before = 0; before < 90; before += test_stride()) {
        uint8_t text[400];
        size_t size = 0, stop, at;
        for (size_t i = 0; i < 90; i++) {
          const char *p = i == before ? odd[stranger] : usual[kind];
          memcpy(text + size, p, strlen(p));
          size += strlen(p);
        }
        for (stop = 0; stop < size; stop += stepWellFormed(text + stop).length) {
          uint32_t code = stepWellFormed(text + stop).codepoint;
          if (utf8charset_byte_of_code(charset, code) < 0) break;
        }
        uint8_t *copy = exact(size);
        memcpy(copy, text, size);
        convert(utf8charset_encode_legacy, much_room, copy, size, &at);
        expect(at == stop, names[charset], copy, size);
        expect_same(utf8charset_encode_legacy, copy, size);
        exact_free(copy, size);
      }
    }
  }
}

static void finds_a_stranger_at_every_place(void) {
  static const int some[] = {LEGACY(WINDOWS1251), LEGACY(WINDOWS874), LEGACY(IBM866),
                             LEGACY(CP864),       LEGACY(CP1026),     LEGACY(ASCII)};
  for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
    charset = some[i];
    strangers_at_every_place();
  }
}

static void starts_from_nothing(void) {
  unsigned state = 0;
  size_t at = 0;
  uint8_t out[UTF8_LEGACY_ROOM];
  expect_that(
      utf8charset_decode_legacy(charset, &state, NULL, 0, &at, out, sizeof out) == 0,
      "nothing");
  expect_that(
      utf8charset_encode_legacy(charset, &state, NULL, 0, &at, out, sizeof out) == 0,
      "nothing");
  expect_that(utf8charset_finish_legacy(charset, &state, out) == 0 && state == 0,
              "nothing");
}
TEST_OF(makes_nothing_of_nothing, for_all(starts_from_nothing))

static const Test tests[] = {
    {"converts examples both ways", converts_examples_both_ways},
    {"decodes errors as the standard does", decodes_errors_as_the_standard_does},
    {"encodes what the standard folds", encodes_what_the_standard_folds},
    {"stops at what has no encoding", stops_at_what_has_no_encoding},
    {"stops at ASCII that it lacks", stops_at_ascii_that_it_lacks},
    {"knows every byte", knows_every_byte},
    {"brings every code point back", brings_every_code_point_back},
    {"gives the same in calls of any size", gives_the_same_in_calls_of_any_size},
    {"decodes alike with every kernel", decodes_alike_with_every_kernel},
    {"finds a stranger at every place", finds_a_stranger_at_every_place},
    {"makes nothing of nothing", makes_nothing_of_nothing},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
