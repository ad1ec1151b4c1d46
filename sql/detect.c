/* sql/detect.c: the functions that name the charset of a value or of a column.
**
**     SELECT utf8_detect_column(name) FROM people;     -- windows-1251
**     SELECT utf8_detect_score(name, 'koi8-r') FROM people;
**
** The rules of detect/rules.h look at a value in one go. Evidence about a legacy charset takes
** longer to gather; that is done in chunks, between which SQLite's interrupt takes effect.
*/
#include "sql/functions.h"
#include "detect/column.h"
#include "detect/rules.h"
#include "core/bytes.h"
#include "sql/option.h"
#include <string.h>

/* Gathers the evidence of one value. Returns SQLITE_OK, SQLITE_NOMEM or SQLITE_INTERRUPT; *evidence must be
** freed in every case. */
static int evidenceOfValue(sqlite3 *db, const Utf8Value *value,
                           Utf8Evidence **evidence) {
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  *evidence = sqlite3_malloc64(sizeof **evidence);
  if (!*evidence) return SQLITE_NOMEM;
  utf8detect_begin(*evidence);
  for (; utf8value_next(&c); c.at = c.until)
    utf8detect_add(*evidence, value->bytes, value->size, c.at, c.until);
  return c.rc;
}

/* Stores what utf8_detect names for a value that the rules do not. Returns SQLITE_OK, SQLITE_NOMEM or
** SQLITE_INTERRUPT. */
static int nameValue(sqlite3 *db, const Utf8Value *value, Utf8Charset *charset) {
  Utf8Evidence *evidence;
  if (value->size <= UTF8_BIGRAMS_SHORT) {
    *charset = utf8detect_of_value(value->bytes, value->size);
    return SQLITE_OK;
  }
  const int rc = evidenceOfValue(db, value, &evidence);
  if (rc == SQLITE_OK) *charset = utf8detect_charset(evidence);
  sqlite3_free(evidence);
  return rc;
}

/* ---- utf8_detect -------------------------------------------------------------------------- */

static void resultCharset(sqlite3_context *ctx, Utf8Charset charset) {
  sqlite3_result_text(ctx, utf8core_charset_name(charset), -1, SQLITE_STATIC);
}

static void resultLegacy(sqlite3_context *ctx, const Utf8Value *value) {
  Utf8Charset charset;
  const int rc = nameValue(sqlite3_context_db_handle(ctx), value, &charset);
  if (rc == SQLITE_OK) {
    resultCharset(ctx, charset);
  } else {
    sqlite3_result_error_code(ctx, rc);
  }
}

void utf8sql_detect(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  Utf8Charset charset = utf8detect_by_rules(value.bytes, value.size);
  if (charset == UTF8_CHARSET_UNKNOWN) {
    resultLegacy(ctx, &value);
  } else {
    resultCharset(ctx, charset);
  }
  utf8value_close(&value);
}

/* ---- utf8_detect_score -------------------------------------------------------------------- */

/* What decoding a value shows. */
typedef enum Decoded {
  DECODED_ERROR,
  DECODED_SAME,
  DECODED_OTHER,
  DECODED_INTERRUPT
} Decoded;

#define DETECT_ROOM 4096

/* Stores the bytes of U+FFFD in the charset, and returns their number; 0 if it lacks U+FFFD. */
static size_t encodeReplacement(Utf8Charset charset, uint8_t bytes[UTF8_CHARSET_ROOM]) {
  static const uint8_t space[] = {' ', 0xEF, 0xBF, 0xBD};
  uint8_t both[UTF8_CHARSET_ROOM];
  Utf8Conversion first = {.charset = charset}, second = {.charset = charset};
  const size_t skipped = utf8core_encode(&first, space, 1, both, sizeof both);
  size_t size = utf8core_encode(&second, space, sizeof space, both, sizeof both);
  if (second.at < sizeof space) return 0;
  memcpy(bytes, both + skipped, size - skipped);
  return size - skipped;
}

/* Returns how many U+FFFD the value itself has: they are not errors of decoding. */
static uint64_t countOwnReplacements(const Utf8Value *value, Utf8Charset charset) {
  uint8_t bytes[UTF8_CHARSET_ROOM];
  const size_t size = encodeReplacement(charset, bytes);
  const size_t unit = size == 2 ? 2 : size == 4 && bytes[0] != 0x84 ? 4 : 1;
  uint64_t count = 0;
  for (size_t at = 0; size > 0 && value->size >= size && at <= value->size - size;
       at += unit)
    count += memcmp(value->bytes + at, bytes, size) == 0;
  return count;
}

