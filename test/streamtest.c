/* streamtest.c: what utf8core_decode() and utf8core_encode() promise for a text in pieces: wherever
** it is cut, they write the bytes and count the errors of the whole text. Every charset, with text
** in it, damaged text, and bytes that matter to some charset, under every kernel.
**
**     make check-stream
*/
#include "test/ctest.h"
#include "test/charsets.h"
#include "core/simd/kernel.h"

#define INPUT_MAX 1000
#define OUT_MAX   (8 * INPUT_MAX + UTF8_CHARSET_ROOM)

/* ---- a conversion ---------------------------------------------------------------------- */

static Utf8Charset charset;
static unsigned dialect;
static int encoding; /* 1: encode, 0: decode */

typedef struct Result {
  uint8_t bytes[OUT_MAX];
  size_t size;
  size_t at; /* where the conversion stopped in the text */
  uint64_t errors;
} Result;

static Result whole, joined;

/* Converts a piece in as many calls as the room requires. Returns 0 if the charset lacks a code
** point. */
static int add_piece(Result *r, Utf8Conversion *c, const uint8_t *in, size_t size,
                     size_t room) {
  size_t written, before, held;
  c->at = 0;
  do {
    uint8_t *out = exact(room);
    before = c->at, held = c->held;
    written = encoding ? utf8core_encode(c, in, size, out, room)
                       : utf8core_decode(c, in, size, out, room);
    expect(written <= room && r->size + written <= OUT_MAX, "stays within its room", in,
           size);
    expect(c->at >= before && c->at <= size, "moves on, and not too far", in, size);
    expect(c->held < UTF8_CONVERSION_HELD, "holds little", in, size);
    memcpy(r->bytes + r->size, out, written);
    r->size += written;
    exact_free(out, room);
  } while (c->at < size && (written > 0 || c->at > before || c->held < held));
  return c->at == size && (c->continues || c->held == 0);
}

static Utf8Conversion start(Result *r) {
  r->size = 0;
  return (Utf8Conversion){.charset = charset, .dialect = dialect, .counts_errors = 1};
}

static void convert_whole(const uint8_t *in, size_t size) {
  Utf8Conversion c = start(&whole);
  add_piece(&whole, &c, in, size, OUT_MAX);
  whole.at = c.at;
  whole.errors = c.errors;
  expect(c.held == 0, "holds nothing of a whole text", in, size);
}

/* The size of the next piece, at most left. */
typedef size_t NextPiece(size_t left);

/* Converts the text in pieces, and expects what convert_whole() has found. */
static void expect_pieces(NextPiece *next, size_t room, const uint8_t *in,
                          size_t size) {
  Utf8Conversion c = start(&joined);
  size_t at = 0;
  int goes_on;
  do {
    const size_t n = next(size - at);
    uint8_t *piece = exact(n);
    if (n > 0) memcpy(piece, in + at, n);
    c.continues = at + n < size || (n > 0 && random_below(2));
    goes_on = add_piece(&joined, &c, piece, n, room);
    exact_free(piece, n);
    joined.at = at + c.at - c.held;
    at += n;
  } while (goes_on && c.continues);
  joined.errors = c.errors;
  const char *name = utf8core_charset_name(charset);
  expect(joined.size == whole.size &&
             memcmp(joined.bytes, whole.bytes, whole.size) == 0,
         name, in, size);
  expect(joined.at == whole.at, "stops at the same place", in, size);
  expect(joined.errors == whole.errors, "counts the same errors", in, size);
}

/* ---- where to cut -------------------------------------------------------------------------- */

static size_t first_piece; /* of two */

static size_t two_pieces(size_t left) {
  const size_t n = first_piece < left ? first_piece : left;
  first_piece = SIZE_MAX;
  return n;
}

static size_t single_bytes(size_t left) {
  return left > 0;
}

static size_t random_pieces(size_t left) {
  size_t n = random_below(random_below(2) ? 4 : 60);
  return n < left ? n : left;
}

static size_t some_room(void) {
  return UTF8_CHARSET_ROOM + random_below(random_below(2) ? 8 : 400);
}

/* Cuts the text at random, and a short one at each place. */
static void expect_same(const uint8_t *in, size_t size) {
  convert_whole(in, size);
  for (size_t n = 0; n <= size && size <= 40; n++) {
    first_piece = n;
    expect_pieces(two_pieces, OUT_MAX, in, size);
  }
  expect_pieces(single_bytes, some_room(), in, size);
  for (unsigned i = 0; i < 3; i++) expect_pieces(random_pieces, some_room(), in, size);
}

static void for_all(int encodes, unsigned flags, void (*run)(void)) {
  const Utf8Kernel *usual = utf8simd_kernel();
  encoding = encodes, dialect = flags;
  for (const Utf8Kernel *const *k = utf8simd_kernels(); *k; k++) {
    atomic_store(&utf8simd_chosen, *k);
    for (charset = 0; charset < UTF8_CHARSETS; charset++) run();
  }
  atomic_store(&utf8simd_chosen, usual);
}

/* ---- texts -------------------------------------------------------------------------------- */

