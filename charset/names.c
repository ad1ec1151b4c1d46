/* charset/names.c: the names of charsets, and how names are matched. */
#include "charset/names.h"
#include "utf8core.h"
#include <stdint.h>
#include <string.h>

/* ---- the charsets ------------------------------------------------------------------- */

#define CHARSET_ROW(id, name, aliases, kind, source)                                   \
  {name, aliases, source, UTF8_KIND_##kind},

static const Utf8CharsetRow rows[UTF8_CHARSETS] = {UTF8_CHARSET_LIST(CHARSET_ROW)};

const Utf8CharsetRow *utf8core_charset(Utf8Charset charset) {
  return charset < 0 ? NULL : &rows[charset];
}

const char *utf8core_charset_name(Utf8Charset charset) {
  return charset < 0 ? "binary" : rows[charset].name;
}

/* No name of a charset is longer, even with many '-' and '_'. */
#define NAME_SIZE_MAX 256

/* Compares with all names before all aliases: a charset that was detected comes by its name. */
Utf8Charset utf8core_find_charset(const char *name, size_t size) {
  if (size > NAME_SIZE_MAX) return UTF8_CHARSET_UNKNOWN;
  for (int i = 0; i < UTF8_CHARSETS; i++) {
    if (utf8charset_match(name, size, rows[i].name)) return (Utf8Charset)i;
  }
  for (int i = 0; i < UTF8_CHARSETS; i++) {
    if (utf8charset_match_any(name, size, rows[i].aliases)) return (Utf8Charset)i;
  }
  if (utf8charset_match(name, size, "binary")) return UTF8_CHARSET_BINARY;
  return UTF8_CHARSET_UNKNOWN;
}

/* ---- matching ----------------------------------------------------------------------- */

static char lowerCase(char c) {
  return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static int isIgnored(char c) {
  return c == '-' || c == '_';
}

static int isEnd(char c) {
  return c == 0 || c == ',';
}

int utf8charset_match(const char *text, size_t size, const char *name) {
  for (size_t i = 0; i < size; i++) {
    if (isIgnored(text[i])) continue;
    while (isIgnored(*name)) name++;
    if (isEnd(*name) || lowerCase(text[i]) != *name++) return 0;
  }
  while (isIgnored(*name)) name++;
  return isEnd(*name);
}

/* Returns the next name of a list, or NULL. */
static const char *nextName(const char *name) {
  const char *comma = strchr(name, ',');
  return comma ? comma + 1 : NULL;
}

int utf8charset_match_any(const char *text, size_t size, const char *list) {
  if (!*list) return 0;
  for (const char *name = list; name; name = nextName(name)) {
    if (utf8charset_match(text, size, name)) return 1;
  }
  return 0;
}

/* ---- the nearest names -------------------------------------------------------------- */

/* No name of a charset is longer. */
#define MAX_NAME 40

/* A name in lower case, without '-' and '_'. */
typedef struct Spelling {
  size_t size;
  char text[MAX_NAME];
} Spelling;

/* Drops all after the first MAX_NAME characters. */
static Spelling spell(const char *text, size_t size) {
  Spelling s = {0, {0}};
  for (size_t i = 0; i < size && s.size < MAX_NAME; i++) {
    if (!isIgnored(text[i])) s.text[s.size++] = lowerCase(text[i]);
  }
  return s;
}

static unsigned minOf(unsigned a, unsigned b) {
  return a < b ? a : b;
}

/* Returns Levenshtein's distance: how many characters must be inserted, removed or replaced. */
static unsigned distance(const Spelling *a, const Spelling *b) {
  unsigned row[MAX_NAME + 1];
  for (unsigned j = 0; j <= b->size; j++) row[j] = j;
  for (unsigned i = 0; i < a->size; i++) {
    unsigned diagonal = row[0];
    row[0] = i + 1;
    for (unsigned j = 0; j < b->size; j++) {
      unsigned replaced = diagonal + (a->text[i] != b->text[j]);
      diagonal = row[j + 1];
      row[j + 1] = minOf(replaced, minOf(row[j], row[j + 1]) + 1);
    }
  }
  return row[b->size];
}

/* The name of a charset that is nearest to a text. */
typedef struct Candidate {
  const char *name;
  unsigned distance;
} Candidate;

static void consider(Candidate *best, const Spelling *wanted, const char *list) {
  for (const char *name = *list ? list : NULL; name; name = nextName(name)) {
    const Spelling s = spell(name, strcspn(name, ","));
    const unsigned d = distance(wanted, &s);
    if (d < best->distance) *best = (Candidate){name, d};
  }
}

void utf8charset_nearest(const char *text, size_t size,
                         const char *nearest[UTF8_NEAREST]) {
  const Spelling wanted = spell(text, size);
  Candidate found[UTF8_NEAREST];
  int count = 0;
  for (int i = 0; i < UTF8_CHARSETS; i++) {
    Candidate best = {NULL, MAX_NAME + 1};
    consider(&best, &wanted, rows[i].name);
    consider(&best, &wanted, rows[i].aliases);
    int place = count;
    while (place > 0 && best.distance < found[place - 1].distance) place--;
    if (place == UTF8_NEAREST) continue;
    if (count < UTF8_NEAREST) count++;
    for (int j = count - 1; j > place; j--) found[j] = found[j - 1];
    found[place] = best;
  }
  for (int i = 0; i < UTF8_NEAREST; i++) nearest[i] = found[i].name;
}
