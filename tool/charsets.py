#!/usr/bin/env python3
"""charsets.py: writes the list of charsets and the tables of the legacy ones.

    python3 tool/charsets.py --write     writes core/utf8charsets.h and charset/legacy/tables/*.h
    python3 tool/charsets.py --check     compares them with what would be written

Sources, pinned and cached under build/charsets: the indexes and labels of the WHATWG
Encoding Standard in npm's text-encoding, its labels again in PyPI's webencodings, the codecs of
the Python that runs this, tool/pages.tsv (tool/pages.py), tool/aliases.txt and
tool/pythonaliases.txt. text-encoding is older than the standard of today; what has changed since is
patched below by name, so that the result is that of encoding_rs 0.8.44 (test/judges/legacy.sh
compares every code).
"""

import codecs
import io
import json
import os
import re
import sys
import tarfile
import zipfile

import cns
import generated
import jis2004
import pages

UNDEFINED = 0xFFFD

# file, SHA-256, the command that fetches it into the current directory
TEXT_ENCODING = (
    "text-encoding-0.7.0.tgz",
    "02fd8c42402f4625457e31db9ceeba48e7db6c5d4024288f49ebf86bfdbde687",
    [*generated.NPM, "text-encoding@0.7.0"])
WEBENCODINGS = (
    "webencodings-0.5.1-py2.py3-none-any.whl",
    "a0af1213f3c2226497a97e2b3aa01a7e4bee4f403f95be16fc9acd2947514a78",
    [*generated.PIP, "webencodings==0.5.1"])

# ---- what the sources lack ---------------------------------------------------------------

# Labels that the standard has added since text-encoding 0.7.0.
NEW_LABELS = {
    "utf-8": "unicode11utf8 unicode20utf8 x-unicode20utf8",
    "utf-16le": "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff",
    "utf-16be": "unicodefffe",
}

# GB 18030-2022 gives these codes to characters; GB 18030-2005, and the index of
# text-encoding, to private-use code points.
GB18030_2022 = {
    0xA6D9: 0xFE10, 0xA6DA: 0xFE12, 0xA6DB: 0xFE11, 0xA6DC: 0xFE13, 0xA6DD: 0xFE14,
    0xA6DE: 0xFE15, 0xA6DF: 0xFE16, 0xA6EC: 0xFE17, 0xA6ED: 0xFE18, 0xA6F3: 0xFE19,
    0xFE59: 0x9FB4, 0xFE61: 0x9FB5, 0xFE66: 0x9FB6, 0xFE67: 0x9FB7, 0xFE6D: 0x9FB8,
    0xFE7E: 0x9FB9, 0xFE90: 0x9FBA, 0xFEA0: 0x9FBB,
}

# Encodings of webencodings that the standard has since made the replacement encoding.
NOW_REPLACEMENT = ("hz-gb-2312", "iso-2022-kr", "iso-2022-cn", "iso-2022-cn-ext")

# Labels of the standard's windows-1252 that mean ISO-8859-1 and ASCII here.
LATIN1_LABELS = ("iso-8859-1 latin1 cp819 csisolatin1 ibm819 iso-ir-100 iso8859-1 iso88591 "
                 "iso_8859-1 iso_8859-1:1987 l1").split()
ASCII_LABELS = "us-ascii ascii ansi_x3.4-1968".split()

# A label of the standard's big5, which does not encode Hong Kong's characters.
HKSCS_LABEL = "big5-hkscs"

# ---- rows: enumerator, name, kind, source, codecs of Python whose names are aliases ------

EXISTING = """
UTF8         utf-8         UNICODE      RFC 3629      utf_8
UTF8BOM      utf-8-bom     UNICODE      RFC 3629      utf_8_sig
UTF16        utf-16        UNICODE      RFC 2781      utf_16
UTF16LE      utf-16le      UNICODE      RFC 2781      utf_16_le
UTF16BE      utf-16be      UNICODE      RFC 2781      utf_16_be
UTF32        utf-32        UNICODE      Unicode D101  utf_32
UTF32LE      utf-32le      UNICODE      Unicode D100  utf_32_le
UTF32BE      utf-32be      UNICODE      Unicode D99   utf_32_be
LATIN1       iso-8859-1    SINGLE_BYTE  ISO 8859-1    latin_1
WINDOWS1252  windows-1252  SINGLE_BYTE  WHATWG        cp1252
ASCII        ascii         SINGLE_BYTE  RFC 20        ascii
RFC2044      rfc2044       DIALECT      RFC 2044
CESU8        cesu-8        DIALECT      UTR 26
MUTF8        mutf-8        DIALECT      Java Virtual Machine Specification 4.4.7
WTF8         wtf-8         DIALECT      WTF-8
"""