/* Decodes the value: is there an error, or is the text the same bytes? */
static Decoded decodeValue(sqlite3 *db, const Utf8Value *value, Utf8Charset charset) {
  Utf8Conversion conversion = {.charset = charset, .dialect = UTF8_STRICT};
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  uint8_t out[DETECT_ROOM];
  size_t written = 0;
  uint64_t replacements = 0;
  int isSame = 1;
  for (; utf8value_next(&c); c.at = conversion.at) {
    const size_t n =
        utf8core_decode(&conversion, value->bytes, value->size, out, sizeof out);
    replacements += bytes_count_fffd(out, n);
    isSame = isSame && n <= value->size - written &&
             (n == 0 || memcmp(out, value->bytes + written, n) == 0);
    if (isSame) written += n;
  }
  if (c.rc != SQLITE_OK) return DECODED_INTERRUPT;
  if (replacements > 0 && replacements != countOwnReplacements(value, charset))
    return DECODED_ERROR;
  return isSame && written == value->size ? DECODED_SAME : DECODED_OTHER;
}

/* Stores 1 less the share of the value's bytes in ill-formed subparts of UTF-8. Returns SQLITE_OK
** or SQLITE_INTERRUPT. */
static int utf8Score(sqlite3 *db, const Utf8Value *value, double *score) {
  Utf8Damage damage = {.text = 0};
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  for (; utf8value_next(&c); c.at = c.until)
    utf8detect_damage_add(&damage, NULL, value->bytes, value->size, c.at, c.until, 1);
  *score = 1.0 - (double)damage.errors / (double)value->size;
  return c.rc;
}

/* The score in a legacy charset, or in UTF-8 with damage, of a value about which the rules say
** nothing. What utf8_detect names has the highest. */
static int scoreOfEvidence(sqlite3 *db, const Utf8Value *value, Utf8Evidence *evidence,
                           Utf8Charset charset, double *score) {
  const Utf8Charset named = utf8detect_charset(evidence);
  double utf8;
  const int rc = utf8Score(db, value, &utf8);
  const double legacy =
      utf8detect_score(evidence, charset == UTF8_CHARSET_UTF8 ? named : charset, named);
  *score = charset == UTF8_CHARSET_UTF8 ? utf8 : legacy;
  if (charset == UTF8_CHARSET_UTF8 && named != charset && legacy < utf8)
    *score = legacy;
  if (named == UTF8_CHARSET_UTF8 && utf8 < *score) *score = utf8;
  return rc;
}

/* The score of a value that decodes to other text than its bytes. `named` is what the rules name,
** which nothing but itself equals. */
static void resultScore(sqlite3_context *ctx, const Utf8Value *value,
                        Utf8Charset charset, Utf8Charset named) {
  if (charset == named) {
    sqlite3_result_double(ctx, 1.0);
    return;
  }
  sqlite3 *db = sqlite3_context_db_handle(ctx);
  Utf8Evidence *evidence;
  double score;
  int rc = evidenceOfValue(db, value, &evidence);
  if (rc == SQLITE_OK) rc = scoreOfEvidence(db, value, evidence, charset, &score);
  sqlite3_free(evidence);
  if (rc == SQLITE_OK) {
    sqlite3_result_double(ctx, named == UTF8_CHARSET_UNKNOWN ? score : score / 2);
  } else {
    sqlite3_result_error_code(ctx, rc);
  }
}

/* In UTF-8, the score is the share of the bytes without an error. In an Asian charset, the model allows a cut end and a
** few errors. In the others, an error means that the text is not in the charset. */
static void scoreOpened(sqlite3_context *ctx, const Utf8Value *value,
                        Utf8Charset charset) {
  const Decoded decoded = decodeValue(sqlite3_context_db_handle(ctx), value, charset);
  const Utf8Charset named = utf8detect_by_rules(value->bytes, value->size);
  if (decoded == DECODED_INTERRUPT) {
    sqlite3_result_error_code(ctx, SQLITE_INTERRUPT);
  } else if (decoded == DECODED_ERROR && charset != UTF8_CHARSET_UTF8 &&
             utf8detect_asian_of(charset) < 0) {
    sqlite3_result_double(ctx, 0.0);
  } else if (decoded == DECODED_SAME && named != UTF8_CHARSET_BINARY) {
    sqlite3_result_double(ctx, 1.0);
  } else {
    resultScore(ctx, value, charset, named);
  }
}

