"""Withdraws memories of a message that its user put off the record.

A memory that another message supports as well only loses this evidence. The request comes with the
next message. Proposals from the message before it are stored, or still on their way: those are
checked when they arrive.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence

from palimpsest.events.commands import WithdrawEvidence
from palimpsest.events.envelope import Event, derive_event_id
from palimpsest.events.extractor_answers import CandidatesProposed, SummaryProposed
from palimpsest.events.topics import CANDIDATES
from palimpsest.events.writes import TurnStored
from palimpsest.model.clock import Clock
from palimpsest.model.memory import Memory, Status
from palimpsest.model.turn import turn_id
from palimpsest.model.user import UserState
from palimpsest_server.delivery.publisher import Publisher
from palimpsest_server.domain.consolidation.withheld_evidence import (
    evidence_turn_id,
    off_the_record_turn_ids,
    withhold_turn,
)
from palimpsest_server.stores.memories import MemoryStore
from palimpsest_server.stores.namespaces import NamespaceRegistry
from palimpsest_server.stores.withheld_messages import WithheldStore

_Message = tuple[str, str]
"""A message: the id of its session and its own id."""

_GONE = frozenset({Status.FORGOTTEN, Status.REJECTED, Status.PURGED})


class OffTheRecordCommands:
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
        """Note the withheld turns before anything is decided: no summary may rest on them."""
        turns = [event.turn for event in _withheld(events)]
        if turns:
            await self._withheld.write([withhold_turn(turn) for turn in turns])

    async def follow(self, events: Sequence[Event], states: Mapping[str, UserState]) -> None:
        """Send commands that withdraw the evidence of withheld turns. Call it after the decisions."""
        asked = {event.user_id for event in _withheld(events)}
        messages: dict[str, set[_Message]] = {}
        for event in events:
            # Hardly any user ever asks. For those who did, late arrivals are checked as well.
            if event.user_id in asked or states[event.user_id].not_told:
                messages.setdefault(event.user_id, set()).update(_messages_of(event))
        found = await asyncio.gather(*(self._commands(*own) for own in messages.items() if own[1]))
        if commands := [withdraw_evidence for of_user in found for withdraw_evidence in of_user]:
            await self._publisher.publish(CANDIDATES, commands)

    async def _commands(
        self, user_id: str, messages: Collection[_Message]
    ) -> list[WithdrawEvidence]:
        standing = await self._withheld.of([user_id])
        turns = off_the_record_turn_ids(standing.get(user_id, ()))
        withheld = {message for message in messages if turn_id(user_id, *message) in turns}
        if not withheld:
            return []
        pages = await asyncio.gather(
            *(
                self._memories.quoting(namespace, withheld)
                for namespace in await self._namespaces.of_user(user_id)
            )
        )
        return [
            self._command(memory, turns)
            for page in pages
            for memory in page
            if memory.status not in _GONE
        ]

    def _command(self, memory: Memory, turns: frozenset[str]) -> WithdrawEvidence:
        scope, now = memory.scope, self._clock()
        gone = [
            (turn, evidence.received_at)
            for evidence in memory.evidence
            if (turn := evidence_turn_id(evidence, scope.user_id)) in turns
        ]
        # The id is derived: if the memory was restored by hand, the same command does nothing
        # again. A repetition of the message in a later window makes another id.
        received = sorted(f"{turn} {at}" for turn, at in gone)
        return WithdrawEvidence(
            # The former name of the command, so that ids derived earlier stay the same.
            event_id=derive_event_id("UnsayMemory", scope.user_id, memory.id, *received),
            occurred_at=now,
            received_at=now,
            epoch=memory.epoch,
            user_id=scope.user_id,
            agent_id=scope.agent_id,
            project_id=scope.project_id,
            memory_id=memory.id,
            turn_ids=tuple(sorted({turn for turn, _ in gone})),
        )


def _messages_of(event: Event) -> set[_Message]:
    """Return the message that the event withholds, or the messages that its candidates quote."""
    match event:
        case TurnStored(turn=turn) if turn.withheld:
            return {(turn.session_id, turn.message_id)}
        case CandidatesProposed() | SummaryProposed():
            quoted = (evidence for candidate in event.candidates for evidence in candidate.evidence)
            return {
                (evidence.session_id, evidence.message_id)
                for evidence in quoted
                if evidence.session_id is not None and evidence.message_id is not None
            }
        case _:
            return set()


def _withheld(events: Sequence[Event]) -> list[TurnStored]:
    return [event for event in events if isinstance(event, TurnStored) and event.turn.withheld]
