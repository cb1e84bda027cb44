"""What was asked, returned and then used (001, section 5.2), as its user reads it."""

from typing import Annotated

from pydantic import Field

from palimpsest.api.recall import RecordType
from palimpsest.model.value_types import Identifier, Instant, Value


class TraceQuery(Value):
    """`GET /v1/traces`: of a user, the newest first."""

    user_id: Identifier
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    cursor: Identifier | None = None
    """`next_cursor` of the page before."""


class TracedResult(Value):
    id: str
    record: RecordType
    score: float


class RecallTrace(Value):
    """One recall. It stands for thirty days."""

    recall_id: str
    asked: str
    """Without secrets; empty where it may not be stored, `[erased]` where what it returned was erased."""
    asked_at: Instant
    results: tuple[TracedResult, ...]
    """What was returned, best first."""
    used: tuple[str, ...] = ()
    """Ids of the results that a chat service said it used."""
    used_at: Instant | None = None
    """When it said so last."""


class TraceList(Value):
    traces: tuple[RecallTrace, ...]
    next_cursor: str | None = None
