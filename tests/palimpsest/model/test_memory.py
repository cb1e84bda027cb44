"""When a memory holds, what is embedded of it, and that it is a value."""

from datetime import UTC, datetime, timedelta

import pytest
from pydantic import ValidationError

from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import ImportedMemory, Memory, MemorySource, Status, embedded_text
from palimpsest.model.scope import Scope

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)
TUESDAY = MONDAY + timedelta(days=1)


def memory(**fields: object) -> Memory:
    return Memory.model_validate(
        {
            "id": "m1",
            "scope": Scope(user_id="ann"),
            "kind": Kind.FACT,
            "content": "lives in Lisbon",
            "summary": "lives in Lisbon",
            "importance": 0.8,
            "confidence": 1.0,
            "source": MemorySource.USER_INPUT,
            "occurred_at": MONDAY,
            "recorded_at": MONDAY,
            "valid_from": MONDAY,
            "status": Status.ACTIVE,
            "lifetime": Lifetime.CORE,
            "evidence": (),
            "epoch": 0,
            **fields,
        }
    )


def test_validity_includes_its_beginning_and_not_its_end() -> None:
    known = memory(valid_from=MONDAY, valid_until=TUESDAY)
    assert known.valid_at(MONDAY)
    assert known.valid_at(TUESDAY - timedelta(milliseconds=1))
    assert not known.valid_at(TUESDAY)
    assert not known.valid_at(MONDAY - timedelta(milliseconds=1))


def test_what_has_no_end_holds_on() -> None:
    assert memory().valid_at(MONDAY + timedelta(days=10_000))


def test_a_memory_cannot_be_changed_in_place_nor_carry_what_nobody_knows() -> None:
    with pytest.raises(ValidationError, match="frozen"):
        setattr(memory(), "content", "lives in Porto")  # noqa: B010 - mypy knows better
    with pytest.raises(ValidationError, match="extra"):
        memory(mood="good")


def test_summary_and_content_are_embedded_each_once() -> None:
    assert embedded_text("likes tea", "likes tea") == "likes tea"
    assert embedded_text("likes tea…", "likes tea with milk") == "likes tea with milk"
    assert embedded_text("tea", "likes a warm drink") == "tea\nlikes a warm drink"
    assert embedded_text("喜欢茶", "他每天早上喝茶") == "喜欢茶\n他每天早上喝茶"


@pytest.mark.parametrize(
    "changes",
    [
        {"version": 2**63},
        {"epoch": -(2**64)},
        {"content": "茶" * 22_000},
        {"data": {"n": 10**30}},
        {"data": {"a\x00b": 1}},
    ],
)
def test_what_no_store_can_hold_is_not_imported(changes: dict[str, object]) -> None:
    fields = memory().model_dump(mode="json")
    assert ImportedMemory.model_validate({"memory": fields}).memory == memory()
    with pytest.raises(ValidationError):
        ImportedMemory.model_validate({"memory": {**fields, **changes}})
