"""texts.py: how tool/detect/measure.py cuts values out of texts, and what damage leaves of them.

A value is a text in a charset; a column is a list of values of one source. A seed and the
name of the source determine the choice, so it is the same in every run.
"""

import functools
import hashlib
import random
import unicodedata
from typing import NamedTuple

from peers import encode

SEED = 3629
COLUMN_MIN, COLUMN_MAX = 8, 60  # cells in a column


class Value(NamedTuple):
    charset: str
    language: str
    source: str
    kind: str  # "file", "cell", or a number of characters
    text: str
    data: bytes


class Column(NamedTuple):
    charset: str
    language: str
    source: str
    kind: str
    cells: list  # of Value


def random_of(*names):
    return random.Random(" ".join(map(str, [SEED, *names])))


def hash_of(name):
    return int.from_bytes(hashlib.md5(name.encode()).digest()[:4], "big")


# ---- text ----------------------------------------------------------------------------------

def letters(text):
    """The number of letters that ASCII does not have."""
    return sum(c > "\x7f" and c.isalpha() for c in text)


ASCII_FOR = {"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "‘": "'", "’": "'", "‚": "'",
             "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "…": "...", "•": "*",
             "\u00a0": " ", "\u202f": " ", "\u200b": "", "\u200e": "", "\u200f": "", "×": "x"}
LETTER_FOR = {"ș": "ş", "ț": "ţ", "Ș": "Ş", "Ț": "Ţ", "ی": "ي", "ک": "ك", "ʼ": "'"}
VIETNAMESE_BASES = set("ĂÂÊÔƠƯăâêôơư")
VIETNAMESE_WHOLE = set("ÀÁÈÉÍÓÙÚàáèéíóùú")


def vietnamese_letter(c):
    """The letter as a base with breve, circumflex or horn, and its tone apart."""
    base, *marks = unicodedata.normalize("NFD", c)
    for mark in marks:
        if unicodedata.normalize("NFC", base + mark) in VIETNAMESE_BASES:
            base = unicodedata.normalize("NFC", base + mark)
            marks.remove(mark)
            break
    return base + "".join(marks)


def vietnamese(text):
    """The text as windows-1258 has it: tones are combining characters.

    á, à, é and others exist with their tone too. Microsoft's keyboard does not type those;
    Unikey and iconv write them. So half of the texts have them.
    """
    keeps = hash_of(text) & 1
    return "".join(c if keeps and c in VIETNAMESE_WHOLE else vietnamese_letter(c)
                   for c in unicodedata.normalize("NFC", text))


@functools.lru_cache(maxsize=None)
def typed(c, charset):
    """The character, or what people typed for it if the charset does not have it."""
    if c < "\x80" or encode(c, charset) is not None:
        return c
    return ASCII_FOR.get(c, LETTER_FOR.get(c, c))


def as_typed(text, charset):
    """The text with what people typed for characters that the charset does not have."""
    if text.isascii():
        return text
    if charset == "windows-1258":
        text = vietnamese(text)
    return "".join(typed(c, charset) for c in text)


# ---- values --------------------------------------------------------------------------------

def value_of(text, charset, language, source, kind):
    """The text as a value, or None if the charset lacks one of its characters."""
    data = encode(text, charset)
    return None if data is None else Value(charset, language, source, str(kind), text, data)


def cells_of(lines, charset, language, source, length_max, letters_min):
    """A cell from each line that has enough letters: its first characters."""
    found = {}
    for line in lines:
        text = line[:length_max].strip()
        if len(text) >= 4 and letters(text) >= letters_min and text not in found:
            found[text] = value_of(text, charset, language, source, "cell")
    return [cell for cell in found.values() if cell]


def column_of(cells):
    """A column of the cells, or None if they are too few."""
    if len(cells) < COLUMN_MIN:
        return None
    return Column(*cells[0][:3], "column", cells[:COLUMN_MAX])


# ---- ill-formed UTF-8 ----------------------------------------------------------------------

def subpart(data):
    """What policy subpart makes of the bytes."""
    return data.decode("utf-8", "replace")


def is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def has_sequence(data):
    """Is some code point beyond ASCII whole?"""
    return any(c > "\x7f" and c != "\ufffd" for c in subpart(data))
