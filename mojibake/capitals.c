/* mojibake/capitals.c: clean text that looks misread: a capital letter and a sign beside it
** (mojibake/capitals.h).
**
** The costs of mojibake/tables/ were counted in ordinary text, where a sign seldom follows a capital
** letter. In a word in capitals it does so as often as after small letters. So such a run needs other
** evidence: a line was misread as a whole, and the restored word must be likelier in some language
** than the word that is there.
*/
#include "mojibake/capitals.h"
#include "charset/legacy/legacy.h"
#include "detect/model.h"

static unsigned scriptOf(unsigned class) {
  return utf8mojibake_traits_of(class).script;
}

static int isSmall(unsigned class) {
  return scriptOf(class) && !isUpper(class);
}

/* Is the run a sign and a letter: "–С"? Lines of drawings and "√" are not written before words. */
static int isSignAndLetter(const Segment *s, const Run *run) {
  const unsigned first = classAt(s, run->start);
  return !scriptOf(first) && first != MOJIBAKE_BOX && s->code[run->start] != 0x221A &&
         scriptOf(classAt(s, run->end - 1));
}

/* Is the first code point a letter of Cyrillic or another far script, and the decoded one not? Between
** Latin letters it is evidence: "l" U+0433 "©e". */
static int isFarBecomingLatin(const Segment *s, const Run *run) {
  const unsigned script = scriptOf(classAt(s, run->start));
  return script > MOJIBAKE_SCRIPT_LATIN && script != scriptOf(run->last) &&
         scriptOf(classBefore(s, run->start)) != MOJIBAKE_SCRIPT_LATIN &&
         scriptOf(classAt(s, run->end)) != MOJIBAKE_SCRIPT_LATIN;
}

/* Has the segment a letter above 7F that is not part of a sequence in the charset? */
static int hasOtherLetter(const RunReader *r) {
  const Segment *s = r->segment;
  uint32_t codes[CODES_MAX];
  for (size_t h = 0, end = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    if (at < end) continue;
    const Run run = utf8mojibake_read_run(r, at, codes);
    end = run.letters ? run.end : at + 1;
    if (!run.letters && scriptOf(classAt(s, at))) return 1;
  }
  return 0;
}

/* ---- the end of a word ------------------------------------------------------------------------ */

/* Is the run a capital letter after another one, and signs? */
static int isEndOfCapitals(const Segment *s, const Run *run) {
  if (!isUpper(classAt(s, run->start)) || !isUpper(classBefore(s, run->start)))
    return 0;
  for (size_t i = run->start + 1; i < run->end; i++) {
    if (scriptOf(classAt(s, i))) return 0;
  }
  return 1;
}

static int isOpeningQuote(uint32_t code) {
  return code == 0xAB || code == 0xBB || code == 0x2039 || code == 0x203A ||
         (code >= 0x2018 && code <= 0x201F);
}

/* Is the last code point of the run a quote, and is there another one before, since the last space? */
static int isEndOfQuote(const Segment *s, const Run *run) {
  if (!isOpeningQuote(codeAt(s, run->end - 1))) return 0;
  for (size_t i = run->start; i > 0 && s->kind[i - 1] != ' '; i--) {
    if (isOpeningQuote(codeAt(s, i - 1))) return 1;
  }
  return 0;
}

/* Does the sign stand between words, or after them, more often than other signs do? */
static int isSeparator(unsigned class) {
  return class == MOJIBAKE_DASH || class == MOJIBAKE_ELLIPSIS ||
         class == MOJIBAKE_QUOTE || class == MOJIBAKE_APOSTROPHE ||
         class == MOJIBAKE_LEFT_GUILLEMET || class == MOJIBAKE_RIGHT_GUILLEMET;
}

/* Returns what the restored word must save. "Ã" is more often misread than meant, other letters
** with which a word ends are not; so a word is rarer still that was read so by accident. */
static int64_t savingsOf(const Segment *s, const Run *run) {
  const unsigned sign = classAt(s, run->end - 1);
  if (scriptOf(classAt(s, run->end)) && scriptOf(run->last))
    return isSeparator(sign) ? MISREAD_CAPITALS_BETWEEN : 0;
  if (!isUpper(run->last)) return MISREAD_CAPITALS_SMALL;
  if (s->code[run->start] != 0xC3) return MISREAD_CAPITALS;
  return isSeparator(sign) ? MISREAD_CAPITALS_A_SIGN : MISREAD_CAPITALS_A;
}

/* The letters on either side of a run are compared up to this many. */
#define LETTERS_BESIDE 24

/* Returns where the word starts that the run ends. */
static size_t wordStart(const Segment *s, size_t at) {
  size_t from = at;
  while (from > 0 && at - from < LETTERS_BESIDE && scriptOf(classAt(s, from - 1)))
    from--;
  return from;
}

