/* uax15.h: a second definition of the normalization forms and of case folding, as UAX 15 and Unicode
** §3.11 to §3.13 have them: slow, from Unicode's own files in build/form/, which
** `tool/form.py --tests` writes. It shares nothing with form/.
*/
#ifndef UTF8_UAX15_H
#define UTF8_UAX15_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UAX15_END = 0x110000, UAX15_CODES = 4096 };

/* A string of code points. */
typedef struct Codes {
  size_t count;
  uint32_t at[UAX15_CODES];
} Codes;

typedef struct Mapping {
  uint32_t codes[18];
  uint8_t count, is_compatible, is_mapped;
} Mapping;

static uint8_t uax15_class[UAX15_END], uax15_is_excluded[UAX15_END];
static Mapping *uax15_decomposition, *uax15_folding, *uax15_casefold;

static void codes_add(Codes *to, uint32_t code) {
  if (to->count == UAX15_CODES) exit((puts("a text is too long"), 2));
  to->at[to->count++] = code;
}

/* Reads code points in hexadecimal, separated by spaces. */
static void read_codes(const char *text, Codes *to) {
  char *end;
  to->count = 0;
  for (unsigned long code; code = strtoul(text, &end, 16), end != text; text = end)
    codes_add(to, (uint32_t)code);
}

static Mapping *new_mappings(void) {
  Mapping *all = calloc(UAX15_END, sizeof *all);
  return all ? all : (exit((puts("out of memory"), 2)), NULL);
}

static void set_mapping(Mapping *to, const char *text) {
  Codes codes;
  const char *after = strchr(text, '>');
  read_codes(after ? after + 1 : text, &codes);
  for (size_t i = 0; i < codes.count; i++) to->codes[i] = codes.at[i];
  to->count = (uint8_t)codes.count;
  to->is_compatible = after != NULL;
  to->is_mapped = 1;
}

/* Calls visit with the code point and the other fields of each line of build/form/NAME.txt. Returns
** 0 if there is no such file. */
static int each_line(const char *name, void (*visit)(uint32_t code, char *rest)) {
  char path[100], line[2000], *rest;
  snprintf(path, sizeof path, "build/form/%s.txt", name);
  FILE *file = fopen(path, "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    const uint32_t code = (uint32_t)strtoul(line, &rest, 16);
    visit(code, *rest == ';' ? rest + 1 : rest);
  }
  fclose(file);
  return 1;
}

static void read_character(uint32_t code, char *rest) {
  uax15_class[code] = (uint8_t)strtoul(rest, &rest, 10);
  if (rest[1]) set_mapping(&uax15_decomposition[code], rest + 1);
}

static void read_exclusion(uint32_t code, char *rest) {
  (void)rest;
  uax15_is_excluded[code] = 1;
}

static void read_folding(uint32_t code, char *rest) {
  set_mapping(&uax15_folding[code], rest);
}

static void read_casefold(uint32_t code, char *rest) {
  set_mapping(&uax15_casefold[code], rest);
}

/* Reads the files. Returns 0 if one is missing. */
static int uax15_read(void) {
  uax15_decomposition = new_mappings();
  uax15_folding = new_mappings();
  uax15_casefold = new_mappings();
  return each_line("UnicodeData", read_character) &&
         each_line("CompositionExclusions", read_exclusion) &&
         each_line("CaseFolding", read_folding) &&
         each_line("NFKC_Casefold", read_casefold);
}

/* Unicode 3.12, arithmetic decomposition. */
static void decompose_hangul(uint32_t code, Codes *to) {
  const uint32_t s = code - 0xAC00;
  codes_add(to, 0x1100 + s / 588);
  codes_add(to, 0x1161 + s % 588 / 28);
  if (s % 28) codes_add(to, 0x11A7 + s % 28);
}

