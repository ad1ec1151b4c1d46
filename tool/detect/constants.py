#!/usr/bin/env python3
"""constants.py: what each constant of detection is worth: the rates without it.

    make && python3 tool/detect/constants.py [--write tool/detect/constants.md] [NAME...]

Each is set to a value that takes its rule away, or joins it with another one. Then lists.py and causes.py measure, which takes
two minutes for each. It changes files of detect/, and puts them back.
"""

import argparse
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CASES = "one lists alone mixed rows signs numbers tables accidents damage limits kana".split()

# file, constant, the value without the rule
WITHOUT = [line.split() for line in """
    letters.c LETTERS_BITS 0
    among.c ALONE_NONE_EIGHTHS 0
    among.c ROW_BITS 0
    charset.c SEQUENCE_BITS 0
    asian.c ASIAN_CUT 24
    asutf8.c AS_ISOLATED 0
    asutf8.c AS_NONE_FURTHER 0
    asutf8.c AS_PASTED 0
    asutf8.c AS_OTHER 0
    codes.c CODE_SCRIPT_BITS 0
    codes.c CODE_ASCII_BITS 0
    codes.c CODE_END_BITS 0
    codes.c CODE_MIXED_BITS 0
    damage.c FURTHER_BITS 12
    damage.c CUT_BITS 12
    damage.c LOW_TRAIL_BITS 0
    damage.c SEEN_BITS 0
    damage.c UNSEEN_BITS 0
    damage.c ISOLATED_BITS 0
    damage.c INSERTED_BITS 99
    damage.c NONE_BITS 0
    history.c DAMAGED_BITS 0
    lexicon.h UTF8_KNOWN_BITS 0
    likelihood.c LIKELIHOOD_ASCII_BIGRAM 99
    likelihood.c LIKELIHOOD_FOREIGN_MAX 0
    likelihood.c LIKELIHOOD_AMONG_WORDS 0
    likelihood.c LIKELIHOOD_TEXT 9999
    likelihood.c LIKELIHOOD_INSIDE 0
    likelihood.c LIKELIHOOD_UNKNOWN 0
    lost.c LOST_MORE 0
    mixture.c OTHER_SHARE 0xFFFF
    model.c LACKING_BITS 0
    model.c NAME_BITS 8
    prior.c AGREEING 9999
    prior.c OWN_SHARE 1
    prior.c SHOWN_SHARE 1
    prior.c STRANGER_BITS 99
    prior.c TOGETHER_EIGHTHS 0
    prior.c TOGETHER_PRIOR 9
    readings.c TEMPER_BIGRAMS 1
    readings.c TEMPER_MORE 0
    signs.c LETTER_BY_NUMBER 14
    signs.c SIGN_AFTER_WORD 0
    signs.c SIGN_AMONG_WORDS 0
    signs.c SIGN_ODD 15
    words.c CONTRACTION_BITS 0
    words.h UTF8_CAPITALS_BITS 0
""".strip().splitlines()]

TITLE = """# What each constant of detection is worth

`python3 tool/detect/constants.py --write tool/detect/constants.md`: how the rates change without it, in points of right
answers and in wrong ones. Lists and columns: lists.py without its case `columns`. Values alone: causes.py. Words: its words in
another language, which are not among these. Not counted: what is named, and what a whole file is, as in examples/orders.csv.

| constant | set to | lists: right | wrong | alone: right | wrong | words: wrong |
|---|---:|---:|---:|---:|---:|---:|
"""


def run(*command):
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def numbers(output, row):
    """The numbers of the row with this name."""
    found = re.search(rf"^{re.escape(row)} +(.*)$", output, re.M)
    assert found, row
    return [float(number) for number in found[1].split()]


def rates(lists, causes):
    """Right answers in per cent and wrong ones: of lists, of values alone; and wrong words."""
    of_lists = numbers(lists, "all in legacy charsets")
    alone = numbers(causes, "all but words in another language")
    words = numbers(causes, "word in another language")
    return [of_lists[1], of_lists[4], alone[1], alone[2], words[2]]


def measured():
    run("make", "-s", "utf8ext.so")
    lists = run(sys.executable, "tool/detect/lists.py", *CASES)
    return rates(lists, run(sys.executable, "tool/detect/causes.py"))


def without(file, name, value):
    """What is measured with another value of a constant."""
    path = os.path.join(ROOT, "detect", file)
    with open(path, encoding="utf-8") as source:
        before = source.read()
    after, count = re.subn(rf"(#define {name}\b(?:\s|\\\n)+)(\(.*\)|\w+)", rf"\g<1>{value}", before)
    assert count == 1, name
    try:
        with open(path, "w", encoding="utf-8") as source:
            source.write(after)
        return measured()
    finally:
        with open(path, "w", encoding="utf-8") as source:
            source.write(before)


def row(file, name, value, found, base):
    more = [new - old for new, old in zip(found, base)]
    cells = [f"{more[0]:+.2f}", f"{more[1]:+.0f}", f"{more[2]:+.2f}", f"{more[3]:+.0f}", f"{more[4]:+.0f}"]
    return f"| {name}, {file} | {value} | {' | '.join(cells)} |\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    base = measured()
    rows = [row(*constant, without(*constant), base) for constant in WITHOUT
            if not options.names or constant[1] in options.names]
    run("make", "-s", "utf8ext.so")
    print(TITLE + "".join(rows), end="")
    if options.write:
        with open(options.write, "w", encoding="utf-8") as file:
            file.write(TITLE + "".join(rows))


if __name__ == "__main__":
    main()
