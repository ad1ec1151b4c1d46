/* mojibake/cost.c: what text costs (mojibake/cost.h). */
#include "mojibake/cost.h"
#include "detect/model.h"

/* What the counted text has too little of. tool/detect/undone.py and tool/mojibake/bounds.py measure what follows from
** these numbers. */
enum {
  COST_INSIDE = 40,  /* a sign between two letters */
  COST_DRAWING = 90, /* a line of a drawing, or a root, before a letter */
  /* At most, a sign after capitals: it stands there as after small letters. A quote stands at the end of any text. */
  COST_CAPITALS = 40,
  COST_QUOTE = 24,
  /* A sign other than an arrow, or a letter of a dead script; no charset has it. */
  COST_UNUSUAL = 46,
  COST_UNASSIGNED = 400, /* a code point that is not assigned */
  /* One or two letters, the only ones of their script near, or a lone Latin letter beyond U+00FF. */
  COST_LONE = 150,
  COST_SYMBOL = 12, /* a Greek letter as a symbol beside other letters: TNF-α, 5 μm */
  COST_RARE = 24    /* a letter that is seldom written */
};

/* How many code points on either side show the script of a text. */
#define COST_NEAR 32

/* ---- code points --------------------------------------------------------------------------------- */

static int hasLetterAt(const Segment *s, size_t at) {
  return traitsAt(s, at).script != 0;
}

static int hasLetterBefore(const Segment *s, size_t at) {
  return at > 0 && hasLetterAt(s, at - 1);
}

static int isQuote(unsigned class) {
  return class >= MOJIBAKE_APOSTROPHE && class <= MOJIBAKE_RIGHT_GUILLEMET;
}

/* Is it a quote other than an apostrophe, which also stands inside words? */
static int isClosedQuote(unsigned class) {
  return class > MOJIBAKE_APOSTROPHE && isQuote(class);
}

/* Does text seldom have the class between letters? Not so dashes, quotes and what joins letters. */
static int isNeverInside(unsigned class) {
  return class == MOJIBAKE_LEFT_GUILLEMET || class == MOJIBAKE_RIGHT_GUILLEMET ||
         (class >= MOJIBAKE_CURRENCY && class <= MOJIBAKE_INVERTED) ||
         class == MOJIBAKE_SHADE || class == MOJIBAKE_SYMBOL || class == MOJIBAKE_C1;
}

static int isDrawing(unsigned class) {
  return class == MOJIBAKE_BOX || class == MOJIBAKE_SHADE;
}

/* Is it a line of a drawing before something that is not drawn, or √ before a letter other than π? */
static int isBrokenDrawing(const Segment *s, size_t at, unsigned class) {
  if (class == MOJIBAKE_BOX) {
    const unsigned next = classAt(s, at + 1);
    if (next == MOJIBAKE_SHADE) return !isDrawing(classBefore(s, at));
    return hasLetterAt(s, at + 1) || (codeAt(s, at + 1) > 0x7F && !isDrawing(next));
  }
  return s->code[at] == 0x221A && hasLetterAt(s, at + 1) && codeAt(s, at + 1) != 0x3C0;
}

/* Is it a vowel sign of an Indic script? These are commoner than letters, so they break a tie. */
static int isVowelSign(uint32_t code) {
  return code >= 0x900 && code < 0xD80 && (code & 0x7F) >= 0x3E &&
         (code & 0x7F) <= 0x4D;
}

/* Does the language say what the letter costs? It knows the letters of alphabets, and those of Latin beyond Europe as other
** ones. */
static int isOfLanguage(Utf8MojibakeTraits traits, uint32_t code) {
  if (!traits.script || traits.script >= MOJIBAKE_SCRIPT_LIVING) return 0;
  return traits.class == MOJIBAKE_LATIN_RARE || traits.class == MOJIBAKE_VIETNAMESE ||
         utf8detect_entry(code) >> 12;
}

