/* fuzz_audit.c: compares utf8_audit on random schemas with a scan by this program.
**
**     make fuzz-sql
**
** A case creates tables with hostile names, keys, collations and values in main, temp and
** attached databases. Then it does one of these:
**
** - Repair. Reads every value and classifies it by the second definition (test/abnf.h), which
**   gives the rows that utf8_audit must return. Runs random queries on utf8_audit and on a copy
**   of its rows (sql.h). Runs every repair_sql in order and compares the tables before and
**   after: exactly one value changed, from ill-formed to its repair by the policy subpart.
** - Change. Changes the schema during scans.
** - Damage. Damages the file; only a crash or a leak is a failure.
**
** The column `tag` numbers the rows of a table.
*/
#include <unistd.h>
#include "fuzz/sql.h"

/* ---- the tables -------------------------------------------------------------------- */

typedef enum Kind {
  KIND_ROWID,
  KIND_INTEGER_KEY,
  KIND_KEY,
  KIND_WITHOUT_ROWID,
  KINDS
} Kind;

typedef struct Column {
  char *name;
  int ill_formed_name;
  int generated;
  int key;                      /* its place in the PRIMARY KEY, from 1; or 0 */
  int errors;                   /* number of ill-formed values */
  int repairs;                  /* number of those with a repair_sql */
  int min_repairs, max_repairs; /* expected */
} Column;

#define COLUMNS 16
typedef struct Table {
  char *schema, *name;
  int ill_formed_name; /* of the schema or the table */
  Kind kind;
  int real_key;          /* the columns of its key have REAL values only */
  int made;              /* by this program: it has a column `tag` */
  int not_repairable;    /* sqlite_master, or a shadow table of a virtual table */
  int constraint_failed; /* for an UPDATE */
  char *rowid;           /* a name of the rowid, quoted if it is a column's; or NULL */
  Column column[COLUMNS];
  int columns;
} Table;

#define TABLES 60
static Table tables[TABLES];
static int table_count;
static char *schemas[8];
static int schema_count;

static int is_well_formed(const char *name) {
  return abnf_valid((const uint8_t *)name, strlen(name));
}

static void tables_clear(void) {
  for (int i = 0; i < table_count; i++) {
    for (int j = 0; j < tables[i].columns; j++) free(tables[i].column[j].name);
    free(tables[i].schema);
    free(tables[i].name);
    free(tables[i].rowid);
  }
  for (int i = 0; i < schema_count; i++) free(schemas[i]);
  memset(tables, 0, sizeof tables);
  table_count = schema_count = 0;
}

static char *copy_of(const char *string) {
  Text t = {NULL, 0, 0};
  text_string(&t, string);
  return t.bytes;
}

static Table *table_add(const char *schema, const char *name) {
  if (table_count == TABLES) fail("too many tables");
  Table *t = &tables[table_count++];
  memset(t, 0, sizeof *t);
  t->schema = copy_of(schema);
  t->name = copy_of(name);
  t->ill_formed_name = !is_well_formed(schema) || !is_well_formed(name);
  return t;
}

static Column *column_add(Table *t, const char *name) {
  Column *c = &t->column[t->columns++];
  *c = (Column){.name = copy_of(name), .ill_formed_name = !is_well_formed(name)};
  return c;
}

/* ---- random schemas ------------------------------------------------------------------ */

static int name_count; /* of random names in this case; each ends in its number */

static char *random_name(void) {
  static const char *const parts[] = {"a",        "b",
                                      "T",        " ",
                                      "\"",       "'",
                                      "`",        "[",
                                      "]",        ".",
                                      ";",        "select",
                                      "table",    "key",
                                      "--",       "/*",
                                      "%s",       "_",
                                      "\xC3\xA9", "\n",
                                      "rowid",    "\xF0\x9F\x98\x80",
                                      "1",        "?1",
                                      ":x",       "@",
                                      "content",  "x"};
  Text t = {NULL, 0, 0};
  for (int n = 1 + below(4); n > 0; n--) text_string(&t, PICK(parts));
  if (encoding == UTF_8 && chance(4)) text_string(&t, chance(50) ? "\xFF" : "\xE2\x82");
  text_format(&t, "%d", name_count++);
  return t.bytes;
}

static int has_column(const Table *t, const char *name) {
  for (int i = 0; i < t->columns; i++) {
    if (sqlite3_stricmp(t->column[i].name, name) == 0) return 1;
  }
  return 0;
}

/* Adds a column; if `hides`, one whose name hides a name of the rowid, unless it exists. */
static Column *random_column(Table *t, int hides) {
  static const char *const hiding[] = {"rowid", "oid", "_rowid_"};
  const char *name = PICK(hiding);
  if (hides && !has_column(t, name)) return column_add(t, name);
  char *random = random_name();
  Column *c = column_add(t, random);
  free(random);
  return c;
}

static const char *random_collation(void) {
  static const char *const names[] = {"", " COLLATE NOCASE", " COLLATE NOCASE",
                                      " COLLATE RTRIM", " COLLATE BINARY"};
  return PICK(names);
}

static void column_definition(Text *sql, Table *t, int i) {
  static const char *const types[] = {"",     "TEXT",       "INT",  "REAL", "NUMERIC",
                                      "BLOB", "VARCHAR(9)", "TEXT", ""};
  Column *c = &t->column[i];
  text_string(sql, i ? ", " : "");
  text_name(sql, c->name);
  if (t->kind == KIND_INTEGER_KEY && c->key) {
    text_string(sql, " INTEGER");
  } else if (i > 1 && !c->key && chance(12)) {
    c->generated = 1;
    text_string(sql, " AS (");
    text_name(sql, t->column[i - 1].name);
    text_format(sql, "%s) %s", chance(50) ? " || 'x'" : "",
                chance(50) ? "STORED" : "VIRTUAL");
  } else {
    text_format(sql, " %s%s%s", PICK(types), random_collation(),
                chance(3) ? " UNIQUE" : "");
  }
}

