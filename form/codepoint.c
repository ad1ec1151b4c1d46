/* form/codepoint.c: what a form makes of one code point (form/codepoint.h). */
#include "form/codepoint.h"
#include "form/tables/normalize.h"
#include "form/tables/changing.h"

_Static_assert(NORMALIZE_END == FORM_END, "the end of the table");

const char *utf8core_unicode_version(void) {
  return NORMALIZE_VERSION;
}

const Form utf8form_forms[UTF8_NORMAL_FORMS] = {
    [UTF8_NFC] = {&changing_nfc, 1, 0, 0},
    [UTF8_NFD] = {&changing_nfd, 0, 0, 0},
    [UTF8_NFKC] = {&changing_nfkc, 1, 1, 0},
    [UTF8_NFKD] = {&changing_nfkd, 0, 1, 0},
    [UTF8_NFKC_CASEFOLD] = {&changing_nfkc_casefold, 1, 1, 1},
};

int utf8form_is_dropped(uint32_t code) {
  size_t low = 0, high = sizeof normalize_ignored / sizeof *normalize_ignored;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (code > normalize_ignored[middle].last) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < sizeof normalize_ignored / sizeof *normalize_ignored &&
         code >= normalize_ignored[low].first;
}

static void addText(FormDecomposition *to, const uint8_t *text, size_t size) {
  for (size_t at = 0; at < size;) {
    const Utf8Step s = stepWellFormed(text + at);
    to->codes[to->count++] = s.codepoint;
    at += s.length;
  }
}

static void addHangul(FormDecomposition *to, uint32_t code) {
  const uint32_t n = code - HANGUL_FIRST;
  to->codes[to->count++] = LEADING_FIRST + n / OF_LEADING;
  to->codes[to->count++] = VOWEL_FIRST + n % OF_LEADING / TRAILING_COUNT;
  if (n % TRAILING_COUNT) to->codes[to->count++] = TRAILING_BEFORE + n % TRAILING_COUNT;
}

void utf8form_add_decomposed(FormDecomposition *to, uint32_t code, int is_compatible) {
  const unsigned value = valueOf(code);
  if (value >= VALUE_RECORDS) {
    const uint8_t *record = recordOf(value);
    const size_t first = record[0] & RECORD_SIZE, second = record[1] & RECORD_SIZE;
    if (is_compatible && second) {
      addText(to, record + 2 + first, second);
      return;
    }
    if (first) {
      addText(to, record + 2, first);
      return;
    }
  } else if (isHangul(code)) {
    addHangul(to, code);
    return;
  }
  to->codes[to->count++] = code;
}

/* Appends what folding makes of a code point that is decomposed, decomposed. */
static void addFolded(FormDecomposition *to, uint32_t code) {
  uint8_t folded[UTF8_FOLD_MAX];
  FormDecomposition decomposed = {0, {0}};
  addText(&decomposed, folded, utf8form_fold(code, folded));
  if (!decomposed.count) decomposed.codes[decomposed.count++] = code;
  for (unsigned i = 0; i < decomposed.count; i++)
    utf8form_add_decomposed(to, decomposed.codes[i], 1);
}

void utf8form_decompose(const Form *form, uint32_t code, FormDecomposition *to) {
  to->count = 0;
  if (!form->folds) {
    utf8form_add_decomposed(to, code, form->is_compatible);
    return;
  }
  FormDecomposition whole = {0, {0}};
  if (utf8form_is_dropped(code)) return;
  utf8form_add_decomposed(&whole, code, 1);
  for (unsigned i = 0; i < whole.count; i++) addFolded(to, whole.codes[i]);
}

uint32_t utf8form_compose_hangul(uint32_t first, uint32_t second) {
  if (first - LEADING_FIRST < LEADING_COUNT && second - VOWEL_FIRST < VOWEL_COUNT)
    return HANGUL_FIRST + (first - LEADING_FIRST) * OF_LEADING +
           (second - VOWEL_FIRST) * TRAILING_COUNT;
  if (isHangul(first) && (first - HANGUL_FIRST) % TRAILING_COUNT == 0 &&
      second - TRAILING_BEFORE - 1 < TRAILING_COUNT - 1)
    return first + (second - TRAILING_BEFORE);
  return NO_CODE;
}

int utf8form_changes(const Form *form, uint32_t code) {
  FormDecomposition decomposed, canonical = {0, {0}};
  const unsigned value = valueOf(code);
  if (form->folds) {
    if (value >= VALUE_RECORDS && recordOf(value)[0] & RECORD_CHANGES) return 1;
    utf8form_decompose(form, code, &decomposed);
    utf8form_add_decomposed(&canonical, code, 0);
    return decomposed.count != canonical.count ||
           memcmp(decomposed.codes, canonical.codes,
                  decomposed.count * sizeof *decomposed.codes) != 0;
  }
  if (value < VALUE_RECORDS) return !form->composes && isHangul(code);
  const uint8_t *record = recordOf(value);
  if (form->is_compatible && (record[1] & RECORD_SIZE)) return 1;
  return form->composes ? record[0] & RECORD_CHANGES : record[0] & RECORD_SIZE;
}
