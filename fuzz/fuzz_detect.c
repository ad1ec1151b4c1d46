/* fuzz_detect.c: compares utf8core_detect() with the rules of docs/detection.md, and checks what
** the detected charset promises about the bytes. See fuzz.h.
**
** For UTF-16 and UTF-32 without a byte order mark, the rules weigh how likely a reading is. Of
** such an answer the target checks only that it is possible, and that printable ASCII in these
** charsets is recognised. Of legacy charsets it checks that the bytes decode, that evidence adds up
** in any order, and that none has a higher score; of UTF-8 with damage, that a character is left.
** Every other answer is compared exactly.
**
** a, b and c are not used.
*/
#include "fuzz/fuzz.h"
#include "detect/model.h"

_Static_assert(FUZZ_TEXT_MAX <= 65536,
               "utf8core_detect() reads every byte for UTF-16 and UTF-32");

typedef struct Facts {
  int nul, high, c1, long_lead; /* bytes 00, 80..FF, 80..9F, F8..FF */
  size_t controls;              /* other than NUL */
  int is_utf8;                  /* with a byte above 7F */
} Facts;

static int is_printable(uint32_t c) {
  return c >= 0x20 && c < 0x7F;
}

/* WHATWG MIME Sniffing, "binary data byte". */
static int is_control(uint8_t byte) {
  return byte <= 0x08 || byte == 0x0B || (byte >= 0x0E && byte <= 0x1A) ||
         (byte >= 0x1C && byte <= 0x1F);
}

static int is_valid(Utf8Charset charset, const FuzzInput *in) {
  const AbnfDialect *dialect = dialect_of(charset);
  for (size_t at = 0; at < in->size;) {
    Utf8Step s = abnf_step(dialect, in->text, in->size, at);
    if (s.error) return 0;
    at += s.length;
  }
  return 1;
}

static Facts facts_of(const FuzzInput *in) {
  Facts f = {0};
  for (size_t i = 0; i < in->size; i++) {
    const uint8_t byte = in->text[i];
    f.nul |= byte == 0;
    f.high |= byte >= 0x80;
    f.c1 |= byte >= 0x80 && byte < 0xA0;
    f.long_lead |= byte >= 0xF8;
    f.controls += byte != 0 && is_control(byte);
  }
  f.is_utf8 = f.high && is_valid(UTF8_CHARSET_UTF8, in);
  return f;
}

/* Rule 1. Returns UTF8_CHARSET_BINARY if there is no byte order mark. */
static Utf8Charset expected_by_mark(const FuzzInput *in) {
  if (starts(in->text, in->size, "\xEF\xBB\xBF", 3)) return UTF8_CHARSET_UTF8BOM;
  if (starts(in->text, in->size, "\xFF\xFE\0\0", 4)) return UTF8_CHARSET_UTF32;
  if (starts(in->text, in->size, "\0\0\xFE\xFF", 4)) return UTF8_CHARSET_UTF32;
  if (starts(in->text, in->size, "\xFF\xFE", 2)) return UTF8_CHARSET_UTF16;
  if (starts(in->text, in->size, "\xFE\xFF", 2)) return UTF8_CHARSET_UTF16;
  return UTF8_CHARSET_BINARY;
}

/* How often does the charset decode the bytes to U+FFFD, before a byte from `least` on or the end? */
static size_t errors_before(Utf8Charset charset, const FuzzInput *in, uint8_t least) {
  Utf8Conversion c = {.charset = charset, .dialect = UTF8_STRICT};
  static uint8_t out[8 * FUZZ_TEXT_MAX + UTF8_CHARSET_ROOM];
  size_t n = 0, errors = 0;
  do {
    n += utf8core_decode(&c, in->text, in->size, out + n, sizeof out - n);
  } while (c.at < in->size);
  for (size_t i = 2; i < n; i++)
    errors += out[i - 2] == 0xEF && out[i - 1] == 0xBF && out[i] == 0xBD &&
              (i + 1 == n || out[i + 1] >= least);
  return errors;
}

static int decodes_in(Utf8Charset charset, const FuzzInput *in) {
  return errors_before(charset, in, 0) == 0;
}

/* In a multi-byte charset, the end may have cut a character, as that of a field in a text of more than 64 bytes, and one of
** 128 may be another error. */
static int is_read_in(Utf8Charset charset, const FuzzInput *in) {
  if (utf8detect_asian_of(charset) < 0) return decodes_in(charset, in);
  return errors_before(charset, in, in->size > 64 ? 0x40 : 0) <= 1 + in->size / 128;
}

