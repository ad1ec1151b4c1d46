/* audit/call.c: the functions that repair a value. */
#include "audit/call.h"
#include "charset/legacy/legacy.h"
#include "sql/functions.h"

/* ---- as C --------------------------------------------------------------------------- */

static int callRepair(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                      Utf8Value *made) {
  return utf8sql_make_repaired(db, call->how, value, 0, made);
}

static int callFrom(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                    Utf8Value *made) {
  return utf8sql_make_decoded(db, call->how.charset, value, made);
}

static int callTo(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                  Utf8Value *made) {
  return utf8sql_make_encoded(db, call->how.charset, value, made);
}

/* The value escapes bytes. What they are in UTF-16 is well-formed. */
static int callUnescape(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                        Utf8Value *made) {
  (void)call;
  return utf8sql_open_escaped(db, value, made);
}

static int callStrip(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                     Utf8Value *made) {
  return utf8sql_make_stripped(db, call->kind, value, 0, made);
}

static int callStripBom(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                        Utf8Value *made) {
  (void)db, (void)call;
  const size_t bom = utf8core_bom_length(value->bytes, value->size);
  *made = utf8value_same(value);
  made->bytes += bom;
  made->size -= bom;
  return SQLITE_OK;
}

static int callDemojibake(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                          Utf8Value *made) {
  Utf8MojibakeCharset only;
  if (!call->option) return utf8sql_make_demojibaked(db, NULL, value, made);
  utf8mojibake_set_charset(&only, utf8charset_high(call->how.charset));
  return utf8sql_make_demojibaked(db, &only, value, made);
}

static const struct {
  const char *name;
  int (*call)(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
              Utf8Value *made);
} functions[] = {
    [AUDIT_UTF8_REPAIR] = {"utf8_repair", callRepair},
    [AUDIT_UTF8_FROM] = {"utf8_from", callFrom},
    [AUDIT_UTF8_TO] = {"utf8_to", callTo},
    [AUDIT_UTF8_UNESCAPE] = {"utf8_unescape", callUnescape},
    [AUDIT_UTF8_STRIP] = {"utf8_strip", callStrip},
    [AUDIT_UTF8_STRIP_BOM] = {"utf8_strip_bom", callStripBom},
    [AUDIT_UTF8_DEMOJIBAKE] = {"utf8_demojibake", callDemojibake},
};

static int makeCall(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                    Utf8Value *made) {
  return functions[call->function].call(db, call, value, made);
}

/* Like utf8audit_make_repaired(), for a repair with an inner call. */
static int makeBoth(sqlite3 *db, const AuditRepair *repair, const Utf8Value *text,
                    Utf8Value *made) {
  Utf8Value inner;
  *made = (Utf8Value){.type = SQLITE_NULL};
  int rc = makeCall(db, &repair->inner, text, &inner);
  if (rc == SQLITE_OK) rc = makeCall(db, &repair->outer, &inner, made);
  if (made->owned) {
    utf8value_close(&inner);
  } else { /* it may be the inner value, or a part of it */
    made->owned = inner.owned;
  }
  return rc;
}

int utf8audit_make_repaired(sqlite3 *db, const AuditRepair *repair,
                            const Utf8Value *text, Utf8Value *made) {
  const int rc = repair->inner.function ? makeBoth(db, repair, text, made)
                                        : makeCall(db, &repair->outer, text, made);
  made->from_utf16 = text->from_utf16;
  return rc;
}

/* ---- in SQL ------------------------------------------------------------------------- */

static void appendStart(sqlite3_str *out, const AuditCall *call) {
  sqlite3_str_appendf(out, "%s(", functions[call->function].name);
}

static void appendEnd(sqlite3_str *out, const AuditCall *call) {
  if (call->option) sqlite3_str_appendf(out, ", '%s'", call->option);
  sqlite3_str_appendall(out, ")");
}

static void appendStarts(sqlite3_str *out, const AuditRepair *repair) {
  appendStart(out, &repair->outer);
  if (repair->inner.function) appendStart(out, &repair->inner);
}

static void appendEnds(sqlite3_str *out, const AuditRepair *repair) {
  if (repair->inner.function) appendEnd(out, &repair->inner);
  appendEnd(out, &repair->outer);
}

void utf8audit_append_call(sqlite3_str *out, const AuditRepair *repair,
                           const char *column) {
  appendStarts(out, repair);
  sqlite3_str_appendf(out, "\"%w\"", column);
  appendEnds(out, repair);
}

void utf8audit_append_call_of_value(sqlite3_str *out, const AuditRepair *repair) {
  appendStarts(out, repair);
  sqlite3_str_appendall(out, "?1");
  appendEnds(out, repair);
}

int utf8audit_append_repaired(const AuditWriter *w, const AuditRepair *repair,
                              const Utf8Value *text) {
  Utf8Value made;
  int rc = utf8audit_make_repaired(w->db, repair, text, &made);
  if (rc == SQLITE_OK) rc = utf8audit_append_text(w, &made);
  utf8value_close(&made);
  return rc;
}
