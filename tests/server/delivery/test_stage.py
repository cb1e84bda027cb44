"""The decisions of a stage, without Kafka: what it hands over, waits for, sets aside, gives back."""

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import pytest
from prometheus_client import CollectorRegistry
from pymongo.errors import OperationFailure

from palimpsest.events.envelope import Event
from palimpsest.events.topics import CONVERSATIONS, DEAD_LETTERS
from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_server.delivery.backoff import Backoff
from palimpsest_server.delivery.dead_letter_queue import DeadLetterQueue, redact_everything
from palimpsest_server.delivery.in_flight_batch import BatchDropped
from palimpsest_server.delivery.kafka_publisher import encode_event
from palimpsest_server.delivery.kafka_records import EventRecord
from palimpsest_server.delivery.stage import BatchHandler, EventRejection, TopicStage
from palimpsest_server.delivery.stage_metrics import StageMetrics
from palimpsest_server.stores.cooperative_iteration import MAX_UNINTERRUPTED_SECONDS
from palimpsest_server.stores.dead_letters import DeadLetter, InMemoryDeadLetters
from tests.support.server.delivery.failing_publisher import FailingPublisher
from tests.support.server.delivery.stand import NOON, said


class Bench:
    def __init__(self, now: datetime) -> None:
        self.registry = CollectorRegistry()
        self.letters = InMemoryDeadLetters()
        self.published = FailingPublisher()
        self.now = now

    def stage(
        self,
        handle: BatchHandler,
        patience_seconds: float = 5,
        uninterrupted_seconds: float = MAX_UNINTERRUPTED_SECONDS,
    ) -> TopicStage:
        metrics = StageMetrics(self.registry, "ingest")
        return TopicStage(
            CONVERSATIONS,
            handle,
            dead_letter_queue=DeadLetterQueue(
                stage="ingest",
                store=self.letters,
                publisher=self.published,
                redact=redact_everything,
                metrics=metrics,
                clock=self.clock,
            ),
            metrics=metrics,
            clock=self.clock,
            patience_seconds=patience_seconds,
            backoff=Backoff(first_seconds=0.001, maximum_seconds=60),
            uninterrupted_seconds=uninterrupted_seconds,
        )

    def clock(self) -> datetime:
        return self.now

    def sample(self, name: str, **labels: str) -> float | None:
        labels = {"stage": "ingest", "topic": "conversations", **labels}
        return self.registry.get_sample_value(f"palimpsest_stage_{name}", labels)


@pytest.fixture
def bench() -> Bench:
    return Bench(NOON + timedelta(seconds=3))


def records(*numbers: int) -> list[EventRecord]:
    made = NOON - timedelta(seconds=7)
    return [
        EventRecord(
            key=b"u",
            value=encode_event(said("u", number)),
            offset=number,
            timestamp=int(made.timestamp() * 1000),
        )
        for number in numbers
    ]


def handling(taken: list[str], fails: Callable[[Event], Exception | None]) -> BatchHandler:
    async def handle(events: Sequence[Event]) -> Sequence[EventRejection]:
        for event in events:
            if (error := fails(event)) is not None:
                raise error
        taken.extend(event.event_id for event in events)
        return ()

    return handle


async def test_counts_times_and_freshness_are_kept_for_each_topic(bench: Bench) -> None:
    await bench.stage(handling([], lambda _: None)).take(records(1, 2, 3))
    assert bench.sample("received_records_total") == 3
    assert bench.sample("handled_events_total") == 3
    assert bench.sample("freshness_seconds_sum") == pytest.approx(9)
    assert bench.sample("batch_duration_seconds_count") == 1
    assert bench.sample("oldest_pending_seconds") == 0


async def test_poison_costs_few_calls_and_is_announced_without_content(bench: Bench) -> None:
    taken: list[str] = []
    poison = {"u-5": PermanentError("no"), "u-60": KeyError("bug")}
    await bench.stage(handling(taken, lambda event: poison.get(event.event_id))).take(
        records(*range(100))
    )
    assert taken == [f"u-{n}" for n in range(100) if n not in (5, 60)]
    assert {letter.event_id for letter in await bench.letters.list()} == {"u-5", "u-60"}
    assert bench.published.topics == [DEAD_LETTERS] * 2
    assert bench.sample("dead_letters_total", reason="permanent") == 1
    assert bench.sample("dead_letters_total", reason="unexpected") == 1


async def test_a_rejection_of_an_event_nobody_handed_over_is_that_batch_s_failure(
    bench: Bench,
) -> None:
    async def handle(_events: Sequence[Event]) -> Sequence[EventRejection]:
        return [EventRejection(said("somebody else", 9), PermanentError("no"))]

    await bench.stage(handle).take(records(1))
    assert [letter.event_id for letter in await bench.letters.list()] == ["u-1"]


async def test_transient_failures_are_waited_out_however_they_are_spread(bench: Bench) -> None:
    taken: list[str] = []
    failures = [TransientError("away"), ConnectionResetError(), TimeoutError()]
    bench.published.failures = 2

    def fails(event: Event) -> Exception | None:
        if failures:
            return failures.pop()
        return PermanentError("no") if event.event_id == "u-2" else None

    await bench.stage(handling(taken, fails)).take(records(1, 2, 3))
    assert taken == ["u-1", "u-3"]
    assert bench.sample("failures_total", reason="transient") == 5
    assert bench.sample("waiting") == 0


