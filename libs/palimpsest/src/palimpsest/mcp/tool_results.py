"""Answers of the tools: only fields that a model needs, because every field costs tokens."""

from datetime import datetime
from typing import Self

from palimpsest.api.recall import RecallResponse, RecallResult
from palimpsest.api.resources import (
    CommandResult,
    MemoryDetail,
    MemoryList,
    MemoryRevision,
    TodoList,
)
from palimpsest.model.memory import Memory
from palimpsest.model.todo import Todo
from palimpsest.model.value_types import Value


class RecalledRecord(Value):
    """A memory, a message or a summary that answers a question."""

    id: str
    record: str
    content: str
    kind: str | None
    valid_from: datetime | None
    valid_until: datetime | None
    quotes: tuple[str, ...]
    """The quoted words of its evidence."""

    @classmethod
    def of(cls, result: RecallResult) -> Self:
        return cls(
            id=result.id,
            record=result.record,
            content=result.content,
            kind=result.kind,
            valid_from=result.valid_from,
            valid_until=result.valid_until,
            quotes=tuple(evidence.quote for evidence in result.evidence),
        )


class RecalledRecords(Value):
    """Answer of `recall`, best first; empty if nothing is relevant enough."""

    results: tuple[RecalledRecord, ...]

    @classmethod
    def of(cls, response: RecallResponse) -> Self:
        return cls(results=tuple(map(RecalledRecord.of, response.results)))


class MemoryOutline(Value):
    """A memory without the fields that only people and services need."""

    id: str
    content: str
    kind: str
    status: str
    valid_from: datetime
    valid_until: datetime | None
    quotes: tuple[str, ...]
    """The quoted words of its evidence."""
    version: int

    @classmethod
    def of(cls, memory: Memory) -> Self:
        return cls(
            id=memory.id,
            content=memory.content,
            kind=memory.kind,
            status=memory.status,
            valid_from=memory.valid_from,
            valid_until=memory.valid_until,
            quotes=tuple(evidence.quote for evidence in memory.evidence),
            version=memory.version,
        )


class MemoryPage(Value):
    """Answer of `list_memories`, the newest first."""

    memories: tuple[MemoryOutline, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, page: MemoryList) -> Self:
        return cls(
            memories=tuple(map(MemoryOutline.of, page.memories)), next_cursor=page.next_cursor
        )


class HistoryEntry(Value):
    """One change of a memory; `undo` takes its `change_set_id`."""

    change_set_id: str
    decided_at: datetime
    actor: str
    reason: str
    status: str
    before: str | None
    after: str

    @classmethod
    def of(cls, revision: MemoryRevision) -> Self:
        return cls(
            change_set_id=revision.change_set_id,
            decided_at=revision.decided_at,
            actor=revision.actor,
            reason=revision.reason,
            status=revision.after.status,
            before=revision.before.content if revision.before else None,
            after=revision.after.content,
        )


class MemoryHistory(Value):
    """Answer of `history`, the latest change first."""

    changes: tuple[HistoryEntry, ...]

    @classmethod
    def of(cls, detail: MemoryDetail) -> Self:
        return cls(changes=tuple(map(HistoryEntry.of, detail.history)))


class ChangeOutcome(Value):
    """Answer of a tool that changes memories; `undo` takes its `change_set_id`."""

    applied: bool
    """False if the change is accepted and still under way."""
    change_set_id: str | None
    memory: MemoryOutline | None

    @classmethod
    def of(cls, result: CommandResult) -> Self:
        return cls(
            applied=result.applied,
            change_set_id=result.change_set_id,
            memory=MemoryOutline.of(result.memory) if result.memory else None,
        )


class TodoOutline(Value):
    """One todo."""

    id: str
    content: str
    due_at: datetime | None
    all_day: bool
    remind_at: datetime | None

    @classmethod
    def of(cls, todo: Todo) -> Self:
        return cls(
            id=todo.id,
            content=todo.content,
            due_at=todo.due_at,
            all_day=todo.all_day,
            remind_at=todo.remind_at,
        )


class TodoPage(Value):
    """Answer of `todos`, earliest due first."""

    todos: tuple[TodoOutline, ...]
    next_cursor: str | None

    @classmethod
    def of(cls, page: TodoList) -> Self:
        return cls(todos=tuple(map(TodoOutline.of, page.todos)), next_cursor=page.next_cursor)
