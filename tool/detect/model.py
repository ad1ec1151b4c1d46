"""model.py: the model of text by which detect/model.c compares charsets.

A text's cost is the number of bits that a simple model of its language needs for it. Each
character has a kind (space, small letter, digit, quotation mark, ...); each letter has a number
in its script, without case. A character costs what its kind costs after the kind before it.
A letter also costs what it costs after the letter before it in that language, and so does
the end of a word. count() learns these costs from clean text (tool/detect/corpus.py).
"""

import itertools
import unicodedata

try:
    import numpy
except ImportError:  # only training needs it
    numpy = None

UNIT = 8  # costs are in eighths of a bit

# ---- code points -------------------------------------------------------------------------

KINDS = ["SPACE", "DIGIT", "STOP", "JOIN", "SIGN", "NBSP", "OPEN", "CLOSE", "DASH",
         "CURRENCY", "MARK", "INVERTED", "SYMBOL", "BOX", "CONTROL",
         "LOWER", "UPPER", "ASCII_LOWER", "ASCII_UPPER", "FOREIGN"]
KIND = {name: i for i, name in enumerate(KINDS)}
LETTERS = (KIND["LOWER"], KIND["UPPER"])  # of the language's own script

# Hebrew writes U+05F3 and U+05F4 for an apostrophe and for the sign of an abbreviation: inside of words.
SETS = [
    ("SPACE", " \t\n\r\f\v\x1b"), ("DIGIT", "0123456789"), ("STOP", ".,;:!?)]}"),
    ("JOIN", "'-_/\u05f3\u05f4"), ("NBSP", "\xa0"), ("OPEN", "“„‘«‹"), ("CLOSE", "”’»›"),
    ("DASH", "–—…•·\u2015"), ("CURRENCY", "€£¥¢₪₫฿"), ("MARK", "§©®™°ªº№"), ("INVERTED", "¿¡"),
    ("NBSP", "\u200c\u200d\u200e\u200f"), ("BOX", "₧"),  # which cp437 has where cp850 has ×
]
KIND_OF = {ord(c): name for name, members in SETS for c in members}

SCRIPTS = ["NONE", "LATIN", "GREEK", "CYRILLIC", "HEBREW", "ARABIC", "THAI"]
LATIN, CYRILLIC = SCRIPTS.index("LATIN"), SCRIPTS.index("CYRILLIC")
RANGES = [(1, 0x41, 0x24F), (1, 0x300, 0x323), (1, 0x1E00, 0x1EF9), (2, 0x386, 0x3CE),
          (3, 0x400, 0x491), (4, 0x5B0, 0x5F4), (5, 0x610, 0x6D5), (6, 0xE01, 0xE5B)]
# Letters that are read as others: Romanian's comma is a cedilla in most charsets.
SAME = {"ș": "ş", "ț": "ţ", "ς": "ς"}

CODES_MAX = 0x2700  # all code points of single-byte charsets that are letters or signs


def script_of(code):
    for script, first, last in RANGES:
        if first <= code <= last and unicodedata.category(chr(code))[0] in "LM":
            return 0 if chr(code) in "ªºµˆˇ" else script
    return 0


def is_written(text, script):
    """Has the text letters of the script, and of no other?"""
    return {script_of(ord(c)) for c in text if c.isalpha()} == {script}


def folded(code):
    """A letter without case. Turkish İ has no partner of one character: it is its own."""
    lower = chr(code).lower()
    return SAME.get(lower, lower) if len(lower) == 1 else chr(code)


def nonletter(code):
    if code in KIND_OF:
        return KIND_OF[code]
    if 0x20 < code < 0x7F:
        return "SIGN"
    if code < 0xA0 or 0xE000 <= code <= 0xF8FF:
        return "CONTROL"
    if code in range(0x2190, 0x2600) or code in range(0x2219, 0x2270):
        return "BOX"
    return "SYMBOL"


