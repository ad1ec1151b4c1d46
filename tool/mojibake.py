#!/usr/bin/env python3
"""mojibake.py: makes the tables of utf8mojibake.c, and measures how well they decide.

    python3 tool/mojibake.py --train     # counts real text; writes tool/mojibake.costs
    python3 tool/mojibake.py --write     # writes charset/mojibake.h from that
    python3 tool/mojibake.py --check     # is charset/mojibake.h what --write would write?
    python3 tool/mojibake.py --measure   # the tables of docs/mojibake.md

--train and --measure fetch Debian's packages of translations (tool/mojibake_corpus.py).
"""

import hashlib
import os
import re
import sys

import mojibake_corpus as corpus
import mojibake_model as model
from mojibake_model import CHARSETS, CLASSES, SCRIPTS, UNIT

ROOT = corpus.ROOT
COSTS = os.path.join(ROOT, "tool", "mojibake.costs")
HEADER = os.path.join(ROOT, "charset", "mojibake.h")

# ---- --train -----------------------------------------------------------------------------

def is_for_training(line):
    """Half of the lines are counted; the others are measured."""
    return hashlib.md5(line.encode()).digest()[15] & 1


def training_text():
    """Yields (lines, weight): each measured language has the same weight, others less."""
    for language in corpus.LANGUAGES + corpus.FURTHER:
        lines = [x for x in corpus.lines(language) if is_for_training(x)]
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
        file.write("# Made by tool/mojibake.py --train. Quarters of a bit.\n")
        file.write("# Text: " + ", ".join(corpus.versions()) + "\n")
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
KIND = {code: i for i, code in enumerate(CODES)}


# Lead bytes after which ftfy, too, reads a space as A0 (its ALTERED_UTF8_RE).
BEFORE_SPACE = {0xC2, 0xC3, 0xC5, 0xCE, 0xD0, 0xD9, 0xE2, 0xE3}


def kind_of(code):
    """A character of a charset has a kind of its own, any other that of its class."""
    return KIND.get(code, len(CODES) + model.class_of(code))


def blocks():
    """Returns (number of each block of 64 code points of the BMP, distinct blocks)."""
    found, numbers = {}, []
    for first in range(0, 0x10000, BLOCK):
        block = tuple(kind_of(c) for c in range(first, first + BLOCK))
        numbers.append(found.setdefault(block, len(found)))
    return numbers, list(found)


def byte_rows():
    """For each charset, the byte of each kind; 0 if the charset has no such character."""
    rows = []
    for charset in range(len(CHARSETS)):
        row = [0] * (len(CODES) + len(CLASSES))
        for byte in range(255, 127, -1):
            code = model.decode_byte(charset, byte)
            if code is not None:
                row[KIND[code]] = byte
        rows.append(row)
    return rows


def masks(rows, first, last):
    """For each kind, the charsets (bits) in which its byte is in first..last."""
    return [sum(1 << c for c, row in enumerate(rows) if first <= row[kind] <= last)
            for kind in range(len(rows[0]))]


# What scan() stops at: pairs of a lead byte (of two or of more bytes) and a continuation byte
# that are not natural. One bit per charset, and these.
LETTERS_866 = len(CHARSETS)      # ibm866, whose lead bytes are Cyrillic letters
PUNCTUATION_MAC = LETTERS_866 + 1  # macintosh, whose lead bytes are punctuation before words
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
                (two if byte < 0xE0 else more)[kind] |= 1 << trigger_bit(charset, code)
            if not 0x80 <= byte <= 0xBF and not (code == 0xFFFD and lossy_mask() >> charset & 1):
                continue
            if code in NEVER:
                continue
            if not script_of(code) or script_of(code) not in scripts:
                next_[kind] |= 1 << charset
            if charset == NUMBER_OF["ibm866"] and model.class_name(code) != "CYRILLIC_LOWER":
                next_[kind] |= 1 << LETTERS_866
            if charset == NUMBER_OF["macintosh"] and not model.SCRIPT_OF_CLASS[model.class_of(code)]:
                next_[kind] |= 1 << PUNCTUATION_MAC
    for kind, code in enumerate(CODES):
        name = model.class_name(code)
        if name.startswith("CYRILLIC") and name.endswith("LOWER"):
            two[kind] |= 1 << CASE
        if name.startswith("CYRILLIC") and name.endswith("UPPER"):
            next_[kind] |= 1 << CASE
    return two, more, next_


def lossy_mask():
    return sum(1 << c for c in range(len(CHARSETS)) if model.leaves_undefined(c))


def array(type_, name, values, form="%d"):
    text = ", ".join(form % v for v in values)
    lines = re.sub(r"(.{1,88})(?: |$)", r"    \1\n", text).rstrip("\n")
    return f"static const {type_} {name} = {{\n{lines},\n}};\n"


