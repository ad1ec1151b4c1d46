"""model.py: the character classes and costs that mojibake/cost.c decides by.

A text's cost is the number of bits that a simple model of text needs for it: for each
character, the class of the character after the class of the one before, and which character
of its class it is. Misread text is expensive, because its characters come in combinations
that no language has. count() learns the costs from clean text (tool/mojibake/corpus.py).
"""

import math
import unicodedata

# ---- charsets ----------------------------------------------------------------------------

# In order of preference, if several explain a text equally well: name, Python's codec.
CHARSETS = [
    ("windows-1252", "cp1252"), ("iso-8859-1", "latin-1"), ("windows-1251", "cp1251"),
    ("windows-1250", "cp1250"), ("macintosh", "mac_roman"), ("cp437", "cp437"),
    ("cp850", "cp850"), ("ibm866", "cp866"), ("koi8-r", "koi8_r"),
    ("windows-1254", "cp1254"), ("windows-1253", "cp1253"), ("windows-1257", "cp1257"),
    ("iso-8859-2", "iso8859_2"), ("windows-1255", "cp1255"), ("windows-1256", "cp1256"),
    ("windows-1258", "cp1258"), ("cp852", "cp852"), ("koi8-u", "koi8_u"),
    ("iso-8859-15", "iso8859_15"), ("iso-8859-7", "iso8859_7"),
    ("x-mac-cyrillic", "mac_cyrillic"), ("iso-8859-5", "iso8859_5"),
]

# Charsets that text is seldom misread in. A scan does not stop at what only they explain.
RIVALS = [("cp857", "cp857"), ("iso-8859-16", "iso8859_16"), ("cp775", "cp775"),
          ("iso-8859-4", "iso8859_4"), ("iso-8859-13", "iso8859_13"), ("cp737", "cp737"),
          ("mac-latin2", "mac_latin2")]

# How seldom text is misread in a charset, in quarters of a bit (mojibake/readings.c).
RARITIES = [0, 0, 8, 4, 10, 15, 15, 20, 25, 15, 25, 25, 30] + 5 * [40] + [45, 40, 45, 50, 50] + 4 * [64] + [60, 60]

# Bytes at which Python's codec is not what the WHATWG Encoding Standard's index says.
WHATWG = {"macintosh": {}, "koi8-u": {0xAE: 0x45E, 0xBE: 0x40E},
          "windows-1255": {0xCA: 0x5BA}}


def decode_byte(charset, byte):
    """The code point of a byte; an undefined byte below A0 is a C1 control, others None."""
    name, codec = (CHARSETS + RIVALS)[charset]
    if byte in WHATWG.get(name, {}):
        return WHATWG[name][byte]
    try:
        return ord(bytes([byte]).decode(codec))
    except UnicodeDecodeError:
        return byte if byte < 0xA0 else None


def leaves_undefined(charset):
    """Does Python's codec, as most decoders, refuse some bytes?"""
    try:
        bytes(range(256)).decode(CHARSETS[charset][1])
        return False
    except UnicodeDecodeError:
        return True


def charset_characters():
    """All code points above 7F that a byte of some charset stands for, and U+FFFD."""
    return sorted(characters_of(range(len(CHARSETS))) | {0xFFFD})


def rival_characters():
    """Those that only rivals have."""
    return sorted(characters_of(range(len(CHARSETS + RIVALS))) - set(charset_characters()))


def characters_of(charsets):
    return {decode_byte(c, b) for c in charsets for b in range(128, 256)} - {None}


# ---- classes -----------------------------------------------------------------------------

def chars(text):
    return {ord(c) for c in text}


CLASSES = [
    "SPACE", "LOWER", "UPPER", "DIGIT", "STOP", "JOIN", "SIGN", "CONTROL",
    "NBSP", "LATIN_LOWER", "LATIN_UPPER", "LATIN_RARE", "VIETNAMESE",
    "GREEK_LOWER", "GREEK_UPPER", "GREEK_TONOS", "GREEK_RARE",
    "CYRILLIC_LOWER", "CYRILLIC_UPPER", "CYRILLIC_EAST_LOWER", "CYRILLIC_EAST_UPPER",
    "CYRILLIC_SOUTH_LOWER", "CYRILLIC_SOUTH_UPPER", "CYRILLIC_RARE",
    "HEBREW", "HEBREW_MARK", "ARABIC", "ARABIC_RARE", "INDIC", "THAI", "LIVING",
    "HANGUL", "KANA", "HAN", "CJK_SIGN",
    "DASH", "APOSTROPHE", "QUOTE", "LEFT_GUILLEMET", "RIGHT_GUILLEMET", "ELLIPSIS", "CURRENCY", "MARK", "DEGREE", "MATH", "FRACTION",
    "ACCENT", "INVERTED", "HYPHEN", "BOX", "SHADE", "SYMBOL", "EMOJI", "JOINER",
    "COMBINING", "C1", "REPLACEMENT", "LIGATURE", "RARE", "NONE",
]

