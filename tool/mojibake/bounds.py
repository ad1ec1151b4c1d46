#!/usr/bin/env python3
"""bounds.py: measures how mojibake is restored on text that nothing was tuned on, and fails if it got worse.

    python3 tool/mojibake/bounds.py            # make check-mojibake-bounds
    python3 tool/mojibake/bounds.py --tables   # also a row for each language

A value comes back as it was (restored), stays as it is (left), or becomes something else. The
last is never right, and is counted apart.
"""

import hashlib
import os
import sqlite3
import subprocess
import sys

import corpus  # also adds the folder of the tools to the path
import frames
import generated
import model
import unseen

SIGNS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "signs.txt")

# ---- bounds ----------------------------------------------------------------------------------

CLEAN_MIN = 3000000     # lines
CLEAN_CHANGED = 1e-6    # of them
LEGACY_CHANGED = 0.006  # of the names of each pair, into something else

# One accented letter in a short text, restored; and changed into something else.
ACCENTS = {"windows-1252": 0.71, "cp437": 0.86, "cp850": 0.87, "macintosh": 0.755,
           "windows-1251": 0.765}
ACCENTS_OTHER = 0.012
# A word in capitals, restored; and changed into something else.
CAPITALS = {"windows-1252": 0.96, "windows-1250": 0.925, "windows-1251": 0.97, "cp437": 0.98,
            "cp850": 0.988, "macintosh": 0.975}
CAPITALS_OTHER = 0.0002
# Lines of all languages: restored, and changed into something else.
LINES = {"windows-1252": (0.985, 0.001), "iso-8859-1": (0.99, 0.001), "windows-1250": (0.96, 0.001),
         "windows-1251": (0.98, 0.001), "windows-1254": (0.985, 0.001), "macintosh": (0.975, 0.001),
         "cp437": (0.98, 0.002), "cp850": (0.97, 0.005), "koi8-r": (0.99, 0.001),
         "ibm866": (0.98, 0.002)}
# Charsets that read the same characters as other letters, in which text is seldom misread.
LINES.update({"iso-8859-2": (0.868, 0.01), "iso-8859-15": (0.92, 0.01), "iso-8859-16": (0.82, 0.01),
              "cp857": (0.92, 0.01), "cp775": (0.785, 0.01), "iso-8859-4": (0.795, 0.01),
              "iso-8859-13": (0.92, 0.01), "cp737": (0.36, 0.01), "mac-latin2": (0.76, 0.01)})

# The first digits of the MD5 of lines that are misread in their package, by review.
MISREAD = set("""
39d1883c6bd3 1b902e17d6ec 2202ba5f6569 6c62f103bafa deb3d6efab33 83eddf80a450 c05b4d503122
933c8671c6c1 81f6cbce7f73 bbe5f041634b 5a8a2ed082f8 83a3cc13c16a 20e154202a70 dfd3a5cb90b6
""".split())

# ---- the extension ---------------------------------------------------------------------------

DB = sqlite3.connect(":memory:")
DB.text_factory = bytes
DB.enable_load_extension(True)
DB.load_extension(os.path.join(corpus.ROOT, "utf8ext"))


def restored(lines):
    """Returns (charset or '-', restored line) for each line."""
    return [(charset.decode(), line.decode())
            for charset, line in restored_bytes([line.encode() for line in lines])]


def restored_bytes(lines):
    """Like restored(), of lines as bytes."""
    sql = "SELECT ifnull(utf8_mojibake(?1), '-'), CAST(utf8_demojibake(?1) AS BLOB)"
    return [DB.execute(sql, (line,)).fetchone() for line in lines]


TABLES = {}


def misread(text, charset):
    return read_bytes(text.encode(), charset)


def read_bytes(data, charset):
    """The text that bytes are in a charset."""
    if charset not in TABLES:
        number = [name for name, _ in model.CHARSETS + model.RIVALS].index(charset)
        TABLES[charset] = [chr(b) if b < 128 else chr(model.decode_byte(number, b) or 0xFFFD)
                           for b in range(256)]
    return "".join(TABLES[charset][b] for b in data)


# ---- clean text ------------------------------------------------------------------------------

BATCH = 200000


def changed_lines():
    """Yields the number of lines of a batch, and (charset, before, after) of each that changes."""
    with open(unseen.clean_lines(), "rb") as file:
        lines = file.read().split(b"\n")
    for i in range(0, len(lines), BATCH):
        batch = lines[i:i + BATCH]
        pairs = zip(batch, restored_bytes(batch))
        yield len(batch), [(charset, a, b) for a, (charset, b) in pairs if a != b]


def check_clean():
    total, changed = 0, []
    for count, some in changed_lines():
        total += count
        changed += some
    wrong = [x for x in changed if hashlib.md5(x[1]).hexdigest()[:12] not in MISREAD]
    for charset, before, after in wrong:
        print(f"changed: {hashlib.md5(before).hexdigest()[:12]} {charset.decode()}: "
              f"{before.decode()!r} -> {after.decode()!r}"[:300])
    yield total >= CLEAN_MIN, f"{total} clean lines"
    yield len(wrong) <= CLEAN_CHANGED * total, \
        f"{len(wrong)} of them changed; {len(changed) - len(wrong)} more are misread in their package"


def check_signs():
    with open(SIGNS, encoding="utf-8") as file:
        lines = file.read().splitlines()
    changed = [(a, b) for a, (_, b) in zip(lines, restored(lines)) if a != b]
    yield not changed, f"{len(lines)} signs, formulas and alphabets, changed: {changed}"


