/* form/collate.c: text compared without case, or without case and accents (utf8form.h).
**
** A text is compared by its key, which is made in segments: a code point and those after it that may
** join it. Most segments are one code point, whose key is found in tables. The key of any other one is
** made by the functions for text. Texts that are equal up to a place, ASCII except for case, are compared
** there, since ASCII starts a segment.
*/
#include "form/codepoint.h"
#include "form/unaccent.h"
#include "core/utf8form.h"

/* A longer segment, of a letter with hundreds of marks, is cut, wherever the text is compared. A mark
** takes at most twice the space in a key, and the letter fits into the remainder. */
enum {
  SEGMENT_MAX = 512,
  KEY_MAX = 2 * SEGMENT_MAX + 2 * UTF8_NORMALIZE_ROOM,
  KEY_SOME = 64
};

/* The key of text[at..size) in the making: bytes[next..used) are made, and not compared yet. */
typedef struct CollationKey {
  Utf8Collation collation;
  const uint8_t *text;
  size_t size, at;
  uint32_t letter; /* the state of utf8form_unaccent() */
  size_t next, used;
  uint8_t bytes[KEY_MAX];
} CollationKey;

/* ---- segments -------------------------------------------------------------------------------- */

/* Does a segment start at `at`, at most the text's end? */
static inline int startsSegment(const CollationKey *k, size_t at) {
  if (at == k->size || k->text[at] < 0xCC) return 1;
  const Utf8Step step = utf8core_step(k->text, k->size, at, UTF8_STRICT);
  return step.error || !joinsCluster(&utf8form_forms[UTF8_NFC], step.codepoint);
}

/* Returns the end of the segment at k->at, which starts with a code point of `length` bytes. */
static size_t keySegmentEnd(const CollationKey *k, size_t length) {
  size_t end = k->at + length;
  while (end - k->at < SEGMENT_MAX && !startsSegment(k, end))
    end += utf8core_step(k->text, k->size, end, UTF8_STRICT).length;
  return end;
}

/* Makes the key of a segment by the definition: NFD, accents dropped, case folded, NFC. */
static NOINLINE void addSegment(CollationKey *k, size_t end) {
  uint8_t some[KEY_MAX], other[KEY_MAX];
  size_t at = 0;
  size_t n = utf8core_normalize(UTF8_NFD, k->text + k->at, end - k->at, &at, some,
                                sizeof some);
  if (k->collation == UTF8_NOACCENT) {
    at = 0;
    n = utf8form_unaccent(&k->letter, some, n, &at, other, sizeof other);
    memcpy(some, other, n);
  }
  at = 0;
  n = utf8core_casefold(some, n, &at, other, sizeof other);
  at = 0;
  k->used = utf8core_normalize(UTF8_NFC, other, n, &at, k->bytes, sizeof k->bytes);
  k->at = end;
}

/* ---- code points -------------------------------------------------------------------------------- */

/* Appends the key of a code point without accents that stands alone. Returns 0 if only the definition
** finds it. */
static int addFoldedCode(CollationKey *k, uint32_t code) {
  uint8_t folded[UTF8_FOLD_MAX];
  const size_t size = utf8form_fold(code, folded);
  const unsigned value = valueOf(code);
  if (value >= VALUE_RECORDS && (recordOf(value)[0] & RECORD_SIZE)) {
    if (recordOf(value)[0] & RECORD_CHANGES) return 0;
    if (size > 0 && stepWellFormed(folded).length < size) return 0;
  }
  if (size > 0) {
    memcpy(k->bytes + k->used, folded, size);
    k->used += size;
  } else {
    k->used += stepPut(k->bytes + k->used, code);
  }
  return 1;
}

/* Appends a letter that has lost its accents: one code point, or ASCII. Returns 0 likewise. */
static int addUnaccented(CollationKey *k, const uint8_t *text, size_t size) {
  const Utf8Step step = stepWellFormed(text);
  if (step.length == size) return addFoldedCode(k, step.codepoint);
  for (size_t i = 0; i < size; i++) addFoldedCode(k, text[i]);
  return 1;
}

/* Appends the key of a code point beyond ASCII that stands alone. Returns 0 likewise. */
static int addCode(CollationKey *k, uint32_t code) {
  uint8_t out[UTF8_FORM_ROOM];
  if (joinsCluster(&utf8form_forms[UTF8_NFC], code)) return 0;
  if (k->collation == UTF8_NOCASE) return addFoldedCode(k, code);
  const size_t size = utf8form_unaccent_code(&k->letter, code, out);
  if (size == UTF8_UNACCENT_SAME) return addFoldedCode(k, code);
  return addUnaccented(k, out, size);
}

static inline uint8_t lower(uint8_t byte) {
  return (uint8_t)(byte - 'A') < 26 ? byte + 32 : byte;
}

/* Appends the key of the next segment or ill-formed subpart. Returns 0 if it needs an empty buffer. */
static int addNext(CollationKey *k) {
  const uint8_t byte = k->text[k->at];
  const size_t used = k->used;
  if (byte < 0x80 && startsSegment(k, k->at + 1)) {
    k->letter = byte;
    k->bytes[k->used++] = lower(byte);
    k->at++;
    return 1;
  }
  const Utf8Step step = utf8core_step(k->text, k->size, k->at, UTF8_STRICT);
  if (step.error) {
    memcpy(k->bytes + k->used, k->text + k->at, step.length);
    k->used += step.length;
    k->at += step.length;
    k->letter = 0;
    return 1;
  }
  const uint32_t letter = k->letter;
  if (startsSegment(k, k->at + step.length) && addCode(k, step.codepoint)) {
    k->at += step.length;
    return 1;
  }
  k->letter = letter;
  k->used = used;
  if (used > 0) return 0;
  addSegment(k, keySegmentEnd(k, step.length));
  return 1;
}

