/* fuzz_form.c: normalization and case folding of any bytes, by what holds for each form: how the text
** is cut into calls changes nothing, under any kernel; the result is normalized, and a text is
** normalized if and only if it is its own result. test/formtest.c compares with a second
** definition.
**
** a selects the form, or folding; b the size of the chunks, c the room of the output buffer.
*/
#include "fuzz/fuzz.h"

#define OUT_MAX ((size_t)UTF8_NORMALIZE_MAX(UTF8_NFKC, FUZZ_TEXT_MAX))

static uint8_t whole[OUT_MAX], made[OUT_MAX], again[OUT_MAX];
static size_t whole_size;

/* UTF8_NORMAL_FORMS stands for case folding. */
static Utf8NormalForm form;

static size_t step_once(const uint8_t *text, size_t size, size_t *at, uint8_t *out,
                        size_t room) {
  if (form == UTF8_NORMAL_FORMS) return utf8core_casefold(text, size, at, out, room);
  return utf8core_normalize(form, text, size, at, out, room);
}

/* Converts in calls of `room` bytes; of more where a cluster does not fit. */
static size_t convert(const uint8_t *text, size_t size, size_t room, uint8_t *to) {
  size_t n = 0, given = room;
  for (size_t at = 0; at < size;) {
    const size_t before = at;
    uint8_t *out = fuzz_alloc(given);
    const size_t written = step_once(text, size, &at, out, given);
    HOLDS(written <= given && n + written <= OUT_MAX && at <= size);
    HOLDS(at > before || written == 0);
    memcpy(to + n, out, written);
    free(out);
    n += written;
    given = at > before ? room : 2 * given;
    HOLDS(given <= 4 * OUT_MAX);
  }
  return n;
}

static int is_unchanged(const uint8_t *text, size_t size, size_t chunk) {
  for (size_t at = 0; at < size;) {
    const size_t before = at, until = size - at > chunk ? at + chunk : size;
    if (form == UTF8_NORMAL_FORMS) {
      at = utf8core_find_unfolded(text, size, at, until);
      if (at < until) return 0;
    } else if (!utf8core_is_normalized(form, text, size, &at, until)) {
      return 0;
    }
    HOLDS(at > before && at <= size);
  }
  return 1;
}

static void check(const FuzzInput *in) {
  const size_t made_size =
      convert(in->text, in->size, fuzz_room(in, UTF8_NORMALIZE_ROOM), made);
  HOLDS(made_size == whole_size && memcmp(made, whole, made_size) == 0);
  const int same = made_size == in->size && memcmp(made, in->text, made_size) == 0;
  HOLDS(is_unchanged(in->text, in->size, in->b + 1) == same);
  HOLDS(is_unchanged(in->text, in->size, in->size + 1) == same);
  HOLDS(is_unchanged(made, made_size, in->b + 1));
  HOLDS(convert(made, made_size, OUT_MAX, again) == made_size);
  HOLDS(memcmp(again, made, made_size) == 0);
}

static void fuzz_input(const FuzzInput *in) {
  form = (Utf8NormalForm)(in->a % (UTF8_NORMAL_FORMS + 1));
  whole_size = convert(in->text, in->size, OUT_MAX, whole);
  fuzz_each_kernel(check, in);
}
