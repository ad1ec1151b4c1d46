/* mojibake/decide.c: what is misread, and in which charset (mojibake/decide.h).
**
** Each charset that could explain the segment's pairs is tried. Runs of code points that are
** UTF-8 in it are decoded, and the text before is compared with the text after. A run is
** evidence if that saves enough bits; with evidence, each run that saves something is
** decoded. The charset that saves the most is undone. Runs that touch bytes that are not UTF-8
** are left: so is all of a segment with many of them, or whose restored text is not common.
*/
#include "mojibake/decide.h"
#include "mojibake/capitals.h"
#include "mojibake/run.h"

/* ---- evidence ------------------------------------------------------------------------------- */

/* Is the run a natural part of a word: letters of the script around it, in a usual case? */
static int isNatural(const Segment *s, const Run *run) {
  const Utf8MojibakeTraits first = traitsAt(s, run->start);
  const Context last = utf8mojibake_context_before(s, run->start);
  const unsigned script = first.script, after = utf8mojibake_script_after(s, run->end);
  if (!script || ((last.script || after) && last.script != script && after != script))
    return 0;
  if (last.own && isUpper(first.class) && !isUpper(last.class)) return 0;
  for (size_t i = run->start + 1; i < run->end; i++) {
    const Utf8MojibakeTraits next = traitsAt(s, i);
    if (next.script != script) return 0;
    if (i > run->start + 1 && isUpper(next.class) != isUpper(classAt(s, i - 1)))
      return 0;
  }
  return isUpper(first.class) || !isUpper(classAt(s, run->end - 1));
}

/* Is it one letter of Greek, Cyrillic or another far script and a sign, where no other script
** is written: "220 В±10%", "кВ·А", "ГОСТ Р®"? */
static int isUnit(const Segment *s, const Run *run) {
  const unsigned script = traitsAt(s, run->start).script;
  const unsigned before = utf8mojibake_script_before(s, run->start),
                 after = utf8mojibake_script_after(s, run->end);
  if (run->letters != 1 || !script || s->code[run->start] < 0x370) return 0;
  return before == script || after == script || (!before && !after);
}

/* Is it letters of such a script that are a word of two small ones, or the middle of a word: "бё",
** "аЗаЛ" in "ПравилаЗаЛозинке"? A misread word has other characters too. */
static int isFarWord(const Segment *s, const Run *run) {
  const unsigned script = traitsAt(s, run->start).script;
  if (run->letters > 2 || script <= MOJIBAKE_SCRIPT_LATIN) return 0;
  for (size_t i = run->start; i < run->end; i++) {
    if (traitsAt(s, i).script != script) return 0;
  }
  const unsigned before = classBefore(s, run->start), after = classAt(s, run->end);
  if (utf8mojibake_traits_of(before).script == script &&
      utf8mojibake_traits_of(after).script == script)
    return 1;
  return run->end - run->start == 2 && !isUpper(classAt(s, run->start)) &&
         !isUpper(classAt(s, run->start + 1)) &&
         !utf8mojibake_traits_of(before).script &&
         !utf8mojibake_traits_of(after).script && after != MOJIBAKE_DIGIT;
}

/* Is it a lead byte that is far more often misread than meant? */
static int isMisreadLead(uint32_t code) {
  return code == 0xC2 || code == 0xC3 || code == 0x102 || code == 0x221A ||
         code == 0x251C || code == 0x252C;
}

static int isQuote(unsigned class) {
  return class == MOJIBAKE_QUOTE || class == MOJIBAKE_APOSTROPHE ||
         class == MOJIBAKE_LEFT_GUILLEMET || class == MOJIBAKE_RIGHT_GUILLEMET;
}

/* Does the run start or end as quoted text does? */
static int isQuoted(const Segment *s, const Run *run) {
  const unsigned before = classBefore(s, run->start);
  if (before == MOJIBAKE_SPACE && isQuote(classAt(s, run->start))) return 1;
  return isQuote(before) && isQuote(classAt(s, run->end - 1));
}

static int isLetter(unsigned class) {
  return utf8mojibake_traits_of(class).script != 0;
}

