"""Decide when a model is asked what memories show together, and select the memories to show."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from palimpsest.model.bilingual_text import display_width, shorten_to_summary
from palimpsest.model.memory import Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.reflection.rule_reflections import MADE_OF_OTHERS

NEW_ENOUGH = 5
"""New memories of one scope that justify a question; with fewer, a model would mostly repeat itself."""
MOST_SHOWN = 60
MOST_STANDING = 20
"""Maximum number of earlier findings shown, so that they are not found again."""
WIDEST = 200
"""Width shown of each memory: 100 Chinese or 200 Latin characters; all of them are under 9,000 tokens."""


@dataclass(frozen=True)
class ReflectionInput:
    """The memories that a model is shown: of one scope, in the order of time."""

    scope: Scope
    memories: Sequence[Memory]
    standing: Sequence[Memory]
    """Earlier findings from memories of the scope."""

    @property
    def through(self) -> datetime:
        """The time at which the newest memory was recorded; later memories are new."""
        return max(memory.recorded_at for memory in self.memories)


def select_reflection_input(
    memories: Iterable[Memory], reached: Mapping[Scope, datetime]
) -> ReflectionInput | None:
    """Return the scope with the most new memories and its latest memories; None if too few are new.

    `reached` is the recording time of the newest memory that a model was shown last time, by scope.
    """
    active = [memory for memory in memories if memory.status is Status.ACTIVE]
    by_scope: dict[Scope, list[Memory]] = {}
    for memory in active:
        if memory.source not in MADE_OF_OTHERS and not memory.standalone:
            by_scope.setdefault(memory.scope, []).append(memory)
    fresh = {scope: sum(_new(own, reached.get(scope))) for scope, own in by_scope.items()}
    enough = [scope for scope, count in fresh.items() if count >= NEW_ENOUGH]
    if not enough:
        return None
    scope = max(enough, key=lambda one: (fresh[one], one.project_id or ""))
    latest = sorted(by_scope[scope], key=_by_record)[-MOST_SHOWN:]
    found = [one for one in active if one.source is MemorySource.REFLECTION and one.scope == scope]
    return ReflectionInput(
        scope=scope,
        memories=sorted(latest, key=lambda memory: (memory.occurred_at, memory.id)),
        standing=sorted(found, key=_by_record)[-MOST_STANDING:],
    )


def shorten_content(memory: Memory) -> str:
    """Return a memory's content, or the beginning of a long one."""
    content = " ".join(memory.content.split())
    return content if display_width(content) <= WIDEST else shorten_to_summary(content, WIDEST)


def _new(memories: Iterable[Memory], reached: datetime | None) -> Iterator[bool]:
    return (reached is None or memory.recorded_at > reached for memory in memories)


def _by_record(memory: Memory) -> tuple[datetime, str]:
    return (memory.recorded_at, memory.id)
