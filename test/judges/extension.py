"""extension.py: connects to SQLite with utf8ext, and counts passed and failed tests, for the judges.

Adds the folder of the tools to the path.
"""

import os
import sqlite3
import sys

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
sys.path.append(os.path.join(ROOT, "tool"))


def connect():
    db = sqlite3.connect(":memory:")
    db.enable_load_extension(True)
    db.load_extension(os.path.join(ROOT, os.environ.get("EXTENSION", "utf8ext.so")))
    return db


results = []  # of each test, whether it passed


def report(ok, what, *more):
    results.append(ok)
    print("ok  " if ok else "FAIL", what, *more)


def compare(what, pairs, least=1):
    """Counts one test: in each pair, our result and the judge's must be equal; at least `least` pairs are needed."""
    pairs = list(pairs)
    wrong = [pair for pair in pairs if pair[0] != pair[1]]
    report(len(pairs) >= least and not wrong, f"{what}: {len(pairs):,}", *map(ascii, wrong[:3]))


def finish():
    print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
    sys.exit(not all(results))
