"""From finds to what they stand for: read from MongoDB, and checked there."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from palimpsest.contracts.recall import Record
from palimpsest.domain.kinds import Kind
from palimpsest.domain.memory import Memory, Status
from palimpsest.domain.ranking.fusion import Contender
from palimpsest.domain.ranking.pool import Match, Place
from palimpsest.domain.scope import Scope
from palimpsest.domain.turn import Turn, turn_id
from palimpsest.stores.memories import MemoryReader
from palimpsest.stores.turns import TurnReader


@dataclass(frozen=True, kw_only=True)
class Sight:
    """What a reader may see, and when they look."""

    scopes: tuple[Scope, ...]
    kinds: frozenset[Kind] | None
    epoch: int
    now: datetime


@dataclass(frozen=True)
class Read:
    """What stands in MongoDB and may be shown, by id."""

    memories: Mapping[str, Memory]
    turns: Mapping[str, Turn]

    def contenders(self) -> list[Contender]:
        return [
            *(_remembered(memory) for memory in self.memories.values()),
            *(_said(turn) for turn in self.turns.values()),
        ]


class Reader:
    """One round trip: memories, turns, and the turns beside the best, all at once."""

    def __init__(
        self, memories: MemoryReader, turns: TurnReader, dropped: Callable[[str], None]
    ) -> None:
        self._memories = memories
        self._turns = turns
        self._dropped = dropped

    async def read(
        self, found: Mapping[Record, Sequence[Match]], beside: Sequence[Place], sight: Sight
    ) -> Read:
        memory_ids = [match.id for match in found[Record.MEMORY]]
        turn_ids = [match.id for match in found[Record.TURN]]
        memories, turns, neighbours = await asyncio.gather(
            self._memories_of(memory_ids, sight),
            self._turns_of(turn_ids, sight),
            self._turns_at(beside, sight),
        )
        kept = [memory for memory in memories if self._shown(why_hidden(memory, sight))]
        said = [turn for turn in [*turns, *neighbours] if self._shown(why_unsaid(turn, sight))]
        self._missing(len(memory_ids) - len(memories) + len(turn_ids) - len(turns))
        return Read(
            memories={memory.id: memory for memory in kept},
            turns={turn.id: turn for turn in said},
        )

    async def _memories_of(self, ids: Sequence[str], sight: Sight) -> list[Memory]:
        return await self._memories.by_ids(sight.scopes, ids) if ids else []

    async def _turns_of(self, ids: Sequence[str], sight: Sight) -> list[Turn]:
        return await self._turns.by_ids(sight.scopes, ids) if ids else []

    async def _turns_at(self, places: Sequence[Place], sight: Sight) -> list[Turn]:
        return await self._turns.around(sight.scopes, places) if places else []

    def _shown(self, why_not: str | None) -> bool:
        if why_not is not None:
            self._dropped(why_not)
        return why_not is None

    def _missing(self, count: int) -> None:
        for _ in range(count):
            self._dropped("not_in_scope")


def why_hidden(memory: Memory, sight: Sight) -> str | None:
    """Why a memory that was found is not shown, in a word; None when it is.

    One that begins only later is shown: a plan is worth knowing before its day.
    """
    if memory.scope not in sight.scopes:
        return "not_in_scope"
    if memory.status is not Status.ACTIVE:
        return "not_active"
    if memory.epoch < sight.epoch:
        return "erased"
    if _over(memory.valid_until, sight) or _over(memory.expires_at, sight):
        return "no_longer_valid"
    if sight.kinds is not None and memory.kind not in sight.kinds:
        return "other_kind"
    return None


def why_unsaid(turn: Turn, sight: Sight) -> str | None:
    """Why a turn that was found is not shown, in a word; None when it is."""
    if turn.scope not in sight.scopes:
        return "not_in_scope"
    return "erased" if turn.epoch < sight.epoch else None


def _over(end: datetime | None, sight: Sight) -> bool:
    return end is not None and end <= sight.now


def _remembered(memory: Memory) -> Contender:
    quoted = {
        turn_id(memory.scope.user_id, evidence.session_id, evidence.message_id)
        for evidence in memory.evidence
        if evidence.session_id is not None and evidence.message_id is not None
    }
    return Contender(
        id=memory.id,
        text=memory.content,
        # Who said what it quotes counts for it by that turn; its subject on top counts twice.
        about=(memory.subject,) if memory.subject and not quoted else (),
        sources=frozenset(quoted or {memory.id}),
    )


def _said(turn: Turn) -> Contender:
    return Contender(
        id=turn.id,
        text=turn.full_text,
        place=None if turn.sequence is None else Place(turn.session_id, turn.sequence),
        about=(turn.speaker,) if turn.speaker else (),
        sources=frozenset({turn.id}),
    )
