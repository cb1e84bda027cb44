"""A reminder is given once, whatever goes wrong: one test for each row of the table of faults.

| fault | outcome |
| --- | --- |
| a message comes twice | one reminder |
| two consolidators look and decide | one reminder |
| a process dies between the decision and the announcement | the same reminder, under one id |
| the message to the writer is lost | it is sent again, one reminder |
| all was away when it was due | at once on recovery, marked late |
| the clock is set back after it was given | no second reminder |
| the writer's clock is behind that of whoever looked | one reminder |
| thousands are due at once | all are sent by one look |
| it is snoozed after it was given | one more reminder, under another id |
| it falls into quiet hours | one reminder, when they are over |
| it recurs, and some were missed | one reminder for those, and the next in its time |
"""

from datetime import timedelta
from typing import Any

import pytest

from palimpsest.events.announcements import ReminderDue
from palimpsest.events.commands import CompleteTodo, SetSettings, SnoozeTodo
from palimpsest.events.envelope import Event
from palimpsest.events.topics import NOTIFICATIONS, WRITES
from palimpsest.model.kinds import Kind
from palimpsest.model.todo import Todo, TodoState
from palimpsest.model.user import QuietHours
from services.consolidator import todo_reminders
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE, candidate, day
from tests.support.services.consolidator.events import envelope, proposed
from tests.support.services.consolidator.interrupting import Interrupted
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

pytestmark = pytest.mark.embedded

