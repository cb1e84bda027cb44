"""A few simulated days through everything: the command, its figures, and nothing left behind."""

import json
import os
from pathlib import Path

import pytest

from palimpsest_lab.simulation import benchmark
from palimpsest_lab.simulation.year_generator import generate_users
from tests.support.forked_command import run_command


@pytest.mark.embedded
@pytest.mark.timeout(300)
async def test_some_days_are_lived_and_judged(tmp_path: Path) -> None:
    (temporary := tmp_path / "temporary").mkdir()
    file = tmp_path / "figures.json"
    code, output = await run_command(
        [
            *("simulate", "--seed", "3", "--days", "4", "--users", "3"),
            *("--messages", "40", "--embedder", "hashing", "--json", str(file)),
        ],
        {**os.environ, "TMPDIR": str(temporary)},
    )
    assert code == 0, output
    assert "Measured on" in output
    found = json.loads(file.read_text())
    assert found["current_accuracy"] == found["as_of_accuracy"] == 1.0
    assert found["wrongly_retired"] == found["near_duplicates"] == 0.0
    assert found["exact_duplicates"] == found["quota_overruns"] == 0
    assert found["active_memories"] > 5
    assert found["plain"]["current_by_sort"]["single"]["asked"] > 0
    assert found["messages"] == 40
    assert found["machine"]["cores"] >= 1
    assert list(temporary.iterdir()) == []


def test_the_past_is_asked_about_at_the_same_moments_each_time() -> None:
    (ann, ben) = generate_users(2)
    moments = benchmark.choose_past_moments(ann, seed=1, days=30)
    assert moments == benchmark.choose_past_moments(ann, seed=1, days=30)
    assert moments != benchmark.choose_past_moments(ben, seed=1, days=30)
    assert len(moments) == benchmark.PAST_MOMENTS_PER_USER
    assert moments == sorted(moments)
