/* audit/corrupt.c: how a scan continues after a page that cannot be read.
**
** In a table with rowids, it resumes after each gap. In a table WITHOUT ROWID, it resumes once,
** from the other end: what lies between the first and the last corrupt page is one gap.
**
** A read that has failed can succeed the next time, and the other way round. So a gap that was
** searched after a SELECT failed can start after the row where that SELECT was: the rows in
** between were never checked. They come before the gap is named (AuditNextGap), and if that fails,
** too, the gap is named with them.
*/
#include "audit/corrupt.h"

/* After this many failures without a row between them, the rest is unreadable: the scan ends. A gap alone
** is not progress, since a search among reads that fail now and then finds one of one rowid each time. */
enum { FAILURES_MAX = 4 };

/* ---- tables with rowids --------------------------------------------------------------- */

/* Replaces the SELECT with one of the range, of rowids from `from` on. */
static int resumeIn(AuditRows *rows, AuditRange range, sqlite3_int64 from) {
  int rc = utf8audit_select_rows(rows, range);
  rows->from = from;
  return rc == SQLITE_OK ? sqlite3_bind_int64(rows->row.stmt, 1, from) : rc;
}

static int resumeFrom(AuditRows *rows, sqlite3_int64 from) {
  return resumeIn(rows, AUDIT_ILL_FORMED_FROM, from);
}

/* Resumes after the gap, which is the finding. Returns SQLITE_DONE if no row can be read. */
static int nameRowids(AuditRows *rows, AuditGap gap, const char *why,
                      AuditFinding *found) {
  char where[64];
  int rc = SQLITE_OK;
  if (gap.is_end && gap.first == INT64_MIN) return SQLITE_DONE;
  if (gap.is_end) {
    utf8audit_finalize_rows(rows);
  } else {
    rc = resumeFrom(rows, gap.last + 1);
  }
  if (rc != SQLITE_OK) return rc;
  sqlite3_snprintf(sizeof where, where, "rowids %lld to %lld", gap.first, gap.last);
  return utf8audit_set_unreadable(found, where, why);
}

/* Reads the rows before the gap first. */
static int resumeBefore(AuditRows *rows, AuditGap gap, const char *why) {
  rows->gap.at = gap;
  rows->gap.why = sqlite3_mprintf("%s", why);
  if (!rows->gap.why) return SQLITE_NOMEM;
  int rc = resumeIn(rows, AUDIT_ILL_FORMED_TO, rows->from);
  return rc == SQLITE_OK ? sqlite3_bind_int64(rows->row.stmt, 2, gap.first - 1) : rc;
}

/* Finds a gap. Returns SQLITE_OK; SQLITE_ROW or SQLITE_DONE if all can be read now; else an error code.
** Then the gap is empty, after the rows that the search has read. */
static int findRowids(AuditRows *rows, AuditGap *gap) {
  *gap = (AuditGap){.first = rows->from, .last = INT64_MAX, .is_end = 1};
  if (rows->failures > FAILURES_MAX) return SQLITE_OK;
  return utf8audit_find_gap(rows->context->db, rows->table, rows->selection, rows->from,
                            gap);
}

/* Tries again, or skips a gap. Returns SQLITE_DONE if no row can be read. */
static int skipRowids(AuditRows *rows, const char *why, AuditFinding *found) {
  AuditGap gap;
  if (rows->is_full) return SQLITE_DONE; /* a page claims a row after the last one */
  if (rows->failures == 1) return resumeFrom(rows, rows->from);
  int rc = findRowids(rows, &gap);
  const int is_empty = rc == SQLITE_ROW || rc == SQLITE_DONE;
  if (!is_empty && rc != SQLITE_OK) return rc;
  if (is_empty && gap.first == rows->from) return resumeFrom(rows, rows->from);
  if (is_empty) gap = (AuditGap){.first = gap.first, .last = gap.first - 1};
  if (gap.first > rows->from) return resumeBefore(rows, gap, why);
  return nameRowids(rows, gap, why, found);
}

/* ---- tables WITHOUT ROWID ---------------------------------------------------------------- */

/* Stores "after key (...)", where `last` is at the last row before the corrupt page, if any. */
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
  return utf8audit_is_corrupt(rc);
}

/* Replaces the SELECT with that of the rows after the gap, which is the finding. */
static int nameKeys(AuditRows *rows, const char *why, AuditFinding *found) {
  sqlite3_finalize(rows->row.stmt);
  rows->row.stmt = rows->gap.backwards;
  rows->gap.backwards = NULL;
  rows->backwards = 1;
  return utf8audit_set_unreadable(found, rows->gap.where, why);
}

/* Steps count times, and returns what the last step returned, SQLITE_ROW before the first. */
static int stepRows(sqlite3_stmt *stmt, sqlite3_int64 count) {
  int rc = SQLITE_ROW;
  for (; count > 0 && rc == SQLITE_ROW; count--) rc = sqlite3_step(stmt);
  return rc;
}

/* Replaces the SELECT with one at the same row. */
static int resumeAfterLast(AuditRows *rows) {
  int rc = utf8audit_select_rows(rows, AUDIT_ILL_FORMED);
  if (rc == SQLITE_OK) rc = stepRows(rows->row.stmt, rows->count);
  return rc == SQLITE_ROW ? SQLITE_OK : rc;
}

