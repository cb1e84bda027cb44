"""Learning from a few dialogues: deterministic, and refused where there is nothing to learn from."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from palimpsest_lab.extraction.benchmark import read_all_dialogues
from palimpsest_lab.extraction.golden_dialogues import GoldenDialogue
from palimpsest_lab.fitting.statement_samples import (
    RIGHT,
    WRONG,
    StatementSample,
    collect_statement_samples,
    get_author,
)
from palimpsest_lab.fitting.statement_weights import (
    FittingNotPossible,
    fit_statement_weights,
    run_benchmark,
)
from palimpsest_language.scoring.weights import read_weights

pytestmark = pytest.mark.skipif(find_spec("sklearn") is None, reason="for fitting alone")

GOLDEN = Path("tests/golden/extraction")


@pytest.fixture(scope="module")
def few() -> list[GoldenDialogue]:
    chinese, english = GOLDEN / "zh_open.jsonl", GOLDEN / "en_open.jsonl"
    return [*read_all_dialogues([chinese])[:12], *read_all_dialogues([english])[-10:]]


@pytest.fixture(scope="module")
def samples(few: list[GoldenDialogue]) -> list[StatementSample]:
    return list(collect_statement_samples(few, rounds=5, context_messages=6))


def test_samples_are_of_what_the_rules_propose_and_of_what_they_leave(
    few: list[GoldenDialogue], samples: list[StatementSample]
) -> None:
    assert (
        {get_author(golden_dialogue) for golden_dialogue in few}
        == {"old", "b"}
        == {sample.author for sample in samples}
    )
    assert any(RIGHT in sample.verdicts for sample in samples)
    assert any(set(sample.verdicts) <= {WRONG, -1} for sample in samples)
    assert not any(sample.fully_labelled for sample in samples if sample.author == "old")


def test_of_the_same_samples_the_same_weights(samples: list[StatementSample]) -> None:
    first, second = fit_statement_weights(samples), fit_statement_weights(samples)
    assert np.array_equal(first.table, second.table)
    assert np.array_equal(first.constant, second.constant)


def test_it_tells_of_the_author_left_out_and_writes_the_weights(
    few: list[GoldenDialogue], tmp_path: Path
) -> None:
    report = run_benchmark(few, tmp_path / "weights.npz", rounds=5, context_messages=6)
    assert [row["author"] for row in report.rows] == ["b", "b"]
    assert read_weights(tmp_path / "weights.npz").table.any()


def test_of_no_dialogues_nothing_is_learnt() -> None:
    with pytest.raises(FittingNotPossible):
        fit_statement_weights([])
