/* cleantest.c: the functions of utf8form.h, which utf8_unescape and utf8_clean are made of: results, and
** that they do not depend on how a text is cut into calls.
**
**     make check-form
**
** test/unescape.test and test/clean.test have the answers in SQL.
*/
#include "test/ctest.h"
#include "core/utf8form.h"

enum { TEXT_MAX = 1 << 16 };

/* What a test calls: HTML, encoded words, quoted-printable, URLs, JSON, misread text, and then the steps. */
typedef enum Call { HTML, WORDS, QUOTED, URL, JSON, MISREAD, FIRST_STEP } Call;

static size_t call_once(Call call, Utf8Mime *mime, const uint8_t *text, size_t size,
                        size_t *at, uint8_t *out, size_t room) {
  switch (call) {
  case HTML:
    return utf8form_unescape_html(text, size, at, out, room);
  case WORDS:
    return utf8form_unescape_mime(mime, text, size, at, out, room);
  case QUOTED:
    return utf8form_unescape_quoted(text, size, at, out, room);
  case URL:
    return utf8form_unescape_url(text, size, at, out, room);
  case JSON:
    return utf8form_unescape_json(text, size, at, out, room);
  case MISREAD:
    return utf8form_clean_mojibake(text, size, at, out, room);
  default:
    return utf8form_clean((Utf8CleanStep)(call - FIRST_STEP), text, size, at, out,
                          room);
  }
}

/* Copies the text in calls of `room` bytes, each into a buffer of just that. Returns the size. */
static size_t copy(Call call, const uint8_t *text, size_t size, size_t room,
                   uint8_t *to) {
  Utf8Mime mime = {0};
  size_t at = 0, n = 0;
  for (size_t calls = 0; at < size; calls++) {
    uint8_t *out = exact(room);
    const size_t used = call_once(call, &mime, text, size, &at, out, room);
    if (n + used <= TEXT_MAX) memcpy(to + n, out, used);
    n += used;
    exact_free(out, room);
    expect(used <= room && n <= TEXT_MAX && calls < 8 * (size + 1), "progress", text,
           size);
    if (n > TEXT_MAX || calls > 8 * size) return 0;
  }
  return n;
}

/* ---- results ------------------------------------------------------------------------------ */

static void results(void) {
  static const struct {
    Call call;
    const char *text, *wanted;
  } rows[] = {
      {HTML, "caf&eacute; &#8364;&amp;lt; &x", "caf\xC3\xA9 \xE2\x82\xAC&lt; &x"},
      {HTML, "\xFF&lt\xC3", "\xFF<\xC3"},
      {URL, "%C3%A9+%E9%\xFF%41", "\xC3\xA9+%E9%\xFF\x41"},
      {JSON, "\\u00e9\\ud83d\\ude00\\n\\ud83d\xFF\\",
       "\xC3\xA9\xF0\x9F\x98\x80\n\\ud83d\xFF\\"},
      {WORDS, "a =?utf-8?Q?=C3?= =?UTF8?B?qQ==?= b", "a \xC3\xA9 b"},
      {WORDS, "=?utf-8?Q?=C3?=", "\xEF\xBF\xBD"},
      {WORDS, "=?x-none?Q?a?= =?\xFF", "=?x-none?Q?a?= =?\xFF"},
      {WORDS,
       "=?latin1?Q?=E9?= \t =?utf-8?Q?"
       "?= \n =?utf-8?Q?=C3=A8?=",
       "\xC3\xA9\xC3\xA8"},
      {WORDS, "=?utf-8?Q?a?=   x", "a   x"},
      {QUOTED, "caf=E9=\r\n=3D=4", "caf\xE9==4"},
      {MISREAD, "caf\xC3\x83\xC2\xA9", "caf\xC3\xA9"},
      {FIRST_STEP + UTF8_CLEAN_HTML, "&lt &lt;", "&lt <"},
      {FIRST_STEP + UTF8_CLEAN_LINES, "a\r\nb\xE2\x80\xA8", "a\nb\n"},
      {FIRST_STEP + UTF8_CLEAN_INVISIBLE, "\xEF\xBB\xBFz\xE2\x80\x8B", "z"},
  };
  uint8_t out[256];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const uint8_t *text = (const uint8_t *)rows[i].text;
    const size_t size = strlen(rows[i].text), wanted = strlen(rows[i].wanted);
    const size_t n = copy(rows[i].call, text, size, UTF8_CLEAN_MOJIBAKE_ROOM, out);
    expect(n == wanted && memcmp(out, rows[i].wanted, n) == 0, rows[i].wanted, text,
           size);
  }
}

