import asyncio
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Any

import pytest
from structlog import get_logger
from structlog.testing import capture_logs

from palimpsest.events.conversations import RememberRequested, SessionEnded
from palimpsest.events.envelope import Event
from palimpsest.events.topics import CANDIDATES, CONVERSATIONS, EXTRACTIONS, Topic
from palimpsest.events.writes import TurnStored
from palimpsest.model.errors import EventTooLarge, TransientError
from palimpsest.model.turn import turn_id
from palimpsest_server.delivery.reconciliation import PeriodicReconciliation, ReconcilerTimes
from palimpsest_server.stores.accepted_requests import request_id
from palimpsest_server.stores.outbox import Outbox, OutboxState
from tests.support.eventually import eventually
from tests.support.services.ingest.world import GRACE, IDLE, World
from tests.support.stores.dead_letters import letter
from tests.support.turns import MORNING, message, turn

REMEMBER = RememberRequested(
    event_id="r", user_id="lin", content="I like tea.", occurred_at=MORNING
)


async def turn_states(world: World, *numbers: int) -> list[OutboxState]:
    ids = [turn_id("lin", "s", f"m{number}") for number in numbers]
    standing = await world.keeping.turns.standing(ids)
    return [standing[each].state for each in ids]


async def nothing_pending(outbox: Outbox[Any]) -> bool:
    end = MORNING + timedelta(days=365)
    stored = await outbox.due(OutboxState.STORED, before=end)
    return not [*stored, *await outbox.due(OutboxState.PUBLISHED, before=end)]


async def test_what_was_kept_and_never_published_goes_to_conversations_again(world: World) -> None:
    ended = SessionEnded(event_id="e", user_id="lin", session_id="s", occurred_at=MORNING)
    await world.keeping.turns.accept([turn(n, sequence=None) for n in (2, 1)], now=world.clock())
    await world.keeping.requests.accept([REMEMBER, ended], now=world.clock())

    await world.reconciler.look()
    assert world.log.published == []

    await world.reconcile()
    again = world.log.on(CONVERSATIONS)
    assert [getattr(event, "message_id", None) for event in again[:2]] == ["m2", "m1"]
    assert again[2:] == [ended]
    # What is to be remembered has no number to be given: it goes straight to the embedder.
    assert world.log.on(CANDIDATES) == [REMEMBER]

    await world.reconciler.look()
    assert len(world.log.on(CONVERSATIONS)) == 3
    assert len(world.log.on(CANDIDATES)) == 1

    await world.take(*again)
    assert await world.published(1, 2)


async def test_what_the_database_stores_behind_the_first_look_is_published_again_too(
    world: World,
) -> None:
    looks = 0

    async def look(lost_before: datetime | None) -> None:
        nonlocal looks
        await world.reconciler.look(lost_before)
        looks += 1
        if looks == 1:
            # An earlier process asked for this, and had ended before it was done.
            await world.keeping.requests.accept([REMEMBER], now=MORNING)

    times = ReconcilerTimes(interval=GRACE, grace=GRACE, late_writes=timedelta())
    loop = PeriodicReconciliation(look, times, log=get_logger(), failure="not reconciled")
    world.clock.advance(timedelta(seconds=1))
    watching = asyncio.create_task(loop.run(lost_before=world.clock()))
    await eventually(lambda: world.log.on(CANDIDATES) == [REMEMBER])
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


@pytest.mark.parametrize("said", ["before its end", "after its end"])
async def test_what_was_said_before_a_sessions_end_is_extracted_though_it_comes_behind_it(
    world: World, said: str
) -> None:
    after = timedelta(seconds=-1 if said == "before its end" else 1)
    late = [
        turn(n, sequence=None).model_copy(update={"received_at": MORNING + after}) for n in (2, 3)
    ]
    await world.take(message(1))
    await world.keeping.turns.accept(late, now=MORNING)
    await world.take(
        SessionEnded(
            event_id="e", user_id="lin", session_id="s", occurred_at=MORNING, received_at=MORNING
        )
    )
    await world.reconcile()
    await world.take(*world.log.on(CONVERSATIONS))

    windows = [[each.message_id for each in window.fresh] for window in world.log.windows]
    assert windows == [["m1"], *([["m2"], ["m3"]] if said == "before its end" else [])]


