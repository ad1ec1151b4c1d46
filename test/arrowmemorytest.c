/* arrowmemorytest.c: arrow/ when memory runs out: in turn, each allocation of a call fails, alone and with all after it.
**
** The program is linked so that malloc(), calloc(), realloc() and free() of arrow/ are those below (test/suites.mk).
*/
#include "test/arrows.h"
#include "test/ctest.h"

/* ---- memory ---------------------------------------------------------------------------------------------- */

/* volatile: a compiler knows that malloc() changes none of these. */
static volatile long memory_left = -1; /* allocations until one fails; -1: none fails */
static volatile int memory_stays_out;  /* all later ones fail, too */
static volatile long memory_failed;    /* how many failed */
static volatile long memory_live;      /* blocks that are not freed */

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *block);

static int memory_is_out(void) {
  if (memory_left != 0) {
    memory_left -= memory_left > 0;
    return 0;
  }
  if (!memory_stays_out) memory_left = -1;
  memory_failed++;
  return 1;
}

static void *counted(void *block) {
  memory_live += block != NULL;
  return block;
}

void *__wrap_malloc(size_t size) {
  return memory_is_out() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size) {
  return memory_is_out() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size) {
  if (memory_is_out()) return NULL;
  void *block = __real_realloc(old, size);
  memory_live += block && !old;
  return block;
}

void __wrap_free(void *block) {
  memory_live -= block != NULL;
  __real_free(block);
}

/* Runs a call until none of its allocations fails. The call returns a Utf8ArrowCode, and frees all. */
static void each_allocation_fails(int call(void *), void *state, const char *what) {
  for (memory_stays_out = 0; memory_stays_out < 2; memory_stays_out++) {
    const long live = memory_live;
    for (long n = 0;; n++) {
      memory_left = n;
      memory_failed = 0;
      const int code = call(state);
      memory_left = -1;
      expect_that(memory_live == live, what);
      expect_that(code == (memory_failed ? UTF8_ARROW_NO_MEMORY : UTF8_ARROW_OK), what);
      if (!memory_failed) break;
    }
  }
}

/* ---- columns --------------------------------------------------------------------------------------------- */

static const ArrowTestValue column[] = {
    BYTES("plain"),
    {NULL, 0},
    BYTES("caf\xE9, a longer value of a single-byte charset"),
    BYTES("caf\xC3\x83\xC2\xA9 was misread"),
    BYTES("e\xCC\x81 decomposed, and long enough for a view"),
    BYTES("&eacute; =C3=A9 %C3%A9 \\u00e9"),
    BYTES("\xC3\x8A\xC3\xB3\xC3\xA7\xC3\xAD\xC3\xA5\xC3\xB6\xC3\xAE\xC3\xA2"),
    BYTES("\xC3\x82\xC3\xA0\xC3\xB1\xC3\xA8\xC3\xAB\xC3\xBC\xC3\xA5\xC3\xA2"),
    BYTES("\xC3\x91\xC3\xA8\xC3\xA4\xC3\xAE\xC3\xB0\xC3\xAE\xC3\xA2"),
};
enum { ROWS = sizeof column / sizeof *column };

static const char *const formats[] = {"u", "Z", "vu", "i:u", "i:vz", "n"};
enum { FORMATS = sizeof formats / sizeof *formats };

/* A function that is applied to the column, or "audit". */
typedef struct Called {
  const char *function, *argument, *format;
  int learns;
  struct ArrowArray array; /* the column */
} Called;

/* Builds the column; memory does not run out meanwhile. */
static void build(Called *call) {
  const long left = memory_left;
  memory_left = -1;
  arrow_build(&call->array, call->format, column, ROWS);
  memory_left = left;
}

