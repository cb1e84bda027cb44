"""A todo is done, or is to be done after all: its memory is closed, or opened again."""

from palimpsest.domain.evolution.deciding import Outcome
from palimpsest.domain.evolution.moves import may_move, moved
from palimpsest.domain.evolution.overlay import Overlay
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Status
from palimpsest.domain.todos.following import DONE

REOPENED = "to be done after all"


def complete(known: Overlay, todo_id: str) -> Outcome:
    """Archive the memory that this todo is as well."""
    memory = known.get(todo_id)
    if memory is None or memory.kind is not Kind.ACTION_ITEM:
        return Outcome.UNKNOWN
    if not may_move(memory, Status.ARCHIVED):
        return Outcome.NOT_ALLOWED
    known.put(moved(memory, Status.ARCHIVED, reason=DONE))
    return Outcome.COMPLETED


def settle(known: Overlay, user_id: str, *, time_zone: str) -> list[Outcome]:
    """Close what was said to be done by all that was heard, and open what was closed for another."""
    settled = known.todos.settled(
        user_id, coming=known.coming_changes(), memory_of=known.get, time_zone=time_zone
    )
    return [
        *(complete(known, each) for each in settled.done),
        *(reopen(known, each) for each in settled.open_again),
    ]


def reopen(known: Overlay, todo_id: str) -> Outcome:
    """Only what was done: what was forgotten is restored as a memory, and its todo with it."""
    memory = known.get(todo_id)
    if memory is None or memory.kind is not Kind.ACTION_ITEM:
        return Outcome.UNKNOWN
    if memory.status is not Status.ARCHIVED or memory.status_reason != DONE:
        return Outcome.NOT_ALLOWED
    known.put(moved(memory, Status.ACTIVE, reason=REOPENED))
    return Outcome.REOPENED
