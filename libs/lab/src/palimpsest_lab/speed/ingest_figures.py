"""Figures of `bench ingest`: whether it keeps up, and where the time goes. Pure."""

from collections.abc import Mapping
from typing import Any

from prometheus_client.parser import text_string_to_metric_families

MEMORIES_WANTED = 0.3
"""Of each message."""
FRESHNESS_P99_MS = 1_000.0
GROWTH_PERCENT = 10.0
LAG_SECONDS = 1.0
"""A backlog that does not grow by more than the messages of this long is flat."""

_DECIDED = "palimpsest_consolidator_decisions_total"
_ADDING = frozenset({"added", "superseded"})
"""Decisions by which there is a memory more."""

ADDED = "memories"
_STEP = "_step_duration_seconds_sum"
_BATCH = "palimpsest_stage_batch_duration_seconds_sum"


def parse_step_seconds(page: str) -> dict[str, float]:
    """Parse a page of metrics: seconds by service and step, and added memories."""
    found: dict[str, float] = {}
    for family in text_string_to_metric_families(page):
        for sample in family.samples:
            if sample.name.startswith("palimpsest_") and sample.name.endswith(_STEP):
                service = sample.name.removeprefix("palimpsest_").removesuffix(_STEP)
                found[f"{service}: {sample.labels['step']}"] = sample.value
            elif sample.name == _BATCH:
                name = f"{sample.labels['stage']}: batches of {sample.labels['topic']}"
                found[name] = found.get(name, 0.0) + sample.value
            elif sample.name == _DECIDED and sample.labels["outcome"] in _ADDING:
                found[ADDED] = found.get(ADDED, 0.0) + sample.value
    return found


def build_rows(figures: Mapping[str, Any], held: Mapping[str, bool]) -> list[dict[str, Any]]:
    fresh, lag, memory = (
        figures["freshness_ms"],
        figures["lag_records"],
        figures["memory_mib"]["all"],
    )
    said = {
        "messages/s": (figures["messages_per_second"], held["rate"]),
        "characters a message": (figures["characters_per_message"], None),
        "memories a message": (figures["memories_per_message"], held["memories"]),
        "freshness p50, ms": (fresh.get("p50"), None),
        "freshness p99, ms": (fresh.get("p99"), held["fresh"]),
        "lag at first, records": (lag.get("first"), None),
        "lag at last": (lag.get("last"), held["lag"]),
        "memory at first, MiB": (memory.get("first"), None),
        "memory at last": (memory.get("last"), held["memory"]),
    }
    return [{"what": what, "value": value, "holds": held} for what, (value, held) in said.items()]


def check_ingest_targets(figures: Mapping[str, Any], rate: float) -> dict[str, bool]:
    """Return whether each figure is within its target."""
    lag, memory = figures["lag_records"], figures["memory_mib"]["all"]
    fresh = figures["freshness_ms"]
    return {
        "rate": figures["messages_per_second"] >= rate * 0.98,
        "memories": figures["memories_per_message"] >= MEMORIES_WANTED,
        "fresh": bool(fresh) and fresh["p99"] <= FRESHNESS_P99_MS,
        "lag": bool(lag) and lag["growth"] <= rate * LAG_SECONDS,
        "memory": bool(memory) and memory["growth"] <= memory["first"] * GROWTH_PERCENT / 100,
    }
