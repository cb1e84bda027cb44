"""Events of every kind travel sealed, are opened as they were, and are nobody else's."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from pydantic_core import from_json, to_json

from palimpsest.events.envelope import Event
from palimpsest.events.topics import CHANGES, CONVERSATIONS, TOPICS, Topic
from palimpsest.model.clock import system_clock
from palimpsest.model.errors import InvalidEvent, RecordNotFound, TransientError
from palimpsest_language.redaction.redactor import redact
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.dead_letter_queue import DeadLetterQueue
from palimpsest_server.delivery.dead_letter_replay import replay_dead_letters
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.delivery.event_encryption import EventEncryption
from palimpsest_server.delivery.kafka_publisher import KafkaPublisher
from palimpsest_server.delivery.kafka_records import EventRecord
from palimpsest_server.delivery.stage import EventRejection, TopicStage
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.stores.dead_letters import InMemoryDeadLetters
from palimpsest_server.stores.encryption.master_keys import MasterKeys
from palimpsest_server.stores.mongo.database import MongoDatabase
from tests.support.server.delivery.failing_publisher import FailingPublisher
from tests.support.server.delivery.stand import said

pytestmark = pytest.mark.embedded

SECRET = "ghp_" + "a1B2" * 9
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def sealing(database: MongoDatabase, mongodb_url: str) -> EventEncryption:
    held = MongoDatabase(mongodb_url, database._database.name, masters=MasterKeys(bytes(range(32))))
    assert held.sealing is not None
    return EventEncryption(held.sealing)


def golden(topic: Topic, model: type[Event]) -> Event:
    written_type = model.model_fields["type"].default
    return decode_event(
        topic, (GOLDEN / f"{written_type}.{model.SCHEMA_VERSION}.json").read_bytes()
    )


def words(value: Any) -> set[str]:
    """All texts of an event with a blank or a Chinese character in them: ids have none."""
    if isinstance(value, dict):
        return set().union(*map(words, value.values()))
    if isinstance(value, list):
        return set().union(*map(words, value))
    return {value} if isinstance(value, str) and (" " in value) else set()


async def test_events_of_every_kind_are_opened_as_they_were(sealing: EventEncryption) -> None:
    for topic in TOPICS:
        for model in topic.models:
            event = golden(topic, model)
            value = await sealing.sealed(event)
            assert decode_event(topic, await sealing.opened(value)) == event, model
            # Who has no key can still tell what happened.
            without = decode_event(topic, value)
            assert (type(without), without.event_id) == (model, event.event_id)


async def test_what_changes_say_is_not_to_be_read(sealing: EventEncryption) -> None:
    event = golden(CHANGES, CHANGES.models[0])
    said = words(event.model_dump(mode="json"))
    assert said
    value = (await sealing.sealed(event)).decode()
    assert [text for text in said if text in value] == []


async def test_what_was_sealed_for_one_user_is_opened_for_nobody_else(
    sealing: EventEncryption,
) -> None:
    message = next(model for model in CONVERSATIONS.models if model.__name__ == "MessageAdded")
    value = await sealing.sealed(golden(CONVERSATIONS, message))
    stolen = to_json({**from_json(value), "user_id": "mallory"})
    with pytest.raises(InvalidEvent, match="another user"):
        await sealing.opened(stolen)


class Again(KafkaPublisher):
    """What is published again, and how."""

    def __init__(self, sealing: EventEncryption) -> None:
        self._sealing = sealing
        self.values: list[bytes] = []

    async def publish_record(self, *_: Any, value: bytes, **__: Any) -> None:
        self.values.append(value)


async def test_a_dead_letter_says_what_was_said_and_is_sealed_again_for_a_replay(
    sealing: EventEncryption,
) -> None:
    """Else no secret would be found in it, no topic, and a replay could not be opened."""

    async def refused(events: Sequence[Event]) -> Sequence[EventRejection]:
        return [EventRejection(event, RecordNotFound("nothing there")) for event in events]

    event, secret = said("ann", 1, "the treasure"), said("ann", 2, f"my key is {SECRET}")
    values = [await sealing.sealed(message_added) for message_added in (event, secret)]
    strange = to_json({**from_json(values[0]), "type": "NoSuchThing"})
    letters, metrics = InMemoryDeadLetters(), StageMetrics(CollectorRegistry(), "ingest")
    dead_letter_queue = DeadLetterQueue(
        stage="ingest",
        store=letters,
        publisher=FailingPublisher(),
        redact=lambda text: redact(text).text,
        metrics=metrics,
        clock=system_clock,
    )
    stage = TopicStage(
        CONVERSATIONS,
        refused,
        dead_letter_queue=dead_letter_queue,
        metrics=metrics,
        clock=system_clock,
        patience_seconds=5,
        sealing=sealing,
    )
    await stage.take([EventRecord(key=b"ann", value=value) for value in (*values, strange)])
    kept = {letter.event_type: letter.body for letter in await letters.list()}
    assert kept.keys() == {"MessageAdded", "NoSuchThing"}
    bodies = [letter.body for letter in await letters.list()]
    assert sum("the treasure" in body for body in bodies) == 2
    assert not any(SECRET in body or "AHNlYWxlZ" in body for body in bodies)

    publisher = Again(sealing)
    report = await replay_dead_letters(letters, publisher, clock=system_clock)
    assert len(report.replayed) == 3
    assert not any(b"treasure" in value for value in publisher.values)
    opened = [await sealing.opened(value) for value in publisher.values]
    texts = [from_json(value or b"")["text"] for value in opened]
    assert sorted(texts)[1:] == ["the treasure"] * 2
    # What was kept before letters were opened is as it was.
    assert await sealing.sealed_again(values[0]) == values[0]


async def test_what_is_given_up_twice_is_one_letter(sealing: EventEncryption) -> None:
    letters = InMemoryDeadLetters()
    given_up = Bus(
        "extractor",
        settings=KafkaSettings(bootstrap_servers="127.0.0.1:1"),
        dead_letters=letters,
        registry=CollectorRegistry(),
        clock=system_clock,
        redact=lambda text: text,
        sealing=sealing,
    )
    for _ in range(2):
        # There is no Kafka to tell of it, so it is done again.
        with pytest.raises(TransientError):
            await given_up.dead_letter(
                CONVERSATIONS, said("ann", 1), RecordNotFound("nothing there")
            )
    (letter,) = await letters.list()
    assert from_json(letter.body)["text"] == said("ann", 1).text


@pytest.mark.parametrize(
    "value",
    [None, b"", b"no json", b'{"text":"AHNlYWxlZAF0"}', b'["sealed":true]', b'{"sealed":true}'],
)
async def test_what_never_was_sealed_is_as_it_was(
    sealing: EventEncryption, value: bytes | None
) -> None:
    assert await sealing.opened(value) in (value, b"{}")
