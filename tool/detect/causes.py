#!/usr/bin/env python3
"""causes.py: how often utf8_cause is right, and what it would write, on text that nothing was tuned on.

    make && python3 tool/detect/causes.py                # the table of docs/repair.md
    python3 tool/detect/causes.py --development          # the text that may be looked at
    python3 tool/detect/causes.py --by language          # each language apart; or charset
    python3 tool/detect/causes.py --show wrong           # values with a wrong letter

Text: translations in small Debian packages and names of PyPI's Faker that neither tables nor
thresholds were made with (PACKAGES). A value is what remains of a line after an accident. Its
repair by cause is

right    the text as it was, or with U+FFFD in the place of what the accident destroyed
wrong    anything else without a U+FFFD more than that: a letter was invented
left     text is lost that the bytes still had, but nothing was invented
"""

import argparse
import collections
import glob
import os
import re
import subprocess
import sys

import peers
import texts
import unseen
from unseen import read_mo

WORK = os.path.join(peers.ROOT, "build", "causes")
PACKAGES = ["gedit-common", "geary", "nautilus-data", "rhythmbox-data", "shotwell-common",
            "transmission-common", "krita-l10n", "kdenlive-data", "kalzium-data", "minetest-data",
            "evince-common", "smplayer-l10n"]
FAKER = "faker==40.54.0"

LINES = 60  # of each language and kind of accident
LANGUAGES = dict(unseen.LANGUAGES, hi=("hi", "", ""), ka=("ka", "", ""), bn=("bn", "", ""), ta=("ta", "", ""))
LANGUAGES = {k: v for k, v in LANGUAGES.items() if k not in ("mt", "cy", "sq")}


def fetch():
    """Downloads and unpacks the packages, once; only their translations."""
    done = os.path.join(WORK, "unpacked")
    if os.path.exists(done):
        return
    os.makedirs(os.path.join(WORK, "deb"), exist_ok=True)
    subprocess.run(["apt-get", "download", "-q", *PACKAGES], cwd=os.path.join(WORK, "deb"), check=True)
    for path in glob.glob(os.path.join(WORK, "deb", "*.deb")):
        target = os.path.join(WORK, "x", os.path.basename(path).split("_")[0])
        os.makedirs(target, exist_ok=True)
        subprocess.run(f"dpkg-deb --fsys-tarfile '{path}' | tar -x -C '{target}' --wildcards '*.mo'",
                       shell=True, check=True)
    open(done, "w").close()


def lines_of(language, development):
    """The distinct lines of a language beyond ASCII, in a random order that is always the same."""
    found = {}
    if development:
        for name, lines in unseen.sources(language).items() if language in unseen.LANGUAGES else ():
            found.update((line, True) for line in lines if not unseen.is_final(name))
    else:
        for name in LANGUAGES[language][0].split():
            for path in sorted(glob.glob(os.path.join(WORK, "x", "**", name, "LC_MESSAGES", "*.mo"), recursive=True)):
                for block in read_mo(path):
                    found.update((line, True) for line in unseen.lines_of(block))
    lines = [line for line in found if not line.isascii()]
    texts.random_of("lines", language).shuffle(lines)
    return lines


# ---- accidents ---------------------------------------------------------------------------------

class Case(collections.namedtuple("Case", "group language charset data text allowed")):
    """data is what became of text; allowed: what right repairs return."""


def subpart(data):
    return data.decode("utf-8", "replace")


def sequences(text):
    return [i for i, c in enumerate(text) if c > "\x7f"]


def damaged(text, random):
    """The line with one byte of a sequence lost or overwritten, until it is ill-formed."""
    data = text.encode()
    places = [i for i, b in enumerate(data) if b > 0x7F]
    while True:
        at = random.choice(places)
        new = data[:at] + (b"" if random.random() < 0.5 else bytes([random.randint(0x20, 0xFF)])) + data[at + 1:]
        try:
            new.decode()
        except UnicodeDecodeError:
            return new


def has_sequence(data):
    return any(c > "\x7f" and c != "\ufffd" for c in subpart(data))


def damage_cases(language, lines, random):
    count = collections.Counter()
    for line in lines:
        data = damaged(line, random)
        size = "line" if 60 <= len(line) <= 500 else "short" if 9 <= len(line.encode()) <= 40 else None
        kind = "a sequence left" if has_sequence(data) else "no sequence left"
        if size and count[size, kind] < LINES:
            count[size, kind] += 1
            yield Case(f"damaged {size}, {kind}", language, "utf-8", data, line, {line, subpart(data)})


