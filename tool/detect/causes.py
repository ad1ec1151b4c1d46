#!/usr/bin/env python3
"""causes.py: how often utf8_cause is right, and what it would write, on text that nothing was tuned on.

    make && python3 tool/detect/causes.py                # the table of docs/repair.md
    python3 tool/detect/causes.py --check                # also compares it with BOUNDS
    python3 tool/detect/causes.py --development          # the text that may be looked at
    python3 tool/detect/causes.py --by language          # each language apart; or charset
    python3 tool/detect/causes.py --show wrong           # values with a wrong letter
    python3 tool/detect/causes.py --calibration          # how often what has a probability is right

Text: causetexts.py. A value is what remains of a line after an accident. Its repair by cause is

right    the text as it was, or with U+FFFD in the place of what the accident destroyed
wrong    anything else without a U+FFFD more than that: a letter was invented
left     text is lost that the bytes still had, but nothing was invented
"""

import argparse
import collections
import re
import subprocess
import sys
import unicodedata

import causetexts  # also adds the folder of the tools to the path
import generated
import peers
import tables
import texts
from causetexts import LANGUAGES
from texts import has_sequence, is_utf8, subpart

LINES = 60        # of each language and kind of accident
DOCUMENTS = 2     # of each language and number of damaged bytes
DOCUMENT = 40000  # characters
MULTI_BYTE = ("gbk", "big5", "euc-jp", "shift_jis", "euc-kr")
# The charsets whose rightly named lines have a goal.
COMMON = ("windows-874", "ibm866", "koi8-u", "koi8-r", "windows-1251", "windows-1252", "windows-1256",
          "gbk", "shift_jis", "euc-kr")
NOT_WRITTEN = ("cut", "damaged", "unclear", "overlong", "binary", None)

# Each language is in each host equally often, while hardly anyone writes Lithuanian words into Italian in windows-1257. So
# this group has a bound of its own, and counts in no sum.
FOREIGN = "word in another language"

# The least share of each group, in per cent.
BOUNDS = [
    ("damaged line, a sequence left", "detected", 99.5), ("damaged line, a sequence left", "right", 99.5),
    ("damaged line, no sequence left", "not wrong", 99),
    ("document, 1 byte damaged", "detected", 100), ("document, 5 bytes damaged", "detected", 100),
    ("document, 30 bytes damaged", "detected", 100),
    ("common legacy line", "right if named", 96.5), ("pasted word", "right", 94), ("pasted word", "kept", 100),
    (FOREIGN, "not wrong", 98.5),
]
WRONG_MAX = 1  # of 1,000 written values
# The least share that is right of what claims so much, with charsets as common as the model holds.
CALIBRATED = {0.9: 90, 0.99: 98, 0.999: 99.7}


# ---- accidents ---------------------------------------------------------------------------------

class Case(collections.namedtuple("Case", "group language charset data text allowed")):
    """data is what became of text; allowed: what right repairs return."""


def damaged(data, count, random):
    """The bytes with count bytes of sequences lost or overwritten, until they are ill-formed."""
    while True:
        new = bytearray(data)
        for at in sorted(random.sample([i for i, b in enumerate(data) if b > 0x7F], count), reverse=True):
            new[at:at + 1] = b"" if random.random() < 0.5 else bytes([random.randint(0x20, 0xFF)])
        if not is_utf8(new):
            return bytes(new)


def length_of(line):
    return "line" if 60 <= len(line) <= 500 else "short" if 4 <= len(line) <= 25 else None


def damage_cases(language, lines, random):
    count = collections.Counter()
    for line in lines:
        data = damaged(line.encode(), 1, random)
        size = "short" if 9 <= len(line.encode()) <= 40 else length_of(line)
        kind = "a sequence left" if has_sequence(data) else "no sequence left"
        if size and len(data) >= 9 and count[size, kind] < LINES:
            count[size, kind] += 1
            yield Case(f"damaged {size}, {kind}", language, "utf-8", data, line, {line, subpart(data)})


