"""What every command finds, and what it leaves: the terms of utf8_audit that they share."""

from __future__ import annotations

AUTO = "auto"  # the policy that repairs each value by its cause

ROUNDS = 10  # of a repair at most: a trigger may copy what the round before has repaired

UNCLEAR = "unclear"  # the cause of values that only a person can decide

CHOSEN = "chosen"  # the cause of a value that a person has decided

# The kinds of utf8_suspect. Text that was misread is found by every command, the others on request.
REPLACEMENT, NONCHARACTER, MISREAD = "replacement character", "noncharacter", "mojibake"
KEPT = (REPLACEMENT, NONCHARACTER)  # by every repair
OTHER_SUSPECTS = ("nul", "control", "bidi control", "invisible", "bom", *KEPT)

# The cause, in a row of utf8_audit; that of misread text is `mojibake windows-1252`.
CAUSE = f"CASE error WHEN '{MISREAD}' THEN error || ' ' || cause ELSE cause END"


# How many U+FFFD the text {0} has.
_REPLACEMENTS = (
    "coalesce(length(CAST({0} AS BLOB)) - length(CAST(replace({0}, char(0xFFFD), '') AS BLOB)), 0)"
)


def loses(is_utf16: bool) -> str:
    """Return an expression: has `repaired` more U+FFFD than `value`? UTF-16 may have some before."""
    before = "0" if is_utf16 else _REPLACEMENTS.format("CAST(value AS TEXT)")
    return f"{_REPLACEMENTS.format('repaired')} > {before}"


def kinds_found(suspects: bool) -> str:
    """Return the condition on a row of utf8_audit that suspects turn off."""
    return "TRUE" if suspects else f"error NOT IN {OTHER_SUSPECTS}"


def unless_unclear(expression: str, policy: str) -> str:
    """Return an expression that is NULL for what the policy auto leaves to a person."""
    is_auto = policy.lower() == AUTO
    return f"CASE WHEN cause IS NOT '{UNCLEAR}' THEN {expression} END" if is_auto else expression


def looks_for_suspects(suspects: bool, misread: bool, policy: str) -> int:
    """Return the argument suspects of utf8_audit."""
    return int(suspects or (misread and policy.lower() == AUTO))
