"""Importance as it is given: a number from 0 to 1, or a level of a scale of five or ten."""

import math
from datetime import UTC, datetime
from typing import Any

import pytest
from pydantic import ValidationError

from palimpsest.api.command_requests import AddRequest, AddTodoRequest, EditRequest
from palimpsest.events.conversations import RememberRequested
from palimpsest.model.kinds import Kind
from palimpsest.model.value_types import importance_level


@pytest.mark.parametrize(
    ("given", "kept"),
    [(0.8, 0.8), (0, 0.0), (1, 1.0), (None, None), ("4/5", 0.8), ("1/5", 0.2), ("5/5", 1.0),
     ("2 / 5", 0.4), ("8/10", 0.8), ("1/10", 0.1), ("10/10", 1.0)],
)  # fmt: skip
def test_levels_of_both_scales_become_shares_of_one(given: Any, kept: float | None) -> None:
    asked: dict[str, Any] = {"content": "tea", "importance": given}
    assert AddRequest.model_validate(asked).importance == kept
    assert AddTodoRequest.model_validate(asked).importance == kept
    assert EditRequest.model_validate(asked).importance == kept
    event = RememberRequested(
        event_id="e", user_id="ann", occurred_at=datetime(2026, 3, 2, tzinfo=UTC), **asked
    )
    assert RememberRequested.model_validate_json(event.model_dump_json()).importance == kept


@pytest.mark.parametrize(
    ("importance", "of_ten", "of_five"),
    [(0.0, 1, 1), (0.1, 1, 1), (0.2, 2, 1), (0.4, 4, 2), (0.5, 5, 3), (0.8, 8, 4), (0.9, 9, 5), (1.0, 10, 5)],
)  # fmt: skip
def test_an_importance_is_a_level_of_both_scales(
    importance: float, of_ten: int, of_five: int
) -> None:
    assert importance_level(importance) == of_ten
    assert math.ceil(of_ten / 2) == of_five
    assert importance_level(int(of_ten) / 10) == of_ten


@pytest.mark.parametrize("given", [4, 1.5, -0.1, "4", "6/5", "0/5", "4/7", "11/10", "x/5", "/5"])
def test_what_may_mean_several_things_is_refused(given: Any) -> None:
    with pytest.raises(ValidationError):
        AddRequest.model_validate({"content": "tea", "importance": given})


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("user_preference", Kind.PREFERENCE),
        ("project_decision", Kind.DECISION),
        ("discussion_conclusion", Kind.CONCLUSION),
        ("action_item", Kind.ACTION_ITEM),
        ("data_insight", Kind.INSIGHT),
        ("user_feedback", Kind.FEEDBACK),
        ("milestone", Kind.EVENT),
    ],
)
def test_each_kind_has_its_other_name(name: str, kind: Kind) -> None:
    assert AddRequest.model_validate({"content": "tea", "kind": name}).kind is kind
