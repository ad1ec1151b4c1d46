/* audit/misread.c: finds text in a legacy charset that is well-formed, by the values of its column. */
#include "audit/misread.h"
#include "audit/neighbours.h"
#include "mojibake/mojibake.h"
#include "core/bytes.h"
#include "core/utf8core.h"
#include <limits.h>
#include <string.h>

/* ---- columns ---------------------------------------------------------------------------------- */

/* Allocates what the first strong value of a column needs. */
static int beginMisread(AuditTable *table, AuditColumn *column) {
  if (!table->evidence) table->evidence = sqlite3_malloc64(sizeof *table->evidence);
  if (!column->misread) {
    column->misread = sqlite3_malloc64(sizeof *column->misread);
    if (column->misread) memset(column->misread, 0, sizeof *column->misread);
  }
  return table->evidence && column->misread ? SQLITE_OK : AUDIT_NO_MEMORY;
}

/* Returns a zeroed column or table, or NULL. */
static Utf8MojibakeColumn *newMojibake(void) {
  Utf8MojibakeColumn *column = sqlite3_malloc64(sizeof *column);
  if (column) memset(column, 0, sizeof *column);
  return column;
}

static int addMojibake(AuditColumn *column, const Utf8Value *text) {
  if (bytes_skip_ascii(text->bytes, 0, text->size) == text->size ||
      !utf8core_valid(text->bytes, text->size))
    return SQLITE_OK;
  if (!column->mojibake) column->mojibake = newMojibake();
  if (!column->mojibake) return AUDIT_NO_MEMORY;
  utf8mojibake_column_add(column->mojibake, text->bytes, text->size);
  return SQLITE_OK;
}

static int addMisread(AuditTable *table, AuditColumn *column, const Utf8Value *text) {
  Utf8MisreadValue value;
  utf8detect_misread_read(&value, text->bytes, text->size);
  column->has_latin |= value.kind == UTF8_MISREAD_LATIN;
  if (value.kind == UTF8_MISREAD_STRONG) {
    const int rc = beginMisread(table, column);
    if (rc != SQLITE_OK) return rc;
  }
  if (!column->misread) return SQLITE_OK;
  if (value.kind == UTF8_MISREAD_NOTHING) {
    utf8detect_misread_add_clean(column->misread, text->bytes, text->size);
  } else {
    utf8detect_misread_add(column->misread, table->evidence, &value);
  }
  return SQLITE_OK;
}

/* Finds the columns in which text may be well-formed by accident. Returns SQLITE_OK or an error code. */
static int findAccidents(AuditTable *table, int *any) {
  for (int i = 0; i < table->column_count; i++) {
    AuditColumn *column = &table->columns[i];
    column->has_accidents =
        column->neighbours && utf8detect_has_accidents(column->neighbours);
    *any |= column->has_accidents;
  }
  if (*any && !table->evidence)
    table->evidence = sqlite3_malloc64(sizeof *table->evidence);
  return *any && !table->evidence ? AUDIT_NO_MEMORY : SQLITE_OK;
}

/* Rows of a table that are being read. */
typedef struct MisreadRows {
  const AuditContext *context;
  AuditTable *table;
  AuditSelection selection;
  sqlite3_stmt *stmt;
} MisreadRows;

static int addMisreadRow(const MisreadRows *r) {
  AuditTable *table = r->table;
  int column, rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && i < r->selection.count + r->selection.key; i++) {
    sqlite3_value *x =
        utf8audit_selected_value(table, r->selection, r->stmt, i, &column);
    Utf8Value text;
    if (sqlite3_value_type(x) != SQLITE_TEXT) continue;
    rc = utf8value_open(&text, x, r->context->encoding);
    if (rc != SQLITE_OK) return rc;
    rc = addMisread(table, &table->columns[column], &text);
    if (rc == SQLITE_OK) rc = addMojibake(&table->columns[column], &text);
    utf8value_close(&text);
  }
  return rc;
}

/* Does the column have text that was read as Latin-1? */
static int mayHaveLatin1(AuditColumn *column) {
  if (!column->misread) return 0;
  column->misread->has_latin |= column->has_latin;
  return utf8detect_misread_estimate(column->misread);
}

