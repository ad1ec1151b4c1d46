"""jis2004.py: JIS X 0213:2004, from Python's codec euc_jis_2004, for tool/charsets.py.

The table has what differs from the WHATWG standard's indexes of JIS X 0208, whose extension is plane 1,
and of JIS X 0212, whose empty rows are plane 2.
"""

import generated

CELLS = 94 * 94
ASTRAL, COMBINED = 0xD800, 0xDC00


def decoded(prefix, place):
    try:
        pair = bytes([place // 94 + 0xA1, place % 94 + 0xA1])
        return [ord(c) for c in (prefix + pair).decode("euc_jis_2004")]
    except UnicodeDecodeError:
        return []


def differences(jis0208, jis0212):
    """[place, codes] where Python's codec has others; plane 2 is at CELLS."""
    found = []
    for prefix, index, first in ((b"", jis0208, 0), (b"\x8F", jis0212, CELLS)):
        for place in range(CELLS):
            code = index[place] if place < len(index) else None
            codes = decoded(prefix, place)
            if codes != ([code] if code else []):
                found.append((first + place, codes))
    return found


def table(array, jis0208, jis0212):
    """What charset/legacy/tables/jis2004.h has. array() is charsets.py's."""
    runs, codes, astral, combined = [], [], [], []
    for place, found in differences(jis0208, jis0212):
        if not runs or runs[-1][0] + runs[-1][1] != place:
            runs.append([place, 0])
        runs[-1][1] += 1
        if len(found) == 2:
            codes.append(COMBINED + len(combined))
            combined.append((*found, (place // 94 + 0x21) << 8 | place % 94 + 0x21))
        elif found and found[0] > 0xFFFF:
            codes.append(ASTRAL + len(astral))
            astral.append(found[0] - 0x20000)
        else:
            codes.append(found[0] if found else 0)
    lines = generated.in_lines([f"{{{place:5}, {count:4}}}" for place, count in runs], 6)
    both = generated.in_lines([f"{{0x{a:04X}, 0x{b:04X}, 0x{c:04X}}}" for a, b, c in combined], 3)
    return f"""/* Runs of jis2004_codes: the place of the first, row * 94 + cell, and their number. Plane 2 is at
** {CELLS}. */
static const uint16_t jis2004_runs[{len(runs)}][2] = {{
{lines}
}};

""" + array("jis2004_codes", codes, "Code points; 0 if undefined. D800 + n stands for 20000 +\n"
            "** jis2004_astral[n], and DC00 + n for the two code points of jis2004_combined[n].") + "\n" + array(
                "jis2004_astral", astral, "Code points above FFFF, less 20000.") + f"""
/* Two code points that have one code, and its bytes in plane 1. */
static const uint16_t jis2004_combined[{len(combined)}][3] = {{
{both}
}};
"""
