/* sql/names.c: the table utf8_names, a row for each name that an argument accepts or a function returns.
**
**     SELECT name, meaning FROM utf8_names('policy');
**
** The hidden column `only` is the argument. Without it, it is the kind of the row, so that a condition that
** SQLite checks itself selects the same rows.
*/
#include "charset/names.h"
#include "core/omit.h"
#include "sql/functions.h"
#include "sql/option.h"
#include <string.h>

static const char namesDeclaration[] =
    "CREATE TABLE utf8_names(kind TEXT, name TEXT, aliases TEXT, meaning TEXT, "
    "only TEXT HIDDEN)";

enum { NAMES_KIND, NAMES_NAME, NAMES_ALIASES, NAMES_MEANING, NAMES_ONLY };

/* Each kind, and its plural. */
#define KIND_LIST(X)                                                                   \
  X(DIALECT, "dialect", "dialects")                                                    \
  X(POLICY, "policy", "policies")                                                      \
  X(ERROR, "error", "errors")                                                          \
  X(SUSPECT, "suspect", "suspects")                                                    \
  X(LOSS, "loss", "losses")                                                            \
  X(FORM, "form", "forms")                                                             \
  X(COLLATION, "collation", "collations")                                              \
  X(ESCAPE, "escape", "escapes")                                                       \
  X(STEP, "step", "steps")

#define KIND_ENUMERATOR(id, name, plural) KIND_##id,
#define KIND_NAMES(id, name, plural)      {name, plural},
#define KIND_ACCEPTED(id, name, plural)   ", " name

typedef enum NameKind { KIND_LIST(KIND_ENUMERATOR) KIND_COUNT } NameKind;

static const char kindNames[KIND_COUNT][2][12] = {KIND_LIST(KIND_NAMES)};
static const char kindsAccepted[] = KIND_LIST(KIND_ACCEPTED);

/* The name, the aliases and the meaning end with a NUL each: one pointer needs one relocation. */
typedef struct NameRow {
  NameKind kind;
  const char *texts;
} NameRow;

/* clang-format off */
#define MEANT(kind, name, aliases, meaning) {KIND_##kind, name "\0" aliases "\0" meaning}

#define DIALECT_NAME(id, name, aliases, meaning, source) MEANT(DIALECT, name, aliases, meaning),
#define POLICY_NAME(id, name, aliases, meaning, source)  MEANT(POLICY, name, aliases, meaning),

