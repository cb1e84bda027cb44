"""The client over a real broker, with a bus on the other side that does as a test tells it."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime, timedelta

import pytest
import pytest_asyncio
from aiokafka import AIOKafkaConsumer
from aiokafka.partitioner import DefaultPartitioner
from prometheus_client import CollectorRegistry

from palimpsest.api.context import ContextResponse
from palimpsest.api.recall import RecallResponse
from palimpsest.client import (
    InvalidRequest,
    NotConnected,
    NotFound,
    PalimpsestClient,
    RequestTooLarge,
    Subscription,
    TimedOut,
    Unavailable,
)
from palimpsest.client.kafka_address import KafkaAddress
from palimpsest.client.kafka_connection import fetch_partitions
from palimpsest.client.replies import CORRELATION_ID_HEADER
from palimpsest.events.announcements import ChangeSetAnnounced
from palimpsest.events.conversations import MessageAdded
from palimpsest.events.envelope import Event
from palimpsest.events.recall_exchange import (
    ContextReplied,
    ContextRequested,
    RecallReplied,
    RecallRequested,
)
from palimpsest.events.topics import CHANGES, CONVERSATIONS, REPLIES
from palimpsest.model.change_set import Cause, ChangeSet, change_set_id
from palimpsest.model.clock import system_clock
from palimpsest.model.errors import RecordNotFound as NothingFound
from palimpsest.model.errors import TransientError
from palimpsest.model.turn import Role
from palimpsest_server.delivery.bus import Bus
from palimpsest_server.delivery.connection_settings import KafkaSettings
from palimpsest_server.delivery.recall_responder import RecallReplyEvent, RecallRequestEvent
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.stores.dead_letters import InMemoryDeadLetters

pytestmark = [pytest.mark.embedded, pytest.mark.asyncio(loop_scope="module")]

PREFIX = "client-"
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


class Services:
    """Keeps what it is told, and answers questions by the words in them."""

    def __init__(self, bootstrap: str) -> None:
        self.told: list[Event] = []
        self.arrived = asyncio.Condition()
        self.asked: list[RecallRequested] = []
        self.was_asked = asyncio.Event()
        self.failures_left = 0
        self.release = asyncio.Event()
        self.bus = Bus(
            "services",
            settings=KafkaSettings(
                bootstrap_servers=bootstrap,
                topic_prefix=PREFIX,
                fetch_maximum_wait_milliseconds=15,
                session_timeout_milliseconds=6_000,
                idempotent_producer=False,
            ),
            dead_letters=InMemoryDeadLetters(),
            registry=CollectorRegistry(),
            clock=system_clock,
        )
        self.bus.consume(CONVERSATIONS, self.keep)
        self.bus.answer(self.answer)

    async def keep(self, events: Sequence[Event]) -> Sequence[EventRejection]:
        async with self.arrived:
            self.told += events
            self.arrived.notify_all()
        return ()

    async def hears(self, session_id: str, count: int) -> list[Event]:
        def heard() -> list[Event]:
            return [event for event in self.told if event.session_id == session_id]

        async with asyncio.timeout(60), self.arrived:
            await self.arrived.wait_for(lambda: len(heard()) >= count)
        return heard()

    async def answer(self, asked: RecallRequestEvent, shown: str | None) -> RecallReplyEvent:
        self.shown = shown
        if isinstance(asked, ContextRequested):
            return self.context(asked)
        self.asked.append(asked)
        self.was_asked.set()
        match asked.request.query:
            case "unknown":
                raise NothingFound("nothing of this name")
            case "slow":
                await self.release.wait()
            case "flaky" if self.failures_left:
                self.failures_left -= 1
                raise TransientError("not yet")
            case _:
                pass
        return RecallReplied(
            event_id=f"reply-{asked.event_id}",
            occurred_at=system_clock(),
            user_id=asked.user_id,
            response=RecallResponse(
                recall_id=f"{asked.user_id}: {asked.request.query}", results=(), took_ms=0.1
            ),
        )

    def context(self, asked: ContextRequested) -> ContextReplied:
        if asked.request.query == "unknown":
            raise NothingFound("nothing of this name")
        return ContextReplied(
            event_id=f"reply-{asked.event_id}",
            occurred_at=system_clock(),
            user_id=asked.user_id,
            response=ContextResponse(
                block=f"{asked.request.format}: {asked.request.query}",
                text="",
                system_prompt="",
                tokens=1,
                took_ms=0.1,
            ),
        )


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def services(kafka_bootstrap: str) -> AsyncIterator[Services]:
    """Once for all of these tests: joining a group takes a broker seconds."""
    services = Services(kafka_bootstrap)
    await services.bus.start()
    yield services
    services.release.set()
    await services.bus.stop()


def client_at(
    bootstrap: str, *, timeout_seconds: float = 15.0, prefix: str = PREFIX
) -> PalimpsestClient:
    return PalimpsestClient(
        kafka_bootstrap_servers=bootstrap,
        kafka_topic_prefix=prefix,
        timeout_seconds=timeout_seconds,
    )


def message(user: int, number: int, session_id: str, text: str = "hello") -> MessageAdded:
    return MessageAdded(
        occurred_at=NOON + timedelta(milliseconds=number),
        user_id=f"user-{user}",
        session_id=session_id,
        message_id=str(number),
        role=Role.USER,
        text=text,
    )


def change(user_id: str, revision: int) -> ChangeSetAnnounced:
    cause = Cause(event_id=f"e{revision}", type="SetSettings", occurred_at=NOON, received_at=NOON)
    return ChangeSetAnnounced(
        event_id=f"change-{user_id}-{revision}",
        occurred_at=NOON,
        user_id=user_id,
        change_set=ChangeSet(
            id=change_set_id(user_id, cause.event_id),
            user_id=user_id,
            revision=revision,
            epoch=0,
            cause=cause,
            actor="user",
            reason="settings",
            decided_at=NOON,
            changes=(),
        ),
    )


async def test_what_many_users_say_arrives_in_each_ones_order(
    services: Services, kafka_bootstrap: str
) -> None:
    events = [message(number % 20, number, "order") for number in range(400)]
    async with client_at(kafka_bootstrap) as client:
        results = await client.publish(events)
    assert {result.outcome for result in results} == {"accepted"}
    heard = await services.hears("order", 400)
    assert {event.event_id for event in heard} == {result.event_id for result in results}
    for user in range(20):
        numbers = [
            int(event.message_id)
            for event in heard
            if isinstance(event, MessageAdded) and event.user_id == f"user-{user}"
        ]
        assert numbers == list(range(user, 400, 20))


async def test_what_is_too_large_is_never_sent(services: Services, kafka_bootstrap: str) -> None:
    async with client_at(kafka_bootstrap) as client:
        with pytest.raises(
            RequestTooLarge, match=r"more than the 1048576 that conversations takes"
        ):
            await client.remember("tea", user_id="ann", tags=("x" * 10_000_000,))
        with pytest.raises(InvalidRequest, match="content: must be at most 65536 bytes"):
            await client.remember("x" * 65_537, user_id="ann")


async def test_a_question_is_answered(services: Services, kafka_bootstrap: str) -> None:
    async with client_at(kafka_bootstrap) as client:
        answer = await client.recall("喝茶吗？", user_id="小明", agent_id="a_b")
    assert answer.recall_id == "小明: 喝茶吗？"
    asked = services.asked[-1]
    assert asked.agent_id == "a_b"
    assert asked.deadline is not None
    assert asked.deadline > asked.occurred_at


async def test_a_reader_of_replies_that_ends_begins_again(
    services: Services, kafka_bootstrap: str
) -> None:
    async with client_at(kafka_bootstrap) as client:
        await client.recall("喝茶吗？", user_id="小明", agent_id="a_b")
        for number in range(2):
            (reading,) = [task for task in asyncio.all_tasks() if task.get_name() == "replies"]
            reading.cancel()
            answer = await client.recall(f"again {number}", user_id="ann")
            assert answer.recall_id == f"ann: again {number}"


async def test_everybody_gets_their_own_answers(services: Services, kafka_bootstrap: str) -> None:
    """One client more than there are partitions to reply to: at least two share one."""
    async with asyncio.TaskGroup() as group:
        for number in range(REPLIES.partitions + 1):
            group.create_task(_ask_ten(kafka_bootstrap, f"user-{number}"))


async def _ask_ten(bootstrap: str, user_id: str) -> None:
    async with client_at(bootstrap) as client:
        questions = [f"question {number}" for number in range(10)]
        answers = await asyncio.gather(
            *(client.recall(question, user_id=user_id) for question in questions)
        )
    assert [answer.recall_id for answer in answers] == [
        f"{user_id}: {question}" for question in questions
    ]


async def test_an_error_is_an_answer_too(services: Services, kafka_bootstrap: str) -> None:
    async with client_at(kafka_bootstrap) as client:
        with pytest.raises(NotFound, match="nothing of this name") as caught:
            await client.recall("unknown", user_id="ann")
    assert caught.value.reason == "not_found"


async def test_who_is_not_ready_is_asked_again(services: Services, kafka_bootstrap: str) -> None:
    services.failures_left = 2
    async with client_at(kafka_bootstrap) as client:
        assert (await client.recall("flaky", user_id="ann")).recall_id == "ann: flaky"
    assert services.failures_left == 0


async def test_a_late_answer_disturbs_nobody(services: Services, kafka_bootstrap: str) -> None:
    async with client_at(kafka_bootstrap, timeout_seconds=2) as client:
        with pytest.raises(TimedOut, match=f"no answer within 2 s from Kafka at {kafka_bootstrap}"):
            await client.recall("slow", user_id="ann")
        services.release.set()
        assert (await client.recall("quick", user_id="ann")).recall_id == "ann: quick"


async def test_garbage_among_the_replies_disturbs_nobody(
    services: Services, kafka_bootstrap: str
) -> None:
    garbage = [(b"\xff\xfe", b"{"), (b"", b""), (b"{}", b"nobody")]
    async with client_at(kafka_bootstrap) as client:
        for value, correlation in garbage:
            for partition in range(REPLIES.partitions):
                await services.bus.publisher.publish_record(
                    REPLIES,
                    key=b"ann",
                    value=value,
                    headers={CORRELATION_ID_HEADER: correlation.decode()},
                    partition=partition,
                )
        assert (await client.recall("quick", user_id="ann")).recall_id == "ann: quick"


async def test_a_client_that_leaves_lets_go_of_its_questions(
    services: Services, kafka_bootstrap: str
) -> None:
    services.release.clear()
    async with client_at(kafka_bootstrap) as client:
        services.was_asked.clear()
        recalling = asyncio.create_task(client.recall("slow", user_id="ann"))
        await services.was_asked.wait()
    with pytest.raises(NotConnected, match="closed before the answer came"):
        await recalling
    services.release.set()


async def test_changes_are_heard_from_the_moment_of_entering(
    services: Services, kafka_bootstrap: str
) -> None:
    users = [f"user-{number}" for number in range(8)]
    await services.bus.publisher.publish(CHANGES, [change("early", 1)])
    async with client_at(kafka_bootstrap) as client, client.subscribe() as changes:
        for revision in (1, 2):
            announced = [change(user, revision) for user in users]
            await services.bus.publisher.publish(CHANGES, announced)
        heard = [await anext(changes) for _ in range(16)]
    assert {event.user_id for event in heard} == set(users)
    for user in users:
        assert [event.change_set.revision for event in heard if event.user_id == user] == [1, 2]


async def test_a_group_remembers_how_far_it_came(services: Services, kafka_bootstrap: str) -> None:
    """What was asked past is done with; what was in hand when something broke is not."""
    await services.bus.publisher.publish(CHANGES, [change("group", number) for number in (1, 2)])
    group = f"{PREFIX}pages"
    async with client_at(kafka_bootstrap) as client:
        with pytest.raises(RuntimeError, match="broke"):
            await _break_at_the_second(client.subscribe(group=group))
    then = await _next_for(group, kafka_bootstrap, user_id="group")
    assert (then.user_id, then.change_set.revision) == ("group", 2)


async def _break_at_the_second(subscription: Subscription) -> None:
    async with subscription as changes, asyncio.timeout(60):
        async for change_set_announced in changes:
            if (
                change_set_announced.user_id == "group"
                and change_set_announced.change_set.revision == 2
            ):
                raise RuntimeError("broke")


async def _next_for(group: str, bootstrap: str, *, user_id: str) -> ChangeSetAnnounced:
    """What the group would read next where this user's changes are."""
    address = KafkaAddress(bootstrap_servers=bootstrap, topic_prefix=PREFIX)
    partitions = await fetch_partitions(address, CHANGES)
    theirs = DefaultPartitioner()(user_id.encode(), partitions, partitions)
    consumer = AIOKafkaConsumer(
        bootstrap_servers=bootstrap, group_id=group, enable_auto_commit=False
    )
    async with consumer, asyncio.timeout(60):
        consumer.assign([theirs])
        record = await consumer.getone()
    return ChangeSetAnnounced.model_validate_json(record.value)


async def test_looking_after_memories_needs_http(services: Services, kafka_bootstrap: str) -> None:
    async with client_at(kafka_bootstrap) as client:
        with pytest.raises(NotConnected, match="give the client an http_url"):
            await client.forget("m1", user_id="ann")


async def test_where_no_services_ever_started_the_client_says_so(kafka_bootstrap: str) -> None:
    with pytest.raises(Unavailable, match="no topic nobody-replies"):
        async with client_at(kafka_bootstrap, prefix="nobody-", timeout_seconds=3):
            pass


async def test_where_there_is_no_kafka_the_client_says_so() -> None:
    with pytest.raises(Unavailable, match=r"no answer from Kafka at 127\.0\.0\.1:9:"):
        async with client_at("127.0.0.1:9", timeout_seconds=1):
            pass


async def test_a_context_is_asked_for_and_refused_like_a_recall(
    services: Services, kafka_bootstrap: str
) -> None:
    async with client_at(kafka_bootstrap) as client:
        told = await client.context("tea?", user_id="ann", format="gated")
        assert told.block == "gated: tea?"
        assert (await client.load_context(user_id="ann")).block == "profile: None"
        with pytest.raises(NotFound):
            await client.context("unknown", user_id="ann")
