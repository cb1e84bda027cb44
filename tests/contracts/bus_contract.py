"""What a bus promises, held against every Kafka there is: embedded here, Apache's in `tests/stack`."""

import asyncio
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from palimpsest.api.recall import RecallResponse
from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.envelope import Event
from palimpsest.events.recall_exchange import RecallReplied
from palimpsest.events.topics import CHANGES, CONVERSATIONS, RECALL_REQUESTS, REPLIES
from palimpsest.model.errors import TransientError
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.event_decoder import decode_event
from palimpsest_server.delivery.kafka_connection import LARGEST_RECORD_BYTES
from palimpsest_server.delivery.kafka_publisher import encode_event
from palimpsest_server.delivery.recall_responder import RecallReplyEvent, RecallRequestEvent
from palimpsest_server.delivery.stage import EventRejection
from tests.contracts.setting_aside_contract import SettingAsideContract
from tests.support.server.delivery.stand import (
    NOON,
    PATIENCE_SECONDS,
    Heard,
    Stand,
    asking,
    change,
    said,
)


class BusContract(SettingAsideContract):
    async def test_everything_said_is_handled_in_the_order_each_user_said_it(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        bus = await stand.consuming(heard)
        events = [said(f"user-{number % 7}", number) for number in range(700)]
        for start in range(0, 700, 100):
            await bus.publisher.publish(CONVERSATIONS, events[start : start + 100])
        await heard.until(700)
        by_user = defaultdict(list)
        for event_id in heard.ids:
            user, _, number = event_id.rpartition("-")
            by_user[user].append(int(number))
        assert all(numbers == sorted(numbers) for numbers in by_user.values())
        assert len(by_user) == 7

    async def test_a_transient_failure_is_waited_out_and_nothing_is_lost_or_overtaken(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        calls: list[int] = []

        async def handle(events: Sequence[Event]) -> Sequence[EventRejection]:
            calls.append(len(events))
            if len(calls) <= 3:
                raise TransientError("MongoDB elects a leader")
            return await heard(events)

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said("u", number) for number in range(20)])
        await heard.until(20)
        assert heard.ids == [f"u-{number}" for number in range(20)]
        assert calls[0] == calls[1] == calls[2] == calls[3]
        assert await stand.letters.list() == []

    async def test_a_process_killed_between_handling_and_commit_is_given_the_batch_again(
        self, stand: Stand, tmp_path: Path
    ) -> None:
        publishing = stand.bus("chat")
        await publishing.start()
        await publishing.publisher.publish(CONVERSATIONS, [said("u", n) for n in range(10)])
        handled = tmp_path / "handled"
        killed = await asyncio.to_thread(
            subprocess.run,
            [sys.executable, "-m", "tests.support.server.delivery.dying_consumer", str(handled)],
            input=_as_json(stand.settings),
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        assert killed.returncode == -9
        assert handled.read_text().split() == [f"u-{number}" for number in range(10)]
        heard = Heard()
        await stand.consuming(heard)
        await heard.until(10)
        assert heard.ids == [f"u-{number}" for number in range(10)]

    async def test_requests_over_kafka_are_answered_where_they_ask_errors_included(
        self, stand: Stand
    ) -> None:
        async def answer(request: RecallRequestEvent, _: str | None) -> RecallReplyEvent:
            if request.request.query == "broken":
                raise ZeroDivisionError
            if request.request.query == "away":
                raise TransientError("Qdrant is away")
            too_much = request.request.query == "all of it"
            return RecallReplied(
                event_id=request.event_id,
                occurred_at=NOON,
                user_id=request.user_id,
                response=RecallResponse(
                    recall_id="r" * (2 * LARGEST_RECORD_BYTES if too_much else 1),
                    results=(),
                    took_ms=1,
                ),
            )

        bus = stand.bus("recall")
        bus.answer(answer)
        await bus.start()
        partition = 2

        async def ask(number: int, value: bytes) -> None:
            await stand.send(
                RECALL_REQUESTS, value, correlation_id=f"c{number}", reply_partition=str(partition)
            )

        await ask(1, encode_event(asking("fine")))
        await ask(2, encode_event(asking("broken")))
        await ask(3, encode_event(asking("away")))
        await ask(4, encode_event(asking("fine", deadline=NOON)))
        await ask(5, encode_event(asking("fine")).replace(b'"query":"fine"', b'"query":""'))
        await stand.send(RECALL_REQUESTS, encode_event(asking("fine")), correlation_id="nowhere")
        await ask(6, encode_event(asking("fine")))
        await ask(7, encode_event(asking("all of it")))
        replies = {}
        for record in await stand.read(REPLIES, 6):
            assert record.partition == partition
            headers = dict(record.headers)
            replies[headers["correlation-id"].decode()] = decode_event(REPLIES, record.value)
        assert sorted(replies) == ["c1", "c2", "c3", "c5", "c6", "c7"]
        outcomes = {}
        for correlation, reply in replies.items():
            assert isinstance(reply, RecallReplied)
            outcomes[correlation] = reply.error.status if reply.error else 200
        assert outcomes == {"c1": 200, "c2": 500, "c3": 503, "c5": 422, "c6": 200, "c7": 422}
        late = stand.registry.get_sample_value(
            "palimpsest_stage_replies_total", {"stage": "recall", "outcome": "deadline_passed"}
        )
        assert late == 1

    async def test_the_feed_of_changes_begins_where_start_returned_and_misses_nothing(
        self, stand: Stand
    ) -> None:
        writer = stand.bus("consolidator")
        await writer.start()
        await writer.publisher.publish(CHANGES, [change("before", "u1"), change("before", "u2")])
        seen: list[str] = []
        enough = asyncio.Event()

        async def failing(_event: ChangeSetAnnounced) -> None:
            raise RuntimeError("one listener's trouble")

        async def listening(event: ChangeSetAnnounced) -> None:
            seen.append(event.event_id)
            if len(seen) == 30:
                enough.set()

        readers = [stand.bus(f"reader-{number}") for number in range(2)]
        for reader in readers:
            reader.changes.listen(failing)
        readers[0].changes.listen(listening)
        await asyncio.gather(*(reader.start() for reader in readers))
        changes = [change(f"after-{number}", f"user-{number}") for number in range(30)]
        await writer.publisher.publish(CHANGES, changes)
        await asyncio.wait_for(enough.wait(), PATIENCE_SECONDS)
        assert sorted(seen) == sorted(event.event_id for event in changes)
        await readers[0].check()

    async def test_a_second_member_takes_over_half_and_what_waits_in_place_is_dropped_at_once(
        self, stand: Stand
    ) -> None:
        heard = Heard()
        away = True
        tried = asyncio.Event()

        async def handle(events: Sequence[Event]) -> Sequence[EventRejection]:
            tried.set()
            if away:
                raise TransientError("away", retry_after_seconds=15)
            return await heard(events)

        bus = await stand.consuming(handle)
        await bus.publisher.publish(CONVERSATIONS, [said(f"u{n % 9}", n) for n in range(90)])
        await asyncio.wait_for(tried.wait(), PATIENCE_SECONDS)
        away = False
        loop = asyncio.get_running_loop()
        started = loop.time()
        await stand.consuming(heard)
        await heard.until(90)
        assert loop.time() - started < 12, "the wait of 15 s was not ended by the rebalance"
        assert sorted(heard.ids) == sorted(f"u{n % 9}-{n}" for n in range(90))


def _as_json(settings: KafkaSettings) -> str:
    return json.dumps({name: each for name, each in vars(settings).items() if name != "security"})
