"""Acts and memories for tests, one line each."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.kinds import KINDS, Kind
from palimpsest.model.memory import Evidence, Memory, MemorySource, Status
from palimpsest.model.scope import Scope
from palimpsest.model.user import Language
from palimpsest_lab.simulation.user_actions import (
    SimulatedUser,
    StatementForm,
    UserAction,
    UserActionType,
)

ANN = SimulatedUser(user_id="ann", language=Language.ENGLISH, form=StatementForm.REMEMBERED)
BEN = SimulatedUser(user_id="ben", language=Language.ENGLISH, form=StatementForm.PLAIN)


def on(day: int) -> datetime:
    """Noon of that day, counted from the first of January."""
    return datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(days=day - 1)


def act(
    number: int,
    doing: UserActionType,
    attribute: str | None = None,
    value: str | None = None,
    *,
    day: int = 1,
    person: SimulatedUser = ANN,
    **others: Any,
) -> UserAction:
    return UserAction(
        **{
            "id": f"{person.user_id}-{number}",
            "person": person,
            "doing": doing,
            "day": on(day).date(),
            "occurred_at": on(day),
            "text": f"{doing} {attribute} {value}",
            "attribute": attribute,
            "value": value,
            **others,
        }
    )


def memory(name: str, *resting_on: UserAction, content: str = "", **others: Any) -> Memory:
    first = resting_on[0]
    evidence = tuple(
        Evidence(quote=action.text, message_id=action.id, valid_from=action.occurred_at)
        for action in resting_on
    )
    return Memory(
        **{
            "id": name,
            "scope": Scope(user_id=first.person.user_id),
            "kind": Kind.FACT,
            "content": content or first.text,
            "summary": content or first.text,
            "value": first.value if first.attribute else None,
            "attribute": first.attribute,
            "importance": KINDS[Kind.FACT].importance,
            "confidence": 1.0,
            "source": MemorySource.USER_INPUT,
            "occurred_at": first.occurred_at,
            "recorded_at": first.occurred_at,
            "valid_from": first.occurred_at,
            "status": Status.ACTIVE,
            "lifetime": KINDS[Kind.FACT].lifetime,
            "evidence": evidence,
            "epoch": 0,
            **others,
        }
    )
