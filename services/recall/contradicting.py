"""Which of the results say otherwise than another one."""

from collections.abc import Sequence

from palimpsest.contracts.recall import Recalled, Record
from palimpsest.domain.evolution.contradicting import differ_in_attribute
from palimpsest.domain.memory import RelationType, Status


def contradicting(one: Recalled, results: Sequence[Recalled]) -> set[str]:
    """What is returned with it and says otherwise: by a relation, or of the same attribute.

    What no longer holds is shown with its end, and says nothing against what does.
    """
    return {
        other.id
        for other in results
        if other.id != one.id
        and _holds(one)
        and _holds(other)
        and (_related(one, other) or _related(other, one) or differ_in_attribute(one, other))
    }


def _holds(one: Recalled) -> bool:
    return one.record is Record.MEMORY and one.status is Status.ACTIVE and one.valid_until is None


def _related(one: Recalled, other: Recalled) -> bool:
    return any(
        related.id == other.id and related.type is RelationType.CONTRADICTS
        for related in one.related
    )