async def test_nothing_is_let_go_of_without_its_letter_whatever_keeps_it_from_being_written(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusals = [OperationFailure("quota exceeded", 8000), RuntimeError("a bug")]
    put = bench.letters.put

    async def refused_at_first(letters: Sequence[DeadLetter]) -> None:
        if refusals:
            raise refusals.pop()
        await put(letters)

    monkeypatch.setattr(bench.letters, "put", refused_at_first)
    taken: list[str] = []
    broken = EventRecord(key=b"u", value=b"no JSON")
    await bench.stage(handling(taken, lambda _: None)).take([broken, *records(1)])
    assert taken == ["u-1"]
    assert [letter.reason for letter in await bench.letters.list()] == ["undecodable"]


async def test_what_failed_because_the_database_was_ill_is_not_set_aside(bench: Bench) -> None:
    taken: list[str] = []
    ill = True

    class FullDisk(InMemoryDeadLetters):
        async def put(self, letters: Sequence[DeadLetter]) -> None:
            nonlocal ill
            if ill:
                # It is freed while somebody waits for the letter to be written.
                ill = False
                raise OperationFailure("unknown error", 8)
            await super().put(letters)

    bench.letters = FullDisk()
    failure = OperationFailure("unknown error", 8)
    await bench.stage(handling(taken, lambda _: failure if ill else None)).take(records(1, 2, 3))
    assert taken == ["u-1", "u-2", "u-3"]
    assert await bench.letters.list() == []
    assert bench.published.topics == []


async def test_others_get_their_turn_while_many_long_records_are_decoded(bench: Bench) -> None:
    long = said("u", 1).model_copy(update={"text": "好" * 16_000})
    many = [EventRecord(key=b"u", value=encode_event(long)) for _ in range(64)]
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    handled_after: list[int] = []

    async def handle(_events: Sequence[Event]) -> Sequence[EventRejection]:
        handled_after.append(turns)
        return ()

    running = asyncio.create_task(others())
    # However fast the machine is, it counts as long.
    await bench.stage(handle, uninterrupted_seconds=0.0).take(many)
    running.cancel()
    assert handled_after[0] > 0


async def test_a_batch_is_given_back_before_kafka_calls_its_consumer_stuck(bench: Bench) -> None:
    stage = bench.stage(handling([], lambda _: TransientError("away")), patience_seconds=0.05)
    with pytest.raises(BatchDropped):
        await stage.take(records(1, 2))
    assert bench.sample("dropped_batches_total") == 1
    assert await bench.letters.list() == []


async def test_a_wait_shows_the_age_of_what_waits_and_ends_at_once_when_stopped(
    bench: Bench,
) -> None:
    tried = asyncio.Event()

    async def handle(_events: Sequence[Event]) -> Sequence[EventRejection]:
        tried.set()
        raise TransientError("away", retry_after_seconds=50)

    stage = bench.stage(handle, patience_seconds=100)
    waiting = asyncio.create_task(stage.take(records(1)))
    await tried.wait()
    assert bench.sample("waiting") == 1
    assert bench.sample("oldest_pending_seconds") == pytest.approx(10)
    stage.in_flight.stop()
    with pytest.raises(BatchDropped):
        await asyncio.wait_for(waiting, 60)
    assert bench.sample("waiting") == 0


async def test_nothing_more_is_begun_once_partitions_were_asked_back(bench: Bench) -> None:
    taken: list[str] = []
    stage = bench.stage(handling(taken, lambda _: None))
    await stage.in_flight.revoke(1)
    with pytest.raises(BatchDropped):
        await stage.take(records(1))
    stage.in_flight.assign()
    await stage.take(records(2))
    assert taken == ["u-2"]


async def test_giving_up_waits_for_the_commit_and_not_only_for_the_handler(bench: Bench) -> None:
    stage = bench.stage(handling([], lambda _: None))
    stage.in_flight.begin()
    await stage.take(records(1))
    giving_up = asyncio.create_task(stage.in_flight.revoke(300))
    for _ in range(5):
        await asyncio.sleep(0)
    assert not giving_up.done()
    stage.in_flight.done()
    await asyncio.wait_for(giving_up, 60)


async def test_a_handler_beyond_patience_is_cancelled_and_its_batch_given_back(
    bench: Bench,
) -> None:
    async def handle(_events: Sequence[Event]) -> Sequence[EventRejection]:
        await asyncio.Event().wait()
        return ()

    stage = bench.stage(handle)
    stage.in_flight.begin()
    taking = asyncio.create_task(stage.take(records(1)))
    taking.add_done_callback(lambda _: stage.in_flight.done())
    await asyncio.sleep(0)
    await asyncio.wait_for(stage.in_flight.revoke(0.01), 60)
    with pytest.raises(BatchDropped):
        await taking


async def test_a_cancelled_consumer_leaves_nobody_waiting_for_its_batch(bench: Bench) -> None:
    async def handle(_events: Sequence[Event]) -> Sequence[EventRejection]:
        await asyncio.Event().wait()
        return ()

    stage = bench.stage(handle)
    stage.in_flight.begin()
    taking = asyncio.create_task(stage.take(records(1)))
    await asyncio.sleep(0)
    taking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await taking
    await asyncio.wait_for(stage.in_flight.revoke(300), 60)


def test_stages_of_one_process_share_a_registry() -> None:
    registry = CollectorRegistry()
    for stage in ("ingest", "embedder"):
        StageMetrics(registry, stage).received("conversations", 2)
    count = "palimpsest_stage_received_records_total"
    labels = {"topic": "conversations"}
    assert registry.get_sample_value(count, {"stage": "ingest", **labels}) == 2
    assert registry.get_sample_value(count, {"stage": "embedder", **labels}) == 2