class Letters:
    """The letters of each script, as numbers, that the single-byte charsets have."""

    def __init__(self, codes):
        self.number = [{}, {chr(c): c - 97 for c in range(97, 123)}, {}, {}, {}, {}, {}]
        for code in sorted(codes):
            script = script_of(code)
            if script:
                numbers = self.number[script]
                numbers.setdefault(folded(code), len(numbers))

    def names(self, script):
        """The letters of the script by number."""
        return {i: c for c, i in self.number[script].items()}

    def entry(self, code):
        """What the table of code points stores: script, case, number; or the kind."""
        script = script_of(code)
        number = self.number[script].get(folded(code)) if script else None
        if number is None:
            return KIND[nonletter(code)] if not script else KIND["SYMBOL"]
        is_upper = chr(code).lower() != chr(code) and not chr(code).islower()
        return script << 12 | is_upper << 11 | number


# ---- languages ---------------------------------------------------------------------------

LANGUAGES = {1: "en fr de es it pt nl sv da fi no is ga cy ca pl cs sk hu hr sl ro sq et lv lt tr vi eo mt".split(),
             2: ["el"], 3: "ru uk bg sr mk be".split(), 4: ["he"], 5: ["ar", "fa"], 6: ["th"]}
SCRIPT_OF = {language: script for script, names in LANGUAGES.items() for language in names}

# Letters that Debian's translators often leave out.
EXTRA = {"cy": """tŷ dŵr gŵr ynglŷn â sŵn cŵn siŵr pŵer gŵyl llŷn hŷn ŵyr ŵyn llŵyn gwŷr gwŷdd brwydr
y dŵr yn y tŷ; mae'r gŵr yn siŵr o'r pŵer ynglŷn â'r ŵyl; dŵr, tŷ, sŵn; Llŷn a'r Tŵr; rŵan, gŵyr,
mŵg, rhŷg, bŵts, cŵl, stŵr, sŵp, lŵp, clŷ, crŷ, fŷr, gŵydd, hŷd, nŵydd""".split("\n") * 12}

MARKS = "\u0300\u0301\u0303\u0309\u0323"


def decomposed(text):
    """Vietnamese as windows-1258 has it: tones apart from letters."""
    out = []
    for c in unicodedata.normalize("NFC", text):
        parts = unicodedata.normalize("NFD", c)
        tone = [p for p in parts if p in MARKS]
        if tone and len(parts) > 1:
            base = unicodedata.normalize("NFC", "".join(p for p in parts if p not in MARKS))
            out.append(base + tone[0])
        else:
            out.append(c)
    return "".join(out)


def as_written(language, text, number):
    """The text with the characters that legacy charsets have for it."""
    if language == "vi":
        text = decomposed(text)
        if number % 2:
            for c in "àáèéíóùúÀÁÈÉÍÓÙÚ":
                text = text.replace(unicodedata.normalize("NFD", c), c)
    if language == "fa":
        text = text.replace("ی", "ي")
        if number % 2:
            text = text.replace("ک", "ك")
    return text


def repeated(words):
    """The words, of which the commonest is first, as often as text has them by Zipf's law: the last one once."""
    return [word for rank, word in enumerate(words, 1) for _ in range(round(len(words) / rank))]


SYMBOLS_MAX = 74
CHARS_MAX = 3000000


