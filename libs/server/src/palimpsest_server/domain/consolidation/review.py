"""Memories that wait for their user's confirmation, and their treatment meanwhile.

The user's `review` setting decides which extracted memories wait: none, key ones, or all. Without
automatic extraction all wait: then only requested memories are extracted, and only confirmed ones are
kept. A memory that the user states as such is confirmed already.

A waiting memory changes nothing that holds, is not recalled, and makes no todo. A repetition
adds to it while it waits. Once rejected, it is not proposed again.
"""

from datetime import datetime

from palimpsest.model.kinds import KINDS
from palimpsest.model.memory import Candidate, Memory, Status
from palimpsest.model.user import ReviewPolicy, SensitiveTopic, UserSettings
from palimpsest_language.attributes.attribute_names import is_same_value
from palimpsest_language.topics.sensitive_topics import find_sensitive_topics
from palimpsest_language.topics.weighty_matters import is_weighty_matter
from palimpsest_server.domain.consolidation.candidate_decisions import (
    ConsolidationOutcome,
    build_memory,
    decide_candidate,
)
from palimpsest_server.domain.consolidation.duplicates import reinforce_memory
from palimpsest_server.domain.consolidation.memory_keys import attribute_key, content_key
from palimpsest_server.domain.consolidation.overlay import Overlay

DOUBTFUL_CONFIDENCE = 0.6
"""Confidence below which a candidate is doubtful; agents' statements start at it."""

AWAITING_REVIEW_REASON = "waits for a yes"


def is_review_needed(candidate: Candidate, settings: UserSettings) -> bool:
    """Return whether the user is to be asked about a candidate, unless it is known already."""
    if candidate.confirmed:
        return False
    if not settings.automatic_extraction or settings.review is ReviewPolicy.ALL:
        return True
    if settings.review is ReviewPolicy.SENSITIVE:
        return bool(_list_topics(candidate).intersection(settings.sensitive_topics))
    return settings.review is ReviewPolicy.KEY and is_key_candidate(candidate)


def is_withheld(candidate: Candidate, settings: UserSettings) -> bool:
    """Tell whether it was extracted on a topic on which the user wants nothing remembered."""
    if candidate.confirmed or not settings.withheld_topics:
        return False
    return bool(_list_topics(candidate).intersection(settings.withheld_topics))


def _list_topics(candidate: Candidate) -> frozenset[SensitiveTopic]:
    """Return the sensitive topics by rules, and the one that a model found."""
    topics = find_sensitive_topics(candidate.content)
    return topics if candidate.sensitive is None else topics | {candidate.sensitive}


def is_key_candidate(candidate: Candidate) -> bool:
    """Return whether a candidate is more important than its kind, doubtful, or on health or a life change."""
    return (
        candidate.importance > KINDS[candidate.kind].importance
        or candidate.confidence < DOUBTFUL_CONFIDENCE
        or is_weighty_matter(candidate.content)
    )


def propose_for_review(
    known: Overlay, candidate: Candidate, *, received_at: datetime, epoch: int, position: int = 0
) -> ConsolidationOutcome:
    """Put into `known` that a candidate waits. The arguments are those of `decide_candidate`.

    A repetition of an active memory in the same words needs no confirmation, and is decided as usual.
    """
    if not candidate.evidence:
        return ConsolidationOutcome.NO_EVIDENCE
    stated = build_memory(candidate, received_at=received_at, epoch=epoch, position=position)
    if _holds(known, stated):
        return decide_candidate(
            known, candidate, received_at=received_at, epoch=epoch, position=position
        )
    same = _in_these_words(known, stated)
    if any(memory.status is Status.REJECTED for memory in same):
        return ConsolidationOutcome.REJECTED_BEFORE
    waiting = [memory for memory in same if memory.status is Status.PENDING]
    if not waiting:
        known.put(
            stated.model_copy(
                update={"status": Status.PENDING, "status_reason": AWAITING_REVIEW_REASON}
            )
        )
        return ConsolidationOutcome.WAITING
    first = min(waiting, key=lambda memory: (memory.recorded_at, memory.id))
    after = reinforce_memory(first, stated)
    if after == first:
        return ConsolidationOutcome.DUPLICATE
    known.put(after)
    return ConsolidationOutcome.REINFORCED


def _holds(known: Overlay, stated: Memory) -> bool:
    """Return whether the same words are known and active, and repeating them ends nothing."""
    standing = [
        memory for memory in _in_these_words(known, stated) if memory.status is Status.ACTIVE
    ]
    key = attribute_key(stated)
    if key is None:
        return bool(standing)
    return any(
        attribute_key(memory) == key
        and memory.ended == stated.ended
        and memory.valid_from <= stated.valid_from
        and is_same_value(memory.value, stated.value)
        for memory in standing
    )


def _in_these_words(known: Overlay, stated: Memory) -> list[Memory]:
    return [
        memory
        for memory in known.with_key(content_key(stated))
        if memory.valid_until == stated.valid_until
    ]
