/* audit/audit.c: the virtual table utf8_audit: a row for each ill-formed TEXT value.
**
**     SELECT table_name, column_name, key, offset, error FROM utf8_audit;
**     -- people|name|17|3|truncated
**     SELECT repair_sql FROM utf8_audit('main', 'latin1') WHERE table_name = 'people';
**     -- UPDATE "main"."people" SET "name" = utf8_repair("name", 'latin1') WHERE rowid = 17;
**
** audit/scan.h moves from row to row, and audit/result.h returns the columns.
*/
#include "audit/result.h"
#include "audit/repair.h"
#include "core/omit.h"
#include "sql/option.h"
#include "audit/audit.h"
#include <string.h>

/* AuditResult numbers the columns. */
static const char auditDeclaration[] =
    "CREATE TABLE utf8_audit(schema TEXT, table_name TEXT, column_name TEXT, \"key\","
    " \"offset\" INTEGER, error TEXT, errors INTEGER, repair_sql TEXT, value BLOB,"
    " undo_sql TEXT, cause TEXT, repaired TEXT, probability REAL, readings TEXT,"
    " repair_call TEXT, only TEXT HIDDEN, policy TEXT HIDDEN, suspects INTEGER HIDDEN)";

static const char defaultPolicy[] = "subpart";

typedef struct AuditCursor {
  sqlite3_vtab_cursor base;
  AuditScan scan;
} AuditCursor;

/* ---- the plan ---------------------------------------------------------------------- */

/* The hidden column of each argument, or the one that a constraint names. */
static const int argumentColumns[ARGUMENT_COUNT] = {
    AUDIT_ONLY, AUDIT_POLICY, AUDIT_SUSPECTS, AUDIT_SCHEMA, AUDIT_TABLE};

static int isHiddenArgument(int argument) {
  return argument < ARGUMENT_SCHEMA;
}

/* Returns which argument a constraint can be, or -1. SQLite checks names again. Here they are
** compared byte by byte, so a collating sequence that equates more cannot be used. */
static int argumentOf(sqlite3_index_info *info, int i) {
  const struct sqlite3_index_constraint *c = &info->aConstraint[i];
  int equal = c->op == SQLITE_INDEX_CONSTRAINT_EQ;
  int argument = 0;
  while (argument < ARGUMENT_COUNT && argumentColumns[argument] != c->iColumn)
    argument++;
  if (argument == ARGUMENT_COUNT) return -1;
  if (isHiddenArgument(argument)) return equal ? argument : -1;
  if (!equal && c->op != SQLITE_INDEX_CONSTRAINT_IS) return -1;
  int binary = sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") == 0;
  return binary ? argument : -1;
}

/* Does this hold for the column of a hidden argument? */
static int holdsForHidden(sqlite3_index_info *info,
                          int (*holds)(sqlite3_index_info *info, int column)) {
  for (int i = 0; isHiddenArgument(i); i++) {
    if (holds(info, argumentColumns[i])) return 1;
  }
  return 0;
}

/* In idxNum: a column that depends on the repair may be read; the column `cause`, too. */
#define PLAN_HAS_REPAIRS (1 << ARGUMENT_COUNT)
#define PLAN_HAS_CAUSES  (1 << (ARGUMENT_COUNT + 1))

/* Makes the chosen constraints arguments of xFilter, in the order of AuditArgument. idxNum has
** bit 1 << i for argument i. */
static void auditPlanArguments(sqlite3_index_info *info,
                               const int chosen[ARGUMENT_COUNT]) {
  int used = 0;
  for (int i = 0; i < ARGUMENT_COUNT; i++) {
    if (chosen[i] < 0) continue;
    info->idxNum |= 1 << i;
    info->aConstraintUsage[chosen[i]].argvIndex = ++used;
    info->aConstraintUsage[chosen[i]].omit = i < ARGUMENT_SCHEMA;
  }
}

/* SQLite runs a branch of an OR without the conditions that hold a subquery, and plans it in
** older versions without those that name other tables: it would lose a hidden argument, and
** rows with it. So a scan without one costs more than any number of scans that have it, and
** OR never pays. */
static void auditPlanCost(sqlite3_index_info *info) {
  info->estimatedCost = 1e6;
  for (int i = 0; isHiddenArgument(i); i++) {
    if (!(info->idxNum & 1 << i)) info->estimatedCost *= 1e14;
  }
  info->estimatedRows = 1000;
}

/* The hidden arguments must be known before the scan starts. */
static int auditBestIndex(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  int chosen[ARGUMENT_COUNT] = {-1, -1, -1, -1, -1};
  const int only_hidden = holdsForHidden(info, utf8vtab_has_in);
  if (holdsForHidden(info, utf8vtab_is_unusable)) return SQLITE_CONSTRAINT;
  for (int i = 0; i < info->nConstraint; i++) {
    int argument = argumentOf(info, i);
    if (argument < 0 || (only_hidden && !isHiddenArgument(argument))) continue;
    if (info->aConstraint[i].usable && chosen[argument] < 0) chosen[argument] = i;
  }
  auditPlanArguments(info, chosen);
  if (info->colUsed & AUDIT_REPAIR_COLUMNS) info->idxNum |= PLAN_HAS_REPAIRS;
  if (info->colUsed & 1 << AUDIT_CAUSE) info->idxNum |= PLAN_HAS_CAUSES;
  auditPlanCost(info);
  return SQLITE_OK;
}

