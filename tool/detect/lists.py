#!/usr/bin/env python3
"""lists.py: how often policy auto is right in columns and lists that no table was made with.

    make && python3 tool/detect/lists.py                 # a sample of all cases, in a minute
    python3 tool/detect/lists.py --full columns one      # all of two cases
    python3 tool/detect/lists.py --examples              # also at most five wrong cells of each group
    python3 tool/detect/lists.py --compare old.tsv       # what changed since build/detection/lists.tsv was old.tsv

Text: listtexts.py. Each table is audited alone, so no other table is its neighbour. Of the cells
that are ill-formed UTF-8, the repaired text is

right    what it was before the accident
left     the same letters with U+FFFD, or NULL
wrong    text with a letter that was not there, without a mark

Misread cells are counted in the same way in groups of their own, where unchanged ones are left. Cells
that are well-formed by accident are counted apart, and so are clean cells that would be changed.
"""

import argparse
import collections
import functools
import itertools
import os
import re
import sys
import time

import listtexts
import peers
import texts
from texts import is_utf8, subpart

RESULT = os.path.join(peers.WORK, "lists.tsv")
EXAMPLES = 5          # of each group, charset and language
CHANGES = 60          # rows of a comparison
ASCII_SHARE = 0.3     # of the cells of a column

WEST = "fr de es it pt nl sv da no fi is ca ga gl eu af"
CENTRAL = "pl cs sk hu hr sl ro sq bs"
CYRILLIC = "ru uk be bg mk sr"
BALTIC = "et lv lt"

# The commonest charsets with their languages.
CHARSETS = {
    "windows-1250": CENTRAL, "windows-1251": CYRILLIC, "windows-1252": WEST + " et", "windows-1253": "el",
    "windows-1254": "tr", "windows-1255": "he", "windows-1256": "ar fa", "windows-1257": BALTIC,
    "windows-1258": "vi", "iso-8859-1": WEST, "iso-8859-2": CENTRAL, "iso-8859-5": CYRILLIC, "iso-8859-7": "el",
    "iso-8859-9": "tr", "iso-8859-13": BALTIC, "iso-8859-15": WEST + " et", "koi8-r": "ru bg", "koi8-u": "uk ru be",
    "ibm866": "ru bg be", "cp437": "fr de es it nl sv fi", "cp850": WEST, "cp852": CENTRAL,
    "macintosh": "fr de es it pt nl sv da no fi ca gl", "x-mac-cyrillic": CYRILLIC, "gbk": "zh_CN", "big5": "zh_TW",
    "shift_jis": "ja", "euc-jp": "ja", "euc-kr": "ko", "windows-874": "th",
}
# The other charsets of the case `tables`: 42 in all.
FURTHER = {
    "iso-8859-3": "eo mt", "iso-8859-4": BALTIC, "iso-8859-6": "ar", "iso-8859-8": "he", "iso-8859-10": "is et lt",
    "iso-8859-14": "ga cy", "iso-8859-16": "ro", "mac-latin2": "pl cs sk hu", "cp855": "ru bg sr mk",
    "cp857": "tr", "cp737": "el", "cp862": "he",
}
# Languages of the case `mixed`: the charset that a program of their country wrote.
NATIVE = {language: charset for charset in ("windows-1250", "windows-1251", "windows-1252", "windows-1253",
                                            "windows-1254", "windows-1257") for language in CHARSETS[charset].split()}
NATIVE["et"] = "windows-1257"

MULTI_BYTE = ("gbk", "big5", "shift_jis", "euc-jp", "euc-kr", "windows-1258")  # or composes its letters
LIMITED = MULTI_BYTE[:-1]  # the charsets of the case `limits`
MISREAD = "misread"
PYTHON_NAMES = {"shift_jis": "cp932", "euc-kr": "cp949", "x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman",
                "ibm866": "cp866", "windows-874": "cp874", "mac-latin2": "mac_latin2"}

# charset is "utf-8" for clean and damaged cells, and MISREAD for misread ones; part names a group in the table's.
Cell = collections.namedtuple("Cell", "data truth charset language part", defaults=[""])
Table = collections.namedtuple("Table", "group columns")  # columns: lists of cells of equal length