FRAMES_COUNT = 100000  # values
FRAMES_CHANGED = 2e-5   # of them
FRAMES_SEEDS = (1, 2, 3)


def check_frames():
    for seed in FRAMES_SEEDS:
        table = frames.columns(FRAMES_COUNT, seed)
        changed = set(frames.changed(table))
        count = sum(len(values) for values in table.values())
        yield len(changed) <= FRAMES_CHANGED * count and count >= FRAMES_COUNT, \
            f"{count} words in {len(table)} languages beside signs, changed: {sorted(changed)}"


# ---- misread text ----------------------------------------------------------------------------

LETTERS = ("àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿßÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜÝ"
           "œŒšŠžŽőűłńęąěř")
CONTEXTS = ["{}", "a{}", "{}a", "caf{}", "2{}me", "1{}re", "({}tre)", "16{}me Arr", "{}t{}",
            "l’{}t{}", "un {} deux", "“{}”", "x {}", "{} x", "{}, b", "a{}b", "A{}B", "{}n", "b{}.",
            "Stra{}e 5", "na{}ve", "M{}ller GmbH", "S{}o"]


def outcome(texts, charset):
    """The shares of texts misread in a charset that are restored, and that become something else."""
    pairs = [(text, misread(text, charset)) for text in texts]
    new = restored([read for _, read in pairs])
    same = sum(after == text for (text, _), (_, after) in zip(pairs, new))
    other = sum(after not in pair for pair, (_, after) in zip(pairs, new))
    return same / len(pairs), other / len(pairs)


def check_accents():
    texts = [context.replace("{}", letter) for letter in LETTERS for context in CONTEXTS]
    for charset, bound in ACCENTS.items():
        restored, other = outcome(texts, charset)
        yield restored >= bound and other <= ACCENTS_OTHER, \
            f"an accented letter in {charset}: {restored:.1%} restored, {other:.2%} something else"


def capitals():
    """Distinct words of all languages in capitals, with a letter beyond ASCII."""
    words = (word.upper() for found in frames.words_by_language().values() for word in found[0])
    return sorted(word for word in set(words) if not word.isascii())


def check_capitals():
    texts = capitals()
    for charset, bound in CAPITALS.items():
        known = [text for text in texts if len(misread(text, charset)) > len(text)]
        restored, other = outcome(known, charset)
        yield restored >= bound and other <= CAPITALS_OTHER, \
            f"{len(known)} words in capitals in {charset}: {restored:.1%} restored, {other:.3%} something else"


def check_languages(is_table):
    rows, sums, total = [], {charset: [0, 0] for charset in LINES}, 0
    for language, lines in unseen.lines_by_language():
        row = [language]
        total += len(lines)
        for charset, tally in sums.items():
            restored, other = outcome(lines, charset)
            row.append(f"{100 * restored:.1f}")
            tally[0] += restored * len(lines)
            tally[1] += other * len(lines)
        rows.append(row)
    if is_table:
        for row in ["restored, in percent", *LINES], *rows:
            print("\t".join(row))
    for charset, (restored, other) in sums.items():
        bounds = LINES[charset]
        yield restored / total >= bounds[0] and other / total <= bounds[1], \
            f"{total} lines in {charset}: {restored / total:.1%} restored, {other / total:.2%} something else"


# ---- text of one legacy charset read in another ------------------------------------------------

PAIRS = [("ru", "windows-1251", "windows-1252"), ("ru", "koi8-r", "windows-1252"),
         ("ru", "ibm866", "windows-1252"), ("ru", "ibm866", "windows-1251"),
         ("ru", "windows-1251", "ibm866"), ("uk", "windows-1251", "windows-1252"),
         ("ja", "euc_jp", "windows-1252"), ("ja", "cp932", "windows-1252"),
         ("ja", "euc_jp", "macintosh"), ("zh", "gbk", "windows-1252"), ("zh", "gbk", "windows-1251"),
         ("zh", "gbk", "cp437"), ("zh_TW", "big5", "windows-1252"), ("ko", "cp949", "windows-1252"),
         ("th", "cp874", "windows-1252"), ("el", "cp1253", "windows-1252"),
         ("el", "cp737", "windows-1252"), ("ar", "cp1256", "windows-1252"),
         ("fr", "windows-1252", "cp437"), ("fr", "macintosh", "windows-1252")]
CODECS = {"macintosh": "mac_roman", "ibm866": "cp866"}


def read_otherwise(names, charset, other):
    """The names of one charset read in another: {what they became: name}."""
    found = {}
    for name in names:
        try:
            data = name.encode(CODECS.get(charset, charset))
        except UnicodeEncodeError:
            continue
        read = read_bytes(data, other)
        if read != name and "\x85" not in read:
            found[read] = name
    return found


def check_legacy():
    names = dict(unseen.names())
    for language, charset, other in PAIRS:
        names_of = read_otherwise(names[language], charset, other)
        texts = list(names_of)
        changed = sum(b not in (a, names_of[a]) for a, (_, b) in zip(texts, restored(texts)))
        yield changed <= LEGACY_CHANGED * len(texts), \
            f"{len(texts)} names in {charset} ({language}) read in {other}: {changed / len(texts):.2%} became something else"


def main():
    results = [*check_signs(), *check_accents()]
    try:
        results += check_clean()
        results += check_frames()
        results += check_capitals()
        results += check_languages("--tables" in sys.argv)
        results += check_legacy()
    except (OSError, subprocess.SubprocessError) as reason:
        print(f"SKIPPED: mojibake in real text: {reason}")
    return generated.report(results)


if __name__ == "__main__":
    sys.exit(main())
