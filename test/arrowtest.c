/* arrowtest.c: arrow/: the functions over columns, and arrays that contradict the interface. */
#include "test/arrows.h"
#include "test/ctest.h"

static const ArrowTestValue column[] = {
    BYTES("plain"),
    BYTES("caf\xC3\xA9"),
    {NULL, 0},
    BYTES(""),
    BYTES("caf\xE9, a longer value of a single-byte charset"),
    BYTES("\xEF\xBB\xBF with a mark"),
    BYTES("caf\xC3\x83\xC2\xA9 was misread"),
    BYTES("e\xCC\x81 decomposed, and long enough for a view"),
    BYTES("\xE2\x82"),
    BYTES("\xAC follows it, and \xFF is an error later"),
    BYTES("a\0b"),
    BYTES("&eacute; =C3=A9 %C3%A9 \\u00e9"),
    BYTES("  STRASSE \xE1\xBA\x9E  "),
    BYTES("\xC3\x8A\xC3\xB3\xC3\xA7\xC3\xAD\xC3\xA5\xC3\xB6\xC3\xAE\xC3\xA2"),
    BYTES("\xC3\x82\xC3\xA0\xC3\xB1\xC3\xA8\xC3\xAB\xC3\xBC\xC3\xA5\xC3\xA2"),
    BYTES("\xC3\x91\xC3\xA8\xC3\xA4\xC3\xAE\xC3\xB0\xC3\xAE\xC3\xA2"),
};
enum { ROWS = sizeof column / sizeof *column };

static const char *const formats[] = {"u",   "U",   "vu",   "z",   "Z",   "vz",
                                      "i:u", "i:U", "i:vu", "i:z", "i:Z", "i:vz"};
enum { FORMATS = sizeof formats / sizeof *formats };

/* A function with an argument, or NULL. */
typedef struct Called {
  const char *function, *argument;
} Called;
static const Called called[] = {
    {"valid", NULL},          {"valid", "cesu-8"},
    {"error", NULL},          {"error_offset", NULL},
    {"codepoints", NULL},     {"repair", NULL},
    {"repair", "auto"},       {"repair", "latin1"},
    {"strip_bom", NULL},      {"truncate", "5"},
    {"detect", NULL},         {"cause", NULL},
    {"from", "utf-8"},        {"from", "windows-1252"},
    {"from", "utf-16le"},     {"to", "latin1"},
    {"to", "utf-16"},         {"mojibake", NULL},
    {"demojibake", NULL},     {"demojibake", "latin1"},
    {"suspect", NULL},        {"strip", "nul"},
    {"suspect_offset", NULL}, {"normalize", NULL},
    {"normalize", "nfkd"},    {"normalized", NULL},
    {"casefold", NULL},       {"unaccent", NULL},
    {"unescape", "html"},     {"unescape", "quoted-printable"},
    {"clean", NULL},          {"clean", "repair,quotes,trim"},
    {"from", "binary"},       {"readings", NULL}};
enum { CALLED = sizeof called / sizeof *called };

typedef struct Applied {
  struct ArrowSchema schema, dictionary, result_schema;
  struct ArrowArray array, result;
  Utf8ArrowError error;
} Applied;

static void release_applied(Applied *a) {
  if (a->array.release) a->array.release(&a->array);
  if (a->result.release) a->result.release(&a->result);
  if (a->result_schema.release) a->result_schema.release(&a->result_schema);
  expect_that(!a->array.release && !a->result.release && !a->result_schema.release,
              "release");
}

