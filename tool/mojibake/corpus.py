"""corpus.py: fetches real text of many languages for tool/mojibake/tables.py.

Debian's packages of translations and manuals, through apt-get, into build/mojibake/. Nothing
of it is committed. lines(language) returns the distinct lines of a language, in an order
that looks random but is the same in every run.
"""

import glob
import hashlib
import os
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from debiantext import ROOT, read_markup, read_mo, read_roff, unpack  # noqa: E402

WORK = os.path.join(ROOT, "build", "mojibake")

MANUALS = "cs da de el es fi fr hu it ja nl pl pt-br ro ru sv tr uk zh".split()
PACKAGES = ["coreutils", "bash", "apt", "gnupg-l10n", "iso-codes", "libgtk-3-common",
            "libglib2.0-data", "gimp-data", "gnome-user-docs", "installation-guide-amd64"]
PACKAGES += ["manpages-" + language for language in MANUALS]

# Quotations, which are only measured: neither counted nor looked at when thresholds were set.
UNSEEN = ["fortunes-" + language for language in "bg br cs de es ga it pl ru zh".split()]

# The languages that are measured, as Debian names them, and those that the costs are
# counted from in addition.
LANGUAGES = ("en fr de es it pt_BR nl sv da fi pl cs hu ro lt tr vi "
             "ru uk bg sr el he ar hi th ja ko zh_CN").split()
FURTHER = ("pt nb sk sl hr lv et ca ga is eo eu gl af be mk ka fa bn ta zh_TW kk hy id "
           "mr pa gu te kn ml ne si km my mn am").split()
ALIASES = {"pt_BR": ["pt_BR"], "en": ["en", "en_GB", "C"], "zh_CN": ["zh_CN", "zh"],
           "el": ["el"]}
LINE_MAX = 400  # characters


def fetch():
    unpack(PACKAGES + UNSEEN, WORK)


# ---- lines -------------------------------------------------------------------------------

def sources(language):
    """Yields (reader, path) for each file of the language."""
    x = os.path.join(WORK, "x", "*", "usr", "share")
    for name in ALIASES.get(language, [language]):
        for path in sorted(glob.glob(f"{x}/locale/{name}/LC_MESSAGES/*.mo")):
            yield read_mo, path
        for path in sorted(glob.glob(f"{x}/man/{name}/man*/*.gz")):
            yield read_roff, path
        for path in sorted(glob.glob(f"{x}/help/{name}/**/*.page", recursive=True)):
            yield read_markup, path
        for path in sorted(glob.glob(f"{x}/doc/installation-guide-amd64/{name}/*.htm*")):
            yield read_markup, path


def unseen():
    """The distinct lines of the quotations that are UTF-8, in order."""
    found = set()
    for path in glob.glob(os.path.join(WORK, "x/*/usr/share/games/fortunes/**/*"), recursive=True):
        if os.path.isfile(path) and not path.endswith((".dat", ".u8")):
            with open(path, "rb") as file:
                found.update(decoded(file.read()))
    return sorted(x for x in found if 2 <= len(x) <= LINE_MAX and "\ufffd" not in x)


def decoded(data):
    try:
        return [line.strip() for line in data.decode("utf-8").split("\n")]
    except UnicodeDecodeError:
        return []


def lines(language):
    """The distinct lines of a language, by their hash."""
    found = {}
    for reader, path in sources(language):
        for block in reader(path):
            for line in block.split(b"\n"):
                try:
                    text = line.strip().decode("utf-8")
                except UnicodeDecodeError:
                    continue
                if 2 <= len(text) <= LINE_MAX and "\ufffd" not in text:
                    found[hashlib.md5(line.strip()).digest()] = text
    return [found[key] for key in sorted(found)]


def is_for_training(line):
    """Half of the lines are counted; the others are measured."""
    return hashlib.md5(line.encode()).digest()[15] & 1
