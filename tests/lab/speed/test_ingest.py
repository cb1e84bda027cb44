"""What `bench ingest` says, and makes of what it saw."""

from itertools import islice
from statistics import fmean
from typing import Any

import pytest

from palimpsest_lab.speed.ingest import IngestMeasurement
from palimpsest_lab.speed.ingest_figures import (
    ADDED,
    build_rows,
    check_ingest_targets,
    parse_step_seconds,
)
from palimpsest_lab.speed.ingest_messages import generate_messages
from palimpsest_lab.speed.process_memory import ProcessMemorySamples

PAGE = """
# TYPE palimpsest_consolidator_step_duration_seconds histogram
palimpsest_consolidator_step_duration_seconds_sum{step="decide"} 1.5
palimpsest_consolidator_step_duration_seconds_count{step="decide"} 3.0
# TYPE palimpsest_stage_batch_duration_seconds histogram
palimpsest_stage_batch_duration_seconds_sum{stage="ingest",topic="conversations"} 2.25
# TYPE palimpsest_consolidator_decisions counter
palimpsest_consolidator_decisions_total{outcome="added"} 7.0
palimpsest_consolidator_decisions_total{outcome="superseded"} 2.0
palimpsest_consolidator_decisions_total{outcome="duplicate"} 5.0
"""


def test_seconds_and_memories_are_read_off_the_metrics() -> None:
    assert parse_step_seconds(PAGE) == {
        "consolidator: decide": 1.5,
        "ingest: batches of conversations": 2.25,
        ADDED: 9.0,
    }


def test_messages_are_as_long_as_people_write_and_many_say_something() -> None:
    said = list(islice(generate_messages(seed=7), 500))
    assert 110 <= fmean(len(statement.text) for statement in said) <= 145
    assert len({statement.mark for statement in said}) == 500
    assert all(statement.mark in statement.text for statement in said)
    saying = sum(statement.text.startswith(("I ", "My ", "我最")) for statement in said)
    assert 150 <= saying <= 250


GOOD: dict[str, Any] = {
    "messages_per_second": 199.0,
    "characters_per_message": 126.0,
    "memories_per_message": 0.34,
    "freshness_ms": {"p50": 80.0, "p95": 200.0, "p99": 400.0},
    "lag_records": {"first": 20.0, "last": 30.0, "most": 90.0, "growth": 10.0},
    "memory_mib": {"all": {"first": 800.0, "last": 850.0, "most": 900.0, "growth": 50.0}},
}


@pytest.mark.parametrize(
    ("change", "broken"),
    [
        ({}, None),
        ({"messages_per_second": 190.0}, "rate"),
        ({"memories_per_message": 0.29}, "memories"),
        ({"freshness_ms": {"p50": 80.0, "p95": 900.0, "p99": 1001.0}}, "fresh"),
        ({"freshness_ms": {}}, "fresh"),
        ({"lag_records": {"first": 20.0, "last": 260.0, "growth": 240.0}}, "lag"),
        ({"memory_mib": {"all": {"first": 800.0, "last": 890.0, "growth": 90.0}}}, "memory"),
    ],
)
def test_what_is_wanted_is_held_against_what_was_seen(
    change: dict[str, Any], broken: str | None
) -> None:
    held = check_ingest_targets({**GOOD, **change}, rate=200)
    assert {name for name, holds in held.items() if not holds} == ({broken} if broken else set())
    assert len(build_rows({**GOOD, **change}, held)) == 9


def test_steps_are_told_as_shares_of_the_time_the_longest_first() -> None:
    measured = IngestMeasurement(
        ProcessMemorySamples(root=1), seconds=10.0, published=100, characters=12_600
    )
    measured.steps, measured.memories = {"a: short": 1.0, "b: long": 4.0}, 33.0
    figures = measured.figures()
    assert list(figures["busy_share_of_steps"].items()) == [("b: long", 0.4), ("a: short", 0.1)]
    assert figures["memories_per_message"] == 0.33
    assert figures["messages_per_second"] == 10.0
