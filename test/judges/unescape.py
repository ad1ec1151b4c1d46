#!/usr/bin/env python3
"""unescape.py: compares utf8_unescape with Python's html.unescape, email.header and quopri.

    python3 test/judges/unescape.py
    python3 test/judges/unescape.py --html5lib    # html5lib's tests of the tokenizer (needs pip)

The inputs are all named references, each with and without its semicolon and before other characters,
all numbers, and random texts from a fixed seed. Python removes control characters and noncharacters
that are written as a number, where WHATWG keeps them; these are compared with chr().
"""

import base64
import email.header
import html
import html.entities
import io
import json
import quopri
import random
import re
import sys
import tarfile

from extension import compare, connect, finish
import generated

NAMES = sorted({name.rstrip(";") for name in html.entities.html5})

# html5lib's source has the tests; pip runs its setup.py, which newer versions of setuptools break.
HTML5LIB = (
    "html5lib-1.1.tar.gz",
    "b2e5b40261e20f354d198eae92afc10d750afb487ed5e50f9c4eaf07c184146f",
    ["sh", "-c", """echo 'setuptools<80' > setuptools.txt && PIP_CONSTRAINT=setuptools.txt \\
     "$1" -m pip download -q --no-deps --no-binary :all: html5lib==1.1""", "sh", sys.executable])

db = connect()


def unescaped(text, kind):
    return db.execute("SELECT utf8_unescape(?, ?)", (text, kind)).fetchone()[0]


def compare_unescaped(what, pairs, kind="html"):
    """Compares the results for pairs of an input and the expected output."""
    compare(what, ((unescaped(text, kind), expected, text) for text, expected in pairs))


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


def html5lib(tar):
    """The tests of the data state whose input is one run of text."""
    for name in ("entities", "namedEntities", "numericEntities"):
        for test in json.load(tar.extractfile(f"html5lib-1.1/html5lib/tests/testdata/tokenizer/{name}.test"))["tests"]:
            is_text = all(token[0] == "Character" for token in test["output"] if token != "ParseError")
            if is_text and "initialStates" not in test and "doubleEscaped" not in test:
                yield test["input"], "".join(t[1] for t in test["output"] if t != "ParseError")


# ---- mail ----------------------------------------------------------------------------------


def quoted(count):
    """Random bytes, without the lone CR after '=' at which Python skips to the next line."""
    rng = random.Random(2045)
    pieces = [b"=", b"=", b"=C3", b"=a9", b"4", b"F", b"g", b" ", b"_", b"\n", b"\r\n", b"=\r\n", b"=\n", b"\xff", b"\0"]
    for _ in range(count):
        data = b"".join(rng.choice(pieces) for _ in range(rng.randrange(12)))
        if b"=\r" not in data.replace(b"=\r\n", b""):
            yield data, quopri.decodestring(data)


def words(count):
    """Random headers of one line, and what Python makes of them."""
    rng = random.Random(2047)
    texts = {"utf-8": "caf\u00e9 _=?\u65e5\u672c\U0001f600", "iso-8859-1": "caf\u00e9_=", "koi8-r": "\u041f\u0440\u0438",
             "shift_jis": "\u65e5\u672c\u8a9e", "iso-2022-jp": "\u65e5\u672c\u8a9e a"}
    for _ in range(count):
        pieces = ["x"]
        for _ in range(rng.randrange(8)):
            charset, text = rng.choice(list(texts.items()))
            data = "".join(rng.choice(text) for _ in range(rng.randrange(1, 8))).encode(charset)
            q = "".join(chr(b) if b < 128 and chr(b).isalnum() else f"={b:02X}" for b in data)
            b = base64.b64encode(data).decode()
            pieces += rng.choice([[f"=?{charset}?Q?{q}?="], [f"=?{charset.upper()}?b?{b}?="], ["a b"], ["=?"], [" "], [" =? "]])
            pieces += [rng.choice([" ", "  ", "\t", ""])]
        header = "".join(pieces + ["x"])
        yield header, "".join(part if isinstance(part, str) else part.decode(charset or "ascii", "replace")
                              for part, charset in email.header.decode_header(header))


def compare_html5lib():
    try:
        package = generated.fetch(HTML5LIB)
    except generated.Unavailable as reason:
        print(f"SKIPPED: html5lib's tests: {reason}\n0 passed, 0 failed")
        return
    with tarfile.open(fileobj=io.BytesIO(package)) as tar:
        compare_unescaped("html5lib's tests", html5lib(tar))
    finish()


if "--html5lib" in sys.argv:
    compare_html5lib()
    sys.exit()
compare_unescaped("named references", ((text, html.unescape(text)) for text in named()))
compare_unescaped("numbers", numbers())
compare_unescaped("random texts", ((text, html.unescape(text)) for text in random_texts(200000)
                         if removes_nothing(text)))
compare_unescaped("quoted-printable", quoted(100000), "quoted-printable")
compare_unescaped("encoded words", words(20000), "mime")
finish()
