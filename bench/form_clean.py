#!/usr/bin/env python3
"""form_clean.py: measures utf8_clean in SQL beside ftfy.fix_text: a line for each figure (see bench_print()).

    python3 bench/form_clean.py build/bench/form/*.txt

The values are the lines of the files, or of the texts of bench/texts.py, which have none, every 16
words. A figure is the best of several rounds, in which all take turns, in processor time. ftfy comes through
test/judges/clean.py; if it cannot be fetched, utf8_clean is measured alone.
"""

import os
import sys
import time

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
sys.path.insert(0, os.path.join(ROOT, "test", "judges"))
import clean  # noqa: E402

ROUNDS = 2 if os.environ.get("BENCH_QUICK") else 7
SIZE = 1 << 16  # characters of each text
LISTS = ["ftfy", "repair,mojibake,nfc"]


def values(path):
    with open(path, encoding="utf-8") as file:
        words = file.read(SIZE).split(" ")
    return [line for i in range(0, len(words), 16) for line in " ".join(words[i:i + 16]).splitlines()]


def seconds(run):
    start = time.process_time()
    run()
    return time.process_time() - start


def table(lines):
    """A table of the lines, so often that a scan of it can be timed. Returns how often."""
    times = 1 + 20 * SIZE // sum(map(len, lines))
    clean.db.execute("DROP TABLE IF EXISTS value")
    clean.db.execute("CREATE TABLE value(x TEXT)")
    clean.db.executemany("INSERT INTO value VALUES (?)", [(line,) for line in lines] * times)
    return times


def candidates(lines, fix_text):
    """{name: (function, how often it works on all lines)}"""
    times = table(lines)
    found = {steps: (lambda steps=steps: clean.db.execute(f"SELECT count(utf8_clean(x, '{steps}')) FROM value").fetchone(),
                     times) for steps in LISTS}
    if fix_text:
        found["ftfy.fix_text"] = lambda: [fix_text(line) for line in lines], 1
    return found


def measure(path, fix_text):
    lines = values(path)
    size, rows = sum(len(line.encode()) for line in lines), candidates(lines, fix_text)
    rounds = [[seconds(run) / times for run, times in rows.values()] for _ in range(ROUNDS)]
    name = os.path.splitext(os.path.basename(path))[0]
    for steps, best in zip(rows, map(min, zip(*rounds))):
        print("clean", name, size // len(lines), steps, f"{size / best / 1e6:.2f}", "MB/s", sep="\t", flush=True)


def main(paths):
    fix_text = None
    try:
        clean.fetch()
        from ftfy import fix_text
    except (OSError, ImportError, clean.subprocess.SubprocessError) as error:
        print(f"SKIPPED: ftfy: it cannot be fetched: {error}", file=sys.stderr)
    for path in paths:
        measure(path, fix_text)


main(sys.argv[1:])
