"""Memories as they stand after some days of use and disuse."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Accesses, Evidence, Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.forgetting.retention_state import RetentionState

NOW = datetime(2026, 8, 31, 12, tzinfo=UTC)
ALICE = Scope(user_id="alice")


def days_ago(days: float) -> datetime:
    return NOW - timedelta(days=days)


def memory(content: str = "I plan to learn the cello", **fields: Any) -> Memory:
    recorded_at = fields.pop("recorded_at", days_ago(200))
    return Memory.model_validate(
        {
            "id": content,
            "scope": ALICE,
            "kind": Kind.GOAL,
            "content": content,
            "summary": content[:50],
            "importance": 0.5,
            "confidence": 0.8,
            "source": MemorySource.DISCUSSION,
            "occurred_at": recorded_at,
            "recorded_at": recorded_at,
            "valid_from": recorded_at,
            "status": Status.ACTIVE,
            "lifetime": Lifetime.WORKING,
            "evidence": (Evidence(quote=content),),
            "epoch": 0,
            **fields,
        }
    )


def standing(
    *, idle: float, count: int = 0, importance: float = 0.5, age: float | None = None, **fields: Any
) -> RetentionState:
    """Not used for `idle` days after `count` recalls; recorded `age` days ago, else just then."""
    recorded_at = days_ago(idle if age is None else age)
    return RetentionState(
        memory(importance=importance, recorded_at=recorded_at, **fields),
        Accesses(count=count, last_at=days_ago(idle) if count else None),
        NOW,
    )
