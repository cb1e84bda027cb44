"""Candidates to decide about."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Candidate, Evidence, MemorySource
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role

START = datetime(2025, 1, 1, tzinfo=UTC)
ALICE = Scope(user_id="alice")


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def candidate(
    content: str, *, on: int = 0, since: int | None = None, scope: Scope = ALICE, **fields: Any
) -> Candidate:
    """Said on that day, in a message of its own, of what holds since then or since another day."""
    kind = fields.pop("kind", Kind.FACT)
    said = Evidence(
        quote=content,
        said_by=Role.USER,
        session_id="s",
        message_id=f"m{on}",
        said_at=day(on),
    )
    began = day(on if since is None else since)
    return Candidate.model_validate(
        {
            "id": f"candidate of day {on}: {content}",
            "scope": scope,
            "kind": kind,
            "content": content,
            "summary": content[:50],
            "importance": KINDS[kind].importance,
            "confidence": 0.8,
            "lifetime": KINDS[kind].lifetime,
            "source": MemorySource.DISCUSSION,
            "occurred_at": began,
            "valid_from": began,
            "evidence": (said,),
            **fields,
        }
    )


def lives_in(city: str, *, on: int, **fields: Any) -> Candidate:
    return candidate(
        f"I live in {city}", on=on, subject="user", attribute="city", value=city, **fields
    )


def about(attribute: str, value: str, *, on: int, **fields: Any) -> Candidate:
    content = fields.pop("content", f"{attribute}: {value}")
    return candidate(content, on=on, attribute=attribute, value=value, **fields)


def no_longer(attribute: str, value: str, *, on: int, **fields: Any) -> Candidate:
    content = f"{attribute}: {value}, no more"
    return candidate(content, on=on, attribute=attribute, value=value, ended=True, **fields)
