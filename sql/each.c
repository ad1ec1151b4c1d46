/* sql/each.c: the virtual table utf8_each: a row for each code point and each ill-formed
** subpart of a value.
**
**     SELECT offset, notation, char, hex(bytes), error FROM utf8_each(x'41e28241');
**     -- 0|U+0041|A|41|NULL
**     -- 1|NULL|NULL|E282|incomplete
**     -- 3|U+0041|A|41|NULL
**
** A row is a step of the decoder. xNext decodes one step; nothing is decoded ahead. The cursor
** keeps a copy of the value, since SQLite's own may be gone after xFilter.
**
** In addition to the two hidden arguments, xBestIndex uses these constraints: comparisons of error
** and `error IS NOT NULL` (the kernel skips well-formed text), `error IS NULL`, and
** comparisons of offset, which set where the scan starts and ends. SQLite checks all of them
** again, so the scan may be too wide but never too narrow. Every constraint that is used
** becomes an argument of xFilter, even where its value does not matter. Otherwise SQLite
** would use the plan where the constraint does not hold, as on the left side of an outer
** join. idxStr has a letter for each argument. Rows come by ascending offset.
*/
#include "sql/functions.h"
#include "sql/option.h"
#include <stdio.h>
#include <string.h>

enum EachColumn {
  EACH_OFFSET,
  EACH_LENGTH,
  EACH_CODEPOINT,
  EACH_NOTATION,
  EACH_CHAR,
  EACH_BYTES,
  EACH_ERROR,
  EACH_INPUT,
  EACH_DIALECT
};

static const char eachDeclaration[] =
    "CREATE TABLE utf8_each(offset INTEGER, length INTEGER, codepoint INTEGER,"
    " notation TEXT, char TEXT, bytes BLOB, error TEXT,"
    " input HIDDEN, dialect TEXT HIDDEN)";

/* Which rows a scan returns. */
enum EachRows { ROWS_ALL, ROWS_ERRORS, ROWS_CODE_POINTS };

/* The arguments of xFilter. */
enum EachArgument {
  ARGUMENT_INPUT,
  ARGUMENT_DIALECT,
  ARGUMENT_MIN,         /* the row's offset is at least this */
  ARGUMENT_MAX,         /* at most this */
  ARGUMENT_EXACT,       /* equal to this */
  ARGUMENT_ERRORS,      /* only rows with an error; the value does not matter */
  ARGUMENT_CODE_POINTS, /* only rows without one; likewise */
  EACH_ARGUMENTS
};

/* idxStr has the letters of those that are given, in order. */
static const char eachLetters[] = "idlh=ec";

typedef struct EachCursor {
  sqlite3_vtab_cursor base;
  sqlite3_value *input; /* copies of the arguments, or NULL */
  sqlite3_value *dialect;
  Utf8Value value; /* input, open */
  unsigned flags;  /* the dialect under which it is read */
  enum EachRows rows;
  size_t at;         /* offset of the row, a boundary */
  size_t end;        /* no row at or above it */
  Utf8Step step;     /* the row, while at < end */
  uint64_t identity; /* of the arguments, for rowids; 0 until it is needed */
} EachCursor;

/* ---- the plan ----------------------------------------------------------------------- */

/* A plan under construction. */
typedef struct EachPlan {
  char arguments[16]; /* idxStr */
  int used;
} EachPlan;

static int planHas(const EachPlan *plan, enum EachArgument argument) {
  return strchr(plan->arguments, eachLetters[argument]) != NULL;
}

/* Makes the constraint an argument of xFilter, unless the plan has one of that kind. */
static void planArgument(EachPlan *plan, enum EachArgument argument,
                         struct sqlite3_index_constraint_usage *usage) {
  if (planHas(plan, argument)) return;
  plan->arguments[plan->used++] = eachLetters[argument];
  usage->argvIndex = plan->used;
  usage->omit = argument == ARGUMENT_INPUT || argument == ARGUMENT_DIALECT;
}