static void key_definition(Text *sql, const Table *t, int keys) {
  text_string(sql, ", PRIMARY KEY(");
  for (int k = 1; k <= keys; k++) {
    for (int i = 0; i < t->columns; i++) {
      if (t->column[i].key != k) continue;
      text_string(sql, k > 1 ? ", " : "");
      text_name(sql, t->column[i].name);
      const char *collation = chance(40) ? " COLLATE BINARY" : random_collation();
      text_string(sql, t->kind == KIND_INTEGER_KEY ? "" : collation);
      text_string(sql, chance(25) ? " DESC" : "");
    }
  }
  text_string(sql, ")");
}

/* Numbers random columns as those of the key. Returns how many. */
static int choose_key(Table *t) {
  int one = t->kind == KIND_INTEGER_KEY || chance(60);
  int wanted = t->kind == KIND_ROWID ? 0 : one ? 1 : 1 + below(3);
  int keys = 0;
  for (int tries = 0; tries < 20 && keys < wanted; tries++) {
    int i = below(t->columns);
    if (!t->column[i].key) t->column[i].key = ++keys;
  }
  return keys;
}

static void choose_rowid(Table *t) {
  static const char *const names[] = {"rowid", "oid", "_rowid_"};
  Text quoted = {NULL, 0, 0};
  if (t->kind == KIND_WITHOUT_ROWID) return;
  for (int i = 0; i < COUNT(names); i++) {
    if (has_column(t, names[i])) continue;
    t->rowid = copy_of(names[i]);
    return;
  }
  for (int i = 0; i < t->columns && t->kind == KIND_INTEGER_KEY; i++) {
    if (t->column[i].key) text_name(&quoted, t->column[i].name);
  }
  t->rowid = quoted.bytes;
}

static void table_name(Text *sql, const Table *t) {
  text_name(sql, t->schema);
  text_string(sql, ".");
  text_name(sql, t->name);
}

static void make_table(sqlite3 *db, const char *schema) {
  Text sql = {NULL, 0, 0};
  char *name = random_name();
  Table *t = table_add(schema, name);
  int hiding = chance(25) ? 60 : 2;
  free(name);
  t->made = 1;
  t->kind = (Kind)below(KINDS);
  t->real_key = chance(30);
  for (int n = 1 + below(5); n > 0; n--) random_column(t, chance(hiding));
  int keys = choose_key(t);
  text_string(&sql, "CREATE TABLE ");
  table_name(&sql, t);
  text_string(&sql, "(");
  for (int i = 0; i < t->columns; i++) column_definition(&sql, t, i);
  column_add(t, "tag");
  text_string(&sql, ", tag INTEGER");
  if (keys) key_definition(&sql, t, keys);
  text_string(&sql, t->kind == KIND_WITHOUT_ROWID ? ") WITHOUT ROWID" : ")");
  choose_rowid(t);
  run_text(db, &sql);
}

/* ---- random values ------------------------------------------------------------------- */

/* Appends a number that needs many decimal digits. */
static void random_real(Text *sql) {
  static const char *const hard[] = {"5e-324", "9e999",
                                     "-9e999", "0.1",
                                     "1e15",   "123456789012345678",
                                     "-0.0",   "1.7976931348623157e308"};
  if (chance(20)) {
    text_string(sql, PICK(hard));
    return;
  }
  uint64_t bits = random_bits();
  double real;
  if (chance(40)) bits = (bits & ~(0x7FFull << 52)) | (uint64_t)(40 + below(20)) << 52;
  memcpy(&real, &bits, sizeof real);
  if (real - real != 0) real = 0.5; /* infinity, NaN */
  text_format(sql, "%.17g", real);
}

/* Appends a text that is equal to others in many collations. */
static void random_key_text(Text *t) {
  static const char *const bases[] = {"k", "K", "k ", "K  ", "k"};
  const char *base = PICK(bases);
  text_stored(t, (const uint8_t *)base, strlen(base));
  if (chance(20)) text_random(t, 1, 80);
}

static void random_value(Text *sql, int key, int is_real) {
  Text text = {NULL, 0, 0};
  int kind = is_real ? 16 : key && chance(50) ? 0 : below(20);
  if (kind < 12) {
    if (key && chance(70)) {
      random_key_text(&text);
    } else {
      text_random(&text, 4, 40);
    }
    text_string(sql, "CAST(");
    text_hex(sql, text.bytes, text.size);
    text_string(sql, " AS TEXT)");
    text_clear(&text);
  } else if (kind < 14) {
    text_format(sql, "%d", below(100) - 50);
  } else if (kind < 17) {
    random_real(sql);
  } else if (kind < 18) {
    text_string(sql, "x'ff' || 'k'"); /* in UTF-16, a TEXT of an odd number of bytes */
  } else if (kind < 19) {
    text_string(sql, chance(50) ? "x'ff'" : "x''");
  } else {
    text_string(sql, key ? "'null'" : "NULL");
  }
}

static void insert_row(sqlite3 *db, const Table *t, int tag) {
  Text sql = {NULL, 0, 0};
  text_string(&sql, "INSERT OR IGNORE INTO ");
  table_name(&sql, t);
  text_string(&sql, "(tag");
  for (int i = 0; i < t->columns - 1; i++) {
    if (t->column[i].generated) continue;
    text_string(&sql, ", ");
    text_name(&sql, t->column[i].name);
  }
  text_format(&sql, ") VALUES (%d", tag);
  for (int i = 0; i < t->columns - 1; i++) {
    if (t->column[i].generated) continue;
    text_string(&sql, ", ");
    if (t->kind == KIND_INTEGER_KEY && t->column[i].key) {
      text_format(&sql, "%d", chance(10) ? -tag : tag * 3);
    } else {
      random_value(&sql, t->column[i].key, t->real_key && t->column[i].key);
    }
  }
  text_string(&sql, ")");
  run_text(db, &sql);
}

/* ---- random databases ------------------------------------------------------------------ */

