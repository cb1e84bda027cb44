"""What models took is charged once: however calls end, whoever dies, whatever is tried again."""

import asyncio
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from palimpsest.events.announcements import UsageRecorded
from palimpsest.events.envelope import Event
from palimpsest.events.topics import USAGE, Topic
from palimpsest.model.change_set import change_set_id
from palimpsest.model.errors import TransientError
from palimpsest.model.usage import ModelCall, UsageSum, sum_usage
from palimpsest_server.models.call_accounting import CallAccounting
from palimpsest_server.stores.usage import CallPageQuery, InMemoryUsage
from services.console.model_call_pages import derive_change_set_id
from services.extractor.metrics import ExtractorMetrics
from services.extractor.publish_usage import UsagePublisher
from tests.support.models.model_server import Fails, ModelServer, Says, Stalls
from tests.support.services.extractor.modelled import (
    BERLIN,
    EMPTY,
    GOOD,
    Clock,
    Modelled,
    Options,
    later,
    modelled,
    published,
)
from tests.support.services.extractor.world import SettableStates
from tests.support.windows import window

LOST_AFTER = timedelta(minutes=5)


class Told:
    def __init__(self) -> None:
        self.events: list[UsageRecorded] = []
        self.dies_before_marking = False

    async def publish(self, topic: Topic, events: Sequence[Event]) -> None:
        assert topic is USAGE
        self.events += [event for event in events if isinstance(event, UsageRecorded)]
        if self.dies_before_marking:
            raise TransientError("killed")


class Forgetful(InMemoryUsage):
    """A database that goes away."""

    away = False

    async def end(self, calls: Sequence[ModelCall]) -> None:
        if self.away and calls:
            raise TransientError("away")
        await super().end(calls)


