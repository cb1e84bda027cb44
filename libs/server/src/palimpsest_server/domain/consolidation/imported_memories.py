"""Memories of an export, taken in as they were: with their evidence, times, status and links.

They keep their history, so they are put down as they are. Only where the user has something that holds
of the same is a memory decided about as if it had just been stated.
"""

from typing import Any

from palimpsest.events.commands import imported_candidate_id, imported_memory_id
from palimpsest.model.memory import Candidate, Memory, MemoryFields, Status
from palimpsest.model.todo import Todo
from palimpsest_language.attributes.attribute_names import has_exclusive_values
from palimpsest_server.domain.consolidation.candidate_decisions import decide_candidate
from palimpsest_server.domain.consolidation.memory_keys import content_key, family_keys
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.supersession import is_in_timeline
from palimpsest_server.domain.todos.recurrence import find_sound_recurrence


def import_memory(
    known: Overlay, exported: Memory, todo: Todo | None, *, user_id: str, epoch: int
) -> bool:
    """Take in one memory; False if it is there already.

    Args:
        known: holds what the user has of the same words and attributes, and of both ids.
        exported: as it was exported, whoever's it was.
        todo: what is to be done by it.
        user_id: whose it becomes.
        epoch: the user's epoch at the time of the import.
    """
    memory = as_own_memory(exported, user_id=user_id, epoch=epoch)
    if known.get(memory.id) is not None or known.get(exported.id) is not None:
        return False
    if memory.status is Status.ACTIVE and _meets_what_holds(known, memory):
        candidate = build_import_candidate(exported, user_id)
        decide_candidate(
            known, candidate, received_at=exported.recorded_at, epoch=epoch, position=0
        )
        return known.get(memory.id) is not None
    known.put(memory)
    if todo is not None:
        own = {"id": memory.id, "scope": memory.scope, "epoch": epoch, "version": 1}
        own |= {"recurrence": find_sound_recurrence(todo)}
        known.todos.restore(todo.model_copy(update=own))
    return True


def as_own_memory(exported: Memory, *, user_id: str, epoch: int) -> Memory:
    """Return an exported memory as one of this user's, with the ids that it and its links get."""

    def own(memory_id: str) -> str:
        return imported_memory_id(user_id, memory_id)

    changes: dict[str, Any] = {
        "id": own(exported.id),
        "scope": exported.scope.model_copy(update={"user_id": user_id}),
        "supersedes": tuple(map(own, exported.supersedes)),
        "superseded_by": None if exported.superseded_by is None else own(exported.superseded_by),
        "relations": tuple(
            relation.model_copy(update={"memory_id": own(relation.memory_id)})
            for relation in exported.relations
        ),
        "told_apart": tuple(map(own, exported.told_apart)),
        "epoch": epoch,
        "version": 1,
    }
    return exported.model_copy(update=changes)


def build_import_candidate(exported: Memory, user_id: str) -> Candidate:
    """Return an exported memory as a statement of this user's that needs no yes."""
    fields = {name: getattr(exported, name) for name in MemoryFields.model_fields}
    return Candidate(
        **{
            **fields,
            "id": imported_candidate_id(exported.id),
            "scope": exported.scope.model_copy(update={"user_id": user_id}),
        },
        confirmed=True,
    )


def _meets_what_holds(known: Overlay, memory: Memory) -> bool:
    """Return whether the user has an active memory that says the same, or what it would replace."""
    same = known.with_key(content_key(memory))
    line = [one for key in family_keys(memory) for one in known.with_key(key)]
    exclusive = memory.attribute is not None and has_exclusive_values(memory.attribute)
    return any(one.status is Status.ACTIVE for one in same) or any(
        one.status is Status.ACTIVE
        and is_in_timeline(one)
        and (exclusive or one.value == memory.value)
        for one in line
    )
