#!/usr/bin/env python3
"""conformance.py: which test shows which statement of the standards.

    python3 tool/conformance.py            checks test/conformance.md
    python3 tool/conformance.py --write    rewrites it

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

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TABLE = "tool/conformance.tsv"
PAGE = "test/conformance.md"
HEAD = """# Conformance: which test shows which statement

118 statements about UTF-8 come from these sources. Each is shown in SQL; if it takes every scalar value or every byte string
of a kind, in C too. Six are about use, and only documented.

| source | what it is |
|---|---|
| RFC 3629 | F. Yergeau, UTF-8, a transformation format of ISO 10646, 2003: the default of every function |
| RFC 2044 | the first version, 1996, with up to six octets: the dialect rfc2044 |
| German §4 | a German text on RFC 3629 §4: lead bytes, validation, forbidden patterns, pseudocode |
| article | an encyclopedia article, about 2012: a code page, worked examples, how decoders handle errors |
| Unicode | tables 3-8 to 3-11 of the Unicode Standard, on U+FFFD |

Where the sources disagree:

- RFC 3629 reduces the six octets and 7FFFFFFF of RFC 2044 to four and 10FFFF. RFC 3629 applies.
- The article replaces the first byte of an invalid sequence and continues at the next byte: the policy byte. Unicode
  recommends one U+FFFD for each maximal subpart: the default. They differ if a sequence starts well-formed and is cut
  short, as in E2 82 41.

Where the sources say nothing, or disagree:

| question | decision | reason |
|---|---|---|
| errors in a surrogate, utf-8 and rfc2044 | three | D93b: ED A0 starts no well-formed UTF-8 |
| the same in cesu-8 and mutf-8 | one; in wtf-8 none | ED A0 80 starts a sequence there |
| cesu-8: high surrogate, start of a low one, end | two subparts | the high surrogate is complete |
| C0 80 in utf-8 | `overlong`, `stray continuation` | C0 starts nothing |
| F0 at the end of cesu-8 | `out of range`, not `truncated` | it starts nothing there |
| high, high, low surrogate in wtf-8 | only the last two are errors | the first has no partner |
| above 10FFFF in rfc2044 | number and notation; char is NULL | TEXT cannot store them |
| lone surrogate, policy cesu-8 | three U+FFFD, as under subpart | every policy's result is UTF-8 |
| four-byte sequence, policy cesu-8 | stays | repair changes nothing that is well-formed |
| Windows-1252: 81, 8D, 8F, 90, 9D | C1 controls of the same number | WHATWG |
| replacement or name as BLOB or number | an error | it is text |
| odd last byte of UTF-16 | `truncated`, F1 8x 8x in the UTF-8 form | the byte can be recovered |
| the same, policy escape | \\xhh; a surrogate is \\ud83d | it is a byte, not a code unit |
| lone surrogate of UTF-16 in utf-8b | its own code point, as in wtf-8 | it was never a byte |

Each alternative that the sources describe is a dialect or a policy. RFC 3629 and Unicode are the default.

`make check-conformance` fails if a statement has no test that passed. tool/conformance.py --write writes this page from
tool/conformance.tsv and the names of the tests that passed.
"""
EXTENSION = os.environ.get("EXTENSION", "utf8ext.so")
TCLSH = os.environ.get("TCLSH", "tclsh")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


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
    lines = ["| | statement | source | shown by |", "|---|---|---|---|"]
    lines += [row(statement, shown) for statement in found]
    return HEAD + "\n" + "\n".join(lines) + "\n"


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
    os.chdir(ROOT)
    found, shown = statements(), shown_by()
    if arguments == ["--write"]:
        text = page(found, shown)
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(text)
        return 0
    return check(found, shown)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