/* Stores the answers and their type, to be released if this returns 0. */
static int apply(Called *call, struct ArrowSchema *type, struct ArrowArray *result) {
  struct ArrowSchema schema, dictionary;
  Utf8ArrowError error;
  Utf8Arrow *opened = NULL;
  const Utf8ArrowArgument argument = {UTF8_ARROW_TEXT, call->argument,
                                      call->argument ? strlen(call->argument) : 0};
  arrow_schema(&schema, &dictionary, call->format);
  type->release = NULL;
  int rc = utf8arrow_open(&opened, call->function, &argument, call->argument != NULL,
                          &error);
  if (!rc) rc = utf8arrow_begin(opened, &schema, 0, type, &error);
  const int hasType = !rc;
  if (!rc && call->learns) rc = utf8arrow_learn(opened, &call->array, 1, &error);
  if (!rc && strcmp(call->function, "audit") == 0)
    rc = utf8arrow_audit(opened, &call->array, &error);
  else if (!rc && strcmp(call->function, "detect_column") != 0)
    rc = utf8arrow_apply(opened, &call->array, result, &error);
  utf8arrow_close(opened);
  if (rc) expect_that(call->array.release != NULL, "the chunk is still there");
  if (rc && hasType && type->release) type->release(type);
  return rc;
}

static int applied(void *state) {
  Called *call = state;
  struct ArrowSchema type;
  struct ArrowArray result = {.release = NULL};
  build(call);
  const int rc = apply(call, &type, &result);
  if (call->array.release) call->array.release(&call->array);
  if (!rc && result.release) result.release(&result);
  if (!rc && type.release) type.release(&type);
  return rc;
}

static void functions_fail(void) {
  static const Called called[] = {
      {.function = "valid"},         {.function = "error"},
      {.function = "error_offset"},  {.function = "codepoints"},
      {.function = "repair"},        {.function = "repair", .argument = "auto"},
      {.function = "detect"},        {.function = "cause"},
      {.function = "mojibake"},      {.function = "demojibake"},
      {.function = "suspect"},       {.function = "from", .argument = "windows-1252"},
      {.function = "detect_column"}, {.function = "to", .argument = "utf-16"},
      {.function = "normalize"},     {.function = "casefold"},
      {.function = "unaccent"},      {.function = "unescape", .argument = "html"},
      {.function = "clean"},         {.function = "readings"},
      {.function = "audit"}};
  for (size_t i = 0; i < sizeof called / sizeof *called; i++) {
    for (size_t f = 0; f < FORMATS; f++) {
      for (int learns = 0; learns < 2; learns++) {
        Called call = called[i];
        call.format = formats[f];
        call.learns = learns;
        each_allocation_fails(applied, &call, call.function);
      }
    }
  }
}

/* ---- results for several consumers ----------------------------------------------------------------------- */

static int take(struct ArrowArrayStream *stream) {
  struct ArrowSchema type;
  struct ArrowArray chunk;
  int rc = stream->get_schema(stream, &type);
  if (!rc) {
    type.release(&type);
    rc = stream->get_next(stream, &chunk);
  }
  if (!rc) chunk.release(&chunk);
  stream->release(stream);
  return rc ? UTF8_ARROW_NO_MEMORY : UTF8_ARROW_OK;
}

static int shared(void *state) {
  Called *call = state;
  Utf8ArrowColumn *owner;
  Utf8ArrowError error;
  struct ArrowSchema type;
  struct ArrowArray result = {.release = NULL}, chunk;
  struct ArrowArrayStream stream;
  const long left = memory_left;
  memory_left = -1;
  build(call);
  expect_that(!apply(call, &type, &result), "apply");
  if (call->array.release) call->array.release(&call->array);
  memory_left = left;
  int rc = utf8arrow_column(&owner, &type, &result, 1, &error);
  if (rc) {
    type.release(&type);
    result.release(&result);
    return rc;
  }
  rc = utf8arrow_share_chunk(owner, 0, &chunk);
  if (!rc) {
    chunk.release(&chunk);
    rc = utf8arrow_share_stream(owner, &stream);
  }
  if (!rc) rc = take(&stream);
  utf8arrow_release_column(owner);
  return rc;
}

static void sharing_fails(void) {
  static const char *const functions[] = {"repair", "readings", "valid"};
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    for (size_t f = 0; f < FORMATS; f++) {
      Called call = {.function = functions[i], .format = formats[f]};
      each_allocation_fails(shared, &call, call.function);
    }
  }
}

int main(void) {
  static const Test tests[] = {{"each allocation of a function fails", functions_fail},
                               {"each allocation of sharing fails", sharing_fails}};
  return run_tests(tests, sizeof tests / sizeof *tests);
}
