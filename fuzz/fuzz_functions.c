/* fuzz_functions.c: calls every SQL function with random values and options.
**
**     make fuzz-sql
**
** The functions are those that SQLite lists after loading, so that none can be forgotten. Each call has the
** same result under every kernel and, where memory fails or a limit is lowered, that result or an error. An
** error names its function and is short. Then relations between functions are tried: what utf8_repair returns
** is valid, and so on.
*/
#include "fuzz/sql.h"
#include "core/simd/kernel.h"

static const Order no_order = {0, 0};

/* ---- the functions ------------------------------------------------------------------- */

typedef struct Function {
  char name[40];
  int arguments;
} Function;

#define FUNCTIONS 64
static Function functions[FUNCTIONS];
static int function_count;

static void functions_find(sqlite3 *db) {
  sqlite3_stmt *stmt = NULL;
  const char *sql = "SELECT DISTINCT name, narg FROM pragma_function_list "
                    "WHERE name LIKE 'utf8\\_%' ESCAPE '\\' ORDER BY 1, 2";
  if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL)) fail("%s", sqlite3_errmsg(db));
  for (function_count = 0; sqlite3_step(stmt) == SQLITE_ROW; function_count++) {
    if (function_count == FUNCTIONS) fail("more than %d functions", FUNCTIONS);
    Function *f = &functions[function_count];
    snprintf(f->name, sizeof f->name, "%s", (const char *)sqlite3_column_text(stmt, 0));
    f->arguments = sqlite3_column_int(stmt, 1);
  }
  sqlite3_finalize(stmt);
  if (!function_count) fail("SQLite lists no function");
}

/* ---- values -------------------------------------------------------------------------- */

static const char *const phrases[] = {
    "Stra\xC3\x83\xC5\xB8\x65",                  /* misread in windows-1252 */
    "\xD0\x9F\xD1\x80\xD0\xB8\xD0\xB2\xD0\xB5",  /* Russian */
    "\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0",    /* the same in windows-1251 */
    "\x82\xB1\x82\xF1\x82\xC9\x82\xBF\x82\xCD",  /* shift_jis */
    "\xC4\xE3\xBA\xC3\xCA\xC0\xBD\xE7",          /* gbk */
    "\x1B$B$3$s$K$A\x1B(B",                      /* iso-2022-jp */
    "=?utf-8?Q?caf=C3=A9?=",                     /* an encoded word */
    "&eacute;&#x20AC;&amp",                      /* HTML */
    "e\xCC\x81\xCC\xA3\xE1\x84\x80\xE1\x85\xA1", /* marks, jamo */
    "\xEF\xAC\x81\xE2\x84\xAB\xC5\xBF\xC4\xB0",  /* compatibility, folding */
    "\xE2\x80\x9Cquoted\xE2\x80\x9D\r\n\x1B[31m",
    "\xE2\x80\x8B\xE2\x80\xAE\xEF\xBB\xBF\xC2\xAD"};

static void value_text(Text *t) {
  for (int n = below(4); n >= 0; n--) {
    const char *phrase = PICK(phrases);
    if (chance(60)) text_random(t, 6, chance(50) ? 0 : 30);
    if (encoding == UTF_8 && chance(60))
      text_bytes(t, phrase, (size_t)below((int)strlen(phrase) + 1));
  }
}

/* Appends a literal. */
static void value(Text *sql) {
  static const char *const others[] = {
      "NULL", "0", "-1", "7", "9223372036854775807", "0.5", "-1e99", "''", "x''"};
  Text bytes = {NULL, 0, 0};
  if (chance(10)) {
    text_string(sql, PICK(others));
    return;
  }
  value_text(&bytes);
  const int is_text = chance(70);
  if (is_text) text_string(sql, "CAST(");
  text_hex(sql, bytes.bytes, bytes.size);
  if (is_text) text_string(sql, " AS TEXT)");
  text_clear(&bytes);
}

