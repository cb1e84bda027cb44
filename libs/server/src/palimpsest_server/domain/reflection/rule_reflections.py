"""Find insights and patterns by rules, each resting on at least three memories.

The rules need no model. A finding is never more certain than its memories, and is withdrawn
when they are gone.
"""

from collections.abc import Callable, Iterable
from itertools import islice

from palimpsest.model.distillate import LEAST_BASES, Distillate
from palimpsest.model.identifiers import derive_id
from palimpsest.model.kinds import KINDS
from palimpsest.model.memory import Memory, MemorySource, RelationType, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.compression.distillation import build_distillate, mean_confidence
from palimpsest_server.domain.reflection.co_occurrences import find_co_occurrences
from palimpsest_server.domain.reflection.finding import ReflectionFinding
from palimpsest_server.domain.reflection.repeated_choices import find_repeated_choices
from palimpsest_server.domain.reflection.repeated_times import find_repeated_times

WITHDRAWN = "withdrawn: what it rests on is gone"

MOST_AT_ONCE = 3
"""Maximum number of findings a day, because people read them."""
MOST_BASES = 16
CONFIDENCE_SHARE = 0.8
"""Share of the mean confidence of a finding's memories."""

MADE_OF_OTHERS = frozenset({MemorySource.REFLECTION, MemorySource.CONSOLIDATION})
"""Sources of memories that findings may not rest on, because they are findings themselves."""


def find_reflections(memories: Iterable[Memory], time_zone: str) -> list[Distillate]:
    """Return new reflections on the active memories of a namespace, each on memories of one scope.

    Findings with the most memories come first, and only a few are returned at once. A finding always
    has the same id, so a rejected one stays rejected. Memories of two projects form no finding, because
    it would be told in both. Only the same choice in each of several projects is a trait beyond them.
    """
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    first_hand = sorted(
        (
            memory
            for memory in active
            if memory.source not in MADE_OF_OTHERS and not memory.standalone
        ),
        key=lambda memory: (memory.occurred_at, memory.id),
    )
    by_scope: dict[Scope, list[Memory]] = {}
    for memory in first_hand:
        by_scope.setdefault(memory.scope, []).append(memory)
    findings = [
        finding
        for own in by_scope.values()
        for finding in (
            *find_repeated_times(own, time_zone),
            *find_repeated_choices(own),
            *find_co_occurrences(own),
        )
    ]
    findings += filter(_is_of_distinct_scopes, find_repeated_choices(first_hand))
    findings.sort(key=lambda finding: (-len(finding.bases), finding.rule, finding.topic))
    standing = {memory.id for memory in active}
    made = (_distilled(finding) for finding in findings)
    fresh = (distillate for distillate in made if distillate.memory_id not in standing)
    return list(islice(fresh, MOST_AT_ONCE))


def has_lost_bases(reflection: Memory, known: Callable[[str], Memory | None]) -> bool:
    """Return whether too few of a reflection's bases are left.

    An archived basis still counts.
    """
    bases = [
        known(relation.memory_id)
        for relation in reflection.relations
        if relation.type is RelationType.DERIVED_FROM
    ]
    left = [base for base in bases if base and base.status in (Status.ACTIVE, Status.ARCHIVED)]
    return reflection.source is MemorySource.REFLECTION and len(left) < LEAST_BASES


def _distilled(finding: ReflectionFinding) -> Distillate:
    bases = finding.bases[-MOST_BASES:]
    defaults = KINDS[finding.kind]
    scope = bases[0].scope
    if _is_of_distinct_scopes(finding):
        scope = scope.model_copy(update={"project_id": None})
    return build_distillate(
        bases,
        id=derive_id("reflection", scope.agent_id, scope.project_id, finding.rule, finding.topic),
        content=finding.content,
        kind=finding.kind,
        scope=scope,
        source=MemorySource.REFLECTION,
        importance=defaults.importance,
        confidence=mean_confidence(bases) * CONFIDENCE_SHARE,
        lifetime=defaults.lifetime,
        replaces=False,
    )


def _is_of_distinct_scopes(finding: ReflectionFinding) -> bool:
    return len({memory.scope for memory in finding.bases}) == len(finding.bases)