/* Replaces the SELECT with one at the same row that ends at `last`. Fails if that was passed. */
static int resumeUpTo(AuditRows *rows, const AuditRow *last, const char *why) {
  sqlite3_stmt **stmt = &rows->row.stmt;
  utf8audit_finalize_rows(rows);
  rows->gap.why = sqlite3_mprintf("%s", why);
  if (!rows->gap.why) return SQLITE_NOMEM;
  int rc =
      utf8audit_prepare_to(rows->context, rows->table, rows->selection, last, 0, stmt);
  if (rc != SQLITE_OK) return rc;
  const int is_last = sqlite3_column_count(*stmt) - 1;
  for (sqlite3_int64 i = 0; i < rows->count; i++) {
    if (rows->gap.is_next) return SQLITE_CORRUPT;
    rc = sqlite3_step(*stmt);
    if (rc != SQLITE_ROW) return rc == SQLITE_DONE ? SQLITE_CORRUPT : rc;
    rows->gap.is_next = sqlite3_column_int(*stmt, is_last);
  }
  return SQLITE_OK;
}

/* Finds the gap after the row `last`, and the rows on its other side. Returns SQLITE_DONE if no row can be
** read from either end. */
static int findKeys(AuditRows *rows, const AuditRow *last) {
  AuditNextGap *gap = &rows->gap;
  int rc = utf8audit_prepare_to(rows->context, rows->table, rows->selection, last, 1,
                                &gap->backwards);
  if (rc == SQLITE_OK && !last->stmt && failsAtOnce(gap->backwards)) return SQLITE_DONE;
  return rc == SQLITE_OK ? describeLast(rows->context, rows->table, last, &gap->where)
                         : rc;
}

/* Tries again, or skips a gap. Returns SQLITE_DONE if no row can be read. */
static int skipKeys(AuditRows *rows, const char *why, AuditFinding *found) {
  AuditRow last = {NULL, NULL};
  if (rows->failures == 1 && resumeAfterLast(rows) == SQLITE_OK) return SQLITE_OK;
  utf8audit_finalize_rows(rows);
  int rc =
      utf8audit_last_row(rows->context->db, rows->table, rows->selection, &last.stmt);
  if (rc == SQLITE_OK) rc = findKeys(rows, &last);
  if (rc == SQLITE_OK && last.stmt) {
    rc = resumeUpTo(rows, &last, why);
  } else if (rc == SQLITE_OK) {
    rc = rows->count ? SQLITE_CORRUPT : nameKeys(rows, why, found);
  }
  sqlite3_finalize(last.stmt);
  return rc;
}

/* ---- every table ---------------------------------------------------------------------------- */

/* Tries again, or skips a gap. Returns SQLITE_DONE if all of the table is unreadable. */
static int skipGap(AuditRows *rows, const char *why, AuditFinding *found) {
  if (rows->table->key == AUDIT_ROWID) return skipRowids(rows, why, found);
  if (rows->table->key == AUDIT_PRIMARY_KEY) return skipKeys(rows, why, found);
  return SQLITE_DONE;
}

/* Returns rc, which skipping has returned. If that failed, all of the table is unreadable. */
static int afterSkip(AuditRows *rows, int rc, const char *why, AuditFinding *found) {
  if (rc == SQLITE_OK || rc == SQLITE_ROW || utf8audit_is_fatal(rc)) return rc;
  utf8audit_close_rows(rows);
  return utf8audit_set_unreadable(found, NULL, why);
}

int utf8audit_pass_gap(AuditRows *rows, AuditFinding *found) {
  const AuditGap at = rows->gap.at;
  char *why = rows->gap.why;
  int rc;
  rows->gap.why = NULL;
  if (rows->table->key == AUDIT_PRIMARY_KEY) {
    rc = nameKeys(rows, why, found);
  } else if (at.last < at.first) {
    rc = resumeFrom(rows, at.first);
  } else {
    rc = nameRowids(rows, at, why, found);
  }
  utf8audit_clear_gap(rows);
  rows->failures = 0;
  rc = afterSkip(rows, rc, why, found);
  sqlite3_free(why);
  return rc;
}

/* The rows before a gap cannot be read: it starts with them. */
static int widenGap(AuditRows *rows, AuditFinding *found) {
  AuditGap *at = &rows->gap.at;
  at->first = rows->from;
  if (rows->table->key == AUDIT_ROWID) return utf8audit_pass_gap(rows, found);
  return SQLITE_DONE;
}

int utf8audit_skip_corrupt(AuditRows *rows, AuditFinding *found) {
  if (rows->backwards) {
    utf8audit_close_rows(rows);
    return SQLITE_DONE;
  }
  char *why = sqlite3_mprintf("%s", sqlite3_errmsg(rows->context->db));
  if (!why) return SQLITE_NOMEM;
  rows->failures++;
  int rc = rows->gap.why ? widenGap(rows, found) : skipGap(rows, why, found);
  rc = afterSkip(rows, rc, why, found);
  sqlite3_free(why);
  return rc;
}
