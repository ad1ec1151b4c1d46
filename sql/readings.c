/* sql/readings.c: the table utf8_readings, a row for each text that a value may have been.
**
**     SELECT text, cause, probability FROM utf8_readings(x'4d75f16f7a');
**     -- Muñoz|windows-1252|0.72, then Muńoz|windows-1250|0.25
**
** The rows are made when the scan starts, by detect/readings.h and mojibake/readings.h. SQLite checks all conditions but the hidden
** argument itself.
*/
#include "sql/readings.h"
#include "mojibake/readings.h"
#include "sql/functions.h"
#include <string.h>

/* ---- the texts ------------------------------------------------------------------------------- */

void utf8sql_clear_texts(Utf8TextReadings *readings) {
  for (int i = 0; i < readings->count; i++) sqlite3_free(readings->list[i].text);
  sqlite3_free(readings->list);
  *readings = (Utf8TextReadings){NULL, 0};
}

/* Adds a reading, to whose list the text then belongs. */
static void addOwnedText(Utf8TextReadings *r, const Utf8Output *text, Utf8Reading of) {
  if (!utf8detect_add_text(r, text->bytes, text->used, of)) sqlite3_free(text->bytes);
}

/* Adds the text of a reading, unless that is not text. */
static int addReadingOf(Utf8TextReadings *r, sqlite3 *db, const Utf8Value *value,
                        Utf8Reading of) {
  int is_kept;
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  const int rc = utf8sql_repair_by_cause(db, of.cause, value, 0, &out, &is_kept);
  if (rc == SQLITE_OK && out.bytes) {
    addOwnedText(r, &out, of);
    return rc;
  }
  sqlite3_free(out.bytes);
  return rc;
}

/* Sorts the readings, and removes those that are not listed. */
static void sortTexts(Utf8TextReadings *r) {
  const int listed = utf8detect_sort_texts(r);
  while (r->count > listed) sqlite3_free(r->list[--r->count].text);
}

/* Adds a text that the well-formed value may have been before it was misread in a charset, or itself: charset < 0. */
static int addMisreadOf(Utf8TextReadings *r, sqlite3 *db, const uint8_t *text,
                        size_t size, int charset, double probability) {
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, 0)};
  const int rc = utf8value_grow(&out, (uint64_t)size + 1);
  if (rc != SQLITE_OK) return rc;
  if (size > 0) memcpy(out.bytes, text, size);
  const int is_new = utf8detect_add_misread(
      r, out.bytes, size, utf8mojibake_charset_name(charset), probability);
  if (!is_new) sqlite3_free(out.bytes); /* unreachable: readings are different texts */
  return rc;
}

/* Reads a value that is one short line. */
static int readShortLine(Utf8TextReadings *r, sqlite3 *db, const Utf8Value *value) {
  Utf8MojibakeReadings readings;
  int rc = SQLITE_OK;
  utf8mojibake_readings(&readings, NULL, value->bytes, value->size);
  for (size_t i = 0; rc == SQLITE_OK && i < readings.count; i++) {
    const Utf8MojibakeReading *of = &readings.list[i];
    rc = addMisreadOf(r, db, of->text, of->of.written, of->of.charset,
                      (double)of->probability / (double)UTF8_MOJIBAKE_ONE);
  }
  return rc;
}

/* Reads a longer value: it is what utf8_demojibake makes of it. */
static int readOtherText(Utf8TextReadings *r, sqlite3 *db, const Utf8Value *value) {
  Utf8Output out = {NULL, 0, 0, utf8value_longest(db, value->from_utf16)};
  int charset = -1;
  int rc = utf8sql_undo_mojibake(db, value->bytes, value->size, &charset, &out);
  if (rc == SQLITE_OK && charset < 0)
    rc = addMisreadOf(r, db, value->bytes, value->size, -1, 1);
  else if (rc == SQLITE_OK)
    rc = addMisreadOf(r, db, out.bytes, out.used, charset, UTF8_MOJIBAKE_SURELY);
  sqlite3_free(out.bytes);
  return rc;
}

static int readWellFormed(Utf8TextReadings *r, sqlite3 *db, const Utf8Value *value) {
  return utf8mojibake_is_line(value->bytes, value->size) ? readShortLine(r, db, value)
                                                         : readOtherText(r, db, value);
}

static int readIllFormed(Utf8TextReadings *r, sqlite3 *db, const Utf8Value *value,
                         const Utf8Readings *known) {
  Utf8Readings alone;
  int rc = SQLITE_OK;
  if (!known) rc = utf8sql_find_readings(db, value, NULL, &alone);
  const Utf8Readings *readings = known ? known : &alone;
  for (size_t i = 0; rc == SQLITE_OK && i < readings->count; i++)
    rc = addReadingOf(r, db, value, readings->list[i]);
  return rc;
}

int utf8sql_read_texts(Utf8TextReadings *r, sqlite3 *db, const Utf8Value *value,
                       const Utf8Readings *known) {
  size_t at = 0;
  const unsigned dialect = utf8value_dialect(value, UTF8_STRICT);
  int rc = utf8value_find_error(db, value, &at, value->size, dialect);
  if (rc != SQLITE_OK) return rc;
  r->list = sqlite3_malloc64(sizeof *r->list * UTF8_READINGS_MAX);
  if (!r->list) return SQLITE_NOMEM;
  rc = at == value->size ? readWellFormed(r, db, value)
                         : readIllFormed(r, db, value, known);
  sortTexts(r);
  return rc;
}