static void empty_text(void) {
  for (Call call = HTML; call <= MISREAD; call++)
    expect_that(copy(call, NULL, 0, UTF8_CLEAN_MOJIBAKE_ROOM, NULL) == 0, "nothing");
  size_t from = 1, end = 1;
  utf8form_trim(NULL, 0, &from, &end);
  expect_that(from == 0 && end == 0, "nothing to trim");
  expect_that(utf8form_clean_needed(UTF8_CLEAN_DEFAULT, NULL, 0) == 0, "needs nothing");
}

static void names_of_steps(void) {
  expect_that(utf8form_clean_steps("NFC, repair,mojibake", 20) == UTF8_CLEAN_DEFAULT,
              "the default");
  expect_that(utf8form_clean_steps("nfc,nfkc", 8) == 0 &&
                  utf8form_clean_steps("", 0) == 0,
              "refused");
  expect_that(strncmp(utf8form_clean_names, "repair, json, html, ", 20) == 0,
              "the names");
}

/* ---- calls -------------------------------------------------------------------------------- */

/* Makes a text of random pieces, of those that the functions act on. */
static size_t text_of_pieces(uint8_t *text) {
  static const char fragments[] =
      "=?utf-8?Q?|=?utf-8?B?|=?koi8-r?q?|=?iso-2022-jp?B?|?=|?= =?|=C3=A9|w6k=|"
      "GyRCRnxLXBsoQg==|=\r\n|&eacute;|&#x1F600;|&amp|%C3%A9|%F0%9F|%|\\ud83d|"
      "\\ude00\\n|\\|;| |\n|\xC3\x83\xC2\xA9|\xE2\x80\x9C|\x1B[31m|a|\xEF\xAC\x81";
  char word[WORD_MAX];
  size_t size = 0;
  for (size_t i = 0, n = random_below(60); i < n; i++) {
    const char *piece = random_word(fragments, word);
    for (size_t times = random_below(20) ? 1 : random_below(100); times > 0; times--) {
      if (size + strlen(piece) > TEXT_MAX / 8) break;
      memcpy(text + size, piece, strlen(piece));
      size += strlen(piece);
    }
  }
  return size;
}

static int is_copying_step(int step) {
  return step > UTF8_CLEAN_REPAIR && step != UTF8_CLEAN_MOJIBAKE &&
         step != UTF8_CLEAN_NFC && step != UTF8_CLEAN_NFKC && step != UTF8_CLEAN_TRIM;
}

static void calls_do_not_change_the_result(void) {
  static uint8_t made[TEXT_MAX], whole[TEXT_MAX], parts[TEXT_MAX];
  for (unsigned n = 0; n < 3000 / test_stride(); n++) {
    const size_t size = text_of_pieces(made), least = UTF8_FORM_ROOM;
    uint8_t *text = exact(size);
    if (size) memcpy(text, made, size);
    for (int call = HTML; call < FIRST_STEP + UTF8_CLEAN_STEPS; call++) {
      if (call >= FIRST_STEP && !is_copying_step(call - FIRST_STEP)) continue;
      const size_t room = call == MISREAD ? UTF8_CLEAN_MOJIBAKE_ROOM : least;
      const size_t all = copy((Call)call, text, size, TEXT_MAX, whole);
      const size_t some = copy((Call)call, text, size, room + random_below(40), parts);
      expect(all == some && memcmp(whole, parts, all) == 0, "the same in parts", text,
             size);
    }
    exact_free(text, size);
  }
}

/* In a long word, *at moves with what has been read of it. */
static void stops_inside_of_words(void) {
  enum { LONG = 5000, STEP = 3 * UTF8_MIME_BYTES + 2 };
  static const char *const starts[] = {"=?utf-8?Q?", "=?utf-8?B?"};
  static uint8_t text[LONG];
  for (size_t i = 0; i < 2; i++) {
    memset(text, 'Y', sizeof text);
    memcpy(text, starts[i], 10);
    memcpy(text + LONG - 2, "?=", 2);
    Utf8Mime mime = {0};
    uint8_t out[UTF8_FORM_ROOM];
    for (size_t at = 0, before = 0; at < LONG; before = at) {
      utf8form_unescape_mime(&mime, text, LONG, &at, out, sizeof out);
      expect(at - before <= STEP, starts[i], text, at);
    }
  }
}

static const Test tests[] = {
    {"results", results},
    {"empty text and NULL", empty_text},
    {"names of steps", names_of_steps},
    {"calls do not change the result", calls_do_not_change_the_result},
    {"stops inside of words", stops_inside_of_words},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