/* Applies the function to a->array, of this format. Returns the code. */
static int apply(Applied *a, Called call, const char *format, int learns) {
  Utf8Arrow *opened = NULL;
  const Utf8ArrowArgument argument = {UTF8_ARROW_TEXT, call.argument,
                                      call.argument ? strlen(call.argument) : 0};
  arrow_schema(&a->schema, &a->dictionary, format);
  a->result.release = NULL;
  a->result_schema.release = NULL;
  a->error.code = 0;
  int rc = utf8arrow_open(&opened, call.function, &argument, call.argument != NULL,
                          &a->error);
  if (!rc) rc = utf8arrow_begin(opened, &a->schema, 0, &a->result_schema, &a->error);
  if (!rc && learns) rc = utf8arrow_learn(opened, &a->array, 1, &a->error);
  if (!rc) rc = utf8arrow_apply(opened, &a->array, &a->result, &a->error);
  utf8arrow_close(opened);
  return rc;
}

static void apply_to_column(Applied *a, Called call, const char *format, int learns) {
  arrow_build(&a->array, format, column, ROWS);
  expect_that(apply(a, call, format, learns) == 0, a->error.message);
}

static ArrowTestValue answer(const Applied *a, size_t row, char text[ANSWER_MAX]) {
  return arrow_answer(&a->result_schema, &a->result, row, text);
}

static void expect_same(const Applied *a, const Applied *b, size_t rows,
                        const char *what) {
  char a_digits[ANSWER_MAX], b_digits[ANSWER_MAX];
  expect_that(a->result.length == b->result.length, what);
  for (size_t row = 0; row < rows; row++)
    expect(arrow_same(answer(a, row, a_digits), answer(b, row, b_digits)), what,
           column[row].bytes, column[row].size);
}

static void all_types_agree(void) {
  for (size_t i = 0; i < CALLED; i++) {
    for (int learns = 0; learns < 2; learns++) {
      Applied first, other;
      apply_to_column(&first, called[i], "u", learns);
      for (size_t f = 1; f < FORMATS; f++) {
        apply_to_column(&other, called[i], formats[f], learns);
        expect_same(&first, &other, ROWS, called[i].function);
        release_applied(&other);
      }
      release_applied(&first);
    }
  }
}

static void rows_are_alone(void) {
  for (size_t i = 0; i < CALLED; i++) {
    for (size_t f = 0; f < FORMATS; f++) {
      Applied whole, one;
      char digits[2][ANSWER_MAX];
      apply_to_column(&whole, called[i], formats[f], 0);
      for (size_t row = 0; row < ROWS; row++) {
        arrow_build(&one.array, formats[f], &column[row], 1);
        expect_that(apply(&one, called[i], formats[f], 0) == 0, one.error.message);
        expect(arrow_same(answer(&whole, row, digits[0]), answer(&one, 0, digits[1])),
               called[i].function, column[row].bytes, column[row].size);
        release_applied(&one);
      }
      release_applied(&whole);
    }
  }
}

/* Errors are frequent or rare, so that rows are skipped, passed over and visited. */
static void many_rows_are_alone(void) {
  static const Called calls[] = {{"valid", NULL},      {"error_offset", NULL},
                                 {"repair", NULL},     {"mojibake", NULL},
                                 {"demojibake", NULL}, {"demojibake", "latin1"}};
  enum { MANY = 3000, CALLS = sizeof calls / sizeof *calls };
  static ArrowTestValue values[MANY];
  static uint8_t bytes[MANY * ARROW_RANDOM_MAX];
  for (uint32_t i = 0, rarity = 4; i < CALLS * 4; i++, rarity = 4u << 8 * (i % 4)) {
    const Called call = calls[i / 4];
    Applied whole, one;
    char digits[2][ANSWER_MAX];
    arrow_random_values(values, MANY, bytes, random_below, rarity);
    arrow_build(&whole.array, formats[i % 3], values, MANY);
    expect_that(apply(&whole, call, formats[i % 3], 0) == 0, call.function);
    for (size_t row = 0; row < MANY; row++) {
      arrow_build(&one.array, "u", &values[row], 1);
      expect_that(apply(&one, call, "u", 0) == 0, call.function);
      expect(arrow_same(answer(&whole, row, digits[0]), answer(&one, 0, digits[1])),
             call.function, values[row].bytes, values[row].size);
      release_applied(&one);
    }
    release_applied(&whole);
  }
}