static const char options[] =
    "subpart|byte|run|escape|trim|auto|cesu-8|mutf-8|wtf-8|utf-8b|rfc2044|utf-8|UTF8|"
    "windows-1252|cp1251|gbk|gb18030|big5|shift_jis|euc-kr|euc-tw|iso-2022-jp|"
    "iso-2022-kr|iso-2022-cn|hz|utf-7|marc-8|utf-16|utf-16le|utf-32|cp037|viscii|tcvn|"
    "ansel|nfc|nfd|nfkc|nfkd|nfkc_casefold|nfkc_simple_casefold|html|mime|"
    "quoted-printable|url|json|replace|xml|ascii|skip|closest|nul|control|invisible|"
    "bidi control|noncharacter|replacement character|ftfy|default|repair,nfc|"
    "repair, mojibake, html, linebreaks, quotes, width, ligatures, control, escapes, "
    "surrogates, nfc|"
    "?|\xEF\xBF\xBD|";

/* Appends an option, sometimes with a change that makes it wrong. */
static void option_text(Text *sql) {
  char name[120];
  snprintf(name, sizeof name, "%s", pick_word(options));
  if (*name && chance(15)) name[below((int)strlen(name))] = (char)('a' + below(26));
  text_format(sql, "'%s'", name);
}

static void argument(Text *sql, int i) {
  if (i > 0 && chance(75)) {
    option_text(sql);
  } else if (i > 0 && chance(30)) {
    text_format(sql, "%d", below(40) - 2);
  } else {
    value(sql);
  }
}

/* ---- calls --------------------------------------------------------------------------- */

/* May an error that does not name the function be SQLite's own? */
static int is_of_sqlite(int rc) {
  return rc == SQLITE_NOMEM || rc == SQLITE_TOOBIG || rc == SQLITE_INTERRUPT;
}

/* The second argument of utf8_validate begins its messages. */
static void check_error(const Function *f, const Rows *rows) {
  if (rows->rc == SQLITE_DONE || is_of_sqlite(rows->rc)) return;
  if (f->arguments == 2 && strcmp(f->name, "utf8_validate") == 0) return;
  refused++;
  const size_t size = strlen(rows->message);
  if (strncmp(rows->message, f->name, strlen(f->name)) != 0 ||
      rows->message[strlen(f->name)] != ':') {
    fail("the error does not begin with %s: %s", f->name, rows->message);
  }
  for (size_t at = 0; at < size && size + 4 < sizeof rows->message;) {
    Utf8Step step =
        abnf_step(&abnf_dialects[0], (const uint8_t *)rows->message, size, at);
    if (step.error) fail("the error is ill-formed at %zu: %s", at, rows->message);
    at += step.length;
  }
}

/* Compares the result under each kernel; utf8_debug() names the kernel. */
static void compare_kernels(sqlite3 *db, const char *sql, const Rows *expected) {
  if (strstr(sql, "utf8_debug")) return;
  const Utf8Kernel *chosen = utf8simd_kernel();
  for (const Utf8Kernel *const *k = utf8simd_kernels(); *k; k++) {
    atomic_store(&utf8simd_chosen, *k);
    replay_comment("kernel %s", (*k)->name);
    Rows got = rows_of(db, sql, 0);
    rows_same(&got, expected, no_order);
    rows_clear(&got);
  }
  atomic_store(&utf8simd_chosen, chosen);
}

static void call(sqlite3 *db) {
  const Function *f = &functions[below(function_count)];
  const size_t before = replay.size;
  Text sql = {NULL, 0, 0};
  text_format(&sql, "SELECT %s(", f->name);
  for (int i = 0; i < f->arguments; i++) {
    if (i) text_string(&sql, ", ");
    argument(&sql, i);
  }
  text_string(&sql, ")");
  replay_statement(text_of(&sql));
  watch(db);
  Rows expected = rows_of(db, text_of(&sql), 0);
  check_error(f, &expected);
  compare_kernels(db, text_of(&sql), &expected);
  if (expected.rc == SQLITE_DONE && chance(30))
    rows_under_fault(db, text_of(&sql), &expected, no_order);
  rows_clear(&expected);
  text_clear(&sql);
  replay.size = before;
}

/* ---- relations ----------------------------------------------------------------------- */