class Language:
    """A language's letters and their costs. Symbols: 0 no letter, 1 another letter of the
    script, 2.. the letters, the most frequent first."""

    def __init__(self, name, lines, letters, lists, frequent):
        self.name, self.script = name, SCRIPT_OF[name]
        self.letters, used, self.lines = letters, 0, []
        for number, line in enumerate(EXTRA.get(name, []) + lines):
            self.lines.append(as_written(name, line, number))
            used += len(line)
            if used > CHARS_MAX:
                break
        self.codes, self.entries = self.read("\n".join(self.lines))
        self.choose_symbols()
        self.count(lists, frequent)

    def read(self, text):
        """The code points of a text, and their entries."""
        codes = numpy.frombuffer(text.encode("utf-32-le"), numpy.uint32)
        codes = numpy.minimum(codes, CODES_MAX - 1)
        return codes, self.letters.table[codes]

    def listed(self, words):
        """The entries of the words, each as legacy charsets have it, without those of which a letter is not chosen."""
        names = self.letters.names(self.script)
        own = {names[i] for i in self.chosen}
        written = (as_written(self.name, word, i) for i, word in enumerate(words))
        fitting = (x for x in written if {folded(ord(c)) for c in x if c.isalpha()} <= own)
        return self.read(" ".join(["", *fitting, ""]))[1]

    def choose_symbols(self):
        own = self.entries[self.entries >> 12 == self.script] & 0x7FF
        n = numpy.bincount(own, minlength=256)
        chosen = [i for i in numpy.argsort(-n, kind="stable") if n[i] > max(8, len(own) * 2e-5)]
        if self.script == LATIN:
            chosen = list(range(26)) + [i for i in chosen if i >= 26]
        self.chosen = chosen[:SYMBOLS_MAX - 2]
        self.symbol = numpy.zeros(256, numpy.int64) + 1
        for s, i in enumerate(self.chosen):
            self.symbol[i] = s + 2
        self.share = n / max(1, n.sum())

    def symbols(self, entries):
        return numpy.where(entries >> 12 == self.script, self.symbol[entries & 0xFF], 0)

    def trigrams(self, entries):
        """How often each symbol follows each two."""
        symbols, size = self.symbols(entries), len(self.chosen) + 2
        n = numpy.bincount((symbols[:-2] * size + symbols[1:-1]) * size + symbols[2:], minlength=size ** 3)
        return n.astype(float).reshape(size, size, size)

    def pairs(self, entries):
        """How often each symbol follows each. Pairs without a letter do not count."""
        symbols = self.symbols(entries)
        size = len(self.chosen) + 2
        n = numpy.bincount(symbols[:-1] * size + symbols[1:], minlength=size * size).astype(float)
        n[0] = 0
        return n.reshape(size, size)

    def count(self, lists, frequent):
        own = self.entries >> 12 == self.script
        read = [self.entries, *(self.listed(words) for words in lists)]
        pairs = [self.pairs(entries) for entries in [*read, self.listed(repeated(frequent))]]
        self.bits = letter_bits(with_lists(LIST_SHARES, *pairs))
        if self.script == LATIN:
            trigrams = [self.trigrams(entries) for entries in [*read, self.listed(frequent)]]
            self.more = trigram_bits(with_lists(TRIGRAM_LIST_SHARES, *trigrams), self.bits)
        kinds = numpy.where(own, numpy.where(self.entries & 0x800, KIND["UPPER"], KIND["LOWER"]),
                            self.foreign_kinds())
        both = numpy.bincount(kinds[:-1] * len(KINDS) + kinds[1:], minlength=len(KINDS) ** 2)
        self.kinds = both.reshape(len(KINDS), len(KINDS)).astype(float)

    def foreign_kinds(self):
        """The kinds of characters that are not letters of the script."""
        e = self.entries
        ascii_kind = numpy.where(e & 0x800, KIND["ASCII_UPPER"], KIND["ASCII_LOWER"])
        is_letter, is_ascii = e >> 12 > 0, self.codes < 128
        return numpy.where(is_letter, numpy.where(is_ascii, ascii_kind, KIND["FOREIGN"]), e & 0xFF)


# The texts of programs have few names. So half of the pairs is counted in lists: words of dictionaries, their names,
# names of places, and frequent words, as often as text has them. A list with fewer than LIST_PAIRS pairs counts less.
LIST_SHARES = [0.1, 0.1, 0.1, 0.2]
LIST_PAIRS = 40000


def with_lists(of_each, text, *lists):
    """The pairs or trigrams of a text, mixed with those of lists, of which each has a share."""
    shares = [share * min(1, x.sum() / LIST_PAIRS) for share, x in zip(of_each, lists)]
    mixed = (1 - sum(shares)) * text
    for share, counted in zip(shares, lists):
        if share > 0:
            mixed += share * counted * (text.sum() / counted.sum())
    return mixed


FOREIGN_BITS = 5.0  # which of the letters that the language does not have


