"""Servers that are busy, broken or away, and budgets that are spent."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import timedelta
from functools import partial

import pytest
from structlog.testing import capture_logs

from palimpsest.model.errors import PermanentError
from tests.support.models.model_server import Fails, ModelServer, Says, Sends
from tests.support.services.extractor.modelled import (
    BERLIN,
    GOOD,
    KEY,
    Clock,
    Modelled,
    Options,
    contents,
    faithful,
    held,
    later,
    modelled,
    pending,
    published,
)
from tests.support.windows import window


@pytest.fixture
async def run(server: ModelServer, clock: Clock) -> AsyncIterator[Modelled]:
    async with modelled(server, clock) as run:
        yield run


async def test_a_server_that_asks_for_patience_gets_it_from_all_and_it_is_no_attempt(
    server: ModelServer, run: Modelled, clock: Clock
) -> None:
    world = run.world
    server.script.append(Fails(429, {"retry-after": "900"}))
    server.otherwise = faithful
    async with world.running():
        await world.intake.handle([window(BERLIN)])
        await world.until(lambda: world.counted("held_back_total", reason="rate_limited"))
        await world.intake.handle([window("I like tea.", session="s2")])
        await later(world, clock, 899)
        assert len(server.asked) == 1
        assert await pending(world) == 2
        await later(world, clock, 1)
        await world.until(lambda: len(world.publisher.published) == 2)
    assert len(server.asked) == 3
    assert world.counted("failures_total", provider="openai/m-1", reason="rate_limited") == 0
    assert world.counted("held_back_total", reason="rate_limited") == 1
    usage = {"provider": "openai", "task": "extraction", "reason": "rate_limited"}
    assert run.counted("failures_total", **usage) == 1
    model = {"provider": "openai", "model": "m-1"}
    assert run.counted("paused_until_timestamp_seconds", **model) == clock().timestamp()
    assert world.dead_lettered == []


@pytest.mark.parametrize(
    ("act", "reason"),
    [
        (Fails(500), "server_error"),
        (Fails(503), "server_error"),
        (Sends(b'{"id": "x", "outp'), "unreadable_body"),
        (Sends(b"<html>Bad gateway</html>", "text/html"), "unreadable_body"),
    ],
)
async def test_a_broken_server_is_asked_again_later_and_the_reason_is_told(
    server: ModelServer, run: Modelled, clock: Clock, act: Fails | Sends, reason: str
) -> None:
    world = run.world
    server.script.extend([act, GOOD])
    async with world.running():
        await world.intake.handle([window(BERLIN)])
        await world.until(
            lambda: world.counted("failures_total", provider="openai/m-1", reason=reason)
        )
        await later(world, clock, 4)
        assert len(server.asked) == 1
        await later(world, clock, 1)
        await world.until(lambda: world.publisher.published)
    assert contents(world) == ["The user lives in Berlin"]
    assert len(server.asked) == 2


async def test_an_answer_that_takes_too_long_is_given_up_and_counted(
    server: ModelServer, clock: Clock
) -> None:
    server.script.extend([Says(GOOD.text, after_seconds=3), GOOD])
    options = Options(settings={"model_timeout_seconds": 1.0})
    async with modelled(server, clock, options) as run:
        world = run.world
        async with world.running():
            await world.intake.handle([window(BERLIN)])
            await world.until(
                lambda: world.counted("failures_total", provider="openai/m-1", reason="timed_out")
            )
            spent = await run.spending.of(clock().date(), "ana")
            assert spent.tokens > 500  # the vendor had the prompt
            await later(world, clock, 5)
            await world.until(lambda: world.publisher.published)
    assert contents(world) == ["The user lives in Berlin"]


async def test_a_slow_answer_is_waited_for(server: ModelServer, run: Modelled) -> None:
    server.script.append(Says(GOOD.text, after_seconds=0.2))
    async with run.world.running():
        await run.world.intake.handle([window(BERLIN)])
        await run.world.until(lambda: run.world.publisher.published)
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("act", "reason"),
    [(Says("", "refused"), "model_refused"), (Fails(400), "prompt_refused")],
)
async def test_what_will_never_be_answered_is_set_aside_at_once(
    server: ModelServer, run: Modelled, act: Says | Fails, reason: str
) -> None:
    server.script.append(act)
    async with run.world.running():
        await run.world.intake.handle([window(BERLIN)])
        await run.world.until(lambda: run.world.dead_lettered)
    [(_, _, error)] = run.world.dead_lettered
    assert isinstance(error, PermanentError)
    assert error.reason == reason
    assert len(server.asked) == 1


@pytest.mark.parametrize(("status", "reason"), [(401, "not_authorised"), (404, "no_such_model")])
async def test_what_an_operator_must_mend_makes_work_wait_and_loses_none(
    server: ModelServer, run: Modelled, clock: Clock, status: int, reason: str
) -> None:
    world = run.world
    server.otherwise = lambda _: Fails(status)
    async with world.running():
        await world.intake.handle([window(BERLIN)])
        for times in range(1, 12):
            await world.until(partial(held, world, reason, times))
            await later(world, clock, 300)
        server.otherwise = faithful
        await later(world, clock, 300)
        await world.until(lambda: world.publisher.published)
    assert world.dead_lettered == []


async def test_a_server_that_is_down_for_long_is_left_alone_and_nothing_is_lost(
    server: ModelServer, clock: Clock
) -> None:
    server.otherwise = lambda _: Fails(500)
    requests = [window(f"I like tea {each}.", session=f"s{each}") for each in range(8)]
    async with modelled(server, clock, Options(requests_at_once=1)) as run:
        world = run.world
        async with world.running():
            await world.intake.handle(requests)
            await world.until(
                lambda: run.counted("breaker_state", provider="openai", model="m-1") == 2
            )
            await asyncio.sleep(0.03)
            assert len(server.asked) == 5
            assert world.workers._in_hand == {}
            for _ in range(12):  # two hours: each look costs the server one call
                before = len(server.asked)
                await later(world, clock, 601)
                await asyncio.sleep(0.05)
                assert len(server.asked) <= before + 1
            server.otherwise = faithful
            for _ in range(3):
                await later(world, clock, 601)
            await world.until(lambda: len(world.publisher.published) == 8)
        assert world.dead_lettered == []
        assert run.counted("breaker_state", provider="openai", model="m-1") == 0
        assert sorted(contents(world)) == [f"I like tea {each}." for each in range(8)]


BUDGETS = {
    "user": {"model_user_daily_tokens": 1},
    "deployment": {"model_deployment_daily_tokens": 1},
}


@pytest.mark.parametrize("whose", BUDGETS)
async def test_with_todays_budget_spent_requests_wait_for_tomorrow(
    server: ModelServer, clock: Clock, whose: str
) -> None:
    server.otherwise = faithful
    clock.advance(timedelta(hours=14))  # 23:30
    options = Options(requests_at_once=1, settings=BUDGETS[whose])
    async with modelled(server, clock, options) as run:
        world = run.world
        first, second = window("I like tea."), window("I like rice.", session="s2")
        with capture_logs() as logs:
            async with world.running():
                await world.intake.handle([first, second])
                await world.until(
                    lambda: run.counted("budget_waits_total", task="extraction", budget=whose)
                )
                await later(world, clock, 15 * 60)
                assert len(server.asked) == 1
                assert await pending(world) == 1
                others = window("I like jam.", user="ben", session="s3")
                await world.intake.handle([others])
                await later(world, clock, 1)
                assert len(server.asked) == (2 if whose == "user" else 1)
                await later(world, clock, 15 * 60)
                # The deployment's is spent again by the first of the new day.
                in_all = 3 if whose == "user" else 2
                await world.until(lambda: len(world.publisher.published) == in_all)
                await later(world, clock, 1)
    assert world.dead_lettered == []
    assert world.counted("failures_total", provider="openai/m-1", reason="budget_spent") == 0
    told = [log["error"] for log in logs if log["event"] == "requests wait"]
    # Once a day, however many wait.
    assert told == [f"today's budget of the {whose} is spent"] * (1 if whose == "user" else 2)


async def test_money_is_a_budget_too(server: ModelServer, clock: Clock) -> None:
    server.otherwise = faithful
    options = Options(requests_at_once=1, settings={"model_user_daily_cost": 0.0001})
    async with modelled(server, clock, options) as run:
        world = run.world
        async with world.running():
            await world.intake.handle([window("I like tea."), window("Rice.", session="s2")])
            await world.until(lambda: held(world, "budget_spent", 1))
        spent = await run.spending.of(clock().date(), "ana")
        cost = run.counted("cost_total", provider="openai", task="extraction")
        assert spent.millionths == round(cost * 1_000_000)
        assert spent.millionths >= 100


@pytest.mark.parametrize(
    ("script", "settings", "reason"),
    [
        ([Fails(400)], {}, "prompt_refused"),
        ([Fails(401)], {}, "not_authorised"),
        ([Says("", "refused")], {}, "model_refused"),
        ([], {"model_user_daily_tokens": 0}, "budget_spent"),
        ([Fails(500)], {"model_breaker_failures": 1}, "breaker_open"),
    ],
)
async def test_the_local_rules_stand_in_if_the_settings_say_so_and_are_marked(
    server: ModelServer,
    clock: Clock,
    script: list[Says | Fails],
    settings: dict[str, int],
    reason: str,
) -> None:
    server.script.extend(script)
    options = Options(fallback=True, settings=settings)
    async with modelled(server, clock, options) as run:
        world = run.world
        async with world.running():
            await world.intake.handle([window(BERLIN)])
            if reason == "breaker_open":
                await world.until(lambda: len(server.asked) == 1)
                await asyncio.sleep(0.03)
                await later(world, clock, 5)
            await world.until(lambda: world.publisher.published)
    [event] = published(world)
    assert event.provider == "local-fallback"
    assert [candidate.content for candidate in event.candidates] == ["The user lives in Berlin"]
    assert world.counted("fallbacks_total", reason=reason) == 1
    assert world.dead_lettered == []


async def test_nobody_stands_in_for_a_model_that_is_only_busy(
    server: ModelServer, clock: Clock
) -> None:
    server.script.append(Fails(429, {"retry-after": "2"}))
    server.otherwise = faithful
    async with modelled(server, clock, Options(fallback=True)) as run:
        world = run.world
        async with world.running():
            await world.intake.handle([window(BERLIN)])
            await world.until(lambda: held(world, "rate_limited", 1))
            await later(world, clock, 2)
            await world.until(lambda: world.publisher.published)
    assert published(world)[0].provider == "openai/m-1"


@pytest.mark.parametrize(
    "act", [Fails(500), Fails(401), Fails(400), Says(f"No! {BERLIN}"), Says("", "refused")]
)
async def test_no_log_holds_a_key_or_a_word_of_the_conversation(
    server: ModelServer, run: Modelled, caplog: pytest.LogCaptureFixture, act: Fails | Says
) -> None:
    server.otherwise = lambda _: act
    world = run.world
    with capture_logs() as logs, caplog.at_level(logging.INFO):
        async with world.running():
            await world.intake.handle([window(BERLIN)])
            await world.until(lambda: server.asked)
            await world.until(lambda: not world.workers._in_hand)
    told = f"{logs} {caplog.text} {[str(error) for *_, error in world.dead_lettered]}"
    assert KEY not in told
    assert "Berlin" not in told
