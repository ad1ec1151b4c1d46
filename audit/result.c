/* audit/result.c: what a scan found, as the columns of utf8_audit. */
#include "audit/result.h"
#include "audit/call.h"
#include "audit/update.h"
#include "core/omit.h"
#include "sql/readings.h"
#include <string.h>

static void resultName(sqlite3_context *ctx, const AuditName *name) {
  sqlite3_result_text(ctx, name->shown, -1, SQLITE_TRANSIENT);
}

/* ---- SQL ---------------------------------------------------------------------------- */

/* Returns where SQL is written. resultWritten() frees it. */
static AuditWriter newWriter(const AuditContext *context) {
  return (AuditWriter){context->db, sqlite3_str_new(context->db), context->encoding};
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
  const AuditTable *table = &scan->in.table;
  const AuditRow *row = &scan->in.rows.row;
  if (table->key == AUDIT_ROWID) {
    sqlite3_result_value(ctx, sqlite3_column_value(row->stmt, 0));
  } else if (table->key == AUDIT_PRIMARY_KEY) {
    const AuditWriter w = newWriter(&scan->context);
    resultWritten(ctx, &w, utf8audit_append_key(&w, table, row, 0));
  }
}

static void resultRepair(sqlite3_context *ctx, const AuditScan *scan) {
  const AuditWriter w = newWriter(&scan->context);
  const AuditTableScan *in = &scan->in;
  resultWritten(ctx, &w,
                utf8audit_append_repair(&w, &in->table, &in->rows.row, &scan->found));
}

/* Is what was written longer than a statement can be? Then rc, or the code of w->out, may be
** SQLITE_TOOBIG, which is not an error here. */
static int isOverlong(const AuditWriter *w, int rc) {
  return rc == SQLITE_TOOBIG || sqlite3_str_errcode(w->out) == SQLITE_TOOBIG ||
         sqlite3_str_length(w->out) > sqlite3_limit(w->db, SQLITE_LIMIT_SQL_LENGTH, -1);
}

static void resultUndo(sqlite3_context *ctx, const AuditScan *scan) {
  const AuditWriter w = newWriter(&scan->context);
  const AuditTableScan *in = &scan->in;
  int rc = utf8audit_append_undo(&w, &in->table, &in->rows.row, &scan->found);
  if (isOverlong(&w, rc)) {
    sqlite3_free(sqlite3_str_finish(w.out));
  } else {
    resultWritten(ctx, &w, rc);
  }
}

/* ---- the value ---------------------------------------------------------------------- */

static void resultColumn(sqlite3_context *ctx, const AuditScan *scan) {
  resultName(ctx, &scan->in.table.columns[scan->found.column].name);
}

static void resultOffset(sqlite3_context *ctx, const AuditScan *scan) {
  sqlite3_result_int64(ctx, (sqlite3_int64)scan->found.offset);
}

static void resultError(sqlite3_context *ctx, const AuditScan *scan) {
  const AuditFinding *found = &scan->found;
  const Utf8Value *text = &found->text;
  const char *name = utf8suspect_kind_name(found->kind);
  if (found->shown == AUDIT_ACCIDENT) {
    name = UTF8_ACCIDENT_NAME;
  } else if (found->kind == UTF8_SUSPECT_NONE) {
    unsigned dialect = utf8value_dialect(text, UTF8_STRICT);
    name = utf8core_error_name(
        (Utf8Error)utf8core_step(text->bytes, text->size, found->offset, dialect)
            .error);
  }
  sqlite3_result_text(ctx, name, -1, SQLITE_STATIC);
}

static void resultErrors(sqlite3_context *ctx, const AuditScan *scan) {
  sqlite3_int64 count;
  int rc = utf8audit_count(&scan->found, scan->context.db, &count);
  if (rc == SQLITE_OK) {
    sqlite3_result_int64(ctx, count);
  } else {
    sqlite3_result_error_code(ctx, rc);
  }
}

