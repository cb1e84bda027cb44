"""The promises of every store of todos."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from palimpsest.model.change_set import TodoChange
from palimpsest.model.errors import RecordNotFound
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo, TodoRecurrence, TodoState
from palimpsest_server.stores.todos import TodoStore

NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)
_EVERY_DAY = TodoRecurrence(rule="FREQ=DAILY", starts_at=NOW, time_zone="UTC")
ANN, BEN = Scope(user_id="ann"), Scope(user_id="ben")


def todo(name: str, *, scope: Scope = ANN, due_in: int | None = None, **fields: Any) -> Todo:
    return Todo.model_validate(
        {
            "id": f"{scope.user_id} {name}",
            "scope": scope,
            "content": name,
            "due_at": None if due_in is None else NOW + timedelta(hours=due_in),
            "created_at": NOW,
            "epoch": 0,
            **fields,
        }
    )


def _changed(before: Todo, **fields: Any) -> TodoChange:
    after = before.model_copy(update={**fields, "version": before.version + 1})
    return TodoChange(before=before, after=after)


def names(todos: list[Todo]) -> list[str]:
    return [each.content for each in todos]


class TodoContract:
    async def test_what_something_has_closed_is_found_by_it_whatever_its_state(
        self, todos: TodoStore
    ) -> None:
        await todos.write(
            [
                todo("done", state=TodoState.DONE, completed_by="c1"),
                todo("open again", completed_by="c2"),
                todo("by another", state=TodoState.DONE, completed_by="c3"),
                todo("by hand", state=TodoState.DONE),
                todo("done", scope=BEN, state=TodoState.DONE, completed_by="c1"),
            ]
        )
        found = await todos.closed_by({"ann": {"c1", "c2"}})
        assert sorted(names(found)) == ["done", "open again"]
        assert {one.scope for one in found} == {ANN}
        assert await todos.closed_by({}) == []

    async def test_what_is_due_first_comes_first_and_what_never_is_last(
        self, todos: TodoStore
    ) -> None:
        await todos.write([todo("some day"), todo("late", due_in=9), todo("soon", due_in=1)])
        assert names(await todos.list([ANN])) == ["soon", "late", "some day"]
        before = NOW + timedelta(hours=9)
        assert names(await todos.list([ANN], due_before=before)) == ["soon"]

    async def test_it_is_read_in_pages(self, todos: TodoStore) -> None:
        await todos.write([todo(f"t{hour}", due_in=hour) for hour in range(5)])
        first = await todos.list([ANN], limit=3)
        rest = await todos.list([ANN], limit=3, after=first[-1].id)
        assert names([*first, *rest]) == ["t0", "t1", "t2", "t3", "t4"]
        with pytest.raises(RecordNotFound):
            await todos.list([ANN], after="ann nothing")

    async def test_it_is_seen_in_its_own_scope_and_state_alone(self, todos: TodoStore) -> None:
        agents = Scope(user_id="ann", agent_id="coder")
        await todos.write(
            [
                todo("mine"),
                todo("the agent's", scope=agents),
                todo("done", state=TodoState.DONE),
                todo("another's", scope=BEN),
            ]
        )
        assert names(await todos.list([ANN])) == ["mine"]
        assert names(await todos.list([ANN, agents])) == ["mine", "the agent's"]
        assert names(await todos.list([ANN], states=[TodoState.DONE])) == ["done"]
        assert names(await todos.by_ids({"ann": ["ann done", "ben another's"]})) == ["done"]
        assert sorted(names(await todos.open_of(["ann"]))) == ["mine", "the agent's"]
        assert await todos.open_of([]) == []

    async def test_only_a_later_version_is_written(self, todos: TodoStore) -> None:
        second = todo("call", version=2, state=TodoState.DONE)
        await todos.write([todo("call"), second])
        await todos.write([todo("call")])
        await todos.write([second.model_copy(update={"content": "not this"})])
        assert await todos.by_ids({"ann": [second.id]}) == [second]

    async def test_changes_are_written_once_and_never_over_a_later_version(
        self, todos: TodoStore
    ) -> None:
        given = [
            todo(f"given {number}", remind_at=NOW, recurrence=_EVERY_DAY if number else None)
            for number in range(3)
        ]
        reworded, new, closed = todo("reworded", remind_at=NOW), todo("new"), todo("closed")
        await todos.write([*given, reworded, closed])
        tomorrow = NOW + timedelta(days=1)
        changes = [
            *(_changed(each, reminded_at=NOW, due_at=NOW) for each in given[:2]),
            _changed(given[2], reminded_at=NOW, remind_at=tomorrow),
            _changed(reworded, content="in other words", reminded_at=NOW),
            TodoChange(after=new),
            (snoozed := _changed(closed, remind_at=tomorrow)),
            _changed(snoozed.after, state=TodoState.DONE),
        ]
        after = {change.after.id: change.after for change in changes}
        for _ in range(2):
            await todos.apply(changes)
            ids = {"ann": list(after)}
            assert {each.id: each for each in await todos.by_ids(ids)} == after
            pages = todos.due_reminders(before=tomorrow, size=9)
            assert [names(page) async for page in pages] == [["given 2"]]
        later = _changed(after[given[0].id], state=TodoState.DONE)
        await todos.apply([later])
        await todos.apply(changes)
        assert await todos.by_ids({"ann": [later.after.id]}) == [later.after]

    async def test_a_reminder_is_due_until_it_was_given_or_is_not_wanted(
        self, todos: TodoStore
    ) -> None:
        at = NOW - timedelta(minutes=1)
        due = todo("due", remind_at=at)
        await todos.write(
            [
                due,
                todo("the oldest", remind_at=at - timedelta(hours=1), scope=BEN),
                todo("later", remind_at=NOW + timedelta(minutes=1)),
                todo("given", remind_at=at, reminded_at=at),
                todo("done", remind_at=at, state=TodoState.DONE),
                todo("never"),
            ]
        )

        async def read(size: int, after: datetime | None = None) -> list[list[str]]:
            pages = todos.due_reminders(before=NOW, size=size, after=after)
            return [names(page) async for page in pages]

        assert await read(9) == [["the oldest", "due"]]
        assert await read(9, at - timedelta(hours=1)) == [["due"]]
        assert await read(9, at) == []
        assert await read(1) == [["the oldest"], ["due"]]
        await todos.write([due.model_copy(update={"version": 2, "reminded_at": NOW})])
        assert await read(9) == [["the oldest"]]

    async def test_what_was_done_is_found_from_a_moment_on(self, todos: TodoStore) -> None:
        state = TodoState.DONE
        before, at, since = (NOW + timedelta(days=days) for days in (-1, 0, 1))
        await todos.write(
            [
                todo("long ago", state=state, completed_at=before),
                todo("just then", state=state, completed_at=at),
                todo("lately", state=state, completed_at=since),
                todo("to be done"),
                todo("ben's", scope=BEN, state=state, completed_at=since),
            ]
        )
        found = await todos.done_since("ann", at)
        assert sorted(names(found)) == ["just then", "lately"]

    async def test_what_was_before_an_epoch_is_erased_of_one_user(self, todos: TodoStore) -> None:
        await todos.write([todo("old"), todo("new", epoch=1), todo("another's", scope=BEN)])
        assert await todos.erase("ann", before_epoch=1) == 1
        assert names(await todos.list([ANN])) == ["new"]
        assert names(await todos.list([BEN])) == ["another's"]
