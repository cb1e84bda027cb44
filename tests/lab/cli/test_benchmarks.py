"""The command line refuses what it cannot read before it starts anything."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from palimpsest_lab.cli.benchmarks import app
from palimpsest_lab.datasets.locomo import UnreadableData


def test_data_of_another_kind_is_refused_with_words(tmp_path: Path) -> None:
    (file := tmp_path / "other.json").write_text("[]x")
    result = CliRunner().invoke(app, ["recall", "--data", str(file)])
    assert isinstance(result.exception, UnreadableData)
    assert "other.json" in str(result.exception)


@pytest.mark.parametrize(
    "arguments",
    [
        ["recall"],
        ["recall", "--data", "x.json", "--limit", "0"],
        ["freshness", "--rate", "0"],
        ["latency", "--runs", "0"],
        ["speed"],
    ],
)
def test_wrong_arguments_are_refused(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2
