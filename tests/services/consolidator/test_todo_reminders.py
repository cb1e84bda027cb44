"""Todos beside their memories, told done in passing, reminded of once, whatever dies meanwhile."""

from collections.abc import AsyncGenerator
from datetime import datetime, timedelta
from typing import Any

import pytest

from palimpsest.events.announcements import ReminderDue
from palimpsest.events.commands import CompleteTodo, ForgetTopic, ReopenTodo
from palimpsest.events.topics import NOTIFICATIONS, WRITES
from palimpsest.events.writes import TodoDue
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Candidate, Status
from palimpsest.model.todo import Todo, TodoCompletion, TodoState
from palimpsest.model.turn import turn_id
from palimpsest_server.stores.erasure.completions import CompletionEraser
from palimpsest_server.stores.mongo.database import MongoDatabase
from palimpsest_server.stores.todos import InMemoryTodos
from services.consolidator import todo_reminders
from services.consolidator.todo_reminders import ReminderSender
from tests.support.clock import SettableClock
from tests.support.server.domain.consolidation.samples import ALICE, candidate, day
from tests.support.services.consolidator.events import envelope, forget, proposed, withheld
from tests.support.services.consolidator.interrupting import Interrupted
from tests.support.services.consolidator.stores import Stores
from tests.support.services.consolidator.world import Consolidator

pytestmark = pytest.mark.embedded


def to_do(content: str, *, due: int | None = None, **fields: Any) -> Candidate:
    time: dict[str, Any] | None = None
    if due is not None:
        moment = day(due).isoformat()
        time = {"words": "then", "starts_at": moment, "ends_at": moment}
        time |= {"granularity": "instant", "all_day": False}
    data = {} if time is None else {"time": time}
    return candidate(content, kind=Kind.ACTION_ITEM, data=data, **fields)


def done(about: str | None, *, on: int) -> TodoCompletion:
    return TodoCompletion(quote="搞定了", about=about, session_id="s", said_at=day(on))


def due_todo(name: str, at: datetime) -> Todo:
    return Todo(id=name, scope=ALICE, content=name, remind_at=at, created_at=at, epoch=0)


class CountedTodos(InMemoryTodos):
    """Counts the todos that are read for reminders."""

    def __init__(self) -> None:
        super().__init__()
        self.read = 0

    async def due_reminders(
        self, *, before: datetime, size: int, after: datetime | None = None
    ) -> AsyncGenerator[list[Todo], None]:
        async for page in super().due_reminders(before=before, size=size, after=after):
            self.read += len(page)
            yield page


async def todos_of(stores: Stores, *states: TodoState) -> list[Todo]:
    return await stores.todos.list([ALICE], states=states or tuple(TodoState))


async def only(stores: Stores) -> Todo:
    (todo,) = await todos_of(stores)
    return todo


async def test_an_action_item_is_a_memory_and_a_todo(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(to_do("订去东京的机票", due=120)))
    (memory,) = await stores.listed(ALICE)
    todo = await only(stores)
    assert (memory.kind, todo.id, todo.content) == (Kind.ACTION_ITEM, memory.id, memory.content)
    assert (todo.due_at, todo.remind_at) == (day(120), day(120) - timedelta(hours=1))


async def test_who_says_that_it_is_done_closes_it_and_its_memory(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(to_do("订去东京的机票"), to_do("买牛奶"), event_id="first"))
    await consolidator.handle(proposed(event_id="second", completions=(done("机票", on=2),)))
    (ticket,) = await todos_of(stores, TodoState.DONE)
    assert ticket.content == "订去东京的机票"
    memories = {memory.content: memory for memory in await stores.listed(ALICE)}
    assert memories["订去东京的机票"].status is Status.ARCHIVED
    assert memories["订去东京的机票"].status_reason == "done"
    assert memories["买牛奶"].status is Status.ACTIVE