WHATWG = """
IBM866          cp866
ISO8859_2      iso8859_2
ISO8859_3      iso8859_3
ISO8859_4      iso8859_4
ISO8859_5      iso8859_5
ISO8859_6      iso8859_6
ISO8859_7      iso8859_7
ISO8859_8      iso8859_8
ISO8859_8_I
ISO8859_10     iso8859_10
ISO8859_13     iso8859_13
ISO8859_14     iso8859_14
ISO8859_15     iso8859_15
ISO8859_16     iso8859_16
KOI8_R          koi8_r
KOI8_U          koi8_u
MACINTOSH       mac_roman
WINDOWS874     iso8859_11 tis_620 cp874
WINDOWS1250    cp1250
WINDOWS1251    cp1251
WINDOWS1253    cp1253
WINDOWS1254    cp1254 iso8859_9
WINDOWS1255    cp1255
WINDOWS1256    cp1256
WINDOWS1257    cp1257
WINDOWS1258    cp1258
X_MAC_CYRILLIC  mac_cyrillic
GBK             gbk gb2312
GB18030         gb18030
BIG5            big5 cp950
EUC_JP          euc_jp
ISO2022_JP     iso2022_jp
SHIFT_JIS       shift_jis cp932
EUC_KR          euc_kr cp949
"""

# Multi-byte charsets that the standard lacks: enumerator, name, source, Python's codec
# whose names are aliases. charset/legacy/legacy.c has the codec of each.
OTHERS = """
JOHAB           johab           KS X 1001, annex 3      johab
EUC_TW          euc-tw          CNS 11643
EUC_JIS_2004    euc-jis-2004    JIS X 0213:2004         euc_jis_2004
SHIFT_JIS_2004  shift_jis-2004  JIS X 0213:2004         shift_jis_2004
ISO2022_JP_2004  iso-2022-jp-2004  JIS X 0213:2004      iso2022_jp_2004
HZ              hz              RFC 1843                hz
ISO2022_KR      iso-2022-kr     RFC 1557                iso2022_kr
ISO2022_CN      iso-2022-cn     RFC 1922
UTF7            utf-7           RFC 2152                utf_7
MARC8           marc-8          MARC 21 Specifications
BIG5_HKSCS      big5-hkscs      HKSCS-2008              big5hkscs
"""

# Python's code pages; `-` in a name is `_` in Python's.
CODE_PAGES = """
cp437 cp720 cp737 cp775 cp850 cp852 cp855 cp856 cp857 cp858 cp860 cp861 cp862 cp863 cp864
cp865 cp869 cp1006 cp1125 hp-roman8 kz1048 koi8-t mac-arabic mac-croatian mac-farsi
mac-greek mac-iceland mac-latin2 mac-romanian mac-turkish ptcp154
cp037 cp273 cp424 cp500 cp875 cp1026 cp1140
""".split()

PYTHON_ALIASES = dict(re.findall("^([^#\n:]+): (.+)$", generated.read("tool/pythonaliases.txt"), re.M))

# ---- fetching ----------------------------------------------------------------------------


def text_encoding():
    """The standard's indexes by name, and its labels by encoding's name."""
    with tarfile.open(fileobj=io.BytesIO(generated.fetch(TEXT_ENCODING))) as tar:
        indexes, main = (tar.extractfile(f"package/lib/{name}.js").read().decode()
                         for name in ("encoding-indexes", "encoding"))
    start = indexes.index("{", indexes.index('"encoding-indexes"'))
    tables, _ = json.JSONDecoder().raw_decode(indexes[start:])
    start = main.index("[", main.index("var encodings ="))
    groups, _ = json.JSONDecoder().raw_decode(main[start:])
    labels = {e["name"].lower(): e["labels"] for g in groups for e in g["encodings"]}
    return tables, labels


