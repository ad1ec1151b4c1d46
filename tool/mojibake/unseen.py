"""unseen.py: text that neither the costs nor a number of mojibake/ was made with.

Translations in Debian's packages, through apt-get, and names of PyPI's Faker, into
build/mojibake-unseen/. Nothing of it is committed.
"""

import glob
import json
import os
import re

import corpus
import debiantext
import generated

WORK = os.path.join(corpus.ROOT, "build", "mojibake-unseen")
OFFICE = ("af am ar as ast be bg bn br bs ca cs cy da de dz el eo es et eu fa fi fr ga gd gl gu "
          "gug he hi hr hu id is it ja ka kk km kmr kn ko lt lv mk ml mn mr nb ne nl nn oc or "
          "pa-in pl pt pt-br ro ru si sk sl sr sv szl ta te tg th tr ug uk uz vi zh-cn zh-tw").split()
PACKAGES = ["libreoffice-l10n-" + name for name in OFFICE]
PACKAGES += ["mediawiki", "wordpress-l10n", "unicode-cldr-core", "libgweather-4-common",
             "krita-l10n", "blender-data", "phpmyadmin", "kdenlive-data", "kodi-data"]
FAKER = "faker==40.54.0"


# ---- clean text ------------------------------------------------------------------------------

def read_json(path):
    """Yields the texts in a JSON file."""
    def leaves(value):
        if isinstance(value, str):
            yield value.encode("utf-8", "replace")
        elif isinstance(value, (dict, list)):
            for item in value.values() if isinstance(value, dict) else value:
                yield from leaves(item)

    try:
        with open(path, encoding="utf-8") as file:
            yield from leaves(json.load(file))
    except ValueError:
        return


def read_po(path):
    """Yields the translations of one line in a .po file."""
    with open(path, "rb") as file:
        yield from re.findall(rb'(?m)^msgstr(?:\[\d\])? "(.+)"$', file.read())


READERS = {".mo": debiantext.read_mo, ".json": read_json, ".po": read_po,
           ".xml": debiantext.read_markup}


def lines_of(pattern):
    """The distinct lines beyond ASCII of files, as bytes."""
    found = {}
    for path in sorted(glob.glob(os.path.join(WORK, "x", pattern), recursive=True)):
        reader = READERS.get(os.path.splitext(path)[1])
        for block in reader(path) if reader and os.path.isfile(path) else ():
            for line in block.split(b"\n"):
                if not line.isascii():
                    found[line] = True
    return found


def clean_lines():
    """All distinct lines of the packages, in a file; returns its path."""
    path = os.path.join(WORK, "clean.txt")
    if not os.path.exists(path):
        debiantext.unpack(PACKAGES, WORK)
        with open(path + ".new", "wb") as file:
            file.write(b"\n".join(lines_of("*/**/*.*")))
        os.rename(path + ".new", path)
    return path


def lines_by_language():
    """Some lines of each language: pairs of its name and a list."""
    for name in OFFICE:
        lines = list(lines_of(f"libreoffice-l10n-{name}/**/*.mo"))
        yield name, [line.decode() for line in lines[::max(1, len(lines) // 100)]]


# ---- names -----------------------------------------------------------------------------------

LOCALES = {"ru": "ru_RU", "uk": "uk_UA", "ja": "ja_JP", "zh": "zh_CN", "ko": "ko_KR",
           "th": "th_TH", "el": "el_GR", "ar": "ar_AA", "fr": "fr_FR", "zh_TW": "zh_TW"}


def names():
    """For each language, names of people, places and companies that are not ASCII."""
    generated.install(os.path.join(WORK, "faker"), FAKER)
    from faker import Faker
    for language, locale in LOCALES.items():
        faker = Faker(locale)
        faker.seed_instance(7)
        kinds = [faker.name, faker.first_name, faker.last_name, faker.city, faker.street_address,
                 faker.company, faker.job]
        found = {kinds[i % len(kinds)]().replace("\n", " ") for i in range(6000)}
        yield language, sorted(name for name in found if not name.isascii())
