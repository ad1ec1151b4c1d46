#!/usr/bin/env python3
"""pages.py: the single-byte charsets that neither the WHATWG standard nor Python has.

    python3 tool/pages.py --record     # writes tool/pages.tsv from the iconv of this machine

A line of tool/pages.tsv: name, aliases, glibc's name, the name of the page that is most like it, and
how it differs from that: BB=CCCC for each byte whose code point is another one. A line whose page is
its own name adds aliases to a charset that is known. tool/charsets.py reads it; test/judges/legacy.sh compares the result with iconv. The recorded glibc is 2.36.
"""

import ctypes
import os
import re
import subprocess
import sys

import generated

FILE = "tool/pages.tsv"
UNDEFINED = 0xFFFD

# Names by glibc's names, where the rule of named() would not do; and charsets that are neither
# EBCDIC, nor a page of IBM, nor a variant of ISO 646.
NAMES = {
    "ARMSCII-8": "armscii-8", "ECMA-CYRILLIC": "iso-ir-111", "GEORGIAN-ACADEMY": "georgian-academy",
    "GEORGIAN-PS": "georgian-ps", "MIK": "mik", "TCVN5712-1": "tcvn5712-1", "VISCII": "viscii",
    "CP770": "cp770", "CP771": "cp771", "CP772": "cp772", "CP773": "cp773", "CP774": "cp774",
    "IBM874": "ibm874", "IBM256": "ebcdic-int1", "SEN_850200_B": "iso646-se",
}
# Aliases that glibc lacks.
ALIASES = {
    "mik": ["bulgaria-pc"], "viscii": ["csviscii", "viscii1.1-1"], "tcvn5712-1": ["vscii"],
    "georgian-ps": ["geostd8"], "iso646-se2": ["swe7"], "iso-ir-111": ["koi8-e"],
    "ebcdic-int1": ["cp256"],
}


# ---- iconv -------------------------------------------------------------------------------


class Iconv:
    """The decoder of a charset. (test/judges/legacy.py has one of its own.)"""

    libc = ctypes.CDLL(None)
    libc.iconv_open.restype = ctypes.c_void_p
    libc.iconv.restype = ctypes.c_size_t
    libc.iconv.argtypes = [ctypes.c_void_p] * 5

    def __init__(self, name):
        self.handle = self.libc.iconv_open(b"UTF-32LE", name.encode())
        self.exists = self.handle not in (None, ctypes.c_void_p(-1).value)

    def decode(self, data):
        """The code points, or None for an error."""
        source, target = ctypes.create_string_buffer(data, len(data)), (ctypes.c_char * 64)()
        at, to = (ctypes.c_void_p(ctypes.addressof(buffer)) for buffer in (source, target))
        left, room = ctypes.c_size_t(len(data)), ctypes.c_size_t(64)
        self.libc.iconv(self.handle, None, None, None, None)
        status = self.libc.iconv(self.handle, *map(ctypes.byref, (at, left, to, room)))
        if status == ctypes.c_size_t(-1).value or left.value:
            return None
        self.libc.iconv(self.handle, None, None, ctypes.byref(to), ctypes.byref(room))
        return [ord(c) for c in target.raw[:64 - room.value].decode("utf-32-le", "replace")]

    def is_lead(self, byte):
        return any(self.decode(bytes([byte, trail])) for trail in range(0x30, 0xFF))

    def page(self):
        """The code point of each byte, or None if the charset is not a single-byte one."""
        decoded = [self.decode(bytes([byte])) for byte in range(256)] if self.exists else [[]]
        if any(codes is not None and len(codes) != 1 for codes in decoded):
            return None
        if any(codes is None and self.is_lead(byte) for byte, codes in enumerate(decoded)):
            return None
        return [codes[0] if codes else UNDEFINED for codes in decoded]


def iconv_names():
    """glibc's charsets: the name that its modules have, and all names of it."""
    folder = "/usr/lib/x86_64-linux-gnu/gconv"
    target = {}
    for path in (f"{folder}/gconv-modules", f"{folder}/gconv-modules.d/gconv-modules-extra.conf"):
        with open(path, encoding="utf-8") as file:
            target.update(re.findall(r"^alias\s+(\S+?)//\s+(\S+?)//", file.read(), re.M))
    names = {}
    for line in subprocess.run(["iconv", "-l"], capture_output=True, text=True, check=True).stdout.split():
        name = line.split("/")[0]
        while name in target:
            name = target[name]
        names.setdefault(name, []).append(line.split("/")[0])
    return names


# ---- recording ---------------------------------------------------------------------------


def named(name, aliases, page):
    """The name of a new charset, or None if it is not one that this project has."""
    if name in NAMES:
        return NAMES[name]
    variant = [a for a in [name, *aliases] if a.startswith("ISO646-")]
    if variant:
        return variant[0].lower()
    if page[0xF0] == ord("0") or name.startswith("IBM"):
        return re.sub("^IBM", "cp", name).lower()
    return None


def is_useful(alias):
    """Codes of countries are not names, and nobody writes OSF's numbers."""
    return not re.fullmatch(r"[A-Z]{2}2?|OSF.*|5347|9448", alias)


def named_pages(pages):
    """(name, aliases, glibc's name, page) of each charset of glibc that this project has."""
    for theirs, aliases in sorted(iconv_names().items()):
        page = Iconv(theirs).page()
        name = page and named(theirs, aliases, page)
        if name:
            same = [other for other in pages if pages[other] == page]
            found = [a.lower() for a in [theirs, *aliases] if is_useful(a)] + ALIASES.get(name, [])
            found += [f"ibm{name[2:]}"] * name.startswith("cp")
            yield (same[0], [*found, name], theirs, page) if same else (name, found, theirs, page)


def normal(name):
    return re.sub("[-_]", "", name.lower())


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


def record():
    import charsets
    tables, labels = charsets.standard()
    rows = charsets.known_rows(labels, tables)
    owner = {normal(a): name for _, name, aliases, _, _ in rows for a in [name, *aliases]}
    pages = {name: charsets.single_byte(name, tables)
             for _, name, _, kind, _ in rows if kind.startswith("SINGLE_BYTE")}
    lines = []
    for name, aliases, theirs, page in named_pages(pages):
        if name not in pages and normal(name) in owner:
            continue  # Python's page of that name differs, and stays
        owner.setdefault(normal(name), name)
        added = [a for a in aliases if owner.setdefault(normal(a), a) is a]
        if name in pages:
            lines += ["\t".join([name, ",".join(added), theirs, name, ""])] if added else []
            continue
        base = nearest(page, pages)
        shown = " ".join(f"{byte:02X}={code:04X}" for byte, code in differences(page, pages[base]))
        lines.append("\t".join([name, ",".join(added), theirs, base, shown]))
        pages[name] = page
    with open(os.path.join(generated.ROOT, FILE), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


# ---- reading -----------------------------------------------------------------------------


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


if __name__ == "__main__":
    if sys.argv[1:] != ["--record"]:
        sys.exit(__doc__)
    record()
