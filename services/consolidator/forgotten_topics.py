"""Forgets the memories on a topic when their user asks in a conversation to forget all of it.

Ingest withholds the messages on the topic for as long as they are kept. Memories outlive messages,
and may rest on none, so memories whose own words are on the topic are forgotten here.
"""

import asyncio
from collections.abc import Sequence

from palimpsest.events.commands import ForgetMemory
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import TurnStored
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory, Status
from palimpsest.model.scope import Namespace
from palimpsest.model.turn import Turn
from palimpsest_language.off_the_record.forgotten_topics import is_on_topic
from palimpsest_language.off_the_record.withheld_turns import find_far_reaching_topic
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.stores.cooperative_iteration import iterate_cooperatively
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry

_PAGE = 256
_STANDING = frozenset({Status.PENDING, Status.ACTIVE, Status.SUPERSEDED, Status.ARCHIVED})


class ForgottenTopics:
    def __init__(
        self,
        *,
        memories: MemoryStore,
        namespaces: NamespaceRegistry,
        publisher: Publisher,
        clock: Clock,
    ) -> None:
        self._memories = memories
        self._namespaces = namespaces
        self._publisher = publisher
        self._clock = clock

    async def follow(self, events: Sequence[Event]) -> None:
        """Send the commands that the messages among these events ask for."""
        asking = [
            (event.turn, topic)
            for event in events
            if isinstance(event, TurnStored)
            and (topic := find_far_reaching_topic(event.turn)) is not None
        ]
        found = await asyncio.gather(*(self._commands(turn, topic) for turn, topic in asking))
        if commands := [command for of_turn in found for command in of_turn]:
            await self._publisher.publish(CANDIDATES, commands)

    async def _commands(self, turn: Turn, topic: str) -> list[ForgetMemory]:
        return [
            self._command(memory, turn)
            for namespace in await self._namespaces.of_user(turn.user_id)
            if namespace.agent_id in {None, turn.agent_id}
            for memory in await self._find_on_topic(namespace, turn, topic)
        ]

    async def _find_on_topic(self, namespace: Namespace, turn: Turn, topic: str) -> list[Memory]:
        return [
            memory
            async for page in self._memories.pages(namespace, size=_PAGE)
            async for memory in iterate_cooperatively(page)
            if _may_go(memory, turn) and _is_on_topic(memory, topic)
        ]

    def _command(self, memory: Memory, turn: Turn) -> ForgetMemory:
        scope, now = memory.scope, self._clock()
        return ForgetMemory(
            # The id is derived: a memory that was restored by hand is not forgotten again by the
            # same message.
            event_id=derive_event_id("ForgetMemory", scope.user_id, memory.id, turn.id),
            occurred_at=now,
            received_at=now,
            epoch=memory.epoch,
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            project_id=scope.project_id,
            memory_id=memory.id,
        )


def _is_on_topic(memory: Memory, topic: str) -> bool:
    texts = (memory.content, memory.summary, memory.subject, memory.value, *memory.entities)
    return any(is_on_topic(text, topic) for text in texts if text)


def _may_go(memory: Memory, turn: Turn) -> bool:
    """Tell whether the memory is current, and all its evidence is older than the request."""
    said = [evidence.said_at for evidence in memory.evidence if evidence.said_at is not None]
    was_told = max(said, default=memory.recorded_at) <= turn.occurred_at
    return was_told and memory.status in _STANDING