/* Returns how much less the letters cost in the language that they fit best, if the run is
** decoded. As it is, it ends a word. */
static int64_t lettersSaved(const Segment *s, const Run *run, uint32_t code) {
  uint32_t was[2 * LETTERS_BESIDE + 2], now[2 * LETTERS_BESIDE + 1];
  size_t n = 0;
  for (size_t i = wordStart(s, run->start); i < run->start; i++, n++)
    was[n] = now[n] = codeAt(s, i);
  was[n] = s->code[run->start];
  now[n++] = code;
  was[n] = ' ';
  for (size_t i = run->end; i - run->end < LETTERS_BESIDE && scriptOf(classAt(s, i));
       i++) {
    now[n++] = codeAt(s, i);
    was[n] = codeAt(s, i);
  }
  return (int64_t)utf8detect_letters_cost(was, n + 1, NULL, UINT64_MAX) -
         (int64_t)utf8detect_letters_cost(now, n, NULL, UINT64_MAX);
}

/* Is it a Greek letter after an abbreviation, of three or four letters without a vowel: "TNFα"? */
static int isAfterAbbreviation(const Segment *s, const Run *run, size_t word,
                               uint32_t code) {
  const size_t length = run->start - word;
  if (code < 0x3B1 || code > 0x3C9 || length < 3 || length > 4) return 0;
  for (size_t i = word; i < run->start; i++) {
    const unsigned letter = s->kind[i] | 0x20u;
    if (letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' ||
        letter == 'u' || s->kind[i] >= 0x80)
      return 0;
  }
  return 1;
}

/* Is the run the second letter of a word in title case, if it is decoded: "VĂ¦lg"? */
static int isInTitle(const Segment *s, const Run *run, size_t word) {
  return run->start - word == 1 && !isUpper(run->last) && isSmall(classAt(s, run->end));
}

/* Does a small letter follow an exponent or a fraction, which end a word: "RÎ³c"? */
static int isExponentInside(const Segment *s, const Run *run) {
  return classAt(s, run->end - 1) == MOJIBAKE_FRACTION && isSmall(classAt(s, run->end));
}

/* Would the run be a no-break space between words? */
static int isSpaceBetween(const Segment *s, const Run *run) {
  return run->last == MOJIBAKE_NBSP && scriptOf(classAt(s, run->end));
}

/* May the end of a word in capitals be clean? */
static int isCleanEnd(const Segment *s, const Run *run, uint32_t code) {
  const size_t word = wordStart(s, run->start);
  const unsigned next = classAt(s, run->end), script = scriptOf(classAt(s, run->start));
  if (isEndOfQuote(s, run)) return 1;
  if (isExponentInside(s, run)) return 0;
  if (isInTitle(s, run, word)) {
    if (scriptOf(run->last) == scriptOf(next) && script != scriptOf(next)) return 0;
  } else if (isSmall(next)) {
    return 1;
  }
  if (scriptOf(run->last) != script && !isSpaceBetween(s, run))
    return !isAfterAbbreviation(s, run, word, code);
  return lettersSaved(s, run, code) < savingsOf(s, run);
}

/* Would decoding put a small letter after a capital, where two capitals are now: "ОРІВ»" as "Ов»"? */
static int isSmallInCapitals(const Segment *s, const Run *run, uint32_t code) {
  return isUpper(classBefore(s, run->start)) && isUpper(classAt(s, run->start)) &&
         isUpper(classAt(s, run->start + 1)) &&
         isSmall(utf8mojibake_traits[utf8mojibake_kind_of(code)].class);
}

int utf8mojibake_is_beside_capitals(const RunReader *r, const Run *run, uint32_t code) {
  const Segment *s = r->segment;
  if (run->letters == 2) return isSmallInCapitals(s, run, code);
  if (run->letters != 1) return 0;
  const unsigned before = classBefore(s, run->start);
  if ((isUpper(before) || before == MOJIBAKE_LATIN_RARE || isSignAndLetter(s, run) ||
       isFarBecomingLatin(s, run)) &&
      hasOtherLetter(r))
    return 1;
  return isEndOfCapitals(s, run) && isCleanEnd(s, run, code);
}

/* ---- a lost byte ------------------------------------------------------------------------------ */

/* Is the run a capital letter and a lost byte between small letters? */
static int isCapitalInside(const Segment *s, const Run *run) {
  return run->end - run->start == 2 && isUpper(classAt(s, run->start)) &&
         isSmall(classBefore(s, run->start)) && isSmall(classAt(s, run->end));
}

/* Would the word be likelier with the letter, a small one of its script? */
static int isLikelier(const Segment *s, const Run *run, uint32_t code) {
  const unsigned class = utf8mojibake_traits[utf8mojibake_kind_of(code)].class;
  return isSmall(class) && scriptOf(class) == scriptOf(classBefore(s, run->start)) &&
         lettersSaved(s, run, code) >= MISREAD_CAPITALS;
}

int utf8mojibake_is_lost_letter(const RunReader *r, const Run *run, unsigned charset) {
  const uint16_t *high = utf8charset_high((Utf8Charset)utf8mojibake_charset[charset]);
  const uint32_t lead = byteAt(r, run->start);
  if (!isCapitalInside(r->segment, run)) return 0;
  for (uint32_t byte = 0x80; byte < 0xA0; byte++) {
    if (high[byte - 0x80] == byte &&
        isLikelier(r->segment, run, (lead & 0x1F) << 6 | (byte & 0x3F)))
      return 1;
  }
  return 0;
}
