#!/usr/bin/env python3
"""clients.py: writes the parts of docs/clients.md that come from test/clients.

    python3 tool/clients.py --write         # the section of each client
    python3 tool/clients.py --check         # fails, with a diff, if they differ
    python3 tool/clients.py --table FILE    # prints a table of a file like clients.tsv

The section of a client in test/clients/clients.tsv, from `<!-- NAME -->` to the next heading, has what happens
without utf8ext, and the paragraphs of its program whose comment starts with "Load utf8ext", or why it
cannot be loaded. What an earlier client has too is a link to it.
"""

import csv
import re
import sys
import textwrap
from pathlib import Path

import generated

DOCUMENT = "docs/clients.md"
CLIENTS = Path("test/clients")
TABLE = "| client, version, its SQLite | without utf8ext |"
SHORT = 40  # of what happens without utf8ext: it is written, not linked
LANGUAGES = {
    ".cpp": "cpp", ".go": "go", ".java": "java", ".js": "js", ".lua": "lua", ".mjs": "js",
    ".php": "php", ".pl": "perl", ".py": "python", ".R": "r", ".rb": "ruby", ".rs": "rust",
    ".sh": "sh", ".tcl": "tcl",
}  # fmt: skip


def read_rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def program_of(name):
    """The path of the client's program."""
    [program] = (path for path in (CLIENTS / name).iterdir() if path.suffix in LANGUAGES)
    return program


def loading_lines(name):
    """The paragraphs of the client's program that load utf8ext."""
    program = program_of(name).read_text(encoding="utf-8")
    paragraphs = re.findall(r"^[ \t]*(?://|#) Load utf8ext.*\n(?:.+\n)+", program, re.M)
    return "\n".join(textwrap.dedent(paragraph.expandtabs(4)) for paragraph in paragraphs)


def anchor(title):
    """The #anchor that GitHub makes from a heading."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def code(text):
    """The text as a code span, which may itself have single backticks."""
    return f"`` {text} ``" if "`" in text else f"`{text}`"


def table_row(row):
    client = f"[{row['client']}](#{anchor(row['client'])}) {row['version']}, {row['sqlite']}"
    plain = "no error" if row["plain"].startswith("no error") else "error"
    return f"| {client} | {plain}{'' if row['refusal'] == '-' else '; cannot load it'} |\n"


def table(rows):
    rule = "|" + "---|" * (TABLE.count("|") - 1)
    return "\n".join([TABLE, rule, ""]) + "".join(map(table_row, rows))


def fence(language, text):
    return f"```{language}\n{text.rstrip()}\n```\n"


def statements(row):
    """The lines that load utf8ext, without comments."""
    return re.sub(r"^ *(//|#) .*\n", "", loading_lines(row["name"]), flags=re.M)


def earlier(row, rows, key):
    """A link to the first client with the same key; None if that is this one or the key is empty."""
    first = next(other for other in rows if key(other) == key(row))
    if first is row or not key(row):
        return None
    return f"as [{first['client']}](#{anchor(first['client'])})"


def section(row, rows):
    """The part of the document about a client."""
    lines = loading_lines(row["name"])
    seen = len(row["plain"]) > SHORT and earlier(row, rows, lambda other: other["plain"])
    parts = [f"Without utf8ext: {seen or code(row['plain'])}\n"]
    if row["refusal"] != "-":
        parts.append(f"Loading fails: {code(row['refusal'])}\n")
    if seen := earlier(row, rows, statements):
        parts.append(f"Load it {seen}.\n")
    elif lines:
        lines = re.sub(r"^(//|#) Load utf8ext into this connection\.\n", "", lines)
        parts.append(fence(LANGUAGES[program_of(row["name"]).suffix], lines))
    return f"<!-- {row['name']} -->\n" + "\n".join(parts)


def files():
    """The document with each part replaced."""
    document, rows = generated.read(DOCUMENT), read_rows(CLIENTS / "clients.tsv")
    for row in rows:
        pattern = f"<!-- {row['name']} -->\n.*?(?=\n##|\\Z)"
        document, count = re.subn(pattern, lambda _, row=row: section(row, rows), document, flags=re.S)
        if count != 1:
            sys.exit(f"{DOCUMENT} has {count} parts that match {pattern}")
    return {DOCUMENT: document}


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "--table":
        sys.stdout.write(table(read_rows(sys.argv[2])))
    else:
        generated.main(__doc__, files)
