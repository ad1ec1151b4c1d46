#!/usr/bin/env python3
"""measure.py: measures utf8_detect and utf8_detect_column on text they have not seen.

    python3 tool/detect/measure.py                       # prints all tables
    python3 tool/detect/measure.py --peers               # with the detectors of peers.py
    python3 tool/detect/measure.py --write               # writes them to tool/detect/rates.md
    python3 tool/detect/measure.py --development FILE    # lists the mistakes in FILE

The text is of 45 languages in all their charsets (unseen.py); the detector was not trained on it.

An answer is right if the value, decoded by it, reads as it does in its own charset. For a column,
one answer must read all its cells. --development uses the half of the text that is not in the
tables, so that its mistakes may be studied.
"""

import argparse
import collections

import peers  # also adds the folder of the tools to the path
import generated
import unseen
from rates import PAGE, table

KINDS = [str(length) for length in unseen.LENGTHS] + ["document", "column"]
ANSWERS_MAX = 3  # named in a cell of the confusion matrix
TIME_MIN = 1.0   # seconds for which a detector is timed


# ---- answers -------------------------------------------------------------------------------

def is_right(item, answer):
    """Does the answer read the value, or all cells of the column?"""
    cells = item.cells if item.kind == "column" else [item]
    return all(peers.is_right(cell.text, cell.data, answer) for cell in cells)


class Answers:
    """What one detector answers to all items, and whether it is right."""

    def __init__(self, detector, values, columns):
        self.detector = detector
        answers = detector.answers([value.data for value in values]) + detector.column_answers(
            [(column.charset, [cell.data for cell in column.cells]) for column in columns])
        self.rows = [(item, answer, is_right(item, answer))
                     for item, answer in zip(values + columns, answers)]

    def count(self, wanted):
        """The number of right answers and of all answers to the items that are wanted."""
        rights = [right for item, _, right in self.rows if wanted(item)]
        return sum(rights), len(rights)

    def wrong(self, wanted):
        """The wrong answers to the items that are wanted, by frequency."""
        return collections.Counter(answer or "none" for item, answer, right in self.rows
                                   if not right and wanted(item)).most_common()


# ---- tables --------------------------------------------------------------------------------

def percent(right, total):
    return f"{100 * right / total:.1f}" if total else ""


def length_table(answers):
    """The share of right answers of each detector, by length."""
    counts = {kind: answers[0].count(lambda item: item.kind == kind)[1] for kind in KINDS}
    head = [f"{total} of {kind} characters" if kind.isdigit() else f"{total} {kind}s"
            for kind, total in counts.items()]
    return table(["right, %", *head],
                 [[a.detector.name] + [percent(*a.count(lambda item: item.kind == kind))
                                    for kind in KINDS] for a in answers])


GROUPS = {"Windows": ("windows-",), "ISO 8859, KOI8": ("iso-8859-", "koi8-"),
          "DOS, Macintosh": ("cp", "ibm", "macintosh", "x-mac-"),
          "East Asian": ("gbk", "big5", "euc-", "shift_jis", "iso-2022-jp")}


def group_table(answers):
    """The share of right answers of each detector in each group of charsets, by length."""
    rows = []
    for group, starts in GROUPS.items():
        for a in answers:
            counts = [a.count(lambda item, kind=kind: item.kind == kind and
                              item.charset.startswith(starts)) for kind in KINDS]
            rows.append([group, a.detector.name] + [percent(*count) for count in counts])
    return table(["charsets", "right, %", *KINDS], rows)


def confusion_table(ours):
    """What utf8ext answers when it is wrong, for each charset, by length."""
    rows = []
    for charset in sorted({item.charset for item, _, _ in ours.rows}):
        row = [mistakes(ours, lambda item: item.charset == charset and item.kind == kind)
               for kind in KINDS]
        if any(row):
            rows.append([charset, *row])
    return table(["charset \\ wrong answers", *KINDS], rows)


def mistakes(ours, wanted):
    """The number of values and the wrong answers, or "" if there are none."""
    wrong = ours.wrong(wanted)
    if not wrong:
        return ""
    named = [f"{answer} {count}" for answer, count in wrong[:ANSWERS_MAX]]
    others = sum(count for _, count in wrong[ANSWERS_MAX:])
    return ", ".join(named + [f"others {others}"] * (others > 0)) + \
        f"; of {ours.count(wanted)[1]}"


# ---- speed ---------------------------------------------------------------------------------

def rate(seconds, values):
    """MB per second of user time; seconds(values) answers all of them."""
    times = 1
    while True:
        spent = seconds(values * times)
        if spent >= TIME_MIN:
            return sum(map(len, values)) * times / 1e6 / spent
        times = max(times * 2, int(times * 1.5 * TIME_MIN / max(spent, 0.01)))


def files(values):
    """The documents of each charset and language, joined by line feeds."""
    joined = {}
    for item in values:
        if item.kind == "document":
            joined.setdefault((item.charset, item.language), []).append(item.data)
    return [b"\n".join(documents) for documents in joined.values()]


def speed_table(detectors, values):
    sets = [files(values), *([item.data for item in values if item.kind == kind] for kind in ("document", "40"))]
    rows = [[detector.name] + [f"{rate(detector.seconds, values):.4g}" for values in sets]
            for detector in detectors]
    rows.insert(1, ["utf8_detect_column"] + [f"{rate(detectors[0].column_seconds, values):.4g}"
                                             for values in sets])
    size = sum(map(len, sets[0])) / len(sets[0]) / 1000
    return table(["MB/s of user time", f"files of {size:.0f} KB", "documents", "cells of 40 characters"], rows)


# ---- output --------------------------------------------------------------------------------

def all_parts(detectors, final):
    """The tables about one half of the collection, and the answers of utf8ext."""
    values, columns = unseen.collection(final)
    answers = [Answers(detector, values, columns) for detector in detectors]
    return {"lengths": length_table(answers), "groups": group_table(answers),
            "confusion": confusion_table(answers[0]),
            "speed": speed_table(detectors, values)}, answers[0]


def write_mistakes(path, ours):
    """Writes the wrong answers: kind, charset, language, source, answer, bytes, text."""
    with open(path, "w", encoding="utf-8") as file:
        for item, answer, right in ours.rows:
            if not right:
                first = item.cells[0] if item.kind == "column" else item
                print(item.kind, item.charset, item.language, item.source, answer or "none",
                      first.data[:60].hex(), first.text[:60].replace("\n", " "), sep="\t",
                      file=file)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--write", action="store_true", help="write the tables between the marks of rates.md")
    parser.add_argument("--development", metavar="FILE", help="list mistakes of the other half")
    parser.add_argument("--peers", action="store_true", help="measure other detectors as well")
    options = parser.parse_args()
    detectors = peers.detectors() if options.peers else [peers.Utf8ext()]
    parts, ours = all_parts(detectors, final=not options.development)
    if options.development:
        write_mistakes(options.development, ours)
    for name, text in parts.items():
        print(f"{name}:\n\n{text}\n")
    if options.write and not options.development:
        page = generated.read(PAGE)
        for name, text in parts.items():
            page = generated.with_part(page, name, "tool/detect/measure.py", text)
        generated.write({PAGE: page})


if __name__ == "__main__":
    main()
