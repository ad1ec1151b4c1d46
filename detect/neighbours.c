/* detect/neighbours.c: weighs the readings of an ill-formed value by its column and table. */
#include "detect/neighbours.h"
#include "charset/legacy.h"
#include "core/step.h"
#include "detect/readings.h"
#include "detect/usage.h"
#include "detect/words.h"
#include "simd/compiler.h"
#include <string.h>

/* ---- constants, in bits --------------------------------------------------------------------- */

#define VOTE_BITS 18 /* an ill-formed value against a charset, at most */
/* A margin by which a value decides, although neighbours make it unclear; at most VOTE_BITS. */
#define ALONE_BITS 14
/* The ill-formed values of the table against a charset of the column. */
#define TABLE_BITS  32
#define COLUMN_BITS 24 /* all ill-formed values against another charset */
/* Likewise, where they are in a multi-byte charset, for ASIAN_PAIRS. */
#define ASIAN_BITS    48
#define ASIAN_PAIRS   5 /* pairs with a byte above 7F that a value must have for that */
#define COLUMN_DAMAGE 12 /* all ill-formed values against damaged UTF-8 */
#define ONLY_DAMAGE   24 /* likewise, if no well-formed value has a letter beyond ASCII */
#define LETTERS_BITS  16 /* all well-formed values for a charset, or against it */
#define LETTERS_TIMES 4  /* the most ill-formed values that they weigh */

/* A letter of a charset is one of LETTER_SHARE, unless neighbours have it. That counts as much as
** LETTER_PRIOR letters of neighbours. */
#define LETTER_SHARE 32
#define LETTER_PRIOR 4

/* This many letters of well-formed values are enough, and this many bytes of such a value. */
#define LETTERS_ENOUGH 1024
#define CLEAN_BYTES    256

#define NEIGHBOUR_BITS(n) ((int64_t)(n)*UTF8_MODEL_UNIT)

/* ---- ill-formed values ----------------------------------------------------------------------- */

/* Digits are alike. */
static uint64_t addToNeighbourHash(uint64_t hash, uint8_t byte) {
  const int isDigit = byte >= '0' && byte <= '9';
  return (hash ^ (isDigit ? '0' : byte)) * 0x100000001B3; /* FNV-1a */
}

uint64_t utf8detect_neighbour_hash(const uint8_t *bytes, size_t size) {
  uint64_t hash = 0xCBF29CE484222325;
  uint8_t before = ' ';
  for (size_t i = 0; i < size && i < 1024; i++) {
    const int isHigh = bytes[i] >= 0x80;
    if (isHigh && before < 0x80) hash = addToNeighbourHash(hash, before);
    if (isHigh || before >= 0x80) hash = addToNeighbourHash(hash, bytes[i]);
    before = bytes[i];
  }
  return hash;
}

static NOINLINE int hasSeen(const Utf8Neighbours *n, uint64_t hash) {
  for (size_t i = 0; i < n->count; i++) {
    if (n->seen[i] == hash) return 1;
  }
  return 0;
}

int utf8detect_neighbour_is_known(const Utf8Neighbours *n, uint64_t hash) {
  return n->count == UTF8_VOTES_MAX || hasSeen(n, hash);
}

/* What one value says against each charset. */
typedef struct NeighbourVote {
  uint32_t cost[UTF8_CHARSETS];
} NeighbourVote;

static uint32_t voteOf(uint64_t cost, uint64_t least) {
  const uint64_t max = NEIGHBOUR_BITS(VOTE_BITS);
  return (uint32_t)(cost - least < max ? cost - least : max);
}

static NOINLINE void makeVote(NeighbourVote *vote, const Utf8Readings *r) {
  for (int i = 0; i < UTF8_CHARSETS; i++) vote->cost[i] = NEIGHBOUR_BITS(VOTE_BITS);
  for (size_t i = 0; i < r->whole_count; i++)
    vote->cost[r->whole[i].charset] = voteOf(r->whole[i].cost, r->least);
  vote->cost[UTF8_CHARSET_UTF8] = voteOf(r->damaged, r->least);
}