def letter_bits(pairs):
    """Bits of each symbol after each: letters among letters and the end of a word; at the
    start of a word, among letters."""
    frequency = pairs.sum(axis=0) / pairs.sum()
    frequency[0] = max(frequency[0], 0.05)
    frequency = 0.98 * frequency + 0.02 / len(frequency)
    start = frequency.copy()
    start[0] = 0
    start /= start.sum()
    bits = numpy.zeros(pairs.shape)
    for first, row in enumerate(pairs):
        prior = frequency if first else start
        p = (row + 6 * prior) / (row.sum() + 6)
        with numpy.errstate(divide="ignore"):
            bits[first] = -numpy.log2(p)
    bits[:, 1] += FOREIGN_BITS
    bits[0, 0] = 0
    return bits


# Trigrams are of letters beyond ASCII, where names count: more of them than of pairs come from lists, and each frequent
# word counts once.
TRIGRAM_LIST_SHARES = [0.15, 0.25, 0.2, 0.2]
TRIGRAM_PRIOR = 10  # trigrams that the costs of pairs weigh as much as
TRIGRAMS = 3000     # of each language
# What is stored, from TRIGRAM_LEAST on. Little speaks against a trigram, since names have some that texts lack.
TRIGRAM_BITS = [-5, -4, -3, -2.25, -1.5, -1, 1, 1.5, 2]
TRIGRAM_LEAST = 0.75
ASCII_SYMBOLS = 28  # no letter, another letter, a to z


def trigram_bits(trigrams, bits):
    """Bits of each symbol after each two more than after the second, where these tell the most, rounded to
    TRIGRAM_BITS; else 0."""
    pairs = numpy.exp2(-bits)
    pairs[:, 1] *= 2 ** FOREIGN_BITS
    pairs /= pairs.sum(axis=1, keepdims=True)
    after = trigrams.sum(axis=2, keepdims=True)
    more = numpy.log2(pairs * (after + TRIGRAM_PRIOR) / (trigrams + TRIGRAM_PRIOR * pairs))
    steps = numpy.array(TRIGRAM_BITS)
    rounded = steps[numpy.abs(more[..., None] - steps).argmin(axis=-1)]
    told = numpy.maximum(trigrams, after * pairs) * numpy.abs(more)
    told[numpy.abs(more) < TRIGRAM_LEAST] = told[:, 0, :] = told[:, :, 1] = 0
    told[:ASCII_SYMBOLS, :ASCII_SYMBOLS, :ASCII_SYMBOLS] = told[0, :, 0] = 0
    rounded[told <= numpy.sort(told, axis=None)[-TRIGRAMS - 1]] = 0
    return rounded


# Which character of its kind it is, in bits; and, where the text has none, how rare it is.
MEMBER_BITS = {"OPEN": 1.5, "CLOSE": 1.5, "DASH": 1.5, "CURRENCY": 1.5, "MARK": 2.5,
               "INVERTED": 1, "SYMBOL": 5, "BOX": 5.5, "CONTROL": 7, "FOREIGN": 6,
               "ASCII_LOWER": 4, "ASCII_UPPER": 4}
RARE = {"BOX": 15, "CONTROL": 20, "FOREIGN": 15, "SYMBOL": 11, "INVERTED": 11, "MARK": 11, "CURRENCY": 11,
        "OPEN": 10, "CLOSE": 10, "DASH": 10, "NBSP": 10}


# Typography and prices, of which software's texts have too little.
SAMPLE = """
“Hello,” she said, “it’s five o’clock.” The “smart” ones – those who can’t wait – paid €20 or £15.
He’s 42 years old… “Why?” It’s 20°C today; the price is €1,99 (about £1.75) – or 5 € each.
„Guten Tag“, sagte er – und ging. Das kostet 30 € bis 45 €. »Ja«, rief sie, »morgen um 8 Uhr!«
« Bonjour », dit-il ; l’été, c’est l’heure où l’on sort… Prix : 12,50 € – 15 € l’unité.
¿Qué pasa? ¡Hola! «Buenos días», dijo; la calle n.º 5, 3.ª planta – 100 € al mes…
„Dzień dobry” – powiedział. „Ano“, řekl – a šel. «Здравствуйте», — сказал он. Цена 100 € – 5 %…
– Yes. – No. • One • Two • Three © 2004 Smith & Co. ® ™ § 12 Abs. 3, 25 % ± 2 % 5 × 4 = 20 m² ½ l
O’Brien’s “best” café, naïve – but we don’t, they’ll, I’m, you’re; 1990–1999; pp. 10–12; London–Paris
"""
SAMPLE_SHARE = 0.02