static void planOffset(EachPlan *plan, int op,
                       struct sqlite3_index_constraint_usage *usage) {
  switch (op) {
  case SQLITE_INDEX_CONSTRAINT_EQ:
    planArgument(plan, ARGUMENT_EXACT, usage);
    break;
  case SQLITE_INDEX_CONSTRAINT_GT:
  case SQLITE_INDEX_CONSTRAINT_GE:
    planArgument(plan, ARGUMENT_MIN, usage);
    break;
  case SQLITE_INDEX_CONSTRAINT_LT:
  case SQLITE_INDEX_CONSTRAINT_LE:
    planArgument(plan, ARGUMENT_MAX, usage);
    break;
  default:
    break;
  }
}

/* Before 3.51.1, SQLite does not report which join `error IS NOT NULL` belongs to: in
** `utf8_each(X) LEFT JOIN k ON error IS NOT NULL` it is offered for utf8_each, all of whose
** rows are in the result. Comparisons with a value are offered correctly in every version. */
#define NOT_NULL_IS_RIGHT 3051001

/* NULL compares with nothing, so only rows with an error meet a comparison. */
static void planError(EachPlan *plan, int op,
                      struct sqlite3_index_constraint_usage *usage) {
  switch (op) {
  case SQLITE_INDEX_CONSTRAINT_EQ:
  case SQLITE_INDEX_CONSTRAINT_GT:
  case SQLITE_INDEX_CONSTRAINT_GE:
  case SQLITE_INDEX_CONSTRAINT_LT:
  case SQLITE_INDEX_CONSTRAINT_LE:
    planArgument(plan, ARGUMENT_ERRORS, usage);
    break;
  case SQLITE_INDEX_CONSTRAINT_ISNOTNULL:
    if (sqlite3_libversion_number() < NOT_NULL_IS_RIGHT) break;
    planArgument(plan, ARGUMENT_ERRORS, usage);
    break;
  case SQLITE_INDEX_CONSTRAINT_ISNULL:
    planArgument(plan, ARGUMENT_CODE_POINTS, usage);
    break;
  default:
    break;
  }
}

static void planConstraint(EachPlan *plan, const struct sqlite3_index_constraint *c,
                           struct sqlite3_index_constraint_usage *usage) {
  int isEqual = c->op == SQLITE_INDEX_CONSTRAINT_EQ;
  switch (c->iColumn) {
  case EACH_OFFSET:
    planOffset(plan, c->op, usage);
    break;
  case EACH_ERROR:
    planError(plan, c->op, usage);
    break;
  case EACH_INPUT:
    if (isEqual) planArgument(plan, ARGUMENT_INPUT, usage);
    break;
  case EACH_DIALECT:
    if (isEqual) planArgument(plan, ARGUMENT_DIALECT, usage);
    break;
  default:
    break;
  }
}

/* Gives every scan of an input the same cost and the same number of rows. Otherwise SQLite may
** split an OR into branches, and a branch that lost its dialect would lose rows. A scan
** without the dialect that the query names would lose them, too: it costs more. */
static void eachPlanCost(const EachPlan *plan, sqlite3_index_info *info) {
  int needsDialect = (info->colUsed >> EACH_DIALECT & 1) != 0;
  info->estimatedCost = planHas(plan, ARGUMENT_INPUT) ? 1000 : 1e99;
  if (needsDialect && !planHas(plan, ARGUMENT_DIALECT)) info->estimatedCost *= 100;
  info->estimatedRows = 1000;
}

static int isHidden(int column) {
  return column == EACH_INPUT || column == EACH_DIALECT;
}

