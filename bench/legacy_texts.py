#!/usr/bin/env python3
"""legacy_texts.py: writes the texts that bench/legacy.c converts.

    python3 bench/legacy_texts.py build/bench/legacy

Each LANGUAGE-CHARSET.txt is about 1 MB of UTF-8, made of tool/detect/rates.py's words, with what
the charset lacks left out. They are the same on every machine.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tool"))
from detect import rates  # noqa: E402

SIZE = 1 << 20
TEXTS = """
English windows-1251 gbk shift_jis cp037
French iso-8859-15 macintosh
German cp850
Polish windows-1250 iso-8859-2
Turkish windows-1254
Russian windows-1251 koi8-r ibm866
Greek windows-1253
Hebrew windows-1255
Arabic windows-1256
Thai windows-874
Chinese gbk gb18030 big5
Japanese shift_jis euc-jp iso-2022-jp
Korean euc-kr
"""
PYTHON = {"windows-874": "cp874", "macintosh": "mac_roman"}  # where Python has another name


# The simplified characters of tool/detect/rates.py's words, and the traditional ones.
TRADITIONAL = str.maketrans("这来国说们为时过学对后么开发当无样还经头两长见动会",
                            "這來國說們為時過學對後麼開發當無樣還經頭兩長見動會")


def main(directory):
    os.makedirs(directory, exist_ok=True)
    for line in TEXTS.strip().splitlines():
        language, *charsets = line.split()
        text = rates.long_text(language, SIZE)
        for charset in charsets:
            codec = PYTHON.get(charset, charset)
            if charset == "big5":
                text = text.translate(TRADITIONAL)
            kept = text.encode(codec, "ignore").decode(codec)
            path = os.path.join(directory, f"{language}-{charset}.txt")
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(kept)


if __name__ == "__main__":
    main(*sys.argv[1:])
