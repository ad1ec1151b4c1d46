/* audit/row.c: what a scan found, as the columns of utf8_audit. */
#include "audit/row.h"
#include <string.h>

static void resultName(sqlite3_context *ctx, const AuditName *name) {
  sqlite3_result_text(ctx, name->shown, -1, SQLITE_TRANSIENT);
}

/* ---- SQL ---------------------------------------------------------------------------- */

/* Returns the scan's row, for SQL about it. resultWritten() frees what is written. */
static AuditRow rowOf(const AuditScan *scan) {
  return (AuditRow){.writer = {scan->db, sqlite3_str_new(scan->db), scan->encoding},
                    .table = &scan->table,
                    .rows = scan->rows,
                    .policy = &scan->policy};
}

/* Sets the result to what was written, NULL if nothing was; or, if rc is an error, to that
** error. Frees w->out. */
static void resultWritten(sqlite3_context *ctx, const AuditWriter *w, int rc) {
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(w->out);
  int size = sqlite3_str_length(w->out);
  char *text = sqlite3_str_finish(w->out);
  if (rc != SQLITE_OK) {
    sqlite3_result_error_code(ctx, rc);
    sqlite3_free(text);
  } else if (text) {
    utf8value_result_text(ctx, (uint8_t *)text, (size_t)size,
                          w->encoding != UTF8_ENCODING_UTF8);
  }
}

static void resultKey(sqlite3_context *ctx, const AuditScan *scan) {
  if (scan->table.key == AUDIT_ROWID) {
    sqlite3_result_value(ctx, sqlite3_column_value(scan->rows, 0));
  } else if (scan->table.key == AUDIT_PRIMARY_KEY) {
    AuditRow row = rowOf(scan);
    resultWritten(ctx, &row.writer, auditsql_append_key(&row));
  }
}

/* Under the policy auto, finds the charset of a column, and of those key columns that are
** repaired before it. */
static int detectCharsets(AuditScan *scan) {
  if (!scan->policy.is_auto) return SQLITE_OK;
  int rc = auditsql_detect_charset(scan->db, &scan->table, scan->column);
  if (scan->column >= scan->table.key_count) return rc;
  for (int i = 0; i < scan->column && rc == SQLITE_OK; i++)
    rc = auditsql_detect_charset(scan->db, &scan->table, i);
  return rc;
}

static void resultRepair(sqlite3_context *ctx, AuditScan *scan) {
  int rc = detectCharsets(scan);
  AuditRow row = rowOf(scan);
  if (rc == SQLITE_OK) rc = auditsql_append_repair(&row, scan->column, scan->x);
  resultWritten(ctx, &row.writer, rc);
}

/* Is what was written longer than a statement can be? Then rc, or the code of w->out, may be
** SQLITE_TOOBIG, which is not an error here. */
static int isOverlong(const AuditWriter *w, int rc) {
  return rc == SQLITE_TOOBIG || sqlite3_str_errcode(w->out) == SQLITE_TOOBIG ||
         sqlite3_str_length(w->out) > sqlite3_limit(w->db, SQLITE_LIMIT_SQL_LENGTH, -1);
}

static void resultUndo(sqlite3_context *ctx, AuditScan *scan) {
  int rc = detectCharsets(scan);
  AuditRow row = rowOf(scan);
  if (rc == SQLITE_OK) rc = auditsql_append_undo(&row, scan->column, scan->x);
  if (isOverlong(&row.writer, rc)) {
    sqlite3_free(sqlite3_str_finish(row.writer.out));
  } else {
    resultWritten(ctx, &row.writer, rc);
  }
}

/* ---- the value ---------------------------------------------------------------------- */

static void resultError(sqlite3_context *ctx, const AuditScan *scan) {
  const Utf8Value *v = &scan->value;
  const char *name = utf8suspect_kind_name(scan->kind);
  if (scan->kind == UTF8_SUSPECT_NONE) {
    unsigned dialect = utf8value_dialect(v, UTF8_STRICT);
    name = utf8core_error_name(
        (Utf8Error)utf8core_step(v->bytes, v->size, scan->offset, dialect).error);
  }
  sqlite3_result_text(ctx, name, -1, SQLITE_STATIC);
}

/* Counts the ill-formed subparts. */
static int countErrors(const AuditScan *scan, sqlite3_int64 *count) {
  const Utf8Value *v = &scan->value;
  unsigned dialect = utf8value_dialect(v, UTF8_STRICT);
  int rc = SQLITE_OK;
  for (size_t at = scan->offset; rc == SQLITE_OK && at < v->size; ++*count) {
    at += utf8core_step(v->bytes, v->size, at, dialect).length;
    rc = utf8value_find_error(scan->db, v, &at, v->size, dialect);
  }
  return rc;
}

/* Counts the code points, or misread runs, of the kind that the scan found first. */
static int countSuspects(const AuditScan *scan, sqlite3_int64 *count) {
  const Utf8Value *v = &scan->value;
  Utf8Chunks c = utf8value_chunks(scan->db, 0, v->size);
  while (utf8value_next(&c))
    *count +=
        (sqlite3_int64)utf8suspect_count(scan->kind, v->bytes, v->size, &c.at, c.until);
  return c.rc;
}

static void resultErrors(sqlite3_context *ctx, const AuditScan *scan) {
  sqlite3_int64 count = 0;
  int rc = scan->kind ? countSuspects(scan, &count) : countErrors(scan, &count);
  if (rc == SQLITE_OK) {
    sqlite3_result_int64(ctx, count);
  } else {
    sqlite3_result_error_code(ctx, rc);
  }
}

static void resultValue(sqlite3_context *ctx, const AuditScan *scan) {
  size_t size;
  const uint8_t *bytes = auditliteral_bytes(scan->x, scan->encoding, &size);
  if (bytes) {
    sqlite3_result_blob64(ctx, bytes, size, SQLITE_TRANSIENT);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
}

/* The columns of a row about a value, without those that every row has. */
static void resultOfValue(sqlite3_context *ctx, AuditScan *scan, AuditResult column) {
  switch (column) {
  case AUDIT_COLUMN:
    resultName(ctx, &scan->table.columns[scan->column].name);
    break;
  case AUDIT_KEY:
    resultKey(ctx, scan);
    break;
  case AUDIT_OFFSET:
    sqlite3_result_int64(ctx, (sqlite3_int64)scan->offset);
    break;
  case AUDIT_ERROR:
    resultError(ctx, scan);
    break;
  case AUDIT_ERRORS:
    resultErrors(ctx, scan);
    break;
  case AUDIT_REPAIR:
    resultRepair(ctx, scan);
    break;
  case AUDIT_VALUE:
    resultValue(ctx, scan);
    break;
  case AUDIT_UNDO:
    resultUndo(ctx, scan);
    break;
  default:
    break;
  }
}

void auditrow_result(sqlite3_context *ctx, AuditScan *scan, AuditResult column) {
  if (column == AUDIT_SCHEMA) {
    resultName(ctx, &scan->table.schema);
  } else if (column == AUDIT_TABLE) {
    resultName(ctx, &scan->table.name);
  } else if (!scan->unreadable) {
    resultOfValue(ctx, scan, column);
  } else if (column == AUDIT_ERROR) {
    sqlite3_result_text(ctx, scan->unreadable, -1, SQLITE_TRANSIENT);
  }
}