/* Is the run signs, or a capital letter and a sign, that may be meant, not a misread letter:
** "±≈", "–£5", "V/Å³"? Signs become a letter only beside another one, of its script. */
static int isSign(const Segment *s, const Run *run, unsigned decoded) {
  const Utf8MojibakeTraits first = traitsAt(s, run->start);
  const unsigned script = utf8mojibake_traits_of(decoded).script;
  if (run->letters > 2 || !script || first.script > MOJIBAKE_SCRIPT_LATIN ||
      first.class == MOJIBAKE_LATIN_LOWER || isMisreadLead(s->code[run->start]))
    return 0;
  if (script > MOJIBAKE_SCRIPT_LATIN)
    return !first.script && utf8mojibake_script_before(s, run->start) != script &&
           utf8mojibake_script_after(s, run->end) != script;
  return run->letters == 1 && !isLetter(classAt(s, run->end - 1)) &&
         !isLetter(classBefore(s, run->start)) && !isLetter(classAt(s, run->end));
}

/* Is the run a sign that no charset has, inside a word: "be" U+FFDC "indiging"? Then it is what is
** left of a letter, as is U+FFFD in a rare charset. Arrows do stand between letters. */
static int isSignInWord(const Segment *s, const Run *run, uint32_t code,
                        unsigned charset) {
  const unsigned before = classBefore(s, run->start), after = classAt(s, run->end);
  if (run->letters != 1 || !isLetter(before) || isUpper(before) != isUpper(after) ||
      utf8mojibake_traits_of(before).script != utf8mojibake_traits_of(after).script)
    return 0;
  if (code == 0xFFFD) return charset >= MISREAD_LIKELY;
  return utf8mojibake_kind_of(code) >= MOJIBAKE_KIND_OF_CLASS && code >> 8 != 0x21 &&
         (run->last == MOJIBAKE_SYMBOL || run->last == MOJIBAKE_CJK_SIGN);
}

/* Is the run letters of one case and a sign, or a letter, a sign and a space, that would be another
** sign beside a word: "aktiivlâš®", "Tooimâ™ "? */
static int isSignBesideWord(const Segment *s, const Run *run) {
  const int upper = isUpper(classAt(s, run->start));
  size_t letters = 0;
  if (run->letters != 1 || run->last != MOJIBAKE_SYMBOL ||
      !(isLetter(classBefore(s, run->start)) || isLetter(classAt(s, run->end))))
    return 0;
  for (size_t i = run->start; i < run->end; i++) {
    const unsigned class = classAt(s, i);
    if (!isLetter(class)) continue;
    if (isUpper(class) != upper) return 0;
    letters++;
  }
  return letters > 1 || s->kind[run->end - 1] == ' ';
}

/* Is the run "Â" and a sign that follows no letter, between ASCII: "(Â°C)", "Â© 2015"? If it is all
** that the segment has above 7F, it is evidence. */
static int isSignAfterA(const Segment *s, const Run *run, uint32_t code) {
  const unsigned before = classBefore(s, run->start), class = run->last;
  if (run->letters != 1 || s->code[run->start] != 0xC2 || isLetter(before)) return 0;
  if (run->start > 0 && s->kind[run->start - 1] >= 0x80) return 0;
  if (run->end < s->count && s->kind[run->end] >= 0x80) return 0;
  return class == MOJIBAKE_MARK || class == MOJIBAKE_DEGREE ||
         class == MOJIBAKE_CURRENCY || class == MOJIBAKE_INVERTED ||
         class == MOJIBAKE_ELLIPSIS || code == 0xB5 || (code >= 0xBC && code <= 0xBE);
}

/* Is there a line of a drawing without a continuation, as in "├é"? */
static int isBrokenLine(const Segment *s, size_t at) {
  const unsigned next = classAt(s, at + 1);
  return classAt(s, at) == MOJIBAKE_BOX && next != MOJIBAKE_BOX &&
         next != MOJIBAKE_SHADE;
}