def header():
    pairs, members, switches = read_costs()
    rows = byte_rows()
    numbers, distinct = blocks()
    lossy = lossy_mask()
    spaced = sum(1 << c for c in range(len(CHARSETS)) if model.decode_byte(c, 0xA0) == 0xA0)
    kinds = CODES + [None] * len(CLASSES)
    classes = [model.class_of(c) for c in CODES] + list(range(len(CLASSES)))
    costs = [members[c] for c in CODES]
    costs += [round(model.MEMBER_BITS.get(name, 9) * UNIT) for name in CLASSES]
    leads, continuations = masks(rows, 0xC2, 0xF4), masks(rows, 0x80, 0xBF)
    continuations[KIND[0xFFFD]] = lossy
    out = ["/* mojibake.h: the tables of utf8mojibake.c. Made by tool/mojibake.py --write.\n**\n"
           "** Sources: Python's codecs for the charsets, with the undefined bytes 80..9F as C1\n"
           "** controls as in the WHATWG Encoding Standard; the classes of\n"
           "** tool/mojibake_model.py; and the costs in tool/mojibake.costs.\n*/\n"
           "#ifndef UTF8_CHARSET_MOJIBAKE_H\n#define UTF8_CHARSET_MOJIBAKE_H\n\n"
           "#include <stdint.h>\n\n/* clang-format off */\n"]
    out.append(f"#define MOJIBAKE_CHARSETS {len(CHARSETS)}\n#define MOJIBAKE_CLASSES "
               f"{len(CLASSES)}\n#define MOJIBAKE_KINDS {len(kinds)}\n"
               f"#define MOJIBAKE_LOSSY 0x{lossy:X}u /* charsets that leave bytes undefined */\n"
               f"#define MOJIBAKE_SPACED 0x{spaced:X}u /* charsets in which A0 is U+00A0 */\n")
    out.append("/* A kind is a character that some charset has, or else a class. */")
    out.append(f"#define MOJIBAKE_KIND_OF_CLASS {len(CODES)}\n")
    for name in CLASSES:
        out.append(f"#define MOJIBAKE_{name} {model.NUMBER[name]}")
    out.append("\nstatic const char *const mojibake_names[MOJIBAKE_CHARSETS] = {\n    " +
               ", ".join(f'"{name}"' for name, _ in CHARSETS) + ",\n};\n")
    out.append("/* What each run in a charset costs besides, and what a run must save. */")
    out.append(array("uint8_t", "mojibake_prior[MOJIBAKE_CHARSETS]", model.PRIORS))
    out.append(array("uint8_t", "mojibake_threshold[MOJIBAKE_CHARSETS]", model.THRESHOLDS))
    out.append("/* The kind of a code point: the block of 64, then its place in the block. */")
    out.append(array("uint8_t", "mojibake_block[1024]", numbers))
    out.append("static const uint16_t mojibake_kind[%d][64] = {\n%s};\n" % (len(distinct), "".join(
                   "    {%s},\n" % ",".join(map(str, block)) for block in distinct)))
    out.append(array("uint8_t", "mojibake_class[MOJIBAKE_KINDS]", classes))
    out.append("/* The cost of a character within its class, and of a class after a class. */")
    out.append(array("uint8_t", "mojibake_member[MOJIBAKE_KINDS]", costs))
    out.append("static const uint8_t mojibake_pair[MOJIBAKE_CLASSES][MOJIBAKE_CLASSES] = {\n" +
               "".join("    {%s},\n" % ",".join(map(str, pairs[n])) for n in CLASSES) + "};\n")
    out.append("/* The script of a class, 0 for none; and what it costs more after a letter of another\n"
               "** script, and less after one of its own. */")
    out.append(array("uint8_t", "mojibake_script[MOJIBAKE_CLASSES]", model.SCRIPT_OF_CLASS))
    out.append("/* Is a class of capital letters? */")
    out.append(array("uint8_t", "mojibake_is_upper[MOJIBAKE_CLASSES]",
                     [name.endswith("UPPER") or name == "GREEK_TONOS" for name in CLASSES]))
    out.append("/* Is a single character of the class, decoded between others, an accident? 1: beside a\n"
               "** letter, 2: anywhere. */")
    out.append(array("uint8_t", "mojibake_far[MOJIBAKE_CLASSES]",
                     [2 * (name in model.FAR_ANYWHERE) + (name in model.FAR_IN_WORDS)
                      for name in CLASSES]))
    out.append("static const int8_t mojibake_switch[%d][%d] = {\n" % (2 * (len(switches),)) +
               "".join("    {%s},\n" % ",".join(map(str, row)) for row in switches) + "};\n")
    out.append("/* The charsets in which a kind's byte is a lead byte, or a continuation byte. */")
    out.append(array("uint32_t", "mojibake_lead[MOJIBAKE_KINDS]", leads, "0x%X"))
    out.append(array("uint32_t", "mojibake_continuation[MOJIBAKE_KINDS]", continuations, "0x%X"))
    for name, values in zip(("two", "more", "next"), triggers(rows)):
        out.append(array("uint32_t", f"mojibake_scan_{name}[MOJIBAKE_KINDS]", values, "0x%X"))
    out.append("/* The charsets in which a space after the character may have been the byte A0. */")
    out.append(array("uint32_t", "mojibake_before_space[MOJIBAKE_KINDS]",
                     [sum(1 << c for c, row in enumerate(rows) if row[k] in BEFORE_SPACE
                          and spaced >> c & 1) for k in range(len(kinds))], "0x%X"))
    out.append("/* The byte of a kind in a charset, or 0. */")
    out.append("static const uint8_t mojibake_byte[MOJIBAKE_CHARSETS][MOJIBAKE_KINDS] = {\n" +
               "".join("    {%s},\n" % ",".join(map(str, row)) for row in rows) + "};\n")
    out.append("/* clang-format on */\n#endif\n")
    return "\n".join(out)


def write():
    os.makedirs(os.path.dirname(HEADER), exist_ok=True)
    with open(HEADER, "w", encoding="ascii") as file:
        file.write(header())


def check():
    with open(HEADER, encoding="ascii") as file:
        same = file.read() == header()
    print("ok charset/mojibake.h is what tool/mojibake.py writes" if same else
          "not ok charset/mojibake.h: run tool/mojibake.py --write")
    print("1 passed, 0 failed" if same else "0 passed, 1 failed")
    return 0 if same else 1


def main(argument):
    if argument == "--train":
        train()
    elif argument == "--write":
        write()
    elif argument == "--check":
        sys.exit(check())
    elif argument == "--measure":
        import mojibake_measure
        mojibake_measure.main()
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
