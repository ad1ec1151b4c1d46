#!/usr/bin/env python3
"""charset.py: compares utf8_from and utf8_to with the codecs of Python and, if installed, Node,
ICU and iconv.

    python3 test/judges/charset.py             # Python alone
    python3 test/judges/charset.py --all       # node, uconv and iconv as well

The inputs are all short strings of a kind, and random ones from a fixed seed.
  Python    utf-16 and utf-32 with and without a mark, latin-1, ascii, utf-8, utf-8-sig, cp1252;
            cesu-8, mutf-8 and wtf-8 of well-formed text, with "surrogatepass". Ill-formed
            input: bytes with errors="replace"; and UTF-16 and UTF-32, where Python must fail
            ("strict") exactly if utf8ext writes U+FFFD
  Node      TextDecoder for utf-16le, utf-16be, windows-1252, with ill-formed input too
  uconv     (icu-devtools), and iconv: well-formed text from and to UTF-16, UTF-32, Latin-1

Where their rules differ from utf8ext's: cp1252 of Python and iconv lacks 81, 8D, 8F, 90, 9D.
Without a mark, Python's utf-16 and utf-32 have the byte order of the machine, so only input
with a mark is compared. TextDecoder removes a byte order mark unless ignoreBOM is set.
"""

import json
import random
import shutil
import subprocess
import sys
import tempfile

import extension

PYTHON_NAMES = {"utf-8": "utf-8", "utf-8-bom": "utf-8-sig", "utf-16le": "utf-16-le",
                "utf-16be": "utf-16-be", "utf-32le": "utf-32-le", "utf-32be": "utf-32-be",
                "latin1": "latin-1", "ascii": "ascii"}
rng = random.Random(2781)
db = extension.connect()


def decoded(value, charset):
    return db.execute("SELECT utf8_from(?, ?)", (value, charset)).fetchone()[0]


def encoded(text, charset):
    return db.execute("SELECT utf8_to(?, ?)", (text, charset)).fetchone()[0]


def report(name, wrong, count):
    """Counts one test, of `count` comparisons; `wrong` lists the inputs that differ."""
    extension.report(not wrong and count > 0, f"{name}: {len(wrong)} of {count} differ", *wrong[:1])


# ---- inputs ---------------------------------------------------------------------------------

EDGES = [0, 1, 9, 0x20, 0x41, 0x7F, 0x80, 0x81, 0x9F, 0xA0, 0xE9, 0xFF, 0x100, 0x152, 0x416, 0x7FF,
         0x800, 0x20AC, 0x4E2D, 0xD7FF, 0xE000, 0xFEFF, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1F600,
         0xFFFFF, 0x10FFFF]


def texts():
    yield ""
    for a in EDGES:
        yield chr(a)
        for b in EDGES:
            yield chr(a) + chr(b)
    for _ in range(3000):
        pool = rng.choice([EDGES, range(0x80), range(0x100), range(0x400, 0x460),
                           [0x20, *range(0x4E00, 0x4F00)], [0x41, *range(0x1F600, 0x1F640)]])
        yield "".join(chr(rng.choice(pool)) for _ in range(rng.randrange(200)))


def byte_strings():
    for size in range(3):
        for number in range(256 ** size):
            yield number.to_bytes(size, "big")
    units = [0x00, 0x41, 0xD8, 0xDC, 0xDF, 0xFE, 0xFF, 0x10]
    for size in (3, 4, 5):
        for number in range(8 ** size):
            yield bytes(units[number >> 3 * i & 7] for i in range(size))
    for _ in range(3000):
        yield rng.randbytes(rng.randrange(100))


TEXTS = list(texts())
BYTES = list(byte_strings())


# ---- Python -----------------------------------------------------------------------------------

def or_none(convert, *arguments):
    try:
        return convert(*arguments)
    except UnicodeError:
        return None


def python_texts():
    for ours, theirs in PYTHON_NAMES.items():
        expected = [or_none(t.encode, theirs) for t in TEXTS]
        wrong = [t for t, d in zip(TEXTS, expected) if encoded(t, ours) != d]
        report(f"python: utf8_to {ours}", wrong, len(TEXTS))
        wrong = [t for t, d in zip(TEXTS, expected) if d is not None and decoded(d, ours) != t]
        report(f"python: utf8_from {ours}", wrong, sum(d is not None for d in expected))


def python_marked():
    for bits in ("16", "32"):
        name, wrong, count = "utf-" + bits, [], 0
        for text in TEXTS:
            for order in ("le", "be"):
                value = ("\ufeff" + text).encode(f"utf-{bits}-{order}")
                count += 1
                if decoded(value, name) != text or value.decode(name) != text:
                    wrong.append(value.hex())
            if encoded(text, name) != ("\ufeff" + text).encode(f"utf-{bits}-be"):
                wrong.append(text)
        report(f"python: {name}", wrong, count)