static char main_file[64], attached_file[64];

static void schema_add(const char *name) {
  schemas[schema_count++] = copy_of(name);
}

static void attach(sqlite3 *db, const char *file) {
  Text sql = {NULL, 0, 0};
  char *name = random_name();
  text_format(&sql, "ATTACH '%s' AS ", file);
  text_name(&sql, name);
  run_text(db, &sql);
  schema_add(name);
  free(name);
}

static void make_virtual(sqlite3 *db) {
  if (sqlite3_exec(db, "CREATE VIRTUAL TABLE v1 USING fts5(x)", NULL, NULL, NULL))
    return;
  replay_statement("CREATE VIRTUAL TABLE v1 USING fts5(x)");
  run(db, "INSERT INTO v1 VALUES (CAST(x'61ff' AS TEXT)), ('ok')");
}

static void make_databases(sqlite3 *db, int max_attached) {
  schema_add("main");
  if (chance(50)) schema_add("temp");
  for (int n = below(max_attached + 1); n > 0; n--) {
    attach(db, n == 1 && chance(20) ? attached_file : ":memory:");
  }
  for (int s = 0; s < schema_count; s++) {
    for (int n = 1 + below(3); n > 0; n--) make_table(db, schemas[s]);
  }
  for (int i = 0; i < table_count; i++) {
    for (int n = below(10); n > 0; n--) insert_row(db, &tables[i], n);
  }
  if (chance(8)) make_virtual(db);
  if (chance(8)) {
    run(db, "CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, x)");
    run(db, "INSERT INTO counted(x) VALUES (CAST(x'41d8' AS TEXT))");
  }
  if (chance(8)) run(db, "ANALYZE");
  if (chance(8)) run(db, "CREATE VIEW seen AS SELECT CAST(x'ffd8' AS TEXT) AS x");
}

/* ---- the values, read by this program ------------------------------------------------------ */

/* All rows of a table. Each row has the tag, the rowid or NULL, and then the columns. TEXT is
** 't' and its bytes, or its UTF-16 in WTF-8. */
typedef struct Snapshot {
  int rows, columns;
  Text *cell;
} Snapshot;

static void snapshot_clear(Snapshot *s) {
  for (int i = 0; i < s->rows * s->columns; i++) text_clear(&s->cell[i]);
  free(s->cell);
  *s = (Snapshot){0, 0, NULL};
}

static void text_cell(Text *t, sqlite3_stmt *stmt, int i) {
  if (sqlite3_column_type(stmt, i) == SQLITE_TEXT) {
    text_string(t, "t");
    text_result(t, stmt, i);
  } else {
    text_column(t, stmt, i);
  }
}

static void snapshot_step(Snapshot *s, sqlite3_stmt *stmt) {
  size_t cells = (size_t)(s->rows + 1) * (size_t)s->columns;
  s->cell = realloc(s->cell, cells * sizeof(Text));
  if (!s->cell) exit(2);
  for (int i = 0; i < s->columns; i++) {
    Text *cell = &s->cell[s->rows * s->columns + i];
    *cell = (Text){NULL, 0, 0};
    text_cell(cell, stmt, i);
  }
  s->rows++;
}

static sqlite3_stmt *prepared(sqlite3 *db, Text *sql) {
  sqlite3_stmt *stmt = NULL;
  int rc = sqlite3_prepare_v2(db, text_of(sql), -1, &stmt, NULL);
  if (rc != SQLITE_OK) {
    replay_statement(text_of(sql));
    fail("%s", sqlite3_errmsg(db));
  }
  text_clear(sql);
  return stmt;
}

/* Appends the table's name for SELECT. In temp, sqlite_master has another name. */
static void table_to_read(Text *sql, const Table *t) {
  int master = strcmp(t->name, "sqlite_master") == 0;
  if (master && sqlite3_stricmp(t->schema, "temp") == 0) {
    text_string(sql, "sqlite_temp_master");
  } else {
    table_name(sql, t);
  }
}

static sqlite3_stmt *table_rows(sqlite3 *db, const Table *t) {
  Text sql = {NULL, 0, 0};
  const char *rowid = t->rowid ? t->rowid : "NULL";
  text_format(&sql, "SELECT %s, %s, * FROM ", t->made ? "tag" : rowid, rowid);
  table_to_read(&sql, t);
  if (t->made) text_string(&sql, " ORDER BY tag");
  return prepared(db, &sql);
}

static Snapshot snapshot(sqlite3 *db, const Table *t) {
  sqlite3_stmt *stmt = table_rows(db, t);
  Snapshot s = {0, sqlite3_column_count(stmt), NULL};
  watch(db);
  int rc;
  while ((rc = sqlite3_step(stmt)) == SQLITE_ROW) snapshot_step(&s, stmt);
  if (rc != SQLITE_DONE) fail("reading %s: %s", t->name, sqlite3_errmsg(db));
  sqlite3_finalize(stmt);
  return s;
}

static int is_known(const char *schema, const char *name) {
  for (int i = 0; i < table_count; i++) {
    int same =
        strcmp(tables[i].schema, schema) == 0 && strcmp(tables[i].name, name) == 0;
    if (same) return 1;
  }
  return 0;
}

static void add_columns(sqlite3 *db, Table *t) {
  sqlite3_stmt *stmt = table_rows(db, t);
  for (int i = 2; i < sqlite3_column_count(stmt); i++) {
    column_add(t, sqlite3_column_name(stmt, i));
  }
  sqlite3_finalize(stmt);
}

static int has_rowid(sqlite3 *db, const Table *t) {
  Text sql = {NULL, 0, 0};
  text_string(&sql, "SELECT rowid FROM ");
  table_to_read(&sql, t);
  int rc = sqlite3_exec(db, text_of(&sql), NULL, NULL, NULL);
  text_clear(&sql);
  return rc == SQLITE_OK;
}