/* May the column have misread UTF-8 that its values show, or those of the table? */
static int mayHaveMojibake(AuditColumn *column, int is_in_table) {
  return column->mojibake &&
         (utf8mojibake_column_estimate(column->mojibake) || is_in_table);
}

/* Adds up what may be misread UTF-8 in the columns. */
static int mergeMojibake(AuditTable *table) {
  for (int i = 0; i < table->column_count; i++) {
    const AuditColumn *column = &table->columns[i];
    if (!column->mojibake) continue;
    if (!table->mojibake) table->mojibake = newMojibake();
    if (!table->mojibake) return AUDIT_NO_MEMORY;
    utf8mojibake_column_merge(table->mojibake, column->mojibake);
  }
  return SQLITE_OK;
}

/* Keeps the columns that have such text. */
static int keepMisread(AuditTable *table) {
  const int is_in_table =
      table->mojibake && utf8mojibake_column_estimate(table->mojibake);
  int any = 0;
  for (int i = 0; i < table->column_count; i++) {
    AuditColumn *column = &table->columns[i];
    const int is_latin1 = mayHaveLatin1(column),
              is_mojibake = mayHaveMojibake(column, is_in_table);
    any |= is_latin1 || is_mojibake;
    if (!is_latin1) {
      sqlite3_free(column->misread);
      column->misread = NULL;
    }
    if (!is_mojibake) {
      sqlite3_free(column->mojibake);
      column->mojibake = NULL;
    }
  }
  return any;
}

/* Adds at most `rows` rows. Returns SQLITE_OK if there may be more, SQLITE_DONE at the end, or an error code. */
static int addMisreadRows(const MisreadRows *r, int rows) {
  int rc = SQLITE_OK;
  while (rc == SQLITE_OK && rows-- > 0) {
    rc = sqlite3_step(r->stmt);
    if (rc == SQLITE_ROW) rc = addMisreadRow(r);
  }
  return rc;
}

/* Adds samples of the rows after a rowid. Only a table with AUDIT_ROWID has them. */
static int addSamples(MisreadRows *r, sqlite3_int64 after) {
  sqlite3_int64 highest;
  int rc = utf8audit_highest_rowid(r->context->db, r->table, &highest);
  if (rc != SQLITE_OK) return rc;
  const uint64_t step = ((uint64_t)highest - (uint64_t)after) / UTF8_MISREAD_SAMPLES;
  if (step <= UTF8_MISREAD_SAMPLE_ROWS) return addMisreadRows(r, INT_MAX);
  sqlite3_finalize(r->stmt);
  rc = utf8audit_prepare_rows(r->context->db, r->table, r->selection, AUDIT_EVERY_FROM,
                              &r->stmt);
  for (int i = 0; rc == SQLITE_OK && i < UTF8_MISREAD_SAMPLES; i++) {
    const uint64_t from = (uint64_t)after + step * (uint64_t)i + 1;
    rc = sqlite3_bind_int64(r->stmt, 1, (sqlite3_int64)from);
    if (rc == SQLITE_OK) rc = addMisreadRows(r, UTF8_MISREAD_SAMPLE_ROWS);
    if (rc == SQLITE_OK || rc == SQLITE_DONE) rc = sqlite3_reset(r->stmt);
  }
  return rc;
}

