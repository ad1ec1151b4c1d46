#!/usr/bin/env python3
"""tables.py: makes the tables by which detect/ compares charsets.

    python3 tool/detect/tables.py --train     # counts real text; writes tool/detect/costs (needs numpy)
    python3 tool/detect/tables.py --write     # writes detect/tables/model.h from that
    python3 tool/detect/tables.py --check     # is it what --write would write?

--train fetches packages of Debian and PyPI (tool/detect/corpus.py). Nothing is random: the same versions of
the packages give the same costs.
"""

import os
import re

import corpus  # also adds the folder of the tools to the path
import debiantext
import generated
import model
import pages

COSTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "costs")

# Bits that a cost of 0..15 in the tables of letters stands for.
LEVELS = [0.4, 1.3, 2.0, 2.6, 3.2, 3.8, 4.4, 5.0, 5.7, 6.4, 7.2, 8.1, 9.1, 10.3, 11.8, 14.0]
LEVEL_COSTS = [round(x * model.UNIT) for x in LEVELS]

# The bits that speak against each charset, since few texts are in it. First those that utf8_detect may name, in order of
# preference.
PRIORS = {
    "windows-1252": 0, "iso-8859-1": 0, "windows-1251": 2, "windows-1250": 2, "windows-1254": 4,
    "windows-1253": 2, "windows-1257": 4, "windows-1256": 2, "windows-1255": 2, "windows-1258": 7,
    "windows-874": 2, "iso-8859-2": 3, "iso-8859-15": 4, "iso-8859-7": 3, "koi8-r": 4,
    "koi8-u": 5, "iso-8859-5": 5, "ibm866": 4, "cp437": 7, "cp850": 6, "macintosh": 6,
    "cp852": 6, "cp855": 9, "iso-8859-8": 3, "iso-8859-6": 3, "iso-8859-13": 8,
    "iso-8859-4": 10, "iso-8859-3": 13, "iso-8859-10": 13, "iso-8859-14": 13, "iso-8859-16": 12,
    "x-mac-cyrillic": 8, "viscii": 12,
}
# The others are compared, so that text in them is not taken for text in one of those.
UNNAMED = 10
UNNAMED_PRIORS = {
    "ptcp154": 13, "koi8-t": 13, "cp1124": 13, "mac-latin2": 13, "mac-croatian": 13, "mac-arabic": 13,
    "mac-farsi": 13, "hp-roman8": 16,
    "iso-ir-111": 22,  # its letters are those of koi8-r
}
# In the order of Utf8AsianEvidence.
MULTI_BYTE_PRIORS = {"gbk": 3, "big5": 4, "euc-jp": 4, "shift_jis": 3, "euc-kr": 3, "johab": 16, "euc-tw": 16}
WESTERN = {"windows-1252", "iso-8859-1", "iso-8859-15", "macintosh", "cp437", "cp850"}

OTHER_SYMBOLS = ".?"  # no letter, another letter of the script


# ---- --train -----------------------------------------------------------------------------

def rows_of_bytes():
    """The code points of 80..FF of each charset of the kind SINGLE_BYTE, by name."""
    text = generated.read("charset/legacy/tables/singlebyte.h")
    read = {name: [int(x, 16) for x in re.findall(r"0x([0-9A-F]{4})", body)]
            for name, body in re.findall(r"\{ /\* ([\w-]+) \*/([^}]*)\}", text)}
    return {name: codes for name, codes in read.items() if len(codes) == 128}


def code_points():
    """Those of the charsets that are not known from iconv alone: the alphabet of the model."""
    recorded = {page.name for page in pages.recorded() if page.name != page.base}
    return {c for name, codes in rows_of_bytes().items() if name not in recorded for c in codes} - {0xFFFD}


def single_bytes():
    """The charsets that have no other code points: those that are compared."""
    known = code_points() | {0xFFFD}
    return {name: codes for name, codes in rows_of_bytes().items() if known.issuperset(codes)}


