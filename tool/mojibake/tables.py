#!/usr/bin/env python3
"""tables.py: makes the tables of mojibake/scan.c.

    python3 tool/mojibake/tables.py --train     # counts real text; writes tool/mojibake/costs
    python3 tool/mojibake/tables.py --write     # writes mojibake/tables/*.h from that
    python3 tool/mojibake/tables.py --check     # are they what --write would write?

--train fetches Debian's packages of translations (tool/mojibake/corpus.py).
"""

import os
import re

import corpus  # also adds the folder of the tools to the path
import debiantext
import generated
import model
from model import CHARSETS, CLASSES, RIVALS, SCRIPTS, UNIT

COSTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "costs")

# ---- --train -----------------------------------------------------------------------------

def training_text():
    """Yields (lines, weight): each measured language has the same weight, others less."""
    for language in corpus.LANGUAGES + corpus.FURTHER:
        lines = [x for x in corpus.lines(language) if corpus.is_for_training(x)]
        foreign = [x for x in lines if not x.isascii()][:2500]
        ascii_only = [x for x in lines if x.isascii()][:300]
        share = 1000 if language in corpus.LANGUAGES else 300
        yield foreign + ascii_only, share / max(len(foreign), 500)
    for text, weight in model.SAMPLES:
        yield text.strip("\n").split("\n"), weight


def train():
    corpus.fetch()
    pairs, members, switches = model.count(training_text())
    with open(COSTS, "w", encoding="ascii") as file:
        file.write("# Made by tool/mojibake/tables.py --train. Quarters of a bit.\n")
        file.write("# Text: " + ", ".join(debiantext.versions(corpus.WORK)) + "\n")
        for name, row in zip(CLASSES, pairs):
            file.write("pair %s %s\n" % (name, " ".join(quantized(x, 26) for x in row)))
        for name, row in zip(["NONE", *SCRIPTS], switches):
            file.write("switch %s %s\n" % (name, " ".join(quantized(x, 20) for x in row)))
        for code, bits in sorted(members.items()):
            file.write("member %04X %s\n" % (code, quantized(bits, 25)))


def quantized(bits, most):
    return str(round(min(bits, most) * UNIT))


def read_costs():
    pairs, members, switches = {}, {}, []
    with open(COSTS, encoding="ascii") as file:
        for line in file:
            kind, name, *numbers = line.split()
            if kind == "pair":
                pairs[name] = [int(n) for n in numbers]
            elif kind == "switch":
                switches.append([int(n) for n in numbers])
            elif kind == "member":
                members[int(name, 16)] = int(numbers[0])
    return pairs, members, switches


# ---- --write -----------------------------------------------------------------------------

BLOCK = 64
CODES = list(range(128)) + model.charset_characters()
EXTRA = model.rival_characters()
KIND = {code: i for i, code in enumerate(CODES + list(range(-len(CLASSES), 0)) + EXTRA) if code >= 0}
KINDS = len(CODES) + len(CLASSES) + len(EXTRA)


# Lead bytes after which ftfy, too, reads a space as A0 (its ALTERED_UTF8_RE).
BEFORE_SPACE = {0xC2, 0xC3, 0xC5, 0xCE, 0xD0, 0xD9, 0xE2, 0xE3}


def kind_of(code):
    """A character of a charset has a kind of its own, any other that of its class."""
    return KIND.get(code, len(CODES) + model.class_of(code))


def overlap(kinds, block):
    """How many of the last kinds are those with which the block starts."""
    return next(n for n in range(len(block), -1, -1) if kinds[len(kinds) - n:] == block[:n])


def blocks():
    """Returns (place of each block of the BMP among the kinds, kinds). Blocks overlap where they can."""
    every = [tuple(kind_of(c) for c in range(first, first + BLOCK)) for first in range(0, 0x10000, BLOCK)]
    left, kinds, places = list(dict.fromkeys(every)), (), {}
    while left:
        block = max(left, key=lambda block: overlap(kinds, block))
        shared = overlap(kinds, block)
        places[block] = len(kinds) - shared
        kinds += block[shared:]
        left.remove(block)
    return [places[block] for block in every], kinds


def byte_rows():
    """For each charset, the byte of each kind; 0 if the charset has no such character."""
    rows = []
    for charset in range(len(CHARSETS + RIVALS)):
        row = [0] * KINDS
        for byte in range(255, 127, -1):
            code = model.decode_byte(charset, byte)
            if code in KIND:
                row[KIND[code]] = byte
        if model.decode_byte(charset, 0xA0) == 0xA0:
            row[0x20] = 0x20  # may have been A0
        if charset < len(CHARSETS) and model.leaves_undefined(charset):
            row[KIND[0xFFFD]] = 0x1A  # a byte that was lost
        rows.append(row)
    return rows


