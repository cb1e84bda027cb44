"""From a request on the topic to candidates on theirs, whatever happens on the way."""

import asyncio
from datetime import timedelta
from functools import partial
from typing import Any

import pytest

from palimpsest.events.extractor_answers import CandidatesProposed
from palimpsest.model.errors import PermanentError, TransientError
from palimpsest_language.local_extraction.local_extractor import LocalExtractor
from palimpsest_server.stores.ledger import ModelRequestState
from tests.support.clock import SettableClock
from tests.support.services.extractor.world import KafkaAway, World
from tests.support.stores.ledger import InMemoryLedger
from tests.support.windows import window


def _asked(world: World, text: str, times: int) -> bool:
    return world.provider.asked.count(text) == times


async def test_a_request_becomes_candidates(world: World) -> None:
    request = window("I live in Berlin.")
    async with world.running():
        await world.intake.handle([request])
        await world.until(lambda: world.publisher.published)
    [event] = world.publisher.published
    assert isinstance(event, CandidatesProposed)
    assert event.window_id == request.window_id
    assert [candidate.content for candidate in event.candidates] == ["I live in Berlin."]
    assert world.counted("answers_total", provider="scripted") == 1


async def test_an_empty_answer_is_published_too(world: World) -> None:
    async with world.running():
        await world.intake.handle([window("x")])  # too short to be quoted
        await world.until(lambda: world.publisher.published)
    [event] = world.publisher.published
    assert isinstance(event, CandidatesProposed)
    assert event.candidates == ()
    assert (
        world.counted("dropped_proposals_total", provider="scripted", flaw="quote_not_found") == 1
    )