SETS = [
    ("SPACE", chars(" \t\n\r\f\v")), ("STOP", chars(".,;:!?)]}")), ("JOIN", chars("'-_/")),
    ("NBSP", {0xA0, 0x202F, *range(0x2000, 0x200B)}), ("HYPHEN", {0xAD}),
    ("DASH", chars("–—―‒−‐‑")), ("APOSTROPHE", chars("’")), ("QUOTE", chars("‘‚“”„")),
    ("LEFT_GUILLEMET", chars("«‹")), ("RIGHT_GUILLEMET", chars("»›")), ("ELLIPSIS", chars("…•·")),
    ("CURRENCY", chars("€£¥¢¤₧₪₫₴₽₹₩")), ("MARK", chars("©®™§¶†‡№")), ("DEGREE", chars("°ªº′″")),
    ("MATH", chars("±×÷≈≠≤≥∞∂∆∏∑√∫Ωµ¬∙≡⌠⌡⌐ⁿ∩")), ("FRACTION", chars("¹²³¼½¾‰⁄")),
    ("ACCENT", chars("¨¯´¸ˆ˜ˇ˘˙˛˝¦ƒ΄΅‗◊")),
    ("INVERTED", chars("¡¿")), ("JOINER", {0x200B, 0x200C, 0x200D, 0x200E, 0x200F, 0xFE0F,
                                           0xFEFF}),
    ("LIGATURE", chars("ﬁﬂ")), ("REPLACEMENT", {0xFFFD}),
    ("GREEK_TONOS", chars("ΆΈΉΊΌΎΏΪΫ")),
    ("CYRILLIC_EAST_LOWER", chars("іїєґў")), ("CYRILLIC_EAST_UPPER", chars("ІЇЄҐЎ")),
    ("CYRILLIC_SOUTH_LOWER", chars("ђѓѕјљњћќџ")),
    ("CYRILLIC_SOUTH_UPPER", chars("ЂЃЅЈЉЊЋЌЏ")),
    ("VIETNAMESE", chars("ơƯưƠ")), ("LATIN_RARE", chars("ſŉĸŀĿĔĕĬĭŎŏŬŭſĲĳŦŧ")),
    ("GREEK_RARE", chars("ϐϑϒϓϔϕϖϗ")),
    ("LATIN_LOWER", chars("șț")), ("LATIN_UPPER", chars("ȘȚ")),
]

RANGES = [
    (0x00, 0x1F, "CONTROL"), (0x7F, 0x7F, "CONTROL"), (0x30, 0x39, "DIGIT"),
    (0x41, 0x5A, "UPPER"), (0x61, 0x7A, "LOWER"), (0x20, 0x7E, "SIGN"), (0x80, 0x9F, "C1"),
    (0x180, 0x24F, "LATIN_RARE"), (0x250, 0x2FF, "LATIN_RARE"),
    (0x300, 0x30C, "COMBINING"), (0x323, 0x328, "COMBINING"), (0x335, 0x338, "COMBINING"),
    (0x300, 0x36F, "RARE"), (0x370, 0x385, "GREEK_RARE"), (0x3CF, 0x3FF, "GREEK_RARE"),
    (0x460, 0x52F, "CYRILLIC_RARE"), (0x591, 0x5C7, "HEBREW_MARK"), (0x5D0, 0x5EA, "HEBREW"),
    (0x63B, 0x63F, "RARE"), (0x621, 0x64A, "ARABIC"), (0x60C, 0x61F, "ARABIC"), (0x600, 0x6FF, "ARABIC_RARE"),
    (0x590, 0x5FF, "RARE"), (0x530, 0x58F, "LIVING"), (0x700, 0x8FF, "RARE"),
    (0x900, 0xDFF, "INDIC"), (0xE00, 0xEFF, "THAI"), (0xF00, 0xFFF, "RARE"),
    (0x10A0, 0x10CF, "RARE"), (0x10F1, 0x10FA, "RARE"), (0x10FC, 0x10FF, "RARE"),
    (0x1000, 0x10FF, "LIVING"), (0x1100, 0x11FF, "RARE"), (0x1200, 0x137F, "LIVING"),
    (0x1380, 0x177F, "RARE"), (0x1780, 0x17FF, "LIVING"), (0x1800, 0x1DFF, "RARE"),
    (0x1E00, 0x1E9F, "LATIN_RARE"), (0x1EA0, 0x1EF9, "VIETNAMESE"), (0x1EFA, 0x1FFF, "RARE"),
    (0x2000, 0x206F, "RARE"), (0x2070, 0x209F, "RARE"), (0x20A0, 0x20CF, "RARE"),
    (0x20D0, 0x218F, "RARE"), (0x2190, 0x23FF, "SYMBOL"), (0x2400, 0x24FF, "RARE"),
    (0x2500, 0x257F, "BOX"), (0x2580, 0x259F, "SHADE"), (0x25A0, 0x27BF, "SYMBOL"),
    (0x2800, 0x2800, "SYMBOL"), (0x27C0, 0x2BFF, "RARE"), (0x2C00, 0x2FFF, "RARE"), (0x3000, 0x303F, "CJK_SIGN"),
    (0x3040, 0x30FF, "KANA"), (0x3100, 0x4DFF, "RARE"), (0x4E00, 0x9FFF, "HAN"),
    (0xA000, 0xABFF, "RARE"), (0xAC00, 0xD7A3, "HANGUL"), (0xFB00, 0xFB4F, "RARE"),
    (0xFB50, 0xFDFF, "ARABIC_RARE"), (0xFE00, 0xFEFF, "RARE"), (0xFF61, 0xFF9F, "KANA"), (0xFFA0, 0xFFDC, "HANGUL"),
    (0xFF00, 0xFFEF, "CJK_SIGN"),
    (0x1F1E6, 0x1F1FF, "EMOJI"), (0x1F300, 0x1FAFF, "EMOJI"), (0x20000, 0x2A6DF, "RARE"),
]