static void add_table(sqlite3 *db, const char *schema, const char *name) {
  if (is_known(schema, name)) return;
  Table *t = table_add(schema, name);
  int is_shadow = strncmp(name, "v1_", 3) == 0; /* of make_virtual()'s table */
  t->not_repairable = is_shadow || strcmp(name, "sqlite_master") == 0;
  if (has_rowid(db, t)) {
    t->rowid = copy_of("rowid");
  } else {
    t->kind = KIND_WITHOUT_ROWID;
  }
  add_columns(db, t);
}

/* Adds the tables that this program did not make: sqlite_master, sqlite_..., those of FTS5. */
static void find_tables(sqlite3 *db) {
  for (int s = 0; s < schema_count; s++) {
    Text sql = {NULL, 0, 0};
    text_string(&sql, "SELECT name FROM ");
    text_name(&sql, schemas[s]);
    text_string(&sql, ".sqlite_master WHERE type = 'table' AND rootpage > 0");
    sqlite3_stmt *stmt = prepared(db, &sql);
    add_table(db, schemas[s], "sqlite_master");
    while (sqlite3_step(stmt) == SQLITE_ROW) {
      add_table(db, schemas[s], (const char *)sqlite3_column_text(stmt, 0));
    }
    sqlite3_finalize(stmt);
  }
}

/* ---- the rows that utf8_audit must return ---------------------------------------------- */

typedef struct Errors {
  int count;
  size_t offset; /* of the first */
  const char *kind;
} Errors;

static Errors errors_of(const Text *cell) {
  Errors e = {0, 0, NULL};
  const uint8_t *bytes = (const uint8_t *)text_of(cell) + 1;
  if (*text_of(cell) != 't') return e;
  for (size_t at = 0, size = cell->size - 1; at < size;) {
    const AbnfDialect *dialect = &abnf_dialects[encoding == UTF_8 ? 0 : 6];
    Utf8Step step = abnf_step(dialect, bytes, size, at);
    if (step.error && e.count++ == 0) {
      e.offset = at;
      e.kind = utf8core_error_name((Utf8Error)step.error);
    }
    at += step.length;
  }
  return e;
}

static void text_escaped(Text *t, const char *name) {
  const Utf8Repair how = {UTF8_POLICY_ESCAPE, UTF8_STRICT, NULL, 0};
  uint8_t out[2000];
  text_bytes(t, out, abnf_repair(&how, (const uint8_t *)name, strlen(name), out));
}

/* Is the value, in sqlite_sequence or sqlite_stat1, the name of a table or index? */
static int is_name_in_use(sqlite3 *db, const Table *t, const Text *cell) {
  int found = 0;
  if (strncmp(t->name, "sqlite_", 7) != 0) return 0;
  for (int i = 0; i < table_count; i++) {
    if (strcmp(tables[i].schema, t->schema) ||
        strcmp(tables[i].name, "sqlite_master")) {
      continue;
    }
    Snapshot s = snapshot(db, &tables[i]);
    for (int r = 0; r < s.rows; r++) {
      found |= strcmp(text_of(&s.cell[r * s.columns + 3]), text_of(cell)) == 0;
    }
    snapshot_clear(&s);
  }
  return found;
}

/* Can literals identify a row? Not if a column of the key has an ill-formed name. */
static int has_key(const Table *t) {
  for (int i = 0; i < t->columns; i++) {
    if (t->kind == KIND_WITHOUT_ROWID && t->column[i].key &&
        t->column[i].ill_formed_name)
      return 0;
  }
  return t->kind == KIND_WITHOUT_ROWID || t->rowid != NULL;
}

/* Is it UTF-16 with an odd last byte? */
static int is_odd(const Text *cell) {
  const char *bytes = text_of(cell);
  return encoding != UTF_8 && *bytes == 't' && cell->size > 3 &&
         (uint8_t)bytes[cell->size - 3] == UTF8_ODD_LEAD;
}

/* Does the key have a value that may have no literal: a REAL, or TEXT with an odd last byte? */
static int has_hard_key(const Table *t, const Snapshot *s, int row) {
  for (int i = 0; i < t->columns && t->kind == KIND_WITHOUT_ROWID; i++) {
    const Text *cell = &s->cell[row * s->columns + 2 + i];
    if (t->column[i].key && (*text_of(cell) == 'r' || is_odd(cell))) return 1;
  }
  return 0;
}

static void expect_repair(sqlite3 *db, Table *t, const Snapshot *s, int row, int i) {
  Column *c = &t->column[i];
  c->errors++;
  if (t->not_repairable || t->ill_formed_name || c->ill_formed_name || c->generated ||
      !has_key(t))
    return;
  if (is_name_in_use(db, t, &s->cell[row * s->columns + 2 + i])) return;
  c->max_repairs++;
  if (!has_hard_key(t, s, row)) c->min_repairs++;
}

static void expected_row(Text *t, const Table *table, const Column *c, const char *key,
                         Errors e) {
  text_escaped(t, table->schema);
  text_string(t, "|");
  text_escaped(t, table->name);
  text_string(t, "|");
  text_escaped(t, c->name);
  text_format(t, "|%s|%zu|%s|%d", key, e.offset, e.kind, e.count);
}

/* Adds the rows expected for a table, without repair_sql and without the text of a key. */
static void expected_table(sqlite3 *db, Table *t, Rows *expected) {
  Snapshot s = snapshot(db, t);
  for (int i = 0; i < t->columns; i++) {
    Column *c = &t->column[i];
    c->errors = c->repairs = c->min_repairs = c->max_repairs = 0;
  }
  for (int r = 0; r < s.rows; r++) {
    for (int i = 0; i < t->columns; i++) {
      Errors e = errors_of(&s.cell[r * s.columns + 2 + i]);
      Text row = {NULL, 0, 0};
      if (!e.count) continue;
      int is_text = t->kind == KIND_WITHOUT_ROWID;
      expected_row(&row, t, &t->column[i],
                   is_text ? "key" : text_of(&s.cell[r * s.columns + 1]), e);
      rows_add(expected, &row, 0);
      expect_repair(db, t, &s, r, i);
    }
  }
  snapshot_clear(&s);
}

