#!/usr/bin/env python3
"""misread.py: how often utf8_audit finds text in a legacy charset that was read as Latin-1, or escaped by Python.

    make && python3 tool/detect/misread.py              # all cases, in minutes
    python3 tool/detect/misread.py clean --examples     # one case, and some of what is wrong

Text: listtexts.py, and in the case `clean` the names in all languages of the CLDR: no table was made with it.
Each table has one column. Of its values, the repaired one is

right    what it was before the accident
left     unchanged, or with U+FFFD
wrong    another text; of a clean value, any other

`clean` has columns of well-formed text, also in capitals; `latin1` columns of one charset that were read as Latin-1
or Windows-1252, alone, beside clean values of their language and beside French ones; `latin` likewise charsets of
Latin script, which are to be left; `escaped` has columns of one charset that Python read with surrogateescape.
"""

import argparse
import collections
import glob
import os

import lists
import listtexts
import peers
import texts

SIZES = (5, 20, 100)
OTHER = ["windows-1251", "koi8-r", "koi8-u", "ibm866", "iso-8859-5", "x-mac-cyrillic", "windows-1253", "iso-8859-7",
         "cp737", "windows-1255", "iso-8859-8", "cp862", "windows-1256", "iso-8859-6", "windows-874", "gbk", "big5",
         "euc-jp", "euc-kr", "shift_jis"]
LATIN = ["windows-1250", "iso-8859-2", "windows-1254", "windows-1257", "iso-8859-13", "cp852", "macintosh", "cp850"]
CHARSETS = {**lists.CHARSETS, **lists.FURTHER}


def repaired(column):
    """The column's values after the repair of utf8_audit, with what calls it: {row: (text, call)}."""
    found = peers.audited([[data for data, _ in column]], "CAST(repaired AS BLOB), repair_call, error", suspects=1)
    return {row: (text and text.decode(), call) for row, _, text, call, error in found
            if error not in ("control", "invisible", "bidi control", "bom")}


class Counts:
    def __init__(self):
        self.of = collections.defaultdict(collections.Counter)
        self.examples = collections.defaultdict(list)

    def add(self, group, column):
        """Counts a column of pairs: the bytes, and the text that they were."""
        found = repaired(column)
        for row, (data, truth) in enumerate(column):
            text, call = found.get(row, (None, None))
            is_clean = data == truth.encode()
            if text in (None, truth) and is_clean:
                result = "clean"
            elif text == truth:
                result = "right"
            elif text is None or "\ufffd" in text or text.encode() == data:
                result = "left"
            else:
                result = "wrong"
            self.of[group][result] += 1
            if result == "wrong":
                self.examples[group].append((truth, text, call))


# ---- clean text ----------------------------------------------------------------------------------------

TAGS = ("language", "territory", "exemplarCity", "month", "day", "displayName", "key", "type", "variant", "subdivision")


def cldr_languages():
    """The names in each language of the CLDR, without those of a region alone."""
    for path in sorted(glob.glob(os.path.join(listtexts.WORK, listtexts.CLDR, "main", "*.xml"))):
        name = os.path.basename(path)[:-4]
        if name not in ("en", "root") and "_" not in name:
            found = [*listtexts.of_cldr(f"main/{name}.xml", *TAGS), *listtexts.of_cldr(f"subdivisions/{name}.xml", *TAGS)]
            if len(some := listtexts.cleaned(found)) >= 100:
                yield name, some


def clean_texts():
    yield from cldr_languages()
    for language in listtexts.LANGUAGES:
        for kind, some in listtexts.texts_of(language).items():
            if not kind.startswith("iso") and kind not in ("countries", "languages", "subdivisions"):
                yield language + " " + kind, some


def clean(add):
    for name, some in clean_texts():
        random = texts.random_of("clean", name)
        some = random.sample(some, min(len(some), 3000))
        beyond = [text for text in some if not text.isascii()]
        for make, label in (str, "as they are"), (str.upper, "in capitals"):
            for size in SIZES:
                for at in range(0, len(some) - size + 1, size * 3):
                    add(f"clean {label}", [(make(text).encode(), make(text)) for text in some[at:at + size]])
            add(f"clean {label}, all", [(make(text).encode(), make(text)) for text in some])
            # Those words alone that have no ASCII letter: the likeliest ones to be taken for misread text.
            words = sorted({make(w) for text in beyond for w in text.split() if not any(c.isascii() for c in make(w))})
            words = [w for w in words if all(ord(c) < 256 for c in w)]
            if words:
                add(f"clean words {label}", [(w.encode(), w) for w in words])


# ---- accidents -----------------------------------------------------------------------------------------

def read_as_latin(data, through):
    try:
        return data.decode(through).encode()
    except UnicodeDecodeError:
        return None


def columns_of(charsets, make):
    """Columns of one language in one charset, after an accident."""
    for charset in charsets:
        for language in CHARSETS[charset].split():
            random = texts.random_of("misread", language, charset)
            for size in SIZES:
                for _ in range(4 if size < 100 else 2):
                    kind = random.choice(lists.kinds(language))
                    cells = lists.column_of(language, charset, kind, size, random)
                    column = [(make(c.data), c.truth) for c in cells or []]
                    if column and all(data is not None for data, _ in column):
                        yield charset, language, random, kind, size, column


def spoilt_latin(add, charsets, title):
    for through in "latin-1", "cp1252":
        for charset, language, random, kind, size, column in columns_of(charsets, lambda d: read_as_latin(d, through)):
            add(f"{title} of {size}", column)
            add(f"{charset}", column)
            for other in language, "fr":
                some = [t for t in listtexts.texts_of(other).get(kind, []) if not t.isascii()]
                if len(some) >= size:
                    mixed = column + [(t.encode(), t) for t in random.sample(some, size)]
                    random.shuffle(mixed)
                    add(f"{title} of {size} beside as many clean, {'French' if other == 'fr' else 'their own language'}",
                        mixed)


def latin1(add):
    spoilt_latin(add, OTHER, "columns")


def latin(add):
    spoilt_latin(add, LATIN, "Latin columns")


def escape(data):
    return data.decode("utf-8", "surrogateescape").encode("utf-8", "surrogatepass")


def escaped(add):
    for _, language, random, kind, size, column in columns_of(CHARSETS, escape):
        add(f"escaped columns of {size}", column)
        add(f"escaped columns of {size}, by ASCII", [
            (t.encode().decode("ascii", "surrogateescape").encode("utf-8", "surrogatepass"), t) for _, t in column])
        some = listtexts.texts_of(language)[kind]
        if len(some) > 30:
            add("escaped, one among 30 clean", [(t.encode(), t) for t in random.sample(some, 30)] + column[:1])


CASES = {case.__name__: case for case in (clean, latin1, latin, escaped)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("cases", nargs="*", metavar="CASE", help="of " + ", ".join(CASES))
    parser.add_argument("--examples", action="store_true", help="print some of what is wrong")
    options = parser.parse_args()
    listtexts.fetch()
    counts = Counts()
    for name in options.cases or CASES:
        CASES[name](counts.add)
    print("%-72s %9s %9s %9s %9s" % ("", "right", "left", "wrong", "clean"))
    for group, row in sorted(counts.of.items()):
        print("%-72s %9d %9d %9d %9d" % (group, *(row[x] for x in ("right", "left", "wrong", "clean"))))
        for example in counts.examples[group][:8] if options.examples else []:
            print("   ", *example, sep="\t")


if __name__ == "__main__":
    main()
