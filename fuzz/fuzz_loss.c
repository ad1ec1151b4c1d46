/* fuzz_loss.c: what stands for characters that a charset lacks, and the names of charsets, by what
** holds for any text (fuzz.h).
**
** a and b together select the charset, c the size of the output buffer. The start of the text is made
** well-formed; the text is also read as a name.
*/
#include "fuzz/fuzz.h"
#include "charset/names.h"
#include "charset/stream.h"
#include "form/closest.h"

#define START   1000
#define OUT_MAX ((size_t)UTF8_CLOSEST_MAX * 3 * START)

static Utf8Charset charset;
static uint8_t text[3 * START + 64];
static size_t size;

/* Text that the charset has: the closest to a code point, or else a question mark. */
static size_t instead_of(uint32_t code, uint8_t *out) {
  Utf8Closest to;
  if (!utf8form_closest(charset, (Utf8InContext){0x3B1, code, 0x3B3}, &to)) {
    out[0] = '?';
    return utf8charset_encodes(charset, out, 1) ? 1 : 0;
  }
  HOLDS(to.size <= sizeof to.bytes && abnf_valid(to.bytes, to.size));
  HOLDS(utf8charset_encodes(charset, to.bytes, to.size));
  memcpy(out, to.bytes, to.size);
  return to.size;
}

/* Encodes a text within a conversion. Returns the number of bytes, and sets *at to where it stopped. */
static size_t encode(Utf8Conversion *c, const uint8_t *in, size_t in_size, size_t room,
                     uint8_t *to) {
  uint8_t *out = fuzz_alloc(room);
  size_t n = 0, written, before;
  do {
    before = c->at;
    written = utf8core_encode(c, in, in_size, out, room);
    HOLDS(written <= room && c->at >= before && c->at <= in_size);
    memcpy(to + n, out, written);
    n += written;
  } while (c->at < in_size && written > 0);
  free(out);
  return n;
}

/* Encodes the text as utf8_to does with a loss. */
static size_t encode_all(uint8_t *to, size_t room) {
  Utf8Conversion c = {.charset = charset};
  size_t n = encode(&c, text, size, room, to);
  while (c.at < size) {
    uint8_t instead[UTF8_CLOSEST_MAX];
    const Utf8Step s = utf8core_step(text, size, c.at, UTF8_STRICT);
    const size_t length = instead_of(s.codepoint, instead), next = c.at + s.length;
    HOLDS(!utf8charset_encodes(charset, text + c.at, s.length));
    c.at = 0;
    c.continues = next < size;
    if (length > 0 || !c.continues) n += encode(&c, instead, length, room, to + n);
    HOLDS(c.at == length || (c.continues && length == 0));
    c.at = next;
    c.continues = 0;
    if (next < size) n += encode(&c, text, size, room, to + n);
    HOLDS(n <= OUT_MAX);
  }
  return n;
}

static void check(const FuzzInput *in) {
  static uint8_t got[OUT_MAX], again[OUT_MAX];
  const size_t n = encode_all(got, sizeof got / 2);
  const size_t m = encode_all(again, fuzz_room(in, UTF8_CHARSET_ROOM));
  HOLDS(n == m && memcmp(got, again, n) == 0);
  Utf8Conversion c = {.charset = charset, .counts_errors = 1};
  utf8core_decode(&c, got, n, again, sizeof again);
  HOLDS(c.at == n && c.errors == 0);
}

/* A name stands for the charset that its own name stands for. */
static void check_name(const FuzzInput *in) {
  const char *nearest[UTF8_NEAREST];
  const char *name = (const char *)in->text;
  const Utf8Charset found = utf8core_find_charset(name, in->size);
  HOLDS(found >= UTF8_CHARSET_UNKNOWN && found < UTF8_CHARSETS);
  utf8charset_nearest(name, in->size, nearest);
  if (found == UTF8_CHARSET_UNKNOWN) return;
  const char *own = utf8core_charset_name(found);
  HOLDS(utf8core_find_charset(own, strlen(own)) == found);
}

static void fuzz_input(const FuzzInput *in) {
  const Utf8Repair how = {.policy = UTF8_POLICY_SUBPART};
  size_t at = 0;
  charset = (Utf8Charset)((in->a + in->b * 7) % UTF8_CHARSETS);
  const size_t start = in->size < START ? in->size : START;
  size = start ? utf8core_repair(&how, in->text, start, &at, text, sizeof text) : 0;
  HOLDS(at == start);
  fuzz_each_kernel(check, in);
  check_name(in);
}
