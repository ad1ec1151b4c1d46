#!/usr/bin/env python3
"""lists.py: how often policy auto is right in columns and lists that nothing was tuned on.

    make && python3 tool/detect/lists.py                 # a sample of all cases, in a minute
    python3 tool/detect/lists.py --full columns one      # all of two cases
    python3 tool/detect/lists.py --examples              # also at most five wrong cells of a group
    python3 tool/detect/lists.py --compare old.tsv       # what changed since build/detection/lists.tsv was old.tsv

Text: listtexts.py. Each table is audited alone, so no other table is its neighbour. Of the cells
that are ill-formed UTF-8, the repaired text is

right    what it was before the accident
left     the same letters with U+FFFD, or NULL
wrong    text with a letter that was not there, without a mark

Cells that are well-formed by accident are counted apart, and so are clean cells that would be changed.
"""

import argparse
import collections
import functools
import os
import re
import sys
import time

import listtexts
import peers
import texts
from texts import is_utf8, subpart

RESULT = os.path.join(peers.WORK, "lists.tsv")
EXAMPLES = 5          # of each group
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
    "iso-8859-14": "ga cy", "iso-8859-16": "ro hr", "mac-latin2": "pl cs sk hu", "cp855": "ru bg sr mk",
    "cp857": "tr", "cp737": "el", "cp862": "he",
}
# Languages of the case `mixed`: the charset that a program of their country wrote.
NATIVE = {language: charset for charset in ("windows-1250", "windows-1251", "windows-1252", "windows-1253",
                                            "windows-1254", "windows-1257") for language in CHARSETS[charset].split()}
NATIVE["et"] = "windows-1257"

PYTHON_NAMES = {"shift_jis": "cp932", "euc-kr": "cp949", "x-mac-cyrillic": "mac_cyrillic", "macintosh": "mac_roman",
                "ibm866": "cp866", "windows-874": "cp874", "mac-latin2": "mac_latin2"}

Cell = collections.namedtuple("Cell", "data truth charset language")
Table = collections.namedtuple("Table", "group columns")  # columns: lists of cells of equal length


def clean(text, language=""):
    return Cell(text.encode(), text, "utf-8", language)


@functools.lru_cache(maxsize=None)
def legacy(text, charset, language):
    """The text as people typed it in the charset, as a cell; None if the charset lacks a character."""
    typed = texts.as_typed(text, charset)
    try:
        data = typed.encode(PYTHON_NAMES.get(charset, charset))
        if peers.read(data, charset) != typed:
            return None
    except UnicodeEncodeError:
        return None
    except LookupError:
        data = peers.encode(typed, charset)
    return None if data is None else Cell(data, typed, charset, language)


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
        for _ in range(60 if full else 12):
            kind = random.choice(kinds(language))
            beyond = pool(language, charset, kind)[0]
            some = listtexts.texts_of(language)[kind]
            if beyond and len(some) >= 30:
                column = [clean(text, language) for text in random.sample(some, 30)] + [random.choice(beyond)]
                random.shuffle(column)
                yield Table("one among clean", [column])


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
            for cell in random.sample(beyond, min(len(beyond), 100 if full else 12)):
                yield Table("alone", [[cell]])


CASES = {case.__name__: case for case in (columns, one, lists, alone)}


# ---- results -----------------------------------------------------------------------------------------

def audited(table):
    """What utf8_audit writes into the cells: {(row, column): (repaired, cause, error)}."""
    db = peers.DB
    names = ["c%d" % i for i in range(len(table.columns))]
    db.execute("DROP TABLE IF EXISTS cells")
    db.execute("CREATE TABLE cells(%s)" % ", ".join(name + " TEXT" for name in names))
    db.executemany("INSERT INTO cells VALUES (%s)" % ", ".join(["CAST(? AS TEXT)"] * len(names)),
                   zip(*[[cell.data for cell in column] for column in table.columns]))
    found = db.execute("SELECT key, column_name, CAST(repaired AS BLOB), cause, error "
                       "FROM temp.utf8_audit('main', 'auto', 1) WHERE table_name = 'cells'")
    return {(key - 1, int(name[1:])): (repaired and repaired.decode(), cause, error)
            for key, name, repaired, cause, error in found}


def audited_alone(cell):
    repaired, cause = peers.DB.execute("SELECT CAST(CAST(utf8_repair(?1, 'auto') AS TEXT) AS BLOB), utf8_cause(?1)",
                                       (cell.data,)).fetchone()
    return {(0, 0): (repaired.decode(), cause, "")} if not is_utf8(cell.data) else {}


def is_marked(repaired, truth):
    """Is the text the truth with U+FFFD in the place of some of it?"""
    parts = repaired.split("\ufffd")
    return len(parts) > 1 and re.fullmatch(".*".join(map(re.escape, parts)), truth, re.DOTALL) is not None


