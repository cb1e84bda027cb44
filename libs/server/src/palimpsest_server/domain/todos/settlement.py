"""Settle which todos are done by all that was said, in whatever order it came. Pure.

What is said to be done is kept, for the window that told of it may be read before the one in which
it was to be done. So of what was said since a moment all is gone through again in the order of time.
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
    """A report that something is done, whether or not a todo was known by then."""

    id: str
    """Derived from the message and its words."""
    user_id: Identifier
    scope: Scope
    turn_id: str | None = None
    """The message in which it was said, where that is known."""
    position: int = 0
    """Among what was said to be done with it."""
    completion: TodoCompletion
    epoch: int
    noted_at: Instant


class PendingTodo(NamedTuple):
    """A todo, and when it was last told: by then it was not done yet."""

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

    What was to be done twice over, in the same words, is done once and for all that was before.
    """
    left = {pending_todo.todo.id: pending_todo for pending_todo in standing}
    closed: dict[str, str] = {}
    for completion_report in sorted(said, key=_order):
        before = [
            each.todo
            for each in left.values()
            if each.last_said <= completion_report.completion.said_at
        ]
        if (found := find_completed_todo(completion_report.completion, before)) is None:
            continue
        for same in before:
            if (same.scope, extract_gist(same.content)) == (
                found.scope,
                extract_gist(found.content),
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
