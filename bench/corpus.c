/* corpus.c: texts to measure with, from a generator with a fixed seed.
**
** How it works: A decoder's speed depends on the length of the sequences, on how often the
** length changes, and on the spaces and ASCII words between them. A Script has these
** properties of a kind of text; the letters are drawn at random. The shares of the lengths
** are close to those of articles in these languages. Damaged text is such text with errors.
**
** Limits: No real words. Text repeats itself after PERIOD bytes, far more than a branch
** predictor remembers.
*/
#include "bench/bench.h"
#include <stdlib.h>
#include <string.h>

#define PERIOD ((size_t)1 << 20)

/* Code points first..last. The weights of a list are the relative frequencies of its ranges;
** weight 0 ends the list. */
typedef struct Range {
  uint32_t first, last;
  unsigned weight;
} Range;

static const Range ascii[] = {{'a', 'z', 96}, {'A', 'Z', 4}, {0}};
static const Range latin[] = {{'a', 'z', 94}, {0xE0, 0xFF, 5}, {0x100, 0x17F, 1}, {0}};
static const Range western[] = {{'a', 'z', 88}, {'A', 'Z', 2}, {0xC0, 0xFF, 10}, {0}};
static const Range cyrillic[] = {{0x430, 0x44F, 95}, {0x410, 0x42F, 5}, {0}};
static const Range arabic[] = {{0x627, 0x64A, 96}, {0x64B, 0x652, 4}, {0}};
static const Range hindi[] = {{0x905, 0x939, 60}, {0x93E, 0x94D, 40}, {0}};
static const Range chinese[] = {{0x4E00, 0x9FFF, 1}, {0}};
static const Range japanese[] = {
    {0x3041, 0x3093, 50}, {0x30A1, 0x30F6, 20}, {0x4E00, 0x9FA0, 30}, {0}};
static const Range korean[] = {{0xAC00, 0xD7A3, 1}, {0}};
static const Range emoji[] = {{0x1F300, 0x1F6FF, 80},
                              {0x1F900, 0x1F9FF, 12},
                              {0x200D, 0x200D, 5}, /* zero width joiner */
                              {0xFE0F, 0xFE0F, 3}, /* variation selector: in colour */
                              {0}};
static const Range mix[] = {
    {0x20, 0x7E, 1}, {0x80, 0x7FF, 1}, {0x800, 0xD7FF, 1}, {0x10000, 0x10FFFF, 1}, {0}};
static const Range numbers_and_names[] = {{'a', 'z', 60}, {'0', '9', 40}, {0}};

typedef struct Script {
  const char *name;
  const Range *letters;
  unsigned min_letters, max_letters; /* in a word */
  unsigned spaced;                   /* of 1000 words, how many a space follows */
  unsigned ascii;                    /* of 1000 words, how many are numbers or names */
  const char *full_stop;             /* after a sentence, in UTF-8 */
} Script;

enum { WORDS_IN_SENTENCE = 12 };

static const Script scripts[] = {
    {"ascii", ascii, 1, 10, 1000, 0, ". "},
    {"latin", latin, 1, 10, 1000, 20, ". "},
    {"cyrillic", cyrillic, 1, 10, 1000, 30, ". "},
    {"arabic", arabic, 2, 8, 1000, 20, ". "},
    {"hindi", hindi, 2, 8, 1000, 20, "\u0964 "},
    {"chinese", chinese, 4, 14, 0, 40, "\u3002"},
    {"japanese", japanese, 4, 14, 0, 40, "\u3002"},
    {"korean", korean, 2, 5, 1000, 20, ". "},
    {"emoji", emoji, 1, 8, 300, 0, "\n"},
    {"mix", mix, 8, 8, 0, 0, ""},
};
enum { SCRIPTS = sizeof scripts / sizeof *scripts };

/* Text in ISO-8859-1; and, with quotation marks, in Windows-1252. */
static const Script westerns[] = {
    {"western", western, 1, 10, 1000, 20, ". "},
    {"quoted", western, 1, 10, 1000, 20, ".\u201D \u201C"},
};
enum { WESTERNS = sizeof westerns / sizeof *westerns };

const char *const bench_scripts[] = {"ascii", "latin",   "cyrillic", "arabic",
                                     "hindi", "chinese", "japanese", "korean",
                                     "emoji", "mix",     "all",      NULL};

const char *const bench_westerns[] = {"western", "quoted", NULL};

/* Text of all scripts with one damaged byte in each KB, and in each 16 bytes; French-like
** text in ISO-8859-1; random bytes. */
const char *const bench_damaged[] = {"1/KB", "1/16 B", "latin-1", "random", NULL};

/* Text under construction. The code point that no longer fits becomes spaces. */
typedef struct Writer {
  uint8_t *out;
  size_t size, room;
  uint64_t random;
} Writer;

