"""A window that failed for good: told, kept, and understood once when it is replayed."""

from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.model.errors import PermanentError
from palimpsest_server.stores.ledger import ModelRequestState
from tests.support.clock import SettableClock
from tests.support.services.extractor.world import World
from tests.support.stores.ledger import InMemoryLedger
from tests.support.windows import window


async def failed(world: World) -> int:
    return (await world.ledger.backlog()).counts[ModelRequestState.FAILED]


async def fail_for_good(world: World) -> ExtractionRequested:
    request = window("I live in Berlin.")
    world.provider.failures["I live in Berlin."] = [PermanentError("refused")]
    async with world.running():
        await world.intake.handle([request])
        await world.until(lambda: world.counted("set_aside_requests_total", reason="permanent"))
    return request


async def test_it_is_counted_and_set_aside_with_its_words(clock: SettableClock) -> None:
    world = World(InMemoryLedger(), clock)
    request = await fail_for_good(world)

    [(topic, event, error)] = world.dead_lettered
    assert (topic, event, str(error)) == ("extractions", request, "refused")
    assert await failed(world) == 1
    await world.service.backlog_watch._look()
    assert world.counted("requests", state="failed") == 1


async def test_a_replay_has_it_understood_once_and_ends_the_mark(clock: SettableClock) -> None:
    world = World(InMemoryLedger(), clock)
    request = await fail_for_good(world)

    async with world.running():
        await world.intake.handle([request, request])
        await world.until(lambda: world.publisher.windows)
        # Whoever replayed it died before the letter was marked, and somebody replays it again.
        await world.intake.handle([request])
        await world.until(lambda: world.counted("in_hand_requests") == 0)

    assert world.publisher.windows == [request.window_id]
    assert world.provider.asked == ["I live in Berlin."] * 2
    assert await failed(world) == 0


async def test_a_worker_killed_before_the_mark_sets_it_aside_once_more_as_the_same_letter(
    clock: SettableClock,
) -> None:
    world = World(InMemoryLedger(), clock)
    world.provider.failures["I live in Berlin."] = [PermanentError("refused")] * 2
    marks = world.ledger.fail

    async def die(*_given: object, **_more: object) -> None:
        raise RuntimeError("killed")

    world.ledger.fail = die  # type: ignore[method-assign]
    async with world.running():
        await world.intake.handle([window("I live in Berlin.")])
        await world.until(lambda: world.dead_lettered)
    assert await failed(world) == 0

    world.ledger.fail = marks  # type: ignore[method-assign]
    after = world.restarted()
    await after.reconciler.look(lost_before=after.clock())
    clock.advance(after.service.workers._limits.lease)
    await after.reconciler.look()
    async with after.running():
        await after.until(lambda: after.counted("set_aside_requests_total", reason="permanent"))

    assert {event.event_id for _, event, _ in after.dead_lettered} == {
        after.dead_lettered[0][1].event_id
    }
    assert await failed(after) == 1
