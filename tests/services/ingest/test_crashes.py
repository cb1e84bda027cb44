"""A crash between every two steps of ingest, and the same end state as without one."""

from collections.abc import Callable, Iterable, Sequence
from datetime import timedelta
from itertools import cycle, repeat
from typing import Any

import pytest

from palimpsest.events.conversations import RememberRequested, SessionEnded, SessionStarted
from palimpsest.events.envelope import Event
from palimpsest.events.event_ids import assign_event_id
from palimpsest.events.extractor_requests import ExtractionRequested
from palimpsest.events.topics import CONVERSATIONS
from palimpsest.events.writes import TurnStored
from palimpsest_server.stores.accepted_requests import request_id
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.outbox import OutboxState
from palimpsest_server.stores.sessions import SessionKey
from services.ingest.ingest_stores import IngestStores
from services.ingest.turn_conversion import rebuild_message
from tests.support.extent import EVERY
from tests.support.services.ingest.crashing import Crash, Crashing, Moment
from tests.support.services.ingest.world import GRACE, SESSION, World
from tests.support.turns import MORNING, message

Batches = Sequence[Sequence[Event]]


def conversation(user_id: str) -> Batches:
    """Sessions of one user: rounds, greetings, a wish to remember, ends amidst it and alone."""

    def said(number: int, **more: Any) -> Event:
        return message(number, user_id=user_id, **more)

    started = SessionStarted(
        user_id=user_id, session_id="s", participants=("planner",), occurred_at=MORNING
    )
    remember = RememberRequested(
        user_id=user_id, session_id="s", content="密码是 abc123", occurred_at=MORNING
    )

    def ended(session_id: str) -> Event:
        moment = MORNING + timedelta(minutes=9)
        return SessionEnded(user_id=user_id, session_id=session_id, occurred_at=moment)

    return [
        [started, said(1), said(2), said(1, session_id="t", text="你好")],
        [said(3), remember, said(4), said(5)],
        [said(6), ended("s"), said(7)],
        [said(n) for n in range(8, 12)],
        [said(2, session_id="t", text="谢谢"), said(3, session_id="t", text="再见"), said(4, session_id="t", text="拜拜"),
         said(1, session_id="u"), said(2, session_id="u")],
        [ended("u"), said(3, session_id="u")],
    ]  # fmt: skip


async def work_through(world: World, batches: Batches) -> None:
    """As the consumer does: a batch comes again until it was handled to its end."""
    offset = 0
    while offset < len(batches):
        try:
            assert await world.hand_over(batches[offset]) == []
        except Crash:
            world.around = Crashing().around
            world.start()
            # Another machine has another clock.
            world.clock.advance(-timedelta(seconds=0.5))
        else:
            offset += 1
            if offset % 2 == 0:
                await flush(world)


async def flush(world: World) -> None:
    """What trails behind is written now and then; at a crash it is lost."""
    try:
        await world.flush()
    except Crash:
        world.around = Crashing().around
        world.start()


async def settle(world: World) -> None:
    """Later: silent sessions are closed, and everything has had its effect."""
    settled = taken_again = 0
    while settled < 2:
        try:
            await world.reconcile()
            again = world.log.on(CONVERSATIONS)[taken_again:]
            assert await world.hand_over(again) == []
            taken_again += len(again)
            world.clock.advance(timedelta(minutes=31))
            await world.idle_sessions.close()
            await world.flush()
        except Crash:
            world.around = Crashing().around
            world.start()
        else:
            settled += 1


async def end_state(keeping: IngestStores, batches: Batches) -> dict[str, Any]:
    """Everything ingest keeps, but for moments."""
    user_id = batches[0][0].user_id
    keys = [SessionKey(user_id, session_id) for session_id in "stu"]
    turns = [turn for key in keys for turn in await keeping.turns.stretch(key, after=0, limit=99)]
    sessions = await keeping.sessions.of(keys)
    kept = await keeping.turns.standing([turn.id for turn in turns])
    requests = await keeping.requests.standing(_requests(batches))
    return {
        "turns": [
            (turn.session_id, turn.sequence, turn.message_id, turn.text, kept[turn.id].state)
            for turn in turns
        ],
        "sessions": [
            (session.last_sequence, session.windowed_through, session.participants, session.idle_at)
            for session in sessions.values()
        ],
        "requests": sorted((kept.item.type, kept.state) for kept in requests.values()),
    }


