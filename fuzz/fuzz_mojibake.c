/* fuzz_mojibake.c: utf8mojibake_find() and utf8mojibake_restore(), by what holds for any text
** (fuzz.h): a text is reported exactly if what it is restored to differs, which is well-formed,
** no longer than the room that was promised, a fixed point, and independent of the calls.
**
** a selects one charset or all, b a charset that the text is misread in first, which may be a multi-byte one, c the room
** of the output buffer. The text is made well-formed.
*/
#include "fuzz/fuzz.h"
#include "charset/legacy/legacy.h"
#include "mojibake/mojibake.h"

#define OUT_MAX ((size_t)16 * FUZZ_TEXT_MAX)

static const Utf8MojibakeCharset *charset; /* NULL: any */
static size_t room;
static uint8_t misread[OUT_MAX];
static size_t misread_size;

static size_t restore_call(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                           size_t out_room) {
  return utf8mojibake_restore(charset, text, size, at, out, out_room);
}

static size_t restore(const uint8_t *text, size_t size, uint8_t *to, size_t out_room) {
  return fuzz_calls(restore_call, text, size, out_room, to, OUT_MAX);
}

static size_t count_runs(const uint8_t *text, size_t size, size_t chunk) {
  Utf8MojibakeFound found;
  size_t runs = 0;
  for (size_t at = 0; at < size;) {
    const size_t until = size - at > chunk ? at + chunk : size;
    while (utf8mojibake_find(charset, text, size, &at, until, &found)) {
      HOLDS(found.runs > 0 && found.offset < size);
      runs += found.runs;
    }
  }
  return runs;
}

static void check(const FuzzInput *in) {
  static uint8_t once[OUT_MAX], again[OUT_MAX];
  const size_t size = misread_size;
  uint8_t *text = fuzz_alloc(size);
  memcpy(text, misread, size);
  const size_t n = restore(text, size, once, OUT_MAX);
  const size_t runs = count_runs(text, size, size);
  HOLDS((runs > 0) == (n != size || memcmp(once, text, n) != 0));
  HOLDS(count_runs(text, size, 1 + 7 * in->c) == runs);
  HOLDS(utf8core_valid(once, n));
  HOLDS(restore(text, size, again, room) == n && memcmp(once, again, n) == 0);
  free(text);
  size_t m = n, passes = 0;
  while (count_runs(once, m, m) > 0) { /* lines that were restored in segments */
    m = restore(once, m, again, room);
    memcpy(once, again, m);
    HOLDS(++passes < 2 * FUZZ_TEXT_MAX);
  }
  HOLDS(passes == 0 || size > UTF8_MOJIBAKE_LINE / 2);
}

/* Misreads the text in a charset. */
static void misread_text(Utf8Charset in) {
  static uint8_t text[OUT_MAX];
  const size_t size = misread_size;
  unsigned state = 0;
  memcpy(text, misread, size);
  misread_size = 0;
  for (size_t at = 0; at < size;)
    misread_size += utf8charset_decode_legacy(
        in, &state, text, size, &at, misread + misread_size, OUT_MAX - misread_size);
}

/* Returns the charset with this number. */
static Utf8Charset charset_of(int number) {
  const char *name = utf8mojibake_charset_name(number);
  return utf8core_find_charset(name, strlen(name));
}

static void fuzz_input(const FuzzInput *in) {
  static Utf8MojibakeCharset only;
  int charsets = 0;
  while (utf8mojibake_charset_name(charsets)) charsets++;
  const int a = (int)in->a % (2 * charsets), b = (int)in->b % (2 * charsets);
  charset = NULL;
  if (a < charsets && utf8charset_extends_ascii(charset_of(a))) {
    utf8mojibake_set_charset(&only, utf8charset_high(charset_of(a)));
    charset = &only;
  }
  misread_size = fuzz_well_formed(in, misread);
  if (b < charsets) misread_text(charset_of(b));
  room = fuzz_room(in, UTF8_MOJIBAKE_ROOM);
  fuzz_each_kernel(check, in);
}
