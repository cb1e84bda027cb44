"""Whether what is noticed of a stalled model is little enough, and how that is measured."""

from typing import Any

import pytest

from palimpsest_lab.speed import stalled_model


def found(p95: float, p50: float, p99: float, growth: float) -> dict[str, Any]:
    return {
        "acknowledged_ms": {"p95": p95},
        "freshness_ms": {"p50": p50, "p99": p99},
        "memory_mib": {"all": {"first": 500.0, "growth": growth}},
    }


@pytest.mark.parametrize(
    ("figures", "held"),
    [
        (found(20, 120, 400, 50), (True, True, True)),
        (found(20.1, 120, 400, -30), (False, True, True)),
        (found(5, 121, 200, 0), (True, False, True)),
        (found(5, 60, 401, 0), (True, False, True)),
        (found(5, 60, 200, 51), (True, True, False)),
    ],
)
def test_each_figure_has_its_bound(figures: dict[str, Any], held: tuple[bool, ...]) -> None:
    assert tuple(stalled_model.check_stalled_targets(figures).values()) == held


@pytest.mark.embedded
async def test_messages_go_on_while_windows_wait() -> None:
    report = await stalled_model.run_benchmark(windows=2, rate=5, seconds=2, embedder="hashing")
    figures = report.figures
    assert figures["windows_waiting"] == 2
    assert figures["acknowledged_ms"]["p50"] > 0
    assert figures["watched"] >= 1
    assert figures["memory_mib"]["all"]["first"] > 50
    assert set(figures["holds"]) == {"acknowledged", "fresh", "flat"}