/* Returns the bytes that the database stores for the TEXT x, and their number. NULL if memory ran out.
** Calls sqlite3_value_bytes16() first, since that may change the byte order of x. */
static const uint8_t *storedBytes(sqlite3_value *x, Utf8Encoding encoding,
                                  size_t *size) {
  if (encoding == UTF8_ENCODING_UTF8) {
    const uint8_t *text = sqlite3_value_text(x);
    *size = (size_t)sqlite3_value_bytes(x);
    return text;
  }
  *size = (size_t)sqlite3_value_bytes16(x);
  return encoding == UTF8_ENCODING_UTF16BE ? sqlite3_value_text16be(x)
                                           : sqlite3_value_text16le(x);
}

static void resultValue(sqlite3_context *ctx, const AuditScan *scan) {
  size_t size;
  const uint8_t *bytes = storedBytes(scan->found.x, scan->context.encoding, &size);
  if (bytes) {
    sqlite3_result_blob64(ctx, bytes, size, SQLITE_TRANSIENT);
  } else {
    sqlite3_result_error_nomem(ctx);
  }
}

static void resultCause(sqlite3_context *ctx, const AuditScan *scan) {
  const AuditFinding *found = &scan->found;
  char name[UTF8_CAUSE_NAME_MAX];
  if (found->through) {
    sqlite3_result_text(ctx, found->through, -1, SQLITE_STATIC);
  } else if (UTF8_HAS_DETECT && found->kind == UTF8_SUSPECT_NONE) {
    utf8detect_cause_name(found->shown == AUDIT_ACCIDENT ? found->misread.cause
                                                         : found->readings->cause,
                          name);
    sqlite3_result_text(ctx, name, -1, SQLITE_TRANSIENT);
  }
}

static void resultRepaired(sqlite3_context *ctx, const AuditScan *scan) {
  const AuditFinding *found = &scan->found;
  Utf8Value made;
  if (!found->repair.outer.function) return;
  const int rc =
      utf8audit_make_repaired(scan->context.db, &found->repair, &found->text, &made);
  utf8value_result_made(ctx, rc, &made, &found->text, found->x);
}

static void resultCall(sqlite3_context *ctx, const AuditScan *scan) {
  const AuditWriter w = newWriter(&scan->context);
  const AuditRepair *repair = &scan->found.repair;
  if (repair->outer.function) utf8audit_append_call(w.out, repair, NULL);
  resultWritten(ctx, &w, SQLITE_OK);
}

/* ---- readings ----------------------------------------------------------------------- */

/* Does the repair guess what the value was? */
static int isGuess(const AuditScan *scan) {
  const AuditFinding *found = &scan->found;
  if (!UTF8_HAS_DETECT || !found->repair.outer.function) return 0;
  if (found->shown) return 0; /* the column has decided it */
  if (found->kind == UTF8_SUSPECT_MOJIBAKE) return 1;
  return scan->context.policy.is_auto && found->kind == UTF8_SUSPECT_NONE;
}

/* Stores the readings of the value in its column. Returns SQLITE_OK or an error code. */
static int readTextsOf(const AuditScan *scan, Utf8TextReadings *readings) {
  return utf8sql_read_texts(readings, scan->context.db, &scan->found.text,
                            scan->found.readings);
}

/* Returns how probable it is that the value was what its repair makes of it. An unclear value is repaired as if
** it were damaged; misread text is what its likeliest reading is. */
static double probabilityOfRepaired(const Utf8TextReadings *readings,
                                    const AuditFinding *found) {
  char name[UTF8_CAUSE_NAME_MAX];
  if (found->kind == UTF8_SUSPECT_MOJIBAKE)
    return readings->count > 0 ? readings->list[0].probability : 0;
  const Utf8Cause cause = found->readings->cause;
  for (int i = 0; i < readings->count; i++) {
    const char *of = readings->list[i].cause;
    utf8detect_cause_name(cause, name);
    if (strcmp(of, name) == 0) return readings->list[i].probability;
    if (cause.kind != UTF8_CAUSE_UNCLEAR) continue;
    if (strcmp(of, "damaged") == 0 || strcmp(of, "cut") == 0)
      return readings->list[i].probability;
  }
  return 0;
}

static void resultProbability(sqlite3_context *ctx, const AuditScan *scan) {
  Utf8TextReadings readings = {NULL, 0};
  const Utf8Reading *misread = &scan->found.misread;
  if (scan->found.shown)
    sqlite3_result_double(ctx,
                          (double)misread->probability / (double)UTF8_PROBABILITY_ONE);
  if (!isGuess(scan)) return;
  const int rc = readTextsOf(scan, &readings);
  if (rc == SQLITE_OK) {
    sqlite3_result_double(ctx, probabilityOfRepaired(&readings, &scan->found));
  } else {
    sqlite3_result_error_code(ctx, rc);
  }
  utf8sql_clear_texts(&readings);
}

