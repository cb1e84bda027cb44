"""Combine the evidence of several statements: distinct pieces, and the confidence that they give."""

from collections.abc import Iterable
from datetime import datetime

from palimpsest.model.memory import Evidence, Memory

MAXIMUM_EVIDENCE = 32
"""Maximum number of pieces of evidence of a memory. Of more pieces, the earliest half and the latest half
are kept."""

AUTHORED_ORIGINS = frozenset({"command", "file"})
"""Origins of evidence that a person wrote as a memory, rather than said in a conversation."""


def stamp_evidence(memory: Memory) -> tuple[Evidence, ...]:
    """Return the memory's evidence, each piece with its own start, time of receipt and confidence."""
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
    """Return each piece of evidence once, by time; the order of the input does not matter."""
    found: dict[tuple[object, ...], Evidence] = {}
    for piece in sorted(evidence, key=_order):
        found.setdefault(evidence_identity(piece), piece)
    return tuple(found.values())


def merge_evidence(evidence: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Return the distinct evidence, limited to the number that a memory keeps."""
    kept = deduplicate_evidence(evidence)
    if len(kept) <= MAXIMUM_EVIDENCE:
        return kept
    half = MAXIMUM_EVIDENCE // 2
    return (*kept[:half], *kept[-half:])


def combine_confidence(evidence: Iterable[Evidence]) -> float:
    """Return the chance that not all evidence is wrong: 1 - Π(1 - confidence of each statement), 0 to 1.

    Quotes that were received together and hold from the same moment form one statement, and count once,
    with the highest confidence. So distinct evidence raises confidence, and repeated evidence does not.
    """
    all_wrong = 1.0
    for worth in sorted(_of_statements(evidence)):
        all_wrong *= 1.0 - worth
    return round(1.0 - all_wrong, 6)


def average_confidence(evidence: Iterable[Evidence]) -> float:
    """Return the mean confidence over distinct statements; 0 to 1.

    A running (existing + new) / 2 would give later statements more weight. The mean over all distinct
    statements is the same in any order, and merging again changes nothing.
    """
    statements = _of_statements(evidence)
    return round(sum(sorted(statements)) / len(statements), 6) if statements else 0.0


def has_authored_evidence(evidence: Iterable[Evidence]) -> bool:
    """Return whether any evidence was written as a memory."""
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