static int eachBestIndex(sqlite3_vtab *table, sqlite3_index_info *info) {
  (void)table;
  if (utf8vtab_is_unusable(info, EACH_INPUT) ||
      utf8vtab_is_unusable(info, EACH_DIALECT))
    return SQLITE_CONSTRAINT;
  EachPlan plan = {.used = 0};
  const int onlyHidden =
      utf8vtab_has_in(info, EACH_INPUT) || utf8vtab_has_in(info, EACH_DIALECT);
  for (int i = 0; i < info->nConstraint; i++) {
    if (!info->aConstraint[i].usable) continue;
    if (onlyHidden && !isHidden(info->aConstraint[i].iColumn)) continue;
    planConstraint(&plan, &info->aConstraint[i], &info->aConstraintUsage[i]);
  }
  eachPlanCost(&plan, info);
  info->orderByConsumed = info->nOrderBy == 1 &&
                          info->aOrderBy[0].iColumn == EACH_OFFSET &&
                          !info->aOrderBy[0].desc;
  info->idxStr = sqlite3_mprintf("%s", plan.arguments);
  info->needToFreeIdxStr = 1;
  return info->idxStr ? SQLITE_OK : SQLITE_NOMEM;
}

/* ---- the cursor ---------------------------------------------------------------------- */

static void cursorReset(EachCursor *c) {
  utf8value_close(&c->value);
  sqlite3_value_free(c->input);
  sqlite3_value_free(c->dialect);
  c->input = c->dialect = NULL;
  c->at = c->end = 0;
  c->identity = 0;
}

static int eachClose(sqlite3_vtab_cursor *cursor) {
  cursorReset((EachCursor *)cursor);
  return utf8vtab_close(cursor);
}

static sqlite3 *cursorDb(const EachCursor *c) {
  return ((Utf8Table *)c->base.pVtab)->db;
}

/* Moves from the boundary c->at to the first code point at or after it, or to c->end if there is
** none. Returns SQLITE_OK or SQLITE_INTERRUPT. */
static int cursorSkipErrors(EachCursor *c) {
  const Utf8Value *v = &c->value;
  Utf8Chunks chunks = utf8value_chunks(cursorDb(c), c->at, c->end);
  for (; c->at < c->end && utf8value_next(&chunks); chunks.at = c->at) {
    for (; c->at < chunks.until; c->at += c->step.length) {
      c->step = utf8core_step(v->bytes, v->size, c->at, c->flags);
      if (!c->step.error) return SQLITE_OK;
    }
  }
  return chunks.rc;
}

/* Moves from the boundary c->at to the first row that the plan includes, if any. */
static int cursorSettle(EachCursor *c) {
  const Utf8Value *v = &c->value;
  if (c->rows == ROWS_CODE_POINTS) return cursorSkipErrors(c);
  if (c->rows == ROWS_ERRORS) {
    int rc = utf8value_find_error(cursorDb(c), v, &c->at, c->end, c->flags);
    if (rc != SQLITE_OK) return rc;
  }
  if (c->at < c->end) c->step = utf8core_step(v->bytes, v->size, c->at, c->flags);
  return SQLITE_OK;
}

static int eachNext(sqlite3_vtab_cursor *cursor) {
  EachCursor *c = (EachCursor *)cursor;
  c->at += c->step.length;
  return cursorSettle(c);
}

static int eachEof(sqlite3_vtab_cursor *cursor) {
  const EachCursor *c = (EachCursor *)cursor;
  return c->at >= c->end;
}

/* ---- xFilter: a new scan ---------------------------------------------------------------- */

/* The arguments of a scan; NULL where the plan has none. */
typedef struct EachArguments {
  sqlite3_value *given[EACH_ARGUMENTS];
} EachArguments;

static EachArguments argumentsByLetter(const char *letters, sqlite3_value **argv) {
  EachArguments a = {{NULL}};
  for (int i = 0; letters[i]; i++) {
    const ptrdiff_t argument = strchr(eachLetters, letters[i]) - eachLetters;
    a.given[argument] = argv[i];
  }
  return a;
}

/* If both an argument for errors and one for code points are given, no row fits, and SQLite drops them all. */
static enum EachRows rowsWanted(const EachArguments *a) {
  if (a->given[ARGUMENT_ERRORS]) return ROWS_ERRORS;
  return a->given[ARGUMENT_CODE_POINTS] ? ROWS_CODE_POINTS : ROWS_ALL;
}

