"""The kinds of memory: one table from which everything reads."""

from enum import StrEnum
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator

from palimpsest.model.value_types import UnitInterval, Value


class Kind(StrEnum):
    PREFERENCE = "preference"
    FACT = "fact"
    PERSON = "person"
    GOAL = "goal"
    EVENT = "event"
    DECISION = "decision"
    CONCLUSION = "conclusion"
    ACTION_ITEM = "action_item"
    LESSON = "lesson"
    SKILL = "skill"
    PATTERN = "pattern"
    INSIGHT = "insight"
    FEEDBACK = "feedback"
    CONTEXT = "context"


class Lifetime(StrEnum):
    CORE = "core"
    WORKING = "working"
    TEMPORARY = "temporary"


class EvidenceSource(StrEnum):
    """Who may be quoted for a kind of memory."""

    USER = "user"
    AGENT = "agent"
    SKILL_EVENT = "skill_event"
    SEVERAL_MEMORIES = "several_memories"
    DATA = "data"


class MemoryFile(StrEnum):
    """The file in which people read and edit a kind."""

    MEMORY = "memory.md"
    LEARNINGS = "learnings.md"


class KindDefaults(Value):
    importance: UnitInterval
    lifetime: Lifetime
    aliases: tuple[str, ...] = ()
    file: MemoryFile | None = MemoryFile.MEMORY
    evidence_from: frozenset[EvidenceSource]


_USER = frozenset({EvidenceSource.USER})
_BOTH = frozenset({EvidenceSource.USER, EvidenceSource.AGENT})


def _row(
    importance: float,
    lifetime: Lifetime,
    evidence_from: frozenset[EvidenceSource],
    *aliases: str,
    file: MemoryFile | None = MemoryFile.MEMORY,
) -> KindDefaults:
    return KindDefaults(
        importance=importance,
        lifetime=lifetime,
        aliases=aliases,
        file=file,
        evidence_from=evidence_from,
    )


KINDS: dict[Kind, KindDefaults] = {
    Kind.PREFERENCE: _row(0.9, Lifetime.CORE, _USER, "user_preference"),
    Kind.FACT: _row(0.8, Lifetime.CORE, _USER),
    Kind.PERSON: _row(0.8, Lifetime.CORE, _USER),
    Kind.GOAL: _row(0.7, Lifetime.WORKING, _USER),
    Kind.EVENT: _row(0.6, Lifetime.WORKING, _USER, "milestone"),
    Kind.DECISION: _row(0.8, Lifetime.CORE, _BOTH, "project_decision"),
    Kind.CONCLUSION: _row(0.6, Lifetime.WORKING, _BOTH, "discussion_conclusion"),
    Kind.ACTION_ITEM: _row(0.7, Lifetime.WORKING, _BOTH, "todo"),
    Kind.LESSON: _row(
        0.85,
        Lifetime.CORE,
        _BOTH | {EvidenceSource.SKILL_EVENT},
        file=MemoryFile.LEARNINGS,
    ),
    Kind.SKILL: _row(
        0.7,
        Lifetime.CORE,
        frozenset({EvidenceSource.SKILL_EVENT}),
        file=MemoryFile.LEARNINGS,
    ),
    Kind.PATTERN: _row(
        0.6,
        Lifetime.WORKING,
        frozenset({EvidenceSource.SEVERAL_MEMORIES}),
        "frequent_question",
        file=MemoryFile.LEARNINGS,
    ),
    Kind.INSIGHT: _row(
        0.6,
        Lifetime.WORKING,
        frozenset({EvidenceSource.SEVERAL_MEMORIES, EvidenceSource.DATA}),
        "data_insight",
    ),
    Kind.FEEDBACK: _row(0.5, Lifetime.WORKING, _USER, "user_feedback"),
    Kind.CONTEXT: _row(0.4, Lifetime.TEMPORARY, _USER, file=None),
}

_BY_NAME = {str(kind): kind for kind in Kind} | {
    alias: kind for kind, defaults in KINDS.items() for alias in defaults.aliases
}


def parse_kind(name: object) -> object:
    """The kind of this name, or of this name in one of the design's sources; anything else as it is."""
    return _BY_NAME.get(name, name) if isinstance(name, str) else name


KindByName: TypeAlias = Annotated[Kind, BeforeValidator(parse_kind)]
"""A kind as it comes from outside: `user_preference` is `preference`."""