def clean(text, language=""):
    return Cell(text.encode(), text, "utf-8", language)


@functools.lru_cache(maxsize=None)
def disputed(charset):
    """The bytes that the extension and Python decode to different characters; None if bytes form sequences."""
    if charset in MULTI_BYTE:
        return None
    return bytes(b for b in range(128, 256)
                 if peers.read(bytes([b]), charset) != bytes([b]).decode(PYTHON_NAMES.get(charset, charset), "ignore"))


def is_agreed(data, text, charset):
    """Do the extension and Python agree on what the bytes are in the charset?"""
    bytes_ = disputed(charset)
    return peers.read(data, charset) == text if bytes_ is None else data.translate(None, bytes_) == data


def legacy(text, charset, language):
    """The text as people typed it in the charset, as a cell; None if the charset lacks a character."""
    typed = texts.as_typed(text, charset)
    if charset == "koi8-u":  # Python's lacks the letter of Belarusian
        data = peers.encode(typed, charset)
        return None if data is None else Cell(data, typed, charset, language)
    try:
        data = typed.encode(PYTHON_NAMES.get(charset, charset))
    except UnicodeEncodeError:
        return None
    return Cell(data, typed, charset, language) if is_agreed(data, typed, charset) else None


def misread(text, language):
    """The text in UTF-8, misread as windows-1252."""
    return Cell(peers.read(text.encode(), "windows-1252").encode(), text, MISREAD, language, ", misread")


@functools.lru_cache(maxsize=None)
def pool(language, charset, kind):
    """The cells of a kind of text: those beyond ASCII, and those in ASCII."""
    found = [legacy(text, charset, language) for text in listtexts.texts_of(language).get(kind, [])]
    found = [cell for cell in found if cell]
    return [c for c in found if not c.truth.isascii()], [c for c in found if c.truth.isascii()]


def kinds(language):
    """The kinds of text of the language that the trainer has not read."""
    return [kind for kind in listtexts.texts_of(language) if not kind.startswith("iso")]


def column_of(language, charset, kind, size, random):
    """`size` distinct cells of a kind, about ASCII_SHARE of them ASCII; None if the text is too little."""
    beyond, plain = pool(language, charset, kind)
    if not plain:
        plain = pool("en", charset, "places")[1]
    of_ascii = sum(random.random() < ASCII_SHARE for _ in range(size))
    if len(beyond) < size - of_ascii or len(plain) < of_ascii:
        return None
    cells = random.sample(beyond, size - of_ascii) + random.sample(plain, of_ascii)
    random.shuffle(cells)
    return cells


def pairs(charsets=None):
    for charset, languages in (charsets or CHARSETS).items():
        for language in languages.split():
            yield language, charset


# ---- cases: each yields tables -----------------------------------------------------------------------

def columns(full):
    """Columns of one language in one charset."""
    for language, charset in pairs():
        random = texts.random_of("columns", language, charset)
        for size, count in (5, 16), (20, 6), (100, 2):
            for _ in range(count * (4 if full else 1)):
                for kind in random.sample(kinds(language), len(kinds(language))):
                    column = column_of(language, charset, kind, size, random)
                    if column:
                        yield Table(f"columns of {size}", [column])
                        break


def one(full):
    """One legacy value among 30 clean ones of its language."""
    for language, charset in pairs():
        random = texts.random_of("one", language, charset)
        for _ in range(100 if full else 40):
            kind = random.choice(kinds(language))
            beyond = pool(language, charset, kind)[0]
            some = listtexts.texts_of(language)[kind]
            if beyond and len(some) >= 30:
                column = [clean(text, language) for text in random.sample(some, 30)] + [random.choice(beyond)]
                random.shuffle(column)
                yield Table("one among clean", [column])


