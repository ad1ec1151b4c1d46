"""pages.py: the single-byte charsets that neither the WHATWG standard nor Python has: tool/pages.tsv.

The pages are those of glibc 2.36. A line: name, aliases, glibc's name, the name of the page that is most like it,
and how it differs from that: BB=CCCC for each byte whose code point is another one. A line whose page is its own
name adds aliases to a charset that is known. tool/charsets.py reads it; test/judges/legacy.sh compares with iconv.
"""

import generated

FILE = "tool/pages.tsv"
UNDEFINED = 0xFFFD


class Page:
    """A line of tool/pages.tsv."""

    def __init__(self, line):
        self.name, aliases, self.source, self.base, shown = line.split("\t")
        self.aliases = aliases.split(",") if aliases else []
        pairs = [pair.split("=") for pair in shown.split()]
        self.differences = {int(byte, 16): int(code, 16) for byte, code in pairs}

    def codes(self, base):
        return [self.differences.get(byte, code) for byte, code in enumerate(base)]


def recorded():
    return [Page(line) for line in generated.read(FILE).splitlines()]


def differences(page, base):
    return [(byte, code) for byte, code in enumerate(page) if code != base[byte]]


def nearest(page, pages):
    """The name of the page that differs least."""
    return min(pages, key=lambda other: len(differences(page, pages[other])))


def page_count(codes):
    return len({code >> 6 for code in codes if code != UNDEFINED})


def differences_of(other, plain):
    """Each other page as it differs from one before it: names, row of that one, (byte, code)s."""
    known = {name: row for row, (name, _) in enumerate(plain)}
    before = {name: [*range(128), *high] for name, high in plain}
    for row, (name, codes) in enumerate(other):
        base = nearest(codes, before)
        yield name, known[base], differences(codes, before[base])
        known[name], before[name] = 0x80 + row, codes