def class_name(code):
    for name, members in SETS:
        if code in members:
            return name
    category = unicodedata.category(chr(code))
    if category in ("Cn", "Co", "Cs"):
        return "NONE"
    for first, last, name in RANGES:
        if first <= code <= last:
            return name
    for first, last, script in ((0xC0, 0x17F, "LATIN"), (0x386, 0x3CE, "GREEK"),
                                (0x400, 0x45F, "CYRILLIC")):
        if first <= code <= last and category in ("Ll", "Lu"):
            return script + ("_LOWER" if category == "Ll" else "_UPPER")
    return "RARE"


NUMBER = {name: i for i, name in enumerate(CLASSES)}
_classes = {}


def class_of(code):
    if code not in _classes:
        _classes[code] = NUMBER[class_name(code)]
    return _classes[code]


# Letters of each script, of which a text usually has one.
SCRIPTS = {
    "LATIN": "LOWER UPPER LATIN_LOWER LATIN_UPPER LATIN_RARE VIETNAMESE LIGATURE",
    "GREEK": "GREEK_LOWER GREEK_UPPER GREEK_TONOS GREEK_RARE",
    "CYRILLIC": "CYRILLIC_LOWER CYRILLIC_UPPER CYRILLIC_EAST_LOWER CYRILLIC_EAST_UPPER "
                "CYRILLIC_SOUTH_LOWER CYRILLIC_SOUTH_UPPER CYRILLIC_RARE",
    "HEBREW": "HEBREW", "ARABIC": "ARABIC ARABIC_RARE", "INDIC": "INDIC", "THAI": "THAI",
    "LIVING": "LIVING", "HANGUL": "HANGUL", "HAN": "HAN KANA", "RARE": "RARE",
}
SCRIPT_OF_CLASS = [0] * len(CLASSES)
for _number, _names in enumerate(SCRIPTS.values()):
    for _name in _names.split():
        SCRIPT_OF_CLASS[NUMBER[_name]] = _number + 1


# ---- costs -------------------------------------------------------------------------------

UNIT = 4  # costs are in quarters of a bit

# How many characters of each class are frequent enough to count, as bits: the cost of a
# character that is in none of the charsets.
MEMBER_BITS = {"HAN": 10.5, "HANGUL": 9.5, "KANA": 6, "INDIC": 6, "THAI": 5.5, "LIVING": 7,
               "ARABIC": 4.5, "ARABIC_RARE": 7, "HEBREW": 4.3, "HEBREW_MARK": 5, "CJK_SIGN": 5,
               "LATIN_RARE": 12, "VIETNAMESE": 5.5, "GREEK_RARE": 11, "CYRILLIC_RARE": 11,
               "SYMBOL": 8, "EMOJI": 9, "COMBINING": 5, "RARE": 20, "NONE": 24, "BOX": 5,
               "SHADE": 4, "JOINER": 3, "MATH": 6, "CURRENCY": 4}

# The share of each class where the corpus has none or too few: 1 in 2 to the power of this.
FLOOR_BITS = {"NONE": 22, "C1": 22, "RARE": 17, "REPLACEMENT": 14, "CONTROL": 18,
              "SHADE": 15, "BOX": 13}
