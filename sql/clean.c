/* sql/clean.c: text cleaned by steps.
**
**     SELECT utf8_clean('cafÃ©'), utf8_clean('“caf&eacute;”', 'html,quotes');
**     -- café|"café"
*/
#include "sql/functions.h"
#include "clean/cleaning.h"
#include "sql/option.h"

/* A text that is being cleaned: the value's bytes, or in `owned`. */
typedef struct Cleaning {
  Utf8Cleaning base;
  sqlite3 *db;
  size_t limit;   /* the longest value that the connection allows */
  uint8_t *owned; /* freed by utf8value_result_made(), or NULL */
} Cleaning;

/* The text becomes out, whose bytes now belong to c, unless rc is an error. Returns rc. */
static int takeOutput(Cleaning *c, int rc, const Utf8Output *out) {
  if (rc != SQLITE_OK) {
    sqlite3_free(out->bytes);
    return rc;
  }
  sqlite3_free(c->owned);
  c->base.bytes = c->owned = out->bytes;
  c->base.size = out->used;
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
  const uint8_t *bytes = c->base.bytes;
  const size_t size = c->base.size;
  Utf8Output out = {NULL, 0, 0, c->limit};
  Utf8Chunks chunks = utf8value_chunks(c->db, at, size);
  const Utf8Value text = {bytes, size, SQLITE_TEXT, 0, NULL};
  const int rc = utf8value_copy_start(&out, &text, at, UTF8_FORM_ROOM);
  while (rc == SQLITE_OK && utf8value_next_into(&chunks, &out, UTF8_FORM_ROOM)) {
    out.used += utf8form_clean(step, bytes, size, &chunks.at, out.bytes + out.used,
                               chunks.room);
  }
  return takeOutput(c, rc == SQLITE_OK ? chunks.rc : rc, &out);
}

static int applyStep(Utf8Cleaning *base, Utf8CleanStep step) {
  Cleaning *c = (Cleaning *)base;
  Utf8Chunks chunks = utf8value_chunks(c->db, 0, base->size);
  while (utf8value_next(&chunks)) {
    chunks.at =
        utf8form_clean_find(step, base->bytes, base->size, chunks.at, chunks.until);
    if (chunks.at < chunks.until) return applyFrom(c, step, chunks.at);
  }
  return chunks.rc;
}

static int undoMojibake(Utf8Cleaning *base) {
  Cleaning *c = (Cleaning *)base;
  int charset = -1;
  Utf8Output out = {NULL, 0, 0, c->limit};
  const int rc = utf8sql_undo_mojibake(c->db, base->bytes, base->size, &charset, &out);
  return out.bytes ? takeOutput(c, rc, &out) : rc;
}

static int normalizeText(Utf8Cleaning *base, Utf8NormalForm form) {
  Cleaning *c = (Cleaning *)base;
  Utf8Chunks chunks = utf8value_chunks(c->db, 0, base->size);
  while (utf8value_next(&chunks)) {
    if (utf8core_is_normalized(form, base->bytes, base->size, &chunks.at, chunks.until))
      continue;
    Utf8Output out = {NULL, 0, 0, c->limit};
    const Utf8Value text = {base->bytes, base->size, SQLITE_TEXT, 0, NULL};
    const int rc = utf8sql_normalize_from(c->db, form, &text, chunks.at, &out);
    return takeOutput(c, rc, &out);
  }
  return chunks.rc;
}

static int findNeeded(const Utf8Cleaning *base, unsigned steps, unsigned *needed) {
  Utf8Chunks chunks = utf8value_chunks(((const Cleaning *)base)->db, 0, base->size);
  for (*needed = 0; utf8value_next(&chunks); chunks.at = chunks.until) {
    *needed |=
        utf8form_clean_needed(steps, base->bytes + chunks.at, chunks.until - chunks.at);
  }
  return chunks.rc;
}

static const Utf8CleaningMethods cleaningMethods = {findNeeded, undoMojibake,
                                                    normalizeText, applyStep};

static int cleanText(Cleaning *c, const Utf8Value *value, unsigned steps) {
  const int rc = repairText(c, value, steps);
  return rc == SQLITE_OK ? utf8clean_text(&c->base, steps) : rc;
}

void utf8sql_clean(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  int steps;
  Utf8Value value;
  if (!(argc > 1
            ? utf8option_accept(ctx, "utf8_clean", &utf8option_steps, argv, 1, &steps)
            : utf8option_default_steps(ctx, "utf8_clean", &steps)))
    return;
  if (!utf8value_open_argument(ctx, &value, argv[0])) return;
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Cleaning c = {{&cleaningMethods, value.bytes, value.size},
                db,
                utf8value_longest(db, value.from_utf16),
                NULL};
  const int isNumber = value.type != SQLITE_TEXT && value.type != SQLITE_BLOB;
  const int rc = isNumber ? SQLITE_OK : cleanText(&c, &value, (unsigned)steps);
  Utf8Value made = {c.base.bytes, c.base.size, value.type, value.from_utf16, c.owned};
  utf8value_result_made(ctx, rc, &made, &value, argv[0]);
  utf8value_close(&value);
}