async def test_what_was_accepted_before_a_crash_is_numbered_before_what_is_said_after_it(
    world: World,
) -> None:
    await world.take(message(1))
    await world.keeping.turns.accept([turn(n, sequence=None) for n in (3, 2)], now=world.clock())
    world.start()

    await world.reconciler.take_in_unnumbered_turns()
    await world.take(message(4))

    assert [(event.turn.message_id, event.turn.sequence) for event in world.log.of(TurnStored)] == [
        ("m1", 1),
        ("m3", 2),
        ("m2", 3),
        ("m4", 4),
    ]


async def test_what_had_its_effect_is_confirmed_and_left_alone(world: World) -> None:
    await world.take(*(message(number) for number in range(1, 5)), REMEMBER)
    published = list(world.log.published)

    await world.reconcile()

    assert world.log.published == published
    assert await turn_states(world, 1, 2, 3, 4) == [OutboxState.CONFIRMED] * 4
    request = request_id("lin", "r")
    assert (await world.keeping.requests.standing([request]))[request].state is (
        OutboxState.CONFIRMED
    )
    window = world.log.windows[0].window_id
    assert (await world.keeping.windows.standing([window]))[window].state is OutboxState.CONFIRMED


async def test_what_never_had_its_effect_is_published_again_as_the_same(world: World) -> None:
    world.downstream.works = False
    await world.take(*(message(number) for number in range(1, 5)), REMEMBER)
    before = [event for _, event in world.log.published]
    world.log.lose()

    await world.reconcile()
    again = [event for _, event in world.log.published]
    assert sorted(again, key=lambda event: event.event_id) == sorted(
        before, key=lambda event: event.event_id
    )

    await world.reconciler.look()
    assert len(world.log.published) == len(again)


async def test_a_lost_log_is_made_up_for_without_waiting(world: World) -> None:
    world.downstream.works = False
    await world.take(message(1))
    world.log.lose()
    world.clock.advance(timedelta(seconds=1))

    await world.reconciler.look(world.clock())

    assert [event.turn.sequence for event in world.log.of(TurnStored)] == [1]


async def test_what_belongs_to_an_older_epoch_is_let_go(world: World) -> None:
    world.downstream.works = False
    await world.take(*(message(number) for number in range(1, 5)), REMEMBER)
    world.log.lose()
    world.users.settle("lin", epoch=1)

    await world.reconcile()

    assert world.log.published == []
    assert await turn_states(world, 1, 4) == [OutboxState.DROPPED] * 2
    assert await nothing_pending(world.keeping.windows)
    assert await nothing_pending(world.keeping.requests)


async def test_what_a_later_stage_set_aside_is_let_go_and_the_rest_published_again(
    world: World,
) -> None:
    world.downstream.works = False
    await world.take(*(message(number) for number in range(1, 5)), REMEMBER)
    first, *others = world.log.of(TurnStored)
    (window,) = world.log.windows
    (remembered,) = world.log.of(RememberRequested)
    await world.dead_letters.put(
        [
            letter(each.event_id, event_id=each.event_id, user_id="lin", topic="writes")
            for each in (first, window, remembered)
        ]
    )
    world.log.lose()

    await world.reconcile()

    assert [event for _, event in world.log.published] == others
    assert await turn_states(world, 1, 2) == [OutboxState.DROPPED, OutboxState.PUBLISHED]
    assert await nothing_pending(world.keeping.windows)
    assert await nothing_pending(world.keeping.requests)
    for what in ("turn", "window", "request"):
        assert world.count("reconciled_total", what=what, outcome="set_aside") == 1


async def test_another_event_set_aside_under_the_same_id_takes_nothing_with_it(
    world: World,
) -> None:
    world.downstream.works = False
    await world.take(REMEMBER)
    await world.dead_letters.put([letter("l", event_id="r", user_id="lin", topic="conversations")])
    world.log.lose()

    await world.reconcile()

    assert [event.event_id for event in world.log.of(RememberRequested)] == ["r"]


async def test_a_silent_session_is_closed_after_half_an_hour(world: World) -> None:
    await world.take(message(1), message(2))
    world.clock.advance(IDLE - timedelta(seconds=1))
    await world.idle_sessions.close()
    assert world.log.windows == []

    world.clock.advance(timedelta(seconds=1))
    await world.idle_sessions.close()
    (window,) = world.log.windows
    assert (window.trigger, len(window.fresh)) == ("idle", 2)

    world.clock.advance(timedelta(days=1))
    await world.idle_sessions.close()
    assert len(world.log.on(EXTRACTIONS)) == 1