/* In the order of each kind's list in messages, which names.test compares. */
static const NameRow nameRows[] = {
    UTF8_DIALECT_LIST(DIALECT_NAME) UTF8_POLICY_LIST(POLICY_NAME)
    MEANT(ERROR, "stray continuation", "", "80..BF where a sequence should start"),
    MEANT(ERROR, "truncated", "", "the text ends inside a sequence"),
    MEANT(ERROR, "incomplete", "", "a sequence that the next byte does not continue"),
    MEANT(ERROR, "overlong", "", "more bytes than the code point needs"),
    MEANT(ERROR, "surrogate", "", "a UTF-16 surrogate"),
    MEANT(ERROR, "out of range", "", "above U+10FFFF"),
    MEANT(ERROR, "invalid byte", "", "FE, FF: used in no version of UTF-8"),
    MEANT(ERROR, "bare nul", "", "00, in mutf-8 only"),
    MEANT(SUSPECT, "nul", "", "U+0000"),
    MEANT(SUSPECT, "control", "", "control characters except TAB, LF and CR"),
    MEANT(SUSPECT, "bom", "", "U+FEFF at the start"),
    MEANT(SUSPECT, "replacement character", "", "U+FFFD"),
    MEANT(SUSPECT, "noncharacter", "", "U+FDD0..FDEF, and the last two of each plane"),
    MEANT(SUSPECT, "bidi control", "", "embeddings, overrides and isolates"),
    MEANT(SUSPECT, "invisible", "", "code points that nobody sees"),
    MEANT(SUSPECT, "mojibake", "", "text that was read in another charset"),
    MEANT(LOSS, "closest", "", "the letter without its marks, or ASCII like it"),
    MEANT(LOSS, "xml", "", "a reference, such as &#8364;"),
    MEANT(LOSS, "ignore", "", "nothing"),
    MEANT(LOSS, "replace", "", "the replacement, ? by default"),
#if UTF8_HAS_FORM
    MEANT(FORM, "nfc", "", "composed"),
    MEANT(FORM, "nfd", "", "decomposed"),
    MEANT(FORM, "nfkc", "", "composed, compatibility characters replaced"),
    MEANT(FORM, "nfkd", "", "decomposed, compatibility characters replaced"),
    MEANT(FORM, "nfkc_casefold", "", "nfkc with case folded, without invisible characters"),
    MEANT(COLLATION, "utf8_nocase", "", "case ignored"),
    MEANT(COLLATION, "utf8_noaccent", "", "case and accents ignored"),
    MEANT(ESCAPE, "html", "", "character references"),
    MEANT(ESCAPE, "mime", "", "encoded words of mail"),
    MEANT(ESCAPE, "quoted-printable", "", "=C3=A9"),
    MEANT(ESCAPE, "url", "", "%C3%A9"),
    MEANT(ESCAPE, "json", "", "\\u00e9"),
    MEANT(ESCAPE, "surrogateescape", "", "U+DC80..U+DCFF for bytes"),
    MEANT(STEP, "repair", "", "ill-formed bytes, as policy auto"),
    MEANT(STEP, "json", "", "escapes of a JSON string"),
    MEANT(STEP, "html", "", "character references that end in a semicolon"),
    MEANT(STEP, "url", "", "escapes of a URL"),
    MEANT(STEP, "mojibake", "", "misread text"),
    MEANT(STEP, "escapes", "", "terminal sequences go"),
    MEANT(STEP, "lines", "", "line ends become LF"),
    MEANT(STEP, "ligatures", "", "ligatures become letters"),
    MEANT(STEP, "width", "", "full and half width become the usual one"),
    MEANT(STEP, "quotes", "", "curly quotes become straight"),
    MEANT(STEP, "controls", "", "control characters go"),
    MEANT(STEP, "invisible", "", "the suspects bom and invisible go"),
    MEANT(STEP, "nfc", "", "normalization"),
    MEANT(STEP, "nfkc", "", "normalization"),
    MEANT(STEP, "trim", "", "white space at both ends goes"),
    MEANT(STEP, "ftfy", "", "the steps of ftfy.fix_text"),
#endif
};
/* clang-format on */
enum { NAME_ROWS = sizeof nameRows / sizeof *nameRows };

static const char *nextText(const char *text) {
  return text + strlen(text) + 1;
}

/* Does this build have the name? */
static int isBuilt(const NameRow *row) {
  const char *name = row->texts;
  if (strcmp(name, "mojibake") == 0) return UTF8_HAS_MOJIBAKE;
  if (strcmp(name, "closest") == 0) return UTF8_HAS_FORM;
  return UTF8_HAS_DETECT || (strcmp(name, "auto") != 0 && strcmp(name, "repair") != 0);
}

typedef struct NamesCursor {
  sqlite3_vtab_cursor base;
  int row;              /* NAME_ROWS at the end */
  int kind;             /* KIND_COUNT: all kinds */
  sqlite3_value *given; /* the argument, or NULL */
} NamesCursor;

/* The argument must be known before the scan starts. */
static int namesBestIndex(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  const int rc = utf8vtab_plan_argument(info, NAMES_ONLY);
  const int rows = info->idxNum ? NAME_ROWS / KIND_COUNT : NAME_ROWS;
  info->estimatedCost = rows;
  info->estimatedRows = rows;
  return rc;
}