def document_cases(language, lines, random):
    for number in range(DOCUMENTS):
        text, rest = "", lines[number::DOCUMENTS]
        while len(text) < DOCUMENT and rest:
            text += "\n".join(rest) + "\n"
        for count in (1, 5, 30):
            data = damaged(text[:DOCUMENT].encode(), count, random)
            kind = "1 byte" if count == 1 else f"{count} bytes"
            yield Case(f"document, {kind} damaged", language, "utf-8", data, text, {subpart(data)})


def cut_cases(language, lines, random):
    count = 0
    for line in lines:
        data = line.encode()
        end = random.randint(len(data) // 2, len(data))
        start = 0 if random.random() < 0.7 else random.randint(0, len(data) // 4)
        data = data[start:end]
        if not is_utf8(data) and has_sequence(data) and 10 <= len(data) <= 500 and count < LINES:
            yield Case("cut", language, "utf-8", data, line, {subpart(data)})
            count += 1


def encoded(text, charset):
    """The text as people typed it in the charset, and its bytes; None if they are not ill-formed UTF-8."""
    text = texts.as_typed(text, charset)
    data = peers.encode(text, charset)
    return None if data is None or is_utf8(data) else (text, data)


def legacy_cases(language, lines, charsets):
    for charset in charsets:
        count = collections.Counter()
        for line in lines:
            size = length_of(line)
            if size and count[size] < LINES and (found := encoded(line, charset)):
                count[size] += 1
                is_common = size == "line" and charset in COMMON
                yield Case("common legacy line" if is_common else "legacy " + size,
                           language, charset, found[1], found[0], {found[0]})


PRICES = ["%s, 1.234,50 €", "%s – 12,50 €", "%s: £15", "€ 9,99 (%s)", "%s 20 m²", "%s, 5 ½ kg", "%s, 25 °C"]


def price_cases(language, lines, charsets, random):
    """A product or a place with a price or a measure."""
    names = [line for line in lines if length_of(line) == "short"][:LINES]
    for charset in [c for c in charsets if c.startswith("windows-")]:
        for name in names:
            if found := encoded(random.choice(PRICES) % name, charset):
                yield Case("price", language, charset, found[1], found[0], {found[0]})


def words(line):
    return [w for w in re.findall(r"\w+", line) if not w.isascii() and len(w) > 2]


def pasted_cases(language, lines, charsets, random):
    """A word of the same language, in the language's commonest charset."""
    count = 0
    for line, other in zip(lines, reversed(lines)):
        if count == LINES or not 20 <= len(line) <= 300 or not words(other):
            continue
        word = random.choice(words(other))
        found = encoded(word, charsets[0])
        if found is None:
            continue
        at = random.choice([m.start() for m in re.finditer(" ", line)] or [len(line)])
        value = line[:at].encode() + b" " + found[1] + line[at:].encode()
        text = line[:at] + " " + found[0] + line[at:]
        count += 1
        is_western = charsets[0] == "windows-1252"
        yield Case("pasted word" if is_western else "pasted word, other charset", language, charsets[0], value, text,
                   {text})


HOSTS = "de fr it nl es pl cs hu tr fi".split()  # whose lines have words of others in them


def foreign_cases(language, lines, charsets, random, hosts, group):
    """A name or a word of the language in a line of another one, in ASCII."""
    names = [line for line in lines if length_of(line) == "short" and line.count(" ") < 2][:LINES]
    others = [line for host, line in hosts if host != language]
    for name in names if charsets and others else ():
        line = random.choice(others)
        at = random.choice([m.start() for m in re.finditer(" ", line)] or [0])
        if found := encoded(line[:at] + " " + name + line[at:], charsets[0]):
            yield Case(group, language, charsets[0], found[1], found[0], {found[0]})


def without_marks(line):
    return "".join(c for c in unicodedata.normalize("NFD", line) if not unicodedata.combining(c))


def host_lines(languages, final):
    """(language, line) of lines that are ASCII without their marks."""
    found = [(host, without_marks(line)) for host in languages for line in causetexts.lines_of(host, final)]
    return [(host, line) for host, line in found if line.isascii() and length_of(line) == "line"]


def cases(final):
    english = [("en", line) for line in causetexts.english(final) if length_of(line) == "line"]
    hosts = host_lines(HOSTS, final)
    for language, (_, names) in LANGUAGES.items():
        lines = list(causetexts.lines_of(language, final))
        charsets = [name for name in names if name != "iso-2022-jp"]
        single = [name for name in charsets if name not in MULTI_BYTE]
        for make in (damage_cases, document_cases, cut_cases):
            yield from make(language, lines, texts.random_of(language, make.__name__))
        yield from legacy_cases(language, lines, charsets)
        yield from price_cases(language, lines, charsets, texts.random_of(language, "price"))
        if single:
            yield from pasted_cases(language, lines, single, texts.random_of(language, "pasted"))
        for group, some in ("word in English", english), (FOREIGN, hosts):
            random = texts.random_of(language, "foreign" if some is english else FOREIGN)
            yield from foreign_cases(language, lines, charsets, random, some, group)


# ---- results -------------------------------------------------------------------------------------

def of_sql(expression, *values):
    return peers.DB.execute("SELECT " + expression, values).fetchone()


def judge(case):
    cause, detected, written, is_binary = of_sql(
        "utf8_cause(?1), utf8_detect(?1), CAST(utf8_repair(?1, 'auto') AS TEXT), utf8_cause(?1) = 'binary'", case.data)
    if written in case.allowed and not is_binary:
        result = "right"
    elif is_binary or written == subpart(case.data):
        result = "left"
    else:
        result = "wrong"
    return result, cause, detected


def is_detected(case, detected):
    """Is the value named as what it is, or as a charset in which it is the same text?"""
    if case.charset == "utf-8" or case.group.startswith("pasted"):
        return detected == "utf-8"
    return peers.read(case.data, detected) == case.text


class Row(collections.Counter):
    """The counts of a group."""

    def add(self, case, result, cause, detected):
        named = is_detected(case, detected)
        written = cause not in NOT_WRITTEN
        kept = result != "wrong" if case.group.startswith("pasted") else True
        self.update({"values": 1, result: 1, "unclear": cause == "unclear", "named": named, "written": written,
                     "kept": kept, "right and named": named and result == "right"})

    def share(self, measure):
        """The measure in per cent; 100 if there is nothing to measure."""
        part, whole = {"right if named": ("right and named", "named"),
                       "detected": ("named", "values")}.get(measure, (measure, "values"))
        count = self[whole] - self["wrong"] if measure == "not wrong" else self[part]
        return 100 * count / self[whole] if self[whole] else 100.0


HEAD = ["values", "right %", "wrong", "left %", "unclear %", "named %", "right if named %", "written"]


def cells_of(row):
    return [row["values"], "%.2f" % row.share("right"), row["wrong"], "%.2f" % row.share("left"),
            "%.2f" % row.share("unclear"), "%.2f" % row.share("detected"), "%.2f" % row.share("right if named"),
            row["written"]]


def print_table(rows):
    print("%-36s" % "" + "".join("%12s" % head[:11] for head in HEAD))
    for key, row in rows.items():
        print("%-36s" % key + "".join("%12s" % cell for cell in cells_of(row)))


def total_of(rows):
    total = Row()
    for group, row in rows.items():
        if not group.startswith(FOREIGN):
            total.update(row)
    return total


def check(rows, total, calibration):
    """Prints each bound and what is measured. Returns the status."""
    results = [(f"{group}: {measure}", rows[group].share(measure), bound) for group, measure, bound in BOUNDS]
    results += [(f"right of what claims {least}", calibration[least], bound) for least, bound in CALIBRATED.items()]
    results.append(("right of 1,000 written", 1000 - 1000 * total["wrong"] / max(1, total["written"]), 1000 - WRONG_MAX))
    return generated.report([(value >= bound, f"{name}: {value:.2f}, bound {bound}") for name, value, bound in results])


# ---- calibration ---------------------------------------------------------------------------------

CLAIMS = (0.5, 0.7, 0.9, 0.99, 0.999, 1.1)
Claim = collections.namedtuple("Claim", "group charset probability right")


def claims(cases_of):
    """What utf8_readings says of the likeliest reading of each value."""
    for case in (case for case in cases_of if case.group != FOREIGN):
        row = peers.DB.execute("SELECT CAST(text AS BLOB), probability FROM utf8_readings(?1) LIMIT 1",
                               (case.data,)).fetchone()
        if row:
            yield Claim(case.group, case.charset, row[1], row[0].decode() in case.allowed)


def prior_of(charset):
    """How common the model holds the charset to be."""
    return 2.0 ** -(tables.PRIORS | tables.MULTI_BYTE_PRIORS).get(charset, tables.UNNAMED)


def shares(claims_of):
    """The claims, each with its share of a group in which charsets are as common as the model holds, times the group."""
    counts, sums = collections.Counter(), collections.Counter()
    for claim in claims_of:
        counts[claim.group] += 1
        sums[claim.group] += prior_of(claim.charset)
    return [(claim, prior_of(claim.charset) * counts[claim.group] / sums[claim.group]) for claim in claims_of]


def means(weighted):
    """The mean claim, and the share that is right, in per cent."""
    whole = sum(share for _, share in weighted) or 1
    return [100 * sum(share * getattr(claim, field) for claim, share in weighted) / whole
            for field in ("probability", "right")]


def calibration_rows(cases_of):
    """Of each range of probabilities: its least, its end, how many values claim it, and claimed and right per cent, with
    each value counted once, and with charsets as common as the model holds."""
    weighted = shares(list(claims(cases_of)))
    for least, end in zip(CLAIMS, CLAIMS[1:]):
        some = [(claim, share) for claim, share in weighted if least <= claim.probability < end]
        yield least, min(end, 1), len(some), means([(claim, 1) for claim, _ in some]), means(some)


def print_calibration(cases_of):
    print("%-16s%10s%12s%10s%12s%10s" % ("probability", "values", "claimed %", "right %", "claimed, w.", "right, w."))
    for least, end, count, once, as_common in calibration_rows(cases_of):
        print("%-16s%10d%12.2f%10.2f%12.2f%10.2f" % (f"{least} to {end}", count, *once, *as_common))


def parsed_options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--check", action="store_true", help="compare with the bounds")
    parser.add_argument("--development", action="store_true", help="the text that may be looked at")
    parser.add_argument("--calibration", action="store_true", help="compare probabilities with what is right")
    parser.add_argument("--by", choices=["language", "charset"])
    parser.add_argument("--show", choices=["right", "wrong", "left"], help="print these values")
    parser.add_argument("--group", default="", help="only groups with this in their name")
    return parser.parse_args()


def main():
    options = parsed_options()
    try:
        causetexts.fetch()
    except (OSError, subprocess.CalledProcessError) as error:
        peers.skip("causes", error)
        print("0 passed, 0 failed")
        return 0
    if options.calibration:
        print_calibration(cases(not options.development))
        return 0
    rows = collections.defaultdict(Row)
    for case in cases(not options.development):
        if options.group not in case.group:
            continue
        result, cause, detected = judge(case)
        key = case.group if not options.by else f"{case.group}: {getattr(case, options.by)}"
        rows[key].add(case, result, cause, detected)
        if options.show == result:
            print(case.group, case.language, case.charset, cause, detected, case.data.hex(), case.text[:70], sep="\t")
    total = total_of(rows)
    print_table({**dict(sorted(rows.items())), "all but words in another language": total})
    if not options.check:
        return 0
    calibration = {least: right for least, *_, (_, right) in calibration_rows(cases(not options.development))}
    return check(rows, total, calibration)


if __name__ == "__main__":
    sys.exit(main())