/* A short value is restored as it is found, and a long one after it as it is written. */
static void long_values_are_alone(void) {
  enum { LINES = 80 };
  static const char line[] = "caf\xC3\x83\xC2\xA9 was misread\n";
  static const char restored[] = "caf\xC3\xA9 was misread\n";
  enum { SIZE = sizeof line - 1, RESTORED = sizeof restored - 1 };
  uint8_t bytes[LINES * SIZE], expected[LINES * RESTORED];
  for (size_t i = 0; i < LINES; i++) {
    memcpy(bytes + i * SIZE, line, SIZE);
    memcpy(expected + i * RESTORED, restored, RESTORED);
  }
  const ArrowTestValue values[] = {{bytes, SIZE}, {bytes, sizeof bytes}};
  for (size_t f = 0; f < FORMATS; f++) {
    Applied a;
    char text[ANSWER_MAX];
    arrow_build(&a.array, formats[f], values, 2);
    expect_that(apply(&a, (Called){"demojibake", NULL}, formats[f], 0) == 0,
                a.error.message);
    expect_that(arrow_same(answer(&a, 0, text), (ArrowTestValue){expected, RESTORED}),
                "a short value");
    expect_that(
        arrow_same(answer(&a, 1, text), (ArrowTestValue){expected, sizeof expected}),
        "a long value");
    release_applied(&a);
  }
}

static void slices_agree(void) {
  for (size_t i = 0; i < CALLED; i++) {
    for (size_t f = 0; f < FORMATS; f++) {
      for (size_t from = 0; from < ROWS; from += 3) {
        Applied slice, copy;
        arrow_build(&slice.array, formats[f], column, ROWS);
        slice.array.offset = (int64_t)from;
        slice.array.length = (int64_t)(ROWS - from);
        slice.array.null_count = -1;
        arrow_build(&copy.array, formats[f], column + from, ROWS - from);
        expect_that(apply(&slice, called[i], formats[f], 1) == 0, slice.error.message);
        expect_that(apply(&copy, called[i], formats[f], 1) == 0, copy.error.message);
        expect_same(&slice, &copy, ROWS - from, called[i].function);
        release_applied(&slice);
        release_applied(&copy);
      }
    }
  }
}

static const char *text_answer(Applied *a, size_t row) {
  static char text[ANSWER_MAX];
  const ArrowTestValue value = answer(a, row, text);
  if (!value.bytes) return "NULL";
  if ((const char *)value.bytes != text) memcpy(text, value.bytes, value.size);
  text[value.size] = 0;
  return text;
}

