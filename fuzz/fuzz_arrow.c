/* fuzz_arrow.c: arrow/, by what holds for any values and any array: all types of text have the same answers;
** results obey the interface; an array that contradicts it is an error, and nothing outside of its buffers is
** read, as far as the interface says how large they are. See fuzz.h.
**
** a chooses the function, b the type and how long values are, c what is changed in the array.
*/
#include "fuzz/fuzz.h"
#include "test/arrows.h"

static const struct {
  const char *function, *argument;
} calls[] = {{"valid", NULL},          {"valid", "wtf-8"},     {"valid", "mutf-8"},
             {"error", NULL},          {"error_offset", NULL}, {"codepoints", NULL},
             {"repair", "run"},        {"repair", "auto"},     {"repair", "koi8-r"},
             {"strip_bom", NULL},      {"truncate", "7"},      {"detect", NULL},
             {"cause", NULL},          {"from", "gbk"},        {"from", "utf-8"},
             {"from", "windows-1252"}, {"from", "utf-16"},     {"to", "shift_jis"},
             {"to", "utf-16"},         {"mojibake", NULL},     {"demojibake", NULL},
             {"demojibake", "latin1"}, {"suspect", NULL},      {"suspect_offset", NULL},
             {"strip", "invisible"},   {"normalize", "nfc"},   {"normalize", "nfkd"},
             {"normalized", "nfd"},    {"casefold", NULL},     {"unaccent", NULL},
             {"unescape", "html"},     {"unescape", "mime"},   {"clean", NULL},
             {"clean", "ftfy"},        {"validate", NULL},     {"readings", NULL}};
enum { CALLS = sizeof calls / sizeof *calls };
#define VALUES_MAX 4096
static ArrowTestValue values[VALUES_MAX];
static size_t count;

/* How many values: a function that reads each ill-formed one in all charsets gets few. */
static size_t values_max(const FuzzInput *in) {
  const char *function = calls[in->a % CALLS].function;
  const int is_slow = !strcmp(function, "readings") || !strcmp(function, "cause");
  return is_slow ? 16 : VALUES_MAX;
}

/* Cuts the text into values of different lengths, some of them null. */
static void cut_values(const FuzzInput *in) {
  const size_t most = values_max(in);
  count = 0;
  for (size_t at = 0; count < most && at < in->size;) {
    size_t size = (in->b + 7 * count) % 29;
    if (size > in->size - at) size = in->size - at;
    const int is_null = (in->b ^ count) % 11 == 10;
    values[count++] = (ArrowTestValue){is_null ? NULL : in->text + at, size};
    at += size ? size : 1;
  }
}

static const char *const formats[] = {"u", "U", "vu", "i:u", "i:vu"};
enum { FORMATS = sizeof formats / sizeof *formats };

/* An applied function. */
typedef struct Applied {
  struct ArrowSchema schema, dictionary, result_schema;
  struct ArrowArray array, result;
  Utf8ArrowError error;
} Applied;

static int apply(const FuzzInput *in, Applied *a, const char *format) {
  Utf8Arrow *opened;
  const char *argument = calls[in->a % CALLS].argument;
  const Utf8ArrowArgument given = {UTF8_ARROW_TEXT, argument,
                                   argument ? strlen(argument) : 0};
  arrow_schema(&a->schema, &a->dictionary, format);
  HOLDS(!utf8arrow_open(&opened, calls[in->a % CALLS].function, &given,
                        argument != NULL, &a->error));
  HOLDS(!utf8arrow_begin(opened, &a->schema, 0, &a->result_schema, &a->error));
  int rc = in->b & 1 ? utf8arrow_learn(opened, &a->array, 1, &a->error) : 0;
  if (!rc) rc = utf8arrow_apply(opened, &a->array, &a->result, &a->error);
  utf8arrow_close(opened);
  return rc;
}

static void release(Applied *a) {
  if (a->array.release) a->array.release(&a->array);
  if (a->result.release) a->result.release(&a->result);
  if (a->result_schema.release) a->result_schema.release(&a->result_schema);
}