def judge(cell, finding):
    """The name of the count that the cell belongs to, or None."""
    repaired, _, error = finding or (None, None, None)
    if not is_utf8(cell.data):
        if repaired == cell.truth:
            return "right"
        return "left" if repaired in (None, subpart(cell.data)) or is_marked(repaired, cell.truth) else "wrong"
    if cell.truth == cell.data.decode():
        return "changed" if repaired not in (None, cell.truth) and error == "mojibake" else None
    if repaired in (None, cell.data.decode()):
        return "accident"
    return "accident, right" if repaired == cell.truth else "accident, wrong"


COUNTS = ["right", "left", "wrong", "accident", "accident, right", "accident, wrong", "changed"]


class Results:
    """Counts of (group, charset, language), lists beyond the bound, and examples."""

    def __init__(self):
        self.counts = collections.defaultdict(collections.Counter)
        self.columns = collections.defaultdict(collections.Counter)
        self.examples = collections.defaultdict(dict)

    def add(self, table):
        found = audited_alone(table.columns[0][0]) if table.group == "alone" else audited(table)
        for c, column in enumerate(table.columns):
            seen = collections.Counter()
            for r, cell in enumerate(column):
                if result := judge(cell, found.get((r, c))):
                    seen[result] += 1
                    self.counts[table.group, cell.charset, cell.language][result] += 1
                    if "wrong" in result or result == "changed":
                        self.example(table.group, cell, found[r, c])
            self.count_column(table.group, len(column), seen)

    def count_column(self, group, size, seen):
        """Counts the columns that lose or invent more than 1 in 1,000 cells."""
        if seen["right"] + seen["left"] + seen["wrong"]:
            self.columns[group]["all"] += 1
            self.columns[group]["beyond"] += 1000 * (seen["left"] + seen["wrong"]) > size

    def example(self, group, cell, finding):
        some = self.examples[group, cell.charset, cell.language]
        if len(some) < EXAMPLES:
            some[cell.truth] = (finding[0], finding[1])

    def by(self, *fields):
        """The counts of the groups that have some of the fields in common."""
        total = collections.defaultdict(collections.Counter)
        for key, row in self.counts.items():
            total[tuple(key[i] for i in fields)].update(row)
        return total


HEAD = "%-34s %8s %8s %8s %8s %7s %7s %7s %7s"
LINE = "%-34s %8d %8.2f %8.2f %8.3f %7d %7d %7d %7d"


def percents(row):
    """The ill-formed cells, and the shares of them that are right, left and wrong."""
    n = row["right"] + row["left"] + row["wrong"]
    return [n] + [100 * row[x] / n if n else 0 for x in ("right", "left", "wrong")]


def print_table(title, rows):
    print(HEAD % (title, "cells", "right %", "left %", "wrong %", "wrong", "accid.", "read", "changed"))
    for key, row in rows:
        print(LINE % (" ".join(key)[:34], *percents(row), row["wrong"] + row["accident, wrong"],
                      row["accident"] + row["accident, right"] + row["accident, wrong"], row["accident, right"],
                      row["changed"]))
    print()


def legacy_only(rows, at=0):
    return sorted((key, row) for key, row in rows.items() if key[at] != "utf-8")


def report(results, options):
    """Prints all tables."""
    print_table("charset", legacy_only(results.by(1)))
    print_table("language", sorted(results.by(2).items()))
    worst = sorted(legacy_only(results.by(1, 2)), key=lambda x: (-percents(x[1])[3], percents(x[1])[1]))
    print_table("worst charset and language", worst[:options.worst])
    print_table("group", [*sorted(results.by(0).items(), key=by_number), (("all",), total(results))])
    for group, row in sorted(results.columns.items()):
        if group != "alone":
            print(f"{group}: {row['beyond']} of {row['all']} columns with more than 1 in 1,000 cells wrong or left")
    if options.examples:
        for key, some in sorted(results.examples.items()):
            for truth, (repaired, cause) in some.items():
                print(*key, truth, repaired, cause, sep="\t")


def by_number(item):
    """Groups in the order of the numbers in their names."""
    return [part.zfill(9) if part.isdigit() else part for part in re.split(r"(\d+)", item[0][0])]


def total(results):
    return sum(results.counts.values(), collections.Counter())


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


def compare(old, new):
    """Prints what changed in the groups that both have, the most wrong first."""
    changes = []
    for key in old.keys() & new.keys():
        change = [new[key][x] - old[key][x] for x in COUNTS]
        if any(change):
            changes.append((change, key))
    print("change in: " + ", ".join(COUNTS))
    for change, key in sorted(changes, key=lambda x: (-x[0][2], x[0][0], x[1])):
        print(" ".join("%+7d" % n for n in change), *key)
    print(" ".join("%+7d" % sum(c[i] for c, _ in changes) for i in range(len(COUNTS))), "all")


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
