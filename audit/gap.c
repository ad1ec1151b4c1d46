/* audit/gap.c: where a scan resumes after rows that cannot be read.
**
** Nothing is assumed of a corrupt table. Each search ends, since it only goes up in rowids, or
** down, or halves an interval; and a scan ends, since each gap lies above all rows before.
*/
#include "audit/gap.h"

/* ---- tables with rowids ------------------------------------------------------------- */

/* Reads all rows from the rowid `from` to the first that cannot be read, and stores the rowid
** after the highest. Returns the error at that row; SQLITE_DONE at the table's end, and where
** there is no higher rowid. */
static int readRows(sqlite3_stmt *rows, sqlite3_int64 from, sqlite3_int64 *next) {
  int full = 0;
  int rc = sqlite3_bind_int64(rows, 1, from);
  *next = from;
  if (rc != SQLITE_OK) return rc;
  while ((rc = sqlite3_step(rows)) == SQLITE_ROW) {
    sqlite3_int64 rowid = sqlite3_column_int64(rows, 0);
    full |= rowid == INT64_MAX;
    if (rowid >= *next && !full) *next = rowid + 1;
  }
  sqlite3_reset(rows);
  /* After the highest rowid comes no row, only a page that claims one. */
  return full && utf8audit_is_corrupt(rc) ? SQLITE_DONE : rc;
}

/* Looks for a row from the rowid x on with a SELECT of AUDIT_..._FROM, which it leaves before that row.
** Returns SQLITE_ROW if the first one can be read, SQLITE_DONE if there is none, else an error. */
static int probeRowid(sqlite3_stmt *rows, sqlite3_int64 x) {
  int rc = sqlite3_bind_int64(rows, 1, x);
  if (rc == SQLITE_OK) rc = sqlite3_step(rows);
  /* A corrupt tree can return a row from before x, where a search has been. It would not end if it
  ** took that for progress. */
  if (rc == SQLITE_ROW && sqlite3_column_int64(rows, 0) < x) rc = SQLITE_CORRUPT;
  sqlite3_reset(rows);
  return rc;
}

/* Returns how many rowids to step over at a distance from where a search started: a sixteenth.
** Near 0 steps are short too: most tables start there, and the search may start at
** INT64_MIN. */
static uint64_t stride(uint64_t distance, sqlite3_int64 x) {
  uint64_t size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x;
  return 1 + (size < distance ? size : distance) / 16;
}

/* Goes up from gap->first, which cannot be read, and sets gap->last to the highest rowid tried
** that cannot be read. Stores in *good the next one tried, from which on rows can be
** read. Returns what probeRowid() returned for it. */
static int searchUp(sqlite3_stmt *rows, AuditGap *gap, sqlite3_int64 *good) {
  int rc = SQLITE_CORRUPT;
  sqlite3_int64 x = gap->first;
  while (utf8audit_is_corrupt(rc) && x != INT64_MAX) {
    uint64_t step = stride((uint64_t)x - (uint64_t)gap->first, x);
    uint64_t room = (uint64_t)INT64_MAX - (uint64_t)x;
    gap->last = x;
    x = (sqlite3_int64)((uint64_t)x + (step < room ? step : room));
    rc = probeRowid(rows, x);
  }
  *good = x;
  return rc;
}

/* Moves gap->last and *good together until they are neighbours. */
static int bisect(sqlite3_stmt *rows, AuditGap *gap, sqlite3_int64 *good) {
  uint64_t width;
  while ((width = (uint64_t)*good - (uint64_t)gap->last) > 1) {
    sqlite3_int64 middle = (sqlite3_int64)((uint64_t)gap->last + width / 2);
    int rc = probeRowid(rows, middle);
    if (rc == SQLITE_ROW || rc == SQLITE_DONE) {
      *good = middle;
      gap->is_end = rc == SQLITE_DONE;
    } else if (utf8audit_is_corrupt(rc)) {
      gap->last = middle;
    } else {
      return rc;
    }
  }
  return SQLITE_OK;
}