def sample_kinds():
    """The pairs of kinds in SAMPLE, for which all letters are the language's own."""
    def kind(c):
        if c.isalpha() and c not in "ªº":
            return KIND["UPPER"] if c.isupper() else KIND["LOWER"]
        return KIND[nonletter(ord(c))]
    kinds = numpy.array([kind(c) for c in SAMPLE.replace("\n", " ")])
    both = numpy.bincount(kinds[:-1] * len(KINDS) + kinds[1:], minlength=len(KINDS) ** 2)
    return both.reshape(len(KINDS), len(KINDS)).astype(float)


def kind_bits(languages):
    """Bits of each kind after each, from all languages with the same weight. After a letter,
    all other letters count as one, and so do all characters that are not letters."""
    total = sum(x.kinds / x.kinds.sum() for x in languages) / len(languages)
    sample = sample_kinds()
    total = (1 - SAMPLE_SHARE) * total + SAMPLE_SHARE * sample / sample.sum()
    size = len(KINDS)
    floor = numpy.array([2.0 ** -RARE.get(name, 9) for name in KINDS])
    bits = numpy.zeros((size, size))
    is_letter = numpy.array([k in LETTERS for k in range(size)])
    for first in range(size):
        row = total[first] + floor * max(total[first].sum(), 2.0 ** -12) * 0.5
        wholes = [is_letter, ~is_letter] if first in LETTERS else [is_letter | True]
        for whole in wholes:
            bits[first, whole] = -numpy.log2(row[whole] / row[whole].sum())
    return bits + numpy.array([MEMBER_BITS.get(name, 0) for name in KINDS])


# ---- Chinese, Japanese, Korean -------------------------------------------------------------

ASIAN = ["zh_CN", "zh_TW", "ja", "ko"]
GROUPS = [64, 128, 256, 512, 1024, 2048, 4096]  # the most frequent characters of the language's own script, and so on
REST = len(GROUPS)                              # the group of all others
HAN, HANGUL = range(0x4E00, 0xA000), range(0xAC00, 0xD7A4)
CLASSES = ["LETTER", "SIGN", "HIRAGANA", "KATAKANA", "HALF", "PUNCTUATION", "OTHER", "RARE",
           *("GROUP%d" % number for number in range(REST)), "REST"]
CLASS = {name: i for i, name in enumerate(CLASSES)}
CLASS_BITS = {"HIRAGANA": 5.2, "KATAKANA": 5.6, "HALF": 5.5, "PUNCTUATION": 3.5, "OTHER": 8, "RARE": 13}


def own_script(language):
    return HANGUL if language == "ko" else HAN


def asian_class(code, groups):
    """The class of a code point; groups has the numbers of those in the language's own script."""
    if code < 0x80:
        return CLASS["LETTER"] if chr(code).isalnum() else CLASS["SIGN"]
    if code in groups:
        return CLASS["GROUP0"] + groups[code]
    if 0x3041 <= code <= 0x3096 or code == 0x30FC:
        return CLASS["HIRAGANA"]
    if 0x30A1 <= code <= 0x30FA:
        return CLASS["KATAKANA"]
    if 0xFF61 <= code <= 0xFF9F or 0x3131 <= code <= 0x318E:
        return CLASS["HALF"]  # half-width kana; single jamo
    if 0x3000 <= code <= 0x3011 or 0xFF01 <= code <= 0xFF0F or 0x2010 <= code <= 0x2026 or code == 0xB7:
        return CLASS["PUNCTUATION"]
    return CLASS["OTHER"] if code < 0x3400 or 0xFF10 <= code <= 0xFF5E else CLASS["RARE"]


