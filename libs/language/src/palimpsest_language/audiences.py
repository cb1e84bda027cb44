"""Audiences: which of a person's assistants a statement is meant for, where the person says so.

keep this between you and me, don't share it with my other assistants: ...
这个所有助手都要记住：……
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from palimpsest_language.clauses.sentences import find_sentence_bounds
from palimpsest_language.message_spans.span_rules import EDGE
from palimpsest_language.phrase_tables import read_phrases

_PHRASES = read_phrases("audiences")
_WORD = re.compile(r"\w")
_MARKS = " \t\n.!?。！？"


class Audience(StrEnum):
    """The assistants that may know of a statement."""

    THIS_AGENT = "this_agent"
    EVERY_AGENT = "every_agent"
    EVERYWHERE = "everywhere"
    """Every assistant, in any project."""
    THIS_PROJECT = "this_project"


_WIDE = (Audience.EVERYWHERE, Audience.EVERY_AGENT)


def find_audience(text: str, quote: str = "") -> Audience | None:
    """Return who the message says may know of the quoted words; None if it says nothing of it.

    A secret covers the whole message. Words for every assistant or for a project cover their own
    sentence and what follows it, or what stands before if nothing else does. Beside a secret or
    words for a project, words for every assistant cover their own sentence alone.
    """
    is_secret = _says_this_agent(text)
    of_project = list(_spans(text, Audience.THIS_PROJECT))
    is_only_own_sentence = is_secret or bool(of_project)
    for audience in _WIDE:
        for span in _spans(text, audience):
            if _covers(text, span, quote, is_only_own_sentence=is_only_own_sentence):
                return audience
    if is_secret:
        return Audience.THIS_AGENT
    bound = (_covers(text, span, quote, is_only_own_sentence=False) for span in of_project)
    return Audience.THIS_PROJECT if any(bound) else None


def _covers(text: str, span: tuple[int, int], quote: str, *, is_only_own_sentence: bool) -> bool:
    start, end = span
    # Without the mark behind the words, which would reach into the next sentence.
    begins, ends = find_sentence_bounds(text, start, len(text[:end].rstrip(_MARKS)))
    place = text.find(quote) if quote else begins
    if is_only_own_sentence:
        return begins <= place < ends
    is_alone = not _WORD.search(text[begins:start] + text[end:])
    return place < 0 or place >= begins or is_alone


def names_other_agents(text: str) -> bool:
    """Tell whether a message says that other assistants are not to know of it."""
    return _PHRASES["other_agents"].search(text) is not None and _says_this_agent(text)


def is_only_audience(text: str) -> bool:
    """Tell whether a message says nothing but who may know, and so is about the one before."""
    stripped = strip_audience(text)
    return stripped != text and _WORD.search(stripped) is None


def strip_audience(text: str) -> str:
    """Return the text with a line break for all words that only say who may know of it."""
    spans = [span for audience in _WIDE for span in _spans(text, audience)]
    if _says_this_agent(text):
        spans += [*_spans(text, Audience.THIS_AGENT), *_spans(text, "secret")]
    kept: list[str] = []
    position = 0
    for start, end in sorted(spans):
        if start >= position:
            kept.append(text[position:start])
            position = end
        position = max(position, end)
    return "\n".join([*kept, text[position:]]) if kept else text


def _says_this_agent(text: str) -> bool:
    return any(_spans(text, Audience.THIS_AGENT))


def _spans(text: str, sign: str) -> Iterator[tuple[int, int]]:
    edges = ((0, EDGE), (len(text) - EDGE, len(text)))
    for start, end in edges if len(text) > 2 * EDGE else ((0, len(text)),):
        for match in _PHRASES[sign].finditer(text, start, end):
            yield match.span()