/* ---- the cursor -------------------------------------------------------------------- */

static int auditClose(sqlite3_vtab_cursor *cursor) {
  utf8audit_clear_scan(&((AuditCursor *)cursor)->scan);
  return utf8vtab_close(cursor);
}

static int auditNext(sqlite3_vtab_cursor *cursor) {
  return utf8audit_next(&((AuditCursor *)cursor)->scan);
}

/* ---- the start --------------------------------------------------------------------- */

/* Copies the arguments, and converts names to UTF-8 now, since later a failure could not be
** reported. A hidden argument that is not TEXT names nothing, and is kept as it is. */
static int keepArguments(AuditScan *scan, int plan, sqlite3_value **argv) {
  for (int i = 0; i < ARGUMENT_COUNT; i++) {
    if (!(plan & 1 << i)) continue;
    sqlite3_value *copy = scan->argument[i] = sqlite3_value_dup(*argv++);
    if (!copy) return SQLITE_NOMEM;
    int type = sqlite3_value_type(copy);
    if (type == SQLITE_NULL || (isHiddenArgument(i) && type != SQLITE_TEXT)) continue;
    if (!sqlite3_value_text(copy)) return SQLITE_NOMEM;
  }
  return SQLITE_OK;
}

/* Sets the error that an argument is not accepted. */
static int refuse(AuditCursor *c, AuditArgument argument, const char *accepted) {
  static const char *const names[] = {"schema", "policy", "suspects"};
  char *message =
      utf8option_message("utf8_audit", (int)argument + 1, names[argument], accepted,
                         c->scan.argument[argument], UTF8_ENCODING_UTF8);
  return utf8vtab_error(&c->base, message);
}

/* Appends the names of the listed schemas except temp: "main, aux". Sets *found if the
** hidden argument is one of them. */
static int listSchemas(AuditScan *scan, sqlite3_str *names, int *found) {
  AuditName *name = &scan->in.table.schema;
  while (sqlite3_step(scan->schemas) == SQLITE_ROW) {
    int rc = utf8audit_name_from(name, scan->schemas, 1);
    if (rc != SQLITE_OK) return rc;
    if (strcmp(name->raw, "temp") == 0) continue;
    if (sqlite3_str_length(names)) sqlite3_str_appendall(names, ", ");
    sqlite3_str_append(names, name->shown, utf8audit_quoted(name->shown));
    *found |= utf8audit_is_only(scan, name);
  }
  return sqlite3_reset(scan->schemas);
}

static int refuseSchema(AuditCursor *c, int listed, const char *accepted) {
  if (listed) return refuse(c, ARGUMENT_ONLY, accepted);
  char *message = sqlite3_mprintf("utf8_audit: PRAGMA database_list is hidden");
  return utf8vtab_error(&c->base, message);
}

/* Returns an error unless the hidden argument names a schema. temp always exists, but is
** listed only after its first use. If not even main is listed, an authorizer hides PRAGMA,
** and the scan would find nothing. */
static int checkSchema(AuditCursor *c) {
  AuditScan *scan = &c->scan;
  int found = scan->argument[ARGUMENT_ONLY] &&
              utf8audit_is_only(scan, &(AuditName){"temp", "temp", 0});
  sqlite3_str *names = sqlite3_str_new(NULL);
  int rc = listSchemas(scan, names, &found);
  int listed = sqlite3_str_length(names);
  sqlite3_str_appendall(names, ", temp");
  if (rc == SQLITE_OK) rc = sqlite3_str_errcode(names);
  char *accepted = sqlite3_str_finish(names);
  if (rc == SQLITE_OK && !found) rc = refuseSchema(c, listed, accepted);
  sqlite3_free(accepted);
  return rc;
}

static int refusePolicy(AuditCursor *c) {
  char accepted[UTF8_ACCEPTED_MAX] = "";
  utf8charset_append_accepted(accepted, "%s, or a charset: ", utf8option_policies);
  utf8option_list_charsets(accepted, c->scan.argument[ARGUMENT_POLICY]);
  return refuse(c, ARGUMENT_POLICY, accepted);
}

static int checkPolicy(AuditCursor *c) {
  AuditPolicy *policy = &c->scan.context.policy;
  sqlite3_value *given = c->scan.argument[ARGUMENT_POLICY];
  policy->ill_formed = utf8audit_default_repair();
  if (!given) return SQLITE_OK;
  if (sqlite3_value_type(given) != SQLITE_TEXT) return refusePolicy(c);
  const char *name = (const char *)sqlite3_value_text(given); /* see keepArguments() */
  if ((size_t)sqlite3_value_bytes(given) != strlen(name)) return refusePolicy(c);
  policy->is_auto = UTF8_HAS_DETECT && sqlite3_stricmp(name, "auto") == 0;
  if (policy->is_auto || utf8audit_repair_from_name(&policy->ill_formed, name))
    return SQLITE_OK;
  return refusePolicy(c);
}