/* Returns x as an offset, rounded down, and at most size. TEXT, BLOB and NULL do not compare
** as numbers and narrow nothing: for them, returns `otherwise`. */
static size_t offsetFrom(sqlite3_value *x, size_t size, size_t otherwise) {
  if (!x) return otherwise;
  int type = sqlite3_value_type(x);
  if (type == SQLITE_INTEGER) {
    sqlite3_int64 n = sqlite3_value_int64(x);
    return n <= 0 ? 0 : (uint64_t)n < size ? (size_t)n : size;
  }
  if (type != SQLITE_FLOAT) return otherwise;
  double real = sqlite3_value_double(x);
  return real < 1 ? 0 : real < (double)size ? (size_t)real : size;
}

/* Sets where the scan starts and ends from the comparisons of offset. */
static void cursorRange(EachCursor *c, const EachArguments *a) {
  const size_t size = c->value.size;
  size_t min = offsetFrom(a->given[ARGUMENT_MIN], size, 0);
  size_t max = offsetFrom(a->given[ARGUMENT_MAX], size, size);
  size_t exactMin = offsetFrom(a->given[ARGUMENT_EXACT], size, 0);
  size_t exactMax = offsetFrom(a->given[ARGUMENT_EXACT], size, size);
  if (min < exactMin) min = exactMin;
  if (max > exactMax) max = exactMax;
  c->at = utf8core_boundary(c->value.bytes, size, min, c->flags);
  c->end = max < size ? max + 1 : size;
}

/* Reads and keeps the dialect. Fails if it is not accepted, for every input. */
static int cursorDialect(EachCursor *c, sqlite3_value *dialect) {
  c->flags = UTF8_STRICT;
  if (!dialect) return SQLITE_OK;
  if (!utf8option_find_dialect(dialect, &c->flags)) {
    return utf8vtab_error(&c->base, utf8option_message("utf8_each", 2, "dialect",
                                                       utf8option_dialects, dialect,
                                                       UTF8_ENCODING_UTF8));
  }
  c->dialect = sqlite3_value_dup(dialect);
  return c->dialect ? SQLITE_OK : SQLITE_NOMEM;
}

static int cursorOpenValue(EachCursor *c, sqlite3_value *x) {
  Utf8Encoding encoding = UTF8_ENCODING_UTF8;
  if (!utf8value_has_encoding()) {
    int rc = utf8value_db_encoding(cursorDb(c), &encoding);
    if (rc != SQLITE_OK) return rc;
  }
  return utf8value_open(&c->value, x, encoding);
}

/* Keeps a copy of the argument: SQLite's own is valid only during xFilter. */
static int cursorKeepInput(EachCursor *c, sqlite3_value *x) {
  c->input = sqlite3_value_dup(x);
  if (!c->input) return SQLITE_NOMEM;
  if (c->value.owned) return SQLITE_OK; /* the bytes are a copy already */
  return cursorOpenValue(c, c->input);
}

static int cursorBegin(EachCursor *c, const EachArguments *a) {
  int rc = cursorDialect(c, a->given[ARGUMENT_DIALECT]);
  if (rc == SQLITE_OK) rc = cursorOpenValue(c, a->given[ARGUMENT_INPUT]);
  if (rc != SQLITE_OK) return rc;
  c->flags = utf8value_dialect(&c->value, c->flags);
  cursorRange(c, a);
  rc = cursorSettle(c);
  if (rc != SQLITE_OK || c->at >= c->end) return rc; /* without a row, no copy */
  return cursorKeepInput(c, a->given[ARGUMENT_INPUT]);
}

static int eachFilter(sqlite3_vtab_cursor *cursor, int unused, const char *letters,
                      int argc, sqlite3_value **argv) {
  (void)unused, (void)argc;
  EachCursor *c = (EachCursor *)cursor;
  cursorReset(c);
  EachArguments a = argumentsByLetter(letters, argv);
  c->rows = rowsWanted(&a);
  if (!a.given[ARGUMENT_INPUT]) return utf8vtab_no_input(cursor, "utf8_each");
  int rc = cursorBegin(c, &a);
  if (rc != SQLITE_OK) c->end = 0;
  return rc;
}

