#!/usr/bin/env python3
"""lexicon.py: makes the lexicon of detection: which words with letters beyond ASCII are known.

    python3 tool/detect/lexicon.py --train     # writes detect/tables/lexicon.h (fetches what tables.py --train reads)
    python3 tool/detect/lexicon.py --check     # was it made with the letters that detect/tables/model.h has?

The words are the frequent ones of each language, names of its dictionaries, and those of places (tool/detect/corpus.py). They
are kept as an xor filter (Graf and Lemire, "Xor filters: faster and smaller than Bloom and cuckoo filters", 2020): it knows each of
them, and one of 256 other words.
"""

import argparse
import collections
import hashlib
import itertools
import re
import sys
import textwrap

import corpus  # also adds the folder of the tools to the path
import debiantext
import generated
import model
import tables

PATH = "detect/tables/lexicon.h"

# The words of a language that are looked at, the commonest first: most words of Latin script are ASCII.
LATIN_WORDS, OTHER_WORDS = 12000, 2000
# Dictionaries with more names than this list their inflections, too.
NAMES_MAX = 8000
# Of languages without a list, the words of this many lines of text at least.
LINES_MIN = 3
LETTERS_MIN = 3  # of a word
# Syllables of Vietnamese are too short to tell charsets apart.
LANGUAGES = [name for name in model.SCRIPT_OF if name not in ("en", "vi")]

MASK = (1 << 64) - 1


# ---- words -------------------------------------------------------------------------------

def words_in(text):
    return re.findall(r"[^\W\d_]+", text)


def unfolded(language):
    """The words of the dictionaries that case folding changes, by what it makes of them: German ß."""
    return {word.casefold(): word for words in corpus.words(language) for word in map(str.lower, words)
            if word.casefold() != word}


def frequent(language):
    """The frequent words of a language, the commonest first: wordfreq's, or if it has none those of the text."""
    found = corpus.frequent_words(language)
    if not found:
        lines = collections.Counter(word for line in corpus.text(language) for word in set(words_in(line.lower())))
        return [word for word, count in sorted(lines.items(), key=lambda x: (-x[1], x[0])) if count >= LINES_MIN]
    whole = unfolded(language)
    return list(itertools.chain.from_iterable((word, whole[word]) if word in whole else (word,) for word in found))


def words_of(language):
    """The words of a language that the lexicon has, in small letters."""
    is_latin = model.SCRIPT_OF[language] == model.LATIN
    found = frequent(language)[:LATIN_WORDS if is_latin else OTHER_WORDS] + corpus.places(language)
    names = [name for name in corpus.words(language)[1] if not name.isascii()]
    if is_latin and len(names) <= NAMES_MAX:
        found += names
    for word in found:
        for part in words_in(word.lower()):
            yield re.sub("σ$", "ς", part)  # case folding makes it σ


class Numbers:
    """The letters of words as detect/alphabet.h has them: numbers in their scripts, from 1."""

    def __init__(self):
        self.letters = model.Letters(tables.code_points())

    def of(self, word):
        """(script, numbers) of a word, or None if it is short, has no letter beyond ASCII, or one of no charset."""
        entries = [tables.entry_of(self.letters, ord(c)) for c in word]
        scripts = {entry >> 12 for entry in entries}
        if len(word) < LETTERS_MIN or word.isascii() or len(scripts) > 1 or 0 in scripts:
            return None
        return scripts.pop(), bytes(entry & 0xFF for entry in entries)

    def digest(self):
        """A digest of the numbers of all letters."""
        rows = [sorted(numbers.items()) for numbers in self.letters.number]
        return hashlib.md5(repr(rows).encode()).hexdigest()


# ---- the filter ----------------------------------------------------------------------------

