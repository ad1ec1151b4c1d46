/* audit/charsets.c: what the ill-formed values of a table are in. */
#include "audit/charsets.h"
#include "sql/functions.h"
#include <string.h>

/* The votes of a chunk. */
typedef struct ChunkVotes {
  /* Of one value, used again for the next. */
  Utf8CauseEvidence *evidence;
  /* Those of the key first, then those of columns[first..) of the table. */
  Utf8CauseVotes *columns;
  /* Of all columns together. */
  Utf8CauseVotes table;
} ChunkVotes;

/* Allocates what the first ill-formed value needs. */
static int beginVotes(ChunkVotes *votes, AuditChunk chunk) {
  const uint64_t columns = (uint64_t)chunk.key + (uint64_t)chunk.count;
  if (votes->columns) return SQLITE_OK;
  votes->evidence = sqlite3_malloc64(sizeof *votes->evidence);
  votes->columns = sqlite3_malloc64(columns * sizeof *votes->columns);
  if (!votes->evidence || !votes->columns) return SQLITE_NOMEM;
  memset(votes->columns, 0, (size_t)(columns * sizeof *votes->columns));
  return SQLITE_OK;
}

static void freeVotes(ChunkVotes *votes) {
  sqlite3_free(votes->evidence);
  sqlite3_free(votes->columns);
}

/* Adds an ill-formed value of UTF-8, unless rules decide its cause. */
static int addOpenVote(ChunkVotes *votes, sqlite3 *db, Utf8CauseVotes *column,
                       const Utf8Value *value) {
  Utf8Cause cause;
  const uint64_t own = utf8detect_vote_hash(column, value->bytes, value->size);
  const uint64_t shared =
      utf8detect_vote_hash(&votes->table, value->bytes, value->size);
  if (own == 0 && shared == 0) return SQLITE_OK;
  if (utf8detect_cause_by_rules(value->bytes, value->size, UTF8_STRICT, &cause))
    return SQLITE_OK;
  utf8detect_cause_begin(votes->evidence);
  int rc = utf8sql_add_cause(db, votes->evidence, value);
  if (rc != SQLITE_OK) return rc;
  utf8detect_vote(column, own, votes->evidence);
  utf8detect_vote(&votes->table, shared, votes->evidence);
  return SQLITE_OK;
}

static int addVote(ChunkVotes *votes, sqlite3 *db, int column, sqlite3_value *x) {
  Utf8Value value;
  if (sqlite3_value_type(x) != SQLITE_TEXT) return SQLITE_OK;
  int rc = utf8value_open(&value, x, UTF8_ENCODING_UTF8);
  if (rc != SQLITE_OK) return rc;
  rc = addOpenVote(votes, db, &votes->columns[column], &value);
  utf8value_close(&value);
  return rc;
}

static int addVotes(ChunkVotes *votes, sqlite3 *db, const AuditTable *table,
                    AuditChunk chunk, sqlite3_stmt *stmt) {
  const int first = utf8audit_key_results(table);
  int rc = beginVotes(votes, chunk);
  for (int i = 0; rc == SQLITE_OK && i < chunk.key; i++)
    rc = addVote(votes, db, i, sqlite3_column_value(stmt, i));
  for (int i = 0; rc == SQLITE_OK && i < chunk.count; i++)
    rc = addVote(votes, db, chunk.key + i, sqlite3_column_value(stmt, first + i));
  return rc;
}

static void countVotes(const ChunkVotes *votes, AuditTable *table, AuditChunk chunk) {
  if (!votes->columns) return;
  table->charset = utf8detect_votes_charset(&votes->table);
  for (int i = 0; i < chunk.key + chunk.count; i++) {
    const int column = i < chunk.key ? i : chunk.first + i - chunk.key;
    table->columns[column].charset = utf8detect_votes_charset(&votes->columns[i]);
  }
}

int utf8audit_find_charsets(const AuditContext *context, AuditTable *table,
                            AuditChunk chunk, int *any) {
  ChunkVotes votes = {.columns = NULL};
  sqlite3_stmt *stmt = NULL;
  chunk.suspects = 0;
  int rc = utf8audit_prepare_rows(context->db, table, chunk, AUDIT_ILL_FORMED, &stmt);
  while (rc == SQLITE_OK && (rc = sqlite3_step(stmt)) == SQLITE_ROW)
    rc = addVotes(&votes, context->db, table, chunk, stmt);
  sqlite3_finalize(stmt);
  *any = rc != SQLITE_DONE || votes.columns;
  if (rc == SQLITE_DONE) countVotes(&votes, table, chunk);
  freeVotes(&votes);
  return rc == SQLITE_DONE ? SQLITE_OK : rc;
}
