"""Every event of every major as it was once written: read for ever, and written the same today.

A field that is added appears in what is written and not in the old file; that
is allowed. A field that changes its name, its meaning or its form breaks these.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from palimpsest.events.commands import CommandEvent
from palimpsest.events.envelope import Event
from palimpsest.events.topics import TOPICS, Topic
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.delivery.kafka_publisher import encode_event

GOLDEN = Path(__file__).parent / "golden"

EVENTS = [
    (topic, model, major)
    for topic in TOPICS
    for model in topic.models
    for major in range(1, model.SCHEMA_VERSION + 1)
]


def contains(written: Any, golden: Any) -> bool:
    """Whether all that is golden is written, at every depth; more may be."""
    if isinstance(golden, dict):
        return isinstance(written, dict) and all(
            name in written and contains(written[name], value) for name, value in golden.items()
        )
    if isinstance(golden, list):
        return len(written) == len(golden) and all(map(contains, written, golden))
    return bool(written == golden)


@pytest.mark.parametrize(
    ("topic", "model", "major"),
    EVENTS,
    ids=[f"{topic.name}-{model.__name__}-{major}" for topic, model, major in EVENTS],
)
def test_an_event_of_every_major_is_read_and_the_current_one_written_the_same(
    topic: Topic, model: type[Event], major: int
) -> None:
    golden = (GOLDEN / f"{_wire_type(model)}.{major}.json").read_bytes()
    event = decode_event(topic, golden)
    assert type(event) is model
    written = json.loads(encode_event(event))
    if major == model.SCHEMA_VERSION:
        assert contains(written, json.loads(golden))
    assert decode_event(topic, encode_event(event)) == event


ALIASED = [
    (topic, model, alias)
    for topic in TOPICS
    for model in topic.models
    if issubclass(model, CommandEvent)
    for alias in model.ALIASES
]


@pytest.mark.parametrize(
    ("topic", "model", "alias"),
    ALIASED,
    ids=[f"{topic.name}-{alias}" for topic, _, alias in ALIASED],
)
def test_an_event_under_an_alias_is_read_and_written_under_its_own_name(
    topic: Topic, model: type[Event], alias: str
) -> None:
    golden = (GOLDEN / f"{alias}.1.json").read_bytes()
    event = decode_event(topic, golden)
    assert type(event) is model
    assert event.type == _wire_type(model)
    present = {**json.loads(golden), "type": _wire_type(model)}
    assert contains(json.loads(encode_event(event)), present)


def test_no_golden_file_is_left_of_an_event_that_is_gone() -> None:
    known = {f"{_wire_type(model)}.{major}" for _, model, major in EVENTS}
    known |= {f"{alias}.1" for _, _, alias in ALIASED}
    assert {path.stem for path in GOLDEN.glob("*.json")} == known


def _wire_type(model: type[Event]) -> str:
    return str(model.model_fields["type"].default)
