"""Sarcasm: praise that means its opposite is no preference."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import Proposal

_PHRASES = read_phrases("statements/sarcasm")
MAX_MESSAGE_CHARACTERS = 240
"""The longest message that is read; a sign in a longer one may belong to other words."""


def is_sarcastic(message: str) -> bool:
    return len(message) <= MAX_MESSAGE_CHARACTERS and (
        _PHRASES["sarcastic"].search(message) is not None
    )


@lru_cache(maxsize=2048)
def praises_in_sarcasm(message: str) -> bool:
    """Tell whether a message praises, and means the opposite: shown alone it would mislead."""
    return is_sarcastic(message) and _PHRASES["praise"].search(message) is not None


def drop_sarcastic_praise(
    proposals: Iterable[Proposal], messages: Mapping[int, str]
) -> list[Proposal]:
    """Return the proposals without praise that rests on sarcastic messages alone."""
    return [
        proposal
        for proposal in proposals
        if _PHRASES["praise"].search(proposal.content) is None
        or not all(is_sarcastic(messages.get(quote.message, "")) for quote in proposal.evidence)
    ]