/* ---- the table --------------------------------------------------------------------------------- */

static const char readingsDeclaration[] =
    "CREATE TABLE utf8_readings(text TEXT, cause TEXT, charset TEXT, language TEXT, "
    "probability REAL, input HIDDEN)";

enum {
  READINGS_TEXT,
  READINGS_CAUSE,
  READINGS_CHARSET,
  READINGS_LANGUAGE,
  READINGS_PROBABILITY,
  READINGS_INPUT
};

typedef struct ReadingsCursor {
  sqlite3_vtab_cursor base;
  sqlite3_value *input; /* a copy of the argument, or NULL */
  Utf8TextReadings readings;
  int row;
  uint64_t identity; /* of the argument, for rowids */
} ReadingsCursor;

/* The argument must be known before the scan starts. A scan without it fails, and costs more than any number of scans with
** it, so that OR never pays: see audit/audit.c. */
static int readingsBestIndex(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  const int rc = utf8vtab_plan_argument(info, READINGS_INPUT);
  info->estimatedCost = info->idxNum ? 1000 : 1e18;
  info->estimatedRows = info->idxNum ? 3 : UTF8_TEXT_READINGS_MAX;
  return rc;
}

static void clearReadings(ReadingsCursor *c) {
  utf8sql_clear_texts(&c->readings);
  sqlite3_value_free(c->input);
  *c = (ReadingsCursor){.base = c->base};
}

static int readingsClose(sqlite3_vtab_cursor *cursor) {
  clearReadings((ReadingsCursor *)cursor);
  return utf8vtab_close(cursor);
}

/* Numbers and NULL have no reading. */
static int readInput(ReadingsCursor *c) {
  sqlite3 *db = ((Utf8Table *)c->base.pVtab)->db;
  const int type = sqlite3_value_type(c->input);
  Utf8Encoding encoding;
  Utf8Value value;
  if (type != SQLITE_TEXT && type != SQLITE_BLOB) return SQLITE_OK;
  int rc = utf8value_db_encoding(db, &encoding);
  if (rc == SQLITE_OK) rc = utf8value_open(&value, c->input, encoding);
  if (rc != SQLITE_OK) return rc;
  c->identity =
      utf8vtab_hash(utf8vtab_hash(0, &type, sizeof type), value.bytes, value.size);
  rc = utf8sql_read_texts(&c->readings, db, &value, NULL);
  utf8value_close(&value);
  return rc;
}

static int readingsFilter(sqlite3_vtab_cursor *cursor, int plan, const char *unused,
                          int argc, sqlite3_value **argv) {
  (void)unused, (void)argc;
  ReadingsCursor *c = (ReadingsCursor *)cursor;
  clearReadings(c);
  if (!plan) return utf8vtab_no_input(cursor, "utf8_readings");
  c->input = sqlite3_value_dup(argv[0]);
  return c->input ? readInput(c) : SQLITE_NOMEM;
}

static int readingsNext(sqlite3_vtab_cursor *cursor) {
  ((ReadingsCursor *)cursor)->row++;
  return SQLITE_OK;
}

static int readingsEof(sqlite3_vtab_cursor *cursor) {
  const ReadingsCursor *c = (const ReadingsCursor *)cursor;
  return c->row == c->readings.count;
}

static void resultReadingName(sqlite3_context *ctx, const char *name) {
  if (name && name[0]) sqlite3_result_text(ctx, name, -1, SQLITE_TRANSIENT);
}

static int readingsColumn(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx, int i) {
  const ReadingsCursor *c = (const ReadingsCursor *)cursor;
  const Utf8TextReading *reading = &c->readings.list[c->row];
  switch (i) {
  case READINGS_TEXT:
    utf8value_result_utf8(ctx, reading->text, reading->size, SQLITE_TRANSIENT);
    break;
  case READINGS_CAUSE:
    resultReadingName(ctx, reading->cause);
    break;
  case READINGS_CHARSET:
    resultReadingName(ctx, reading->charset);
    break;
  case READINGS_LANGUAGE:
    resultReadingName(ctx, reading->language);
    break;
  case READINGS_PROBABILITY:
    sqlite3_result_double(ctx, reading->probability);
    break;
  default:
    sqlite3_result_value(ctx, c->input);
    break;
  }
  return SQLITE_OK;
}

static int readingsRowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  const ReadingsCursor *c = (const ReadingsCursor *)cursor;
  *rowid = (sqlite3_int64)utf8vtab_hash(c->identity, &c->row, sizeof c->row);
  return SQLITE_OK;
}

const Utf8Module utf8sql_readings = {
    .declaration = readingsDeclaration,
    .risk = SQLITE_VTAB_INNOCUOUS,
    .cursor_size = sizeof(ReadingsCursor),
    .module = {.xConnect = utf8vtab_connect,
               .xBestIndex = readingsBestIndex,
               .xDisconnect = utf8vtab_disconnect,
               .xOpen = utf8vtab_open,
               .xClose = readingsClose,
               .xFilter = readingsFilter,
               .xNext = readingsNext,
               .xEof = readingsEof,
               .xColumn = readingsColumn,
               .xRowid = readingsRowid},
};