/* Makes some more of the key, unless there is some or the text has ended. Returns how much there is. */
static size_t fill(CollationKey *k) {
  if (k->next < k->used) return k->used - k->next;
  k->next = k->used = 0;
  while (k->at < k->size && k->used < KEY_SOME) {
    if (!addNext(k)) break;
  }
  return k->used;
}

/* ---- comparing ------------------------------------------------------------------------------------ */

static CollationKey keyFrom(Utf8Collation collation, const uint8_t *text, size_t size,
                            size_t at) {
  CollationKey k;
  k.collation = collation;
  k.text = text;
  k.size = size;
  k.at = at;
  k.letter = 0;
  k.next = k.used = 0;
  return k;
}

/* Returns the start of a segment at or before `at`, up to which two texts are equal: of one that starts in
** both, with a code point that ends at or before `at`. */
static size_t segmentBefore(const uint8_t *text, size_t size, size_t at) {
  for (size_t start = at; start-- > 0;) {
    if (text[start] < 0x80) return start;
    if (bytes_is_continuation(text[start])) continue;
    const Utf8Step step = utf8core_step(text, size, start, UTF8_STRICT);
    if (!step.error && start + step.length <= at &&
        !joinsCluster(&utf8form_forms[UTF8_NFC], step.codepoint))
      return start;
  }
  return 0;
}

/* Compares the texts from `at` on, where a segment starts in both. */
static NOINLINE int compareFrom(Utf8Collation collation, const uint8_t *a,
                                size_t a_size, const uint8_t *b, size_t b_size,
                                size_t at) {
  CollationKey x = keyFrom(collation, a, a_size, at),
               y = keyFrom(collation, b, b_size, at);
  for (;;) {
    const size_t x_left = fill(&x), y_left = fill(&y), left = bytes_min(x_left, y_left);
    if (left == 0) return (x_left > 0) - (y_left > 0);
    const int order = memcmp(x.bytes + x.next, y.bytes + y.next, left);
    if (order != 0) return order;
    x.next += left;
    y.next += left;
  }
}

/* Returns eight ASCII characters in lower case. */
static inline uint64_t lowerWord(uint64_t word) {
  const uint64_t from_a = word + BYTES_ONES * (0x80 - 'A');
  const uint64_t after_z = word + BYTES_ONES * (0x80 - 'Z' - 1);
  return word + ((from_a & ~after_z & BYTES_HIGH_BITS) >> 2);
}

/* Returns the size of the ASCII prefix in which the texts are equal, ignoring case. */
static inline size_t equalAscii(const uint8_t *a, const uint8_t *b, size_t size) {
  size_t at = 0;
  for (; size - at >= 8; at += 8) {
    const uint64_t x = bytes_load64(a + at), y = bytes_load64(b + at);
    if ((x | y) & BYTES_HIGH_BITS) break;
    if (x != y && lowerWord(x) != lowerWord(y)) break;
  }
  while (at < size && (a[at] | b[at]) < 0x80 && lower(a[at]) == lower(b[at])) at++;
  return at;
}

/* Returns how much of the texts is equal; text[0..at) is. */
static inline size_t equalBytes(const uint8_t *a, const uint8_t *b, size_t size,
                                size_t at) {
  for (; size - at >= 8; at += 8) {
    if (bytes_load64(a + at) != bytes_load64(b + at)) break;
  }
  while (at < size && a[at] == b[at]) at++;
  return at;
}

static inline int isAsciiAt(const uint8_t *text, size_t size, size_t at) {
  return at >= size || text[at] < 0x80;
}

/* Compares the texts, whose keys are equal up to `at`, if ASCII or the end there decides: stores the order.
** Returns 0 if it does not. */
static inline int decides(const uint8_t *a, size_t a_size, const uint8_t *b,
                          size_t b_size, size_t at, int *order) {
  if (!isAsciiAt(a, a_size, at) || !isAsciiAt(b, b_size, at)) return 0;
  if (at == a_size || at == b_size) {
    *order = (at < a_size) - (at < b_size);
    return 1;
  }
  *order = lower(a[at]) - lower(b[at]);
  return *order != 0 && isAsciiAt(a, a_size, at + 1) && isAsciiAt(b, b_size, at + 1);
}

int utf8form_compare(Utf8Collation collation, const uint8_t *a, size_t a_size,
                     const uint8_t *b, size_t b_size) {
  const size_t size = bytes_min(a_size, b_size);
  size_t at = equalAscii(a, b, size);
  int order;
  if (decides(a, a_size, b, b_size, at, &order)) return order;
  const size_t end = equalBytes(a, b, size, at);
  if (end > at && decides(a, a_size, b, b_size, end, &order)) return order;
  at = end > at ? segmentBefore(a, a_size, end) : at > 0 ? at - 1 : 0;
  return compareFrom(collation, a, a_size, b, b_size, at);
}