static void putBytes(Writer *w, const void *bytes, size_t count) {
  if (count > w->room - w->size) {
    memset(w->out + w->size, ' ', w->room - w->size);
    w->size = w->room;
    return;
  }
  memcpy(w->out + w->size, bytes, count);
  w->size += count;
}

static void putCodepoint(Writer *w, uint32_t c) {
  uint8_t lead = c < 0x80 ? 0 : c < 0x800 ? 0xC0 : c < 0x10000 ? 0xE0 : 0xF0;
  unsigned more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
  uint8_t b[4];
  b[0] = (uint8_t)(lead | c >> 6 * more);
  for (unsigned i = 1; i <= more; i++)
    b[i] = (uint8_t)(0x80 | (c >> 6 * (more - i) & 0x3F));
  putBytes(w, b, more + 1);
}

static uint32_t drawLetter(const Range *range, uint64_t *random) {
  uint64_t sum = 0;
  for (const Range *r = range; r->weight; r++) sum += r->weight;
  uint64_t draw = bench_random(random, sum);
  while (draw >= range->weight) draw -= range++->weight;
  return range->first + (uint32_t)bench_random(random, range->last - range->first + 1);
}

static void putWord(Writer *w, const Script *script) {
  uint64_t span = script->max_letters - script->min_letters + 1;
  uint64_t letters = script->min_letters + bench_random(&w->random, span);
  int isAscii = bench_random(&w->random, 1000) < script->ascii;
  const Range *range = isAscii ? numbers_and_names : script->letters;
  while (letters-- > 0) putCodepoint(w, drawLetter(range, &w->random));
  if (bench_random(&w->random, 1000) < script->spaced) putBytes(w, " ", 1);
}

static void putSentence(Writer *w, const Script *script) {
  for (int i = 0; i < WORDS_IN_SENTENCE; i++) putWord(w, script);
  putBytes(w, script->full_stop, strlen(script->full_stop));
}

static void writeScript(Writer *w, const Script *script) {
  while (w->size < w->room) putSentence(w, script);
}

static void writeAllScripts(Writer *w) {
  for (size_t i = 0; w->size < w->room; i++) putSentence(w, &scripts[i % SCRIPTS]);
}

/* Overwrites one random byte of every `every` with FF, a lead byte or a continuation byte. */
static void damage(Writer *w, size_t every) {
  static const uint8_t damages[] = {0xFF, 0xC0, 0x80, 0xE2, 0xF0, 0xED};
  for (size_t at = 0; at + every <= w->room; at += every)
    w->out[at + bench_random(&w->random, every)] =
        damages[bench_random(&w->random, sizeof damages)];
}

/* Resembles the script "latin", in ISO-8859-1. */
static void writeLatin1(Writer *w) {
  for (size_t i = 0; i < w->room; i++) {
    uint64_t draw = bench_random(&w->random, 1000);
    w->out[i] = (uint8_t)(draw < 50    ? 0xE0 + bench_random(&w->random, 32)
                          : draw < 200 ? ' '
                                       : 'a' + bench_random(&w->random, 26));
  }
}

static void writeRandom(Writer *w) {
  for (size_t i = 0; i < w->room; i++)
    w->out[i] = (uint8_t)bench_random(&w->random, 256);
}

static const Script *findScript(const char *name) {
  for (size_t i = 0; i < SCRIPTS; i++)
    if (!strcmp(scripts[i].name, name)) return &scripts[i];
  for (size_t i = 0; i < WESTERNS; i++)
    if (!strcmp(westerns[i].name, name)) return &westerns[i];
  return NULL;
}

static void writePeriod(const char *name, Writer *w) {
  const Script *script = findScript(name);
  if (script) {
    writeScript(w, script);
  } else if (!strcmp(name, "latin-1")) {
    writeLatin1(w);
  } else if (!strcmp(name, "random")) {
    writeRandom(w);
  } else if (!strcmp(name, "all")) {
    writeAllScripts(w);
  } else if (!strcmp(name, "1/KB")) {
    writeAllScripts(w);
    damage(w, 1024);
  } else if (!strcmp(name, "1/16 B")) {
    writeAllScripts(w);
    damage(w, 16);
  } else {
    bench_fail("no such corpus");
  }
}

void bench_corpus_write(const char *name, uint8_t *out, size_t size) {
  Writer w = {out, 0, size < PERIOD ? size : PERIOD, 42};
  writePeriod(name, &w);
  for (size_t done = w.room; done < size; done += PERIOD) {
    Writer next = {out + done, 0, size - done < PERIOD ? size - done : PERIOD, 42};
    if (next.room == PERIOD)
      memcpy(next.out, out, PERIOD);
    else
      writePeriod(name, &next);
  }
}

uint8_t *bench_corpus(const char *name, size_t size) {
  uint8_t *text = aligned_alloc(4096, (size + 4095 + 64) / 4096 * 4096);
  if (!text) bench_fail("no memory");
  bench_corpus_write(name, text, size);
  return text;
}
