"""Change sets are told as events: the same ones every time, and of what is erased no words."""

import pytest

from palimpsest.api.change_events import ChangeEventType, ChangeStreamQuery
from palimpsest.model.change_set import Change, TodoChange
from palimpsest.model.erasure import Erasure, PendingErasure
from palimpsest.model.memory import Status
from palimpsest.model.todo import Todo, TodoState
from palimpsest.model.user import UserState
from palimpsest_server.domain.change_events import list_change_events
from tests.support.server.domain.consolidation.samples import ALICE, day
from tests.support.server.stores.memories import COACH, WORK, added, changed, memory
from tests.support.stores.decided_change_sets import decided

NOW = UserState()
TYPE = ChangeEventType


def told(*changes: Change, state: UserState = NOW, epoch: int = 0) -> list[str]:
    change_set = decided("alice", 1, changes=changes, epoch=epoch).change_set
    return [event.type for event in list_change_events(change_set, state)]


@pytest.mark.parametrize(
    ("before", "after", "event"),
    [
        (Status.PENDING, Status.ACTIVE, TYPE.MEMORY_CONFIRMED),
        (Status.PENDING, Status.REJECTED, TYPE.MEMORY_REJECTED),
        (Status.ACTIVE, Status.ACTIVE, TYPE.MEMORY_UPDATED),
        (Status.ACTIVE, Status.SUPERSEDED, TYPE.MEMORY_SUPERSEDED),
        (Status.ACTIVE, Status.ARCHIVED, TYPE.MEMORY_ARCHIVED),
        (Status.ACTIVE, Status.FORGOTTEN, TYPE.MEMORY_FORGOTTEN),
        (Status.FORGOTTEN, Status.ACTIVE, TYPE.MEMORY_RESTORED),
        (Status.SUPERSEDED, Status.ACTIVE, TYPE.MEMORY_RESTORED),
        (Status.FORGOTTEN, Status.PURGED, TYPE.MEMORY_PURGED),
    ],
)
def test_a_move_of_a_memory_is_told_by_what_it_becomes(
    before: Status, after: Status, event: ChangeEventType
) -> None:
    known = memory().model_copy(update={"status": before})
    assert told(changed(known, status=after)) == [event]


def test_a_new_memory_is_created_or_waits() -> None:
    waiting = memory("I like milk").model_copy(update={"status": Status.PENDING})
    assert told(*added(memory(), waiting)) == [TYPE.MEMORY_CREATED, TYPE.MEMORY_PENDING]


def test_todos_are_told_by_what_becomes_of_them() -> None:
    todo = Todo(id="t", scope=ALICE, content="call Bo", created_at=day(0), epoch=0)
    done = todo.model_copy(update={"state": TodoState.DONE})
    reminded = todo.model_copy(update={"reminded_at": day(1)})
    moved = todo.model_copy(update={"due_at": day(2)})
    changes = [(None, todo), (todo, done), (done, todo), (todo, reminded), (todo, moved)]
    assert told(*(TodoChange(before=before, after=after) for before, after in changes)) == [
        TYPE.TODO_CREATED,
        TYPE.TODO_COMPLETED,
        TYPE.TODO_REOPENED,
        TYPE.TODO_REMINDED,
        TYPE.TODO_UPDATED,
    ]


def test_the_same_change_has_the_same_id_and_another_has_another() -> None:
    changes = added(memory(), memory("I like milk"))
    first, second = (decided("alice", each, changes=changes).change_set for each in (1, 2))
    assert list_change_events(first, NOW) == list_change_events(first, NOW)
    ids = {
        event.id for change_set in (first, second) for event in list_change_events(change_set, NOW)
    }
    assert len(ids) == 4


def test_of_an_older_epoch_nothing_is_told_but_that_it_was_erased() -> None:
    everything = Erasure(everything=True, epoch=1)
    later = UserState(epoch=1)
    assert told(*added(memory()), everything, state=later) == [TYPE.MEMORY_PURGED]
    assert told(*added(memory()), everything) == [TYPE.MEMORY_CREATED, TYPE.MEMORY_PURGED]


def test_what_is_being_erased_is_told_without_its_words() -> None:
    known = memory()
    going = PendingErasure(erasure=Erasure(epoch=0, memory_ids=(known.id,)), revision=2)
    change_set = decided("alice", 1, changes=added(known)).change_set
    (shown,) = list_change_events(change_set, NOW)
    (hidden,) = list_change_events(change_set, UserState(going=(going,)))
    assert (shown.data.content, hidden.data.content) == (known.content, None)


def test_a_memory_that_is_purged_is_told_once() -> None:
    known = memory()
    purged = changed(known, status=Status.PURGED)
    assert told(purged, Erasure(epoch=0, memory_ids=(known.id, "another"))) == [
        TYPE.MEMORY_PURGED,
        TYPE.MEMORY_PURGED,
    ]


def test_a_reader_is_told_of_what_its_scope_sees() -> None:
    changes = added(memory(), memory("at work", scope=WORK), memory("for coach", scope=COACH))
    events = list_change_events(decided("alice", 1, changes=changes).change_set, NOW)

    def seen(**query: str) -> list[str | None]:
        asked = ChangeStreamQuery.model_validate(query)
        return [event.data.content for event in events if asked.takes(event)]

    assert len(seen()) == len(seen(user_id="alice")) == 3
    assert seen(user_id="alice", agent_id="coach") == ["I like tea", "for coach"]
    assert seen(user_id="alice", agent_id="coder") == ["I like tea"]
    assert seen(user_id="alice", agent_id="coach", project_id="work") == [
        "I like tea",
        "at work",
        "for coach",
    ]
    assert seen(user_id="bob") == []