static Rows expected_rows(sqlite3 *db) {
  Rows expected = {NULL, 0, SQLITE_DONE, ""};
  for (int i = 0; i < table_count; i++) expected_table(db, &tables[i], &expected);
  return expected;
}

/* ---- the rows that it returns ----------------------------------------------------------- */

typedef struct Repair {
  Table *table;
  int column;
  char *key, *sql; /* sql may be NULL */
} Repair;

#define REPAIRS 2000
static Repair repairs[REPAIRS];
static int repair_count;

static void repairs_clear(void) {
  for (int i = 0; i < repair_count; i++) {
    free(repairs[i].key);
    free(repairs[i].sql);
  }
  repair_count = 0;
}

static int is_shown_as(const char *name, const char *shown) {
  Text t = {NULL, 0, 0};
  text_escaped(&t, name);
  int same = shown && strcmp(text_of(&t), shown) == 0;
  text_clear(&t);
  return same;
}

static char *column_copy(sqlite3_stmt *stmt, int i) {
  const char *text = (const char *)sqlite3_column_text(stmt, i);
  return text ? copy_of(text) : NULL;
}

static void repair_add(sqlite3_stmt *stmt) {
  const char *schema = (const char *)sqlite3_column_text(stmt, 0);
  const char *name = (const char *)sqlite3_column_text(stmt, 1);
  const char *column = (const char *)sqlite3_column_text(stmt, 2);
  for (int i = 0; i < table_count; i++) {
    Table *t = &tables[i];
    if (!is_shown_as(t->schema, schema) || !is_shown_as(t->name, name)) continue;
    for (int j = 0; j < t->columns; j++) {
      if (!is_shown_as(t->column[j].name, column)) continue;
      if (repair_count == REPAIRS) fail("too many rows");
      repairs[repair_count++] =
          (Repair){t, j, column_copy(stmt, 3), column_copy(stmt, 7)};
      t->column[j].repairs += sqlite3_column_type(stmt, 7) != SQLITE_NULL;
      return;
    }
  }
}

static const char audit[] =
    "SELECT schema, table_name, column_name, key, offset, error, "
    "errors, repair_sql FROM utf8_audit";

static void got_row(Text *t, sqlite3_stmt *stmt) {
  for (int i = 0; i < 7; i++) {
    const char *text = (const char *)sqlite3_column_text(stmt, i);
    int is_key = i == 3 && sqlite3_column_type(stmt, i) == SQLITE_TEXT;
    text_format(t, "%s%s", i ? "|" : "", is_key ? "key" : text ? text : "NULL");
  }
}

static Rows got_rows(sqlite3 *db) {
  Rows got = {NULL, 0, SQLITE_OK, ""};
  sqlite3_stmt *stmt = NULL;
  replay_statement(audit);
  repairs_clear();
  watch(db);
  int rc = sqlite3_prepare_v2(db, audit, -1, &stmt, NULL);
  while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW) {
    Text row = {NULL, 0, 0};
    got_row(&row, stmt);
    rows_add(&got, &row, 0);
    repair_add(stmt);
    rc = SQLITE_OK;
  }
  rows_failed(&got, db, rc);
  sqlite3_finalize(stmt);
  queries++;
  return got;
}

static void check_repair_counts(const Table *t) {
  for (int i = 0; i < t->columns; i++) {
    const Column *c = &t->column[i];
    if (c->repairs < c->min_repairs || c->repairs > c->max_repairs) {
      fail("%d of %d values of %s.%s.%s have a repair_sql; expected: %d to %d",
           c->repairs, c->errors, t->schema, t->name, c->name, c->min_repairs,
           c->max_repairs);
    }
  }
}

static void check_audit(sqlite3 *db) {
  Rows expected = expected_rows(db), got = got_rows(db);
  rows_same_set(&got, &expected);
  if (got.rc != SQLITE_DONE) fail("error %d, %s", got.rc, got.message);
  for (int i = 0; i < table_count; i++) check_repair_counts(&tables[i]);
  rows_clear(&expected);
  rows_clear(&got);
}

/* Checks that the key of a table WITHOUT ROWID matches one row. */
static void check_key(sqlite3 *db, const Repair *r) {
  const Table *t = r->table;
  Text sql = {NULL, 0, 0};
  int keys = 0;
  if (t->kind != KIND_WITHOUT_ROWID || !r->sql || !t->made) return;
  text_string(&sql, "SELECT count(*) FROM ");
  table_name(&sql, t);
  text_string(&sql, " WHERE (");
  for (int k = 1; k <= t->columns; k++) {
    for (int i = 0; i < t->columns; i++) {
      if (t->column[i].key != k) continue;
      text_string(&sql, keys++ ? ", " : "");
      text_name(&sql, t->column[i].name);
      text_string(&sql, " COLLATE BINARY");
    }
  }
  text_format(&sql, ") = %s", r->key);
  size_t before = replay.size;
  replay_statement(text_of(&sql));
  sqlite3_stmt *stmt = prepared(db, &sql);
  sqlite3_step(stmt);
  int count = sqlite3_column_int(stmt, 0);
  if (count != 1) fail("%d rows have the key", count);
  sqlite3_finalize(stmt);
  replay.size = before;
}

/* ---- repair ------------------------------------------------------------------------------ */

static int cells_same(const Text *a, const Text *b) {
  return a->size == b->size && memcmp(text_of(a), text_of(b), a->size) == 0;
}

/* Is a ill-formed, and b its repair by the policy subpart? */
static int is_repaired(const Text *a, const Text *b) {
  const Utf8Repair how = {UTF8_POLICY_SUBPART,
                          encoding == UTF_8 ? UTF8_STRICT : UTF8_FROM_UTF16, NULL, 0};
  uint8_t *out = malloc(6 * a->size + 1);
  if (!out) exit(2);
  size_t size = abnf_repair(&how, (const uint8_t *)a->bytes + 1, a->size - 1, out);
  int same = size == b->size - 1 && memcmp(out, text_of(b) + 1, size) == 0;
  free(out);
  return same && errors_of(a).count > 0;
}