def _requests(batches: Batches) -> list[str]:
    return [
        request_id(event.user_id, assign_event_id(event).event_id)
        for batch in batches
        for event in batch
        if isinstance(event, RememberRequested | SessionStarted | SessionEnded)
    ]


def windows_of(
    world: World,
) -> list[tuple[str, str, tuple[int, ...], tuple[int, ...]]]:
    """The windows that were sent, each once however often it was published."""
    return sorted(
        {
            (
                extraction_requested.session_id,
                extraction_requested.trigger,
                tuple(turn.sequence or 0 for turn in extraction_requested.fresh),
                tuple(turn.sequence or 0 for turn in extraction_requested.context),
            )
            for extraction_requested in world.log.of(ExtractionRequested, lost=True)
        }
    )


def published(world: World) -> set[tuple[str, int | None]]:
    turns = {
        (turn_stored.turn.message_id, turn_stored.turn.sequence)
        for turn_stored in world.log.of(TurnStored)
    }
    return turns | {
        (remember_requested.content, None) for remember_requested in world.log.of(RememberRequested)
    }


MORE_CALLS = 2
"""Than an undisturbed run makes: the last runs are without a crash."""

CALLS_OVER_HTTP = 180
"""All 127 calls until the topic is read to its end, and some fifty of the 230 that settle it."""

UNDISTURBED_WINDOWS = [
    ("s", "idle", (11,), (8, 9, 10)),
    ("s", "rounds", (1, 2, 3, 4), ()),
    ("s", "rounds", (7, 8, 9, 10), (4, 5, 6)),
    ("s", "session_end", (5, 6), (2, 3, 4)),
    ("u", "idle", (3,), (1, 2)),
    ("u", "session_end", (1, 2), ()),
]


async def undisturbed(make: Callable[[], World], user_id: str) -> tuple[World, int]:
    """A run without a crash, and how many calls it makes."""
    process = Crashing()
    world = make()
    world.around = process.around
    world.start()
    await work_through(world, conversation(user_id))
    await settle(world)
    return world, process.calls


def first_call(moment: Moment) -> int:
    """Return another one for each moment, so that there is a crash at each call."""
    return 1 + list(Moment).index(moment) % EVERY


async def assert_same_end(
    make: Callable[[], World], moments: Iterable[Moment], *, first: int = 1, every: int
) -> None:
    calm, calls = await undisturbed(make, "calm")
    expected = await end_state(calm.keeping, conversation("calm"))
    assert windows_of(calm) == UNDISTURBED_WINDOWS

    for at_call, moment in zip(range(first, calls + MORE_CALLS, every), moments, strict=False):
        batches = conversation(f"lin-{at_call}-{moment.value}")
        world = make()
        world.around = Crashing(at_call, moment).around
        world.start()
        await work_through(world, batches)
        await settle(world)

        assert await end_state(world.keeping, batches) == expected, at_call
        assert windows_of(world) == UNDISTURBED_WINDOWS, at_call
        assert published(world) == published(calm), at_call


@pytest.mark.parametrize("moment", Moment)
async def test_a_crash_at_any_call_changes_nothing_in_the_end(moment: Moment) -> None:
    """With marks that trail behind, as in the service, and are lost."""
    await assert_same_end(
        lambda: World(late=True), repeat(moment), first=first_call(moment), every=EVERY
    )


@pytest.mark.embedded
async def test_the_same_on_a_database(database: MongoDatabase) -> None:
    """At some of the points: the twins hold to the same contracts."""
    await assert_same_end(lambda: World.on(database), cycle(Moment), every=8 * EVERY - 1)