static int addMisreadTable(MisreadRows *r) {
  int rc = utf8audit_prepare_rows(r->context->db, r->table, r->selection, AUDIT_EVERY,
                                  &r->stmt);
  if (rc == SQLITE_OK) rc = addMisreadRows(r, UTF8_MISREAD_ROWS);
  if (rc == SQLITE_OK && r->table->key == AUDIT_ROWID)
    rc = addSamples(r, sqlite3_column_int64(r->stmt, 0));
  while (rc == SQLITE_OK && r->table->key != AUDIT_ROWID)
    rc = addMisreadRows(r, INT_MAX);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

int utf8audit_read_misread(const AuditContext *context, AuditTable *table,
                           AuditSelection selection, int *any) {
  MisreadRows rows = {context, table, selection, NULL};
  utf8audit_forget_misread(table);
  int rc = addMisreadTable(&rows);
  sqlite3_finalize(rows.stmt);
  if ((rc & 0xFF) == SQLITE_CORRUPT || rc == SQLITE_TOOBIG) rc = SQLITE_OK;
  if (rc == SQLITE_OK) rc = mergeMojibake(table);
  *any = rc == SQLITE_OK && keepMisread(table);
  if (rc == SQLITE_OK) rc = findAccidents(table, any);
  if (!*any) utf8audit_forget_misread(table);
  return rc;
}

/* ---- values ----------------------------------------------------------------------------------- */

/* Stores what the value is, which is open as found->text. Returns SQLITE_ROW or SQLITE_DONE. */
static int readOpenAccident(AuditFinding *found, const AuditTable *table) {
  const uint8_t *text = found->text.bytes;
  const size_t size = found->text.size;
  const Utf8Neighbours among = utf8audit_neighbours_of(table, found->column);
  if (size > UTF8_ACCIDENT_LONGEST || !utf8core_valid(text, size)) return SQLITE_DONE;
  if (!utf8detect_is_accident(text, size, table->evidence, &among, &found->misread))
    return SQLITE_DONE;
  found->shown = AUDIT_ACCIDENT;
  found->offset = bytes_skip_ascii(text, 0, size);
  for (size_t i = 0; i < size; i++) found->words += text[i] >= 0xC0;
  return SQLITE_ROW;
}

/* Likewise for what it was misread from. */
static int readOpenMisread(AuditFinding *found, const AuditTable *table) {
  const Utf8MisreadColumn *column = table->columns[found->column].misread;
  Utf8MisreadValue value;
  utf8detect_misread_read(&value, found->text.bytes, found->text.size);
  if (!utf8detect_misread_decide(column, table->evidence, &value, &found->misread))
    return SQLITE_DONE;
  found->shown = AUDIT_LATIN1;
  found->kind = UTF8_SUSPECT_MOJIBAKE;
  found->offset = value.first;
  found->words = value.words;
  found->through = utf8core_charset_name(value.through);
  return SQLITE_ROW;
}

int utf8audit_check_misread(AuditFinding *found, const AuditContext *context,
                            const AuditTable *table, int column, sqlite3_value *x) {
  const AuditColumn *in = &table->columns[column];
  if (!in->misread && !in->has_accidents) return SQLITE_DONE;
  *found = (AuditFinding){.column = column, .x = x, .kind = UTF8_SUSPECT_NONE};
  int rc = utf8value_open(&found->text, x, context->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = in->misread ? readOpenMisread(found, table) : SQLITE_DONE;
  if (rc == SQLITE_DONE && in->has_accidents) rc = readOpenAccident(found, table);
  if (rc != SQLITE_ROW) utf8audit_clear_finding(found);
  return rc;
}

/* Stores what misread UTF-8 was. */
static int readOpenMojibake(AuditFinding *found, const AuditTable *table) {
  const Utf8Value *text = &found->text;
  Utf8MojibakeFound misread;
  if (!utf8mojibake_column_find(table->columns[found->column].mojibake, table->mojibake,
                                text->bytes, text->size, &misread,
                                &found->misread.probability))
    return SQLITE_DONE;
  found->shown = AUDIT_MOJIBAKE;
  found->kind = UTF8_SUSPECT_MOJIBAKE;
  found->offset = misread.offset;
  found->words = misread.runs;
  found->through = utf8mojibake_charset_name(misread.charset);
  return SQLITE_ROW;
}

int utf8audit_check_mojibake(AuditFinding *found, const AuditContext *context,
                             const AuditTable *table, int column, sqlite3_value *x) {
  if (!table->columns[column].mojibake) return SQLITE_DONE;
  *found = (AuditFinding){.column = column, .x = x, .kind = UTF8_SUSPECT_NONE};
  int rc = utf8value_open(&found->text, x, context->encoding);
  if (rc != SQLITE_OK) return rc;
  rc = readOpenMojibake(found, table);
  if (rc != SQLITE_ROW) utf8audit_clear_finding(found);
  return rc;
}