/* ---- the row ------------------------------------------------------------------------------ */

static void resultNotation(sqlite3_context *ctx, uint32_t codepoint) {
  char notation[16];
  int size = snprintf(notation, sizeof notation, "U+%04X", (unsigned)codepoint);
  sqlite3_result_text(ctx, notation, size, SQLITE_TRANSIENT);
}

/* Unicode D76: not a surrogate, nor one of RFC 2044's numbers above 10FFFF. */
static int isScalar(uint32_t codepoint) {
  return codepoint <= 0x10FFFF && (codepoint < 0xD800 || codepoint > 0xDFFF);
}

static void resultCopy(sqlite3_context *ctx, sqlite3_value *x) {
  if (x) utf8value_result_copy(ctx, x);
}

static int eachColumn(sqlite3_vtab_cursor *cursor, sqlite3_context *ctx, int column) {
  const EachCursor *c = (EachCursor *)cursor;
  const Utf8Step *s = &c->step;
  switch ((enum EachColumn)column) {
  case EACH_OFFSET:
    sqlite3_result_int64(ctx, (sqlite3_int64)c->at);
    break;
  case EACH_LENGTH:
    sqlite3_result_int(ctx, s->length);
    break;
  case EACH_CODEPOINT:
    if (!s->error) sqlite3_result_int64(ctx, s->codepoint);
    break;
  case EACH_NOTATION:
    if (!s->error) resultNotation(ctx, s->codepoint);
    break;
  case EACH_CHAR:
    if (!s->error && isScalar(s->codepoint)) utf8value_result_char(ctx, s->codepoint);
    break;
  case EACH_BYTES:
    sqlite3_result_blob(ctx, c->value.bytes + c->at, s->length, SQLITE_TRANSIENT);
    break;
  case EACH_ERROR:
    if (s->error) {
      sqlite3_result_text(ctx, utf8core_error_name(s->error), -1, SQLITE_STATIC);
    }
    break;
  case EACH_INPUT:
    resultCopy(ctx, c->input);
    break;
  default: /* EACH_DIALECT */
    resultCopy(ctx, c->dialect);
    break;
  }
  return SQLITE_OK;
}

/* A hash of the arguments: of a value's type and bytes. */
static uint64_t hashArguments(const EachCursor *c) {
  const uint8_t type = (uint8_t)c->value.type;
  uint64_t hash = utf8vtab_hash(0, &type, 1);
  if (type == SQLITE_FLOAT) { /* its text may be rounded */
    double real = sqlite3_value_double(c->input);
    hash = utf8vtab_hash(hash, &real, sizeof real);
  } else {
    hash = utf8vtab_hash(hash, c->value.bytes, c->value.size);
  }
  if (!c->dialect) return hash;
  const uint8_t *dialect = sqlite3_value_text(c->dialect);
  return utf8vtab_hash(hash, dialect, (size_t)sqlite3_value_bytes(c->dialect));
}

/* For (input = 'a' AND offset = 0) OR (input = 'b' AND offset = 0), SQLite scans twice and
** drops the rowids that it has seen. So the offset alone is not enough. */
static int eachRowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid) {
  EachCursor *c = (EachCursor *)cursor;
  if (c->identity == 0) c->identity = hashArguments(c);
  uint64_t at = c->at;
  *rowid = (sqlite3_int64)utf8vtab_hash(c->identity, &at, sizeof at);
  return SQLITE_OK;
}

const Utf8Module utf8sql_each = {
    .declaration = eachDeclaration,
    .risk = SQLITE_VTAB_INNOCUOUS,
    .cursor_size = sizeof(EachCursor),
    .module = {.xConnect = utf8vtab_connect,
               .xBestIndex = eachBestIndex,
               .xDisconnect = utf8vtab_disconnect,
               .xOpen = utf8vtab_open,
               .xClose = eachClose,
               .xFilter = eachFilter,
               .xNext = eachNext,
               .xEof = eachEof,
               .xColumn = eachColumn,
               .xRowid = eachRowid},
};