async def test_it_may_be_noted_and_done_in_one_window(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(
        proposed(to_do("订去东京的机票", on=1), completions=(done(None, on=1),))
    )
    assert (await only(stores)).state is TodoState.DONE
    assert [memory.status for memory in await stores.listed(ALICE)] == [Status.ARCHIVED]


async def test_what_was_said_to_be_done_closes_what_is_read_only_later(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(proposed(event_id="closing", completions=(done("机票", on=2),)))
    another = Consolidator(stores, clock)
    await another.handle(proposed(to_do("订去东京的机票", on=1), event_id="opening"))
    assert (await only(stores)).state is TodoState.DONE
    assert [memory.status for memory in await stores.listed(ALICE)] == [Status.ARCHIVED]
    await another.handle(proposed(to_do("订去大阪的机票", on=3), event_id="later"))
    assert [todo.content for todo in await todos_of(stores, TodoState.OPEN)] == ["订去大阪的机票"]


async def test_what_it_was_taken_for_first_is_open_again(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    await consolidator.handle(proposed(to_do("订机票", on=0), event_id="first"))
    await consolidator.handle(proposed(event_id="closing", completions=(done("机票", on=2),)))
    assert (await only(stores)).state is TodoState.DONE
    await Consolidator(stores, clock).handle(proposed(to_do("订大阪的机票", on=1), event_id="late"))
    assert {todo.content: todo.state for todo in await todos_of(stores)} == {
        "订机票": TodoState.OPEN,
        "订大阪的机票": TodoState.DONE,
    }


async def test_what_was_erased_with_its_message_closes_nothing(
    consolidator: Consolidator, stores: Stores, database: MongoDatabase
) -> None:
    said = done("机票", on=2).model_copy(update={"message_id": "m2"})
    await consolidator.handle(proposed(event_id="closing", completions=(said,)))
    topic = ForgetTopic(turn_ids=(turn_id("alice", "s", "m2"),), **envelope("topic", "alice"))
    await consolidator.handle(topic)
    (decided,) = await stores.erasures.waiting("consolidator")
    await CompletionEraser(database).erase(decided)
    await consolidator.handle(proposed(to_do("订去东京的机票", on=1), event_id="opening"))
    assert (await only(stores)).state is TodoState.OPEN


async def test_what_is_not_to_be_remembered_closes_nothing_either(
    consolidator: Consolidator, stores: Stores
) -> None:
    said = done("机票", on=2).model_copy(update={"message_id": "m2"})
    await consolidator.handle(proposed(event_id="closing", completions=(said,)))
    await consolidator.handle(withheld("机票搞定了", message_id="m2"))
    await consolidator.handle(proposed(to_do("订去东京的机票", on=1), event_id="opening"))
    assert (await only(stores)).state is TodoState.OPEN


async def test_commands_complete_and_reopen_it(consolidator: Consolidator, stores: Stores) -> None:
    await consolidator.handle(proposed(to_do("send the letter")))
    todo = await only(stores)
    await consolidator.handle(CompleteTodo(todo_id=todo.id, **envelope("complete", "alice")))
    assert (await only(stores)).state is TodoState.DONE
    await consolidator.handle(ReopenTodo(todo_id=todo.id, **envelope("reopen", "alice")))
    assert (await only(stores)).state is TodoState.OPEN
    assert [memory.status for memory in await stores.listed(ALICE)] == [Status.ACTIVE]
    await consolidator.handle(CompleteTodo(todo_id="nothing", **envelope("wrong", "alice")))
    assert stores.published.announced[-1].reason == "no such memory"


async def test_a_forgotten_memory_takes_its_todo_along(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(to_do("send the letter", due=120)))
    todo = await only(stores)
    await consolidator.handle(forget(todo.id))
    assert (await only(stores)).state is TodoState.DROPPED
    reminders = stores.todos.due_reminders(before=day(1000), size=9)
    assert [page async for page in reminders] == []


async def test_a_reminder_that_is_due_is_given_once(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    clock.now = day(110)
    await consolidator.handle(proposed(to_do("send the letter", due=120)))
    assert await consolidator.reminding.look() == 0
    clock.now = day(120) - timedelta(minutes=59)
    assert await consolidator.reminding.look() == 1
    assert await consolidator.reminding.look() == 0, "it is on its way"
    due = stores.published.on(WRITES)
    for _ in range(2):
        await consolidator.handle(*due)
    assert (await only(stores)).reminded_at == clock()
    (reminder,) = stores.published.on(NOTIFICATIONS)
    assert isinstance(reminder, ReminderDue)
    assert (reminder.content, reminder.due_at) == ("send the letter", day(120))


async def test_many_that_are_on_their_way_are_not_read_again_before_a_minute(
    stores: Stores, clock: SettableClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(todo_reminders, "REMINDERS_AT_ONCE", 2)
    todos = CountedTodos()
    sender = ReminderSender(todos, publisher=stores.published, clock=clock)
    at = clock.now = day(120)
    await todos.write([due_todo(f"todo {number}", at) for number in range(5)])
    assert (await sender.look(), todos.read) == (5, 5)
    clock.advance(timedelta(seconds=5))
    await todos.write([due_todo("falls due meanwhile", clock.now)])
    assert (await sender.look(), todos.read) == (1, 6)
    clock.advance(timedelta(minutes=1))
    assert (await sender.look(), todos.read) == (6, 12), "what is lost is sent again"


async def test_whoever_dies_before_it_was_announced_gives_the_same_reminder_again(
    consolidator: Consolidator, stores: Stores, clock: SettableClock
) -> None:
    clock.now = day(119) + timedelta(hours=23, minutes=30)
    await consolidator.handle(proposed(to_do("send the letter", due=120)))
    await consolidator.reminding.look()
    due = stores.published.on(WRITES)

    async def dies(call: Any, *arguments: Any) -> Any:
        raise ConnectionError("killed")

    dying = Interrupted(stores)
    dying.around("change_sets", "mark", dies)
    await Consolidator(dying, clock).handle(*due)
    clock.advance(timedelta(minutes=5))
    again = Consolidator(stores, clock)
    assert await again.reminding.look() == 0, "it is applied, so nobody looks for it"
    await again.handle(*due)
    reminders = stores.published.on(NOTIFICATIONS)
    assert len(reminders) == 2
    assert len({event.event_id for event in reminders}) == 1


async def test_what_was_done_meanwhile_reminds_nobody(
    consolidator: Consolidator, stores: Stores
) -> None:
    await consolidator.handle(proposed(to_do("send the letter", due=120)))
    todo = await only(stores)
    assert todo.remind_at is not None
    await consolidator.handle(
        CompleteTodo(todo_id=todo.id, **envelope("complete", "alice")),
        TodoDue(todo_id=todo.id, remind_at=todo.remind_at, **envelope("due", "alice")),
    )
    assert stores.published.on(NOTIFICATIONS) == []
