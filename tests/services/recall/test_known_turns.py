"""In a prompt a message stands in its own words, and no memory that says no more beside it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.api.recall import RecallResult, RecordType
from palimpsest.model.memory import Evidence, Status
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from services.recall.known_turns import prefer_messages

AT = datetime(2026, 3, 11, 9, 0, tzinfo=UTC)


def evidence(message: str, quote: str = "words") -> Evidence:
    return Evidence(quote=quote, said_by=Role.USER, session_id="s1", message_id=message)


def recalled(name: str, record: RecordType, *rests_on: Evidence, **more: Any) -> RecallResult:
    memory: dict[str, Any] = {"status": Status.ACTIVE, "version": 1}
    return RecallResult(
        id=name,
        record=record,
        content=name,
        score=1.0,
        scope=Scope(user_id="ana"),
        evidence=rests_on,
        occurred_at=AT,
        **{**(memory if record is RecordType.MEMORY else {}), **more},
    )


TURN = recalled("the message", RecordType.TURN, evidence("m1"))


def told(*results: RecallResult) -> list[str]:
    return [one.id for one in prefer_messages(results)]


@pytest.mark.parametrize("quotes", [("I sail",), ("I sail", "out of Kiel")])
def test_a_memory_of_one_message_is_left_to_it_however_many_quotes_it_has(
    quotes: tuple[str, ...],
) -> None:
    memory = recalled("memory", RecordType.MEMORY, *(evidence("m1", quote) for quote in quotes))
    assert told(memory, TURN) == ["the message"]
    assert told(memory) == ["memory"]


@pytest.mark.parametrize(
    "memory",
    [
        recalled("memory", RecordType.MEMORY, evidence("m1"), evidence("m2")),
        recalled("memory", RecordType.MEMORY, evidence("m2")),
        recalled("memory", RecordType.MEMORY, evidence("m1"), version=2),
        recalled("memory", RecordType.MEMORY, evidence("m1"), status=Status.SUPERSEDED),
    ],
)
def test_what_no_message_says_stays(memory: RecallResult) -> None:
    assert told(memory, TURN) == ["memory", "the message"]