def check_labels(labels):
    """Are webencodings' labels, of an older standard, among these?"""
    with zipfile.ZipFile(io.BytesIO(generated.fetch(WEBENCODINGS))) as wheel:
        scope = {}
        exec(wheel.read("webencodings/labels.py"), scope)  # a literal dictionary
    for label, name in scope["LABELS"].items():
        if label not in labels.get(name, []) and name not in NOW_REPLACEMENT:
            sys.exit(f"label {label} of {name}: text-encoding and webencodings differ")


# ---- names -------------------------------------------------------------------------------


def normal(name):
    """As names are compared."""
    return re.sub("[-_]", "", name.lower())


def distinct(name, candidates):
    """The candidates that differ from name and from each other as names are compared."""
    seen, kept = {normal(name)}, []
    for alias in candidates:
        if normal(alias) not in seen:
            seen.add(normal(alias))
            kept.append(alias)
    return kept


def is_known(alias):
    """Does Python find it? It has aliases that it does not, in capitals."""
    try:
        return bool(codecs.lookup(alias))
    except LookupError:
        return False


def python_names(names):
    """Python's names of these codecs, checked against the Python that runs this."""
    found = []
    for codec in names:
        aliases = PYTHON_ALIASES.get(codec, "").split()
        for alias in aliases:
            if is_known(alias) and codecs.lookup(alias).name != codecs.lookup(codec).name:
                sys.exit(f"Python's alias {alias} is not {codec}")
        found += [codec.replace("_", "-")] + [alias.replace("_", "-") for alias in aliases]
    return found


def existing_rows(labels):
    for line in EXISTING.strip().splitlines():
        identifier, name, kind, source, *names = re.split("  +", line)
        if identifier in ("LATIN1", "ASCII"):
            known = LATIN1_LABELS if identifier == "LATIN1" else ASCII_LABELS
        else:
            known = [x for x in labels.get(name, [])
                     if x not in LATIN1_LABELS + ASCII_LABELS + ["utf-16"]]
        source = "WHATWG Encoding Standard" if source == "WHATWG" else source
        yield identifier, name, known + python_names(names), kind, source


def identifier_of(name):
    """ISO8859_8_I of iso-8859-8-i."""
    return re.sub("[^A-Z0-9]", "_", re.sub("^(ISO|WINDOWS)-", r"\1", name.upper()))


def whatwg_rows(labels, tables):
    by_identifier = {identifier_of(name): name for name in labels}
    for line in WHATWG.strip().splitlines():
        identifier, *names = line.split()
        name = by_identifier[identifier]
        kind = "SINGLE_BYTE" if name in tables or name == "iso-8859-8-i" else "MULTI_BYTE"
        if name in ("gb18030", "big5", "euc-kr"):
            kind = "MULTI_BYTE"
        known = [label for label in labels[name] if label != HKSCS_LABEL]
        yield identifier, name, known + python_names(names), kind, "WHATWG Encoding Standard"


def page_rows():
    for name in CODE_PAGES:
        codec = name.replace("-", "_")
        plain = python_page(name)[:128] == list(range(128))
        yield (codec.upper(), name, python_names([codec]),
               "SINGLE_BYTE" if plain else "SINGLE_BYTE_OTHER", f"Python's codec {codec}")


def recorded_rows(tables):
    for page in pages.recorded():
        if page.name != page.base:
            plain = single_byte(page.name, tables)[:128] == list(range(128))
            yield (identifier_of(page.name), page.name, page.aliases,
                   "SINGLE_BYTE" if plain else "SINGLE_BYTE_OTHER", f"glibc's {page.source}")


def other_rows():
    for line in OTHERS.strip().splitlines():
        identifier, name, source, *codec = re.split("  +", line)
        yield identifier, name, python_names(codec), "MULTI_BYTE", source


def known_rows(labels, tables):
    """The rows of the standard and of Python: enumerator, name, aliases, kind, source."""
    return [*existing_rows(labels), *whatwg_rows(labels, tables), *page_rows()]