static int checkSuspects(AuditCursor *c) {
  sqlite3_value *given = c->scan.argument[ARGUMENT_SUSPECTS];
  if (!given) return SQLITE_OK;
  sqlite3_int64 suspects = -1;
  if (sqlite3_value_type(given) == SQLITE_INTEGER)
    suspects = sqlite3_value_int64(given);
  if (suspects != 0 && suspects != 1) return refuse(c, ARGUMENT_SUSPECTS, "0, 1");
  c->scan.context.policy.suspects = (int)suspects;
  return SQLITE_OK;
}

static int startScan(AuditCursor *c) {
  AuditScan *scan = &c->scan;
  int rc = utf8value_db_encoding(scan->context.db, &scan->context.encoding);
  if (rc == SQLITE_OK) {
    rc = sqlite3_prepare_v2(scan->context.db, "PRAGMA database_list", -1,
                            &scan->schemas, NULL);
  }
  if (rc == SQLITE_OK) rc = checkSchema(c);
  if (rc == SQLITE_OK) rc = checkPolicy(c);
  if (rc == SQLITE_OK) rc = checkSuspects(c);
  return rc;
}

/* xFilter: starts a scan and moves to its first row. plan is idxNum: its bits say which
** arguments argv has, PLAN_HAS_REPAIRS and PLAN_HAS_CAUSES. */
static int auditFilter(sqlite3_vtab_cursor *cursor, int plan, const char *unused,
                       int argc, sqlite3_value **argv) {
  (void)unused, (void)argc;
  AuditCursor *c = (AuditCursor *)cursor;
  utf8audit_clear_scan(&c->scan);
  c->scan.context.db = ((Utf8Table *)cursor->pVtab)->db;
  c->scan.context.has_repairs = (plan & PLAN_HAS_REPAIRS) != 0;
  c->scan.context.has_causes = (plan & PLAN_HAS_CAUSES) != 0;
  int rc = keepArguments(&c->scan, plan, argv);
  if (rc == SQLITE_OK) rc = startScan(c);
  return rc == SQLITE_OK ? auditNext(cursor) : rc;
}

/* ---- the columns ------------------------------------------------------------------- */

static int auditEof(sqlite3_vtab_cursor *cursor) {
  return ((AuditCursor *)cursor)->scan.done;
}

static uint64_t hashText(uint64_t hash, const char *text) {
  return text ? utf8vtab_hash(hash, text, strlen(text)) : hash;
}

/* Continues the hash with a hidden argument, or with what holds without it. */
static uint64_t hashArgument(uint64_t hash, const AuditScan *scan, AuditArgument which,
                             const char *otherwise) {
  sqlite3_value *x = scan->argument[which];
  return hashText(hash, x ? (const char *)sqlite3_value_text(x) : otherwise);
}

/* The rows of one table come in the same order in every scan with the same hidden arguments,
** whatever its constraints. */
static int auditRowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  const AuditScan *scan = &((AuditCursor *)cursor)->scan;
  uint64_t hash = hashArgument(0, scan, ARGUMENT_ONLY, NULL);
  hash = hashArgument(hash, scan, ARGUMENT_POLICY, defaultPolicy);
  hash = utf8vtab_hash(hash, &scan->context.policy.suspects,
                       sizeof scan->context.policy.suspects);
  hash = hashText(hash, scan->in.table.schema.raw);
  hash = hashText(hash, scan->in.table.name.raw);
  *rowid = (sqlite3_int64)utf8vtab_hash(hash, &scan->row, sizeof scan->row);
  return SQLITE_OK;
}

static int auditColumn(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx, int column) {
  AuditScan *scan = &((AuditCursor *)cursor)->scan;
  if (column < AUDIT_ONLY) {
    utf8audit_result(ctx, scan, (AuditResult)column);
  } else if (scan->argument[column - AUDIT_ONLY]) {
    sqlite3_result_value(ctx, scan->argument[column - AUDIT_ONLY]);
  } else if (column == AUDIT_POLICY) {
    sqlite3_result_text(ctx, defaultPolicy, -1, SQLITE_STATIC);
  } else if (column == AUDIT_SUSPECTS) {
    sqlite3_result_int(ctx, 0);
  }
  return SQLITE_OK;
}

const Utf8Module utf8audit_module = {
    .declaration = auditDeclaration,
    .risk = SQLITE_VTAB_DIRECTONLY,
    .cursor_size = sizeof(AuditCursor),
    .module = {.xConnect = utf8vtab_connect,
               .xBestIndex = auditBestIndex,
               .xDisconnect = utf8vtab_disconnect,
               .xOpen = utf8vtab_open,
               .xClose = auditClose,
               .xFilter = auditFilter,
               .xNext = auditNext,
               .xEof = auditEof,
               .xColumn = auditColumn,
               .xRowid = auditRowid},
};
