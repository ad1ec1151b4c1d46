/* detect/codes.c: what code points of UTF-8 cost, and which are the same letter. */
#include "core/step.h"
#include "detect/alphabet.h"

/* ---- UTF-8 with damage ------------------------------------------------------------------- */

/* The bits of each letter of a script. */
static const uint8_t codeBits[] = {0, 5, 5, 5, 5, 5, 5, 6, 9, 6, 8, 14};

#define CODE_UNKNOWN_BITS 8 /* a letter of an alphabet of the model that it lacks */
#define CODE_SCRIPT_BITS  4 /* for each script of a text */
#define CODE_MIXED_BITS   4 /* a letter after one of another script */
#define CODE_ASCII_BITS   4 /* an ASCII letter after another Latin one */
#define CODE_END_BITS     2 /* the end of a word after a letter beyond ASCII */

static unsigned scriptOfOther(uint32_t code) {
  if (code >= 0x4E00 && code <= 0x9FFF) return UTF8_SCRIPT_HAN;
  if (code >= 0x3041 && code <= 0x30FF) return UTF8_SCRIPT_KANA;
  if (code >= 0xAC00 && code <= 0xD7A3) return UTF8_SCRIPT_HANGUL;
  if (code >= 0x531 && code <= 0x1FFF) return UTF8_SCRIPT_OTHER;
  if (code >= 0x300 && code <= 0x36F) return UTF8_SCRIPT_LATIN;
  if (code >= 0x3400 && code <= 0xFAFF) return UTF8_SCRIPT_RARE;
  /* Rare Han, planes that are not assigned, and private use; plane 14 has tags and selectors. */
  return code >= 0x20000 && code >> 16 != 14 ? UTF8_SCRIPT_RARE : 0;
}

/* Is the code point in a block of Latin, Greek or Cyrillic letters? The model counts only some of them. */
static int isUnknownLetter(uint32_t code) {
  return (code >= 0x180 && code <= 0x2FF) || (code >= 0x370 && code <= 0x52F);
}

/* Stores kind and script of a code point. */
static Utf8CodeState codeState(uint32_t code) {
  const unsigned entry = utf8detect_entry(code);
  Utf8CodeState state = {(uint8_t)entry, (uint8_t)(entry >> 12),
                         (uint8_t)(entry >> 12 ? entry & 0xFF : 0), code > 0x7F, 0};
  if (code > 0x24F && !state.script) {
    const int isRare = utf8detect_is_rare_asian(code);
    state.script = (uint8_t)(isRare ? UTF8_SCRIPT_RARE : scriptOfOther(code));
  }
  if (state.script > 0) state.kind = entry & 0x800 ? DETECT_UPPER : DETECT_LOWER;
  if ((code >= 0x3000 && code <= 0x3011) || (code >= 0xFF01 && code <= 0xFF5E))
    state.kind = DETECT_STOP; /* Chinese and Japanese punctuation */
  return state;
}

static unsigned letterBits(const Utf8CodeState *before, const Utf8CodeState *state) {
  unsigned bits = state->is_high ? codeBits[state->script] : CODE_ASCII_BITS;
  const int is_mixed = before->script && before->script != state->script;
  return bits + (is_mixed ? CODE_MIXED_BITS : 0);
}

static void addSeen(Utf8CodesSeen *seen, const Utf8CodeState *state) {
  seen->scripts |= (uint64_t)1 << state->script;
  if (state->script == UTF8_SCRIPT_LATIN)
    seen->letters[state->letter / 64] |= (uint64_t)1 << state->letter % 64;
}

unsigned utf8detect_code_cost(Utf8CodeState *state, uint32_t code,
                              Utf8CodesSeen *seen) {
  const Utf8CodeState before = *state;
  const Utf8CodeState now = *state = codeState(code);
  unsigned bits = 0, kind = 0;
  if (!before.is_high && !before.is_error && !now.is_high) return 0;
  if (!(before.script >= UTF8_SCRIPT_HAN || now.script >= UTF8_SCRIPT_HAN))
    kind = before.is_error ? detect_kind_least[now.kind] /* what it hid is not known */
                           : detect_kind_costs[before.kind][now.kind];
  if (now.script > 0) {
    bits = letterBits(&before, &now);
    if (now.is_high && !(seen->scripts >> now.script & 1)) bits += CODE_SCRIPT_BITS;
    if (now.is_high) addSeen(seen, &now);
  } else if (before.is_high && before.script) {
    bits = CODE_END_BITS;
  }
  if (now.script == 0 && isUnknownLetter(code)) bits += CODE_UNKNOWN_BITS;
  return kind + bits * DETECT_UNIT;
}

/* ---- letters, numbered ------ */

uint32_t utf8detect_letter_of(uint32_t code) {
  const unsigned entry = utf8detect_entry(code);
  if (entry >> 12) return entry & ~0x800u;
  const unsigned script = code > 0x24F ? scriptOfOther(code) : 0;
  return script > UTF8_SCRIPT_OTHER ? 0x10000 + script : 0x20000 + code;
}

/* ---- code points ----------------------------------------------------------------------------- */

size_t utf8detect_read_codes(uint32_t codes[UTF8_MODEL_CODES], const uint8_t *text,
                             size_t size) {
  size_t count = 0;
  for (size_t at = 0; at < size && count < UTF8_MODEL_CODES;) {
    const Utf8Step one = stepWellFormed(text + at);
    codes[count++] = one.codepoint;
    at += one.length;
  }
  return count;
}