static int hasPastedText(const Utf8Readings *r) {
  return r->pasted_count > 0 && r->pasted[0].cost == r->least;
}

void utf8detect_neighbour_add(Utf8Neighbours *n, uint64_t hash, Utf8CauseEvidence *e) {
  Utf8Readings r;
  NeighbourVote vote;
  if (utf8detect_neighbour_is_known(n, hash) || utf8detect_is_overlong(e)) return;
  utf8detect_read(&r, e, &e->whole.damage, NEIGHBOUR_BITS(VOTE_BITS), 0);
  if (hasPastedText(&r)) return;
  if (utf8detect_usage_are_signs(&r.whole_pairs)) {
    n->has_signs = 1;
    return;
  }
  makeVote(&vote, &r);
  for (int i = 0; i < UTF8_CHARSETS; i++) n->cost[i] += vote.cost[i];
  for (size_t i = 0; i < r.whole_pairs.bytes_count; i++)
    n->with_byte[r.whole_pairs.bytes[i]]++;
  n->seen[n->count++] = hash;
}

/* ---- well-formed values ------------------------------------------------------------------------ */

/* Returns the place of the letter, or where it can be added. */
static size_t placeOfLetter(const Utf8Neighbours *n, uint32_t letter) {
  size_t at = letter * 0x9E3779B1u >> 16 & (UTF8_LETTERS_MAX - 1);
  while (n->letters[at].count > 0 && n->letters[at].letter != letter)
    at = (at + 1) & (UTF8_LETTERS_MAX - 1);
  return at;
}

static NOINLINE uint32_t countOfLetter(const Utf8Neighbours *n, uint32_t letter) {
  return n ? n->letters[placeOfLetter(n, letter)].count : 0;
}

static void addLetter(Utf8Neighbours *n, uint32_t code) {
  const uint32_t letter = utf8detect_letter_of(code);
  Utf8Letter *place = &n->letters[placeOfLetter(n, letter)];
  if (place->count == 0) {
    if (n->letter_count == UTF8_LETTERS_MAX - 1) return;
    n->letter_count++;
    place->letter = letter;
  }
  place->count++;
  n->letter_sum++;
  utf8detect_asian_costs(n->asian, code);
}

void utf8detect_neighbour_add_clean(Utf8Neighbours *n, const uint8_t *bytes,
                                    size_t size) {
  size_t at = 0;
  if (n->letter_sum >= LETTERS_ENOUGH) return;
  while (at < size && at < CLEAN_BYTES) {
    const Utf8Step s = utf8core_step(bytes, size, at, UTF8_STRICT);
    if (s.codepoint > 0x7F) {
      addLetter(n, s.codepoint);
      for (size_t i = 0; i < s.length; i++) n->bytes[bytes[at + i] - 0x80]++;
    }
    at += s.length;
  }
}

/* ---- the charset of the ill-formed values ---------------------------------------------------- */

/* Lists the bytes above 7F of the ill-formed values, less 80. */
static NOINLINE size_t votedBytes(const Utf8Neighbours *n, uint8_t bytes[128]) {
  size_t count = 0;
  for (int i = 0; i < 128; i++) {
    if (n->with_byte[i] > 0) bytes[count++] = (uint8_t)i;
  }
  return count;
}

/* Returns the cheapest charset; windows-1252 for one that reads the same. */
static Utf8Charset cheapestVoted(const Utf8Neighbours *n, const uint8_t *bytes,
                                 size_t count) {
  Utf8Charset best = UTF8_CHARSET_UTF8;
  for (int i = 0; i < UTF8_CHARSETS; i++) {
    if (n->cost[i] < n->cost[best]) best = (Utf8Charset)i;
  }
  return utf8detect_is_same_text(bytes, count, best, UTF8_CHARSET_WINDOWS1252)
             ? UTF8_CHARSET_WINDOWS1252
             : best;
}

