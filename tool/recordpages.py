#!/usr/bin/env python3
"""recordpages.py: writes tool/pages.tsv from the iconv of this machine.

    python3 tool/recordpages.py --record
"""

import os
import re
import sys

import charsets
import generated
import iconv
import pages

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


def named_pages(known):
    """(name, aliases, glibc's name, page) of each charset of glibc that this project has."""
    for theirs, aliases in sorted(iconv.iconv_names().items()):
        page = iconv.Iconv(theirs).page()
        name = page and named(theirs, aliases, page)
        if name:
            same = [other for other in known if known[other] == page]
            found = [a.lower() for a in [theirs, *aliases] if is_useful(a)] + ALIASES.get(name, [])
            found += [f"ibm{name[2:]}"] * name.startswith("cp")
            yield (same[0], [*found, name], theirs, page) if same else (name, found, theirs, page)


def normal(name):
    return re.sub("[-_]", "", name.lower())


def record():
    tables, labels = charsets.standard()
    rows = charsets.known_rows(labels, tables)
    owner = {normal(a): name for _, name, aliases, _, _ in rows for a in [name, *aliases]}
    known = {name: charsets.single_byte(name, tables)
             for _, name, _, kind, _ in rows if kind.startswith("SINGLE_BYTE")}
    lines = []
    for name, aliases, theirs, page in named_pages(known):
        if name not in known and normal(name) in owner:
            continue  # Python's page of that name differs, and stays
        owner.setdefault(normal(name), name)
        added = [a for a in aliases if owner.setdefault(normal(a), a) is a]
        if name in known:
            lines += ["\t".join([name, ",".join(added), theirs, name, ""])] if added else []
            continue
        base = pages.nearest(page, known)
        shown = " ".join(f"{byte:02X}={code:04X}" for byte, code in pages.differences(page, known[base]))
        lines.append("\t".join([name, ",".join(added), theirs, base, shown]))
        known[name] = page
    with open(os.path.join(generated.ROOT, pages.FILE), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    if sys.argv[1:] != ["--record"]:
        sys.exit(__doc__)
    record()
