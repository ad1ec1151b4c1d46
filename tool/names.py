#!/usr/bin/env python3
"""names.py: writes the lists of names in docs/functions.md.

    python3 tool/names.py --write     # dialects and policies
    python3 tool/names.py --check     # fails, with a diff, if they differ

The names are those of charset/names.h. A list stands between the lines
<!-- NAME: tool/names.py --> and <!-- end of NAME -->.

--check also compares the tables of kinds with kinds.json, which describes them in other words for
reports and for the page.
"""

import json
import re
import textwrap

import generated

DOCUMENT = "docs/functions.md"
KINDS_OF_COLUMNS = ["accident"]  # which utf8_audit alone finds
KINDS_OF_ERROR = "python/src/utf8ext/command/page/kinds.json"
STRING = r'"((?:[^"\\]|\\.)*)"'


def rows(path, name, pattern):
    """The rows of a list, as tuples of the pattern's groups."""
    header = generated.read(path)
    text = header[header.index(f"#define {name}(X)"):].split("\n\n", 1)[0]
    found = re.findall(pattern, text.replace("\\\n", " "))
    return [[field.replace("\\\\", "\\") for field in row] for row in found]


def named(name):
    """The rows of a list in charset/names.h: name, aliases, what it is, source."""
    pattern = r"X\([^,]+,\s*" + r",\s*".join([STRING] * 4) + r"\s*\)"
    return rows("charset/names.h", name, pattern)


def item(text):
    """The text as an item of a list."""
    return textwrap.fill("- " + text, 120, subsequent_indent="  ", break_long_words=False,
                         break_on_hyphens=False)


def explained(name):
    """The list of a header's rows: names, what they are, source."""
    return "\n".join(
        item(f"{', '.join(['**' + name + '**', *filter(None, aliases.split(','))])}: {meaning} ({source})")
        for name, aliases, meaning, source in named(name))


def with_lists(document):
    """The document with each list replaced."""
    lists = {"dialects": explained("UTF8_DIALECT_LIST"), "policies": explained("UTF8_POLICY_LIST")}
    for name, text in lists.items():
        document = generated.with_part(document, name, "tool/names.py", text)
    return document


def table_names(document, head):
    """The first column of the table whose head has these columns."""
    table = document[document.index(f"| {head} |"):].split("\n\n", 1)[0]
    return [row.split(" | ")[0].removeprefix("| ") for row in table.split("\n")[2:]]


def describes_all_kinds(document):
    """Has kinds.json the kinds of the document, and no others?"""
    kinds = json.loads(generated.read(KINDS_OF_ERROR))
    return list(kinds["ill-formed"]) == table_names(document, "kind | bytes | example") and \
        [*kinds["suspicious"], *kinds["mojibake"]] == \
        table_names(document, "kind | code points | utf8_strip") + KINDS_OF_COLUMNS


def check(document):
    return generated.report([
        generated.compare(DOCUMENT, with_lists(document)),
        (describes_all_kinds(document), f"{KINDS_OF_ERROR} has the kinds of {DOCUMENT}")])


if __name__ == "__main__":
    text = generated.read(DOCUMENT)
    generated.main(__doc__, lambda: {DOCUMENT: with_lists(text)}, check=lambda: check(text))
