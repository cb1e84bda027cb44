"""Previews of erasures: what goes for good, what stays, and what stays though it says the same."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from palimpsest.api.command_requests import ForgetTopicResult, TopicSearchHit
from palimpsest.api.resources import CommandResult, RepeatingMessage
from palimpsest.model.memory import Memory

SHOWN_COUNTS = ("memories", "turns", "sessions", "summaries", "todos", "profiles", "recalls")
"""Counts that say something to people, in this order; the others are summed up."""

CERTAINTIES = (0.9, 0.75, 0.6)
"""Levels of certainty that something is on a topic, above which it goes."""


@dataclass(frozen=True)
class TopicPreview:
    """Records on a topic: those that go, and those that stay because that is not sure enough."""

    going: tuple[TopicSearchHit, ...]
    staying: tuple[TopicSearchHit, ...]
    also_said: tuple[Memory, ...]
    by_meaning: bool


def divide_topic(result: ForgetTopicResult, at_least: float) -> TopicPreview:
    hits = result.topic.found
    return TopicPreview(
        going=tuple(hit for hit in hits if hit.sure >= at_least),
        staying=tuple(hit for hit in hits if hit.sure < at_least),
        also_said=result.also_said,
        by_meaning=result.topic.by_meaning,
    )


@dataclass(frozen=True)
class PurgePreview:
    """The erasure of several memories, seen together."""

    memories: tuple[Memory, ...]
    counts: Mapping[str, int]
    also_said: tuple[Memory, ...]
    repeated_by: tuple[RepeatingMessage, ...]


def join_purges(results: Sequence[CommandResult]) -> PurgePreview:
    """Join dry runs: counts are added, and what goes itself is not among what stays."""
    counts: dict[str, int] = {}
    for result in results:
        for name, count in (result.would_go or {}).items():
            counts[name] = counts.get(name, 0) + count
    memories = tuple(result.memory for result in results if result.memory is not None)
    going = {memory.id for memory in memories}
    also_said = {memory.id: memory for result in results for memory in result.also_said}
    repeated = {message.id: message for result in results for message in result.repeated_by}
    return PurgePreview(
        memories=memories,
        counts=counts,
        also_said=tuple(memory for memory in also_said.values() if memory.id not in going),
        repeated_by=tuple(message for message in repeated.values() if not message.goes),
    )


def arrange_counts(
    counts: Mapping[str, int], shown: Iterable[str] = SHOWN_COUNTS
) -> tuple[tuple[str, int], ...]:
    """Return counts with a name for people first, and the sum of all others as `other`."""
    known = tuple((name, counts[name]) for name in shown if counts.get(name))
    other = sum(counts.values()) - sum(count for _, count in known)
    return (*known, ("other", other)) if other else known


def parse_certainty(written: str | None) -> float:
    """Return one of the certainties; the strictest for anything else."""
    return next((level for level in CERTAINTIES if str(level) == written), CERTAINTIES[0])