DUE = day(120)
REMINDED = DUE - timedelta(hours=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def clock() -> SettableClock:
    clock = SettableClock()
    clock.now = REMINDED - timedelta(days=1)
    return clock


async def note(consolidator: Consolidator, **data: Any) -> None:
    times = {"due_at": DUE.isoformat(), "remind_at": REMINDED.isoformat()}
    content = candidate("send the letter", kind=Kind.ACTION_ITEM, data=times | data)
    await consolidator.handle(proposed(content))


async def look(consolidator: Consolidator, stores: Stores) -> list[Event]:
    """What one look has sent to the writer."""
    before = len(stores.published.on(WRITES))
    await consolidator.reminding.look()
    return [event for event in stores.published.on(WRITES)[before:] if event.type == "TodoDue"]


def given(stores: Stores) -> list[ReminderDue]:
    """The reminders that were given, as a reader that keeps ids sees them."""
    found = [
        reminder_due
        for reminder_due in stores.published.on(NOTIFICATIONS)
        if isinstance(reminder_due, ReminderDue)
    ]
    return list({event.event_id: event for event in found}.values())


async def only(stores: Stores) -> Todo:
    (todo,) = await stores.todos.list([ALICE], states=tuple(TodoState))
    return todo


async def test_a_message_that_comes_twice_reminds_once(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    clock.now = REMINDED
    due = await look(consolidator, stores)
    for _ in range(2):
        await consolidator.handle(*due)
    assert len(given(stores)) == 1


async def test_two_consolidators_remind_once(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    other = Consolidator(stores, clock)
    clock.now = REMINDED
    both = [await look(each, stores) for each in (consolidator, other)]
    await consolidator.handle(*both[0])
    await other.handle(*both[1])
    assert len(given(stores)) == 1


async def test_a_process_that_dies_before_the_announcement_leaves_one_reminder(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    clock.now = REMINDED
    due = await look(consolidator, stores)

    async def dies(call: Any, *arguments: Any) -> Any:
        raise ConnectionError("killed")

    dying = Interrupted(stores)
    dying.around("change_sets", "mark", dies)
    await Consolidator(dying, clock).handle(*due)
    await Consolidator(stores, clock).handle(*due)
    assert len(given(stores)) == 1


async def test_a_message_that_is_lost_is_sent_again(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    clock.now = REMINDED
    assert len(await look(consolidator, stores)) == 1
    assert await look(consolidator, stores) == []
    clock.advance(2 * MINUTE)
    await consolidator.handle(*await look(consolidator, stores))
    assert len(given(stores)) == 1


async def test_what_was_due_while_all_was_away_comes_at_once_and_is_marked_late(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    clock.now = REMINDED + timedelta(hours=5)
    recovered = Consolidator(stores, clock)
    await recovered.handle(*await look(recovered, stores))
    assert [event.late for event in given(stores)] == [True]


async def test_a_clock_that_is_set_back_reminds_nobody_again(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    clock.now = REMINDED
    await consolidator.handle(*await look(consolidator, stores))
    clock.now = REMINDED - timedelta(hours=3)
    assert await look(consolidator, stores) == []
    clock.now = REMINDED + MINUTE
    assert await look(Consolidator(stores, clock), stores) == []
    assert len(given(stores)) == 1


async def test_a_writer_whose_clock_is_behind_reminds_once(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    clock.now = REMINDED
    due = await look(consolidator, stores)
    clock.now = REMINDED - timedelta(minutes=10)
    await consolidator.handle(*due)
    clock.now = REMINDED + 2 * MINUTE
    assert await look(Consolidator(stores, clock), stores) == []
    assert [event.late for event in given(stores)] == [False]


async def test_all_that_are_due_are_sent_by_one_look(
    consolidator: Consolidator,
    stores: Stores,
    clock: SettableClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(todo_reminders, "REMINDERS_AT_ONCE", 2)
    times = {"remind_at": REMINDED.isoformat()}
    items = [candidate(f"call {n}", kind=Kind.ACTION_ITEM, data=times) for n in range(5)]
    await consolidator.handle(proposed(*items))
    clock.now = REMINDED
    due = await look(consolidator, stores)
    assert len({event.event_id for event in due}) == len(due) == 5


async def test_a_snoozed_reminder_comes_once_more(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    clock.now = REMINDED
    await consolidator.handle(*await look(consolidator, stores))
    snooze = SnoozeTodo(
        todo_id=(await only(stores)).id, until=REMINDED + 10 * MINUTE, **envelope("nap", "alice")
    )
    for _ in range(2):
        await consolidator.handle(snooze)
    assert await look(consolidator, stores) == []
    clock.now = REMINDED + 10 * MINUTE
    await consolidator.handle(*await look(consolidator, stores))
    assert [event.late for event in given(stores)] == [False, False]
    done = CompleteTodo(todo_id=(await only(stores)).id, **envelope("done", "alice"))
    again = snooze.model_copy(update={"event_id": "again"})
    await consolidator.handle(done, again)
    assert stores.published.announced[-1].refusal is not None


async def test_a_reminder_is_put_off_until_a_time_that_was_ahead_when_it_was_asked(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    before = await only(stores)
    asked = {**envelope("nap", "alice"), "occurred_at": REMINDED}
    nap = SnoozeTodo(todo_id=before.id, until=REMINDED, **asked)
    await consolidator.handle(nap)
    refusal = stores.published.announced[-1].refusal
    assert refusal is not None
    assert refusal.reason == "time_is_past"
    assert await only(stores) == before
    # What was ahead when it was asked counts, however late the writer comes to it.
    clock.now = REMINDED + 60 * MINUTE
    ahead = {"event_id": "ahead", "until": REMINDED + MINUTE}
    await consolidator.handle(nap.model_copy(update=ahead))
    assert (await only(stores)).remind_at == REMINDED + MINUTE


async def test_in_quiet_hours_it_comes_when_they_are_over(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator)
    hours = QuietHours(begins="22:00", ends="07:00")
    await consolidator.handle(SetSettings(quiet_hours=hours, **envelope("quiet", "alice")))
    clock.now = REMINDED
    await consolidator.handle(*await look(consolidator, stores))
    assert given(stores) == []
    morning = DUE + timedelta(hours=7)
    assert (await only(stores)).remind_at == morning
    clock.now = morning
    await consolidator.handle(*await look(consolidator, stores))
    assert [event.late for event in given(stores)] == [False]


async def test_what_recurs_is_told_once_for_what_was_missed_and_is_done_one_by_one(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await note(consolidator, recurrence="FREQ=DAILY;COUNT=5")
    clock.now = REMINDED + timedelta(days=2, hours=3)
    await consolidator.handle(*await look(consolidator, stores))
    assert len(given(stores)) == 1
    todo = await only(stores)
    assert (todo.due_at, todo.remind_at) == (day(122), REMINDED + timedelta(days=3))
    clock.now = REMINDED + timedelta(days=3)
    await consolidator.handle(*await look(consolidator, stores))
    assert [event.late for event in given(stores)] == [True, False]
    for number in range(2):
        event = CompleteTodo(todo_id=todo.id, **envelope(f"done {number}", "alice"))
        await consolidator.handle(event)
    assert (await only(stores)).state is TodoState.DONE