/* Goes down from gap->last to find a rowid in the gap from which on rows can be read. Stores it
** in *good, with gap->last below it, and returns SQLITE_ROW; or returns SQLITE_OK. */
static int searchDown(sqlite3_stmt *rows, AuditGap *gap, sqlite3_int64 *good) {
  const uint64_t width = (uint64_t)gap->last - (uint64_t)gap->first;
  for (uint64_t distance = 0, step = 1; step < width - distance;) {
    distance += step;
    sqlite3_int64 x = (sqlite3_int64)((uint64_t)gap->last - distance);
    int rc = probeRowid(rows, x);
    if (rc == SQLITE_ROW) {
      gap->last = gap->first;
      *good = x;
      return rc;
    }
    if (rc != SQLITE_DONE && !utf8audit_is_corrupt(rc)) return rc;
    step = stride(distance, x);
  }
  return SQLITE_OK;
}

/* Finds the end of the gap that starts at gap->first. After the first find, rows below it may
** be readable too, between two corrupt pages: *good only goes down. */
static int findEnd(sqlite3_stmt *rows, AuditGap *gap) {
  sqlite3_int64 good;
  int rc = searchUp(rows, gap, &good);
  if (utf8audit_is_corrupt(rc)) {
    gap->last = INT64_MAX;
    gap->is_end = 1;
  } else if (rc == SQLITE_ROW || rc == SQLITE_DONE) {
    gap->is_end = rc == SQLITE_DONE;
    rc = bisect(rows, gap, &good);
    if (rc != SQLITE_OK) return rc;
  } else {
    return rc;
  }
  while ((rc = searchDown(rows, gap, &good)) == SQLITE_ROW) {
    gap->is_end = 0;
    rc = bisect(rows, gap, &good);
    if (rc != SQLITE_OK) return rc;
  }
  return rc;
}

static int findGap(sqlite3_stmt *rows, sqlite3_int64 from, AuditGap *gap) {
  sqlite3_int64 first;
  int rc = readRows(rows, from, &first);
  if (!utf8audit_is_corrupt(rc)) return rc;
  *gap = (AuditGap){.first = first, .last = first};
  rc = probeRowid(rows, first);
  return utf8audit_is_corrupt(rc) ? findEnd(rows, gap) : rc;
}

int utf8audit_find_gap(sqlite3 *db, const AuditTable *table, AuditSelection selection,
                       sqlite3_int64 from, AuditGap *gap) {
  sqlite3_stmt *rows;
  int rc = utf8audit_prepare_rows(db, table, selection, AUDIT_EVERY_FROM, &rows);
  if (rc == SQLITE_OK) rc = findGap(rows, from, gap);
  sqlite3_finalize(rows);
  return rc;
}

/* ---- tables WITHOUT ROWID ----------------------------------------------------------- */

/* Steps to the last row before the first that cannot be read, and stores its number, from 1.
** Returns the error at the latter, or SQLITE_DONE. */
static int countRows(sqlite3_stmt *rows, sqlite3_int64 *count) {
  int rc;
  for (*count = 0; (rc = sqlite3_step(rows)) == SQLITE_ROW;) ++*count;
  sqlite3_reset(rows);
  return rc;
}

int utf8audit_last_row(sqlite3 *db, const AuditTable *table, AuditSelection selection,
                       sqlite3_stmt **last) {
  sqlite3_int64 count = 0;
  int rc = utf8audit_prepare_rows(db, table, selection, AUDIT_EVERY, last);
  if (rc == SQLITE_OK) rc = countRows(*last, &count);
  if (utf8audit_is_corrupt(rc)) {
    for (rc = SQLITE_ROW; count > 0 && rc == SQLITE_ROW; count--)
      rc = sqlite3_step(*last);
  }
  if (rc == SQLITE_ROW && sqlite3_data_count(*last) > 0) return SQLITE_OK;
  sqlite3_finalize(*last);
  *last = NULL;
  return rc == SQLITE_ROW ? SQLITE_OK : rc;
}