async def test_what_comes_in_one_after_another_is_leased_together(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[int] = []
    lease = world.ledger.lease

    async def counted(**asked: Any) -> Any:
        leases = await lease(**asked)
        looks.append(len(leases))
        return leases

    monkeypatch.setattr(world.ledger, "lease", counted)
    async with world.running():
        for number in range(4):
            await world.intake.handle([window(session=f"s{number}")])
            await asyncio.sleep(0.005)
        await world.until(lambda: len(world.publisher.published) == 4)
    assert sum(looks) == 4
    assert len(looks) <= 4


async def test_what_a_model_said_waits_for_no_answer_of_the_rules(clock: SettableClock) -> None:
    world = World(InMemoryLedger(), clock, answer_wait_seconds=60.0)
    async with world.running():
        world.provider.name = LocalExtractor.name
        await world.intake.handle([window(session="s1")])
        await world.until(lambda: world.provider.asked)
        await asyncio.sleep(0.01)
        assert not world.publisher.published
        world.provider.name = "scripted"
        await world.intake.handle([window(session="s2")])
        await world.until(lambda: len(world.publisher.published) == 2)


async def test_what_is_written_down_wakes_an_idle_worker_at_once(world: World) -> None:
    async with world.running():
        await asyncio.sleep(0.01)
        started = asyncio.get_running_loop().time()
        await world.intake.handle([window()])
        await world.until(lambda: world.publisher.published)
    assert asyncio.get_running_loop().time() - started < 0.5


async def test_redelivery_asks_nobody_twice_and_changes_nothing(world: World) -> None:
    request = window()
    async with world.running():
        await world.intake.handle([request, request])
        await world.until(lambda: world.publisher.published)
        await world.intake.handle([request])
        await asyncio.sleep(0.02)
    assert len(world.provider.asked) == 1
    assert len(world.publisher.published) == 1


async def test_so_many_at_once_and_no_more(world: World) -> None:
    world.provider.stalled.clear()
    requests = [window("I live here.", session=f"s{number}") for number in range(10)]
    async with world.running():
        await world.intake.handle(requests)
        await world.until(lambda: world.provider.at_once == 4)
        await asyncio.sleep(0.02)
        world.provider.stalled.set()
        await world.until(lambda: len(world.publisher.published) == 10)
    assert world.provider.most_at_once == 4


async def test_a_session_is_worked_on_one_window_at_a_time(world: World) -> None:
    world.provider.stalled.clear()
    requests = [window(f"Window {number}.", name=str(number)) for number in range(3)]
    async with world.running():
        await world.intake.handle(requests)
        await world.until(lambda: world.provider.at_once == 1)
        await asyncio.sleep(0.02)
        world.provider.stalled.set()
        await world.until(lambda: len(world.publisher.published) == 3)
    assert world.provider.most_at_once == 1
    assert world.provider.asked == ["Window 0.", "Window 1.", "Window 2."]


async def test_a_busy_user_does_not_keep_the_others_waiting(clock: SettableClock) -> None:
    world = World(InMemoryLedger(), clock, requests_at_once=1)
    busy = [window(f"Ana {each}", user="ana", session=f"s{each}") for each in range(6)]
    calm = [window(f"Ben {each}", user="ben", session=f"s{each}") for each in range(2)]
    await world.intake.handle([*busy, *calm])
    async with world.running():
        await world.until(lambda: len(world.publisher.published) == 8)
    assert {text[:3] for text in world.provider.asked[:2]} == {"Ana", "Ben"}
    assert {text[:3] for text in world.provider.asked[2:4]} == {"Ana", "Ben"}


async def test_a_failing_request_is_tried_again_later_and_then_set_aside(
    world: World, clock: SettableClock
) -> None:
    world.provider.failures["Bad."] = [RuntimeError("no")] * 10
    good = [window(f"Good {each}.", session=f"g{each}") for each in range(3)]
    bad = window("Bad.", session="bad")
    async with world.running():
        await world.intake.handle([bad, *good])
        await world.until(lambda: len(world.publisher.published) == 3)
        await asyncio.sleep(0.02)
        assert world.provider.asked.count("Bad.") == 1
        for attempts, delay in ((2, 5), (3, 10)):
            clock.advance(timedelta(seconds=delay))
            world.wake.set()
            await world.until(partial(_asked, world, "Bad.", attempts))
        await world.until(lambda: world.dead_lettered)
    [(topic, event, error)] = world.dead_lettered
    assert (topic, event) == ("extractions", bad)
    assert isinstance(error, PermanentError)
    assert error.reason == "attempts_exhausted"
    assert (await world.ledger.backlog()).counts[ModelRequestState.FAILED] == 1
    assert world.counted("failures_total", provider="scripted", reason="unexpected") == 3


async def test_what_can_never_succeed_is_set_aside_at_once(world: World) -> None:
    world.provider.failures["Bad."] = [PermanentError("refused")]
    async with world.running():
        await world.intake.handle([window("Bad.")])
        await world.until(lambda: world.dead_lettered)
    assert world.provider.asked == ["Bad."]


async def test_a_provider_that_asks_for_patience_gets_it(
    world: World, clock: SettableClock
) -> None:
    world.provider.failures["Busy."] = [TransientError("429", retry_after_seconds=60)]
    async with world.running():
        await world.intake.handle([window("Busy.")])
        await world.until(
            lambda: world.counted("failures_total", provider="scripted", reason="transient")
        )
        clock.advance(timedelta(seconds=59))
        world.wake.set()
        await asyncio.sleep(0.02)
        assert len(world.provider.asked) == 1
        clock.advance(timedelta(seconds=1))
        world.wake.set()
        await world.until(lambda: world.publisher.published)


async def test_while_kafka_is_away_answers_wait_and_nobody_is_asked_again(world: World) -> None:
    world.publisher.failures = [KafkaAway("away") for _ in range(5)]
    async with world.running():
        await world.intake.handle([window()])
        await world.until(lambda: world.publisher.published)
    assert len(world.provider.asked) == 1


async def test_an_answer_too_large_for_kafka_is_set_aside_alone(world: World) -> None:
    large, small = window("One.", session="1"), window("Two.", session="2")
    world.publisher.too_large = {large.window_id}
    world.provider.stalled.clear()
    async with world.running():
        await world.intake.handle([large, small])
        await world.until(lambda: world.provider.at_once == 2)
        world.provider.stalled.set()
        await world.until(lambda: world.publisher.published and world.dead_lettered)
    [(topic, event, _)] = world.dead_lettered
    assert topic == "candidates"
    assert isinstance(event, CandidatesProposed)
    assert event.window_id == large.window_id
    assert world.publisher.windows == [small.window_id]


async def test_work_of_an_older_epoch_is_not_taken_in(world: World) -> None:
    world.states.epochs["ana"] = 1
    old, new = window(name="old", epoch=0), window(name="new", epoch=1)
    async with world.running():
        await world.intake.handle([old, new])
        await world.until(lambda: world.publisher.published)
    assert world.publisher.windows == [new.window_id]
    assert await world.ledger.known([old.window_id]) == {old.window_id}
    assert world.counted("dropped_requests_total", reason="older_epoch") == 1


async def test_an_answer_that_comes_after_everything_was_forgotten_is_dropped(
    world: World,
) -> None:
    world.provider.stalled.clear()
    request = window()
    async with world.running():
        await world.intake.handle([request])
        await world.until(lambda: world.provider.at_once)
        world.states.epochs["ana"] = 1
        world.provider.stalled.set()
        await world.until(lambda: world.counted("dropped_requests_total", reason="older_epoch"))
    assert world.publisher.published == []
    assert await world.ledger.answers([request.window_id]) == []


async def test_what_is_in_hand_is_finished_before_the_end(world: World) -> None:
    world.provider.stalled.clear()
    async with world.running():
        await world.intake.handle([window()])
        await world.until(lambda: world.provider.at_once)
        asyncio.get_running_loop().call_later(0.02, world.provider.stalled.set)
        await world.workers.finish(within=timedelta(seconds=5))
        assert len(world.publisher.published) == 1


async def test_what_is_not_finished_in_time_is_given_back(world: World) -> None:
    world.provider.stalled.clear()
    async with world.running():
        await world.intake.handle([window()])
        await world.until(lambda: world.provider.at_once)
        await world.workers.finish(within=timedelta(seconds=0.01))
    assert (await world.ledger.backlog()).counts[ModelRequestState.PENDING] == 1