static int namesClose(sqlite3_vtab_cursor *cursor) {
  sqlite3_value_free(((NamesCursor *)cursor)->given);
  return utf8vtab_close(cursor);
}

/* Moves to the first row at or after `row` that the scan has. */
static int seekName(NamesCursor *c, int row) {
  while (row < NAME_ROWS &&
         (!isBuilt(&nameRows[row]) ||
          (c->kind != KIND_COUNT && nameRows[row].kind != (NameKind)c->kind)))
    row++;
  c->row = row;
  return SQLITE_OK;
}

/* Stores the kind that the argument names. Returns SQLITE_OK, or an error that is set. */
static int findKind(NamesCursor *c) {
  const int isText = sqlite3_value_type(c->given) == SQLITE_TEXT;
  const char *text = isText ? (const char *)sqlite3_value_text(c->given) : NULL;
  if (isText && !text) return SQLITE_NOMEM;
  const size_t size = text ? (size_t)sqlite3_value_bytes(c->given) : 0;
  for (c->kind = 0; text && c->kind < KIND_COUNT; c->kind++) {
    if (utf8charset_match(text, size, kindNames[c->kind][0]) ||
        utf8charset_match(text, size, kindNames[c->kind][1]))
      return SQLITE_OK;
  }
  return utf8vtab_error(&c->base,
                        utf8option_message("utf8_names", 1, "kind", kindsAccepted + 2,
                                           c->given, UTF8_ENCODING_UTF8));
}

/* NULL names nothing, and has no rows. */
static int namesFilter(sqlite3_vtab_cursor *cursor, int plan, const char *unused,
                       int argc, sqlite3_value **argv) {
  (void)unused, (void)argc;
  NamesCursor *c = (NamesCursor *)cursor;
  sqlite3_value_free(c->given);
  c->given = NULL;
  c->kind = KIND_COUNT;
  if (!plan) return seekName(c, 0);
  c->given = sqlite3_value_dup(argv[0]);
  if (!c->given) return SQLITE_NOMEM;
  if (sqlite3_value_type(c->given) == SQLITE_NULL) return seekName(c, NAME_ROWS);
  const int rc = findKind(c);
  return rc == SQLITE_OK ? seekName(c, 0) : rc;
}

static int namesNext(sqlite3_vtab_cursor *cursor) {
  NamesCursor *c = (NamesCursor *)cursor;
  return seekName(c, c->row + 1);
}

static int namesEof(sqlite3_vtab_cursor *cursor) {
  return ((const NamesCursor *)cursor)->row == NAME_ROWS;
}

static int namesColumn(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx, int i) {
  const NamesCursor *c = (const NamesCursor *)cursor;
  const NameRow *row = &nameRows[c->row];
  const char *kind = kindNames[row->kind][0];
  const char *aliases = nextText(row->texts);
  const char *const columns[] = {kind, row->texts, aliases, nextText(aliases), kind};
  if (i == NAMES_ONLY && c->given) {
    sqlite3_result_value(ctx, c->given);
  } else {
    sqlite3_result_text(ctx, columns[i], -1, SQLITE_STATIC);
  }
  return SQLITE_OK;
}

/* A row has one rowid, whatever the argument. */
static int namesRowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  *rowid = ((const NamesCursor *)cursor)->row + 1;
  return SQLITE_OK;
}

const Utf8Module utf8sql_names = {
    .declaration = namesDeclaration,
    .risk = SQLITE_VTAB_INNOCUOUS,
    .cursor_size = sizeof(NamesCursor),
    .module = {.xConnect = utf8vtab_connect,
               .xBestIndex = namesBestIndex,
               .xDisconnect = utf8vtab_disconnect,
               .xOpen = utf8vtab_open,
               .xClose = namesClose,
               .xFilter = namesFilter,
               .xNext = namesNext,
               .xEof = namesEof,
               .xColumn = namesColumn,
               .xRowid = namesRowid},
};
