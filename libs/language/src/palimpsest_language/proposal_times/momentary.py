"""States of a moment expire: "I'm at the airport right now" no longer holds the next day."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from palimpsest_language.dialogue import ExtractionRequest
from palimpsest_language.phrase_tables import read_phrases
from palimpsest_language.proposals import Proposal
from palimpsest_language.time_expressions.sentence_times import start_of_day

_PHRASES = read_phrases("proposal_times/momentary")
_MARKS_MOMENT, _PASSES = _PHRASES["marks_moment"], _PHRASES["passes"]
_LONGEST_DAY = timedelta(hours=30)
"""Longer than any day, so that it reaches into the next one."""
_AT_LEAST = timedelta(hours=6)
_LONGEST_QUOTE = 400


def is_momentary(text: str) -> bool:
    """Tell whether a statement is about the moment in which it is made."""
    if len(text) > _LONGEST_QUOTE or _MARKS_MOMENT.search(text) is None:
        return False
    return _PASSES.search(text) is not None


def expire_momentary(
    proposals: Iterable[Proposal], request: ExtractionRequest
) -> tuple[Proposal, ...]:
    """Let states of a moment expire with the day they were told, after six hours at least."""
    return tuple(_expiring(proposal, request) for proposal in proposals)


def _expiring(proposal: Proposal, request: ExtractionRequest) -> Proposal:
    if not proposal.kind.times.is_state or proposal.attribute is not None or proposal.time:
        return proposal
    if proposal.valid_until is not None or proposal.expires_at is not None:
        return proposal
    told = [
        request.messages[cited.message - 1].occurred_at
        for cited in proposal.evidence
        if 1 <= cited.message <= len(request.messages) and is_momentary(cited.quote)
    ]
    if not told or len(told) < len(proposal.evidence):
        return proposal
    return proposal.model_copy(update={"expires_at": _next_day(max(told), request.time_zone)})


def _next_day(moment: datetime, time_zone: str) -> datetime:
    midnight = start_of_day(start_of_day(moment, time_zone) + _LONGEST_DAY, time_zone)
    return max(midnight, moment + _AT_LEAST)
