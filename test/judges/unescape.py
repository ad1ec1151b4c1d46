#!/usr/bin/env python3
"""unescape.py: compares utf8_unescape(X, 'html') with Python's html.unescape.

    python3 test/judges/unescape.py
    HTML5LIB=html5lib-tests/tokenizer python3 test/judges/unescape.py    # also html5lib's tests

The inputs are all named references, each with and without its semicolon and before other characters,
all numbers, and random texts from a fixed seed. Python removes control characters and noncharacters
that are written as a number, where WHATWG keeps them; these are compared with chr().
"""

import html
import html.entities
import json
import os
import random
import re
import sqlite3
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
EXTENSION = os.path.join(HERE, "..", "..", os.environ.get("EXTENSION", "utf8ext.so"))
NAMES = sorted({name.rstrip(";") for name in html.entities.html5})
results = []

db = sqlite3.connect(":memory:")
db.enable_load_extension(True)
db.load_extension(EXTENSION)


def unescaped(text):
    return db.execute("SELECT utf8_unescape(?, 'html')", (text,)).fetchone()[0]


def compare(what, pairs):
    """Counts one test: each pair of an input and the expected output."""
    wrong, count = [], 0
    for text, expected in pairs:
        count += 1
        if unescaped(text) != expected:
            wrong.append((text, unescaped(text), expected))
    ok = count > 0 and not wrong
    results.append(ok)
    print("ok  " if ok else "FAIL", f"{what}: {count:,}", *wrong[:3])


def named():
    for name in NAMES:
        for after in (";", "", "x", "=", "1", " ", "&", "\u00e9", ";;", ";" + name):
            yield f"a&{name}{after}b"
        for end in range(1, len(name)):
            yield "&" + name[:end]
            yield "&" + name[:end] + ";"


def numbers():
    """All numbers of scalar values and some others, in both bases; Python's exceptions apart."""
    for code in [*range(0x3000), *range(0xD7F0, 0xE010), *range(0xFD00, 0x10010),
                 *range(0x1FFF0, 0x10FFFF, 0xFFF7), 0x10FFFF, 0x110000, 10 ** 30]:
        expected = html.unescape(f"&#{code};")
        if expected == "":
            expected = chr(code)
        for text in (f"&#{code};", f"&#x{code:x};", f"&#X{code:08X};", f"&#{code:020}"):
            yield text, expected


def random_texts(count):
    rng = random.Random(2781)
    pieces = ["&", "&", "&", "#", "x", "X", ";", ";", "&#", "&#x", "0", "65", "20AC", "amp", "lt",
              "not", "notin", "no", "\u00e9", " ", "<", "=", "zwnj", "\U0001f600", "&amp;", "\n"]
    for _ in range(count):
        yield "".join(rng.choice(pieces) if rng.random() < 0.8 else rng.choice(NAMES)
                      for _ in range(rng.randrange(12)))


def removes_nothing(text):
    """Does html.unescape() remove no character that is written as a number?"""
    return all(html.unescape(number)
               for number in re.findall(r"&#(?:[xX][0-9a-fA-F]+|[0-9]+);?", text))


def html5lib(folder):
    """The tests of the data state whose input is one run of text."""
    for name in ("entities", "namedEntities", "numericEntities"):
        with open(os.path.join(folder, name + ".test"), encoding="utf-8") as file:
            tests = json.load(file)["tests"]
        for test in tests:
            is_text = all(token[0] == "Character" for token in test["output"] if token != "ParseError")
            if is_text and "initialStates" not in test and "doubleEscaped" not in test:
                yield test["input"], "".join(t[1] for t in test["output"] if t != "ParseError")


compare("named references", ((text, html.unescape(text)) for text in named()))
compare("numbers", numbers())
compare("random texts", ((text, html.unescape(text)) for text in random_texts(200000)
                         if removes_nothing(text)))
if "HTML5LIB" in os.environ:
    compare("html5lib's tests", html5lib(os.environ["HTML5LIB"]))
print(f"{sum(results)} passed, {len(results) - sum(results)} failed")
sys.exit(0 if all(results) else 1)