/* Returns how many values differ, apart from generated columns. Each must be in the repair's
** column, ill-formed before and repaired after. */
static int differences(const Repair *r, const Snapshot *old, const Snapshot *new) {
  int count = 0;
  if (old->rows != new->rows) fail("%d rows, before: %d", new->rows, old->rows);
  for (int i = 0; i < old->rows * old->columns; i++) {
    int column = i % old->columns - 2;
    if (column >= 0 && r->table->column[column].generated) continue;
    if (cells_same(&old->cell[i], &new->cell[i])) continue;
    count++;
    if (column != r->column || !is_repaired(&old->cell[i], &new->cell[i])) {
      fail("column %d of row %d became %s from %s", column, i / old->columns,
           text_of(&new->cell[i]), text_of(&old->cell[i]));
    }
  }
  return count;
}

static void check_update(const Repair *r, int rc, const Snapshot *old,
                         const Snapshot *new) {
  int count = differences(r, old, new);
  if ((rc & 0xFF) == SQLITE_CONSTRAINT) {
    if (count) fail("a failed UPDATE changed %d values", count);
    r->table->constraint_failed = 1;
  } else if (rc != SQLITE_OK) {
    fail("repair_sql fails");
  } else if (count > 1 || (count == 0 && !r->table->constraint_failed)) {
    fail("repair_sql changed %d values", count);
  }
}

static void run_repairs(sqlite3 *db, Snapshot *now) {
  for (int i = 0; i < repair_count; i++) {
    Repair *r = &repairs[i];
    Text sql = {NULL, 0, 0};
    if (!r->sql) continue;
    text_string(&sql, r->sql);
    if (sql.size) sql.size--; /* try_text() writes the semicolon */
    sql.bytes[sql.size] = 0;
    watch(db);
    int rc = try_text(db, &sql);
    Snapshot new = snapshot(db, r->table), *old = &now[r->table - tables];
    check_update(r, rc, old, &new);
    snapshot_clear(old);
    *old = new;
  }
}

/* Checks that no table differs from the snapshots taken after its own UPDATEs. */
static void check_unchanged(sqlite3 *db, const Snapshot *expected) {
  for (int i = 0; i < table_count; i++) {
    Snapshot s = snapshot(db, &tables[i]);
    int same = s.rows == expected[i].rows && s.columns == expected[i].columns;
    for (int j = 0; same && j < s.rows * s.columns; j++) {
      same = cells_same(&s.cell[j], &expected[i].cell[j]);
    }
    if (!same) fail("%s.%s has changed", tables[i].schema, tables[i].name);
    snapshot_clear(&s);
  }
}

/* Checks that the values with a repair_sql are now well-formed. */
static void check_repaired(const Table *before, const Table *after) {
  for (int i = 0; i < after->columns && !after->constraint_failed; i++) {
    int remaining = before->column[i].errors - before->column[i].repairs;
    int generated = after->column[i].generated;
    if (generated ? after->column[i].errors > remaining
                  : after->column[i].errors != remaining) {
      fail("%d values of %s.%s.%s are ill-formed; expected: %d",
           after->column[i].errors, after->schema, after->name, after->column[i].name,
           remaining);
    }
  }
}

static void check_repair(sqlite3 *db) {
  static Snapshot now[TABLES];
  static Table before[TABLES];
  for (int i = 0; i < repair_count; i++) check_key(db, &repairs[i]);
  for (int i = 0; i < table_count; i++) now[i] = snapshot(db, &tables[i]);
  memcpy(before, tables, sizeof before);
  run_repairs(db, now);
  check_unchanged(db, now);
  check_audit(db);
  for (int i = 0; i < table_count; i++) check_repaired(&before[i], &tables[i]);
  for (int i = 0; i < table_count; i++) snapshot_clear(&now[i]);
}

/* ---- queries on utf8_audit ------------------------------------------------------------------ */

static int has_audit_rowid; /* does utf8_audit have a rowid? */

static void make_copy(sqlite3 *db) {
  run(db,
      "CREATE TEMP TABLE audit_rows(schema TEXT, table_name TEXT, column_name TEXT, "
      "key, "
      "offset INTEGER, error TEXT, errors INTEGER, repair_sql TEXT, only TEXT, rid)");
  run(db, "CREATE TEMP TABLE names(n TEXT, i)");
  for (int s = 0; s < schema_count; s++) {
    Text sql = {NULL, 0, 0};
    if (!is_well_formed(schemas[s])) continue;
    char *quoted =
        sqlite3_mprintf("INSERT INTO temp.names VALUES (%Q, %d)", schemas[s], s);
    text_string(&sql, quoted);
    sqlite3_free(quoted);
    run_text(db, &sql);
  }
  has_audit_rowid =
      sqlite3_exec(db, "SELECT rowid FROM utf8_audit", NULL, NULL, NULL) == SQLITE_OK;
  run(db, "INSERT INTO temp.audit_rows SELECT *, NULL, %s FROM utf8_audit",
      has_audit_rowid ? "rowid" : "NULL");
}

/* Returns 1 if the source is utf8_audit without an argument: its rowids are those of the copy. */
static int audit_source(Pair *p) {
  int kind = below(3);
  const char *schema = chance(80) ? "main" : "temp";
  if (kind == 0) {
    subject(p, "utf8_audit AS a");
    reference(p, "temp.audit_rows AS a");
    return 1;
  }
  subject(p,
          kind == 1 ? "utf8_audit('%s') AS a"
                    : "(SELECT * FROM utf8_audit WHERE only = '%s') AS a",
          schema);
  reference(p, "(SELECT * FROM temp.audit_rows WHERE schema = '%s') AS a", schema);
  return 0;
}