FLOOR = 15

# Plausible text that the corpus has too little of, with its weight: prices and science; then
# drawings; then faces, shouting and quoted capitals.
SAMPLES = [("""
costs £5, €30, 30 € or $49. a £20 note (£3m) ¥100 €20 £9 25¢ £5.8bn £35 $5.3m €1.2 million “£7”
5×£35 20°C 15° 3º 1ª Nº 5 ½ cup 2½ 3¼ x² m³ 50‰ ± 3° √π = 1,77 ∆° 4288×… 2012—∞ “×” “+” 5 µg
IL2Rγc TNFα-induced NFκB β-carotene αβγδ Δt λx 3α,5β-diol s̶t̶r̶u̶c̶k̶ $̶4̶9̶ $̶6̶3̶ 1̶0̶ ñ á é ö
“wait…” ‘so…’ “no…” “Yes…”, Zoë…” too…” né…” that’s “it” ‘a’ “we’ve” l’été d’Ö
""", 150), ("""
┌──────┬──────┐
│ name │ café │
├──────┼──────┤
│ имя  │ 価格 │
└──────┴──────┘
╔═════╗ ║ ok ║ ╚═════╝ ╠═══╬═══╣ ╟───╢ ██████░░░░ ▒▒▓▓██ ├── src └── main.c │   ├── lib ▀▄▀▄▀
""", 30), ("""
[x] © 2010 NESTLÉ® QUÉ¿ ¿QUÉ¡ CAFÉ™ VOCÊ… É’S “CAFÉ” „COMANDĂ” «Ä» “É” LOGÄ™ FÖRÅ™ MÅ™ ‘À’ „Ö“ «À» POĂ”
( o¬ô ) `¬´ (`¬´) (¬´ Ō¬o ¯\\_(ツ)_/¯ (╯°□°)╯ ´´quoted´´ lá´´ ¨quoted¨ `quoted´ 10 Å… 5 Å MÄ£ÄM
ôôô Ôôô Oôô ooô éé Éé ├┤a┼┐a l33┼ $ÚÄMÌ PÄÄ\u00a0YLÖS VARĂ\u00a0 É\u00a0TUDO à\u00a0 À\u00a0
ÀÉÎÕÜ ÄÖÜ ÅÄÖ ÆØÅ ÑÇ ŠČŘŽ ŐŰ ĞİŞ ĄĘŁ ΑΒΓΔ АБВГ
""", 8)]


def count(lines_by_language):
    """Returns (pair costs, character costs): bits by class and class, bits by code point."""
    size = len(CLASSES)
    pairs = [[0.0] * size for _ in range(size)]
    switches = [[0.0] * (len(SCRIPTS) + 1) for _ in range(len(SCRIPTS) + 1)]
    members = {}
    for lines, weight in lines_by_language:
        for line in lines:
            for text, share in ((line, weight), (line.upper(), weight / 16)):
                before = last = 0
                for c in text:
                    code = ord(c)
                    now = class_of(code)
                    script = SCRIPT_OF_CLASS[now]
                    if script:
                        if last and not SCRIPT_OF_CLASS[before]:
                            switches[last][script] += share
                        last = script
                    pairs[before][now] += share
                    members[code] = members.get(code, 0) + share
                    before = now
                pairs[before][0] += share
    return pair_costs(pairs), member_costs(members), switch_costs(switches)


def switch_costs(switches):
    """How many bits more or fewer a script takes if the letter before was of that script."""
    total = sum(map(sum, switches)) + 1
    costs = []
    for row in switches:
        line = []
        for b in range(len(row)):
            share = (sum(r[b] for r in switches) + 1) / total
            line.append(-math.log2((row[b] + 100 * share) / (sum(row) + 100) / share))
        costs.append(line)
    return costs


def pair_costs(pairs):
    size = len(CLASSES)
    total = sum(map(sum, pairs))
    share = [max(sum(row[b] for row in pairs) / total,
                 2.0 ** -FLOOR_BITS.get(CLASSES[b], FLOOR)) for b in range(size)]
    known = 400.0  # as if each class had been seen so often before any class
    costs = [[-math.log2((row[b] + known * share[b]) / (sum(row) + known))
              for b in range(size)] for row in pairs]
    return costs


def member_costs(members):
    totals = {}
    for code, n in members.items():
        totals[class_of(code)] = totals.get(class_of(code), 0) + n
    costs = {}
    for code in charset_characters() + list(range(128)):
        name = CLASSES[class_of(code)]
        most = MEMBER_BITS.get(name, 9) + 3
        n = members.get(code, 0) + 0.5
        cost = -math.log2(n / (totals.get(class_of(code), 0) + 20))
        costs[code] = min(max(cost, 0), most)
    return costs