/* The charset of the first designation, or ASCII. */
static Utf8Charset designated(const FuzzInput *in) {
  static const char *const known[] = {"\x1B$)C", "\x1B(J", "\x1B(I", "\x1B$@",
                                      "\x1B$B"};
  for (size_t i = 0; i < in->size; i++) {
    for (size_t k = 0; k < 5; k++) {
      const size_t length = strlen(known[k]);
      if (in->size - i < length || memcmp(in->text + i, known[k], length) != 0)
        continue;
      return k == 0 ? UTF8_CHARSET_ISO2022_KR : UTF8_CHARSET_ISO2022_JP;
    }
  }
  return UTF8_CHARSET_ASCII;
}

/* Is it hz without errors, with pairs that all end in their line, at most a quarter of them rare? */
static int is_hz(const FuzzInput *in) {
  size_t pairs = 0, rare = 0;
  int shifted = 0;
  if (!decodes_in(UTF8_CHARSET_HZ, in)) return 0;
  for (size_t i = 0, length; i < in->size; i += length) {
    length = shifted || in->text[i] == '~' ? 2 : 1;
    if (in->text[i] == '~') {
      shifted = shifted ? 0 : in->text[i + 1] == '{';
      continue;
    }
    pairs += shifted ? 1 : 0;
    rare += shifted && in->text[i] > 0x57 ? 1 : 0;
  }
  return !shifted && pairs > 0 && rare <= pairs / 4;
}

static Utf8Charset expected_ascii(const FuzzInput *in) {
  const Utf8Charset charset = designated(in);
  if (charset != UTF8_CHARSET_ASCII && decodes_in(charset, in)) return charset;
  return is_hz(in) ? UTF8_CHARSET_HZ : UTF8_CHARSET_ASCII;
}

/* The shifts of iso-2022-kr are control bytes. */
static int is_korean(const FuzzInput *in, const Facts *f) {
  return f->controls > 0 && !f->nul && !f->high &&
         designated(in) == UTF8_CHARSET_ISO2022_KR &&
         decodes_in(UTF8_CHARSET_ISO2022_KR, in);
}

/* The rules after 2. Returns UTF8_CHARSET_UNKNOWN for the fallback. */
static Utf8Charset expected_by_bytes(const FuzzInput *in, const Facts *f) {
  const size_t many = !f->high || f->is_utf8 ? 8 : 128;
  if (f->nul || f->controls > in->size / many) return UTF8_CHARSET_BINARY;
  if (!f->high) return expected_ascii(in);
  if (f->is_utf8) return UTF8_CHARSET_UTF8;
  if (is_valid(UTF8_CHARSET_CESU8, in)) return UTF8_CHARSET_CESU8;
  if (is_valid(UTF8_CHARSET_MUTF8, in)) return UTF8_CHARSET_MUTF8;
  if (f->long_lead && is_valid(UTF8_CHARSET_RFC2044, in)) return UTF8_CHARSET_RFC2044;
  return UTF8_CHARSET_UNKNOWN;
}

/* ---- rule 2 -------------------------------------------------------------------------- */

static size_t unit_size(Utf8Charset charset) {
  switch (charset) {
  case UTF8_CHARSET_UTF16LE:
  case UTF8_CHARSET_UTF16BE:
    return 2;
  case UTF8_CHARSET_UTF32LE:
  case UTF8_CHARSET_UTF32BE:
    return 4;
  default:
    return 0;
  }
}

static int is_noncharacter(uint32_t c) {
  return (c & 0xFFFE) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
}

static int is_text(uint32_t c) {
  if (c < 0x80) return c > 0 && c < 0x7F && !is_control((uint8_t)c);
  if (c < 0xA0) return c == 0x85;
  return !is_noncharacter(c) && !(c >= 0x40000 && c < 0xE0000);
}

static int all_code_points(const Codes *codes, int (*is)(uint32_t c)) {
  for (size_t i = 0; i < codes->count; i++) {
    if (!is(codes->code[i])) return 0;
  }
  return codes->errors == 0;
}

/* Does the charset give whole units, all of which are text? */
static int is_possible_reading(Utf8Charset charset, const FuzzInput *in) {
  static Codes codes;
  if (in->size % unit_size(charset)) return 0;
  read_charset(&codes, charset, in->text, in->size);
  return all_code_points(&codes, is_text);
}

/* The charset in which these bytes are printable ASCII, or UTF8_CHARSET_BINARY. */
static Utf8Charset ascii_in_units(const FuzzInput *in) {
  static const Utf8Charset charsets[] = {UTF8_CHARSET_UTF16LE, UTF8_CHARSET_UTF16BE,
                                         UTF8_CHARSET_UTF32LE, UTF8_CHARSET_UTF32BE};
  static Codes codes;
  for (size_t i = 0; i < sizeof charsets / sizeof charsets[0] && in->size > 0; i++) {
    if (in->size % unit_size(charsets[i])) continue;
    read_charset(&codes, charsets[i], in->text, in->size);
    if (all_code_points(&codes, is_printable)) return charsets[i];
  }
  return UTF8_CHARSET_BINARY;
}

