/* mojibake/whole.c: reads a segment that is misread as a whole, in one charset
** (mojibake/whole.h).
**
** The segment is encoded in the likeliest charset of its first pair. If that makes it
** well-formed UTF-8 of common code points, with nothing left that a scan stops at, no charsets
** need to be compared.
*/
#include "mojibake/whole.h"
#include "mojibake/decide.h"
#include "mojibake/limits.h"
#include "mojibake/rival.h"
#include "core/bytes.h"
#include "core/utf8core.h"

/* A segment is read as a whole only if it then has at least NEAR_MIN sequences, or FAR_MIN if one is
** of a far script: fewer could be there by accident. */
#define NEAR_MIN 2
#define FAR_MIN  4

#define BYTE_ORDER_MARK 0xFEFF

/* A charset with a higher threshold is easily taken for another, such as cp437 for cp850. */
#define DISTINCT 40

/* Returns the most common charset in which a pair starts at `at`. Returns -1 if there is none,
** or if it is one of those that must be compared with others. */
static int charsetAt(const uint8_t *text, size_t size, size_t at) {
  const Utf8Step first = stepWellFormed(text + at);
  if (size - at <= first.length) return -1;
  const Utf8Step second = stepWellFormed(text + at + first.length);
  const uint32_t charsets =
      utf8mojibake_lead[utf8mojibake_kind_of(first.codepoint)] &
      utf8mojibake_continuation[utf8mojibake_kind_of(second.codepoint)] &
      MOJIBAKE_CANDIDATES;
  if (!charsets) return -1;
  const int charset = (int)mask_lowest(charsets);
  return utf8mojibake_prior[charset] == 0 ? charset : -1;
}

/* ---- encoding ----------------------------------------------------------------------------- */

/* Returns the kind of the code point of 2 + more bytes at p, at most U+FFFF. Without a branch on
** the length, which is hard to predict. */
ALWAYS_INLINE unsigned kindOfShort(const uint8_t *p, unsigned more) {
  const unsigned block = (p[0] & 0x1Fu) << 6 * more | (p[1] & 0x3Fu & (0 - more));
  return utf8mojibake_kind[utf8mojibake_block[block] + (p[1 + more] & 0x3F)];
}

/* Encodes the run of code points above 7F at text[*from..size), and sets *from to its end. Returns
** 0 if it has a code point that the charset lacks. */
ALWAYS_INLINE int encodeWholeRun(const uint8_t *text, size_t size, size_t *from,
                                 const uint8_t *row, Whole *whole) {
  size_t at = *from, n = whole->size;
  uint32_t rivals = whole->rivals;
  while (at < size && text[at] >= 0x80) {
    const unsigned more = text[at] >= 0xE0;
    if (text[at] >= 0xF0) return 0;
    const unsigned kind = kindOfShort(text + at, more);
    const uint8_t byte = row[kind];
    if (byte < 0x80) return 0;
    rivals &= byte < 0xC0 ? utf8mojibake_continuation[kind] : utf8mojibake_lead[kind];
    whole->kind[n] = (uint16_t)kind;
    whole->bytes[n++] = byte;
    at += 2 + more;
  }
  *from = at;
  whole->size = n;
  whole->rivals = rivals;
  return 1;
}

/* Copies ASCII, also as kinds. Returns how many bytes there were. */
ALWAYS_INLINE size_t encodeWholeAscii(const uint8_t *text, size_t size, Whole *whole) {
  uint8_t *bytes = whole->bytes + whole->size;
  uint16_t *kind = whole->kind + whole->size;
  const size_t ascii = bytes_copy_ascii(bytes, text, size);
  size_t n = 0;
  for (; ascii - n >= 8; n += 8) bytes_widen(kind + n, bytes + n, 0);
  for (; n < ascii; n++) kind[n] = bytes[n];
  whole->size += ascii;
  return ascii;
}

/* Encodes text in a charset. Returns 0 if it has a code point that the charset lacks. */
static int encodeWhole(const uint8_t *text, size_t size, int charset, Whole *whole) {
  const uint8_t *row = utf8mojibake_byte[charset];
  whole->size = whole->runs = 0;
  whole->rivals = utf8mojibake_contest[charset];
  for (size_t at = 0; at < size;) {
    at += encodeWholeAscii(text + at, size - at, whole);
    if (at == size) break;
    whole->run[whole->runs++] = (uint16_t)whole->size;
    if (!encodeWholeRun(text, size, &at, row, whole)) return 0;
  }
  return 1;
}

/* ---- what was encoded ------------------------------------------------------------------------ */

/* What is counted in the sequences of a segment. */
typedef struct Sequences {
  size_t count;
  uint32_t cost;   /* of all */
  uint32_t pairs;  /* the part of it for their classes */
  int is_common;   /* each of them is */
  int is_near;     /* each is of the Latin script, of none, or takes three bytes */
  int is_doubtful; /* it may have a second layer, or needs a closer look */
} Sequences;

/* Returns the byte at `at`, or a space outside the text. */
static uint8_t byteOrSpace(const Whole *whole, size_t at) {
  return at < whole->size ? whole->bytes[at] : ' ';
}

/* Is the sequence a letter of a far script, alone, that is not a word? */
static int isLoneFar(const Whole *whole, size_t at, unsigned length,
                     Utf8MojibakeTraits traits) {
  return traits.far == 2 && byteOrSpace(whole, at - 1) < 0x80 &&
         byteOrSpace(whole, at + length) < 0x80;
}