static void audit_value(Pair *p, int which) {
  const Table *t = &tables[below(table_count)];
  const char *names[] = {t->schema, t->name, t->column[below(t->columns)].name};
  Text shown = {NULL, 0, 0};
  text_escaped(&shown, names[which]);
  char *quoted = sqlite3_mprintf("%Q", text_of(&shown));
  both(p, "%s", quoted);
  sqlite3_free(quoted);
  text_clear(&shown);
}

static void audit_name_term(Pair *p) {
  static const char *const columns[] = {"schema", "table_name", "column_name"};
  static const char *const operators[] = {"=", "=",  "IS",     "<>",
                                          "<", ">=", "IS NOT", "LIKE"};
  int which = below(3);
  both(p, "a.%s ", columns[which]);
  if (chance(25)) {
    both(p, "%sIN (", chance(20) ? "NOT " : "");
    audit_value(p, which);
    both(p, ", ");
    audit_value(p, which);
    both(p, ")");
  } else if (chance(8)) {
    both(p, "IN (SELECT n FROM temp.names)");
  } else {
    both(p, "%s ", PICK(operators));
    audit_value(p, which);
    if (chance(15)) both(p, " COLLATE NOCASE");
  }
}

static void audit_term(Pair *p, int has_names) {
  static const char *const terms[] = {"a.key > 1",
                                      "a.key = 3",
                                      "typeof(a.key) = 'text'",
                                      "a.key IS NULL",
                                      "a.offset = 0",
                                      "a.offset > 1",
                                      "a.error IS NULL",
                                      "a.error IS NOT NULL",
                                      "a.error = 'truncated'",
                                      "a.errors > 1",
                                      "a.schema IS NULL",
                                      "a.repair_sql LIKE 'U%'",
                                      "a.schema = 'main'",
                                      "a.repair_sql IS NULL",
                                      "a.table_name IS NOT NULL"};
  if (has_names && chance(20)) {
    both(p, "a.%s %s names.n", chance(70) ? "schema" : "table_name",
         chance(70) ? "=" : "IS");
  } else if (chance(55)) {
    audit_name_term(p);
  } else {
    both(p, "%s", PICK(terms));
  }
}

static void audit_predicate(Pair *p, int has_names, int depth) {
  if (depth == 0 || chance(50)) {
    audit_term(p, has_names);
    return;
  }
  both(p, chance(15) ? "NOT (" : "(");
  audit_predicate(p, has_names, depth - 1);
  both(p, chance(60) ? " OR " : " AND ");
  audit_predicate(p, has_names, depth - 1);
  both(p, ")");
}

static void audit_results(Pair *p, int has_names, int has_rowid) {
  static const char *const columns[] = {"schema", "table_name", "column_name",
                                        "key",    "offset",     "error",
                                        "errors", "repair_sql"};
  both(p, chance(15) ? "SELECT DISTINCT " : "SELECT ");
  both(p, "%s", has_names ? "names.n" : "1");
  for (int n = below(4); n > 0; n--) both(p, ", a.%s", PICK(columns));
  if (!has_rowid || chance(70)) return;
  subject(p, ", a.rowid");
  reference(p, ", a.rid");
}

/* Appends utf8_audit(names.n), whose argument changes with each row of names. */
static void audit_lateral(Pair *p, const char *join) {
  both(p, " FROM temp.names%s", join);
  subject(p, "utf8_audit(names.n) AS a ON ");
  reference(p, "temp.audit_rows AS a ON a.schema = names.n AND ");
  audit_predicate(p, 1, 1);
}

/* Appends the source alone, or joined with the names of schemas on either side. */
static void audit_from(Pair *p, const Pair *source, const char *join) {
  int after = chance(50);
  both(p, " FROM ");
  if (join && !after) both(p, "temp.names%s", join);
  pair_append(p, source);
  if (join && after) both(p, "%stemp.names", join);
  if (!join) return;
  both(p, " ON ");
  audit_predicate(p, 1, 1);
}

static void audit_query(sqlite3 *db) {
  static const char *const joins[] = {" JOIN ", " LEFT JOIN ", " RIGHT JOIN ",
                                      " FULL JOIN "};
  int joins_known =
      sqlite3_libversion_number() >= 3044000 ? 4 : 2; /* see from() in fuzz_each.c */
  int lateral = chance(20);
  const char *join = lateral      ? joins[below(2)]
                     : chance(40) ? joins[below(joins_known)]
                                  : NULL;
  Pair p = {{NULL, 0, 0}, {NULL, 0, 0}}, source = {{NULL, 0, 0}, {NULL, 0, 0}};
  int whole = audit_source(&source);
  audit_results(&p, join != NULL, whole && has_audit_rowid && !lateral);
  if (lateral) {
    audit_lateral(&p, join);
  } else {
    audit_from(&p, &source, join);
  }
  both(&p, " WHERE ");
  audit_predicate(&p, join != NULL, 2);
  if (chance(20)) both(&p, " AND a.schema = 'main'");
  Order order = {chance(40), 0};
  if (order.sorted) both(&p, " ORDER BY 1");
  compare(db, &p, order, NULL);
  pair_clear(&p);
  pair_clear(&source);
}

/* ---- changes during a scan ------------------------------------------------------------------ */

enum { TABLE_CHANGES = 5 };

static void table_change(Text *sql, const Table *t, int kind) {
  static const char *const starts[TABLE_CHANGES] = {
      "DROP TABLE ", "DELETE FROM ", "UPDATE ", "ALTER TABLE ", "ALTER TABLE "};
  text_string(sql, starts[kind]);
  table_name(sql, t);
  if (kind == 1 && chance(70)) text_format(sql, " WHERE tag < %d", below(8));
  if (kind == 2) text_string(sql, " SET tag = tag + 100");
  if (kind == 3) text_format(sql, " ADD COLUMN added%d", below(3));
  if (kind == 4) text_format(sql, " RENAME TO renamed%d", below(3));
}

