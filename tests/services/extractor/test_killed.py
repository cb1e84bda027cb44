"""A worker that dies between any two steps: nothing is lost, and nobody is asked twice for nothing."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from palimpsest_server.stores.ledger import ModelRequestLease
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.mongo.ledger import MongoLedger
from tests.support.clock import SettableClock
from tests.support.services.extractor.world import World
from tests.support.windows import window


class Killed(BaseException):
    """The process ends here."""


def _fails_before(world: World, step: str) -> None:
    """The process dies just before this step; what was done before it stands."""

    async def dies(*_: object, **__: object) -> None:
        raise Killed

    owner: object = world.publisher if step == "publish" else world.ledger
    setattr(owner, step, dies)


@pytest.mark.parametrize("step", ["publish", "mark_published"])
@pytest.mark.parametrize("volatile", [True, False])
@pytest.mark.embedded
async def test_killed_after_the_answer_the_provider_is_asked_no_second_time(
    database: MongoDatabase, clock: SettableClock, step: str, volatile: bool
) -> None:
    request = window("I live in Berlin.")
    before = World(MongoLedger(database), clock)
    await before.intake.handle([request])
    _fails_before(before, step)
    settling = await _until_killed(before)
    assert before.provider.asked == ["I live in Berlin."]
    assert settling

    clock.advance(timedelta(seconds=1) if volatile else timedelta(minutes=3))
    after = World(MongoLedger(database), clock, provider=before.provider)
    async with after.running():
        await after.intake.handle([request])
        await after.reconciler.look(lost_before=clock() if volatile else None)
        await after.until(lambda: after.publisher.published)
        clock.advance(timedelta(minutes=3))
        await after.reconciler.look()
    assert len(after.provider.asked) == 1
    assert set(after.publisher.windows) == {request.window_id}


async def _until_killed(world: World) -> bool:
    leasing = asyncio.create_task(world.workers.run())
    settling = asyncio.create_task(world.workers.settle())
    ended = await asyncio.gather(settling, return_exceptions=True)
    leasing.cancel()
    await asyncio.gather(leasing, return_exceptions=True)
    return isinstance(ended[0], Killed)


async def test_killed_before_the_answer_was_stored_it_is_asked_again_when_the_lease_ends(
    world: World, clock: SettableClock
) -> None:
    world.provider.stalled.clear()
    async with world.running():
        await world.intake.handle([window()])
        await world.until(lambda: world.provider.at_once)
    after = world.restarted()
    world.provider.stalled.set()
    clock.advance(timedelta(seconds=119))
    await after.reconciler.look()
    assert await _leased(after, clock) == []
    clock.advance(timedelta(seconds=1))
    await after.reconciler.look()
    async with after.running():
        await after.until(lambda: after.publisher.published)
    assert after.counted("reconciled_requests_total", outcome="released") == 1


async def _leased(world: World, clock: Callable[[], datetime]) -> list[ModelRequestLease]:
    now = clock()
    return await world.ledger.lease(limit=9, until=now + timedelta(minutes=2), now=now)


async def test_a_request_that_killed_its_worker_every_time_is_not_tried_for_ever(
    world: World, clock: SettableClock
) -> None:
    await world.intake.handle([window()])
    for _ in range(3):
        now = clock()
        assert await world.ledger.lease(limit=1, until=now + timedelta(minutes=2), now=now)
        clock.advance(timedelta(minutes=2))
        await world.reconciler.look()
    async with world.running():
        await world.until(lambda: world.dead_lettered)
    assert world.provider.asked == []
