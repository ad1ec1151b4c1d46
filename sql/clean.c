/* sql/clean.c: text cleaned by steps.
**
**     SELECT utf8_clean('cafÃ©'), utf8_clean('“caf&eacute;”', 'html,quotes');
**     -- café|"café"
*/
#include "sql/functions.h"
#include "utf8form.h"
#include "sql/option.h"

/* A text that is being cleaned. */
typedef struct Cleaning {
  sqlite3 *db;
  size_t limit;         /* the longest value that the connection allows */
  const uint8_t *bytes; /* the text so far: the value's bytes, or in `owned` */
  size_t size;
  uint8_t *owned; /* to be freed, or NULL */
  unsigned last;  /* the last step that changed the text; all, before the first */
} Cleaning;

/* The text becomes out, whose bytes now belong to c, unless rc is an error. Returns rc. */
static int takeOutput(Cleaning *c, int rc, const Utf8Output *out) {
  if (rc != SQLITE_OK) {
    sqlite3_free(out->bytes);
    return rc;
  }
  sqlite3_free(c->owned);
  c->bytes = c->owned = out->bytes;
  c->size = out->used;
  return rc;
}

/* Repairs the value: by its cause if the steps say so, otherwise as subpart. Binary data, which policy
** auto keeps, is always repaired as subpart. */
static int repairText(Cleaning *c, const Utf8Value *value, unsigned steps) {
  const int isByCause = (steps & UTF8_CLEAN_BIT(UTF8_CLEAN_REPAIR)) != 0;
  Utf8Repair how = {.policy = isByCause ? UTF8_POLICY_AUTO : UTF8_POLICY_SUBPART};
  size_t at = 0;
  const unsigned dialect = utf8value_dialect(value, UTF8_STRICT);
  int rc = utf8value_find_error(c->db, value, &at, value->size, dialect);
  if (rc != SQLITE_OK || at == value->size) return rc;
  Utf8Output out = {NULL, 0, 0, c->limit};
  int is_kept = 0;
  rc = utf8sql_repair_from(c->db, &how, value, at, &out, &is_kept);
  if (is_kept) {
    how.policy = UTF8_POLICY_SUBPART;
    rc = utf8sql_repair_from(c->db, &how, value, at, &out, &is_kept);
  }
  return takeOutput(c, rc, &out);
}

/* Copies the text up to `at`, and applies the step to the remainder. */
static int applyFrom(Cleaning *c, Utf8CleanStep step, size_t at) {
  Utf8Output out = {NULL, 0, 0, c->limit};
  Utf8Chunks chunks = utf8value_chunks(c->db, at, c->size);
  const Utf8Value text = {c->bytes, c->size, SQLITE_TEXT, 0, NULL};
  const int rc = utf8value_copy_start(&out, &text, at, UTF8_FORM_ROOM);
  while (rc == SQLITE_OK && utf8value_next_into(&chunks, &out, UTF8_FORM_ROOM)) {
    out.used += utf8form_clean(step, c->bytes, c->size, &chunks.at,
                               out.bytes + out.used, chunks.room);
  }
  return takeOutput(c, rc == SQLITE_OK ? chunks.rc : rc, &out);
}

static int applyStep(Cleaning *c, Utf8CleanStep step) {
  Utf8Chunks chunks = utf8value_chunks(c->db, 0, c->size);
  while (utf8value_next(&chunks)) {
    chunks.at = utf8form_clean_find(step, c->bytes, c->size, chunks.at, chunks.until);
    if (chunks.at < chunks.until) return applyFrom(c, step, chunks.at);
  }
  return chunks.rc;
}

static int undoMojibake(Cleaning *c) {
  int charset = -1;
  Utf8Output out = {NULL, 0, 0, c->limit};
  const int rc = utf8sql_undo_mojibake(c->db, c->bytes, c->size, &charset, &out);
  return out.bytes ? takeOutput(c, rc, &out) : rc;
}

static int trimText(Cleaning *c) {
  size_t from, end;
  utf8form_trim(c->bytes, c->size, &from, &end);
  c->bytes += from;
  c->size = end - from;
  return SQLITE_OK;
}

