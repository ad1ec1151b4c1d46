#!/usr/bin/env python3
"""charset.py: a file of test/demo in another charset, and whether the demo restored it.

    python3 charset.py encode russian.csv koi8-r FILE    # BOM: a codec that ends in -bom
    python3 charset.py compare russian.csv clean.csv     # fails, with the first difference
"""

import codecs
import csv
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BOMS = {"utf-8": codecs.BOM_UTF8, "utf-16le": codecs.BOM_UTF16_LE, "utf-16be": codecs.BOM_UTF16_BE,
        "utf-32le": codecs.BOM_UTF32_LE, "utf-32be": codecs.BOM_UTF32_BE}


def encode(name, codec, path):
    with open(os.path.join(HERE, name), encoding="utf-8", newline="") as file:
        text = file.read()
    base = codec.removesuffix("-bom")
    bom = BOMS[base] if base != codec else b""
    with open(path, "wb") as file:
        file.write(bom + text.encode(base))


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def compare(name, path):
    for wanted, actual in zip([*rows(os.path.join(HERE, name)), None], [*rows(path), None]):
        if wanted != actual:
            sys.exit(f"expected {wanted}\nactual   {actual}")
        if wanted is None:
            return


if __name__ == "__main__":
    {"encode": encode, "compare": compare}[sys.argv[1]](*sys.argv[2:])
