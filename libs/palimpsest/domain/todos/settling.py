"""Which todos are done by all that was said, whatever of it came first. Pure.

What is said to be done is kept, for the window that told of it may be read before the one in which
it was to be done. So of what was said since a moment all is gone through again in the order of time.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from palimpsest.domain.evolution.wording import gist
from palimpsest.domain.identifiers import derive
from palimpsest.domain.model import Identifier, Instant, Value
from palimpsest.domain.scope import Scope
from palimpsest.domain.todos.completing import spoken_of
from palimpsest.domain.todos.todo import Todo
from palimpsest.domain.turn import turn_id
from palimpsest.model.completion import Completion


class SaidDone(Value):
    """That somebody said that something is done, whether or not it was known by then."""

    id: str
    """Derived from the message and its words."""
    user_id: Identifier
    scope: Scope
    turn_id: str | None = None
    """The message in which it was said, where that is known."""
    position: int = 0
    """Among what was said to be done with it."""
    completion: Completion
    epoch: int
    noted_at: Instant


class Standing(NamedTuple):
    """Something to be done, and when that was said last: by then it was not done yet."""

    todo: Todo
    last_said: datetime


def said_done(
    completions: Iterable[Completion], scope: Scope, *, epoch: int, now: datetime
) -> list[SaidDone]:
    return [
        SaidDone(
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


def closings(said: Iterable[SaidDone], standing: Iterable[Standing]) -> dict[str, str]:
    """By the id of each todo that is done, the id of what said so.

    What was to be done twice over, in the same words, is done once and for all that was before.
    """
    left = {one.todo.id: one for one in standing}
    closed: dict[str, str] = {}
    for one in sorted(said, key=_order):
        before = [each.todo for each in left.values() if each.last_said <= one.completion.said_at]
        if (found := spoken_of(one.completion, before)) is None:
            continue
        for same in before:
            if (same.scope, gist(same.content)) == (found.scope, gist(found.content)):
                closed[same.id] = one.id
                del left[same.id]
    return closed


def _order(said: SaidDone) -> tuple[datetime, int, str]:
    return (said.completion.said_at, said.position, said.id)


def _identity(user_id: str, completion: Completion) -> str:
    return derive(
        "said done",
        user_id,
        completion.session_id,
        completion.message_id,
        completion.said_at.isoformat(),
        completion.quote,
        completion.about,
    )


def _turn(user_id: str, completion: Completion) -> str | None:
    if completion.session_id is None or completion.message_id is None:
        return None
    return turn_id(user_id, completion.session_id, completion.message_id)