static void known_answers(void) {
  static const struct {
    Called call;
    size_t row;
    const char *answer;
  } known[] = {
      {{"valid", NULL}, 4, "0"},
      {{"valid", NULL}, 2, "NULL"},
      {{"valid", NULL}, 9, "0"}, /* with the value before, it is well-formed */
      {{"error", NULL}, 8, "truncated"},
      {{"error_offset", NULL}, 4, "3"},
      {{"repair", NULL}, 8, "\xEF\xBF\xBD"},
      {{"strip_bom", NULL}, 5, " with a mark"},
      {{"truncate", "4"}, 1, "caf"},
      {{"from", "binary"}, 0, "NULL"},
      {{"to", "latin1"}, 1, "caf\xE9"},
      {{"mojibake", NULL}, 6, "windows-1252"},
      {{"demojibake", NULL}, 6, "caf\xC3\xA9 was misread"},
      {{"strip", "nul"}, 10, "ab"},
      {{"clean", "repair,trim"}, 12, "STRASSE \xE1\xBA\x9E"},
      {{"unescape", "quoted-printable"}, 11, "&eacute; \xC3\xA9 %C3%A9 \\u00e9"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    Applied a;
    apply_to_column(&a, known[i].call, "u", 0);
    expect(strcmp(text_answer(&a, known[i].row), known[i].answer) == 0,
           known[i].call.function, column[known[i].row].bytes,
           column[known[i].row].size);
    release_applied(&a);
  }
}

/* What a charset lacks is written as the third argument of utf8_to says. */
static void known_losses(void) {
  static const ArrowTestValue lost[] = {BYTES("≠ αυ")};
  static const char *const known[][2] = {{"closest", "!= au"},
                                         {"xml", "&#8800; &#945;&#965;"},
                                         {"ignore", " "},
                                         {"replace", "? ??"}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    Applied a = {.error.code = 0};
    Utf8Arrow *opened;
    const Utf8ArrowArgument arguments[] = {
        {UTF8_ARROW_TEXT, "latin1", 6},
        {UTF8_ARROW_TEXT, known[i][0], strlen(known[i][0])}};
    arrow_schema(&a.schema, &a.dictionary, "u");
    arrow_build(&a.array, "u", lost, 1);
    expect_that(!utf8arrow_open(&opened, "to", arguments, 2, &a.error), "open");
    expect_that(!utf8arrow_begin(opened, &a.schema, 0, &a.result_schema, &a.error),
                "begin");
    expect_that(!utf8arrow_apply(opened, &a.array, &a.result, &a.error), "apply");
    expect_that(strcmp(text_answer(&a, 0), known[i][1]) == 0, known[i][0]);
    utf8arrow_close(opened);
    release_applied(&a);
  }
}

/* The readings of a value are the likeliest first, and add up to at most 1. */
static void known_readings(void) {
  Applied a;
  apply_to_column(&a, (Called){"readings", NULL}, "u", 0);
  const struct ArrowArray *item = a.result.children[0], *text = item->children[0],
                          *cause = item->children[1];
  const int32_t *ends = a.result.buffers[1];
  const double *probabilities = item->children[4]->buffers[1];
  const struct ArrowSchema *fields = a.result_schema.children[0]->children[0];
  const ArrowTestValue itself = arrow_value(fields, text, (size_t)ends[1]);
  expect_that(ends[1] == 1 && ends[2] == 2 && arrow_same(itself, column[1]), "itself");
  expect_that(!arrow_has(cause, 1) && probabilities[1] >= 1, "nothing happened");
  expect_that(!arrow_has(&a.result, 2) && ends[3] == ends[2], "null");
  const ArrowTestValue read = arrow_value(fields, text, (size_t)ends[4]);
  expect(read.size > 5 && memcmp(read.bytes, "caf\xC3\xA9", 5) == 0, "the likeliest",
         read.bytes, read.size);
  double sum = 0;
  for (int32_t i = ends[4]; i < ends[5]; i++) {
    sum += probabilities[i];
    expect_that(i == ends[4] || probabilities[i] <= probabilities[i - 1], "order");
  }
  expect_that(sum > 0.99 && sum <= 1, "the sum");
  release_applied(&a);
}

static void unchanged_is_moved(void) {
  /* The last one looks misread: only whoever restores it sees that it is not. */
  static const ArrowTestValue clean[] = {
      BYTES("caf\xC3\xA9"), {NULL, 0}, BYTES("plain"), BYTES("за–інтэграванае")};
  static const Called unchanged[] = {{"repair", NULL},     {"repair", "auto"},
                                     {"validate", NULL},   {"strip_bom", NULL},
                                     {"normalize", NULL},  {"casefold", NULL},
                                     {"demojibake", NULL}, {"clean", NULL},
                                     {"from", "utf-8"},    {"unescape", "html"}};
  for (size_t i = 0; i < sizeof unchanged / sizeof *unchanged; i++) {
    for (size_t f = 0; f < FORMATS; f++) {
      Applied a;
      arrow_build(&a.array, formats[f], clean, 4);
      const struct ArrowArray before = a.array;
      expect_that(apply(&a, unchanged[i], formats[f], 1) == 0, a.error.message);
      expect_that(a.array.release == NULL &&
                      memcmp(&before, &a.result, sizeof before) == 0,
                  unchanged[i].function);
      release_applied(&a);
    }
  }
}

static void empty_columns(void) {
  for (size_t i = 0; i < CALLED; i++) {
    for (size_t f = 0; f < FORMATS; f++) {
      Applied a;
      arrow_build(&a.array, formats[f], column, 0);
      expect_that(apply(&a, called[i], formats[f], 1) == 0, a.error.message);
      expect_that(a.result.length == 0, called[i].function);
      release_applied(&a);
    }
  }
}

/* ---- hostile arrays ------------------------------------------------------------------------------------- */

/* What contradicts the interface: another value of a member, or of a number of 32 bits in the second buffer; or a
** buffer or a dictionary that is not there. */
typedef struct Break {
  enum {
    LENGTH,
    OFFSET,
    BUFFERS,
    CHILDREN,
    NULLS,
    ITEM,
    ALL_ITEMS,
    NO_BUFFER,
    NO_BUFFERS,
    NO_DICTIONARY
  } what;
  int at; /* which number or buffer */
  int64_t value;
} Break;
static const Break for_all[] = {{LENGTH, 0, -1},      {LENGTH, 0, INT64_MAX},
                                {OFFSET, 0, -1},      {OFFSET, 0, INT64_MAX - 3},
                                {NO_BUFFERS, 0, 0},   {BUFFERS, 0, 1},
                                {CHILDREN, 0, 1},     {NULLS, 0, -2},
                                {NULLS, 0, ROWS + 1}, {NULLS, 0, 2},
                                {NO_BUFFER, 1, 0},    {NO_BUFFER, 0, 0}};
static const Break for_offsets[] = {
    {ITEM, 4, 3}, {ITEM, 0, -1}, {ALL_ITEMS, 0, -1}, {NO_BUFFER, 2, 0}};
/* The fifth value has a long view: four numbers, its size, start, buffer and offset. */
static const Break for_views[] = {
    {ITEM, 16, INT32_MAX}, {ITEM, 16, -1}, {ITEM, 18, 1},     {ITEM, 18, -1},
    {ITEM, 19, INT32_MAX}, {ITEM, 19, -1}, {NO_BUFFER, 3, 0}, {NO_BUFFER, 2, 0}};
static const Break for_dictionaries[] = {
    {ITEM, 3, ROWS}, {ITEM, 3, -1}, {NO_DICTIONARY, 0, 0}};

static void break_array(struct ArrowArray *a, const Break *b) {
  ArrowTestOwned *owned = a->private_data;
  int64_t *const members[] = {&a->length, &a->offset, &a->n_buffers, &a->n_children,
                              &a->null_count};
  const int is_all = b->what == ALL_ITEMS, last = is_all ? ROWS : b->at;
  if (b->what <= NULLS) *members[b->what] = b->value;
  for (int i = b->at; (is_all || b->what == ITEM) && i <= last; i++)
    ((int32_t *)owned->buffers[1])[i] = (int32_t)b->value;
  if (b->what == NO_BUFFERS) a->buffers = NULL;
  if (b->what == NO_DICTIONARY) a->dictionary = NULL;
  if (b->what != NO_BUFFER) return;
  free(owned->buffers[b->at]);
  owned->buffers[b->at] = NULL;
}

/* Each of these is an error, and the array is left to its owner. */
static void expect_broken(const char *format, const Break *breaks, size_t count) {
  static const Called calls[] = {{"valid", NULL}, {"repair", "auto"}, {"cause", NULL}};
  for (size_t i = 0; i < count; i++) {
    for (size_t c = 0; c < 3; c++) {
      Applied a;
      arrow_build(&a.array, format, column, ROWS);
      break_array(&a.array, &breaks[i]);
      expect(apply(&a, calls[c], format, 0) == UTF8_ARROW_ARRAY, format,
             (const uint8_t *)&i, 1);
      expect_that(strncmp(a.error.message, "the Arrow array is broken: ", 27) == 0,
                  a.error.message);
      expect_that(a.array.release && !a.result.release, "who owns it");
      release_applied(&a);
    }
  }
}
#define EXPECT_BROKEN(format, breaks)                                                  \
  expect_broken(format, breaks, sizeof(breaks) / sizeof *(breaks))

static void broken_arrays(void) {
  for (size_t f = 0; f < FORMATS; f++) EXPECT_BROKEN(formats[f], for_all);
  EXPECT_BROKEN("u", for_offsets);
  EXPECT_BROKEN("vu", for_views);
  EXPECT_BROKEN("i:u", for_dictionaries);
}

static void released_arrays(void) {
  Applied a;
  memset(&a, 0, sizeof a);
  expect_that(apply(&a, called[0], "u", 0) == UTF8_ARROW_ARRAY, "released");
  expect_that(strstr(a.error.message, "it was released") != NULL, a.error.message);
  if (a.result_schema.release) a.result_schema.release(&a.result_schema);
}

static void other_types(void) {
  static const char *const others[] = {"l",  "+s",      "nn", "tdD", "",
                                       "uu", "d:19,10", "+r", "+vl", "+w:3"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    Applied a;
    memset(&a, 0, sizeof a);
    expect_that(apply(&a, called[0], others[i], 0) == UTF8_ARROW_TYPE, others[i]);
    expect_that(strncmp(a.error.message,
                        "utf8_valid: argument 1 (X) has the Arrow type ", 46) == 0,
                a.error.message);
  }
}

static int is_all_null(const struct ArrowArray *array) {
  const uint8_t *bits = array->n_buffers ? array->buffers[0] : NULL;
  if (!bits) return array->length == 0;
  for (int64_t i = 0; i < array->length; i++)
    if (bits[i / 8] >> i % 8 & 1) return 0;
  return 1;
}

/* The type null has no buffers. Its answers are those of strings. */
static void null_columns(void) {
  static const size_t counts[] = {0, 1, 9, 70};
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
    for (size_t i = 0; i < CALLED; i++) {
      Applied a;
      memset(&a, 0, sizeof a);
      arrow_build(&a.array, "n", NULL, counts[n]);
      expect_that(apply(&a, called[i], "n", 1) == 0, called[i].function);
      expect_that(a.result.length == a.array.length && is_all_null(&a.result),
                  called[i].function);
      release_applied(&a);
    }
  }
  Applied a;
  memset(&a, 0, sizeof a);
  arrow_build(&a.array, "n", NULL, 1);
  a.array.offset = -1;
  expect_that(apply(&a, called[0], "n", 0) == UTF8_ARROW_ARRAY, "its offset");
  a.result_schema.release(&a.result_schema);
  a.array.offset = 0;
  a.array.n_children = 1;
  expect_that(apply(&a, called[0], "n", 1) == UTF8_ARROW_ARRAY, "it has children");
  release_applied(&a);
}

