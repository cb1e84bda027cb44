"""Execute commands that erase for good, and describe each erasure for the stages."""

from collections.abc import Sequence
from typing import TypeAlias

from palimpsest.events.commands import (
    DeleteProject,
    ForgetEverything,
    ForgetTopic,
    PurgeForgotten,
    PurgeMemory,
)
from palimpsest.model.erasure import Erasure
from palimpsest.model.memory import Memory, Status
from palimpsest_server.domain.consolidation import tombstones
from palimpsest_server.domain.consolidation.manual_edits import MemoryCommandOutcome
from palimpsest_server.domain.consolidation.overlay import Overlay
from palimpsest_server.domain.consolidation.withheld_evidence import (
    source_summary_ids,
    source_turn_ids,
)
from palimpsest_server.domain.forgetting.purge import LONG_FORGOTTEN
from services.consolidator.commands.executed_command import ExecutedCommand

ErasureCommand: TypeAlias = PurgeMemory | DeleteProject | ForgetTopic | ForgetEverything


def execute_erasure(
    event: ErasureCommand,
    known: Overlay,
    *,
    of_project: Sequence[str],
) -> ExecutedCommand:
    """Execute an erasure. `of_project` holds the ids of the memories of a deleted project."""
    epoch = event.epoch or 0
    match event:
        case ForgetEverything():
            erasure = Erasure(everything=True, epoch=epoch + 1)
            reason = "everything was forgotten"
        case PurgeMemory():
            erasure = _of_one(event, known.get(event.memory_id))
            reason = "purged"
        case DeleteProject():
            erasure = Erasure(
                epoch=epoch,
                memory_ids=tuple(of_project),
                project_id=event.project_id,
                agent_id=event.agent_id,
                takes_questions=True,
            )
            reason = "project deleted"
        case ForgetTopic():
            erasure = Erasure(
                epoch=epoch,
                memory_ids=event.memory_ids,
                turn_ids=event.turn_ids,
                window_ids=event.window_ids,
                request_ids=event.request_ids,
                summary_ids=event.summary_ids,
                dead_letter_ids=event.dead_letter_ids,
                question_ids=event.question_ids,
                takes_questions=True,
            )
            reason = "a topic was forgotten"
    # Some memories on a topic may be erased since the topic was searched.
    there = [memory_id for memory_id in erasure.memory_ids if known.get(memory_id) is not None]
    tombstones.purge_memories(
        known, erasure.memory_ids if isinstance(event, PurgeMemory) else there
    )
    return ExecutedCommand(outcome=MemoryCommandOutcome.PURGED, reason=reason, others=(erasure,))


def _of_one(event: PurgeMemory, memory: Memory | None) -> Erasure:
    said = () if memory is None else source_turn_ids(memory)
    told = () if memory is None else source_summary_ids(memory)
    return Erasure(
        epoch=event.epoch or 0,
        memory_ids=(event.memory_id,),
        turn_ids=tuple(dict.fromkeys((*event.turn_ids, *said))),
        window_ids=event.window_ids,
        summary_ids=tuple(dict.fromkeys((*event.summary_ids, *told))),
    )


def purge_if_still_forgotten(event: PurgeForgotten, known: Overlay) -> ExecutedCommand:
    """Purge memories that are forgotten and unchanged since; restored or changed memories stay."""
    standing = [(memory, known.get(memory.memory_id)) for memory in event.memories]
    over = tuple(
        memory.id
        for at, memory in standing
        if memory is not None and (memory.status, memory.version) == (Status.FORGOTTEN, at.version)
    )
    if not over:
        return ExecutedCommand(outcome=MemoryCommandOutcome.UNCHANGED)
    tombstones.purge_memories(known, over, reason=LONG_FORGOTTEN)
    erasure = Erasure(epoch=event.epoch or 0, memory_ids=over)
    return ExecutedCommand(
        outcome=MemoryCommandOutcome.PURGED, reason=LONG_FORGOTTEN, others=(erasure,)
    )