def masks(rows, first, last):
    """For each kind, the charsets (bits) in which its byte is in first..last."""
    return [sum(1 << c for c, row in enumerate(rows) if first <= row[kind] <= last)
            for kind in range(len(rows[0]))]


def partitions(rows):
    """Returns (where each kind's masks start, masks): charsets that agree on a kind's byte."""
    starts, masks_, known = [], [], {}
    for kind in range(len(rows[0])):
        by_byte = {}
        for charset, row in enumerate(rows):
            by_byte[row[kind]] = by_byte.get(row[kind], 0) | 1 << charset
        groups = tuple(by_byte.values())
        if groups not in known:
            known[groups] = len(masks_)
            masks_ += groups
        starts.append(known[groups])
    return starts, masks_


# What scan() stops at: pairs of a lead byte (of two or of more bytes) and a continuation byte
# that are not natural. One bit per charset, and these.
LETTERS_866 = len(CHARSETS)      # ibm866, whose lead bytes are Cyrillic letters
PUNCTUATION_MAC = LETTERS_866 + 1  # macintosh, whose lead bytes are punctuation before words
LATIN_1251 = LETTERS_866 + 3     # windows-1251, whose lead bytes are of Latin letters
LATIN_KOI8 = LETTERS_866 + 4     # koi8-r, C2 or C3 before A3
CASE = LETTERS_866 + 2           # a small and then a capital Cyrillic letter
NUMBER_OF = {name: i for i, (name, _) in enumerate(CHARSETS)}
NEVER = {0x384, 0x385, 0x200C, 0x200D}  # natural beside Greek and Persian letters
OPENING = model.chars("«–—“‘’…\u00a0")


def script_of(code):
    """The script of a letter that is not Latin, or 0."""
    script = model.SCRIPT_OF_CLASS[model.class_of(code)]
    return 0 if list(SCRIPTS)[script - 1] == "LATIN" else script


def trigger_bit(charset, code):
    """The bit of a lead byte's character."""
    if charset == NUMBER_OF["ibm866"] and script_of(code):
        return LETTERS_866
    if charset == NUMBER_OF["macintosh"] and code in OPENING:
        return PUNCTUATION_MAC
    return charset


def triggers(rows):
    """Returns masks by kind: lead byte of two, of more bytes, continuation byte."""
    two, more, next_ = ([0] * len(rows[0]) for _ in range(3))
    for charset, row in enumerate(rows):
        leads = [code for kind, code in enumerate(CODES) if 0xC2 <= row[kind] <= 0xF4]
        scripts = {script_of(code) for code in leads if trigger_bit(charset, code) == charset}
        for kind, code in enumerate(CODES):
            byte = row[kind]
            if 0xC2 <= byte <= (0xF1 if script_of(code) else 0xF4):
                if charset == NUMBER_OF["windows-1251"] and byte <= 0xC5:
                    two[kind] |= 1 << LATIN_1251
                (two if byte < 0xE0 else more)[kind] |= 1 << trigger_bit(charset, code)
            if not 0x80 <= byte <= 0xBF and not (code == 0xFFFD and lossy_mask() >> charset & 1):
                continue
            if code in NEVER:
                continue
            if not script_of(code) or script_of(code) not in scripts:
                next_[kind] |= 1 << charset
            if charset == NUMBER_OF["windows-1251"]:
                next_[kind] |= 1 << LATIN_1251
            if charset == NUMBER_OF["ibm866"] and model.class_name(code) != "CYRILLIC_LOWER":
                next_[kind] |= 1 << LETTERS_866
            if charset == NUMBER_OF["macintosh"] and not model.SCRIPT_OF_CLASS[model.class_of(code)]:
                next_[kind] |= 1 << PUNCTUATION_MAC
    for code in (0x431, 0x446):
        two[KIND[code]] |= 1 << LATIN_KOI8
    next_[KIND[0x451]] |= 1 << LATIN_KOI8
    for kind, code in enumerate(CODES):
        name = model.class_name(code)
        if name.startswith("CYRILLIC") and name.endswith("LOWER"):
            two[kind] |= 1 << CASE
        if name.startswith("CYRILLIC") and code < 0x430:
            next_[kind] |= 1 << CASE
    return two, more, next_


