"""The way from a question to its answer, from the explanation of a recall."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from palimpsest.api.recall import RecallResponse, RecallResult, ScoreParts

_NOT_SUMMED = frozenset({"cosine"})
"""Parts that tell how near a text is, and are not added to a score."""


@dataclass(frozen=True)
class CandidateCounts:
    """Counts of candidates, and of those shown by the arm of the search that found them."""

    considered: int
    returned: int
    excluded: int
    by_meaning: int
    by_words: int
    beside: int
    """Results that no search found, such as neighbouring messages."""


def count_candidates(answer: RecallResponse) -> CandidateCounts:
    arms = Counter(arm for result in answer.results for arm in find_arms(result))
    return CandidateCounts(
        considered=len(answer.results) + len(answer.fell_out),
        returned=len(answer.results),
        excluded=len(answer.fell_out),
        by_meaning=arms["meaning"],
        by_words=arms["words"],
        beside=arms["beside"],
    )


def find_arms(result: RecallResult) -> tuple[str, ...]:
    """Return the arms of the search that found a result: by meaning, by words; else it came beside."""
    parts = result.parts or ScoreParts()
    arms = [
        *(["meaning"] if parts.cosine is not None else []),
        *(["words"] if parts.sparse > 0 else []),
    ]
    return tuple(arms) or ("beside",)


def list_parts(parts: ScoreParts | None) -> list[tuple[str, float]]:
    """List the parts that a score is the sum of, the largest first, without those of nothing."""
    if parts is None:
        return []
    named = parts.model_dump(exclude=set(_NOT_SUMMED), exclude_none=True)
    summed = [(name, float(value)) for name, value in named.items() if abs(value) >= 0.0005]
    return sorted(summed, key=lambda part: -abs(part[1]))


def count_exclusions(answer: RecallResponse) -> Sequence[tuple[str, int]]:
    """Count excluded records by their reason, the most frequent one first."""
    return Counter(excluded.why for excluded in answer.fell_out).most_common()


def find_ranks(answer: RecallResponse | None) -> Mapping[str, int]:
    """Return the rank of each result, from 1."""
    results = () if answer is None else answer.results
    return {result.id: rank for rank, result in enumerate(results, start=1)}