Utf8Charset utf8detect_neighbour_charset(const Utf8Neighbours *n) {
  uint8_t bytes[128];
  if (!n || n->count == 0) return UTF8_CHARSET_UNKNOWN;
  const size_t count = votedBytes(n, bytes);
  const Utf8Charset best = cheapestVoted(n, bytes, count);
  for (int i = 0; i < UTF8_CHARSETS; i++) {
    const int isRead = n->cost[i] < NEIGHBOUR_BITS(VOTE_BITS) * n->count;
    if (isRead && utf8detect_is_same_text(bytes, count, best, (Utf8Charset)i)) continue;
    if (n->cost[i] < n->cost[best] + UTF8_CAUSE_MARGIN) return UTF8_CHARSET_UNKNOWN;
  }
  return best;
}

/* ---- bits for and against a reading ------------------------------------------------------------- */

/* What the neighbours say about one value. */
typedef struct NeighbourWeights {
  const Utf8Neighbours *column, *table;
  NeighbourVote own; /* which column and table contain, if they have read the value */
  uint64_t hash;
  int64_t votes[UTF8_CHARSETS];
} NeighbourWeights;

static int64_t notAbove(int64_t value, int64_t max) {
  return value < max ? value : max;
}

static int64_t notBelow(int64_t value, int64_t min) {
  return value > min ? value : min;
}

/* Returns log2(x / y) in the model's unit; x and y are at least 1. */
static int64_t logOfRatio(uint64_t x, uint64_t y) {
  int64_t bits = 0;
  while (x >= 2 * y) y *= 2, bits += NEIGHBOUR_BITS(1);
  while (2 * x <= y) x *= 2, bits -= NEIGHBOUR_BITS(1);
  /* x / y is between 1/2 and 2: a line is near enough */
  return bits + (x >= y ? NEIGHBOUR_BITS(1) * (int64_t)(x - y) / (int64_t)y
                        : -NEIGHBOUR_BITS(1) * (int64_t)(y - x) / (int64_t)x);
}

static NOINLINE uint64_t lettersOf(const NeighbourWeights *w) {
  return (uint64_t)(w->column ? w->column->letter_sum : 0) + w->table->letter_sum;
}

static uint64_t countOfWell(const NeighbourWeights *w, uint32_t letter) {
  return (uint64_t)countOfLetter(w->column, letter) + countOfLetter(w->table, letter);
}

/* What well-formed values say against a letter of which they have n. */
static int64_t letterAgainst(const NeighbourWeights *w, uint64_t n) {
  return logOfRatio(lettersOf(w) + LETTER_PRIOR, LETTER_SHARE * n + LETTER_PRIOR);
}

static int64_t lettersAgainst(const NeighbourWeights *w, Utf8Charset charset,
                              const uint8_t *bytes, size_t count) {
  int64_t sum = 0;
  if (!utf8charset_extends_ascii(charset)) return NEIGHBOUR_BITS(LETTERS_BITS);
  const uint16_t *high = utf8charset_high(charset);
  for (size_t i = 0; i < count; i++) {
    sum += letterAgainst(w, countOfWell(w, utf8detect_letter_of(high[bytes[i]])));
  }
  return sum;
}

/* Like lettersAgainst() for a multi-byte charset: by the letters of East Asia, and whose language
** they are. */
static int64_t asianAgainst(const NeighbourWeights *w, int asian) {
  const uint64_t *cost = w->table->asian;
  uint64_t least = UINT64_MAX;
  for (int i = 0; i < UTF8_ASIAN_CHARSETS; i++)
    least = cost[i] < least ? cost[i] : least;
  const int64_t excess = (int64_t)(cost[asian] - least);
  return letterAgainst(w, least > 0 ? lettersOf(w) / 2 : 0) +
         notAbove(excess, NEIGHBOUR_BITS(LETTERS_BITS));
}

/* What well-formed values say against reading these bytes, each less 80, in the charset. */
static int64_t cleanAgainst(const NeighbourWeights *w, Utf8Charset charset,
                            const uint8_t *bytes, size_t count) {
  const int asian = utf8detect_asian_of(charset);
  if (lettersOf(w) == 0 || charset == UTF8_CHARSET_UTF8) return 0;
  const int64_t bits =
      asian >= 0 ? asianAgainst(w, asian) : lettersAgainst(w, charset, bytes, count);
  return notBelow(notAbove(bits, NEIGHBOUR_BITS(LETTERS_BITS)),
                  -NEIGHBOUR_BITS(LETTERS_BITS));
}

