"""cns.py: CNS 11643, planes 1 to 7 and 15, for euc-tw and iso-2022-cn.

tool/cns.txt has EUC-TW of glibc 2.36, with which test/judges/multibyte.py compares. A line is a row: the plane, the
row, and its 94 characters, spaces where it has none. tool/charsets.py writes charset/legacy/tables/cns.h, in which
planes 1 and 2 are runs of big5's index, and the others are compressed: see charset/legacy/cns.c, which reads them.
"""

import itertools

import generated

FILE = "tool/cns.txt"
PLANES = [1, 2, 3, 4, 5, 6, 7, 15]
CELLS = 94


def recorded():
    """The code points of each plane, 0 where it has none, up to its last row."""
    planes = {plane: [] for plane in PLANES}
    for line in generated.read(FILE).splitlines():
        plane, row, text = line.split("\t")
        codes = planes[int(plane)]
        codes += [0] * ((int(row) - 1) * CELLS - len(codes))
        codes += [0 if c == " " else ord(c) for c in text]
    return planes


# ---- planes 1 and 2 ----------------------------------------------------------------------

IS_CODE = 0x8000


def runs(codes, big5):
    """(first, count): pointers of big5 that follow each other, or with IS_CODE in count, code
    points, or zeros."""
    places = {}
    for pointer, code in enumerate(big5):
        if pointer >= 32 * 157 and code:
            places.setdefault(code, pointer)
    found, at = [], 0
    while at < len(codes):
        pointer = places.get(codes[at])
        if pointer is not None:
            count = sum(1 for _ in itertools.takewhile(
                lambda i: pointer + i < len(big5) and at + i < len(codes) and codes[at + i]
                and codes[at + i] == big5[pointer + i], itertools.count()))
            found.append((pointer, count))
        else:
            step = 1 if codes[at] else 0
            count = sum(1 for _ in itertools.takewhile(
                lambda i: at + i < len(codes) and codes[at + i] == codes[at] + i * step,
                itertools.count()))
            found.append((codes[at], count | IS_CODE))
        at += count
    return found


# ---- the others: the encoder of charset/legacy/cns.c's decoder --------------------------------

BLOCKS = [0x4E00, 0x3400, 0x20000, 0]
NOTHING = 31


def block_of(code):
    return 0 if 0x4E00 <= code < 0xA000 else 1 if 0x3400 <= code < 0x4DC0 else 2 if (
        0x20000 <= code < 0x2A6E0) else 3


class Encoder:
    """A range coder: LZMA's, with odds of 12 bits."""

    def __init__(self):
        self.low, self.range, self.cache, self.pending, self.out = 0, 0xFFFFFFFF, 0, 0, bytearray()
        self.odds = {}

    def shift(self):
        if self.low < 0xFF000000 or self.low > 0xFFFFFFFF:
            carry = self.low >> 32
            self.out.append((self.cache + carry) & 0xFF)
            self.out += bytes([(0xFF + carry) & 0xFF]) * self.pending
            self.pending, self.cache = 0, self.low >> 24 & 0xFF
        else:
            self.pending += 1
        self.low = (self.low & 0x00FFFFFF) << 8

    def bit(self, context, bit):
        odds = self.odds.get(context, 2048)
        bound = (self.range >> 12) * odds
        if bit:
            self.low, self.range, odds = self.low + bound, self.range - bound, odds - (odds >> 5)
        else:
            self.range, odds = bound, odds + (4096 - odds >> 5)
        if context is not None:
            self.odds[context] = odds
        while self.range < 1 << 24:
            self.range = self.range << 8 & 0xFFFFFFFF
            self.shift()

    def tree(self, context, value, bits):
        node = 1
        for i in reversed(range(bits)):
            self.bit((*context, node), value >> i & 1)
            node = node * 2 + (value >> i & 1)

    def finish(self):
        for _ in range(5):
            self.shift()
        return bytes(self.out[1:])  # the first byte is always 0


def compress(planes):
    coder = Encoder()
    for codes in planes:
        cursors, previous, sign = list(BLOCKS), 0, 0
        for code in codes:
            block = block_of(code) if code else previous
            coder.tree(("block", previous), block, 2)
            length = ("length", block, sign, block == previous)
            if not code:
                coder.tree(length, NOTHING, 5)
                sign = 2
                continue
            difference = code - cursors[block]
            size, is_negative = abs(difference), difference < 0
            coder.tree(length, size.bit_length(), 5)
            if size:
                coder.bit(("sign", block, size.bit_length(), sign), is_negative)
            for i in reversed(range(size.bit_length() - 1)):
                is_first = i == size.bit_length() - 2
                coder.bit(("next", is_negative, size.bit_length()) if is_first else None, size >> i & 1)
            cursors[block], previous, sign = code + 1, block, int(is_negative)
    return coder.finish()


# ---- C -----------------------------------------------------------------------------------


def table(big5):
    """What charset/legacy/tables/cns.h has."""
    planes = recorded()
    rows = [len(planes[plane]) // CELLS for plane in PLANES]
    starts = [sum(rows[:i]) * CELLS for i in range(len(PLANES) + 1)]
    assert starts[-1] < 0xFFFF
    found = runs(planes[1] + planes[2], big5)
    packed = compress([planes[plane] for plane in PLANES[2:]])
    return f"""/* The planes, and where each starts when their rows follow each other; the end is the last one. */
static const uint8_t cns_planes[{len(PLANES)}] = {{{", ".join(map(str, PLANES))}}};
static const uint16_t cns_starts[{len(starts)}] = {{{", ".join(map(str, starts))}}};
#define CNS_CELLS {starts[-1]}

/* Planes 1 and 2: the first pointer of big5 and their number; with 8000, the first code point, or 0
** for cells that have none. */
static const uint16_t cns_runs[{len(found)}][2] = {{
{generated.in_lines([f"{{0x{first:04X}, 0x{count:04X}}}" for first, count in found], 5)}
}};

/* The other planes, compressed. */
static const uint8_t cns_packed[{len(packed)}] = {{
{generated.in_lines([f"0x{byte:02X}" for byte in packed], 16)}
}};
"""
