"""measure.py: tool/mojibake/tables.py --measure. Compares with peers.

Text is what was not counted for the costs. Peers are measured if they are installed: plsfix,
and ftfy, whose test cases are read from MOJIBAKE_FTFY, the test_cases.json of its source
distribution.
"""

import importlib
import importlib.metadata
import json
import os
import subprocess
import sys
import time

import corpus
import debiantext
import model

PROGRAM = os.path.join(corpus.WORK, "mojibake")
SOURCES = ["tool/mojibake/mojibake.c", *subprocess.check_output(
    ["sh", "tool/sources.sh", "core"], cwd=debiantext.ROOT, text=True).split()]
MEASURED = ["windows-1252", "iso-8859-1", "windows-1250", "windows-1251", "windows-1254",
            "macintosh", "cp437", "cp850", "koi8-r", "ibm866"]
CLEAN_MAX = 20000  # lines of each language
LINES = int(os.environ.get("MOJIBAKE_LINES", "400"))  # of each language, charset and way


def build():
    os.makedirs(corpus.WORK, exist_ok=True)
    subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-O2", "-I.", "-o", PROGRAM, *SOURCES],
                   cwd=debiantext.ROOT, check=True)


def repaired(lines):
    """Returns (charset or '-', repaired line) for each line."""
    return [(charset.decode(), line.decode())
            for charset, line in repaired_bytes([line.encode() for line in lines])]


def repaired_bytes(lines):
    """Like repaired(), of lines as bytes."""
    data = b"".join(line + b"\n" for line in lines)
    out = subprocess.run([PROGRAM], input=data, stdout=subprocess.PIPE, check=True).stdout
    return [tuple(line.split(b"\t", 1)) for line in out.split(b"\n")[:-1]]


def rate(lines, option):
    data = "".join(line + "\n" for line in lines).encode()
    data *= 1 + 4000000 // len(data)
    return float(subprocess.run([PROGRAM, option], input=data, stdout=subprocess.PIPE,
                                check=True).stdout)


# ---- misreading --------------------------------------------------------------------------

TABLES = {}


def misread(line, name):
    return read_bytes(line.encode(), name)


def read_bytes(data, name):
    """The text that bytes are in a charset."""
    if name not in TABLES:
        number = [n for n, _ in model.CHARSETS + model.RIVALS].index(name)
        TABLES[name] = [chr(b) if b < 128 else chr(model.decode_byte(number, b) or 0xFFFD)
                        for b in range(256)]
    return "".join(TABLES[name][b] for b in data)


def once(line, name):
    return misread(line, name)


def twice(line, name):
    return misread(misread(line, name), name)


