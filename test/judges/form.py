#!/usr/bin/env python3
"""form.py: compares utf8_normalize and utf8_casefold with unicodedata2, Python and Node's ICU.

    python3 test/judges/form.py

The inputs are random concatenations, from a fixed seed, of characters that change or combine. unicodedata2
has utf8_unicode_version(). Python and Node may have an older version: there, texts with characters that
are not assigned in theirs are left out. Needs pip; without Node, ICU is skipped.
"""

import importlib
import json
import os
import random
import shutil
import subprocess
import unicodedata

from extension import ROOT, compare, connect, finish
import generated

PACKAGES = os.path.join(ROOT, "build", "form-judges")
FORMS = ("NFC", "NFD", "NFKC", "NFKD")
TEXTS = 50_000
NODE = """
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8')), unassigned = /\\p{Cn}/u
const forms = text => ['NFC', 'NFD', 'NFKC', 'NFKD'].map(form => text.normalize(form))
console.log(JSON.stringify(texts.map(text => unassigned.test(text) ? null : forms(text))))
"""

db = connect()
VERSION = db.execute("SELECT utf8_unicode_version()").fetchone()[0]


def fetch():
    """The module unicodedata2 in our version, installed in build/form-judges."""
    generated.install(PACKAGES, "unicodedata2==" + VERSION)
    return importlib.import_module("unicodedata2")


def interesting(ucd):
    """The characters that a form changes, or that combine, and a few others."""
    codes = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
    return [c for c in codes if ucd.combining(c) or ucd.decomposition(c)] + list("aeB.\u4e00\u0915\U0001f600") * 300


def random_texts(ucd):
    rng = random.Random(2781)
    marks = [chr(code) for code in range(0x300, 0x370)]
    pool = interesting(ucd)
    hangul = [chr(code) for code in (*range(0x1100, 0x1113), *range(0x1161, 0x1176), *range(0x11A8, 0x11C3))]
    for _ in range(TEXTS):
        choices = rng.choice(([pool], [pool, marks], [hangul, hangul, [chr(rng.randrange(0xAC00, 0xD7A4))]]))
        yield "".join(rng.choice(rng.choice(choices)) for _ in range(rng.randrange(1, 20)))


def ours(text, form):
    """Our result, after a test that utf8_normalized() says whether it is the text."""
    result, is_same = db.execute("SELECT utf8_normalize(?1, ?2), utf8_normalized(?1, ?2)", (text, form)).fetchone()
    return result if (result == text) == bool(is_same) else None


def node(texts):
    """Pairs of our forms of a text and Node's."""
    run = subprocess.run(["node", "-e", NODE], input=json.dumps(texts), capture_output=True, text=True, check=True)
    for text, forms in zip(texts, json.loads(run.stdout)):
        if forms:
            yield [ours(text, form) for form in FORMS], forms


def folded(texts):
    for text in texts:
        if not any(unicodedata.category(c) == "Cn" for c in text):
            yield db.execute("SELECT utf8_casefold(?)", (text,)).fetchone()[0], text.casefold()


def main():
    ucd = fetch()
    texts = list(random_texts(ucd))
    for form in FORMS:
        compare(f"unicodedata2 {VERSION}, {form}", ((ours(text, form), ucd.normalize(form, text)) for text in texts), TEXTS)
    compare(f"Python {unicodedata.unidata_version}, casefold", folded(texts), TEXTS / 10)
    if shutil.which("node"):
        compare("Node's ICU, every form", node(texts), TEXTS / 10)
    else:
        print("SKIPPED: ICU: node is not installed")
    finish()


main()
