"""Accesses leave in batches, wait for a Kafka that is away, and never grow without end."""

import asyncio

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.api.recall import RecallResult, RecordType
from palimpsest.events.topics import WRITES
from palimpsest.model.clock import Clock
from palimpsest.model.errors import TransientError
from palimpsest.model.scope import Scope
from palimpsest_language.redaction.policy import PrivacyPolicy, SecretHandling, SecretKind
from services.recall import access_log
from services.recall.answer import RecallAnswer
from services.recall.metrics import RecallMetrics
from tests.support.services.recall.stand_ins import Published
from tests.support.services.recall.world import NOW, World

ADA = Scope(user_id="ada")


def result(identity: str = "m", record: RecordType = RecordType.MEMORY) -> RecallResult:
    return RecallResult(
        id=identity, record=record, content="", score=1, scope=ADA, evidence=(), occurred_at=NOW
    )


def answer(identity: str = "m") -> RecallAnswer:
    return RecallAnswer(
        [result(identity), result("t", RecordType.TURN)], score_features={identity: (0.5,) * 6}
    )


async def test_they_are_published_in_order_and_in_batches(world: World) -> None:
    for number in range(access_log.BATCH + 3):
        world.access_log.note(ADA, 2, f"r{number}", answer(f"m{number}"))
    await world.access_log.flush()
    published = world.published.accesses
    assert [access.recall_id for access in published] == [
        f"r{n}" for n in range(access_log.BATCH + 3)
    ]
    assert {topic for topic, _ in world.published.events} == {WRITES}
    assert published[0].memory_ids == ("m0",)
    assert len({access.event_id for access in published}) == len(published)


@pytest.mark.parametrize(
    ("waiting", "share"), [(0, 4), (1, 4), (600, 4), (601, 5), (1_500, 10), (10_000, 67)]
)
def test_a_burst_is_counted_little_by_little(waiting: int, share: int) -> None:
    assert access_log.compute_tick_share(waiting) == share


async def test_what_was_asked_is_told_without_secrets(world: World) -> None:
    secret = "my key is sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD, which tea do I like?"
    world.access_log.note(ADA, 0, "r", answer(), asked=secret)
    await world.access_log.flush()
    (told,) = world.published.accesses
    assert "abcdefghijkl" not in told.query
    assert told.query.endswith("which tea do I like?")
    assert [
        (presented_result.id, presented_result.record, presented_result.score)
        for presented_result in told.results
    ] == [
        ("m", RecordType.MEMORY, 1),
        ("t", RecordType.TURN, 1),
    ]


async def test_of_what_may_not_be_stored_at_all_nothing_is_told(clock: Clock) -> None:
    blocking = PrivacyPolicy.of(dict.fromkeys(SecretKind, SecretHandling.BLOCK))
    published = Published()
    log = access_log.AccessLog(published, clock, RecallMetrics(CollectorRegistry()), blocking)
    log.note(ADA, 0, "r", answer(), asked="is ada@example.com mine?")
    log.note(ADA, 0, "s", answer(), asked="tea?")
    await log.flush()
    assert [access.query for access in published.accesses] == ["", "tea?"]


async def test_a_recall_of_turns_alone_is_traced_and_counts_nothing(world: World) -> None:
    world.access_log.note(ADA, 0, "r", RecallAnswer([result("t", RecordType.TURN)]), asked="tea?")
    world.access_log.note(ADA, 0, "nothing", RecallAnswer([]), asked="tea?")
    await world.access_log.flush()
    (told,) = world.published.accesses
    assert (told.recall_id, told.memory_ids, told.query) == ("r", (), "tea?")


async def test_where_memory_is_off_or_unseen_nothing_is_traced(world: World) -> None:
    await world.remembered("Ada drinks oolong tea")
    await world.recall("oolong tea", incognito=True)
    await world.recall("oolong tea", preview=True)
    world.states.turn_memory_off("ada")
    await world.recall("oolong tea")
    await world.access_log.flush()
    assert world.published.accesses == []
    world.states.by_user.clear()
    await world.recall("oolong tea")
    await world.access_log.flush()
    assert [access.query for access in world.published.accesses] == ["oolong tea"]


async def test_what_kafka_did_not_take_is_published_later(world: World) -> None:
    world.access_log.note(ADA, 0, "r", answer())
    world.published.away = True
    with pytest.raises(TransientError):
        await world.access_log.flush()
    world.published.away = False
    await world.access_log.flush()
    assert [access.recall_id for access in world.published.accesses] == ["r"]


async def test_what_kafka_will_never_take_is_given_up_and_the_rest_goes_on(world: World) -> None:
    world.access_log.note(ADA, 0, "r1", answer())
    world.published.refusing = True
    await world.access_log.flush()
    world.published.refusing = False
    world.access_log.note(ADA, 0, "r2", answer())
    await world.access_log.flush()
    assert [access.recall_id for access in world.published.accesses] == ["r2"]
    assert world.counted("palimpsest_recall_accesses_total", outcome="given_up") == 1


async def test_beyond_a_limit_they_are_given_up_and_counted(
    world: World,
) -> None:
    for number in range(access_log.MAXIMUM_WAITING + 5):
        world.access_log.note(ADA, 0, f"r{number}", answer())
    assert world.counted("palimpsest_recall_accesses_total", outcome="given_up") == 5


async def test_stopping_publishes_what_waits(world: World) -> None:
    await world.service.start()
    world.access_log.note(ADA, 0, "r", answer())
    await world.service.stop()
    assert len(world.published.accesses) == 1


async def test_stopping_without_kafka_ends_all_the_same(world: World) -> None:
    await world.service.start()
    world.published.away = True
    world.access_log.note(ADA, 0, "r", answer())
    async with asyncio.timeout(60):
        await world.service.stop()


async def test_it_goes_on_by_itself_when_kafka_is_back(world: World) -> None:
    world.published.away = True
    await world.service.start()
    world.access_log.note(ADA, 0, "r", answer())
    await asyncio.sleep(0.03)
    world.published.away = False
    async with asyncio.timeout(60):
        while not world.published.accesses:  # noqa: ASYNC110 - the log tells nobody
            await asyncio.sleep(0.01)
    await world.service.stop()
    assert [access.recall_id for access in world.published.accesses] == ["r"]
