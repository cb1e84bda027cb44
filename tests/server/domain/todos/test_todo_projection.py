"""A todo follows its memory through everything that can become of it."""

from datetime import UTC, datetime, timedelta
from typing import Any

from palimpsest.model.change_set import MemoryChange
from palimpsest.model.kinds import Kind
from palimpsest.model.memory import Memory, Status
from palimpsest.model.todo import Todo, TodoState
from palimpsest_server.domain.consolidation.candidate_decisions import build_memory
from palimpsest_server.domain.consolidation.status_transitions import change_status
from palimpsest_server.domain.todos.todo_projection import DONE, project_todo
from tests.support.server.domain.consolidation.samples import candidate, day

NOW = datetime(2026, 3, 4, 10, 0, tzinfo=UTC)


def time(at: datetime) -> dict[str, Any]:
    moment = at.isoformat()
    return {
        "words": "then",
        "starts_at": moment,
        "ends_at": moment,
        "granularity": "instant",
        "all_day": False,
    }


def action_item(**fields: Any) -> Memory:
    data = {"time": time(day(5))}
    stated = candidate("send the letter", kind=Kind.ACTION_ITEM, **{"data": data, **fields})
    return build_memory(stated, received_at=day(1), epoch=3)


def after(memory: Memory, before: Todo | None = None, was: Memory | None = None) -> Todo | None:
    return project_todo(MemoryChange(before=was, after=memory), before, time_zone="UTC", now=NOW)


def noted(memory: Memory) -> Todo:
    todo = after(memory)
    assert todo is not None
    return todo


def test_it_says_what_its_memory_says_and_where_that_was_said() -> None:
    memory = action_item()
    todo = noted(memory)
    assert todo == Todo(
        id=memory.id,
        scope=memory.scope,
        content="send the letter",
        due_at=day(5),
        remind_at=day(5) - timedelta(hours=1),
        session_id="s",
        message_id="m0",
        created_at=day(0),
        epoch=3,
    )


def test_its_day_was_not_gone_when_it_was_said() -> None:
    gone = {"time": time(day(0) - timedelta(days=3))}
    assert noted(action_item(data=gone)).due_at is None
    late = {"time": time(day(0) - timedelta(days=3))}
    overdue = build_memory(
        candidate("send the overdue letter", kind=Kind.ACTION_ITEM, data=late),
        received_at=day(1),
        epoch=3,
    )
    assert noted(overdue).due_at == day(0) - timedelta(days=3)


def test_nothing_else_has_one_and_nothing_that_waits_for_a_yes() -> None:
    assert after(action_item().model_copy(update={"kind": Kind.FACT})) is None
    assert after(action_item().model_copy(update={"status": Status.PENDING})) is None


def test_done_is_done_and_any_other_end_is_no_success() -> None:
    memory = action_item()
    todo = noted(memory)
    done = after(change_status(memory, Status.ARCHIVED, reason=DONE), todo, memory)
    assert done is not None
    assert (done.state, done.completed_at, done.version) == (TodoState.DONE, NOW, 2)
    for status, reason in [
        (Status.ARCHIVED, "project closed"),
        (Status.FORGOTTEN, "forgotten by its user"),
        (Status.SUPERSEDED, "another value holds since"),
    ]:
        dropped = after(change_status(memory, status, reason=reason), todo, memory)
        assert dropped is not None
        assert (dropped.state, dropped.completed_at) == (TodoState.DROPPED, None)
        assert not dropped.is_to_be_reminded


def test_restored_it_is_open_again_and_reminds_of_nothing_twice() -> None:
    memory = action_item()
    todo = noted(memory).model_copy(update={"reminded_at": day(4)})
    archived = change_status(memory, Status.ARCHIVED, reason=DONE)
    done = after(archived, todo, memory)
    again = after(change_status(archived, Status.ACTIVE, reason="after all"), done, archived)
    assert again is not None
    assert (again.state, again.completed_at, again.reminded_at) == (TodoState.OPEN, None, day(4))


def test_another_time_reminds_anew_and_another_wording_does_not() -> None:
    memory = action_item()
    todo = noted(memory).model_copy(update={"reminded_at": day(4)})
    later = memory.model_copy(update={"data": {"time": time(day(9))}})
    moved_on = after(later, todo, memory)
    assert moved_on is not None
    assert (moved_on.due_at, moved_on.reminded_at) == (day(9), None)
    assert moved_on.is_to_be_reminded
    reworded = after(memory.model_copy(update={"content": "post the letter"}), todo, memory)
    assert reworded is not None
    assert (reworded.content, reworded.reminded_at) == ("post the letter", day(4))


def test_reinforced_it_stays_as_it_is() -> None:
    memory = action_item()
    todo = noted(memory)
    assert after(memory.model_copy(update={"importance": 0.9}), todo, memory) == todo
