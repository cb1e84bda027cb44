"""Events of every kind travel sealed, are opened as they were, and are nobody else's."""

from pathlib import Path
from typing import Any

import pytest
from pydantic_core import from_json, to_json

from palimpsest.contracts.envelope import Event
from palimpsest.contracts.topics import CHANGES, CONVERSATIONS, TOPICS, Topic
from palimpsest.delivery.decoding import decode
from palimpsest.delivery.sealing import EventSealing
from palimpsest.domain.errors import InvalidEvent
from palimpsest.stores.master_keys import MasterKeys
from palimpsest.stores.mongo import MongoDatabase

pytestmark = pytest.mark.embedded

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def sealing(database: MongoDatabase, mongodb_url: str) -> EventSealing:
    held = MongoDatabase(mongodb_url, database._database.name, masters=MasterKeys(bytes(range(32))))
    assert held.sealing is not None
    return EventSealing(held.sealing)


def golden(topic: Topic, model: type[Event]) -> Event:
    return decode(topic, (GOLDEN / f"{model.__name__}.{model.SCHEMA_VERSION}.json").read_bytes())


def words(value: Any) -> set[str]:
    """All texts of an event with a blank or a Chinese character in them: ids have none."""
    if isinstance(value, dict):
        return set().union(*map(words, value.values()))
    if isinstance(value, list):
        return set().union(*map(words, value))
    return {value} if isinstance(value, str) and (" " in value) else set()


async def test_events_of_every_kind_are_opened_as_they_were(sealing: EventSealing) -> None:
    for topic in TOPICS:
        for model in topic.models:
            event = golden(topic, model)
            value = await sealing.sealed(event)
            assert decode(topic, await sealing.opened(value)) == event, model
            # Who has no key can still tell what happened.
            without = decode(topic, value)
            assert (type(without), without.event_id) == (model, event.event_id)


async def test_what_changes_say_is_not_to_be_read(sealing: EventSealing) -> None:
    event = golden(CHANGES, CHANGES.models[0])
    said = words(event.model_dump(mode="json"))
    assert said
    value = (await sealing.sealed(event)).decode()
    assert [text for text in said if text in value] == []


async def test_what_was_sealed_for_one_user_is_opened_for_nobody_else(
    sealing: EventSealing,
) -> None:
    message = next(model for model in CONVERSATIONS.models if model.__name__ == "MessageAdded")
    value = await sealing.sealed(golden(CONVERSATIONS, message))
    stolen = to_json({**from_json(value), "user_id": "mallory"})
    with pytest.raises(InvalidEvent, match="another user"):
        await sealing.opened(stolen)


@pytest.mark.parametrize(
    "value",
    [None, b"", b"no json", b'{"text":"AHNlYWxlZAF0"}', b'["sealed":true]', b'{"sealed":true}'],
)
async def test_what_never_was_sealed_is_as_it_was(
    sealing: EventSealing, value: bytes | None
) -> None:
    assert await sealing.opened(value) in (value, b"{}")
