"""A prompt says once what a message and a memory both say."""

from datetime import UTC, datetime
from typing import Any

import pytest

from palimpsest.api.recall import RecallResult, RecordType
from palimpsest.model.memory import Evidence, Status
from palimpsest.model.scope import Scope
from palimpsest.model.turn import Role
from services.recall.context.deduplicate import drop_quoted_messages, prefer_messages

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
    return [message.id for message in prefer_messages(results)]


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


SAME = [
    ("User likes oolong tea", "I like oolong tea."),
    ("用户喜欢喝乌龙茶", "我喜欢喝乌龙茶。"),
    ("User drinks tea every morning at 7", "I drink tea every morning at 7"),
    ("用户对花生过敏", "我对花生过敏！"),
]
MORE = [
    ("User likes oolong tea", "I like oolong tea, and no coffee."),
    ("用户喜欢喝乌龙茶", "我喜欢喝乌龙茶，不喝咖啡。"),
    ("User lives in Kiel", "I live in Kiel now and miss Rome."),
    ("User drinks tea at 7", "I drink tea at 8"),
]


def kept(memory: str, turn: str, message: str = "m1", status: Status = Status.ACTIVE) -> list[str]:
    of_two = recalled(memory, RecordType.MEMORY, evidence("m1"), evidence("m2"), status=status)
    said = recalled(turn, RecordType.TURN, evidence(message))
    return [quoted_message.content for quoted_message in drop_quoted_messages([of_two, said])]


@pytest.mark.parametrize(("memory", "turn"), SAME)
def test_what_the_memory_says_as_well_goes(memory: str, turn: str) -> None:
    assert kept(memory, turn) == [memory]


@pytest.mark.parametrize(("memory", "turn"), MORE)
def test_what_says_more_stays(memory: str, turn: str) -> None:
    assert kept(memory, turn) == [memory, turn]


def test_what_it_does_not_rest_on_stays_and_so_does_what_is_over() -> None:
    memory, turn = SAME[0]
    assert kept(memory, turn, message="m3") == [memory, turn]
    assert kept(memory, turn, status=Status.SUPERSEDED) == [memory, turn]