/* Appends well-formed text as a JSON string. */
static void appendJsonText(sqlite3_str *out, const uint8_t *text, size_t size) {
  size_t from = 0;
  sqlite3_str_appendchar(out, 1, '"');
  for (size_t i = 0; i < size; i++) {
    if (text[i] >= 0x20 && text[i] != '"' && text[i] != '\\') continue;
    sqlite3_str_append(out, (const char *)text + from, (int)(i - from));
    if (text[i] >= 0x20) {
      sqlite3_str_appendf(out, "\\%c", text[i]);
    } else {
      sqlite3_str_appendf(out, "\\u%04x", text[i]);
    }
    from = i + 1;
  }
  sqlite3_str_append(out, (const char *)text + from, (int)(size - from));
  sqlite3_str_appendchar(out, 1, '"');
}

/* Appends a member of a JSON object: null for no text. */
static void appendJsonMember(sqlite3_str *out, const char *key, const char *text) {
  sqlite3_str_appendf(out, ",\"%s\":", key);
  if (text && text[0]) {
    appendJsonText(out, (const uint8_t *)text, strlen(text));
  } else {
    sqlite3_str_appendall(out, "null");
  }
}

static void appendJsonReading(sqlite3_str *out, const Utf8TextReading *reading) {
  sqlite3_str_appendall(out, "{\"text\":");
  appendJsonText(out, reading->text, reading->size);
  appendJsonMember(out, "cause", reading->cause);
  appendJsonMember(out, "charset", reading->charset);
  appendJsonMember(out, "language", reading->language);
  sqlite3_str_appendf(out, ",\"probability\":%.6f}", reading->probability);
}

static void resultReadings(sqlite3_context *ctx, const AuditScan *scan) {
  Utf8TextReadings readings = {NULL, 0};
  if (!isGuess(scan)) return;
  const AuditWriter w = newWriter(&scan->context);
  const int rc = readTextsOf(scan, &readings);
  const int isUnclear = scan->found.kind == UTF8_SUSPECT_NONE &&
                        scan->found.readings->cause.kind == UTF8_CAUSE_UNCLEAR;
  const int isCertain = readings.count == 1 && !isUnclear;
  for (int i = 0; !isCertain && i < readings.count; i++) {
    sqlite3_str_appendall(w.out, i == 0 ? "[" : ",");
    appendJsonReading(w.out, &readings.list[i]);
    if (i + 1 == readings.count) sqlite3_str_appendall(w.out, "]");
  }
  utf8sql_clear_texts(&readings);
  resultWritten(ctx, &w, rc);
}

/* The columns of a row about a value, without those that every row has. */
static void (*const resultsOfValue[])(sqlite3_context *, const AuditScan *) = {
    [AUDIT_COLUMN] = resultColumn,
    [AUDIT_KEY] = resultKey,
    [AUDIT_OFFSET] = resultOffset,
    [AUDIT_ERROR] = resultError,
    [AUDIT_ERRORS] = resultErrors,
    [AUDIT_REPAIR] = resultRepair,
    [AUDIT_VALUE] = resultValue,
    [AUDIT_UNDO] = resultUndo,
    [AUDIT_CAUSE] = resultCause,
    [AUDIT_REPAIRED] = resultRepaired,
    [AUDIT_PROBABILITY] = resultProbability,
    [AUDIT_READINGS] = resultReadings,
    [AUDIT_CALL] = resultCall,
};

void utf8audit_result(sqlite3_context *ctx, const AuditScan *scan, AuditResult column) {
  if (column == AUDIT_SCHEMA) {
    resultName(ctx, &scan->in.table.schema);
  } else if (column == AUDIT_TABLE) {
    resultName(ctx, &scan->in.table.name);
  } else if (!scan->found.unreadable) {
    resultsOfValue[column](ctx, scan);
  } else if (column == AUDIT_ERROR) {
    sqlite3_result_text(ctx, scan->found.unreadable, -1, SQLITE_TRANSIENT);
  }
}