/* Returns what a high code point costs apart from its class. */
static int32_t ownCost(const Segment *s, size_t at, Utf8MojibakeTraits traits) {
  const uint32_t code = s->code[at];
  int32_t cost = isOfLanguage(traits, code) ? 0 : traits.cost;
  const int isUnusual = s->kind[at] >= MOJIBAKE_KIND_OF_CLASS && code >> 8 != 0x21 &&
                        (!traits.script || traits.class == MOJIBAKE_RARE);
  const int letters = hasLetterBefore(s, at) + hasLetterAt(s, at + 1);
  if (isUnusual) cost += COST_UNUSUAL;
  if (traits.class == MOJIBAKE_NONE) cost += COST_UNASSIGNED;
  if (isNeverInside(traits.class) && letters > 1 - isUnusual)
    cost += isUnusual && letters > 1 ? COST_LONE : COST_INSIDE;
  if (traits.class == MOJIBAKE_REPLACEMENT && letters > 1 && s->is_decoded[at])
    cost += COST_LONE; /* a letter of a commoner charset was lost */
  if (traits.class == MOJIBAKE_C1 && s->is_decoded[at]) cost += COST_INSIDE;
  if (isBrokenDrawing(s, at, traits.class)) cost += COST_DRAWING;
  return cost - isVowelSign(code);
}

/* ---- scripts ------------------------------------------------------------------------------------- */

/* Returns the script that is written near `from`, before it, or 0. */
static unsigned scriptBefore(const Segment *s, size_t from) {
  for (size_t i = from; i > 0 && from - i < COST_NEAR; i--)
    if (hasLetterAt(s, i - 1)) return traitsAt(s, i - 1).script;
  return 0;
}

static unsigned scriptAfter(const Segment *s, size_t end) {
  for (size_t i = end; i < s->count && i - end < COST_NEAR; i++)
    if (hasLetterAt(s, i)) return traitsAt(s, i).script;
  return 0;
}

/* Is there a sign at `at`? A dash or a quote may stand beside any word in capitals. */
static int isHighSign(const Segment *s, size_t at, int isCapitals) {
  return at < s->count && s->kind[at] >= 0x80 && !hasLetterAt(s, at) &&
         !(isCapitals && isPunctuation(classAt(s, at)));
}

/* Is it "Ã" before a space and a small letter, or two spaces and a word or number? No language has it. */
static int isLoneGrave(const Segment *s, size_t at) {
  if (s->code[at] != 0xC3 || s->kind[at + 1] != ' ') return 0;
  if (s->kind[at + 2] != ' ') return classAt(s, at + 2) == MOJIBAKE_LOWER;
  return hasLetterAt(s, at + 3) || classAt(s, at + 3) == MOJIBAKE_DIGIT;
}

/* Is it "Â" before a sign other than a quote? No language has it. */
static int isLoneLead(const Segment *s, size_t at) {
  return s->code[at] == 0xC2 && codeAt(s, at + 1) > 0x7F &&
         !isQuote(classAt(s, at + 1));
}

/* Is it "Ã" before a no-break space, beside a small letter? */
static int isGrave(const Segment *s, size_t at) {
  return s->code[at] == 0xC3 && classAt(s, at + 1) == MOJIBAKE_NBSP &&
         (classBefore(s, at) == MOJIBAKE_LOWER || classAt(s, at + 2) == MOJIBAKE_LOWER);
}

/* Returns what a letter of Latin costs as a word that hardly any language has. */
static int32_t loneLatinCost(const Segment *s, size_t at) {
  if (isGrave(s, at)) return COST_LONE / 2;
  if (hasLetterBefore(s, at) || hasLetterAt(s, at + 1)) return 0;
  if (s->code[at] > 0xFF || isLoneGrave(s, at)) return COST_LONE;
  return isLoneLead(s, at) ? COST_LONE / 2 : 0;
}

/* Is it a Greek letter without an accent? Formulas, units and names of substances have it as a symbol. */
static int isGreekSymbol(uint32_t code) {
  return code - 0x391 < 25 || code - 0x3B1 < 25;
}

/* Returns what the letter at `at` costs for being one of a few of its script. Letters that were not misread
** may be a word, and the sign of a unit where no other script is written. */
static int32_t loneCost(const Segment *s, size_t at, unsigned script) {
  size_t from = at, end = at + 1;
  if (script == MOJIBAKE_SCRIPT_LATIN) return loneLatinCost(s, at);
  while (from > 0 && traitsAt(s, from - 1).script == script) from--;
  while (traitsAt(s, end).script == script) end++;
  const unsigned before = scriptBefore(s, from), after = scriptAfter(s, end);
  if (end - from > 2 || before == script || after == script) return 0;
  const int isCapitals = isUpper(classAt(s, at)) &&
                         (isUpper(classBefore(s, from)) || isUpper(classAt(s, end)));
  const int touches = isHighSign(s, end, isCapitals) ||
                      (from > 0 && isHighSign(s, from - 1, isCapitals));
  const int isMeant = !s->is_decoded[at] && (!touches || (!before && !after));
  if (isMeant) return 0;
  if (end == from + 1 && (before || after) && isGreekSymbol(s->code[at]))
    return COST_SYMBOL;
  return COST_LONE / (int32_t)((end - from) * (end - from));
}

