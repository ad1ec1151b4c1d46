"""corpus.py: fetches real text of many languages for tool/mojibake/tables.py.

Debian's packages of translations and manuals, through apt-get, into build/mojibake/. Nothing
of it is committed. lines(language) returns the distinct lines of a language, in an order
that looks random but is the same in every run.
"""

import glob
import gzip
import hashlib
import html
import os
import re
import struct
import subprocess

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
WORK = os.path.join(ROOT, "build", "mojibake")

MANUALS = "cs da de el es fi fr hu it ja nl pl pt-br ro ru sv tr uk zh".split()
PACKAGES = ["coreutils", "bash", "apt", "gnupg-l10n", "iso-codes", "libgtk-3-common",
            "libglib2.0-data", "gimp-data", "gnome-user-docs", "installation-guide-amd64"]
PACKAGES += ["manpages-" + language for language in MANUALS]

# Quotations, which are only measured: neither counted nor looked at when thresholds were set.
UNSEEN = ["fortunes-" + language for language in "bg br cs de es ga it pl ru zh".split()]

# The languages that are measured, as Debian names them, and those that the costs are
# counted from besides.
LANGUAGES = ("en fr de es it pt_BR nl sv da fi pl cs hu ro lt tr vi "
             "ru uk bg sr el he ar hi th ja ko zh_CN").split()
FURTHER = ("pt nb sk sl hr lv et ca ga is eo eu gl af be mk ka fa bn ta zh_TW kk hy id "
           "mr pa gu te kn ml ne si km my mn am").split()
ALIASES = {"pt_BR": ["pt_BR"], "en": ["en", "en_GB", "C"], "zh_CN": ["zh_CN", "zh"],
           "el": ["el"]}
LINE_MAX = 400  # characters


def fetch():
    """Downloads and unpacks the packages, once."""
    done = os.path.join(WORK, "unpacked")
    if os.path.exists(done):
        return
    os.makedirs(WORK, exist_ok=True)
    subprocess.run(["apt-get", "download", "-q", *PACKAGES, *UNSEEN], cwd=WORK, check=True)
    for package in glob.glob(os.path.join(WORK, "*.deb")):
        subprocess.run(["dpkg-deb", "-x", package, os.path.join(WORK, "x")], check=True)
    open(done, "w").close()


def versions():
    """The packages' names and versions, as apt named the files."""
    names = (os.path.basename(p) for p in glob.glob(os.path.join(WORK, "*.deb")))
    return sorted("%s %s" % tuple(n.replace("%3a", ":").split("_")[:2]) for n in names)


# ---- readers -----------------------------------------------------------------------------

def read_mo(path):
    """Yields the translations in a .mo file that is UTF-8."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) < 20 or data[:4] != b"\xde\x12\x04\x95":
        return
    count, _, table = struct.unpack_from("<III", data, 8)
    for i in range(count):
        size, at = struct.unpack_from("<II", data, table + 8 * i)
        value = data[at:at + size]
        if i == 0 and b"charset=utf-8" not in value.lower():
            return
        if i > 0:
            yield value.replace(b"\0", b"\n")


def read_roff(path):
    with gzip.open(path, "rb") as file:
        data = file.read()
    data = re.sub(rb"\\f[A-Z]|\\f\([A-Z]+|\\f\[[A-Z]*\]|\\-|\\&", b"", data)
    yield re.sub(rb"(?m)^[.'].*$", b"", data)


def read_markup(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        text = file.read().decode("utf-8", "replace")
    text = re.sub(r"(?s)<(script|style).*?</\1>|<!--.*?-->|<[^>]*>", "", text)
    yield html.unescape(text).encode()


def sources(language):
    """Yields (reader, path) for each file of the language."""
    x = os.path.join(WORK, "x", "usr", "share")
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
    for path in glob.glob(os.path.join(WORK, "x/usr/share/games/fortunes/**/*"), recursive=True):
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
