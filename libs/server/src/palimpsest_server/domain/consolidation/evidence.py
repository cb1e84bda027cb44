"""Evidence of several statements together: what is distinct, and what it is worth."""

from collections.abc import Iterable
from datetime import datetime

from palimpsest.model.memory import Evidence, Memory

MAXIMUM_EVIDENCE = 32
"""The most pieces of evidence of a memory; beyond it the earliest half and the latest half are
kept."""

AUTHORED_ORIGINS = frozenset({"command", "file"})
"""Origins of words that somebody wrote as a memory, and nobody made out of a conversation."""


def stamp_evidence(memory: Memory) -> tuple[Evidence, ...]:
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


def deduplicate_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Each piece once, in the order of time: the same whatever order they come in."""
    found: dict[tuple[object, ...], Evidence] = {}
    for piece in sorted(evidence, key=_order):
        found.setdefault(evidence_identity(piece), piece)
    return tuple(found.values())


def merge_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return the distinct evidence, as much of it as a memory keeps."""
    kept = deduplicate_evidence(evidence)
    if len(kept) <= MAXIMUM_EVIDENCE:
        return kept
    half = MAXIMUM_EVIDENCE // 2
    return (*kept[:half], *kept[-half:])


def combine_confidence(evidence: Iterable[Evidence]) -> float:
    """The chance that not all of it is wrong: 1 - Π(1 - confidence of each statement); 0 to 1.

    Quotes that were received together and hold from the same moment are one
    statement, and count once, as the surest of them. So distinct evidence
    raises confidence, and the same evidence again does not.
    """
    all_wrong = 1.0
    for worth in sorted(_of_statements(evidence)):
        all_wrong *= 1.0 - worth
    return round(1.0 - all_wrong, 6)


def average_confidence(evidence: Iterable[Evidence]) -> float:
    """The mean over distinct statements; 0 to 1.

    A running (existing + new) / 2 would weigh the last statement more, the later it comes. The mean
    over all distinct statements is the same in any order, and merging again changes nothing.
    """
    statements = _of_statements(evidence)
    return round(sum(sorted(statements)) / len(statements), 6) if statements else 0.0


def has_authored_evidence(evidence: Iterable[Evidence]) -> bool:
    """Tell whether some of the evidence was written as a memory."""
    return any(piece.origin in AUTHORED_ORIGINS for piece in evidence)


def pick_earlier(piece: Evidence, other: Evidence) -> Evidence:
    """Return the copy of a piece of evidence that was received first."""
    return min(piece, other, key=_order)


def evidence_identity(evidence: Evidence) -> tuple[object, ...]:
    """Return the identity of a piece of evidence: its words, their place and their start."""
    return (
        evidence.origin,
        evidence.session_id,
        evidence.message_id,
        evidence.quote,
        evidence.valid_from,
    )


def _of_statements(evidence: Iterable[Evidence]) -> list[float]:
    statements: dict[tuple[datetime | None, datetime | None], float] = {}
    for piece in evidence:
        place = (piece.valid_from, piece.received_at)
        statements[place] = max(statements.get(place, 0.0), piece.confidence or 0.0)
    return list(statements.values())


def _order(evidence: Evidence) -> tuple[object, ...]:
    return (
        evidence.valid_from,
        evidence.received_at,
        evidence.position,
        evidence.origin,
        evidence.session_id or "",
        evidence.message_id or "",
        evidence.quote,
        -(evidence.confidence or 0.0),
    )
