"""What was answered is sent again until its effect was seen."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from palimpsest.model.change_set import change_set_id
from services.extractor.reconciler import (
    CONFIRMATION_INTERVAL,
    PUBLISHED_MARK_DELAY,
    UNPUBLISHED_GRACE,
)
from tests.support.clock import SettableClock
from tests.support.services.extractor.world import World
from tests.support.stores.dead_letters import letter
from tests.support.windows import window


async def test_with_a_log_that_was_lost_everything_is_moved_on_at_once(
    world: World, clock: SettableClock
) -> None:
    async with world.running():
        await world.intake.handle([window()])
        await world.until(lambda: world.publisher.published)
        await asyncio.sleep(0.01)
    clock.advance(timedelta(seconds=1))
    after = world.restarted()
    await after.reconciler.look(lost_before=clock())
    assert len(after.publisher.published) == 2
    assert after.publisher.published[0] == after.publisher.published[1]


async def test_what_had_its_effect_is_confirmed_and_not_sent_again(
    world: World, clock: SettableClock
) -> None:
    request = window()
    async with world.running():
        await world.intake.handle([request])
        await world.until(lambda: world.publisher.published)
        await asyncio.sleep(0.01)
    [event] = world.publisher.published
    world.change_sets.decided.add(change_set_id("ana", event.event_id))
    clock.advance(timedelta(hours=1))
    await world.reconciler.look()
    await world.reconciler.look()
    assert len(world.publisher.published) == 1
    assert world.counted("reconciled_requests_total", outcome="confirmed") == 1
    assert await world.ledger.answers([request.window_id]) == [event]


async def test_what_had_its_effect_before_its_mark_was_written_is_confirmed(
    world: World, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    request = window()

    async def lost(*_: object, **__: object) -> None:
        return None

    monkeypatch.setattr(world.ledger, "mark_published", lost)
    async with world.running():
        await world.intake.handle([request])
        await world.until(lambda: world.publisher.published)
    [event] = world.publisher.published
    world.change_sets.decided.add(change_set_id("ana", event.event_id))
    world.published.note({request.window_id: clock()})
    clock.advance(timedelta(seconds=5))
    await world.reconciler.look()
    assert world.counted("reconciled_requests_total", outcome="confirmed") == 1
    assert not world.published.waiting([request.window_id])
    clock.advance(timedelta(hours=1))
    await world.reconciler.look(lost_before=clock())
    assert len(world.publisher.published) == 1


async def test_what_a_later_stage_set_aside_is_not_sent_again(
    world: World, clock: SettableClock
) -> None:
    async with world.running():
        await world.intake.handle([window()])
        await world.until(lambda: world.publisher.published)
        await asyncio.sleep(0.01)
    [event] = world.publisher.published
    await world.dead_letters.put(
        [letter("l", event_id=event.event_id, user_id=event.user_id, topic="writes")]
    )
    for _ in range(2):
        clock.advance(timedelta(hours=1))
        await world.reconciler.look()
    assert len(world.publisher.published) == 1
    assert world.counted("dropped_requests_total", reason="set_aside") == 1


async def test_what_has_no_effect_is_sent_again_after_the_grace_and_not_before(
    world: World, clock: SettableClock
) -> None:
    async with world.running():
        await world.intake.handle([window()])
        await world.until(lambda: world.publisher.published)
        await asyncio.sleep(0.01)
    clock.advance(timedelta(minutes=9))
    await world.reconciler.look()
    assert len(world.publisher.published) == 1
    clock.advance(timedelta(minutes=1))
    await world.reconciler.look()
    await world.reconciler.look()
    assert len(world.publisher.published) == 2


@pytest.mark.parametrize("grace", [UNPUBLISHED_GRACE, timedelta(minutes=10)])
async def test_what_is_sent_again_is_not_sent_at_every_look_until_its_mark_is_written(
    world: World, clock: SettableClock, grace: timedelta
) -> None:
    dying = replace(world, marks_late=True)
    async with dying.running():
        await dying.intake.handle([window()])
        await dying.until(lambda: dying.publisher.published)
        await asyncio.sleep(0.01)
    if grace > UNPUBLISHED_GRACE:
        await dying.published.flush()
    after = dying.restarted()
    clock.advance(grace)
    await after.reconciler.look()
    assert len(after.publisher.published) == 2
    clock.advance(CONFIRMATION_INTERVAL)
    await after.reconciler.look()
    assert len(after.publisher.published) == 2
    await after.published.flush()
    clock.advance(timedelta(minutes=10))
    await after.reconciler.look()
    assert len(after.publisher.published) == 3


async def test_what_was_published_is_not_sent_again_because_its_mark_is_late(
    world: World, clock: SettableClock
) -> None:
    busy = replace(world, marks_late=True)
    async with busy.running():
        await busy.intake.handle([window()])
        await busy.until(lambda: busy.publisher.published)
        await asyncio.sleep(0.01)
    clock.advance(PUBLISHED_MARK_DELAY + timedelta(seconds=3))
    await busy.reconciler.look()
    assert len(busy.publisher.published) == 1