async def test_a_session_that_goes_on_is_not_silent(world: World) -> None:
    await world.take(message(1))
    world.clock.advance(IDLE - timedelta(minutes=1))
    await world.take(message(2))
    world.clock.advance(timedelta(minutes=2))
    await world.idle_sessions.close()

    assert world.log.windows == []


async def test_many_silent_sessions_are_all_closed(world: World) -> None:
    await world.take(*(message(1, session_id=f"s{number}") for number in range(300)))
    world.clock.advance(IDLE)
    await world.idle_sessions.close()

    assert len({window.session_id for window in world.log.windows}) == 300


async def test_silence_waits_while_extraction_is_off(world: World) -> None:
    world.users.settle("lin", automatic_extraction=False)
    await world.take(message(1))
    world.clock.advance(IDLE)
    await world.idle_sessions.close()
    assert world.log.windows == []

    world.users.settle("lin")
    world.clock.advance(IDLE)
    await world.idle_sessions.close()
    assert len(world.log.windows) == 1


async def test_one_that_can_never_be_published_stops_no_other(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.downstream.works = False
    await world.take(message(1), message(2), message(3))
    world.log.lose()
    publish = world.log.publish

    async def refuse_the_second(topic: object, events: object) -> None:
        if any(isinstance(e, TurnStored) and e.turn.sequence == 2 for e in events):  # type: ignore[attr-defined]
            raise EventTooLarge("an event is larger than candidates allows")
        await publish(topic, events)  # type: ignore[arg-type]

    monkeypatch.setattr(world.log, "publish", refuse_the_second)
    await world.reconcile()

    assert [event.turn.sequence for event in world.log.of(TurnStored)] == [1, 3]
    assert await turn_states(world, 2) == [OutboxState.DROPPED]


async def test_it_goes_on_looking_after_a_failure(world: World) -> None:
    world.downstream.works = False
    world.interval = timedelta(milliseconds=5)
    world.start()
    await world.take(message(1))
    world.log.lose()
    world.log.down = True
    world.clock.advance(timedelta(seconds=1))

    watching = asyncio.create_task(world.reconciler.watch(log_was_lost=True))
    await eventually(lambda: world.log.refused)
    world.log.down = False
    await eventually(lambda: world.log.of(TurnStored))
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


async def test_a_clock_set_back_meanwhile_has_nothing_published_twice(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.downstream.works = False
    await world.take(message(1), message(2), REMEMBER)
    world.log.lose()
    publish = world.log.publish

    async def set_back(topic: Topic, events: Sequence[Event]) -> None:
        world.clock.advance(-timedelta(hours=1))
        await asyncio.sleep(0)
        await publish(topic, events)

    monkeypatch.setattr(world.log, "publish", set_back)
    async with asyncio.timeout(60):
        await world.reconcile()

    assert [event.turn.sequence for event in world.log.of(TurnStored)] == [1, 2]
    assert [event.event_id for event in world.log.of(RememberRequested)] == ["r"]


async def test_silent_sessions_are_closed_while_the_vectors_are_away(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_scope_of_ids: object) -> None:
        raise TransientError("Qdrant does not answer")

    await world.take(message(1))
    world.clock.advance(IDLE)
    monkeypatch.setattr(world.downstream, "versions", away)
    watching = asyncio.create_task(world.reconciler.watch(log_was_lost=False))
    await eventually(lambda: world.log.windows)
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


@pytest.mark.parametrize("sees_turns", [True, False])
async def test_who_cannot_see_what_became_of_turns_says_so_at_the_start(
    *, sees_turns: bool
) -> None:
    world = World(sees_turns=sees_turns)
    world.downstream.works = False
    await world.take(REMEMBER)
    world.log.lose()
    world.clock.advance(GRACE * 2)
    with capture_logs() as logs:
        watching = asyncio.create_task(world.reconciler.watch(log_was_lost=False))
        await eventually(lambda: world.log.of(RememberRequested))
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching

    said = [log["advice"] for log in logs if log["event"].startswith("nobody confirms turns")]
    assert ["PALIMPSEST_VECTORS=qdrant" in advice for advice in said] == [True] * (not sees_turns)


async def test_the_age_of_what_is_late_is_a_metric(world: World) -> None:
    world.downstream.works = False
    await world.take(message(1))
    world.clock.advance(GRACE * 2)
    await world.reconciler.look()
    assert world.count("oldest_pending_seconds", what="turn") == GRACE.total_seconds() * 2

    await world.reconciler.look()
    assert world.count("oldest_pending_seconds", what="turn") == 0