static void wrong_arguments(void) {
  static const Called wrong[] = {
      {"valid", "utf-9"},    {"repair", "utf-16le"}, {"truncate", "-1"},
      {"from", "utf9"},      {"to", NULL},           {"strip", "bom"},
      {"normalize", "nfx"},  {"unescape", "x"},      {"clean", "x"},
      {"demojibake", "gbk"}, {"codepoints", "x"},    {"nothing", NULL}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    Applied a;
    memset(&a, 0, sizeof a);
    expect_that(apply(&a, wrong[i], "u", 0) == UTF8_ARROW_ARGUMENT, wrong[i].function);
    expect_that(a.error.message[0] != 0, wrong[i].function);
  }
}

/* A function without an answer for each row cannot be applied to a chunk, and no other one audits. */
static void wrong_calls(void) {
  static const Called whole[] = {{"audit", NULL}, {"detect_column", NULL}};
  struct ArrowSchema type;
  struct ArrowArray chunk;
  Utf8ArrowError error;
  Utf8Arrow *opened;
  for (size_t i = 0; i < 2; i++) {
    Applied a;
    arrow_build(&a.array, "u", column, ROWS);
    expect_that(apply(&a, whole[i], "u", 1) == UTF8_ARROW_ARGUMENT, whole[i].function);
    expect_that(a.array.release && !a.result.release, "the chunk is not moved");
    release_applied(&a);
  }
  arrow_schema(&type, NULL, "u");
  arrow_build(&chunk, "u", column, ROWS);
  expect_that(!utf8arrow_open(&opened, "valid", NULL, 0, &error), "open");
  struct ArrowSchema result;
  expect_that(!utf8arrow_begin(opened, &type, 0, &result, &error), "begin");
  expect_that(utf8arrow_audit(opened, &chunk, &error) == UTF8_ARROW_ARGUMENT, "audit");
  result.release(&result);
  chunk.release(&chunk);
  utf8arrow_close(opened);
}

