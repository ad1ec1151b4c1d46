#!/usr/bin/env python3
"""clean.py: compares utf8_clean(X, 'ftfy') with ftfy.fix_text(X), and tests what cleaning leaves alone.

    python3 test/judges/clean.py

Texts are ftfy's own test cases, lines of 29 languages from Debian's packages (tool/mojibake/corpus.py),
and those lines damaged: misread, escaped as HTML, with other line ends, widths, quotes, controls. Each
difference has a reason, and each reason a bound. Needs pip and apt-get.
"""

import collections
import html
import json
import os
import random
import subprocess
import sys
import tarfile
import unicodedata

from extension import ROOT, connect, finish, report
import generated

PACKAGES = os.path.join(ROOT, "build", "ftfy")
VERSION = "6.3.1"
SOURCE = os.path.join(PACKAGES, f"ftfy-{VERSION}.tar.gz")
LINES = 3000  # of each language
STEPS = ("json html url escapes lines ligatures width quotes controls invisible nfc nfkc trim mojibake repair "
         "ftfy repair,mojibake,nfc").split()

# How many texts may differ, for each reason. Six of ftfy's cases are restored here alone, such as "DrÃ¥ber" beside a
# clean dash; ten are left here, such as "HÃ”TEL", as less than 0.999 sure; and boxes with letters become "ôaſaſa".
BOUNDS = {
    "ftfy's cases": {"mojibake": 17},
    "lines": {"mojibake": 20},
    "damaged lines": {"mojibake": 500, "escapes in full width": 100},
}

# What the steps "ftfy" remove in addition to those of their names.
REMOVED = dict.fromkeys([*range(0x1C, 0x20), *range(0x206A, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFD)])

sys.path.append(os.path.join(ROOT, "tool", "mojibake"))


def fetch():
    """Installs ftfy in build/ftfy, and its source distribution, which has the test cases."""
    generated.install(PACKAGES, "ftfy==" + VERSION)
    if not os.path.exists(SOURCE):
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-binary", "ftfy",
                        "-d", PACKAGES, "ftfy==" + VERSION], check=True)


db = connect()


def cleaned(text, steps):
    return db.execute("SELECT utf8_clean(?, ?)", (text, steps)).fetchone()[0]


# ---- ftfy -----------------------------------------------------------------------------------


def reason(text):
    """Why the results differ: if neither undoes mojibake, they agree, or they do not."""
    import ftfy
    config = ftfy.TextFixerConfig(fix_encoding=False, fix_c1_controls=False)
    theirs = ftfy.fix_text(text.translate(REMOVED), config)
    ours = cleaned(text.translate(REMOVED), "html,escapes,lines,ligatures,width,quotes,controls,nfc")
    if ours == theirs:
        return "mojibake"
    if "\x1b\uff3b" in text:
        return "escapes in full width"  # ftfy removes them after it narrows them
    return "none"


def compare(what, texts):
    """Compares the texts, and counts the differences by their reason."""
    import ftfy
    counts, examples = collections.Counter(), {}
    for text in texts:
        ours, theirs = cleaned(text, "ftfy"), ftfy.fix_text(text)
        if ours != theirs:
            why = reason(text)
            counts[why] += 1
            examples.setdefault(why, (text, ours, theirs))
    bounds = BOUNDS[what]
    said = ", ".join(f"{n} {why}" for why, n in counts.most_common()) or "none differs"
    report(all(n <= bounds.get(why, 0) for why, n in counts.items()), f"{what}: {len(texts):,}: {said}")
    for why in set(counts) - set(bounds):
        print("    ", why, *map(ascii, examples[why]), sep="\n      ")


def cases():
    """The test cases in ftfy's source distribution."""
    with tarfile.open(SOURCE) as tar:
        tests = json.load(tar.extractfile(f"ftfy-{VERSION}/tests/test_cases.json"))
    return [test["original"] for test in tests]


