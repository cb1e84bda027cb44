"""Statements that name the right value and the wrong one: "it's Nora, not Laura", 是小雨，不是小雪.

The statement is kept with its right value alone, and names the wrong one as what it replaces.
"""

import re
from collections.abc import Callable
from typing import NamedTuple

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import Proposal

_PHRASES = read_phrases("corrections/denied_values")
_KEEPS_BOTH = frozenset({Kind.PREFERENCE, Kind.DECISION, Kind.FEEDBACK, Kind.LESSON})
"""Kinds whose words keep the unwanted value too: it is half of what they say."""

MAX_CHINESE_DIFFERENCE = 4
"""Characters by which two Chinese values of one thing may differ in length."""

_ARTICLE = re.compile(r"^(?:(?:the|an?|my|our|at|in|on|called|named) )+", re.IGNORECASE)
_NUMBER_WORDS = (
    "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|half|a quarter"
    "|[a-z]+teen|[a-z]+ty"
)
_DAYS = (
    r"\b(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?\b|\b(?:today|tomorrow|tonight)\b"
    "|(?:周|星期|礼拜)[一二三四五六日天末]|[今明后]天"
)
_SHAPES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("number", re.compile(rf"\d|\b(?:{_NUMBER_WORDS})\b")),
    ("day", re.compile(_DAYS, re.IGNORECASE)),
    ("name", re.compile(r"(?<!^)\b[A-Z][\w’'-]+")),
    ("number", re.compile("[零一二两三四五六七八九十百千万]+")),
)


class DeniedValue(NamedTuple):
    said: str
    """The statement with the right value alone."""
    wrong: str


def apply_denied_value(proposal: Proposal) -> Proposal:
    """Return the proposal with its right value alone, where it names the wrong one too."""
    if proposal.ended:
        return proposal
    if proposal.kind in _KEEPS_BOTH:
        return _give_up(proposal)
    denied = find_denied_value(proposal.content)
    if denied is None:
        return _give_up(proposal)
    if (proposal.value or "").casefold() == denied.wrong.casefold():
        return proposal
    changed = {"content": denied.said, "summary": None}
    replaces = {"replaces": proposal.replaces or denied.wrong}
    value = proposal.value and _strip_denial(proposal.value)
    return proposal.model_copy(update={**changed, **replaces, "value": value})


def find_given_up(content: str) -> str | None:
    """Return the name of what somebody says they have no more."""
    match = _PHRASES["gives_up"].search(content)
    return None if match is None else match["wrong"]


def _give_up(proposal: Proposal) -> Proposal:
    if proposal.attribute is not None or proposal.replaces:
        return proposal
    given_up = find_given_up(proposal.content)
    return proposal if given_up is None else proposal.model_copy(update={"replaces": given_up})


def find_denied_value(content: str) -> DeniedValue | None:
    """Find what a statement says is wrong, where it says in its place what is right."""
    fits = _fits_chinese if has_chinese(content) else _fits_english
    return _find_behind(content, fits) or _find_before(content, fits)


def _find_behind(content: str, fits: Callable[[str, str], bool]) -> DeniedValue | None:
    match = _PHRASES["denies_value"].search(content)
    if match is None or not fits(match["said"], match["wrong"]):
        return None
    return DeniedValue(match["said"].rstrip(" ,，"), _bare(match["wrong"]))


def _find_before(content: str, fits: Callable[[str, str], bool]) -> DeniedValue | None:
    match = _PHRASES["denies_value_first"].search(content)
    if match is None:
        return None
    link = match.groupdict().get("copula") or " "
    said = f"{match['head']}{link}{match['right']}"
    return DeniedValue(said, _bare(match["wrong"])) if fits(said, match["wrong"]) else None


def _strip_denial(value: str) -> str:
    match = _PHRASES["denies_value"].search(value)
    return value if match is None else match["said"].rstrip(" ,，")


def _bare(wrong: str) -> str:
    return _ARTICLE.sub("", wrong).strip()


def _fits_english(said: str, wrong: str) -> bool:
    shape = _find_shape(f" {_bare(wrong)}")
    if shape is not None:
        return _has_shape(said, shape)
    return len(_bare(wrong).split()) <= 2 and _PHRASES["tells_identity"].search(said) is not None


def _fits_chinese(said: str, wrong: str) -> bool:
    shape = _find_shape(f" {wrong}")
    if shape is not None:
        return _has_shape(said, shape)
    told = _PHRASES["tells_identity"].search(said)
    return told is not None and abs(len(said) - told.end() - len(wrong)) <= MAX_CHINESE_DIFFERENCE


def _find_shape(value: str) -> str | None:
    return next((name for name, pattern in _SHAPES if pattern.search(value)), None)


def _has_shape(said: str, shape: str) -> bool:
    return any(name == shape and pattern.search(said) for name, pattern in _SHAPES)