static void validate_fails(void) {
  Applied a;
  arrow_build(&a.array, "u", column, ROWS);
  expect_that(apply(&a, (Called){"validate", "t.c"}, "u", 0) == UTF8_ARROW_INVALID,
              "validate");
  expect_that(strcmp(a.error.message, "t.c: incomplete at byte 3") == 0,
              a.error.message);
  release_applied(&a);
}

/* ---- sharing --------------------------------------------------------------------------------------------- */

/* Shares the answers of a function twice, and releases the column before what was shared. */
static void expect_shared(Called call, const char *format) {
  Applied a, by_stream, by_chunk;
  struct ArrowArrayStream stream;
  struct ArrowArray end;
  Utf8ArrowColumn *shared;
  apply_to_column(&a, call, format, 0);
  expect_that(!utf8arrow_column(&shared, &a.result_schema, &a.result, 1, &a.error),
              "column");
  expect_that(!utf8arrow_share_stream(shared, &stream), "stream");
  expect_that(!utf8arrow_share_chunk(shared, 0, &by_chunk.result), "chunk");
  expect_that(!utf8arrow_share_schema(shared, &by_chunk.result_schema), "schema");
  utf8arrow_release_column(shared);
  expect_that(!stream.get_schema(&stream, &by_stream.result_schema), "schema");
  expect_that(!stream.get_next(&stream, &by_stream.result), "next");
  expect_that(!stream.get_next(&stream, &end) && !end.release, "end");
  stream.release(&stream);
  expect_same(&by_stream, &by_chunk, ROWS, call.function);
  by_stream.array.release = by_chunk.array.release = NULL;
  release_applied(&by_stream);
  release_applied(&by_chunk);
  release_applied(&a);
}