/* ---- one input ----------------------------------------------------------------------- */

static Utf8Charset detected; /* under the first kernel */

/* Every kernel returns the same charset, also at a second call. */
static void check_kernel(const FuzzInput *in) {
  HOLDS(utf8core_detect(in->text, in->size) == detected);
}

static void check_units(const FuzzInput *in, const Facts *f) {
  HOLDS(f->nul || f->controls > 0);
  HOLDS(!f->is_utf8);
  HOLDS(is_possible_reading(detected, in));
}

/* May the fallback be this charset? */
static int is_fallback(Utf8Charset charset) {
  const Utf8CharsetRow *row = utf8core_charset(charset);
  return row && (strncmp(row->source, "WHATWG", 6) == 0 ||
                 charset == UTF8_CHARSET_LATIN1 || charset == UTF8_CHARSET_CP437 ||
                 charset == UTF8_CHARSET_CP850 || charset == UTF8_CHARSET_CP852 ||
                 charset == UTF8_CHARSET_CP855 || charset == UTF8_CHARSET_JOHAB ||
                 charset == UTF8_CHARSET_EUC_TW || charset == UTF8_CHARSET_VISCII);
}

static Utf8Evidence evidence;

/* Adds in[from..to) as one value, in two calls. */
static void add_chunk(const FuzzInput *in, size_t from, size_t to) {
  const size_t size = to - from, half = size / 2;
  if (size == 0) return;
  if (half > 0) utf8detect_add(&evidence, in->text + from, size, 0, half);
  utf8detect_add(&evidence, in->text + from, size, half, size);
}

static void check_order(const FuzzInput *in) {
  const size_t cut = in->size / 3;
  utf8detect_begin(&evidence);
  add_chunk(in, 0, cut);
  add_chunk(in, cut, in->size);
  const Utf8Charset charset = utf8detect_charset(&evidence);
  utf8detect_begin(&evidence);
  add_chunk(in, cut, in->size);
  add_chunk(in, 0, cut);
  HOLDS(utf8detect_charset(&evidence) == charset);
}

/* Does the text have a character of UTF-8, ASCII included? Without one, nothing speaks for it. */
static int has_character(const FuzzInput *in) {
  for (size_t at = 0; at < in->size;) {
    const Utf8Step s = abnf_step(&abnf_dialects[0], in->text, in->size, at);
    if (!s.error) return 1;
    at += s.length;
  }
  return 0;
}

static void check_evidence(const FuzzInput *in) {
  check_order(in);
  utf8detect_begin(&evidence);
  add_chunk(in, 0, in->size);
  HOLDS(utf8detect_charset(&evidence) == detected);
}

static void check_legacy(const FuzzInput *in, const Facts *f) {
  HOLDS(is_fallback(detected) && is_read_in(detected, in));
  HOLDS(detected != UTF8_CHARSET_LATIN1 || !f->c1);
  HOLDS(detected != UTF8_CHARSET_WINDOWS1252 || f->c1);
  const double highest = utf8detect_score(&evidence, detected, detected);
  for (int c = 0; c < UTF8_CHARSETS; c++) {
    HOLDS(!is_fallback((Utf8Charset)c) ||
          utf8detect_score(&evidence, (Utf8Charset)c, detected) <= highest);
  }
}

static void check_bytes(const FuzzInput *in, const Facts *f) {
  const Utf8Charset expected = expected_by_bytes(in, f);
  if (expected != UTF8_CHARSET_UNKNOWN) {
    HOLDS(detected == expected);
  } else {
    check_evidence(in);
    if (detected == UTF8_CHARSET_UTF8) HOLDS(has_character(in));
    if (detected != UTF8_CHARSET_UTF8) check_legacy(in, f);
  }
  HOLDS(ascii_in_units(in) == UTF8_CHARSET_BINARY);
}

static void fuzz_input(const FuzzInput *in) {
  const Utf8Charset marked = expected_by_mark(in);
  detected = utf8core_detect(in->text, in->size);
  fuzz_each_kernel(check_kernel, in);
  if (marked != UTF8_CHARSET_BINARY) {
    HOLDS(detected == marked);
    return;
  }
  const Facts f = facts_of(in);
  if (is_korean(in, &f)) {
    HOLDS(detected == UTF8_CHARSET_ISO2022_KR);
  } else if (unit_size(detected)) {
    check_units(in, &f);
  } else {
    check_bytes(in, &f);
  }
}