def viscii():
    """The code points of 80..FF of viscii as windows-1258 has them: letters, and their tones, or 0."""
    known = set(single_bytes()["windows-1258"])
    page = next(page for page in pages.recorded() if page.name == "viscii")
    read = [(chr(c) if c in known else model.decomposed(chr(c))) + "\0" for c in page.codes(list(range(256)))[128:]]
    return [ord(text[0]) for text in read], [ord(text[1]) for text in read]


def level(bits):
    return min(range(16), key=lambda i: abs(LEVELS[i] - bits))


def letters():
    import numpy
    found = model.Letters(code_points())
    found.table = numpy.array([found.entry(c) for c in range(model.CODES_MAX)])
    return found


def train():
    corpus.fetch()
    numbers = letters()
    languages = [model.Language(name, corpus.text(name), numbers, corpus.lists(name), corpus.frequent_words(name))
                 for name in model.SCRIPT_OF]
    with open(COSTS, "w", encoding="utf-8") as file:
        file.write("# Made by tool/detect/tables.py --train.\n# Text: ")
        file.write(", ".join([*debiantext.versions(corpus.WORK), *corpus.PYTHON_PACKAGES]) + "\n")
        for name, row in zip(model.KINDS, model.kind_bits([x for x in languages if x.name not in corpus.WORD_LISTS])):
            file.write("kind %s %s\n" % (name, " ".join(str(min(round(x * model.UNIT), 255)) for x in row)))
        for language in languages:
            write_language(file, language, numbers)
        for name in model.ASIAN:
            write_asian(file, model.Asian(name, corpus.text(name), corpus.frequent_words(name), corpus.rarer_words(name)))
        for row in model.half_bits(corpus.readings()):
            file.write("half %s\n" % "".join("%X" % level(x) for x in row))


def write_language(file, language, numbers):
    names = numbers.names(language.script)
    needed = "".join(names[i] for i in language.chosen if language.share[i] > 0.002)
    file.write("language %s %d %s %s\n" % (language.name, language.script,
                                           "".join(names[i] for i in language.chosen), needed))
    for row in language.bits:
        file.write("letter %s\n" % "".join("%X" % level(x) for x in row))
    if language.script == model.LATIN:
        symbols = OTHER_SYMBOLS + "".join(names[i] for i in language.chosen)
        for bits in model.TRIGRAM_BITS:
            found = ["".join(symbols[i] for i in at) for at in zip(*(language.more == bits).nonzero())]
            file.write("trigrams %g %s\n" % (bits, " ".join(found)))


def write_asian(file, language):
    file.write("asian %s\n" % language.name)
    for row in language.bits:
        file.write("class %s\n" % " ".join(str(min(round(x * model.UNIT), 255)) for x in row))
    for number in range(model.REST):
        members = sorted(c for c, of in language.groups.items() if of == number)
        file.write("group %d %s\n" % (number, "".join(map(chr, members))))


# ---- --write -----------------------------------------------------------------------------

class Costs:
    """What tool/detect/costs holds."""

    def __init__(self):
        self.kinds, self.languages, self.asian, self.half = {}, [], [], []
        with open(COSTS, encoding="utf-8") as file:
            for line in file:
                word, *fields = line.rstrip("\n").split(" ")
                getattr(self, "read_" + word.strip("#").lower(), self.skip)(*fields)

    def skip(self, *fields):
        pass

    def read_kind(self, name, *bits):
        self.kinds[name] = [int(x) for x in bits]

    def read_language(self, name, script, chosen, needed):
        self.languages.append({"name": name, "script": int(script), "letters": chosen,
                               "needed": needed, "rows": [], "trigrams": []})

    def read_letter(self, row):
        self.languages[-1]["rows"].append([int(x, 16) for x in row])

    def read_trigrams(self, bits, *trigrams):
        language = self.languages[-1]
        symbols = OTHER_SYMBOLS + language["letters"]
        for trigram in trigrams:
            first, second, third = (symbols.index(c) for c in trigram)
            language["trigrams"].append((second, first << 6 | third, model.TRIGRAM_BITS.index(float(bits))))

    def read_asian(self, name):
        self.asian.append({"name": name, "classes": [], "groups": {}})

    def read_class(self, *bits):
        self.asian[-1]["classes"].append([int(x) for x in bits])

    def read_half(self, row):
        self.half.append([LEVEL_COSTS[int(x, 16)] for x in row])

    def read_group(self, number, members=""):
        for c in members:
            self.asian[-1]["groups"][ord(c)] = int(number)


