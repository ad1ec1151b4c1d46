/* sql/cause.c: what most likely happened to an ill-formed value.
**
**     SELECT utf8_cause(x'cff0e8e2e5f2'), utf8_cause(x'd09fd180d0b8d0');
**     -- windows-1251|cut
*/
#include "sql/functions.h"
#include "detect/texts.h"

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

int utf8sql_find_cause(sqlite3 *db, const Utf8Value *value, const Utf8Mixture *column,
                       const Utf8Mixture *table, Utf8Cause *cause) {
  const unsigned dialect = utf8value_dialect(value, UTF8_STRICT);
  Utf8CauseEvidence *evidence;
  if (utf8detect_cause_by_rules(value->bytes, value->size, dialect, cause))
    return SQLITE_OK;
  const int rc = gatherCauseEvidence(db, value, &evidence);
  const uint64_t hash = utf8detect_mixture_hash(value->bytes, value->size);
  if (rc == SQLITE_OK) *cause = utf8detect_cause_among(evidence, hash, column, table);
  sqlite3_free(evidence);
  return rc;
}

int utf8sql_find_readings(sqlite3 *db, const Utf8Value *value,
                          const Utf8Mixture *column, const Utf8Mixture *table,
                          Utf8Readings *readings) {
  const unsigned dialect = utf8value_dialect(value, UTF8_STRICT);
  Utf8CauseEvidence *evidence;
  if (utf8detect_readings_by_rules(readings, value->bytes, value->size, dialect))
    return SQLITE_OK;
  const int rc = gatherCauseEvidence(db, value, &evidence);
  const uint64_t hash = utf8detect_mixture_hash(value->bytes, value->size);
  if (rc == SQLITE_OK) utf8detect_readings(readings, evidence, hash, column, table);
  sqlite3_free(evidence);
  return rc;
}

void utf8sql_cause(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  Utf8Cause cause;
  char name[UTF8_CAUSE_NAME_MAX];
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  const int rc =
      utf8sql_find_cause(sqlite3_context_db_handle(ctx), &value, NULL, NULL, &cause);
  utf8value_close(&value);
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(ctx, rc);
  } else if (cause.kind != UTF8_CAUSE_NONE) {
    utf8detect_cause_name(cause, name);
    sqlite3_result_text(ctx, name, -1, SQLITE_TRANSIENT);
  }
}
