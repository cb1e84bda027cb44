"""Compress old memories that were hardly recalled; the originals are archived, not lost.

Each group keeps its best statement, which rests on the evidence of all. No text is rewritten.

The `blended` way takes memories unused for 90 days with fewer than 5 accesses: groups by kind of
three or more become one to three. The staged way makes at most three after 30 days, and one
pattern after 90 days.
"""

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from palimpsest.model.distillate import Distillate
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Memory, MemorySource, RelationType, Status
from palimpsest.model.user import CompressionPolicy, ForgettingPolicy, UserSettings
from palimpsest_server.domain.compression.best_statement import (
    choose_best_statement,
    collect_words,
    measure_overlap,
)
from palimpsest_server.domain.compression.distillation import (
    build_distillate,
    longest_lifetime,
    mean_confidence,
)
from palimpsest_server.domain.consolidation.duplicates import has_timeline
from palimpsest_server.domain.forgetting.forgetting_rule import ForgettingRule
from palimpsest_server.domain.forgetting.lifetimes import has_future_time
from palimpsest_server.domain.forgetting.retention_state import RetentionState
from palimpsest_server.domain.memory_dates import write_memory_dates

COMPRESSED = "compressed"

ACCESSES_BELOW = 5
TOLD_TOGETHER = 5
"""Memories merged into one distillate, unless a group would make more than `most`."""
LARGEST_GROUP = 60
"""Memories of a group compressed in one day; the rest follows on later days."""


@dataclass(frozen=True, kw_only=True)
class CompressionStage:
    idle_days: float
    """Days of disuse that a memory must exceed."""
    least: int
    """Smallest group that is compressed."""
    most: int
    """Largest number of distillates of a group."""
    idle_days_compressed: float | None = None
    """Days of disuse for memories made by an earlier stage, counted after that stage. None leaves such
    memories alone."""
    pattern: bool = False
    """True if the distillate becomes a pattern, whatever its kind was."""


STAGES: Mapping[CompressionPolicy, tuple[CompressionStage, ...]] = {
    CompressionPolicy.NONE: (),
    CompressionPolicy.BLENDED: (CompressionStage(idle_days=90, least=3, most=3),),
    CompressionPolicy.STAGED: (
        CompressionStage(idle_days=90, idle_days_compressed=60, least=2, most=1, pattern=True),
        CompressionStage(idle_days=30, least=3, most=3),
    ),
}
"""Later stages come first, so that a memory old enough for one skips the earlier stage."""


def choose_compression(settings: UserSettings) -> CompressionPolicy:
    """Return the user's compression policy, or the default of the user's forgetting policy."""
    if settings.compression is not None:
        return settings.compression
    blended = settings.forgetting_policy is ForgettingPolicy.BLENDED
    return CompressionPolicy.BLENDED if blended else CompressionPolicy.NONE


@dataclass(frozen=True)
class CompressionGroup:
    memories: tuple[Memory, ...]
    stage: CompressionStage


def find_compression_groups(
    standings: Iterable[RetentionState],
    compression: CompressionPolicy,
    policy: ForgettingRule,
    *,
    tied_to_todo: Callable[[str], bool],
    rested_on: Collection[str] = (),
) -> list[CompressionGroup]:
    """Return groups to compress: memories of one scope and kind, each in one group at most.

    Left out are memories that another of `standings`, or any memory in `rested_on`, rests on;
    pinned memories and those that stand alone; memories of a future time; values that another value may replace; and
    results of earlier compression or reflection.
    """
    if not STAGES[compression]:
        return []
    all_of_them = list(standings)
    borne = find_supporting_ids(standing.memory for standing in all_of_them).union(rested_on)
    free = [
        standing
        for standing in all_of_them
        if _may_go(standing, policy, borne) and not tied_to_todo(standing.memory.id)
    ]
    compression_groups: list[CompressionGroup] = []
    for stage in STAGES[compression]:
        old = [standing for standing in free if _is_due(standing, stage)]
        compression_groups += [
            CompressionGroup(tuple(together[:LARGEST_GROUP]), stage)
            for together in _by_place(old)
            if len(together) >= stage.least
        ]
        grouped = {memory.id for group in compression_groups for memory in group.memories}
        free = [standing for standing in free if standing.memory.id not in grouped]
    return compression_groups