static void columns_are_shared(void) {
  for (size_t f = 0; f < FORMATS; f++) {
    expect_shared((Called){"repair", NULL}, formats[f]);
    expect_shared((Called){"readings", NULL}, formats[f]);
  }
}

/* There is no memory for as many children as the array claims to have. */
static void sharing_fails(void) {
  Applied a;
  struct ArrowArray chunk, part;
  Utf8ArrowColumn *shared;
  apply_to_column(&a, (Called){"repair", NULL}, "u", 0);
  arrow_build(&chunk, "u", column, ROWS);
  chunk.n_children = INT64_MAX;
  expect_that(!utf8arrow_column(&shared, &a.result_schema, &chunk, 1, &a.error),
              "column");
  expect_that(utf8arrow_share_chunk(shared, 0, &part) == UTF8_ARROW_NO_MEMORY,
              "no memory");
  expect_that(!part.release, "nothing is shared");
  const int live = arrow_live;
  utf8arrow_release_column(shared);
  expect_that(arrow_live == live - 1, "the column is released");
  release_applied(&a);
}

/* ---- columns ---------------------------------------------------------------------------------------------- */

static void detects_columns(void) {
  static const ArrowTestValue towns[] = {BYTES("\xCC\xEE\xF1\xEA\xE2\xE0"),
                                         {NULL, 0},
                                         BYTES("\xCF\xF1\xEA\xEE\xE2"),
                                         BYTES("\xD2\xE2\xE5\xF0\xFC")};
  for (size_t f = 0; f < FORMATS; f++) {
    Utf8Arrow *opened;
    Utf8ArrowError error;
    struct ArrowSchema schema, dictionary, result;
    struct ArrowArray chunks[2];
    arrow_schema(&schema, &dictionary, formats[f]);
    arrow_build(&chunks[0], formats[f], towns, 2);
    arrow_build(&chunks[1], formats[f], towns + 2, 2);
    expect_that(!utf8arrow_open(&opened, "detect_column", NULL, 0, &error), "open");
    expect_that(!utf8arrow_begin(opened, &schema, 0, &result, &error), "begin");
    expect_that(utf8arrow_detected(opened) == NULL, "no value");
    expect_that(!utf8arrow_learn(opened, chunks, 2, &error), "learn");
    expect_that(strcmp(utf8arrow_detected(opened), "windows-1251") == 0, "name");
    utf8arrow_close(opened);
    result.release(&result);
    chunks[0].release(&chunks[0]);
    chunks[1].release(&chunks[1]);
  }
}