def rows_of(labels, tables):
    """All rows of the list."""
    added = {page.name: page.aliases for page in pages.recorded()}
    for name, more in re.findall("^([^#\n:]+): (.+)$", generated.read("tool/aliases.txt"), re.M):
        added[name] = added.get(name, []) + more.split()
    rows = [*known_rows(labels, tables), *recorded_rows(tables), *other_rows()]
    rows = [(i, n, aliases + added.get(n, []), k, s) for i, n, aliases, k, s in rows]
    rows = [(i, n, distinct(n, aliases), k, s) for i, n, aliases, k, s in rows]
    owner = {}
    for _, name, aliases, _, _ in rows:
        for alias in [name, *aliases]:
            if owner.setdefault(normal(alias), name) != name:
                sys.exit(f"{alias} is both {name} and {owner[normal(alias)]}")
    return rows


# ---- tables ------------------------------------------------------------------------------


def python_page(name):
    """The 256 code points of one of Python's code pages."""
    codec = name.replace("-", "_")
    return [ord(bytes([byte]).decode(codec, "replace")) for byte in range(256)]


def single_byte(name, tables):
    """The 256 code points of a single-byte charset."""
    if name in ("iso-8859-1", "ascii"):
        return [byte if byte < 128 or name != "ascii" else UNDEFINED for byte in range(256)]
    index = tables.get("iso-8859-8" if name == "iso-8859-8-i" else name)
    if index:
        return list(range(128)) + [code or UNDEFINED for code in index]
    for page in pages.recorded():
        if page.name == name != page.base:
            return page.codes(single_byte(page.base, tables))
    return python_page(name)


def pointer_of(code):
    """The pointer of a code of two bytes of gb18030."""
    trail = code & 0xFF
    return ((code >> 8) - 0x81) * 190 + trail - (0x40 if trail < 0x7F else 0x41)


def gb18030_index(tables):
    index = list(tables["gb18030"])
    for code, character in GB18030_2022.items():
        pointer = pointer_of(code)
        if not 0xE000 <= index[pointer] < 0xF900:
            sys.exit(f"{code:X} of gb18030 needs no patch")
        index[pointer] = character
    return index


def big5_index(tables):
    """The index with its n-th code point above FFFF written as D800 + n, and those."""
    beyond, index = [], []
    for code in tables["big5"]:
        if code and code > 0xFFFF:
            index.append(0xD800 + len(beyond))
            beyond.append(code - 0x20000)
        else:
            index.append(code)
    assert len(beyond) <= 0x800 and all(0 <= low <= 0xFFFF for low in beyond)
    return index, beyond


# ---- C -----------------------------------------------------------------------------------


def numbers(codes, indent="    ", undefined=UNDEFINED):
    return generated.in_lines([f"0x{undefined if code is None else code:04X}" for code in codes], 10, indent)


def array(name, codes, comment, undefined=0):
    return (f"/* {comment} */\nstatic const uint16_t {name}[{len(codes)}] = {{\n"
            f"{numbers(codes, undefined=undefined)}\n}};\n")


def header(path, what, body):
    name = os.path.basename(path)
    guard = "UTF8_" + re.sub("[^A-Z0-9]", "_", path.upper())
    return f"""/* {name}: {what}
*/
#ifndef {guard}
#define {guard}

{body}
#endif
"""


STANDARD = """Written by tool/charsets.py
** from the WHATWG Encoding Standard's indexes in npm's text-encoding 0.7.0"""
INCLUDE = "#include <stdint.h>\n\n/* clang-format off */\n"
TABLE_END = "/* clang-format on */\n"


def row_list(name, what, rows):
    """C: a macro with the rows."""
    lines = [f"/* {what} */", f"#define {name}(X) \\"]
    for identifier, label, aliases, kind, source in rows:
        lines.append(f'  X({identifier}, "{label}", "{",".join(aliases)}", {kind}, "{source}") \\')
    return "\n".join(lines)[:-2] + "\n\n"


