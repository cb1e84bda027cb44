"""Two runs that differ in anything that must not depend on faults are not equal."""

from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from tests.faults.end_state import EndState

NOON = datetime(2026, 1, 5, 12, tzinfo=UTC)


def memory(name: str, **fields: Any) -> Memory:
    return Memory(
        id=name,
        scope=Scope(user_id="ann", agent_id="companion"),
        kind=Kind.FACT,
        content=f"says {name}",
        summary=f"says {name}",
        occurred_at=NOON,
        recorded_at=NOON,
        valid_from=NOON,
        status=Status.ACTIVE,
        lifetime=Lifetime.CORE,
        source=MemorySource.DISCUSSION,
        evidence=(),
        epoch=0,
        importance=0.8,
        confidence=0.9,
    ).model_copy(update=fields)


def state(*memories: Memory) -> EndState:
    return EndState(memories=memories, turns=(), letters=Counter[Any](), summaries=(), profiles=())


@pytest.mark.parametrize(
    "fields",
    [
        {"confidence": 0.99},
        {"importance": 0.82},
        {"supersedes": ("tea",)},
        {"superseded_by": "tea"},
        {"tags": ("twice",)},
        {"summary": "cut"},
        {"status_reason": "another"},
    ],
)
def test_what_was_counted_twice_or_linked_otherwise_shows(fields: dict[str, Any]) -> None:
    tea = memory("tea")
    assert state(tea, memory("milk", **fields)).whole != state(tea, memory("milk")).whole


def test_when_it_came_and_in_which_order_does_not_show() -> None:
    later = {"recorded_at": NOON.replace(hour=13), "version": 4}
    assert state(memory("a"), memory("b", **later)).whole == state(memory("b"), memory("a")).whole