def lossy_mask():
    return sum(1 << c for c in range(len(CHARSETS)) if model.leaves_undefined(c))


def array(type_, name, values, form="%d"):
    text = ", ".join(form % v for v in values)
    lines = re.sub(r"(.{1,88})(?: |$)", r"    \1\n", text).rstrip("\n")
    return f"const {type_} utf8mojibake_{name} = {{\n{lines},\n}};\n"


def matrix(type_, name, rows):
    lines = "".join("    {%s},\n" % ",".join(map(str, row)) for row in rows)
    return f"const {type_} utf8mojibake_{name} = {{\n{lines}}};\n"


def tables():
    """Returns (definition, comment) of each table."""
    pairs, members, switches = read_costs()
    all_rows = byte_rows()
    rows = all_rows[:len(CHARSETS)]
    places, kinds_of_blocks = blocks()
    classes = [model.class_of(c) for c in CODES] + list(range(len(CLASSES)))
    classes += [model.class_of(c) for c in EXTRA]
    costs = [members[c] for c in CODES]
    costs += [round(model.MEMBER_BITS.get(CLASSES[c], 9) * UNIT) for c in classes[len(CODES):]]
    continuations = masks(rows, 0x80, 0xBF)
    all_continuations = masks(all_rows, 0x80, 0xBF)
    continuations[KIND[0xFFFD]] = all_continuations[KIND[0xFFFD]] = lossy_mask()
    before_space = [sum(1 << c for c, row in enumerate(rows) if row[k] in BEFORE_SPACE
                        and spaced_mask() >> c & 1) for k in range(len(rows[0]))]
    two, more, next_ = triggers(rows)
    is_upper = [name.endswith("UPPER") or name == "GREEK_TONOS" for name in CLASSES]
    enumerators = generated.charset_enumerators()
    kinds, size = "[MOJIBAKE_KINDS]", "[MOJIBAKE_CLASSES]"
    starts, agreeing = partitions(all_rows)
    yield array("uint8_t", "charset[MOJIBAKE_WITH_RIVALS]", [enumerators[name] for name, _ in CHARSETS + RIVALS],
                "UTF8_CHARSET_%s"), \
        "Each charset and rival, in order of preference."
    yield array("uint16_t", "block[1024]", places), "Where in kind each block of 64 code points of the BMP starts."
    yield array("uint16_t", f"kind[{len(kinds_of_blocks)}]", kinds_of_blocks), "The kinds of blocks, which overlap."
    yield matrix("Utf8MojibakeTraits", "traits" + kinds,
                 [(c, model.SCRIPT_OF_CLASS[c], cost) for c, cost in zip(classes, costs)]), \
        "What is known of a kind."
    yield matrix("uint8_t", "pair[MOJIBAKE_CLASSES][MOJIBAKE_CLASSES]",
                 [pairs[n] for n in CLASSES]), "The cost of a class after a class."
    yield matrix("int8_t", "switch[%d][%d]" % (2 * (len(switches),)), switches), \
        "What a letter costs in addition, by the script of the letter before and its own."
    yield array("uint8_t", "is_upper" + size, is_upper), "Is it a class of capital letters?"
    yield array("uint32_t", "lead" + kinds, masks(all_rows, 0xC2, 0xF4), "0x%X"), \
        "The charsets, rivals included, in which a kind is a lead byte."
    yield array("uint32_t", "continuation" + kinds, all_continuations, "0x%X"), \
        "The charsets in which it is a continuation byte."
    spaced = sorted(set(before_space))
    yield array("uint8_t", "before_space_from" + kinds, map(spaced.index, before_space)), "A kind's mask in before_space."
    yield array("uint32_t", f"before_space[{len(spaced)}]", spaced, "0x%X"), \
        "Charsets in which a space after a kind may have been A0."
    scans = zip(two, more, next_, (n | c for n, c in zip(next_, continuations)))
    yield matrix("Utf8MojibakeScan", "scan" + kinds, [["0x%X" % m for m in x] for x in scans]), \
        "What a scan stops at."
    yield array("uint16_t", "agreeing_from" + kinds, starts), "Where a kind's masks start in agreeing."
    yield array("uint32_t", f"agreeing[{len(agreeing)}]", agreeing, "0x%X"), \
        "The charsets that have the same byte for a kind; each charset is in one mask of a kind."
    yield matrix("uint8_t", "byte[MOJIBAKE_WITH_RIVALS][MOJIBAKE_KINDS]", all_rows), \
        "The byte of a kind, or 0; 20 and 1A for a space and U+FFFD that may stand for a byte."
    yield array("uint8_t", "rarity[MOJIBAKE_WITH_RIVALS]", model.RARITIES), \
        "What it costs that a whole line was misread in a charset."


