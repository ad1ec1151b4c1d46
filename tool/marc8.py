#!/usr/bin/env python3
"""marc8.py: writes the sets of MARC-8.

    python3 tool/marc8.py --write     writes charset/legacy/tables/marc8.h
    python3 tool/marc8.py --check     compares it with what would be written

Source, pinned and cached under build/charsets: the Library of Congress' code tables in PyPI's pymarc.
EACC is left out: its 15,739 codes take 31,478 bytes, 30,409 deflated.
"""

import io
import zipfile

import charsets
import generated

PYMARC = (
    "pymarc-5.4.0-py3-none-any.whl",
    "10549ce513c191f77b081e5e505c02aca76f6b9f1164c47a326bb635b24a77eb",
    [*generated.PIP, "pymarc==5.4.0"])

# The last byte of the escape sequences, the set's name.
SETS = {"E": "ANSEL", "3": "Arabic", "4": "extended Arabic", "N": "Cyrillic", "Q": "extended Cyrillic",
        "S": "Greek", "2": "Hebrew", "g": "Greek symbols", "b": "subscripts", "p": "superscripts"}


def mapping():
    """The sets by their last byte: the code point of each byte 21..7E, and the marks."""
    scope = {}
    with zipfile.ZipFile(io.BytesIO(generated.fetch(PYMARC))) as wheel:
        exec(wheel.read("pymarc/marc8_mapping.py"), scope)  # literal dictionaries
    sets = {last: {byte & 0x7F: code for byte, code in scope["CODESETS"][ord(last)].items()
                   if 0x21 <= byte & 0x7F <= 0x7E} for last in SETS}
    marks = {code for codes in sets.values() for code, is_mark in codes.values() if is_mark}
    return {last: {byte: code for byte, (code, _) in codes.items()}
            for last, codes in sets.items()}, marks


def files():
    sets, _ = mapping()
    body = charsets.INCLUDE + f"""
/* The last bytes of the escape sequences that choose the sets. */
static const char marc8_finals[{len(sets) + 1}] = "{''.join(sets)}";

/* The code points of 21..7E; 0: the byte is undefined. */
static const uint16_t marc8_sets[{len(sets)}][94] = {{
"""
    for last, codes in sets.items():
        row = [codes.get(byte, 0) for byte in range(0x21, 0x7F)]
        body += f"    {{ /* {SETS[last]} */\n{charsets.numbers(row, '     ')}\n    }},\n"
    return {"charset/legacy/tables/marc8.h": charsets.header(
        "charset/legacy/tables/marc8.h", "the sets of MARC-8. Written by tool/marc8.py from the Library of\n"
        "** Congress' code tables in PyPI's pymarc 5.4.0.", body + "};\n" + charsets.TABLE_END)}


if __name__ == "__main__":
    generated.main(__doc__, files)