/* What the first lead byte says: "Ã", "Â", "├" and "√", except in roots, are far more often
** misread than meant; "¬" is part of faces. */
static int32_t leadFee(const Segment *s, size_t at) {
  const uint32_t code = s->code[at];
  if (code == 0xC2 || code == 0xC3 || isBrokenLine(s, at)) return -MISREAD_FAMILIAR;
  if (code == 0xAC) return 4 * MISREAD_FAMILIAR;
  if (code != 0x221A || codeAt(s, at + 1) == 0x3C0) return 0;
  return -2 * MISREAD_FAMILIAR;
}

/* Is it a class of which text seldom has one or two alone? Latin letters of Africa stand in words
** of others. */
static int isRareAlone(const Segment *s, const Run *run, unsigned class) {
  if (class == MOJIBAKE_LATIN_RARE)
    return classBefore(s, run->start) != MOJIBAKE_LOWER &&
           classAt(s, run->end) != MOJIBAKE_LOWER;
  return class == MOJIBAKE_GREEK_RARE || class == MOJIBAKE_CYRILLIC_RARE ||
         class == MOJIBAKE_ARABIC_RARE || class == MOJIBAKE_RARE ||
         (class == MOJIBAKE_ACCENT && run->letters == 1);
}

/* The last code point decoded from the run is a letter. Is its script written near the run? */
static int isWrittenNear(const Segment *s, const Run *run) {
  const unsigned script = utf8mojibake_traits_of(run->last).script;
  return utf8mojibake_script_before(s, run->start) == script ||
         utf8mojibake_script_after(s, run->end) == script;
}

/* Is the run one or two rare characters, as bytes of another charset become by accident? */
static int isAccident(const Segment *s, const Run *run, const uint32_t *codes) {
  if (run->letters > 2 ||
      (utf8mojibake_traits_of(run->last).script > MOJIBAKE_SCRIPT_LATIN &&
       isWrittenNear(s, run)))
    return 0;
  for (size_t i = 0; i < run->letters; i++) {
    if (isRareAlone(s, run, utf8mojibake_traits[utf8mojibake_kind_of(codes[i])].class))
      return 1;
  }
  return 0;
}

/* Are half of the run's sequences damaged: "ç" U+FFFD, "îş" U+FFFD? Then its letters may be intact, and
** what was lost was beside them. Of a sign of three bytes, "â€" is left if the third one was lost. */
static int isLost(const RunReader *r, const Run *run, unsigned charset) {
  return run->lost > 0 && 2 * run->lost >= run->letters &&
         codeAt(r->segment, run->start + 1) != 0x20AC &&
         !utf8mojibake_is_lost_letter(r, run, charset);
}

static int isAsciiWord(unsigned class) {
  return class == MOJIBAKE_LOWER || class == MOJIBAKE_UPPER ||
         class == MOJIBAKE_DIGIT || class == MOJIBAKE_JOIN;
}

/* Is it the only letter near of a script other than Latin? Not if it is Greek beside an ASCII
** letter, digit or hyphen, and does not start with "Œ": "TNFα", "5 μm". */
static int isLoneLetter(const Segment *s, const Run *run) {
  if (run->letters != 1 ||
      utf8mojibake_traits_of(run->last).script <= MOJIBAKE_SCRIPT_LATIN ||
      isWrittenNear(s, run))
    return 0;
  return run->last > MOJIBAKE_GREEK_UPPER || s->code[run->start] == 0x152 ||
         !(isAsciiWord(classBefore(s, run->start)) ||
           isAsciiWord(classAt(s, run->end)));
}

/* Returns what makes the run, whose first decoded code point is `code`, weak evidence. */
static int32_t evidenceFee(const Segment *s, unsigned charset, const Run *run,
                           uint32_t code) {
  const uint32_t first = s->code[run->start];
  int32_t fee = leadFee(s, run->start);
  if (run->letters <= 2 && isNatural(s, run))
    fee += first < 0x250 ? MISREAD_NATURAL / 2 : MISREAD_NATURAL;
  if (isQuoted(s, run)) fee += MISREAD_NATURAL;
  if (codeAt(s, run->end - 1) == 0xA0 && !(MOJIBAKE_SPACED >> charset & 1))
    fee += MISREAD_NATURAL;
  if (isSign(s, run, run->last)) fee += MISREAD_NEVER;
  if (isUnit(s, run) || isFarWord(s, run) || isSignInWord(s, run, code, charset) ||
      isSignBesideWord(s, run))
    fee += MISREAD_NEVER;
  return fee;
}