/* Reads every byte of the answers, so that a sanitizer sees them, and returns their sum. */
static uint64_t sum_of(const Applied *a) {
  const struct ArrowArray *result = &a->result;
  const char format = a->result_schema.format[0];
  uint64_t sum = 0;
  for (size_t row = 0; row < (size_t)result->length; row++) {
    sum = 31 * sum + 1;
    if (!arrow_has(result, row)) continue;
    const size_t at = (size_t)result->offset + row;
    if (format == 'b') {
      sum += 2 + (((const uint8_t *)result->buffers[1])[at / 8] >> at % 8 & 1);
    } else if (format == '+') {
      static uint8_t list[1 << 16];
      const size_t size =
          arrow_write_list(&a->result_schema, result, row, list, sizeof list);
      for (size_t i = 0; i < size; i++) sum = 31 * sum + list[i];
    } else if (format == 'l') {
      sum += 2 + ((const uint64_t *)result->buffers[1])[at];
    } else {
      const ArrowTestValue value = arrow_value(&a->result_schema, result, row);
      if (!value.bytes) continue; /* a null entry of a dictionary */
      sum += 2 + value.size;
      for (size_t i = 0; i < value.size; i++) sum = 31 * sum + value.bytes[i];
    }
  }
  return sum;
}

/* ---- the same answers ------------------------------------------------------------------------------------- */

static void check_types(const FuzzInput *in) {
  uint64_t first = 0;
  int first_rc = 0;
  for (size_t f = 0; f < FORMATS; f++) {
    Applied a = {.error = {.code = 0}};
    arrow_build(&a.array, formats[f], values, count);
    const int rc = apply(in, &a, formats[f]);
    HOLDS(rc == 0 || rc == UTF8_ARROW_INVALID);
    const uint64_t sum = rc ? 0 : sum_of(&a);
    if (f == 0) first = sum, first_rc = rc;
    HOLDS(sum == first && rc == first_rc);
    release(&a);
  }
}

/* ---- arrays that contradict the interface ------------------------------------------------------------------ */

/* Of an array without views, the last offset says how large the data is. */
static int is_inside(const struct ArrowArray *array, const char *format, size_t size) {
  if (format[0] == 'i') return is_inside(array->dictionary, format + 2, size);
  if (format[0] == 'v') return 1;
  const int32_t *narrow = array->buffers[1];
  const int64_t *wide = array->buffers[1];
  const int64_t last = format[0] == 'u' ? narrow[count] : wide[count];
  return last <= (int64_t)size;
}

static size_t data_size(void) {
  size_t size = 0;
  for (size_t i = 0; i < count; i++) size += values[i].bytes ? values[i].size : 0;
  return size;
}

/* Returns how large the offsets, indices or views are. */
static size_t item_bytes(const char *format) {
  if (format[0] == 'v') return 16 * count;
  if (format[0] == 'i') return 4 * count;
  return (count + 1) * (format[0] == 'u' ? 4 : 8);
}

static void check_broken(const FuzzInput *in) {
  const char *format = formats[in->c % FORMATS];
  Applied a = {.error = {.code = 0}};
  arrow_build(&a.array, format, values, count);
  struct ArrowArray *broken =
      in->c & 64 && a.array.dictionary ? a.array.dictionary : &a.array;
  const char *layout = broken == &a.array ? format : format + 2;
  ArrowTestOwned *owned = broken->private_data;
  const size_t size = item_bytes(layout),
               at = size ? (in->a * 97 + in->b * 13) % size : 0;
  uint8_t *items = owned->buffers[1];
  if (size) items[at] ^= (uint8_t)(in->c | 1);
  if (in->c & 128) broken->null_count += (int64_t)in->b - 128;
  if (in->size > 2 && in->text[0] == '-') broken->length = -(int64_t)in->text[1];
  if (is_inside(&a.array, format, data_size()) && !apply(in, &a, format)) sum_of(&a);
  release(&a);
}

static void fuzz_input(const FuzzInput *in) {
  cut_values(in);
  fuzz_each_kernel(check_types, in);
  check_broken(in);
  HOLDS(arrow_live == 0);
}