/* Appends the full decomposition (D65, D68). */
static void decompose_fully(uint32_t code, int is_compatible, Codes *to) {
  const Mapping *m = &uax15_decomposition[code];
  if (code >= 0xAC00 && code <= 0xD7A3) {
    decompose_hangul(code, to);
  } else if (m->is_mapped && (is_compatible || !m->is_compatible)) {
    for (unsigned i = 0; i < m->count; i++)
      decompose_fully(m->codes[i], is_compatible, to);
  } else {
    codes_add(to, code);
  }
}

/* The canonical ordering algorithm (D109): exchanges reorderable pairs while there are any. */
static void reorder(Codes *text) {
  for (int has_changed = 1; has_changed;) {
    has_changed = 0;
    for (size_t i = 1; i < text->count; i++) {
      const unsigned a = uax15_class[text->at[i - 1]], b = uax15_class[text->at[i]];
      if (a <= b || b == 0) continue;
      const uint32_t code = text->at[i];
      text->at[i] = text->at[i - 1];
      text->at[i - 1] = code;
      has_changed = 1;
    }
  }
}

/* Is the character a primary composite (D114)? */
static int is_primary(uint32_t code) {
  const Mapping *m = &uax15_decomposition[code];
  return m->is_mapped && !m->is_compatible && m->count == 2 &&
         !uax15_is_excluded[code] && uax15_class[code] == 0 &&
         uax15_class[m->codes[0]] == 0;
}

/* Returns the primary composite of the two, or 0. */
static uint32_t primary_composite(uint32_t a, uint32_t b) {
  static uint32_t all[1200], count;
  if (a >= 0x1100 && a < 0x1113 && b >= 0x1161 && b < 0x1176)
    return 0xAC00 + ((a - 0x1100) * 21 + (b - 0x1161)) * 28;
  if (a >= 0xAC00 && a <= 0xD7A3 && (a - 0xAC00) % 28 == 0 && b > 0x11A7 && b < 0x11C3)
    return a + b - 0x11A7;
  if (count == 0) {
    for (uint32_t code = 0; code < UAX15_END; code++)
      if (is_primary(code)) all[count++] = code;
  }
  for (uint32_t i = 0; i < count; i++) {
    const Mapping *m = &uax15_decomposition[all[i]];
    if (m->codes[0] == a && m->codes[1] == b) return all[i];
  }
  return 0;
}

/* The canonical composition algorithm (D117). */
static void compose_canonically(Codes *text) {
  Codes out = {0, {0}};
  for (size_t i = 0; i < text->count; i++) {
    const uint32_t c = text->at[i];
    size_t l =
        out.count; /* the last starter, and whether c is blocked from it (D115) */
    while (l > 0 && uax15_class[out.at[l - 1]] != 0) l--;
    const unsigned last = l < out.count ? uax15_class[out.at[out.count - 1]] : 0;
    const int is_blocked = l < out.count && last >= uax15_class[c];
    const uint32_t p = l > 0 && !is_blocked ? primary_composite(out.at[l - 1], c) : 0;
    if (p) {
      out.at[l - 1] = p;
    } else {
      codes_add(&out, c);
    }
  }
  *text = out;
}

/* Normalizes to nfc, nfd, nfkc, nfkd (0..3); or, with form 4, NFKC_Casefold (D146, R5). */
static void uax15_normalize(int form, const Codes *text, Codes *out) {
  out->count = 0;
  for (size_t i = 0; i < text->count; i++) {
    const uint32_t code = text->at[i];
    const Mapping *m = &uax15_casefold[code];
    if (form == 4 && m->is_mapped) {
      for (unsigned j = 0; j < m->count; j++) decompose_fully(m->codes[j], 0, out);
    } else {
      decompose_fully(code, form == 2 || form == 3, out);
    }
  }
  reorder(out);
  if (form != 1 && form != 3) compose_canonically(out);
}

/* toCasefold() (R4). */
static void uax15_fold(const Codes *text, Codes *out) {
  out->count = 0;
  for (size_t i = 0; i < text->count; i++) {
    const Mapping *m = &uax15_folding[text->at[i]];
    if (!m->is_mapped) codes_add(out, text->at[i]);
    for (unsigned j = 0; j < m->count; j++) codes_add(out, m->codes[j]);
  }
}

#endif
