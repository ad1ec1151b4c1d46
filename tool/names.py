#!/usr/bin/env python3
"""names.py: writes the tables of docs/functions.md that utf8names.h has the rows of.

    python3 tool/names.py --write     # the tables of dialects, policies and charsets
    python3 tool/names.py --check     # fails, with a diff, if they differ
"""

import difflib
import re
import sys

HEADER = "utf8names.h"
DOCUMENT = "docs/functions.md"

# The list in utf8names.h, the table's first line, and its other columns.
TABLES = [
    ("UTF8_DIALECT_LIST", "| dialect | what it is | source |"),
    ("UTF8_POLICY_LIST", "| policy | ill-formed bytes become | used by |"),
    ("UTF8_CHARSET_LIST", "| charset | what it is | source |"),
]
STRING = r'"((?:[^"\\]|\\.)*)"'


def rows(header, name):
    """The rows of a list: (name, aliases, what it is, source)."""
    start = header.index(f"#define {name}(X)")
    text = header[start:].split("\n\n", 1)[0].replace("\\\n", " ")
    found = re.findall(r"X\([^,]+,\s*" + r",\s*".join([STRING] * 4) + r"\s*\)", text)
    return [[field.replace("\\\\", "\\") for field in row] for row in found]


def table(header, name, first_line):
    lines = [first_line, "|---|---|---|"]
    for name, aliases, meaning, source in rows(header, name):
        names = f"{name}, {aliases}" if aliases else name
        lines.append(f"| {names} | {meaning} | {source} |")
    return "\n".join(lines) + "\n"


def generated(header, document):
    """The document with each table replaced."""
    for name, first_line in TABLES:
        pattern = re.escape(first_line) + r"\n(?:\|.*\n)+"
        document, count = re.subn(pattern, lambda _: table(header, name, first_line),
                                  document)
        if count != 1:
            sys.exit(f"{DOCUMENT} has {count} tables that start {first_line}")
    return document


def check(document, new):
    sys.stdout.writelines(difflib.unified_diff(
        document.splitlines(True), new.splitlines(True), DOCUMENT, HEADER))
    same = new == document
    print(f"{'ok  ' if same else 'FAIL'} {DOCUMENT} has the names of {HEADER}")
    print("1 passed, 0 failed" if same else "0 passed, 1 failed")
    return 0 if same else 1


def main():
    with open(HEADER, encoding="utf-8") as file:
        header = file.read()
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    new = generated(header, document)
    if sys.argv[1:] == ["--check"]:
        sys.exit(check(document, new))
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(new)


if __name__ == "__main__":
    main()