@pytest.mark.parametrize("moment", Moment)
async def test_a_crash_that_takes_the_broker_with_it_loses_nothing_kept(moment: Moment) -> None:
    """Over HTTP, on the embedded broker: its log goes with the process, at any call."""
    for at_call in range(first_call(moment), CALLS_OVER_HTTP, 2 * EVERY - 1):
        batches = conversation("lin")
        process = Crashing(at_call, moment)
        world = World(around=process.around, late=True)
        for batch in batches:
            await over_http(world, batch)
        await consume(world)
        await settle_on_a_volatile_log(world)

        state = await end_state(world.keeping, batches)
        order = {
            session: [m for s, _, m, *_ in state["turns"] if s == session] for session in "stu"
        }
        assert order["s"] == [f"m{number}" for number in range(1, 12)], at_call
        assert order["t"] == [f"m{number}" for number in range(1, 5)], at_call
        assert order["u"] == ["m1", "m2", "m3"], at_call
        assert {kept for *_, kept in state["turns"]} == {OutboxState.CONFIRMED}, at_call
        assert {kept for _, kept in state["requests"]} == {OutboxState.CONFIRMED}, at_call
        fresh = [
            n for session, _, numbers, _ in windows_of(world) if session == "s" for n in numbers
        ]
        assert sorted(fresh) == list(range(1, 12)), at_call


async def over_http(world: World, batch: Sequence[Event]) -> None:
    """A client that tries again until it is answered."""
    bodies = [
        event.model_dump(mode="json", exclude={"vectors"}, exclude_defaults=True)
        | {"type": event.type}
        for event in batch
    ]
    while True:
        try:
            results = await world.accepting.accept(bodies)
        except Crash:
            await restart(world)
        else:
            assert {result.status for result in results} == {202}
            return


async def restart(world: World) -> None:
    world.downstream.work()
    world.log.lose()
    world.around = Crashing().around
    world.start()
    world.clock.advance(timedelta(seconds=5))
    await world.reconciler.look(world.clock())


async def consume(world: World) -> None:
    """Everything on `conversations`, three at a time, from where the group stood."""
    position = 0
    while batch := world.log.on(CONVERSATIONS)[position : position + 3]:
        try:
            assert await world.hand_over(batch) == []
        except Crash:
            await restart(world)
            position = 0
        else:
            position += len(batch)


async def settle_on_a_volatile_log(world: World) -> None:
    settled = 0
    while settled < 2:
        try:
            await world.flush()
            await world.reconcile()
            world.clock.advance(timedelta(minutes=31))
            await world.idle_sessions.close()
        except Crash:
            await restart(world)
        else:
            settled += 1
        await consume(world)


async def test_a_whole_topic_published_again_changes_nothing() -> None:
    world = World()
    batches = conversation("lin")
    await work_through(world, batches)
    await settle(world)
    before, published_before = await end_state(world.keeping, batches), list(world.log.published)

    everything = [event for batch in batches for event in batch]
    assert await world.take(*everything) == []
    await settle(world)

    assert await end_state(world.keeping, batches) == before
    assert world.log.published == published_before


@pytest.mark.parametrize("clock_moves", [GRACE, -GRACE], ids=["later", "with a clock behind"])
async def test_a_session_ends_behind_what_a_dead_process_had_numbered_and_comes_once_more(
    clock_moves: timedelta,
) -> None:
    """How far the session was died with it, and the turns arrive again behind the end."""
    world = World(late=True)
    said = [message(number) for number in (1, 2)]
    assert await world.take(*said) == []
    numbered = await world.keeping.turns.stretch(SESSION, after=0, limit=9)
    world.start()
    world.clock.advance(clock_moves)
    ended = SessionEnded(user_id="lin", session_id="s", occurred_at=MORNING + timedelta(minutes=9))

    again = [rebuild_message(turn) for turn in numbered]
    assert await world.take(ended, *again, message(3)) == []
    await settle(world)

    assert windows_of(world) == [("s", "idle", (3,), (1, 2)), ("s", "session_end", (1, 2), ())]


async def test_a_session_ends_behind_all_its_turns_though_an_earlier_one_comes_once_more() -> None:
    """A dead process had numbered two; the first was published again in front of the end."""
    world = World(late=True)
    assert await world.take(message(1), message(2)) == []
    first = (await world.keeping.turns.stretch(SESSION, after=0, limit=1))[0]
    world.start()
    ended = SessionEnded(user_id="lin", session_id="s", occurred_at=MORNING + timedelta(minutes=9))

    assert await world.take(rebuild_message(first), ended) == []
    await settle(world)

    assert windows_of(world) == [("s", "session_end", (1, 2), ())]
