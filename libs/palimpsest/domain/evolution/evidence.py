"""Evidence of several statements together: what is distinct, and what it is worth."""

from collections.abc import Iterable
from datetime import datetime

from palimpsest.domain.memory import Evidence, Memory

MOST_EVIDENCE = 32
"""Of what is said over and over, the earliest half and the latest half are kept."""


def stamped(memory: Memory) -> tuple[Evidence, ...]:
    """The memory's evidence, each with what it states by itself."""
    return tuple(
        evidence.model_copy(
            update={
                "valid_from": evidence.valid_from or memory.valid_from,
                "received_at": evidence.received_at or memory.recorded_at,
                "confidence": memory.confidence
                if evidence.confidence is None
                else evidence.confidence,
            }
        )
        for evidence in memory.evidence
    )


def united(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Each piece once, in the order of time: the same whatever order they come in."""
    distinct: dict[tuple[object, ...], Evidence] = {}
    for one in sorted(evidence, key=_order):
        distinct.setdefault(_identity(one), one)
    kept = list(distinct.values())
    if len(kept) <= MOST_EVIDENCE:
        return tuple(kept)
    half = MOST_EVIDENCE // 2
    return (*kept[:half], *kept[-half:])


def confidence(evidence: Iterable[Evidence]) -> float:
    """The chance that not all of it is wrong, each statement counted once; 0 to 1.

    Quotes that were received together and hold from the same moment are one
    statement.
    """
    statements: dict[tuple[datetime | None, datetime | None], float] = {}
    for one in evidence:
        place = (one.valid_from, one.received_at)
        statements[place] = max(statements.get(place, 0.0), one.confidence or 0.0)
    all_wrong = 1.0
    for worth in sorted(statements.values()):
        all_wrong *= 1.0 - worth
    return round(1.0 - all_wrong, 6)


def _identity(evidence: Evidence) -> tuple[object, ...]:
    return (
        evidence.origin,
        evidence.session_id,
        evidence.message_id,
        evidence.quote,
        evidence.valid_from,
    )


def _order(evidence: Evidence) -> tuple[object, ...]:
    return (
        evidence.valid_from,
        evidence.received_at,
        evidence.origin,
        evidence.session_id or "",
        evidence.message_id or "",
        evidence.quote,
        -(evidence.confidence or 0.0),
    )