def array(type_, name, values, form="%d", width=16):
    lines = generated.in_lines([form % x for x in values], width)
    return "static const %s %s[%d] = {\n%s\n};\n" % (type_, name, len(values), lines)


def matrix(type_, name, rows, form="%d"):
    body = "\n".join("    {" + ", ".join(form % x for x in row) + "}," for row in rows)
    return "static const %s %s[%d][%d] = {\n%s\n};\n" % (type_, name, len(rows), len(rows[0]), body)


def entry_of(codes, code):
    """What Letters.entry() returns, but letters count from 1."""
    entry = codes.entry(code)
    return entry + 1 if entry >> 12 else entry


def code_pages(codes):
    """The entries of all code points, 64 in a page; page 0 of those that have none."""
    pages, index = [[model.KIND["SYMBOL"]] * 64], []
    for start in range(0, model.CODES_MAX, 64):
        page = [entry_of(codes, c) for c in range(start, start + 64)]
        if page not in pages:
            pages.append(page)
        index.append(pages.index(page))
    return pages, index


def byte_classes():
    """The class of each byte: above 7F its own; ASCII letters; kinds of other ASCII characters."""
    others = ["SPACE", "DIGIT", "STOP", "JOIN", "SIGN", "CONTROL"]
    samples = [32, 0x30, 0x2E, 0x2D, 0x40, 1]
    classes = [c - 97 if 97 <= c < 123 else c - 65 + 26 if 65 <= c < 91
               else 52 + others.index(model.nonletter(c)) for c in range(128)]
    classes = [128 + c for c in classes] + list(range(128))
    return classes, [*range(97, 123), *range(65, 91), *samples]


def ascii_arrays(samples):
    kinds, symbols = [[], []], [[], []]
    for code in samples:
        is_letter, is_upper = chr(code).isalpha(), chr(code).isupper()
        for latin in range(2):
            name = ["ASCII_", ""][latin] + ["LOWER", "UPPER"][is_upper]
            kinds[latin].append(model.KIND[name if is_letter else model.nonletter(code)])
            symbols[latin].append((code | 32) - 96 if is_letter and latin else 0)
    return [matrix("uint8_t", "detect_ascii_kind", kinds),
            matrix("uint8_t", "detect_ascii_letter", symbols)]


def letters_of(language, codes):
    """The numbers of the language's letters, from 1, in the order of their symbols from 2."""
    numbers = codes.number[language["script"]]
    return [numbers[letter] + 1 for letter in language["letters"]]


def halves(rows):
    """Rows of costs, two in a byte, the first in the low half."""
    flat = [x for row in rows for x in row]
    flat += [0] * (len(flat) % 2)
    return [flat[i] | flat[i + 1] << 4 for i in range(0, len(flat), 2)]


def script_of_charset(codes):
    n = [0] * len(model.SCRIPTS)
    for code in codes:
        n[model.script_of(code)] += 1
    n[0] = 0
    return n.index(max(n))


# Letters of Cyrillic for which people type the ASCII letter that looks alike, where a charset lacks them.
LOOKALIKES = set("іјѕ")


def can_write(language, codes):
    """Does a charset have the letters that the language needs?"""
    have = {model.folded(c) for c in codes} | set("abcdefghijklmnopqrstuvwxyz") | LOOKALIKES
    return all(c in have for c in language["needed"])


