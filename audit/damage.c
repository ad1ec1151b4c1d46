/* audit/damage.c: how a scan continues after a page that cannot be read.
**
** In a table with rowids, it resumes after each gap. In a table WITHOUT ROWID, it resumes once,
** from the other end: what lies between the first and the last damage is one gap.
*/
#include "audit/damage.h"

/* Replaces the SELECT with one of the rowids from `from` on. */
static int resumeFrom(AuditRows *rows, sqlite3 *db, const AuditTable *table,
                      sqlite3_int64 from) {
  sqlite3_stmt **stmt = &rows->row.stmt;
  utf8audit_finalize_rows(rows);
  int rc = utf8audit_prepare_rows(db, table, rows->chunk, AUDIT_ILL_FORMED_FROM, stmt);
  rows->from = from;
  return rc == SQLITE_OK ? sqlite3_bind_int64(*stmt, 1, from) : rc;
}

/* Skips a gap between rowids. Returns SQLITE_DONE if no row can be read. */
static int skipRowids(AuditRows *rows, sqlite3 *db, const AuditTable *table,
                      const char *why, AuditFinding *found) {
  AuditGap gap;
  char where[64];
  int rc = utf8audit_find_gap(db, table, rows->chunk, rows->from, &gap);
  if (rc == SQLITE_ROW) return resumeFrom(rows, db, table, gap.first);
  if (rc != SQLITE_OK) return rc;
  if (gap.is_end && gap.first == INT64_MIN) return SQLITE_DONE;
  if (gap.is_end) {
    utf8audit_finalize_rows(rows);
  } else {
    rc = resumeFrom(rows, db, table, gap.last + 1);
  }
  if (rc != SQLITE_OK) return rc;
  sqlite3_snprintf(sizeof where, where, "rowids %lld to %lld", gap.first, gap.last);
  return utf8audit_set_unreadable(found, where, why);
}

/* Resumes after the last row if a second attempt succeeds, as when memory ran out for a moment; else
** skips a gap. */
static int resumeOrSkipRowids(AuditRows *rows, sqlite3 *db, const AuditTable *table,
                              const char *why, AuditFinding *found) {
  if (rows->is_full) return SQLITE_DONE; /* a page claims a row after the last one */
  int rc = resumeFrom(rows, db, table, rows->from);
  if (rc == SQLITE_OK) rc = utf8audit_probe(rows->row.stmt, rows->from);
  if (rc == SQLITE_ROW || rc == SQLITE_DONE) return SQLITE_OK;
  return skipRowids(rows, db, table, why, found);
}

/* Stores "after key (...)", where `last` is at the last row before the damage, if any. */
static int describeLast(const AuditContext *context, const AuditTable *table,
                        const AuditRow *last, char **where) {
  const AuditWriter w = {context->db, sqlite3_str_new(NULL), context->encoding};
  int rc = SQLITE_OK;
  if (last->stmt) {
    sqlite3_str_appendall(w.out, "after key ");
    rc = utf8audit_append_key(&w, table, last, 0);
  } else {
    sqlite3_str_appendall(w.out, "from the first key on");
  }
  *where = sqlite3_str_finish(w.out);
  return rc == SQLITE_OK && !*where ? SQLITE_NOMEM : rc;
}

/* Does the SELECT fail at its first row? Leaves it before that row. */
static int failsAtOnce(sqlite3_stmt *stmt) {
  int rc = sqlite3_step(stmt);
  sqlite3_reset(stmt);
  return utf8audit_is_damage(rc);
}

/* Replaces the SELECT with one from the other end to `last`. Returns SQLITE_DONE if no row can
** be read from either end. */
static int resumeBackwards(AuditRows *rows, const AuditContext *context,
                           const AuditTable *table, const AuditRow *last) {
  sqlite3_finalize(rows->row.stmt);
  rows->backwards = 1;
  int rc =
      utf8audit_prepare_backwards(context, table, rows->chunk, last, &rows->row.stmt);
  if (rc == SQLITE_OK && !last->stmt && failsAtOnce(rows->row.stmt)) return SQLITE_DONE;
  return rc;
}

/* Skips a gap in a table WITHOUT ROWID. Returns SQLITE_DONE like resumeBackwards(). */
static int skipKeys(AuditRows *rows, const AuditContext *context,
                    const AuditTable *table, const char *why, AuditFinding *found) {
  AuditRow last = {NULL, NULL};
  char *where = NULL;
  int rc = utf8audit_last_row(context->db, table, rows->chunk, &last.stmt);
  if (rc == SQLITE_OK) rc = resumeBackwards(rows, context, table, &last);
  if (rc == SQLITE_OK) rc = describeLast(context, table, &last, &where);
  sqlite3_finalize(last.stmt);
  if (rc == SQLITE_OK) rc = utf8audit_set_unreadable(found, where, why);
  sqlite3_free(where);
  return rc;
}

/* Steps count times, and returns what the last step returned, SQLITE_ROW before the first. */
static int stepRows(sqlite3_stmt *stmt, sqlite3_int64 count) {
  int rc = SQLITE_ROW;
  for (; count > 0 && rc == SQLITE_ROW; count--) rc = sqlite3_step(stmt);
  return rc;
}

/* Replaces the SELECT with one at the same row, if that has a next row that can be read or is the last
** one. */
static int resumeAfterLast(AuditRows *rows, sqlite3 *db, const AuditTable *table) {
  sqlite3_stmt **stmt = &rows->row.stmt;
  utf8audit_finalize_rows(rows);
  int rc = utf8audit_prepare_rows(db, table, rows->chunk, AUDIT_ILL_FORMED, stmt);
  if (rc == SQLITE_OK) rc = stepRows(*stmt, rows->count + 1);
  sqlite3_reset(*stmt);
  if (rc == SQLITE_ROW || rc == SQLITE_DONE) rc = stepRows(*stmt, rows->count);
  return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* Like resumeOrSkipRowids(), in a table WITHOUT ROWID. */
static int resumeOrSkipKeys(AuditRows *rows, const AuditContext *context,
                            const AuditTable *table, const char *why,
                            AuditFinding *found) {
  if (resumeAfterLast(rows, context->db, table) == SQLITE_OK) return SQLITE_OK;
  return skipKeys(rows, context, table, why, found);
}

/* Skips a gap. Returns SQLITE_DONE if all of the table is unreadable. */
static int skipGap(AuditRows *rows, const AuditContext *context,
                   const AuditTable *table, const char *why, AuditFinding *found) {
  if (table->key == AUDIT_ROWID)
    return resumeOrSkipRowids(rows, context->db, table, why, found);
  if (table->key == AUDIT_PRIMARY_KEY)
    return resumeOrSkipKeys(rows, context, table, why, found);
  return SQLITE_DONE;
}

int utf8audit_skip_damage(AuditRows *rows, const AuditContext *context,
                          const AuditTable *table, AuditFinding *found) {
  if (rows->backwards) {
    utf8audit_close_rows(rows);
    return SQLITE_DONE;
  }
  char *why = sqlite3_mprintf("%s", sqlite3_errmsg(context->db));
  if (!why) return SQLITE_NOMEM;
  int skipped = skipGap(rows, context, table, why, found);
  if (skipped != SQLITE_OK && skipped != SQLITE_ROW && !utf8audit_is_fatal(skipped)) {
    utf8audit_close_rows(rows);
    skipped = utf8audit_set_unreadable(found, NULL, why);
  }
  sqlite3_free(why);
  return skipped;
}