def strangers(full):
    """One name in the charset of another region among 5 or 19 names of Western Europe in windows-1252."""
    west = "fr de es it pt nl sv da no fi".split()
    for language, charset in sorted(NATIVE.items()):
        if charset == "windows-1252":
            continue
        random = texts.random_of("strangers", language)
        kinds_of = [kind for kind in ("people", "places") if pool(language, charset, kind)[0]]
        for size in (5, 19):
            for _ in range(200 if full else 40):
                kind = random.choice(kinds_of)
                column = [random.choice(pool(random.choice(west), "windows-1252", kind)[0]) for _ in range(size)]
                column.append(random.choice(pool(language, charset, kind)[0])._replace(part=", the stranger"))
                yield Table(f"one stranger among {size}", [column])


LIST_SIZES = [10, 40, 200, 1000, 5000]
LISTS = {"countries": "cldr", "languages": "cldr", "subdivisions": "cldr", "people": "faker", "addresses": "faker"}


def lists(full):
    """The first rows of lists of countries, subdivisions, languages, people and addresses."""
    for language, charset in pairs():
        random = texts.random_of("lists", language, charset)
        named = [kind for kind in listtexts.texts_of(language) if kind in LISTS or kind.startswith("iso")]
        for kind in named if full else random.sample(named, min(2, len(named))):
            cells = sum(pool(language, charset, kind), [])
            random.shuffle(cells)
            source = LISTS.get(kind, "iso-codes, trained")
            sizes = [size for size in LIST_SIZES if size <= len(cells)]
            for size in sizes if full else [s for s in sizes if s <= 200] + random.sample(sizes, 1):
                yield Table(f"lists ({source}) of {size}", [cells[:size]])


def alone(full):
    """Values alone."""
    for language, charset in pairs():
        random = texts.random_of("alone", language, charset)
        for kind in kinds(language):
            beyond = pool(language, charset, kind)[0]
            for cell in random.sample(beyond, min(len(beyond), 100 if full else 30)):
                yield Table("alone", [[cell]])


SHARES = [1, 2, 5, 10, 20, 35, 50]  # of the smallest charset, in per cent
CITIES = "fr de es it pt nl sv da no fi pl cs hu hr ro ru uk bg el tr lt".split()


def mixed_part(language, count, random, part):
    """`count` different names of places in the language's own charset; fewer if there are not as many."""
    beyond = pool(language, NATIVE[language], "places")[0]
    return [cell._replace(part=part) for cell in random.sample(beyond, min(count, len(beyond)))]


def unmixed(language, count, random, make):
    """`count` names of places in UTF-8, misread or not."""
    some = [text for text in listtexts.texts_of(language)["places"] if not text.isascii()]
    return [make(text, language) for text in random.sample(some, min(count, len(some)))]