/* Stores what the ill-formed values of a column or table say against each charset, without the value
** itself: 0 for the best one. */
static void countVotes(int64_t votes[UTF8_CHARSETS], const NeighbourWeights *w,
                       const Utf8Neighbours *n, int64_t max) {
  uint8_t bytes[128];
  int64_t least = INT64_MAX;
  const int isIn = hasSeen(n, w->hash);
  const size_t count = votedBytes(n, bytes);
  const int64_t times = notAbove((int64_t)n->count - isIn, LETTERS_TIMES);
  for (int i = 0; i < UTF8_CHARSETS; i++) {
    votes[i] = (int64_t)n->cost[i] - (isIn ? w->own.cost[i] : 0) +
               times * cleanAgainst(w, (Utf8Charset)i, bytes, count);
    least = notAbove(votes[i], least);
  }
  for (int i = 0; i < UTF8_CHARSETS; i++) votes[i] = notAbove(votes[i] - least, max);
}

/* Adds up what column and table say about a value with these pairs. */
static void weighVotes(NeighbourWeights *w, const Utf8PairList *pairs) {
  int64_t column[UTF8_CHARSETS] = {0}, least;
  int best = UTF8_CHARSET_UTF8;
  countVotes(w->votes, w, w->table, NEIGHBOUR_BITS(TABLE_BITS));
  if (w->column) countVotes(column, w, w->column, INT64_MAX);
  for (int i = 0; i < UTF8_CHARSETS; i++) w->votes[i] += column[i];
  for (int i = 0; i < UTF8_CHARSETS; i++)
    if (w->votes[i] < w->votes[best]) best = i;
  least = w->votes[best];
  const int isAsian =
      utf8detect_asian_of((Utf8Charset)best) >= 0 && pairs->high_sum >= ASIAN_PAIRS;
  const int64_t max = NEIGHBOUR_BITS(isAsian ? ASIAN_BITS : COLUMN_BITS);
  const int64_t damage = NEIGHBOUR_BITS(lettersOf(w) > 0 ? COLUMN_DAMAGE : ONLY_DAMAGE);
  for (int i = 0; i < UTF8_CHARSETS; i++)
    w->votes[i] = notAbove(w->votes[i] - least, i == UTF8_CHARSET_UTF8 ? damage : max);
}

/* What well-formed values say against damage that leaves these continuation bytes: a character of
** theirs that lost its lead byte leaves one of theirs. */
static int64_t damageAgainst(const NeighbourWeights *w, const Utf8PairList *pairs) {
  int64_t sum = 0;
  if (lettersOf(w) == 0) return 0;
  for (size_t i = 0; i < pairs->bytes_count && pairs->bytes[i] < 64; i++)
    sum += logOfRatio(w->table->letter_sum + LETTER_PRIOR,
                      (uint64_t)64 * w->table->bytes[pairs->bytes[i]] + LETTER_PRIOR);
  return notAbove(sum > 0 ? sum : 0, NEIGHBOUR_BITS(LETTERS_BITS));
}

/* ---- the decision ------------------------------------------------------------------------------ */

/* More than all weights add or take away. */
#define WEIGHTS_MAX (ASIAN_BITS + LETTERS_BITS)

/* The cost of every reading grows by WEIGHTS_MAX, so that none is negative. */
static uint64_t weightedCost(uint64_t cost, int64_t bits) {
  return (uint64_t)((int64_t)cost + NEIGHBOUR_BITS(WEIGHTS_MAX) + bits);
}

static NOINLINE void sortReadings(Utf8Ranked *list, size_t count) {
  for (size_t i = 1; i < count; i++) {
    const Utf8Ranked moved = list[i];
    size_t at = i;
    for (; at > 0 && list[at - 1].cost > moved.cost; at--) list[at] = list[at - 1];
    list[at] = moved;
  }
}

