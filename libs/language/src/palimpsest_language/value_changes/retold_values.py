"""Statements that repeat what was said and give it another value: “I said 8, it's 9 now”."""

import re

from palimpsest.model.kinds import Kind
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import Proposal
from palimpsest_language.value_changes.value_frames import find_values
from palimpsest_language.wording.numbers import find_numbers

_RETELLS = read_phrases("value_changes/retold_values")["retells"]
_SPEAKER = (
    (re.compile(r"\b(?:their|our|my)\b"), "the user's"),
    (re.compile(r"\bthey have\b"), "the user has"),
    (re.compile(r"\bthey are\b"), "the user is"),
    (re.compile(r"\bthey (\w+[^s\W])\b"), r"the user \1s"),
    (re.compile(r"^(?:自己|我们?|用户)(?:的)?"), "用户"),
)


def apply_retold_value(proposal: Proposal) -> Proposal:
    """Return a statement with the value that holds now in place of the one told before."""
    if (match := _RETELLS.search(proposal.content)) is None:
        return proposal
    whole, now = match["whole"].strip(), match["now"]
    told, new = find_values(whole), find_values(now)
    if len(told) != 1 or len(new) != 1:
        return proposal
    (start, end), right = told[0], now[slice(*new[0])]
    old = whole[start:end]
    if _has_no_unit(right) and (number := next(find_numbers(old), None)) is not None:
        start, end = start + number.start, start + number.end
        old = whole[start:end]
    if old == right:
        return proposal
    content = whole[:start] + right + whole[end:]
    for pattern, speaker in _SPEAKER:
        content = pattern.sub(speaker, content, count=1)
    changed = {
        "kind": Kind.FACT,
        "content": content[0].upper() + content[1:],
        "summary": None,
        "subject": "user",
        "attribute": None,
        "value": None,
        "replaces": old,
        "time": None,
        "occurred_at": None,
    }
    return proposal.model_copy(update=changed)


def _has_no_unit(value: str) -> bool:
    number = next(find_numbers(value), None)
    return number is not None and not value[number.end :].strip()