def mixed(full):
    """Columns of UTF-8, misread text, and two or three charsets."""
    random = texts.random_of("mixed")
    languages = sorted(NATIVE)
    for share in SHARES * (100 if full else 30):
        some = random.sample(languages, 2 if share > 20 else random.choice([2, 3]))
        size = random.choice([40, 100, 300])
        column = []
        for language in some[1:]:
            column += mixed_part(language, max(1, size * share // 100), random, f", share {share:02} %")
        clean_count, misread_count = random.choice([0, size // 4, size // 2]), random.choice([0, 0, size // 20])
        column += unmixed(some[0], clean_count, random, clean) + unmixed(some[0], misread_count, random, misread)
        column += mixed_part(some[0], max(1, size - len(column)), random, ", the largest share")
        random.shuffle(column)
        yield Table("mixed", [column])
    for _ in range(50 if full else 10):
        column = [cell for language in CITIES for cell in mixed_part(language, 10, random, "")]
        for language in random.sample(CITIES, 10):
            column += unmixed(language, 7, random, clean) + unmixed(language, 3, random, misread)
        random.shuffle(column)
        yield Table("mixed, cities of 21 countries", [column])


def rows(full):
    """Tables whose rows came from two programs: each row in one charset and language."""
    random = texts.random_of("rows")
    for _ in range(400 if full else 80):
        sources, share, size = random.sample(list(pairs()), 2), random.choice(SHARES), random.choice([20, 60, 200])
        few = [100 * random.random() < share for _ in range(size)]
        found = []
        for _ in range(random.randint(2, 4)):
            pools = [pool(*source, random.choice(kinds(source[0]))) for source in sources]
            if all(beyond for beyond, _ in pools):
                found.append([random.choice(pools[i][random.random() < ASCII_SHARE] or pools[i][0])
                              ._replace(part=", the fewer" if i else "") for i in few])
        if len(found) > 1:
            yield Table("rows of two programs", found)


SIGNS = """{n},50 €|€ {n}|€{n}.00|£{n}.50|£ {n}|¥{n}|½ kg|{n} ½|{n}¼|{n} °C|{n}°C|{n} m²|{n} m³|{n} µm|± {n}|{n} ¢
§ {n}|{n} × {n} cm|{n} ‰|N° {n}|N.º {n}|{n}ª|© {n}|{n} ÷ {n}""".replace("\n", "|").split("|")
SIGN_CHARSETS = ["windows-1252", "iso-8859-1", "iso-8859-15", "cp850", "macintosh"]  # of columns without letters


def sign_cells(template, size, charset, language, random):
    """`size` cells of the template with random numbers; None if the charset lacks the sign."""
    cells = []
    for _ in range(size):
        text = re.sub("{n}", lambda _: str(random.randint(1, 1999)), template)
        cell = legacy(text, charset, language)
        if cell is None or cell.truth != text:
            return None
        cells.append(cell)
    return cells


def signs(full):
    """Columns of signs alone, beside a column of letters in the same charset, and among letters."""
    for charset in SIGN_CHARSETS:
        random = texts.random_of("signs", charset)
        for template in SIGNS:
            for size in (5, 20, 60) if full else [random.choice([5, 20, 60])]:
                if cells := sign_cells(template, size, charset, "", random):
                    yield Table("signs alone", [cells])
    for language, charset in pairs():
        random = texts.random_of("signs", language, charset)
        for template in SIGNS if full else random.sample(SIGNS, 6):
            size = random.choice([10, 20, 60])
            letters = column_of(language, charset, random.choice(kinds(language)), size, random)
            cells = sign_cells(template, size, charset, language, random)
            if letters and cells:
                yield Table("signs", [[c._replace(part=" beside letters") for c in cells],
                                      [c._replace(part=": the letters") for c in letters]])
                among = [c._replace(part=" among letters") for c in cells[:size // 4]] + \
                        [c._replace(part=": the letters") for c in letters]
                random.shuffle(among)
                yield Table("signs", [among])


NUMBERS = {**dict.fromkeys(CYRILLIC.split(), "абвг"), "el": "αβγδ", "he": "אבגד"}  # the letters after them


def numbered(language, charset, size, random):
    """`size` cells with house numbers: of four, one has a letter."""
    letters = NUMBERS[language][:random.randint(1, 4)]
    cells = [clean(str(random.randint(1, 150))) for _ in range(size)]
    for i in range(0, size, 4):
        cells[i] = legacy(cells[i].truth + random.choice(letters), charset, language)
    return cells


def numbers(full):
    """Columns of numbers, some with a letter, alone and beside a column of letters in the same charset."""
    for language, charset in [pair for pair in pairs() if pair[0] in NUMBERS]:
        random = texts.random_of("numbers", language, charset)
        for size in (5, 20, 60) * (20 if full else 3):
            cells = numbered(language, charset, size, random)
            letters = column_of(language, charset, random.choice(kinds(language)), size, random)
            yield Table("letters of numbers", [[c._replace(part=" alone") for c in cells]])
            if letters:
                yield Table("letters of numbers", [[c._replace(part=" beside letters") for c in cells],
                                                   [c._replace(part=": the letters") for c in letters]])


def accidents(full):
    """Columns with at most three values that are well-formed by accident, and clean values of their language."""
    for language, charset in pairs({**CHARSETS, **FURTHER}):
        random = texts.random_of("accidents", language, charset)
        cells = [cell for kind in kinds(language) for cell in pool(language, charset, kind)[0]]
        found = [cell for cell in cells if is_utf8(cell.data)]
        others = [cell for cell in cells if not is_utf8(cell.data)]
        own = sorted({text for kind in kinds(language) for text in listtexts.texts_of(language)[kind]
                      if not text.isascii()}, key=lambda text: (len(text), text))
        for size in (20, 100, 300) * (4 if full else 1):
            if not found or len(others) < size or len(own) < 8:
                continue
            beside = own[:3] + random.sample(own, 5)
            column = random.sample(others, size) + random.sample(found, min(3, len(found)))
            column += [clean(text, language) for text in beside]
            random.shuffle(column)
            yield Table("accidents", [column])


def plain_cell(kind, random):
    """A number, a date or a code, in ASCII."""
    day, n = random.randint(1, 28), random.randint(1, 99999)
    return clean({"number": str(n), "date": f"2{n % 1000:03}-{n % 12 + 1:02}-{day:02}", "code": f"A{n % 26}-{n}"}[kind])


def table_column(languages, charset, size, random):
    """A column of a small table."""
    kind = random.choice(["number", "date", "code", "sign", "text", "text", "text"])
    language = random.choice(languages)
    if kind == "sign":
        return sign_cells(random.choice(SIGNS), size, charset, language, random)
    if kind != "text":
        return [plain_cell(kind, random) for _ in range(size)]
    beyond, plain = pool(language, charset, random.choice(kinds(language)))
    plain = plain or [clean("Total")]
    if not beyond:
        return None
    return [random.choice(plain if random.random() < ASCII_SHARE else beyond) for _ in range(size)]


def tables(full):
    """Small tables of text, signs, numbers and dates, each in one charset and one or two languages."""
    for language, charset in pairs({**CHARSETS, **FURTHER}):
        random = texts.random_of("tables", language, charset)
        others = {**CHARSETS, **FURTHER}[charset].split()
        for _ in range(20 if full else 3):
            size = random.choice([5, 10, 20, 50, 200] if full else [5, 10, 20, 50])
            languages = [language] + (random.sample(others, 1) if random.random() < 0.3 else [])
            found = [table_column(languages, charset, size, random) for _ in range(random.randint(2, 6))]
            if found := [column for column in found if column]:
                yield Table("tables", found)


def cut(data, random):
    return data[:random.choice([i for i, b in enumerate(data) if 0x80 <= b < 0xC0])]


def lost(data, random):
    at = random.choice([i for i, b in enumerate(data) if b > 0x7F])
    return data[:at] + data[at + 1:]


def inserted(data, random):
    at = random.randint(0, len(data))
    return data[:at] + bytes([random.randint(0x20, 0xFF)]) + data[at:]


def changed(data, random):
    at = random.choice([i for i, b in enumerate(data) if b > 0x7F])
    return data[:at] + bytes([random.randint(0x20, 0xFF)]) + data[at + 1:]


def damage(full):
    """Columns of 30 values of UTF-8, three of which were damaged."""
    for language in listtexts.LANGUAGES:
        random = texts.random_of("damage", language)
        for make in (cut, lost, inserted, changed) * (20 if full else 3):
            some = listtexts.texts_of(language)[random.choice(kinds(language))]
            column = [clean(text, language) for text in random.sample(some, min(30, len(some)))]
            for r in [r for r, cell in enumerate(column) if not cell.truth.isascii()][:3]:
                data = make(column[r].data, random)
                while is_utf8(data) and make is not cut:
                    data = make(column[r].data, random)
                column[r] = column[r]._replace(data=data, part=make.__name__)
            column = [cell for cell in column if cell.part == "" or not is_utf8(cell.data)]
            yield Table("damage: ", [column])


CODES = "{n} X|X {n}|X{n}|{n} X {n}|X|- X -|(X)|X. {n}|{n}-X|X/{n}|X-{n}".split("|")
CODE_LETTERS = {"ru": "абвгдежзийклмнопрстуфхцчшщъыьэюя", "uk": "іїєґ", "el": "αβγδεζηθικλμνξοπρστυφχψω", "de": "äöüß",
                "he": "אבגדהוזחטיכלמנסעפצקרשת", "ar": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي", "pl": "łśż", "tr": "ışç",
                "th": "กขคงจฉชณดตถทนบปผพภมยรลวศสหอ"}


LIMITS = [11, 21, 41]  # bytes


def limited(cell, size):
    """The cell cut after `size` bytes: right are the characters before, and U+FFFD for a part of one."""
    data, codec = cell.data[:size], PYTHON_NAMES.get(cell.charset, cell.charset)
    kept = data.decode(codec, "ignore")
    if kept == data.decode(codec, "replace"):
        return cell._replace(data=data, truth=kept)
    return cell._replace(data=data, truth=kept + "\ufffd", part=", cut characters")


def limits(full):
    """Columns in multi-byte charsets with a limit in bytes, and cut values alone."""
    for language, charset in [pair for pair in pairs() if pair[1] in LIMITED]:
        random = texts.random_of("limits", language, charset)
        for limit in LIMITS:
            for kind in kinds(language):
                cells = [limited(cell, limit) for cell in sum(pool(language, charset, kind), [])]
                random.shuffle(cells)
                for at in range(0, min(len(cells), 400 if full else 60) - 19, 20):
                    yield Table("limits in bytes, columns of 20", [cells[at:at + 20]])
                for cell in [cell for cell in cells if cell.part][:200 if full else 20]:
                    yield Table("alone, limits in bytes", [[cell]])


def asian(full):
    """Columns of people in two multi-byte charsets."""
    random = texts.random_of("asian")
    written = [pair for pair in pairs() if pair[1] in LIMITED and pool(*pair, "people")[0]]
    for (first, second), size, share in itertools.product(itertools.permutations(written, 2), (20, 100), (5, 20, 50)):
        few = size * share // 100
        for _ in range(20 if full else 4):
            column = random.sample(pool(*first, "people")[0], size - few)
            column += [cell._replace(part=", the fewer") for cell in random.sample(pool(*second, "people")[0], few)]
            yield Table(f"two multi-byte charsets, {share:02} %", [column])


def kana(full):
    """Names of people in half-width katakana, in columns and alone."""
    random = texts.random_of("kana")
    cells = [legacy(name, "shift_jis", "ja") for name in listtexts.half_width_names()]
    for size in 5, 20, 200:
        for _ in range((4000 if full else 1000) // size):
            yield Table(f"half-width names, columns of {size}", [random.sample(cells, size)])
    for cell in random.sample(cells, 1000 if full else 200):
        yield Table("alone, half-width names", [[cell]])


def codes(full):
    """Columns of lone letters, small and capital, beside numbers and signs: units, codes, initials."""
    for language, charset in [pair for pair in pairs() if pair[0] in CODE_LETTERS]:
        small = CODE_LETTERS[language]
        for letter in sorted({*small, *(x.upper() for x in small if len(x.upper()) == 1)}):
            for template in CODES:
                texts_of = [template.replace("{n}", str(7 * i + 3)).replace("X", letter) for i in range(10)]
                cells = [legacy(text, charset, language) for text in texts_of]
                if all(cell and cell.truth == text for cell, text in zip(cells, texts_of)):
                    yield Table("codes", [cells])


CASES = {case.__name__: case for case in
         (columns, one, strangers, lists, alone, mixed, rows, limits, asian, kana, signs, numbers, codes, tables, accidents,
          damage)}


# ---- results -----------------------------------------------------------------------------------------

def audited(table):
    """What utf8_audit writes into the cells: {(row, column): (repaired, cause, error)}."""
    columns_of = [[cell.data for cell in column] for column in table.columns]
    found = peers.audited(columns_of, "CAST(repaired AS BLOB), cause, error", suspects=1)
    return {(row, column): (repaired and repaired.decode(), cause, error)
            for row, column, repaired, cause, error in found}


def audited_alone(cell):
    repaired, cause = peers.DB.execute("SELECT CAST(CAST(utf8_repair(?1, 'auto') AS TEXT) AS BLOB), utf8_cause(?1)",
                                       (cell.data,)).fetchone()
    return {(0, 0): (repaired.decode(), cause, "")} if not is_utf8(cell.data) else {}


def is_marked(repaired, truth):
    """Is the text the truth with U+FFFD in the place of some of it?"""
    parts = repaired.split("\ufffd")
    return len(parts) > 1 and re.fullmatch(".*".join(map(re.escape, parts)), truth, re.DOTALL) is not None


def judge_legacy(cell, repaired):
    if repaired == cell.truth:
        return "right"
    return "left" if repaired in (None, subpart(cell.data)) or is_marked(repaired, cell.truth) else "wrong"


def judge_damaged(cell, repaired):
    """U+FFFD in the place of the damage is right; a wrong letter is neither in the truth nor in what is left of it."""
    kept = subpart(cell.data)
    if repaired in (cell.truth, kept):
        return "right"
    return "wrong" if set(repaired or "") - set(cell.truth + kept + "\ufffd") else "left"


def judge(cell, finding):
    """The name of the count that the cell belongs to, or None."""
    repaired, _, error = finding or (None, None, None)
    if cell.charset == MISREAD:
        return "right" if repaired == cell.truth else "left" if repaired in (None, cell.data.decode()) else "wrong"
    if not is_utf8(cell.data):
        return judge_damaged(cell, repaired) if cell.charset == "utf-8" else judge_legacy(cell, repaired)
    if cell.truth == cell.data.decode():
        is_changed = repaired not in (None, cell.truth) and error in ("mojibake", "accident")
        return "changed" if is_changed else "kept"
    if repaired in (None, cell.data.decode()):
        return "accident"
    return "accident read" if repaired == cell.truth else "accident wrong"


COUNTS = ["right", "left", "wrong", "accident", "accident read", "accident wrong", "changed", "kept"]


class Results:
    """Counts of (group, charset, language), lists beyond the bound, and examples."""

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.columns = collections.defaultdict(collections.Counter)
        self.examples = collections.defaultdict(dict)

    def add(self, table):
        found = audited_alone(table.columns[0][0]) if table.group.startswith("alone") else audited(table)
        for c, column in enumerate(table.columns):
            seen = collections.Counter()
            for r, cell in enumerate(column):
                if result := judge(cell, found.get((r, c))):
                    seen[result] += 1
                    self.counts[table.group + cell.part, cell.charset, cell.language][result] += 1
                    if "wrong" in result or result == "changed":
                        self.example(table.group + cell.part, cell, found[r, c])
            self.count_column(table.group, len(column), seen)

    def count_column(self, group, size, seen):
        """Counts the columns that lose or invent more than 1 in 1,000 cells."""
        missed = sum(seen[x] for x in ("left", "wrong", "accident", "accident wrong"))
        if seen["right"] + missed:
            self.columns[group]["all"] += 1
            self.columns[group]["beyond"] += 1000 * missed > size

    def example(self, group, cell, finding):
        some = self.examples[group, cell.charset, cell.language]
        if len(some) < EXAMPLES:
            some[cell.truth] = (finding[0], finding[1])

    def by(self, *fields, only=lambda charset: True):
        """The counts by some fields, of the charsets that are wanted."""
        total = collections.defaultdict(collections.Counter)
        for key, row in self.counts.items():
            if only(key[1]):
                total[tuple(key[i] for i in fields)].update(row)
        return total


HEAD = "%-40s %8s %8s %8s %8s %7s %7s %7s %7s"
LINE = "%-40s %8d %8.2f %8.2f %8.3f %7d %7d %7d %7d"


def percents(row):
    """The ill-formed cells, and the shares of them that are right, left and wrong."""
    n = row["right"] + row["left"] + row["wrong"]
    return [n] + [100 * row[x] / n if n else 0 for x in ("right", "left", "wrong")]


def print_table(title, rows):
    print(HEAD % (title, "cells", "right %", "left %", "wrong %", "wrong", "accid.", "read", "changed"))
    for key, row in rows:
        print(LINE % (" ".join(key), *percents(row), row["wrong"] + row["accident wrong"],
                      row["accident"] + row["accident read"] + row["accident wrong"], row["accident read"],
                      row["changed"]))
    print()


def is_legacy(charset):
    return charset not in ("utf-8", MISREAD)


def report(results, options):
    """Prints all tables."""
    print_table("charset", sorted(results.by(1, only=is_legacy).items()))
    print_table("language", sorted(results.by(2, only=is_legacy).items()))
    worst = sorted(results.by(1, 2, only=is_legacy).items(), key=lambda x: (-percents(x[1])[3], percents(x[1])[1]))
    print_table("worst charset and language", worst[:options.worst])
    everything = sum(results.by(1, only=is_legacy).values(), collections.Counter())
    print_table("group", [*sorted(results.by(0).items(), key=by_number), (("all in legacy charsets",), everything)])
    for group, row in sorted(results.columns.items()):
        if group.startswith(("columns", "lists")):
            print(f"{group}: {row['beyond']} of {row['all']} columns with more than 1 in 1,000 cells wrong or left")
    if options.examples:
        for key, some in sorted(results.examples.items()):
            for truth, (repaired, cause) in some.items():
                print(*key, truth, repaired, cause, sep="\t")


def by_number(item):
    """Groups in the order of the numbers in their names."""
    return [part.zfill(9) if part.isdigit() else part for part in re.split(r"(\d+)", item[0][0])]


# ---- comparison --------------------------------------------------------------------------------------

def write(path, counts):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        print("group", "charset", "language", *COUNTS, sep="\t", file=file)
        for key, row in sorted(counts.items()):
            print(*key, *(row[x] for x in COUNTS), sep="\t", file=file)


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file][1:]
    return {tuple(line[:3]): collections.Counter(dict(zip(COUNTS, map(int, line[3:])))) for line in lines}


def by_group(counts):
    total = collections.defaultdict(collections.Counter)
    for key, row in counts.items():
        total[key[:1]].update(row)
    return total


def print_changes(old, new, row_max=None):
    """Prints what changed in the keys that both have, the most wrong first."""
    changes = [([new[key][x] - old[key][x] for x in COUNTS], key) for key in sorted(old.keys() & new.keys())]
    changes = sorted((c for c in changes if any(c[0])), key=lambda c: (-c[0][2], c[0][0]))
    print(" ".join("%14s" % x for x in COUNTS))
    for change, key in changes[:row_max]:
        print(" ".join("%+14d" % n for n in change), *key)
    print()


def compare(old, new):
    """Prints what changed in the groups that both have, and then in their charsets and languages."""
    common = {key[0] for key in old} & {key[0] for key in new}
    old, new = ({key: row for key, row in counts.items() if key[0] in common} for counts in (old, new))
    print_changes(by_group(old), by_group(new))
    print_changes(old, new, CHANGES)


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help="of " + ", ".join(CASES))
    parser.add_argument("--full", action="store_true", help="a larger sample: minutes")
    parser.add_argument("--charset", help="only tables that have cells in this charset")
    parser.add_argument("--language", help="only tables that have cells in this language")
    parser.add_argument("--examples", action="store_true", help="print wrong cells")
    parser.add_argument("--worst", type=int, default=20, help="rows of the table of the worst")
    parser.add_argument("--output", default=RESULT, help="where the counts are written")
    parser.add_argument("--compare", metavar="TSV", help="print what changed since then")
    options = parser.parse_args()
    if unknown := set(options.cases) - set(CASES):
        parser.error(f"unknown case {unknown.pop()}; accepted: {', '.join(CASES)}")
    return options


def is_wanted(table, options):
    cells = [cell for column in table.columns for cell in column if cell.charset != "utf-8"]
    return all(want is None or any(getattr(cell, field) == want for cell in cells)
               for field, want in (("charset", options.charset), ("language", options.language)))


def main():
    options = parsed_options()
    listtexts.fetch()
    results = Results()
    old = options.compare and read(options.compare)
    for name in options.cases or CASES:
        start = time.time()
        for table in CASES[name](options.full):
            if is_wanted(table, options):
                results.add(table)
        print(f"{name}: {time.time() - start:.0f} s", file=sys.stderr)
    report(results, options)
    write(options.output, results.counts)
    if old:
        compare(old, results.counts)


if __name__ == "__main__":
    main()
