"""What the gate costs and what it keeps out, counted."""

import json
from pathlib import Path

import pytest

from palimpsest_lab.datasets.locomo import UnreadableData
from palimpsest_lab.recall.gate import (
    NOTHING_FOUND,
    GateMeasurement,
    QuestionOrigin,
    compute_at_threshold,
    compute_gate_figures,
    compute_held_out,
    compute_recall_loss,
    find_highest_threshold,
    read_nonsense,
)


def judged(sort: QuestionOrigin, margin: float, user: str = "a", **more: object) -> GateMeasurement:
    return GateMeasurement(user_id=user, sort=sort, margin=margin, **more)  # type: ignore[arg-type]


OWN = [judged("own", margin, recall=1.0) for margin in (0.5, 1.0, 2.0, 3.0)]
OTHERS = [judged("other", margin) for margin in (-3.0, -1.0, 0.2, 1.5)]
NONSENSE = [
    judged("nonsense", NOTHING_FOUND, language="zh"),
    judged("nonsense", 0.1, language="en"),
]


def test_what_is_below_the_threshold_is_refused() -> None:
    row = compute_at_threshold([*OWN, *OTHERS, *NONSENSE], 0.0)
    assert (row["loss"], row["own_refused"], row["others_refused"]) == (0.0, 0.0, 0.5)
    assert (row["nonsense_refused"], row["nonsense_en"], row["nonsense_zh"]) == (0.5, 0.0, 1.0)
    row = compute_at_threshold([*OWN, *OTHERS, *NONSENSE], 0.6)
    assert (row["loss"], row["others_refused"], row["nonsense_refused"]) == (0.25, 0.75, 1.0)


def test_what_is_lost_is_recall_and_a_refused_question_counts_as_the_average() -> None:
    useless = judged("own", 0.1, recall=0.0)
    assert compute_recall_loss([*OWN, useless], 0.3) == 0.0
    refused = judged("own", -1.0, recall=None)
    assert compute_recall_loss([*OWN, refused], 0.0) == pytest.approx(0.2)


def test_the_highest_threshold_loses_no_more_than_it_may() -> None:
    assert find_highest_threshold(OWN, 0.0) == 0.5
    assert find_highest_threshold(OWN, 0.25) == 1.0
    assert find_highest_threshold([], 0.03) == 0.0


def test_each_conversation_is_judged_by_what_the_others_allow() -> None:
    strict = [judged("own", margin, "b", recall=1.0) for margin in (2.0, 2.5)]
    rows = compute_held_out([*OWN, *OTHERS, *strict])
    assert rows is not None
    # b's threshold of 2 would lose half of a; a's of .5 loses nothing of b.
    assert rows["loss"] == pytest.approx((0.5 + 0.0) / 2)
    assert compute_held_out(OWN) is None


def test_the_curve_rises_and_holds_where_the_gate_stands() -> None:
    curve = compute_gate_figures([*OWN, *OTHERS, *NONSENSE])["curve"]
    assert 0.0 in [row["threshold"] for row in curve]
    for name in ("loss", "others_refused", "nonsense_refused"):
        values = [row[name] for row in curve]
        assert values == sorted(values)


def test_nonsense_is_read_from_lines(tmp_path: Path) -> None:
    file = tmp_path / "nonsense.jsonl"
    file.write_text(json.dumps({"text": "blorf", "language": "en", "type": "gibberish"}) + "\n\n")
    assert read_nonsense(file) == [{"text": "blorf", "language": "en"}]
    file.write_text("{}")
    with pytest.raises(UnreadableData):
        read_nonsense(file)
