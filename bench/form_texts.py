#!/usr/bin/env python3
"""form_texts.py: writes the texts that bench/form.c normalizes.

    python3 bench/form_texts.py build/bench/form

Each LANGUAGE.txt is 1 MB of UTF-8 in NFC, the same on every machine: words of tool/detect/rates.py.
"""

import os
import sys
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tool"))
from detect import rates  # noqa: E402

SIZE = 1 << 20


def main(directory):
    os.makedirs(directory, exist_ok=True)
    for language in rates.WORDS:
        text = unicodedata.normalize("NFC", rates.long_text(language, SIZE))
        with open(os.path.join(directory, f"{language}.txt"), "w", encoding="utf-8", newline="") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
