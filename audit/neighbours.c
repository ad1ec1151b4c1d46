/* audit/neighbours.c: reads the values among which the policy auto decides. */
#include "audit/neighbours.h"
#include "audit/finding.h"
#include "sql/functions.h"
#include <string.h>

/* Rows that are read for their well-formed values. */
#define CLEAN_ROWS 2000

typedef struct Neighbourhood {
  const AuditContext *context;
  AuditTable *table;
  AuditSelection selection;
  /* of one value, used again for the next; NULL before the first */
  Utf8CauseEvidence *evidence;
} Neighbourhood;

static int allocateNeighbours(Utf8Mixture **neighbours) {
  if (*neighbours) return SQLITE_OK;
  *neighbours = sqlite3_malloc64(sizeof **neighbours);
  if (!*neighbours) return AUDIT_NO_MEMORY; /* not SQLite's: finding.h */
  memset(*neighbours, 0, sizeof **neighbours);
  return SQLITE_OK;
}

/* Allocates what the first ill-formed value of a column needs. */
static int beginIllFormed(Neighbourhood *n, AuditColumn *column) {
  int rc = allocateNeighbours(&column->neighbours);
  if (rc == SQLITE_OK) rc = allocateNeighbours(&n->table->neighbours);
  if (rc != SQLITE_OK || n->evidence) return rc;
  n->evidence = sqlite3_malloc64(sizeof *n->evidence);
  return n->evidence ? SQLITE_OK : AUDIT_NO_MEMORY; /* not SQLite's: finding.h */
}

/* Adds the bytes of an ill-formed value, unless rules decide their cause. */
static int addIllFormedBytes(Neighbourhood *n, AuditColumn *column,
                             const Utf8Value *value) {
  Utf8Cause cause;
  int rc;
  Utf8Mixture *own = column->neighbours, *all = n->table->neighbours;
  const uint64_t hash = utf8detect_mixture_hash(value->bytes, value->size);
  /* What the column knows, its table knows. */
  if (utf8detect_mixture_is_known(own, hash)) return SQLITE_OK;
  if (utf8detect_cause_by_rules(value->bytes, value->size, UTF8_STRICT, &cause))
    return SQLITE_OK;
  utf8detect_cause_begin(n->evidence);
  rc = utf8sql_add_cause(n->context->db, n->evidence, value);
  if (rc != SQLITE_OK) return rc;
  utf8detect_mixture_add(own, hash, n->evidence);
  utf8detect_mixture_add(all, hash, n->evidence);
  return SQLITE_OK;
}

static int addIllFormed(Neighbourhood *n, AuditColumn *column, const Utf8Value *value) {
  Utf8Value escaped;
  int rc = beginIllFormed(n, column);
  if (rc != SQLITE_OK) return rc;
  rc = utf8sql_open_escaped(n->context->db, value, &escaped);
  if (rc == SQLITE_OK)
    rc = addIllFormedBytes(n, column, escaped.bytes ? &escaped : value);
  utf8value_close(&escaped);
  return rc;
}

/* Adds a value of the first rows to the table, and to the column if that has ill-formed values. */
static int addFirst(Neighbourhood *n, AuditColumn *column, const Utf8Value *value) {
  utf8detect_mixture_add_first(n->table->neighbours, value->bytes, value->size);
  if (column->neighbours)
    utf8detect_mixture_add_first(column->neighbours, value->bytes, value->size);
  return SQLITE_OK;
}

typedef int AddNeighbour(Neighbourhood *n, AuditColumn *column, const Utf8Value *value);

static int addNeighbour(Neighbourhood *n, AddNeighbour *add, int column,
                        sqlite3_value *x) {
  Utf8Value value;
  if (sqlite3_value_type(x) != SQLITE_TEXT) return SQLITE_OK;
  int rc = utf8value_open(&value, x, UTF8_ENCODING_UTF8);
  if (rc != SQLITE_OK) return rc;
  rc = add(n, &n->table->columns[column], &value);
  utf8value_close(&value);
  return rc;
}

static int addNeighbourRow(Neighbourhood *n, AddNeighbour *add, sqlite3_stmt *stmt) {
  int column, rc = SQLITE_OK;
  for (int i = 0; rc == SQLITE_OK && i < n->selection.count + n->selection.key; i++) {
    sqlite3_value *x =
        utf8audit_selected_value(n->table, n->selection, stmt, i, &column);
    rc = addNeighbour(n, add, column, x);
  }
  return rc;
}

/* Adds at most `rows` rows of the range. Returns SQLITE_OK or an error code. */
static int addNeighbourRows(Neighbourhood *n, AddNeighbour *add, AuditRange range,
                            sqlite3_int64 rows) {
  sqlite3_stmt *stmt = NULL;
  int rc = utf8audit_prepare_rows(n->context->db, n->table, n->selection, range, &stmt);
  while (rc == SQLITE_OK && rows-- > 0 && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
    rc = addNeighbourRow(n, add, stmt);
  sqlite3_finalize(stmt);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}

static void estimate(AuditTable *table) {
  utf8detect_mixture_estimate(table->neighbours, NULL);
  for (int i = 0; i < table->column_count; i++)
    if (table->columns[i].neighbours)
      utf8detect_mixture_estimate(table->columns[i].neighbours, table->neighbours);
}

int utf8audit_read_neighbours(const AuditContext *context, AuditTable *table,
                              AuditSelection selection, int *any) {
  selection.suspects = 0;
  Neighbourhood n = {context, table, selection, NULL};
  int rc = addNeighbourRows(&n, addIllFormed, AUDIT_ILL_FORMED, INT64_MAX);
  *any = rc != SQLITE_OK || n.evidence;
  if (rc == SQLITE_OK && n.evidence)
    rc = addNeighbourRows(&n, addFirst, AUDIT_EVERY, CLEAN_ROWS);
  if (rc == SQLITE_OK && n.evidence) estimate(table);
  if (rc != SQLITE_OK) utf8audit_forget_neighbours(table);
  sqlite3_free(n.evidence);
  return rc;
}

Utf8Neighbours utf8audit_neighbours_of(const AuditTable *table, int column) {
  return (Utf8Neighbours){table->columns[column].neighbours, table->neighbours, NULL};
}
