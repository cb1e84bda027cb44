"""English as it is typed in a hurry: “im”, “dont”, “ive got”."""

from collections.abc import Mapping, Sequence

from palimpsest.model.turn import Role
from palimpsest_language.dialogue import DialogueMessage
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import ExtractionAnswer, MessageQuote

_LEFT_OUT = read_phrases("statements/informal_english")["apostrophe_left_out"]
_APOSTROPHES = "'’"
_MOST_CHARACTERS = 4_000
"""Longer messages are texts, in which nobody leaves out apostrophes."""


def restore_apostrophes(text: str) -> str:
    """Restore the apostrophes that were left out."""
    return _LEFT_OUT.sub(r"\g<0>'", text)


def restore_in_messages(messages: Sequence[DialogueMessage]) -> tuple[DialogueMessage, ...]:
    """Return the messages, those of people with the apostrophes that were left out."""
    return tuple(
        message.model_copy(update={"text": restored})
        if message.role is Role.USER
        and len(message.text) <= _MOST_CHARACTERS
        and message.text != (restored := restore_apostrophes(message.text))
        else message
        for message in messages
    )


def quote_as_typed(answer: ExtractionAnswer, typed: Mapping[int, str]) -> ExtractionAnswer:
    """Return the answer with its evidence in the words of the messages as they were typed."""
    proposals = (
        proposal.model_copy(
            update={"evidence": tuple(_as_typed(quote, typed) for quote in proposal.evidence)}
        )
        for proposal in answer.proposals
    )
    finished = (
        claim.model_copy(update={"evidence": _as_typed(claim.evidence, typed)})
        for claim in answer.finished
    )
    return answer.model_copy(update={"proposals": tuple(proposals), "finished": tuple(finished)})


def _as_typed(quote: MessageQuote, typed: Mapping[int, str]) -> MessageQuote:
    text = typed[quote.message]
    if quote.quote in text:
        return quote
    places = [place for place, character in enumerate(text) if character not in _APOSTROPHES]
    start = _plain(text).find(words := _plain(quote.quote))
    if start < 0 or not words:
        return quote
    end = places[start + len(words) - 1] + 1
    return quote.model_copy(update={"quote": text[places[start] : end]})


def _plain(text: str) -> str:
    """Return the text without apostrophes, and with each of its other characters in one case."""
    return "".join(
        character.lower() if character.isascii() else character
        for character in text
        if character not in _APOSTROPHES
    )
