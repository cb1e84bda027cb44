"""Extraction on request: now, once, and the same answer to whoever asks again."""

import asyncio
from contextlib import suppress

import httpx
import pytest
from fastapi import FastAPI

from palimpsest.api.resources import ExtractionStarted
from palimpsest.events.envelope import derive_event_id
from palimpsest.model.change_set import change_set_id
from palimpsest.model.errors import TransientError
from palimpsest_server.domain.extraction_windows import maximum_window_messages
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.summaries import InMemorySummaries
from services.ingest.session_routes import build_session_router
from tests.support.services.ingest.crashing import Crash, Crashing, Moment
from tests.support.services.ingest.world import SESSION, World
from tests.support.turns import message


async def told(world: World, *numbers: int) -> None:
    await world.take(*(message(number) for number in numbers))


async def accept(world: World, number: int) -> None:
    """As over HTTP: it is kept, and has no number yet."""
    said = message(number).model_dump(mode="json", exclude_defaults=True)
    [result] = await world.accepting.accept([{"type": "MessageAdded", **said}])
    assert result.status == 202


def places(started: ExtractionStarted) -> list[tuple[int, int]]:
    return [(window.first_sequence, window.last_sequence) for window in started.windows]


def sent(world: World) -> list[tuple[str, list[int | None]]]:
    return [(event.trigger, [turn.sequence for turn in event.fresh]) for event in world.log.windows]


async def test_what_does_not_fill_a_window_is_sent_when_it_is_asked_for(world: World) -> None:
    await told(world, 1, 2, 3)
    assert world.log.windows == []
    started = await world.extracting.extract(SESSION)
    assert sent(world) == [("requested", [1, 2, 3])]
    [window] = started.windows
    assert (started.turns, started.on_their_way, window.turns) == (3, 0, 3)
    assert window.window_id == world.log.windows[0].window_id
    caused = derive_event_id("CandidatesProposed", "lin", window.window_id)
    assert window.change_set_id == change_set_id("lin", caused)


async def test_asked_again_it_is_the_same_window_and_is_not_sent_again(world: World) -> None:
    await told(world, 1, 2, 3)
    first = await world.extracting.extract(SESSION)
    assert await world.extracting.extract(SESSION) == first
    assert len(world.log.windows) == 1
    await told(world, 4)
    assert places(await world.extracting.extract(SESSION)) == [(4, 4)]
    assert sent(world) == [("requested", [1, 2, 3]), ("requested", [4])]


async def test_asked_by_two_at_once_it_is_sent_once(world: World) -> None:
    await told(world, 1, 2, 3)
    both = await asyncio.gather(*(world.extracting.extract(SESSION) for _ in range(2)))
    assert [places(extraction_started) for extraction_started in both] == [[(1, 3)], [(1, 3)]]
    assert len({event.window_id for event in world.log.windows}) == 1


async def test_where_rounds_have_cut_it_the_last_window_answers(world: World) -> None:
    await told(world, *range(1, 5))
    assert sent(world) == [("rounds", [1, 2, 3, 4])]
    assert places(await world.extracting.extract(SESSION)) == [(1, 4)]
    assert len(world.log.windows) == 1


async def test_of_a_session_in_which_nothing_was_said_there_is_nothing(world: World) -> None:
    started = await world.extracting.extract(SESSION)
    assert (started.turns, started.windows) == (0, ())


async def test_chit_chat_is_in_a_window_and_nothing_will_follow_from_it(world: World) -> None:
    await world.take(message(1, text="你好"))
    [window] = (await world.extracting.extract(SESSION)).windows
    assert (window.turns, window.change_set_id) == (1, None)
    assert world.log.windows == []


async def test_without_automatic_extraction_all_that_waits_is_sent_when_asked_for(
    world: World,
) -> None:
    world.users.settle("lin", automatic_extraction=False)
    many = 3 * maximum_window_messages(world.rounds) + 1
    await told(world, *range(1, many + 1))
    assert world.log.windows == []
    started = await world.extracting.extract(SESSION)
    assert started.turns == many
    fresh = [number for _, numbers in sent(world) for number in numbers]
    assert fresh == list(range(1, many + 1))
    assert not world.log.windows[0].settings.automatic_extraction
    await told(world, many + 1)
    assert len(sent(world)) == len(started.windows)


async def test_with_memory_off_nothing_is_sent(world: World) -> None:
    await told(world, 1, 2)
    world.users.settle("lin", memory_enabled=False)
    assert (await world.extracting.extract(SESSION)).turns == 0
    assert world.log.windows == []


async def test_what_was_accepted_and_has_no_place_yet_is_waited_for_a_moment(
    world: World,
) -> None:
    await accept(world, 1)
    started = await world.extracting.extract(SESSION)
    assert (started.turns, started.on_their_way) == (0, 1)
    asking = asyncio.create_task(world.extracting.extract(SESSION))
    await asyncio.sleep(0)
    await told(world, 1)
    started = await asking
    assert (started.turns, started.on_their_way) == (1, 0)


async def test_kafka_away_the_window_is_kept_and_sent_later(world: World) -> None:
    await told(world, 1, 2, 3)
    world.log.down = True
    with pytest.raises(TransientError):
        await world.extracting.extract(SESSION)
    world.log.down = False
    assert places(await world.extracting.extract(SESSION)) == [(1, 3)]
    assert sent(world) == [("requested", [1, 2, 3])]


@pytest.mark.parametrize("moment", list(Moment))
async def test_killed_between_any_two_steps_each_turn_is_fresh_in_one_window(
    moment: Moment,
) -> None:
    at_call = 0
    while True:
        at_call += 1
        world = World()
        await told(world, 1, 2, 3)
        process = Crashing(at_call, moment)
        world.around = process.around
        world.start()
        with suppress(Crash):
            await world.extracting.extract(SESSION)
        over = not process.dead
        world.around = Crashing().around
        world.start()
        assert places(await world.extracting.extract(SESSION)) == [(1, 3)]
        await world.reconcile()
        assert {tuple(numbers) for _, numbers in sent(world)} == {(1, 2, 3)}
        assert len({event.event_id for event in world.log.windows}) == 1
        if over:
            break
    assert at_call > 5


@pytest.mark.embedded
async def test_the_same_in_the_database(database: MongoDatabase) -> None:
    world = World.on(database)
    await told(world, *range(1, 8))
    started = await world.extracting.extract(SESSION)
    assert places(started) == [(5, 7)]
    assert await world.extracting.extract(SESSION) == started
    await accept(world, 8)
    assert await world.keeping.turns.count_unnumbered(SESSION) == 1
    await told(world, 8)
    assert await world.keeping.turns.count_unnumbered(SESSION) == 0


async def test_it_is_asked_for_over_http(world: World) -> None:
    await told(world, 1, 2, 3)
    app = FastAPI()
    summaries = InMemorySummaries()
    app.include_router(build_session_router(summaries, world.users, world.clock, world.extracting))
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://ingest") as http:
        answer = await http.post("/v1/sessions/s/extract", params={"user_id": "lin"})
        without = await http.post("/v1/sessions/s/extract")
    assert answer.status_code == 202
    assert ExtractionStarted.model_validate_json(answer.content).turns == 3
    assert without.status_code == 422