/* Counts the sequences of the run at `at`. */
ALWAYS_INLINE void countRun(const Whole *whole, size_t at, Sequences *found) {
  Utf8MojibakeTraits before = utf8mojibake_traits[byteOrSpace(whole, at - 1)];
  uint32_t two = 0, more = 0, next = 0, any = 0;
  int isFirst = 1;
  do {
    const Utf8Step one = stepWellFormed(whole->bytes + at);
    const unsigned kind = utf8mojibake_kind_of(one.codepoint);
    const Utf8MojibakeScan *scan = &utf8mojibake_scan[kind];
    const Utf8MojibakeTraits traits = utf8mojibake_traits[kind];
    const unsigned pair = utf8mojibake_pair[before.class][traits.class];
    found->count++;
    found->cost += pair + (traits.far == 1 ? 0 : traits.cost);
    found->pairs += pair;
    found->is_common &= pair + traits.cost <= MISREAD_COMMON;
    found->is_near &= traits.script <= 1 || one.length > 2;
    any |= (two & scan->next) | (next & scan->last);
    any |= one.codepoint == BYTE_ORDER_MARK || traits.class == MOJIBAKE_C1 ||
           isLoneFar(whole, at, one.length, traits);
    any |= !isFirst && utf8mojibake_is_torn(before, traits, (int32_t)pair);
    isFirst = 0;
    before = traits;
    next = more & scan->next;
    two = scan->two;
    more = scan->more;
    at += one.length;
  } while (at < whole->size && whole->bytes[at] >= 0x80);
  if (any || (at < whole->size && utf8mojibake_is_space_after(whole->bytes, at)))
    found->is_doubtful = 1;
}

static Sequences countSequences(const Whole *whole) {
  Sequences found = {0, 0, 0, 1, 1, 0};
  for (size_t i = 0; i < whole->runs; i++) countRun(whole, whole->run[i], &found);
  return found;
}

/* A letter of Greek, Cyrillic or another far script has at least this code point. */
#define FAR_LETTER 0x370

/* Is it a single letter in a word: "cafÃ©"? Of common small letters, the lead byte is "Ã", "Ä" or "Å". */
static int isInWord(const Whole *whole, uint32_t lead) {
  const size_t at = whole->run[0];
  const unsigned last = utf8mojibake_traits[byteOrSpace(whole, at - 1)].class;
  const unsigned next = utf8mojibake_traits[byteOrSpace(whole, at + 2)].class;
  const Utf8Step one = stepWellFormed(whole->bytes + at);
  const unsigned class = utf8mojibake_traits[utf8mojibake_kind_of(one.codepoint)].class;
  if (class == MOJIBAKE_LATIN_LOWER && last == MOJIBAKE_LOWER) return 1;
  return lead == 0xC3 && next == MOJIBAKE_LOWER &&
         (class == MOJIBAKE_LATIN_LOWER || last == MOJIBAKE_SPACE);
}

/* Do the sequences show that the text is misread? A single one in each run does not, if it starts
** with a far letter: "380 В±5%, 220 В±5%". */
static int areEvidence(const Whole *whole, const Sequences *found, uint32_t lead,
                       int charset) {
  if (utf8mojibake_threshold[charset] > DISTINCT && !found->is_common) return 0;
  if (lead >= FAR_LETTER && (found->count < FAR_MIN || found->count == whole->runs))
    return 0;
  if (found->count == 1) return found->is_common && isInWord(whole, lead);
  if (found->count < (found->is_near ? NEAR_MIN : FAR_MIN)) return 0;
  return found->cost <= MISREAD_COMMON * found->count &&
         found->pairs <= MISREAD_PLAUSIBLE * found->count;
}

/* ---- rivals --------------------------------------------------------------------------------- */

/* Returns the end of the run at `at`. */
static size_t runEnd(const Whole *whole, size_t at) {
  while (at < whole->size && whole->bytes[at] >= 0x80) at++;
  return at;
}

/* Does a rival read the runs otherwise, without being far less likely? */
static int isWholeRival(const Whole *whole, unsigned charset, unsigned rival) {
  RivalRuns all = {0, 0};
  for (size_t i = 0; i < whole->runs; i++)
    utf8mojibake_compare_run(whole->kind, whole->size, whole->run[i],
                             runEnd(whole, whole->run[i]), charset, rival, &all);
  return all.differs && all.saved < MISREAD_SURE;
}

static int hasRival(const Whole *whole, unsigned charset) {
  for (uint32_t rivals = whole->rivals; rivals; rivals &= rivals - 1) {
    if (isWholeRival(whole, charset, (unsigned)mask_lowest(rivals))) return 1;
  }
  return 0;
}

/* ---- reading ----------------------------------------------------------------------------------- */

/* Does the text, read in cp437 or cp850, have "¢" or "¥", whose bytes differ between the two? */
static int isAmbiguous(const Whole *whole, int charset) {
  const int is437 = charset == MOJIBAKE_CP437;
  if (!is437 && charset != MOJIBAKE_CP850) return 0;
  return memchr(whole->bytes, is437 ? 0x9B : 0xBD, whole->size) ||
         memchr(whole->bytes, is437 ? 0x9D : 0xBE, whole->size);
}

int utf8mojibake_read_whole(const uint8_t *text, size_t size, size_t pair,
                            Whole *whole) {
  const int charset = charsetAt(text, size, pair);
  if (charset < 0 || !encodeWhole(text, size, charset, whole)) return -1;
  if (isAmbiguous(whole, charset)) return -1;
  if (!utf8core_valid(whole->bytes, whole->size)) return -1;
  const Sequences found = countSequences(whole);
  const uint32_t lead = stepWellFormed(text + pair).codepoint;
  if (found.is_doubtful || !areEvidence(whole, &found, lead, charset)) return -1;
  return hasRival(whole, (unsigned)charset) ? -1 : charset;
}
