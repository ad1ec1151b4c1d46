"""What a report says about the kinds of findings and the policies: docs/functions.md in short.

kinds.json describes the kinds for the report and for the page for browsers.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

_KINDS: dict[str, dict[str, dict[str, str]]] = json.loads(
    (Path(__file__).parent / "kinds.json").read_text("utf-8")
)
ILL_FORMED = _KINDS["ill-formed"]
MEANINGS = {kind: about["meaning"] for kinds in _KINDS.values() for kind, about in kinds.items()}


@dataclass(frozen=True)
class Section:
    """A <section> of the page, named as its kinds are in kinds.json."""

    id: str
    title: str
    text: str

    @property
    def kinds(self) -> Collection[str]:
        return _KINDS[self.id]


SECTIONS = (
    Section(
        "ill-formed",
        "Ill-formed text",
        "The bytes of these values are not valid text in the database's encoding. Programs reject "
        "them, or replace them silently when they write the row back.",
    ),
    Section(
        "mojibake",
        "Mojibake",
        "These values are well-formed, but their text was decoded in the wrong charset once.",
    ),
    Section(
        "suspicious",
        "Suspicious text",
        "These values are well-formed, but have characters that are rarely meant. Look at them "
        "before you remove anything.",
    ),
)

POLICIES = (
    ("a charset", "characters of that charset"),
    ("auto", "what the cause of each value says: characters of a charset, or U+FFFD"),
    ("subpart", "U+FFFD for each ill-formed sequence, as Unicode recommends"),
    ("byte", "U+FFFD for each byte"),
    ("run", "U+FFFD for each run of ill-formed bytes"),
    ("cesu-8", "the characters of surrogate pairs; otherwise as subpart"),
    ("trim", "nothing for a sequence cut off at the end; otherwise as subpart"),
    ("escape", "\\xhh for each byte"),
)
