#!/usr/bin/env python3
"""texts.py: writes the texts that a benchmark reads, the same on every machine.

    python3 bench/texts.py form build/bench/form
    python3 bench/texts.py legacy build/bench/legacy
    python3 bench/texts.py suspect build/bench/suspect

Each NAME.txt is about 1 MB of UTF-8: words of tool/detect/rates.py. Those of bench/form.c are NFC. Those of
bench/legacy.c are named LANGUAGE-CHARSET, and lack what the charset lacks. Those of bench/suspect.c have nothing
suspicious; among them are Khmer words with U+200B between them, and emoji with U+200D and U+FE0F.
"""

import os
import sys
import unicodedata

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tool"))
from detect import rates  # noqa: E402

SIZE = 1 << 20


def form():
    for language in rates.WORDS:
        yield language, unicodedata.normalize("NFC", rates.long_text(language, SIZE))


# ---- legacy charsets -------------------------------------------------------------------------

CHARSETS = """
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


def legacy():
    for line in CHARSETS.strip().splitlines():
        language, *charsets = line.split()
        text = rates.long_text(language, SIZE)
        for charset in charsets:
            codec = PYTHON.get(charset, charset)
            written = text.translate(TRADITIONAL) if charset == "big5" else text
            yield f"{language}-{charset}", written.encode(codec, "ignore").decode(codec)


# ---- suspicious code points ------------------------------------------------------------------

LANGUAGES = "English French German Russian Greek Arabic Chinese Japanese Korean Thai".split()

KHMER = ("ភាសា ខ្មែរ សួស្តី អ្នក ខ្ញុំ ប្រទេស កម្ពុជា មនុស្ស ទាំងអស់ កើត មក មាន សេរីភាព និង សមភាព សាលារៀន "
         "ទីក្រុង ភ្នំពេញ ថ្ងៃនេះ អាកាសធាតុ ល្អ ណាស់ សៀវភៅ កុមារ គ្រូបង្រៀន ព្រះរាជាណាចក្រ").split()
EMOJI = ("😀 😂 ❤\ufe0f 👍🏽 🇩🇪 🎉 👨\u200d👩\u200d👧 🏳\ufe0f\u200d🌈 👩🏾\u200d💻 ✨ ☀\ufe0f 🔥 thanks great").split()


def joined(words, separator, sentence_end):
    """Random sentences of twelve words."""
    random, parts, size = rates.Random(rates.SEED), [], 0
    while size < SIZE:
        sentence = [words[random.below(len(words))] for _ in range(12)]
        parts.append(separator.join(sentence) + sentence_end)
        size += len(parts[-1].encode())
    return "".join(parts)


def suspect():
    for language in LANGUAGES:
        yield language, rates.long_text(language, SIZE)
    yield "Khmer", joined(KHMER, "", "។ ")
    yield "Khmer with U+200B", joined(KHMER, "\u200b", "។ ")
    yield "emoji and words", joined(EMOJI, " ", "\n")
    yield "emoji only", joined(EMOJI[:-2], "", "\n")


def main(benchmark, directory):
    os.makedirs(directory, exist_ok=True)
    for name, text in {"form": form, "legacy": legacy, "suspect": suspect}[benchmark]():
        with open(os.path.join(directory, f"{name}.txt"), "w", encoding="utf-8", newline="") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
