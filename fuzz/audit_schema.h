/* audit_schema.h: the random schemas of fuzz_audit.c: tables with hostile names, keys and
** collations in several databases, and random rows in them.
**
** tables[] describes every table. The column `tag` numbers the rows of a table.
*/
#ifndef UTF8_FUZZ_AUDIT_SCHEMA_H
#define UTF8_FUZZ_AUDIT_SCHEMA_H

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

#define COLUMNS 20
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
  static const char parts[] =
      "a|b|T| |\"|'|`|[|]|.|;|select|table|key|--|/*|%s|_|\xC3\xA9|\n|rowid|"
      "\xF0\x9F\x98\x80|1|?1|:x|@|content|x";
  Text t = {NULL, 0, 0};
  for (int n = 1 + below(4); n > 0; n--) text_string(&t, pick_word(parts));
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
  run_sql(db, "INSERT INTO v1 VALUES (CAST(x'61ff' AS TEXT)), ('ok')");
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
    run_sql(db, "CREATE TABLE counted(id INTEGER PRIMARY KEY AUTOINCREMENT, x)");
    run_sql(db, "INSERT INTO counted(x) VALUES (CAST(x'41d8' AS TEXT))");
  }
  if (chance(8)) run_sql(db, "ANALYZE");
  if (chance(8)) run_sql(db, "CREATE VIEW seen AS SELECT CAST(x'ffd8' AS TEXT) AS x");
}

#endif