static void weighReadings(Utf8Readings *r, const NeighbourWeights *w) {
  for (size_t i = 0; i < r->whole_count; i++) {
    Utf8Ranked *whole = &r->whole[i];
    whole->cost = weightedCost(whole->cost,
                               w->votes[whole->charset] +
                                   cleanAgainst(w, whole->charset, r->whole_pairs.bytes,
                                                r->whole_pairs.bytes_count));
  }
  for (size_t i = 0; i < r->pasted_count; i++) {
    Utf8Ranked *pasted = &r->pasted[i];
    pasted->cost = weightedCost(pasted->cost,
                                cleanAgainst(w, pasted->charset, r->pasted_pairs.bytes,
                                             r->pasted_pairs.bytes_count));
  }
  r->damaged = weightedCost(r->damaged, w->votes[UTF8_CHARSET_UTF8] +
                                            damageAgainst(w, &r->whole_pairs));
  sortReadings(r->whole, r->whole_count);
  sortReadings(r->pasted, r->pasted_count);
}

/* The damage of the value, in a column that has these sequences. */
static Utf8Damage damageAmong(const Utf8Damage *damage, const Utf8Neighbours *table) {
  Utf8Damage among = *damage;
  if (table->letter_sum == 0) return among;
  for (unsigned lead = 0; lead < 64; lead++)
    if (table->bytes[64 + lead] > 0) among.seen |= (uint64_t)1 << lead;
  if (among.sequences < among.runs) among.sequences = among.runs;
  return among;
}

/* Has the column nothing but signs of windows-1252 beyond ASCII? */
static int hasOnlySigns(const Utf8Neighbours *column) {
  return column && column->has_signs && column->count == 0 && column->letter_sum == 0;
}

/* Returns the cause of a value in a column of signs: the charset of the table, if it can be that. */
static Utf8Cause causeOfSigns(const Utf8Readings *r, Utf8CauseEvidence *e,
                              Utf8Charset table) {
  const Utf8Cause signs = {UTF8_CAUSE_CHARSET, UTF8_CHARSET_WINDOWS1252};
  if (table == UTF8_CHARSET_UNKNOWN || table == UTF8_CHARSET_UTF8) return signs;
  if (utf8detect_cost_in(&r->whole_pairs, &e->whole.asian, table) == UINT64_MAX)
    return signs;
  return (Utf8Cause){UTF8_CAUSE_CHARSET, table};
}

/* Returns the cause with the name of the column's charset, or the table's, if that reads the same. */
static Utf8Cause namedAsNeighbours(Utf8Cause cause, const Utf8PairList *pairs,
                                   Utf8Charset neighbours) {
  if (cause.kind == UTF8_CAUSE_CHARSET && neighbours != UTF8_CHARSET_UNKNOWN &&
      utf8detect_is_same_text(pairs->bytes, pairs->bytes_count, cause.charset,
                              neighbours))
    cause.charset = neighbours;
  return cause;
}

/* The margin over other charsets if the well-formed values have LETTERS_SHOWN letters, which show the
** language. The margin over damage stays the same. */
#define LETTERS_MARGIN NEIGHBOUR_BITS(6)
#define LETTERS_SHOWN  16

static uint64_t marginAmong(const NeighbourWeights *w) {
  return lettersOf(w) < LETTERS_SHOWN ? UTF8_CAUSE_MARGIN : LETTERS_MARGIN;
}

/* Do the column and its table show nothing but the value itself, if that? */
static int isWithoutNeighbours(const NeighbourWeights *w) {
  const Utf8Neighbours *table = w->table;
  return lettersOf(w) == 0 && !table->has_signs &&
         table->count == (size_t)hasSeen(table, w->hash);
}

