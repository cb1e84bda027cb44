"""When what was said becomes a window, and what is in it."""

from datetime import timedelta

from palimpsest.events.conversations import SessionStarted, SummaryPublished
from palimpsest.events.writes import TurnStored
from palimpsest.model.turn import Role
from palimpsest.model.window import WindowTrigger
from tests.support.services.ingest.sent import ended
from tests.support.services.ingest.world import SESSION, World
from tests.support.turns import MORNING, message


def windows_sent(world: World) -> list[tuple[str, list[int | None], list[int | None]]]:
    return [
        (
            window.trigger,
            [turn.sequence for turn in window.fresh],
            [t.sequence for t in window.context],
        )
        for window in world.log.windows
    ]


async def test_every_so_many_rounds_a_window_with_its_context(world: World) -> None:
    for number in range(1, 9):
        await world.take(message(number))

    assert windows_sent(world) == [
        ("rounds", [1, 2, 3, 4], []),
        ("rounds", [5, 6, 7, 8], [2, 3, 4]),
    ]


async def test_one_batch_makes_the_same_windows_as_many(world: World) -> None:
    one_by_one = World()
    events = [message(number) for number in range(1, 12)]
    batch = [*events[:6], ended(1), *events[6:], ended(2)]
    for event in batch:
        await one_by_one.take(event)
    await world.take(*batch)

    assert windows_sent(world) == windows_sent(one_by_one)
    assert [(trigger, fresh) for trigger, fresh, _ in windows_sent(world)] == [
        ("rounds", [1, 2, 3, 4]),
        ("session_end", [5, 6]),
        ("rounds", [7, 8, 9, 10]),
        ("session_end", [11]),
    ]


async def test_an_end_in_a_batch_of_its_own_closes_what_came_before(world: World) -> None:
    await world.take(message(1))
    await world.take(ended(), message(2))

    assert windows_sent(world) == [("session_end", [1], [])]


async def test_an_end_that_comes_again_closes_nothing_more(world: World) -> None:
    await world.take(message(1), ended())
    await world.take(message(2))
    await world.take(ended())

    assert windows_sent(world) == [("session_end", [1], [])]


async def test_a_window_says_who_takes_part_and_whose_it_is(world: World) -> None:
    started = SessionStarted(
        user_id="lin",
        session_id="s",
        project_id="p",
        participants=("planner",),
        topic="Launch plan",
        occurred_at=MORNING,
    )
    agents = {2: "planner", 4: "planner"}
    await world.take(started, *(message(n, agent_id=agents.get(n)) for n in range(1, 5)))

    (window,) = world.log.windows
    assert (window.participants, window.topic) == (("planner",), "Launch plan")
    assert (window.agent_id, window.project_id) == ("planner", "p")
    assert window.settings == (await world.users.of(["lin"]))["lin"].settings


async def test_a_window_of_greetings_is_used_up_and_not_sent(world: World) -> None:
    greetings = ["你好", "您好！有什么可以帮您？", "谢谢", "不客气"]
    await world.take(*(message(n, text=text) for n, text in enumerate(greetings, start=1)))
    await world.take(*(message(number) for number in range(5, 9)))

    assert windows_sent(world) == [("rounds", [5, 6, 7, 8], [2, 3, 4])]
    assert world.count("windows_total", trigger="rounds", outcome="chit_chat") == 1


async def test_without_automatic_extraction_turns_wait(world: World) -> None:
    world.users.settle("lin", automatic_extraction=False)
    await world.take(*(message(number) for number in range(1, 6)), ended())
    assert world.log.windows == []
    assert len(world.log.of(TurnStored)) == 5

    world.users.settle("lin")
    await world.take(message(6))
    assert [fresh for _, fresh, _ in windows_sent(world)] == [[1, 2, 3, 4], [5]]


async def test_what_belongs_to_an_older_epoch_is_in_no_window(world: World) -> None:
    await world.take(*(message(number) for number in range(1, 4)))
    world.users.settle("lin", epoch=1)
    await world.take(*(message(number) for number in range(4, 9)))

    assert windows_sent(world) == [("rounds", [4], []), ("rounds", [5, 6, 7, 8], [4])]
    assert {window.epoch for window in world.log.windows} == {1}


async def test_a_long_backlog_is_worked_off_completely(world: World) -> None:
    world.users.settle("lin", automatic_extraction=False)
    for start in range(1, 601, 200):
        await world.take(*(message(number) for number in range(start, start + 200)))
    world.users.settle("lin")
    await world.take(message(601), ended())

    fresh = [number for _, numbers, _ in windows_sent(world) for number in numbers]
    assert fresh == list(range(1, 602))


async def test_another_owner_made_the_window_first(world: World) -> None:
    await world.take(message(1), message(2), message(3))
    other = World(keeping=world.keeping, log=world.log, clock=world.clock)
    sessions = await world.keeping.sessions.of([SESSION])
    world.clock.advance(timedelta(hours=1))
    await other.idle_sessions.close()
    assert windows_sent(world) == [(WindowTrigger.IDLE, [1, 2, 3], [])]

    # The number of what is windowed has not reached the session.
    world.keeping.sessions._sessions[SESSION] = sessions[SESSION]  # type: ignore[attr-defined]
    await world.take(*(message(number) for number in range(4, 9)))

    assert windows_sent(world)[1:] == [("rounds", [4, 5, 6, 7, 8], [1, 2, 3])]
    assert world.count("collisions_total", what="window") == 1


async def test_people_of_one_role_still_get_windows(world: World) -> None:
    people = [message(n, role=Role.USER, speaker="AB"[n % 2]) for n in range(1, 10)]
    await world.take(*people)
    assert [fresh for _, fresh, _ in windows_sent(world)] == [[1, 2, 3, 4], [5, 6, 7, 8]]


async def test_a_summary_of_the_chat_service_has_what_came_before_it_extracted(
    world: World,
) -> None:
    published = SummaryPublished(
        user_id="lin", session_id="s", text="They plan a launch.", occurred_at=MORNING
    )
    await world.take(message(1))
    await world.take(published, message(2))
    await world.take(message(3), ended())

    assert [(trigger, fresh) for trigger, fresh, _ in windows_sent(world)] == [
        ("summary", [1, 2]),
        ("session_end", [3]),
    ]
