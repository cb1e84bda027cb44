"""The extractor on a real broker and database: windows in, candidates out."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest

from palimpsest.events.announcements import UsageRecorded
from palimpsest.events.envelope import Event
from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.events.topics import CANDIDATES, EXTRACTIONS, USAGE
from palimpsest.model.clock import system_clock
from palimpsest.model.errors import PermanentError
from palimpsest.model.usage import sum_usage
from palimpsest_server.delivery.stage import EventRejection
from palimpsest_server.models.prices import ModelPrices
from palimpsest_server.runtime.platform import Platform
from palimpsest_server.stores.dead_letters import MongoDeadLetters
from palimpsest_server.stores.mongo.ledger import MongoLedger
from palimpsest_server.stores.mongo.usage import MongoUsage
from palimpsest_server.stores.spending import MongoSpending
from services.extractor.app import build
from tests.support.models.model_server import ModelServer, Says
from tests.support.services.extractor.modelled import faithful
from tests.support.windows import window

pytestmark = pytest.mark.embedded


async def test_windows_come_back_as_candidates_and_what_an_earlier_process_left_too(
    platform: Platform,
) -> None:
    came: asyncio.Queue[Event] = asyncio.Queue()

    async def take(events: Sequence[Event]) -> Sequence[EventRejection]:
        for event in events:
            came.put_nowait(event)
        return []

    left = window("我住在上海。", name="left")
    ledger = MongoLedger(platform.database)
    now = system_clock()
    await ledger.write_down([left], now=now)
    await ledger.lease(limit=1, until=now.replace(year=now.year + 1), now=now)

    others = platform.open_bus("others")
    others.consume(CANDIDATES, take)
    service = build(platform)
    await asyncio.gather(service.start(), others.start())
    fresh = window("I moved to Berlin.", session="s2")
    silent = window("Good morning!", session="s3")
    await others.publisher.publish(EXTRACTIONS, [fresh, silent])

    async with asyncio.timeout(30):
        events = [await came.get() for _ in range(3)]
    for check in service.checks.values():
        await check()
    await asyncio.gather(service.stop(), others.stop())

    found = {
        event.window_id: [candidate.content for candidate in event.candidates]
        for event in events
        if isinstance(event, CandidatesProposed)
    }
    assert found == {
        left.window_id: ["用户住在上海"],
        fresh.window_id: ["The user moved to Berlin"],
        silent.window_id: [],
    }
    assert await MongoDeadLetters(platform.database).list(stage="extractor") == []


async def test_with_a_model_the_same_way_is_gone_and_what_it_cost_is_kept(
    platform: Platform, server: ModelServer
) -> None:
    came: asyncio.Queue[Event] = asyncio.Queue()

    async def take(events: Sequence[Event]) -> Sequence[EventRejection]:
        for event in events:
            came.put_nowait(event)
        return []

    told: asyncio.Queue[Event] = asyncio.Queue()

    async def hear(events: Sequence[Event]) -> Sequence[EventRejection]:
        for event in events:
            told.put_nowait(event)
        return []

    server.script.append(Says("The user lives in Berlin."))
    server.otherwise = faithful
    model = {
        "extraction_model": "compatible/m-1",
        "compatible_base_url": f"{server.url}/v1",
        "model_prices": {"compatible/m-1": ModelPrices(input=1.0, output=2.0)},
    }
    service = build(replace(platform, settings=platform.settings.model_copy(update=model)))
    others = platform.open_bus("others")
    others.consume(CANDIDATES, take)
    others.consume(USAGE, hear)
    await asyncio.gather(service.start(), others.start())
    await others.publisher.publish(EXTRACTIONS, [window("I live in Berlin."), window(name="w2")])
    async with asyncio.timeout(30):
        events = [await came.get() for _ in range(2)]
        calls = [await told.get() for _ in range(3)]
    for check in service.checks.values():
        await check()
    await asyncio.gather(service.stop(), others.stop())

    assert {event.provider for event in events if isinstance(event, CandidatesProposed)} == {
        "compatible/m-1"
    }
    assert len(server.asked) == 3
    registry, labels = platform.registry, {"provider": "compatible", "task": "extraction"}
    tokens = sum(
        registry.get_sample_value(
            "palimpsest_model_tokens_total", {**labels, "direction": direction}
        )
        or 0
        for direction in ("input", "output")
    )
    spent = await MongoSpending(platform.database).of(system_clock().date(), "ana")
    assert spent.tokens == tokens
    assert spent.millionths > 0

    charged = [event for event in calls if isinstance(event, UsageRecorded)]
    assert [event.failed for event in charged].count(True) == 1
    assert sum(event.input_tokens + event.output_tokens for event in charged) == tokens
    today = system_clock().date()
    rows = await MongoUsage(platform.database).rows(since=today, until=today, user_id="ana")
    assert sum_usage(rows).cost_millionths == spent.millionths
    assert sum_usage(rows).calls == 3


async def test_what_the_service_gives_up_is_a_dead_letter(platform: Platform) -> None:
    kafka = platform.open_bus("extractor")
    await kafka.start()
    await kafka.dead_letter(EXTRACTIONS, window("I live in Berlin."), PermanentError("refused"))
    await kafka.stop()
    [letter] = await MongoDeadLetters(platform.database).list(stage="extractor")
    assert (letter.topic, letter.reason, letter.user_id) == ("extractions", "permanent", "ana")
    assert letter.replayable
    assert "I live in Berlin." in letter.body


def test_an_unknown_model_is_refused_by_name(platform: Platform) -> None:
    settings = platform.settings.model_copy(update={"extraction_model": "unheard-of"})
    with pytest.raises(PermanentError, match="'unheard-of'"):
        build(replace(platform, settings=settings))