static int normalizeText(Cleaning *c, Utf8NormalForm form) {
  Utf8Chunks chunks = utf8value_chunks(c->db, 0, c->size);
  while (utf8value_next(&chunks)) {
    if (utf8core_is_normalized(form, c->bytes, c->size, &chunks.at, chunks.until))
      continue;
    Utf8Output out = {NULL, 0, 0, c->limit};
    const Utf8Value text = {c->bytes, c->size, SQLITE_TEXT, 0, NULL};
    const int rc = utf8sql_normalize_from(c->db, form, &text, chunks.at, &out);
    return takeOutput(c, rc, &out);
  }
  return chunks.rc;
}

static int runStep(Cleaning *c, Utf8CleanStep step) {
  switch (step) {
  case UTF8_CLEAN_NFC:
    return normalizeText(c, UTF8_NFC);
  case UTF8_CLEAN_NFKC:
    return normalizeText(c, UTF8_NFKC);
  case UTF8_CLEAN_MOJIBAKE:
    return undoMojibake(c);
  case UTF8_CLEAN_TRIM:
    return trimText(c);
  default:
    return applyStep(c, step);
  }
}

/* Stores in *needed those of the steps that may change the text. */
static int findNeeded(const Cleaning *c, unsigned steps, unsigned *needed) {
  Utf8Chunks chunks = utf8value_chunks(c->db, 0, c->size);
  for (*needed = 0; utf8value_next(&chunks); chunks.at = chunks.until) {
    *needed |=
        utf8form_clean_needed(steps, c->bytes + chunks.at, chunks.until - chunks.at);
  }
  return chunks.rc;
}

/* Applies those of the steps that are needed, in their order; but none after the last one that changed
** the text, which they have seen already. Stores in *needed the steps that may change the result, 0 if
** the text did not change. */
static int runSteps(Cleaning *c, unsigned steps, unsigned *needed) {
  int hasChanged = 0, rc = SQLITE_OK;
  for (unsigned step = 0; *needed >> step && rc == SQLITE_OK; step++) {
    if (step > c->last && !hasChanged) break;
    if (!(steps & *needed & UTF8_CLEAN_BIT(step))) continue;
    const uint8_t *bytes = c->bytes;
    const size_t size = c->size;
    rc = runStep(c, (Utf8CleanStep)step);
    if (rc != SQLITE_OK || (bytes == c->bytes && size == c->size)) continue;
    hasChanged = 1;
    c->last = step;
    rc = findNeeded(c, steps, needed);
  }
  if (!hasChanged) *needed = 0;
  return rc;
}

static int cleanText(Cleaning *c, const Utf8Value *value, unsigned steps) {
  unsigned needed;
  int rc = repairText(c, value, steps);
  if (rc == SQLITE_OK) rc = findNeeded(c, steps, &needed);
  if (rc != SQLITE_OK) return rc;
  if (needed & UTF8_CLEAN_HAS_TAG) steps &= ~UTF8_CLEAN_BIT(UTF8_CLEAN_HTML);
  for (int i = 0; i < UTF8_CLEAN_PASSES && rc == SQLITE_OK && needed; i++)
    rc = runSteps(c, steps, &needed);
  return rc;
}

/* Sets the result to the cleaned text, and frees what c owns. */
static void resultCleaned(sqlite3_context *ctx, int rc, Cleaning *c,
                          const Utf8Value *value, sqlite3_value *x) {
  const Utf8Output out = {c->owned, c->size, c->size, c->limit};
  if (rc == SQLITE_OK && c->bytes == value->bytes && c->size == value->size) {
    utf8value_result_same(ctx, value, x);
  } else if (rc != SQLITE_OK || c->bytes == c->owned) {
    utf8value_result_output(ctx, rc, &out, value);
    return;
  } else {
    const Utf8Value part = {c->bytes, c->size, value->type, value->from_utf16, NULL};
    utf8value_result_part(ctx, &part, 0, part.size);
  }
  sqlite3_free(c->owned);
}

void utf8sql_clean(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  unsigned steps;
  Utf8Value value;
  if (!(argc > 1 ? utf8option_steps(ctx, "utf8_clean", argv, 1, &steps)
                 : utf8option_default_steps(ctx, "utf8_clean", &steps)))
    return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Cleaning c = {db,          utf8value_longest(db, value.from_utf16),
                value.bytes, value.size,
                NULL,        UTF8_CLEAN_STEPS};
  const int isNumber = value.type != SQLITE_TEXT && value.type != SQLITE_BLOB;
  const int rc = isNumber ? SQLITE_OK : cleanText(&c, &value, steps);
  resultCleaned(ctx, rc, &c, &value, argv[0]);
  utf8value_close(&value);
}
