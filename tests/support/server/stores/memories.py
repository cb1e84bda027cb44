"""Memories for tests of their stores, and what becomes of them."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.memory import Memory
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.stores.memories import RecordedRecall
from tests.support.server.domain.consolidation.samples import candidate, day

BOB = Scope(user_id="bob")
COACH = Scope(user_id="alice", agent_id="coach")
WORK = Scope(user_id="alice", agent_id="coach", project_id="work")
RECALLED = day(3)


def memory(content: str = "I like tea", *, on: int = 0, **fields: Any) -> Memory:
    return build_memory(candidate(content, on=on, **fields), received_at=day(on), epoch=0)


def added(*memories: Memory) -> list[MemoryChange]:
    return [MemoryChange(after=one) for one in memories]


def changed(before: Memory, **fields: Any) -> MemoryChange:
    after = before.model_copy(update={**fields, "version": before.version + 1})
    return MemoryChange(before=before, after=after)


def access(recall_id: str, *memories: Memory, at: datetime = RECALLED) -> RecordedRecall:
    return RecordedRecall(
        user_id=memories[0].scope.user_id,
        recall_id=recall_id,
        memory_ids=tuple(one.id for one in memories),
        at=at,
    )


def contents(memories: Sequence[Memory]) -> list[str]:
    return [one.content for one in memories]