/* ---- the runs in a charset ------------------------------------------------------------------ */

static int isPunctuation(unsigned class) {
  return isQuote(class) || class == MOJIBAKE_NBSP || class == MOJIBAKE_DASH ||
         class == MOJIBAKE_ELLIPSIS || class == MOJIBAKE_C1;
}

/* Is the code point at `at` a byte above 7F that is not part of a run, and not punctuation? */
static int isBroken(const RunReader *r, size_t at) {
  const unsigned kind = r->kind[at];
  return kind >= 0x80 && kind < MOJIBAKE_KIND_OF_CLASS &&
         !isPunctuation(classAt(r->segment, at));
}

/* Are they letters of one script, not Latin, that stand side by side in words? */
static int isJoined(unsigned before, unsigned after) {
  const unsigned script = utf8mojibake_traits_of(before).script;
  return script > 1 && script == utf8mojibake_traits_of(after).script &&
         utf8mojibake_pair[before][after] <= MISREAD_JOINED;
}

/* Does the run touch bytes that are not UTF-8? Text that was misread has none there. */
static int isRagged(const RunReader *r, const Run *run, const uint32_t *codes) {
  const Segment *s = r->segment;
  const unsigned first = utf8mojibake_traits[utf8mojibake_kind_of(codes[0])].class;
  const unsigned last =
      utf8mojibake_traits[utf8mojibake_kind_of(codes[run->letters - 1])].class;
  if (run->start > 0 && isBroken(r, run->start - 1) &&
      !isJoined(classAt(s, run->start - 1), first))
    return 1;
  return run->end < s->count && isBroken(r, run->end) &&
         !isJoined(last, classAt(s, run->end));
}

/* Does the best evidence suffice? */
static int isEvident(const Runs *runs) {
  return runs->most >= utf8mojibake_threshold[runs->charset];
}

/* Counts a run that touches bytes that are not UTF-8, and that may have been decoded. */
static void addRagged(Runs *runs, const Run *run) {
  runs->is_clear = 0;
  runs->ragged += run->gain >= MISREAD_WEAK;
}

/* Adds a run, whose decoded code points are stored. */
static void addRun(const RunReader *r, Runs *runs, const Run *run) {
  const Segment *s = r->segment;
  const size_t i = runs->count++;
  const uint32_t *codes = runs->code + runs->codes;
  const int32_t prior = utf8mojibake_prior[runs->charset];
  runs->start[i] = (uint16_t)run->start;
  runs->end[i] = (uint16_t)run->end;
  runs->letters[i] = (uint16_t)run->letters;
  runs->codes += run->letters;
  runs->covered += run->end - run->start;
  runs->is_decoded[i] =
      s->only || run->gain >= (run->is_damaged ? MISREAD_DAMAGED : MISREAD_WEAK);
  if (run->gain > MISREAD_WEAK) runs->saved += run->gain - MISREAD_WEAK - prior;
  if (run->gain < runs->least) runs->least = run->gain;
  runs->is_clear &= run->is_clear;
  runs->has_sign |= isSignAfterA(s, run, codes[0]);
  if (s->only || isEvident(runs)) return;
  if (isAccident(s, run, codes) || isLost(r, run, runs->charset) ||
      utf8mojibake_is_beside_capitals(r, run, codes[0]))
    return;
  int32_t evidence =
      run->gain - run->fee - evidenceFee(s, runs->charset, run, codes[0]);
  /* readAGrave() found a word: evidence in windows-1252. */
  if (run->fee < 0) evidence = utf8mojibake_threshold[0];
  int32_t *most = isLoneLetter(s, run) ? &runs->lone : &runs->most;
  if (evidence > *most) *most = evidence;
}

