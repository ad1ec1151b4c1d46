"""undone.py: are names and labels that were misread restored, and clean ones kept?

    /usr/bin/python3 tool/detect/undone.py [--columns | --multibyte | --lines] [--development] [--show kept|restored|lossy|left|wrong]

Each alone, by utf8_demojibake; with --columns in columns of 20, all, half or a quarter of them misread in one way, by
utf8_audit. Half of the clean ones are in capitals there. With --multibyte, misread in multi-byte charsets: of what is
lossy, letters are U+FFFD that lost a byte, and all others are right. With --lines, likewise as a field between two clean
ones of East Asia. Names and labels of listtexts.py, which no table was made with. Half of them, by a hash, was looked at
while the costs of mojibake/readings.c were chosen: --development measures that half.
"""

import argparse
import collections
import hashlib
import random
import re

import listtexts
import peers

EACH = 60  # values of each kind of text and language
SEED = 5
SHORT = 512  # bytes: longer values are restored line by line
CHARSETS = ["windows-1252", "iso-8859-1", "windows-1250", "windows-1251", "macintosh", "cp437", "cp850", "windows-1254"]


def table_of(charset):
    """The characters of the bytes of a charset; those without one stand for themselves."""
    high = peers.read(bytes(range(128, 256)), charset)
    return [chr(byte) if byte < 128 or high[byte - 128] == "\ufffd" else high[byte - 128] for byte in range(256)]


TABLES = {charset: table_of(charset) for charset in CHARSETS}


def misread(text, charset):
    return "".join(TABLES[charset][byte] for byte in text.encode())


def ways(text):
    """How the text was misread, and what it became."""
    yield from ((charset, misread(text, charset)) for charset in CHARSETS)
    yield "twice", misread(misread(text, "windows-1252"), "windows-1252")


def is_wanted(text, is_development):
    return not text.isascii() and (hashlib.md5(text.encode()).digest()[0] % 2 == 0) == is_development


def values(is_development):
    """(way, language, what it was, value): each text as it is, and misread in two ways."""
    choice = random.Random(SEED)
    for language in listtexts.LANGUAGES:
        for kind, texts in listtexts.texts_of(language).items():
            if kind.startswith("iso"):
                continue
            for text in [x for x in texts if is_wanted(x, is_development)][:EACH]:
                yield "clean", language, text, text
                for way, value in choice.sample(list(ways(text)), 2):
                    if value != text and len(value.encode()) <= SHORT:
                        yield way, language, text, value


MULTIBYTE = ["gbk", "shift_jis", "euc-kr"]
EAST_ASIA = {"zh_CN", "zh_TW", "ja", "ko"}


def multibyte_values(is_development):
    """Likewise: each text as it is, and misread in each multi-byte charset."""
    for language in listtexts.LANGUAGES:
        where = "East Asia" if language in EAST_ASIA else "others"
        for kind, texts in listtexts.texts_of(language).items():
            wanted = [x for x in texts if is_wanted(x, is_development)]
            yield from (("clean, " + where, language, text, text) for text in wanted)
            for text in [] if kind.startswith("iso") else wanted[:EACH]:
                yield from ((f"{charset}, {where}", language, text, peers.read(text.encode(), charset))
                            for charset in MULTIBYTE)


def line_values(is_development):
    """Likewise: each text between two of East Asia, separated by commas, if none has one."""
    choice = random.Random(SEED)
    clean = sorted({text for language in EAST_ASIA for texts in listtexts.texts_of(language).values() for text in texts
                    if is_field(text)})
    for way, language, text, value in multibyte_values(is_development):
        if is_field(text):
            before, after = choice.sample(clean, 2)
            yield way, language, f"{before},{text},{after}", f"{before},{value},{after}"


def is_field(text):
    return not text.isascii() and not set(text) & set(',;\t"\n')


COLUMN = 20
SHARES = {"all": 1, "half": 2, "a quarter": 4}  # of a column that is misread


def columns(is_development):
    """(way and share, language, [(what it was, value)]): a column for each kind of text, language and way."""
    choice = random.Random(SEED)
    for language in listtexts.LANGUAGES:
        for kind, texts in listtexts.texts_of(language).items():
            wanted = [x for x in texts if is_wanted(x, is_development)]
            if kind.startswith("iso") or len(wanted) < COLUMN:
                continue
            for way in [*CHARSETS, "twice"]:
                for share, one_in in SHARES.items():
                    some = choice.sample(wanted, COLUMN)
                    bad = [(text, dict(ways(text))[way]) for text in some[:COLUMN // one_in]]
                    clean = [text.upper() if i % 2 else text for i, text in enumerate(some[COLUMN // one_in:])]
                    yield f"{way}, {share}", language, bad + [(text, text) for text in clean]


def repaired(column):
    """The values of a column after the repair of utf8_audit."""
    listed = peers.audited([[value.encode() for _, value in column]], "repaired, error", suspects=1)
    found = {row: text for row, _, text, error in listed if error == "mojibake"}
    return [found.get(row, value) for row, (_, value) in enumerate(column)]


def answers(options):
    """(way, language, what it was, value, what was made of it)"""
    if not options.columns:
        some = line_values if options.lines else multibyte_values if options.multibyte else values
        for way, language, text, value in some(options.development):
            yield way, language, text, value, restored(value)
        return
    for way, language, column in columns(options.development):
        for (text, value), answer in zip(column, repaired(column)):
            yield "clean" if value == text else way, language, text, value, answer


def restored(value):
    (answer,) = peers.DB.execute("SELECT utf8_demojibake(?)", [value]).fetchone()
    return answer


def verdict(text, value, answer):
    if value == text:
        return "kept" if answer == text else "wrong"
    if answer in (text, value):
        return "restored" if answer == text else "left"
    lossy = re.sub("\ufffd+", lambda lost: ".{1,%d}" % (3 * len(lost[0])), re.escape(answer))
    return "lossy" if "\ufffd" in answer and re.fullmatch(lossy, text) else "wrong"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--columns", action="store_true")
    parser.add_argument("--multibyte", action="store_true")
    parser.add_argument("--lines", action="store_true")
    parser.add_argument("--development", action="store_true")
    parser.add_argument("--show", choices=["kept", "restored", "lossy", "left", "wrong"])
    options = parser.parse_args()
    listtexts.fetch()
    counts = collections.defaultdict(collections.Counter)
    for way, language, text, value, answer in answers(options):
        found = verdict(text, value, answer)
        counts[way][found] += 1
        if found == options.show:
            print(way, language, repr(text), repr(value), repr(answer))
    counts["all misread"] = sum((count for way, count in counts.items() if not way.startswith("clean")), collections.Counter())
    for way, count in counts.items():
        rates = ", ".join(f"{found} {100 * n / count.total():.3f} %" for found, n in count.most_common())
        print(f"{way}: {count.total()}: {rates}")


main()