def further_mask():
    return sum(1 << NUMBER_OF[name] for name in ("ibm866", "macintosh", "windows-1251", "koi8-r"))


def spaced_mask():
    return sum(1 << c for c in range(len(CHARSETS)) if model.decode_byte(c, 0xA0) == 0xA0)


def named():
    numbers = {name: number for number, (name, _) in enumerate(CHARSETS)}
    return {"LATIN1": numbers["iso-8859-1"], "MACINTOSH": numbers["macintosh"]}


def header():
    """Declares the tables."""
    out = ["/* classes.h: declares the tables of tables.h. Made by tool/mojibake/tables.py --write.\n"
           "*/\n#ifndef UTF8_MOJIBAKE_TABLES_CLASSES_H\n#define UTF8_MOJIBAKE_TABLES_CLASSES_H\n\n"
           "#include <stdint.h>\n\n/* clang-format off */\n",
           f"#define MOJIBAKE_CHARSETS {len(CHARSETS)}\n#define MOJIBAKE_CLASSES {len(CLASSES)}\n"
           f"#define MOJIBAKE_WITH_RIVALS {len(CHARSETS + RIVALS)} /* charsets and rivals */\n\n"
           "/* The charsets that the bits of a scan from MOJIBAKE_CHARSETS on stand for. */\n"
           f"#define MOJIBAKE_SCAN_FURTHER 0x{further_mask():X}u\n\n"
           "/* The charsets that the code names. */\n"
           + "".join(f"#define MOJIBAKE_{name} {number}\n" for name, number in named().items()) + "\n"
           "/* Scripts; from LIVING on, those without a language in detect/model.h. */\n"
           + "".join(f"#define MOJIBAKE_SCRIPT_{name} {list(SCRIPTS).index(name) + 1}\n"
                     for name in ("LATIN", "LIVING")) + "\n"
           "/* A kind is a character that some charset has, or a class for all other characters. */\n"
           f"#define MOJIBAKE_KINDS {KINDS}\n"
           f"#define MOJIBAKE_KIND_OF_CLASS {len(CODES)}\n"]
    out += [f"#define MOJIBAKE_{name} {model.NUMBER[name]}" for name in CLASSES]
    out.append("\ntypedef struct Utf8MojibakeTraits {\n  uint8_t class;\n"
               "  uint8_t script; /* of a class of letters; 0 for other classes */\n"
               "  uint8_t cost;   /* of the character within its class */\n"
               "} Utf8MojibakeTraits;\n\n"
               "/* The charsets, as bits, in which a scan stops at a kind. */\n"
               "typedef struct Utf8MojibakeScan {\n"
               "  uint32_t two;  /* it leads a sequence of two bytes */\n"
               "  uint32_t more; /* it leads a longer one */\n"
               "  uint32_t next; /* it continues a sequence */\n"
               "  uint32_t last; /* it may be the third byte of one */\n"
               "} Utf8MojibakeScan;\n")
    for definition, comment in tables():
        out.append(f"/* {comment} */\nextern {definition[:definition.index(' =')]};")
    out.append("\n/* clang-format on */\n#endif\n")
    return "\n".join(out)


def definitions():
    out = ["/* tables.h: the tables of mojibake/scan.c. Made by tool/mojibake/tables.py --write.\n**\n"
           "** Sources: Python's codecs for the charsets, with the undefined bytes 80..9F as C1\n"
           "** controls as in the WHATWG Encoding Standard; the classes of\n"
           "** tool/mojibake/model.py; and the costs in tool/mojibake/costs.\n*/\n"
           "#ifndef UTF8_MOJIBAKE_TABLES_TABLES_H\n#define UTF8_MOJIBAKE_TABLES_TABLES_H\n\n"
           '#include "mojibake/tables/classes.h"\n#include "core/utf8core.h"\n\n/* clang-format off */\n']
    out += [definition for definition, _ in tables()]
    out.append("/* clang-format on */\n#endif\n")
    return "\n".join(out)


def files():
    return {"mojibake/tables/classes.h": header(), "mojibake/tables/tables.h": definitions()}


if __name__ == "__main__":
    generated.main(__doc__, files, train=train)
