"""Many windows and one model: nothing is lost, nothing twice, and nobody waits for others."""

import asyncio
import random
from datetime import timedelta

import pytest

from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from tests.support.models.model_server import Fails, ModelServer, Says, Sends, Stalls
from tests.support.services.extractor.modelled import (
    BERLIN,
    REPAIRABLE,
    Clock,
    Options,
    contents,
    faithful,
    later,
    modelled,
    pending,
)
from tests.support.windows import window


async def test_whatever_the_server_does_each_window_is_answered_once_or_set_aside_with_why(
    server: ModelServer, clock: Clock
) -> None:
    chance = random.Random(7)
    troubles: list[Says | Fails | Sends] = [
        *REPAIRABLE.values(),
        Fails(429, {"retry-after": "3"}),
        Fails(500),
        Fails(503, {"retry-after": "9"}),
        Fails(401),
        Sends(b"<html>", "text/html"),
        Says("", "refused"),
    ]
    server.otherwise = lambda asked: (
        faithful(asked) if chance.random() < 0.5 else chance.choice(troubles)
    )
    windows = [
        window(f"I like tea {each}.", user=f"u{each % 5}", session=f"s{each}") for each in range(40)
    ]
    async with modelled(server, clock, Options(requests_at_once=8)) as run:
        world = run.world
        async with world.running():
            await world.intake.handle(windows)
            for _ in range(200):
                await later(world, clock, 300)
                if len(world.publisher.published) + len(world.dead_lettered) == len(windows):
                    break
    aside = {event.window_id for _, event, _ in world.dead_lettered}  # type: ignore[attr-defined]
    answered = world.publisher.windows
    assert len(answered) == len(set(answered))
    assert aside.isdisjoint(answered)
    assert aside | set(answered) == {
        extraction_requested.window_id for extraction_requested in windows
    }
    assert sorted(contents(world)) == sorted(
        extraction_requested.fresh[0].text
        for extraction_requested in windows
        if extraction_requested.window_id in answered
    )
    assert {error.reason for _, _, error in world.dead_lettered} <= {  # type: ignore[attr-defined]
        "model_refused",
        "attempts_exhausted",
    }
    assert len(answered) > len(windows) / 2


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", ["publish", "mark_published"])
@pytest.mark.embedded
async def test_killed_after_the_models_answer_it_is_asked_no_second_time(
    database: MongoDatabase, server: ModelServer, clock: Clock, step: str
) -> None:
    server.otherwise = faithful
    request = window(BERLIN)

    async def dies(*_: object, **__: object) -> None:
        raise Killed

    async with modelled(server, clock, Options(ledger=MongoLedger(database))) as before:
        world = before.world
        await world.intake.handle([request])
        setattr(world.publisher if step == "publish" else world.ledger, step, dies)
        leasing = asyncio.create_task(world.workers.run())
        settling = asyncio.create_task(world.workers.settle())
        [ended] = await asyncio.gather(settling, return_exceptions=True)
        assert isinstance(ended, Killed)
        leasing.cancel()
        await asyncio.gather(leasing, return_exceptions=True)

    clock.advance(timedelta(minutes=3))
    options = Options(ledger=MongoLedger(database))
    async with modelled(server, clock, options) as after, after.world.running():
        await after.world.intake.handle([request])
        await after.world.reconciler.look()
        await after.world.until(lambda: after.world.publisher.published)
    assert contents(after.world) == [BERLIN]
    assert len(server.asked) == 1


async def test_while_fifty_windows_wait_for_a_stalled_model_other_work_goes_on(
    server: ModelServer, clock: Clock
) -> None:
    back = asyncio.Event()
    server.otherwise = lambda asked: Stalls(back, faithful(asked))
    requests = [
        window(f"I like tea {each}.", user=f"u{each % 7}", session=f"s{each}") for each in range(60)
    ]
    async with modelled(server, clock, Options(requests_at_once=50)) as run:
        world = run.world
        async with world.running():
            await world.intake.handle(requests)
            await world.until(lambda: server.at_once == 50)
            # What comes in is written down, and what was answered before goes on.
            for number in range(20):
                late = [window("Late.", user="late", session=f"l{number}-{each}") for each in "ab"]
                await world.intake.handle(late)
            await world.reconciler.look()
            assert await pending(world) == 60 + 40 - 50
            assert server.at_once == 50
            assert len(world.workers._in_hand) == 50
            back.set()
            await world.until(lambda: len(world.publisher.published) == 100)
    assert server.most_at_once == 50
    assert len(server.asked) == 100
    assert len(set(world.publisher.windows)) == 100
