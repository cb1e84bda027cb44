"""Complete or reopen a todo: its memory is archived, or active again."""

from palimpsest.model.memory import Status
from palimpsest_server.domain.consolidation.candidate_decisions import ConsolidationOutcome
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.status_transitions import (
    change_status,
    is_transition_allowed,
)
from palimpsest_server.domain.todos.todo_projection import DONE

REOPENED = "to be done after all"


def complete_todo(known: Overlay, todo_id: str) -> ConsolidationOutcome:
    """Archive the memory of a todo."""
    memory = known.get(todo_id)
    if memory is None or not memory.kind.properties.is_todo:
        return ConsolidationOutcome.UNKNOWN
    if not is_transition_allowed(memory, Status.ARCHIVED):
        return ConsolidationOutcome.NOT_ALLOWED
    known.put(change_status(memory, Status.ARCHIVED, reason=DONE))
    return ConsolidationOutcome.COMPLETED


def settle_todos(known: Overlay, user_id: str, *, time_zone: str) -> list[ConsolidationOutcome]:
    """Close todos that are done by all reports, and reopen those that were closed for another one."""
    settled = known.todos.settled(
        user_id, coming=known.coming_changes(), memory_of=known.get, time_zone=time_zone
    )
    return [
        *(complete_todo(known, each) for each in settled.done),
        *(reopen_todo(known, each) for each in settled.open_again),
    ]


def reopen_todo(known: Overlay, todo_id: str) -> ConsolidationOutcome:
    """Reopen a todo that was done; if its memory was forgotten, restore it with its todo."""
    memory = known.get(todo_id)
    if memory is None or not memory.kind.properties.is_todo:
        return ConsolidationOutcome.UNKNOWN
    if memory.status is not Status.ARCHIVED or memory.status_reason != DONE:
        return ConsolidationOutcome.NOT_ALLOWED
    known.put(change_status(memory, Status.ACTIVE, reason=REOPENED))
    return ConsolidationOutcome.REOPENED
