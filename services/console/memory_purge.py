"""Plan a purge: records that are erased with the memory, and records that stay and may say the same."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol

from palimpsest.api.resources import RepeatingMessage
from palimpsest.events.commands import PurgeMemory
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Scope
from palimpsest_server.domain.consolidation.withheld_evidence import source_turn_ids
from services.console.dependent_memories import DependentMemoryFinder
from services.console.repeating_messages import RepetitionFinder
from services.console.routes.memory_edits import MemoryCommandFactory


@dataclass(frozen=True, kw_only=True)
class ModelExposure:
    """The windows in which a model was shown some turns."""

    window_ids: tuple[str, ...] = ()
    summary_ids: tuple[str, ...] = ()
    """Ids of the summaries of their sessions, made or to be made."""


class ModelExposureFinder(Protocol):
    async def shown_in(self, user_id: str, turn_ids: Iterable[str], /) -> ModelExposure:
        """Return the windows in which a model was shown one of these turns."""
        ...


@dataclass(frozen=True)
class PlannedMemoryPurge:
    command: PurgeMemory
    memory: Memory
    also_said: tuple[Memory, ...]
    """Other memories that rest on the erased messages, the oldest first."""
    repeated_by: tuple[RepeatingMessage, ...] = ()
    """Other messages that repeat the memory. Those that are not a person's are erased as well."""

    @property
    def would_go(self) -> dict[str, int]:
        turns = len(self.command.turn_ids)
        memories = {"memories": int(self.memory.status is not Status.PURGED)}
        return memories | ({"turns": turns} if turns else {})


class MemoryPurgePlanner:
    """Plans purges, and changes nothing."""

    def __init__(
        self,
        editing: MemoryCommandFactory,
        resting: DependentMemoryFinder,
        showings: ModelExposureFinder,
        repetitions: RepetitionFinder,
    ) -> None:
        self._repetitions = repetitions
        self._editing = editing
        self._resting = resting
        self._showings = showings

    async def of(self, scope: Scope, memory_id: str, key: str | None) -> PlannedMemoryPurge:
        """Plan the purge of a memory that the scope can see.

        Raises:
            RecordNotFound: no memory of this id can be seen from here.
        """
        command, memory = await self._editing.about(PurgeMemory, scope, memory_id, key)
        said = source_turn_ids(memory)
        repeated_by = await self._repetitions.of(memory, said)
        turns = (*said, *(message.id for message in repeated_by if message.goes))
        if not turns:
            return PlannedMemoryPurge(command, memory, (), repeated_by)
        shown = await self._showings.shown_in(scope.user_id, turns)
        command = command.model_copy(
            update={
                "turn_ids": turns,
                "window_ids": shown.window_ids,
                "summary_ids": shown.summary_ids,
            }
        )
        also_said = await self._resting.on(
            scope.user_id, turns, besides={memory.id}, epoch=memory.epoch
        )
        return PlannedMemoryPurge(command, memory, also_said, repeated_by)
