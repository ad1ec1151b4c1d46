/* fuzz_audit.c: compares utf8_audit on random schemas with a scan by this program.
**
**     make fuzz-sql
**
** A case creates tables with hostile names, keys, collations and values in main, temp and
** attached databases. Then it does one of these:
**
** - Repair. Reads every value and classifies it by the second definition (test/abnf.h), which
**   gives the rows that utf8_audit must return. Runs random queries on utf8_audit and on a copy
**   of its rows. Runs every repair_sql in order and compares the tables before and
**   after: exactly one value changed, from ill-formed to its repair by a random policy. Runs
**   every undo_sql in reverse order, after which the tables are as they were.
** - Change. Changes the schema during scans.
** - Damage. Damages the file; only a crash or a leak is a failure.
**
** audit_schema.h   random tables and rows
** audit_scan.h     the brute-force scan and its comparison with utf8_audit
** audit_repair.h   the effects of repair_sql
** audit_query.h    random queries on utf8_audit
** audit_change.h   changes and damage; this file: the cases
*/
#include <unistd.h>
#include "fuzz/audit_change.h"
#include "fuzz/audit_query.h"
#include "fuzz/audit_repair.h"

static void remove_files(void) {
  unlink(main_file);
  Text journal = {NULL, 0, 0};
  text_format(&journal, "%s-journal", main_file);
  unlink(text_of(&journal));
  text_clear(&journal);
  unlink(attached_file);
}

static sqlite3 *new_database(const char *file) {
  sqlite3 *db = open_fuzzed(file);
  run_sql(db, "PRAGMA encoding = '%s'", encoding_names[encoding]);
  run_sql(db, "PRAGMA synchronous = OFF");
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
  run_sql(db, "PRAGMA page_size = %d", 512 << below(3));
  make_databases(db, 0);
  close_database(db);
  damage_file(main_file);
  audit_damaged();
}

static void run_case(void) {
  int kind = below(10);
  encoding = (Encoding)(chance(60) ? 0 : 1 + below(2));
  choose_policy();
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
