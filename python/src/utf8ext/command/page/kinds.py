"""What a report says about the kinds of findings and the policies: docs/functions.md in short."""

from __future__ import annotations

from dataclasses import dataclass

ILL_FORMED = {
    "stray continuation": "a byte 80 to BF where a character should start",
    "truncated": "the value ends inside a character",
    "incomplete": "a character starts, and the next byte does not continue it",
    "overlong": "more bytes than the character needs; decoders that accept it are unsafe",
    "surrogate": "half of a UTF-16 pair",
    "out of range": "a number above U+10FFFF",
    "invalid byte": "FE or FF, which no version of UTF-8 uses",
}
MOJIBAKE = {
    "mojibake": "UTF-8 that was read in another charset and encoded again",
}
SUSPICIOUS = {
    "nul": "U+0000, at which C programs stop reading",
    "control": "control characters other than TAB, LF and CR",
    "bom": "U+FEFF at the start, the byte order mark",
    "replacement character": "U+FFFD: an earlier conversion lost something here",
    "noncharacter": "a code point that never is a character, such as U+FFFE",
    "bidi control": "turns the direction of text around: source code can lie with it",
    "invisible": "characters that nobody sees, as in a name that looks like another",
}
MEANINGS = {**ILL_FORMED, **MOJIBAKE, **SUSPICIOUS}


@dataclass(frozen=True)
class Section:
    """A section of the page, with the kinds that belong to it."""

    id: str
    title: str
    text: str
    kinds: dict[str, str]


SECTIONS = (
    Section(
        "ill-formed",
        "Ill-formed text",
        "The bytes of these values are no valid text in the database's encoding. Programs reject "
        "them, or replace them silently when they write the row back.",
        ILL_FORMED,
    ),
    Section(
        "mojibake",
        "Mojibake",
        "These values are well-formed, but their text was decoded in the wrong charset once.",
        MOJIBAKE,
    ),
    Section(
        "suspicious",
        "Suspicious text",
        "These values are well-formed, but have characters that are rarely meant. Look at them "
        "before you remove anything.",
        SUSPICIOUS,
    ),
)

POLICIES = (
    ("a charset", "characters of that charset; detected for each column by the option auto"),
    ("subpart", "U+FFFD for each ill-formed sequence, as Unicode recommends"),
    ("byte", "U+FFFD for each byte"),
    ("run", "U+FFFD for each run of ill-formed bytes"),
    ("cesu-8", "the characters of surrogate pairs; otherwise as subpart"),
    ("trim", "nothing for a sequence cut off at the end; otherwise as subpart"),
    ("escape", "\\xhh for each byte"),
)