def mixed(h):
    """The finalizer of MurmurHash3."""
    h = (h ^ h >> 33) * 0xFF51AFD7ED558CCD & MASK
    h = (h ^ h >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return h ^ h >> 33


def hash_of(script, numbers, seed):
    """FNV-1a of the script and the numbers, mixed."""
    h = 0xCBF29CE484222325 ^ seed
    for number in (script, *numbers):
        h = (h ^ number) * 0x100000001B3 & MASK
    return mixed(h)


def rotated(h, bits):
    return (h << bits | h >> 64 - bits) & MASK


def places_of(h, block):
    """The three cells of a word, one in each third of the filter."""
    return [i * block + ((rotated(h, 21 * i) & 0xFFFFFFFF) * block >> 32) for i in range(3)]


def fingerprint(h):
    return (h ^ h >> 32) & 0xFF


def peeled(hashes, block):
    """(hash, cell) of all hashes, in an order in which no later hash has the cell of an earlier one; None if there is none."""
    count, sums = [0] * (3 * block), [0] * (3 * block)
    for h in hashes:
        for at in places_of(h, block):
            count[at] += 1
            sums[at] ^= h
    found, alone = [], [at for at in range(3 * block) if count[at] == 1]
    while alone:
        cell = alone.pop()
        if count[cell] != 1:
            continue
        h = sums[cell]
        found.append((h, cell))
        for at in places_of(h, block):
            count[at] -= 1
            sums[at] ^= h
            if count[at] == 1:
                alone.append(at)
    return found if len(found) == len(hashes) else None


def filter_of(words):
    """The seed, the size of a third, and the cells of the filter of the words."""
    block = (len(words) * 123 // 100 + 32) // 3 // 8 * 8 + 8
    for seed in itertools.count():
        hashes = {hash_of(*word, seed) for word in words}
        found = peeled(hashes, block) if len(hashes) == len(words) else None
        if found:
            break
    cells = bytearray(3 * block)
    for h, cell in reversed(found):
        first, second, third = places_of(h, block)
        cells[cell] = fingerprint(h) ^ cells[first] ^ cells[second] ^ cells[third]
    return seed, block, cells


# ---- the table -------------------------------------------------------------------------------

HEAD = """/* lexicon.h: which words with letters beyond ASCII are known. Written by tool/detect/lexicon.py from words of {languages}
** languages:
** {sources}.
**
** An xor filter of {words} words. The letters have the numbers {digest}.
*/
#ifndef UTF8_DETECT_TABLES_LEXICON_H
#define UTF8_DETECT_TABLES_LEXICON_H

#include <stdint.h>

/* clang-format off */

#define LEXICON_LETTERS {letters} /* a word has at least as many */
#define LEXICON_SEED {seed}
#define LEXICON_BLOCK {block} /* cells in a third */
static const uint64_t lexicon_cells[3 * LEXICON_BLOCK / 8] = {{ /* eight cells each, the first one in the lowest bits */
{cells}
}};

#endif
"""


def train():
    corpus.fetch()
    numbers = Numbers()
    words = {numbers.of(word) for language in LANGUAGES for word in words_of(language)} - {None}
    seed, block, cells = filter_of(sorted(words))
    dictionaries = [package for package in debiantext.versions(corpus.WORK) if re.match("(hun|my)spell-", package)]
    sources = textwrap.fill(", ".join([*corpus.PYTHON_PACKAGES[:2], *dictionaries]), 120, subsequent_indent="** ",
                            break_on_hyphens=False)
    eights = [int.from_bytes(cells[at:at + 8], "little") for at in range(0, len(cells), 8)]
    text = HEAD.format(languages=len(LANGUAGES), sources=sources, words=len(words),
                       digest=numbers.digest(), letters=LETTERS_MIN, seed=seed, block=block,
                       cells=generated.in_lines(["0x%X" % eight for eight in eights], 6))
    generated.write({PATH: text})


def check():
    """Was the table made with the numbers that letters have now?"""
    digest = Numbers().digest()
    is_same = f"The letters have the numbers {digest}." in generated.read(PATH)
    return generated.report([(is_same, f"{PATH}: the letters have the numbers {digest}; if not, run --train")])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    group = parser.add_mutually_exclusive_group(required=True)
    group.add_argument("--train", action="store_true")
    group.add_argument("--check", action="store_true")
    options = parser.parse_args()
    return train() if options.train else check()


if __name__ == "__main__":
    sys.exit(main())