void utf8sql_detect_score(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  int charset;
  if (!utf8option_accept(ctx, "utf8_detect_score", &utf8option_charset, argv, 1,
                         &charset))
    return;
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  if (charset == UTF8_CHARSET_BINARY) {
    sqlite3_result_double(ctx, 0.0);
  } else {
    scoreOpened(ctx, &value, (Utf8Charset)charset);
  }
  utf8value_close(&value);
}

/* ---- utf8_detect_column ------------------------------------------------------------------- */

typedef struct DetectColumn {
  Utf8ColumnCounts counts;
  Utf8Evidence *legacy; /* NULL until there is some */
  Utf8Charset first;    /* what utf8_detect names for the first value in `legacy` */
} DetectColumn;

/* Stores in *may whether the value may be damaged UTF-8. Returns SQLITE_OK or SQLITE_INTERRUPT. */
static int mayBeDamaged(sqlite3 *db, const Utf8Value *value, int *may) {
  Utf8Damage damage = {.text = 0};
  *may = 0;
  if (!utf8detect_has_lead_and_trail(value->bytes, value->size)) return SQLITE_OK;
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  for (; utf8value_next(&c) && !damage.is_hopeless; c.at = c.until)
    utf8detect_damage_add(&damage, NULL, value->bytes, value->size, c.at, c.until, 0);
  *may = utf8detect_is_damaged(&damage);
  return c.rc;
}

/* Prepares the column for its first value in a legacy charset. */
static int beginLegacy(sqlite3 *db, DetectColumn *column, const Utf8Value *value) {
  if (column->legacy) return SQLITE_OK;
  column->legacy = sqlite3_malloc64(sizeof *column->legacy);
  if (!column->legacy) return SQLITE_NOMEM;
  utf8detect_column_begin(column->legacy);
  return nameValue(db, value, &column->first);
}

/* Adds a value in a legacy charset. */
static int addLegacy(sqlite3 *db, DetectColumn *column, const Utf8Value *value) {
  Utf8Chunks c = utf8value_chunks(db, 0, value->size);
  int rc = beginLegacy(db, column, value);
  if (rc != SQLITE_OK) return rc;
  for (; utf8value_next(&c); c.at = c.until)
    utf8detect_column_add(column->legacy, value->bytes, value->size, c.at, c.until);
  return c.rc;
}

/* Adds one value. Returns SQLITE_OK, SQLITE_NOMEM or SQLITE_INTERRUPT. */
static int addValue(sqlite3 *db, DetectColumn *column, const Utf8Value *value) {
  Utf8Charset charset = utf8detect_by_rules(value->bytes, value->size);
  if (charset == UTF8_CHARSET_ASCII || utf8core_valid(value->bytes, value->size)) {
    utf8detect_count(column->counts.well_formed, charset);
    return SQLITE_OK;
  }
  int rc = SQLITE_OK, isDamaged = 0;
  if (charset == UTF8_CHARSET_UNKNOWN) rc = mayBeDamaged(db, value, &isDamaged);
  if (rc == SQLITE_OK && isDamaged) {
    rc = nameValue(db, value, &charset);
    if (charset != UTF8_CHARSET_UTF8) charset = UTF8_CHARSET_UNKNOWN;
  }
  utf8detect_count(column->counts.ill_formed, charset);
  if (rc != SQLITE_OK || charset != UTF8_CHARSET_UNKNOWN) return rc;
  return addLegacy(db, column, value);
}

/* SQLite calls the final function after an error, too: it must not meet evidence of half a
** value. */
static void forgetValues(DetectColumn *column) {
  sqlite3_free(column->legacy);
  *column = (DetectColumn){.legacy = NULL};
}

void utf8sql_detect_column(sqlite3_context *ctx, int argc, sqlite3_value **argv) {
  (void)argc;
  Utf8Value value;
  if (sqlite3_value_type(argv[0]) == SQLITE_NULL) return;
  DetectColumn *column = sqlite3_aggregate_context(ctx, (int)sizeof *column);
  if (!column) {
    sqlite3_result_error_nomem(ctx);
    return;
  }
  if (!utf8value_read_argument(ctx, &value, argv[0])) return;
  int rc = addValue(sqlite3_context_db_handle(ctx), column, &value);
  if (rc != SQLITE_OK) {
    forgetValues(column);
    sqlite3_result_error_code(ctx, rc);
  }
  utf8value_close(&value);
}

void utf8sql_detect_column_final(sqlite3_context *ctx) {
  DetectColumn *column = sqlite3_aggregate_context(ctx, 0);
  if (!column) return;
  resultCharset(
      ctx, utf8detect_column_charset(&column->counts, column->legacy, column->first));
  sqlite3_free(column->legacy);
}