/* Reads the run at `at`, which the charsets, as bits, may explain. Returns its end, or `at` if
** there is none. */
static size_t addRunAt(const RunReader *r, size_t at, uint32_t charsets, Runs *runs) {
  const Segment *s = r->segment;
  uint32_t *codes = runs->code + runs->codes;
  Run run = utf8mojibake_read_run(r, at, codes);
  if (!run.letters) runs->is_clear = 0;
  if (!run.letters) return at;
  if (!s->only && run.letters == 1 &&
      utf8mojibake_is_ambiguous(s, &run, runs->charset, charsets))
    run.fee += MISREAD_NEVER;
  if (!s->only && isRagged(r, &run, codes)) {
    addRagged(runs, &run);
  } else {
    addRun(r, runs, &run);
  }
  return run.end;
}

/* Returns how many code points are bytes above 7F. */
static size_t bytesIn(const RunReader *r) {
  size_t n = 0;
  for (size_t h = 0; h < r->segment->highs; h++)
    n += byteAt(r, r->segment->high[h]) >= 0x80;
  return n;
}

/* Do the runs have all bytes of the charset, and is none of them far from text? */
static int isWholeSegment(const RunReader *r, const Runs *runs) {
  return !runs->ragged && runs->least >= MISREAD_WHOLE && runs->covered >= bytesIn(r);
}

static void startRuns(Runs *runs, unsigned charset) {
  runs->charset = charset;
  runs->count = runs->codes = runs->covered = runs->ragged = 0;
  runs->most = runs->least = runs->lone = 0;
  runs->is_clear = 1;
  runs->has_sign = 0;
  runs->saved = -utf8mojibake_prior[charset];
}

static void readRuns(const Segment *s, unsigned charset, Runs *runs) {
  const RunReader r = runReaderOf(s, charset);
  startRuns(runs, charset);
  for (size_t i = 0, end = 0; i < s->pairs; i++) {
    if (s->pair[i] < end || !(s->charsets[i] >> charset & 1)) continue;
    if (!s->only && runs->count == MISREAD_HOPELESS && runs->most <= 0 &&
        runs->lone <= 0 && !runs->has_sign)
      break;
    end = addRunAt(&r, s->pair[i], s->charsets[i], runs);
  }
  if (s->only || !isWholeSegment(&r, runs)) return;
  memset(runs->is_decoded, 1, runs->count);
  if (runs->codes > 1 && runs->lone > runs->most) runs->most = runs->lone;
  if (runs->has_sign && !isEvident(runs)) runs->most = utf8mojibake_threshold[charset];
}

void utf8mojibake_read_all_runs(const Segment *s, unsigned charset, Runs *runs) {
  const RunReader r = runReaderOf(s, charset);
  startRuns(runs, charset);
  for (size_t h = 0, end = 0; h < s->highs; h++) {
    if (s->high[h] >= end) end = addRunAt(&r, s->high[h], 0, runs);
  }
  if (isWholeSegment(&r, runs)) memset(runs->is_decoded, 1, runs->count);
}

/* Are many runs beside bytes that are not UTF-8? Then decoding would make other garble. */
static int isGarbled(const Runs *runs) {
  return MISREAD_GARBLED * runs->ragged > runs->count;
}

static int isMisread(const Segment *s, const Runs *runs) {
  return s->only ? runs->count > 0 : isEvident(runs);
}

/* Returns the charsets, as bits, that need not be tried after that of the runs: they are no
** likelier, and all runs are clear or explain all of their pairs alike. Clear runs in cp437 may be in
** cp850, which has many of its letters, or the other way round. */
static uint32_t coveredBy(const Segment *s, const Runs *runs) {
  const unsigned charset = runs->charset;
  uint32_t covered = s->candidates & utf8mojibake_rarer[charset];
  if (runs->is_clear && charset != MOJIBAKE_CP437 && charset != MOJIBAKE_CP850)
    return covered;
  for (size_t i = 0; i < s->pairs && (covered & (covered - 1)); i++) {
    covered &= ~s->charsets[i] | (s->charsets[i] >> charset & 1
                                      ? utf8mojibake_agreeing_at(s, s->pair[i], charset)
                                      : 0);
  }
  return covered;
}