class Charged:
    """An extractor with a model, and the account of what that takes."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.calls = Forgetful()
        self.accounting = CallAccounting(self.calls, clock=clock)
        self.states = SettableStates()
        self.told = Told()
        self.telling = UsagePublisher(
            self.calls,
            self.accounting,
            publisher=self.told,
            states=self.states,
            metrics=ExtractorMetrics(CollectorRegistry()),
            clock=clock,
            lost_after=LOST_AFTER,
        )

    def options(self, **fields: Any) -> Options:
        return Options(accounting=self.accounting, **fields)

    async def sum(self, **asked: Any) -> UsageSum:
        everything = {"since": date(2020, 1, 1), "until": date(2030, 1, 1)}
        return sum_usage(await self.calls.rows(**{**everything, **asked}))


@pytest.fixture
def charged(clock: Clock) -> Charged:
    return Charged(clock)


async def answered(run: Modelled, *, answers: int = 1) -> None:
    await run.world.until(lambda: len(published(run.world)) >= answers)


async def test_an_answer_is_charged_to_its_user_and_agent_at_the_price_set(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script.append(GOOD)
    request = window(BERLIN).model_copy(update={"agent_id": "coder"})
    async with modelled(server, clock, charged.options()) as run, run.world.running():
        await run.world.intake.handle([request])
        await answered(run)
        tokens = {
            direction: run.counted(
                "tokens_total", direction=direction, provider="openai", task="extraction"
            )
            for direction in ("input", "cached_input", "output")
        }
        cost = run.counted("cost_total", provider="openai", task="extraction")
    await charged.telling.look()
    [told] = charged.told.events
    assert (told.user_id, told.agent_id, told.request_id) == (
        request.user_id,
        "coder",
        request.window_id,
    )
    assert (told.task, told.model, told.failed, told.estimated) == (
        "extraction",
        "openai/m-1",
        False,
        False,
    )
    assert (told.input_tokens, told.cached_input_tokens, told.output_tokens) == (
        tokens["input"],
        tokens["cached_input"],
        tokens["output"],
    )
    assert told.cost_millionths == pytest.approx(cost * 1_000_000)
    assert (await charged.sum(user_id=request.user_id, agent_id="coder")).calls == 1
    await charged.telling.look()
    assert len(charged.told.events) == 1


async def test_the_change_that_follows_from_a_call_is_known_by_its_request(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script.append(GOOD)
    async with modelled(server, clock, charged.options()) as run, run.world.running():
        await run.world.intake.handle([window(BERLIN)])
        await answered(run)
    [event] = published(run.world)
    days = {"since": date(2020, 1, 1), "until": date(2030, 1, 1)}
    asked = CallPageQuery(
        user_id=event.user_id, agent_id=None, epoch=0, limit=9, behind=None, **days
    )
    [call] = await charged.calls.page(asked)
    assert derive_change_set_id(call) == change_set_id(event.user_id, event.event_id)


async def test_an_answer_of_no_use_is_charged_as_failed_and_its_repair_beside_it(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script += [Says("I would rather not."), GOOD]
    async with modelled(server, clock, charged.options()) as run, run.world.running():
        await run.world.intake.handle([window(BERLIN)])
        await answered(run)
    await charged.telling.look()
    assert [event.failure for event in charged.told.events] == ["unreadable_answer", None]
    assert len({event.event_id for event in charged.told.events}) == 2
    found = await charged.sum()
    assert (found.calls, found.failed_calls) == (2, 1)


async def test_what_a_server_refused_costs_nobody_anything(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script += [Fails(500), Fails(429, headers={"Retry-After": "1"}), EMPTY]
    async with modelled(server, clock, charged.options()) as run, run.world.running():
        await run.world.intake.handle([window(BERLIN)])
        await run.world.until(lambda: len(server.asked) == 1)
        await later(run.world, clock, 60)
        await run.world.until(lambda: len(server.asked) == 2)
        await later(run.world, clock, 60)
        await answered(run)
    assert len(server.asked) == 3
    assert (await charged.sum()).calls == 1


async def test_killed_in_the_middle_of_a_call_it_counts_as_estimated_and_the_next_for_itself(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script += [Stalls(asyncio.Event(), GOOD), GOOD]
    async with modelled(server, clock, charged.options()) as run:
        charged.calls.away = True
        async with run.world.running():
            await run.world.intake.handle([window(BERLIN)])
            await run.world.until(lambda: server.asked)
            # Nothing that this process could still say of it is heard by anybody.
            for task in run.world.workers._in_hand.values():
                task.cancel()
            await asyncio.gather(*run.world.workers._in_hand.values(), return_exceptions=True)
        charged.accounting._late.clear()
        charged.calls.away = False
        assert (await charged.sum()).calls == 0
        clock.advance(LOST_AFTER + timedelta(seconds=1))
        await run.world.reconciler.look()
        next_process = run.world.restarted()
        async with next_process.running():
            await next_process.until(lambda: next_process.publisher.published)
    await charged.telling.look()
    assert [(event.failure, event.estimated) for event in charged.told.events] == [
        ("lost", True),
        (None, False),
    ]
    found = await charged.sum()
    assert (found.calls, found.estimated_calls) == (2, 1)


async def test_while_the_database_is_away_what_a_call_took_is_kept_and_written_later(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script.append(GOOD)
    charged.calls.away = True
    async with modelled(server, clock, charged.options()) as run, run.world.running():
        await run.world.intake.handle([window(BERLIN)])
        await answered(run)
    with pytest.raises(TransientError):
        await charged.telling.look()
    charged.calls.away = False
    await charged.telling.look()
    assert [event.estimated for event in charged.told.events] == [False]


async def test_killed_between_telling_and_marking_it_is_told_again_under_the_same_id(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script.append(GOOD)
    async with modelled(server, clock, charged.options()) as run, run.world.running():
        await run.world.intake.handle([window(BERLIN)])
        await answered(run)
    charged.told.dies_before_marking = True
    with pytest.raises(TransientError):
        await charged.telling.look()
    charged.told.dies_before_marking = False
    await charged.telling.look()
    assert len(charged.told.events) == 2
    assert len({event.event_id for event in charged.told.events}) == 1
    assert (await charged.sum()).calls == 1


async def test_a_window_delivered_again_is_charged_no_second_time(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script.append(GOOD)
    request = window(BERLIN)
    async with modelled(server, clock, charged.options()) as run, run.world.running():
        for _ in range(3):
            await run.world.intake.handle([request])
        await answered(run)
        await run.world.intake.handle([request])
    assert (await charged.sum()).calls == 1


async def test_what_a_user_used_before_everything_was_erased_is_told_to_nobody(
    server: ModelServer, clock: Clock, charged: Charged
) -> None:
    server.script.append(GOOD)
    request = window(BERLIN)
    async with modelled(server, clock, charged.options()) as run, run.world.running():
        await run.world.intake.handle([request])
        await answered(run)
    charged.states.epochs[request.user_id] = 1
    await charged.telling.look()
    assert charged.told.events == []
    assert (await charged.sum(user_id=request.user_id)).calls == 0
    assert (await charged.sum()).calls == 1
