/* arrow/audit.c: counts what is wrong with a column, by the kind of the first error and the cause. */
#include "arrow/call.h"
#include "core/bytes.h"
#include <stdio.h>
#include <stdlib.h>

/* Returns the group of values with this error and this cause, new if there is none; NULL if there is no
** memory. */
static Utf8ArrowFound *groupOf(Utf8Arrow *call, const char *error, const char *cause) {
  for (size_t i = 0; i < call->found_count; i++)
    if (strcmp(call->found[i].error, error) == 0 &&
        strcmp(call->found[i].cause, cause) == 0)
      return &call->found[i];
  if (call->found_count == call->found_room) {
    const size_t room = 2 * call->found_room + 8;
    Utf8ArrowFound *found = realloc(call->found, room * sizeof *found);
    if (!found) return NULL;
    call->found = found;
    call->found_room = room;
  }
  Utf8ArrowFound *group = &call->found[call->found_count++];
  *group = (Utf8ArrowFound){.error = error};
  memcpy(group->cause, cause, strlen(cause) + 1);
  return group;
}

/* Stores that the value was misread in a charset. */
static int nameMisread(Utf8Arrow *call, const char *charset, const char **error) {
  *error = utf8suspect_kind_name(UTF8_SUSPECT_MOJIBAKE);
  snprintf(call->name, sizeof call->name, "%s %s", *error, charset);
  return 1;
}

/* Stores what is wrong with a value: the kind of its first error and the cause. Returns 0 if nothing is. */
static int findWrong(Utf8Arrow *call, ArrowValue value, const char **error) {
  const char *misread;
  if (utf8arrow_is_misread(call, value)) {
    misread = utf8core_charset_name(call->misread_text->through);
    return nameMisread(call, misread, error);
  }
  if (utf8arrow_is_accident(call, value)) {
    *error = UTF8_ACCIDENT_NAME;
    utf8detect_cause_name(call->accident.cause, call->name);
    return 1;
  }
  *error = utf8arrow_name_error(call, value);
  if (*error) return utf8arrow_name_cause(call, value) != NULL;
  misread = utf8arrow_name_misread(call, value);
  if (!misread && utf8arrow_is_mojibake(call, value))
    misread = utf8core_charset_name(call->mojibake->charset);
  return misread ? nameMisread(call, misread, error) : 0;
}

static void countFound(Utf8ArrowFound *group, int64_t row) {
  group->values++;
  if (group->example_count < UTF8_ARROW_EXAMPLES)
    group->examples[group->example_count++] = row;
}

static int auditVisit(Utf8Arrow *call, size_t row, ArrowValue value, int *is_usual,
                      void *state) {
  (void)state;
  const char *error;
  if (!findWrong(call, value, &error)) return call->error->code;
  *is_usual = 0;
  Utf8ArrowFound *group = groupOf(call, error, call->name);
  if (!group) return utf8arrow_no_memory(call->error);
  countFound(group, call->rows + (int64_t)row);
  return 0;
}

int utf8arrow_audit(Utf8Arrow *opened, const struct ArrowArray *chunk,
                    Utf8ArrowError *error) {
  ArrowText text;
  ArrowIndices indices;
  opened->error = error;
  error->code = UTF8_ARROW_OK;
  if (opened->function->kind != ARROW_AUDIT)
    return utf8arrow_fail(error, UTF8_ARROW_ARGUMENT, "utf8_%s is not an audit",
                          opened->function->name);
  int rc = utf8arrow_read_array(&opened->type, chunk, &text, &indices, error);
  if (!rc)
    rc = utf8arrow_each_row(opened, &text, opened->type.index ? &indices : NULL,
                            SIZE_MAX, opened->function->scan, auditVisit);
  opened->rows += chunk->length;
  return rc;
}

const Utf8ArrowFound *utf8arrow_found(const Utf8Arrow *opened, size_t number) {
  return number < opened->found_count ? &opened->found[number] : NULL;
}