/* Has the value a letter beyond ASCII that no other value of the table has? */
static int hasNewLetter(const NeighbourWeights *w, const Utf8PairList *pairs,
                        Utf8Charset charset) {
  const uint16_t *high = utf8charset_high(charset);
  const Utf8Neighbours *n = w->table;
  const int isIn = hasSeen(n, w->hash);
  for (size_t i = 0; i < pairs->bytes_count; i++) {
    const unsigned byte = pairs->bytes[i];
    if (n->with_byte[byte] <= isIn &&
        countOfWell(w, utf8detect_letter_of(high[byte])) == 0)
      return 1;
  }
  return 0;
}

/* The margin by which another charset must be likelier than that of the neighbours, for a value with
** a new letter. */
#define NEW_LETTER_BITS 5

/* Does the value contradict the charset that its neighbours are in, that of the first reading? */
static int isContradicted(const NeighbourWeights *w, const Utf8Readings *r,
                          Utf8Charset charset) {
  const int64_t against = w->own.cost[charset];
  if (!utf8charset_extends_ascii(charset)) return 0;
  const Utf8WordsOddness oddness = utf8detect_words_oddness(&r->whole_pairs, charset);
  return oddness == UTF8_WORDS_ODD || (oddness == UTF8_WORDS_UNUSUAL && against > 0) ||
         (against >= NEIGHBOUR_BITS(NEW_LETTER_BITS + r->whole[0].prior) &&
          hasNewLetter(w, &r->whole_pairs, charset));
}

/* Is `alone`, the cause that the value alone suggests, a charset in which it is odd or unusual? */
static int isOddAlone(const Utf8Readings *r, Utf8Cause alone) {
  return alone.kind == UTF8_CAUSE_CHARSET &&
         utf8detect_words_oddness(&r->whole_pairs, alone.charset) > UTF8_WORDS_USUAL;
}

/* Returns the cause that the weighed readings show, or that which the value alone shows. */
static NOINLINE Utf8Cause causeOfWeighed(const NeighbourWeights *w,
                                         const Utf8Readings *r,
                                         const Utf8Damage *damage, Utf8Cause alone) {
  const Utf8Cause unclear = {UTF8_CAUSE_UNCLEAR, UTF8_CHARSET_UNKNOWN};
  const Utf8Cause cause =
      utf8detect_decide(r, damage, UTF8_CAUSE_MARGIN, marginAmong(w));
  const int isCharset = cause.kind == UTF8_CAUSE_CHARSET;
  if (cause.kind != UTF8_CAUSE_UNCLEAR &&
      !(isCharset && isContradicted(w, r, cause.charset)))
    return cause;
  return isOddAlone(r, alone) ? unclear : alone;
}

Utf8Cause utf8detect_cause_among(Utf8CauseEvidence *e, uint64_t hash,
                                 const Utf8Neighbours *column,
                                 const Utf8Neighbours *table) {
  Utf8Readings r;
  NeighbourWeights w = {.column = column, .table = table, .hash = hash};
  const Utf8Charset ofTable = utf8detect_neighbour_charset(table);
  const Utf8Damage damage = damageAmong(&e->whole.damage, table);
  if (utf8detect_is_overlong(e) || isWithoutNeighbours(&w))
    return utf8detect_cause_decide(e);
  utf8detect_read(&r, e, &e->whole.damage, NEIGHBOUR_BITS(VOTE_BITS), 0);
  if (hasOnlySigns(column) && utf8detect_usage_are_signs(&r.whole_pairs))
    return causeOfSigns(&r, e, ofTable);
  const Utf8Cause alone = utf8detect_decide(
      &r, &e->whole.damage, NEIGHBOUR_BITS(ALONE_BITS), NEIGHBOUR_BITS(ALONE_BITS));
  makeVote(&w.own, &r);
  weighVotes(&w, &r.whole_pairs);
  utf8detect_read(&r, e, &damage, UTF8_CAUSE_MARGIN + NEIGHBOUR_BITS(2 * WEIGHTS_MAX),
                  0);
  weighReadings(&r, &w);
  const Utf8Cause cause = causeOfWeighed(&w, &r, &damage, alone);
  const Utf8Cause named = namedAsNeighbours(cause, &r.whole_pairs, ofTable);
  return namedAsNeighbours(named, &r.whole_pairs, utf8detect_neighbour_charset(column));
}
