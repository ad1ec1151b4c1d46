/* sql/functions.h: the functions and tables of sql/ as SQLite calls them, and what their files
** share. utf8ext.c registers them under their names in SQL: utf8sql_valid() is utf8_valid.
*/
#ifndef UTF8_SQL_FUNCTIONS_H
#define UTF8_SQL_FUNCTIONS_H

#include "detect/readings.h"
#include "mojibake/mojibake.h"
#include "sql/vtab.h"
#include "suspect/suspect.h"

typedef void Utf8Function(sqlite3_context *ctx, int argc, sqlite3_value **argv);

/* sql/check.c */
Utf8Function utf8sql_valid, utf8sql_error, utf8sql_error_offset, utf8sql_validate,
    utf8sql_codepoints;

/* Stores the offset of the value's first error under a dialect in *at, or the value's size.
** Returns 0 if the result is set already: to SQLITE_INTERRUPT. */
int utf8sql_find_error(sqlite3_context *ctx, const Utf8Value *value, unsigned dialect,
                       size_t *at);

/* sql/repair.c */
Utf8Function utf8sql_repair, utf8sql_strip_bom, utf8sql_truncate;

/* Repairs the value, whose first error is at `at`. Stores in *is_kept whether the value is the
** result, as binary data is under policy auto. Sets the dialect of *how. Returns SQLITE_OK or an
** error code; out->bytes must be freed in every case. */
int utf8sql_repair_from(sqlite3 *db, Utf8Repair *how, const Utf8Value *value, size_t at,
                        Utf8Output *out, int *is_kept);

/* Makes what utf8_repair(X, policy) returns. The first error of the value is at or after `at`. The functions
** utf8sql_make_...() return SQLITE_OK or an error code; *made must be closed in every case. */
int utf8sql_make_repaired(sqlite3 *db, Utf8Repair how, const Utf8Value *value,
                          size_t at, Utf8Value *made);

/* Writes what repairs a value with this cause, whose first error is at `at`, like
** utf8sql_repair_from() under policy auto. */
int utf8sql_repair_by_cause(sqlite3 *db, Utf8Cause cause, const Utf8Value *value,
                            size_t at, Utf8Output *out, int *is_kept);

/* sql/each.c, sql/charsets.c, sql/names.c */
extern const Utf8Module utf8sql_each, utf8sql_charsets, utf8sql_names;
Utf8Function utf8sql_charset_name;

/* sql/convert.c */
Utf8Function utf8sql_from, utf8sql_to;

/* Decodes the value, which is not from UTF-16, into out. Returns SQLITE_OK or an error code;
** out->bytes must be freed in every case. */
int utf8sql_decode(sqlite3 *db, Utf8Charset charset, const Utf8Value *value,
                   Utf8Output *out);

/* Makes what utf8_from(X, charset) returns: well-formed TEXT, not from UTF-16. */
int utf8sql_make_decoded(sqlite3 *db, Utf8Charset charset, const Utf8Value *value,
                         Utf8Value *made);

/* Makes what utf8_to(X, charset) returns: a BLOB, or NULL if the charset lacks a code point. */
int utf8sql_make_encoded(sqlite3 *db, Utf8Charset charset, const Utf8Value *value,
                         Utf8Value *made);

/* sql/detect.c; utf8_detect_column is an aggregate function */
Utf8Function utf8sql_detect, utf8sql_detect_column, utf8sql_detect_score;
void utf8sql_detect_column_final(sqlite3_context *ctx);

/* sql/cause.c */
Utf8Function utf8sql_cause;

/* Opens the bytes that the value escapes (utf8detect_is_escaped()); escaped->bytes is NULL if it is not escaped.
** Returns SQLITE_OK or an error code; *escaped must be closed in every case. */
int utf8sql_open_escaped(sqlite3 *db, const Utf8Value *value, Utf8Value *escaped);

/* Adds an ill-formed value of UTF-8 to the evidence. Returns SQLITE_OK, or SQLITE_INTERRUPT. */
int utf8sql_add_cause(sqlite3 *db, Utf8CauseEvidence *evidence, const Utf8Value *value);

/* Stores the readings of a value among its neighbours, or alone if among is NULL, and its cause. What is not text has a
** cause only. Returns SQLITE_OK, SQLITE_NOMEM or SQLITE_INTERRUPT. */
int utf8sql_find_readings(sqlite3 *db, const Utf8Value *value,
                          const Utf8Neighbours *among, Utf8Readings *readings);

/* Adds a value of UTF-8 to what is known of its row, unless rules decide its cause. Returns SQLITE_OK, SQLITE_NOMEM or
** SQLITE_INTERRUPT. */
int utf8sql_read_in_row(sqlite3 *db, const Utf8Value *value,
                        const Utf8Neighbours *among, Utf8Row *row);

/* sql/readings.c */
extern const Utf8Module utf8sql_readings;

/* sql/restore.c */
Utf8Function utf8sql_mojibake, utf8sql_demojibake;

/* Makes what utf8_demojibake(X) returns for a well-formed value. charset is NULL for any charset. */
int utf8sql_make_demojibaked(sqlite3 *db, const Utf8MojibakeCharset *charset,
                             const Utf8Value *value, Utf8Value *made);

/* Repairs well-formed bytes until no misread run is left, and stores the charset of the first run. Leaves
** *charset and out->bytes as they are, -1 and NULL, if there is none. Returns SQLITE_OK or an error code;
** out->bytes must be freed in every case. */
int utf8sql_undo_mojibake(sqlite3 *db, const uint8_t *bytes, size_t size, int *charset,
                          Utf8Output *out);

/* sql/suspect.c */
Utf8Function utf8sql_suspect, utf8sql_suspect_offset, utf8sql_strip;

/* Makes what utf8_strip(X, kind) returns for a well-formed value. Code points of the kind are at or after `at`. */
int utf8sql_make_stripped(sqlite3 *db, Utf8SuspectKind kind, const Utf8Value *value,
                          size_t at, Utf8Value *made);

/* sql/form.c */
Utf8Function utf8sql_normalize, utf8sql_normalized, utf8sql_casefold, utf8sql_unaccent,
    utf8sql_unicode_version;

/* Copies the value up to `at`, where a cluster starts, and normalizes the remainder. Returns SQLITE_OK or
** an error code; out->bytes must be freed in every case. */
int utf8sql_normalize_from(sqlite3 *db, Utf8NormalForm form, const Utf8Value *value,
                           size_t at, Utf8Output *out);

/* sql/collate.c */
int utf8sql_nocase(void *unused, int a_size, const void *a, int b_size, const void *b);
int utf8sql_noaccent(void *unused, int a_size, const void *a, int b_size,
                     const void *b);

/* sql/unescape.c, sql/clean.c */
Utf8Function utf8sql_unescape, utf8sql_clean;

/* sql/version.c */
Utf8Function utf8sql_version, utf8sql_debug;

#endif
