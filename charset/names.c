/* charset/names.c: the names of charsets, and how names are matched. */
#include "charset/names.h"
#include "charset/unicode.h"
#include "core/bytes.h"
#include "core/utf8core.h"
#include <stdint.h>
#include <string.h>

/* ---- the charsets ------------------------------------------------------------------- */

#define CHARSET_ROW(id, name, aliases, kind, source)                                   \
  {name, aliases, source, UTF8_KIND_##kind},

static const Utf8CharsetRow rows[UTF8_CHARSETS_BUILT] = {
    UTF8_CHARSET_UNICODE_LIST(CHARSET_ROW)
#if UTF8_HAS_LEGACY
        UTF8_CHARSET_LEGACY_LIST(CHARSET_ROW)
#endif
};

const Utf8CharsetRow *utf8core_charset(Utf8Charset charset) {
  return charset < 0 || charset >= UTF8_CHARSETS_BUILT ? NULL : &rows[charset];
}

const char *utf8core_charset_name(Utf8Charset charset) {
  const Utf8CharsetRow *row = utf8core_charset(charset);
  return row ? row->name : "binary";
}

/* Compares with all names before all aliases: a charset that was detected comes by its name. */
static Utf8Charset findExactly(const char *name, size_t size) {
  for (int i = 0; i < UTF8_CHARSETS_BUILT; i++) {
    if (utf8charset_match(name, size, rows[i].name)) return (Utf8Charset)i;
  }
  for (int i = 0; i < UTF8_CHARSETS_BUILT; i++) {
    if (utf8charset_match_any(name, size, rows[i].aliases)) return (Utf8Charset)i;
  }
  return utf8charset_match(name, size, "binary") ? UTF8_CHARSET_BINARY
                                                 : UTF8_CHARSET_UNKNOWN;
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

/* ---- other spellings ------------------------------------------------------------------ */

/* No name of a charset is longer. */
#define MAX_NAME 40

/* A name in lower case, without '-', '_' and white space. */
typedef struct Spelling {
  size_t size;
  char text[MAX_NAME];
} Spelling;

static int isSpace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Drops all after the first MAX_NAME characters. */
static Spelling spell(const char *text, size_t size) {
  Spelling s = {0, {0}};
  for (size_t i = 0; i < size && s.size < MAX_NAME; i++) {
    if (!isIgnored(text[i]) && !isSpace(text[i])) s.text[s.size++] = lowerCase(text[i]);
  }
  return s;
}

static int isAround(char c) {
  return isSpace(c) || c == '"' || c == '\'' || c == '`';
}

/* Removes white space and quotes around the name. */
static void trimName(const char **name, size_t *size) {
  while (*size && isAround(**name)) *name += 1, *size -= 1;
  while (*size && isAround((*name)[*size - 1])) *size -= 1;
}

/* Removes the suffix, or returns 0. */
static int cutSuffix(const char *name, size_t *size, const char *suffix) {
  const size_t length = strlen(suffix);
  if (*size <= length) return 0;
  if (!utf8charset_match(name + *size - length, length, suffix)) return 0;
  *size -= length;
  return 1;
}

/* Does the spelling start with the prefix? */
static int startsWith(const Spelling *s, const char *prefix) {
  return s->size > strlen(prefix) && memcmp(s->text, prefix, strlen(prefix)) == 0;
}

static size_t countDigits(const Spelling *s, size_t at) {
  size_t n = 0;
  while (at + n < s->size && s->text[at + n] >= '0' && s->text[at + n] <= '9') n++;
  return n;
}

/* Finds the code page with the number of at most five digits at s->text[at..), which ends s. */
static Utf8Charset findNumber(const Spelling *s, size_t at) {
  char name[] = "cp00000";
  const size_t n = countDigits(s, at), zeros = n < 3 ? 3 - n : 0;
  if (n == 0 || n > 5 || at + n != s->size) return UTF8_CHARSET_UNKNOWN;
  memcpy(name + 2 + zeros, s->text + at, n);
  return findExactly(name, 2 + zeros + n);
}

/* Finds a code page by its number, with what programs write before it. IBM's numbers of multi-byte
** pages are not those of Windows. */
static Utf8Charset findCodePage(const Spelling *s) {
  static const char *const prefixes[] = {"",    "cp",     "win",  "windows",
                                         "ms",  "dos",    "oem",  "codepage",
                                         "ibm", "ebcdic", "ccsid"};
  enum { COUNT = sizeof prefixes / sizeof *prefixes, IBM = 8 };
  for (size_t i = 0; i < COUNT; i++) {
    const int has = i == 0 || startsWith(s, prefixes[i]);
    const Utf8Charset found =
        has ? findNumber(s, strlen(prefixes[i])) : UTF8_CHARSET_UNKNOWN;
    if (found >= 0 && (i < IBM || rows[found].kind != UTF8_KIND_MULTI_BYTE))
      return found;
  }
  return UTF8_CHARSET_UNKNOWN;
}

static Utf8Charset findSpelling(const Spelling *s) {
  const Utf8Charset found = findExactly(s->text, s->size);
  return found == UTF8_CHARSET_UNKNOWN ? findCodePage(s) : found;
}

/* Finds a name in the spelling of databases, mail and iconv: with spaces in it, with "x-" (private) or
** "cs" (IANA) before it, or a number of a code page. */
static Utf8Charset findLoosely(const char *name, size_t size) {
  Spelling s = spell(name, size);
  const Utf8Charset found = findSpelling(&s);
  const size_t prefix = startsWith(&s, "x") ? 1 : startsWith(&s, "cs") ? 2 : 0;
  if (found != UTF8_CHARSET_UNKNOWN || prefix == 0) return found;
  memmove(s.text, s.text + prefix, s.size -= prefix);
  return findSpelling(&s);
}

/* No name of a charset is longer, even with many '-' and '_'. */
#define NAME_SIZE_MAX 256

Utf8Charset utf8core_find_charset(const char *name, size_t size) {
  if (size > NAME_SIZE_MAX) return UTF8_CHARSET_UNKNOWN;
  const Utf8Charset found = findExactly(name, size);
  if (found != UTF8_CHARSET_UNKNOWN) return found;
  trimName(&name, &size);
  /* iconv's, which say what becomes of characters that a charset lacks */
  while (cutSuffix(name, &size, "//translit") || cutSuffix(name, &size, "//ignore") ||
         cutSuffix(name, &size, "//")) {
  }
  trimName(&name, &size);
  return findLoosely(name, size);
}

/* ---- the nearest names -------------------------------------------------------------- */

/* Returns Levenshtein's distance: how many characters must be inserted, removed or replaced. */
static size_t distance(const Spelling *a, const Spelling *b) {
  size_t row[MAX_NAME + 1];
  for (size_t j = 0; j <= b->size; j++) row[j] = j;
  for (size_t i = 0; i < a->size; i++) {
    size_t diagonal = row[0];
    row[0] = i + 1;
    for (size_t j = 0; j < b->size; j++) {
      size_t replaced = diagonal + (a->text[i] != b->text[j]);
      diagonal = row[j + 1];
      row[j + 1] = bytes_min(replaced, bytes_min(row[j], row[j + 1]) + 1);
    }
  }
  return row[b->size];
}

/* What people write for a family of charsets, without '-', '_' and white space; and UTF8_NEAREST of
** its charsets, the likeliest first. */
static const struct {
  char word[12];
  char names[44];
} families[] = {
    {"ansi", "windows-1252,windows-1251,windows-1250"},
    {"cp", "windows-1252,cp437,cp850"},
    {"dos", "cp437,cp850,ibm866"},
    {"ebcdic", "cp037,cp500,cp1047"},
    {"european", "windows-1252,iso-8859-1,windows-1250"},
    {"ibm", "cp437,cp850,cp037"},
    {"iso", "iso-8859-1,iso-8859-15,iso-8859-2"},
    {"japanese", "shift_jis,euc-jp,iso-2022-jp"},
    {"oem", "cp437,cp850,ibm866"},
    {"russian", "windows-1251,koi8-r,ibm866"},
    {"taiwan", "big5,big5-hkscs,euc-tw"},
    {"utf8mac", "utf-8,utf-8-sig,macintosh"},
    {"western", "windows-1252,iso-8859-1,macintosh"},
    {"windows", "windows-1252,windows-1251,windows-1250"},
};

/* Stores the charsets of a family. Returns 0 if `wanted` names none, or this build lacks them. */
static int findFamily(const Spelling *wanted, const char *nearest[UTF8_NEAREST]) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
    const char *name = families[i].names;
    if (!utf8charset_match(wanted->text, wanted->size, families[i].word)) continue;
    for (int j = 0; j < UTF8_NEAREST; j++, name = nextName(name)) {
      const int found = findExactly(name, strcspn(name, ","));
      if (found < 0) return 0; /* unreachable: small builds, see check-omit */
      nearest[j] = name;
    }
    return 1;
  }
  return 0;
}

/* The name of a charset that is nearest to a text. */
typedef struct Candidate {
  const char *name;
  size_t distance;
} Candidate;

static void consider(Candidate *best, const Spelling *wanted, const char *list) {
  for (const char *name = *list ? list : NULL; name; name = nextName(name)) {
    const Spelling s = spell(name, strcspn(name, ","));
    const size_t d = distance(wanted, &s);
    if (d < best->distance) *best = (Candidate){name, d};
  }
}

int utf8charset_nearest(const char *text, size_t size,
                        const char *nearest[UTF8_NEAREST]) {
  const Spelling wanted = spell(text, size);
  Candidate found[UTF8_NEAREST];
  int count = 0;
  if (findFamily(&wanted, nearest)) return 1;
  for (int i = 0; i < UTF8_CHARSETS_BUILT; i++) {
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
  return found[0].distance < wanted.size;
}
