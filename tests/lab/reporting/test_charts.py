"""Curves become a picture, and who cannot draw is told before anything is measured."""

from pathlib import Path

import pytest
from typer.testing import CliRunner

from palimpsest_lab.cli.benchmarks import app
from palimpsest_lab.recall.bm25 import BenchmarkLibraryMissing
from palimpsest_lab.recall.gate import GateMeasurement, build_curve, compute_gate_figures
from palimpsest_lab.reporting import charts
from palimpsest_lab.reporting.charts import Diagram, draw_diagrams
from palimpsest_lab.speed.ingest import IngestMeasurement
from palimpsest_lab.speed.process_memory import ProcessMemorySamples

PNG = b"\x89PNG\r\n"


def test_diagrams_stand_side_by_side_in_one_picture(tmp_path: Path) -> None:
    diagram = Diagram(title="t", across="s", up="MiB", curves={"memory": [(0, 1.0), (2, 3.0)]})
    draw_diagrams([diagram, diagram], file := tmp_path / "new" / "curves.png")
    assert file.read_bytes().startswith(PNG)


def test_without_the_library_nothing_is_measured_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(charts, "find_spec", lambda _: None)
    asked = ["ingest", "--png", str(tmp_path / "curves.png")]
    refused = CliRunner().invoke(app, asked).exception
    assert isinstance(refused, BenchmarkLibraryMissing)
    assert "matplotlib" in str(refused)


def test_the_gates_curve_goes_from_the_least_lost_to_the_most() -> None:
    own = [GateMeasurement(user_id="u", sort="own", margin=n / 10, recall=1.0) for n in range(10)]
    other = [GateMeasurement(user_id="u", sort="other", margin=n / 20) for n in range(10)]
    curves = build_curve(compute_gate_figures([*own, *other])["curve"]).curves
    lost = [across for across, _ in curves["others' questions"]]
    assert lost == sorted(lost)
    assert len(set(lost)) > 1
    assert curves["nonsense"] == []


def test_what_waits_and_what_is_taken_have_their_seconds() -> None:
    measured = IngestMeasurement(
        ProcessMemorySamples(1, [{"a": 1.0}, {"a": 2.0, "b": 3.0}]), lag=[4, 5]
    )
    waits, takes = measured.diagrams()
    assert waits.curves == {"lag": [(0.0, 4), (2.0, 5)]}
    assert takes.curves == {"memory": [(0.0, 1.0), (2.0, 5.0)]}
