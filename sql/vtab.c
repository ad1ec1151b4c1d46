/* sql/vtab.c: what the eponymous virtual tables share: connecting, cursors, errors, rowids. */
#include "sql/vtab.h"
#include <string.h>

int utf8vtab_connect(sqlite3 *db, void *module, int argc, const char *const *argv,
                     sqlite3_vtab **table, char **message) {
  (void)argc, (void)argv, (void)message;
  const Utf8Module *m = module;
  int rc = sqlite3_declare_vtab(db, m->declaration);
  if (rc != SQLITE_OK) return rc;
  sqlite3_vtab_config(db, m->risk);
  Utf8Table *t = sqlite3_malloc64(sizeof *t);
  if (!t) return SQLITE_NOMEM;
  *t = (Utf8Table){.db = db, .cursor_size = m->cursor_size};
  *table = &t->base;
  return SQLITE_OK;
}

int utf8vtab_disconnect(sqlite3_vtab *table) {
  sqlite3_free(table);
  return SQLITE_OK;
}

int utf8vtab_open(sqlite3_vtab *table, sqlite3_vtab_cursor **cursor) {
  const size_t size = ((const Utf8Table *)table)->cursor_size;
  *cursor = sqlite3_malloc64(size);
  if (!*cursor) return SQLITE_NOMEM;
  memset(*cursor, 0, size);
  return SQLITE_OK;
}

int utf8vtab_close(sqlite3_vtab_cursor *cursor) {
  sqlite3_free(cursor);
  return SQLITE_OK;
}

int utf8vtab_is_unusable(sqlite3_index_info *info, int column) {
  int unusable = 0;
  for (int i = 0; i < info->nConstraint; i++) {
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    if (c->iColumn != column || c->op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
    if (c->usable) return 0;
    unusable = 1;
  }
  return unusable;
}

int utf8vtab_plan_argument(sqlite3_index_info *info, int column) {
  if (utf8vtab_is_unusable(info, column)) return SQLITE_CONSTRAINT;
  for (int i = 0; i < info->nConstraint && !info->idxNum; i++) {
    const struct sqlite3_index_constraint *c = &info->aConstraint[i];
    if (c->iColumn != column || c->op != SQLITE_INDEX_CONSTRAINT_EQ || !c->usable)
      continue;
    info->idxNum = 1;
    info->aConstraintUsage[i].argvIndex = 1;
    info->aConstraintUsage[i].omit = 1;
  }
  return SQLITE_OK;
}

static int isIn(sqlite3_index_info *info, int i) {
#if SQLITE_VERSION_NUMBER >= 3038000
  return sqlite3_libversion_number() >= 3038000 && sqlite3_vtab_in(info, i, -1);
#else
  (void)info, (void)i;
  return 0;
#endif
}

int utf8vtab_has_in(sqlite3_index_info *info, int column) {
  for (int i = 0; i < info->nConstraint; i++) {
    if (info->aConstraint[i].iColumn == column && isIn(info, i)) return 1;
  }
  return 0;
}

int utf8vtab_error(sqlite3_vtab_cursor *cursor, char *message) {
  sqlite3_free(cursor->pVtab->zErrMsg);
  cursor->pVtab->zErrMsg = message;
  return message ? SQLITE_ERROR : SQLITE_NOMEM;
}

int utf8vtab_no_input(sqlite3_vtab_cursor *cursor, const char *name) {
  static const char message[] =
      "%s: argument 1 (input) is missing; accepted: any value, as in %s(X)";
  return utf8vtab_error(cursor, sqlite3_mprintf(message, name, name));
}

/* Returns the hash continued with a word of eight bytes. The constants are those of
** MurmurHash3's finalizer (Austin Appleby, public domain). */
static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xFF51AFD7ED558CCDu;
  hash = (hash ^ hash >> 33) * 0xC4CEB9FE1A85EC53u;
  return hash ^ hash >> 33;
}

/* Mixes in eight bytes at a time, and the size last. */
uint64_t utf8vtab_hash(uint64_t hash, const void *bytes, size_t size) {
  const uint8_t *p = bytes;
  uint64_t word = 0;
  size_t at = 0;
  for (; size - at >= sizeof word; at += sizeof word) {
    memcpy(&word, p + at, sizeof word);
    hash = mix(hash, word);
  }
  word = 0;
  if (size > at) memcpy(&word, p + at, size - at);
  return mix(mix(hash, word), size);
}
