"""What was remembered of a message before somebody asked that it be not is forgotten.

The request comes with the next message, so what was made of the one before is among what was
recorded last, or is still on its way: whoever has asked is looked at again when that comes.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence

from palimpsest.contracts.answers import CandidatesProposed, SummaryProposed
from palimpsest.contracts.commands import ForgetMemory
from palimpsest.contracts.envelope import Event, derived_event_id
from palimpsest.contracts.topics import CANDIDATES
from palimpsest.contracts.writes import TurnStored
from palimpsest.delivery.publishing import Publisher
from palimpsest.domain.clock import Clock
from palimpsest.domain.evolution.withholding import (
    asked_not_to_remember,
    rests_on,
    withheld_turn,
)
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.user import UserState
from palimpsest.stores.memories import MemoryStore
from palimpsest.stores.namespaces import NamespaceRegistry
from palimpsest.stores.withheld import WithheldStore

RECORDED_LAST = 128
"""So many memories of a namespace are looked at."""


class Unsaying:
    def __init__(
        self,
        *,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        withheld: WithheldStore,
        publisher: Publisher,
        clock: Clock,
    ) -> None:
        self._memories = memories
        self._namespaces = namespaces
        self._withheld = withheld
        self._publisher = publisher
        self._clock = clock

    async def note(self, events: Sequence[Event]) -> None:
        """Before anything is decided: no summary may rest on these turns."""
        turns = [event.turn for event in _withheld(events)]
        if turns:
            await self._withheld.write([withheld_turn(turn) for turn in turns])

    async def follow(self, events: Sequence[Event], states: Mapping[str, UserState]) -> None:
        """Behind the decisions: have forgotten what rests on nothing else."""
        asked = {event.user_id for event in _withheld(events)}
        come = {
            event.user_id
            for event in events
            if isinstance(event, CandidatesProposed | SummaryProposed) and event.candidates
        }
        concerned = asked | {each for each in come if states[each].not_told}
        if concerned:
            await self._forget(concerned)

    async def _forget(self, user_ids: Iterable[str]) -> None:
        standing = await self._withheld.of(user_ids)
        turns = {each: asked_not_to_remember(own) for each, own in standing.items()}
        found = await asyncio.gather(*(self._made_of(each, own) for each, own in turns.items()))
        commands = [self._command(memory) for memories in found for memory in memories]
        if commands:
            await self._publisher.publish(CANDIDATES, commands)

    async def _made_of(self, user_id: str, turns: frozenset[str]) -> list[Memory]:
        if not turns:
            return []
        pages = await asyncio.gather(
            *(
                self._memories.latest(namespace, limit=RECORDED_LAST)
                for namespace in await self._namespaces.of_user(user_id)
            )
        )
        return [
            memory
            for page in pages
            for memory in page
            if memory.status is Status.ACTIVE
            and (basis := rests_on(memory))
            and turns.issuperset(basis)
        ]

    def _command(self, memory: Memory) -> ForgetMemory:
        scope, now = memory.scope, self._clock()
        return ForgetMemory(
            # Who has it restored by hand has it: the same event does nothing a second time.
            event_id=derived_event_id("ForgetMemory", scope.user_id, memory.id, "unsaid"),
            occurred_at=now,
            received_at=now,
            epoch=memory.epoch,
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            project_id=scope.project_id,
            memory_id=memory.id,
            reason="its user asked not to have it remembered",
        )


def _withheld(events: Sequence[Event]) -> list[TurnStored]:
    return [event for event in events if isinstance(event, TurnStored) and event.turn.withheld]
