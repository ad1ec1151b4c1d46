#!/usr/bin/env python3
"""coverage.py: sums up what gcov counted in the hand-written C.

    python3 tool/coverage.py build/lib build/chunked    # folders with .gcda files; run in the root of their sources

Prints the lines and branches that ran, by folder and in all, and writes those that did not to build/coverage.txt.

A function that is compiled several times is counted once: a branch counts as run if it ran in any of these copies,
since in each of them constants may decide it. test/coverage.sh compiles no function into others. A line with a comment that
starts with "unreachable:" gives the reason why no test can run it, and is not counted, nor is what it alone decides.
"""

import collections
import glob
import json
import math
import os
import subprocess
import sys

REPORT = "build/coverage.txt"


def counted(path):
    """Is it a hand-written source of the extension?"""
    return not (os.path.isabs(path) or "/tables/" in path or path.startswith("test/") or path == "suspect/table.h")


def records(folders):
    """The files of gcov's JSON for each .gcda below the folders."""
    found = [path for folder in folders for path in glob.glob(os.path.join(folder, "**", "*.gcda"), recursive=True)]
    for data in sorted(found):
        if data.endswith("test.gcda"):
            continue
        output = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", data],
                                check=True, capture_output=True).stdout
        for line in output.splitlines():
            yield from json.loads(line)["files"]


def copies(file, number):
    """How many functions of an object file have the line: one for each instruction set, if it is in a kernel."""
    return sum(f["start_line"] <= number <= f["end_line"] for f in file["functions"]) or 1


def fold(lists):
    """The counts of a line's branches, summed over the copies in which they stand.

    Each list is (copies, counts of their branches, one copy after the other).
    """
    width = math.gcd(*(len(counts) // n if len(counts) % n == 0 else len(counts) for n, counts in lists))
    lists = [counts for n, counts in lists]
    return [sum(sum(branches[place::width]) for branches in lists) for place in range(width)]


def gather(folders):
    """{path: {line: [count, [(copies, counts of their branches), ...]]}}"""
    files = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, []]))
    for file in records(folders):
        path = os.path.normpath(file["file"])
        if not counted(path):
            continue
        for line in file["lines"]:
            entry = files[path][line["line_number"]]
            entry[0] += line["count"]
            if line["branches"]:
                counts = [branch["count"] for branch in line["branches"]]
                entry[1].append((copies(file, line["line_number"]), counts))
    return files


def indent(line):
    return len(line) - len(line.lstrip())


def marked(path):
    """The lines that are marked, and the number of marks. What a marked line alone decides is indented below it."""
    lines, marks, below = set(), 0, None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if "/* unreachable:" in line:
                marks += 1
                below = indent(line)
            elif below is None or (line.strip() and indent(line) <= below):
                below = None
                continue
            lines.add(number)
    return lines, marks


def main(folders):
    totals = collections.defaultdict(lambda: [0, 0, 0, 0])
    marks = 0
    with open(REPORT, "w", encoding="utf-8") as report:
        for path, lines in sorted(gather(folders).items()):
            skipped, count = marked(path)
            marks += count
            for number, (count, lists) in sorted(lines.items()):
                if number in skipped:
                    continue
                branches = fold(lists) if lists else []
                missed = sum(not ran for ran in branches)
                for key in (path.split("/")[0] if "/" in path else ".", "all"):
                    total = totals[key]
                    total[0] += count > 0
                    total[1] += 1
                    total[2] += len(branches) - missed
                    total[3] += len(branches)
                if not count:
                    report.write(f"{path}:{number}: never run\n")
                elif missed:
                    report.write(f"{path}:{number}: {missed} of {len(branches)} branches never taken: {branches}\n")
    for key, (ran, lines, taken, branches) in totals.items():
        percent = 100 * taken / max(branches, 1)
        print(f"{key:10} {ran:6} of {lines:6} lines, {taken:6} of {branches:6} branches: {percent:.1f} %")
    print(f"{marks} places are marked as unreachable; what was not run: {REPORT}")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