def half(line, name):
    """Misreads the second half, or the first if the second is ASCII."""
    cut = line.find(" ", len(line) // 2)
    cut = cut if cut >= 0 else len(line) // 2
    if line[cut:].isascii():
        return misread(line[:cut], name) + line[cut:]
    return line[:cut] + misread(line[cut:], name)


# ---- the tables --------------------------------------------------------------------------

def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---" + "|---:" * (len(head) - 1) + "|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print()


def percent(part, whole):
    return f"{100 * part / whole:.1f}"


def test_lines(language):
    return [x for x in corpus.lines(language)
            if not corpus.is_for_training(x) and not x.isascii() and "\x85" not in x]


def measure_clean(texts):
    total = changed = 0
    for language, lines in texts.items():
        lines = lines[:CLEAN_MAX]
        total += len(lines)
        for line, (charset, new) in zip(lines, repaired(lines)):
            if new != line:
                changed += 1
                print(f"changed: {language}: {charset}: {line!r} -> {new!r}")
    print(f"Clean lines with characters above 7F: {total}. Changed: {changed}.\n")


def measure_misread(texts, way, fix=None, only=None, count=LINES):
    """Prints the share of lines restored exactly."""
    rows, sums = [], {name: [0, 0] for name in only or MEASURED}
    for language, lines in texts.items():
        lines, row = lines[:count], [language]
        for name, tally in sums.items():
            bad = [way(line, name) for line in lines]
            new = [fix(x) for x in bad] if fix else [x for _, x in repaired(bad)]
            right = sum(a == b for a, b in zip(lines, new))
            tally[0] += right
            tally[1] += len(lines)
            row.append(percent(right, len(lines)))
        rows.append(row)
    rows.append(["all", *(percent(*tally) for tally in sums.values())])
    print_table(["", *sums], rows)


def measure_unseen():
    """Prints the same for text that nothing was tuned on; some of it is really misread."""
    lines = [x for x in corpus.unseen() if not x.isascii() and "\x85" not in x]
    changed = [(x, y) for x, (_, y) in zip(lines, repaired(lines)) if x != y]
    print(f"Unseen lines: {len(lines)}. Changed: {len(changed)}.")
    for before, after in changed:
        print(f"changed: {before!r} -> {after!r}")
    lines = [x for x in lines if x not in dict(changed)][::60]
    for way in (once, twice, half):
        print(f"Unseen, misread {way.__name__}:\n")
        measure_misread({"quotations": lines}, way, count=len(lines))


def measure_speed(texts, fix):
    rows = []
    plsfix = fix_of("plsfix", "fix_text")
    for language in ("en", "fr", "ru", "zh_CN", "ja", "ar", "de", "el", "ko"):
        lines = texts[language]
        rows.append([language + ", clean", round(rate(lines, "-b")), round(rate(lines, "-l")),
                     speed_of(fix, lines), speed_of(plsfix, lines)])
    for language in ("fr", "de", "es", "pl", "ru", "zh_CN"):
        lines = [once(x, "windows-1252") for x in texts[language]]
        rows.append([language + ", misread", round(rate(lines, "-b")), round(rate(lines, "-l")),
                     speed_of(fix, lines), speed_of(plsfix, lines)])
    print_table(["MB/s of processor time", "one text", "by line", "ftfy by line",
                 "plsfix by line"], rows)


def speed_of(fix, lines):
    if not fix:
        return "–"
    lines = lines[:1500]
    start = time.process_time()
    for line in lines:
        fix(line)
    return f"{sum(len(x.encode()) for x in lines) / 1e6 / (time.process_time() - start):.1f}"


def measure_ftfy_cases(fix):
    """Compares with ftfy on its own cases; one value is one line."""
    with open(os.environ["MOJIBAKE_FTFY"], encoding="utf-8") as file:
        cases = [case for case in json.load(file) if "\n" not in case["original"]]
    new = repaired([case["original"] for case in cases])
    same = 0
    for case, (charset, text) in zip(cases, new):
        due = fix(case["original"])
        same += text == due
        if text != due:
            print(f"differs ({case['expect']}): {case['label']}: {charset}: {text!r}")
    print(f"ftfy's cases: {same} of {len(cases)} as fix_encoding.\n")


def fix_of(package, function):
    """Returns a peer's function, or None if the package is not installed."""
    try:
        found = getattr(importlib.import_module(package), function)
        print(package, importlib.metadata.version(package))
        return found
    except ImportError:
        print(f"{package}: not installed")
        return None


def main():
    corpus.fetch()
    build()
    fix = fix_of("ftfy", "fix_encoding")
    print("text: " + ", ".join(debiantext.versions(corpus.WORK)) + "\n")
    texts = {language: test_lines(language) for language in corpus.LANGUAGES}
    measure_clean(texts)
    for way in (once, twice, half):
        print(f"Misread {way.__name__}:\n")
        measure_misread(texts, way)
    measure_unseen()
    if fix:
        print("Misread once, ftfy:\n")
        measure_misread(texts, once, fix, MEASURED, 60)
        if "MOJIBAKE_FTFY" in os.environ:
            measure_ftfy_cases(fix)
    measure_speed(texts, fix)
    sys.stdout.flush()
