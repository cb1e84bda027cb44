"""Finds results that contradict other results."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from palimpsest.api.recall import RecallResult, RecordType
from palimpsest.model.memory import RelationType, Status
from palimpsest_server.domain.consolidation.contradictions import (
    contradiction_subject,
    is_attribute_conflict,
)


def find_conflicting_results(results: Sequence[RecallResult]) -> Mapping[str, set[str]]:
    """Return, by the id of each result, the ids of the results that contradict it.

    Two results contradict each other by a relation, or by different values of one attribute. A
    memory that no longer holds is shown with its end, and contradicts nothing.
    """
    standing = [result for result in results if _holds(result)]
    found: dict[str, set[str]] = {}
    for one, other in (*_related(standing), *_differing(standing)):
        found.setdefault(one, set()).add(other)
        found.setdefault(other, set()).add(one)
    return found


def _holds(result: RecallResult) -> bool:
    return (
        result.record is RecordType.MEMORY
        and result.status is Status.ACTIVE
        and result.valid_until is None
    )


def _related(standing: Sequence[RecallResult]) -> Iterator[tuple[str, str]]:
    ids = {recall_result.id for recall_result in standing}
    for recall_result in standing:
        for related in recall_result.related:
            if related.type is RelationType.CONTRADICTS and related.id in ids:
                yield recall_result.id, related.id


def _differing(standing: Sequence[RecallResult]) -> Iterator[tuple[str, str]]:
    matters: dict[tuple[str, ...], list[RecallResult]] = {}
    for result in standing:
        if (about := contradiction_subject(result)) is not None:
            matters.setdefault(about, []).append(result)
    for together in matters.values():
        for result, other in combinations(together, 2):
            if is_attribute_conflict(result, other):
                yield result.id, other.id
