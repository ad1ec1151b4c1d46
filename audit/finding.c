/* audit/finding.c: what an audit found. */
#include "audit/finding.h"
#include "audit/table.h"
#include "mojibake/mojibake.h"

void utf8audit_clear_finding(AuditFinding *found) {
  utf8value_close(&found->text);
  sqlite3_free(found->readings);
  sqlite3_free(found->unreadable);
  *found = (AuditFinding){.unreadable = NULL};
}

/* ---- values ------------------------------------------------------------------------- */

/* Finds what is suspicious in well-formed text. Stores UTF8_SUSPECT_NONE if nothing is. */
static int findFirstSuspect(sqlite3 *db, const Utf8Value *text,
                            Utf8SuspectFound *suspect) {
  Utf8Chunks c = utf8value_chunks(db, 0, text->size);
  while (utf8value_next(&c)) {
    if (utf8suspect_find(text->bytes, text->size, &c.at, c.until, suspect))
      return SQLITE_OK;
  }
  suspect->kind = UTF8_SUSPECT_NONE;
  return c.rc;
}

/* Like utf8audit_check_value(), for a value that is open as found->text. */
static int checkText(AuditFinding *found, const AuditContext *context) {
  Utf8SuspectFound suspect = {.kind = UTF8_SUSPECT_NONE};
  const Utf8Value *text = &found->text;
  unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  int rc = utf8value_find_error(context->db, text, &found->offset, text->size, dialect);
  if (rc != SQLITE_OK) return rc;
  if (found->offset < text->size) return SQLITE_ROW;
  if (!context->policy.suspects) return SQLITE_DONE;
  rc = findFirstSuspect(context->db, text, &suspect);
  found->kind = suspect.kind;
  found->offset = suspect.offset;
  if (suspect.kind == UTF8_SUSPECT_MOJIBAKE)
    found->through = utf8mojibake_charset_name(suspect.charset);
  if (rc != SQLITE_OK) return rc;
  return suspect.kind == UTF8_SUSPECT_NONE ? SQLITE_DONE : SQLITE_ROW;
}

int utf8audit_check_value(AuditFinding *found, const AuditContext *context, int column,
                          sqlite3_value *x) {
  *found = (AuditFinding){.column = column, .x = x, .kind = UTF8_SUSPECT_NONE};
  int rc = utf8value_open(&found->text, x, context->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = checkText(found, context);
  if (rc != SQLITE_ROW) utf8audit_clear_finding(found);
  return rc;
}

static int countErrors(const AuditFinding *found, sqlite3 *db, sqlite3_int64 *count) {
  const Utf8Value *text = &found->text;
  const unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
  Utf8Chunks c = utf8value_chunks(db, found->offset, text->size);
  while (utf8value_next(&c)) {
    while (c.at < c.until) {
      const Utf8FirstError error =
          utf8core_find_error(text->bytes, text->size, c.at, c.until, dialect);
      *count += error.error != UTF8_WELL_FORMED;
      c.at = error.offset + error.length;
    }
  }
  return c.rc;
}

static int countSuspects(const AuditFinding *found, sqlite3 *db, sqlite3_int64 *count) {
  const Utf8Value *text = &found->text;
  Utf8Chunks c = utf8value_chunks(db, 0, text->size);
  while (utf8value_next(&c))
    *count += (sqlite3_int64)utf8suspect_count(found->kind, text->bytes, text->size,
                                               &c.at, c.until);
  return c.rc;
}

int utf8audit_count(const AuditFinding *found, sqlite3 *db, sqlite3_int64 *count) {
  *count = (sqlite3_int64)found->words;
  if (found->shown) return SQLITE_OK;
  return found->kind == UTF8_SUSPECT_NONE ? countErrors(found, db, count)
                                          : countSuspects(found, db, count);
}

/* ---- what cannot be read ------------------------------------------------------------ */

int utf8audit_set_unreadable(AuditFinding *found, const char *where, const char *why) {
  char *message = utf8audit_escape(why);
  if (message)
    found->unreadable =
        sqlite3_mprintf("unreadable: %s%s%.*s", where ? where : "", where ? ": " : "",
                        utf8audit_quoted(message), message);
  sqlite3_free(message);
  return found->unreadable ? SQLITE_ROW : SQLITE_NOMEM;
}

/* Is memory there? Then a page has made SQLite ask for too much. */
static int hasMemory(void) {
  enum { LARGEST_PAGE = 65536 };
  void *page = sqlite3_malloc(LARGEST_PAGE);
  sqlite3_free(page);
  return page != NULL;
}

/* Not SQLITE_IOERR: after it SQLite ends all statements of the connection. */
int utf8audit_is_corrupt(int rc) {
  int code = rc & 0xFF;
  return code == SQLITE_CORRUPT || code == SQLITE_TOOBIG ||
         (rc == SQLITE_NOMEM && hasMemory());
}

/* SQLite returns ABORT after a ROLLBACK. */
int utf8audit_is_fatal(int rc) {
  int code = rc & 0xFF;
  return code == SQLITE_INTERRUPT || code == SQLITE_NOMEM || code == SQLITE_ABORT;
}

/* SQLite keeps no message if a statement was too long to be built. */
const char *utf8audit_why(sqlite3 *db, int rc) {
  const int isLast = (sqlite3_errcode(db) & 0xFF) == (rc & 0xFF);
  return isLast ? sqlite3_errmsg(db) : sqlite3_errstr(rc);
}

int utf8audit_failed(AuditFinding *found, sqlite3 *db, int rc, const char *why) {
  int extended = sqlite3_extended_errcode(db);
  if (utf8audit_is_fatal(rc)) return (extended & 0xFF) == rc ? extended : rc;
  return utf8audit_set_unreadable(found, NULL, why);
}