def charset_rows(languages):
    tables, rows = single_bytes(), []
    tables["iso-8859-1"] = tables["windows-1252"]  # which has the same letters
    del tables["ascii"], tables["iso-8859-8-i"]
    tables["viscii"] = sum(viscii(), [])
    for name, identifier in generated.charset_enumerators().items():
        if name in tables:
            script = script_of_charset(tables[name])
            able = sum(1 << i for i, x in enumerate(languages)
                       if x["script"] == script and can_write(x, tables[name])
                       and (x["name"] == "vi" or name != "viscii"))
            if able:
                rows.append((identifier, name, script, able))
    return sorted(rows, key=lambda row: row[1] not in PRIORS)


def is_of_windows(name):
    """Is the charset one of Windows, or equal to one except for controls?"""
    return name.startswith("windows-") or name == "iso-8859-1"


def charset_row(identifier, name, script, able, before):
    prior = {**UNNAMED_PRIORS, **PRIORS}.get(name, UNNAMED)
    return "    {UTF8_CHARSET_%s, %d, %d, %d, %d, %d, 0x%011X}, /* %s */\n" % (
        identifier, script, prior, name in WESTERN, is_of_windows(name), before, able, name)


def charset_array(languages):
    rows = charset_rows(languages)
    counts = [bin(row[3]).count("1") for row in rows]
    body = "".join(charset_row(*row, sum(counts[:k])) for k, row in enumerate(rows))
    named = sum(row[1] in PRIORS for row in rows)
    return ("#define DETECT_NAMED %d /* the first charsets; the others are never named */\n"
            "#define DETECT_TOGETHER %d /* charsets with each of their languages */\n"
            "static const DetectCharset detect_charsets[%d] = {\n%s};\n" % (named, sum(counts), len(rows), body))


def language_arrays(languages, codes):
    rows, letters, bits = [], [], []
    for language in languages:
        rows.append('    {"%s", %d, %d, %d, %d}, /* %s */' %
                    (language["name"], language["script"], len(language["rows"]), len(letters), len(bits),
                     language["letters"]))
        letters += letters_of(language, codes)
        bits += halves(language["rows"])
    return ["static const DetectLanguage detect_languages[%d] = {\n%s\n};\n" % (len(rows), "\n".join(rows)),
            array("uint8_t", "detect_letters", letters, width=24),
            array("uint8_t", "detect_letter_costs", bits, "0x%02X", 16)]


def script_array(languages, codes):
    rows, letter_rows, first = ["    {0, 0, 0, 0},"], 0, 0
    for script in range(1, len(model.SCRIPTS)):
        letters = len(codes.number[script]) + 1
        count = sum(language["script"] == script for language in languages)
        assert {language["script"] for language in languages[first:first + count]} == {script}
        rows.append("    {%d, %d, %d, %d}," % (first, count, letters, letter_rows))
        letter_rows += letters ** 2
        first += count
    few = max(sum(language["script"] == script for language in languages) for script in range(2, len(model.SCRIPTS)))
    other = len(codes.number[model.LATIN])
    assert not any(other in letters_of(language, codes) for language in languages if language["script"] == model.LATIN)
    return ("#define DETECT_LATIN_OTHER %d /* the last letter of Latin, which no language has */\n"
            "#define DETECT_FEW %d /* the most languages of another script than Latin */\n"
            "#define DETECT_LETTER_ROWS %d /* one for two letters of the same script, or 0 */\n"
            "static const DetectScript detect_scripts[%d] = {\n%s\n};\n" %
            (other, few, letter_rows, len(rows), "\n".join(rows)))