#define DIGITS 10 /* of a number of pairs in base 2: there are fewer than 1024 */

/* Counts in how many masks each bit is set: count[d] has digit d of all numbers. */
static unsigned countBits(const uint32_t *masks, size_t size, uint32_t *count) {
  unsigned digits = 0;
  for (size_t i = 0; i < size; i++) {
    uint32_t carry = masks[i];
    for (unsigned d = 0; carry; d++) {
      if (d == digits) count[digits++] = 0;
      const uint32_t both = count[d] & carry;
      count[d] ^= carry;
      carry = both;
    }
  }
  return digits;
}

/* Stores how many pairs each candidate explains, and returns the one that explains the most. */
static unsigned countPairs(const Segment *s, size_t counts[MOJIBAKE_CHARSETS]) {
  uint32_t count[DIGITS];
  const unsigned digits = countBits(s->charsets, s->pairs, count);
  unsigned most = 0;
  for (unsigned c = 0; c < MOJIBAKE_CHARSETS; c++) {
    counts[c] = 0;
    if (!(s->candidates >> c & 1)) continue;
    for (unsigned d = 0; d < digits; d++) counts[c] |= (size_t)(count[d] >> c & 1) << d;
    if (counts[c] > counts[most]) most = c;
  }
  return most;
}

/* Returns the candidate to be tried first. */
static unsigned firstCandidate(const Segment *s, size_t counts[MOJIBAKE_CHARSETS]) {
  unsigned first = 0;
  if (!s->is_uniform) return countPairs(s, counts);
  while (!(s->candidates >> first & 1)) first++;
  return first;
}

/* Finds the charset whose runs save the most, in one of two buffers. Returns NULL if the
** segment is not misread. The charset that explains the most pairs is tried first; then, in
** order of preference, those that explain nearly as many as the best one so far. */
const Runs *utf8mojibake_find_runs(const Segment *s, Runs buffer[2]) {
  size_t counts[MOJIBAKE_CHARSETS];
  Runs *best = NULL, *other = &buffer[0];
  uint32_t untried = s->candidates;
  unsigned charset = firstCandidate(s, counts);
  for (unsigned next = 0; untried; charset = next++) {
    if (!(untried >> charset & 1)) continue;
    untried &= ~((uint32_t)1 << charset);
    if (best && !s->is_uniform && 4 * counts[charset] < 3 * counts[best->charset])
      continue;
    readRuns(s, charset, other);
    if (!isMisread(s, other) || (best && other->saved <= best->saved)) continue;
    best = other;
    other = best == &buffer[0] ? &buffer[1] : &buffer[0];
    untried &= ~coveredBy(s, best);
  }
  return best && (s->only || !isGarbled(best)) ? best : NULL;
}

/* ---- the restored text ----------------------------------------------------------------------- */

/* What is counted in a stretch of high code points. */
typedef struct HighStretch {
  size_t end;     /* the number of the high code point after it */
  size_t decoded; /* how many were decoded */
  size_t words;   /* how many of these are not punctuation */
  int32_t cost;   /* of all code points */
  int32_t pairs;  /* the part of it for their classes */
  int32_t capped; /* the same, in which a sign counts at most MISREAD_SIGN */
  int is_torn;    /* two neighbours do not belong together */
  int is_known;   /* each is a code point of some charset */
} HighStretch;

static int isSymbolClass(unsigned class) {
  return class == MOJIBAKE_SYMBOL || class == MOJIBAKE_BOX || class == MOJIBAKE_SHADE ||
         class == MOJIBAKE_EMOJI || class == MOJIBAKE_REPLACEMENT ||
         class == MOJIBAKE_MARK || class == MOJIBAKE_CURRENCY ||
         class == MOJIBAKE_LIGATURE;
}

