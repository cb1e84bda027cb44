"""Learning from a few dialogues: deterministic, and refused where there is nothing to learn from."""

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from palimpsest.bench.extraction import dialogues_of
from palimpsest.bench.extraction_dialogues import Dialogue
from palimpsest.bench.statement_fitting import NotFitted, bench, fitted
from palimpsest.bench.statement_samples import RIGHT, WRONG, author_of, samples_of
from palimpsest.providers.extraction.rules.weighing.weights import read_weights

pytestmark = pytest.mark.skipif(find_spec("sklearn") is None, reason="for fitting alone")

GOLDEN = Path("tests/golden/extraction")


@pytest.fixture(scope="module")
def few() -> list[Dialogue]:
    chinese, english = GOLDEN / "zh_open.jsonl", GOLDEN / "en_open.jsonl"
    return [*dialogues_of([chinese])[:12], *dialogues_of([english])[-10:]]


def test_samples_are_of_what_the_rules_propose_and_of_what_they_leave(few: list[Dialogue]) -> None:
    samples = list(samples_of(few, rounds=5, context_messages=6))
    assert {author_of(one) for one in few} == {"old", "b"} == {one.author for one in samples}
    assert any(RIGHT in one.verdicts for one in samples)
    assert any(set(one.verdicts) <= {WRONG, -1} for one in samples)
    assert not any(one.fully_labelled for one in samples if one.author == "old")


def test_of_the_same_samples_the_same_weights(few: list[Dialogue]) -> None:
    samples = list(samples_of(few, rounds=5, context_messages=6))
    first, second = fitted(samples), fitted(samples)
    assert np.array_equal(first.table, second.table)
    assert np.array_equal(first.constant, second.constant)


def test_it_tells_of_the_author_left_out_and_writes_the_weights(
    few: list[Dialogue], tmp_path: Path
) -> None:
    report = bench(few, tmp_path / "weights.npz", rounds=5, context_messages=6)
    assert [row["author"] for row in report.rows] == ["b", "b"]
    assert read_weights(tmp_path / "weights.npz").table.any()


def test_of_no_dialogues_nothing_is_learnt() -> None:
    with pytest.raises(NotFitted):
        fitted([])
