#!/usr/bin/env python3
"""names.py: writes the tables of docs/functions.md that list names.

    python3 tool/names.py --write     # dialects, policies, and the matrix of all names
    python3 tool/names.py --check     # fails, with a diff, if they differ

The rows are those of charset/names.h and utf8charsets.h.
"""

import difflib
import re
import sys

DOCUMENT = "docs/functions.md"
STRING = r'"((?:[^"\\]|\\.)*)"'

DIALECTS = "| dialect | what it is | source |"
POLICIES = "| policy | ill-formed bytes become | used by |"
MATRIX = "| name | other names | dialect | charset | policy | source |"


def rows(path, name, pattern):
    """The rows of a list, as tuples of the pattern's groups."""
    with open(path, encoding="utf-8") as file:
        header = file.read()
    text = header[header.index(f"#define {name}(X)"):].split("\n\n", 1)[0]
    found = re.findall(pattern, text.replace("\\\n", " "))
    return [[field.replace("\\\\", "\\") for field in row] for row in found]


def named(name):
    """The rows of a list in charset/names.h: name, aliases, what it is, source."""
    pattern = r"X\([^,]+,\s*" + r",\s*".join([STRING] * 4) + r"\s*\)"
    return rows("charset/names.h", name, pattern)


def charsets():
    """The rows of utf8charsets.h: name, aliases, kind, source."""
    pattern = rf"X\(\w+, {STRING}, {STRING}, (\w+), {STRING}\)"
    return rows("utf8charsets.h", "UTF8_CHARSET_LIST", pattern)


def table(first_line, lines):
    rule = "|" + "---|" * (first_line.count("|") - 1)
    return "\n".join([first_line, rule, *lines]) + "\n"


def list_of(name, first_line):
    return table(first_line, [
        f"| {', '.join([name, *filter(None, aliases.split(','))])} | {meaning} | {source} |"
        for name, aliases, meaning, source in named(name)])


def policy_of(name, kind, policies):
    """What utf8_repair does with the name of a charset: yes, the policy meant, or nothing."""
    if name in ("utf-8", "ascii"):
        return "subpart"
    return "yes" if name in policies or kind == "SINGLE_BYTE" else ""


def matrix():
    dialects = {name: source for name, _, _, source in named("UTF8_DIALECT_LIST")}
    policies = {name: source for name, _, _, source in named("UTF8_POLICY_LIST")}
    known, lines = set(), []
    for name, aliases, kind, source in charsets():
        known.add(name)
        lines.append((name, aliases.replace(",", ", "), "yes" if name in dialects else "",
                      "yes", policy_of(name, kind, policies), source))
    for name, source in dialects.items():
        if name not in known:
            lines.append((name, "", "yes", "", "", source))
    for name in policies:
        if name not in known:
            lines.append((name, "", "", "", "yes", "[policies](#policies)"))
    return table(MATRIX, ["| " + " | ".join(line) + " |" for line in lines])


def generated(document):
    """The document with each table replaced."""
    tables = {DIALECTS: list_of("UTF8_DIALECT_LIST", DIALECTS),
              POLICIES: list_of("UTF8_POLICY_LIST", POLICIES), MATRIX: matrix()}
    for first_line, text in tables.items():
        pattern = re.escape(first_line) + r"\n(?:\|.*\n)+"
        document, count = re.subn(pattern, lambda _, text=text: text, document)
        if count != 1:
            sys.exit(f"{DOCUMENT} has {count} tables that start {first_line}")
    return document


def check(document, new):
    sys.stdout.writelines(difflib.unified_diff(
        document.splitlines(True), new.splitlines(True), DOCUMENT, "charset/names.h"))
    same = new == document
    print(f"{'ok  ' if same else 'FAIL'} {DOCUMENT} has the names of charset/names.h and utf8charsets.h")
    print("1 passed, 0 failed" if same else "0 passed, 1 failed")
    return 0 if same else 1


def main():
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    new = generated(document)
    if sys.argv[1:] == ["--check"]:
        sys.exit(check(document, new))
    if sys.argv[1:] != ["--write"]:
        sys.exit(__doc__)
    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(new)


if __name__ == "__main__":
    main()
