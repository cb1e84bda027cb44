"""Finds the words of guests: people who introduce themselves on somebody else's account.

Words are a guest's from the introduction until the account goes back to its owner.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from palimpsest_language.message_spans.span import MessageSpan, SpanKind
from palimpsest_language.message_spans.span_rules import group_span_rules

_CUES = group_span_rules("guest_cues", "does")
_LEADING = " \t\n,.!?;:。！？，；：–—-"
_SENTENCE_END = re.compile(r"[.!?。！？\n]|\Z")


class GuestReading(NamedTuple):
    """The stretches of a message that a guest said, and who types behind it."""

    spans: tuple[MessageSpan, ...]
    guest: str | None
    """The guest's name, empty if not given; None if the owner of the account types."""


class _Cue(NamedTuple):
    start: int
    end: int
    does: str
    name: str
    is_spent: bool
    """True if its words say nothing but who types."""


def read_guests(text: str, guest: str | None, sender: str | None = None) -> GuestReading:
    """Read a message; `guest` typed before it, or the owner if None.

    The known sender of the message is no guest in it.
    """
    spans: list[MessageSpan] = []
    start = 0
    for cue in sorted(_find_cues(text, may_end=guest is not None)):
        if cue.does == "takes" and sender is not None and cue.name == sender:
            continue
        if cue.does == "takes":
            if guest is not None and cue.start > start:
                spans.append(_said_by(guest, start, cue.start))
            start, guest = cue.start, cue.name
            if cue.is_spent:
                spans.append(_said_by("", cue.start, cue.end))
                start = cue.end
        elif guest is not None and cue.start >= start:
            end = _end_of_sentence(text, cue.end) if cue.does == "gives" else cue.start
            if end > start:
                spans.append(_said_by(guest, start, end))
            start, guest = end, None
    if guest is not None and start < len(text):
        spans.append(_said_by(guest, start, len(text)))
    return GuestReading(tuple(spans), guest)


def _find_cues(text: str, *, may_end: bool) -> Iterator[_Cue]:
    takes = list(_find("takes", text))
    yield from takes
    if takes or may_end:
        for does in ("gives", "returns"):
            yield from _find(does, text)


def _find(does: str, text: str) -> Iterator[_Cue]:
    for rule in _CUES[does].through(text):
        for match in rule.find_at_edges(text, ending=False):
            words = match.group()
            start = match.start() + len(words) - len(words.lstrip(_LEADING))
            spent = bool(rule.columns.get("is_spent", False))
            yield _Cue(start, match.end(), does, _name_of(match), spent)


def _name_of(match: re.Match[str]) -> str:
    """Return the guest's name, or who the guest is to the owner; empty if neither is said."""
    groups = match.groupdict()
    kin = groups.pop("kin", None)
    names = [name for name in groups.values() if name]
    return names[0] if names else f"用户的{kin}" if kin else ""


def _end_of_sentence(text: str, position: int) -> int:
    match = _SENTENCE_END.search(text, position)
    return match.end() if match else len(text)


def _said_by(guest: str, start: int, end: int) -> MessageSpan:
    return MessageSpan(start=start, end=end, kind=SpanKind.PASTED, speaker=guest or None)