WIDE = {code: code + 0xFEE0 for code in range(0x21, 0x7F)} | {0x20: 0x3000}
DAMAGE = [
    lambda line: line.encode().decode("latin-1"),
    lambda line: line.encode().decode("cp1252", "ignore"),
    lambda line: html.escape(line),
    lambda line: "".join(f"&#{ord(c)};" if c > "\x7f" else c for c in line),
    lambda line: html.escape(html.escape(line)),
    lambda line: line.replace(" ", "\r\n") + "\r",
    lambda line: line.translate(WIDE),
    lambda line: "\u2018" + line.replace("fi", "\ufb01") + "\u201d",
    lambda line: "\x1b[31;1m" + line + "\x1b[0m",
    lambda line: unicodedata.normalize("NFD", line),
    lambda line: "\ufeff" + line.replace(" ", "\x00"),
    lambda line: line.replace("e", "\u206ae\x1c", 1),
]


def damaged(lines):
    rng = random.Random(6)
    return [rng.choice(DAMAGE)(line) for line in lines]


# ---- what cleaning leaves alone ------------------------------------------------------------------


def program_lines():
    """Lines of programs, SQL, JSON, CSV and markup of this project."""
    out = subprocess.run(["git", "ls-files", "*.c", "*.h", "*.py", "*.js", "*.sql", "*.json", "*.csv",
                          "*.md", "*.tcl", "*.sh"], cwd=ROOT, capture_output=True, text=True, check=True)
    for path in out.stdout.split():
        if path.startswith(("test/", "docs/", "examples/", "python/tests/", "README", "CHANGELOG")):
            continue  # they show mojibake
        with open(os.path.join(ROOT, path), "rb") as file:
            data = file.read()
        if "Ã".encode() not in data and "Р".encode() not in data:
            yield from data.decode("utf-8", "ignore").split("\n")


def mathematics():
    signs = [chr(code) for code in range(0x2200, 0x2300)]
    rng = random.Random(7)
    for _ in range(20000):
        yield " ".join(rng.choice([*signs, "x", "2π", "ƒ(x)", "½", "±5 %", "1.41", "≈", "Å", "µm", "10⁻³"])
                       for _ in range(rng.randrange(2, 12)))


def unchanged(what, texts, steps="repair,mojibake,controls", most=0):
    """Tests that at most `most` texts change."""
    texts = list(texts)
    wrong = [text for text in texts if cleaned(text, steps) != text]
    report(len(wrong) <= most, f"{what}: {len(texts):,}, {len(wrong)} changed by {steps}")
    for text in wrong[:3]:
        print("     ", ascii(text), ascii(cleaned(text, steps)))


def only_normalized(lines):
    """nfc changes in clean text what NFC changes."""
    wrong = [line for line in lines if unicodedata.is_normalized("NFC", line)
             and cleaned(line, "nfc") != line or cleaned(line, "nfc") != unicodedata.normalize("NFC", line)]
    report(not wrong, f"nfc is NFC: {len(lines):,}, {len(wrong)} differ")


def idempotent(texts):
    for steps in STEPS:
        wrong = [x for x in texts if cleaned(cleaned(x, steps), steps) != cleaned(x, steps)]
        report(not wrong, f"{steps} again: {len(texts):,}, {len(wrong)} change")
        for text in wrong[:2]:
            print("     ", ascii(text))


def main():
    import corpus
    try:
        fetch()
        corpus.fetch()
    except (OSError, subprocess.SubprocessError) as error:
        print(f"SKIPPED: ftfy: its packages cannot be fetched: {error}\n0 passed, 0 failed")
        return
    lines = [line for name in corpus.LANGUAGES for line in corpus.lines(name)[:LINES]]
    lines += corpus.unseen()[:20000]
    compare("ftfy's cases", cases())
    compare("lines", lines)
    compare("damaged lines", damaged(lines[::8]))
    unchanged("lines", (line for line in lines if line.isprintable()), most=2)
    unchanged("program lines", program_lines())
    unchanged("mathematics", mathematics())
    only_normalized(lines)
    idempotent(lines[::20] + damaged(lines[::20]) + cases())
    finish()


if __name__ == "__main__":
    main()
