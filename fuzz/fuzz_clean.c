/* fuzz_clean.c: utf8form_clean() and utf8form_unescape_...(), by what holds for any text (fuzz.h): a
** step changes a text exactly if utf8form_clean_find() finds a place, and only if
** utf8form_clean_needed() names the step; the result is well-formed and independent of the calls.
**
** a selects the step, b the length of the chunks that are searched, c the room of the output buffer. The
** text is made well-formed. Steps that have functions of their own stand for unescaping and trimming: NFC for
** quoted-printable, NFKC for encoded words, the others for HTML.
*/
#include "fuzz/fuzz.h"
#include "core/utf8form.h"

/* A byte of an ill-formed text becomes U+FFFD, and each of its bytes three in an encoded word: in windows-874, say. */
#define TEXT_MADE_MAX ((size_t)3 * FUZZ_TEXT_MAX)
#define OUT_MAX       (3 * TEXT_MADE_MAX)

static Utf8CleanStep cleaning;
static size_t room;
static uint8_t text_made[TEXT_MADE_MAX];
static size_t size_made;

static int is_step(Utf8CleanStep s) {
  return s != UTF8_CLEAN_REPAIR && s != UTF8_CLEAN_MOJIBAKE && s != UTF8_CLEAN_NFC &&
         s != UTF8_CLEAN_NFKC && s != UTF8_CLEAN_TRIM;
}

static size_t apply(Utf8Mime *mime, const uint8_t *text, size_t size, size_t *at,
                    uint8_t *out, size_t out_room) {
  if (is_step(cleaning)) return utf8form_clean(cleaning, text, size, at, out, out_room);
  if (cleaning == UTF8_CLEAN_NFC)
    return utf8form_unescape_quoted(text, size, at, out, out_room);
  if (cleaning == UTF8_CLEAN_NFKC)
    return utf8form_unescape_mime(mime, text, size, at, out, out_room);
  return utf8form_unescape_html(text, size, at, out, out_room);
}

/* Applies the step with buffers of this size. Returns the size of the result. */
static size_t clean(const uint8_t *text, size_t size, uint8_t *to, size_t out_room) {
  uint8_t *out = fuzz_alloc(out_room);
  size_t at = 0, n = 0, calls = 0;
  Utf8Mime mime = {0};
  while (at < size) {
    const size_t written = apply(&mime, text, size, &at, out, out_room);
    HOLDS(written <= out_room && n + written <= OUT_MAX);
    HOLDS(at <= size && ++calls <= 8 * size);
    memcpy(to + n, out, written);
    n += written;
  }
  free(out);
  return n;
}

static size_t find(const uint8_t *text, size_t size, size_t chunk) {
  for (size_t at = 0; at < size;) {
    const size_t until = size - at > chunk ? at + chunk : size;
    at = utf8form_clean_find(cleaning, text, size, at, until);
    if (at < until) return at;
  }
  return size;
}

static unsigned needed(const uint8_t *text, size_t size, size_t chunk) {
  unsigned steps = 0;
  for (size_t at = 0; at < size; at += chunk) {
    const size_t n = size - at > chunk ? chunk : size - at;
    steps |= utf8form_clean_needed(UTF8_CLEAN_BIT(cleaning), text + at, n);
  }
  return steps;
}

static void check_search(const uint8_t *text, size_t size, int changed, size_t chunk) {
  const size_t at = find(text, size, size);
  const unsigned steps = needed(text, size, size);
  HOLDS((at < size) == changed);
  HOLDS(find(text, size, chunk) == at);
  HOLDS(!changed || (steps & UTF8_CLEAN_BIT(cleaning)));
  HOLDS((steps & ~needed(text, size, chunk)) == 0);
}

static void check_trim(const uint8_t *text, size_t size) {
  size_t from, end;
  utf8form_trim(text, size, &from, &end);
  HOLDS(from <= end && end <= size);
  HOLDS(utf8core_valid(text + from, end - from));
}

static void check(const FuzzInput *in) {
  static uint8_t once[OUT_MAX], again[OUT_MAX];
  const size_t size = size_made;
  uint8_t *text = fuzz_alloc(size);
  memcpy(text, text_made, size);
  const size_t n = clean(text, size, once, OUT_MAX);
  HOLDS(cleaning == UTF8_CLEAN_NFC || utf8core_valid(once, n));
  HOLDS(clean(text, size, again, room) == n && memcmp(once, again, n) == 0);
  const int changed = n != size || memcmp(once, text, n) != 0;
  if (is_step(cleaning)) check_search(text, size, changed, 1 + in->b);
  check_trim(text, size);
  free(text);
}

static void fuzz_input(const FuzzInput *in) {
  cleaning = (Utf8CleanStep)(in->a % UTF8_CLEAN_STEPS);
  size_made = fuzz_well_formed(in, text_made);
  room = fuzz_room(in, UTF8_FORM_ROOM);
  fuzz_each_kernel(check, in);
}
