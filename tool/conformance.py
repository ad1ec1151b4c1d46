#!/usr/bin/env python3
"""conformance.py: which test shows which statement of the standards.

    python3 tool/conformance.py            checks test/conformance.md
    python3 tool/conformance.py --write    rewrites its table, which is at its end

tool/conformance.tsv lists the statements. A test shows statement 56 if its name has
checklist-56 in it and it passed. test/tester.tcl and test/ctest.h write the names of the tests
that passed to build/FILE.passed. If that file is missing, or older than the test or the
program under test, this script runs the test.

A statement fails if no test with its number passed or if the page's row differs. A statement
that no test can show fails if the words are not where conformance.tsv places them.

Limits: The script cannot check that a test covers its whole statement.
"""

import glob
import os
import re
import subprocess
import sys

import generated
from generated import read

TABLE = "tool/conformance.tsv"
PAGE = "test/conformance.md"
EXTENSION = os.environ.get("EXTENSION", "utf8ext.so")
TCLSH = os.environ.get("TCLSH", "tclsh")


class Statement:
    def __init__(self, line):
        number, self.mark, self.sources, self.text, *self.where = line.split("\t")
        self.number = int(number)


def statements():
    lines = read(TABLE).splitlines()
    found = [Statement(line) for line in lines if line and line[0] != "#"]
    if [s.number for s in found] != list(range(1, len(found) + 1)):
        sys.exit(f"{TABLE}: the numbers are not 1, 2, 3, ...")
    return found


# ---- the tests that passed ---------------------------------------------------------------


def modified(path):
    return os.path.getmtime(path) if os.path.exists(path) else 0


def names_of(test):
    """The names of the tests in the file that passed, in the order in which they ran."""
    record = f"build/{os.path.basename(test)}.passed"
    subject, command = EXTENSION, [TCLSH, "-encoding", "utf-8", test]
    if test.endswith(".c"):
        subject = "build/" + os.path.basename(test)[:-2]
        command = [subject]
        subprocess.run([os.environ.get("MAKE", "make"), "-s", subject], check=True)
    if modified(record) < max(modified(test), modified(subject)):
        subprocess.run(
            command, env={**os.environ, "CTEST_ONLY": "checklist-"}, check=False,
            stdout=subprocess.DEVNULL,
        )
    return read(record).splitlines()


def shown_by():
    """{number: {test file: names}}. 'checklist-9-row.1' and 'checklist-9-row.2' count as one."""
    shown = {}
    for test in sorted(glob.glob("test/*.test") + glob.glob("test/*.c")):
        if "checklist-" not in read(test):
            continue
        for name in names_of(test):
            for number in set(re.findall(r"\bchecklist-(\d+)\b", name)):
                names = shown.setdefault(int(number), {}).setdefault(test, [])
                short = name.split(".")[0] if test.endswith(".test") else name
                if short not in names:
                    names.append(short)
    return shown


# ---- the page ----------------------------------------------------------------------------


def cell(text):
    return text.replace("\\", "\\\\").replace("|", "\\|")


def tests_cell(tests):
    files = []
    for test, names in sorted(tests.items()):
        listed = ", ".join(f"`{name}`" for name in names)
        files.append(f"[{os.path.basename(test)}]({os.path.basename(test)}): {listed}")
    return "<br>".join(files)


def row(statement, shown):
    if statement.mark == "D":
        link, words = statement.where[0].split(" ", 1)
        where = f"[{cell(words.strip(chr(34)))}](../docs/{link})"
    else:
        where = tests_cell(shown.get(statement.number, {}))
    return f"| {statement.number} | {cell(statement.text)} | {statement.sources} | {where} |"


def page(found, shown):
    title = "| | statement | source | shown by |\n"
    lines = ["|---|---|---|---|"] + [row(statement, shown) for statement in found]
    return read(PAGE).partition(title)[0] + title + "\n".join(lines) + "\n"


# ---- the check ---------------------------------------------------------------------------


def section(path, anchor):
    """The text of the section with this anchor in a Markdown file."""
    inside, lines = False, []
    for line in read(path).splitlines():
        if re.match("#+ ", line):
            title = line.lstrip("# ").lower()
            inside = re.sub(r"[^\w\- ]", "", title).replace(" ", "-") == anchor
        if inside:
            lines.append(line)
    return " ".join(lines)


def fault(statement, shown, lines):
    """Describes what is wrong with a statement; None if nothing is."""
    if statement.mark == "T" and statement.number not in shown:
        return f"no test named checklist-{statement.number} passed"
    if statement.mark == "D":
        link, words = statement.where[0].split(" ", 1)
        path, anchor = link.split("#")
        if words.strip('"') not in section("docs/" + path, anchor):
            return f"docs/{link} does not contain {words}"
    if row(statement, shown) not in lines:
        return f"its row in {PAGE} is out of date: run python3 tool/conformance.py --write"
    return None


def check(found, shown):
    lines = read(PAGE).splitlines()
    faults = [(s.number, fault(s, shown, lines)) for s in found]
    faults = [f for f in faults if f[1]]
    for number in shown.keys() - {s.number for s in found}:
        faults.append((number, "does not exist, but a test has its number"))
    if not faults and read(PAGE) != page(found, shown):
        faults.append((0, f"{PAGE} has other rows too: run python3 tool/conformance.py --write"))
    for number, what in faults:
        print(f"FAILED: statement {number}: {what}")
    print(f"{max(len(found) - len(faults), 0)} passed, {len(faults)} failed")
    return 1 if faults else 0


def main(arguments):
    os.chdir(generated.ROOT)
    found, shown = statements(), shown_by()
    if arguments == ["--write"]:
        return generated.write({PAGE: page(found, shown)})
    return check(found, shown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
