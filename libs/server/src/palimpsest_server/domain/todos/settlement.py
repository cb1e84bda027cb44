"""Settle which todos are done by all reports, in whatever order they came. Pure.

Reports are kept, because the window with a report may be read before the window with its todo. So all
reports since a moment are processed again in the order of time.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from palimpsest.model.identifiers import derive_id
from palimpsest.model.scope import Scope
from palimpsest.model.todo import Todo, TodoCompletion
from palimpsest.model.turn import turn_id
from palimpsest.model.value_types import Identifier, Instant, Value
from palimpsest_language.wording.normalization import extract_gist
from palimpsest_server.domain.todos.completion_match import find_completed_todo


class CompletionReport(Value):
    """A report that a todo is done, whether or not the todo was known by then."""

    id: str
    """Id derived from the message and its words."""
    user_id: Identifier
    scope: Scope
    turn_id: str | None = None
    """The message with the report, if known."""
    position: int = 0
    """Place among the reports of one message."""
    completion: TodoCompletion
    epoch: int
    noted_at: Instant


class PendingTodo(NamedTuple):
    """A todo, and the time at which it was last stated, when it was not done yet."""

    todo: Todo
    last_said: datetime


def report_completions(
    completions: Iterable[TodoCompletion], scope: Scope, *, epoch: int, now: datetime
) -> list[CompletionReport]:
    return [
        CompletionReport(
            id=_identity(scope.user_id, completion),
            user_id=scope.user_id,
            scope=scope,
            turn_id=_turn(scope.user_id, completion),
            position=position,
            completion=completion,
            epoch=epoch,
            noted_at=now,
        )
        for position, completion in enumerate(completions)
    ]


def match_closings(
    said: Iterable[CompletionReport], standing: Iterable[PendingTodo]
) -> dict[str, str]:
    """Return the id of the closing report by the id of each done todo.

    Todos of one scope with the same words are closed together, if they were stated before the report.
    """
    left = {pending_todo.todo.id: pending_todo for pending_todo in standing}
    closed: dict[str, str] = {}
    for completion_report in sorted(said, key=_order):
        before = [
            each.todo
            for each in left.values()
            if each.last_said <= completion_report.completion.said_at
        ]
        if (todo := find_completed_todo(completion_report.completion, before)) is None:
            continue
        for same in before:
            if (same.scope, extract_gist(same.content)) == (
                todo.scope,
                extract_gist(todo.content),
            ):
                closed[same.id] = completion_report.id
                del left[same.id]
    return closed


def _order(said: CompletionReport) -> tuple[datetime, int, str]:
    return (said.completion.said_at, said.position, said.id)


def _identity(user_id: str, completion: TodoCompletion) -> str:
    return derive_id(
        "said done",
        user_id,
        completion.session_id,
        completion.message_id,
        completion.said_at.isoformat(),
        completion.quote,
        completion.about,
    )


def _turn(user_id: str, completion: TodoCompletion) -> str | None:
    if completion.session_id is None or completion.message_id is None:
        return None
    return turn_id(user_id, completion.session_id, completion.message_id)
