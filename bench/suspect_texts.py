#!/usr/bin/env python3
"""suspect_texts.py: writes the texts that bench/suspect.c searches.

    python3 bench/suspect_texts.py build/bench/suspect

Each NAME.txt is 1 MB of UTF-8 in which nothing is suspicious, the same on every machine: words of
tool/detect/rates.py, Khmer words with U+200B between them, and emoji with U+200D and U+FE0F.
"""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "tool"))
from detect import rates  # noqa: E402

SIZE = 1 << 20
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


def main(directory):
    texts = {language: rates.long_text(language, SIZE) for language in LANGUAGES}
    texts["Khmer"] = joined(KHMER, "", "។ ")
    texts["Khmer with U+200B"] = joined(KHMER, "\u200b", "។ ")
    texts["emoji and words"] = joined(EMOJI, " ", "\n")
    texts["emoji only"] = joined(EMOJI[:-2], "", "\n")
    os.makedirs(directory, exist_ok=True)
    for name, text in texts.items():
        with open(os.path.join(directory, f"{name}.txt"), "w", encoding="utf-8", newline="") as file:
            file.write(text)


if __name__ == "__main__":
    main(*sys.argv[1:])