static void random_change(sqlite3 *db) {
  static const char *const others[] = {
      "VACUUM",      "REINDEX",  "ATTACH ':memory:' AS later",
      "SAVEPOINT s", "BEGIN",    "BEGIN",
      "COMMIT",      "ROLLBACK", "ROLLBACK"};
  Text sql = {NULL, 0, 0};
  int kind = below(TABLE_CHANGES + 2 + COUNT(others));
  if (kind < TABLE_CHANGES) {
    table_change(&sql, &tables[below(table_count)], kind);
  } else if (kind == TABLE_CHANGES) {
    text_format(&sql, "CREATE TABLE new%d AS SELECT CAST(x'ffd8' AS TEXT) AS x",
                below(3));
  } else if (kind == TABLE_CHANGES + 1) {
    text_string(&sql, "DETACH ");
    text_name(&sql, schemas[below(schema_count)]);
  } else {
    text_string(&sql, others[kind - TABLE_CHANGES - 2]);
  }
  watch(db);
  try_text(db, &sql);
}

static void read_row(sqlite3 *db, sqlite3_stmt *stmt) {
  Text row = {NULL, 0, 0};
  for (int i = 0; i < sqlite3_column_count(stmt); i++) text_column(&row, stmt, i);
  text_clear(&row);
  const char *repair = (const char *)sqlite3_column_text(stmt, 7);
  if (repair && chance(30)) {
    Text sql = {NULL, 0, 0};
    text_string(&sql, repair);
    try_text(db, &sql);
  }
}

static void change_under_scan(sqlite3 *db) {
  sqlite3_stmt *scans[3] = {NULL, NULL, NULL};
  for (int i = 0; i < COUNT(scans); i++) {
    replay_comment("scan %d: %s", i, audit);
    sqlite3_prepare_v2(db, audit, -1, &scans[i], NULL);
  }
  for (int n = 40; n > 0; n--) {
    int i = below(COUNT(scans));
    watch(db);
    if (chance(25)) {
      random_change(db);
    } else if (chance(3)) {
      sqlite3_interrupt(db);
    } else if (scans[i]) {
      replay_comment("step %d", i);
      if (sqlite3_step(scans[i]) == SQLITE_ROW) read_row(db, scans[i]);
    }
  }
  for (int i = 0; i < COUNT(scans); i++) sqlite3_finalize(scans[i]);
  if (!sqlite3_get_autocommit(db)) run(db, "ROLLBACK");
}

/* Forgets the tables, and lists the schemas that still exist. */
static void forget_tables(sqlite3 *db) {
  sqlite3_stmt *stmt = NULL;
  tables_clear();
  sqlite3_prepare_v2(db, "PRAGMA database_list", -1, &stmt, NULL);
  while (sqlite3_step(stmt) == SQLITE_ROW) {
    schema_add((const char *)sqlite3_column_text(stmt, 1));
  }
  sqlite3_finalize(stmt);
}

/* ---- damaged files ---------------------------------------------------------------------------- */

static void damage_file(const char *name) {
  FILE *f = fopen(name, "r+b");
  if (!f) fail("%s cannot be opened", name);
  fseek(f, 0, SEEK_END);
  long size = ftell(f);
  for (int n = 1 + below(30); n > 0 && size > 100; n--) {
    long at = chance(3) ? below(100) : 100 + below((int)size - 100);
    int byte = chance(30) ? 255 : below(256);
    replay_comment("byte %ld = %d", at, byte);
    fseek(f, at, SEEK_SET);
    fputc(byte, f);
  }
  fclose(f);
}

static void audit_damaged(void) {
  sqlite3 *db = open_database(main_file);
  sqlite3_stmt *stmt = NULL;
  watch(db);
  sqlite3_prepare_v2(db, audit, -1, &stmt, NULL);
  for (int n = 0; n < 1000 && sqlite3_step(stmt) == SQLITE_ROW; n++) read_row(db, stmt);
  sqlite3_finalize(stmt);
  close_database(db);
}

/* ---- the cases ---------------------------------------------------------------------------------- */

static void remove_files(void) {
  unlink(main_file);
  Text journal = {NULL, 0, 0};
  text_format(&journal, "%s-journal", main_file);
  unlink(text_of(&journal));
  text_clear(&journal);
  unlink(attached_file);
}

static sqlite3 *new_database(const char *file) {
  sqlite3 *db = open_database(file);
  run(db, "PRAGMA encoding = '%s'", encoding_names[encoding]);
  run(db, "PRAGMA synchronous = OFF");
  return db;
}

static void case_repair(void) {
  sqlite3 *db = new_database(":memory:");
  make_databases(db, 2);
  make_copy(db);
  if (schema_count < 2 || strcmp(schemas[1], "temp") != 0) schema_add("temp");
  find_tables(db);
  check_audit(db);
  for (int i = 0; i < 8; i++) audit_query(db);
  check_repair(db);
  close_database(db);
}

static void case_change(void) {
  int on_disk = chance(50);
  sqlite3 *db = new_database(on_disk ? main_file : ":memory:");
  make_databases(db, 2);
  change_under_scan(db);
  forget_tables(db);
  close_database(db);
}

static void case_damage(void) {
  sqlite3 *db = new_database(main_file);
  run(db, "PRAGMA page_size = %d", 512 << below(3));
  make_databases(db, 0);
  close_database(db);
  damage_file(main_file);
  audit_damaged();
}

static void run_case(void) {
  int kind = below(10);
  encoding = (Encoding)(chance(60) ? 0 : 1 + below(2));
  if (kind < 7) {
    case_repair();
  } else if (kind < 8) {
    case_change();
  } else {
    case_damage();
  }
  repairs_clear();
  tables_clear();
  remove_files();
  name_count = 0;
}

int main(int argc, char **argv) {
  const char *directory = getenv("TMPDIR");
  snprintf(main_file, sizeof main_file, "%.30s/fuzz_audit-%d.db",
           directory ? directory : "/tmp", (int)getpid());
  snprintf(attached_file, sizeof attached_file, "%.40s-attached", main_file);
  return fuzz_main(argc, argv);
}
