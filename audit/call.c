/* audit/call.c: the functions that repair a value. */
#include "audit/call.h"
#include "charset/legacy/legacy.h"
#include "sql/functions.h"

/* ---- as C --------------------------------------------------------------------------- */

static int stripBom(const Utf8Value *value, Utf8Value *made) {
  const size_t bom = utf8core_bom_length(value->bytes, value->size);
  *made = utf8value_same(value);
  made->bytes += bom;
  made->size -= bom;
  return SQLITE_OK;
}

static int demojibake(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                      Utf8Value *made) {
  Utf8MojibakeCharset only;
  if (!call->option) return utf8sql_make_demojibaked(db, NULL, value, made);
  utf8mojibake_set_charset(&only, utf8charset_high(call->how.charset));
  return utf8sql_make_demojibaked(db, &only, value, made);
}

static int makeCall(sqlite3 *db, const AuditCall *call, const Utf8Value *value,
                    Utf8Value *made) {
  switch (call->function) {
  case AUDIT_UTF8_REPAIR:
    return utf8sql_make_repaired(db, call->how, value, 0, made);
  case AUDIT_UTF8_FROM:
    return utf8sql_make_decoded(db, call->how.charset, value, made);
  case AUDIT_UTF8_TO:
    return utf8sql_make_encoded(db, call->how.charset, value, made);
  case AUDIT_UTF8_UNESCAPE: /* what it is in UTF-16 is well-formed */
    return utf8sql_open_escaped(db, value, made);
  case AUDIT_UTF8_STRIP:
    return utf8sql_make_stripped(db, call->kind, value, 0, made);
  case AUDIT_UTF8_STRIP_BOM:
    return stripBom(value, made);
  default: /* AUDIT_UTF8_DEMOJIBAKE */
    return demojibake(db, call, value, made);
  }
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
  static const char *const names[] = {
      [AUDIT_UTF8_REPAIR] = "utf8_repair",
      [AUDIT_UTF8_FROM] = "utf8_from",
      [AUDIT_UTF8_TO] = "utf8_to",
      [AUDIT_UTF8_UNESCAPE] = "utf8_unescape",
      [AUDIT_UTF8_STRIP] = "utf8_strip",
      [AUDIT_UTF8_STRIP_BOM] = "utf8_strip_bom",
      [AUDIT_UTF8_DEMOJIBAKE] = "utf8_demojibake",
  };
  sqlite3_str_appendf(out, "%s(", names[call->function]);
}

static void appendEnd(sqlite3_str *out, const AuditCall *call) {
  if (call->option) sqlite3_str_appendf(out, ", '%s'", call->option);
  sqlite3_str_appendall(out, ")");
}

void utf8audit_append_call(sqlite3_str *out, const AuditRepair *repair,
                           const char *column) {
  const int has_inner = repair->inner.function != AUDIT_NO_FUNCTION;
  appendStart(out, &repair->outer);
  if (has_inner) appendStart(out, &repair->inner);
  if (column) {
    sqlite3_str_appendf(out, "\"%w\"", column);
  } else {
    sqlite3_str_appendall(out, "?1");
  }
  if (has_inner) appendEnd(out, &repair->inner);
  appendEnd(out, &repair->outer);
}

int utf8audit_append_repaired(const AuditWriter *w, const AuditRepair *repair,
                              const Utf8Value *text) {
  Utf8Value made;
  int rc = utf8audit_make_repaired(w->db, repair, text, &made);
  if (rc == SQLITE_OK) rc = utf8audit_append_text(w, &made);
  utf8value_close(&made);
  return rc;
}