def cut_cases(language, lines, random):
    count = 0
    for line in lines:
        data = line.encode()
        end = random.randint(len(data) // 2, len(data))
        start = 0 if random.random() < 0.7 else random.randint(0, len(data) // 4)
        data = data[start:end]
        try:
            data.decode()
        except UnicodeDecodeError:
            if has_sequence(data) and 10 <= len(data) <= 500:
                yield Case("cut", language, "utf-8", data, line, {subpart(data)})
                count += 1
        if count == LINES:
            return


def legacy_cases(language, lines, charsets, random):
    for charset in charsets:
        count = collections.Counter()
        for line in lines:
            size = "line" if 60 <= len(line) <= 500 else "short" if 4 <= len(line) <= 25 else None
            if not size or count[size] == LINES:
                continue
            text = texts.as_typed(line, charset)
            data = peers.encode(text, charset)
            if data is None or text.isascii() or is_utf8(data):
                continue
            count[size] += 1
            yield Case("legacy " + size, language, charset, data, text, {text})


def is_utf8(data):
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def words(line):
    return [w for w in re.findall(r"\w+", line) if not w.isascii() and len(w) > 2]


def pasted_cases(language, lines, charsets, random):
    count = 0
    for line, other in zip(lines, reversed(lines)):
        if not charsets or not 20 <= len(line) <= 300 or not words(other):
            continue
        word = random.choice(words(other))
        data = peers.encode(word, charsets[0])
        if data is None or is_utf8(data):
            continue
        at = random.choice([m.start() for m in re.finditer(" ", line)] or [len(line)])
        value = line[:at].encode() + b" " + data + line[at:].encode()
        text = line[:at] + " " + word + line[at:]
        count += 1
        yield Case("pasted word", language, charsets[0], value, text, {text})
        if count == LINES:
            return


def cases(development):
    for language, (_, _, names) in LANGUAGES.items():
        lines = lines_of(language, development)
        charsets = [c for c in names.split() if c not in ("iso-2022-jp",)]
        single = [c for c in charsets if c not in ("gbk", "big5", "euc-jp", "shift_jis", "euc-kr")]
        for make in (damage_cases, cut_cases):
            yield from make(language, lines, texts.random_of(language, make.__name__))
        yield from legacy_cases(language, lines, charsets, texts.random_of(language, "legacy"))
        yield from pasted_cases(language, lines, single, texts.random_of(language, "pasted"))


# ---- results -------------------------------------------------------------------------------------

def by_cause(data, cause):
    """What policy auto writes."""
    if cause == "binary":
        return None
    if cause in ("cesu-8", "mutf-8"):
        return peers.DB.execute("SELECT CAST(utf8_repair(?, 'cesu-8') AS TEXT)", (data,)).fetchone()[0]
    if cause.startswith("utf-8+"):
        return peers.DB.execute("SELECT CAST(utf8_repair(?, ?) AS TEXT)", (data, cause[6:])).fetchone()[0]
    if cause in ("overlong", "cut", "damaged", "unclear"):
        return subpart(data)
    return peers.DB.execute("SELECT utf8_from(?, ?)", (data, cause)).fetchone()[0]


def judge(case):
    cause, detected = peers.DB.execute("SELECT utf8_cause(?), utf8_detect(?)", (case.data, case.data)).fetchone()
    written = by_cause(case.data, cause)
    if written in case.allowed:
        result = "right"
    elif written is None or written == subpart(case.data):
        result = "left"
    else:
        result = "wrong"
    return result, cause, detected


def is_detected(case, detected):
    if case.charset == "utf-8":
        return detected == "utf-8"
    if case.group == "pasted word":
        return detected == "utf-8"
    return peers.read(case.data, detected) == case.text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--development", action="store_true")
    parser.add_argument("--by", choices=["language", "charset"])
    parser.add_argument("--show")
    parser.add_argument("--group", default="")
    options = parser.parse_args()
    if options.development:
        unseen.fetch()
    else:
        fetch()
    counts = collections.defaultdict(collections.Counter)
    for case in cases(options.development):
        if options.group not in case.group:
            continue
        result, cause, detected = judge(case)
        key = case.group if not options.by else f"{case.group}: {getattr(case, options.by)}"
        row = counts[key]
        row["all"] += 1
        row[result] += 1
        row["unclear"] += cause == "unclear"
        row["detected"] += is_detected(case, detected)
        row["written"] += cause not in ("cut", "damaged", "unclear", "overlong", "binary")
        if options.show == result or options.show == "unclear" == cause:
            print(case.group, case.language, case.charset, cause, detected, case.data.hex(), case.text[:70], sep="\t")
    print("%-34s %6s %7s %7s %7s %8s %9s %8s" % ("", "values", "right%", "wrong", "left%", "unclear%", "detected%", "written"))
    total = collections.Counter()
    for key, row in counts.items():
        total.update(row)
    for key, row in [*sorted(counts.items()), ("all", total)]:
        n = row["all"]
        print("%-34s %6d %7.2f %7d %7.2f %8.2f %9.2f %8d" % (key, n, 100 * row["right"] / n, row["wrong"],
              100 * row["left"] / n, 100 * row["unclear"] / n, 100 * row["detected"] / n, row["written"]))


if __name__ == "__main__":
    sys.exit(main())