def grouped(language, counts):
    """The number of the group of each character in the language's own script."""
    groups = dict.fromkeys(own_script(language), REST)
    order = sorted((c for c in groups if counts[c]), key=lambda c: -counts[c])
    for number, size in enumerate(GROUPS):
        groups.update(dict.fromkeys(order[:size], number))
        order = order[size:]
    return groups


# Of each language, the charset of two bytes with the most characters.
CHARSETS = {"zh_CN": "gbk", "zh_TW": "big5", "ja": "euc_jp", "ko": "cp949"}


def group_sizes(language, groups):
    """How many characters of the language's charset are in each group, at least 2: in Korean two groups are empty."""
    texts = {bytes(pair).decode(CHARSETS[language], "ignore") for pair in itertools.product(range(0x81, 0xFF), range(256))}
    members = [groups[ord(text)] for text in texts if len(text) == 1 and ord(text) in groups]
    return [max(members.count(number), 2) for number in range(REST + 1)]


# The shares of frequent words, each counted once, and of words as they are seldom written.
ASIAN_LIST_SHARES = [0.5, 0.05]


class Asian:
    """A language's characters, in groups, and the bits of each class after each. Both are counted in texts of programs and,
    since these have few names, in words."""

    def __init__(self, name, lines, *lists):
        self.name = name
        read = [numpy.minimum(numpy.frombuffer(text.encode("utf-32-le"), numpy.uint32), 0xFFFF)
                for text in ["\n".join(lines)[:CHARS_MAX], *map("\n".join, lists)]]
        counts = (numpy.bincount(codes, minlength=0x10000) for codes in read)
        self.groups = grouped(name, with_lists(ASIAN_LIST_SHARES, *counts))
        classes = numpy.array([asian_class(c, self.groups) for c in range(0x10000)])
        pairs = (class_pairs(classes[codes]) for codes in read)
        self.bits = class_bits(with_lists(ASIAN_LIST_SHARES, *pairs), group_sizes(name, self.groups))


def class_pairs(classes):
    """How often each class follows each."""
    size = len(CLASSES)
    return numpy.bincount(classes[:-1] * size + classes[1:], minlength=size * size).astype(float).reshape(size, size)


# Half-width kana from U+FF61 on, by what they stand for; marks of voiced sounds follow their letters.
HALF_FIRST, HALF_COUNT = 0xFF61, 63
HALF_WIDTH = {unicodedata.normalize("NFKC", chr(c)): c for c in range(HALF_FIRST, HALF_FIRST + HALF_COUNT)}


def half_width(word):
    """The numbers of the word's half-width kana, from 1; None if it has other letters."""
    codes = [HALF_WIDTH.get(c) for c in unicodedata.normalize("NFD", word)]
    return None if None in codes else [code - HALF_FIRST + 1 for code in codes]


def half_bits(words):
    """The bits of each half-width kana after each, and first after none."""
    size = HALF_COUNT + 1
    pairs = numpy.zeros((size, size))
    for numbers in filter(None, map(half_width, words)):
        for pair in zip([0, *numbers], numbers):
            pairs[pair] += 1
    prior = (pairs.sum(axis=0) + 1) / (pairs.sum() + size)
    p = (pairs + 16 * prior) / (pairs.sum(axis=1, keepdims=True) + 16)
    return -numpy.log2(0.98 * p + 0.02 / HALF_COUNT)


def class_bits(pairs, sizes):
    prior = pairs.sum(axis=0) / pairs.sum() * 0.999 + 0.001 / len(CLASSES)
    p = (pairs + 20 * prior) / (pairs.sum(axis=1, keepdims=True) + 20)
    bits = -numpy.log2(p)
    for i, name in enumerate(CLASSES):
        bits[:, i] += CLASS_BITS.get(name, 0)
    bits[:, CLASS["GROUP0"]:] += numpy.log2(sizes)
    bits[CLASS["LETTER"]:CLASS["SIGN"] + 1, CLASS["LETTER"]:CLASS["SIGN"] + 1] = 0
    return bits
