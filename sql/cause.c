/* sql/cause.c: what most likely happened to an ill-formed value.
**
**     SELECT utf8_cause(x'cff0e8e2e5f2'), utf8_cause(x'd09fd180d0b8d0');
**     -- windows-1251|cut
*/
#include "sql/functions.h"
#include "core/omit.h"
#include "detect/texts.h"
#include "core/utf8form.h"

/* ---- escaped bytes --------------------------------------------------------------------------- */

/* Stores in *escaped what the value is unescaped. In UTF-16, that must be well-formed, or escaped->bytes is NULL. */
static int unescapeSurrogates(sqlite3 *db, const Utf8Value *value, Utf8Value *escaped) {
  Utf8Output out = {NULL, 0, 0, value->size + UTF8_FORM_ROOM};
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  while (utf8value_next_into(&c, &out, UTF8_FORM_ROOM)) {
    out.used += utf8form_unescape_surrogates(value->bytes, value->size, &c.at,
                                             out.bytes + out.used, c.room);
  }
  const int is_text = !value->from_utf16 || utf8core_valid(out.bytes, out.used);
  if (c.rc != SQLITE_OK || !is_text) {
    sqlite3_free(out.bytes);
    return c.rc;
  }
  *escaped = (Utf8Value){out.bytes, out.used, value->type, 0, out.bytes};
  return SQLITE_OK;
}

int utf8sql_open_escaped(sqlite3 *db, const Utf8Value *value, Utf8Value *escaped) {
  *escaped = (Utf8Value){.bytes = NULL};
  if (!UTF8_HAS_FORM || !utf8detect_is_escaped(value->bytes, value->size))
    return SQLITE_OK;
  return unescapeSurrogates(db, value, escaped);
}

/* ---- evidence -------------------------------------------------------------------------------- */

int utf8sql_add_cause(sqlite3 *db, Utf8CauseEvidence *evidence,
                      const Utf8Value *value) {
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  for (; utf8value_next(&c); c.at = c.until)
    utf8detect_cause_add(evidence, value->bytes, value->size, c.at, c.until);
  return c.rc;
}

/* Allocates the evidence of a value that rules do not decide. Returns SQLITE_OK or an error code; *evidence
** must be freed in every case. */
static int gatherCauseEvidence(sqlite3 *db, const Utf8Value *value,
                               Utf8CauseEvidence **evidence) {
  *evidence = sqlite3_malloc64(sizeof **evidence);
  if (!*evidence) return SQLITE_NOMEM;
  utf8detect_cause_begin(*evidence);
  return utf8sql_add_cause(db, *evidence, value);
}

/* ---- the readings ---------------------------------------------------------------------------- */

/* Like utf8sql_find_readings(), for bytes that escape none. */
static int findReadingsOf(sqlite3 *db, const Utf8Value *value,
                          const Utf8Neighbours *among, Utf8Readings *readings) {
  const unsigned dialect = utf8value_dialect(value, UTF8_STRICT);
  Utf8CauseEvidence *evidence;
  if (utf8detect_readings_by_rules(readings, value->bytes, value->size, dialect))
    return SQLITE_OK;
  const int rc = gatherCauseEvidence(db, value, &evidence);
  const uint64_t hash = utf8detect_mixture_hash(value->bytes, value->size);
  if (rc == SQLITE_OK) utf8detect_readings(readings, evidence, hash, among);
  sqlite3_free(evidence);
  return rc;
}

int utf8sql_find_readings(sqlite3 *db, const Utf8Value *value,
                          const Utf8Neighbours *among, Utf8Readings *readings) {
  Utf8Value escaped;
  int rc = utf8sql_open_escaped(db, value, &escaped);
  const int is_escaped = escaped.bytes != NULL;
  if (rc == SQLITE_OK)
    rc = findReadingsOf(db, is_escaped ? &escaped : value, among, readings);
  for (size_t i = 0; rc == SQLITE_OK && i < readings->count; i++)
    readings->list[i].cause.is_escaped = is_escaped;
  readings->cause.is_escaped = is_escaped;
  utf8value_close(&escaped);
  return rc;
}

static int readInRow(sqlite3 *db, const Utf8Value *value, const Utf8Neighbours *among,
                     Utf8Row *row) {
  Utf8CauseEvidence *evidence;
  Utf8Cause cause;
  if (utf8detect_cause_by_rules(value->bytes, value->size, UTF8_STRICT, &cause))
    return SQLITE_OK;
  const int rc = gatherCauseEvidence(db, value, &evidence);
  const uint64_t hash = utf8detect_mixture_hash(value->bytes, value->size);
  if (rc == SQLITE_OK) utf8detect_read_in_row(row, evidence, hash, among);
  sqlite3_free(evidence);
  return rc;
}

int utf8sql_read_in_row(sqlite3 *db, const Utf8Value *value,
                        const Utf8Neighbours *among, Utf8Row *row) {
  Utf8Value escaped;
  int rc = utf8sql_open_escaped(db, value, &escaped);
  if (rc == SQLITE_OK) rc = readInRow(db, escaped.bytes ? &escaped : value, among, row);
  utf8value_close(&escaped);
  return rc;
}

/* ---- the function ---------------------------------------------------------------------------- */

void utf8sql_cause(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8Readings readings;
  char name[UTF8_CAUSE_NAME_MAX];
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  const int rc =
      utf8sql_find_readings(sqlite3_context_db_handle(ctx), &value, NULL, &readings);
  const Utf8Cause cause = readings.cause;
  utf8value_close(&value);
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(ctx, rc);
  } else if (cause.kind != UTF8_CAUSE_NONE || cause.is_escaped) {
    utf8detect_cause_name(cause, name);
    sqlite3_result_text(ctx, name, -1, SQLITE_TRANSIENT);
  }
}
