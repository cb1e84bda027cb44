"""What a bus promises of what it cannot handle, held against every Kafka there is."""

import asyncio
import json
from collections.abc import Sequence

from palimpsest.events.announcements import DeadLetterAnnounced
from palimpsest.events.envelope import Event
from palimpsest.events.topics import CONVERSATIONS, DEAD_LETTERS
from palimpsest.model.clock import system_clock
from palimpsest.model.errors import PermanentError, RecordNotFound
from palimpsest_server.delivery.dead_letter_replay import replay_dead_letters
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.delivery.kafka_publisher import encode_event
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.dead_letters import DeadLetterState
from tests.support.server.delivery.stand import PATIENCE_SECONDS, Heard, Stand, said


class SettingAsideContract:
    async def test_poison_is_set_aside_alone_and_the_rest_goes_on_in_order(
        self, stand: Stand
    ) -> None:
        heard = Heard()

        async def handle(events: Sequence[Event]) -> Sequence[EventRejection]:
            for event in events:
                if event.event_id == "u-11":
                    raise ZeroDivisionError("a bug, quoting a secret")
                if event.event_id == "u-17":
                    raise PermanentError("it can't be done")
            await heard(events)
            return [
                EventRejection(event, RecordNotFound("nothing there"))
                for event in events
                if event.event_id == "u-23"
            ]

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said("u", number) for number in range(30)])
        letters = await stand.letters.until(3)
        await heard.until(28)
        assert heard.ids == [f"u-{number}" for number in range(30) if number not in (11, 17)]
        assert [(letter.event_id, letter.reason) for letter in letters] == [
            ("u-11", "unexpected"),
            ("u-17", "permanent"),
            ("u-23", "not_found"),
        ]
        assert letters[0].message.startswith("ZeroDivisionError at stage.py:")
        assert all(
            letter.stage == "ingest" and letter.topic == "conversations" for letter in letters
        )
        announced = [
            decode_event(DEAD_LETTERS, record.value) for record in await stand.read(DEAD_LETTERS, 3)
        ]
        assert all(isinstance(event, DeadLetterAnnounced) for event in announced)
        assert not any(b"morning" in encode_event(event) for event in announced)

    async def test_bad_bytes_are_set_aside_with_the_reason_and_the_service_goes_on(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        bus = await stand.consuming(heard)
        secret = "password: hunter2hunter2"
        fields = json.loads(encode_event(said("u", 1, secret)))
        await stand.send(
            CONVERSATIONS,
            b'{"type": "MessageAdded", "text": "password: hunter2hunter2',
            json.dumps(fields | {"type": "NoSuchThing"}).encode(),
            json.dumps(fields | {"schema_version": 2}).encode(),
            json.dumps(fields | {"session_id": "a\u0007b"}).encode(),
            json.dumps(fields | {"user_id": "x" * 257}).encode(),
            json.dumps(fields | {"text": "  "}).encode(),
            json.dumps(fields | {"text": "好" * 30_000}).encode(),
            json.dumps(fields | {"occurred_at": "2026-03-02T12:00:00"}).encode(),
            b"\xff\xfe\x00",
        )
        await stand.send(CONVERSATIONS, encode_event(said("u", 2)), event_type="\u0007")
        await heard.until(1)
        letters = await stand.letters.until(9)
        assert [letter.reason for letter in letters] == [
            "undecodable",
            "unknown_type",
            "unknown_major",
            "invalid_event",
            "invalid_event",
            "invalid_event",
            "too_large",
            "invalid_event",
            "undecodable",
        ]
        assert "occurred_at" in letters[7].message
        assert not any("hunter2" in letter.body for letter in letters)
        assert [letter.replayable for letter in letters].count(False) == 3
        await bus.check()

    async def test_nothing_is_committed_while_the_dead_letter_is_not_kept(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        stand.letters.away = True
        await stand.consuming(heard)
        await stand.send(CONVERSATIONS, b"no json", encode_event(said("u", 1)))
        await asyncio.wait_for(stand.letters.refused.wait(), PATIENCE_SECONDS)
        assert await stand.committed(CONVERSATIONS) == 0
        stand.letters.away = False
        await heard.until(1)
        assert len(await stand.letters.until(1)) == 1

    async def test_a_dead_letter_is_replayed_to_its_topic_and_handled(self, stand: Stand) -> None:
        heard = Heard()
        broken = True

        async def handle(events: Sequence[Event]) -> Sequence[EventRejection]:
            if broken:
                raise PermanentError("not yet understood")
            return await heard(events)

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said("u", 1), said("u", 2)])
        letters = await stand.letters.until(2)
        rehearsed = await replay_dead_letters(
            stand.letters, bus.publisher, clock=system_clock, dry_run=True
        )
        assert [letter.id for letter in rehearsed.replayed] == [letter.id for letter in letters]
        broken = False
        await replay_dead_letters(stand.letters, bus.publisher, clock=system_clock)
        await heard.until(2)
        assert heard.ids == ["u-1", "u-2"]
        assert len(await stand.letters.list(state=DeadLetterState.REPLAYED)) == 2