def compress_group(group: CompressionGroup, *, time_zone: str) -> list[Distillate]:
    """Return the distillates of a group: by its size, at most as many as its stage allows."""
    memories = _alike_together(group.memories)
    count = min(group.stage.most, math.ceil(len(memories) / TOLD_TOGETHER))
    return [_distilled(part, group.stage, time_zone) for part in _evenly(memories, count)]


def find_supporting_ids(memories: Iterable[Memory]) -> frozenset[str]:
    """Return the ids of all memories that any of these rest on."""
    return frozenset(
        relation.memory_id
        for memory in memories
        for relation in memory.relations
        if relation.type is not RelationType.CONTRADICTS
    )


def _may_go(standing: RetentionState, policy: ForgettingRule, borne: Collection[str]) -> bool:
    memory = standing.memory
    return (
        memory.status is Status.ACTIVE
        and not memory.pinned
        and not memory.standalone
        and memory.id not in borne
        and standing.count < ACCESSES_BELOW
        and memory.source is not MemorySource.REFLECTION
        and memory.valid_until is None
        and not has_timeline(memory)
        and not has_future_time(standing)
        and policy.may_compress(standing)
    )


def _is_due(standing: RetentionState, stage: CompressionStage) -> bool:
    memory = standing.memory
    if memory.source is not MemorySource.CONSOLIDATION:
        return standing.idle_days > stage.idle_days
    if stage.idle_days_compressed is None or memory.kind is Kind.PATTERN:
        return False
    return standing.idle_days > stage.idle_days_compressed


def _by_place(standings: Sequence[RetentionState]) -> Iterator[list[Memory]]:
    places: dict[tuple[object, ...], list[Memory]] = {}
    for standing in sorted(
        standings,
        key=lambda retention_state: (retention_state.last_used_at, retention_state.memory.id),
    ):
        memory = standing.memory
        places.setdefault((memory.scope, memory.kind), []).append(memory)
    yield from places.values()


def _alike_together(memories: Sequence[Memory]) -> list[Memory]:
    """Return the memories in an order in which each is followed by the most similar one left."""
    words = {memory.id: collect_words(memory) for memory in memories}
    left = sorted(memories, key=lambda memory: (memory.occurred_at, memory.id))
    ordered = [left.pop(0)]
    while left:
        last = words[ordered[-1].id]
        nearest = max(left, key=lambda memory: measure_overlap(last, words[memory.id]))
        left.remove(nearest)
        ordered.append(nearest)
    return ordered


def _evenly(memories: Sequence[Memory], count: int) -> list[Sequence[Memory]]:
    size, rest = divmod(len(memories), count)
    starts = [number * size + min(number, rest) for number in range(count + 1)]
    return [memories[start:end] for start, end in pairwise(starts)]


def _distilled(memories: Sequence[Memory], stage: CompressionStage, time_zone: str) -> Distillate:
    best = choose_best_statement(memories)
    named = sorted(f"{memory.id} {memory.version}" for memory in memories)
    made = build_distillate(
        memories,
        id=derive_id("compression", *named),
        # Relative times are written with their dates, which nothing else would keep.
        content=write_memory_dates(best, time_zone),
        kind=Kind.PATTERN if stage.pattern else best.kind,
        scope=best.scope,
        source=MemorySource.CONSOLIDATION,
        importance=max(memory.importance for memory in memories),
        confidence=mean_confidence(memories),
        lifetime=KINDS[Kind.PATTERN].lifetime if stage.pattern else longest_lifetime(memories),
        replaces=True,
    )
    stated = {"subject": best.subject, "attribute": best.attribute, "value": best.value}
    return made.model_copy(update={"candidate": made.candidate.model_copy(update=stated)})