def trigram_arrays(languages):
    starts, trigrams = [], []
    size = max(len(language["rows"]) for language in languages) + 1
    assert size <= 65  # symbols have six bits
    for language in languages:
        of = sorted(language["trigrams"])
        starts.append([len(trigrams) + sum(second < i for second, _both, _level in of) for i in range(size)])
        trigrams += [both << 4 | level for _second, both, level in of]
    levels = [round(bits * model.UNIT) for bits in model.TRIGRAM_BITS]
    return [array("int8_t", "detect_trigram_level", levels),
            matrix("uint32_t", "detect_trigram_starts", starts),
            array("uint16_t", "detect_trigrams", trigrams, "0x%04X", 16)]


# Blocks of code points whose classes are stored, as half bytes: first and size, those of a language's own script before
# those that are the same in all. All other code points have the class RARE, or OTHER below U+3400.
OWN_BLOCKS = [("han", model.HAN.start, 0x5200), ("hangul", model.HANGUL.start, 0x2C00)]
SIGN_BLOCKS = [("latin", 0x0000, 0x100), ("dash", 0x2000, 0x100), ("kana", 0x3000, 0x100), ("forms", 0xFF00, 0x100),
               ("jamo", 0x3100, 0x100)]
ASIAN_BLOCKS = OWN_BLOCKS + SIGN_BLOCKS
OTHER_BLOCK, RARE_BLOCK = len(ASIAN_BLOCKS), len(ASIAN_BLOCKS) + 1


def classes_of(first, size, groups):
    return halves([[model.asian_class(c, groups) for c in range(first, first + size)]])


def block_types():
    """The number of the block of each 256 code points."""
    types = [OTHER_BLOCK if page < 0x34 else RARE_BLOCK for page in range(256)]
    for number, (_name, first, size) in enumerate(ASIAN_BLOCKS):
        types[first >> 8:first + size >> 8] = [number] * (size >> 8)
    return types


