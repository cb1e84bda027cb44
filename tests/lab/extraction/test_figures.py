"""What the figures count: the rule of tests/golden/extraction/README.md, case by case."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from palimpsest.model.kinds import Kind
from palimpsest_lab.extraction.extracted_items import ExtractedItem
from palimpsest_lab.extraction.figures import compute_extraction_figures
from tests.support.lab.fitting.extracted import action, dialogue, found, memory, todo

LAST_YEAR = datetime(2025, 6, 1, tzinfo=UTC)
EVENING = "2026-03-06T23:30:00+08:00"


@pytest.mark.parametrize(
    ("stated", "carried", "right"),
    [
        ("2026-03-07", {"occurred_at": datetime(2026, 3, 6, 16, 30, tzinfo=UTC)}, 1.0),
        ("2026-03-06", {"occurred_at": datetime(2026, 3, 6, 16, 30, tzinfo=UTC)}, 0.0),
        (EVENING, {"valid_from": datetime(2026, 3, 6, 15, 30, tzinfo=UTC)}, 1.0),
        (EVENING, {"valid_from": datetime(2026, 3, 6, 15, 40, tzinfo=UTC)}, 0.0),
        ("2025-06", {"valid_from": LAST_YEAR}, 1.0),
        ("2025", {"valid_until": datetime(2027, 1, 1, tzinfo=UTC)}, 0.0),
        ("2026-03-06", {"data": {"when": "2026-03-06"}}, 1.0),
        (EVENING, {"data": {"when": "2026-03-06"}}, 0.0),
        ("2026-03-06", {}, 0.0),
    ],
)
def test_a_date_is_right_by_day_in_the_zone_or_to_the_minute(
    stated: str, carried: dict[str, Any], right: float
) -> None:
    told = compute_extraction_figures([(dialogue(memory(date=stated)), [found(**carried)])])
    assert told["date_accuracy"] == right


@pytest.mark.parametrize(
    ("expected", "carried", "right"),
    [
        ({"due": EVENING}, {"due_at": datetime(2026, 3, 6, 15, 30, tzinfo=UTC)}, 1.0),
        ({"due": "2026-03-06"}, {"remind_at": datetime(2026, 3, 6, 1, tzinfo=UTC)}, 1.0),
        ({"due": EVENING, "remind_at": EVENING}, {"due_at": datetime.fromisoformat(EVENING)}, 0.5),
        ({"due": EVENING}, {"occurred_at": datetime.fromisoformat(EVENING)}, 0.0),
    ],
)
def test_a_todo_is_due_when_it_says(
    expected: dict[str, Any], carried: dict[str, Any], right: float
) -> None:
    told = compute_extraction_figures([(dialogue(todos=[todo(**expected)]), [action(**carried)])])
    assert told["due_accuracy"] == right


def test_details_are_counted_over_the_missed_ones_too() -> None:
    golden_dialogue = dialogue(
        memory(details=["加奶", ["两杯", "2杯"]]), memory(value=["茶"], details=["绿"])
    )
    told = compute_extraction_figures([(golden_dialogue, [found(content="每天 2 杯咖啡")])])
    assert (told["details_kept"], told["details_kept_of_matched"]) == (0.3333, 0.5)


def test_a_detail_may_stand_in_the_restatement() -> None:
    told = compute_extraction_figures(
        [(dialogue(memory(details=["加奶"])), [found(), found(content="咖啡加奶")])]
    )
    assert told["details_kept"] == 1.0


def test_a_near_kind_counts_for_recall_and_not_for_the_kinds() -> None:
    told = compute_extraction_figures([(dialogue(memory()), [found(kind=Kind.FACT)])])
    assert (told["recall"], told["kind_accuracy"]) == (1.0, 0.0)


def test_what_is_optional_counts_in_nothing() -> None:
    golden_dialogue = dialogue(memory(optional=True, details=["加奶"]), memory(value=["茶"]))
    told = compute_extraction_figures(
        [(golden_dialogue, [found(), found(value="茶", content="茶")])]
    )
    assert (told["precision"], told["recall"], told["details_kept"]) == (1.0, 1.0, None)


def test_a_project_memory_is_in_its_layer_with_its_agent_only() -> None:
    golden_dialogue = dialogue(memory(layer="project", agent="planner"))
    right = found(agent_id="planner", project_id="atlas")
    told = [
        compute_extraction_figures([(golden_dialogue, [it])])["layer_accuracy"]
        for it in (right, found(), found(agent_id="x"))
    ]
    assert told == [1.0, 0.0, 0.0]


def test_the_figures_of_a_language_are_its_own() -> None:
    told = compute_extraction_figures(
        [
            (dialogue(memory()), [found(), found(value="茶", content="茶")]),
            (dialogue(memory(), todos=[todo()], language="en"), [found()]),
        ]
    )
    by_language = told["by_language"]
    assert (told["precision"], told["recall"]) == (0.6667, 0.6667)
    assert (by_language["zh"]["precision"], by_language["zh"]["recall"]) == (0.5, 1.0)
    assert (by_language["en"]["precision"], by_language["en"]["recall"]) == (1.0, 0.5)


def test_where_nothing_was_to_be_found_and_nothing_was_there_is_nothing_to_judge() -> None:
    told = compute_extraction_figures([(dialogue(), [])])
    assert (told["precision"], told["recall"], told["wrong"]) == (None, None, 0)


@given(st.permutations([found(), found(value="茶", content="茶"), action(), found(subject="他")]))
def test_the_order_in_which_things_are_found_changes_no_figure(
    several: list[ExtractedItem],
) -> None:
    golden_dialogue = dialogue(memory(), memory(value=["茶"]), todos=[todo()])
    assert compute_extraction_figures([(golden_dialogue, several)])["f1"] == round(6 / 7, 4)