/* Bytes that matter to some charset: leads, trails, digits of gb18030, escapes of iso-2022,
** surrogates, shifts of hz and utf-7. */
static const uint8_t hostile[] = {
    0x1B, 0x1B, '(',  '$',  'B',  'B',  'J',  'I',  '@',  '!',  '0',  '~',  '9',  'A',
    'Z',  '\\', 0x80, 0x81, 0x8E, 0x8F, 0xA0, 0xA1, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xED,
    0xF0, 0xF4, 0xFE, 0xFF, '\n', 0x00, 0xD8, 0xDC, 0x0E, 0x0F, '{',  '}',  '+',  '-',
    ')',  'C',  'G',  '*',  'H',  0x84, '1',  0xA4, '7',  0xFD, 0xEF, 0xBB, 0xBD};

static size_t hostile_bytes(uint8_t *out, size_t size) {
  uint8_t some[sizeof hostile];
  uint32_t count = 1 + random_below(random_below(2) ? 6 : sizeof hostile);
  for (uint32_t i = 0; i < count; i++) some[i] = hostile[random_below(sizeof hostile)];
  for (size_t i = 0; i < size; i++) out[i] = some[random_below(count)];
  return size;
}

static size_t any_bytes(uint8_t *out, size_t size) {
  for (size_t i = 0; i < size; i++) out[i] = (uint8_t)random_below(256);
  return size;
}

/* Copies word n of a list in which '_' stands for NUL. Returns its size. */
static size_t put_word(const char *list, uint32_t n, uint8_t *out) {
  char word[WORD_MAX];
  const size_t size = strlen(word_of(list, n, word));
  for (size_t i = 0; i < size; i++) out[i] = word[i] == '_' ? 0 : (uint8_t)word[i];
  return size;
}

/* What several bytes make, whole and broken. */
static const char parts[] =
    "\x1B$B|\x1B$@|\x1B(B|\x1B(J|\x1B(I|\x1B(|\x1B|\x1B$)C|\x1B$)A|\x1B$*H|\x1BN|"
    "\x1B$(Q|!!0!%F|$|\n| |\\|\xA4|\x0E|\x0F|~{|~}|+AGE-|+2AA|\xED\xA0|\xED\xB0|"
    "\xED\xA0\x80|\xED\xB0\x80|\xC0\x80|\xF0\x9F|\x84\x31|\x84\x31\xA4\x37|"
    "\xEF\xBF\xBD|\xFF\xFD|\xFD\xFF|\xD8_|_\xDC|\x8F\xB0|\xFC\x84\x80\x80\x80|\x81";

static size_t broken_parts(uint8_t *out, size_t size) {
  size_t n = 0;
  while (n < size) n += put_word(parts, random_below(word_count(parts)), out + n);
  return n;
}

static uint32_t random_code(void) {
  static const uint32_t ranges[][2] = {
      {0x20, 0x60},     {0xA0, 0xE0}, {0x400, 0x60},  {0x3040, 0xC0}, {0x4E00, 0x5000},
      {0xAC00, 0x2B00}, {0xA, 1},     {0xFF61, 0x3F}, {0xFFFD, 1},    {0x1F600, 0x40},
      {0x20000, 0x900}, {0, 1},       {0xA5, 1},      {0x80, 0x20}};
  const uint32_t *range = ranges[random_below(sizeof ranges / sizeof *ranges)];
  return range[0] + random_below(range[1]);
}

static size_t own_text(uint8_t *out, size_t size) {
  uint8_t utf8[2 * INPUT_MAX], code[UTF8_OCTETS_MAX], bytes[UTF8_CHARSET_ROOM];
  size_t n = 0;
  for (size_t i = 0; i < size / 4; i++) {
    const size_t length = utf8core_put(code, random_code());
    Utf8Conversion c = {.charset = charset};
    utf8core_encode(&c, code, length, bytes, sizeof bytes);
    if (c.at < length) continue;
    memcpy(utf8 + n, code, length);
    n += length;
  }
  Utf8Conversion c = {.charset = charset};
  return utf8core_encode(&c, utf8, n, out, OUT_MAX);
}

static size_t damaged_text(uint8_t *out, size_t size) {
  size_t n = own_text(out, size);
  for (size_t i = 0; n > 0 && i < 4; i++) {
    const size_t place = random_below((uint32_t)n);
    out[place] = random_below(2) ? (uint8_t)random_below(256)
                                 : hostile[random_below(sizeof hostile)];
  }
  return n;
}

static size_t utf8_pieces(uint8_t *out, size_t size) {
  return random_text(out, size, random_below(11));
}

/* UTF-8 of code points that share a code with the next one in some charset, or may do so, and errors
** between some of them. */
static size_t joining_text(uint8_t *out, size_t size) {
  static const uint32_t codes[] = {0xCA,   0xEA,    0xE6,  0x304B, 0x31F7, 0x304,
                                   0x30C,  0x300,   0x301, 0x309A, 0x2E9,  0x2E5,
                                   0x4E2D, 0x1F600, 'a',   0};
  size_t n = 0;
  while (n < size) {
    n += utf8core_put(out + n, codes[random_below(sizeof codes / sizeof *codes)]);
    if (random_below(16) == 0) out[n++] = 0xFF;
  }
  return n;
}