def list_file(rows):
    legacy = [row[0] for row in rows].index("WTF8") + 1
    body = ("/* clang-format off */\n"
            "#define UTF8_CHARSET_LIST(X) UTF8_CHARSET_UNICODE_LIST(X) UTF8_CHARSET_LEGACY_LIST(X)\n\n"
            + row_list("UTF8_CHARSET_UNICODE_LIST", "Every build has these: charset/unicode.c converts them.",
                       rows[:legacy])
            + row_list("UTF8_CHARSET_LEGACY_LIST", "A small build leaves these out: charset/legacy/ converts them.",
                       rows[legacy:]) + TABLE_END)
    return header("core/utf8charsets.h", """the charsets, one in each row. Written by
** tool/charsets.py from the WHATWG Encoding Standard's labels in npm's text-encoding 0.7.0 and
** PyPI's webencodings 0.5.1, from the names and aliases of Python 3.11's codecs, and from
** tool/pages.tsv and tool/aliases.txt, which have those of glibc and others.
**
**     #define CHARSET_NAME(id, name, aliases, kind, source) name,
**     static const char *const names[] = {UTF8_CHARSET_LIST(CHARSET_NAME)};
**
** id        the enumerator's name
** name      as SQL shows it
** aliases   other names, separated by commas. Names are compared without case, '-' and '_';
**           no two names are equal then
** kind      UNICODE, DIALECT (of UTF-8), SINGLE_BYTE (00..7F are ASCII), SINGLE_BYTE_OTHER,
**           MULTI_BYTE
** source    the specification or the codec that defines it""", body)


def packed_pages(other, plain):
    """C: the pages of 256 code points, as differences."""
    rows, codes, bytes_ = [], [], []
    for name, base, different in pages.differences_of(other, plain):
        rows.append(f"    {{0x{base:02X}, {len(codes)}}}, /* {name} */")
        codes += [code for _, code in different]
        bytes_ += [byte for byte, _ in different]
    rows.append(f"    {{0, {len(codes)}}},")
    return f"""/* The pages in which 00..7F are not ASCII: each has the row of the page that it is like, as in
** singlebyte_rows, and the number of its first difference. */
static const struct {{
  uint8_t like;
  uint16_t first;
}} singlebyte_whole[{len(rows)}] = {{
""" + "\n".join(rows) + f"""
}};

/* The differences: a byte, and its code point. */
static const uint8_t singlebyte_bytes[{len(bytes_)}] = {{
{generated.in_lines([f"0x{byte:02X}" for byte in bytes_], 15)}
}};
""" + array("singlebyte_codes", codes, "Their code points.")


def single_byte_tables(rows, tables):
    plain, other, row_of = [], [], []
    for identifier, name, _, kind, _ in rows:
        if not kind.startswith("SINGLE_BYTE"):
            row_of.append(0xFF)
            continue
        codes = single_byte(name, tables)
        assert codes[0] == 0 and max(codes) <= 0xFFFF
        if kind == "SINGLE_BYTE":
            row_of.append(len(plain))
            plain.append((name, codes[128:]))
        else:
            row_of.append(0x80 + len(other))
            other.append((name, codes))
    assert len(plain) <= 0x80 and len(other) < 0x7F
    most = max([pages.page_count([*range(128), *high]) for _, high in plain]
               + [pages.page_count(codes) for _, codes in other])
    what = (f"the single-byte charsets. {STANDARD},\n** from Python's codecs, and from glibc's iconv as tool/pages.tsv"
            " has it. FFFD: the byte is\n** undefined.")
    page_max = f"""/* The pages of 64 code points that the charset with the most of them uses, and one. */
#define SINGLEBYTE_PAGES {most + 1}
"""
    row_numbers = f"""/* Per charset, in the order of UTF8_CHARSET_LIST: its row in singlebyte_high, or 80 + its row
** in singlebyte_whole; FF if it is not a single-byte charset. */
static const uint8_t singlebyte_rows[{len(row_of)}] = {{
{generated.in_lines([f"0x{row:02X}" for row in row_of], 12)}
}};
"""
    high_rows = "".join(f"    {{ /* {name} */\n{numbers(codes, '     ')}\n    }},\n" for name, codes in plain)
    high = f"""/* The code points of 80..FF where 00..7F are ASCII. */
static const uint16_t singlebyte_high[{len(plain)}][128] = {{
{high_rows}}};
"""
    return what, page_max, row_numbers, high, packed_pages(other, plain)