/* Is one of the code points at - 1 and at clean and the other decoded, and do they not join? */
static int isSeam(const Segment *s, size_t at) {
  const unsigned before = classAt(s, at - 1), after = classAt(s, at);
  return s->is_decoded[at] != s->is_decoded[at - 1] && !isPunctuation(before) &&
         !isPunctuation(after) && utf8mojibake_pair[before][after] > MISREAD_JOINED;
}

static int isTorn(const Segment *s, size_t at) {
  const Utf8MojibakeTraits before = traitsAt(s, at - 1), after = traitsAt(s, at);
  return utf8mojibake_is_torn(before, after,
                              utf8mojibake_pair[before.class][after.class]);
}

/* Is it a mark after something that is not a letter? */
static int isLoneMark(const Segment *s, size_t at) {
  const unsigned before = classBefore(s, at);
  return utf8mojibake_is_mark(classAt(s, at)) && !utf8mojibake_traits_of(before).script;
}

/* Adds the high code point at `at` to a stretch. */
static void addToStretch(const Segment *s, size_t at, Context *context,
                         HighStretch *stretch) {
  const unsigned before = context->class;
  stretch->cost += addKind(context, s->kind[at]);
  const unsigned class = context->class;
  const int32_t pair = utf8mojibake_pair[before][class];
  const int isSign = isSymbolClass(class) || isPunctuation(class);
  stretch->pairs += pair;
  stretch->capped += isSign && pair > MISREAD_SIGN ? MISREAD_SIGN : pair;
  stretch->decoded += s->is_decoded[at];
  stretch->words += s->is_decoded[at] && !isPunctuation(class);
  stretch->is_known &= s->kind[at] < MOJIBAKE_KIND_OF_CLASS;
}

static HighStretch readHighStretch(const Segment *s, size_t from) {
  HighStretch stretch = {from, 0, 0, 0, 0, 0, 0, 1};
  const size_t start = s->high[from];
  Context context = utf8mojibake_context_before(s, start);
  for (size_t h = from; h < s->highs && s->high[h] == start + (h - from); h++) {
    const size_t at = s->high[h];
    addToStretch(s, at, &context, &stretch);
    stretch.is_torn |= h > from ? isSeam(s, at) || isTorn(s, at) : isLoneMark(s, at);
    stretch.end = h + 1;
  }
  return stretch;
}

/* Is a stretch of which something was decoded common text? */
static int isCommonStretch(const HighStretch *stretch, size_t count) {
  if (stretch->is_torn) return 0;
  return stretch->decoded == count || stretch->words == 0 ||
         stretch->pairs <= MISREAD_TOUCHING * (int32_t)count;
}

/* Is a stretch of which nothing was decoded text that was read in a wrong charset? */
static int isGarble(const HighStretch *stretch, size_t count) {
  if (count == 1 || !stretch->is_known) return 0;
  return stretch->cost >
         (int32_t)count * (count == 2 ? MISREAD_UNCOMMON_TWO : MISREAD_UNCOMMON);
}

/* Is there a C1 control left, which text does not have, or a decoded "Ã" before a space? NEL may
** end a line. */
static int isRestOfMore(const Segment *s) {
  for (size_t h = 0; h < s->highs; h++) {
    const size_t at = s->high[h];
    const uint32_t code = s->code[at];
    if (isC1(code) && code != NEL && !s->is_decoded[at]) return 1;
    if (code == 0xC3 && s->is_decoded[at] && s->kind[at + 1] == ' ') return 1;
  }
  return 0;
}

int utf8mojibake_is_plausible(const Segment *s) {
  int32_t cost = 0, decoded = 0;
  size_t garble = 0;
  for (size_t h = 0, count; h < s->highs; h += count) {
    const HighStretch stretch = readHighStretch(s, h);
    count = stretch.end - h;
    if (!stretch.decoded) {
      garble += isGarble(&stretch, count) ? count : 0;
      continue;
    }
    if (!isCommonStretch(&stretch, count)) return 0;
    cost += stretch.capped;
    decoded += (int32_t)count;
  }
  return cost <= MISREAD_PLAUSIBLE * decoded + MISREAD_FIRST &&
         2 * garble <= (size_t)decoded && !isRestOfMore(s);
}