typedef size_t Text(uint8_t *out, size_t size);
static Text *const texts[] = {own_text,  damaged_text, broken_parts, hostile_bytes,
                              any_bytes, utf8_pieces,  joining_text};

static void with_texts(Visit *visit) {
  static uint8_t text[OUT_MAX];
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    with_copy(text, texts[i](text, 4 + random_below(24)), visit);
    with_copy(text, texts[i](text, 4 + random_below(24)), visit);
    with_copy(text, texts[i](text, 1 + random_below(INPUT_MAX / 2)), visit);
  }
}

/* ---- tests -------------------------------------------------------------------------------- */

static void convert_texts(void) {
  for (size_t i = 0; i < 34; i += test_stride()) with_texts(expect_same);
}
TEST_OF(decodes_pieces, for_all(0, UTF8_STRICT, convert_texts))
TEST_OF(encodes_pieces, for_all(1, UTF8_STRICT, convert_texts))

static void convert_utf16(void) {
  if (charset >= UTF8_CHARSET_UTF16 && charset <= UTF8_CHARSET_UTF16BE)
    with_texts(expect_same);
}
TEST_OF(encodes_text_from_utf16, for_all(1, UTF8_FROM_UTF16, convert_utf16))
TEST_OF(decodes_to_wtf8, for_all(0, UTF8_FROM_UTF16 | UTF8_SURROGATES, convert_utf16))

/* Expects the number of errors that charsets.h counts. */
static void expect_errors(const uint8_t *in, size_t size) {
  static Codes codes;
  read_charset(&codes, charset, in, size);
  convert_whole(in, size);
  expect(whole.errors == codes.errors, utf8core_charset_name(charset), in, size);
}

static void count_errors(void) {
  if (charset < CHARSETS_DEFINED) with_texts(expect_errors);
}
TEST_OF(counts_errors, for_all(0, UTF8_STRICT, count_errors))

static void counts_errors_of_gb18030(void) {
  static const uint8_t in[] = "\x84\x31\xA4\x37\xFF\x81\x84"
                              "1\x84\x31\xA4\x37\x84\x31\xA4";
  charset = UTF8_CHARSET_GB18030, dialect = UTF8_STRICT, encoding = 0;
  convert_whole(in, sizeof in - 1);
  expect(whole.errors == 2, "two errors", whole.bytes, whole.size);
}

/* In utf-7, U+FFFD has a code, whose bytes depend on what is before it. */
static void counts_errors_of_utf7(void) {
  static const uint8_t in[] = "+//0 +AGH//Q- +AGEAYf/9- +2AD//Q ~ +//3//Q";
  charset = UTF8_CHARSET_UTF7, dialect = UTF8_STRICT, encoding = 0;
  with_copy(in, sizeof in - 1, expect_same);
  convert_whole(in, sizeof in - 1);
  expect(whole.errors == 2, "two errors", whole.bytes, whole.size);
}

static void marks(void) {
  static const char starts[] =
      "\xEF\xBB\xBF|\xEF\xBB|\xFF\xFE|\xFE\xFF|\xFF|\xFF\xFE__|__\xFE\xFF|__\xFE|"
      "\xFF\xFE\x61_b_|\xFE\xFF_a\xD8_|\xFF\xFE__a___|\xEF\xBB\xBF\x61";
  uint8_t text[WORD_MAX];
  for (uint32_t n = 0; n < word_count(starts); n++)
    with_copy(text, put_word(starts, n, text), expect_same);
}
TEST_OF(reads_byte_order_marks_in_pieces, for_all(0, UTF8_STRICT, marks))

/* Text that no error follows is written at once: only what may be unfinished is held. */
static void holds_only_what_is_unfinished(void) {
  dialect = UTF8_STRICT, encoding = 0;
  for (charset = 0; charset < UTF8_CHARSETS; charset++) {
    uint8_t in[UTF8_CHARSET_ROOM], out[UTF8_CHARSET_ROOM];
    Utf8Conversion to = {.charset = charset};
    Utf8Conversion from = {.charset = charset, .continues = 1};
    const size_t size =
        utf8core_encode(&to, (const uint8_t *)"ABC, ABC", 8, in, sizeof in);
    const size_t n = utf8core_decode(&from, in, size, out, sizeof out);
    expect(n == 8 && from.at == size && from.held == 0, utf8core_charset_name(charset),
           out, n);
  }
}

static const Test tests[] = {
    {"decodes pieces as the whole", decodes_pieces},
    {"encodes pieces as the whole", encodes_pieces},
    {"encodes text from UTF-16 in pieces", encodes_text_from_utf16},
    {"decodes UTF-16 to WTF-8 in pieces", decodes_to_wtf8},
    {"counts errors as a second definition does", counts_errors},
    {"counts errors of gb18030", counts_errors_of_gb18030},
    {"counts errors of utf-7", counts_errors_of_utf7},
    {"reads byte order marks in pieces", reads_byte_order_marks_in_pieces},
    {"holds only what is unfinished", holds_only_what_is_unfinished},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