def asian_blocks(language, own):
    """The initializers of a language's blocks. A table of two code points has one class, for all of a block."""
    stored = [("detect_%s_%s" % (language, name) if name == own else "detect_asian_rare", first, size if name == own else 2)
              for name, first, size in OWN_BLOCKS]
    stored += [("detect_asian_" + name, first, size) for name, first, size in SIGN_BLOCKS]
    stored += [("detect_asian_other", 0, 2), ("detect_asian_rare", 0, 2)]
    rows = ["    {%s, 0x%X, 0x%X}," % (table, first, (1 << (size // 2 - 1).bit_length()) - 1)
            for table, first, size in stored]
    return "static const DetectBlock detect_%s_blocks[%d] = {\n%s\n};\n" % (language, len(rows), "\n".join(rows))


# Bytes of multi-byte charsets, in the order of Utf8AsianEvidence: those that start a code of two bytes,
# those that end one, bytes above 7F that are a code alone, and those that show a longer code.
ASIAN_BYTES = [("81-FE", "40-7E 80-FE", "80", "30-39"), ("81-FE", "40-7E A1-FE", "", ""),
               ("8E A1-FE", "A1-FE", "", "8F"), ("81-9F E0-FC", "40-7E 80-FC", "80 A1-DF", ""),
               ("81-FE", "41-5A 61-7A 81-FE", "", ""), ("84-D3 D8-DE E0-F9", "31-7E 81-FE", "", ""),
               ("A1-FE", "A1-FE", "", "8E")]


def in_ranges(byte, ranges):
    ends = [[int(end, 16) for end in part.split("-")] for part in ranges.split()]
    return any(end[0] <= byte <= end[-1] for end in ends)


def asian_bytes(group):
    """Bits for each charset: a byte of the group may be at a boundary, starts a code, ends one, shows that
    one is longer, which it may also be if another byte of the group is a code alone."""
    bits = [0] * 4
    for i, charset in enumerate(ASIAN_BYTES):
        lead, trail, alone, longer = [any(in_ranges(byte, ranges) for byte in group) for ranges in charset]
        for k, fits in enumerate([group[0] < 0x80 or lead or alone or longer, lead, trail,
                                  longer or (lead and alone)]):
            bits[k] |= fits << i
    return bits


# Bytes that are looked up alike: ASCII by sixteen, others by two.
ASIAN_GROUPS = [range(first, first + 16) for first in range(0, 0x80, 16)]
ASIAN_GROUPS += [range(first, first + 2) for first in range(0x80, 0x100, 2)]


# The text that was counted has hardly any half-width kana, which banks and addresses write, and single jamo, which chats
# do: the bits that these cost more than katakana, or the commonest Hangul, after anything else; and after one another. In
# Japanese, which of the kana it is has costs of its own.
WHICH = model.CLASS_BITS["KATAKANA"]
HALF_BITS = {"ja": (3 - WHICH, -WHICH), "ko": (6, -1)}


def with_half(language, rows):
    """The bits of each class after each, with half-width kana or jamo."""
    half, like = model.CLASS["HALF"], model.CLASS["GROUP0" if language["name"] == "ko" else "KATAKANA"]
    after, together = HALF_BITS.get(language["name"], (4, 0))
    for row in rows:
        row[half] = min(round(row[like] + after * model.UNIT), 255)
    rows[half] = list(rows[like])
    rows[half][half] = max(round(rows[like][like] + together * model.UNIT), 0)
    return rows


def asian_arrays(asian, half):
    out = ["/* Bits of multi-byte charsets in which a byte may be at a boundary, starts a code of two bytes, ends\n"
           "** one, shows that a code is longer. ASCII has a row for 16 bytes, others for two. */\n",
           matrix("uint8_t", "detect_asian_bytes", [asian_bytes(group) for group in ASIAN_GROUPS], "0x%02X"),
           array("uint8_t", "detect_asian_type", block_types(), width=32)]
    for name in "other", "rare":
        out.append(array("uint8_t", "detect_asian_" + name, halves([[model.CLASS[name.upper()]] * 2]), "0x%02X"))
    for name, first, size in SIGN_BLOCKS:
        out.append(array("uint8_t", "detect_asian_" + name, classes_of(first, size, {}), "0x%02X"))
    for language in asian:
        name = language["name"].lower()
        own, first, size = OWN_BLOCKS[name == "ko"]
        groups = {**dict.fromkeys(model.own_script(name), model.REST), **language["groups"]}
        out += [matrix("uint8_t", "detect_%s_costs" % name, with_half(language, language["classes"])),
                array("uint8_t", "detect_%s_%s" % (name, own), classes_of(first, size, groups), "0x%02X"),
                asian_blocks(name, own)]
    out += ["/* The costs of each half-width kana, by its number from 1, after each, and after none. */\n",
            matrix("uint8_t", "detect_half_costs", half)]
    return out


HEAD = """/* model.h: what text looks like in many languages. Written by tool/detect/tables.py from
** tool/detect/costs, which was counted in text of Debian's packages.
**
** Costs are in eighths of a bit. A letter's symbol is its number in the language: 0 is no
** letter, 1 a letter of the script that the language does not use.
*/
#ifndef UTF8_DETECT_TABLES_MODEL_H
#define UTF8_DETECT_TABLES_MODEL_H

#include "core/utf8core.h"

/* clang-format off */

"""

TYPES = """
typedef struct DetectLanguage {
  char tag[4]; /* by BCP 47 */
  uint8_t script;
  uint8_t symbols;  /* how many */
  uint16_t letter;  /* index in detect_letters: the number in the script of symbol 2 and of those after it */
  uint16_t cost;    /* index in detect_letter_costs of symbols * symbols half bytes */
} DetectLanguage;

typedef struct DetectScript {
  uint8_t language;  /* its first language */
  uint8_t languages; /* how many */
  uint8_t letters;   /* how many, with 0 */
  uint16_t row;      /* DETECT_LETTER_ROWS of the scripts before it */
} DetectScript;

/* A block of code points: table has the class of each, as half bytes. */
typedef struct DetectBlock {
  const uint8_t *table;
  uint16_t first;
  uint16_t mask; /* of the index in table */
} DetectBlock;

typedef struct DetectCharset {
  Utf8Charset charset;
  uint8_t script;
  uint8_t prior;       /* bits that speak against it */
  uint8_t is_western;  /* of Western Europe */
  uint8_t is_windows;  /* of Windows, or equal except for controls */
  uint16_t before;     /* how many languages the charsets before it have */
  uint64_t languages;  /* bit n: it can write the language n */
} DetectCharset;

"""


def header():
    costs, codes = Costs(), model.Letters(code_points())
    pages, index = code_pages(codes)
    classes, samples = byte_classes()
    enum = "enum {\n" + "".join("  DETECT_%s,\n" % k for k in model.KINDS) + "  DETECT_KINDS\n};\n"
    enum += "enum {\n" + "".join("  DETECT_ASIAN_%s,\n" % k for k in model.CLASSES) + "  DETECT_CLASSES\n};\n"
    parts = [HEAD, enum, "#define DETECT_UNIT %d\n" % model.UNIT,
             "#define DETECT_SCRIPT_LATIN %d\n" % model.LATIN,
             "#define DETECT_LATIN %d /* the first languages are written in it */\n" % len(model.LANGUAGES[1]),
             "#define DETECT_HALF %d /* half-width kana, and anything else */\n" % (model.HALF_COUNT + 1),
             "#define DETECT_VIETNAMESE %d\n" % list(model.SCRIPT_OF).index("vi"),
             "#define DETECT_ASCII %d\n#define DETECT_CODES 0x%X\n" % (len(samples), model.CODES_MAX), TYPES,
             "/* The class of each byte: 80..FF have their own, then come ASCII letters, space, digit,\n"
             "** stop, joiner, other signs, control. */\n",
             array("uint8_t", "detect_class", classes, width=16),
             "/* The kinds and letters of ASCII classes where letters are foreign, and where they are\n"
             "** Latin's. */\n", *ascii_arrays(samples),
             "/* Code points: script << 12 | 0x800 for capitals | the letter's number, from 1; or the kind. */\n",
             array("uint8_t", "detect_page", index, width=24), matrix("uint16_t", "detect_entry", pages, "0x%X"),
             "/* The costs of each kind after each. */\n",
             matrix("uint8_t", "detect_kind_costs", [costs.kinds[k] for k in model.KINDS]),
             "/* What each kind costs after the one after which it costs least. */\n",
             array("uint8_t", "detect_kind_least", [min(c) for c in zip(*(costs.kinds[k] for k in model.KINDS))]),
             "/* What the half bytes of detect_letter_costs stand for. */\n",
             array("uint8_t", "detect_level", LEVEL_COSTS),
             *language_arrays(costs.languages, codes), script_array(costs.languages, codes),
             "/* Trigrams of the languages of Latin script: what the third symbol costs more than after the second alone,\n"
             "** or less; where the trigrams with each second symbol start; and these, in ascending order: the first\n"
             "** symbol << 10 | the third << 4 | the level. */\n",
             *trigram_arrays([x for x in costs.languages if x["script"] == 1]),
             charset_array(costs.languages),
             "/* Bits that speak against multi-byte charsets, in the order of Utf8AsianEvidence. */\n",
             array("uint8_t", "detect_asian_priors", list(MULTI_BYTE_PRIORS.values())),
             "/* viscii's 80..FF as in windows-1258: code points, and the numbers of the tones after them, or 0. */\n",
             array("uint16_t", "detect_viscii", viscii()[0], "0x%04X"),
             array("uint8_t", "detect_viscii_tones", [entry_of(codes, c) & 0xFF if c else 0 for c in viscii()[1]]),
             "/* Asian languages: costs of each class after each; the class of each character. */\n",
             *asian_arrays(costs.asian, costs.half), "\n/* clang-format on */\n\n#endif\n"]
    return "".join(parts)


if __name__ == "__main__":
    generated.main(__doc__, lambda: {"detect/tables/model.h": header()}, train=train)
