"""Fields of memories unite by the rule that stands at each of them."""

from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from palimpsest.api.recall import RecallResult
from palimpsest.model.field_rules import Unite
from palimpsest.model.kind_properties import Lifetime
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import (
    Candidate,
    Evidence,
    Memory,
    MemorySource,
    RecalledFields,
    Status,
)
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.unite_memories import (
    UNITED_FIELDS,
    unite_field,
    unite_fields,
)

MONDAY = datetime(2026, 3, 2, tzinfo=UTC)


def memory(day: int = 0, **fields: Any) -> Memory:
    moment = MONDAY + timedelta(days=day)
    return Memory.model_validate(
        {
            "id": f"m{day}",
            "scope": Scope(user_id="ann"),
            "kind": Kind.FACT,
            "content": "lives in Lisbon",
            "summary": "lives in Lisbon",
            "importance": 0.8,
            "confidence": 0.5,
            "source": MemorySource.DISCUSSION,
            "occurred_at": moment,
            "recorded_at": moment,
            "valid_from": moment,
            "status": Status.ACTIVE,
            "lifetime": Lifetime.CORE,
            "evidence": (Evidence(quote=f"on day {day}", message_id=f"{day}"),),
            "epoch": 0,
            **fields,
        }
    )


def test_the_earliest_moment_the_largest_number_and_any_pin_stay() -> None:
    united = unite_fields([memory(1, importance=0.4), memory(0, importance=0.9, pinned=True)])
    assert united["valid_from"] == united["occurred_at"] == united["recorded_at"] == MONDAY
    assert united["importance"] == 0.9
    assert united["pinned"] is True


def test_distinct_evidence_stays_and_raises_confidence() -> None:
    united = unite_fields([memory(0), memory(1), memory(1)])
    assert [piece.quote for piece in united["evidence"]] == ["on day 0", "on day 1"]
    assert united["confidence"] == 0.75


@pytest.mark.parametrize("name", ["tags", "entities"])
def test_each_word_stays_once_and_in_its_order_while_none_is_added(name: str) -> None:
    known, same, more = (
        memory(number, **{name: words})
        for number, words in enumerate([("b", "a"), ("a",), ("c", "a")])
    )
    assert unite_field(name, [known, same]) == ("b", "a")
    assert unite_field(name, [known, more]) == ("a", "b", "c")


def test_the_order_of_the_memories_does_not_matter() -> None:
    memories = [
        memory(day, tags=(f"tag {day}",), importance=0.1 * day, pinned=day == 2) for day in range(4)
    ]
    first, *others = [unite_fields(order) for order in permutations(memories)]
    assert all(other == first for other in others)


def test_a_field_without_a_rule_is_not_united() -> None:
    assert "content" not in unite_fields([memory()])
    with pytest.raises(KeyError):
        unite_field("content", [memory()])


def test_every_rule_is_the_rule_of_a_field() -> None:
    assert set(UNITED_FIELDS.values()) == set(Unite)


def test_a_candidate_a_memory_and_a_result_of_recall_share_their_fields() -> None:
    shared = RecalledFields.model_fields.keys()
    for model in (Candidate, Memory, RecallResult):
        assert shared <= model.model_fields.keys()
        assert not shared & model.__annotations__.keys()