/* Each is 1 or NULL for every value v. */
static const char *const relations[] = {
    "utf8_valid(v) IS NULL OR utf8_valid(v) = (utf8_error(v) IS NULL)",
    "(utf8_error(v) IS NULL) = (utf8_error_offset(v) IS NULL)",
    "utf8_valid(utf8_repair(v))",
    "utf8_valid(utf8_repair(v, 'auto')) OR typeof(v) = 'blob' OR utf8_cause(v) IS NOT "
    "NULL",
    "utf8_valid(v) IS NOT 1 OR utf8_repair(v) IS v",
    "utf8_valid(v) IS NOT 1 OR utf8_cause(v) IS NULL",
    "utf8_normalized(utf8_normalize(v))",
    "utf8_normalized(utf8_normalize(v, 'nfkd'), 'nfkd')",
    "utf8_normalize(utf8_normalize(v, 'nfkc_casefold'), 'nfkc_casefold') IS "
    "utf8_normalize(v, 'nfkc_casefold')",
    "utf8_casefold(utf8_casefold(v)) IS utf8_casefold(v)",
    "utf8_unaccent(utf8_unaccent(v)) IS utf8_unaccent(v)",
    "utf8_valid(v) IS NOT 1 OR CAST(v AS TEXT) = utf8_normalize(utf8_casefold("
    "utf8_normalize(CAST(v AS TEXT), 'nfd'))) COLLATE utf8_nocase",
    "utf8_valid(v) IS NOT 1 OR CAST(v AS TEXT) = utf8_normalize(CAST(v AS TEXT), "
    "'nfd') "
    "COLLATE utf8_noaccent",
    "utf8_valid(v) IS NULL OR utf8_valid(v) = utf8_valid(utf8_unaccent(v))",
    "utf8_normalized(v) IS NOT 1 OR utf8_normalize(v) IS v",
    "(utf8_suspect(v) IS NULL) = (utf8_suspect_offset(v) IS NULL)",
    "utf8_mojibake(v) IS NOT 0 OR utf8_demojibake(v) IS v",
    "utf8_valid(utf8_clean(v, 'ftfy')) OR utf8_valid(v) IS NOT 1",
    "utf8_valid(v) IS NOT 1 OR utf8_codepoints(v) = (SELECT count(*) FROM "
    "utf8_each(v))",
    "utf8_from(utf8_to(v, 'gb18030'), 'gb18030') IS v OR typeof(v) <> 'text' OR "
    "utf8_valid(v) IS NOT 1",
    "utf8_from(utf8_to(v, 'utf-7'), 'utf-7') IS v OR typeof(v) <> 'text' OR "
    "utf8_valid(v) IS NOT 1",
    "utf8_detect(v) IS NULL OR utf8_charset_name(utf8_detect(v)) = utf8_detect(v) OR "
    "utf8_detect(v) IN ('ascii', 'binary')",
    "(SELECT total(probability) <= 1 AND count(*) <= 20 FROM utf8_readings(v))",
    "NOT EXISTS (SELECT 1 FROM utf8_readings(v) WHERE NOT utf8_valid(text) OR "
    "probability <= 0)",
    "utf8_cause(v) IS NULL OR utf8_cause(v) IN ('unclear', 'binary') OR (SELECT text "
    "FROM utf8_readings(v) LIMIT 1) IS utf8_from(utf8_repair(v, 'auto'), 'utf-8')",
    "utf8_mojibake(v) IS NULL OR (SELECT text FROM utf8_readings(v) LIMIT 1) IS "
    "utf8_from(utf8_demojibake(v), 'utf-8')",
};

static void relation(sqlite3 *db) {
  const size_t before = replay.size;
  Text sql = {NULL, 0, 0};
  text_format(&sql, "SELECT %s FROM (SELECT ", PICK(relations));
  value(&sql);
  text_string(&sql, " AS v)");
  replay_statement(text_of(&sql));
  watch(db);
  Rows rows = rows_of(db, text_of(&sql), 0);
  if (rows.rc == SQLITE_INTERRUPT) {
    slow++;
  } else if (rows.rc != SQLITE_DONE || rows.count != 1 ||
             strcmp(rows.row[0].text, "0") == 0) {
    fail("does not hold: error %d, %s", rows.rc, rows.message);
  }
  rows_clear(&rows);
  text_clear(&sql);
  replay.size = before;
}

static void run_case(void) {
  encoding = (Encoding)(chance(70) ? 0 : 1 + below(2));
  sqlite3 *db = open_fuzzed(":memory:");
  run_sql(db, "PRAGMA encoding = '%s'", encoding_names[encoding]);
  functions_find(db);
  for (int i = 0; i < 40; i++) call(db);
  for (int i = 0; i < 20; i++) relation(db);
  close_database(db);
}

int main(int argc, char **argv) {
  return fuzz_main(argc, argv);
}