def gb18030(tables):
    ranges = [pair for pair in tables["gb18030-ranges"] if pair[1] < 0x10000]
    replaced = [(tables["gb18030"][pointer_of(code)], code) for code in GB18030_2022]
    names = ", ".join(f"{code:X}" for code in GB18030_2022).replace("A6F3, ", "A6F3,\n** ")
    what = f"gb18030 and gbk. {STANDARD},\n** with the 18 characters of GB 18030-2022: {names}."
    index = array("gb18030_index", gb18030_index(tables), "Code points by pointer, (lead - 81) * 190 + trail.")
    four_bytes = f"""/* Each row starts a range of four-byte codes: the pointer of the first, its code point. */
static const uint16_t gb18030_ranges[{len(ranges)}][2] = {{
{generated.in_lines([f"{{{pointer:5}, 0x{code:04X}}}" for pointer, code in ranges], 5)}
}};
"""
    private = f"""/* Private-use code points that GB 18030-2005 had in place of characters: they are still
** encoded in the same two bytes. */
static const uint16_t gb18030_private[{len(replaced)}][2] = {{
{generated.in_lines([f"{{0x{code:04X}, 0x{encoded:04X}}}" for code, encoded in replaced], 5)}
}};
"""
    return what, index, four_bytes, private


def big5(tables):
    index, beyond = big5_index(tables)
    return (f"big5, with HKSCS. {STANDARD}.",
            array("big5_index", index, "Code points by pointer, (lead - 81) * 157 + trail; 0 if undefined."
                  " D800 + n\n** stands for the code point 20000 + big5_beyond[n]."),
            array("big5_beyond", beyond, "Code points above FFFF, less 20000."))


def jis(tables):
    return (f"euc-jp, iso-2022-jp and shift_jis. {STANDARD}.",
            array("jis0208_index", tables["jis0208"],
                  "JIS X 0208 with the extensions of NEC and IBM: code points by pointer,\n"
                  "** (row - 1) * 94 + cell - 1; 0 if undefined."),
            array("jis0212_index", tables["jis0212"], "JIS X 0212, likewise."))


# The standard's index ISO-2022-JP katakana, which text-encoding lacks.
KATAKANA = ("。「」、・ヲァィゥェォャュョッーアイウエオカキクケコサシスセソタチツテト"
            "ナニヌネノハヒフヘホマミムメモヤユヨラリルレロワン゛゜")


def katakana(_):
    return ("iso-2022-jp's katakana. Written by tool/charsets.py from the WHATWG Encoding\n** Standard, §5.",
            array("jis_katakana", [ord(c) for c in KATAKANA],
                  "What iso-2022-jp writes for half-width katakana, U+FF61..FF9F."))


def jis_2004(tables):
    return ("JIS X 0213:2004. Written by tool/charsets.py.",
            jis2004.table(array, tables["jis0208"], tables["jis0212"]))


def cns_11643(tables):
    return "CNS 11643. Written by tool/charsets.py from tool/cns.txt.", cns.table(tables["big5"])


def euckr(tables):
    return (f"euc-kr, with windows-949. {STANDARD}.",
            array("euckr_index", tables["euc-kr"],
                  "Code points by pointer, (lead - 81) * 190 + trail - 41; 0 if undefined."))


# What each file of charset/legacy/tables/ says at its head, and its tables; singlebyte.h apart.
FILES = {"gb18030": gb18030, "big5": big5, "jis": jis, "jis2004": jis_2004, "cns": cns_11643, "katakana": katakana,
         "euckr": euckr}


def standard():
    """The standard's indexes by name, and its labels of today by encoding's name."""
    tables, labels = text_encoding()
    check_labels(labels)
    for name, added in NEW_LABELS.items():
        labels.setdefault(name, []).extend(added.split())
    return tables, labels


def files():
    """The text of each file."""
    tables, labels = standard()
    rows = rows_of(labels, tables)
    found = {"core/utf8charsets.h": list_file(rows)}
    parts = {"singlebyte": single_byte_tables(rows, tables), **{name: make(tables) for name, make in FILES.items()}}
    for name, (what, *arrays) in parts.items():
        path = f"charset/legacy/tables/{name}.h"
        found[path] = header(path, what, INCLUDE + "\n" + "\n".join(arrays) + TABLE_END)
    return found


if __name__ == "__main__":
    generated.main(__doc__, files)