/* Is it a letter that is seldom written? One of Latin is not if a small letter stands beside it. */
static int isSeldomWritten(const Segment *s, size_t at, unsigned class) {
  if (class == MOJIBAKE_LATIN_RARE)
    return classBefore(s, at) != MOJIBAKE_LOWER && classAt(s, at + 1) != MOJIBAKE_LOWER;
  return class == MOJIBAKE_GREEK_RARE || class == MOJIBAKE_CYRILLIC_RARE ||
         class == MOJIBAKE_ARABIC_RARE;
}

/* ---- text ------------------------------------------------------------------------------------------ */

/* What decides the cost of the next code point. */
typedef struct Context {
  unsigned class;  /* of the last code point */
  unsigned own;    /* its script, 0 if it is not a letter */
  unsigned script; /* of the last letter, 0 if there is none */
  int is_capitals; /* the last two are capital letters */
} Context;

/* Returns what the class of a code point costs, and moves the context past it. */
ALWAYS_INLINE int32_t classCost(Context *before, unsigned kind, unsigned next) {
  const Utf8MojibakeTraits traits = utf8mojibake_traits[kind];
  int32_t cost = utf8mojibake_pair[before->class][traits.class];
  const int32_t most = isQuote(traits.class) ? COST_QUOTE : COST_CAPITALS;
  const int isInside = isClosedQuote(traits.class) && utf8mojibake_traits[next].script;
  if (before->is_capitals && !traits.script && !isInside && cost > most) cost = most;
  if (!before->own && (traits.script || kind >= 0x80))
    cost += utf8mojibake_switch[before->script][traits.script];
  const int isUnit = traits.script > MOJIBAKE_SCRIPT_LATIN && !before->own;
  before->is_capitals = isUpper(traits.class) && (isUpper(before->class) || isUnit);
  before->class = traits.class;
  before->own = traits.script;
  if (traits.script) before->script = traits.script;
  return cost;
}

static NOINLINE int32_t costOfHigh(const Segment *s, size_t at,
                                   Utf8MojibakeTraits traits) {
  int32_t cost = ownCost(s, at, traits);
  if (traits.script) cost += loneCost(s, at, traits.script);
  return cost + (isSeldomWritten(s, at, traits.class) ? COST_RARE : 0);
}

/* Returns the context of the code point at `at`. */
static Context contextAt(const Segment *s, size_t at) {
  if (at == 0) return (Context){MOJIBAKE_SPACE, 0, 0, 0};
  const Utf8MojibakeTraits last = traitsAt(s, at - 1);
  const int isCapitals = isUpper(last.class) && isUpper(classBefore(s, at - 1));
  return (Context){last.class, last.script, scriptBefore(s, at), isCapitals};
}

/* Returns what the code point at `at` costs, and moves the context past it. */
ALWAYS_INLINE int32_t costOfCode(Context *before, const Segment *s, size_t at) {
  const Utf8MojibakeTraits traits = utf8mojibake_traits[s->kind[at]];
  const int32_t cost = classCost(before, s->kind[at], s->kind[at + 1]);
  if (s->kind[at] >= 0x80) return cost + costOfHigh(s, at, traits);
  return traits.script ? cost : cost + traits.cost;
}

int32_t utf8mojibake_cost(const Segment *s, size_t from, size_t end) {
  Context context = contextAt(s, from);
  int32_t cost = 0;
  for (size_t at = from; at < end; at++) cost += costOfCode(&context, s, at);
  return cost;
}

void utf8mojibake_costs(const Segment *s, int32_t *sum) {
  Context context = contextAt(s, 0);
  sum[0] = 0;
  for (size_t at = 0; at < s->count; at++)
    sum[at + 1] = sum[at] + costOfCode(&context, s, at);
}

int32_t utf8mojibake_frame_cost(const Segment *s) {
  Context context = {MOJIBAKE_SPACE, 0, 0, 0};
  int32_t cost = 0;
  for (size_t at = 0; at < s->count; at++) {
    const Utf8MojibakeTraits traits = utf8mojibake_traits[s->kind[at]];
    if (s->kind[at] >= 0x80 && !isPunctuation(traits.class)) continue;
    cost += classCost(&context, s->kind[at], s->kind[at + 1]) +
            (traits.script ? 0 : traits.cost);
  }
  return cost;
}