def python_bytes():
    for ours in ("utf-8", "utf-8-bom", "latin1", "ascii"):
        theirs = PYTHON_NAMES[ours]
        wrong = [b.hex() for b in BYTES if decoded(b, ours) != b.decode(theirs, "replace")]
        report(f"python: utf8_from {ours} of any bytes", wrong, len(BYTES))
    for ours in ("utf-16le", "utf-16be", "utf-32le", "utf-32be"):
        theirs, wrong = PYTHON_NAMES[ours], []
        for value in BYTES:
            expected, got = or_none(value.decode, theirs), decoded(value, ours)
            if got != expected if expected is not None else "\ufffd" not in got:
                wrong.append(value.hex())
        report(f"python: utf8_from {ours} of any bytes", wrong, len(BYTES))


def python_cp1252():
    odd = b"\x81\x8d\x8f\x90\x9d"
    values = [bytes([b]) for b in range(256) if b not in odd]
    wrong = [v.hex() for v in values if decoded(v, "cp1252") != v.decode("cp1252")
             or encoded(v.decode("cp1252"), "cp1252") != v]
    report("python: windows-1252", wrong, len(values))


def cesu8(text):
    units = text.encode("utf-16-be", "surrogatepass")
    return "".join(chr(int.from_bytes(units[i:i + 2], "big"))
                   for i in range(0, len(units), 2)).encode("utf-8", "surrogatepass")


def python_dialects():
    encoders = {"cesu-8": cesu8, "mutf-8": lambda t: cesu8(t).replace(b"\0", b"\xc0\x80"),
                "wtf-8": lambda t: t.encode(), "rfc2044": lambda t: t.encode()}
    for name, encode in encoders.items():
        wrong = [t for t in TEXTS if encoded(t, name) != encode(t) or decoded(encode(t), name) != t]
        report(f"python: {name}", wrong, len(TEXTS))
    surrogates = [chr(c).encode("utf-8", "surrogatepass") for c in range(0xD800, 0xE000)]
    wrong = [s.hex() for s in surrogates if decoded(b"a" + s + b"b", "wtf-8") != "a\ufffdb"]
    report("python: wtf-8, each lone surrogate", wrong, len(surrogates))


# ---- the others ---------------------------------------------------------------------------------

NODE = """
const rows = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
const hex = (s) => Buffer.from(s, "utf8").toString("hex");
process.stdout.write(JSON.stringify(rows.map(([charset, bytes]) =>
  hex(new TextDecoder(charset, {ignoreBOM: true}).decode(Buffer.from(bytes, "hex"))))));
"""


def node():
    for charset in ("utf-16le", "utf-16be", "windows-1252"):
        rows = [[charset, b.hex()] for b in BYTES]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(rows, file)
            file.flush()
            answer = subprocess.run(["node", "-e", NODE, file.name], capture_output=True, check=True)
        expected = [bytes.fromhex(h).decode() for h in json.loads(answer.stdout)]
        if charset == "windows-1252" and expected[BYTES.index(b"\x80")] != "\u20ac":
            print("SKIPPED: node: windows-1252: this version decodes it as ISO-8859-1")
            continue
        wrong = [b.hex() for b, d in zip(BYTES, expected) if decoded(b, charset) != d]
        report(f"node: utf8_from {charset} of any bytes", wrong, len(BYTES))


def by_program(name, command):
    """Compares all texts in one run of the program. They follow an "x", since some programs read
    U+FEFF at the start as a mark."""
    every = "x" + "\n".join(TEXTS)
    for charset in ("UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE", "ISO-8859-1"):
        text = every if charset[:3] == "UTF" else "".join(c for c in every if c < "\u0100")
        there = subprocess.run(command("UTF-8", charset), input=text.encode(), capture_output=True)
        back = subprocess.run(command(charset, "UTF-8"), input=there.stdout, capture_output=True)
        wrong = [] if encoded(text, charset) == there.stdout else ["utf8_to"]
        wrong += [] if decoded(there.stdout, charset) == back.stdout.decode() == text else ["utf8_from"]
        report(f"{name}: {charset}", wrong, len(text))


def main():
    python_texts()
    python_marked()
    python_bytes()
    python_cp1252()
    python_dialects()
    others = {"node": node,
              "uconv": lambda: by_program("uconv", lambda a, b: ["uconv", "-f", a, "-t", b]),
              "iconv": lambda: by_program("iconv", lambda a, b: ["iconv", "-f", a, "-t", b])}
    for program, compare in others.items() if "--all" in sys.argv else ():
        if shutil.which(program):
            compare()
        else:
            print(f"SKIPPED: charsets of {program}: it is not installed")
    extension.finish()


if __name__ == "__main__":
    main()