static void audits_columns(void) {
  for (size_t f = 0; f < FORMATS; f++) {
    Utf8Arrow *opened;
    Utf8ArrowError error;
    struct ArrowSchema schema, dictionary, result;
    struct ArrowArray chunk;
    int64_t values = 0;
    size_t i = 0;
    arrow_schema(&schema, &dictionary, formats[f]);
    arrow_build(&chunk, formats[f], column, ROWS);
    expect_that(!utf8arrow_open(&opened, "audit", NULL, 0, &error), "open");
    expect_that(!utf8arrow_begin(opened, &schema, 0, &result, &error), "begin");
    expect_that(!utf8arrow_learn(opened, &chunk, 1, &error), "learn");
    expect_that(!utf8arrow_audit(opened, &chunk, &error), "audit");
    expect_that(!utf8arrow_audit(opened, &chunk, &error), "audit again");
    for (const Utf8ArrowFound *found; (found = utf8arrow_found(opened, i)); i++) {
      values += found->values;
      expect_that(found->values % 2 == 0 && found->examples[0] < ROWS, found->cause);
    }
    expect_that(values == 2 * 7, "seven values are wrong");
    utf8arrow_close(opened);
    result.release(&result);
    chunk.release(&chunk);
  }
}

TEST_OF(nothing_leaks, expect_that(arrow_live == 0, "arrays that are not released"))

static const Test tests[] = {
    {"all types of text have the same answers", all_types_agree},
    {"a value has the answer that it has alone", rows_are_alone},
    {"many values have the answers that they have alone", many_rows_are_alone},
    {"long values have the answers that they have alone", long_values_are_alone},
    {"a slice has the answers of a copy", slices_agree},
    {"known answers", known_answers},
    {"known losses", known_losses},
    {"readings are sorted and add up", known_readings},
    {"a column that needs no change is moved", unchanged_is_moved},
    {"a column without rows", empty_columns},
    {"an array that contradicts the interface is an error", broken_arrays},
    {"a released array is an error", released_arrays},
    {"another type is an error", other_types},
    {"a column of the type null", null_columns},
    {"an argument that is not accepted is an error", wrong_arguments},
    {"a call that the function does not have is an error", wrong_calls},
    {"validate names the error", validate_fails},
    {"a column is shared by its consumers", columns_are_shared},
    {"a column is released after memory ran out", sharing_fails},
    {"the charset of a column", detects_columns},
    {"an audit counts groups", audits_columns},
    {"every array is released", nothing_leaks},
};

int main(void) {
  return run_tests(tests, sizeof tests / sizeof *tests);
}
