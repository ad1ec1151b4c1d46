"""frames.py: clean words of 186 languages beside every sign that is written with words.

A word is in lower case, in title case or in capitals. No value is misread, so none may change: not
on its own, and not in a column of its language.
"""

import glob
import os
import random
import re
import sqlite3

import corpus
import unseen

# Each has one or two words, a and b.
FRAMES = """
a–b|a — b|a—b|a– b|a –b|a – b|»a«|«a»|« a »|›a‹|‹a›|„a“|„a”|“a”|”a”|‘a’|‚a‘|a’b|a’|‘a|a·b|a · b|a • b
•a|• a|a½|½ a|a ¼ b|a…b|a…|…a|№ a|№a|a №|a™|a™ b|a®|a® b|©a|© a b|§ a|§a|±a|a±b|¡a!|¿a?|a×b|a ÷ b
a¹|a²|a³ b|€a|a€|£a|a¥|a¢|µa|a¶ b|a† b|¬a
""".replace("\n", "|").strip("|").split("|")

WORD = re.compile(r"[^\W\d_]{2,}")
WORDS_MIN = 1000  # beyond ASCII, of a language
CASES = [str.lower, str.title, str.upper]


# ---- values ------------------------------------------------------------------------------------

def words_of(pattern):
    """The distinct words of files: those with a letter beyond ASCII, and all."""
    lines = (line.decode("utf-8", "ignore") for line in unseen.lines_of(pattern))
    found = dict.fromkeys(word for line in lines for word in WORD.findall(line))
    return [word for word in found if not word.isascii()], list(found)


def patterns():
    """The files of each language."""
    found = {name: f"libreoffice-l10n-{name}/**/*.mo" for name in unseen.OFFICE}
    folder = "mediawiki/usr/share/mediawiki/languages/i18n"
    for path in glob.glob(os.path.join(unseen.WORK, "x", folder, "*.json")):
        name = os.path.basename(path)[:-len(".json")]
        found.setdefault(name, f"{folder}/{name}.json")
    return {name: found[name] for name in sorted(found) if name != "qqq"}


def words_by_language():
    found = {name: words_of(pattern) for name, pattern in patterns().items()}
    return {name: words for name, words in found.items() if len(words[0]) >= WORDS_MIN}


def one_value(draw, words):
    """A word beyond ASCII in a frame, at times with another one, which is at times in another case."""
    frame, case = draw.choice(FRAMES), draw.choice(CASES)
    other = draw.choice(CASES) if draw.randrange(4) == 0 else case
    pair = [case(draw.choice(words[0])), other(draw.choice(words[draw.randrange(2)]))]
    if draw.randrange(2) and "b" in frame:
        pair.reverse()
    return "".join(pair["ab".index(char)] if char in "ab" else char for char in frame)


def columns(count, seed):
    """For each language, its share of `count` values."""
    draw = random.Random(seed)
    languages = words_by_language()
    return {name: [one_value(draw, words) for _ in range(count // len(languages) + 1)]
            for name, words in languages.items()}


# ---- every guess -------------------------------------------------------------------------------

CHANGED = """SELECT value FROM "{0}" WHERE utf8_mojibake(value) IS NOT NULL OR utf8_demojibake(value) <> value
  OR utf8_clean(value, 'repair,mojibake') <> value OR utf8_repair(value, 'auto') <> value"""
SUSPECT = "SELECT CAST(value AS TEXT) FROM utf8_audit('main', 'auto', 1) WHERE repaired <> CAST(value AS TEXT)"


def changed(table):
    """The values of columns, by their names, that a function changes or that utf8_audit suspects."""
    with sqlite3.connect(":memory:") as db:
        db.enable_load_extension(True)
        db.load_extension(os.path.join(corpus.ROOT, os.environ.get("EXTENSION", "utf8ext")))
        for name, values in table.items():
            db.execute(f'CREATE TABLE "{name}"(value TEXT)')
            db.executemany(f'INSERT INTO "{name}" VALUES (?)', [(value,) for value in values])
        found = [value for name in table for value, in db.execute(CHANGED.format(name))]
        return found + [value for value, in db.execute(SUSPECT)]
