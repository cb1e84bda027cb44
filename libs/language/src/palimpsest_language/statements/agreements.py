"""Agreements of people to an agent's suggestion, which states what was decided."""

import re
from collections.abc import Sequence

from palimpsest.model.bilingual_text import has_chinese
from palimpsest.model.kinds import Kind
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import MessageQuote, Proposal

_PHRASES = read_phrases("statements/agreements")
_SUGGESTS = _PHRASES["suggests"]
_POINTS_TO_IT = _PHRASES["points_to_it"]
_AGREES = _PHRASES["agrees"]
_WORD = re.compile(r"[A-Za-z][\w-]{3,}")
_EMPTY = frozenset(
    [
        "with",
        "that",
        "this",
        "then",
        "they",
        "them",
        "have",
        "will",
        "from",
        "just",
        "what",
        "when",
        "your",
        "yours",
        "would",
        "could",
        "should",
        "let's",
        "it's",
        "into",
        "than",
        "there",
        "here",
        "some",
        "more",
        "much",
        "very",
        "also",
        "only",
        "need",
        "want",
        "like",
        "think",
        "going",
        "about",
    ]
)
_REFUSES = re.compile(r"(?:先)?[不别](?:上|用|做|搞|要|换|改|走|选)[^，。,；;]{1,10}")


def has_suggestion(text: str) -> bool:
    return _SUGGESTS.search(text) is not None


def is_agreement(text: str) -> bool:
    """Tell whether a text only says yes."""
    return _AGREES.search(text.strip()) is not None


def add_suggestion(proposal: Proposal, core: str, suggestions: Sequence[MessageQuote]) -> Proposal:
    """Join a decision with the suggestion that it accepts."""
    taken = [
        suggestion for suggestion in suggestions if _takes_up(proposal.kind, core, suggestion.quote)
    ]
    if not taken:
        return proposal
    suggestion = next((quote for quote in reversed(taken) if _shared(core, quote.quote)), taken[-1])
    words = suggestion.quote.strip("。.!！ ")
    added = f"（{words}）" if has_chinese(words) else f" ({words})"
    evidence = (*proposal.evidence, suggestion)
    return proposal.model_copy(update={"content": proposal.content + added, "evidence": evidence})


def is_about_suggestion(core: str, suggestions: Sequence[MessageQuote]) -> bool:
    """Tell whether a decision in these words is about one of these suggestions."""
    return any(_takes_up(Kind.DECISION, core, suggestion.quote) for suggestion in suggestions)


def _takes_up(kind: Kind, core: str, suggestion: str) -> bool:
    """Tell whether a decision refers to the suggestion, or uses its words."""
    if any(_pairs(refused) & _pairs(suggestion) for refused in _REFUSES.findall(core)):
        return False
    return kind is Kind.DECISION and bool(_POINTS_TO_IT.search(core) or _shared(core, suggestion))


def _pairs(text: str) -> set[str]:
    return set(re.findall(r"(?=([\u3400-\u9fff]{2}))", text))


def _shared(core: str, suggestion: str) -> bool:
    if has_chinese(core):
        return any(pair in suggestion for pair in _pairs(core))
    words = {word.casefold() for word in _WORD.findall(suggestion)} - _EMPTY
    return any(word.casefold() in words for word in _WORD.findall(core))
